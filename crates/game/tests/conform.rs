//! The suite catches what it says: a toy game, sound once and then broken in
//! one way at a time.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, Ordering};

use meeple_game::conform::{self, MAX_STATE, Rule};
use meeple_game::{
    Action, ActionList, Companions, Field, Forced, Game, GameInfo, MAX_PLAYERS, ObservationSpec,
    Outcome, OutcomeList, Payoffs, Player, Rng, Steps, Turn, Utility, mix, playout,
};

/// Ways to break the toy; the toy is sound under `SOUND`.
mod flaw {
    macro_rules! flaws {
        ($($name:ident)*) => { flaws!(@number 0u8; $($name)*); };
        (@number $at:expr; $name:ident $($rest:ident)*) => {
            pub(super) const $name: u8 = $at;
            flaws!(@number $at + 1; $($rest)*);
        };
        (@number $at:expr;) => {};
    }
    flaws! {
        SOUND SEAT_APPEARS CARD_TWICE ENDLESS NO_LEGAL_ACTION ID_TOO_BIG ACTION_TWICE GHOST_SEAT
        UNSTABLE_ACTIONS FORCED_ASKED CHANCE_DENIED WRONG_ODDS FLOAT_ODDS IMPOSSIBLE_OUTCOME BIASED_ACTION OTHER_STEP
        OTHER_END
        BIASED_CHANCE FOREIGN_OUTCOME ONE_NAME NO_PARSE RANDOM_APPLY ACCEPTS_ALL UNWRITTEN_CELL
        CELL_OUT_OF_RANGE LEAKED_CARD LEAKED_INFO_KEY LEAKED_TEXT ACTIONS_BY_HIDDEN_CARD
        NAME_BY_HIDDEN_CARD VAGUE_INFO_KEY IMPOSSIBLE_DEAL OTHER_TURN NO_DEAL HIDDEN_DENIED
        STALE_KEY KEY_WITHOUT_CARD PAYOFF_TOO_LARGE PAID_EARLY PAID_EMPTY_SEAT SIGNED_ZERO
        WILD_EVALUATION
        NEGATIVE_PRIORITY UNWRITTEN_PRIORITY PRIORITY_BY_HIDDEN_CARD
        DEAL_IN_THE_OPEN UNSEEN_BY_ITSELF
        SEATS_OF_ANOTHER CHANGING_ACTIONS CHANGING_LAYOUT MORE_ACTIONS CHANCE_ADDED
        TABLE_WITHOUT_CHANCE TABLE_WITHOUT_SECRETS
        CHANGING_INFO WRONG_LENGTH WRONG_IDS WRONG_SUM
        UNFOCUSED_TURN FOCUS_ON_NOTHING FOCUS_ON_MORE FOCUS_BY_HIDDEN_CARD
    }
}

const NOBODY: u8 = u8::MAX;
const CARDS: u8 = 4;
const FOLD: Action = Action(0);
const BET: Action = Action(1);

/// Each of two players is dealt one of four cards, then bets or folds; the
/// higher card wins among those who bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Toy<const FLAW: u8> {
    cards: [u8; 2],
    bets: [u8; 2],
    is_focused: bool,
}

impl<const FLAW: u8> Toy<FLAW> {
    /// What the broken game does differently each time it is asked.
    fn whim() -> bool {
        static WHIM: AtomicU8 = AtomicU8::new(0);
        WHIM.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
    }

    fn mover(self) -> usize {
        usize::from(self.bets[0] != NOBODY)
    }

    fn is_over(self) -> bool {
        self.bets[1] != NOBODY
    }

    fn priorities(&self, _: &[Action], weights: &mut [f32]) {
        match FLAW {
            flaw::NEGATIVE_PRIORITY => weights.fill(-1.0),
            flaw::UNWRITTEN_PRIORITY => weights[0] = 1.0,
            flaw::PRIORITY_BY_HIDDEN_CARD => {
                weights.fill(1.0 + f32::from(self.cards[1 - self.mover()]));
            }
            _ => weights.fill(1.0),
        }
    }

