//! The list of games, and tables of games in files.

use axum::body::Bytes;
use meeple_bots::{BotSpec, Position};
use meeple_games::magic::decks;
use meeple_games::registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::endpoints::read;
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
    /// The configuration, with all keys; the default one in a list.
    pub(crate) config: Value,
    /// The bots that can play this configuration.
    pub(crate) bots: Vec<String>,
    /// The names of built-in decks, if the game has decks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) decks: Vec<String>,
}

/// `GET /api/games`
pub(crate) async fn list() -> Result<JsonBody<Vec<GameInfo>>, ApiError> {
    // The first call loads the networks of bots.
    let describe_default = |info: &meeple_game::GameInfo| describe(&*default_table(info.name));
    blocking(move || JsonBody::new(&registry::infos().iter().map(describe_default).collect())).await
}

fn default_table(game: &str) -> Box<dyn Position> {
    meeple_bots::open(game, None).expect("a listed game has a default configuration")
}

/// A request to describe a table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Described {
    /// Name of the game; any name for a configuration with the text of a game file.
    pub(crate) game: String,
    /// Game configuration, such as `{"file": "game My game\n…"}`.
    pub(crate) config: Value,
}

/// `POST /api/games`
pub(crate) async fn show(body: Bytes) -> Result<JsonBody<GameInfo>, ApiError> {
    let Described { game, config } = read(&body)?;
    blocking(move || {
        let position = meeple_bots::open(&game, Some(&config.to_string()))?;
        JsonBody::new(&describe(&*position))
    })
    .await
}

fn describe(position: &dyn Position) -> GameInfo {
    let info = position.info();
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
