//! What can be played, and by whom.

use axum::Json;
use meeple_arena::BotSpec;
use meeple_games::magic::decks;
use meeple_games::registry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::files::blocking;
use crate::refusal::Refusal;

/// A game that can be played.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GameInfo {
    pub(crate) name: &'static str,
    pub(crate) fewest_players: usize,
    pub(crate) most_players: usize,
    /// Whether luck ever decides.
    pub(crate) luck: bool,
    /// Whether a player can be unsure of the state.
    pub(crate) hidden: bool,
    /// The usual table, with every key that a configuration has.
    pub(crate) config: Value,
    /// The bots that can play it at the usual table.
    pub(crate) bots: Vec<String>,
    /// Decks by name, where the game has decks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) decks: Vec<String>,
}

/// `GET /api/games`
pub(crate) async fn list() -> Result<Json<Vec<GameInfo>>, Refusal> {
    // The first time, the networks of bots are read.
    blocking(|| Ok(Json(registry::infos().into_iter().map(describe).collect()))).await
}

fn describe(info: meeple_game::GameInfo) -> GameInfo {
    let position = meeple_arena::open(info.name, None).expect("a listed game has a usual table");
    let plays = |name: &&str| {
        let spec: Result<BotSpec, _> = name.parse();
        spec.is_ok_and(|spec| !matches!(spec, BotSpec::External(_)) && position.bot(&spec).is_ok())
    };
    let has_decks = info.name == "magic";
    let decks = if has_decks { decks::builtin() } else { &[] };
    GameInfo {
        name: info.name,
        fewest_players: info.min_players,
        most_players: info.max_players,
        luck: info.chance,
        hidden: info.imperfect_information,
        config: position.config(),
        bots: BotSpec::names().into_iter().filter(plays).map(str::to_owned).collect(),
        decks: decks.iter().map(|deck| deck.name.clone()).collect(),
    }
}
