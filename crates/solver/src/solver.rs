//! The solver: iterations, exploitability, and when to stop.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::cell::Cell;
use crate::passes::{BestResponse, Evaluate, Learn, Pass};
use crate::plan::{Layout, MemoryPlan};
use crate::spot::{SolverOptions, Spot, Weights};
use crate::store::Store;
use crate::tree::Seat;
use crate::walk::{Place, Walk, Workspace};

/// The numbers of all boards, in one of two formats.
#[derive(Debug)]
pub(crate) enum Stores {
    Full(Vec<Mutex<Store<f32, f32>>>),
    Half(Vec<Mutex<Store<i16, u16>>>),
}

/// Solves a spot.
///
/// ```
/// use meeple_solver::{Size, Solver, SolverOptions, Spot, Stop, TreeOptions};
///
/// // Nuts and air against a bluff catcher: the bluffs make the call worth nothing.
/// let spot = Spot {
///     ranges: ["AA,QQ".parse()?, "KK".parse()?],
///     board: "3s3h3d2s2h".parse()?,
///     tree: TreeOptions::new(100, 100, &[Size::Pot(1.0)], &[]),
///     isomorphism: true,
/// };
/// let mut solver = Solver::new(spot, &SolverOptions::default())?;
/// solver.solve(&Stop { percent: 0.01, ..Stop::default() }, |_| {});
/// assert!((solver.ev()[0] - 75.0).abs() < 0.1);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    pub(crate) spot: Spot,
    pub(crate) options: SolverOptions,
    pub(crate) layout: Layout,
    pub(crate) weights: Weights,
    pub(crate) stores: Stores,
    space: Mutex<Workspace>,
    pub(crate) iterations: u32,
    pub(crate) seconds: f64,
    pub(crate) history: Vec<Progress>,
}

/// When to stop solving.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    /// The exploitability to reach, in percent of the pot at the start.
    pub percent: f64,
    /// The most iterations in all.
    pub iterations: u32,
    /// The most time from now on.
    pub time: Option<Duration>,
    /// Set by another thread to stop after the iteration in progress.
    pub flag: Option<&'a AtomicBool>,
}

impl Default for Stop<'_> {
    fn default() -> Self {
        Self { percent: 0.5, iterations: 10_000, time: None, flag: None }
    }
}

/// How far a solution has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Iterations done.
    pub iterations: u32,
    /// Seconds spent on them.
    pub seconds: f64,
    /// Exploitability in percent of the pot at the start.
    pub exploitability_percent: f64,
}

impl Solver {
    /// Allocates the game of a spot.
    ///
    /// # Errors
    ///
    /// When the spot makes no game, or one that does not fit in memory.
    pub fn new(spot: Spot, options: &SolverOptions) -> Result<Self, Error> {
        let layout = Layout::new(&spot)?;
        let threads = match options.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let plan = layout.memory(threads);
        if plan.bytes_if(options.compressed) > options.memory {
            return Err(Error::Memory { plan: Box::new(plan), limit: options.memory });
        }
        let weights = Weights::new(&spot, &layout);
        let stores = if options.compressed {
            Stores::Half(stores(&layout))
        } else {
            Stores::Full(stores(&layout))
        };
        let space = Mutex::new(Workspace::new(&layout.boards, &layout.streets, threads));
        Ok(Self {
            spot,
            options: SolverOptions { threads, ..*options },
            layout,
            weights,
            stores,
            space,
            iterations: 0,
            seconds: 0.0,
            history: Vec::new(),
        })
    }

    /// The spot that is solved.
    #[must_use]
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The size of the game and its memory.
    #[must_use]
    pub fn plan(&self) -> MemoryPlan {
        self.layout.memory(self.options.threads)
    }

    /// Iterations done so far.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The exploitability each time that it was computed.
    #[must_use]
    pub fn history(&self) -> &[Progress] {
        &self.history
    }

    /// One iteration: both players learn once, one after the other.
    pub fn iterate(&mut self) {
        let start = Instant::now();
        let (regrets, strategies) = self.options.schedule.discounts(self.iterations);
        for seat in Seat::ALL {
            self.walk_all(&Learn { regrets, strategies }, seat);
        }
        self.iterations += 1;
        self.seconds += start.elapsed().as_secs_f64();
    }

    /// Iterates until one of the reasons to stop holds, and tells `watch` of every
    /// exploitability computed on the way; returns the last.
    pub fn solve(&mut self, stop: &Stop<'_>, mut watch: impl FnMut(&Progress)) -> Progress {
        let start = Instant::now();
        let mut next = self.iterations;
        loop {
            let stopped = stop.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
                || stop.time.is_some_and(|time| start.elapsed() >= time)
                || self.iterations >= stop.iterations;
            if stopped || self.iterations >= next {
                let progress = self.measure();
                watch(&progress);
                if stopped || progress.exploitability_percent <= stop.percent {
                    return progress;
                }
                next = self.next_check(stop.percent);
            }
            self.iterate();
        }
    }

