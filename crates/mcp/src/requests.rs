//! The arguments of tools and prompts.

use schemars::JsonSchema;
use serde::Deserialize;

/// A game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameName {
    /// Name of the game, as list_games has it.
    pub(crate) game: String,
}

/// A Magic card.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CardName {
    /// Name of the card, such as Shivan Dragon.
    pub(crate) card: String,
}

/// A seat.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AtSeat {
    /// Your ticket, from open_table or an invitation.
    pub(crate) ticket: String,
}

/// A seat, and from where to tell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    /// Your ticket, from open_table or an invitation.
    pub(crate) ticket: String,
    /// First event of the log to show, from 0. 0 if omitted.
    #[serde(default)]
    pub(crate) since: usize,
}

/// An action.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Play {
    /// Your ticket, from open_table or an invitation.
    pub(crate) ticket: String,
    /// Name of a legal action.
    pub(crate) action: String,
    /// Seconds to wait for the other seats, 0 to 120; 60 if omitted.
    #[serde(default = "default_wait")]
    pub(crate) wait_seconds: u64,
}

/// An action to look up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AtAction {
    /// Your ticket, from open_table or an invitation.
    pub(crate) ticket: String,
    /// Name of a legal action.
    pub(crate) action: String,
}

/// A wait.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wait {
    /// Your ticket, from open_table or an invitation.
    pub(crate) ticket: String,
    /// First event of the log to show, from 0. 0 if omitted.
    #[serde(default)]
    pub(crate) since: usize,
    /// Seconds to wait, 0 to 120; 60 if omitted.
    #[serde(default = "default_wait")]
    pub(crate) wait_seconds: u64,
}

/// A game to play, of a prompt.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PlayPrompt {
    /// Name of the game.
    pub(crate) game: String,
    /// Level or bot of the opponents; club if omitted.
    pub(crate) opponent: Option<String>,
}

fn default_wait() -> u64 {
    60
}
