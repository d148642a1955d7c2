//! Functions without a body, and what calling them is.

use symcrete_expr::dag::{FloatOperation, FunctionId, Rounding};
use symcrete_expr::{Arena, Expr, FloatKind};

use super::Term;
use crate::smtlib::function::{Signature, ValueSort};

pub(super) struct Declared {
    callee: Callee,
    parameters: Vec<ValueSort>,
    result: ValueSort,
}

#[derive(Clone, Copy)]
pub(in crate::smtlib) enum Callee {
    Function(FunctionId),
    /// `fmod` of floats of this kind.
    Remainder(FloatKind),
}

impl Declared {
    pub fn new(callee: Callee, signature: &Signature) -> Declared {
        Declared { callee, parameters: signature.parameters.to_vec(), result: signature.result }
    }

    /// `None` if the arguments are of other sorts than the parameters.
    pub fn call(&self, arena: &mut Arena, arguments: &[Term]) -> Option<Term> {
        let sorts = arguments.iter().map(|argument| ValueSort::of(argument.sort(arena)));
        if !sorts.eq(self.parameters.iter().copied().map(Some)) {
            return None;
        }
        let bits = |argument: &Term| match *argument {
            Term::Bits(bits) | Term::Float(_, bits) => Some(bits),
            _ => None,
        };
        let arguments: Vec<Expr> = arguments.iter().filter_map(bits).collect();
        let width = self.result.width();
        let called = match self.callee {
            Callee::Function(id) => arena.call(id, width, &arguments),
            Callee::Remainder(kind) => arena.float(FloatOperation::Rem, kind, Rounding::NearestEven, width, &arguments),
        };
        Some(match self.result {
            ValueSort::Bits(_) => Term::Bits(called),
            ValueSort::Float(kind) => Term::Float(kind, called),
        })
    }
}
