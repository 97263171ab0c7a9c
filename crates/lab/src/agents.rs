//! Seats for agents: programs that play through this library instead of the page, with the same
//! sessions, limits and visibility.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use meeple_arena::Replay;
use meeple_bots::{BotSpec, Level};
use meeple_game::{Action, MAX_PLAYERS, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::commands::Command;
use crate::error::{ApiError, short};
use crate::files::blocking;
use crate::keys::PresentedKeys;
use crate::lab::Lab;
use crate::seats::Seat;
use crate::session::{Session, State, Update};
use crate::view::{LogEntry, View};

/// The word for a seat that another agent or person takes.
const OPEN_SEAT: &str = "open";
/// The most legal actions that an error lists.
const SUGGESTIONS: usize = 12;
/// The most log entries of one answer.
const MAX_ENTRIES: usize = 500;

/// A secret that grants a seat at a table: its holder plays there and sees what that seat sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    session: String,
    key: String,
}

/// A table to open.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    /// Name of the game, as the list of games has it.
    pub game: String,
    /// Configuration of the game, such as {"players": 3}; the default if omitted.
    #[serde(default)]
    pub config: Option<Value>,
    /// Your seat, from 0; seat 0 usually moves first.
    #[serde(default)]
    pub seat: u8,
    /// The other seats in order, or one for all: a level (beginner, casual, club, strong,
    /// strongest), a bot such as mcts:sims=500, or open for a seat that somebody else takes. club
    /// if omitted.
    #[serde(default)]
    pub opponents: Vec<String>,
}

/// A table that was opened.
#[derive(Debug)]
pub struct OpenedTable {
    /// The ticket of the own seat.
    pub ticket: Ticket,
    /// The tickets of open seats, for those who take them.
    pub invitations: Vec<(u8, Ticket)>,
    /// What the own seat sees.
    pub state: SeatState,
}

/// Who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The game waits for this seat.
    YourTurn,
    /// The game waits for another seat.
    Waiting,
    /// The game is over.
    Over,
}

/// A game as one seat sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeatState {
    /// Name of the game.
    pub game: String,
    /// The own seat.
    pub seat: u8,
    /// Who sits where: you, open, or a bot.
    pub seats: Vec<String>,
    /// Who has to act.
    pub status: Status,
    /// The seat to move; null once the game is over.
    pub turn: Option<u8>,
    /// The number of events so far.
    pub event: usize,
    /// The position.
    pub position: String,
    /// The names of the legal actions, on the own turn.
    pub legal_actions: Vec<String>,
    /// What happened since the event asked for; names of hidden actions are null.
    pub log: Vec<LogEntry>,
    /// The payoff of each seat, from -1 to 1, once the game is over.
    pub payoffs: Option<Vec<f32>>,
    /// The seat that resigned.
    pub resigned: Option<u8>,
    /// The random seed, once the game is over.
    pub seed: Option<u64>,
}

/// The error of a request of an agent, in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AgentError(String);

impl From<ApiError> for AgentError {
    fn from(error: ApiError) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.session, self.key)
    }
}

impl FromStr for Ticket {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<Self, AgentError> {
        let (session, key) = text.split_once('.').ok_or_else(|| {
            AgentError(format!("{} is no ticket, expected the one of open_table", short(text)))
        })?;
        Ok(Self { session: session.into(), key: key.into() })
    }
}

impl Ticket {
    fn keys(&self) -> PresentedKeys {
        PresentedKeys::of(self.key.clone())
    }
}

impl Lab {
    /// Opens a table with an own seat. The seed is random and secret until the end.
    ///
    /// # Errors
    ///
    /// If the game, its configuration or an opponent is unknown or not allowed, or a limit is
    /// reached.
    pub async fn open_seat(
        self: &Arc<Self>,
        request: TableRequest,
    ) -> Result<OpenedTable, AgentError> {
        let lab = Arc::clone(self);
        let opened = blocking(move || {
            let seats = lab.seats_of(&request)?;
            let config = request.config.as_ref();
            let session = lab.create(&request.game, config, None, Some(seats), &[])?;
            let state = session.state();
            let ticket = |seat: usize| {
                let key = state.table.header.keys.of_seat(seat)?.to_owned();
                Some(Ticket { session: session.id.clone(), key })
            };
            let own = usize::from(request.seat);
            let others = (0..state.table.header.seats.len()).filter(|&seat| seat != own);
            Ok(OpenedTable {
                ticket: ticket(own).expect("the own seat has a key"),
                invitations: others.filter_map(|seat| Some((seat as u8, ticket(seat)?))).collect(),
                state: seat_state(&session, &state, &ticket(own).expect("as above"), 0)?,
            })
        });
        Ok(opened.await?)
    }

