//! See `meeple_fuzz::replays`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| meeple_fuzz::replays(data));
