//! The threads of a run: they play blocks as they come and hand them over in order.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::Setup;
use super::error::RunError;
use super::plan::Pool;
use super::play::{Block, BlockDone, Keep, Programs};
use super::stage::Course;

/// Plays `units` of a stage and hands each to `take`, in order, whatever the
/// order in which they are finished; yields whether all were played or `take`
/// said that it is enough.
pub(crate) fn play(
    setup: &Setup<'_>,
    pool: &Pool,
    course: &Course,
    units: Range<u64>,
    mut take: impl FnMut(u64, BlockDone) -> Result<ControlFlow<()>, RunError>,
) -> Result<bool, RunError> {
    let (next, stop) = (AtomicU64::new(units.start), AtomicBool::new(false));
    let (sender, receiver) = sync_channel(8 * setup.threads);
    let (next, stop, end) = (&next, &stop, units.end);
    thread::scope(|scope| {
        for _ in 0..setup.threads {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut programs = Programs::default();
                loop {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    if unit >= end || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let done = match block(setup, pool, course, unit, stop).play(&mut programs) {
                        Ok(Some(done)) => Ok(done),
                        // The game was left: nobody waits for more.
                        Ok(None) => return,
                        Err(error) => Err(error),
                    };
                    if sender.send((unit, done)).is_err() {
                        return;
                    }
                }
            });
        }
        // Without senders the end is heard; without a receiver nobody waits.
        drop(sender);
        let receiver = receiver;
        let (mut expected, mut waiting) = (units.start, BTreeMap::new());
        while expected < end {
            let Ok((unit, done)) = receiver.recv() else { return Ok(false) };
            waiting.insert(unit, done);
            while let Some(done) = waiting.remove(&expected) {
                let taken = done.and_then(|done| take(expected, done));
                expected += 1;
                if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                    stop.store(true, Ordering::Relaxed);
                    return taken.map(|_| true);
                }
            }
        }
        Ok(true)
    })
}

/// The block of a unit.
fn block<'a>(
    setup: &'a Setup<'_>,
    pool: &'a Pool,
    course: &'a Course,
    unit: u64,
    stop: &'a AtomicBool,
) -> Block<'a> {
    let (at, number) = course.stage.unit(unit);
    let contest = &course.stage.matches[at];
    let first = course.first_record(setup.experiment, unit);
    let output = &setup.experiment.output;
    Block {
        table: &setup.tables[contest.table],
        contest,
        pool,
        config: first.config as usize,
        seed: first.seed,
        keep: Keep {
            replays: number * contest.block() < output.replays,
            thoughts: output.thoughts,
            samples: course.stage.shard.is_some(),
        },
        first,
        progress: setup.progress,
        stop,
    }
}
