//! The search that `go` starts, on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use meeple_bots::ChessSearch;
use meeple_game::{Action, Game, Player, Rng};
use meeple_games::chess::Chess;
use meeple_search::{Iteration, Limits, LineReport, Score, StopFlag};

use super::go::Go;
use super::strength;
use crate::failure::Failure;
use crate::show;

/// What to search.
pub(super) struct Job {
    pub(super) game: Chess,
    /// The moves to choose from; empty for all.
    pub(super) actions: Vec<Action>,
    pub(super) limits: Limits<'static>,
    pub(super) lines: usize,
    /// The strength, if it is limited.
    pub(super) elo: Option<u32>,
    pub(super) seed: u64,
}

/// A search in progress.
pub(super) struct Running {
    stop: StopFlag,
    /// Whether the answer may be sent before `stop`.
    may_answer: Arc<AtomicBool>,
    /// The limits that begin with `ponderhit`.
    after_ponder: Option<Limits<'static>>,
    thread: JoinHandle<ChessSearch>,
}

impl Running {
    pub(super) fn start(
        search: ChessSearch,
        job: Job,
        go: &Go,
        mover: Player,
        overhead: Duration,
    ) -> Self {
        let stop = StopFlag::default();
        let may_answer = Arc::new(AtomicBool::new(!go.infinite && !go.ponder));
        let after_ponder = go.ponder.then(|| go.limits_after_ponder(mover, overhead));
        let (flag, answers) = (stop.clone(), Arc::clone(&may_answer));
        let thread = thread::spawn(move || {
            let mut search = search;
            // Fails only if stdout is closed.
            let _ = answer(&mut search, &job, &flag, &answers);
            search
        });
        Self { stop, may_answer, after_ponder, thread }
    }

    /// The expected move was played: the search goes on for the time of a move, which begins now.
    /// Without effect unless the search ponders.
    pub(super) fn ponder_hit(&mut self) {
        let Some(limits) = self.after_ponder.take() else { return };
        self.may_answer.store(true, Ordering::Relaxed);
        // The other limits were reached on the opponent's time, if at all.
        let time = limits.soft_time.or(limits.hard_time).unwrap_or_default();
        let stop = self.stop.clone();
        thread::spawn(move || {
            thread::sleep(time);
            stop.stop();
        });
    }

    /// Stops the search and waits for its `bestmove`.
    pub(super) fn stop(self) -> Option<ChessSearch> {
        self.stop.stop();
        // A search that panicked has printed its message and has no answer.
        self.thread.join().ok()
    }
}

/// Searches, prints `info` lines on the way, and prints the `bestmove`.
fn answer(
    search: &mut ChessSearch,
    job: &Job,
    stop: &StopFlag,
    may_answer: &AtomicBool,
) -> Result<(), Failure> {
    let game = &job.game;
    let mut limits = Limits { lines: job.lines, actions: &job.actions, ..job.limits };
    if let Some(elo) = job.elo {
        let nodes = strength::nodes(elo);
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        limits.lines = limits.lines.max(strength::LINES);
    }
    let mut print = |iteration: &Iteration<'_>| {
        if iteration.number < job.lines {
            // A closed stdout must not end the search.
            let _ = show::print(&info(game, iteration));
        }
    };
    let mut best = search.run(game, &limits, stop, &mut print).map_err(Failure::usage)?;
    // An infinite search must not send `bestmove` before `stop`.
    while !may_answer.load(Ordering::Relaxed) && !stop.is_stopped() {
        thread::sleep(Duration::from_millis(2));
    }
    let Some(line) = search.lines(1).next() else { return Ok(()) };
    let last = Iteration {
        depth: line.depth,
        selective_depth: line.depth,
        number: 0,
        line,
        nodes: search.nodes(),
        elapsed: search.elapsed(),
        fullness: search.fullness(),
    };
    let mut text = info(game, &last);
    let mut ponder = line.actions.get(1).copied();
    if let Some(elo) = job.elo {
        let mut rng = Rng::new(job.seed ^ game.key());
        let chosen = strength::choose(search.lines(limits.lines), elo, &mut rng);
        if let Some(chosen) = chosen.filter(|&chosen| chosen != best) {
            (best, ponder) = (chosen, None);
        }
    }
    text.push_str(&format!("bestmove {}", game.action_name(best)));
    if let Some(ponder) = ponder {
        let mut next = *game;
        next.apply(best);
        text.push_str(&format!(" ponder {}", next.action_name(ponder)));
    }
    text.push('\n');
    show::print(&text)
}

/// Formats an `info` line.
fn info(game: &Chess, iteration: &Iteration<'_>) -> String {
    let Iteration { depth, selective_depth, number, line, nodes, elapsed, fullness } = iteration;
    let seconds = elapsed.as_secs_f64().max(1e-6);
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {nodes} nps {} hashfull {fullness} \
         time {} pv{}\n",
        depth.max(&1),
        selective_depth.max(&1),
        number + 1,
        score(line.score),
        (*nodes as f64 / seconds) as u64,
        elapsed.as_millis(),
        moves(game, line),
    )
}

/// Centipawns, or moves to mate: negative if the engine is mated.
fn score(score: Score) -> String {
    match score {
        Score::Units(units) => format!("cp {units}"),
        Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::Loss(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}

fn moves(game: &Chess, line: &LineReport<'_>) -> String {
    let (mut text, mut now) = (String::new(), *game);
    for &action in line.actions {
        text.push(' ');
        text.push_str(&now.action_name(action));
        now.apply(action);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_in_centipawns_or_moves() {
        assert_eq!(score(Score::Units(-31)), "cp -31");
        assert_eq!(score(Score::Win(1)), "mate 1");
        assert_eq!(score(Score::Win(5)), "mate 3");
        assert_eq!(score(Score::Loss(4)), "mate -2");
    }
}
