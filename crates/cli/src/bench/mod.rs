//! `meeple bench`: measures speed and compares it with a saved baseline.

mod games;
mod measure;
mod net;
mod plan;
mod poker;
mod record;
mod search;
mod wide;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};
pub(crate) use games::register;
use record::Record;

/// Measure speed on one core
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple bench games --save before.json\n         \
                        meeple bench games --baseline before.json --strict\n         \
                        meeple bench poker --validate")]
pub(crate) struct BenchArgs {
    /// Suite to measure [default: all]
    suite: Option<Suite>,
    /// Measure only rows whose name contains TEXT
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Save the measurement to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with a saved measurement
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Measure additional rows
    #[arg(long)]
    verbose: bool,
    /// Also validate 100,000 sampled equities against exact ones (poker)
    #[arg(long)]
    validate: bool,
    /// Exit with 1 if a row is more than 2 % slower than the baseline
    #[arg(long, requires = "baseline")]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Suite {
    /// Game engines: copy, legal actions, apply, observe, hash, random games
    Games,
    /// Network inference and training
    Net,
    /// Rule engine, by optimization stage
    Plan,
    /// Hand ranking, showdowns and equities
    Poker,
    /// Simulations per second of each search
    Search,
}

pub(crate) fn run(args: &BenchArgs) -> Outcome {
    let baseline = args.baseline.as_deref().map(Record::read).transpose()?;
    interrupt::listen()?;
    let wanted = |suite: Suite| args.suite.is_none_or(|asked| asked == suite);
    if args.validate && !wanted(Suite::Poker) {
        return Err(Failure::Usage(anyhow::anyhow!(
            "--validate: only the suite poker supports it"
        )));
    }
    let mut rows = Vec::new();
    if wanted(Suite::Games) {
        rows.extend(games::measure(args.only.as_deref()));
    }
    if wanted(Suite::Net) {
        rows.extend(net::measure(args.only.as_deref()));
    }
    if wanted(Suite::Plan) {
        rows.extend(plan::measure(args.only.as_deref()));
    }
    if wanted(Suite::Poker) {
        rows.extend(poker::measure(args.only.as_deref(), args.verbose));
    }
    if wanted(Suite::Search) {
        rows.extend(search::measure(args.only.as_deref()));
    }
    if rows.is_empty() && !interrupt::asked() {
        let only = args.only.as_deref().unwrap_or_default();
        return Err(Failure::Usage(anyhow::anyhow!(
            "--only {only}: no row has a name that contains it"
        )));
    }
    let record = Record::new(rows);
    let comparison = baseline.map(|baseline| record.compare(&baseline));
    if args.json {
        show::print_json(&record.as_json(comparison.as_ref()))?;
    } else {
        show::print(&record.as_text(comparison.as_ref()))?;
    }
    let regressions = comparison.map(|comparison| comparison.regressions()).unwrap_or_default();
    for regression in &regressions {
        show::remark(&format!("slower than the baseline: {regression}"));
    }
    if interrupt::asked() {
        show::remark("interrupted: nothing is saved");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(path) = &args.save {
        record.write(path)?;
    }
    if args.validate {
        poker::validate()?;
    }
    Ok(if args.strict && !regressions.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
