//! Draws, board texture, percentiles and buckets.

use meeple_poker::{
    AnalysisError, BucketOptions, CardSet, Category, Combo, Distribution, EquityOptions, FlushDraw,
    Holding, Method, Pairing, Range, StraightDraw, bucket_hands, draws, earth_movers_distance,
    equity, equity_distributions, outs_against, percentile, texture,
};
use proptest::prelude::*;

fn cards(text: &str) -> CardSet {
    text.parse().expect("cards")
}

#[test]
fn flush_draws() {
    let check = |hand, board, expected| {
        assert_eq!(draws(cards(hand), cards(board)).unwrap().flush, expected, "{hand} {board}");
    };
    check("AhKh", "2h7h9c", FlushDraw::NutDraw);
    check("KhQh", "2h7h9c", FlushDraw::Draw);
    check("KhQh", "Ah7h9c", FlushDraw::NutDraw);
    check("AhKc", "2h7h9h", FlushDraw::NutDraw);
    check("AhKh", "2h7c9c", FlushDraw::Backdoor);
    check("AhKh", "2h7c9c2c", FlushDraw::None);
    check("AcKc", "2h7h9h4h", FlushDraw::None);
    check("AhKh", "2h7h9h", FlushDraw::None);
}

#[test]
fn straight_draws() {
    let check = |hand, board, expected| {
        assert_eq!(draws(cards(hand), cards(board)).unwrap().straight, expected, "{hand} {board}");
    };
    check("JhTc", "9h8d2c", StraightDraw::OpenEnded);
    check("JhTc", "8h7d2c", StraightDraw::Gutshot);
    check("AhKc", "QhJd2c", StraightDraw::Gutshot);
    check("Ah2c", "3h4d9c", StraightDraw::Gutshot);
    check("JhTc", "9h8d7c", StraightDraw::None);
    check("9h7c", "JdTd5c3s", StraightDraw::Gutshot);
    check("Jh7c", "9h8d5cTd", StraightDraw::None);
    check("6h8c", "4d5dTc7s", StraightDraw::None);
    check("Qh8c", "9hTd6c2s", StraightDraw::OpenEnded);
    // A draw of the board alone is not the player's.
    check("2h2c", "9hTdJcQs", StraightDraw::None);
}

#[test]
fn outs() {
    let found = draws(cards("AhKc"), cards("2d7s9c")).unwrap();
    assert_eq!((found.outs.len(), found.overcards, found.made), (6, 2, Category::HighCard));
    let set = draws(cards("7h7c"), cards("2d7s9c")).unwrap();
    assert_eq!(set.outs, cards("7d2h2c2s9h9d9s"));
    assert_eq!(outs_against(cards("AhKc"), cards("QhQc"), cards("2d7s9c")).unwrap().len(), 6);
    assert_eq!(outs_against(cards("QhQc"), cards("AhKc"), cards("2d7s9c")), Ok(CardSet::EMPTY));
}

#[test]
fn textures() {
    let board = texture(cards("9h8h7h")).unwrap();
    assert!(board.flush_possible() && board.straight_possible());
    assert_eq!((board.suits, board.most_of_a_suit, board.pairing), (1, 3, Pairing::Unpaired));
    // J-T, T-6 and 6-5.
    assert_eq!(board.straights, 3);
    assert_eq!(texture(cards("KhKdKc")).unwrap().pairing, Pairing::Trips);
    assert_eq!(texture(cards("KhKd7c7s")).unwrap().pairing, Pairing::TwoPair);
    assert_eq!(texture(cards("KhKd7c7s7d")).unwrap().pairing, Pairing::FullHouse);
    let dry = texture(cards("Kh7d2c")).unwrap();
    assert_eq!((dry.straights, dry.suits, dry.broadways), (0, 3, 1));
}

#[test]
fn percentiles() {
    let random = Range::random();
    let place = |hand, board| percentile(cards(hand), cards(board), &random).unwrap();
    assert_eq!(place("AsKs", "QsJsTs2c3d"), 1.0);
    assert_eq!(place("2c3d", "AsKsQsJsTs"), 0.5);
    assert!(place("2c3d", "AsKsTh9d5s") < 0.02);
    // On the river the percentile is the equity.
    let options = EquityOptions { method: Method::Exact, ..Default::default() };
    let board = cards("2c7h9dTsKs");
    let players = [Holding::Hand(cards("AhTc")), Holding::Random];
    let exact = equity(&players, board, &options).unwrap().players[0].equity();
    assert!((percentile(cards("AhTc"), board, &random).unwrap() - exact).abs() < 1e-12);
    let own: Range = "AhTc".parse().unwrap();
    assert_eq!(percentile(cards("AhTc"), board, &own), Err(AnalysisError::EmptyRange));
}

