//! One game between bots.

use meeple_game::{Game, Player, Rng, Steps, Turn, View};

use crate::Bot;

/// Plays `game` to its end, one bot for each seat.
///
/// Luck and every seat draw from streams of their own, split from `seed`: what
/// one bot draws changes neither the luck nor what another draws, so the same
/// luck can be dealt to other seats.
pub fn play_game<G: Game>(game: &mut G, bots: &mut [Box<dyn Bot<G>>], seed: &Rng) -> Steps {
    assert_eq!(bots.len(), game.players(), "one bot sits at each seat");
    let mut luck = seed.split(0);
    let mut seats: Vec<Rng> = (1..=bots.len() as u64).map(|stream| seed.split(stream)).collect();
    let mut steps = Steps::default();
    loop {
        match game.turn() {
            Turn::Player(Player(seat)) => {
                let index = usize::from(seat);
                let view = View::new(game, Player(seat));
                let action = bots[index].choose(&view, &mut seats[index]);
                game.apply(action);
                steps.decisions += 1;
            }
            Turn::Chance => {
                game.apply(game.sample_chance(&mut luck));
                steps.chances += 1;
            }
            Turn::Over => return steps,
        }
    }
}
