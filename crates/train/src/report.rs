//! The report of a run: one HTML file with its curves.

use meeple_arena::signed;
use meeple_arena::{escape_html, report_page};

use crate::config::TrainConfig;
use crate::progress::Board;
use crate::state::{IterationReport, State, pretty};

/// The size of a chart, and the room for numbers beside it.
const WIDTH: f64 = 1120.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 56.0;

/// A point: where, how much, and between which bounds it may be.
type Point = (f64, f64, Option<(f64, f64)>);

/// A curve: its name and its points.
struct Curve {
    name: String,
    points: Vec<Point>,
}

/// The report as HTML.
pub(crate) fn html(config: &TrainConfig, state: &State, board: &Board) -> String {
    let title = format!("Training {}", config.game);
    let mut body = format!("<h1>{}</h1>\n", escape_html(&title));
    body.push_str(&facts(state, board));
    let over = |name: &str, of: &dyn Fn(&IterationReport) -> f64| Curve {
        name: name.to_owned(),
        points: board
            .history
            .iter()
            .filter(|report| report.learning.steps > 0)
            .map(|report| (report.iteration as f64, of(report), None))
            .collect(),
    };
    let strength = Curve {
        name: "Elo".to_owned(),
        points: rated(board).map(|(at, elo, bounds)| (at, elo, Some(bounds))).collect(),
    };
    section(&mut body, "Strength, in Elo above the first opponent", &[strength]);
    body.push_str(&table(board));
    section(
        &mut body,
        "Loss",
        &[
            over("policy, nats", &|report| report.learning.policy_loss.into()),
            over("value, squared", &|report| report.learning.value_loss.into()),
        ],
    );
    section(&mut body, "Games a second", &[over("games", &|report| report.games_per_second)]);
    let evaluations = over("evaluations", &|report| report.evaluations_per_second);
    section(&mut body, "Evaluations a second", &[evaluations]);
    section(&mut body, "Length of a game", &[over("steps", &|report| report.game_length)]);
    section(
        &mut body,
        "Decisions in the window",
        &[over("window", &|report| report.window as f64)],
    );
    if !board.sample_game.is_empty() {
        let game = escape_html(&board.sample_game);
        let title = "<h2>A game of the last iteration</h2>";
        body.push_str(&format!("<section>{title}\n<pre>{game}</pre></section>\n"));
    }
    let settings = escape_html(&pretty(config));
    let title = "<h2>Configuration</h2>";
    body.push_str(&format!("<section>{title}\n<pre>{settings}</pre></section>\n"));
    report_page(title, &body)
}

/// The networks that were rated, in their order.
pub(crate) fn rated(board: &Board) -> impl Iterator<Item = (f64, f64, (f64, f64))> {
    let mut points: Vec<_> = board
        .ratings
        .iter()
        .filter_map(|rating| {
            let bounds = (rating.interval.ci_low, rating.interval.ci_high);
            rating.network.map(|network| (network as f64, rating.elo, bounds))
        })
        .collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    points.into_iter()
}

fn facts(state: &State, board: &Board) -> String {
    let minutes = |seconds: f64| format!("{:.1} min", seconds / 60.0);
    let facts = [
        ("iterations", state.iterations.to_string()),
        ("games", state.games.to_string()),
        ("decisions learned from", state.samples.to_string()),
        ("states judged", state.evaluations.to_string()),
        ("time", minutes(state.seconds)),
        ("processor time", minutes(state.processor_seconds)),
        ("buffer", board.buffer.0.to_string()),
    ];
    let items: String = facts
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"))
        .collect();
    format!("<dl class=\"facts\">{items}</dl>\n")
}

fn table(board: &Board) -> String {
    if board.ratings.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for rating in &board.ratings {
        rows.push_str(&format!(
            "<tr><th>{}</th><td>{}</td><td>{} to {}</td><td>{}</td></tr>",
            escape_html(&rating.name),
            signed(rating.elo, 0),
            signed(rating.interval.ci_low, 0),
            signed(rating.interval.ci_high, 0),
            rating.games,
        ));
    }
    format!(
        "<section><h2>Players</h2><table><thead><tr><th>player</th><th>Elo</th><th>95 % interval</th>\
         <th>games</th></tr></thead><tbody>{rows}</tbody></table></section>\n"
    )
}

