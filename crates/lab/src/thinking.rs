//! Bots and advisers at work: searches on other threads that pages can follow.

use std::sync::Arc;
use std::time::{Duration, Instant};

use meeple_arena::{BotSpec, Position, SearchSpec, Thought};
use meeple_game::{Action, Player, Turn};
use meeple_search::{Budget, Control, SearchProgress, SearchReport, StopFlag};

use crate::files::blocking;
use crate::lab::Lab;
use crate::permits::Permit;
use crate::refusal::Refusal;
use crate::session::{Message, News, Session, State};
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
/// The time after which a bot is asked again whose move found no room on disk.
const RETRY: Duration = Duration::from_secs(2);
/// The stream of an event's luck that searches use.
const SEARCHING: u64 = 1;

/// A decision to make.
struct Job {
    mind: Mind,
    bot: BotSpec,
    seed: u64,
    stop: StopFlag,
    /// Who may follow; nobody if not given.
    audience: Option<Audience>,
    epoch: u64,
    /// Whether only bots play.
    is_watched: bool,
}

/// Who may follow a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    All,
    Seat(Player),
}

/// What was decided.
type Decided = (Action, Option<Thought>);

/// Asks bots until a person is to decide, the game is over or the gate is shut. One at a
/// time does this for a session.
pub(crate) async fn let_bots_play(lab: Arc<Lab>, session: Arc<Session>) {
    loop {
        let Ok(permit) = lab.permits.take().await else { return };
        let (its_lab, its_session) = (Arc::clone(&lab), Arc::clone(&session));
        let done = blocking(move || decide_once(&its_lab, &its_session, permit)).await;
        match done {
            Ok(Next::Nothing) => return,
            Ok(Next::AtOnce) => {}
            Ok(Next::Later) => tokio::time::sleep(PACE).await,
            // What the bot chose could not be written: it is asked again, for as long as that
            // takes.
            Err(refusal @ Refusal::Full(_)) if !session.state().forgotten => {
                session.tell_error(&refusal);
                tokio::time::sleep(RETRY).await;
            }
            Err(refusal) => {
                session.state().asking = false;
                session.tell(News::Changed);
                session.tell_error(&refusal);
                return;
            }
        }
    }
}

/// When bots are asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Nothing,
    AtOnce,
    /// After a while: people watch.
    Later,
}

/// Lets the bot that is to move decide, and plays it.
fn decide_once(lab: &Lab, session: &Session, permit: Permit) -> Result<Next, Refusal> {
    let Some(job) = next_job(lab, session) else { return Ok(Next::Nothing) };
    let decision = job.decide(session, permit)?;
    conclude(lab, session, &job, decision)?;
    Ok(if job.is_watched { Next::Later } else { Next::AtOnce })
}

/// The decision that a bot is to make now; nothing if none is, and then nobody asks
/// bots any more.
fn next_job(lab: &Lab, session: &Session) -> Option<Job> {
    let mut state = session.state();
    let is_watched = state.table.persons().next().is_none();
    // A game of bots that nobody follows would go on for nobody.
    if is_watched && session.idle() >= lab.options.limits.unwatched {
        session.gate.set_shut(true);
    }
    let goes_on = !state.forgotten && state.table.awaits_bot() && session.gate.try_pass();
    let (true, Turn::Player(player)) = (goes_on, state.table.turn()) else {
        state.asking = false;
        // Pages know already that it is a person's turn, but not that a bot waits.
        if state.table.awaits_bot() {
            session.tell(News::Changed);
        }
        return None;
    };
    state.stop = StopFlag::default();
    let table = &state.table;
    let bot = table.bot(player)?.clone();
    let budget = table.budget.unwrap_or(sims_of(&bot));
    let rng = table.rng(table.events.len() as u64).split(SEARCHING);
    let position = table.position.copy();
    let mind = Mind::new(position, player, table.events.len(), false, budget, &mut rng.split(0));
    Some(Job {
        mind,
        bot,
        seed: rng.split(1).bits(),
        stop: state.stop.clone(),
        audience: table.is_open_mind(player).then_some(Audience::All),
        epoch: state.epoch,
        is_watched,
    })
}

fn sims_of(bot: &BotSpec) -> u64 {
    match bot {
        BotSpec::Search(spec) => spec.sims.into(),
        BotSpec::Weighted { bot, .. } => sims_of(bot),
        _ => 0,
    }
}

