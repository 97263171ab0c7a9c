//! One self-play game in progress, with the search for its next decision.

use meeple_arena::Samples;
use meeple_bots::{BotError, Position, SeatBot};
use meeple_game::{
    Action, ActionList, ChanceStream, Driver, End, Event, Game, Payoffs, Player, Rng, View,
};
use meeple_search::{
    BatchedSearch, Budget, GumbelOptions, RootNoise, RootPolicy, SearchError, Selection,
};

use super::{PlayedGame, state_of};
use crate::config::{Root, SelfPlayConfig};

/// The memory limit of a tree in bytes: far more than the simulations of a decision need.
const MEMORY: usize = 256 << 20;

/// A game in progress.
pub(super) struct SelfPlayGame<G: Game> {
    /// The initial state.
    initial: G,
    game: u64,
    /// The current or the last game; `None` before the first.
    driver: Option<Driver<G>>,
    rng: Rng,
    tree: Box<dyn BatchedSearch<G>>,
    /// The search in progress, if any.
    searching: Option<Search>,
    /// The number of random opening decisions that remain.
    openings: u32,
    opponent: Option<SeatedOpponent>,
    actions: Vec<Action>,
    samples: Samples,
    /// The root values of the last search, as payoffs of each seat.
    expected: Payoffs,
    scratch: ActionList,
}

/// The bot of opponent mixing.
// It plays a position chosen at run time: a bot of the type of the game would have all searches
// compiled a second time, in this crate.
struct SeatedOpponent {
    bot: Box<dyn SeatBot>,
    position: Box<dyn Position>,
    /// The share of the games in which it plays.
    share: f64,
    /// Its seat in this game, if any.
    seat: Option<Player>,
}

#[derive(Clone, Copy, Debug)]
struct Search {
    seat: Player,
    simulations: u32,
    /// Whether the decision has the full number of simulations and is trained on.
    is_full: bool,
    temperature: f32,
}

impl<G: Game> SelfPlayGame<G> {
    pub(super) fn new(config: &SelfPlayConfig, start: &dyn Position) -> Result<Self, SearchError> {
        let initial = *state_of::<G>(start);
        let opponent = config.opponent.as_ref().map(|opponent| {
            let position = start.copy();
            let bot = position.bot(&opponent.bot);
            let bot = bot.expect("bots are checked with the file that names them");
            SeatedOpponent { bot, position, share: opponent.share, seat: None }
        });
        let selection = Selection::Puct { exploration: config.exploration, base: 19_652.0 };
        let tree = start.batched_search(selection, MEMORY)?.downcast();
        Ok(Self {
            initial,
            game: 0,
            driver: None,
            rng: Rng::new(0),
            tree: *tree.expect("a position of the game"),
            searching: None,
            openings: 0,
            opponent,
            actions: Vec::new(),
            samples: Samples::default(),
            expected: Payoffs::default(),
            scratch: ActionList::new(),
        })
    }

    /// Starts game number `game`, whose only source of randomness is `rng`.
    pub(super) fn start(&mut self, config: &SelfPlayConfig, game: u64, rng: Rng) {
        self.game = game;
        self.driver = Some(Driver::new(self.initial).with_limit(Some(config.longest.into())));
        self.rng = rng;
        self.openings = match config.openings {
            0 => 0,
            most => self.rng.below(most as usize + 1) as u32,
        };
        if let Some(opponent) = &mut self.opponent {
            let comes = self.rng.unit() < opponent.share;
            opponent.seat = comes.then(|| Player(self.rng.below(self.initial.players()) as u8));
            opponent.bot.begin().expect(OURS);
        }
        self.searching = None;
        self.actions.clear();
        self.samples = Samples::default();
        self.expected = Payoffs::default();
    }

    /// Returns the number of decisions so far.
    pub(super) fn decisions(&self) -> u64 {
        self.driver.map_or(0, |driver| driver.steps().decisions)
    }

    /// Returns the leaves that wait for evaluation.
    pub(super) fn leaves(&self) -> &[G] {
        self.tree.leaves()
    }

