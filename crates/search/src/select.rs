//! The selection formulas: UCT and PUCT scores of all edges of a node.
//!
//! These scalar versions define the result; `simd.rs` computes the same bits with AVX2.

use crate::options::{FirstPlay, MctsOptions, Selection};
use crate::simd::Kernels;

/// Edges scored at a time; the edge arrays are padded to a multiple of it.
pub(crate) const LANES: usize = 8;

/// The infinite first-play urgency: above every score, yet finite.
const INFINITE: f32 = 1e30;

/// The coefficients of the score terms at one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// The coefficient of `sqrt(1 / visits)`.
    pub(crate) exploration: f32,
    /// The coefficient of `prior / (1 + visits)`, with priors in units of 1 / 65535.
    pub(crate) prior: f32,
    /// The score of an unvisited edge without its prior term.
    pub(crate) unvisited: f32,
}

/// The natural logarithm of a count. Unlike the system's, it gives the same bits on every
/// platform.
#[inline(always)]
pub(crate) fn ln(count: f32) -> f32 {
    let bits = count.to_bits();
    // The mantissa in 0.75..1.5, and the exponent to base 2.
    let shifted = bits.wrapping_sub(0x3f40_0000);
    let power = (shifted as i32 >> 23) as f32;
    let mantissa = f32::from_bits((shifted & 0x007f_ffff) + 0x3f40_0000);
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = 2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0)));
    power * std::f32::consts::LN_2 + ratio * series
}

/// Flags of the score terms that a selection rule uses, as const generic parameters.
pub(crate) const EXPLORATION: u8 = 1;
pub(crate) const PRIOR: u8 = 2;

/// The edge with the highest score among the first `limit`; the first one of equals.
///
/// The arrays have equal lengths, multiples of [`LANES`]: visits, value sums as bits, and
/// priors in the upper halves of words. The loop is branch-free so that it vectorizes.
#[inline(always)]
pub(crate) fn best_edge<const TERMS: u8>(
    visits: &[u32],
    values: &[u32],
    edges: &[u32],
    limit: usize,
    weights: &Weights,
) -> usize {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut best_at = [0u32; LANES];
    let mut first = 0;
    let chunks = visits
        .as_chunks::<LANES>()
        .0
        .iter()
        .zip(values.as_chunks::<LANES>().0)
        .zip(edges.as_chunks::<LANES>().0);
    for ((visits, values), edges) in chunks {
        for lane in 0..LANES {
            let score = score::<TERMS>(visits[lane], values[lane], edges[lane], weights);
            let at = first + lane as u32;
            let better = score > best[lane] && at < limit as u32;
            best[lane] = if better { score } else { best[lane] };
            best_at[lane] = if better { at } else { best_at[lane] };
        }
        first += LANES as u32;
    }
    let mut top = best[0];
    for &score in &best[1..] {
        top = if score > top { score } else { top };
    }
    let mut winner = u32::MAX;
    for lane in 0..LANES {
        let at = if best[lane] == top { best_at[lane] } else { u32::MAX };
        winner = if at < winner { at } else { winner };
    }
    winner as usize
}

#[inline(always)]
fn score<const TERMS: u8>(visits: u32, value: u32, edge: u32, weights: &Weights) -> f32 {
    // Counts stay below 2^31, and the signed conversion is a single instruction.
    let count = visits as i32 as f32;
    let inverse = 1.0 / count;
    let mut visited = f32::from_bits(value) * inverse;
    if TERMS & EXPLORATION != 0 {
        visited += weights.exploration * inverse.sqrt();
    }
    let mut score = if visits > 0 { visited } else { weights.unvisited };
    if TERMS & PRIOR != 0 {
        score += weights.prior * ((edge >> 16) as i32 as f32) / (1.0 + count);
    }
    score
}

/// The ISMCTS scores of eight edges of an information set: UCT with the availability count
/// in place of the parent visits. Also increments the availability of each edge.
///
/// An edge is visits, availability, value sum as bits, and child. Unused lanes repeat the
/// rank of another lane, which has no effect.
#[inline(always)]
pub(crate) fn ismcts_scores(
    entries: &mut [[u32; 4]],
    ranks: &[usize; LANES],
    exploration: f32,
) -> [f32; LANES] {
    let edges_read = ranks.map(|rank| entries[rank]);
    for (&rank, [visits, available, value, child]) in ranks.iter().zip(edges_read) {
        entries[rank] = [visits, available + 1, value, child];
    }
    edges_read.map(|[visits, available, value, _]| {
        // Counts stay below 2^31, and the signed conversion is a single instruction.
        let inverse = 1.0 / visits.max(1) as i32 as f32;
        let bonus = (ln(available as i32 as f32) * inverse).sqrt();
        f32::from_bits(value) * inverse + exploration * bonus
    })
}

