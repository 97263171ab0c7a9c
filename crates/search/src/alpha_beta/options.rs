//! Options of alpha-beta search: sizes, and a switch for every technique.

use std::time::Duration;

use meeple_game::Action;
use serde::{Deserialize, Serialize};

use crate::SearchError;
use crate::options::expect;

/// The largest search depth in plies.
pub const MAX_DEPTH: u32 = 120;

/// Options of [`AlphaBeta`](super::AlphaBeta). All techniques are on by default; those that the
/// game says nothing about have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlphaBetaOptions {
    /// The size of the transposition table in bytes; 16 MiB by default.
    pub hash: usize,
    /// The number of threads; 1 by default. Searches with more are not reproducible.
    pub threads: usize,
    /// The depth limit in plies of a search without another one; [`MAX_DEPTH`] by default.
    pub depth: u32,
    /// The number of lines in the report (multi-PV); 1 by default. Only lines have exact scores;
    /// other root actions have bounds.
    pub lines: usize,
    /// Whether values and best actions are kept in the transposition table.
    pub table: bool,
    /// Principal variation search: actions after the first are searched with a null window.
    pub principal_variation: bool,
    /// Aspiration windows around the score of the depth before.
    pub aspiration: bool,
    /// Whether noisy actions are ordered by the game's exchanges.
    pub exchanges: bool,
    /// Killer moves.
    pub killers: bool,
    /// The history heuristic.
    pub history: bool,
    /// Counter moves.
    pub counter_moves: bool,
    /// Late move reductions.
    pub late_move_reductions: bool,
    /// Null move pruning.
    pub null_move: bool,
    /// Futility pruning: quiet actions and whole nodes far below or above the window, near the
    /// horizon.
    pub futility: bool,
    /// Late move pruning: the last quiet actions of nodes near the horizon are skipped, and
    /// losing exchanges there.
    pub late_move_pruning: bool,
    /// Mate distance pruning: no line is searched that is longer than a proven win.
    pub distance_pruning: bool,
    /// Quiescence search at the horizon.
    pub quiescence: bool,
    /// Check extensions.
    pub extensions: bool,
    /// Star1 at chance nodes: the window of an outcome follows from the bounds of the others.
    pub star1: bool,
    /// Star2 at chance nodes: outcomes are probed with their most promising action first.
    pub star2: bool,
    /// In games with chance, actions are ordered by the heuristic evaluation after them.
    pub one_step: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self {
            hash: 16 << 20,
            threads: 1,
            depth: MAX_DEPTH,
            lines: 1,
            table: true,
            principal_variation: true,
            aspiration: true,
            exchanges: true,
            killers: true,
            history: true,
            counter_moves: true,
            late_move_reductions: true,
            null_move: true,
            futility: true,
            late_move_pruning: true,
            distance_pruning: true,
            quiescence: true,
            extensions: true,
            star1: true,
            star2: true,
            one_step: true,
        }
    }
}

impl AlphaBetaOptions {
    /// Plain alpha-beta with every technique off.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            table: false,
            principal_variation: false,
            aspiration: false,
            exchanges: false,
            killers: false,
            history: false,
            counter_moves: false,
            late_move_reductions: false,
            null_move: false,
            futility: false,
            late_move_pruning: false,
            distance_pruning: false,
            quiescence: false,
            extensions: false,
            star1: false,
            star2: false,
            one_step: false,
            ..Self::default()
        }
    }

    /// The switches by name, to list and set them.
    #[must_use]
    pub fn switches(&mut self) -> [(&'static str, &mut bool); 17] {
        [
            ("table", &mut self.table),
            ("principal_variation", &mut self.principal_variation),
            ("aspiration", &mut self.aspiration),
            ("exchanges", &mut self.exchanges),
            ("killers", &mut self.killers),
            ("history", &mut self.history),
            ("counter_moves", &mut self.counter_moves),
            ("late_move_reductions", &mut self.late_move_reductions),
            ("null_move", &mut self.null_move),
            ("futility", &mut self.futility),
            ("late_move_pruning", &mut self.late_move_pruning),
            ("distance_pruning", &mut self.distance_pruning),
            ("quiescence", &mut self.quiescence),
            ("extensions", &mut self.extensions),
            ("star1", &mut self.star1),
            ("star2", &mut self.star2),
            ("one_step", &mut self.one_step),
        ]
    }

    /// Checks every option.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] for the first option that is out of range.
    pub fn check(&self) -> Result<(), SearchError> {
        let most = 1 << 36;
        let bytes = (1 << 10)..=most;
        expect(bytes.contains(&self.hash), "hash", self.hash as f32, "1 KB to 64 GB")?;
        let threads = self.threads;
        expect((1..=256).contains(&threads), "threads", threads as f32, "1 to 256")?;
        let depth = self.depth;
        expect((1..=MAX_DEPTH).contains(&depth), "depth", depth as f32, "1 to 120")
    }
}

/// The limits of one search; the first one reached stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits<'a> {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes: actions applied.
    pub nodes: Option<u64>,
    /// No new depth begins after this time, unless the best action has just changed.
    pub soft_time: Option<Duration>,
    /// The search stops at this time.
    pub hard_time: Option<Duration>,
    /// The search stops at a proven win in this number of plies.
    pub win_in: Option<u32>,
    /// The number of principal variations (multi-PV); 0 counts as 1.
    pub lines: usize,
    /// The actions to choose from; empty for all legal ones.
    pub actions: &'a [Action],
}
