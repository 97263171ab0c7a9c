//! The heuristic evaluation of a state and its weights.

pub(super) mod evaluate;
pub(super) mod outlook;
pub(super) mod weights;
pub(super) mod worth;
