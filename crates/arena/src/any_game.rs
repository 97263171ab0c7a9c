//! Games by name: what the arena does for each game, behind one trait object.

use std::sync::Arc;

use meeple_game::Game;
use meeple_games::registry::{self, NameTaken, Of};
use serde_json::Value;

use crate::experiment::{CheckTable, Fault, Scoring, Table};
use crate::play::{Match, check_contenders, play_match};
use crate::position::{At, Position};
use crate::run::{OpenTable, Programs, RunError, Unit, UnitDone};
use crate::samples::{SampleError, Samples};
use crate::{Contender, Error, MatchTally, OpenError, read_config};

/// A game whose type is known where this is implemented, and nowhere above.
///
/// Each call covers a block of games or a file, so its indirection costs nothing.
pub(crate) trait AnyGame: Sync {
    /// The first position at the table that the JSON `config` describes, or at the default one.
    fn open(&self, config: Option<&str>) -> Result<Box<dyn Position>, OpenError>;

    /// Checks that both contenders can play at `table`.
    fn check_contenders(&self, table: &Value, contenders: [Contender<'_>; 2]) -> Result<(), Error>;

    /// Plays a match until `is_enough`; nothing if it was stopped.
    fn play_match(
        &self,
        played: &Match<'_>,
        is_enough: &mut dyn FnMut(&MatchTally) -> bool,
    ) -> Result<Option<MatchTally>, Error>;

    /// Checks the configurations and bots of a table of an experiment.
    fn check_table(&self, table: &CheckTable<'_>) -> Result<(), Fault>;

    /// Reads the configurations of a table that was checked.
    fn open_table(&self, table: &Table, scoring: Option<Scoring>) -> OpenTable;

    /// Plays a block of games of an experiment; nothing if it was stopped.
    fn play_unit(
        &self,
        unit: &Unit<'_>,
        programs: &mut Programs,
    ) -> Result<Option<UnitDone>, RunError>;

    /// The bytes of a file of samples.
    fn sample_bytes(&self, samples: &Samples, configs: &[Value]) -> Result<Vec<u8>, SampleError>;
}

impl<G: Game> AnyGame for Of<G> {
    fn open(&self, config: Option<&str>) -> Result<Box<dyn Position>, OpenError> {
        let config = config.map_or_else(|| Ok(G::Config::default()), read_config::<G>)?;
        Ok(Box::new(At { state: G::new(&config), config: Arc::new(config) }))
    }

    fn check_contenders(&self, table: &Value, contenders: [Contender<'_>; 2]) -> Result<(), Error> {
        check_contenders::<G>(table, contenders)
    }

    fn play_match(
        &self,
        played: &Match<'_>,
        is_enough: &mut dyn FnMut(&MatchTally) -> bool,
    ) -> Result<Option<MatchTally>, Error> {
        play_match::<G>(played, is_enough)
    }

    fn check_table(&self, table: &CheckTable<'_>) -> Result<(), Fault> {
        table.check::<G>()
    }

    fn open_table(&self, table: &Table, scoring: Option<Scoring>) -> OpenTable {
        OpenTable::of::<G>(table, scoring)
    }

    fn play_unit(
        &self,
        unit: &Unit<'_>,
        programs: &mut Programs,
    ) -> Result<Option<UnitDone>, RunError> {
        unit.play_games::<G>(programs)
    }

    fn sample_bytes(&self, samples: &Samples, configs: &[Value]) -> Result<Vec<u8>, SampleError> {
        samples.to_bytes::<G>(configs)
    }
}

meeple_games::family!(Arena, AnyGame);

/// The game called `name`.
pub(crate) fn find(name: &str) -> Result<&'static dyn AnyGame, registry::UnknownGame> {
    registry::find::<Arena>(name)
}

/// Adds a game of another crate, so that everything that opens games by name finds it:
/// [`open`](crate::open), bots, simulations and experiments.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    registry::list::<G>()?;
    registry::register::<Arena, G>()
}
