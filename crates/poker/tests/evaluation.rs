//! Hand ranks: against the naive oracle, published counts, and between all
//! evaluation paths.

mod naive;

use std::collections::BTreeMap;

use meeple_poker::{
    Card, CardSet, Category, Partial, Rank, Showdown, for_each_rank, rank, rank_batch,
    rank_batch_portable, showdown, showdown_batch, try_rank,
};
use meeple_rng::Rng;
use proptest::prelude::*;

fn cards(text: &str) -> CardSet {
    text.parse().expect("cards")
}

/// All five-card hands in order.
fn five_card_hands() -> impl Iterator<Item = [Card; 5]> {
    let card = Card::from_index;
    (0..52).flat_map(move |a| {
        (0..a).flat_map(move |b| {
            (0..b).flat_map(move |c| {
                (0..c).flat_map(move |d| {
                    (0..d).map(move |e| [card(a), card(b), card(c), card(d), card(e)])
                })
            })
        })
    })
}

fn random_cards(rng: &mut Rng, count: usize) -> CardSet {
    let mut cards = CardSet::EMPTY;
    while cards.len() < count {
        cards.insert(Card::from_index(rng.below(52)));
    }
    cards
}

#[test]
fn all_five_card_hands_match_the_oracle() {
    let sets: Vec<CardSet> =
        five_card_hands().map(|five| five.into_iter().collect::<CardSet>()).collect();
    let mut batch = vec![Rank::default(); sets.len()];
    let mut portable = batch.clone();
    rank_batch(&sets, &mut batch);
    rank_batch_portable(&sets, &mut portable);
    let mut value_of = BTreeMap::new();
    let mut hands = 0;
    for five in five_card_hands() {
        let set = sets[hands];
        let rank = rank(set);
        assert_eq!((batch[hands], portable[hands]), (rank, rank));
        assert_eq!(Partial::of(set).rank(), rank);
        let value = naive::value(five);
        assert_eq!(rank.category(), value.0);
        let known = value_of.entry(rank).or_insert_with(|| value.clone());
        assert_eq!(*known, value, "{set}");
        hands += 1;
    }
    assert_eq!(hands, 2_598_960);
    // One rank for each value, in the same order, without gaps.
    assert!(value_of.values().is_sorted_by(|a, b| a < b));
    assert!(value_of.keys().map(|rank| rank.number()).eq(1..=7462));
}

#[test]
fn six_and_seven_cards_rank_as_their_best_five() {
    let mut rng = Rng::new(1);
    for count in [6, 7].repeat(10_000) {
        let set = random_cards(&mut rng, count);
        let (category, ranks) = naive::best_value(set);
        let rank = rank(set);
        assert_eq!(rank.category(), category, "{set}");
        // A five-card hand of the oracle's value has the same rank.
        let chosen: Vec<Card> = set.into_iter().collect();
        let best = (0u32..1 << count)
            .filter(|subset| subset.count_ones() == 5)
            .map(|subset| (0..count).filter(|i| subset >> i & 1 == 1).map(|i| chosen[i]).collect())
            .map(|five: CardSet| (naive::best_value(five), meeple_poker::rank(five)))
            .max()
            .unwrap();
        assert_eq!((best.0.1, best.1), (ranks, rank), "{set}");
    }
}

