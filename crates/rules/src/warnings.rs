//! Warnings about files without errors: what can never happen, and what need not end.

use meeple_game::{ActionList, Game, Rng, Turn};

use crate::config::Config;
use crate::errors::{Problems, Span, Warnings};
use crate::lower::{PhaseInfo, RuleInfo};
use crate::state::FileGame;

/// The decisions after which a random game counts as one without end.
const MAX_DECISIONS: u32 = 10_000;

/// The bytes of a state above which it is large.
const LARGE: usize = 128;

impl<const WORDS: usize> Config<WORDS> {
    /// Plays random games and returns everything about the file that its author may not mean:
    /// phases that cannot be reached, rules that no game offered, games that need not end,
    /// conditions that are judged action by action, large states. `file` is the name of the file
    /// in them.
    ///
    /// ```
    /// use meeple_rules::Config;
    ///
    /// let text = "\
    /// game Fill
    /// players 2
    /// board square 3
    /// piece man
    /// turn
    ///   place man on empty
    ///   pass if count of mine > 9
    /// end
    ///   board full: draw
    /// ";
    /// let config: Config<15> = Config::new("fill.game", text, Default::default())?;
    /// let warnings = config.warnings("fill.game", 100, 1);
    /// assert_eq!(warnings.count(), 1);
    /// assert!(warnings.to_string().contains("no state of 100 random games offered this rule"));
    /// # Ok::<_, meeple_rules::FileError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self, file: &str, games: u32, seed: u64) -> Warnings {
        let rules = &self.program().rules;
        let mut problems = Problems::of(rules.warnings.clone());
        let (mut offered, mut entered) =
            (vec![false; rules.rules.len()], vec![false; rules.phases.len()]);
        let mut endless = 0;
        let mut actions = ActionList::new();
        for number in 0..games {
            let (mut state, mut rng) =
                (FileGame::<WORDS>::new(self), Rng::new(seed).split(number.into()));
            let (mut decisions, mut chances) = (0, 0);
            while state.turn() != Turn::Over && decisions.max(chances) < MAX_DECISIONS {
                entered[usize::from(state.control().phase)] = true;
                if state.turn() == Turn::Chance {
                    state.apply(state.sample_chance(&mut rng));
                    chances += 1;
                    continue;
                }
                state.legal_actions(&mut actions);
                for action in actions.iter() {
                    let after = rules.rules.partition_point(|rule| rule.first <= action.index());
                    offered[after - 1] = true;
                }
                state.apply(actions[rng.below(actions.len())]);
                (decisions, chances) = (decisions + 1, 0);
            }
            endless += u32::from(decisions.max(chances) == MAX_DECISIONS);
        }
        // A rule may have several parts, one for each die.
        let offered: Vec<Span> = (rules.rules.iter().zip(&offered))
            .filter_map(|(rule, offered)| offered.then_some(rule.span))
            .collect();
        let mut unused: Vec<&RuleInfo> =
            rules.rules.iter().filter(|rule| !offered.contains(&rule.span)).collect();
        unused.dedup_by_key(|rule| rule.span);
        let first_after = |line: u32| {
            rules.phases.iter().map(|phase| phase.span.line).filter(|&next| next > line).min()
        };
        let is_in = |phase: &PhaseInfo, rule: &RuleInfo| {
            let end = first_after(phase.span.line).unwrap_or(u32::MAX);
            (phase.span.line..end).contains(&rule.span.line)
        };
        let is_reached = |rule: &RuleInfo| {
            !rules.phases.iter().any(|phase| !phase.is_reachable && is_in(phase, rule))
        };
        // The end of a chain has no line of its own.
        let has_line = |rule: &RuleInfo| rule.span != Span::default();
        for rule in unused.into_iter().filter(|rule| has_line(rule) && is_reached(rule)) {
            let message = format!("no state of {games} random games offered this rule");
            problems.add(rule.span, message);
        }
        let phases = rules.phases.iter().zip(&entered).filter(|(_, entered)| !**entered);
        for (phase, _) in phases.filter(|(phase, _)| phase.is_reachable) {
            let message = format!("no random game of {games} came to the phase `{}`", phase.name);
            problems.add(phase.span, message);
        }
        let bytes = size_of::<&crate::program::Program>() + 8 * self.program().words();
        if bytes > LARGE {
            let message = format!("a state has {bytes} bytes, and searches copy it at every step");
            problems.add(rules.title_span, message);
        }
        if endless > 0 {
            let message = format!(
                "{endless} of {games} random games did not end within {MAX_DECISIONS} decisions"
            );
            let help = "bound games by an end such as a counter of quiet moves";
            problems.add_with_help(rules.title_span, message, help);
        }
        problems.into_warnings(file, self.text())
    }
}
