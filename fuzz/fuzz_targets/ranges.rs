//! See `meeple_fuzz::ranges`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::ranges(data));
