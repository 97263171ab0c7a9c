//! GNU Backgammon, through the socket on which it answers board lines of FIBS.

use std::any::Any;
use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use meeple_game::{Action, Game, Rng, View};
use meeple_games::backgammon::Backgammon;
use meeple_search::StopFlag;

use super::line::{Lines, start_of};
use super::{Cause, ExternalSpec, Forfeit, START};
use crate::{Bot, BotError};

/// How often a wait looks for the stop flag, and for a socket that does not exist yet.
const GLANCE: Duration = Duration::from_millis(20);
/// The maximum length of an answer, in bytes.
const LONGEST: usize = 1000;
/// Where Debian installs the program, which is not on everybody's path.
const USUAL: &str = "/usr/games/gnubg";

/// A running GNU Backgammon.
#[derive(Debug)]
pub(super) struct Gnubg {
    lines: Lines,
    socket: UnixStream,
    stop: StopFlag,
    limit: Duration,
    /// The rest of the turn that it chose: the key of each state and its action.
    turn: Vec<(u64, Action)>,
    /// Holds the socket and the program's own files.
    _folder: PrivateFolder,
}

impl Gnubg {
    pub(super) fn start(spec: &ExternalSpec) -> Result<Self, Forfeit> {
        let folder = PrivateFolder::create().map_err(|error| {
            Forfeit::new(Cause::Crash, format!("cannot create a folder for its socket: {error}"))
        })?;
        let is_usual = spec.command == "gnubg" && Path::new(USUAL).exists();
        let program = if is_usual { USUAL } else { &spec.command };
        // No window, no sound, no settings of the user, and its files elsewhere.
        let command = format!("{program} -t -q -r -s '{}'", folder.0.display());
        let mut lines = Lines::start(&command)?;
        let deadline = Instant::now() + START;
        let path = folder.0.join("socket");
        for line in commands(spec, &path) {
            lines.say(&line, deadline)?;
        }
        let socket = connect(&mut lines, &path, deadline)?;
        let (limit, stop) = (spec.limit(), StopFlag::default());
        Ok(Self { lines, socket, stop, limit, turn: Vec::new(), _folder: folder })
    }

    /// Sends a line and returns the answer.
    fn ask(&mut self, line: &str) -> Result<String, Forfeit> {
        let deadline = Instant::now() + self.limit;
        // What it prints meanwhile must not fill the queue.
        self.lines.expect_silence(|_| false)?;
        let sent = writeln!(self.socket, "{line}");
        sent.map_err(|error| self.lines.gone(&format!("its socket is closed ({error})")))?;
        let mut answer = Vec::new();
        let mut bytes = [0; 256];
        loop {
            if let Some(end) = answer.iter().position(|&byte| byte == b'\n') {
                if end + 1 < answer.len() {
                    let text = String::from_utf8_lossy(&answer).into_owned();
                    return Err(self.nonsense(&text));
                }
                return Ok(String::from_utf8_lossy(&answer).trim().to_owned());
            }
            if answer.len() > LONGEST {
                let text = String::from_utf8_lossy(&answer).into_owned();
                return Err(self.nonsense(&text));
            }
            match self.socket.read(&mut bytes) {
                Ok(0) => return Err(self.lines.gone("its socket is closed")),
                Ok(count) => answer.extend_from_slice(&bytes[..count]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(self.lines.gone(&format!("its socket is closed ({error})")));
                }
            }
            if self.stop.is_stopped() || Instant::now() >= deadline {
                let late = Forfeit::new(Cause::Timeout, "no answer within the time");
                return Err(self.lines.fail(late));
            }
        }
    }

    fn nonsense(&mut self, answer: &str) -> Forfeit {
        let detail = format!("expected moves such as 8/5 6/5, got {:?}", start_of(answer));
        self.lines.fail(Forfeit::new(Cause::Nonsense, detail))
    }

