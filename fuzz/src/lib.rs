//! What is fuzzed: each function takes any bytes and must not panic.
//!
//! The targets in `fuzz_targets` call these with whatever libFuzzer thinks of
//! (`cargo xtask fuzz`). A test of the command line calls them on every run with the
//! inputs in `fuzz/corpus` and with damaged examples, so that they keep up with what
//! they test.

mod lab;

use std::path::Path;
use std::str::FromStr;

pub use lab::{command, lab_commands, lab_sessions, read_session};

use meeple_arena::{Format, Replay, SampleLayout, Samples, export, import, read_experiment};
use meeple_bots::BotSpec;
use meeple_game::{Action, Game, Player, Rng, Turn, choices};
use meeple_games::backgammon::{self, Backgammon, PositionId};
use meeple_games::chess::{self, Chess, Fen};
use meeple_games::files::{LargeFileConfig, LargeFileGame};
use meeple_games::magic::{cards as magic_cards, decks, english};
use meeple_games::registry::{BUILT_IN, Of, find};
use meeple_games::small::{Kuhn, TicTacToe};
use meeple_net::{Network, Precision, Trainer};
use meeple_poker::{CardSet, Holding, Range, Variant};
use meeple_rules::Program;
use meeple_train::{journal_frame, read_config, read_journal, write_journal};

/// A function that takes any bytes.
pub type Entry = fn(&[u8]);

/// Every function by the name of its target.
pub const ENTRIES: [(&str, Entry); 19] = [
    ("actions", actions),
    ("bots", bots),
    ("card_files", card_files),
    ("cards", cards),
    ("deck_files", deck_files),
    ("experiments", experiments),
    ("fens", fens),
    ("game_files", game_files),
    ("imports", imports),
    ("journals", journals),
    ("lab_commands", lab_commands),
    ("lab_sessions", lab_sessions),
    ("moves", moves),
    ("networks", networks),
    ("position_ids", position_ids),
    ("ranges", ranges),
    ("replays", replays),
    ("samples", samples),
    ("training", training),
];

/// What the bytes say, if they are text and the text means something.
fn read<T: FromStr>(data: &[u8]) -> Option<T> {
    std::str::from_utf8(data).ok()?.parse().ok()
}

/// Cards: what is printed reads back.
pub fn cards(data: &[u8]) {
    if let Some(cards) = read::<CardSet>(data) {
        assert_eq!(cards.to_string().parse(), Ok(cards));
    }
}

/// Ranges, and what a player may hold in each poker game.
pub fn ranges(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for variant in Variant::ALL {
        if let Ok(Holding::Hand(hand)) = Holding::parse(text, variant) {
            assert_eq!(hand.len(), variant.hole_cards());
        }
    }
    if let Some(range) = read::<Range>(data).filter(|range| !range.is_empty()) {
        assert!(range.combos().all(|(_, weight)| weight > 0.0 && weight <= 1.0));
        assert_eq!(range.to_string().parse(), Ok(range));
    }
}

/// Card files of Magic: what is read is checked and told in English, and reads
/// back when it is written.
pub fn card_files(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = magic_cards::load(&[("fuzz.ron".into(), text.into())]);
    if let Ok(cards) = magic_cards::read("fuzz.ron", text) {
        cards.iter().for_each(|card| assert!(!english::describe(card).is_empty()));
        assert_eq!(magic_cards::read("again.ron", &magic_cards::write(&cards)), Ok(cards));
    }
}

/// Deck files of Magic.
pub fn deck_files(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for file in ["fuzz.deck", "fuzz.txt"] {
        if let Ok(deck) = decks::read(file, text, magic_cards::builtin()) {
            assert!((1..=decks::MOST_CARDS).contains(&deck.size()));
        }
    }
}

