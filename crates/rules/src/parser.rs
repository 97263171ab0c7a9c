//! Parses the lines of a game file into its syntax tree; a faulty line is reported and skipped.

use crate::cursor::{Cursor, Parsed};
use crate::errors::{Problems, Span};
use crate::expression::WAYS;
use crate::lexer::{Line, Token, lines};
use crate::syntax::{
    Action, BoardShape, Directions, Effect, End, Family, File, How, Item, Name, Phase, Players,
    RegionOf, Rule, Seen, Thing, Toward, Values, Way,
};

/// The words that begin a line at the left margin.
const SECTIONS: &[&str] = &[
    "game", "players", "option", "board", "piece", "heap", "number", "sites", "region", "cards",
    "pile", "start", "turn", "phase", "end",
];
/// The words that begin a rule or a group of rules.
const RULES: &[&str] = &[
    "place",
    "move",
    "aim",
    "sow",
    "say",
    "pass",
    "roll",
    "deal",
    "first",
    "any",
    "chain",
    "otherwise",
    "after",
];

/// Parses a whole file.
pub(crate) fn parse(text: &str, problems: &mut Problems) -> File {
    let mut file = File::default();
    for line in &lines(text, problems) {
        // An error on one line does not hide those of the others.
        let _ = section(line, &mut file, problems);
    }
    file
}

fn section(line: &Line, file: &mut File, problems: &mut Problems) -> Parsed<()> {
    let mut at = Cursor::new(line, problems);
    let Some(word) = at.word(0) else { return at.wrong("a section such as `board`", SECTIONS) };
    match word {
        "game" => {
            file.title = line.rest.clone();
            return no_block(line, problems);
        }
        "players" => file.players = Some(players(&mut at)?),
        "start" => {
            at.skip();
            at.finish()?;
            file.start.extend(crate::effects::block(&line.children, problems));
            return Ok(());
        }
        "end" => {
            at.skip();
            at.finish()?;
            for child in &line.children {
                file.ends.extend(end(child, problems));
            }
            return Ok(());
        }
        "turn" | "phase" => {
            let span = at.span();
            at.skip();
            let name =
                if word == "phase" { at.new_name()? } else { Name { text: "turn".into(), span } };
            at.finish()?;
            let (items, after) = items(&line.children, problems);
            file.phases.push(Phase { name, items, after });
            return Ok(());
        }
        "board" => {
            let board = board(&mut at, &line.children)?;
            file.things.push(board);
            return Ok(());
        }
        _ => things(&mut at, &mut file.things)?,
    }
    at.finish()?;
    no_block(line, problems)
}

fn no_block(line: &Line, problems: &mut Problems) -> Parsed<()> {
    if let Some(child) = line.children.first() {
        problems.add(child.span, "this line is indented, but the line above takes no block");
    }
    Ok(())
}

fn players(at: &mut Cursor<'_>) -> Parsed<Players> {
    let span = at.span();
    at.skip();
    let fewest = int(at)?;
    let most = if at.eat_sign("..") { int(at)? } else { fewest };
    let mut players = Players { fewest, most, facing: false, names: Vec::new(), span };
    loop {
        if at.eat(&["facing"]) {
            players.facing = true;
        } else if at.eat(&["named"]) {
            players.names = list(at, |at| at.new_name())?;
        } else {
            players.span = at.since(span);
            return Ok(players);
        }
    }
}

fn int(at: &mut Cursor<'_>) -> Parsed<i64> {
    match at.peek() {
        Some(&Token::Int(value)) => {
            at.skip();
            Ok(value)
        }
        _ => at.wrong("a number", &[]),
    }
}

