//! See `meeple_fuzz::lab_commands`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::lab_commands(data));
