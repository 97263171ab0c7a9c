//! Records: one line of JSON for each game of a run, with a checksum that detects damage.

use serde::{Deserialize, Serialize};

use crate::experiment::Scoring;
use crate::replay::SeatForfeit;
use crate::tally::{Ending, score};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its index, from 0.
    pub game: u64,
    /// The stage of the experiment; tuning has several.
    pub stage: u32,
    /// The match within the stage.
    pub r#match: u32,
    /// The block within the match. Games of a block share their chance events.
    pub block: u64,
    /// The table.
    pub table: u32,
    /// The configuration of the table.
    pub config: u32,
    /// The random seed.
    pub seed: u64,
    /// The label of the bot at each seat.
    pub bots: Vec<String>,
    /// The payoff of each seat.
    pub payoffs: Vec<f32>,
    /// The number of decisions.
    pub decisions: u64,
    /// The number of chance events.
    pub chances: u64,
    /// Whether the game reached the decision limit of its table, which is a draw.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The seat that forfeited, and the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<SeatForfeit>,
    /// The bound of the game's implementation that was exceeded, which is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The text before the checksum at the end of a line.
const CHECK: &str = ",\"check\":\"";
/// The length of the end of a line: [`CHECK`], eight digits and `"}`.
const TAIL: usize = CHECK.len() + 10;

impl Record {
    /// Returns how the game ended.
    pub(crate) fn ending(&self) -> Ending {
        Ending::of(self.cut, self.forfeit.is_some(), self.fault.is_some())
    }

    /// Returns the record as a line that ends in a newline.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("records are plain data");
        let sum = crc32fast::hash(line.as_bytes());
        line.pop();
        line.push_str(&format!("{CHECK}{sum:08x}\"}}\n"));
        line
    }

    /// Parses a line; `None` if it is damaged.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Self> {
        let at = line.len().checked_sub(TAIL)?;
        if !line.is_char_boundary(at) {
            return None;
        }
        let (body, tail) = line.split_at(at);
        let sum = tail.strip_prefix(CHECK)?.strip_suffix("\"}")?;
        let text = format!("{body}}}");
        if u32::from_str_radix(sum, 16).ok()? != crc32fast::hash(text.as_bytes()) {
            return None;
        }
        serde_json::from_str(&text).ok()
    }

    /// Returns the score of `first` against `second`.
    #[must_use]
    pub fn score(&self, first: &str, second: &str, scoring: Scoring) -> f64 {
        score(&self.payoffs, &self.bots, [first, second], scoring)
    }
}

/// A made-up record.
#[cfg(test)]
pub(crate) fn example_record() -> Record {
    Record {
        game: 7,
        stage: 0,
        r#match: 1,
        block: 3,
        table: 0,
        config: 0,
        seed: 99,
        bots: vec!["a \"quoted\" bot".into(), "b".into()],
        payoffs: vec![1.0, -0.1],
        decisions: 12,
        chances: 3,
        cut: false,
        forfeit: None,
        fault: None,
    }
}

#[cfg(test)]
mod tests {
    use super::example_record as record;
    use super::*;

    #[test]
    fn records_are_read_as_written() {
        let line = record().to_line();
        assert!(line.ends_with("\"}\n"));
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "a line is JSON");
        assert_eq!(Record::from_line(line.trim_end()), Some(record()));
    }

    #[test]
    fn every_damaged_letter_is_noticed() {
        let line = record().to_line();
        let line = line.trim_end();
        for at in 0..line.len() {
            let mut bytes = line.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            let damaged = String::from_utf8(bytes).expect("it is text");
            assert_eq!(Record::from_line(&damaged), None, "{damaged}");
            assert_eq!(Record::from_line(&line[..at]), None);
        }
    }

    #[test]
    fn scores_compare_seats() {
        let bots = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let game = |names: &str, payoffs: &[f32]| Record {
            bots: bots(names),
            payoffs: payoffs.to_vec(),
            ..record()
        };
        let wins = Scoring::Wins;
        assert_eq!(game("a b", &[1.0, -1.0]).score("a", "b", wins), 1.0);
        assert_eq!(game("a b", &[1.0, -1.0]).score("b", "a", wins), 0.0);
        assert_eq!(game("a b b", &[0.0, 0.0, 1.0]).score("a", "b", wins), 0.25);
        let payoff = Scoring::Payoff;
        assert_eq!(game("a b", &[1.0, -1.0]).score("a", "b", payoff), 1.0);
        assert_eq!(game("a b", &[-0.25, 0.25]).score("a", "b", payoff), 0.375);
    }
}
