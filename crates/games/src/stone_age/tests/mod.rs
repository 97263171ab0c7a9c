//! Tests of Stone Age, by the part of the rules they look at.

mod conformance;
