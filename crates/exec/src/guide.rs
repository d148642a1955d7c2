//! A trace that runs are to follow, with `fit` at its branches (Dinges and Agha, "Targeted test input generation using symbolic-concrete
//! backward execution", section 4.3): each branch of it is measured when a run comes there, and taken as the trace says whether the run
//! would do so or not, so that one run tells how far all of its conditions are from holding.

use rustc_hash::FxHashSet;
use symcrete_expr::Value;
use symcrete_ir::{Block, EdgeId, FuncId};

use crate::Executor;
use crate::distance::{Condition, Side};
use crate::image::Image;
use crate::state::{Frame, State};

/// A branch of a trace, in the order of execution.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    pub side: Side,
    /// The branch belongs to a loop that runs as it will: it may be executed any number of times before the side is taken.
    pub in_loop: bool,
}

/// The trace that is followed, and how far a run came on it.
#[derive(Default)]
pub(crate) struct Guide {
    fits: Vec<Fit>,
    conditions: Vec<Condition>,
    /// How far each was from holding; infinite for those to which no run came.
    distances: Vec<f64>,
    next: usize,
}

impl Executor {
    /// From here on runs follow this trace from its beginning, and no side is watched otherwise. They go where the program would not:
    /// nothing that they do is to be believed.
    pub fn guide(&mut self, fits: &[Fit]) {
        self.watch(&[]);
        let mut places: Vec<(FuncId, Block)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut conditions = Vec::with_capacity(fits.len());
        for fit in fits {
            conditions.push(Condition::of_side(&self.image, &fit.side));
            if seen.insert((fit.side.function, fit.side.block)) {
                places.push((fit.side.function, fit.side.block));
            }
        }
        self.watch_branches(&places);
        self.watches.guide =
            Some(Guide { fits: fits.to_vec(), conditions, distances: vec![f64::INFINITY; fits.len()], next: 0 });
    }

    /// Another run begins.
    pub fn restart_guide(&mut self) {
        if let Some(guide) = &mut self.watches.guide {
            guide.next = 0;
            guide.distances.fill(f64::INFINITY);
        }
    }

    /// The run goes on from where it had passed so many branches.
    pub fn rewind_guide(&mut self, passed: usize) {
        if let Some(guide) = &mut self.watches.guide {
            guide.next = passed;
            guide.distances[passed..].fill(f64::INFINITY);
        }
    }

    /// How far the run was from what each branch of the trace demands; infinite where it did not come.
    pub fn guide_distances(&self) -> &[f64] {
        self.watches.guide.as_ref().map_or(&[], |guide| &guide.distances)
    }

    /// How many branches of the trace the run has passed.
    pub fn guide_passed(&self) -> usize {
        self.watches.guide.as_ref().map_or(0, |guide| guide.next)
    }

    /// A path stands where inputs decide: the edge that the trace demands, if that is its next branch.
    pub fn guide_demands(&self, state: &State) -> Option<Fit> {
        let guide = self.watches.guide.as_ref()?;
        let (function, block, _) = state.places(&self.image).next()?;
        guide.fits.get(guide.next).copied().filter(|fit| (fit.side.function, fit.side.block) == (function, block))
    }

    /// The path took an edge there.
    pub fn guide_takes(&mut self, state: &State, edge: EdgeId) {
        let Some(fit) = self.guide_demands(state) else { return };
        if let Some(guide) = &mut self.watches.guide {
            let body = self.image.body(fit.side.function);
            if body.edges[edge].target == body.edges[fit.side.edge].target {
                guide.distances[guide.next] = 0.0;
                guide.next += 1;
            }
        }
    }
}

impl Guide {
    /// A frame is about to leave a block by an edge: the edge that it leaves by.
    pub fn leave(&mut self, image: &Image, frame: &Frame, block: Block, edge: EdgeId) -> EdgeId {
        let Some(fit) = self.fits.get(self.next) else { return edge };
        if (fit.side.function, fit.side.block) != (frame.function, block) {
            return edge;
        }
        let edges = &image.body(frame.function).edges;
        let holds = edges[edge].target == edges[fit.side.edge].target;
        let nearest = &mut self.distances[self.next];
        if holds {
            *nearest = 0.0;
        } else {
            // A path with inputs of which nothing is known may have compared them and know how that comes out.
            let get = |operand| match image.value(frame, operand) {
                Value::Expr(_) => Value::Word(0),
                value => value,
            };
            let distance = self.conditions[self.next].distance(&get);
            *nearest = nearest.min(distance.max(f64::MIN_POSITIVE));
        }
        if fit.in_loop && !holds {
            return edge;
        }
        self.next += 1;
        if holds { edge } else { fit.side.edge }
    }
}
