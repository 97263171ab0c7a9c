//! See `meeple_fuzz::deck_files`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::deck_files(data));
