//! The hot loops: products of matrices, written once for every kind of machine.
//!
//! Weights lie in panels of [`PANEL`] outputs for batches, and row by row for
//! single inputs, which leave out the rows of zeros. Every sum runs over its inputs
//! in order, one fused multiplication and addition after the other, in a lane
//! of its own; so all kinds of machines, batches of all sizes, and rows that
//! skip their zeros give the same sums to the last bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod byte_rows;
mod bytes;
mod machine;
mod matrix;
mod packed;
mod sparse;

pub(crate) use byte_rows::{ByteRows, multiply_byte_row};
pub(crate) use bytes::{Levels, PackedBytes, multiply_bytes, quantize};
pub(crate) use machine::{Kind, Machine, Work};
pub(crate) use matrix::{Strided, multiply};
pub(crate) use packed::{Half, PANEL, Packed, Row, Sums, padded};
pub(crate) use sparse::{Rows, multiply_sparse, nonzeros};
