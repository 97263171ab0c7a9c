//! Parses what a file says outside of its rules: options, boards, pieces, cards.

use super::{SECTIONS, list};
use crate::board::{coordinates, site_name};
use crate::cursor::{Cursor, Parsed, Reported};
use crate::lexer::{Line, Token};
use crate::syntax::{BoardShape, Kept, Name, RegionOf, Seen, Thing, Values};

pub(super) fn thing(at: &mut Cursor<'_>, out: &mut Vec<Thing>) -> Parsed<()> {
    let start = at.span();
    if at.eat(&["option"]) {
        let name = at.new_name()?;
        at.expect_sign("=")?;
        let default = at.amount()?;
        at.expect("in")?;
        let low = at.amount()?;
        let values = if at.eat_sign("..") {
            Values::Range(crate::syntax::Range { low, high: at.amount()? })
        } else {
            let mut all = vec![low];
            while at.eat_sign(",") {
                all.push(at.amount()?);
            }
            Values::List(all)
        };
        out.push(Thing::Option { name, default, values });
    } else if at.eat(&["piece"]) {
        let names = list(at, |at| at.new_name())?;
        let shared = at.eat(&["of", "nobody"]);
        let long = if at.eat(&["long"]) { Some(at.amount()?) } else { None };
        let seen = if at.eat(&["seen"]) { seen(at)? } else { Seen::All };
        out.extend(names.into_iter().map(|name| Thing::Piece {
            name,
            shared,
            seen,
            long: long.clone(),
        }));
    } else if at.eat(&["heap"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        let start = if at.eat(&["start"]) { Some(at.amount()?) } else { None };
        let sites = if at.eat(&["on"]) { Some(at.expr()?) } else { None };
        out.push(Thing::Heap { name, each, start, sites });
    } else if at.eat(&["number"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        let range = at.range()?;
        let start = if at.eat(&["start"]) { Some(at.amount()?) } else { None };
        let capped = at.eat(&["capped"]);
        let seen = if at.eat(&["seen"]) { seen(at)? } else { Seen::All };
        out.push(Thing::Number { name, each, range, start, capped, seen });
    } else if at.eat(&["sites"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        out.push(Thing::Sites { name, each, cards: false });
    } else if at.eat(&["suits"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        out.push(Thing::Sites { name, each, cards: true });
    } else if at.eat(&["dice"]) {
        let count = at.amount()?;
        at.expect("of")?;
        let range = at.range()?;
        let twice = at.eat(&["doubles", "twice"]);
        out.push(Thing::Dice { count, range, twice, span: at.since(start) });
    } else if at.eat(&["history"]) {
        out.push(Thing::History { changes: at.amount()?, span: at.since(start) });
    } else if at.eat(&["region"]) {
        let name = at.new_name()?;
        let of = owner(at)?;
        at.expect_sign("=")?;
        out.push(Thing::Region { name, of, parts: list(at, |at| at.expr())? });
    } else if at.eat(&["cards"]) {
        let ranks = list(at, card)?;
        let suits = if at.eat(&["in"]) { list(at, |at| at.new_name())? } else { Vec::new() };
        let worth = if at.eat(&["worth"]) { list(at, |at| at.amount())? } else { Vec::new() };
        out.push(Thing::Cards { ranks, suits, worth, span: at.since(start) });
    } else if at.eat(&["pile"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        at.expect("seen")?;
        let seen = seen(at)?;
        out.push(Thing::Pile { name, each, seen, full: at.eat(&["start", "full"]) });
    } else {
        return at.wrong("a section such as `board`, `piece` or `turn`", SECTIONS);
    }
    Ok(())
}

/// Parses whose something is.
fn owner(at: &mut Cursor<'_>) -> Parsed<RegionOf> {
    if at.eat(&["of", "each", "player"]) {
        return Ok(RegionOf::Each);
    }
    Ok(if at.eat(&["of"]) { RegionOf::Seat(at.new_name()?) } else { RegionOf::Nobody })
}

/// Parses a path: its name and owner, and a block of points.
pub(super) fn path(at: &mut Cursor<'_>, children: &[Line]) -> Parsed<Thing> {
    at.skip();
    let name = at.new_name()?;
    let of = owner(at)?;
    at.finish()?;
    let points = points(children, at)?.concat();
    Ok(Thing::Path { name, of, points })
}

/// Parses who sees something.
fn seen(at: &mut Cursor<'_>) -> Parsed<Seen> {
    at.expect("by")?;
    let who = [("all", Seen::All), ("owner", Seen::Owner), ("nobody", Seen::Nobody)];
    match at.one_of(&who) {
        Some(seen) => Ok(seen),
        None => at.wrong("`all`, `owner` or `nobody`", &["all", "owner", "nobody"]),
    }
}

/// Parses the name of a card, which may be a number.
pub(crate) fn card(at: &mut Cursor<'_>) -> Parsed<Name> {
    let span = at.span();
    if let Some(&Token::Int(value)) = at.peek() {
        at.skip();
        return Ok(Name { text: value.to_string(), span });
    }
    at.name("the name of a card")
}

pub(super) fn board(at: &mut Cursor<'_>, children: &[Line]) -> Parsed<Thing> {
    let start = at.span();
    at.skip();
    let shape = if at.eat(&["square"]) {
        let width = at.amount()?;
        let height = if at.eat(&["by"]) { Some(at.amount()?) } else { None };
        let kept = [("dark", Kept::Dark), ("orthogonal", Kept::Orthogonal)];
        let kept = at.one_of(&kept).unwrap_or(Kept::All);
        let blocks = if at.eat(&["blocks"]) { Some(at.amount()?) } else { None };
        BoardShape::Square { width, height, kept, blocks }
    } else if at.eat(&["dots"]) {
        let width = at.amount()?;
        at.expect("by")?;
        BoardShape::Dots { width, height: at.amount()? }
    } else if at.eat(&["hex", "rhombus"]) {
        BoardShape::Rhombus(at.amount()?)
    } else if at.eat(&["hex", "hexagon"]) {
        BoardShape::Hexagon(at.amount()?)
    } else if at.eat(&["star"]) {
        BoardShape::Star(at.amount()?)
    } else if at.eat(&["track"]) {
        let rows = at.amount()?;
        at.expect("by")?;
        let columns = at.amount()?;
        BoardShape::Track { rows, columns, stores: at.eat(&["with", "stores"]) }
    } else if at.eat(&["lines"]) {
        let span = at.since(start);
        at.finish()?;
        let lines = points(children, at)?;
        return Ok(Thing::Board { shape: BoardShape::Lines(lines), each: false, span });
    } else {
        let shapes = ["square", "hex", "star", "track", "lines", "dots"];
        return at.wrong("a board: `square`, `hex`, `star`, `track`, `lines` or `dots`", &shapes);
    };
    let each = at.eat(&["for", "each", "player"]);
    at.finish()?;
    if let Some(child) = children.first() {
        at.problems.add(child.span, "only `board lines` takes a block");
    }
    Ok(Thing::Board { shape, each, span: at.since(start) })
}

/// Parses lines of points.
pub(super) fn points(children: &[Line], at: &mut Cursor<'_>) -> Parsed<Vec<Vec<Name>>> {
    let mut all = Vec::new();
    for child in children {
        let mut at = Cursor::new(child, at.problems);
        let mut points = Vec::new();
        while !at.is_done() {
            let point = at.name("a point such as a1")?;
            if at.eat_sign("..") {
                let last = at.name("the last point of a row, such as f1")?;
                points.extend(row(&point, &last, &mut at)?);
            } else {
                points.push(point);
            }
        }
        all.push(points);
    }
    Ok(all)
}

/// Returns the points from one to another, in a straight line.
fn row(first: &Name, last: &Name, at: &mut Cursor<'_>) -> Parsed<Vec<Name>> {
    let (Some(from), Some(to)) = (coordinates(&first.text), coordinates(&last.text)) else {
        at.problems.add(last.span, "expected points such as a1..f1 at the ends of a row");
        return Err(Reported);
    };
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let steps = x.abs().max(y.abs());
    if x != 0 && y != 0 && x.abs() != y.abs() {
        let message = format!("{} and {} are not on a straight line", first.text, last.text);
        at.problems.add(last.span, message);
        return Err(Reported);
    }
    let point = |step: i16| Name {
        text: site_name(from.0 + step * x.signum(), from.1 + step * y.signum()),
        span: first.span.to(last.span),
    };
    Ok((0..=steps).map(point).collect())
}

/// Parses closed tracks: points, with a slash where the track bends.
pub(super) fn loops(children: &[Line], at: &mut Cursor<'_>) -> Parsed<Vec<Vec<(Name, bool)>>> {
    let mut all = Vec::new();
    for child in children {
        let mut at = Cursor::new(child, at.problems);
        let mut points = Vec::new();
        while !at.is_done() {
            let point = at.name("a point such as a1")?;
            points.push((point, at.eat_sign("/")));
        }
        all.push(points);
    }
    Ok(all)
}
