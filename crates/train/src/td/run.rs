//! The loop: a batch of games, learning from them, and from time to time a commit and a report.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use meeple_game::Rng;
use meeple_games::backgammon::{Lesson, ValueNetwork};
use meeple_stats::Moments;
use serde::Serialize;

use super::TdConfig;
use super::state::{MODEL, TdReport, TdState, load_config, load_network, save_config};
use crate::folder::Folder;
use crate::processor::processor_seconds;
use crate::run::{Ended, stream};
use crate::state::TRAIN_VERSION;
use crate::{TrainError, TrainOptions, TrainProgress};

/// The time between commits. It does not change the result.
const COMMIT: Duration = Duration::from_secs(60);

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct TdTrained {
    /// Why it ended.
    pub ended: Ended,
    /// The folder.
    pub folder: PathBuf,
    /// The file of the network.
    pub network: PathBuf,
    /// The hash of the network, in hexadecimal.
    pub hash: String,
    /// Games played.
    pub games: u64,
    /// Wall-clock seconds, over all parts of the run.
    pub seconds: f64,
    /// Processor seconds, over all parts of the run, where the system reports them.
    pub processor_seconds: f64,
    /// The latest report.
    pub latest: Option<TdReport>,
}

/// Trains a value network from scratch.
///
/// # Errors
///
/// When the configuration is invalid, the folder already holds something, or a file cannot be
/// written.
pub fn train_td(
    config: &TdConfig,
    options: &TrainOptions,
    progress: &TrainProgress,
) -> Result<TdTrained, TrainError> {
    config.check().map_err(|(field, message)| TrainError::Setting { field, message })?;
    let path = options.folder.clone().unwrap_or_else(|| config.folder());
    let folder = Folder::create(&path)?;
    save_config(&folder, config)?;
    let learner = ValueNetwork::random(stream_of(config, stream::WEIGHTS).bits());
    let state = TdState { meeple_train: TRAIN_VERSION, ..TdState::default() };
    let average = learner.clone();
    state.save(&folder, &learner, &average)?;
    TdRun::new(folder, config.clone(), options, progress, state, learner, average).go()
}

/// Resumes the run in `folder`.
///
/// # Errors
///
/// When there is no such run, it is damaged, or as for [`train_td`].
pub fn resume_td(
    folder: &Path,
    options: &TrainOptions,
    progress: &TrainProgress,
) -> Result<TdTrained, TrainError> {
    let folder = Folder::open(folder)?;
    let config = load_config(&folder)?;
    let state = TdState::load(&folder)?;
    let [learner, average] = state.files();
    let learner = load_network(&folder, &learner)?;
    let average = load_network(&folder, &average)?;
    TdRun::new(folder, config, options, progress, state, learner, average).go()
}

fn stream_of(config: &TdConfig, stream: u64) -> Rng {
    Rng::new(config.seed).split(stream)
}

/// A run in progress.
struct TdRun<'a> {
    folder: Folder,
    config: TdConfig,
    threads: usize,
    progress: &'a TrainProgress,
    state: TdState,
    learner: ValueNetwork,
    average: ValueNetwork,
    /// The clocks at the last commit.
    wall: Instant,
    processor: f64,
}

impl<'a> TdRun<'a> {
    fn new(
        folder: Folder,
        config: TdConfig,
        options: &TrainOptions,
        progress: &'a TrainProgress,
        state: TdState,
        learner: ValueNetwork,
        average: ValueNetwork,
    ) -> Self {
        let processor = processor_seconds().unwrap_or_default();
        let (threads, wall) = (options.threads(), Instant::now());
        Self { folder, config, threads, progress, state, learner, average, wall, processor }
    }

    fn go(mut self) -> Result<TdTrained, TrainError> {
        self.progress.say(format!(
            "{} in {}: {} of {} games, {} threads play",
            self.config.game,
            self.folder.path().display(),
            self.state.games,
            self.config.games,
            self.threads,
        ));
        while self.state.games < self.config.games && !self.progress.is_stopped() {
            self.play_batch();
            let is_due = self.state.games / self.config.report
                > self.state.reports.last().map_or(0, |report| report.games) / self.config.report;
            if is_due || self.state.games == self.config.games {
                self.report();
                self.commit()?;
            } else if self.wall.elapsed() > COMMIT {
                self.commit()?;
            }
        }
        self.commit()?;
        let is_finished = self.state.games == self.config.games;
        Ok(TdTrained {
            ended: if is_finished { Ended::Finished } else { Ended::Stopped },
            network: self.folder.file(MODEL),
            folder: self.folder.path().to_owned(),
            hash: format!("{:016x}", self.average.hash()),
            games: self.state.games,
            seconds: self.state.seconds,
            processor_seconds: self.state.processor_seconds,
            latest: self.state.reports.last().cloned(),
        })
    }

