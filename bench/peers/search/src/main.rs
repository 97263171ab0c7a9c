//! Simulations a second of other search libraries and of ours, on our games, in
//! one run: `cargo run --release --manifest-path bench/peers/search/Cargo.toml`.
//!
//! The others get our playouts, which are faster than those they would play
//! through their own traits. Each round measures theirs and ours in turn, so that
//! both see the same mood of the machine; the best round of each counts.

use std::cell::RefCell;
use std::fmt;
use std::time::Instant;

use arbor::GameResult;
use ismcts::inference::NoInference;
use ismcts::searcher::Searcher;
use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist, knockout_whist};
use meeple_search::{Budget, IsMcts, IsMctsOptions, Mcts, MctsOptions, Rollout, Search, Selection};

const SIMULATIONS: usize = 200_000;
const ROUNDS: usize = 7;

thread_local! {
    static RANDOM: RefCell<(Rng, ActionList)> = RefCell::new((Rng::new(1), ActionList::new()));
}

fn play_out<G: Game>(game: &mut G) {
    RANDOM.with_borrow_mut(|(rng, scratch)| {
        meeple_game::play_out(game, rng, scratch);
    });
}

/// Connect four as arbor wants it.
#[derive(Clone, Copy, Debug)]
struct Four {
    game: ConnectFour,
    mover: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Seat(u8);
#[derive(Clone, Copy, Debug)]
struct Column(u16);

impl arbor::Player for Seat {}
impl arbor::Action for Column {}

impl fmt::Display for Four {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }
}

impl arbor::GameState<Seat, Column> for Four {
    fn actions<F: FnMut(Column)>(&self, f: &mut F) {
        let mut actions = ActionList::new();
        self.game.legal_actions(&mut actions);
        actions.iter().for_each(|action| f(Column(action.0)));
    }

    fn make(&self, action: Column) -> Self {
        let mut game = self.game;
        game.apply(Action(action.0));
        Self { game, mover: Seat(1 - self.mover.0) }
    }

    fn gameover(&self) -> Option<GameResult> {
        if self.game.turn() != Turn::Over {
            return None;
        }
        let payoff = self.game.payoffs()[usize::from(self.mover.0)];
        Some(match payoff {
            payoff if payoff > 0.0 => GameResult::Win,
            payoff if payoff < 0.0 => GameResult::Lose,
            _ => GameResult::Draw,
        })
    }

    fn player(&self) -> Seat {
        self.mover
    }

    fn custom_evaluation(&self) -> f32 {
        let mut game = self.game;
        play_out(&mut game);
        (game.payoffs()[usize::from(self.mover.0)] + 1.0) / 2.0
    }
}

/// Knockout Whist as ismcts wants it.
#[derive(Clone)]
struct Whist(KnockoutWhist);

/// Cards as a set of bits.
#[derive(Clone)]
struct Cards(u64);

impl ismcts::action_list::ActionList<u16> for Cards {
    fn uninit() -> Self {
        Self(0)
    }

    fn pop_random(&mut self) -> Option<u16> {
        if self.0 == 0 {
            return None;
        }
        let mut left = RANDOM.with_borrow_mut(|(rng, _)| rng.below(self.0.count_ones() as usize));
        let mut cards = self.0;
        while left > 0 {
            cards &= cards - 1;
            left -= 1;
        }
        self.0 ^= cards & cards.wrapping_neg();
        Some(cards.trailing_zeros() as u16)
    }

    fn push(&mut self, card: u16) {
        self.0 |= 1 << card;
    }

    fn len(&self) -> usize {
        self.0.count_ones() as usize
    }

