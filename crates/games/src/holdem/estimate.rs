//! A guess of the outcome: what the cards would win if nobody bet again.

use meeple_game::{Action, Game, MAX_PLAYERS, Payoffs, Player, Rng};
use meeple_poker::{CardSet, Combo, equity_against_random, rank};

use super::deal::draw_set;
use super::{ALL_IN, CALL, FOLD, Holdem, Phase, SEATS};

/// Boards that are laid to the end for a guess.
const RUNOUTS: usize = 16;
/// Hands and boards that a player's own cards are held against.
const RIVALS: usize = 48;

impl Holdem {
    /// The payoffs if the rest of the board were laid with the chips as they
    /// are: averaged over a few boards, the same for the same state.
    pub(super) fn guess(&self) -> Payoffs {
        let mut won = [0u64; SEATS];
        let runouts = match self.phase {
            // Nobody knows enough, and the blinds go round.
            Phase::Hole => return [0.0; MAX_PLAYERS],
            Phase::Over => return self.payoffs(),
            _ if self.laid == 5 => 1,
            Phase::Bet | Phase::Board => RUNOUTS,
        };
        let board = self.board();
        let mut rng = Rng::new(self.whole_key());
        for _ in 0..runouts {
            let rest = draw_set(self.deck, 5 - usize::from(self.laid), &mut rng);
            let taken = self.winnings(&self.strengths(board | rest));
            won.iter_mut().zip(taken).for_each(|(sum, taken)| *sum += u64::from(taken));
        }
        let mut payoffs = [0.0; MAX_PLAYERS];
        for (seat, payoff) in payoffs[..self.players()].iter_mut().enumerate() {
            let paid = f64::from(self.start[seat] - self.stacks[seat]);
            let mean = won[seat] as f64 / runouts as f64;
            *payoff = ((mean - paid) / f64::from(self.most)) as f32;
        }
        payoffs
    }

    /// The chance of the mover's cards against one random hand, as far as a
    /// few deals tell; only what the mover sees goes into it.
    fn own_strength(&self) -> f32 {
        let hand = self.hands[usize::from(self.mover)];
        if self.laid == 0 {
            let class = Combo::from_set(hand).map(Combo::class);
            return class.map_or(0.5, |class| equity_against_random(class) as f32);
        }
        let board = self.board();
        let unseen = CardSet::DECK - hand - board;
        let mut rng = Rng::new(self.known_key(Player(self.mover)));
        let mut points = 0;
        for _ in 0..RIVALS {
            let rival = draw_set(unseen, 2, &mut rng);
            let whole = board | draw_set(unseen - rival, 5 - usize::from(self.laid), &mut rng);
            let (own, other) = (rank(whole | hand), rank(whole | rival));
            points += u32::from(own > other) + u32::from(own >= other);
        }
        points as f32 / (2 * RIVALS) as f32
    }

    /// Weights that let good hands raise and bad ones fold.
    pub(super) fn weigh(&self, actions: &[Action], weights: &mut [f32]) {
        let rivals = self.live.count_ones().saturating_sub(1);
        let chance = self.own_strength().powi(rivals as i32);
        let owed = self.owed().min(self.stacks[usize::from(self.mover)]) as f32;
        let price = owed / (self.pot as f32 + owed);
        // A raise is for hands that are ahead of a share of the rivals' ones.
        let ahead = chance * (rivals + 1) as f32 / 2.0;
        for (weight, &action) in weights.iter_mut().zip(actions) {
            *weight = match action {
                FOLD => (0.5 + 2.0 * (price - chance)).max(0.05),
                CALL => 1.0,
                ALL_IN => (2.0 * ahead - 1.0).max(0.05),
                _ => (1.5 * ahead).clamp(0.1, 1.5),
            };
        }
    }
}
