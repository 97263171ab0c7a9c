//! Final scoring, ranks and payoffs, and state invariants.

use meeple_game::{MAX_PLAYERS, Payoffs};

use super::data::{BUILDINGS, Bottom, CARD, CARD_PIECES, CARDS, STACK, SUPPLY, TILES};
use super::{CardSet, MAX_LEVEL, MAX_TOOL, Phase, SEATS, Step, StoneAge, TileSet, Tribe};

/// Points of the final scoring, line by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    /// Sets of green cards.
    pub(super) sets: i16,
    /// Farmers, tool makers, builders and shamans.
    pub(super) people: [i16; 4],
    /// One for each resource left.
    pub(super) resources: i16,
}

impl Sheet {
    /// The sum of all lines.
    pub(super) fn total(&self) -> i16 {
        self.sets + self.people.iter().sum::<i16>() + self.resources
    }
}

/// The two cards of each symbol.
static SYMBOL_CARDS: [u64; 8] = symbol_cards();
/// For each role, the cards with at least one, two and three people.
static ROLE_CARDS: [[u64; 3]; 4] = role_cards();

const fn symbol_cards() -> [u64; 8] {
    let mut cards = [0; 8];
    let mut bit = 0;
    while bit < CARD_PIECES {
        if let Bottom::Symbol(symbol) = bottom_of(bit) {
            cards[symbol as usize] |= 1 << bit;
        }
        bit += 1;
    }
    cards
}

const fn role_cards() -> [[u64; 3]; 4] {
    let mut cards = [[0; 3]; 4];
    let mut bit = 0;
    while bit < CARD_PIECES {
        if let Bottom::People { role, count } = bottom_of(bit) {
            let mut person = 0;
            while person < count as usize {
                cards[role as usize][person] |= 1 << bit;
                person += 1;
            }
        }
        bit += 1;
    }
    cards
}

const fn bottom_of(bit: usize) -> Bottom {
    match bit {
        34 => CARD[14].bottom,
        35 => CARD[30].bottom,
        kind => CARD[kind].bottom,
    }
}

/// The number of cards of each symbol.
pub(super) fn symbols(cards: CardSet) -> [u32; 8] {
    SYMBOL_CARDS.map(|symbol| (cards.0 & symbol).count_ones())
}

/// The points of symbol sets: the square of the size of each set of different symbols.
pub(super) fn set_points(cards: CardSet) -> i16 {
    let (mut once, mut twice) = (0, 0);
    for held in symbols(cards) {
        once += i16::from(held > 0);
        twice += i16::from(held > 1);
    }
    once * once + twice * twice
}

/// The number of people of each role.
pub(super) fn people(cards: CardSet) -> [i16; 4] {
    ROLE_CARDS.map(|layers| layers.iter().map(|layer| (cards.0 & layer).count_ones() as i16).sum())
}

impl Tribe {
    /// The multiplier of each role.
    pub(super) fn role_values(&self) -> [i16; 4] {
        [
            i16::from(self.agriculture),
            i16::from(self.tool_value()),
            self.buildings.len() as i16,
            i16::from(self.figures),
        ]
    }

    /// The final scoring of the current holdings.
    pub(super) fn sheet(&self) -> Sheet {
        let (people, values) = (people(self.cards), self.role_values());
        Sheet {
            sets: set_points(self.cards),
            people: std::array::from_fn(|role| people[role] * values[role]),
            resources: self.total_resources() as i16,
        }
    }

    /// Points, then the tie-breaker.
    fn rank_key(&self) -> (i16, u8) {
        (self.score, self.agriculture + self.tool_value() + self.figures)
    }
}

impl StoneAge {
    /// Performs the final scoring, including kept resources and the face-down card.
    pub(super) fn score_all(&mut self) {
        if self.two_holder >= 0 {
            for _ in 0..2 {
                if let Some(kind) = (0..4).find(|&kind| self.supply[kind] > 0) {
                    self.gain(self.two_holder as u8, kind, 1);
                }
            }
            self.two_holder = -1;
        }
        if self.hidden_holder >= 0 {
            self.tribes[self.hidden_holder as usize].cards.add(self.hidden_card as usize);
            self.hidden_card = -1;
            self.hidden_holder = -1;
        }
        for tribe in &mut self.tribes[..self.players as usize] {
            tribe.score += tribe.sheet().total();
        }
    }

