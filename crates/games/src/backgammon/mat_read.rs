//! Reads games in the MAT format of other programs.

use meeple_game::{Action, Game, Player, Turn};

use super::board::BAR;
use super::{
    Backgammon, Cube, DOUBLE, DROP, Options, ROLL, Stage, TAKE, THROWS, action_of, move_of,
    number_of,
};

/// Where the right column begins at the earliest.
const RIGHT: usize = 20;
/// The highest cube of a game in which somebody doubles.
const CUBE: i64 = 64;

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatGame {
    /// The table: with a cube if anybody doubles.
    pub options: Options,
    /// Who played.
    pub names: [String; 2],
    /// All that happened, throws included.
    pub actions: Vec<Action>,
    /// Who won how many points, if the file says so.
    pub result: Option<(Player, u32)>,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct MatError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// The games of a MAT file, played from the usual start.
///
/// The format does not say in which order equal moves of a double were made;
/// they are played in the order in which they stand.
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
/// At the first thing that is wrong, with its line.
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
            reason: "expected both players and their points, such as \"Anna : 0  Ben : 0\"".into(),
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
    let mut walk = Walk { game: Backgammon::new(&options), actions: Vec::new() };
    let mut result = None;
    for (number, entry) in entries.iter().enumerate() {
        let wrong = |reason: String| MatError { line: entry.line, reason };
        if let What::Wins(points) = entry.what {
            result = Some((Player(entry.side as u8), points));
            break;
        }
        walk.follow(entry).map_err(wrong)?;
        let over = entries.get(number + 1).is_none_or(|next| matches!(next.what, What::Wins(_)));
        if walk.game.stage == Stage::Move && !over {
            return Err(wrong(format!("more moves are possible here:\n{}", walk.game)));
        }
    }
    Ok(MatGame { options, names, actions: walk.actions, result })
}

/// The names in a line such as `Anna : 0   Ben : 2`.
fn names_in(line: &str) -> Option<[String; 2]> {
    let (left, rest) = line.split_once(" : ")?;
    let rest = rest.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    let (right, points) = rest.rsplit_once(" : ")?;
    points.trim().parse::<u32>().ok()?;
    Some([left.trim().to_owned(), right.trim().to_owned()])
}

/// What a player did in a turn.
enum What<'a> {
    /// A throw, and the moves as they are written.
    Throws(u8, u8, Vec<&'a str>),
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
    // The number of the turn, if there is one, is no part of an entry.
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
        let said: Vec<&str> = words[start..end].iter().map(|&(_, word)| word).collect();
        let what = what_of(&said).ok_or_else(|| MatError {
            line,
            reason: format!("cannot read {:?}", said.join(" ")),
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
            Some(What::Throws(high, low, if cannot { Vec::new() } else { moves.to_vec() }))
        }
        [] => None,
    }
}

/// The way of a man, from and to, where 25 is the bar and 0 is off.
type Way = (usize, usize);

/// The ways of a word such as `8/5(2)`, `bar/20*` or `24/18*/13`.
fn ways_of(word: &str) -> Option<Vec<Way>> {
    let (path, times) = match word.split_once('(') {
        Some((path, times)) => (path, times.strip_suffix(')')?.parse::<usize>().ok()?),
        None => (word, 1),
    };
    let place = |text: &str| match text.trim_end_matches('*') {
        "bar" => Some(BAR + 1),
        "off" => Some(0),
        number => number.parse().ok().filter(|&number: &usize| number <= BAR + 1),
    };
    let places = path.split('/').map(place).collect::<Option<Vec<usize>>>()?;
    let falls = places.len() > 1 && places.windows(2).all(|pair| pair[0] > pair[1]);
    let ways: Vec<Way> = places.windows(2).map(|pair| (pair[0], pair[1])).collect();
    (falls && (1..=4).contains(&times)).then(|| ways.repeat(times))
}

