//! See `meeple_fuzz::imports`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::imports(data));
