//! The folders of training runs: losses, speed, buffer and ratings.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Path as UrlPath, State};
use meeple_bots::{NameKind, rename_keys};
use meeple_stats::{Pairing, rate, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ApiError;
use crate::files::{read_json, read_json_lines, resolve_inside};
use crate::json_body::JsonBody;
use crate::lab::Lab;
use crate::runs::{HISTORY, run_folder, with_reader};

/// The supported version of training folders.
const VERSION: u64 = 1;
/// The file of the current network.
const NETWORK: &str = "model.safetensors";
/// The maximum number of rated players: the rating takes cubic time.
const MAX_RATED: usize = 400;

/// The progress of a training run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrainingInfo {
    /// The settings in `config.json`.
    pub(crate) config: Value,
    /// The counters of the run.
    pub(crate) progress: TrainingProgress,
    /// Whether a limit of the settings was reached.
    pub(crate) finished: bool,
    /// The iterations in order.
    pub(crate) history: Vec<Iteration>,
    /// The replay buffer.
    pub(crate) buffer: Buffer,
    /// Networks and opponents, rated together, the strongest first.
    pub(crate) ratings: Vec<Rated>,
    /// The results of evaluated networks against each opponent.
    pub(crate) ladder: Vec<MatchResult>,
    /// The file of the current network for `puct:model=FILE`, if it exists.
    pub(crate) network: Option<String>,
}

/// The counters of a training run, from `state.json`.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct TrainingProgress {
    pub(crate) iterations: u64,
    pub(crate) games: u64,
    /// Training samples generated.
    pub(crate) samples: u64,
    /// Network evaluations in self-play.
    pub(crate) evaluations: u64,
    /// Wall-clock time.
    pub(crate) seconds: f64,
    pub(crate) processor_seconds: f64,
    /// The self-play network, by its number of training iterations.
    pub(crate) actor: u64,
}

/// An iteration: a line of `history.jsonl`.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Iteration {
    pub(crate) iteration: u64,
    /// Total games so far.
    pub(crate) games: u64,
    /// Training samples of this iteration.
    pub(crate) samples: u64,
    /// Games cut off at the length limit.
    pub(crate) cut: u64,
    /// The mean payoff of the first seat.
    pub(crate) first_seat: f64,
    /// Decisions per game.
    pub(crate) game_length: f64,
    /// Samples in the replay buffer.
    pub(crate) window: u64,
    /// Gradient steps; without any, the losses are undefined.
    pub(crate) steps: u64,
    pub(crate) policy_loss: f64,
    pub(crate) value_loss: f64,
    /// The gradient norm.
    pub(crate) gradient: f64,
    /// The learning rate.
    pub(crate) rate: f64,
    pub(crate) seconds: f64,
    pub(crate) games_per_second: f64,
    pub(crate) evaluations_per_second: f64,
    /// The mean batch size of network evaluations.
    pub(crate) mean_batch: f64,
}

/// The replay buffer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Buffer {
    /// Samples in the buffer.
    pub(crate) window: u64,
    /// The maximum size of the buffer.
    pub(crate) largest: Option<u64>,
    /// The number of sample files, one per iteration.
    pub(crate) files: usize,
    pub(crate) first_iteration: Option<u64>,
    pub(crate) last_iteration: Option<u64>,
}

/// A player and its Elo rating.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rated {
    pub(crate) name: String,
    /// The training iterations, if it is a network of the run.
    pub(crate) network: Option<u64>,
    /// Elo relative to the first opponent of the ladder.
    pub(crate) elo: f64,
    /// The 95 % confidence interval.
    pub(crate) ci_low: f64,
    pub(crate) ci_high: f64,
    pub(crate) games: u64,
}

/// The result of a network against an opponent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MatchResult {
    pub(crate) network: u64,
    pub(crate) opponent: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    /// The score: a draw counts as half a win.
    pub(crate) score: f64,
    /// The 95 % confidence interval of the score.
    pub(crate) ci_low: f64,
    pub(crate) ci_high: f64,
}

/// The content of `state.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Saved {
    meeple_train: u64,
    #[serde(flatten)]
    progress: TrainingProgress,
    shards: Vec<u64>,
    matches: Vec<SavedMatch>,
}

#[derive(Deserialize)]
struct SavedMatch {
    network: u64,
    opponent: String,
    games: u64,
    wins: u64,
    losses: u64,
    points: f64,
}

impl SavedMatch {
    fn is_valid(&self) -> bool {
        self.games > 0 && (0.0..=self.games as f64).contains(&self.points)
    }
}

