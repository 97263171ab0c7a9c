//! The table as the rules see it: men by how far they have come.

use super::super::board::{BAR, Board, MEN, POINTS};
use super::super::notation::PositionId;

/// Where men are that have left the board: one place beyond the last point.
pub(super) const OFF: u8 = 25;

/// The places of the 24 points; place 0 is the bar.
const ON_POINTS: u32 = 0x01ff_fffe;
const ON_BAR: u32 = 1;
const ON_BOARD: u32 = ON_POINTS | ON_BAR;
const HOME: u32 = 0x01f8_0000;

/// The men of one side. Bit `place` of plane `k` is bit `k` of the number of men
/// there, so whole sets of places come out of a few operations.
///
/// Two planes share a word: what is written plane by plane and read all at once, as
/// happens at every move, would have to wait in the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Men([u64; 2]);

impl Men {
    #[inline]
    fn of([one, two, four, eight]: [u32; 4]) -> Self {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Self([pair(one, two), pair(four, eight)])
    }

    #[inline]
    fn planes(self) -> [u32; 4] {
        let [low, high] = self.0;
        [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
    }

    pub(super) fn at(self, place: u8) -> u8 {
        let planes = (0..).zip(self.planes());
        planes.fold(0, |men, (at, plane)| men | ((plane >> place & 1) as u8) << at)
    }

    #[inline]
    fn put(&mut self, place: u8) {
        let (mut planes, mut carry) = (self.planes(), 1 << place);
        for plane in &mut planes {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
        *self = Self::of(planes);
    }

    #[inline]
    fn lift(&mut self, place: u8) {
        let (mut planes, mut borrow) = (self.planes(), 1 << place);
        for plane in &mut planes {
            let next = !*plane & borrow;
            *plane ^= borrow;
            borrow = next;
        }
        *self = Self::of(planes);
    }

    /// Puts a man of `from` forward by `die`.
    #[inline]
    fn advance(&mut self, from: u8, die: u8) {
        self.lift(from);
        self.put((from + die).min(OFF));
    }

    /// Places with a man that is not off.
    #[inline]
    pub(super) fn held(self) -> u32 {
        let [low, high] = self.0;
        let all = low | high;
        (all | all >> 32) as u32 & ON_BOARD
    }

    /// Places with two men or more.
    #[inline]
    fn made(self) -> u32 {
        let [low, high] = self.0;
        ((low | high) >> 32 | high) as u32
    }

    #[inline]
    pub(super) fn on_bar(self) -> bool {
        self.held() & ON_BAR != 0
    }

    #[inline]
    pub(super) fn all_home(self) -> bool {
        self.held() & !HOME == 0
    }

    /// Whether every man has left.
    #[inline]
    pub(super) fn all_off(self) -> bool {
        self.held() == 0
    }

    /// The places from which `die` moves a man, with these points open.
    #[inline]
    fn playable(self, open: u32, die: u8) -> u32 {
        if self.on_bar() {
            return open >> die & ON_BAR;
        }
        let moves = self.held() & open >> die;
        if self.all_home() { moves | self.leavers(die) } else { moves }
    }

    /// Of men that are all at home, those that `die` takes off: one that needs
    /// just as much, or the rearmost if it needs less.
    #[inline]
    pub(super) fn leavers(self, die: u8) -> u32 {
        let held = self.held();
        let exact = 1 << (OFF - die);
        let rearmost = held & held.wrapping_neg();
        held & if rearmost > exact { rearmost } else { exact }
    }

    /// How many of up to `most` dice of this number can be played one after the
    /// other.
    fn repeats(self, open: u32, die: u8, most: u8) -> u8 {
        let mut from = self.playable(open, die);
        let mut best = 0;
        while most > best && from != 0 {
            let mut after = self;
            after.advance(from.trailing_zeros() as u8, die);
            from &= from - 1;
            best = best.max(1 + after.repeats(open, die, most - 1));
        }
        best
    }
}

/// How many dice of each number are left to play: four bits each, upwards from
/// number one, so that one word is read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dice(u32);

impl Dice {
    /// One die of a number.
    #[inline]
    const fn one(die: u8) -> u32 {
        1 << (4 * (die as u32 - 1))
    }

    #[inline]
    fn left(self, die: u8) -> u8 {
        if (1..=6).contains(&die) { (self.0 >> (4 * (die - 1)) & 15) as u8 } else { 0 }
    }

    /// The numbers that are left, each once, the high one first.
    #[inline]
    fn numbers(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let die = 8 - (left.leading_zeros() / 4) as u8;
            let found = left != 0;
            left &= (1u32 << (4 * die) >> 4).wrapping_sub(1);
            found.then_some(die)
        })
    }

