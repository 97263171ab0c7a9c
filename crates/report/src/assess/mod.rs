//! The page of an assessment: what is good about a game, in plots and plain words.

mod rows;

use meeple_arena::{Assessment, Course, Decisions, FindingKind, Outcomes, RuleCoverage, Skill};

pub use rows::{FigureRow, assessment_rows};

use crate::page::{Section, breakable, contents, escape, figure, page};
use crate::svg::{self, Axis, Curve, CurvePoint, Estimate};
use rows::Format;

/// Returns the page of an assessment as HTML. The same assessment gives the same bytes.
#[must_use]
pub fn assessment_page(assessment: &Assessment) -> String {
    let sections = [
        Some(figures(assessment)),
        Some(endings(&assessment.outcomes, &assessment.random_outcomes)),
        Some(chance(assessment)),
        Some(course(&assessment.course)),
        Some(skill(&assessment.skill)),
        Some(decisions(&assessment.decisions)),
        (!assessment.rules.is_empty()).then(|| rules(&assessment.rules)),
        Some(actions(assessment)),
        Some(method(assessment)),
    ];
    let sections: Vec<Section> = sections.into_iter().flatten().collect();
    let body = header(assessment) + &contents(&sections);
    page(&format!("{}, assessed", assessment.game), &body)
}

fn section(id: &str, title: &str, body: String) -> Section {
    Section { id: id.into(), title: title.into(), body }
}

fn header(assessment: &Assessment) -> String {
    let facts = [
        ("players", assessment.players.to_string()),
        ("games of the bot", assessment.outcomes.games.to_string()),
        ("random games", assessment.random_outcomes.games.to_string()),
        ("seed", assessment.seed.to_string()),
    ];
    let facts: String = (facts.iter())
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(value)))
        .collect();
    let note = if assessment.finished {
        ""
    } else {
        "<p class=\"note\">The assessment was interrupted: these are the games so far.</p>\n"
    };
    let findings: String = (assessment.findings.iter())
        .map(|finding| {
            let (class, word) = match finding.kind {
                FindingKind::Good => ("good", "good"),
                FindingKind::Neutral => ("neutral", "note"),
                FindingKind::Warning => ("warning", "look"),
            };
            format!("<li class=\"{class}\"><b>{word}</b> {}</li>", escape(&finding.text))
        })
        .collect();
    format!(
        "<header>\n<h1>Is {} any good?</h1>\n<p>A search played the game against itself, random \
         players played it, and searches of different strength met. Numbers in brackets are 95 % \
         confidence intervals.</p>\n<dl class=\"facts\">{facts}</dl>\n<p class=\"made\">Bot: \
         <code>{}</code></p>\n{note}<ul class=\"findings\">{findings}</ul>\n</header>\n",
        escape(assessment.game),
        breakable(&assessment.bot),
    )
}

/// The table of all figures.
fn figures(assessment: &Assessment) -> Section {
    let row = |row: &FigureRow| {
        let FigureRow { measure, value, interval } = row;
        format!(
            "<tr><th>{}</th><td>{value}</td><td>{}</td></tr>",
            escape(measure),
            escape(interval)
        )
    };
    let rows: String = assessment_rows(assessment).iter().map(row).collect();
    let body = format!(
        "<div class=\"wide\"><table><thead><tr><th>measure</th><th>value</th><th>95 % interval</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>\n"
    );
    section("figures", "Figures", body)
}

