//! See `meeple_fuzz::samples`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::samples(data));
