//! Exact equities of known hands from the flop on, against dealing every board.

use meeple_poker::{Card, CardSet, Category, EquityOptions, Holding, Method, equity, rank};
use meeple_rng::Rng;

/// Visits all boards of five cards from `deck`.
fn for_each_board(deck: &[Card], board: CardSet, visit: &mut dyn FnMut(CardSet)) {
    if board.len() == 5 {
        visit(board);
        return;
    }
    for (index, &card) in deck.iter().enumerate() {
        for_each_board(&deck[index + 1..], board | card.into(), visit);
    }
}

/// Wins, ties and counts by category of one player.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    wins: f64,
    ties: f64,
    categories: [f64; Category::ALL.len()],
}

/// Deals from few ranks and suits too, so that flushes, full houses and ties are
/// frequent.
#[test]
fn counts_match_dealing_every_board() {
    let mut rng = Rng::new(5);
    for trial in 0..400 {
        let suits = [4, 4, 2, 1][trial % 4];
        let players = if suits == 1 { 2 } else { 2 + trial / 4 % 9 };
        let board_size = 3 + rng.below(3);
        let dead = if suits == 4 { rng.below(20) } else { 0 };
        // Cards of a few suits first, then the others.
        let mut cards: Vec<Card> =
            Card::all().filter(|card| (card.suit() as usize) < suits).collect();
        rng.shuffle(&mut cards);
        let mut rest: Vec<Card> =
            Card::all().filter(|card| card.suit() as usize >= suits).collect();
        rng.shuffle(&mut rest);
        cards.extend(rest);
        let mut dealt = cards.iter().copied();
        let mut deal = |count: usize| dealt.by_ref().take(count).collect::<CardSet>();
        let board = deal(board_size);
        let hands: Vec<CardSet> = (0..players).map(|_| deal(2)).collect();
        let dead = deal(dead);
        let deck: Vec<Card> = dealt.collect();

        let mut expected = vec![Counts::default(); players];
        let mut boards = 0.0;
        for_each_board(&deck, board, &mut |board| {
            boards += 1.0;
            let ranks: Vec<_> = hands.iter().map(|&hand| rank(hand | board)).collect();
            let best = ranks.iter().max().unwrap();
            let winners = ranks.iter().filter(|rank| *rank == best).count();
            for (counts, rank) in expected.iter_mut().zip(&ranks) {
                counts.wins += f64::from(u8::from(rank == best && winners == 1));
                counts.ties += f64::from(u8::from(rank == best && winners > 1));
                counts.categories[rank.category() as usize] += 1.0;
            }
        });
        let players: Vec<Holding> = hands.iter().map(|&hand| hand.into()).collect();
        let options =
            EquityOptions { method: Method::Exact, dead, categories: true, ..Default::default() };
        let found = equity(&players, board, &options).unwrap();
        let counts: Vec<Counts> = found
            .players
            .iter()
            .map(|player| Counts {
                wins: player.wins,
                ties: player.ties,
                categories: player.categories.unwrap(),
            })
            .collect();
        assert_eq!(counts, expected, "{hands:?} on {board} without {dead}");
        assert_eq!((found.deals, found.method), (boards, Method::Exact));
    }
}
