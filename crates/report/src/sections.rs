//! The sections of a report: header, standings, pairings, heat maps and decision times.

use crate::made::Made;
use crate::page::{Section, breakable, duration, escape, figure, percent, short};
use crate::svg::{self, Axis, Estimate};
use meeple_arena::{PairingSummary, TableSummary, Tallied};
use meeple_arena::{Scoring, Summary, Timing, signed};

/// The header: name, description and size of the run.
pub(crate) fn header(summary: &Summary, timing: &Timing, made: &Made) -> String {
    let mut facts = vec![
        ("task", summary.task.to_owned()),
        ("games", summary.games.to_string()),
        ("seed", summary.seed.to_string()),
        ("time", duration(timing.seconds)),
        ("games/s", short(timing.games_per_second)),
        ("threads", timing.threads.to_string()),
    ];
    if let Some(samples) = summary.samples {
        facts.push(("decisions kept", samples.to_string()));
    }
    if summary.forfeits > 0 {
        facts.push(("forfeits", summary.forfeits.to_string()));
    }
    if summary.cut > 0 {
        facts.push(("broken off", summary.cut.to_string()));
    }
    if summary.faults > 0 {
        facts.push(("faults", summary.faults.to_string()));
    }
    let facts: String = (facts.iter())
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(value)))
        .collect();
    let mut notes = String::new();
    for entry in &summary.forfeit_causes {
        notes.push_str(&format!("<p class=\"note\">{}</p>\n", escape(&entry.to_string())));
    }
    if !summary.finished {
        notes.push_str(
            "<p class=\"note\">The run was interrupted: these are the games so far.</p>\n",
        );
    }
    if !summary.repeatable {
        notes.push_str(
            "<p class=\"note\">Other programs played, or bots that look at the clock or share a \
             tree: the same seed may give other games.</p>\n",
        );
    }
    let description = if summary.description.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>\n", escape(&summary.description))
    };
    let Made { date, version, processor, cores } = made;
    format!(
        "<header>\n<h1>{}</h1>\n{description}<dl class=\"facts\">{facts}</dl>\n{notes}\
         <p class=\"made\">{date}, Meeple {version}, {}, {cores} cores</p>\n</header>\n",
        escape(&summary.name),
        escape(processor),
    )
}

/// The section on one table.
pub(crate) fn table_section(at: usize, table: &TableSummary, timing: &Timing) -> Section {
    let mut body = standings(at, table, timing);
    if table.bots.iter().any(|bot| bot.rating.is_some()) {
        let rows: Vec<Estimate> = (table.bots.iter())
            .filter_map(|bot| {
                let rating = bot.rating?;
                Some(Estimate {
                    label: bot.label.clone(),
                    value: rating.elo,
                    low: rating.interval.ci_low,
                    high: rating.interval.ci_high,
                })
            })
            .collect();
        let axis = Axis { unit: "Elo", is_signed: true, mark: None };
        body.push_str(&figure("Ratings, with 95 % intervals", &svg::estimates(&rows, &axis)));
        if table.scoring == Scoring::Payoff {
            body.push_str(
                "<p>Payoffs are scored, so Elo is normalized: that of wins and losses with the \
                 same mean in units of the deviation of one game.</p>\n",
            );
        }
        if table.drawn_games_added {
            body.push_str(
                "<p class=\"note\">Some bot won or lost everything, so its strength has no bound: \
                 one drawn game was added to every pair.</p>\n",
            );
        }
    }
    if table.bots.len() > 1 && !table.pairings.is_empty() {
        body.push_str(&cross_table(table));
        body.push_str(&pairings(table));
    }
    body.push_str(&heat_maps(table));
    let lengths: Vec<(String, u64)> =
        table.lengths.iter().map(|bar| (bar.from.to_string(), bar.games)).collect();
    body.push_str(&figure(
        "Games by their number of decisions",
        &svg::bars(&lengths, "decisions", "games"),
    ));
    body.push_str(&times(at, timing));
    let configs = match &table.configs[..] {
        [config] => format!(" <code>{}</code>", escape(&config.to_string())),
        configs => format!(", {} configurations", configs.len()),
    };
    let body = format!(
        "<p>{} games at {} seats, {:.1} decisions and {:.1} chance events a game{configs}</p>\n\
         {body}",
        table.games, table.seats, table.decisions_per_game, table.chances_per_game,
    );
    Section { id: format!("table-{at}"), title: table.game.clone(), body }
}

