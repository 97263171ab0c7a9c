//! Lowers rules: what each offers, the ids of its actions, and its effects.

use std::rc::Rc;

use super::sure::mark;
use super::{Checker, PhaseInfo, Place, RuleInfo, Value};
use crate::code::Entry;
use crate::set::Set;
use crate::syntax::{
    Action, Effect, EffectKind, Expr, ExprKind, File, Goal, How, Item, Rule, Word,
};
use crate::tree::{
    Condition, NUMBER_LETS, Number, OVER, SetTree, Statement, TO, and, constant, or, register,
};

/// Makes the code of one seat.
pub(super) struct SeatCoder<'c, 'a> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) infos: &'c [PhaseInfo],
    pub(super) entries: Vec<Entry>,
    pub(super) rules: Vec<RuleInfo>,
    pub(super) ids: usize,
    pub(super) offers: Vec<usize>,
    pub(super) rolls: Vec<Option<usize>>,
    pub(super) widest: usize,
    /// The number of actions that the current phase can offer.
    pub(super) wide: usize,
    /// Whether several rules of the current phase place pieces, so that names must say which.
    pub(super) many_places: bool,
    /// What the file adds to the names of the current rule.
    pub(super) called: String,
    /// Whether the chain of the current phase must be a longest one.
    pub(super) longest: bool,
    /// What follows the rules of the current phase.
    pub(super) after: Vec<Effect>,
    /// What must hold after every rule of the current phase.
    pub(super) judged: Option<Expr>,
    /// What follows the last move of a chain in the current phase, and every other rule.
    pub(super) after_chain: Vec<Effect>,
}

/// A rule of a chain with its first entry.
pub(super) type Link<'f> = (&'f Rule, usize);

impl<'c, 'a> SeatCoder<'c, 'a> {
    pub(super) fn new(checker: &'c mut Checker<'a>, infos: &'c [PhaseInfo]) -> Self {
        Self {
            checker,
            infos,
            entries: Vec::new(),
            rules: Vec::new(),
            ids: 0,
            offers: Vec::new(),
            rolls: Vec::new(),
            widest: 0,
            wide: 0,
            many_places: false,
            called: String::new(),
            longest: false,
            after: Vec::new(),
            judged: None,
            after_chain: Vec::new(),
        }
    }

    /// Makes the code of all phases.
    pub(super) fn phases(&mut self, file: &File) {
        let infos = self.infos;
        for (number, info) in infos.iter().enumerate() {
            let Some(phase) = file.phases.get(number) else {
                let empty = self.checker.emitter.block(&[]);
                self.offers.push(empty);
                self.rolls.push(None);
                continue;
            };
            self.after.clone_from(&phase.after);
            self.after_chain.clone_from(&phase.after_chain);
            self.judged.clone_from(&phase.such_that);
            if info.chance.is_some() {
                self.roll(&phase.items);
                continue;
            }
            self.many_places = count_places(&phase.items) > 1;
            (self.wide, self.longest) = (0, false);
            let mut links = Vec::new();
            let mut offers = self.items(&phase.items, false, &mut links);
            if let Some(chain) = self.checker.chain.filter(|_| !links.is_empty()) {
                let mut again = Vec::new();
                for &(rule, entry) in &links {
                    again.extend(self.offer(rule, entry, Some(&register(chain))));
                }
                again = wrapped(again, self.longest);
                if let Some(stop) = self.stop(&phase.items) {
                    again.push(Statement::One { entry: stop });
                }
                offers = vec![Statement::If(Condition::Any(register(chain)), again, offers)];
            }
            let at = self.checker.emitter.block(&offers);
            self.offers.push(at);
            self.rolls.push(None);
            self.widest = self.widest.max(self.wide);
        }
    }

    /// Makes the code of a chance node.
    fn roll(&mut self, items: &[Item]) {
        let empty = self.checker.emitter.block(&[]);
        self.offers.push(empty);
        let mut statements = Vec::new();
        if let [Item::Rule(rule)] = items {
            self.checker.place = Place::Effect { to: false, from: false, over: false };
            self.checker.lets.clear();
            if let Action::Roll { name, .. } = &rule.action {
                let value = Value::Number(Number::Register(NUMBER_LETS));
                self.checker.lets.push((name.text.clone(), value));
            }
            self.checker.effects(&rule.effects, &mut statements);
            self.checker.effects(&self.after, &mut statements);
            self.checker.effects(&self.after_chain, &mut statements);
            if rule.condition.is_some() || rule.such_that.is_some() {
                self.checker.problems.add(rule.span, "chance has no condition");
            }
        }
        let at = self.checker.emitter.block(&statements);
        self.rolls.push(Some(at));
    }

