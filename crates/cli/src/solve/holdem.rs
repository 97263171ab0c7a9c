//! `meeple solve holdem`: strategies for hold'em after the flop.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use meeple_solver::{
    Error, HandReport, MemoryPlan, NodeReport, Progress, Schedule, Seat, Solver, SolverOptions,
    SpotText, Stop,
};
use serde::Serialize;

use super::{flops, matrix};
use crate::failure::{Failure, INTERRUPTED};
use crate::progress::with_status;
use crate::{Outcome, interrupt, show};

/// What to solve, until when, and what to show of it.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple solve holdem --board Td9d6h --oop \"66+,A8s+,KQo\" \
                        --ip \"QQ-22,ATo+\" --pot 180 --stack 910 --bets 50% --raises 60%\n         \
                        meeple solve holdem spot.toml --line \"check, bet 90\" --hands\n         \
                        meeple solve holdem spot.toml --save spot.solution\n         \
                        meeple solve holdem --resume spot.solution --target 0.1 --json")]
pub(crate) struct HoldemArgs {
    /// Spot file in TOML or JSON; options replace what it says
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Flop, turn or river
    #[arg(long, value_name = "CARDS")]
    board: Option<String>,
    /// Range of the player out of position
    #[arg(long, value_name = "RANGE")]
    oop: Option<String>,
    /// Range of the player in position
    #[arg(long, value_name = "RANGE")]
    ip: Option<String>,
    /// Chips in the pot
    #[arg(long, value_name = "CHIPS")]
    pot: Option<u32>,
    /// Chips that each player has left
    #[arg(long, value_name = "CHIPS")]
    stack: Option<u32>,
    /// Bet sizes: 50% of the pot, e (geometric), a (all-in), 120 chips
    #[arg(long, value_name = "SIZES")]
    bets: Option<String>,
    /// Raise sizes: also 2.5x, a multiple of the bet
    #[arg(long, value_name = "SIZES")]
    raises: Option<String>,
    /// Sizes of bets into the aggressor of the street before [default: --bets]
    #[arg(long, value_name = "SIZES")]
    donks: Option<String>,
    /// Share of the pot that the house takes, such as 0.05
    #[arg(long, value_name = "SHARE")]
    rake: Option<f64>,
    /// Most chips that the house takes
    #[arg(long, value_name = "CHIPS", requires = "rake")]
    rake_cap: Option<f64>,
    /// Stop at this exploitability, in percent of the pot
    #[arg(long, value_name = "PERCENT", default_value_t = 0.5, value_parser = positive)]
    target: f64,
    /// Stop after this time
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    time: Option<f64>,
    /// Stop after this many iterations
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    iterations: u32,
    /// How past iterations count: dcfr, cfr+, linear, or alpha,beta,gamma
    #[arg(long, value_name = "NAME", default_value = "default")]
    schedule: Schedule,
    /// Store 16-bit numbers instead of 32-bit floats: half the memory
    #[arg(long)]
    compress: bool,
    /// Most memory in MB [default: what is free]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// Number of threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Say how large the game is, and stop
    #[arg(long)]
    plan: bool,
    /// Write the solution to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a solution that was saved
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["file", "board", "oop", "ip", "pot", "stack", "bets", "raises",
            "donks", "rake", "schedule", "compress", "plan"]
    )]
    resume: Option<PathBuf>,
    /// Show the node after these actions and cards: "check, bet 90, call, 2c"
    #[arg(long, value_name = "LINE", default_value = "")]
    line: String,
    /// Show every hand
    #[arg(long)]
    hands: bool,
    /// Solve on many flops instead of --board: "all", a list such as "AhKd2c 7s7d7c:4" with
    /// weights, or a file with one
    #[arg(long, value_name = "LIST|FILE", conflicts_with_all = ["board", "line", "hands", "save", "resume", "plan"])]
    flops: Option<String>,
    /// Write what was found on each flop to a CSV file
    #[arg(long, value_name = "FILE", requires = "flops")]
    pub(super) csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// The solution and a node of it, as JSON.
#[derive(Debug, Serialize)]
struct Report {
    plan: MemoryPlan,
    iterations: u32,
    seconds: f64,
    exploitability_percent: f64,
    history: Vec<Progress>,
    /// Chips that each player expects from the pot at the start.
    ev: [f64; 2],
    node: Node,
}

