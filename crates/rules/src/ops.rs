//! The operations on sets that depend on the board: neighbours, runs, lines, floods.

use crate::code::Code;
use crate::set::Set;

impl<const W: usize> Code<W> {
    #[inline(always)]
    pub(crate) fn around(&self, set: Set<W>) -> Set<W> {
        let mut all = Set::NONE;
        for pair in &self.pairs {
            all = all.or(pair.of(set));
        }
        if self.pairs.is_empty() {
            for step in &self.steps[..self.ways] {
                all = all.or(step.of(set));
            }
        }
        all
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
        if self.pairs.is_empty() {
            let (mut all, mut front) = (seed, seed);
            while front.any() {
                front = self.around(front).and(within).minus(all);
                all = all.or(front);
            }
            return all;
        }
        // What one pair of directions adds, the next one goes on from.
        let mut all = seed;
        loop {
            let before = all;
            for pair in &self.pairs {
                all = all.or(pair.of(all).and(within));
            }
            if all == before {
                return all;
            }
        }
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

    /// The sites that a table has for those of a set.
    #[inline(always)]
    pub(crate) fn spread(&self, table: usize, of: Set<W>) -> Set<W> {
        of.sites().fold(Set::NONE, |all, site| all.or(self.tables[table][site]))
    }

    /// The connected parts of `of` whose neighbours outside of it are all in `by`.
    #[inline(always)]
    pub(crate) fn enclosed(&self, of: Set<W>, by: Set<W>) -> Set<W> {
        let free = self.around(self.all.minus(of).minus(by)).and(of);
        if free == of { Set::NONE } else { of.minus(self.flood(free, of)) }
    }

    /// The sites outside of both sets where a piece of `own` has a free neighbour, or joins a part
    /// that has another one, and where no part of `other` loses its last one.
    pub(crate) fn quiet(&self, own: Set<W>, other: Set<W>) -> Set<W> {
        let free = self.all.minus(own).minus(other);
        let Some(pressed) = self.pressed(other, free) else { return Set::NONE };
        let closing = self.around(pressed);
        let open = self.around(free);
        let mut quiet = free.and(open).minus(closing);
        let tight = free.minus(open).minus(closing);
        if tight.any()
            && let Some(pressed) = self.pressed(own, free)
        {
            quiet = quiet.or(tight.and(self.around(own.minus(pressed))));
        }
        quiet
    }

    /// The connected parts of `of` with a single neighbour in `free`; nothing if a part has none.
    #[inline(always)]
    fn pressed(&self, of: Set<W>, free: Set<W>) -> Option<Set<W>> {
        // Most parts have a site with two free neighbours.
        let (mut one, mut two) = (Set::NONE, Set::NONE);
        for step in &self.steps[..self.ways] {
            let next = step.of(free);
            two = two.or(one.and(next));
            one = one.or(next);
        }
        let mut left = of.minus(self.flood(two.and(of), of));
        let mut pressed = Set::NONE;
        while let Some(site) = left.sites().next() {
            let part = self.flood(Set::one(site), left);
            left = left.minus(part);
            match self.around(part).and(free).count() {
                0 => return None,
                1 => pressed = pressed.or(part),
                _ => {}
            }
        }
        Some(pressed)
    }

    /// The sites in one direction, up to the first that is not in `through`.
    #[inline(always)]
    pub(crate) fn ray(&self, way: u8, from: Set<W>, through: Set<W>) -> Set<W> {
        let step = &self.steps[usize::from(way)];
        let (mut front, mut all) = (step.of(from), Set::NONE);
        while front.any() {
            all = all.or(front);
            front = step.of(front.and(through));
        }
        all
    }

    /// The sites in one direction beyond one site of `over`, else through `through`.
    #[inline(always)]
    pub(crate) fn ray_over(&self, way: u8, [from, through, over]: [Set<W>; 3]) -> Set<W> {
        let passed = self.ray(way, from, through).and(over);
        self.ray(way, passed, through)
    }

    /// The sites between two sites on a line; nothing where there is no such line.
    #[inline(always)]
    pub(crate) fn between(&self, from: Set<W>, to: Set<W>) -> Set<W> {
        for step in &self.steps[..self.ways] {
            let (mut front, mut all) = (step.of(from), Set::NONE);
            while front.any() {
                if front.and(to).any() {
                    return all;
                }
                all = all.or(front);
                front = step.of(front);
            }
        }
        Set::NONE
    }

    /// The sites of `to` that a piece reaches along a loop, through `through` and the site it
    /// leaves, round at least one bend.
    pub(crate) fn follow(&self, site: usize, through: Set<W>, to: Set<W>) -> Set<W> {
        let mut found = Set::NONE;
        let through = through.or(Set::one(site));
        for track in &self.loops {
            let length = track.sites.len();
            for start in (0..length).filter(|&at| usize::from(track.sites[at]) == site) {
                for ahead in [true, false] {
                    let (mut at, mut is_bent) = (start, false);
                    for _ in 0..length {
                        let next = match (ahead, at) {
                            (true, last) if last + 1 == length => 0,
                            (true, at) => at + 1,
                            (false, 0) => length - 1,
                            (false, at) => at - 1,
                        };
                        is_bent |= track.bends[if ahead { at } else { next }];
                        at = next;
                        let here = Set::one(usize::from(track.sites[at]));
                        if is_bent {
                            found = found.or(here.and(to));
                        }
                        if !here.and(through).any() {
                            break;
                        }
                    }
                }
            }
        }
        found
    }

    /// All cards of the suits of some.
    #[inline(always)]
    pub(crate) fn same_suit(&self, of: Set<W>) -> Set<W> {
        let mut all = Set::NONE;
        for suit in &self.suit_sets {
            if suit.and(of).any() {
                all = all.or(*suit);
            }
        }
        all
    }

    /// The highest card in the first of two sets that has any of `of`, else of all.
    #[inline(always)]
    pub(crate) fn best(&self, of: Set<W>, first: Set<W>, then: Set<W>) -> Set<W> {
        let (first, then) = (of.and(first), of.and(then));
        let among = if first.any() {
            first
        } else if then.any() {
            then
        } else {
            of
        };
        among.last().map_or(Set::NONE, Set::one)
    }

    /// The sum of what cards are worth.
    #[inline(always)]
    pub(crate) fn worth(&self, of: Set<W>) -> i32 {
        of.sites().map(|card| i32::from(self.worth[card / self.suits])).sum()
    }
}
