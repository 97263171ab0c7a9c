//! What the rules of a game make of an event.

use std::process::ExitCode;

use meeple_game::Game;
use meeple_games::described::{Described, DescribedGame, VisitRules, with_rules};
use meeple_plan::{Handled, Skip, Trace};
use serde::Serialize;

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::{Outcome, refusal, show};

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

pub(super) fn run(game: &GameArgs, after: &[String], event: &str, json: bool) -> Outcome {
    let work = Follow { table: game, after, event, json };
    with_rules(&game.game, work).map_err(Failure::usage)?
}

struct Follow<'a> {
    table: &'a GameArgs,
    after: &'a [String],
    event: &'a str,
    json: bool,
}

impl VisitRules for Follow<'_> {
    type Out = Outcome;

    fn visit<R: Described>(self) -> Outcome {
        let mut game = DescribedGame::<R>::new(&self.table.read_config::<DescribedGame<R>>()?);
        for text in self.after {
            let action = game.parse_action(text).ok_or_else(|| {
                let reason = refusal::in_state::<R>(game.state(), text);
                let reason = reason.unwrap_or_else(|| "no event is written so".into());
                Failure::Usage(anyhow::anyhow!("--after {text:?}: {reason}"))
            })?;
            game.apply(action);
        }
        let report = follow::<R>(game.state(), self.event)?;
        if self.json {
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
    let handled = R::plan().handle_observed(state, &event, &mut trace);
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
