//! Omaha and short deck: ranks against the naive oracle, equities against
//! brute force.

mod naive;

use meeple_poker::{
    Card, CardRank, CardSet, Category, EquityOptions, Holding, Method, Variant, equity, rank,
};
use meeple_rng::Rng;

fn cards(text: &str) -> CardSet {
    text.parse().expect("cards")
}

fn deal(rng: &mut Rng, variant: Variant, sizes: &[usize]) -> Vec<CardSet> {
    let mut deck: Vec<Card> = variant.deck().into_iter().collect();
    rng.shuffle(&mut deck);
    let mut deck = deck.into_iter();
    sizes.iter().map(|&size| deck.by_ref().take(size).collect()).collect()
}

fn subsets(cards: CardSet, size: usize) -> Vec<Vec<Card>> {
    let cards: Vec<Card> = cards.into_iter().collect();
    (0u32..1 << cards.len())
        .filter(|chosen| chosen.count_ones() as usize == size)
        .map(|chosen| (0..cards.len()).filter(|i| chosen >> i & 1 == 1).map(|i| cards[i]).collect())
        .collect()
}

/// The best of all ways to take two hole cards and three board cards.
fn omaha_value(hole: CardSet, board: CardSet) -> naive::HandValue {
    let mut best = None;
    for two in subsets(hole, 2) {
        for three in subsets(board, 3) {
            let five: Vec<Card> = two.iter().chain(&three).copied().collect();
            best = best.max(Some(naive::value(five.try_into().expect("five cards"))));
        }
    }
    best.expect("a way to choose")
}

/// The oracle by the rules of short deck: the order of categories, and the ace
/// below the six.
fn short_deck_value(cards: CardSet) -> (u8, Vec<CardRank>) {
    let five_card_value = |five: Vec<Card>| {
        let (mut category, mut ranks) = naive::value(five.try_into().expect("five cards"));
        use CardRank::{Ace, Eight, Nine, Seven, Six};
        if ranks == [Ace, Nine, Eight, Seven, Six] {
            ranks.rotate_left(1);
            category = match category {
                Category::Flush => Category::StraightFlush,
                _ => Category::Straight,
            };
        }
        let place = match category {
            Category::Flush => Category::FullHouse as u8,
            Category::FullHouse => Category::Flush as u8,
            other => other as u8,
        };
        (place, ranks)
    };
    subsets(cards, 5).into_iter().map(five_card_value).max().expect("five cards or more")
}

#[test]
fn omaha_ranks_match_the_oracle() {
    let mut rng = Rng::new(21);
    for (variant, holes) in [(Variant::Omaha, 4), (Variant::Omaha5, 5)] {
        for board_size in [3, 4, 5].repeat(150) {
            let dealt = deal(&mut rng, variant, &[holes, holes, board_size]);
            let ranks = [0, 1].map(|hand| variant.rank(dealt[hand], dealt[2]).unwrap());
            let values = [0, 1].map(|hand: usize| omaha_value(dealt[hand], dealt[2]));
            assert_eq!(ranks[0].category(), values[0].0, "{dealt:?}");
            assert_eq!(ranks[0].cmp(&ranks[1]), values[0].cmp(&values[1]), "{dealt:?}");
        }
    }
}

/// Cards of two suits make many flushes and straight flushes.
#[test]
fn omaha_flushes_match_the_oracle() {
    let mut rng = Rng::new(23);
    let mut straight_flushes = 0;
    for (variant, holes) in [(Variant::Omaha, 4), (Variant::Omaha5, 5)] {
        for board_size in [3, 4, 5].repeat(1000) {
            let mut deck: Vec<Card> = Card::all().filter(|card| card.suit() as u8 >= 2).collect();
            rng.shuffle(&mut deck);
            let hole: CardSet = deck[..holes].iter().copied().collect();
            let board: CardSet = deck[holes..holes + board_size].iter().copied().collect();
            let (category, ranks) = omaha_value(hole, board);
            // The best five cards of the oracle have the same rank.
            let best = subsets(hole, 2)
                .iter()
                .flat_map(|two| {
                    subsets(board, 3).into_iter().map(move |three| [&two[..], &three].concat())
                })
                .map(|five| five.into_iter().collect::<CardSet>())
                .find(|&five| naive::best_value(five) == (category, ranks.clone()))
                .unwrap();
            assert_eq!(variant.rank(hole, board).unwrap(), rank(best), "{hole} on {board}");
            straight_flushes += usize::from(category == Category::StraightFlush);
        }
    }
    assert!(straight_flushes > 50, "only {straight_flushes} straight flushes were tested");
}

#[test]
fn omaha_uses_two_hole_cards_and_three_board_cards() {
    let rank = |hole, board| Variant::Omaha.rank(cards(hole), cards(board)).unwrap().to_string();
    // Four hearts on the board and one in hand make no flush, and three cards of
    // the hand no straight.
    assert_eq!(rank("AhKdQc2s", "3h5h8hJhTd"), "high card, ace-king-jack-ten-eight");
    // Three aces in hand make a pair of aces.
    assert_eq!(rank("AhAdAc2s", "3h5h8cJhTd"), "pair of aces, jack-ten-eight kickers");
}

