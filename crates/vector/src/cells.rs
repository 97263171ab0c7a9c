//! Encodings of observations: integers of several widths, or network features.

use meeple_game::ObservationSpec;

use crate::VectorError;

/// The encoding of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The cells as signed 8-bit integers.
    Int8,
    /// The cells as signed 16-bit integers.
    Int16,
    /// The cells as signed 32-bit integers.
    Int32,
    /// Network features: counts divided by their scale, categories one-hot. See
    /// [`ObservationSpec::normalize`].
    Float32,
}

impl Encoding {
    /// Returns the narrowest integer encoding that holds every cell of a layout.
    #[must_use]
    pub fn smallest(spec: &ObservationSpec) -> Self {
        let bounds = spec.fields().iter().map(|field| field.kind().bounds());
        let (low, high) =
            bounds.fold((0, 0), |(low, high), (min, max)| (low.min(min), high.max(max)));
        if i8::try_from(low).is_ok() && i8::try_from(high).is_ok() {
            Self::Int8
        } else if i16::try_from(low).is_ok() && i16::try_from(high).is_ok() {
            Self::Int16
        } else {
            Self::Int32
        }
    }

    /// Returns whether the encoding can hold every cell of a layout.
    #[must_use]
    pub fn holds(self, spec: &ObservationSpec) -> bool {
        self.bytes() >= Self::smallest(spec).bytes()
    }

    /// Returns the number of values in one observation.
    #[must_use]
    pub fn width(self, spec: &ObservationSpec) -> usize {
        if self == Self::Float32 { spec.features() } else { spec.len() }
    }

    /// Returns the name of the element type in NumPy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Float32 => "float32",
        }
    }

    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Int8 => 1,
            Self::Int16 => 2,
            Self::Int32 | Self::Float32 => 4,
        }
    }
}

/// Rows of observations, borrowed from the caller.
#[derive(Debug)]
pub enum Cells<'a> {
    /// For [`Encoding::Int8`].
    Int8(&'a mut [i8]),
    /// For [`Encoding::Int16`].
    Int16(&'a mut [i16]),
    /// For [`Encoding::Int32`].
    Int32(&'a mut [i32]),
    /// For [`Encoding::Float32`].
    Float32(&'a mut [f32]),
}

/// Evaluates the same expression for every element type.
macro_rules! each {
    ($cells:expr, $slice:ident => $work:expr) => {
        match $cells {
            Cells::Int8($slice) => $work,
            Cells::Int16($slice) => $work,
            Cells::Int32($slice) => $work,
            Cells::Float32($slice) => $work,
        }
    };
}

impl Cells<'_> {
    /// Returns the encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        match self {
            Self::Int8(_) => Encoding::Int8,
            Self::Int16(_) => Encoding::Int16,
            Self::Int32(_) => Encoding::Int32,
            Self::Float32(_) => Encoding::Float32,
        }
    }

    fn len(&self) -> usize {
        each!(self, slice => slice.len())
    }

    pub(crate) fn check(
        &self,
        what: &'static str,
        encoding: Encoding,
        expected: usize,
    ) -> Result<(), VectorError> {
        let got = self.encoding();
        if got != encoding {
            return Err(VectorError::Encoding { what, expected: encoding.name(), got: got.name() });
        }
        crate::arrays::expect_length(what, expected, self.len())
    }

    /// Splits after the first `count` values.
    pub(crate) fn split(self, count: usize) -> (Self, Self) {
        match self {
            Self::Int8(all) => {
                let (first, rest) = all.split_at_mut(count);
                (Self::Int8(first), Self::Int8(rest))
            }
            Self::Int16(all) => {
                let (first, rest) = all.split_at_mut(count);
                (Self::Int16(first), Self::Int16(rest))
            }
            Self::Int32(all) => {
                let (first, rest) = all.split_at_mut(count);
                (Self::Int32(first), Self::Int32(rest))
            }
            Self::Float32(all) => {
                let (first, rest) = all.split_at_mut(count);
                (Self::Float32(first), Self::Float32(rest))
            }
        }
    }

    /// Writes row `row` from what `observe` fills; `scratch` has the length of an observation
    /// and is overwritten.
    #[inline]
    pub(crate) fn write(
        &mut self,
        row: usize,
        spec: &ObservationSpec,
        scratch: &mut [i32],
        observe: impl FnOnce(&mut [i32]),
    ) {
        let width = scratch.len();
        let cells = row * width..(row + 1) * width;
        match self {
            Self::Int32(out) => observe(&mut out[cells]),
            Self::Int8(out) => {
                observe(scratch);
                out[cells].iter_mut().zip(&*scratch).for_each(|(out, &cell)| *out = cell as i8);
            }
            Self::Int16(out) => {
                observe(scratch);
                out[cells].iter_mut().zip(&*scratch).for_each(|(out, &cell)| *out = cell as i16);
            }
            Self::Float32(out) => {
                observe(scratch);
                let width = spec.features();
                spec.normalize(scratch, &mut out[row * width..(row + 1) * width]);
            }
        }
    }
}

