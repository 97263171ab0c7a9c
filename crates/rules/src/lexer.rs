//! Splits a game file into a tree of lines by indentation, and each line into tokens.

use crate::errors::{Problems, Span};

/// The longest file, in bytes.
pub(crate) const MAX_BYTES: usize = 64 << 10;
/// The deepest nesting of blocks, and of parentheses.
pub(crate) const MAX_NESTING: usize = 8;

/// The most words, numbers and signs on a line; the checker walks expressions recursively.
const MAX_TOKENS: usize = 256;

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Int(i64),
    Sign(&'static str),
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// A line with the lines that are indented below it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) lexemes: Vec<Lexeme>,
    pub(crate) children: Vec<Self>,
    /// The whole line without its indentation and remark.
    pub(crate) span: Span,
    /// The text after the first word, which is the title of a `game` line.
    pub(crate) rest: String,
}

const SIGNS: [&str; 15] =
    ["..", "<=", ">=", "!=", ":", ",", "=", "<", ">", "+", "-", "*", "/", "(", ")"];

/// Splits `text` into lines.
pub(crate) fn lines(text: &str, problems: &mut Problems) -> Vec<Line> {
    // The open blocks: the indentation of their lines, and the lines so far.
    let mut open: Vec<(usize, Vec<Line>)> = vec![(0, Vec::new())];
    // Some editors begin files with a mark that is no character of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, source) in text.lines().enumerate() {
        let Some((indent, line)) = line(number as u32, source, problems) else { continue };
        while open.len() > 1 && open.last().is_some_and(|(inner, _)| indent < *inner) {
            close(&mut open);
        }
        let depth = open.len();
        let (current, block) = open.last_mut().expect("the outermost block stays open");
        if indent == *current {
            block.push(line);
        } else if indent > *current
            && block.last().is_some_and(|above| above.children.is_empty())
            && depth < MAX_NESTING
        {
            open.push((indent, vec![line]));
        } else if depth == MAX_NESTING {
            problems.add(line.span, format!("blocks are nested more than {MAX_NESTING} deep"));
        } else {
            let expected = *current;
            // A block below the line above, which this line leaves half way.
            let inner = block.last().and_then(|above| above.children.first());
            let inner = inner.map_or_else(String::new, |inner| format!(" or {}", inner.span.start));
            let message =
                format!("this line is indented by {indent} spaces, expected {expected}{inner}");
            problems.add(line.span, message);
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|(_, lines)| lines).unwrap_or_default()
}

fn close(open: &mut Vec<(usize, Vec<Line>)>) {
    let (_, children) = open.pop().expect("only inner blocks are closed");
    let parent = open.last_mut().and_then(|(_, lines)| lines.last_mut());
    parent.expect("a block has a line above it").children = children;
}

/// Reads one line; `None` where it is empty.
fn line(number: u32, source: &str, problems: &mut Problems) -> Option<(usize, Line)> {
    let chars: Vec<char> = source.chars().collect();
    let code = chars.iter().position(|&c| c == '#').unwrap_or(chars.len());
    let indent = chars[..code].iter().position(|c| !c.is_whitespace())?;
    if let Some(tab) = chars[..indent].iter().position(|&c| c != ' ') {
        let at = Span { line: number, start: tab as u32, end: tab as u32 + 1 };
        problems.add(at, "lines are indented by spaces, not by tabs");
    }
    let mut lexemes = Vec::new();
    let mut at = indent;
    while at < code {
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        let start = at;
        let token = if chars[at].is_ascii_digit() {
            while at < code && chars[at].is_ascii_alphanumeric() {
                at += 1;
            }
            let digits: String = chars[start..at].iter().collect();
            // Anything larger than the bounds of every number is refused as too large later.
            let value =
                digits.parse().or_else(|_| match digits.bytes().all(|b| b.is_ascii_digit()) {
                    true => Ok(i64::from(i32::MAX)),
                    false => Err(()),
                });
            match value {
                Ok(value) => Token::Int(i64::min(value, i64::from(i32::MAX))),
                Err(()) => Token::Word(digits),
            }
        } else if chars[at].is_alphabetic() {
            while at < code && (chars[at].is_alphanumeric() || "_'".contains(chars[at])) {
                at += 1;
            }
            Token::Word(chars[start..at].iter().collect())
        } else {
            let two: String = chars[at..code.min(at + 2)].iter().collect();
            match SIGNS.iter().find(|sign| two.starts_with(**sign)) {
                Some(sign) => {
                    at += sign.len();
                    Token::Sign(sign)
                }
                None => {
                    at += 1;
                    let span = Span { line: number, start: start as u32, end: at as u32 };
                    // A title may have any character.
                    if !matches!(lexemes.first(), Some(Lexeme { token: Token::Word(word), .. }) if word == "game")
                    {
                        problems.add(span, format!("unexpected character {:?}", chars[start]));
                    }
                    continue;
                }
            }
        };
        let span = Span { line: number, start: start as u32, end: at as u32 };
        lexemes.push(Lexeme { token, span });
    }
    if lexemes.len() > MAX_TOKENS {
        let span = lexemes[MAX_TOKENS].span;
        problems.add(span, format!("this line has more than {MAX_TOKENS} words and signs"));
        lexemes.truncate(MAX_TOKENS);
    }
    let end = chars[..code].iter().rposition(|c| !c.is_whitespace()).map_or(indent, |at| at + 1);
    let first = lexemes.first().map_or(end, |lexeme: &Lexeme| lexeme.span.end as usize);
    let rest: String = chars[first.min(end)..end].iter().collect();
    let span = Span { line: number, start: indent as u32, end: end as u32 };
    Some((indent, Line { lexemes, children: Vec::new(), span, rest: rest.trim().into() }))
}
