//! The pieces: what every card and building says, and the ways to pay.

use super::bits::Ranked;

/// Kinds of cards; two of them exist twice.
pub(super) const CARDS: usize = 34;
/// Cards in the box.
pub(super) const CARD_PIECES: usize = 36;
/// Kinds of buildings; five of them exist twice or three times.
pub(super) const BUILDINGS: usize = 22;
/// Building tiles in the box.
pub(super) const TILES: usize = 28;
/// Tiles in each stack.
pub(super) const STACK: u8 = 7;
/// Ways to pay one to seven resources.
pub(super) const PAYMENTS: usize = 329;

/// The resources in order.
pub(super) const RESOURCES: [&str; 4] = ["wood", "clay", "stone", "gold"];
/// What each resource is worth, which is also what a roll is divided by.
pub(super) const VALUES: [u8; 4] = [3, 4, 5, 6];
/// What a roll for food is divided by.
pub(super) const FOOD_VALUE: u8 = 2;
/// The pieces of each resource in the box.
pub(super) const SUPPLY: [u8; 4] = [28, 18, 12, 10];
/// What the six faces of a gift die give.
pub(super) const GIFTS: [&str; 6] = ["wood", "clay", "stone", "gold", "tool", "field"];
/// The symbols of green cards.
pub(super) const SYMBOLS: [&str; 8] =
    ["pottery", "weaving", "art", "time", "transport", "music", "medicine", "writing"];
/// The people of sand cards.
pub(super) const ROLES: [&str; 4] = ["farmer", "tool maker", "builder", "shaman"];

/// What a card gives when it is bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// One die for each player, and everybody takes one.
    Gifts,
    /// Food.
    Food(u8),
    /// Pieces of one resource.
    Resource { kind: u8, amount: u8 },
    /// Two dice for a resource.
    Dice { kind: u8 },
    /// Points at once.
    Points(u8),
    /// One step of agriculture.
    Field,
    /// One tool step.
    Tool,
    /// A tool that works once.
    OneUse(u8),
    /// A card from the deck, kept face down.
    Draw,
    /// Two resources of the player's choice.
    AnyTwo,
}

/// What a card counts for at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bottom {
    /// A green card: one of the eight symbols.
    Symbol(u8),
    /// A sand card: so many people of one role.
    People { role: u8, count: u8 },
}

/// One kind of card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) top: Top,
    pub(super) bottom: Bottom,
}

const fn green(top: Top, symbol: u8) -> Card {
    Card { top, bottom: Bottom::Symbol(symbol) }
}

const fn sand(top: Top, role: u8, count: u8) -> Card {
    Card { top, bottom: Bottom::People { role, count } }
}

const FARMER: u8 = 0;
const TOOL_MAKER: u8 = 1;
const BUILDER: u8 = 2;
const SHAMAN: u8 = 3;

/// The cards by number.
pub(super) static CARD: [Card; CARDS] = [
    green(Top::AnyTwo, 6),
    green(Top::Food(5), 6),
    green(Top::Draw, 7),
    green(Top::Gifts, 7),
    green(Top::Field, 3),
    green(Top::Gifts, 3),
    green(Top::Food(7), 0),
    green(Top::Gifts, 0),
    green(Top::Gifts, 4),
    green(Top::Resource { kind: 2, amount: 2 }, 4),
    green(Top::Tool, 2),
    green(Top::Dice { kind: 3 }, 2),
    green(Top::Food(3), 1),
    green(Top::Food(1), 1),
    green(Top::Points(3), 5), // twice
    sand(Top::Dice { kind: 0 }, SHAMAN, 2),
    sand(Top::Resource { kind: 1, amount: 1 }, SHAMAN, 2),
    sand(Top::Resource { kind: 3, amount: 1 }, SHAMAN, 1),
    sand(Top::Dice { kind: 2 }, SHAMAN, 1),
    sand(Top::Resource { kind: 2, amount: 1 }, SHAMAN, 1),
    sand(Top::Points(3), BUILDER, 3),
    sand(Top::Gifts, BUILDER, 2),
    sand(Top::Food(2), BUILDER, 2),
    sand(Top::Gifts, BUILDER, 1),
    sand(Top::Food(4), BUILDER, 1),
    sand(Top::Field, FARMER, 1),
    sand(Top::Gifts, FARMER, 2),
    sand(Top::Food(3), FARMER, 2),
    sand(Top::Gifts, FARMER, 1),
    sand(Top::Resource { kind: 2, amount: 1 }, FARMER, 1),
    sand(Top::Gifts, TOOL_MAKER, 2), // twice
    sand(Top::OneUse(2), TOOL_MAKER, 2),
    sand(Top::OneUse(4), TOOL_MAKER, 1),
    sand(Top::OneUse(3), TOOL_MAKER, 1),
];

/// What a building asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Building {
    /// Exactly the printed resources.
    Fixed { cost: [u8; 4] },
    /// So many resources of exactly so many kinds.
    Variable { total: u8, kinds: u8 },
    /// One to seven resources of any kinds.
    OneToSeven,
}

