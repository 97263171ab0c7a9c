//! The folders of trainings: how losses, speed and strength went.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use meeple_arena::{Pairing, rate, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{inside, json_of, lines_of};
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::runs::{HISTORY, folder_of, reading};

/// The version of folders that is understood.
const VERSION: u64 = 1;
/// The file of the network that plays.
const NETWORK: &str = "model.safetensors";
/// The most players that are rated: the work grows with their number cubed.
const MOST_RATED: usize = 400;

/// A training.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrainingInfo {
    /// Every setting, as `config.json` has them.
    pub(crate) config: Value,
    /// How far it has come.
    pub(crate) progress: Progress,
    /// Whether a limit of the settings is reached.
    pub(crate) finished: bool,
    /// The iterations in their order.
    pub(crate) history: Vec<Iteration>,
    /// The decisions in the buffer.
    pub(crate) buffer: Buffer,
    /// Networks and opponents, rated together, the strongest first.
    pub(crate) ratings: Vec<Rated>,
    /// What the networks that were measured did against each opponent.
    pub(crate) ladder: Vec<Meeting>,
    /// The file of its network, as bots name it (`puct:model=FILE`), once there is one.
    pub(crate) network: Option<String>,
}

/// How far a training has come: the counts of `state.json`.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Progress {
    pub(crate) iterations: u64,
    pub(crate) games: u64,
    /// Decisions played that are learned from.
    pub(crate) samples: u64,
    /// States judged in self-play.
    pub(crate) evaluations: u64,
    /// Time on the clock.
    pub(crate) seconds: f64,
    pub(crate) processor_seconds: f64,
    /// The network that plays, by the iterations it has learned for.
    pub(crate) actor: u64,
}

/// An iteration: a line of `history.jsonl`.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Iteration {
    pub(crate) iteration: u64,
    /// Games played so far.
    pub(crate) games: u64,
    /// Decisions of this iteration that are learned from.
    pub(crate) samples: u64,
    /// Games that were left before their end.
    pub(crate) cut: u64,
    /// What the first seat got on average.
    pub(crate) first_seat: f64,
    /// Decisions a game.
    pub(crate) game_length: f64,
    /// Decisions in the window that is learned from.
    pub(crate) window: u64,
    /// Steps of learning; without any, losses say nothing.
    pub(crate) steps: u64,
    pub(crate) policy_loss: f64,
    pub(crate) value_loss: f64,
    /// The length of the gradient.
    pub(crate) gradient: f64,
    /// The learning rate.
    pub(crate) rate: f64,
    pub(crate) seconds: f64,
    pub(crate) games_per_second: f64,
    pub(crate) evaluations_per_second: f64,
    /// States judged at a time.
    pub(crate) mean_batch: f64,
}

/// The decisions that are kept.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Buffer {
    /// Decisions in the window.
    pub(crate) window: u64,
    /// How many the window can grow to.
    pub(crate) largest: Option<u64>,
    /// Iterations whose decisions are kept, each a file.
    pub(crate) files: usize,
    pub(crate) first_iteration: Option<u64>,
    pub(crate) last_iteration: Option<u64>,
}

/// A player with its strength.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Rated {
    pub(crate) name: String,
    /// The iterations it has learned for, if it is a network of the training.
    pub(crate) network: Option<u64>,
    /// Elo above the first opponent of the ladder.
    pub(crate) elo: f64,
    /// Where the 95 % interval begins and ends.
    pub(crate) ci_low: f64,
    pub(crate) ci_high: f64,
    pub(crate) games: u64,
}

/// What a network did against an opponent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Meeting {
    pub(crate) network: u64,
    pub(crate) opponent: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    /// The share of points, a draw being half a win.
    pub(crate) score: f64,
    /// Where the 95 % interval of the share begins and ends.
    pub(crate) ci_low: f64,
    pub(crate) ci_high: f64,
}

/// What `state.json` says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Saved {
    meeple_train: u64,
    #[serde(flatten)]
    progress: Progress,
    shards: Vec<u64>,
    met: Vec<Met>,
}

#[derive(Deserialize)]
struct Met {
    network: u64,
    opponent: String,
    games: u64,
    wins: u64,
    losses: u64,
    points: f64,
}

