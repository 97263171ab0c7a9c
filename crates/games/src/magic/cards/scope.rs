//! Whether effects make sense: every word they refer to is known where it
//! stands, and none of them would be ignored.

use super::refs::leaves;
use super::standing;
use crate::magic::language::{Card, Cost, Effect, Event, Target};

/// The most targets of a spell or ability.
const TARGETS: usize = 5;

/// What is known at a place in a card.
pub(super) struct Scope<'a> {
    pub(super) card: &'a Card,
    pub(super) tokens: &'a [&'a str],
    problems: Vec<String>,
    /// Which part of the card is looked at.
    part: String,
    /// Whether that is what an instant or sorcery does.
    spell: bool,
    pub(super) targets: &'a [Target],
    pub(super) used: Vec<bool>,
    pub(super) x: bool,
    pub(super) known: Known,
}

/// What earlier words have made known.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// `Ref::Event`.
    pub(super) event: bool,
    /// That it has left the battlefield.
    pub(super) event_left: bool,
    /// `Ref::EventPlayer`.
    pub(super) event_player: bool,
    /// `Amount::Event`.
    pub(super) event_amount: bool,
    pub(super) kept: bool,
    pub(super) aside: bool,
    pub(super) drawn: bool,
    pub(super) them: bool,
    pub(super) chosen: u8,
    /// A basic land type was chosen.
    pub(super) land_type: bool,
    /// An extra turn was gained.
    pub(super) extra_turn: bool,
    /// It happens later.
    pub(super) later: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn new(card: &'a Card, tokens: &'a [&'a str]) -> Self {
        Self {
            card,
            tokens,
            problems: Vec::new(),
            part: String::new(),
            spell: false,
            targets: &[],
            used: Vec::new(),
            x: false,
            known: Known::default(),
        }
    }

    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems
    }

    /// An ability begins, in which nothing is known yet: a permanent does not
    /// remember what `X` was.
    pub(super) fn enter_ability(&mut self, part: String) {
        self.part = part;
        self.known = Known::default();
        (self.x, self.spell) = (false, false);
    }

    /// What the spell does begins, or one of its modes.
    pub(super) fn enter_spell(&mut self, part: String) {
        self.part = part;
        self.known = Known::default();
        self.x = self.card.cost.is_some_and(|cost| cost.variable > 0);
        self.spell = true;
    }

    /// Whether an instant or sorcery resolves, which is no permanent.
    pub(super) fn is_resolving_spell(&self) -> bool {
        self.spell
    }

    pub(super) fn say(&mut self, problem: &str) {
        let gap = if self.part.is_empty() { "" } else { ": " };
        let problem = format!("{}{gap}{problem}", self.part);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub(super) fn need(&mut self, known: bool, problem: &str) {
        if !known {
            self.say(problem);
        }
    }

    pub(super) fn x_is_known(&mut self, x: bool) {
        self.x = x;
    }

    /// What an event tells the ability that it sets off.
    pub(super) fn triggered_by(&mut self, event: &Event) {
        let step = matches!(event, Event::Begins { .. });
        let card = matches!(event, Event::Casts { .. } | Event::FirstDraw(_));
        self.known.event = !step && !card;
        self.known.event_left = leaves(event);
        self.known.event_player = !step;
        self.known.event_amount =
            matches!(event, Event::DealsDamage(_) | Event::DealsDamageToPlayer(_));
    }

    /// Targets, and the effects that use them.
    pub(super) fn check_resolution(&mut self, targets: &'a [Target], effects: &'a [Effect]) {
        self.targets = targets;
        self.used = vec![false; targets.len()];
        targets.iter().for_each(|target| self.check_target(target, false));
        self.check_number_of_targets(targets);
        self.check_effects(effects);
        for at in 0..targets.len() {
            if !self.used[at] {
                self.say(&format!("Target({at}) is chosen and nothing is done with it"));
            }
        }
        self.targets = &[];
    }

    fn check_number_of_targets(&mut self, targets: &[Target]) {
        let several = |target: &Target| match target {
            Target::UpTo(most, _) | Target::Divided(most, _) => Some(usize::from(*most)),
            _ => None,
        };
        let total: usize = targets.iter().map(|target| several(target).unwrap_or(1)).sum();
        self.need(total <= TARGETS, "targets: at most 5 in all");
        let early = targets.iter().rev().skip(1).any(|target| several(target).is_some());
        self.need(!early, "targets: UpTo and Divided come last");
    }

    fn check_target(&mut self, target: &Target, inner: bool) {
        match target {
            Target::Permanent(filter) => self.check_filter(filter),
            Target::Spell(filter) => self.check_card_filter(filter),
            Target::Card { whose, card } => {
                standing::check_side(self, "whose", *whose);
                self.check_card_filter(card);
            }
            Target::UpTo(most, target) | Target::Divided(most, target) => {
                self.need(*most > 0, "targets: at least 1 of them");
                self.need(!inner, "targets: UpTo and Divided are about single targets");
                self.check_target(target, true);
            }
            Target::Any | Target::Player | Target::Opponent | Target::SpellWithOneTarget => {}
        }
    }

    /// A cost that is paid on resolution.
    pub(super) fn check_payment(&mut self, costs: &[Cost]) {
        costs.iter().for_each(|cost| self.check_cost(cost));
        self.check_single_mana(costs);
        for cost in costs {
            match cost {
                Cost::ManaWithX(..) => self.say("ManaWithX is a cost of abilities, not of May"),
                Cost::Mana(mana) if mana.variable > 0 => self.check_x(),
                Cost::Tap | Cost::SacrificeThis => {
                    self.need(!self.spell, "a spell is neither tapped nor sacrificed");
                }
                _ => {}
            }
        }
    }

    /// Mana stands once in a cost.
    pub(super) fn check_single_mana(&mut self, costs: &[Cost]) {
        let mana = |cost: &&Cost| {
            matches!(cost, Cost::Mana(_) | Cost::ManaWithX(..) | Cost::ManaCostOf(..))
        };
        self.need(costs.iter().filter(mana).count() < 2, "the mana of a cost is written once");
    }

    pub(super) fn check_cost(&mut self, cost: &Cost) {
        match cost {
            Cost::Mana(_) | Cost::Tap | Cost::SacrificeThis => {}
            Cost::ManaWithX(mana, _) => {
                self.need(mana.variable > 0, "ManaWithX has an X: ManaWithX(\"X\", R)");
            }
            Cost::ManaCostOf(what, _) => self.check_permanents(what),
            Cost::X => self.check_x(),
            Cost::Life(count) | Cost::DiscardAtRandom(count) => {
                self.need(*count > 0, "a cost of 0 is no cost");
            }
            Cost::Sacrifice(count, filter) | Cost::TapOther(count, filter) => {
                self.need(*count > 0, "a cost of 0 is no cost");
                self.check_filter(filter);
            }
            Cost::Discard(count, filter) => {
                self.need(*count > 0, "a cost of 0 is no cost");
                self.check_card_filter(filter);
            }
        }
    }
}

impl Known {
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            event: self.event | other.event,
            event_left: self.event_left & other.event_left,
            event_player: self.event_player | other.event_player,
            event_amount: self.event_amount | other.event_amount,
            kept: self.kept | other.kept,
            aside: self.aside | other.aside,
            drawn: self.drawn | other.drawn,
            them: self.them,
            chosen: self.chosen.max(other.chosen),
            land_type: self.land_type | other.land_type,
            extra_turn: self.extra_turn | other.extra_turn,
            later: self.later,
        }
    }
}
