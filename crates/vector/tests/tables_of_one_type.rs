//! One type that is many games: boards of several sizes, with and without a secret, each with
//! its own number of actions, observation layout and information.

mod lines;

use lines::{Config, Lines, Size};
use meeple_bots::{BotSpec, Position};
use meeple_game::{Action, Game, Payoffs, Player, Rng, View, conform};
use meeple_net::{NetError, NetEvaluator, Network, Precision, Shape};
use meeple_search::solve::Negamax;
use meeple_search::{
    Budget, Cached, Evaluator, IsMcts, IsMctsOptions, Mcts, MctsOptions, Search, SearchError,
    Selection, batched_search,
};
use meeple_vector::{Arrays, Encoding, VectorError, VectorOptions};

/// Every table, with its name, action ids and cells of an observation.
const TABLES: [(u8, bool, &str, usize, usize); 6] = [
    (3, false, "lines-3", 9, 9),
    (4, false, "lines-4", 16, 16),
    (5, false, "lines-5", 25, 25),
    (3, true, "sealed-lines-3", 9, 10),
    (4, true, "sealed-lines-4", 16, 17),
    (5, true, "sealed-lines-5", 25, 26),
];

fn table(size: u8, sealed: bool) -> Config {
    Config { size: Size(size), sealed }
}

/// The first decision at a table.
fn start(size: u8, sealed: bool) -> Lines {
    let mut game = Lines::new(&table(size, sealed));
    if sealed {
        game.apply(Action(1));
    }
    game
}

fn open(size: u8, sealed: bool) -> Box<dyn Position> {
    meeple_vector::register::<Lines>().expect("no other game is called lines");
    let config = serde_json::to_string(&table(size, sealed)).expect("a configuration");
    let mut position = meeple_bots::open(Lines::NAME, Some(&config)).expect("a table");
    if sealed {
        position.try_apply(Action(1)).expect("a draw");
    }
    position
}

fn bot(text: &str) -> BotSpec {
    text.parse().expect("a bot")
}

/// Evaluates everything to 0 and prefers the last action id, and checks the width of rows.
#[derive(Clone)]
struct PrefersLast;

impl Evaluator<Lines> for PrefersLast {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(
        &mut self,
        states: &[Lines],
        _: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) {
        let width = states[0].actions();
        assert_eq!(logits.len(), states.len() * width);
        values.fill(Payoffs::default());
        for row in logits.chunks_exact_mut(width) {
            row.fill(0.0);
            row[width - 1] = 8.0;
        }
    }
}

#[test]
fn every_table_conforms_and_describes_itself() {
    for (size, sealed, name, actions, cells) in TABLES {
        let config = table(size, sealed);
        let coverage = conform::check::<Lines>(&config, 60, 1);
        assert_eq!(coverage.widest, actions);
        conform::check_action_names::<Lines>(&config, 5, 1);
        let info = Lines::new(&config).info();
        assert_eq!((info.name, info.actions, info.observation.len()), (name, actions, cells));
        assert_eq!((info.chance, info.imperfect_information), (sealed, sealed));
    }
}

#[test]
fn one_search_follows_the_width_of_its_table() {
    let budget = Budget::simulations(30);
    let cached = || Cached::new(PrefersLast, 64).expect("a capacity");
    let mut hidden = IsMcts::new(&IsMctsOptions::puct(), cached()).expect("good options");
    let mut batch = IsMctsOptions::puct();
    batch.batch = 4;
    let mut batched = IsMcts::new(&batch, PrefersLast).expect("good options");
    let mut perfect = Mcts::new(&MctsOptions::puct(), cached()).expect("good options");
    for (size, sealed, name, actions, _) in TABLES.into_iter().chain(TABLES) {
        let game = start(size, sealed);
        let view = View::new(&game, Player(0));
        for search in [&mut hidden as &mut dyn Search<Lines>, &mut batched] {
            let report = search.search(&view, &budget, 1).expect("it searches");
            assert_eq!(report.best.index(), actions - 1);
            assert_eq!(report.actions.len(), actions);
        }
        match perfect.search(&view, &budget, 1) {
            Ok(report) => assert_eq!((report.best.index(), sealed), (actions - 1, false)),
            Err(error) => assert_eq!((error, sealed), (SearchError::Hidden { game: name }, true)),
        }
        let mut steps = batched_search(&game, Selection::PUCT, 1 << 20).expect("good options");
        steps.begin(&view, Default::default(), None, &budget, 1).expect("it begins");
        steps.gather(&view, 1).expect("it has begun");
        let short = steps.apply(&[Payoffs::default()], &vec![0.0; actions - 1]);
        let expected =
            SearchError::WrongLength { what: "logits", expected: actions, got: actions - 1 };
        assert_eq!(short, Err(expected));
    }
}

