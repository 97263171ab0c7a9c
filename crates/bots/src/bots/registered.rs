//! Bots of other crates, registered by name.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use meeple_game::{Action, ActionList, Game, GameInfo, ObservationSpec, Player, Rng, View};
use meeple_search::{Budget, Control, SearchReport};

use crate::position::{At, EvaluatorAdapter, ObservationEvaluator, Position};
use crate::{Bot, BotError, BotSpec, Error, SearchSpec};

/// What one seat can observe of a state of any game: [`View`] behind a trait object.
///
/// Like a `View`, it gives no access to the true state of a game with imperfect information.
pub trait SeatView {
    /// Returns the static description of this table.
    fn info(&self) -> GameInfo;

    /// The observing seat.
    fn seat(&self) -> Player;

    /// The number of seats.
    fn players(&self) -> usize;

    /// Replaces `out` by the legal actions of this seat.
    fn legal_actions(&self, out: &mut ActionList);

    /// The layout of observations.
    fn observation(&self) -> &'static ObservationSpec;

    /// Writes the observation of this seat.
    fn observe(&self, out: &mut [i32]);

    /// A hash of the information state of this seat.
    fn info_key(&self) -> u64;

    /// Returns the table as this seat sees it, as text.
    fn text(&self) -> String;

    /// Returns the name of one of this seat's actions.
    fn action_name(&self, action: Action) -> String;

    /// Samples a determinization: a random position that this seat cannot distinguish from the
    /// true one. With perfect information it is the true one.
    fn sample(&self, rng: &mut Rng) -> Box<dyn Position>;

    /// Runs the search of `spec`, with leaf values from `evaluator` in batches of up to `batch`.
    /// Custom networks use this.
    ///
    /// # Errors
    ///
    /// When the search cannot play this game, or the evaluator returns values that are not
    /// finite.
    fn search_with_evaluator(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        evaluator: &mut dyn ObservationEvaluator,
        batch: usize,
    ) -> Result<SearchReport, Error>;
}

/// A bot of another crate; see [`register_bot`].
pub trait RegisteredBot: Send {
    /// Returns one of the legal actions of `view`, of which there is at least one.
    ///
    /// All randomness comes from `rng`, so that a game can be repeated.
    ///
    /// # Errors
    ///
    /// When the bot cannot decide: it [forfeits](crate::Forfeit) the game.
    fn choose(&mut self, view: &dyn SeatView, rng: &mut Rng) -> Result<Action, BotError>;

    /// Called before each game.
    fn begin(&mut self) {}
}

/// Builds a bot for the table of `position` from its options, or describes what is wrong with
/// them.
pub type MakeBot = fn(
    position: &dyn Position,
    options: &[(String, String)],
) -> Result<Box<dyn RegisteredBot>, String>;

static REGISTERED: RwLock<Vec<(&str, MakeBot)>> = RwLock::new(Vec::new());

/// Registers a bot under a name, so that everything that reads bots by name finds it:
/// `name:option=value,…`.
///
/// ```
/// use meeple_bots::{BotError, RegisteredBot, SeatView, open, register_bot};
/// use meeple_game::{Action, ActionList, Rng};
///
/// /// Plays the first legal action.
/// struct First;
///
/// impl RegisteredBot for First {
///     fn choose(&mut self, view: &dyn SeatView, _: &mut Rng) -> Result<Action, BotError> {
///         let mut actions = ActionList::new();
///         view.legal_actions(&mut actions);
///         Ok(actions[0])
///     }
/// }
///
/// register_bot("first", |_, _| Ok(Box::new(First)))?;
/// let (position, mut rng) = (open("connect-four", None)?, Rng::new(1));
/// let mut bot = position.bot(&"first".parse()?)?;
/// assert_eq!(bot.choose(&*position, meeple_game::Player(0), &mut rng)?, Action(0));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When another bot has the same name.
pub fn register_bot(name: &'static str, make: MakeBot) -> Result<(), BotNameTaken> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let known = |other: &str| other.eq_ignore_ascii_case(name);
    if BotSpec::BUILT_IN.iter().any(|other| known(other))
        || BotSpec::ALIASES.iter().any(|(other, _)| known(other))
        || registered.iter().any(|(other, _)| known(other))
    {
        return Err(BotNameTaken { name });
    }
    registered.push((name, make));
    Ok(())
}

