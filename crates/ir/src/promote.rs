//! Promotion: local variables move from memory to registers. What the source said stays: no block or edge comes, goes or
//! merges, and no line is lost.
//!
//! A variable is promoted if its alloca stands in the entry block with a constant size and its address is used for nothing
//! but loads and stores of one width, none volatile. Where several values meet, blocks get parameters: those of pruned SSA
//! form (on the iterated dominance frontier of the stores, where the variable is live). A read that no write reaches is
//! `Constant::Undefined` with the variable's name. Functions that may return twice from a call keep their variables in memory,
//! because `longjmp` restores registers but not memory.
//!
//! On the way copies are forwarded and pure instructions that nobody reads are removed. Every removed instruction leaves a
//! `Marker` at its place, unless something else in the block has the same file, line and column.

mod candidates;
mod cleanup;
mod placement;
mod places;
mod rename;
mod renumber;
mod rewrite;

use crate::{Body, Cfg, Dominators, Program};
use places::Places;

/// Promotes the variables of every function; see the head of this file.
pub fn promote(program: &mut Program) {
    let mut places = Places::new(&program.debug);
    for id in program.functions.keys() {
        // The body is taken out while it changes, because new constants go into the program.
        if let Some(mut body) = program.functions[id].body.take() {
            promote_body(program, &mut body, &mut places);
            program.functions[id].body = Some(body);
        }
    }
}

fn promote_body(program: &mut Program, body: &mut Body, places: &mut Places) {
    if !body.calls_returns_twice && !body.blocks.is_empty() {
        let mut slots = candidates::find(program, body);
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let placement = placement::place(body, &cfg, &dominators, &mut slots);
        rename::rename(program, body, &cfg, &dominators, &slots, &placement);
        cleanup::remove_unread(body);
        cleanup::drop_needless_markers(body, places);
        renumber::renumber(body);
    }
    body.mark_overlaps();
}

#[cfg(test)]
mod interpreter;
#[cfg(test)]
mod tests;