#[test]
fn solvers_ask_the_table() {
    let mut solver = Negamax::new(10_000);
    assert_eq!(solver.value(&start(3, false)), Ok(0.0));
    let refused = solver.value(&start(3, true)).unwrap_err().to_string();
    assert!(refused.starts_with("sealed-lines-3 has chance events"), "{refused}");
}

#[test]
fn networks_are_for_one_table() {
    let folder = std::env::temp_dir().join(format!("meeple-lines-{}", std::process::id()));
    let shape = Shape { width: 8, blocks: 0, bottleneck: 8, value_hidden: 8 };
    for (size, sealed, name, actions, cells) in TABLES {
        let game = start(size, sealed);
        let network = Network::new(&game.info(), shape, 2, 1).expect("a network");
        let signature = network.signature();
        assert_eq!((&signature.game[..], signature.actions), (name, actions));
        assert_eq!(signature.cells, cells);
        let bytes = network.to_bytes().expect("its bytes");
        for (other_size, other_sealed, ..) in TABLES {
            let other = start(other_size, other_sealed);
            let fits = (size, sealed) == (other_size, other_sealed);
            let read = Network::from_bytes(&other.info(), &folder, &bytes);
            assert!(fits == read.is_ok() || matches!(read, Err(NetError::Foreign { .. })));
            let evaluator = NetEvaluator::new(&other, network.compile(Precision::Float));
            assert_eq!(evaluator.is_ok(), fits);
        }
        let evaluator = NetEvaluator::new(&game, network.compile(Precision::Float));
        let evaluator = evaluator.expect("its own table");
        assert_eq!(evaluator.check(&game), Ok(()));
        assert!(evaluator.check(&start(if size == 3 { 4 } else { 3 }, sealed)).is_err());
        let BotSpec::Search(spec) = bot("puct:sims=20") else { panic!("puct searches") };
        let config = table(size, sealed);
        let mut search = spec
            .search_with::<Lines>(&config, &network.compile(Precision::Float))
            .expect("a network for the table");
        let report = search.search(&View::new(&game, Player(0)), &spec.budget(2), 1);
        assert_eq!(report.expect("it searches").actions.len(), actions);
    }
}

#[test]
fn bots_search_by_the_information_of_the_table() {
    for (size, sealed, name, actions, cells) in TABLES {
        let position = open(size, sealed);
        assert_eq!((position.info().name, position.info().actions), (name, actions));
        assert_eq!(position.observation().len(), cells);
        for text in ["mcts:sims=20", "mcts-ismcts:sims=20", "mcts:sims=20,prior=history", "random"]
        {
            let mut bot = position.bot(&bot(text)).expect("it plays every table");
            let action = bot.choose(&*position, Player(0), &mut Rng::new(1));
            assert!(action.expect("it chooses").index() < actions, "{text} at {name}");
        }
        for text in ["mcts-transposition:sims=20", "puct:sims=20"] {
            match position.bot(&bot(text)) {
                Ok(_) => assert!(!sealed, "{text} at {name}"),
                Err(error) => {
                    let error = error.to_string();
                    assert!(sealed && error.contains(name) && error.contains("hidden"), "{error}");
                }
            }
        }
    }
}

#[test]
fn vector_environments_have_the_shape_of_the_table() {
    for (size, sealed, name, actions, cells) in TABLES {
        // Registers the game.
        drop(open(size, sealed));
        let config = serde_json::to_string(&table(size, sealed)).expect("a configuration");
        let encoding = Some(Encoding::Int32);
        let options = VectorOptions { tables: 7, encoding, ..VectorOptions::default() };
        let mut env = meeple_vector::open(Lines::NAME, Some(&config), &options).expect("tables");
        assert_eq!((env.shape().actions, env.shape().width), (actions, cells), "{name}");
        let mut arrays = Arrays::new(env.shape());
        env.reset(&[3; 7], None, arrays.frame()).expect("a reset");
        assert_eq!(arrays.masks, vec![true; 7 * actions]);
        let mut chosen = vec![0; 7];
        for _ in 0..60 {
            env.sample(&mut chosen).expect("actions");
            env.step(&chosen, arrays.frame()).expect("a step");
        }
        env.sample(&mut chosen).expect("actions");
        chosen[6] = actions as i64;
        let error = env.step(&chosen, arrays.frame()).unwrap_err();
        let action = actions as i64;
        assert_eq!(error, VectorError::OutOfRange { table: 6, action, actions });
    }
}
