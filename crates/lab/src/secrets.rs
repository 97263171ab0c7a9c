//! Random secrets: generation, constant-time comparison, and extraction from requests.

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
/// If the system's random number generator fails.
pub fn new_token() -> Result<String, LabError> {
    random()
}

/// Compares two secrets in constant time.
#[must_use]
pub fn constant_time_eq(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let differs = pairs.fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// Returns the values of `name` in the query of a URI, percent-decoded.
///
/// A `+` is not decoded to a space: tokens contain no spaces, and are often pasted unencoded.
pub(crate) fn query_values(uri: &Uri, name: &str) -> Vec<String> {
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
    fn secrets_are_compared_in_full() {
        assert!(constant_time_eq("abc", "abc"));
        assert!(
            !constant_time_eq("abc", "abd")
                && !constant_time_eq("abc", "ab")
                && !constant_time_eq("", "a")
        );
        assert_ne!(random().unwrap(), random().unwrap());
    }

    #[test]
    fn values_of_a_query_are_decoded() {
        let uri: Uri = "/x?token=a%2Bb%2F%3D&key=1&tokens=no&key=2".parse().unwrap();
        assert_eq!(query_values(&uri, "token"), ["a+b/="]);
        assert_eq!(query_values(&uri, "key"), ["1", "2"]);
        assert_eq!(query_values(&"/x?token=a+b/=".parse().unwrap(), "token"), ["a+b/="]);
        assert!(query_values(&"/x".parse().unwrap(), "token").is_empty());
    }
}
