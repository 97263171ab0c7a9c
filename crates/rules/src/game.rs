//! The game contract for files: a thin layer over states and programs.

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Game, GameInfo, MAX_PLAYERS, ObservationSpec, OutcomeList,
    Payoffs, Player, Stakes, Turn,
};
use meeple_rng::Rng;

use crate::config::Config;
use crate::lower::{Chance, MAX_IDS, RollEach};
use crate::program::MAX_WORDS;
use crate::state::FileGame;
use crate::text;

impl<const WORDS: usize> Game for FileGame<WORDS> {
    type Config = Config<WORDS>;

    const NAME: &'static str = if WORDS < MAX_WORDS { "game-file" } else { "large-game-file" };
    const SEATS: RangeInclusive<usize> = 2..=MAX_PLAYERS;
    const ACTIONS: usize = MAX_IDS;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    const COMPANIONS: Companions<Self> = Companions {
        playout: Some(Self::play_to_end),
        rule_book: Some(Self::RULE_BOOK),
        picture: Some(|state, player| Some(state.picture(player))),
        symmetries: Some(Self::symmetries),
        ..Companions::NONE
    };

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
        self.program().rules.phases.iter().any(|phase| phase.chance.is_some())
    }

    fn observation(&self) -> &'static ObservationSpec {
        self.program().observation
    }

    fn info(&self) -> GameInfo {
        let rules = &self.program().rules;
        let outcomes = rules.phases.iter().filter_map(|phase| match phase.chance? {
            Chance::Roll { low, high, .. } | Chance::RollEach(RollEach { low, high, .. }) => {
                Some((high - low + 1) as usize)
            }
            Chance::Dice(dice) => Some(dice.outcomes()),
            Chance::Deal(_) => Some(rules.cards.names.len()),
        });
        let max_chance_outcomes = outcomes.max().unwrap_or(0);
        GameInfo { max_chance_outcomes, ..GameInfo::of(self) }
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.list_actions(out);
    }

    fn sample_action(&self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.draw(rng, scratch)
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        self.draw_outcome(rng)
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

    fn has_imperfect_information(&self) -> bool {
        self.hides()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.hash_for(player)
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.dealt_anew(player, rng)
    }

    fn is_seen(&self, action: Action, player: Player) -> bool {
        self.sees_choice(action, player)
    }

    fn roller(&self) -> Option<Player> {
        self.whose_chance()
    }

    fn text(&self, player: Player) -> String {
        text::Seen(self, player).to_string()
    }

    fn stakes(&self) -> Option<Stakes> {
        let scale = self.program().rules.scale;
        (scale > 0).then_some(Stakes { chips: scale as f64, big_blind: None })
    }
}
