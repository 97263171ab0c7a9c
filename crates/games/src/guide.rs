//! Each game in short, for people who are about to play it: rules, table and notation.

use serde::Serialize;

use crate::registry::UnknownGame;

/// A game in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Guide {
    /// The name of the game.
    pub game: &'static str,
    /// The rules, in a few sentences.
    pub rules: &'static str,
    /// What may be set about a table.
    pub table: &'static [Key],
    /// How moves are written.
    pub moves: &'static str,
}

/// Something that may be set about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Its name in the configuration.
    pub name: &'static str,
    /// What it says, and which values it takes.
    pub meaning: &'static str,
    /// The value of a table that does not set it, in JSON.
    pub default: &'static str,
}

const fn key(name: &'static str, meaning: &'static str, default: &'static str) -> Key {
    Key { name, meaning, default }
}

const GUIDES: &[Guide] = &[
    Guide {
        game: "tic-tac-toe",
        rules: "Two players mark nine squares in turn; three in a row, column or diagonal win. \
                A full board is a draw.",
        table: &[],
        moves: "The square: a1 to c3.",
    },
    Guide {
        game: "connect-four",
        rules: "Two players drop stones into seven columns of six in turn; four in a row, in any \
                direction, win. A full board is a draw.",
        table: &[],
        moves: "The column: a to g.",
    },
    Guide {
        game: "kuhn",
        rules: "A jack, a queen and a king; each of two players antes a chip and is dealt one \
                card. The first passes or bets a chip, then the second; after a pass and a bet \
                the first may still answer. Passing to a bet gives up the ante; otherwise the \
                higher card wins the pot.",
        table: &[],
        moves: "pass (also to fold) and bet (also to call).",
    },
    Guide {
        game: "leduc",
        rules: "Two jacks, two queens, two kings; each of two players antes a chip and is dealt \
                one card. After a round of betting one card is laid on the table, and a second \
                round follows. Bets are 2 chips in the first round and 4 in the second, at most \
                two a round. A pair with the table wins, else the higher card; equal cards share \
                the pot.",
        table: &[],
        moves: "fold, check, call, bet and raise.",
    },
    Guide {
        game: "pig",
        rules: "Whoever's turn it is rolls a die again and again, adding up points, until they \
                hold and keep the points or roll a 1 and lose them. The first to reach the goal \
                wins.",
        table: &[
            key("players", "how many play, 2 to 6", "2"),
            key("goal", "the points that win, 10 to 200", "100"),
        ],
        moves: "roll and hold; the first roll of a turn is not asked for.",
    },
    Guide {
        game: "knockout-whist",
        rules: "Everybody is dealt seven cards, and a suit is drawn for trumps. All follow suit \
                if they can; the highest trump, or else the highest card of the suit led, takes \
                the trick and leads to the next. Whoever takes no trick in a deal is out. Each \
                deal has one card fewer, and the last one in wins.",
        table: &[key("players", "how many play, 2 to 4", "2")],
        moves: "The card: rank and suit, such as Th for the ten of hearts.",
    },
    Guide {
        game: "breakthrough",
        rules: "Each of two players has sixteen pawns on the first two ranks of a chess board. A \
                pawn steps one square ahead, straight or diagonally, and captures diagonally \
                only. Whoever reaches the last rank, or captures the last pawn, wins.",
        table: &[],
        moves: "From and to: e2-e3, and e4xd5 for a capture.",
    },
    Guide {
        game: "chess",
        rules: "Chess with castling, en passant and promotion. Stalemate, threefold repetition, \
                fifty moves without a capture or a pawn move, and insufficient material are \
                draws and end the game at once.",
        table: &[key(
            "fen",
            "the first position, in FEN",
            "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
        )],
        moves: "SAN (Nf3, exd5, O-O, a8=Q) or coordinates (g1f3, a7a8q).",
    },
    Guide {
        game: "backgammon",
        rules: "Two players bring fifteen checkers each round the board by the throws of two \
                dice and bear them off; a double is played four times. A checker alone on its \
                point is hit and must enter again from the bar. Both dice are played if they can \
                be, or the higher. A gammon counts twice, a backgammon three times.",
        table: &[
            key("cube", "the highest value of the doubling cube: 1 (none), 2, 4, up to 64", "1"),
            key("position", "a position id of GNU Backgammon from which seat 0 rolls", "null"),
        ],
        moves: "A checker at a time or the whole turn: 8/5, bar/20*, 6/off, 24/20 13/8, 8/5(2). \
                Points are counted from the mover's side.",
    },
    Guide {
        game: "stone-age",
        rules: "Two to four tribes place figures in turn: on the forest, clay pit, quarry, river \
                and hunt for resources and food, on the tool maker, the hut and the field for a \
                tool, a figure and agriculture, and on cards and buildings to buy them. Then \
                everybody uses their places: a roll of a die for each figure, with tools added, \
                is divided by 3 for wood, 4 for clay, 5 for stone, 6 for gold and 2 for food. \
                Each round ends with a meal of one food for each figure less the fields; whoever \
                cannot pay in food or resources loses 10 points. The game ends when the cards or \
                a stack of buildings run out; cards then score, and most points win.",
        table: &[
            key("players", "how many play, 2 to 4", "2"),
            key("rules", "official or document, the rules of a C engine", "\"official\""),
            key("forced", "skip or ask questions with one answer", "\"skip\""),
            key("card31_one_use", "card 31 is a one-use tool of 2", "true"),
            key("draw_hidden_card", "card 2 draws a card face down", "true"),
            key("tools_on_card_dice", "tools may be added to the dice of a card", "true"),
            key("free_action_order", "places are resolved in any order", "true"),
            key("may_decline", "payable cards and buildings may be declined", "true"),
            key("must_place", "only those pass who cannot place", "true"),
            key("keep_surplus_food", "agriculture beyond the figures yields food", "true"),
            key("limited_supply", "28 wood, 18 clay, 12 stone, 10 gold and no more", "false"),
            key("potpourri_joint", "the dice for presents are one event", "true"),
            key("reveal_as_chance", "a bought building is replaced at once", "true"),
            key("shared_ties", "equal players share their ranks", "true"),
            key("pay_in_full", "missing food is paid for in full or not at all", "true"),
            key("keep_two_resources", "the two resources of card 0 may be taken later", "true"),
            key("hut_at_ten", "ten figures may still block the hut", "true"),
        ],
        moves: "A place and how many figures: forest 3, hut, card at 1, building 2; then use \
                forest, tool 1, done, pay 2 wood 1 clay.",
    },
    Guide {
        game: "magic",
        rules: "A duel by the comprehensive rules with the cards of the 6th Edition. Each player \
                has 20 life and a deck. In your turn you untap, draw, may play a land, cast \
                spells with the mana of your lands and attack; the opponent may block. Whoever \
                has no life left, or must draw from an empty library, loses.",
        table: &[
            key(
                "decks",
                "two decks, each a name or {\"name\": …, \"cards\": …}",
                "[\"red-burn\",\"green-midrange\"]",
            ),
            key("matchup", "a pair of decks by name: ogre, default, cli, mix", "null"),
            key("cards", "files of further cards: name and text of each", "{}"),
            key("stops", "ask only where people stop to think; on in play", "false"),
            key("forced", "skip or ask questions with one answer", "\"skip\""),
            key("payment", "auto or manual: who chooses what to tap for mana", "\"auto\""),
            key("mulligan", "whether hands may be exchanged; off for a matchup", "true"),
            key("hand_limit", "cards kept at the end of a turn; none for a matchup", "7"),
            key("weights", "the weights of the heuristic evaluation of each seat", "null"),
        ],
        moves: "In words: cast Shock, target opponent, attack with Hill Giant, pass. card NAME \
                shows what a card does.",
    },
    Guide {
        game: "holdem",
        rules: "One hand of Texas hold'em: two cards each, three, one and one on the board, four \
                rounds of betting; the best five of seven cards win. The last seat deals; seat 0 \
                has the small blind and seat 1 the big one. Heads-up the dealer has the small \
                blind and acts first before the flop.",
        table: &[
            key("players", "how many play, 2 to 6", "2"),
            key("betting", "no-limit, limit or fcpa (fold, call, pot, all-in)", "\"no-limit\""),
            key("bets", "without a limit: bets in percent of the pot, rising", "[50,100,200]"),
            key("amounts", "without a limit: further bets in chips, rising", "[]"),
            key("small_blind", "chips", "50"),
            key("big_blind", "chips", "100"),
            key("ante", "what everybody pays first", "0"),
            key("stacks", "chips of all seats, or a list with one number for each", "10000"),
        ],
        moves: "fold, check, call, bet 300, raise to 600, raise 3bb, raise pot, all-in; amounts \
                are the chips in front of you then.",
    },
];

