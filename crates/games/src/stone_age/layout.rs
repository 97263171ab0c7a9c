//! The observation layout: 424 cells that the document rule set shares with its C engine,
//! then the cells that the printed rules add.

use meeple_game::{Field, ObservationSpec};

use super::SEATS;
use super::actions::ORDER;
use super::data::{BUILDINGS, CARDS};

/// The number of cells shared with the C engine.
pub(super) const SHARED: usize = 424;
/// The number of cells.
pub(super) const LEN: usize = SHARED + 28;
/// The first cell of the first player.
pub(super) const TRIBES: usize = 94;
/// The number of cells of one player.
pub(super) const TRIBE: usize = 73;
/// The first cell of the counts of unseen cards.
pub(super) const DECK: usize = TRIBES + SEATS * TRIBE;
/// The first cell of the stack sizes.
pub(super) const STACKS: usize = DECK + CARDS;

/// The layout. All cells of absent players are -1.
pub(super) static SPEC: ObservationSpec = ObservationSpec::new(1, &FIELDS);

/// The cells of the player `$seat` seats after the observer.
macro_rules! tribe {
    ($seat:literal) => {
        [
            Field::count(concat!("seat", $seat, "_resources"), 10_000).min(-1).scale(10).times(4),
            Field::count(concat!("seat", $seat, "_food"), 20_000).min(-1).scale(20),
            Field::count(concat!("seat", $seat, "_figures"), 10).min(-1),
            Field::count(concat!("seat", $seat, "_available"), 10).min(-1),
            Field::count(concat!("seat", $seat, "_agriculture"), 10).min(-1),
            Field::count(concat!("seat", $seat, "_tools"), 4).min(-1).times(3),
            Field::count(concat!("seat", $seat, "_tools_used"), 1).min(-1).times(3),
            Field::count(concat!("seat", $seat, "_score"), 16_000).min(-4_000).scale(100),
            Field::count(concat!("seat", $seat, "_one_use_threes"), 1).min(-1),
            Field::count(concat!("seat", $seat, "_one_use_fours"), 1).min(-1),
            Field::count(concat!("seat", $seat, "_cards"), 2).min(-1).times(CARDS),
            Field::count(concat!("seat", $seat, "_buildings"), 3).min(-1).times(BUILDINGS),
        ]
    };
}

/// The fields before those of the players.
const HEAD: [Field; 36] = [
    Field::count("players", 4),
    Field::count("round", 249).scale(30),
    Field::category("first_player", 4),
    Field::flag("zero"),
    Field::category("phase", 4),
    Field::category("active_player", 4),
    Field::category("question", 8),
    Field::category("resolving_player", 4),
    Field::flag("actions_done").times(SEATS),
    Field::flag("places_resolved").times(ORDER),
    Field::count("last_roll", 90).scale(30),
    Field::count("last_roll_for", 3).min(-1),
    Field::category("last_slot", 4),
    Field::count("picks_left", 2),
    Field::count("gift_dice", 5).min(-1).times(SEATS),
    Field::flag("fed").times(SEATS),
    Field::count("food_needed", 10),
    Field::count("figures_on_places", 10).times(8 * SEATS),
    Field::category("village_blocked", 4),
    Field::count("supply", 28).times(4),
    Field::count("card0", 33).min(-1),
    Field::count("card0_figure", 3).min(-1),
    Field::count("card1", 33).min(-1),
    Field::count("card1_figure", 3).min(-1),
    Field::count("card2", 33).min(-1),
    Field::count("card2_figure", 3).min(-1),
    Field::count("card3", 33).min(-1),
    Field::count("card3_figure", 3).min(-1),
    Field::count("building0", 21).min(-1),
    Field::count("building0_figure", 3).min(-1),
    Field::count("building1", 21).min(-1),
    Field::count("building1_figure", 3).min(-1),
    Field::count("building2", 21).min(-1),
    Field::count("building2_figure", 3).min(-1),
    Field::count("building3", 21).min(-1),
    Field::count("building3_figure", 3).min(-1),
];

/// The fields after those of the players.
const TAIL: [Field; 12] = [
    Field::count("unseen_cards", 2).times(CARDS),
    Field::count("stack_sizes", 7).times(SEATS),
    Field::category("card_kinds", CARDS as i32 + 1).times(4),
    Field::category("card_holders", 5).times(4),
    Field::category("building_kinds", BUILDINGS as i32 + 1).times(4),
    Field::category("building_holders", 5).times(4),
    Field::count("one_use_twos", 1).times(SEATS),
    Field::flag("passed").times(SEATS),
    Field::flag("paying_for_food"),
    Field::category("hidden_card", CARDS as i32 + 1),
    Field::category("hidden_card_holder", 5),
    Field::category("two_resources_holder", 5),
];

/// The number of fields.
const COUNT: usize = HEAD.len() + SEATS * PLAYER_FIELDS + TAIL.len();
/// The number of fields of one player.
const PLAYER_FIELDS: usize = 12;

const FIELDS: [Field; COUNT] = {
    let tribes = [tribe!(0), tribe!(1), tribe!(2), tribe!(3)];
    let mut fields = [HEAD[0]; COUNT];
    let mut at = 0;
    while at < COUNT {
        fields[at] = if at < HEAD.len() {
            HEAD[at]
        } else if at < COUNT - TAIL.len() {
            let at = at - HEAD.len();
            tribes[at / PLAYER_FIELDS][at % PLAYER_FIELDS]
        } else {
            TAIL[at + TAIL.len() - COUNT]
        };
        at += 1;
    }
    fields
};

const _: () = assert!(ObservationSpec::new(1, &FIELDS).len() == LEN);
