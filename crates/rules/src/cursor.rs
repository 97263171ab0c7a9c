//! A cursor over the tokens of one line, and the names that a file may not define.

use crate::errors::{Problems, Span, did_you_mean};
use crate::lexer::{Lexeme, Line, Token};
use crate::syntax::Name;

/// The words of the language that cannot be names.
pub(crate) const KEYWORDS: &str = "\
    game players option board piece heap number sites region cards pile start turn phase \
    end first any of chain may otherwise after place move aim at sow say pass roll deal \
    step slide jump leap fly over to on in if such that and or minus not no with through \
    from my their all count line around reach run back ahead sideways orthogonal \
    diagonal row rows column columns edge next player everybody stuck full joins \
    flanking mine theirs empty taken it mover let set add take wins loses each opposite \
    highest same as by seen loops follow longest called rotate history repeated attacked \
    enclosed block dots blocks suits suit rank best worth whether total play bid among \
    preferring above has show path along pairs doubles";

/// The words that mean something in one place only, and can be names.
#[cfg(test)]
const IN_PLACE: &str = "named facing nobody capped square dark hex rhombus hexagon star point track stores lines \
    owner skipping position left right secretly long unknown one acts drop out survivor for capture remove flip put promote collect stop draw most \
    fewest go dice die a use beyond off showing twice";

/// The mark of an error that is already in the list of problems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// A part of the tree, or an error that is already reported.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// The tokens of one line.
pub(crate) struct Cursor<'a> {
    lexemes: &'a [Lexeme],
    at: usize,
    line: Span,
    pub(crate) nesting: usize,
    pub(crate) problems: &'a mut Problems,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(line: &'a Line, problems: &'a mut Problems) -> Self {
        Self { lexemes: &line.lexemes, at: 0, line: line.span, nesting: 0, problems }
    }

    /// Returns the place of the next token, or the end of the line.
    pub(crate) fn span(&self) -> Span {
        let end = Span { start: self.line.end, end: self.line.end + 1, ..self.line };
        self.lexemes.get(self.at).map_or(end, |lexeme| lexeme.span)
    }

    /// Returns the place from `start` to the last token read.
    pub(crate) fn since(&self, start: Span) -> Span {
        self.at.checked_sub(1).map_or(start, |last| start.to(self.lexemes[last].span))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.lexemes.len()
    }

    pub(crate) fn peek(&self) -> Option<&'a Token> {
        self.lexemes.get(self.at).map(|lexeme| &lexeme.token)
    }

    /// Returns the token after the next.
    pub(crate) fn after(&self) -> Option<&'a Token> {
        self.lexemes.get(self.at + 1).map(|lexeme| &lexeme.token)
    }

    /// Returns the word `ahead` tokens further on.
    pub(crate) fn word(&self, ahead: usize) -> Option<&'a str> {
        match self.lexemes.get(self.at + ahead).map(|lexeme| &lexeme.token) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn skip(&mut self) {
        self.at += 1;
    }

    /// Reads these words if they are next.
    pub(crate) fn eat(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(at, word)| self.word(at) == Some(*word));
        self.at += if found { words.len() } else { 0 };
        found
    }

    /// Reads this sign if it is next.
    pub(crate) fn eat_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.at += usize::from(found);
        found
    }

    /// Reads one of the words of a table.
    pub(crate) fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let word = self.word(0)?;
        let (_, value) = table.iter().find(|(name, _)| *name == word)?;
        self.skip();
        Some(*value)
    }

    pub(crate) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(&[word]) { Ok(()) } else { self.wrong(&format!("`{word}`"), &[word]) }
    }

    pub(crate) fn expect_sign(&mut self, sign: &str) -> Parsed<()> {
        if self.eat_sign(sign) { Ok(()) } else { self.wrong(&format!("`{sign}`"), &[]) }
    }

    /// Reads a name that the file defines: a word that is not one of the language's. One that is
    /// reported is a name all the same, so that what uses it is no error, too.
    pub(crate) fn new_name(&mut self) -> Parsed<Name> {
        let name = self.name("a name")?;
        if KEYWORDS.split_whitespace().any(|word| word == name.text) {
            self.problems.add_with_help(
                name.span,
                format!("`{}` is a word of the language and cannot be a name", name.text),
                "use another word",
            );
        }
        Ok(name)
    }

    /// Reads any word as a name.
    pub(crate) fn name(&mut self, expected: &str) -> Parsed<Name> {
        let span = self.span();
        match self.word(0) {
            Some(word) => {
                self.skip();
                Ok(Name { text: word.into(), span })
            }
            None => self.wrong(expected, &[]),
        }
    }

    /// Reports that the next token is not what was expected.
    pub(crate) fn wrong<T>(&mut self, expected: &str, words: &[&str]) -> Parsed<T> {
        let found = match self.peek() {
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Int(value)) => format!("`{value}`"),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
            None => "the end of the line".into(),
        };
        let message = format!("expected {expected}, found {found}");
        let help = self.word(0).and_then(|word| did_you_mean(word, words.iter().copied()));
        let span = self.span();
        match help {
            Some(help) => self.problems.add_with_help(span, message, help),
            None => self.problems.add(span, message),
        }
        Err(Reported)
    }

    /// Reports tokens that are left over.
    pub(crate) fn finish(&mut self) -> Parsed<()> {
        if self.is_done() { Ok(()) } else { self.wrong("the end of the line", &["if", "such"]) }
    }
}

#[cfg(test)]
mod tests {
    use super::{IN_PLACE, KEYWORDS};

    #[test]
    fn the_reference_lists_every_word() {
        let page = include_str!("../../../docs/src/reference/game-files.md");
        let (before, rest) = page.split_once("cannot be names:\n\n").expect("a list of words");
        let (list, after) = rest.split_once("\n\n").expect("text after the list");
        let listed = list.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut reserved: Vec<&str> = KEYWORDS.split_whitespace().collect();
        reserved.sort_unstable();
        assert_eq!(listed.collect::<Vec<_>>(), reserved);
        // Each is explained elsewhere.
        let page = [before, after].concat();
        let words: Vec<&str> = page.split(|c: char| !c.is_alphanumeric()).collect();
        let all = KEYWORDS.split_whitespace().chain(IN_PLACE.split_whitespace());
        let missing: Vec<&str> = all.filter(|word| !words.contains(word)).collect();
        assert!(missing.is_empty(), "missing from the reference: {missing:?}");
    }
}
