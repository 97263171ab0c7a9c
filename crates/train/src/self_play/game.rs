//! One table: a game in progress, and the search for its next decision.

use std::sync::Arc;

use meeple_arena::Samples;
use meeple_bots::{Bot, BotError, seat_view};
use meeple_game::{
    Action, ActionList, ChanceStream, Driver, End, Event, Game, Payoffs, Player, Rng, View,
};
use meeple_search::{
    BatchedSearch, Budget, GumbelOptions, RootNoise, RootPolicy, SearchError, Selection,
    batched_search,
};

use super::PlayedGame;
use crate::config::{Root, SelfPlayConfig};

/// The memory of a tree in bytes: far more than the simulations of a decision need.
const MEMORY: usize = 256 << 20;

/// A game in progress.
pub(super) struct SelfPlayGame<G: Game> {
    config: Arc<G::Config>,
    game: u64,
    /// The game in progress or the last one, if there was one.
    driver: Option<Driver<G>>,
    rng: Rng,
    tree: Box<dyn BatchedSearch<G>>,
    /// Who is searching, if anybody is.
    searching: Option<Search>,
    /// Random decisions that the game still begins with.
    openings: u32,
    opponent: Option<SeatedOpponent<G>>,
    actions: Vec<Action>,
    samples: Samples,
    /// What each seat was last expected to get.
    expected: Payoffs,
    scratch: ActionList,
}

/// Who may take a seat in place of the network.
struct SeatedOpponent<G: Game> {
    bot: Box<dyn Bot<G>>,
    /// The share of the games in which it does.
    share: f64,
    /// The seat that it has in this game, if any.
    seat: Option<Player>,
}

#[derive(Clone, Copy, Debug)]
struct Search {
    seat: Player,
    simulations: u32,
    /// Whether the decision is learned from.
    is_full: bool,
    temperature: f32,
}

impl<G: Game> SelfPlayGame<G> {
    pub(super) fn new(config: &SelfPlayConfig, table: &G::Config) -> Result<Self, SearchError> {
        let opponent = config.opponent.as_ref().map(|opponent| SeatedOpponent {
            bot: opponent.bot.build(table).expect("bots are checked with the file that names them"),
            share: opponent.share,
            seat: None,
        });
        let selection = Selection::Puct { exploration: config.exploration, base: 19_652.0 };
        Ok(Self {
            config: Arc::new(table.clone()),
            game: 0,
            driver: None,
            rng: Rng::new(0),
            tree: batched_search(selection, MEMORY)?,
            searching: None,
            openings: 0,
            opponent,
            actions: Vec::new(),
            samples: Samples::default(),
            expected: Payoffs::default(),
            scratch: ActionList::new(),
        })
    }

    /// Starts the game with this number, which draws from `rng` alone.
    pub(super) fn start(
        &mut self,
        config: &SelfPlayConfig,
        table: &G::Config,
        game: u64,
        rng: Rng,
    ) {
        let state = G::new(table);
        self.game = game;
        self.driver = Some(Driver::new(state).with_limit(Some(config.longest.into())));
        self.rng = rng;
        self.openings = match config.openings {
            0 => 0,
            most => self.rng.below(most as usize + 1) as u32,
        };
        if let Some(opponent) = &mut self.opponent {
            let comes = self.rng.unit() < opponent.share;
            opponent.seat = comes.then(|| Player(self.rng.below(state.players()) as u8));
            opponent.bot.begin().expect(OURS);
        }
        self.searching = None;
        self.actions.clear();
        self.samples = Samples::default();
        self.expected = Payoffs::default();
    }

    /// Decisions of the game so far.
    pub(super) fn decisions(&self) -> u64 {
        self.driver.map_or(0, |driver| driver.steps().decisions)
    }

    /// States that wait to be judged.
    pub(super) fn leaves(&self) -> &[G] {
        self.tree.leaves()
    }

    pub(super) fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        self.tree.apply(values, logits)
    }

    /// Plays on until a leaf waits to be judged; the game, if it ends first.
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
                    } else if let Some(bot) = opponent_at(&mut self.opponent, seat) {
                        let chosen = bot.choose(&View::new(state, seat), &mut self.rng);
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

    /// Searches on; whether a leaf waits to be judged.
    fn search_on(&mut self, state: &G, search: Search) -> Result<bool, SearchError> {
        let view = View::new(state, search.seat);
        while self.tree.simulations() < search.simulations.into() && !self.tree.is_solved() {
            let before = self.tree.simulations();
            self.tree.gather(&view, 1)?;
            if !self.tree.leaves().is_empty() {
                return Ok(true);
            }
            if self.tree.simulations() == before {
                // The tree has no room to grow: what is known must do.
                break;
            }
        }
        Ok(false)
    }

    fn decide(&mut self, state: &G, search: Search, config: &SelfPlayConfig) -> Action {
        let mut report = self.tree.report();
        let is_solved = self.tree.is_solved();
        let action = match config.root {
            // The noise of the root has drawn already.
            Root::Gumbel(_) => report.best,
            Root::Puct(_) if is_solved => report.best,
            Root::Puct(_) => report.sample(search.temperature, &mut self.rng),
        };
        self.expected = report.values;
        if search.is_full {
            if is_solved {
                // What is proven is all that there is to learn.
                for entry in &mut report.actions {
                    entry.policy = f32::from(u8::from(entry.action == report.best));
                }
            }
            let view = seat_view(View::new(state, search.seat), &self.config);
            self.samples.add(&view, action, Some(&report));
        }
        action
    }

    /// Ends the game. One that was cut off at its limit has the payoffs that its last search
    /// expected.
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

/// Why an opponent always answers.
const OURS: &str = "only programs of others forfeit, and they are no opponents";

/// Whoever plays this seat in place of the network.
fn opponent_at<G: Game>(
    opponent: &mut Option<SeatedOpponent<G>>,
    seat: Player,
) -> Option<&mut dyn Bot<G>> {
    let opponent = opponent.as_mut().filter(|opponent| opponent.seat == Some(seat))?;
    Some(opponent.bot.as_mut())
}

/// How the root is searched: noise is as strong as the temperature is high, and
/// Dirichlet's only where it is learned from.
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
