//! Values that other solvers found, and what holds for every solution.

use meeple_poker::HandClass;
use meeple_solver::{
    Action, Error, Schedule, Seat, Size, Solver, SolverOptions, Spot, Stop, TreeOptions,
    parse_sizes,
};

const R1: &str = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s";
const R2: &str = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+";

fn spot(ranges: [&str; 2], board: &str, chips: [u32; 2], sizes: [&str; 2]) -> Spot {
    let [bets, raises] = sizes.map(|text| parse_sizes(text).expect("sizes"));
    Spot {
        ranges: ranges.map(|text| text.parse().expect("a range")),
        board: board.parse().expect("a board"),
        tree: TreeOptions::new(chips[0], chips[1], &bets, &raises),
        isomorphism: true,
    }
}

fn solved(spot: Spot, options: &SolverOptions, percent: f64) -> Solver {
    let mut solver = Solver::new(spot, options).expect("a game");
    let last = solver.solve(&Stop { percent, ..Stop::default() }, |_| {});
    assert!(last.exploitability_percent <= percent, "{last:?}");
    solver
}

/// EV of both players to `tolerance` chips, equity of the first, root frequencies.
fn check(solver: &Solver, ev: [f64; 2], tolerance: f64, equity: f64, frequencies: &[f64]) {
    let found = solver.ev();
    for (found, expected) in found.iter().zip(ev) {
        assert!((found - expected).abs() < tolerance, "EV {found}, expected {expected}");
    }
    let root = solver.node("").expect("the start").total(Seat::Oop).expect("hands");
    assert!((root.equity - equity).abs() < 1e-4, "equity {}", root.equity);
    assert!((root.ev - found[0]).abs() < 1e-2, "{} and {}", root.ev, found[0]);
    for (found, expected) in root.strategy.iter().zip(frequencies) {
        assert!((found - expected).abs() < 0.03, "{:?}", root.strategy);
    }
}

fn river_1() -> Spot {
    spot([R1, R2], "Td9d6hQc2s", [200, 900], ["33%, 75%, a", "2.5x"])
}

#[test]
fn river_1_agrees_with_postflop_solver() {
    for compressed in [false, true] {
        let options = SolverOptions { compressed, ..SolverOptions::default() };
        let solver = solved(river_1(), &options, 0.05);
        check(&solver, [95.394, 104.606], 0.2, 0.5162, &[0.539, 0.461, 0.0, 0.0]);
    }
}

#[test]
fn river_2_with_rake_agrees_with_postflop_solver() {
    let ranges = ["22+,A2s+,KTs+,QTs+,JTs,ATo+,KQo", "TT+,AJs+,KQs,AQo+"];
    let mut spot = spot(ranges, "AhKd7c5s2h", [100, 250], ["50%, 100%, a", "3x"]);
    (spot.tree.rake, spot.tree.rake_cap) = (0.05, 3.0);
    let solver = solved(spot, &SolverOptions::default(), 0.05);
    check(&solver, [33.167, 63.833], 0.1, 0.3757, &[0.864, 0.123, 0.013, 0.0]);
}

#[test]
fn turn_1_with_donk_bets_agrees_with_postflop_solver() {
    let mut spot = spot([R1, R2], "Td9d6hQc", [200, 900], ["60%, e, a", "2.5x"]);
    for player in &mut spot.tree.sizes {
        player[2].donks = Some(vec![Size::Pot(0.5)]);
    }
    let solver = solved(spot, &SolverOptions::default(), 0.4);
    check(&solver, [91.945, 108.055], 0.8, 0.5306, &[0.945, 0.055, 0.0, 0.0]);
    let actions = solver.node("").unwrap().actions;
    let expected = [Action::Check, Action::Bet(120), Action::Bet(216), Action::AllIn(900)];
    assert_eq!(actions, expected);
    let after = solver.node("bet 120").unwrap();
    assert_eq!(after.actions, [Action::Fold, Action::Call, Action::Raise(300)]);
    // The nut straight does not fold.
    let class = HandClass::all().find(|class| class.to_string() == "KJs").unwrap();
    assert!(after.class(Seat::Ip, class).unwrap().strategy[0] < 1e-3);
}

