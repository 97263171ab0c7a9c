//! The board: checker counts, point sets and the moves of a die.

/// The number of points; index 0 is a player's own ace point.
pub(super) const POINTS: usize = 24;
/// The index of the bar, one beyond the 24-point.
pub(super) const BAR: usize = 24;
/// The number of checkers of each player.
pub(super) const CHECKERS: u8 = 15;

const ALL_POINTS: u32 = (1 << POINTS) - 1;
/// The points of the home board.
pub(super) const HOME: u32 = 0b11_1111;
const BAR_BIT: u32 = 1 << BAR;

/// The checkers of both players, each indexed from their own side.
///
/// The point sets are derived from the counts; only `remove` and `put` change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    checkers: [[u8; POINTS + 1]; 2],
    /// Points with at least one checker, including the bar.
    occupied: [u32; 2],
    /// Made points: two or more checkers, which block the opponent.
    made: [u32; 2],
}

impl Board {
    pub(super) fn empty() -> Self {
        Self { checkers: [[0; POINTS + 1]; 2], occupied: [0; 2], made: [0; 2] }
    }

    /// The starting position.
    pub(super) fn start() -> Self {
        let mut board = Self::empty();
        for side in 0..2 {
            for (point, checkers) in [(23, 2), (12, 5), (7, 3), (5, 5)] {
                (0..checkers).for_each(|_| board.put(side, point));
            }
        }
        board
    }

    /// The board with `side` as the first player.
    pub(super) fn seen_by(mut self, side: usize) -> Self {
        if side == 1 {
            self.checkers.swap(0, 1);
            self.occupied.swap(0, 1);
            self.made.swap(0, 1);
        }
        self
    }

    #[inline]
    pub(super) fn checkers(&self, side: usize, point: usize) -> u8 {
        self.checkers[side][point]
    }

    /// The rearmost point with a checker of `side`; 0 if it has none.
    #[inline]
    pub(super) fn highest(&self, side: usize) -> usize {
        self.occupied[side].checked_ilog2().unwrap_or(0) as usize
    }

    /// The number of checkers borne off.
    #[inline]
    pub(super) fn off(&self, side: usize) -> u8 {
        CHECKERS - self.checkers[side].iter().sum::<u8>()
    }

    #[inline]
    pub(super) fn put(&mut self, side: usize, point: usize) {
        let checkers = &mut self.checkers[side][point];
        *checkers += 1;
        self.occupied[side] |= 1 << point;
        self.made[side] |= u32::from(*checkers > 1) << point;
    }

    #[inline]
    fn remove(&mut self, side: usize, point: usize) {
        let checkers = &mut self.checkers[side][point];
        *checkers -= 1;
        self.occupied[side] &= !(u32::from(*checkers == 0) << point);
        self.made[side] &= !(u32::from(*checkers < 2) << point);
    }

    /// Whether `side` has borne off all checkers.
    #[inline]
    pub(super) fn is_clear(&self, side: usize) -> bool {
        self.occupied[side] == 0
    }

    /// The size of the win of `winner`, who has borne off all checkers: 2 (gammon) if the loser
    /// has borne off none, 3 (backgammon) if the loser also has a checker in the winner's home
    /// board or on the bar.
    pub(super) fn win_size(&self, winner: usize) -> u8 {
        let loser = 1 - winner;
        match () {
            () if self.off(loser) > 0 => 1,
            () if self.highest(loser) >= POINTS - 6 => 3,
            () => 2,
        }
    }

    /// The points the opponent has made, indexed from `side`.
    #[inline]
    pub(super) fn blocked(&self, side: usize) -> u32 {
        mirrored(self.made[side ^ 1] & ALL_POINTS)
    }

    /// The points from which `side` can play `die`.
    #[inline]
    pub(super) fn sources(&self, side: usize, die: usize) -> u32 {
        sources(self.occupied[side], self.blocked(side), die)
    }

    /// Whether playing `die` from `point` hits a blot.
    #[inline]
    pub(super) fn hits(&self, side: usize, point: usize, die: usize) -> bool {
        point >= die && self.checkers[side ^ 1][23 - (point - die)] == 1
    }

    /// Plays `die` with a checker of `side` from `point`; bears it off beyond the ace point.
    #[inline]
    pub(super) fn advance(&mut self, side: usize, point: usize, die: usize) {
        self.remove(side, point);
        if point >= die {
            let target = point - die;
            let (other, theirs) = (side ^ 1, 23 - target);
            if self.checkers[other][theirs] == 1 {
                self.remove(other, theirs);
                self.put(other, BAR);
            }
            self.put(side, target);
        }
    }

    /// The board after [`advance`](Self::advance).
    #[inline]
    pub(super) fn after(&self, side: usize, point: usize, die: usize) -> Self {
        let mut board = *self;
        board.advance(side, point, die);
        board
    }

    /// The points with at least one checker of `side`, without the bar.
    #[inline]
    pub(super) fn occupied(&self, side: usize) -> u32 {
        self.occupied[side] & ALL_POINTS
    }

    /// The points that `side` has made.
    #[inline]
    pub(super) fn made(&self, side: usize) -> u32 {
        self.made[side] & ALL_POINTS
    }

    /// Whether the sides have passed each other, so that neither can hit.
    #[inline]
    pub(super) fn is_race(&self) -> bool {
        self.highest(0) + self.highest(1) < POINTS - 1
    }

