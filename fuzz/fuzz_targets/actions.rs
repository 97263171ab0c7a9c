//! See `meeple_fuzz::actions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::actions(data));
