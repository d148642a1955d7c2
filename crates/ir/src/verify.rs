//! The verifier. A program that passes keeps these promises, on which everything behind `ir` relies:
//!
//! 1. Every number (register, block, edge, call, switch, constant, function, global, location, file, debug type) is in range.
//! 2. A constant's bits fit its type; operands of constant expressions stand before them in the pool, so none contains itself.
//! 3. A global's initial bytes and relocations lie inside it, and its alignment is a power of two.
//! 4. Every register is assigned exactly once: by a parameter of a block, an instruction, or a call.
//! 5. In reachable blocks an assignment comes before its uses on every path; the results of an invoke exist on its normal
//!    edge only. Uses in unreachable blocks are exempt.
//! 6. Operands and results have the types that the operation says, and the operation is defined on them: integer arithmetic
//!    on integers alone, comparisons on integers or pointers, conditions of one bit, addresses from a pointer and integers.
//! 7. Calls have as many arguments and results as types of these, and name at most all of the arguments as fixed. They need
//!    not agree with the function they name: C allows that, and the executor copes.
//! 8. An edge stands in the terminator of its source and in no other; one switch may use an edge for several values. Its
//!    arguments agree with the target's parameters in number and type, and `overlaps` is set where it must be.
//! 9. Block 0 exists, no edge leads to it, and its parameters have the types of the function's.
//! 10. The cases of a switch are sorted, distinct, and fit its type of at most 64 bits; returned values are those that the
//!     function declares.
//! 11. Every instruction has a location. A location is inlined only at locations before it, and location 0 is none.
//! 12. Local variables name registers that hold pointers, in order.
//!
//! The first broken promise is reported. Nothing is repaired.

mod flow;
mod instruction;
mod shared;

use crate::error::{Error, Place, Site, Violation};
use crate::{FuncId, Program};

/// Checks a whole program.
pub fn verify(program: &Program) -> Result<(), Error> {
    shared::check(program)
        .map_err(|(site, violation)| Error::Invalid { place: Box::new(Place { function: None, site }), violation })?;
    program.functions.keys().try_for_each(|id| verify_function(program, id))
}

/// Checks one function of a program whose constants and globals are valid.
pub fn verify_function(program: &Program, id: FuncId) -> Result<(), Error> {
    let function = &program.functions[id];
    let Some(body) = &function.body else { return Ok(()) };
    let located = |(site, violation)| {
        let function = Some((id, function.source_name().to_string()));
        Error::Invalid { place: Box::new(Place { function, site }), violation }
    };
    instruction::check(program, function, body).map_err(located)?;
    flow::check(program, function, body).map_err(located)
}

/// What is wrong, and where.
type Checked<T = ()> = Result<T, (Site, Violation)>;

fn ensure(holds: bool, site: Site, violation: impl FnOnce() -> Violation) -> Checked {
    if holds { Ok(()) } else { Err((site, violation())) }
}

#[cfg(test)]
mod tests;
