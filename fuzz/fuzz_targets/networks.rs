//! See `meeple_fuzz::networks`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::networks(data));
