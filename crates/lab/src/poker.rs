//! HTTP handlers of poker ranges and equities.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use meeple_poker::{
    CardSet, Category, EquityError, EquityOptions, EquityProgress, HandClass, Holding, Method,
    Range, Variant, class_order, equity_with_progress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints::read;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::lab::Lab;

/// The default number of sampled deals.
const DEALS: u64 = 300_000;
/// The maximum number of deals of a request.
const MAX_DEALS: u64 = 10_000_000;
/// The time limit of a request.
const MAX_TIME: Duration = Duration::from_secs(20);
/// The maximum length of a range in bytes.
const MAX_RANGE: usize = 8 * 1024;

/// A request for equities.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EquityRequest {
    /// The hand or range of each player: `AhAs`, `QQ+, AKs:0.5`, `top 15%`, `random`.
    pub(crate) players: Vec<String>,
    /// Community cards.
    #[serde(default)]
    pub(crate) board: String,
    /// Dead cards.
    #[serde(default)]
    pub(crate) dead: String,
    /// Whether to sample even where enumeration is quick.
    #[serde(default)]
    pub(crate) sample: bool,
    /// The number of sampled deals.
    #[serde(default)]
    pub(crate) deals: Option<u64>,
    /// Random seed of the sampled deals.
    #[serde(default)]
    pub(crate) seed: u64,
}

/// The equities of all players.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EquityResponse {
    /// Whether all deals were enumerated; otherwise they were sampled.
    pub(crate) exact: bool,
    /// The number of deals, by weight.
    pub(crate) deals: f64,
    pub(crate) players: Vec<PlayerResponse>,
    /// The hand categories, in the order of each player's frequencies.
    pub(crate) categories: Vec<&'static str>,
}

/// The equity of a player.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PlayerResponse {
    pub(crate) equity: f64,
    pub(crate) win: f64,
    pub(crate) tie: f64,
    /// The 95 % confidence interval of a sampled equity.
    pub(crate) ci_low: Option<f64>,
    pub(crate) ci_high: Option<f64>,
    /// The frequency of each hand category.
    pub(crate) categories: Vec<f64>,
}

/// A request to parse a range.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeRequest {
    /// The range, such as `TT+, AQs+, A5s:0.5`.
    pub(crate) text: String,
}

/// A parsed range.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RangeResponse {
    /// The range in canonical notation.
    pub(crate) text: String,
    /// The number of combos, by weight.
    pub(crate) hands: f64,
    /// The fraction of all combos.
    pub(crate) fraction: f64,
    /// The weight of each hand class in the range, such as `AKs`.
    pub(crate) classes: std::collections::BTreeMap<String, f64>,
}

/// `POST /api/poker/range`
pub(crate) async fn range(body: Bytes) -> Result<JsonBody<RangeResponse>, ApiError> {
    let request: RangeRequest = read(&body)?;
    let range = if request.text.trim().is_empty() {
        Range::empty()
    } else {
        check_length(&request.text)?;
        request.text.parse().map_err(|error| ApiError::BadRequest(format!("text: {error}")))?
    };
    let weight = |class: &HandClass| {
        let weight = range.class_weight(*class);
        (weight > 0.0).then(|| (class.to_string(), weight))
    };
    JsonBody::new(&RangeResponse {
        text: range.to_string(),
        hands: range.size(),
        fraction: range.fraction(),
        classes: class_order().iter().filter_map(weight).collect(),
    })
}

/// `POST /api/poker/equity`
pub(crate) async fn compare(
    State(lab): State<Arc<Lab>>,
    body: Bytes,
) -> Result<JsonBody<EquityResponse>, ApiError> {
    let request: EquityRequest = read(&body)?;
    let task = EquityTask::new(&request)?;
    let slot = lab.slots.acquire().await;
    let slot = slot.map_err(|error| ApiError::internal("the server is stopping", &error))?;
    // The computation stops when the caller disconnects or the time is up.
    let stop = StopOnDrop::default();
    let progress = Arc::clone(&stop.0);
    let mut found = tokio::task::spawn_blocking(move || {
        let response = task.run(&progress);
        drop(slot);
        response
    });
    let response = match tokio::time::timeout(MAX_TIME, &mut found).await {
        Ok(response) => response,
        Err(_) => {
            stop.0.stop();
            found.await
        }
    };
    let response =
        response.map_err(|error| ApiError::internal("the computation failed", &error))?;
    JsonBody::new(&response?)
}

/// Stops a computation when its request is dropped.
#[derive(Default)]
struct StopOnDrop(Arc<EquityProgress>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct EquityTask {
    players: Vec<Holding>,
    board: CardSet,
    options: EquityOptions,
}

impl EquityTask {
    fn new(request: &EquityRequest) -> Result<Self, ApiError> {
        let mut players = Vec::new();
        for (number, text) in (1..).zip(&request.players) {
            check_length(text)?;
            let holding = Holding::parse(text, Variant::Holdem);
            players.push(
                holding
                    .map_err(|error| ApiError::BadRequest(format!("player {number}: {error}")))?,
            );
        }
        let cards = |field: &str, text: &str| -> Result<CardSet, ApiError> {
            text.parse().map_err(|error| ApiError::BadRequest(format!("{field}: {error}")))
        };
        let deals = request.deals.unwrap_or(DEALS);
        if !(1..=MAX_DEALS).contains(&deals) {
            return Err(ApiError::BadRequest(format!(
                "deals: expected 1 to {MAX_DEALS}, found {deals}"
            )));
        }
        let options = EquityOptions {
            method: if request.sample { Method::Sample } else { Method::Auto },
            deals,
            dead: cards("dead", &request.dead)?,
            categories: true,
            seed: request.seed,
            ..EquityOptions::default()
        };
        Ok(Self { players, board: cards("board", &request.board)?, options })
    }

    fn run(&self, progress: &EquityProgress) -> Result<EquityResponse, ApiError> {
        let found = equity_with_progress(&self.players, self.board, &self.options, progress);
        let found = found.map_err(|error| match error {
            EquityError::Stopped => ApiError::Busy(format!(
                "no result within {} s: expected fewer players or wider ranges",
                MAX_TIME.as_secs()
            )),
            other => ApiError::BadRequest(other.to_string()),
        })?;
        let players = (found.players.iter())
            .map(|player| {
                let interval = player.confidence_interval();
                let counts = player.categories.unwrap_or_default();
                PlayerResponse {
                    equity: player.equity(),
                    win: player.win_rate(),
                    tie: player.tie_rate(),
                    ci_low: interval.map(|interval| interval.0),
                    ci_high: interval.map(|interval| interval.1),
                    categories: counts.iter().map(|count| count / found.deals).collect(),
                }
            })
            .collect();
        Ok(EquityResponse {
            exact: found.method == Method::Exact,
            deals: found.deals,
            players,
            categories: Category::ALL.iter().map(|category| category.name()).collect(),
        })
    }
}

fn check_length(text: &str) -> Result<(), ApiError> {
    if text.len() > MAX_RANGE {
        return Err(ApiError::BadRequest(format!("expected a range of at most {MAX_RANGE} bytes")));
    }
    Ok(())
}