#[test]
fn distribution_means_match_the_equity() {
    let board = cards("2c7h9d");
    let range: Range = "22+,A2s+,KTo+".parse().unwrap();
    let all = equity_distributions(board, &range, 1000).unwrap();
    assert_eq!(all.len(), 49 * 48 / 2);
    let options = EquityOptions { method: Method::Exact, ..Default::default() };
    for text in ["AhKh", "9c9h", "3s4s", "QdJd"] {
        let hand = Combo::from_set(cards(text)).unwrap();
        let mean = all.iter().find(|(combo, _)| *combo == hand).unwrap().1.mean();
        let players = [Holding::Hand(hand.cards()), Holding::Range(range.clone())];
        let exact = equity(&players, board, &options).unwrap().players[0].equity();
        // Boards count alike here but by possible opponents there.
        assert!((mean - exact).abs() < 0.01, "{text}: {mean} {exact}");
    }
}

#[test]
fn buckets_separate_draws_from_pairs() {
    let board = cards("2c7h9h");
    let hands = equity_distributions(board, &Range::random(), 20).unwrap();
    let distributions: Vec<Distribution> = hands.iter().map(|hand| hand.1.clone()).collect();
    let options = BucketOptions { buckets: 12, seed: 1, ..Default::default() };
    let buckets = bucket_hands(&distributions, &options).unwrap();
    assert_eq!(buckets, bucket_hands(&distributions, &options).unwrap());
    assert_eq!(buckets.centres.len(), 12);
    let bucket = |text: &str| {
        let combo = Combo::from_set(cards(text)).unwrap();
        buckets.assigned[hands.iter().position(|(hand, _)| *hand == combo).unwrap()]
    };
    assert_eq!(bucket("9c9d"), bucket("9d9s"));
    assert!(bucket("9c9d") > bucket("AcTc") && bucket("AcTc") > bucket("3d4s"));
    for (distribution, &assigned) in distributions.iter().zip(&buckets.assigned) {
        assert_eq!(buckets.find(distribution), assigned);
    }
    // More buckets are tighter.
    let coarse = BucketOptions { buckets: 3, ..options.clone() };
    assert!(bucket_hands(&distributions, &coarse).unwrap().spread > buckets.spread);
    let none = BucketOptions { buckets: 0, ..options };
    assert_eq!(bucket_hands(&distributions, &none), Err(AnalysisError::Nothing { what: "bucket" }));
}

#[test]
fn equal_or_nan_distributions_form_one_bucket() {
    for bin in [1.0, f64::NAN] {
        let distributions = vec![Distribution::new(vec![bin, 0.0]); 5];
        let buckets = bucket_hands(&distributions, &BucketOptions::default()).unwrap();
        assert_eq!(buckets.assigned, [0; 5]);
        assert!(buckets.centres.len() <= 1);
    }
}

#[test]
fn errors() {
    assert_eq!(
        draws(cards("AhKh"), cards("2c")).unwrap_err().to_string(),
        "expected a board of 3 or 4 cards, found 1"
    );
    assert_eq!(
        draws(cards("AhKhQh"), cards("2c3c4c")).unwrap_err().to_string(),
        "expected a hand of 2 cards, found 3"
    );
    assert_eq!(
        percentile(cards("AhKh"), cards("Ah3c4c"), &Range::random()).unwrap_err().to_string(),
        "Ah is named twice"
    );
}

proptest! {
    #[test]
    fn the_distance_is_a_metric(
        a in prop::collection::vec(0.0f64..1.0, 8),
        b in prop::collection::vec(0.0f64..1.0, 8),
        c in prop::collection::vec(0.0f64..1.0, 8),
    ) {
        let [a, b, c] = [a, b, c].map(Distribution::new);
        let distance = earth_movers_distance;
        prop_assert_eq!(distance(&a, &a), 0.0);
        prop_assert!((distance(&a, &b) - distance(&b, &a)).abs() < 1e-12);
        prop_assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c) + 1e-12);
        prop_assert!((distance(&a, &b)) >= (a.mean() - b.mean()).abs() - 1e-12);
    }
}
