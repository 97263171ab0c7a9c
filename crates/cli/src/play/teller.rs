//! Tells a person what the others and chance did, several things in a row as one.

use crate::failure::Failure;
use crate::show;

/// What one person is told.
#[derive(Default)]
pub(crate) struct Teller {
    who: String,
    /// What they did since somebody else did something, and how often.
    did: Vec<(String, usize)>,
    /// What is told once the person has the screen to themselves.
    held: Option<String>,
}

impl Teller {
    /// A teller that waits until the person looks.
    pub(crate) fn holding() -> Self {
        Self { held: Some(String::new()), ..Self::default() }
    }

    /// Somebody did something.
    pub(crate) fn tell(&mut self, who: &str, what: &str) -> Result<(), Failure> {
        if self.who != who {
            self.flush()?;
            who.clone_into(&mut self.who);
        }
        match self.did.last_mut() {
            Some((last, times)) if last == what => *times += 1,
            _ => self.did.push((what.to_owned(), 1)),
        }
        Ok(())
    }

    /// Whether somebody other than `who` did the last thing.
    pub(crate) fn is_about_others(&self, who: &str) -> bool {
        self.who != who
    }

    /// A line of its own.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Failure> {
        self.flush()?;
        self.put(line)
    }

    /// Tells what is left to tell.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if self.did.is_empty() {
            return Ok(());
        }
        let did: Vec<String> = (self.did.drain(..))
            .map(|(what, times)| if times > 1 { format!("{what} x{times}") } else { what })
            .collect();
        let line = format!("{}: {}", self.who, did.join(", "));
        self.who.clear();
        self.put(&line)
    }

    /// What was held back, in the order in which it happened.
    pub(crate) fn take_held(&mut self) -> Result<String, Failure> {
        self.flush()?;
        Ok(self.held.as_mut().map(std::mem::take).unwrap_or_default())
    }

    fn put(&mut self, line: &str) -> Result<(), Failure> {
        let text = show::wrapped(line, "  ");
        match &mut self.held {
            Some(held) => {
                held.push_str(&text);
                Ok(())
            }
            None => show::print(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_told_as_one() {
        let mut teller = Teller::holding();
        for (who, what) in
            [("seat 1", "pass"), ("seat 1", "pass"), ("seat 1", "roll"), ("chance", "6")]
        {
            teller.tell(who, what).unwrap();
        }
        assert_eq!(teller.take_held().unwrap(), "seat 1: pass x2, roll\nchance: 6\n");
        assert_eq!(teller.take_held().unwrap(), "");
    }
}
