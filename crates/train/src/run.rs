//! The training loop: self-play and learning run in parallel, and each iteration is committed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use meeple_arena::{SampleLayout, Samples};
use meeple_bots::Position;
use meeple_game::{GameInfo, Rng};
use meeple_net::{NetError, Network, Trainer};
use serde::Serialize;

use crate::TrainError;
use crate::any_game::AnyGame;
use crate::config::TrainConfig;
use crate::events::EventFile;
use crate::folder::{Folder, name};
use crate::games::{Games, Played};
use crate::journal::Journal;
use crate::learn::{Learning, LearningReport, learn, steps_due};
use crate::processor::processor_seconds;
use crate::progress::TrainProgress;
use crate::replay::Buffer;
use crate::report;
use crate::self_play::PlayedGame;
use crate::state::{IterationReport, State, save_history};

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The limit was reached.
    Finished,
    /// The run was stopped.
    Stopped,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Trained {
    /// Why it ended.
    pub ended: Ended,
    /// The folder.
    pub folder: PathBuf,
    /// The final state.
    pub state: State,
    /// The latest iteration.
    pub latest: Option<IterationReport>,
    /// The ratings.
    pub ratings: Vec<crate::LadderRating>,
}

/// The random streams that a seed is split into.
pub(crate) mod stream {
    pub(crate) const WEIGHTS: u64 = 0;
    pub(crate) const GAMES: u64 = 1;
    pub(crate) const LEARNING: u64 = 2;
    pub(crate) const MEASURING: u64 = 3;
    pub(crate) const GATE: u64 = 4;
}

/// A run in progress.
pub(crate) struct Run<'a> {
    pub(crate) folder: Folder,
    pub(crate) config: TrainConfig,
    pub(crate) game: &'static dyn AnyGame,
    /// The initial position.
    pub(crate) start: Box<dyn Position>,
    pub(crate) threads: usize,
    pub(crate) progress: &'a TrainProgress,
    pub(crate) state: State,
    pub(crate) history: Vec<IterationReport>,
    pub(crate) buffer: Buffer,
    pub(crate) trainer: Trainer,
    pub(crate) events: EventFile,
    /// The clocks at the last commit.
    pub(crate) clock: Clock,
}

/// A reading of the clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    pub(crate) fn now() -> Self {
        Self { wall: Instant::now(), processor: processor_seconds() }
    }

    /// Returns the wall-clock and processor seconds since this reading.
    fn since(&self) -> (f64, f64) {
        let processor = processor_seconds().zip(self.processor);
        (self.wall.elapsed().as_secs_f64(), processor.map_or(0.0, |(now, then)| now - then))
    }
}

