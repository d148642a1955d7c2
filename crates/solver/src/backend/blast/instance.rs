//! One incremental CaDiCaL: the clauses of the gates that queries have needed so far, and nothing else. Constraints are
//! assumptions, so that the same clauses serve every path.

use std::sync::Arc;
use std::time::Instant;

use rustsat::solvers::{
    ControlSignal, LimitConflicts, LimitDecisions, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;
use smallvec::SmallVec;

use super::encode::Encoder;
use super::gate::{Gate, Literal, Owner};
use crate::answer::{Limits, Reason};

pub(super) enum Verdict {
    Sat,
    Unsat,
    Unknown(Reason),
}

pub(super) struct Instance {
    solver: CaDiCaL<'static, 'static>,
    /// The number of the solver's variable for each gate, plus one; 0 if the gate has no clauses here.
    variables: Vec<u32>,
    variable_count: u32,
    /// Gates that have a variable but no clauses yet.
    pending: Vec<u32>,
    obligations: Vec<bool>,
    reads: Vec<bool>,
    /// The reads that are set in `reads`, in the order of their coming.
    live_reads: Vec<u32>,
    /// CaDiCaL is out of memory; nothing that it says counts.
    broken: bool,
}

/// Queries are small and many: what CaDiCaL does before and between searches must not cost more than they do.
/// (Measured: lazy backtracking between calls and other initial phases gain too little to leave the beaten track.)
const OPTIONS: &[(&str, i32)] = &[("lucky", 0), ("preprocesslight", 0), ("inprobing", 0)];

impl Instance {
    pub(super) fn new() -> Instance {
        let mut solver = CaDiCaL::default();
        for &(name, value) in OPTIONS {
            let set = solver.set_option(name, value);
            debug_assert!(set.is_ok(), "CaDiCaL has no option {name}");
        }
        Instance {
            solver,
            variables: Vec::new(),
            variable_count: 0,
            pending: Vec::new(),
            obligations: Vec::new(),
            reads: Vec::new(),
            live_reads: Vec::new(),
            broken: false,
        }
    }

    pub(super) fn variable_count(&self) -> usize {
        self.variable_count as usize
    }

    /// The reads whose elements have variables.
    pub(super) fn live_reads(&self) -> &[u32] {
        &self.live_reads
    }

    /// The solver's literal for one that is not constant, with all clauses that define it.
    pub(super) fn define(&mut self, encoder: &mut Encoder, literal: Literal) -> Lit {
        self.variables.resize(self.variables.len().max(encoder.gates.len()), 0);
        let lit = self.lit(literal);
        while let Some(gate) = self.pending.pop() {
            self.add_clauses(encoder, gate as usize);
        }
        lit
    }

    fn lit(&mut self, literal: Literal) -> Lit {
        debug_assert!(!literal.is_constant());
        let gate = literal.gate();
        if gate >= self.variables.len() {
            self.variables.resize(gate + 1, 0);
        }
        if self.variables[gate] == 0 {
            self.variable_count += 1;
            self.variables[gate] = self.variable_count;
            self.pending.push(gate as u32);
        }
        Lit::new(self.variables[gate] - 1, literal.is_negated())
    }

    fn add(&mut self, clause: &[Lit]) {
        self.broken |= self.solver.add_clause_ref(clause).is_err();
    }

    fn add_clauses(&mut self, encoder: &mut Encoder, gate: usize) {
        let output = Lit::new(self.variables[gate] - 1, false);
        match encoder.gates.gate(gate) {
            Gate::Constant | Gate::Input(Owner::Nobody) => {}
            Gate::Input(Owner::Obligation(number)) => self.add_obligation(encoder, number),
            Gate::Input(Owner::Read(number)) => self.add_read(encoder, number),
            Gate::And(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                self.add(&[!output, a]);
                self.add(&[!output, b]);
                self.add(&[output, !a, !b]);
            }
            Gate::AndMany(start, length) => {
                let operands = encoder.gates.operands(start, length);
                let mut long: SmallVec<[Lit; 64]> = SmallVec::new();
                for &operand in operands {
                    let operand = self.lit(operand);
                    self.add(&[!output, operand]);
                    long.push(!operand);
                }
                long.push(output);
                self.add(&long);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.lit(a), self.lit(b));
                self.add_parity(&[a, b], output);
            }
            Gate::Xor3(a, b, c) => {
                let (a, b, c) = (self.lit(a), self.lit(b), self.lit(c));
                self.add_parity(&[a, b, c], output);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.lit(a), self.lit(b), self.lit(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.add(&[output, !x, !y]);
                    self.add(&[!output, x, y]);
                }
            }
            Gate::Ite(condition, a, b) => {
                let (condition, a, b) = (self.lit(condition), self.lit(a), self.lit(b));
                self.add(&[!condition, !a, output]);
                self.add(&[!condition, a, !output]);
                self.add(&[condition, !b, output]);
                self.add(&[condition, b, !output]);
                // These follow, but not by propagation.
                self.add(&[!a, !b, output]);
                self.add(&[a, b, !output]);
            }
        }
    }

    /// `output` is the parity of the operands.
    fn add_parity(&mut self, operands: &[Lit], output: Lit) {
        for choice in 0..1_u32 << operands.len() {
            let chosen = |at: usize| choice >> at & 1 == 1;
            let mut clause: SmallVec<[Lit; 4]> = SmallVec::new();
            clause
                .extend(operands.iter().enumerate().map(|(at, &operand)| if chosen(at) { !operand } else { operand }));
            clause.push(if choice.count_ones() % 2 == 1 { output } else { !output });
            self.add(&clause);
        }
    }

    fn add_obligation(&mut self, encoder: &Encoder, number: u32) {
        if mark(&mut self.obligations, number) {
            return;
        }
        for clause in encoder.gates.obligation(number) {
            let mut lits: SmallVec<[Lit; 3]> = SmallVec::new();
            for &literal in clause.iter().filter(|literal| !literal.is_constant()) {
                lits.push(self.lit(literal));
            }
            self.add(&lits);
        }
    }

    /// The element at an index is that at every equal index (Ackermann's reduction).
    fn add_read(&mut self, encoder: &mut Encoder, number: u32) {
        if mark(&mut self.reads, number) {
            return;
        }
        for at in 0..self.live_reads.len() {
            let other = self.live_reads[at];
            let (one, other) = (&encoder.reads[number as usize], &encoder.reads[other as usize]);
            if one.array != other.array {
                continue;
            }
            let equal = encoder.gates.equal(&one.index, &other.index);
            if equal == Literal::FALSE {
                continue;
            }
            let equal = self.lit(equal);
            for (&a, &b) in one.element.iter().zip(&other.element) {
                let (a, b) = (self.lit(a), self.lit(b));
                self.add(&[!equal, a, !b]);
                self.add(&[!equal, !a, b]);
            }
        }
        // Its index is part of every model that has the element.
        let read = &encoder.reads[number as usize];
        for &literal in read.index.iter().filter(|literal| !literal.is_constant()) {
            self.lit(literal);
        }
        self.live_reads.push(number);
    }

    pub(super) fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Verdict {
        let deadline = Instant::now().checked_add(limits.time);
        let interrupt = Arc::clone(&limits.interrupt);
        self.solver.attach_terminator(move || {
            let stop = interrupt.load(std::sync::atomic::Ordering::Relaxed);
            match stop || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                true => ControlSignal::Terminate,
                false => ControlSignal::Continue,
            }
        });
        let (conflicts, decisions) = search_limits(limits.effort);
        let limited =
            self.solver.limit_conflicts(Some(conflicts)).and_then(|()| self.solver.limit_decisions(Some(decisions)));
        debug_assert!(limited.is_ok(), "CaDiCaL knows these limits");
        if self.broken {
            return Verdict::Unknown(Reason::Limit);
        }
        match self.solver.solve_assumps(assumptions) {
            Ok(SolverResult::Sat) => Verdict::Sat,
            Ok(SolverResult::Unsat) => Verdict::Unsat,
            Ok(SolverResult::Interrupted) if limits.interrupted() => Verdict::Unknown(Reason::Interrupted),
            Ok(SolverResult::Interrupted) => Verdict::Unknown(Reason::Limit),
            Err(_) => {
                self.broken = true;
                Verdict::Unknown(Reason::Limit)
            }
        }
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// The assumptions that the last refutation used.
    pub(super) fn failed_assumptions(&mut self) -> Vec<Lit> {
        let clause = self.solver.core().unwrap_or_default();
        clause.into_iter().map(|lit| !lit).collect()
    }

    /// Whether the literal has a value in the last model.
    pub(super) fn is_defined(&self, literal: Literal) -> bool {
        literal.is_constant() || self.variables.get(literal.gate()).is_some_and(|&variable| variable != 0)
    }

    /// The value in the last model; false where any will do.
    pub(super) fn value(&self, literal: Literal) -> bool {
        if literal.is_constant() {
            return literal == Literal::TRUE;
        }
        match self.variables.get(literal.gate()) {
            None | Some(0) => false,
            Some(&variable) => {
                let lit = Lit::new(variable - 1, literal.is_negated());
                matches!(self.solver.lit_val(lit), Ok(TernaryVal::True))
            }
        }
    }
}

/// Sets a mark; true if it was set before.
fn mark(marks: &mut Vec<bool>, number: u32) -> bool {
    let number = number as usize;
    if marks.len() <= number {
        marks.resize(number + 1, false);
    }
    std::mem::replace(&mut marks[number], true)
}

/// Conflicts and decisions that take about as long as the effort.
fn search_limits(effort: u64) -> (u32, u32) {
    let limit = |count: u64| count.clamp(1, i32::MAX as u64) as u32;
    (limit(effort / 50), limit(effort.saturating_mul(2)))
}
