//! What a search thinks, in words that can be sent.

use meeple_arena::{Position, Thought};
use meeple_game::{Action, Player, Rng, Turn};
use meeple_search::SearchReport;
use schemars::JsonSchema;
use serde::Serialize;

/// Actions that are told of.
const CANDIDATES: usize = 24;
/// Steps of the expected line.
const LINE: usize = 12;
/// Worlds that are shown.
const WORLDS: usize = 4;

/// What a search has found out so far.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Thinking {
    /// Who thinks.
    pub(crate) seat: u8,
    /// The number of the event that is decided.
    pub(crate) event: usize,
    /// Whether a person asked, instead of a bot that is to move.
    pub(crate) asked: bool,
    /// Whether it is the last report.
    pub(crate) done: bool,
    /// Simulations so far.
    pub(crate) iterations: u64,
    /// Simulations that it may use.
    pub(crate) budget: u64,
    /// Simulations a second.
    pub(crate) iterations_per_second: f64,
    /// States in the tree.
    pub(crate) nodes: u64,
    /// The longest way from the root.
    pub(crate) depth: u32,
    /// What the position is worth to each seat.
    pub(crate) values: Vec<f32>,
    /// The actions, the most visited first.
    pub(crate) candidates: Vec<Considered>,
    /// What is expected to follow.
    pub(crate) line: Vec<String>,
    /// Some tables that the thinker takes for possible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) worlds: Vec<String>,
}

/// An action that is considered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Considered {
    pub(crate) action: u16,
    /// What people call it.
    pub(crate) name: String,
    /// Simulations through it.
    pub(crate) visits: u64,
    /// What it is worth to the thinker, from -1 to 1.
    pub(crate) value: f32,
    /// How good it was thought to be beforehand, from 0 to 1.
    pub(crate) prior: f32,
}

/// Where a search is, and for whom.
#[derive(Debug)]
pub(crate) struct Mind {
    pub(crate) position: Box<dyn Position>,
    pub(crate) seat: Player,
    pub(crate) event: usize,
    pub(crate) asked: bool,
    pub(crate) budget: u64,
    worlds: Vec<String>,
}

impl Mind {
    pub(crate) fn new(
        position: Box<dyn Position>,
        seat: Player,
        event: usize,
        asked: bool,
        budget: u64,
        rng: &mut Rng,
    ) -> Self {
        let worlds = if position.info().imperfect_information {
            (0..WORLDS).map(|_| position.determinize(seat, rng).to_string()).collect()
        } else {
            Vec::new()
        };
        Self { position, seat, event, asked, budget, worlds }
    }

    pub(crate) fn tell(&self, report: &SearchReport, done: bool) -> Thinking {
        let mut candidates: Vec<Considered> = (report.actions.iter())
            .map(|entry| Considered {
                action: entry.action.0,
                name: String::new(),
                visits: entry.visits,
                value: entry.values[self.seat.index()],
                prior: entry.prior,
            })
            .collect();
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.visits));
        candidates.truncate(CANDIDATES);
        for candidate in &mut candidates {
            candidate.name = self.position.action_name(Action(candidate.action));
        }
        let line = report.variations.first().map_or(&[][..], Vec::as_slice);
        Thinking {
            seat: self.seat.0,
            event: self.event,
            asked: self.asked,
            done,
            iterations: report.simulations,
            budget: self.budget,
            iterations_per_second: report.simulations_per_second,
            nodes: report.nodes,
            depth: report.depth,
            values: report.values[..self.position.players()].to_vec(),
            candidates,
            line: names_along(&*self.position, self.seat, line),
            worlds: self.worlds.clone(),
        }
    }
}

/// The names of actions that follow each other, as far as they can be played in a table
/// that `seat` takes for possible.
pub(crate) fn names_along(position: &dyn Position, seat: Player, line: &[Action]) -> Vec<String> {
    let mut world = position.determinize(seat, &mut Rng::new(0));
    let mut names = Vec::new();
    for &action in line.iter().take(LINE) {
        let mover = world.turn();
        let mut next = world.copy();
        if next.try_apply(action).is_err() {
            break;
        }
        let who = match mover {
            Turn::Player(player) if player != seat => format!("{player}: "),
            Turn::Chance => "luck: ".into(),
            _ => String::new(),
        };
        names.push(format!("{who}{}", world.action_name(action)));
        world = next;
    }
    names
}

/// A thought that was kept, told like one that is being thought.
pub(crate) fn retell(
    thought: &Thought,
    position: &dyn Position,
    seat: Player,
    event: usize,
) -> Thinking {
    let candidates = (thought.candidates.iter())
        .map(|candidate| Considered {
            action: candidate.action.0,
            name: position.action_name(candidate.action),
            visits: candidate.visits,
            value: candidate.value,
            prior: candidate.prior,
        })
        .collect();
    Thinking {
        seat: seat.0,
        event,
        asked: false,
        done: true,
        iterations: thought.iterations,
        budget: thought.iterations,
        iterations_per_second: 0.0,
        nodes: 0,
        depth: 0,
        values: thought.values.clone(),
        candidates,
        line: names_along(position, seat, &thought.variation),
        worlds: Vec::new(),
    }
}
