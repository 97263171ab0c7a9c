//! Golden playthroughs, one for each game: a change of rules, names, keys or text shows up
//! as a difference in a text file. `UPDATE=1` rewrites them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use meeple_game::{ActionList, Game, Player, Rng, Turn, choices};
use meeple_games::registry::{BUILT_IN, Of, find};

/// The state is written at the start, at the end, and every this many steps.
const DRAWN_EVERY: usize = 25;

trait Playthrough: Sync {
    fn play_through(&self) -> String;
}

meeple_games::family!(Playthroughs, Playthrough);

impl<G: Game> Playthrough for Of<G> {
    fn play_through(&self) -> String {
        let config = G::Config::default();
        let mut text = String::new();
        let out = &mut text;
        let written = serde_json::to_string(&config).expect("a configuration can be written");
        let mut game = G::new(&config);
        writeln!(out, "game: {}\nconfig: {written}\nseed: 1", game.name())
            .expect("a String takes it");
        let mut rng = Rng::new(1);
        let mut scratch = ActionList::new();
        for step in 0.. {
            if step % DRAWN_EVERY == 0 || game.turn() == Turn::Over {
                draw(&game, out);
            }
            let (who, action) = match game.turn() {
                Turn::Player(player) => {
                    (player.to_string(), game.sample_action(&mut rng, &mut scratch))
                }
                Turn::Chance => ("chance".into(), game.sample_chance(&mut rng)),
                Turn::Over => break,
            };
            let (name, offered) = (game.action_name(action), choices(&game).len());
            game.apply(action);
            writeln!(out, "{step}. {who}: {name} (one of {offered}) -> {:016x}", game.key())
                .expect("a String takes it");
        }
        writeln!(out, "payoffs: {:?}", &game.payoffs()[..game.players()]).expect("as above");
        text
    }
}

/// Writes the state as each seat sees it, and its observation.
fn draw<G: Game>(game: &G, out: &mut String) {
    for player in Player::all(game.players()) {
        let mut cells = vec![0; game.observation().len()];
        game.observe(player, &mut cells);
        let cells: Vec<String> = cells.iter().map(i32::to_string).collect();
        let text = game.text(player);
        writeln!(out, "\n{player} sees:\n{text}\nobserves: {}", cells.join(" ")).expect("as above");
    }
    writeln!(out).expect("as above");
}

#[test]
fn playthroughs_match_the_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/playthroughs");
    for name in BUILT_IN {
        let path = folder.join(format!("{name}.txt"));
        let played = find::<Playthroughs>(name).expect("a listed game").play_through();
        if std::env::var_os("UPDATE").is_some() {
            fs::create_dir_all(&folder).expect("a writable folder");
            fs::write(&path, &played).expect("a writable file");
            continue;
        }
        let recorded = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{name}: {error}; UPDATE=1 records it"));
        let difference = recorded.lines().zip(played.lines()).position(|(a, b)| a != b);
        assert!(
            recorded == played,
            "{name}: the playthrough differs from line {}; UPDATE=1 rewrites it",
            1 + difference.unwrap_or(recorded.lines().count().min(played.lines().count()))
        );
    }
}
