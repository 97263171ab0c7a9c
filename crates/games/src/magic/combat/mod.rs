//! 506 to 511: the combat phase.

mod assign;
pub(super) mod declare;
mod eligible;