const fn fixed(wood: u8, clay: u8, stone: u8, gold: u8) -> Building {
    Building::Fixed { cost: [wood, clay, stone, gold] }
}

const fn variable(total: u8, kinds: u8) -> Building {
    Building::Variable { total, kinds }
}

/// The buildings by number.
pub(super) static BUILDING: [Building; BUILDINGS] = [
    fixed(2, 1, 0, 0),
    fixed(2, 0, 1, 0),
    fixed(1, 2, 0, 0),
    fixed(1, 1, 1, 0), // twice
    fixed(2, 0, 0, 1),
    fixed(1, 0, 2, 0),
    fixed(0, 2, 1, 0),
    fixed(1, 1, 0, 1), // twice
    fixed(1, 0, 1, 1), // twice
    fixed(0, 2, 0, 1),
    fixed(0, 1, 2, 0),
    fixed(0, 1, 1, 1), // twice
    fixed(0, 0, 2, 1),
    Building::OneToSeven, // three times
    variable(4, 1),
    variable(4, 2),
    variable(4, 3),
    variable(4, 4),
    variable(5, 1),
    variable(5, 2),
    variable(5, 3),
    variable(5, 4),
];

/// Payments as one byte for each resource, wood lowest: by total, then wood,
/// clay and stone ascending.
pub(super) static PAYMENT: [u32; PAYMENTS] = payments();
/// Where the payments of each total begin; the last entry is their number.
pub(super) static FIRST_PAYMENT: [u16; 9] = first_payments();

const fn payments() -> [u32; PAYMENTS] {
    let mut table = [0; PAYMENTS];
    let (mut at, mut total) = (0, 1);
    while total <= 7 {
        let mut wood = 0;
        while wood <= total {
            let mut clay = 0;
            while wood + clay <= total {
                let mut stone = 0;
                while wood + clay + stone <= total {
                    let gold = total - wood - clay - stone;
                    table[at] = u32::from_le_bytes([wood, clay, stone, gold]);
                    at += 1;
                    stone += 1;
                }
                clay += 1;
            }
            wood += 1;
        }
        total += 1;
    }
    table
}

const fn first_payments() -> [u16; 9] {
    let mut first = [0; 9];
    let mut total = 1;
    while total <= 7 {
        // The ways to share `total` pieces among four kinds.
        first[total + 1] = first[total] + ((total + 1) * (total + 2) * (total + 3) / 6) as u16;
        total += 1;
    }
    first
}

/// Words of 64 payments each.
pub(super) const PAYMENT_WORDS: usize = PAYMENTS.div_ceil(64);
/// A set of payments.
type Payments = [u64; PAYMENT_WORDS];

/// `WITHIN[kind][pieces]`: the payments with at most so many of a kind.
static WITHIN: [[Payments; 8]; 4] = within();
/// `OF_KINDS[total][kinds]`: the payments of a total and a number of kinds;
/// of any number of kinds where that is 0.
static OF_KINDS: [[Payments; 5]; 8] = of_kinds_table();

const fn within() -> [[Payments; 8]; 4] {
    let mut table = [[[0; PAYMENT_WORDS]; 8]; 4];
    let mut at = 0;
    while at < PAYMENTS {
        let pieces = PAYMENT[at].to_le_bytes();
        let mut kind = 0;
        while kind < 4 {
            let mut held = pieces[kind] as usize;
            while held < 8 {
                table[kind][held][at / 64] |= 1 << (at % 64);
                held += 1;
            }
            kind += 1;
        }
        at += 1;
    }
    table
}

const fn of_kinds_table() -> [[Payments; 5]; 8] {
    let mut table = [[[0; PAYMENT_WORDS]; 5]; 8];
    let mut at = 0;
    while at < PAYMENTS {
        let pieces = PAYMENT[at].to_le_bytes();
        let (mut total, mut kinds, mut kind) = (0, 0, 0);
        while kind < 4 {
            total += pieces[kind] as usize;
            kinds += (pieces[kind] > 0) as usize;
            kind += 1;
        }
        table[total][kinds][at / 64] |= 1 << (at % 64);
        table[total][0][at / 64] |= 1 << (at % 64);
        at += 1;
    }
    table
}

/// The payments that can be made from these resources.
#[inline]
pub(super) fn affordable(resources: &[u16; 4]) -> Payments {
    let [wood, clay, stone, gold]: [&Payments; 4] =
        std::array::from_fn(|kind| &WITHIN[kind][resources[kind].min(7) as usize]);
    std::array::from_fn(|word| wood[word] & clay[word] & stone[word] & gold[word])
}

/// The payments of so many pieces.
#[inline]
pub(super) fn of_total(total: usize) -> &'static Payments {
    &OF_KINDS[total][0]
}

/// The payments of so many pieces of exactly so many kinds.
#[inline]
pub(super) fn of_kinds(total: usize, kinds: usize) -> &'static Payments {
    &OF_KINDS[total][kinds]
}

