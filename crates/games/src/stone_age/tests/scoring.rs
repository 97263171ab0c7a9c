//! Tests of the final scoring, by hand and against a naive scorer.

use meeple_game::{ActionList, Game, Player, Rng, playout};

use super::config;
use crate::stone_age::data::{Bottom, CARD, CARDS};
use crate::stone_age::{StoneAge, Tribe};

fn tribe(cards: &[usize]) -> Tribe {
    let mut tribe = Tribe::START;
    cards.iter().for_each(|&card| tribe.cards.add(card));
    tribe
}

#[test]
fn sets_of_green_cards_score_their_squares() {
    for (cards, points) in [
        (&[][..], 0),
        (&[0], 1),
        (&[0, 1], 2),      // medicine twice: two sets of one
        (&[0, 2], 4),      // medicine and writing
        (&[0, 1, 2], 5),   // a set of two and one of one
        (&[14, 14, 0], 5), // both copies of the music card
        (&[0, 2, 4, 6, 8, 10, 12, 14], 64),
        (&[0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5], 64 + 9),
        (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14], 128),
    ] {
        assert_eq!(tribe(cards).sheet().sets, points, "{cards:?}");
    }
}

#[test]
fn people_multiply_the_value_of_their_role() {
    // Farmers 1 + 2, tool makers 2 + 2 + 1, builders 3, shamans 2.
    let mut tribe = tribe(&[25, 26, 30, 30, 32, 20, 16]);
    tribe.agriculture = 4;
    tribe.tools = [2, 2, 1];
    tribe.one_use = 4;
    tribe.figures = 7;
    [0, 3, 3, 13].into_iter().for_each(|building| tribe.buildings.add(building));
    tribe.resources = [1, 0, 2, 5];
    tribe.food = 99;
    let sheet = tribe.sheet();
    assert_eq!(sheet.people, [3 * 4, 5 * 5, 3 * 4, 2 * 7]);
    assert_eq!((sheet.sets, sheet.resources), (0, 8));
    assert_eq!(sheet.total(), 12 + 25 + 12 + 14 + 8);
}

#[test]
fn every_card_is_scored() {
    let people = |card: usize| match CARD[card].bottom {
        Bottom::Symbol(_) => None,
        Bottom::People { role, count } => Some((role, count)),
    };
    // Farmer 0, tool maker 1, builder 2, shaman 3, as printed.
    let printed = [
        (15, (3, 2)),
        (16, (3, 2)),
        (17, (3, 1)),
        (18, (3, 1)),
        (19, (3, 1)),
        (20, (2, 3)),
        (21, (2, 2)),
        (22, (2, 2)),
        (23, (2, 1)),
        (24, (2, 1)),
        (25, (0, 1)),
        (26, (0, 2)),
        (27, (0, 2)),
        (28, (0, 1)),
        (29, (0, 1)),
        (30, (1, 2)),
        (31, (1, 2)),
        (32, (1, 1)),
        (33, (1, 1)),
    ];
    let printed = |card| printed.iter().find(|&&(at, _)| at == card).map(|&(_, what)| what);
    for card in 0..CARDS {
        assert_eq!(people(card), printed(card), "card {card}");
        let mut tribe = tribe(&[card]);
        (tribe.agriculture, tribe.tools, tribe.figures) = (3, [2, 1, 1], 8);
        tribe.buildings.add(7);
        let expected = printed(card).map_or(1, |(role, count)| count * [3, 4, 1, 8][role as usize]);
        assert_eq!(tribe.sheet().total(), i16::from(expected), "card {card}");
    }
    let symbols = [6, 6, 7, 7, 3, 3, 0, 0, 4, 4, 2, 2, 1, 1, 5];
    for (card, symbol) in symbols.into_iter().enumerate() {
        assert_eq!(CARD[card].bottom, Bottom::Symbol(symbol), "card {card}");
    }
}

/// The final scoring computed card by card from the observation of one player.
fn naive_points(cells: &[i32]) -> i32 {
    let (agriculture, tools) = (cells[7], cells[8..11].iter().sum::<i32>());
    let (figures, buildings) = (cells[5], cells[51..73].iter().sum::<i32>());
    let mut points = cells[..4].iter().sum::<i32>();
    let mut symbols = [0; 8];
    for (card, &count) in cells[17..51].iter().enumerate() {
        match CARD[card].bottom {
            Bottom::Symbol(symbol) => symbols[symbol as usize] += count,
            Bottom::People { role, count: people } => {
                let value = [agriculture, tools, buildings, figures][role as usize];
                points += count * i32::from(people) * value;
            }
        }
    }
    while symbols.iter().any(|&count| count > 0) {
        let size = symbols.iter().filter(|&&count| count > 0).count() as i32;
        points += size * size;
        symbols.iter_mut().for_each(|count| *count = (*count - 1).max(0));
    }
    points
}

#[test]
fn the_sheet_agrees_with_a_naive_scorer() {
    for json in [r#"{"players": 2}"#, r#"{"players": 4, "rules": "document"}"#] {
        for seed in 0..500 {
            let mut game = StoneAge::new(&config(json));
            playout(&mut game, &mut Rng::new(seed), &mut ActionList::new());
            let mut cells = vec![0; game.observation().len()];
            for player in Player::all(game.players()) {
                game.observe(player, &mut cells);
                let tribe = &game.tribes[player.index()];
                let points = naive_points(&cells[94..167]);
                assert_eq!(i32::from(tribe.sheet().total()), points, "{json} seed {seed}");
                assert_eq!(game.score(player), cells[94 + 14]);
            }
        }
    }
}
