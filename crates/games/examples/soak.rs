//! Plays many random games of Magic: how fast, and whether a state ever goes wrong.
//!
//! ```sh
//! cargo run --release -p meeple-games --example soak -- default 20000
//! cargo run --release -p meeple-games --example soak -- pairings 100 --check
//! ```
//!
//! The first word is a matchup, `matchups` for all of them, or `pairings` for every
//! deck against every deck; the number is how many games each pair plays. The last
//! column tells whether two builds played the same games. With `--check` every state
//! is looked at, which takes many times longer, and a game of too many decisions
//! counts as stuck.

use std::time::{Duration, Instant};

use meeple_game::{ActionList, Game, Rng, Turn, playout};
use meeple_games::magic::{Config, Magic, decks};

/// No game of 400 turns comes near it.
const MOST_DECISIONS: u64 = 100_000;

/// What a pair of decks played.
#[derive(Default)]
struct Played {
    games: u64,
    decisions: u64,
    time: Duration,
    /// Tells apart what was played.
    fingerprint: u64,
    faults: Vec<String>,
}

impl Played {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.time += other.time;
        self.fingerprint = meeple_game::mix(self.fingerprint ^ other.fingerprint);
        self.faults.extend(other.faults);
    }
}

/// Plays one game and looks at each of its states.
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

fn play(config: &Config, games: u64, checked: bool) -> Played {
    let mut played = Played { games, ..Played::default() };
    let mut scratch = ActionList::new();
    let start = Instant::now();
    for number in 0..games {
        let mut rng = Rng::new(1).split(number);
        let (game, decisions) = if checked {
            match check(config, &mut rng, &mut scratch) {
                Ok(end) => end,
                Err(fault) => {
                    played.faults.push(format!("{:?}, game {number} {fault}", config.decks()));
                    continue;
                }
            }
        } else {
            let mut game = Magic::new(config);
            let steps = playout(&mut game, &mut rng, &mut scratch);
            (game, steps.decisions)
        };
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
}

/// The decks that are not there for a matchup.
fn free_decks() -> Vec<&'static str> {
    let names = decks::builtin().iter().map(|deck| deck.name.as_str());
    let taken = |name: &str| decks::MATCHUPS.iter().any(|(_, pair)| pair.contains(&name));
    names.filter(|name| !taken(name)).collect()
}

fn main() -> Result<(), String> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let checked = words.iter().any(|word| word == "--check");
    words.retain(|word| word != "--check");
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
        configs.iter().for_each(|config| all.add(play(config, games, checked)));
        show(what, &all);
        all.time += tables;
        show("and tables", &all);
    } else {
        for (name, _) in
            decks::MATCHUPS.iter().filter(|(name, _)| what == "matchups" || what == *name)
        {
            let played = play(&Config::matchup(name)?, games, checked);
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
