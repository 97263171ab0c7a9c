//! Exact scores by alpha-beta with a transposition table, for two-player games with perfect
//! information and no chance.
//!
//! The outcome is found first, by searches with a minimal window around the draw, then the
//! distance by bisection (as Pons, 2015, "Solving Connect 4", does). Every search reuses the table
//! of those before. Threads search the same position and share the table; the first to finish
//! answers for all.

mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use meeple_game::{Action, ActionList, Bounds, Game, Player, Score, Turn};

use super::SolveError;
use crate::StopFlag;
use crate::parallel::run_all;
use table::Table;
use worker::{Halt, MAX_DEPTH, Shared, Worker};

/// The resources of an [`ExactSolver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactOptions {
    /// The size of the transposition table in bytes; rounded down to a power of two.
    pub memory: usize,
    /// The number of threads. It changes the time, not the scores.
    pub threads: usize,
}

impl Default for ExactOptions {
    /// 256 MB and one thread.
    fn default() -> Self {
        Self { memory: 256 << 20, threads: 1 }
    }
}

/// Stops a solver, and shows how far it is.
#[derive(Clone, Debug, Default)]
pub struct ExactControl {
    /// Stops the solver when set.
    pub stop: StopFlag,
    nodes: Arc<AtomicU64>,
}

impl ExactControl {
    /// Returns the number of positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// What is known of a solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The score for the player to move.
    pub score: Score,
    /// The score of each legal action for that player.
    pub actions: Vec<(Action, Score)>,
    /// A line of best play to the end of the game.
    pub line: Vec<Action>,
}

/// Finds exact scores of positions of one table.
///
/// Games help by their [`SolverHints`](meeple_game::SolverHints), where they have them: candidates in a
/// good order, bounds on scores and keys that are equal for symmetric positions.
///
/// ```
/// use meeple_game::{Game, Score};
/// use meeple_games::small::TicTacToe;
/// use meeple_search::solve::{ExactControl, ExactOptions, ExactSolver};
///
/// let options = ExactOptions { memory: 1 << 20, threads: 1 };
/// let mut solver = ExactSolver::new(&options, ExactControl::default());
/// let mut game = TicTacToe::new(&Default::default());
/// assert_eq!(solver.score(&game)?, Score::DRAW);
/// for square in ["a1", "b1", "b2"] {
///     game.apply(game.parse_action(square).expect("a square"));
/// }
/// // The second player must stop a1-b2-c3 and cannot stop what follows.
/// assert_eq!(solver.score(&game)?, Score::loss_in(4));
/// # Ok::<_, meeple_search::solve::SolveError>(())
/// ```
pub struct ExactSolver {
    table: Table,
    threads: usize,
    control: ExactControl,
}

