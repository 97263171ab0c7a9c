//! Reads hands in the PHH format.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{Action, Game, Seats, Turn};
use meeple_poker::{Card, CardSet};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::super::{Betting, CALL, Config, FOLD, Holdem, Options, Phase, Stacks};
use super::{Hand, PhhError};

/// The fields that are used; all others are ignored.
#[derive(Deserialize)]
struct Fields {
    variant: Spanned<String>,
    antes: Spanned<Vec<u32>>,
    blinds_or_straddles: Option<Spanned<Vec<u32>>>,
    min_bet: Option<Spanned<u32>>,
    small_bet: Option<Spanned<u32>>,
    big_bet: Option<Spanned<u32>>,
    starting_stacks: Spanned<Vec<u32>>,
    actions: Vec<Spanned<String>>,
    #[serde(default)]
    players: Vec<String>,
    #[serde(default)]
    ante_trimming_status: bool,
    #[serde(rename = "_betting")]
    betting: Option<Betting>,
    #[serde(rename = "_bets")]
    bets: Option<Vec<u16>>,
    #[serde(rename = "_amounts")]
    amounts: Option<Vec<u32>>,
}

/// Parses the hands of a PHH or PHHS file.
///
/// The bets of a no-limit hand become the `amounts` of its configuration, unless the file
/// has the bet sizes in our own fields. See [`phh`](super::phh) for an example.
///
/// # Errors
///
/// The first error with its line: a game other than Texas hold'em, an unsupported
/// configuration, unknown cards or an illegal action.
pub fn parse_phh(text: &str) -> Result<Vec<Hand>, PhhError> {
    let is_list = text.lines().any(|line| line.starts_with('['));
    if !is_list {
        return Ok(vec![Reader { text }.hand(&decode(text)?)?]);
    }
    let hands: BTreeMap<String, Fields> = decode(text)?;
    let mut hands: Vec<Fields> = hands.into_values().collect();
    hands.sort_by_key(|hand| hand.variant.span().start);
    hands.iter().map(|hand| Reader { text }.hand(hand)).collect()
}

fn decode<T: DeserializeOwned>(text: &str) -> Result<T, PhhError> {
    toml::from_str(text).map_err(|error| PhhError {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        reason: error.message().to_owned(),
    })
}