/// Owned observations.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// For [`Encoding::Int8`].
    Int8(Vec<i8>),
    /// For [`Encoding::Int16`].
    Int16(Vec<i16>),
    /// For [`Encoding::Int32`].
    Int32(Vec<i32>),
    /// For [`Encoding::Float32`].
    Float32(Vec<f32>),
}

impl Numbers {
    /// Creates `len` zeros.
    #[must_use]
    pub fn new(encoding: Encoding, len: usize) -> Self {
        match encoding {
            Encoding::Int8 => Self::Int8(vec![0; len]),
            Encoding::Int16 => Self::Int16(vec![0; len]),
            Encoding::Int32 => Self::Int32(vec![0; len]),
            Encoding::Float32 => Self::Float32(vec![0.0; len]),
        }
    }

    /// Borrows the values for writing.
    pub fn cells(&mut self) -> Cells<'_> {
        match self {
            Self::Int8(numbers) => Cells::Int8(numbers),
            Self::Int16(numbers) => Cells::Int16(numbers),
            Self::Int32(numbers) => Cells::Int32(numbers),
            Self::Float32(numbers) => Cells::Float32(numbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_game::Field;

    #[test]
    fn the_smallest_numbers_hold_every_cell() {
        static BYTES: ObservationSpec = ObservationSpec::new(1, &[Field::count("a", 127).min(-1)]);
        static WORDS: ObservationSpec =
            ObservationSpec::new(1, &[Field::flag("a"), Field::count("b", 128)]);
        static LONG: ObservationSpec = ObservationSpec::new(1, &[Field::count("a", 40_000)]);
        assert_eq!(Encoding::smallest(&BYTES), Encoding::Int8);
        assert_eq!(Encoding::smallest(&WORDS), Encoding::Int16);
        assert_eq!(Encoding::smallest(&LONG), Encoding::Int32);
        assert!(Encoding::Float32.holds(&LONG) && !Encoding::Int8.holds(&WORDS));
    }

    #[test]
    fn rows_are_written_side_by_side() {
        static SPEC: ObservationSpec =
            ObservationSpec::new(1, &[Field::category("a", 2), Field::count("b", 4)]);
        let (mut bytes, mut features) = ([9i8; 4], [9.0f32; 6]);
        for row in 0..2 {
            let observe = |out: &mut [i32]| out.copy_from_slice(&[row as i32, 2]);
            Cells::Int8(&mut bytes).write(row, &SPEC, &mut [0; 2], observe);
            Cells::Float32(&mut features).write(row, &SPEC, &mut [0; 2], observe);
        }
        assert_eq!(bytes, [0, 2, 1, 2]);
        assert_eq!(features, [1.0, 0.0, 0.5, 0.0, 1.0, 0.5]);
    }
}
