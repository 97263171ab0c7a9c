//! Poker hand after hand: running stacks, and who deals next.

use anyhow::Context;
use meeple_arena::{Position, open};
use meeple_games::holdem::Holdem;
use meeple_games::small::{Kuhn, Leduc};
use serde_json::json;

use super::seats::Sitter;
use crate::failure::Failure;
use crate::show;

/// Somebody who plays hand after hand.
#[derive(Clone)]
struct Chair {
    sitter: Sitter,
    label: String,
    won: i64,
}

/// The hands that were played at a table, and who sits where in this one.
pub(crate) struct Series {
    /// By seat: everybody moves on by one seat after each hand.
    chairs: Vec<Chair>,
    hands: u64,
    pub(crate) seed: u64,
}

impl Series {
    pub(crate) fn new(sitters: Vec<Sitter>, seed: u64) -> Self {
        let persons = sitters.iter().filter(|sitter| **sitter == Sitter::Person).count();
        let chairs = (sitters.into_iter().enumerate()).map(|(seat, sitter)| {
            let label = match &sitter {
                Sitter::Person if persons == 1 => "you".to_owned(),
                Sitter::Person => format!("person {seat}"),
                Sitter::Bot(_) => format!("bot {seat}"),
            };
            Chair { sitter, label, won: 0 }
        });
        Self { chairs: chairs.collect(), hands: 0, seed }
    }

    /// Who sits where.
    pub(crate) fn sitters(&self) -> impl Iterator<Item = &Sitter> {
        self.chairs.iter().map(|chair| &chair.sitter)
    }

    /// The hands played before this one.
    pub(crate) fn hands(&self) -> u64 {
        self.hands
    }

    /// Counts the hand that `last` ended, and seats everybody for the next; nothing if the
    /// game has no hands, or too few have chips left.
    pub(crate) fn next_hand(
        &mut self,
        last: &dyn Position,
    ) -> Result<Option<Box<dyn Position>>, Failure> {
        let Some(won) = chips_won(last) else { return Ok(None) };
        self.hands += 1;
        self.chairs.iter_mut().zip(&won).for_each(|(chair, won)| chair.won += won);
        let stacks: Vec<u32> = match last.state().downcast_ref::<Holdem>() {
            Some(game) => game.chips().to_vec(),
            None => Vec::new(),
        };
        self.report(&stacks)?;
        if stacks.is_empty() {
            self.chairs.rotate_left(1);
            return Ok(Some(last.first()));
        }
        let mut left: Vec<(Chair, u32)> =
            (self.chairs.drain(..).zip(stacks)).filter(|&(_, chips)| chips > 0).collect();
        left.rotate_left(1);
        let (chairs, stacks): (Vec<Chair>, Vec<u32>) = left.into_iter().unzip();
        let plays_on = chairs.iter().any(|chair| chair.sitter == Sitter::Person);
        self.chairs = chairs;
        if stacks.len() < 2 || !plays_on {
            return Ok(None);
        }
        let mut table = last.config();
        table["players"] = json!(stacks.len());
        table["stacks"] = json!(stacks);
        let table = open(last.info().name, Some(&table.to_string()));
        Ok(Some(table.context("the next hand cannot be dealt")?))
    }

    fn report(&self, stacks: &[u32]) -> Result<(), Failure> {
        let standing: Vec<String> = (self.chairs.iter().enumerate())
            .map(|(seat, Chair { label, won, .. })| match stacks.get(seat) {
                Some(0) => format!("{label} {won:+}, out"),
                Some(stack) => format!("{label} {won:+} with {stack}"),
                None => format!("{label} {won:+}"),
            })
            .collect();
        let hands = if self.hands == 1 { "1 hand".into() } else { format!("{} hands", self.hands) };
        show::print(&show::wrapped(&format!("Chips after {hands}: {}", standing.join("; ")), "  "))
    }
}

/// The chips that each seat won in a hand; nothing in games that are not played by hands.
pub(crate) fn chips_won(last: &dyn Position) -> Option<Vec<i64>> {
    let state = last.state();
    if let Some(game) = state.downcast_ref::<Holdem>() {
        let won = game.chips().iter().zip(game.start_chips());
        return Some(won.map(|(&now, &before)| i64::from(now) - i64::from(before)).collect());
    }
    let won = match (state.downcast_ref::<Kuhn>(), state.downcast_ref::<Leduc>()) {
        (Some(game), _) => game.chips_won(),
        (_, Some(game)) => game.chips_won(),
        _ => return None,
    };
    Some(won.map(i64::from).to_vec())
}
