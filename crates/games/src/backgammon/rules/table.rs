//! The state of the rule-described game: bit planes of checkers by distance travelled.

use super::super::board::{BAR, Board, CHECKERS, POINTS};
use super::super::notation::PositionId;

/// The place of checkers borne off, one beyond the last point.
pub(super) const OFF: u8 = 25;

/// The places of the 24 points in the direction of play; place 0 is the bar.
const ON_POINTS: u32 = 0x01ff_fffe;
const ON_BAR: u32 = 1;
const ON_BOARD: u32 = ON_POINTS | ON_BAR;
const HOME: u32 = 0x01f8_0000;

/// The checkers of one side as bit planes: bit `place` of plane `k` is bit `k` of the number
/// of checkers there, so that sets of places take a few operations.
///
/// Two planes share a word. Separate 32-bit stores followed by a wide load, as happens at
/// every move, would defeat store-to-load forwarding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkers([u64; 2]);

impl Checkers {
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
        planes.fold(0, |checkers, (at, plane)| checkers | ((plane >> place & 1) as u8) << at)
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
    fn remove(&mut self, place: u8) {
        let (mut planes, mut borrow) = (self.planes(), 1 << place);
        for plane in &mut planes {
            let next = !*plane & borrow;
            *plane ^= borrow;
            borrow = next;
        }
        *self = Self::of(planes);
    }

    /// Moves a checker from `from` by `die`.
    #[inline]
    fn advance(&mut self, from: u8, die: u8) {
        self.remove(from);
        self.put((from + die).min(OFF));
    }

    /// Places with a checker that is not borne off.
    #[inline]
    pub(super) fn occupied(self) -> u32 {
        let [low, high] = self.0;
        let all = low | high;
        (all | all >> 32) as u32 & ON_BOARD
    }

    /// Places with two or more checkers.
    #[inline]
    fn made(self) -> u32 {
        let [low, high] = self.0;
        ((low | high) >> 32 | high) as u32
    }

    #[inline]
    pub(super) fn on_bar(self) -> bool {
        self.occupied() & ON_BAR != 0
    }

    #[inline]
    pub(super) fn all_home(self) -> bool {
        self.occupied() & !HOME == 0
    }

    /// Whether all checkers are borne off.
    #[inline]
    pub(super) fn all_off(self) -> bool {
        self.occupied() == 0
    }

    /// The places from which `die` can be played, given the open points.
    #[inline]
    fn playable(self, open: u32, die: u8) -> u32 {
        if self.on_bar() {
            return open >> die & ON_BAR;
        }
        let moves = self.occupied() & open >> die;
        if self.all_home() { moves | self.bear_off_sources(die) } else { moves }
    }

    /// With all checkers home, the places from which `die` bears off: the exact one, or the
    /// rearmost if the die is larger than needed.
    #[inline]
    pub(super) fn bear_off_sources(self, die: u8) -> u32 {
        let occupied = self.occupied();
        let exact = 1 << (OFF - die);
        let rearmost = occupied & occupied.wrapping_neg();
        occupied & if rearmost > exact { rearmost } else { exact }
    }

    /// How many times `die` can be played, at most `most` times.
    fn max_repeats(self, open: u32, die: u8, most: u8) -> u8 {
        let mut from = self.playable(open, die);
        let mut best = 0;
        while most > best && from != 0 {
            let mut after = self;
            after.advance(from.trailing_zeros() as u8, die);
            from &= from - 1;
            best = best.max(1 + after.max_repeats(open, die, most - 1));
        }
        best
    }
}

/// The number of dice of each value left to play, four bits each from value one, in one
/// word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dice(u32);

impl Dice {
    /// One die of this value.
    #[inline]
    const fn one(die: u8) -> u32 {
        1 << (4 * (die as u32 - 1))
    }

    #[inline]
    fn left(self, die: u8) -> u8 {
        if (1..=6).contains(&die) { (self.0 >> (4 * (die - 1)) & 15) as u8 } else { 0 }
    }

