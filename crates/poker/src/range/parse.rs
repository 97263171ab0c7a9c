//! Parser of range notation.

use std::str::FromStr;

use super::Range;
use crate::{CardRank, CardSet, Combo, HandClass, ParseCardsError};

/// An error in range notation. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRangeError {
    /// The text has no item.
    #[error("empty range: expected hands such as QQ+, AKs or top 15%")]
    Empty,
    /// An item is not valid range notation.
    #[error(
        "unknown item '{item}' at character {place}: expected a hand such as AA, TT+, JJ-88, \
         AKs, A2s+, KTs-K7s, AhKh, random or top 15%"
    )]
    Item {
        /// The item.
        item: String,
        /// Where it begins.
        place: usize,
    },
    /// The two ends of an interval are of different kinds.
    #[error(
        "'{item}' at character {place} has ends of different kinds: expected two pairs (JJ-88), \
         two kickers (KTs-K7s) or two hands of one gap (T9s-54s)"
    )]
    Ends {
        /// The item.
        item: String,
        /// Where it begins.
        place: usize,
    },
    /// A weight is not a number from 0 to 1.
    #[error("expected a weight from 0 to 1 after ':' at character {place}, found '{found}'")]
    Weight {
        /// The text found.
        found: String,
        /// Where the item begins.
        place: usize,
    },
    /// A percentage is not a number from 0 to 100.
    #[error("expected a percentage from 0 to 100 at character {place}, found '{found}'")]
    Percentage {
        /// The text found.
        found: String,
        /// Where the item begins.
        place: usize,
    },
    /// A hand of two cards is invalid.
    #[error("'{item}' at character {place}: {error}")]
    Cards {
        /// The item.
        item: String,
        /// Where it begins.
        place: usize,
        /// The error in the cards.
        error: ParseCardsError,
    },
}

impl FromStr for Range {
    type Err = ParseRangeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut range = Self::empty();
        let mut found = false;
        let mut items = items(text).into_iter().peekable();
        while let Some((place, mut item)) = items.next() {
            found = true;
            // `top 15%` is one item of two words.
            if item.eq_ignore_ascii_case("top") {
                match items.next() {
                    Some((_, percentage)) if percentage.contains('%') => item = percentage,
                    _ => return Err(ParseRangeError::Item { item: item.into(), place }),
                }
            }
            read_item(&mut range, place, item)?;
        }
        if found { Ok(range) } else { Err(ParseRangeError::Empty) }
    }
}

/// The items of a text, each with the position of its first character.
fn items(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (place, (at, letter)) in (1..).zip(text.char_indices()) {
        let is_separator = letter.is_whitespace() || letter == ',' || letter == ';';
        match (is_separator, start) {
            (true, Some((place, from))) => {
                words.push((place, &text[from..at]));
                start = None;
            }
            (false, None) => start = Some((place, at)),
            _ => {}
        }
    }
    words.extend(start.map(|(place, from)| (place, &text[from..])));
    words
}

fn read_item(range: &mut Range, place: usize, item: &str) -> Result<(), ParseRangeError> {
    let (hands, weight) = match item.split_once(':') {
        None => (item, 1.0),
        Some((hands, weight)) => {
            let number = weight.parse().ok().filter(|number| (0.0..=1.0).contains(number));
            let wrong = || ParseRangeError::Weight { found: weight.into(), place };
            (hands, number.ok_or_else(wrong)?)
        }
    };
    if hands == "*" || ["random", "any"].iter().any(|word| hands.eq_ignore_ascii_case(word)) {
        HandClass::all().for_each(|class| range.set_class(class, weight));
    } else if let Some(number) = hands.strip_suffix('%') {
        let digits = if number.get(..3).is_some_and(|top| top.eq_ignore_ascii_case("top")) {
            &number[3..]
        } else {
            number
        };
        let percent = digits.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
        let wrong = || ParseRangeError::Percentage { found: hands.into(), place };
        for (combo, _) in Range::top(percent.ok_or_else(wrong)?).combos() {
            range.set(combo, weight);
        }
    } else if let Some(classes) = classes(place, hands)? {
        classes.into_iter().for_each(|class| range.set_class(class, weight));
    } else {
        let wrong = || ParseRangeError::Item { item: item.into(), place };
        // An item that begins like a card is parsed as two cards, so that the
        // error can say what is wrong with them.
        if !hands.starts_with(|letter| letter == '1' || CardRank::from_letter(letter).is_some()) {
            return Err(wrong());
        }
        let cards = hands.parse::<CardSet>().map_err(|error| match error {
            ParseCardsError::Duplicate { .. } => {
                ParseRangeError::Cards { item: item.into(), place, error }
            }
            _ => wrong(),
        })?;
        range.set(Combo::from_set(cards).ok_or_else(wrong)?, weight);
    }
    Ok(())
}

