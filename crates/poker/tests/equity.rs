//! Equities: published values, brute force, and all methods against each other.

use meeple_poker::{
    Card, CardSet, Category, Combo, Equity, EquityError, EquityOptions, EquityProgress, HandClass,
    Holding, Method, Range, class_equity, count_matchup, equity, equity_with_progress, matchup,
    rank, validate_sampling,
};
use meeple_rng::Rng;
use proptest::prelude::*;

fn cards(text: &str) -> CardSet {
    text.parse().expect("cards")
}

fn holdings(texts: &[&str]) -> Vec<Holding> {
    texts.iter().map(|text| text.parse().expect("a hand or a range")).collect()
}

fn try_equity(
    players: &[&str],
    board: &str,
    options: &EquityOptions,
) -> Result<Equity, EquityError> {
    equity(&holdings(players), cards(board), options)
}

fn exact(players: &[&str], board: &str) -> Equity {
    try_equity(players, board, &EquityOptions { method: Method::Exact, ..Default::default() })
        .expect("an equity")
}

fn sampled(players: &[&str], board: &str, deals: u64) -> Equity {
    let options = EquityOptions { method: Method::Sample, deals, seed: 7, ..Default::default() };
    try_equity(players, board, &options).expect("an equity")
}

fn equities(result: &Equity) -> Vec<f64> {
    result.players.iter().map(|player| player.equity()).collect()
}

fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not near {expected}");
}

const WIDE: &str = "22+,A2s+,K9s+,QTs+";

#[test]
fn aces_against_kings() {
    let result = exact(&["AhAs", "KdKc"], "");
    let aces = &result.players[0];
    assert_eq!((aces.wins, aces.ties, aces.losses), (1_388_072.0, 6_538.0, 317_694.0));
    assert_eq!(result.deals, 1_712_304.0);
    assert_near(aces.equity(), 0.812555, 5e-7);
    assert_near(exact(&["AA", "KK"], "").players[0].equity(), 0.819461, 5e-7);
    assert_near(exact(&["AhAs", "KdKc"], "2c7h9d").players[0].equity(), 0.916162, 5e-7);
    assert_near(exact(&["AA", "random"], "").players[0].equity(), 0.852037133, 5e-10);
}

#[test]
fn three_pairs() {
    let result = exact(&["AhAs", "KdKc", "QhQs"], "");
    assert_eq!(result.deals, 1_370_754.0);
    for (found, expected) in equities(&result).into_iter().zip([0.665054, 0.188755, 0.146191]) {
        assert_near(found, expected, 5e-7);
    }
}

#[test]
fn range_against_range() {
    assert_near(exact(&["QQ+,AKs", WIDE], "").players[0].equity(), 0.714073, 5e-7);
    assert_near(exact(&["QQ+,AKs", WIDE], "2c7h9d").players[0].equity(), 0.709182, 5e-7);
    assert_near(exact(&["*", "*"], "2c7h9d").players[0].equity(), 0.5, 1e-12);
    assert_near(exact(&["*", "*"], "").players[0].equity(), 0.5, 1e-12);
}

/// All deals, one by one.
fn brute_force(hands: &[Vec<(CardSet, f64)>], board: CardSet, dead: CardSet) -> (Vec<f64>, f64) {
    fn seat(
        hands: &[Vec<(CardSet, f64)>],
        chosen: &mut Vec<CardSet>,
        used: CardSet,
        weight: f64,
        visit: &mut dyn FnMut(&[CardSet], CardSet, f64),
    ) {
        let Some(next) = hands.get(chosen.len()) else {
            visit(chosen, used, weight);
            return;
        };
        for &(hand, hand_weight) in next {
            if !hand.intersects(used) {
                chosen.push(hand);
                seat(hands, chosen, used | hand, weight * hand_weight, visit);
                chosen.pop();
            }
        }
    }
    fn boards(deck: &[Card], missing: usize, board: CardSet, visit: &mut dyn FnMut(CardSet)) {
        if missing == 0 {
            visit(board);
            return;
        }
        for (index, &card) in deck.iter().enumerate() {
            boards(&deck[index + 1..], missing - 1, board | card.into(), visit);
        }
    }
    let (mut shares, mut total) = (vec![0.0; hands.len()], 0.0);
    seat(hands, &mut Vec::new(), board | dead, 1.0, &mut |chosen, used, weight| {
        let deck: Vec<Card> = (!used).into_iter().collect();
        boards(&deck, 5 - board.len(), board, &mut |board| {
            let ranks: Vec<_> = chosen.iter().map(|&hand| rank(hand | board)).collect();
            let best = *ranks.iter().max().expect("a player");
            let winners = ranks.iter().filter(|&&rank| rank == best).count() as f64;
            for (share, rank) in shares.iter_mut().zip(&ranks) {
                *share += if *rank == best { weight / winners } else { 0.0 };
            }
            total += weight;
        });
    });
    (shares.into_iter().map(|share| share / total).collect(), total)
}

