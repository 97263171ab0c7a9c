//! Memory sizes as text.

use std::fmt;
use std::str::FromStr;

/// A memory size in KB, MB or GB, where each unit is 1024 times the previous one.
///
/// ```
/// use meeple_bots::Size;
///
/// assert_eq!("64MB".parse(), Ok(Size::megabytes(64)));
/// assert_eq!(Size::kilobytes(1536).to_string(), "1536KB");
/// assert!("64".parse::<Size>().is_err(), "of what?");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    kilobytes: u32,
}

/// The units, largest first, and their binary logarithms in kilobytes.
const UNITS: [(&str, u32); 3] = [("GB", 20), ("MB", 10), ("KB", 0)];

impl Size {
    /// Creates a size from kilobytes.
    #[must_use]
    pub const fn kilobytes(kilobytes: u32) -> Self {
        Self { kilobytes }
    }

    /// Creates a size from megabytes, up to four million.
    #[must_use]
    pub const fn megabytes(megabytes: u32) -> Self {
        Self::kilobytes(megabytes << 10)
    }

    /// The size in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        (self.kilobytes as usize) << 10
    }
}

impl FromStr for Size {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (number, shift) = UNITS
            .into_iter()
            .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)))
            .ok_or(())?;
        let number: u32 = number.parse().map_err(drop)?;
        number.checked_mul(1 << shift).map(Self::kilobytes).ok_or(())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |shift: u32| self.kilobytes.trailing_zeros() >= shift;
        let (unit, shift) = UNITS.into_iter().find(|&(_, shift)| fits(shift)).unwrap_or(UNITS[2]);
        write!(f, "{}{unit}", self.kilobytes >> shift)
    }
}
