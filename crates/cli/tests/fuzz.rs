//! The fuzz targets on the corpus and on mutated examples: a short deterministic fuzz run in
//! every test.

#[allow(unreachable_pub, reason = "a library where the fuzz targets use it")]
#[path = "../../../fuzz/src/lib.rs"]
mod entries;

use std::fs;
use std::path::Path;

use meeple_arena::{SampleLayout, Samples};
use meeple_bots::open;
use meeple_game::{Action, Game, Player, Rng};
use meeple_games::registry::BUILT_IN;
use meeple_games::small::{Kuhn, TicTacToe};
use meeple_net::{Network, Shape, TrainOptions, Trainer};
use meeple_train::{PlayedGame, read_journal, write_journal};

/// Mutated inputs per target.
const MUTATIONS: u64 = 3000;

/// Returns the corpus of a target; empty before fuzzing was first run.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let Ok(files) = fs::read_dir(&folder) else { return Vec::new() };
    files.map(|file| fs::read(file.expect("a file").path()).expect("a file")).collect()
}

/// Writes the examples to the corpus of libFuzzer.
fn seed_corpus(name: &str, examples: &[&[u8]]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    for (number, example) in examples.iter().enumerate() {
        fs::write(folder.join(format!("example-{number}")), example).expect("a file");
    }
}

/// Runs the target `name` on its corpus, on all examples, and on mutations of them.
fn check(name: &str, examples: &[&[u8]]) {
    let entry = entries::ENTRIES.iter().find(|(known, _)| *known == name);
    let (_, entry) = entry.unwrap_or_else(|| panic!("unknown target {name}"));
    if std::env::var_os("UPDATE").is_some() {
        seed_corpus(name, examples);
    }
    corpus(name).iter().for_each(|input| entry(input));
    examples.iter().for_each(|example| entry(example));
    let root = Rng::new(1);
    for number in 0..MUTATIONS {
        let mut rng = root.split(number);
        let mut data = rng.pick(examples).to_vec();
        for _ in 0..1 + rng.below(4) {
            mutate(&mut data, examples, &mut rng);
        }
        entry(&data);
    }
}

/// Changes, removes or inserts a byte, or splices in part of another example.
fn mutate(data: &mut Vec<u8>, examples: &[&[u8]], rng: &mut Rng) {
    let at = rng.below(data.len() + 1);
    let other = rng.pick(examples);
    let byte = other.get(rng.below(other.len() + 1)).copied().unwrap_or(rng.bits() as u8);
    match rng.below(4) {
        0 => drop(data.splice(at.., other.iter().skip(at).copied())),
        1 => data.insert(at, byte),
        _ if at == data.len() => data.push(rng.bits() as u8),
        2 => data[at] = byte,
        _ => drop(data.remove(at)),
    }
}

#[test]
fn cards() {
    check("cards", &[b"AsKd", b"10h, 9c 2d", "A♠K♦10♥".as_bytes(), b""]);
}

#[test]
fn ranges() {
    check(
        "ranges",
        &[
            b"AA, TT+, 88-JJ",
            b"AKs AKo:0.25;A2s+,KTs-K7s:1e-3",
            b"top 15%, A10s+, T9s-54s",
            b"AhKh, random:0.5, AhAsKdKc",
            b"AhAsKdKc2c",
            b"*",
        ],
    );
}

#[test]
fn fens() {
    check(
        "fens",
        &[
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            b"r3k2r/p1ppqpb1/bn2pnp1/3PN2/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
            b"8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            b"7k/8/8/1QQQQQ2/1Q3Q2/1QQQQQ2/8/K7 w - - 99 200",
        ],
    );
}

/// Encodes a game and its actions, one per line.
fn transcript(game: &str, lines: &str) -> Vec<u8> {
    let number = BUILT_IN.iter().position(|name| *name == game).expect("a registered game");
    [&[number as u8], lines.as_bytes()].concat()
}

#[test]
fn moves() {
    let pieces = " 7 wood".repeat(37);
    let examples = [
        transcript("chess", "e4\ne5\nNf3\nNc6\nBb5\na6\nO-O\nNf6"),
        transcript("chess", "e2e4\nc7c5\ng1f3\ne1g1"),
        transcript("chess", "e4\nd5\nexd5\ne6\ndxe6\nBd6\nexf7+\nKf8\nfxg8=Q+"),
        transcript("chess", "a4\nh5\na5\nb5\naxb6\nO-O-O\nNbd7\nR1xa3#"),
        transcript("backgammon", "\n\n8/5 6/5\n24/23\nbar/20*\n6/off"),
        transcript("holdem", "As\nAh\nKd\nKc\nraise to 300\nall-in\ncall\nbet 9\ncall 50"),
        transcript("stone-age", "\n\n\n\n\n\nforest 3\nhunt 2\npay 2 wood 1 clay\nuse hut\ndone"),
        transcript("stone-age", &format!("pay{pieces}")),
    ];
    check("moves", &examples.each_ref().map(Vec::as_slice));
}

