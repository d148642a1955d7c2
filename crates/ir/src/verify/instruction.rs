//! Checks each block by itself: numbers in range, types of operands and results, calls, terminators' values, locations.

use super::shared::{check_cast, check_variable, expect_type, is_float, wrong_kind};
use super::{Checked, ensure};
use crate::error::{Site, Violation};
use crate::inst::{CallData, Callee};
use crate::{Body, Call, Function, Inst, LocId, Operand, OperandKind, Program, Reg, Terminator, Type};

pub(super) fn check(program: &Program, function: &Function, body: &Body) -> Checked {
    for (block, data) in body.blocks.iter() {
        let site = Site::Block(block);
        data.params.iter().try_for_each(|param| register(body, site, *param).map(|_| ()))?;
        let (found, expected) = (data.locs.len(), data.insts.len());
        ensure(found == expected, site, || Violation::WrongCount { what: "locations", found, expected })?;
        for (at, (inst, loc)) in data.insts.iter().zip(&data.locs).enumerate() {
            let checker = Checker { program, body, site: Site::Inst(block, at) };
            checker.loc(*loc)?;
            checker.inst(inst)?;
        }
        let checker = Checker { program, body, site: Site::Terminator(block) };
        checker.loc(data.terminator_loc)?;
        checker.terminator(function, &data.terminator)?;
    }
    for (id, edge) in body.edges.iter() {
        let checker = Checker { program, body, site: Site::Edge(id) };
        edge.args.iter().try_for_each(|arg| checker.operand(*arg).map(|_| ()))?;
    }
    check_locals(program, body)
}

fn check_locals(program: &Program, body: &Body) -> Checked {
    for (local, variable) in &body.locals {
        let ty = register(body, Site::Whole, *local)?;
        expect_type(Site::Whole, "a local variable's address", ty, Type::POINTER)?;
        check_variable(program, Site::Whole, variable)?;
    }
    let sorted = body.locals.is_sorted_by_key(|(register, _)| *register);
    ensure(sorted, Site::Whole, || Violation::UnsortedLocals)?;
    body.promoted_locals.iter().try_for_each(|variable| check_variable(program, Site::Whole, variable))
}

fn register(body: &Body, site: Site, register: Reg) -> Checked<Type> {
    body.registers.get(register).copied().ok_or((site, Violation::NoSuchRegister(register)))
}

struct Checker<'a> {
    program: &'a Program,
    body: &'a Body,
    site: Site,
}

