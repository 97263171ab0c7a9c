//! Names of actions and chance outcomes.

use super::data::{BUILDING, Bottom, Building, CARD, GIFTS, RESOURCES, ROLES, SYMBOLS, Top};
use super::legal::{
    ANY, DECLINE, FEED, FREE_CARD, GIFT, ONE_USE, PAY, PENALTY, PLACE_BUILDING, PLACE_CARD,
    PLACE_FIELD, PLACE_HUNT, PLACE_HUT, PLACE_PASS, PLACE_TOOL_MAKER, RESOLVE, TOOL, TOOLS_DONE,
};
use super::payments::{PAYMENT, payment_of, worth};
use super::{Step, StoneAge};

/// The places in the fixed order of actions, without cards and buildings.
pub(super) const PLACES: [&str; 8] =
    ["tool maker", "hut", "field", "forest", "clay pit", "quarry", "river", "hunt"];

/// Resources in words: `2 wood 1 clay`.
pub(super) fn pieces(pieces: [u8; 4]) -> String {
    let kinds = pieces.iter().zip(RESOURCES).filter(|&(&amount, _)| amount > 0);
    kinds.map(|(amount, name)| format!("{amount} {name}")).collect::<Vec<_>>().join(" ")
}

/// Describes a card: its immediate effect and its final scoring.
///
/// ```
/// assert_eq!(meeple_games::stone_age::card_in_words(6), "7 food / pottery");
/// ```
///
/// # Panics
///
/// If there is no card of this number.
#[must_use]
pub fn card_in_words(kind: usize) -> String {
    card(kind)
}

/// Describes a building: its cost and its points.
///
/// ```
/// let words = meeple_games::stone_age::building_in_words(0);
/// assert_eq!(words, "2 wood 1 clay for 10 points");
/// ```
///
/// # Panics
///
/// If there is no building of this number.
#[must_use]
pub fn building_in_words(kind: usize) -> String {
    building(kind)
}

/// The text of a card: its immediate effect and its final scoring.
pub(super) fn card(kind: usize) -> String {
    let top = match CARD[kind].top {
        Top::Gifts => "presents for all".into(),
        Top::Food(food) => format!("{food} food"),
        Top::Resource { kind, amount } => format!("{amount} {}", RESOURCES[kind as usize]),
        Top::Dice { kind } => format!("2 dice for {}", RESOURCES[kind as usize]),
        Top::Points(points) => format!("{points} points"),
        Top::Field => "1 field".into(),
        Top::Tool => "1 tool".into(),
        Top::OneUse(value) => format!("one-use tool {value}"),
        Top::Draw => "a further card".into(),
        Top::AnyTwo => "any 2 resources".into(),
    };
    format!("{top} / {}", bottom(kind))
}

/// The text of a card's final scoring.
pub(super) fn bottom(kind: usize) -> String {
    match CARD[kind].bottom {
        Bottom::Symbol(symbol) => SYMBOLS[symbol as usize].into(),
        Bottom::People { role, count: 1 } => format!("1 {}", ROLES[role as usize]),
        Bottom::People { role, count } => format!("{count} {}s", ROLES[role as usize]),
    }
}

/// The text of a building: its cost and its points.
pub(super) fn building(kind: usize) -> String {
    match BUILDING[kind] {
        Building::Fixed { cost } => format!("{} for {} points", pieces(cost), worth(cost)),
        Building::Variable { total, kinds: 1 } => format!("{total} resources of 1 kind"),
        Building::Variable { total, kinds } => format!("{total} resources of {kinds} kinds"),
        Building::OneToSeven => "1 to 7 resources".into(),
    }
}

/// The name of a place, by its index in the fixed order of actions.
pub(super) fn place(at: usize) -> String {
    match at {
        0..8 => PLACES[at].into(),
        8..12 => format!("card at {}", 12 - at),
        _ => format!("building {}", at - 11),
    }
}

impl StoneAge {
    /// Parses a legal payment, with its resources in any order; `None` for other actions.
    pub(super) fn payment_named(&self, text: &str) -> Option<u16> {
        let text = text.trim().to_ascii_lowercase();
        let mut words = text.strip_prefix("pay ")?.split_whitespace();
        let (mut wanted, mut total) = ([0; 4], 0);
        while let Some(amount) = words.next() {
            let kind = words.next()?;
            let kind = RESOURCES.iter().position(|name| *name == kind)?;
            let amount = amount.parse::<u8>().ok().filter(|amount| (1..=7).contains(amount))?;
            total += amount;
            if total > 7 {
                return None;
            }
            wanted[kind] += amount;
        }
        if total == 0 {
            return None;
        }
        let named = PAY + payment_of(wanted) as u16;
        let mut legal = false;
        self.for_each_legal(|id| legal |= id == named);
        legal.then_some(named)
    }

    /// The name of an action or chance outcome of this state.
    pub(super) fn name_of(&self, id: u16) -> String {
        let at = id as usize;
        match self.step {
            Step::Roll => format!("roll {}", at + self.rolling as usize),
            Step::RollGift => format!("die shows {}", GIFTS[at]),
            Step::RollGifts => {
                let faces = self.gift_faces(at).iter().map(|&face| GIFTS[face as usize]);
                format!("dice show {}", faces.collect::<Vec<_>>().join(" "))
            }
            Step::RevealCard => format!("card: {}", card(at)),
            Step::DrawCard => format!("draw: {}", card(at)),
            Step::RevealTile => format!("building: {}", building(at)),
            _ => self.name_of_decision(id),
        }
    }

    fn name_of_decision(&self, id: u16) -> String {
        let from = |first: u16| (id - first) as usize;
        match id {
            0..PLACE_HUNT => format!("{} {}", PLACES[3 + id as usize / 7], id % 7 + 1),
            PLACE_HUNT..PLACE_TOOL_MAKER => format!("hunt {}", from(PLACE_HUNT) + 1),
            PLACE_TOOL_MAKER => "tool maker".into(),
            PLACE_FIELD => "field".into(),
            PLACE_HUT => "hut".into(),
            PLACE_CARD..PLACE_BUILDING => place(8 + from(PLACE_CARD)),
            PLACE_BUILDING..PLACE_PASS => place(12 + from(PLACE_BUILDING)),
            PLACE_PASS => "pass".into(),
            TOOL..ONE_USE => {
                let tool = from(TOOL);
                format!("tool {} (+{})", tool + 1, self.me().tools[tool])
            }
            ONE_USE..TOOLS_DONE => {
                let tool = from(ONE_USE);
                format!("one-use tool {} (+{})", tool + 1, self.me().one_use(tool as u16))
            }
            TOOLS_DONE => "done".into(),
            PAY..ANY => format!("pay {}", pieces(PAYMENT[from(PAY)].to_le_bytes())),
            ANY..GIFT => format!("take {}", RESOURCES[from(ANY)]),
            GIFT..FREE_CARD => {
                let die = from(GIFT);
                format!("die {}: {}", die + 1, GIFTS[self.gifts[die].max(0) as usize])
            }
            FREE_CARD..FEED => format!("take {}", place(8 + from(FREE_CARD))),
            FEED..PENALTY => format!("feed {}", RESOURCES[from(FEED)]),
            PENALTY => "lose 10 points".into(),
            DECLINE => "decline".into(),
            _ => format!("use {}", place(from(RESOLVE))),
        }
    }
}
