//! Dead actions and dead rules: those that never came up, or that a strong player never uses.

use std::collections::BTreeSet;

use meeple_game::RuleLine;
use meeple_stats::wilson;
use serde::Serialize;

use super::record::Coverage;

/// Which actions came up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionCoverage {
    /// The number of action ids.
    pub action_ids: u64,
    /// Ids that were legal in some game, of random play or of the bot.
    pub legal_ids: u64,
    /// Ids that the bot chose at least once.
    pub chosen_ids: u64,
    /// Actions that the bot never chose although they were legal often, the most frequent first.
    pub dead_actions: Vec<DeadAction>,
    /// The number of all such actions, listed or not.
    pub dead_ids: u64,
}

/// An action that the bot never chose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DeadAction {
    /// The name of the action, where it was first legal.
    pub name: String,
    /// Decisions at which it was legal.
    pub legal_decisions: u64,
    /// The upper bound of the share of those decisions at which the bot would choose it.
    pub chosen_share_ci_high: f64,
}

/// How often a rule came up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleCoverage {
    /// The line of the file, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// Decisions of the bot at which the rule offered an action; 0 for chance events and ends.
    pub offered_decisions: u64,
    /// How often the bot chose such an action, the chance event happened, or the end applied.
    pub applied: u64,
    /// How often the rule offered an action or applied in random games.
    pub random_uses: u64,
}

impl RuleCoverage {
    /// Whether the rule never came up in any game.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.offered_decisions == 0 && self.applied == 0 && self.random_uses == 0
    }

    /// Whether the bot never used what the rule offers.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.offered_decisions > 0 && self.applied == 0
    }
}

/// An action must be legal at this many decisions to count as dead: then it is chosen at less
/// than 12 % of such decisions, with 97.5 % confidence.
const OFTEN: u64 = 30;
/// The most dead actions that are listed.
const LISTED: usize = 20;

/// Evaluates the coverage of actions in the games of the bot and in random games.
pub(crate) fn actions(bot: &Coverage, random: &Coverage, ids: usize) -> ActionCoverage {
    let legal: BTreeSet<&u16> = bot.actions.keys().chain(random.actions.keys()).collect();
    let dead = |counts: &&super::record::ActionUse| counts.chosen == 0 && counts.legal >= OFTEN;
    let mut dead: Vec<DeadAction> = (bot.actions.values().filter(dead))
        .map(|counts| DeadAction {
            name: counts.name.clone(),
            legal_decisions: counts.legal,
            chosen_share_ci_high: wilson(0, counts.legal).ci_high,
        })
        .collect();
    dead.sort_by_key(|action| std::cmp::Reverse(action.legal_decisions));
    let dead_ids = dead.len() as u64;
    dead.truncate(LISTED);
    ActionCoverage {
        action_ids: ids as u64,
        legal_ids: legal.len() as u64,
        chosen_ids: bot.actions.values().filter(|counts| counts.chosen > 0).count() as u64,
        dead_actions: dead,
        dead_ids,
    }
}

/// Evaluates the coverage of the rules of a description, in the order of their lines.
pub(crate) fn rules(lines: Vec<RuleLine>, bot: &Coverage, random: &Coverage) -> Vec<RuleCoverage> {
    let mut rules: Vec<RuleCoverage> = (lines.into_iter().enumerate())
        .map(|(rule, RuleLine { line, text })| {
            let by_bot = bot.rules.get(&rule).copied().unwrap_or_default();
            let at_random = random.rules.get(&rule).copied().unwrap_or_default();
            RuleCoverage {
                line,
                text,
                offered_decisions: by_bot.offered,
                applied: by_bot.applied,
                random_uses: at_random.offered.max(at_random.applied),
            }
        })
        .collect();
    rules.sort_by_key(|rule| rule.line);
    rules
}
