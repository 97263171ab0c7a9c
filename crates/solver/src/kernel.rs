//! Loops over rows of hands, compiled for what the processor has.
//!
//! A matrix has a row for each action and is stored row by row; rows are multiples of
//! [`BLOCK`] long. Every loop adds up in the same order on every processor, and none uses
//! fused multiplication, so results are the same to the last bit.
#![allow(
    unsafe_code,
    reason = "one body compiled for several instruction sets; measured at twice the portable speed"
)]

mod sweep;
mod transpose;

pub(crate) use sweep::{Factors, Lanes, sweep};
pub(crate) use transpose::{transpose_into, transpose_out};

use crate::boards::BLOCK;
use crate::cell::Cell;

type Block = [f32; BLOCK];

/// Defines a function that runs `$body` as compiled for AVX-512, AVX2 or neither.
macro_rules! dispatch {
    ($(#[$meta:meta])* $name:ident = $body:ident [$($generic:tt)*] ($($arg:ident: $kind:ty),* $(,)?)) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments, reason = "rows in, rows out")]
        pub(crate) fn $name<$($generic)*>($($arg: $kind),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
                #[allow(clippy::too_many_arguments, reason = "rows in, rows out")]
                fn avx512<$($generic)*>($($arg: $kind),*) {
                    $body($($arg),*);
                }
                #[target_feature(enable = "avx2")]
                #[allow(clippy::too_many_arguments, reason = "rows in, rows out")]
                fn avx2<$($generic)*>($($arg: $kind),*) {
                    $body($($arg),*);
                }
                match $crate::kernel::level() {
                    // SAFETY: the processor has the features.
                    $crate::kernel::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: the processor has AVX2.
                    $crate::kernel::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::kernel::Level::Portable => {}
                }
            }
            $body($($arg),*);
        }
    };
}
use dispatch;

/// What the processor has.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Level {
    Avx512,
    Avx2,
    Portable,
}

#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn level() -> Level {
    #[cfg(test)]
    if tests::PORTABLE.get() {
        return Level::Portable;
    }
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        Level::Avx512
    } else if is_x86_feature_detected!("avx2") {
        Level::Avx2
    } else {
        Level::Portable
    }
}

dispatch!(
    /// `out = reach * strategy`, by regret matching on `cells`: shares of what is above 0,
    /// or equal shares.
    spread = spread_body [C: Cell] (cells: &[C], reach: &[f32], out: &mut [f32])
);
dispatch!(
    /// As [`spread`] from regrets; `sums = discount * sums + out`.
    spread_and_add = spread_and_add_body [R: Cell, S: Cell] (
        regrets: &[R], sums: &mut [S], scale: &mut f32, reach: &[f32], out: &mut [f32], discount: f32,
    )
);
dispatch!(
    /// `out = strategy * values` summed over actions; then regrets become
    /// `discount * regrets + values - out`. Positive and negative regrets have a discount
    /// each. Destroys `values`.
    update = update_body [R: Cell] (
        regrets: &mut [R], scale: &mut f32, values: &mut [f32], out: &mut [f32], discounts: [f32; 2],
    )
);
dispatch!(
    /// `out = strategy * values` summed over actions.
    blend = blend_body [C: Cell] (cells: &[C], values: &[f32], out: &mut [f32])
);
dispatch!(
    /// `out`: the sum of the rows of `values`.
    add_rows = add_rows_body [] (values: &[f32], out: &mut [f32])
);
dispatch!(
    /// `out`: the largest of the rows of `values`.
    largest = largest_body [] (values: &[f32], out: &mut [f32])
);
dispatch!(
    /// `out[i] = factor * from[places[i]]`.
    gather = gather_body [] (from: &[f32], places: &[u16], factor: f32, out: &mut [f32])
);
dispatch!(
    /// `out[i] += from[places[i]]`.
    gather_and_add = gather_and_add_body [] (from: &[f32], places: &[u16], out: &mut [f32])
);

#[inline(always)]
fn block<T>(row: &[T], at: usize) -> &[T; BLOCK] {
    row[at..at + BLOCK].try_into().expect("a block")
}

#[inline(always)]
fn block_mut<T>(row: &mut [T], at: usize) -> &mut [T; BLOCK] {
    (&mut row[at..at + BLOCK]).try_into().expect("a block")
}

#[inline(always)]
fn floats<C: Cell>(cells: &[C], at: usize) -> Block {
    let cells = block(cells, at);
    let mut floats = [0.0; BLOCK];
    for k in 0..BLOCK {
        floats[k] = cells[k].value();
    }
    floats
}

