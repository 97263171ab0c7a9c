//! `meeple bench`: measures speed and compares it with a saved baseline.

mod record;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use meeple_bench::Bench;
use meeple_poker::validate_sampling;

use crate::failure::{Failure, INTERRUPTED};
use crate::progress::Doing;
use crate::{Outcome, interrupt, show};
use record::Record;

/// Measure speed on one core, or how cost grows
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple bench games --save before.json\n         \
                        meeple bench games --baseline before.json --strict\n         \
                        meeple bench poker --validate")]
pub(crate) struct BenchArgs {
    /// Suite to measure [default: all but scale and solver]
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
    /// How cost grows with threads, tree size, range size and network width
    Scale,
    /// Simulations per second of each search
    Search,
    /// Solving hold'em after the flop: iterations, time to 0.5 % of the pot, memory
    Solver,
}

pub(crate) fn run(args: &BenchArgs) -> Outcome {
    let baseline = args.baseline.as_deref().map(Record::read).transpose()?;
    interrupt::listen()?;
    // These take minutes, all cores and much memory.
    let is_long = |suite: Suite| matches!(suite, Suite::Scale | Suite::Solver);
    let wanted = |suite: Suite| args.suite.map_or(!is_long(suite), |asked| asked == suite);
    if args.validate && !wanted(Suite::Poker) {
        return Err(Failure::Usage(anyhow!("--validate: only the suite poker supports it")));
    }
    let doing = Doing::new();
    let say = |row: &str| doing.say(row);
    let mut bench = Bench::new(args.only.as_deref(), &say, &interrupt::asked);
    for (suite, measured) in [
        (Suite::Games, meeple_bench::Suite::Games),
        (Suite::Net, meeple_bench::Suite::Net),
        (Suite::Plan, meeple_bench::Suite::Plan),
        (Suite::Poker, meeple_bench::Suite::Poker { all: args.verbose }),
        (Suite::Scale, meeple_bench::Suite::Scale { all: args.verbose }),
        (Suite::Search, meeple_bench::Suite::Search),
        (Suite::Solver, meeple_bench::Suite::Solver),
    ] {
        if wanted(suite) {
            bench.measure(measured);
        }
    }
    let rows = bench.rows().to_vec();
    drop(doing);
    if rows.is_empty() && !interrupt::asked() {
        let only = args.only.as_deref().unwrap_or_default();
        return Err(Failure::Usage(anyhow!("--only {only}: no row has a name that contains it")));
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
        validate()?;
    }
    Ok(if args.strict && !regressions.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Validates sampled against exact equities; fails if too many lie outside their confidence
/// interval.
fn validate() -> Result<(), Failure> {
    const EQUITIES: u64 = 100_000;
    let doing = Doing::new();
    doing.say("validating sampled equities");
    let found = validate_sampling(EQUITIES, 0, 0).map_err(Failure::usage)?;
    drop(doing);
    let share = found.misses as f64 / found.trials as f64;
    show::remark(&format!(
        "{} of {} sampled equities outside their 95 % interval: {}",
        show::grouped(found.misses),
        show::grouped(found.trials),
        show::percent(share),
    ));
    // 5 % are expected outside; 5.5 % is seven standard deviations above.
    if share > 0.055 {
        return Err(Failure::Failed(anyhow!(
            "too many equities outside their 95 % interval, expected at most 5.5 %"
        )));
    }
    Ok(())
}
