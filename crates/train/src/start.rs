//! Starting and resuming runs.

use std::path::{Path, PathBuf};

use meeple_arena::{SampleLayout, Samples};
use meeple_bots::{Position, ValueError, open_value};
use meeple_net::{Network, Shape, Trainer};

use crate::TrainError;
use crate::any_game::find;
use crate::check::check;
use crate::config::TrainConfig;
use crate::events::EventFile;
use crate::folder::{Folder, name};
use crate::ladder::ratings;
use crate::progress::TrainProgress;
use crate::replay::Buffer;
use crate::run::{Clock, Run, Trained, stream};
use crate::state::{State, TRAIN_VERSION, load_config, load_history, save_config};

/// The options of a run that do not affect its result.
#[derive(Clone, Debug, Default)]
pub struct TrainOptions {
    /// The folder; by default that of the configuration.
    pub folder: Option<PathBuf>,
    /// The number of self-play threads; 0 means one per core. Learning uses one more.
    pub threads: usize,
}

impl TrainOptions {
    pub(crate) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores() } else { self.threads }
    }
}

/// Trains a network from scratch.
///
/// # Errors
///
/// When the configuration is invalid, the folder already holds something, a file cannot be
/// written, or the network diverges.
pub fn train(
    config: &TrainConfig,
    options: &TrainOptions,
    progress: &TrainProgress,
) -> Result<Trained, TrainError> {
    check(config).map_err(|(field, message)| TrainError::Setting { field, message })?;
    let path = options.folder.clone().unwrap_or_else(|| config.folder());
    let trained = Folder::create(&path)
        .and_then(|folder| Begin { folder, config, threads: options.threads(), progress }.train());
    trained.map_err(|error| match error {
        TrainError::Write { path: file, reason } if !path.join(name::STATE).exists() => {
            TrainError::NotBegun { path: file, reason }
        }
        other => other,
    })
}

/// Resumes the run in `folder`; `changed` replaces its configuration.
///
/// # Errors
///
/// When there is no such run, it is damaged, a setting was changed that must stay the same, or
/// as for [`train`].
pub fn resume(
    folder: &Path,
    changed: Option<&TrainConfig>,
    options: &TrainOptions,
    progress: &TrainProgress,
) -> Result<Trained, TrainError> {
    let folder = Folder::open(folder)?;
    let saved = load_config(&folder)?;
    let config = match changed {
        None => saved,
        Some(changed) => {
            check(changed).map_err(|(field, message)| TrainError::Setting { field, message })?;
            if let Some(field) = forbidden_change(&saved, changed) {
                return Err(TrainError::Changed { path: folder.path().to_owned(), field });
            }
            if saved != *changed {
                progress.say("going on with a changed configuration".into());
                save_config(&folder, changed)?;
            }
            changed.clone()
        }
    };
    Resume { folder, config: &config, threads: options.threads(), progress }.train()
}

/// Returns the configuration of the run in `folder`.
///
/// # Errors
///
/// When there is no such run, or it is damaged.
pub fn saved_config(folder: &Path) -> Result<TrainConfig, TrainError> {
    load_config(&Folder::open(folder)?)
}

/// Returns the first changed setting that must stay the same for the run to be reproducible.
fn forbidden_change(before: &TrainConfig, now: &TrainConfig) -> Option<&'static str> {
    let pairs = [
        ("game", before.game != now.game),
        ("table", before.table != now.table),
        ("seed", before.seed != now.seed),
        ("network", before.network != now.network),
        ("self_play.games", before.self_play.games != now.self_play.games),
        ("gate", before.gate.is_some() != now.gate.is_some()),
    ];
    pairs.into_iter().find(|(_, differs)| *differs).map(|(field, _)| field)
}

/// Returns the initial position.
fn initial(config: &TrainConfig) -> Result<Box<dyn Position>, TrainError> {
    open_value(&config.game, &config.table).map_err(|error| match error {
        ValueError::Game(unknown) => unknown.into(),
        ValueError::Config(error) => {
            TrainError::Setting { field: "table".into(), message: error.to_string() }
        }
    })
}

fn events(folder: &Folder) -> Result<EventFile, TrainError> {
    let path = folder.file(name::EVENTS);
    EventFile::create(&path).map_err(|error| TrainError::write(&path, &error))
}