    pub(super) fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        self.tree.apply(values, logits)
    }

    /// Plays until a leaf waits for evaluation. Returns the game if it ends first.
    pub(super) fn go_on(
        &mut self,
        config: &SelfPlayConfig,
    ) -> Result<Option<PlayedGame>, SearchError> {
        let Some(mut driver) = self.driver else { return Ok(None) };
        loop {
            if let Some(search) = self.searching {
                if self.search_on(driver.state(), search)? {
                    self.driver = Some(driver);
                    return Ok(None);
                }
                self.searching = None;
                let action = self.decide(driver.state(), search, config);
                self.play(&mut driver, action);
                continue;
            }
            match driver.next(ChanceStream::Sequential(&mut self.rng)) {
                Event::Chance(outcome) => self.actions.push(outcome),
                Event::Over => {
                    self.driver = Some(driver);
                    return Ok(Some(self.finish(&driver)));
                }
                Event::Decision(seat) => {
                    let state = driver.state();
                    state.legal_actions(&mut self.scratch);
                    if let [only] = self.scratch[..] {
                        self.play(&mut driver, only);
                    } else if self.openings > 0 {
                        self.openings -= 1;
                        let action = *self.rng.pick(&self.scratch);
                        self.play(&mut driver, action);
                    } else if let Some(opponent) =
                        self.opponent.as_mut().filter(|opponent| opponent.seat == Some(seat))
                    {
                        opponent.position.set_state(state);
                        let chosen = opponent.bot.choose(&*opponent.position, seat, &mut self.rng);
                        let action = chosen.map_err(|error| match error {
                            BotError::Search { reason, .. } => reason,
                            BotError::Forfeit(forfeit) => unreachable!("{OURS}: {forfeit}"),
                        })?;
                        self.play(&mut driver, action);
                    } else {
                        self.begin(&driver, seat, config)?;
                    }
                }
            }
        }
    }

    fn play(&mut self, driver: &mut Driver<G>, action: Action) {
        self.actions.push(action);
        driver.play(action);
    }

    fn begin(
        &mut self,
        driver: &Driver<G>,
        seat: Player,
        config: &SelfPlayConfig,
    ) -> Result<(), SearchError> {
        let is_full = self.rng.unit() < config.full_share;
        let simulations = if is_full { config.simulations } else { config.fast_simulations };
        let temperature = config.temperature(driver.steps().decisions);
        let (root, noise) = root_of(config.root, temperature, is_full);
        let budget = Budget::simulations(simulations.into());
        let seed = self.rng.bits();
        self.tree.begin(&View::new(driver.state(), seat), root, noise, &budget, seed)?;
        self.searching = Some(Search { seat, simulations, is_full, temperature });
        Ok(())
    }

    /// Continues the search. Returns whether a leaf waits for evaluation.
    fn search_on(&mut self, state: &G, search: Search) -> Result<bool, SearchError> {
        let view = View::new(state, search.seat);
        while self.tree.simulations() < search.simulations.into() && !self.tree.is_solved() {
            let before = self.tree.simulations();
            self.tree.gather(&view, 1)?;
            if !self.tree.leaves().is_empty() {
                return Ok(true);
            }
            if self.tree.simulations() == before {
                // The tree is full: decide with the simulations so far.
                break;
            }
        }
        Ok(false)
    }

    fn decide(&mut self, state: &G, search: Search, config: &SelfPlayConfig) -> Action {
        let mut report = self.tree.report();
        let is_solved = self.tree.is_solved();
        let action = match config.root {
            // The Gumbel noise at the root has already sampled the action.
            Root::Gumbel(_) => report.best,
            Root::Puct(_) if is_solved => report.best,
            Root::Puct(_) => report.sample(search.temperature, &mut self.rng),
        };
        self.expected = report.values;
        if search.is_full {
            if is_solved {
                // A proven best action is the whole policy target.
                for entry in &mut report.actions {
                    entry.policy = f32::from(u8::from(entry.action == report.best));
                }
            }
            self.samples.add_view(&View::new(state, search.seat), action, Some(&report));
        }
        action
    }

    /// Finishes the game. A game that was cut off gets the root values of its last search as
    /// payoffs.
    fn finish(&mut self, driver: &Driver<G>) -> PlayedGame {
        let is_cut = driver.end() == Some(End::Limit);
        let payoffs = if is_cut { self.expected } else { driver.payoffs() };
        let payoffs = payoffs[..driver.state().players()].to_vec();
        let mut samples = std::mem::take(&mut self.samples);
        samples.finish(self.game, 0, &payoffs, is_cut);
        let actions = std::mem::take(&mut self.actions);
        PlayedGame { game: self.game, samples, actions, payoffs, is_cut }
    }
}

/// Why an opponent never forfeits.
const OURS: &str = "only programs of others forfeit, and they are no opponents";

/// Returns the root policy and noise. Gumbel noise is scaled by the temperature; Dirichlet
/// noise is used only for decisions that are trained on.
fn root_of(root: Root, temperature: f32, is_full: bool) -> (RootPolicy, Option<RootNoise>) {
    match root {
        Root::Gumbel(gumbel) => {
            let options = GumbelOptions {
                considered: gumbel.considered,
                visit_offset: gumbel.visit_offset,
                value_scale: gumbel.value_scale,
                noise: temperature,
                below: gumbel.below,
            };
            (RootPolicy::Gumbel(options), None)
        }
        Root::Puct(noise) => {
            let noise = RootNoise { alpha: noise.alpha, share: noise.share };
            (RootPolicy::Same, is_full.then_some(noise))
        }
    }
}
