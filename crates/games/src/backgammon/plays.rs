//! The boards with which a turn can end.

use super::board::{BAR, Board, Dice};

/// The plays of a turn: the dice that are left, how many of them must be played, and the only die
/// that may be played when just one of two can (0 for any).
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) dice: Dice,
    pub(super) must_play: u8,
    pub(super) forced_die: u8,
}

impl Turn {
    /// The whole turn of `side` after a roll.
    pub(super) fn of(board: &Board, side: usize, dice: Dice) -> Self {
        let (must_play, forced_die) = board.max_playable(side, dice);
        Self { dice, must_play, forced_die }
    }

    /// Calls `visit` with each board that ends the turn, rarely twice with the same one. If no
    /// die can be played, that is `board` itself.
    pub(super) fn visit_ends(self, board: &Board, side: usize, visit: &mut impl FnMut(&Board)) {
        let Dice { high, low, .. } = self.dice;
        match self.must_play {
            0 => visit(board),
            count if self.dice.is_double() => {
                visit_double(board, side, high.into(), count, BAR, visit);
            }
            2 => visit_both(board, side, [high.into(), low.into()], visit),
            _ => {
                for die in [high, low] {
                    let is_free = self.forced_die == 0 || self.forced_die == die;
                    if is_free && self.dice.has(die) {
                        for_each_source(board.sources(side, die.into()), |from| {
                            visit(&board.after(side, from, die.into()));
                        });
                    }
                }
            }
        }
    }
}

/// Plays one die `count` times. The checkers move in the order of their points, the rearmost
/// first: any play can be played so, and then in one way only.
fn visit_double(
    board: &Board,
    side: usize,
    die: usize,
    count: u8,
    highest: usize,
    visit: &mut impl FnMut(&Board),
) {
    if count == 0 {
        return visit(board);
    }
    for_each_source(board.sources(side, die) & up_to(highest), |from| {
        visit_double(&board.after(side, from, die), side, die, count - 1, from, visit);
    });
}

/// Plays two different dice, of which both can be played, in both orders. Two checkers that move
/// in either order lead to the same board.
fn visit_both(board: &Board, side: usize, [high, low]: [usize; 2], visit: &mut impl FnMut(&Board)) {
    let mut seen = [0u32; BAR + 1];
    for_each_source(board.sources(side, high), |first| {
        let next = board.after(side, first, high);
        let second = next.sources(side, low);
        seen[first] = second;
        for_each_source(second, |second| visit(&next.after(side, second, low)));
    });
    for_each_source(board.sources(side, low), |first| {
        let next = board.after(side, first, low);
        for_each_source(next.sources(side, high), |second| {
            let is_repeated = seen[second] >> first & 1 != 0;
            // One checker with both dice, by another point; the same unless it hits there.
            let is_same_path = first == second + low
                && first >= high
                && seen[first] >> (first - high) & 1 != 0
                && !board.hits(side, first, low)
                && !board.hits(side, first, high);
            if !is_repeated && !is_same_path {
                visit(&next.after(side, second, high));
            }
        });
    });
}

/// The points up to this one.
fn up_to(point: usize) -> u32 {
    (2 << point) - 1
}

/// Calls `visit` with each point of a set, from the highest down.
#[inline]
fn for_each_source(mut points: u32, mut visit: impl FnMut(usize)) {
    while points != 0 {
        let point = 31 - points.leading_zeros() as usize;
        points ^= 1 << point;
        visit(point);
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Game, Rng, choices};
    use rustc_hash::FxHashSet;

    use super::super::{Backgammon, Options, Stage};
    use super::*;

    /// All ends of the turn by single moves of the game.
    fn by_moves(game: &Backgammon, ends: &mut FxHashSet<String>) {
        let mover = game.mover;
        for action in choices(game) {
            let mut next = *game;
            next.apply(action);
            if next.stage == Stage::Move && next.mover == mover {
                by_moves(&next, ends);
            } else {
                ends.insert(format!("{:?}", next.board));
            }
        }
    }

    #[test]
    fn ends_are_those_of_the_game() {
        let mut rng = Rng::new(1);
        let (mut visited, mut distinct) = (0, 0);
        for _ in 0..60 {
            let mut game = Backgammon::new(&Options::default());
            while !matches!(game.stage, Stage::Over { .. }) {
                if game.stage != Stage::Move {
                    game.apply(game.sample_chance(&mut rng));
                    continue;
                }
                let turn = Turn {
                    dice: game.dice,
                    must_play: game.must_play,
                    forced_die: game.forced_die,
                };
                let mut expected = FxHashSet::default();
                by_moves(&game, &mut expected);
                let mut found = FxHashSet::default();
                turn.visit_ends(&game.board, game.mover.index(), &mut |board| {
                    found.insert(format!("{board:?}"));
                    visited += 1;
                });
                assert_eq!(found, expected, "{game}");
                distinct += found.len();
                game.apply(*rng.pick(&choices(&game)));
            }
        }
        assert!(visited < distinct + distinct / 50, "{visited} visits of {distinct} boards");
    }
}
