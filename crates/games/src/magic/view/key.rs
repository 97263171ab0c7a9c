//! Keys: hashes of a whole state, and of the information set of one player.

use meeple_game::mix;

use crate::magic::language::{Effect, Zone};
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{BySlot, Slot, Slots};
use crate::magic::state::{Dying, Magic, Question, Stage, Task};
use crate::magic::table::card::CardId;
use crate::magic::view::hidden::hides;

/// Two running hashes, so that one does not wait for the other.
pub(super) struct Words {
    even: u64,
    odd: u64,
}

impl Words {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new() -> Self {
        Self { even: 0x243f_6a88_85a3_08d3, odd: 0x1319_8a2e_0370_7344 }
    }

    #[inline]
    pub(super) fn add(&mut self, even: u64, odd: u64) {
        self.even = (self.even.rotate_left(23) ^ even).wrapping_mul(Self::FACTOR);
        self.odd = (self.odd.rotate_left(29) ^ odd).wrapping_mul(Self::FACTOR);
    }

    #[inline]
    pub(super) fn add_set(&mut self, set: Slots) {
        let [low, high] = set.words();
        self.add(low, high);
    }

    /// Small numbers, as many as matter; their number is hashed with them.
    fn add_bytes(&mut self, bytes: impl ExactSizeIterator<Item = u8>) {
        let len = bytes.len() as u64;
        let (mut word, mut shift) = (0, 0);
        for byte in bytes {
            word |= u64::from(byte) << shift;
            shift += 8;
            if shift == u64::BITS {
                self.add(word, 0);
                (word, shift) = (0, 0);
            }
        }
        self.add(word, len);
    }

    pub(super) fn add_pile(&mut self, pile: &Pile) {
        self.add(pile.kinds().bits(), u64::from(pile.total()));
        let mut word = 0;
        for (place, card) in pile.iter().enumerate() {
            word = word << 8 | u64::from(pile.count(card));
            if place % 8 == 7 {
                self.add(word, 0);
                word = 0;
            }
        }
        self.add(word, 1);
    }

    fn finish(&self) -> u64 {
        mix(self.even ^ mix(self.odd))
    }
}

impl Magic {
    /// A hash of all that matters from here on.
    pub(in crate::magic) fn hash_all(&self) -> u64 {
        let mut words = self.public_words();
        for seat in self.seats.iter() {
            words.add_pile(&seat.library);
            words.add_pile(&seat.hand);
            for card in seat.hand.iter().filter(|&card| seat.shown[card] > 0) {
                words.add(u64::from(card.number()), u64::from(seat.shown[card]));
            }
            for known in seat.order.iter() {
                words.add(u64::from(known.card().number()), u64::from(known.seen().bits()));
            }
        }
        words.add_pile(&self.aside);
        if self.resolution.active {
            words.add_bytes(self.resolution.drawn.iter().map(|card| card.number()));
            words.add(u64::from(self.resolution.item.event_card.number()), 0);
        }
        words.finish()
    }

    /// A hash of all that the player on `seat` knows.
    pub(in crate::magic) fn hash_for(&self, seat: Seat) -> u64 {
        let mut words = self.public_words();
        words.add(u64::from(seat.number()), 0);
        words.add_pile(&self.seats[seat].hand);
        let (shown, _) = self.hand_for_opponent(seat.other());
        words.add_pile(&shown);
        // What the opponent knows of one's own hand.
        let (told, _) = self.hand_for_opponent(seat);
        words.add_pile(&told);
        for owner in Seat::BOTH {
            words.add_pile(&self.unseen_of(owner, seat));
            let mine = &self.seats[owner];
            for known in mine.order.iter() {
                let card = if hides(known, seat) { u8::MAX } else { known.card().number() };
                words.add(u64::from(card), u64::from(known.seen().bits()));
            }
        }
        if self.sees_aside(seat) {
            words.add_pile(&self.aside);
        }
        if self.chooses_among_drawn(seat) {
            words.add_bytes(self.resolution.drawn.iter().map(|card| card.number()));
        }
        words.finish()
    }

    /// Whether `seat` is to choose among the cards that the effect drew.
    fn chooses_among_drawn(&self, seat: Seat) -> bool {
        let choosing = self.tasks.last().is_some_and(
            |task| matches!(task, Task::Take { seat: by, owner, .. } if [by, owner] == [&seat; 2]),
        );
        choosing
            && matches!(self.running(), Some(Effect::Take { from, .. }) if from.contains(&Zone::Drawn))
    }

