//! The text of the built-in Magic cards.

use std::collections::BTreeMap;

use axum::Json;
use meeple_games::magic::{cards, english};

use crate::error::ApiError;
use crate::files::blocking;

/// `GET /api/magic/cards`
pub(crate) async fn list() -> Result<Json<BTreeMap<String, String>>, ApiError> {
    blocking(|| {
        let text = |card| english::describe(card).trim().to_owned();
        Ok(Json(cards::builtin().iter().map(|card| (card.name.clone(), text(card))).collect()))
    })
    .await
}
