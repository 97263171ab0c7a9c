//! The rules as they are written, and which of them apply.

use meeple_game::{Action, Game, RuleBook, RuleLine, Turn};

use crate::cpu::Portable;
use crate::machine::{Machine, Past};
use crate::program::{Program, with_code};
use crate::state::FileGame;

impl<const WORDS: usize> FileGame<WORDS> {
    /// Rules are numbered: first those that offer actions, then the chance events of phases, then
    /// the ends.
    pub(crate) const RULE_BOOK: RuleBook<Self> = RuleBook {
        rules: |state| state.program().written_rules(),
        offers: Self::offering_rule,
        ends: Self::ending_rule,
    };

    fn offering_rule(&self, action: Action) -> Option<usize> {
        let rules = &self.program().rules;
        match self.turn() {
            Turn::Over => None,
            Turn::Chance => {
                let phase = usize::from(self.control().phase);
                let is_chance = |phase: &&crate::lower::PhaseInfo| phase.chance.is_some();
                Some(rules.rules.len() + rules.phases[..phase].iter().filter(is_chance).count())
            }
            Turn::Player(_) => {
                let after = rules.rules.partition_point(|rule| rule.first <= action.index());
                after.checked_sub(1)
            }
        }
    }

    fn ending_rule(&self, action: Action) -> Option<usize> {
        let rules = &self.program().rules;
        let before = rules.rules.len();
        let chances = rules.phases.iter().filter(|phase| phase.chance.is_some()).count();
        let end = self.program().end_of(self.words(), action)?;
        Some(before + chances + end)
    }
}

impl Program {
    fn written_rules(&self) -> Vec<RuleLine> {
        let rules = &self.rules;
        let chances = rules.phases.iter().filter(|phase| phase.chance.is_some());
        let spans = (rules.rules.iter().map(|rule| rule.span))
            .chain(chances.map(|phase| phase.span))
            .chain(rules.ends.iter().copied());
        let lines: Vec<&str> = self.text.lines().collect();
        let text = |line: usize| lines.get(line).map_or("", |line| line.trim()).to_owned();
        let line = |span: crate::errors::Span| span.line as usize;
        spans.map(|span| RuleLine { line: line(span) + 1, text: text(line(span)) }).collect()
    }

    /// Returns the end by which playing an action ends the game.
    fn end_of(&self, words: &[u64], action: Action) -> Option<usize> {
        with_code!(self, code, R, N => {
            let (front, past) = words.split_at(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, Portable);
            machine.past = Past::Read(past);
            self.load_into(&mut machine, front);
            machine.play(action);
            machine.end()
        })
    }
}
