//! Nim-values against heap sizes as an SVG picture.
//!
//! Few heaps are drawn as one dot each. Many are sorted into cells of the picture, and every cell that is met is drawn
//! once, so that a file stays below a megabyte however many heaps there are.

use std::io::{self, Write};

/// The size of the picture, and of the margins around what is plotted, in pixels.
const SIZE: (f64, f64) = (960.0, 540.0);
const MARGIN: Margin = Margin { left: 70.0, right: 20.0, top: 50.0, bottom: 60.0 };
/// As many heaps are drawn as dots.
const DOTS: u64 = 400;
/// As many columns and rows of cells there are at most: with every other cell met, the file has some 900 kB.
const COLUMNS: u64 = 800;
const ROWS: u64 = 400;
/// A value's mark is at most as high as this, in pixels.
const MARK: f64 = 4.0;

struct Margin {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// What is plotted.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// The line above the picture.
    pub title: &'a str,
    /// The first heap.
    pub from: u64,
    /// The last heap.
    pub to: u64,
    /// The preperiod and the period, to be marked, if they are known.
    pub period: Option<(u64, u64)>,
}

impl Plot<'_> {
    /// Writes the picture. `values`: the nim-values of heaps `from` to `to`, which are gone through twice.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write, values: impl Iterator<Item = u64> + Clone) -> io::Result<()> {
        let axes = Axes { from: self.from, to: self.to, max: values.clone().max().unwrap_or(0) };
        let (width, height) = SIZE;
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(out, r#"<rect width="{width}" height="{height}" fill="white"/>"#)?;
        let title = escaped(self.title);
        writeln!(out, r#"<text x="{}" y="24" text-anchor="middle" font-size="16">{title}</text>"#, width / 2.0)?;
        axes.write(out)?;
        if let Some((preperiod, period)) = self.period {
            axes.mark_period(out, preperiod, period)?;
        }
        if axes.heaps() <= u128::from(DOTS) {
            axes.dots(out, values)?
        } else {
            axes.cells(out, values)?
        }
        writeln!(out, "</svg>")
    }
}

/// Where heaps and values are in the picture.
struct Axes {
    from: u64,
    to: u64,
    max: u64,
}

impl Axes {
    fn heaps(&self) -> u128 {
        u128::from(self.to - self.from) + 1
    }

    fn width(&self) -> f64 {
        SIZE.0 - MARGIN.left - MARGIN.right
    }

    fn height(&self) -> f64 {
        SIZE.1 - MARGIN.top - MARGIN.bottom
    }

    fn bottom(&self) -> f64 {
        SIZE.1 - MARGIN.bottom
    }

    /// The middle of a heap's column.
    fn x(&self, heap: u64) -> f64 {
        MARGIN.left + ((heap - self.from) as f64 + 0.5) * self.width() / self.heaps() as f64
    }

    /// The middle of a value's row.
    fn y(&self, value: u64) -> f64 {
        self.bottom() - (value as f64 + 0.5) * self.height() / (self.max as f64 + 1.0)
    }

    /// The frame, ticks with their labels, and what the axes are of.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (left, right, top, bottom) = (MARGIN.left, SIZE.0 - MARGIN.right, MARGIN.top, self.bottom());
        writeln!(
            out,
            r##"<path d="M{left} {top}V{bottom}H{right}V{top}z" fill="none" stroke="#888"/><g fill="#333" stroke="none">"##
        )?;
        for heap in ticks(self.from, self.to, 8) {
            let x = self.x(heap);
            writeln!(
                out,
                r##"<path d="M{x:.1} {bottom}v5" stroke="#888"/><text x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"##,
                bottom + 20.0,
                label(heap)
            )?;
        }
        for value in ticks(0, self.max, 8) {
            let y = self.y(value);
            writeln!(
                out,
                r##"<path d="M{left} {y:.1}h-5" stroke="#888"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"##,
                left - 9.0,
                y + 4.0,
                label(value)
            )?;
        }
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        writeln!(out, r#"<text x="{x}" y="{:.1}" text-anchor="middle">heap</text>"#, bottom + 42.0)?;
        writeln!(
            out,
            r#"<text x="16" y="{y}" text-anchor="middle" transform="rotate(-90 16 {y})">nim-value</text></g>"#
        )
    }

