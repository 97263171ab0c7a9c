//! Dense products of a batch and a packed matrix (GEMM).
#![allow(unsafe_code, reason = "the inner loop reads inputs whose bounds are already checked")]

use super::isa::Kernel;
use super::packed::{Packed, Row};

/// Rows of a batch whose sums are kept between the parts of a panel: 8 KiB.
const BLOCK_ROWS: usize = 64;
/// Inputs per part of a panel: 16 KiB of weights stay in the L1 cache while all
/// rows of a block pass by.
const PART: usize = 128;

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

/// What follows the sums of a product.
pub(crate) trait Epilogue {
    /// Takes the sums of one row and panel; implementations must be
    /// `#[inline(always)]`, so that they are compiled with the kernel's target
    /// features (a closure is not).
    fn finish(&mut self, row: usize, panel: usize, sums: &Row);
}

/// Multiplies every row of `inputs` by `weights`, and passes the sums of each row
/// and panel, without bias, to the epilogue.
#[inline(always)]
pub(crate) fn multiply<K: Kernel>(
    inputs: Strided<'_>,
    weights: &Packed,
    mut epilogue: impl Epilogue,
) {
    let mut block = [Row::default(); BLOCK_ROWS];
    for first in (0..inputs.rows).step_by(BLOCK_ROWS) {
        let sums = &mut block[..BLOCK_ROWS.min(inputs.rows - first)];
        for panel in 0..weights.panels() {
            if weights.inputs() == 0 {
                sums.fill(Row::default());
            }
            let mut rest = weights.rows_from(panel);
            for start in (0..weights.inputs()).step_by(PART) {
                let (part, next) = rest.split_at(PART.min(weights.inputs() - start));
                add_part::<K>(inputs, first, start, part, next, sums);
                rest = next;
            }
            for (number, sums) in sums.iter().enumerate() {
                epilogue.finish(first + number, panel, sums);
            }
        }
    }
}

/// Adds the products of the inputs from `start` and their weights, a part of a
/// panel, to the sums of the rows from `first`; the first part sets them.
#[inline(always)]
fn add_part<K: Kernel>(
    inputs: Strided<'_>,
    first: usize,
    start: usize,
    part: &[Row],
    next: &[Row],
    sums: &mut [Row],
) {
    let (mut first, mut next, mut sums) = (first, next, sums);
    while !sums.is_empty() {
        let done = if K::TILE >= 8 && sums.len() >= 8 {
            tile::<K, 8>(inputs, first, start, part, next, sums)
        } else if K::TILE >= 4 && sums.len() >= 4 {
            tile::<K, 4>(inputs, first, start, part, next, sums)
        } else if K::TILE >= 3 && sums.len() >= 3 {
            tile::<K, 3>(inputs, first, start, part, next, sums)
        } else if K::TILE >= 2 && sums.len() >= 2 {
            tile::<K, 2>(inputs, first, start, part, next, sums)
        } else {
            tile::<K, 1>(inputs, first, start, part, next, sums)
        };
        first += done;
        next = &[];
        sums = &mut sums[done..];
    }
}

/// Adds the products of a part to the first `ROWS` of `sums`; returns `ROWS`.
///
/// The sums of the tile stay in registers over the whole loop; each row of
/// weights is loaded once for all rows of the tile. Storing and loading sums
/// between parts rounds nothing.
#[inline(always)]
fn tile<K: Kernel, const ROWS: usize>(
    inputs: Strided<'_>,
    first: usize,
    start: usize,
    part: &[Row],
    next: &[Row],
    sums: &mut [Row],
) -> usize {
    let Strided { data, row, step, .. } = inputs;
    let last = (first + ROWS - 1) * row + (start + part.len()).saturating_sub(1) * step;
    assert!(last < data.len(), "a batch holds all its rows");
    let mut registers = [K::zero(); ROWS];
    if start > 0 {
        for (register, sums) in registers.iter_mut().zip(sums.iter()) {
            *register = K::load(sums);
        }
    }
    for (input, weights) in part.iter().enumerate() {
        if let Some(next) = next.get(input) {
            K::prefetch(next);
        }
        let at = first * row + (start + input) * step;
        for (number, register) in registers.iter_mut().enumerate() {
            // SAFETY: the largest of these indices is asserted above.
            let input = unsafe { *data.get_unchecked(at + number * row) };
            K::add(register, input, weights);
        }
    }
    for (register, sums) in registers.into_iter().zip(sums) {
        *sums = K::floats(register);
    }
    ROWS
}

/// Stores `[rows, panels]` sums; the first field is the number of panels.
#[cfg(test)]
pub(super) struct Store<'a>(pub(super) usize, pub(super) &'a mut [Row]);

#[cfg(test)]
impl Epilogue for Store<'_> {
    #[inline(always)]
    fn finish(&mut self, row: usize, panel: usize, sums: &Row) {
        self.1[row * self.0 + panel] = *sums;
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Isa, PANEL, Routine};

    struct Product<'a>(Strided<'a>, &'a Packed, &'a mut [Row]);

    impl Routine for Product<'_> {
        type Out = ();

        #[inline(always)]
        fn run<K: Kernel>(self) {
            let Self(inputs, weights, out) = self;
            multiply::<K>(inputs, weights, Store(weights.panels(), out));
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
            let mut out = vec![Row([9.0; PANEL]); rows * packed.panels()];
            isa.run(Product(strided, &packed, &mut out));
            for row in 0..rows {
                for output in 0..outputs {
                    let expected = (0..inputs).fold(0.0f32, |sum, input| {
                        let at =
                            if is_transposed { input * rows + row } else { row * inputs + input };
                        weights[input * outputs + output].mul_add(batch[at], sum)
                    });
                    let sums = &out[row * packed.panels() + output / PANEL];
                    assert_eq!(sums.0[output % PANEL], expected, "{isa:?}");
                }
            }
        }
    }

    #[test]
    fn products_equal_plain_loops() {
        check(1, 1, 1, false);
        check(23, 17, 33, false);
        check(40, 30, 64, true);
        for rows in 2..18 {
            check(rows, 5, 31, rows % 2 == 0);
        }
    }

    #[test]
    fn blocks_of_rows_and_parts_of_panels_change_no_sum() {
        for (rows, inputs) in
            [(BLOCK_ROWS + 1, PART), (2 * BLOCK_ROWS - 3, PART + 1), (9, 2 * PART - 1)]
        {
            check(rows, inputs, PANEL + 1, false);
            check(rows, inputs, PANEL, true);
        }
    }

    #[test]
    #[should_panic(expected = "a batch holds all its rows")]
    fn a_short_batch_panics() {
        let packed = Packed::new(4, 4, &[0.0; 16], &[]);
        Isa::detect().run(Product(
            Strided::rows(&[0.0; 7], 2, 4),
            &packed,
            &mut [Row::default(); 2],
        ));
    }
}
