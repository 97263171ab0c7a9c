//! One game between bots.

use std::time::{Duration, Instant};

use meeple_game::{
    Action, ChanceStream, Driver, End, Event, Game, Payoffs, Player, Rng, Steps, View,
};
use meeple_search::StopFlag;

use crate::{Bot, BotError, Error, Forfeit};

/// The result of a game between bots.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The numbers of decisions and chance events.
    pub steps: Steps,
    /// The payoff of each seat.
    pub payoffs: Payoffs,
    /// Whether the game reached its decision limit, which is a draw.
    pub cut: bool,
    /// The seat that forfeited, and the reason.
    pub forfeit: Option<(Player, Forfeit)>,
    /// The bound of its implementation that the game exceeded, which is a draw.
    pub fault: Option<&'static str>,
}

impl Played {
    fn of<G: Game>(driver: &Driver<G>, forfeit: Option<(Player, Forfeit)>) -> Self {
        let end = driver.end();
        let fault = match end {
            Some(End::Fault(fault)) => Some(fault),
            _ => None,
        };
        let (steps, payoffs) = (driver.steps(), driver.payoffs());
        Self { steps, payoffs, cut: end == Some(End::Limit), forfeit, fault }
    }
}

/// Observes a game between bots. All methods have defaults.
pub trait Watch<G: Game> {
    /// Whether decisions are timed.
    fn is_timed(&self) -> bool {
        false
    }

    /// Called after `bot` has chosen `action` in `game`, before it is played.
    fn decided(&mut self, _game: &G, _action: Action, _bot: &dyn Bot<G>, _time: Duration) {}

    /// Called after each chance event.
    fn chanced(&mut self, _action: Action) {}

    /// The maximum number of decisions, after which the game is a draw; `None` for no limit.
    fn limit(&self) -> Option<u64> {
        None
    }

    /// Whether to abort the game. Checked before and after every decision: the action of an
    /// interrupted bot is not played.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The flag that interrupts bots during a decision, if there is one.
    fn switch(&self) -> Option<&StopFlag> {
        None
    }
}

/// No observer.
impl<G: Game> Watch<G> for () {}

/// Plays `game` to its end or limit, with one bot for each seat. Returns `None` if it was
/// aborted.
///
/// Chance and every seat have their own random streams, split from `seed`, and every chance event
/// has its own stream too. The draws of a bot affect neither chance events nor the draws of other
/// bots, so the same chance events can be replayed with another seating (common random numbers).
///
/// A program that fails forfeits: its payoff is -1, and the others share 1.
///
/// # Errors
///
/// When the search of a bot fails: the game cannot continue, and nobody has won.
pub fn play_game<G: Game, W: Watch<G>>(
    game: G,
    bots: &mut [Box<dyn Bot<G>>],
    seed: &Rng,
    watch: &mut W,
) -> Result<Option<Played>, Error> {
    assert_eq!(bots.len(), game.players(), "one bot sits at each seat");
    let chance = seed.split(0);
    let mut seats: Vec<Rng> = (1..=bots.len() as u64).map(|stream| seed.split(stream)).collect();
    let mut driver = Driver::new(game).with_limit(watch.limit());
    if let Some(switch) = watch.switch() {
        bots.iter_mut().for_each(|bot| bot.set_stop(switch));
    }
    for (seat, bot) in (0..).zip(bots.iter_mut()) {
        if let Err(error) = bot.begin() {
            return failed(driver, Player(seat), error).map(Some);
        }
    }
    loop {
        match driver.next(ChanceStream::PerChanceEvent(&chance)) {
            Event::Chance(outcome) => watch.chanced(outcome),
            Event::Over => return Ok(Some(Played::of(&driver, None))),
            Event::Decision(_) if watch.is_stopped() => return Ok(None),
            Event::Decision(seat) => {
                let start = watch.is_timed().then(Instant::now);
                let bot = &mut bots[seat.index()];
                let view = View::new(driver.state(), seat);
                let action = match bot.choose(&view, &mut seats[seat.index()]) {
                    Ok(action) => action,
                    // An interrupted program has not failed.
                    Err(_) if watch.is_stopped() => return Ok(None),
                    Err(error) => return failed(driver, seat, error).map(Some),
                };
                if watch.is_stopped() {
                    return Ok(None);
                }
                let time = start.map_or(Duration::ZERO, |start| start.elapsed());
                watch.decided(driver.state(), action, &**bot, time);
                driver.play(action);
            }
        }
    }
}

/// Ends a game in which a bot did not choose an action.
fn failed<G: Game>(mut driver: Driver<G>, loser: Player, error: BotError) -> Result<Played, Error> {
    match error {
        BotError::Forfeit(forfeit) => {
            driver.forfeit(loser);
            Ok(Played::of(&driver, Some((loser, forfeit))))
        }
        BotError::Search { .. } => {
            Err(Error::Failed { game: driver.state().name(), reason: error.to_string() })
        }
    }
}
