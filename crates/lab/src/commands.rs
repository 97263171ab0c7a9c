//! The commands of a session, over HTTP and WebSocket.

use std::sync::Arc;

use meeple_bots::BotSpec;
use meeple_game::{Action, Player};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::ApiError;
use crate::keys::{Access, PresentedKeys};
use crate::lab::Lab;
use crate::restore::check_budget;
use crate::searches::{run_bots, start_analysis};
use crate::seats::Seat;
use crate::secrets;
use crate::session::{Session, State, Update};

/// A command to a session.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Command {
    /// Play a legal action.
    Play {
        action: u16,
        /// The number of events that the caller knows of; a conflict if there are more.
        event: Option<usize>,
    },
    /// Take back the last decision of a person and everything after it.
    Undo {},
    /// Resign.
    Resign {},
    /// Pause the bots, including a running search.
    Pause {},
    /// Resume the bots.
    Resume {},
    /// Let a paused bot make one step: an action, or a few simulations.
    Step {},
    /// Set the simulations per decision; each bot's own setting if omitted.
    Budget { iterations: Option<u64> },
    /// Set the viewpoint of spectators, in a game of bots.
    Watch { seat: u8 },
    /// Analyze the current decision with a search.
    Analyze {
        /// The search bot; a default if omitted.
        bot: Option<String>,
        iterations: Option<u64>,
    },
    /// Stop the analysis, and make a searching bot play its best action so far.
    Stop {},
}

/// The default number of simulations of an analysis.
const ANALYSIS_SIMULATIONS: u64 = 3_000;

impl Lab {
    /// Executes a command of the holder of `keys`, and updates all pages.
    pub(crate) fn command(
        self: &Arc<Self>,
        session: &Arc<Session>,
        keys: &PresentedKeys,
        command: Command,
    ) -> Result<(), ApiError> {
        session.mark_used(self.tick());
        let mut state = session.state();
        let access = state.access(keys)?;
        if !access.is_member() {
            return Err(ApiError::Forbidden("expected the key of a seat or of the owner".into()));
        }
        match command {
            Command::Play { action, event } => {
                state.table.play(Action(action), event, access)?;
                state.invalidate_searches();
            }
            Command::Undo {} => {
                state.table.undo()?;
                state.invalidate_searches();
            }
            Command::Resign {} => {
                state.table.resign(access)?;
                state.invalidate_searches();
            }
            Command::Pause {} => session.gate.set_paused(true),
            Command::Resume {} => session.gate.set_paused(false),
            Command::Step {} => session.gate.step(),
            Command::Budget { iterations } => {
                let budget = check_budget(iterations, &self.options.limits)?;
                state.table.set_budget(budget);
            }
            Command::Watch { seat } => Session::set_viewpoint(&mut state, seat)?,
            Command::Analyze { bot, iterations } => {
                return self.analyze(session, state, access, bot.as_deref(), iterations);
            }
            Command::Stop {} => {
                state.stop_analysis.stop();
                state.stop.stop();
                state.stopped_decision = Some(state.decision());
            }
        }
        self.continue_bots(session, &mut state)
    }

    fn analyze(
        self: &Arc<Self>,
        session: &Arc<Session>,
        mut state: std::sync::MutexGuard<'_, State>,
        access: Access,
        bot: Option<&str>,
        iterations: Option<u64>,
    ) -> Result<(), ApiError> {
        let player = state.table.player_to_move(access)?;
        let table = state.table.position().info();
        let default = if table.imperfect_information { "mcts-ismcts" } else { "mcts" };
        let bot: Seat = bot.unwrap_or(default).parse()?;
        let Some(BotSpec::Search(spec)) = bot.resolve_bot(&table, &self.options)? else {
            return Err(ApiError::BadRequest(format!("{bot} is not a search bot")));
        };
        let budget = check_budget(iterations, &self.options.limits)?;
        let budget = budget.or(state.table.budget).unwrap_or(ANALYSIS_SIMULATIONS);
        start_analysis(self, session, &mut state, player, spec, budget);
        Ok(())
    }

    /// Plays the bots that are to move, and updates all pages.
    pub(crate) fn continue_bots(
        self: &Arc<Self>,
        session: &Arc<Session>,
        state: &mut State,
    ) -> Result<(), ApiError> {
        let needs_search = session.advance_and_save(state, self);
        // An error may have rolled the game back, so pages are updated in any case.
        session.publish(Update::Changed);
        if needs_search? && !state.bots_running && session.gate.can_pass() {
            state.bots_running = true;
            tokio::spawn(run_bots(Arc::clone(self), Arc::clone(session)));
        }
        Ok(())
    }

    /// Exchanges the key of a seat for a new one, and invalidates the old one.
    pub(crate) fn claim(
        self: &Arc<Self>,
        session: &Arc<Session>,
        keys: &PresentedKeys,
        seat: u8,
    ) -> Result<String, ApiError> {
        let mut state = session.state();
        if !state.permissions(keys)?.holds(Player(seat)) {
            return Err(ApiError::Forbidden(format!(
                "seat {seat} is already claimed, or the key is wrong"
            )));
        }
        let key = secrets::random()?;
        state.table.claim(Player(seat), key.clone());
        self.continue_bots(session, &mut state)?;
        Ok(key)
    }
}