    /// How many there are of all numbers: four at most.
    #[inline]
    fn count(self) -> u8 {
        // The highest of the six products of this number adds them all up.
        (self.0.wrapping_mul(0x11_1111) >> 20 & 15) as u8
    }

    fn counts(self) -> [u8; 6] {
        std::array::from_fn(|at| self.left(at as u8 + 1))
    }
}

/// A state of backgammon without a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    men: [Men; 2],
    dice: Dice,
    /// Who moves; at the end, who has won.
    pub(super) mover: u8,
    /// Whether the opening throw has fallen.
    begun: bool,
}

impl Table {
    /// The table before the opening throw, or `position` with seat 0 to throw.
    pub(super) fn new(position: Option<PositionId>) -> Self {
        let board = position.map_or_else(Board::start, |position| position.0);
        Self { begun: position.is_some(), ..Self::with(&board, [0; 6], 0) }
    }

    /// A table in the middle of a turn, with so many dice of each number left.
    pub(in crate::backgammon) fn with(board: &Board, dice: [u8; 6], mover: u8) -> Self {
        let mut men = [Men::default(); 2];
        for (side, men) in men.iter_mut().enumerate() {
            for point in 0..=BAR {
                (0..board.men(side, point)).for_each(|_| men.put((BAR - point) as u8));
            }
            (0..board.off(side)).for_each(|_| men.put(OFF));
        }
        let dice = (1..).zip(dice).map(|(die, left)| u32::from(left) * Dice::one(die)).sum();
        Self { men, dice: Dice(dice), mover, begun: true }
    }

    /// The men as the notation knows them.
    pub(super) fn board(&self) -> Board {
        let mut board = Board::empty();
        for (side, men) in self.men.iter().enumerate() {
            for point in 0..=BAR {
                (0..men.at((BAR - point) as u8)).for_each(|_| board.put(side, point));
            }
        }
        board
    }

    /// The men of one side.
    #[inline]
    pub(super) fn men(&self, side: usize) -> Men {
        self.men[side]
    }

    /// The men of the mover.
    #[inline]
    pub(super) fn own(&self) -> Men {
        self.men[usize::from(self.mover)]
    }

    /// The points where the mover may put a man.
    #[inline]
    pub(super) fn open(&self) -> u32 {
        // The other's place is as far from their bar as ours from being off.
        let theirs = (self.men[usize::from(self.mover ^ 1)].made() << 6).reverse_bits();
        !theirs & ON_POINTS
    }

    /// How many dice of this number are left.
    #[inline]
    pub(super) fn left(&self, die: u8) -> u8 {
        self.dice.left(die)
    }

    /// How many dice are left.
    #[inline]
    pub(super) fn dice_left(&self) -> u8 {
        self.dice.count()
    }

    #[inline]
    fn has_dice(&self) -> bool {
        self.dice != Dice::default()
    }

    /// The numbers that are left, each once, the high one first.
    #[inline]
    pub(super) fn numbers(&self) -> impl Iterator<Item = u8> {
        self.dice.numbers()
    }

    /// Whether the opening throw is still to fall.
    #[inline]
    pub(super) fn is_before_opening(&self) -> bool {
        !self.begun
    }

