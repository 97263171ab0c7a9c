//! 400 to 406: moving cards between zones, and finding what a card text refers to.

mod amounts;
pub(super) mod battlefield;
pub(super) mod graveyard;
pub(in crate::magic) mod library;
pub(super) mod select;
