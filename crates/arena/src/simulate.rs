//! Simulation of many games in parallel, with results independent of the number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use meeple_bots::{
    Block, BlockObserver, BotSpec, Entrant, Error, IdlePrograms, Played, Position, SeatView,
};
use meeple_game::{Action, Rng};
use meeple_search::{SearchReport, StopFlag};

use crate::Tally;
use crate::play::in_order;
use crate::tally::Ending;

/// The games of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// The number of games.
    pub games: u64,
    /// Random seed.
    pub seed: u64,
    /// The number of threads; 0 means one for each core.
    pub threads: usize,
    /// One bot for each seat, or one for all seats.
    pub bots: Vec<BotSpec>,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { games: 1, seed: 0, threads: 0, bots: vec![BotSpec::Random] }
    }
}

impl Simulation {
    /// Returns the bot of each seat.
    pub(crate) fn seat_bots(&self, seats: usize) -> Result<Vec<BotSpec>, Error> {
        match &self.bots[..] {
            [bot] => Ok(vec![bot.clone(); seats]),
            bots if bots.len() == seats => Ok(bots.to_vec()),
            bots => Err(Error::WrongBots { bots: bots.len(), seats }),
        }
    }
}

/// The progress of a simulation, and the flag that stops it.
#[derive(Debug, Default)]
pub struct RunProgress {
    done: AtomicU64,
    resumed: AtomicU64,
    total: AtomicU64,
    stop: StopFlag,
    stop_after: Option<u64>,
}

impl RunProgress {
    /// Progress that [stops](Self::stop) as soon as `games` games are finished, resumed ones
    /// included. Games that other threads play at that moment are abandoned or still counted.
    #[must_use]
    pub fn stopping_after(games: u64) -> Self {
        Self { stop_after: Some(games), ..Self::default() }
    }

    /// The number of finished games; in an [assessment](crate::assess), weighted by their
    /// simulations per decision.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The number of finished games that were resumed from an earlier run.
    #[must_use]
    pub fn resumed(&self) -> u64 {
        self.resumed.load(Ordering::Relaxed)
    }

    /// The total number of games, weighted alike, as far as it is known.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    pub(crate) fn add_total(&self, games: u64) {
        self.total.fetch_add(games, Ordering::Relaxed);
    }

    pub(crate) fn add_done(&self, games: u64) {
        let done = self.done.fetch_add(games, Ordering::Relaxed) + games;
        if self.stop_after.is_some_and(|limit| done >= limit) {
            self.stop();
        }
    }

    /// Counts games resumed from an earlier run.
    pub(crate) fn add_resumed(&self, games: u64) {
        self.resumed.fetch_add(games, Ordering::Relaxed);
        self.add_done(games);
    }

    /// Stops the simulation soon. Finished games are kept.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Whether the simulation was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The flag that [`stop`](Self::stop) sets and bots check.
    pub(crate) fn switch(&self) -> &StopFlag {
        &self.stop
    }
}

/// The number of games of a unit of work. Random games take about a microsecond, so large units
/// make the overhead of synchronization negligible; games of other bots are units of their own.
const RANDOM_UNIT: u64 = 1024;
const BOT_UNIT: u64 = 1;

