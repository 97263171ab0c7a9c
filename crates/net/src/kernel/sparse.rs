//! Products of one row and a packed matrix, whose zeros are left out.
//!
//! A single row costs what its weights cost to be fetched. Observations are
//! mostly zeros, and so is half of what a rectifier lets through.

use super::machine::Machine;
use super::packed::{Packed, Row};
use crate::encode::Nonzero;

/// How many inputs ahead weights are fetched.
const AHEAD: usize = 8;

/// Writes the inputs that are not 0.
#[inline(always)]
pub(crate) fn nonzeros<'a>(inputs: &[f32], out: &'a mut [Nonzero]) -> &'a [Nonzero] {
    assert!(inputs.len() <= out.len(), "there is room for every input");
    let mut count = 0;
    for (index, &value) in (0u32..).zip(inputs) {
        out[count] = Nonzero { index, value };
        // Every second input is 0 at random: counting is cheaper than asking.
        count += usize::from(value != 0.0);
    }
    &out[..count]
}

/// Multiplies one row by `weights`, and hands over the sums of each panel, bias
/// not included.
#[inline(always)]
pub(crate) fn multiply_sparse<M: Machine>(
    inputs: &[Nonzero],
    weights: &Packed,
    mut finish: impl FnMut(usize, &Row),
) {
    let mut panel = 0;
    while panel < weights.panels() {
        let left = weights.panels() - panel;
        panel += if M::PANELS >= 4 && left >= 4 {
            panels::<M, 4>(inputs, weights, panel, &mut finish)
        } else if M::PANELS >= 2 && left >= 2 {
            panels::<M, 2>(inputs, weights, panel, &mut finish)
        } else {
            panels::<M, 1>(inputs, weights, panel, &mut finish)
        };
    }
}

/// Multiplies the row by `PANELS` panels from `first` on; answers with their
/// number.
#[inline(always)]
fn panels<M: Machine, const PANELS: usize>(
    inputs: &[Nonzero],
    weights: &Packed,
    first: usize,
    finish: &mut impl FnMut(usize, &Row),
) -> usize {
    let panels: [&[Row]; PANELS] = std::array::from_fn(|number| weights.panel(first + number));
    let mut sums = [M::zero(); PANELS];
    for (at, input) in inputs.iter().enumerate() {
        if let Some(next) = inputs.get(at + AHEAD) {
            for panel in panels {
                M::prefetch(&panel[next.index as usize]);
            }
        }
        for (sums, panel) in sums.iter_mut().zip(panels) {
            M::add(sums, input.value, &panel[input.index as usize]);
        }
    }
    for (number, sums) in sums.into_iter().enumerate() {
        finish(first + number, &M::floats(sums));
    }
    PANELS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Kind, PANEL, Strided, Work, multiply};

    struct Both<'a>(&'a [f32], &'a Packed);

    impl Work for Both<'_> {
        type Out = [Vec<f32>; 2];

        #[inline(always)]
        fn run<M: Machine>(self) -> Self::Out {
            let Self(inputs, weights) = self;
            let mut out = [vec![0.0; weights.width()], vec![0.0; weights.width()]];
            let mut room = vec![Nonzero::default(); inputs.len()];
            let [dense, sparse] = &mut out;
            multiply::<M>(Strided::rows(inputs, 1, inputs.len()), weights, |_, panel, sums| {
                dense[panel * PANEL..][..PANEL].copy_from_slice(&sums.0);
            });
            multiply_sparse::<M>(nonzeros(inputs, &mut room), weights, |panel, sums| {
                sparse[panel * PANEL..][..PANEL].copy_from_slice(&sums.0);
            });
            out
        }
    }

    #[test]
    fn leaving_zeros_out_changes_nothing() {
        let mut rng = Rng::new(1);
        for outputs in [1, 32, 100, 300] {
            let mut inputs: Vec<f32> = (0..50).map(|_| rng.unit() as f32 - 0.5).collect();
            inputs.iter_mut().for_each(|input| *input = input.max(0.0));
            let weights: Vec<f32> = (0..50 * outputs).map(|_| rng.unit() as f32 - 0.5).collect();
            let packed = Packed::new(50, outputs, &weights, &[]);
            for kind in Kind::all() {
                let [dense, sparse] = kind.run(Both(&inputs, &packed));
                assert_eq!(dense, sparse, "{kind:?}");
                assert!(dense[0] != 0.0);
            }
        }
    }
}
