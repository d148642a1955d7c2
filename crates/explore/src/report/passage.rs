//! The way that a test takes to a target: the branches of the program's own code that it takes, in order.

use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_exec::distance::Side;
use symcrete_exec::{Executor, State};
use symcrete_ir::{Block, FuncId, LocId, Program, Terminator};

use crate::drive::confirm::{self, Fixed};
use crate::report::GivenInput;

/// A branch of the way: where it stands, and where it leads. Whether that is because its condition holds, the source says: compilers turn
/// conditions round.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub loc: LocId,
    pub to: LocId,
}

/// Instructions that are executed for it.
const BUDGET: u64 = 50_000_000;

/// Runs a test once more, and tells which branches it takes until it comes to a target, which is one of these edges. Nothing if it does not
/// come there within some time.
pub fn to_target(executor: &mut Executor, root: &State, inputs: &[GivenInput], target: &[Mark]) -> Vec<Turn> {
    let program = &executor.image.program;
    let mut places: Vec<(FuncId, Block)> = Vec::new();
    for (function, data) in program.functions.iter().filter(|(_, data)| !data.runtime) {
        let Some(body) = &data.body else { continue };
        let is_branch =
            |terminator: &Terminator| matches!(terminator, Terminator::Branch { .. } | Terminator::Switch { .. });
        places
            .extend(body.blocks.iter().filter(|(_, block)| is_branch(&block.terminator)).map(|(id, _)| (function, id)));
    }
    let source = |mark: &Mark| match mark {
        Mark::Taken(function, edge) => {
            Some((*function, program.functions[*function].body.as_ref()?.edges[*edge].source))
        }
        _ => None,
    };
    places.extend(target.iter().filter_map(source));
    places.sort_unstable();
    places.dedup();
    executor.record(&places);
    let mut state = root.clone();
    state.inputs.supply = Some(Rc::new(Fixed::of(inputs)));
    let is_there = |covered: &Coverage| target.iter().any(|mark| covered.is_marked(*mark));
    confirm::execute_to_target(executor, &mut state, BUDGET, &AtomicBool::new(false), &is_there);
    let taken = executor.take_record();
    let is_there = |side: &Side| target.contains(&Mark::Taken(side.function, side.edge));
    let Some(end) = taken.iter().position(is_there) else { return Vec::new() };
    taken[..end].iter().filter_map(|side| turn(&executor.image.program, side)).collect()
}

fn turn(program: &Program, side: &Side) -> Option<Turn> {
    let body = program.functions[side.function].body.as_ref()?;
    let block = &body.blocks[side.block];
    if !matches!(block.terminator, Terminator::Branch { .. } | Terminator::Switch { .. }) {
        return None;
    }
    let next = &body.blocks[body.edges[side.edge].target];
    let has_line = |loc: &&LocId| program.debug.locs[**loc].line != 0;
    let to = next.locs.iter().find(has_line).copied().unwrap_or(next.terminator_loc);
    Some(Turn { loc: block.terminator_loc, to })
}
