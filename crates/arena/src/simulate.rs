//! Many games at once, the same whatever the number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use meeple_game::{ActionList, Game, Rng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::{Bot, BotSpec, Error, Tally, play_game};

/// Which games to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// How many.
    pub games: u64,
    /// Where all luck comes from.
    pub seed: u64,
    /// The threads to use; 0 means one for each core.
    pub threads: usize,
    /// One bot for each seat, or one for all.
    pub bots: Vec<BotSpec>,
}

impl Default for Simulation {
    fn default() -> Self {
        Self { games: 1, seed: 0, threads: 0, bots: vec![BotSpec::Random] }
    }
}

impl Simulation {
    /// The bot at each of so many seats.
    pub(crate) fn seat_bots(&self, seats: usize) -> Result<Vec<BotSpec>, Error> {
        match &self.bots[..] {
            [bot] => Ok(vec![bot.clone(); seats]),
            bots if bots.len() == seats => Ok(bots.to_vec()),
            bots => Err(Error::WrongBots { bots: bots.len(), seats }),
        }
    }
}

/// How far a simulation has come, and the way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Games played so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Games there are to play, as far as that is known.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    pub(crate) fn add_total(&self, games: u64) {
        self.total.fetch_add(games, Ordering::Relaxed);
    }

    pub(crate) fn add_done(&self, games: u64) {
        self.done.fetch_add(games, Ordering::Relaxed);
    }

    /// Ends the simulation soon; what was played still counts.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the simulation was asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Games that one task plays: many where a game takes a microsecond, so that
/// starting tasks costs nothing; one where bots think.
const RANDOM_BLOCK: u64 = 1024;
const BOT_BLOCK: u64 = 1;
/// Blocks that are played before their results are added up.
const WAVE: u64 = 4096;

/// Plays the games of `simulation` and counts what happened.
///
/// Each game draws from a stream of its own and blocks are added up in order,
/// so the counts do not depend on the number of threads.
///
/// # Errors
///
/// When the bots do not fit the game or the seats, or threads cannot start.
pub fn simulate<G: Game>(
    config: &G::Config,
    simulation: &Simulation,
    progress: &Progress,
) -> Result<Tally, Error> {
    let specs = simulation.seat_bots(G::new(config).players())?;
    for spec in &specs {
        spec.build::<G>(config)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(simulation.threads).build().map_err(
        |error| Error::Threads { threads: simulation.threads, reason: error.to_string() },
    )?;
    progress.add_total(simulation.games);
    let work =
        Work::<G> { config, specs: &specs, simulation, progress, root: Rng::new(simulation.seed) };
    pool.install(|| work.run())
}

struct Work<'a, G: Game> {
    config: &'a G::Config,
    specs: &'a [BotSpec],
    simulation: &'a Simulation,
    progress: &'a Progress,
    root: Rng,
}

