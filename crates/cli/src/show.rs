//! Output formatting: aligned tables, short numbers, wrapped text, JSON.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::failure::Failure;

/// The minimum width that text is wrapped to.
const MIN_WIDTH: usize = 20;
/// The maximum width that text is wrapped to.
const MAX_WIDTH: usize = 400;

/// The maximum length of a word in a message, in characters.
const LONGEST_WORD: usize = 400;

/// The style of headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// The style of emphasized text.
pub(crate) const ACCENT: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));

/// Writes text to stdout, with colour only on terminals.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Returns the width of the terminal: `COLUMNS`, or the reported width, or 80.
pub(crate) fn width() -> usize {
    let configured = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    configured.or_else(measured).unwrap_or(80).clamp(MIN_WIDTH, MAX_WIDTH)
}

/// Wraps text to the width of the terminal, at spaces; continuation lines keep the
/// indentation of their line and add `indent`. The result ends in a newline.
pub(crate) fn wrapped(text: &str, indent: &str) -> String {
    text.lines().map(|line| wrapped_line(line, indent, width())).collect()
}

fn wrapped_line(line: &str, indent: &str, width: usize) -> String {
    let blanks = &line[..line.len() - line.trim_start().len()];
    let (mut text, mut left) = (String::new(), line.to_owned());
    while left.chars().count() > width {
        let start = left.len() - left.trim_start().len();
        let spaces = || left.char_indices().enumerate().filter(|(_, (_, letter))| *letter == ' ');
        let fitting = spaces().filter(|&(at, (byte, _))| at <= width && byte > start).last();
        let Some((_, (at, _))) = fitting.or_else(|| spaces().find(|(_, (byte, _))| *byte > start))
        else {
            break;
        };
        let rest = format!("{blanks}{indent}{}", left[at..].trim_start());
        text.push_str(left[..at].trim_end());
        text.push('\n');
        left = rest;
    }
    text.push_str(&left);
    text.push('\n');
    text
}

/// Shortens words that are too long to be read: input that a message quotes may have any length.
fn abbreviated(text: &str) -> String {
    let shortened = |word: &str| {
        let length = word.chars().count();
        if length <= LONGEST_WORD {
            return word.to_owned();
        }
        let first: String = word.chars().take(LONGEST_WORD / 2).collect();
        let last: String = word.chars().skip(length - LONGEST_WORD / 4).collect();
        format!("{first}…{last}")
    };
    text.split_inclusive(char::is_whitespace).map(shortened).collect()
}

/// Lists names in as many columns as fit the terminal.
pub(crate) fn in_columns(names: &[String]) -> String {
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 2;
    let columns = ((width() + 2) / widest).clamp(1, names.len().max(1));
    let rows = names.len().div_ceil(columns);
    let mut text = String::new();
    for row in 0..rows {
        let line: String =
            (names.iter().skip(row).step_by(rows)).map(|name| format!("{name:widest$}")).collect();
        text.push_str(&wrapped(line.trim_end(), "   "));
    }
    text
}

/// Writes a value to stdout as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    text.push('\n');
    print(&text)
}

/// Writes a note to stderr.
pub(crate) fn remark(text: &str) {
    // A closed stderr must not fail the command.
    let _ = writeln!(anstream::stderr().lock(), "{}", abbreviated(text));
}