impl Run<'_> {
    /// Runs until the limit is reached or the run is stopped.
    pub(crate) fn go(mut self) -> Result<Trained, TrainError> {
        let ended = loop {
            if !self.pass_gate()? || !self.measure()? || self.progress.is_stopped() {
                break Ended::Stopped;
            }
            if self.is_over() {
                break Ended::Finished;
            }
            if !self.iterate()? {
                break Ended::Stopped;
            }
        };
        self.write_report()?;
        let ratings = self.ratings();
        let (folder, latest) = (self.folder.path().to_owned(), self.history.last().cloned());
        Ok(Trained { ended, folder, state: self.state, latest, ratings })
    }

    fn is_over(&self) -> bool {
        let limit = &self.config.limit;
        let seconds = self.state.seconds + self.clock.since().0;
        limit.iterations.is_some_and(|most| self.state.iterations >= most)
            || limit.minutes.is_some_and(|most| seconds >= 60.0 * most)
    }

    /// Returns the properties of the table.
    pub(crate) fn info(&self) -> GameInfo {
        self.start.info()
    }

    pub(crate) fn stream(&self, stream: u64) -> Rng {
        Rng::new(self.config.seed).split(stream)
    }

    /// Returns the actor: the network that plays.
    fn actor(&self) -> Result<Network, TrainError> {
        if self.state.actor == self.state.iterations {
            return Ok(self.trainer.network().clone());
        }
        let file = name::network(self.state.actor);
        let bytes = self.state.read_file(&self.folder, &file)?;
        Ok(Network::from_bytes(&self.info(), &self.folder.file(&file), &bytes)?)
    }

    /// Runs one iteration of self-play and learning. Returns false if it was stopped.
    fn iterate(&mut self) -> Result<bool, TrainError> {
        let iteration = self.state.iterations;
        self.progress.enter(format!("iteration {}", iteration + 1));
        let path = self.folder.file(name::JOURNAL);
        let (journal, before) = Journal::open(&path, SampleLayout::of(&self.info()), iteration)?;
        let actor = self.actor()?;
        let mut rng = self.stream(stream::LEARNING).split(iteration);
        let seed = self.stream(stream::GAMES);
        let Self { trainer, buffer, config, progress, state, game, start, threads, .. } = self;
        let games =
            Games { config, game: *game, start: &**start, progress, seed, threads: *threads };
        let first = state.games;
        let symmetries = game.symmetries(&**start);
        let failed = AtomicBool::new(false);
        let is_stopped = || games.progress.is_stopped() || failed.load(Ordering::Relaxed);
        let (played, learned) = thread::scope(|scope| {
            let learner = scope.spawn(|| {
                let steps = steps_due(buffer, &games.config.buffer, games.config.learning.batch);
                let learning = Learning {
                    config: &games.config.learning,
                    symmetries: &symmetries,
                    iteration,
                    steps,
                };
                let learned = learn(trainer, buffer, &learning, &mut rng, &is_stopped);
                failed.fetch_or(learned.is_err(), Ordering::Relaxed);
                learned
            });
            let played = games.play(&actor, first, journal, before, &is_stopped);
            failed.fetch_or(played.is_err(), Ordering::Relaxed);
            let learned = learner.join();
            (played, learned.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let learning = learned.map_err(|error| self.diverged(error))?;
        let Some(played) = played? else { return Ok(false) };
        if self.progress.is_stopped() {
            return Ok(false);
        }
        self.keep(played, learning)?;
        Ok(true)
    }

    /// Stores the results of an iteration. They take effect when the state is written.
    fn keep(&mut self, played: Played, learning: LearningReport) -> Result<(), TrainError> {
        let iteration = self.state.iterations;
        let mut report = self.report_on(&played, learning);
        let sample_game = played.games.first().map(|game| self.tell(game)).unwrap_or_default();
        let mut samples = Samples::default();
        played.games.into_iter().for_each(|game| samples.append(game.samples));
        report.samples = samples.len() as u64;
        if samples.is_empty() && self.buffer.is_empty() {
            return Err(TrainError::EmptyBuffer { games: report.games });
        }
        let file = name::samples(iteration);
        let bytes = samples.to_bytes(&SampleLayout::of(&self.info()), &[self.start.config()]);
        let bytes = bytes.map_err(|error| TrainError::samples(&self.folder.file(&file), &error))?;
        self.folder.write(&file, &bytes)?;
        self.buffer.add(iteration, samples);
        report.window = self.buffer.window() as u64;
        let next = iteration + 1;
        self.folder.make("learners")?;
        self.trainer.save(&self.folder.file(&name::learner(next)))?;
        let trainings: Vec<u8> =
            self.buffer.shards().flat_map(|(_, trainings)| trainings.to_vec()).collect();
        self.folder.write(&name::trainings(next), &trainings)?;
        self.trainer.network().save(&self.folder.file(name::MODEL))?;
        let (seconds, processor) = self.clock.since();
        report.seconds = seconds;
        report.processor_seconds = processor;
        self.state.iterations = next;
        self.state.games = report.games;
        self.state.samples += report.samples;
        self.state.evaluations += played.evaluations;
        self.state.shards = self.buffer.shards().map(|(iteration, _)| iteration).collect();
        if self.config.gate.is_none() {
            self.state.actor = next;
        }
        self.history.push(report.clone());
        save_history(&self.folder, &self.history)?;
        self.commit()?;
        self.tell_watchers(&report, sample_game);
        self.folder.remove(name::JOURNAL)?;
        self.sweep()
    }

    /// Writes the state with the elapsed times.
    pub(crate) fn commit(&mut self) -> Result<(), TrainError> {
        let (seconds, processor) = self.clock.since();
        self.clock = Clock::now();
        self.state.seconds += seconds;
        self.state.processor_seconds += processor;
        self.state.update_checksums(&self.folder)?;
        self.state.save(&self.folder)
    }

    fn report_on(&self, played: &Played, learning: LearningReport) -> IterationReport {
        let count = played.games.len().max(1) as f64;
        let mean =
            |of: &dyn Fn(&PlayedGame) -> f64| played.games.iter().map(of).sum::<f64>() / count;
        IterationReport {
            iteration: self.state.iterations + 1,
            games: self.state.games + played.games.len() as u64,
            cut: played.games.iter().filter(|game| game.is_cut).count() as u64,
            first_seat: mean(&|game| f64::from(game.payoffs[0])),
            game_length: mean(&|game| game.actions.len() as f64),
            learning,
            games_per_second: played.fresh as f64 / played.seconds.max(1e-9),
            evaluations_per_second: played.evaluations as f64 / played.seconds.max(1e-9),
            mean_batch: played.evaluations as f64 / played.batches.max(1) as f64,
            ..IterationReport::default()
        }
    }

    /// Updates log lines, TensorBoard curves and the board.
    fn tell_watchers(&mut self, report: &IterationReport, sample_game: String) {
        let LearningReport { policy_loss, value_loss, rate, steps, gradient } = report.learning;
        let step = report.iteration;
        for (tag, value) in [
            ("loss/policy", policy_loss),
            ("loss/value", value_loss),
            ("learning/gradient", gradient),
            ("learning/rate", rate),
            ("learning/steps", steps as f32),
            ("self_play/games_per_second", report.games_per_second as f32),
            ("self_play/evaluations_per_second", report.evaluations_per_second as f32),
            ("self_play/game_length", report.game_length as f32),
            ("self_play/first_seat", report.first_seat as f32),
            ("self_play/mean_batch", report.mean_batch as f32),
            ("buffer/window", report.window as f32),
        ] {
            // A failed write is ignored: curves are informative only.
            let _ = self.events.scalar(tag, step, value);
        }
        self.progress.say(format!(
            "iteration {step}: {} games, {} decisions, policy {policy_loss:.3}, value \
             {value_loss:.3}, {steps} steps, {:.1} games/s, {:.0} evals/s, {:.0} s, {:.0} s of processor",
            report.games,
            report.samples,
            report.games_per_second,
            report.evaluations_per_second,
            self.state.seconds,
            self.state.processor_seconds,
        ));
        let mut board = self.progress.board();
        board.history.push(report.clone());
        board.buffer = (self.buffer.len() as u64, self.config.buffer.last);
        board.sample_game = sample_game;
        drop(board);
        if step.is_multiple_of(10) {
            let _ = self.write_report();
        }
    }

    pub(crate) fn write_report(&self) -> Result<(), TrainError> {
        let board = self.progress.board();
        let page = report::html(&self.config, &self.state, &board);
        drop(board);
        self.folder.write(name::REPORT, page.as_bytes())
    }

    /// Renders a game as text: its actions, and the table at the end.
    fn tell(&self, played: &PlayedGame) -> String {
        let mut game = self.start.copy();
        let mut names = Vec::with_capacity(played.actions.len());
        for &action in &played.actions {
            names.push(game.action_name(action));
            game.try_apply(action).expect("the game was played by its rules");
        }
        let payoffs: Vec<String> = played.payoffs.iter().map(|x| format!("{x:+}")).collect();
        let end = if played.is_cut { "cut off, expected" } else { "over" };
        format!("{}\n\n{game}\n{end}: {}", names.join(" "), payoffs.join(", "))
    }

    fn diverged(&self, error: NetError) -> TrainError {
        match error {
            NetError::NotFinite { .. } => TrainError::Diverged {
                iteration: self.state.iterations + 1,
                reason: error.to_string(),
                checkpoint: self.folder.file(&name::learner(self.state.iterations)),
            },
            other => other.into(),
        }
    }

    /// Removes the files that no later state needs.
    pub(crate) fn sweep(&self) -> Result<(), TrainError> {
        for (inside, kept) in [
            ("samples", self.state.sample_files()),
            ("learners", self.state.learner_files()),
            ("networks", self.state.network_files()),
        ] {
            self.folder.sweep(inside, |file| kept.iter().any(|name| name == file))?;
        }
        Ok(())
    }
}
