//! 506 to 511: the combat phase.

mod assign;
mod declare;
