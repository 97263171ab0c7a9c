//! Magic as a whole: both ways of asking, replays, the statistics of random
//! play beside those of a peer, and no heap memory in a game.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use meeple_game::{Action, ActionList, Forced, Game, Player, Rng, Turn, heuristic, playout};
use meeple_games::magic::{Config, Magic, Note, Permanent, Watch, decks};

/// The system's allocator, counting the calls of this thread.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
#[allow(unsafe_code, reason = "counting calls of the allocator needs one")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: the caller's promises are the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn pairs() -> Vec<Config> {
    let decks = decks::builtin();
    let count = decks.len();
    let opponent = |index: usize| &decks[(index * 7 + 3) % count].name;
    let pair = |(index, deck): (usize, &decks::Deck)| Config::of_decks(&deck.name, opponent(index));
    decks.iter().enumerate().map(|pair_of| pair(pair_of).expect("built-in decks")).collect()
}

/// Plays a random game and writes down every action and outcome.
fn record(config: &Config, seed: u64) -> (Magic, Vec<Action>) {
    let mut game = Magic::new(config);
    let (mut rng, mut scratch, mut log) = (Rng::new(seed), ActionList::new(), Vec::new());
    loop {
        let action = match game.turn() {
            Turn::Over => return (game, log),
            Turn::Chance => game.sample_chance(&mut rng),
            Turn::Player(_) => game.sample_action(&mut rng, &mut scratch),
        };
        log.push(action);
        game.apply(action);
    }
}

#[test]
fn asking_what_is_forced_changes_nothing() {
    for config in pairs() {
        for seed in 0..3 {
            let (end, log) = record(&config, seed);
            let mut game = Magic::new(&config.clone().forced(Forced::Ask));
            let mut menu = ActionList::new();
            let mut next = log.iter().copied();
            loop {
                game.legal_actions(&mut menu);
                let action = match (game.turn(), &menu[..]) {
                    (Turn::Over, _) => break,
                    (Turn::Player(_), [only]) => *only,
                    _ => next.next().expect("the same questions in the same order"),
                };
                game.apply(action);
            }
            assert_eq!(next.next(), None, "{config:?} seed {seed}");
            assert_eq!(game.payoffs(), end.payoffs(), "{config:?} seed {seed}");
            assert_eq!(game.turn_number(), end.turn_number(), "{config:?} seed {seed}");
        }
    }
}

#[test]
fn a_logged_game_replays() {
    for (seed, config) in pairs().iter().enumerate() {
        let (end, log) = record(config, seed as u64);
        let mut again = Magic::new(config);
        log.iter().for_each(|&action| again.apply(action));
        assert_eq!(again, end, "{config:?}");
    }
}

#[test]
fn a_game_allocates_nothing() {
    for config in pairs() {
        let mut scratch = ActionList::new();
        let mut rng = Rng::new(1);
        let mut game = Magic::new(&config);
        let before = CALLS.with(Cell::get);
        playout(&mut game, &mut rng, &mut scratch);
        assert_eq!(CALLS.with(Cell::get), before, "{config:?}");
    }
}

#[derive(Default)]
struct Counts {
    steps: u64,
    rounds: u64,
}

impl Watch for Counts {
    fn note(&mut self, note: Note) {
        match note {
            Note::Step => self.steps += 1,
            Note::Round => self.rounds += 1,
            _ => {}
        }
    }
}

/// What random games of a matchup are like.
struct Random {
    decisions: f64,
    turns: f64,
    first_wins: f64,
    /// Steps and priority rounds for each decision.
    amplification: f64,
}

fn random_games(matchup: &str, games: u64) -> Random {
    let config = Config::matchup(matchup).expect("a matchup");
    let (mut decisions, mut turns, mut wins) = (0, 0, 0.0);
    let mut counts = Counts::default();
    let mut scratch = ActionList::new();
    for seed in 0..games {
        let mut game = Magic::new(&config);
        let mut rng = Rng::new(seed);
        while game.turn() != Turn::Over {
            let action = if game.turn() == Turn::Chance {
                game.sample_chance(&mut rng)
            } else {
                decisions += 1;
                game.sample_action(&mut rng, &mut scratch)
            };
            game.apply_watched(action, &mut counts);
        }
        turns += u64::from(game.turn_number());
        wins += f64::from(game.payoffs()[0]).midpoint(1.0);
    }
    let each = |total: u64| total as f64 / games as f64;
    Random {
        decisions: each(decisions),
        turns: each(turns),
        first_wins: wins / games as f64,
        amplification: (counts.steps + counts.rounds) as f64 / decisions as f64,
    }
}