impl Backgammon {
    /// The moves of a turn as people write them, such as `24/20 13/8`, `8/5(2) 6/3(2)` or
    /// `24/15`, one checker and one die each; nothing if they are not legal together.
    ///
    /// ```
    /// use meeple_game::{Game, Turn};
    /// use meeple_games::backgammon::Backgammon;
    ///
    /// let mut game = Backgammon::new(&Default::default());
    /// game.apply(game.parse_action("seat 0 begins with 5-4").expect("a throw"));
    /// let moves = game.parse_turn("24/20 13/8").expect("both are legal");
    /// moves.into_iter().for_each(|action| game.apply(action));
    /// assert_eq!(game.turn(), Turn::Chance);
    /// ```
    #[must_use]
    pub fn parse_turn(&self, text: &str) -> Option<Vec<Action>> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let ways: Vec<Way> = words
            .map(|word| ways_of(&word.to_ascii_lowercase()))
            .collect::<Option<Vec<_>>>()?
            .concat();
        let mut found = Vec::new();
        let fits = (1..=4).contains(&ways.len()) && find_moves(self, &ways, &mut found);
        fits.then_some(found)
    }
}

/// A game as it is played again.
struct Walk {
    game: Backgammon,
    actions: Vec<Action>,
}

impl Walk {
    fn follow(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let game = &self.game;
        let mover = game.mover.index();
        match (&entry.what, game.stage) {
            (What::Throws(high, low, _), Stage::Opening) if high == low => {
                Err("a game does not begin with a double".into())
            }
            (What::Throws(high, low, moves), Stage::Opening) => {
                let first = THROWS * entry.side as u16;
                self.turn(Action(number_of(*high, *low) + first), moves)
            }
            (What::Throws(high, low, moves), Stage::Offer | Stage::Roll) if mover == entry.side => {
                if game.stage == Stage::Offer {
                    self.apply(ROLL);
                }
                self.turn(Action(number_of(*high, *low)), moves)
            }
            (What::Doubles, Stage::Offer) if mover == entry.side => self.say(DOUBLE),
            (What::Takes, Stage::Answer) if mover != entry.side => self.say(TAKE),
            (What::Drops, Stage::Answer) if mover != entry.side => self.say(DROP),
            _ if game.turn() == Turn::Over => Err("the game is over".into()),
            _ => Err(format!("it is not seat {}'s turn to do this:\n{game}", entry.side)),
        }
    }

    fn say(&mut self, action: Action) -> Result<(), String> {
        self.apply(action);
        Ok(())
    }

    fn apply(&mut self, action: Action) {
        self.game.apply(action);
        self.actions.push(action);
    }

    /// A throw and its moves.
    fn turn(&mut self, throw: Action, moves: &[&str]) -> Result<(), String> {
        let mut ways = Vec::new();
        for word in moves {
            let read = ways_of(word);
            ways.extend(read.ok_or_else(|| format!("expected a move such as 8/5, got {word:?}"))?);
        }
        self.apply(throw);
        if ways.len() > 4 {
            return Err("more than four moves".into());
        }
        let mut found = Vec::new();
        if !find_moves(&self.game, &ways, &mut found) {
            return Err(format!("{} is not legal here:\n{}", moves.join(" "), self.game));
        }
        found.into_iter().for_each(|action| self.apply(action));
        Ok(())
    }
}

/// Finds legal moves, one man and one die each, that make up all `ways`, in
/// their order if they can be made so.
fn find_moves(game: &Backgammon, ways: &[Way], found: &mut Vec<Action>) -> bool {
    if ways.is_empty() {
        return true;
    }
    if game.stage != Stage::Move {
        return false;
    }
    let legal = meeple_game::choices(game);
    for (at, &(from, to)) in ways.iter().enumerate() {
        let of_man = legal.iter().copied().filter(|&action| move_of(action).0 + 1 == from);
        for action in of_man {
            let (point, die) = move_of(action);
            let lands = (point + 1).saturating_sub(die.into());
            if lands < to {
                continue;
            }
            let mut left = ways.to_vec();
            if lands == to {
                left.remove(at);
            } else {
                left[at] = (lands, to);
            }
            let mut next = *game;
            next.apply(action_of(point, die));
            found.push(action);
            // The other's turn has come: whatever is left was not played.
            let ends = next.mover != game.mover && !left.is_empty();
            if !ends && find_moves(&next, &left, found) {
                return true;
            }
            found.pop();
        }
    }
    false
}
