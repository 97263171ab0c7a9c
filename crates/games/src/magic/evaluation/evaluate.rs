//! The heuristic evaluation: what both players have, in cards.

use meeple_game::{Game, Payoffs};

use crate::magic::evaluation::outlook::Outlook;
use crate::magic::evaluation::weights::Weights;
use crate::magic::language::{Keyword, Type};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{FIRST_HAND, Magic, Phase, Question, rule};
use crate::magic::table::Def;

/// What being dead is worth: nothing else matters beside it.
pub(super) const DEATH: f32 = 60.0;
/// Keywords that make a creature a little better, one bit each.
const GOOD: u32 = bits_of(&[
    Keyword::FirstStrike,
    Keyword::DoubleStrike,
    Keyword::Vigilance,
    Keyword::Trample,
    Keyword::Deathtouch,
    Keyword::Lifelink,
    Keyword::Indestructible,
    Keyword::Reach,
]);
/// Keywords that make a creature hard to block.
const EVASIVE: u32 =
    bits_of(&[Keyword::Unblockable, Keyword::Fear, Keyword::Intimidate, Keyword::Menace]);
const FLYING: u32 = bits_of(&[Keyword::Flying]);

const fn bits_of(keywords: &[Keyword]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < keywords.len() {
        bits |= 1 << keywords[at] as u32;
        at += 1;
    }
    bits
}

impl Magic {
    /// A guess of the payoffs. It counts hands and libraries and looks into
    /// neither, so it is the same for all deals of what is hidden.
    ///
    /// Each seat has weights of its own; with the same ones for both, what one
    /// wins the other loses.
    pub(in crate::magic) fn evaluate(&self) -> Payoffs {
        if self.question == Question::Over {
            return self.payoffs();
        }
        let [first, second] = &self.table.0.weights.0;
        let mut payoffs = Payoffs::default();
        payoffs[0] = squash(self.lead(first) / first.scale);
        payoffs[1] =
            if first == second { -payoffs[0] } else { squash(-self.lead(second) / second.scale) };
        payoffs
    }

    /// How many cards the first seat is ahead.
    fn lead(&self, weights: &Weights) -> f32 {
        let outlook = self.outlook(weights);
        let [first, second] = Seat::BOTH.map(|seat| self.holdings(seat, &outlook, weights));
        first - second + self.pending(weights) + weights.next_card * self.draws_ahead()
    }

    /// The part of a card by which the first seat is nearer to its next draw
    /// than the second is to its own. What is drawn is so counted little by
    /// little: states before and after a draw compare. Turns alternate, so it is
    /// half a card, for the player who draws next.
    fn draws_ahead(&self) -> f32 {
        let clock = &self.clock;
        let is_drawing = matches!(self.question, Question::TopCard(_));
        // Nobody draws in the first turn, which is as if they had.
        let has_drawn = clock.turn <= 1
            || clock.phase > Phase::Draw
            || clock.phase == Phase::Draw && clock.begun && !is_drawing;
        let ahead = if has_drawn { -0.5 } else { 0.5 };
        if clock.active == Seat::First { ahead } else { -ahead }
    }

    /// What a seat has after the combat in progress.
    fn holdings(&self, seat: Seat, outlook: &Outlook, weights: &Weights) -> f32 {
        let mine = &self.seats[seat];
        let life = mine.life - outlook.damage[seat];
        if life <= 0 || mine.lost {
            return -DEATH;
        }
        let hand = f32::from(self.hand_size(seat));
        let library = f32::from(self.library_size(seat));
        life_worth(life, weights)
            + weights.card * hand.min(7.0)
            + weights.extra_card * (hand - 7.0).max(0.0)
            - weights.last_cards * (1.0 - library / 8.0).max(0.0)
            + self.board_worth(seat, outlook.dead, weights)
            - self.danger(seat, life, outlook, weights)
    }

