//! Checks a syntax tree and lowers it to flat code: names, types and bounds are resolved for
//! each seat and each choice of options, and every error is reported.

mod cards;
mod chains;
mod chance;
mod dice;
mod effects;
mod entries;
mod names;
mod offers;
mod owned;
mod paths;
mod phases;
mod places;
mod rules;
mod sets;
mod sure;
mod tables;
mod things;
mod travel;
mod warn;
mod ways;
mod widths;
mod words;

use std::collections::BTreeMap;

use crate::board::Board;
use crate::code::{History, Loop, SeatCode};
use crate::dice::Dice;
use crate::emit::{Emitter, Listing};
use crate::errors::{Problem, Problems, Span};
use crate::set::Bits;
use crate::syntax::{File, Rule};
use crate::tree::{Number, Sets, Statement};

pub(crate) use chance::{Chance, Deal, DealCount, RollEach};
pub(crate) use names::{Cards, Heap, NumberDef, Piece, Pile, Region, Symbol, Variable};

/// The most ends: a state says by a byte which one applied, and one value stands for none.
const MAX_ENDS: usize = 255;
/// The most ids of actions.
pub(crate) const MAX_IDS: usize = u16::MAX as usize;

/// A game that is checked and lowered, before a width of sets is chosen.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) title: String,
    pub(crate) title_span: Span,
    /// What the author may not mean.
    pub(crate) warnings: Vec<Problem>,
    pub(crate) fewest: usize,
    pub(crate) most: usize,
    pub(crate) players: usize,
    pub(crate) facing: bool,
    pub(crate) seat_names: Vec<String>,
    /// The options with the values chosen.
    pub(crate) options: BTreeMap<String, i64>,
    pub(crate) board: Board,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) numbers: Vec<NumberDef>,
    pub(crate) heaps: Vec<Heap>,
    /// The set variables, with their registers.
    pub(crate) variables: Vec<Variable>,
    pub(crate) cards: Cards,
    pub(crate) piles: Vec<Pile>,
    /// The sites that tables have for each site.
    pub(crate) tables: Vec<Vec<Bits>>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) history: Option<History>,
    /// From which pile to which one cards can go, by registers.
    pub(crate) flows: Vec<(u8, u8)>,
    /// The most numbers that a bid can name.
    pub(crate) bids: usize,
    /// Whether players can drop out.
    pub(crate) drops: bool,
    /// Whether every player has a board of their own.
    pub(crate) board_each: bool,
    /// The register of the sites that the first player has been shown, where pieces are hidden.
    pub(crate) shown: Option<u8>,
    /// Whether players do not see what others have been shown.
    pub(crate) is_shown_secretly: bool,
    /// The greatest amount for which the game can end; 0 where games are won or lost.
    pub(crate) scale: i64,
    pub(crate) chain: Option<u8>,
    pub(crate) sets: usize,
    /// The number of number registers in the state.
    pub(crate) registers: usize,
    pub(crate) phases: Vec<PhaseInfo>,
    pub(crate) rules: Vec<RuleInfo>,
    /// Where the conditions of the ends are written.
    pub(crate) ends: Vec<Span>,
    pub(crate) ids: usize,
    pub(crate) start: usize,
    pub(crate) listing: Listing,
    pub(crate) seats: Vec<SeatCode>,
    pub(crate) longest_line: usize,
    /// The most actions that can be legal at once.
    pub(crate) widest: usize,
}

/// A phase as the state needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PhaseInfo {
    pub(crate) name: String,
    /// What chance decides, where the phase is a chance node.
    pub(crate) chance: Option<Chance>,
    /// Where that is written; the name of the phase elsewhere.
    pub(crate) span: Span,
    /// Whether its rules act on a player's own board, where everyone has one.
    pub(crate) acts_on_own: bool,
    /// Whether effects lead to the phase.
    pub(crate) is_reachable: bool,
}

/// A rule as names of actions need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleInfo {
    /// The first id.
    pub(crate) first: usize,
    /// The number of ids.
    pub(crate) count: usize,
    /// What stands before the sites: a word, or the piece where several can be placed.
    pub(crate) label: String,
    /// What the file adds to the names.
    pub(crate) called: String,
    /// Where it is written.
    pub(crate) span: Span,
}