/// Every seven-card hand, by the batch path and by the incremental one.
#[test]
fn seven_card_categories_match_the_published_counts() {
    let mut numbers = vec![0u64; 7463];
    let mut hands = Vec::new();
    let mut ranks = Vec::new();
    for a in 6..52 {
        for b in 5..a {
            for c in 4..b {
                let three = [a, b, c].map(Card::from_index).into_iter().collect::<CardSet>();
                hands.clear();
                let fixed = Partial::of(three);
                for d in 3..c {
                    let four = fixed.with(Card::from_index(d));
                    for e in 2..d {
                        let five = four.with(Card::from_index(e));
                        for f in 1..e {
                            let six = five.with(Card::from_index(f));
                            hands.extend((0..f).map(|g| six.with(Card::from_index(g))));
                        }
                    }
                }
                let sets: Vec<CardSet> = hands.iter().map(|hand| hand.cards()).collect();
                ranks.resize(sets.len(), Rank::default());
                rank_batch(&sets, &mut ranks);
                for (hand, &rank) in hands.iter().zip(&ranks) {
                    assert_eq!(hand.rank(), rank);
                    numbers[usize::from(rank.number())] += 1;
                }
            }
        }
    }
    assert_eq!(numbers.iter().filter(|&&count| count > 0).count(), 4824);
    let mut categories = [0u64; 9];
    let mut sum = 0;
    for (number, &count) in numbers.iter().enumerate().skip(1) {
        sum += number as u64 * count;
    }
    for five in five_card_hands() {
        let rank = rank(five.into_iter().collect());
        let count = std::mem::take(&mut numbers[usize::from(rank.number())]);
        categories[rank.category() as usize] += count;
    }
    let published = [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848,
        41_584,
    ];
    assert_eq!(categories, published);
    assert_eq!(sum, 450_468_187_308);
}

#[test]
fn bulk_enumeration_counts_every_hand() {
    let mut counts = [0u64; 9];
    let mut sum = 0;
    for_each_rank(CardSet::EMPTY, CardSet::DECK, 7, |rank, hands| {
        counts[rank.category() as usize] += u64::from(hands);
        sum += u64::from(rank.number()) * u64::from(hands);
    });
    assert_eq!(counts.iter().sum::<u64>(), 133_784_560);
    assert_eq!(counts[Category::Flush as usize], 4_047_644);
    assert_eq!(sum, 450_468_187_308);
}

/// Every completion, one by one.
fn complete(deck: &[Card], missing: usize, hand: CardSet, visit: &mut dyn FnMut(CardSet)) {
    if missing == 0 {
        visit(hand);
        return;
    }
    for (index, &card) in deck.iter().enumerate() {
        complete(&deck[index + 1..], missing - 1, hand | card.into(), visit);
    }
}

#[test]
fn bulk_enumeration_matches_one_by_one() {
    let mut rng = Rng::new(3);
    for size in [5, 6, 7].repeat(20) {
        let missing = rng.below(4);
        let fixed = random_cards(&mut rng, size - missing);
        let dead = rng.below(30);
        let deck = !random_cards(&mut rng, dead) - fixed;
        let (mut found, mut expected) = (BTreeMap::new(), BTreeMap::new());
        for_each_rank(fixed, deck, size, |rank, hands| *found.entry(rank).or_insert(0) += hands);
        let deck: Vec<Card> = deck.into_iter().collect();
        complete(&deck, missing, fixed, &mut |hand| *expected.entry(rank(hand)).or_insert(0) += 1);
        assert_eq!(found, expected);
    }
}

#[test]
fn descriptions() {
    let check = |text: &str, expected: &str| assert_eq!(rank(cards(text)).to_string(), expected);
    check("KhKcKd3s3dAc9h", "full house, kings over threes");
    check("KhKcKdKs3dAc9h", "four of a kind, kings, ace kicker");
    check("AsKsQsJsTs", "royal flush");
    check("As2s3s4s5s", "straight flush, five high");
    check("6s2s3s4s5dAd", "straight, six high");
    check("AhKh9h5h2h", "flush, ace-king-nine-five-deuce");
    check("AhKh9h5d2h", "high card, ace-king-nine-five-deuce");
    check("7h5h4h3d2h", "high card, seven-five-four-three-deuce");
    check("AhAd9h5d2h", "pair of aces, nine-five-deuce kickers");
    check("2h2d3h4d5h", "pair of deuces, five-four-three kickers");
    check("AhAd9h9d2h", "two pair, aces and nines, deuce kicker");
    check("AhAdAc9d2h", "three of a kind, aces, nine-deuce kickers");
    assert_eq!(Rank::BEST, rank(cards("AsKsQsJsTs")));
}

