//! Searches of bots and analyses on request, on blocking threads, with progress for the pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_arena::Analysis;
use meeple_bots::{BotSpec, Position, SearchSpec, choices_of};
use meeple_game::{Action, Player, Turn};
use meeple_search::{Budget, Control, SearchProgress, SearchReport, StopFlag};

use crate::analysis::SearchContext;
use crate::error::ApiError;
use crate::files::blocking;
use crate::lab::Lab;
use crate::session::{Message, Session, State, Update};
use crate::slots::SearchSlot;

/// Simulations between two checks of the pause gate.
const GATE_INTERVAL: u64 = 64;
/// The minimum time between two reports to the pages.
const REPORT_INTERVAL: Duration = Duration::from_millis(70);
/// The time limit of one decision.
const MAX_TIME: Duration = Duration::from_secs(120);
/// The maximum number of nodes of one search.
const MAX_NODES: u64 = 2_000_000;
/// The delay between two actions in games of bots, for spectators.
const ACTION_DELAY: Duration = Duration::from_millis(350);
/// The delay before a bot retries an action that could not be saved.
const RETRY_DELAY: Duration = Duration::from_secs(2);
/// The random stream of an event that searches use.
const SEARCH_STREAM: u64 = 1;

/// A decision to search.
struct SearchJob {
    context: SearchContext,
    bot: BotSpec,
    seed: u64,
    stop: StopFlag,
    /// Who may see the statistics; `None` for nobody.
    audience: Option<Audience>,
    epoch: u64,
    /// Whether only bots play.
    only_bots: bool,
}

/// Who may see the statistics of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    All,
    Seat(Player),
}

/// The chosen action, with the search statistics if there was a search.
type Decision = (Action, Option<Analysis>);

/// Plays the bots of a session until a person is to move, the game is over or the session is
/// paused. At most one such task runs per session.
pub(crate) async fn run_bots(lab: Arc<Lab>, session: Arc<Session>) {
    loop {
        let Ok(slot) = lab.slots.acquire().await else { return };
        let (its_lab, its_session) = (Arc::clone(&lab), Arc::clone(&session));
        let done = blocking(move || play_one_action(&its_lab, &its_session, slot)).await;
        match done {
            Ok(Next::Never) => return,
            Ok(Next::Immediately) => {}
            Ok(Next::Delayed) => tokio::time::sleep(ACTION_DELAY).await,
            // The action could not be saved, so it was not played: the bot retries until the
            // disk has space.
            Err(error @ ApiError::StorageFull(_)) if !session.state().deleted => {
                session.publish_error(&error);
                tokio::time::sleep(RETRY_DELAY).await;
            }
            Err(error) => {
                session.state().bots_running = false;
                session.publish(Update::Changed);
                session.publish_error(&error);
                return;
            }
        }
    }
}

/// When the next bot action follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Never,
    Immediately,
    /// After a delay, for spectators.
    Delayed,
}

/// Plays one action of the bot to move.
fn play_one_action(lab: &Lab, session: &Session, slot: SearchSlot) -> Result<Next, ApiError> {
    let Some(job) = next_search(lab, session) else { return Ok(Next::Never) };
    let decision = job.decide(session, slot)?;
    finish(lab, session, &job, decision)?;
    Ok(if job.only_bots { Next::Delayed } else { Next::Immediately })
}

/// Returns the next decision of a bot; `None` if there is none, which ends the task.
fn next_search(lab: &Lab, session: &Session) -> Option<SearchJob> {
    let mut state = session.state();
    let only_bots = state.table.humans().next().is_none();
    // A game of bots without spectators pauses.
    if only_bots && session.idle_time() >= lab.options.limits.idle_timeout {
        session.gate.set_paused(true);
    }
    let may_play = !state.deleted && state.table.awaits_bot() && session.gate.try_pass();
    let (true, Turn::Player(player)) = (may_play, state.table.turn()) else {
        state.bots_running = false;
        // Pages know already that it is a person's turn, but not that a bot is paused.
        if state.table.awaits_bot() {
            session.publish(Update::Changed);
        }
        return None;
    };
    state.stop = StopFlag::default();
    if state.stopped_decision == Some(state.decision()) {
        state.stop.stop();
    }
    let table = &state.table;
    let bot = table.bot(player)?.clone();
    let actions = choices_of(table.position()).len();
    let budget = table.budget.unwrap_or(default_simulations(&bot, actions));
    let rng = table.rng(table.events.len() as u64).split(SEARCH_STREAM);
    let position = table.position().copy();
    let context =
        SearchContext::new(position, player, table.events.len(), false, budget, &mut rng.split(0));
    Some(SearchJob {
        context,
        bot,
        seed: rng.split(1).bits(),
        stop: state.stop.clone(),
        audience: table.is_search_public(player).then_some(Audience::All),
        epoch: state.epoch,
        only_bots,
    })
}

