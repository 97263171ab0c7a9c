//! A guess of the outcome by hand-made rules, in points.

use meeple_game::{MAX_PLAYERS, Payoffs};

use super::actions::{FIRST_BUILDING, FIRST_CARD, ROWS};
use super::data::{BUILDING, Building, CARD, Top, VALUES};
use super::payments::worth;
use super::scoring::{people, set_points};
use super::{HUNT, Phase, StoneAge, Tribe};

/// The lead in points that makes a win likely.
const CLEAR_LEAD: f32 = 60.0;

impl StoneAge {
    /// A guess of the payoffs.
    pub(super) fn guess(&self) -> Payoffs {
        if self.phase == Phase::Over {
            return self.rewards();
        }
        let rounds = self.rounds_left();
        let mut values = [0.0; MAX_PLAYERS];
        let players = self.players as usize;
        for (seat, value) in values[..players].iter_mut().enumerate() {
            *value = self.value_of(seat, rounds);
        }
        let all: f32 = values[..players].iter().sum();
        let mut guess = [0.0; MAX_PLAYERS];
        for seat in 0..players {
            let others = (all - values[seat]) / (players - 1) as f32;
            guess[seat] = ((values[seat] - others) / CLEAR_LEAD).tanh();
        }
        guess
    }

    /// Rounds that will probably follow this one.
    fn rounds_left(&self) -> f32 {
        let shown = self.cards.iter().filter(|&&card| card >= 0).count();
        let by_cards = (self.deck.len() + shown) as f32 / (0.8 + 0.5 * f32::from(self.players));
        let stacks = self.stacks.iter().take(self.players as usize);
        let by_tiles = 2.0 * f32::from(stacks.copied().min().unwrap_or(0) + 1);
        by_cards.min(by_tiles)
    }

    fn value_of(&self, seat: usize, rounds: f32) -> f32 {
        let tribe = &self.tribes[seat];
        let hopes = Hopes::new(rounds, tribe);
        let mut outlook = Outlook { gains: 0.0, food: f32::from(tribe.food), resources: [0.0; 4] };
        for (expected, &held) in outlook.resources.iter_mut().zip(&tribe.resources) {
            *expected = f32::from(held);
        }
        let todo = tribe.todo;
        for (place, row) in ROWS.into_iter().enumerate() {
            if todo >> place & 1 == 1 {
                hopes.add_place(place, self.places[row][seat], &mut outlook);
            }
        }
        if self.phase == Phase::Place {
            outlook.gains += 2.4 * f32::from(tribe.available);
        }
        for slot in 0..4 {
            if todo >> (FIRST_CARD + slot) & 1 == 1 && self.cards[slot] >= 0 {
                let cost = (4 - slot) as f32;
                outlook.gains +=
                    outlook.trade_card(cost, hopes.card(tribe, self.cards[slot] as usize));
            }
        }
        for slot in 0..4 {
            if todo >> (FIRST_BUILDING + slot) & 1 == 1 && self.buildings[slot] >= 0 {
                outlook.gains += outlook.trade_building(self.buildings[slot] as usize, &hopes);
            }
        }
        f32::from(tribe.score)
            + outlook.gains
            + hopes.standing(tribe)
            + hopes.stock(tribe, &outlook, self.phase)
            + self.kept(seat, tribe)
    }

    /// What lies face down or may be taken later, seen from its average.
    fn kept(&self, seat: usize, tribe: &Tribe) -> f32 {
        let two = if self.two_holder == seat as i8 { 9.0 } else { 0.0 };
        let card = if self.hidden_holder == seat as i8 { 6.0 } else { 0.0 };
        let once: u16 = (0..4).map(|at| tribe.one_use >> (4 * at) & 15).sum();
        two + card + 0.8 * f32::from(once)
    }
}

/// What things are worth to a player with so many rounds to come.
struct Hopes {
    rounds: f32,
    resource: [f32; 4],
    food: f32,
    tool: f32,
    field: f32,
    figure: f32,
}

/// What a player will have when the places are resolved.
struct Outlook {
    gains: f32,
    food: f32,
    resources: [f32; 4],
}

impl Hopes {
    fn new(rounds: f32, tribe: &Tribe) -> Self {
        // Resources turn into points through buildings and cards, while there
        // is time for them.
        let use_of_pieces = (0.35 + 0.12 * rounds).min(0.85);
        let resource = VALUES.map(|value| (f32::from(value) * use_of_pieces).max(1.0));
        let roles = people(tribe.cards).map(f32::from);
        Self {
            rounds,
            resource,
            food: 0.9,
            field: if tribe.agriculture < 10 { 0.75 * rounds + roles[0] } else { 0.0 },
            tool: if tribe.tools[2] < 4 { 0.65 * rounds + roles[1] } else { 0.0 },
            figure: if tribe.figures < 10 { 1.6 * rounds + roles[3] - 1.0 } else { 0.0 },
        }
    }

