//! The rules of the contract by name, and the report of a broken one.

use std::fmt;

macro_rules! rules {
    ($($name:ident: $sentence:literal,)*) => {
        /// A rule of the [`Game`](crate::Game) contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $(#[doc = $sentence] $name,)*
        }

        impl Rule {
            /// Every rule that [`check`](super::check) and
            /// [`check_action_names`](super::check_action_names) test.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The rule as a sentence.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$name => $sentence,)*
                }
            }
        }
    };
}

rules! {
    Size: "A state is small enough to copy at every step.",
    Seats: "The number of seats is one of seats, all of them in SEATS, and never changes.",
    Info: "info is the same in every state and says what the other methods say.",
    Constants: "No table has more action ids, chance or imperfect information than the constants say.",
    InfoBounds: "No game has more decisions, higher chance ids or another sum of payoffs than info says.",
    Consistency: "Pieces, cards and chips add up in every state.",
    Termination: "Every game ends.",
    LegalActions: "legal_actions lists each action once, in a fixed order, below actions, and is empty exactly when no player decides.",
    ForcedSkipped: "A table that skips forced moves asks no question with one answer.",
    Chance: "Chance nodes occur at tables that declare chance, and at no others.",
    Odds: "Chance outcomes are distinct and possible, and their probabilities sum to 1 within 1e-9.",
    SampledAction: "sample_action draws legal_actions()[rng.below(their number)].",
    AppliedSample: "apply_sampled plays what sample_action draws, and tells what it was.",
    PlayedOut: "the playout companion ends as random play step by step, after as many steps.",
    SampledChance: "sample_chance draws outcomes by their probabilities.",
    DistinctNames: "No two choices of a state have one name.",
    NamesParse: "A name parses back to its choice.",
    Determinism: "The same configuration and actions give the same state.",
    Refusal: "try_apply refuses what is not offered and leaves the state alone.",
    ObservationWritten: "observe writes every cell.",
    ObservationRange: "Every cell of an observation keeps to its field.",
    ObservationLeak: "observe shows nothing hidden from the player.",
    InfoKeyLeak: "info_key contains nothing hidden from the player.",
    TextLeak: "text shows nothing hidden from the player.",
    SeenChoice: "The player who decides sees the choice, and a choice that others see tells them nothing hidden.",
    LegalActionsLeak: "Legal actions and their names tell nothing hidden from the player.",
    LegalActionsObserved: "One observation of the player who decides means one list of legal actions, with the same names.",
    InfoKeySound: "One info_key of a player means one observation and one list of legal actions.",
    PerfectRecall: "Where info says so, one info_key of a player means one history of their information keys and actions.",
    DeterminizePossible: "determinize makes states that are possible and can be played to their end.",
    DeterminizeHidden: "determinize changes what is hidden, and only that.",
    KeySound: "States with one key offer the same choices, now and later, and end alike.",
    Payoffs: "Payoffs are within -1 and 1, for seats that exist, once the game is over; zeros have no sign.",
    Priorities: "Priorities are numbers of 0 or more, not all 0, every one written.",
    PrioritiesLeak: "Priorities tell nothing hidden from the one who decides.",
    Focus: "A focused state asks the same player, about some of the legal actions in their order.",
    FocusLeak: "What a focused state asks tells nothing hidden from the one who decides.",
    Symmetry: "A symmetry maps observations, legal actions and results onto those of the game of images.",
    Evaluation: "A heuristic evaluation is within -1 and 1.",
}

/// A broken rule: which one, how, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule.
    pub rule: Rule,
    /// What was observed instead.
    pub seen: String,
    /// The state in which it was observed.
    pub state: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, seen, state } = self;
        write!(f, "broken rule {rule:?}: {}\nseen: {seen}\nstate: {state}", rule.sentence())
    }
}

impl std::error::Error for Fault {}

/// The result of a check.
pub(super) type Checked = Result<(), Fault>;

/// Fails with `rule` unless `holds`.
pub(super) fn expect(
    holds: bool,
    rule: Rule,
    state: &impl fmt::Debug,
    seen: impl FnOnce() -> String,
) -> Checked {
    if holds {
        return Ok(());
    }
    Err(Fault { rule, seen: seen(), state: format!("{state:?}") })
}
