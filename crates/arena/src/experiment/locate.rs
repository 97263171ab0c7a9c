//! Locates the value of a field in JSON text.

/// A step from a JSON value to one of its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    Key(String),
    At(usize),
}

/// A path to a JSON value, displayed as `tables[0].configs[1].players`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path(pub(crate) Vec<PathStep>);

impl Path {
    pub(crate) fn key(mut self, key: &str) -> Self {
        self.0.push(PathStep::Key(key.to_owned()));
        self
    }

    pub(crate) fn at(mut self, index: usize) -> Self {
        self.0.push(PathStep::At(index));
        self
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Key(key) if at == 0 => write!(f, "{key}")?,
                PathStep::Key(key) => write!(f, ".{key}")?,
                PathStep::At(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Returns the byte offset of the value of `path` in the JSON `text`. If the path does not exist,
/// that of its longest existing prefix.
pub(crate) fn locate(text: &str, path: &Path) -> usize {
    let mut scan = Scan { text: text.as_bytes(), at: 0 };
    scan.blanks();
    let mut found = scan.at;
    for step in &path.0 {
        if !scan.enter(step) {
            break;
        }
        found = scan.at;
    }
    found
}

/// Converts a byte offset to a line and a column, both from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A scanner for JSON that is known to be well formed.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn blanks(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// Moves to the child of `step`. Returns `false` and does not move if there is none.
    fn enter(&mut self, step: &PathStep) -> bool {
        let start = self.at;
        let opens = match step {
            PathStep::Key(_) => b'{',
            PathStep::At(_) => b'[',
        };
        if self.peek() != opens {
            return false;
        }
        self.at += 1;
        for index in 0.. {
            self.blanks();
            if matches!(self.peek(), b'}' | b']' | 0) {
                break;
            }
            let reached = match step {
                PathStep::Key(key) => {
                    let quoted = self.at;
                    self.skip_text();
                    let name = &self.text[quoted..self.at];
                    self.blanks();
                    self.at += 1; // the colon
                    self.blanks();
                    serde_json::from_slice::<String>(name).is_ok_and(|name| name == *key)
                }
                PathStep::At(wanted) => index == *wanted,
            };
            if reached {
                return true;
            }
            self.skip_value();
            self.blanks();
            if self.peek() == b',' {
                self.at += 1;
            }
        }
        self.at = start;
        false
    }

    fn skip_text(&mut self) {
        self.at += 1;
        while !matches!(self.peek(), b'"' | 0) {
            self.at += if self.peek() == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
    }

    fn skip_value(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek() {
                b'"' => self.skip_text(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' if depth == 0 => return,
                0 => return,
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.peek(), b',' | b'}' | b']' | 0) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_path() {
        let text = "{\n  \"a\": [1, {\"b\\\"\": \"x,}\"}, [true]],\n  \"c\": {\"d\" : 5 }\n}";
        let found = |path: Path| {
            let at = locate(text, &path);
            (line_and_column(text, at), &text[at..at + 1])
        };
        assert_eq!(found(Path::default()), ((1, 1), "{"));
        assert_eq!(found(Path::default().key("a").at(0)), ((2, 9), "1"));
        assert_eq!(found(Path::default().key("a").at(1).key("b\"")), ((2, 20), "\""));
        assert_eq!(found(Path::default().key("a").at(2).at(0)), ((2, 29), "t"));
        assert_eq!(found(Path::default().key("c").key("d")), ((3, 15), "5"));
        // The longest existing prefix of the path.
        assert_eq!(found(Path::default().key("c").key("e")), ((3, 8), "{"));
        assert_eq!(found(Path::default().key("a").at(7)), ((2, 8), "["));
    }
}
