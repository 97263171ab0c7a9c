//! Pictures as SVG, and text as HTML.

use std::fmt::Write;

use super::{Color, Drawing, SCALE, Shape};

/// Text for a page, as it is.
pub(crate) fn preformatted(text: &str) -> String {
    format!("<pre>{}</pre>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Drawing {
    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let (width, height) = (self.width, self.used_height());
        let mut page = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" viewBox="0 0 {width} {height}" font-size="10" font-family="monospace">"#,
            width * SCALE,
            height * SCALE
        );
        self.shapes.iter().for_each(|shape| write_shape(&mut page, shape));
        page.push_str("</svg>");
        page
    }

    /// The height down to the last shape: pages need no room that is kept free, and have
    /// some for what is beyond the pixels.
    fn used_height(&self) -> i32 {
        let bottom = |shape: &Shape| match *shape {
            Shape::Rect { y, height, .. } => y + height,
            Shape::Disc { y, radius, .. } => y + radius,
            Shape::Spike { y, .. } => y,
            Shape::Polygon { ref points, .. } => {
                points.iter().map(|point| point.1).max().unwrap_or(0)
            }
            Shape::Text { y, .. } => y + super::LINE,
        };
        let last = self.shapes.iter().map(bottom).max().unwrap_or(0);
        last + super::MARGIN
    }
}

fn write_shape(page: &mut String, shape: &Shape) {
    // Writing to a string cannot fail.
    let _ = match shape {
        Shape::Rect { x, y, width, height, fill } => write!(
            page,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{}"/>"#,
            hex(*fill)
        ),
        Shape::Disc { x, y, radius, fill } => {
            write!(page, r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{}"/>"#, hex(*fill))
        }
        Shape::Spike { x, y, width, height, fill } => write!(
            page,
            r#"<path d="M{x} {y}h{width}L{} {}z" fill="{}"/>"#,
            x + width / 2,
            y + height,
            hex(*fill)
        ),
        Shape::Polygon { points, fill } => {
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
            write!(page, r#"<polygon points="{}" fill="{}"/>"#, points.join(" "), hex(*fill))
        }
        Shape::Text { x, y, text, fill } => write!(
            page,
            r#"<text x="{x}" y="{}" fill="{}" xml:space="preserve">{}</text>"#,
            y + 7,
            hex(*fill),
            escaped(text)
        ),
    };
}
