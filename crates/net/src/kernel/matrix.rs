//! Products of a batch and a packed matrix.
#![allow(unsafe_code, reason = "the measured inner loop reads inputs without asking bounds again")]

use super::machine::Machine;
use super::packed::{Packed, Row};

/// A matrix of inputs, read as it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'a> {
    data: &'a [f32],
    rows: usize,
    /// From one row to the next.
    row: usize,
    /// From one input to the next.
    step: usize,
}

impl<'a> Strided<'a> {
    /// Rows of `width` numbers, one after the other.
    pub(crate) fn rows(data: &'a [f32], rows: usize, width: usize) -> Self {
        Self { data, rows, row: width, step: 1 }
    }

    /// The columns of rows of `width` numbers: the matrix the other way round.
    pub(crate) fn columns(data: &'a [f32], columns: usize, width: usize) -> Self {
        Self { data, rows: columns, row: 1, step: width }
    }
}

/// Multiplies every row of `inputs` by `weights`, and hands over the sums of
/// each row and panel, bias not included.
#[inline(always)]
pub(crate) fn multiply<M: Machine>(
    inputs: Strided<'_>,
    weights: &Packed,
    mut finish: impl FnMut(usize, usize, &Row),
) {
    for panel in 0..weights.panels() {
        let rows = weights.panel(panel);
        let mut row = 0;
        while row < inputs.rows {
            let left = inputs.rows - row;
            let finish = |at: usize, sums: &Row| finish(at, panel, sums);
            row += if M::TILE >= 12 && left >= 12 {
                tile::<M, 12>(inputs, row, rows, finish)
            } else if M::TILE >= 8 && left >= 8 {
                tile::<M, 8>(inputs, row, rows, finish)
            } else if M::TILE >= 4 && left >= 4 {
                tile::<M, 4>(inputs, row, rows, finish)
            } else if M::TILE >= 3 && left >= 3 {
                tile::<M, 3>(inputs, row, rows, finish)
            } else if M::TILE >= 2 && left >= 2 {
                tile::<M, 2>(inputs, row, rows, finish)
            } else {
                tile::<M, 1>(inputs, row, rows, finish)
            };
        }
    }
}

/// Multiplies `ROWS` rows from `first` on by one panel; answers with their
/// number.
#[inline(always)]
fn tile<M: Machine, const ROWS: usize>(
    inputs: Strided<'_>,
    first: usize,
    panel: &[Row],
    mut finish: impl FnMut(usize, &Row),
) -> usize {
    let Strided { data, row, step, .. } = inputs;
    let furthest = (first + ROWS - 1) * row + panel.len().saturating_sub(1) * step;
    assert!(furthest < data.len(), "a batch holds all its rows");
    let mut sums = [M::zero(); ROWS];
    for (input, weights) in panel.iter().enumerate() {
        let at = first * row + input * step;
        for (number, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the largest of these places was asked for above.
            let input = unsafe { *data.get_unchecked(at + number * row) };
            M::add(sums, input, weights);
        }
    }
    for (number, sums) in sums.into_iter().enumerate() {
        finish(first + number, &M::floats(sums));
    }
    ROWS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Kind, PANEL, Work};

    struct Product<'a>(Strided<'a>, &'a Packed, &'a mut [f32]);

    impl Work for Product<'_> {
        type Out = ();

        #[inline(always)]
        fn run<M: Machine>(self) {
            let Self(inputs, weights, out) = self;
            let width = weights.width();
            multiply::<M>(inputs, weights, |row, panel, sums| {
                let at = row * width + panel * PANEL;
                out[at..at + PANEL].copy_from_slice(&sums.0);
            });
        }
    }

    /// All kinds agree with three plain loops, to the last bit.
    fn check(rows: usize, inputs: usize, outputs: usize, is_turned: bool) {
        let mut rng = Rng::new(rows as u64);
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32 - 0.5).collect() };
        let (batch, weights) = (draw(rows * inputs), draw(inputs * outputs));
        let packed = Packed::new(inputs, outputs, &weights, &[]);
        let strided = if is_turned {
            Strided::columns(&batch, rows, rows)
        } else {
            Strided::rows(&batch, rows, inputs)
        };
        for kind in Kind::all() {
            let mut out = vec![9.0; rows * packed.width()];
            kind.run(Product(strided, &packed, &mut out));
            for row in 0..rows {
                for output in 0..outputs {
                    let expected = (0..inputs).fold(0.0f32, |sum, input| {
                        let at = if is_turned { input * rows + row } else { row * inputs + input };
                        weights[input * outputs + output].mul_add(batch[at], sum)
                    });
                    assert_eq!(out[row * packed.width() + output], expected, "{kind:?}");
                }
            }
        }
    }

    #[test]
    fn products_are_exact() {
        check(1, 1, 1, false);
        check(23, 17, 33, false);
        check(40, 30, 64, true);
        for rows in 2..14 {
            check(rows, 5, 31, rows % 2 == 0);
        }
    }

    #[test]
    #[should_panic(expected = "a batch holds all its rows")]
    fn a_short_batch_is_refused() {
        let packed = Packed::new(4, 4, &[0.0; 16], &[]);
        Kind::detect().run(Product(Strided::rows(&[0.0; 7], 2, 4), &packed, &mut [0.0; 64]));
    }
}
