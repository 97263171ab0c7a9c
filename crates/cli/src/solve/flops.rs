//! `meeple solve holdem --flops`: one spot on many flops, as a table and CSV.

use std::path::Path;
use std::process::ExitCode;

use meeple_solver::{
    Progress, Seat, Solver, SolverOptions, SpotText, WeightedFlop, canonical_flops, parse_flops,
};
use serde::Serialize;

use super::holdem::{HoldemArgs, failure, solve};
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};

/// What was found on one flop.
#[derive(Clone, Debug, Serialize)]
struct Row {
    flop: String,
    weight: f64,
    exploitability_percent: f64,
    iterations: u32,
    seconds: f64,
    equity_oop: f64,
    ev_oop: f64,
    ev_ip: f64,
    /// By action of the player out of position.
    frequencies: Vec<f64>,
}

/// All flops, with means by weight.
#[derive(Debug, Serialize)]
struct Report {
    actions: Vec<String>,
    flops: Vec<Row>,
    mean: Row,
}

pub(super) fn run(
    args: &HoldemArgs,
    list: &str,
    mut text: SpotText,
    options: &SolverOptions,
) -> Outcome {
    let flops = read_flops(list)?;
    let (mut rows, mut actions) = (Vec::new(), Vec::new());
    for (number, flop) in (1..).zip(&flops) {
        show::remark(&format!("{number} of {}: {}", flops.len(), flop.cards));
        text.board = Some(flop.cards.to_string());
        let spot = text.spot().map_err(failure)?;
        let mut solver = Solver::new(spot, options).map_err(failure)?;
        text.lock(&mut solver).map_err(failure)?;
        let last = solve(args, &mut solver);
        if interrupt::asked() {
            break;
        }
        rows.push(row(flop, &solver, &last, &mut actions)?);
        // After each flop, so that an interruption loses one only.
        if let Some(path) = &args.csv {
            write_csv(path, &actions, &rows)?;
        }
    }
    if rows.is_empty() {
        show::remark("interrupted before the first flop was solved");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = Report { actions, mean: mean(&rows), flops: rows };
    if args.json {
        show::print_json(&report)?;
    } else {
        show::print(&text_of(&report))?;
    }
    Ok(if interrupt::asked() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// `all`, the path of a file, or a list.
fn read_flops(list: &str) -> Result<Vec<WeightedFlop>, Failure> {
    if list == "all" {
        return Ok(canonical_flops());
    }
    let path = Path::new(list);
    if path.is_file() {
        return parse_flops(&std::fs::read_to_string(path)?).map_err(failure);
    }
    parse_flops(list).map_err(failure)
}

fn row(
    flop: &WeightedFlop,
    solver: &Solver,
    last: &Progress,
    actions: &mut Vec<String>,
) -> Result<Row, Failure> {
    let node = solver.node("").map_err(failure)?;
    *actions = node.actions.iter().map(ToString::to_string).collect();
    let total = node.total(Seat::Oop);
    let [ev_oop, ev_ip] = solver.ev();
    Ok(Row {
        flop: flop.cards.to_string(),
        weight: flop.weight,
        exploitability_percent: last.exploitability_percent,
        iterations: last.iterations,
        seconds: last.seconds,
        equity_oop: total.as_ref().map_or(0.0, |total| total.equity),
        ev_oop,
        ev_ip,
        frequencies: total.map_or_else(Vec::new, |total| total.strategy),
    })
}

fn mean(rows: &[Row]) -> Row {
    let weight: f64 = rows.iter().map(|row| row.weight).sum();
    let mean = |of: &dyn Fn(&Row) -> f64| {
        rows.iter().map(|row| row.weight * of(row)).sum::<f64>() / weight
    };
    Row {
        flop: "mean".to_owned(),
        weight,
        exploitability_percent: mean(&|row| row.exploitability_percent),
        iterations: mean(&|row| f64::from(row.iterations)) as u32,
        seconds: rows.iter().map(|row| row.seconds).sum(),
        equity_oop: mean(&|row| row.equity_oop),
        ev_oop: mean(&|row| row.ev_oop),
        ev_ip: mean(&|row| row.ev_ip),
        frequencies: (0..rows[0].frequencies.len())
            .map(|action| mean(&|row| row.frequencies[action]))
            .collect(),
    }
}

fn write_csv(path: &Path, actions: &[String], rows: &[Row]) -> Result<(), Failure> {
    let mut text =
        "flop,weight,exploitability_percent,iterations,seconds,equity_oop,ev_oop,ev_ip".to_owned();
    for action in actions {
        text += &format!(",{}", action.replace(' ', "_"));
    }
    text.push('\n');
    for row in rows {
        text += &format!(
            "{},{},{:.4},{},{:.3},{:.6},{:.4},{:.4}",
            row.flop,
            row.weight,
            row.exploitability_percent,
            row.iterations,
            row.seconds,
            row.equity_oop,
            row.ev_oop,
            row.ev_ip
        );
        for share in &row.frequencies {
            text += &format!(",{share:.5}");
        }
        text.push('\n');
    }
    Ok(meeple_files::write(path, text.as_bytes())?)
}

fn text_of(report: &Report) -> String {
    let mut headings = vec!["flop", "weight", "equity", "EV OOP", "EV IP"];
    headings.extend(report.actions.iter().map(String::as_str));
    let mut table = show::table(&headings, 1);
    for row in report.flops.iter().chain([&report.mean]) {
        let mut cells = vec![
            row.flop.clone(),
            row.weight.to_string(),
            show::percent(row.equity_oop),
            format!("{:.2}", row.ev_oop),
            format!("{:.2}", row.ev_ip),
        ];
        cells.extend(row.frequencies.iter().map(|&share| show::percent(share)));
        table.add_row(cells);
    }
    show::text_of(&table)
}
