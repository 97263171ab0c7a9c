//! `meeple replay`: steps through a game that was played.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_arena::{Analysis, Frame, Replay, import, payoff_text};
use meeple_game::Turn;
use serde::Serialize;

use crate::failure::Failure;
use crate::{Outcome, show};

/// Steps through a replay.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple replay runs/quickstart/replays/0000000.json\n         \
                        meeple replay game.json --at 12")]
pub(crate) struct ReplayArgs {
    /// The replay, or a PGN, MAT or PHH file with one game
    file: PathBuf,
    /// Show only the state after so many steps
    #[arg(long, value_name = "N", conflicts_with = "all")]
    at: Option<usize>,
    /// Show all states
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A state in JSON.
#[derive(Serialize)]
struct Shown {
    number: usize,
    text: String,
    by: Option<String>,
    action: Option<u16>,
    name: Option<String>,
    analysis: Option<Analysis>,
}

/// What a person may type.
const HELP: &str = concat!(
    "  Enter, n   the next state        p          the one before\n",
    "  number     that state            first, last\n",
    "  t          analysis of the bot   q          leave\n",
);

/// Reads the replays of a file: one in our format, or the games of a PGN, MAT or
/// PHH file.
pub(crate) fn read_replays(file: &Path) -> Result<Vec<Replay>, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read the replay {name}"));
    let text = text.map_err(Failure::Usage)?;
    import(&text).map_err(|error| Failure::Usage(anyhow!("{name}: {error}")))
}

/// Reads the one replay of a file, in any of these formats.
pub(crate) fn read_replay(file: &Path) -> Result<Replay, Failure> {
    let mut replays = read_replays(file)?;
    match (replays.pop(), replays.len()) {
        (Some(replay), 0) => Ok(replay),
        (last, before) => {
            let count = before + usize::from(last.is_some());
            let problem = format!("{}: expected one game, found {count}", file.display());
            Err(Failure::Usage(anyhow!(problem)))
        }
    }
}

pub(crate) fn run(args: &ReplayArgs) -> Outcome {
    let replay = read_replay(&args.file)?;
    let frames = replay
        .frames()
        .map_err(|error| Failure::Usage(anyhow!("{}: {error}", args.file.display())))?;
    let last = frames.len() - 1;
    if let Some(at) = args.at.filter(|&at| at > last) {
        return Err(Failure::Usage(anyhow!("--at {at}: the replay has the steps 0 to {last}")));
    }
    let stepper = Stepper { replay: &replay, frames: &frames };
    let chosen = match args.at {
        Some(at) => at..=at,
        None => 0..=last,
    };
    if args.json {
        let shown: Vec<Shown> = chosen.map(|at| stepper.shown(at)).collect();
        show::print_json(&shown)?;
    } else if args.all || args.at.is_some() {
        for at in chosen {
            show::print(&stepper.text(at))?;
        }
    } else {
        stepper.step()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A replay to step through.
struct Stepper<'a> {
    replay: &'a Replay,
    frames: &'a [Frame],
}

impl Stepper<'_> {
    fn shown(&self, at: usize) -> Shown {
        let frame = &self.frames[at];
        Shown {
            number: at,
            text: frame.state.to_string(),
            by: frame.by(),
            action: frame.action.map(|action| action.0),
            name: frame.action_name(),
            analysis: self.replay.analysis.get(&at).cloned(),
        }
    }

    fn text(&self, at: usize) -> String {
        let (accent, frame, last) = (show::ACCENT, &self.frames[at], self.frames.len() - 1);
        let next = match (frame.by(), frame.action_name()) {
            (Some(by), Some(name)) => format!("{by}: {name}"),
            _ => self.ending(),
        };
        let analysis = if self.replay.analysis.contains_key(&at) { "  (t: analysis)" } else { "" };
        format!("{accent}{at} of {last}{accent:#}\n{}\n{next}{analysis}\n\n", frame.state)
    }

    fn ending(&self) -> String {
        let stakes = self.frames.first().and_then(|frame| frame.state.stakes());
        let results: Vec<String> = (self.replay.bots.iter().zip(&self.replay.payoffs))
            .map(|(bot, &payoff)| format!("{bot} {}", payoff_text(payoff, stakes)))
            .collect();
        match &self.replay.forfeit {
            Some(lost) => format!("seat {} forfeits: {}", lost.seat, lost.reason),
            None => {
                // Resigned or broken off: there may be a result all the same.
                let ending = if self.is_over() { "the end" } else { "the game was left here" };
                format!("{ending}: {}", results.join(", "))
            }
        }
    }

    fn is_over(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.state.turn() == Turn::Over)
    }

    fn analysis(&self, at: usize) -> String {
        let Some(analysis) = self.replay.analysis.get(&at) else {
            return "nothing was recorded here\n".into();
        };
        let mut table = show::table(&["action", "visits", "value", "prior"], 1);
        for candidate in &analysis.candidates {
            table.add_row([
                self.frames[at].state.action_name(candidate.action),
                show::grouped(candidate.visits),
                format!("{:+.3}", candidate.value),
                format!("{:.3}", candidate.prior),
            ]);
        }
        format!("{} simulations\n{}", show::grouped(analysis.iterations), show::text_of(&table))
    }

    /// Steps as a person asks for, until they leave.
    fn step(&self) -> Result<(), Failure> {
        let (mut at, last) = (0, self.frames.len() - 1);
        show::print(&format!("{}: {}\n{HELP}\n", self.replay.game, self.replay.bots.join(", ")))?;
        show::print(&self.text(at))?;
        loop {
            show::print("> ")?;
            let mut line = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
                return show::print("\n");
            }
            let line = String::from_utf8_lossy(&line);
            at = match line.trim().to_ascii_lowercase().as_str() {
                "" | "n" | "next" => (at + 1).min(last),
                "p" | "prev" | "back" => at.saturating_sub(1),
                "first" => 0,
                "last" => last,
                "q" | "quit" | "exit" => return Ok(()),
                "t" | "analysis" => {
                    show::print(&self.analysis(at))?;
                    continue;
                }
                typed => match typed.parse::<usize>() {
                    Ok(number) if number <= last => number,
                    _ => {
                        show::print(&format!("expected a step from 0 to {last}, or:\n{HELP}"))?;
                        continue;
                    }
                },
            };
            show::print(&self.text(at))?;
        }
    }
}
