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
use crate::magic::state::slots::{NONE, SLOTS};
use crate::magic::state::{
    Announcement, Board, Clock, Dying, FIRST_HAND, Item, Magic, Owed, Phase, Question, RULES, Seat,
    Stage, Task,
};
use crate::magic::table::KINDS;
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

impl Seat {
    fn new(deck: [u8; KINDS]) -> Self {
        Self {
            library: Pile::of(deck),
            hand: Pile::EMPTY,
            graveyard: Pile::EMPTY,
            shown: [0; KINDS],
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
        used: 0,
        controller: 0,
        base_controller: 0,
        basics: 0,
        tapped: 0,
        summoning_sick: 0,
        attacking: 0,
        blocking: 0,
        blocked: 0,
        attacked: 0,
        damaged: 0,
        deathtouched: 0,
        first_struck: 0,
        statics: 0,
        usable: 0,
        mana: 0,
        types: [0; 4],
        colours: [0; 5],
        land_types: [0; 5],
        retyped: 0,
        keywords: [0; 28],
        rules: [0; RULES],
        card: [0; SLOTS],
        damage: [0; SLOTS],
        counters: [0; SLOTS],
        power: [0; SLOTS],
        toughness: [0; SLOTS],
        link: [0; SLOTS],
        memo: [0; SLOTS],
        static_order: Row::EMPTY_BYTES,
        listening: 0,
        counted: false,
        dirty: false,
        changed: false,
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
        ..Companions::NONE
    };

    fn new(config: &Config) -> Self {
        let table = config.table;
        let rules = config.rules();
        let mut state = Self {
            table,
            seats: [0, 1].map(|seat: usize| Seat::new(table.0.decks[seat].counts)),
            board: Board::EMPTY,
            stack: Row::new(),
            effects: Row::new(),
            pending: Row::new(),
            delayed: Row::new(),
            groups: [0; GROUPS],
            tasks: Row::new(),
            resolution: idle(),
            announcement: Announcement {
                active: false,
                item: Item::default(),
                stage: Stage::Mode,
                ability: 0,
                target: 0,
                chosen: 0,
                cost: 0,
                owed: Owed::default(),
            },
            aside: Pile::EMPTY,
            aside_owner: 0,
            aside_seen: 0,
            playable: Row::new(),
            dying: Dying::default(),
            damage_answers: Row::new(),
            assigned: Row::new(),
            question: Question::Nothing,
            asked: 0,
            clock: Clock {
                turn: 1,
                item: 0,
                active: 0,
                phase: Phase::Untap,
                begun: false,
                priority: 0,
                passes: 0,
                after_combat: Phase::SecondMain,
                extra_turns: 0,
                regular: 0,
                extra_combats: 0,
                combat_damage_prevented: false,
                guard: [NONE; 2],
                settled: false,
                expired: false,
                lingers: false,
            },
            rules,
            fault: None,
        };
        // The innermost task is the last.
        for seat in [1, 0] {
            if rules.mulligans {
                state.tasks.push(Task::Mulligan { seat });
            }
        }
        for seat in [1, 0] {
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
            _ => Turn::Player(Player(self.asked)),
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
        let [first, second] = [self.seats[0].lost, self.seats[1].lost];
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
        self.write_observation(player.0, out);
    }

    fn key(&self) -> u64 {
        self.hash_all()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.hash_for(player.0)
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.deal_unseen(player.0, rng)
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        self.outcomes(out);
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        self.draw_outcome(rng)
    }

    fn is_seen(&self, action: Action, player: Player) -> bool {
        !self.hides_choice(action, player.0)
    }

    fn roller(&self) -> Option<Player> {
        match (self.question, self.tasks.last()) {
            // The player who looks at a library need not be its owner.
            (Question::TopCard(_), Some(Task::Look { .. })) => None,
            (Question::TopCard(seat) | Question::RandomCard(seat), _) => Some(Player(seat)),
            _ => None,
        }
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn text(&self, player: Player) -> String {
        self.table_text(Some(player.0))
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
