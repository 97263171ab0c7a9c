//! Defines phases, and what chance decides in them.

use super::{Chance, Checker, Deal, DealCount, NumberDef, PhaseInfo, Place, RollEach, Symbol};
use crate::errors::Span;
use crate::syntax::{
    Action, Effect, EffectKind, Expr, ExprKind, File, Item, Name, Phase, Range, Seen, Target,
    Whose, Word,
};
use crate::tree::{NUMBER_LETS, Number};

impl Checker<'_> {
    /// Checks the name of a pile.
    pub(super) fn pile(&mut self, name: &Name) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(&Symbol::Pile(pile)) => Some(pile),
            _ => {
                self.unknown(&name.text, name.span, "of a pile");
                None
            }
        }
    }

    pub(super) fn deal(&mut self, count: &Expr, from: &Name, to: &Target) -> Option<Chance> {
        let cards = self.cards.names.len() as i64;
        let each = match self.number(count)? {
            Number::Register(register) => DealCount::Register(register),
            _ => DealCount::Constant(self.constant_in(count, 1, cards.max(1))? as i32),
        };
        let (source, target) = (self.pile(from), self.pile(&to.name));
        let (source, target) = (source?, target?);
        if self.piles[source].each || source == target {
            self.problems.add(from.span, "cards are dealt from a shared pile to another one");
            return None;
        }
        let counter = self.new_numbers(1, from.span)?;
        let pile = &self.piles[target];
        let is_mine = to.whose == Some(Whose::My);
        if to.whose.is_some() && !(is_mine && pile.each) {
            self.problems.add(to.name.span, "cards are dealt to all players or to `my` pile");
            return None;
        }
        let piles = if pile.each { self.players } else { 1 };
        if let DealCount::Constant(each) = each
            && i64::from(each) * if is_mine { 1 } else { piles as i64 } > cards
        {
            let message = format!("{} cards are dealt, there are {cards}", each * piles as i32);
            self.problems.add(count.span, message);
            return None;
        }
        let (from, to, lacks) = (self.piles[source].register, pile.register, pile.lacks);
        self.flows.extend((0..piles as u8).map(|seat| (from, to + seat)));
        Some(Chance::Deal(Deal { from, to, piles, is_mine, each, counter, lacks }))
    }

    /// Checks the roll of a hidden number of each player.
    fn roll_each(&mut self, number: &Name, range: &Range) -> Option<Chance> {
        let Some(&Symbol::Number(at)) = self.symbols.get(&number.text) else {
            self.unknown(&number.text, number.span, "of a number");
            return None;
        };
        let NumberDef { register, low: least, high: most, is_hidden, .. } = self.numbers[at];
        if !is_hidden {
            let message = "expected a number that only its owner sees";
            let help = "`number die of each player 0..6 seen by owner`";
            self.problems.add_with_help(number.span, message, help);
            return None;
        }
        let low = self.constant_in(&range.low, least.into(), most.into())?;
        let high = self.constant_in(&range.high, low + 1, most.into())?;
        let counter = self.new_numbers(1, number.span)?;
        let (low, high) = (low as i16, high as i16);
        Some(Chance::RollEach(RollEach { register, low, high, counter }))
    }

    /// Finds the piles of which others learn what they lack, and whether sites are shown secretly.
    fn define_lacks(&mut self, phase: &Phase) {
        let mut rules = Vec::new();
        super::tables::collect_rules(&phase.items, &mut rules);
        for rule in rules {
            match &rule.action {
                Action::Play { from, preferring: Some(_), .. } => self.define_lack(&from.text),
                Action::Aim { secretly: true, .. } => self.is_shown_secretly = true,
                _ => {}
            }
            self.find_questions(&rule.effects);
        }
        self.find_questions(&phase.after);
        self.find_questions(&phase.after_chain);
    }

    fn find_questions(&mut self, effects: &[Effect]) {
        for effect in effects {
            match &effect.kind {
                EffectKind::If { condition, then, otherwise } => {
                    if let ExprKind::Call(Word::Has, arguments) = &condition.kind
                        && let Some(pile) = self.pile_named(&arguments[0])
                    {
                        let name = self.piles[pile].name.clone();
                        self.define_lack(&name);
                    }
                    self.find_questions(then);
                    self.find_questions(otherwise);
                }
                EffectKind::EachPlayer(inner) | EffectKind::ForSeat(_, inner) => {
                    self.find_questions(inner);
                }
                _ => {}
            }
        }
    }

    fn define_lack(&mut self, pile: &str) {
        if let Some(&Symbol::Pile(pile)) = self.symbols.get(pile)
            && self.piles[pile].each
            && self.piles[pile].seen != Seen::All
            && self.piles[pile].lacks.is_none()
        {
            self.piles[pile].lacks = self.new_sets(self.players, Span::default());
        }
    }

    /// Defines the phases and the rolls of chance nodes.
    pub(super) fn phases(&mut self, file: &File) -> Vec<PhaseInfo> {
        let mut phases = Vec::new();
        self.place = Place::Offer;
        file.phases.iter().for_each(|phase| self.define_lacks(phase));
        for (number, phase) in file.phases.iter().enumerate() {
            if file.phases.len() > 1 || phase.name.text != "turn" {
                self.insert(&phase.name, Symbol::Phase(number));
            }
            self.phase_names.push(phase.name.text.clone());
            let (mut chance, mut span) = (None, phase.name.span);
            if let [Item::Rule(rule)] = &phase.items[..]
                && matches!(
                    rule.action,
                    Action::Deal { .. }
                        | Action::Roll { .. }
                        | Action::RollEach { .. }
                        | Action::RollDice
                )
            {
                span = rule.span;
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Deal { count, from, to } = &rule.action
            {
                let nothing = Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 };
                chance = Some(self.deal(count, from, to).unwrap_or(nothing));
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && matches!(rule.action, Action::RollDice)
            {
                let nothing = Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 };
                chance = Some(self.the_dice(rule.span).map_or(nothing, Chance::Dice));
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::RollEach { number, range } = &rule.action
            {
                let nothing = Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 };
                chance = Some(self.roll_each(number, range).unwrap_or(nothing));
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Roll { range, .. } = &rule.action
            {
                let low = self.constant_in(&range.low, -1000, 1000);
                let high = self.constant_in(&range.high, -1000, 1000);
                chance = Some(Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 });
                if let (Some(low), Some(high)) = (low, high) {
                    let faces = high - low + 1;
                    let (low, high) = (low as i16, high as i16);
                    chance = Some(Chance::Roll { register: NUMBER_LETS, low, high });
                    if !(2..=meeple_game::MAX_OUTCOMES as i64).contains(&faces) {
                        let most = meeple_game::MAX_OUTCOMES;
                        let message = format!("a roll has 2 to {most} outcomes, this has {faces}");
                        self.problems.add(rule.span, message);
                    }
                }
            }
            phases.push(PhaseInfo {
                name: phase.name.text.clone(),
                chance,
                span,
                acts_on_own: acts_on_own(phase),
                is_reachable: true,
            });
        }
        if phases.is_empty() {
            self.missing("the file has no `turn` and no `phase`");
            let span = Span::default();
            phases.push(PhaseInfo {
                name: "turn".into(),
                chance: None,
                span,
                acts_on_own: true,
                is_reachable: true,
            });
        }
        if phases.len() > 255 {
            self.problems.add(Span::default(), "a game has at most 255 phases");
        }
        if file.ends.is_empty() {
            self.missing("the file has no `end`: the game would never end");
        }
        phases
    }
}

/// Returns whether a phase puts or moves pieces.
fn acts_on_own(phase: &Phase) -> bool {
    let mut rules = Vec::new();
    super::tables::collect_rules(&phase.items, &mut rules);
    rules
        .iter()
        .any(|rule| !matches!(rule.action, Action::Aim { .. } | Action::Say(_) | Action::Pass))
}