impl<G: Game> Work<'_, G> {
    fn run(&self) -> Result<Tally, Error> {
        let random = self.specs.iter().all(|spec| *spec == BotSpec::Random);
        let size = if random { RANDOM_BLOCK } else { BOT_BLOCK };
        let blocks = self.simulation.games.div_ceil(size);
        let mut total = Tally::default();
        for first in (0..blocks).step_by(WAVE as usize) {
            if self.progress.is_stopped() {
                break;
            }
            let play = |block: u64| {
                if self.progress.is_stopped() {
                    return Ok(Tally::default());
                }
                let games = block * size..((block + 1) * size).min(self.simulation.games);
                let tally = if random { self.play_random(games) } else { self.play_bots(games)? };
                self.progress.add_done(tally.games);
                Ok(tally)
            };
            let wave = (first..(first + WAVE).min(blocks)).into_par_iter().map(play);
            let wave = wave.collect::<Result<Vec<Tally>, Error>>()?;
            wave.iter().for_each(|tally| total.merge(tally));
        }
        Ok(total)
    }

    /// Random games need no views and no bots, only the generator.
    fn play_random(&self, games: std::ops::Range<u64>) -> Tally {
        let mut tally = Tally::default();
        let mut scratch = ActionList::new();
        let start = G::new(self.config);
        for index in games {
            let mut game = start;
            let steps = game.play_out(&mut self.root.split(index), &mut scratch);
            tally.add(game.players(), &game.payoffs(), steps);
        }
        tally
    }

    fn play_bots(&self, games: std::ops::Range<u64>) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for index in games {
            let mut bots: Vec<Box<dyn Bot<G>>> = (self.specs.iter())
                .map(|spec| spec.build(self.config))
                .collect::<Result<_, _>>()?;
            let mut game = G::new(self.config);
            let played = play_game(&mut game, &mut bots, &self.root.split(index), &mut ());
            let played = played.expect("nobody leaves a game that nobody watches");
            tally.add(game.players(), &played.payoffs, played.steps);
            tally.forfeits += u64::from(played.forfeit.is_some());
        }
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_games::small::{ConnectFour, Kuhn, Pig, TicTacToe};

    fn run<G: Game>(simulation: &Simulation) -> Tally {
        simulate::<G>(&G::Config::default(), simulation, &Progress::default()).unwrap()
    }

    fn bots(names: &str) -> Vec<BotSpec> {
        names.split('/').map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn threads_do_not_change_the_counts() {
        let random = Simulation { games: 10_000, seed: 5, threads: 1, ..Simulation::default() };
        let flat = Simulation { games: 30, bots: bots("flat:playouts=3"), ..random.clone() };
        let search =
            Simulation { games: 10, bots: bots("mcts-parallel:sims=40"), ..random.clone() };
        for simulation in [random, flat, search] {
            let threaded = Simulation { threads: 3, ..simulation.clone() };
            assert_eq!(run::<Pig>(&simulation), run::<Pig>(&threaded));
            assert_eq!(run::<Kuhn>(&simulation), run::<Kuhn>(&threaded));
        }
    }

    #[test]
    fn seeds_change_the_games() {
        let one = Simulation { games: 1000, seed: 1, ..Simulation::default() };
        let other = Simulation { seed: 2, ..one.clone() };
        assert_ne!(run::<ConnectFour>(&one), run::<ConnectFour>(&other));
    }

    /// Random tic-tac-toe is won by the first player in 58.5 % of games, by the
    /// second in 28.8 %.
    #[test]
    fn random_tic_tac_toe_goes_as_published() {
        let tally = run::<TicTacToe>(&Simulation { games: 50_000, ..Simulation::default() });
        let share = |count: u64| count as f64 / 50_000.0;
        assert_eq!(tally.games, 50_000);
        assert!((share(tally.seats[0].wins) - 0.585).abs() < 0.01, "{tally:?}");
        assert!((share(tally.seats[1].wins) - 0.288).abs() < 0.01, "{tally:?}");
        assert!((share(tally.seats[0].ties) - 0.127).abs() < 0.01, "{tally:?}");
    }

    #[test]
    fn better_bots_win_more() {
        let contest = |names: &str| {
            run::<ConnectFour>(&Simulation {
                games: 60,
                bots: bots(names),
                ..Simulation::default()
            })
        };
        assert!(contest("random/greedy").seats[1].wins >= 50);
        let wins = contest("greedy/flat:playouts=100").seats[1].wins;
        assert!(wins >= 40, "{wins}");
        for search in
            ["mcts", "mcts-ismcts", "mcts-ordered", "mcts-transposition", "mcts-parallel", "puct"]
        {
            let wins = contest(&format!("greedy/{search}:sims=300")).seats[1].wins;
            assert!(wins >= 40, "{search} won {wins} of 60");
        }
    }

    #[test]
    fn bots_must_fill_the_seats() {
        let simulation = Simulation { bots: bots("random/random/random"), ..Simulation::default() };
        let refused = simulate::<TicTacToe>(&Default::default(), &simulation, &Progress::default());
        assert_eq!(refused, Err(Error::WrongBots { bots: 3, seats: 2 }));
    }

    #[test]
    fn a_stopped_simulation_counts_what_was_played() {
        let progress = Progress::default();
        progress.stop();
        let simulation = Simulation { games: 1 << 40, ..Simulation::default() };
        let tally = simulate::<TicTacToe>(&Default::default(), &simulation, &progress).unwrap();
        assert_eq!(tally.games, 0);
    }
}
