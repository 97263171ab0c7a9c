//! The HTML report of an experiment, a single self-contained file.

use meeple_arena::{Replay, Summary, Timing};

use crate::findings::{test_section, tuned_section};
use crate::games;
use crate::made::Made;
use crate::page::{Section, contents, page};
use crate::sections::{header, table_section};

/// Returns the report as HTML: results, plots and replays.
#[must_use]
pub fn experiment_page(summary: &Summary, timing: &Timing, replays: &[Replay]) -> String {
    let mut sections: Vec<Section> = Vec::new();
    sections.extend(summary.test.as_ref().map(test_section));
    sections.extend(summary.tuned.as_ref().map(tuned_section));
    let tables = summary.tables.iter().enumerate();
    sections.extend(tables.map(|(at, table)| table_section(at, table, timing)));
    sections.extend(games::section(replays));
    let body = header(summary, timing, &Made::now()) + &contents(&sections);
    page(&summary.name, &body)
}

#[cfg(test)]
mod tests {
    use meeple_arena::{Model, SUMMARY_VERSION, TestSummary};
    use meeple_stats::{EloScale, Scores, Sprt, Verdict, paired_result};

    use super::*;

    #[test]
    fn reports_say_what_made_them_and_lead_to_their_parts() {
        let mut blocks = Scores::default();
        [0.25, 1.0, 1.0, 1.0, 1.0].iter().for_each(|&score| blocks.add(score));
        let test = TestSummary {
            test: Sprt { elo0: 0.0, elo1: 12.5, alpha: 0.05, beta: 0.1 },
            model: Model::Pentanomial,
            ratio: 3.0,
            lower: -2.9,
            upper: 2.9,
            verdict: Verdict::AcceptElo1,
            games: 10,
            estimate: paired_result(&blocks, 2, EloScale::Logistic),
            block_scores: vec![(0.25, 1), (1.0, 4)],
            curve: vec![(2, -0.1), (6, 1.2), (10, 3.0)],
        };
        let summary = Summary {
            meeple_summary: SUMMARY_VERSION,
            name: "small".into(),
            description: String::new(),
            task: "sprt",
            seed: 1,
            finished: true,
            repeatable: true,
            games: 20,
            forfeits: 0,
            cut: 0,
            faults: 0,
            forfeit_causes: Vec::new(),
            tables: Vec::new(),
            test: Some(test),
            tuned: None,
            samples: None,
        };
        let page = experiment_page(&summary, &Timing::default(), &[]);
        for expected in [
            "<a href=\"#test\">Test: H1 accepted",
            "<section id=\"test\">",
            "class=\"curve\"",
            env!("CARGO_PKG_VERSION"),
            " UTC",
            "likelihood of superiority",
            "<th>1½ of 2</th>",
        ] {
            assert!(page.contains(expected), "{expected} in {page}");
        }
    }
}
