//! Reads scenario files.

use crate::magic::state::seat::{BySeat, Seat};

use super::words::{self, Cards, When, parts, seat};

/// One puzzle: what is there, what is done, what must come of it.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) title: String,
    pub(super) line: usize,
    pub(super) sides: BySeat<Side>,
    pub(super) start: Start,
    pub(super) options: Options,
    pub(super) steps: Vec<(usize, Step)>,
}

/// Switches that differ from a usual table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    pub(super) manual_payment: bool,
    pub(super) stops: bool,
}

/// When a scenario starts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// With the first hands.
    Game,
    /// In a part of a turn with this number.
    Phase(When, u16),
}

/// What one player has at first.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) life: i16,
    pub(super) hand: Vec<Cards>,
    pub(super) battlefield: Vec<Cards>,
    pub(super) graveyard: Vec<Cards>,
    /// The top of the library, in order.
    pub(super) top: Vec<Cards>,
    /// The rest of it, in no order.
    pub(super) rest: Vec<Cards>,
    pub(super) pool: String,
}

impl Default for Side {
    fn default() -> Self {
        let filler = Cards { name: "Plains".into(), count: 10, marks: Vec::new() };
        Self {
            life: 20,
            hand: Vec::new(),
            battlefield: Vec::new(),
            graveyard: Vec::new(),
            top: Vec::new(),
            rest: vec![filler],
            pool: String::new(),
        }
    }
}

/// One line of a scenario.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Answers in a row, by a seat or by luck.
    Answer(Option<Seat>, Vec<String>),
    Pass,
    /// The top of the stack resolves, or all of it.
    Resolve {
        all: bool,
    },
    Until(When),
    /// These attack, and no others.
    Attack(Vec<String>),
    /// Attackers with those who block them; no others block.
    Block(Vec<(String, Vec<String>)>),
    /// The line that follows is not possible.
    Cannot(Box<Self>),
    Expect(Expect),
}

/// What must be true.
#[derive(Clone, Debug)]
pub(super) enum Expect {
    Life(Seat, i16),
    /// Exactly these cards in a zone.
    Cards(Seat, Zone, Vec<Cards>),
    /// So many cards in a zone.
    Count(Seat, Zone, u8),
    /// At least these permanents.
    Controls(Seat, Vec<Cards>),
    /// None of these permanents.
    ControlsNo(Seat, Vec<Cards>),
    Pool(Seat, String),
    /// What a permanent is.
    Is(String, Vec<String>),
    /// The names on the stack, the top first.
    Stack(Vec<Cards>),
    Asked(Option<Seat>),
    May(Seat, String),
    MayNot(Seat, String),
    When(When),
    Turn(u16),
    /// The seat that has won; both lose if none.
    Winner(Option<Seat>),
}

/// Where expected cards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    Hand,
    /// The cards in hand that the opponent knows.
    Shown,
    Graveyard,
    Battlefield,
    Library,
    /// The known top of the library.
    Top,
    Exile,
}

/// Reads all scenarios of a text, after its card definitions; or what is wrong
/// in which line.
pub(super) fn file(text: &str) -> Result<(String, Vec<Scenario>), (usize, String)> {
    let (mut definitions, mut scenarios, mut defining) = (String::new(), Vec::new(), false);
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())) {
        match line {
            "cards" => defining = true,
            "end of cards" => defining = false,
            _ if defining => definitions.push_str(&format!("{line}\n")),
            _ if line.is_empty() || line.starts_with('#') => {}
            _ => match (line.strip_prefix("scenario "), scenarios.last_mut()) {
                (Some(title), _) => scenarios.push(scenario(title, number)),
                (None, None) => return Err((number, "expected a line \"scenario TITLE\"".into())),
                (None, Some(last)) => add(last, line, number).map_err(|what| (number, what))?,
            },
        }
    }
    Ok((definitions, scenarios))
}

fn scenario(title: &str, line: usize) -> Scenario {
    Scenario {
        title: title.into(),
        line,
        sides: Default::default(),
        start: Start::Phase(
            When { seat: Some(Seat::First), phase: crate::magic::state::Phase::Main },
            5,
        ),
        options: Options::default(),
        steps: Vec::new(),
    }
}

/// Reads a line into a scenario.
fn add(to: &mut Scenario, line: &str, number: usize) -> Result<(), String> {
    if line == "payment manual" {
        to.options.manual_payment = true;
    } else if line == "stops" {
        to.options.stops = true;
    } else if let Some((who, rest)) = line.split_once(": ")
        && let Some(who) = seat(who)
    {
        side(&mut to.sides[who], rest)?;
    } else if let Some(rest) = line.strip_prefix("start ") {
        to.start = start(rest)?;
    } else {
        to.steps.push((number, step(line)?));
    }
    Ok(())
}

fn start(text: &str) -> Result<Start, String> {
    if text == "of the game" {
        return Ok(Start::Game);
    }
    let (text, turn) = match text.split_once(" of turn ") {
        Some((text, turn)) => (text, Some(turn.parse().map_err(|_| "expected a number")?)),
        None => (text, None),
    };
    let when = words::when(text)?;
    Ok(Start::Phase(when, turn.unwrap_or(5 + u16::from(when.seat == Some(Seat::Second)))))
}