/// Returns a table whose first `left` columns are left-aligned and the others right-aligned.
pub(crate) fn table(headings: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(headings.iter().copied());
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at >= left {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Formats a table without trailing spaces, with its first line, the headings, in bold.
pub(crate) fn text_of(table: &Table) -> String {
    let mut text = String::new();
    for (at, line) in table.lines().enumerate() {
        let style = if at == 0 { HEADING } else { Style::new() };
        text.push_str(&format!("{style}{}{style:#}\n", line.trim_end()));
    }
    text
}

/// The width that result tables fit in.
const TABLE_WIDTH: usize = 80;
/// The minimum width of a label column.
const MIN_LABEL_WIDTH: usize = 12;

/// Formats a table like [`text_of`], wrapping the column `label` so that the table fits a
/// terminal.
pub(crate) fn fitted(headings: &[&str], label: usize, rows: Vec<Vec<String>>) -> String {
    let letters = |text: &str| text.chars().count();
    let widest = |at: usize| {
        rows.iter().map(|row| letters(&row[at])).fold(letters(headings[at]), usize::max)
    };
    let others = (0..headings.len()).filter(|&at| at != label);
    let others: usize = others.map(|at| widest(at) + 2).sum();
    let room = TABLE_WIDTH.saturating_sub(others).max(MIN_LABEL_WIDTH);
    let mut table = table(headings, label + 1);
    for mut row in rows {
        row[label] = wrapped_label(&row[label], room);
        table.add_row(row);
    }
    text_of(&table)
}

/// Wraps a label to lines of at most `room` characters, between options if possible.
pub(crate) fn wrapped_label(label: &str, room: usize) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in label.split_inclusive([',', ':', ' ', '/']) {
        if line.chars().count() + part.trim_end().chars().count() > room {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(part);
        while line.trim_end().chars().count() > room {
            let rest = line.chars().skip(room).collect();
            lines.push(line.chars().take(room).collect());
            line = rest;
        }
    }
    lines.push(line);
    lines.retain(|line| !line.trim().is_empty());
    lines.join("\n")
}

/// Formats values between `low` and `high` as a sparkline, one character each.
pub(crate) fn sparkline(values: &[f64], [low, high]: [f64; 2]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let level = |value: &f64| {
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        LEVELS[(share * 7.0).round() as usize]
    };
    values.iter().map(level).collect()
}

/// Formats a number with about three significant digits and an SI prefix: `1.52 M`, `980 k`, `12.3`.
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

/// Formats a whole number with thousands separators: `1,234,567`.
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

/// Formats a fraction as a percentage: `52.31 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Formats a duration with a fitting unit: `1.25 s`, `3.10 ms`, `12.0 µs`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{} s", short(seconds)),
        _ if seconds >= 1e-3 => format!("{} ms", short(seconds * 1e3)),
        _ if seconds >= 1e-6 => format!("{} µs", short(seconds * 1e6)),
        _ => format!("{} ns", short(seconds * 1e9)),
    }
}

/// Formats a fraction as a bar of up to `width` blocks, in steps of an eighth.
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
    fn tables_fit_a_terminal() {
        let label =
            "mcts-ismcts:sims=400,c=0.2,eval=heuristic,prior=onestep,sims_per_determinization=16";
        let row = |label: &str| [label, "+1234 ± 123", "100.0 %"].map(str::to_owned).to_vec();
        let numbers = ["won", "drawn", "games", "time/move"];
        let row =
            |label: &str| [row(label), numbers.map(|_| "100,000".to_owned()).to_vec()].concat();
        let headings = [&["bot", "Elo", "LOS"][..], &numbers].concat();
        let text = fitted(&headings, 0, vec![row(label), row("x"), row(&"y".repeat(60))]);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert!(plain.lines().all(|line| line.chars().count() <= TABLE_WIDTH), "{plain}");
        let first: String = plain.lines().map(|line| line.split("  ").next().unwrap()).collect();
        assert!(first.contains(label), "labels are not truncated: {plain}");
        assert!(plain.contains("sims=400,c=0.2,\n"), "{plain}");
    }

    #[test]
    fn labels_break_between_options() {
        assert_eq!(wrapped_label("mcts:sims=100,c=1", 20), "mcts:sims=100,c=1");
        assert_eq!(wrapped_label("mcts:sims=100,c=1", 14), "mcts:sims=100,\nc=1");
        assert_eq!(wrapped_label("abcdefgh", 3), "abc\ndef\ngh");
    }

    #[test]
    fn curves_are_drawn_between_their_bounds() {
        assert_eq!(sparkline(&[-9.0, -1.0, 0.0, 0.5, 1.0, 9.0], [-1.0, 1.0]), "▁▁▅▆██");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped_line("  one two three", "- ", 9), "  one two\n  - three\n");
        assert_eq!(wrapped_line("short", "- ", 9), "short\n");
        assert_eq!(wrapped_line("a verylongwordindeed b", "", 9), "a\nverylongwordindeed\nb\n");
    }

    #[test]
    fn long_words_are_shortened() {
        let usual = "error: no file é/\n  in here ";
        assert_eq!(abbreviated(usual), usual);
        let long =
            abbreviated(&format!("unknown bot \"{}é\", expected random", "x".repeat(100_000)));
        assert_eq!(long.chars().count(), "unknown bot ".len() + 301 + "expected random".len());
        assert!(long.starts_with("unknown bot \"xxx") && long.ends_with("xxxé\", expected random"));
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
