//! Line-based communication with a program, with deadlines.

use std::io::{self, BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use meeple_search::StopFlag;

use super::process::Process;
use super::{Cause, Forfeit};

/// The maximum length of a line, in bytes.
const LONGEST: u64 = 1 << 20;
/// The capacity of the output queue, in lines. A program that writes more is blocked.
const WAITING: usize = 64;
/// How often a wait checks the stop flag.
const GLANCE: Duration = Duration::from_millis(50);
/// The time that a program has to exit after its input is closed.
const PATIENCE: Duration = Duration::from_millis(500);

/// A running program. Two threads own its pipes, so that a program that does not read or write
/// cannot block the caller beyond the deadline.
#[derive(Debug)]
pub(super) struct Lines {
    process: Process,
    /// Lines for the program. Dropping this closes its stdin.
    input: Option<SyncSender<String>>,
    /// The result of writing each line.
    written: Receiver<io::Result<()>>,
    output: Receiver<Heard>,
    /// Its stdin, to see what of it was read.
    #[cfg(unix)]
    stdin: Option<OwnedFd>,
    /// Interrupts every wait.
    stop: StopFlag,
}

/// Output of the program.
#[derive(Debug)]
enum Heard {
    Line(String),
    TooLong,
}

impl Lines {
    /// Starts `command`, a program and its arguments.
    pub(super) fn start(command: &str) -> Result<Self, Forfeit> {
        let words = split(command);
        let (program, arguments) =
            words.split_first().ok_or_else(|| Forfeit::new(Cause::Crash, "no command"))?;
        let (process, stdin, stdout) = Process::start(program, arguments)
            .map_err(|error| Forfeit::new(Cause::Crash, format!("cannot start: {error}")))?;
        #[cfg(unix)]
        let input_end = stdin.as_fd().try_clone_to_owned().ok();
        let (input, lines) = sync_channel(1);
        let (result, written) = sync_channel(1);
        thread::spawn(move || write_lines(stdin, &lines, &result));
        let (heard, output) = sync_channel(WAITING);
        thread::spawn(move || read_lines(stdout, &heard));
        Ok(Self {
            process,
            input: Some(input),
            written,
            output,
            #[cfg(unix)]
            stdin: input_end,
            stop: StopFlag::default(),
        })
    }

    /// Sets the flag that interrupts every wait, as if the deadline had passed.
    pub(super) fn set_stop(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }

    /// Sends a line, which the program has to read before `deadline`.
    pub(super) fn say(&mut self, line: &str, deadline: Instant) -> Result<(), Forfeit> {
        let input = self.input.as_ref();
        let input = input.ok_or_else(|| Forfeit::new(Cause::Crash, "it has ended"))?;
        // The previous line has been written, so the writer thread is ready. If the thread has
        // exited, `written` reports it.
        let _ = input.send(format!("{line}\n"));
        match self.wait(&self.written, deadline) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.gone(&format!("its input is closed ({error})"))),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone("its input is closed")),
            Err(RecvTimeoutError::Timeout) => {
                let detail = "it did not read its input within the time";
                Err(self.fail(Forfeit::new(Cause::Timeout, detail)))
            }
        }
    }

    /// Returns the first `Some` that `wanted` gives for a line, before `deadline`.
    pub(super) fn hear<T>(
        &mut self,
        deadline: Instant,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        loop {
            // The deadline also holds for a program that always has another line ready.
            let is_late = left(deadline).is_zero();
            let heard = match self.wait(&self.output, deadline) {
                Ok(_) if is_late => Err(RecvTimeoutError::Timeout),
                heard => heard,
            };
            match heard {
                Ok(Heard::Line(line)) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Ok(Heard::TooLong) => {
                    let detail = format!("a line longer than {LONGEST} bytes");
                    return Err(self.fail(Forfeit::new(Cause::Nonsense, detail)));
                }
                Err(RecvTimeoutError::Timeout) => {
                    // The program is killed, because a late answer could be taken for that to the
                    // next question.
                    let late = Forfeit::new(Cause::Timeout, "no answer within the time");
                    return Err(self.fail(late));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone("its output ended")),
            }
        }
    }

    /// Waits for a message until `deadline`, or until the stop flag is set.
    fn wait<T>(&self, from: &Receiver<T>, deadline: Instant) -> Result<T, RecvTimeoutError> {
        loop {
            let left = left(deadline);
            match from.recv_timeout(left.min(GLANCE)) {
                Err(RecvTimeoutError::Timeout) if left > GLANCE && !self.stop.is_stopped() => {}
                other => return other,
            }
        }
    }

    /// Returns an error if the program has answered before it was asked.
    pub(super) fn expect_silence(
        &mut self,
        is_answer: impl Fn(&str) -> bool,
    ) -> Result<(), Forfeit> {
        let early = |heard| match heard {
            Heard::Line(line) => is_answer(&line).then(|| format!("{:?}", start_of(&line))),
            Heard::TooLong => Some(format!("a line longer than {LONGEST} bytes")),
        };
        // At most one full queue: the program may write more lines during this loop.
        let Some(answer) = self.output.try_iter().take(WAITING).find_map(early) else {
            return Ok(());
        };
        let detail = format!("answered before it was asked: {answer}");
        Err(self.fail(Forfeit::new(Cause::Nonsense, detail)))
    }

    /// Returns an error if the program has answered the last line without reading it. Bytes that
    /// it wrote just before that line may arrive after it, so silence before is not enough.
    #[cfg(unix)]
    pub(super) fn expect_read(&mut self) -> Result<(), Forfeit> {
        // A reader of JSON may leave the end of the line.
        const END_OF_LINE: u64 = 1;
        let stdin = self.stdin.as_ref();
        match stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok()) {
            Some(unread) if unread > END_OF_LINE => {
                let detail = "answered without reading the question";
                Err(self.fail(Forfeit::new(Cause::Nonsense, detail)))
            }
            _ => Ok(()),
        }
    }

    /// Where nothing tells what a program has read, silence before the question has to do.
    #[cfg(not(unix))]
    pub(super) fn expect_read(&mut self) -> Result<(), Forfeit> {
        Ok(())
    }

    /// Kills the program because of `forfeit`, and adds the end of its stderr.
    pub(super) fn fail(&mut self, forfeit: Forfeit) -> Forfeit {
        self.end(Duration::ZERO);
        Forfeit { stderr: self.process.stderr(), ..forfeit }
    }

    /// Returns an error if the program has closed its output.
    pub(super) fn expect_running(&mut self) -> Result<(), Forfeit> {
        loop {
            match self.output.try_recv() {
                Ok(_) => {}
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(self.gone("its output ended")),
            }
        }
    }

    /// Kills the program.
    pub(super) fn kill(&mut self) {
        self.end(Duration::ZERO);
    }

    /// Returns the forfeit of a program that closed one of its pipes.
    pub(super) fn gone(&mut self, what: &str) -> Forfeit {
        self.end(PATIENCE);
        let status = self.process.status();
        let status = status.map_or_else(String::new, |status| format!(", {status}"));
        self.fail(Forfeit::new(Cause::Crash, format!("{what}{status}")))
    }

    /// Closes its input, waits up to `patience`, and kills it.
    fn end(&mut self, patience: Duration) {
        self.input = None;
        #[cfg(unix)]
        {
            self.stdin = None;
        }
        self.process.end(patience);
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.end(PATIENCE);
    }
}

