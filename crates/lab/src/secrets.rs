//! Random secrets, how they are compared, and where requests present them.

use axum::http::Uri;
use percent_encoding::percent_decode_str;

use crate::lab::LabError;

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn random() -> Result<String, LabError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| LabError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns a random token for [`Options::token`](crate::Options::token).
///
/// # Errors
///
/// When the system has no random numbers.
pub fn new_token() -> Result<String, LabError> {
    random()
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let differs = pairs.fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// The values of `name` in the query of an address, percent-decoded.
///
/// A `+` stays a `+`: tokens contain no spaces, and people paste them as they are.
pub(crate) fn in_query(uri: &Uri, name: &str) -> Vec<String> {
    let pairs = uri.query().unwrap_or_default().split('&');
    pairs
        .filter_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        .map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
        assert_ne!(random().unwrap(), random().unwrap());
    }

    #[test]
    fn values_of_a_query_are_decoded() {
        let uri: Uri = "/x?token=a%2Bb%2F%3D&key=1&tokens=no&key=2".parse().unwrap();
        assert_eq!(in_query(&uri, "token"), ["a+b/="]);
        assert_eq!(in_query(&uri, "key"), ["1", "2"]);
        assert_eq!(in_query(&"/x?token=a+b/=".parse().unwrap(), "token"), ["a+b/="]);
        assert!(in_query(&"/x".parse().unwrap(), "token").is_empty());
    }
}
