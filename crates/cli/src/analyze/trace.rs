//! The trace of an event through the rules of a game.

use std::process::ExitCode;

use meeple_game::Game;
use meeple_games::described::{Described, DescribedGame, VisitRules, with_rules};
use meeple_plan::{Handled, Skip, Trace};
use serde::Serialize;

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::{Outcome, legality, show};

/// The trace in JSON.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    event: String,
    legal: bool,
    /// Why the event is illegal.
    reason: Option<String>,
    rules: Vec<Line>,
}

/// The verdict of one rule.
#[derive(Debug, Serialize)]
struct Line {
    entry: usize,
    rule: &'static str,
    said: String,
}

pub(super) fn run(game: &GameArgs, after: &[String], event: &str, json: bool) -> Outcome {
    let work = TraceEvent { game, after, event, json };
    with_rules(&game.game, work).map_err(Failure::usage)?
}

struct TraceEvent<'a> {
    game: &'a GameArgs,
    after: &'a [String],
    event: &'a str,
    json: bool,
}

impl VisitRules for TraceEvent<'_> {
    type Out = Outcome;

    fn visit<R: Described>(self) -> Outcome {
        let mut game = DescribedGame::<R>::new(&self.game.read_config::<DescribedGame<R>>()?);
        for text in self.after {
            let action = game.parse_action(text).ok_or_else(|| {
                let reason = legality::explain_in::<R>(game.state(), text);
                let reason = reason.unwrap_or_else(|| "it is not the notation of an event".into());
                Failure::Usage(anyhow::anyhow!("--after {text:?}: {reason}"))
            })?;
            game.apply(action);
        }
        let report = trace_event::<R>(game.state(), self.event)?;
        if self.json {
            show::print_json(&report)?;
        } else {
            print(&report)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn trace_event<R: Described>(state: &R::State, text: &str) -> Result<Report, Failure> {
    let game = R::plan().name();
    let event = R::read(state, text.trim()).ok_or_else(|| {
        Failure::Usage(anyhow::anyhow!(
            "--trace {text:?}: this is not the notation of an event of {game} in this position"
        ))
    })?;
    let mut trace = Trace::default();
    let handled = R::plan().handle_observed(state, &event, &mut trace);
    let reason = legality::explain_event::<R>(&handled, &trace);
    let lines = R::plan().entry_names().into_iter().enumerate().map(|(entry, rule)| {
        let skipped = trace.skipped.iter().find(|(skipped, _)| *skipped == entry);
        let said = match skipped {
            Some((_, skip)) => describe(*skip),
            None if trace.applied.contains(&entry) => "applies".into(),
            None => match handled {
                // The rule matches, but the event is not maximal: another must be played.
                Handled::Invalid { entry: by, reason } if by == entry => {
                    describe(Skip::Invalid(reason))
                }
                _ => "not evaluated: an earlier rule decides".into(),
            },
        };
        Line { entry, rule, said }
    });
    let event = R::name_of(state, &event);
    Ok(Report { game, event, legal: reason.is_none(), rules: lines.collect(), reason })
}

/// Describes why a rule did not apply.
fn describe(skip: Skip) -> String {
    match skip {
        Skip::Kind => "matches another kind of event".into(),
        Skip::Subject => "matches other subjects".into(),
        Skip::Gate => "its phase is not active".into(),
        Skip::PhaseShadowed => "an earlier phase is active".into(),
        Skip::Masked => "masked: a rule of its group has applied".into(),
        Skip::Ignored(predicate) => format!("does not match: {predicate} is false"),
        Skip::Invalid(reason) => format!("illegal: {reason}"),
    }
}

fn print(report: &Report) -> Result<(), Failure> {
    let verdict = match &report.reason {
        None => "is legal".into(),
        Some(reason) => format!("is not legal: {reason}"),
    };
    let mut table = show::table(&["#", "rule", "verdict"], 3);
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
