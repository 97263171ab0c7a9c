//! The suite `plan`: one event through the rule engine by optimization stage, and random games
//! of rule-based games.

use std::hint::black_box;

use meeple_game::{ActionList, Game, Rng, Turn, choices, playout};
use meeple_games::backgammon::BackgammonRules;
use meeple_games::chess::ChessRules;
use meeple_games::described::{
    BreakthroughRules, ConnectFourRules, Described, DescribedGame, TicTacToeRules,
};
use meeple_plan::{Candidate, RuleSet, Stages};

use super::measure::ns_per_op;
use super::record::{Row, Unit};
use crate::interrupt;
use crate::progress::Doing;

/// Plies per random opening from which events are taken.
const OPENING: usize = 16;
/// Events to cycle through.
const EVENTS: usize = 256;

pub(super) fn measure(only: Option<&str>) -> Vec<Row> {
    let doing = Doing::new();
    let mut rows = Vec::new();
    let mut add = |name: String, unit: Unit, value: &mut dyn FnMut() -> f64| {
        doing.say(&name);
        if only.is_none_or(|only| name.contains(only)) && !interrupt::asked() {
            rows.push(Row { name, unit, value: value() });
        }
    };
    measure_events::<ChessRules>(&mut add);
    measure_events::<BackgammonRules>(&mut add);
    measure_games::<TicTacToeRules>(&mut add);
    measure_games::<ConnectFourRules>(&mut add);
    measure_games::<BreakthroughRules>(&mut add);
    measure_games::<ChessRules>(&mut add);
    measure_games::<BackgammonRules>(&mut add);
    rows
}

/// The measured operation on a state and an event.
type Work<'a, R> = dyn FnMut(&<R as RuleSet>::State, &Candidate<<R as RuleSet>::Event>) + 'a;
type Add<'a> = dyn FnMut(String, Unit, &mut dyn FnMut() -> f64) + 'a;

/// Returns legal events of random openings, each with its state and rule entry.
fn opening_events<R: Described>() -> Vec<(R::State, Candidate<R::Event>)> {
    let mut rng = Rng::new(1);
    let mut events = Vec::new();
    while events.len() < EVENTS {
        let mut game = DescribedGame::<R>::new(&R::Config::default());
        for _ in 0..OPENING {
            if game.turn() == Turn::Over {
                break;
            }
            let action = *rng.pick(&choices(&game));
            let state = *game.state();
            let event = R::event_of(&state, action);
            let entry = R::plan().trusted_entry(&state, &event).expect("the action is legal");
            events.push((state, Candidate { event, entry }));
            game.apply(action);
        }
    }
    events
}

fn measure_events<R: Described>(add: &mut Add<'_>) {
    let events = opening_events::<R>();
    // To find the maximal events the tree tries all of them, which would dominate the time;
    // the rules are measured without this constraint first.
    let rules = R::plan().without_maximal();
    let tree = rules.tree();
    let name = |part: &str| format!("{}/event_{part}", R::NAME);
    let time = |work: &mut Work<'_, R>| {
        let mut events = events.iter().cycle();
        ns_per_op(|repetitions| {
            for (state, candidate) in events.by_ref().take(repetitions as usize) {
                work(state, candidate);
            }
        })
    };
    add(name("tree"), Unit::NsPerOp, &mut || {
        time(&mut |state, candidate| {
            black_box(&tree.handle(state, &candidate.event));
        })
    });
    for (part, stages) in [
        ("base_plan", Stages::NONE),
        ("grouping", Stages { grouping: true, ..Stages::NONE }),
        ("filtering", Stages { filtering: true, ..Stages::NONE }),
        ("masks", Stages { masks: true, ..Stages::NONE }),
        ("all_stages", Stages::ALL),
    ] {
        let plan = rules.with_stages(stages);
        add(name(part), Unit::NsPerOp, &mut || {
            time(&mut |state, candidate| {
                black_box(&plan.handle(state, &candidate.event));
            })
        });
    }
    if R::plan().is_maximal() {
        add(name("all_stages_maximal"), Unit::NsPerOp, &mut || {
            time(&mut |state, candidate| {
                black_box(&R::plan().handle(state, &candidate.event));
            })
        });
    }
    let plan = R::plan();
    add(name("by_entry"), Unit::NsPerOp, &mut || {
        time(&mut |state, candidate| {
            let mut next = *state;
            plan.apply(&mut next, candidate);
            black_box(&next);
        })
    });
}

fn measure_games<R: Described>(add: &mut Add<'_>) {
    let start = DescribedGame::<R>::new(&R::Config::default());
    let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
    add(format!("{}/random_games", R::NAME), Unit::GamesPerSecond, &mut || {
        1e9 / ns_per_op(|games| {
            for _ in 0..games {
                let mut game = start;
                playout(&mut game, &mut rng, &mut scratch);
                black_box(&game);
            }
        })
    });
}
