//! The interpreter: a register file, loaded from a state, that runs linked code.

mod chance;
mod effects;
mod event;
mod execute;
mod generate;
mod history;
mod longest;
mod offers;
mod run;
mod turn;

use crate::code::Code;
use crate::cpu::Cpu;
use crate::set::Set;

use event::END;
pub(crate) use history::Past;
use longest::Longest;
use offers::Offers;
use turn::Goal;

/// The set registers of the event: where a piece comes from, goes to and jumps over.
const FROM: u8 = 0;
const TO: u8 = 1;
const OVER: u8 = 2;
/// The first set register of the state.
pub(crate) const STATE: usize = 3;

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
    /// There were more changes than the history has room for.
    History,
    /// Chance acted again and again, or players did, and the game did not end.
    Endless,
}

/// The amount of a game that is won or lost as such.
pub(crate) const FULL: i16 = i16::MIN;
/// Whoever acts next as long as no effect says so.
const UNSAID: u8 = u8::MAX;

/// A state in registers, `R` for sets and `N` for numbers.
pub(crate) struct Machine<'p, const W: usize, const R: usize, const N: usize, C> {
    code: &'p Code<W>,
    cpu: C,
    pub(crate) sets: [Set<W>; R],
    pub(crate) numbers: [i32; N],
    /// Former positions, where the rules ask for them.
    pub(crate) past: Past<'p>,
    pub(crate) mover: u8,
    pub(crate) phase: u8,
    pub(crate) standing: Standing,
    /// The amount for which the game has ended.
    pub(crate) amount: i16,
    /// The seats that have dropped out, as bits.
    pub(crate) out: u8,
    /// The number of chance events since a player has acted.
    pub(crate) streak: u16,
    /// The end that applied last; `UNSAID` if none did.
    end: u8,
    next: u8,
    goes_on: bool,
    accepted: bool,
    /// The seat and phase whose actions were offered last, as long as no set or number changes.
    kept: Option<(u8, u8)>,
    /// The address after the effects of the event.
    then: usize,
    /// The address of a question that waits for what is being offered.
    resume: usize,
    longest: Longest,
    /// The number of links that may still be tried to find the longest chains.
    tries: u16,
    /// The number of links of the chain that is tried.
    links: u8,
}

impl<'p, const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'p, W, R, N, C> {
    #[inline(always)]
    pub(crate) fn new(code: &'p Code<W>, cpu: C) -> Self {
        Self {
            code,
            cpu,
            sets: [Set::NONE; R],
            numbers: [0; N],
            past: Past::Read(&[]),
            mover: 0,
            phase: 0,
            standing: Standing::Open,
            amount: FULL,
            out: 0,
            streak: 0,
            end: UNSAID,
            next: 0,
            goes_on: true,
            accepted: false,
            kept: None,
            then: END,
            resume: END,
            longest: Longest::Off,
            tries: 0,
            links: 0,
        }
    }

    /// Returns a copy that remembers no more positions.
    #[inline(always)]
    pub(crate) fn twin(&self) -> Machine<'_, W, R, N, C> {
        Machine { past: Past::Read(self.past.words()), ..*self }
    }

    /// Writes the constants of the code to their registers.
    #[inline(always)]
    pub(crate) fn load_constants(&mut self) {
        for (at, set) in self.code.constants.iter().enumerate() {
            self.put((self.code.linked.constants + at) as u8, *set);
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, register: u8) -> Set<W> {
        self.sets[register as usize % R]
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, register: u8, set: Set<W>) {
        self.sets[register as usize % R] = set;
    }

    #[inline(always)]
    fn number(&self, register: u8) -> i32 {
        self.numbers[register as usize % N]
    }

    #[inline(always)]
    fn put_number(&mut self, register: u8, value: i32) {
        self.numbers[register as usize % N] = value;
    }

    #[inline(always)]
    fn after_mover(&self) -> u8 {
        let players = self.code.linked.players;
        if self.out == 0 {
            return if self.mover + 1 == players { 0 } else { self.mover + 1 };
        }
        let mut after = (1..=players).map(|steps| (self.mover + steps) % players);
        after.find(|seat| self.out >> seat & 1 == 0).unwrap_or(self.mover)
    }

    /// The end by which the game is over; `None` if it is not, or a rule ended it.
    pub(crate) fn end(&self) -> Option<usize> {
        let is_open = matches!(self.standing, Standing::Open | Standing::Fault(_));
        (!is_open && self.end != UNSAID).then_some(usize::from(self.end))
    }

    /// The seats that have not dropped out, as bits.
    #[inline(always)]
    fn left(&self) -> u8 {
        ((1u16 << self.code.linked.players) - 1) as u8 & !self.out
    }
}
