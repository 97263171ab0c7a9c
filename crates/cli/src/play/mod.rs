//! `meeple play`: a game in the terminal, against bots or with other people.

mod hands;
mod input;
mod record;
mod seats;
mod sitting;
mod start;
mod teller;
mod typed;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use meeple_arena::BotSpec;

use crate::args::TableArgs;
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, show};
use hands::Series;
use input::{Input, Line};
use record::Record;
use sitting::{End, Sitting};
use start::Start;

/// Plays a game in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple play connect-four --seat 1 --vs mcts:sims=5000\n         \
                        meeple play chess --vs human\n         \
                        meeple play pig --config '{\"players\":3}' --vs mcts:sims=100,random\n         \
                        meeple play --load game.json")]
pub(crate) struct PlayArgs {
    /// The game, as `meeple games` lists it
    #[arg(required_unless_present = "load")]
    game: Option<String>,
    #[command(flatten)]
    table: TableArgs,
    /// Your seat, by number from 0 or by name, such as black
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Who sits at the other seats, one for all or one for each: bots, or human for another
    /// person at this terminal [default: mcts:sims=1000]
    #[arg(long, value_name = "BOT,…")]
    vs: Vec<String>,
    /// The bot that gives hints
    #[arg(long, value_name = "BOT", default_value = "mcts:sims=3000")]
    hints: BotSpec,
    /// Random seed; drawn and shown if not given
    #[arg(long, value_name = "N", value_parser = crate::args::seed)]
    seed: Option<u64>,
    /// Save a replay of the game here, even if it is left early; further hands of poker are
    /// saved beside it, numbered from 2
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with the game of a replay
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "config", "decks", "matchup", "cards", "seed"])]
    load: Option<PathBuf>,
}

pub(crate) fn run(args: &PlayArgs) -> Outcome {
    let Start { mut table, chairs, seed, mut actions } = Start::of(args)?;
    let mut input = Input::new();
    let record = Record::new(args.save.clone());
    record.check()?;
    record.save_on_ctrl_c()?;
    show::print(&format!("{}\n", seed_text(args, seed)))?;
    let mut series = Series::new(chairs, seed);
    loop {
        let game = Sitting::new(&*table, &series, args, &mut input, &record, &actions)?;
        let (end, last) = game.play()?;
        record.save()?;
        match end {
            End::Over => {}
            End::Left => return Ok(ExitCode::SUCCESS),
            End::InputEnded => {
                show::remark("the input ended before the game did");
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
        (table, actions) = (next, Vec::new());
    }
}

/// Says which seed the game has, and how to deal it again.
fn seed_text(args: &PlayArgs, seed: u64) -> String {
    match (args.seed, &args.game) {
        (None, Some(game)) => {
            format!("Seed {seed}: meeple play {game} --seed {seed} deals the same again.")
        }
        _ => format!("Seed {seed}."),
    }
}

/// Asks whether to play on; nothing after Ctrl-C.
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
