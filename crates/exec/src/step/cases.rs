//! Cases of a switch that lead the same way: one way on for a path, and yet somebody may want a test for each of them.

use symcrete_expr::Value;
use symcrete_ir::{EdgeId, Terminator};

use super::symbolic::{Note, Symbolic};
use crate::Executor;
use crate::coverage::Mark;
use crate::state::State;

/// More than this at one time are left to other paths.
const MOST: usize = 64;

impl Executor {
    /// A state is about to go this way from where it stands. If that is the way of several cases of a switch, each that nobody has seen executed is
    /// noted as a choice.
    pub(super) fn note_cases(&mut self, state: &State, way: EdgeId) {
        let (image, function) = (self.image.clone(), state.top.function);
        let body = image.body(function);
        let Some((_, block, _)) = state.places(&image).next() else { return };
        let Terminator::Switch { value, table, .. } = &body.blocks[block].terminator else { return };
        let Some(Value::Expr(value)) = value.as_reg().map(|register| state.top.registers.get(register)) else { return };
        if image.program.functions[function].runtime {
            return;
        }
        let table = &body.switches[*table];
        let (target, arguments) = (body.edges[way].target, &body.edges[way].args);
        let is_same = |edge: &EdgeId| body.edges[*edge].target == target && body.edges[*edge].args == *arguments;
        let cases = table.cases.iter().filter(|(_, edge)| is_same(edge));
        // What is taken if it is none of the others: the default, or another case.
        let mut others = cases.clone().map(|(_, edge)| *edge).chain([table.default]).filter(|edge| is_same(edge));
        let (Some(first), Some(second)) = (others.next(), others.next()) else { return };
        let unseen = cases.filter(|(_, edge)| !self.coverage.taken(function, *edge)).take(MOST);
        for (case, edge) in unseen {
            let mut symbolic = Symbolic { arena: &mut self.arena, notes: &mut self.notes };
            let condition = symbolic.equals(value, *case);
            let other = if *edge == first { second } else { first };
            let sides = [other, *edge].map(|edge| Mark::Taken(function, edge));
            self.notes.push(Note::Choice { sides, condition });
        }
    }
}