#[derive(Debug, Serialize)]
struct Node {
    line: String,
    board: String,
    street: &'static str,
    pot: u32,
    stacks: [u32; 2],
    player: Option<Seat>,
    actions: Vec<String>,
    oop: Side,
    ip: Side,
}

#[derive(Debug, Serialize)]
struct Side {
    equity: Option<f64>,
    ev: Option<f64>,
    /// The mean frequency of each action.
    strategy: Vec<f64>,
    hands: Vec<Hand>,
}

#[derive(Debug, Serialize)]
struct Hand {
    hand: String,
    reach: f64,
    weight: f64,
    equity: Option<f64>,
    ev: Option<f64>,
    strategy: Vec<f64>,
    action_ev: Vec<f64>,
    regret: f64,
}

pub(crate) fn run(args: &HoldemArgs) -> Outcome {
    interrupt::listen()?;
    let text = spot_text(args)?;
    let options = SolverOptions {
        schedule: args.schedule,
        compressed: args.compress,
        threads: args.threads.map_or(0, usize::from),
        memory: args.memory.map_or_else(free_memory, |megabytes| megabytes << 20),
    };
    if let Some(list) = &args.flops {
        return flops::run(args, list, text, &options);
    }
    if args.plan {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.threads.map_or_else(cores, usize::from);
        let plan = text.spot().and_then(|spot| spot.plan(threads)).map_err(failure)?;
        if args.json {
            show::print_json(&plan)?;
        } else {
            show::print(&format!("{plan}\n"))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut solver = match &args.resume {
        Some(path) => Solver::load(path, &options).map_err(failure)?,
        None => {
            let mut solver =
                text.spot().and_then(|spot| Solver::new(spot, &options)).map_err(failure)?;
            text.lock(&mut solver).map_err(failure)?;
            solver
        }
    };
    // A wrong line is told before the work, not after it.
    solver.node(&args.line).map_err(failure)?;
    let last = solve(args, &mut solver);
    if let Some(path) = &args.save {
        solver.save(path).map_err(failure)?;
        show::remark(&format!("saved to {}", path.display()));
    }
    let node = solver.node(&args.line).map_err(failure)?;
    if args.json {
        show::print_json(&report(args, &solver, &last, &node))?;
    } else {
        show::print(&text_of(args, &solver, &last, &node))?;
    }
    Ok(if interrupt::asked() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The spot of the file with what the options say in its place.
fn spot_text(args: &HoldemArgs) -> Result<SpotText, Failure> {
    let mut text = match &args.file {
        Some(path) => SpotText::from_file(path).map_err(failure)?,
        None => SpotText::default(),
    };
    let replace = |to: &mut Option<String>, by: &Option<String>| {
        if by.is_some() {
            to.clone_from(by);
        }
    };
    replace(&mut text.board, &args.board);
    replace(&mut text.oop, &args.oop);
    replace(&mut text.ip, &args.ip);
    replace(&mut text.sizes.bets, &args.bets);
    replace(&mut text.sizes.raises, &args.raises);
    replace(&mut text.sizes.donks, &args.donks);
    text.pot = args.pot.or(text.pot);
    text.stack = args.stack.or(text.stack);
    text.rake = args.rake.or(text.rake);
    text.rake_cap = args.rake_cap.or(text.rake_cap);
    Ok(text)
}

pub(super) fn failure(error: Error) -> Failure {
    match error {
        Error::File { .. } => Failure::Failed(error.into()),
        Error::Missing { field } => Failure::Usage(anyhow!(
            "{field} is missing: give --{field}, or a spot file that has it"
        )),
        other => Failure::usage(other),
    }
}

/// The memory that is free, where the system tells.
fn free_memory() -> u64 {
    let text = std::fs::read_to_string(Path::new("/proc/meminfo")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.map_or(u64::MAX, |kilobytes: u64| kilobytes << 10)
}

pub(super) fn solve(args: &HoldemArgs, solver: &mut Solver) -> Progress {
    show::remark(&solver.plan().to_string());
    let flag = AtomicBool::new(false);
    let latest: Mutex<Option<Progress>> = Mutex::new(None);
    let stop = Stop {
        percent: args.target,
        iterations: args.iterations,
        time: args.time.map(Duration::from_secs_f64),
        flag: Some(&flag),
    };
    let status = || match *latest.lock().expect("no thread has panicked") {
        None => "solving".to_owned(),
        Some(at) => format!(
            "{:.3} % of the pot exploitable after {} iterations, {}; target {} %",
            at.exploitability_percent,
            at.iterations,
            show::duration(at.seconds),
            args.target
        ),
    };
    let tick = || {
        if interrupt::asked() {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let last = with_status(status, tick, || {
        solver.solve(&stop, |progress| {
            *latest.lock().expect("no thread has panicked") = Some(*progress);
        })
    });
    if interrupt::asked() {
        show::remark("interrupted: the results are those so far");
    } else if last.exploitability_percent > args.target {
        show::remark(&format!("stopped before the target of {} % of the pot", args.target));
    }
    last
}

fn report(args: &HoldemArgs, solver: &Solver, last: &Progress, node: &NodeReport) -> Report {
    let hand = |hand: &HandReport| Hand {
        hand: hand.combo.to_string(),
        reach: hand.reach,
        weight: hand.weight,
        equity: hand.equity,
        ev: hand.ev,
        strategy: hand.strategy.clone(),
        action_ev: hand.action_ev.clone(),
        regret: hand.regret,
    };
    let side = |seat: Seat| {
        let total = node.total(seat);
        Side {
            equity: total.as_ref().map(|total| total.equity),
            ev: total.as_ref().map(|total| total.ev),
            strategy: total.map_or_else(Vec::new, |total| total.strategy),
            hands: node.hands[seat as usize].iter().map(hand).collect(),
        }
    };
    Report {
        plan: solver.plan(),
        iterations: last.iterations,
        seconds: last.seconds,
        exploitability_percent: last.exploitability_percent,
        history: solver.history().to_vec(),
        ev: solver.ev(),
        node: Node {
            line: args.line.clone(),
            board: node.board.to_string(),
            street: node.street.name(),
            pot: node.pot,
            stacks: node.stacks,
            player: node.player,
            actions: node.actions.iter().map(ToString::to_string).collect(),
            oop: side(Seat::Oop),
            ip: side(Seat::Ip),
        },
    }
}

fn text_of(args: &HoldemArgs, solver: &Solver, last: &Progress, node: &NodeReport) -> String {
    let accent = show::ACCENT;
    let line = if args.line.is_empty() { String::new() } else { format!(" after {}", args.line) };
    let mut text = format!("{accent}{} {}{line}{accent:#}", node.street.name(), node.board);
    text += &format!(": pot {}, {} behind\n\n", node.pot, node.stacks[0].min(node.stacks[1]));
    let mut table = show::table(&["player", "hands", "equity", "EV"], 1);
    for seat in Seat::ALL {
        let Some(total) = node.total(seat) else { continue };
        table.add_row([
            seat.name().to_owned(),
            format!("{:.1}", total.combos),
            show::percent(total.equity),
            format!("{:.3}", total.ev),
        ]);
    }
    text += &show::text_of(&table);
    if let Some(seat) = node.player {
        text += &format!("\n{} to act\n", seat.name());
        text += &matrix::text(node, seat);
        if args.hands {
            text += &hands(node, seat);
        }
    } else if node.is_deal {
        text += "\nthe next card is dealt here: add it to --line\n";
    }
    text + &format!(
        "\nexploitable for {:.3} % of the pot; {} iterations in {}, {:.1} MB\n",
        last.exploitability_percent,
        last.iterations,
        show::duration(last.seconds),
        solver.plan().bytes_if(args.compress) as f64 / f64::from(1 << 20),
    )
}

/// Every hand of the player to act.
fn hands(node: &NodeReport, seat: Seat) -> String {
    let mut headings = vec!["hand".to_owned(), "reach".to_owned()];
    headings.extend(node.actions.iter().map(ToString::to_string));
    headings.extend(["equity".to_owned(), "EV".to_owned(), "regret".to_owned()]);
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = show::table(&headings, 1);
    for hand in node.hands[seat as usize].iter().filter(|hand| hand.weight > 0.0) {
        let mut cells = vec![hand.combo.to_string(), format!("{:.3}", hand.reach)];
        cells.extend(hand.strategy.iter().map(|&share| show::percent(share)));
        cells.push(hand.equity.map_or(String::new(), show::percent));
        cells.push(hand.ev.map_or(String::new(), |ev| format!("{ev:.2}")));
        cells.push(format!("{:.3}", hand.regret));
        table.add_row(cells);
    }
    format!("\n{}", show::text_of(&table))
}
