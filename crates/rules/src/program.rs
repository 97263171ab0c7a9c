//! A loaded game file: its code, the layout of its states, and everything with a name.

use std::collections::BTreeMap;
use std::fmt;

use meeple_game::ObservationSpec;

use crate::code::Code;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx2;
use crate::cpu::{Cpu, Portable};
use crate::errors::{FileError, Problems, Span};
use crate::layout::Layout;
use crate::lexer::MAX_BYTES;
use crate::link::link;
use crate::lower::{Lowered, lower};
use crate::machine::{Fault, Machine, Past, STATE, Standing};
use crate::observe::{self, Part};
use crate::parser::parse;
use crate::set::{Bits, Set};

/// The most words of a state.
pub(crate) const MAX_WORDS: usize = 511;

/// A game file, checked and compiled for one choice of its options.
pub struct Program {
    /// The text of the file.
    pub(crate) text: String,
    pub(crate) rules: Lowered,
    pub(crate) codes: Codes,
    /// The number of words of a state.
    pub(crate) words: usize,
    /// The first word of the numbers.
    pub(crate) numbers: usize,
    /// The number of words without the history, which comes last.
    pub(crate) front: usize,
    pub(crate) layout: Layout,
    pub(crate) first: [u64; MAX_WORDS],
    pub(crate) name: &'static str,
    pub(crate) parts: Vec<Part>,
    /// The cards that can get into each pile, by register.
    pub(crate) possible: Vec<Bits>,
    pub(crate) observation: &'static ObservationSpec,
    /// The features of this CPU, where it has all that the faster interpreter needs.
    #[cfg(target_arch = "x86_64")]
    pub(crate) cpu: Option<Avx2>,
}

/// The code for sets of one width.
pub(crate) enum Codes {
    One(Code<1>),
    Two(Code<2>),
    Four(Code<4>),
    Six(Code<6>),
    // For machines with many registers, which take longer to load.
    LargeOne(Code<1>),
    LargeTwo(Code<2>),
    LargeFour(Code<4>),
    LargeSix(Code<6>),
}

/// The registers of a machine for sets and for numbers, and those of a large one.
pub(crate) const FEW: usize = 32;
pub(crate) const FEW_NUMBERS: usize = 64;
pub(crate) const MANY: usize = 128;

/// Runs a block with the program's code and number of registers, whatever the width of its sets.
macro_rules! with_code {
    ($program:expr, $code:ident, $sets:ident, $numbers:ident => $body:expr) => {
        match &$program.codes {
            $crate::program::Codes::One($code) => {
                const $sets: usize = $crate::program::FEW;
                const $numbers: usize = $crate::program::FEW_NUMBERS;
                $body
            }
            $crate::program::Codes::Two($code) => {
                const $sets: usize = $crate::program::FEW;
                const $numbers: usize = $crate::program::FEW_NUMBERS;
                $body
            }
            $crate::program::Codes::Four($code) => {
                const $sets: usize = $crate::program::FEW;
                const $numbers: usize = $crate::program::FEW_NUMBERS;
                $body
            }
            $crate::program::Codes::Six($code) => {
                const $sets: usize = $crate::program::FEW;
                const $numbers: usize = $crate::program::FEW_NUMBERS;
                $body
            }
            $crate::program::Codes::LargeOne($code) => {
                const $sets: usize = $crate::program::MANY;
                const $numbers: usize = $crate::program::MANY;
                $body
            }
            $crate::program::Codes::LargeTwo($code) => {
                const $sets: usize = $crate::program::MANY;
                const $numbers: usize = $crate::program::MANY;
                $body
            }
            $crate::program::Codes::LargeFour($code) => {
                const $sets: usize = $crate::program::MANY;
                const $numbers: usize = $crate::program::MANY;
                $body
            }
            $crate::program::Codes::LargeSix($code) => {
                const $sets: usize = $crate::program::MANY;
                const $numbers: usize = $crate::program::MANY;
                $body
            }
        }
    };
}
pub(crate) use with_code;

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name, self.rules.options)
    }
}

