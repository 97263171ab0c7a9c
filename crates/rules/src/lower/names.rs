//! The names that a file defines: options, boards, pieces, heaps, numbers, regions.

use std::collections::BTreeMap;

use super::{Chance, Checker, PhaseInfo, Place, Value};
use crate::board::{Board, BoardKind};
use crate::errors::{Span, did_you_mean};
use crate::set::{Bits, MAX_SITES};
use crate::syntax::{
    Action, BoardShape, Expr, File, Item, Name, Range, RegionOf, Seen, Thing, Values,
};
use crate::tree::{MAX_NUMBERS, MAX_SETS, NUMBER_LETS, Number, SetTree};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Option(i64),
    Piece(usize),
    Heap(usize),
    Number(usize),
    Variable(u8),
    Region(usize),
    Seat(usize),
    Phase(usize),
    Pile(usize),
}

/// The cards of a game, in the order of their ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cards {
    pub(crate) names: Vec<String>,
    /// The number of cards of one rank.
    pub(crate) suits: usize,
}

/// A pile of cards: one set, or one for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pile {
    pub(crate) name: String,
    pub(crate) each: bool,
    pub(crate) seen: Seen,
    pub(crate) full: bool,
    pub(crate) register: u8,
}

/// A kind of pieces: one set for each owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) name: String,
    pub(crate) shared: bool,
    /// The register of the first seat's pieces.
    pub(crate) register: u8,
}

