//! What a vector of tables promises, held against one table played by hand.

use meeple_game::{Action, ActionList, Player, Turn};
use meeple_games::registry::BUILT_IN;
use meeple_vector::{
    Arrays, Autoreset, Encoding, Illegal, Learner, Numbers, Opponent, Questions, VectorError,
    VectorOptions, open,
};

fn seeds(count: usize) -> Vec<u64> {
    (0..count as u64).map(|seed| 1000 + seed).collect()
}

fn against(opponent: &str) -> VectorOptions {
    VectorOptions {
        learner: Learner::Rotating,
        opponents: vec![Opponent::Bot(opponent.parse().expect("a bot"))],
        ..VectorOptions::default()
    }
}

/// Plays random actions and keeps every frame.
fn run(game: &str, options: &VectorOptions, steps: usize) -> Vec<Arrays> {
    let mut env = open(game, None, options).expect("tables");
    let mut arrays = Arrays::new(env.shape());
    env.reset(&seeds(options.tables), None, arrays.frame()).expect("a reset");
    let mut frames = vec![arrays.clone()];
    let mut actions = vec![0; options.tables];
    for _ in 0..steps {
        env.sample(&mut actions).expect("actions");
        env.step(&actions, arrays.frame()).expect("a step");
        frames.push(arrays.clone());
    }
    frames
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for &game in BUILT_IN {
        for options in [VectorOptions::default(), against("random")] {
            let with =
                |threads| run(game, &VectorOptions { tables: 200, threads, ..options.clone() }, 60);
            let one = with(1);
            assert!(with(2) == one && with(3) == one, "{game}");
        }
    }
    let bots = |threads| {
        run("connect-four", &VectorOptions { tables: 5, threads, ..against("mcts:sims=20") }, 30)
    };
    assert!(bots(1) == bots(3));
}

/// Self-play without chance is one position played by hand, table by table.
#[test]
fn tables_show_what_a_position_shows() {
    for game in ["tic-tac-toe", "connect-four", "breakthrough", "chess"] {
        let options = VectorOptions {
            tables: 3,
            encoding: Some(Encoding::Int32),
            ..VectorOptions::default()
        };
        let mut env = open(game, None, &options).unwrap();
        let shape = *env.shape();
        let mut arrays = Arrays::new(&shape);
        env.reset(&seeds(3), None, arrays.frame()).unwrap();
        let first = meeple_bots::open(game, None).unwrap();
        let mut positions = vec![first.copy(); 3];
        let mut actions = [0; 3];
        let mut listed = ActionList::new();
        let mut ended = 0;
        for _ in 0..300 {
            env.sample(&mut actions).unwrap();
            env.step(&actions, arrays.frame()).unwrap();
            for (at, position) in positions.iter_mut().enumerate() {
                let Turn::Player(mover) = position.turn() else {
                    *position = first.copy();
                    assert!(!arrays.terminated[at], "{game}: a new game");
                    continue;
                };
                position.try_apply(Action(actions[at] as u16)).unwrap();
                let is_over = position.turn() == Turn::Over;
                assert_eq!(arrays.terminated[at], is_over);
                let viewer = match position.turn() {
                    Turn::Player(seat) => seat,
                    _ => mover,
                };
                let mut seen = vec![0; shape.width];
                position.observe(viewer, &mut seen);
                let Numbers::Int32(cells) = &arrays.observations else { panic!("int32") };
                assert_eq!(cells[at * shape.width..(at + 1) * shape.width], seen, "{game}");
                position.legal_actions(&mut listed);
                let mask = &arrays.masks[at * shape.actions..(at + 1) * shape.actions];
                let legal = listed.iter().filter(|action| mask[action.index()]).count();
                assert_eq!(legal, listed.len());
                assert_eq!(mask.iter().filter(|&&legal| legal).count(), listed.len());
                assert_eq!(arrays.rewards[2 * at..2 * at + 2], position.payoffs()[..2]);
                assert_eq!(arrays.seats[at], if is_over { -1 } else { viewer.0 as i8 });
                ended += u32::from(is_over);
            }
        }
        assert!(ended > 0 || game == "chess", "{game}: games end");
    }
}

