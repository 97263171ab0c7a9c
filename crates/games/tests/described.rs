//! Rule-described games conform to the contract of `Game`, and agree with their rule trees
//! and their hand-written twins.

use meeple_game::{Game, Rng, Turn, choices, conform};
use meeple_games::described::{
    Breakthrough, Described, DescribedConnectFour, DescribedTicTacToe, Lockstep,
};
use meeple_games::small::{ConnectFour, TicTacToe};

/// Plays random games through plan and tree in lockstep.
fn check_lockstep<R: Described>(games: u64) {
    let check = Lockstep::<R>::new();
    for index in 0..games {
        let mut rng = Rng::new(17).split(index);
        let result = check.play(&R::Config::default(), &mut rng);
        result.unwrap_or_else(|mismatch| panic!("{mismatch}"));
    }
}

/// Plays the same random games with both and compares everything observable.
fn check_twins<A: Game, B: Game>(games: u64) {
    for index in 0..games {
        let mut rng = Rng::new(23).split(index);
        let (mut one, mut other) = (A::new(&A::Config::default()), B::new(&B::Config::default()));
        loop {
            assert_eq!(one.turn(), other.turn());
            assert_eq!(one.payoffs(), other.payoffs());
            assert_eq!(choices(&one), choices(&other), "{one}\n{other}");
            for player in meeple_game::Player::all(2) {
                let mut cells =
                    [vec![0; one.observation().len()], vec![0; other.observation().len()]];
                one.observe(player, &mut cells[0]);
                other.observe(player, &mut cells[1]);
                // The last cell, the player to move, is undefined after the end.
                let squares = cells[0].len() - 1;
                assert_eq!(cells[0][..squares], cells[1][..squares]);
            }
            let legal = choices(&one);
            if legal.is_empty() {
                break;
            }
            let action = *rng.pick(&legal);
            assert_eq!(one.action_name(action), other.action_name(action));
            one.apply(action);
            other.apply(action);
        }
    }
}

#[test]
fn described_games_conform() {
    conform::check::<DescribedTicTacToe>(&Default::default(), 200, 1);
    conform::check::<DescribedConnectFour>(&Default::default(), 100, 1);
}

#[test]
fn plans_agree_with_their_trees() {
    check_lockstep::<meeple_games::described::TicTacToeRules>(20);
    check_lockstep::<meeple_games::described::ConnectFourRules>(10);
    check_lockstep::<meeple_games::described::BreakthroughRules>(3);
}

#[test]
fn described_games_match_their_twins() {
    check_twins::<DescribedTicTacToe, TicTacToe>(500);
    check_twins::<DescribedConnectFour, ConnectFour>(300);
}

/// The published counts for the 8x8 board.
#[test]
fn breakthrough_perft() {
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
fn plans_have_no_warnings() {
    assert_eq!(meeple_games::described::TicTacToeRules::plan().warnings(), []);
    assert_eq!(meeple_games::described::ConnectFourRules::plan().warnings(), []);
    assert_eq!(meeple_games::described::BreakthroughRules::plan().warnings(), []);
}
