//! The small games against published values.

use meeple_game::{Action, Game, OutcomeList, Player, Turn, choices};
use meeple_games::small::{ConnectFour, Kuhn, Leduc, Pig, TicTacToe};
use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! readme {
    ($game:literal) => {
        include_str!(concat!("../src/small/", $game, "/README.md"))
    };
}

/// Checks that a README states `count`, written with commas, followed by `what`.
#[track_caller]
fn states(readme: &str, count: u64, what: &str) {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| str::from_utf8(group).expect("digits are ASCII"))
        .collect();
    let sentence = format!("{}{what}", groups.join(","));
    let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(readme.contains(&sentence), "the README does not say {sentence:?}");
}

fn after<G: Game>(game: &G, action: Action) -> G {
    let mut next = *game;
    next.apply(action);
    next
}

fn count_terminals<G: Game>(game: &G) -> u64 {
    match game.turn() {
        Turn::Over => 1,
        _ => choices(game).into_iter().map(|action| count_terminals(&after(game, action))).sum(),
    }
}

fn collect_keys<G: Game>(game: &G, keys: &mut FxHashSet<u64>) {
    if keys.insert(game.key()) {
        choices(game).into_iter().for_each(|action| collect_keys(&after(game, action), keys));
    }
}

/// The minimax value for the first player.
fn minimax<G: Game>(game: &G, table: &mut FxHashMap<u64, f32>) -> f32 {
    let Turn::Player(mover) = game.turn() else { return game.payoffs()[0] };
    if let Some(&value) = table.get(&game.key()) {
        return value;
    }
    let values = choices(game).into_iter().map(|action| minimax(&after(game, action), table));
    let value = if mover == Player(0) {
        values.fold(f32::NEG_INFINITY, f32::max)
    } else {
        values.fold(f32::INFINITY, f32::min)
    };
    table.insert(game.key(), value);
    value
}

/// Collects the information sets of decision nodes.
fn collect_info_keys<G: Game>(game: &G, keys: &mut FxHashSet<(Player, u64)>) {
    if let Turn::Player(player) = game.turn() {
        keys.insert((player, game.info_key(player)));
    }
    choices(game).into_iter().for_each(|action| collect_info_keys(&after(game, action), keys));
}

fn info_sets<G: Game>(game: &G) -> usize {
    let mut keys = FxHashSet::default();
    collect_info_keys(game, &mut keys);
    keys.len()
}

#[test]
fn tic_tac_toe() {
    let start = TicTacToe::new(&Default::default());
    assert_eq!(count_terminals(&start), 255_168);
    states(readme!("tic_tac_toe"), 255_168, " complete games");
    let mut keys = FxHashSet::default();
    collect_keys(&start, &mut keys);
    assert_eq!(keys.len(), 5478);
    states(readme!("tic_tac_toe"), 5478, " distinct positions");
    assert_eq!(minimax(&start, &mut FxHashMap::default()), 0.0);
}

#[test]
fn connect_four_positions_by_ply() {
    let published = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275, 558_186];
    let mut layer = vec![ConnectFour::new(&Default::default())];
    for count in published {
        assert_eq!(layer.len(), count);
        states(readme!("connect_four"), count as u64, if count == 558_186 { "." } else { "," });
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for game in &layer {
            for action in choices(game) {
                let game = after(game, action);
                if seen.insert(game.key()) {
                    next.push(game);
                }
            }
        }
        layer = next;
    }
}

#[test]
fn kuhn_tree() {
    let start = Kuhn::new(&Default::default());
    assert_eq!(count_terminals(&start), 30);
    states(readme!("kuhn"), 30, " terminal histories");
    assert_eq!(info_sets(&start), 12);
    states(readme!("kuhn"), 12, " information sets");
}

/// A behaviour strategy: the probability to bet or call with each card, at each of the two
/// decision points of a seat.
type KuhnStrategy = [[f64; 3]; 2];

/// The expected chips of the first seat when both follow their strategies.
fn kuhn_value(
    game: &Kuhn,
    strategies: [&KuhnStrategy; 2],
    points: [usize; 2],
    cards: [usize; 2],
) -> f64 {
    match game.turn() {
        Turn::Over => 2.0 * f64::from(game.payoffs()[0]),
        Turn::Chance => {
            let mut outcomes = OutcomeList::new();
            game.chance_outcomes(&mut outcomes);
            let second = outcomes.len() == 2;
            let dealt = |outcome: &meeple_game::Outcome| {
                let card = outcome.action.index();
                let cards = if second { [cards[0], card] } else { [card, 0] };
                let value = kuhn_value(&after(game, outcome.action), strategies, points, cards);
                outcome.probability * value
            };
            outcomes.iter().map(dealt).sum()
        }
        Turn::Player(player) => {
            let seat = player.index();
            let bet = strategies[seat][points[seat]][cards[seat]];
            let mut later = points;
            later[seat] = 1;
            // The decision point of the second seat depends on the first action.
            let value = |action| {
                let mut points = later;
                if seat == 0 && points[1] == 0 {
                    points[1] = usize::from(action == Action(1));
                }
                kuhn_value(&after(game, action), strategies, points, cards)
            };
            bet * value(Action(1)) + (1.0 - bet) * value(Action(0))
        }
    }
}