/// The fingerprints of managym's Rust engine, and how far ours may be from
/// them. Copies of a card are one action here and several there, so that we
/// draw lands and spells with other odds; and our combat is complete.
#[test]
fn random_play_is_like_a_peer_s() {
    for (matchup, decisions, turns, first_wins) in [
        ("ogre", 161.0, 42.1, 0.509),
        ("default", 168.0, 35.6, 0.47),
        ("mix", 122.0, 25.2, 0.275),
        ("cli", 99.0, 21.6, 1.0),
    ] {
        let ours = random_games(matchup, 600);
        let near = |ours: f64, theirs: f64, part: f64| (ours / theirs - 1.0).abs() < part;
        assert!(near(ours.decisions, decisions, 0.2), "{matchup}: {} decisions", ours.decisions);
        assert!(near(ours.turns, turns, 0.15), "{matchup}: {} turns", ours.turns);
        let apart = (ours.first_wins - first_wins).abs();
        assert!(apart < 0.1, "{matchup}: first wins {}", ours.first_wins);
        if matchup != "cli" {
            assert!(ours.amplification <= 3.0, "{matchup}: {}", ours.amplification);
        }
    }
}

#[test]
fn equal_players_are_even_over_both_seats() {
    let one = Config::of_decks("red-burn", "white-weenie").expect("two decks");
    let other = Config::of_decks("white-weenie", "red-burn").expect("two decks");
    let mut scratch = ActionList::new();
    let games = 600;
    let mut first = 0.0;
    for seed in 0..games {
        for config in [&one, &other] {
            let mut game = Magic::new(config);
            playout(&mut game, &mut Rng::new(seed), &mut scratch);
            first += f64::from(game.payoffs()[0]).midpoint(1.0);
        }
    }
    let share = first / (2 * games) as f64;
    assert!((0.42..0.58).contains(&share), "the first seat wins {share}");
}

/// The log odds of seat 0 by the heuristic evaluation.
fn odds(game: &Magic) -> f32 {
    let value = heuristic(game).expect("Magic has one")[0];
    ((1.0 + value) / (1.0 - value)).ln()
}

/// A mulligan costs a card, and the heuristic evaluation says so before the
/// card is gone: otherwise nobody could tell keeping from taking another.
#[test]
fn a_mulligan_costs_a_card() {
    let mut game = Magic::new(&Config::of_decks("red-burn", "red-burn").unwrap());
    let mut rng = Rng::new(1);
    let mut deal = |game: &mut Magic| {
        while game.turn() == Turn::Chance {
            game.apply(game.sample_chance(&mut rng));
        }
    };
    deal(&mut game);
    let (mut kept, mut again) = (game, game);
    for (game, name) in [(&mut kept, "keep"), (&mut again, "mulligan")] {
        let action = game.parse_action(name).expect("both may be done");
        game.apply(action);
        deal(game);
    }
    assert!((odds(&kept) - odds(&game)).abs() < 1e-4, "nothing has changed");
    assert!(odds(&again) < odds(&kept) - 0.1, "{} and {}", odds(&again), odds(&kept));
}

/// The best that can come of an announcement for `seat`, once it is aimed and
/// paid for.
fn best_announced(game: &Magic, seat: f32) -> f32 {
    let mut menu = ActionList::new();
    game.legal_actions(&mut menu);
    let goes_on = menu.first().is_some_and(|&action| {
        let name = game.action_name(action);
        name.starts_with("target") || name.starts_with("sacrifice")
    });
    if !goes_on {
        return seat * odds(game);
    }
    let after = |&action: &Action| {
        let mut next = *game;
        next.apply(action);
        best_announced(&next, seat)
    };
    menu.iter().map(after).fold(f32::NEG_INFINITY, f32::max)
}

/// Whether other things decide the game: creatures that could kill the opponent in
/// one attack, each of which is worth more than it is by itself, or an empty library,
/// from which the player may have to draw before anybody is asked again.
fn is_near_the_end(game: &Magic, player: Player) -> bool {
    let [mine, theirs] = game.scene(player).sides;
    if mine.library == 0 {
        return true;
    }
    let power = |permanent: &Permanent| permanent.face.body.map_or(0, |body| i16::from(body.0));
    mine.permanents.iter().map(power).sum::<i16>() >= theirs.life
}

