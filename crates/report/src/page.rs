//! The page template, and the formatting of text and numbers.

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A section of a report, linked from the table of contents.
pub(crate) struct Section {
    pub(crate) id: String,
    /// The heading, as plain text. It is escaped when the page is built.
    pub(crate) title: String,
    /// The content, as HTML.
    pub(crate) body: String,
}

/// Returns sections after their table of contents.
pub(crate) fn contents(sections: &[Section]) -> String {
    let entry = |Section { id, title, .. }: &Section| {
        format!("<li><a href=\"#{id}\">{}</a></li>", escape(title))
    };
    let entries: String = sections.iter().map(entry).collect();
    let mut text = format!("<nav aria-label=\"Contents\"><ol>{entries}</ol></nav>\n");
    for Section { id, title, body } in sections {
        let title = breakable(title);
        text.push_str(&format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n"));
    }
    text
}

pub(crate) fn figure(caption: &str, plot: &str) -> String {
    format!("<figure><figcaption>{caption}</figcaption>{plot}</figure>\n")
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns a self-contained HTML page with the style sheet and script of the reports. `body` is
/// HTML.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - Meeple</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         {body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Escapes text for HTML content and attribute values.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes the name of a bot, with line break opportunities between its options.
pub(crate) fn breakable(text: &str) -> String {
    escape(text).replace(',', ",<wbr>")
}

/// Formats a duration in a suitable unit.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 100.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds >= 1.0 => format!("{seconds:.1} s"),
        _ if seconds >= 1e-3 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds > 0.0 => format!("{:.1} µs", seconds * 1e6),
        _ => "0".into(),
    }
}

/// Formats a large number with few digits.
pub(crate) fn short(number: f64) -> String {
    match number {
        _ if number >= 1e6 => format!("{:.2} M", number / 1e6),
        _ if number >= 1e4 => format!("{:.1} k", number / 1e3),
        _ if number >= 100.0 => format!("{number:.0}"),
        _ => format!("{number:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }

    #[test]
    fn names_break_between_options() {
        assert_eq!(breakable("mcts:sims=9,c=<1>"), "mcts:sims=9,<wbr>c=&lt;1&gt;");
    }

    #[test]
    fn units_fit_the_number() {
        let shown = [0.0, 2e-6, 0.0123, 1.25, 600.0].map(duration);
        assert_eq!(shown, ["0", "2.0 µs", "12.3 ms", "1.2 s", "10 min"]);
        assert_eq!([5.0, 250.0, 12_345.0, 2.5e6].map(short), ["5.0", "250", "12.3 k", "2.50 M"]);
    }
}
