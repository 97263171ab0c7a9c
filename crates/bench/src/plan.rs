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

use crate::{Bench, Unit};

/// Plies per random opening from which events are taken.
const OPENING: usize = 16;
/// Events to cycle through.
const EVENTS: usize = 256;

pub(crate) fn measure(bench: &mut Bench<'_>) {
    measure_events::<ChessRules>(bench);
    measure_events::<BackgammonRules>(bench);
    measure_games::<TicTacToeRules>(bench);
    measure_games::<ConnectFourRules>(bench);
    measure_games::<BreakthroughRules>(bench);
    measure_games::<ChessRules>(bench);
    measure_games::<BackgammonRules>(bench);
}

/// The measured operation on a state and an event.
type Work<'a, R> = dyn FnMut(&<R as RuleSet>::State, &Candidate<<R as RuleSet>::Event>) + 'a;

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

fn measure_events<R: Described>(bench: &mut Bench<'_>) {
    let events = opening_events::<R>();
    // To find the maximal events the tree tries all of them, which would dominate the time;
    // the rules are measured without this constraint first.
    let rules = R::plan().without_maximal();
    let tree = rules.tree();
    let name = |part: &str| format!("{}/event_{part}", R::NAME);
    let time = |bench: &Bench<'_>, work: &mut Work<'_, R>| {
        let mut events = events.iter().cycle();
        bench.ns_per_op(&mut |repetitions| {
            for (state, candidate) in events.by_ref().take(repetitions as usize) {
                work(state, candidate);
            }
        })
    };
    bench.add(name("tree"), Unit::NsPerOp, &mut |bench| {
        time(bench, &mut |state, candidate| {
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
        bench.add(name(part), Unit::NsPerOp, &mut |bench| {
            time(bench, &mut |state, candidate| {
                black_box(&plan.handle(state, &candidate.event));
            })
        });
    }
    if R::plan().is_maximal() {
        bench.add(name("all_stages_maximal"), Unit::NsPerOp, &mut |bench| {
            time(bench, &mut |state, candidate| {
                black_box(&R::plan().handle(state, &candidate.event));
            })
        });
    }
    let plan = R::plan();
    bench.add(name("by_entry"), Unit::NsPerOp, &mut |bench| {
        time(bench, &mut |state, candidate| {
            let mut next = *state;
            plan.apply(&mut next, candidate);
            black_box(&next);
        })
    });
}

fn measure_games<R: Described>(bench: &mut Bench<'_>) {
    let start = DescribedGame::<R>::new(&R::Config::default());
    let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
    bench.add(format!("{}/random_games", R::NAME), Unit::GamesPerSecond, &mut |bench| {
        1e9 / bench.ns_per_op(&mut |games| {
            for _ in 0..games {
                let mut game = start;
                playout(&mut game, &mut rng, &mut scratch);
                black_box(&game);
            }
        })
    });
}