/// Nothing depends on threads, and boards solved as one give what they give apart.
#[test]
fn neither_threads_nor_isomorphism_change_a_solution() {
    let turn = || spot(["AA,KQs,76s", "QQ,AKs,T9s"], "7h6h2c3c", [60, 100], ["70%", "a"]);
    let after = |spot: Spot, threads: usize| {
        let options = SolverOptions { threads, ..SolverOptions::default() };
        let mut solver = Solver::new(spot, &options).unwrap();
        (0..30).for_each(|_| solver.iterate());
        solver
    };
    let one = after(turn(), 1);
    for threads in [2, 5] {
        let other = after(turn(), threads);
        assert_eq!(one.ev(), other.ev());
        let line = "check, check, 8h";
        assert_eq!(one.node(line).unwrap(), other.node(line).unwrap());
    }
    let apart = after(Spot { isomorphism: false, ..turn() }, 1);
    assert!(apart.plan().boards > one.plan().boards);
    assert!((apart.ev()[0] - one.ev()[0]).abs() < 1e-3);
    for line in ["check, check, 8h", "check, check, 8s", "bet 42, call, 9d", "check, check, 4d"] {
        let (one, apart) = (one.node(line).unwrap(), apart.node(line).unwrap());
        for seat in 0..2 {
            assert_eq!(one.hands[seat].len(), apart.hands[seat].len());
            for (one, apart) in one.hands[seat].iter().zip(&apart.hands[seat]) {
                assert_eq!(one.combo, apart.combo);
                assert!((one.reach - apart.reach).abs() < 1e-3, "{line} {one:?} {apart:?}");
                let ev = |ev: Option<f64>| ev.unwrap_or(0.0);
                assert!((ev(one.ev) - ev(apart.ev)).abs() < 0.1, "{line} {one:?} {apart:?}");
            }
        }
    }
}

#[test]
fn every_schedule_reaches_the_same_value() {
    for schedule in [Schedule::DCFR, Schedule::CFR_PLUS, Schedule::LINEAR] {
        let options = SolverOptions { schedule, ..SolverOptions::default() };
        let solver = solved(river_1(), &options, 0.5);
        assert!((solver.ev()[0] - 95.394).abs() < 1.0, "{schedule:?} {:?}", solver.ev());
    }
}

/// A pot-sized bet of nuts and air: the caller is indifferent when a third are bluffs.
#[test]
fn nuts_and_air_against_a_bluff_catcher() {
    let spot = spot(["AA,QQ", "KK"], "3s3h3d2s2h", [100, 100], ["100%", ""]);
    let solver = solved(spot, &SolverOptions::default(), 0.02);
    let root = solver.node("").unwrap();
    let classes: Vec<HandClass> = HandClass::all().collect();
    let bets = |name: &str| {
        let class = classes.iter().find(|class| class.to_string() == name).unwrap();
        root.class(Seat::Oop, *class).unwrap().strategy[1]
    };
    assert!(bets("AA") > 0.99 && (bets("QQ") - 0.5).abs() < 0.02);
    let call = solver.node("all-in 100").unwrap().total(Seat::Ip).unwrap();
    assert!((call.strategy[1] - 0.5).abs() < 0.02, "{call:?}");
}

