//! How results look: aligned tables, short numbers, JSON.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::failure::Failure;

/// The style of headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// The style of what stands out.
pub(crate) const ACCENT: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));

/// Writes text to stdout, with colour only on terminals.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes a value to stdout as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    text.push('\n');
    print(&text)
}

/// Writes a remark to stderr.
pub(crate) fn remark(text: &str) {
    // A remark that nobody reads is not worth failing for.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// A table with the first columns to the left and numbers to the right.
pub(crate) fn table(headings: &[&str], words: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(headings.iter().copied());
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at >= words {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A table as text that ends in a newline, without trailing blanks; its first
/// line, the headings, stands out.
pub(crate) fn text_of(table: &Table) -> String {
    let mut text = String::new();
    for (at, line) in table.lines().enumerate() {
        let style = if at == 0 { HEADING } else { Style::new() };
        text.push_str(&format!("{style}{}{style:#}\n", line.trim_end()));
    }
    text
}

/// A number with four digits or so that says its size: `1.52 M`, `980 k`, `12.3`.
pub(crate) fn short(number: f64) -> String {
    let (value, unit) = match number {
        _ if number >= 1e9 => (number / 1e9, " G"),
        _ if number >= 1e6 => (number / 1e6, " M"),
        _ if number >= 1e4 => (number / 1e3, " k"),
        _ => (number, ""),
    };
    let decimals = match value {
        _ if value >= 100.0 => 0,
        _ if value >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}{unit}")
}

/// A whole number in groups of three digits: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage: `52.31 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// A time with the unit that fits: `1.25 s`, `3.10 ms`, `12.0 µs`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{} s", short(seconds)),
        _ if seconds >= 1e-3 => format!("{} ms", short(seconds * 1e3)),
        _ if seconds >= 1e-6 => format!("{} µs", short(seconds * 1e6)),
        _ => format!("{} ns", short(seconds * 1e9)),
    }
}

/// A share as a bar of up to `width` blocks, to an eighth of one.
pub(crate) fn bar(share: f64, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.5, "0.50"),
            (12.34, "12.3"),
            (9999.0, "9999"),
            (15_200.0, "15.2 k"),
            (2.0e6, "2.00 M"),
        ] {
            assert_eq!(short(number), text);
        }
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(999), "999");
        assert_eq!(percent(0.5231), "52.31 %");
        assert_eq!(
            [2.5, 0.0031, 12e-6, 4e-8].map(duration),
            ["2.50 s", "3.10 ms", "12.0 µs", "40.0 ns"]
        );
        assert_eq!(bar(0.55, 5), "██▊");
        assert_eq!(bar(0.0, 5), "");
    }

    #[test]
    fn tables_align() {
        let mut table = table(&["name", "count"], 1);
        table.add_row(["a", "1"]);
        table.add_row(["bcd", "1000"]);
        let plain = anstream::adapter::strip_str(&text_of(&table)).to_string();
        assert_eq!(plain, "name  count\na         1\nbcd    1000\n");
    }
}