/// The arguments to start a run.
struct Begin<'a> {
    folder: Folder,
    config: &'a TrainConfig,
    threads: usize,
    progress: &'a TrainProgress,
}

impl Begin<'_> {
    fn train(self) -> Result<Trained, TrainError> {
        let Self { folder, config, threads, progress } = self;
        let (game, start) = (find(&config.game, &config.table)?, initial(config)?);
        let sizes = config.network;
        let shape = Shape {
            width: sizes.width,
            blocks: sizes.blocks,
            bottleneck: sizes.neck,
            value_hidden: sizes.value,
        };
        let seed = meeple_game::Rng::new(config.seed).split(stream::WEIGHTS).bits();
        let info = start.info();
        let network = Network::new(&info, shape, info.players, seed)?;
        let trainer = Trainer::new(network, meeple_net::TrainOptions::default());
        save_config(&folder, config)?;
        let state = State { meeple_train: TRAIN_VERSION, ..State::default() };
        folder.make("learners")?;
        trainer.save(&folder.file(&name::learner(0)))?;
        folder.write(&name::trainings(0), &[])?;
        let events = events(&folder)?;
        let mut run = Run {
            buffer: Buffer::new(config.buffer, 0),
            config: config.clone(),
            history: Vec::new(),
            clock: Clock::now(),
            folder,
            game,
            start,
            threads,
            progress,
            state,
            trainer,
            events,
        };
        run.keep_network(0)?;
        run.state.update_checksums(&run.folder)?;
        run.state.save(&run.folder)?;
        run.announce("training");
        run.go()
    }
}

/// The arguments to resume a run.
struct Resume<'a> {
    folder: Folder,
    config: &'a TrainConfig,
    threads: usize,
    progress: &'a TrainProgress,
}

impl Resume<'_> {
    fn train(self) -> Result<Trained, TrainError> {
        let Self { folder, config, threads, progress } = self;
        let (game, start) = (find(&config.game, &config.table)?, initial(config)?);
        let state = State::load(&folder)?;
        let learner = name::learner(state.iterations);
        let bytes = state.read_file(&folder, &learner)?;
        let info = start.info();
        let trainer = Trainer::from_bytes(&info, &folder.file(&learner), &bytes)?;
        let buffer = load_buffer(&SampleLayout::of(&info), &folder, config, &state)?;
        let history = load_history(&folder, state.iterations);
        {
            let mut board = progress.board();
            board.history = history.clone();
            board.buffer = (buffer.len() as u64, config.buffer.last);
            if let Some(anchor) = config.evaluation.ladder.first() {
                board.ratings = ratings(&state.matches, &anchor.to_string());
            }
        }
        let events = events(&folder)?;
        let run = Run {
            config: config.clone(),
            clock: Clock::now(),
            folder,
            game,
            start,
            threads,
            progress,
            state,
            history,
            buffer,
            trainer,
            events,
        };
        run.sweep()?;
        run.announce("going on with");
        run.go()
    }
}

fn load_buffer(
    layout: &SampleLayout,
    folder: &Folder,
    config: &TrainConfig,
    state: &State,
) -> Result<Buffer, TrainError> {
    let path = folder.file(&name::trainings(state.iterations));
    let trainings = state.read_file(folder, &name::trainings(state.iterations))?;
    let mut left = &trainings[..];
    let mut buffer = Buffer::new(config.buffer, state.samples);
    for &shard in &state.shards {
        let file = name::samples(shard);
        let samples = Samples::from_bytes(layout, &state.read_file(folder, &file)?)
            .map_err(|error| TrainError::samples(&folder.file(&file), &error))?;
        let Some((mine, rest)) = left.split_at_checked(samples.len()) else {
            let reason = format!("{} entries are fewer than decisions", trainings.len());
            return Err(TrainError::Read { path, reason });
        };
        buffer.put(shard, samples, mine.to_vec());
        left = rest;
    }
    Ok(buffer)
}

impl Run<'_> {
    fn announce(&self, verb: &str) {
        let (network, game) = (self.trainer.network(), self.info().name);
        let line = format!(
            "{verb} {game} in {}: {} weights, {} threads play, iteration {}",
            self.folder.path().display(),
            network.parameters(),
            self.threads,
            self.state.iterations + 1,
        );
        let mut board = self.progress.board();
        board.title = format!("{game} · {}", self.folder.path().display());
        drop(board);
        self.progress.say(line);
    }
}
