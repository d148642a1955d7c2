//! What a search is asked to do, and what its workers begin with.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use symcrete_exec::{Executor, Image, State};
use symcrete_solver::LoggedQuery;

use crate::engines::{backward, burst, climb, forward, lazy, random};
use crate::schedule::checkpoint;

/// What all workers do.
#[derive(Clone)]
pub struct Options {
    pub jobs: usize,
    /// The name of a strategy, or of several.
    pub search: String,
    pub seed: u64,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Stop after so many instructions, of all workers together.
    pub steps: Option<u64>,
    /// Stop after so many paths, of all workers together.
    pub paths: Option<u64>,
    pub forward: forward::Config,
    pub solver: symcrete_solver::Config,
    /// Concrete runs before and beside the symbolic search.
    pub burst: Option<burst::Config>,
    /// Concrete runs that come nearer and nearer to what is not covered.
    pub climb: Option<climb::Config>,
    /// Random testing in place of the search of a strategy.
    pub random: Option<random::Config>,
    /// Lazy expansion in place of the search of a strategy.
    pub lazy: Option<lazy::Config>,
    /// The search backward from the targets, and where it has to come to.
    pub backward: Option<(backward::Config, backward::Entry)>,
    /// Where paths go that were put aside. Without it they stay in memory.
    pub scratch: Option<PathBuf>,
    /// Whether what is pending is kept there, so that the search goes on from there when it is stopped or killed, and how.
    pub checkpoints: Option<checkpoint::Config>,
    /// Whether the process ends soon after the search: then it leaves what a worker holds when it is stopped to the system.
    pub is_last: bool,
    /// Told every query that comes to a decision procedure, with the number of the worker.
    pub log: Option<Arc<QueryLog>>,
}

pub type QueryLog = dyn Fn(usize, &LoggedQuery) + Send + Sync;

/// Makes what a worker begins with; called on the worker's own thread.
pub trait Setup: Sync {
    fn make(&self) -> Result<(Executor, Vec<State>), String>;

    /// The program alone.
    fn image(&self) -> Result<Rc<Image>, String> {
        self.make().map(|(executor, _)| executor.image)
    }
}
