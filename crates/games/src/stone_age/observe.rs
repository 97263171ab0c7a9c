//! The observation: 424 cells of the layout that the document rule set
//! shares with its C engine, then the cells that the printed rules add.

use meeple_game::{Field, ObservationSpec};

use super::actions::{FIRST_BUILDING, FIRST_CARD, ORDER};
use super::data::{BUILDINGS, CARDS};
use super::{Phase, SEATS, StoneAge, Tribe};

/// Cells of the layout that the document rule set shares with its C engine.
pub(super) const SHARED: usize = 424;
/// All cells.
pub(super) const LEN: usize = SHARED + 28;
/// Where the first player's cells begin.
const TRIBES: usize = 94;
/// The cells of one player.
const TRIBE: usize = 73;
/// Where the counts of unseen cards begin.
const DECK: usize = TRIBES + SEATS * TRIBE;
/// Where the sizes of the stacks begin.
const STACKS: usize = DECK + CARDS;

/// The layout. Absent players show -1 in all their cells.
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

const HEAD: [Field; 35] = [
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
];

const TAIL: [Field; 13] = [
    Field::count("building3_figure", 3).min(-1),
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

static FIELDS: [Field; 35 + 4 * 12 + 13] = fields();

const fn fields() -> [Field; 35 + 4 * 12 + 13] {
    let tribes = [tribe!(0), tribe!(1), tribe!(2), tribe!(3)];
    let mut fields = [HEAD[0]; 35 + 4 * 12 + 13];
    let mut at = 0;
    while at < fields.len() {
        fields[at] = match at {
            ..35 => HEAD[at],
            // The figure on the last stack comes before the players.
            35 => TAIL[0],
            36..84 => tribes[(at - 36) / 12][(at - 36) % 12],
            _ => TAIL[at - 83],
        };
        at += 1;
    }
    fields
}

/// Four cells of 0 or 1 for each value of four bits.
static NIBBLES: [[i32; 4]; 16] = nibbles();

const fn nibbles() -> [[i32; 4]; 16] {
    let mut table = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut bit = 0;
        while bit < 4 {
            table[bits][bit] = (bits >> bit & 1) as i32;
            bit += 1;
        }
        bits += 1;
    }
    table
}

/// Writes the lowest `out.len()` bits, one cell each.
#[inline]
fn write_bits(bits: u64, out: &mut [i32]) {
    let mut left = bits;
    for cells in out.chunks_mut(4) {
        cells.copy_from_slice(&NIBBLES[(left & 15) as usize][..cells.len()]);
        left >>= 4;
    }
}

#[inline]
fn write_cards(cards: u64, out: &mut [i32; CARDS]) {
    write_bits(cards, out);
    out[14] += (cards >> 34 & 1) as i32;
    out[30] += (cards >> 35 & 1) as i32;
}

#[inline]
fn write_tiles(tiles: u32, out: &mut [i32; BUILDINGS]) {
    write_bits(u64::from(tiles), out);
    let copy = |at: u32| (tiles >> at & 1) as i32;
    out[3] += copy(22);
    out[7] += copy(23);
    out[8] += copy(24);
    out[11] += copy(25);
    out[13] += copy(26) + copy(27);
}

impl Tribe {
    fn write(&self, out: &mut [i32; TRIBE]) {
        out[0] = i32::from(self.resources[0]);
        out[1] = i32::from(self.resources[1]);
        out[2] = i32::from(self.resources[2]);
        out[3] = i32::from(self.resources[3]);
        out[4] = i32::from(self.food);
        out[5] = i32::from(self.figures);
        out[6] = i32::from(self.available);
        out[7] = i32::from(self.agriculture);
        for tool in 0..3 {
            out[8 + tool] = i32::from(self.tools[tool]);
            out[11 + tool] = i32::from(self.used >> tool & 1);
        }
        out[14] = i32::from(self.score);
        out[15] = self.has_one_use(3);
        out[16] = self.has_one_use(4);
        write_cards(self.cards.0, out[17..].first_chunk_mut().expect("the block is longer"));
        write_tiles(self.buildings.0, out[17 + CARDS..].first_chunk_mut().expect("it ends here"));
    }

    #[inline]
    fn has_one_use(&self, value: u16) -> i32 {
        let tools = self.one_use;
        i32::from(tools & 15 == value || tools >> 4 & 15 == value || tools >> 8 == value)
    }
}

