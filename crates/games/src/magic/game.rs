//! Magic as a [`Game`].

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Forced, Game, GameInfo, ObservationSpec, OutcomeList, Payoffs,
    Player, Rng, Turn, Weights,
};

use crate::magic::machine::{Machine, Watch};
use crate::magic::stack::resolve::idle;
use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::GROUPS;
use crate::magic::state::order::Order;
use crate::magic::state::pile::Pile;
use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat, SeatSet};
use crate::magic::state::slots::{BySlot, Slot, Slots};
use crate::magic::state::{
    Announcement, Board, Clock, Dying, FIRST_HAND, Item, Magic, Owed, Phase, PlayerState, Question,
    RULES, Stage, Task,
};
use crate::magic::table::card::{ByDeckCard, CardId, KINDS};
use crate::magic::table::config::Config;

impl Magic {
    /// Plays a legal action or a chance outcome, counted by `watch`.
    pub fn apply_watched(&mut self, action: Action, watch: &mut impl Watch) {
        let mut machine = Machine::new(self, watch);
        machine.answer(action);
        machine.advance();
    }

    /// The number of the turn, from 1.
    #[must_use]
    pub fn turn_number(&self) -> u16 {
        self.clock.turn
    }
}

impl PlayerState {
    fn new(deck: &ByDeckCard<u8>) -> Self {
        Self {
            library: Pile::of(deck),
            hand: Pile::EMPTY,
            graveyard: Pile::EMPTY,
            shown: ByDeckCard([0; KINDS]),
            order: Order::EMPTY,
            life: 20,
            pool: [0; 6],
            exiled: 0,
            lands_played: 0,
            extra_lands: 0,
            drawn: 0,
            mulligans: 0,
            extra_turns: 0,
            lost: false,
        }
    }
}

impl Board {
    const EMPTY: Self = Self {
        used: Slots::EMPTY,
        controller: Slots::EMPTY,
        base_controller: Slots::EMPTY,
        basics: Slots::EMPTY,
        tapped: Slots::EMPTY,
        summoning_sick: Slots::EMPTY,
        attacking: Slots::EMPTY,
        blocking: Slots::EMPTY,
        blocked: Slots::EMPTY,
        attacked: Slots::EMPTY,
        damaged: Slots::EMPTY,
        deathtouched: Slots::EMPTY,
        first_struck: Slots::EMPTY,
        statics: Slots::EMPTY,
        usable: Slots::EMPTY,
        mana: Slots::EMPTY,
        types: [Slots::EMPTY; 4],
        colours: [Slots::EMPTY; 5],
        land_types: [Slots::EMPTY; 5],
        retyped: Slots::EMPTY,
        keywords: [Slots::EMPTY; 28],
        rules: [Slots::EMPTY; RULES],
        card: BySlot::all(CardId::new(0)),
        damage: BySlot::all(0),
        counters: BySlot::all(0),
        power: BySlot::all(0),
        toughness: BySlot::all(0),
        link: BySlot::all(None),
        memo: BySlot::all(0),
        static_order: Row::filled_with(Slot::FIRST),
        listening: 0,
        counted: false,
        dirty: false,
        changed: false,
        only_bodies: false,
        recast: false,
    };
}

impl Game for Magic {
    type Config = Config;

    const NAME: &'static str = "magic";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = crate::magic::actions::ACTIONS as usize;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: Some(Self::evaluate),
        weights: Some(Weights {
            set: Config::reweighed,
            adopt: |state, other| state.table = other.table,
        }),
        focus: Some(|state| state.rules.stops = true),
        playout: Some(Self::play_out),
        ..Companions::NONE
    };

    fn new(config: &Config) -> Self {
        let table = config.table;
        let rules = config.rules();
        let mut state = Self {
            table,
            seats: BySeat(Seat::BOTH.map(|seat| PlayerState::new(&table.0.decks[seat].counts))),
            board: Board::EMPTY,
            stack: Row::new(),
            effects: Row::new(),
            pending: Row::new(),
            delayed: Row::new(),
            groups: [Slots::EMPTY; GROUPS],
            tasks: Row::new(),
            resolution: idle(),
            announcement: Announcement {
                active: false,
                item: Item::default(),
                stage: Stage::Mode,
                ability: None,
                target: 0,
                chosen: 0,
                cost: 0,
                owed: Owed::default(),
            },
            aside: Pile::EMPTY,
            aside_owner: Seat::First,
            aside_seen: SeatSet::NONE,
            playable: Row::new(),
            dying: Dying::default(),
            damage_answers: Row::new(),
            assigned: Row::new(),
            question: Question::Nothing,
            asked: Seat::First,
            clock: Clock {
                turn: 1,
                item: 0,
                active: Seat::First,
                phase: Phase::Untap,
                begun: false,
                priority: Seat::First,
                passes: 0,
                after_combat: Phase::SecondMain,
                extra_turns: 0,
                regular: Seat::First,
                extra_combats: 0,
                combat_damage_prevented: false,
                guard: BySeat([None; 2]),
                settled: false,
                expired: false,
                lingers: false,
            },
            rules,
            fault: None,
        };
        // The innermost task is the last.
        for seat in [Seat::Second, Seat::First] {
            if rules.mulligans {
                state.tasks.push(Task::Mulligan { seat });
            }
        }
        for seat in [Seat::Second, Seat::First] {
            state.tasks.push(Task::draw(seat, FIRST_HAND));
        }
        Machine::new(&mut state, &mut ()).advance();
        state
    }

    fn info(&self) -> GameInfo {
        // One id for each kind of card in both decks.
        GameInfo { max_chance_outcomes: 64, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.question {
            Question::Over => Turn::Over,
            Question::TopCard(_) | Question::RandomCard(_) | Question::Coin => Turn::Chance,
            _ => Turn::Player(self.asked.into()),
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.list_legal(out);
    }

    fn apply(&mut self, action: Action) {
        self.apply_watched(action, &mut ());
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = Payoffs::default();
        let [first, second] = Seat::BOTH.map(|seat| self.seats[seat].lost);
        if self.question == Question::Over && first != second && self.fault.is_none() {
            payoffs[0] = if first { -1.0 } else { 1.0 };
            payoffs[1] = -payoffs[0];
        }
        payoffs
    }

    fn fault(&self) -> Option<&'static str> {
        self.fault.map(Bound::text)
    }

    fn observation(&self) -> &'static ObservationSpec {
        &crate::magic::view::observe::SPEC
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.write_observation(player.into(), out);
    }

    fn key(&self) -> u64 {
        self.hash_all()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.hash_for(player.into())
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.deal_unseen(player.into(), rng)
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        self.outcomes(out);
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        self.draw_outcome(rng)
    }

    fn is_seen(&self, action: Action, player: Player) -> bool {
        !self.hides_choice(action, player.into())
    }

    fn roller(&self) -> Option<Player> {
        match (self.question, self.tasks.last()) {
            // The player who looks at a library need not be its owner.
            (Question::TopCard(_), Some(Task::Look { .. })) => None,
            (Question::TopCard(seat) | Question::RandomCard(seat), _) => Some(seat.into()),
            _ => None,
        }
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn text(&self, player: Player) -> String {
        self.table_text(Some(player.into()))
    }

    fn forced(&self) -> Forced {
        self.rules.forced
    }

    fn is_consistent(&self) -> bool {
        self.invariants_hold()
    }
}

impl fmt::Display for Magic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table_text(None))
    }
}
