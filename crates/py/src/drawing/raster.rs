//! Pictures as pixels, without any library: rectangles, discs, polygons and a small font.

use super::font::glyph;
use super::{ADVANCE, Color, Drawing, PAPER, SCALE, Shape};

/// Rows of pixels, three bytes each.
struct Canvas {
    width: i32,
    height: i32,
    bytes: Vec<u8>,
}

impl Drawing {
    /// The width, the height and the pixels, row by row, red first.
    pub(super) fn raster(&self) -> (usize, usize, Vec<u8>) {
        let (width, height) = (self.width * SCALE, self.height * SCALE);
        let bytes = PAPER.repeat((width * height) as usize);
        let mut canvas = Canvas { width, height, bytes };
        self.shapes.iter().for_each(|shape| canvas.draw(shape));
        (width as usize, height as usize, canvas.bytes)
    }
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match *shape {
            Shape::Rect { x, y, width, height, fill } => {
                self.fill((x * SCALE, y * SCALE), (width * SCALE, height * SCALE), fill);
            }
            Shape::Disc { x, y, radius, fill } => {
                self.disc(x * SCALE, y * SCALE, radius * SCALE, fill)
            }
            Shape::Spike { x, y, width, height, fill } => {
                self.spike((x * SCALE, y * SCALE), width * SCALE, height * SCALE, fill);
            }
            Shape::Polygon { ref points, fill } => self.polygon(points, fill),
            Shape::Text { x, y, ref text, fill } => {
                for (at, sign) in (0..).zip(text.chars()) {
                    self.sign((x + at * ADVANCE, y), sign, fill);
                }
            }
        }
    }

    /// Fills a rectangle, as far as it is on the canvas.
    fn fill(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), fill: Color) {
        let (left, right) = (x.clamp(0, self.width), (x + width).clamp(0, self.width));
        for row in y.clamp(0, self.height)..(y + height).clamp(0, self.height) {
            let start = 3 * (row * self.width + left) as usize;
            let end = 3 * (row * self.width + right) as usize;
            self.bytes[start..end]
                .chunks_exact_mut(3)
                .for_each(|pixel| pixel.copy_from_slice(&fill));
        }
    }

    fn disc(&mut self, x: i32, y: i32, radius: i32, fill: Color) {
        for row in -radius..=radius {
            let half = f64::from(radius * radius - row * row).sqrt() as i32;
            self.fill((x - half, y + row), (2 * half + 1, 1), fill);
        }
    }

    fn spike(&mut self, (x, y): (i32, i32), width: i32, height: i32, fill: Color) {
        let (length, step) = (height.abs(), height.signum());
        for row in 0..length {
            let inset = width * row / (2 * length);
            let line = y + step * row - i32::from(step < 0);
            self.fill((x + inset, line), (width - 2 * inset, 1), fill);
        }
    }

    /// Fills a convex polygon, given in units: in every row of pixels all from its leftmost edge to
    /// its rightmost one.
    fn polygon(&mut self, points: &[(i32, i32)], fill: Color) {
        let scaled = |at: i32| f64::from(at * SCALE);
        let top = points.iter().map(|point| point.1 * SCALE).min().unwrap_or(0);
        let bottom = points.iter().map(|point| point.1 * SCALE).max().unwrap_or(0);
        for row in top..bottom {
            let middle = f64::from(row) + 0.5;
            let edges = points.iter().zip(points.iter().cycle().skip(1));
            let crossed = edges.filter_map(|(&(x, y), &(to_x, to_y))| {
                let (low, high) = (scaled(y.min(to_y)), scaled(y.max(to_y)));
                let part = (middle - scaled(y)) / (scaled(to_y) - scaled(y));
                (low..high).contains(&middle).then(|| scaled(x) + part * (scaled(to_x) - scaled(x)))
            });
            let (left, right) = crossed
                .fold((f64::MAX, f64::MIN), |(left, right), at| (left.min(at), right.max(at)));
            if left < right {
                let (left, right) = (left.round() as i32, right.round() as i32);
                self.fill((left, row), (right - left, 1), fill);
            }
        }
    }

    fn sign(&mut self, (x, y): (i32, i32), sign: char, fill: Color) {
        for (column, bits) in (0..).zip(glyph(sign)) {
            for row in (0..8).filter(|row| bits >> row & 1 == 1) {
                let corner = ((x + column) * SCALE, (y + row) * SCALE);
                self.fill(corner, (SCALE, SCALE), fill);
            }
        }
    }
}
