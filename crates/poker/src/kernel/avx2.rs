//! The AVX2 evaluator: hashes sixteen hands at once, then looks them up.

use std::arch::x86_64::*;
use std::hint::black_box;

use crate::tables::{PLANE_DISPLACEMENTS, PLANE_FACTORS, PLANE_VALUES};
use crate::{CardSet, Rank};

/// Hashed groups in flight: one is hashed while an earlier one is looked up.
const RING: usize = 4;
/// The order in which the transposition leaves the hands of a group.
const ORDER: [usize; 16] = [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15];

/// Buckets and slots of sixteen hands.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Hashed {
    buckets: [u16; 16],
    slots: [u16; 16],
}

/// The constants of the hash, one SIMD register each.
struct Constants {
    factors: [__m256i; 6],
    bits_of_nibble: __m256i,
    low_nibble: __m256i,
    ones: __m256i,
    four: __m256i,
    seven: __m256i,
    flush_slot: __m256i,
    flush_bucket: __m256i,
}

impl Constants {
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        let bits_of_nibble = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ));
        Self {
            factors: PLANE_FACTORS.map(|factor| _mm256_set1_epi16(factor as i16)),
            bits_of_nibble,
            low_nibble: _mm256_set1_epi8(0x0f),
            ones: _mm256_set1_epi8(1),
            four: _mm256_set1_epi16(4),
            seven: _mm256_set1_epi16(7),
            flush_slot: _mm256_set1_epi16(0xe000u16 as i16),
            flush_bucket: _mm256_set1_epi16(8192),
        }
    }
}

/// Ranks groups of sixteen hands; returns whether all have seven cards. If
/// not, the ranks are meaningless.
#[target_feature(enable = "avx2")]
pub(super) fn rank_block(hands: &[[CardSet; 16]], ranks: &mut [[Rank; 16]]) -> bool {
    let constants = Constants::new();
    let mut invalid = _mm256_setzero_si256();
    let mut ring = [Hashed { buckets: [0; 16], slots: [0; 16] }; RING];
    // Without `black_box` the compiler extracts the lanes of the vector
    // registers one by one, which is slower than a round trip to memory.
    let ring = black_box(&mut ring);
    // Software pipelining: looking up one group behind the hashing keeps both
    // the vector units and the load units busy.
    let Some(first) = hands.first() else { return true };
    hash(first, &constants, &mut ring[0], &mut invalid);
    for (index, group) in hands.iter().enumerate().skip(1) {
        hash(group, &constants, &mut ring[index % RING], &mut invalid);
        look_up(&ring[(index - 1) % RING], &mut ranks[index - 1]);
    }
    look_up(&ring[(hands.len() - 1) % RING], &mut ranks[hands.len() - 1]);
    _mm256_testz_si256(invalid, invalid) == 1
}

#[inline(always)]
fn look_up(hashed: &Hashed, ranks: &mut [Rank; 16]) {
    for lane in 0..16 {
        // The bucket is at most 8,192 by construction; a bounds check would
        // cost time.
        let bucket = usize::from(hashed.buckets[lane]);
        // SAFETY: a bucket is a 16-bit number shifted right by 3, or 8192, of 8193
        // moves; two 16-bit numbers add up to less than the 2^17 values.
        let number = unsafe {
            let shift = usize::from(*PLANE_DISPLACEMENTS.0.get_unchecked(bucket));
            *PLANE_VALUES.0.get_unchecked(usize::from(hashed.slots[lane]) + shift)
        };
        ranks[ORDER[lane]] = Rank::from_number(number);
    }
}

