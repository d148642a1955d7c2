//! The first exact backend: expressions become gates, gates become clauses, CaDiCaL decides them. Bit-vectors and arrays only;
//! floats and calls are for others. Made for many small queries that share most of their constraints.

mod array;
mod encode;
mod gate;
mod inspect;
mod instance;
mod multiply;
mod vector;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use symcrete_expr::dag::{ArrayModel, Op};
use symcrete_expr::{Arena, Bits, Expr, Model};

use self::encode::Encoder;
use self::gate::Literal;
use self::inspect::{Inspection, Inspector};
use self::instance::{Instance, Verdict};
use super::Backend;
use crate::answer::{Answer, Limits, Reason};

/// Gates that may be kept from query to query.
const KEPT_GATES: usize = 1 << 21;

/// Constraints of which it may be kept what they are about.
const KEPT_INSPECTIONS: usize = 1 << 16;

/// Gates that a query of any effort may add.
const MOST_GATES: usize = 1 << 24;

/// What a variable of no concern costs a query, and what it costs to make an instance and one variable of it with its clauses:
/// in nanoseconds, measured on comparisons and sums.
const WASTE_OF_VARIABLE: u64 = 30;
const COST_OF_INSTANCE: u64 = 100_000;
const COST_OF_VARIABLE: u64 = 2000;

/// Decides queries of bit-vectors and arrays by CaDiCaL. Expressions that were met before cost nothing to encode.
pub struct Blaster {
    encoder: Encoder,
    instance: Instance,
    inspector: Inspector,
    inspections: FxHashMap<Expr, Inspection>,
    generation: u32,
    /// What variables of no concern have cost since the instance was made.
    waste: u64,
    core: Vec<Expr>,
    /// The constraints of a query that are not constant, with what is assumed for each.
    assumed: Vec<(Expr, Literal)>,
    statistics: Statistics,
}

/// What a blaster has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub queries: u64,
    pub solver_calls: u64,
    /// How often CaDiCaL was started afresh because most of its clauses were of no concern.
    pub fresh_starts: u64,
}

