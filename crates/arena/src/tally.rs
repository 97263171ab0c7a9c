//! Tallies of results. This is the only place that defines wins, draws and losses.

use meeple_game::{MAX_PLAYERS, Player, Stakes, Steps};

use crate::{Model, Scoring, Winnings};
use meeple_bots::{Forfeit, Played};
use meeple_stats::{
    Moments, PairedResult, Scores, Sprt, Verdict, Z, normalized_score, paired_result,
};

/// The results of a number of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of games played.
    pub games: u64,
    /// The total number of decisions.
    pub decisions: u64,
    /// The total number of chance events.
    pub chances: u64,
    /// The number of forfeited games. They count as played.
    pub forfeits: u64,
    /// The number of games that reached their decision limit. They count as drawn.
    pub cut: u64,
    /// The number of games that exceeded a bound of their implementation
    /// ([`Game::fault`](meeple_game::Game::fault)). They count as drawn.
    pub faults: u64,
    /// The seat that forfeited first, and the reason.
    pub first_forfeit: Option<(Player, Forfeit)>,
    /// The results of each seat; zeros for unused seats.
    pub seats: [SeatTally; MAX_PLAYERS],
}

/// The results of one seat, or of one bot at all its seats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatTally {
    /// The number of games. A bot that plays two seats counts twice.
    pub games: u64,
    /// The number of games with a higher payoff than every other seat.
    pub wins: u64,
    /// The number of games with the highest payoff shared.
    pub ties: u64,
    /// The sum of payoffs.
    pub payoff: f64,
    /// The sum of squared payoffs.
    pub squares: f64,
}

impl SeatTally {
    /// Adds the result of `seat` in a game with these payoffs.
    pub(crate) fn add(&mut self, payoffs: &[f32], seat: usize) {
        let mine = payoffs[seat];
        let highest = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.games += 1;
        self.payoff += f64::from(mine);
        self.squares += f64::from(mine) * f64::from(mine);
        if mine == highest {
            let winners = payoffs.iter().filter(|&&payoff| payoff == highest).count();
            *if winners == 1 { &mut self.wins } else { &mut self.ties } += 1;
        }
    }

    /// The mean payoff.
    #[must_use]
    pub fn mean_payoff(&self) -> f64 {
        self.payoff / self.games.max(1) as f64
    }

    /// The standard error of the mean payoff, for independent games.
    #[must_use]
    pub fn payoff_error(&self) -> f64 {
        Moments { count: self.games, sum: self.payoff, squares: self.squares }.standard_error()
    }

    /// The number of games in which another seat had a higher payoff.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.ties
    }
}

impl Tally {
    /// Adds a game with these payoffs.
    pub(crate) fn add(&mut self, payoffs: &[f32], steps: Steps, ending: Ending) {
        for (seat, tally) in self.seats[..payoffs.len()].iter_mut().enumerate() {
            tally.add(payoffs, seat);
        }
        self.games += 1;
        self.decisions += steps.decisions;
        self.chances += steps.chances;
        match ending {
            Ending::Rules => {}
            Ending::Limit => self.cut += 1,
            Ending::Forfeit => self.forfeits += 1,
            Ending::Fault => self.faults += 1,
        }
    }

    /// Adds another tally.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.forfeits += other.forfeits;
        self.cut += other.cut;
        self.faults += other.faults;
        if self.first_forfeit.is_none() {
            self.first_forfeit.clone_from(&other.first_forfeit);
        }
        self.decisions += other.decisions;
        self.chances += other.chances;
        for (seat, other) in self.seats.iter_mut().zip(&other.seats) {
            seat.games += other.games;
            seat.wins += other.wins;
            seat.ties += other.ties;
            seat.payoff += other.payoff;
            seat.squares += other.squares;
        }
    }
}

/// The share of the win of each seat: 1 for the seat with the highest payoff, or equal parts for
/// all that have it.
pub(crate) fn shares(payoffs: &[f32]) -> Vec<f64> {
    let highest = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let winners = payoffs.iter().filter(|&&payoff| payoff == highest).count();
    let share = |&payoff: &f32| if payoff == highest { 1.0 / winners as f64 } else { 0.0 };
    payoffs.iter().map(share).collect()
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By its rules.
    Rules,
    /// At the decision limit.
    Limit,
    /// By forfeit.
    Forfeit,
    /// At a bound of the game's implementation.
    Fault,
}

impl Ending {
    /// Returns how a game between bots ended.
    pub(crate) fn of_game(played: &Played) -> Self {
        Self::of(played.cut, played.forfeit.is_some(), played.fault.is_some())
    }

    pub(crate) fn of(is_cut: bool, is_forfeit: bool, is_fault: bool) -> Self {
        match (is_cut, is_forfeit, is_fault) {
            (true, _, _) => Self::Limit,
            (_, true, _) => Self::Forfeit,
            (_, _, true) => Self::Fault,
            _ => Self::Rules,
        }
    }
}

/// The score of one bot against another in one game, from 0 to 1: the mean points of each seat of
/// the first against each seat of the second; one half if there is no such pair of seats.
pub(crate) fn score<S: PartialEq<B>, B: ?Sized>(
    payoffs: &[f32],
    bots: &[S],
    [first, second]: [&B; 2],
    scoring: Scoring,
) -> f64 {
    let (mut points, mut pairs) = (0.0, 0.0);
    for (bot, payoff) in bots.iter().zip(payoffs) {
        for (other, theirs) in bots.iter().zip(payoffs) {
            if bot == first && other == second {
                pairs += 1.0;
                points += scoring.points(f64::from(payoff - theirs));
            }
        }
    }
    if pairs > 0.0 { points / pairs } else { 0.5 }
}