impl Program {
    /// Checks bytes that need not be text.
    ///
    /// # Errors
    ///
    /// All errors of the file at once.
    pub fn load_bytes(
        file: &str,
        bytes: &[u8],
        options: &BTreeMap<String, i64>,
    ) -> Result<&'static Self, FileError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::load(file, text, options),
            Err(error) => {
                let mut problems = Problems::default();
                let before = &bytes[..error.valid_up_to()];
                let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32;
                let start = before.iter().rev().take_while(|&&byte| byte != b'\n').count() as u32;
                let span = Span { line, start, end: start + 1 };
                problems.add(span, "the file is not UTF-8 text: this byte is no character");
                Err(problems.into_error(file, &String::from_utf8_lossy(before)))
            }
        }
    }

    /// Checks and compiles a text without keeping it.
    ///
    /// # Errors
    ///
    /// All errors of the file at once.
    pub fn check(file: &str, text: &str, options: &BTreeMap<String, i64>) -> Result<(), FileError> {
        Self::compile(file, text, options).map(|_| ())
    }

    pub(crate) fn compile(
        file: &str,
        text: &str,
        options: &BTreeMap<String, i64>,
    ) -> Result<Compiled, FileError> {
        let mut problems = Problems::default();
        if text.len() > MAX_BYTES {
            let message =
                format!("the file has {} bytes, expected at most {MAX_BYTES}", text.len());
            problems.add(Span::default(), message);
            return Err(problems.into_error(file, text));
        }
        let tree = parse(text, &mut problems);
        let lowered = lower(&tree, options, &mut problems);
        match lowered {
            Some(rules) if problems.is_empty() => {
                let compiled = Compiled::new(rules);
                if compiled.registers > MANY {
                    let message = "the rules need more registers than there are";
                    problems.add(Span::default(), message);
                    return Err(problems.into_error(file, text));
                }
                if compiled.layout.words > MAX_WORDS {
                    let message = format!(
                        "a state needs {} bytes, expected at most {}",
                        compiled.layout.words * 8,
                        MAX_WORDS * 8
                    );
                    problems.add(Span::default(), message);
                    return Err(problems.into_error(file, text));
                }
                Ok(compiled)
            }
            _ => Err(problems.into_error(file, text)),
        }
    }

    /// Returns the name of the game in kebab case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the options with their values.
    #[must_use]
    pub fn options(&self) -> &BTreeMap<String, i64> {
        &self.rules.options
    }

    /// Returns the number of words of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }
}

/// A program without the parts that stay for ever.
pub(crate) struct Compiled {
    rules: Lowered,
    codes: Codes,
    layout: Layout,
    /// The number of registers that the code needs.
    registers: usize,
}

impl Compiled {
    fn new(rules: Lowered) -> Self {
        let linked = link(&rules);
        let registers = linked.sets.max(linked.numbers);
        let is_large = linked.sets > FEW || linked.numbers > FEW_NUMBERS;
        let sites = rules.board.positions.max(rules.cards.names.len()).max(rules.bids);
        let (codes, width) = match sites {
            0..=64 if is_large => (Codes::LargeOne(rules.code(linked)), 1),
            65..=128 if is_large => (Codes::LargeTwo(rules.code(linked)), 2),
            129..=256 if is_large => (Codes::LargeFour(rules.code(linked)), 4),
            _ if is_large => (Codes::LargeSix(rules.code(linked)), 6),
            0..=64 => (Codes::One(rules.code(linked)), 1),
            65..=128 => (Codes::Two(rules.code(linked)), 2),
            129..=256 => (Codes::Four(rules.code(linked)), 4),
            _ => (Codes::Six(rules.code(linked)), 6),
        };
        let layout = Layout::new(&rules, width);
        Self { rules, codes, layout, registers }
    }

    pub(crate) fn rules(&self) -> &Lowered {
        &self.rules
    }

    pub(crate) fn intern(self, text: &str) -> Program {
        let Self { rules, codes, layout, .. } = self;
        let (words, numbers, front) = (layout.words, layout.numbers, layout.front);
        let name: &'static str = Box::leak(kebab_case(&rules.title).into_boxed_str());
        let (parts, spec) = observe::layout(&rules);
        let observation = Box::leak(Box::new(spec));
        let first = [0; MAX_WORDS];
        let mut program = Program {
            text: text.to_owned(),
            rules,
            codes,
            words,
            numbers,
            front,
            layout,
            first,
            name,
            parts,
            possible: Vec::new(),
            observation,
            #[cfg(target_arch = "x86_64")]
            cpu: Avx2::find(),
        };
        program.first = with_code!(program, code, R, N => program.start::<_, R, N>(code));
        program.possible = program.possible_cards();
        program
    }
}

