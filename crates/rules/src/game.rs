//! The game contract for files: a thin layer over states and programs.

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Game, GameInfo, MAX_PLAYERS, ObservationSpec, OutcomeList, Payoffs, Player,
    Turn,
};

use crate::config::Config;
use crate::lower::MAX_IDS;
use crate::state::FileGame;

impl<const WORDS: usize> Game for FileGame<WORDS> {
    type Config = Config<WORDS>;

    const NAME: &'static str = "game-file";
    const SEATS: RangeInclusive<usize> = 2..=MAX_PLAYERS;
    const ACTIONS: usize = MAX_IDS;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = false;

    fn new(config: &Self::Config) -> Self {
        Self::start(config.program())
    }

    fn players(&self) -> usize {
        self.program().rules.players
    }

    fn name(&self) -> &'static str {
        self.program().name()
    }

    fn seats(&self) -> RangeInclusive<usize> {
        self.program().rules.fewest..=self.program().rules.most
    }

    fn actions(&self) -> usize {
        self.program().rules.ids
    }

    fn has_chance(&self) -> bool {
        self.program().rules.phases.iter().any(|phase| phase.roll.is_some())
    }

    fn observation(&self) -> &'static ObservationSpec {
        self.program().observation
    }

    fn info(&self) -> GameInfo {
        let outcomes = self.program().rules.phases.iter().filter_map(|phase| phase.roll);
        let most = outcomes.map(|(_, low, high)| (high - low + 1) as usize).max();
        GameInfo { max_chance_outcomes: most.unwrap_or(0), ..GameInfo::of(self) }
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.list_actions(out);
    }

    fn apply(&mut self, action: Action) {
        self.play(action);
    }

    fn payoffs(&self) -> Payoffs {
        self.result()
    }

    fn fault(&self) -> Option<&'static str> {
        self.broken()
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.write_observation(player, out);
    }

    fn key(&self) -> u64 {
        self.hash()
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn is_consistent(&self) -> bool {
        self.adds_up()
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        self.list_outcomes(out);
    }

    fn roller(&self) -> Option<Player> {
        (self.turn_now() == Turn::Chance).then_some(Player(self.control().mover))
    }
}
