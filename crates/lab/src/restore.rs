//! Restoring a game from its file; entries are validated like requests.

use meeple_arena::Analysis;
use meeple_game::{Action, Player};

use crate::Limits;
use crate::error::ApiError;
use crate::game_session::{Event, GameSession};
use crate::seats::Seat;
use crate::store::Entry;

impl GameSession {
    /// Applies an entry of a session file.
    pub(crate) fn redo(&mut self, entry: Entry, limits: &Limits) -> Result<(), ApiError> {
        match entry {
            Entry::Did { action, analysis, open } => {
                self.check_analysis(analysis.as_ref())?;
                self.apply_action(action, analysis, open)?;
            }
            Entry::Back(events) if events <= self.events.len() => self.rewind_to(events),
            Entry::Back(events) => {
                let found = self.events.len();
                return Err(ApiError::BadRequest(format!(
                    "back: expected at most {found}, found {events}"
                )));
            }
            Entry::Resigned(seat) => {
                if !self.header.seats.get(usize::from(seat)).is_some_and(Seat::is_human) {
                    return Err(ApiError::BadRequest(format!(
                        "resigned: no person has seat {seat}"
                    )));
                }
                if self.is_over() {
                    return Err(ApiError::BadRequest("resigned: the game is over".into()));
                }
                self.driver.forfeit(Player(seat));
            }
            Entry::Budget(budget) => self.budget = check_budget(budget, limits)?,
            Entry::Key { seat, key } => {
                if !self.header.keys.replace(seat, key) {
                    return Err(ApiError::BadRequest(format!("key: no person has seat {seat}")));
                }
            }
        }
        // The entry is on disk already.
        self.take_unwritten();
        Ok(())
    }

    /// Checks that search statistics from a file fit the current decision.
    fn check_analysis(&self, analysis: Option<&Analysis>) -> Result<(), ApiError> {
        let Some(analysis) = analysis else { return Ok(()) };
        let legal = self.legal();
        let is_illegal = |action: &Action| !legal.contains(action);
        if analysis.candidates.iter().any(|candidate| is_illegal(&candidate.action)) {
            return Err(ApiError::BadRequest("analysis: a candidate is not a legal action".into()));
        }
        let (found, seats) = (analysis.values.len(), self.header.seats.len());
        if found != seats {
            return Err(ApiError::BadRequest(format!(
                "analysis: expected {seats} values, found {found}"
            )));
        }
        Ok(())
    }

    /// Returns the minimal entries that restore this game.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let did = |event: &Event| Entry::Did {
            action: event.action,
            analysis: event.analysis.clone(),
            open: event.open,
        };
        let mut entries: Vec<Entry> = self.events.iter().map(did).collect();
        entries.extend(self.budget.map(|budget| Entry::Budget(Some(budget))));
        entries.extend(self.resigned().map(|seat| Entry::Resigned(seat.0)));
        entries
    }
}

/// Checks a simulation budget from a request or a file.
pub(crate) fn check_budget(budget: Option<u64>, limits: &Limits) -> Result<Option<u64>, ApiError> {
    let most = limits.iterations;
    match budget {
        Some(found) if !(1..=most).contains(&found) => {
            Err(ApiError::BadRequest(format!("iterations: expected 1 to {most}, found {found}")))
        }
        other => Ok(other),
    }
}
