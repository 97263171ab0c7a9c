//! Parses effects: what a rule, an end or the start of a game does.

use crate::cursor::{Cursor, Parsed};
use crate::errors::Problems;
use crate::lexer::{Line, Token};
use crate::parser::list;
use crate::syntax::{Effect, EffectKind, Target, Who, Whose};

/// The words that begin an effect.
const EFFECTS: &[&str] = &[
    "set",
    "add",
    "take",
    "remove",
    "capture",
    "flip",
    "put",
    "promote",
    "collect",
    "rotate",
    "move",
    "acts",
    "drop",
    "show",
    "survivor",
    "same",
    "next",
    "go",
    "stop",
    "let",
    "if",
    "mover",
    "draw",
    "most",
    "fewest",
    "each",
    "otherwise",
    "first",
];

/// Parses what follows the head of a line: `: effects` and the block below.
pub(crate) fn tail(at: &mut Cursor<'_>, line: &Line) -> Parsed<Vec<Effect>> {
    let mut effects = Vec::new();
    if at.eat_sign(":") {
        effects.extend(list(at, effect)?);
    }
    at.finish()?;
    effects.extend(block(&line.children, at.problems));
    Ok(effects)
}

/// Parses a block of effects, one or more on each line.
pub(crate) fn block(lines: &[Line], problems: &mut Problems) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    for line in lines {
        let _ = statement(line, &mut effects, problems);
    }
    effects
}

fn statement(line: &Line, out: &mut Vec<Effect>, problems: &mut Problems) -> Parsed<()> {
    let mut at = Cursor::new(line, problems);
    let span = at.span();
    let kind = if at.eat(&["if"]) {
        let condition = at.expr()?;
        EffectKind::If { condition, then: tail(&mut at, line)?, otherwise: Vec::new() }
    } else if at.eat(&["otherwise"]) {
        let effects = tail(&mut at, line)?;
        let open = |effect: &&mut Effect| matches!(&effect.kind, EffectKind::If { otherwise, .. } if otherwise.is_empty());
        if let Some(Effect { kind: EffectKind::If { otherwise, .. }, .. }) =
            out.last_mut().filter(open)
        {
            *otherwise = effects;
            return Ok(());
        }
        problems.add(span, "`otherwise` follows no `if`");
        return Ok(());
    } else if at.eat(&["each", "player"]) {
        EffectKind::EachPlayer(tail(&mut at, line)?)
    } else if matches!(line.lexemes.get(1).map(|lexeme| &lexeme.token), Some(Token::Sign(":"))) {
        let seat = at.name("the name of a player")?;
        EffectKind::ForSeat(seat, tail(&mut at, line)?)
    } else {
        out.extend(list(&mut at, effect)?);
        at.finish()?;
        if let Some(child) = line.children.first() {
            problems.add(child.span, "this line is indented, but the line above takes no block");
        }
        return Ok(());
    };
    out.push(Effect { kind, span });
    Ok(())
}

fn effect(at: &mut Cursor<'_>) -> Parsed<Effect> {
    let start = at.span();
    let kind = kind(at)?;
    Ok(Effect { kind, span: at.since(start) })
}

