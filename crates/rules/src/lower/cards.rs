//! Lowers what happens to cards: playing one from a hand, and moving piles.

use super::rules::SeatCoder;
use super::{Checker, Pile, Place, Symbol};
use crate::errors::Span;
use crate::set::Set;
use crate::syntax::{Effect, EffectKind, Expr, ExprKind, Name, Seen, Target, Whose};
use crate::tree::{
    Condition, SCRATCH, SetTree, Sets, Statement, TO, and, constant, minus, or, register,
};

impl Checker<'_> {
    /// Returns the registers of all piles.
    fn pile_registers(&self) -> Vec<u8> {
        let count = |pile: &Pile| if pile.each { self.players as u8 } else { 1 };
        let registers = |pile: &Pile| pile.register..pile.register + count(pile);
        self.piles.iter().flat_map(registers).collect()
    }

    /// Returns the pile that an effect names, and the register of the seat that is meant.
    fn pile_target(&mut self, target: &Target) -> Option<(usize, u8)> {
        let pile = self.pile(&target.name)?;
        let Pile { each, register, .. } = self.piles[pile];
        let seat = match target.whose {
            None | Some(Whose::My) if each => self.seat,
            None => 0,
            Some(Whose::Their) if each && self.players == 2 => 1 - self.seat,
            _ => {
                let message = "expected a shared pile, or the pile of one player";
                self.problems.add(target.name.span, message);
                return None;
            }
        };
        Some((pile, register + seat as u8))
    }

    /// Adds statements that put the cards of a register into a pile, after which nothing is
    /// known to be lacking there.
    fn receive(&self, pile: usize, to: u8, cards: &Sets, out: &mut Vec<Statement>) {
        out.push(Statement::Set(to, or(&register(to), cards)));
        let Pile { lacks, register: first, .. } = self.piles[pile];
        if let Some(lacks) = lacks {
            out.push(Statement::Set(lacks + to - first, constant(Set::NONE)));
        }
    }

    /// Lowers `move CARDS to PILE`.
    pub(super) fn move_cards(
        &mut self,
        cards: &Expr,
        to: &Target,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let moved = match self.whole_pile(cards) {
            Some(pile) => Some(pile),
            None => self.card_set(cards),
        };
        let (pile, to) = self.pile_target(to)?;
        let moved = moved?;
        let all = self.pile_registers();
        let mut sources = Vec::new();
        // Cards that are chosen in another way than by their pile may be anywhere.
        if !piles_in(&moved, &mut sources) || sources.iter().any(|source| !all.contains(source)) {
            sources = all;
        }
        sources.retain(|source| *source != to);
        if self.place != Place::Definition {
            self.flows.extend(sources.iter().map(|&source| (source, to)));
        }
        out.push(Statement::Set(SCRATCH, moved));
        for source in sources {
            out.push(Statement::Set(source, minus(&register(source), &register(SCRATCH))));
        }
        self.receive(pile, to, &register(SCRATCH), out);
        Some(())
    }

    /// Lowers the question whether a hidden pile has certain cards. Everybody learns the answer:
    /// if it is no, what the pile lacks is remembered; if it is yes, the pile is laid open or the
    /// game ends.
    pub(super) fn ask(
        &mut self,
        question: &Expr,
        then: &[Effect],
        otherwise: &[Effect],
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let ExprKind::Call(_, arguments) = &question.kind else { return None };
        let Some(pile) = self.pile_named(&arguments[0]) else {
            self.problems.add(arguments[0].span, "expected the name of a pile");
            return None;
        };
        let of = self.card_set(&arguments[1]);
        let cards = self.whole_pile(&arguments[0])?;
        let SetTree::Register(asked) = *cards else {
            self.problems.add(arguments[0].span, "expected the pile of one player");
            return None;
        };
        let of = of?;
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let Pile { lacks, register: first, seen, .. } = self.piles[pile];
        if let Some(lacks) = lacks {
            let lacks = lacks + asked - first;
            no.push(Statement::Set(lacks, or(&register(lacks), &of)));
        }
        self.effects(then, &mut yes);
        self.effects(otherwise, &mut no);
        let lays_open = |effect: &Effect| match &effect.kind {
            EffectKind::MoveCards { cards, to } => {
                self.pile_named(cards) == Some(pile) && self.plays_openly(&to.name)
            }
            _ => false,
        };
        if seen != Seen::All && !super::always_ends(&yes) && !then.iter().any(lays_open) {
            let message = "a pile that has these cards must be laid open, or the game must end";
            let help = "`move` it to a pile that all see: otherwise players would know more than a \
                        state can say";
            self.problems.add_with_help(question.span, message, help);
        }
        out.push(Statement::If(Condition::Any(and(&cards, &of)), yes, no));
        Some(())
    }

    /// Checks the piles of a `play` rule: those of the mover, or shared ones.
    fn played(&mut self, from: &Name, to: &Name) -> Option<[(usize, u8); 2]> {
        let target = |name: &Name| Target { whose: None, name: name.clone() };
        let (source, target) = (self.pile_target(&target(from)), self.pile_target(&target(to)));
        let (source, target) = (source?, target?);
        if source.1 == target.1 {
            self.problems.add(to.span, "a card is played to another pile");
            return None;
        }
        if self.piles[source.0].seen == Seen::Nobody {
            self.problems.add(from.span, "the mover does not see the cards of this pile");
            return None;
        }
        Some([source, target])
    }

    /// Returns the cards among which a `play` rule chooses, and those that come first.
    fn playable(
        &mut self,
        from: u8,
        among: Option<&Expr>,
        preferring: Option<&Expr>,
    ) -> Option<(Sets, Option<Sets>)> {
        let among = among.map(|among| self.card_set(among));
        let preferred = match preferring {
            Some(preferring) => Some(self.card_set(preferring)?),
            None => None,
        };
        let cards = match among {
            Some(among) => and(&register(from), &among?),
            None => register(from),
        };
        Some((cards, preferred))
    }

    /// Returns whether others see which card a rule plays.
    pub(super) fn plays_openly(&self, to: &Name) -> bool {
        match self.symbols.get(&to.text) {
            Some(&Symbol::Pile(pile)) => self.piles[pile].seen == Seen::All,
            _ => true,
        }
    }

    /// Lowers the effect of a `play` rule.
    pub(super) fn play_card(
        &mut self,
        [from, to]: [&Name; 2],
        among: Option<&Expr>,
        preferring: Option<&Expr>,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let [(source, from), (target, to)] = self.played(from, to)?;
        let card = register(TO);
        if let Pile { lacks: Some(lacks), register: first, .. } = self.piles[source]
            && preferring.is_some()
        {
            let (cards, preferred) = self.playable(from, among, preferring)?;
            // Without the hand itself, which nobody else sees.
            let open = match &*cards {
                SetTree::And(_, among) => preferred.map(|preferred| and(&preferred, among)),
                _ => preferred,
            };
            let (open, lacks) = (open?, lacks + from - first);
            let follows = Condition::Any(and(&card, &open));
            let learnt = Statement::Set(lacks, or(&register(lacks), &open));
            out.push(Statement::If(Condition::Not(Box::new(follows)), vec![learnt], Vec::new()));
        }
        self.flows.push((from, to));
        out.push(Statement::Set(from, minus(&register(from), &card)));
        self.receive(target, to, &card, out);
        Some(())
    }
}

