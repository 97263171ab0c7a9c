//! The bots, one file each.

mod flat;
mod greedy;
mod random;

pub(crate) use flat::Flat;
pub(crate) use greedy::Greedy;
pub(crate) use random::Random;
