//! Reads games in the MAT format (Jellyfish).

use meeple_game::{Action, Game, Player, Turn};

use super::board::BAR;
use super::{
    Backgammon, Cube, DOUBLE, DROP, Options, ROLL, ROLLS, Stage, TAKE, action_of, move_of,
    roll_index,
};

/// The first column at which an entry belongs to the right player.
const RIGHT: usize = 20;
/// The maximum cube value of games with doubles.
const CUBE: i64 = 64;

/// A game read from a MAT file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatGame {
    /// The configuration, with a cube if a player doubles.
    pub options: Options,
    /// The players' names.
    pub names: [String; 2],
    /// All actions, including rolls.
    pub actions: Vec<Action>,
    /// The winner and the points won, if the file has them.
    pub result: Option<(Player, u32)>,
}

/// An invalid MAT file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct MatError {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// Parses the games of a MAT file, played from the standard starting position.
///
/// The format does not define the order of the moves of doubles; they are played in the
/// order in which they are written.
///
/// ```
/// use meeple_games::backgammon::{mat, parse_mat};
///
/// let text = " 1 point match\n\n Game 1\n Anna : 0                   Ben : 0\n  \
///             1) 31: 8/5 6/5                   42: 8/4 6/4\n";
/// let game = &parse_mat(text)?[0];
/// assert_eq!((game.names[1].as_str(), game.actions.len()), ("Ben", 6));
/// let written = mat(&game.options, &game.actions, ["Anna", "Ben"]).expect("legal actions");
/// assert_eq!(parse_mat(&written)?[0], *game);
/// # Ok::<_, meeple_games::backgammon::MatError>(())
/// ```
///
/// # Errors
///
/// The first syntax error or illegal move, with its line.
pub fn parse_mat(text: &str) -> Result<Vec<MatGame>, MatError> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    let is_start = |line: &str| {
        let number = line.trim().strip_prefix("Game ");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| is_start(lines[at].1)).collect();
    if starts.is_empty() {
        let line = lines.len().max(1);
        return Err(MatError { line, reason: "expected a line \"Game 1\"".into() });
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().zip(ends).map(|(&start, end)| read_game(&lines[start..end])).collect()
}

fn read_game(lines: &[(usize, &str)]) -> Result<MatGame, MatError> {
    let (first, _) = lines[0];
    let mut rest = lines[1..].iter().filter(|(_, text)| !text.trim().is_empty());
    let names = match rest.next() {
        Some(&(line, text)) => names_in(text).ok_or_else(|| MatError {
            line,
            reason: "expected both players and their scores, such as \"Anna : 0  Ben : 0\"".into(),
        })?,
        None => return Err(MatError { line: first, reason: "the game has no players".into() }),
    };
    let mut entries = Vec::new();
    for &(line, text) in rest {
        entries.extend(entries_in(line, text)?);
    }
    let doubles = entries.iter().any(|entry| matches!(entry.what, What::Doubles));
    let cube = if doubles { Cube::try_from(CUBE).unwrap_or_default() } else { Cube::default() };
    let options = Options { cube, position: None };
    let mut replay = Replay { game: Backgammon::new(&options), actions: Vec::new() };
    let mut result = None;
    for (number, entry) in entries.iter().enumerate() {
        let wrong = |reason: String| MatError { line: entry.line, reason };
        if let What::Wins(points) = entry.what {
            result = Some((Player(entry.side as u8), points));
            break;
        }
        replay.apply_entry(entry).map_err(wrong)?;
        let over = entries.get(number + 1).is_none_or(|next| matches!(next.what, What::Wins(_)));
        if replay.game.stage == Stage::Move && !over {
            return Err(wrong(format!("more dice must be played here:\n{}", replay.game)));
        }
    }
    Ok(MatGame { options, names, actions: replay.actions, result })
}

/// The names in a line such as `Anna : 0   Ben : 2`.
fn names_in(line: &str) -> Option<[String; 2]> {
    let (left, rest) = line.split_once(" : ")?;
    let rest = rest.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    let (right, points) = rest.rsplit_once(" : ")?;
    points.trim().parse::<u32>().ok()?;
    Some([left.trim().to_owned(), right.trim().to_owned()])
}

/// The content of an entry.
enum What<'a> {
    /// A roll, and the moves as written.
    Rolls(u8, u8, Vec<&'a str>),
    Doubles,
    Takes,
    Drops,
    Wins(u32),
}

