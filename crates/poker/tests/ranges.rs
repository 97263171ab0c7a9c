//! Range notation: meaning, round trips, and no panic on any text.

use meeple_poker::{CardSet, Combo, HandClass, ParseRangeError, Range, class_order};
use proptest::prelude::*;

fn range(text: &str) -> Range {
    text.parse().expect("a range")
}

fn message(text: &str) -> String {
    text.parse::<Range>().expect_err("no range").to_string()
}

/// Checks the number of combos of an item, and how it prints.
fn check(text: &str, combos: usize, printed: &str) {
    let range = range(text);
    assert_eq!(range.combos().count(), combos, "{text}");
    assert_eq!(range.to_string(), printed, "{text}");
    assert_eq!(printed.parse(), Ok(range), "{printed}");
}

#[test]
fn range_notation() {
    check("AA", 6, "AA");
    check("TT+", 30, "TT+");
    check("88-JJ", 24, "JJ-88");
    check("JJ-88", 24, "JJ-88");
    check("AKs", 4, "AKs");
    check("AKo", 12, "AKo");
    check("AK", 16, "AKs, AKo");
    check("kas", 4, "AKs");
    check("A10s+, 1010", 22, "TT, ATs+");
    check("J10s-87s", 16, "JTs, T9s, 98s, 87s");
    check("A2s+", 48, "A2s+");
    check("KTs-K7s", 16, "KTs-K7s");
    check("K7s-KTs", 16, "KTs-K7s");
    check("QTo+", 24, "QTo+");
    check("T9s-54s", 24, "T9s, 98s, 87s, 76s, 65s, 54s");
    check("AhKh", 1, "AhKh");
    check("KhAh", 1, "AhKh");
    check("AKs, AhKh:0.25", 4, "AsKs, AhKh:0.25, AdKd, AcKc");
    check("random", 1326, "random");
    check("*", 1326, "random");
    check("22+,A2s+ K9s+;QTs+", 78 + 48 + 16 + 8, "22+, A2s+, K9s+, QTs+");
    check("AKs:0.5", 4, "AKs:0.5");
    check("AA, AA:0.5", 6, "AA:0.5");
    check("32+", 16, "32s, 32o");
    check("10%", 134, &range("top 10%").to_string());
}

#[test]
fn percentages_take_the_best_classes_whole() {
    assert_eq!(range("top 100%"), Range::random());
    assert_eq!(range("top 0%").size(), 0.0);
    assert_eq!(range("0.5%").to_string(), "AA");
    assert_eq!(range("top 5%").to_string(), "77+, AJs+, AKo");
    for percent in 0..=100 {
        let share = Range::top(f64::from(percent)).fraction();
        assert!((share - f64::from(percent) / 100.0).abs() < 0.006, "{percent}: {share}");
    }
    assert_eq!(class_order().len(), HandClass::COUNT);
    let best: Vec<String> = class_order()[..6].iter().map(ToString::to_string).collect();
    assert_eq!(best, ["AA", "KK", "QQ", "JJ", "TT", "99"]);
    assert_eq!(class_order()[168].to_string(), "32o");
}

#[test]
fn errors_name_the_item_and_its_position() {
    assert_eq!(message(""), "empty range: expected hands such as QQ+, AKs or top 15%");
    assert_eq!(message(" , "), message(""));
    assert!(message("AA, XYZ").starts_with("unknown item 'XYZ' at character 5: expected a hand"));
    assert!(message("AhK").starts_with("unknown item 'AhK'"));
    assert!(message("AhKh2c").starts_with("unknown item 'AhKh2c'"));
    assert!(message("AAs").starts_with("unknown item 'AAs'"));
    assert!(message("top").starts_with("unknown item 'top'"));
    assert!(message("AA-KQs").starts_with("'AA-KQs' at character 1 has ends of different kinds"));
    assert!(message("AKs-QTs").contains("different kinds"));
    assert_eq!(
        message("AA:1.5"),
        "expected a weight from 0 to 1 after ':' at character 1, found '1.5'"
    );
    assert!(message("AA:NaN").starts_with("expected a weight"));
    assert_eq!(
        message("top 150%"),
        "expected a percentage from 0 to 100 at character 1, found '150%'"
    );
    assert_eq!(message("AhAh"), "'AhAh' at character 1: Ah is named twice, again at character 3");
}

#[test]
fn blocked_hands_are_removed() {
    let board: CardSet = "AhKd2c".parse().unwrap();
    let left = range("AA, AKs").without(board);
    assert_eq!(left.combos().count(), 3 + 2);
    assert!(left.combos().all(|(combo, _)| !combo.cards().intersects(board)));
}

proptest! {
    #[test]
    fn printed_ranges_parse_back(
        classes in prop::collection::vec((0usize..169, 0u32..=4), 0..60),
        combos in prop::collection::vec((0usize..1326, 0u32..=4), 0..20),
    ) {
        let mut range = Range::empty();
        for (class, quarters) in classes {
            range.set_class(HandClass::from_index(class), f64::from(quarters) / 4.0);
        }
        for (index, quarters) in combos {
            range.set(Combo::all().nth(index).unwrap(), f64::from(quarters) / 4.0);
        }
        match range.to_string().parse::<Range>() {
            Ok(read) => prop_assert_eq!(read, range),
            Err(error) => {
                prop_assert_eq!(error, ParseRangeError::Empty);
                prop_assert!(range.is_empty());
            }
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,24}") {
        let _ = text.parse::<Range>();
        let _ = text.parse::<CardSet>();
    }

    #[test]
    fn no_nearly_valid_text_makes_the_parsers_panic(
        text in "[2-9TJQKAtjqka10shdcox+:%*.,\\- ♠é]{0,24}",
    ) {
        if let Ok(range) = text.parse::<Range>() {
            prop_assert!(range.combos().all(|(_, weight)| (0.0..=1.0).contains(&weight)));
        }
        if let Ok(cards) = text.parse::<CardSet>() {
            prop_assert_eq!(cards.to_string().parse(), Ok(cards));
        }
    }
}
