//! What a player sees, as numbers: a short summary, then a row for each thing.

use meeple_game::{Action, ActionList, Field, ObservationSpec};

use crate::magic::actions::{self, Choice};
use crate::magic::language::{Keyword, Type};
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{BySlot, SLOTS, Slot, Slots};
use crate::magic::state::{ChosenTarget, Magic, Question};
use crate::magic::table::card::{ByDeckCard, KINDS};
use crate::magic::view::encoding::{CARD, FIRST_KEYWORD, FIRST_TYPE, KEYWORD_COLUMN, POWER};

/// Numbers of a row: how many, which card, the card's own, and its status:
/// tapped, sick, damage, counters, attacking, blocking, blocked, the row it is
/// attached to or blocks, whether it is the observer's, the row it is aimed at.
const COLUMNS: usize = 2 + CARD + STATUS;
const STATUS: usize = 10;
/// The column of the status.
const AT_STATUS: usize = 2 + CARD;

const HAND: usize = 8;
const SHOWN: usize = 2;
const PERMANENTS: usize = 9;
const LANDS: usize = 3;
const STACK: usize = 3;
const GRAVEYARD: usize = 3;
/// The row at which each kind begins.
const AT_SHOWN: usize = HAND;
const AT_PERMANENTS: usize = AT_SHOWN + SHOWN;
const AT_LANDS: usize = AT_PERMANENTS + 2 * PERMANENTS;
const AT_STACK: usize = AT_LANDS + 2 * LANDS;
const AT_GRAVEYARDS: usize = AT_STACK + STACK;
const ROWS: usize = AT_GRAVEYARDS + 2 * GRAVEYARD;
/// Actions that are described.
const ACTIONS: usize = 64;

/// Cells before the players'.
const CLOCK: usize = 13;
/// Cells of a player.
const PLAYER: usize = 24;
const AT_ROWS: usize = CLOCK + 2 * PLAYER;
const AT_ACTIONS: usize = AT_ROWS + ROWS * COLUMNS;

const fn rows(name: &'static str, count: usize) -> Field {
    Field::count(name, 255).min(-128).scale(4).times(count * COLUMNS)
}

/// The layout of an observation.
pub(in crate::magic) static SPEC: ObservationSpec = ObservationSpec::new(
    2,
    &[
        Field::category("question", Question::KINDS as i32),
        Field::category("phase", 13),
        Field::flag("your_turn"),
        Field::flag("you_decide"),
        Field::flag("your_priority"),
        Field::count("turn", 401).scale(20),
        Field::count("passes", 2),
        Field::count("stack", crate::magic::state::MAX_STACK as i32).scale(4),
        Field::count("question_row", ROWS as i32),
        Field::count("question_slot", SLOTS as i32).scale(32),
        Field::count("x", 255).scale(8),
        Field::count("menu", 384).scale(16),
        Field::count("cards_aside", 255).scale(8),
        Field::count("you", 255).min(-100).scale(20).times(PLAYER),
        Field::count("opponent", 255).min(-100).scale(20).times(PLAYER),
        rows("your_hand", HAND),
        rows("their_known_hand", SHOWN),
        rows("your_permanents", PERMANENTS),
        rows("their_permanents", PERMANENTS),
        rows("your_lands", LANDS),
        rows("their_lands", LANDS),
        rows("stack_items", STACK),
        rows("your_graveyard", GRAVEYARD),
        rows("their_graveyard", GRAVEYARD),
        Field::category("action_kinds", 10).times(ACTIONS),
        Field::count("action_about", 64 * actions::USES as i32 - 1).scale(64).times(ACTIONS),
        Field::count("action_ids", actions::ACTIONS as i32 - 1).scale(64).times(ACTIONS),
    ],
);

const _: () = assert!(SPEC.len() == AT_ACTIONS + 3 * ACTIONS, "the layout has all cells");

/// Where things are told of: rows from 1, 0 for nowhere.
struct Places {
    slots: BySlot<u8>,
    hand: BySeat<ByDeckCard<u8>>,
    graveyards: BySeat<ByDeckCard<u8>>,
}