    /// What both players know.
    fn public_words(&self) -> Words {
        let mut words = Words::new();
        self.add_clock(&mut words);
        for seat in self.seats.iter() {
            seat.add_public(&mut words);
        }
        self.add_board(&mut words);
        for item in self.stack.iter() {
            item.add_to(&mut words);
            words.add(u64::from(item.event_card.number()), 0);
        }
        for effect in self.effects.iter() {
            effect.add_to(&mut words);
        }
        for pending in self.pending.iter() {
            pending.add_to(&mut words);
        }
        for later in self.delayed.iter() {
            later.what.add_to(&mut words);
            let (when, whose) = (later.when as u64, u64::from(Seat::byte(later.whose)));
            words.add(when | whose << 8, u64::from(later.from_turn));
        }
        for &group in self.groups.iter().filter(|group| !group.is_empty()) {
            words.add_set(group);
        }
        for task in self.tasks.iter() {
            let [kind, seat, left, first, second] = task.bytes();
            words.add(u64::from_le_bytes([kind, seat, left, first, second, 0, 0, 0]), 2);
        }
        for &(card, who) in self.playable.iter() {
            words.add(u64::from(card.number()), u64::from(who.number()) | 4);
        }
        if !self.tasks.is_empty() {
            let Dying { slots, destroyed, decided, to_exile } = self.dying;
            for set in [slots, destroyed, decided, to_exile] {
                words.add_set(set);
            }
            words.add_bytes(self.damage_answers.iter().copied());
            for &(blocker, amount) in self.assigned.iter() {
                words.add(u64::from(blocker.number()), u64::from(amount) | 1 << 8);
            }
        }
        self.add_work(&mut words);
        words
    }

    fn add_clock(&self, words: &mut Words) {
        let clock = &self.clock;
        let [kind, first, second] = self.question.code();
        let flags = [clock.begun, clock.combat_damage_prevented, clock.expired, clock.lingers];
        let flags = flags.into_iter().fold(0, |all, flag| all << 1 | u8::from(flag));
        let (asked, active) = (self.asked.number(), clock.active.number());
        let numbers = [kind, first, second, asked, clock.item, active, flags, 0];
        let more = [
            clock.phase as u8,
            clock.priority.number(),
            clock.passes,
            clock.after_combat as u8,
            clock.extra_combats,
            Slot::byte(clock.guard[Seat::First]),
            Slot::byte(clock.guard[Seat::Second]),
            clock.regular.number(),
        ];
        words.add(u64::from_le_bytes(numbers), u64::from_le_bytes(more));
        let sizes = [
            self.stack.len(),
            self.effects.len(),
            self.pending.len(),
            self.delayed.len(),
            self.tasks.len(),
            self.playable.len(),
            self.fault.map_or(0, |bound| bound as usize + 1),
            0,
        ];
        let turns = u64::from(clock.turn) | u64::from(clock.extra_turns) << 32;
        words.add(u64::from_le_bytes(sizes.map(|size| size as u8)), turns);
    }

    fn add_board(&self, words: &mut Words) {
        let board = &self.board;
        for set in [
            board.used,
            board.controller,
            board.base_controller,
            board.tapped,
            board.summoning_sick,
            board.attacking,
            board.blocking,
            board.blocked,
            board.attacked,
            board.damaged,
            board.deathtouched,
            board.first_struck,
        ] {
            words.add_set(set);
        }
        let end = board.used.last().map_or(0, |slot| slot.index() + 1);
        for start in (0..end).step_by(8) {
            let word = |row: &BySlot<u8>| bytes(row, start, |number| number);
            let signed = |row: &BySlot<i8>| bytes(row, start, |number| number as u8);
            let links = bytes(&board.link, start, Slot::byte) & used_bytes(board.used, start);
            words.add(bytes(&board.card, start, CardId::number), word(&board.damage));
            words.add(links, word(&board.memo));
            words.add(signed(&board.counters), signed(&board.power));
            words.add(signed(&board.toughness), 0);
        }
        words.add_bytes(board.static_order.iter().map(|slot| slot.number()));
    }

