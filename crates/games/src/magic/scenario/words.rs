//! The words of scenario files: sides, phases, lists of cards.

use crate::magic::language::LandType;
use crate::magic::state::Phase;
use crate::magic::state::seat::Seat;

/// The names of the parts of a turn.
pub(super) const PHASES: [(&str, Phase); 13] = [
    ("untap step", Phase::Untap),
    ("upkeep", Phase::Upkeep),
    ("draw step", Phase::Draw),
    ("main phase", Phase::Main),
    ("beginning of combat", Phase::BeginCombat),
    ("declare attackers", Phase::Attackers),
    ("declare blockers", Phase::Blockers),
    ("first strike damage", Phase::FirstDamage),
    ("combat damage", Phase::Damage),
    ("end of combat", Phase::EndCombat),
    ("second main phase", Phase::SecondMain),
    ("end step", Phase::End),
    ("cleanup", Phase::Cleanup),
];

/// A part of a turn, of one seat's or of any.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    pub(super) seat: Option<Seat>,
    pub(super) phase: Phase,
}

/// Reads `your upkeep`, `opponent's upkeep` or `upkeep`.
pub(super) fn when(text: &str) -> Result<When, String> {
    let (seat, phase) = match (text.strip_prefix("your "), text.strip_prefix("opponent's ")) {
        (Some(rest), _) => (Some(Seat::First), rest),
        (_, Some(rest)) => (Some(Seat::Second), rest),
        _ => (None, text),
    };
    let found = PHASES.iter().find(|(name, _)| *name == phase);
    let names = || PHASES.map(|(name, _)| name).join(", ");
    let phase = found.ok_or_else(|| format!("no part of a turn {phase:?}, one of: {}", names()))?;
    Ok(When { seat, phase: phase.1 })
}

/// Reads `you` or `opponent`.
pub(super) fn seat(text: &str) -> Option<Seat> {
    match text {
        "you" => Some(Seat::First),
        "opponent" => Some(Seat::Second),
        _ => None,
    }
}

/// How a seat is called.
pub(super) fn seat_name(seat: Seat) -> &'static str {
    if seat == Seat::First { "you" } else { "opponent" }
}

/// Some copies of a card, with marks in brackets.
#[derive(Clone, Debug)]
pub(super) struct Cards {
    pub(super) name: String,
    pub(super) count: u8,
    pub(super) marks: Vec<Mark>,
}

/// What is true of a permanent besides being there.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    Tapped,
    Sick,
    Damage(u8),
    Counters(i8),
    On(String),
    Chose(LandType),
}

/// Reads `2 Mountain (tapped), Grizzly Bears`, or `none`.
pub(super) fn cards(text: &str) -> Result<Vec<Cards>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    parts(text, ',').into_iter().map(some_cards).collect()
}

fn some_cards(text: &str) -> Result<Cards, String> {
    let (count, rest) = counted(text);
    let (name, marks) = match rest.split_once(" (") {
        Some((name, marks)) => {
            let marks = marks.strip_suffix(')').ok_or("a bracket that does not close")?;
            (name, marks.split(',').map(|one| mark(one.trim())).collect::<Result<_, _>>()?)
        }
        None => (rest, Vec::new()),
    };
    Ok(Cards { name: name.into(), count, marks })
}

fn mark(text: &str) -> Result<Mark, String> {
    let number = |rest: &str| rest.parse().map_err(|_| format!("{rest:?}, expected a number"));
    Ok(match text.split_once(' ') {
        None if text == "tapped" => Mark::Tapped,
        None if text == "sick" => Mark::Sick,
        Some(("damage", rest)) => Mark::Damage(number(rest)? as u8),
        Some(("counters", rest)) => Mark::Counters(number(rest)?),
        Some(("on", rest)) => Mark::On(rest.into()),
        Some(("chose", rest)) => {
            let kind = LandType::ALL.iter().find(|kind| kind.text() == rest);
            Mark::Chose(*kind.ok_or_else(|| format!("no basic land type {rest:?}"))?)
        }
        _ => {
            return Err(format!(
                "{text:?}, expected tapped, sick, damage N, counters N, on NAME or chose TYPE"
            ));
        }
    })
}

/// A number before a name; 1 if there is none.
fn counted(text: &str) -> (u8, &str) {
    let number = |(number, rest)| Some((str::parse(number).ok()?, rest));
    text.split_once(' ').and_then(number).unwrap_or((1, text))
}

/// The parts of a text, but not those of brackets in it.
pub(super) fn parts(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0;
    let split = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == separator && depth == 0
    });
    split.map(str::trim).filter(|part| !part.is_empty()).collect()
}