impl Magic {
    /// Writes what `seat` sees.
    pub(in crate::magic) fn write_observation(&self, seat: Seat, out: &mut [i32]) {
        out.fill(0);
        let nowhere = BySeat([ByDeckCard([0; KINDS]); 2]);
        let mut places = Places { slots: BySlot::all(0), hand: nowhere, graveyards: nowhere };
        let (summary, rest) = out.split_at_mut(AT_ROWS);
        let (table, legal) = rest.split_at_mut(ROWS * COLUMNS);
        self.write_cards(seat, table, &mut places);
        self.write_permanents(seat, table, &mut places);
        self.write_stack(seat, table, &places);
        for (at, player) in [seat, seat.other()].into_iter().enumerate() {
            let first = CLOCK + at * PLAYER;
            self.write_player(player, seat, &mut summary[first..first + PLAYER]);
        }
        let offered = self.write_legal_actions(seat, legal, &places);
        self.write_clock(seat, &mut summary[..CLOCK], offered, &places);
    }

    fn write_clock(&self, seat: Seat, out: &mut [i32], offered: usize, places: &Places) {
        let [kind, about, _] = self.question.code();
        let slot = match self.question {
            Question::Attack(_)
            | Question::Block(_)
            | Question::Order(_)
            | Question::Colour(_)
            | Question::Instead(_)
            | Question::Assign(_)
            | Question::StayTapped(_) => Some(Slot::new(about)),
            _ => None,
        };
        let cells = [
            i32::from(kind),
            self.clock.phase as i32,
            i32::from(self.clock.active == seat),
            i32::from(offered > 0),
            i32::from(self.clock.priority == seat),
            i32::from(self.clock.turn),
            i32::from(self.clock.passes),
            self.stack.len() as i32,
            slot.map_or(0, |slot| i32::from(places.slots[slot])),
            slot.map_or(0, |slot| i32::from(slot.number()) + 1),
            i32::from(if self.announcement.active { self.announcement.item.x } else { 0 }),
            offered as i32,
            i32::from(self.aside.total()),
        ];
        out.copy_from_slice(&cells);
    }

    fn write_player(&self, player: Seat, observer: Seat, out: &mut [i32]) {
        let mine = &self.seats[player];
        let board = &self.board;
        let all = self.controlled(player);
        let creatures = self.creatures() & all;
        let able = creatures & !board.tapped & !board.summoning_sick;
        let flying = creatures & board.keywords[Keyword::Flying as usize];
        let power =
            |slots: Slots| -> i32 { slots.iter().map(|slot| i32::from(board.power[slot])).sum() };
        let toughness: i32 = creatures.iter().map(|slot| i32::from(board.toughness[slot])).sum();
        let lands = board.types[Type::Land as usize] & all;
        let known = if player == observer {
            mine.hand.total()
        } else {
            self.hand_for_opponent(player).0.total()
        };
        let [white, blue, black, red, green, colourless] = mine.pool.map(i32::from);
        let cells: [i32; PLAYER] = [
            i32::from(mine.life),
            i32::from(mine.hand.total()),
            i32::from(known),
            i32::from(self.library_size(player)),
            i32::from(mine.graveyard.total()),
            i32::from(mine.exiled),
            white,
            blue,
            black,
            red,
            green,
            colourless,
            i32::from(mine.lands_played),
            i32::from(mine.drawn),
            i32::from(mine.mulligans),
            i32::from(mine.extra_turns),
            creatures.len() as i32,
            power(creatures),
            toughness,
            power(able),
            power(flying),
            lands.len() as i32,
            (all & !creatures & !lands).len() as i32,
            self.mana_sources(player).len() as i32,
        ];
        for (cell, value) in out.iter_mut().zip(cells) {
            *cell = value.clamp(-100, 255);
        }
    }

    /// Hands and graveyards, by kind.
    fn write_cards(&self, seat: Seat, table: &mut [i32], places: &mut Places) {
        let theirs = seat.other();
        let hand = &self.seats[seat].hand;
        self.write_pile(hand, seat, true, 0..HAND, table, &mut places.hand);
        let (shown, _) = self.hand_for_opponent(theirs);
        let known = AT_SHOWN..AT_PERMANENTS;
        self.write_pile(&shown, theirs, false, known, table, &mut places.hand);
        for (at, owner) in [seat, theirs].into_iter().enumerate() {
            let first = AT_GRAVEYARDS + at * GRAVEYARD;
            let graveyard = &self.seats[owner].graveyard;
            let range = first..first + GRAVEYARD;
            self.write_pile(graveyard, owner, at == 0, range, table, &mut places.graveyards);
        }
    }