fn endings(bot: &Outcomes, random: &Outcomes) -> Section {
    let [shortest, _, median, _, longest] = bot.decisions_quartiles;
    let mut body = format!(
        "<p>A game of the bot takes {} decisions on average; half of the games take up to {median}, \
         the shortest took {shortest}, the longest {longest}. Random players need {}.</p>\n",
        shown(&bot.decisions_per_game, Format::Plain(1)),
        shown(&random.decisions_per_game, Format::Plain(1)),
    );
    let bars: Vec<(String, u64)> =
        bot.decisions_histogram.iter().map(|bar| (bar.from.to_string(), bar.games)).collect();
    body.push_str(&figure(
        "Games by their number of decisions",
        &svg::bars(&bars, "decisions", "games"),
    ));
    let fair = bot.seats.first().map(|seat| 100.0 * seat.fair_share);
    let rows = |outcomes: &Outcomes, players: &str| -> Vec<Estimate> {
        let seats = outcomes.seats.iter().map(|seat| (seat.seat, &seat.win_share));
        let row = |(seat, share): (usize, &meeple_arena::Figure)| {
            estimate(&format!("seat {seat}, {players}"), share, 100.0)
        };
        seats.filter_map(row).collect()
    };
    let mut all = rows(bot, "bot");
    all.extend(rows(random, "random players"));
    body.push_str(&figure(
        "Wins of each seat in percent, with 95 % intervals",
        &svg::estimates(&all, &Axis { unit: "%", is_signed: false, mark: fair }),
    ));
    body.push_str(
        "<p>The line is the fair share. A shared win counts in equal parts, and so does a game \
         without a result.</p>\n",
    );
    let ends = [
        ("decided", &bot.decided_share),
        ("drawn", &bot.drawn_share),
        ("unfinished", &bot.unfinished_share),
        ("broken off", &bot.faulty_share),
    ];
    let rows: Vec<Estimate> =
        ends.iter().filter_map(|(name, share)| estimate(name, share, 100.0)).collect();
    body.push_str(&figure(
        "Ends of games of the bot in percent, with 95 % intervals",
        &svg::estimates(&rows, &Axis { unit: "%", is_signed: false, mark: None }),
    ));
    section("endings", "Length, ends and seats", body)
}

fn chance(assessment: &Assessment) -> Section {
    let share = &assessment.chance_share;
    let body = if share.estimate().is_none() {
        format!("<p>{}.</p>\n", escape(&sentence(share.reason().unwrap_or_default())))
    } else {
        format!(
            "<p>Luck is what dice and cards change in the expected result of a game; what players \
             change is play. Luck explains {} of the variance of results. At 100 % the dice decide \
             between equal players; at 0 % they do not matter.</p>\n{}",
            shown(share, Format::Percent),
            figure(
                "Share of the results that chance explains, in percent",
                &svg::estimates(
                    &estimate("chance", share, 100.0).into_iter().collect::<Vec<_>>(),
                    &Axis { unit: "%", is_signed: false, mark: None },
                ),
            ),
        )
    };
    section("chance", "Chance", body)
}

fn course(course: &Course) -> Section {
    let mut body = format!(
        "<p>The lead of a seat is its expected score less that of the best other seat, by its own \
         search. It changes hands {} times a game; leads below {:.0} points of 100 do not count. In \
         {} of the won games the winner was behind at some point. Drama is {}: the root of how far \
         winners were behind where they were behind, from 0 to 1.</p>\n",
        shown(&course.lead_changes_per_game, Format::Plain(2)),
        100.0 * course.lead_margin,
        shown(&course.comeback_share, Format::Percent),
        shown(&course.drama, Format::Plain(3)),
    );
    let points: Vec<CurvePoint> = (course.winner_curve.iter())
        .filter_map(|step| {
            let lead = step.winner_lead.estimate()?;
            let bounds = (100.0 * lead.interval.ci_low, 100.0 * lead.interval.ci_high);
            Some(CurvePoint {
                at: (100.0 * step.progress).round(),
                value: 100.0 * lead.value,
                bounds: Some(bounds),
            })
        })
        .collect();
    if !points.is_empty() {
        let curve = Curve { name: "winner".into(), points };
        let plot = svg::titled_lines(&[curve], "percent of the game", "lead");
        body.push_str(&figure(
            "The lead of the eventual winner as games go on, in points of 100",
            &plot,
        ));
    }
    let bars: Vec<(String, u64)> = (course.games_by_lead_changes.iter().enumerate())
        .map(|(changes, &games)| (changes.to_string(), games))
        .collect();
    body.push_str(&figure(
        "Games by their number of lead changes",
        &svg::bars(&bars, "lead changes", "games"),
    ));
    section("course", "The course of games", body)
}

