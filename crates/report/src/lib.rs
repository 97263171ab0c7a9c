//! Reports as HTML pages that need nothing else: plots, tables and games to step through.
//!
//! [`experiment_page`] is the report of an experiment. [`page()`], [`Curve`] and
//! [`lines`] are what other reports, such as that of a training run, are made of.

mod experiment;
mod findings;
mod games;
mod made;
mod page;
mod sections;
mod svg;

pub use experiment::experiment_page;
pub use page::{escape, page};
pub use svg::{Curve, CurvePoint, lines};