    /// The values that are left, each once, in descending order.
    #[inline]
    fn values(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let die = 8 - (left.leading_zeros() / 4) as u8;
            let found = left != 0;
            left &= (1u32 << (4 * die) >> 4).wrapping_sub(1);
            found.then_some(die)
        })
    }

    /// The number of dice left, at most four.
    #[inline]
    fn count(self) -> u8 {
        // Multiplying by ones sums all six nibbles in the highest one.
        (self.0.wrapping_mul(0x11_1111) >> 20 & 15) as u8
    }

    fn counts(self) -> [u8; 6] {
        std::array::from_fn(|at| self.left(at as u8 + 1))
    }
}

/// A state of backgammon without a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubelessState {
    checkers: [Checkers; 2],
    dice: Dice,
    /// The player to move; at the end, the winner.
    pub(super) mover: u8,
    /// Whether the opening roll is made.
    begun: bool,
}

impl CubelessState {
    /// The state before the opening roll, or `position` with seat 0 to roll.
    pub(super) fn new(position: Option<PositionId>) -> Self {
        let board = position.map_or_else(Board::start, |position| position.0);
        Self { begun: position.is_some(), ..Self::with(&board, [0; 6], 0) }
    }

    /// A state in the middle of a turn, with the given number of dice of each value left.
    pub(in crate::backgammon) fn with(board: &Board, dice: [u8; 6], mover: u8) -> Self {
        let mut checkers = [Checkers::default(); 2];
        for (side, checkers) in checkers.iter_mut().enumerate() {
            for point in 0..=BAR {
                (0..board.checkers(side, point)).for_each(|_| checkers.put((BAR - point) as u8));
            }
            (0..board.off(side)).for_each(|_| checkers.put(OFF));
        }
        let dice = (1..).zip(dice).map(|(die, left)| u32::from(left) * Dice::one(die)).sum();
        Self { checkers, dice: Dice(dice), mover, begun: true }
    }

    /// The board of the hand-written game.
    pub(super) fn board(&self) -> Board {
        let mut board = Board::empty();
        for (side, checkers) in self.checkers.iter().enumerate() {
            for point in 0..=BAR {
                (0..checkers.at((BAR - point) as u8)).for_each(|_| board.put(side, point));
            }
        }
        board
    }

    /// The checkers of one side.
    #[inline]
    pub(super) fn checkers(&self, side: usize) -> Checkers {
        self.checkers[side]
    }

    /// The checkers of the player to move.
    #[inline]
    pub(super) fn own(&self) -> Checkers {
        self.checkers[usize::from(self.mover)]
    }

    /// The points that the opponent has not made.
    #[inline]
    pub(super) fn open(&self) -> u32 {
        // Place `p` of one player is place `OFF - p` of the other.
        let theirs = (self.checkers[usize::from(self.mover ^ 1)].made() << 6).reverse_bits();
        !theirs & ON_POINTS
    }

    /// The number of dice of this value that are left.
    #[inline]
    pub(super) fn left(&self, die: u8) -> u8 {
        self.dice.left(die)
    }

    /// The number of dice that are left.
    #[inline]
    pub(super) fn dice_left(&self) -> u8 {
        self.dice.count()
    }

    #[inline]
    fn has_dice(&self) -> bool {
        self.dice != Dice::default()
    }

    /// The values that are left, each once, in descending order.
    #[inline]
    pub(super) fn values(&self) -> impl Iterator<Item = u8> {
        self.dice.values()
    }

    /// Whether the opening roll is pending.
    #[inline]
    pub(super) fn is_before_opening(&self) -> bool {
        !self.begun
    }

    /// Whether the player to move has borne off all checkers.
    #[inline]
    pub(super) fn is_won(&self) -> bool {
        self.own().all_off()
    }