/// A heap: one number for each site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heap {
    pub(crate) name: String,
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
    fn missing(&mut self, message: &str) {
        if !self.is_faulty {
            self.problems.add(Span::default(), message);
        }
    }

    fn define_players(&mut self, file: &File, chosen: &BTreeMap<String, i64>) {
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

    fn insert(&mut self, name: &Name, symbol: Symbol) {
        if BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("`{}` is a word of the language and cannot be a name", name.text);
            self.problems.add_with_help(name.span, message, "use another word");
        } else if self.symbols.contains_key(&name.text) {
            self.problems.add(name.span, format!("`{}` is defined twice", name.text));
        } else {
            self.symbols.insert(name.text.clone(), symbol);
        }
    }

    fn define_thing(&mut self, thing: &Thing, chosen: &BTreeMap<String, i64>) {
        self.place = Place::Definition;
        match thing {
            Thing::Option { name, default, values } => {
                self.define_option(name, default, values, chosen);
            }
            Thing::Board { shape, span } => self.define_board(shape, *span),
            Thing::Piece { name, shared } => {
                let count = if *shared { 1 } else { self.players };
                let Some(register) = self.new_sets(count, name.span) else { return };
                self.insert(name, Symbol::Piece(self.pieces.len()));
                let piece = Piece { name: name.text.clone(), shared: *shared, register };
                self.pieces.push(piece);
            }
            Thing::Sites { name } => {
                let Some(register) = self.new_sets(1, name.span) else { return };
                self.insert(name, Symbol::Variable(register));
                self.variables.push((name.text.clone(), register));
            }
            Thing::Heap { name, start, sites } => self.define_heap(name, start, sites.as_ref()),
            Thing::Number { name, each, range, start, capped } => {
                self.define_number(name, *each, range, start.as_ref(), *capped);
            }
            Thing::Region { name, of, parts } => self.define_region(name, of, parts),
            Thing::Cards { ranks, suits, span } => self.define_cards(ranks, suits, *span),
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
                self.piles.push(Pile { name, each, seen, full, register });
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

    fn new_numbers(&mut self, count: usize, span: Span) -> Option<u8> {
        if self.registers + count > MAX_NUMBERS {
            let message = format!("a state has room for {MAX_NUMBERS} numbers, this is one more");
            self.problems.add(span, message);
            return None;
        }
        self.registers += count;
        Some((self.registers - count) as u8)
    }

    fn define_option(
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

    fn define_board(&mut self, shape: &BoardShape, span: Span) {
        let mut side = |expr: &Expr, least: i64| -> Option<usize> {
            let value = self.constant(expr)?;
            if !(least..=MAX_SITES as i64).contains(&value) {
                let message = format!("expected {least} to {MAX_SITES} here, found {value}");
                self.problems.add(expr.span, message);
                return None;
            }
            Some(value as usize)
        };
        let (sites, make): (usize, Box<dyn Fn() -> Board>) = match shape {
            BoardShape::Square { width, height, dark } => {
                let Some(width) = side(width, 1) else { return };
                let Some(height) = height.as_ref().map_or(Some(width), |height| side(height, 1))
                else {
                    return;
                };
                let dark = *dark;
                (width * height, Box::new(move || Board::square(width, height, dark)))
            }
            BoardShape::Rhombus(size) => {
                let Some(size) = side(size, 1) else { return };
                (size * size, Box::new(move || Board::rhombus(size)))
            }
            BoardShape::Hexagon(size) => {
                let Some(size) = side(size, 1) else { return };
                ((2 * size - 1).pow(2), Box::new(move || Board::hexagon(size)))
            }
            BoardShape::Track { rows, columns, stores } => {
                let (Some(rows), Some(columns)) = (side(rows, 2), side(columns, 1)) else { return };
                if rows != 2 {
                    self.problems.add(span, "a track has 2 rows");
                }
                let stores = *stores;
                (2 * columns + 2, Box::new(move || Board::track(columns, stores)))
            }
            BoardShape::Lines(lines) => {
                let points: Vec<Vec<&str>> = lines
                    .iter()
                    .map(|line| line.iter().map(|point| point.text.as_str()).collect())
                    .collect();
                match Board::lines(&points) {
                    Ok(board) => self.board = board,
                    Err((line, at, message)) => {
                        let point = lines.get(line).and_then(|line| line.get(at));
                        self.problems.add(point.map_or(span, |point| point.span), message);
                    }
                }
                return;
            }
        };
        if sites > MAX_SITES {
            let message = format!("this board has {sites} sites, more than {MAX_SITES}");
            self.problems.add(span, message);
            return;
        }
        self.board = make();
    }

    fn define_cards(&mut self, ranks: &[Name], suits: &[Name], span: Span) {
        if !self.cards.names.is_empty() {
            self.problems.add(span, "the cards are defined twice");
            return;
        }
        for rank in ranks {
            if suits.is_empty() {
                self.cards.names.push(rank.text.clone());
            }
            for suit in suits {
                let initial: String = suit.text.chars().take(1).collect();
                self.cards.names.push(format!("{}{initial}", rank.text));
            }
        }
        self.cards.suits = suits.len().max(1);
        let names = &self.cards.names;
        let lower = |name: &String| name.to_lowercase();
        if let Some(twice) = names
            .iter()
            .enumerate()
            .find(|(at, name)| names[..*at].iter().any(|other| lower(other) == lower(name)))
        {
            let message = format!("two cards are called {}", twice.1);
            self.problems.add(span, message);
        }
        if names.len() > meeple_game::MAX_OUTCOMES.min(MAX_SITES) {
            let message = format!("{} cards, expected at most 256", names.len());
            self.problems.add(span, message);
            self.cards.names.truncate(1);
        }
    }

    /// Checks the name of a pile.
    fn pile(&mut self, name: &Name) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(&Symbol::Pile(pile)) => Some(pile),
            _ => {
                self.unknown(&name.text, name.span, "of a pile");
                None
            }
        }
    }

    fn deal(&mut self, count: &Expr, from: &Name, to: &Name) -> Option<Chance> {
        let cards = self.cards.names.len() as i64;
        let each = self.constant_in(count, 1, cards.max(1));
        let (source, target) = (self.pile(from), self.pile(to));
        let (each, source, target) = (each?, source?, target?);
        if self.piles[source].each || source == target {
            self.problems.add(from.span, "cards are dealt from a shared pile to another one");
            return None;
        }
        let counter = self.new_numbers(1, from.span)?;
        let to = &self.piles[target];
        let piles = if to.each { self.players } else { 1 };
        if each * piles as i64 > cards {
            let message = format!("{} cards are dealt, there are {cards}", each * piles as i64);
            self.problems.add(count.span, message);
            return None;
        }
        let (from, to) = (self.piles[source].register, to.register);
        Some(Chance::Deal(super::Deal { from, to, piles, each: each as usize, counter }))
    }

    fn define_heap(&mut self, name: &Name, start: &Expr, sites: Option<&Expr>) {
        let start = self.constant_in(start, 0, i64::from(i16::MAX));
        let filled = match sites {
            Some(sites) => self.constant_set(sites),
            None => Some(self.board.all),
        };
        if self.board.kind != BoardKind::Track {
            self.problems.add(name.span, "a heap needs a `board track` above it");
            return;
        }
        let (Some(start), Some(filled)) = (start, filled) else { return };
        let Some(register) = self.new_numbers(self.board.positions, name.span) else { return };
        if start * self.board.positions as i64 > i64::from(i16::MAX) {
            self.problems.add(name.span, "more than 32767 things in one heap");
            return;
        }
        let start = |site| if filled.has(site) { start as i16 } else { 0 };
        let start = (0..self.board.positions).map(start).collect();
        self.insert(name, Symbol::Heap(self.heaps.len()));
        self.heaps.push(Heap { name: name.text.clone(), register, start });
    }

    fn define_number(
        &mut self,
        name: &Name,
        each: bool,
        range: &Range,
        start: Option<&Expr>,
        capped: bool,
    ) {
        let (least, most) = (i64::from(i16::MIN), i64::from(i16::MAX));
        let low = self.constant_in(&range.low, least, most);
        let high = self.constant_in(&range.high, least, most);
        let given = start.map(|start| self.constant_in(start, least, most));
        let (Some(low), Some(high)) = (low, high) else { return };
        let start = match given {
            Some(None) => return,
            Some(Some(start)) => start,
            None => 0.clamp(low.min(high), high),
        };
        if low >= high || !(low..=high).contains(&start) {
            let message = format!("the bounds {low}..{high} do not hold the start {start}");
            self.problems.add(name.span, message);
            return;
        }
        let count = if each { self.players } else { 1 };
        let Some(register) = self.new_numbers(count, name.span) else { return };
        self.insert(name, Symbol::Number(self.numbers.len()));
        let (low, high, start) = (low as i16, high as i16, start as i16);
        let name = name.text.clone();
        self.numbers.push(NumberDef { name, each, low, high, start, capped, register });
    }

    fn define_region(&mut self, name: &Name, of: &RegionOf, parts: &[Expr]) {
        let mut seats = vec![Vec::new(); self.players];
        let old = match self.symbols.get(&name.text) {
            Some(&Symbol::Region(old)) if matches!(of, RegionOf::Seat(_)) => Some(old),
            _ => None,
        };
        let chosen = match of {
            RegionOf::Seat(seat) => match self.symbols.get(&seat.text) {
                Some(&Symbol::Seat(number)) => Some(number),
                _ => {
                    let known = self.seat_names.iter().map(String::as_str);
                    let help = did_you_mean(&seat.text, known)
                        .unwrap_or_else(|| "players are named by `players 2 named a, b`".into());
                    let message = format!("`{}` is no player", seat.text);
                    self.problems.add_with_help(seat.span, message, help);
                    return;
                }
            },
            _ => None,
        };
        for (seat, region) in seats.iter_mut().enumerate() {
            let wanted = match of {
                RegionOf::Nobody | RegionOf::Each => true,
                RegionOf::Seat(_) => chosen == Some(seat),
            };
            if wanted {
                self.seat = if matches!(of, RegionOf::Each) { seat } else { 0 };
                *region = parts.iter().filter_map(|part| self.constant_set(part)).collect();
            }
        }
        self.seat = 0;
        match old {
            Some(old) => {
                if let Some(seat) = chosen {
                    self.regions[old].seats[seat].clone_from(&seats[seat]);
                }
            }
            None => {
                self.insert(name, Symbol::Region(self.regions.len()));
                self.regions.push(Region { seats });
            }
        }
    }

    /// Defines the phases and the rolls of chance nodes.
    pub(super) fn phases(&mut self, file: &File) -> Vec<PhaseInfo> {
        let mut phases = Vec::new();
        for (number, phase) in file.phases.iter().enumerate() {
            if file.phases.len() > 1 || phase.name.text != "turn" {
                self.insert(&phase.name, Symbol::Phase(number));
            }
            self.phase_names.push(phase.name.text.clone());
            let (mut chance, mut span) = (None, phase.name.span);
            if let [Item::Rule(rule)] = &phase.items[..]
                && matches!(rule.action, Action::Deal { .. } | Action::Roll { .. })
            {
                span = rule.span;
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Deal { count, from, to } = &rule.action
            {
                let nothing = Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 };
                chance = Some(self.deal(count, from, to).unwrap_or(nothing));
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Roll { range, .. } = &rule.action
            {
                let low = self.constant_in(&range.low, -1000, 1000);
                let high = self.constant_in(&range.high, -1000, 1000);
                chance = Some(Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 });
                if let (Some(low), Some(high)) = (low, high) {
                    let faces = high - low + 1;
                    let (low, high) = (low as i16, high as i16);
                    chance = Some(Chance::Roll { register: NUMBER_LETS, low, high });
                    if !(2..=meeple_game::MAX_OUTCOMES as i64).contains(&faces) {
                        let most = meeple_game::MAX_OUTCOMES;
                        let message = format!("a roll has 2 to {most} outcomes, this has {faces}");
                        self.problems.add(rule.span, message);
                    }
                }
            }
            phases.push(PhaseInfo { name: phase.name.text.clone(), chance, span });
        }
        if phases.is_empty() {
            self.missing("the file has no `turn` and no `phase`");
            let span = Span::default();
            phases.push(PhaseInfo { name: "turn".into(), chance: None, span });
        }
        if phases.len() > 255 {
            self.problems.add(Span::default(), "a game has at most 255 phases");
        }
        if file.ends.is_empty() {
            self.missing("the file has no `end`: the game would never end");
        }
        phases
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
            let message = format!("expected {low} to {high} here, found {value}");
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
pub(super) const BUILT_IN: [&str; 18] = [
    "mine", "theirs", "empty", "taken", "board", "it", "from", "over", "flanked", "centre",
    "rising", "falling", "corners", "dark", "light", "store", "nothing", "last",
];
