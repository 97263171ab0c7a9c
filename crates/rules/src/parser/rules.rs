//! Parses rules and groups of rules.

use crate::cursor::{Cursor, Parsed};
use crate::errors::{Problems, Span};
use crate::expression::WAYS;
use crate::lexer::Line;
use crate::syntax::{Action, Directions, Effect, Family, How, Item, Rule, Toward, Way};

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

/// Parses the rules of a phase, and what happens after them.
pub(super) fn items(lines: &[Line], problems: &mut Problems) -> (Vec<Item>, Vec<Effect>) {
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
