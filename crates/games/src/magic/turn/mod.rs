//! 500 to 514 and 704: the parts of a turn, priority and state-based actions.

mod state_based;
mod steps;
