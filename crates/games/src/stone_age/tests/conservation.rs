//! Conservation of pieces over ten thousand random games.

use meeple_game::{ActionList, Game, Player, Rng, Turn};

use super::config;
use crate::stone_age::StoneAge;

/// Counts the pieces from what one player observes.
struct Count<'a> {
    cells: &'a [i32],
    players: usize,
}

impl Count<'_> {
    fn tribes(&self) -> impl Iterator<Item = &[i32]> {
        self.cells[94..386].chunks_exact(73).take(self.players)
    }

    fn resources(&self) -> i32 {
        let held: i32 = self.tribes().map(|tribe| tribe[..4].iter().sum::<i32>()).sum();
        held + self.cells[74..78].iter().sum::<i32>()
    }

    fn cards(&self) -> i32 {
        let owned: i32 = self.tribes().map(|tribe| tribe[17..51].iter().sum::<i32>()).sum();
        let shown = [78, 80, 82, 84].iter().filter(|&&cell| self.cells[cell] >= 0).count() as i32;
        let own_hidden = i32::from(self.cells[449] > 0);
        owned + shown + own_hidden + self.cells[386..420].iter().sum::<i32>()
    }

    fn buildings(&self) -> i32 {
        let owned: i32 = self.tribes().map(|tribe| tribe[51..].iter().sum::<i32>()).sum();
        let shown = [86, 88, 90, 92].iter().filter(|&&cell| self.cells[cell] >= 0).count() as i32;
        let stacked: i32 = self.cells[420..424].iter().sum();
        owned + shown + stacked + 28 - 7 * self.players as i32
    }

    /// The figures of a seat that are neither available nor on a place; 0 in the placement
    /// phase.
    fn missing_figures(&self, at: usize) -> i32 {
        let tribe = &self.cells[94 + 73 * at..];
        let on_places: i32 = (0..8).map(|place| self.cells[41 + 4 * place + at]).sum();
        let tiles = [79, 81, 83, 85, 87, 89, 91, 93];
        let on_tiles = tiles.iter().filter(|&&cell| self.cells[cell] == at as i32).count() as i32;
        tribe[5] - tribe[6] - on_places - on_tiles
    }
}

/// Plays random games and counts all pieces in every state.
fn count_pieces(json: &str, games: u64) {
    let start = StoneAge::new(&config(json));
    let players = start.players();
    let mut cells = vec![0; start.observation().len()];
    let mut scratch = ActionList::new();
    for seed in 0..games {
        let (mut game, mut rng) = (start, Rng::new(seed));
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Chance => game.sample_chance(&mut rng),
                _ => game.sample_action(&mut rng, &mut scratch),
            };
            game.apply(action);
            game.observe(Player((seed % players as u64) as u8), &mut cells);
            let count = Count { cells: &cells, players };
            let all = (count.resources(), count.cards(), count.buildings());
            assert_eq!(all, (68, 36, 28), "{json} seed {seed}: {game}");
            let placing = cells[4] == 0;
            for at in 0..players {
                assert!(!placing || count.missing_figures(at) == 0, "{json} seed {seed}: {game}");
            }
        }
    }
}

#[test]
fn pieces_in_the_document_rules() {
    for players in 2..=4 {
        count_pieces(&format!(r#"{{"players": {players}, "rules": "document"}}"#), 1800);
    }
}

#[test]
fn pieces_in_the_printed_rules_with_a_limited_supply() {
    for players in 2..=4 {
        count_pieces(&format!(r#"{{"players": {players}, "limited_supply": true}}"#), 1600);
    }
}