impl Scoring {
    /// Returns the points of a seat whose payoff exceeds another by `ahead`.
    fn points(self, ahead: f64) -> f64 {
        match self {
            Self::Payoff => 0.5 + ahead / 4.0,
            Self::Wins if ahead > 0.0 => 1.0,
            Self::Wins if ahead < 0.0 => 0.0,
            Self::Wins => 0.5,
        }
    }
}

/// The results of a match, from the perspective of the first of its two bots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchTally {
    /// How games are scored.
    pub scoring: Scoring,
    /// Scores of blocks, whose games share their chance events.
    pub blocks: Scores,
    /// Scores of single games.
    pub games: Scores,
}

impl MatchTally {
    pub(crate) fn new(scoring: Scoring) -> Self {
        Self { scoring, ..Self::default() }
    }

    /// Adds the games of another match with the same scoring.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.blocks.merge(&other.blocks);
        self.games.merge(&other.games);
    }

    /// The log-likelihood ratio of a sequential test.
    #[must_use]
    pub fn ratio(&self, test: &Sprt, model: Model) -> f64 {
        let (scores, block) = match model {
            Model::Pentanomial => (&self.blocks, self.block()),
            Model::Trinomial => (&self.games, 1.0),
        };
        match self.scoring {
            Scoring::Wins => test.ratio(scores),
            Scoring::Payoff => test.normalized_ratio(scores, block),
        }
    }

    /// The verdict of a sequential test on blocks.
    #[must_use]
    pub fn verdict(&self, test: &Sprt) -> Verdict {
        test.verdict(self.ratio(test, Model::Pentanomial))
    }

    /// The estimated strength of the first bot.
    #[must_use]
    pub fn paired_result(&self) -> PairedResult {
        paired_result(&self.blocks, self.block().round() as u64, self.scoring.elo_scale())
    }

    /// The standard deviation of the score of one game, estimated from the variance of blocks,
    /// whose games are correlated.
    pub(crate) fn deviation(&self) -> f64 {
        (self.blocks.variance() * self.block()).sqrt()
    }

    /// The number of games of a block.
    fn block(&self) -> f64 {
        self.games.len() as f64 / self.blocks.len().max(1) as f64
    }

    /// The winnings of the first bot in a game for stakes, at one seat against copies of the
    /// second, from the zero-sum property.
    #[must_use]
    pub fn winnings(&self, stakes: Stakes, seats: usize) -> Winnings {
        let PairedResult { score, interval, .. } = self.paired_result();
        // Inverts `Scoring::Payoff`: a score is one half plus a quarter of the difference of
        // payoffs.
        let share = 1.0 - 1.0 / seats as f64;
        let payoff = |score: f64| 4.0 * (score - 0.5) * share;
        let error = payoff(0.5 + (interval.ci_high - interval.ci_low) / 2.0) / Z;
        Winnings::new(stakes, payoff(score), error)
    }

    /// Adds a block with the scores of its games.
    pub(crate) fn add(&mut self, scores: &[f64]) {
        scores.iter().for_each(|&score| self.games.add(score));
        self.blocks.add(scores.iter().sum::<f64>() / scores.len().max(1) as f64);
    }

    fn count(&self, wanted: impl Fn(f64) -> bool) -> u64 {
        self.games.iter().filter(|(score, _)| wanted(*score)).map(|(_, count)| count).sum()
    }

    /// The number of games that the first bot won, with more than half of the points.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.count(|score| score > 0.5)
    }

    /// The number of drawn games.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.count(|score| score == 0.5)
    }

    /// The number of games that the first bot lost.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.count(|score| score < 0.5)
    }

    /// The total points.
    #[must_use]
    pub fn points(&self) -> f64 {
        match self.scoring {
            Scoring::Wins => self.games.iter().map(|(score, count)| score * count as f64).sum(),
            Scoring::Payoff => self.score() * self.games.len() as f64,
        }
    }

    /// The mean score; one half without games. Where payoffs are scored, the score of wins and
    /// losses with the same mean in units of the standard deviation of one game.
    #[must_use]
    pub fn score(&self) -> f64 {
        match (self.scoring, self.deviation()) {
            (Scoring::Wins, _) => self.games.mean(),
            (Scoring::Payoff, 0.0) => 0.5,
            (Scoring::Payoff, deviation) => {
                normalized_score(self.blocks.mean(), deviation).clamp(0.0, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positive and negative zero are equal payoffs.
    #[test]
    fn draws_are_drawn() {
        for payoffs in [[0.0, 0.0], [0.0, -0.0], [-0.0, 0.0]] {
            assert_eq!(score(&payoffs, &["a", "b"], [&"a", &"b"], Scoring::Wins), 0.5);
            let mut tally = Tally::default();
            tally.add(&payoffs, Steps::default(), Ending::Limit);
            assert_eq!((tally.games, tally.cut, tally.forfeits, tally.faults), (1, 1, 0, 0));
            for seat in &tally.seats[..2] {
                assert_eq!((seat.wins, seat.ties, seat.losses()), (0, 1, 0));
            }
        }
    }

    #[test]
    fn matches_count_games_and_blocks() {
        let mut tally = MatchTally::default();
        tally.add(&[1.0, 0.5]);
        tally.add(&[0.0, 0.5]);
        tally.add(&[1.0, 1.0]);
        assert_eq!((tally.wins(), tally.draws(), tally.losses()), (3, 2, 1));
        assert_eq!((tally.points(), tally.score()), (4.0, 4.0 / 6.0));
        let blocks: Vec<_> = tally.blocks.iter().collect();
        assert_eq!(blocks, [(0.25, 1), (0.75, 1), (1.0, 1)]);
    }
}
