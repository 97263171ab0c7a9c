//! The section with replays to step through.

use meeple_game::{Stakes, Turn};
use serde::Serialize;

use crate::page::{Section, escape};
use meeple_arena::{Analysis, Replay};
use meeple_arena::{payoff_text, signed};
use meeple_bots::Position;

/// The maximum size of the state texts of one game in bytes. Longer games are truncated, so that
/// reports stay small enough to open.
const MOST_BYTES: usize = 1 << 20;

/// A state as the page shows it. Serialized to JSON and read by `page.js`.
#[derive(Serialize)]
struct Shown {
    /// The full state, hidden information included.
    text: String,
    /// The next action or chance outcome, and who made it.
    next: String,
    /// The search statistics of that decision.
    #[serde(skip_serializing_if = "String::is_empty")]
    analysis: String,
}

/// Returns the section with all replays, or `None` without replays.
pub(crate) fn section(replays: &[Replay]) -> Option<Section> {
    let games: Vec<String> = replays.iter().filter_map(game).collect();
    if games.is_empty() {
        return None;
    }
    let body = format!(
        "<p>Step with the buttons, or with the arrow keys after a click.</p>\n{}",
        games.concat()
    );
    Some(Section { id: "games".into(), title: "Games".into(), body })
}

fn game(replay: &Replay) -> Option<String> {
    let (frames, stakes) = shown(replay)?;
    // A literal `</script>` in the data would end the script element; `<\/` is the same JSON
    // string.
    let data = serde_json::to_string(&frames).ok()?.replace("</", "<\\/");
    let results: Vec<String> = (replay.bots.iter().zip(&replay.payoffs))
        .map(|(bot, &payoff)| format!("{} {}", escape(bot), payoff_text(payoff, stakes)))
        .collect();
    Some(format!(
        "<div class=\"game\" tabindex=\"0\"><h3>{}: {}</h3>\n<div class=\"steps\">\
         <button data-step=\"first\">|◀</button><button data-step=\"back\">◀</button>\
         <button data-step=\"next\">▶</button><button data-step=\"last\">▶|</button>\
         <input type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"step\">\
         <output></output></div>\n<pre></pre>\n<p class=\"next\"></p>\n<pre class=\"analysis\">\
         </pre>\n<script type=\"application/json\">{data}</script></div>\n",
        escape(&replay.game),
        results.join(", "),
        frames.len() - 1,
    ))
}

/// Returns the states of a replay as the page shows them, and the stakes of the game.
fn shown(replay: &Replay) -> Option<(Vec<Shown>, Option<Stakes>)> {
    let frames = replay.frames().ok()?;
    let mut bytes = 0;
    let mut shown = Vec::with_capacity(frames.len());
    for (at, frame) in frames.iter().enumerate() {
        let text = frame.state.to_string();
        bytes += text.len();
        if bytes > MOST_BYTES {
            break;
        }
        let next = match (frame.by(), frame.action_name()) {
            (Some(by), Some(name)) => format!("{by}: {name}"),
            _ => ending(replay, frame.state.turn() == Turn::Over),
        };
        let analysis = replay.analysis.get(&at);
        let analysis = analysis.map_or(String::new(), |analysis| text_of(&*frame.state, analysis));
        shown.push(Shown { text, next, analysis });
    }
    let stakes = frames.first().and_then(|frame| frame.state.stakes());
    Some((shown, stakes))
}

fn ending(replay: &Replay, is_over: bool) -> String {
    match &replay.forfeit {
        Some(forfeit) => format!("seat {} forfeits: {}", forfeit.seat, forfeit.reason),
        None if is_over => "the end".into(),
        None => "the game was left here".into(),
    }
}

/// Formats search statistics as a small text table.
fn text_of(state: &dyn Position, analysis: &Analysis) -> String {
    let mut text = format!("{} simulations\n", analysis.iterations);
    for candidate in &analysis.candidates {
        text.push_str(&format!(
            "{:>8} visits  {}  {}\n",
            candidate.visits,
            signed(candidate.value.into(), 3),
            state.action_name(candidate.action)
        ));
    }
    text
}
