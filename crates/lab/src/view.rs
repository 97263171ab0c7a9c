//! The view of a game for a caller: only what the seats of their keys may see.

use meeple_game::{Player, Turn};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::board::board_of;
use crate::game_session::GameSession;
use crate::keys::Access;

/// The maximum number of events in the log.
const MAX_LOG: usize = 120;

/// A game as visible to one seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct View {
    /// The session id.
    pub(crate) session: String,
    pub(crate) game: String,
    /// The configuration, with defaults filled in.
    pub(crate) config: Value,
    /// Random seed; null before the end of a game with persons.
    pub(crate) seed: Option<u64>,
    /// Whether the creator chose the seed, and so may know the deal.
    pub(crate) seed_chosen: bool,
    /// The seats: `person`, or a bot.
    pub(crate) seats: Vec<String>,
    /// The seat whose view this is.
    pub(crate) seat: u8,
    /// The seats whose keys the caller holds.
    pub(crate) held: Vec<u8>,
    /// The number of events.
    pub(crate) event: usize,
    /// The seat to move; null once the game is over.
    pub(crate) turn: Option<u8>,
    /// The legal actions of the caller.
    pub(crate) legal: Vec<LegalAction>,
    /// The position as text.
    pub(crate) text: String,
    /// The observation of the seat by field name, or the scene of a game that has one.
    pub(crate) board: Value,
    /// The last events.
    pub(crate) log: Vec<LogEntry>,
    /// Values from the searches of bots.
    pub(crate) curve: Vec<ValuePoint>,
    pub(crate) over: bool,
    /// The payoff of each seat; zeros before the end.
    pub(crate) payoffs: Vec<f32>,
    /// The seat that resigned.
    pub(crate) resigned: Option<u8>,
    /// Whether bots are paused.
    pub(crate) paused: bool,
    /// Whether undo is possible.
    pub(crate) can_undo: bool,
    /// Whether a bot is searching.
    pub(crate) thinking: bool,
    /// Simulations per decision of bots; null for each bot's own setting.
    pub(crate) budget: Option<u64>,
    /// Whether all information is public.
    pub(crate) open: bool,
    /// All actions so far, if all information is public.
    pub(crate) actions: Option<Vec<u16>>,
}

/// A legal action.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LegalAction {
    pub(crate) action: u16,
    /// The name of the action.
    pub(crate) name: String,
}

/// An event as visible to the seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LogEntry {
    /// The number of the event.
    pub event: usize,
    /// The acting seat; null for chance.
    pub by: Option<u8>,
    /// The name of the action; null if hidden from the seat.
    pub name: Option<String>,
}

/// The value of the position at an event.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ValuePoint {
    pub(crate) event: usize,
    /// The value for each seat, from -1 to 1.
    pub(crate) values: Vec<f32>,
}

/// The activity of the bots of a session.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    pub(crate) paused: bool,
    pub(crate) thinking: bool,
}

impl View {
    pub(crate) fn of(
        table: &GameSession,
        session: &str,
        activity: Activity,
        access: Access,
    ) -> Self {
        let seat = table.viewer(access);
        let open = table.is_public();
        let legal = match table.turn() {
            Turn::Player(player) if access.holds(player) => (table.legal().into_iter())
                .map(|action| LegalAction {
                    action: action.0,
                    name: table.position().action_name(action),
                })
                .collect(),
            _ => Vec::new(),
        };
        Self {
            session: session.into(),
            game: table.header.game.clone(),
            config: table.position().config(),
            seed: table.is_revealed().then_some(table.header.seed),
            seed_chosen: table.header.seed_chosen,
            seats: table.header.seats.iter().map(ToString::to_string).collect(),
            seat: seat.0,
            held: table.humans().filter(|&seat| access.holds(seat)).map(|seat| seat.0).collect(),
            event: table.events.len(),
            turn: match table.turn() {
                Turn::Player(player) => Some(player.0),
                Turn::Chance | Turn::Over => None,
            },
            legal,
            text: table.position().text(seat),
            board: board_of(table.position(), seat),
            log: Self::log_since(table, seat, table.events.len().saturating_sub(MAX_LOG), MAX_LOG),
            curve: curve_of(table),
            over: table.is_over(),
            payoffs: if table.is_over() {
                table.payoffs()
            } else {
                vec![0.0; table.header.seats.len()]
            },
            resigned: table.resigned().map(|seat| seat.0),
            can_undo: table.undo_target().is_ok(),
            paused: activity.paused,
            thinking: activity.thinking,
            budget: table.budget,
            open,
            actions: open.then(|| table.events.iter().map(|event| event.action.0).collect()),
        }
    }

    /// Returns up to `most` events from number `since` on, as `seat` saw them.
    pub(crate) fn log_since(
        table: &GameSession,
        seat: Player,
        since: usize,
        most: usize,
    ) -> Vec<LogEntry> {
        (table.events.iter().enumerate().skip(since).take(most))
            .map(|(at, event)| LogEntry {
                event: at,
                by: event.by.map(|by| by.0),
                name: event.visible_names[seat.index()].clone(),
            })
            .collect()
    }
}

/// Returns the search values that reveal no hidden information; all of them at the end.
fn curve_of(table: &GameSession) -> Vec<ValuePoint> {
    let open = table.is_public();
    (table.events.iter().enumerate())
        .filter(|(_, event)| open || event.open)
        .filter_map(|(at, event)| {
            Some(ValuePoint { event: at, values: event.analysis.as_ref()?.values.clone() })
        })
        .collect()
}
