//! Misère play.
mod bits;
mod budget;
mod chain;
mod extend;
mod guess;
mod monoid;
mod options;
mod trial;
mod words;

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn first() {
        let code = std::env::var("GAME").unwrap_or("0.77".into());
        let to: usize = std::env::var("HEAPS").unwrap_or("30".into()).parse().unwrap();
        let rules: crate::Rules = code.parse().unwrap();
        let budget = budget::Budget::new(std::time::Duration::from_secs(300));
        let mut monoid = monoid::Monoid::from_actions(&[], bits::BitSet::new(1));
        let mut phi = vec![0u16];
        let mut ext = extend::Extender::new(chain::Chain::new(1));
        let mut ov = options::OptionValues::default();
        for heap in 1..=to {
            let e = ov.of(&rules, &monoid, &phi, heap);
            match ext.value(&monoid, heap, &e, &budget).unwrap() {
                Some(x) => phi.push(x),
                None => {
                    let t = std::time::Instant::now();
                    let f = guess::find(&rules, &monoid, &phi, &budget).expect("found");
                    println!("heap {heap} order {} p {} chain {} {:?}", f.hypothesis.monoid.order(), f.hypothesis.monoid.p().count(), f.chain.len(), t.elapsed());
                    monoid = f.hypothesis.monoid;
                    phi = f.hypothesis.phi;
                    ext = extend::Extender::new(f.chain);
                    ov = Default::default();
                }
            }
        }
    }
}
