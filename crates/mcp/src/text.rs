//! What a seat sees, as text for a language model.

use meeple_lab::{LogEntry, OpenedTable, SeatState, Status};

/// Describes a new table.
pub(crate) fn of_opened(opened: &OpenedTable) -> String {
    let mut text = format!("ticket: {}\n", opened.ticket);
    for (seat, ticket) in &opened.invitations {
        text.push_str(&format!("ticket of open seat {seat}: {ticket}\n"));
    }
    text.push('\n');
    text.push_str(&of_seat(&opened.state));
    text
}

/// Describes a game as a seat sees it.
pub(crate) fn of_seat(state: &SeatState) -> String {
    let seats: Vec<String> =
        state.seats.iter().enumerate().map(|(seat, name)| format!("seat {seat} {name}")).collect();
    let mut text = format!("{}: {}\n", state.game, seats.join(", "));
    if !state.log.is_empty() {
        text.push_str("\nwhat happened:\n");
        for entry in &state.log {
            text.push_str(&of_entry(entry, state.seat));
        }
    }
    text.push_str(&format!("\n{}\n\n", state.position.trim_end()));
    text.push_str(&match state.status {
        Status::YourTurn => format!(
            "You (seat {}) are to act, at event {}. The {} legal actions: {}\n",
            state.seat,
            state.event,
            state.legal_actions.len(),
            state.legal_actions.join("; ")
        ),
        Status::Waiting => match state.turn {
            Some(seat) => format!("Seat {seat} is to act, at event {}.\n", state.event),
            None => format!("The game waits, at event {}.\n", state.event),
        },
        Status::Over => ending(state),
    });
    text
}

fn of_entry(entry: &LogEntry, own: u8) -> String {
    let who = match entry.by {
        Some(seat) if seat == own => "you".to_owned(),
        Some(seat) => format!("seat {seat}"),
        None => "chance".to_owned(),
    };
    format!("{}. {who}: {}\n", entry.event, entry.name.as_deref().unwrap_or("(hidden from you)"))
}

fn ending(state: &SeatState) -> String {
    let mut text = String::from("The game is over.");
    if let Some(seat) = state.resigned {
        text.push_str(&format!(" Seat {seat} resigned."));
    }
    let payoffs = state.payoffs.iter().flatten().enumerate();
    let payoffs: Vec<String> =
        payoffs.map(|(seat, payoff)| format!("seat {seat} {payoff:+}")).collect();
    text.push_str(&format!(" Payoffs: {}.\n", payoffs.join(", ")));
    text
}
