//! The built-in Magic cards and what is made of them: checks, English, documents.

mod builtin;
mod docs;
mod english;
mod faults;
mod recorder;
mod snippets;
mod source;