#[inline(always)]
fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// What positive parts are multiplied by, and what is added, to make a strategy of the
/// block of hands at `at`.
#[inline(always)]
fn shares<C: Cell>(cells: &[C], row: usize, at: usize, even: f32) -> (Block, Block) {
    let (mut inverse, mut add) = ([0.0; BLOCK], [0.0; BLOCK]);
    for start in (at..cells.len()).step_by(row) {
        let cells = floats(cells, start);
        for k in 0..BLOCK {
            inverse[k] += positive(cells[k]);
        }
    }
    for k in 0..BLOCK {
        let total = inverse[k];
        inverse[k] = if total > 0.0 { 1.0 / total } else { 0.0 };
        add[k] = if total > 0.0 { 0.0 } else { even };
    }
    (inverse, add)
}

#[inline(always)]
fn spread_body<C: Cell>(cells: &[C], reach: &[f32], out: &mut [f32]) {
    let row = reach.len();
    let even = row as f32 / out.len() as f32;
    for at in (0..row).step_by(BLOCK) {
        let (inverse, add) = shares(cells, row, at, even);
        let reach = block(reach, at);
        for start in (at..out.len()).step_by(row) {
            let (cells, out) = (floats(cells, start), block_mut(out, start));
            for k in 0..BLOCK {
                out[k] = reach[k] * (positive(cells[k]) * inverse[k] + add[k]);
            }
        }
    }
}

#[inline(always)]
fn spread_and_add_body<R: Cell, S: Cell>(
    regrets: &[R],
    sums: &mut [S],
    scale: &mut f32,
    reach: &[f32],
    out: &mut [f32],
    discount: f32,
) {
    let row = reach.len();
    let even = row as f32 / out.len() as f32;
    let discount = discount * *scale;
    let mut most = [0.0f32; BLOCK];
    for at in (0..row).step_by(BLOCK) {
        let (inverse, add) = shares(regrets, row, at, even);
        let reach = block(reach, at);
        for start in (at..out.len()).step_by(row) {
            let (regrets, out) = (floats(regrets, start), block_mut(out, start));
            let before = floats(sums, start);
            let sums = block_mut(sums, start);
            for k in 0..BLOCK {
                out[k] = reach[k] * (positive(regrets[k]) * inverse[k] + add[k]);
                let sum = before[k] * discount + out[k];
                if S::EXACT {
                    sums[k] = S::of(sum);
                } else {
                    most[k] = if sum > most[k] { sum } else { most[k] };
                }
            }
        }
    }
    if !S::EXACT {
        let inverse;
        (*scale, inverse) = S::scales(most.into_iter().fold(0.0, f32::max));
        for (sum, out) in sums.iter_mut().zip(out.iter()) {
            *sum = S::of((sum.value() * discount + out) * inverse);
        }
    }
}

#[inline(always)]
fn update_body<R: Cell>(
    regrets: &mut [R],
    scale: &mut f32,
    values: &mut [f32],
    out: &mut [f32],
    discounts: [f32; 2],
) {
    let row = out.len();
    let even = row as f32 / values.len() as f32;
    let discounts = discounts.map(|discount| discount * *scale);
    let mut most = [0.0f32; BLOCK];
    for at in (0..row).step_by(BLOCK) {
        let (inverse, add) = shares(regrets, row, at, even);
        let mut mean = [0.0; BLOCK];
        for start in (at..values.len()).step_by(row) {
            let (regrets, values) = (floats(regrets, start), block(values, start));
            for k in 0..BLOCK {
                mean[k] += values[k] * (positive(regrets[k]) * inverse[k] + add[k]);
            }
        }
        *block_mut(out, at) = mean;
        for start in (at..values.len()).step_by(row) {
            let before = floats(regrets, start);
            let (regrets, values) = (block_mut(regrets, start), block_mut(values, start));
            for k in 0..BLOCK {
                let discount = if before[k] > 0.0 { discounts[0] } else { discounts[1] };
                let regret = before[k] * discount + (values[k] - mean[k]);
                if R::EXACT {
                    regrets[k] = R::of(regret);
                } else {
                    values[k] = regret;
                    let size = regret.abs();
                    most[k] = if size > most[k] { size } else { most[k] };
                }
            }
        }
    }
    if !R::EXACT {
        let inverse;
        (*scale, inverse) = R::scales(most.into_iter().fold(0.0, f32::max));
        for (regret, value) in regrets.iter_mut().zip(values.iter()) {
            *regret = R::of(value * inverse);
        }
    }
}

