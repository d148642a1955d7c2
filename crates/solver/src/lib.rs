//! Query -> Answer. `chain.rs` shows the whole way of a query; the stages stand beside it, the decision procedures in `backend/`.
#![forbid(unsafe_code)]

mod answer;
pub mod backend;
pub mod chain;
mod conditions;
mod invert;
mod meet;
pub mod mixed;
mod random;
pub mod smtlib;
pub mod walk;

pub use answer::{Answer, Limits, Reason};
pub use chain::{Chain, Config, InternalError, LoggedQuery, Solver, Statistics};
pub use conditions::{Conditions, LATEST, SeenConditions};
pub use random::Random;
