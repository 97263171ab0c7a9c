//! Bots and advisers at work: searches on other threads that pages can follow.

use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_arena::{BotSpec, SearchSpec, Thought};
use meeple_game::{Action, Player, Turn};
use meeple_search::{Budget, Control, Progress, SearchReport, StopFlag};

use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::session::{Message, Session};
use crate::thoughts::Mind;

/// Simulations between two looks at the gate.
const EVERY: u64 = 64;
/// The least time between two reports to the pages.
const TELL_EVERY: Duration = Duration::from_millis(70);
/// The longest that one decision may take.
const LONGEST: Duration = Duration::from_secs(120);
/// The most states that one search keeps.
const MOST_NODES: u64 = 2_000_000;
/// The time between two moves where only bots play.
const PACE: Duration = Duration::from_millis(350);
/// The stream of an event's luck that searches use.
const SEARCHING: u64 = 1;

/// A decision to make.
struct Job {
    mind: Mind,
    bot: BotSpec,
    seed: u64,
    stop: StopFlag,
    /// Whether pages may follow.
    open: bool,
    epoch: u64,
    /// Whether only bots play.
    is_watched: bool,
}

/// What was decided.
type Decision = Result<(Action, Option<Thought>), Refusal>;

/// Asks bots until a person is to decide or the game is over. One at a time does this
/// for a session.
pub(crate) async fn let_bots_play(lab: Arc<Lab>, session: Arc<Session>) {
    loop {
        let Ok(permit) = Arc::clone(&lab.searches).acquire_owned().await else { return };
        let Some(job) = next_job(&session) else { return };
        let (epoch, is_watched) = (job.epoch, job.is_watched);
        let thinker = Arc::clone(&session);
        let decided = tokio::task::spawn_blocking(move || {
            let decision = job.decide(&thinker);
            drop(permit);
            (decision, job.open)
        })
        .await;
        let result = match decided {
            Ok((decision, open)) => conclude(&lab, &session, epoch, decision, open),
            Err(panic) => Err(Refusal::failed("a bot failed", &panic)),
        };
        if let Err(refusal) = result {
            session.state().thinking = false;
            session.send(&Message::Error { error: &refusal.to_string() });
            return;
        }
        if is_watched {
            tokio::time::sleep(PACE).await;
        }
    }
}

/// The decision that a bot is to make now; nothing if none is, and then nobody asks
/// bots any more.
fn next_job(session: &Session) -> Option<Job> {
    let mut state = session.state();
    let bot = match state.table.turn() {
        Turn::Player(player) => match state.table.seat(player) {
            Seat::Bot(bot) => Some((player, bot.clone())),
            Seat::Person => None,
        },
        Turn::Chance | Turn::Over => None,
    };
    let Some((player, bot)) = bot else {
        state.thinking = false;
        return None;
    };
    state.stop = StopFlag::default();
    let table = &state.table;
    let sims = if let BotSpec::Search(spec) = &bot { u64::from(spec.sims) } else { 0 };
    let budget = table.budget.unwrap_or(sims);
    let rng = table.rng(table.events.len() as u64).split(SEARCHING);
    let position = table.position.copy();
    let mind = Mind::new(position, player, table.events.len(), false, budget, &mut rng.split(0));
    Some(Job {
        mind,
        bot,
        seed: rng.split(1).bits(),
        stop: state.stop.clone(),
        open: table.is_open_mind(player),
        epoch: state.epoch,
        is_watched: table.persons().next().is_none(),
    })
}

impl Job {
    fn decide(&self, session: &Session) -> Decision {
        session.gate.pass(&self.stop);
        match &self.bot {
            BotSpec::Search(spec) => {
                let report = self.search(spec, session)?;
                let players = self.mind.position.players();
                let thought = Thought::of(&report, self.mind.seat, players);
                Ok((report.best, Some(thought)))
            }
            other => {
                let mut bot = self.mind.position.bot(other)?;
                let mut rng = meeple_game::Rng::new(self.seed);
                let chosen = bot.choose(&*self.mind.position, self.mind.seat, &mut rng);
                Ok((chosen.map_err(|error| Refusal::failed("a bot failed", &error))?, None))
            }
        }
    }

    fn search(&self, spec: &SearchSpec, session: &Session) -> Result<SearchReport, Refusal> {
        let budget = Budget {
            iterations: Some(self.mind.budget.max(1)),
            nodes: Some(MOST_NODES),
            time: Some(LONGEST),
            ..Budget::default()
        };
        let mut told = Instant::now();
        let mut tell = |report: &SearchReport| {
            let is_shut = session.gate.is_shut();
            if self.open && (is_shut || told.elapsed() >= TELL_EVERY) {
                told = Instant::now();
                session.send(&Message::Thought { thought: &self.mind.tell(report, false) });
            }
            if is_shut {
                session.gate.pass(&self.stop);
            }
        };
        let mut control = Control {
            stop: self.stop.clone(),
            progress: Some(Progress { every: EVERY, report: &mut tell }),
        };
        let report = self.mind.position.search(spec, &budget, self.seed, &mut control)?;
        if self.open && !self.stop.is_stopped() {
            session.send(&Message::Thought { thought: &self.mind.tell(&report, true) });
        }
        Ok(report)
    }
}

/// Plays what a bot decided, unless the table has changed meanwhile.
fn conclude(
    lab: &Lab,
    session: &Session,
    epoch: u64,
    decision: Decision,
    open: bool,
) -> Result<(), Refusal> {
    let (action, thought) = decision?;
    let mut state = session.state();
    if state.epoch != epoch {
        return Ok(());
    }
    state.table.did(action, thought, open)?;
    // What comes after thinking in its turn is asked for by the caller.
    let goes_on = session.settle(&mut state, &lab.store)?;
    state.thinking = goes_on;
    session.send(&Message::View { view: &session.view(&state) });
    state.thinking = true;
    Ok(())
}

/// Lets a search think about a person's decision, and pages follow.
pub(crate) fn advise(
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    spec: SearchSpec,
    budget: u64,
) -> Result<(), Refusal> {
    let mut state = session.state();
    let player = match state.table.turn() {
        Turn::Player(player) if state.table.seat(player).is_person() => player,
        _ => return Err(Refusal::Conflict("it is not a person's turn".into())),
    };
    state.stop_asked.stop();
    state.stop_asked = StopFlag::default();
    let job = advice(&state.table, player, spec.clone(), budget, state.stop_asked.clone());
    drop(state);
    let (lab, session) = (Arc::clone(lab), Arc::clone(session));
    tokio::spawn(async move {
        let Ok(permit) = Arc::clone(&lab.searches).acquire_owned().await else { return };
        let thinker = Arc::clone(&session);
        let found = tokio::task::spawn_blocking(move || {
            let found = job.search(&spec, &thinker);
            drop(permit);
            found
        })
        .await;
        if let Ok(Err(refusal)) = found {
            session.send(&Message::Error { error: &refusal.to_string() });
        }
    });
    Ok(())
}

fn advice(
    table: &crate::table::Table,
    player: Player,
    spec: SearchSpec,
    budget: u64,
    stop: StopFlag,
) -> Job {
    let event = table.events.len();
    let rng = table.rng(event as u64).split(SEARCHING);
    Job {
        mind: Mind::new(table.position.copy(), player, event, true, budget, &mut rng.split(0)),
        bot: BotSpec::Search(spec),
        seed: rng.split(1).bits(),
        stop,
        // It is the person's own view that is searched.
        open: true,
        epoch: 0,
        is_watched: false,
    }
}
