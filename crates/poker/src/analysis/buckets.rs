//! Hand bucketing: k-means clustering of equity histograms under the earth
//! mover's distance.
//!
//! The abstraction of Johanson, Burch, Valenzano, Bowling 2013, "Evaluating
//! State-Space Abstractions in Extensive-Form Games".

use meeple_rng::Rng;

use super::{AnalysisError, Distribution};

/// The earth mover's distance of two distributions: the least work, share times
/// distance, that turns one into the other, with the whole width as 1.
///
/// ```
/// use meeple_poker::{Distribution, earth_movers_distance};
///
/// let low = Distribution::new(vec![1.0, 0.0, 0.0, 0.0]);
/// let high = Distribution::new(vec![0.0, 0.0, 0.0, 1.0]);
/// assert_eq!(earth_movers_distance(&low, &high), 0.75);
/// ```
///
/// # Panics
///
/// Panics when the distributions differ in their number of bins.
#[must_use]
pub fn earth_movers_distance(one: &Distribution, other: &Distribution) -> f64 {
    assert_eq!(one.bins().len(), other.bins().len(), "both need the same bins");
    // In one dimension the distance is the L1 norm of the difference of the
    // cumulative distributions.
    let mut carried = 0.0;
    let mut work = 0.0;
    for (a, b) in one.bins().iter().zip(other.bins()) {
        carried += a - b;
        work += f64::abs(carried);
    }
    work / one.bins().len() as f64
}

/// The options of bucketing.
#[derive(Clone, Debug)]
pub struct BucketOptions {
    /// The number of buckets; the result has fewer if there are fewer distinct
    /// distributions.
    pub buckets: usize,
    /// The maximum number of k-means iterations.
    pub rounds: usize,
    /// The random seed of the initial centres.
    pub seed: u64,
}

impl Default for BucketOptions {
    fn default() -> Self {
        Self { buckets: 8, rounds: 100, seed: 0 }
    }
}

/// Clusters of distributions, the weakest bucket first.
#[derive(Clone, Debug, PartialEq)]
pub struct Buckets {
    /// The mean distribution of each bucket.
    pub centres: Vec<Distribution>,
    /// The bucket of each input distribution.
    pub assigned: Vec<usize>,
    /// The average distance from a distribution to its centre.
    pub spread: f64,
}

impl Buckets {
    /// The bucket of a distribution: the one with the nearest centre.
    #[must_use]
    pub fn find(&self, distribution: &Distribution) -> usize {
        nearest(&self.centres, distribution).0
    }
}

/// Clusters distributions by k-means.
///
/// ```
/// use meeple_poker::{BucketOptions, Range, bucket_hands, equity_distributions};
///
/// let hands = equity_distributions("2c7h9dTs".parse()?, &Range::random(), 20)?;
/// let distributions: Vec<_> = hands.iter().map(|(_, distribution)| distribution.clone()).collect();
/// let options = BucketOptions { buckets: 5, ..BucketOptions::default() };
/// let buckets = bucket_hands(&distributions, &options)?;
/// assert_eq!(buckets.centres.len(), 5);
/// assert!(buckets.centres.is_sorted_by(|a, b| a.mean() <= b.mean()));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When there is no distribution, or the number of buckets is 0.
///
/// # Panics
///
/// Panics when the distributions differ in their number of bins.
pub fn bucket_hands(
    distributions: &[Distribution],
    options: &BucketOptions,
) -> Result<Buckets, AnalysisError> {
    if distributions.is_empty() {
        return Err(AnalysisError::Nothing { what: "distribution" });
    }
    if options.buckets == 0 {
        return Err(AnalysisError::Nothing { what: "bucket" });
    }
    let mut centres = initial_centres(distributions, options);
    let mut assigned = vec![usize::MAX; distributions.len()];
    for _ in 0..options.rounds.max(1) {
        let found: Vec<usize> =
            distributions.iter().map(|distribution| nearest(&centres, distribution).0).collect();
        if found == assigned {
            break;
        }
        assigned = found;
        move_centres(&mut centres, distributions, &assigned);
    }
    Ok(finish(centres, distributions))
}

/// Draws the initial centres by k-means++ (Arthur, Vassilvitskii 2007): each next
/// centre with probability proportional to its squared distance from the others.
fn initial_centres(distributions: &[Distribution], options: &BucketOptions) -> Vec<Distribution> {
    let mut rng = Rng::new(options.seed);
    let mut centres = vec![rng.pick(distributions).clone()];
    let mut squares = vec![f64::INFINITY; distributions.len()];
    while centres.len() < options.buckets {
        let newest = &centres[centres.len() - 1];
        for (square, distribution) in squares.iter_mut().zip(distributions) {
            *square = square.min(earth_movers_distance(newest, distribution).powi(2));
        }
        let mut left = rng.unit() * squares.iter().sum::<f64>();
        let chosen = squares.iter().position(|square| {
            left -= square;
            left < 0.0
        });
        // If rounding leaves none chosen, take the last with a distance above 0.
        let chosen = chosen.or_else(|| squares.iter().rposition(|&square| square > 0.0));
        let Some(chosen) = chosen else { break };
        centres.push(distributions[chosen].clone());
    }
    centres
}

/// Moves each centre to the mean of its distributions; a centre without any stays.
fn move_centres(centres: &mut [Distribution], distributions: &[Distribution], assigned: &[usize]) {
    let bins = distributions[0].bins().len();
    let mut sums = vec![vec![0.0; bins]; centres.len()];
    for (distribution, &bucket) in distributions.iter().zip(assigned) {
        for (sum, share) in sums[bucket].iter_mut().zip(distribution.bins()) {
            *sum += share;
        }
    }
    for (centre, sums) in centres.iter_mut().zip(sums) {
        if sums.iter().any(|&sum| sum > 0.0) {
            *centre = Distribution::new(sums);
        }
    }
}

/// Removes empty buckets, sorts the others by mean equity, and reassigns all
/// distributions.
fn finish(centres: Vec<Distribution>, distributions: &[Distribution]) -> Buckets {
    let mut used = vec![false; centres.len()];
    for distribution in distributions {
        used[nearest(&centres, distribution).0] = true;
    }
    let mut centres: Vec<Distribution> =
        centres.into_iter().zip(used).filter_map(|(centre, used)| used.then_some(centre)).collect();
    centres.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
    let found: Vec<(usize, f64)> =
        distributions.iter().map(|distribution| nearest(&centres, distribution)).collect();
    let spread = found.iter().map(|(_, distance)| distance).sum::<f64>() / found.len() as f64;
    Buckets { centres, assigned: found.into_iter().map(|(bucket, _)| bucket).collect(), spread }
}

/// The nearest centre and its distance; ties go to the first.
fn nearest(centres: &[Distribution], distribution: &Distribution) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (bucket, centre) in centres.iter().enumerate() {
        let distance = earth_movers_distance(centre, distribution);
        if distance < best.1 {
            best = (bucket, distance);
        }
    }
    best
}
