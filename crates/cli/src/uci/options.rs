//! The options of the engine, as `setoption` sets them.

use std::ops::RangeInclusive;

use super::strength::ELO;

const HASH: RangeInclusive<usize> = 1..=65536;
const THREADS: RangeInclusive<usize> = 1..=256;
const LINES: RangeInclusive<usize> = 1..=218;
const OVERHEAD: RangeInclusive<u64> = 0..=5000;

/// The options of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EngineOptions {
    /// Megabytes of the transposition table.
    pub(super) hash: usize,
    pub(super) threads: usize,
    /// The number of principal variations.
    pub(super) lines: usize,
    /// Milliseconds reserved for sending the move.
    pub(super) overhead: u64,
    pub(super) limits_strength: bool,
    pub(super) elo: u32,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash: 64,
            threads: 1,
            lines: 1,
            overhead: 15,
            limits_strength: false,
            elo: *ELO.end(),
        }
    }
}

impl EngineOptions {
    /// The declarations that answer `uci`.
    pub(super) const DECLARED: &str = "option name Hash type spin default 64 min 1 max 65536\n\
        option name Threads type spin default 1 min 1 max 256\n\
        option name MultiPV type spin default 1 min 1 max 218\n\
        option name Ponder type check default false\n\
        option name Clear Hash type button\n\
        option name Move Overhead type spin default 15 min 0 max 5000\n\
        option name UCI_LimitStrength type check default false\n\
        option name UCI_Elo type spin default 2200 min 800 max 2200\n";

    /// Sets the option of `name … value …`.
    ///
    /// # Errors
    ///
    /// When there is no such option or value, in one sentence.
    pub(super) fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let expected = || format!("setoption {}: expected name and value", words.join(" "));
        let ["name", rest @ ..] = words else { return Err(expected()) };
        let at = rest.iter().position(|&word| word == "value").ok_or_else(expected)?;
        let (name, value) = (rest[..at].join(" "), rest[at + 1..].join(" "));
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = number(&name, &value, HASH)?,
            "threads" => self.threads = number(&name, &value, THREADS)?,
            "multipv" => self.lines = number(&name, &value, LINES)?,
            "move overhead" => self.overhead = number(&name, &value, OVERHEAD)?,
            "uci_elo" => self.elo = number(&name, &value, ELO)?,
            "uci_limitstrength" => self.limits_strength = switch(&name, &value)?,
            // The GUI decides whether to ponder; the engine only has to know the option.
            "ponder" => drop(switch(&name, &value)?),
            _ => return Err(format!("unknown option {name}")),
        }
        Ok(())
    }
}

fn number<T>(name: &str, value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let found = value.parse().ok().filter(|number| range.contains(number));
    found.ok_or_else(|| {
        let (least, most) = range.into_inner();
        format!("{name} {value}: expected a number from {least} to {most}")
    })
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} {value}: expected true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(line: &str) -> Result<EngineOptions, String> {
        let mut options = EngineOptions::default();
        options.set(&line.split_whitespace().collect::<Vec<_>>()).map(|()| options)
    }

    #[test]
    fn options_are_set_or_refused() {
        assert_eq!(set("name Hash value 16").unwrap().hash, 16);
        assert_eq!(set("name multipv value 3").unwrap().lines, 3);
        assert_eq!(set("name Move Overhead value 100").unwrap().overhead, 100);
        assert!(set("name UCI_LimitStrength value true").unwrap().limits_strength);
        for (line, expected) in [
            ("name Hash value 0", "Hash 0: expected a number from 1 to 65536"),
            ("name Threads value many", "Threads many: expected a number from 1 to 256"),
            ("name UCI_Elo value 9000", "UCI_Elo 9000: expected a number from 800 to 2200"),
            ("name Ponder value perhaps", "Ponder perhaps: expected true or false"),
            ("name Nonsense value 3", "unknown option Nonsense"),
            ("Hash 3", "setoption Hash 3: expected name and value"),
        ] {
            assert_eq!(set(line).unwrap_err(), expected);
        }
    }

    /// The declarations state the defaults and the ranges.
    #[test]
    fn declarations_are_true() {
        let options = EngineOptions::default();
        let declared = EngineOptions::DECLARED;
        let spin = |name: &str, default: usize, least: usize, most: usize| {
            let line =
                format!("option name {name} type spin default {default} min {least} max {most}\n");
            assert!(declared.contains(&line), "{line}");
        };
        spin("Hash", options.hash, *HASH.start(), *HASH.end());
        spin("Threads", options.threads, *THREADS.start(), *THREADS.end());
        spin("MultiPV", options.lines, *LINES.start(), *LINES.end());
        spin("UCI_Elo", options.elo as usize, *ELO.start() as usize, *ELO.end() as usize);
        spin("Move Overhead", options.overhead as usize, 0, *OVERHEAD.end() as usize);
    }
}