    fn focus(&mut self) {
        match FLAW {
            flaw::UNFOCUSED_TURN if !self.is_over() => self.bets = [0, 0],
            flaw::FOCUS_ON_MORE | flaw::FOCUS_BY_HIDDEN_CARD | flaw::FOCUS_ON_NOTHING => {
                self.is_focused = true;
            }
            _ => {}
        }
    }

    fn play_out(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Steps {
        let steps = playout(self, rng, scratch);
        Steps { decisions: steps.decisions + u64::from(FLAW == flaw::OTHER_END), ..steps }
    }
}

const FIELDS: &[Field] =
    &[Field::category("card", 5), Field::category("my_bet", 3), Field::category("their_bet", 3)];
static SPEC: ObservationSpec = ObservationSpec::new(1, FIELDS);
static OTHER_SPEC: ObservationSpec = ObservationSpec::new(2, FIELDS);

impl<const FLAW: u8> Game for Toy<FLAW> {
    type Config = ();

    const NAME: &'static str = "toy";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = !matches!(FLAW, flaw::CHANCE_DENIED | flaw::CHANCE_ADDED);
    const IMPERFECT_INFORMATION: bool = FLAW != flaw::HIDDEN_DENIED;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: match FLAW {
            flaw::WILD_EVALUATION => Some(|_| [f32::NAN; MAX_PLAYERS]),
            _ => None,
        },
        priorities: Some(Self::priorities),
        focus: Some(Self::focus),
        playout: Some(Self::play_out),
        ..Companions::NONE
    };

    fn new((): &()) -> Self {
        Self { cards: [NOBODY; 2], bets: [NOBODY; 2], is_focused: false }
    }

    fn info(&self) -> GameInfo {
        let mut info = GameInfo { max_decisions: Some(2), ..GameInfo::of(self) };
        match FLAW {
            flaw::CHANGING_INFO if self.is_over() => info.max_decisions = None,
            flaw::WRONG_LENGTH => info.max_decisions = Some(1),
            flaw::WRONG_IDS => info.max_chance_outcomes = usize::from(CARDS) - 1,
            flaw::WRONG_SUM => info.utility = Utility::ConstantSum(1.0),
            _ => {}
        }
        info
    }

    fn players(&self) -> usize {
        if FLAW == flaw::SEAT_APPEARS && self.is_over() { 3 } else { 2 }
    }

    fn seats(&self) -> RangeInclusive<usize> {
        if FLAW == flaw::SEATS_OF_ANOTHER { 2..=3 } else { Self::SEATS }
    }

    fn actions(&self) -> usize {
        match FLAW {
            flaw::MORE_ACTIONS => 3,
            flaw::CHANGING_ACTIONS if self.is_over() => 1,
            _ => Self::ACTIONS,
        }
    }

    fn has_chance(&self) -> bool {
        FLAW == flaw::CHANCE_ADDED || Self::CHANCE && FLAW != flaw::TABLE_WITHOUT_CHANCE
    }

    fn has_imperfect_information(&self) -> bool {
        Self::IMPERFECT_INFORMATION && FLAW != flaw::TABLE_WITHOUT_SECRETS
    }