fn default_simulations(bot: &BotSpec, actions: usize) -> u64 {
    match bot {
        BotSpec::Search(spec) => spec.simulations(actions),
        BotSpec::Weighted { bot, .. } => default_simulations(bot, actions),
        _ => 0,
    }
}

impl SearchJob {
    fn decide(&self, session: &Session, slot: SearchSlot) -> Result<Decision, ApiError> {
        let position = &self.context.position;
        let (spec, report) = match &self.bot {
            BotSpec::Search(spec) => (spec, self.search(&**position, spec, session, slot)?),
            BotSpec::Weighted { bot, weights } => match &**bot {
                BotSpec::Search(spec) => {
                    (spec, self.search(&*position.reweighed(weights)?, spec, session, slot)?)
                }
                _ => return self.choose(),
            },
            _ => return self.choose(),
        };
        let analysis = Analysis::of(&report, self.context.seat, position.players());
        let mut rng = meeple_game::Rng::new(self.seed);
        Ok((spec.choose(&report, self.context.seat, &mut rng), Some(analysis)))
    }

    /// Returns the action of a bot that does not search.
    fn choose(&self) -> Result<Decision, ApiError> {
        let mut bot = self.context.position.bot(&self.bot)?;
        let mut rng = meeple_game::Rng::new(self.seed);
        let chosen = bot.choose(&*self.context.position, self.context.seat, &mut rng);
        Ok((chosen.map_err(|error| ApiError::internal("a bot failed", &error))?, None))
    }

    /// Searches `position`: the root, possibly with other evaluation weights. The slot is
    /// released while the search is paused.
    fn search(
        &self,
        position: &dyn Position,
        spec: &SearchSpec,
        session: &Session,
        mut slot: SearchSlot,
    ) -> Result<SearchReport, ApiError> {
        let requested = spec.budget(0).time.unwrap_or(MAX_TIME);
        let budget = Budget {
            simulations: Some(self.context.budget.max(1)),
            nodes: Some(MAX_NODES),
            time: Some(requested.min(MAX_TIME)),
            ..Budget::default()
        };
        let mut reported = Instant::now();
        let mut report = |report: &SearchReport| {
            let is_paused = session.gate.is_paused();
            if is_paused || reported.elapsed() >= REPORT_INTERVAL {
                reported = Instant::now();
                self.publish(report, session, false);
            }
            if is_paused {
                slot.release_while(|| {
                    session.gate.wait(&self.stop);
                    !self.stop.is_stopped()
                });
            }
        };
        let mut control = Control {
            stop: self.stop.clone(),
            progress: Some(SearchProgress { every: GATE_INTERVAL, report: &mut report }),
        };
        let report = position.search(spec, &budget, self.seed, &mut control)?;
        if !self.stop.is_stopped() {
            self.publish(&report, session, true);
        }
        Ok(report)
    }

    fn publish(&self, report: &SearchReport, session: &Session, done: bool) {
        let only = match self.audience {
            Some(Audience::All) => None,
            Some(Audience::Seat(seat)) => Some(seat),
            None => return,
        };
        if session.has_subscribers() {
            let analysis = self.context.analysis(report, done);
            let text = Message::Analysis { analysis: &analysis }.to_text();
            session.publish(Update::Analysis { only, text });
        }
    }
}

/// Plays the action of a bot, unless the game has changed since the search began.
fn finish(
    lab: &Lab,
    session: &Session,
    job: &SearchJob,
    decision: Decision,
) -> Result<(), ApiError> {
    let mut state = session.state();
    if state.epoch != job.epoch || state.deleted {
        return Ok(());
    }
    let (action, analysis) = decision;
    state.table.apply_action(action, analysis, job.audience.is_some())?;
    session.advance_and_save(&mut state, lab)?;
    session.publish(Update::Changed);
    Ok(())
}

/// Starts an analysis of the decision of `player`, visible only to that player.
pub(crate) fn start_analysis(
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    state: &mut State,
    player: Player,
    spec: SearchSpec,
    budget: u64,
) {
    state.stop_analysis.stop();
    state.stop_analysis = StopFlag::default();
    let event = state.table.events.len();
    let rng = state.table.rng(event as u64).split(SEARCH_STREAM);
    let position = state.table.position().copy();
    let job = SearchJob {
        context: SearchContext::new(position, player, event, true, budget, &mut rng.split(0)),
        bot: BotSpec::Search(spec),
        seed: rng.split(1).bits(),
        stop: state.stop_analysis.clone(),
        // The search uses only the information of this player.
        audience: Some(Audience::Seat(player)),
        epoch: state.epoch,
        only_bots: false,
    };
    let (lab, session) = (Arc::clone(lab), Arc::clone(session));
    tokio::spawn(async move {
        let Ok(slot) = lab.slots.acquire().await else { return };
        let its_session = Arc::clone(&session);
        if let Err(error) = blocking(move || job.decide(&its_session, slot)).await {
            session.publish_error(&error);
        }
    });
}
