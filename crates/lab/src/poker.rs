//! Ranges and equities over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use meeple_poker::{
    CardSet, Category, EquityError, EquityOptions, HandClass, Holding, Method, Progress, Range,
    Variant, class_order, equity_with_progress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoints::read;
use crate::lab::Lab;
use crate::refusal::Refusal;

/// Deals that are sampled unless something else is said.
const DEALS: u64 = 300_000;
/// The most deals of a request.
const MOST_DEALS: u64 = 10_000_000;
/// The longest that a request may take.
const LONGEST_TIME: Duration = Duration::from_secs(20);
/// The longest text of a range.
const LONGEST: usize = 8 * 1024;

/// What to compare.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EquityQuestion {
    /// A hand or a range for each player: `AhAs`, `QQ+, AKs:0.5`, `top 15%`, `random`.
    pub(crate) players: Vec<String>,
    /// Cards on the board.
    #[serde(default)]
    pub(crate) board: String,
    /// Cards that nobody can hold.
    #[serde(default)]
    pub(crate) dead: String,
    /// Whether to sample even where counting is quick.
    #[serde(default)]
    pub(crate) sample: bool,
    /// Deals where it is sampled.
    #[serde(default)]
    pub(crate) deals: Option<u64>,
    /// Decides the sampled deals.
    #[serde(default)]
    pub(crate) seed: u64,
}

/// How often players win.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EquityAnswer {
    /// Whether every deal was counted; otherwise it was sampled.
    pub(crate) exact: bool,
    /// Deals that were looked at, by weight.
    pub(crate) deals: f64,
    pub(crate) players: Vec<PlayerAnswer>,
    /// The categories, in the order of each player's shares.
    pub(crate) categories: Vec<&'static str>,
}

/// How often a player wins.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PlayerAnswer {
    pub(crate) equity: f64,
    pub(crate) win: f64,
    pub(crate) tie: f64,
    /// Bounds of the equity, 95 times in 100, where it was sampled.
    pub(crate) ci_low: Option<f64>,
    pub(crate) ci_high: Option<f64>,
    /// How often each category of hand was reached.
    pub(crate) categories: Vec<f64>,
}

/// A range to read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeQuestion {
    /// The range, such as `TT+, AQs+, A5s:0.5`.
    pub(crate) text: String,
}

/// A range as a grid.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RangeAnswer {
    /// The range as it is usually written.
    pub(crate) text: String,
    /// Hands in it, by weight.
    pub(crate) hands: f64,
    /// The share of all hands.
    pub(crate) fraction: f64,
    /// The weight of each class that is in it, such as `AKs`.
    pub(crate) classes: std::collections::BTreeMap<String, f64>,
}

/// `POST /api/poker/range`
pub(crate) async fn range(body: Bytes) -> Result<Json<RangeAnswer>, Refusal> {
    let question: RangeQuestion = read(&body)?;
    let range = if question.text.trim().is_empty() {
        Range::empty()
    } else {
        check_length(&question.text)?;
        question.text.parse().map_err(|error| Refusal::Wrong(format!("text: {error}")))?
    };
    let weight = |class: &HandClass| {
        let weight = range.class_weight(*class);
        (weight > 0.0).then(|| (class.to_string(), weight))
    };
    Ok(Json(RangeAnswer {
        text: range.to_string(),
        hands: range.size(),
        fraction: range.fraction(),
        classes: class_order().iter().filter_map(weight).collect(),
    }))
}

/// `POST /api/poker/equity`
pub(crate) async fn compare(
    State(lab): State<Arc<Lab>>,
    body: Bytes,
) -> Result<Json<EquityAnswer>, Refusal> {
    let question: EquityQuestion = read(&body)?;
    let asked = Asked::read(&question)?;
    let permit = lab.permits.take().await;
    let permit = permit.map_err(|error| Refusal::failed("the server ends", &error))?;
    // The work ends with the request: when the caller leaves, or after a while.
    let stop = StopOnDrop::default();
    let progress = Arc::clone(&stop.0);
    let mut found = tokio::task::spawn_blocking(move || {
        let answer = asked.answer(&progress);
        drop(permit);
        answer
    });
    let answer = match tokio::time::timeout(LONGEST_TIME, &mut found).await {
        Ok(answer) => answer,
        Err(_) => {
            stop.0.stop();
            found.await
        }
    };
    Ok(Json(answer.map_err(|error| Refusal::failed("the count failed", &error))??))
}

/// Stops a computation when nobody waits for it any more.
#[derive(Default)]
struct StopOnDrop(Arc<Progress>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Asked {
    players: Vec<Holding>,
    board: CardSet,
    options: EquityOptions,
}

impl Asked {
    fn read(question: &EquityQuestion) -> Result<Self, Refusal> {
        let mut players = Vec::new();
        for (number, text) in (1..).zip(&question.players) {
            check_length(text)?;
            let holding = Holding::parse(text, Variant::Holdem);
            players.push(
                holding.map_err(|error| Refusal::Wrong(format!("player {number}: {error}")))?,
            );
        }
        let cards = |field: &str, text: &str| -> Result<CardSet, Refusal> {
            text.parse().map_err(|error| Refusal::Wrong(format!("{field}: {error}")))
        };
        let deals = question.deals.unwrap_or(DEALS);
        if !(1..=MOST_DEALS).contains(&deals) {
            return Err(Refusal::Wrong(format!(
                "deals: expected 1 to {MOST_DEALS}, found {deals}"
            )));
        }
        let options = EquityOptions {
            method: if question.sample { Method::Sample } else { Method::Auto },
            deals,
            dead: cards("dead", &question.dead)?,
            categories: true,
            seed: question.seed,
            ..EquityOptions::default()
        };
        Ok(Self { players, board: cards("board", &question.board)?, options })
    }

    fn answer(&self, progress: &Progress) -> Result<EquityAnswer, Refusal> {
        let found = equity_with_progress(&self.players, self.board, &self.options, progress);
        let found = found.map_err(|error| match error {
            EquityError::Stopped => Refusal::Busy(format!(
                "there is no answer within {} s: expected fewer players or wider ranges",
                LONGEST_TIME.as_secs()
            )),
            other => Refusal::Wrong(other.to_string()),
        })?;
        let players = (found.players.iter())
            .map(|player| {
                let interval = player.confidence_interval();
                let counts = player.categories.unwrap_or_default();
                PlayerAnswer {
                    equity: player.equity(),
                    win: player.win_rate(),
                    tie: player.tie_rate(),
                    ci_low: interval.map(|interval| interval.0),
                    ci_high: interval.map(|interval| interval.1),
                    categories: counts.iter().map(|count| count / found.deals).collect(),
                }
            })
            .collect();
        Ok(EquityAnswer {
            exact: found.method == Method::Exact,
            deals: found.deals,
            players,
            categories: Category::ALL.iter().map(|category| category.name()).collect(),
        })
    }
}

fn check_length(text: &str) -> Result<(), Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::Wrong(format!("expected a range of at most {LONGEST} letters")));
    }
    Ok(())
}
