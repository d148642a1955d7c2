//! Instructions that end blocks, and those at the start of blocks.

use llvm_bitcode::schema::blocks::FunctionCode;
use rustc_hash::FxHashSet;

use crate::module::{ConstantId, ConstantKind, InstructionKind, LandingPadClause, Type, Value};

use super::super::Problem;
use super::super::operands::signed;
use super::{Decoded, InstructionReader, fast_math};

impl InstructionReader<'_, '_, '_> {
    /// `[type, (value, block)…, flags?]`, values counting back from here with a sign.
    pub(super) fn phi(&mut self) -> Decoded {
        let ty = self.ty()?;
        let mut incoming = Vec::with_capacity(self.operands.len() / 2);
        while self.operands.len() >= 2 {
            let distance = signed(self.operands.take()?);
            let number = self.function.next_number().wrapping_sub(distance as u32);
            let value = self.function.typed_value(self.module, number, ty)?;
            incoming.push((value, self.block()?));
        }
        let fast = fast_math(self.operands.or_zero());
        Ok((InstructionKind::Phi { incoming: incoming.into(), fast }, ty))
    }

    /// `[]` or `[value]`
    pub(super) fn return_(&mut self) -> Decoded {
        let value = if self.operands.is_empty() { None } else { Some(self.pair()?) };
        let ty = value.map_or(self.module.module.types.void_type(), |(_, ty)| ty);
        if ty != self.function.result_type {
            return Err(Problem::Invalid("a return of another type than the function's"));
        }
        self.no_result(InstructionKind::Return { value: value.map(|(value, _)| value) })
    }

    /// `[target]` or `[if true, if false, condition]`
    pub(super) fn branch(&mut self) -> Decoded {
        let target = self.block()?;
        if self.operands.is_empty() {
            return self.no_result(InstructionKind::Branch { target });
        }
        let if_false = self.block()?;
        let truth = self.intern(Type::Integer { width: 1 });
        let condition = self.value(truth)?;
        self.no_result(InstructionKind::ConditionalBranch { condition, if_true: target, if_false })
    }

    /// `[type, value, default, (case, target)…]`, cases counting from the first value.
    pub(super) fn switch(&mut self) -> Decoded {
        /// Marks a form with ranges that no released compiler wrote.
        const RANGES: u64 = 0x4b5;
        if self.operands.rest().first().is_some_and(|first| first >> 16 == RANGES) {
            return Err(Problem::Unsupported("a switch with ranges"));
        }
        let ty = self.ty()?;
        if !matches!(self.module.module.types[ty], Type::Integer { .. }) {
            return Err(Problem::Invalid("a switch over something that is no integer"));
        }
        let value = self.value(ty)?;
        let default = self.block()?;
        let mut cases = Vec::with_capacity(self.operands.len() / 2);
        while !self.operands.is_empty() {
            let case = self.operands.take()?;
            let Value::Constant(case) = self.function.absolute_value(self.module, case, ty)? else {
                return Err(Problem::Invalid("a case that is no constant"));
            };
            cases.push((case, self.block()?));
        }
        self.check_cases(cases.iter().map(|case| case.0))?;
        self.no_result(InstructionKind::Switch { value, default, cases: cases.into() })
    }

    /// Whether all cases are numbers, and different ones.
    fn check_cases(&self, cases: impl Iterator<Item = ConstantId>) -> Result<(), Problem> {
        let mut seen: FxHashSet<&[u64]> = FxHashSet::default();
        for case in cases {
            let words: &[u64] = match &self.module.module.constants[case].kind {
                ConstantKind::Integer(value) => std::slice::from_ref(value),
                ConstantKind::Null => &[0],
                ConstantKind::WideInteger(words) if words.iter().all(|&word| word == 0) => &[0],
                ConstantKind::WideInteger(words) => words,
                _ => return Err(Problem::Invalid("a case that is no number")),
            };
            if !seen.insert(words) {
                return Err(Problem::Invalid("two cases for one number"));
            }
        }
        Ok(())
    }

    /// `[type, address, targets…]`
    pub(super) fn indirect_branch(&mut self) -> Decoded {
        let ty = self.ty()?;
        if !matches!(self.module.module.types[ty], Type::Pointer { .. }) {
            return Err(Problem::Invalid("a jump to something that is no address"));
        }
        let address = self.value(ty)?;
        let targets = self.operands.rest().iter().map(|&target| self.block_at(target)).collect::<Result<_, _>>()?;
        self.no_result(InstructionKind::IndirectBranch { address, targets })
    }

    /// `[type, cleanup, count, (kind, value)…]`; the old form has the personality routine after the type.
    pub(super) fn landing_pad(&mut self, code: FunctionCode) -> Decoded {
        let ty = self.ty()?;
        #[allow(deprecated, reason = "old files have old records")]
        if code == FunctionCode::LandingPadOld {
            self.pair()?;
        }
        let cleanup = self.operands.flag()?;
        let count = self.operands.take()?;
        let mut clauses = Vec::new();
        for _ in 0..count {
            let kind = self.operands.take()?;
            let (value, value_type) = self.pair()?;
            let array = matches!(self.module.module.types[value_type], Type::Array { .. });
            clauses.push(match (kind, value) {
                (0, Value::Constant(_)) if !array => LandingPadClause::Catch(value),
                (1, Value::Constant(_)) if array => LandingPadClause::Filter(value),
                _ => return Err(Problem::Invalid("a clause that is neither a type nor a list of types")),
            });
        }
        Ok((InstructionKind::LandingPad { cleanup, clauses: clauses.into() }, ty))
    }

    fn token(&mut self) -> Result<Value, Problem> {
        let token = self.intern(Type::Token);
        self.value(token)
    }

    /// `[pad]` or `[pad, target]`
    pub(super) fn cleanup_return(&mut self) -> Decoded {
        let pad = self.token()?;
        let unwind = if self.operands.is_empty() { None } else { Some(self.block()?) };
        self.no_result(InstructionKind::CleanupReturn { pad, unwind })
    }

    /// `[pad, target]`
    pub(super) fn catch_return(&mut self) -> Decoded {
        let pad = self.token()?;
        let target = self.block()?;
        self.no_result(InstructionKind::CatchReturn { pad, target })
    }

    /// `[parent, count, handlers…, target?]`
    pub(super) fn catch_switch(&mut self) -> Decoded {
        let parent = self.token()?;
        let count = self.operands.take()?;
        let handlers = self.operands.take_many(count)?;
        let handlers = handlers.iter().map(|&handler| self.block_at(handler)).collect::<Result<_, _>>()?;
        let unwind = if self.operands.is_empty() { None } else { Some(self.block()?) };
        let ty = self.intern(Type::Token);
        Ok((InstructionKind::CatchSwitch { parent, handlers, unwind }, ty))
    }

    /// `[parent, count, arguments…]`
    pub(super) fn pad(&mut self, code: FunctionCode) -> Decoded {
        let parent = self.token()?;
        let count = self.operands.take()?;
        let mut arguments = Vec::new();
        for _ in 0..count {
            arguments.push(self.pair()?.0);
        }
        let arguments = arguments.into();
        let ty = self.intern(Type::Token);
        Ok(match code {
            FunctionCode::CatchPad => (InstructionKind::CatchPad { parent, arguments }, ty),
            _ => (InstructionKind::CleanupPad { parent, arguments }, ty),
        })
    }
}
