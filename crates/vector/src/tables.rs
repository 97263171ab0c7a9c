//! All tables of one game, distributed over threads.

use std::sync::OnceLock;

use meeple_bots::{BotSpec, Position};
use meeple_game::{Action, ActionList, Game, Picture};
use meeple_search::StopFlag;
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::arrays::expect_length;
use crate::environment::{Bots, Environment, Rules, Scratch, Seat, Stage, mark};
use crate::memory;
use crate::{
    Autoreset, Encoding, Frame, Illegal, Learner, Opponent, Questions, SavedTable, Shape,
    VectorEnv, VectorError, VectorOptions,
};

/// The minimum number of tables per task where no opponent is a bot: a smaller task would cost
/// more to schedule than to run.
const GRAIN: usize = 64;
/// Tasks per thread, so that one slow table does not keep the others waiting.
const TASKS: usize = 4;

pub(crate) struct Tables<G> {
    rules: Rules<G>,
    tables: Vec<Environment<G>>,
    shape: Shape,
    /// Tables per task.
    size: usize,
    threads: usize,
    pool: OnceLock<ThreadPool>,
    waiting: Vec<usize>,
    has_begun: bool,
    /// The name of a bot that is not reproducible, if there is one.
    unrepeatable: Option<String>,
}

impl<G: Game> Tables<G> {
    fn table(&self, table: usize) -> Result<&Environment<G>, VectorError> {
        let tables = self.tables.len();
        self.tables.get(table).ok_or(VectorError::NoTable { table, tables })
    }

    pub(crate) fn new(
        config: &G::Config,
        options: &VectorOptions,
        position: &dyn Position,
    ) -> Result<Self, VectorError> {
        let first = G::new(config);
        let players = first.players();
        let (others, specs) = seats(options, players);
        let rules = Rules {
            first,
            players,
            learner: options.learner,
            others,
            autoreset: options.autoreset,
            illegal: options.illegal,
            max_steps: options.max_steps,
            stop: StopFlag::default(),
        };
        let bots = || -> Result<Option<Bots>, VectorError> {
            if specs.is_empty() {
                return Ok(None);
            }
            let bots = specs.iter().map(|spec| position.bot(spec)).collect::<Result<_, _>>()?;
            Ok(Some(Bots { bots, shown: position.copy() }))
        };
        let (spec, actions) = (rules.first.observation(), rules.first.actions());
        let encoding = options.encoding.unwrap_or_else(|| Encoding::smallest(spec));
        let row = encoding.bytes() * encoding.width(spec) + actions;
        let mut tables = memory::reserve::<Environment<G>>(options.tables, row)?;
        for number in 0..options.tables as u64 {
            let mut table = Environment::new(number, &rules, bots()?);
            table.set_stop(&rules.stop);
            tables.push(table);
        }
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let grain = if specs.is_empty() { GRAIN } else { 1 };
        Ok(Self {
            rules,
            tables,
            shape: Shape {
                tables: options.tables,
                players,
                actions,
                width: encoding.width(spec),
                rewards: if options.learner == Learner::All { players } else { 1 },
                encoding,
                spec,
            },
            size: options.tables.div_ceil(threads * TASKS).max(grain),
            threads,
            pool: OnceLock::new(),
            waiting: Vec::new(),
            has_begun: false,
            unrepeatable: specs.iter().find(|spec| !spec.is_repeatable()).map(BotSpec::to_string),
        })
    }

    /// Returns the thread pool, which is started on first use; `None` where one thread
    /// suffices.
    fn pool(&self) -> Result<Option<&ThreadPool>, VectorError> {
        if self.threads == 1 || self.size >= self.tables.len() {
            return Ok(None);
        }
        if self.pool.get().is_none() {
            let built = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            let built = built.map_err(|error| VectorError::Threads {
                threads: self.threads,
                reason: error.to_string(),
            })?;
            self.pool.get_or_init(|| built);
        }
        Ok(self.pool.get())
    }