fn check_against_brute_force(players: &[&str], board: &str, dead: &str) {
    let hands: Vec<Vec<(CardSet, f64)>> = holdings(players)
        .iter()
        .map(|holding| match holding {
            Holding::Hand(hand) => vec![(*hand, 1.0)],
            Holding::Range(range) => range.combos().map(|(c, w)| (c.cards(), w)).collect(),
            Holding::Random => Combo::all().map(|combo| (combo.cards(), 1.0)).collect(),
        })
        .collect();
    let (expected, total) = brute_force(&hands, cards(board), cards(dead));
    for threads in [1, 3] {
        let options = EquityOptions {
            method: Method::Exact,
            dead: cards(dead),
            threads,
            ..Default::default()
        };
        let result = try_equity(players, board, &options).expect("an equity");
        assert_near(result.deals, total, 1e-6);
        for (found, &expected) in equities(&result).into_iter().zip(&expected) {
            assert_near(found, expected, 1e-9);
        }
        // Counting categories changes nothing else; each deal has one for each player.
        let with_categories =
            try_equity(players, board, &EquityOptions { categories: true, ..options })
                .expect("an equity");
        for (player, expected) in with_categories.players.iter().zip(&result.players) {
            assert_near(player.equity(), expected.equity(), 1e-9);
            let categories = player.categories.expect("requested");
            assert_near(categories.iter().sum(), total, 1e-6);
        }
    }
}

#[test]
fn exact_methods_agree_with_brute_force() {
    check_against_brute_force(&["AhKh", "QsQd"], "", "");
    check_against_brute_force(&["AhKh", "7s6s"], "", "2c2d");
    check_against_brute_force(&["AhKh", "KsQs", "7c7d", "5h4h"], "2c7h9d", "");
    check_against_brute_force(&["AhKh", "AsKs"], "2h3h4h", "");
    check_against_brute_force(&["QQ+,AKs", "JJ,AhQh:0.5,AQo:0.25"], "2h7h9d", "Qc");
    check_against_brute_force(&["QQ+,AKs", "JJ,AKs:0.5,AQo:0.25"], "2h7h9h", "");
    check_against_brute_force(&["22+,A2s+", "K9s+,QTo+"], "2h7h9h4h", "");
    check_against_brute_force(&["22+,A2s+", "K9s+,QTo+"], "2h7h9hAhTh", "3c");
    check_against_brute_force(&["QQ+", "random"], "2c7h9dTs", "");
    check_against_brute_force(&["QQ+", "JJ+,AKs", "TT,99:0.5"], "2c7h9dTs", "Ac");
    check_against_brute_force(&["AhKh", "QQ", "TT"], "2c7h9d", "");
    check_against_brute_force(&["AhKh:0.5", "QsQd:0.25"], "2c7h9d", "");
    check_against_brute_force(&["AhKh:0.5", "QsQd:0.25"], "2c7h9dTs", "");
    check_against_brute_force(&["AhKh:0.5", "QsQd:0.25"], "", "2c2d");
}

#[test]
fn rank_patterns_match_enumeration() {
    let mut rng = Rng::new(11);
    for _ in 0..6 {
        let mut deck: Vec<Card> = Card::all().collect();
        rng.shuffle(&mut deck);
        let hand = |at: usize| CardSet::of(deck[at]) | CardSet::of(deck[at + 1]);
        let dead: CardSet = deck[20..20 + rng.below(5)].iter().copied().collect();
        let hands: Vec<CardSet> = (0..2 + rng.below(3)).map(|player| hand(2 * player)).collect();
        let (expected, total) = brute_force(
            &hands.iter().map(|&hand| vec![(hand, 1.0)]).collect::<Vec<_>>(),
            CardSet::EMPTY,
            dead,
        );
        let players: Vec<Holding> = hands.into_iter().map(Holding::Hand).collect();
        let options = EquityOptions { method: Method::Exact, dead, ..Default::default() };
        let result = equity(&players, CardSet::EMPTY, &options).unwrap();
        assert_eq!(result.deals, total);
        for (found, expected) in equities(&result).into_iter().zip(expected) {
            assert_near(found, expected, 1e-9);
        }
    }
}

