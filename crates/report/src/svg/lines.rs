//! Line plots: curves over a common axis.

use super::{WIDTH, framed, ticks, titles};
use crate::page::escape;

/// A named series of points for [`lines`].
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name, as plain text.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Its position on the horizontal axis.
    pub at: f64,
    /// Its value.
    pub value: f64,
    /// The confidence interval of the value.
    pub bounds: Option<(f64, f64)>,
}

/// Plots curves over a common axis, with error bars for points that have bounds.
#[must_use]
pub fn lines(curves: &[Curve]) -> String {
    plot(curves, None)
}

/// As [`lines`], with titles of the axes.
pub(crate) fn titled_lines(curves: &[Curve], across: &str, up: &str) -> String {
    plot(curves, Some([across, up]))
}

fn plot(curves: &[Curve], named: Option<[&str; 2]>) -> String {
    const HEIGHT: f64 = 220.0;
    const LEFT: f64 = 56.0;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let bounds =
        |of: &dyn Fn(f64, f64) -> f64, start: f64, pick: &dyn Fn(&CurvePoint) -> Vec<f64>| {
            points().flat_map(pick).filter(|value| value.is_finite()).fold(start, of)
        };
    let across = |point: &CurvePoint| vec![point.at];
    let along = |point: &CurvePoint| {
        let (low, high) = point.bounds.unwrap_or((point.value, point.value));
        vec![point.value, low, high]
    };
    let (first, last) =
        (bounds(&f64::min, f64::INFINITY, &across), bounds(&f64::max, f64::NEG_INFINITY, &across));
    let (low, high) =
        (bounds(&f64::min, 0.0, &along), bounds(&f64::max, f64::NEG_INFINITY, &along));
    if points().next().is_none() {
        return framed("", 1.0);
    }
    let up: Vec<f64> = match named {
        Some(_) => ticks(low, high),
        None => (0..=4).map(|step| low + (high - low) * f64::from(step) / 4.0).collect(),
    };
    let across: Vec<f64> = match named {
        Some(_) => {
            let is_shown = |tick: &f64| (first..=last).contains(tick) && tick.fract() == 0.0;
            ticks(first, last).into_iter().filter(is_shown).collect()
        }
        None => vec![first, last],
    };
    let (low, high) = (low.min(up[0]), high.max(up[up.len() - 1]));
    let x = |value: f64| LEFT + (value - first) / (last - first).max(1e-9) * (WIDTH - LEFT - 20.0);
    let y = |value: f64| 10.0 + (high - value) / (high - low).max(1e-9) * (HEIGHT - 20.0);
    let mut plot = String::new();
    for value in up {
        plot.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{WIDTH}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{1:.0}\" y=\"{2:.1}\">{3}</text>",
            y(value),
            LEFT - 28.0,
            y(value) + 4.0,
            number(value),
        ));
    }
    for value in across {
        let (x, y) = (x(value), HEIGHT + 12.0);
        plot.push_str(&format!("<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.0}\">{value}</text>"));
    }
    for (number, curve) in curves.iter().enumerate() {
        let shade = 1.0 - 0.5 * number as f64;
        let line: Vec<String> = curve
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x(point.at), y(point.value)))
            .collect();
        plot.push_str(&format!(
            "<polyline class=\"error\" fill=\"none\" opacity=\"{shade:.2}\" points=\"{}\"/>",
            line.join(" ")
        ));
        for CurvePoint { at, value, bounds } in &curve.points {
            if let Some((low, high)) = bounds {
                plot.push_str(&format!(
                    "<line class=\"axis\" x1=\"{0:.1}\" y1=\"{1:.1}\" x2=\"{0:.1}\" y2=\"{2:.1}\"/>\
                     <circle class=\"point\" cx=\"{0:.1}\" cy=\"{3:.1}\" r=\"4\">\
                     <title>{at}: {value:+.0} ({low:+.0} to {high:+.0})</title></circle>",
                    x(*at),
                    y(*low),
                    y(*high),
                    y(*value),
                ));
            }
        }
        if let (Some(CurvePoint { at, value, .. }), true) = (curve.points.last(), curves.len() > 1)
        {
            plot.push_str(&format!(
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(*at),
                (y(*value) - 6.0).max(12.0),
                escape(&curve.name),
            ));
        }
    }
    let Some([across, up]) = named else { return framed(&plot, HEIGHT + 20.0) };
    plot.push_str(&titles(across, up, LEFT, HEIGHT + 30.0));
    framed(&plot, HEIGHT + 38.0)
}

/// Formats a number with few digits.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 10_000.0 => format!("{:.0}k", value / 1_000.0),
        size if size >= 10.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}