    fn turn(&self) -> Turn {
        if self.cards[1] == NOBODY {
            Turn::Chance
        } else if self.is_over() {
            Turn::Over
        } else if FLAW == flaw::GHOST_SEAT {
            Turn::Player(Player(2))
        } else {
            Turn::Player(Player(self.mover() as u8))
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if !matches!(self.turn(), Turn::Player(_)) || FLAW == flaw::NO_LEGAL_ACTION {
            return;
        }
        out.push(FOLD);
        if FLAW == flaw::FORCED_ASKED {
            return;
        }
        let theirs = self.cards[1 - self.mover()];
        if FLAW != flaw::ACTIONS_BY_HIDDEN_CARD || theirs < 2 {
            out.push(BET);
        }
        match FLAW {
            flaw::ID_TOO_BIG => out.push(Action(2)),
            flaw::ACTION_TWICE => out.push(BET),
            flaw::UNSTABLE_ACTIONS if Self::whim() => {
                out.clear();
                out.extend([BET, FOLD]);
            }
            flaw::FOCUS_ON_NOTHING if self.is_focused => out.clear(),
            flaw::FOCUS_ON_MORE if self.is_focused => out.push(BET),
            flaw::FOCUS_BY_HIDDEN_CARD if self.is_focused && theirs < 2 => {
                out.clear();
                out.push(FOLD);
            }
            _ => {}
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() != Turn::Chance {
            return;
        }
        let left: Vec<u8> = (0..CARDS).filter(|&card| card != self.cards[0]).collect();
        for &card in &left {
            let probability = match FLAW {
                flaw::WRONG_ODDS => 0.25,
                flaw::FLOAT_ODDS => f64::from(1.0 / left.len() as f32),
                flaw::IMPOSSIBLE_OUTCOME if card == left[0] => 0.0,
                flaw::IMPOSSIBLE_OUTCOME => 1.0 / (left.len() - 1) as f64,
                _ => 1.0 / left.len() as f64,
            };
            out.push(Outcome { action: Action(u16::from(card)), probability });
        }
    }

    fn apply(&mut self, action: Action) {
        let value = action.0 as u8;
        if self.turn() == Turn::Chance {
            let seat = usize::from(self.cards[0] != NOBODY);
            let twice = FLAW == flaw::CARD_TWICE && seat == 1;
            self.cards[seat] = if twice { self.cards[0] } else { value };
        } else if FLAW == flaw::RANDOM_APPLY && Self::whim() {
            self.bets[self.mover()] = 1 - value;
        } else if FLAW != flaw::ENDLESS || self.bets[0] == NOBODY {
            self.bets[self.mover()] = value;
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.is_over() || (FLAW == flaw::PAID_EARLY && self.bets[0] != NOBODY) {
            let strength = |seat: usize| u8::from(self.bets[seat] == 1) * (1 + self.cards[seat]);
            let first = f32::from(strength(0)) - f32::from(strength(1));
            let scale = if FLAW == flaw::PAYOFF_TOO_LARGE { 1.0 } else { 4.0 };
            payoffs[0] = first / scale;
            payoffs[1] = 0.0 - first / scale;
            if FLAW == flaw::SIGNED_ZERO {
                payoffs[1] = -payoffs[0];
            }
            if FLAW == flaw::PAID_EMPTY_SEAT {
                payoffs[2] = 1.0;
            }
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        if FLAW == flaw::CHANGING_LAYOUT && self.is_over() { &OTHER_SPEC } else { &SPEC }
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let me = player.index();
        let shown = if FLAW == flaw::LEAKED_CARD { 1 - me } else { me };
        out[0] = match self.cards[shown] {
            NOBODY => i32::from(CARDS),
            card => i32::from(card),
        };
        let bet = |seat: usize| if self.bets[seat] == NOBODY { 2 } else { self.bets[seat].into() };
        out[1] = if FLAW == flaw::CELL_OUT_OF_RANGE { 3 } else { bet(me) };
        if FLAW != flaw::UNWRITTEN_CELL || !self.is_over() {
            out[2] = bet(1 - me);
        }
    }

    fn key(&self) -> u64 {
        let [a, b] = if FLAW == flaw::KEY_WITHOUT_CARD { [1, 1] } else { self.cards };
        let [c, d] = if FLAW == flaw::STALE_KEY { [0, 0] } else { self.bets };
        let dealt = u8::from(self.cards[0] != NOBODY) + u8::from(self.cards[1] != NOBODY);
        mix(u64::from_le_bytes([a, b, c, d, dealt, 0, 0, 0]))
    }

    fn info_key(&self, player: Player) -> u64 {
        if FLAW == flaw::LEAKED_INFO_KEY {
            return self.key();
        }
        let card = self.cards[player.index()];
        let card = if FLAW == flaw::VAGUE_INFO_KEY { 0 } else { card };
        let dealt = u8::from(self.cards[0] != NOBODY) + u8::from(self.cards[1] != NOBODY);
        mix(u64::from_le_bytes([card, player.0, self.bets[0], self.bets[1], dealt, 1, 0, 0]))
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        let mut other = *self;
        let mine = self.cards[player.index()];
        let theirs = &mut other.cards[1 - player.index()];
        if *theirs == NOBODY || FLAW == flaw::NO_DEAL {
            return other;
        }
        *theirs = loop {
            let card = rng.below(usize::from(CARDS)) as u8;
            if card != mine || FLAW == flaw::IMPOSSIBLE_DEAL {
                break card;
            }
        };
        if FLAW == flaw::OTHER_TURN && self.turn() == Turn::Player(Player(0)) {
            other.bets[0] = 0;
        }
        other
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        match self.turn() {
            Turn::Chance if FLAW != flaw::DEAL_IN_THE_OPEN => {
                player.index() == usize::from(self.cards[0] != NOBODY)
            }
            _ => FLAW != flaw::UNSEEN_BY_ITSELF,
        }
    }

    fn text(&self, player: Player) -> String {
        let shown = if FLAW == flaw::LEAKED_TEXT { 1 - player.index() } else { player.index() };
        format!("{} {:?}", self.cards[shown], self.bets)
    }

    fn action_name(&self, action: Action) -> String {
        if self.turn() == Turn::Chance {
            return format!("deal {}", action.0);
        }
        let peek = FLAW == flaw::NAME_BY_HIDDEN_CARD && self.cards[1 - self.mover()] > 1;
        match action {
            _ if FLAW == flaw::ONE_NAME => "move".into(),
            FOLD => "fold".into(),
            _ if peek => "bet boldly".into(),
            _ => "bet".into(),
        }
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        if FLAW == flaw::NO_PARSE {
            return None;
        }
        let named = |action: &Action| self.action_name(*action) == text;
        meeple_game::choices(self).into_iter().find(named)
    }

    fn forced(&self) -> Forced {
        if FLAW == flaw::FORCED_ASKED { Forced::Skip } else { Forced::Ask }
    }

    fn sample_action(&self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.legal_actions(scratch);
        let at = rng.below(scratch.len());
        scratch[if FLAW == flaw::BIASED_ACTION { 0 } else { at }]
    }

    fn apply_sampled(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        let action = self.sample_action(rng, scratch);
        self.apply(if FLAW == flaw::OTHER_STEP { FOLD } else { action });
        action
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        let mut outcomes = OutcomeList::new();
        self.chance_outcomes(&mut outcomes);
        match FLAW {
            flaw::BIASED_CHANCE => outcomes[rng.below(2)].action,
            flaw::FOREIGN_OUTCOME if self.cards[0] != NOBODY => Action(self.cards[0].into()),
            _ => rng.pick(&outcomes).action,
        }
    }

    fn try_apply(&mut self, action: Action) -> Result<(), meeple_game::IllegalAction> {
        let choices = meeple_game::choices(self);
        if FLAW == flaw::ACCEPTS_ALL || choices.contains(&action) {
            return Ok(());
        }
        Err(meeple_game::IllegalAction { action, choices })
    }

    fn is_consistent(&self) -> bool {
        self.cards[0] != self.cards[1] || self.cards[0] == NOBODY
    }
}

impl<const FLAW: u8> fmt::Display for Toy<FLAW> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cards {:?}, bets {:?}", self.cards, self.bets)
    }
}

/// A state too large to copy at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heavy {
    toy: Toy<{ flaw::SOUND }>,
    ballast: [u8; MAX_STATE],
}

/// Everything as the toy has it.
impl Game for Heavy {
    type Config = ();
    const NAME: &'static str = "heavy";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    fn new(config: &()) -> Self {
        Self { toy: Toy::new(config), ballast: [0; MAX_STATE] }
    }
    fn players(&self) -> usize {
        self.toy.players()
    }
    fn turn(&self) -> Turn {
        self.toy.turn()
    }
    fn legal_actions(&self, out: &mut ActionList) {
        self.toy.legal_actions(out);
    }
    fn apply(&mut self, action: Action) {
        self.toy.apply(action);
    }
    fn payoffs(&self) -> Payoffs {
        self.toy.payoffs()
    }
    fn observation(&self) -> &'static ObservationSpec {
        &SPEC
    }
    fn observe(&self, player: Player, out: &mut [i32]) {
        self.toy.observe(player, out);
    }
    fn key(&self) -> u64 {
        self.toy.key()
    }
    fn action_name(&self, action: Action) -> String {
        self.toy.action_name(action)
    }
    fn is_consistent(&self) -> bool {
        true
    }
}