/// Hashes sixteen hands, and marks those without seven cards in `invalid`.
#[inline]
#[target_feature(enable = "avx2")]
fn hash(hands: &[CardSet; 16], constants: &Constants, out: &mut Hashed, invalid: &mut __m256i) {
    let from = hands.as_ptr().cast::<__m256i>();
    // SAFETY: sixteen sets are 128 bytes, four vectors; the loads are
    // unaligned.
    let [a, b, c, d] = unsafe {
        [
            _mm256_loadu_si256(from),
            _mm256_loadu_si256(from.add(1)),
            _mm256_loadu_si256(from.add(2)),
            _mm256_loadu_si256(from.add(3)),
        ]
    };
    // Transposes hands of four suits into suits of sixteen hands.
    let (ab_low, ab_high) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
    let (cd_low, cd_high) = (_mm256_unpacklo_epi16(c, d), _mm256_unpackhi_epi16(c, d));
    let ab_minor = _mm256_unpacklo_epi16(ab_low, ab_high);
    let ab_major = _mm256_unpackhi_epi16(ab_low, ab_high);
    let cd_minor = _mm256_unpacklo_epi16(cd_low, cd_high);
    let cd_major = _mm256_unpackhi_epi16(cd_low, cd_high);
    let clubs = _mm256_unpacklo_epi64(ab_minor, cd_minor);
    let diamonds = _mm256_unpackhi_epi64(ab_minor, cd_minor);
    let hearts = _mm256_unpacklo_epi64(ab_major, cd_major);
    let spades = _mm256_unpackhi_epi64(ab_major, cd_major);

    // In a flush, the ranks of its suit replace the hash.
    let count = |suit: __m256i| {
        let low = _mm256_and_si256(suit, constants.low_nibble);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(suit), constants.low_nibble);
        let bytes = _mm256_add_epi8(
            _mm256_shuffle_epi8(constants.bits_of_nibble, low),
            _mm256_shuffle_epi8(constants.bits_of_nibble, high),
        );
        _mm256_maddubs_epi16(bytes, constants.ones)
    };
    let counts = [count(clubs), count(diamonds), count(hearts), count(spades)];
    let total = _mm256_add_epi16(
        _mm256_add_epi16(counts[0], counts[1]),
        _mm256_add_epi16(counts[2], counts[3]),
    );
    *invalid = _mm256_or_si256(*invalid, _mm256_xor_si256(total, constants.seven));
    let full = counts.map(|count| _mm256_cmpgt_epi16(count, constants.four));
    let flush =
        _mm256_or_si256(_mm256_or_si256(full[0], full[1]), _mm256_or_si256(full[2], full[3]));
    let flush_ranks = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(clubs, full[0]), _mm256_and_si256(diamonds, full[1])),
        _mm256_or_si256(_mm256_and_si256(hearts, full[2]), _mm256_and_si256(spades, full[3])),
    );

    // A carry-save adder counts the cards of each rank, all ranks at once:
    // `ones`, `twos` and `fours` are the bit planes of the counts.
    let (one_minor, one_major) =
        (_mm256_xor_si256(clubs, diamonds), _mm256_xor_si256(hearts, spades));
    let (two_minor, two_major) =
        (_mm256_and_si256(clubs, diamonds), _mm256_and_si256(hearts, spades));
    let ones = _mm256_xor_si256(one_minor, one_major);
    let twos = _mm256_xor_si256(
        _mm256_xor_si256(two_minor, two_major),
        _mm256_and_si256(one_minor, one_major),
    );
    let fours = _mm256_and_si256(two_minor, two_major);

    let factors = &constants.factors;
    let mixed = _mm256_add_epi16(
        _mm256_add_epi16(
            _mm256_mullo_epi16(ones, factors[0]),
            _mm256_mullo_epi16(twos, factors[1]),
        ),
        _mm256_mullo_epi16(fours, factors[2]),
    );
    let slot = _mm256_add_epi16(
        _mm256_add_epi16(
            _mm256_mulhrs_epi16(ones, factors[3]),
            _mm256_mulhrs_epi16(twos, factors[4]),
        ),
        _mm256_mullo_epi16(fours, factors[5]),
    );
    let slot = _mm256_xor_si256(slot, _mm256_slli_epi16::<3>(mixed));
    let flush_slot = _mm256_or_si256(flush_ranks, constants.flush_slot);
    let bucket = _mm256_srli_epi16::<3>(mixed);
    let bucket = _mm256_blendv_epi8(bucket, constants.flush_bucket, flush);
    let slot = _mm256_blendv_epi8(slot, flush_slot, flush);
    // SAFETY: both arrays are sixteen 16-bit numbers, aligned to 32 bytes.
    unsafe {
        _mm256_store_si256(out.buckets.as_mut_ptr().cast(), bucket);
        _mm256_store_si256(out.slots.as_mut_ptr().cast(), slot);
    }
}