fn standings(at: usize, table: &TableSummary, timing: &Timing) -> String {
    let rated = table.bots.iter().any(|bot| bot.rating.is_some());
    let head = if rated {
        "<th>Elo</th><th title=\"likelihood of superiority over the next\">LOS</th>"
    } else {
        ""
    };
    let winnings = table.bots.iter().find_map(|bot| bot.winnings);
    let payoffs = winnings.map_or("payoff".into(), |winnings| winnings.unit.to_string());
    let mut rows = String::new();
    for bot in &table.bots {
        let rating = match bot.rating {
            Some(rating) if rating.standard_error > 0.0 => {
                let half = rating.interval.ci_high - rating.elo;
                format!("<td>{} ± {half:.0}</td>", signed(rating.elo, 0))
            }
            Some(_) => "<td>0, anchor</td>".into(),
            None => String::new(),
        };
        let superiority = match bot.superiority {
            _ if !rated => String::new(),
            Some(chance) => format!("<td>{}</td>", percent(chance)),
            None => "<td></td>".into(),
        };
        let payoff = match bot.winnings {
            Some(winnings) => format!("<td>{winnings}</td>"),
            None => format!("<td>{}</td>", signed(bot.all.mean_payoff, 3)),
        };
        let times = timing.bots.iter().find(|times| times.table == at && times.label == bot.label);
        let time = times.map_or(String::new(), |times| duration(times.mean_seconds));
        let speed = times.filter(|times| times.iterations_per_second > 0.0);
        let speed = speed.map_or(String::new(), |times| short(times.iterations_per_second));
        rows.push_str(&format!(
            "<tr><th title=\"{}\">{}</th>{rating}{superiority}{payoff}<td>{}</td>\
             <td>{} to {}</td><td>{}</td><td>{}</td><td>{time}</td><td>{speed}</td></tr>",
            escape(&bot.bot),
            breakable(&bot.label),
            percent(bot.all.win),
            percent(bot.all.ci_low),
            percent(bot.all.ci_high),
            percent(bot.all.ties as f64 / bot.all.games.max(1) as f64),
            bot.all.games,
        ));
    }
    format!(
        "<div class=\"wide\"><table><thead><tr><th>bot</th>{head}<th>{payoffs}</th><th>wins</th>\
         <th>95 %</th><th>ties</th><th>games</th><th>a decision</th>\
         <th>simulations/s</th></tr></thead><tbody>{rows}</tbody></table></div>\n"
    )
}

/// The score of every bot against every other.
fn cross_table(table: &TableSummary) -> String {
    const MOST: usize = 24;
    let labels: Vec<&str> = table.bots.iter().map(|bot| bot.label.as_str()).take(MOST).collect();
    let score = |first: &str, second: &str| {
        let mut points = (0.0, 0.0);
        for pairing in &table.pairings {
            let share = if pairing.first == first && pairing.second == second {
                pairing.result.score
            } else if pairing.first == second && pairing.second == first {
                1.0 - pairing.result.score
            } else {
                continue;
            };
            points = (points.0 + share * pairing.games as f64, points.1 + pairing.games as f64);
        }
        (points.1 > 0.0).then(|| points.0 / points.1)
    };
    let head: String = (1..=labels.len()).map(|number| format!("<th>{number}</th>")).collect();
    let row = |(at, first): (usize, &&str)| {
        let cells: String = labels
            .iter()
            .map(|second| score(first, second).map_or("<td></td>".into(), |share| cell(share, "")))
            .collect();
        format!("<tr><th>{} {}</th>{cells}</tr>", at + 1, breakable(first))
    };
    let rows: String = labels.iter().enumerate().map(row).collect();
    format!(
        "<h3>Cross-table</h3>\n<p>Points that the row took from the column.</p>\n\
         <div class=\"wide\"><table class=\"heat\"><thead><tr><th></th>{head}</tr></thead>\
         <tbody>{rows}</tbody></table></div>\n"
    )
}

/// A table cell with a share, coloured by its distance from one half.
fn cell(share: f64, title: &str) -> String {
    let colour = if share >= 0.5 { "--more" } else { "--less" };
    let strength = ((share - 0.5).abs() * 160.0).min(80.0);
    let title =
        if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(title)) };
    format!(
        "<td{title} style=\"background:color-mix(in srgb, var({colour}) {strength:.0}%, \
         transparent)\">{}</td>",
        percent(share)
    )
}

