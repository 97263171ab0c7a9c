//! End-to-end tests of experiments: results are identical bytes for any number of threads and
//! interruptions, and invalid input gives clear errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use meeple_arena::{
    BotSummary, Conducted, Experiment, Record, Replay, RunError, RunOptions, RunProgress, Scoring,
    Simulation, TableSummary, Winnings, WinningsUnit, conduct, read_experiment, simulate,
};
use meeple_bots::{BotSpec, Cause, open_value};
use meeple_game::Turn;
use meeple_report::experiment_page;
use meeple_stats::Verdict;
use serde_json::{Value, json};

fn experiment(value: &Value) -> Experiment {
    let text = serde_json::to_string_pretty(value).expect("it is JSON");
    read_experiment("test.json".as_ref(), &text).unwrap_or_else(|mistake| panic!("{mistake}"))
}

fn options(folder: &Path, threads: usize) -> RunOptions {
    RunOptions { folder: Some(folder.to_owned()), threads, fresh: false }
}

fn run(value: &Value, folder: &Path, threads: usize) -> Conducted {
    conduct(&experiment(value), &options(folder, threads), &RunProgress::default(), experiment_page)
        .expect("it runs")
}

/// All files of a run except those that contain times.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("timing.json") && !path.ends_with("report.html") {
                let name = path.strip_prefix(folder).expect("it is inside").to_owned();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

#[track_caller]
fn same(first: &Path, second: &Path) {
    let (first, second) = (files(first), files(second));
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    for (name, bytes) in &first {
        assert!(*bytes == second[name], "{} differs", name.display());
    }
}

/// One experiment for each task, covering chance, imperfect information, three seats and several
/// tables.
fn every_task() -> Vec<Value> {
    let with = |name: &str, rest: Value| {
        let mut value =
            json!({"name": name, "seed": 5, "tables": ["pig"], "bots": ["mcts:sims=8", "random"]});
        value
            .as_object_mut()
            .expect("an object")
            .extend(rest.as_object().expect("an object").clone());
        value
    };
    vec![
        with("simulate", json!({
            "tables": [{"game": "pig", "configs": [{"players": 3}, {"players": 3, "goal": 30}], "draw": "by-seed"}],
            "bots": ["mcts:sims=8", "random", "random"],
            "task": {"simulate": {"games": 40}},
            "output": {"analysis": true},
        })),
        with("tournament", json!({
            "tables": ["kuhn", "tic-tac-toe", {"game": "connect-four", "bots": ["greedy", "random"]}],
            "bots": ["mcts-ismcts:sims=20", "flat:playouts=2", "random"],
            "task": {"tournament": {"games": 30, "anchor": "random"}},
        }))
        .also(|value| {
            value["tables"][2]["bots"] = json!(["greedy", "random"]);
        }),
        with("gauntlet", json!({
            "bots": ["random", "flat:playouts=1", "flat:playouts=2"],
            "task": {"tournament": {"games": 300, "schedule": "gauntlet"}},
        })),
        with("sprt", json!({
            "tables": ["tic-tac-toe"],
            "task": {"sprt": {"elo0": 0, "elo1": 100, "games": 2000}},
        })),
        with("tune", json!({
            "tables": ["tic-tac-toe"],
            "bots": ["mcts:sims=4"],
            "task": {"tune": {"method": "evolution", "population": 3, "rounds": 2, "games": 10,
                "validation_games": 10, "parameters": {"sims": {"values": [1, 4, 30]}, "c": {"range": [0.5, 1.5, 0.5]}}}},
        })),
        with("collect", json!({
            "tables": ["leduc", "tic-tac-toe"],
            "bots": ["mcts-ismcts:sims=10"],
            "task": {"collect": {"games": 30, "shard_games": 8}},
        })),
        with("limit", json!({
            "tables": [{"game": "pig", "limit": 15}, {"game": "leduc", "limit": 3}],
            "bots": ["random", "mcts-ismcts:sims=5"],
            "task": {"tournament": {"games": 40}},
        })),
        with("benchmark", json!({"task": {"benchmark": {"games": 200}}})),
    ]
}

