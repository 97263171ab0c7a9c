//! The cards of Magic in English.

use std::collections::BTreeMap;

use axum::Json;
use meeple_games::magic::{cards, english};

use crate::files::blocking;
use crate::refusal::Refusal;

/// `GET /api/magic/cards`
pub(crate) async fn list() -> Result<Json<BTreeMap<String, String>>, Refusal> {
    blocking(|| {
        let text = |card| english::describe(card).trim().to_owned();
        Ok(Json(cards::builtin().iter().map(|card| (card.name.clone(), text(card))).collect()))
    })
    .await
}