impl Default for Blaster {
    fn default() -> Self {
        Blaster::new()
    }
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            encoder: Encoder::new(),
            instance: Instance::new(),
            inspector: Inspector::default(),
            inspections: FxHashMap::default(),
            generation: 0,
            waste: 0,
            core: Vec::new(),
            assumed: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// The constraints that the last refutation used: unsatisfiable by themselves. Empty unless the last answer was `Unsat`.
    pub fn core(&self) -> &[Expr] {
        &self.core
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether the expression is free of floats and calls.
    pub fn expressible(&mut self, arena: &Arena, expr: Expr) -> bool {
        self.forget_what_is_stale(arena);
        self.inspection(arena, expr).expressible
    }

    fn inspection(&mut self, arena: &Arena, constraint: Expr) -> &Inspection {
        let inspector = &mut self.inspector;
        self.inspections.entry(constraint).or_insert_with(|| inspector.inspect(arena, constraint))
    }

    /// Expressions have new numbers, or there are too many gates.
    fn forget_what_is_stale(&mut self, arena: &Arena) {
        if self.generation == arena.generation() && self.encoder.gates.len() <= KEPT_GATES {
            if self.inspections.len() > KEPT_INSPECTIONS {
                self.inspections.clear();
            }
            return;
        }
        let statistics = self.statistics;
        *self = Blaster { generation: arena.generation(), statistics, ..Blaster::new() };
    }

    /// Encodes what is not constant into `assumed`; an answer if that is all there is to do.
    fn assume(&mut self, arena: &Arena, constraints: &[Expr], limits: &Limits) -> Option<Answer> {
        self.assumed.clear();
        // About ten gates a microsecond.
        let most = usize::try_from(limits.effort.saturating_mul(10)).unwrap_or(usize::MAX).min(MOST_GATES);
        let most = self.encoder.gates.len().saturating_add(most);
        for &constraint in constraints {
            let Ok(literal) = self.encoder.constraint(arena, constraint, most) else {
                return Some(Answer::Unknown(Reason::Limit));
            };
            match literal {
                Literal::TRUE => {}
                Literal::FALSE => {
                    self.core.push(constraint);
                    return Some(Answer::Unsat);
                }
                _ => self.assumed.push((constraint, literal)),
            }
        }
        self.assumed.is_empty().then(|| Answer::Sat(Model::default()))
    }

    /// A solver gives values to all variables that it has, so those of other queries cost time. When they have cost as much as
    /// making the clauses of this query anew, they go.
    fn drop_what_is_of_no_concern(&mut self, arena: &Arena) {
        let mut concern = 0_u64;
        for at in 0..self.assumed.len() {
            let constraint = self.assumed[at].0;
            concern += self.inspection(arena, constraint).size;
        }
        let variables = self.instance.variable_count() as u64;
        self.waste += variables.saturating_sub(concern) * WASTE_OF_VARIABLE;
        if self.instance.is_broken() || self.waste > COST_OF_INSTANCE + concern * COST_OF_VARIABLE {
            self.waste = 0;
            self.instance = Instance::new();
            self.statistics.fresh_starts += 1;
        }
    }

    fn solve(&mut self, arena: &Arena, limits: &Limits) -> Answer {
        let mut lits: Vec<Lit> = Vec::with_capacity(self.assumed.len());
        for &(_, literal) in &self.assumed {
            lits.push(self.instance.define(&mut self.encoder, literal));
        }
        self.statistics.solver_calls += 1;
        match self.instance.solve(&lits, limits) {
            Verdict::Sat => Answer::Sat(self.model(arena)),
            Verdict::Unsat => {
                let failed = self.instance.failed_assumptions();
                let used = self.assumed.iter().zip(&lits).filter(|(_, lit)| failed.contains(lit));
                self.core.extend(used.map(|((constraint, _), _)| *constraint));
                debug_assert!(!self.core.is_empty(), "definitions alone are never contradictory");
                Answer::Unsat
            }
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// The values of the variables that occur in the constraints of this query.
    fn model(&mut self, arena: &Arena) -> Model {
        let mut variables: Vec<Expr> = Vec::new();
        for (constraint, _) in &self.assumed {
            variables.extend_from_slice(&self.inspections[constraint].variables);
        }
        variables.sort_unstable();
        variables.dedup();
        let mut model = Model::default();
        for variable in variables {
            let Some(id) = arena.variable_of(variable) else { continue };
            if arena.node(variable).op == Op::ArrayVariable {
                model.set_array(id, self.array_model(arena, variable));
            } else if let Some(literals) = self.encoder.encoded(arena, variable)
                && literals.iter().any(|&literal| self.instance.is_defined(literal))
            {
                model.set(id, self.bits(literals));
            }
        }
        model
    }

    /// Every element that was ever asked for: those at equal indices agree.
    fn array_model(&self, arena: &Arena, array: Expr) -> ArrayModel {
        let mut model = ArrayModel { default: Bits::zero(arena.width(array)), entries: Default::default() };
        for &number in self.instance.live_reads() {
            let read = &self.encoder.reads[number as usize];
            if read.array == array {
                model.entries.insert(self.bits(&read.index), self.bits(&read.element));
            }
        }
        model
    }

    fn bits(&self, literals: &[Literal]) -> Bits {
        let mut limbs: smallvec::SmallVec<[u64; 2]> = smallvec::SmallVec::new();
        for chunk in literals.chunks(64) {
            let bit = |(at, &literal): (usize, &Literal)| u64::from(self.instance.value(literal)) << at;
            limbs.push(chunk.iter().enumerate().map(bit).sum());
        }
        Bits::from_limbs(literals.len() as u32, &limbs)
    }
}

impl Backend for Blaster {
    fn name(&self) -> &'static str {
        "blast"
    }

    fn core(&self) -> Option<Vec<Expr>> {
        (!self.core.is_empty()).then(|| self.core.clone())
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        self.core.clear();
        self.statistics.queries += 1;
        if limits.interrupted() {
            return Answer::Unknown(Reason::Interrupted);
        }
        self.forget_what_is_stale(arena);
        if !constraints.iter().all(|&constraint| self.inspection(arena, constraint).expressible) {
            return Answer::Unknown(Reason::Inexpressible);
        }
        if let Some(answer) = self.assume(arena, constraints, limits) {
            return answer;
        }
        self.drop_what_is_of_no_concern(arena);
        self.solve(arena, limits)
    }
}