impl Met {
    fn is_possible(&self) -> bool {
        self.games > 0 && (0.0..=self.games as f64).contains(&self.points)
    }
}

/// `GET /api/runs/{run}/training`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    UrlPath(run): UrlPath<String>,
) -> Result<Json<TrainingInfo>, Refusal> {
    reading(&lab, move |lab| {
        let folder = folder_of(lab, &run)?;
        if !folder.join(HISTORY).is_file() {
            return Err(Refusal::Missing(format!("{run:?} is no training")));
        }
        let network = inside(&folder, NETWORK).map(|_| format!("{run}/{NETWORK}"));
        Ok(Json(TrainingInfo { network, ..read(&folder)? }))
    })
    .await
}

/// What the folder of a training says.
pub(crate) fn read(folder: &Path) -> Result<TrainingInfo, Refusal> {
    let saved = match json_of(folder, "state.json")? {
        Some(state) => serde_json::from_value::<Saved>(state)
            .map_err(|error| Refusal::failed("state.json", &error))?,
        // Before its first iteration is finished, a training has no state.
        None => Saved { meeple_train: VERSION, ..Saved::default() },
    };
    if saved.meeple_train != VERSION {
        let found = saved.meeple_train;
        return Err(Refusal::Wrong(format!("state.json: version {found}, expected {VERSION}")));
    }
    let config = json_of(folder, "config.json")?
        .and_then(|mut file| file.get_mut("config").map(Value::take))
        .unwrap_or_default();
    let history: Vec<Iteration> = (lines_of(folder, HISTORY)?.into_iter())
        .filter_map(|line| serde_json::from_value(line).ok())
        .collect();
    let met: Vec<Met> = saved.met.into_iter().filter(Met::is_possible).collect();
    Ok(TrainingInfo {
        finished: is_finished(&config, &saved.progress),
        buffer: Buffer {
            window: history.last().map_or(0, |last| last.window),
            largest: config.pointer("/buffer/last").and_then(Value::as_u64),
            files: saved.shards.len(),
            first_iteration: saved.shards.first().copied(),
            last_iteration: saved.shards.last().copied(),
        },
        ratings: ratings_of(&met, &anchor_of(&config, &met)),
        ladder: met.into_iter().map(meeting_of).collect(),
        network: None,
        progress: saved.progress,
        history,
        config,
    })
}

fn is_finished(config: &Value, progress: &Progress) -> bool {
    let limit = |path| config.pointer(path).and_then(Value::as_f64);
    limit("/limit/iterations").is_some_and(|most| progress.iterations as f64 >= most)
        || limit("/limit/minutes").is_some_and(|most| progress.seconds >= 60.0 * most)
}

/// The player whose Elo is 0: the first of the ladder.
fn anchor_of(config: &Value, met: &[Met]) -> String {
    let first = config.pointer("/evaluation/ladder/0").and_then(Value::as_str);
    // A ladder that was changed may begin with somebody who was never met.
    let known = first.filter(|first| met.iter().any(|met| met.opponent == *first));
    known.or(met.first().map(|met| met.opponent.as_str())).unwrap_or_default().to_owned()
}

fn network_name(iterations: u64) -> String {
    format!("network {iterations}")
}

/// All who met, by the model that experiments use.
fn ratings_of(met: &[Met], anchor: &str) -> Vec<Rated> {
    let mut names = vec![anchor.to_owned()];
    let mut number = |name: String| {
        names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let pairings: Vec<Pairing> = (met.iter())
        .map(|met| Pairing {
            bots: [number(network_name(met.network)), number(met.opponent.clone())],
            games: met.games as f64,
            points: met.points,
        })
        .collect();
    if pairings.is_empty() || names.len() > MOST_RATED {
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

fn meeting_of(met: Met) -> Meeting {
    let interval = wilson(met.points.round() as u64, met.games);
    Meeting {
        network: met.network,
        opponent: met.opponent,
        games: met.games,
        wins: met.wins,
        losses: met.losses,
        score: met.points / met.games as f64,
        ci_low: interval.ci_low,
        ci_high: interval.ci_high,
    }
}