/// Returns the time until `deadline`.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Returns the start of a line, for messages.
pub(super) fn start_of(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Writes lines until the sender is dropped, and then closes the program's stdin.
fn write_lines(
    mut stdin: ChildStdin,
    lines: &Receiver<String>,
    result: &SyncSender<io::Result<()>>,
) {
    while let Ok(line) = lines.recv() {
        let written = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
        if result.send(written).is_err() {
            return;
        }
    }
}

/// Reads lines until the program's stdout is closed.
fn read_lines(stdout: ChildStdout, heard: &SyncSender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            // The receiver kills the program after this message.
            let _ = heard.send(Heard::TooLong);
            return;
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if heard.send(Heard::Line(line)).is_err() {
            return;
        }
    }
}

/// Splits a command at white space, except within quotes.
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
    mod unix {
        use super::*;

        fn soon() -> Instant {
            Instant::now() + Duration::from_millis(100)
        }

        fn later() -> Instant {
            Instant::now() + Duration::from_secs(20)
        }

        fn any(line: &str) -> Option<String> {
            Some(line.to_owned())
        }

        #[test]
        fn silence_and_ends_are_told_apart() {
            let mut silent = Lines::start("sleep 60").unwrap();
            let error = silent.hear(soon(), any).unwrap_err();
            assert_eq!(error.cause, Cause::Timeout);
            assert!(silent.say("more", later()).is_err(), "it was ended");
            let mut ended = Lines::start("sh -c 'exit 3'").unwrap();
            let error = ended.hear(later(), any).unwrap_err();
            assert_eq!(error.cause, Cause::Crash);
            assert!(error.detail.contains("exit status: 3"), "{error}");
            let mut echo = Lines::start("cat").unwrap();
            echo.say("one", later()).unwrap();
            echo.say("two", later()).unwrap();
            let heard = echo.hear(later(), |line| (line == "two").then(|| line.to_owned()));
            assert_eq!(heard, Ok("two".into()));
        }

        #[test]
        fn nobody_waits_once_the_work_is_stopped() {
            let mut silent = Lines::start("sleep 60").unwrap();
            let stop = StopFlag::default();
            silent.set_stop(&stop);
            let start = Instant::now();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(20));
                stop.stop();
            });
            let error = silent.hear(later(), any).unwrap_err();
            assert_eq!(error.cause, Cause::Timeout);
            assert!(start.elapsed() < Duration::from_secs(10), "not until the deadline");
        }

        /// A pipe buffers some lines; then the writer blocks until the program reads.
        #[test]
        fn programs_that_do_not_read_are_late() {
            let mut deaf = Lines::start("sleep 60").unwrap();
            let line = "x".repeat(1 << 16);
            let error = (0..1000).find_map(|_| deaf.say(&line, soon()).err());
            let error = error.expect("no pipe holds 64 MB");
            assert_eq!(error.cause, Cause::Timeout);
            assert!(error.detail.contains("did not read"), "{error}");
        }

        #[test]
        fn programs_that_write_without_end_are_late() {
            let mut endless = Lines::start("yes").unwrap();
            let error = endless.hear(soon(), |_| None::<()>).unwrap_err();
            assert_eq!(error.cause, Cause::Timeout);
            let mut endless = Lines::start("sh -c 'cat /dev/zero'").unwrap();
            let error = endless.hear(later(), any).unwrap_err();
            assert_eq!(error.cause, Cause::Nonsense);
            assert_eq!(error.detail, "a line longer than 1048576 bytes");
        }

        #[test]
        fn answers_before_the_question_are_refused() {
            let mut hasty = Lines::start("sh -c 'echo a; echo b; echo c; exec sleep 60'").unwrap();
            assert_eq!(hasty.hear(later(), any), Ok("a".into()));
            // When the last line has arrived, so have all others.
            let mut early = loop {
                if let Err(error) = hasty.expect_silence(|line| line == "c") {
                    break error;
                }
                thread::yield_now();
            };
            assert_eq!(early.cause, Cause::Nonsense);
            assert_eq!(early.detail, "answered before it was asked: \"c\"");
            early = hasty.say("more", later()).unwrap_err();
            assert_eq!(early.detail, "it has ended");
        }

        #[test]
        fn answers_without_reading_are_refused() {
            let mut deaf = Lines::start("sh -c 'while sleep 0.01; do echo a; done'").unwrap();
            deaf.say("a question", later()).unwrap();
            assert_eq!(deaf.hear(later(), any), Ok("a".into()));
            let error = deaf.expect_read().unwrap_err();
            assert_eq!(error.cause, Cause::Nonsense);
            assert_eq!(error.detail, "answered without reading the question");
            // Neither what reads lines nor what stops before their end is refused.
            for reader in ["cat", "sh -c 'head -c 10 >/dev/null; echo b; exec sleep 60'"] {
                let mut reader = Lines::start(reader).unwrap();
                reader.say("a question", later()).unwrap();
                reader.hear(later(), any).unwrap();
                assert_eq!(reader.expect_read(), Ok(()));
            }
        }

        #[test]
        fn the_last_lines_of_stderr_are_kept() {
            let script = "sh -c 'seq 20 >&2; printf \"\\033[31mred\\n\" >&2; exit 1'";
            let mut talkative = Lines::start(script).unwrap();
            let error = talkative.hear(later(), any).unwrap_err();
            let expected: Vec<String> = (12..=20).map(|number| number.to_string()).collect();
            assert_eq!(error.stderr[..9], expected);
            assert_eq!(error.stderr[9], " [31mred", "without escape sequences");
            let text = error.to_string();
            assert!(text.starts_with("crashed: its output ended, exit status: 1; stderr: 12 | 13"));
        }

        /// Runs a program that starts `child` with a pipe as its output, and ends the program: after
        /// a question or without one. The pipe closes when the child is killed too.
        fn expect_end_of(child: &str) {
            let place = tempfile::tempdir().unwrap();
            let pipe = place.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(made.success());
            let script = place.path().join("program.sh");
            let lines =
                format!("({child}) >'{}' &\necho started\nread line\nexit\n", pipe.display());
            std::fs::write(&script, lines).unwrap();
            for is_asked in [false, true] {
                let mut parent = Lines::start(&format!("sh '{}'", script.display())).unwrap();
                // Blocks until the child opens its end.
                let mut child = std::fs::File::open(&pipe).unwrap();
                assert_eq!(parent.hear(later(), any), Ok("started".into()));
                if is_asked {
                    parent.say("end", later()).unwrap();
                }
                drop(parent);
                let mut rest = String::new();
                child.read_to_string(&mut rest).unwrap();
                assert_eq!(rest, "", "nobody holds the pipe, since the child is gone");
            }
        }

        #[test]
        fn what_a_program_started_ends_with_it() {
            expect_end_of("sleep 20; echo survived");
        }

        /// A session of its own, and a daemon whose parent has exited.
        #[cfg(target_os = "linux")]
        #[test]
        fn descendants_in_other_sessions_end_with_it() {
            expect_end_of("exec setsid sh -c 'sleep 20; echo survived'");
            expect_end_of("setsid sh -c '(sleep 20; echo survived) & exit'; exit");
        }
    }
}
