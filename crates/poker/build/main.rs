//! Generates the evaluator's lookup tables at build time, so that none is stored in
//! the repository and none is built at startup.
//!
//! Three perfect hash tables map the multiset of card ranks (without suits) to the
//! rank of the best five:
//!
//! - `planes`, for the 49,205 multisets of 7: the key is hashed from the bit planes
//!   of the rank counts, with 16-bit multiplications only, so SIMD code hashes
//!   sixteen or 32 hands at once;
//! - `seven`, for the same 49,205, and `short`, for the 6,175 of 5 cards and the
//!   18,395 of 6: the key is a sum of one weight per card, so an enumeration adds
//!   a card by one addition.
//!
//! A fourth table, `omaha`, has a row of 96 entries for each of the 455 multisets of
//! three board ranks, with the ranks of all 91 multisets of two hole ranks: the
//! maximum of a board's rows serves every hand.
//!
//! The first three are perfect hash tables by displacement ("hash and displace": Tarjan, Yao
//! 1979; Pagh 1999): a small table of displacements shifts the keys of each bucket
//! so that no two keys share a slot.

mod place;
mod plane_hash;
mod values;

use std::path::{Path, PathBuf};
use std::{env, fs};

use place::{Key, Layout, Placed, Scramble, place};
use plane_hash::plane_hash;
use values::{Classes, counts_value, flush_value, rank_multisets};

/// The offset in `planes` of the 8,192 ranks of flushes, by the ranks of the suit.
const FLUSH_BASE: usize = 57_344 + 65_024;
/// Random seeds that give a perfect hash at the first try; the search continues
/// from here if the layout ever changes.
const PLANE_SEED: u64 = 0;
const SUM_SEED: u64 = 3;

/// The number of cards of each rank, and the rank of the best five.
type Hand = ([u8; 13], u16);

/// 13 bits of hash choose the bucket, 16 the slot.
const SEVEN: Layout = Layout { bucket_bits: 13, slot_bits: 16, dense: 69_632 };
/// 12 bits of hash choose the bucket, 15 the slot.
const SHORT: Layout = Layout { bucket_bits: 12, slot_bits: 15, dense: 36_864 };

#[allow(clippy::print_stdout, reason = "build scripts talk to cargo on stdout")]
fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));

    let classes = Classes::new();
    let hands = |cards: &[u8]| -> Vec<Hand> {
        let all = cards.iter().flat_map(|&cards| rank_multisets(cards));
        all.map(|counts| (counts, classes.rank(counts_value(&counts)))).collect()
    };
    let (seven_hands, short_hands) = (hands(&[7]), hands(&[5, 6]));
    let flushes: Vec<u16> = (0u16..8192)
        .map(|ranks| match ranks.count_ones() {
            5..=7 => classes.rank(flush_value(ranks)),
            _ => 0,
        })
        .collect();

    let (factors, mut planes) = find_planes(&seven_hands);
    planes.values[FLUSH_BASE..FLUSH_BASE + 8192].copy_from_slice(&flushes);
    // One bucket more than the hash has: the bucket of all flushes. Their slot is
    // the ranks of the suit with the three high bits set.
    planes.displacements.push((FLUSH_BASE - 57_344) as u16);
    let (weights, seven, short) = find_sums(&seven_hands, &short_hands);

    write(&out, "omaha_values.bin", &omaha_rows(&classes));
    write(&out, "plane_values.bin", &planes.values);
    write(&out, "plane_displacements.bin", &planes.displacements);
    write(&out, "seven_values.bin", &seven.values);
    write(&out, "seven_displacements.bin", &seven.displacements);
    write(&out, "short_values.bin", &short.values);
    write(&out, "short_displacements.bin", &short.displacements);
    let constants = format!(
        "pub(crate) const PLANE_FACTORS: [u16; 6] = {factors:?};\n\
         pub(crate) const RANK_WEIGHTS: [u32; 13] = {weights:?};\n\
         pub(crate) const FLUSH_BASE: usize = {FLUSH_BASE};\n",
    );
    fs::write(out.join("constants.rs"), constants).expect("the output folder is writable");
}

fn write(out: &Path, name: &str, table: &[u16]) {
    let bytes: Vec<u8> = table.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    fs::write(out.join(name), bytes).expect("the output folder is writable");
}

/// The ranks of every three board ranks with every two hole ranks, without
/// flushes; 0 for five cards of one rank, and for the padding at the end of rows.
fn omaha_rows(classes: &Classes) -> Vec<u16> {
    let mut rows = Vec::with_capacity(455 * 96);
    for high in 0..13 {
        for middle in 0..=high {
            for low in 0..=middle {
                let end = rows.len() + 96;
                for first in 0..13 {
                    for second in 0..=first {
                        let mut counts = [0; 13];
                        for rank in [high, middle, low, first, second] {
                            counts[rank] += 1;
                        }
                        let possible = counts.iter().all(|&count| count <= 4);
                        let rank = || classes.rank(counts_value(&counts));
                        rows.push(if possible { rank() } else { 0 });
                    }
                }
                rows.resize(end, 0);
            }
        }
    }
    rows
}

/// Finds multipliers of the bit planes that give a perfect hash (`plane_hash.rs`).
fn find_planes(hands: &[Hand]) -> ([u16; 6], Placed) {
    let planes: Vec<([u16; 3], u16)> = hands
        .iter()
        .map(|(counts, rank)| {
            let plane = |bit: u8| {
                (0..13).fold(0, |plane, rank| plane | (u16::from(counts[rank] >> bit & 1) << rank))
            };
            ([plane(0), plane(1), plane(2)], *rank)
        })
        .collect();
    (PLANE_SEED..)
        .find_map(|seed| {
            let mut scramble = Scramble::new(seed);
            let factors: [u16; 6] = std::array::from_fn(|_| scramble.bits() as u16 | 1);
            let keys = planes.iter().map(|&([ones, twos, fours], value)| {
                let (bucket, slot) = plane_hash(&factors, ones, twos, fours);
                Key { bucket, slot, value }
            });
            place(&SEVEN, keys).map(|placed| (factors, placed))
        })
        .expect("some seed gives a perfect hash")
}

/// Finds a weight for each card rank so that the sums of all multisets give a
/// perfect hash. Weights are even: bit 0 of a sum is left to the caller.
fn find_sums(seven: &[Hand], short: &[Hand]) -> ([u32; 13], Placed, Placed) {
    (SUM_SEED..)
        .find_map(|seed| {
            let mut scramble = Scramble::new(seed);
            let weights: [u32; 13] = std::array::from_fn(|_| (scramble.bits() >> 32) as u32 & !1);
            let sum = |counts: &[u8; 13]| {
                counts.iter().zip(weights).fold(0u32, |sum, (&count, weight)| {
                    sum.wrapping_add(weight.wrapping_mul(u32::from(count)))
                })
            };
            let keys = |hands: &[Hand], layout: &Layout| -> Vec<Key> {
                let key = |&(counts, value): &Hand| layout.split(sum(&counts), value);
                hands.iter().map(key).collect()
            };
            let placed_short = place(&SHORT, keys(short, &SHORT))?;
            let placed_seven = place(&SEVEN, keys(seven, &SEVEN))?;
            Some((weights, placed_seven, placed_short))
        })
        .expect("some seed gives a perfect hash")
}
