//! Samples: decisions as training data, with observation, policy target and outcome.

mod file;

use meeple_bots::SeatView;
use meeple_game::{Action, ActionList, Game, Payoffs, Player, View};
use meeple_search::SearchReport;

pub use file::{SAMPLES_VERSION, SampleError, SampleLayout};

/// Decisions as a structure of arrays.
///
/// ```
/// use meeple_arena::{SampleLayout, Samples};
/// use meeple_bots::open;
/// use meeple_game::{Action, Player};
///
/// let mut samples = Samples::default();
/// let game = open("tic-tac-toe", None)?;
/// samples.add(&*game.view(Player(0)), Action(4), None);
/// samples.finish(7, 0, &[1.0, -1.0], false);
/// let layout = SampleLayout::of(&game.info());
/// let bytes = samples.to_bytes(&layout, &[])?;
/// let read = Samples::from_bytes(&layout, &bytes)?;
/// assert_eq!(read, samples);
/// assert_eq!(read.get(0).outcomes, [1.0, -1.0]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    cells: usize,
    seats_at_table: usize,
    observations: Vec<i32>,
    /// The end of the legal actions of each decision.
    ends: Vec<u32>,
    legal: Vec<Action>,
    policy: Vec<f32>,
    actions: Vec<u16>,
    seats: Vec<u8>,
    games: Vec<u64>,
    configs: Vec<u16>,
    /// The payoff of each seat, starting with the deciding seat.
    outcomes: Vec<f32>,
    /// The search value of each seat, starting with the deciding seat.
    values: Vec<f32>,
    /// Whether the game was truncated.
    cut: Vec<u8>,
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The observation of the deciding seat.
    pub observation: &'a [i32],
    /// The legal actions.
    pub legal: &'a [Action],
    /// The policy target: the probability of each legal action.
    pub policy: &'a [f32],
    /// The action played.
    pub action: Action,
    /// The deciding seat.
    pub seat: Player,
    /// The index of the game.
    pub game: u64,
    /// The payoff of each seat, starting with the deciding seat; its estimate at the end of a
    /// truncated game.
    pub outcomes: &'a [f32],
    /// The search value of each seat, starting with the deciding seat; the outcomes if there was
    /// no search.
    pub values: &'a [f32],
    /// Whether the game was truncated.
    pub is_cut: bool,
}

/// Returns the values of the first `players` seats, rotated to start with `seat`.
fn rotated(values: &[f32], players: usize, seat: usize) -> impl Iterator<Item = f32> + '_ {
    (0..players).map(move |at| values[(seat + at) % players])
}

impl Samples {
    /// Adds a decision of the current game.
    pub fn add(&mut self, view: &dyn SeatView, chosen: Action, report: Option<&SearchReport>) {
        let mut legal = ActionList::new();
        view.legal_actions(&mut legal);
        view.observe(self.next_observation(view.observation().len()));
        self.push(view.seat(), view.players(), &legal, chosen, report);
    }

    /// As [`add`](Self::add), for code that knows the type of the game.
    pub fn add_view<G: Game>(
        &mut self,
        view: &View<'_, G>,
        chosen: Action,
        report: Option<&SearchReport>,
    ) {
        let mut legal = ActionList::new();
        view.legal_actions(&mut legal);
        view.observe(self.next_observation(view.observation().len()));
        self.push(view.seat(), view.players(), &legal, chosen, report);
    }

    /// Returns the cells of the next observation.
    fn next_observation(&mut self, cells: usize) -> &mut [i32] {
        let start = self.observations.len();
        self.cells = cells;
        self.observations.resize(start + cells, 0);
        &mut self.observations[start..]
    }

    /// Adds the rest of a decision whose observation was written.
    fn push(
        &mut self,
        seat: Player,
        players: usize,
        legal: &[Action],
        chosen: Action,
        report: Option<&SearchReport>,
    ) {
        self.seats_at_table = players;
        for &action in legal {
            let known = report
                .and_then(|report| report.actions.iter().find(|entry| entry.action == action));
            let policy = known.map_or(f32::from(u8::from(action == chosen)), |entry| entry.policy);
            self.legal.push(action);
            self.policy.push(policy);
        }
        self.ends.push(self.legal.len() as u32);
        self.actions.push(chosen.0);
        self.seats.push(seat.0);
        // Without a search, `finish` replaces NaN by the outcome.
        let unknown = Payoffs::from([f32::NAN; meeple_game::MAX_PLAYERS]);
        let searched = report.filter(|report| report.simulations > 0);
        let values = searched.map_or(unknown, |report| report.values);
        self.values.extend(rotated(&values, self.seats_at_table, seat.index()));
    }

