//! The sections on sequential tests and on tuning.

use crate::page::{Section, breakable, escape, figure, percent};
use crate::svg;
use meeple_arena::signed;
use meeple_arena::{TestSummary, TunedSummary};

/// The section on a sequential probability ratio test.
pub(crate) fn test_section(test: &TestSummary) -> Section {
    let estimate = &test.estimate;
    let pairs = match test.pentanomial() {
        Some(counts) => {
            let names = ["0 of 2", "½ of 2", "1 of 2", "1½ of 2", "2 of 2"];
            let head: String = names.iter().map(|name| format!("<th>{name}</th>")).collect();
            let cells: String = counts.iter().map(|count| format!("<td>{count}</td>")).collect();
            format!(
                "<h3>Pairs by their points (pentanomial)</h3>\n<table><thead><tr>{head}</tr>\
                 </thead><tbody><tr>{cells}</tr></tbody></table>\n"
            )
        }
        None => String::new(),
    };
    let curve = svg::curve(&test.curve, [test.lower, test.upper], "games", "LLR");
    let body = format!(
        "<p>{}. After {} games the log-likelihood ratio (LLR) is {}; decided at {} and {}. Elo {} \
         ({} to {}, 95 %), likelihood of superiority {}.</p>\n{}{pairs}",
        escape(&test.hypotheses()),
        test.games,
        signed(test.ratio, 2),
        signed(test.lower, 2),
        signed(test.upper, 2),
        signed(estimate.elo, 1),
        signed(estimate.elo_low, 1),
        signed(estimate.elo_high, 1),
        percent(estimate.superiority),
        figure("Log-likelihood ratio by games, with its bounds", &curve),
    );
    Section { id: "test".into(), title: format!("Test: {}", test.sentence()), body }
}

/// The section on tuning: the best candidates and the validation match.
pub(crate) fn tuned_section(tuned: &TunedSummary) -> Section {
    let rows = tuned.found.candidates.iter().take(20).map(|candidate| {
        let options: Vec<String> =
            (candidate.options.iter()).map(|(name, value)| format!("{name}={value}")).collect();
        format!(
            "<tr><th>{}</th><td>{}</td><td>{}</td></tr>",
            breakable(&options.join(",")),
            percent(candidate.score),
            candidate.blocks
        )
    });
    let evidence = tuned.evidence().unwrap_or_else(|| "not played yet".into());
    let body = format!(
        "<p>Validation with chance events that no candidate saw, {}.</p>\n<table><thead><tr>\
         <th>candidate</th><th>score</th><th>blocks</th></tr></thead><tbody>{}</tbody></table>\n",
        escape(&evidence),
        rows.collect::<String>()
    );
    Section { id: "tuned".into(), title: format!("Tuned, {}", tuned.sentence()), body }
}
