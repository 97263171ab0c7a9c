//! Writes games in the MAT format (Jellyfish), which other programs import.

use meeple_game::{Action, Game, IllegalAction, Player, Turn};

use super::{Backgammon, DOUBLE, DROP, Options, Stage, TAKE};

/// The width of the left column.
const COLUMN: usize = 34;

/// Writes one game as a MAT file.
///
/// `actions` are all actions of the game from its start, including rolls.
///
/// ```
/// use meeple_game::{Game, Rng, Turn, choices};
/// use meeple_games::backgammon::{Backgammon, Options, mat};
///
/// let (mut game, mut rng, mut actions) = (Backgammon::new(&Options::default()), Rng::new(1), vec![]);
/// while game.turn() != Turn::Over {
///     let action = match game.turn() {
///         Turn::Chance => game.sample_chance(&mut rng),
///         _ => *rng.pick(&choices(&game)),
///     };
///     actions.push(action);
///     game.apply(action);
/// }
/// let text = mat(&Options::default(), &actions, ["Anna", "Ben"])?;
/// assert!(text.contains(" Game 1\n Anna : 0"));
/// assert!(text.contains("Wins "));
/// # Ok::<_, meeple_game::IllegalAction>(())
/// ```
///
/// # Errors
///
/// If an action is not legal.
pub fn mat(
    options: &Options,
    actions: &[Action],
    names: [&str; 2],
) -> Result<String, IllegalAction> {
    let mut game = Backgammon::new(options);
    let mut sheet = Sheet::default();
    for &action in actions {
        let before = game;
        game.try_apply(action)?;
        sheet.write(&before, action);
    }
    let left = format!(" {} : 0", names[0]);
    let mut text = format!(" 1 point match\n\n Game 1\n{left:COLUMN$}{} : 0\n", names[1]);
    for (number, [first, second]) in (1..).zip(&sheet.lines) {
        // The blank keeps the columns apart where the left one is too long.
        let line = format!("{number:>3}) {} ", first.text());
        text.push_str(format!("{line:COLUMN$}{}", second.text()).trim_end());
        text.push('\n');
    }
    if let Turn::Over = game.turn() {
        text.push_str(&wins(&game));
    }
    Ok(text)
}

/// The line with the result, in the winner's column.
fn wins(game: &Backgammon) -> String {
    let Stage::Over { winner, size } = game.stage else { return String::new() };
    let points = u32::from(size) * u32::from(game.cube);
    let plural = if points == 1 { "" } else { "s" };
    let indent = if winner == Player(0) { 6 } else { COLUMN + 1 };
    format!("{:indent$}Wins {points} point{plural}\n", "")
}

/// A turn: the roll and its moves, or a cube action.
#[derive(Default)]
struct Entry {
    head: String,
    moves: Vec<String>,
}

impl Entry {
    /// Equal moves are written once with their count, to fit the column.
    fn text(&self) -> String {
        let mut text = self.head.clone();
        for (at, name) in self.moves.iter().enumerate() {
            if self.moves[..at].contains(name) {
                continue;
            }
            text.push(' ');
            text.push_str(name);
            let times = self.moves.iter().filter(|other| *other == name).count();
            if times > 1 {
                text.push_str(&format!("({times})"));
            }
        }
        text
    }
}

/// The turns so far: a line for each pair, with seat 0 on the left.
#[derive(Default)]
struct Sheet {
    lines: Vec<[Entry; 2]>,
    /// The seat whose turn was written last.
    last: Option<usize>,
}

impl Sheet {
    fn write(&mut self, before: &Backgammon, action: Action) {
        match before.stage {
            Stage::Opening | Stage::Roll => {
                // Taken from the action, since a turn without legal moves is already over.
                let mover = if before.stage == Stage::Opening {
                    usize::from(action.0 >= super::ROLLS)
                } else {
                    before.mover.index()
                };
                let (high, low) = super::roll_of(action.0 % super::ROLLS);
                self.open(mover, &format!("{high}{low}:"));
            }
            Stage::Move => {
                let (point, die) = super::move_of(action);
                let side = before.mover.index();
                let line = self.lines.last_mut().expect("a roll precedes every move");
                line[side].moves.push(move_name(before, point, die));
            }
            Stage::CubeDecision | Stage::CubeResponse | Stage::Over { .. } => {
                let (side, text) = match action {
                    DOUBLE => (before.mover.index(), format!("Doubles => {}", 2 * before.cube)),
                    TAKE => (1 - before.mover.index(), "Takes".into()),
                    DROP => (1 - before.mover.index(), "Drops".into()),
                    _ => return,
                };
                self.open(side, &text);
            }
        }
    }

    /// Starts a turn of `side`.
    fn open(&mut self, side: usize, text: &str) {
        let fits = self.last == Some(0) && side == 1;
        if !fits {
            self.lines.push(Default::default());
        }
        let line = self.lines.last_mut().expect("there is a line");
        line[side] = Entry { head: text.into(), moves: Vec::new() };
        self.last = Some(side);
    }
}

/// A move, with the bar as point 25 and borne off as point 0.
fn move_name(game: &Backgammon, point: usize, die: u8) -> String {
    let hit = if game.board.hits(game.mover.index(), point, die.into()) { "*" } else { "" };
    format!("{}/{}{hit}", point + 1, (point + 1).saturating_sub(die.into()))
}