    fn items<'f>(
        &mut self,
        items: &'f [Item],
        in_chain: bool,
        links: &mut Vec<Link<'f>>,
    ) -> Vec<Statement> {
        let mut all = Vec::new();
        for item in items {
            match item {
                Item::Rule(rule) => {
                    if in_chain {
                        links.push((rule, self.entries.len()));
                    }
                    all.extend(self.rule(rule, in_chain));
                }
                Item::AnyOf(inner) => all.extend(self.items(inner, in_chain, links)),
                Item::FirstOf(inner) => {
                    let branches: Vec<Vec<Statement>> = inner
                        .iter()
                        .map(|item| self.items(std::slice::from_ref(item), in_chain, links))
                        .collect();
                    let group = branches
                        .into_iter()
                        .rev()
                        .reduce(|rest, first| vec![Statement::Otherwise(first, rest)]);
                    all.extend(group.unwrap_or_default());
                }
                Item::Otherwise(inner) => {
                    let then = self.items(inner, in_chain, links);
                    all = vec![Statement::Otherwise(all, then)];
                }
                Item::MostDice { items, span } => all.extend(self.most_dice(items, *span)),
                Item::Chain { items: inner, longest, span, .. } => {
                    if in_chain || !links.is_empty() {
                        self.checker.problems.add(*span, "a phase has at most one chain");
                        continue;
                    }
                    if self.checker.chain.is_none() {
                        self.checker.chain = self.checker.new_sets(1, *span);
                    }
                    let first = self.entries.len();
                    let mut own = Vec::new();
                    let offers = self.items(inner, true, &mut own);
                    self.close_chain(&own, first, *longest);
                    links.extend(own);
                    self.longest |= *longest;
                    all.extend(wrapped(offers, *longest));
                }
            }
        }
        all
    }

    /// Lowers a rule: its entries, its effects and what it offers.
    fn rule(&mut self, rule: &Rule, in_chain: bool) -> Vec<Statement> {
        if matches!(rule.action, Action::Travel { .. }) && !in_chain {
            return self.travel(rule);
        }
        // The effects of a chain's rules are made when all of them are known.
        let mut statements = Vec::new();
        let mut effect = 0;
        if !in_chain {
            statements = self.effects(rule);
            self.checker.effects(&self.after_chain, &mut statements);
            effect = self.checker.emitter.block(&statements);
        }
        let condition = self.must_hold(rule);
        let such_that = condition.clone().map(|condition| self.accept(condition));
        let first = self.entries.len();
        self.make_entries(rule, effect, such_that);
        let offers = self.offer(rule, first, None);
        let sure = condition.filter(|_| !in_chain);
        let sure =
            sure.and_then(|condition| self.checker.sure(&rule.action, &statements, &condition));
        match (sure, u16::try_from(first)) {
            (Some(sure), Ok(first)) => mark(offers, first, &sure),
            _ => offers,
        }
    }

    /// Lowers what must hold after a rule, to the block of code that accepts it.
    pub(super) fn such_that(&mut self, rule: &Rule) -> Option<usize> {
        self.must_hold(rule).map(|condition| self.accept(condition))
    }

    fn accept(&mut self, condition: Condition) -> usize {
        let accept = vec![Statement::If(condition, vec![Statement::Accept], Vec::new())];
        self.checker.emitter.block(&accept)
    }

    /// Lowers what must hold after a rule, by itself and by its phase.
    fn must_hold(&mut self, rule: &Rule) -> Option<Condition> {
        self.checker.place = scope(&rule.action);
        self.checker.lets.clear();
        let own = rule.such_that.as_ref().and_then(|expr| self.checker.condition(expr));
        // What is judged for a whole phase may name the sites of moves that a word has not.
        self.checker.place = Place::Effect { to: true, from: true, over: true };
        let shared = self.judged.clone().and_then(|expr| self.checker.condition(&expr));
        let both = |a, b| Condition::And(Box::new(a), Box::new(b));
        own.into_iter().chain(shared).reduce(both)
    }

    /// Lowers the effects of a rule.
    pub(super) fn effects(&mut self, rule: &Rule) -> Vec<Statement> {
        let checker = &mut *self.checker;
        checker.place = scope(&rule.action);
        checker.is_card_event = matches!(rule.action, Action::Play { .. });
        checker.lets.clear();
        let mut out = Vec::new();
        match &rule.action {
            Action::Place { piece, on } => {
                if let Some(piece) = checker.piece(piece) {
                    let own = checker.own_register(piece);
                    out.push(Statement::Set(own, or(&register(own), &register(TO))));
                }
                if let Some(enemy) = flanking(on)
                    && let Some(enemy) = checker.set(enemy)
                {
                    let (own, at) = (checker.mine(), register(TO));
                    let flanked = Rc::new(SetTree::Flanked { own, enemy, at });
                    checker.lets.push(("flanked".into(), Value::Set(flanked)));
                }
            }
            Action::Move { what, how, over, to } => {
                if let (How::Slide(_), Some(over)) = (how, over)
                    && let Some(over) = checker.set(over)
                {
                    let between = Rc::new(SetTree::Between);
                    out.push(Statement::Set(OVER, and(&between, &over)));
                }
                let is_empty = matches!(&to.kind, ExprKind::Name(name) if name == "empty");
                checker.move_piece(what, !is_empty, &mut out);
            }
            Action::Travel { what, to, .. } => checker.relocate(what, to, &mut out),
            Action::Sow { heap, skipping, .. } => {
                let heap = checker.heap(&crate::expression::named(heap.clone()));
                checker.place = Place::Effect { to: false, from: true, over: false };
                let skipping = match skipping {
                    Some(skipping) => checker.set(skipping),
                    None => Some(constant(Set::NONE)),
                };
                checker.place = scope(&rule.action);
                if let (Some(heap), Some(skipping)) = (heap, skipping) {
                    let heap = checker.heap_of(heap, checker.seat);
                    out.push(Statement::Sow { heap, skipping });
                }
            }
            Action::Aim { .. }
            | Action::Say(_)
            | Action::Pass
            | Action::Roll { .. }
            | Action::RollEach { .. }
            | Action::RollDice
            | Action::Deal { .. } => {}
            Action::Play { from, to, among, preferring } => {
                let (among, preferring) = (among.as_ref(), preferring.as_ref());
                checker.play_card([from, to], among, preferring, &mut out);
            }
            Action::Bid { name, .. } => {
                let value = Value::Number(Number::Register(NUMBER_LETS));
                checker.lets.push((name.text.clone(), value));
            }
        }
        checker.reads_pieces = false;
        checker.effects(&rule.effects, &mut out);
        if checker.reads_pieces && !shows(&rule.effects) {
            let message = "the effects depend on pieces that players do not see, and show nothing";
            let help = "`show` the sites of which the mover learns what is there";
            checker.problems.add_with_help(rule.span, message, help);
        }
        checker.effects(&self.after, &mut out);
        out
    }
}

