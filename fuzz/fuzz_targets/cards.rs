//! See `meeple_fuzz::cards`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::cards(data));
