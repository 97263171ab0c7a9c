//! The arguments of `go`.

use std::time::Duration;

use meeple_game::Player;
use meeple_search::{Clock, Limits};

/// Time per move if `go` sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Moves to a mate that ends the search.
    mate: Option<u32>,
    movetime: Option<Duration>,
    /// Remaining time and increment per move, of white and black.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    moves_to_go: Option<u32>,
    /// Search until `stop`.
    pub(super) infinite: bool,
    /// Search until `ponderhit` or `stop`.
    pub(super) ponder: bool,
    /// The moves to choose from; empty for all.
    pub(super) search_moves: Vec<String>,
}

impl Go {
    /// Parses the known arguments and ignores the others.
    pub(super) fn parse(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut words = words.iter().peekable();
        while let Some(&word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(&&text) = words.peek().filter(|word| !is_keyword(word)) {
                        go.search_moves.push(text.to_owned());
                        words.next();
                    }
                }
                _ => {
                    let number = words.peek().and_then(|number| number.parse::<i64>().ok());
                    if let (true, Some(number)) = (is_keyword(word), number) {
                        words.next();
                        go.set(word, number);
                    }
                }
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: i64) {
        // GUIs may send negative clocks; a search needs at least 1 ms.
        let count = number.max(1).unsigned_abs();
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        let time = Duration::from_millis(count);
        let increment = Duration::from_millis(number.max(0).unsigned_abs());
        match word {
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = Some(small),
            "movetime" => self.movetime = Some(time),
            "wtime" => self.clocks[0] = Some(time),
            "btime" => self.clocks[1] = Some(time),
            "winc" => self.increments[0] = increment,
            "binc" => self.increments[1] = increment,
            "movestogo" => self.moves_to_go = Some(small),
            _ => {}
        }
    }

    /// The limits of a search of `mover` that starts now; none while it ponders.
    pub(super) fn limits(&self, mover: Player, overhead: Duration) -> Limits<'static> {
        if self.ponder {
            return Limits::default();
        }
        self.limits_after_ponder(mover, overhead)
    }

    /// The limits once the expected move was played.
    pub(super) fn limits_after_ponder(&self, mover: Player, overhead: Duration) -> Limits<'static> {
        let others = Limits {
            depth: self.depth,
            nodes: self.nodes,
            win_in: self.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)),
            ..Limits::default()
        };
        if self.infinite {
            return others;
        }
        if let Some(time) = self.movetime {
            let least = Duration::from_millis(1);
            let hard_time = Some(time.saturating_sub(overhead).max(least));
            return Limits { hard_time, ..others };
        }
        if let Some(remaining) = self.clocks[mover.index()] {
            let increment = self.increments[mover.index()];
            let clock = Clock { remaining, increment, moves_to_go: self.moves_to_go, overhead };
            let Limits { soft_time, hard_time, .. } = clock.limits();
            return Limits { soft_time, hard_time, ..others };
        }
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        Limits { hard_time: (!is_limited).then_some(DEFAULT_TIME), ..others }
    }
}

fn is_keyword(word: &str) -> bool {
    let keywords = [
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
    ];
    keywords.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(15);

    fn limits(line: &str, mover: u8) -> Limits<'static> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Go::parse(&words).limits(Player(mover), OVERHEAD)
    }

    #[test]
    fn go_parses_known_arguments() {
        let millis = |count| Some(Duration::from_millis(count));
        let found = limits("nodes 800 searchmoves e2e4 d2d4 depth 3", 0);
        assert_eq!((found.nodes, found.depth, found.hard_time), (Some(800), Some(3), None));
        let go = Go::parse(&["searchmoves", "e2e4", "d2d4", "depth", "3"]);
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(limits("movetime 100", 0).hard_time, millis(85));
        assert_eq!(limits("movetime 3", 0).hard_time, millis(1));
        assert_eq!(limits("mate 3", 0).win_in, Some(5));
        assert_eq!(limits("", 0).hard_time, Some(DEFAULT_TIME));
        assert_eq!(limits("infinite", 0), Limits::default());
        // The clock of the player to move counts.
        let line = "wtime 60000 btime -5 winc 1000 movestogo 10";
        let (white, black) = (limits(line, 0), limits(line, 1));
        assert!(white.soft_time > millis(3000) && white.hard_time < millis(30_000));
        assert_eq!(black.hard_time, millis(1));
        // Words without a number and unknown words are skipped.
        assert_eq!(limits("depth xyzzy 7 nodes 5", 0).nodes, Some(5));
        // A ponder search has no limit before `ponderhit`.
        let go = Go::parse(&["ponder", "wtime", "60000"]);
        assert_eq!(go.limits(Player(0), OVERHEAD), Limits::default());
        assert!(go.limits_after_ponder(Player(0), OVERHEAD).hard_time.is_some());
    }
}
