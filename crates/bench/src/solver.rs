//! The suite `solver`: iterations per second on a flop, a turn and a river, and the time to an
//! exploitability of 0.5 % of the pot.

use meeple_solver::{Solver, SolverOptions, SpotText, Stop};

use crate::{Bench, Unit};

/// Ranges of two players who have both put in a third of their stacks before the flop.
const OOP: &str = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s";
const IP: &str = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+";

pub(crate) fn measure(bench: &mut Bench<'_>) {
    for (name, board, bets, raises) in [
        ("river", "Td9d6hQc2s", "33%,75%,a", "2.5x"),
        ("turn", "Td9d6hQc", "60%,e,a", "2.5x"),
        ("flop", "Td9d6h", "50%", "60%"),
    ] {
        for compressed in [false, true] {
            let bits = if compressed { 16 } else { 32 };
            let row = format!("solver/{name}/{bits}-bit");
            if bench.is_wanted(&row) {
                measure_spot(bench, &row, board, [bets, raises], compressed);
            }
        }
    }
}

fn measure_spot(bench: &mut Bench<'_>, row: &str, board: &str, sizes: [&str; 2], compressed: bool) {
    let mut text = SpotText {
        board: Some(board.to_owned()),
        oop: Some(OOP.to_owned()),
        ip: Some(IP.to_owned()),
        pot: Some(180),
        stack: Some(910),
        ..SpotText::default()
    };
    let [bets, raises] = sizes.map(str::to_owned);
    (text.sizes.bets, text.sizes.raises) = (Some(bets), Some(raises));
    let spot = text.spot().expect("the spot is well formed");
    let options = SolverOptions { compressed, ..SolverOptions::default() };
    let mut solver = Solver::new(spot, &options).expect("the spot makes a game");
    let last = solver.solve(&Stop::default(), |_| {});
    let per_second = f64::from(last.iterations) / last.seconds;
    bench.push(format!("{row}/iterate"), Unit::IterationsPerSecond, per_second);
    bench.push(format!("{row}/to-0.5%"), Unit::NsPerOp, 1e9 * last.seconds);
    bench.push(format!("{row}/memory"), Unit::Bytes, solver.plan().bytes_if(compressed) as f64);
}
