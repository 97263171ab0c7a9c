//! Gumbel search matches mctx: visits, improved policies and actions recorded by
//! `tests/data/search/record_mctx.py`.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Payoffs, Player, Rng, Turn, View,
};
use meeple_search::{
    Budget, Evaluator, GumbelOptions, Mcts, MctsOptions, RootPolicy, Search, SearchReport,
};
use serde::Deserialize;

/// The maximum number of actions of a recorded case.
const WIDEST: usize = 8;

/// The synthetic game of the script: a state is a number that determines everything else,
/// and the game never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Maze {
    state: u32,
    mover: u8,
    actions: u16,
}

fn mix(bits: u32) -> u32 {
    let bits = (bits ^ bits >> 16).wrapping_mul(0x7feb_352d);
    let bits = (bits ^ bits >> 15).wrapping_mul(0x846c_a68b);
    bits ^ bits >> 16
}

impl Maze {
    fn value(self) -> f32 {
        (mix(self.state ^ 0x0123_4567) >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn logits(self, out: &mut [f32]) {
        let weights = (0..u32::from(self.actions)).map(|at| mix(self.state ^ (0xabcd_0000 + at)));
        let weights: Vec<u32> = weights.map(|bits| 1 + bits % 1000).collect();
        let sum: u32 = weights.iter().sum();
        let mut parts: Vec<u32> = weights.iter().map(|weight| 65_535 * weight / sum).collect();
        parts[0] += 65_535 - parts.iter().sum::<u32>();
        for (logit, part) in out.iter_mut().zip(parts) {
            *logit = (part as f32 / 65_535.0).ln();
        }
    }
}

impl fmt::Display for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.state)
    }
}

static SPEC: ObservationSpec = ObservationSpec::new(1, &[Field::flag("nothing")]);

impl Game for Maze {
    /// A seed and the number of actions.
    type Config = (u32, u16);

    const NAME: &'static str = "maze";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = WIDEST;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;

    fn new(&(seed, actions): &(u32, u16)) -> Self {
        Self { state: mix(seed), mover: 0, actions }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        Turn::Player(Player(self.mover))
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        out.extend((0..self.actions).map(Action));
    }

    fn apply(&mut self, action: Action) {
        let step = 0x9e37_79b9_u32.wrapping_mul(u32::from(action.0) + 1);
        self.state = mix(self.state.wrapping_add(step));
        self.mover = 1 - self.mover;
    }

    fn payoffs(&self) -> Payoffs {
        Payoffs::default()
    }

    fn observation(&self) -> &'static ObservationSpec {
        &SPEC
    }

    fn observe(&self, _: Player, out: &mut [i32]) {
        out[0] = 0;
    }

    fn key(&self) -> u64 {
        u64::from(self.state)
    }

    fn action_name(&self, action: Action) -> String {
        action.0.to_string()
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// The evaluator that the script passes to mctx.
struct Recorded;

impl Evaluator<Maze> for Recorded {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(
        &mut self,
        states: &[Maze],
        _: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) {
        for (at, state) in states.iter().enumerate() {
            values[at] = [0.0; MAX_PLAYERS];
            values[at][usize::from(state.mover)] = state.value();
            values[at][usize::from(1 - state.mover)] = -state.value();
            state.logits(&mut logits[at * WIDEST..(at + 1) * WIDEST]);
        }
    }
}

#[derive(Debug, Deserialize)]
struct Case {
    seed: u32,
    actions: u16,
    simulations: u64,
    considered: usize,
    visit_offset: f32,
    value_scale: f32,
    visits: Vec<u64>,
    policy: Vec<f32>,
    best: u16,
}

#[derive(Debug, Deserialize)]
struct Recording {
    cases: Vec<Case>,
}

fn search(case: &Case) -> SearchReport {
    let game = Maze::new(&(case.seed, case.actions));
    let Case { considered, visit_offset, value_scale, .. } = *case;
    let gumbel = GumbelOptions { considered, visit_offset, value_scale, noise: 0.0, below: true };
    let options = MctsOptions { root: RootPolicy::Gumbel(gumbel), ..MctsOptions::puct() };
    let mut search = Mcts::new(&options, Recorded).expect("good options");
    let budget = Budget::simulations(case.simulations);
    search.search(&View::new(&game, Player(0)), &budget, 1).expect("it runs")
}

#[test]
fn visits_and_policies_match_mctx() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/search/mctx.json");
    let text = std::fs::read_to_string(path).expect("the recording is there");
    let recording: Recording = serde_json::from_str(&text).expect("a recording");
    assert!(recording.cases.len() >= 48);
    for case in &recording.cases {
        let report = search(case);
        let visits: Vec<u64> = report.actions.iter().map(|entry| entry.visits).collect();
        assert_eq!((visits, report.best.0), (case.visits.clone(), case.best), "{case:?}");
        for (entry, expected) in report.actions.iter().zip(&case.policy) {
            assert!((entry.policy - expected).abs() < 2e-5, "{report:?}\n{case:?}");
        }
    }
}
