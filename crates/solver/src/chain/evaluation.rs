//! What models make of expressions, remembered for a few models at a time. How an operation is evaluated is `expr`'s affair.

use std::collections::VecDeque;
use std::rc::Rc;

use symcrete_expr::dag::Evaluator;
use symcrete_expr::{Arena, Bits, Expr, Model};

/// Values that are remembered over all models, if each of them evaluates the whole arena.
const MOST_VALUES: usize = 4_000_000;

/// How many models may have evaluators, where as many were asked for.
fn affordable(arena: &Arena, wanted: usize) -> usize {
    wanted.min((MOST_VALUES / arena.len().max(1)).max(1))
}

/// Whether a condition is the same under all assignments, as far as that can be told without a solver.
pub(super) fn always(arena: &Arena, condition: Expr) -> Option<bool> {
    arena.facts(condition).known().map(|word| word == 1)
}

/// A model with the values of the expressions that were asked for.
pub(super) struct Evaluated {
    model: Rc<Model>,
    evaluator: Evaluator,
}

impl Evaluated {
    fn new(model: &Rc<Model>) -> Evaluated {
        Evaluated { model: model.clone(), evaluator: Evaluator::new(model.clone()) }
    }

    /// Makes room for a new model among the newest; the one that leaves gives it its memory.
    fn in_place_of_oldest(entries: &mut VecDeque<Evaluated>, most: usize, model: &Rc<Model>) -> Evaluated {
        let mut leaving = None;
        while entries.len() >= most {
            leaving = entries.pop_back();
        }
        let Some(mut entry) = leaving else { return Evaluated::new(model) };
        entry.model = model.clone();
        entry.evaluator.restart(model.clone());
        entry
    }

    pub fn bits(&mut self, arena: &Arena, expr: Expr) -> Bits {
        self.evaluator.value(arena, expr)
    }

    pub fn holds(&mut self, arena: &Arena, condition: Expr) -> bool {
        self.evaluator.holds(arena, condition)
    }
}

/// The models of states that were used last.
pub(super) struct Evaluators {
    /// The one used last first.
    entries: VecDeque<Evaluated>,
    capacity: usize,
}

impl Evaluators {
    pub fn new(capacity: usize) -> Evaluators {
        Evaluators { entries: VecDeque::new(), capacity: capacity.max(1) }
    }

    /// A model is known by its place in memory, or by being equal: a model that the chain gave away comes back in a new place.
    pub fn of(&mut self, arena: &Arena, model: &Rc<Model>) -> &mut Evaluated {
        let known = self.entries.iter().position(|entry| Rc::ptr_eq(&entry.model, model));
        let known = known.or_else(|| self.entries.iter().position(|entry| entry.model == *model));
        let entry = match known.and_then(|at| self.entries.remove(at)) {
            Some(mut entry) => {
                entry.model = model.clone();
                entry
            }
            None => Evaluated::in_place_of_oldest(&mut self.entries, affordable(arena, self.capacity), model),
        };
        self.entries.push_front(entry);
        &mut self.entries[0]
    }
}

/// The newest models of slices, to be tried on other slices.
pub(super) struct RecentModels {
    /// Newest first.
    entries: VecDeque<Evaluated>,
    capacity: usize,
}

impl RecentModels {
    pub fn new(capacity: usize) -> RecentModels {
        RecentModels { entries: VecDeque::new(), capacity }
    }

    /// Whether the model satisfies the constraints; then it is one of the newest.
    pub fn add(&mut self, arena: &Arena, model: &Rc<Model>, constraints: &[Expr]) -> bool {
        let mut entry = match self.capacity {
            0 => Evaluated::new(model),
            wanted => Evaluated::in_place_of_oldest(&mut self.entries, affordable(arena, wanted), model),
        };
        let holds = constraints.iter().all(|constraint| entry.holds(arena, *constraint));
        if holds && self.capacity > 0 {
            self.entries.push_front(entry);
        }
        holds
    }

    /// The newest model that satisfies all constraints. Variables that it does not name are zero.
    pub fn satisfying(&mut self, arena: &Arena, constraints: impl Iterator<Item = Expr> + Clone) -> Option<Rc<Model>> {
        let satisfies =
            |entry: &mut &mut Evaluated| constraints.clone().all(|constraint| entry.holds(arena, constraint));
        self.entries.iter_mut().find_map(|mut entry| satisfies(&mut entry).then(|| entry.model.clone()))
    }
}
