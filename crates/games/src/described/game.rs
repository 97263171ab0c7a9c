//! Implements `Game` on compiled rules: a [`RuleSet`] with names, ids and a text form is a
//! game.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome,
    OutcomeList, Payoffs, Player, Rng, Symmetry, Tactics, Turn,
};
use meeple_plan::{Candidate, Plan, Result as PlanResult, RuleSet, SeenBy, Values};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The part of a rule-described game that its rules do not contain: names, action ids and
/// text form.
///
/// Only perfect-information games are supported: all players see every artifact.
pub trait Described: RuleSet<State: Eq, Facts: Copy + fmt::Debug + Send + Sync> {
    /// The configuration.
    type Config: Clone + Default + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The name used in commands and files.
    const NAME: &'static str;
    /// The supported numbers of players.
    const SEATS: RangeInclusive<usize>;
    /// The number of action ids.
    const ACTIONS: usize;
    /// Whether the game has chance nodes.
    const CHANCE: bool;
    /// A heuristic evaluation of a state that is not terminal: the expected payoffs.
    const EVALUATION: Option<fn(&Self::State) -> Payoffs> = None;
    /// What alpha-beta search uses.
    const TACTICS: Option<Tactics<DescribedGame<Self>>> = None;
    /// The symmetries of the board, without the identity.
    const SYMMETRIES: Option<fn() -> Vec<Symmetry>> = None;
    /// The most decisions in a game, where the rules set a bound.
    const MAX_DECISIONS: Option<usize> = None;

    /// The compiled rules.
    fn plan() -> &'static Plan<Self>;

    /// The hot functions of the game: a reference to a static [`Engine::NEW`], in the crate of
    /// the rules.
    fn engine() -> &'static Engine<Self>;

    /// The observation layout, usually [`observation_of`] the plan.
    fn observation() -> &'static ObservationSpec;

    /// The initial state.
    fn start(config: &Self::Config) -> Self::State;

    /// The player to move, at decision nodes.
    fn mover(state: &Self::State) -> Player;

    /// The action id of a legal event or chance outcome.
    fn action_of(state: &Self::State, event: &Self::Event) -> Action;

    /// The event of an action id; the inverse of [`action_of`](Self::action_of).
    fn event_of(state: &Self::State, action: Action) -> Self::Event;

    /// The name of an event.
    fn name_of(state: &Self::State, event: &Self::Event) -> String;

    /// A hash of the state.
    fn key(state: &Self::State) -> u64;