    fn write_pile(
        &self,
        pile: &Pile,
        owner: Seat,
        mine: bool,
        range: std::ops::Range<usize>,
        table: &mut [i32],
        places: &mut BySeat<ByDeckCard<u8>>,
    ) {
        for (row, card) in range.zip(pile.iter()) {
            let number = card.of(owner);
            let cells = &mut table[row * COLUMNS..(row + 1) * COLUMNS];
            cells[0] = i32::from(pile.count(card));
            cells[1] = i32::from(number.number());
            cells[2..AT_STATUS].copy_from_slice(&self.def(number).encoding);
            cells[AT_STATUS + 8] = i32::from(mine);
            places[owner][card] = row as u8 + 1;
        }
    }

    fn write_permanents(&self, seat: Seat, table: &mut [i32], places: &mut Places) {
        let lands = self.board.types[Type::Land as usize] & !self.creatures();
        for (at, player) in [seat, seat.other()].into_iter().enumerate() {
            let all = self.controlled(player);
            let first = AT_PERMANENTS + at * PERMANENTS;
            for (row, slot) in (first..first + PERMANENTS).zip((all & !lands).iter()) {
                places.slots[slot] = row as u8 + 1;
                self.write_permanent(slot, at == 0, &mut table[row * COLUMNS..][..COLUMNS]);
            }
            let first = AT_LANDS + at * LANDS;
            self.write_lands(all & lands, at == 0, first, table, places);
        }
        self.write_changes(!lands, table, places);
        for slot in (self.board.used & !lands).iter() {
            let row = places.slots[slot] as usize;
            let link = self.board.link[slot];
            if let (1.., Some(link)) = (row, link) {
                let linked = places.slots[link];
                table[(row - 1) * COLUMNS + AT_STATUS + 7] = i32::from(linked);
            }
        }
    }

    fn write_permanent(&self, slot: Slot, mine: bool, cells: &mut [i32]) {
        let board = &self.board;
        cells[0] = 1;
        cells[1] = i32::from(board.card[slot].number());
        // Keywords may have changed: those are written for all at once.
        cells[2..2 + POWER].copy_from_slice(&self.def_at(slot).encoding[..POWER]);
        cells[2 + POWER] = i32::from(board.power[slot]);
        cells[3 + POWER] = i32::from(board.toughness[slot]);
        let flag = |set: Slots| i32::from(set.has(slot));
        let status = [
            flag(board.tapped),
            flag(board.summoning_sick),
            i32::from(board.damage[slot]),
            i32::from(board.counters[slot]),
            flag(board.attacking),
            flag(board.blocking),
            flag(board.blocked),
            0,
            i32::from(mine),
            0,
        ];
        cells[AT_STATUS..].copy_from_slice(&status);
    }

    /// Lands by kind: how many, and how many are tapped.
    fn write_lands(
        &self,
        lands: Slots,
        mine: bool,
        first: usize,
        table: &mut [i32],
        places: &mut Places,
    ) {
        let mut kinds = 0;
        for slot in lands.iter() {
            let card = i32::from(self.board.card[slot].number());
            let known = (first..first + kinds).find(|row| table[row * COLUMNS + 1] == card);
            let row = match known {
                Some(row) => row,
                None if kinds < LANDS => {
                    kinds += 1;
                    let row = first + kinds - 1;
                    let cells = &mut table[row * COLUMNS..][..COLUMNS];
                    cells[1] = card;
                    cells[2..AT_STATUS].copy_from_slice(&self.def_at(slot).encoding);
                    cells[AT_STATUS + 8] = i32::from(mine);
                    row
                }
                None => continue,
            };
            table[row * COLUMNS] += 1;
            table[row * COLUMNS + AT_STATUS] += i32::from(self.board.tapped.has(slot));
            places.slots[slot] = row as u8 + 1;
        }
    }

