//! The suite `poker`: hand ranking, showdowns, sampled and exact equities.

use std::hint::black_box;

use meeple_game::Rng;
use meeple_poker::{
    Card, CardSet, Combo, EquityOptions, Holding, Method, Partial, Rank, Showdown, Variant,
    count_matchup, equity, for_each_rank, matchup, rank, rank_batch, rank_batch_portable, showdown,
    showdown_batch,
};

use crate::{Bench, Unit};

/// Random hands to rank: more than fit in the L1 cache.
const HANDS: usize = 1 << 16;
/// The number of seven-card hands: 52 choose 7.
const ALL_HANDS: f64 = 133_784_560.0;
/// Deals per sampled equity.
const DEALS: u64 = 1 << 18;

const SEATS: [&str; 9] = ["AhAs", "KdKc", "QhQs", "JcTc", "8d8h", "7s6s", "5c5d", "Th9h", "4s3s"];
const NARROW: &str = "QQ+,AKs";
const WIDE: &str = "22+,A2s+,K9s+,QTs+";

pub(crate) fn measure(bench: &mut Bench<'_>, all: bool) {
    measure_ranks(bench, all);
    measure_samples(bench, all);
    measure_exact(bench, all);
}

/// Measures the nanoseconds per item; `work` processes all `items`.
fn each(bench: &mut Bench<'_>, part: &str, items: f64, work: &mut dyn FnMut()) {
    bench.add(format!("poker/{part}"), Unit::NsPerOp, &mut |bench| {
        bench.ns_per_op(&mut |times| (0..times).for_each(|_| work())) / items
    });
}

/// Measures sampled deals per second.
fn sample(bench: &mut Bench<'_>, part: &str, players: &[&str], board: &str, variant: Variant) {
    bench.add(format!("poker/sample/{part}"), Unit::DealsPerSecond, &mut |bench| {
        let (players, board) = read(players, board, variant);
        let method = Method::Sample;
        let options = EquityOptions { variant, method, deals: DEALS, ..Default::default() };
        1e9 * DEALS as f64 / time_equity(bench, &players, board, &options)
    });
}

/// Measures the nanoseconds of one exact equity.
fn exact(bench: &mut Bench<'_>, part: &str, players: &[&str], board: &str) {
    bench.add(format!("poker/exact/{part}"), Unit::NsPerOp, &mut |bench| {
        let (players, board) = read(players, board, Variant::Holdem);
        let options = EquityOptions { method: Method::Exact, ..Default::default() };
        time_equity(bench, &players, board, &options)
    });
}

fn read(players: &[&str], board: &str, variant: Variant) -> (Vec<Holding>, CardSet) {
    let holding = |text: &&str| Holding::parse(text, variant).expect("a valid hand");
    (players.iter().map(holding).collect(), board.parse().expect("a valid board"))
}

fn time_equity(
    bench: &Bench<'_>,
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
) -> f64 {
    bench.ns_per_op(&mut |times| {
        for _ in 0..times {
            black_box(equity(black_box(players), board, options).expect("valid arguments"));
        }
    })
}

fn random_cards(rng: &mut Rng, count: usize) -> CardSet {
    let mut cards = CardSet::EMPTY;
    while cards.len() < count {
        cards.insert(Card::from_index(rng.below(52)));
    }
    cards
}

fn measure_ranks(bench: &mut Bench<'_>, all: bool) {
    let mut rng = Rng::new(1);
    let hands: Vec<CardSet> = (0..HANDS).map(|_| random_cards(&mut rng, 7)).collect();
    let mut ranks = vec![Rank::default(); HANDS];
    let count = HANDS as f64;
    each(bench, "rank/batch", count, &mut || rank_batch(&hands, &mut ranks));
    each(bench, "rank/one", count, &mut || {
        for &hand in &hands {
            black_box(rank_alone(hand));
        }
    });
    each(bench, "rank/one_inlined", count, &mut || {
        black_box(hands.iter().fold(0, |sum, &hand| sum + u64::from(rank(hand).number())));
    });
    let partials: Vec<Partial> = hands.iter().map(|&hand| Partial::of(hand)).collect();
    each(bench, "rank/partial", count, &mut || {
        black_box(partials.iter().fold(0, |sum, hand| sum + u64::from(hand.rank().number())));
    });
    let cards: Vec<Vec<Card>> = hands.iter().map(|&hand| shuffled(hand, &mut rng)).collect();
    let cards: Vec<[Card; 7]> = cards.iter().filter_map(|all| all[..].try_into().ok()).collect();
    each(bench, "rank/from_cards", count, &mut || {
        let rank = |cards: &[Card; 7]| {
            let hand = cards.iter().fold(Partial::EMPTY, |hand, &card| hand.with(card));
            u64::from(hand.rank().number())
        };
        black_box(cards.iter().fold(0, |sum, cards| sum + rank(cards)));
    });
    let dealt: Vec<(CardSet, CardSet)> = (0..1024)
        .map(|_| {
            let nine = shuffled(random_cards(&mut rng, 9), &mut rng);
            (nine[..4].iter().copied().collect(), nine[4..].iter().copied().collect())
        })
        .collect();
    each(bench, "rank/omaha", dealt.len() as f64, &mut || {
        for &(hole, board) in &dealt {
            black_box(Variant::Omaha.rank(hole, board));
        }
    });
    each(bench, "rank/all_in_sequence", ALL_HANDS, &mut || {
        let mut sum = 0;
        for_each_rank(CardSet::EMPTY, CardSet::DECK, 7, |rank, hands| {
            sum += u64::from(rank.number()) * u64::from(hands);
        });
        black_box(sum);
    });
    let boards: Vec<CardSet> = hands.iter().map(|_| random_board(&mut rng)).collect();
    let players: Vec<CardSet> = read(&SEATS[..2], "", Variant::Holdem)
        .0
        .into_iter()
        .filter_map(|holding| match holding {
            Holding::Hand(hand) => Some(hand),
            Holding::Range(_) | Holding::Random => None,
        })
        .collect();
    let mut results = vec![Showdown { best: Rank::default(), winners: 0 }; HANDS];
    each(bench, "showdown/batch", count, &mut || showdown_batch(&boards, &players, &mut results));
    if !all {
        return;
    }
    each(bench, "rank/batch_portable", count, &mut || rank_batch_portable(&hands, &mut ranks));
    each(bench, "showdown/one", count, &mut || {
        for &board in &boards {
            black_box(showdown(board, &players));
        }
    });
}

