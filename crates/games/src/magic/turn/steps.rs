//! 500 to 514: the steps of a turn, and who may act in them.

use meeple_game::Forced;

use crate::magic::language::Moment;
use crate::magic::machine::{Event, Machine, Note, Watch};
use crate::magic::stack::triggers::TriggerEvent;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{BySlot, Slots};
use crate::magic::state::{Duration, LAST_TURN, Phase, Question, Task, TaskFilter, rule};
use crate::magic::table::listen;

impl<W: Watch> Machine<'_, W> {
    /// Goes on with the turn until something else is to be done or somebody is asked.
    pub(in crate::magic) fn turn_on(&mut self) {
        loop {
            self.turn_once();
            if !self.is_between_priorities() || !matches!(self.question, Question::Nothing) {
                return;
            }
            self.look();
        }
    }

    /// Begins a step, or does what comes before players get priority, or gives it.
    #[inline]
    fn turn_once(&mut self) {
        if !self.clock.begun {
            self.clock.begun = true;
            self.clock.passes = 0;
            self.clock.priority = self.clock.active;
            self.watch.note(Note::Step);
            if self.clock.phase == Phase::Untap {
                self.show(Event::Turn);
            }
            if !matches!(self.clock.phase, Phase::Main | Phase::BeginCombat | Phase::SecondMain) {
                self.clock.settled = false;
            }
            self.begin_step();
        } else if !self.settle() {
            self.priority();
        }
    }

    /// 500.5, 703: what a step does by itself.
    fn begin_step(&mut self) {
        let active = self.clock.active;
        match self.clock.phase {
            Phase::Untap => self.untap_step(),
            Phase::Upkeep => self.at(Moment::Upkeep),
            Phase::Draw => {
                if self.clock.turn > 1 {
                    self.tasks.push(Task::draw(active, 1));
                }
                self.at(Moment::Draw);
            }
            Phase::Attackers => {
                if !self.possible_attackers().is_empty() {
                    self.tasks.push(Task::DeclareAttackers { seat: active, after: None });
                }
            }
            Phase::Blockers => {
                if !self.possible_blockers().is_empty() {
                    self.tasks.push(Task::DeclareBlockers { seat: active.other(), after: None });
                }
            }
            Phase::FirstDamage => self.combat_damage(true),
            Phase::Damage => self.combat_damage(false),
            Phase::EndCombat => self.at(Moment::EndOfCombat),
            Phase::End => self.at(Moment::End),
            Phase::Cleanup => {
                let held = self.seats[active].hand.total();
                let left = held.saturating_sub(self.rules.hand_limit);
                if left > 0 {
                    let filter = TaskFilter::Any;
                    self.tasks.push(Task::Discard { seat: active, left, filter });
                }
            }
            Phase::Main | Phase::BeginCombat | Phase::SecondMain => {}
        }
    }

    fn at(&mut self, moment: Moment) {
        let seat = self.clock.active;
        self.emit(TriggerEvent { moment, seat: Some(seat), ..TriggerEvent::new(listen::BEGINS) });
        if !self.delayed.is_empty() {
            self.trigger_delayed(moment);
        }
    }

    /// 502: untaps, but for what stays tapped.
    fn untap_step(&mut self) {
        let active = self.clock.active;
        let mine = self.controlled(active);
        self.board.summoning_sick &= !mine;
        let may = self.board.rules[rule::MAY_STAY_TAPPED] & mine & self.board.tapped;
        let stays = self.board.rules[rule::STAYS_TAPPED];
        self.untap(mine & !may & !stays);
        if !(may & !stays).is_empty() {
            self.tasks.push(Task::Untap { seat: active, after: None });
        }
        self.expire(|until| until == Duration::Untap(active));
    }

    /// 117: gives priority, resolves, or ends the step.
    fn priority(&mut self) {
        let quiet = match self.clock.phase {
            Phase::Untap => true,
            Phase::Cleanup => {
                self.clock.lingers |= !self.stack.is_empty();
                !self.clock.lingers
            }
            _ => false,
        };
        if quiet {
            self.end_step();
            return;
        }
        while self.clock.passes < 2 {
            let seat = self.clock.priority;
            let skip = self.rules.forced == Forced::Skip;
            if skip && !self.is_sorcery_time(seat) && !self.may_respond(seat) {
                self.pass();
                continue;
            }
            if self.clock.passes == 0 {
                self.watch.note(Note::Round);
            }
            if !skip || self.can_act_now(seat) {
                return self.ask(seat, Question::Priority);
            }
            self.pass();
        }
        if self.stack.is_empty() {
            self.end_step();
        } else {
            self.resolve();
        }
    }

    /// 117.3d: the player with priority passes.
    pub(in crate::magic) fn pass(&mut self) {
        self.clock.passes += 1;
        self.clock.priority = self.clock.priority.other();
    }

    fn end_step(&mut self) {
        self.empty_pools();
        let mut is_quiet = None;
        loop {
            if self.clock.phase == Phase::Cleanup {
                return self.end_cleanup();
            }
            self.clock.phase = self.next_step();
            // Going on to the next step sets nothing off.
            if !self.is_empty_step() || !*is_quiet.get_or_insert_with(|| self.is_quiet()) {
                break;
            }
        }
        self.clock.begun = false;
    }

    /// Whether the step that comes does nothing by itself.
    fn is_empty_step(&self) -> bool {
        match self.clock.phase {
            Phase::Upkeep | Phase::BeginCombat | Phase::EndCombat | Phase::End => true,
            Phase::Attackers => self.possible_attackers().is_empty(),
            _ => false,
        }
    }

    /// Whether nothing waits for a step and nobody could act in one.
    fn is_quiet(&self) -> bool {
        self.rules.forced == Forced::Skip
            && self.board.listening & listen::BEGINS == 0
            && self.pending.is_empty()
            && self.delayed.is_empty()
            && !self.may_respond(Seat::First)
            && !self.may_respond(Seat::Second)
    }

    /// 500.1: the step after this one.
    fn next_step(&mut self) -> Phase {
        match self.clock.phase {
            Phase::Untap => Phase::Upkeep,
            Phase::Upkeep => Phase::Draw,
            Phase::Draw => Phase::Main,
            Phase::Main => {
                self.plan_combat(Phase::Main, Phase::SecondMain);
                Phase::BeginCombat
            }
            Phase::BeginCombat => Phase::Attackers,
            Phase::Attackers | Phase::Blockers | Phase::FirstDamage => self.next_combat_step(),
            Phase::Damage => Phase::EndCombat,
            Phase::EndCombat => {
                self.end_combat();
                self.clock.after_combat
            }
            Phase::SecondMain if self.clock.extra_combats > 0 => {
                self.plan_combat(Phase::SecondMain, Phase::SecondMain);
                Phase::BeginCombat
            }
            Phase::SecondMain => Phase::End,
            Phase::End | Phase::Cleanup => Phase::Cleanup,
        }
    }

    /// Where the combat that comes now leads: an extra one back to its main
    /// phase.
    fn plan_combat(&mut self, extra: Phase, usual: Phase) {
        self.clock.after_combat = if self.clock.extra_combats > 0 {
            self.clock.extra_combats -= 1;
            extra
        } else {
            usual
        };
    }

    /// 514.2, 514.3: damage wears off and effects end; if that sets something
    /// off, players get priority and there is another cleanup step.
    #[inline(never)]
    fn end_cleanup(&mut self) {
        if !self.clock.expired {
            self.clock.expired = true;
            self.board.damage = BySlot::all(0);
            self.board.damaged = Slots::EMPTY;
            self.board.attacked = Slots::EMPTY;
            self.clock.combat_damage_prevented = false;
            self.clock.guard = BySeat([None; 2]);
            self.expire(|until| until == Duration::EndOfTurn);
            self.clock.settled = false;
            // State-based actions are looked at before the turn ends.
            return;
        }
        self.clock.expired = false;
        if std::mem::take(&mut self.clock.lingers) {
            self.clock.begun = false;
        } else {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        if self.seats.iter().any(|seat| seat.extra_turns > 0) {
            let next = Seat::second_if(self.clock.extra_turns & 1 == 1);
            self.clock.extra_turns >>= 1;
            self.clock.active = next;
            self.seats[next].extra_turns -= 1;
        } else {
            self.clock.regular = self.clock.regular.other();
            self.clock.active = self.clock.regular;
        }
        self.clock.turn += 1;
        self.clock.extra_combats = 0;
        for seat in self.seats.iter_mut() {
            seat.lands_played = 0;
            seat.extra_lands = 0;
            seat.drawn = 0;
        }
        for memo in self.board.memo.iter_mut() {
            *memo &= 0x7f;
        }
        self.clock.phase = Phase::Untap;
        self.clock.begun = false;
        if self.clock.turn > LAST_TURN {
            self.question = Question::Over;
        }
    }
}
