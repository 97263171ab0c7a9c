//! The replay buffer: the most recent decisions, each trained on a limited number of times.

use std::collections::VecDeque;

use meeple_arena::{Sample, Samples};
use meeple_game::Rng;

use crate::config::BufferConfig;

/// The number of rejected draws after which the buffer counts as exhausted.
const PATIENCE: usize = 10_000;

/// The decisions of one iteration.
#[derive(Clone, Debug, PartialEq)]
struct Shard {
    iteration: u64,
    samples: Samples,
    /// The number of times that each decision was trained on.
    trainings: Vec<u8>,
}

/// The replay buffer.
#[derive(Clone, Debug)]
pub struct Buffer {
    config: BufferConfig,
    shards: VecDeque<Shard>,
    /// Decisions in all shards.
    len: usize,
    /// Decisions ever added.
    played: u64,
}

impl Buffer {
    /// Creates an empty buffer; `played` decisions were added before and dropped.
    #[must_use]
    pub fn new(config: BufferConfig, played: u64) -> Self {
        Self { config, shards: VecDeque::new(), len: 0, played }
    }

    /// Adds the decisions of an iteration, and drops those that no later window will include.
    pub fn add(&mut self, iteration: u64, samples: Samples) {
        let trainings = vec![0; samples.len()];
        self.played += samples.len() as u64;
        self.put(iteration, samples, trainings);
        while let Some(oldest) = self.shards.front() {
            let left = self.len - oldest.samples.len();
            if (left as u64) < self.config.window(self.played) {
                break;
            }
            self.len = left;
            self.shards.pop_front();
        }
    }

    /// Restores the saved decisions of an iteration.
    pub(crate) fn put(&mut self, iteration: u64, samples: Samples, trainings: Vec<u8>) {
        self.len += samples.len();
        self.shards.push_back(Shard { iteration, samples, trainings });
    }

    /// Returns the number of decisions in the buffer.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the buffer is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of decisions ever added.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Returns the number of most recent decisions that are sampled from.
    #[must_use]
    pub fn window(&self) -> usize {
        self.len.min(self.config.window(self.played) as usize)
    }

    /// Returns the number of decisions of the latest iteration.
    #[must_use]
    pub fn latest(&self) -> usize {
        self.shards.back().map_or(0, |shard| shard.samples.len())
    }

    /// Iterates over the iterations in the buffer, with the training counts of their
    /// decisions.
    pub(crate) fn shards(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.shards.iter().map(|shard| (shard.iteration, &shard.trainings[..]))
    }

    /// Draws uniformly from the decisions of the window that may still be trained on, and
    /// counts the draw; `None` if none was found.
    pub fn draw(&mut self, rng: &mut Rng) -> Option<Sample<'_>> {
        let window = self.window();
        if window == 0 {
            return None;
        }
        for _ in 0..PATIENCE {
            let mut at = self.len - window + rng.below(window);
            let mut number = 0;
            while at >= self.shards[number].samples.len() {
                at -= self.shards[number].samples.len();
                number += 1;
            }
            let trainings = &mut self.shards[number].trainings[at];
            if *trainings < self.config.most_trainings {
                *trainings += 1;
                return Some(self.shards[number].samples.get(at));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::open;
    use meeple_game::{Action, Player};

    fn samples(game: u64, count: usize) -> Samples {
        let state = open("tic-tac-toe", None).unwrap();
        let mut samples = Samples::default();
        (0..count).for_each(|_| samples.add(&*state.view(Player(0)), Action(4), None));
        samples.finish(game, 0, &[0.0, 0.0], false);
        samples
    }

    fn config() -> BufferConfig {
        BufferConfig { first: 20, last: 30, growth: 0.5, trainings: 1.0, most_trainings: 2 }
    }

    #[test]
    fn the_window_grows_and_what_is_beyond_is_forgotten() {
        let mut buffer = Buffer::new(config(), 0);
        assert!(buffer.draw(&mut Rng::new(0)).is_none(), "an empty buffer has nothing");
        let mut windows = Vec::new();
        for iteration in 0..6 {
            buffer.add(iteration, samples(iteration, 10));
            windows.push(buffer.window());
        }
        assert_eq!(windows, [10, 20, 25, 30, 30, 30]);
        assert_eq!((buffer.len(), buffer.played()), (30, 60));
        let kept: Vec<u64> = buffer.shards().map(|(iteration, _)| iteration).collect();
        assert_eq!(kept, [3, 4, 5]);
    }

    #[test]
    fn decisions_are_learned_from_no_more_often_than_allowed() {
        let mut buffer = Buffer::new(config(), 0);
        (0..3).for_each(|iteration| buffer.add(iteration, samples(iteration, 10)));
        let mut rng = Rng::new(1);
        let mut drawn = [0; 3];
        while let Some(sample) = buffer.draw(&mut rng) {
            drawn[sample.game as usize] += 1;
        }
        // Half of the oldest shard is out of the window.
        assert_eq!(drawn, [10, 20, 20]);
        assert!(buffer.shards().all(|(_, trainings)| trainings.iter().all(|&count| count <= 2)));
    }
}
