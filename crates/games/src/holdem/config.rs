//! The configuration: seats, blinds, stacks and bet sizes.

use meeple_game::Seats;
use serde::{Deserialize, Serialize};

/// The maximum number of seats.
pub(super) const SEATS: usize = 6;
/// The maximum stack: six of them fit into 32 bits.
pub(super) const MAX_CHIPS: u32 = 100_000_000;
/// The maximum number of bet sizes.
pub(super) const MAX_SIZES: usize = 12;
/// The default bet sizes of no-limit games, in percent of the pot.
const DEFAULT_BETS: [u16; 3] = [50, 100, 200];
/// The maximum bet size in percent of the pot.
const MAX_PERCENT: u16 = 1000;

/// The betting structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Betting {
    /// Fixed limit: bets of one big blind before the turn and two from then on; one bet and
    /// three raises a street, where the big blind counts as the first bet.
    Limit,
    /// No-limit with the configured bet sizes, and all-in.
    #[default]
    NoLimit,
    /// Fold, call, pot, all-in: no-limit with pot-sized bets alone.
    Fcpa,
}

/// The starting stacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of chips, or a list with one for each seat")]
pub enum Stacks {
    /// The same for all.
    Equal(u32),
    /// One stack for each seat.
    Each(Vec<u32>),
}

/// The configuration as written; a [`Config`] is validated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of players. The last seat has the button.
    pub players: Seats<2, SEATS>,
    /// The betting structure.
    pub betting: Betting,
    /// No-limit bet sizes in percent of the pot, ascending; by default 50, 100 and 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bets: Option<Vec<u16>>,
    /// Further no-limit bet sizes as total amounts in chips, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<u32>,
    /// The small blind.
    pub small_blind: u32,
    /// The big blind, also the minimum bet.
    pub big_blind: u32,
    /// The ante of each seat.
    pub ante: u32,
    /// The starting stacks.
    pub stacks: Stacks,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            players: Seats::default(),
            betting: Betting::default(),
            bets: None,
            amounts: Vec::new(),
            small_blind: 50,
            big_blind: 100,
            ante: 0,
            stacks: Stacks::Equal(10_000),
        }
    }
}

/// A validated configuration of hold'em.
///
/// ```
/// use meeple_games::holdem::{Config, Options, Stacks};
///
/// let table: Config = serde_json::from_str(r#"{"players": 3, "betting": "limit"}"#)?;
/// assert_eq!(table.options().big_blind, 100);
/// let wrong = Options { stacks: Stacks::Each(vec![500; 3]), ..Options::default() };
/// let error = Config::try_from(wrong).unwrap_err();
/// assert_eq!(error.to_string(), "stacks: expected one for each of 2 seats, got 3");
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Options", into = "Options")]
pub struct Config(Options);

impl Config {
    /// The options of this configuration.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.0
    }

    /// The starting stack of each seat.
    pub(super) fn stacks(&self) -> [u32; SEATS] {
        let players = self.0.players.get();
        let mut stacks = [0; SEATS];
        match &self.0.stacks {
            Stacks::Equal(chips) => stacks[..players].fill(*chips),
            Stacks::Each(chips) => stacks[..players].copy_from_slice(chips),
        }
        stacks
    }

    /// The bet sizes in percent of the pot, then those in chips; none in limit games.
    pub(super) fn sizes(&self) -> (&[u16], &[u32]) {
        match self.0.betting {
            Betting::Limit => (&[], &[]),
            Betting::Fcpa => (&[100], &self.0.amounts),
            Betting::NoLimit => (self.0.bets.as_deref().unwrap_or(&DEFAULT_BETS), &self.0.amounts),
        }
    }
}

impl From<Config> for Options {
    fn from(config: Config) -> Self {
        config.0
    }
}

impl TryFrom<Options> for Config {
    type Error = WrongTable;

    fn try_from(options: Options) -> Result<Self, WrongTable> {
        options.check()?;
        Ok(Self(options))
    }
}

impl Options {
    fn check(&self) -> Result<(), WrongTable> {
        let players = self.players.get();
        let named = match &self.stacks {
            Stacks::Equal(chips) => std::slice::from_ref(chips),
            Stacks::Each(stacks) if stacks.len() == players => stacks,
            Stacks::Each(stacks) => {
                return Err(WrongTable::Stacks { players, got: stacks.len() });
            }
        };
        let chips = 1..=MAX_CHIPS;
        if let Some(&got) = named.iter().find(|stack| !chips.contains(stack)) {
            return Err(WrongTable::Stack(got));
        }
        let (small, big) = (self.small_blind, self.big_blind);
        if small == 0 || small >= big || big > MAX_CHIPS || self.ante > MAX_CHIPS {
            return Err(WrongTable::Blinds { small, big, ante: self.ante });
        }
        let ascending = |percents: &[u16]| percents.windows(2).all(|pair| pair[0] < pair[1]);
        match (&self.bets, self.betting) {
            (Some(_), Betting::Limit | Betting::Fcpa) => return Err(WrongTable::NoBets("bets")),
            (Some(bets), Betting::NoLimit)
                if !ascending(bets) || bets.iter().any(|bet| !(1..=MAX_PERCENT).contains(bet)) =>
            {
                return Err(WrongTable::Bets(bets.clone()));
            }
            _ => {}
        }
        if self.betting == Betting::Limit && !self.amounts.is_empty() {
            return Err(WrongTable::NoBets("amounts"));
        }
        let amounts = &self.amounts;
        if amounts.windows(2).any(|pair| pair[0] >= pair[1])
            || amounts.iter().any(|amount| !chips.contains(amount))
        {
            return Err(WrongTable::Amounts(amounts.clone()));
        }
        let percents = self.bets.as_ref().map_or(DEFAULT_BETS.len(), Vec::len);
        if percents + amounts.len() > MAX_SIZES {
            return Err(WrongTable::Sizes(percents + amounts.len()));
        }
        Ok(())
    }
}

/// An invalid configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongTable {
    /// The number of stacks is not the number of seats.
    #[error("stacks: expected one for each of {players} seats, got {got}")]
    Stacks {
        /// The number of seats.
        players: usize,
        /// The number of stacks.
        got: usize,
    },
    /// A stack out of range.
    #[error("stacks: expected 1 to {MAX_CHIPS} chips, got {0}")]
    Stack(u32),
    /// Invalid blinds or ante.
    #[error(
        "expected small_blind of at least 1, big_blind above small_blind, and big_blind and \
         ante of at most {MAX_CHIPS}, got {small}, {big} and {ante}"
    )]
    Blinds {
        /// The small blind.
        small: u32,
        /// The big blind.
        big: u32,
        /// The ante.
        ante: u32,
    },
    /// Bet sizes for a betting structure without a choice of them.
    #[error("{0}: allowed only with betting \"no-limit\" (amounts also with \"fcpa\")")]
    NoBets(&'static str),
    /// Percentages that are not ascending or out of range.
    #[error("bets: expected ascending percentages of the pot from 1 to {MAX_PERCENT}, got {0:?}")]
    Bets(Vec<u16>),
    /// Amounts that are not ascending or out of range.
    #[error("amounts: expected ascending numbers of chips from 1 to {MAX_CHIPS}, got {0:?}")]
    Amounts(Vec<u32>),
    /// More bet sizes than there are action ids.
    #[error("bets and amounts: expected at most {MAX_SIZES} together, got {0}")]
    Sizes(usize),
}