#[test]
fn every_reset_deals_anew_and_a_seed_deals_again() {
    let options = VectorOptions { tables: 4, ..VectorOptions::default() };
    let mut env = open("knockout-whist", None, &options).unwrap();
    let mut arrays = Arrays::new(env.shape());
    let mut dealt = |seeds: &[u64]| {
        env.reset(seeds, None, arrays.frame()).unwrap();
        arrays.observations.clone()
    };
    let first = dealt(&seeds(4));
    let again: Vec<Numbers> = (0..20).map(|_| dealt(&[])).collect();
    assert!(again.iter().all(|later| *later != first));
    assert_eq!(dealt(&seeds(4)), first);
    assert_eq!(dealt(&[]), again[0]);
    let Numbers::Int8(same) = dealt(&[5; 4]) else { panic!("cards fit a byte") };
    assert_eq!(same[..same.len() / 4], same[same.len() / 4..same.len() / 2], "one seed, one deal");
}

/// The modes differ in when a new game begins and in nothing else.
#[test]
fn the_three_ways_to_begin_again() {
    let options = |autoreset| VectorOptions { tables: 6, autoreset, ..against("random") };
    let mut next = open("pig", None, &options(Autoreset::NextStep)).unwrap();
    let mut same = open("pig", None, &options(Autoreset::SameStep)).unwrap();
    let mut manual = open("pig", None, &options(Autoreset::Disabled)).unwrap();
    let mut arrays: Vec<Arrays> = (0..3).map(|_| Arrays::new(next.shape())).collect();
    for (env, arrays) in [&mut next, &mut same, &mut manual].into_iter().zip(&mut arrays) {
        env.reset(&seeds(6), None, arrays.frame()).unwrap();
    }
    let mut actions = [0; 6];
    let mut ends = 0;
    for _ in 0..400 {
        manual.sample(&mut actions).unwrap();
        manual.step(&actions, arrays[2].frame()).unwrap();
        same.step(&actions, arrays[1].frame()).unwrap();
        next.step(&actions, arrays[0].frame()).unwrap();
        assert_eq!(arrays[1].terminated, arrays[2].terminated);
        assert_eq!(arrays[1].rewards, arrays[2].rewards);
        assert_eq!(arrays[0].terminated, arrays[2].terminated);
        let done = arrays[2].terminated.clone();
        let Some(table) = done.iter().position(|&done| done) else { continue };
        ends += 1;
        // At the end one has moved on, and two show the end.
        assert_eq!(arrays[0].observations, arrays[2].observations);
        assert_ne!(arrays[1].observations, arrays[2].observations);
        let width = next.shape().width;
        let row = |numbers: &Numbers| match numbers {
            Numbers::Int16(cells) => cells[table * width..(table + 1) * width].to_vec(),
            _ => panic!("the scores of pig fit two bytes"),
        };
        assert_eq!(row(&arrays[1].finals), row(&arrays[2].observations));
        assert_eq!(
            manual.step(&actions, arrays[2].frame()),
            Err(VectorError::Ended { table }),
            "without automatic reset"
        );
        // Bring all to new games, so that they can be compared again.
        manual.reset(&[], None, arrays[2].frame()).unwrap();
        next.reset(&[], None, arrays[0].frame()).unwrap();
        let others: Vec<bool> = done.iter().map(|done| !done).collect();
        same.reset(&[], Some(&others), arrays[1].frame()).unwrap();
        assert_eq!(arrays[1].observations, arrays[2].observations);
        assert_eq!(arrays[0].observations, arrays[2].observations);
    }
    assert!(ends > 5, "{ends}");
}