/// The cards of a set in random order.
fn shuffled(cards: CardSet, rng: &mut Rng) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.into_iter().collect();
    rng.shuffle(&mut cards);
    cards
}

/// Prevents inlining, to measure a single call.
#[inline(never)]
fn rank_alone(hand: CardSet) -> Rank {
    rank(hand)
}

/// Returns a board without the cards of the first two players.
fn random_board(rng: &mut Rng) -> CardSet {
    let players: CardSet = "AhAsKdKc".parse().expect("valid cards");
    loop {
        let board = random_cards(rng, 5);
        if !board.intersects(players) {
            return board;
        }
    }
}

fn measure_samples(bench: &mut Bench<'_>, all: bool) {
    let holdem = Variant::Holdem;
    sample(bench, "preflop", &SEATS[..2], "", holdem);
    sample(bench, "flop", &SEATS[..2], "2c7h9d", holdem);
    sample(bench, "turn", &SEATS[..2], "2c7h9d3s", holdem);
    sample(bench, "river", &SEATS[..2], "2c7h9d3sTs", holdem);
    for players in [3, 4, 6, 9] {
        sample(bench, &format!("{players}_players"), &SEATS[..players], "", holdem);
    }
    let random = ["AhAs", "random", "random", "random", "random", "random"];
    sample(bench, "against_5_random", &random, "", holdem);
    sample(bench, "range_against_range", &[NARROW, WIDE], "", holdem);
    if all {
        sample(bench, "short_deck", &["AhAs", "KdKc"], "", Variant::ShortDeck);
        sample(bench, "omaha", &["AhAsKhKs", "QdJdTc9c"], "", Variant::Omaha);
        sample(bench, "omaha5", &["AhAsKhKs2d", "QdJdTc9c8h"], "", Variant::Omaha5);
    }
}

fn measure_exact(bench: &mut Bench<'_>, all: bool) {
    let combo =
        |text: &str| Combo::from_set(text.parse().expect("valid cards")).expect("two cards");
    let (aces, kings) = (combo("AhAs"), combo("KdKc"));
    each(bench, "exact/preflop_counted", 1.0, &mut || {
        black_box(count_matchup(black_box(aces), kings));
    });
    let mut rng = Rng::new(2);
    let combos: Vec<Combo> = Combo::all().collect();
    let pairs: Vec<(Combo, Combo)> =
        (0..HANDS).map(|_| (*rng.pick(&combos), *rng.pick(&combos))).collect();
    each(bench, "exact/preflop_table", HANDS as f64, &mut || {
        for &(hero, villain) in &pairs {
            black_box(matchup(hero, villain));
        }
    });
    exact(bench, "flop_hands", &SEATS[..2], "2c7h9d");
    exact(bench, "flop_hands_flush_draw", &SEATS[..2], "2h7h9d");
    exact(bench, "turn_hands", &SEATS[..2], "2c7h9d3s");
    exact(bench, "flop_22_against_150_combos", &[NARROW, WIDE], "2c7h9d");
    exact(bench, "flop_any_against_any", &["random", "random"], "2c7h9d");
    if all {
        exact(bench, "river_hands", &SEATS[..2], "2c7h9d3sTs");
        exact(bench, "flop_6_players", &SEATS[..6], "2c7h9d");
        exact(bench, "preflop_22_against_150_combos", &[NARROW, WIDE], "");
        exact(bench, "preflop_any_against_any", &["random", "random"], "");
        exact(bench, "preflop_3_players", &SEATS[..3], "");
        exact(bench, "preflop_6_players", &SEATS[..6], "");
    }
}
