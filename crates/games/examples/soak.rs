//! Soak test of Magic: plays many random games, measures speed and checks invariants.
//!
//! ```sh
//! cargo run --release -p meeple-games --example soak -- default 20000
//! cargo run --release -p meeple-games --example soak -- pairings 100 --check
//! cargo run --release -p meeple-games --example soak -- pairings 100 --usage
//! ```
//!
//! The first argument is a matchup, `matchups` for all of them, or `pairings` for a round
//! robin of all decks; the second is the number of games per pair. The last column is a
//! checksum of the games played, to compare two builds. With `--check` the invariants of
//! every state are checked, which is many times slower, and a game with too many decisions
//! counts as stuck. `--usage` prints the peak usage of each fixed-capacity list of the
//! state; with `--greedy` in addition, players choose the action with the best heuristic
//! evaluation. A game that exceeds a capacity is a fault.

use std::time::{Duration, Instant};

use meeple_game::{Action, ActionList, Game, Rng, Turn, play_out};
use meeple_games::magic::{Config, Magic, Note, Usage, Watch, decks};

/// Far more decisions than any game of 400 turns.
const MOST_DECISIONS: u64 = 100_000;

/// The games of a pair of decks.
#[derive(Default)]
struct Played {
    games: u64,
    decisions: u64,
    time: Duration,
    /// A checksum of the games.
    fingerprint: u64,
    faults: Vec<String>,
    most: Peak,
}

/// The peak usage of each capacity.
#[derive(Default)]
struct Peak(Vec<Usage>);

impl Watch for Peak {
    fn note(&mut self, _note: Note) {}

    fn look(&mut self, state: &Magic) {
        self.raise(&state.usage());
    }
}

impl Peak {
    fn raise(&mut self, usage: &[Usage]) {
        if self.0.is_empty() {
            self.0 = usage.to_vec();
        }
        for (most, now) in self.0.iter_mut().zip(usage) {
            most.used = most.used.max(now.used);
        }
    }
}

/// How games are played and checked.
#[derive(Clone, Copy)]
struct Manner {
    check: bool,
    usage: bool,
    greedy: bool,
}

impl Played {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.time += other.time;
        self.fingerprint = meeple_game::mix(self.fingerprint ^ other.fingerprint);
        self.faults.extend(other.faults);
        self.most.raise(&other.most.0);
    }
}

/// Plays one game and checks the invariants of every state.
fn check(config: &Config, rng: &mut Rng, scratch: &mut ActionList) -> Result<(Magic, u64), String> {
    let mut game = Magic::new(config);
    let mut decisions = 0;
    loop {
        if !game.is_consistent() {
            return Err(format!("does not add up after {decisions} decisions:\n{game}"));
        }
        let action = match game.turn() {
            Turn::Over => return Ok((game, decisions)),
            Turn::Chance => game.sample_chance(rng),
            Turn::Player(_) => {
                decisions += 1;
                game.sample_action(rng, scratch)
            }
        };
        game.apply(action);
        if decisions > MOST_DECISIONS {
            return Err(format!("is stuck:\n{game}"));
        }
    }
}

/// The action with the best evaluation for the player to move.
fn best(game: &Magic, rng: &mut Rng, scratch: &mut ActionList) -> Action {
    let Turn::Player(player) = game.turn() else { return game.sample_chance(rng) };
    let worth = |action: Action| {
        let mut after = *game;
        after.apply(action);
        meeple_game::heuristic(&after).map_or(0.0, |payoffs| payoffs[player.index()])
    };
    game.legal_actions(scratch);
    let random = scratch[rng.below(scratch.len())];
    let first = (random, worth(random));
    let better = |best: (Action, f32), &action: &Action| match worth(action) {
        value if value > best.1 => (action, value),
        _ => best,
    };
    scratch.iter().fold(first, better).0
}