/// Everything that is known while a file is checked.
pub(crate) struct Checker<'a> {
    pub(crate) problems: &'a mut Problems,
    pub(crate) symbols: BTreeMap<String, Symbol>,
    pub(crate) options: BTreeMap<String, i64>,
    pub(crate) players: usize,
    pub(crate) facing: bool,
    pub(crate) seat_names: Vec<String>,
    pub(crate) board: Board,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) numbers: Vec<NumberDef>,
    pub(crate) heaps: Vec<Heap>,
    pub(crate) regions: Vec<Region>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) cards: Cards,
    pub(crate) piles: Vec<Pile>,
    pub(crate) tables: Vec<Vec<Bits>>,
    pub(crate) loops: Vec<Loop>,
    /// The sites of each path in order, for each seat.
    pub(crate) paths: Vec<Vec<Vec<u16>>>,
    pub(crate) dice: Option<Dice>,
    pub(crate) history: Option<History>,
    pub(crate) flows: Vec<(u8, u8)>,
    pub(crate) bids: usize,
    pub(crate) drops: bool,
    pub(crate) board_each: bool,
    pub(crate) shown: Option<u8>,
    pub(crate) is_shown_secretly: bool,
    /// Whether the event is about a card.
    pub(crate) is_card_event: bool,
    /// The side of the blocks that the board is made of.
    pub(crate) block: Option<usize>,
    /// The rules that move pieces, for the question which sites they attack.
    moves: Vec<Rule>,
    /// Whether the sites that pieces attack are being computed.
    is_attack: bool,
    pub(crate) scale: i64,
    pub(crate) chain: Option<u8>,
    pub(crate) sets: usize,
    pub(crate) registers: usize,
    pub(crate) phase_names: Vec<String>,
    pub(crate) emitter: Emitter,
    pub(crate) longest_line: usize,
    /// The seat for which code is made.
    pub(crate) seat: usize,
    /// The names of `let`, `roll` and `flanked` that can be used here.
    pub(crate) lets: Vec<(String, Value)>,
    pub(crate) place: Place,
    /// The names of all regions, whether they are defined yet or not.
    region_names: Vec<String>,
    /// Whether the current rule reads pieces that the mover does not see.
    reads_pieces: bool,
    /// Whether the effects of the current end read cards that not everybody sees.
    reads_hidden: bool,
    /// Whether the parser has reported errors.
    is_faulty: bool,
}

/// Where an expression stands: it decides which words mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A definition: constants only.
    Definition,
    /// The sites or the condition of a rule.
    Offer,
    /// The effects of a rule with a target, a source and a site between them, or without.
    Effect { to: bool, from: bool, over: bool },
    /// The condition of an end.
    End,
    /// The effects of an end, which may turn hidden cards up.
    EndEffect,
}

/// A checked expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Set(Sets),
    /// A set of cards.
    Cards(Sets),
    Number(Number),
    Condition(crate::tree::Condition),
}

/// Checks a file with the options chosen.
pub(crate) fn lower(
    file: &File,
    chosen: &BTreeMap<String, i64>,
    problems: &mut Problems,
) -> Option<Lowered> {
    lower_by(file, chosen, Checker::new(file, chosen, problems)).map(|(lowered, _)| lowered)
}

/// The statements of blocks of code with where they begin.
type Statements = Vec<(usize, Vec<Statement>)>;

/// Checks a file as [`lower`] does, and keeps what its code is made of.
pub(crate) fn lower_with_statements(
    file: &File,
    chosen: &BTreeMap<String, i64>,
    problems: &mut Problems,
) -> Option<(Lowered, Statements)> {
    let mut checker = Checker::new(file, chosen, problems);
    checker.emitter.kept = Some(Vec::new());
    lower_by(file, chosen, checker)
}

fn lower_by(
    file: &File,
    chosen: &BTreeMap<String, i64>,
    mut checker: Checker<'_>,
) -> Option<(Lowered, Statements)> {
    checker.define(file, chosen);
    checker.moves = tables::moves(file);
    let mut phases = checker.phases(file);
    let mut seats = Vec::new();
    let (mut rules, mut ids, mut widest) = (Vec::new(), 0, 0);
    for seat in 0..checker.players {
        checker.seat = seat;
        let mut coder = rules::SeatCoder::new(&mut checker, &phases);
        coder.phases(file);
        let ends = coder.checker.ends(file);
        (rules, ids, widest) = (coder.rules, coder.ids, coder.widest);
        let (offers, rolls, mut entries) = (coder.offers, coder.rolls, coder.entries);
        let actions = entries::decode(&entries, ids);
        entries.shrink_to_fit();
        seats.push(SeatCode { phases: offers, rolls, ends, entries, actions });
    }
    let start = checker.start(file);
    if checker.emitter.is_too_large && checker.problems.is_empty() {
        let span = Span::default();
        checker.problems.add(span, "the rules need more registers or code than there are");
    }
    if !checker.problems.is_empty() {
        return None;
    }
    let range = file.players.as_ref().map_or((2, 2), |players| (players.fewest, players.most));
    let statements = checker.emitter.kept.take().unwrap_or_default();
    let lowered = Lowered {
        title: file.title.clone(),
        title_span: file.title_span,
        warnings: warn::warnings(file, &mut phases, &rules),
        fewest: range.0 as usize,
        most: range.1 as usize,
        players: checker.players,
        facing: checker.facing,
        seat_names: checker.seat_names,
        options: checker.options,
        board: checker.board,
        pieces: checker.pieces,
        numbers: checker.numbers,
        heaps: checker.heaps,
        variables: checker.variables,
        tables: checker.tables,
        loops: checker.loops,
        history: checker.history,
        flows: checker.flows,
        bids: checker.bids,
        drops: checker.drops,
        board_each: checker.board_each,
        shown: checker.shown,
        is_shown_secretly: checker.is_shown_secretly,
        cards: checker.cards,
        piles: checker.piles,
        scale: checker.scale,
        chain: checker.chain,
        sets: checker.sets,
        registers: checker.registers,
        phases,
        rules,
        ends: file.ends.iter().map(|end| end.condition.span).collect(),
        ids,
        start,
        listing: checker.emitter.finish(),
        seats,
        longest_line: checker.longest_line,
        widest,
    };
    Some((lowered, statements))
}

