//! `meeple uci`: a chess engine that speaks the Universal Chess Interface.

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use clap::Args;
use meeple_bots::chess_search;
use meeple_game::{Game, Player, Turn, View};
use meeple_games::chess::{Chess, ChessRules, Fen, Options, parse_move};
use meeple_games::described::Described;
use meeple_search::{Budget, Control, MctsOptions, SearchProgress, SearchReport, StopFlag};

use crate::failure::Failure;
use crate::{Outcome, show};

/// Run as a UCI engine on stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = "Example: register the command `meeple uci` as an engine in a chess GUI")]
pub(crate) struct UciArgs {
    /// Random seed
    #[arg(long, value_name = "N", value_parser = crate::args::seed, default_value = "0")]
    seed: u64,
}

/// Time per move if `go` sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Time reserved for sending the move.
const OVERHEAD: Duration = Duration::from_millis(15);
/// Moves to go if `go` does not say; divides the clock.
const MOVES_TO_GO: u32 = 30;
/// Simulations between two `info` lines.
const REPORT_EVERY: u64 = 20_000;
/// Default of the option Hash: megabytes for the tree.
const DEFAULT_HASH: usize = 256;

pub(crate) fn run(args: &UciArgs) -> Outcome {
    let mut engine = Engine {
        game: Chess::new(&Options::default()),
        seed: args.seed,
        megabytes: DEFAULT_HASH,
        search: None,
    };
    for line in io::stdin().lock().lines() {
        // Lines that are not UTF-8 are ignored.
        let Ok(line) = line else { continue };
        if !engine.handle(&line)? {
            break;
        }
    }
    engine.stop_search();
    Ok(ExitCode::SUCCESS)
}

/// A search in progress.
struct Running {
    stop: StopFlag,
    /// Whether it runs on the opponent's time.
    ponders: bool,
    thread: JoinHandle<()>,
}

/// The engine state: a position, and the search in progress.
struct Engine {
    game: Chess,
    seed: u64,
    megabytes: usize,
    search: Option<Running>,
}

/// The arguments of `go`.
#[derive(Debug, Default, PartialEq)]
struct Go {
    nodes: Option<u64>,
    movetime: Option<Duration>,
    /// Remaining time and increment per move, of white and black.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    moves_to_go: Option<u32>,
    /// Search until `stop`.
    infinite: bool,
    /// Search until `ponderhit` or `stop`.
    ponder: bool,
}

impl Engine {
    /// Executes one command; returns false for `quit`.
    fn handle(&mut self, line: &str) -> Result<bool, Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(true) };
        match command {
            "uci" => show::print(&format!(
                "id name Meeple {}\nid author the Meeple maintainers\n\
                 option name Hash type spin default {DEFAULT_HASH} min 1 max 65536\nuciok\n",
                env!("CARGO_PKG_VERSION"),
            ))?,
            "isready" => show::print("readyok\n")?,
            "ucinewgame" => {
                self.stop_search();
                self.game = Chess::new(&Options::default());
            }
            "setoption" => self.set_option(rest)?,
            "position" => {
                self.stop_search();
                match read_position(rest) {
                    Ok(game) => self.game = game,
                    Err(reason) => inform(&reason)?,
                }
            }
            "go" => {
                self.stop_search();
                self.go(&Go::parse(rest))?;
            }
            "stop" => self.stop_search(),
            // The expected move was played: the engine answers at once, because the search
            // has used the opponent's time. Ignored unless the search ponders.
            "ponderhit" if self.search.as_ref().is_some_and(|search| search.ponders) => {
                self.stop_search()
            }
            // `debug` has no further output.
            "ponderhit" | "debug" | "register" => {}
            "quit" => return Ok(false),
            _ => inform(&format!("unknown command {command}"))?,
        }
        Ok(true)
    }

    /// Stops the search, if one is running, and waits for its `bestmove`.
    fn stop_search(&mut self) {
        if let Some(Running { stop, thread, .. }) = self.search.take() {
            stop.stop();
            // A search that panicked has printed its message and has no answer.
            let _ = thread.join();
        }
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), Failure> {
        match words {
            ["name", "Hash", "value", value] => match value.parse() {
                Ok(megabytes @ 1..=65536) => self.megabytes = megabytes,
                _ => inform(&format!("Hash {value}: expected a number from 1 to 65536"))?,
            },
            _ => inform(&format!("unknown option {}", words.join(" ")))?,
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        let Turn::Player(mover) = self.game.turn() else {
            return show::print("bestmove 0000\n");
        };
        let unlimited = go.infinite || go.ponder;
        let (game, seed, stop) = (self.game, self.seed, StopFlag::default());
        let options = MctsOptions { memory: self.megabytes << 20, ..MctsOptions::puct() };
        let budget = go.budget(mover);
        let wait = unlimited.then(|| stop.clone());
        let flag = stop.clone();
        let thread = thread::spawn(move || {
            // Fails only if stdout is closed.
            let _ = search(&game, &options, &budget, seed, flag, wait.as_ref());
        });
        self.search = Some(Running { stop, ponders: go.ponder, thread });
        Ok(())
    }
}

