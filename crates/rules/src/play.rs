//! Playing on registers: load a state, run its code, write it back; compiled for each CPU.

use meeple_game::{Action, ActionList, Steps};
use meeple_rng::Rng;

use crate::cpu::Cpu;
use crate::machine::{Machine, Past};
use crate::program::{Program, with_code};
use crate::set::Bits;

/// Calls a method of a program with the best CPU that was found.
macro_rules! on_cpu {
    ($program:ident, $cpu:ident => $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if let Some($cpu) = $program.cpu {
            return $body;
        }
        let $cpu = crate::cpu::Portable;
        $body
    }};
}

impl Program {
    /// Lists the legal actions of a state in which a player moves.
    pub(crate) fn list(&self, words: &[u64], out: &mut ActionList) {
        on_cpu!(self, cpu => self.list_on(cpu, words, out))
    }

    /// Draws an action as from a list of all.
    pub(crate) fn draw(&self, words: &[u64], rng: &mut Rng, scratch: &mut ActionList) -> Action {
        on_cpu!(self, cpu => self.draw_on(cpu, words, rng, scratch))
    }

    /// Plays an action or a chance outcome.
    pub(crate) fn play(&self, words: &mut [u64], action: Action) {
        on_cpu!(self, cpu => self.play_on(cpu, words, action))
    }

    /// Plays to the end at random.
    pub(crate) fn play_to_end(
        &self,
        words: &mut [u64],
        rng: &mut Rng,
        scratch: &mut ActionList,
    ) -> Steps {
        on_cpu!(self, cpu => self.play_to_end_on(cpu, words, rng, scratch))
    }

    /// Returns whether the game would be over if any player had just acted.
    pub(crate) fn is_over_somewhere(&self, words: &[u64]) -> bool {
        let cpu = crate::cpu::Portable;
        with_code!(self, code, R, N => {
            let (front, past) = words.split_at(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Read(past);
            self.load_into(&mut machine, front);
            (0..self.rules.players as u8).any(|seat| machine.twin().would_end(seat))
        })
    }

    /// Returns the targets that `such that` refuses to the player to move.
    pub(crate) fn refused(&self, words: &[u64]) -> Bits {
        let cpu = crate::cpu::Portable;
        with_code!(self, code, R, N => {
            let (front, past) = words.split_at(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Read(past);
            self.load_into(&mut machine, front);
            machine.refused().resized()
        })
    }

    fn list_on<C: Cpu>(&self, cpu: C, words: &[u64], out: &mut ActionList) {
        with_code!(self, code, R, N => cpu.call(|| {
            let (front, past) = words.split_at(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Read(past);
            self.load_into(&mut machine, front);
            machine.list(out);
        }));
    }

    fn draw_on<C: Cpu>(
        &self,
        cpu: C,
        words: &[u64],
        rng: &mut Rng,
        scratch: &mut ActionList,
    ) -> Action {
        with_code!(self, code, R, N => cpu.call(|| {
            let (front, past) = words.split_at(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Read(past);
            self.load_into(&mut machine, front);
            machine.draw(rng, scratch)
        }))
    }

    fn play_on<C: Cpu>(&self, cpu: C, words: &mut [u64], action: Action) {
        with_code!(self, code, R, N => cpu.call(|| {
            let (front, past) = words.split_at_mut(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Write(past);
            self.load_into(&mut machine, front);
            machine.play(action);
            self.save(&machine, front);
        }));
    }

    fn play_to_end_on<C: Cpu>(
        &self,
        cpu: C,
        words: &mut [u64],
        rng: &mut Rng,
        scratch: &mut ActionList,
    ) -> Steps {
        with_code!(self, code, R, N => cpu.call(|| {
            let (front, past) = words.split_at_mut(self.front);
            let mut machine: Machine<'_, _, R, N, _> = Machine::new(code, cpu);
            machine.past = Past::Write(past);
            self.load_into(&mut machine, front);
            let steps = machine.play_to_end(rng, scratch);
            self.save(&machine, front);
            steps
        }))
    }
}

/// Draws one of several outcomes that are equally likely, as
/// [`sample_chance`](meeple_game::Game::sample_chance) does from a list of all.
#[inline(always)]
pub(crate) fn draw(count: usize, rng: &mut Rng) -> usize {
    let unit = rng.unit();
    let place = unit * count as f64;
    // A place is not negative and far smaller than the greatest number.
    let outcome = place as i64;
    let rest = place - outcome as f64;
    // The rounding errors of a list of at most 256 probabilities are far smaller.
    let is_clear = (1e-9..1.0 - 1e-9).contains(&rest);
    if is_clear { outcome as usize } else { draw_in_turn(unit, count) }
}

/// Takes off the probability of each outcome in turn, so that roundings are those of a list.
#[cold]
#[inline(never)]
fn draw_in_turn(unit: f64, count: usize) -> usize {
    let (mut left, probability) = (unit, 1.0 / count as f64);
    let is_drawn = |_: &usize| {
        left -= probability;
        left < 0.0
    };
    (0..count).find(is_drawn).unwrap_or(count - 1)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cpu::{Avx2, Portable};
    use crate::games::BUILTIN;
    use crate::lower::Chance;
    use crate::machine::Standing;
    use crate::program::Control;

    /// Plays a random game for every file on both, action by action and in one go.
    #[test]
    fn both_cpus_play_the_same_games() {
        let Some(avx2) = Avx2::find() else { return };
        for (name, text) in BUILTIN {
            let program = Program::load(name, text, &BTreeMap::new()).expect("a valid file");
            for seed in 0..5 {
                let (mut one, mut other) = (program.first, program.first);
                let (mut rng, mut twin) = (Rng::new(seed), Rng::new(seed));
                let (mut list, mut again) = (ActionList::new(), ActionList::new());
                let is_open = |words: &[u64]| {
                    Control::of(words[program.front - 1]).standing == Standing::Open
                };
                while is_open(&one) {
                    let phase = Control::of(one[program.front - 1]).phase;
                    let action = match program.rules.phases[usize::from(phase)].chance {
                        // Dealt cards are compared in the games that are played in one go.
                        Some(Chance::Deal(_) | Chance::RollEach(_) | Chance::Dice(_)) => break,
                        Some(Chance::Roll { low, high, .. }) => {
                            let face = rng.below((high - low + 1) as usize);
                            assert_eq!(face, twin.below((high - low + 1) as usize), "{name}");
                            Action(face as u16)
                        }
                        None => {
                            list.clear();
                            again.clear();
                            program.list_on(avx2, &one, &mut list);
                            program.list_on(Portable, &other, &mut again);
                            assert_eq!(list[..], again[..], "{name}");
                            let action = list[rng.clone().below(list.len())];
                            let drawn = program.draw_on(avx2, &one, &mut rng, &mut list);
                            assert_eq!(drawn, action, "{name}");
                            let drawn = program.draw_on(Portable, &other, &mut twin, &mut again);
                            assert_eq!(drawn, action, "{name}");
                            action
                        }
                    };
                    program.play_on(avx2, &mut one, action);
                    program.play_on(Portable, &mut other, action);
                    assert_eq!(one, other, "{name}");
                }
                let (mut one, mut other) = (program.first, program.first);
                program.play_to_end_on(avx2, &mut one, &mut rng, &mut list);
                program.play_to_end_on(Portable, &mut other, &mut twin, &mut again);
                assert_eq!(one, other, "{name}");
            }
        }
    }
}
