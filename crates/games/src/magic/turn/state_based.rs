//! 704: state-based actions.

use crate::magic::language::{Filter, Keyword, Type};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Phase, Question, Task};
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    /// Does what the state demands until it demands nothing, then puts pending
    /// abilities on the stack. Whether anything was done or asked.
    pub(super) fn settle(&mut self) -> bool {
        if self.clock.settled && !self.board.dirty {
            return false;
        }
        self.clock.settled = true;
        loop {
            self.derive();
            if self.seats.iter().any(|seat| seat.lost || seat.life <= 0) {
                for seat in self.seats.iter_mut() {
                    seat.lost |= seat.life <= 0;
                }
                self.question = Question::Over;
                return true;
            }
            let acted = self.act_once();
            // 514.3a.
            self.clock.lingers |= acted && self.clock.phase == Phase::Cleanup;
            if !acted || !self.tasks.is_empty() {
                break;
            }
        }
        let busy = !self.tasks.is_empty() || self.place_triggers();
        self.clock.settled = !busy;
        busy
    }

    /// One round of state-based actions. Whether there was something to do.
    fn act_once(&mut self) -> bool {
        let creatures = self.board.types[Type::Creature as usize];
        let suspects =
            creatures & if self.board.changed { self.board.used } else { self.board.damaged };
        let auras = self.board.types[Type::Enchantment as usize];
        if (suspects | self.board.deathtouched | auras).is_empty() {
            return self.table.0.legends && self.legends();
        }
        let (mut starved, mut killed) = (Slots::EMPTY, Slots::EMPTY);
        for slot in suspects.iter() {
            let toughness = i16::from(self.board.toughness[slot]);
            if toughness <= 0 {
                starved |= slot.bit();
            } else if i16::from(self.board.damage[slot]) >= toughness {
                killed |= slot.bit();
            }
        }
        killed |= self.board.deathtouched & creatures & !starved;
        self.board.deathtouched = Slots::EMPTY;
        killed &= !self.board.keywords[Keyword::Indestructible as usize];
        // 704.3: all at the same time.
        let dying = starved | killed | self.loose_auras();
        if !dying.is_empty() {
            self.put_into_graveyards(dying, killed);
        }
        !dying.is_empty() || self.table.0.legends && self.legends()
    }

    /// 704.5j: asks which of several legends of one name to keep.
    fn legends(&mut self) -> bool {
        for seat in Seat::BOTH {
            let mine = self.controlled(seat);
            for slot in mine.iter() {
                let card = self.board.card[slot];
                let name = &self.def(card).name;
                let another = |other: Slot| other > slot && self.def_at(other).name == *name;
                if self.def(card).legendary && mine.iter().any(another) {
                    self.tasks.push(Task::KeepLegend { seat, card });
                    return false;
                }
            }
        }
        false
    }
}

impl Magic {
    /// 704.5m: Auras that enchant nothing they may.
    fn loose_auras(&self) -> Slots {
        let auras = self.board.types[Type::Enchantment as usize];
        let loose = |&slot: &Slot| {
            let Some(enchant) = &self.def_at(slot).enchant else { return false };
            let host = self.board.link[slot];
            host.is_none_or(|host| !self.can_enchant(slot, host, enchant))
        };
        auras.iter().filter(loose).collect()
    }

    fn can_enchant(&self, aura: Slot, host: Slot, enchant: &Filter) -> bool {
        let colours = self.colours_at(aura);
        let protected = (0..5).any(|colour| {
            colours >> colour & 1 == 1
                && self.board.keywords[Keyword::ProtectionFromWhite as usize + colour].has(host)
        });
        !protected && self.matching(enchant, &Ctx::of(self, aura)).has(host)
    }
}