/// Exploration weights are precomputed for nodes with fewer visits than this.
const MAX_PRECOMPUTED: usize = 1 << 20;
/// The table of exploration weights takes at most 1 / `MEMORY_SHARE` of the memory.
const MEMORY_SHARE: usize = 64;

/// A selection rule with what is constant during a search.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    selection: Selection,
    first_play: FirstPlay,
    /// Exploration weights by the visits of a node; a table saves a logarithm and a square
    /// root per selection.
    exploration_weights: Vec<f32>,
    /// The maximum number of precomputed weights.
    limit: u32,
}

impl Selector {
    pub(crate) fn new(options: &MctsOptions) -> Self {
        let selection = options.selection;
        let limit = MAX_PRECOMPUTED.min(options.memory / MEMORY_SHARE / size_of::<f32>()) as u32;
        Self { selection, first_play: options.first_play, exploration_weights: Vec::new(), limit }
    }

    /// The size of the table in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.exploration_weights.len() * size_of::<f32>()
    }

    /// The maximum size of the table in bytes.
    pub(crate) fn max_bytes(&self) -> usize {
        self.limit as usize * size_of::<f32>()
    }

    /// Precomputes exploration weights for nodes with up to `total` visits.
    pub(crate) fn precompute(&mut self, total: u64) {
        let total = total.min(u64::from(self.limit)) as u32;
        let known = self.exploration_weights.len() as u32;
        if total < known || known == self.limit {
            return;
        }
        let unknown = known..(total + 1).max(2 * known).min(self.limit);
        self.exploration_weights.reserve_exact(unknown.len());
        // One loop per rule, so that each vectorizes.
        match self.selection {
            Selection::Uct { exploration, .. } => {
                self.exploration_weights
                    .extend(unknown.map(|total| uct_weight(exploration, total)));
            }
            Selection::Puct { exploration, base } => {
                self.exploration_weights
                    .extend(unknown.map(|total| puct_weight(exploration, base, total)));
            }
        }
    }

    /// The exploration weight at a node with `total` visits.
    #[inline(always)]
    pub(crate) fn exploration_weight(&self, total: u32) -> f32 {
        let known = self.exploration_weights.get(total as usize).copied();
        known.unwrap_or_else(|| exploration_weight(self.selection, total))
    }

    /// Selects an edge of a node with `total` visits. `mean`, the value of the node, is
    /// only computed if first-play urgency needs it.
    #[inline(always)]
    pub(crate) fn select<K: Kernels>(
        &self,
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        total: u32,
        mean: impl FnOnce() -> f32,
    ) -> usize {
        let exploration_weight = self.exploration_weight(total);
        let unvisited = match self.first_play {
            FirstPlay::Infinite => INFINITE,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => mean() - less,
        };
        match self.selection {
            Selection::Uct { bias, .. } => {
                // The exploration term of an unvisited edge is that of one visit.
                let unvisited = unvisited + exploration_weight;
                let weights =
                    Weights { exploration: exploration_weight, prior: bias / 65_535.0, unvisited };
                if bias == 0.0 {
                    K::best_edge::<EXPLORATION>(visits, values, edges, limit, &weights)
                } else {
                    K::best_edge::<{ EXPLORATION | PRIOR }>(visits, values, edges, limit, &weights)
                }
            }
            Selection::Puct { .. } => {
                let weights = Weights { exploration: 0.0, prior: exploration_weight, unvisited };
                K::best_edge::<PRIOR>(visits, values, edges, limit, &weights)
            }
        }
    }
}

/// The exploration weight at a node with `total` visits.
#[inline]
fn exploration_weight(selection: Selection, total: u32) -> f32 {
    match selection {
        Selection::Uct { exploration, .. } => uct_weight(exploration, total),
        Selection::Puct { exploration, base } => puct_weight(exploration, base, total),
    }
}

#[inline(always)]
fn uct_weight(exploration: f32, total: u32) -> f32 {
    exploration * ln(total.max(1) as i32 as f32).sqrt()
}

