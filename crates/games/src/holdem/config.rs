//! Tables: seats, blinds, stacks, and which bets are on the menu.

use meeple_game::Seats;
use serde::{Deserialize, Serialize};

/// The most that can sit at a table.
pub(super) const SEATS: usize = 6;
/// The most chips a seat may bring: six of them fit a word of 32 bits.
pub(super) const MOST_CHIPS: u32 = 100_000_000;
/// The most sizes of bets that a table may have.
pub(super) const SIZES: usize = 12;
/// The bets of a no-limit table that names none, in percent of the pot.
const USUAL_BETS: [u16; 3] = [50, 100, 200];
/// The largest bet in percent of the pot; what is larger is better put all-in.
const MOST_PERCENT: u16 = 1000;

/// How much may be bet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Betting {
    /// The big blind before the turn, twice as much from then on; one bet and
    /// three raises a street, the big blind being the first bet.
    Limit,
    /// The bets that the table names, and all-in.
    #[default]
    NoLimit,
    /// Fold, call, the pot, and all-in: no limit with bets of the pot alone.
    Fcpa,
}

/// What each seat begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number of chips, or a list with one for each seat")]
pub enum Stacks {
    /// The same for all.
    Equal(u32),
    /// One number for each seat.
    Each(Vec<u32>),
}

/// A table as it is written down; [`Config`] is one that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many play. The last seat deals.
    pub players: Seats<2, SEATS>,
    /// How much may be bet.
    pub betting: Betting,
    /// Without a limit: the sizes of bets in percent of the pot, rising; 50,
    /// 100 and 200 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bets: Option<Vec<u16>>,
    /// Without a limit: further sizes, as the chips that are in front of the
    /// player then, rising.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<u32>,
    /// What the small blind is.
    pub small_blind: u32,
    /// What the big blind is; the least bet too.
    pub big_blind: u32,
    /// What everybody pays before the blinds.
    pub ante: u32,
    /// What each seat begins with.
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

/// A table of hold'em that exists.
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
    /// What is written down about the table.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.0
    }

    /// The chips of each seat.
    pub(super) fn stacks(&self) -> [u32; SEATS] {
        let players = self.0.players.get();
        let mut stacks = [0; SEATS];
        match &self.0.stacks {
            Stacks::Equal(chips) => stacks[..players].fill(*chips),
            Stacks::Each(chips) => stacks[..players].copy_from_slice(chips),
        }
        stacks
    }

    /// The bets in percent of the pot, then the other sizes; none with a limit.
    pub(super) fn sizes(&self) -> (&[u16], &[u32]) {
        match self.0.betting {
            Betting::Limit => (&[], &[]),
            Betting::Fcpa => (&[100], &self.0.amounts),
            Betting::NoLimit => (self.0.bets.as_deref().unwrap_or(&USUAL_BETS), &self.0.amounts),
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
        let chips = 1..=MOST_CHIPS;
        if let Some(&got) = named.iter().find(|stack| !chips.contains(stack)) {
            return Err(WrongTable::Stack(got));
        }
        let (small, big) = (self.small_blind, self.big_blind);
        if small == 0 || small >= big || big > MOST_CHIPS || self.ante > MOST_CHIPS {
            return Err(WrongTable::Blinds { small, big, ante: self.ante });
        }
        let rises = |percents: &[u16]| percents.windows(2).all(|pair| pair[0] < pair[1]);
        match (&self.bets, self.betting) {
            (Some(_), Betting::Limit | Betting::Fcpa) => return Err(WrongTable::NoBets("bets")),
            (Some(bets), Betting::NoLimit)
                if !rises(bets) || bets.iter().any(|bet| !(1..=MOST_PERCENT).contains(bet)) =>
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
        let percents = self.bets.as_ref().map_or(USUAL_BETS.len(), Vec::len);
        if percents + amounts.len() > SIZES {
            return Err(WrongTable::Sizes(percents + amounts.len()));
        }
        Ok(())
    }
}

/// Why a table does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongTable {
    /// Not one stack for each seat.
    #[error("stacks: expected one for each of {players} seats, got {got}")]
    Stacks {
        /// The seats.
        players: usize,
        /// The stacks.
        got: usize,
    },
    /// A stack out of range.
    #[error("stacks: expected 1 to {MOST_CHIPS} chips, got {0}")]
    Stack(u32),
    /// Blinds that make no game.
    #[error(
        "expected a small_blind of at least 1, a big_blind above it, and neither that nor the \
         ante above {MOST_CHIPS}, got {small}, {big} and {ante}"
    )]
    Blinds {
        /// The small blind.
        small: u32,
        /// The big blind.
        big: u32,
        /// The ante.
        ante: u32,
    },
    /// Sizes where the betting leaves no choice.
    #[error("{0}: only for the betting \"no-limit\", or amounts for \"fcpa\" too")]
    NoBets(&'static str),
    /// Percentages that do not rise or are out of range.
    #[error("bets: expected rising percentages of the pot from 1 to {MOST_PERCENT}, got {0:?}")]
    Bets(Vec<u16>),
    /// Amounts that do not rise or are out of range.
    #[error("amounts: expected rising numbers of chips from 1 to {MOST_CHIPS}, got {0:?}")]
    Amounts(Vec<u32>),
    /// More sizes than a menu has ids for.
    #[error("bets and amounts: expected at most {SIZES} together, got {0}")]
    Sizes(usize),
}