struct Entry<'a> {
    line: usize,
    side: usize,
    what: What<'a>,
}

/// The entries of a line: those of the left and the right player.
fn entries_in(line: usize, text: &str) -> Result<Vec<Entry<'_>>, MatError> {
    // Skips the turn number, if there is one.
    let body = match text.split_once(')') {
        Some((number, _)) if number.trim().parse::<u32>().is_ok() => number.len() + 1,
        _ => 0,
    };
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = body;
    for word in text[body..].split_whitespace() {
        at += text[at..].find(word).unwrap_or(0);
        words.push((at, word));
        at += word.len();
    }
    let starts: Vec<usize> = (0..words.len()).filter(|&at| begins_entry(words[at].1)).collect();
    if starts.first() != Some(&0) && !words.is_empty() || starts.len() > 2 {
        let reason = "expected turns such as \"31: 8/5 6/5\", Doubles, Takes, Drops or Wins";
        return Err(MatError { line, reason: reason.into() });
    }
    let mut entries = Vec::new();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(words.len());
        let side = if number == 1 { 1 } else { usize::from(words[start].0 >= RIGHT) };
        let entry: Vec<&str> = words[start..end].iter().map(|&(_, word)| word).collect();
        let what = what_of(&entry).ok_or_else(|| MatError {
            line,
            reason: format!("cannot parse {:?}", entry.join(" ")),
        })?;
        entries.push(Entry { line, side, what });
    }
    Ok(entries)
}

fn begins_entry(word: &str) -> bool {
    dice_of(word).is_some() || ["Doubles", "Takes", "Drops", "Wins"].contains(&word)
}

/// The dice of a word such as `31:`, the high one first.
fn dice_of(word: &str) -> Option<(u8, u8)> {
    let [one @ b'1'..=b'6', other @ b'1'..=b'6', b':'] = *word.as_bytes() else { return None };
    Some(((one.max(other)) - b'0', one.min(other) - b'0'))
}

fn what_of<'a>(words: &[&'a str]) -> Option<What<'a>> {
    match *words {
        ["Doubles", ..] => Some(What::Doubles),
        ["Takes"] => Some(What::Takes),
        ["Drops"] => Some(What::Drops),
        ["Wins", points, ..] => Some(What::Wins(points.parse().ok()?)),
        [dice, ref moves @ ..] => {
            let (high, low) = dice_of(dice)?;
            let cannot = moves.first().is_some_and(|word| word.eq_ignore_ascii_case("cannot"));
            Some(What::Rolls(high, low, if cannot { Vec::new() } else { moves.to_vec() }))
        }
        [] => None,
    }
}

/// The path of a checker, from and to, where 25 is the bar and 0 is off.
type Path = (usize, usize);

/// The paths of a word such as `8/5(2)`, `bar/20*` or `24/18*/13`.
fn paths_of(word: &str) -> Option<Vec<Path>> {
    let (points, times) = match word.split_once('(') {
        Some((points, times)) => (points, times.strip_suffix(')')?.parse::<usize>().ok()?),
        None => (word, 1),
    };
    let point = |text: &str| match text.trim_end_matches('*') {
        "bar" => Some(BAR + 1),
        "off" => Some(0),
        number => number.parse().ok().filter(|&number: &usize| number <= BAR + 1),
    };
    let points = points.split('/').map(point).collect::<Option<Vec<usize>>>()?;
    let descends = points.len() > 1 && points.windows(2).all(|pair| pair[0] > pair[1]);
    let paths: Vec<Path> = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
    (descends && (1..=4).contains(&times)).then(|| paths.repeat(times))
}

impl Backgammon {
    /// Parses the moves of a turn, such as `24/20 13/8`, `8/5(2) 6/3(2)` or `24/15`, into
    /// actions of one die each; `None` if they are not legal together.
    ///
    /// ```
    /// use meeple_game::{Game, Turn};
    /// use meeple_games::backgammon::Backgammon;
    ///
    /// let mut game = Backgammon::new(&Default::default());
    /// game.apply(game.parse_action("seat 0 begins with 5-4").expect("a roll"));
    /// let moves = game.parse_turn("24/20 13/8").expect("both are legal");
    /// moves.into_iter().for_each(|action| game.apply(action));
    /// assert_eq!(game.turn(), Turn::Chance);
    /// ```
    #[must_use]
    pub fn parse_turn(&self, text: &str) -> Option<Vec<Action>> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let paths: Vec<Path> = words
            .map(|word| paths_of(&word.to_ascii_lowercase()))
            .collect::<Option<Vec<_>>>()?
            .concat();
        (1..=4).contains(&paths.len()).then(|| moves_along(self, &paths)).flatten()
    }
}

