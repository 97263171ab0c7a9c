//! What the figures of an assessment mean, in sentences.

use serde::Serialize;

use super::{Assessment, Figure};
use crate::signed;

/// A sentence about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How to take it.
    pub kind: FindingKind,
    /// The sentence.
    pub text: String,
}

/// How to take a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Most designers want this.
    Good,
    /// It depends on the design.
    Neutral,
    /// Few designers want this.
    Warning,
}

use FindingKind::{Good, Neutral, Warning};

/// Draws and forced decisions are frequent from this share on.
const FREQUENT: f64 = 0.5;
/// An advantage of a seat is small up to this difference from its fair share.
const SMALL_ADVANTAGE: f64 = 0.05;
/// Seats are fair where a greater advantage than this would have been seen.
const VISIBLE_ADVANTAGE: f64 = 0.1;
/// Chance decides little, some, or much up to these shares, and almost everything beyond.
const CHANCE: [f64; 3] = [0.1, 0.4, 0.8];
/// Decisions seldom matter below this share.
const SELDOM: f64 = 0.1;
/// A doubling that gains less Elo than this gains next to nothing.
const LITTLE_ELO: f64 = 10.0;

/// Returns the sentences about an assessment, the most important first.
pub(crate) fn findings(assessment: &Assessment) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut say =
        |kind, text: Option<String>| found.extend(text.map(|text| Finding { kind, text }));
    say(Warning, endings(assessment));
    seats(assessment).into_iter().for_each(|(kind, text)| say(kind, Some(text)));
    for (kind, text) in [
        draws(assessment),
        chance(assessment),
        skill(assessment),
        decisions(assessment),
        course(assessment),
    ]
    .into_iter()
    .flatten()
    {
        say(kind, Some(text));
    }
    for rule in &assessment.rules {
        if rule.is_dead() {
            say(Warning, Some(format!("Line {} never applied: {}", rule.line, rule.text)));
        } else if rule.is_unused() {
            let text = format!("Line {} is never used by the bot: {}", rule.line, rule.text);
            say(Neutral, Some(text));
        }
    }
    found
}

type Sentence = Option<(FindingKind, String)>;

fn endings(assessment: &Assessment) -> Option<String> {
    let (bot, random) = (&assessment.outcomes, &assessment.random_outcomes);
    let positive = |figure: &Figure| figure.value().filter(|&share| share > 0.0);
    if let Some(share) = positive(&bot.faulty_share).or(positive(&random.faulty_share)) {
        return Some(format!(
            "{} of the games broke off where the rules do not say how to go on, or exceeded a \
             bound of the implementation.",
            percent(share)
        ));
    }
    let unfinished = |share: f64, players: &str| {
        let limit = assessment.max_decisions;
        format!(
            "{} of the games of {players} did not end within {limit} decisions.",
            percent(share)
        )
    };
    (positive(&bot.unfinished_share).map(|share| unfinished(share, "the bot")))
        .or(positive(&random.unfinished_share).map(|share| unfinished(share, "random players")))
}

fn seats(assessment: &Assessment) -> Vec<(FindingKind, String)> {
    let mut found = Vec::new();
    let mut widest: Option<f64> = None;
    for seat in &assessment.outcomes.seats {
        let Some(estimate) = seat.win_share.estimate() else { continue };
        let (low, high) = (estimate.interval.ci_low, estimate.interval.ci_high);
        let fair = seat.fair_share;
        widest = Some(widest.unwrap_or(0.0).max((high - fair).max(fair - low)));
        if (low..=high).contains(&fair) {
            continue;
        }
        let is_small = (estimate.value - fair).abs() <= SMALL_ADVANTAGE;
        let kind = if is_small { Neutral } else { Warning };
        let words = if estimate.value > fair { "an advantage" } else { "a disadvantage" };
        let (share, fair) = (shown(&seat.win_share, percent), percent(fair));
        found.push((
            kind,
            format!("Seat {} has {words}: it wins {share}, and {fair} is fair.", seat.seat),
        ));
    }
    match widest {
        Some(width) if found.is_empty() => {
            let text = format!(
                "No seat has an advantage that these games show; one of more than {} would.",
                points(width)
            );
            vec![(if width <= VISIBLE_ADVANTAGE { Good } else { Neutral }, text)]
        }
        _ => found,
    }
}

fn draws(assessment: &Assessment) -> Sentence {
    let drawn = &assessment.outcomes.drawn_share;
    let (share, bounds) = (drawn.value()?, drawn.interval()?);
    let kind = if bounds.ci_low >= FREQUENT { Warning } else { Neutral };
    (share > 0.0).then(|| (kind, format!("{} of the games are drawn.", shown(drawn, percent))))
}

fn chance(assessment: &Assessment) -> Sentence {
    let share = assessment.chance_share.value()?;
    let Some(bounds) = assessment.chance_share.interval() else {
        return Some((Neutral, "Chance decides nothing: there are no chance events.".into()));
    };
    let [little, some, much] = CHANCE;
    let words = match share {
        _ if share < little => "little",
        _ if share < some => "some",
        _ if share < much => "much",
        _ => "almost everything",
    };
    let kind = if bounds.ci_low >= much { Warning } else { Neutral };
    let shown = shown(&assessment.chance_share, percent);
    Some((kind, format!("Chance decides {words}: it explains {shown} of the results.")))
}

fn skill(assessment: &Assessment) -> Sentence {
    let bounds = assessment.skill.elo_per_doubling.interval()?;
    let (kind, words) = match bounds {
        _ if bounds.ci_low > 0.0 => (Good, "Skill pays"),
        _ if bounds.ci_high < LITTLE_ELO => (Warning, "Skill does not pay"),
        _ => (Neutral, "It is not certain that skill pays"),
    };
    let shown = shown(&assessment.skill.elo_per_doubling, |elo| signed(elo, 0));
    Some((kind, format!("{words}: a search twice as long gains {shown} Elo.")))
}

fn decisions(assessment: &Assessment) -> Sentence {
    let decisions = &assessment.decisions;
    let forced = &decisions.forced_share;
    if forced.interval().is_some_and(|bounds| bounds.ci_low >= FREQUENT) {
        let shown = shown(forced, percent);
        return Some((Warning, format!("{shown} of the decisions are forced.")));
    }
    let important = &decisions.important_share;
    let kind = if important.interval()?.ci_high < SELDOM { Warning } else { Neutral };
    let (shown, margin) = (shown(important, percent), points(decisions.stake_margin));
    Some((
        kind,
        format!("{shown} of the decisions matter: a random action would cost more than {margin}."),
    ))
}

fn course(assessment: &Assessment) -> Sentence {
    let comebacks = &assessment.course.comeback_share;
    comebacks.value()?;
    let shown = shown(comebacks, percent);
    Some((Neutral, format!("In {shown} of the won games, the winner was behind at some point.")))
}

/// Formats a value with its interval.
fn shown(figure: &Figure, format: impl Fn(f64) -> String) -> String {
    let value = figure.value().map_or_else(String::new, &format);
    match figure.interval() {
        Some(bounds) => {
            format!("{value} ({} to {})", format(bounds.ci_low), format(bounds.ci_high))
        }
        None => value,
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn points(share: f64) -> String {
    format!("{:.1} points of 100", 100.0 * share)
}
