//! Parses the lines of a game file into its syntax tree; a faulty line is reported and skipped.

mod rules;
mod things;

pub(crate) use things::card;

use crate::cursor::{Cursor, Parsed};
use crate::errors::Problems;
use crate::lexer::{Line, Token, lines};
use crate::syntax::{End, File, Name, Players, Thing};

/// The words that begin a line at the left margin.
const SECTIONS: &[&str] = &[
    "game", "players", "option", "board", "piece", "heap", "number", "sites", "region", "cards",
    "pile", "suits", "loops", "path", "dice", "history", "start", "turn", "phase", "end",
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
            file.title_span = line.span;
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
            file.phases.push(rules::phase(name, &line.children, problems));
            return Ok(());
        }
        "loops" => {
            let span = at.span();
            at.skip();
            at.finish()?;
            let loops = things::loops(&line.children, &mut at)?;
            file.things.push(Thing::Loops { loops, span });
            return Ok(());
        }
        "path" => {
            let path = things::path(&mut at, &line.children)?;
            file.things.push(path);
            return Ok(());
        }
        "board" => {
            let board = things::board(&mut at, &line.children)?;
            file.things.push(board);
            return Ok(());
        }
        _ => things::thing(&mut at, &mut file.things)?,
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

fn end(line: &Line, problems: &mut Problems) -> Parsed<End> {
    let mut at = Cursor::new(line, problems);
    let condition = at.expr()?;
    let effects = crate::effects::tail(&mut at, line)?;
    Ok(End { condition, effects })
}
