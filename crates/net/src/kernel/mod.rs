//! Matrix products (GEMM), written once and compiled for every instruction set.
//!
//! The scheme is that of Goto and van de Geijn 2008, "Anatomy of
//! High-Performance Matrix Multiplication": weights are packed into panels of
//! [`PANEL`] outputs, whose parts stay in the L1 cache for a block of batch rows,
//! and a micro-kernel keeps the sums of a tile of rows in registers. A single row
//! reads weights row by row instead and skips its zero inputs.
//!
//! Every sum runs over its inputs in order, by fused multiply-adds in its own
//! SIMD lane. So all instruction sets, all batch sizes, and rows that skip their
//! zeros give the same sums bit by bit: adding a product with 0 changes no sum.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod int8;
mod int8_rows;
mod isa;
mod matrix;
mod packed;
mod sparse;

pub(crate) use int8::{PackedInt8, Quantized, multiply_int8, quantize};
pub(crate) use int8_rows::{Int8Rows, multiply_int8_row};
pub(crate) use isa::{Isa, Kernel, Routine};
pub(crate) use matrix::{Epilogue, Strided, multiply};
pub(crate) use packed::{Accumulators, Bf16Row, PANEL, Packed, Row, flat, padded};
pub(crate) use sparse::{Rows, multiply_sparse, nonzeros, round_to_bf16};
