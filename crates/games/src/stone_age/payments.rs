//! The ways to pay one to seven resources, in a fixed order.

use super::data::VALUES;

/// The number of ways to pay one to seven resources.
pub(super) const PAYMENTS: usize = 329;

/// Payments as one byte for each resource, wood lowest: by total, then wood,
/// clay and stone ascending.
pub(super) static PAYMENT: [u32; PAYMENTS] = payments();
/// The first payment of each total; the last entry is the number of payments.
pub(super) static FIRST_PAYMENT: [u16; 9] = first_payments();

const fn payments() -> [u32; PAYMENTS] {
    let mut table = [0; PAYMENTS];
    let (mut at, mut total) = (0, 1);
    while total <= 7 {
        let mut wood = 0;
        while wood <= total {
            let mut clay = 0;
            while wood + clay <= total {
                let mut stone = 0;
                while wood + clay + stone <= total {
                    let gold = total - wood - clay - stone;
                    table[at] = u32::from_le_bytes([wood, clay, stone, gold]);
                    at += 1;
                    stone += 1;
                }
                clay += 1;
            }
            wood += 1;
        }
        total += 1;
    }
    table
}

const fn first_payments() -> [u16; 9] {
    let mut first = [0; 9];
    let mut total = 1;
    while total <= 7 {
        // The number of multisets of `total` pieces of four kinds.
        first[total + 1] = first[total] + ((total + 1) * (total + 2) * (total + 3) / 6) as u16;
        total += 1;
    }
    first
}

/// The number of words of 64 payments each.
pub(super) const PAYMENT_WORDS: usize = PAYMENTS.div_ceil(64);
/// A set of payments.
type Payments = [u64; PAYMENT_WORDS];

/// `WITHIN[kind][pieces]`: the payments with at most `pieces` of a kind.
static WITHIN: [[Payments; 8]; 4] = within();
/// `OF_KINDS[total][kinds]`: the payments of a total and a number of kinds; 0 stands for any
/// number of kinds.
static OF_KINDS: [[Payments; 5]; 8] = of_kinds_table();

const fn within() -> [[Payments; 8]; 4] {
    let mut table = [[[0; PAYMENT_WORDS]; 8]; 4];
    let mut at = 0;
    while at < PAYMENTS {
        let pieces = PAYMENT[at].to_le_bytes();
        let mut kind = 0;
        while kind < 4 {
            let mut held = pieces[kind] as usize;
            while held < 8 {
                table[kind][held][at / 64] |= 1 << (at % 64);
                held += 1;
            }
            kind += 1;
        }
        at += 1;
    }
    table
}

const fn of_kinds_table() -> [[Payments; 5]; 8] {
    let mut table = [[[0; PAYMENT_WORDS]; 5]; 8];
    let mut at = 0;
    while at < PAYMENTS {
        let pieces = PAYMENT[at].to_le_bytes();
        let (mut total, mut kinds, mut kind) = (0, 0, 0);
        while kind < 4 {
            total += pieces[kind] as usize;
            kinds += (pieces[kind] > 0) as usize;
            kind += 1;
        }
        table[total][kinds][at / 64] |= 1 << (at % 64);
        table[total][0][at / 64] |= 1 << (at % 64);
        at += 1;
    }
    table
}

/// The payments that can be made from these resources.
#[inline]
pub(super) fn affordable(resources: &[u16; 4]) -> Payments {
    let [wood, clay, stone, gold]: [&Payments; 4] =
        std::array::from_fn(|kind| &WITHIN[kind][resources[kind].min(7) as usize]);
    std::array::from_fn(|word| wood[word] & clay[word] & stone[word] & gold[word])
}

/// The payments of `total` pieces.
#[inline]
pub(super) fn of_total(total: usize) -> &'static Payments {
    &OF_KINDS[total][0]
}

/// The payments of `total` pieces of exactly `kinds` kinds.
#[inline]
pub(super) fn of_kinds(total: usize, kinds: usize) -> &'static Payments {
    &OF_KINDS[total][kinds]
}

/// Whether `payment` can be made from `packed_resources`, both with bytes below 128. The
/// high bit of each byte detects a borrow.
#[inline]
pub(super) const fn covers(packed_resources: u32, payment: u32) -> bool {
    ((packed_resources | 0x8080_8080) - payment) & 0x8080_8080 == 0x8080_8080
}

/// The value of a payment or cost in points.
#[inline]
pub(super) fn worth(payment: [u8; 4]) -> i16 {
    payment.iter().zip(VALUES).map(|(&pieces, value)| i16::from(pieces * value)).sum()
}

/// The index of the payment of these pieces.
pub(super) fn payment_of(pieces: [u8; 4]) -> usize {
    let [wood, clay, stone, gold] = pieces.map(usize::from);
    let total = wood + clay + stone + gold;
    // Payments with less wood come first, then those with less clay.
    let less_wood: usize = (0..wood).map(|less| ways(total - less, 3)).sum();
    let less_clay: usize = (0..clay).map(|less| ways(total - wood - less, 2)).sum();
    FIRST_PAYMENT[total] as usize + less_wood + less_clay + stone
}

/// The number of multisets of `pieces` pieces of `kinds` kinds.
const fn ways(pieces: usize, kinds: usize) -> usize {
    match kinds {
        3 => (pieces + 1) * (pieces + 2) / 2,
        2 => pieces + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payments_are_numbered_in_order() {
        let all: Vec<[u8; 4]> = PAYMENT.iter().map(|payment| payment.to_le_bytes()).collect();
        let order = |pieces: &[u8; 4]| (pieces.iter().sum::<u8>(), *pieces);
        assert!(all.is_sorted_by_key(order));
        assert_eq!(all[0], [0, 0, 0, 1]);
        assert_eq!(all[328], [7, 0, 0, 0]);
        for (number, &pieces) in all.iter().enumerate() {
            assert_eq!(payment_of(pieces), number);
        }
    }

    #[test]
    fn affordable_payments_are_those_that_are_covered() {
        for resources in [[0, 0, 0, 0], [1, 0, 3, 0], [2, 9, 0, 1], [7, 7, 7, 7], [300, 4, 1, 6]] {
            let held = affordable(&resources);
            let packed_resources =
                u32::from_le_bytes(resources.map(|pieces: u16| pieces.min(7) as u8));
            for (number, &payment) in PAYMENT.iter().enumerate() {
                let pieces = payment.to_le_bytes();
                let plain = (0..4).all(|kind| u16::from(pieces[kind]) <= resources[kind]);
                assert_eq!(held[number / 64] >> (number % 64) & 1 == 1, plain);
                assert_eq!(covers(packed_resources, payment), plain);
            }
        }
    }
}
