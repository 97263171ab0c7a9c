//! The suite `poker`: hand ranking, showdowns, sampled and exact equities.

use std::hint::black_box;

use anyhow::anyhow;
use meeple_game::Rng;
use meeple_poker::{
    Card, CardSet, Combo, EquityOptions, Holding, Method, Partial, Rank, Showdown, Variant,
    count_matchup, equity, for_each_rank, matchup, rank, rank_batch, rank_batch_portable, showdown,
    showdown_batch, validate_sampling,
};

use super::measure::ns_per_op;
use super::record::{Row, Unit};
use crate::failure::Failure;
use crate::progress::Doing;
use crate::{interrupt, show};

/// Random hands to rank: more than fit in the L1 cache.
const HANDS: usize = 1 << 16;
/// The number of seven-card hands: 52 choose 7.
const ALL_HANDS: f64 = 133_784_560.0;
/// Deals per sampled equity.
const DEALS: u64 = 1 << 18;

const SEATS: [&str; 9] = ["AhAs", "KdKc", "QhQs", "JcTc", "8d8h", "7s6s", "5c5d", "Th9h", "4s3s"];
const NARROW: &str = "QQ+,AKs";
const WIDE: &str = "22+,A2s+,K9s+,QTs+";

pub(super) fn measure(only: Option<&str>, verbose: bool) -> Vec<Row> {
    let mut bench = Bench { only, doing: Doing::new(), rows: Vec::new() };
    measure_ranks(&mut bench, verbose);
    measure_samples(&mut bench, verbose);
    measure_exact(&mut bench, verbose);
    bench.rows
}

/// Validates sampled against exact equities; fails if too many lie outside their confidence
/// interval.
pub(super) fn validate() -> Result<(), Failure> {
    const EQUITIES: u64 = 100_000;
    let doing = Doing::new();
    doing.say("validating sampled equities");
    let found = validate_sampling(EQUITIES, 0, 0).map_err(Failure::usage)?;
    drop(doing);
    let share = found.misses as f64 / found.trials as f64;
    show::remark(&format!(
        "{} of {} sampled equities outside their 95 % interval: {}",
        show::grouped(found.misses),
        show::grouped(found.trials),
        show::percent(share),
    ));
    // 5 % are expected outside; 5.5 % is seven standard deviations above.
    if share > 0.055 {
        return Err(Failure::Failed(anyhow!(
            "too many equities outside their 95 % interval, expected at most 5.5 %"
        )));
    }
    Ok(())
}

struct Bench<'a> {
    only: Option<&'a str>,
    doing: Doing,
    rows: Vec<Row>,
}

impl Bench<'_> {
    /// Measures one row, unless it is filtered out.
    fn add(&mut self, part: &str, unit: Unit, measure: impl FnOnce() -> f64) {
        let name = format!("poker/{part}");
        if self.only.is_none_or(|only| name.contains(only)) && !interrupt::asked() {
            self.doing.say(&name);
            self.rows.push(Row { name, unit, value: measure() });
        }
    }

    /// Measures sampled deals per second.
    fn sample(&mut self, part: &str, players: &[&str], board: &str, variant: Variant) {
        self.add(&format!("sample/{part}"), Unit::DealsPerSecond, || {
            let (players, board) = read(players, board, variant);
            let method = Method::Sample;
            let options = EquityOptions { variant, method, deals: DEALS, ..Default::default() };
            1e9 * DEALS as f64 / time_equity(&players, board, &options)
        });
    }

    /// Measures the nanoseconds of one exact equity.
    fn exact(&mut self, part: &str, players: &[&str], board: &str) {
        self.add(&format!("exact/{part}"), Unit::NsPerOp, || {
            let (players, board) = read(players, board, Variant::Holdem);
            let options = EquityOptions { method: Method::Exact, ..Default::default() };
            time_equity(&players, board, &options)
        });
    }
}

fn read(players: &[&str], board: &str, variant: Variant) -> (Vec<Holding>, CardSet) {
    let holding = |text: &&str| Holding::parse(text, variant).expect("a valid hand");
    (players.iter().map(holding).collect(), board.parse().expect("a valid board"))
}

fn time_equity(players: &[Holding], board: CardSet, options: &EquityOptions) -> f64 {
    ns_per_op(|times| {
        for _ in 0..times {
            black_box(equity(black_box(players), board, options).expect("valid arguments"));
        }
    })
}

/// Returns the nanoseconds per item; `work` processes all `items`.
fn ns_each(items: f64, mut work: impl FnMut()) -> f64 {
    ns_per_op(|times| (0..times).for_each(|_| work())) / items
}

fn random_cards(rng: &mut Rng, count: usize) -> CardSet {
    let mut cards = CardSet::EMPTY;
    while cards.len() < count {
        cards.insert(Card::from_index(rng.below(52)));
    }
    cards
}

