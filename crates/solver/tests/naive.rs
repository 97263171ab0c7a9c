//! Values and best responses by a second implementation that is slow and plain: in 64-bit
//! floats, hand against hand, card by card, by what the solver says of each line.

use meeple_poker::{Card, CardSet, Combo, rank};
use meeple_solver::{NodeReport, Seat, Solver, SolverOptions, Spot, TreeOptions, parse_sizes};

type Hands = Vec<(Combo, f64)>;

struct Naive<'a> {
    solver: &'a Solver,
    seat: Seat,
    /// Whether the player responds best instead of following the solution.
    best: bool,
    own: Vec<Combo>,
}

impl Naive<'_> {
    /// The values of the player's hands, with half of the first pot taken off.
    fn values(&self, line: &str, opponent: &Hands) -> Vec<f64> {
        let node = self.solver.node(line).expect("a line of the tree");
        let mut values = vec![0.0; self.own.len()];
        if let Some(player) = node.player {
            let follow = |hand: Combo, action: usize| {
                let reports = &node.hands[player as usize];
                let report = reports.iter().find(|report| report.combo == hand);
                report.map_or(0.0, |report| report.strategy[action])
            };
            if player == self.seat && self.best {
                values.fill(f64::NEG_INFINITY);
            }
            for (number, action) in node.actions.iter().enumerate() {
                let line = format!("{line}, {action}");
                if player == self.seat {
                    let after = self.values(&line, opponent);
                    for ((value, after), &hand) in values.iter_mut().zip(after).zip(&self.own) {
                        if self.best {
                            *value = value.max(after);
                        } else {
                            *value += follow(hand, number) * after;
                        }
                    }
                } else {
                    let reach =
                        |&(hand, reach): &(Combo, f64)| (hand, reach * follow(hand, number));
                    let after = self.values(&line, &opponent.iter().map(reach).collect());
                    values.iter_mut().zip(after).for_each(|(value, after)| *value += after);
                }
            }
        } else if node.is_deal {
            let left = 48.0 - node.board.len() as f64;
            for card in Card::all().filter(|&card| !node.board.contains(card)) {
                let free = |&(hand, _): &(Combo, f64)| !hand.cards().contains(card);
                let after = opponent.iter().copied().filter(free).collect();
                let after = self.values(&format!("{line}, {card}"), &after);
                for ((value, after), hand) in values.iter_mut().zip(after).zip(&self.own) {
                    if !hand.cards().contains(card) {
                        *value += after / left;
                    }
                }
            }
        } else {
            for (value, &hand) in values.iter_mut().zip(&self.own) {
                let meet = |&&(other, _): &&(Combo, f64)| !other.cards().intersects(hand.cards());
                let won = opponent.iter().filter(meet);
                *value =
                    won.map(|&(other, reach)| reach * self.won(line, &node, hand, other)).sum();
            }
        }
        values
    }

    /// What one hand wins against another at the end of a line.
    fn won(&self, line: &str, node: &NodeReport, hand: Combo, other: Combo) -> f64 {
        let tree = &self.solver.spot().tree;
        let paid = node.stacks.map(|stack| f64::from(tree.stack - stack));
        let stake = f64::from(tree.pot) / 2.0 + paid[0].min(paid[1]);
        if line.ends_with("fold") {
            // Who has paid less has folded.
            let folded = if paid[0] < paid[1] { Seat::Oop } else { Seat::Ip };
            return if folded == self.seat { -stake } else { stake };
        }
        let strength = |hand: Combo| rank(node.board | hand.cards());
        match strength(hand).cmp(&strength(other)) {
            std::cmp::Ordering::Greater => stake,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => -stake,
        }
    }
}

fn hands(spot: &Spot, seat: Seat) -> Hands {
    spot.ranges[seat as usize].clone().without(spot.board).combos().collect()
}

/// The mean over all deals, with half of the first pot given back.
fn naive_ev(solver: &Solver, seat: Seat, best: bool) -> f64 {
    let spot = solver.spot();
    let (own, opponent) = (hands(spot, seat), hands(spot, seat.other()));
    let naive = Naive { solver, seat, best, own: own.iter().map(|&(hand, _)| hand).collect() };
    let values = naive.values("", &opponent);
    let sum: f64 = own.iter().zip(values).map(|(&(_, weight), value)| weight * value).sum();
    let mut pairs = 0.0;
    for &(one, weight) in &own {
        let meet = |&&(other, _): &&(Combo, f64)| !one.cards().intersects(other.cards());
        pairs += opponent.iter().filter(meet).map(|&(_, other)| weight * other).sum::<f64>();
    }
    sum / pairs + f64::from(spot.tree.pot) / 2.0
}

fn check(ranges: [&str; 2], board: &str, chips: [u32; 2], sizes: [&str; 2], compressed: bool) {
    let [bets, raises] = sizes.map(|text| parse_sizes(text).expect("sizes"));
    let spot = Spot {
        ranges: ranges.map(|text| text.parse().expect("a range")),
        board: board.parse::<CardSet>().expect("a board"),
        tree: TreeOptions::new(chips[0], chips[1], &bets, &raises),
        isomorphism: true,
    };
    let options = SolverOptions { compressed, ..SolverOptions::default() };
    let mut solver = Solver::new(spot, &options).expect("a game");
    (0..7).for_each(|_| solver.iterate());
    let (ev, best) = (solver.ev(), solver.best_response(true));
    for seat in Seat::ALL {
        for (found, expected) in [
            (ev[seat as usize], naive_ev(&solver, seat, false)),
            (best[seat as usize], naive_ev(&solver, seat, true)),
        ] {
            let tolerance = 1e-4 * f64::from(chips[0]);
            assert!((found - expected).abs() < tolerance, "{seat:?}: {found}, not {expected}");
        }
    }
}

#[test]
fn rivers_agree_with_the_plain_implementation() {
    let ranges = ["QQ+:0.5, AhKh, 76s, T9o:0.25", "JJ-99, AKo:0.75, 87s"];
    check(ranges, "Th8c7d2s2h", [60, 200], ["40%, a", "3x"], false);
    check(ranges, "Th8c7d2s2h", [60, 200], ["40%, a", "3x"], true);
    // The board plays: everybody ties.
    check(["AK", "QJ"], "2c2d2h2sAd", [10, 30], ["50%", "a"], false);
}

#[test]
fn turns_agree_with_the_plain_implementation() {
    check(["AA, KhQh, 65s", "KK, AsQs, 87s:0.5"], "9h8h2c2s", [40, 60], ["60%", "a"], false);
}

#[test]
fn flops_agree_with_the_plain_implementation() {
    // All-in before the turn, so that the plain one comes to an end.
    check(["AdAc, KsQs", "JsTs, 9c9d, 8h8s"], "9s8s2s", [40, 20], ["a", ""], false);
}