/// Game files: whatever is wrong is reported, with lines that the file has, and what is right is
/// played.
pub fn game_files(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Program::check("fuzz.game", text, &Default::default()) {
        assert!(error.count() > 0 && error.to_string().contains("fuzz.game"), "{error}");
        return;
    }
    // A process holds a limited number of files, and a state a limited number of bytes.
    let Ok(config) = LargeFileConfig::new("fuzz.game", text, Default::default()) else { return };
    let (mut game, mut rng) = (LargeFileGame::new(&config), Rng::new(text.len() as u64));
    let mut seen = vec![0; game.observation().len()];
    for _ in 0..MOST_EVENTS {
        assert!(game.is_consistent());
        let outcomes = choices(&game);
        match game.turn() {
            Turn::Over => break,
            Turn::Player(player) => game.observe(player, &mut seen),
            Turn::Chance => {}
        }
        let action = *rng.pick(&outcomes);
        assert!(!game.action_name(action).is_empty());
        game.apply(action);
    }
    let payoffs = &game.payoffs()[..game.players()];
    assert!(payoffs.iter().all(|payoff| payoff.is_finite()), "{payoffs:?}");
}

/// The most events of a game by a fuzzed file.
const MOST_EVENTS: usize = 100;

/// Chess positions: what is printed reads back, and its moves can be played.
pub fn fens(data: &[u8]) {
    let Some(fen) = read::<Fen>(data) else { return };
    assert_eq!(fen.to_string().parse(), Ok(fen));
    let game = Chess::new(&chess::Options { fen });
    for action in choices(&game) {
        let mut next = game;
        next.apply(action);
        assert!(next.is_consistent(), "{fen} {}", game.action_name(action));
    }
}

/// Moves as people write them: the first byte is the game, each line a move.
///
/// What is no move is passed over, but chance events go on.
pub fn moves(data: &[u8]) {
    let Some((&game, lines)) = data.split_first() else { return };
    let Ok(lines) = std::str::from_utf8(lines) else { return };
    find::<Fuzzing>(name(game)).expect("a game of the list").speak(lines);
}

/// A game of the list.
trait Fuzzed: Sync {
    fn speak(&self, lines: &str);
    fn act(&self, players: u8, actions: &[u8]);
}

meeple_games::family!(Fuzzing, Fuzzed);

impl<G: Game> Fuzzed for Of<G> {
    fn speak(&self, lines: &str) {
        let mut game = G::new(&G::Config::default());
        for line in lines.lines() {
            if let Some(action) = game.parse_action(line) {
                game.try_apply(action).expect("what is read is legal");
            } else if game.turn() == Turn::Chance {
                let outcomes = choices(&game);
                game.apply(outcomes[line.len() % outcomes.len()]);
            }
        }
    }

    fn act(&self, players: u8, actions: &[u8]) {
        let table = format!(r#"{{"players": {players}}}"#);
        let config: G::Config = serde_json::from_str(&table).unwrap_or_default();
        let mut game = G::new(&config);
        for number in actions.as_chunks().0 {
            let number = u16::from_le_bytes(*number);
            let choices = choices(&game);
            if choices.is_empty() {
                assert_eq!(game.turn(), Turn::Over);
                return;
            }
            let before = game;
            if game.try_apply(Action(number)).is_err() {
                assert_eq!(game, before);
                game.apply(choices[usize::from(number) % choices.len()]);
            }
            assert!(game.is_consistent(), "{before}\n{number}\n{game}");
        }
    }
}

/// Backgammon positions: what is printed reads back, and a game can start there.
pub fn position_ids(data: &[u8]) {
    let Some(position) = read::<PositionId>(data) else { return };
    assert_eq!(position.to_string().parse(), Ok(position));
    let options = backgammon::Options { position: Some(position), ..Default::default() };
    let mut game = Backgammon::new(&options);
    for _ in 0..4 {
        assert!(game.is_consistent(), "{position}");
        let Some(&choice) = choices(&game).last() else { return };
        game.apply(choice);
    }
}

/// Bots and their options: what is printed reads back.
pub fn bots(data: &[u8]) {
    if let Some(bot) = read::<BotSpec>(data) {
        assert_eq!(bot.to_string().parse::<BotSpec>().ok(), Some(bot));
    }
}

/// Experiments: read, or refused at a line that exists.
pub fn experiments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(mistake) = read_experiment("fuzzed.json".as_ref(), text) {
        assert!(mistake.line >= 1 && mistake.line <= text.lines().count() + 1, "{mistake}");
    }
}

