//! Hashes of the state and of information states, and determinization.

use meeple_game::{Rng, mix};

use super::{CardSet, Step, StoneAge};

/// Two independent running hashes, which the processor computes in parallel.
struct Hasher {
    even: u64,
    odd: u64,
}

impl Hasher {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new() -> Self {
        Self { even: 0x243f_6a88_85a3_08d3, odd: 0x1319_8a2e_0370_7344 }
    }

    #[inline]
    fn add(&mut self, even: u64, odd: u64) {
        self.even = (self.even.rotate_left(23) ^ even).wrapping_mul(Self::FACTOR);
        self.odd = (self.odd.rotate_left(29) ^ odd).wrapping_mul(Self::FACTOR);
    }

    fn finish(&self) -> u64 {
        mix(self.even ^ mix(self.odd))
    }
}

/// Packs eight bytes into one word.
#[inline]
fn bytes(numbers: [u8; 8]) -> u64 {
    u64::from_le_bytes(numbers)
}

/// Packs two rows of four into one word.
#[inline]
fn rows(one: [i8; 4], other: [i8; 4]) -> u64 {
    let [a, b, c, d] = one.map(|number| number as u8);
    let [e, f, g, h] = other.map(|number| number as u8);
    bytes([a, b, c, d, e, f, g, h])
}

impl StoneAge {
    /// A hash of the state.
    pub(super) fn full_key(&self) -> u64 {
        let mut words = self.words(self.deck);
        words.add(self.hidden_card as u64, self.step_state());
        words.finish()
    }

    /// A hash of the information state of `seat`.
    pub(super) fn key_for(&self, seat: u8) -> u64 {
        let mut words = self.words(self.unseen_by(seat));
        let own = if self.hidden_holder == seat as i8 { self.hidden_card } else { -1 };
        words.add(own as u64, self.step_state());
        // Stale fields that are still part of the observation.
        let last = [self.dice, self.pending as u8, self.slot, self.picks, self.asked, self.place];
        let [dice, pending, slot, picks, asked, place] = last;
        words.add(
            bytes([dice, pending, slot, picks, asked, place, seat, 0]),
            rows(self.gifts, [0; 4]),
        );
        words.finish()
    }

    /// The cards that `seat` has never seen.
    #[inline]
    pub(super) fn unseen_by(&self, seat: u8) -> CardSet {
        let mut unseen = self.deck;
        if self.hidden_holder >= 0 && self.hidden_holder != seat as i8 {
            unseen.add(self.hidden_card as usize);
        }
        unseen
    }

    /// A determinization: redraws the face-down card of another player.
    pub(super) fn redeal_hidden(&self, seat: u8, rng: &mut Rng) -> Self {
        let mut dealt = *self;
        if self.hidden_holder >= 0 && self.hidden_holder != seat as i8 {
            let mut unseen = self.unseen_by(seat);
            let drawn = unseen.nth(rng.below(unseen.len()));
            unseen.remove(drawn);
            dealt.hidden_card = drawn as i8;
            dealt.deck = unseen;
        }
        dealt
    }

    /// The fields that only the current step depends on; they are stale afterwards.
    fn step_state(&self) -> u64 {
        match self.step {
            Step::Tools => bytes([self.dice, self.pending as u8, 0, 0, 0, 0, 0, 0]),
            Step::PayBuilding | Step::PayCard => u64::from(self.slot),
            Step::TakeAny => u64::from(self.picks),
            Step::RollGift | Step::TakeGift => {
                rows(self.gifts, [0; 4]) | u64::from(self.gift) << 32
            }
            Step::Roll => bytes([self.rolling, self.rolling_for as u8, self.place, 0, 0, 0, 0, 0]),
            _ => 0,
        }
    }

    fn words(&self, unseen: CardSet) -> Hasher {
        let mut words = Hasher::new();
        for tribe in self.seated() {
            let owned = u64::from(tribe.buildings.0);
            let [wood, clay, stone, gold] = tribe.resources.map(u64::from);
            let [one, two, three] = tribe.tools;
            let small = [tribe.figures, tribe.available, tribe.agriculture, tribe.used];
            let [figures, available, agriculture, used] = small;
            words.add(
                tribe.cards.0,
                owned | u64::from(tribe.food) << 32 | u64::from(tribe.score as u16) << 48,
            );
            words.add(
                wood | clay << 16 | stone << 32 | gold << 48,
                bytes([
                    figures | agriculture << 4,
                    0,
                    0,
                    used,
                    one | two << 4,
                    three,
                    available,
                    0,
                ]) | u64::from(tribe.one_use & 0xff) << 56
                    | u64::from(tribe.one_use >> 8) << 28
                    | u64::from(tribe.todo) << 8,
            );
        }
        for pair in self.places.chunks_exact(4) {
            let [a, b] = [[pair[0], pair[1]], [pair[2], pair[3]]]
                .map(|[one, other]| rows(one.map(|n| n as i8), other.map(|n| n as i8)));
            words.add(a, b);
        }
        words.add(rows(self.cards, self.card_figures), rows(self.buildings, self.building_figures));
        let supply = self.supply.map(|pieces| pieces as i8);
        let stacks = self.stacks.map(|tiles| tiles as i8);
        words.add(rows(supply, stacks), unseen.0);
        words.add(
            u64::from(self.tiles.0) | u64::from(self.switches.0) << 32,
            bytes([
                self.players,
                self.round,
                self.first,
                self.active,
                self.resolver,
                self.step as u8,
                self.phase as u8,
                self.needed,
            ]),
        );
        words.add(
            bytes([
                self.done,
                self.fed,
                self.passed,
                self.blocked,
                u8::from(self.paying),
                self.hidden_holder as u8,
                self.two_holder as u8,
                0,
            ]),
            0,
        );
        words
    }
}
