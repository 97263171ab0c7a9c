//! Tables: how many play, by which rules, and each rule that can be switched.

use meeple_game::{Forced, Seats};
use serde::{Deserialize, Serialize};

/// A set of rules to start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// The printed rules of the second edition.
    #[default]
    Official,
    /// The rules of the C engine whose games this set replays step by step.
    Document,
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        /// A table of Stone Age.
        ///
        /// A switch that is left out takes its value from the rule set: on
        /// under [`Rules::Official`] (but for `limited_supply`), the other way
        /// round under [`Rules::Document`].
        ///
        /// ```
        /// use meeple_games::stone_age::Config;
        ///
        /// let table: Config = serde_json::from_str(r#"{"players": 3, "must_place": false}"#)?;
        /// assert_eq!(table.players.get(), 3);
        /// assert!(serde_json::from_str::<Config>(r#"{"players": 5}"#).is_err());
        /// assert!(serde_json::from_str::<Config>(r#"{"no_such_switch": true}"#).is_err());
        /// # Ok::<_, serde_json::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Config {
            /// How many play.
            pub players: Seats<2, 4>,
            /// The rules to start from.
            pub rules: Rules,
            /// Whether questions with one answer are asked.
            pub forced: Forced,
            $($(#[$doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $name: Option<bool>,)*
        }

        impl Default for Config {
            fn default() -> Self {
                Self {
                    players: Seats::default(),
                    rules: Rules::Official,
                    forced: Forced::Skip,
                    $($name: None,)*
                }
            }
        }

        impl Config {
            /// The names of the switches.
            pub const SWITCHES: &[&str] = &[$(stringify!($name)),*];

            /// Every switch as it is at this table.
            pub(super) fn switches(&self) -> Switches {
                let mut switches = match self.rules {
                    Rules::Official => Switches::OFFICIAL,
                    Rules::Document => Switches::DOCUMENT,
                };
                $(if let Some(on) = self.$name {
                    switches.set(Switches::$name(), on);
                })*
                switches
            }
        }

        impl Switches {
            $(
                #[inline]
                const fn $name() -> u16 {
                    1 << $bit
                }
            )*
        }
    };
}

switches! {
    /// Card 31 is a one-use tool of 2, instead of two tool steps.
    card31_one_use = 0,
    /// Card 2 draws a card face down, instead of taking a displayed one.
    draw_hidden_card = 1,
    /// Tools may be added to the two dice of a card.
    tools_on_card_dice = 2,
    /// Players resolve their places in any order, instead of a fixed one.
    free_action_order = 3,
    /// Cards and buildings that could be paid may be declined.
    may_decline = 4,
    /// A player passes only when no figure can be placed.
    must_place = 5,
    /// Food from agriculture that nobody eats is kept.
    keep_surplus_food = 6,
    /// There are 28, 18, 12 and 10 pieces of the resources, and no more.
    limited_supply = 7,
    /// The dice for presents are one event, instead of one after another.
    potpourri_joint = 8,
    /// The tile under a building that was bought is turned up at once, as an
    /// event of its own; otherwise tiles are turned up when the next round is
    /// laid out. Cards and tiles come by chance either way.
    reveal_as_chance = 9,
    /// Equal players share their ranks, instead of the lower seat being ahead.
    shared_ties = 10,
    /// Missing food is paid for in full or not at all.
    pay_in_full = 11,
    /// The two resources of card 0 may be kept for later; needs the free order
    /// of actions, without which they are taken at once.
    keep_two_resources = 12,
    /// A player with ten figures may still occupy the hut.
    hut_at_ten = 13,
}

/// The switches of a table, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches(pub(super) u16);

/// The question whether a switch is on, for each of them.
macro_rules! questions {
    ($($name:ident),* $(,)?) => {
        impl super::StoneAge {
            $(
                #[inline]
                pub(super) const fn $name(&self) -> bool {
                    self.switches.0 & Switches::$name() != 0
                }
            )*
        }
    };
}

questions! {
    card31_one_use, draw_hidden_card, tools_on_card_dice, free_action_order, may_decline,
    must_place, keep_surplus_food, limited_supply, potpourri_joint, reveal_as_chance, shared_ties,
    pay_in_full, keep_two_resources, hut_at_ten,
}

impl Switches {
    const ALL: u16 = (1 << Config::SWITCHES.len()) - 1;
    const OFFICIAL: Self = Self(Self::ALL & !Self::limited_supply());
    const DOCUMENT: Self = Self(Self::limited_supply());

    fn set(&mut self, bit: u16, on: bool) {
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}