fn skill(skill: &Skill) -> Section {
    let mut body = match skill.elo_per_doubling.reason() {
        Some(reason) => format!("<p>{}.</p>\n", escape(&sentence(reason))),
        None => format!(
            "<p>Twice the simulations gain {} Elo on average. Where an interval contains 0, it is \
             not certain that the longer search is stronger at all.</p>\n",
            shown(&skill.elo_per_doubling, Format::Signed),
        ),
    };
    let label = |met: &meeple_arena::Doubling| {
        format!("{} against {} simulations", met.high_sims, met.low_sims)
    };
    let matches = skill.matches.iter();
    let mut rows: Vec<Estimate> =
        matches.filter_map(|met| estimate(&label(met), &met.elo, 1.0)).collect();
    rows.extend(estimate("mean", &skill.elo_per_doubling, 1.0));
    if !rows.is_empty() {
        let axis = Axis { unit: "Elo", is_signed: true, mark: Some(0.0) };
        body.push_str(&figure("Elo gained by a doubling", &svg::estimates(&rows, &axis)));
        let row = |met: &meeple_arena::Doubling| {
            format!(
                "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
                label(met),
                met.games,
                shown(&met.score, Format::Percent),
                shown(&met.elo, Format::Signed),
            )
        };
        let rows: String = skill.matches.iter().map(row).collect();
        body.push_str(&format!(
            "<div class=\"wide\"><table><thead><tr><th>match</th><th>games</th><th>score</th>\
             <th>Elo</th></tr></thead><tbody>{rows}</tbody></table></div>\n"
        ));
    }
    section("skill", "Skill", body)
}

fn decisions(decisions: &Decisions) -> Section {
    let mut body = format!(
        "<p>A player has {} legal actions on average, at most {}. {} of the decisions are forced. A \
         random action instead of the bot's costs {} of 100 points of expected score. {} of the \
         searched decisions matter: there it costs more than {:.0} points, and more than the search \
         may err by.</p>\n",
        shown(&decisions.legal_actions_per_decision, Format::Plain(1)),
        decisions.max_legal_actions,
        shown(&decisions.forced_share, Format::Percent),
        shown(&decisions.stake_per_decision, Format::Percent).replace(" %", ""),
        shown(&decisions.important_share, Format::Percent),
        100.0 * decisions.stake_margin,
    );
    let points: Vec<CurvePoint> = (1..)
        .zip(&decisions.legal_actions_by_decision)
        .map(|(at, &value)| CurvePoint { at: f64::from(at), value, bounds: None })
        .collect();
    if points.len() > 1 {
        let curve = Curve { name: "legal actions".into(), points };
        let plot = svg::titled_lines(&[curve], "decision", "legal actions");
        body.push_str(&figure("Legal actions as games go on, while half of them last", &plot));
    }
    section("decisions", "Decisions", body)
}

fn rules(rules: &[RuleCoverage]) -> Section {
    let row = |rule: &RuleCoverage| {
        let (class, remark) = match rule {
            _ if rule.is_dead() => (" class=\"dead\"", "never applied"),
            _ if rule.is_unused() => (" class=\"unused\"", "never used by the bot"),
            _ => ("", ""),
        };
        format!(
            "<tr{class}><td>{}</td><th><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td>\
             <td>{remark}</td></tr>",
            rule.line,
            escape(&rule.text),
            rule.offered_decisions,
            rule.applied,
            rule.random_uses,
        )
    };
    let rows: String = rules.iter().map(row).collect();
    let body = format!(
        "<p>How often each rule of the file offered an action, and how often it applied: its action \
         was chosen, its chance event happened, or it ended the game. These are counts of the games \
         that were played, so they have no interval.</p>\n<div class=\"wide\"><table class=\"rules\">\
         <thead><tr><th>line</th><th>rule</th><th>offered</th><th>applied</th><th>random games</th>\
         <th></th></tr></thead><tbody>{rows}</tbody></table></div>\n"
    );
    section("rules", "Rules", body)
}