trait Also: Sized {
    fn also(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Also for Value {}

#[test]
fn threads_change_no_byte() {
    for value in every_task() {
        let folder = tempfile::tempdir().unwrap();
        let [one, three] = ["one", "three"].map(|name| folder.path().join(name));
        let conducted = run(&value, &one, 1);
        assert!(conducted.summary.finished && conducted.summary.games > 0, "{}", value["name"]);
        run(&value, &three, 3);
        same(&one, &three);
        // A second run plays no game and changes no file.
        let again = run(&value, &three, 2);
        assert_eq!(again.resumed, conducted.summary.games);
        same(&one, &three);
    }
}

#[test]
fn interruptions_change_no_byte() {
    for value in every_task() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        run(&value, &whole, 2);
        let experiment = experiment(&value);
        let mut stops = 0;
        // Each attempt finishes more games before it is stopped, so that the run ends.
        for attempt in 1..30 {
            let progress = RunProgress::stopping_after(3 * attempt * attempt);
            let conducted =
                conduct(&experiment, &options(&parts, 2), &progress, experiment_page).unwrap();
            if conducted.summary.finished {
                break;
            }
            stops += 1;
            // Simulates a power failure in the middle of a line.
            let games = parts.join("games.jsonl");
            let mut bytes = fs::read(&games).unwrap();
            bytes.extend_from_slice(b"{\"game\":99,\"sta");
            fs::write(&games, bytes).unwrap();
        }
        assert!(stops > 0, "{} was never stopped", value["name"]);
        same(&whole, &parts);
    }
}

/// Replays that are missing, truncated or altered are regenerated.
#[test]
fn damaged_replays_are_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, damaged] = ["whole", "damaged"].map(|name| folder.path().join(name));
    let value = json!({"name": "replays", "seed": 4, "tables": ["tic-tac-toe", "pig"],
        "bots": ["mcts:sims=8", "random", "flat:playouts=2"],
        "task": {"tournament": {"games": 6}}, "output": {"replays": 4}});
    run(&value, &whole, 2);
    run(&value, &damaged, 2);
    let replay = |game: u64| damaged.join(format!("replays/{game:07}.json"));
    let games = fs::read_to_string(whole.join("games.jsonl")).unwrap();
    let of_pig = games.lines().position(|line| line.contains("\"table\":1")).unwrap() as u64;
    fs::remove_file(replay(0)).unwrap();
    let text = fs::read_to_string(replay(2)).unwrap();
    fs::write(replay(2), &text[..text.len() / 2]).unwrap();
    let mut other = Replay::from_json(&fs::read_to_string(replay(of_pig)).unwrap()).unwrap();
    other.actions.pop();
    fs::write(replay(of_pig), other.to_json()).unwrap();
    let again = run(&value, &damaged, 2);
    assert_eq!(again.resumed, again.summary.games, "no game is played for its result");
    same(&whole, &damaged);
}

/// A bot with a time limit is not repeatable, so a damaged replay is removed, not regenerated.
#[test]
fn damaged_replays_that_do_not_repeat_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let value = json!({"name": "clock", "tables": ["tic-tac-toe"],
        "bots": ["mcts:sims=8,ms=1000", "random"], "task": {"tournament": {"games": 4}}});
    run(&value, folder.path(), 1);
    let replay = |game: u64| folder.path().join(format!("replays/{game:07}.json"));
    fs::write(replay(0), "{").unwrap();
    run(&value, folder.path(), 1);
    assert!(!replay(0).exists() && replay(1).exists());
}

