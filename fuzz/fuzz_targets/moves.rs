//! See `meeple_fuzz::moves`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::moves(data));