fn actions(assessment: &Assessment) -> Section {
    let actions = &assessment.actions;
    let mut body = format!(
        "<p>Of {} action ids, {} were legal in some game and {} were chosen by the bot. {} were \
         legal at 30 decisions or more and never chosen.</p>\n",
        actions.action_ids, actions.legal_ids, actions.chosen_ids, actions.dead_ids,
    );
    if !actions.dead_actions.is_empty() {
        let row = |action: &meeple_arena::DeadAction| {
            format!(
                "<tr><th>{}</th><td>{}</td><td>0 to {}</td></tr>",
                escape(&action.name),
                action.legal_decisions,
                Format::Percent.text(action.chosen_share_ci_high),
            )
        };
        let rows: String = actions.dead_actions.iter().map(row).collect();
        body.push_str(&format!(
            "<div class=\"wide\"><table><thead><tr><th>never chosen</th><th>legal decisions</th>\
             <th>share chosen, 95 %</th></tr></thead><tbody>{rows}</tbody></table></div>\n"
        ));
    }
    section("actions", "Actions", body)
}

fn method(assessment: &Assessment) -> Section {
    let body = format!(
        "<ul>\n\
         <li>Shares have Wilson intervals, for decisions with the effective number of independent \
         ones; means and ratios have normal intervals. The decisions of a game count as one cluster.</li>\n\
         <li>Luck is measured as by Zinkevich, Bowling, Bard, Kan and Billings (2006): a result is \
         the sum of the changes of its expectation. The expectation is that of the searches or, where \
         information is imperfect, of random games from the position. The share of luck is its \
         covariance with the result, divided by the variance of results (Shorrocks 1982). Goodman, \
         Perez-Liebana and Lucas (2024) measure randomness by fixed seeds instead.</li>\n\
         <li>Lead changes and drama are those of Browne (2008), by searches of the deciding seat.</li>\n\
         <li>Elo (1978) by matches of equal searches with different numbers of simulations, as in \
         the chains of Lantz and others (2017). In a match, each seat is played with the same chance events.</li>\n\
         <li>A game that takes more than {} decisions is unfinished.</li>\n\
         <li>Another bot may find other answers: all figures are those of <code>{}</code>.</li>\n\
         </ul>\n<p class=\"made\">Meeple {}, seed {}, configuration <code>{}</code></p>\n",
        assessment.max_decisions,
        breakable(&assessment.bot),
        env!("CARGO_PKG_VERSION"),
        assessment.seed,
        escape(&configuration(assessment)),
    );
    section("method", "How it was measured", body)
}

/// The configuration without the text of a game file.
fn configuration(assessment: &Assessment) -> String {
    let mut config = assessment.config.clone();
    if let Some(keys) = config.as_object_mut().filter(|_| !assessment.rules.is_empty()) {
        keys.remove("file");
    }
    config.to_string()
}

/// Formats a value with its interval.
fn shown(figure: &meeple_arena::Figure, format: Format) -> String {
    let row = format.row("", figure);
    let value = if figure.value().is_some() { row.value } else { "an unknown number".into() };
    escape(&format!("{value} ({})", row.interval))
}

fn estimate(label: &str, figure: &meeple_arena::Figure, scale: f64) -> Option<Estimate> {
    let found = figure.estimate()?;
    Some(Estimate {
        label: label.into(),
        value: scale * found.value,
        low: scale * found.interval.ci_low,
        high: scale * found.interval.ci_high,
    })
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