impl Program {
    /// Returns the initial state.
    fn start<const W: usize, const R: usize, const N: usize>(
        &self,
        code: &Code<W>,
    ) -> [u64; MAX_WORDS] {
        let mut words = [0; MAX_WORDS];
        let (front, past) = words.split_at_mut(self.front);
        let mut machine: Machine<'_, W, R, N, _> = Machine::new(code, Portable);
        machine.past = Past::Write(past);
        machine.load_constants();
        for number in &self.rules.numbers {
            let count = if number.each { self.rules.players } else { 1 };
            let registers = usize::from(number.register)..usize::from(number.register) + count;
            machine.numbers[registers].fill(number.start.into());
        }
        for heap in &self.rules.heaps {
            for (site, &start) in heap.start.iter().enumerate() {
                machine.numbers[usize::from(heap.register) + site] = start.into();
            }
        }
        for pile in self.rules.piles.iter().filter(|pile| pile.full) {
            let full = Set::of(0..self.rules.cards.names.len());
            machine.sets[STATE + usize::from(pile.register)] = full;
        }
        machine.set_up();
        self.save(&machine, front);
        words
    }

    /// Checks that no two pieces stand on a site when the game begins.
    pub(crate) fn check_start(&self, file: &str, text: &str) -> Result<(), FileError> {
        let rules = &self.rules;
        let mut taken = [Bits::NONE; meeple_game::MAX_PLAYERS];
        for piece in &rules.pieces {
            for seat in 0..if piece.shared { 1 } else { rules.players } {
                let set = self.set_in(&self.first, usize::from(piece.register) + seat);
                let taken = &mut taken[if rules.board_each { seat } else { 0 }];
                if let Some(site) = taken.and(set).sites().next() {
                    let name = &rules.board.names[site];
                    let message = format!("after `start` two pieces stand on {name}");
                    let help =
                        "rows are counted from each player's own side after `players 2 facing`";
                    let mut problems = Problems::default();
                    problems.add_with_help(rules.title_span, message, help);
                    return Err(problems.into_error(file, text));
                }
                *taken = taken.or(set);
            }
        }
        Ok(())
    }

    /// Returns the cards that can get into each pile: those it starts with, and those of all piles
    /// from which cards go there.
    fn possible_cards(&self) -> Vec<Bits> {
        let mut possible: Vec<Bits> =
            (0..self.rules.sets).map(|register| self.set_in(&self.first, register)).collect();
        loop {
            let before = possible.clone();
            for &(from, to) in &self.rules.flows {
                possible[usize::from(to)] =
                    possible[usize::from(to)].or(possible[usize::from(from)]);
            }
            if possible == before {
                return possible;
            }
        }
    }

    /// Returns the set in a register of a state.
    pub(crate) fn set_in(&self, words: &[u64], register: usize) -> Bits {
        let register = register as u8;
        match self.codes {
            Codes::One(_) | Codes::LargeOne(_) => self.layout.set::<1>(words, register).resized(),
            Codes::Two(_) | Codes::LargeTwo(_) => self.layout.set::<2>(words, register).resized(),
            Codes::Four(_) | Codes::LargeFour(_) => self.layout.set::<4>(words, register).resized(),
            Codes::Six(_) | Codes::LargeSix(_) => self.layout.set(words, register),
        }
    }

    /// Writes the set in a register of a state.
    pub(crate) fn put_set_in(&self, words: &mut [u64], register: u8, set: Bits) {
        match self.codes {
            Codes::One(_) | Codes::LargeOne(_) => {
                self.layout.put::<1>(words, register, set.resized());
            }
            Codes::Two(_) | Codes::LargeTwo(_) => {
                self.layout.put::<2>(words, register, set.resized());
            }
            Codes::Four(_) | Codes::LargeFour(_) => {
                self.layout.put::<4>(words, register, set.resized());
            }
            Codes::Six(_) | Codes::LargeSix(_) => self.layout.put(words, register, set),
        }
    }

