//! Parses rules and groups of rules.

use crate::cursor::{Cursor, Parsed};
use crate::errors::{Problems, Span};
use crate::expression::WAYS;
use crate::lexer::{Line, Token};
use crate::syntax::{
    Action, Directions, Distance, Effect, EffectKind, Family, Goal, How, Item, Name, Phase, Rule,
    Toward, Way,
};

/// The words that begin a rule or a group of rules.
const RULES: &[&str] = &[
    "place",
    "move",
    "aim",
    "play",
    "bid",
    "sow",
    "say",
    "pass",
    "roll",
    "deal",
    "first",
    "any",
    "chain",
    "may",
    "such",
    "longest",
    "use",
    "otherwise",
    "after",
];

/// Parses the rules of a phase, and what happens after them.
pub(super) fn phase(name: Name, lines: &[Line], problems: &mut Problems) -> Phase {
    let mut phase = Phase {
        name,
        items: Vec::new(),
        after: Vec::new(),
        such_that: None,
        after_chain: Vec::new(),
    };
    for line in lines {
        let mut at = Cursor::new(line, problems);
        if at.eat(&["after", "chain"]) {
            phase.after_chain.extend(crate::effects::tail(&mut at, line).unwrap_or_default());
        } else if at.eat(&["such", "that"]) {
            let Ok(condition) = at.expr() else { continue };
            let _ = at.finish();
            phase.such_that = Some(condition);
        } else if at.eat(&["after"]) {
            let span = at.span();
            let Ok(condition) = at.expr() else { continue };
            let Ok(then) = crate::effects::tail(&mut at, line) else { continue };
            let kind = EffectKind::If { condition, then, otherwise: Vec::new() };
            phase.after.push(Effect { kind, span });
        } else {
            phase.items.extend(item(line, problems));
        }
    }
    phase
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
    if at.eat(&["use", "most", "dice"]) {
        at.finish()?;
        return Ok(Item::MostDice { items: inner(&line.children, problems), span });
    }
    let (may_stop, longest) = (at.eat(&["may"]), at.eat(&["longest"]));
    if may_stop || longest || at.word(0) == Some("chain") {
        at.expect("chain")?;
        at.finish()?;
        let items = inner(&line.children, problems);
        return Ok(Item::Chain { items, may_stop, longest, span });
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
    let (mut condition, mut such_that, mut called) = (None, None, None);
    loop {
        if at.eat(&["if"]) {
            condition = Some(at.expr()?);
        } else if at.eat(&["such", "that"]) {
            such_that = Some(at.expr()?);
        } else if at.eat(&["called"]) {
            called = Some(at.name("a word for the names of actions")?);
        } else {
            break;
        }
    }
    let span = at.since(start);
    let effects = crate::effects::tail(at, line)?;
    Ok(Rule { action, condition, such_that, called, effects, span })
}

fn action(at: &mut Cursor<'_>) -> Parsed<Action> {
    if at.eat(&["place"]) {
        let piece = at.name("the name of a piece")?;
        at.expect("on")?;
        return Ok(Action::Place { piece, on: at.expr()? });
    }
    if at.eat(&["move"]) {
        let what = at.name("the name of a piece, or `mine`")?;
        if matches!(at.word(0), Some("along" | "from")) {
            return travel(what, at);
        }
        let how = how(at)?;
        let over = if at.eat(&["over"]) { Some(at.expr()?) } else { None };
        at.expect("to")?;
        return Ok(Action::Move { what, how, over, to: at.expr()? });
    }
    if at.eat(&["aim"]) {
        let secretly = at.eat(&["secretly"]);
        at.expect("at")?;
        return Ok(Action::Aim { at: at.expr()?, secretly });
    }
    if at.eat(&["play"]) {
        at.expect("from")?;
        let from = at.name("the name of a pile")?;
        at.expect("to")?;
        let to = at.name("the name of a pile")?;
        let among = if at.eat(&["among"]) { Some(at.expr()?) } else { None };
        let preferring = if at.eat(&["preferring"]) { Some(at.expr()?) } else { None };
        return Ok(Action::Play { from, to, among, preferring });
    }
    if at.eat(&["bid"]) {
        let name = at.new_name()?;
        let range = at.range()?;
        let above = if at.eat(&["above"]) { Some(at.amount()?) } else { None };
        return Ok(Action::Bid { name, range, above });
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
        if at.word(0) == Some("dice") && !matches!(at.after(), Some(Token::Int(_) | Token::Word(_)))
        {
            at.skip();
            return Ok(Action::RollDice);
        }
        let name = at.new_name()?;
        if at.eat(&["of", "each", "player"]) {
            return Ok(Action::RollEach { number: name, range: at.range()? });
        }
        return Ok(Action::Roll { name, range: at.range()? });
    }
    if at.eat(&["deal"]) {
        let count = at.amount()?;
        at.expect("from")?;
        let from = at.name("the name of a pile")?;
        at.expect("to")?;
        return Ok(Action::Deal { count, from, to: crate::effects::target(at)? });
    }
    at.wrong("a rule such as `place`, `move` or `say`", RULES)
}

/// Parses a move along a path.
fn travel(what: Name, at: &mut Cursor<'_>) -> Parsed<Action> {
    let from = if at.eat(&["from"]) { Some(at.expr()?) } else { None };
    at.expect("along")?;
    let path = at.name("the name of a path")?;
    at.expect("by")?;
    let by = if at.eat(&["a", "die"]) { Distance::Die } else { Distance::Number(at.amount()?) };
    let to = if at.eat(&["off"]) {
        Goal::Off { beyond: at.eat(&["or", "beyond"]) }
    } else {
        at.expect("to")?;
        Goal::Sites(at.expr()?)
    };
    Ok(Action::Travel { what, from, path, by, to })
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
    if at.eat(&["follow"]) {
        at.expect("loops")?;
        return Ok(How::Follow);
    }
    let words = ["step", "slide", "jump", "leap", "fly", "follow"];
    at.wrong("`step`, `slide`, `jump`, `leap`, `fly` or `follow`", &words)
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
