//! Deck files of every format, and what is said of damaged ones.

use super::*;

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let error = read("some/mine.deck", text, cards::builtin()).expect_err("it is wrong");
    assert_eq!(error.to_string(), format!("some/mine.deck:{expected}"));
}

fn counts(cards: &[(&str, u8)]) -> CardCounts {
    cards.iter().map(|&(name, count)| (name.into(), count)).collect()
}

#[track_caller]
fn check_read(file: &str, text: &str, name: &str, main: &[(&str, u8)], side: &[(&str, u8)]) {
    let deck = read(file, text, cards::builtin()).unwrap_or_else(|error| panic!("{error}"));
    let expected = Deck { name: name.into(), cards: counts(main), sideboard: counts(side) };
    assert_eq!(deck, expected);
}

const MAIN: &[(&str, u8)] = &[("Mountain", 20), ("Shock", 4)];
const SIDE: &[(&str, u8)] = &[("Shatter", 2)];

#[test]
fn plain_lists_are_read() {
    let text = "# Mine\n\n20 mountain\n  4\tShock # burn\r\n";
    check_read("some/mine.deck", text, "mine", MAIN, &[]);
    check_read("mine", "\u{feff}20x Mountain\n4X Shock\n", "mine", MAIN, &[]);
    check_read("mine", "20 x Mountain\n4 X Shock\n", "mine", MAIN, &[]);
    let spelled = [("Aether Flash", 4), ("Ashnod's Altar", 4)];
    check_read("mine", "4 Æther Flash\n4 Ashnod’s Altar\n", "mine", &spelled, &[]);
    check_read("mine", "10 Mountain\n2 Shock\n10 MOUNTAIN\n2 shock\n", "mine", MAIN, &[]);
}

#[test]
fn arena_exports_are_read() {
    let text = "About\nName Red, mostly\n\nDeck\n20 Mountain (6ED) 343\n4 Shock (M19) 156\n\n\
                Sideboard\n2 Shatter (6ED) 205p *F*\n";
    check_read("x.txt", text, "Red, mostly", MAIN, SIDE);
}

#[test]
fn mtgo_exports_keep_the_sideboard_behind_the_blank_line() {
    let text = "40 Mountain\n4 Shock\n\n2 Shatter\n";
    let main = [("Mountain", 40), ("Shock", 4)];
    check_read("red.txt", text, "red", &main, SIDE);
    check_read("red.txt", "20 Mountain\n4 Shock\nSideboard\n2 Shatter", "red", MAIN, SIDE);
    // In our own format, and where a block has not the size of a deck, it is one list.
    let all = [("Mountain", 40), ("Shock", 4), ("Shatter", 2)];
    check_read("red.deck", text, "red", &all, &[]);
    check_read("red.txt", "20 Mountain\n\n4 Shock\n", "red", MAIN, &[]);
    check_read("red.txt", "40 Mountain\n\n4 Shock\n\n2 Shatter\n", "red", &all, &[]);
}

#[test]
fn dec_files_are_read() {
    let text = "// NAME : Red, mostly\n// Lands\n    20 [6ED] Mountain\n    4 Shock\n\
                SB:  2 [6ED] Shatter\n";
    check_read("x.dec", text, "Red, mostly", MAIN, SIDE);
}

#[test]
fn forge_and_xmage_files_are_read() {
    let forge = "[metadata]\nName=Red, mostly\nDeck Type=Constructed\n[Main]\n\
                 20 Mountain|6ED|1\n4 Shock+|6ED\n[Sideboard]\n2 Shatter|6ED\n";
    check_read("x.dck", forge, "Red, mostly", MAIN, SIDE);
    let xmage = "NAME:Red, mostly\n20 [6ED:343] Mountain\n4 [6ED:206] Shock\n\
                 SB: 2 [6ED:205] Shatter\nLAYOUT MAIN:(1,2)(NONE,false,50)|([6ED:206])\n";
    check_read("x.dck", xmage, "Red, mostly", MAIN, SIDE);
}

#[test]
fn faults_name_the_line_and_the_card() {
    check_refused("", "1: a deck without cards, expected lines such as \"20 Mountain\"");
    check_refused(
        "\nSideboard\n2 Shock",
        "3: a deck without cards, expected lines such as \"20 Mountain\"",
    );
    check_refused(
        "Mountain",
        "1: \"Mountain\", expected a number and a card such as \"20 Mountain\"",
    );
    check_refused("4x", "1: \"4x\", expected a number and a card such as \"20 Mountain\"");
    check_refused("0 Shock", "1: 0 copies of Shock, expected 1 to 100");
    check_refused("\n300 Shock", "2: 300 copies of Shock, expected 1 to 100");
    check_refused(
        "97 Forest\n4 Shock",
        "2: with Shock it has 101 cards, 2 different, expected at most 100, 60 different",
    );
    check_refused("1 Serf", "1: Serf is a token, which no deck holds");
    check_refused("1 Sera Angle", "1: no card \"Sera Angle\", did you mean Serra Angel?");
    check_refused(
        "1 Qwertyuiop\n4 Shock\n1 Zxcvbnm (ABC) 1",
        "1: no card \"Qwertyuiop\"\nsome/mine.deck:3: no card \"Zxcvbnm\"",
    );
    check_refused(
        "Commander\n1 Shock",
        "2: \"1 Shock\" under \"Commander\", expected cards of the deck or its sideboard",
    );
    check_refused(
        "<?xml version=\"1.0\"?>\n<Deck>",
        "1: an XML deck, expected text: export the deck as text or as .dec",
    );
}

#[test]
fn too_many_different_cards_are_refused() {
    let lines = cards::builtin().iter().filter(|card| !card.token).take(61);
    let text: String = lines.map(|card| format!("1 {}\n", card.name)).collect();
    let error = read("many.deck", &text, cards::builtin()).expect_err("it is wrong");
    assert!(error.to_string().contains("61 different"), "{error}");
}
