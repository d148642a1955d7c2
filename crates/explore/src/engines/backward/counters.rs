//! What a loop does to counters, in one step: a register that each round adds the same to is, after so many rounds, what it was plus so many
//! times that. How many rounds there were is a new name; that each of them was begun under the loop's own condition bounds it. All of it
//! holds for every number of rounds, also where counters wrap around; that they do not is used only where the solver proves it.

use rustc_hash::FxHashMap;
use symcrete_exec::summary;
use symcrete_expr::dag::{Op, substitute};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::loops::Loop;
use symcrete_ir::{BinaryOp, Block, Body, Inst, IntPredicate, Operand, OperandKind, Reg, Terminator, Type};
use symcrete_solver::Answer;

use super::goal::Goal;
use super::prover::{Prover, named};

/// How deep an expression of a loop's condition may be.
const DEPTH: u32 = 8;

/// What each round adds to a register.
struct Counter {
    param: Reg,
    /// Zero for what no round changes.
    step: Expr,
}

/// A condition under which each round goes on.
struct Guard {
    holds: Expr,
    /// A comparison of a counter with what no round changes, in this order.
    compared: Option<(IntPredicate, Reg, Expr)>,
}

impl Prover<'_> {
    /// Goes from the header of a loop, after any number of rounds, to before its first one, if counters are among what the goal asks for.
    /// What else the loop changes is forgotten.
    pub fn sum_up(&mut self, goal: &Goal, body: &Body, around: &Loop) -> Option<Goal> {
        let mut before = goal.clone();
        let counters = self.counters(&mut before, body, around);
        let asked =
            |counter: &Counter| goal.frames.last().is_some_and(|frame| frame.names.contains_key(&counter.param));
        if !counters.iter().any(asked) {
            return None;
        }
        let after: Vec<(Reg, Expr)> = counters
            .iter()
            .map(|counter| {
                (counter.param, self.operand(&mut before, Operand::from(counter.param), body.registers[counter.param]))
            })
            .collect();
        let guards = self.guards(&mut before, body, around, &counters);
        self.forget_loop(&mut before, body, &around.blocks);
        let rounds = self.names.fresh(&mut self.arena, 64);
        let (mut now, mut last, mut first) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        for (counter, (param, name)) in counters.iter().zip(&after) {
            let begin = self.operand(&mut before, Operand::from(*param), body.registers[*param]);
            first.insert(*param, begin);
            // One step before, not one round less: the solver sees the same product.
            let at_end = self.after(begin, counter.step, rounds);
            let before_last = self.arena.binary(Op::Sub, at_end, counter.step);
            now.insert(*name, at_end);
            last.insert(*name, before_last);
        }
        before.substitute(&mut self.arena, &now);
        let zero = self.arena.word(64, 0);
        let none = self.arena.compare(Op::Equal, rounds, zero);
        for guard in guards {
            let held = substitute(&mut self.arena, guard.holds, &last);
            let condition = self.arena.binary(Op::Or, none, held);
            before.require(condition);
            if let Some(bound) = self.bound(&guard, &counters, &after, &first, rounds) {
                before.require(bound);
            }
        }
        Some(before)
    }

    /// A value after so many steps.
    fn after(&mut self, begin: Expr, step: Expr, rounds: Expr) -> Expr {
        let width = self.arena.width(begin);
        if self.arena.as_word(step) == Some(0) {
            return begin;
        }
        let rounds = self.resized(rounds, width);
        let sum = self.arena.binary(Op::Mul, rounds, step);
        self.arena.binary(Op::Add, begin, sum)
    }

    fn resized(&mut self, expr: Expr, width: u32) -> Expr {
        match self.arena.width(expr) {
            from if from > width => self.arena.extract(expr, 0, width),
            from if from < width => self.arena.zero_extend(expr, width),
            _ => expr,
        }
    }

    /// The parameters of the header to which every round adds the same.
    fn counters(&mut self, goal: &mut Goal, body: &Body, around: &Loop) -> Vec<Counter> {
        let mut counters = Vec::new();
        for (at, param) in body.blocks[around.header].params.iter().enumerate() {
            let mut step = None;
            for edge in &around.back_edges {
                let next = self.step(goal, body, around, *param, body.edges[*edge].args[at]);
                step = match (step, next) {
                    (None, Some(next)) => Some(Some(next)),
                    (Some(Some(known)), Some(next)) if known == next => Some(Some(next)),
                    _ => Some(None),
                };
            }
            if let Some(Some(step)) = step {
                counters.push(Counter { param: *param, step });
            }
        }
        counters
    }

    /// What is added to a register to give an operand.
    fn step(&mut self, goal: &mut Goal, body: &Body, around: &Loop, param: Reg, operand: Operand) -> Option<Expr> {
        let ty = body.registers[param];
        let width = u32::from(ty.bits(self.shapes.image.pointer_bits()));
        let register = operand.as_reg()?;
        if register == param {
            return Some(self.arena.word(width, 0));
        }
        match *self.definition(goal, body, register)? {
            Inst::Copy { src, .. } | Inst::Freeze { src, .. } => self.step(goal, body, around, param, src),
            Inst::Binary { op: BinaryOp::Add, ty, lhs, rhs, .. } => {
                let (counter, amount) = if lhs.as_reg() == Some(param) { (lhs, rhs) } else { (rhs, lhs) };
                (counter.as_reg() == Some(param)).then_some(())?;
                self.unchanged(goal, body, around, amount, ty)
            }
            Inst::Binary { op: BinaryOp::Sub, ty, lhs, rhs, .. } if lhs.as_reg() == Some(param) => {
                let amount = self.unchanged(goal, body, around, rhs, ty)?;
                let zero = self.arena.word(width, 0);
                Some(self.arena.binary(Op::Sub, zero, amount))
            }
            Inst::Address { base, offset, terms: 0, .. } if base.as_reg() == Some(param) => {
                Some(self.arena.word(width, symcrete_expr::word::truncate(width, i64::from(offset) as u64)))
            }
            _ => None,
        }
    }

    fn definition<'b>(&mut self, goal: &Goal, body: &'b Body, register: Reg) -> Option<&'b Inst> {
        let shape = self.shapes.shape(goal.function());
        let (block, at) = shape.definitions[register]?;
        body.blocks[block].insts.get(at? as usize)
    }

    /// The expression of an operand that no round of a loop changes.
    fn unchanged(&mut self, goal: &mut Goal, body: &Body, around: &Loop, operand: Operand, ty: Type) -> Option<Expr> {
        if let OperandKind::Reg(register) = operand.kind() {
            let shape = self.shapes.shape(goal.function());
            let inside = shape.definitions[register].is_some_and(|(block, _)| around.blocks.contains(&block));
            if inside || body.registers[register] != ty {
                return None;
            }
        }
        Some(self.operand(goal, operand, ty))
    }

    /// The conditions under which rounds go on: of branches that every round comes to and that leave the loop otherwise, as far as they are
    /// computed from registers.
    fn guards(&mut self, goal: &mut Goal, body: &Body, around: &Loop, counters: &[Counter]) -> Vec<Guard> {
        let shape = self.shapes.shape(goal.function());
        let mut guards = Vec::new();
        for edge in &around.exits {
            let block = shape.cfg.source(*edge);
            let every = around.back_edges.iter().all(|back| shape.dominators.dominates(block, shape.cfg.source(*back)));
            let Terminator::Branch { condition, if_true, if_false } = body.blocks[block].terminator else { continue };
            if !every || if_true == if_false || !self.in_this_loop(&shape, around, block) {
                continue;
            }
            let goes_on = *edge == if_false;
            let Some(holds) = self.computed(goal, body, around, condition, Type::BOOL, counters, DEPTH) else {
                continue;
            };
            let holds = if goes_on { holds } else { self.arena.not(holds) };
            let compared = self.compared(goal, body, around, condition, goes_on, counters);
            guards.push(Guard { holds, compared });
        }
        guards
    }

    /// Whether a block is executed once in a round.
    fn in_this_loop(&self, shape: &super::shape::Shape, around: &Loop, block: Block) -> bool {
        shape.loops.innermost(block).is_some_and(|inner| shape.loops.loops[inner].header == around.header)
    }

    /// An operand, from what registers contain at the header in the same round.
    fn computed(
        &mut self,
        goal: &mut Goal,
        body: &Body,
        around: &Loop,
        operand: Operand,
        ty: Type,
        counters: &[Counter],
        depth: u32,
    ) -> Option<Expr> {
        let register = match operand.kind() {
            OperandKind::Const(_) => return Some(self.operand(goal, operand, ty)),
            OperandKind::Reg(register) => register,
        };
        let shape = self.shapes.shape(goal.function());
        let (block, at) = shape.definitions[register]?;
        if !around.blocks.contains(&block) {
            return Some(self.operand(goal, operand, ty));
        }
        if block == around.header && at.is_none() {
            // What it was in another round, nobody knows of the others.
            let is_counter = counters.iter().any(|counter| counter.param == register);
            return is_counter.then(|| self.operand(goal, operand, ty));
        }
        let inst = body.blocks[block].insts.get(at? as usize).filter(|_| depth > 0)?;
        if !self.in_this_loop(&shape, around, block) {
            return None;
        }
        let mut parts: FxHashMap<Reg, Expr> = FxHashMap::default();
        let mut operands = Vec::new();
        body.visit_operands(inst, |operand| operands.push(operand));
        for part in operands.into_iter().filter_map(Operand::as_reg) {
            let value =
                self.computed(goal, body, around, Operand::from(part), body.registers[part], counters, depth - 1)?;
            parts.insert(part, value);
        }
        let (image, names) = (self.shapes.image, &mut self.names);
        let mut get = |arena: &mut Arena, operand: Operand, ty: Type| match operand.as_reg() {
            Some(register) => parts[&register],
            None => named(image, names, arena, goal, operand, ty),
        };
        summary::computed(image, &mut self.arena, body, inst, &mut get)
    }

    /// A condition that compares a counter, as it is at the header, with what no round changes.
    fn compared(
        &mut self,
        goal: &mut Goal,
        body: &Body,
        around: &Loop,
        condition: Operand,
        holds: bool,
        counters: &[Counter],
    ) -> Option<(IntPredicate, Reg, Expr)> {
        let Inst::IntCompare { predicate, ty, lhs, rhs, .. } = *self.definition(goal, body, condition.as_reg()?)?
        else {
            return None;
        };
        let predicate = if holds { predicate } else { predicate.opposite() };
        let is_counter = |operand: Operand| {
            operand.as_reg().filter(|register| counters.iter().any(|counter| counter.param == *register))
        };
        if let Some(counter) = is_counter(lhs) {
            return Some((predicate, counter, self.unchanged(goal, body, around, rhs, ty)?));
        }
        let counter = is_counter(rhs)?;
        Some((predicate.mirrored(), counter, self.unchanged(goal, body, around, lhs, ty)?))
    }

    /// How many rounds there can be at most, by one guard.
    fn bound(
        &mut self,
        guard: &Guard,
        counters: &[Counter],
        after: &[(Reg, Expr)],
        first: &FxHashMap<Reg, Expr>,
        rounds: Expr,
    ) -> Option<Expr> {
        let (predicate, register, other) = guard.compared?;
        let at = counters.iter().position(|counter| counter.param == register)?;
        let (counter, name, begin) = (&counters[at], after[at].1, first[&register]);
        let width = self.arena.width(begin);
        if width > 64 {
            return None;
        }
        let step = symcrete_expr::word::sign_extend(width, self.arena.as_word(counter.step)?);
        let most = match predicate {
            // The first time that they are equal is the end: exact for steps of one, also around the end of the numbers.
            IntPredicate::Ne if step == 1 => self.arena.binary(Op::Sub, other, begin),
            IntPredicate::Ne if step == -1 => self.arena.binary(Op::Sub, begin, other),
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge => {
                let end = if step > 0 { (1u64 << (width - 1)) - 1 } else { 1u64 << (width - 1) };
                self.without_wrapping(guard, name, begin, step, end, Op::SignedLess)?
            }
            IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge => {
                let end = if step > 0 { symcrete_expr::word::truncate(width, u64::MAX) } else { 0 };
                self.without_wrapping(guard, name, begin, step, end, Op::UnsignedLess)?
            }
            _ => return None,
        };
        let most = self.resized(most, 64);
        Some(self.arena.compare(Op::UnsignedLessEqual, rounds, most))
    }

    /// The most rounds in which a counter does not pass the end of its numbers, if the solver proves that none does.
    fn without_wrapping(
        &mut self,
        guard: &Guard,
        name: Expr,
        begin: Expr,
        step: i64,
        end: u64,
        less: Op,
    ) -> Option<Expr> {
        if step == 0 {
            return None;
        }
        let width = self.arena.width(begin);
        let amount = self.arena.word(width, symcrete_expr::word::truncate(width, step as u64));
        let next = self.arena.binary(Op::Add, name, amount);
        let wraps = if step > 0 { self.arena.compare(less, next, name) } else { self.arena.compare(less, name, next) };
        if !matches!(self.chain.solve(&mut self.arena, &[guard.holds, wraps]), Answer::Unsat) {
            return None;
        }
        let end = self.arena.word(width, end);
        let room =
            if step > 0 { self.arena.binary(Op::Sub, end, begin) } else { self.arena.binary(Op::Sub, begin, end) };
        let size = self.arena.word(width, step.unsigned_abs());
        Some(if step.unsigned_abs() == 1 { room } else { self.arena.binary(Op::UDiv, room, size) })
    }
}
