//! The cost of hidden information: a search against the same search that sees the hidden cards.
//!
//! The cheating bot exists only in this test and has no name. For Magic:
//! `cargo test --release -p meeple-bots --test ceiling -- --ignored --nocapture`.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_bots::{BotSpec, play_game};
use meeple_game::{
    Action, ActionList, Companions, Forced, Game, ObservationSpec, OutcomeList, Payoffs, Player,
    Rng, Turn, focus, heuristic,
};
use meeple_games::magic::{Config, Magic, decks};
use meeple_games::small::KnockoutWhist;

/// A game in which one seat knows the full state.
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
    const CHANCE: bool = G::CHANCE;
    const IMPERFECT_INFORMATION: bool = G::IMPERFECT_INFORMATION;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: match G::COMPANIONS.evaluation {
            Some(_) => Some(|peeking| heuristic(&peeking.game).expect("it is there")),
            None => None,
        },
        focus: Some(|peeking| focus(&mut peeking.game)),
        ..Companions::NONE
    };

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

    fn observation(&self) -> &'static ObservationSpec {
        self.game.observation()
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.game.observe(player, out);
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    // Nodes are those of the original game, so that the cheating search also shares statistics
    // between simulations with different chance outcomes.
    fn info_key(&self, player: Player) -> u64 {
        self.game.info_key(player)
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

    fn forced(&self) -> Forced {
        self.game.forced()
    }

    fn is_consistent(&self) -> bool {
        self.game.is_consistent()
    }
}

/// The mean score of a cheating bot against an honest one, with each deal played from both seats,
/// and half the width of its 95 % interval.
fn ceiling<G: Game>(cheat: &str, other: &str, configs: &[G::Config], pairs: usize) -> (f64, f64) {
    let spec = |name: &str| name.parse::<BotSpec>().expect("a bot that exists");
    let specs = [spec(cheat), spec(other)];
    let game = |pair: usize, cheat: u8| {
        let config = (configs[pair % configs.len()].clone(), cheat);
        let build = |seat: u8| {
            let spec = &specs[usize::from(seat != cheat)];
            spec.build::<Peeking<G>>(&config).expect("a bot that plays it")
        };
        let mut bots: Vec<_> = (0..2).map(build).collect();
        let game = Peeking::<G>::new(&config);
        let played = play_game(game, &mut bots, &Rng::new(pair as u64), &mut ());
        let played = played.expect("no search fails").expect("nobody leaves");
        f64::from(played.payoffs[usize::from(cheat)] + 1.0) / 2.0
    };
    let scores: Vec<f64> = (0..pairs).map(|pair| (game(pair, 0) + game(pair, 1)) / 2.0).collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / pairs as f64;
    (mean, 1.96 * (variance / pairs as f64).sqrt())
}

/// Seeing the opponent's hand in Knockout Whist is a clear advantage.
#[test]
fn seeing_all_cards_pays() {
    let config: <KnockoutWhist as Game>::Config =
        serde_json::from_str(r#"{"players": 2}"#).expect("a table for two");
    let bot = "mcts-ismcts:sims=100";
    let (mean, margin) = ceiling::<KnockoutWhist>(bot, bot, &[config], 200);
    assert!(mean - margin > 0.52, "{mean} ± {margin}");
}

/// Prints the value of seeing the opponent's hand in Magic.
#[test]
#[ignore = "takes half an hour, and prints what is to be read"]
fn seeing_all_cards_in_magic() {
    let small = ["ogre", "default", "cli-red", "cli-green", "mix-a", "mix-b"];
    let pool: Vec<&str> = (decks::builtin().iter().map(|deck| &*deck.name))
        .filter(|name| !small.contains(name))
        .collect();
    let table = |(one, other)| Config::of_decks(one, other).expect("built-in decks");
    let mirrored: Vec<Config> = pool.iter().map(|deck| table((deck, deck))).collect();
    let apart = |by: usize| (0..pool.len()).map(move |at| (at, at + by));
    let pairs: Vec<Config> = (1..pool.len())
        .flat_map(apart)
        .map(|(one, other)| table((pool[one], pool[other % pool.len()])))
        .collect();

    let options = "c=0.2,eval=heuristic,prior=onestep";
    let search = format!(
        "mcts-ismcts:sims=100,{options},root=gumbel,considered=8,reuse=yes,sims_per_determinization=16"
    );
    let others = [
        search.clone(),
        format!("mcts:sims=100,determinizations=1,{options}"),
        "greedy".to_owned(),
    ];
    println!("{search}, which sees the other hand, against");
    for other in others {
        for (decks, configs) in [("mirrored", &mirrored), ("pairs", &pairs)] {
            let (mean, margin) = ceiling::<Magic>(&search, &other, configs, 1040);
            println!("{other}, {decks}: {:.1} ± {:.1} %", 100.0 * mean, 100.0 * margin);
        }
    }
}
