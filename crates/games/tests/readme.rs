//! Checks that every game's README has the sections of the template, and that its facts
//! match the code. `UPDATE=1` rewrites the facts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use meeple_game::{Game, Kind};
use meeple_games::registry::{BUILT_IN, Of, find};

const SECTIONS: [&str; 3] = ["\n## Actions\n", "\n## Payoffs\n", "\n## Known values\n"];
const START: &str = "<!-- facts -->\n";
const END: &str = "<!-- /facts -->\n";

/// The path of a game's README, which is in one of three parent folders.
fn readme_of(name: &str) -> PathBuf {
    let folder = name.replace('-', "_");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let parents = [source.clone(), source.join("small"), source.join("described")];
    let places = parents.map(|parent| parent.join(&folder));
    let found = places.iter().map(|place| place.join("README.md")).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("no README.md in any of {places:?}"))
}

trait Facts: Sync {
    fn facts(&self) -> String;
}

meeple_games::family!(Telling, Facts);

impl<G: Game> Facts for Of<G> {
    fn facts(&self) -> String {
        let yes_no = |fact| if fact { "yes" } else { "no" };
        let info = G::new(&G::Config::default()).info();
        let (spec, fewest, most) = (info.observation, info.min_players, info.max_players);
        let players = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
        let mut text = format!(
            "| fact | value |\n|---|---|\n\
             | name | `{}` |\n| players | {players} |\n| chance nodes | {} |\n\
             | imperfect information | {} |\n| action ids | {} |\n\
             | state size in bytes | {} |\n| observation | {} cells, version {} |\n\n\
             | cells | field | holds |\n|---|---|---|\n",
            info.name,
            yes_no(info.chance),
            yes_no(info.imperfect_information),
            info.actions,
            info.state_bytes,
            spec.len(),
            spec.version(),
        );
        let mut first = 0;
        for field in spec.fields() {
            let cells = match field.cells() {
                1 => first.to_string(),
                cells => format!("{first}-{}", first + cells - 1),
            };
            let holds = match field.kind() {
                Kind::Count { min, max, scale } => format!("{min} to {max}, scale {scale}"),
                Kind::Category { size } => format!("one of {size}"),
                Kind::Flag => "no or yes".into(),
            };
            writeln!(text, "| {cells} | {} | {holds} |", field.name()).expect("a String takes it");
            first += field.cells();
        }
        text
    }
}

#[test]
fn readmes_tell_the_facts() {
    for name in BUILT_IN {
        let path = readme_of(name);
        let text = fs::read_to_string(&path).expect("a readable README");
        for section in SECTIONS {
            assert!(text.contains(section), "{} lacks {section:?}", path.display());
        }
        let facts = find::<Telling>(name).expect("a listed game").facts();
        let (before, rest) = text.split_once(START).expect("a place for the facts");
        let (_, after) = rest.split_once(END).expect("an end of the facts");
        let expected = format!("{before}{START}{facts}{END}{after}");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &expected).expect("a writable README");
        } else {
            assert_eq!(text, expected, "{}: UPDATE=1 rewrites the facts", path.display());
        }
    }
}