impl Checker<'_> {
    fn ensure(&self, holds: bool, violation: impl FnOnce() -> Violation) -> Checked {
        ensure(holds, self.site, violation)
    }

    fn loc(&self, loc: LocId) -> Checked {
        self.ensure(self.program.debug.locs.is_valid(loc), || Violation::NoSuchLoc(loc))
    }

    /// The type of an operand that is in range.
    fn operand(&self, operand: Operand) -> Checked<Type> {
        match operand.kind() {
            OperandKind::Reg(reg) => register(self.body, self.site, reg),
            OperandKind::Const(constant) => match self.program.constants.get(constant) {
                Some(constant) => Ok(constant.ty()),
                None => Err((self.site, Violation::NoSuchConstant(constant))),
            },
        }
    }

    fn reads(&self, what: &'static str, operand: Operand, expected: Type) -> Checked {
        expect_type(self.site, what, self.operand(operand)?, expected)
    }

    fn writes(&self, dst: Reg, expected: Type) -> Checked {
        expect_type(self.site, "the result", register(self.body, self.site, dst)?, expected)
    }

    fn kind(&self, what: &'static str, found: Type, holds: bool, expected: &'static str) -> Checked {
        self.ensure(holds, || wrong_kind(what, found, expected))
    }

    fn pair(&self, lhs: Operand, rhs: Operand, ty: Type) -> Checked {
        self.reads("the first operand", lhs, ty)?;
        self.reads("the second operand", rhs, ty)
    }

    fn inst(&self, inst: &Inst) -> Checked {
        match *inst {
            Inst::Binary { ty, dst, lhs, rhs, .. } => {
                self.kind("arithmetic", ty, ty.is_int(), "an integer")?;
                self.pair(lhs, rhs, ty)?;
                self.writes(dst, ty)
            }
            Inst::FloatBinary { ty, dst, lhs, rhs, .. } => {
                self.kind("float arithmetic", ty, is_float(ty), "a float")?;
                self.pair(lhs, rhs, ty)?;
                self.writes(dst, ty)
            }
            Inst::FloatNegate { ty, dst, src } => {
                self.kind("float arithmetic", ty, is_float(ty), "a float")?;
                self.reads("the operand", src, ty)?;
                self.writes(dst, ty)
            }
            Inst::IntCompare { ty, dst, lhs, rhs, .. } => {
                self.kind("a comparison", ty, !is_float(ty), "an integer or pointer")?;
                self.pair(lhs, rhs, ty)?;
                self.writes(dst, Type::BOOL)
            }
            Inst::FloatCompare { predicate, ty, dst, lhs, rhs } => {
                let value = u64::from(predicate.0);
                self.ensure(value < 16, || Violation::OutOfRange { what: "the predicate", value })?;
                self.kind("a float comparison", ty, is_float(ty), "a float")?;
                self.pair(lhs, rhs, ty)?;
                self.writes(dst, Type::BOOL)
            }
            Inst::Cast { op, from, to, dst, src } => {
                check_cast(self.site, op, from, to, self.program.layout.pointer_bits)?;
                self.reads("the operand", src, from)?;
                self.writes(dst, to)
            }
            Inst::Select { ty, dst, condition, if_true, if_false } => {
                self.reads("the condition", condition, Type::BOOL)?;
                self.pair(if_true, if_false, ty)?;
                self.writes(dst, ty)
            }
            Inst::Address { dst, base, first_term, terms, .. } => {
                self.reads("the base", base, Type::POINTER)?;
                self.terms(first_term, terms)?;
                self.writes(dst, Type::POINTER)
            }
            Inst::Load { ty, dst, address, .. } => {
                self.reads("the address", address, Type::POINTER)?;
                self.writes(dst, ty)
            }
            Inst::Store { ty, address, value, .. } => {
                self.reads("the address", address, Type::POINTER)?;
                self.reads("the value", value, ty)
            }
            Inst::Alloca { dst, count, align_log2, .. } => {
                let ty = self.operand(count)?;
                self.kind("the count", ty, ty.is_int(), "an integer")?;
                let value = u64::from(align_log2);
                self.ensure(value < 64, || Violation::OutOfRange { what: "the alignment", value })?;
                self.writes(dst, Type::POINTER)
            }
            Inst::Call { call } => self.call(call),
            Inst::Freeze { ty, dst, src } | Inst::Copy { ty, dst, src } => {
                self.reads("the operand", src, ty)?;
                self.writes(dst, ty)
            }
            Inst::Marker => Ok(()),
        }
    }

    fn terms(&self, first: u32, count: u16) -> Checked {
        let (start, end) = (first as usize, first as usize + usize::from(count));
        let Some(terms) = self.body.address_terms.get(start..end) else {
            return Err((self.site, Violation::NoSuchTerms { first, count }));
        };
        for term in terms {
            self.kind("an index", term.ty, term.ty.is_int(), "an integer")?;
            self.reads("an index", term.index, term.ty)?;
        }
        Ok(())
    }

    fn call(&self, call: Call) -> Checked {
        let Some(data) = self.body.calls.get(call) else {
            return Err((self.site, Violation::NoSuchCall(call)));
        };
        let CallData { args, arg_types, results, result_types, .. } = data;
        match &data.callee {
            Callee::Direct(function) => {
                let known = self.program.functions.is_valid(*function);
                self.ensure(known, || Violation::NoSuchFunction(*function))?;
            }
            Callee::Indirect(target) => self.reads("the function called", *target, Type::POINTER)?,
            Callee::Intrinsic(..) | Callee::Unsupported(_) => {}
        }
        self.count("arguments", args.len(), arg_types.len())?;
        for (arg, ty) in args.iter().zip(arg_types) {
            self.reads("an argument", *arg, *ty)?;
        }
        self.count("results", results.len(), result_types.len())?;
        for (result, ty) in results.iter().zip(result_types) {
            self.writes(*result, *ty)?;
        }
        let fixed = data.fixed_args as usize;
        self.ensure(fixed <= args.len(), || Violation::WrongCount {
            what: "fixed arguments",
            found: fixed,
            expected: args.len(),
        })?;
        for (arg, _, align) in &data.by_value {
            let Some(ty) = arg_types.get(*arg as usize) else {
                return Err((self.site, Violation::OutOfRange { what: "by-value argument", value: (*arg).into() }));
            };
            expect_type(self.site, "a by-value argument", *ty, Type::POINTER)?;
            self.ensure(align.is_power_of_two(), || Violation::BadAlignment((*align).into()))?;
        }
        Ok(())
    }

    fn count(&self, what: &'static str, found: usize, expected: usize) -> Checked {
        self.ensure(found == expected, || Violation::WrongCount { what, found, expected })
    }

    fn terminator(&self, function: &Function, terminator: &Terminator) -> Checked {
        match terminator {
            Terminator::Branch { condition, .. } => self.reads("the condition", *condition, Type::BOOL),
            Terminator::Switch { value, ty, table } => {
                let narrow = ty.is_int() && ty.bits(0) <= 64;
                self.kind("the switch", *ty, narrow, "an integer of at most 64 bits")?;
                self.reads("the value", *value, *ty)?;
                let Some(cases) = self.body.switches.get(*table).map(|table| &table.cases) else {
                    return Err((self.site, Violation::NoSuchSwitch(*table)));
                };
                let sorted = cases.windows(2).all(|pair| pair[0].0 < pair[1].0);
                self.ensure(sorted, || Violation::UnsortedCases(*table))?;
                let (last, width) = (cases.last().map_or(0, |case| case.0), ty.bits(0));
                let fits = width == 64 || last >> width == 0;
                self.ensure(fits, || Violation::OutOfRange { what: "a case", value: last })
            }
            Terminator::IndirectJump { address, .. } => self.reads("the address", *address, Type::POINTER),
            Terminator::Return(values) => {
                self.count("returned values", values.len(), function.results.len())?;
                let mut pairs = values.iter().zip(&function.results);
                pairs.try_for_each(|(value, ty)| self.reads("a returned value", *value, *ty))
            }
            Terminator::Resume(values) => values.iter().try_for_each(|value| self.operand(*value).map(|_| ())),
            Terminator::Invoke { call, .. } => self.call(*call),
            Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported { .. } => Ok(()),
        }
    }
}
