//! The conformance suite that every game passes: each sentence of the contract, tested on
//! random play.

mod choice;
mod key;
mod recall;
mod rule;
mod sight;
mod symmetric;
mod twins;

use meeple_rng::Rng;

use crate::{Action, ActionList, Game, GameInfo, OutcomeList, Turn, Utility, heuristic};
pub use choice::ROUNDING;
use key::Keys;
use rule::{Checked, expect};
pub use rule::{Fault, Rule};

/// The number of events after which a game counts as endless.
pub const MAX_STEPS: usize = 20_000;
/// The maximum size of a state in bytes: searches copy a state at every step.
pub const MAX_STATE: usize = 6144;

/// The rounding error allowed in the sum of payoffs, which are `f32`.
const PAYOFF_ROUNDING: f64 = 1e-6;

/// The coverage of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Games played.
    pub games: usize,
    /// States checked.
    pub states: usize,
    /// Events of the longest game.
    pub longest: usize,
    /// The largest number of legal actions.
    pub widest: usize,
}

/// Plays `games` random games and checks every state on the way.
///
/// # Panics
///
/// Panics at the first broken rule, naming it and showing the state.
#[track_caller]
pub fn check<G: Game>(config: &G::Config, games: usize, seed: u64) -> Coverage {
    match try_check::<G>(config, games, seed) {
        Ok(coverage) => coverage,
        Err(fault) => panic!("{} with {config:?}: {fault}", G::new(config).name()),
    }
}

/// Like [`check`], but returns the broken rule.
///
/// # Errors
///
/// The first broken rule.
pub fn try_check<G: Game>(config: &G::Config, games: usize, seed: u64) -> Result<Coverage, Fault> {
    let root = Rng::new(seed);
    let mut suite = Suite::<G>::new(config, root.split(u64::MAX));
    expect(size_of::<G>() <= MAX_STATE, Rule::Size, &suite.first, || {
        format!("{} bytes, more than {MAX_STATE}", size_of::<G>())
    })?;
    for game in 0..games as u64 {
        suite.play(&mut root.split(game))?;
    }
    suite.finish()
}

/// Checks that the observation determines the meaning of every action
/// ([`Rule::LegalActionsObserved`]). [`check`] does not test this, since it needs games of its own.
///
/// # Panics
///
/// Panics where the same observation goes with different legal actions or names.
#[track_caller]
pub fn check_action_names<G: Game>(config: &G::Config, games: usize, seed: u64) {
    if let Err(fault) = try_check_action_names::<G>(config, games, seed) {
        panic!("{} with {config:?}: {fault}", G::new(config).name());
    }
}

/// Like [`check_action_names`], but returns the broken rule.
///
/// # Errors
///
/// Where the same observation goes with different legal actions or names.
pub fn try_check_action_names<G: Game>(
    config: &G::Config,
    games: usize,
    seed: u64,
) -> Result<(), Fault> {
    let (root, first) = (Rng::new(seed), G::new(config));
    (0..games as u64).try_for_each(|game| twins::check(&first, &mut root.split(game)))
}

/// The state of a check.
struct Suite<G: Game> {
    first: G,
    config: G::Config,
    coverage: Coverage,
    keys: Keys<G>,
    sight: sight::Sight<G>,
    recall: recall::Recall,
    rng: Rng,
    saw_chance: bool,
    samplings: usize,
}

impl<G: Game> Suite<G> {
    fn new(config: &G::Config, rng: Rng) -> Self {
        let first = G::new(config);
        Self {
            first,
            config: config.clone(),
            coverage: Coverage::default(),
            keys: Keys::new(),
            sight: sight::Sight::new(),
            recall: recall::Recall::default(),
            rng,
            saw_chance: false,
            samplings: 0,
        }
    }

    /// Plays one game with a check of each state, and replays it from its record.
    fn play(&mut self, rng: &mut Rng) -> Checked {
        let mut game = self.first;
        let mut record = Vec::new();
        let mut scratch = ActionList::new();
        self.recall.begin();
        while game.turn() != Turn::Over {
            expect(record.len() < MAX_STEPS, Rule::Termination, &game, || {
                format!("no end after {MAX_STEPS} steps")
            })?;
            self.check_state(&game)?;
            let action = random_step(&game, rng, &mut scratch);
            if let Turn::Player(player) = game.turn() {
                self.recall.decide(&game, player, action);
            }
            game.apply(action);
            record.push(action);
        }
        self.check_state(&game)?;
        self.sight.play_on(&mut self.rng)?;
        self.check_record(&game, &record)?;
        self.check_bounds(&game, &record)?;
        self.check_playouts(&record)?;
        symmetric::check(&self.first, &record)?;
        self.coverage.games += 1;
        self.coverage.longest = self.coverage.longest.max(record.len());
        Ok(())
    }

