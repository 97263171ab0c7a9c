//! Forfeits by bot and cause.

use std::fmt;

use serde::Serialize;

use crate::run::Record;
use meeple_bots::{Cause, Forfeit};

/// The forfeits of one bot with one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForfeitSummary {
    /// The bot.
    pub bot: String,
    /// The cause.
    pub cause: Cause,
    /// The number of games.
    pub games: u64,
    /// The index of the first of these games.
    pub first_game: u64,
    /// Its forfeit.
    pub first: Forfeit,
}

impl fmt::Display for ForfeitSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bot, games, first_game, first, .. } = self;
        let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        write!(f, "{bot} forfeited {games}, the first in game {first_game}: {first}")
    }
}

/// Returns the forfeits of all games by bot and cause, in the order of their first games.
pub(super) fn forfeits_of(records: &[Record]) -> Vec<ForfeitSummary> {
    let mut found: Vec<ForfeitSummary> = Vec::new();
    for record in records {
        let Some(forfeit) = &record.forfeit else { continue };
        let (bot, cause) = (&record.bots[usize::from(forfeit.seat)], forfeit.reason.cause);
        match found.iter_mut().find(|known| known.bot == *bot && known.cause == cause) {
            Some(known) => known.games += 1,
            None => found.push(ForfeitSummary {
                bot: bot.clone(),
                cause,
                games: 1,
                first_game: record.game,
                first: forfeit.reason.clone(),
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeatForfeit;
    use crate::run::example_record;

    #[test]
    fn forfeits_are_grouped_by_bot_and_cause() {
        let game = |game, seat, cause, detail: &str| Record {
            game,
            bots: vec!["a".into(), "b".into()],
            forfeit: Some(SeatForfeit {
                seat,
                reason: Forfeit { cause, detail: detail.into(), stderr: Vec::new() },
            }),
            ..example_record()
        };
        let records = [
            example_record(),
            game(1, 1, Cause::Crash, "first"),
            game(2, 1, Cause::Timeout, "second"),
            game(3, 1, Cause::Crash, "third"),
            game(4, 0, Cause::Crash, "fourth"),
        ];
        let found = forfeits_of(&records);
        let short: Vec<(&str, Cause, u64, u64, &str)> = (found.iter())
            .map(|entry| {
                let ForfeitSummary { bot, cause, games, first_game, first } = entry;
                (bot.as_str(), *cause, *games, *first_game, first.detail.as_str())
            })
            .collect();
        assert_eq!(
            short,
            [
                ("b", Cause::Crash, 2, 1, "first"),
                ("b", Cause::Timeout, 1, 2, "second"),
                ("a", Cause::Crash, 1, 4, "fourth"),
            ]
        );
        assert_eq!(
            found[0].to_string(),
            "b forfeited 2 games, the first in game 1: crashed: first"
        );
    }
}
