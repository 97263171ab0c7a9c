//! Solves the spots of `docs/src/measurements/solver.md` and prints what each took:
//!
//! ```text
//! cargo run --profile quick -p meeple-solver --example solve_spots -- flop1 0.5 16
//! ```
#![allow(clippy::print_stdout, reason = "an example")]

use meeple_solver::{Schedule, Solver, SolverOptions, Spot, Stop, TreeOptions, parse_sizes};

const R1: &str = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s";
const R2: &str = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+";
const W1: &str = "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,86s+,75s+,65s,54s,A7o+,KTo+,QTo+,JTo";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let name = args.get(1).map_or("river1", String::as_str);
    let percent: f64 = args.get(2).map_or(Ok(0.5), |text| text.parse())?;
    let compressed = args.iter().any(|arg| arg == "16");
    let (ranges, board, pot, stack, bets, raises, donk, rake) = match name {
        "river1" => ([R1, R2], "Td9d6hQc2s", 200, 900, "33%,75%,a", "2.5x", "", 0.0),
        "river2" => (
            ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KQo", "TT+,AJs+,KQs,AQo+"],
            "AhKd7c5s2h",
            100,
            250,
            "50%,100%,a",
            "3x",
            "",
            0.05,
        ),
        "turn1" => ([R1, R2], "Td9d6hQc", 200, 900, "60%,e,a", "2.5x", "50%", 0.0),
        "flop1" => ([R1, R2], "Td9d6h", 180, 910, "50%", "60%", "", 0.0),
        "flop2" => ([W1, W1], "Ks7h2d", 60, 970, "33%,75%", "3x", "", 0.0),
        "mono" => ([W1, R1], "Jh8h3h", 100, 400, "50%", "3x", "", 0.0),
        other => return Err(format!("unknown spot {other}").into()),
    };
    let mut tree = TreeOptions::new(pot, stack, &parse_sizes(bets)?, &parse_sizes(raises)?);
    (tree.rake, tree.rake_cap) = (rake, 3.0);
    if !donk.is_empty() {
        for player in &mut tree.sizes {
            player[2].donks = Some(parse_sizes(donk)?);
        }
    }
    let spot = Spot {
        ranges: [ranges[0].parse()?, ranges[1].parse()?],
        board: board.parse()?,
        tree,
        isomorphism: true,
    };
    let number = |place: usize, default: f64| -> Result<f64, std::num::ParseFloatError> {
        args.get(place).map_or(Ok(default), |text| text.parse())
    };
    let default = Schedule::default();
    let schedule = Schedule {
        alpha: number(4, default.alpha)?,
        beta: number(5, default.beta)?,
        gamma: number(6, default.gamma)?,
    };
    let threads = number(7, 0.0)? as usize;
    let options = SolverOptions { compressed, schedule, threads, ..SolverOptions::default() };
    let start = std::time::Instant::now();
    let mut solver = Solver::new(spot, &options)?;
    println!("{}, made in {:.2} s", solver.plan(), start.elapsed().as_secs_f64());
    let stop = Stop { percent, iterations: 3000, ..Stop::default() };
    let verbose = args.iter().any(|arg| arg == "-v");
    let last = solver.solve(&stop, |progress| {
        if verbose {
            println!("{progress:?}");
        }
    });
    let ev = solver.ev();
    println!(
        "{name}: {:.2} s, {} iterations, {:.4} %, EV {:.3} / {:.3}",
        last.seconds, last.iterations, last.exploitability_percent, ev[0], ev[1]
    );
    Ok(())
}
