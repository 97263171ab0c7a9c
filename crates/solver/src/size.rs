//! Bet sizes in the usual notation: `50%`, `2.5x`, `120`, `e`, `2e`, `a`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How much a player bets or raises.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Size {
    /// A share of the pot, which a raise counts after the call: `50%` is 0.5.
    Pot(f64),
    /// A multiple of the bet that is raised: `2.5x`.
    Multiple(f64),
    /// Chips; for a raise, the total of the street: `120`.
    Chips(u32),
    /// The share of the pot that, bet on each of this many streets, puts in the whole
    /// stack: `2e`; `e` counts the streets that are left.
    Geometric(Option<u8>),
    /// The whole stack: `a`.
    AllIn,
}

/// An error in the notation of bet sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown size '{found}': expected a share of the pot such as 50%, a multiple of the last bet \
     such as 2.5x, chips such as 120, e or 2e (geometric), or a (all-in)"
)]
pub struct ParseSizeError {
    /// The text found.
    pub found: String,
}

impl FromStr for Size {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseSizeError { found: text.to_owned() };
        let word = text.trim().to_ascii_lowercase();
        let positive = |number: &str, most: f64| {
            let number: f64 = number.trim().parse().ok()?;
            (number > 0.0 && number <= most).then_some(number)
        };
        let size = match word.as_str() {
            "a" | "allin" | "all-in" => Some(Self::AllIn),
            "e" => Some(Self::Geometric(None)),
            _ => {
                if let Some(number) = word.strip_suffix('%') {
                    positive(number, 1e6).map(|percent| Self::Pot(percent / 100.0))
                } else if let Some(number) = word.strip_suffix('x') {
                    positive(number, 1e6).filter(|&times| times > 1.0).map(Self::Multiple)
                } else if let Some(number) = word.strip_suffix('e') {
                    let streets = number.parse().ok().filter(|streets| (1..=3).contains(streets));
                    streets.map(|streets| Self::Geometric(Some(streets)))
                } else {
                    let chips = word.strip_suffix('c').unwrap_or(&word);
                    chips.parse().ok().filter(|&chips| chips > 0).map(Self::Chips)
                }
            }
        };
        size.ok_or_else(wrong)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Rounded so that 0.55 of the pot prints as it was written.
            Self::Pot(share) => write!(f, "{}%", (share * 1e8).round() / 1e6),
            Self::Multiple(times) => write!(f, "{times}x"),
            Self::Chips(chips) => write!(f, "{chips}"),
            Self::Geometric(None) => f.write_str("e"),
            Self::Geometric(Some(streets)) => write!(f, "{streets}e"),
            Self::AllIn => f.write_str("a"),
        }
    }
}

impl TryFrom<String> for Size {
    type Error = ParseSizeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

/// Reads a list of sizes with commas or spaces between; the empty text has none.
///
/// ```
/// use meeple_solver::{Size, parse_sizes};
///
/// assert_eq!(parse_sizes("50%, a")?, [Size::Pot(0.5), Size::AllIn]);
/// # Ok::<_, meeple_solver::ParseSizeError>(())
/// ```
///
/// # Errors
///
/// When an item is no size.
pub fn parse_sizes(text: &str) -> Result<Vec<Size>, ParseSizeError> {
    let items = text.split([',', ' ', ';']).map(str::trim).filter(|item| !item.is_empty());
    items.map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_print_as_they_are_read() {
        for text in ["50%", "33.3%", "2.5x", "120", "e", "2e", "a", "55%"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
        assert_eq!("120c".parse(), Ok(Size::Chips(120)));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "0%", "-5%", "nan%", "1x", "0.5x", "9e", "0e", "50", "0", "half"] {
            let refused = text.parse::<Size>().is_err();
            assert_eq!(refused, text != "50", "{text}");
        }
        let message = parse_sizes("50%, q").unwrap_err().to_string();
        assert!(message.starts_with("unknown size 'q'"), "{message}");
    }
}