    /// Whether the mover has taken every man off.
    #[inline]
    pub(super) fn is_won(&self) -> bool {
        self.own().all_off()
    }

    /// Whether the mover is to throw.
    #[inline]
    pub(super) fn is_throwing(&self) -> bool {
        self.begun && !self.has_dice() && !self.is_won()
    }

    /// Whether the mover has dice to play.
    #[inline]
    pub(super) fn is_playing(&self) -> bool {
        self.has_dice() && !self.is_won()
    }

    /// How much the mover has won: 2 if the other has no man off, 3 if one of
    /// them is still on the bar or in the mover's home besides.
    pub(super) fn size(&self) -> u8 {
        let loser = self.men[usize::from(self.mover ^ 1)];
        let far_back = ON_BAR | HOME >> 18;
        match () {
            () if loser.at(OFF) > 0 => 1,
            () if loser.held() & far_back == 0 => 2,
            () => 3,
        }
    }

    /// Lets `seat` move first.
    pub(super) fn begin(&mut self, seat: u8) {
        (self.mover, self.begun) = (seat, true);
    }

    pub(super) fn throw(&mut self, high: u8, low: u8) {
        for die in [high, low] {
            self.dice.0 += if high == low { 2 } else { 1 } * Dice::one(die);
        }
    }

    /// Hits the single man of the other side at the mover's place, if it has one
    /// there.
    #[inline(always)]
    pub(super) fn hit(&mut self, place: u8) {
        let theirs = &mut self.men[usize::from(self.mover ^ 1)];
        let facing = OFF - place;
        if (1..OFF).contains(&place) && theirs.held() >> facing & 1 == 1 {
            theirs.lift(facing);
            theirs.put(0);
        }
    }

    /// Moves a man of the mover and takes the die away.
    #[inline(always)]
    pub(super) fn advance(&mut self, from: u8, die: u8) {
        self.men[usize::from(self.mover)].advance(from, die);
        self.dice.0 -= Dice::one(die);
    }

    /// Gives the turn to the other if nothing can be played any more.
    #[inline(always)]
    pub(super) fn pass_if_stuck(&mut self) {
        let (own, open) = (self.own(), self.open());
        let stuck = !self.numbers().any(|die| own.playable(open, die) != 0);
        if stuck && !self.is_won() {
            self.dice = Dice::default();
            self.mover ^= 1;
        }
    }

    /// How many dice can be played in all if `die` is played from `from` first.
    #[inline]
    pub(super) fn total_with(&self, from: u8, die: u8) -> u8 {
        if self.dice_left() == 1 {
            return 1;
        }
        let (mut own, open) = (self.own(), self.open());
        own.advance(from, die);
        let again = self.left(die) - 1;
        if again > 0 {
            return 1 + own.repeats(open, die, again);
        }
        let other = self.numbers().find(|&other| other != die);
        1 + u8::from(other.is_some_and(|other| own.playable(open, other) != 0))
    }

    /// All there is to know, in a few words.
    pub(super) fn words(&self) -> [u64; 5] {
        let [a, b, c, d, e, f] = self.dice.counts();
        let rest = u64::from_le_bytes([a, b, c, d, e, f, self.mover, u8::from(self.begun)]);
        // The lower plane of a pair comes first, as keys have always had it.
        let [[a, b], [c, d]] = self.men.map(|men| men.0.map(|pair| pair.rotate_left(32)));
        [a, b, c, d, rest]
    }

    /// Whether all men are there and no point is shared.
    pub(super) fn is_consistent(&self) -> bool {
        let count = |men: &Men| (0..=OFF).map(|place| men.at(place)).sum::<u8>();
        let shared = |point: u8| self.men[0].at(point) > 0 && self.men[1].at(OFF - point) > 0;
        self.men.iter().all(|men| count(men) == MEN)
            && !(1..=POINTS as u8).any(shared)
            && self.dice_left() <= 4
    }
}
