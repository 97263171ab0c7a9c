//! The names that a file defines: options, boards, pieces, heaps, numbers, regions.

use std::collections::BTreeMap;

use super::{Checker, Place, Value};
use crate::errors::{Span, did_you_mean};
use crate::set::Bits;
use crate::syntax::{Expr, File, Name, Seen, Thing, Values};
use crate::tree::{MAX_NUMBERS, MAX_SETS, Number, SetTree};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Option(i64),
    Piece(usize),
    Heap(usize),
    Number(usize),
    Variable(usize),
    Region(usize),
    Path(usize),
    Seat(usize),
    Phase(usize),
    Pile(usize),
    Suit(usize),
}

/// The cards of a game, in the order of their ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cards {
    pub(crate) names: Vec<String>,
    /// The number of cards of one rank.
    pub(crate) suits: usize,
    pub(crate) ranks: Vec<String>,
    /// What a card of each rank is worth.
    pub(crate) worth: Vec<i16>,
}

/// A pile of cards: one set, or one for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pile {
    pub(crate) name: String,
    pub(crate) each: bool,
    pub(crate) seen: Seen,
    pub(crate) full: bool,
    pub(crate) register: u8,
    /// The register of the cards that the first player is known to lack, if that is known.
    pub(crate) lacks: Option<u8>,
}

/// A set of sites that effects set, shared or one for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) each: bool,
    /// Whether it is a set of cards.
    pub(crate) cards: bool,
    pub(crate) register: u8,
}

/// A kind of pieces: one set for each owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) name: String,
    pub(crate) shared: bool,
    /// The register of the first seat's pieces.
    pub(crate) register: u8,
    /// Whether only their owner sees them.
    pub(crate) is_hidden: bool,
    /// The number of sites in a row that one piece takes.
    pub(crate) long: usize,
}

/// A heap: one number for each site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heap {
    pub(crate) name: String,
    /// Whether every player has one; those of the first seat come first.
    pub(crate) each: bool,
    pub(crate) register: u8,
    pub(crate) start: Vec<i16>,
}

/// A number with bounds, shared or one for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberDef {
    pub(crate) name: String,
    pub(crate) each: bool,
    pub(crate) low: i16,
    pub(crate) high: i16,
    pub(crate) start: i16,
    pub(crate) capped: bool,
    /// Whether only its owner sees it.
    pub(crate) is_hidden: bool,
    pub(crate) register: u8,
}

/// A named set of sites with its parts, for each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) seats: Vec<Vec<Bits>>,
}