#[test]
fn the_matchup_table_matches_enumeration() {
    let all: Vec<Combo> = Combo::all().collect();
    let mut rng = Rng::new(12);
    let mut checked = 0;
    while checked < 1500 {
        let (hero, villain) = (*rng.pick(&all), *rng.pick(&all));
        assert_eq!(matchup(hero, villain), count_matchup(hero, villain), "{hero} {villain}");
        assert_eq!(
            matchup(hero, villain),
            matchup(villain, hero).map(meeple_poker::Matchup::reversed)
        );
        checked += 1;
    }
}

#[test]
fn class_equities_match_ranges() {
    let mut rng = Rng::new(13);
    for _ in 0..200 {
        let [hero, villain] = [0, 1].map(|_| HandClass::from_index(rng.below(169)));
        let result = exact(&[&hero.to_string(), &villain.to_string()], "");
        assert_near(class_equity(hero, villain), result.players[0].equity(), 1e-12);
        assert_near(class_equity(hero, villain) + class_equity(villain, hero), 1.0, 1e-12);
    }
    // Enumerated: no table and no patterns.
    let [tens, suited] = ["TT", "AKs"].map(|text| text.parse::<Range>().unwrap());
    let hands =
        [tens, suited].map(|range| range.combos().take(2).map(|(c, w)| (c.cards(), w)).collect());
    let (expected, _) = brute_force(&hands, CardSet::EMPTY, CardSet::EMPTY);
    let texts = hands
        .map(|hands| hands.iter().map(|(hand, _)| hand.to_string()).collect::<Vec<_>>().join(","));
    let result = exact(&[&texts[0], &texts[1]], "");
    assert_near(result.players[0].equity(), expected[0], 1e-12);
}

#[test]
fn sampled_equities_are_close_to_exact_ones() {
    let check = |players: &[&str], board: &str| {
        let expected = exact(players, board);
        let found = sampled(players, board, 400_000);
        assert_eq!(found.method, Method::Sample);
        assert_eq!(found.deals, 400_000.0);
        for (found, expected) in found.players.iter().zip(&expected.players) {
            // Five standard errors: one sample in two million lies outside.
            let error = found.standard_error.unwrap();
            assert_near(found.equity(), expected.equity(), 5.0 * error + 1e-12);
            let (low, high) = found.confidence_interval().unwrap();
            assert!(low <= found.equity() && found.equity() <= high);
            assert_eq!(expected.confidence_interval(), None);
        }
        // The shares of all players add up to all pots.
        let units: f64 = found.players.iter().map(|player| player.share_units).sum();
        assert_eq!(units, 2520.0 * 400_000.0);
    };
    check(&["AhAs", "KdKc"], "");
    check(&["AhAs", "KdKc", "QhQs"], "");
    check(&["AhKs", "AdKc", "AcKd", "AsKh"], "");
    check(&["AhAs", "KdKc"], "2c7h9d");
    check(&["AhAs", "KdKc"], "2c7h9d2d");
    check(&["AhAs", "KdKc"], "2c7h9d2d3d");
    check(&["QQ+,AKs", WIDE], "");
    check(&["QQ+,AKs", "22+,A2s+:0.5,KTo+:0.1"], "2c7h9d");
    check(&["A2s+,K2s+,22+", "A2o+,K2o+,QJo,Q2s+,22+:0.3"], "2c7h9d");
    check(&["AhAs", "random"], "");
    check(&["QQ+,AKs", "random"], "2c7h9d");
    check(&["QQ", "KK,AQs", "AA,QJs"], "2c7h9d");
}