#[test]
fn blocks_share_their_luck_and_seats_rotate() {
    let folder = tempfile::tempdir().unwrap();
    let value = &every_task()[0];
    run(value, folder.path(), 2);
    let text = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let records: Vec<Record> = text.lines().map(|line| Record::from_line(line).unwrap()).collect();
    assert_eq!(records.len(), 42, "forty, in whole blocks of three");
    for block in records.chunks(3) {
        assert!(
            block
                .iter()
                .all(|record| (record.seed, record.config) == (block[0].seed, block[0].config))
        );
        for seat in 0..3 {
            let there = block.iter().filter(|record| record.bots[seat] == "mcts:sims=8").count();
            assert_eq!(there, 1);
        }
    }
    let seeds: std::collections::BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
    assert_eq!(seeds.len(), 14);
    let configs: std::collections::BTreeSet<u32> =
        records.iter().map(|record| record.config).collect();
    assert_eq!(configs.len(), 2, "both configurations are drawn");
    // Games of a block share their chance events: the first roll does not depend on the seating.
    let first_roll = |game: u64| {
        let file = folder.path().join(format!("replays/{game:07}.json"));
        let replay = Replay::from_json(&fs::read_to_string(file).unwrap()).unwrap();
        let frames = replay.frames().unwrap();
        assert_eq!(frames.last().unwrap().state.payoffs()[..3], replay.payoffs);
        assert!(replay.analysis.values().all(|analysis| analysis.iterations == 8));
        assert!(!replay.analysis.is_empty());
        let rolled = frames.iter().find(|frame| frame.by().as_deref() == Some("chance"));
        rolled.and_then(|frame| frame.action)
    };
    assert!(first_roll(0).is_some());
    assert_eq!(first_roll(0), first_roll(1));
}

/// A game that reaches the decision limit is recorded as a draw and marked as cut. A game that
/// ends before the limit keeps its result.
#[test]
fn games_are_broken_off_at_their_limit() {
    use safetensors::SafeTensors;

    let folder = tempfile::tempdir().unwrap();
    let value = json!({
        "name": "limit", "tables": [{"game": "connect-four", "limit": 12}],
        "bots": ["greedy", "random"], "task": {"collect": {"games": 60}},
        "output": {"replays": 60},
    });
    let Conducted { summary, .. } = run(&value, folder.path(), 2);
    let text = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let records: Vec<Record> = text.lines().map(|line| Record::from_line(line).unwrap()).collect();
    let cut = records.iter().filter(|record| record.cut).count();
    assert!(0 < cut && cut < 60, "{cut} of 60 were broken off");
    assert_eq!((summary.cut, summary.games), (cut as u64, 60));
    for record in &records {
        assert_eq!(record.cut, record.payoffs == [0.0, 0.0], "no row of four in twelve, no result");
        assert!(record.decisions <= 12 && (!record.cut || record.decisions == 12));
        let replay = folder.path().join(format!("replays/{:07}.json", record.game));
        let replay = Replay::from_json(&fs::read_to_string(replay).unwrap()).unwrap();
        let last = replay.frames().unwrap().pop().unwrap().state;
        assert_eq!(record.cut, last.turn() != Turn::Over);
    }
    let samples = fs::read(folder.path().join("samples/0-00000.safetensors")).unwrap();
    let samples = SafeTensors::deserialize(&samples).unwrap();
    let marked = samples.tensor("cut").unwrap().data().iter().filter(|&&cut| cut == 1).count();
    assert_eq!(marked, 12 * cut, "every decision of a game that was broken off");
}

#[test]
fn the_stronger_bot_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = every_task();
    let tested = run(&tasks[3], &folder.path().join("sprt"), 2).summary;
    let test = tested.test.unwrap();
    assert_eq!(test.verdict, Verdict::AcceptElo1);
    assert!(tested.games < 200, "stopped when decided, after {} games", tested.games);
    assert!(test.ratio >= test.upper);
    let tuned = run(&tasks[4], &folder.path().join("tune"), 2).summary.tuned.unwrap();
    assert_eq!(tuned.found.options["sims"], 30);
    assert!(tuned.validation.unwrap().score > 0.5);
    let rated = run(&tasks[1], &folder.path().join("rated"), 2).summary;
    let names: Vec<&str> = rated.tables[2].bots.iter().map(|bot| bot.label.as_str()).collect();
    assert_eq!(names, ["greedy", "random"]);
    assert_eq!(rated.tables[0].anchor.as_deref(), Some("random"));
}

