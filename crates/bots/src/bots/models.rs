//! The networks of bots: those shipped with the program, and those in files.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use meeple_game::{GameInfo, ObservationSpec};
use meeple_net::{NetError, Network, Precision, Predictor};

/// The networks shipped with the program, by game.
const SHIPPED: &[(&str, &[u8])] = &[
    ("connect-four", include_bytes!("../../models/connect-four.safetensors")),
    ("stone-age", include_bytes!("../../models/stone-age.safetensors")),
];

/// A network file for one kind of table, identified by its path, modification time and length.
#[derive(Clone, Debug, PartialEq)]
struct Version {
    table: Inputs,
    path: PathBuf,
    written: Option<SystemTime>,
    length: u64,
}

/// What a table asks of a network: the game's name, the number of actions and the layout.
type Inputs = (&'static str, usize, &'static ObservationSpec);

fn inputs(info: &GameInfo) -> Inputs {
    (info.name, info.actions, info.observation)
}

/// The cache of loaded networks. Bots are built for every game, but share their weights.
static READ: Mutex<Vec<(Version, Predictor)>> = Mutex::new(Vec::new());

/// Returns the network in a file.
pub(crate) fn from_file(info: &GameInfo, path: &Path) -> Result<Predictor, NetError> {
    let about = std::fs::metadata(path);
    let about = about
        .map_err(|error| NetError::Read { path: path.to_owned(), reason: error.to_string() })?;
    let (written, length) = (about.modified().ok(), about.len());
    let version = Version { table: inputs(info), path: path.to_owned(), written, length };
    remembered(version, || Network::load(info, path))
}

/// Returns the network shipped with a game, if there is one.
pub(crate) fn shipped(info: &GameInfo) -> Result<Option<Predictor>, NetError> {
    let Some((_, bytes)) = SHIPPED.iter().find(|(game, _)| *game == info.name) else {
        return Ok(None);
    };
    let path = PathBuf::from(format!("models/{}.safetensors", info.name));
    let length = bytes.len() as u64;
    let version = Version { table: inputs(info), path: path.clone(), written: None, length };
    remembered(version, || Network::from_bytes(info, &path, bytes)).map(Some)
}

fn remembered(
    version: Version,
    load: impl FnOnce() -> Result<Network, NetError>,
) -> Result<Predictor, NetError> {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, predictor)) = read.iter().find(|(known, _)| *known == version) {
        return Ok(predictor.clone());
    }
    let predictor = load()?.compile(Precision::Float);
    // Evicts the previous version of a file that has been overwritten.
    read.retain(|(known, _)| (known.table, &known.path) != (version.table, &version.path));
    read.push((version, predictor.clone()));
    Ok(predictor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotSpec;
    use meeple_game::Game;
    use meeple_games::registry;
    use meeple_games::small::{ConnectFour, TicTacToe};
    use meeple_games::stone_age::{self, StoneAge};
    use meeple_net::Shape;

    #[test]
    fn files_are_read_again_when_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.safetensors");
        let game = TicTacToe::new(&Default::default()).info();
        let ask = |predictor: &mut Predictor| {
            let (mut values, mut logits) = ([0.0; 2], [0.0; 9]);
            predictor.predict(&vec![0; game.observation.len()], &mut values, &mut logits);
            logits
        };
        let save = |width, seed| {
            let shape = Shape { width, blocks: 0, bottleneck: 4, value_hidden: 4 };
            Network::new(&game, shape, 2, seed).unwrap().save(&path).unwrap();
            ask(&mut from_file(&game, &path).unwrap())
        };
        let first = save(4, 1);
        assert_eq!(ask(&mut from_file(&game, &path).unwrap()), first);
        assert_ne!(save(5, 2), first);
        let other = ConnectFour::new(&Default::default()).info();
        let refused = from_file(&other, &path).unwrap_err().to_string();
        assert!(refused.contains("its game is tic-tac-toe, expected connect-four"), "{refused}");
    }

    #[test]
    fn shipped_networks_are_for_their_games() {
        trait Load: Sync {
            fn is_shipped(&self) -> Result<bool, NetError>;
        }
        impl<G: Game> Load for registry::Of<G> {
            fn is_shipped(&self) -> Result<bool, NetError> {
                shipped(&G::new(&Default::default()).info()).map(|found| found.is_some())
            }
        }
        meeple_games::family!(Loading, Load);
        for (game, _) in SHIPPED {
            assert_eq!(registry::find::<Loading>(game).unwrap().is_shipped(), Ok(true));
        }
    }

    #[test]
    fn shipped_networks_are_for_tables_of_their_size() {
        let BotSpec::Search(spec) = "puct:sims=8".parse().unwrap() else {
            panic!("puct searches");
        };
        let search = |players: i64| {
            let config =
                stone_age::Config { players: players.try_into().unwrap(), ..Default::default() };
            spec.search::<StoneAge>(&config).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(search(2), Ok(()));
        assert!(search(3).unwrap_err().contains("mcts-ismcts"), "{:?}", search(3));
    }
}
