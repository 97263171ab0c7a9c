//! The keys of a session: one for its owner and one for each person's seat, and the access
//! they grant.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use meeple_game::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::lab::LabError;
use crate::seats::Seat;
use crate::secrets;

/// The header that carries keys, separated by commas.
pub(crate) const HEADER: &str = "meeple-key";
/// The maximum number of keys read from a request.
const MAX_KEYS: usize = 16;

/// The keys of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keys {
    /// Lets its holder pause, undo and delete, but shows no hidden information.
    owner: String,
    /// The key of each seat; null for bots.
    seats: Vec<Option<String>>,
}

impl Keys {
    /// Creates random keys for the seats.
    pub(crate) fn new(seats: &[Seat]) -> Result<Self, LabError> {
        let key = |seat: &Seat| seat.is_human().then(secrets::random).transpose();
        Ok(Self {
            owner: secrets::random()?,
            seats: seats.iter().map(key).collect::<Result<_, _>>()?,
        })
    }

    /// Checks that exactly the seats of persons have keys.
    pub(crate) fn check(&self, seats: &[Seat]) -> Result<(), ApiError> {
        let is_valid = self.seats.len() == seats.len()
            && self.seats.iter().zip(seats).all(|(key, seat)| key.is_some() == seat.is_human());
        if is_valid {
            return Ok(());
        }
        Err(ApiError::BadRequest("keys: expected one for each person and none for bots".into()))
    }

    /// Returns the access that all keys together grant.
    pub(crate) fn full_access(&self) -> Access {
        let all = self.seats.iter().flatten().chain([&self.owner]);
        self.access(&PresentedKeys(all.cloned().collect()))
    }

    /// Returns the access that the keys `given` grant.
    pub(crate) fn access(&self, given: &PresentedKeys) -> Access {
        let is_given =
            |key: &str| given.0.iter().any(|given| secrets::constant_time_eq(given, key));
        let mut access = Access { owner: is_given(&self.owner), seats: 0 };
        for (seat, key) in self.seats.iter().enumerate() {
            if key.as_deref().is_some_and(is_given) {
                access.seats |= 1 << seat;
            }
        }
        access
    }

    /// Returns the key of a seat; `None` for a bot.
    pub(crate) fn of_seat(&self, seat: usize) -> Option<&str> {
        self.seats.get(seat)?.as_deref()
    }

    /// Replaces the key of a seat; returns false if it is not the seat of a person.
    pub(crate) fn replace(&mut self, seat: u8, key: String) -> bool {
        match self.seats.get_mut(usize::from(seat)) {
            Some(Some(old)) => {
                *old = key;
                true
            }
            _ => false,
        }
    }
}

/// The access of a caller to a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access {
    owner: bool,
    /// A bit for each seat whose key the caller holds.
    seats: u32,
}

impl Access {
    /// Returns the access to these seats.
    #[cfg(test)]
    pub(crate) fn to_seats(seats: &[u8]) -> Self {
        Self { owner: false, seats: seats.iter().fold(0, |all, seat| all | 1 << seat) }
    }

    pub(crate) const fn holds(self, seat: Player) -> bool {
        seat.0 < u32::BITS as u8 && self.seats >> seat.0 & 1 == 1
    }

    pub(crate) const fn holds_a_seat(self) -> bool {
        self.seats != 0
    }

    /// Returns whether the caller may send commands.
    pub(crate) const fn is_member(self) -> bool {
        self.owner || self.seats != 0
    }
}

/// The keys of a request: in the header, or in the query where browsers cannot set headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PresentedKeys(Vec<String>);

impl PresentedKeys {
    /// A single key.
    pub(crate) fn of(key: String) -> Self {
        Self(vec![key])
    }
}

impl<S: Sync> FromRequestParts<S> for PresentedKeys {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let header = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        let in_header = header.into_iter().flat_map(|value| value.split(','));
        let in_header = in_header.map(|key| key.trim().to_owned());
        Ok(Self(in_header.chain(secrets::query_values(&parts.uri, "key")).take(MAX_KEYS).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_grants_access_to_its_seat_only() {
        let seats: Vec<Seat> =
            ["person", "random", "person"].iter().map(|seat| seat.parse().unwrap()).collect();
        let mut keys = Keys::new(&seats).unwrap();
        keys.check(&seats).unwrap();
        assert!(keys.check(&seats[..2]).is_err());
        let third = keys.seats[2].clone().unwrap();
        let access = |keys: &Keys, given: &[&str]| {
            keys.access(&PresentedKeys(given.iter().map(|&key| key.to_owned()).collect()))
        };
        let held = access(&keys, &["nonsense", &third]);
        assert!(held.holds(Player(2)) && !held.holds(Player(0)) && !held.holds(Player(1)));
        assert!(held.is_member() && held.holds_a_seat());
        let owner = access(&keys, &[&keys.owner]);
        assert!(owner.is_member() && !owner.holds_a_seat());
        assert_eq!(access(&keys, &[""]), Access::default());
        assert!(keys.replace(2, "another".into()) && !keys.replace(1, "x".into()));
        assert!(!keys.replace(9, "x".into()));
        assert_eq!(access(&keys, &[&third]), Access::default());
        assert!(access(&keys, &["another"]).holds(Player(2)));
    }
}