/// Plays one game and records the peak usage at every step.
fn measure(
    config: &Config,
    greedy: bool,
    rng: &mut Rng,
    scratch: &mut ActionList,
    most: &mut Peak,
) -> (Magic, u64) {
    let mut game = Magic::new(config);
    let mut decisions = 0;
    while game.turn() != Turn::Over {
        // One action in eight is random, otherwise all games of a pair would be much alike.
        let action = match game.turn() {
            Turn::Player(_) if greedy && rng.below(8) > 0 => best(&game, rng, scratch),
            Turn::Player(_) => game.sample_action(rng, scratch),
            _ => game.sample_chance(rng),
        };
        decisions += u64::from(game.turn() != Turn::Chance);
        game.apply_watched(action, most);
    }
    (game, decisions)
}

fn play(config: &Config, games: u64, manner: Manner) -> Played {
    let mut played = Played { games, ..Played::default() };
    let mut scratch = ActionList::new();
    let start = Instant::now();
    for number in 0..games {
        let mut rng = Rng::new(1).split(number);
        let (game, decisions) = if manner.usage {
            measure(config, manner.greedy, &mut rng, &mut scratch, &mut played.most)
        } else if manner.check {
            match check(config, &mut rng, &mut scratch) {
                Ok(end) => end,
                Err(fault) => {
                    played.faults.push(format!("{:?}, game {number} {fault}", config.decks()));
                    continue;
                }
            }
        } else {
            let mut game = Magic::new(config);
            let steps = play_out(&mut game, &mut rng, &mut scratch);
            (game, steps.decisions)
        };
        if let Some(fault) = game.fault() {
            played.faults.push(format!("{:?}, game {number} met a bound: {fault}", config.decks()));
        }
        played.decisions += decisions;
        let end = game.key() ^ decisions;
        played.fingerprint = meeple_game::mix(played.fingerprint ^ end);
    }
    played.time = start.elapsed();
    played
}

#[expect(clippy::print_stdout, reason = "the table is what this program is for")]
fn show(name: &str, played: &Played) {
    let seconds = played.time.as_secs_f64();
    let rate = played.games as f64 / seconds;
    let each = played.decisions as f64 / played.games as f64;
    let Played { games, fingerprint, .. } = played;
    println!(
        "{name:10} {games:7} games  {rate:8.0} games/s  {each:6.1} decisions each  {fingerprint:016x}"
    );
    for fault in &played.faults {
        println!("{fault}");
    }
    for Usage { what, used, most } in &played.most.0 {
        println!("  {what:34} {used:4} of {most}");
    }
}

/// The decks that do not belong to a matchup.
fn free_decks() -> Vec<&'static str> {
    let names = decks::builtin().iter().map(|deck| deck.name.as_str());
    let taken = |name: &str| decks::MATCHUPS.iter().any(|(_, pair)| pair.contains(&name));
    names.filter(|name| !taken(name)).collect()
}

fn main() -> Result<(), String> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let [check, usage, greedy] =
        ["--check", "--usage", "--greedy"].map(|option| words.iter().any(|word| word == option));
    let manner = Manner { check, usage, greedy };
    words.retain(|word| !word.starts_with("--"));
    let what = words.first().map_or("matchups", String::as_str);
    let games = words.get(1).map_or(Ok(1000), |text| text.parse());
    let games = games.map_err(|_| format!("{:?}, expected a number of games", words[1]))?;

    let mut all = Played::default();
    if what == "pairings" {
        let decks = free_decks();
        let start = Instant::now();
        let pairs = decks.iter().flat_map(|one| decks.iter().map(move |other| (one, other)));
        let configs: Vec<Config> =
            pairs.map(|(one, other)| Config::of_decks(one, other)).collect::<Result<_, _>>()?;
        let tables = start.elapsed();
        configs.iter().for_each(|config| all.add(play(config, games, manner)));
        show(what, &all);
        all.time += tables;
        show("and tables", &all);
    } else {
        for (name, _) in
            decks::MATCHUPS.iter().filter(|(name, _)| what == "matchups" || what == *name)
        {
            let played = play(&Config::matchup(name)?, games, manner);
            show(name, &played);
            all.add(played);
        }
    }
    match all.faults.len() {
        _ if all.games == 0 => Err(format!("{what:?}, expected a matchup, matchups or pairings")),
        0 => Ok(()),
        faults => Err(format!("{faults} of {} games went wrong", all.games)),
    }
}
