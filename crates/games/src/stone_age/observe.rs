//! Writes observations.

use super::actions::ORDER;
use super::data::{BUILDINGS, CARDS};
use super::layout::{DECK, LEN, SHARED, STACKS, TRIBE, TRIBES};
use super::{Phase, SEATS, StoneAge, Tribe};

/// The eight bits of each byte as cells.
static CELLS_OF: [[i32; 8]; 256] = cells_of();

const fn cells_of() -> [[i32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[bits][bit] = (bits >> bit & 1) as i32;
            bit += 1;
        }
        bits += 1;
    }
    table
}

/// The lowest four bits as cells.
#[inline]
fn four_cells(bits: u8) -> [i32; 4] {
    *CELLS_OF[(bits & 15) as usize].first_chunk().expect("eight are more than four")
}

/// Writes the lowest `CELLS` bits, one cell each.
#[inline]
fn write_bits<const CELLS: usize>(bits: u64, out: &mut [i32; CELLS]) {
    let (eights, rest) = out.as_chunks_mut::<8>();
    for (cells, byte) in eights.iter_mut().zip(bits.to_le_bytes()) {
        *cells = CELLS_OF[byte as usize];
    }
    let done = CELLS - rest.len();
    let (fours, rest) = rest.as_chunks_mut::<4>();
    for cells in fours {
        *cells = four_cells((bits >> done) as u8);
    }
    let done = CELLS - rest.len();
    for (at, cell) in rest.iter_mut().enumerate() {
        *cell = (bits >> (done + at) & 1) as i32;
    }
}

#[inline]
fn write_cards(cards: u64, out: &mut [i32; CARDS]) {
    write_bits(cards, out);
    if cards >> CARDS != 0 {
        out[14] += (cards >> 34 & 1) as i32;
        out[30] += (cards >> 35 & 1) as i32;
    }
}

#[inline]
fn write_tiles(tiles: u32, out: &mut [i32; BUILDINGS]) {
    write_bits(u64::from(tiles), out);
    if tiles >> BUILDINGS != 0 {
        let copy = |at: u32| (tiles >> at & 1) as i32;
        out[3] += copy(22);
        out[7] += copy(23);
        out[8] += copy(24);
        out[11] += copy(25);
        out[13] += copy(26) + copy(27);
    }
}

impl Tribe {
    #[inline]
    fn write(&self, out: &mut [i32; TRIBE]) {
        out[..4].copy_from_slice(&self.resources.map(i32::from));
        out[4] = i32::from(self.food);
        out[5] = i32::from(self.figures);
        out[6] = i32::from(self.available);
        out[7] = i32::from(self.agriculture);
        for tool in 0..3 {
            out[8 + tool] = i32::from(self.tools[tool]);
        }
        // Three flags; the fourth cell is overwritten by the score.
        out[11..15].copy_from_slice(&four_cells(self.used));
        out[14] = i32::from(self.score);
        out[15] = self.has_one_use(3);
        out[16] = self.has_one_use(4);
        write_cards(self.cards.0, out[17..].first_chunk_mut().expect("the block is longer"));
        write_tiles(self.buildings.0, out[17 + CARDS..].first_chunk_mut().expect("it ends here"));
    }

    #[inline]
    fn has_one_use(&self, value: u16) -> i32 {
        let tools = self.one_use;
        if tools == 0 {
            return 0;
        }
        i32::from(tools & 15 == value || tools >> 4 & 15 == value || tools >> 8 == value)
    }
}

/// The seats relative to an observer.
#[derive(Clone, Copy)]
struct Perspective {
    seat: u8,
    players: u8,
    /// The seats from the observer on, then the empty ones.
    order: [u8; SEATS],
    /// The distance of each seat from the observer; -1 for the last entry, which seat -1
    /// (nobody) indexes.
    relative: [i32; 8],
}

/// `PERSPECTIVES[players][observer]`.
static PERSPECTIVES: [[Perspective; SEATS]; SEATS + 1] = perspectives();

const fn perspectives() -> [[Perspective; SEATS]; SEATS + 1] {
    let nobody = Perspective { seat: 0, players: 0, order: [0, 1, 2, 3], relative: [-1; 8] };
    let mut table = [[nobody; SEATS]; SEATS + 1];
    let mut players = 2;
    while players <= SEATS {
        let mut at = 0;
        while at < players * players {
            let (seat, steps) = (at / players, at % players);
            let of = (seat + steps) % players;
            let perspective = &mut table[players][seat];
            (perspective.seat, perspective.players) = (seat as u8, players as u8);
            perspective.order[steps] = of as u8;
            perspective.relative[of] = steps as i32;
            at += 1;
        }
        players += 1;
    }
    table
}

impl Perspective {
    /// The relative seat of a holder; -1 for nobody.
    #[inline]
    fn holder(&self, of: i8) -> i32 {
        self.relative[(of & 7) as usize]
    }

