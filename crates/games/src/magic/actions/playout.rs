//! Random play to the end, faster than step by step.

use meeple_game::{ActionList, Forced, Rng, Steps, playout};

use crate::magic::machine::Machine;
use crate::magic::state::{Magic, Question};

impl Magic {
    /// Plays to the end at random, with the same moves as [`playout`].
    ///
    /// To know whether to ask a player, the machine looks for something that the player could
    /// do. Here it lists all of it, so that nothing is looked for twice.
    pub(in crate::magic) fn play_out(&mut self, rng: &mut Rng, legal: &mut ActionList) -> Steps {
        // Tables that ask at fewer moments, or at more, are played step by step.
        if self.rules.stops || self.rules.forced == Forced::Ask {
            return playout(self, rng, legal);
        }
        let mut steps = Steps::default();
        let mut watch = ();
        let mut machine = Machine::listing(self, &mut watch, legal);
        loop {
            match machine.question {
                Question::Over => return steps,
                Question::TopCard(_) | Question::RandomCard(_) | Question::Coin => {
                    steps.chances += 1;
                    let outcome = machine.draw_outcome(rng);
                    machine.answer(outcome);
                }
                // All at once: nothing happens in between.
                Question::Attack(first) => steps.decisions += machine.attack_at_random(first, rng),
                Question::Block(first) => steps.decisions += machine.block_at_random(first, rng),
                _ => {
                    steps.decisions += 1;
                    let action = machine.sample_listed(rng).expect("the machine has a list");
                    machine.answer(action);
                }
            }
            machine.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Game;

    use super::*;
    use crate::magic::{Config, decks};

    #[test]
    fn games_are_those_played_step_by_step() {
        let mut scratch = ActionList::new();
        for (number, pair) in decks::builtin().windows(2).enumerate() {
            let config = Config::of_decks(&pair[0].name, &pair[1].name).expect("built-in decks");
            for stops in [false, true] {
                let mut start = Magic::new(&config);
                start.rules.stops = stops;
                for seed in 0..6 {
                    let rng = Rng::new(number as u64).split(seed);
                    let (mut fast, mut slow) = (start, start);
                    let (mut fast_rng, mut slow_rng) = (rng.clone(), rng);
                    let steps = fast.play_out(&mut fast_rng, &mut scratch);
                    assert_eq!(steps, playout(&mut slow, &mut slow_rng, &mut scratch));
                    assert!(fast == slow && fast_rng == slow_rng, "{fast}\n{slow}");
                }
            }
        }
    }
}