    /// The payoffs by rank, once the game is over.
    pub(super) fn final_payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.phase != Phase::Over {
            return payoffs;
        }
        let by_rank: &[f32] = match self.players {
            2 => &[1.0, -1.0],
            3 => &[1.0, 0.0, -1.0],
            _ => &[1.0, 0.33, -0.33, -1.0],
        };
        for (seat, tribe) in self.seated().iter().enumerate() {
            let key = tribe.rank_key();
            let ahead = self.seated().iter().filter(|other| other.rank_key() > key).count();
            let equal =
                |others: &[Tribe]| others.iter().filter(|one| one.rank_key() == key).count();
            payoffs[seat] = if self.shared_ties() {
                let shared = &by_rank[ahead..ahead + equal(self.seated())];
                shared.iter().sum::<f32>() / shared.len() as f32
            } else {
                by_rank[ahead + equal(&self.seated()[..seat])]
            };
        }
        payoffs
    }

    /// Whether cards, tiles, resources and figures are conserved and derived fields match.
    pub(super) fn invariants_hold(&self) -> bool {
        self.cards_conserved()
            && self.tiles_conserved()
            && self.resources_conserved()
            && self.seated().iter().all(Tribe::is_valid)
            && (self.phase != Phase::Place || self.figures_conserved())
            && (self.step != Step::Place || self.derived_fields_match())
    }

    /// Whether the derived fields of the placement phase match the state.
    fn derived_fields_match(&self) -> bool {
        self.vacant == self.vacancies()
            && (0..4).all(|place| self.room[place] == self.room_left(place))
    }

    fn cards_conserved(&self) -> bool {
        (0..CARDS).all(|kind| {
            let owned: u8 = self.seated().iter().map(|tribe| tribe.cards.count(kind)).sum();
            let shown = self.cards.iter().filter(|&&card| card == kind as i8).count() as u8;
            let hidden = u8::from(self.hidden_card == kind as i8);
            self.deck.count(kind) + owned + shown + hidden == CardSet::ALL.count(kind)
        })
    }

    fn tiles_conserved(&self) -> bool {
        let boxed = TILES - STACK as usize * self.players as usize;
        let stacked: u8 = self.stacks.iter().sum();
        let kinds = (0..BUILDINGS).all(|kind| {
            let owned: u8 = self.seated().iter().map(|tribe| tribe.buildings.count(kind)).sum();
            let shown = self.buildings.iter().filter(|&&tile| tile == kind as i8).count() as u8;
            self.tiles.count(kind) + owned + shown == TileSet::ALL.count(kind)
        });
        kinds && self.tiles.len() == boxed + stacked as usize
    }

    fn resources_conserved(&self) -> bool {
        (0..4).all(|kind| {
            let held: u16 = self.seated().iter().map(|tribe| tribe.resources[kind]).sum();
            let all = u16::from(SUPPLY[kind]);
            let supply = u16::from(self.supply[kind]);
            supply + if self.limited_supply() { held } else { 0 } == all
        })
    }

    fn figures_conserved(&self) -> bool {
        (0..self.players as usize).all(|seat| {
            let on_places: u8 = self.places.iter().map(|row| row[seat]).sum();
            let stands = |figures: &[i8; SEATS]| {
                figures.iter().filter(|&&figure| figure == seat as i8).count() as u8
            };
            let on_tiles = stands(&self.card_figures) + stands(&self.building_figures);
            let tribe = &self.tribes[seat];
            on_places + on_tiles + tribe.available == tribe.figures
        })
    }
}

impl Tribe {
    fn is_valid(&self) -> bool {
        let [first, _, last] = self.tools;
        (5..=MAX_LEVEL).contains(&self.figures)
            && self.agriculture <= MAX_LEVEL
            && self.tools.is_sorted_by(|one, other| one >= other)
            && first <= MAX_TOOL
            && first - last <= 1
            && self.one_use_count() <= 3
            && (0..u16::from(self.one_use_count())).map(|at| self.one_use(at)).is_sorted()
    }
}
