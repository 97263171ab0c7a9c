//! A short guide to each game for human players: rules, configuration keys and notation.

use serde::Serialize;

use crate::registry::UnknownGame;

/// A short guide to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Guide {
    /// The name of the game.
    pub game: &'static str,
    /// The rules, in a few sentences.
    pub rules: &'static str,
    /// The configuration keys.
    pub table: &'static [Key],
    /// The notation of actions.
    pub moves: &'static str,
}

/// A configuration key of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Its name in the configuration.
    pub name: &'static str,
    /// The meaning, and the allowed values.
    pub meaning: &'static str,
    /// The default value, in JSON.
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
        rules: "Two players alternately drop discs into seven columns of six cells; four in a \
                row, in any direction, win. A full board is a draw.",
        table: &[],
        moves: "The column: a to g.",
    },
    Guide {
        game: "kuhn",
        rules: "The deck is a jack, a queen and a king. Each of two players antes a chip and is \
                dealt one card. The first player passes or bets a chip, then the second; after a \
                pass and a bet the first player acts once more. Passing to a bet folds; \
                otherwise the higher card wins the pot.",
        table: &[],
        moves: "pass (check or fold) and bet (bet or call).",
    },
    Guide {
        game: "leduc",
        rules: "The deck has two jacks, two queens and two kings. Each of two players antes a \
                chip and is dealt one card. After a betting round one board card is dealt face \
                up, and a second round follows. Bets and raises are 2 chips in the first round \
                and 4 in the second, at most two a round. A pair with the board card wins, else \
                the higher card; equal cards split the pot.",
        table: &[],
        moves: "fold, check, call, bet and raise.",
    },
    Guide {
        game: "pig",
        rules: "A player rolls a die repeatedly and adds up a turn total. Holding banks the turn \
                total; a roll of 1 loses it and ends the turn. The first player to reach the \
                goal wins.",
        table: &[
            key("players", "number of players, 2 to 6", "2"),
            key("goal", "points needed to win, 10 to 200", "100"),
        ],
        moves: "roll and hold; the first roll of a turn is automatic.",
    },
    Guide {
        game: "knockout-whist",
        rules: "Each player is dealt seven cards, and a random suit becomes trumps. Players must \
                follow suit if they can; the highest trump, or else the highest card of the suit \
                led, wins the trick and leads to the next. A player without a trick in a deal is \
                knocked out. Each deal has one card fewer, and the last remaining player wins.",
        table: &[key("players", "number of players, 2 to 4", "2")],
        moves: "The card: rank and suit, such as Th for the ten of hearts.",
    },
    Guide {
        game: "breakthrough",
        rules: "Each of two players has sixteen pawns on the first two ranks of a chess board. A \
                pawn steps one square ahead, straight or diagonally, and captures diagonally \
                only. The first player to reach the last rank or capture the last pawn wins.",
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
            "starting position, in FEN",
            "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
        )],
        moves: "SAN (Nf3, exd5, O-O, a8=Q) or coordinates (g1f3, a7a8q).",
    },
    Guide {
        game: "backgammon",
        rules: "Two players race fifteen checkers each around the board by rolls of two dice and \
                bear them off; doubles are played four times. A blot (a single checker on a \
                point) may be hit and must re-enter from the bar. Both dice must be played if \
                possible, otherwise the higher one. A gammon counts double, a backgammon triple.",
        table: &[
            key("cube", "maximum value of the doubling cube: 1 (none), 2, 4, up to 64", "1"),
            key("position", "GNU Backgammon position id from which seat 0 rolls", "null"),
        ],
        moves: "One checker at a time or the whole turn: 8/5, bar/20*, 6/off, 24/20 13/8, 8/5(2). \
                Points are numbered from the side of the player to move.",
    },
    Guide {
        game: "stone-age",
        rules: "A worker placement game for two to four tribes. Players take turns placing \
                figures: on the forest, clay pit, quarry, river and hunt for resources and food, \
                on the tool maker, the hut and the field for a tool, a figure and agriculture, \
                and on cards and buildings to buy them. Then each player in turn resolves their \
                placements: one die per figure is rolled, tools are added, and the total is \
                divided by 3 for wood, 4 for clay, 5 for stone, 6 for gold and 2 for food. Each \
                round ends with feeding: one food per figure, less the agriculture level; a \
                player who cannot pay in food or resources loses 10 points. The game ends when \
                the cards or a stack of buildings run out; cards then score, and most points win.",
        table: &[
            key("players", "number of players, 2 to 4", "2"),
            key("rules", "official, or document (the rules of a C engine)", "\"official\""),
            key("forced", "skip or ask: decisions with one legal action", "\"skip\""),
            key("card31_one_use", "card 31 is a one-use tool of value 2", "true"),
            key("draw_hidden_card", "card 2 draws a card face down", "true"),
            key("tools_on_card_dice", "tools may be added to the dice of a card", "true"),
            key("free_action_order", "placements are resolved in any order", "true"),
            key("may_decline", "affordable cards and buildings may be declined", "true"),
            key("must_place", "passing is legal only without a legal placement", "true"),
            key("keep_surplus_food", "agriculture beyond the figures yields food", "true"),
            key("limited_supply", "supply limited to 28 wood, 18 clay, 12 stone, 10 gold", "false"),
            key("potpourri_joint", "all dice of a dice card are one chance event", "true"),
            key("reveal_as_chance", "a bought building is replaced at once", "true"),
            key("shared_ties", "tied players share their ranks", "true"),
            key("pay_in_full", "missing food is paid in full or not at all", "true"),
            key("keep_two_resources", "the two resources of card 0 may be taken later", "true"),
            key("hut_at_ten", "the hut may be occupied with ten figures", "true"),
        ],
        moves: "Placing: the place and the number of figures (forest 3, hut, card at 1, building \
                2). Resolving: use forest, tool 1, done, pay 2 wood 1 clay.",
    },
    Guide {
        game: "magic",
        rules: "A two-player duel by the Comprehensive Rules with cards of the 6th Edition. Each \
                player has 20 life and a deck. In your turn you untap, draw, may play a land, \
                cast spells with mana from your lands and attack; the opponent may block. A \
                player with 0 life, or who draws from an empty library, loses.",
        table: &[
            key(
                "decks",
                "the two decks, each a name or {\"name\": …, \"cards\": …}",
                "[\"red-burn\",\"green-midrange\"]",
            ),
            key("matchup", "a pair of decks by name: ogre, default, cli, mix", "null"),
            key("cards", "additional card files: name and text of each", "{}"),
            key("stops", "give priority only at the usual stops; on in play", "false"),
            key("forced", "skip or ask: decisions with one legal action", "\"skip\""),
            key("payment", "auto or manual choice of mana sources", "\"auto\""),
            key("mulligan", "whether mulligans are allowed; off for a matchup", "true"),
            key("hand_limit", "maximum hand size; none for a matchup", "7"),
            key("weights", "weights of the heuristic evaluation, for each seat", "null"),
        ],
        moves: "In words: cast Shock, target opponent, attack with Hill Giant, pass. card NAME \
                shows the text of a card.",
    },
    Guide {
        game: "holdem",
        rules: "One hand of Texas hold'em: two hole cards each, then flop, turn and river, with \
                four betting rounds; the best five of seven cards win. The last seat has the \
                button, seat 0 the small blind and seat 1 the big blind. Heads-up the button has \
                the small blind and acts first before the flop.",
        table: &[
            key("players", "number of players, 2 to 6", "2"),
            key("betting", "no-limit, limit or fcpa (fold, call, pot, all-in)", "\"no-limit\""),
            key("bets", "no-limit bet sizes in percent of the pot, ascending", "[50,100,200]"),
            key("amounts", "further no-limit bet sizes in chips, ascending", "[]"),
            key("small_blind", "small blind in chips", "50"),
            key("big_blind", "big blind in chips", "100"),
            key("ante", "ante of each player in chips", "0"),
            key("stacks", "starting stack of all seats, or a list with one per seat", "10000"),
        ],
        moves: "fold, check, call, bet 300, raise to 600, raise 3bb, raise pot, all-in; an amount \
                is your total bet on this street.",
    },
];

/// Returns the guide of the game called `name`.
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
                // Compared as text: Magic configurations that are written differently
                // compare unequal.
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