#[inline(always)]
fn blend_body<C: Cell>(cells: &[C], values: &[f32], out: &mut [f32]) {
    let row = out.len();
    let even = row as f32 / values.len() as f32;
    for at in (0..row).step_by(BLOCK) {
        let (inverse, add) = shares(cells, row, at, even);
        let mut mean = [0.0; BLOCK];
        for start in (at..values.len()).step_by(row) {
            let (cells, values) = (floats(cells, start), block(values, start));
            for k in 0..BLOCK {
                mean[k] += values[k] * (positive(cells[k]) * inverse[k] + add[k]);
            }
        }
        *block_mut(out, at) = mean;
    }
}

#[inline(always)]
fn add_rows_body(values: &[f32], out: &mut [f32]) {
    let row = out.len();
    for at in (0..row).step_by(BLOCK) {
        let mut sum = *block(values, at);
        for start in (at + row..values.len()).step_by(row) {
            let values = block(values, start);
            for k in 0..BLOCK {
                sum[k] += values[k];
            }
        }
        *block_mut(out, at) = sum;
    }
}

#[inline(always)]
fn largest_body(values: &[f32], out: &mut [f32]) {
    let row = out.len();
    for at in (0..row).step_by(BLOCK) {
        let mut most = *block(values, at);
        for start in (at + row..values.len()).step_by(row) {
            let values = block(values, start);
            for k in 0..BLOCK {
                most[k] = if values[k] > most[k] { values[k] } else { most[k] };
            }
        }
        *block_mut(out, at) = most;
    }
}

#[inline(always)]
fn gather_body(from: &[f32], places: &[u16], factor: f32, out: &mut [f32]) {
    for (out, &place) in out.iter_mut().zip(places) {
        *out = factor * from[usize::from(place)];
    }
}

#[inline(always)]
fn gather_and_add_body(from: &[f32], places: &[u16], out: &mut [f32]) {
    for (out, &place) in out.iter_mut().zip(places) {
        *out += from[usize::from(place)];
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell as Shared;

    use meeple_rng::Rng;

    use super::*;

    thread_local! {
        /// Whether this thread runs the portable loops.
        pub(crate) static PORTABLE: Shared<bool> = const { Shared::new(false) };
    }

    /// What `work` finds with and without SIMD.
    pub(crate) fn both_ways<T>(mut work: impl FnMut() -> T) -> [T; 2] {
        let fast = work();
        PORTABLE.set(true);
        let portable = work();
        PORTABLE.set(false);
        [fast, portable]
    }

    fn numbers(rng: &mut Rng, count: usize) -> Vec<f32> {
        (0..count).map(|_| (rng.unit() - 0.5) as f32).collect()
    }

    fn check_update<R: Cell + std::fmt::Debug, S: Cell + std::fmt::Debug>() {
        let mut rng = Rng::new(7);
        for (actions, row) in [(1, 16), (2, 48), (3, 240), (5, 32)] {
            let cells = numbers(&mut rng, actions * row);
            let values = numbers(&mut rng, actions * row);
            let reach: Vec<f32> = numbers(&mut rng, row).into_iter().map(f32::abs).collect();
            let [fast, portable] = both_ways(|| {
                let mut regrets: Vec<R> = cells.iter().map(|cell| R::of(cell * R::MOST)).collect();
                let mut sums: Vec<S> =
                    cells.iter().map(|cell| S::of(cell.abs() * S::MOST)).collect();
                let (mut scales, mut children) = ([0.3, 0.7], values.clone());
                let (mut out, mut mean) = (vec![0.0; actions * row], vec![0.0; row]);
                spread_and_add(&regrets, &mut sums, &mut scales[0], &reach, &mut out, 0.9);
                update(&mut regrets, &mut scales[1], &mut children, &mut mean, [0.8, 0.5]);
                (regrets, sums, scales, out, mean)
            });
            assert_eq!(fast, portable);
            let total: f32 = fast.3.iter().sum();
            assert!((total - reach.iter().sum::<f32>()).abs() < 1e-3 * total);
        }
    }

    #[test]
    fn simd_and_portable_loops_agree_to_the_last_bit() {
        check_update::<f32, f32>();
        check_update::<i16, u16>();
    }

    #[test]
    fn regrets_grow_by_what_an_action_is_better() {
        let mut regrets = [3.0f32, 1.0].map(|regret| [regret; BLOCK]).concat();
        let mut values = [2.0, -2.0].map(|value| [value; BLOCK]).concat();
        let mut mean = [0.0; BLOCK];
        update(&mut regrets, &mut 1.0, &mut values, &mut mean, [0.5, 0.0]);
        assert_eq!((mean[0], regrets[0], regrets[BLOCK]), (1.0, 2.5, -2.5));
    }
}