/// A few large pots outweigh many small ones: the bot that wins the most hands need not win the
/// most chips.
#[test]
fn games_for_stakes_are_ranked_by_what_is_won() {
    let folder = tempfile::tempdir().unwrap();
    let mut value = json!({
        "name": "stakes", "seed": 2, "tables": ["leduc"],
        "bots": ["random", "mcts-ismcts:sims=100", "flat:playouts=10"],
        "task": {"tournament": {"games": 400}},
    });
    let by_payoff = run(&value, &folder.path().join("payoff"), 2).summary;
    let table = &by_payoff.tables[0];
    assert_eq!(table.scoring, Scoring::Payoff);
    let won = |bot: &BotSummary| bot.winnings.expect("chips").mean;
    assert!(table.bots.windows(2).all(|pair| won(&pair[0]) >= won(&pair[1])), "{table:?}");
    for bot in &table.bots {
        let Winnings { unit, mean, interval } = bot.winnings.unwrap();
        assert_eq!(unit, WinningsUnit::Chips);
        assert!((mean - 13.0 * bot.all.mean_payoff).abs() < 1e-9, "a payoff of 1 is 13 chips");
        assert!(interval.ci_low < mean && mean < interval.ci_high);
    }
    let sum: f64 = table.bots.iter().map(won).sum();
    assert!(sum.abs() < 1e-9, "what one wins another loses");
    // The scoring of the experiment overrides the default of the game.
    value["scoring"] = json!("wins");
    let by_wins = run(&value, &folder.path().join("wins"), 2).summary;
    assert_eq!(by_wins.tables[0].scoring, Scoring::Wins);
    assert_eq!(
        won(&by_wins.tables[0].bots[0]),
        won(bot_of(&by_wins.tables[0].bots[0].label, table))
    );

    let mixed = json!({
        "name": "mixed", "tables": ["kuhn", "pig"], "bots": ["random", "mcts:sims=5"],
        "task": {"sprt": {"games": 10}},
    });
    let refused = read_experiment("mixed.json".as_ref(), &mixed.to_string()).unwrap_err();
    assert_eq!(refused.field, "scoring");
}

fn bot_of<'a>(label: &str, table: &'a TableSummary) -> &'a BotSummary {
    table.bots.iter().find(|bot| bot.label == label).expect("it played")
}

#[test]
fn samples_are_what_was_played() {
    use safetensors::SafeTensors;

    let folder = tempfile::tempdir().unwrap();
    let conducted = run(&every_task()[5], folder.path(), 2);
    let mut samples = 0;
    for table in 0..2 {
        for number in 0..4 {
            let file = folder.path().join(format!("samples/{table}-{number:05}.safetensors"));
            let bytes = fs::read(&file).unwrap();
            let tensors = SafeTensors::deserialize(&bytes).unwrap();
            let shape = |name: &str| tensors.tensor(name).unwrap().shape().to_vec();
            let count = shape("actions")[0];
            samples += count;
            assert_eq!(shape("observations")[0], count);
            assert_eq!(shape("outcomes"), [count, 2]);
            let floats = |name: &str| -> Vec<f32> {
                let data = tensors.tensor(name).unwrap();
                let chunks = data.data().chunks_exact(4);
                chunks.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
            };
            let shorts = |name: &str| -> Vec<usize> {
                let data = tensors.tensor(name).unwrap();
                let chunks = data.data().chunks_exact(2);
                chunks
                    .map(|bytes| usize::from(u16::from_le_bytes(bytes.try_into().unwrap())))
                    .collect()
            };
            let starts = tensors.tensor("legal_starts").unwrap();
            let starts: Vec<usize> = (starts.data().chunks_exact(4))
                .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()) as usize)
                .collect();
            let (policy, legal, chosen) =
                (floats("legal_policy"), shorts("legal_actions"), shorts("actions"));
            for at in 0..count {
                let here = starts[at]..starts[at + 1];
                let sum: f32 = policy[here.clone()].iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "a policy sums to one, not to {sum}");
                assert!(legal[here].contains(&chosen[at]));
            }
            for pair in floats("outcomes").chunks(2) {
                assert!((pair[0] + pair[1]).abs() < 1e-6, "what one wins the other loses");
            }
        }
    }
    assert_eq!(conducted.summary.samples, Some(samples as u64));
}