/// Searches, prints `info` lines on the way, and prints the `bestmove`.
fn search(
    game: &Chess,
    options: &MctsOptions,
    budget: &Budget,
    seed: u64,
    stop: StopFlag,
    wait: Option<&StopFlag>,
) -> Result<(), Failure> {
    let mut search = chess_search(options).map_err(Failure::usage)?;
    let Turn::Player(mover) = game.turn() else { return Ok(()) };
    let view = View::new(game, mover);
    let mut print_info = |report: &SearchReport| {
        // A closed stdout must not end the search.
        let _ = show::print(&info(game, mover, report));
    };
    let progress = SearchProgress { every: REPORT_EVERY, report: &mut print_info };
    let mut control = Control { stop, progress: Some(progress) };
    let report = search.search_with(&view, budget, seed, &mut control).map_err(Failure::usage)?;
    // An infinite search must not send `bestmove` before `stop`.
    while wait.is_some_and(|stop| !stop.is_stopped()) {
        thread::sleep(Duration::from_millis(2));
    }
    let best = game.action_name(report.best);
    show::print(&format!("{}bestmove {best}\n", info(game, mover, &report)))
}

/// Formats an `info` line.
fn info(game: &Chess, mover: Player, report: &SearchReport) -> String {
    let value = f64::from(report.values[mover.index()]).clamp(-0.99, 0.99);
    // Maps a value in [-1, 1] to centipawns with the formula of Leela Chess Zero.
    let score = (111.7 * (1.562 * value).tan()).round() as i64;
    let mut line = String::new();
    let mut now = *game;
    for &action in report.variations.first().into_iter().flatten() {
        line.push(' ');
        line.push_str(&now.action_name(action));
        now.apply(action);
    }
    format!(
        "info depth {} nodes {} nps {} time {} score cp {score} pv{line}\n",
        report.depth.max(1),
        report.simulations,
        report.simulations_per_second as u64,
        report.elapsed.as_millis(),
    )
}

/// Prints an `info string`.
fn inform(text: &str) -> Result<(), Failure> {
    show::print(&format!("info string {text}\n"))
}

/// Parses `startpos` or `fen …`, followed by `moves …`.
fn read_position(words: &[&str]) -> Result<Chess, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (first, moves) = (&words[..moves_at], words.get(moves_at + 1..).unwrap_or_default());
    let fen = match first {
        ["startpos"] => Fen::default(),
        ["fen", fields @ ..] => fields.join(" ").parse().map_err(|error| format!("{error}"))?,
        _ => return Err("position: expected startpos or fen".into()),
    };
    let mut game = Chess::new(&Options { fen });
    for text in moves {
        let event = parse_move(game.state(), text);
        let event = event.ok_or_else(|| format!("position: {text} is not legal"))?;
        game.apply(ChessRules::action_of(game.state(), &event));
    }
    Ok(game)
}

impl Go {
    /// Parses the known arguments and ignores the others.
    fn parse(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if let "infinite" | "ponder" = word {
                go.infinite |= word == "infinite";
                go.ponder |= word == "ponder";
                continue;
            }
            let clone = words.clone();
            let number = words.next().and_then(|number| number.parse::<i64>().ok());
            let Some(number) = number else {
                words = clone;
                continue;
            };
            // GUIs may send negative clocks; a search needs at least 1 ms.
            let count = number.max(1).unsigned_abs();
            let time = Duration::from_millis(count);
            match word {
                "nodes" => go.nodes = Some(count),
                "movetime" => go.movetime = Some(time),
                "wtime" => go.clocks[0] = Some(time),
                "btime" => go.clocks[1] = Some(time),
                "winc" => go.increments[0] = Duration::from_millis(number.max(0).unsigned_abs()),
                "binc" => go.increments[1] = Duration::from_millis(number.max(0).unsigned_abs()),
                "movestogo" => go.moves_to_go = Some(count.min(1000) as u32),
                _ => {}
            }
        }
        go
    }

    /// Returns the search budget of the side to move.
    fn budget(&self, mover: Player) -> Budget {
        if self.infinite || self.ponder {
            return Budget::simulations(u64::MAX);
        }
        let allotted = self.clocks[mover.index()].map(|clock| {
            let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
            let share = clock / moves + self.increments[mover.index()] * 3 / 4;
            share.min(clock / 2)
        });
        let time = self.movetime.or(allotted);
        let time = match (time, self.nodes) {
            (None, None) => Some(DEFAULT_TIME),
            (time, _) => {
                time.map(|time| time.saturating_sub(OVERHEAD).max(Duration::from_millis(1)))
            }
        };
        Budget { simulations: self.nodes, time, ..Budget::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_parses_known_arguments() {
        let go = Go::parse(&["nodes", "800", "searchmoves", "e2e4", "depth", "3"]);
        assert_eq!(go, Go { nodes: Some(800), ..Go::default() });
        let go = Go::parse(&["wtime", "60000", "btime", "-5", "winc", "1000", "movestogo", "10"]);
        assert_eq!(go.budget(Player(0)).time, Some(Duration::from_millis(6750) - OVERHEAD));
        assert_eq!(go.budget(Player(1)).time, Some(Duration::from_millis(1)));
        assert_eq!(Go::parse(&["infinite"]).budget(Player(0)), Budget::simulations(u64::MAX));
        let go = Go::parse(&["ponder", "wtime", "60000"]);
        assert!(go.ponder && !go.infinite, "{go:?}");
        assert_eq!(go.budget(Player(0)), Budget::simulations(u64::MAX));
        assert_eq!(Go::default().budget(Player(0)), Budget::time(DEFAULT_TIME));
    }

    #[test]
    fn positions_are_parsed_or_rejected() {
        let game = read_position(&["startpos", "moves", "e2e4", "e7e5"]).unwrap();
        assert!(game.to_string().contains("w KQkq - 0 2"), "{game}");
        for (words, expected) in [
            (&["startpos", "moves", "e2e5"][..], "position: e2e5 is not legal"),
            (&["fen", "8/8", "w"], "FEN: expected 4 to 6 fields"),
            (&[], "position: expected startpos or fen"),
        ] {
            let error = read_position(words).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