    /// A line where the preperiod ends, another one a period later, and both numbers in words.
    fn mark_period(&self, out: &mut impl Write, preperiod: u64, period: u64) -> io::Result<()> {
        let (top, bottom) = (MARGIN.top, self.bottom());
        let half = self.width() / self.heaps() as f64 / 2.0;
        let mut line = |heap: Option<u64>, dashes: &str| match heap.filter(|heap| (self.from..=self.to).contains(heap))
        {
            None => Ok(()),
            Some(heap) => {
                writeln!(out, r##"<path d="M{:.1} {top}V{bottom}" stroke="#c33"{dashes}/>"##, self.x(heap) - half)
            }
        };
        line(Some(preperiod), "")?;
        line(preperiod.checked_add(period), r#" stroke-dasharray="4 3""#)?;
        writeln!(
            out,
            r##"<text x="{}" y="43" text-anchor="end" fill="#c33">period {period} from heap {preperiod} on</text>"##,
            SIZE.0 - MARGIN.right
        )
    }

    fn dots(&self, out: &mut impl Write, values: impl Iterator<Item = u64>) -> io::Result<()> {
        writeln!(out, r##"<g fill="#136">"##)?;
        for (heap, value) in (self.from..=self.to).zip(values) {
            writeln!(out, r#"<circle cx="{:.1}" cy="{:.1}" r="2.5"/>"#, self.x(heap), self.y(value))?;
        }
        writeln!(out, "</g>")
    }

    /// The cells as one path of horizontal strokes, in units of cells, row by row from below.
    fn cells(&self, out: &mut impl Write, values: impl Iterator<Item = u64>) -> io::Result<()> {
        let (columns, rows) = (COLUMNS.min(self.heaps() as u64), ROWS.min(self.max.saturating_add(1)));
        let mut met = vec![false; (columns * rows) as usize];
        for (i, value) in (0u128..).zip(values.take(self.heaps() as usize)) {
            let column = (i * u128::from(columns) / self.heaps()) as u64;
            let row = (u128::from(value) * u128::from(rows) / (u128::from(self.max) + 1)) as u64;
            met[(row * columns + column) as usize] = true;
        }
        let (wide, high) = (self.width() / columns as f64, self.height() / rows as f64);
        write!(
            out,
            r##"<path transform="translate({} {}) scale({wide} -{high})" stroke="#136" stroke-width="{}" fill="none" d=""##,
            MARGIN.left,
            self.bottom(),
            (MARK / high).min(1.0)
        )?;
        for (row, met) in met.chunks(columns as usize).enumerate() {
            let mut at = 0;
            let mut begun = false;
            for (start, end) in runs(met) {
                match begun {
                    false => write!(out, "M{start} {row}.5h{}", end - start)?,
                    true => write!(out, "m{} 0h{}", start - at, end - start)?,
                }
                (at, begun) = (end, true);
            }
        }
        writeln!(out, r#""/>"#)
    }
}

/// The maximal runs of what is met, each from its start to its end, exclusive.
fn runs(met: &[bool]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + met[at..].iter().position(|&m| m)?;
        at = start + met[start..].iter().position(|&m| !m).unwrap_or(met.len() - start);
        Some((start, at))
    })
}

/// Round numbers from `from` to `to`, some `count` of them at most.
fn ticks(from: u64, to: u64, count: u64) -> Vec<u64> {
    let steps = (0..20).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u128.pow(power)));
    let wide = u128::from(to - from);
    let step = steps.into_iter().find(|step| wide / step < u128::from(count)).expect("the largest step is 5 * 10^19");
    let first = u128::from(from).next_multiple_of(step);
    (0..).map(|i| first + i * step).take_while(|&n| n <= u128::from(to)).filter_map(|n| u64::try_from(n).ok()).collect()
}

/// A number in few characters.
fn label(n: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")];
    let unit = units.iter().find(|(unit, _)| n >= *unit && n.is_multiple_of(*unit));
    unit.map_or(n.to_string(), |(unit, letter)| format!("{}{letter}", n / unit))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(from: u64, values: &[u64], period: Option<(u64, u64)>) -> String {
        let mut out = Vec::new();
        let plot = Plot { title: "a < b & c", from, to: from + values.len() as u64 - 1, period };
        plot.write(&mut out, values.iter().copied()).unwrap();
        let text = String::from_utf8(out).unwrap();
        check_xml(&text);
        text
    }

    /// Every tag is closed, in order, every attribute quoted, and no text has a mark that must be written otherwise.
    fn check_xml(text: &str) {
        let mut open = Vec::new();
        let mut rest = text.strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#).expect("an XML declaration");
        while let Some(start) = rest.find('<') {
            let end = start + rest[start..].find('>').expect("a tag ends");
            let (text, tag) = (&rest[..start], &rest[start + 1..end]);
            assert!(
                !text.contains('>')
                    && text.matches('&').count() == text.matches("&amp;").count() + text.matches("&lt;").count()
            );
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            match (tag.strip_prefix('/'), tag.ends_with('/')) {
                (Some(name), _) => assert_eq!(open.pop(), Some(name)),
                (None, true) => {}
                (None, false) => open.push(tag.split(' ').next().unwrap()),
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    }

    /// The numbers of an attribute, in order.
    fn numbers(text: &str, attribute: &str) -> Vec<f64> {
        let mark = format!(" {attribute}=\"");
        let parts = text.split(&mark).skip(1);
        parts.map(|part| part.split('"').next().unwrap().parse().unwrap()).collect()
    }

    /// Four heaps in a field 870 wide and 430 high that begins at (70, 480): columns of 217.5, and 4 rows of 107.5.
    #[test]
    fn dots_are_where_they_belong() {
        let text = drawn(5, &[0, 3, 1, 2], Some((7, 1)));
        assert_eq!(numbers(&text, "cx"), [178.8, 396.2, 613.8, 831.2]);
        assert_eq!(numbers(&text, "cy"), [426.2, 103.8, 318.8, 211.2]);
        assert!(text.contains("a &lt; b &amp; c") && text.contains("period 1 from heap 7 on"));
        // Between heaps 6 and 7, and between 7 and 8.
        assert!(text.contains(r#"M505.0 50V480" stroke="#) && text.contains(r#"M722.5 50V480" stroke="#), "{text}");
        for tick in ["5", "6", "7", "8", "0", "1", "2", "3"] {
            assert!(text.contains(&format!(">{tick}</text>")), "{tick}");
        }
    }

    /// Heaps 0 to 1599 in 800 columns, two in each; every column has the values 0 and 9 until heap 1200, 4 after that.
    #[test]
    fn cells_are_drawn_once() {
        let values: Vec<u64> = (0..1600).map(|n| if n < 1200 { n % 2 * 9 } else { 4 }).collect();
        let text = drawn(0, &values, None);
        assert!(text.contains(r#"d="M0 0.5h600M600 4.5h200M0 9.5h600""#), "{text}");
        assert!(text.contains(r#"translate(70 480) scale(1.0875 -43)"#), "{text}");
        assert!(!text.contains("circle") && !text.contains("period"));
    }

    /// Every other cell is met, the most strokes that there can be; and two million heaps without any order.
    #[test]
    fn files_are_small() {
        let chequered: Vec<u64> = (0..160_000).map(|i| 2 * (i % 200) + i / 200 % 2).collect();
        let text = drawn(0, &chequered, None);
        assert_eq!(text.matches("h1").count(), 160_000);
        assert!(text.len() < 1 << 20, "{} bytes", text.len());
        let scattered: Vec<u64> = (0..2_000_000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54).collect();
        assert!(drawn(0, &scattered, None).len() < 1 << 20);
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0, 1000, 8), [0, 200, 400, 600, 800, 1000]);
        assert_eq!(ticks(0, 7, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ticks(9, 9, 8), [9]);
        assert_eq!(ticks(0, u64::MAX, 8).len(), 4);
        assert_eq!(ticks(999_995, 1_000_012, 8), [999_995, 1_000_000, 1_000_005, 1_000_010]);
        assert_eq!(["0", "1500", "1500k", "3M", "1000001"], [0, 1500, 1_500_000, 3_000_000, 1_000_001].map(label)[..]);
        assert_eq!(label(5_000_000_000_000), "5000G");
    }
}
