//! Running code, as a function of its own for each kind of CPU.

use super::{Goal, Machine, Offers};
use crate::cpu::{Cpu, Task};

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// Runs code from `at` until it stops.
    #[inline(always)]
    pub(super) fn run(&mut self, at: usize, offers: &mut Offers<'_, W>, goal: &mut Goal<'_>) {
        let cpu = self.cpu;
        cpu.call(Run { machine: self, at, offers, goal });
    }

    /// Runs code from `at` until it stops, where it is not worth a copy of the loop.
    #[inline(never)]
    pub(super) fn run_apart(&mut self, at: usize, offers: &mut Offers<'_, W>, goal: &mut Goal<'_>) {
        self.run(at, offers, goal);
    }
}

/// Runs code from `at` until it stops.
struct Run<'r, 'l, 'g, 'p, const W: usize, const R: usize, const N: usize, C> {
    machine: &'r mut Machine<'p, W, R, N, C>,
    at: usize,
    offers: &'r mut Offers<'l, W>,
    goal: &'r mut Goal<'g>,
}

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Task
    for Run<'_, '_, '_, '_, W, R, N, C>
{
    type Out = ();

    #[inline(always)]
    fn run(self) {
        self.machine.execute(self.at, self.offers, self.goal);
    }
}
