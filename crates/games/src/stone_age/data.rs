//! Game data: cards, buildings and resources.

/// The number of card kinds; two of them exist twice.
pub(super) const CARDS: usize = 34;
/// The number of cards.
pub(super) const CARD_PIECES: usize = 36;
/// The number of building kinds; five of them exist twice or three times.
pub(super) const BUILDINGS: usize = 22;
/// The number of building tiles.
pub(super) const TILES: usize = 28;
/// The number of tiles in each stack.
pub(super) const STACK: u8 = 7;
/// The resources in order.
pub(super) const RESOURCES: [&str; 4] = ["wood", "clay", "stone", "gold"];
/// The value of each resource in points, also the divisor of a roll for it.
pub(super) const VALUES: [u8; 4] = [3, 4, 5, 6];
/// The divisor of a roll for food.
pub(super) const FOOD_VALUE: u8 = 2;
/// The supply of each resource.
pub(super) const SUPPLY: [u8; 4] = [28, 18, 12, 10];
/// The six faces of a gift die.
pub(super) const GIFTS: [&str; 6] = ["wood", "clay", "stone", "gold", "tool", "field"];
/// The symbols of green cards.
pub(super) const SYMBOLS: [&str; 8] =
    ["pottery", "weaving", "art", "time", "transport", "music", "medicine", "writing"];
/// The people of sand cards.
pub(super) const ROLES: [&str; 4] = ["farmer", "tool maker", "builder", "shaman"];

/// The immediate effect of a card, printed at its top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// One gift die for each player; each player takes one.
    Gifts,
    /// Food.
    Food(u8),
    /// An amount of one resource.
    Resource { kind: u8, amount: u8 },
    /// Two dice for a resource.
    Dice { kind: u8 },
    /// Immediate points.
    Points(u8),
    /// One step of agriculture.
    Field,
    /// One tool step.
    Tool,
    /// A one-use tool.
    OneUse(u8),
    /// A card drawn from the deck and kept face down.
    Draw,
    /// Two resources of the player's choice.
    AnyTwo,
}

/// The final scoring of a card, printed at its bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bottom {
    /// A green card: one of the eight symbols.
    Symbol(u8),
    /// A sand card: a number of people of one role.
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

/// The cost of a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Building {
    /// Exactly the printed resources.
    Fixed { cost: [u8; 4] },
    /// A number of resources of exactly a number of kinds.
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
