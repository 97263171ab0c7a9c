//! The AVX-512 evaluator: as the AVX2 one, with 32 hands at once, bit counts and
//! three-operand logic in one instruction each.

use std::arch::x86_64::*;
use std::hint::black_box;

use crate::tables::{PLANE_DISPLACEMENTS, PLANE_FACTORS, PLANE_VALUES};
use crate::{CardSet, Rank};

/// Hands hashed at once.
const GROUP: usize = 32;
/// Hashed groups in flight: one is hashed while an earlier one is looked up.
const RING: usize = 2;

/// Buckets and slots of a group.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Hashed {
    buckets: [u16; GROUP],
    slots: [u16; GROUP],
}

/// The place in its group of the hand that the transposition leaves at `lane`.
const fn order(lane: usize) -> usize {
    let (part, within) = (lane / 8, lane % 8);
    8 * (within / 2) + 2 * part + within % 2
}

/// Ranks groups of hands; returns whether all have seven cards. If not, the ranks
/// are meaningless.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
pub(super) fn rank_block(hands: &[[CardSet; GROUP]], ranks: &mut [[Rank; GROUP]]) -> bool {
    let mut invalid = _mm512_setzero_si512();
    let mut ring = [Hashed { buckets: [0; GROUP], slots: [0; GROUP] }; RING];
    // Without `black_box` the compiler extracts the lanes of the vector
    // registers one by one, which is slower than a round trip to memory.
    let ring = black_box(&mut ring);
    // Software pipelining: looking up one group behind the hashing keeps both
    // the vector units and the load units busy.
    let Some(first) = hands.first() else { return true };
    hash(first, &mut ring[0], &mut invalid);
    for (index, group) in hands.iter().enumerate().skip(1) {
        hash(group, &mut ring[index % RING], &mut invalid);
        look_up(&ring[(index - 1) % RING], &mut ranks[index - 1]);
    }
    look_up(&ring[(hands.len() - 1) % RING], &mut ranks[hands.len() - 1]);
    _mm512_test_epi64_mask(invalid, invalid) == 0
}

#[inline(always)]
fn look_up(hashed: &Hashed, ranks: &mut [Rank; GROUP]) {
    look_up_half::<0>(hashed, ranks);
    look_up_half::<16>(hashed, ranks);
}

/// Looks up sixteen lanes: a loop that the compiler unrolls. Longer ones it
/// vectorizes, lane by lane, at half the speed.
#[inline(always)]
fn look_up_half<const FROM: usize>(hashed: &Hashed, ranks: &mut [Rank; GROUP]) {
    for lane in FROM..FROM + 16 {
        let bucket = usize::from(hashed.buckets[lane]);
        // SAFETY: a bucket is a 16-bit number shifted right by 3, or 8192, of 8193
        // displacements; two 16-bit numbers add up to less than the 2^17 values.
        let number = unsafe {
            let displacement = usize::from(*PLANE_DISPLACEMENTS.0.get_unchecked(bucket));
            *PLANE_VALUES.0.get_unchecked(usize::from(hashed.slots[lane]) + displacement)
        };
        ranks[order(lane)] = Rank::from_number(number);
    }
}

/// Hashes a group as `build/plane_hash.rs` does, and marks hands without seven
/// cards in `invalid`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn hash(hands: &[CardSet; GROUP], out: &mut Hashed, invalid: &mut __m512i) {
    let from = hands.as_ptr().cast::<__m512i>();
    // SAFETY: 32 sets are 256 bytes, four vectors; the loads are unaligned.
    let [a, b, c, d] = unsafe {
        [
            _mm512_loadu_si512(from),
            _mm512_loadu_si512(from.add(1)),
            _mm512_loadu_si512(from.add(2)),
            _mm512_loadu_si512(from.add(3)),
        ]
    };
    // Transposes hands of four suits into suits of 32 hands.
    let (ab_low, ab_high) = (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
    let (cd_low, cd_high) = (_mm512_unpacklo_epi16(c, d), _mm512_unpackhi_epi16(c, d));
    let ab_minor = _mm512_unpacklo_epi16(ab_low, ab_high);
    let ab_major = _mm512_unpackhi_epi16(ab_low, ab_high);
    let cd_minor = _mm512_unpacklo_epi16(cd_low, cd_high);
    let cd_major = _mm512_unpackhi_epi16(cd_low, cd_high);
    let clubs = _mm512_unpacklo_epi64(ab_minor, cd_minor);
    let diamonds = _mm512_unpackhi_epi64(ab_minor, cd_minor);
    let hearts = _mm512_unpacklo_epi64(ab_major, cd_major);
    let spades = _mm512_unpackhi_epi64(ab_major, cd_major);
    let suits = [clubs, diamonds, hearts, spades];

    // A carry-save adder counts the cards of each rank, all ranks at once: `ones`,
    // `twos` and `fours` are the bit planes of the counts. The constants are the
    // truth tables of a ^ b ^ c, of the majority, of a ^ (b & c) and of a & b & c.
    let sum = _mm512_ternarylogic_epi64::<0x96>(clubs, diamonds, hearts);
    let carry = _mm512_ternarylogic_epi64::<0xe8>(clubs, diamonds, hearts);
    let ones = _mm512_xor_si512(sum, spades);
    let twos = _mm512_ternarylogic_epi64::<0x78>(carry, sum, spades);
    let fours = _mm512_ternarylogic_epi64::<0x80>(carry, sum, spades);

    let factor = |index: usize| _mm512_set1_epi16(PLANE_FACTORS[index] as i16);
    let mixed = _mm512_add_epi16(
        _mm512_add_epi16(_mm512_mullo_epi16(ones, factor(0)), _mm512_mullo_epi16(twos, factor(1))),
        _mm512_mullo_epi16(fours, factor(2)),
    );
    let slot = _mm512_add_epi16(
        _mm512_add_epi16(
            _mm512_mulhrs_epi16(ones, factor(3)),
            _mm512_mulhrs_epi16(twos, factor(4)),
        ),
        _mm512_mullo_epi16(fours, factor(5)),
    );
    let mut slot = _mm512_xor_si512(slot, _mm512_slli_epi16::<3>(mixed));
    let mut bucket = _mm512_srli_epi16::<3>(mixed);

    // In a flush, the ranks of its suit replace the hash.
    let mut total = _mm512_setzero_si512();
    for suit in suits {
        let count = _mm512_popcnt_epi16(suit);
        total = _mm512_add_epi16(total, count);
        let full = _mm512_cmpgt_epi16_mask(count, _mm512_set1_epi16(4));
        let flush_slot = _mm512_set1_epi16(0xe000u16 as i16);
        slot = _mm512_mask_add_epi16(slot, full, suit, flush_slot);
        bucket = _mm512_mask_mov_epi16(bucket, full, _mm512_set1_epi16(8192));
    }
    let wrong = _mm512_xor_si512(total, _mm512_set1_epi16(7));
    *invalid = _mm512_or_si512(*invalid, wrong);
    // SAFETY: both arrays are 32 16-bit numbers, aligned to 64 bytes.
    unsafe {
        _mm512_store_si512(out.buckets.as_mut_ptr().cast(), bucket);
        _mm512_store_si512(out.slots.as_mut_ptr().cast(), slot);
    }
}
