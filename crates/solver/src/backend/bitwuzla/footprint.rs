//! What a constraint brings with it: the variables that a model must name, the definitions that must be asserted with it, and
//! whether its term leaves open what the machine does not.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_bitwuzla::Term;
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr};

use super::translate::Translator;
use crate::answer::Reason;

#[derive(Default)]
pub struct Footprint {
    pub variables: Vec<Expr>,
    pub definitions: Vec<Term>,
    pub doubt: Option<Reason>,
}

/// Footprints of constraints that were translated.
#[derive(Default)]
pub struct Footprints {
    known: FxHashMap<Expr, Rc<Footprint>>,
}

impl Footprints {
    pub fn of(&mut self, arena: &Arena, translator: &Translator, constraint: Expr) -> Rc<Footprint> {
        let make = || Rc::new(walk(arena, translator, constraint));
        self.known.entry(constraint).or_insert_with(make).clone()
    }
}

fn walk(arena: &Arena, translator: &Translator, constraint: Expr) -> Footprint {
    let mut footprint = Footprint::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![constraint];
    while let Some(expr) = pending.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if matches!(arena.node(expr).op, Op::Variable | Op::ArrayVariable) {
            footprint.variables.push(expr);
        }
        footprint.definitions.extend_from_slice(translator.definitions(expr));
        footprint.doubt = worse(footprint.doubt, translator.openness(expr));
        pending.extend(arena.operands(expr));
    }
    footprint
}

/// What cannot be expressed at all weighs more than bits of a NaN.
pub fn worse(a: Option<Reason>, b: Option<Reason>) -> Option<Reason> {
    match (a, b) {
        (Some(Reason::Inexpressible), _) | (_, None) => a,
        _ => b,
    }
}