/// Parses one or more things between commas.
pub(crate) fn list<T>(
    at: &mut Cursor<'_>,
    mut one: impl FnMut(&mut Cursor<'_>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut all = vec![one(at)?];
    while at.eat_sign(",") {
        all.push(one(at)?);
    }
    Ok(all)
}

fn things(at: &mut Cursor<'_>, out: &mut Vec<Thing>) -> Parsed<()> {
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
        out.extend(names.into_iter().map(|name| Thing::Piece { name, shared }));
    } else if at.eat(&["heap"]) {
        let name = at.new_name()?;
        at.expect("start")?;
        let start = at.amount()?;
        let sites = if at.eat(&["on"]) { Some(at.expr()?) } else { None };
        out.push(Thing::Heap { name, start, sites });
    } else if at.eat(&["number"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        let range = at.range()?;
        let start = if at.eat(&["start"]) { Some(at.amount()?) } else { None };
        let capped = at.eat(&["capped"]);
        out.push(Thing::Number { name, each, range, start, capped });
    } else if at.eat(&["sites"]) {
        out.push(Thing::Sites { name: at.new_name()? });
    } else if at.eat(&["region"]) {
        let name = at.new_name()?;
        let of = if at.eat(&["of", "each", "player"]) {
            RegionOf::Each
        } else if at.eat(&["of"]) {
            RegionOf::Seat(at.new_name()?)
        } else {
            RegionOf::Nobody
        };
        at.expect_sign("=")?;
        out.push(Thing::Region { name, of, parts: list(at, |at| at.expr())? });
    } else if at.eat(&["cards"]) {
        let ranks = list(at, card)?;
        let suits = if at.eat(&["in"]) { list(at, |at| at.new_name())? } else { Vec::new() };
        out.push(Thing::Cards { ranks, suits, span: at.since(start) });
    } else if at.eat(&["pile"]) {
        let name = at.new_name()?;
        let each = at.eat(&["of", "each", "player"]);
        at.expect("seen")?;
        at.expect("by")?;
        let who = [("all", Seen::All), ("owner", Seen::Owner), ("nobody", Seen::Nobody)];
        let Some(seen) = at.one_of(&who) else {
            return at.wrong("`all`, `owner` or `nobody`", &["all", "owner", "nobody"]);
        };
        out.push(Thing::Pile { name, each, seen, full: at.eat(&["start", "full"]) });
    } else {
        return at.wrong("a section such as `board`, `piece` or `turn`", SECTIONS);
    }
    Ok(())
}

/// Parses the name of a card, which may be a number.
fn card(at: &mut Cursor<'_>) -> Parsed<Name> {
    let span = at.span();
    if let Some(&Token::Int(value)) = at.peek() {
        at.skip();
        return Ok(Name { text: value.to_string(), span });
    }
    at.name("the name of a card")
}

fn board(at: &mut Cursor<'_>, children: &[Line]) -> Parsed<Thing> {
    let start = at.span();
    at.skip();
    let shape = if at.eat(&["square"]) {
        let width = at.amount()?;
        let height = if at.eat(&["by"]) { Some(at.amount()?) } else { None };
        BoardShape::Square { width, height, dark: at.eat(&["dark"]) }
    } else if at.eat(&["hex", "rhombus"]) {
        BoardShape::Rhombus(at.amount()?)
    } else if at.eat(&["hex", "hexagon"]) {
        BoardShape::Hexagon(at.amount()?)
    } else if at.eat(&["track"]) {
        let rows = at.amount()?;
        at.expect("by")?;
        let columns = at.amount()?;
        BoardShape::Track { rows, columns, stores: at.eat(&["with", "stores"]) }
    } else if at.eat(&["lines"]) {
        let span = at.since(start);
        at.finish()?;
        let mut all = Vec::new();
        for child in children {
            let mut at = Cursor::new(child, at.problems);
            let mut points = Vec::new();
            while !at.is_done() {
                points.push(at.name("a point such as a1")?);
            }
            all.push(points);
        }
        return Ok(Thing::Board { shape: BoardShape::Lines(all), span });
    } else {
        let shapes = ["square", "hex", "track", "lines"];
        return at.wrong("a board: `square`, `hex`, `track` or `lines`", &shapes);
    };
    at.finish()?;
    if let Some(child) = children.first() {
        at.problems.add(child.span, "only `board lines` takes a block");
    }
    Ok(Thing::Board { shape, span: at.since(start) })
}

fn end(line: &Line, problems: &mut Problems) -> Parsed<End> {
    let mut at = Cursor::new(line, problems);
    let condition = at.expr()?;
    let effects = crate::effects::tail(&mut at, line)?;
    Ok(End { condition, effects })
}

/// Parses the rules of a phase, and what happens after them.
fn items(lines: &[Line], problems: &mut Problems) -> (Vec<Item>, Vec<Effect>) {
    let (mut items, mut after) = (Vec::new(), Vec::new());
    for line in lines {
        let mut at = Cursor::new(line, problems);
        if at.eat(&["after"]) {
            let span = at.span();
            let Ok(condition) = at.expr() else { continue };
            let Ok(then) = crate::effects::tail(&mut at, line) else { continue };
            let kind = crate::syntax::EffectKind::If { condition, then, otherwise: Vec::new() };
            after.push(Effect { kind, span });
        } else {
            items.extend(item(line, problems));
        }
    }
    (items, after)
}

fn inner(lines: &[Line], problems: &mut Problems) -> Vec<Item> {
    lines.iter().filter_map(|line| item(line, problems).ok()).collect()
}

fn item(line: &Line, problems: &mut Problems) -> Parsed<Item> {
    let mut at = Cursor::new(line, problems);
    let span = at.span();
    if at.eat(&["first", "of"]) {
        at.finish()?;
        return Ok(Item::FirstOf(inner(&line.children, problems)));
    }
    if at.eat(&["any", "of"]) {
        at.finish()?;
        return Ok(Item::AnyOf(inner(&line.children, problems)));
    }
    let may_stop = at.eat(&["may"]);
    if at.eat(&["chain"]) {
        at.finish()?;
        return Ok(Item::Chain { items: inner(&line.children, problems), may_stop, span });
    }
    if at.eat(&["otherwise"]) {
        if at.is_done() {
            return Ok(Item::Otherwise(inner(&line.children, problems)));
        }
        return Ok(Item::Otherwise(vec![Item::Rule(Box::new(rule(&mut at, line)?))]));
    }
    Ok(Item::Rule(Box::new(rule(&mut at, line)?)))
}

fn rule(at: &mut Cursor<'_>, line: &Line) -> Parsed<Rule> {
    let start = at.span();
    let action = action(at)?;
    let (mut condition, mut such_that) = (None, None);
    loop {
        if at.eat(&["if"]) {
            condition = Some(at.expr()?);
        } else if at.eat(&["such", "that"]) {
            such_that = Some(at.expr()?);
        } else {
            break;
        }
    }
    let span = at.since(start);
    let effects = crate::effects::tail(at, line)?;
    Ok(Rule { action, condition, such_that, effects, span })
}

fn action(at: &mut Cursor<'_>) -> Parsed<Action> {
    if at.eat(&["place"]) {
        let piece = at.name("the name of a piece")?;
        at.expect("on")?;
        return Ok(Action::Place { piece, on: at.expr()? });
    }
    if at.eat(&["move"]) {
        let what = at.name("the name of a piece, or `mine`")?;
        let how = how(at)?;
        let over = if at.eat(&["over"]) { Some(at.expr()?) } else { None };
        at.expect("to")?;
        return Ok(Action::Move { what, how, over, to: at.expr()? });
    }
    if at.eat(&["aim", "at"]) {
        return Ok(Action::Aim { at: at.expr()? });
    }
    if at.eat(&["sow"]) {
        let heap = at.name("the name of a heap")?;
        at.expect("from")?;
        let from = at.expr()?;
        let skipping = if at.eat(&["skipping"]) { Some(at.expr()?) } else { None };
        return Ok(Action::Sow { heap, from, skipping });
    }
    if at.eat(&["say"]) {
        return Ok(Action::Say(at.name("a word to say")?));
    }
    if at.eat(&["pass"]) {
        return Ok(Action::Pass);
    }
    if at.eat(&["roll"]) {
        let name = at.new_name()?;
        return Ok(Action::Roll { name, range: at.range()? });
    }
    if at.eat(&["deal"]) {
        let count = at.amount()?;
        at.expect("from")?;
        let from = at.name("the name of a pile")?;
        at.expect("to")?;
        return Ok(Action::Deal { count, from, to: at.name("the name of a pile")? });
    }
    at.wrong("a rule such as `place`, `move` or `say`", RULES)
}

fn how(at: &mut Cursor<'_>) -> Parsed<How> {
    if at.eat(&["step"]) {
        return Ok(How::Step(directions(at)?));
    }
    if at.eat(&["slide"]) {
        return Ok(How::Slide(directions(at)?));
    }
    if at.eat(&["jump"]) {
        return Ok(How::Jump(directions(at)?));
    }
    if at.eat(&["leap"]) {
        let far = at.amount()?;
        at.expect_sign(",")?;
        let wide = at.amount()?;
        return Ok(How::Leap { far, wide, ahead: at.eat(&["ahead"]) });
    }
    if at.eat(&["fly"]) {
        return Ok(How::Fly);
    }
    let words = ["step", "slide", "jump", "leap", "fly"];
    at.wrong("`step`, `slide`, `jump`, `leap` or `fly`", &words)
}

fn directions(at: &mut Cursor<'_>) -> Parsed<Directions> {
    let start: Span = at.span();
    let families =
        [("any", Family::Any), ("orthogonal", Family::Orthogonal), ("diagonal", Family::Diagonal)];
    let towards =
        [("ahead", Toward::Ahead), ("back", Toward::Back), ("sideways", Toward::Sideways)];
    let mut parts = Vec::new();
    loop {
        if let Some(family) = at.one_of(&families) {
            parts.push((family, at.one_of(&towards)));
        } else if let Some(toward) = at.one_of(&towards) {
            parts.push((Family::Straight, Some(toward)));
        } else if let Some(Way::Compass(x, y)) = at.one_of(&WAYS) {
            parts.push((Family::Compass(x, y), None));
        } else {
            let words = ["any", "orthogonal", "diagonal", "ahead", "sideways", "back", "north"];
            return at.wrong("a direction such as `any`, `diagonal` or `ahead`", &words);
        }
        if !at.eat(&["or"]) {
            return Ok(Directions { parts, span: at.since(start) });
        }
    }
}
