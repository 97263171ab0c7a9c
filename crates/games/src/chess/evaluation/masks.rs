//! Bitboards of files and pawn spans.

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// The squares of a file.
pub(super) const fn file(file: usize) -> u64 {
    A_FILE << file
}

/// The files next to a file.
pub(super) static ADJACENT: [u64; 8] = {
    let mut masks = [0; 8];
    let mut at = 0;
    while at < 8 {
        if at > 0 {
            masks[at] |= file(at - 1);
        }
        if at < 7 {
            masks[at] |= file(at + 1);
        }
        at += 1;
    }
    masks
};

/// The squares in front of a square, on its file, for each side.
pub(super) static FRONT: [[u64; 64]; 2] = {
    let mut masks = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (own, rank) = (file(square % 8), square / 8);
        masks[0][square] = if rank < 7 { own & (u64::MAX << (8 * (rank + 1))) } else { 0 };
        masks[1][square] = own & ((1u64 << (8 * rank)) - 1);
        square += 1;
    }
    masks
};

/// The squares where an enemy pawn stops or attacks a pawn on its way, for each side.
pub(super) static PASSED: [[u64; 64]; 2] = {
    let mut masks = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (files, rank) = (ADJACENT[square % 8], square / 8);
        let above = if rank < 7 { u64::MAX << (8 * (rank + 1)) } else { 0 };
        masks[0][square] = FRONT[0][square] | files & above;
        masks[1][square] = FRONT[1][square] | files & ((1u64 << (8 * rank)) - 1);
        square += 1;
    }
    masks
};

/// The number of king moves between two squares.
#[inline]
pub(super) fn distance(one: usize, other: usize) -> i32 {
    let files = (one % 8).abs_diff(other % 8);
    let ranks = (one / 8).abs_diff(other / 8);
    files.max(ranks) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lie_in_front() {
        // e4: the files d to f from the fifth rank on.
        assert_eq!(PASSED[0][28], 0x3838_3838_0000_0000);
        assert_eq!(PASSED[1][28], 0x0038_3838);
        assert_eq!(FRONT[0][28] | FRONT[1][28] | 1 << 28, file(4));
        assert_eq!((distance(0, 63), distance(0, 8), distance(28, 28)), (7, 1, 0));
    }
}
