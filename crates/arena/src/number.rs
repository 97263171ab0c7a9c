//! Formatting of numbers.

use meeple_game::Stakes;

/// Formats a number with its sign and a number of decimals, without a sign if it rounds to zero:
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

/// Formats a payoff, in chips for games for stakes.
///
/// ```
/// use meeple_arena::payoff_text;
/// let stakes = Some(meeple_game::Stakes { chips: 20.0, big_blind: Some(2.0) });
/// assert_eq!(payoff_text(-0.25, stakes), "-5 chips");
/// assert_eq!([-0.0, -1.0, 0.5].map(|payoff| payoff_text(payoff, None)), ["0", "-1", "+0.50"]);
/// ```
#[must_use]
pub fn payoff_text(payoff: f32, stakes: Option<Stakes>) -> String {
    let payoff = f64::from(payoff);
    match stakes {
        Some(stakes) => format!("{} chips", signed(payoff * stakes.chips, 0)),
        None if payoff == payoff.round() => signed(payoff, 0),
        None => signed(payoff, 2),
    }
}
