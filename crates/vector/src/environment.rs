//! One environment: the game of a table, its seats, and the results that are not yet reported.

use std::sync::{Mutex, PoisonError};

use meeple_bots::{Position, SeatBot};
use meeple_game::{Action, ActionList, ChanceStream, Driver, Event, Game, Player, Rng};
use meeple_search::StopFlag;

use crate::{Autoreset, Frame, Illegal, Learner};

/// The maximum number of consecutive games that end before the learner's first decision.
const EMPTY_GAMES: u32 = 100;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    /// The caller.
    Learner,
    /// Uniformly random legal actions.
    Random,
    /// The bot with this index.
    Bot(usize),
    /// An external opponent, which the caller asks.
    Outside,
}

/// The settings that all tables share.
pub(crate) struct Rules<G> {
    pub(crate) first: G,
    pub(crate) players: usize,
    pub(crate) learner: Learner,
    /// The other seats, in the order in which they follow the learner.
    pub(crate) others: Vec<Seat>,
    pub(crate) autoreset: Autoreset,
    pub(crate) illegal: Illegal,
    pub(crate) max_steps: Option<u32>,
    /// Interrupts opponents that search.
    pub(crate) stop: StopFlag,
}

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The caller's action for this seat.
    Decides(Player),
    /// The external opponent's action for this seat.
    Waits(Player),
    /// A reset: the game is over.
    Over,
}

/// The bots at a table, and the position through which they see its state.
pub(crate) struct Bots {
    pub(crate) bots: Vec<Box<dyn SeatBot>>,
    pub(crate) shown: Box<dyn Position>,
}

/// One table.
pub(crate) struct Environment<G> {
    driver: Driver<G>,
    pub(crate) stage: Stage,
    /// The legal actions of the seat that a decision is expected from.
    pub(crate) legal: Vec<Action>,
    /// Whether the end of the game has been reported.
    pub(crate) is_done: bool,
    /// Whether an action was played whose result has not been reported.
    owes: bool,
    /// The observing seat: the learner, or the last seat to move when the caller plays all
    /// seats.
    pub(crate) viewer: Player,
    steps: u32,
    number: u64,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    /// The actions of the caller and of external opponents in this game.
    pub(crate) inputs: Vec<u16>,
    /// The number of actions drawn from `dice` in this game.
    pub(crate) samples: u32,
    chance_rng: Rng,
    bot_rng: Rng,
    pub(crate) dice: Rng,
    /// Never locked: only the thread that owns the table uses the bots. The mutex makes the
    /// table `Sync`.
    bots: Option<Mutex<Bots>>,
}

/// Buffers that every table of a task reuses.
pub(crate) struct Scratch {
    pub(crate) actions: ActionList,
    pub(crate) cells: Vec<i32>,
}

impl<G: Game> Environment<G> {
    pub(crate) fn new(number: u64, rules: &Rules<G>, bots: Option<Bots>) -> Self {
        Self {
            driver: Driver::new(rules.first),
            stage: Stage::Over,
            legal: Vec::new(),
            is_done: true,
            owes: false,
            viewer: Player(0),
            steps: 0,
            number,
            seed: 0,
            games: 0,
            inputs: Vec::new(),
            samples: 0,
            chance_rng: Rng::new(0),
            bot_rng: Rng::new(0),
            dice: Rng::new(0),
            bots: bots.map(Mutex::new),
        }
    }

    /// Returns the state of the game.
    #[inline]
    pub(crate) fn game(&self) -> &G {
        self.driver.state()
    }