    /// Asks for the whole turn.
    fn plan(&mut self, game: &Backgammon) -> Result<(), Forfeit> {
        let answer = self.ask(&game.fibs_board())?;
        let looks_like_moves = answer.split_whitespace().all(|word| word.contains('/'));
        if answer.is_empty() || !looks_like_moves {
            return Err(self.nonsense(&answer));
        }
        let Some(actions) = game.parse_turn(&answer) else {
            let detail = format!("{:?}", start_of(&answer));
            return Err(self.lines.fail(Forfeit::new(Cause::IllegalMove, detail)));
        };
        let mut state = *game;
        self.turn.clear();
        for action in actions {
            self.turn.push((state.key(), action));
            state.apply(action);
        }
        self.turn.reverse();
        Ok(())
    }
}

impl Drop for Gnubg {
    /// It does not end by itself when its input is closed: it waits for another connection.
    fn drop(&mut self) {
        self.lines.kill();
    }
}

impl<G: Game> Bot<G> for Gnubg {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        let game = view.sample(rng);
        let game = (&game as &dyn Any).downcast_ref::<Backgammon>();
        let game = game.expect("it is built for backgammon alone");
        if self.turn.last().is_none_or(|&(key, _)| key != game.key()) {
            self.plan(game)?;
        }
        let (_, action) = self.turn.pop().expect("a turn has a move");
        Ok(action)
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.lines.set_stop(stop);
        self.stop = stop.clone();
    }

    fn begin(&mut self) -> Result<(), BotError> {
        self.turn.clear();
        Ok(())
    }
}

/// The commands that set up the evaluation and open the socket.
fn commands(spec: &ExternalSpec, socket: &Path) -> Vec<String> {
    let evaluation = "set evaluation chequerplay evaluation";
    vec![
        "set jacoby off".into(),
        format!("{evaluation} plies {}", spec.depth.unwrap_or(0)),
        format!("{evaluation} cubeful off"),
        format!("{evaluation} noise {}", spec.noise),
        format!("{evaluation} deterministic on"),
        format!("external {}", socket.display()),
    ]
}

/// Waits for the socket, and connects.
fn connect(lines: &mut Lines, path: &Path, deadline: Instant) -> Result<UnixStream, Forfeit> {
    loop {
        if let Ok(socket) = UnixStream::connect(path) {
            let set = socket
                .set_read_timeout(Some(GLANCE))
                .and_then(|()| socket.set_write_timeout(Some(GLANCE)));
            return match set {
                Ok(()) => Ok(socket),
                Err(error) => Err(lines.gone(&format!("its socket fails ({error})"))),
            };
        }
        // Says why if it has ended.
        lines.expect_running()?;
        if Instant::now() >= deadline {
            let late = Forfeit::new(Cause::Timeout, "it did not open its socket within the time");
            return Err(lines.fail(late));
        }
        thread::sleep(GLANCE);
    }
}

