//! Text forms of states and actions, and parsing of actions.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use meeple_game::{Action, Game, Player, choices};
use meeple_poker::Card;

use super::{ALL_IN, Betting, CALL, FIRST_BET, FOLD, Holdem, Phase};

const STREETS: [&str; 4] = ["before the flop", "flop", "turn", "river"];

impl Holdem {
    pub(super) fn name_of(&self, action: Action) -> String {
        if self.phase != Phase::Bet {
            return format!("deal {}", Card::from_index(action.index()));
        }
        match action {
            FOLD => "fold".into(),
            CALL if self.amount_to_call() == 0 => "check".into(),
            CALL => {
                format!("call {}", self.amount_to_call().min(self.stacks[usize::from(self.mover)]))
            }
            _ => match self.amount_of(action) {
                all if all == self.all_in() => format!("all-in {all}"),
                amount if self.current_bet == 0 => format!("bet {amount}"),
                amount => format!("raise to {amount}"),
            },
        }
    }

    /// Parses an action by its name or a short form: `call`, `all-in`, `raise 120`,
    /// `bet 120`, and a card alone for a deal.
    pub(super) fn read_action(&self, text: &str) -> Option<Action> {
        let text = text.trim().to_ascii_lowercase();
        let choices = choices(self);
        let named = |action: &Action| self.name_of(*action).eq_ignore_ascii_case(&text);
        if let Some(&action) = choices.iter().find(|action| named(action)) {
            return Some(action);
        }
        let legal = |action: Action| choices.contains(&action).then_some(action);
        if self.phase != Phase::Bet {
            return legal(Action(text.parse::<Card>().ok()?.index() as u16));
        }
        let last = text.rsplit(' ').next().and_then(|word| word.parse::<u32>().ok());
        match text.split([' ', '-']).next()? {
            "check" if last.is_none() => legal(CALL).filter(|_| self.amount_to_call() == 0),
            "call" if last.is_none() => legal(CALL).filter(|_| self.amount_to_call() > 0),
            "all" | "allin" if last.is_none() => {
                let all = |action: &&Action| {
                    **action != FOLD
                        && **action != CALL
                        && self.amount_of(**action) == self.all_in()
                };
                choices.iter().find(all).copied()
            }
            "raise" | "bet" => self.bet_of(self.amount_named(&text)?),
            _ => None,
        }
    }

    /// Parses the total amount of a bet or raise, whether it is legal or not: `bet 300`,
    /// `raise to 2.5bb`, `raise pot`, `bet 75%` (of the pot).
    #[must_use]
    pub fn amount_named(&self, text: &str) -> Option<u32> {
        let text = text.trim().to_ascii_lowercase();
        let amount = text.strip_prefix("raise").or_else(|| text.strip_prefix("bet"))?.trim();
        let amount = amount.strip_prefix("to ").unwrap_or(amount).trim();
        let share = |percent: f64| {
            let after_call = f64::from(self.pot + self.amount_to_call());
            f64::from(self.current_bet) + (after_call * percent / 100.0).floor()
        };
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let chips = match amount {
            "pot" => share(100.0),
            "half" | "half pot" => share(50.0),
            _ if amount.ends_with('%') => share(number(amount.trim_end_matches('%'))?),
            _ => match amount.strip_suffix("bb") {
                Some(blinds) => number(blinds)? * f64::from(self.big_blind),
                None => amount.parse::<u32>().ok()?.into(),
            },
        };
        (0.0..=f64::from(u32::MAX)).contains(&chips).then(|| chips.round() as u32)
    }

    /// The highest bet of this street.
    #[must_use]
    pub fn highest_bet(&self) -> u32 {
        self.current_bet
    }

    /// The range of total bet amounts that the rules of poker allow, from the min-raise to
    /// all-in; `None` where the player may not raise, and in limit games.
    #[must_use]
    pub fn bet_range(&self) -> Option<RangeInclusive<u32>> {
        let no_limit =
            self.phase == Phase::Bet && self.betting != Betting::Limit && self.may_raise();
        no_limit.then(|| (self.current_bet + self.min_raise).min(self.all_in())..=self.all_in())
    }

    /// The legal bet or raise with this total amount.
    #[must_use]
    pub fn bet_of(&self, amount: u32) -> Option<Action> {
        let mut found = None;
        if self.phase == Phase::Bet && self.may_raise() {
            self.visit_bets(|action, total| {
                if total == amount {
                    found = Some(action);
                }
            });
        }
        found
    }

    /// The total amount of a bet or raise; `None` for other actions.
    #[must_use]
    pub fn bet_amount(&self, action: Action) -> Option<u32> {
        let is_bet = self.phase == Phase::Bet && (action == ALL_IN || action.0 >= FIRST_BET);
        is_bet.then(|| self.amount_of(action))
    }

    /// The state as `player` sees it, or with all cards.
    pub(super) fn table(&self, player: Option<Player>) -> String {
        let mut text = String::new();
        self.write_table(player, &mut text).expect("a String takes it");
        text
    }

    fn write_table(&self, player: Option<Player>, out: &mut String) -> fmt::Result {
        let betting = match self.betting {
            Betting::Limit => "limit",
            Betting::NoLimit | Betting::Fcpa => "no limit",
        };
        let street = match self.phase {
            Phase::Over => "over",
            _ => STREETS[usize::from(self.street)],
        };
        write!(out, "{betting}, {street}, pot {}; board:", self.pot)?;
        for card in self.board_cards() {
            write!(out, " {}", Card::from_index(card))?;
        }
        for seat in 0..self.players() {
            let shown = player.is_none_or(|player| self.knows(player, seat));
            let hand = match self.hands[seat] {
                hand if hand.is_empty() => "--".to_owned(),
                hand if shown => hand.to_string(),
                _ => "??".into(),
            };
            write!(out, "\nseat {seat}: {hand}, {} chips", self.stacks[seat])?;
            if self.bets[seat] > 0 && self.phase != Phase::Over {
                write!(out, ", bets {}", self.bets[seat])?;
            }
            if self.live >> seat & 1 == 0 {
                write!(out, ", folded")?;
            } else if self.stacks[seat] == 0 && self.phase != Phase::Over {
                write!(out, ", all in")?;
            }
            if seat + 1 == self.players() {
                write!(out, ", dealer")?;
            }
            if self.phase == Phase::Bet && usize::from(self.mover) == seat {
                write!(out, ", to act")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Holdem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table(None))
    }
}
