//! Which of the listed actions is best to look at next.

use meeple_game::Game;

use super::FirstPlay;
use super::tree::InfoTreeSearch;
use super::walk::Choice;
use crate::gumbel::furthest_behind;
use crate::machine::Machine;
use crate::options::{GumbelOptions, Selection};
use crate::select::{LANES, PRIOR, UNCERTAINTY, ln};

impl<G: Game> InfoTreeSearch<G> {
    /// The only action of the list.
    #[inline(always)]
    pub(super) fn only(&mut self, block: u32) -> Choice {
        let (rank, _) = self.nodes.rank(block, self.actions[0]);
        self.nodes.count_available(block, rank);
        Choice { block, at: 0, rank }
    }

    /// The listed action with the highest score, of those whose entries were
    /// found last; all of them are counted as available.
    pub(super) fn best(&mut self, block: u32) -> Choice {
        if self.actions.len() == 1 {
            return self.only(block);
        }
        if let Some(gumbel) = self.options.root.below() {
            return self.best_by_improved_policy(block, &gumbel);
        }
        match self.options.selection {
            Selection::Uct { exploration, bias } => {
                self.best_by::<{ UNCERTAINTY | PRIOR }>(block, exploration, |_| bias)
            }
            Selection::Puct { exploration, base } => {
                self.best_by::<PRIOR>(block, 0.0, |available| {
                    (exploration + ln((available + base + 1.0) / base)) * available.sqrt()
                })
            }
        }
    }

    /// The listed action that is furthest behind its share of the visits.
    fn best_by_improved_policy(&mut self, block: u32, gumbel: &GumbelOptions) -> Choice {
        for &rank in &self.ranks {
            self.nodes.count_available(block, usize::from(rank));
        }
        let listed = self.nodes.listed(block, &self.actions);
        let at = furthest_behind(gumbel, &listed, self.actions.len());
        Choice { block, at, rank: usize::from(self.ranks[at]) }
    }

    /// The listed action with the highest score by plain UCT, of several that
    /// have all been tried.
    #[inline(always)]
    pub(super) fn best_by_uct<M: Machine>(&mut self, block: u32, exploration: f32) -> Choice {
        let mut best = (f32::NEG_INFINITY, Choice { block, at: 0, rank: 0 });
        for (chunk, actions) in self.actions.chunks(LANES).enumerate() {
            let ranks = self.nodes.ranks(block, actions);
            let scores = M::entry_scores(self.nodes.entries(block), &ranks, exploration);
            // With jumps, for once: most choices are those of the last visit, so
            // the walk goes on by a good guess while scores are still computed.
            for lane in 0..actions.len().min(LANES) {
                if scores[lane] > best.0 {
                    let at = chunk * LANES + lane;
                    best = (scores[lane], Choice { block, at, rank: ranks[lane] });
                }
            }
        }
        best.1
    }

    /// Scores are built from the parts that a rule needs: `uncertainty` weighs
    /// what is not known, and `weight` the prior, by the worlds in which the
    /// action was legal.
    #[inline(always)]
    fn best_by<const PARTS: u8>(
        &mut self,
        block: u32,
        uncertainty: f32,
        weight: impl Fn(f32) -> f32,
    ) -> Choice {
        let mut untried = None;
        // The weight for so many worlds: mostly the same ones allow all actions.
        let mut weighed = (0, 0.0);
        let even = 1.0 / self.actions.len() as f32;
        let mut best = (f32::NEG_INFINITY, 0, 0);
        let mut first = 0;
        while first < self.actions.len() {
            let many = LANES.min(self.actions.len() - first);
            let mut ranks = [0usize; LANES];
            let (mut visits, mut available) = ([0.0f32; LANES], [1.0f32; LANES]);
            let (mut values, mut bonuses) = ([0.0f32; LANES], [0.0f32; LANES]);
            for lane in 0..many {
                let rank = usize::from(self.ranks[first + lane]);
                let entry = self.nodes.entry(block, rank);
                self.nodes.count_available(block, rank);
                ranks[lane] = rank;
                available[lane] = entry.available as f32;
                visits[lane] = entry.visits as f32;
                values[lane] = if entry.visits > 0 {
                    entry.value
                } else {
                    *untried.get_or_insert_with(|| self.untried_value(block))
                };
                if PARTS & PRIOR != 0 {
                    if entry.available != weighed.0 {
                        weighed = (entry.available, weight(entry.available as f32));
                    }
                    bonuses[lane] = weighed.1 * self.nodes.prior(block, rank).unwrap_or(even);
                }
            }
            let mut scores = [0.0f32; LANES];
            for lane in 0..LANES {
                let inverse = 1.0 / visits[lane].max(1.0);
                scores[lane] = values[lane] * inverse;
                if PARTS & UNCERTAINTY != 0 {
                    scores[lane] += uncertainty * (ln(available[lane]) * inverse).sqrt();
                }
                if PARTS & PRIOR != 0 {
                    scores[lane] += bonuses[lane] / (visits[lane] + 1.0);
                }
            }
            for lane in 0..many {
                if scores[lane] > best.0 {
                    best = (scores[lane], first + lane, ranks[lane]);
                }
            }
            first += LANES;
        }
        Choice { block, at: best.1, rank: best.2 }
    }

    /// What an untried action counts for, where that is finite.
    #[inline(always)]
    fn untried_value(&self, block: u32) -> f32 {
        match self.options.first_play {
            FirstPlay::Infinite => 0.0,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => self.nodes.mean(block) - less,
        }
    }
}