    /// Loads a state without its history into the registers of a new machine.
    // In place: a machine that is returned would be copied.
    #[inline(always)]
    pub(crate) fn load_into<const W: usize, const R: usize, const N: usize, C: Cpu>(
        &self,
        machine: &mut Machine<'_, W, R, N, C>,
        words: &[u64],
    ) {
        machine.load_constants();
        self.layout.load(words, |register, set| machine.put(STATE as u8 + register, set));
        let packed = &words[self.numbers..self.front - 1];
        for (numbers, word) in machine.numbers.chunks_exact_mut(4).zip(packed) {
            for (at, number) in numbers.iter_mut().enumerate() {
                *number = i32::from((word >> (16 * at)) as u16 as i16);
            }
        }
        let control = Control::of(words[self.front - 1]);
        (machine.mover, machine.phase) = (control.mover, control.phase);
        (machine.standing, machine.amount) = (control.standing, control.amount);
        (machine.out, machine.streak) = (control.out, control.streak);
    }

    /// Writes registers back to a state.
    #[inline(always)]
    pub(crate) fn save<const W: usize, const R: usize, const N: usize, C: Cpu>(
        &self,
        machine: &Machine<'_, W, R, N, C>,
        words: &mut [u64],
    ) {
        self.layout.save(words, |register| machine.get(STATE as u8 + register));
        let packed = &mut words[self.numbers..self.front - 1];
        for (word, numbers) in packed.iter_mut().zip(machine.numbers.chunks_exact(4)) {
            let shifted =
                |(at, &number): (usize, &i32)| u64::from(number as i16 as u16) << (16 * at);
            *word = numbers.iter().enumerate().map(shifted).fold(0, |word, part| word | part);
        }
        // The last word of numbers may hold registers beyond the state's.
        let rest = self.rules.registers % 4;
        if rest > 0 {
            words[self.front - 2] &= (1 << (16 * rest)) - 1;
        }
        let (mover, phase, standing) = (machine.mover, machine.phase, machine.standing);
        let (amount, out, streak) = (machine.amount, machine.out, machine.streak);
        words[self.front - 1] = Control { mover, phase, standing, amount, out, streak }.word();
    }
}

/// The last word of a state before its history: who moves, in which phase, and how the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) mover: u8,
    pub(crate) phase: u8,
    pub(crate) standing: Standing,
    /// The amount for which the game has ended.
    pub(crate) amount: i16,
    /// The seats that have dropped out, as bits.
    pub(crate) out: u8,
    /// The number of chance events since a player has acted.
    pub(crate) streak: u16,
}

impl Control {
    #[inline]
    pub(crate) fn of(word: u64) -> Self {
        let [mover, phase, tag, seats, low, high, out, few] = word.to_le_bytes();
        let streak = u16::from(tag >> 4) << 8 | u16::from(few);
        let standing = match tag & 15 {
            0 => Standing::Open,
            1 => Standing::Draw,
            2 => Standing::Won(seats),
            3 => Standing::Lost(seats),
            4 => Standing::Fault(Fault::Number),
            5 => Standing::Fault(Fault::Stuck),
            7 => Standing::Fault(Fault::History),
            8 => Standing::Fault(Fault::Endless),
            _ => Standing::Fault(Fault::Wide),
        };
        Self { mover, phase, standing, amount: i16::from_le_bytes([low, high]), out, streak }
    }

    #[inline]
    fn word(self) -> u64 {
        let (tag, seats) = match self.standing {
            Standing::Open => (0, 0),
            Standing::Draw => (1, 0),
            Standing::Won(seats) => (2, seats),
            Standing::Lost(seats) => (3, seats),
            Standing::Fault(Fault::Number) => (4, 0),
            Standing::Fault(Fault::Stuck) => (5, 0),
            Standing::Fault(Fault::Wide) => (6, 0),
            Standing::Fault(Fault::History) => (7, 0),
            Standing::Fault(Fault::Endless) => (8, 0),
        };
        let [low, high] = self.amount.to_le_bytes();
        let [few, many] = self.streak.to_le_bytes();
        let tag = tag | many << 4;
        u64::from_le_bytes([self.mover, self.phase, tag, seats, low, high, self.out, few])
    }
}

/// Turns a title such as `Nine men's morris` into `nine-mens-morris`.
fn kebab_case(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    let words: String = kept.collect::<String>().to_lowercase().replace(['_', '-'], " ");
    let name = words.split_whitespace().collect::<Vec<_>>().join("-");
    if name.is_empty() { "unnamed".into() } else { name }
}