impl SeatCoder<'_, '_> {
    /// Returns the statements that offer the cards of a `play` rule.
    pub(super) fn offer_cards(
        &mut self,
        entry: u16,
        [from, to]: [&Name; 2],
        among: Option<&Expr>,
        preferring: Option<&Expr>,
    ) -> Option<Vec<Statement>> {
        let [(_, from), _] = self.checker.played(from, to)?;
        let (cards, preferred) = self.checker.playable(from, among, preferring)?;
        let offer = |to: Sets| vec![Statement::Offer { entry, to }];
        let Some(preferred) = preferred else { return Some(offer(cards)) };
        let first = and(&cards, &preferred);
        Some(vec![Statement::If(Condition::Any(first.clone()), offer(first), offer(cards))])
    }

    /// Adds the entry of a `play` rule: one action for each card.
    pub(super) fn card_entry(
        &mut self,
        is_secret: bool,
        effect: usize,
        such_that: Option<usize>,
        span: Span,
    ) {
        let cards = self.checker.cards.names.len();
        let Some(first) = self.take_ids(cards, String::new(), span) else { return };
        let ids = (first..first + cards).map(|id| id as u16).collect();
        let shape = crate::code::Shape::Card;
        let is_pass = false;
        self.entries.push(crate::code::Entry {
            ids,
            is_longest: false,
            effect,
            such_that,
            is_pass,
            is_secret,
            shape,
        });
        self.wide += cards;
    }
}

/// Collects the registers of a union; returns whether the set is one.
fn piles_in(set: &SetTree, out: &mut Vec<u8>) -> bool {
    match set {
        SetTree::Register(register) => {
            out.push(*register);
            true
        }
        SetTree::Or(a, b) => piles_in(a, out) && piles_in(b, out),
        _ => false,
    }
}
