//! Errors of a game file: where each one is, what was expected, and how they are printed.

use std::fmt;

/// A stretch of one line, in characters; lines and columns count from 0 here and from 1 in
/// messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) line: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// Returns the span from the start of `self` to the end of `other` on the same line.
    pub(crate) fn to(self, other: Self) -> Self {
        if other.line == self.line { Self { end: other.end.max(self.end), ..self } } else { self }
    }
}

/// One error in a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The most errors that are reported for one file.
const MOST: usize = 50;

/// The errors found so far; each is kept once, however often it is found.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds an error.
    pub(crate) fn add(&mut self, span: Span, message: impl Into<String>) {
        self.push(Problem { span, message: message.into(), help: None });
    }

    /// Adds an error with a sentence that says how to solve it.
    pub(crate) fn add_with_help(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Problem { span, message: message.into(), help: Some(help.into()) });
    }

    fn push(&mut self, problem: Problem) {
        if self.0.len() < MOST && !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Begins with problems that were found before.
    pub(crate) fn of(problems: Vec<Problem>) -> Self {
        Self(problems)
    }

    pub(crate) fn into_list(self) -> Vec<Problem> {
        self.0
    }

    /// Returns them as one error, sorted by place, with the lines they are about.
    pub(crate) fn into_error(self, file: &str, text: &str) -> FileError {
        let (report, count) = self.report("error", file, text);
        FileError { report, count }
    }

    /// Returns them as warnings, sorted by place, with the lines they are about.
    pub(crate) fn into_warnings(self, file: &str, text: &str) -> Warnings {
        let messages = self.0.iter().map(|problem| problem.message.clone()).collect();
        let (report, count) = self.report("warning", file, text);
        Warnings { report, messages, count }
    }

    /// Returns all problems as text, and their number.
    fn report(mut self, kind: &str, file: &str, text: &str) -> (String, usize) {
        self.0.sort_by_key(|problem| problem.span);
        let lines: Vec<&str> = text.lines().collect();
        let mut report = String::new();
        for Problem { span, message, help } in &self.0 {
            let (line, column) = (span.line + 1, span.start + 1);
            report.push_str(&format!("{kind}: {message}\n --> {file}:{line}:{column}\n"));
            if let Some(source) = lines.get(span.line as usize) {
                let shown: String = source.chars().take(120).collect();
                let gutter = line.to_string().len();
                let before = " ".repeat((span.start as usize).min(120));
                let width = (span.end.saturating_sub(span.start) as usize).clamp(1, 120);
                report.push_str(&format!("{:gutter$} |\n{line} | {shown}\n", ""));
                report.push_str(&format!("{:gutter$} | {before}{}\n", "", "^".repeat(width)));
            }
            if let Some(help) = help {
                report.push_str(&format!("  = {help}\n"));
            }
            report.push('\n');
        }
        let count = self.0.len();
        report.push_str(&format!("{count} {kind}{} in {file}", if count == 1 { "" } else { "s" }));
        (report, count)
    }
}

/// What the author of a game file may not mean, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warnings {
    report: String,
    messages: Vec<String>,
    count: usize,
}

impl Warnings {
    /// Returns the sentences of all warnings, without their places.
    #[must_use]
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// Returns the number of warnings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}

/// All errors of a game file, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    report: String,
    count: usize,
}

impl FileError {
    /// Returns the number of errors; at most 50 are reported.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}

impl std::error::Error for FileError {}

/// Returns `did you mean NAME?` for the nearest of `names`, where one is near.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let near = |name: &&str| strsim::damerau_levenshtein(word, name);
    let nearest = names.into_iter().min_by_key(near)?;
    let allowed = 1 + word.chars().count() / 4;
    (1..=allowed).contains(&near(&nearest)).then(|| format!("did you mean `{nearest}`?"))
}
