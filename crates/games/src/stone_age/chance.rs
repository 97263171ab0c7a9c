//! Chance events: dice, gift dice, and revealed cards and tiles.

use meeple_game::Rng;

use super::data::{BUILDINGS, CARDS};
use super::{Phase, SEATS, Step, StoneAge};

/// The maximum number of dice of a roll.
const MAX_DICE: usize = 10;

/// `SUMS[n][i]`: the number of rolls of `n` dice with sum `n + i`.
static SUMS: [[u32; 5 * MAX_DICE + 1]; MAX_DICE + 1] = sums();

const fn sums() -> [[u32; 5 * MAX_DICE + 1]; MAX_DICE + 1] {
    let mut table = [[0; 5 * MAX_DICE + 1]; MAX_DICE + 1];
    table[0][0] = 1;
    let mut dice = 1;
    while dice <= MAX_DICE {
        let mut sum = 0;
        while sum <= 5 * dice {
            let mut face = 0;
            while face < 6 && face <= sum {
                table[dice][sum] += table[dice - 1][sum - face];
                face += 1;
            }
            sum += 1;
        }
        dice += 1;
    }
    table
}

/// The number of rolls of up to three dice.
const ROLLS: [u8; 4] = [1, 6, 36, 216];
/// The sum minus three of each roll of three dice; the first 6 or 36 entries serve one or
/// two dice.
static THREE_DICE: [u8; 216] = three_dice();

const fn three_dice() -> [u8; 216] {
    let mut sums = [0; 216];
    let mut roll = 0;
    while roll < 216 {
        sums[roll] = (roll % 6 + roll / 6 % 6 + roll / 36) as u8;
        roll += 1;
    }
    sums
}

/// The joint rolls of gift dice as sorted multisets, in lexicographic order.
struct Gifts {
    /// The number of multisets.
    count: usize,
    faces: [[u8; SEATS]; 126],
    /// The number of rolls of each multiset.
    ways: [u16; 126],
    /// The multiset of each roll, whose dice are base-6 digits.
    of_roll: [u8; 1296],
    rolls: usize,
}

/// Indexed by the number of dice minus two.
static GIFTS: [Gifts; 3] = [gifts(2), gifts(3), gifts(4)];

const fn gifts(dice: usize) -> Gifts {
    let rolls = 6usize.pow(dice as u32);
    let mut gifts =
        Gifts { count: 0, faces: [[0; SEATS]; 126], ways: [0; 126], of_roll: [0; 1296], rolls };
    let mut roll = 0;
    while roll < rolls {
        let faces = sorted_faces(roll, dice);
        let mut at = 0;
        while at < gifts.count && !same(&gifts.faces[at], &faces) {
            at += 1;
        }
        if at == gifts.count {
            gifts.faces[at] = faces;
            gifts.count += 1;
        }
        gifts.ways[at] += 1;
        gifts.of_roll[roll] = at as u8;
        roll += 1;
    }
    gifts
}

/// The sorted dice of a roll. The first roll of each multiset is the sorted one, so that
/// multisets are found in lexicographic order.
const fn sorted_faces(roll: usize, dice: usize) -> [u8; SEATS] {
    let (mut faces, mut left, mut at) = ([0; SEATS], roll, 0);
    while at < dice {
        let face = (left % 6) as u8;
        left /= 6;
        let mut to = at;
        while to > 0 && faces[to - 1] > face {
            faces[to] = faces[to - 1];
            to -= 1;
        }
        faces[to] = face;
        at += 1;
    }
    faces
}

const fn same(one: &[u8; SEATS], other: &[u8; SEATS]) -> bool {
    u32::from_le_bytes(*one) == u32::from_le_bytes(*other)
}

