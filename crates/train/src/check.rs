//! Reads training files and validates their semantics.

use std::path::Path;

use meeple_arena::{Mistake, beside, read_checked};
use meeple_bots::{BotSpec, NameKind, OpenError, SearchKind};
use meeple_games::files::{file_table, is_path, read_table};

use crate::config::{Gate, Root, TrainConfig};

/// A field, and what is wrong with it.
pub(crate) type Fault = (String, String);

/// Reads the training file `text` of `file`, and validates it.
///
/// ```
/// let text = r#"{
///   "game": "connect-four",
///   "self_play": {"games": 0}
/// }"#;
/// let mistake = meeple_train::read_config("train.json".as_ref(), text).unwrap_err();
/// assert_eq!((mistake.line, mistake.field.as_str()), (3, "self_play.games"));
/// assert_eq!(mistake.message, "0 is not from 1 to 1000000");
/// ```
///
/// # Errors
///
/// At the first mistake in the file.
pub fn read_config(file: &Path, text: &str) -> Result<TrainConfig, Mistake> {
    read_checked(NameKind::Training, file, text, |config: &mut TrainConfig| {
        if is_path(&config.game) && file_table(&config.game, Some(&config.table)).is_none() {
            let table = read_table(&beside(file, &config.game), Some(&config.table));
            config.table = table.map_err(|error| ("game".to_owned(), error.to_string()))?;
        }
        check(config)
    })
}

/// Validates games, tables, bots and numbers.
pub(crate) fn check(config: &TrainConfig) -> Result<(), Fault> {
    match meeple_bots::open(&config.game, Some(&config.table.to_string())) {
        Err(OpenError::Game(unknown)) => return fault("game", unknown.to_string()),
        Err(error @ OpenError::Config { .. }) => return fault("table", error.to_string()),
        Ok(_) => {}
    }
    let network = &config.network;
    for (name, size) in [("width", network.width), ("neck", network.neck), ("value", network.value)]
    {
        number(&format!("network.{name}"), size as f64, 1.0, 8_192.0)?;
    }
    number("network.blocks", network.blocks as f64, 0.0, 64.0)?;
    check_self_play(config)?;
    check_learning(config)?;
    check_gate(config)?;
    check_evaluation(config)?;
    if let Some(minutes) = config.limit.minutes {
        number("limit.minutes", minutes, 0.01, 1e6)?;
    }
    Ok(())
}

fn check_self_play(config: &TrainConfig) -> Result<(), Fault> {
    let play = &config.self_play;
    number("self_play.games", play.games as f64, 1.0, 1e6)?;
    number("self_play.at_once", play.at_once as f64, 1.0, 10_000.0)?;
    number("self_play.simulations", play.simulations.into(), 1.0, 1e6)?;
    number("self_play.fast_simulations", play.fast_simulations.into(), 1.0, 1e6)?;
    number("self_play.full_share", play.full_share, 0.01, 1.0)?;
    number("self_play.exploration", play.exploration.into(), 0.0, 1_000.0)?;
    number("self_play.openings", play.openings.into(), 0.0, 1e4)?;
    if let Some(opponent) = &play.opponent {
        number("self_play.opponent.share", opponent.share, 0.0, 1.0)?;
        check_opponent(config, &opponent.bot)?;
    }
    number("self_play.longest", play.longest.into(), 1.0, 1e6)?;
    for (at, step) in play.temperatures.iter().enumerate() {
        let field = format!("self_play.temperatures[{at}].temperature");
        number(&field, step.temperature.into(), 0.0, 100.0)?;
    }
    rising("self_play.temperatures", play.temperatures.iter().map(|step| step.from.into()))?;
    match play.root {
        Root::Gumbel(gumbel) => {
            let field = |name: &str| format!("self_play.root.gumbel.{name}");
            number(&field("considered"), gumbel.considered as f64, 1.0, 10_000.0)?;
            number(&field("visit_offset"), gumbel.visit_offset.into(), 0.0, 1e6)?;
            number(&field("value_scale"), gumbel.value_scale.into(), 0.0, 1e3)
        }
        Root::Puct(noise) => {
            number("self_play.root.puct.alpha", noise.alpha.into(), 1e-4, 1e4)?;
            number("self_play.root.puct.share", noise.share.into(), 0.0, 1.0)
        }
    }
}