fn side(side: &mut Side, text: &str) -> Result<(), String> {
    for part in parts(text, ';') {
        let (zone, rest) = part.split_once(' ').unwrap_or((part, "none"));
        match zone {
            "life" => side.life = rest.parse().map_err(|_| format!("{rest:?} is no life"))?,
            "hand" => side.hand = words::cards(rest)?,
            "battlefield" => side.battlefield.extend(words::cards(rest)?),
            "graveyard" => side.graveyard = words::cards(rest)?,
            "top" => side.top = words::cards(rest)?,
            "library" => side.rest = words::cards(rest)?,
            "pool" => side.pool = rest.into(),
            _ => {
                return Err(format!(
                    "{zone:?}, expected life, hand, battlefield, graveyard, top, library or pool"
                ));
            }
        }
    }
    Ok(())
}

fn step(line: &str) -> Result<Step, String> {
    let answers = |text: &str| parts(text, ';').into_iter().map(String::from).collect();
    let names = |text: &str| parts(text, ',').into_iter().map(String::from).collect();
    if let Some(rest) = line.strip_prefix("> ") {
        return Ok(Step::Answer(Some(Seat::First), answers(rest)));
    }
    if let Some((who, rest)) = line.split_once(" > ")
        && let Some(actor) = seat(who).map(Some).or((who == "luck").then_some(None))
    {
        return Ok(Step::Answer(actor, answers(rest)));
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    Ok(match (word, rest) {
        ("pass", "") => Step::Pass,
        ("resolve", "") => Step::Resolve { all: false },
        ("resolve", "all") => Step::Resolve { all: true },
        ("until", _) => Step::Until(words::when(rest)?),
        ("attack", _) if rest.starts_with("with ") => Step::Attack(names(&rest[5..])),
        ("block", _) => {
            let blocks = parts(line, ';').into_iter().map(|block| {
                let (attacker, with) = block.strip_prefix("block ")?.split_once(" with ")?;
                Some((attacker.to_owned(), names(with)))
            });
            let blocks = blocks.collect::<Option<_>>();
            Step::Block(blocks.ok_or("expected block NAME with NAME, NAME; block NAME with NAME")?)
        }
        ("no", "block") => Step::Block(Vec::new()),
        ("no", "attack") => Step::Attack(Vec::new()),
        ("cannot", _) => Step::Cannot(Box::new(step(rest)?)),
        ("expect", _) => Step::Expect(expect(rest)?),
        _ => {
            return Err(format!(
                "{word:?}, expected you:, opponent:, start, >, you >, opponent >, luck >, pass, \
                 resolve, until, attack with, block, no block, cannot or expect"
            ));
        }
    })
}

fn expect(text: &str) -> Result<Expect, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    if let Some(who) = seat(word) {
        return expect_of(who, rest);
    }
    Ok(match word {
        "stack" => Expect::Stack(words::cards(rest)?),
        "asked" if rest == "luck" => Expect::Asked(None),
        "asked" => Expect::Asked(Some(seat(rest).ok_or("expected you, opponent or luck")?)),
        "turn" => Expect::Turn(rest.parse().map_err(|_| "expected a number")?),
        "phase" => Expect::When(words::when(rest)?),
        "draw" => Expect::Winner(None),
        _ => {
            let (name, what) = text.split_once(" is ").ok_or_else(|| {
                format!(
                    "{text:?}, expected you, opponent, stack, asked, turn, phase, draw or \
                     NAME is …"
                )
            })?;
            Expect::Is(name.into(), parts(what, ',').into_iter().map(String::from).collect())
        }
    })
}

fn expect_of(who: Seat, text: &str) -> Result<Expect, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let zone = match word {
        "hand" => Zone::Hand,
        "shown" => Zone::Shown,
        "graveyard" => Zone::Graveyard,
        "battlefield" => Zone::Battlefield,
        "library" => Zone::Library,
        "top" => Zone::Top,
        "exile" => Zone::Exile,
        "life" => {
            return Ok(Expect::Life(who, rest.parse().map_err(|_| "expected a number")?));
        }
        "controls" => {
            return Ok(match rest.strip_prefix("no ") {
                Some(rest) => Expect::ControlsNo(who, words::cards(rest)?),
                None => Expect::Controls(who, words::cards(rest)?),
            });
        }
        "pool" => return Ok(Expect::Pool(who, rest.into())),
        "may" => {
            return Ok(match rest.strip_prefix("not ") {
                Some(rest) => Expect::MayNot(who, rest.into()),
                None => Expect::May(who, rest.into()),
            });
        }
        "wins" => return Ok(Expect::Winner(Some(who))),
        _ => {
            return Err(format!(
                "{word:?}, expected life, hand, shown, graveyard, battlefield, library, top, exile, \
                 controls, pool, may or wins"
            ));
        }
    };
    Ok(match rest.parse() {
        Ok(count) => Expect::Count(who, zone, count),
        Err(_) => Expect::Cards(who, zone, words::cards(rest)?),
    })
}