impl Job {
    fn decide(&self, session: &Session, permit: Permit) -> Result<Decided, Refusal> {
        let position = &self.mind.position;
        let report = match &self.bot {
            BotSpec::Search(spec) => self.search(&**position, spec, session, permit)?,
            BotSpec::Weighted { bot, weights } => match &**bot {
                BotSpec::Search(spec) => {
                    self.search(&*position.reweighed(weights)?, spec, session, permit)?
                }
                _ => return self.ask(),
            },
            _ => return self.ask(),
        };
        let thought = Thought::of(&report, self.mind.seat, position.players());
        Ok((report.best, Some(thought)))
    }

    /// Asks a bot that does not search.
    fn ask(&self) -> Result<Decided, Refusal> {
        let mut bot = self.mind.position.bot(&self.bot)?;
        let mut rng = meeple_game::Rng::new(self.seed);
        let chosen = bot.choose(&*self.mind.position, self.mind.seat, &mut rng);
        Ok((chosen.map_err(|error| Refusal::failed("a bot failed", &error))?, None))
    }

    /// Searches `position`, which is the one in mind, perhaps with other weights. The
    /// permit is given back while the search waits at the gate.
    fn search(
        &self,
        position: &dyn Position,
        spec: &SearchSpec,
        session: &Session,
        mut permit: Permit,
    ) -> Result<SearchReport, Refusal> {
        let asked = spec.budget().time.unwrap_or(LONGEST);
        let budget = Budget {
            simulations: Some(self.mind.budget.max(1)),
            nodes: Some(MOST_NODES),
            time: Some(asked.min(LONGEST)),
            ..Budget::default()
        };
        let mut told = Instant::now();
        let mut report = |report: &SearchReport| {
            let is_shut = session.gate.is_shut();
            if is_shut || told.elapsed() >= TELL_EVERY {
                told = Instant::now();
                self.tell(report, session, false);
            }
            if is_shut {
                permit.lend(|| {
                    session.gate.pass(&self.stop);
                    !self.stop.is_stopped()
                });
            }
        };
        let mut control = Control {
            stop: self.stop.clone(),
            progress: Some(SearchProgress { every: EVERY, report: &mut report }),
        };
        let report = position.search(spec, &budget, self.seed, &mut control)?;
        if !self.stop.is_stopped() {
            self.tell(&report, session, true);
        }
        Ok(report)
    }

    fn tell(&self, report: &SearchReport, session: &Session, done: bool) {
        let only = match self.audience {
            Some(Audience::All) => None,
            Some(Audience::Seat(seat)) => Some(seat),
            None => return,
        };
        if session.has_listeners() {
            let thought = self.mind.tell(report, done);
            let text = Message::Thought { thought: &thought }.to_text();
            session.tell(News::Thought { only, text });
        }
    }
}

/// Plays what a bot decided, unless the table has changed meanwhile.
fn conclude(lab: &Lab, session: &Session, job: &Job, decision: Decided) -> Result<(), Refusal> {
    let mut state = session.state();
    if state.epoch != job.epoch || state.forgotten {
        return Ok(());
    }
    let (action, thought) = decision;
    state.table.did(action, thought, job.audience.is_some())?;
    session.settle(&mut state, lab)?;
    session.tell(News::Changed);
    Ok(())
}

/// Lets a search think about the decision of `player`, who alone can follow.
pub(crate) fn advise(
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    state: &mut State,
    player: Player,
    spec: SearchSpec,
    budget: u64,
) {
    state.stop_asked.stop();
    state.stop_asked = StopFlag::default();
    let event = state.table.events.len();
    let rng = state.table.rng(event as u64).split(SEARCHING);
    let position = state.table.position.copy();
    let job = Job {
        mind: Mind::new(position, player, event, true, budget, &mut rng.split(0)),
        bot: BotSpec::Search(spec),
        seed: rng.split(1).bits(),
        stop: state.stop_asked.clone(),
        // It is the person's own view that is searched.
        audience: Some(Audience::Seat(player)),
        epoch: state.epoch,
        is_watched: false,
    };
    let (lab, session) = (Arc::clone(lab), Arc::clone(session));
    tokio::spawn(async move {
        let Ok(permit) = lab.permits.take().await else { return };
        let thinker = Arc::clone(&session);
        if let Err(refusal) = blocking(move || job.decide(&thinker, permit)).await {
            session.tell_error(&refusal);
        }
    });
}
