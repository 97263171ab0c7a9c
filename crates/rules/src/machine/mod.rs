//! The interpreter: a register file, loaded from a state, that runs flat code.

mod effects;
mod event;
mod execute;
mod generate;
mod history;
mod longest;
mod offers;

use crate::code::Code;
use crate::cpu::Cpu;
use crate::set::Set;
use crate::tree::{CONSTANTS, NUMBER_REGISTERS, REGISTERS};

use longest::Longest;
pub(crate) use offers::{Offers, Pick, Sink};

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Open,
    Draw,
    /// These seats win, as bits.
    Won(u8),
    /// These seats lose, as bits.
    Lost(u8),
    /// A bound of the implementation was exceeded.
    Fault(Fault),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A number left its bounds.
    Number,
    /// A player has no action, and the file does not say what happens then.
    Stuck,
    /// There are more legal actions than a list holds.
    Wide,
}
/// The amount of a game that is won or lost as such.
pub(crate) const FULL: i16 = i16::MIN;
/// Whoever acts next as long as no effect says so.
const UNSAID: u8 = u8::MAX;

/// A state in registers.
#[derive(Clone)]
pub(crate) struct Machine<'p, const W: usize, C> {
    code: &'p Code<W>,
    cpu: C,
    pub(crate) sets: [Set<W>; REGISTERS],
    pub(crate) numbers: [i32; NUMBER_REGISTERS],
    pub(crate) mover: u8,
    pub(crate) phase: u8,
    pub(crate) standing: Standing,
    /// The amount for which the game has ended.
    pub(crate) amount: i16,
    /// The seats that have dropped out, as bits.
    pub(crate) out: u8,
    next: u8,
    goes_on: bool,
    accepted: bool,
    total: u32,
    /// The number of actions that are no pass.
    choices: u32,
    found: bool,
    /// The seat and phase whose actions are kept, as long as no set or number changes.
    kept: Option<(u8, u8)>,
    /// Whether only the longest chains are offered, and what is known about them.
    longest: Longest,
    /// The number of links that may still be tried to find the longest chains.
    tries: u16,
}

impl<'p, const W: usize, C: Cpu> Machine<'p, W, C> {
    #[inline(always)]
    pub(crate) fn new(code: &'p Code<W>, cpu: C) -> Self {
        let mut sets = [Set::NONE; REGISTERS];
        let first = CONSTANTS as usize;
        sets[first..first + code.constants.len()].copy_from_slice(&code.constants);
        Self {
            code,
            cpu,
            sets,
            numbers: [0; NUMBER_REGISTERS],
            mover: 0,
            phase: 0,
            standing: Standing::Open,
            amount: FULL,
            out: 0,
            next: UNSAID,
            goes_on: true,
            accepted: false,
            total: 0,
            choices: 0,
            found: false,
            kept: None,
            longest: Longest::Off,
            tries: 0,
        }
    }

    #[inline(always)]
    fn get(&self, register: u8) -> Set<W> {
        self.sets[register as usize % REGISTERS]
    }

    #[inline(always)]
    fn put(&mut self, register: u8, set: Set<W>) {
        self.sets[register as usize % REGISTERS] = set;
    }

    #[inline(always)]
    fn number(&self, register: u8) -> i32 {
        self.numbers[register as usize % NUMBER_REGISTERS]
    }

    #[inline(always)]
    fn put_number(&mut self, register: u8, value: i32) {
        self.numbers[register as usize % NUMBER_REGISTERS] = value;
    }

    fn players(&self) -> u8 {
        self.code.seats.len() as u8
    }
}