#[test]
fn short_deck_ranks_match_the_oracle() {
    let mut rng = Rng::new(22);
    for board_size in [3, 4, 5].repeat(1500) {
        let dealt = deal(&mut rng, Variant::ShortDeck, &[2, 2, board_size]);
        let rank = |hand: usize| Variant::ShortDeck.rank(dealt[hand], dealt[2]).unwrap();
        let value = |hand: usize| short_deck_value(dealt[hand] | dealt[2]);
        assert_eq!(rank(0).cmp(&rank(1)), value(0).cmp(&value(1)), "{dealt:?}");
        let place = match rank(0).category() {
            Category::Flush => Category::FullHouse,
            Category::FullHouse => Category::Flush,
            other => other,
        };
        assert_eq!(place as u8, value(0).0, "{dealt:?}");
    }
}

#[test]
fn short_deck_rules() {
    let rank = |hole, board| Variant::ShortDeck.rank(cards(hole), cards(board)).unwrap();
    let flush = rank("AhKh", "9h8h6hTcTd");
    let full = rank("TsKd", "9h9dTcTd7s");
    let wheel = rank("Ah6c", "7h8d9sKcKd");
    let ten_high = rank("Tc6c", "7h8d9sKcKd");
    assert!(flush > full && full > ten_high && ten_high > wheel);
    assert_eq!(wheel.to_string(), "straight, nine high");
    assert_eq!(flush.to_string(), "flush, ace-king-nine-eight-six");
    assert_eq!(full.to_string(), "full house, tens over nines");
    assert_eq!(rank("Ah6h", "7h8h9hKcKd").to_string(), "straight flush, nine high");
    assert_eq!(Variant::ShortDeck.rank(cards("2h3h"), cards("9h8h6hTcTd")), None);
}

#[test]
fn invalid_cards_have_no_rank() {
    assert_eq!(Variant::Omaha.rank(cards("AhAs"), cards("2c7h9d")), None);
    assert_eq!(Variant::Omaha.rank(cards("AhAsKhKs"), cards("Ah7h9d")), None);
    assert_eq!(Variant::Holdem.rank(cards("AhAs"), cards("2c7h")), None);
}

/// Exact counts on the turn, and samples near exact counts.
#[test]
fn equities_of_all_variants() {
    let mut rng = Rng::new(23);
    for variant in Variant::ALL {
        for _ in 0..3 {
            let size = variant.hole_cards();
            let dealt = deal(&mut rng, variant, &[size, size, size, 4]);
            let (hands, board) = (&dealt[..3], dealt[3]);
            let players: Vec<Holding> = hands.iter().map(|&hand| Holding::Hand(hand)).collect();
            let mut shares = [0.0; 3];
            let left = hands.iter().fold(variant.deck() - board, |left, &hand| left - hand);
            for river in left {
                let ranks: Vec<_> = hands
                    .iter()
                    .map(|&hand| variant.rank(hand, board | river.into()).unwrap())
                    .collect();
                let best = *ranks.iter().max().unwrap();
                let winners = ranks.iter().filter(|&&rank| rank == best).count() as f64;
                for (share, rank) in shares.iter_mut().zip(ranks) {
                    *share += if rank == best { 1.0 / winners } else { 0.0 };
                }
            }
            let options = EquityOptions { variant, method: Method::Exact, ..Default::default() };
            let exact = equity(&players, board, &options).unwrap();
            assert_eq!(exact.deals, left.len() as f64);
            for (player, share) in exact.players.iter().zip(shares) {
                assert!((player.equity() - share / left.len() as f64).abs() < 1e-12);
            }
            let options = EquityOptions { method: Method::Sample, deals: 20_000, ..options };
            let sampled = equity(&players, board, &options).unwrap();
            for (found, expected) in sampled.players.iter().zip(&exact.players) {
                let error = found.standard_error.unwrap();
                assert!((found.equity() - expected.equity()).abs() <= 5.0 * error + 1e-12);
            }
        }
        // Against random cards, from the flop on.
        let size = variant.hole_cards();
        let dealt = deal(&mut rng, variant, &[size, 3]);
        let players = [Holding::Hand(dealt[0]), Holding::Random, Holding::Random];
        let options = EquityOptions { variant, deals: 2000, ..Default::default() };
        let result = equity(&players, dealt[1], &options).unwrap();
        assert_eq!(result.players.iter().map(|p| p.share_units).sum::<f64>(), 2520.0 * 2000.0);
    }
}

#[test]
fn short_deck_aces_against_ace_king_preflop() {
    let options =
        EquityOptions { variant: Variant::ShortDeck, method: Method::Exact, ..Default::default() };
    let players = ["AhAs".parse().unwrap(), "AdKd".parse().unwrap()];
    let result = equity(&players, CardSet::EMPTY, &options).unwrap();
    assert_eq!(result.deals, 201_376.0);
    let sample = EquityOptions { method: Method::Sample, deals: 200_000, ..options };
    let sampled = equity(&players, CardSet::EMPTY, &sample).unwrap();
    let error = sampled.players[0].standard_error.unwrap();
    assert!((sampled.players[0].equity() - result.players[0].equity()).abs() < 5.0 * error);
}
