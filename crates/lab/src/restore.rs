//! Tables from files: what was done is done again, and checked as if it came from a
//! caller.

use meeple_arena::Thought;
use meeple_game::{Action, Player};

use crate::Limits;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::store::Entry;
use crate::table::{Event, Table};

impl Table {
    /// Does again what a file says was done.
    pub(crate) fn redo(&mut self, entry: Entry, limits: &Limits) -> Result<(), Refusal> {
        match entry {
            Entry::Did { action, thought, open } => {
                self.check_thought(thought.as_ref())?;
                self.did(action, thought, open)?;
            }
            Entry::Back(events) if events <= self.events.len() => self.back_to(events),
            Entry::Back(events) => {
                let found = self.events.len();
                return Err(Refusal::Wrong(format!(
                    "back: expected at most {found}, found {events}"
                )));
            }
            Entry::Resigned(seat) => {
                if !self.head.seats.get(usize::from(seat)).is_some_and(Seat::is_person) {
                    return Err(Refusal::Wrong(format!("resigned: no person has seat {seat}")));
                }
                if self.is_over() {
                    return Err(Refusal::Wrong("resigned: the game is over".into()));
                }
                self.resigned = Some(Player(seat));
            }
            Entry::Budget(budget) => self.budget = check_budget(budget, limits)?,
            Entry::Key { seat, key } => {
                if !self.head.keys.replace(seat, key) {
                    return Err(Refusal::Wrong(format!("key: no person has seat {seat}")));
                }
            }
        }
        // It is written already.
        self.take_unwritten();
        Ok(())
    }

    /// Checks that a thought from a file is about the decision at hand.
    fn check_thought(&self, thought: Option<&Thought>) -> Result<(), Refusal> {
        let Some(thought) = thought else { return Ok(()) };
        let legal = self.legal();
        let is_strange = |action: &Action| !legal.contains(action);
        if thought.candidates.iter().any(|candidate| is_strange(&candidate.action)) {
            return Err(Refusal::Wrong("thought: it names illegal actions".into()));
        }
        let (found, seats) = (thought.values.len(), self.head.seats.len());
        if found != seats {
            return Err(Refusal::Wrong(format!("thought: expected {seats} values, found {found}")));
        }
        Ok(())
    }

    /// What would be written of a table that has just come to where this one is.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let did = |event: &Event| Entry::Did {
            action: event.action,
            thought: event.thought.clone(),
            open: event.open,
        };
        let mut entries: Vec<Entry> = self.events.iter().map(did).collect();
        entries.extend(self.budget.map(|budget| Entry::Budget(Some(budget))));
        entries.extend(self.resigned.map(|seat| Entry::Resigned(seat.0)));
        entries
    }
}

/// Checks the simulations of a decision that a caller or a file asks for.
pub(crate) fn check_budget(budget: Option<u64>, limits: &Limits) -> Result<Option<u64>, Refusal> {
    let most = limits.iterations;
    match budget {
        Some(found) if !(1..=most).contains(&found) => {
            Err(Refusal::Wrong(format!("iterations: expected 1 to {most}, found {found}")))
        }
        other => Ok(other),
    }
}