    fn add_place(&self, place: usize, figures: u8, outlook: &mut Outlook) {
        let sum = 3.5 * f32::from(figures);
        match place {
            0 => outlook.gains += self.tool,
            1 => outlook.gains += self.figure,
            2 => outlook.gains += self.field,
            _ if ROWS[place] == HUNT => outlook.food += (sum - 0.5) / 2.0,
            _ => {
                let divisor = f32::from(VALUES[place - 3]);
                // Rounding loses half a piece less a bit on average.
                outlook.resources[place - 3] += ((sum - (divisor - 1.0) / 2.0) / divisor).max(0.1);
            }
        }
    }

    /// What a card adds: its top, and what its bottom will count for.
    fn card(&self, tribe: &Tribe, kind: usize) -> f32 {
        let top = match CARD[kind].top {
            Top::Gifts => 3.5,
            Top::Food(food) => self.food * f32::from(food),
            Top::Resource { kind, amount } => self.resource[kind as usize] * f32::from(amount),
            Top::Dice { kind } => {
                5.5 / f32::from(VALUES[kind as usize]) * self.resource[kind as usize]
            }
            Top::Points(points) => f32::from(points),
            Top::Field => self.field,
            Top::Tool => self.tool,
            Top::OneUse(value) => 0.8 * f32::from(value),
            Top::Draw => 6.0,
            Top::AnyTwo => 9.0,
        };
        let mut with = *tribe;
        with.cards.add(kind);
        top + self.collection(&with) - self.collection(tribe)
    }

    /// What the cards of a player will count for at the end.
    fn collection(&self, tribe: &Tribe) -> f32 {
        let grown = [0.25, 0.25, 0.4, 0.15].map(|step| step * self.rounds);
        let values = tribe.role_values();
        let roles = people(tribe.cards);
        let people: f32 = (0..4)
            .map(|role| f32::from(roles[role]) * (f32::from(values[role]) + grown[role]))
            .sum();
        people + f32::from(set_points(tribe.cards))
    }

    /// The value of what a player is: people, fields, tools, cards.
    fn standing(&self, tribe: &Tribe) -> f32 {
        let growth = 0.75 * f32::from(tribe.agriculture)
            + 0.65 * f32::from(tribe.tool_value())
            + 1.6 * f32::from(tribe.figures);
        growth * self.rounds + self.collection(tribe)
    }

    /// The value of what a player has, once everybody is fed.
    fn stock(&self, tribe: &Tribe, outlook: &Outlook, phase: Phase) -> f32 {
        let pieces: f32 =
            outlook.resources.iter().zip(self.resource).map(|(held, value)| held * value).sum();
        let hunger = f32::from(tribe.figures) - f32::from(tribe.agriculture);
        let spare = outlook.food - if phase == Phase::Over { 0.0 } else { hunger.max(0.0) };
        // Food for the rounds to come is worth having; more than that is not.
        let wanted = hunger.max(0.0) * self.rounds;
        let food = if spare < 0.0 {
            let by_pieces = -spare * 4.0;
            -by_pieces.min(11.0)
        } else {
            self.food * spare.min(wanted) + 0.05 * (spare - wanted).max(0.0)
        };
        pieces + food
    }
}

impl Outlook {
    /// Pays for a card with the cheapest pieces; what that brings.
    fn trade_card(&mut self, cost: f32, value: f32) -> f32 {
        let held: f32 = self.resources.iter().sum();
        let chance = (held / cost).min(1.0);
        let mut left = cost * chance;
        for kind in 0..4 {
            let paid = left.min(self.resources[kind]);
            self.resources[kind] -= paid;
            left -= paid;
        }
        if chance < 1.0 { value * chance * 0.5 } else { value }
    }

    /// Pays for a building; what that brings.
    fn trade_building(&mut self, building: usize, hopes: &Hopes) -> f32 {
        let builder = 1.0;
        match BUILDING[building] {
            Building::Fixed { cost } => {
                let lacking: f32 = (0..4)
                    .map(|kind| (f32::from(cost[kind]) - self.resources[kind]).max(0.0))
                    .sum();
                if lacking >= 1.5 {
                    return 0.3;
                }
                let sure = 1.0 - lacking / 2.0;
                let spent: f32 =
                    (0..4).map(|kind| f32::from(cost[kind]) * hopes.resource[kind]).sum();
                (f32::from(worth(cost)) - spent + builder) * sure
            }
            Building::Variable { total, .. } => {
                self.trade_pieces(f32::from(total), hopes) + builder
            }
            Building::OneToSeven => self.trade_pieces(7.0, hopes) + builder,
        }
    }

    /// The profit of turning up to `most` pieces into their values.
    fn trade_pieces(&self, most: f32, hopes: &Hopes) -> f32 {
        let mut left = most;
        let mut profit = 0.0;
        for kind in (0..4).rev() {
            let used = left.min(self.resources[kind]);
            left -= used;
            profit += used * (f32::from(VALUES[kind]) - hopes.resource[kind]);
        }
        profit
    }
}
