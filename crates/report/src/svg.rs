//! The plots of a report, as SVG with colours from the style sheet of the page.

mod lines;

use crate::page::escape;
use meeple_arena::signed;

pub(crate) use lines::titled_lines;
pub use lines::{Curve, CurvePoint, lines};

/// The width of every plot, in SVG units.
const WIDTH: f64 = 1120.0;
/// The space for row labels on the left.
const NAMES: f64 = 300.0;
/// The height of a row, in SVG units.
const ROW: f64 = 26.0;

/// A value with its confidence interval.
pub(crate) struct Estimate {
    pub(crate) label: String,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The axis of a plot of estimates.
pub(crate) struct Axis<'a> {
    pub(crate) unit: &'a str,
    /// Whether numbers are shown with their sign.
    pub(crate) is_signed: bool,
    /// A value to compare with, shown as a line.
    pub(crate) mark: Option<f64>,
}

/// Plots estimates with their error bars, one row each.
pub(crate) fn estimates(rows: &[Estimate], axis: &Axis<'_>) -> String {
    let low = rows.iter().map(|row| row.low).chain(axis.mark).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(|row| row.high).chain(axis.mark).fold(f64::NEG_INFINITY, f64::max);
    let ticks = ticks(low, high);
    let (first, last) = (ticks[0].min(low), ticks[ticks.len() - 1].max(high));
    let x =
        |value: f64| NAMES + (value - first) / (last - first).max(1e-9) * (WIDTH - NAMES - 30.0);
    let bottom = rows.len() as f64 * ROW + 8.0;
    let mut plot = String::new();
    for tick in &ticks {
        plot.push_str(&format!(
            "<line class=\"grid\" x1=\"{0:.1}\" y1=\"0\" x2=\"{0:.1}\" y2=\"{bottom:.0}\"/>\
             <text class=\"tick\" x=\"{0:.1}\" y=\"{1:.0}\">{tick}</text>",
            x(*tick),
            bottom + 16.0,
        ));
    }
    if let Some(mark) = axis.mark {
        plot.push_str(&format!(
            "<line class=\"bound\" x1=\"{0:.1}\" y1=\"0\" x2=\"{0:.1}\" y2=\"{bottom:.0}\"/>",
            x(mark),
        ));
    }
    let number = |value: f64| match axis.is_signed {
        true => signed(value, 0),
        false => format!("{value:.1}"),
    };
    for (at, row) in rows.iter().enumerate() {
        let y = at as f64 * ROW + ROW / 2.0 + 4.0;
        plot.push_str(&format!(
            "{}<line class=\"error\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
             <circle class=\"point\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\">\
             <title>{} {}, {} to {}</title></circle>",
            name(&row.label, y + 4.0),
            x(row.low),
            x(row.high),
            x(row.value),
            number(row.value),
            axis.unit,
            number(row.low),
            number(row.high),
        ));
    }
    framed(&plot, bottom + 24.0)
}

/// Plots a histogram. `across` and `up` are the titles of the axes.
pub(crate) fn bars(bars: &[(String, u64)], across: &str, up: &str) -> String {
    const HEIGHT: f64 = 160.0;
    const LEFT: f64 = 70.0;
    let highest = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
    let ticks: Vec<f64> = ticks(0.0, highest).into_iter().filter(|&at| at.fract() == 0.0).collect();
    let top = ticks.last().copied().unwrap_or(1.0).max(highest);
    let y = |count: f64| 10.0 + HEIGHT * (1.0 - count / top);
    let mut plot = String::new();
    for tick in &ticks {
        plot.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{WIDTH}\" y2=\"{0:.1}\"/>\
             <text class=\"tick count\" x=\"{1}\" y=\"{2:.1}\">{tick}</text>",
            y(*tick),
            LEFT - 8.0,
            y(*tick) + 4.0,
        ));
    }
    let width = (WIDTH - LEFT) / bars.len().max(1) as f64;
    // Skips labels that would overlap their neighbours.
    let every = (60.0 / width).ceil().max(1.0) as usize;
    for (at, (name, count)) in bars.iter().enumerate() {
        let x = LEFT + at as f64 * width;
        let count = *count as f64;
        plot.push_str(&format!(
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{}: {count}</title></rect>",
            x + 1.0,
            y(count),
            (width - 2.0).max(1.0),
            y(0.0) - y(count),
            escape(name),
        ));
        if at % every == 0 {
            plot.push_str(&format!(
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.0}\">{}</text>",
                x + width / 2.0,
                HEIGHT + 26.0,
                escape(name),
            ));
        }
    }
    plot.push_str(&format!(
        "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{0:.0}\" x2=\"{WIDTH}\" y2=\"{0:.0}\"/>\
         <line class=\"axis\" x1=\"{LEFT}\" y1=\"10\" x2=\"{LEFT}\" y2=\"{0:.0}\"/>{1}",
        y(0.0),
        titles(across, up, LEFT, HEIGHT + 44.0),
    ));
    framed(&plot, HEIGHT + 52.0)
}