    fn seats_of(&self, request: &TableRequest) -> Result<Vec<Seat>, ApiError> {
        let config = request.config.as_ref().map(Value::to_string);
        let (first, _) = self.open_table(&request.game, config.as_deref(), &[])?;
        let (players, own) = (first.players(), usize::from(request.seat));
        if own >= players {
            let problem = format!("seat {own}: expected a seat from 0 to {}", players - 1);
            return Err(ApiError::BadRequest(problem));
        }
        let bad = |error: String| ApiError::BadRequest(format!("opponents: {error}"));
        if request.opponents.len() > MAX_PLAYERS {
            return Err(bad(format!("expected at most {}", players - 1)));
        }
        let read = |text: &String| match text.as_str() {
            OPEN_SEAT => Ok(Seat::Human),
            text => text.parse().map_err(|error: meeple_bots::Error| bad(error.to_string())),
        };
        let opponents = request.opponents.iter().map(read).collect::<Result<Vec<Seat>, _>>()?;
        let mut others = match &opponents[..] {
            [] => vec![Seat::Bot(BotSpec::Level(Level::Club)); players - 1],
            [one] => vec![one.clone(); players - 1],
            several if several.len() == players - 1 => opponents,
            several => {
                let (expected, found) = (players - 1, several.len());
                return Err(bad(format!("expected one for all or {expected}, found {found}")));
            }
        };
        others.insert(own, Seat::Human);
        Ok(others)
    }

    /// Returns what the seat sees, with the log since the event `since`.
    ///
    /// # Errors
    ///
    /// If there is no such seat.
    pub async fn seat(
        self: &Arc<Self>,
        ticket: &Ticket,
        since: usize,
    ) -> Result<SeatState, AgentError> {
        let ticket = ticket.clone();
        Ok(self.at_seat(ticket, move |session, ticket| state_of(session, ticket, since)).await?)
    }

    /// Plays an action by its name, then waits as [`wait`](Self::wait) does.
    ///
    /// # Errors
    ///
    /// If it is not the seat's turn, or the action is not legal; nothing is played then.
    pub async fn play_as(
        self: &Arc<Self>,
        ticket: &Ticket,
        action: &str,
        patience: Duration,
    ) -> Result<SeatState, AgentError> {
        let (lab, name, own) = (Arc::clone(self), action.to_owned(), ticket.clone());
        let played = self.at_seat(own, move |session, ticket| {
            let state = session.state();
            let event = state.table.events.len();
            let action = find_action(&state, ticket, &name)?;
            drop(state);
            let play = Command::Play { action: action.0, event: Some(event) };
            lab.command(session, &ticket.keys(), play)?;
            Ok(event)
        });
        let since = played.await?;
        self.wait(ticket, since, patience).await
    }

    /// Waits until the seat is to act or the game is over, for at most `patience`. Returns what
    /// it sees then.
    ///
    /// # Errors
    ///
    /// If there is no such seat, or a bot failed.
    pub async fn wait(
        self: &Arc<Self>,
        ticket: &Ticket,
        since: usize,
        patience: Duration,
    ) -> Result<SeatState, AgentError> {
        let deadline = Instant::now() + patience;
        let session = self.at_seat(ticket.clone(), |session, _| Ok(Arc::clone(session))).await?;
        // Subscribed before the first look, so that no change is missed in between.
        let mut updates = session.subscribe();
        loop {
            let state = self.seat(ticket, since).await?;
            if state.status != Status::Waiting {
                return Ok(state);
            }
            match timeout_at(deadline, updates.recv()).await {
                Ok(Ok(Update::Error(text))) => return Err(AgentError(text.to_string())),
                Ok(_) => {}
                Err(_) => return Ok(state),
            }
        }
    }

    /// Resigns.
    ///
    /// # Errors
    ///
    /// If the game is over, or does not allow it.
    pub async fn resign_seat(self: &Arc<Self>, ticket: &Ticket) -> Result<SeatState, AgentError> {
        let lab = Arc::clone(self);
        let resigned = self.at_seat(ticket.clone(), move |session, ticket| {
            let event = session.state().table.events.len();
            lab.command(session, &ticket.keys(), Command::Resign {})?;
            state_of(session, ticket, event)
        });
        Ok(resigned.await?)
    }