fn measure_ranks(bench: &mut Bench<'_>, verbose: bool) {
    let mut rng = Rng::new(1);
    let hands: Vec<CardSet> = (0..HANDS).map(|_| random_cards(&mut rng, 7)).collect();
    let mut ranks = vec![Rank::default(); HANDS];
    let all = HANDS as f64;
    bench.add("rank/batch", Unit::NsPerOp, || ns_each(all, || rank_batch(&hands, &mut ranks)));
    bench.add("rank/one", Unit::NsPerOp, || {
        ns_each(all, || {
            for &hand in &hands {
                black_box(rank_alone(hand));
            }
        })
    });
    bench.add("rank/one_inlined", Unit::NsPerOp, || {
        ns_each(all, || {
            black_box(hands.iter().fold(0, |sum, &hand| sum + u64::from(rank(hand).number())));
        })
    });
    let partials: Vec<Partial> = hands.iter().map(|&hand| Partial::of(hand)).collect();
    bench.add("rank/partial", Unit::NsPerOp, || {
        ns_each(all, || {
            black_box(partials.iter().fold(0, |sum, hand| sum + u64::from(hand.rank().number())));
        })
    });
    let cards: Vec<Vec<Card>> = hands.iter().map(|&hand| shuffled(hand, &mut rng)).collect();
    let cards: Vec<[Card; 7]> = cards.iter().filter_map(|all| all[..].try_into().ok()).collect();
    bench.add("rank/from_cards", Unit::NsPerOp, || {
        ns_each(all, || {
            let rank = |cards: &[Card; 7]| {
                let hand = cards.iter().fold(Partial::EMPTY, |hand, &card| hand.with(card));
                u64::from(hand.rank().number())
            };
            black_box(cards.iter().fold(0, |sum, cards| sum + rank(cards)));
        })
    });
    let dealt: Vec<(CardSet, CardSet)> = (0..1024)
        .map(|_| {
            let nine = shuffled(random_cards(&mut rng, 9), &mut rng);
            (nine[..4].iter().copied().collect(), nine[4..].iter().copied().collect())
        })
        .collect();
    bench.add("rank/omaha", Unit::NsPerOp, || {
        ns_each(dealt.len() as f64, || {
            for &(hole, board) in &dealt {
                black_box(Variant::Omaha.rank(hole, board));
            }
        })
    });
    bench.add("rank/all_in_sequence", Unit::NsPerOp, || {
        ns_each(ALL_HANDS, || {
            let mut sum = 0;
            for_each_rank(CardSet::EMPTY, CardSet::DECK, 7, |rank, hands| {
                sum += u64::from(rank.number()) * u64::from(hands);
            });
            black_box(sum);
        })
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
    bench.add("showdown/batch", Unit::NsPerOp, || {
        ns_each(all, || showdown_batch(&boards, &players, &mut results))
    });
    if !verbose {
        return;
    }
    bench.add("rank/batch_portable", Unit::NsPerOp, || {
        ns_each(all, || rank_batch_portable(&hands, &mut ranks))
    });
    bench.add("showdown/one", Unit::NsPerOp, || {
        ns_each(all, || {
            for &board in &boards {
                black_box(showdown(board, &players));
            }
        })
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

fn measure_samples(bench: &mut Bench<'_>, verbose: bool) {
    let holdem = Variant::Holdem;
    bench.sample("preflop", &SEATS[..2], "", holdem);
    bench.sample("flop", &SEATS[..2], "2c7h9d", holdem);
    bench.sample("turn", &SEATS[..2], "2c7h9d3s", holdem);
    bench.sample("river", &SEATS[..2], "2c7h9d3sTs", holdem);
    for players in [3, 4, 6, 9] {
        bench.sample(&format!("{players}_players"), &SEATS[..players], "", holdem);
    }
    let random = ["AhAs", "random", "random", "random", "random", "random"];
    bench.sample("against_5_random", &random, "", holdem);
    bench.sample("range_against_range", &[NARROW, WIDE], "", holdem);
    if verbose {
        bench.sample("short_deck", &["AhAs", "KdKc"], "", Variant::ShortDeck);
        bench.sample("omaha", &["AhAsKhKs", "QdJdTc9c"], "", Variant::Omaha);
        bench.sample("omaha5", &["AhAsKhKs2d", "QdJdTc9c8h"], "", Variant::Omaha5);
    }
}

fn measure_exact(bench: &mut Bench<'_>, verbose: bool) {
    let combo =
        |text: &str| Combo::from_set(text.parse().expect("valid cards")).expect("two cards");
    let (aces, kings) = (combo("AhAs"), combo("KdKc"));
    bench.add("exact/preflop_counted", Unit::NsPerOp, || {
        ns_each(1.0, || {
            black_box(count_matchup(black_box(aces), kings));
        })
    });
    let mut rng = Rng::new(2);
    let all: Vec<Combo> = Combo::all().collect();
    let pairs: Vec<(Combo, Combo)> =
        (0..HANDS).map(|_| (*rng.pick(&all), *rng.pick(&all))).collect();
    bench.add("exact/preflop_table", Unit::NsPerOp, || {
        ns_each(HANDS as f64, || {
            for &(hero, villain) in &pairs {
                black_box(matchup(hero, villain));
            }
        })
    });
    bench.exact("flop_hands", &SEATS[..2], "2c7h9d");
    bench.exact("flop_hands_flush_draw", &SEATS[..2], "2h7h9d");
    bench.exact("turn_hands", &SEATS[..2], "2c7h9d3s");
    bench.exact("flop_22_against_150_combos", &[NARROW, WIDE], "2c7h9d");
    bench.exact("flop_any_against_any", &["random", "random"], "2c7h9d");
    if verbose {
        bench.exact("river_hands", &SEATS[..2], "2c7h9d3sTs");
        bench.exact("flop_6_players", &SEATS[..6], "2c7h9d");
        bench.exact("preflop_22_against_150_combos", &[NARROW, WIDE], "");
        bench.exact("preflop_any_against_any", &["random", "random"], "");
        bench.exact("preflop_3_players", &SEATS[..3], "");
        bench.exact("preflop_6_players", &SEATS[..6], "");
    }
}
