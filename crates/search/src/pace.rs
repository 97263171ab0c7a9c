//! How often a search reads the clock: by the time that its iterations take, not
//! by their number.

use std::time::Duration;

/// The time between two looks at the clock, as far as it can be foreseen: this or
/// one part in [`PARTS`] of the whole, whichever is longer.
const INTERVAL: Duration = Duration::from_millis(1);
/// See [`INTERVAL`].
const PARTS: u32 = 20;

/// What one thread has learned of how long its iterations take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    last: Option<Look>,
}

/// A look at the clock.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Duration,
    /// Iterations made before.
    done: u64,
    /// Iterations allowed then.
    allowed: u64,
}

impl Pace {
    /// How many iterations may run before the next look, of `most` at most, when
    /// `done` have been made and `now` of `time` has passed; nothing when another
    /// one would take too long. One is allowed at first, whatever the time.
    pub(crate) fn allow(
        &mut self,
        time: Duration,
        now: Duration,
        done: u64,
        most: u64,
    ) -> Option<u64> {
        let allowed = match self.last {
            None => 1,
            Some(last) => Self::next(time, now, done, last)?.min(most),
        };
        self.last = Some(Look { at: now, done, allowed });
        Some(allowed)
    }

    fn next(time: Duration, now: Duration, done: u64, last: Look) -> Option<u64> {
        let left = time.checked_sub(now).filter(|left| !left.is_zero())?;
        let made = done.saturating_sub(last.done).max(1);
        let each = (now - last.at).as_secs_f64() / made as f64;
        if each > left.as_secs_f64() {
            return None;
        }
        // Half of what is left, so that looks are close where it matters; and at
        // most twice as many as before, which is all that one look can vouch for.
        let span = INTERVAL.max(time / PARTS).min(left / 2);
        let fitting = (span.as_secs_f64() / each) as u64;
        Some(fitting.clamp(1, 2 * last.allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn micros(count: u64) -> Duration {
        Duration::from_micros(count)
    }

    /// Searches by a clock of its own, on which the iteration of each number takes
    /// some time: when it ended, the longest time between two looks, and their
    /// number.
    fn run(time: Duration, length: impl Fn(u64) -> Duration) -> (Duration, Duration, u64) {
        let (mut pace, mut now, mut done) = (Pace::default(), Duration::ZERO, 0);
        let (mut longest, mut looks) = (Duration::ZERO, 0);
        while let Some(count) = pace.allow(time, now, done, 64) {
            let before = now;
            (done..done + count).for_each(|number| now += length(number));
            done += count;
            longest = longest.max(now - before);
            looks += 1;
        }
        (now, longest, looks)
    }

    #[test]
    fn the_time_is_kept_whatever_an_iteration_takes() {
        for length in [1, 7, 80, 550, 3000] {
            for time in [micros(10_000), micros(50_000)] {
                let (end, longest, _) = run(time, |_| micros(length));
                assert!(end <= time, "{length}: {end:?} of {time:?}");
                assert!(end + micros(2 * length) >= time, "{length}: {end:?} is early");
                assert!(longest <= micros(2500 + length), "{length}: {longest:?}");
            }
        }
    }

    /// Iterations that take ten times as long now and then: by no more than one of
    /// them is the time exceeded.
    #[test]
    fn what_cannot_be_foreseen_costs_one_iteration() {
        let time = micros(10_000);
        let (end, _, _) = run(time, |number| micros(if number % 9 == 8 { 1000 } else { 100 }));
        assert!(end <= time + micros(1000), "{end:?}");
        // Each takes longer than the one before, as a tree that grows has it.
        let (end, _, _) = run(time, |number| micros(10 + number));
        assert!(end <= time + micros(200), "{end:?}");
    }

    #[test]
    fn quick_iterations_are_not_looked_at_one_by_one() {
        let (_, _, looks) = run(micros(50_000), |_| micros(2));
        assert!(looks < 50_000 / 2 / 32, "{looks} looks");
    }

    #[test]
    fn one_iteration_is_always_made() {
        let mut pace = Pace::default();
        assert_eq!(pace.allow(micros(1), micros(5), 0, 64), Some(1));
        assert_eq!(pace.allow(micros(1), micros(5), 1, 64), None);
    }
}
