//! A series of poker hands: running stacks and the rotation of seats.

use anyhow::Context;
use meeple_bots::{Position, open};
use meeple_games::holdem::Holdem;
use meeple_games::small::{Kuhn, Leduc};
use serde_json::json;

use super::seats::Agent;
use crate::failure::Failure;
use crate::show;

/// A participant of the series.
#[derive(Clone)]
struct Participant {
    agent: Agent,
    label: String,
    won: i64,
}

/// The state of a series of hands.
pub(crate) struct Series {
    /// By seat; the seats rotate by one after each hand.
    participants: Vec<Participant>,
    hands: u64,
    pub(crate) seed: u64,
}

impl Series {
    pub(crate) fn new(agents: Vec<Agent>, seed: u64) -> Self {
        let humans = agents.iter().filter(|agent| **agent == Agent::Human).count();
        let participants = (agents.into_iter().enumerate()).map(|(seat, agent)| {
            let label = match &agent {
                Agent::Human if humans == 1 => "you".to_owned(),
                Agent::Human => format!("human {seat}"),
                Agent::Bot(_) => format!("bot {seat}"),
            };
            Participant { agent, label, won: 0 }
        });
        Self { participants: participants.collect(), hands: 0, seed }
    }

    /// Returns the agents by seat.
    pub(crate) fn agents(&self) -> impl Iterator<Item = &Agent> {
        self.participants.iter().map(|participant| &participant.agent)
    }

    /// Returns the number of hands played before this one.
    pub(crate) fn hands(&self) -> u64 {
        self.hands
    }

    /// Records the hand that ended in `last` and returns the next one; `None` if the game is
    /// not played in hands, or too few participants have chips left.
    pub(crate) fn next_hand(
        &mut self,
        last: &dyn Position,
    ) -> Result<Option<Box<dyn Position>>, Failure> {
        let Some(won) = chips_won(last) else { return Ok(None) };
        self.hands += 1;
        for (participant, won) in self.participants.iter_mut().zip(&won) {
            participant.won += won;
        }
        let stacks: Vec<u32> = match last.state().downcast_ref::<Holdem>() {
            Some(game) => game.chips().to_vec(),
            None => Vec::new(),
        };
        self.report(&stacks)?;
        if stacks.is_empty() {
            self.participants.rotate_left(1);
            return Ok(Some(last.first()));
        }
        let mut left: Vec<(Participant, u32)> =
            (self.participants.drain(..).zip(stacks)).filter(|&(_, chips)| chips > 0).collect();
        left.rotate_left(1);
        let (participants, stacks): (Vec<Participant>, Vec<u32>) = left.into_iter().unzip();
        let has_human = participants.iter().any(|participant| participant.agent == Agent::Human);
        self.participants = participants;
        if stacks.len() < 2 || !has_human {
            return Ok(None);
        }
        let mut config = last.config();
        config["players"] = json!(stacks.len());
        config["stacks"] = json!(stacks);
        let next = open(last.info().name, Some(&config.to_string()));
        Ok(Some(next.context("cannot deal the next hand")?))
    }

    fn report(&self, stacks: &[u32]) -> Result<(), Failure> {
        let standings: Vec<String> = (self.participants.iter().enumerate())
            .map(|(seat, Participant { label, won, .. })| match stacks.get(seat) {
                Some(0) => format!("{label} {won:+}, out"),
                Some(stack) => format!("{label} {won:+} with {stack}"),
                None => format!("{label} {won:+}"),
            })
            .collect();
        let hands = if self.hands == 1 { "1 hand".into() } else { format!("{} hands", self.hands) };
        show::print(&show::wrapped(&format!("Chips after {hands}: {}", standings.join("; ")), "  "))
    }
}

/// Returns the chips won by each seat in a hand; `None` in games that are not played in hands.
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