#[test]
fn folders_of_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let value = json!({"name": "one", "tables": ["kuhn"], "bots": ["random"], "task": {"simulate": {"games": 6}}});
    run(&value, &path, 1);
    let refused = |value: &Value| {
        conduct(&experiment(value), &options(&path, 1), &RunProgress::default(), experiment_page)
            .unwrap_err()
    };
    let other = value.clone().also(|value| value["seed"] = json!(7));
    assert!(matches!(refused(&other), RunError::Different { field, .. } if field == "seed"));

    let games = path.join("games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    let damaged = text.replacen("\"block\":1", "\"block\":2", 1);
    fs::write(&games, damaged).unwrap();
    assert!(matches!(refused(&value), RunError::Damaged { line: 3, .. }));
    fs::write(&games, text).unwrap();

    let about = path.join("experiment.json");
    let text = fs::read_to_string(&about).unwrap();
    fs::write(&about, text.replace("\"meeple_run\": 1", "\"meeple_run\": 9")).unwrap();
    let error = refused(&value);
    assert!(error.to_string().contains("is a run of version 9, and this program writes version 1"));

    let fresh = RunOptions { fresh: true, ..options(&path, 1) };
    assert!(
        conduct(&experiment(&other), &fresh, &RunProgress::default(), experiment_page)
            .unwrap()
            .summary
            .finished
    );

    let strange = folder.path().join("strange");
    fs::create_dir(&strange).unwrap();
    fs::write(strange.join("letter.txt"), "dear").unwrap();
    for fresh in [false, true] {
        let options = RunOptions { fresh, ..options(&strange, 1) };
        let error =
            conduct(&experiment(&value), &options, &RunProgress::default(), experiment_page)
                .unwrap_err();
        assert!(matches!(error, RunError::Occupied { .. }));
    }
    assert!(strange.join("letter.txt").exists(), "what is not ours stays");
}

/// Two players who only play lands exceed the maximum number of permanents of a state. Such games
/// are drawn, counted as faults, and record the reason.
#[test]
fn games_that_meet_a_bound_are_counted() {
    let lands = json!({"name": "lands", "cards": {"Plains": 100}});
    let config = json!({"decks": [lands, lands], "stops": true, "mulligan": false});
    let value = json!({"name": "lands", "tables": [{"game": "magic", "config": config}],
        "bots": ["random", "greedy"], "task": {"tournament": {"games": 2}}});
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let summary = run(&value, &out, 1).summary;
    assert_eq!((summary.games, summary.faults, summary.cut), (2, 2, 0));
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("<dt>faults</dt><dd>2</dd>"));
    for line in fs::read_to_string(out.join("games.jsonl")).unwrap().lines() {
        let record = Record::from_line(line).unwrap();
        assert_eq!(record.fault.as_deref(), Some("more permanents than a state holds"));
        assert_eq!(record.payoffs, [0.0, 0.0]);
    }

    let table = open_value("magic", &config).unwrap();
    for bots in [vec![BotSpec::Random], vec!["greedy".parse().unwrap()]] {
        let simulation = Simulation { games: 2, threads: 1, bots, ..Simulation::default() };
        let tally = simulate(&*table, &simulation, &RunProgress::default()).unwrap();
        assert_eq!((tally.games, tally.faults, tally.seats[0].ties), (2, 2, 2));
    }
}

