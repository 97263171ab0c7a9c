//! See `meeple_fuzz::lab_sessions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::lab_sessions(data));