/// The description of every rank names the deciding card ranks of its hands.
#[test]
fn every_class_is_described_by_its_own_cards() {
    let mut seen = vec![false; 7463];
    for five in five_card_hands() {
        let rank = rank(five.into_iter().collect());
        if std::mem::replace(&mut seen[usize::from(rank.number())], true) {
            continue;
        }
        let (category, mut ranks) = naive::value(five);
        ranks.dedup();
        let text = rank.to_string();
        let named = text.trim_start_matches(category.name());
        let named: Vec<&str> = named
            .split([' ', ',', '-'])
            .filter(|word| ranks.iter().any(|rank| *word == rank.name() || *word == rank.plural()))
            .collect();
        let straight = matches!(category, Category::Straight | Category::StraightFlush);
        if !straight {
            let expected: Vec<&str> = ranks.iter().map(|rank| rank.name()).collect();
            let singular = |word: &&str| {
                let all = meeple_poker::CardRank::ALL.into_iter();
                all.clone().find(|r| r.plural() == *word || r.name() == *word).unwrap().name()
            };
            assert_eq!(named.iter().map(singular).collect::<Vec<_>>(), expected, "{rank}");
        } else if rank != Rank::BEST {
            assert_eq!(named, [ranks[0].name()]);
        }
    }
}

#[test]
fn a_batch_may_mix_sizes_and_have_any_length() {
    let mut rng = Rng::new(2);
    for length in [0, 1, 15, 16, 17, 100, 1023, 1024, 1025, 3000] {
        for mixed in [false, true] {
            let hands: Vec<CardSet> = (0..length)
                .map(|_| {
                    let count = if mixed { 5 + rng.below(3) } else { 7 };
                    random_cards(&mut rng, count)
                })
                .collect();
            let mut fast = vec![Rank::default(); length];
            let mut portable = fast.clone();
            rank_batch(&hands, &mut fast);
            rank_batch_portable(&hands, &mut portable);
            assert_eq!(fast, portable);
        }
    }
}

#[test]
fn a_wrong_number_of_cards_has_no_rank() {
    assert_eq!(try_rank(cards("As")), None);
    assert_eq!(try_rank(CardSet::DECK), None);
    assert_eq!(try_rank(cards("AsKsQsJsTs9s8s7s")), None);
    assert_eq!(try_rank(cards("AsKsQsJsTs")), Some(Rank::BEST));
}

#[test]
#[should_panic(expected = "five to seven cards, not the 4 of [AsKsQsJs]")]
fn ranking_four_cards_panics() {
    let _ = rank(cards("AsKsQsJs"));
}

proptest! {
    #[test]
    fn ranks_are_invariant_under_suit_isomorphism(bits in any::<u64>(), shift in 1u32..4) {
        let set = CardSet::from_bits(bits);
        let turned = CardSet::from_bits(set.bits().rotate_left(16 * shift));
        prop_assert_eq!(try_rank(set), try_rank(turned));
    }

    #[test]
    fn an_additional_card_never_lowers_the_rank(seed in any::<u64>(), count in 5usize..7) {
        let mut rng = Rng::new(seed);
        let set = random_cards(&mut rng, count);
        for card in !set {
            prop_assert!(rank(set | card.into()) >= rank(set));
        }
    }

    #[test]
    fn showdowns_agree(seed in any::<u64>(), players in 2usize..10) {
        let mut rng = Rng::new(seed);
        let mut left = CardSet::DECK;
        let mut deal = |count: usize| {
            let mut dealt = CardSet::EMPTY;
            while dealt.len() < count {
                let card = Card::from_index(rng.below(52));
                if left.contains(card) {
                    dealt.insert(card);
                    left = left - card.into();
                }
            }
            dealt
        };
        let hands: Vec<CardSet> = (0..players).map(|_| deal(2)).collect();
        let boards = [deal(5), deal(5)];
        let none = Showdown { best: Rank::default(), winners: 0 };
        let mut results = [none; 2];
        showdown_batch(&boards, &hands, &mut results);
        for (board, result) in boards.into_iter().zip(results) {
            prop_assert_eq!(showdown(board, &hands), result);
            for (player, &hand) in hands.iter().enumerate() {
                let wins = rank(board | hand) == result.best;
                prop_assert_eq!(result.winners().any(|winner| winner == player), wins);
            }
        }
    }
}
