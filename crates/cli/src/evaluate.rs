//! `meeple evaluate`: how strong a network is.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use meeple_arena::signed;
use meeple_bots::BotSpec;
use meeple_games::files::{is_path, read_table};
use meeple_stats::{Sprt, Verdict};
use meeple_train::{Against, EvaluateOptions, Evaluated, TrainError, TrainProgress, evaluate};
use serde_json::Value;

use crate::args::{self, RunArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Measures a network against bots: scores and Elo with error bars.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: meeple evaluate connect-four runs/train-connect-four/model.safetensors\n         \
                        meeple evaluate connect-four new.safetensors --against puct:model=old.safetensors --openings 4 --sprt 0,30"
)]
pub(crate) struct EvaluateArgs {
    /// The game, as `meeple games` lists it
    game: String,
    /// The network
    model: PathBuf,
    /// The table, as JSON, such as '{"players":3}'
    #[arg(long, value_name = "JSON", default_value = "{}")]
    config: String,
    /// How the network plays: puct with its options
    #[arg(long, value_name = "BOT", default_value = "puct:sims=64")]
    bot: String,
    /// Opponents: name:option=value,…; Elo counts from the first
    #[arg(
        long,
        value_name = "BOT,BOT",
        default_value = "random,mcts:sims=100,mcts:sims=1000,mcts:sims=10000"
    )]
    against: String,
    /// Games against each opponent, at most if there is a test
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "100")]
    games: u64,
    /// Random decisions at the start, the same at every seat: bots that draw
    /// nothing play one game again and again without
    #[arg(long, value_name = "N", default_value_t = 0)]
    openings: u32,
    /// Test one strength in Elo against another, and end when it is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &EvaluateArgs) -> Outcome {
    let mut table: Value = serde_json::from_str(&args.config)
        .map_err(|error| Failure::Usage(anyhow!("--config: {error}")))?;
    if is_path(&args.game) {
        table = read_table(args.game.trim().as_ref(), Some(&table)).map_err(Failure::usage)?;
    }
    let options = EvaluateOptions {
        game: args.game.clone(),
        table,
        model: args.model.clone(),
        bot: args.bot.parse::<BotSpec>().map_err(Failure::usage)?,
        opponents: args::bots(&args.against).map_err(Failure::usage)?,
        games: args.games,
        openings: args.openings,
        sprt: args.sprt.as_deref().map(sprt).transpose()?,
        seed: args.run.seed,
        threads: args.run.threads.map_or(0, usize::from),
    };
    interrupt::listen()?;
    let doing = TrainProgress::default();
    let stop_if_asked = || {
        if interrupt::asked() {
            doing.stop();
        }
    };
    let work = || evaluate(&options, &doing);
    let total = options.games * options.opponents.len() as u64;
    let played = || doing.counters.games.load(std::sync::atomic::Ordering::Relaxed);
    let evaluated = progress::watch(|| total, "games", played, stop_if_asked, work);
    let evaluated = evaluated.map_err(failure)?;
    if args.json {
        show::print_json(&evaluated)?;
    } else {
        print(&evaluated)?;
    }
    if evaluated.finished {
        return Ok(ExitCode::SUCCESS);
    }
    show::remark("interrupted: what was not finished is not counted");
    Ok(ExitCode::from(INTERRUPTED))
}

fn sprt(text: &str) -> Result<Sprt, Failure> {
    let read = text.split_once(',').and_then(|(elo0, elo1)| {
        Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?))
    });
    match read.filter(|(elo0, elo1)| elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
        Some((elo0, elo1)) => Ok(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }),
        None => Err(Failure::Usage(anyhow!(
            "--sprt: {text:?} is not two strengths in Elo, the lower first, such as 0,30"
        ))),
    }
}

fn failure(error: TrainError) -> Failure {
    match error {
        TrainError::UnknownGame(_) | TrainError::Setting { .. } | TrainError::Net(_) => {
            Failure::usage(error)
        }
        TrainError::Bot(error) => Failure::of_bot(error),
        _ => Failure::Failed(anyhow!(error)),
    }
}

fn print(evaluated: &Evaluated) -> Result<(), Failure> {
    let accent = show::ACCENT;
    let mut text = format!(
        "{accent}{}{accent:#} with {} by {}, seed {}\n",
        evaluated.game,
        evaluated.bot,
        evaluated.model.display(),
        evaluated.seed
    );
    let unit =
        evaluated.against.iter().find_map(|result| result.winnings).map(|won| won.unit.to_string());
    let mut headings = vec!["against"];
    headings.extend(unit.as_deref());
    headings.extend(["points", "95 % interval", "won", "drawn", "lost", "Elo"]);
    let row = |result: &Against| {
        let rated = evaluated.ratings.iter().find(|rating| rating.name == result.opponent);
        let verdict = match result.verdict {
            None => "",
            Some(Verdict::Open) => " (undecided)",
            Some(Verdict::AcceptElo0) => " (network not stronger)",
            Some(Verdict::AcceptElo1) => " (network stronger)",
        };
        let mut row = vec![result.opponent.clone() + verdict];
        row.extend(result.winnings.map(|winnings| winnings.to_string()));
        row.extend([
            format!("{:.1} %", 100.0 * result.score),
            format!(
                "{:.1} - {:.1} %",
                100.0 * result.interval.ci_low,
                100.0 * result.interval.ci_high
            ),
            show::grouped(result.wins),
            show::grouped(result.draws),
            show::grouped(result.losses),
            rated.map_or_else(String::new, |rating| signed(rating.elo, 0)),
        ]);
        row
    };
    text.push_str(&show::fitted(&headings, 0, evaluated.against.iter().map(row).collect()));
    if let Some(mine) = evaluated.ratings.iter().find(|rating| rating.network.is_some()) {
        text.push_str(&format!(
            "\nthe network: {} Elo ({} to {})\n",
            signed(mine.elo, 0),
            signed(mine.interval.ci_low, 0),
            signed(mine.interval.ci_high, 0),
        ));
    }
    show::print(&text)
}
