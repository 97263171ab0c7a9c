//! Writes hands in the PHH format.

use std::fmt::{Display, Write as _};

use meeple_game::{Action, Game, IllegalAction, Turn};
use meeple_poker::Card;

use super::super::{Betting, Config, FOLD, Holdem, Phase};
use super::{AMOUNTS, BETS, BETTING};

/// Writes a hand as a PHH file: configuration, actions and finishing stacks.
///
/// `actions` are all actions of the hand from its start, including dealt cards.
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::holdem::{Config, Holdem, parse_phh, phh};
///
/// let config = Config::default();
/// let (mut game, mut actions) = (Holdem::new(&config), vec![]);
/// for name in ["As", "Ah", "Kd", "Kc", "raise to 300", "fold"] {
///     let action = game.parse_action(name).expect("it is legal");
///     actions.push(action);
///     game.apply(action);
/// }
/// let text = phh(&config, &actions, &["Anna".into(), "Ben".into()])?;
/// assert!(text.contains("\"p2 cbr 300\""));
/// assert!(text.contains("finishing_stacks = [9900, 10100]"));
/// assert_eq!(parse_phh(&text).unwrap()[0].actions, actions);
/// # Ok::<_, meeple_game::IllegalAction>(())
/// ```
///
/// # Errors
///
/// If an action is not legal.
pub fn phh(config: &Config, actions: &[Action], names: &[String]) -> Result<String, IllegalAction> {
    let mut game = Holdem::new(config);
    let mut sheet = Sheet::default();
    for &action in actions {
        let before = game;
        game.try_apply(action)?;
        sheet.add(&before, &game, action);
    }
    sheet.end_cards();
    let options = config.options();
    let (players, big) = (options.players.get(), options.big_blind);
    let mut blinds = vec![0; players];
    (blinds[0], blinds[1]) = (options.small_blind, big);
    let (variant, bets) = match options.betting {
        Betting::Limit => ("FT", format!("small_bet = {big}\nbig_bet = {}", 2 * big)),
        Betting::NoLimit | Betting::Fcpa => ("NT", format!("min_bet = {big}")),
    };
    let mut text = format!(
        "variant = \"{variant}\"\nante_trimming_status = true\nantes = {}\n\
         blinds_or_straddles = {}\n{bets}\nstarting_stacks = {}\nactions = [\n",
        list(&vec![options.ante; players]),
        list(&blinds),
        list(game.start_chips()),
    );
    for line in &sheet.lines {
        writeln!(text, "  \"{line}\",").expect("a String takes it");
    }
    text.push_str("]\n");
    if names.len() == players {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        writeln!(text, "players = {}", list(&names)).expect("as above");
    }
    if game.turn() == Turn::Over {
        writeln!(text, "finishing_stacks = {}", list(game.chips())).expect("as above");
    }
    text.push_str(&bet_sizes(config));
    Ok(text)
}

/// The bet sizes, in user-defined fields.
fn bet_sizes(config: &Config) -> String {
    let options = config.options();
    let mut text = match options.betting {
        Betting::Limit => return String::new(),
        Betting::NoLimit => format!("{BETTING} = \"no-limit\"\n"),
        Betting::Fcpa => format!("{BETTING} = \"fcpa\"\n"),
    };
    if let Some(bets) = &options.bets {
        writeln!(text, "{BETS} = {}", list(bets)).expect("a String takes it");
    }
    if !options.amounts.is_empty() {
        writeln!(text, "{AMOUNTS} = {}", list(&options.amounts)).expect("as above");
    }
    text
}

fn list<T: Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// A TOML string of one line.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => {
                write!(out, "\\u{:04X}", u32::from(control)).expect("a String takes it");
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// The actions so far, in PHH notation.
#[derive(Default)]
struct Sheet {
    lines: Vec<String>,
    /// Cards of the current deal line.
    cards: String,
    /// The command and receiver of the current deal line.
    receiver: String,
    /// The second largest effective stack, which caps the bets that can be called.
    second: u32,
    /// Whether the hands are shown.
    shown: bool,
}

impl Sheet {
    fn add(&mut self, before: &Holdem, after: &Holdem, action: Action) {
        match before.phase {
            Phase::Hole => {
                self.deal(&format!("dh p{}", before.dealt / 2 + 1), action);
                if after.phase != Phase::Hole {
                    self.end_cards();
                    self.second = second_most(after);
                }
            }
            Phase::Board => {
                self.deal("db", action);
                if after.board_len >= 3 {
                    self.end_cards();
                }
            }
            _ => self.act(before, after, action),
        }
        // Hands are shown as soon as no more decisions follow.
        let decided = match after.phase {
            Phase::Board => after.can_act & after.can_act.wrapping_sub(1) == 0,
            Phase::Over => true,
            Phase::Hole | Phase::Bet => false,
        };
        if decided && !self.shown && !after.live.is_power_of_two() {
            self.shown = true;
            for seat in (0..after.players()).filter(|seat| after.live >> seat & 1 == 1) {
                self.lines.push(format!("p{} sm {}", seat + 1, after.hands[seat]));
            }
        }
    }

    fn deal(&mut self, receiver: &str, action: Action) {
        if self.receiver != receiver {
            self.end_cards();
            self.receiver = receiver.into();
        }
        self.cards.push_str(&Card::from_index(action.index()).to_string());
    }

    fn end_cards(&mut self) {
        if !self.cards.is_empty() {
            self.lines.push(format!("d {} {}", self.receiver, self.cards));
        }
        self.cards.clear();
        self.receiver.clear();
    }

    fn act(&mut self, before: &Holdem, after: &Holdem, action: Action) {
        let what = match before.bet_amount(action) {
            Some(amount) => format!("cbr {amount}"),
            None if action == FOLD => "f".into(),
            None => "cc".into(),
        };
        self.lines.push(format!("p{} {what}", before.mover + 1));
        // PHH records a check that is no decision here: the big blind's, when no other seat
        // can bet any more but one could when the hand began.
        let skipped = before.to_act & !(1 << before.mover) & after.can_act;
        if skipped != 0 && after.phase == Phase::Board {
            let seat = skipped.trailing_zeros() as usize;
            if self.second > before.bets[seat] {
                self.lines.push(format!("p{} cc", seat + 1));
            }
        }
    }
}

fn second_most(game: &Holdem) -> u32 {
    let mut all: Vec<u32> =
        (0..game.players()).map(|seat| game.bets[seat] + game.stacks[seat]).collect();
    all.sort_unstable();
    all[all.len() - 2]
}
