//! One game between bots.

use std::time::{Duration, Instant};

use meeple_game::{
    Action, ChanceStream, Driver, End, Event, Game, Payoffs, Player, Rng, Steps, View,
};
use meeple_search::StopFlag;

use crate::{Bot, BotError, Error, Forfeit};

/// How a game between bots ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// How many steps it took.
    pub steps: Steps,
    /// What each seat got.
    pub payoffs: Payoffs,
    /// Whether it was broken off at its limit, which is a draw.
    pub cut: bool,
    /// Who lost without the game being over, and why.
    pub forfeit: Option<(Player, Forfeit)>,
    /// The bound of its implementation that the game met, which is a draw.
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

/// Somebody who watches a game between bots; all of it may stay unheard.
pub trait Watch<G: Game> {
    /// Whether decisions are timed.
    fn is_timed(&self) -> bool {
        false
    }

    /// `bot` has chosen `action` in `game`.
    fn decided(&mut self, _game: &G, _action: Action, _bot: &dyn Bot<G>, _time: Duration) {}

    /// Luck has chosen `action`.
    fn chanced(&mut self, _action: Action) {}

    /// Decisions after which the game is broken off as a draw, if there is such a
    /// number.
    fn limit(&self) -> Option<u64> {
        None
    }

    /// Whether the game should be left, which is asked before and after every decision:
    /// what a bot chose when it was interrupted is not played.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The switch that interrupts bots in the middle of a decision, if there is one.
    fn switch(&self) -> Option<&StopFlag> {
        None
    }
}

/// Nobody watches.
impl<G: Game> Watch<G> for () {}

/// Plays `game` to its end or limit, one bot for each seat; nothing if it was
/// left.
///
/// Luck and every seat draw from streams of their own, split from `seed`, and
/// every chance event from its own: what one bot draws changes neither the
/// luck nor what another draws, so the same luck can be dealt to other seats.
///
/// A program that fails forfeits: it gets -1, and the others share 1.
///
/// # Errors
///
/// When the search of a bot fails: nobody can play on, and nobody has won.
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
                    // A program that was interrupted has not failed.
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

/// The end of a game in which a bot did not choose.
fn failed<G: Game>(mut driver: Driver<G>, loser: Player, error: BotError) -> Result<Played, Error> {
    match error {
        BotError::Forfeit(forfeit) => {
            driver.forfeit(loser);
            Ok(Played::of(&driver, Some((loser, forfeit))))
        }
        BotError::Search { .. } => Err(Error::Failed { game: G::NAME, reason: error.to_string() }),
    }
}
