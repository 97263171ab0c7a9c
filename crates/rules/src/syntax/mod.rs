//! The syntax tree of a game file.

mod effects;
mod expressions;
mod rules;
mod things;

use crate::errors::Span;

pub(crate) use effects::{Effect, EffectKind, Target, Who};
pub(crate) use expressions::{Expr, ExprKind, Op, Range, Way, Whose, Word};
pub(crate) use rules::{
    Action, Directions, Distance, Family, Goal, How, Item, Phase, Rule, Toward,
};
pub(crate) use things::{BoardShape, Kept, RegionOf, Seen, Thing, Values};

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) title: String,
    pub(crate) title_span: Span,
    pub(crate) players: Option<Players>,
    pub(crate) things: Vec<Thing>,
    pub(crate) start: Vec<Effect>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) ends: Vec<End>,
}

#[derive(Clone, Debug)]
pub(crate) struct Players {
    pub(crate) fewest: i64,
    pub(crate) most: i64,
    pub(crate) facing: bool,
    pub(crate) names: Vec<Name>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) condition: Expr,
    pub(crate) effects: Vec<Effect>,
}