/// Whether `payment` can be made from `purse`, both with bytes below 128.
#[inline]
pub(super) const fn covers(purse: u32, payment: u32) -> bool {
    ((purse | 0x8080_8080) - payment) & 0x8080_8080 == 0x8080_8080
}

/// The points of a payment, or of a fixed cost.
#[inline]
pub(super) fn worth(payment: [u8; 4]) -> i16 {
    payment.iter().zip(VALUES).map(|(&pieces, value)| i16::from(pieces * value)).sum()
}

/// The number of the payment that consists of these pieces.
pub(super) fn payment_of(pieces: [u8; 4]) -> usize {
    let [wood, clay, stone, gold] = pieces.map(usize::from);
    let (mut at, mut left) =
        (FIRST_PAYMENT[wood + clay + stone + gold] as usize, clay + stone + gold);
    // The ways to share what is left when fewer of a kind are taken.
    at += (0..wood).map(|less| ways(left + wood - less, 3)).sum::<usize>();
    at += (0..clay).map(|less| ways(left - less, 2)).sum::<usize>();
    left -= clay;
    debug_assert!(left == stone + gold);
    at + stone
}

/// The ways to share `pieces` among `kinds`.
const fn ways(pieces: usize, kinds: usize) -> usize {
    match kinds {
        3 => (pieces + 1) * (pieces + 2) / 2,
        2 => pieces + 1,
        _ => 1,
    }
}

/// Cards as a set of bits: one for each kind, then one for each second copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CardSet(pub(super) u64);

/// The bits of each kind of card, lowest first.
static CARD_BITS: [u64; CARDS] = card_bits();

const fn card_bits() -> [u64; CARDS] {
    let mut bits = [0; CARDS];
    let mut kind = 0;
    while kind < CARDS {
        bits[kind] = 1 << kind;
        kind += 1;
    }
    bits[14] |= 1 << 34;
    bits[30] |= 1 << 35;
    bits
}

impl CardSet {
    /// Every card of the box.
    pub(super) const ALL: Self = Self((1 << CARD_PIECES) - 1);

    /// How many cards there are.
    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// How many of one kind there are.
    #[inline]
    pub(super) fn count(self, kind: usize) -> u8 {
        (self.0 & CARD_BITS[kind]).count_ones() as u8
    }

    /// Adds one of a kind.
    #[inline]
    pub(super) fn add(&mut self, kind: usize) {
        let free = CARD_BITS[kind] & !self.0;
        self.0 |= free & free.wrapping_neg();
    }

    /// Takes one of a kind away.
    #[inline]
    pub(super) fn remove(&mut self, kind: usize) {
        let held = CARD_BITS[kind] & self.0;
        self.0 &= !highest(held);
    }

    /// The kind of card number `at`, all in order.
    #[inline]
    pub(super) fn nth(self, at: usize) -> usize {
        match Ranked::new(self.0).nth(at) {
            34 => 14,
            35 => 30,
            kind => kind,
        }
    }
}

/// Buildings as a set of bits: one for each kind, then the further copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileSet(pub(super) u32);

/// The kinds that the bits above the first of each kind stand for.
const COPIES: [usize; TILES - BUILDINGS] = [3, 7, 8, 11, 13, 13];

/// The bits of each kind of building, lowest first.
static TILE_BITS: [u32; BUILDINGS] = tile_bits();

const fn tile_bits() -> [u32; BUILDINGS] {
    let mut bits = [0; BUILDINGS];
    let mut kind = 0;
    while kind < BUILDINGS {
        bits[kind] = 1 << kind;
        kind += 1;
    }
    let mut copy = 0;
    while copy < COPIES.len() {
        bits[COPIES[copy]] |= 1 << (BUILDINGS + copy);
        copy += 1;
    }
    bits
}

impl TileSet {
    /// Every tile of the box.
    pub(super) const ALL: Self = Self((1 << TILES) - 1);

    /// How many tiles there are.
    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// How many of one kind there are.
    #[inline]
    pub(super) fn count(self, kind: usize) -> u8 {
        (self.0 & TILE_BITS[kind]).count_ones() as u8
    }

    /// Adds one of a kind.
    #[inline]
    pub(super) fn add(&mut self, kind: usize) {
        let free = TILE_BITS[kind] & !self.0;
        self.0 |= free & free.wrapping_neg();
    }

    /// Takes one of a kind away.
    #[inline]
    pub(super) fn remove(&mut self, kind: usize) {
        let held = TILE_BITS[kind] & self.0;
        self.0 &= !(highest(u64::from(held)) as u32);
    }

    /// The kind of tile number `at`, all in order.
    #[inline]
    pub(super) fn nth(self, at: usize) -> usize {
        match Ranked::new(u64::from(self.0)).nth(at) {
            copy @ BUILDINGS.. => COPIES[copy - BUILDINGS],
            kind => kind,
        }
    }
}

/// The highest bit that is set, if any.
#[inline]
const fn highest(bits: u64) -> u64 {
    if bits == 0 { 0 } else { 1 << bits.ilog2() }
}
