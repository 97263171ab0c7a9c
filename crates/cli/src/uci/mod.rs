//! `meeple uci`: a chess engine that speaks the Universal Chess Interface (Huber and Meyer-Kahlen
//! 2000).

mod go;
mod options;
mod search;
mod strength;

use std::io::{self, BufRead};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use meeple_bots::ChessSearch;
use meeple_game::{Action, Game, Turn};
use meeple_games::chess::{Chess, ChessRules, Fen, Options, parse_move};
use meeple_games::described::Described;
use meeple_search::AlphaBetaOptions;

use crate::failure::Failure;
use crate::{Outcome, show};
use go::Go;
use options::EngineOptions;
use search::{Job, Running};

/// Run as a UCI engine on stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = "Example: register the command `meeple uci` as an engine in a chess GUI")]
pub(crate) struct UciArgs {
    /// Random seed of UCI_LimitStrength
    #[arg(long, value_name = "N", value_parser = crate::args::seed, default_value = "0")]
    seed: u64,
}

pub(crate) fn run(args: &UciArgs) -> Outcome {
    let mut engine = Engine {
        game: Chess::new(&Options::default()),
        seed: args.seed,
        options: EngineOptions::default(),
        idle: None,
        running: None,
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

/// The engine state: a position, and the search in progress.
struct Engine {
    game: Chess,
    seed: u64,
    options: EngineOptions,
    /// The search with its transposition table, between two `go`.
    idle: Option<ChessSearch>,
    running: Option<Running>,
}

impl Engine {
    /// Executes one command; returns false for `quit`.
    fn handle(&mut self, line: &str) -> Result<bool, Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(true) };
        match command {
            "uci" => show::print(&format!(
                "id name Meeple {}\nid author the Meeple maintainers\n{}uciok\n",
                env!("CARGO_PKG_VERSION"),
                EngineOptions::DECLARED,
            ))?,
            "isready" => show::print("readyok\n")?,
            "ucinewgame" => {
                self.stop_search();
                self.game = Chess::new(&Options::default());
                if let Some(search) = &mut self.idle {
                    search.clear();
                }
            }
            "setoption" => {
                self.stop_search();
                self.set_option(rest)?;
            }
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
            "ponderhit" => {
                if let Some(running) = &mut self.running {
                    running.ponder_hit();
                }
            }
            // Neither has an effect: there is no debug output and nothing to register.
            "debug" | "register" => {}
            "quit" => return Ok(false),
            // The protocol says to ignore what is unknown; people who type want to be told.
            _ => inform(&format!("unknown command {command}"))?,
        }
        Ok(true)
    }

    /// Stops the search, if one is running, and waits for its `bestmove`.
    fn stop_search(&mut self) {
        if let Some(running) = self.running.take() {
            self.idle = running.stop();
        }
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), Failure> {
        let before = self.options;
        if words.join(" ").eq_ignore_ascii_case("name Clear Hash") {
            self.idle = None;
            return Ok(());
        }
        if let Err(reason) = self.options.set(words) {
            inform(&reason)?;
        }
        if (before.hash, before.threads) != (self.options.hash, self.options.threads) {
            self.idle = None;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        let Turn::Player(mover) = self.game.turn() else {
            return show::print("bestmove 0000\n");
        };
        let mut actions = Vec::new();
        for text in &go.search_moves {
            match action_of(&self.game, text) {
                Some(action) => actions.push(action),
                None => inform(&format!("searchmoves: {text} is not legal"))?,
            }
        }
        let search = match self.idle.take() {
            Some(search) => search,
            None => {
                let options = AlphaBetaOptions {
                    hash: self.options.hash << 20,
                    threads: self.options.threads,
                    ..AlphaBetaOptions::default()
                };
                ChessSearch::new(&options).map_err(Failure::usage)?
            }
        };
        let overhead = Duration::from_millis(self.options.overhead);
        let job = Job {
            game: self.game,
            actions,
            limits: go.limits(mover, overhead),
            lines: self.options.lines,
            elo: self.options.limits_strength.then_some(self.options.elo),
            seed: self.seed,
        };
        self.running = Some(Running::start(search, job, go, mover, overhead));
        Ok(())
    }
}

/// Prints an `info string`.
fn inform(text: &str) -> Result<(), Failure> {
    show::print(&format!("info string {text}\n"))
}

/// The action of a legal move, in coordinate notation or SAN.
fn action_of(game: &Chess, text: &str) -> Option<Action> {
    let event = parse_move(game.state(), text)?;
    Some(ChessRules::action_of(game.state(), &event))
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
        let is_over = game.turn() == Turn::Over;
        let action = action_of(&game, text).filter(|_| !is_over);
        game.apply(action.ok_or_else(|| format!("position: {text} is not legal"))?);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_parsed_or_rejected() {
        let game = read_position(&["startpos", "moves", "e2e4", "e7e5"]).unwrap();
        assert!(game.to_string().contains("w KQkq - 0 2"), "{game}");
        for (words, expected) in [
            (&["startpos", "moves", "e2e5"][..], "position: e2e5 is not legal"),
            (
                &["startpos", "moves", "f2f3", "e7e5", "g2g4", "d8h4", "a2a3"],
                "position: a2a3 is not legal",
            ),
            (&["fen", "8/8", "w"], "FEN: expected 4 to 6 fields"),
            (&[], "position: expected startpos or fen"),
        ] {
            let error = read_position(words).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