    /// What is being announced or resolved.
    fn add_work(&self, words: &mut Words) {
        let (cast, run) = (&self.announcement, &self.resolution);
        if cast.active {
            cast.item.add_to(words);
            words.add(u64::from(cast.item.event_card.number()), 0);
            let ability = cast.ability.unwrap_or(u8::MAX);
            let numbers = [cast.stage as u8, ability, cast.target, cast.chosen, cast.cost, 0, 0, 0];
            words.add(u64::from_le_bytes(numbers), 3);
            if cast.stage == Stage::Costs {
                words.add(cast.owed.word(), 4);
            }
        }
        if run.active {
            run.item.add_to(words);
            let numbers = [
                run.step,
                Seat::byte(run.them),
                run.players_done,
                run.kept,
                Slot::byte(run.chosen[0]),
                Slot::byte(run.chosen[1]),
                run.chosen_count,
                u8::from(run.moved),
            ];
            let more = [run.bid.0, Seat::byte(run.bid.1), run.drawn.len() as u8, 0, 0, 0, 0, 5];
            words.add(u64::from_le_bytes(numbers), u64::from_le_bytes(more));
        }
        let (owner, seen) = (self.aside_owner.number(), self.aside_seen.bits());
        let aside = [self.aside.total(), owner, seen, 0, 0, 0, 0, 6];
        if self.aside.total() > 0 {
            words.add(u64::from_le_bytes(aside), 7);
        }
    }
}

/// The values of eight slots as a word. Unused slots hold zeros, so words are alike where
/// states are.
#[inline]
fn bytes<T: Copy>(row: &BySlot<T>, start: usize, byte: impl Fn(T) -> u8) -> u64 {
    let eight: &[T; 8] = row.as_array()[start..].first_chunk().expect("rows have whole words");
    u64::from_le_bytes(eight.map(byte))
}

/// 255 for each of eight slots that is used, 0 for the others.
#[inline]
fn used_bytes(used: Slots, start: usize) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let eight = used.words()[start / 64] >> (start % 64) & 0xff;
    // A bit in the byte of each used slot, then the highest bit of that byte.
    let one = (eight * EACH) & 0x8040_2010_0804_0201;
    let ones = (one + 0x7f * EACH) >> 7 & EACH;
    ones * 0xff
}

impl Question {
    /// The question as numbers: its kind, from 0 to [`Question::KINDS`], and
    /// what it is about.
    pub(in crate::magic) fn code(self) -> [u8; 3] {
        match self {
            Self::Nothing => [0; 3],
            Self::Over => [1, 0, 0],
            Self::TopCard(seat) => [2, seat.number(), 0],
            Self::RandomCard(seat) => [3, seat.number(), 0],
            Self::Coin => [4, 0, 0],
            Self::Priority => [5, 0, 0],
            Self::Mulligan => [6, 0, 0],
            Self::Attack(slot) => [7, slot.number(), 0],
            Self::Block(slot) => [8, slot.number(), 0],
            Self::Order(slot) => [9, slot.number(), 0],
            Self::Mode => [10, 0, 0],
            Self::X(most) => [11, most, 0],
            Self::Target => [12, 0, 0],
            Self::Pay => [13, 0, 0],
            Self::Colour(slot) => [14, slot.number(), 0],
            Self::Card => [15, 0, 0],
            Self::Permanent => [16, 0, 0],
            Self::May => [17, 0, 0],
            Self::Way(count) => [18, count, 0],
            Self::Number(most) => [19, most, 0],
            Self::LandType => [20, 0, 0],
            Self::Trigger => [21, 0, 0],
            Self::Source => [22, 0, 0],
            Self::Retarget(id) => [23, id, 0],
            Self::StayTapped(slot) => [24, slot.number(), 0],
            Self::Greatest => [25, 0, 0],
            Self::Buy => [26, 0, 0],
            Self::Bid => [27, 0, 0],
            Self::Legend => [28, 0, 0],
            Self::Instead(slot) => [29, Slot::byte(slot), 0],
            Self::Assign(slot) => [30, slot.number(), 0],
            Self::Mana => [31, 0, 0],
            Self::Produce(card, ability) => [32, card.number(), ability],
        }
    }

    /// How many kinds of questions there are.
    pub(in crate::magic) const KINDS: usize = 33;
}
