//! A program that is told lines and answers with lines, in time or not at all.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Cause, Forfeit};

/// The longest line that is listened to.
const LONGEST: u64 = 1 << 20;
/// What a program may take to end once its input is closed.
const PATIENCE: Duration = Duration::from_millis(500);

/// A running program.
#[derive(Debug)]
pub(super) struct Lines {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Lines {
    /// Starts `command`: a program and its arguments.
    pub(super) fn start(command: &str) -> Result<Self, Forfeit> {
        let words = split(command);
        let (program, arguments) =
            words.split_first().ok_or_else(|| Forfeit::new(Cause::Crash, "no command"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Forfeit::new(Cause::Crash, format!("cannot start: {error}")))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("stdout is piped");
        // A few lines at a time: a program that floods us waits.
        let (sender, receiver) = sync_channel(64);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
                if !matches!(read, Ok(1..)) {
                    return;
                }
                if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, output: receiver })
    }

    /// Tells the program a line.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Forfeit> {
        let input =
            self.input.as_mut().ok_or_else(|| Forfeit::new(Cause::Crash, "it has ended"))?;
        let told = writeln!(input, "{line}").and_then(|()| input.flush());
        told.map_err(|error| self.gone(&format!("its input is closed ({error})")))
    }

    /// The next line for which `wanted` yields something, before `deadline`.
    pub(super) fn hear<T>(
        &mut self,
        deadline: Instant,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    // A late answer must not pass for one to the next question.
                    self.end(Duration::ZERO);
                    return Err(Forfeit::new(Cause::Timeout, "no answer within the time"));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone("its output ended")),
            }
        }
    }

    /// What became of the program.
    fn gone(&mut self, what: &str) -> Forfeit {
        self.end(PATIENCE);
        let status = self.child.try_wait().ok().flatten();
        let status = status.map_or_else(String::new, |status| format!(", {status}"));
        Forfeit::new(Cause::Crash, format!("{what}{status}"))
    }

    /// Closes its input, waits a moment, and ends it.
    fn end(&mut self, patience: Duration) {
        self.input = None;
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if start.elapsed() >= patience {
                // It may have ended by itself in between, which is as well.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.end(PATIENCE);
    }
}

/// Words parted by blanks, where quotes hold together what has blanks.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(letter),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_people_expect() {
        assert_eq!(split(r#" python3 "my bot.py"  -x='' "#), ["python3", "my bot.py", "-x="]);
        assert!(split("  ").is_empty());
    }

    #[test]
    fn programs_that_do_not_exist_do_not_start() {
        let error = Lines::start("no-such-program-anywhere").unwrap_err();
        assert_eq!(error.cause, Cause::Crash);
        assert!(error.detail.starts_with("cannot start: "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn silence_and_ends_are_told_apart() {
        let soon = || Instant::now() + Duration::from_millis(100);
        let mut silent = Lines::start("sleep 60").unwrap();
        let error = silent.hear(soon(), |line| Some(line.len())).unwrap_err();
        assert_eq!(error.cause, Cause::Timeout);
        assert!(silent.say("more").is_err(), "it was ended");
        let mut ended = Lines::start("sh -c 'exit 3'").unwrap();
        let later = Instant::now() + Duration::from_secs(20);
        let error = ended.hear(later, |line| Some(line.len())).unwrap_err();
        assert_eq!(error.cause, Cause::Crash);
        assert!(error.detail.contains("exit status: 3"), "{error}");
        let mut echo = Lines::start("cat").unwrap();
        echo.say("one").unwrap();
        echo.say("two").unwrap();
        let heard = echo.hear(later, |line| (line == "two").then(|| line.to_owned()));
        assert_eq!(heard, Ok("two".into()));
    }
}
