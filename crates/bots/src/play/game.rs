//! One game between bots: the only loop that plays one.

use std::time::{Duration, Instant};

use meeple_game::{Action, Game, MAX_PLAYERS, Payoffs, Player, Rng, Steps, Turn, View};
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
    game: &mut G,
    bots: &mut [Box<dyn Bot<G>>],
    seed: &Rng,
    watch: &mut W,
) -> Result<Option<Played>, Error> {
    assert_eq!(bots.len(), game.players(), "one bot sits at each seat");
    let luck = seed.split(0);
    let mut seats: Vec<Rng> = (1..=bots.len() as u64).map(|stream| seed.split(stream)).collect();
    let mut steps = Steps::default();
    if let Some(switch) = watch.switch() {
        bots.iter_mut().for_each(|bot| bot.set_stop(switch));
    }
    for (seat, bot) in (0..).zip(bots.iter_mut()) {
        if let Err(error) = bot.begin() {
            return failed(game, steps, Player(seat), error).map(Some);
        }
    }
    loop {
        match game.turn() {
            Turn::Player(seat) => {
                if watch.is_stopped() {
                    return Ok(None);
                }
                if watch.limit().is_some_and(|limit| steps.decisions >= limit) {
                    let payoffs = Payoffs::default();
                    return Ok(Some(Played {
                        steps,
                        payoffs,
                        cut: true,
                        forfeit: None,
                        fault: None,
                    }));
                }
                let start = watch.is_timed().then(Instant::now);
                let bot = &mut bots[seat.index()];
                let action = match bot.choose(&View::new(game, seat), &mut seats[seat.index()]) {
                    Ok(action) => action,
                    // A program that was interrupted has not failed.
                    Err(_) if watch.is_stopped() => return Ok(None),
                    Err(error) => return failed(game, steps, seat, error).map(Some),
                };
                if watch.is_stopped() {
                    return Ok(None);
                }
                let time = start.map_or(Duration::ZERO, |start| start.elapsed());
                watch.decided(game, action, &**bot, time);
                game.apply(action);
                steps.decisions += 1;
            }
            Turn::Chance => {
                let action = game.sample_chance(&mut luck.split(steps.chances));
                watch.chanced(action);
                game.apply(action);
                steps.chances += 1;
            }
            Turn::Over => {
                let (payoffs, fault) = (game.payoffs(), game.fault());
                return Ok(Some(Played { steps, payoffs, cut: false, forfeit: None, fault }));
            }
        }
    }
}

/// The end of a game in which a bot did not choose.
fn failed<G: Game>(
    game: &G,
    steps: Steps,
    loser: Player,
    error: BotError,
) -> Result<Played, Error> {
    match error {
        BotError::Forfeit(forfeit) => Ok(forfeited(game, steps, loser, forfeit)),
        BotError::Search { .. } => Err(Error::Failed { game: G::NAME, reason: error.to_string() }),
    }
}

fn forfeited<G: Game>(game: &G, steps: Steps, loser: Player, forfeit: Forfeit) -> Played {
    let players = game.players();
    let mut payoffs = [0.0; MAX_PLAYERS];
    payoffs[..players].fill(1.0 / (players - 1) as f32);
    payoffs[loser.index()] = -1.0;
    Played { steps, payoffs, cut: false, forfeit: Some((loser, forfeit)), fault: None }
}
