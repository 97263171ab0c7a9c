//! Time control: when to read the clock, based on the measured duration of simulations.

use std::time::Duration;

/// The target time between two clock reads: this, or the time limit divided by
/// [`CLOCK_READS`] if that is longer.
const INTERVAL: Duration = Duration::from_millis(1);
/// The number of clock reads in a long search.
const CLOCK_READS: u32 = 20;

/// The last clock reading of one thread, from which the duration of its simulations follows.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeControl {
    last: Option<ClockReading>,
}

/// One read of the clock.
#[derive(Clone, Copy, Debug)]
struct ClockReading {
    at: Duration,
    /// Simulations done before.
    done: u64,
    /// Simulations granted at this read.
    granted: u64,
}

impl TimeControl {
    /// Returns the number of simulations to run before the next clock read, at most `most`,
    /// after `done` simulations and `now` of `time`; `None` if another simulation would
    /// exceed the time. The first call always grants one.
    pub(crate) fn simulations_until_check(
        &mut self,
        time: Duration,
        now: Duration,
        done: u64,
        most: u64,
    ) -> Option<u64> {
        let granted = match self.last {
            None => 1,
            Some(last) => Self::next(time, now, done, last)?.min(most),
        };
        self.last = Some(ClockReading { at: now, done, granted });
        Some(granted)
    }

    fn next(time: Duration, now: Duration, done: u64, last: ClockReading) -> Option<u64> {
        let left = time.checked_sub(now).filter(|left| !left.is_zero())?;
        let made = done.saturating_sub(last.done).max(1);
        let each = (now - last.at).as_secs_f64() / made as f64;
        if each > left.as_secs_f64() {
            return None;
        }
        // Half of the remaining time, so that reads get denser towards the end. At most
        // twice the previous grant, since one measurement supports no longer extrapolation.
        let span = INTERVAL.max(time / CLOCK_READS).min(left / 2);
        let fitting = (span.as_secs_f64() / each) as u64;
        Some(fitting.clamp(1, 2 * last.granted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn micros(count: u64) -> Duration {
        Duration::from_micros(count)
    }

    /// Simulates a search in which simulation `number` takes `length(number)`. Returns the
    /// end, the longest interval between two reads and the number of reads.
    fn run(time: Duration, length: impl Fn(u64) -> Duration) -> (Duration, Duration, u64) {
        let (mut time_control, mut now, mut done) = (TimeControl::default(), Duration::ZERO, 0);
        let (mut longest, mut reads) = (Duration::ZERO, 0);
        while let Some(count) = time_control.simulations_until_check(time, now, done, 64) {
            let before = now;
            (done..done + count).for_each(|number| now += length(number));
            done += count;
            longest = longest.max(now - before);
            reads += 1;
        }
        (now, longest, reads)
    }

    #[test]
    fn the_time_limit_holds_for_any_simulation_length() {
        for length in [1, 7, 80, 550, 3000] {
            for time in [micros(10_000), micros(50_000)] {
                let (end, longest, _) = run(time, |_| micros(length));
                assert!(end <= time, "{length}: {end:?} of {time:?}");
                assert!(end + micros(2 * length) >= time, "{length}: {end:?} is early");
                assert!(longest <= micros(2500 + length), "{length}: {longest:?}");
            }
        }
    }

    /// Occasional simulations take ten times as long: at most one of them exceeds the
    /// limit.
    #[test]
    fn at_most_one_slow_simulation_exceeds_the_limit() {
        let time = micros(10_000);
        let (end, _, _) = run(time, |number| micros(if number % 9 == 8 { 1000 } else { 100 }));
        assert!(end <= time + micros(1000), "{end:?}");
        // Simulations that get slower, as in a growing tree.
        let (end, _, _) = run(time, |number| micros(10 + number));
        assert!(end <= time + micros(200), "{end:?}");
    }

    #[test]
    fn fast_simulations_share_a_clock_read() {
        let (_, _, reads) = run(micros(50_000), |_| micros(2));
        assert!(reads < 50_000 / 2 / 32, "{reads} reads");
    }

    #[test]
    fn at_least_one_simulation_runs() {
        let mut time_control = TimeControl::default();
        assert_eq!(time_control.simulations_until_check(micros(1), micros(5), 0, 64), Some(1));
        assert_eq!(time_control.simulations_until_check(micros(1), micros(5), 1, 64), None);
    }
}
