//! The report of a run: one HTML file with its curves.

use meeple_arena::signed;
use meeple_report::{Curve, CurvePoint, escape, lines, page};

use crate::config::TrainConfig;
use crate::progress::Board;
use crate::state::{IterationReport, State, pretty};

/// Renders the report as HTML.
pub(crate) fn html(config: &TrainConfig, state: &State, board: &Board) -> String {
    let title = format!("Training {}", config.game);
    let mut body = format!("<h1>{}</h1>\n", escape(&title));
    body.push_str(&facts(state, board));
    let over = |name: &str, of: &dyn Fn(&IterationReport) -> f64| Curve {
        name: name.to_owned(),
        points: board
            .history
            .iter()
            .filter(|report| report.learning.steps > 0)
            .map(|report| CurvePoint {
                at: report.iteration as f64,
                value: of(report),
                bounds: None,
            })
            .collect(),
    };
    let strength = Curve {
        name: "Elo".to_owned(),
        points: rated(board)
            .map(|(at, value, bounds)| CurvePoint { at, value, bounds: Some(bounds) })
            .collect(),
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
        let game = escape(&board.sample_game);
        let title = "<h2>A game of the last iteration</h2>";
        body.push_str(&format!("<section>{title}\n<pre>{game}</pre></section>\n"));
    }
    let settings = escape(&pretty(config));
    let title = "<h2>Configuration</h2>";
    body.push_str(&format!("<section>{title}\n<pre>{settings}</pre></section>\n"));
    page(title, &body)
}

/// Returns the rated networks in order of training.
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
        ("states evaluated", state.evaluations.to_string()),
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
            escape(&rating.name),
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
        let (title, chart) = (escape(title), lines(curves));
        body.push_str(&format!("<section><h2>{title}</h2>\n{chart}</section>\n"));
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
