//! A measurement as rows: formatting, saving, loading and comparing.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use meeple_bench::Row;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::show;

/// The file format version.
const VERSION: u32 = 1;
/// The relative slowdown that counts as a regression.
const TOLERANCE: f64 = 0.02;

/// A measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    version: u32,
    rows: Vec<Row>,
}

/// The speedup of each row over the baseline; `None` if the baseline lacks the row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison(Vec<(String, Option<f64>)>);

impl Comparison {
    /// Returns the rows that are more than 2 % slower, each with its relative speed.
    pub(crate) fn regressions(&self) -> Vec<String> {
        let slower = self.0.iter().filter_map(|(name, speed)| {
            let speed = (*speed)?;
            (speed < 1.0 - TOLERANCE)
                .then(|| format!("{name} at {speed:.3} times the baseline speed"))
        });
        slower.collect()
    }
}

impl Record {
    pub(crate) fn new(rows: Vec<Row>) -> Self {
        Self { version: VERSION, rows }
    }

    /// Loads a saved measurement.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the baseline {shown}"))
            .map_err(Failure::Usage)?;
        let damaged = |error: serde_json::Error| {
            Failure::Usage(anyhow!("{shown} is not a saved measurement: {error}"))
        };
        let value: Value = serde_json::from_str(&text).map_err(damaged)?;
        if value["version"].as_u64().is_some_and(|version| version > u64::from(VERSION)) {
            return Err(Failure::Usage(anyhow!(
                "{shown} has version {}, this program supports up to {VERSION}",
                value["version"]
            )));
        }
        serde_json::from_value(value).map_err(damaged)
    }

    /// Saves the measurement atomically.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let save = || -> anyhow::Result<()> {
            let mut text = serde_json::to_string_pretty(self)?;
            text.push('\n');
            Ok(meeple_files::write(path, text.as_bytes())?)
        };
        save().with_context(|| format!("cannot save to {}", path.display())).map_err(Failure::from)
    }

    pub(crate) fn compare(&self, baseline: &Self) -> Comparison {
        let speed = |row: &Row| {
            let before = baseline.rows.iter().find(|other| other.name == row.name)?;
            (before.unit == row.unit).then(|| row.unit.speedup(row.value, before.value))
        };
        Comparison(self.rows.iter().map(|row| (row.name.clone(), speed(row))).collect())
    }

    pub(crate) fn as_json(&self, comparison: Option<&Comparison>) -> Value {
        let rows = self.rows.iter().enumerate().map(|(at, row)| {
            let mut object = Map::new();
            object.insert("name".into(), json!(row.name));
            object.insert(row.unit.key().into(), json!(row.value));
            if let Some(Comparison(speeds)) = comparison {
                object.insert("speed_against_baseline".into(), json!(speeds[at].1));
            }
            Value::Object(object)
        });
        let mut report = json!({ "version": VERSION, "rows": rows.collect::<Vec<_>>() });
        if let Some(comparison) = comparison {
            report["regressions"] = json!(comparison.regressions());
        }
        report
    }

    pub(crate) fn as_text(&self, comparison: Option<&Comparison>) -> String {
        let mut headings = vec!["row", "value", "unit"];
        if comparison.is_some() {
            headings.push("vs baseline");
        }
        let mut table = show::table(&headings, 1);
        for (at, row) in self.rows.iter().enumerate() {
            let mut cells =
                vec![row.name.clone(), show::short(row.value), row.unit.label().to_owned()];
            if let Some(Comparison(speeds)) = comparison {
                cells.push(speeds[at].1.map_or("new".into(), |speed| format!("{speed:.3} x")));
            }
            table.add_row(cells);
        }
        show::text_of(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bench::Unit;

    fn record(rows: &[(&str, Unit, f64)]) -> Record {
        let row = |&(name, unit, value): &(&str, Unit, f64)| Row { name: name.into(), unit, value };
        Record::new(rows.iter().map(row).collect())
    }

    #[test]
    fn regressions_respect_the_direction_of_the_unit() {
        let before = record(&[
            ("a", Unit::NsPerOp, 10.0),
            ("b", Unit::GamesPerSecond, 100.0),
            ("c", Unit::NsPerOp, 10.0),
        ]);
        let now = record(&[
            ("a", Unit::NsPerOp, 10.3),
            ("b", Unit::GamesPerSecond, 97.0),
            ("c", Unit::NsPerOp, 10.1),
            ("d", Unit::NsPerOp, 1.0),
        ]);
        let comparison = now.compare(&before);
        let expected =
            ["a at 0.971 times the baseline speed", "b at 0.970 times the baseline speed"];
        assert_eq!(comparison.regressions(), expected);
        let text = anstream::adapter::strip_str(&now.as_text(Some(&comparison))).to_string();
        assert!(text.contains("0.990 x") && text.contains("new"), "{text}");
    }

    #[test]
    fn records_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench.json");
        let saved = record(&[("a", Unit::NsPerOp, 1.5)]);
        saved.write(&path).unwrap();
        assert_eq!(Record::read(&path).unwrap(), saved);
        for (text, expected) in [
            (r#"{"version": 2, "rows": []}"#, "has version 2, this program supports up to 1"),
            ("{", "is not a saved measurement"),
            (r#"{"version": 1}"#, "missing field `rows`"),
        ] {
            fs::write(&path, text).unwrap();
            let Err(Failure::Usage(error)) = Record::read(&path) else { panic!("{text} was read") };
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