    /// Ends the current game with its payoffs. `is_cut` marks a truncated game, whose payoffs are
    /// estimates or those of a draw.
    pub fn finish(&mut self, game: u64, config: usize, payoffs: &[f32], is_cut: bool) {
        let players = payoffs.len();
        for &seat in &self.seats[self.games.len()..] {
            self.outcomes.extend(rotated(payoffs, players, usize::from(seat)));
            self.configs.push(config as u16);
            self.cut.push(u8::from(is_cut));
        }
        self.games.resize(self.seats.len(), game);
        for (value, &outcome) in self.values.iter_mut().zip(&self.outcomes) {
            if value.is_nan() {
                *value = outcome;
            }
        }
    }

    /// Appends samples of the same game and number of seats.
    pub fn append(&mut self, other: Self) {
        if other.is_empty() {
            return;
        }
        self.cells = other.cells;
        self.seats_at_table = other.seats_at_table;
        let before = self.legal.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| end + before));
        self.observations.extend(other.observations);
        self.legal.extend(other.legal);
        self.policy.extend(other.policy);
        self.actions.extend(other.actions);
        self.seats.extend(other.seats);
        self.games.extend(other.games);
        self.configs.extend(other.configs);
        self.outcomes.extend(other.outcomes);
        self.values.extend(other.values);
        self.cut.extend(other.cut);
    }

    /// The number of decisions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Returns a decision of a finished game.
    ///
    /// # Panics
    ///
    /// When `at` is out of range.
    #[must_use]
    pub fn get(&self, at: usize) -> Sample<'_> {
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
        let legal = first..self.ends[at] as usize;
        let seats = at * self.seats_at_table..(at + 1) * self.seats_at_table;
        Sample {
            observation: &self.observations[at * self.cells..(at + 1) * self.cells],
            legal: &self.legal[legal.clone()],
            policy: &self.policy[legal],
            action: Action(self.actions[at]),
            seat: Player(self.seats[at]),
            game: self.games[at],
            outcomes: &self.outcomes[seats.clone()],
            values: &self.values[seats],
            is_cut: self.cut[at] != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::{choices_of, open};

    fn layout(game: &str) -> SampleLayout {
        SampleLayout::of(&open(game, None).unwrap().info())
    }

    /// Random decisions of some games, some of them with made-up search reports.
    fn example(game: &str, games: u64) -> Samples {
        let mut all = Samples::default();
        for number in 0..games {
            let mut game = open(game, None).unwrap();
            let mut rng = meeple_game::Rng::new(number);
            let mut samples = Samples::default();
            loop {
                match game.turn() {
                    meeple_game::Turn::Over => break,
                    meeple_game::Turn::Chance => {
                        let outcome = game.sample_chance(&mut rng);
                        game.try_apply(outcome).unwrap();
                    }
                    meeple_game::Turn::Player(seat) => {
                        let action = *rng.pick(&choices_of(&*game));
                        let values = [0.25, -0.25, 0.0, 0.0, 0.0, 0.0];
                        let report =
                            SearchReport { values, simulations: 1, ..SearchReport::default() };
                        let searched = Some(&report).filter(|_| number > 0);
                        samples.add(&*game.view(seat), action, searched);
                        game.try_apply(action).unwrap();
                    }
                }
            }
            samples.finish(number, 0, &game.payoffs()[..game.players()], number == 1);
            all.append(samples);
        }
        all
    }

    #[test]
    fn files_are_read_as_written() {
        let samples = example("connect-four", 3);
        let bytes = samples.to_bytes(&layout("connect-four"), &[]).unwrap();
        assert_eq!(Samples::from_bytes(&layout("connect-four"), &bytes).unwrap(), samples);
        let last = samples.get(samples.len() - 1);
        assert_eq!((last.game, last.is_cut), (2, false));
        let expected = if last.seat.0 == 0 { [0.25, -0.25] } else { [-0.25, 0.25] };
        assert_eq!(last.values, expected);
        let first = samples.get(0);
        assert_eq!(first.values, first.outcomes, "nothing was searched");
        assert_eq!(first.policy.iter().sum::<f32>(), 1.0);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = example("kuhn", 2).to_bytes(&layout("kuhn"), &[]).unwrap();
        let refused = Samples::from_bytes(&layout("pig"), &bytes).unwrap_err();
        assert_eq!(refused.to_string(), "its game is kuhn, expected pig");
        for at in [0, 5, bytes.len() / 2] {
            let refused = Samples::from_bytes(&layout("kuhn"), &bytes[..at]).unwrap_err();
            assert!(matches!(refused, SampleError::Damaged { .. }), "{refused}");
        }
        let mut newer = bytes.clone();
        let at = newer.windows(14).position(|part| part == br#"version\":\"2\"#).expect("written");
        newer[at + 12] = b'9';
        let refused = Samples::from_bytes(&layout("kuhn"), &newer).unwrap_err();
        assert_eq!(refused, SampleError::Newer { version: "9".into() });
    }
}
