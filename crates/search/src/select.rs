//! Which action to look at next: scores of all edges at once.

use crate::machine::Machine;
use crate::options::{FirstPlay, MctsOptions, Selection};

/// Edges are scored this many at a time, so arrays are padded to it.
pub(crate) const LANES: usize = 8;

/// Counts for more than any value.
const INFINITE: f32 = 1e30;

/// A selection rule with the constants that one state gives it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Of `sqrt(1 / visits)`.
    pub(crate) uncertainty: f32,
    /// Of `prior / (1 + visits)`, priors in steps of 1 / 65535.
    pub(crate) prior: f32,
    /// The score of an untried action, but for its prior.
    pub(crate) untried: f32,
}

/// The natural logarithm of a count; the same bits on every machine, which the
/// system's own does not promise.
#[inline(always)]
pub(crate) fn ln(count: f32) -> f32 {
    let bits = count.to_bits();
    // The mantissa as a number from 0.75 to 1.5, and the rest as a power of 2.
    let shifted = bits.wrapping_sub(0x3f40_0000);
    let power = (shifted as i32 >> 23) as f32;
    let mantissa = f32::from_bits((shifted & 0x007f_ffff) + 0x3f40_0000);
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = 2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0)));
    power * std::f32::consts::LN_2 + ratio * series
}

/// Scores are built from the parts that a rule needs.
pub(crate) const UNCERTAINTY: u8 = 1;
pub(crate) const PRIOR: u8 = 2;

/// The edge with the highest score among the first `limit`; the first of equal
/// ones.
///
/// The arrays are as long as each other and a multiple of [`LANES`]: visits,
/// sums of values as bits, and priors in the upper half of a word.
#[inline(always)]
pub(crate) fn best_edge<const PARTS: u8>(
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
            let score = score::<PARTS>(visits[lane], values[lane], edges[lane], weights);
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
fn score<const PARTS: u8>(visits: u32, value: u32, edge: u32, weights: &Weights) -> f32 {
    // Counts stay below 2^31, and signed conversion is one instruction.
    let count = visits as i32 as f32;
    let inverse = 1.0 / count;
    let mut tried = f32::from_bits(value) * inverse;
    if PARTS & UNCERTAINTY != 0 {
        tried += weights.uncertainty * inverse.sqrt();
    }
    let mut score = if visits > 0 { tried } else { weights.untried };
    if PARTS & PRIOR != 0 {
        score += weights.prior * ((edge >> 16) as i32 as f32) / (1.0 + count);
    }
    score
}

/// The scores by UCT of eight entries of an information set, each of which is
/// counted as available once more.
///
/// An entry is visits, worlds in which it was available, and the sum of values
/// as bits. Lanes that are not needed hold the place of another again, which
/// changes nothing.
#[inline(always)]
pub(crate) fn entry_scores(
    entries: &mut [[u32; 4]],
    ranks: &[usize; LANES],
    exploration: f32,
) -> [f32; LANES] {
    let cells = ranks.map(|rank| entries[rank]);
    for (&rank, [visits, available, value, child]) in ranks.iter().zip(cells) {
        entries[rank] = [visits, available + 1, value, child];
    }
    cells.map(|[visits, available, value, _]| {
        // Counts stay below 2^31, and signed conversion is one instruction.
        let inverse = 1.0 / visits.max(1) as i32 as f32;
        let doubt = (ln(available as i32 as f32) * inverse).sqrt();
        f32::from_bits(value) * inverse + exploration * doubt
    })
}

/// Weights of exploration are looked up for states visited less often than
/// this: it takes long until there is another.
const TABLE: usize = 1 << 20;
/// The table of weights takes one part in so many of the memory at most.
const TABLE_PART: usize = 64;

/// A selection rule, with what does not change during a search.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    selection: Selection,
    first_play: FirstPlay,
    /// The weight of exploration by the visits of a state.
    factors: Vec<f32>,
    /// The most weights there may be.
    limit: u32,
}

impl Rule {
    pub(crate) fn new(options: &MctsOptions) -> Self {
        let selection = options.selection;
        let limit = TABLE.min(options.memory / TABLE_PART / size_of::<f32>()) as u32;
        Self { selection, first_play: options.first_play, factors: Vec::new(), limit }
    }

    /// The bytes of the table of weights.
    pub(crate) fn bytes(&self) -> usize {
        self.factors.len() * size_of::<f32>()
    }

    /// The most bytes that the table may take.
    pub(crate) fn most_bytes(&self) -> usize {
        self.limit as usize * size_of::<f32>()
    }

    /// Makes ready for states visited up to `total` times.
    pub(crate) fn know(&mut self, total: u64) {
        let total = total.min(u64::from(self.limit)) as u32;
        let known = self.factors.len() as u32;
        if total < known || known == self.limit {
            return;
        }
        let unknown = known..(total + 1).max(2 * known).min(self.limit);
        self.factors.reserve_exact(unknown.len());
        // A loop for each rule, so that several weights are found at a time.
        match self.selection {
            Selection::Uct { exploration, .. } => {
                self.factors.extend(unknown.map(|total| uct_factor(exploration, total)));
            }
            Selection::Puct { exploration, base } => {
                self.factors.extend(unknown.map(|total| puct_factor(exploration, base, total)));
            }
        }
    }