/// Opponents outside who answer as the bot would see what it sees.
#[test]
fn opponents_outside_are_asked_in_batches() {
    let tables = 9;
    let options = VectorOptions { tables, opponents: vec![Opponent::Outside], ..against("random") };
    let mut env = open("knockout-whist", Some(r#"{"players": 3}"#), &options).unwrap();
    let shape = *env.shape();
    let mut arrays = Arrays::new(&shape);
    let mut waiting = env.reset(&seeds(tables), None, arrays.frame()).unwrap();
    let mut actions = vec![0; tables];
    let (mut asked, mut ended) = (0, 0);
    for _ in 0..200 {
        while waiting > 0 {
            assert_eq!(env.waiting(), waiting);
            assert_eq!(env.step(&actions, arrays.frame()), Err(VectorError::Waiting(waiting)));
            let mut cells = Numbers::new(shape.encoding, waiting * shape.width);
            let mut masks = vec![false; waiting * shape.actions];
            let (mut seats, mut at) = (vec![0; waiting], vec![0; waiting]);
            env.questions(Questions {
                observations: cells.cells(),
                masks: &mut masks,
                seats: &mut seats,
                tables: &mut at,
            })
            .unwrap();
            let first = |row: usize| {
                let mask = &masks[row * shape.actions..(row + 1) * shape.actions];
                mask.iter().position(|&legal| legal).unwrap() as i64
            };
            let answers: Vec<i64> = (0..waiting).map(first).collect();
            let mut wrong = answers.clone();
            wrong[waiting - 1] = 9999;
            assert!(env.answer(&wrong, arrays.frame()).is_err());
            asked += waiting;
            waiting = env.answer(&answers, arrays.frame()).unwrap();
        }
        ended += arrays.terminated.iter().filter(|&&end| end).count();
        assert!(arrays.terminated.iter().zip(&arrays.seats).all(|(end, seat)| *end == (*seat < 0)));
        env.sample(&mut actions).unwrap();
        waiting = env.step(&actions, arrays.frame()).unwrap();
    }
    assert!(asked > 1000 && ended > 10, "{asked} {ended}");
}

#[test]
fn a_refused_step_leaves_every_table_as_it_was() {
    let options = VectorOptions { tables: 70, threads: 2, ..VectorOptions::default() };
    let mut env = open("connect-four", None, &options).unwrap();
    let mut arrays = Arrays::new(env.shape());
    assert_eq!(env.step(&[0; 70], arrays.frame()), Err(VectorError::NotReset));
    env.reset(&seeds(70), None, arrays.frame()).unwrap();
    for _ in 0..6 {
        env.step(&[3; 70], arrays.frame()).unwrap();
    }
    let mut actions = vec![2; 70];
    actions[66] = 3;
    let error = env.step(&actions, arrays.frame()).unwrap_err().to_string();
    let expected = "table 66: action 3 is not legal here, expected one of 0, 1, 2, 4, 5, 6";
    assert_eq!(error, expected);
    actions[66] = -1;
    let error = env.step(&actions, arrays.frame()).unwrap_err().to_string();
    assert_eq!(error, "table 66: action -1 is out of range, expected 0 to 6");
    assert!(env.step(&actions[1..], arrays.frame()).is_err());
    let before = env.text(0).unwrap();
    assert!(before.matches(['x', 'o', 'X', 'O']).count() >= 6, "{before}");
    assert!(matches!(env.text(70), Err(VectorError::NoTable { .. })));
}

#[test]
fn an_illegal_action_may_lose_and_long_games_may_be_cut() {
    let options = VectorOptions { tables: 1, illegal: Illegal::Lose, ..VectorOptions::default() };
    let mut env = open("tic-tac-toe", None, &options).unwrap();
    let mut arrays = Arrays::new(env.shape());
    env.reset(&[1], None, arrays.frame()).unwrap();
    env.step(&[4], arrays.frame()).unwrap();
    env.step(&[4], arrays.frame()).unwrap();
    assert_eq!((arrays.terminated[0], &arrays.rewards[..]), (true, &[1.0, -1.0][..]));
    assert!(env.step(&[9], arrays.frame()).is_err(), "out of range is never a move");

    let options = VectorOptions { max_steps: Some(3), ..against("random") };
    let mut env = open("connect-four", None, &options).unwrap();
    let mut arrays = Arrays::new(env.shape());
    env.reset(&[1], None, arrays.frame()).unwrap();
    let cut: Vec<bool> = (0..8)
        .map(|_| {
            let mut actions = [0];
            env.sample(&mut actions).unwrap();
            env.step(&actions, arrays.frame()).unwrap();
            arrays.truncated[0]
        })
        .collect();
    assert_eq!(cut, [false, false, true, false, false, false, true, false]);
}

#[test]
fn who_cannot_sit_there_is_refused() {
    let refused = |game: &str, options: VectorOptions, expected: &str| {
        let error = open(game, None, &options).err().expect("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused("shogi", VectorOptions::default(), "unknown game");
    refused("pig", VectorOptions { tables: 0, ..Default::default() }, "at least 1");
    refused("kuhn", against("greedy"), "no heuristic evaluation");
    refused("chess", against("uci:command=none"), "other programs");
    let options = VectorOptions { learner: Learner::Seat(2), ..against("random") };
    refused("chess", options, "seat is 2, expected 0 to 1");
    let options = VectorOptions { opponents: vec![Opponent::Outside], ..Default::default() };
    refused("chess", options, "expected none");
    let options = VectorOptions { encoding: Some(Encoding::Int8), ..Default::default() };
    refused("stone-age", options, "expected int16");
}

/// Every seat is the learner's in turn, and wins are its own.
#[test]
fn a_rotating_learner_is_paid_for_its_own_seat() {
    let options = VectorOptions {
        tables: 64,
        learner: Learner::Rotating,
        opponents: vec![Opponent::Bot("mcts:sims=30".parse().unwrap())],
        ..VectorOptions::default()
    };
    let frames = run("tic-tac-toe", &options, 40);
    let mut seats = [0; 2];
    let mut paid = 0.0;
    for frame in &frames {
        for (&seat, &reward) in frame.seats.iter().zip(&frame.rewards) {
            if seat >= 0 {
                seats[Player(seat as u8).index()] += 1;
            }
            paid += reward;
        }
    }
    assert!(seats[0] > 500 && seats[1] > 500, "{seats:?}");
    assert!(paid < -50.0, "random play loses to a search: {paid}");
}

#[test]
fn searching_opponents_are_interrupted_and_tables_are_reset_then() {
    let options = VectorOptions { tables: 2, ..against("mcts:sims=100000000,full_budget=yes") };
    let options = VectorOptions { learner: Learner::Seat(1), ..options };
    let mut env = open("connect-four", None, &options).unwrap();
    let mut arrays = Arrays::new(env.shape());
    let stop = env.stop_flag();
    let refused = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            stop.stop();
        });
        env.reset(&seeds(2), None, arrays.frame())
    });
    assert_eq!(refused, Err(VectorError::Stopped));
    assert_eq!(env.step(&[0, 0], arrays.frame()), Err(VectorError::NotReset));
    assert!(!env.stop_flag().is_stopped(), "the next reset is not interrupted");
}

