//! Counts of results: the one place that says who won, drew or lost.

use meeple_game::{MAX_PLAYERS, Player, Stakes, Steps};

use crate::{Model, Scoring, Winnings};
use meeple_bots::{Forfeit, Played};
use meeple_stats::{
    Moments, PairedResult, Scores, Sprt, Verdict, Z, normalized_score, paired_result,
};

/// What happened in a number of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Decisions of players in all of them.
    pub decisions: u64,
    /// Chance events in all of them.
    pub chances: u64,
    /// Games that a bot lost by failing; they count as played.
    pub forfeits: u64,
    /// Games that were broken off at their limit, as draws; they count as played.
    pub cut: u64,
    /// Games that met a bound of their implementation ([`Game::fault`](meeple_game::Game::fault));
    /// they count as drawn.
    pub faults: u64,
    /// The seat that forfeited the first of these games, and why.
    pub first_forfeit: Option<(Player, Forfeit)>,
    /// The results of each seat; empty seats stay at zero.
    pub seats: [SeatTally; MAX_PLAYERS],
}

/// The results of one seat, or of one bot at its seats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatTally {
    /// Games; a bot that sits twice counts twice.
    pub games: u64,
    /// Games with a higher payoff than every other seat.
    pub wins: u64,
    /// Games with the highest payoff shared.
    pub ties: u64,
    /// The sum of its payoffs.
    pub payoff: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl SeatTally {
    /// Counts a seat of a game in which the seats got `payoffs`.
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

    /// The standard error of the mean payoff, of games that are independent.
    #[must_use]
    pub fn payoff_error(&self) -> f64 {
        Moments { count: self.games, sum: self.payoff, squares: self.squares }.standard_error()
    }

    /// Games in which another seat had a higher payoff.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.games - self.wins - self.ties
    }
}

impl Tally {
    /// Counts a game in which the seats got `payoffs`.
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

    /// Adds what was counted elsewhere.
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

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Its rules.
    Rules,
    /// The limit of decisions.
    Limit,
    /// A bot that failed.
    Forfeit,
    /// A bound of the game's implementation.
    Fault,
}

impl Ending {
    /// How a game between bots ended.
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

/// The score of one bot against another in one game, from 0 to 1: the share of points
/// that the seats of the first took from those of the second, a half if they did not
/// meet.
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
    /// The points of a seat that got `ahead` more than another.
    fn points(self, ahead: f64) -> f64 {
        match self {
            Self::Payoff => 0.5 + ahead / 4.0,
            Self::Wins if ahead > 0.0 => 1.0,
            Self::Wins if ahead < 0.0 => 0.0,
            Self::Wins => 0.5,
        }
    }
}

/// What the games of a match say about the first of its two bots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchTally {
    /// What scores are of.
    pub scoring: Scoring,
    /// Scores of whole blocks, the games with the same chance events.
    pub blocks: Scores,
    /// Scores of games.
    pub games: Scores,
}

impl MatchTally {
    pub(crate) fn new(scoring: Scoring) -> Self {
        Self { scoring, ..Self::default() }
    }

    /// Adds the games of another match, scored in the same way.
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

    /// What a sequential test of blocks says.
    #[must_use]
    pub fn verdict(&self, test: &Sprt) -> Verdict {
        test.verdict(self.ratio(test, Model::Pentanomial))
    }

    /// What the games say about the first bot.
    #[must_use]
    pub fn paired_result(&self) -> PairedResult {
        paired_result(&self.blocks, self.block().round() as u64, self.scoring.elo_scale())
    }

    /// The deviation of the score of one game, by what blocks vary.
    pub(crate) fn deviation(&self) -> f64 {
        (self.blocks.variance() * self.block()).sqrt()
    }

    /// Games of a block.
    fn block(&self) -> f64 {
        self.games.len() as f64 / self.blocks.len().max(1) as f64
    }

    /// What the first bot wins in a game for stakes, one of it against a table full of
    /// the second, where what one wins the others lose.
    #[must_use]
    pub fn winnings(&self, stakes: Stakes, seats: usize) -> Winnings {
        let PairedResult { score, interval, .. } = self.paired_result();
        // A score is a half and a quarter of the difference of payoffs.
        let share = 1.0 - 1.0 / seats as f64;
        let payoff = |score: f64| 4.0 * (score - 0.5) * share;
        let error = payoff(0.5 + (interval.ci_high - interval.ci_low) / 2.0) / Z;
        Winnings::new(stakes, payoff(score), error)
    }

    /// Counts a block by the scores of its games.
    pub(crate) fn add(&mut self, scores: &[f64]) {
        scores.iter().for_each(|&score| self.games.add(score));
        self.blocks.add(scores.iter().sum::<f64>() / scores.len().max(1) as f64);
    }

    fn count(&self, wanted: impl Fn(f64) -> bool) -> u64 {
        self.games.iter().filter(|(score, _)| wanted(*score)).map(|(_, count)| count).sum()
    }

    /// Games that the first bot won: with more than half of the points.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.count(|score| score > 0.5)
    }

    /// Games that went alike for both.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.count(|score| score == 0.5)
    }

    /// Games that the first bot lost.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.count(|score| score < 0.5)
    }

    /// The points of all games.
    #[must_use]
    pub fn points(&self) -> f64 {
        match self.scoring {
            Scoring::Wins => self.games.iter().map(|(score, count)| score * count as f64).sum(),
            Scoring::Payoff => self.score() * self.games.len() as f64,
        }
    }

    /// The share of points, a half without games. Where payoffs are scored, that of wins
    /// and losses with the same mean in units of the deviation of one game.
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

    /// A zero is a zero, whatever its sign.
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
