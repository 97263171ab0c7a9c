//! Runs an experiment and writes all that it found into its folder.

use std::path::PathBuf;

use crate::experiment::Experiment;
use crate::replay::Replay;
use crate::run::{Record, Run, RunError, RunOptions, Timing, pretty, replay_name};
use crate::{RunProgress, Summary, table};

/// A run that ended, by itself or because it was told to.
#[derive(Clone, Debug)]
pub struct Conducted {
    /// The folder of the results.
    pub folder: PathBuf,
    /// What was found.
    pub summary: Summary,
    /// What the clock says.
    pub timing: Timing,
    /// Games that an earlier part of the run had played.
    pub resumed: u64,
}

/// Makes the page `report.html` of what was found, with games to step through:
/// `meeple_report::experiment_page`.
pub type MakeReport = fn(&Summary, &Timing, &[Replay]) -> String;

/// Runs an experiment that was read by
/// [`read_experiment`](crate::read_experiment), or goes on with it where it was
/// interrupted, and writes its folder.
///
/// The same experiment gives the same `games.jsonl`, `summary.json`, tables,
/// replays and samples, byte by byte, on any number of threads and after any
/// number of interruptions; what the clock says is in `timing.json` and in the
/// report.
///
/// # Errors
///
/// When the folder is not of this experiment or cannot be written, a bot does
/// not start, or a game fails.
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

/// Whether a game is one of the first of its match, whose replays are kept.
fn has_replay(run: &Run<'_>, record: &Record) -> bool {
    let stage = &run.stages[record.stage as usize].stage;
    let block = stage.matches[record.r#match as usize].block();
    record.block * block < run.setup.experiment.output.replays
}

/// The replays that the report shows: the first of each table.
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
