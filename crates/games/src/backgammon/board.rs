//! The men on the board, and where a die can take them.

use meeple_game::List;

/// Points of the board; a player's own first point is 0.
pub(super) const POINTS: usize = 24;
/// Where men wait that were hit: one point beyond the last.
pub(super) const BAR: usize = 24;
/// Men of each player.
pub(super) const MEN: u8 = 15;

const ALL_POINTS: u32 = (1 << POINTS) - 1;
const HOME: u32 = 0b11_1111;
const BAR_BIT: u32 = 1 << BAR;

/// The men of both players, each counted from their own side.
///
/// The sets of points follow the counts; only `lift` and `put` change them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    men: [[u8; POINTS + 1]; 2],
    /// Points with a man, the bar included.
    held: [u32; 2],
    /// Points with two men or more, which the other may not enter.
    made: [u32; 2],
}

impl Board {
    pub(super) fn empty() -> Self {
        Self { men: [[0; POINTS + 1]; 2], held: [0; 2], made: [0; 2] }
    }

    /// The board at the start of a game.
    pub(super) fn start() -> Self {
        let mut board = Self::empty();
        for side in 0..2 {
            for (point, men) in [(23, 2), (12, 5), (7, 3), (5, 5)] {
                (0..men).for_each(|_| board.put(side, point));
            }
        }
        board
    }

    /// The same board with `side` first.
    pub(super) fn seen_by(mut self, side: usize) -> Self {
        if side == 1 {
            self.men.swap(0, 1);
            self.held.swap(0, 1);
            self.made.swap(0, 1);
        }
        self
    }

    #[inline]
    pub(super) fn men(&self, side: usize, point: usize) -> u8 {
        self.men[side][point]
    }

    /// The highest point on which `side` has a man; the first if it has none.
    #[inline]
    pub(super) fn highest(&self, side: usize) -> usize {
        self.held[side].checked_ilog2().unwrap_or(0) as usize
    }

    /// Men that have left the board.
    #[inline]
    pub(super) fn off(&self, side: usize) -> u8 {
        MEN - self.men[side].iter().sum::<u8>()
    }

    #[inline]
    pub(super) fn put(&mut self, side: usize, point: usize) {
        let men = &mut self.men[side][point];
        *men += 1;
        self.held[side] |= 1 << point;
        self.made[side] |= u32::from(*men > 1) << point;
    }

    #[inline]
    fn lift(&mut self, side: usize, point: usize) {
        let men = &mut self.men[side][point];
        *men -= 1;
        self.held[side] &= !(u32::from(*men == 0) << point);
        self.made[side] &= !(u32::from(*men < 2) << point);
    }

    /// Whether `side` has brought all men off.
    #[inline]
    pub(super) fn is_clear(&self, side: usize) -> bool {
        self.held[side] == 0
    }

    /// The points that `side` may not enter.
    #[inline]
    fn blocked(&self, side: usize) -> u32 {
        ((self.made[side ^ 1] & ALL_POINTS) << 8).reverse_bits()
    }

    /// The points from which `side` can move a man by `die`.
    #[inline]
    pub(super) fn sources(&self, side: usize, die: usize) -> u32 {
        sources(self.held[side], self.blocked(side), die)
    }

    /// Whether the man that `die` brings from `point` to the board hits another.
    #[inline]
    pub(super) fn hits(&self, side: usize, point: usize, die: usize) -> bool {
        point >= die && self.men[side ^ 1][23 - (point - die)] == 1
    }

    /// Moves a man of `side` from `point` by `die`, off the board if it reaches
    /// beyond.
    #[inline]
    pub(super) fn advance(&mut self, side: usize, point: usize, die: usize) {
        self.lift(side, point);
        if point >= die {
            let target = point - die;
            let (other, theirs) = (side ^ 1, 23 - target);
            if self.men[other][theirs] == 1 {
                self.lift(other, theirs);
                self.put(other, BAR);
            }
            self.put(side, target);
        }
    }