impl StoneAge {
    fn gift_table(&self) -> &'static Gifts {
        &GIFTS[self.players as usize - 2]
    }

    /// The faces of a joint roll of gift dice, by its chance outcome.
    pub(super) fn gift_faces(&self, outcome: usize) -> &'static [u8] {
        &self.gift_table().faces[outcome][..self.players as usize]
    }

    /// Calls `add` with every chance outcome and its probability, ascending.
    pub(super) fn outcomes(&self, mut add: impl FnMut(u16, f64)) {
        match self.step {
            Step::Roll => {
                let dice = self.rolling as usize;
                let all = f64::from(6u32.pow(dice as u32));
                for (at, &ways) in SUMS[dice][..=5 * dice].iter().enumerate() {
                    add(at as u16, f64::from(ways) / all);
                }
            }
            Step::RollGift => (0..6).for_each(|face| add(face, 1.0 / 6.0)),
            Step::RollGifts => {
                let table = self.gift_table();
                for (at, &ways) in table.ways[..table.count].iter().enumerate() {
                    add(at as u16, f64::from(ways) / table.rolls as f64);
                }
            }
            Step::RevealCard | Step::DrawCard => {
                let all = self.deck.len() as f64;
                for kind in 0..CARDS {
                    let count = self.deck.count(kind);
                    if count > 0 {
                        add(kind as u16, f64::from(count) / all);
                    }
                }
            }
            Step::RevealTile => {
                let all = self.tiles.len() as f64;
                for kind in 0..BUILDINGS {
                    let count = self.tiles.count(kind);
                    if count > 0 {
                        add(kind as u16, f64::from(count) / all);
                    }
                }
            }
            _ => {}
        }
    }

    /// Draws a chance outcome.
    pub(super) fn draw(&self, rng: &mut Rng) -> u16 {
        let drawn = match self.step {
            Step::Roll => {
                // Draws up to three dice at a time from the same 64 bits by repeated
                // multiplication; 6^10 is far below 2^64.
                let (mut bits, mut sum, mut left) = (rng.bits(), 0, self.rolling);
                while left > 0 {
                    let dice = left.min(3);
                    let roll = u128::from(bits) * u128::from(ROLLS[dice as usize]);
                    sum += THREE_DICE[(roll >> 64) as usize] as usize;
                    bits = roll as u64;
                    left -= dice;
                }
                sum
            }
            Step::RollGift => rng.below(6),
            Step::RollGifts => {
                let table = self.gift_table();
                table.of_roll[rng.below(table.rolls)] as usize
            }
            Step::RevealTile => self.tiles.nth(rng.below(self.tiles.len())),
            _ => self.deck.nth(rng.below(self.deck.len())),
        };
        drawn as u16
    }

    /// Applies a chance outcome.
    #[inline(never)]
    pub(super) fn apply_outcome(&mut self, outcome: u16) {
        match self.step {
            Step::Roll => self.rolled(self.rolling + outcome as u8),
            Step::RollGift => {
                self.gifts[self.gift as usize] = outcome as i8;
                self.gift += 1;
                if self.gift == self.players {
                    self.offer_gifts();
                }
            }
            Step::RollGifts => {
                let faces = self.gift_faces(outcome as usize);
                for (gift, &face) in self.gifts.iter_mut().zip(faces) {
                    *gift = face as i8;
                }
                self.offer_gifts();
            }
            Step::RevealCard => {
                let slot = self.cards.iter().rposition(|&card| card < 0);
                self.cards[slot.expect("a space is empty")] = outcome as i8;
                self.deck.remove(outcome as usize);
                self.reveal_next();
            }
            Step::RevealTile => {
                let stack = self.open_stack().expect("a tile was bought");
                self.buildings[stack] = outcome as i8;
                self.stacks[stack] -= 1;
                self.tiles.remove(outcome as usize);
                if self.phase == Phase::Actions { self.advance() } else { self.reveal_next() }
            }
            Step::DrawCard => {
                self.hidden_card = outcome as i8;
                self.hidden_holder = self.active as i8;
                self.deck.remove(outcome as usize);
                self.advance();
            }
            _ => panic!("not a chance node: outcome {outcome} cannot be applied"),
        }
    }

    fn rolled(&mut self, sum: u8) {
        // Cards come after all places with dice in the order of actions.
        let for_card = self.place as usize >= super::actions::FIRST_CARD;
        if for_card && !self.tools_on_card_dice() {
            self.collect(self.rolling_for, sum);
            return self.advance();
        }
        self.dice = sum;
        self.pending = self.rolling_for;
        self.await_decision(Step::Tools);
    }
}