impl<'a> Checker<'a> {
    fn new(file: &File, chosen: &BTreeMap<String, i64>, problems: &'a mut Problems) -> Self {
        let players = file.players.as_ref().map_or(2, |players| {
            chosen.get("players").copied().unwrap_or(players.fewest).clamp(2, 6) as usize
        });
        Self {
            region_names: Vec::new(),
            reads_hidden: false,
            reads_pieces: false,
            is_faulty: !problems.is_empty(),
            problems,
            symbols: BTreeMap::new(),
            options: BTreeMap::new(),
            players,
            facing: false,
            seat_names: Vec::new(),
            board: Board::none(),
            pieces: Vec::new(),
            numbers: Vec::new(),
            heaps: Vec::new(),
            regions: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
            loops: Vec::new(),
            paths: Vec::new(),
            dice: None,
            history: None,
            flows: Vec::new(),
            bids: 0,
            drops: false,
            board_each: false,
            shown: None,
            is_shown_secretly: false,
            is_card_event: false,
            block: None,
            moves: Vec::new(),
            is_attack: false,
            cards: Cards::default(),
            piles: Vec::new(),
            scale: 0,
            chain: None,
            sets: 0,
            registers: 0,
            phase_names: Vec::new(),
            emitter: Emitter::default(),
            longest_line: 1,
            seat: 0,
            lets: Vec::new(),
            place: Place::Definition,
        }
    }

    /// Returns whether the seat for which code is made sees the board from the other side.
    pub(crate) fn is_turned(&self) -> bool {
        self.facing && self.seat % 2 == 1
    }

    /// Returns a constant set as the seat sees it.
    pub(crate) fn seen(&self, set: Bits) -> Bits {
        if self.is_turned() { self.board.turn(set) } else { set }
    }

    /// Makes the code of the ends for one seat.
    fn ends(&mut self, file: &File) -> usize {
        if let Some(end) = file.ends.get(MAX_ENDS) {
            let message = format!("a game has at most {MAX_ENDS} ends, this is one more");
            self.problems.add(end.condition.span, message);
        }
        let mut all = Vec::new();
        for (number, end) in file.ends.iter().take(MAX_ENDS).enumerate() {
            self.lets.clear();
            self.place = Place::End;
            self.is_card_event = self.board.kind == crate::board::BoardKind::None;
            let condition = self.condition(&end.condition);
            let mut effects = Vec::new();
            (self.place, self.reads_hidden) = (Place::EndEffect, false);
            self.effects(&end.effects, &mut effects);
            if self.reads_hidden && !always_ends(&effects) {
                let message = "an end that reads hidden cards must end the game in every case";
                let help = "otherwise players would learn about the cards while they play on";
                self.problems.add_with_help(end.condition.span, message, help);
            }
            if let Some(condition) = condition {
                effects.insert(0, Statement::Ended(number as u8));
                all.push(Statement::If(condition, effects, Vec::new()));
            }
        }
        self.emitter.keeps_copies = true;
        let at = self.emitter.block(&all);
        self.emitter.keeps_copies = false;
        at
    }

    /// Makes the code that sets the board up.
    fn start(&mut self, file: &File) -> usize {
        self.seat = 0;
        self.place = Place::Definition;
        self.lets.clear();
        let mut all = Vec::new();
        self.effects(&file.start, &mut all);
        self.emitter.block(&all)
    }
}

/// Returns whether statements end the game on every path.
fn always_ends(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Result(..) => true,
        Statement::If(_, then, otherwise) => always_ends(then) && always_ends(otherwise),
        _ => false,
    })
}

/// Returns the ids of an entry before any site is linked to one.
pub(crate) fn blank_ids(positions: usize) -> Box<[u16]> {
    vec![u16::MAX; positions].into()
}