    /// Calls `work` for every table, with its input, its row and the arrays of its task.
    /// Returns the number of tables that wait for external opponents.
    fn each<I: Sync>(
        &mut self,
        inputs: &[I],
        frame: Frame<'_>,
        work: impl Fn(&Rules<G>, &mut Environment<G>, &I, usize, &mut Frame<'_>, &mut Scratch) + Sync,
    ) -> Result<usize, VectorError> {
        self.pool()?;
        let (rules, size, cells) = (&self.rules, self.size, self.shape.spec.len());
        let task = |(tables, (inputs, mut frame)): (&mut [Environment<G>], (&[I], Frame<'_>))| {
            let mut scratch = Scratch { actions: ActionList::new(), cells: vec![0; cells] };
            for (row, (table, input)) in tables.iter_mut().zip(inputs).enumerate() {
                if rules.stop.is_stopped() {
                    return;
                }
                work(rules, table, input, row, &mut frame, &mut scratch);
            }
        };
        match self.pool.get() {
            None => task((&mut self.tables, (inputs, frame))),
            Some(pool) => {
                let frames = frame.chunks(&self.shape, size);
                let tables = self.tables.par_chunks_mut(size);
                let inputs = inputs.par_chunks(size).zip(frames.into_par_iter());
                pool.install(|| tables.zip(inputs).for_each(task));
            }
        }
        if self.rules.stop.is_stopped() {
            self.recover();
            return Err(VectorError::Stopped);
        }
        Ok(self.find_waiting())
    }

    /// Finds the tables that wait for external opponents and returns their number.
    fn find_waiting(&mut self) -> usize {
        self.waiting.clear();
        if self.rules.others.contains(&Seat::Outside) {
            let waits = |table: &Environment<G>| matches!(table.stage, Stage::Waits(_));
            let waiting = (0..).zip(&self.tables).filter(|(_, table)| waits(table));
            self.waiting.extend(waiting.map(|(at, _): (usize, _)| at));
        }
        self.waiting.len()
    }

    /// Checks that `actions` may be played; the error names the first table where one may not.
    fn check_all(&mut self, actions: &[i64]) -> Result<(), VectorError> {
        self.pool()?;
        let may_lose = self.rules.illegal == Illegal::Lose;
        let is_manual = self.rules.autoreset == Autoreset::Disabled;
        let size = self.size;
        let task = |(task, (tables, actions)): (usize, (&mut [Environment<G>], &[i64]))| {
            for ((at, table), &action) in (task * size..).zip(tables).zip(actions) {
                if is_manual && table.is_done {
                    return Err(VectorError::Ended { table: at });
                }
                check(table, at, action, may_lose)?;
            }
            Ok(())
        };
        match self.pool.get() {
            None => task((0, (&mut self.tables, actions))),
            Some(pool) => {
                let tasks = self.tables.par_chunks_mut(size).zip(actions.par_chunks(size));
                let tasks = tasks.enumerate().map(task);
                pool.install(|| tasks.find_first(Result::is_err)).unwrap_or(Ok(()))
            }
        }
    }

    /// Prepares tables that were interrupted for a reset.
    fn recover(&mut self) {
        self.has_begun = false;
        self.waiting.clear();
        self.rules.stop = StopFlag::default();
        self.tables.iter_mut().for_each(|table| table.set_stop(&self.rules.stop));
    }

    fn has_begun(&self) -> Result<(), VectorError> {
        if self.has_begun { Ok(()) } else { Err(VectorError::NotReset) }
    }
}

/// Checks that `action` may be played at table `at`, in a step or as an answer.
fn check<G: Game>(
    table: &Environment<G>,
    at: usize,
    action: i64,
    may_lose: bool,
) -> Result<(), VectorError> {
    let actions = table.game().actions();
    if !(0..actions as i64).contains(&action) {
        return Err(VectorError::OutOfRange { table: at, action, actions });
    }
    let is_asked = table.stage != Stage::Over;
    if is_asked && !may_lose && !table.legal.contains(&Action(action as u16)) {
        return Err(VectorError::Illegal { table: at, action, choices: table.legal.clone() });
    }
    Ok(())
}

/// Returns the players of the other seats, and the bots among them.
fn seats(options: &VectorOptions, players: usize) -> (Vec<Seat>, Vec<BotSpec>) {
    let mut specs = Vec::new();
    if options.learner == Learner::All {
        return (Vec::new(), specs);
    }
    let mut seat = |opponent: &Opponent| match opponent {
        Opponent::Outside => Seat::Outside,
        Opponent::Bot(BotSpec::Random) => Seat::Random,
        Opponent::Bot(spec) => {
            specs.push(spec.clone());
            Seat::Bot(specs.len() - 1)
        }
    };
    let others = options.opponents.iter().cycle().take(players - 1).map(&mut seat).collect();
    (others, specs)
}

impl<G: Game> VectorEnv for Tables<G> {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn reset(
        &mut self,
        seeds: &[u64],
        which: Option<&[bool]>,
        frame: Frame<'_>,
    ) -> Result<usize, VectorError> {
        let count = self.tables.len();
        if !seeds.is_empty() {
            expect_length("seeds", count, seeds.len())?;
        }
        if let Some(which) = which {
            expect_length("reset_mask", count, which.len())?;
            self.has_begun()?;
        }
        frame.check(&self.shape, self.rules.autoreset)?;
        for (at, table) in self.tables.iter_mut().enumerate() {
            if let Some(&seed) = seeds.get(at)
                && which.is_none_or(|which| which[at])
            {
                table.reseed(seed);
            }
        }
        frame.rewards.fill(0.0);
        frame.terminated.fill(false);
        frame.truncated.fill(false);
        self.has_begun = true;
        let all = vec![true; if which.is_none() { count } else { 0 }];
        self.each(which.unwrap_or(&all), frame, |rules, table, &wanted, row, frame, scratch| {
            if wanted {
                table.begin(rules, scratch);
            }
            table.tell(rules, row, frame, scratch);
        })
    }

    fn step(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError> {
        self.has_begun()?;
        if !self.waiting.is_empty() {
            return Err(VectorError::Waiting(self.waiting.len()));
        }
        expect_length("actions", self.tables.len(), actions.len())?;
        frame.check(&self.shape, self.rules.autoreset)?;
        self.check_all(actions)?;
        self.each(actions, frame, |rules, table, &action, row, frame, scratch| {
            let width = if rules.learner == Learner::All { rules.players } else { 1 };
            frame.rewards[row * width..(row + 1) * width].fill(0.0);
            (frame.terminated[row], frame.truncated[row]) = (false, false);
            table.play(rules, Action(action as u16), scratch);
            table.tell(rules, row, frame, scratch);
        })
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn questions(&mut self, questions: Questions<'_>) -> Result<(), VectorError> {
        questions.check(&self.shape, self.waiting.len())?;
        let Questions { mut observations, masks, seats, tables } = questions;
        let (spec, width) = (self.shape.spec, self.shape.actions);
        let mut cells = vec![0; spec.len()];
        for (row, &at) in self.waiting.iter().enumerate() {
            let table = &self.tables[at];
            let Stage::Waits(seat) = table.stage else { continue };
            let observe = |out: &mut [i32]| table.game().observe(seat, out);
            observations.write(row, spec, &mut cells, observe);
            mark(&mut masks[row * width..(row + 1) * width], &table.legal);
            (seats[row], tables[row]) = (seat.0 as i8, at as i64);
        }
        Ok(())
    }

    fn answer(&mut self, actions: &[i64], frame: Frame<'_>) -> Result<usize, VectorError> {
        expect_length("actions", self.waiting.len(), actions.len())?;
        frame.check(&self.shape, self.rules.autoreset)?;
        for (&at, &action) in self.waiting.iter().zip(actions) {
            check(&self.tables[at], at, action, false)?;
        }
        let mut answers = vec![None; self.tables.len()];
        for (&at, &action) in self.waiting.iter().zip(actions) {
            answers[at] = Some(Action(action as u16));
        }
        self.each(&answers, frame, |rules, table, &answer, row, frame, scratch| {
            if let Some(action) = answer {
                table.answer(rules, action, scratch);
                table.tell(rules, row, frame, scratch);
            }
        })
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), VectorError> {
        self.has_begun()?;
        expect_length("actions", self.tables.len(), actions.len())?;
        self.pool()?;
        let task = |(tables, actions): (&mut [Environment<G>], &mut [i64])| {
            let pairs = tables.iter_mut().zip(actions);
            pairs.for_each(|(table, action)| *action = table.sample());
        };
        let (size, tables) = (self.size, &mut self.tables);
        match self.pool.get() {
            None => task((tables, actions)),
            Some(pool) => {
                let actions = actions.par_chunks_mut(size);
                pool.install(|| tables.par_chunks_mut(size).zip(actions).for_each(task));
            }
        }
        Ok(())
    }

    fn snapshot(&self) -> Result<Vec<SavedTable>, VectorError> {
        if !self.has_begun {
            return Ok(Vec::new());
        }
        if let Some(bot) = &self.unrepeatable {
            return Err(VectorError::Unrepeatable(bot.clone()));
        }
        Ok(self.tables.iter().map(Environment::save).collect())
    }

    fn restore(&mut self, saved: &[SavedTable]) -> Result<(), VectorError> {
        if saved.is_empty() {
            return Ok(());
        }
        expect_length("saved tables", self.tables.len(), saved.len())?;
        self.has_begun = false;
        let cells = vec![0; self.shape.spec.len()];
        let mut scratch = Scratch { actions: ActionList::new(), cells };
        for (at, (table, saved)) in self.tables.iter_mut().zip(saved).enumerate() {
            table.restore(&self.rules, saved, at, &mut scratch)?;
        }
        self.has_begun = true;
        self.find_waiting();
        Ok(())
    }

    fn stop_flag(&self) -> StopFlag {
        self.rules.stop.clone()
    }

    fn text(&self, table: usize) -> Result<String, VectorError> {
        let table = self.table(table)?;
        Ok(table.game().text(table.viewer))
    }

    fn picture(&self, table: usize) -> Result<Option<Picture>, VectorError> {
        let table = self.table(table)?;
        let draw = G::COMPANIONS.picture;
        Ok(draw.and_then(|draw| draw(table.game(), Some(table.viewer))))
    }
}
