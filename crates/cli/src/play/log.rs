//! The log of actions and chance events shown to a human; consecutive actions share a line.

use crate::failure::Failure;
use crate::show;

/// The log of one human player.
#[derive(Default)]
pub(crate) struct ActionLog {
    actor: String,
    /// The pending actions of `actor`, each with its number of repetitions.
    pending: Vec<(String, usize)>,
    /// Output kept back until the player has the screen alone; `None` to print directly.
    buffer: Option<String>,
}

impl ActionLog {
    /// Returns a log that keeps its output back until [`take_buffered`](Self::take_buffered).
    pub(crate) fn buffered() -> Self {
        Self { buffer: Some(String::new()), ..Self::default() }
    }

    /// Adds an action of `actor`.
    pub(crate) fn add(&mut self, actor: &str, action: &str) -> Result<(), Failure> {
        if self.actor != actor {
            self.flush()?;
            actor.clone_into(&mut self.actor);
        }
        match self.pending.last_mut() {
            Some((last, times)) if last == action => *times += 1,
            _ => self.pending.push((action.to_owned(), 1)),
        }
        Ok(())
    }

    /// Returns whether the pending actions are not those of `actor`.
    pub(crate) fn is_of_another(&self, actor: &str) -> bool {
        self.actor != actor
    }

    /// Adds a separate line.
    pub(crate) fn add_line(&mut self, line: &str) -> Result<(), Failure> {
        self.flush()?;
        self.write(line)
    }

    /// Writes the pending actions.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let actions: Vec<String> = (self.pending.drain(..))
            .map(|(action, times)| if times > 1 { format!("{action} x{times}") } else { action })
            .collect();
        let line = format!("{}: {}", self.actor, actions.join(", "));
        self.actor.clear();
        self.write(&line)
    }

    /// Takes the buffered output.
    pub(crate) fn take_buffered(&mut self) -> Result<String, Failure> {
        self.flush()?;
        Ok(self.buffer.as_mut().map(std::mem::take).unwrap_or_default())
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        let text = show::wrapped(line, "  ");
        match &mut self.buffer {
            Some(buffer) => {
                buffer.push_str(&text);
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
    fn consecutive_actions_share_a_line() {
        let mut log = ActionLog::buffered();
        for (actor, action) in
            [("seat 1", "pass"), ("seat 1", "pass"), ("seat 1", "roll"), ("chance", "6")]
        {
            log.add(actor, action).unwrap();
        }
        assert_eq!(log.take_buffered().unwrap(), "seat 1: pass x2, roll\nchance: 6\n");
        assert_eq!(log.take_buffered().unwrap(), "");
    }
}