/// The game called `name` in short.
///
/// ```
/// let guide = meeple_games::guide("pig")?.expect("built-in games have guides");
/// assert_eq!(guide.table[1].name, "goal");
/// # Ok::<_, meeple_games::registry::UnknownGame>(())
/// ```
///
/// # Errors
///
/// When no game has this name.
pub fn guide(name: &str) -> Result<Option<&'static Guide>, UnknownGame> {
    let name = crate::registry::canonical(name)?;
    Ok(GUIDES.iter().find(|guide| guide.game == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{BUILT_IN, Of, find};
    use meeple_game::Game;
    use serde_json::{Map, Value};

    trait Check: Sync {
        /// Checks that the table keys are those of the configuration, with its defaults.
        fn check(&self, guide: &Guide);
    }

    impl<G: Game> Check for Of<G> {
        fn check(&self, guide: &Guide) {
            let usual = serde_json::to_value(G::Config::default()).unwrap();
            for key in usual.as_object().unwrap().keys() {
                assert!(guide.table.iter().any(|listed| listed.name == key), "{} {key}", G::NAME);
            }
            for key in guide.table {
                let default: Value = serde_json::from_str(key.default).expect(key.default);
                if let Some(usual) = usual.get(key.name) {
                    assert_eq!(*usual, default, "{} {}", G::NAME, key.name);
                }
                let table = Map::from_iter([(key.name.to_owned(), default)]);
                let config = serde_json::from_value::<G::Config>(Value::Object(table));
                let config = config.expect(key.name);
                // As text: equal tables of Magic that are written otherwise are two tables.
                let (set, usual) = (G::new(&config), G::new(&G::Config::default()));
                assert_eq!(format!("{set:?}"), format!("{usual:?}"), "{}", key.name);
            }
        }
    }

    crate::family!(Checking, Check);

    #[test]
    fn guides_list_the_keys_of_tables_with_their_defaults() {
        for name in BUILT_IN {
            let guide = guide(name).unwrap().expect("built-in games have guides");
            assert_eq!(guide.game, *name);
            find::<Checking>(name).unwrap().check(guide);
        }
    }
}
