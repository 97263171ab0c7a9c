//! What a caller is told of a table: what the seats may know whose keys they present.

use meeple_game::{Player, Turn};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::board::board_of;
use crate::keys::Access;
use crate::table::Table;

/// Events that are told of.
const LOG: usize = 120;

/// A table as one seat sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct View {
    /// The session.
    pub(crate) session: String,
    pub(crate) game: String,
    /// The table, with every default filled in.
    pub(crate) config: Value,
    /// Where all luck comes from; null before the end of a game that persons play.
    pub(crate) seed: Option<u64>,
    /// Whether whoever began the game chose the seed, and so may know what is dealt.
    pub(crate) seed_chosen: bool,
    /// Who sits where: `person`, or a bot.
    pub(crate) seats: Vec<String>,
    /// Whose side is shown.
    pub(crate) seat: u8,
    /// The seats whose keys the caller presents.
    pub(crate) held: Vec<u8>,
    /// How many events there have been.
    pub(crate) event: usize,
    /// The seat that decides; nobody once the game is over.
    pub(crate) turn: Option<u8>,
    /// What the caller may do.
    pub(crate) legal: Vec<Choice>,
    /// The table as text.
    pub(crate) text: String,
    /// The table as numbers by name: the observation of the seat, or the scene of a
    /// game that has one.
    pub(crate) board: Value,
    /// What happened last.
    pub(crate) log: Vec<Told>,
    /// What bots thought of their chances.
    pub(crate) curve: Vec<Point>,
    pub(crate) over: bool,
    /// What each seat got; zeros before the end.
    pub(crate) payoffs: Vec<f32>,
    /// Who gave up.
    pub(crate) resigned: Option<u8>,
    /// Whether bots wait.
    pub(crate) paused: bool,
    /// Whether something can be taken back.
    pub(crate) can_undo: bool,
    /// Whether a bot thinks.
    pub(crate) thinking: bool,
    /// Simulations of each decision of bots; nothing for what the bot says.
    pub(crate) budget: Option<u64>,
    /// Whether nothing is hidden from the page (any more).
    pub(crate) open: bool,
    /// Everything that happened, by number, where nothing is hidden.
    pub(crate) actions: Option<Vec<u16>>,
}

/// Something that can be done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Choice {
    pub(crate) action: u16,
    /// What people call it.
    pub(crate) name: String,
}

/// Something that happened, as the seat was told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Told {
    /// The number of the event.
    pub(crate) event: usize,
    /// Who did it; nobody for luck.
    pub(crate) by: Option<u8>,
    /// What was done; nothing where the seat cannot see it.
    pub(crate) name: Option<String>,
}

/// What the table was worth at an event.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Point {
    pub(crate) event: usize,
    /// To each seat, from -1 to 1.
    pub(crate) values: Vec<f32>,
}

/// How a session goes, besides the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Going {
    pub(crate) paused: bool,
    pub(crate) thinking: bool,
}

impl View {
    pub(crate) fn of(table: &Table, session: &str, going: Going, access: Access) -> Self {
        let seat = table.viewer(access);
        let open = table.is_open();
        let legal = match table.turn() {
            Turn::Player(player) if access.holds(player) => (table.legal().into_iter())
                .map(|action| Choice { action: action.0, name: table.position.action_name(action) })
                .collect(),
            _ => Vec::new(),
        };
        Self {
            session: session.into(),
            game: table.head.game.clone(),
            config: table.position.config(),
            seed: table.is_revealed().then_some(table.head.seed),
            seed_chosen: table.head.seed_chosen,
            seats: table.head.seats.iter().map(ToString::to_string).collect(),
            seat: seat.0,
            held: table.persons().filter(|&seat| access.holds(seat)).map(|seat| seat.0).collect(),
            event: table.events.len(),
            turn: match table.turn() {
                Turn::Player(player) => Some(player.0),
                Turn::Chance | Turn::Over => None,
            },
            legal,
            text: table.position.text(seat),
            board: board_of(&*table.position, seat),
            log: log_of(table, seat),
            curve: curve_of(table),
            over: table.is_over(),
            payoffs: if table.is_over() {
                table.payoffs()
            } else {
                vec![0.0; table.head.seats.len()]
            },
            resigned: table.resigned.map(|seat| seat.0),
            can_undo: table.undone().is_ok(),
            paused: going.paused,
            thinking: going.thinking,
            budget: table.budget,
            open,
            actions: open.then(|| table.events.iter().map(|event| event.action.0).collect()),
        }
    }
}

fn log_of(table: &Table, seat: Player) -> Vec<Told> {
    let first = table.events.len().saturating_sub(LOG);
    (table.events.iter().enumerate().skip(first))
        .map(|(at, event)| Told {
            event: at,
            by: event.by.map(|by| by.0),
            name: event.told[seat.index()].clone(),
        })
        .collect()
}

/// The thoughts that the page may know: those from which nothing follows that it does
/// not, and all of them at the end.
fn curve_of(table: &Table) -> Vec<Point> {
    let open = table.is_open();
    (table.events.iter().enumerate())
        .filter(|(_, event)| open || event.open)
        .filter_map(|(at, event)| {
            Some(Point { event: at, values: event.thought.as_ref()?.values.clone() })
        })
        .collect()
}
