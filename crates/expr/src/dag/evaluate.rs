//! The value of an expression under a model. What each operation computes is in `semantics`.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arena::{Arena, FunctionId, VariableId};
use super::model::Model;
use super::node::{Expr, Node, Op};
use super::semantics;
use crate::Bits;
use crate::word::{sign_extend_to, truncate};

/// Evaluates expressions under one model and remembers the value of every part. Expressions may be as deep as they like.
pub struct Evaluator {
    model: Rc<Model>,
    words: FxHashMap<Expr, u64>,
    wide: FxHashMap<Expr, Bits>,
    /// What is wanted, the nearest last.
    pending: Vec<Expr>,
    /// Of the arena, when the memo began.
    generation: u32,
}

/// The value is not there yet; what it needs has been put on the list.
struct Missing;

type Computed<T> = Result<T, Missing>;

impl Evaluator {
    pub fn new(model: Rc<Model>) -> Evaluator {
        Evaluator { model, words: FxHashMap::default(), wide: FxHashMap::default(), pending: Vec::new(), generation: 0 }
    }

    /// Begins anew under another model, in the memory of the old one.
    pub fn restart(&mut self, model: Rc<Model>) {
        /// Larger tables than these take longer to clear than to make.
        const WORTH_KEEPING: usize = 4096;
        self.model = model;
        if self.words.capacity() > WORTH_KEEPING {
            self.words = FxHashMap::default();
        }
        self.words.clear();
        self.wide = FxHashMap::default();
    }

    pub fn model(&self) -> &Rc<Model> {
        &self.model
    }

    /// The value of an expression that is not an array.
    pub fn value(&mut self, arena: &Arena, expr: Expr) -> Bits {
        self.complete(arena, expr);
        // What is complete has a value.
        self.bits(arena, expr).unwrap_or_else(|Missing| Bits::zero(arena.width(expr)))
    }

    /// The same for up to 64 bits.
    pub fn word(&mut self, arena: &Arena, expr: Expr) -> u64 {
        debug_assert!(arena.width(expr) <= 64);
        self.complete(arena, expr);
        self.known_word(arena, expr).unwrap_or(0)
    }

    /// Whether an expression of one bit holds.
    pub fn holds(&mut self, arena: &Arena, expr: Expr) -> bool {
        self.word(arena, expr) != 0
    }

    /// The value for this expression, as if the model had said so; for values of functions that are known from elsewhere.
    pub fn assume(&mut self, arena: &Arena, expr: Expr, value: &Bits) {
        self.remember(arena, expr, value.clone());
    }

    /// Computes until the expression has a value.
    fn complete(&mut self, arena: &Arena, expr: Expr) {
        if self.generation != arena.generation() {
            self.words.clear();
            self.wide.clear();
            self.generation = arena.generation();
        }
        if self.is_known(arena, expr) {
            return;
        }
        // What is put on the list is not known then. It may be there twice, and be computed twice, from what is known.
        self.pending.clear();
        self.pending.push(expr);
        while let Some(&next) = self.pending.last() {
            let wanted = self.pending.len();
            if self.compute(arena, next).is_ok() {
                debug_assert_eq!(self.pending.len(), wanted);
                self.pending.pop();
            }
        }
    }

    fn is_known(&self, arena: &Arena, expr: Expr) -> bool {
        let node = arena.node(expr);
        match node.op {
            Op::Constant | Op::Variable => true,
            _ if node.width <= 64 => self.words.contains_key(&expr),
            _ => self.wide.contains_key(&expr),
        }
    }

    #[inline]
    fn known_word(&self, arena: &Arena, expr: Expr) -> Option<u64> {
        let node = arena.node(expr);
        match node.op {
            Op::Constant => Some(u64::from(node.a) | u64::from(node.b) << 32),
            Op::Variable => Some(self.model.word(VariableId::from_u32(node.a))),
            _ => self.words.get(&expr).copied(),
        }
    }

