//! `sprague play`: who wins a position, and with which moves.

mod explain;
mod json;
mod quotient;
mod reason;
mod text;

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use num_bigint::BigUint;
use quotient::Reading;

use super::args::duration;
use super::{Failure, Global};
use crate::sums::{Found, Move, Outcome, Position, Sum, SumError};

/// How many moves are kept in memory and printed at most.
const MAX_LISTED: usize = 1_000_000;

/// What `sprague play` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions (`+` always separates components, so 10^18+7 is two heaps):
  \"0.77: 5+7+12\"                              heaps of an octal game
  \"kayles: 5 + nim: 3 + grundys-game: 9\"      heaps of different games
  \"nim: 7*12 + 1_000_000 + 2^64 + 10^30\"      seven heaps of 12, and larger ones
  \"strip: 2,5,9\"                              tokens on a strip, cell 0 is the left end; each
                                              moves left any distance without jumping
  \"graph(FILE): u + v\"                        vertices of a game graph (sprague graph); a name
                                              with +, *, : or , in it stands in quotes: \"a+b\"
Numbers have up to 100,000 digits.
Who cannot move loses; with --misere, who cannot move wins. Misère play of heaps of one game is
answered by its misère quotient (sprague misere), if that is found in half the patience; any other
is searched by brute force, up to 500000 different positions and 4000000 moves.
Exit code 4: a limit (that one, or --patience) came before the answer.")]
pub struct Args {
    /// The position, such as "0.77: 5+7+12"
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Misère play: whoever cannot move wins
    #[arg(long)]
    misere: bool,
    /// Say how the answer is found, step by step
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// List at most N winning moves, N up to 1000000 (all are counted)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..=MAX_LISTED as u64))]
    limit: u64,
    /// List every winning move, if they are not more than 1000000
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// How long to look for a heap's value, for the moves, or by brute force, before giving up
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    patience: Duration,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What there is to say about a position.
struct Answer<'a> {
    position: &'a Position,
    misere: bool,
    /// The nim-values of the components and their nim-sum: not under misère play, where they decide Nim alone.
    values: Option<Values<'a>>,
    outcome: Outcome,
    /// The misère quotient, where it gave the answer.
    quotient: Option<Reading>,
    /// The winning moves, or why they cannot be listed.
    moves: Result<Found<Move>, SumError>,
}

/// The nim-values of a position.
struct Values<'a> {
    sum: Sum<'a>,
    of_components: Vec<BigUint>,
    nim_sum: BigUint,
}

impl<'a> Values<'a> {
    fn of(sum: Sum<'a>) -> Result<Values<'a>, SumError> {
        Ok(Values { of_components: sum.values()?, nim_sum: sum.value()?, sum })
    }
}

/// Reads the position, solves it, prints what was found.
///
/// # Errors
/// A position that cannot be read, or is out of reach.
pub fn run(args: Args, _: Global) -> Result<super::Outcome, Failure> {
    let position: Position = args.position.join(" ").parse()?;
    let position = position.with_patience(args.patience);
    let keep = if args.all { MAX_LISTED } else { args.limit as usize };
    let answer = if args.misere { misere(&position, keep)? } else { normal(&position, keep)? };
    if let Ok(moves) = &answer.moves
        && args.all
        && moves.count > BigUint::from(MAX_LISTED)
    {
        return Err(Failure::Usage(format!(
            "there are {} winning moves, and at most {MAX_LISTED} can be listed: `--limit N` lists the first N",
            moves.count
        )));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        json::write(&mut out, &answer)?
    } else {
        text::write(&mut out, &answer, args.explain)?
    }
    out.flush()?;
    Ok(super::Outcome::Done)
}

fn normal(position: &Position, keep: usize) -> Result<Answer<'_>, Failure> {
    let sum = position.sum()?;
    let moves = match sum.winning_moves(keep) {
        Err(error) if !matches!(error, SumError::TooManyMoves { .. }) => return Err(error.into()),
        moves => moves,
    };
    let outcome = sum.outcome()?;
    Ok(Answer { position, misere: false, values: Some(Values::of(sum)?), quotient: None, outcome, moves })
}

fn misere(position: &Position, keep: usize) -> Result<Answer<'_>, Failure> {
    let answer = Answer {
        position,
        misere: true,
        values: None,
        quotient: None,
        outcome: Outcome::N,
        moves: Ok(Found::new(keep)),
    };
    if position.is_nim() {
        let found = position.misere(keep)?;
        let values = Some(Values::of(position.sum()?)?);
        return Ok(Answer { values, outcome: found.outcome, moves: Ok(found.moves), ..answer });
    }
    match quotient::answer(position, keep)? {
        Some((quotient, moves)) => Ok(Answer { outcome: quotient.outcome, quotient: Some(quotient), moves, ..answer }),
        None => {
            let found = position.misere(keep)?;
            Ok(Answer { outcome: found.outcome, moves: Ok(found.moves), ..answer })
        }
    }
}