    /// Keywords as they are now, and types where effects change them.
    fn write_changes(&self, shown: Slots, table: &mut [i32], places: &Places) {
        let mut mark = |set: Slots, column: usize| {
            for slot in (set & shown).iter() {
                let row = places.slots[slot] as usize;
                if row > 0 {
                    table[(row - 1) * COLUMNS + 2 + column] = 1;
                }
            }
        };
        for (&set, &column) in self.board.keywords.iter().zip(&KEYWORD_COLUMN) {
            if !set.is_empty() {
                mark(set, FIRST_KEYWORD + column as usize);
            }
        }
        if self.board.changed {
            for (index, &set) in self.board.types.iter().enumerate() {
                mark(set, FIRST_TYPE + index);
            }
        }
    }

    fn write_stack(&self, seat: Seat, table: &mut [i32], places: &Places) {
        // The top first: it resolves next.
        for (row, item) in (AT_STACK..AT_STACK + STACK).zip(self.stack.iter().rev()) {
            let cells = &mut table[row * COLUMNS..][..COLUMNS];
            cells[0] = i32::from(item.times);
            cells[1] = i32::from(item.card.number());
            cells[2..AT_STATUS].copy_from_slice(&self.def(item.card).encoding);
            cells[AT_STATUS] = i32::from(item.spell);
            cells[AT_STATUS + 3] = i32::from(item.x);
            cells[AT_STATUS + 8] = i32::from(item.you == seat);
            cells[AT_STATUS + 9] = match item.targets.first() {
                Some(ChosenTarget::Slot(slot)) => i32::from(places.slots[slot]),
                Some(ChosenTarget::Seat(player)) => 200 + i32::from(player != seat),
                Some(ChosenTarget::Card(card, _)) => {
                    i32::from(places.graveyards[card.owner()][card.in_deck()])
                }
                Some(ChosenTarget::Item(id)) => {
                    let place = self.stack.iter().position(|other| other.id == id);
                    place.map_or(0, |place| self.row_of_item(place))
                }
                _ => 0,
            };
        }
    }

    /// The row, from 1, of what is at a place of the stack; 0 for none.
    fn row_of_item(&self, place: usize) -> i32 {
        let depth = self.stack.len() - 1 - place.min(self.stack.len() - 1);
        if depth < STACK { (AT_STACK + depth + 1) as i32 } else { 0 }
    }

    /// The actions on the legal of `seat`; how many there are.
    fn write_legal_actions(&self, seat: Seat, out: &mut [i32], places: &Places) -> usize {
        use meeple_game::Game;
        if self.turn() != meeple_game::Turn::Player(seat.into()) {
            return 0;
        }
        let mut legal = ActionList::new();
        self.list_legal(&mut legal);
        let (kinds, rest) = out.split_at_mut(ACTIONS);
        let (abouts, ids) = rest.split_at_mut(ACTIONS);
        for (((kind, about), id), &action) in
            kinds.iter_mut().zip(abouts).zip(ids).zip(legal.iter())
        {
            (*kind, *about) = self.describe(action, seat, places);
            *id = i32::from(action.0);
        }
        legal.len()
    }

    /// What an action is, and the number or the row that it is about.
    fn describe(&self, action: Action, seat: Seat, places: &Places) -> (i32, i32) {
        let slot = |slot: Slot| i32::from(places.slots[slot]);
        match actions::choice(action, seat) {
            Choice::No => (1, 0),
            Choice::Yes => (2, 0),
            Choice::Number(number) => (3, i32::from(number)),
            Choice::Card(card) => {
                let (owner, card) = (card.owner(), card.in_deck());
                let hand = places.hand[owner][card];
                let from_hand = matches!(self.question, Question::Priority | Question::Card);
                let row = if from_hand && hand > 0 { hand } else { places.graveyards[owner][card] };
                (4, i32::from(row))
            }
            Choice::Seat(player) => (5, i32::from(player != seat)),
            Choice::Slot(place) => (6, slot(place)),
            Choice::Item(place) if self.question == Question::Trigger => (7, i32::from(place)),
            Choice::Item(place) => (7, self.row_of_item(place as usize)),
            Choice::Use(place, number) => (8, slot(place) + 64 * i32::from(number)),
            Choice::Recall(card) => (9, i32::from(places.graveyards[seat][card])),
        }
    }
}