fn kind(at: &mut Cursor<'_>) -> Parsed<EffectKind> {
    if at.eat(&["set"]) {
        let what = target(at)?;
        at.expect("to")?;
        return Ok(EffectKind::Set(what, at.expr()?));
    }
    if at.eat(&["add"]) {
        let amount = at.expr()?;
        at.expect("to")?;
        return Ok(EffectKind::Add(target(at)?, amount));
    }
    if at.eat(&["take"]) {
        let amount = at.expr()?;
        at.expect("from")?;
        return Ok(EffectKind::Take(target(at)?, amount));
    }
    if at.eat(&["remove"]) || at.eat(&["capture"]) {
        return Ok(EffectKind::Remove(at.expr()?));
    }
    if at.eat(&["flip"]) {
        return Ok(EffectKind::Flip(at.expr()?));
    }
    if at.eat(&["put"]) {
        if at.word(1) != Some("on") {
            let amount = at.amount()?;
            let heap = target(at)?;
            at.expect("on")?;
            return Ok(EffectKind::PutHeap { amount, heap, on: at.expr()? });
        }
        let piece = at.name("the name of a piece")?;
        at.expect("on")?;
        return Ok(EffectKind::Put { piece, on: at.expr()? });
    }
    if at.eat(&["promote"]) {
        let sites = at.expr()?;
        at.expect("to")?;
        return Ok(EffectKind::Promote { sites, piece: at.name("the name of a piece")? });
    }
    if at.eat(&["rotate"]) {
        let sites = at.expr()?;
        let Some(left) = at.one_of(&[("left", true), ("right", false)]) else {
            return at.wrong("`left` or `right`", &["left", "right"]);
        };
        return Ok(EffectKind::Rotate { sites, left });
    }
    if at.eat(&["collect"]) {
        let heap = at.name("the name of a heap")?;
        at.expect("on")?;
        let sites = at.expr()?;
        at.expect("into")?;
        return Ok(EffectKind::Collect { heap, sites, into: target(at)? });
    }
    if at.eat(&["move"]) {
        let cards = at.expr()?;
        at.expect("to")?;
        return Ok(EffectKind::MoveCards { cards, to: target(at)? });
    }
    if at.eat(&["acts"]) {
        at.expect("next")?;
        return Ok(EffectKind::ActsNext);
    }
    if at.eat(&["drop"]) {
        at.expect("out")?;
        return Ok(EffectKind::DropOut);
    }
    if at.eat(&["show"]) {
        let sites = at.expr()?;
        return Ok(EffectKind::Show { sites, everybody: at.eat(&["to", "all"]) });
    }
    if at.eat(&["survivor"]) {
        at.expect("wins")?;
        return Ok(EffectKind::Survivor);
    }
    if at.eat(&["same"]) {
        at.expect("player")?;
        return Ok(EffectKind::SamePlayer);
    }
    if at.eat(&["go"]) {
        at.expect("to")?;
        return Ok(EffectKind::GoTo(at.name("the name of a phase")?));
    }
    if at.eat(&["stop"]) {
        at.expect("chain")?;
        return Ok(EffectKind::StopChain);
    }
    if at.eat(&["let"]) {
        let name = at.new_name()?;
        at.expect_sign("=")?;
        return Ok(EffectKind::Let(name, at.expr()?));
    }
    if at.eat(&["first", "player"]) {
        return Ok(EffectKind::FirstPlayer);
    }
    if at.eat(&["draw"]) {
        return Ok(EffectKind::Draw);
    }
    let most = at.eat(&["most"]);
    if most || at.eat(&["fewest"]) {
        let what = at.expr()?;
        at.expect("wins")?;
        return Ok(EffectKind::Most { what, fewest: !most, amount: amount(at)? });
    }
    if at.word(0) == Some("next") && !matches!(at.word(2), Some("wins" | "loses")) {
        at.skip();
        at.expect("player")?;
        return Ok(EffectKind::NextPlayer);
    }
    let who = if at.eat(&["mover"]) {
        Who::Mover
    } else if at.eat(&["next", "player"]) {
        Who::Next
    } else if matches!(at.word(1), Some("wins" | "loses")) {
        Who::Seat(at.name("the name of a player")?)
    } else {
        return at.wrong("an effect such as `set`, `flip` or `mover wins`", EFFECTS);
    };
    if at.eat(&["wins"]) {
        return Ok(EffectKind::Wins { who, amount: amount(at)? });
    }
    if at.eat(&["loses"]) {
        return Ok(EffectKind::Loses { who, amount: amount(at)? });
    }
    at.wrong("`wins` or `loses`", &["wins", "loses"])
}

/// Parses the amount that is won, if there is one.
fn amount(at: &mut Cursor<'_>) -> Parsed<Option<crate::syntax::Expr>> {
    let ends = at.is_done() || matches!(at.peek(), Some(Token::Sign(",")));
    if ends { Ok(None) } else { at.amount().map(Some) }
}

/// Parses a number or a set variable that is changed: `quiet`, `my score`.
pub(crate) fn target(at: &mut Cursor<'_>) -> Parsed<Target> {
    let whose = at.one_of(&[("my", Whose::My), ("their", Whose::Their)]);
    Ok(Target { whose, name: at.name("the name of a number")? })
}