    fn has(&self, card: &u16) -> bool {
        self.0 >> card & 1 == 1
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Whist {
    fn deal(&mut self) {
        while self.0.turn() == Turn::Chance {
            let drawn = RANDOM.with_borrow_mut(|(rng, _)| self.0.sample_chance(rng));
            self.0.apply(drawn);
        }
    }
}

impl ismcts::state::State for Whist {
    type Action = u16;
    type ActionList = Cards;
    type Inference = NoInference;

    fn turn(&self) -> usize {
        match self.0.turn() {
            Turn::Player(player) => player.index(),
            Turn::Chance | Turn::Over => 0,
        }
    }

    fn randomize(&self, observer: usize, _: &NoInference) -> Self {
        let observer = Player(observer as u8);
        Self(RANDOM.with_borrow_mut(|(rng, _)| self.0.determinize(observer, rng)))
    }

    fn possible_actions(&self) -> Cards {
        let mut actions = ActionList::new();
        self.0.legal_actions(&mut actions);
        Cards(actions.iter().fold(0, |cards, card| cards | 1 << card.0))
    }

    fn apply_action(&mut self, card: u16) {
        self.0.apply(Action(card));
        self.deal();
    }

    fn do_rollout(&mut self) {
        play_out(&mut self.0);
    }

    fn is_terminal(&self) -> bool {
        self.0.turn() == Turn::Over
    }

    fn reward(&self, seat: usize) -> f32 {
        self.0.payoffs()[seat]
    }
}

/// The best of some rounds of two measurements in turn, in simulations a second.
fn best(mut theirs: impl FnMut() -> f64, mut ours: impl FnMut() -> f64) -> [f64; 2] {
    (0..ROUNDS).fold([0.0, 0.0], |[one, other], _| [theirs().max(one), ours().max(other)])
}

fn show(what: &str, peer: &str, [theirs, ours]: [f64; 2]) {
    let (theirs, ours, ratio) = (theirs / 1e6, ours / 1e6, ours / theirs);
    println!("{what:26} {peer:14} {theirs:.2} M/s, ours {ours:.2} M/s, {ratio:.1} times");
}

fn searched<G: Game>(search: &mut dyn Search<G>, game: &G) -> f64 {
    let Turn::Player(seat) = game.turn() else { return 0.0 };
    let budget = Budget::simulations(SIMULATIONS as u64);
    let report = search.search(&View::new(game, seat), &budget, 1).expect("it may run");
    report.simulations_per_second
}

fn main() {
    let game = ConnectFour::new(&Default::default());
    // Values here are from -1 to 1, twice as wide as those of arbor.
    let exploration = std::f32::consts::SQRT_2;
    let selection = Selection::Uct { exploration: 2.0 * exploration, bias: 0.0 };
    let options = MctsOptions { selection, ..MctsOptions::default() };
    let arbor = || {
        let mut search = arbor::MCTS::new(Four { game, mover: Seat(0) })
            .with_exploration(exploration)
            .with_custom_evaluation();
        let start = Instant::now();
        search.ponder(SIMULATIONS);
        SIMULATIONS as f64 / start.elapsed().as_secs_f64()
    };
    let ours = || {
        let mut search = Mcts::new(&options, Rollout::default()).expect("good options");
        searched(&mut search, &game)
    };
    show("connect four, UCT", "arbor 0.2.0", best(arbor, ours));

    for players in [2, 4] {
        let options = knockout_whist::Options { players: players.try_into().expect("2 or 4") };
        let mut whist = Whist(KnockoutWhist::new(&options));
        whist.deal();
        // It stops by the clock: as long as our simulations take it.
        let mut milliseconds = 400;
        let ismcts = || {
            let mut search = Searcher::new(1.0, 500_000);
            let result = search.search(&whist, &NoInference, milliseconds);
            let rate = result.num_simulations as f64 / result.duration.as_secs_f64();
            milliseconds = (1000.0 * SIMULATIONS as f64 / rate) as u128;
            rate
        };
        let ours = || {
            let search = IsMcts::new(&IsMctsOptions::default(), Rollout::default());
            searched(&mut search.expect("good options"), &whist.0)
        };
        let what = format!("Knockout Whist, {players} players");
        show(&what, "ismcts 0.3.3", best(ismcts, ours));
    }
}
