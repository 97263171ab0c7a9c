//! UCI chess engines (Universal Chess Interface, Huber and Meyer-Kahlen 2000).

use std::any::Any;
use std::time::{Duration, Instant};

use meeple_game::{Action, Game, Rng, View};
use meeple_games::chess::Chess;

use super::line::{Lines, start_of};
use super::{Cause, ExternalSpec, Forfeit, START};
use crate::{Bot, BotError};

/// A running chess engine.
#[derive(Debug)]
pub(super) struct UciEngine {
    lines: Lines,
    limit: Duration,
    go: String,
}

/// The share of the time limit that is passed to the engine. The rest covers communication.
const TOLD: f64 = 0.8;

impl UciEngine {
    pub(super) fn start(spec: &ExternalSpec) -> Result<Self, Forfeit> {
        let mut lines = Lines::start(&spec.command)?;
        let deadline = Instant::now() + START;
        lines.say("uci", deadline)?;
        lines.hear(deadline, |line| (line == "uciok").then_some(()))?;
        let mut go = "go".to_owned();
        if let Some(nodes) = spec.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        if let Some(depth) = spec.depth {
            go.push_str(&format!(" depth {depth}"));
        }
        if spec.nodes.is_none() && spec.depth.is_none() {
            let told = (spec.limit().as_secs_f64() * 1000.0 * TOLD).max(1.0);
            go.push_str(&format!(" movetime {}", told as u64));
        }
        let mut engine = Self { lines, limit: spec.limit(), go };
        engine.wait_ready(deadline)?;
        Ok(engine)
    }

    fn wait_ready(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.lines.say("isready", deadline)?;
        self.lines.hear(deadline, |line| (line == "readyok").then_some(()))
    }
}

impl<G: Game> Bot<G> for UciEngine {
    /// The engine receives the position as FEN, without the preceding moves, so it cannot detect
    /// repetitions.
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        let game = view.sample(rng);
        let chess = (&game as &dyn Any).downcast_ref::<Chess>();
        let chess = chess.expect("engines are built for chess alone");
        let deadline = Instant::now() + self.limit;
        self.lines.expect_silence(|line| best_move(line).is_some())?;
        self.lines.say(&format!("position fen {}", chess.state().fen()), deadline)?;
        self.lines.say(&self.go, deadline)?;
        let text = self.lines.hear(deadline, best_move)?;
        let action = game.parse_action(&text);
        let action = action.ok_or_else(|| {
            let detail = format!("bestmove {:?}", start_of(&text));
            self.lines.fail(Forfeit::new(Cause::IllegalMove, detail))
        });
        Ok(action?)
    }

    fn begin(&mut self) -> Result<(), BotError> {
        let deadline = Instant::now() + START;
        self.lines.say("ucinewgame", deadline)?;
        Ok(self.wait_ready(deadline)?)
    }
}

/// Returns the move of a `bestmove` line.
fn best_move(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    (words.next() == Some("bestmove")).then(|| words.next().unwrap_or("").to_owned())
}