    /// The value of an operand of up to 64 bits.
    #[inline]
    fn operand(&mut self, arena: &Arena, expr: Expr) -> Computed<u64> {
        self.known_word(arena, expr).ok_or_else(|| {
            self.pending.push(expr);
            Missing
        })
    }

    /// The value of an operand of any width.
    fn bits(&mut self, arena: &Arena, expr: Expr) -> Computed<Bits> {
        let node = arena.node(expr);
        if node.width <= 64 {
            return Ok(Bits::from_u64(node.width, self.operand(arena, expr)?));
        }
        let known = match node.op {
            Op::Constant => arena.as_constant(expr),
            Op::Variable => {
                let value = self.model.get(VariableId::from_u32(node.a));
                Some(value.cloned().unwrap_or_else(|| Bits::zero(node.width)))
            }
            _ => self.wide.get(&expr).cloned(),
        };
        known.ok_or_else(|| {
            self.pending.push(expr);
            Missing
        })
    }

    fn remember(&mut self, arena: &Arena, expr: Expr, value: Bits) {
        if arena.width(expr) <= 64 {
            self.words.insert(expr, value.low_u64());
        } else {
            self.wide.insert(expr, value);
        }
    }

    /// Computes one node from its operands, or asks for them.
    fn compute(&mut self, arena: &Arena, expr: Expr) -> Computed<()> {
        let node = arena.node(expr);
        // Which way a choice goes is known before what stands there.
        let chosen = match node.op {
            Op::Ite => Some(if self.operand(arena, node.first())? != 0 { node.second() } else { node.third() }),
            Op::Select => self.element(arena, node.first(), node.second())?,
            _ => None,
        };
        if let Some(chosen) = chosen {
            return match node.width <= 64 {
                true => {
                    let value = self.operand(arena, chosen)?;
                    self.words.insert(expr, value);
                    Ok(())
                }
                false => {
                    let value = self.bits(arena, chosen)?;
                    self.wide.insert(expr, value);
                    Ok(())
                }
            };
        }
        if node.width <= 64
            && let Some(value) = self.word_node(arena, &node)?
        {
            self.words.insert(expr, value);
            return Ok(());
        }
        let value = self.any_node(arena, expr, &node)?;
        self.remember(arena, expr, value);
        Ok(())
    }

    /// Nodes whose operands and result are words; `None` for others.
    #[inline]
    fn word_node(&mut self, arena: &Arena, node: &Node) -> Computed<Option<u64>> {
        if node.op.operands() == 0 || matches!(node.op, Op::Select | Op::Float(..) | Op::FloatConvert(..)) {
            return Ok(None);
        }
        let operand_width = arena.width(node.first());
        if operand_width > 64 {
            return Ok(None);
        }
        if node.op.operands() == 1 {
            let a = self.operand(arena, node.first())?;
            return Ok(Some(match node.op {
                Op::Not => truncate(node.width, !a),
                Op::Extract => truncate(node.width, a >> node.b),
                Op::SignExtend => sign_extend_to(operand_width, node.width, a),
                _ => a,
            }));
        }
        // Both are asked for at once.
        let (a, b) = (self.operand(arena, node.first()), self.operand(arena, node.second()));
        let (a, b) = (a?, b?);
        Ok(Some(match node.op {
            Op::Concat => a << arena.width(node.second()) | b,
            op => semantics::word::binary(op, operand_width, a, b),
        }))
    }

