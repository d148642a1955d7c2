//! The chain as a whole: what each stage answers, and that all of them together answer what an exact backend alone does.
#![allow(clippy::unwrap_used)]

mod conditions;
mod listing;
mod planted;
mod printed;
mod sequences;
mod stages;
mod support;
