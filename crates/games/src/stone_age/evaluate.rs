//! Heuristic evaluation: expected final points by hand-written rules.

use meeple_game::{MAX_PLAYERS, Payoffs};

use super::actions::{FIRST_BUILDING, FIRST_CARD, ROWS};
use super::data::{BUILDING, Building, CARD, FOOD_VALUE, Top, VALUES};
use super::payments::worth;
use super::scoring::{people, set_points};
use super::{HUNT, Phase, Step, StoneAge, Tribe};

/// The scale of a lead in points: tanh(1) of a win.
const CLEAR_LEAD: f32 = 60.0;
/// The expected gain of a figure that is not yet placed, in points.
const UNPLACED_FIGURE: f32 = 2.4;
/// The places with dice.
const ROLLED: u16 = 0b1111_1000;

impl StoneAge {
    /// The payoffs estimated from the expected final points.
    pub(super) fn heuristic_payoffs(&self) -> Payoffs {
        if self.phase == Phase::Over {
            return self.final_payoffs();
        }
        let rounds = self.rounds_left();
        let mut values = [0.0; MAX_PLAYERS];
        let players = self.players as usize;
        for (seat, value) in values[..players].iter_mut().enumerate() {
            *value = self.value_of(seat, rounds);
        }
        let all: f32 = values[..players].iter().sum();
        let mut payoffs = [0.0; MAX_PLAYERS];
        for seat in 0..players {
            let others = (all - values[seat]) / (players - 1) as f32;
            payoffs[seat] = ((values[seat] - others) / CLEAR_LEAD).tanh();
        }
        payoffs
    }

    /// The expected number of further rounds.
    fn rounds_left(&self) -> f32 {
        let shown = self.cards.iter().filter(|&&card| card >= 0).count();
        let by_cards = (self.deck.len() + shown) as f32 / (0.8 + 0.5 * f32::from(self.players));
        let stacks = self.stacks.iter().take(self.players as usize);
        let by_tiles = 2.0 * f32::from(stacks.copied().min().unwrap_or(0) + 1);
        by_cards.min(by_tiles)
    }

    /// The expected final points of `seat`.
    fn value_of(&self, seat: usize, rounds: f32) -> f32 {
        let tribe = &self.tribes[seat];
        let valuation = Valuation::new(rounds, tribe);
        let mut projection = Projection {
            gains: 0.0,
            food: f32::from(tribe.food),
            resources: tribe.resources.map(f32::from),
        };
        let todo = self.todo_of(seat);
        for (place, row) in ROWS.into_iter().enumerate() {
            if todo >> place & 1 == 1 {
                valuation.add_place(place, self.places[row][seat], &mut projection);
            }
        }
        if self.step == Step::Tools && seat == self.active as usize {
            self.add_roll(tribe, todo, &mut projection);
        }
        if self.phase == Phase::Place {
            projection.gains += UNPLACED_FIGURE * f32::from(tribe.available);
        }
        for slot in 0..4 {
            if todo >> (FIRST_CARD + slot) & 1 == 1 && self.cards[slot] >= 0 {
                let card = valuation.card(tribe, self.cards[slot] as usize);
                projection.gains += projection.buy_card((4 - slot) as f32, card);
            }
        }
        for slot in 0..4 {
            if todo >> (FIRST_BUILDING + slot) & 1 == 1 && self.buildings[slot] >= 0 {
                projection.gains +=
                    projection.buy_building(self.buildings[slot] as usize, &valuation);
            }
        }
        let stock = valuation.stock(&projection, self.hunger_of(seat), tribe);
        f32::from(tribe.score)
            + projection.gains
            + valuation.standing(tribe)
            + stock
            + self.kept(seat, tribe)
    }

    /// The unresolved places of `seat`, including the current one.
    fn todo_of(&self, seat: usize) -> u16 {
        let todo = self.tribes[seat].todo;
        match self.step {
            Step::PayCard | Step::PayBuilding if seat == self.active as usize => {
                todo | 1 << self.place
            }
            _ => todo,
        }
    }

    /// Adds the yield of a roll to which tools may still be added.
    fn add_roll(&self, tribe: &Tribe, todo: u16, projection: &mut Projection) {
        let unused = (0..3).filter(|tool| tribe.used >> tool & 1 == 0);
        let unused: u8 = unused.map(|tool| tribe.tools[tool]).sum();
        let divisor = if self.pending < 0 { FOOD_VALUE } else { VALUES[self.pending as usize] };
        let (now, reach) = (self.dice / divisor, (self.dice + unused) / divisor);
        let pieces = f32::from(now) + 0.8 * f32::from(reach - now);
        match self.pending {
            -1 => projection.food += pieces,
            kind => projection.resources[kind as usize] += pieces,
        }
        // Unused tools are worth something for later rolls.
        if todo & ROLLED != 0 {
            projection.gains += 0.4 * f32::from(unused);
        }
    }

