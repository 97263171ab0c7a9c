//! Pages of assessments.

use meeple_arena::{AssessOptions, Assessment, RunProgress, assess};
use meeple_bots::open_value;
use meeple_report::{assessment_page, assessment_rows};
use serde_json::json;

/// A file with a rule that never applies, and markup in its text.
const FILE: &str = "\
game Signs
players 2
board square 3
piece stone
turn
  place stone on empty
  place stone on mine if count of mine > 9 # <b>
end
  line of 3: mover wins
  board full: draw
";

fn assessment(change: impl Fn(&mut AssessOptions)) -> Assessment {
    let table = open_value("signs", &json!({ "file": FILE })).expect("a valid file");
    let mut options =
        AssessOptions { games: 6, random_games: 20, doublings: 1, ..AssessOptions::new(&*table) };
    options.bot.sims = 20;
    change(&mut options);
    assess(&*table, &options, &RunProgress::default()).expect("it can be played")
}

#[test]
fn pages_have_every_section_and_no_markup_of_the_file() {
    let page = assessment_page(&assessment(|_| ()));
    for expected in [
        "<h1>Is signs any good?</h1>",
        "<a href=\"#skill\">",
        "Games by their number of decisions",
        "The game has no chance events.",
        "The lead of the eventual winner",
        "20 against 10 simulations",
        "<tr class=\"dead\"><td>7</td>",
        "&lt;b&gt;",
        "9 were legal in some game",
    ] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
    assert!(!page.contains("<b>if") && !page.contains("NaN") && !page.contains("inf,"), "{page}");
    assert_eq!(page, assessment_page(&assessment(|_| ())), "the same seed gives the same bytes");
}

/// Whatever is missing, the page says why.
#[test]
fn pages_are_whole_without_games() {
    let none = assessment(|options| (options.doublings, options.games) = (0, 1));
    let page = assessment_page(&none);
    assert!(page.ends_with("</html>\n") && page.contains("No doubling was asked for"), "{page}");
    assert!(!page.contains("NaN") && !page.contains("inf\""), "{page}");
    let rows = assessment_rows(&none);
    let length = rows.iter().find(|row| row.measure == "decisions per game").expect("a row");
    assert_eq!(
        (length.value.as_str(), length.interval.as_str()),
        ("-", "too few games were played")
    );
}
