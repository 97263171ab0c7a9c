//! `meeple play`: a game in the terminal, against bots or other people.

mod hands;
mod input;
mod log;
mod notation;
mod parse;
mod record;
mod seats;
mod start;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use meeple_bots::BotSpec;

use crate::args::ConfigArgs;
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, show};
use hands::Series;
use input::{Input, Line};
use record::Record;
use start::Start;
use terminal::{End, TerminalGame};

/// Play a game in the terminal against bots
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple play connect-four --seat 1 --vs strong\n         \
                        meeple play chess --vs human\n         \
                        meeple play pig --config '{\"players\":3}' --vs mcts:sims=100,random\n         \
                        meeple play --load game.json")]
pub(crate) struct PlayArgs {
    /// Name of the game (see `meeple games`)
    #[arg(required_unless_present = "load")]
    game: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Your seat, a number from 0 or a name such as black
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Opponents, one for all seats or one per seat: bots, levels (beginner, casual, club, strong,
    /// strongest), or human [default: club]
    #[arg(long, value_name = "BOT,…")]
    vs: Vec<String>,
    /// Bot that gives hints
    #[arg(long, value_name = "BOT", default_value = "mcts:sims=3000")]
    hints: BotSpec,
    /// Random seed [default: random]
    #[arg(long, value_name = "N", value_parser = crate::args::seed)]
    seed: Option<u64>,
    /// Save a replay, even of an unfinished game; further poker hands get numbers from 2
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Resume the game of a replay
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "config", "decks", "matchup", "cards", "seed"])]
    load: Option<PathBuf>,
}

pub(crate) fn run(args: &PlayArgs) -> Outcome {
    let Start { mut position, agents, seed, mut actions } = Start::new(args)?;
    let mut input = Input::new();
    let record = Record::new(args.save.clone());
    record.check()?;
    record.save_on_interrupt()?;
    show::print(&format!("{}\n", seed_text(args, seed)))?;
    let mut series = Series::new(agents, seed);
    loop {
        let game = TerminalGame::new(&*position, &series, args, &mut input, &record, &actions)?;
        let (end, last) = game.play()?;
        record.save()?;
        match end {
            End::Over => {}
            End::Left => return Ok(ExitCode::SUCCESS),
            End::InputEnded => {
                show::remark("the input ended before the game");
                return Ok(ExitCode::FAILURE);
            }
            End::Interrupted => {
                show::remark("interrupted");
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        let Some(next) = series.next_hand(&*last)? else { return Ok(ExitCode::SUCCESS) };
        match another_hand(&mut input)? {
            Some(true) => {}
            Some(false) => return Ok(ExitCode::SUCCESS),
            None => return Ok(ExitCode::from(INTERRUPTED)),
        }
        (position, actions) = (next, Vec::new());
    }
}

/// Formats the seed, and how it repeats the game.
fn seed_text(args: &PlayArgs, seed: u64) -> String {
    if args.seed.is_none() && args.game.is_some() {
        format!("Seed {seed}: the same command with --seed {seed} repeats this game.")
    } else {
        format!("Seed {seed}.")
    }
}

/// Asks whether to play another hand; `None` after Ctrl-C.
fn another_hand(input: &mut Input) -> Result<Option<bool>, Failure> {
    loop {
        match input.line("Another hand? [Y/n] ")? {
            Line::Interrupted => return Ok(None),
            Line::End => return Ok(Some(false)),
            Line::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(Some(true)),
                "n" | "no" | "q" | "quit" | "exit" | "resign" => return Ok(Some(false)),
                _ => show::print("expected y or n\n")?,
            },
        }
    }
}
