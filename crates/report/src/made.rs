//! The date, program version and machine that produced a report.

use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// The provenance of a report. It differs between runs of the same experiment, so it is written
/// to the report only and not to the reproducible result files.
pub(crate) struct Made {
    /// The date and time, in UTC.
    pub(crate) date: String,
    /// The version of the program.
    pub(crate) version: &'static str,
    /// The processor model.
    pub(crate) processor: String,
    /// The number of hardware threads.
    pub(crate) cores: usize,
}

impl Made {
    /// Returns the provenance of a report made now on this machine.
    pub(crate) fn now() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |past| past.as_secs());
        Self {
            date: utc(seconds),
            version: env!("CARGO_PKG_VERSION"),
            processor: processor(),
            cores: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Returns the processor model from `/proc/cpuinfo`, or the architecture where that is missing.
fn processor() -> String {
    let name = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Formats Unix time as a date and time: `2026-03-01 09:05 UTC`.
fn utc(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let (year, month, day) = civil(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

/// Converts days since 1970-01-01 to a Gregorian year, month and day (H. Hinnant,
/// "chrono-compatible low-level date algorithms", 2013). Internally years start in March, so that
/// a leap day is the last day of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from `date -u -d @N`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_827_696, "2000-02-29 12:34 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (1_709_251_200, "2024-03-01 00:00 UTC"),
            (4_107_542_399, "2100-02-28 23:59 UTC"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
