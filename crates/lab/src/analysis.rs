//! Search statistics as sent to pages.

use meeple_arena::Analysis;
use meeple_bots::Position;
use meeple_game::{Action, Player, Rng, Turn};
use meeple_search::SearchReport;
use schemars::JsonSchema;
use serde::Serialize;

/// The maximum number of candidates.
const MAX_CANDIDATES: usize = 24;
/// The maximum length of the principal variation.
const MAX_VARIATION: usize = 12;
/// The number of sampled determinizations.
const DETERMINIZATIONS: usize = 4;

/// The statistics of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct AnalysisView {
    /// The seat that searches.
    pub(crate) seat: u8,
    /// The number of the event to decide.
    pub(crate) event: usize,
    /// Whether a person requested the search, instead of a bot to move.
    pub(crate) asked: bool,
    /// Whether the search is finished.
    pub(crate) done: bool,
    /// Simulations so far.
    pub(crate) iterations: u64,
    /// The simulation budget.
    pub(crate) budget: u64,
    /// Simulations per second.
    pub(crate) iterations_per_second: f64,
    /// Nodes in the tree.
    pub(crate) nodes: u64,
    /// The maximum depth of the tree.
    pub(crate) depth: u32,
    /// The value of the position for each seat.
    pub(crate) values: Vec<f32>,
    /// The root actions, the most visited first.
    pub(crate) candidates: Vec<Candidate>,
    /// The principal variation.
    pub(crate) line: Vec<String>,
    /// Sampled determinizations: states consistent with the knowledge of the seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) determinizations: Vec<String>,
}

/// The statistics of a root action.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Candidate {
    pub(crate) action: u16,
    /// The name of the action.
    pub(crate) name: String,
    /// Simulations through it.
    pub(crate) visits: u64,
    /// The value for the seat that searches, from -1 to 1.
    pub(crate) value: f32,
    /// The prior probability.
    pub(crate) prior: f32,
}

/// The root of a search, with its seat and budget.
#[derive(Debug)]
pub(crate) struct SearchContext {
    pub(crate) position: Box<dyn Position>,
    pub(crate) seat: Player,
    pub(crate) event: usize,
    pub(crate) asked: bool,
    pub(crate) budget: u64,
    determinizations: Vec<String>,
}

impl SearchContext {
    pub(crate) fn new(
        position: Box<dyn Position>,
        seat: Player,
        event: usize,
        asked: bool,
        budget: u64,
        rng: &mut Rng,
    ) -> Self {
        let determinizations = if position.info().imperfect_information {
            (0..DETERMINIZATIONS).map(|_| position.determinize(seat, rng).to_string()).collect()
        } else {
            Vec::new()
        };
        Self { position, seat, event, asked, budget, determinizations }
    }

    pub(crate) fn analysis(&self, report: &SearchReport, done: bool) -> AnalysisView {
        let mut candidates: Vec<Candidate> = (report.actions.iter())
            .map(|entry| Candidate {
                action: entry.action.0,
                name: String::new(),
                visits: entry.visits,
                value: entry.values[self.seat.index()],
                prior: entry.prior,
            })
            .collect();
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.visits));
        candidates.truncate(MAX_CANDIDATES);
        for candidate in &mut candidates {
            candidate.name = self.position.action_name(Action(candidate.action));
        }
        let variation = report.variations.first().map_or(&[][..], Vec::as_slice);
        AnalysisView {
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
            line: variation_names(&*self.position, self.seat, variation),
            determinizations: self.determinizations.clone(),
        }
    }
}

/// Returns the action names of a variation, as far as it is legal in a determinization for
/// `seat`.
pub(crate) fn variation_names(
    position: &dyn Position,
    seat: Player,
    variation: &[Action],
) -> Vec<String> {
    let mut state = position.determinize(seat, &mut Rng::new(0));
    let mut names = Vec::new();
    for &action in variation.iter().take(MAX_VARIATION) {
        let mover = state.turn();
        let mut next = state.copy();
        if next.try_apply(action).is_err() {
            break;
        }
        let who = match mover {
            Turn::Player(player) if player != seat => format!("{player}: "),
            Turn::Chance => "chance: ".into(),
            _ => String::new(),
        };
        names.push(format!("{who}{}", state.action_name(action)));
        state = next;
    }
    names
}

/// Converts recorded search statistics to those of a running search.
pub(crate) fn recorded_analysis(
    analysis: &Analysis,
    position: &dyn Position,
    seat: Player,
    event: usize,
) -> AnalysisView {
    let candidates = (analysis.candidates.iter())
        .map(|candidate| Candidate {
            action: candidate.action.0,
            name: position.action_name(candidate.action),
            visits: candidate.visits,
            value: candidate.value,
            prior: candidate.prior,
        })
        .collect();
    AnalysisView {
        seat: seat.0,
        event,
        asked: false,
        done: true,
        iterations: analysis.iterations,
        budget: analysis.iterations,
        iterations_per_second: 0.0,
        nodes: 0,
        depth: 0,
        values: analysis.values.clone(),
        candidates,
        line: variation_names(position, seat, &analysis.variation),
        determinizations: Vec::new(),
    }
}
