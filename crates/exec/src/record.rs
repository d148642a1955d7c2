//! Which branches a concrete run takes, in order, for those who want to see its way.

use symcrete_ir::{Block, FuncId};

use crate::Executor;
use crate::distance::Side;

/// What was recorded so far.
#[derive(Default)]
pub(crate) struct Record {
    sides: Vec<Side>,
}

/// No run is shown with more branches.
const MOST: usize = 1 << 20;

impl Executor {
    /// From here on notes by which edges runs leave these blocks; nothing is watched otherwise.
    pub fn record(&mut self, places: &[(FuncId, Block)]) {
        self.watch(&[]);
        self.watch_branches(places);
        self.watches.record = Some(Record::default());
    }

    /// What runs took since recording began, which ends here.
    pub fn take_record(&mut self) -> Vec<Side> {
        let record = self.watches.record.take();
        self.watch(&[]);
        record.map_or(Vec::new(), |record| record.sides)
    }
}

impl Record {
    pub fn add(&mut self, side: Side) {
        if self.sides.len() < MOST {
            self.sides.push(side);
        }
    }
}
