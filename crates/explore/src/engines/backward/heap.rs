//! Memory of the heap: before an allocation, the new object did not exist. What was there keeps its contents, and no address that was there is
//! one of the new object's.

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_expr::Expr;
use symcrete_expr::dag::{Op, post_order};
use symcrete_ir::{CallData, Callee, FuncId, Operand, Type};

use super::goal::Goal;
use super::memory::{Object, Read};
use super::prover::Prover;

/// A function that makes an object.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Allocation {
    /// Of as many bytes as the first argument says, with any contents.
    Plain,
    /// Of as many elements as the first argument says, of as many zeros each as the second one does.
    Zeroed,
}

impl Prover<'_> {
    pub fn allocation(&self, callee: &Callee) -> Option<Allocation> {
        let Callee::Direct(function) = callee else { return None };
        match self.provided(*function)? {
            "malloc" => Some(Allocation::Plain),
            "calloc" => Some(Allocation::Zeroed),
            _ => None,
        }
    }

    fn provided(&self, function: FuncId) -> Option<&str> {
        let image = self.shapes.image;
        image.is_provided(function).then(|| &*image.program.functions[function].name)
    }

    /// Goes back over an allocation.
    pub fn before_allocation(&mut self, goal: &mut Goal, data: &CallData, allocation: Allocation) {
        let width = u32::from(self.shapes.image.pointer_bits());
        let named = data.results.first().and_then(|result| goal.top().names.remove(result));
        let made = named.unwrap_or_else(|| self.names.fresh(&mut self.arena, width));
        let size = self.size(goal, data, allocation);
        let existing: FxHashSet<Expr> = goal
            .frames
            .iter()
            .flat_map(|frame| frame.names.values().copied())
            .chain(goal.reads.iter().map(|read| read.name))
            .collect();
        let zero = self.arena.word(width, 0);
        let failed = self.arena.compare(Op::Equal, made, zero);
        let mut meanings: FxHashMap<Expr, Expr> = FxHashMap::default();
        let mut kept = Vec::new();
        for read in std::mem::take(&mut goal.reads) {
            if read.object != Object::Unknown {
                kept.push(read);
                continue;
            }
            let parts = post_order(&self.arena, [read.offset], &mut Default::default());
            let bits = self.arena.width(read.name);
            let fresh = self.names.fresh(&mut self.arena, bits);
            if parts.contains(&made) {
                // Nobody wrote it, or it is zero where the address is one of the object for sure.
                let is_zero = allocation == Allocation::Zeroed && self.split(read.offset).0 == made;
                let zeros = self.arena.word(8, 0);
                let contents = match is_zero {
                    true => (1..read.bytes).fold(zeros, |all, _| self.arena.concat(zeros, all)),
                    false => fresh,
                };
                meanings.insert(read.name, self.arena.ite(failed, fresh, contents));
                goal.has_forgotten |= !is_zero;
                continue;
            }
            let variables = parts.iter().filter(|part| self.arena.variable_of(**part).is_some());
            if variables.into_iter().all(|variable| existing.contains(variable)) {
                let apart = self.apart(&read, made, size);
                let holds = self.arena.binary(Op::Or, failed, apart);
                goal.require(holds);
            }
            // Where there is no memory, `errno` says so.
            let before = Read { name: self.names.fresh(&mut self.arena, bits), ..read };
            meanings.insert(read.name, self.arena.ite(failed, fresh, before.name));
            kept.push(before);
        }
        goal.reads = kept;
        goal.substitute(&mut self.arena, &meanings);
    }

    /// The bytes of a new object; `None` if they are not known.
    fn size(&mut self, goal: &mut Goal, data: &CallData, allocation: Allocation) -> Option<Expr> {
        let word = Type::int(self.shapes.image.pointer_bits());
        let mut argument = |prover: &mut Self, at: usize| -> Option<Expr> {
            let operand: Operand = *data.args.get(at)?;
            operand.as_const()?;
            Some(prover.operand(goal, operand, word))
        };
        let first = argument(self, 0)?;
        match allocation {
            Allocation::Plain => Some(first),
            Allocation::Zeroed => {
                let second = argument(self, 1)?;
                Some(self.arena.binary(Op::Mul, first, second))
            }
        }
    }

    /// That what is read is outside of an object; of one whose size is not known, that it is not its first byte.
    fn apart(&mut self, read: &Read, object: Expr, size: Option<Expr>) -> Expr {
        let width = self.arena.width(object);
        let size = size.unwrap_or_else(|| self.arena.word(width, 1));
        let bytes = self.arena.word(width, read.bytes);
        let (up, down) =
            (self.arena.binary(Op::Sub, read.offset, object), self.arena.binary(Op::Sub, object, read.offset));
        let (behind, before) = (
            self.arena.compare(Op::UnsignedLessEqual, size, up),
            self.arena.compare(Op::UnsignedLessEqual, bytes, down),
        );
        self.arena.binary(Op::And, behind, before)
    }
}
