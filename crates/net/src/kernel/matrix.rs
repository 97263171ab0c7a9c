//! Dense products of a batch and a packed matrix (GEMM).
#![allow(unsafe_code, reason = "the inner loop reads inputs whose bounds are already checked")]

use super::isa::Kernel;
use super::packed::{Packed, Row};

/// A strided view of an input matrix, which is read without packing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'a> {
    data: &'a [f32],
    rows: usize,
    /// Stride from one row to the next.
    row: usize,
    /// Stride from one input to the next.
    step: usize,
}

impl<'a> Strided<'a> {
    /// Views contiguous rows of `width` numbers.
    pub(crate) fn rows(data: &'a [f32], rows: usize, width: usize) -> Self {
        Self { data, rows, row: width, step: 1 }
    }

    /// Views the transpose of contiguous rows of `width` numbers.
    pub(crate) fn columns(data: &'a [f32], columns: usize, width: usize) -> Self {
        Self { data, rows: columns, row: 1, step: width }
    }
}

/// Multiplies every row of `inputs` by `weights`, and passes the sums of each row
/// and panel, without bias, to the epilogue `finish`.
#[inline(always)]
pub(crate) fn multiply<K: Kernel>(
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
            row += if K::TILE >= 12 && left >= 12 {
                tile::<K, 12>(inputs, row, rows, finish)
            } else if K::TILE >= 8 && left >= 8 {
                tile::<K, 8>(inputs, row, rows, finish)
            } else if K::TILE >= 4 && left >= 4 {
                tile::<K, 4>(inputs, row, rows, finish)
            } else if K::TILE >= 3 && left >= 3 {
                tile::<K, 3>(inputs, row, rows, finish)
            } else if K::TILE >= 2 && left >= 2 {
                tile::<K, 2>(inputs, row, rows, finish)
            } else {
                tile::<K, 1>(inputs, row, rows, finish)
            };
        }
    }
}

/// Multiplies a tile of `ROWS` rows, starting at `first`, by one panel; returns
/// `ROWS`.
///
/// The sums of the tile stay in registers over the whole loop; each row of
/// weights is loaded once for all rows of the tile.
#[inline(always)]
fn tile<K: Kernel, const ROWS: usize>(
    inputs: Strided<'_>,
    first: usize,
    panel: &[Row],
    mut finish: impl FnMut(usize, &Row),
) -> usize {
    let Strided { data, row, step, .. } = inputs;
    let last = (first + ROWS - 1) * row + panel.len().saturating_sub(1) * step;
    assert!(last < data.len(), "a batch holds all its rows");
    let mut sums = [K::zero(); ROWS];
    for (input, weights) in panel.iter().enumerate() {
        let at = first * row + input * step;
        for (number, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the largest of these indices is asserted above.
            let input = unsafe { *data.get_unchecked(at + number * row) };
            K::add(sums, input, weights);
        }
    }
    for (number, sums) in sums.into_iter().enumerate() {
        finish(first + number, &K::floats(sums));
    }
    ROWS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Isa, PANEL, Routine};

    struct Product<'a>(Strided<'a>, &'a Packed, &'a mut [f32]);

    impl Routine for Product<'_> {
        type Out = ();

        #[inline(always)]
        fn run<K: Kernel>(self) {
            let Self(inputs, weights, out) = self;
            let width = weights.width();
            multiply::<K>(inputs, weights, |row, panel, sums| {
                let at = row * width + panel * PANEL;
                out[at..at + PANEL].copy_from_slice(&sums.0);
            });
        }
    }

    /// Compares every instruction set with three plain loops, bit by bit.
    fn check(rows: usize, inputs: usize, outputs: usize, is_transposed: bool) {
        let mut rng = Rng::new(rows as u64);
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32 - 0.5).collect() };
        let (batch, weights) = (draw(rows * inputs), draw(inputs * outputs));
        let packed = Packed::new(inputs, outputs, &weights, &[]);
        let strided = if is_transposed {
            Strided::columns(&batch, rows, rows)
        } else {
            Strided::rows(&batch, rows, inputs)
        };
        for isa in Isa::all() {
            let mut out = vec![9.0; rows * packed.width()];
            isa.run(Product(strided, &packed, &mut out));
            for row in 0..rows {
                for output in 0..outputs {
                    let expected = (0..inputs).fold(0.0f32, |sum, input| {
                        let at =
                            if is_transposed { input * rows + row } else { row * inputs + input };
                        weights[input * outputs + output].mul_add(batch[at], sum)
                    });
                    assert_eq!(out[row * packed.width() + output], expected, "{isa:?}");
                }
            }
        }
    }

    #[test]
    fn products_equal_plain_loops() {
        check(1, 1, 1, false);
        check(23, 17, 33, false);
        check(40, 30, 64, true);
        for rows in 2..14 {
            check(rows, 5, 31, rows % 2 == 0);
        }
    }

    #[test]
    #[should_panic(expected = "a batch holds all its rows")]
    fn a_short_batch_panics() {
        let packed = Packed::new(4, 4, &[0.0; 16], &[]);
        Isa::detect().run(Product(Strided::rows(&[0.0; 7], 2, 4), &packed, &mut [0.0; 64]));
    }
}