#[test]
fn position_ids() {
    check("position_ids", &[b"4HPwATDgc/ABMA", b"4NvgATDgc/ABMA", b"AACACAAAAAAAAA"]);
}

#[test]
fn bots() {
    check("bots", &[b"random", b"greedy", b"flat:playouts=50", b"flat:playouts=50,x=1"]);
}

#[test]
fn experiments() {
    check(
        "experiments",
        &[
            br#"{"name":"a","tables":["pig",{"game":"kuhn","configs":[{}]},
{"game":"magic","pool":{"field":"decks","meet":"each-other","of":["ogre","default"]}}],"bots":["random",
"mcts:sims=9"],"task":{"tournament":{"games":4,"anchor":"random"}}}"#,
            br#"{"name":"b","seed":3,"tables":["chess"],"bots":[{"bot":"flat","options":{"playouts":2}}],
"task":{"tune":{"method":"grid","parameters":{"playouts":{"range":[1,3,1]}},"games":2,"validation_games":2}}}"#,
            b"{}",
        ],
    );
}

#[test]
fn replays() {
    check(
        "replays",
        &[
            br#"{"meeple_replay":1,"game":"tic-tac-toe","config":{},"seed":1,"bots":["a","b"],"actions":[4,0,1],
"payoffs":[0.0,0.0],"analysis":{"1":{"iterations":3,"values":[0.0],"candidates":[{"action":0,"visits":3,
"value":0.5,"prior":0.0}],"variation":[0]}}}"#,
            br#"{"meeple_replay":1,"game":"chess","config":{},"seed":1,"bots":["a"],"actions":[796],"payoffs":[1]}"#,
            br#"{"meeple_replay":1,"game":"backgammon","config":{},"seed":1,"bots":[],"actions":[3],"payoffs":[]}"#,
        ],
    );
}

#[test]
fn imports() {
    check(
        "imports",
        &[
            b"variant = \"NT\"\nantes = [3, 3, 3]\nante_trimming_status = true\n\
              blinds_or_straddles = [5, 10, 0]\nmin_bet = 10\nstarting_stacks = [200, 90, 7]\n\
              actions = [\"d dh p1 AsAh\", \"d dh p2 KdKc\", \"d dh p3 2c2d\", \"p3 cc\",\n\
              \"p1 cbr 40\", \"p2 cbr 87\", \"p1 cc\", \"d db 2h7h9d\", \"d db Ts\", \"d db 3c\"]\n\
              players = [\"Anna\", \"Ben\", \"Cem\"]\n_betting = \"fcpa\"\n_amounts = [40, 87]\n",
            b"[1]\nvariant = \"FT\"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nsmall_bet = 2\n\
              big_bet = 4\nstarting_stacks = [50, 50]\n\
              actions = [\"d dh p1 2s3s\", \"d dh p2 AsKd\", \"p2 cbr 4\", \"p1 cc\", \"d db 2h7h9d\"]\n",
            b" 1 point match\n\n Game 1\n Anna : 0                         Ben : 0\n  \
              1) 31: 8/5 6/5                  Doubles => 2\n  \
              2) Takes                        66: 24/18(2) 13/7(2)\n  3) 21: 24/23/21\n",
            b"[White \"Anna\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
        ],
    );
}

#[test]
fn card_files() {
    check(
        "card_files",
        &[
            br#"[(name: "Bear", cost: "1G", types: [Creature], power: N(2), toughness: N(2))]"#,
            br#"[(name: "Zap", cost: "XR", types: [Instant], targets: [Divided(3, Any), Player],
                effects: [Damage(amount: Share, to: Targets), Draw(who: Target(1), amount: X)])]"#,
            br#"[(name: "Veil", cost: "W", types: [Enchantment], subtypes: ["Aura"], enchant: (),
                abilities: [Static(Gets(what: Enchanted, power: N(-1), keywords: [Flying])),
                Triggered(on: Dies(Enchanted), effects: [May(cost: [Mana("2"), Life(1)],
                then: [Put(what: Event, to: Hand)], otherwise: [Shuffle(whose: You)])])])]"#,
            br#"[(name: "Seer", cost: "U", types: [Sorcery], effects: [Look(whose: You,
                amount: N(3)), Take(from: [Aside], least: N(0), most: N(1), to: Hand),
                If(condition: AtLeast(Kept, N(1)), then: [Fog]), Put(what: Aside, to: Top)])]"#,
        ],
    );
}

#[test]
fn game_files() {
    let files: Vec<&[u8]> = meeple_rules::BUILTIN.iter().map(|(_, text)| text.as_bytes()).collect();
    check("game_files", &files);
}

#[test]
fn deck_files() {
    check(
        "deck_files",
        &[
            b"20 Mountain\n4 Shock # burn\n",
            b"# none\n\n60 Forest\r\n",
            b"About\nName x\n\nDeck\n20 Mountain (6ED) 343\n\nSideboard\n2 Shatter (6ED) 205\n",
            b"[metadata]\nName=x\n[Main]\n20 Mountain|6ED\n[Sideboard]\n2 Shatter|6ED\n",
            b"NAME:x\n20 [6ED:343] Mountain\nSB: 2 [6ED:205] Shatter\nLAYOUT MAIN:(1)\n",
        ],
    );
}