    /// Computes the exploitability and remembers it.
    fn measure(&mut self) -> Progress {
        let start = Instant::now();
        let percent = 100.0 * self.exploitability() / f64::from(self.spot.tree.pot);
        self.seconds += start.elapsed().as_secs_f64();
        let progress = Progress {
            iterations: self.iterations,
            seconds: self.seconds,
            exploitability_percent: percent,
        };
        self.history.retain(|earlier| earlier.iterations < self.iterations);
        self.history.push(progress);
        progress
    }

    /// When to compute the exploitability again: where the line through the last two
    /// points, in logarithms, reaches the target, but between a tenth and a half later.
    fn next_check(&self, target: f64) -> u32 {
        let now = f64::from(self.iterations);
        let [.., before, last] = &self.history[..] else { return self.iterations + 8 };
        let slope = (last.exploitability_percent / before.exploitability_percent).ln()
            / (now / f64::from(before.iterations.max(1))).ln();
        let left = (target / last.exploitability_percent).ln();
        let reached = if slope < 0.0 { now * (left / slope).exp() } else { f64::INFINITY };
        reached.clamp(now * 1.1, now * 1.5).ceil() as u32
    }

    /// What a best response to each average strategy gains on average, in chips; locked
    /// decisions stay as they are.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        self.gain(true)
    }

    /// As [`exploitability`](Self::exploitability), with players who may deviate at locked
    /// decisions too: how far a given strategy is from equilibrium.
    #[must_use]
    pub fn exploitability_without_locks(&self) -> f64 {
        self.gain(false)
    }

    fn gain(&self, keep_locks: bool) -> f64 {
        let best = self.best_response(keep_locks);
        // What is not raked is shared: the strategies' own values add up to nothing.
        let raked = self.spot.tree.rake > 0.0 && self.spot.tree.rake_cap > 0.0;
        let own = if raked { self.ev() } else { [f64::from(self.spot.tree.pot) / 2.0; 2] };
        (best[0] - own[0] + best[1] - own[1]) / 2.0
    }

    /// The chips that each player expects from the pot against the other's average
    /// strategy, playing the best response.
    #[must_use]
    pub fn best_response(&self, keep_locks: bool) -> [f64; 2] {
        Seat::ALL.map(|seat| self.mean(seat, &self.walk_all(&BestResponse { keep_locks }, seat)))
    }

    /// The chips that each player expects from the pot with the average strategies.
    #[must_use]
    pub fn ev(&self) -> [f64; 2] {
        Seat::ALL.map(|seat| self.mean(seat, &self.walk_all(&Evaluate, seat)))
    }

    fn mean(&self, seat: Seat, values: &[f32]) -> f64 {
        let weights = &self.weights.rows[seat as usize];
        let each = weights.iter().zip(values);
        let sum: f64 = each.map(|(&weight, &value)| f64::from(weight) * f64::from(value)).sum();
        sum / self.weights.pairs + f64::from(self.spot.tree.pot) / 2.0
    }

    /// The values of a player's hands at a node and after its actions, given the
    /// opponent's reach there.
    pub(crate) fn walk(&self, pass: &impl Pass, seat: Seat, at: Place, reach: &[f32]) -> Vec<f32> {
        match &self.stores {
            Stores::Full(stores) => self.walk_stores(stores, pass, seat, at, reach),
            Stores::Half(stores) => self.walk_stores(stores, pass, seat, at, reach),
        }
    }

    fn walk_stores<R: Cell, S: Cell>(
        &self,
        stores: &[Mutex<Store<R, S>>],
        pass: &impl Pass,
        seat: Seat,
        at: Place,
        reach: &[f32],
    ) -> Vec<f32> {
        let Layout { boards, streets, .. } = &self.layout;
        let walk = Walk { boards, streets, stores, pass, seat: seat as usize };
        walk.run(at, reach, &mut self.space.lock().expect("no walk has panicked"))
    }

    /// As [`walk`](Self::walk) from the start.
    fn walk_all(&self, pass: &impl Pass, seat: Seat) -> Vec<f32> {
        self.walk(pass, seat, Place::ROOT, &self.weights.rows[seat.other() as usize])
    }
}

fn stores<R: Cell, S: Cell>(layout: &Layout) -> Vec<Mutex<Store<R, S>>> {
    let boards = layout.boards.all.iter().enumerate();
    boards
        .map(|(id, board)| Mutex::new(Store::new(&layout.streets[layout.level(id)], board)))
        .collect()
}