fn pairings(table: &TableSummary) -> String {
    const MOST: usize = 60;
    let row = |pairing: &PairingSummary| {
        let winnings = pairing.winnings.map_or(String::new(), |won| format!("<td>{won}</td>"));
        let pairs: Vec<String> = (pairing.block_scores.iter())
            .map(|(score, count)| format!("{}: {count}", (score * 100.0).round() / 100.0))
            .collect();
        format!(
            "<tr><th>{}</th><th>{}</th><td>{}</td><td>{} - {} - {}</td><td>{}</td>\
             <td>{} to {}</td>{winnings}<td>{}</td><td>{}</td><td title=\"{}\">{}</td>\
             <td>{}</td></tr>",
            breakable(&pairing.first),
            breakable(&pairing.second),
            pairing.games,
            pairing.wins,
            pairing.draws,
            pairing.losses,
            percent(pairing.result.score),
            percent(pairing.result.interval.ci_low),
            percent(pairing.result.interval.ci_high),
            signed(pairing.result.elo, 0),
            percent(pairing.result.superiority),
            escape(&pairs.join(", ")),
            pairing.blocks,
            pairing.result.needed_games.map_or("-".into(), |games| games.to_string()),
        )
    };
    let rows: String = table.pairings.iter().take(MOST).map(row).collect();
    let unit =
        table.pairings.iter().find_map(|pairing| pairing.winnings).map(|winnings| winnings.unit);
    let unit = unit.map_or(String::new(), |unit| format!("<th>{unit}</th>"));
    format!(
        "<h3>Pairs</h3>\n<div class=\"wide\"><table class=\"pairs\"><thead><tr><th>bot</th><th>opponent</th>\
         <th>games</th><th>won - drawn - lost</th><th>score</th><th>95 %</th>{unit}<th>Elo</th>\
         <th title=\"likelihood of superiority\">LOS</th><th>blocks</th><th>games needed</th></tr></thead><tbody>{rows}</tbody>\
         </table></div>\n"
    )
}

/// Win rates by seat and by configuration.
fn heat_maps(table: &TableSummary) -> String {
    let fair = 1.0 / table.seats as f64;
    // The expected share of equal players is the midpoint of the colour scale, for any number of
    // seats.
    let shown = |tally: &Tallied| {
        if tally.games == 0 {
            return "<td></td>".to_owned();
        }
        let share = tally.win + tally.ties as f64 / tally.games as f64 / 2.0;
        let scaled = if share >= fair {
            0.5 + 0.5 * (share - fair) / (1.0 - fair)
        } else {
            0.5 * share / fair
        };
        let title = format!("{} games, payoff {}", tally.games, signed(tally.mean_payoff, 3));
        cell(scaled, &title).replace(&percent(scaled), &percent(share))
    };
    let rows = |of: &dyn Fn(&meeple_arena::BotSummary) -> Vec<Tallied>| -> String {
        let row = |bot: &meeple_arena::BotSummary| {
            let cells: String = of(bot).iter().map(shown).collect();
            format!("<tr><th>{}</th>{cells}</tr>", breakable(&bot.label))
        };
        table.bots.iter().take(40).map(row).collect()
    };
    let seats: String = (0..table.seats).map(|seat| format!("<th>seat {seat}</th>")).collect();
    let all: String = table.by_seat.iter().map(shown).collect();
    let mut text = format!(
        "<h3>Wins by seat</h3>\n<p>Ties count half.</p>\n<div class=\"wide\"><table class=\"heat\">\
         <thead><tr><th></th>{seats}</tr></thead><tbody>{}<tr><th>all</th>{all}</tr></tbody>\
         </table></div>\n",
        rows(&|bot| bot.by_seat.clone())
    );
    if table.configs.len() > 1 {
        let names: String = (table.configs.iter().enumerate())
            .map(|(at, config)| {
                format!("<th title=\"{}\">{}</th>", escape(&config.to_string()), at + 1)
            })
            .collect();
        let list: String = (table.configs.iter())
            .map(|config| format!("<li><code>{}</code></li>", escape(&config.to_string())))
            .collect();
        text.push_str(&format!(
            "<h3>Wins by configuration</h3>\n<div class=\"wide\"><table class=\"heat\"><thead><tr>\
             <th></th>{names}</tr></thead><tbody>{}</tbody></table></div>\n<details><summary>The \
             configurations</summary><ol>{list}</ol></details>\n",
            rows(&|bot| bot.by_config.clone())
        ));
    }
    text
}

fn times(at: usize, timing: &Timing) -> String {
    let rows: Vec<(String, Vec<u64>)> = (timing.bots.iter())
        .filter(|bot| bot.table == at)
        .take(40)
        .map(|bot| (bot.label.clone(), bot.times.buckets.clone()))
        .collect();
    let columns = rows.iter().map(|(_, buckets)| buckets.len()).max().unwrap_or(0);
    let columns: Vec<String> =
        (0..columns).map(|power| duration(2f64.powi(power as i32) * 1e-6)).collect();
    figure("Decisions by the time they took, up to", &svg::strips(&rows, &columns))
}
