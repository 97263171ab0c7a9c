//! Regenerates missing or damaged replays of finished games.

use std::sync::atomic::AtomicBool;

use meeple_game::Turn;

use super::Setup;
use super::error::RunError;
use super::ledger::{Ledger, replay_name};
use super::plan::Pool;
use super::play::{Programs, Unit};
use super::record::Record;
use super::stage::ScheduledStage;
use crate::replay::Replay;
use meeple_bots::open;

/// Checks the replays of the first `units` units of a stage, whose records are the last ones of
/// the ledger, and regenerates damaged ones by playing the games again.
///
/// If the bots are not reproducible, a damaged replay is removed, because its game cannot be
/// regenerated.
pub(super) fn mend_replays(
    setup: &Setup<'_>,
    pool: &Pool,
    scheduled: &ScheduledStage,
    units: u64,
    ledger: &Ledger,
) -> Result<(), RunError> {
    let stop = AtomicBool::new(false);
    let mut programs = Programs::default();
    let size = |unit| scheduled.stage.matches[scheduled.stage.unit(unit).0].block() as usize;
    let mut start = ledger.records.len() - (0..units).map(size).sum::<usize>();
    for unit in 0..units {
        let again = Unit::new(setup, pool, scheduled, unit, &stop);
        let records = &ledger.records[start..start + size(unit)];
        start += size(unit);
        let is_kept = |record: &Record| {
            let text = ledger.folder.read(&replay_name(record.game));
            let replay = text.and_then(|text| Replay::from_json(&text).ok());
            replay.is_some_and(|replay| is_of(&replay, record))
        };
        if !again.keep.replays || records.iter().all(is_kept) {
            continue;
        }
        let mut bots = again.seatings.iter().flatten();
        let replays = if bots.all(|&bot| pool.0[bot].bot.is_repeatable()) {
            setup.progress.add_total(records.len() as u64);
            let Some(done) = again.play(&mut programs)? else { return Ok(()) };
            done.replays
        } else {
            Vec::new()
        };
        for (at, record) in records.iter().enumerate() {
            let name = replay_name(record.game);
            match replays.get(at).filter(|replay| is_of(replay, record)) {
                Some(replay) => ledger.folder.write(&name, replay.to_json().as_bytes())?,
                None if is_kept(record) => {}
                None => ledger.folder.remove(&name)?,
            }
        }
    }
    Ok(())
}

/// Whether a replay belongs to a record: its header agrees, and its actions reproduce the result.
fn is_of(replay: &Replay, record: &Record) -> bool {
    let same = replay.seed == record.seed
        && replay.bots == record.bots
        && replay.payoffs == record.payoffs
        && replay.forfeit == record.forfeit;
    same && ends_alike(replay, record)
}

/// Whether the actions of a replay give the result of the record.
fn ends_alike(replay: &Replay, record: &Record) -> bool {
    let Ok(mut game) = open(&replay.game, Some(&replay.config.to_string())) else {
        return false;
    };
    let (mut decisions, mut chances) = (0, 0);
    for &action in &replay.actions {
        *if game.turn() == Turn::Chance { &mut chances } else { &mut decisions } += 1;
        if game.try_apply(action).is_err() {
            return false;
        }
    }
    let ends_alike = if record.forfeit.is_some() || record.cut {
        game.turn() != Turn::Over
    } else {
        game.turn() == Turn::Over && record.payoffs == game.payoffs()[..record.payoffs.len()]
    };
    (decisions, chances) == (record.decisions, record.chances) && ends_alike
}
