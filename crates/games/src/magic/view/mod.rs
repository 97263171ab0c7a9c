//! What a player knows: hidden cards, observations, information-set keys and scenes.

pub(super) mod encoding;
pub(super) mod hidden;
pub(super) mod key;
mod key_parts;
pub(super) mod observe;
pub(super) mod scene;
