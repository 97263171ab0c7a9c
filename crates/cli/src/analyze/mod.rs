//! `meeple analyze`: search statistics of a position, or the trace of an event through the rules.

mod backgammon;
mod trace;

use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use meeple_bots::{BotSpec, Level, Position, SearchSpec, choices_of};
use meeple_game::{Action, Game, GameInfo, Rng, Turn};
use meeple_games::backgammon::Backgammon;
use meeple_games::chess::Chess;
use meeple_search::{Control, Score, SearchReport};
use serde::Serialize;

use self::backgammon::{Away, Insight};
use crate::failure::Failure;
use crate::position::PositionArgs;
use crate::{Outcome, show};

/// Analyze a position with a search bot, or trace a move through the rules
#[derive(Debug, Args)]
#[command(
    after_help = "Example: meeple analyze chess --after e2e4 --after e7e5 --lines 3\n         \
                        meeple analyze chess --trace e2e4\n         \
                        meeple analyze backgammon --after 'seat 0 begins with 3-1' --trace 8/5"
)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    root: PositionArgs,
    /// Search bot; by default the strongest level of the game
    #[arg(long, value_name = "BOT", conflicts_with = "trace")]
    bot: Option<BotSpec>,
    /// Number of principal variations
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "trace",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    lines: u32,
    /// Random seed of the search and of chance events before it
    #[arg(long, value_name = "N", value_parser = crate::args::seed, default_value = "0")]
    seed: u64,
    /// Trace this action through the rules instead, legal or not
    #[arg(long, value_name = "EVENT", conflicts_with = "position")]
    trace: Option<String>,
    /// Backgammon: advise on the cube at a score of a match, the points that the player to move and
    /// the opponent need, as 5,3 or 4,1,crawford; for money if not given
    #[arg(long, value_name = "OWN,OTHER", conflicts_with = "trace")]
    away: Option<Away>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The search statistics of a position, as JSON.
#[derive(Debug, Serialize)]
struct Analysis {
    game: &'static str,
    bot: String,
    seat: u8,
    /// The chance outcomes sampled before the search.
    drawn: Vec<String>,
    best: String,
    /// The value of the position for each seat.
    values: Vec<f32>,
    iterations: u64,
    iterations_per_second: f64,
    seconds: f64,
    nodes: u64,
    depth: u32,
    mean_depth: f32,
    candidates: Vec<Candidate>,
    /// The principal variation.
    variation: Vec<String>,
    /// The principal variations, the best first.
    lines: Vec<Line>,
    /// Backgammon: the cube and whole turns.
    #[serde(flatten)]
    insight: Insight,
}

/// A principal variation with its score.
#[derive(Debug, Serialize)]
struct Line {
    /// In the units of the game, or as a distance in plies: of searches that know either.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    /// The value for the seat to move.
    value: f32,
    depth: u32,
    actions: Vec<String>,
}

/// The search statistics of one root action.
#[derive(Debug, Serialize)]
struct Candidate {
    action: u16,
    name: String,
    visits: u64,
    share: f32,
    /// The value for the seat to move.
    value: f32,
    values: Vec<f32>,
    prior: f32,
    solved: bool,
}

pub(crate) fn run(args: &AnalyzeArgs) -> Outcome {
    match &args.trace {
        Some(event) => trace::run(&args.root.game, &args.root.after, event, args.json),
        None => analyze(args),
    }
}