/// Checks that an opponent is not an external program: self-play must be reproducible.
fn check_opponent(config: &TrainConfig, bot: &BotSpec) -> Result<(), Fault> {
    let field = "self_play.opponent.bot";
    if !bot.is_repeatable() {
        return fault(field, format!("{bot} may play another game with the same seed"));
    }
    match bot.check_by_name(&config.game, &config.table) {
        Err(error) => fault(field, error.to_string()),
        Ok(()) => Ok(()),
    }
}

fn check_learning(config: &TrainConfig) -> Result<(), Fault> {
    let buffer = &config.buffer;
    number("buffer.first", buffer.first as f64, 1.0, 1e9)?;
    number("buffer.last", buffer.last as f64, buffer.first as f64, 1e9)?;
    number("buffer.growth", buffer.growth, 0.0, 1.0)?;
    number("buffer.trainings", buffer.trainings, 0.01, buffer.most_trainings.into())?;
    number("buffer.most_trainings", buffer.most_trainings.into(), 1.0, 255.0)?;
    let learning = &config.learning;
    number("learning.batch", learning.batch as f64, 1.0, 65_536.0)?;
    for (at, step) in learning.rates.iter().enumerate() {
        number(&format!("learning.rates[{at}].rate"), step.rate.into(), 1e-9, 10.0)?;
    }
    rising("learning.rates", learning.rates.iter().map(|step| step.from))?;
    number("learning.weight_decay", learning.weight_decay.into(), 0.0, 1.0)?;
    number("learning.value_weight", learning.value_weight.into(), 0.0, 1e3)?;
    number("learning.search_share", learning.search_share.into(), 0.0, 1.0)?;
    number("learning.largest_gradient", learning.largest_gradient.into(), 1e-6, 1e9)
}

fn check_gate(config: &TrainConfig) -> Result<(), Fault> {
    match &config.gate {
        None => Ok(()),
        Some(Gate::Share(gate)) => {
            number("gate.share.share", gate.share, 0.0, 1.0)?;
            number("gate.share.games", gate.games as f64, 2.0, 1e6)
        }
        Some(Gate::Sprt(gate)) => {
            number("gate.sprt.elo1", gate.elo1, gate.elo0 + 1e-3, 1e4)?;
            number("gate.sprt.alpha", gate.alpha, 1e-6, 0.5)?;
            number("gate.sprt.beta", gate.beta, 1e-6, 0.5)?;
            number("gate.sprt.most_games", gate.most_games as f64, 2.0, 1e6)
        }
    }
}

/// Checks that a bot uses the network that it is given.
pub(crate) fn plays_by_network(bot: &BotSpec) -> Result<(), String> {
    match bot {
        BotSpec::Search(spec) if spec.kind == SearchKind::Puct && spec.model.is_none() => Ok(()),
        other => {
            Err(format!("{other} does not play by the network, expected puct without a model"))
        }
    }
}

fn check_evaluation(config: &TrainConfig) -> Result<(), Fault> {
    let evaluation = &config.evaluation;
    number("evaluation.games", evaluation.games as f64, 2.0, 1e6)?;
    number("evaluation.openings", evaluation.openings.into(), 0.0, 100.0)?;
    if let Err(message) = plays_by_network(&evaluation.bot) {
        return fault("evaluation.bot", message);
    }
    if evaluation.ladder.is_empty() && evaluation.every > 0 {
        return fault("evaluation.ladder", "expected at least one opponent");
    }
    for (at, bot) in evaluation.ladder.iter().enumerate() {
        if let Err(error) = bot.check_by_name(&config.game, &config.table) {
            return fault(&format!("evaluation.ladder[{at}]"), error.to_string());
        }
    }
    Ok(())
}

pub(crate) fn fault<T>(field: &str, message: impl Into<String>) -> Result<T, Fault> {
    Err((field.to_owned(), message.into()))
}

pub(crate) fn number(field: &str, value: f64, low: f64, high: f64) -> Result<(), Fault> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    fault(field, format!("{value} is not from {low} to {high}"))
}

/// Checks that the steps of a schedule are increasing and start at 0.
fn rising(field: &str, steps: impl Iterator<Item = u64>) -> Result<(), Fault> {
    let steps: Vec<u64> = steps.collect();
    if steps.first() == Some(&0) && steps.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    fault(field, format!("its steps are from {steps:?}, expected 0 first and each above the last"))
}