    fn check_state(&mut self, game: &G) -> Checked {
        self.coverage.states += 1;
        self.saw_chance |= game.turn() == Turn::Chance;
        let players = game.players();
        let (fewest, most) = game.seats().into_inner();
        let seated = (fewest..=most).contains(&players)
            && G::SEATS.contains(&fewest)
            && G::SEATS.contains(&most)
            && players == self.first.players();
        expect(seated, Rule::Seats, game, || format!("{players} seats of {fewest} to {most}"))?;
        let info = game.info();
        let agrees = GameInfo {
            utility: info.utility,
            perfect_recall: info.perfect_recall,
            max_chance_outcomes: info.max_chance_outcomes,
            max_decisions: info.max_decisions,
            ..GameInfo::of(game)
        };
        let holds = info == self.first.info() && info == agrees;
        expect(holds, Rule::Info, game, || format!("{info:?}"))?;
        let bounded = info.actions <= G::ACTIONS
            && (G::CHANCE || !info.chance)
            && (G::IMPERFECT_INFORMATION || !info.imperfect_information);
        expect(bounded, Rule::Constants, game, || format!("{info:?}"))?;
        expect(game.is_consistent(), Rule::Consistency, game, || "is_consistent is false".into())?;
        self.coverage.widest = self.coverage.widest.max(choice::check(game, &mut self.rng)?);
        if game.turn() == Turn::Chance && self.samplings < choice::SAMPLINGS {
            self.samplings += 1;
            choice::check_sampling(game, &mut self.rng)?;
        }
        self.sight.check(game, &mut self.rng, &mut self.keys)?;
        self.keys.check(game, &mut self.rng)?;
        self.recall.check(game)?;
        check_payoffs(game)?;
        check_evaluation(game)
    }

    fn check_record(&self, end: &G, record: &[Action]) -> Checked {
        let mut again = G::new(&self.config);
        record.iter().for_each(|&action| again.apply(action));
        expect(again == *end, Rule::Determinism, end, || {
            format!("replayed from its {} actions it ends as {again:?}", record.len())
        })?;
        // `is_seen` and `apply_sampled` are checked last: they rely on `apply` being
        // deterministic, which the replay has just established.
        let mut game = G::new(&self.config);
        for &action in record {
            sight::check_seen_choices(&game)?;
            if let Turn::Player(_) = game.turn() {
                choice::check_step(&game, &self.rng)?;
            }
            game.apply(action);
        }
        Ok(())
    }

    /// Compares a recorded game with the properties in [`Game::info`].
    fn check_bounds(&self, end: &G, record: &[Action]) -> Checked {
        let info = end.info();
        let (mut game, mut decisions, mut outcomes) = (G::new(&self.config), 0, OutcomeList::new());
        for &action in record {
            if game.turn() == Turn::Chance {
                game.chance_outcomes(&mut outcomes);
                let highest = outcomes.iter().map(|outcome| outcome.action.index() + 1).max();
                let holds = highest.is_none_or(|highest| highest <= info.max_chance_outcomes);
                expect(holds, Rule::InfoBounds, &game, || format!("chance ids up to {highest:?}"))?;
            } else {
                decisions += 1;
            }
            game.apply(action);
        }
        let holds = info.max_decisions.is_none_or(|most| decisions <= most);
        expect(holds, Rule::InfoBounds, end, || format!("{decisions} decisions"))?;
        let sum: f64 = end.payoffs().iter().map(|&payoff| f64::from(payoff)).sum();
        let holds = match info.utility {
            Utility::ZeroSum => sum.abs() < PAYOFF_ROUNDING,
            Utility::ConstantSum(expected) => (sum - expected).abs() < PAYOFF_ROUNDING,
            Utility::GeneralSum => true,
        };
        expect(holds, Rule::InfoBounds, end, || format!("payoffs sum to {sum}"))
    }

    /// Checks playouts from the initial state and from a random state of the record.
    fn check_playouts(&mut self, record: &[Action]) -> Checked {
        choice::check_playout(&self.first, &self.rng)?;
        let mut game = self.first;
        let steps = self.rng.below(record.len() + 1);
        record[..steps].iter().for_each(|&action| game.apply(action));
        choice::check_playout(&game, &self.rng)
    }

    fn finish(self) -> Result<Coverage, Fault> {
        let chance = self.first.has_chance();
        expect(self.saw_chance == chance, Rule::Chance, &self.first, || {
            format!("has_chance is {chance}, chance events seen: {}", self.saw_chance)
        })?;
        self.sight.finish(&self.first)?;
        Ok(self.coverage)
    }
}

fn check_payoffs<G: Game>(game: &G) -> Checked {
    let payoffs = game.payoffs();
    let (seated, empty) = payoffs.split_at(game.players());
    let is_zero = |&payoff: &f32| payoff == 0.0;
    let is_signed_zero = |payoff: &f32| payoff.to_bits() == (-0.0f32).to_bits();
    let holds = seated.iter().all(|payoff| payoff.abs() <= 1.0)
        && !payoffs.iter().any(is_signed_zero)
        && empty.iter().all(is_zero)
        && (game.turn() == Turn::Over || seated.iter().all(is_zero));
    expect(holds, Rule::Payoffs, game, || format!("{payoffs:?} with turn {:?}", game.turn()))
}

fn check_evaluation<G: Game>(game: &G) -> Checked {
    let values = heuristic(game);
    let holds = values.is_none_or(|values| values.iter().all(|value| value.abs() <= 1.0));
    expect(holds, Rule::Evaluation, game, || format!("{values:?}"))
}

/// Draws the next action or chance outcome of `game` at random.
fn random_step<G: Game>(game: &G, rng: &mut Rng, scratch: &mut ActionList) -> Action {
    match game.turn() {
        Turn::Player(_) => game.sample_action(rng, scratch),
        _ => game.sample_chance(rng),
    }
}
