//! A block: games with the same chance events, one for each seating of the bots.

use meeple_game::{Game, Rng};

use super::{Contender, Played, Watch, play_game};
use crate::{Bot, BotSpec, Error};

/// Games that differ in who sits where, and in nothing else.
pub(crate) struct Block<'a, G> {
    /// Where each game starts.
    pub(crate) start: G,
    /// Who sits where in each game, by number.
    pub(crate) seatings: &'a [Vec<usize>],
    /// The random seed of each game.
    pub(crate) seed: Rng,
}

/// Seats one bot among others that are all alike: at every seat once.
pub(crate) fn one_among(one: usize, others: usize, seats: usize) -> Vec<Vec<usize>> {
    let seating = |at: usize| (0..seats).map(move |seat| if seat == at { one } else { others });
    (0..seats).map(|at| seating(at).collect()).collect()
}

impl<G: Game> Block<'_, G> {
    /// Plays the games one after the other and hands each to `take`, with its seating
    /// and whoever watched it. Returns whether all were played to their end.
    pub(crate) fn play<W: Watch<G>>(
        &self,
        roster: &mut Roster<'_, '_, G>,
        mut watch: impl FnMut(&[usize]) -> W,
        mut take: impl FnMut(&[usize], Played, W),
    ) -> Result<bool, Error> {
        for seating in self.seatings {
            let bots = seating.iter().map(|&bot| roster.seat(bot));
            let mut bots = bots.collect::<Result<Vec<_>, _>>()?;
            let mut watch = watch(seating);
            let Some(played) = play_game(self.start, &mut bots, &self.seed, &mut watch)? else {
                return Ok(false);
            };
            let loser = played.forfeit.as_ref().map(|(loser, _)| loser.index());
            for (seat, (&number, bot)) in seating.iter().zip(bots).enumerate() {
                if loser != Some(seat) {
                    roster.rise(number, bot);
                }
            }
            take(seating, played, watch);
        }
        Ok(true)
    }
}

/// External programs that wait for their next game, by number.
pub(crate) type Idle<G> = Vec<(usize, Box<dyn Bot<G>>)>;

/// The bots of a thread by number: new ones for each game, so that no game depends on
/// another. External programs go on, because starting one takes time; they are told
/// that a game begins.
pub(crate) struct Roster<'a, 'c, G: Game> {
    /// The table.
    pub(crate) config: &'a G::Config,
    /// The bot with a number.
    pub(crate) contender: &'a dyn Fn(usize) -> Contender<'c>,
    /// Programs from earlier games. One that forfeited is not among them.
    pub(crate) idle: &'a mut Idle<G>,
}

impl<G: Game> Roster<'_, '_, G> {
    fn seat(&mut self, bot: usize) -> Result<Box<dyn Bot<G>>, Error> {
        match self.idle.iter().position(|(number, _)| *number == bot) {
            Some(at) => Ok(self.idle.swap_remove(at).1),
            None => (self.contender)(bot).build(self.config),
        }
    }

    /// Takes a bot back after a game.
    fn rise(&mut self, number: usize, bot: Box<dyn Bot<G>>) {
        if matches!((self.contender)(number).bot, BotSpec::External(_)) {
            self.idle.push((number, bot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sits_everywhere() {
        assert_eq!(one_among(4, 9, 2), [[4, 9], [9, 4]]);
        assert_eq!(one_among(0, 1, 3), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }
}