/// The example bot of the documentation plays against random play and against programs that
/// misbehave. Those forfeit, and the reason is recorded.
#[cfg(unix)]
#[test]
fn programs_play_or_forfeit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let example = root.join("examples/random_bot.py");
    let folder = tempfile::tempdir().unwrap();
    let program = |label: &str, command: &str, time: u32| json!({"bot": "program", "label": label, "options": {"command": command, "time": time}});
    let shell = |label: &str, then: &str, time: u32| {
        let script = folder.path().join(format!("{label}.sh"));
        fs::write(&script, format!("read hello\necho '{{\"type\":\"ready\"}}'\n{then}\n")).unwrap();
        program(label, &format!("sh '{}'", script.display()), time)
    };
    let bots = json!([
        program("good", &format!("python3 '{}'", example.display()), 10_000),
        "random",
        shell("crash", "read begin; read question; echo out of tea >&2; exit 3", 5000),
        // Answers before it receives a question.
        shell("hasty", r#"while :; do echo '{"action":77}'; done"#, 5000),
        shell("late", "exec sleep 30", 100),
        shell("illegal", r#"read begin; while read x; do echo '{"action":77}'; done"#, 5000),
        shell("nonsense", "read begin; while read x; do echo hello; done", 5000),
    ]);
    let value = json!({"name": "programs", "tables": ["tic-tac-toe"], "bots": bots,
        "task": {"tournament": {"games": 4, "schedule": "gauntlet"}}});
    let out = folder.path().join("out");
    let summary = run(&value, &out, 2).summary;
    assert!(!summary.repeatable);
    assert_eq!(summary.forfeits, 20);
    let crash = summary.forfeit_causes.iter().find(|entry| entry.bot == "crash").unwrap();
    assert_eq!((crash.games, &crash.first.stderr[..]), (4, &["out of tea".to_owned()][..]));
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("crash forfeited 4 games") && report.contains("out of tea"));
    let text = fs::read_to_string(out.join("games.jsonl")).unwrap();
    for line in text.lines() {
        let record = Record::from_line(line).unwrap();
        let at = |label: &str| record.bots.iter().position(|bot| bot == label);
        for (label, cause) in [
            ("crash", "crashed: its output ended, exit status: 3; stderr: out of tea"),
            ("late", "took too long"),
            ("illegal", "illegal move"),
            ("nonsense", "nonsense"),
        ] {
            if let Some(seat) = at(label) {
                let lost = record.forfeit.as_ref().unwrap();
                assert_eq!(usize::from(lost.seat), seat, "{label}: {lost:?}");
                assert!(lost.reason.to_string().starts_with(cause), "{label}: {lost:?}");
                assert_eq!(record.payoffs[seat], -1.0);
            }
        }
        if at("random").is_some() {
            assert_eq!(record.forfeit, None);
        }
        if let Some(seat) = at("hasty") {
            // Its first answer may arrive after the question, and is then an illegal move.
            let lost = record.forfeit.as_ref().unwrap();
            assert_eq!(usize::from(lost.seat), seat, "{lost:?}");
            assert!(matches!(lost.reason.cause, Cause::Nonsense | Cause::IllegalMove));
        }
    }
    let nowhere = json!({"name": "none", "tables": ["kuhn"],
        "bots": [program("x", "no-such-program-here", 100), "random"], "task": {"simulate": {"games": 2}}});
    let path = folder.path().join("nowhere");
    let error = conduct(
        &experiment(&nowhere),
        &options(&path, 1),
        &RunProgress::default(),
        experiment_page,
    );
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("the program \"no-such-program-here\" does not start"), "{error}");
}