#[inline(always)]
fn puct_weight(exploration: f32, base: f32, total: u32) -> f32 {
    let total = total.max(1) as i32 as f32;
    let growing = exploration + ln((total + base + 1.0) / base);
    growing * total.sqrt() / 65_535.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernels, Scalar, SimdTask, dispatch};
    use meeple_game::Rng;

    #[test]
    fn logarithms_are_accurate() {
        for count in (1..100_000).map(|count| count as f32) {
            assert!((ln(count) - count.ln()).abs() < 2e-5 * (1.0 + count.ln()), "{count}");
        }
    }

    /// The formula, edge by edge.
    fn reference<const TERMS: u8>(case: &Case, weights: &Weights) -> usize {
        let mut best = (f32::NEG_INFINITY, 0);
        for at in 0..case.limit {
            let (visits, value) = (case.visits[at] as f32, f32::from_bits(case.values[at]));
            let mut score = if visits == 0.0 { weights.unvisited } else { value * (1.0 / visits) };
            if TERMS & EXPLORATION != 0 && visits > 0.0 {
                score += weights.exploration * (1.0 / visits).sqrt();
            }
            if TERMS & PRIOR != 0 {
                score += weights.prior * (case.edges[at] >> 16) as f32 / (1.0 + visits);
            }
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    struct Case {
        visits: Vec<u32>,
        values: Vec<u32>,
        edges: Vec<u32>,
        limit: usize,
    }

    struct Pick<'a, const TERMS: u8>(&'a Case, Weights);

    impl<const TERMS: u8> SimdTask for Pick<'_, TERMS> {
        type Out = usize;

        #[inline(always)]
        fn run<K: Kernels>(self) -> usize {
            let Self(case, weights) = self;
            K::best_edge::<TERMS>(&case.visits, &case.values, &case.edges, case.limit, &weights)
        }
    }

    fn agree<const TERMS: u8>(case: &Case, weights: &Weights) {
        let expected = reference::<TERMS>(case, weights);
        assert_eq!(Pick::<TERMS>(case, *weights).run::<Scalar>(), expected);
        assert_eq!(dispatch(Pick::<TERMS>(case, *weights)), expected);
    }

    #[test]
    fn all_kernels_select_the_same_edge() {
        let mut rng = Rng::new(1);
        for _ in 0..5000 {
            let limit = 1 + rng.below(40);
            let padded = limit.next_multiple_of(LANES);
            let visits: Vec<u32> = (0..padded).map(|_| rng.below(5) as u32).collect();
            let values =
                visits.iter().map(|&n| ((rng.unit() - 0.5) as f32 * n as f32).to_bits()).collect();
            let edges = (0..padded).map(|_| (rng.below(1 << 16) << 16) as u32).collect();
            let case = Case { visits, values, edges, limit };
            let unvisited = if rng.below(2) == 0 { INFINITE } else { 0.1 };
            let weights = Weights { exploration: 1.3, prior: 2e-5, unvisited };
            agree::<EXPLORATION>(&case, &weights);
            agree::<PRIOR>(&case, &weights);
            agree::<{ EXPLORATION | PRIOR }>(&case, &weights);
        }
    }

    struct Score<'a>(&'a mut [[u32; 4]], [usize; LANES]);

    impl SimdTask for Score<'_> {
        type Out = [f32; LANES];

        #[inline(always)]
        fn run<K: Kernels>(self) -> [f32; LANES] {
            K::ismcts_scores(self.0, &self.1, 0.7)
        }
    }

    /// Scores by the formula; the availability of the scored edges increases by one.
    #[test]
    fn all_kernels_compute_the_same_ismcts_scores() {
        let mut rng = Rng::new(2);
        for _ in 0..5000 {
            let entries: Vec<[u32; 4]> = (0..1 + rng.below(20))
                .map(|child| {
                    let size = rng.below(20);
                    let visits = rng.below(1 << size) as u32;
                    let value = (rng.unit() - 0.5) as f32 * visits as f32;
                    let available = 1 + visits + rng.below(1000) as u32;
                    [visits, available, value.to_bits(), child as u32]
                })
                .collect();
            // Some ranks repeat, as with fewer than eight edges.
            let ranks: [usize; LANES] = std::array::from_fn(|_| rng.below(entries.len()));
            let (mut one, mut other) = (entries.clone(), entries.clone());
            let scores = Score(&mut one, ranks).run::<Scalar>();
            assert_eq!(dispatch(Score(&mut other, ranks)), scores);
            assert_eq!(one, other);
            for (lane, &rank) in ranks.iter().enumerate() {
                let [visits, available, value, child] = entries[rank];
                assert_eq!(one[rank], [visits, available + 1, value, child]);
                let (visits, value) = (visits.max(1) as f32, f32::from_bits(value));
                let inverse = 1.0 / visits;
                let expected = value * inverse + 0.7 * (ln(available as f32) * inverse).sqrt();
                assert_eq!(scores[lane], expected);
            }
            let is_same = |at: &usize| ranks.contains(at) || one[*at] == entries[*at];
            assert!((0..entries.len()).all(|at| is_same(&at)));
        }
    }
}
