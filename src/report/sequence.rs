//! A run of nim-values, in the formats that people read and programs take.

use std::io::{self, Write};

use clap::ValueEnum;

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The values alone, separated by blanks, 20 a line.
    Text,
    /// `n,value` lines under that header.
    Csv,
    /// One object: game, canonical, from, to, values.
    Json,
    /// `n value` lines, as the On-Line Encyclopedia of Integer Sequences takes them.
    Bfile,
    /// A NumPy 1.0 file.
    Npy,
}

/// How many values a line of text has.
const TEXT_LINE: u64 = 20;

/// What a run of values is of.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The game as it was asked for.
    pub game: &'a str,
    /// Its canonical form.
    pub canonical: &'a str,
    /// The first heap.
    pub from: u64,
    /// The last heap.
    pub to: u64,
}

/// Writes the values of heaps `from` to `to` in one of the formats that are text.
///
/// # Errors
/// Those of `out`.
///
/// # Panics
/// If the format is [`Format::Npy`], which is not text.
pub fn write(
    out: &mut impl Write,
    format: Format,
    subject: Subject<'_>,
    values: impl Iterator<Item = u64>,
) -> io::Result<()> {
    let Subject { game, canonical, from, to } = subject;
    let mut numbered = (from..=to).zip(values);
    match format {
        Format::Text => numbered.try_for_each(|(n, v)| {
            let last = n == to || (n - from) % TEXT_LINE == TEXT_LINE - 1;
            write!(out, "{v}{}", if last { '\n' } else { ' ' })
        }),
        Format::Csv => {
            writeln!(out, "n,value")?;
            numbered.try_for_each(|(n, v)| writeln!(out, "{n},{v}"))
        }
        Format::Bfile => numbered.try_for_each(|(n, v)| writeln!(out, "{n} {v}")),
        Format::Json => {
            let text = |s: &str| serde_json::Value::from(s).to_string();
            write!(
                out,
                "{{\"game\":{},\"canonical\":{},\"from\":{from},\"to\":{to},\"values\":[",
                text(game),
                text(canonical)
            )?;
            numbered.try_for_each(|(n, v)| write!(out, "{}{v}", if n == from { "" } else { "," }))?;
            writeln!(out, "]}}")
        }
        Format::Npy => unreachable!("the store writes NumPy files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: Format, from: u64, values: &[u64]) -> String {
        let mut out = Vec::new();
        let subject = Subject { game: ".77", canonical: "0.77", from, to: from + values.len() as u64 - 1 };
        write(&mut out, format, subject, values.iter().copied()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn formats() {
        assert_eq!(written(Format::Text, 0, &[0, 1, 2]), "0 1 2\n");
        assert_eq!(written(Format::Csv, 5, &[7, 8]), "n,value\n5,7\n6,8\n");
        assert_eq!(written(Format::Bfile, 5, &[7, 8]), "5 7\n6 8\n");
        let json = r#"{"game":".77","canonical":"0.77","from":1,"to":2,"values":[1,2]}"#;
        assert_eq!(written(Format::Json, 1, &[1, 2]).trim_end(), json);
        let lines = written(Format::Text, 3, &[1; 45]);
        assert_eq!(lines.lines().map(|l| l.split(' ').count()).collect::<Vec<_>>(), [20, 20, 5]);
    }
}
