//! Whole turns: their names, their values, and the board lines of FIBS.

use meeple_game::{Action, Game, choices};
use rustc_hash::FxHashSet;

use super::board::{BAR, POINTS};
use super::ids::move_of;
use super::value::{Chances, ValueNetwork};
use super::{Backgammon, Stage, notation};

/// A way to play the rest of a turn, and its value.
#[derive(Clone, Debug)]
pub struct RatedTurn {
    /// The moves as people write them, such as `8/5 6/5`.
    pub name: String,
    /// The actions.
    pub actions: Vec<Action>,
    /// The outcome for the player to move, by the built-in network and the bear-off databases.
    pub chances: Chances,
}

impl Backgammon {
    /// The name of moves of this turn, such as `24/20 13/8`, `bar/21*` or `6/off(2)`.
    ///
    /// # Panics
    ///
    /// Panics if the actions are not legal moves of one turn.
    #[must_use]
    pub fn turn_name(&self, actions: &[Action]) -> String {
        let mut game = *self;
        let mut moves = Vec::new();
        for &action in actions {
            assert!(
                game.stage == Stage::Move && game.mover == self.mover,
                "not a move: {action:?}"
            );
            let (point, die) = move_of(action);
            moves.push((point, die, game.board.hits(game.mover.index(), point, die.into())));
            game.apply(action);
        }
        notation::turn_name(&moves)
    }

    /// All ways to play the rest of this turn, the best first; none if no checker is to be moved.
    ///
    /// ```
    /// use meeple_game::Game;
    /// use meeple_games::backgammon::Backgammon;
    ///
    /// let mut game = Backgammon::new(&Default::default());
    /// game.apply(game.parse_action("seat 0 begins with 3-1").expect("a roll"));
    /// assert_eq!(game.rated_turns()[0].name, "8/5 6/5");
    /// ```
    #[must_use]
    pub fn rated_turns(&self) -> Vec<RatedTurn> {
        let mut found: Vec<(Vec<Action>, Self)> = Vec::new();
        if self.stage == Stage::Move {
            self.visit_turns(&mut Vec::new(), &mut FxHashSet::default(), &mut found);
        }
        let network = ValueNetwork::built_in();
        let other = 1 - self.mover.index();
        let rated = found.into_iter().map(|(actions, end)| RatedTurn {
            name: self.turn_name(&actions),
            chances: network.evaluate(&end.board, other).reversed(),
            actions,
        });
        let mut rated: Vec<RatedTurn> = rated.collect();
        rated.sort_by(|one, two| two.chances.equity().total_cmp(&one.chances.equity()));
        rated
    }

    /// Collects one way to each board that can end the turn of `self.mover`.
    fn visit_turns(
        &self,
        actions: &mut Vec<Action>,
        seen: &mut FxHashSet<u64>,
        found: &mut Vec<(Vec<Action>, Self)>,
    ) {
        for action in choices(self) {
            let mut next = *self;
            next.apply(action);
            if !seen.insert(next.key()) {
                continue;
            }
            actions.push(action);
            if next.stage == Stage::Move && next.mover == self.mover {
                next.visit_turns(actions, seen, found);
            } else {
                found.push((actions.clone(), next));
            }
            actions.pop();
        }
    }

    /// The line that FIBS and programs that speak its protocol use for a position in which the
    /// player to move plays a roll, for money and without the cube: its own checkers are positive
    /// and move down from point 24.
    #[must_use]
    pub fn fibs_board(&self) -> String {
        let (own, other) = (self.mover.index(), 1 - self.mover.index());
        let count = |side: usize, point: usize| i32::from(self.board.checkers(side, point));
        let points = (0..POINTS).map(|point| count(own, point) - count(other, POINTS - 1 - point));
        let points: Vec<String> = points.map(|checkers| checkers.to_string()).collect();
        let (own_bar, other_bar) = (count(own, BAR), count(other, BAR));
        let left = self.dice.count();
        format!(
            "board:X:O:9999:0:0:{}:{}:{own_bar}:1:{}:{}:0:0:1:1:1:0:1:-1:0:25:{}:{}:{own_bar}:{other_bar}:{left}:0:0:0",
            -other_bar,
            points.join(":"),
            self.dice.high,
            self.dice.low,
            self.board.off(own),
            self.board.off(other),
        )
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Rng;

    use super::super::Options;
    use super::*;

    fn after(roll: &str, position: &str) -> Backgammon {
        let position = Some(position.parse().unwrap());
        let mut game = Backgammon::new(&Options { position, ..Options::default() });
        game.apply(game.parse_action(roll).unwrap());
        game
    }

    #[test]
    fn turns_are_named_as_people_name_them() {
        let start = "4HPwATDgc/ABMA";
        for (roll, text) in [
            ("3-1", "8/5 6/5"),
            ("5-4", "24/20 13/8"),
            ("5-4", "24/15"),
            ("2-2", "13/11(2) 6/4(2)"),
            ("6-6", "24/18(2) 13/7(2)"),
            ("1-1", "8/7(2) 6/5(2)"),
        ] {
            let game = after(roll, start);
            let actions = game.parse_turn(text).unwrap_or_else(|| panic!("{text} is legal"));
            assert_eq!(game.turn_name(&actions), text);
        }
    }

    /// Names are read back to the same position, whole turns of random games.
    #[test]
    fn names_are_read_back() {
        let mut rng = Rng::new(9);
        let (mut hits, mut bars, mut offs, mut several) = (0, 0, 0, 0);
        for _ in 0..30 {
            let mut game = Backgammon::new(&Options::default());
            while !matches!(game.stage, Stage::Over { .. }) {
                if game.stage != Stage::Move {
                    game.apply(game.sample_chance(&mut rng));
                    continue;
                }
                let mut turns = Vec::new();
                game.visit_turns(&mut Vec::new(), &mut FxHashSet::default(), &mut turns);
                for (actions, end) in &turns {
                    let name = game.turn_name(actions);
                    let read = game.parse_turn(&name);
                    let read = read.unwrap_or_else(|| panic!("{name} is not read:\n{game}"));
                    let mut other = game;
                    read.into_iter().for_each(|action| other.apply(action));
                    assert_eq!(other.board, end.board, "{name}:\n{game}");
                    hits += usize::from(name.contains('*'));
                    bars += usize::from(name.contains("bar/"));
                    offs += usize::from(name.contains("/off"));
                    several += usize::from(name.contains("(2)"));
                }
                game = rng.pick(&turns).1;
            }
        }
        assert!([hits, bars, offs, several].iter().all(|&count| count > 100));
    }

    #[test]
    fn fibs_lines_show_the_board() {
        let game = after("3-1", "4HPwATDgc/ABMA");
        assert_eq!(
            game.fibs_board(),
            "board:X:O:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:\
             1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
        );
    }
}
