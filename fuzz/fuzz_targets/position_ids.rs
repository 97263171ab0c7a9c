//! See `meeple_fuzz::position_ids`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::position_ids(data));