/// All 64 pure strategies.
fn pure_strategies() -> impl Iterator<Item = KuhnStrategy> {
    (0..64u32).map(|bits| {
        let at = |point: usize, card: usize| f64::from(bits >> (3 * point + card) & 1);
        [0, 1].map(|point| [0, 1, 2].map(|card| at(point, card)))
    })
}

/// Kuhn's equilibrium strategies guarantee -1/18 of a chip to both sides.
#[test]
fn kuhn_value_is_minus_one_eighteenth() {
    let start = Kuhn::new(&Default::default());
    let value = |first: &KuhnStrategy, second: &KuhnStrategy| {
        kuhn_value(&start, [first, second], [0, 0], [0, 0])
    };
    let second: KuhnStrategy = [[1.0 / 3.0, 0.0, 1.0], [0.0, 1.0 / 3.0, 1.0]];
    for alpha in [0.0, 0.2, 1.0 / 3.0] {
        let first: KuhnStrategy = [[alpha, 0.0, 3.0 * alpha], [0.0, alpha + 1.0 / 3.0, 1.0]];
        let floor = pure_strategies()
            .map(|strategy| value(&first, &strategy))
            .fold(f64::INFINITY, f64::min);
        assert!((floor + 1.0 / 18.0).abs() < 1e-6, "{floor}");
    }
    let ceiling = pure_strategies()
        .map(|strategy| value(&strategy, &second))
        .fold(f64::NEG_INFINITY, f64::max);
    assert!((ceiling + 1.0 / 18.0).abs() < 1e-6, "{ceiling}");
}

/// The number of terminal histories with all six cards distinct.
fn leduc_terminals(game: &Leduc, ways: u64, left: [u64; 3]) -> u64 {
    match game.turn() {
        Turn::Over => ways,
        Turn::Player(_) => {
            let next = |action| leduc_terminals(&after(game, action), ways, left);
            choices(game).into_iter().map(next).sum()
        }
        Turn::Chance => {
            let dealt = |action: Action| {
                let rank = action.index();
                let mut fewer = left;
                fewer[rank] -= 1;
                leduc_terminals(&after(game, action), ways * left[rank], fewer)
            };
            choices(game).into_iter().map(dealt).sum()
        }
    }
}

#[test]
fn leduc_tree() {
    let start = Leduc::new(&Default::default());
    assert_eq!(info_sets(&start), 288);
    states(readme!("leduc"), 288, " information sets");
    assert_eq!(leduc_terminals(&start, 1, [2; 3]), 5520);
    states(readme!("leduc"), 5520, " terminal histories");
}

/// A chance node of Pig and its successors.
struct Roll {
    /// The node after a 1, where the opponent rolls.
    bust: usize,
    /// The node after 2 to 6 and holding; `None` if that wins.
    held: [Option<usize>; 5],
    /// The node after 2 to 6 and rolling again.
    again: [usize; 5],
}

/// The chance nodes of the two-player game, found by playing and indexed by both scores and
/// the turn total.
fn pig_rolls(goal: usize) -> FxHashMap<usize, Roll> {
    let number = |game: &Pig| {
        let mover = match after(game, Action(2)).turn() {
            Turn::Player(player) => player.index(),
            turn => panic!("a roll of 2 leads to {turn:?}"),
        };
        let scores = [mover, 1 - mover].map(|seat| usize::from(game.scores()[seat]));
        (scores[0] * goal + scores[1]) * (goal + 1) + usize::from(game.pot())
    };
    let mut rolls = FxHashMap::default();
    let mut open = vec![Pig::new(&Default::default())];
    while let Some(game) = open.pop() {
        if rolls.contains_key(&number(&game)) {
            continue;
        }
        let bust = after(&game, Action(1));
        let rolled = [2, 3, 4, 5, 6].map(|pips| after(&game, Action(pips)));
        let held = rolled.map(|rolled| after(&rolled, Action(0)));
        let again = rolled.map(|rolled| after(&rolled, Action(1)));
        let goes_on = |game: &Pig| game.turn() != Turn::Over;
        let roll = Roll {
            bust: number(&bust),
            held: held.map(|held| goes_on(&held).then(|| number(&held))),
            again: again.map(|again| number(&again)),
        };
        rolls.insert(number(&game), roll);
        open.push(bust);
        open.extend(held.into_iter().filter(goes_on));
        open.extend(again);
    }
    rolls
}

/// Solves Pig to 100 by value iteration over its own moves; Neller and Presser
/// (2004) give 0.5306 for the first player.
#[test]
fn pig_first_player_wins_53_percent() {
    let rolls = pig_rolls(100);
    let mut order: Vec<usize> = rolls.keys().copied().collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    // The winning probability of the player who rolls.
    let mut wins = vec![0.5f64; 1 + order[0]];
    for sweep in 0.. {
        let mut change = 0.0f64;
        for &at in &order {
            let roll = &rolls[&at];
            let choose = |(held, again): (&Option<usize>, &usize)| {
                held.map_or(1.0, |held| 1.0 - wins[held]).max(wins[*again])
            };
            let scored: f64 = roll.held.iter().zip(&roll.again).map(choose).sum();
            let value = (scored + 1.0 - wins[roll.bust]) / 6.0;
            change = change.max((wins[at] - value).abs());
            wins[at] = value;
        }
        if change < 1e-6 {
            break;
        }
        assert!(sweep < 200, "value iteration does not settle");
    }
    assert!((wins[0] - 0.5306).abs() < 0.00005, "{}", wins[0]);
}