/// Plots a curve between two horizontal bounds, such as the LLR of a sequential test.
pub(crate) fn curve(points: &[(u64, f64)], bounds: [f64; 2], across: &str, up: &str) -> String {
    const HEIGHT: f64 = 240.0;
    const LEFT: f64 = 70.0;
    let values = || points.iter().map(|point| point.1).chain(bounds).chain([0.0]);
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let longest = points.last().map_or(1, |point| point.0).max(1) as f64;
    let x = |at: f64| LEFT + at / longest * (WIDTH - LEFT - 10.0);
    let y = |value: f64| 8.0 + HEIGHT * (high - value) / (high - low).max(1e-9);
    let mut plot = String::new();
    let whole = |tick: &f64| *tick <= longest && tick.fract() == 0.0;
    for tick in ticks(0.0, longest).into_iter().filter(whole) {
        plot.push_str(&format!(
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.0}\">{tick}</text>",
            x(tick),
            HEIGHT + 26.0,
        ));
    }
    for (class, value) in [("bound", bounds[0]), ("axis", 0.0), ("bound", bounds[1])] {
        plot.push_str(&format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{WIDTH}\" y2=\"{0:.1}\"/>\
             <text class=\"tick count\" x=\"{1}\" y=\"{2:.1}\">{3}</text>",
            y(value),
            LEFT - 8.0,
            y(value) + 4.0,
            signed(value, 2),
        ));
    }
    let line: Vec<String> =
        points.iter().map(|&(at, value)| format!("{:.1},{:.1}", x(at as f64), y(value))).collect();
    plot.push_str(&format!(
        "<polyline class=\"curve\" points=\"{}\"/>{}",
        line.join(" "),
        titles(across, up, LEFT, HEIGHT + 44.0),
    ));
    framed(&plot, HEIGHT + 52.0)
}

/// The titles of both axes.
fn titles(across: &str, up: &str, left: f64, bottom: f64) -> String {
    format!(
        "<text class=\"tick\" x=\"{:.0}\" y=\"{bottom:.0}\">{}</text>\
         <text class=\"tick\" transform=\"translate(4 {:.0}) rotate(-90)\">{}</text>",
        f64::midpoint(left, WIDTH),
        escape(across),
        bottom / 2.0,
        escape(up),
    )
}

