//! Limited strength: fewer nodes, and errors that are likely where the loss is small.

use std::ops::RangeInclusive;

use meeple_game::{Action, Rng};
use meeple_search::{LineReport, Score};

/// The range of UCI_Elo. The scale is not calibrated against players.
pub(super) const ELO: RangeInclusive<u32> = 800..=2200;

/// The lines that a limited engine chooses from.
pub(super) const LINES: usize = 5;

/// The nodes of a search at this strength: they double every 100 points.
pub(super) fn nodes(elo: u32) -> u64 {
    let doublings = f64::from(elo.saturating_sub(*ELO.start())) / 100.0;
    (60.0 * doublings.exp2()) as u64
}

/// The centipawns by which an action may be worse and is still played e times less often.
fn temperature(elo: u32) -> f64 {
    2.0 + f64::from(ELO.end().saturating_sub(elo)) / 10.0
}

/// Draws one of the lines by a softmax over their scores.
pub(super) fn choose<'a>(
    lines: impl Iterator<Item = LineReport<'a>>,
    elo: u32,
    rng: &mut Rng,
) -> Option<Action> {
    let lines: Vec<(Action, f64)> =
        lines.filter_map(|line| Some((*line.actions.first()?, centipawns(line.score)))).collect();
    let best = lines.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let weight = |score: f64| ((score - best) / temperature(elo)).exp();
    let mut left = rng.unit() * lines.iter().map(|(_, score)| weight(*score)).sum::<f64>();
    for (action, score) in &lines {
        left -= weight(*score);
        if left < 0.0 {
            return Some(*action);
        }
    }
    lines.first().map(|(action, _)| *action)
}

fn centipawns(score: Score) -> f64 {
    match score {
        Score::Units(units) => f64::from(units),
        Score::Win(plies) => 10_000.0 - f64::from(plies),
        Score::Loss(plies) => f64::from(plies) - 10_000.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_engines_err_more_often() {
        let actions = [[Action(1)], [Action(2)]];
        let line = |at: usize, units| LineReport {
            score: Score::Units(units),
            depth: 4,
            actions: &actions[at],
        };
        let errors = |elo| {
            let mut rng = Rng::new(3);
            let played = |_: &i32| {
                let lines = [line(0, 50), line(1, -50)].into_iter();
                choose(lines, elo, &mut rng) == Some(Action(2))
            };
            (0..1000).filter(played).count()
        };
        // A line that is a pawn worse has the odds 1 to exp(100 / temperature).
        for (elo, expected) in [(800, 331), (1500, 200), (2200, 0)] {
            assert!(errors(elo).abs_diff(expected) < 60, "{} at {elo}", errors(elo));
        }
        assert!(nodes(2200) > 100 * nodes(800));
    }
}