impl std::fmt::Debug for ExactSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExactSolver").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl ExactSolver {
    /// Creates a solver with an empty table.
    #[must_use]
    pub fn new(options: &ExactOptions, control: ExactControl) -> Self {
        Self { table: Table::new(options.memory), threads: options.threads.max(1), control }
    }

    /// Returns the score of a position, that of every action, and a line of best play.
    ///
    /// # Errors
    ///
    /// Fails like [`score`](Self::score).
    pub fn solve<G: Game>(&mut self, state: &G) -> Result<Solution, SolveError> {
        let score = self.score(state)?;
        let line = self.line(state, score)?;
        Ok(Solution { score, line, actions: self.actions(state)? })
    }

    /// Returns the score of a position for the player to move.
    ///
    /// # Errors
    ///
    /// Fails if the game is not supported or over, goes on for too long, or is stopped.
    pub fn score<G: Game>(&mut self, state: &G) -> Result<Score, SolveError> {
        check(state)?;
        let above = self.search(state, Score::DRAW, Score::DRAW.next_better())?;
        if above > Score::DRAW {
            return self.bisect(state, Bounds { low: above, high: Bounds::ANY.high });
        }
        let below = self.search(state, Score::DRAW.next_worse(), Score::DRAW)?;
        if below < Score::DRAW {
            return self.bisect(state, Bounds { low: Bounds::ANY.low, high: below });
        }
        Ok(Score::DRAW)
    }

    /// Returns the score of every legal action for the player to move, in the order of the legal
    /// actions.
    ///
    /// # Errors
    ///
    /// Fails like [`score`](Self::score).
    pub fn actions<G: Game>(&mut self, state: &G) -> Result<Vec<(Action, Score)>, SolveError> {
        let mover = check(state)?;
        let mut legal = ActionList::new();
        state.legal_actions(&mut legal);
        let score_of = |&action: &Action| {
            let mut next = *state;
            next.apply(action);
            let score = match next.turn() {
                Turn::Player(player) => {
                    let score = self.score(&next)?;
                    worker::backed_up(score, player == mover)
                }
                _ => {
                    let payoff = next.payoffs()[mover.index()];
                    worker::final_score(payoff).map_err(|halt| error(state, halt))?
                }
            };
            Ok((action, score))
        };
        legal.iter().map(score_of).collect()
    }

    /// Returns a line of best play to the end from a position with this score.
    ///
    /// # Errors
    ///
    /// Fails like [`score`](Self::score).
    pub fn line<G: Game>(
        &mut self,
        state: &G,
        mut score: Score,
    ) -> Result<Vec<Action>, SolveError> {
        let (mut at, mut line) = (*state, Vec::new());
        while let Turn::Player(mover) = at.turn() {
            let mut legal = ActionList::new();
            at.legal_actions(&mut legal);
            let mut best = None;
            for &action in legal.iter() {
                if self.keeps(&at, mover, action, score)? {
                    best = Some(action);
                    break;
                }
            }
            let action = best.expect("some action keeps the score");
            at.apply(action);
            line.push(action);
            score = score.one_ply_later();
            if at.turn() != Turn::Player(mover) {
                score = score.for_opponent();
            }
        }
        Ok(line)
    }

    /// Whether an action of a position with this score is best.
    fn keeps<G: Game>(
        &mut self,
        state: &G,
        mover: Player,
        action: Action,
        score: Score,
    ) -> Result<bool, SolveError> {
        let mut next = *state;
        next.apply(action);
        let wanted = score.one_ply_later();
        match next.turn() {
            Turn::Player(player) if player == mover => {
                Ok(self.search(&next, wanted.next_worse(), wanted)? >= wanted)
            }
            Turn::Player(_) => {
                let wanted = wanted.for_opponent();
                Ok(self.search(&next, wanted, wanted.next_better())? <= wanted)
            }
            _ => {
                let payoff = next.payoffs()[mover.index()];
                let last = worker::final_score(payoff).map_err(|halt| error(state, halt))?;
                Ok(last >= score)
            }
        }
    }

    /// Narrows the bounds of a position to its score.
    fn bisect<G: Game>(&mut self, state: &G, mut bounds: Bounds) -> Result<Score, SolveError> {
        while bounds.low < bounds.high {
            let middle = bounds.low.halfway(bounds.high);
            let score = self.search(state, middle, middle.next_better())?;
            if score > middle {
                bounds.low = score;
            } else {
                bounds.high = score;
            }
        }
        Ok(bounds.low)
    }

    /// One search with a minimal window, by all threads.
    fn search<G: Game>(
        &mut self,
        state: &G,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, SolveError> {
        let answered = AtomicBool::new(false);
        let shared = Shared {
            table: &self.table,
            stop: &self.control.stop,
            answered: &answered,
            nodes: &self.control.nodes,
        };
        let answer = Mutex::new(Err(Halt::Stopped));
        let work = |number: usize| {
            let result = Worker::<G>::new(&shared, number).search(state, alpha, beta);
            if result != Err(Halt::Stopped) {
                shared.answered.store(true, Relaxed);
                *answer.lock().expect("no thread panics here") = result;
            }
        };
        let work = &work;
        let helpers = (1..self.threads)
            .map(|number| Box::new(move || work(number)) as Box<dyn FnOnce() + Send + '_>);
        run_all(helpers.collect(), &mut || work(0));
        let result = *answer.lock().expect("no thread panics here");
        result.map_err(|halt| error(state, halt))
    }
}

/// Checks that the solver supports the game; returns the player to move.
fn check<G: Game>(state: &G) -> Result<Player, SolveError> {
    if state.has_chance() || state.has_imperfect_information() {
        return Err(SolveError::NotPerfect { game: state.name() });
    }
    if state.players() != 2 {
        return Err(SolveError::Seats { game: state.name(), players: state.players() });
    }
    match state.turn() {
        Turn::Player(player) => Ok(player),
        _ => Err(SolveError::Over),
    }
}

fn error<G: Game>(state: &G, halt: Halt) -> SolveError {
    let game = state.name();
    match halt {
        Halt::Stopped => SolveError::Stopped,
        Halt::TooDeep => SolveError::TooDeep { game, plies: MAX_DEPTH },
        Halt::Payoff => SolveError::Payoffs { game },
    }
}