impl fmt::Display for Heavy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.toy.fmt(f)
    }
}

#[track_caller]
fn caught<G: Game<Config = ()>>(rule: Rule) {
    let fault = conform::try_check::<G>(&(), 200, 1).expect_err("a broken rule");
    assert_eq!(fault.rule, rule, "{fault}");
    let message = fault.to_string();
    assert!(message.contains(rule.sentence()) && message.contains("cards: ["), "{message}");
}

macro_rules! caught {
    ($($name:ident: $flaw:ident breaks $rule:ident;)*) => {
        $(#[test] fn $name() { caught::<Toy<{ flaw::$flaw }>>(Rule::$rule); })*

        /// No rule goes untested.
        #[test]
        fn every_rule_is_broken_once() {
            // Those of toys of their own, and those of the toy above.
            let broken = [Rule::Size, Rule::LegalActionsObserved, Rule::PerfectRecall, Rule::Symmetry, $(Rule::$rule),*];
            let kept: Vec<_> = Rule::ALL.iter().filter(|rule| !broken.contains(rule)).collect();
            assert!(kept.is_empty(), "no toy breaks {kept:?}");
        }
    };
}

caught! {
    a_seat_that_appears: SEAT_APPEARS breaks Seats;
    one_card_dealt_twice: CARD_TWICE breaks Consistency;
    an_endless_game: ENDLESS breaks Termination;
    no_legal_action: NO_LEGAL_ACTION breaks LegalActions;
    an_action_id_too_big: ID_TOO_BIG breaks LegalActions;
    an_action_listed_twice: ACTION_TWICE breaks LegalActions;
    a_turn_of_nobody: GHOST_SEAT breaks LegalActions;
    legal_actions_that_change: UNSTABLE_ACTIONS breaks LegalActions;
    a_forced_move_asked: FORCED_ASKED breaks ForcedSkipped;
    info_that_changes: CHANGING_INFO breaks Info;
    more_decisions_than_info_says: WRONG_LENGTH breaks InfoBounds;
    chance_ids_above_those_of_info: WRONG_IDS breaks InfoBounds;
    payoffs_that_sum_otherwise: WRONG_SUM breaks InfoBounds;
    seats_beyond_those_of_the_type: SEATS_OF_ANOTHER breaks Seats;
    a_number_of_actions_that_changes: CHANGING_ACTIONS breaks Info;
    a_layout_that_changes: CHANGING_LAYOUT breaks Info;
    more_actions_than_the_type_has: MORE_ACTIONS breaks Constants;
    chance_that_the_type_rules_out: CHANCE_ADDED breaks Constants;
    chance_at_a_table_without: TABLE_WITHOUT_CHANCE breaks Chance;
    secrets_at_a_table_without: TABLE_WITHOUT_SECRETS breaks DeterminizeHidden;
    chance_that_is_denied: CHANCE_DENIED breaks Chance;
    wrong_odds: WRONG_ODDS breaks Odds;
    odds_in_single_precision: FLOAT_ODDS breaks Odds;
    an_outcome_that_cannot_be: IMPOSSIBLE_OUTCOME breaks Odds;
    a_biased_draw_of_actions: BIASED_ACTION breaks SampledAction;
    a_step_to_another_state: OTHER_STEP breaks AppliedSample;
    a_playout_to_another_end: OTHER_END breaks PlayedOut;
    a_biased_draw_of_outcomes: BIASED_CHANCE breaks SampledChance;
    a_draw_that_is_no_outcome: FOREIGN_OUTCOME breaks SampledChance;
    two_actions_of_one_name: ONE_NAME breaks DistinctNames;
    a_name_that_does_not_parse: NO_PARSE breaks NamesParse;
    an_apply_by_whim: RANDOM_APPLY breaks Determinism;
    an_illegal_action_accepted: ACCEPTS_ALL breaks Refusal;
    an_unwritten_cell: UNWRITTEN_CELL breaks ObservationWritten;
    a_cell_out_of_range: CELL_OUT_OF_RANGE breaks ObservationRange;
    a_leaked_card: LEAKED_CARD breaks ObservationLeak;
    a_leaked_info_key: LEAKED_INFO_KEY breaks InfoKeyLeak;
    a_leak_in_the_text: LEAKED_TEXT breaks TextLeak;
    legal_actions_that_depend_on_hidden_cards: ACTIONS_BY_HIDDEN_CARD breaks LegalActionsLeak;
    a_name_that_depends_on_hidden_cards: NAME_BY_HIDDEN_CARD breaks LegalActionsLeak;
    a_hidden_card_that_is_told: DEAL_IN_THE_OPEN breaks SeenChoice;
    a_player_who_does_not_see_what_they_do: UNSEEN_BY_ITSELF breaks SeenChoice;
    an_info_key_that_forgets: VAGUE_INFO_KEY breaks InfoKeySound;
    an_impossible_determinization: IMPOSSIBLE_DEAL breaks DeterminizePossible;
    a_determinization_that_moves: OTHER_TURN breaks DeterminizePossible;
    a_determinization_that_deals_nothing: NO_DEAL breaks DeterminizeHidden;
    hidden_cards_denied: HIDDEN_DENIED breaks DeterminizeHidden;
    a_stale_key: STALE_KEY breaks KeySound;
    a_key_without_the_cards: KEY_WITHOUT_CARD breaks KeySound;
    a_payoff_too_large: PAYOFF_TOO_LARGE breaks Payoffs;
    a_payoff_before_the_end: PAID_EARLY breaks Payoffs;
    a_payoff_for_nobody: PAID_EMPTY_SEAT breaks Payoffs;
    a_payoff_of_minus_zero: SIGNED_ZERO breaks Payoffs;
    an_evaluation_that_is_not_a_number: WILD_EVALUATION breaks Evaluation;
    a_priority_below_nothing: NEGATIVE_PRIORITY breaks Priorities;
    a_priority_left_out: UNWRITTEN_PRIORITY breaks Priorities;
    a_priority_that_depends_on_hidden_cards: PRIORITY_BY_HIDDEN_CARD breaks PrioritiesLeak;
    a_focus_that_moves_on: UNFOCUSED_TURN breaks Focus;
    a_focus_on_nothing: FOCUS_ON_NOTHING breaks Focus;
    a_focus_on_more_than_the_legal_actions: FOCUS_ON_MORE breaks Focus;
    a_focus_that_depends_on_hidden_cards: FOCUS_BY_HIDDEN_CARD breaks FocusLeak;
}

#[test]
fn a_state_too_heavy_to_copy() {
    let fault = conform::try_check::<Heavy>(&(), 1, 1).expect_err("a broken rule");
    assert_eq!(fault.rule, Rule::Size, "{fault}");
}

#[test]
fn the_sound_toy_passes() {
    let coverage = conform::check::<Toy<{ flaw::SOUND }>>(&(), 200, 1);
    assert_eq!(
        (coverage.games, coverage.states, coverage.longest, coverage.widest),
        (200, 1000, 4, 2)
    );
}

#[test]
#[should_panic(expected = "broken rule KeySound")]
fn check_panics_with_the_rule() {
    conform::check::<Toy<{ flaw::STALE_KEY }>>(&(), 200, 1);
}
