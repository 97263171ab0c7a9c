//! See `meeple_fuzz::card_files`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::card_files(data));
