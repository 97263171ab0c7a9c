//! Numbers as people read them.

use meeple_game::Stakes;

/// A number with its sign and so many decimals, without one where it rounds to zero:
/// `+0.25`, `-1.50`, `0.00`.
///
/// ```
/// let shown = [0.25, -1.5, -0.0, -0.004].map(|value| meeple_arena::signed(value, 2));
/// assert_eq!(shown, ["+0.25", "-1.50", "0.00", "0.00"]);
/// ```
#[must_use]
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.contains(|digit: char| digit.is_ascii_digit() && digit != '0') {
        return text;
    }
    text.trim_start_matches(['+', '-']).to_owned()
}

/// A payoff as people read it: chips in games for stakes.
#[must_use]
pub fn payoff_text(payoff: f32, stakes: Option<Stakes>) -> String {
    let payoff = f64::from(payoff);
    match stakes {
        Some(stakes) => format!("{} chips", signed(payoff * stakes.chips, 0)),
        None if payoff == payoff.round() => signed(payoff, 0),
        None => signed(payoff, 2),
    }
}