/// A game being replayed.
struct Replay {
    game: Backgammon,
    actions: Vec<Action>,
}

impl Replay {
    fn apply_entry(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let game = &self.game;
        let mover = game.mover.index();
        match (&entry.what, game.stage) {
            (What::Rolls(high, low, _), Stage::Opening) if high == low => {
                Err("the opening roll cannot be a double".into())
            }
            (What::Rolls(high, low, moves), Stage::Opening) => {
                let first = ROLLS * entry.side as u16;
                self.turn(Action(roll_index(*high, *low) + first), moves)
            }
            (What::Rolls(high, low, moves), Stage::CubeDecision | Stage::Roll)
                if mover == entry.side =>
            {
                if game.stage == Stage::CubeDecision {
                    self.apply(ROLL);
                }
                self.turn(Action(roll_index(*high, *low)), moves)
            }
            (What::Doubles, Stage::CubeDecision) if mover == entry.side => {
                self.apply_cube_action(DOUBLE)
            }
            (What::Takes, Stage::CubeResponse) if mover != entry.side => {
                self.apply_cube_action(TAKE)
            }
            (What::Drops, Stage::CubeResponse) if mover != entry.side => {
                self.apply_cube_action(DROP)
            }
            _ if game.turn() == Turn::Over => Err("the game is over".into()),
            _ => Err(format!("seat {} cannot do this now:\n{game}", entry.side)),
        }
    }

    fn apply_cube_action(&mut self, action: Action) -> Result<(), String> {
        self.apply(action);
        Ok(())
    }

    fn apply(&mut self, action: Action) {
        self.game.apply(action);
        self.actions.push(action);
    }

    /// Plays a roll and its moves.
    fn turn(&mut self, roll: Action, moves: &[&str]) -> Result<(), String> {
        let mut paths = Vec::new();
        for word in moves {
            let parsed = paths_of(word);
            paths.extend(
                parsed.ok_or_else(|| format!("expected a move such as 8/5, got {word:?}"))?,
            );
        }
        self.apply(roll);
        if paths.len() > 4 {
            return Err("expected at most four moves".into());
        }
        let Some(found) = moves_along(&self.game, &paths) else {
            return Err(format!("{} is not legal here:\n{}", moves.join(" "), self.game));
        };
        found.into_iter().for_each(|action| self.apply(action));
        Ok(())
    }
}

/// The legal moves of one die each that make up all `paths`. A checker that moves twice hits nothing
/// between the points that are named, unless it cannot move otherwise.
fn moves_along(game: &Backgammon, paths: &[Path]) -> Option<Vec<Action>> {
    [false, true].into_iter().find_map(|may_hit| {
        let mut found = Vec::new();
        find_moves(game, paths, may_hit, &mut found).then_some(found)
    })
}

/// Finds moves for [`moves_along`], in the order of the paths if possible, by depth-first search.
fn find_moves(game: &Backgammon, paths: &[Path], may_hit: bool, found: &mut Vec<Action>) -> bool {
    if paths.is_empty() {
        return true;
    }
    if game.stage != Stage::Move {
        return false;
    }
    let legal = meeple_game::choices(game);
    for (at, &(from, to)) in paths.iter().enumerate() {
        let of_checker = legal.iter().copied().filter(|&action| move_of(action).0 + 1 == from);
        for action in of_checker {
            let (point, die) = move_of(action);
            let lands = (point + 1).saturating_sub(die.into());
            let hits = lands > to && game.board.hits(game.mover.index(), point, die.into());
            if lands < to || hits && !may_hit {
                continue;
            }
            let mut left = paths.to_vec();
            if lands == to {
                left.remove(at);
            } else {
                left[at] = (lands, to);
            }
            let mut next = *game;
            next.apply(action_of(point, die));
            found.push(action);
            // The turn is over but paths are left: these moves do not fit.
            let ends = next.mover != game.mover && !left.is_empty();
            if !ends && find_moves(&next, &left, may_hit, found) {
                return true;
            }
            found.pop();
        }
    }
    false
}
