//! Selection among the legal actions of an information set.

use meeple_game::Game;

use super::FirstPlay;
use super::batched::BatchedIsMcts;
use super::simulation::Choice;
use crate::gumbel::select_interior;
use crate::options::{GumbelOptions, Selection};
use crate::select::{EXPLORATION, LANES, PRIOR, ln};
use crate::simd::Kernels;

impl<G: Game> BatchedIsMcts<G> {
    /// The only legal action.
    #[inline(always)]
    pub(super) fn only_choice(&mut self, node: u32) -> Choice {
        let (rank, _) = self.nodes.rank(node, self.legal.actions[0]);
        self.nodes.add_availability(node, rank);
        Choice { node, at: 0, rank }
    }

    /// The legal action with the highest score, by the ranks last looked up. Counts all of
    /// them as available.
    pub(super) fn best(&mut self, node: u32) -> Choice {
        if self.legal.actions.len() == 1 {
            return self.only_choice(node);
        }
        if let Some(gumbel) = self.options.root.below() {
            return self.best_by_improved_policy(node, &gumbel);
        }
        match self.options.selection {
            Selection::Uct { exploration, bias } => {
                self.best_by_terms::<{ EXPLORATION | PRIOR }>(node, exploration, |_| bias)
            }
            Selection::Puct { exploration, base } => {
                self.best_by_terms::<PRIOR>(node, 0.0, |available| {
                    (exploration + ln((available + base + 1.0) / base)) * available.sqrt()
                })
            }
        }
    }

    /// The legal action with the largest deficit of visits relative to the improved policy.
    fn best_by_improved_policy(&mut self, node: u32, gumbel: &GumbelOptions) -> Choice {
        for &rank in &self.legal.ranks {
            self.nodes.add_availability(node, usize::from(rank));
        }
        let legal = self.nodes.legal_stats(node, &self.legal.actions);
        let at = select_interior(gumbel, &legal, self.legal.actions.len());
        Choice { node, at, rank: usize::from(self.legal.ranks[at]) }
    }

    /// The legal action with the highest UCT score; there are several, all visited.
    #[inline(always)]
    pub(super) fn best_by_uct<K: Kernels>(&mut self, node: u32, exploration: f32) -> Choice {
        let mut best = (f32::NEG_INFINITY, Choice { node, at: 0, rank: 0 });
        for (chunk, actions) in self.legal.actions.chunks(LANES).enumerate() {
            let ranks = self.nodes.ranks(node, actions);
            let scores = K::ismcts_scores(self.nodes.edges(node), &ranks, exploration);
            // Unlike elsewhere, branches are faster here: the best action is mostly that of
            // the last visit, so the processor predicts it and continues while scores are
            // still computed.
            for lane in 0..actions.len().min(LANES) {
                if scores[lane] > best.0 {
                    let at = chunk * LANES + lane;
                    best = (scores[lane], Choice { node, at, rank: ranks[lane] });
                }
            }
        }
        best.1
    }

    /// The legal action with the highest sum of score terms: `uncertainty` is the
    /// exploration constant, and `weight` maps the availability count to the weight of the
    /// prior.
    #[inline(always)]
    fn best_by_terms<const TERMS: u8>(
        &mut self,
        node: u32,
        uncertainty: f32,
        weight: impl Fn(f32) -> f32,
    ) -> Choice {
        let mut unvisited = None;
        // The weight for one availability count: most actions share it.
        let mut cached_weight = (0, 0.0);
        let even = 1.0 / self.legal.actions.len() as f32;
        let mut best = (f32::NEG_INFINITY, 0, 0);
        let mut first = 0;
        while first < self.legal.actions.len() {
            let many = LANES.min(self.legal.actions.len() - first);
            let mut ranks = [0usize; LANES];
            let (mut visits, mut available) = ([0.0f32; LANES], [1.0f32; LANES]);
            let (mut values, mut bonuses) = ([0.0f32; LANES], [0.0f32; LANES]);
            for lane in 0..many {
                let rank = usize::from(self.legal.ranks[first + lane]);
                let edge = self.nodes.edge(node, rank);
                self.nodes.add_availability(node, rank);
                ranks[lane] = rank;
                available[lane] = edge.available as f32;
                visits[lane] = edge.visits as f32;
                values[lane] = if edge.visits > 0 {
                    edge.value
                } else {
                    *unvisited.get_or_insert_with(|| self.first_play_value(node))
                };
                if TERMS & PRIOR != 0 {
                    if edge.available != cached_weight.0 {
                        cached_weight = (edge.available, weight(edge.available as f32));
                    }
                    bonuses[lane] = cached_weight.1 * self.nodes.prior(node, rank).unwrap_or(even);
                }
            }
            let mut scores = [0.0f32; LANES];
            for lane in 0..LANES {
                let inverse = 1.0 / visits[lane].max(1.0);
                scores[lane] = values[lane] * inverse;
                if TERMS & EXPLORATION != 0 {
                    scores[lane] += uncertainty * (ln(available[lane]) * inverse).sqrt();
                }
                if TERMS & PRIOR != 0 {
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
        Choice { node, at: best.1, rank: best.2 }
    }

    /// The value of an unvisited action, if first-play urgency is finite.
    #[inline(always)]
    fn first_play_value(&self, node: u32) -> f32 {
        match self.options.first_play {
            FirstPlay::Infinite => 0.0,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => self.nodes.mean(node) - less,
        }
    }
}