/// A folder that only this user can enter. It is removed with its content.
#[derive(Debug)]
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    fn create() -> std::io::Result<Self> {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = CREATED.fetch_add(1, Ordering::Relaxed);
            let name = format!("meeple-gnubg-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Player, Turn};
    use meeple_games::backgammon::Options;

    use super::super::Protocol;
    use super::*;

    /// Waits for `external`, and then runs `ANSWER` for each connection.
    const STAND_IN: &str = "
import socket, sys, time
for line in sys.stdin:
    if line.startswith('external '):
        server = socket.socket(socket.AF_UNIX)
        server.bind(line.split(None, 1)[1].strip())
        server.listen(1)
        client, _ = server.accept()
        for question in client.makefile('r'):
            ANSWER
        break
";

    fn started(command: &str, time: u32) -> Result<Gnubg, Forfeit> {
        let (command, protocol) = (command.to_owned(), Protocol::Gnubg);
        let spec = ExternalSpec { protocol, command, time, nodes: None, depth: None, noise: 0.0 };
        Gnubg::start(&spec)
    }

    /// A program that does `answer` for each question, and its folder.
    fn stand_in(answer: &str, time: u32) -> (Gnubg, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stand_in.py");
        fs::write(&path, STAND_IN.replace("ANSWER", answer)).unwrap();
        let gnubg = started(&format!("python3 '{}'", path.display()), time);
        (gnubg.expect("it starts"), folder)
    }

    fn after_31() -> Backgammon {
        let mut game = Backgammon::new(&Options::default());
        game.apply(game.parse_action("seat 0 begins with 3-1").unwrap());
        game
    }

    fn choose(gnubg: &mut Gnubg, game: &Backgammon) -> Result<Action, Forfeit> {
        let chosen = gnubg.choose(&View::new(game, Player(0)), &mut Rng::new(1));
        chosen.map_err(|error| match error {
            BotError::Forfeit(forfeit) => forfeit,
            other @ BotError::Search { .. } => panic!("{other}"),
        })
    }

    #[test]
    fn a_turn_is_asked_for_once() {
        let answer = "client.sendall(b'8/5 6/5 \\n' if ':3:1:0:0:' in question else b'?\\n')";
        let (mut gnubg, _folder) = stand_in(answer, 5_000);
        let mut game = after_31();
        for expected in ["8/5", "6/5"] {
            let action = choose(&mut gnubg, &game).unwrap();
            assert_eq!(game.action_name(action), expected);
            game.apply(action);
        }
        assert_eq!(game.turn(), Turn::Chance);
    }

    #[test]
    fn failures_have_their_causes() {
        for (answer, cause, detail) in [
            ("client.sendall(b'8/4 6/5\\n')", Cause::IllegalMove, "\"8/4 6/5\""),
            ("client.sendall(b'Error: no\\n')", Cause::Nonsense, "got \"Error: no\""),
            ("client.sendall(b'\\n')", Cause::Nonsense, "got \"\""),
            ("client.sendall(b'x' * 5000)", Cause::Nonsense, "got \"xxx"),
            ("time.sleep(60)", Cause::Timeout, "no answer within the time"),
            ("sys.exit('it broke')", Cause::Crash, "exit status: 1"),
        ] {
            let time = if cause == Cause::Timeout { 100 } else { 20_000 };
            let (mut gnubg, _folder) = stand_in(answer, time);
            let forfeit = choose(&mut gnubg, &after_31()).unwrap_err();
            assert_eq!(forfeit.cause, cause, "{forfeit}");
            assert!(forfeit.detail.contains(detail), "{forfeit}");
            let has_stderr = forfeit.stderr.iter().any(|line| line.contains("it broke"));
            assert_eq!(has_stderr, cause == Cause::Crash, "{forfeit}");
        }
    }

    #[test]
    fn programs_that_do_not_start_say_why() {
        let forfeit = started("no-such-gnubg", 1_000).unwrap_err();
        assert!(forfeit.detail.contains("cannot start"), "{forfeit}");
        let forfeit = started("sh -c 'echo broken >&2; exit 3'", 1_000).unwrap_err();
        assert_eq!(forfeit.cause, Cause::Crash);
        assert!(forfeit.stderr.iter().any(|line| line == "broken"), "{forfeit}");
    }

    /// The real program, where it is installed: its opening moves, and a game.
    #[test]
    fn gnubg_plays() {
        if !Path::new(USUAL).exists() {
            return;
        }
        let mut gnubg = started("gnubg", 20_000).expect("it starts");
        let mut game = after_31();
        assert_eq!(game.action_name(choose(&mut gnubg, &game).unwrap()), "8/5");
        let mut rng = Rng::new(4);
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Player(seat) => {
                    gnubg.choose(&View::new(&game, seat), &mut rng).expect("it has a move")
                }
                _ => game.sample_chance(&mut rng),
            };
            game.try_apply(action).expect("it is legal");
        }
    }
}
