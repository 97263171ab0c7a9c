//! What a page may ask of a session, over HTTP and WebSocket alike.

use std::sync::Arc;

use meeple_arena::BotSpec;
use meeple_game::{Action, Player};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::keys::{Access, Presented};
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::restore::check_budget;
use crate::seats::Seat;
use crate::secrets;
use crate::session::{News, Session, State};
use crate::thinking::{advise, let_bots_play};

/// Something to do at a table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Command {
    /// Play one of the legal actions.
    Play {
        action: u16,
        /// The number of events that the caller knows of; refused if there are more.
        event: Option<usize>,
    },
    /// Take back the last decision of a person and what followed it.
    Undo {},
    /// Give up.
    Resign {},
    /// Let bots wait, in the middle of a search too.
    Pause {},
    /// Let them go on.
    Resume {},
    /// Let a bot that waits do one more step: a move, or a few simulations.
    Step {},
    /// Simulations of each decision from now on; what the bot says if not given.
    Budget { iterations: Option<u64> },
    /// Show the side of another seat, where only bots play.
    Watch { seat: u8 },
    /// Let a search think about the decision at hand.
    Analyze {
        /// The search; a usual one if not given.
        bot: Option<String>,
        iterations: Option<u64>,
    },
    /// Stop what `analyze` began, or let the bot that thinks play what it has.
    Stop {},
}

/// Simulations of advice, unless something else is said.
const ADVICE: u64 = 3_000;

impl Lab {
    /// Does what the holder of `keys` asks, and tells all pages.
    pub(crate) fn command(
        self: &Arc<Self>,
        session: &Arc<Session>,
        keys: &Presented,
        command: Command,
    ) -> Result<(), Refusal> {
        session.mark_used(self.tick());
        let mut state = session.state();
        let access = state.access(keys)?;
        if !access.is_member() {
            return Err(Refusal::Forbidden("expected the key of a seat or of the owner".into()));
        }
        match command {
            Command::Play { action, event } => {
                state.table.play(Action(action), event, access)?;
                state.changed();
            }
            Command::Undo {} => {
                state.table.undo()?;
                state.changed();
            }
            Command::Resign {} => {
                state.table.resign(access)?;
                state.changed();
            }
            Command::Pause {} => session.gate.set_shut(true),
            Command::Resume {} => session.gate.set_shut(false),
            Command::Step {} => session.gate.step(),
            Command::Budget { iterations } => {
                let budget = check_budget(iterations, &self.options.limits)?;
                state.table.set_budget(budget);
            }
            Command::Watch { seat } => Session::watch(&mut state, seat)?,
            Command::Analyze { bot, iterations } => {
                return self.analyze(session, state, access, bot.as_deref(), iterations);
            }
            Command::Stop {} => {
                state.stop_asked.stop();
                state.stop.stop();
            }
        }
        self.go_on(session, &mut state)
    }

    fn analyze(
        self: &Arc<Self>,
        session: &Arc<Session>,
        mut state: std::sync::MutexGuard<'_, State>,
        access: Access,
        bot: Option<&str>,
        iterations: Option<u64>,
    ) -> Result<(), Refusal> {
        let player = state.table.decider(access)?;
        let hidden = state.table.position.info().imperfect_information;
        let usual = if hidden { "mcts-ismcts" } else { "mcts" };
        let bot: Seat = bot.unwrap_or(usual).parse()?;
        let Some(BotSpec::Search(spec)) = bot.admit(&self.options)? else {
            return Err(Refusal::Wrong(format!("{bot} does not search")));
        };
        let budget = check_budget(iterations, &self.options.limits)?;
        let budget = budget.or(state.table.budget).unwrap_or(ADVICE);
        advise(self, session, &mut state, player, spec, budget);
        Ok(())
    }

    /// Lets bots go on where they are to move, and tells all pages.
    pub(crate) fn go_on(
        self: &Arc<Self>,
        session: &Arc<Session>,
        state: &mut State,
    ) -> Result<(), Refusal> {
        let settled = session.settle(state, self);
        // What could not be done may have changed the table all the same.
        session.tell(News::Changed);
        if settled? && !state.asking && session.gate.is_passable() {
            state.asking = true;
            tokio::spawn(let_bots_play(Arc::clone(self), Arc::clone(session)));
        }
        Ok(())
    }

    /// Gives a seat to whoever presents its key: they get a new one, and the old one
    /// opens nothing any more.
    pub(crate) fn claim(
        self: &Arc<Self>,
        session: &Arc<Session>,
        keys: &Presented,
        seat: u8,
    ) -> Result<String, Refusal> {
        let mut state = session.state();
        if !state.rights(keys)?.holds(Player(seat)) {
            return Err(Refusal::Forbidden(format!("seat {seat} is taken, or the key is wrong")));
        }
        let key = secrets::random()?;
        state.table.claim(Player(seat), key.clone());
        self.go_on(session, &mut state)?;
        Ok(key)
    }
}