/// The error of a bot name that is already in use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bot called {name:?} is registered already")]
pub struct BotNameTaken {
    name: &'static str,
}

/// The names of registered bots.
pub(crate) fn registered_names() -> Vec<&'static str> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().map(|(name, _)| *name).collect()
}

/// A registered bot with its options, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredSpec {
    name: &'static str,
    options: Vec<(String, String)>,
}

impl RegisteredSpec {
    /// Returns the bot called `name` with `options`, or `None` if no bot is registered by this
    /// name.
    pub(crate) fn new(name: &'static str, options: Vec<(String, String)>) -> Option<Self> {
        registered_names().contains(&name).then_some(Self { name, options })
    }

    /// Builds the bot for `G`.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        let make = {
            let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
            registered.iter().find(|(name, _)| *name == self.name).map(|(_, make)| *make)
        };
        let make = make.expect("bots stay registered");
        let config = Arc::new(config.clone());
        let first = At { state: G::new(&config), config: Arc::clone(&config) };
        let bot = make(&first, &self.options).map_err(|reason| Error::Refused {
            bot: self.to_string(),
            game: first.state.name(),
            reason,
        })?;
        Ok(Box::new(Adapter::<G> { bot, config }))
    }
}

impl fmt::Display for RegisteredSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (number, (option, value)) in self.options.iter().enumerate() {
            let separator = if number == 0 { ':' } else { ',' };
            write!(f, "{separator}{option}={value}")?;
        }
        Ok(())
    }
}

/// Adapts a registered bot to [`Bot`].
struct Adapter<G: Game> {
    bot: Box<dyn RegisteredBot>,
    config: Arc<G::Config>,
}

impl<G: Game> Bot<G> for Adapter<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        self.bot.choose(&seat_view(*view, &self.config), rng)
    }

    fn begin(&mut self) -> Result<(), BotError> {
        self.bot.begin();
        Ok(())
    }
}

/// Wraps a view of `G` as a [`SeatView`].
pub(crate) fn seat_view<'a, G: Game>(
    view: View<'a, G>,
    config: &'a Arc<G::Config>,
) -> impl SeatView + use<'a, G> {
    Seen { view, config }
}

/// A view, with the configuration of its table.
struct Seen<'a, G: Game> {
    view: View<'a, G>,
    config: &'a Arc<G::Config>,
}

impl<G: Game> SeatView for Seen<'_, G> {
    fn info(&self) -> GameInfo {
        self.view.info()
    }

    fn seat(&self) -> Player {
        self.view.seat()
    }

    fn players(&self) -> usize {
        self.view.players()
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.view.legal_actions(out);
    }

    fn observation(&self) -> &'static ObservationSpec {
        self.view.observation()
    }

    fn observe(&self, out: &mut [i32]) {
        self.view.observe(out);
    }

    fn info_key(&self) -> u64 {
        self.view.info_key()
    }

    fn text(&self) -> String {
        self.view.text()
    }

    fn action_name(&self, action: Action) -> String {
        self.view.action_name(action)
    }

    fn sample(&self, rng: &mut Rng) -> Box<dyn Position> {
        Box::new(At { state: self.view.sample(rng), config: Arc::clone(self.config) })
    }

    fn search_with_evaluator(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        evaluator: &mut dyn ObservationEvaluator,
        batch: usize,
    ) -> Result<SearchReport, Error> {
        let evaluator = EvaluatorAdapter::new(evaluator);
        let mut search = spec.search_with_evaluator::<G>(&self.view.info(), evaluator, batch)?;
        Ok(search.search_with(&self.view, budget, seed, &mut Control::default())?)
    }
}