    /// Whether `side` can play both dice in this order.
    fn can_play_both(&self, side: usize, first: usize, second: usize) -> bool {
        let (occupied, blocked) = (self.occupied[side], self.blocked(side));
        let blots = occupied & !(self.made[side]);
        let mut from = sources(occupied, blocked, first);
        while from != 0 {
            let point = from & from.wrapping_neg();
            from &= from - 1;
            // A hit removes only a blot, which blocks nothing: `blocked` stays valid.
            let after = occupied & !(blots & point) | point >> first;
            if sources(after, blocked, second) != 0 {
                return true;
            }
        }
        false
    }

    /// How many times `side` can play `die`, at most `most` times.
    fn max_repeats(&self, side: usize, die: usize, most: u8) -> u8 {
        if most == 0 {
            return 0;
        }
        let mut from = self.sources(side, die);
        let mut best = 0;
        while from != 0 {
            let point = from.trailing_zeros() as usize;
            from &= from - 1;
            let mut next = *self;
            next.advance(side, point, die);
            best = best.max(1 + next.max_repeats(side, die, most - 1));
            if best == most {
                break;
            }
        }
        best
    }

    /// The maximum number of dice that `side` can play, and the die that must be played if
    /// only one of two can (the higher one if possible); 0 for any.
    pub(super) fn max_playable(&self, side: usize, dice: Dice) -> (u8, u8) {
        let (high, low) = (dice.high as usize, dice.low as usize);
        if dice.is_double() {
            return (self.max_repeats(side, high, dice.left), 0);
        }
        match dice.left {
            0b11 if self.can_play_both(side, high, low) || self.can_play_both(side, low, high) => {
                (2, 0)
            }
            left => {
                let plays = |die: usize, bit: u8| left & bit != 0 && self.sources(side, die) != 0;
                if plays(high, 0b01) {
                    (1, dice.high)
                } else if plays(low, 0b10) {
                    (1, dice.low)
                } else {
                    (0, 0)
                }
            }
        }
    }

    /// Whether counts and sets agree, no side has too many checkers, and no point is shared.
    pub(super) fn is_consistent(&self) -> bool {
        (0..2).all(|side| {
            let set = |least: u8| {
                let holds = |&point: &usize| self.checkers[side][point] >= least;
                (0..=BAR).filter(holds).fold(0, |set, point| set | 1 << point)
            };
            self.occupied[side] == set(1)
                && self.made[side] == set(2)
                && self.checkers[side].iter().map(|&checkers| u32::from(checkers)).sum::<u32>()
                    <= u32::from(CHECKERS)
        }) && self.made[0] & self.blocked(0) & ALL_POINTS == 0
            && self.occupied[0] & self.blocked(0) & ALL_POINTS == 0
            && self.occupied[1] & self.blocked(1) & ALL_POINTS == 0
    }
}

/// Points as the opponent counts them.
#[inline]
pub(super) fn mirrored(points: u32) -> u32 {
    (points << 8).reverse_bits()
}

/// The points of `occupied` from which `die` can be played.
#[inline]
fn sources(occupied: u32, blocked: u32, die: usize) -> u32 {
    let movers = if occupied & BAR_BIT == 0 { occupied } else { BAR_BIT };
    let mut from = movers & ((!blocked & ALL_POINTS) << die);
    if occupied & !HOME == 0 {
        let exact = occupied & 1 << (die - 1);
        let beyond = occupied >> die;
        from |= if exact != 0 || beyond != 0 || occupied == 0 {
            exact
        } else {
            // A die larger than needed bears off the rearmost checker.
            1 << (31 - occupied.leading_zeros())
        };
    }
    from
}

/// The dice of a turn and what is left to play: for doubles the number of moves, else one
/// bit for the high die and one for the low die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dice {
    pub(super) high: u8,
    pub(super) low: u8,
    pub(super) left: u8,
}

impl Dice {
    /// No dice rolled.
    pub(super) const NONE: Self = Self { high: 0, low: 0, left: 0 };

    pub(super) fn new(high: u8, low: u8) -> Self {
        Self { high, low, left: if high == low { 4 } else { 0b11 } }
    }

    #[inline]
    pub(super) fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Whether a die of this value is left.
    #[inline]
    pub(super) fn has(self, die: u8) -> bool {
        if self.is_double() {
            self.left > 0 && die == self.high
        } else {
            self.left & 1 != 0 && die == self.high || self.left & 2 != 0 && die == self.low
        }
    }

    /// The dice without one die of this value.
    #[inline]
    pub(super) fn without(self, die: u8) -> Self {
        let left = match () {
            () if self.is_double() => self.left - 1,
            () if die == self.high => self.left & !1,
            () => self.left & !2,
        };
        Self { left, ..self }
    }

    /// The number of dice of each value that are left.
    pub(super) fn counts(self) -> [u8; 6] {
        let mut counts = [0; 6];
        for (die, left) in [(self.high, self.left & 1), (self.low, self.left >> 1 & 1)] {
            if let Some(count) = counts.get_mut(usize::from(die).wrapping_sub(1)) {
                *count = if self.is_double() { self.left } else { left };
            }
        }
        counts
    }

    /// The number of dice that are left.
    pub(super) fn count(self) -> u8 {
        if self.is_double() { self.left } else { self.left.count_ones() as u8 }
    }
}