    /// The cards that a seat has in hand, or will begin the game with.
    fn hand_size(&self, seat: Seat) -> u8 {
        let mine = &self.seats[seat];
        let clock = &self.clock;
        let is_dealing = clock.turn == 1 && clock.phase == Phase::Untap && !clock.begun;
        if is_dealing { FIRST_HAND - mine.mulligans } else { mine.hand.total() }
    }

    fn board_worth(&self, seat: Seat, dead: Slots, weights: &Weights) -> f32 {
        let all = self.controlled(seat) & !dead;
        let creatures = self.creatures() & all;
        let lands = self.board.types[Type::Land as usize] & all & !creatures;
        let count = lands.len() as f32;
        let creature: f32 = creatures.iter().map(|slot| self.creature_worth(slot, weights)).sum();
        let other: f32 = (all & !creatures & !lands)
            .iter()
            .map(|slot| permanent_worth(self.def_at(slot), weights))
            .sum();
        weights.land * count.min(7.0)
            + weights.extra_land * (count - 7.0).max(0.0)
            + weights.untapped * self.mana_sources(seat).len() as f32
            + creature
            + other
    }

    /// What a creature is worth as it is now.
    pub(super) fn creature_worth(&self, slot: Slot, weights: &Weights) -> f32 {
        let board = &self.board;
        let def = self.def_at(slot);
        let mut keywords = def.keywords.0;
        if board.changed {
            keywords = 0;
            let mut left = GOOD | EVASIVE | FLYING;
            while left != 0 {
                let keyword = left.trailing_zeros();
                keywords |= u32::from(board.keywords[keyword as usize].has(slot)) << keyword;
                left &= left - 1;
            }
        }
        let body = (board.power[slot], board.toughness[slot]);
        let worth = body_worth(body, keywords, def, weights);
        let bound = |rule: usize| board.rules[rule].has(slot);
        let attacks = !bound(rule::CANT_ATTACK)
            && (!board.keywords[Keyword::Defender as usize].has(slot)
                || bound(rule::IGNORES_DEFENDER));
        let stuck = bound(rule::STAYS_TAPPED) && board.tapped.has(slot);
        match (attacks && !stuck, !bound(rule::CANT_BLOCK) && !stuck) {
            (true, true) => worth,
            (false, false) => worth * weights.bound,
            _ => worth * (1.0 + weights.bound) / 2.0,
        }
    }
}

/// What a card is worth as a permanent, as printed.
pub(super) fn printed_worth(def: &Def, weights: &Weights) -> f32 {
    if def.is(Type::Creature) {
        // A body that is counted is mostly of some size.
        let body = if def.counted_body.is_some() { (3, 3) } else { def.body };
        body_worth(body, def.keywords.0, def, weights)
    } else {
        permanent_worth(def, weights)
    }
}

fn permanent_worth(def: &Def, weights: &Weights) -> f32 {
    if def.enchant.is_some() {
        // What an Aura does shows in what it is on.
        return 0.0;
    }
    weights.permanent + weights.permanent_mana * f32::from(def.cost.value())
}

fn body_worth(body: (i8, i8), keywords: u32, def: &Def, weights: &Weights) -> f32 {
    let (power, toughness) = (f32::from(body.0.max(0)), f32::from(body.1.max(0)));
    weights.creature
        + weights.power * power
        + weights.toughness * toughness
        + weights.keyword * (keywords & GOOD).count_ones() as f32
        + weights.ability * def.ability_count.min(2) as f32
        + if keywords & FLYING != 0 { weights.flying * power } else { 0.0 }
        + if keywords & EVASIVE != 0 { weights.evasion * power } else { 0.0 }
}

/// What so much life is worth.
pub(super) fn life_worth(life: i16, weights: &Weights) -> f32 {
    let life = f32::from(life);
    weights.low_life * life.min(10.0) + weights.life * (life - 10.0).clamp(0.0, 30.0)
        - weights.last_life * (6.0 - life).max(0.0)
}

/// A logarithm of odds as a payoff.
fn squash(odds: f32) -> f32 {
    (odds / 2.0).tanh()
}
