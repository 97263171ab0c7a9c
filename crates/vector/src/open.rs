//! Vectorized environments of a game that is chosen at run time.

use meeple_bots::{BotSpec, Position, read_config};
use meeple_game::{Game, ObservationSpec, Picture};
use meeple_games::registry::{self, NameTaken, Of};
use meeple_search::StopFlag;

use crate::tables::Tables;
use crate::{
    Encoding, Frame, Learner, Opponent, Questions, SavedTable, VectorError, VectorOptions,
};

/// The dimensions of the arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The number of tables.
    pub tables: usize,
    /// The number of seats at a table.
    pub players: usize,
    /// The number of action ids.
    pub actions: usize,
    /// The number of values in an observation.
    pub width: usize,
    /// The rewards per table: one, or one per seat when the caller plays all seats.
    pub rewards: usize,
    /// The encoding of observations.
    pub encoding: Encoding,
    /// The layout of observations.
    pub spec: &'static ObservationSpec,
}

/// Many tables of one game, stepped together. See the crate's documentation.
pub trait VectorEnv: Send + Sync {
    /// Returns the dimensions of the arrays.
    fn shape(&self) -> &Shape;

    /// Begins new games, at all tables or at those where `which` is true, and writes all rows.
    /// `seeds` holds a seed for each table, or is empty: then every table continues with the
    /// next game of its seed.
    ///
    /// Returns the number of tables that wait for external opponents.
    ///
    /// # Errors
    ///
    /// When an array has the wrong shape or type.
    fn reset(
        &mut self,
        seeds: &[u64],
        which: Option<&[bool]>,
        frame: Frame<'_>,
    ) -> Result<usize, VectorError>;

    /// Plays an action at each table, advances to the caller's next decision, and writes all
    /// rows except those of tables that wait for external opponents, which
    /// [`answer`](Self::answer) writes. Returns the number of waiting tables.
    ///
    /// # Errors
    ///
    /// When an array has the wrong shape or type, an action is out of range or illegal, or a
    /// game has ended and was not reset; every table is unchanged.
    fn step(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError>;

    /// Returns the number of tables that wait for external opponents.
    fn waiting(&self) -> usize;

    /// Writes the requests to external opponents, one row per waiting table, in the order of
    /// tables.
    ///
    /// # Errors
    ///
    /// When an array has the wrong shape or type.
    fn questions(&mut self, questions: Questions<'_>) -> Result<(), VectorError>;

    /// Plays the answers to [`questions`](Self::questions) and advances like
    /// [`step`](Self::step). Returns the number of tables that wait again.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    fn answer(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError>;

    /// Draws a uniformly random legal action for each table; 0 where a game has ended. Each
    /// table has its own stream.
    ///
    /// # Errors
    ///
    /// When the array has the wrong length, or no game has begun.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), VectorError>;

    /// Returns all tables with their games in progress, for saving; empty before the first
    /// reset.
    ///
    /// # Errors
    ///
    /// When an opponent is not reproducible.
    fn snapshot(&self) -> Result<Vec<SavedTable>, VectorError>;

    /// Restores the tables of a [`snapshot`](Self::snapshot), in a vector with the same
    /// options. The arrays are not written.
    ///
    /// # Errors
    ///
    /// When the snapshot is of another vector; the tables must then be reset.
    fn restore(&mut self, saved: &[SavedTable]) -> Result<(), VectorError>;

    /// Returns the flag that interrupts a step in progress from another thread: the step ends
    /// soon with [`VectorError::Stopped`], and all tables must be reset. Get a new flag for
    /// every step.
    fn stop_flag(&self) -> StopFlag;

    /// Returns the table as the seat to move sees it, or the one that moved last.
    ///
    /// # Errors
    ///
    /// When the table does not exist.
    fn text(&self, table: usize) -> Result<String, VectorError>;

    /// Returns the picture of the table as the same seat sees it; `None` if the game has no
    /// pictures.
    ///
    /// # Errors
    ///
    /// When the table does not exist.
    fn picture(&self, table: usize) -> Result<Option<Picture>, VectorError>;
}

/// Creates the tables of the game called `game`, with the JSON configuration `config` or the
/// default one.
///
/// ```
/// use meeple_vector::{Learner, Opponent, VectorOptions, open};
///
/// let options = VectorOptions {
///     tables: 100,
///     learner: Learner::Rotating,
///     opponents: vec![Opponent::Bot("greedy".parse()?)],
///     ..VectorOptions::default()
/// };
/// let env = open("stone-age", Some(r#"{"players": 3}"#), &options)?;
/// assert_eq!((env.shape().tables, env.shape().players), (100, 3));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the game or table does not exist, or an opponent cannot play it.
pub fn open(
    game: &str,
    config: Option<&str>,
    options: &VectorOptions,
) -> Result<Box<dyn VectorEnv>, VectorError> {
    let position = meeple_bots::open(game, config)?;
    check(&*position, options)?;
    let (game, config) = meeple_bots::resolve(game, config);
    registry::find::<Vectors>(&game)?.lay(config.as_deref(), options, &*position)
}

/// A game type behind a trait object: callers select it by name at run time.
trait AnyGame: Sync {
    /// Creates the tables.
    fn lay(
        &self,
        config: Option<&str>,
        options: &VectorOptions,
        position: &dyn Position,
    ) -> Result<Box<dyn VectorEnv>, VectorError>;
}

impl<G: Game> AnyGame for Of<G> {
    fn lay(
        &self,
        config: Option<&str>,
        options: &VectorOptions,
        position: &dyn Position,
    ) -> Result<Box<dyn VectorEnv>, VectorError> {
        let config = config.map_or_else(|| Ok(G::Config::default()), read_config::<G>)?;
        Ok(Box::new(Tables::<G>::new(&config, options, position)?))
    }
}

meeple_games::family!(Vectors, AnyGame);

/// Registers a game of another crate, so that [`open`] finds it.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_bots::register::<G>()?;
    registry::register::<Vectors, G>()
}

fn check(position: &dyn Position, options: &VectorOptions) -> Result<(), VectorError> {
    let players = position.players();
    if options.tables == 0 {
        return Err(VectorError::NoTables);
    }
    let others = match options.learner {
        Learner::All => 0,
        Learner::Seat(seat) if seat >= players => {
            return Err(VectorError::Seat { seat, players });
        }
        Learner::Seat(_) | Learner::Rotating => players - 1,
    };
    let got = options.opponents.len();
    if got != others && (others == 0 || got != 1) {
        return Err(VectorError::Opponents { got, seats: others });
    }
    for opponent in &options.opponents {
        match opponent {
            Opponent::Bot(BotSpec::External(spec)) => {
                return Err(VectorError::Program(spec.to_string()));
            }
            Opponent::Bot(spec) => _ = position.bot(spec)?,
            Opponent::Outside => {}
        }
    }
    let spec = position.observation();
    if let Some(encoding) = options.encoding.filter(|encoding| !encoding.holds(spec)) {
        return Err(VectorError::Encoding {
            what: "an observation",
            expected: Encoding::smallest(spec).name(),
            got: encoding.name(),
        });
    }
    Ok(())
}
