//! The operations on sets that depend on the board: neighbours, runs, lines, floods.

use crate::code::Code;
use crate::set::Set;

impl<const W: usize> Code<W> {
    #[inline(always)]
    pub(crate) fn around(&self, set: Set<W>) -> Set<W> {
        self.steps[..self.ways].iter().fold(Set::NONE, |all, step| all.or(step.of(set)))
    }

    /// The sites from which a run of `enemy` leads to `own`.
    #[inline(always)]
    pub(crate) fn flank(&self, own: Set<W>, enemy: Set<W>) -> Set<W> {
        if let (1, Some(lanes)) = (W, &self.neighbours) {
            return Set([lanes.flank(own.0[0], enemy.0[0]); W]);
        }
        let mut found = Set::NONE;
        for step in &self.steps[..self.ways] {
            let mut run = step.of(own).and(enemy);
            let mut all = run;
            while run.any() {
                run = step.of(run).and(enemy);
                all = all.or(run);
            }
            found = found.or(step.of(all));
        }
        found
    }

    /// The runs of `enemy` that begin next to `at` and end at `own`.
    #[inline(always)]
    pub(crate) fn flanked(&self, own: Set<W>, enemy: Set<W>, at: Set<W>) -> Set<W> {
        if let (1, Some(lanes)) = (W, &self.neighbours) {
            return Set([lanes.flanked(own.0[0], enemy.0[0], at.0[0]); W]);
        }
        let mut found = Set::NONE;
        for step in &self.steps[..self.ways] {
            let (mut run, mut all) = (step.of(at).and(enemy), Set::NONE);
            while run.any() {
                all = all.or(run);
                let next = step.of(run);
                if next.and(own).any() {
                    found = found.or(all);
                    break;
                }
                run = next.and(enemy);
            }
        }
        found
    }

    /// The ends of lines of `length` in a set, or all sites of such lines.
    #[inline(always)]
    pub(crate) fn line(&self, of: Set<W>, length: usize, members: bool) -> Set<W> {
        if let (1, Some(lanes)) = (W, &self.axis_lanes) {
            return Set([lanes.line(of.0[0], length, members); W]);
        }
        let mut found = Set::NONE;
        for (ahead, back) in &self.axes {
            // A run of n and the same run, moved by up to n, make a longer one.
            let (mut run, mut have) = (of, 1);
            while have < length {
                let more = have.min(length - have);
                run = run.and(ahead[more - 1].of(run));
                have += more;
            }
            found = found.or(run);
            if members {
                for step in &back[..length - 1] {
                    found = found.or(step.of(run));
                }
            }
        }
        found
    }

    #[inline(always)]
    pub(crate) fn flood(&self, seed: Set<W>, within: Set<W>) -> Set<W> {
        let (mut all, mut front) = (seed, seed);
        while front.any() {
            front = self.around(front).and(within).minus(all);
            all = all.or(front);
        }
        all
    }

    #[inline(always)]
    pub(crate) fn reach(&self, from: Set<W>, through: Set<W>) -> Set<W> {
        let mut found = Set::NONE;
        for step in &self.steps[..self.ways] {
            let mut front = step.of(from).and(through);
            while front.any() {
                found = found.or(front);
                front = step.of(front).and(through);
            }
        }
        found
    }

    #[inline(always)]
    pub(crate) fn run_back(&self, from: Set<W>, through: Set<W>) -> Set<W> {
        let back = &self.steps[1];
        let (mut all, mut front) = (Set::NONE, from.and(through));
        while front.any() {
            all = all.or(front);
            front = back.of(front).and(through).minus(all);
        }
        all
    }

    /// The pits on the other side of a track.
    #[inline(always)]
    pub(crate) fn across(&self, of: Set<W>) -> Set<W> {
        Set::of(of.sites().map(|site| usize::from(self.opposite[site])))
    }

    /// All cards of the ranks of some.
    #[inline(always)]
    pub(crate) fn same_rank(&self, of: Set<W>) -> Set<W> {
        let ranks = of.sites().map(|card| card / self.suits);
        let cards = ranks.flat_map(|rank| (0..self.suits).map(move |suit| (rank, suit)));
        Set::of(cards.map(|(rank, suit)| rank * self.suits + suit))
    }
}
