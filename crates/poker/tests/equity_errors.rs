//! Error messages for invalid equity calculations.

use meeple_poker::{CardSet, EquityOptions, Holding, Method, Variant, equity};

fn cards(text: &str) -> CardSet {
    text.parse().expect("cards")
}

/// The error message for these players.
fn message(players: &[&str], board: &str, options: &EquityOptions) -> String {
    let players: Vec<Holding> =
        players.iter().map(|text| text.parse().expect("a hand or a range")).collect();
    equity(&players, cards(board), options).expect_err("no equity").to_string()
}

#[test]
fn errors_say_what_and_where() {
    let usual = EquityOptions::default();
    let check = |players: &[&str], board: &str, expected: &str| {
        assert_eq!(message(players, board, &usual), expected);
    };
    check(&["AhAs"], "", "expected 2 to 10 players, found 1");
    check(&["random"; 11], "", "expected 2 to 10 players, found 11");
    check(&["AhAs", "KhKs"], "2c3c4c5c6c7c", "expected a board of 0, 3, 4 or 5 cards, found 6");
    check(&["AhAs", "KhKs"], "2c", "expected a board of 0, 3, 4 or 5 cards, found 1");
    check(&["AhAs", "AsKs"], "", "As is in the hand of player 1 and in the hand of player 2");
    check(&["AhAs", "KhKs"], "As2c3c", "As is on the board and in the hand of player 1");
    check(
        &["AhAs", "AhKh,AsKs"],
        "",
        "every hand in player 2's range shares a card with the board, the dead cards or another \
         player's hand",
    );
    for nothing in ["top 0%", "AKs:0", "AKs:1e-300"] {
        let expected = "player 2's range has no hand of hold'em with a weight above 0";
        check(&["AhAs", nothing], "", expected);
    }
    check(
        &["AA", "AA", "AA"],
        "2c3c4c5d6d",
        "the ranges conflict: in every combination of hands two players share a card",
    );
    let dead = EquityOptions { dead: cards("AsQd"), ..usual.clone() };
    assert_eq!(
        message(&["AhAs", "KhKs"], "", &dead),
        "As is among the dead cards and in the hand of player 1"
    );
    for deals in [0, u64::MAX] {
        let options = EquityOptions { method: Method::Sample, deals, ..usual.clone() };
        assert_eq!(
            message(&["AhAs", "KhKs"], "", &options),
            format!("expected 1 to 1000000000000 deals to sample, found {deals}")
        );
    }
    let exact = EquityOptions { method: Method::Exact, ..usual.clone() };
    assert!(message(&["*", "*", "*", "*"], "", &exact).starts_with("an exact count would take"));
    let hand = equity(&[Holding::Hand(cards("AhAsAd")), Holding::Random], CardSet::EMPTY, &usual);
    assert_eq!(
        hand.unwrap_err().to_string(),
        "the hand of player 1 has 3 cards, but hold'em is played with 2"
    );
    let short = EquityOptions { variant: Variant::ShortDeck, ..usual.clone() };
    assert_eq!(
        message(&["AhAs", "5h5s"], "", &short),
        "5h, in the hand of player 2, is not in the deck of short deck"
    );
    assert_eq!(
        message(&["AhAs", "22-55"], "", &short),
        "player 2's range has no hand of short deck with a weight above 0"
    );
    let range_in_omaha = Holding::parse("QQ+, AKs", Variant::Omaha).unwrap();
    let omaha = EquityOptions { variant: Variant::Omaha, ..usual.clone() };
    assert_eq!(
        equity(&[Holding::Random, range_in_omaha], CardSet::EMPTY, &omaha).unwrap_err().to_string(),
        "player 2 has a range of two-card hands, but Omaha takes cards or 'random'"
    );
    assert_eq!(
        Holding::parse("AhAsKdKx", Variant::Omaha).unwrap_err().to_string(),
        "expected a suit (c, d, h, s) after the rank at character 8, found 'x'"
    );
    let holding = "AhAsKd".parse::<Holding>().unwrap_err().to_string();
    assert_eq!(holding, "'AhAsKd' names 3 cards, but hold'em is played with 2");
    assert_eq!(
        "AhAh".parse::<Holding>().unwrap_err().to_string(),
        "Ah is named twice, again at character 3"
    );
}
