//! See `meeple_fuzz::training`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::training(data));
