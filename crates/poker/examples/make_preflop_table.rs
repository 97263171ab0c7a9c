//! Enumerates all preflop match-ups of two hands and writes the table that the
//! crate embeds:
//!
//! ```text
//! cargo run --release -p meeple-poker --example make_preflop_table -- crates/poker/data/preflop.bin
//! ```

use std::error::Error;
use std::{env, fs};

use meeple_poker::{canonical_matchups, count_matchup};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected the file to write")?;
    let mut table = Vec::new();
    for (hero, villain) in canonical_matchups() {
        let counted = count_matchup(hero, villain).ok_or("the hands of a match-up share a card")?;
        table.extend(counted.wins.to_le_bytes());
        table.extend(counted.ties.to_le_bytes());
    }
    fs::write(path, table)?;
    Ok(())
}
