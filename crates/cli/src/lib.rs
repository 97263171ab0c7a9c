//! The command `meeple`: one file for each subcommand.
//!
//! It is a library so that a program with a game or a bot of its own is the same command
//! with one more name in it; `examples/own-game` is such a program.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! # type MyGame = meeple_games::small::Pig;
//! fn main() -> ExitCode {
//!     meeple_cli::register::<MyGame>().expect("no other game has this name");
//!     meeple_cli::main()
//! }
//! ```

mod analyze;
mod args;
mod bench;
mod cards;
mod equity;
mod evaluate;
mod export;
mod failure;
mod games;
mod interrupt;
mod lab;
mod magic;
mod perft;
mod plan;
mod play;
mod progress;
mod range;
mod rank;
mod refusal;
mod replay;
mod run;
mod show;
mod simulate;
mod train;
mod uci;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use meeple_game::Game;
use meeple_games::registry::NameTaken;

use failure::Failure;

/// Fast games, deep search, honest results.
#[derive(Debug, Parser)]
#[command(name = "meeple", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games: seats, luck, hidden information, sizes
    Games(games::GamesArgs),
    /// Play many games between bots and count the results
    Simulate(simulate::SimulateArgs),
    /// Run an experiment: who is stronger, with error bars and a report
    Run(run::RunArgs),
    /// Train a network by self-play
    Train(train::TrainArgs),
    /// Measure how strong a network is
    Evaluate(evaluate::EvaluateArgs),
    /// Play a game in the terminal against bots
    Play(play::PlayArgs),
    /// Say what a bot thinks of a position, or what the rules make of a move
    Analyze(analyze::AnalyzeArgs),
    /// Step through a game that was played
    Replay(replay::ReplayArgs),
    /// Write a game in the format of other programs
    Export(export::ExportArgs),
    /// Count the positions ahead of a chess position
    Perft(perft::PerftArgs),
    /// Look into the compiled rules of a game, and check them
    Plan(plan::PlanArgs),
    /// Say how often poker hands or ranges win against each other
    Equity(equity::EquityArgs),
    /// Rank poker hands
    Rank(rank::RankArgs),
    /// Show a range of poker hands
    Range(range::RangeArgs),
    /// Show Magic cards, and check card files
    Cards(cards::CardsArgs),
    /// Be a chess engine for other programs
    Uci(uci::UciArgs),
    /// Serve a page to play, watch bots think and read results
    Lab(lab::LabArgs),
    /// Measure speed, and compare it with a saved measurement
    Bench(bench::BenchArgs),
}

/// Adds a game of another crate to every command: play, simulation, experiments, training,
/// benchmarks and the lab.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_train::register::<G>()?;
    bench::register::<G>()
}

/// Runs the command that the arguments of the program name.
#[must_use]
pub fn main() -> ExitCode {
    // A negative number is a wrong value, not an unknown option.
    let command = Cli::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    let cli = Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let result = match cli.command {
        Command::Games(args) => games::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Equity(args) => equity::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Range(args) => range::run(&args),
        Command::Cards(args) => cards::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// What a command that did its work yields: how it ended, or why it could not.
type Outcome = Result<ExitCode, Failure>;