/// What an ability still costs is counted while it is announced: nobody is to
/// throw creatures away for what seemed to be nothing.
#[test]
fn an_announcement_promises_no_more_than_it_brings() {
    let config = Config::of_decks("creatures-deck", "creatures-deck").unwrap();
    let mut announced = 0;
    for seed in 0..60 {
        let (mut game, mut rng, mut menu) =
            (Magic::new(&config), Rng::new(seed), ActionList::new());
        while let Turn::Player(_) | Turn::Chance = game.turn() {
            let Turn::Player(player) = game.turn() else {
                game.apply(game.sample_chance(&mut rng));
                continue;
            };
            let action = game.sample_action(&mut rng, &mut menu);
            let is_use = game.action_name(action).starts_with("use Skull Catapult");
            game.apply(action);
            // Nothing else may be on the stack that would resolve on the way.
            let alone = format!("announced: Skull Catapult, an ability of {player}\n\n");
            if is_use && game.to_string().contains(&alone) && !is_near_the_end(&game, player) {
                announced += 1;
                let seat = if player.0 == 0 { 1.0 } else { -1.0 };
                let (now, best) = (seat * odds(&game), best_announced(&game, seat));
                assert!(now < best + 0.2, "{now} now and {best} in the end\n{game}");
            }
        }
    }
    assert!(announced > 20, "{announced} were looked at");
}

/// A turn's card is counted before it is drawn, so that states on both sides of
/// a draw compare: the step alone changes nothing.
#[test]
fn a_draw_is_no_surprise_to_the_estimate() {
    let config = Config::of_decks("green-deck", "green-deck").unwrap();
    let (mut game, mut rng, mut scratch) = (Magic::new(&config), Rng::new(2), ActionList::new());
    let mut drawn = 0;
    while game.turn() != Turn::Over {
        let before = game;
        match game.turn() {
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            _ => _ = game.apply_sampled(&mut rng, &mut scratch),
        }
        let (was, is) = (before.to_string(), game.to_string());
        // An eighth card is worth next to nothing, drawn or not.
        let is_draw = before.turn() == Turn::Chance
            && was.contains(", draw step")
            && !was.contains(", 7 in hand");
        let is_soon = [", draw step", ", main phase"].iter().any(|step| is.contains(step));
        if is_draw && game.turn() != Turn::Chance && is_soon {
            drawn += 1;
            assert!((odds(&game) - odds(&before)).abs() < 1e-4, "{was}\n{is}");
        }
    }
    assert!(drawn > 3, "{drawn} draws were looked at");
}

/// Random games of all built-in decks keep within what a state has room for.
#[test]
fn no_game_meets_a_bound() {
    let matchups = decks::MATCHUPS.iter().map(|(name, _)| Config::matchup(name).unwrap());
    let mut scratch = ActionList::new();
    for config in pairs().into_iter().chain(matchups) {
        for seed in 0..40 {
            let mut game = Magic::new(&config);
            playout(&mut game, &mut Rng::new(seed), &mut scratch);
            assert_eq!(game.fault(), None, "{:?}, seed {seed}:\n{game}", config.decks());
        }
    }
}

/// A deck that makes tokens, in as many cards as wanted.
fn token_deck(size: u8) -> serde_json::Value {
    let towns = size / 3;
    serde_json::json!({ "name": "towns", "cards": { "Plains": size - towns, "Icatian Town": towns } })
}

/// Tokens enter and attack, however large the decks are.
#[test]
fn decks_of_every_size_make_tokens() {
    for size in [40, 60, 75, 100] {
        let config = serde_json::json!({ "decks": [token_deck(size), token_deck(size)] });
        let config: Config = serde_json::from_value(config).unwrap();
        let mut watch = Attacks(0);
        let mut scratch = ActionList::new();
        for seed in 0..10 {
            let (mut game, mut rng) = (Magic::new(&config), Rng::new(seed));
            while game.turn() != Turn::Over {
                let action = match game.turn() {
                    Turn::Chance => game.sample_chance(&mut rng),
                    _ => game.sample_action(&mut rng, &mut scratch),
                };
                game.apply_watched(action, &mut watch);
            }
            assert_eq!(game.fault(), None, "{size} cards, seed {seed}");
        }
        assert!(watch.0 > 50, "{} attacks in games of {size} cards", watch.0);
    }
    let config = serde_json::json!({ "decks": [token_deck(101), "red-burn"] });
    let error = serde_json::from_value::<Config>(config).unwrap_err().to_string();
    assert!(
        error.contains("it has 101 cards, 2 different, expected at most 100, 60 different"),
        "{error}"
    );
}

/// How many creatures attacked.
struct Attacks(u64);

impl Watch for Attacks {
    fn note(&mut self, note: Note) {
        self.0 += u64::from(matches!(note, Note::Attack(_)));
    }
}