/// Plays the games of `simulation` and tallies the results.
///
/// Each game has its own random stream, and games are added up in order, so the results do not
/// depend on the number of threads.
///
/// # Errors
///
/// When the bots do not match the game or its seats, or threads cannot start.
pub fn simulate(
    table: &dyn Position,
    simulation: &Simulation,
    progress: &RunProgress,
) -> Result<Tally, Error> {
    let specs = simulation.seat_bots(table.players())?;
    for spec in &specs {
        table.bot(spec)?;
    }
    progress.add_total(simulation.games);
    let is_random = specs.iter().all(|spec| *spec == BotSpec::Random);
    let size = if is_random { RANDOM_UNIT } else { BOT_UNIT };
    let root = Rng::new(simulation.seed);
    let seatings: [Vec<usize>; 1] = [(0..specs.len()).collect()];
    let entrant = |seat: usize| Entrant { bot: &specs[seat], network: None };
    let work = |idle: &mut IdlePrograms, unit: u64, left: &AtomicBool| -> Result<_, Error> {
        let mut counting = Counting { left, progress, tally: Tally::default() };
        if counting.is_stopped() {
            return Ok(None);
        }
        if is_random {
            let games = unit * size..((unit + 1) * size).min(simulation.games);
            let (seats, is_stopped) = (&seatings[0], || progress.is_stopped());
            table.play_random(&root, games, &is_stopped, &mut |played| {
                counting.finished(seats, played);
            });
            progress.add_done(counting.tally.games);
            return Ok(Some(counting.tally));
        }
        let seed = root.split(unit);
        let block = Block { entrant: &entrant, seatings: &seatings, openings: 0, seed };
        let is_over = table.play_block(&block, idle, &mut counting)?;
        progress.add_done(counting.tally.games);
        Ok(is_over.then_some(counting.tally))
    };
    let mut total = Tally::default();
    let take = |_, tally: Tally| {
        total.merge(&tally);
        Ok(ControlFlow::Continue(()))
    };
    let units = 0..simulation.games.div_ceil(size);
    in_order(simulation.threads, units, IdlePrograms::default, work, take)?;
    Ok(total)
}

/// Plays the game with the number `index` of `simulation`. Returns its actions and chance
/// outcomes, up to the failure of a bot, if there is one.
///
/// At least one bot must not be `random`: games with random play at every seat use a single
/// random stream.
///
/// # Errors
///
/// When the bots do not match the game or its seats.
pub fn record(
    table: &dyn Position,
    simulation: &Simulation,
    index: u64,
) -> Result<Vec<Action>, Error> {
    let specs = simulation.seat_bots(table.players())?;
    let entrant = |seat: usize| Entrant { bot: &specs[seat], network: None };
    let seed = Rng::new(simulation.seed).split(index);
    let seatings: [Vec<usize>; 1] = [(0..specs.len()).collect()];
    let block = Block { entrant: &entrant, seatings: &seatings, openings: 0, seed };
    let mut recorder = Recorder::default();
    table.play_block(&block, &mut IdlePrograms::default(), &mut recorder)?;
    Ok(recorder.0)
}

/// Records all actions and chance outcomes.
#[derive(Default)]
struct Recorder(Vec<Action>);

impl BlockObserver for Recorder {
    fn finished(&mut self, _seating: &[usize], _played: Played) {}

    fn decided(
        &mut self,
        _view: &dyn SeatView,
        action: Action,
        _report: Option<&SearchReport>,
        _time: Duration,
    ) {
        self.0.push(action);
    }

    fn chanced(&mut self, action: Action) {
        self.0.push(action);
    }
}

/// Tallies games, and aborts them once their results are no longer needed.
struct Counting<'a> {
    left: &'a AtomicBool,
    progress: &'a RunProgress,
    tally: Tally,
}