    /// The food that `seat` still needs this round.
    fn hunger_of(&self, seat: usize) -> f32 {
        let tribe = &self.tribes[seat];
        match self.phase {
            Phase::Feed if self.fed >> seat & 1 == 1 => 0.0,
            Phase::Feed if seat == self.active as usize => f32::from(self.needed),
            _ => f32::from(tribe.figures.saturating_sub(tribe.agriculture)),
        }
    }

    /// The average value of kept resources, the face-down card and one-use tools.
    fn kept(&self, seat: usize, tribe: &Tribe) -> f32 {
        let two = if self.two_holder == seat as i8 { 9.0 } else { 0.0 };
        let card = if self.hidden_holder == seat as i8 { 6.0 } else { 0.0 };
        let once: u16 = (0..4).map(|at| tribe.one_use >> (4 * at) & 15).sum();
        two + card + 0.8 * f32::from(once)
    }
}

/// Values of goods to a player, in points, given the number of rounds left.
struct Valuation {
    rounds: f32,
    resource: [f32; 4],
    food: f32,
    tool: f32,
    field: f32,
    figure: f32,
}

/// Expected holdings after all places are resolved.
struct Projection {
    gains: f32,
    food: f32,
    resources: [f32; 4],
}

impl Valuation {
    fn new(rounds: f32, tribe: &Tribe) -> Self {
        // Resources become points through buildings and cards while rounds remain.
        let utilization = (0.35 + 0.12 * rounds).min(0.85);
        let resource = VALUES.map(|value| (f32::from(value) * utilization).max(1.0));
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

    fn add_place(&self, place: usize, figures: u8, projection: &mut Projection) {
        let sum = 3.5 * f32::from(figures);
        match place {
            0 => projection.gains += self.tool,
            1 => projection.gains += self.figure,
            2 => projection.gains += self.field,
            _ if ROWS[place] == HUNT => projection.food += (sum - 0.5) / 2.0,
            _ => {
                let divisor = f32::from(VALUES[place - 3]);
                // Rounding down loses (divisor - 1) / 2 pips on average.
                projection.resources[place - 3] +=
                    ((sum - (divisor - 1.0) / 2.0) / divisor).max(0.1);
            }
        }
    }

    /// The value of a card: its immediate effect and its final scoring.
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

    /// The expected final scoring of a player's cards.
    fn collection(&self, tribe: &Tribe) -> f32 {
        let grown = [0.25, 0.25, 0.4, 0.15].map(|step| step * self.rounds);
        let values = tribe.role_values();
        let roles = people(tribe.cards);
        let people: f32 = (0..4)
            .map(|role| f32::from(roles[role]) * (f32::from(values[role]) + grown[role]))
            .sum();
        people + f32::from(set_points(tribe.cards))
    }

    /// The long-term value of figures, agriculture, tools and cards.
    fn standing(&self, tribe: &Tribe) -> f32 {
        let growth = 0.75 * f32::from(tribe.agriculture)
            + 0.65 * f32::from(tribe.tool_value())
            + 1.6 * f32::from(tribe.figures);
        growth * self.rounds + self.collection(tribe)
    }

    /// The value of resources and food after feeding.
    fn stock(&self, projection: &Projection, hunger: f32, tribe: &Tribe) -> f32 {
        let pieces: f32 =
            projection.resources.iter().zip(self.resource).map(|(held, value)| held * value).sum();
        let spare = projection.food - hunger;
        // Food is worth having for the remaining rounds; more is nearly worthless.
        let eaters = f32::from(tribe.figures.saturating_sub(tribe.agriculture));
        let wanted = eaters * self.rounds;
        let food = if spare < 0.0 {
            (4.0 * spare).max(-11.0)
        } else {
            self.food * spare.min(wanted) + 0.05 * (spare - wanted).max(0.0)
        };
        pieces + food
    }
}

impl Projection {
    /// Pays for a card with the cheapest resources; returns the expected gain.
    fn buy_card(&mut self, cost: f32, value: f32) -> f32 {
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

    /// The expected gain of a building.
    fn buy_building(&mut self, building: usize, valuation: &Valuation) -> f32 {
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
                    (0..4).map(|kind| f32::from(cost[kind]) * valuation.resource[kind]).sum();
                (f32::from(worth(cost)) - spent + builder) * sure
            }
            Building::Variable { total, .. } => {
                self.payment_profit(f32::from(total), valuation) + builder
            }
            Building::OneToSeven => self.payment_profit(7.0, valuation) + builder,
        }
    }

    /// The profit of paying up to `most` of the most valuable resources.
    fn payment_profit(&self, most: f32, valuation: &Valuation) -> f32 {
        let mut left = most;
        let mut profit = 0.0;
        for kind in (0..4).rev() {
            let used = left.min(self.resources[kind]);
            left -= used;
            profit += used * (f32::from(VALUES[kind]) - valuation.resource[kind]);
        }
        profit
    }
}
