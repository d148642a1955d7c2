//! Limits that a user may set on single paths. A path that meets one is given up there, and counted; whatever was set, no path is
//! given up without being told of.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::Ended;

use crate::path::Path;
use crate::path::distance::Place;

/// What one path may do. Without a number there is no limit.
#[derive(Clone, Debug)]
pub struct PathLimits {
    /// Forks. Default: none.
    pub depth: Option<u32>,
    /// Instructions. Default: none.
    pub steps: Option<u64>,
    /// Forks at one place with the same number of calls around it, which is how often a loop goes round that inputs decide on.
    /// Default: none.
    pub loops: Option<u32>,
    /// How many values or objects are tried at one instruction. Default: 4096.
    pub values: u32,
}

impl Default for PathLimits {
    fn default() -> Self {
        PathLimits { depth: None, steps: None, loops: None, values: 4096 }
    }
}

/// How often a path forked at a place, by how many calls deep that was; kept only where somebody asks.
#[derive(Clone, Default)]
pub struct Rounds {
    counts: Rc<FxHashMap<(Place, u32), u32>>,
    /// With the latest fork.
    latest: u32,
}

impl Rounds {
    pub fn count(&mut self, place: Place, depth: u32) {
        let counts = Rc::make_mut(&mut self.counts);
        // What deeper calls did is over.
        counts.retain(|(_, other), _| *other <= depth);
        let count = counts.entry((place, depth)).or_default();
        *count += 1;
        self.latest = *count;
    }
}

impl PathLimits {
    /// How a path ends that forked, if that was one too many.
    pub fn after_fork(&self, path: &Path) -> Option<Ended> {
        let given_up = |what: &str| Some(Ended::GivenUp(format!("more {what}")));
        if self.depth.is_some_and(|most| path.depth >= most) {
            return given_up("forks than --max-depth allows");
        }
        let over = self.loops.is_some_and(|most| path.rounds.latest > most);
        if over { given_up("rounds of a loop than --max-loop allows") } else { None }
    }

    pub fn after_steps(&self, path: &Path) -> Option<Ended> {
        let over = self.steps.is_some_and(|most| path.state.steps >= most);
        over.then(PathLimits::too_many_steps)
    }

    pub fn too_many_steps() -> Ended {
        Ended::GivenUp("more instructions than --max-steps allows".to_owned())
    }

    pub fn after_proposal(&self, path: &Path) -> Option<Ended> {
        let over = path.proposals > self.values;
        over.then(|| Ended::GivenUp("more values of an address or a length than --max-values allows".to_owned()))
    }
}
