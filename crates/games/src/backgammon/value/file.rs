//! The file of a value network.

use super::{CONTACT_UNITS, RACE_UNITS, ValueNetwork};

/// The first line of a file: the format, its version, and the layout of the network.
fn heading() -> String {
    use super::inputs::{CONTACT, RACE};
    format!("meeple backgammon 1, {CONTACT} x {CONTACT_UNITS}, {RACE} x {RACE_UNITS}\n")
}

/// Why the file of a value network is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueFileError {
    /// The first line is that of another network or version, or of no network.
    #[error("line 1: expected {expected:?}, found {found:?}")]
    Heading {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// Weights are missing, or there are more.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The expected length of the file.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// The checksum at the end differs from that of the weights.
    #[error("the file is damaged: its checksum is {found:016x}, expected {expected:016x}")]
    Checksum {
        /// The checksum of the weights.
        expected: u64,
        /// The checksum in the file.
        found: u64,
    },
    /// A weight is infinite or not a number.
    #[error("weight {0} is not a finite number")]
    NotFinite(usize),
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo).
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl ValueNetwork {
    /// Returns the content of a file: a line that names the layout, the weights as little-endian
    /// 32-bit floats, and a checksum of all of it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = heading().into_bytes();
        let weights = [self.contact.weights(), self.race.weights()].concat();
        bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Returns a hash of the weights, for people to compare.
    #[must_use]
    pub fn hash(&self) -> u64 {
        checksum(&self.to_bytes())
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    ///
    /// When it is damaged, or of another network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ValueFileError> {
        let expected = heading();
        if !bytes.starts_with(expected.as_bytes()) {
            let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let found = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            return Err(ValueFileError::Heading { expected: expected.trim_end().into(), found });
        }
        let mut network = Self::random(0);
        let length = network.to_bytes().len();
        if bytes.len() != length {
            return Err(ValueFileError::Length { expected: length, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(length - 8);
        let found = u64::from_le_bytes(sum.try_into().expect("eight bytes"));
        if checksum(content) != found {
            return Err(ValueFileError::Checksum { expected: checksum(content), found });
        }
        let floats = content[expected.len()..].chunks_exact(4);
        let weights: Vec<f32> =
            floats.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        if let Some(at) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(ValueFileError::NotFinite(at));
        }
        let (contact, race) = weights.split_at(network.contact.weights().len());
        network.contact.set_weights(contact);
        network.race.set_weights(race);
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_refused() {
        let network = ValueNetwork::random(3);
        let bytes = network.to_bytes();
        assert_eq!(ValueNetwork::from_bytes(&bytes), Ok(network.clone()));
        let refused = |bytes: &[u8]| ValueNetwork::from_bytes(bytes).unwrap_err().to_string();
        assert!(refused(b"").starts_with("line 1: expected"));
        assert!(refused(&bytes[..bytes.len() - 1]).starts_with("expected"));
        let mut flipped = bytes.clone();
        flipped[1000] ^= 1;
        assert!(refused(&flipped).starts_with("the file is damaged"));
        let mut broken = network;
        let mut weights = broken.race.weights();
        weights[0] = f32::NAN;
        broken.race.set_weights(&weights);
        assert!(refused(&broken.to_bytes()).ends_with("is not a finite number"));
    }

    #[test]
    fn the_built_in_network_can_be_read() {
        assert_eq!(format!("{:016x}", ValueNetwork::built_in().hash()), "4375e6998093e95e");
    }
}
