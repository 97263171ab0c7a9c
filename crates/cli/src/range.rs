//! `meeple range`: a range of poker hands as text and as a grid.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Args;
use meeple_poker::{HandClass, Range};
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::{Outcome, show};

/// Show a range: its hands, their number, and the 13x13 grid
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple range \"QQ+, AKs, A5s-A2s:0.5\"\n         \
                        meeple range \"top 15%\" --dead AhKd")]
pub(crate) struct RangeArgs {
    /// Range: "TT+, A2s+, KQo:0.5", "top 15%", random
    #[arg(required = true, value_name = "RANGE")]
    range: String,
    /// Dead cards, such as the board
    #[arg(long, value_name = "CARDS", default_value = "")]
    dead: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    range: String,
    combos: usize,
    weight: f64,
    share: f64,
    /// `[13][13]` average weights, aces first, suited hands above the diagonal.
    grid: Vec<Vec<f64>>,
}

pub(crate) fn run(args: &RangeArgs) -> Outcome {
    let range: Range = args.range.parse().map_err(Failure::usage)?;
    let range = range.without(args::cards("--dead", &args.dead)?);
    let grid: Vec<f64> = HandClass::all().map(|class| range.class_weight(class)).collect();
    let report = Report {
        range: range.to_string(),
        combos: range.combos().count(),
        weight: range.size(),
        share: range.fraction(),
        grid: grid.chunks(13).map(<[f64]>::to_vec).collect(),
    };
    if args.json {
        show::print_json(&report)?;
    } else {
        show::print(&text(&report))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(report: &Report) -> String {
    let accent = show::ACCENT;
    let weight = if report.weight == report.combos as f64 {
        String::new()
    } else {
        format!(" of weight {:.2}", report.weight)
    };
    let mut text = format!(
        "{accent}{}{accent:#}\n{} hands{weight}, {} of all\n\n",
        if report.range.is_empty() { "no hand" } else { &report.range },
        show::grouped(report.combos as u64),
        show::percent(report.share),
    );
    for (row, weights) in report.grid.iter().enumerate() {
        for (column, &weight) in weights.iter().enumerate() {
            let class = HandClass::from_index(13 * row + column);
            let style = style(class, weight);
            // Readable without colour: `~` marks a partial weight, a dot a missing class.
            let cell = match weight {
                1.0 => class.to_string(),
                0.0 => "·".to_owned(),
                _ => format!("{class}~"),
            };
            let last = column == 12;
            let (cell, gap) = if last { (cell, "\n") } else { (format!("{cell:<4}"), " ") };
            text.push_str(&format!("{style}{cell}{style:#}{gap}"));
        }
    }
    text
}

/// The colour of a class: pairs, suited and offsuit hands differ, partial weights are yellow.
fn style(class: HandClass, weight: f64) -> Style {
    let colour = match weight {
        0.0 => return Style::new().dimmed(),
        1.0 if class.is_pair() => AnsiColor::Cyan,
        1.0 if class.is_suited() => AnsiColor::Green,
        1.0 => AnsiColor::Blue,
        _ => AnsiColor::Yellow,
    };
    Style::new().fg_color(Some(AnsiColor::Black.into())).bg_color(Some(colour.into()))
}
