//! The 13 x 13 grid of a strategy: each class by its most frequent action.

use anstyle::{AnsiColor, Style};
use meeple_poker::HandClass;
use meeple_solver::{Action, NodeReport, Seat};

use crate::show;

/// From this frequency on a class counts as playing one action only.
const PURE: f64 = 0.95;

/// The grid, and below it what each letter and colour stands for.
pub(crate) fn text(node: &NodeReport, seat: Seat) -> String {
    let mut text = String::new();
    for (place, class) in HandClass::all().enumerate() {
        let group = node.class(seat, class);
        let cell = match &group {
            None => "·".to_owned(),
            Some(group) => {
                let (action, share) = most(&group.strategy);
                // Readable without colour: capital letters for what is (almost) always played.
                let letter = letter(action);
                let mark = if share >= PURE { letter.to_ascii_uppercase() } else { letter };
                format!("{class}{mark}")
            }
        };
        let style = match &group {
            None => Style::new().dimmed(),
            Some(group) => style(&node.actions, most(&group.strategy).0),
        };
        let (cell, gap) = if place % 13 == 12 { (cell, "\n") } else { (format!("{cell:<4}"), " ") };
        text.push_str(&format!("{style}{cell}{style:#}{gap}"));
    }
    let Some(total) = node.total(seat) else { return text };
    text.push('\n');
    for (place, (action, share)) in node.actions.iter().zip(&total.strategy).enumerate() {
        let style = style(&node.actions, place);
        let line = format!(
            "{style} {} {style:#} {:<12}{:>9}  {}",
            letter(place),
            action.to_string(),
            show::percent(*share),
            show::bar(*share, 40)
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(
        "Capitals: at least 95 % of the class; small letters: its most frequent action.\n",
    );
    text
}

fn most(strategy: &[f64]) -> (usize, f64) {
    let each = strategy.iter().copied().enumerate();
    each.fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
}

fn letter(action: usize) -> char {
    char::from(b'a' + (action % 26) as u8)
}

/// Folds are blue, checks and calls green, bets from yellow to red by size.
fn style(actions: &[Action], action: usize) -> Style {
    let bets =
        |action: &&Action| matches!(action, Action::Bet(_) | Action::Raise(_) | Action::AllIn(_));
    let smaller = actions[..action].iter().filter(bets).count();
    let colour = match actions[action] {
        Action::Fold => AnsiColor::Blue,
        Action::Check | Action::Call => AnsiColor::Green,
        _ => [AnsiColor::Yellow, AnsiColor::Red, AnsiColor::Magenta, AnsiColor::Cyan][smaller % 4],
    };
    Style::new().fg_color(Some(AnsiColor::Black.into())).bg_color(Some(colour.into()))
}
