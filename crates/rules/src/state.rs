//! States: the words of sets and numbers, and a handle to the program that explains them.

use std::fmt;

use meeple_game::{Action, ActionList, Outcome, OutcomeList, Payoffs, Player, Steps, Turn};
use meeple_rng::{Rng, mix};

use crate::code::SeatCode;
use crate::cpu::Portable;
use crate::lower::{Chance, RollEach};
use crate::machine::{FULL, Fault, Standing};
use crate::observe::Part;
use crate::play::draw;
use crate::program::{Control, Program};
use crate::set::Bits;

/// A state of a game that a file describes, in up to `WORDS` words of 8 bytes.
#[derive(Clone, Copy)]
pub struct FileGame<const WORDS: usize> {
    pub(crate) program: &'static Program,
    words: [u64; WORDS],
}

impl<const WORDS: usize> PartialEq for FileGame<WORDS> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.program, other.program) && self.words == other.words
    }
}

impl<const WORDS: usize> Eq for FileGame<WORDS> {}

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns the initial state of a program whose states fit.
    ///
    /// # Panics
    ///
    /// Panics when a state needs more than `WORDS` words.
    #[must_use]
    pub fn start(program: &'static Program) -> Self {
        assert!(program.words <= WORDS, "a state needs {} words", program.words);
        let mut words = [0; WORDS];
        words[..program.words].copy_from_slice(&program.first[..program.words]);
        Self { program, words }
    }

    /// Returns the program.
    #[must_use]
    pub fn program(&self) -> &'static Program {
        self.program
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(crate) fn control(&self) -> Control {
        Control::of(self.words[self.program.front - 1])
    }

    /// Returns the set in a register.
    pub(crate) fn set(&self, register: u8) -> Bits {
        self.program.set_in(&self.words, usize::from(register))
    }

    /// Returns the number in a register.
    pub(crate) fn number(&self, register: usize) -> i32 {
        let word = self.words[self.program.numbers + register / 4];
        i32::from((word >> (16 * (register % 4))) as u16 as i16)
    }

    pub(crate) fn turn_now(&self) -> Turn {
        let Control { mover, phase, standing, .. } = self.control();
        match standing {
            Standing::Open if self.program.rules.phases[usize::from(phase)].chance.is_some() => {
                Turn::Chance
            }
            Standing::Open => Turn::Player(Player(mover)),
            _ => Turn::Over,
        }
    }

    pub(crate) fn list_actions(&self, out: &mut ActionList) {
        out.clear();
        if !matches!(self.turn_now(), Turn::Player(_)) {
            return;
        }
        self.program.list(&self.words, out);
    }

    pub(crate) fn play(&mut self, action: Action) {
        self.program.play(&mut self.words, action);
    }

    /// Draws an action as from a list of all.
    pub(crate) fn draw(&self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.program.draw(&self.words, rng, scratch)
    }

    /// Plays to the end at random, as [`playout`](meeple_game::playout) does, but without
    /// leaving the registers between two actions.
    pub(crate) fn play_to_end(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Steps {
        self.program.play_to_end(&mut self.words, rng, scratch)
    }

    pub(crate) fn list_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn_now() != Turn::Chance {
            return;
        }
        match self.chance() {
            Some(Chance::Roll { low, high, .. } | Chance::RollEach(RollEach { low, high, .. })) => {
                let faces = (high - low + 1) as u16;
                let probability = 1.0 / f64::from(faces);
                out.extend((0..faces).map(|face| Outcome { action: Action(face), probability }));
            }
            Some(Chance::Dice(dice)) => dice.list(out),
            Some(Chance::Deal(deal)) => {
                let from = self.set(deal.from);
                let probability = 1.0 / f64::from(from.count());
                let outcome = |card| Outcome { action: Action(card as u16), probability };
                out.extend(from.sites().map(outcome));
            }
            None => {}
        }
    }

    pub(crate) fn draw_outcome(&self, rng: &mut Rng) -> Action {
        let outcome = match self.chance().expect("a chance node") {
            Chance::Dice(dice) => dice.sample(rng).index(),
            Chance::Roll { low, high, .. } | Chance::RollEach(RollEach { low, high, .. }) => {
                draw((high - low + 1) as usize, rng)
            }
            Chance::Deal(deal) => {
                let cards = self.set(deal.from);
                cards.nth(draw(cards.count() as usize, rng) as u32, Portable)
            }
        };
        Action(outcome as u16)
    }

    /// Returns what chance decides in the current phase.
    pub(crate) fn chance(&self) -> Option<Chance> {
        self.program.rules.phases[usize::from(self.control().phase)].chance
    }

    pub(crate) fn result(&self) -> Payoffs {
        let players = self.program.rules.players;
        let mut payoffs = Payoffs::default();
        let control = self.control();
        let (seats, sign) = match control.standing {
            Standing::Won(seats) => (seats, 1.0),
            Standing::Lost(seats) => (seats, -1.0),
            Standing::Open | Standing::Draw | Standing::Fault(_) => return payoffs,
        };
        // Where games end for an amount, the greatest one is worth 1.
        let stake = match control.amount {
            FULL => 1.0,
            amount => f32::from(amount) / self.program.rules.scale.max(1) as f32,
        };
        let sign = sign * stake;
        let chosen = seats.count_ones() as f32;
        for (seat, payoff) in payoffs[..players].iter_mut().enumerate() {
            let is_chosen = seats >> seat & 1 == 1;
            let share = if is_chosen { sign / chosen } else { -sign / (players as f32 - chosen) };
            // A zero has no sign.
            *payoff = share + 0.0;
        }
        payoffs
    }

    pub(crate) fn broken(&self) -> Option<&'static str> {
        match self.control().standing {
            Standing::Fault(Fault::Number) => Some("a number of the game file left its bounds"),
            Standing::Fault(Fault::Stuck) => {
                Some("a player has no action, and the game file does not say what happens then")
            }
            Standing::Fault(Fault::Wide) => Some("more legal actions than a list holds"),
            Standing::Fault(Fault::Endless) => Some("the game does not end"),
            Standing::Fault(Fault::History) => {
                Some("the game has more changes than the history of the game file has room for")
            }
            _ => None,
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        let words = &self.words[..self.program.words];
        words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, &word| mix(hash ^ word))
    }

    pub(crate) fn put_set(&mut self, register: u8, set: Bits) {
        self.program.put_set_in(&mut self.words, register, set);
    }

    pub(crate) fn put_number(&mut self, register: usize, value: i16) {
        let word = &mut self.words[self.program.numbers + register / 4];
        let shift = 16 * (register % 4);
        *word = *word & !(0xffff << shift) | u64::from(value as u16) << shift;
    }

    pub(crate) fn write_observation(&self, player: Player, out: &mut [i32]) {
        let mut cells = out.iter_mut();
        self.each_cell(player, |value| {
            if let Some(cell) = cells.next() {
                *cell = value;
            }
        });
    }

    /// Calls `write` with the cells of a player's observation in order.
    pub(crate) fn each_cell(&self, player: Player, mut write: impl FnMut(i32)) {
        let rules = &self.program.rules;
        let (players, board) = (rules.players, &rules.board);
        let is_turned = rules.facing && player.index() % 2 == 1;
        let seen = |site: usize| if is_turned { usize::from(board.turned[site]) } else { site };
        let control = self.control();
        for part in &self.program.parts {
            match *part {
                Part::Plane { register, relative } => {
                    let seat = relative.map_or(0, |seats| player.after(seats.into(), players).0);
                    let set = self.set(register + seat);
                    for site in board.all.sites() {
                        write(i32::from(set.has(seen(site))));
                    }
                }
                Part::Shown { register, relative, shown } => {
                    let seat = player.after(relative.into(), players).0;
                    let set = self.set(register + seat).and(self.set(shown + player.0));
                    for site in board.all.sites() {
                        write(i32::from(set.has(seen(site))));
                    }
                }
                Part::Count { register, relative } => {
                    let seat = player.after(relative.into(), players).0;
                    write(self.set(register + seat).count() as i32);
                }
                Part::Heap { register, relative } => {
                    let seat = relative.map_or(0, |seats| player.after(seats.into(), players).0);
                    let first = usize::from(register) + usize::from(seat) * board.positions;
                    for site in 0..board.positions {
                        write(self.number(first + seen(site)));
                    }
                }
                Part::Number { register, low } => {
                    write(self.number(register.into()) - i32::from(low));
                }
                Part::Each { register, low } => {
                    for steps in 0..players {
                        let seat = player.after(steps, players).index();
                        write(self.number(usize::from(register) + seat) - i32::from(low));
                    }
                }
                Part::Pile { register, relative, is_seen, cards } => {
                    let seat = relative.map_or(0, |seats| player.after(seats.into(), players).0);
                    let set = self.set(register + seat);
                    if is_seen {
                        (0..cards).for_each(|card| write(i32::from(set.has(card))));
                    } else {
                        write(set.count() as i32);
                    }
                }
                Part::Own { register, low } => {
                    write(self.number(usize::from(register) + player.index()) - i32::from(low));
                }
                Part::Out => {
                    for steps in 0..players {
                        let seat = player.after(steps, players).0;
                        write(i32::from(control.out >> seat & 1));
                    }
                }
                Part::Refused => {
                    let is_asked = self.turn_now() == Turn::Player(player);
                    let set = if is_asked { self.program.refused(&self.words) } else { Bits::NONE };
                    for site in board.all.sites() {
                        write(i32::from(set.has(seen(site))));
                    }
                }
                Part::Phase => write(control.phase.into()),
                Part::Mover => {
                    let mover = usize::from(control.mover);
                    write(((mover + players - player.index()) % players) as i32);
                }
            }
        }
    }

    /// Returns whether no site holds two pieces, all are on the board, and numbers are within
    /// their bounds.
    pub(crate) fn adds_up(&self) -> bool {
        let rules = &self.program.rules;
        let mut taken = [Bits::NONE; meeple_game::MAX_PLAYERS];
        for piece in &rules.pieces {
            let seats = if piece.shared { 1 } else { rules.players };
            for seat in 0..seats {
                let set = self.set(piece.register + seat as u8);
                let taken = &mut taken[if rules.board_each { seat } else { 0 }];
                if taken.and(set).any() || set.minus(rules.board.all).any() {
                    return false;
                }
                *taken = taken.or(set);
            }
        }
        self.cards_add_up()
            && rules.numbers.iter().all(|number| {
                let count = if number.each { rules.players } else { 1 };
                let bounds = i32::from(number.low)..=i32::from(number.high);
                (0..count)
                    .all(|seat| bounds.contains(&self.number(usize::from(number.register) + seat)))
            })
    }

    pub(crate) fn seat_code(&self, seat: u8) -> &'static SeatCode {
        &self.program.rules.seats[usize::from(seat)]
    }
}

impl<const WORDS: usize> fmt::Debug for FileGame<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?}\n{self}", self.program, self.control())
    }
}
