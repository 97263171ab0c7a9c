//! The list of games.

use meeple_bots::BotSpec;
use meeple_games::magic::decks;
use meeple_games::registry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::error::ApiError;
use crate::files::blocking;
use crate::json_body::JsonBody;

/// A game.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GameInfo {
    pub(crate) name: &'static str,
    pub(crate) min_players: usize,
    pub(crate) max_players: usize,
    /// Whether the game has chance events.
    pub(crate) chance: bool,
    /// Whether the game has imperfect information.
    pub(crate) imperfect_information: bool,
    /// The default configuration, with all keys.
    pub(crate) config: Value,
    /// The bots that can play the default configuration.
    pub(crate) bots: Vec<String>,
    /// The names of built-in decks, if the game has decks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) decks: Vec<String>,
}

/// `GET /api/games`
pub(crate) async fn list() -> Result<JsonBody<Vec<GameInfo>>, ApiError> {
    // The first call loads the networks of bots.
    blocking(|| JsonBody::new(&registry::infos().into_iter().map(describe).collect())).await
}

fn describe(info: meeple_game::GameInfo) -> GameInfo {
    let position =
        meeple_bots::open(info.name, None).expect("a listed game has a default configuration");
    let plays = |name: &&str| {
        let spec: Result<BotSpec, _> = name.parse();
        spec.is_ok_and(|spec| !matches!(spec, BotSpec::External(_)) && position.bot(&spec).is_ok())
    };
    let has_decks = info.name == "magic";
    let decks = if has_decks { decks::builtin() } else { &[] };
    GameInfo {
        name: info.name,
        min_players: info.min_players,
        max_players: info.max_players,
        chance: info.chance,
        imperfect_information: info.imperfect_information,
        config: position.config(),
        bots: BotSpec::names().into_iter().filter(plays).map(str::to_owned).collect(),
        decks: decks.iter().map(|deck| deck.name.clone()).collect(),
    }
}
