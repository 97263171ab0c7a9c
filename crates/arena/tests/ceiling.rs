//! What hidden cards cost a search: the same search, allowed to see them.
//!
//! The bot that cheats exists in this test alone; no name reaches it. For Magic:
//! `cargo test --release -p meeple-arena --test ceiling -- --ignored --nocapture`.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_arena::{BotSpec, play_game};
use meeple_game::{
    Action, ActionList, Forced, Game, ObservationSpec, OutcomeList, Payoffs, Player, Rng, Turn,
};
use meeple_games::magic::{Config, Magic, decks};
use meeple_games::small::KnockoutWhist;

/// A game in which one seat sees everything that is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Peeking<G> {
    game: G,
    cheat: Player,
}

impl<G: Game> fmt::Display for Peeking<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.game, f)
    }
}

impl<G: Game> Game for Peeking<G> {
    type Config = (G::Config, u8);

    const NAME: &'static str = G::NAME;
    const SEATS: RangeInclusive<usize> = G::SEATS;
    const ACTIONS: usize = G::ACTIONS;
    const LUCK: bool = G::LUCK;
    const HIDDEN: bool = G::HIDDEN;

    fn new((config, cheat): &Self::Config) -> Self {
        Self { game: G::new(config), cheat: Player(*cheat) }
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.game.legal_actions(out);
    }

    fn apply(&mut self, action: Action) {
        self.game.apply(action);
    }

    fn payoffs(&self) -> Payoffs {
        self.game.payoffs()
    }

    fn observation() -> &'static ObservationSpec {
        G::observation()
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.game.observe(player, out);
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn info_key(&self, player: Player) -> u64 {
        if player == self.cheat { self.game.key() } else { self.game.info_key(player) }
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        if player == self.cheat {
            return *self;
        }
        Self { game: self.game.determinize(player, rng), ..*self }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        self.game.chance_outcomes(out);
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        self.game.sample_chance(rng)
    }

    fn action_name(&self, action: Action) -> String {
        self.game.action_name(action)
    }

    fn estimate(&self) -> Option<Payoffs> {
        self.game.estimate()
    }

    fn forced(&self) -> Forced {
        self.game.forced()
    }

    fn is_consistent(&self) -> bool {
        self.game.is_consistent()
    }
}

/// The mean score of the bot that cheats against itself without cheating, each
/// deal played from both seats, and half the width of its 95 % interval.
fn ceiling<G: Game>(bot: &str, configs: &[G::Config], pairs: usize) -> (f64, f64) {
    let spec: BotSpec = bot.parse().expect("a bot that exists");
    let game = |pair: usize, cheat: u8| {
        let config = (configs[pair % configs.len()].clone(), cheat);
        let build = |_| spec.build::<Peeking<G>>(&config).expect("a bot that plays it");
        let mut bots: Vec<_> = (0..2).map(build).collect();
        let mut game = Peeking::<G>::new(&config);
        let played = play_game(&mut game, &mut bots, &Rng::new(pair as u64), &mut ());
        f64::from(played.expect("nobody leaves").payoffs[usize::from(cheat)] + 1.0) / 2.0
    };
    let scores: Vec<f64> = (0..pairs).map(|pair| (game(pair, 0) + game(pair, 1)) / 2.0).collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / pairs as f64;
    (mean, 1.96 * (variance / pairs as f64).sqrt())
}

/// Whoever sees the other's hand in Knockout Whist wins clearly more.
#[test]
fn seeing_all_cards_pays() {
    let config: <KnockoutWhist as Game>::Config =
        serde_json::from_str(r#"{"players": 2}"#).expect("a table for two");
    let (mean, margin) = ceiling::<KnockoutWhist>("mcts-ismcts:sims=100", &[config], 200);
    assert!(mean - margin > 0.52, "{mean} ± {margin}");
}

/// Prints what seeing the other hand is worth in Magic, on mirrored decks.
#[test]
#[ignore = "takes minutes, and prints what is to be read"]
fn seeing_all_cards_in_magic() {
    let small = ["ogre", "default", "cli-red", "cli-green", "mix-a", "mix-b"];
    let names = decks::builtin().iter().map(|deck| &*deck.name);
    let configs: Vec<Config> = names
        .filter(|name| !small.contains(name))
        .map(|name| Config::of_decks(name, name).expect("a built-in deck"))
        .collect();
    let bot = "mcts-ismcts:sims=100,c=0.5,eval=heuristic,prior=onestep";
    let (mean, margin) = ceiling::<Magic>(bot, &configs, 260);
    println!("seeing the other hand: {:.1} ± {:.1} % of 520 games", 100.0 * mean, 100.0 * margin);
}
