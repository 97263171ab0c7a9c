//! Self-contained HTML reports: plots, tables and replays.
//!
//! [`experiment_page`] makes the report of an experiment, [`assessment_page`] that of an assessed
//! game. [`page()`], [`Curve`] and [`lines`] are the building blocks of other reports, such as that
//! of a training run.

mod assess;
mod experiment;
mod findings;
mod games;
mod made;
mod page;
mod sections;
mod svg;

pub use assess::{FigureRow, assessment_page, assessment_rows};
pub use experiment::experiment_page;
pub use page::{escape, page};
pub use svg::{Curve, CurvePoint, lines};
