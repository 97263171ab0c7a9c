//! Numbers in storage: 32-bit floats, or 16-bit integers with one scale for each decision.

/// A stored number.
pub(crate) trait Cell: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Whether numbers are stored as they are, without a scale.
    const EXACT: bool;
    /// The largest stored number.
    const MOST: f32;

    fn value(self) -> f32;

    fn of(value: f32) -> Self;

    /// The scale of numbers whose largest absolute value is `most`, and its inverse.
    #[inline(always)]
    fn scales(most: f32) -> (f32, f32) {
        if Self::EXACT || most == 0.0 { (1.0, 1.0) } else { (most / Self::MOST, Self::MOST / most) }
    }

    /// Appends the numbers in little-endian order.
    fn put(cells: &[Self], out: &mut Vec<u8>);

    /// Reads as many numbers from as many bytes.
    fn take(cells: &mut [Self], bytes: &[u8]);
}

macro_rules! little_endian {
    () => {
        fn put(cells: &[Self], out: &mut Vec<u8>) {
            out.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        }

        fn take(cells: &mut [Self], bytes: &[u8]) {
            for (cell, bytes) in cells.iter_mut().zip(bytes.chunks_exact(size_of::<Self>())) {
                *cell = Self::from_le_bytes(bytes.try_into().expect("the size of a number"));
            }
        }
    };
}

impl Cell for f32 {
    const EXACT: bool = true;
    const MOST: Self = 1.0;

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    #[inline(always)]
    fn of(value: f32) -> Self {
        value
    }

    little_endian!();
}

/// Adding 1.5 x 2^23 rounds to the nearest integer and leaves it in the lowest bits: one
/// operation on any processor, where a conversion has to look for overflow.
const ROUND: f32 = 12_582_912.0;

#[inline(always)]
fn low_bits(value: f32) -> u16 {
    (value + ROUND).to_bits() as u16
}

/// A signed share of a scale: regrets.
impl Cell for i16 {
    const EXACT: bool = false;
    const MOST: f32 = 32_767.0;

    #[inline(always)]
    fn value(self) -> f32 {
        f32::from(self)
    }

    #[inline(always)]
    fn of(value: f32) -> Self {
        low_bits(value) as Self
    }

    little_endian!();
}

/// An unsigned share of a scale: sums of strategies.
impl Cell for u16 {
    const EXACT: bool = false;
    const MOST: f32 = 65_535.0;

    #[inline(always)]
    fn value(self) -> f32 {
        f32::from(self)
    }

    #[inline(always)]
    fn of(value: f32) -> Self {
        low_bits(value)
    }

    little_endian!();
}
