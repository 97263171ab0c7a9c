//! What a player knows: hidden cards, observations, information-set keys and scenes.

pub(super) mod encoding;
pub(super) mod hidden;
pub(super) mod key;
pub(super) mod observe;
pub(super) mod scene;
