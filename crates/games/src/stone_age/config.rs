//! The configuration: players, rule set and rule switches.

use meeple_game::{Forced, Seats};
use serde::{Deserialize, Serialize};

/// A rule set, which determines the defaults of all switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// The printed rules of the second edition.
    #[default]
    Official,
    /// The rules of a C engine, whose recorded games this rule set reproduces.
    Document,
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        /// The configuration of Stone Age.
        ///
        /// The default of a switch comes from the rule set: on under [`Rules::Official`]
        /// (except `limited_supply`), and the opposite under [`Rules::Document`].
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
            /// The number of players.
            pub players: Seats<2, 4>,
            /// The rule set.
            pub rules: Rules,
            /// Whether players decide where only one action is legal.
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

            /// The values of all switches.
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
    /// Card 31 is a one-use tool of value 2, instead of two tool steps.
    card31_one_use = 0,
    /// Card 2 draws a card face down, instead of taking a displayed one.
    draw_hidden_card = 1,
    /// Tools may be added to the two dice of a card.
    tools_on_card_dice = 2,
    /// Players resolve their placements in any order, instead of a fixed one.
    free_action_order = 3,
    /// Affordable cards and buildings may be declined.
    may_decline = 4,
    /// Passing is legal only without a legal placement.
    must_place = 5,
    /// Surplus food from agriculture is kept.
    keep_surplus_food = 6,
    /// The supply is limited to 28 wood, 18 clay, 12 stone and 10 gold.
    limited_supply = 7,
    /// All gift dice are one chance event, instead of one each.
    potpourri_joint = 8,
    /// The tile under a bought building is revealed at once; otherwise with the setup of the
    /// next round. Cards and tiles are revealed by chance events either way.
    reveal_as_chance = 9,
    /// Tied players share their ranks, instead of the lower seat being ahead.
    shared_ties = 10,
    /// Missing food is paid in full or not at all.
    pay_in_full = 11,
    /// The two resources of card 0 may be taken later; needs `free_action_order`, without
    /// which they are taken at once.
    keep_two_resources = 12,
    /// A player with ten figures may still occupy the hut.
    hut_at_ten = 13,
}

/// The values of all switches, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches(pub(super) u16);

/// Defines a getter for each switch.
macro_rules! getters {
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

getters! {
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
