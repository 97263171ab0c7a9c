//! The keys of a table: one for its owner and one for each seat of a person, and what
//! whoever presents some of them may do.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use meeple_game::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lab::LabError;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::secrets;

/// The header that carries keys, separated by commas.
pub(crate) const HEADER: &str = "meeple-key";
/// The most keys of a request that are looked at.
const MOST: usize = 16;

/// The keys of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keys {
    /// Lets its holder pause, take back and forget the table, but shows no hidden cards.
    owner: String,
    /// The key of each seat; null for bots.
    seats: Vec<Option<String>>,
}

impl Keys {
    /// New keys for those who sit at a table.
    pub(crate) fn new(seats: &[Seat]) -> Result<Self, LabError> {
        let key = |seat: &Seat| seat.is_person().then(secrets::random).transpose();
        Ok(Self {
            owner: secrets::random()?,
            seats: seats.iter().map(key).collect::<Result<_, _>>()?,
        })
    }

    /// Checks that each person, and nobody else, has a key.
    pub(crate) fn check(&self, seats: &[Seat]) -> Result<(), Refusal> {
        let fits = self.seats.len() == seats.len()
            && self.seats.iter().zip(seats).all(|(key, seat)| key.is_some() == seat.is_person());
        if fits {
            return Ok(());
        }
        Err(Refusal::Wrong("keys: expected one for each person and none for bots".into()))
    }

    /// What whoever has all keys may do.
    pub(crate) fn access_of_all(&self) -> Access {
        let all = self.seats.iter().flatten().chain([&self.owner]);
        self.access(&Presented(all.cloned().collect()))
    }

    /// What whoever presents `given` may do.
    pub(crate) fn access(&self, given: &Presented) -> Access {
        let is_given = |key: &str| given.0.iter().any(|given| secrets::same(given, key));
        let mut access = Access { owner: is_given(&self.owner), seats: 0 };
        for (seat, key) in self.seats.iter().enumerate() {
            if key.as_deref().is_some_and(is_given) {
                access.seats |= 1 << seat;
            }
        }
        access
    }

    /// Replaces the key of a seat; whether a person sits there.
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

/// What a caller may do at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access {
    owner: bool,
    /// A bit for each seat that is held.
    seats: u32,
}

impl Access {
    /// A caller who holds these seats.
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

    /// Whether the caller may change anything at the table.
    pub(crate) const fn is_member(self) -> bool {
        self.owner || self.seats != 0
    }
}

/// The keys that a request presents: in the header, or in the address where browsers
/// cannot set headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presented(Vec<String>);

impl<S: Sync> FromRequestParts<S> for Presented {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let header = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        let in_header = header.into_iter().flat_map(|value| value.split(','));
        let in_header = in_header.map(|key| key.trim().to_owned());
        Ok(Self(in_header.chain(secrets::in_query(&parts.uri, "key")).take(MOST).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_its_seat_and_no_other() {
        let seats: Vec<Seat> =
            ["person", "random", "person"].iter().map(|seat| seat.parse().unwrap()).collect();
        let mut keys = Keys::new(&seats).unwrap();
        keys.check(&seats).unwrap();
        assert!(keys.check(&seats[..2]).is_err());
        let third = keys.seats[2].clone().unwrap();
        let access = |keys: &Keys, given: &[&str]| {
            keys.access(&Presented(given.iter().map(|&key| key.to_owned()).collect()))
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
