//! What a page may ask of a session, over HTTP and WebSocket alike.

use std::sync::Arc;

use meeple_arena::BotSpec;
use meeple_game::Action;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::session::{Message, Session};
use crate::thinking::{advise, let_bots_play};
use crate::view::View;

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
    /// Does what is asked, tells all pages, and answers with the table.
    pub(crate) fn command(
        self: &Arc<Self>,
        session: &Arc<Session>,
        command: Command,
    ) -> Result<View, Refusal> {
        session.mark_used(self.tick());
        let mut state = session.state();
        match command {
            Command::Play { action, event } => {
                state.table.play(Action(action), event)?;
                state.changed();
            }
            Command::Undo {} => {
                state.table.undo()?;
                state.changed();
            }
            Command::Resign {} => {
                state.table.resign()?;
                state.changed();
            }
            Command::Pause {} => session.gate.set_shut(true),
            Command::Resume {} => session.gate.set_shut(false),
            Command::Step {} => session.gate.step(),
            Command::Budget { iterations } => {
                state.table.set_budget(self.check_budget(iterations)?);
            }
            Command::Watch { seat } => Session::watch(&mut state, seat)?,
            Command::Analyze { bot, iterations } => {
                let hidden = state.table.position.facts().hidden;
                let usual = if hidden { "mcts-ismcts" } else { "mcts" };
                let bot: Seat = bot.as_deref().unwrap_or(usual).parse()?;
                bot.check(&self.options.limits)?;
                let Seat::Bot(BotSpec::Search(spec)) = bot else {
                    return Err(Refusal::Wrong(format!("{bot} does not search")));
                };
                let budget = self.check_budget(iterations)?.or(state.table.budget);
                let view = session.view(&state);
                drop(state);
                advise(self, session, spec, budget.unwrap_or(ADVICE))?;
                return Ok(view);
            }
            Command::Stop {} => {
                state.stop_asked.stop();
                state.stop.stop();
            }
        }
        self.go_on(session, &mut state)
    }

    /// Lets bots go on where they are to move, tells all pages, and answers with the
    /// table.
    pub(crate) fn go_on(
        self: &Arc<Self>,
        session: &Arc<Session>,
        state: &mut crate::session::State,
    ) -> Result<View, Refusal> {
        let waits = session.settle(state, &self.store)?;
        if waits && !state.thinking {
            state.thinking = true;
            tokio::spawn(let_bots_play(Arc::clone(self), Arc::clone(session)));
        }
        let view = session.view(state);
        session.send(&Message::View { view: &view });
        Ok(view)
    }

    fn check_budget(&self, iterations: Option<u64>) -> Result<Option<u64>, Refusal> {
        let most = self.options.limits.iterations;
        match iterations {
            Some(iterations) if !(1..=most).contains(&iterations) => {
                Err(Refusal::Wrong(format!("iterations: expected 1 to {most}, found {iterations}")))
            }
            other => Ok(other),
        }
    }
}
