//! Metrics from a table, and short ways to write paths and branches.

use std::collections::HashMap;

use cranelift_entity::EntityRef;
use symcrete_explore::distance::Place;
use symcrete_explore::strategy::{Branch, Metrics, PathId};
use symcrete_ir::{Block, FuncId};

/// What is known of one path.
#[derive(Copy, Clone, Default)]
pub struct Known {
    pub depth: u32,
    pub since_new: Option<u64>,
    pub distance: Option<u32>,
    pub visits: u64,
    pub query_cost: u64,
}

/// Paths that are not in the table have nothing to show.
#[derive(Clone, Default)]
pub struct Table(pub HashMap<PathId, Known>);

impl Table {
    fn known(&self, path: PathId) -> Known {
        self.0.get(&path).copied().unwrap_or_default()
    }
}

impl Metrics for Table {
    fn depth(&mut self, path: PathId) -> u32 {
        self.known(path).depth
    }

    fn since_new(&mut self, path: PathId) -> Option<u64> {
        self.known(path).since_new
    }

    fn distance_to_uncovered(&mut self, path: PathId) -> Option<u32> {
        self.known(path).distance
    }

    fn visits(&mut self, path: PathId) -> u64 {
        self.known(path).visits
    }

    fn gain(&mut self, _path: PathId) -> u64 {
        0
    }

    fn query_cost(&mut self, path: PathId) -> u64 {
        self.known(path).query_cost
    }
}

pub fn path(number: usize) -> PathId {
    PathId::new(number)
}

pub fn branch(site: usize, direction: u32) -> Branch {
    let site = Place { function: FuncId::new(0), block: Block::new(site), instruction: 0 };
    Branch { site, direction }
}