/// Returns the words that the effects of a rule can use.
fn scope(action: &Action) -> Place {
    match action {
        Action::Place { .. } | Action::Aim { .. } => {
            Place::Effect { to: true, from: false, over: false }
        }
        Action::Move { how, over, .. } => {
            let over = matches!(how, How::Jump(_)) || over.is_some();
            Place::Effect { to: true, from: true, over }
        }
        Action::Sow { .. } => Place::Effect { to: true, from: true, over: false },
        Action::Travel { to, .. } => {
            Place::Effect { to: matches!(to, Goal::Sites(_)), from: true, over: false }
        }
        Action::Play { .. } => Place::Effect { to: true, from: false, over: false },
        Action::Say(_)
        | Action::Pass
        | Action::Bid { .. }
        | Action::Roll { .. }
        | Action::RollEach { .. }
        | Action::RollDice
        | Action::Deal { .. } => Place::Effect { to: false, from: false, over: false },
    }
}

/// Returns what the sites of a placement flank.
fn flanking(on: &Expr) -> Option<&Expr> {
    match &on.kind {
        ExprKind::Call(Word::Flanking, arguments) => arguments.get(1),
        _ => None,
    }
}

fn count_places(items: &[Item]) -> usize {
    items
        .iter()
        .map(|item| match item {
            Item::Rule(rule) => usize::from(matches!(rule.action, Action::Place { .. })),
            Item::FirstOf(inner) | Item::AnyOf(inner) | Item::Otherwise(inner) => {
                count_places(inner)
            }
            Item::Chain { items, .. } | Item::MostDice { items, .. } => count_places(items),
        })
        .sum()
}

fn wrapped(offers: Vec<Statement>, longest: bool) -> Vec<Statement> {
    if longest { vec![Statement::Longest(offers)] } else { offers }
}

/// Returns whether effects show anything.
fn shows(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| match &effect.kind {
        EffectKind::Show { .. } => true,
        EffectKind::If { then, otherwise, .. } => shows(then) || shows(otherwise),
        EffectKind::EachPlayer(inner) | EffectKind::ForSeat(_, inner) => shows(inner),
        _ => false,
    })
}