#[test]
fn actions() {
    let mut rng = Rng::new(2);
    let examples: Vec<Vec<u8>> = (0..64)
        .map(|game| {
            let bytes = (0..400).map(|_| rng.bits() as u8);
            [game, game / 9].into_iter().chain(bytes).collect()
        })
        .collect();
    let examples: Vec<&[u8]> = examples.iter().map(Vec::as_slice).collect();
    check("actions", &examples);
}

#[test]
fn training() {
    check(
        "training",
        &[
            br#"{"game": "kuhn", "self_play": {"games": 3, "root": {"puct": {"alpha": 0.5}}}}"#,
            br#"{"game": "pig", "table": {"players": 3}, "gate": {"sprt": {}}, "seed": 18446744073709551615}"#,
            br#"{"game": "tic-tac-toe", "evaluation": {"ladder": ["random"], "bot": "puct:sims=8"}}"#,
            include_bytes!("../../../experiments/train-connect-four.json"),
        ],
    );
}

/// Returns the samples of one decision.
fn decision() -> Samples {
    let mut samples = Samples::default();
    let mut game = open("kuhn", None).expect("a game");
    [0, 2].into_iter().for_each(|action| game.try_apply(Action(action)).expect("it is legal"));
    samples.add(&*game.view(Player(0)), Action(1), None);
    samples.finish(7, 0, &[0.5, -0.5], false);
    samples
}

/// The layout of samples of Kuhn poker.
fn kuhn() -> SampleLayout {
    SampleLayout::of(&Kuhn::new(&Default::default()).info())
}

#[test]
fn samples() {
    let bytes = decision().to_bytes(&kuhn(), &[]).expect("a file");
    check("samples", &[&bytes, b"", &bytes[..bytes.len() / 2]]);
}

#[test]
fn networks() {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = Shape { width: 16, blocks: 1, bottleneck: 16, value_hidden: 16 };
    let info = TicTacToe::new(&Default::default()).info();
    let network = Network::new(&info, shape, 2, 1).expect("a network");
    let [alone, training] = ["alone", "training"].map(|name| folder.path().join(name));
    network.save(&alone).expect("it is saved");
    Trainer::new(network, TrainOptions::default()).save(&training).expect("it is saved");
    let [alone, training] = [alone, training].map(|path| fs::read(path).expect("a file"));
    check("networks", &[&alone, &training]);
}

#[test]
fn journals() {
    let actions = [0, 2, 1].map(Action).to_vec();
    let samples = decision();
    let game = PlayedGame { game: 7, samples, actions, payoffs: vec![0.5, -0.5], is_cut: false };
    let record = write_journal(&kuhn(), &game).expect("a record");
    let journal = [b"MEEPLEJ1", &[0; 8], &record[..], &record].concat();
    assert_eq!(read_journal(&kuhn(), &journal, 0).0.len(), 2, "the example is a journal");
    let about = br#"{"game":7,"actions":[0,2,1],"payoffs":[0.5,-0.5],"is_cut":false}"#;
    let samples = decision().to_bytes(&kuhn(), &[]).expect("a file");
    check("journals", &[&journal, &[&about[..], b"\n", &samples].concat()]);
}

#[test]
fn lab_sessions() {
    let session =
        br#"{"meeple_session":2,"game":"pig","config":{},"seed":3,"seats":["person","random"],"keys":{"owner":"a","seats":["b",null]}}
{"did":{"action":1}}
{"did":{"action":4}}
{"back":1}
{"budget":20}
"#;
    assert_eq!(entries::read_session(session), 200, "the example is a session");
    let thought = br#"{"meeple_session":2,"game":"tic-tac-toe","config":{},"seed":3,"seats":["mcts:sims=9","person"],"keys":{"owner":"a","seats":[null,"b"]}}
{"did":{"action":4,"analysis":{"iterations":9,"values":[0.5,-0.5],"candidates":[{"action":4,"visits":9,"value":0.5,"prior":0.0}],"variation":[4,0]},"open":true}}
"#;
    assert_eq!(entries::read_session(thought), 200, "the example is a session");
    check("lab_sessions", &[session, thought]);
}

#[test]
fn lab_commands() {
    let commands = br#"{"type":"play","action":4,"event":0}
{"type":"undo"}
{"type":"analyze","bot":"mcts:sims=5","iterations":5}
{"type":"budget","iterations":7}
{"type":"pause"}"#;
    let answers = entries::command(commands);
    assert!(answers.iter().all(|answer| *answer == 200), "{answers:?}");
    check("lab_commands", &[commands, br#"{"type":"resign"}"#, br#"{"type":"watch","seat":1}"#]);
}

/// Every target has an entry.
#[test]
fn targets_are_known() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let mut names: Vec<String> = fs::read_dir(targets)
        .expect("a folder")
        .map(|file| file.expect("a file").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert_eq!(names, entries::ENTRIES.map(|(name, _)| name));
}