    /// Returns the replay of a finished game.
    ///
    /// # Errors
    ///
    /// If the game is not over: its replay would reveal the seed.
    pub async fn seat_replay(self: &Arc<Self>, ticket: &Ticket) -> Result<Replay, AgentError> {
        let replay = self.at_seat(ticket.clone(), |session, ticket| {
            let state = session.state();
            state.access(&ticket.keys())?;
            crate::endpoints::revealed(&state.table)
        });
        Ok(replay.await?)
    }

    /// Returns which rule of the game offers a legal action, for games described by rules.
    ///
    /// # Errors
    ///
    /// If the action is not legal.
    pub async fn offering_rule(
        self: &Arc<Self>,
        ticket: &Ticket,
        action: &str,
    ) -> Result<Option<String>, AgentError> {
        let name = action.to_owned();
        let rule = self.at_seat(ticket.clone(), move |session, ticket| {
            let state = session.state();
            let action = find_action(&state, ticket, &name)?;
            let position = state.table.position();
            let rule = position.offering_rule(action);
            Ok(rule.and_then(|rule| Some(position.rules().get(rule)?.text.clone())))
        });
        Ok(rule.await?)
    }

    /// Runs `work` on a blocking thread, for the holder of a ticket.
    async fn at_seat<T: Send + 'static>(
        self: &Arc<Self>,
        ticket: Ticket,
        work: impl FnOnce(&Arc<Session>, &Ticket) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let lab = Arc::clone(self);
        blocking(move || {
            let session = lab.session(&ticket.session)?;
            session.mark_used(lab.tick());
            if !session.state().permissions(&ticket.keys())?.holds_a_seat() {
                return Err(ApiError::Forbidden("the ticket is of no seat at this table".into()));
            }
            work(&session, &ticket)
        })
        .await
    }
}

/// Returns the legal action that `name` means.
fn find_action(state: &State, ticket: &Ticket, name: &str) -> Result<Action, ApiError> {
    let access = state.access(&ticket.keys())?;
    state.table.player_to_move(access)?;
    let (position, legal) = (state.table.position(), state.table.legal());
    let named = |&action: &Action| position.action_name(action) == name.trim();
    let found = legal.iter().copied().find(named);
    let found = found.or_else(|| position.parse_action(name.trim()));
    if let Some(action) = found.filter(|action| legal.contains(action)) {
        return Ok(action);
    }
    let names: Vec<String> =
        legal.iter().take(SUGGESTIONS).map(|&action| position.action_name(action)).collect();
    let more = if legal.len() > SUGGESTIONS { ", …" } else { "" };
    Err(ApiError::BadRequest(format!(
        "{} is not a legal action here, expected one of the {}: {}{more}",
        short(name),
        legal.len(),
        names.join(", ")
    )))
}

fn state_of(session: &Session, ticket: &Ticket, since: usize) -> Result<SeatState, ApiError> {
    seat_state(session, &session.state(), ticket, since)
}

fn seat_state(
    session: &Session,
    state: &State,
    ticket: &Ticket,
    since: usize,
) -> Result<SeatState, ApiError> {
    let access = state.access(&ticket.keys())?;
    let view = session.view(state, access);
    let seat = state.table.viewer(access);
    let status = match state.table.turn() {
        _ if view.over => Status::Over,
        Turn::Player(player) if access.holds(player) => Status::YourTurn,
        _ => Status::Waiting,
    };
    let names = |(at, name): (usize, String)| match name.as_str() {
        _ if at == seat.index() => "you".to_owned(),
        "person" => OPEN_SEAT.to_owned(),
        _ => name,
    };
    let View { game, seats, turn, event, text, legal, over, payoffs, resigned, seed, .. } = view;
    Ok(SeatState {
        game,
        seat: seat.0,
        seats: seats.into_iter().enumerate().map(names).collect(),
        status,
        turn,
        event,
        position: text,
        legal_actions: legal.into_iter().map(|action| action.name).collect(),
        log: View::log_since(&state.table, seat, since, MAX_ENTRIES),
        payoffs: over.then_some(payoffs),
        resigned,
        seed: seed.filter(|_| over),
    })
}