    /// The relative seat of a player.
    #[inline]
    fn relative(&self, of: u8) -> i32 {
        self.holder(of as i8)
    }

    /// A row of numbers rotated to the observer; 0 for unused seats.
    #[inline]
    fn row(&self, row: [u8; SEATS]) -> [i32; SEATS] {
        let round = u64::from(u32::from_le_bytes(row));
        let rotated = (round | round << (8 * self.players)) >> (8 * self.seat);
        let seated = rotated & ((1 << (8 * self.players)) - 1);
        (seated as u32).to_le_bytes().map(i32::from)
    }

    /// A set of seats rotated to the observer, as cells.
    #[inline]
    fn seats(&self, seats: u8) -> [i32; SEATS] {
        let rotated = (seats | seats << self.players) >> self.seat;
        four_cells(rotated & ((1 << self.players) - 1))
    }
}

/// Writes four cells from `at` on.
#[inline]
fn write_four(out: &mut [i32; LEN], at: usize, cells: [i32; 4]) {
    out[at..at + 4].copy_from_slice(&cells);
}

impl StoneAge {
    /// Writes the observation of `seat`.
    pub(super) fn write_observation(&self, seat: u8, out: &mut [i32]) {
        let out: &mut [i32; LEN] = out.try_into().expect("the buffer fits the layout");
        let perspective = &PERSPECTIVES[self.players as usize][seat as usize];
        self.write_head(perspective, out);
        for at in 0..SEATS {
            let cells: &mut [i32; TRIBE] =
                out[TRIBES + at * TRIBE..].first_chunk_mut().expect("there are four");
            if at < self.players as usize {
                self.tribes[(perspective.order[at] & 3) as usize].write(cells);
            } else {
                cells.fill(-1);
            }
        }
        let unseen = out[DECK..].first_chunk_mut().expect("the stacks come after");
        write_cards(self.unseen_by(seat).0, unseen);
        write_four(out, STACKS, self.stacks.map(i32::from));
        self.write_extras(perspective, out);
    }

    #[inline]
    fn write_head(&self, perspective: &Perspective, out: &mut [i32; LEN]) {
        let meta =
            [i32::from(self.players), i32::from(self.round), perspective.relative(self.first), 0];
        write_four(out, 0, meta);
        out[4] = self.phase as i32;
        out[5] = perspective.relative(self.active);
        out[6] = i32::from(self.asked);
        out[7] = perspective.relative(self.resolver);
        write_four(out, 8, perspective.seats(self.done));
        let resolved: &mut [i32; ORDER] = out[12..].first_chunk_mut().expect("the head is longer");
        write_bits(u64::from(self.places_resolved()), resolved);
        out[28] = i32::from(self.dice);
        out[29] = i32::from(self.pending);
        out[30] = i32::from(self.slot);
        out[31] = i32::from(self.picks);
        write_four(out, 32, self.gifts.map(i32::from));
        write_four(out, 36, perspective.seats(self.fed));
        out[40] = i32::from(self.needed);
        for (at, &row) in self.places.iter().enumerate() {
            write_four(out, 41 + 4 * at, perspective.row(row));
        }
        out[73] = i32::from(self.blocked);
        write_four(out, 74, self.supply.map(i32::from));
    }

    /// Writes the display twice, in the shared layout and as categories, and the cells after
    /// the shared ones.
    #[inline]
    fn write_extras(&self, perspective: &Perspective, out: &mut [i32; LEN]) {
        let (cards, tiles) = (self.cards.map(i32::from), self.buildings.map(i32::from));
        let on_cards = self.card_figures.map(|figure| perspective.holder(figure));
        let on_tiles = self.building_figures.map(|figure| perspective.holder(figure));
        for at in 0..4 {
            out[78 + 2 * at] = cards[at];
            out[79 + 2 * at] = on_cards[at];
            out[86 + 2 * at] = tiles[at];
            out[87 + 2 * at] = on_tiles[at];
        }
        for (at, cells) in [cards, on_cards, tiles, on_tiles].into_iter().enumerate() {
            write_four(out, SHARED + 4 * at, cells.map(|cell| cell + 1));
        }
        let twos = std::array::from_fn(|seat| self.tribes[seat].has_one_use(2) as u8);
        write_four(out, SHARED + 16, perspective.row(twos));
        write_four(out, SHARED + 20, perspective.seats(self.passed));
        let own = self.hidden_holder == perspective.seat as i8;
        let hidden = if own { i32::from(self.hidden_card) + 1 } else { 0 };
        let holders = [self.hidden_holder, self.two_holder].map(|who| perspective.holder(who) + 1);
        write_four(out, SHARED + 24, [i32::from(self.paying), hidden, holders[0], holders[1]]);
    }

    /// The resolved places, one bit each; those of the last round until the next action
    /// phase.
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
