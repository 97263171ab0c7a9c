//! Games by name, for code that learns its game at run time.
//!
//! Below this module, the type of a game is known; above it, most code works on trait objects.
//! A crate that needs one object per game declares a [`Family`]; [`find`] returns the object
//! of a game by its name. Built-in games belong to every family, and so do games in files:
//! all of them are tables of two types, [`FileGame`] and, for large states, [`LargeFileGame`]. [`register`] adds a game of another crate,
//! family by family.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{PoisonError, RwLock};

use meeple_game::{Game, GameInfo};

use crate::backgammon::Backgammon;
use crate::chess::Chess;
use crate::described::Breakthrough;
use crate::did_you_mean;
use crate::files::{self, FileGame, LargeFileGame};
use crate::holdem::Holdem;
use crate::magic::Magic;
use crate::small::{ConnectFour, KnockoutWhist, Kuhn, Leduc, Pig, TicTacToe};
use crate::stone_age::StoneAge;

/// Stands for the game `G` where a value is needed: traits of a [`Family`] are implemented
/// for `Of<G>`.
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// The value.
    pub const GAME: Self = Self(PhantomData);
}

impl<G: Game> fmt::Debug for Of<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

/// A kind of trait object that every game has one of; see [`family!`](crate::family).
pub trait Family: 'static {
    /// The trait object.
    type Object: ?Sized + Sync + 'static;

    /// Returns the object of `G`.
    fn of<G: Game>() -> &'static Self::Object;
}

/// Declares a [`Family`] whose objects are the implementations of a trait for [`Of<G>`].
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::registry::{Of, find};
///
/// trait CountActions: Sync {
///     fn actions(&self) -> usize;
/// }
///
/// impl<G: Game> CountActions for Of<G> {
///     fn actions(&self) -> usize {
///         G::new(&G::Config::default()).actions()
///     }
/// }
///
/// meeple_games::family!(Counting, CountActions);
///
/// assert_eq!(find::<Counting>("tic-tac-toe")?.actions(), 9);
/// # Ok::<_, meeple_games::registry::UnknownGame>(())
/// ```
#[macro_export]
macro_rules! family {
    ($family:ident, $object:path) => {
        struct $family;

        impl $crate::registry::Family for $family {
            type Object = dyn $object;

            fn of<G: ::meeple_game::Game>() -> &'static Self::Object {
                &const { $crate::registry::Of::<G>::GAME }
            }
        }
    };
}

macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// The names of the built-in games, in the order in which they are listed.
        pub const BUILT_IN: &[&str] = &[$(<$game>::NAME),*];

        fn built_in<F: Family>(name: &str) -> Option<&'static F::Object> {
            match name {
                $(<$game>::NAME => Some(F::of::<$game>()),)*
                _ => None,
            }
        }
    };
}

games! {
    TicTacToe, ConnectFour, Kuhn, Leduc, Pig, KnockoutWhist, Breakthrough, Chess, Backgammon,
    StoneAge, Magic, Holdem
}

/// A game that another crate registered.
struct Registered {
    name: &'static str,
    /// The type of the game.
    game: TypeId,
    /// The `&'static F::Object` of each family `F`, by its type.
    objects: BTreeMap<TypeId, Box<dyn Any + Send + Sync>>,
}

static REGISTERED: RwLock<Vec<Registered>> = RwLock::new(Vec::new());

/// Returns the name as games spell theirs.
pub(crate) fn normalized(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('_', "-")
}

/// Returns the object that the game called `name` has in the family `F`.
///
/// Names ignore case and accept underscores: `Connect_Four` is `connect-four`.
///
/// # Errors
///
/// When no game has this name, or a registered game is not in this family; the error lists the
/// games.
pub fn find<F: Family>(name: &str) -> Result<&'static F::Object, UnknownGame> {
    let normalized = normalized(name);
    if let Some(object) = built_in::<F>(&normalized) {
        return Ok(object);
    }
    if normalized == FileGame::NAME {
        return Ok(F::of::<FileGame>());
    }
    if normalized == LargeFileGame::NAME {
        return Ok(F::of::<LargeFileGame>());
    }
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let game = registered.iter().find(|game| game.name == normalized);
    let object = game.and_then(|game| game.objects.get(&TypeId::of::<F>()));
    match object.and_then(|object| object.downcast_ref::<&'static F::Object>()) {
        Some(object) => Ok(object),
        None => Err(UnknownGame { name: name.into(), is_partial: game.is_some() }),
    }
}