/// Training files: what is read is checked, and written reads back.
pub fn training(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(config) = read_config("fuzz.json".as_ref(), text) {
        let again = serde_json::to_string(&config).expect("it is plain data");
        assert_eq!(read_config("again.json".as_ref(), &again), Ok(config));
    }
}

/// The layout of samples of Kuhn poker.
fn kuhn() -> SampleLayout {
    SampleLayout::of(&Kuhn::new(&Default::default()).info())
}

/// Files of samples: what is read can be looked at, and written reads back.
pub fn samples(data: &[u8]) {
    let layout = kuhn();
    if let Ok(samples) = Samples::from_bytes(&layout, data) {
        (0..samples.len()).for_each(|at| assert!(!samples.get(at).legal.is_empty()));
        let again = samples.to_bytes(&layout, &[]).expect("it was a file");
        assert_eq!(Samples::from_bytes(&layout, &again).map(|read| read.len()), Ok(samples.len()));
    }
}

/// Network files: what is read predicts, in floats and in bytes.
pub fn networks(data: &[u8]) {
    let path = Path::new("fuzz.safetensors");
    let game = TicTacToe::new(&Default::default());
    // A training that is read is a network too.
    let is_training = Trainer::from_bytes(&game.info(), path, data).is_ok();
    let Ok(network) = Network::from_bytes(&game.info(), path, data) else {
        assert!(!is_training);
        return;
    };
    let mut observation = vec![0; game.observation().len()];
    game.observe(Player(0), &mut observation);
    let (mut values, mut logits) = ([0.0; 2], [0.0; 9]);
    for precision in [Precision::Float, Precision::Int8] {
        network.compile(precision).predict(&observation, &mut values, &mut logits);
    }
}

/// Journals of training: the games that are read are written and read back alike.
///
/// The bytes are tried as a journal, and as the contents of one record: a fuzzer does not
/// find checksums.
pub fn journals(data: &[u8]) {
    let (games, _) = read_journal(&kuhn(), data, 0);
    let start = [&b"MEEPLEJ1"[..], &[0; 8]].concat();
    let written = |games: &[_]| {
        let records = games.iter().map(|game| write_journal(&kuhn(), game).expect("it was read"));
        [start.clone(), records.collect::<Vec<_>>().concat()].concat()
    };
    assert!(read_journal(&kuhn(), &written(&games), 0).0.len() == games.len());
    let Some(end) = data.iter().position(|&byte| byte == b'\n') else { return };
    let (about, samples) = (&data[..end], &data[end + 1..]);
    let journal = [&start[..], &journal_frame(about, samples)].concat();
    let (games, _) = read_journal(&kuhn(), &journal, 0);
    assert!(read_journal(&kuhn(), &written(&games), 0).0.len() == games.len());
}

/// Replays: what can be read can be written in every format that is for it.
pub fn replays(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(replay) = Replay::from_json(text) else { return };
    for format in [Format::Pgn, Format::Mat, Format::Phh, Format::Json, Format::Replay] {
        // What is damaged or of another game is refused; nothing more is asked.
        let _ = export(&replay, format);
    }
}

/// Games of other programs: what can be read can be played, and hands of poker
/// read back as they are written.
pub fn imports(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(replays) = import(text) else { return };
    if text.trim_start().starts_with('{') {
        return;
    }
    for replay in replays {
        export(&replay, Format::Json).expect("what was read is legal");
        if replay.game == "holdem" {
            let written = export(&replay, Format::Phh).expect("what was read is a hand");
            assert_eq!(import(&written), Ok(vec![replay]), "{written}");
        }
    }
}

/// Actions from outside: the first byte is the game, the second the number of
/// players, and each two that follow an action.
///
/// An illegal action leaves the state as it was; then its number picks a legal
/// one, so that games get somewhere.
pub fn actions(data: &[u8]) {
    let Some((&[game, players], actions)) = data.split_first_chunk() else { return };
    find::<Fuzzing>(name(game)).expect("a game of the list").act(2 + players % 5, actions);
}

/// The game that a byte stands for.
fn name(game: u8) -> &'static str {
    BUILT_IN[usize::from(game) % BUILT_IN.len()]
}
