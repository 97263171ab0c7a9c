//! Heuristic evaluation: the expected payoffs if the hand is checked down.

use meeple_game::{Action, Game, MAX_PLAYERS, Payoffs, Player, Rng};
use meeple_poker::{CardSet, Combo, equity_against_random, rank};

use super::deal::draw_set;
use super::{ALL_IN, CALL, FOLD, Holdem, Phase, SEATS};

/// The number of sampled board runouts of an evaluation.
const RUNOUTS: usize = 16;
/// The number of sampled opponent hands and runouts of a hand strength.
const SAMPLES: usize = 48;

impl Holdem {
    /// The mean payoffs over sampled runouts without further betting. The generator is
    /// seeded by the state, so that equal states have equal values.
    pub(super) fn check_down_payoffs(&self) -> Payoffs {
        let mut won = [0u64; SEATS];
        let runouts = match self.phase {
            // No hole cards are known yet.
            Phase::Hole => return [0.0; MAX_PLAYERS],
            Phase::Over => return self.payoffs(),
            _ if self.board_len == 5 => 1,
            Phase::Bet | Phase::Board => RUNOUTS,
        };
        let board = self.board();
        let mut rng = Rng::new(self.state_key());
        for _ in 0..runouts {
            let rest = draw_set(self.deck, 5 - usize::from(self.board_len), &mut rng);
            let winnings = self.winnings(&self.strengths(board | rest));
            won.iter_mut().zip(winnings).for_each(|(sum, chips)| *sum += u64::from(chips));
        }
        let mut payoffs = [0.0; MAX_PLAYERS];
        for (seat, payoff) in payoffs[..self.players()].iter_mut().enumerate() {
            let paid = f64::from(self.start[seat] - self.stacks[seat]);
            let mean = won[seat] as f64 / runouts as f64;
            *payoff = ((mean - paid) / f64::from(self.max_win)) as f32;
        }
        payoffs
    }

    /// The sampled equity of the hand to act against one random hand; depends only on
    /// information of the player to act.
    fn hand_strength(&self) -> f32 {
        let hand = self.hands[usize::from(self.mover)];
        if self.board_len == 0 {
            let class = Combo::from_set(hand).map(Combo::class);
            return class.map_or(0.5, |class| equity_against_random(class) as f32);
        }
        let board = self.board();
        let unseen = CardSet::DECK - hand - board;
        let mut rng = Rng::new(self.info_state_key(Player(self.mover)));
        let mut points = 0;
        for _ in 0..SAMPLES {
            let opponent = draw_set(unseen, 2, &mut rng);
            let rest = draw_set(unseen - opponent, 5 - usize::from(self.board_len), &mut rng);
            let (own, other) = (rank(board | rest | hand), rank(board | rest | opponent));
            points += u32::from(own > other) + u32::from(own >= other);
        }
        points as f32 / (2 * SAMPLES) as f32
    }

    /// Prior weights: strong hands raise, weak hands fold, relative to the pot odds.
    pub(super) fn action_weights(&self, actions: &[Action], weights: &mut [f32]) {
        let opponents = self.live.count_ones().saturating_sub(1);
        // Equity against several opponents, as if their hands were independent.
        let equity = self.hand_strength().powi(opponents as i32);
        let to_call = self.amount_to_call().min(self.stacks[usize::from(self.mover)]) as f32;
        let pot_odds = to_call / (self.pot as f32 + to_call);
        // Equity relative to a fair share of the pot; 0.5 is average.
        let ahead = equity * (opponents + 1) as f32 / 2.0;
        for (weight, &action) in weights.iter_mut().zip(actions) {
            *weight = match action {
                FOLD => (0.5 + 2.0 * (pot_odds - equity)).max(0.05),
                CALL => 1.0,
                ALL_IN => (2.0 * ahead - 1.0).max(0.05),
                _ => (1.5 * ahead).clamp(0.1, 1.5),
            };
        }
    }
}
