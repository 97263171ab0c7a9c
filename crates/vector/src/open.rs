//! A vector of tables of a game that was chosen at run time.

use meeple_bots::{BotSpec, Position, read_config};
use meeple_game::{Game, ObservationSpec};
use meeple_games::registry::{self, NameTaken, Of};
use meeple_search::StopFlag;

use crate::tables::Tables;
use crate::{
    Encoding, Frame, Learner, Opponent, Questions, SavedTable, VectorError, VectorOptions,
};

/// How long the rows of the arrays are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Tables.
    pub tables: usize,
    /// Seats at a table.
    pub players: usize,
    /// Action ids.
    pub actions: usize,
    /// Numbers in an observation.
    pub width: usize,
    /// Rewards of a table: one, or one for each seat when the caller has all of them.
    pub rewards: usize,
    /// How observations are written.
    pub encoding: Encoding,
    /// What the cells of an observation mean.
    pub spec: &'static ObservationSpec,
}

/// Many tables of one game, stepped together. See the crate's documentation.
pub trait VectorEnv: Send + Sync {
    /// How long the rows of the arrays are.
    fn shape(&self) -> &Shape;

    /// Begins new games, at all tables or at those where `which` is true, and writes
    /// all rows. `seeds` holds a seed for each table, or is empty: then every table
    /// goes on to the next game of the seed it has.
    ///
    /// Returns how many tables wait for opponents outside.
    ///
    /// # Errors
    ///
    /// When an array does not fit.
    fn reset(
        &mut self,
        seeds: &[u64],
        which: Option<&[bool]>,
        frame: Frame<'_>,
    ) -> Result<usize, VectorError>;

    /// Plays an action at each table, goes on to the next decision of the caller, and
    /// writes all rows but those of tables that wait for opponents outside, which
    /// [`answer`](Self::answer) writes; returns how many do.
    ///
    /// # Errors
    ///
    /// When an array does not fit, an action is out of range or not legal, or a game
    /// has ended that nobody reset; every table is as before.
    fn step(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError>;

    /// The number of tables that wait for opponents outside.
    fn waiting(&self) -> usize;

    /// Writes what the opponents outside are asked, a row for each that waits, in the
    /// order of tables.
    ///
    /// # Errors
    ///
    /// When an array does not fit.
    fn questions(&mut self, questions: Questions<'_>) -> Result<(), VectorError>;

    /// Plays the answers to [`questions`](Self::questions), and goes on like
    /// [`step`](Self::step); returns how many tables wait again.
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    fn answer(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError>;

    /// Draws a legal action for each table, every one as likely; 0 where a game has
    /// ended. Each table draws from a stream of its own.
    ///
    /// # Errors
    ///
    /// When the array does not fit, or no game has begun.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), VectorError>;

    /// All tables with their games in progress, to be written down; none before the first
    /// reset.
    ///
    /// # Errors
    ///
    /// When the decisions of an opponent do not repeat.
    fn snapshot(&self) -> Result<Vec<SavedTable>, VectorError>;

    /// Makes the tables of a [`snapshot`](Self::snapshot) again, in a vector with the same
    /// options. The arrays are not written.
    ///
    /// # Errors
    ///
    /// When they are of another vector; the tables must be reset then.
    fn restore(&mut self, saved: &[SavedTable]) -> Result<(), VectorError>;

    /// The switch that interrupts a step in progress from another thread: it ends soon
    /// with [`VectorError::Stopped`], and all tables must be reset. Ask for it anew for
    /// every step.
    fn stop_flag(&self) -> StopFlag;

    /// The table as the seat sees it that decides, or decided last.
    ///
    /// # Errors
    ///
    /// When there is no such table.
    fn text(&self, table: usize) -> Result<String, VectorError>;
}

/// Lays the tables of the game called `game`, as the JSON `config` describes them or as
/// is usual.
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
/// When there is no such game or table, or somebody cannot sit there.
pub fn open(
    game: &str,
    config: Option<&str>,
    options: &VectorOptions,
) -> Result<Box<dyn VectorEnv>, VectorError> {
    let position = meeple_bots::open(game, config)?;
    check(&*position, options)?;
    registry::find::<Vectors>(game)?.lay(config, options, &*position)
}

/// A game whose type is known where this is implemented, and nowhere above.
trait AnyGame: Sync {
    /// Lays the tables.
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

/// Adds a game of another crate, so that [`open`] finds it.
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