/// `GET /api/runs/{run}/training`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    UrlPath(run): UrlPath<String>,
) -> Result<JsonBody<TrainingInfo>, ApiError> {
    with_reader(&lab, move |lab| {
        let folder = run_folder(lab, &run)?;
        if !folder.join(HISTORY).is_file() {
            return Err(ApiError::NotFound(format!("{run:?} is not a training run")));
        }
        let network = resolve_inside(&folder, NETWORK).map(|_| format!("{run}/{NETWORK}"));
        JsonBody::new(&TrainingInfo { network, ..read(&folder)? })
    })
    .await
}

/// Reads the folder of a training run.
pub(crate) fn read(folder: &Path) -> Result<TrainingInfo, ApiError> {
    let saved = match read_json(folder, "state.json")? {
        Some(mut state) => {
            rename_keys(NameKind::TrainingState, &mut state);
            serde_json::from_value::<Saved>(state)
                .map_err(|error| ApiError::internal("state.json", &error))?
        }
        // There is no state before the first iteration is finished.
        None => Saved { meeple_train: VERSION, ..Saved::default() },
    };
    if saved.meeple_train != VERSION {
        let found = saved.meeple_train;
        return Err(ApiError::BadRequest(format!(
            "state.json: version {found}, expected {VERSION}"
        )));
    }
    let config = read_json(folder, "config.json")?
        .and_then(|mut file| file.get_mut("config").map(Value::take))
        .unwrap_or_default();
    let history: Vec<Iteration> = (read_json_lines(folder, HISTORY)?.into_iter())
        .filter_map(|line| serde_json::from_value(line).ok())
        .collect();
    let results: Vec<SavedMatch> = saved.matches.into_iter().filter(SavedMatch::is_valid).collect();
    Ok(TrainingInfo {
        finished: is_finished(&config, &saved.progress),
        buffer: Buffer {
            window: history.last().map_or(0, |last| last.window),
            largest: config.pointer("/buffer/last").and_then(Value::as_u64),
            files: saved.shards.len(),
            first_iteration: saved.shards.first().copied(),
            last_iteration: saved.shards.last().copied(),
        },
        ratings: ratings_of(&results, &anchor_of(&config, &results)),
        ladder: results.into_iter().map(match_result).collect(),
        network: None,
        progress: saved.progress,
        history,
        config,
    })
}

fn is_finished(config: &Value, progress: &TrainingProgress) -> bool {
    let limit = |path| config.pointer(path).and_then(Value::as_f64);
    limit("/limit/iterations").is_some_and(|most| progress.iterations as f64 >= most)
        || limit("/limit/minutes").is_some_and(|most| progress.seconds >= 60.0 * most)
}

/// Returns the anchor with Elo 0: the first opponent of the ladder.
fn anchor_of(config: &Value, results: &[SavedMatch]) -> String {
    let first = config.pointer("/evaluation/ladder/0").and_then(Value::as_str);
    // A changed ladder may start with an opponent without games.
    let known = first.filter(|first| results.iter().any(|result| result.opponent == *first));
    known.or(results.first().map(|result| result.opponent.as_str())).unwrap_or_default().to_owned()
}

fn network_name(iterations: u64) -> String {
    format!("network {iterations}")
}

/// Rates all players, with the model of experiments.
fn ratings_of(results: &[SavedMatch], anchor: &str) -> Vec<Rated> {
    let mut names = vec![anchor.to_owned()];
    let mut number = |name: String| {
        names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let pairings: Vec<Pairing> = (results.iter())
        .map(|result| Pairing {
            bots: [number(network_name(result.network)), number(result.opponent.clone())],
            games: result.games as f64,
            points: result.points,
        })
        .collect();
    if pairings.is_empty() || names.len() > MAX_RATED {
        return Vec::new();
    }
    let ratings = rate(names.len(), &pairings, 0);
    let mut rated: Vec<Rated> = (names.into_iter().enumerate())
        .map(|(bot, name)| Rated {
            network: name.strip_prefix("network ").and_then(|number| number.parse().ok()),
            elo: ratings.elo[bot].elo,
            ci_low: ratings.elo[bot].interval.ci_low,
            ci_high: ratings.elo[bot].interval.ci_high,
            games: (pairings.iter().filter(|pair| pair.bots.contains(&bot)))
                .map(|pair| pair.games as u64)
                .sum(),
            name,
        })
        .collect();
    rated.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    rated
}

fn match_result(result: SavedMatch) -> MatchResult {
    let interval = wilson(result.points.round() as u64, result.games);
    MatchResult {
        network: result.network,
        opponent: result.opponent,
        games: result.games,
        wins: result.wins,
        losses: result.losses,
        score: result.points / result.games as f64,
        ci_low: interval.ci_low,
        ci_high: interval.ci_high,
    }
}
