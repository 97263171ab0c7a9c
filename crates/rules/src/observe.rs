//! Observations: planes for sets, counts for numbers, rotated so that the observer is first.

use meeple_game::{Field, ObservationSpec};

use crate::lower::Lowered;
use crate::syntax::Seen;

/// The version of the layout's meaning.
const VERSION: u32 = 1;

/// One part of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The set in a register, or that of a seat relative to the observer.
    Plane {
        register: u8,
        relative: Option<u8>,
    },
    /// The set in a register of another seat on the sites that the observer has been shown.
    Shown {
        register: u8,
        relative: u8,
        shown: u8,
    },
    /// How many pieces another seat has.
    Count {
        register: u8,
        relative: u8,
    },
    /// A number, less its lower bound.
    Number {
        register: u8,
        low: i16,
    },
    /// One number of each player, from the observer on.
    Each {
        register: u8,
        low: i16,
    },
    /// A heap, or that of a seat relative to the observer, site by site as the observer sees it.
    Heap {
        register: u8,
        relative: Option<u8>,
    },
    /// The cards of a pile where the observer sees them, else how many there are.
    Pile {
        register: u8,
        relative: Option<u8>,
        is_seen: bool,
        cards: usize,
    },
    /// A number of each player that only its owner sees.
    Own {
        register: u8,
        low: i16,
    },
    /// Who has dropped out, from the observer on.
    Out,
    /// The sites that a condition on the position after the move refuses the observer, where
    /// it can depend on former positions.
    Refused,
    Phase,
    Mover,
}

/// Returns the parts of an observation with their fields.
fn parts(rules: &Lowered) -> Vec<(Part, Field)> {
    let leak = |name: String| -> &'static str { Box::leak(name.into_boxed_str()) };
    let (sites, players) = (rules.board.sites(), rules.players);
    // How fields call a seat, relative to the observer.
    let whose = |seat: u8| if seat == 0 { "own".to_owned() } else { format!("other{seat}") };
    let mut parts = Vec::new();
    for piece in &rules.pieces {
        let register = piece.register;
        if piece.shared {
            let field = Field::flag(leak(snake_case(&piece.name))).times(sites);
            parts.push((Part::Plane { register, relative: None }, field));
            continue;
        }
        for seat in 0..players as u8 {
            let name = leak(format!("{}_{}", snake_case(&piece.name), whose(seat)));
            let part = match rules.shown {
                Some(shown) if piece.is_hidden && seat > 0 => {
                    let count = leak(format!("{name}_count"));
                    let most = Field::count(count, sites as i32);
                    parts.push((Part::Count { register, relative: seat }, most));
                    Part::Shown { register, relative: seat, shown }
                }
                _ => Part::Plane { register, relative: Some(seat) },
            };
            parts.push((part, Field::flag(name).times(sites)));
        }
    }
    if let Some(register) = rules.shown {
        let seen = if rules.is_shown_secretly { 1 } else { players as u8 };
        for seat in 0..seen {
            let field = Field::flag(leak(format!("shown_{}", whose(seat)))).times(sites);
            parts.push((Part::Plane { register, relative: Some(seat) }, field));
        }
    }
    for variable in rules.variables.iter().filter(|variable| !variable.cards) {
        let (register, name) = (variable.register, snake_case(&variable.name));
        let mut plane = |relative: Option<u8>, name: String| {
            let field = Field::flag(leak(name)).times(sites);
            parts.push((Part::Plane { register, relative }, field));
        };
        if !variable.each {
            plane(None, name);
            continue;
        }
        (0..players as u8).for_each(|seat| plane(Some(seat), format!("{name}_{}", whose(seat))));
    }
    if let Some(register) = rules.chain {
        let part = Part::Plane { register, relative: None };
        parts.push((part, Field::flag("chain").times(sites)));
    }
    for heap in &rules.heaps {
        let all: i32 = heap.start.iter().map(|&start| i32::from(start)).sum();
        // Effects fill heaps that start empty.
        let most = if all == 0 { i32::from(i16::MAX) } else { all };
        let scale = if all == 0 { 15 } else { most };
        for seat in 0..if heap.each { players as u8 } else { 1 } {
            let name = snake_case(&heap.name);
            let name = if heap.each { format!("{name}_{}", whose(seat)) } else { name };
            let field = Field::count(leak(name), most).scale(scale);
            let part = Part::Heap { register: heap.register, relative: heap.each.then_some(seat) };
            parts.push((part, field.times(rules.board.positions)));
        }
    }
    for number in &rules.numbers {
        let (register, low) = (number.register, number.low);
        let most = i32::from(number.high) - i32::from(low);
        let field = Field::count(leak(snake_case(&number.name)), most.max(1));
        parts.push(if number.is_hidden {
            (Part::Own { register, low }, field)
        } else if number.each {
            (Part::Each { register, low }, field.times(players))
        } else {
            (Part::Number { register, low }, field)
        });
    }
    let cards = rules.cards.names.len();
    for pile in &rules.piles {
        let owners = if pile.each { players as u8 } else { 1 };
        for seat in 0..owners {
            let whose = if pile.each { format!("_{}", whose(seat)) } else { String::new() };
            let name = leak(format!("{}{whose}", snake_case(&pile.name)));
            let is_seen = match pile.seen {
                Seen::All => true,
                Seen::Owner => seat == 0,
                Seen::Nobody => false,
            };
            let field = match is_seen {
                true => Field::flag(name).times(cards),
                false => Field::count(name, cards.max(1) as i32),
            };
            let (register, relative) = (pile.register, pile.each.then_some(seat));
            parts.push((Part::Pile { register, relative, is_seen, cards }, field));
        }
    }
    let mut open = |register: u8, each: bool, name: String| {
        for seat in 0..if each { players as u8 } else { 1 } {
            let whose = if each { format!("_{}", whose(seat)) } else { String::new() };
            let field = Field::flag(leak(format!("{name}{whose}"))).times(cards);
            let relative = each.then_some(seat);
            parts.push((Part::Pile { register, relative, is_seen: true, cards }, field));
        }
    };
    for variable in rules.variables.iter().filter(|variable| variable.cards) {
        open(variable.register, variable.each, snake_case(&variable.name));
    }
    for pile in &rules.piles {
        if let Some(lacks) = pile.lacks {
            open(lacks, true, format!("{}_lacks", snake_case(&pile.name)));
        }
    }
    if rules.drops {
        parts.push((Part::Out, Field::flag("out").times(players)));
    }
    if rules.history.is_some() {
        parts.push((Part::Refused, Field::flag("refused").times(sites)));
    }
    if rules.phases.len() > 1 {
        parts.push((Part::Phase, Field::category("phase", rules.phases.len() as i32)));
    }
    parts.push((Part::Mover, Field::category("mover", players as i32)));
    parts
}

/// Returns the parts of a game's observations and their layout.
pub(crate) fn layout(rules: &Lowered) -> (Vec<Part>, ObservationSpec) {
    let (parts, fields): (Vec<Part>, Vec<Field>) = parts(rules).into_iter().unzip();
    (parts, ObservationSpec::new(VERSION, Box::leak(fields.into_boxed_slice())))
}

fn snake_case(name: &str) -> String {
    name.to_lowercase().replace(['-', '\''], "_")
}
