//! Many threads on one root. This is the only place that starts any.

mod arena;
mod leaves;
mod roots;
mod shared;
mod trip;

pub use leaves::TreeParallel;
pub use roots::RootParallel;
pub use shared::SharedTree;
