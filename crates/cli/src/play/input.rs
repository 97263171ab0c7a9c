//! Line input: with editing and history in a terminal, plain from a pipe.

use std::io::{self, BufRead, IsTerminal};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::failure::Failure;
use crate::show;

/// The source of lines.
pub(crate) enum Input {
    /// A terminal, with line editing and history.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Pipe,
}

/// A line of input, or the reason there is none.
pub(crate) enum Line {
    Text(String),
    /// Ctrl-D, or the end of the pipe.
    End,
    /// Ctrl-C.
    Interrupted,
}

impl Input {
    pub(crate) fn new() -> Self {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Self::Pipe;
        }
        match DefaultEditor::new() {
            Ok(editor) => Self::Terminal(Box::new(editor)),
            Err(_) => Self::Pipe,
        }
    }

    /// Prompts for a line.
    pub(crate) fn line(&mut self, prompt: &str) -> Result<Line, Failure> {
        let editor = match self {
            Self::Pipe => return pipe_line(prompt),
            Self::Terminal(editor) => editor,
        };
        match editor.readline(prompt) {
            Ok(text) => {
                if !text.trim().is_empty() {
                    // A line missing from the history is no failure.
                    let _ = editor.add_history_entry(text.trim());
                }
                Ok(Line::Text(text))
            }
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(error) => Err(Failure::Failed(error.into())),
        }
    }
}

fn pipe_line(prompt: &str) -> Result<Line, Failure> {
    show::print(prompt)?;
    let mut line = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
        return Ok(Line::End);
    }
    Ok(Line::Text(String::from_utf8_lossy(&line).into_owned()))
}