    /// How many of `dice` one after the other `side` can play, in this order.
    fn can_play_both(&self, side: usize, first: usize, second: usize) -> bool {
        let (held, blocked) = (self.held[side], self.blocked(side));
        let singles = held & !(self.made[side]);
        let mut from = sources(held, blocked, first);
        while from != 0 {
            let point = from & from.wrapping_neg();
            from &= from - 1;
            let after = held & !(singles & point) | point >> first;
            if sources(after, blocked, second) != 0 {
                return true;
            }
        }
        false
    }

    /// How many times `side` can play `die`, up to `most`.
    fn repeats(&self, side: usize, die: usize, most: u8) -> u8 {
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
            best = best.max(1 + next.repeats(side, die, most - 1));
            if best == most {
                break;
            }
        }
        best
    }

    /// The most dice of `dice` that `side` can play, and the die it must use if
    /// it can play only one of two.
    pub(super) fn due(&self, side: usize, dice: Dice) -> (u8, u8) {
        let (high, low) = (dice.high as usize, dice.low as usize);
        if dice.is_double() {
            return (self.repeats(side, high, dice.left), 0);
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

    /// Whether counts and sets agree and nobody has too many men.
    pub(super) fn is_consistent(&self) -> bool {
        (0..2).all(|side| {
            let set = |least: u8| {
                let holds = |&point: &usize| self.men[side][point] >= least;
                (0..=BAR).filter(holds).fold(0, |set, point| set | 1 << point)
            };
            self.held[side] == set(1)
                && self.made[side] == set(2)
                && self.men[side].iter().map(|&men| u32::from(men)).sum::<u32>() <= u32::from(MEN)
        }) && self.made[0] & self.blocked(0) & ALL_POINTS == 0
            && self.held[0] & self.blocked(0) & ALL_POINTS == 0
            && self.held[1] & self.blocked(1) & ALL_POINTS == 0
    }
}

/// The points of `held` from which a man can move by `die`.
#[inline]
fn sources(held: u32, blocked: u32, die: usize) -> u32 {
    let movers = if held & BAR_BIT == 0 { held } else { BAR_BIT };
    let mut from = movers & ((!blocked & ALL_POINTS) << die);
    if held & !HOME == 0 {
        let exact = held & 1 << (die - 1);
        let beyond = held >> die;
        from |= if exact != 0 || beyond != 0 || held == 0 {
            exact
        } else {
            // Nothing stands higher: the highest man may leave.
            1 << (31 - held.leading_zeros())
        };
    }
    from
}

/// The dice of a turn and what is left of them: the number of moves for a
/// double, else a bit for the high one and a bit for the low one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dice {
    pub(super) high: u8,
    pub(super) low: u8,
    pub(super) left: u8,
}

impl Dice {
    /// Dice that have not been thrown.
    pub(super) const NONE: Self = Self { high: 0, low: 0, left: 0 };

    pub(super) fn new(high: u8, low: u8) -> Self {
        Self { high, low, left: if high == low { 4 } else { 0b11 } }
    }

    #[inline]
    pub(super) fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Whether a die of this number is left.
    #[inline]
    pub(super) fn has(self, die: u8) -> bool {
        if self.is_double() {
            self.left > 0 && die == self.high
        } else {
            self.left & 1 != 0 && die == self.high || self.left & 2 != 0 && die == self.low
        }
    }

    /// The same without one die of this number.
    #[inline]
    pub(super) fn without(self, die: u8) -> Self {
        let left = match () {
            () if self.is_double() => self.left - 1,
            () if die == self.high => self.left & !1,
            () => self.left & !2,
        };
        Self { left, ..self }
    }

    /// How many dice of each number are left.
    pub(super) fn counts(self) -> [u8; 6] {
        let mut counts = [0; 6];
        for (die, left) in [(self.high, self.left & 1), (self.low, self.left >> 1 & 1)] {
            if let Some(count) = counts.get_mut(usize::from(die).wrapping_sub(1)) {
                *count = if self.is_double() { self.left } else { left };
            }
        }
        counts
    }

    /// The dice that are left, one by one.
    pub(super) fn list(self) -> List<u8, 4> {
        let mut dice = List::new();
        for (die, count) in (1..).zip(self.counts()) {
            (0..count).for_each(|_| dice.push(die));
        }
        dice
    }

    /// How many moves are left.
    pub(super) fn count(self) -> u8 {
        if self.is_double() { self.left } else { self.left.count_ones() as u8 }
    }
}
