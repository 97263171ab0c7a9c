//! Entries as play needs them: flat tables, and sources as distances where they are regular.

use crate::board::NOWHERE;
use crate::code::{Decoded, Entry, SeatCode, Shape};

/// A seat in a phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnCode {
    /// Where the code begins that offers actions.
    pub(crate) offers: u32,
    /// Where the effects of a chance event begin, if the phase is a chance node.
    pub(crate) roll: Option<u32>,
    /// Where the ends are judged after the seat has acted.
    pub(crate) ends: u32,
    /// The first entry of the seat.
    pub(crate) entries: u32,
}

/// What the actions of one rule in one direction have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Where the effects begin.
    pub(crate) effect: u32,
    /// Where the condition begins that is judged after the effects.
    pub(crate) such_that: Option<u32>,
    /// Where the ids by target begin.
    pub(crate) ids: u32,
    pub(crate) is_pass: bool,
    pub(crate) is_longest: bool,
    pub(crate) aim: Aim,
}

/// How the sites of an action follow from its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// No site at all.
    Word,
    /// The target alone.
    To,
    /// The target is the source.
    From,
    /// One source for all targets.
    FromTo(u16),
    /// The source is as far away for all targets.
    Move(i16),
    /// The same, with a site between them.
    Jump { from: i16, over: i16 },
    /// A table has the source and the site between them.
    Table(u32),
    /// The targets are those that a table has for a site.
    Spread(u8),
    /// The target is a number, counted from this one.
    Number(i16),
}

/// The tables of all seats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// Each seat in each phase.
    pub(crate) turns: Vec<TurnCode>,
    pub(crate) phases: usize,
    pub(crate) targets: Vec<Target>,
    pub(crate) ids: Vec<u16>,
    /// The source of a target and the site between them.
    pub(crate) sources: Vec<[u16; 2]>,
    /// What each action id stands for, for each seat.
    pub(crate) actions: Vec<Decoded>,
    /// The number of action ids.
    pub(crate) actions_each: usize,
}

impl Tables {
    pub(super) fn new(seats: &[SeatCode]) -> Self {
        let mut tables = Self::default();
        for seat in seats {
            let entries = tables.targets.len() as u32;
            for (&offers, roll) in seat.phases.iter().zip(&seat.rolls) {
                let (offers, ends) = (offers as u32, seat.ends as u32);
                let roll = roll.map(|roll| roll as u32);
                tables.turns.push(TurnCode { offers, roll, ends, entries });
            }
            tables.phases = seat.phases.len();
            for entry in &seat.entries {
                tables.add(entry);
            }
            tables.actions_each = seat.actions.len();
            tables.actions.extend(&seat.actions);
        }
        tables
    }

    fn add(&mut self, entry: &Entry) {
        let (effect, ids) = (entry.effect as u32, self.ids.len() as u32);
        let such_that = entry.such_that.map(|at| at as u32);
        self.ids.extend(&entry.ids);
        let aim = match &entry.shape {
            Shape::Word => Aim::Word,
            Shape::Target | Shape::Card => Aim::To,
            Shape::Strip { table, .. } => Aim::Spread(*table),
            Shape::Number(low) => Aim::Number(*low),
            Shape::Source => Aim::From,
            Shape::From(from) => Aim::FromTo(*from),
            Shape::Move { from, over, .. } => match (distance(from), distance(over)) {
                (Some(by), _) if over.is_empty() => Aim::Move(by),
                (Some(from), Some(over)) => Aim::Jump { from, over },
                _ => {
                    let first = self.sources.len() as u32;
                    let over = |site: usize| over.get(site).copied().unwrap_or(NOWHERE);
                    let sites = from.iter().enumerate();
                    self.sources.extend(sites.map(|(site, &from)| [from, over(site)]));
                    Aim::Table(first)
                }
            },
        };
        let (is_pass, is_longest) = (entry.is_pass, entry.is_longest);
        self.targets.push(Target { effect, such_that, ids, is_pass, is_longest, aim });
    }
}

/// Returns how far the sites of a table are from their places, if it is the same for all.
fn distance(table: &[u16]) -> Option<i16> {
    let linked = table.iter().enumerate().filter(|&(_, &from)| from != NOWHERE);
    let mut distances = linked.map(|(site, &from)| from as i16 - site as i16);
    let first = distances.next()?;
    distances.all(|other| other == first).then_some(first)
}