fn analyze(args: &AnalyzeArgs) -> Outcome {
    let mut game = args.root.open()?;
    if args.away.is_some() && !game.state().is::<Backgammon>() {
        let name = game.info().name;
        return Err(Failure::Usage(anyhow!("--away: {name} has no cube, expected backgammon")));
    }
    let mut insight = Insight::default();
    insight.see_cube(&*game, args.away);
    let mut drawn = Vec::new();
    let mut rng = Rng::new(args.seed).split(1);
    while game.turn() == Turn::Chance {
        let action = game.sample_chance(&mut rng);
        drawn.push(game.action_name(action));
        game.try_apply(action).map_err(Failure::usage)?;
    }
    let Turn::Player(seat) = game.turn() else {
        return Err(Failure::Usage(anyhow!(
            "the game is over in this position, expected a player to move"
        )));
    };
    insight.see_turns(&*game);
    let chosen = args.bot.clone().unwrap_or_else(|| default_bot(&game.info()));
    let bot = match &chosen {
        BotSpec::Weighted { bot, weights } => {
            game = game.reweighed(weights).map_err(Failure::usage)?;
            bot
        }
        bot => bot,
    };
    let BotSpec::Search(spec) = bot else {
        return Err(Failure::Usage(anyhow!(
            "--bot {bot}: this bot does not search, expected a search bot such as mcts"
        )));
    };
    let spec = &SearchSpec { lines: args.lines, ..spec.clone() };
    let report = game
        .search(spec, &spec.budget(choices_of(&*game).len()), args.seed, &mut Control::default())
        .map_err(Failure::usage)?;
    let analysis = analysis(&*game, seat.0, chosen.to_string(), drawn, &report, args.lines);
    let analysis = Analysis { insight, ..analysis };
    if args.json {
        show::print_json(&analysis)?;
    } else {
        print(&*game, &analysis)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The strongest level of a game, if it searches.
fn default_bot(info: &GameInfo) -> BotSpec {
    match Level::Strongest.bot(info) {
        bot @ BotSpec::Search(_) => bot,
        _ => "mcts:sims=10000".parse().expect("a bot"),
    }
}

fn analysis(
    game: &dyn Position,
    seat: u8,
    bot: String,
    drawn: Vec<String>,
    report: &SearchReport,
    lines: u32,
) -> Analysis {
    let players = game.players();
    let mut candidates: Vec<Candidate> = (report.actions.iter())
        .map(|entry| Candidate {
            action: entry.action.0,
            name: game.action_name(entry.action),
            visits: entry.visits,
            share: entry.policy,
            value: entry.values[usize::from(seat)],
            values: entry.values[..players].to_vec(),
            prior: entry.prior,
            solved: entry.solved,
        })
        .collect();
    candidates.sort_by(|a, b| {
        let best = |candidate: &Candidate| candidate.action == report.best.0;
        (best(b), b.visits).cmp(&(best(a), a.visits))
    });
    let line = |(number, actions): (usize, &Vec<Action>)| {
        let first = report.actions.iter().find(|entry| Some(&entry.action) == actions.first());
        Line {
            score: report.scores.get(number).copied(),
            value: first.map_or(0.0, |entry| entry.values[usize::from(seat)]),
            depth: if report.scores.is_empty() { actions.len() as u32 } else { report.depth },
            actions: variation_names(game, actions),
        }
    };
    let variations = report.variations.iter().take(lines as usize);
    Analysis {
        game: game.info().name,
        bot,
        seat,
        drawn,
        best: game.action_name(report.best),
        values: report.values[..players].to_vec(),
        iterations: report.simulations,
        iterations_per_second: report.simulations_per_second,
        seconds: report.elapsed.as_secs_f64(),
        nodes: report.nodes,
        depth: report.depth,
        mean_depth: report.mean_depth,
        candidates,
        variation: variation_names(game, report.variations.first().map_or(&[], Vec::as_slice)),
        lines: variations.enumerate().map(line).collect(),
        insight: Insight::default(),
    }
}

/// Returns the action names along a variation. With imperfect information a variation may
/// become illegal in the true state; it is cut there.
fn variation_names(game: &dyn Position, variation: &[Action]) -> Vec<String> {
    let mut game = game.copy();
    let mut names = Vec::new();
    for &action in variation {
        if !choices_of(&*game).contains(&action) {
            break;
        }
        names.push(game.action_name(action));
        game.try_apply(action).expect("one of the choices");
    }
    names
}

fn print(game: &dyn Position, analysis: &Analysis) -> Result<(), Failure> {
    let (accent, seat) = (show::ACCENT, analysis.seat);
    let mut text = String::new();
    if !analysis.drawn.is_empty() {
        text.push_str(&format!("chance outcomes: {}\n", analysis.drawn.join(", ")));
    }
    text.push_str(&format!("{}\n\n", game.text(meeple_game::Player(seat))));
    let values: Vec<String> = analysis.values.iter().map(|value| format!("{value:+.3}")).collect();
    text.push_str(&format!(
        "{accent}seat {seat}: {}{accent:#}  (values {}; {})\n\
         {} simulations in {}, {} simulations/s, {} nodes, depth {} (mean {:.1})\n\n",
        analysis.best,
        values.join(" "),
        analysis.bot,
        show::grouped(analysis.iterations),
        show::duration(analysis.seconds),
        show::short(analysis.iterations_per_second),
        show::grouped(analysis.nodes),
        analysis.depth,
        analysis.mean_depth,
    ));
    let mut table = show::table(&["action", "visits", "share", "value", "prior", ""], 1);
    for candidate in &analysis.candidates {
        table.add_row([
            candidate.name.clone(),
            show::grouped(candidate.visits),
            show::percent(f64::from(candidate.share)),
            format!("{:+.3}", candidate.value),
            format!("{:.3}", candidate.prior),
            if candidate.solved { "proven".into() } else { String::new() },
        ]);
    }
    text.push_str(&show::text_of(&table));
    for (number, line) in analysis.lines.iter().enumerate() {
        let name = match number {
            0 => "principal variation".to_owned(),
            _ => format!("line {}", number + 1),
        };
        let (score, actions) = (score_text(analysis.game, line), line.actions.join(", "));
        text.push_str(&format!("\n{name}: {actions} ({score}, depth {})\n", line.depth));
    }
    let insight = analysis.insight.text();
    if !insight.is_empty() {
        text.push_str(&format!("\nbuilt-in network, no lookahead\n{insight}"));
    }
    show::print(&text)
}

/// A score as people write it: pawns in chess, else the expected payoff, or a distance.
fn score_text(game: &str, line: &Line) -> String {
    match line.score {
        Some(Score::Win(plies)) => format!("win in {plies} plies"),
        Some(Score::Loss(plies)) => format!("loss in {plies} plies"),
        Some(Score::Units(units)) if game == Chess::NAME => {
            format!("{:+.2} pawns", f64::from(units) / 100.0)
        }
        _ => format!("{:+.3}", line.value),
    }
}