    /// Plays a batch of games and learns from them.
    fn play_batch(&mut self) {
        let games = self.state.games;
        let count = self.config.at_once.min(self.config.games - games);
        let rate = self.config.rate(games);
        for lessons in self.lessons(games, count) {
            for lesson in lessons {
                self.learner.learn(&lesson, rate);
            }
        }
        self.state.games += count;
        self.average.approach(&self.learner, self.config.share(self.state.games, count));
    }

    /// The lessons of `count` games from number `first` on, each with its last position first.
    fn lessons(&self, first: u64, count: u64) -> Vec<Vec<Lesson>> {
        let seeds = stream_of(&self.config, stream::GAMES);
        let seeds: Vec<u64> = (first..first + count).map(|game| seeds.split(game).bits()).collect();
        self.in_parallel(&seeds, |seed| self.learner.play_game(seed))
    }

    /// Maps seeds, in their order.
    fn in_parallel<T: Send>(&self, seeds: &[u64], map: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let map = &map;
        let share = seeds.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            let threads: Vec<_> = seeds
                .chunks(share)
                .map(|seeds| {
                    scope.spawn(move || -> Vec<T> { seeds.iter().map(|&s| map(s)).collect() })
                })
                .collect();
            let join = |thread: thread::ScopedJoinHandle<'_, Vec<T>>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().flat_map(join).collect()
        })
    }

    /// Measures the network on games that it does not learn from.
    fn report(&mut self) {
        let games = self.state.games;
        let measuring = stream_of(&self.config, stream::MEASURING).split(games);
        let seed_of = |number: u64| measuring.split(number).bits();
        let samples: Vec<u64> = (0..self.config.at_once).map(seed_of).collect();
        let squares: Vec<f32> = self
            .in_parallel(&samples, |seed| {
                let lessons = self.average.play_game(seed);
                lessons.iter().map(|lesson| lesson.squared_error(&self.average)).collect::<Vec<_>>()
            })
            .concat();
        let error = (squares.iter().sum::<f32>() / squares.len().max(1) as f32).sqrt();
        let pairs: Vec<u64> = (0..self.config.pairs).map(seed_of).collect();
        let built_in = ValueNetwork::built_in();
        let mut points = Moments::default();
        for result in self.in_parallel(&pairs, |seed| self.average.play_pair(built_in, seed)) {
            points.add(result);
        }
        let has_points = self.config.pairs > 1;
        let report = TdReport {
            games,
            processor_seconds: self.state.processor_seconds + self.clocks().1,
            rate: self.config.rate(games),
            error,
            points: has_points.then(|| points.sum / points.count as f64),
            standard_error: has_points.then(|| points.standard_error()),
        };
        let against = report.points.zip(report.standard_error).map_or(String::new(), |(p, e)| {
            format!(", {p:+.3} ± {e:.3} points a game against the built-in network")
        });
        self.progress.say(format!(
            "{games} games, {:.0} s of processor, rate {:.5}, error {:.4}{against}",
            report.processor_seconds, report.rate, report.error,
        ));
        self.state.reports.push(report);
    }

    /// The wall-clock and processor seconds since the last commit.
    fn clocks(&self) -> (f64, f64) {
        let processor = processor_seconds().map_or(0.0, |now| now - self.processor);
        (self.wall.elapsed().as_secs_f64(), processor)
    }

    fn commit(&mut self) -> Result<(), TrainError> {
        let (wall, processor) = self.clocks();
        self.state.seconds += wall;
        self.state.processor_seconds += processor;
        (self.wall, self.processor) = (Instant::now(), processor_seconds().unwrap_or_default());
        self.state.save(&self.folder, &self.learner, &self.average)
    }
}