impl StoneAge {
    /// Writes what the player on `seat` sees.
    pub(super) fn write_observation(&self, seat: u8, out: &mut [i32]) {
        let out: &mut [i32; LEN] = out.try_into().expect("the buffer fits the layout");
        let players = self.players as usize;
        let relative = |of: u8| {
            let ahead = of + self.players - seat;
            i32::from(if ahead >= self.players { ahead - self.players } else { ahead })
        };
        let holder = |of: i8| if of < 0 { -1 } else { relative(of as u8) };
        out[0] = i32::from(self.players);
        out[1] = i32::from(self.round);
        out[2] = relative(self.first);
        out[3] = 0;
        out[4] = self.phase as i32;
        out[5] = relative(self.active);
        out[6] = i32::from(self.asked);
        out[7] = relative(self.resolver);
        write_bits(u64::from(self.places_resolved()), &mut out[12..28]);
        out[28] = i32::from(self.dice);
        out[29] = i32::from(self.pending);
        out[30] = i32::from(self.slot);
        out[31] = i32::from(self.picks);
        out[40] = i32::from(self.needed);
        out[73] = i32::from(self.blocked);
        let extra = SHARED;
        for at in 0..4 {
            out[32 + at] = i32::from(self.gifts[at]);
            out[74 + at] = i32::from(self.supply[at]);
            let (card, building) = (i32::from(self.cards[at]), i32::from(self.buildings[at]));
            let (on_card, on_building) =
                (holder(self.card_figures[at]), holder(self.building_figures[at]));
            out[78 + 2 * at] = card;
            out[79 + 2 * at] = on_card;
            out[86 + 2 * at] = building;
            out[87 + 2 * at] = on_building;
            out[STACKS + at] = i32::from(self.stacks[at]);
            out[extra + at] = card + 1;
            out[extra + 4 + at] = on_card + 1;
            out[extra + 8 + at] = building + 1;
            out[extra + 12 + at] = on_building + 1;
        }
        for at in 0..SEATS {
            let cells: &mut [i32; TRIBE] =
                out[TRIBES + at * TRIBE..].first_chunk_mut().expect("there are four");
            if at >= players {
                cells.fill(-1);
                out[8 + at] = 0;
                out[36 + at] = 0;
                (0..8).for_each(|place| out[41 + 4 * place + at] = 0);
                out[extra + 16 + at] = 0;
                out[extra + 20 + at] = 0;
                continue;
            }
            let other = self.after(seat, at as u8) as usize;
            self.tribes[other].write(cells);
            out[8 + at] = i32::from(self.done >> other & 1);
            out[36 + at] = i32::from(self.fed >> other & 1);
            for place in 0..8 {
                out[41 + 4 * place + at] = i32::from(self.places[place][other]);
            }
            out[extra + 16 + at] = self.tribes[other].has_one_use(2);
            out[extra + 20 + at] = i32::from(self.passed >> other & 1);
        }
        let unseen = out[DECK..].first_chunk_mut().expect("the stacks come after");
        write_cards(self.unseen_by(seat).0, unseen);
        out[extra + 24] = i32::from(self.paying);
        let own = self.hidden_holder == seat as i8;
        out[extra + 25] = if own { i32::from(self.hidden_card) + 1 } else { 0 };
        out[extra + 26] = holder(self.hidden_holder) + 1;
        out[extra + 27] = holder(self.two_holder) + 1;
    }

    /// The places that need no more resolving, one bit each; those of the
    /// last round until the next actions begin.
    fn places_resolved(&self) -> u16 {
        match self.phase {
            Phase::Actions if self.free_action_order() => !self.tribes[self.resolver as usize].todo,
            // The C engine clears these marks once a round only.
            Phase::Actions if self.resolver == self.first => (1 << self.place) - 1,
            Phase::Place if self.round == 0 => 0,
            _ => u16::MAX,
        }
    }
}

const _: () =
    assert!(SPEC_LEN == LEN && FIRST_CARD + 4 == FIRST_BUILDING && FIRST_BUILDING + 4 == ORDER);
const SPEC_LEN: usize = ObservationSpec::new(1, &CONST_FIELDS).len();
const CONST_FIELDS: [Field; 35 + 4 * 12 + 13] = fields();
