//! Runs an experiment and writes its results to a folder.

use std::path::PathBuf;

use crate::experiment::Experiment;
use crate::replay::Replay;
use crate::run::{Record, Run, RunError, RunOptions, Timing, pretty, replay_name};
use crate::{RunProgress, Summary, table};

/// A run that finished or was stopped.
#[derive(Clone, Debug)]
pub struct Conducted {
    /// The folder of the results.
    pub folder: PathBuf,
    /// The results.
    pub summary: Summary,
    /// The wall-clock measurements.
    pub timing: Timing,
    /// The number of games resumed from an earlier, interrupted run.
    pub resumed: u64,
}

/// Renders `report.html` from the results, with replays: `meeple_report::experiment_page`.
pub type MakeReport = fn(&Summary, &Timing, &[Replay]) -> String;

/// Runs an experiment from [`read_experiment`](crate::read_experiment), or resumes it where it
/// was interrupted, and writes its folder.
///
/// The same experiment gives identical `games.jsonl`, `summary.json`, tables, replays and samples
/// for any number of threads and interruptions. Wall-clock measurements are confined to
/// `timing.json` and the report.
///
/// # Errors
///
/// When the folder belongs to another experiment or cannot be written, a bot does not start, or a
/// game fails.
pub fn conduct(
    experiment: &Experiment,
    options: &RunOptions,
    progress: &RunProgress,
    report: MakeReport,
) -> Result<Conducted, RunError> {
    let mut run = Run::open(experiment, options, progress)?;
    run.play()?;
    let summary = Summary::of(&run);
    write_outputs(&run, &summary, report)?;
    Ok(Conducted {
        folder: run.ledger.folder.path().to_owned(),
        summary,
        timing: run.ledger.timing,
        resumed: run.resumed,
    })
}

fn write_outputs(run: &Run<'_>, summary: &Summary, report: MakeReport) -> Result<(), RunError> {
    let (folder, output) = (&run.ledger.folder, &run.setup.experiment.output);
    folder.write("summary.json", pretty(summary).as_bytes())?;
    folder.write("timing.json", pretty(&run.ledger.timing).as_bytes())?;
    if output.csv {
        folder.write("games.csv", table::csv(&run.ledger.records).as_bytes())?;
    }
    #[cfg(feature = "parquet")]
    if output.parquet {
        let path = folder.path().join("games.parquet");
        let bytes = table::parquet(&run.ledger.records)
            .map_err(|error| RunError::Write { path, reason: error.to_string() })?;
        folder.write("games.parquet", &bytes)?;
    }
    if output.report {
        let replays = samples(run);
        let page = report(summary, &run.ledger.timing, &replays);
        folder.write("report.html", page.as_bytes())?;
    }
    Ok(())
}

/// Whether a game is among the first of its match, whose replays are kept.
fn has_replay(run: &Run<'_>, record: &Record) -> bool {
    let stage = &run.stages[record.stage as usize].stage;
    let block = stage.matches[record.r#match as usize].block();
    record.block * block < run.setup.experiment.output.replays
}

/// Returns the replays for the report: the first ones of each table.
fn samples(run: &Run<'_>) -> Vec<Replay> {
    let mut chosen = Vec::new();
    for table in 0..run.setup.tables.len() {
        let kept = (run.ledger.records.iter())
            .filter(|record| record.table as usize == table && has_replay(run, record));
        let replays = kept
            .filter_map(|record| run.ledger.folder.read(&replay_name(record.game)))
            .filter_map(|text| Replay::from_json(&text).ok());
        chosen.extend(replays.take(run.setup.experiment.output.samples));
    }
    chosen
}
