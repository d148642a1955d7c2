//! What strategies choose: against the paper's step tables, against simple reference implementations, and by how
//! often; and the distances that some of them use. How fast they choose is tested beside them.
#![allow(clippy::unwrap_used)]

mod chances;
mod distances;
mod paper;
mod references;
mod support;
