//! `meeple analyze`: what the rules of a game make of an event.

use std::process::ExitCode;

use clap::Args;
use meeple_game::Game;
use meeple_games::rulebook::{VisitRules, with_rules};
use meeple_games::ruled::{Described, Ruled};
use meeple_plan::{Handled, Skip, Trace};
use serde::Serialize;

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::{Outcome, refusal, show};

/// Says what became of an event, and why.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple analyze chess --trace e2e4\n         \
                        meeple analyze backgammon --after 'seat 0 begins with 3-1' --trace 8/5")]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Play this first, as people write it; may be given several times
    #[arg(long, value_name = "EVENT")]
    after: Vec<String>,
    /// Follow this event through the rules, legal or not
    #[arg(long, value_name = "EVENT")]
    trace: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of an event.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    event: String,
    legal: bool,
    /// Why it is not legal.
    reason: Option<String>,
    rules: Vec<Line>,
}

/// What one rule made of it.
#[derive(Debug, Serialize)]
struct Line {
    entry: usize,
    rule: &'static str,
    said: String,
}

pub(crate) fn run(args: &AnalyzeArgs) -> Outcome {
    with_rules(&args.game.game, Follow(args)).map_err(Failure::usage)?
}

struct Follow<'a>(&'a AnalyzeArgs);

impl VisitRules for Follow<'_> {
    type Out = Outcome;

    fn visit<R: Described>(self) -> Outcome {
        let args = self.0;
        let mut game = Ruled::<R>::new(&args.game.read_config::<Ruled<R>>()?);
        for text in &args.after {
            let action = game.parse_action(text).ok_or_else(|| {
                let reason = refusal::in_state::<R>(game.state(), text);
                let reason = reason.unwrap_or_else(|| "no event is written so".into());
                Failure::Usage(anyhow::anyhow!("--after {text:?}: {reason}"))
            })?;
            game.apply(action);
        }
        let report = follow::<R>(game.state(), &args.trace)?;
        if args.json {
            show::print_json(&report)?;
        } else {
            print(&report)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn follow<R: Described>(state: &R::State, text: &str) -> Result<Report, Failure> {
    let game = R::plan().name();
    let event = R::read(state, text.trim()).ok_or_else(|| {
        Failure::Usage(anyhow::anyhow!("--trace {text:?}: no event of {game} is written so here"))
    })?;
    let mut trace = Trace::default();
    let handled = R::plan().handle_watched(state, &event, &mut trace);
    let reason = refusal::of_event::<R>(&handled, &trace);
    let lines = R::plan().entry_names().into_iter().enumerate().map(|(entry, rule)| {
        let skipped = trace.skipped.iter().find(|(skipped, _)| *skipped == entry);
        let said = match skipped {
            Some((_, why)) => words(*why),
            None if trace.applied.contains(&entry) => "takes it".into(),
            None => match handled {
                // It would take the event, but another must be played.
                Handled::Invalid { entry: by, reason } if by == entry => {
                    words(Skip::Invalid(reason))
                }
                _ => "not asked: a rule before it decides".into(),
            },
        };
        Line { entry, rule, said }
    });
    let event = R::name_of(state, &event);
    Ok(Report { game, event, legal: reason.is_none(), rules: lines.collect(), reason })
}

/// Why a rule did not take an event.
fn words(why: Skip) -> String {
    match why {
        Skip::Kind => "is for another kind of event".into(),
        Skip::Subject => "is about other things".into(),
        Skip::Gate => "its phase is not open".into(),
        Skip::PhaseShadowed => "an earlier phase is open".into(),
        Skip::Masked => "a rule of its group has applied".into(),
        Skip::Ignored(predicate) => format!("ignores it: {predicate} does not hold"),
        Skip::Invalid(reason) => format!("refuses it: {reason}"),
    }
}

fn print(report: &Report) -> Result<(), Failure> {
    let verdict = match &report.reason {
        None => "is legal".into(),
        Some(reason) => format!("is not legal: {reason}"),
    };
    let mut table = show::table(&["#", "rule", "what it says"], 3);
    for line in &report.rules {
        table.add_row([line.entry.to_string(), line.rule.into(), line.said.clone()]);
    }
    show::print(&format!(
        "{}: {} {verdict}\n\n{}",
        report.game,
        report.event,
        show::text_of(&table)
    ))
}