impl BlockObserver for Counting<'_> {
    fn finished(&mut self, seating: &[usize], played: Played) {
        let payoffs = &played.payoffs[..seating.len()];
        self.tally.add(payoffs, played.steps, Ending::of_game(&played));
        self.tally.first_forfeit = self.tally.first_forfeit.take().or(played.forfeit);
    }

    fn is_stopped(&self) -> bool {
        self.left.load(Ordering::Relaxed) || self.progress.is_stopped()
    }

    fn switch(&self) -> Option<&StopFlag> {
        Some(self.progress.switch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::open;
    use meeple_game::Turn;

    fn run(game: &str, simulation: &Simulation) -> Tally {
        simulate(&*open(game, None).unwrap(), simulation, &RunProgress::default()).unwrap()
    }

    fn bots(names: &str) -> Vec<BotSpec> {
        names.split('/').map(|name| name.parse().unwrap()).collect()
    }

    /// The recorded game is the one that the simulation plays.
    #[test]
    fn a_recorded_game_is_that_of_the_simulation() {
        let table = open("pig", Some(r#"{"players": 3}"#)).unwrap();
        let bots = bots("flat:playouts=3");
        let simulation = Simulation { games: 1, seed: 9, bots, threads: 1 };
        let tally = simulate(&*table, &simulation, &RunProgress::default()).unwrap();
        let actions = record(&*table, &simulation, 0).unwrap();
        assert_eq!(actions.len() as u64, tally.decisions + tally.chances);
        let mut position = table.first();
        actions.iter().for_each(|&action| position.try_apply(action).unwrap());
        assert_eq!(position.turn(), Turn::Over);
        for seat in 0..3 {
            assert_eq!(position.payoffs()[seat] > 0.0, tally.seats[seat].wins == 1);
        }
    }

    #[test]
    fn threads_do_not_change_the_counts() {
        let random = Simulation { games: 10_000, seed: 5, threads: 1, ..Simulation::default() };
        let flat = Simulation { games: 30, bots: bots("flat:playouts=3"), ..random.clone() };
        let search =
            Simulation { games: 10, bots: bots("mcts-parallel:sims=40"), ..random.clone() };
        for simulation in [random, flat, search] {
            let threaded = Simulation { threads: 3, ..simulation.clone() };
            assert_eq!(run("pig", &simulation), run("pig", &threaded));
            assert_eq!(run("kuhn", &simulation), run("kuhn", &threaded));
        }
    }

    #[test]
    fn seeds_change_the_games() {
        let one = Simulation { games: 1000, seed: 1, ..Simulation::default() };
        let other = Simulation { seed: 2, ..one.clone() };
        assert_ne!(run("connect-four", &one), run("connect-four", &other));
    }

    /// In random tic-tac-toe the first player wins 58.5 % of games and the second 28.8 %.
    #[test]
    fn random_tic_tac_toe_goes_as_published() {
        let tally = run("tic-tac-toe", &Simulation { games: 50_000, ..Simulation::default() });
        let share = |count: u64| count as f64 / 50_000.0;
        assert_eq!(tally.games, 50_000);
        assert!((share(tally.seats[0].wins) - 0.585).abs() < 0.01, "{tally:?}");
        assert!((share(tally.seats[1].wins) - 0.288).abs() < 0.01, "{tally:?}");
        assert!((share(tally.seats[0].ties) - 0.127).abs() < 0.01, "{tally:?}");
    }

    #[test]
    fn better_bots_win_more() {
        let result = |names: &str| {
            run(
                "connect-four",
                &Simulation { games: 60, bots: bots(names), ..Simulation::default() },
            )
        };
        assert!(result("random/greedy").seats[1].wins >= 50);
        let wins = result("greedy/flat:playouts=100").seats[1].wins;
        assert!(wins >= 40, "{wins}");
        for search in
            ["mcts", "mcts-ismcts", "mcts-ordered", "mcts-transposition", "mcts-parallel", "puct"]
        {
            let wins = result(&format!("greedy/{search}:sims=300")).seats[1].wins;
            assert!(wins >= 40, "{search} won {wins} of 60");
        }
    }

    #[test]
    fn bots_must_fill_the_seats() {
        let simulation = Simulation { bots: bots("random/random/random"), ..Simulation::default() };
        let refused =
            simulate(&*open("tic-tac-toe", None).unwrap(), &simulation, &RunProgress::default());
        assert_eq!(refused, Err(Error::WrongBots { bots: 3, seats: 2 }));
    }

    /// A search in progress is interrupted, and its game does not count.
    #[test]
    fn a_stopped_simulation_interrupts_its_bots() {
        for bots in [bots("mcts:sims=100000000,full_budget=yes"), bots("flat:playouts=1000000")] {
            let progress = RunProgress::default();
            let simulation = Simulation { games: 4, threads: 2, bots, ..Simulation::default() };
            let tally = std::thread::scope(|scope| {
                let run =
                    || simulate(&*open("connect-four", None).unwrap(), &simulation, &progress);
                let running = scope.spawn(run);
                std::thread::sleep(std::time::Duration::from_millis(20));
                progress.stop();
                running.join().expect("it does not panic").expect("the bots play it")
            });
            assert_eq!(tally.games, 0, "a hundred million simulations take minutes");
        }
    }

    #[test]
    fn a_stopped_simulation_counts_what_was_played() {
        let progress = RunProgress::default();
        progress.stop();
        let simulation = Simulation { games: 1 << 40, ..Simulation::default() };
        let tally = simulate(&*open("tic-tac-toe", None).unwrap(), &simulation, &progress).unwrap();
        assert_eq!(tally.games, 0);
    }
}