    /// The edge to follow from a state visited `total` times; `mean` tells what
    /// it has been worth and is asked only when that matters.
    #[inline(always)]
    pub(crate) fn pick<M: Machine>(
        &self,
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        total: u32,
        mean: impl FnOnce() -> f32,
    ) -> usize {
        let known = self.factors.get(total as usize).copied();
        let factor = known.unwrap_or_else(|| factor(self.selection, total));
        let untried = match self.first_play {
            FirstPlay::Infinite => INFINITE,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => mean() - less,
        };
        match self.selection {
            Selection::Uct { bias, .. } => {
                // An untried action is as uncertain as one tried once.
                let untried = untried + factor;
                let weights = Weights { uncertainty: factor, prior: bias / 65_535.0, untried };
                if bias == 0.0 {
                    M::best_edge::<UNCERTAINTY>(visits, values, edges, limit, &weights)
                } else {
                    M::best_edge::<{ UNCERTAINTY | PRIOR }>(visits, values, edges, limit, &weights)
                }
            }
            Selection::Puct { .. } => {
                let weights = Weights { uncertainty: 0.0, prior: factor, untried };
                M::best_edge::<PRIOR>(visits, values, edges, limit, &weights)
            }
        }
    }
}

/// The weight of exploration in a state visited `total` times.
#[inline]
pub(crate) fn factor(selection: Selection, total: u32) -> f32 {
    match selection {
        Selection::Uct { exploration, .. } => uct_factor(exploration, total),
        Selection::Puct { exploration, base } => puct_factor(exploration, base, total),
    }
}

#[inline(always)]
fn uct_factor(exploration: f32, total: u32) -> f32 {
    exploration * ln(total.max(1) as i32 as f32).sqrt()
}

#[inline(always)]
fn puct_factor(exploration: f32, base: f32, total: u32) -> f32 {
    let total = total.max(1) as i32 as f32;
    let growing = exploration + ln((total + base + 1.0) / base);
    growing * total.sqrt() / 65_535.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Plain, Work, fast};
    use meeple_game::Rng;

    #[test]
    fn logarithms_are_right() {
        for count in (1..100_000).map(|count| count as f32) {
            assert!((ln(count) - count.ln()).abs() < 2e-5 * (1.0 + count.ln()), "{count}");
        }
    }

    /// The rule in one line for each edge, one after the other.
    fn plain<const PARTS: u8>(case: &Case, weights: &Weights) -> usize {
        let mut best = (f32::NEG_INFINITY, 0);
        for at in 0..case.limit {
            let (visits, value) = (case.visits[at] as f32, f32::from_bits(case.values[at]));
            let mut score = if visits == 0.0 { weights.untried } else { value * (1.0 / visits) };
            if PARTS & UNCERTAINTY != 0 && visits > 0.0 {
                score += weights.uncertainty * (1.0 / visits).sqrt();
            }
            if PARTS & PRIOR != 0 {
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

    struct Pick<'a, const PARTS: u8>(&'a Case, Weights);

    impl<const PARTS: u8> Work for Pick<'_, PARTS> {
        type Out = usize;

        #[inline(always)]
        fn run<M: Machine>(self) -> usize {
            let Self(case, weights) = self;
            M::best_edge::<PARTS>(&case.visits, &case.values, &case.edges, case.limit, &weights)
        }
    }

    fn agree<const PARTS: u8>(case: &Case, weights: &Weights) {
        let expected = plain::<PARTS>(case, weights);
        assert_eq!(Pick::<PARTS>(case, *weights).run::<Plain>(), expected);
        assert_eq!(fast(Pick::<PARTS>(case, *weights)), expected);
    }

    #[test]
    fn all_ways_to_score_agree() {
        let mut rng = Rng::new(1);
        for _ in 0..5000 {
            let limit = 1 + rng.below(40);
            let padded = limit.next_multiple_of(LANES);
            let visits: Vec<u32> = (0..padded).map(|_| rng.below(5) as u32).collect();
            let values =
                visits.iter().map(|&n| ((rng.unit() - 0.5) as f32 * n as f32).to_bits()).collect();
            let edges = (0..padded).map(|_| (rng.below(1 << 16) << 16) as u32).collect();
            let case = Case { visits, values, edges, limit };
            let untried = if rng.below(2) == 0 { INFINITE } else { 0.1 };
            let weights = Weights { uncertainty: 1.3, prior: 2e-5, untried };
            agree::<UNCERTAINTY>(&case, &weights);
            agree::<PRIOR>(&case, &weights);
            agree::<{ UNCERTAINTY | PRIOR }>(&case, &weights);
        }
    }

    struct Score<'a>(&'a mut [[u32; 4]], [usize; LANES]);

    impl Work for Score<'_> {
        type Out = [f32; LANES];

        #[inline(always)]
        fn run<M: Machine>(self) -> [f32; LANES] {
            M::entry_scores(self.0, &self.1, 0.7)
        }
    }

    /// The rule in one line, and one more world for entries that are listed.
    #[test]
    fn all_ways_to_score_entries_agree() {
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
            // Some places stand there twice, as where fewer than eight are needed.
            let ranks: [usize; LANES] = std::array::from_fn(|_| rng.below(entries.len()));
            let (mut one, mut other) = (entries.clone(), entries.clone());
            let scores = Score(&mut one, ranks).run::<Plain>();
            assert_eq!(fast(Score(&mut other, ranks)), scores);
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