/// Adds `G` to the family `F`. Adding it again has no effect.
///
/// Each crate with a family has a function that adds a game to it, such as
/// `meeple_bots::register`; call those rather than this one.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<F: Family, G: Game>() -> Result<(), NameTaken>
where
    &'static F::Object: Send + Sync,
{
    let taken = NameTaken { name: G::NAME };
    if BUILT_IN.contains(&G::NAME)
        || files::NAMES.contains(&G::NAME)
        || [FileGame::NAME, LargeFileGame::NAME].contains(&G::NAME)
    {
        return Err(taken);
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let at = registered.iter().position(|game| game.name == G::NAME);
    let at = at.unwrap_or_else(|| {
        let game = TypeId::of::<G>();
        registered.push(Registered { name: G::NAME, game, objects: BTreeMap::new() });
        registered.len() - 1
    });
    if registered[at].game != TypeId::of::<G>() {
        return Err(taken);
    }
    registered[at].objects.entry(TypeId::of::<F>()).or_insert_with(|| Box::new(F::of::<G>()));
    Ok(())
}

/// Returns the names of all games: built-in ones, those in files, registered ones.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let registered = registered.iter().map(|game| game.name);
    BUILT_IN.iter().chain(files::NAMES.iter()).copied().chain(registered).collect()
}

trait Named: Sync {
    fn name(&self) -> &'static str;
    fn info(&self) -> GameInfo;
}

impl<G: Game> Named for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn info(&self) -> GameInfo {
        G::new(&G::Config::default()).info()
    }
}

family!(Naming, Named);

/// Adds `G` to the list of games.
///
/// # Errors
///
/// When another game has the same name.
pub fn list<G: Game>() -> Result<(), NameTaken> {
    register::<Naming, G>()
}

/// Returns the canonical name of the game called `name`.
///
/// # Errors
///
/// When no game has this name.
pub(crate) fn canonical(name: &str) -> Result<&'static str, UnknownGame> {
    let normalized = normalized(name);
    match files::NAMES.iter().find(|known| **known == normalized) {
        Some(known) => Ok(known),
        None => find::<Naming>(name).map(Named::name),
    }
}

/// Returns the static properties of every game in its default configuration, in the order of
/// [`names`].
#[must_use]
pub fn infos() -> Vec<GameInfo> {
    let info = |name: &str| match files::info(name) {
        Some(info) => Some(info),
        None => Some(find::<Naming>(name).ok()?.info()),
    };
    names().into_iter().filter_map(info).collect()
}

/// The error for a name that no game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame {
    name: String,
    /// Whether the game exists, but is not registered in the requested family.
    is_partial: bool,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_partial {
            return write!(
                f,
                "the game {:?} is not registered for this use, call the `register` function \
                 of the crate that provides it",
                self.name
            );
        }
        let names = names();
        write!(f, "unknown game {:?}, expected one of {}", self.name, names.join(", "))?;
        match did_you_mean(&self.name, names) {
            Some(near) => write!(f, "; {near}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownGame {}

/// The error for a name that another game already has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game called {name:?} is registered already")]
pub struct NameTaken {
    name: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_game() {
        for &name in BUILT_IN {
            assert_eq!(canonical(name), Ok(name));
        }
        assert_eq!(canonical(" Tic_Tac_Toe "), Ok("tic-tac-toe"));
    }

    #[test]
    fn an_unknown_name_lists_the_games() {
        let error = canonical("shogi").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown game \"shogi\", expected one of tic-tac-toe, "),
            "{error}"
        );
        assert!(!error.contains("did you mean"), "{error}");
        let error = canonical("ches").unwrap_err().to_string();
        assert!(error.ends_with("; did you mean chess?"), "{error}");
    }

    #[test]
    fn names_are_taken_once() {
        let taken = register::<Naming, Chess>().unwrap_err().to_string();
        assert_eq!(taken, "a game called \"chess\" is registered already");
    }
}
