//! Directions side by side on boards of one word: four lanes that the compiler makes vectors of.

use crate::set::Step;

/// The sets of four directions.
type Four = [u64; 4];

#[inline(always)]
fn four(each: impl Fn(usize) -> u64) -> Four {
    std::array::from_fn(each)
}

/// Returns what is in any lane.
#[inline(always)]
fn any(lanes: Four) -> u64 {
    lanes[0] | lanes[1] | lanes[2] | lanes[3]
}

/// Up to four directions in which sites move to higher numbers, and the same directions back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lanes {
    by: Four,
    /// The sites that are moved to, ahead and back.
    ahead: Four,
    back: Four,
}

impl Lanes {
    /// Makes lanes of pairs of opposite steps; returns nothing where sets have more words, a step
    /// is not as far for all sites, or there are more pairs.
    pub(crate) fn new<'s, const W: usize>(
        pairs: impl IntoIterator<Item = (&'s Step<W>, &'s Step<W>)>,
    ) -> Option<Self> {
        let mut lanes = Self::default();
        for (at, (one, other)) in pairs.into_iter().enumerate() {
            let (ahead, back) = if one.distance()? > 0 { (one, other) } else { (other, one) };
            if W > 1 || at >= 4 || ahead.distance()? != -back.distance()? {
                return None;
            }
            lanes.by[at] = ahead.distance()?.unsigned_abs().into();
            (lanes.ahead[at], lanes.back[at]) = (ahead.targets().0[0], back.targets().0[0]);
        }
        Some(lanes)
    }

    #[inline(always)]
    fn go_ahead(&self, lanes: Four) -> Four {
        four(|at| lanes[at] << (self.by[at] & 63) & self.ahead[at])
    }

    #[inline(always)]
    fn go_back(&self, lanes: Four) -> Four {
        four(|at| lanes[at] >> (self.by[at] & 63) & self.back[at])
    }
}

/// The axes of a board: for each distance from 1 on, the steps along all of them.
#[derive(Clone, Debug)]
pub(crate) struct AxisLanes(pub(crate) Vec<Lanes>);

impl AxisLanes {
    /// The ends of lines of `length` in a set, or all sites of such lines.
    #[inline(always)]
    pub(crate) fn line(&self, of: u64, length: usize, members: bool) -> u64 {
        let (mut runs, mut have) = ([of; 4], 1);
        while have < length {
            let more = have.min(length - have);
            let moved = self.0[more - 1].go_ahead(runs);
            runs = four(|at| runs[at] & moved[at]);
            have += more;
        }
        let mut found = any(runs);
        if members {
            for lanes in &self.0[..length - 1] {
                found |= any(lanes.go_back(runs));
            }
        }
        found
    }
}

/// The directions to all neighbours.
#[derive(Clone, Debug)]
pub(crate) struct NeighbourLanes {
    steps: Lanes,
    /// Steps by 2, 4, 8 and more sites, as far as the board goes, with all bits of the lanes
    /// that are not too long for it.
    leaps: Vec<(Four, Four)>,
}

impl NeighbourLanes {
    /// `longest` is the most steps in one direction.
    pub(crate) fn new(steps: Lanes, longest: usize) -> Self {
        // A run that matters leaves a site at either end.
        let distances = (1..).map(|level| 1 << level).take_while(|&far| far < longest as u64);
        let leap = |far: u64| {
            let by = steps.by.map(|by| by * far);
            (by.map(|by| by & 63), by.map(|by| if by < 64 { u64::MAX } else { 0 }))
        };
        Self { steps, leaps: distances.map(leap).collect() }
    }

    /// The runs of `through` that begin next to `from`, in each direction.
    ///
    /// Runs grow to twice their length in each step: sites that follow so many of `through`
    /// join those that are as far away (Kogge and Stone 1973).
    #[inline(always)]
    fn runs(&self, from: u64, through: u64) -> (Four, Four) {
        let Self { steps, leaps } = self;
        let (ahead, back) = (steps.go_ahead([from; 4]), steps.go_back([from; 4]));
        let (mut ahead, mut back) = (four(|at| ahead[at] & through), four(|at| back[at] & through));
        let more = steps.go_ahead(ahead);
        ahead = four(|at| ahead[at] | more[at] & through);
        let more = steps.go_back(back);
        back = four(|at| back[at] | more[at] & through);
        let (on, off) = (four(|at| steps.ahead[at] & through), four(|at| steps.back[at] & through));
        let mut ahead_open = four(|at| on[at] & on[at] << (steps.by[at] & 63));
        let mut back_open = four(|at| off[at] & off[at] >> (steps.by[at] & 63));
        for (by, reach) in leaps {
            ahead_open = four(|at| ahead_open[at] & reach[at]);
            back_open = four(|at| back_open[at] & reach[at]);
            ahead = four(|at| ahead[at] | ahead[at] << (by[at] & 63) & ahead_open[at]);
            back = four(|at| back[at] | back[at] >> (by[at] & 63) & back_open[at]);
            ahead_open = four(|at| ahead_open[at] & ahead_open[at] << (by[at] & 63));
            back_open = four(|at| back_open[at] & back_open[at] >> (by[at] & 63));
        }
        (ahead, back)
    }

    /// The sites from which a run of `enemy` leads to `own`.
    #[inline(always)]
    pub(crate) fn flank(&self, own: u64, enemy: u64) -> u64 {
        let (ahead, back) = self.runs(own, enemy);
        any(self.steps.go_ahead(ahead)) | any(self.steps.go_back(back))
    }

    /// The runs of `enemy` that begin next to `at` and end at `own`.
    #[inline(always)]
    pub(crate) fn flanked(&self, own: u64, enemy: u64, at: u64) -> u64 {
        let (ahead, back) = self.runs(at, enemy);
        let (ends, starts) = (self.steps.go_ahead(ahead), self.steps.go_back(back));
        let closed = |end: u64, run: u64| if end & own == 0 { 0 } else { run };
        any(four(|at| closed(ends[at], ahead[at]) | closed(starts[at], back[at])))
    }
}
