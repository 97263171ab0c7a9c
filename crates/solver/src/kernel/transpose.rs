//! Rows of numbers to lanes side by side and back, eight by eight.

use super::Lanes;
use crate::streets::LANES;

/// Rows that are transposed at once: half of the lanes.
const HALF: usize = LANES / 2;

type Square = [[f32; HALF]; HALF];

/// Copies the rows of `from` that begin at `starts` to lanes `8 * half` and up of `out`.
pub(crate) fn transpose_into(
    from: &[f32],
    starts: &[usize; HALF],
    row: usize,
    half: usize,
    out: &mut [Lanes],
) {
    for at in (0..row).step_by(HALF) {
        let square = starts.map(|start| eight(from, start + at));
        let square = transposed(square);
        for (out, lanes) in out[at..at + HALF].iter_mut().zip(&square) {
            out[HALF * half..HALF * half + HALF].copy_from_slice(lanes);
        }
    }
}

/// Copies lanes `8 * half` and up to the rows of `out` that begin at `places`.
pub(crate) fn transpose_out(
    from: &[Lanes],
    row: usize,
    half: usize,
    places: &[Option<usize>; HALF],
    out: &mut [f32],
) {
    if places.iter().all(Option::is_none) {
        return;
    }
    for at in (0..row).step_by(HALF) {
        let mut square = Square::default();
        for (lanes, from) in square.iter_mut().zip(&from[at..at + HALF]) {
            lanes.copy_from_slice(&from[HALF * half..HALF * half + HALF]);
        }
        let square = transposed(square);
        for (place, numbers) in places.iter().zip(&square) {
            if let Some(place) = place {
                out[place + at..place + at + HALF].copy_from_slice(numbers);
            }
        }
    }
}

#[inline(always)]
fn eight(from: &[f32], at: usize) -> [f32; HALF] {
    from[at..at + HALF].try_into().expect("eight numbers")
}

#[inline]
fn transposed(square: Square) -> Square {
    #[cfg(target_arch = "x86_64")]
    {
        sse_transposed(&square)
    }
    #[cfg(not(target_arch = "x86_64"))]
    portable_transposed(&square)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_transposed(square: &Square) -> Square {
    std::array::from_fn(|i| std::array::from_fn(|j| square[j][i]))
}

/// By quarters of four by four with SSE, which every 64-bit processor of this kind has.
#[cfg(target_arch = "x86_64")]
#[inline]
fn sse_transposed(square: &Square) -> Square {
    use std::arch::x86_64::{_MM_TRANSPOSE4_PS, _mm_loadu_ps, _mm_storeu_ps};
    let mut out = Square::default();
    for (i, j) in [(0, 0), (0, 4), (4, 0), (4, 4)] {
        // SAFETY: i and j are at most 4, so four numbers from there are within a row.
        unsafe {
            let load = |row: usize| _mm_loadu_ps(square[i + row].as_ptr().add(j));
            let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(load);
            _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
            for (row, part) in [a, b, c, d].into_iter().enumerate() {
                _mm_storeu_ps(out[j + row].as_mut_ptr().add(i), part);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_transposed() {
        let square: Square =
            std::array::from_fn(|i| std::array::from_fn(|j| (HALF * i + j) as f32));
        assert_eq!(transposed(square), portable_transposed(&square));
        assert_eq!(transposed(transposed(square)), square);
    }
}