/// The line of a byte offset.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn error<T>(self, place: &Spanned<T>, reason: impl Into<String>) -> PhhError {
        PhhError { line: line_of(self.text, place.span().start), reason: reason.into() }
    }

    fn hand(self, fields: &Fields) -> Result<Hand, PhhError> {
        let config = self.config(fields)?;
        let mut replay = Replay { game: Holdem::new(&config), actions: Vec::new() };
        let holes = self.holes(fields)?;
        replay.deal(holes.iter().flatten().copied());
        for action in &fields.actions {
            replay.apply_words(&words(action.get_ref())).map_err(|reason| {
                self.error(action, format!("{:?}: {reason}", action.get_ref()))
            })?;
        }
        Ok(Hand { config, names: fields.players.clone(), actions: replay.actions })
    }

    fn config(self, fields: &Fields) -> Result<Config, PhhError> {
        let stacks = fields.starting_stacks.get_ref();
        let wrong = |reason: String| self.error(&fields.starting_stacks, reason);
        let players = Seats::new(stacks.len()).map_err(|error| wrong(error.to_string()))?;
        let limit = match fields.variant.get_ref().as_str() {
            "NT" => false,
            "FT" => true,
            other => {
                let reason = format!("expected variant NT or FT (Texas hold'em), got {other:?}");
                return Err(self.error(&fields.variant, reason));
            }
        };
        let ante = self.ante(fields)?;
        let (small_blind, big_blind) = self.blinds(fields)?;
        let fixed: &[(&str, &Option<Spanned<u32>>, u32)] = if limit {
            &[
                ("small_bet", &fields.small_bet, big_blind),
                ("big_bet", &fields.big_bet, big_blind.saturating_mul(2)),
            ]
        } else {
            &[("min_bet", &fields.min_bet, big_blind)]
        };
        for (name, bet, expected) in fixed {
            match bet {
                Some(bet) if bet.get_ref() == expected => {}
                Some(bet) => {
                    let got = bet.get_ref();
                    let reason = format!("{name}: expected {expected} at these blinds, got {got}");
                    return Err(self.error(bet, reason));
                }
                None => return Err(self.error(&fields.variant, format!("{name} is missing"))),
            }
        }
        let (betting, bets, amounts) = match fields.betting {
            _ if limit => (Betting::Limit, None, Vec::new()),
            Some(betting) => {
                (betting, fields.bets.clone(), fields.amounts.clone().unwrap_or_default())
            }
            None => (Betting::NoLimit, Some(Vec::new()), amounts_in(fields)),
        };
        let stacks = match stacks.as_slice() {
            [first, others @ ..] if others.iter().all(|chips| chips == first) => {
                Stacks::Equal(*first)
            }
            _ => Stacks::Each(stacks.clone()),
        };
        let options =
            Options { players, betting, bets, amounts, small_blind, big_blind, ante, stacks };
        Config::try_from(options).map_err(|error| wrong(error.to_string()))
    }

    /// The ante, which must be the same for all.
    fn ante(self, fields: &Fields) -> Result<u32, PhhError> {
        let stacks = fields.starting_stacks.get_ref();
        let antes = fields.antes.get_ref();
        let first = antes.first().copied().unwrap_or(0);
        // Seats that the list leaves out post no ante.
        let complete = first == 0 || antes.len() == stacks.len();
        if !complete || antes.iter().any(|&ante| ante != first) {
            let reason = "antes: expected the same ante for each seat";
            return Err(self.error(&fields.antes, reason));
        }
        if !fields.ante_trimming_status && stacks.iter().any(|&chips| chips < first) {
            let reason = "antes: a stack is below the ante, which needs ante_trimming_status = \
                          true";
            return Err(self.error(&fields.antes, reason));
        }
        Ok(first)
    }

    fn blinds(self, fields: &Fields) -> Result<(u32, u32), PhhError> {
        let Some(blinds) = &fields.blinds_or_straddles else {
            return Err(self.error(&fields.variant, "blinds_or_straddles is missing"));
        };
        match blinds.get_ref().as_slice() {
            [small, big, others @ ..] if others.iter().all(|&other| other == 0) => {
                Ok((*small, *big))
            }
            other => {
                let reason = format!(
                    "blinds_or_straddles: expected a small and a big blind, and 0 for the other \
                     seats, got {other:?}"
                );
                Err(self.error(blinds, reason))
            }
        }
    }

    /// The hole cards of each seat, in dealing order.
    fn holes(self, fields: &Fields) -> Result<Vec<Vec<Card>>, PhhError> {
        let players = fields.starting_stacks.get_ref().len();
        let mut hands = vec![Vec::new(); players];
        for action in &fields.actions {
            let words = words(action.get_ref());
            let ["d", "dh", who, cards] = words[..] else { continue };
            let wrong =
                |reason: String| self.error(action, format!("{:?}: {reason}", action.get_ref()));
            let seat = seat_of(who).filter(|&seat| seat < players).ok_or_else(|| {
                wrong(format!("expected a player from p1 to p{players}, got {who:?}"))
            })?;
            hands[seat].extend(cards_of(cards).map_err(wrong)?);
            let [_, _] = hands[seat][..] else {
                return Err(wrong("expected two cards for each player".into()));
            };
        }
        let dealt = hands.iter().flatten().copied().collect::<CardSet>().len();
        if dealt != hands.iter().map(Vec::len).sum::<usize>() {
            return Err(self.error(&fields.variant, "a card is dealt twice"));
        }
        // A hand that ends during the deal lacks cards for the last seats.
        let missing = hands.iter().position(Vec::is_empty).unwrap_or(players);
        hands.truncate(missing);
        Ok(hands)
    }
}

