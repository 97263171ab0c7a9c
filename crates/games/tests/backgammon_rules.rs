//! Rule-described backgammon against the hand-written game, its own rule tree and GNU
//! Backgammon positions.

use std::collections::BTreeSet;

use meeple_game::{Action, Game, Player, Rng, Turn, choices, conform};
use meeple_games::backgammon::{
    Backgammon, BackgammonRules, DescribedBackgammon, Options, PositionId, Start,
};
use meeple_games::described::{Described, Lockstep};
use meeple_plan::Handled;

/// The common prefix of both observations: all but the cube.
const SHARED_CELLS: usize = 60;

/// Both games at the same position, or at their start.
fn twins(position: Option<PositionId>) -> (DescribedBackgammon, Backgammon) {
    let options = Options { position, ..Options::default() };
    (DescribedBackgammon::new(&Start { position }), Backgammon::new(&options))
}

/// Compares everything observable of both games.
fn check_equal(ruled: &DescribedBackgammon, written: &Backgammon) {
    assert_eq!(ruled.turn(), written.turn(), "{ruled}\n{written}");
    assert_eq!(ruled.payoffs(), written.payoffs());
    assert_eq!(ruled.to_string(), written.to_string());
    assert_eq!(choices(ruled), choices(written), "{ruled}");
    let name = |game: &dyn Fn(Action) -> String| -> Vec<String> {
        choices(ruled).into_iter().map(game).collect()
    };
    assert_eq!(name(&|id| ruled.action_name(id)), name(&|id| written.action_name(id)));
    let (mut one, mut other) = (Default::default(), Default::default());
    ruled.chance_outcomes(&mut one);
    written.chance_outcomes(&mut other);
    assert_eq!(one[..], other[..]);
    for player in Player::all(2) {
        let mut cells = [vec![0; ruled.observation().len()], vec![0; written.observation().len()]];
        ruled.observe(player, &mut cells[0]);
        written.observe(player, &mut cells[1]);
        assert_eq!(cells[0][..], cells[1][..SHARED_CELLS], "{ruled}");
    }
}

#[test]
fn random_games_in_lockstep_with_the_hand_written_game() {
    let mut endings = BTreeSet::new();
    for index in 0..400 {
        let mut rng = Rng::new(23).split(index);
        let (mut ruled, mut written) = twins(None);
        loop {
            check_equal(&ruled, &written);
            let action = match written.turn() {
                Turn::Over => break,
                Turn::Chance => written.sample_chance(&mut rng),
                Turn::Player(_) => *rng.pick(&choices(&written)),
            };
            ruled.apply(action);
            written.apply(action);
        }
        endings.insert(ruled.ending());
    }
    let all = [Some("backgammon"), Some("gammon"), Some("single game")];
    assert_eq!(endings, BTreeSet::from(all));
}

/// Compares both games over all plays of one roll.
fn check_turn(ruled: &DescribedBackgammon, written: &Backgammon, player: Player) {
    check_equal(ruled, written);
    if ruled.turn() == Turn::Player(player) {
        for action in choices(ruled) {
            let (mut ruled, mut written) = (*ruled, *written);
            ruled.apply(action);
            written.apply(action);
            check_turn(&ruled, &written, player);
        }
    }
}

/// Uses the positions whose plays GNU Backgammon counted, which include bearing off,
/// entering and forced dice.
#[test]
fn whole_turns_in_lockstep_from_given_positions() {
    let text = include_str!("../../../tests/data/backgammon/gnubg.txt");
    for line in text.lines().filter(|line| !line.starts_with('#')).step_by(10) {
        let fields: Vec<&str> = line.split(' ').collect();
        let dice = [fields[1], fields[2]].map(|die| die.parse::<u16>().expect("a die"));
        let (high, low) = (dice[0].max(dice[1]), dice[0].min(dice[1]));
        let (mut ruled, mut written) = twins(Some(fields[0].parse().expect("a position")));
        let roll = Action(high * (high - 1) / 2 + low - 1);
        ruled.apply(roll);
        written.apply(roll);
        check_turn(&ruled, &written, Player(0));
    }
}

#[test]
fn the_rules_conform() {
    conform::check::<DescribedBackgammon>(&Start::default(), 20, 1);
    let position = "4HPwATDgc/ABMA".parse().ok();
    conform::check::<DescribedBackgammon>(&Start { position }, 5, 2);
}

#[test]
fn plan_and_tree_agree() {
    let check = Lockstep::<BackgammonRules>::new();
    let checked = check.play(&Start::default(), &mut Rng::new(17)).expect("no difference");
    assert!(checked.states > 50 && checked.events == 2 * checked.states, "{checked:?}");
}

#[test]
fn a_faulty_plan_is_detected() {
    let faulty = Lockstep::<BackgammonRules>::new().with_fault(|table| {
        *table = BackgammonRules::start(&Start::default());
    });
    let mismatch = faulty.play(&Start::default(), &mut Rng::new(1)).expect_err("it is faulty");
    assert_eq!((mismatch.entry, mismatch.stage), (Some("opening roll"), "forced"));
    assert!(mismatch.artifacts.iter().any(|at| at.starts_with("dice[")), "{mismatch}");
}

/// A changed signature means changed rules or names.
#[test]
fn the_plan_signature_is_unchanged() {
    let plan = BackgammonRules::plan();
    assert_eq!(plan.warnings(), []);
    assert_eq!(plan.entry_names().len(), 6);
    assert_eq!(plan.signature(), 11_457_521_934_793_618_750, "{}", plan.explain());
}

#[test]
fn illegal_moves_have_reasons() {
    let position = "4HPwATDgc/ABMA".parse().ok();
    let mut start = DescribedBackgammon::new(&Start { position });
    start.apply(Action(3));
    assert!(start.to_string().contains("seat 0 to play 3-1"), "{start}");
    for (point, die, expected) in [
        (7, 2, "no die of this value is left"),
        (8, 3, "you have no checker there"),
        (12, 1, "the opponent has made the point"),
        (0, 1, "checkers can be borne off only when all are home"),
    ] {
        let event = BackgammonRules::event_of(start.state(), Action(point * 6 + die - 1));
        let handled = BackgammonRules::plan().handle(start.state(), &event);
        let Handled::Invalid { reason, .. } = handled else { panic!("{event:?} is not refused") };
        assert_eq!(reason, expected);
    }
}

#[test]
fn moves_parse_without_the_star() {
    let mut rng = Rng::new(5);
    let mut game = DescribedBackgammon::new(&Start::default());
    let mut hits = 0;
    while game.turn() != Turn::Over {
        for action in choices(&game) {
            let name = game.action_name(action);
            hits += u32::from(name.ends_with('*'));
            assert_eq!(game.parse_action(name.trim_end_matches('*')), Some(action), "{game}");
        }
        game.apply(*rng.pick(&choices(&game)));
    }
    assert!(hits > 0);
}
