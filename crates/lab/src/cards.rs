//! The text of the built-in Magic cards.

use std::collections::BTreeMap;

use meeple_games::magic::{cards, english};

use crate::error::ApiError;
use crate::files::blocking;
use crate::json_body::JsonBody;

/// `GET /api/magic/cards`
pub(crate) async fn list() -> Result<JsonBody<BTreeMap<String, String>>, ApiError> {
    blocking(|| {
        let text = |card| english::describe(card).trim().to_owned();
        JsonBody::new(
            &cards::builtin().iter().map(|card| (card.name.clone(), text(card))).collect(),
        )
    })
    .await
}