/// The distinct amounts of all bets and raises, in chips.
fn amounts_in(fields: &Fields) -> Vec<u32> {
    let amount = |action: &Spanned<String>| match words(action.get_ref())[..] {
        [_, "cbr", amount] => amount.parse().ok(),
        _ => None,
    };
    fields.actions.iter().filter_map(amount).collect::<BTreeSet<u32>>().into_iter().collect()
}

/// The words of an action, without its comment.
fn words(action: &str) -> Vec<&str> {
    action.split_whitespace().take_while(|word| *word != "#").collect()
}

fn seat_of(player: &str) -> Option<usize> {
    player.strip_prefix('p')?.parse::<usize>().ok()?.checked_sub(1)
}

/// The cards of a word such as `AsKd`, in this order.
fn cards_of(word: &str) -> Result<Vec<Card>, String> {
    if word.contains('?') {
        return Err("expected known cards; hands with unknown cards cannot be replayed".into());
    }
    let set: CardSet =
        word.parse().map_err(|error: meeple_poker::ParseCardsError| error.to_string())?;
    let letters: Vec<char> = word.replace("10", "T").chars().collect();
    let cards = letters.chunks(2).map(|pair| pair.iter().collect::<String>().parse::<Card>());
    match cards.collect::<Result<Vec<Card>, _>>() {
        Ok(cards) if cards.len() == set.len() => Ok(cards),
        _ => Err(format!("expected cards such as AsKd, got {word:?}")),
    }
}

/// A hand being replayed.
struct Replay {
    game: Holdem,
    actions: Vec<Action>,
}

impl Replay {
    fn apply(&mut self, action: Action) -> Result<(), String> {
        self.game
            .try_apply(action)
            .map_err(|_| format!("not legal in this state:\n{}", self.game))?;
        self.actions.push(action);
        Ok(())
    }

    /// Deals cards that are known to be distinct.
    fn deal(&mut self, cards: impl Iterator<Item = Card>) {
        for card in cards {
            let action = Action(card.index() as u16);
            self.game.apply(action);
            self.actions.push(action);
        }
    }

    fn apply_words(&mut self, words: &[&str]) -> Result<(), String> {
        match *words {
            // Hole cards are already dealt, and all live hands are shown.
            ["d", "dh", ..] | [_, "sm", ..] => Ok(()),
            ["d", "db", cards] => {
                for card in cards_of(cards)? {
                    if self.game.phase != Phase::Board {
                        return Err("no board card is due here".into());
                    }
                    self.apply(Action(card.index() as u16))?;
                }
                Ok(())
            }
            [player, "f"] => self.act(player, |_| Some(FOLD)),
            [player, "cc"] if self.is_skipped(player) => Ok(()),
            [player, "cc"] => self.act(player, |_| Some(CALL)),
            [player, "cbr", amount] => {
                let amount = amount
                    .parse::<u32>()
                    .map_err(|_| format!("expected a whole number of chips, got {amount:?}"))?;
                self.act(player, |game| game.bet_of(amount))
            }
            _ => Err("expected d dh, d db, f, cc, cbr or sm".into()),
        }
    }

    /// Whether a check is no decision in our game, see [`phh`](super::phh).
    fn is_skipped(&self, player: &str) -> bool {
        let game = &self.game;
        game.phase == Phase::Board
            && seat_of(player).is_some_and(|seat| {
                seat < game.players()
                    && game.can_act == 1 << seat
                    && game.bets[seat] == game.current_bet
            })
    }

    fn act(
        &mut self,
        player: &str,
        action: impl Fn(&Holdem) -> Option<Action>,
    ) -> Result<(), String> {
        match self.game.turn() {
            Turn::Player(mover) if seat_of(player) == Some(mover.index()) => {}
            Turn::Player(mover) => return Err(format!("expected p{} to act", mover.0 + 1)),
            Turn::Chance => return Err("expected a dealt card".into()),
            Turn::Over => return Err("the hand is over".into()),
        }
        match action(&self.game) {
            Some(action) => self.apply(action),
            None => Err(format!("no bet of this size is legal in this state:\n{}", self.game)),
        }
    }
}