    /// Whether the player to move is on roll.
    #[inline]
    pub(super) fn is_rolling(&self) -> bool {
        self.begun && !self.has_dice() && !self.is_won()
    }

    /// Whether the player to move has dice to play.
    #[inline]
    pub(super) fn is_playing(&self) -> bool {
        self.has_dice() && !self.is_won()
    }

    /// The size of the win: 2 (gammon) if the loser has borne off no checker, 3 (backgammon)
    /// if the loser also has a checker on the bar or in the winner's home board.
    pub(super) fn size(&self) -> u8 {
        let loser = self.checkers[usize::from(self.mover ^ 1)];
        let far_back = ON_BAR | HOME >> 18;
        match () {
            () if loser.at(OFF) > 0 => 1,
            () if loser.occupied() & far_back == 0 => 2,
            () => 3,
        }
    }

    /// Lets `seat` move first.
    pub(super) fn begin(&mut self, seat: u8) {
        (self.mover, self.begun) = (seat, true);
    }

    pub(super) fn roll(&mut self, high: u8, low: u8) {
        for die in [high, low] {
            self.dice.0 += if high == low { 2 } else { 1 } * Dice::one(die);
        }
    }

    /// Hits the opponent's blot at the mover's `place`, if there is one.
    #[inline(always)]
    pub(super) fn hit(&mut self, place: u8) {
        let theirs = &mut self.checkers[usize::from(self.mover ^ 1)];
        let their_place = OFF - place;
        if (1..OFF).contains(&place) && theirs.occupied() >> their_place & 1 == 1 {
            theirs.remove(their_place);
            theirs.put(0);
        }
    }

    /// Moves a checker of the player to move and uses up the die.
    #[inline(always)]
    pub(super) fn advance(&mut self, from: u8, die: u8) {
        self.checkers[usize::from(self.mover)].advance(from, die);
        self.dice.0 -= Dice::one(die);
    }

    /// Passes the turn if no die can be played.
    #[inline(always)]
    pub(super) fn pass_if_stuck(&mut self) {
        let (own, open) = (self.own(), self.open());
        let stuck = !self.values().any(|die| own.playable(open, die) != 0);
        if stuck && !self.is_won() {
            self.dice = Dice::default();
            self.mover ^= 1;
        }
    }

    /// The total number of dice that can be played if `die` is played from `from` first.
    #[inline]
    pub(super) fn total_with(&self, from: u8, die: u8) -> u8 {
        if self.dice_left() == 1 {
            return 1;
        }
        let (mut own, open) = (self.own(), self.open());
        own.advance(from, die);
        let again = self.left(die) - 1;
        if again > 0 {
            return 1 + own.max_repeats(open, die, again);
        }
        let other = self.values().find(|&other| other != die);
        1 + u8::from(other.is_some_and(|other| own.playable(open, other) != 0))
    }

    /// The whole state packed into words.
    pub(super) fn words(&self) -> [u64; 5] {
        let [a, b, c, d, e, f] = self.dice.counts();
        let rest = u64::from_le_bytes([a, b, c, d, e, f, self.mover, u8::from(self.begun)]);
        // The rotation keeps the keys of earlier versions, which had the lower plane first.
        let [[a, b], [c, d]] =
            self.checkers.map(|checkers| checkers.0.map(|pair| pair.rotate_left(32)));
        [a, b, c, d, rest]
    }

    /// Whether each side has 15 checkers and no point is shared.
    pub(super) fn is_consistent(&self) -> bool {
        let count = |checkers: &Checkers| (0..=OFF).map(|place| checkers.at(place)).sum::<u8>();
        let shared =
            |point: u8| self.checkers[0].at(point) > 0 && self.checkers[1].at(OFF - point) > 0;
        self.checkers.iter().all(|checkers| count(checkers) == CHECKERS)
            && !(1..=POINTS as u8).any(shared)
            && self.dice_left() <= 4
    }
}