    /// Writes the state as text.
    fn draw(state: &Self::State, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// Writes the state as text, from the side of `player`.
    fn draw_for(state: &Self::State, _player: Player, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::draw(state, f)
    }

    /// Whether the invariants of the state hold.
    fn is_consistent(state: &Self::State) -> bool;

    /// Parses a legal event in notations other than [`name_of`](Self::name_of).
    fn parse(_state: &Self::State, _text: &str) -> Option<Self::Event> {
        None
    }

    /// Parses an event, whether it is legal or not.
    fn read(state: &Self::State, text: &str) -> Option<Self::Event> {
        Self::parse(state, text).or_else(|| {
            let ids = 0..u16::try_from(Self::ACTIONS).unwrap_or(u16::MAX);
            let mut events = ids.map(|id| Self::event_of(state, Action(id)));
            events.find(|event| Self::name_of(state, event).eq_ignore_ascii_case(text))
        })
    }
}

/// The observation layout of a plan's visible artifacts.
#[must_use]
pub fn observation_of<R: RuleSet>(plan: &Plan<R>, version: u32) -> ObservationSpec {
    let fields =
        plan.artifacts().iter().filter(|artifact| !matches!(artifact.seen_by, SeenBy::Nobody));
    let fields = fields.map(|artifact| {
        let field = match artifact.values {
            Values::UpTo(most) => Field::count(artifact.name, most),
            Values::OneOf(size) => Field::category(artifact.name, size),
            Values::Flag => Field::flag(artifact.name),
        };
        field.times(artifact.cells)
    });
    // Leaked on purpose: called once per game, and layouts live for the whole program.
    ObservationSpec::new(version, Vec::leak(fields.collect()))
}

/// The name of an end condition and its payoffs.
type Ending<R> = (&'static str, PlanResult<R>);

/// The functions of a rule-described game that contain its whole plan, compiled once.
///
/// A generic function is compiled again in every crate and code generation unit that calls it,
/// and these have 25 KB each. A static of the crate that defines the rules compiles them there,
/// and everybody else calls them through it.
pub struct Engine<R: Described> {
    at: fn(R::State) -> DescribedGame<R>,
    legal_actions: fn(&DescribedGame<R>, &mut ActionList),
    chance_outcomes: fn(&DescribedGame<R>, &mut OutcomeList),
    apply: fn(&mut DescribedGame<R>, Action),
    sample_action: fn(&DescribedGame<R>, &mut Rng) -> Action,
    apply_sampled: fn(&mut DescribedGame<R>, &mut Rng) -> Action,
    ending: fn(&DescribedGame<R>) -> Option<Ending<R>>,
}

impl<R: Described> Engine<R> {
    /// The functions of these rules.
    pub const NEW: Self = Self {
        at: DescribedGame::at_state,
        legal_actions: DescribedGame::list_legal,
        chance_outcomes: DescribedGame::list_outcomes,
        apply: DescribedGame::apply_action,
        sample_action: DescribedGame::sample,
        apply_sampled: DescribedGame::sample_and_apply,
        ending: DescribedGame::find_ending,
    };
}

impl<R: Described> fmt::Debug for Engine<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// A rule-described game as a [`Game`].
pub struct DescribedGame<R: Described> {
    state: R::State,
    // Computed once per event; the legal actions, the ending and the turn all need them.
    facts: R::Facts,
    turn: Turn,
}

impl<R: Described> DescribedGame<R> {
    /// The game in the given state.
    #[must_use]
    pub fn at(state: R::State) -> Self {
        (R::engine().at)(state)
    }

    fn at_state(state: R::State) -> Self {
        let mut game = Self { facts: R::facts(&state), state, turn: Turn::Over };
        game.turn = game.next_turn(R::plan());
        game
    }

    #[inline]
    fn next_turn(&self, plan: &Plan<R>) -> Turn {
        if plan.ending(&self.state, &self.facts).is_some() {
            Turn::Over
        } else if R::CHANCE && plan.is_chance(&self.state) {
            Turn::Chance
        } else {
            Turn::Player(R::mover(&self.state))
        }
    }

    /// Applies an event that is known to be legal.
    #[inline]
    fn apply_candidate(&mut self, plan: &Plan<R>, candidate: &Candidate<R::Event>) {
        plan.apply(&mut self.state, candidate);
        self.facts = R::facts(&self.state);
        self.turn = self.next_turn(plan);
    }

    fn list_legal(&self, out: &mut ActionList) {
        R::plan().visit_legal(&self.state, &self.facts, |candidate| {
            out.push(R::action_of(&self.state, &candidate.event));
        });
    }

    fn list_outcomes(&self, out: &mut OutcomeList) {
        R::plan().visit_outcomes(&self.state, |event, probability| {
            let action = R::action_of(&self.state, &event);
            out.push(Outcome { action, probability });
        });
    }

    fn apply_action(&mut self, action: Action) {
        let plan = R::plan();
        let event = R::event_of(&self.state, action);
        let entry = plan.trusted_entry(&self.state, &event).expect("the action is legal");
        self.apply_candidate(plan, &Candidate { event, entry });
    }

    /// A uniformly random legal event. One function for both kinds of sampling: the plan compiles
    /// 20 KB for each closure that it is given.
    fn pick(&self, plan: &Plan<R>, rng: &mut Rng) -> Candidate<R::Event> {
        plan.pick_legal(&self.state, &self.facts, |count| rng.below(count))
    }

    fn sample(&self, rng: &mut Rng) -> Action {
        R::action_of(&self.state, &self.pick(R::plan(), rng).event)
    }

    /// The candidate carries its plan entry, so that applying it needs no second lookup.
    fn sample_and_apply(&mut self, rng: &mut Rng) -> Action {
        let plan = R::plan();
        let candidate = self.pick(plan, rng);
        let action = R::action_of(&self.state, &candidate.event);
        self.apply_candidate(plan, &candidate);
        action
    }

    fn find_ending(&self) -> Option<Ending<R>> {
        R::plan().ending(&self.state, &self.facts)
    }

    /// The state of the rules.
    #[must_use]
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// The derived facts of the state.
    pub(crate) fn facts(&self) -> &R::Facts {
        &self.facts
    }

    /// The name of the ending, once the game is over.
    #[must_use]
    pub fn ending(&self) -> Option<&'static str> {
        (R::engine().ending)(self).map(|(name, _)| name)
    }
}

impl<R: Described> Clone for DescribedGame<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Described> Copy for DescribedGame<R> {}

impl<R: Described> PartialEq for DescribedGame<R> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<R: Described> Eq for DescribedGame<R> {}

impl<R: Described> fmt::Debug for DescribedGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DescribedGame")
            .field("state", &self.state)
            .field("turn", &self.turn)
            .finish()
    }
}