    fn any_node(&mut self, arena: &Arena, expr: Expr, node: &Node) -> Computed<Bits> {
        match node.op {
            Op::Float(operation, kind, rounding) => {
                let operands = self.all(arena, &arena.operands(expr))?;
                Ok(semantics::float::operation_on_bits(operation, kind, rounding, node.width, &operands))
            }
            Op::FloatConvert(from, to, rounding) => {
                let pattern = self.bits(arena, node.first())?.low_u128();
                Ok(Bits::from_u128(node.width, semantics::float::convert_kind(from, to, rounding, pattern)))
            }
            Op::Call => {
                let arguments = self.all(arena, arena.arguments(expr))?;
                Ok((arena.function(FunctionId::from_u32(node.a)).evaluate)(&arguments, node.width))
            }
            Op::Select => self.element_of_variable(arena, node),
            Op::Not => Ok(self.bits(arena, node.first())?.not()),
            Op::Extract => Ok(self.bits(arena, node.first())?.extract(node.b, node.width)),
            Op::ZeroExtend => Ok(self.bits(arena, node.first())?.zext(node.width)),
            Op::SignExtend => Ok(self.bits(arena, node.first())?.sext(node.width)),
            _ => {
                let (a, b) = (self.bits(arena, node.first()), self.bits(arena, node.second()));
                let (a, b) = (a?, b?);
                Ok(if node.op == Op::Concat { a.concat(&b) } else { semantics::wide::binary(node.op, &a, &b) })
            }
        }
    }

    fn all(&mut self, arena: &Arena, operands: &[Expr]) -> Computed<SmallVec<[Bits; 3]>> {
        let mut values = SmallVec::new();
        let mut complete = true;
        for operand in operands {
            match self.bits(arena, *operand) {
                Ok(bits) => values.push(bits),
                Err(Missing) => complete = false,
            }
        }
        if complete { Ok(values) } else { Err(Missing) }
    }

    /// The expression that stands at an index of an array: what was stored there last, or an element of a table. `None` if it is
    /// not an expression: an element of an array variable, or one past the end of a table.
    fn element(&mut self, arena: &Arena, array: Expr, index: Expr) -> Computed<Option<Expr>> {
        let wanted = self.bits(arena, index)?;
        let mut at = array;
        let mut complete = true;
        let mut found = None;
        loop {
            let node = arena.node(at);
            match node.op {
                Op::Store => {
                    // The indices of all stores on the way are asked for at once.
                    match self.bits(arena, node.second()) {
                        Ok(stored) if stored == wanted => found = Some(node.third()),
                        Ok(_) => {}
                        Err(Missing) => complete = false,
                    }
                    at = node.first();
                }
                Op::ArrayIte => {
                    let condition = self.operand(arena, node.first())?;
                    at = if condition != 0 { node.second() } else { node.third() };
                }
                Op::Table => {
                    let place = wanted.to_u64().and_then(|place| usize::try_from(place).ok());
                    found = place.and_then(|place| arena.elements(at).get(place).copied());
                }
                _ => {}
            }
            if found.is_some() || !matches!(node.op, Op::Store | Op::ArrayIte) {
                return if complete { Ok(found) } else { Err(Missing) };
            }
        }
    }

    /// Where `element` found no expression; everything that it needs is known.
    fn element_of_variable(&mut self, arena: &Arena, node: &Node) -> Computed<Bits> {
        let index = self.bits(arena, node.second())?;
        let mut at = node.first();
        loop {
            let array = arena.node(at);
            at = match array.op {
                Op::Store => array.first(),
                Op::ArrayIte if self.operand(arena, array.first())? != 0 => array.second(),
                Op::ArrayIte => array.third(),
                Op::ArrayVariable => {
                    let model = self.model.array(VariableId::from_u32(array.a));
                    return Ok(model.map_or_else(|| Bits::zero(node.width), |model| model.element(&index).clone()));
                }
                // Past the end of a table.
                _ => return Ok(Bits::zero(node.width)),
            };
        }
    }
}

/// The value of one expression under a model. Whoever evaluates several keeps an [`Evaluator`].
pub fn evaluate(arena: &Arena, model: &Rc<Model>, expr: Expr) -> Bits {
    Evaluator::new(Rc::clone(model)).value(arena, expr)
}