/// Two ranks: suited, offsuit, or (`None`) both.
#[derive(Clone, Copy, PartialEq)]
struct HandPattern {
    high: CardRank,
    low: CardRank,
    suited: Option<bool>,
}

impl HandPattern {
    fn read(text: &str) -> Option<Self> {
        let text = text.replace("10", "T");
        let mut letters = text.chars();
        let (one, other) = (letters.next()?, letters.next()?);
        let (one, other) = (CardRank::from_letter(one)?, CardRank::from_letter(other)?);
        let suited = match letters.next() {
            Some('s' | 'S') => Some(true),
            Some('o' | 'O') => Some(false),
            Some(_) => return None,
            None => None,
        };
        let rest = letters.next().is_some() || (one == other && suited.is_some());
        (!rest).then(|| Self { high: one.max(other), low: one.min(other), suited })
    }

    fn is_pair(self) -> bool {
        self.high == self.low
    }

    fn gap(self) -> u8 {
        self.high as u8 - self.low as u8
    }

    /// The classes of these ranks.
    fn classes(high: CardRank, low: CardRank, suited: Option<bool>) -> Vec<HandClass> {
        match suited {
            Some(suited) => vec![HandClass::new(high, low, suited)],
            None if high == low => vec![HandClass::new(high, low, false)],
            None => vec![HandClass::new(high, low, true), HandClass::new(high, low, false)],
        }
    }
}

/// The classes of an item such as `TT+`, or `None` when it does not name classes.
fn classes(place: usize, item: &str) -> Result<Option<Vec<HandClass>>, ParseRangeError> {
    let ranks = |from: CardRank, to: CardRank| {
        CardRank::ALL.into_iter().filter(move |rank| (from..=to).contains(rank))
    };
    if let Some((one, other)) = item.split_once('-') {
        let (Some(one), Some(other)) = (HandPattern::read(one), HandPattern::read(other)) else {
            return Ok(None);
        };
        let (above, below) = if (one.high, one.low) >= (other.high, other.low) {
            (one, other)
        } else {
            (other, one)
        };
        let suited = above.suited;
        let same_kind = suited == below.suited && above.is_pair() == below.is_pair();
        return if same_kind && above.high == below.high {
            let lows = ranks(below.low, above.low);
            Ok(Some(lows.flat_map(|low| HandPattern::classes(above.high, low, suited)).collect()))
        } else if same_kind && above.gap() == below.gap() {
            let highs = ranks(below.high, above.high);
            let low = |high: CardRank| CardRank::ALL[usize::from(high as u8 - above.gap())];
            Ok(Some(highs.flat_map(|high| HandPattern::classes(high, low(high), suited)).collect()))
        } else {
            Err(ParseRangeError::Ends { item: item.into(), place })
        };
    }
    let (text, and_better) = match item.strip_suffix('+') {
        Some(text) => (text, true),
        None => (item, false),
    };
    let Some(kind) = HandPattern::read(text) else { return Ok(None) };
    let classes = if !and_better {
        HandPattern::classes(kind.high, kind.low, kind.suited)
    } else if kind.is_pair() {
        ranks(kind.low, CardRank::Ace)
            .flat_map(|rank| HandPattern::classes(rank, rank, None))
            .collect()
    } else {
        let below = CardRank::ALL[kind.high as usize - 1];
        let lows = ranks(kind.low, below);
        lows.flat_map(|low| HandPattern::classes(kind.high, low, kind.suited)).collect()
    };
    Ok(Some(classes))
}