impl<R: Described> fmt::Display for DescribedGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        R::draw(&self.state, f)
    }
}

/// A state as one player sees it.
struct Seen<'a, R: Described>(&'a R::State, Player);

impl<R: Described> fmt::Display for Seen<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        R::draw_for(self.0, self.1, f)
    }
}

impl<R: Described> DescribedGame<R> {
    fn symmetries(&self) -> Vec<Symmetry> {
        R::SYMMETRIES.map_or_else(Vec::new, |symmetries| symmetries())
    }

    fn evaluate(&self) -> Payoffs {
        match R::EVALUATION {
            Some(evaluate) if self.turn != Turn::Over => evaluate(&self.state),
            _ => self.payoffs(),
        }
    }
}

impl<R: Described> Game for DescribedGame<R> {
    type Config = R::Config;

    const NAME: &'static str = R::NAME;
    const SEATS: RangeInclusive<usize> = R::SEATS;
    const ACTIONS: usize = R::ACTIONS;
    const CHANCE: bool = R::CHANCE;
    const IMPERFECT_INFORMATION: bool = false;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: match R::EVALUATION {
            Some(_) => Some(Self::evaluate),
            None => None,
        },
        tactics: R::TACTICS,
        symmetries: match R::SYMMETRIES {
            Some(_) => Some(Self::symmetries),
            None => None,
        },
        ..Companions::NONE
    };

    fn new(config: &R::Config) -> Self {
        Self::at(R::start(config))
    }

    fn info(&self) -> GameInfo {
        GameInfo { max_decisions: R::MAX_DECISIONS, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        *R::SEATS.end()
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if let Turn::Player(_) = self.turn {
            (R::engine().legal_actions)(self, out);
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn == Turn::Chance {
            (R::engine().chance_outcomes)(self, out);
        }
    }

    fn apply(&mut self, action: Action) {
        (R::engine().apply)(self, action);
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.turn == Turn::Over
            && let Some((_, result)) = (R::engine().ending)(self)
        {
            result(&self.state, &mut payoffs[..self.players()]);
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        R::observation()
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let mut cells = out.iter_mut();
        for artifact in R::plan().artifacts() {
            if !matches!(artifact.seen_by, SeenBy::Nobody) {
                for (cell, out) in cells.by_ref().take(artifact.cells).enumerate() {
                    *out = (artifact.read)(&self.state, player.index(), cell);
                }
            }
        }
    }

    fn key(&self) -> u64 {
        R::key(&self.state)
    }

    fn action_name(&self, action: Action) -> String {
        R::name_of(&self.state, &R::event_of(&self.state, action))
    }

    fn text(&self, player: Player) -> String {
        Seen::<R>(&self.state, player).to_string()
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        let choices = meeple_game::choices(self);
        let named =
            choices.iter().find(|&&action| self.action_name(action).eq_ignore_ascii_case(text));
        named.copied().or_else(|| {
            let event = R::parse(&self.state, text)?;
            let action = R::action_of(&self.state, &event);
            choices.contains(&action).then_some(action)
        })
    }

    #[inline]
    fn sample_action(&self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        (R::engine().sample_action)(self, rng)
    }

    #[inline]
    fn apply_sampled(&mut self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        (R::engine().apply_sampled)(self, rng)
    }

    fn is_consistent(&self) -> bool {
        R::is_consistent(&self.state)
    }
}
