//! The figures of an assessment as text: one list for the page and for the terminal.

use meeple_arena::{Assessment, Figure, signed};

/// A figure as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureRow {
    /// What is measured.
    pub measure: String,
    /// The value; a dash if it is missing.
    pub value: String,
    /// The 95 % confidence interval, or why there is none.
    pub interval: String,
}

/// How numbers are written.
#[derive(Clone, Copy)]
pub(crate) enum Format {
    /// A share from 0 to 1, as a percentage.
    Percent,
    /// A number with this many decimals.
    Plain(usize),
    /// A whole number with its sign.
    Signed,
}

impl Format {
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{:.1} %", 100.0 * value),
            Self::Plain(decimals) => format!("{value:.decimals$}"),
            Self::Signed => signed(value, 0),
        }
    }

    pub(crate) fn row(self, measure: &str, figure: &Figure) -> FigureRow {
        let interval = match (figure.interval(), figure.reason()) {
            (Some(bounds), _) => {
                format!("{} to {}", self.text(bounds.ci_low), self.text(bounds.ci_high))
            }
            (None, reason) => reason.unwrap_or_default().to_owned(),
        };
        let value = figure.value().map_or_else(|| "-".to_owned(), |value| self.text(value));
        FigureRow { measure: measure.into(), value, interval }
    }
}

/// Returns the figures of an assessment in the order of its sections.
#[must_use]
pub fn assessment_rows(assessment: &Assessment) -> Vec<FigureRow> {
    use Format::{Percent, Plain, Signed};
    let Assessment { outcomes, course, decisions, skill, .. } = assessment;
    let mut rows = vec![
        Plain(1).row("decisions per game", &outcomes.decisions_per_game),
        Plain(1).row("chance events per game", &outcomes.chance_events_per_game),
        Plain(1).row("legal actions per decision", &decisions.legal_actions_per_decision),
        Percent.row("games decided", &outcomes.decided_share),
        Percent.row("games drawn", &outcomes.drawn_share),
        Percent.row("games unfinished", &outcomes.unfinished_share),
    ];
    if outcomes.faulty_share.value().is_some_and(|share| share > 0.0) {
        rows.push(Percent.row("games broken off", &outcomes.faulty_share));
    }
    rows.extend(outcomes.seats.iter().map(|seat| {
        let fair = Percent.text(seat.fair_share);
        Percent.row(&format!("wins of seat {} (fair: {fair})", seat.seat), &seat.win_share)
    }));
    rows.extend([
        Percent.row("results explained by chance", &assessment.chance_share),
        Plain(2).row("lead changes per game", &course.lead_changes_per_game),
        Plain(3).row("drama", &course.drama),
        Percent.row("wins from behind", &course.comeback_share),
        Signed.row(
            &format!("Elo per doubling, of {}", doublings(skill.doublings)),
            &skill.elo_per_doubling,
        ),
        Percent.row("decisions that matter", &decisions.important_share),
        Percent.row("forced decisions", &decisions.forced_share),
    ]);
    rows
}

fn doublings(count: u64) -> String {
    if count == 1 { "1 doubling".into() } else { format!("{count} doublings") }
}