impl Checker<'_> {
    /// Defines all names of a file.
    pub(super) fn define(&mut self, file: &File, chosen: &BTreeMap<String, i64>) {
        if file.title.is_empty() {
            self.missing("a file begins with `game` and the game's title");
        }
        self.define_players(file, chosen);
        let regions = file.things.iter().filter_map(|thing| match thing {
            Thing::Region { name, .. } => Some(name.text.clone()),
            _ => None,
        });
        self.region_names = regions.collect();
        let mut boards = 0;
        for thing in &file.things {
            if let Thing::Board { span, .. } = thing {
                boards += 1;
                if boards > 1 {
                    self.problems.add(*span, "a game has one board, this is the second");
                    continue;
                }
            }
            self.define_thing(thing, chosen);
        }
        for name in chosen.keys() {
            if !self.options.contains_key(name) {
                let known = self.options.keys().map(String::as_str);
                let near = did_you_mean(name, known).unwrap_or_else(|| {
                    let known: Vec<&str> = self.options.keys().map(String::as_str).collect();
                    format!("expected one of: {}", known.join(", "))
                });
                self.problems.add_with_help(
                    Span::default(),
                    format!("this game has no option `{name}`"),
                    near,
                );
            }
        }
        if self.facing && !(self.players == 2 && self.board.can_face()) {
            let span = file.players.as_ref().map_or_else(Span::default, |players| players.span);
            let message = "`facing` needs two players and a board that looks alike from both sides";
            self.problems.add(span, message);
            self.facing = false;
        }
    }

    /// Reports a section that is not there, unless an error on its line may be the reason.
    pub(super) fn missing(&mut self, message: &str) {
        if !self.is_faulty {
            self.problems.add(Span::default(), message);
        }
    }

    pub(super) fn define_players(&mut self, file: &File, chosen: &BTreeMap<String, i64>) {
        let Some(players) = &file.players else {
            self.missing("the file does not say how many `players` there are");
            return;
        };
        if players.fewest < 2 || players.most > 6 || players.fewest > players.most {
            self.problems.add(players.span, "a game has 2 to 6 players");
            return;
        }
        if players.fewest < players.most {
            let count = chosen.get("players").copied().unwrap_or(players.fewest);
            if !(players.fewest..=players.most).contains(&count) {
                let message =
                    format!("expected {} to {} players, got {count}", players.fewest, players.most);
                self.problems.add(players.span, message);
            }
            self.options.insert("players".into(), count);
            self.symbols.insert("players".into(), Symbol::Option(count));
        }
        self.facing = players.facing;
        if !players.names.is_empty() && players.names.len() as i64 != players.most {
            let message = format!("{} names for {} players", players.names.len(), players.most);
            self.problems.add(players.span, message);
        }
        for (seat, name) in players.names.iter().enumerate() {
            self.insert(name, Symbol::Seat(seat));
            self.seat_names.push(name.text.clone());
        }
        self.seat_names.truncate(self.players);
    }

    pub(super) fn insert(&mut self, name: &Name, symbol: Symbol) {
        if BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("`{}` is a word of the language and cannot be a name", name.text);
            self.problems.add_with_help(name.span, message, "use another word");
        } else if self.symbols.contains_key(&name.text) {
            self.problems.add(name.span, format!("`{}` is defined twice", name.text));
        } else {
            self.symbols.insert(name.text.clone(), symbol);
        }
    }

    pub(super) fn define_thing(&mut self, thing: &Thing, chosen: &BTreeMap<String, i64>) {
        self.place = Place::Definition;
        match thing {
            Thing::Option { name, default, values } => {
                self.define_option(name, default, values, chosen);
            }
            Thing::Board { shape, each, span } => {
                self.board_each = *each;
                self.define_board(shape, *span);
            }
            Thing::Piece { name, shared, seen, long } => {
                let count = if *shared { 1 } else { self.players };
                let Some(register) = self.new_sets(count, name.span) else { return };
                self.insert(name, Symbol::Piece(self.pieces.len()));
                let is_hidden = *seen != Seen::All;
                if *seen == Seen::Nobody || is_hidden && *shared {
                    self.problems.add(name.span, "hidden pieces belong to a player, who sees them");
                }
                if is_hidden && self.shown.is_none() {
                    self.shown = self.new_sets(self.players, name.span);
                }
                let long = match long {
                    Some(long) => self.constant_in(long, 1, 16).unwrap_or(1) as usize,
                    None => 1,
                };
                let (name, shared) = (name.text.clone(), *shared);
                self.pieces.push(Piece { name, shared, register, is_hidden, long });
            }
            Thing::Sites { name, each, cards } => {
                if *cards && self.cards.names.is_empty() {
                    self.problems.add(name.span, "a set of cards needs `cards` above it");
                }
                let count = if *each { self.players } else { 1 };
                let Some(register) = self.new_sets(count, name.span) else { return };
                self.insert(name, Symbol::Variable(self.variables.len()));
                let (each, cards) = (*each, *cards);
                let variable = Variable { name: name.text.clone(), each, cards, register };
                self.variables.push(variable);
            }
            Thing::Loops { loops, span } => self.define_loops(loops, *span),
            Thing::History { changes, span } => self.define_history(changes, *span),
            Thing::Path { name, of, points } => self.define_path(name, of, points),
            Thing::Dice { count, range, twice, span } => {
                self.define_dice(count, range, *twice, *span);
            }
            Thing::Heap { name, each, start, sites } => {
                self.define_heap(name, *each, start.as_ref(), sites.as_ref());
            }
            Thing::Number { name, each, range, start, capped, seen } => {
                if *seen == Seen::Nobody || *seen == Seen::Owner && !*each {
                    self.problems
                        .add(name.span, "a hidden number belongs to a player, who sees it");
                }
                self.define_number(name, *each, range, start.as_ref(), *capped);
                if let Some(number) = self.numbers.last_mut() {
                    number.is_hidden |= *seen != Seen::All;
                }
            }
            Thing::Region { name, of, parts } => self.define_region(name, of, parts),
            Thing::Cards { ranks, suits, worth, span } => {
                self.define_cards(ranks, suits, worth, *span);
            }
            Thing::Pile { name, each, seen, full } => {
                let count = if *each { self.players } else { 1 };
                if self.cards.names.is_empty() {
                    self.problems.add(name.span, "a pile needs `cards` above it");
                }
                if *full && (*each || self.piles.iter().any(|pile| pile.full)) {
                    self.problems.add(name.span, "one shared pile holds all cards at the start");
                }
                if *seen == Seen::Owner && !*each {
                    self.problems.add(name.span, "a shared pile has no owner who sees it");
                }
                let Some(register) = self.new_sets(count, name.span) else { return };
                self.insert(name, Symbol::Pile(self.piles.len()));
                let (name, each, seen, full) = (name.text.clone(), *each, *seen, *full);
                self.piles.push(Pile { name, each, seen, full, register, lacks: None });
            }
        }
    }

    /// Takes set registers of the state.
    pub(super) fn new_sets(&mut self, count: usize, span: Span) -> Option<u8> {
        if self.sets + count > MAX_SETS {
            self.problems
                .add(span, format!("a state has room for {MAX_SETS} sets, this is one more"));
            return None;
        }
        self.sets += count;
        Some((self.sets - count) as u8)
    }

    pub(super) fn new_numbers(&mut self, count: usize, span: Span) -> Option<u8> {
        if self.registers + count > MAX_NUMBERS {
            let message = format!("a state has room for {MAX_NUMBERS} numbers, this is one more");
            self.problems.add(span, message);
            return None;
        }
        self.registers += count;
        Some((self.registers - count) as u8)
    }

    pub(super) fn define_option(
        &mut self,
        name: &Name,
        default: &Expr,
        values: &Values,
        chosen: &BTreeMap<String, i64>,
    ) {
        let default = self.constant(default);
        let (fits, expected): (Box<dyn Fn(i64) -> bool>, String) = match values {
            Values::Range(range) => {
                let (Some(low), Some(high)) =
                    (self.constant(&range.low), self.constant(&range.high))
                else {
                    return;
                };
                (Box::new(move |value| (low..=high).contains(&value)), format!("{low} to {high}"))
            }
            Values::List(list) => {
                let all: Vec<i64> = list.iter().filter_map(|value| self.constant(value)).collect();
                let words: Vec<String> = all.iter().map(i64::to_string).collect();
                (Box::new(move |value| all.contains(&value)), words.join(", "))
            }
        };
        let Some(default) = default else { return };
        if name.text == "file" {
            let message = "an option cannot be called `file`: table configurations use this word";
            self.problems.add_with_help(name.span, message, "use another word");
        }
        let value = chosen.get(&name.text).copied().unwrap_or(default);
        if !fits(value) {
            let message = format!("option {} is {value}, expected {expected}", name.text);
            self.problems.add(name.span, message);
        }
        self.insert(name, Symbol::Option(value));
        self.options.insert(name.text.clone(), value);
    }

    /// Checks a number that is known before the game begins.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i64> {
        match self.number(expr)? {
            Number::Constant(value) => Some(value.into()),
            _ => {
                let message = "expected a number that is known before the game begins";
                self.problems.add(expr.span, message);
                None
            }
        }
    }

    /// Checks a constant within bounds.
    pub(super) fn constant_in(&mut self, expr: &Expr, low: i64, high: i64) -> Option<i64> {
        let value = self.constant(expr)?;
        if !(low..=high).contains(&value) {
            let message = format!("expected {low} to {high} here, found {}", literal(value));
            self.problems.add(expr.span, message);
            return None;
        }
        Some(value)
    }

    /// Checks a set that is known before the game begins.
    pub(super) fn constant_set(&mut self, expr: &Expr) -> Option<Bits> {
        match self.expr(expr)? {
            Value::Set(set) => match *set {
                SetTree::Constant(set) => Some(set),
                _ => {
                    let message = "expected sites that are known before the game begins";
                    self.problems.add(expr.span, message);
                    None
                }
            },
            Value::Cards(_) | Value::Number(_) | Value::Condition(_) => {
                self.problems.add(expr.span, "expected a set of sites");
                None
            }
        }
    }
}

/// The words that mean sets, so that they cannot be names.
pub(super) const BUILT_IN: [&str; 22] = [
    "mine", "theirs", "empty", "taken", "board", "it", "from", "over", "flanked", "centre",
    "rising", "falling", "corners", "dark", "light", "store", "nothing", "last", "edges", "cells",
    "unknown", "point",
];

/// Returns a number as it is written; larger ones than this are read as the largest.
pub(super) fn literal(value: i64) -> String {
    if value < i64::from(i32::MAX) {
        value.to_string()
    } else {
        "a number beyond 2147483646".into()
    }
}