/// Plots one heat strip a row: the distribution of its counts over the columns.
pub(crate) fn strips(rows: &[(String, Vec<u64>)], columns: &[String]) -> String {
    if columns.is_empty() {
        return framed("", 1.0);
    }
    let used = |at: usize| rows.iter().any(|(_, counts)| counts.get(at).is_some_and(|&n| n > 0));
    let first = (0..columns.len()).find(|&at| used(at)).unwrap_or(0);
    let last = (0..columns.len()).rfind(|&at| used(at)).unwrap_or(first);
    let width = (WIDTH - NAMES) / (last - first + 1) as f64;
    let every = (70.0 / width).ceil().max(1.0) as usize;
    let bottom = rows.len() as f64 * ROW;
    let mut plot = String::new();
    for (row, (label, counts)) in rows.iter().enumerate() {
        let y = row as f64 * ROW;
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
        plot.push_str(&name(label, y + 17.0));
        for (at, column) in columns.iter().enumerate().take(last + 1).skip(first) {
            let count = counts.get(at).copied().unwrap_or(0);
            if count > 0 {
                plot.push_str(&format!(
                    "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.0}\" \
                     fill-opacity=\"{:.3}\"><title>{}: {:.1} %</title></rect>",
                    NAMES + (at - first) as f64 * width + 0.5,
                    y + 3.0,
                    (width - 1.0).max(1.0),
                    ROW - 6.0,
                    0.12 + 0.88 * count as f64 / most,
                    escape(column),
                    100.0 * count as f64 / total,
                ));
            }
        }
    }
    for at in (first..=last).step_by(every) {
        plot.push_str(&format!(
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.0}\">{}</text>",
            NAMES + ((at - first) as f64 + 0.5) * width,
            bottom + 16.0,
            escape(&columns[at]),
        ));
    }
    framed(&plot, bottom + 24.0)
}

fn framed(plot: &str, height: f64) -> String {
    format!(
        "<svg viewBox=\"-10 0 {:.0} {height:.0}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\">{plot}</svg>\n",
        WIDTH + 20.0
    )
}

/// A row label, shortened to fit, with the full text as its tooltip.
fn name(label: &str, y: f64) -> String {
    format!(
        "<text class=\"name\" x=\"{:.0}\" y=\"{y:.1}\">{}<title>{}</title></text>",
        NAMES - 12.0,
        escape(&shortened(label)),
        escape(label),
    )
}

/// Shortens a label from the middle: bots usually differ in their first or their last options.
fn shortened(label: &str) -> String {
    const MOST: usize = 32;
    const LAST: usize = 10;
    let letters: Vec<char> = label.chars().collect();
    if letters.len() <= MOST {
        return label.to_owned();
    }
    let (first, last) = (&letters[..MOST - LAST - 1], &letters[letters.len() - LAST..]);
    first.iter().chain(&['…']).chain(last).collect()
}

/// Returns round tick values that cover `low` to `high`.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-6);
    let power = 10f64.powf((span / 6.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| span / step <= 7.0).unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last.max(first + 1)).map(|at| at as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_around() {
        assert_eq!(ticks(-130.0, 260.0), [-200.0, -100.0, 0.0, 100.0, 200.0, 300.0]);
        assert!(ticks(5.0, 5.0).len() > 1);
    }

    #[test]
    fn histograms_have_axes() {
        let plot = bars(&[("3".into(), 7), ("4".into(), 20)], "decisions", "games");
        for expected in [">20</text>", ">decisions</text>", ">games</text>", ">3</text>"] {
            assert!(plot.contains(expected), "{expected} in {plot}");
        }
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("mcts:sims=100,c=1,reuse=no"), "mcts:sims=100,c=1,reuse=no");
        let long = "mcts-ismcts:sims=400,c=0.2,eval=heuristic,prior=onestep,reuse=no";
        assert_eq!(shortened(long), "mcts-ismcts:sims=400,…p,reuse=no");
    }

    #[test]
    fn plots_are_whole_whatever_they_show() {
        let point = |label: &str| Estimate { label: label.into(), value: 0.0, low: 0.0, high: 0.0 };
        let axis = Axis { unit: "Elo", is_signed: true, mark: Some(0.0) };
        for plot in [
            estimates(&[point("<a>")], &axis),
            estimates(&[], &axis),
            titled_lines(&[], "<a>", "lead"),
            bars(&[], "decisions", "games"),
            bars(&[("0".into(), 0)], "decisions", "games"),
            strips(&[], &[]),
            strips(&[("a".into(), vec![0, 3])], &["x".into(), "y".into()]),
            curve(&[], [-1.0, 1.0], "games", "LLR"),
            curve(&[(2, 0.5), (4, 99.0)], [-1.0, 1.0], "games", "<a>"),
        ] {
            assert!(plot.starts_with("<svg") && plot.ends_with("</svg>\n"), "{plot}");
            assert!(
                !plot.contains("NaN") && !plot.contains("inf") && !plot.contains("<a>"),
                "{plot}"
            );
        }
    }
}
