//! The backend of intervals as a whole: it refutes what programs with floats ask and no input satisfies, and never
//! what has a solution.
#![allow(clippy::unwrap_used)]

#[path = "../planted/contradictions.rs"]
#[allow(dead_code)]
mod contradictions;
#[path = "../planted/expressions.rs"]
#[allow(dead_code)]
mod expressions;
#[path = "../planted/functions.rs"]
#[allow(dead_code)]
mod functions;
#[path = "../planted/systems.rs"]
#[allow(dead_code)]
mod systems;

mod infeasible;
mod pinned;
mod planted;
mod query;
