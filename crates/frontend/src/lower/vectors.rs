//! Vectors: picking, placing and shuffling lanes, and folding all lanes into one value.

use symcrete_ir::{BinaryOp, FloatOp, IntPredicate, Operand, Type, WrapFlags};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::{Result, malformed};
use crate::module::{Instruction, Value};

/// How `llvm.vector.reduce.*` joins two lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reduction {
    Integer(BinaryOp),
    /// Keeps the one of which the comparison with the other holds.
    Extreme(IntPredicate),
    Float(FloatOp),
    FloatExtreme(symcrete_ir::Intrinsic),
}

impl FunctionLowering<'_, '_> {
    pub fn extract_element(&mut self, instruction: &Instruction, vector: Value, index: Value) -> Result<()> {
        let index = self.scalar(index)?;
        let lanes = self.list(vector)?;
        if let Some(known) = self.lowering.known_integer(index) {
            let known = usize::try_from(known).ok().and_then(|known| lanes.get(known)).copied();
            let operand = match known {
                Some(operand) => operand,
                None => self.undefined_like(&lanes)?,
            };
            return self.define_one(instruction, operand);
        }
        let mut rest = lanes.into_iter().enumerate();
        let (_, mut picked) = rest.next().ok_or_else(|| malformed("a vector without elements"))?;
        for (at, lane) in rest {
            let here = self.is_lane(index, at)?;
            picked = self.select(here, lane, picked)?;
        }
        self.define_one(instruction, picked)
    }

    pub fn insert_element(
        &mut self,
        instruction: &Instruction,
        vector: Value,
        element: Value,
        index: Value,
    ) -> Result<()> {
        let index = self.scalar(index)?;
        let element = self.scalar(element)?;
        let mut lanes = self.list(vector)?;
        if let Some(known) = self.lowering.known_integer(index) {
            if let Some(lane) = usize::try_from(known).ok().and_then(|known| lanes.get_mut(known)) {
                *lane = element;
            }
            return self.define(instruction, &lanes);
        }
        for (at, lane) in lanes.iter_mut().enumerate() {
            let here = self.is_lane(index, at)?;
            *lane = self.select(here, element, *lane)?;
        }
        self.define(instruction, &lanes)
    }

    fn is_lane(&mut self, index: Operand, lane: usize) -> Result<Operand> {
        let ty = self.type_of(index);
        if !ty.is_int() {
            return Err(malformed("a lane number that is no integer"));
        }
        let number = self.word(ty, lane as u64);
        self.compare(IntPredicate::Eq, index, number)
    }

    fn undefined_like(&mut self, lanes: &[Operand]) -> Result<Operand> {
        let first = lanes.first().ok_or_else(|| malformed("a vector without elements"))?;
        let ty = self.type_of(*first);
        Ok(self.lowering.undefined(ty))
    }

    pub fn shuffle(
        &mut self,
        instruction: &Instruction,
        left: Value,
        right: Value,
        mask: &[Option<u32>],
    ) -> Result<()> {
        let mut lanes = self.list(left)?;
        lanes.extend(self.list(right)?);
        let undefined = self.undefined_like(&lanes)?;
        let pick = |at: &Option<u32>| at.and_then(|at| lanes.get(at as usize)).copied().unwrap_or(undefined);
        let picked: Vec<Operand> = mask.iter().map(pick).collect();
        self.define(instruction, &picked)
    }

    /// Joins all lanes into one, from the first to the last.
    pub fn reduce(&mut self, reduction: Reduction, start: Option<Operand>, lanes: &[Operand]) -> Result<Operand> {
        let mut lanes = lanes.iter().copied();
        let mut joined = match start.or_else(|| lanes.next()) {
            Some(first) => first,
            None => return Err(malformed("a vector without elements")),
        };
        for lane in lanes {
            joined = match reduction {
                Reduction::Integer(op) => self.integer(op, WrapFlags::NONE, joined, lane)?,
                Reduction::Extreme(predicate) => {
                    let keep = self.compare(predicate, joined, lane)?;
                    self.select(keep, joined, lane)?
                }
                Reduction::Float(op) => self.float(op, joined, lane)?,
                Reduction::FloatExtreme(intrinsic) => {
                    let ty = self.type_of(joined);
                    self.call_intrinsic(intrinsic, ty, &[joined, lane], ty)?
                }
            };
        }
        Ok(joined)
    }

    /// The lanes of a constant vector of booleans; `None` if one of them is not known.
    pub fn known_mask(&mut self, mask: Value) -> Result<Option<Vec<bool>>> {
        let lanes = self.list(mask)?;
        let known = lanes.iter().map(|lane| match self.type_of(*lane) {
            Type::BOOL => self.lowering.known_integer(*lane).map(|bit| bit != 0),
            _ => None,
        });
        Ok(known.collect())
    }
}