#[test]
fn solutions_are_saved_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("river.solution");
    for compressed in [false, true] {
        let options = SolverOptions { compressed, ..SolverOptions::default() };
        let mut solver = Solver::new(river_1(), &options).unwrap();
        solver.lock("check, 75", |_| None).unwrap_err();
        solver.lock("check, bet 66", |_| Some(vec![0.5, 0.5, 0.0])).unwrap();
        (0..20).for_each(|_| solver.iterate());
        solver.save(&path).unwrap();
        let mut resumed = Solver::load(&path, &SolverOptions::default()).unwrap();
        assert_eq!(resumed.iterations(), 20);
        for solver in [&mut solver, &mut resumed] {
            (0..20).for_each(|_| solver.iterate());
        }
        assert_eq!(solver.ev(), resumed.ev());
        assert_eq!(solver.node("check").unwrap(), resumed.node("check").unwrap());
    }
    let whole = std::fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Solver::load(&path, &SolverOptions::default()).unwrap_err().to_string()
    };
    assert!(read(&whole[..whole.len() / 2]).ends_with("the file is cut short"));
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle] ^= 1;
    assert!(read(&damaged).contains("checksum"));
    damaged[8] = 9;
    assert!(read(&damaged).ends_with("version 9, but this program reads 1"));
    assert!(read(b"not a solution at all").contains("not a solution"));
}

#[test]
fn locked_decisions_stay_and_the_rest_adapts() {
    let mut solver = Solver::new(river_1(), &SolverOptions::default()).unwrap();
    let stop = Stop { percent: 0.2, ..Stop::default() };
    solver.solve(&stop, |_| {});
    let before = solver.ev();
    // Folding to every bet of 66 makes it profitable with everything.
    solver.lock("bet 66", |_| Some(vec![1.0, 0.0, 0.0])).unwrap();
    solver.solve(&stop, |_| {});
    let locked = solver.node("bet 66").unwrap().total(Seat::Ip).unwrap();
    assert!((locked.strategy[0] - 1.0).abs() < 1e-6);
    assert!(solver.ev()[0] > before[0] + 50.0, "{:?}", solver.ev());
    assert!(solver.exploitability() < 0.5 && solver.exploitability_without_locks() > 20.0);
    solver.unlock("bet 66").unwrap();
    solver.solve(&stop, |_| {});
    assert!((solver.ev()[0] - before[0]).abs() < 1.0);
}

fn message(spot: Spot) -> String {
    Solver::new(spot, &SolverOptions::default()).expect_err("no game").to_string()
}

#[test]
fn bad_spots_are_refused_in_one_sentence() {
    let with = |ranges, board, chips| spot(ranges, board, chips, ["50%", "60%"]);
    assert_eq!(
        message(with(["AhAd", "KK"], "AhKd2c", [10, 100])),
        "the range of OOP is empty: each of its hands has a card of the board AhKd2c"
    );
    assert_eq!(
        message(with(["AhAd", "AhKh"], "2c3c4c", [10, 100])),
        "the ranges share their cards: no hand of OOP can be held against a hand of IP"
    );
    assert_eq!(
        message(with(["AA", "KK"], "2c3c", [10, 100])),
        "expected a board of three to five cards, found 2"
    );
    assert!(message(with(["AA", "KK"], "2c3c4c", [0, 100])).starts_with("pot: expected 1 to"));
    let none = spot(["AA", "KK"], "2c3c4c", [10, 100], ["", ""]);
    assert!(message(none).starts_with("the sizes make no tree"));
    let mut many =
        spot(["AA", "KK"], "2c3c4c", [10, 100_000], ["10%,20%,30%,40%,50%", "2x,2.5x,3x"]);
    many.tree.merge = 0.0;
    assert!(message(many).contains("more than"));
    let tight = SolverOptions { memory: 1 << 20, ..SolverOptions::default() };
    let large = with([R1, R2], "Td9d6h", [180, 910]);
    let refused = Solver::new(large, &tight).unwrap_err();
    assert!(matches!(refused, Error::Memory { .. }));
    assert!(refused.to_string().contains("times smaller: give fewer sizes"), "{refused}");
}

#[test]
fn lines_that_are_not_possible_say_what_is() {
    let solver = Solver::new(river_1(), &SolverOptions::default()).unwrap();
    let message = |line: &str| solver.node(line).unwrap_err().to_string();
    assert_eq!(
        message("check, bet 50"),
        "'bet 50' at step 2 of the line: expected one of check, bet 66, bet 150, all-in 900"
    );
    assert!(message("check, check, 2c").ends_with("expected one of the end of the line"));
}