#[test]
fn aces_against_more_random_hands() {
    // Published: 73.4, 63.9, 55.9, 49.2 per cent against 2 to 5 opponents.
    for (opponents, expected) in [(2, 0.734), (3, 0.639), (4, 0.559), (5, 0.492)] {
        let mut players = vec!["AhAs"];
        players.extend(vec!["random"; opponents]);
        let result = sampled(&players, "", 300_000);
        assert_near(result.players[0].equity(), expected, 0.005);
        let units: f64 = result.players.iter().map(|player| player.share_units).sum();
        assert_eq!(units, 2520.0 * 300_000.0);
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    for players in [&["AhAs", "KdKc"][..], &["QQ+", "A2s+:0.3", "random"]] {
        let run = |threads, method| {
            let options = EquityOptions {
                method,
                deals: 300_001,
                threads,
                seed: 3,
                categories: true,
                ..Default::default()
            };
            try_equity(players, "2c7h9d", &options).unwrap()
        };
        assert_eq!(run(1, Method::Sample), run(2, Method::Sample));
        assert_eq!(run(1, Method::Sample), run(5, Method::Sample));
        assert_eq!(run(1, Method::Auto), run(3, Method::Auto));
    }
}

#[test]
fn one_confidence_interval_in_twenty_misses() {
    let found = validate_sampling(4000, 1, 2).unwrap();
    assert_eq!(found, validate_sampling(4000, 1, 1).unwrap());
    // 200 are expected, with a standard deviation of 14.
    assert!((130..=260).contains(&found.misses), "{found:?}");
}

#[test]
fn auto_is_exact_when_cheap() {
    let method = |players: &[&str], board: &str| {
        try_equity(players, board, &EquityOptions { deals: 1000, ..Default::default() })
            .unwrap()
            .method
    };
    assert_eq!(method(&["AhAs", "KdKc"], ""), Method::Exact);
    assert_eq!(method(&["*", "*"], ""), Method::Exact);
    assert_eq!(method(&["*", "*"], "2c7h9d"), Method::Exact);
    assert_eq!(method(&["AhAs", "KdKc", "QhQs", "8c7c"], ""), Method::Exact);
    assert_eq!(method(&["AhAs", "*", "*"], ""), Method::Sample);
    assert_eq!(method(&["AA", "KK", "QQ", "JJ"], ""), Method::Sample);
}

#[test]
fn categories() {
    let options = EquityOptions { categories: true, method: Method::Exact, ..Default::default() };
    let result = try_equity(&["AhAs", "KdKc"], "AcAd2h", &options).unwrap();
    let quads = result.players[0].categories.unwrap()[Category::FourOfAKind as usize];
    assert_eq!(quads, 990.0);
    let options = EquityOptions { method: Method::Sample, deals: 1000, ..options };
    let result = try_equity(&["AhAs", "KdKc"], "AcAd2h", &options).unwrap();
    assert_eq!(result.players[0].categories.unwrap()[Category::FourOfAKind as usize], 1000.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Equities are invariant under renaming suits and permuting players.
    #[test]
    fn equities_are_invariant_under_suit_isomorphism(seed in any::<u64>(), turn in 1u32..4, board_size in 3usize..6) {
        let mut rng = Rng::new(seed);
        let mut deck: Vec<Card> = Card::all().collect();
        rng.shuffle(&mut deck);
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let rotated = |cards: CardSet| CardSet::from_bits(cards.bits().rotate_left(16 * turn));
        let (one, other, board) = (set(&deck[..2]), set(&deck[2..4]), set(&deck[4..4 + board_size]));
        let options = EquityOptions { method: Method::Exact, ..Default::default() };
        let run = |players: [CardSet; 2], board| {
            equity(&players.map(Holding::Hand), board, &options).unwrap()
        };
        let result = run([one, other], board);
        prop_assert_eq!(&result, &run([rotated(one), rotated(other)], rotated(board)));
        let swapped = run([other, one], board);
        prop_assert_eq!(&result.players[0], &swapped.players[1]);
        prop_assert_eq!(result.players.iter().map(|p| p.share_units).sum::<f64>(), 2520.0 * result.deals);
    }

    #[test]
    fn weights_scale(percent in 1u32..=100) {
        let mut range = Range::empty();
        for (combo, _) in "TT+,AQs".parse::<Range>().unwrap().combos() {
            range.set(combo, f64::from(percent) / 100.0);
        }
        let options = EquityOptions { method: Method::Exact, ..Default::default() };
        let players = [Holding::Range(range), Holding::Hand(cards("KhQh"))];
        let weighted = equity(&players, cards("2c7h9d"), &options).unwrap();
        let plain = try_equity(&["TT+,AQs", "KhQh"], "2c7h9d", &options).unwrap();
        prop_assert!((weighted.players[0].equity() - plain.players[0].equity()).abs() < 1e-12);
    }
}

/// Some of these would take hours.
#[test]
fn a_stopped_count_is_an_error() {
    let progress = EquityProgress::default();
    progress.stop();
    let options = EquityOptions { method: Method::Exact, threads: 2, ..Default::default() };
    for (players, board) in [
        (&["random", "random", "random"][..], "2c7h9d"),
        (&[WIDE, WIDE, WIDE], ""),
        (&["random", "random"], "2c7h9d"),
        (&["AhAs", "KdKc"], "2c7h9d"),
    ] {
        let stopped = equity_with_progress(&holdings(players), cards(board), &options, &progress);
        assert_eq!(stopped.err(), Some(EquityError::Stopped), "{players:?}");
    }
    let options =
        EquityOptions { method: Method::Sample, deals: EquityOptions::MAX_DEALS, ..options };
    let some =
        equity_with_progress(&holdings(&["random", "random"]), cards(""), &options, &progress);
    assert!(some.expect("some are dealt").deals > 0.0);
    // Ten ranges whose twenty cards hardly ever fit: not even the first deal is waited for.
    let narrow = equity_with_progress(&holdings(&["TT+"; 10]), cards(""), &options, &progress);
    assert_eq!(narrow.err(), Some(EquityError::Stopped));
}