    /// Restarts from another seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.games = 0;
    }

    /// Begins the next game of the seed and advances to a decision. Games that end without a
    /// decision of the learner are skipped.
    pub(crate) fn begin(&mut self, rules: &Rules<G>, scratch: &mut Scratch) {
        for _ in 0..EMPTY_GAMES {
            self.deal(rules);
            self.settle(rules, scratch);
            if self.stage != Stage::Over || rules.stop.is_stopped() {
                break;
            }
        }
    }

    pub(crate) fn deal(&mut self, rules: &Rules<G>) {
        // A separate stream for each game and purpose: the number of draws of one does not
        // affect the others.
        let seed = Rng::new(self.seed).split(self.games);
        (self.chance_rng, self.bot_rng, self.dice) = (seed.split(0), seed.split(1), seed.split(2));
        self.driver = Driver::new(rules.first);
        self.viewer = match rules.learner {
            Learner::All => Player(0),
            Learner::Seat(seat) => Player(seat as u8),
            Learner::Rotating => {
                Player((self.number.wrapping_add(self.games) % rules.players as u64) as u8)
            }
        };
        self.games += 1;
        self.inputs.clear();
        self.samples = 0;
        self.steps = 0;
        self.is_done = false;
        self.owes = false;
        if let Some(bots) = self.bots() {
            for bot in &mut bots.bots {
                bot.begin().expect("bots of ours do not fail");
            }
        }
    }

    fn seat(&self, rules: &Rules<G>, seat: Player) -> Seat {
        if rules.learner == Learner::All || seat == self.viewer {
            return Seat::Learner;
        }
        let behind = (seat.index() + rules.players - self.viewer.index()) % rules.players;
        rules.others[behind - 1]
    }

    /// Advances through chance events and opponents until a decision from outside is needed or
    /// the game is over.
    #[inline]
    pub(crate) fn settle(&mut self, rules: &Rules<G>, scratch: &mut Scratch) {
        self.stage = loop {
            match self.driver.next(ChanceStream::Sequential(&mut self.chance_rng)) {
                Event::Over => break Stage::Over,
                Event::Chance(_) => {}
                Event::Decision(seat) => match self.seat(rules, seat) {
                    Seat::Learner => break Stage::Decides(seat),
                    Seat::Outside => break Stage::Waits(seat),
                    Seat::Random => {
                        self.driver.play_sampled(&mut self.bot_rng, &mut scratch.actions);
                    }
                    // The state no longer matters: the caller has to reset.
                    Seat::Bot(_) if rules.stop.is_stopped() => break Stage::Over,
                    Seat::Bot(bot) => self.ask(bot, seat),
                },
            }
        };
        self.legal.clear();
        if let Stage::Decides(_) | Stage::Waits(_) = self.stage {
            self.game().legal_actions(&mut scratch.actions);
            self.legal.extend_from_slice(&scratch.actions);
        }
        if let (Learner::All, Stage::Decides(seat)) = (rules.learner, self.stage) {
            self.viewer = seat;
        }
    }

    fn ask(&mut self, bot: usize, seat: Player) {
        let (game, mut bot_rng) = (*self.driver.state(), self.bot_rng.clone());
        let bots = self.bots().expect("a table with bots");
        bots.shown.set_state(&game);
        let action = bots.bots[bot].choose(&*bots.shown, seat, &mut bot_rng);
        self.driver.play(action.expect("bots of ours do not fail"));
        self.bot_rng = bot_rng;
    }

    /// Sets the flag that interrupts the bots.
    pub(crate) fn set_stop(&mut self, stop: &StopFlag) {
        if let Some(bots) = self.bots() {
            bots.bots.iter_mut().for_each(|bot| bot.set_stop(stop));
        }
    }

    fn bots(&mut self) -> Option<&mut Bots> {
        let bots = self.bots.as_mut()?;
        Some(bots.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays the caller's action, or begins a new game where one has ended; `action` has been
    /// checked.
    #[inline]
    pub(crate) fn play(&mut self, rules: &Rules<G>, action: Action, scratch: &mut Scratch) {
        if self.is_done {
            self.begin(rules, scratch);
            return;
        }
        self.owes = true;
        let Stage::Decides(seat) = self.stage else { return };
        self.inputs.push(action.0);
        if rules.illegal == Illegal::Lose && !self.legal.contains(&action) {
            self.driver.forfeit(seat);
            self.stage = Stage::Over;
            self.legal.clear();
            return;
        }
        self.driver.play(action);
        self.steps += 1;
        self.settle(rules, scratch);
    }

    /// Plays the action of an external opponent.
    pub(crate) fn answer(&mut self, rules: &Rules<G>, action: Action, scratch: &mut Scratch) {
        self.inputs.push(action.0);
        self.driver.play(action);
        self.settle(rules, scratch);
        if self.stage == Stage::Over && self.steps == 0 && !self.owes {
            self.begin(rules, scratch);
        }
    }

    /// Marks everything as reported, as it was when the table was saved.
    pub(crate) fn settle_told(&mut self) {
        self.owes = false;
        if self.is_done {
            self.stage = Stage::Over;
            self.legal.clear();
        }
    }

    /// Writes the unreported results, unless the table waits for an external opponent.
    #[inline]
    pub(crate) fn tell(
        &mut self,
        rules: &Rules<G>,
        row: usize,
        frame: &mut Frame<'_>,
        scratch: &mut Scratch,
    ) {
        if let Stage::Waits(_) = self.stage {
            return;
        }
        if std::mem::take(&mut self.owes) {
            let is_over = self.stage == Stage::Over;
            let is_cut = !is_over && rules.max_steps.is_some_and(|most| self.steps >= most);
            (frame.terminated[row], frame.truncated[row]) = (is_over, is_cut);
            if is_over {
                self.reward(rules, row, frame);
            }
            if is_over || is_cut {
                self.is_done = true;
                if is_cut {
                    self.stage = Stage::Over;
                    self.legal.clear();
                }
                if rules.autoreset == Autoreset::SameStep {
                    if let Some(finals) = &mut frame.finals {
                        let observe = |out: &mut [i32]| self.game().observe(self.viewer, out);
                        let spec = self.game().observation();
                        finals.write(row, spec, &mut scratch.cells, observe);
                    }
                    self.begin(rules, scratch);
                    if let Stage::Waits(_) = self.stage {
                        return;
                    }
                }
            }
        }
        self.show(row, frame, scratch);
    }

    fn reward(&self, rules: &Rules<G>, row: usize, frame: &mut Frame<'_>) {
        let payoffs = self.driver.payoffs();
        if rules.learner == Learner::All {
            let width = rules.players;
            frame.rewards[row * width..(row + 1) * width].copy_from_slice(&payoffs[..width]);
        } else {
            frame.rewards[row] = payoffs[self.viewer.index()];
        }
    }

    #[inline]
    fn show(&mut self, row: usize, frame: &mut Frame<'_>, scratch: &mut Scratch) {
        let observe = |out: &mut [i32]| self.game().observe(self.viewer, out);
        let (spec, width) = (self.game().observation(), self.game().actions());
        frame.observations.write(row, spec, &mut scratch.cells, observe);
        let mask = &mut frame.masks[row * width..(row + 1) * width];
        mark(mask, &self.legal);
        frame.seats[row] = match self.stage {
            Stage::Decides(seat) => seat.0 as i8,
            Stage::Waits(_) | Stage::Over => -1,
        };
    }

    /// Draws a legal action; 0 where none is expected.
    #[inline]
    pub(crate) fn sample(&mut self) -> i64 {
        match (&self.stage, self.legal.len()) {
            (Stage::Decides(_), count) => {
                self.samples += 1;
                i64::from(self.legal[self.dice.below(count)].0)
            }
            _ => 0,
        }
    }
}

/// Sets the mask to exactly the legal actions.
#[inline]
pub(crate) fn mark(mask: &mut [bool], legal: &[Action]) {
    mask.fill(false);
    for action in legal {
        mask[action.index()] = true;
    }
}
