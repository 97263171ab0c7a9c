//! The report of a run: one HTML file that needs nothing else.

mod findings;
mod games;
mod made;
mod sections;
mod svg;

use crate::replay::Replay;
use crate::{Summary, Timing};

pub(crate) use made::Made;

use findings::{test_section, tuned_section};
use sections::{header, table_section};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A part of a report that the table of contents leads to.
struct Section {
    id: String,
    /// As text.
    title: String,
    /// As HTML.
    body: String,
}

/// The report as HTML: tables, plots and games to step through.
pub(crate) fn html(summary: &Summary, timing: &Timing, replays: &[Replay], made: &Made) -> String {
    let mut sections: Vec<Section> = Vec::new();
    sections.extend(summary.test.as_ref().map(test_section));
    sections.extend(summary.tuned.as_ref().map(tuned_section));
    let tables = summary.tables.iter().enumerate();
    sections.extend(tables.map(|(at, table)| table_section(at, table, timing)));
    sections.extend(games::section(replays));
    let contents: String = (sections.iter())
        .map(|Section { id, title, .. }| {
            format!("<li><a href=\"#{id}\">{}</a></li>", escape(title))
        })
        .collect();
    let mut body = header(summary, timing, made);
    body.push_str(&format!("<nav aria-label=\"Contents\"><ol>{contents}</ol></nav>\n"));
    for Section { id, title, body: part } in &sections {
        let title = breakable(title);
        body.push_str(&format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{part}</section>\n"));
    }
    report_page(&summary.name, &body)
}

fn figure(caption: &str, plot: &str) -> String {
    format!("<figure><figcaption>{caption}</figcaption>{plot}</figure>\n")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A page that needs nothing else: `body` is HTML, with the look and the plots'
/// classes of our reports.
#[must_use]
pub fn report_page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - Meeple</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         {body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Text as HTML shows it.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// The same for the name of a bot, whose lines may end between its options.
fn breakable(text: &str) -> String {
    escape(text).replace(',', ",<wbr>")
}

/// A time with the unit that fits.
fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 100.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds >= 1.0 => format!("{seconds:.1} s"),
        _ if seconds >= 1e-3 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds > 0.0 => format!("{:.1} µs", seconds * 1e6),
        _ => "0".into(),
    }
}

/// A large number in few digits.
fn short(number: f64) -> String {
    match number {
        _ if number >= 1e6 => format!("{:.2} M", number / 1e6),
        _ if number >= 1e4 => format!("{:.1} k", number / 1e3),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ => format!("{number:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }

    #[test]
    fn reports_say_what_made_them_and_lead_to_their_parts() {
        let summary = Summary {
            meeple_summary: crate::SUMMARY_VERSION,
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
            test: Some(crate::summary::example_test()),
            tuned: None,
            samples: None,
        };
        let page = html(&summary, &Timing::default(), &[], &Made::now());
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

    #[test]
    fn names_break_between_options() {
        assert_eq!(breakable("mcts:sims=9,c=<1>"), "mcts:sims=9,<wbr>c=&lt;1&gt;");
    }

    #[test]
    fn units_fit_the_number() {
        let shown = [0.0, 2e-6, 0.0123, 1.25, 600.0].map(duration);
        assert_eq!(shown, ["0", "2.0 µs", "12.3 ms", "1.2 s", "10 min"]);
        assert_eq!([5.0, 250.0, 12_345.0, 2.5e6].map(short), ["5.0", "250", "12.3 k", "2.50 M"]);
    }
}