fn section(body: &mut String, title: &str, curves: &[Curve]) {
    if curves.iter().any(|curve| !curve.points.is_empty()) {
        let (title, chart) = (escape_html(title), chart(curves));
        body.push_str(&format!("<section><h2>{title}</h2>\n{chart}</section>\n"));
    }
}

/// Lines over iterations, with error bars where there are any.
fn chart(curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let bounds = |of: &dyn Fn(f64, f64) -> f64, start: f64, pick: &dyn Fn(&Point) -> Vec<f64>| {
        points().flat_map(pick).filter(|value| value.is_finite()).fold(start, of)
    };
    let across = |point: &Point| vec![point.0];
    let along = |point: &Point| {
        let (low, high) = point.2.unwrap_or((point.1, point.1));
        vec![point.1, low, high]
    };
    let (first, last) =
        (bounds(&f64::min, f64::INFINITY, &across), bounds(&f64::max, f64::NEG_INFINITY, &across));
    let (low, high) =
        (bounds(&f64::min, 0.0, &along), bounds(&f64::max, f64::NEG_INFINITY, &along));
    let x = |value: f64| LEFT + (value - first) / (last - first).max(1e-9) * (WIDTH - LEFT - 20.0);
    let y = |value: f64| 10.0 + (high - value) / (high - low).max(1e-9) * (HEIGHT - 20.0);
    let mut plot = String::new();
    for step in 0..=4 {
        let value = low + (high - low) * f64::from(step) / 4.0;
        plot.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{WIDTH}\" y2=\"{0:.1}\"/>\
             <text class=\"tick\" x=\"{1:.0}\" y=\"{2:.1}\">{3}</text>",
            y(value),
            LEFT - 28.0,
            y(value) + 4.0,
            number(value),
        ));
    }
    for value in [first, last] {
        let (x, y) = (x(value), HEIGHT + 12.0);
        plot.push_str(&format!("<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.0}\">{value}</text>"));
    }
    for (number, curve) in curves.iter().enumerate() {
        let shade = 1.0 - 0.5 * number as f64;
        let line: Vec<String> = curve
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)))
            .collect();
        plot.push_str(&format!(
            "<polyline class=\"error\" fill=\"none\" opacity=\"{shade:.2}\" points=\"{}\"/>",
            line.join(" ")
        ));
        for (at, value, spread) in &curve.points {
            if let Some((low, high)) = spread {
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
        if let (Some((at, value, _)), true) = (curve.points.last(), curves.len() > 1) {
            plot.push_str(&format!(
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(*at),
                (y(*value) - 6.0).max(12.0),
                escape_html(&curve.name),
            ));
        }
    }
    format!(
        "<svg viewBox=\"-10 0 {:.0} {:.0}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">{plot}</svg>\n",
        WIDTH + 20.0,
        HEIGHT + 20.0
    )
}

/// A number in few digits.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 10_000.0 => format!("{:.0}k", value / 1_000.0),
        size if size >= 10.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::LadderRating;
    use meeple_stats::Interval;

    #[test]
    fn pages_are_whole_whatever_they_show() {
        let config = TrainConfig::of("connect-four");
        let mut board = Board::default();
        let empty = html(&config, &State::default(), &board);
        assert!(empty.ends_with("</html>\n") && !empty.contains("<svg"));
        let learning = crate::LearningReport { steps: 1, ..crate::LearningReport::default() };
        board.history =
            vec![IterationReport { iteration: 1, learning, ..IterationReport::default() }];
        board.sample_game = "<b>".into();
        board.ratings = vec![LadderRating {
            name: "network 1".into(),
            network: Some(1),
            elo: 120.0,
            interval: Interval { ci_low: 20.0, ci_high: 220.0 },
            games: 40,
        }];
        let page = html(&config, &State::default(), &board);
        assert!(!page.contains("NaN") && !page.contains("inf\""), "{page}");
        assert!(page.contains("+20 to +220") && page.contains("&lt;b&gt;"));
        assert!(page.matches("<svg").count() >= 5);
    }
}