#[test]
fn more_tables_than_memory_holds_are_refused() {
    let options = VectorOptions { tables: 1 << 50, ..VectorOptions::default() };
    let refused = open("connect-four", None, &options).err();
    assert!(matches!(refused, Some(VectorError::Memory { .. })), "{refused:?}");
}

#[test]
fn tables_are_written_down_and_made_again() {
    for (game, opponent) in [
        ("connect-four", "mcts:sims=20"),
        ("backgammon", "random"),
        ("leduc", "mcts-ismcts:sims=20"),
        ("pig", "random"),
    ] {
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
            let options = VectorOptions { tables: 5, autoreset, ..against(opponent) };
            let options = VectorOptions { illegal: Illegal::Lose, max_steps: Some(6), ..options };
            let mut env = open(game, None, &options).unwrap();
            let mut arrays = Arrays::new(env.shape());
            assert!(env.snapshot().unwrap().is_empty(), "nothing has begun");
            env.reset(&seeds(5), None, arrays.frame()).unwrap();
            let mut actions = vec![0; 5];
            for step in 0..40 {
                let mut other = open(game, None, &options).unwrap();
                other.restore(&env.snapshot().unwrap()).unwrap();
                let mut theirs = arrays.clone();
                let mut chosen = vec![0; 5];
                env.sample(&mut actions).unwrap();
                other.sample(&mut chosen).unwrap();
                assert_eq!(actions, chosen, "{game}, step {step}");
                if step % 7 == 3 {
                    actions[0] = 0;
                }
                env.step(&actions, arrays.frame()).unwrap();
                other.step(&actions, theirs.frame()).unwrap();
                assert_eq!(arrays, theirs, "{game} against {opponent}, step {step}");
            }
        }
    }
    let clock = VectorOptions { tables: 1, ..against("mcts:ms=1") };
    let mut env = open("connect-four", None, &clock).unwrap();
    let mut arrays = Arrays::new(env.shape());
    env.reset(&[1], None, arrays.frame()).unwrap();
    assert!(matches!(env.snapshot(), Err(VectorError::Unrepeatable(_))));
}
