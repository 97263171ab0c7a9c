//! Rule-described games keep the contract, agree with their trees, and with
//! their hand-written twins move for move.

use meeple_game::{Game, Rng, Turn, choices, conform};
use meeple_games::described::{Breakthrough, RuledConnectFour, RuledTicTacToe};
use meeple_games::parity::PlanCheck;
use meeple_games::ruled::Described;
use meeple_games::small::{ConnectFour, TicTacToe};

/// Random games through plan and tree.
fn check_parity<R: Described>(games: u64) {
    let check = PlanCheck::<R>::new();
    for index in 0..games {
        let mut rng = Rng::new(17).split(index);
        let result = check.play(&R::Config::default(), &mut rng);
        result.unwrap_or_else(|mismatch| panic!("{mismatch}"));
    }
}

/// Plays the same random games with both and compares all that can be seen.
fn check_twins<A: Game, B: Game>(games: u64) {
    for index in 0..games {
        let mut rng = Rng::new(23).split(index);
        let (mut one, mut other) = (A::new(&A::Config::default()), B::new(&B::Config::default()));
        loop {
            assert_eq!(one.turn(), other.turn());
            assert_eq!(one.payoffs(), other.payoffs());
            assert_eq!(choices(&one), choices(&other), "{one}\n{other}");
            for player in meeple_game::Player::all(2) {
                let mut cells = [vec![0; A::observation().len()], vec![0; B::observation().len()]];
                one.observe(player, &mut cells[0]);
                other.observe(player, &mut cells[1]);
                // Whose turn it is after the end is nobody's business.
                let squares = cells[0].len() - 1;
                assert_eq!(cells[0][..squares], cells[1][..squares]);
            }
            let offered = choices(&one);
            if offered.is_empty() {
                break;
            }
            let action = *rng.pick(&offered);
            assert_eq!(one.action_name(action), other.action_name(action));
            one.apply(action);
            other.apply(action);
        }
    }
}

#[test]
fn described_games_keep_the_contract() {
    conform::check::<RuledTicTacToe>(&Default::default(), 200, 1);
    conform::check::<RuledConnectFour>(&Default::default(), 100, 1);
}

#[test]
fn plans_agree_with_their_trees() {
    check_parity::<meeple_games::described::TicTacToeRules>(20);
    check_parity::<meeple_games::described::ConnectFourRules>(10);
    check_parity::<meeple_games::described::BreakthroughRules>(3);
}

#[test]
fn described_games_are_the_hand_written_ones() {
    check_twins::<RuledTicTacToe, TicTacToe>(500);
    check_twins::<RuledConnectFour, ConnectFour>(300);
}

/// The usual counts for the board of eight by eight.
#[test]
fn breakthrough_moves_are_counted() {
    fn count(game: &Breakthrough, depth: u32) -> u64 {
        if depth == 0 || game.turn() == Turn::Over {
            return u64::from(depth == 0);
        }
        let next = |action| {
            let mut next = *game;
            next.apply(action);
            count(&next, depth - 1)
        };
        choices(game).into_iter().map(next).sum()
    }
    let start = Breakthrough::new(&Default::default());
    let counted: Vec<u64> = (1..=4).map(|depth| count(&start, depth)).collect();
    assert_eq!(counted, [22, 484, 11_132, 256_036]);
}

#[test]
fn no_rule_is_odd() {
    assert_eq!(meeple_games::described::TicTacToeRules::plan().warnings(), []);
    assert_eq!(meeple_games::described::ConnectFourRules::plan().warnings(), []);
    assert_eq!(meeple_games::described::BreakthroughRules::plan().warnings(), []);
}
