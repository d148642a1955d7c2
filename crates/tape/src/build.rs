//! From expressions to a tape: which slots and instructions the values of the constraints need. Scores are in `score`.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_expr::dag::{FloatOperation, FunctionId, Node, Op, VariableId, post_order};
use symcrete_expr::{Arena, Bits, Expr};

use crate::score::Metric;
use crate::tape::{Callee, General, Input, Instruction, Operation, Output, Slot, Tape};

/// Why there is no tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the constraints have more than {0} operations")]
    TooLarge(usize),
    #[error("the constraints have an array whose elements are all unknown")]
    ArrayVariable,
    #[error("the constraints have elements of arrays of more than 64 bits")]
    WideElements,
}

impl Tape {
    /// A tape for the scores of these constraints, unless it would have more than so many instructions.
    pub fn new(arena: &Arena, constraints: &[Expr], metric: Metric, most: usize) -> Result<Tape, Refused> {
        Tape::with(arena, constraints, most, |builder, constraint| builder.output(constraint, metric))
    }

    /// A tape that tells which constraints hold: their score is zero, and that of the others one.
    pub fn of_truths(arena: &Arena, constraints: &[Expr], most: usize) -> Result<Tape, Refused> {
        Tape::with(arena, constraints, most, |builder, constraint| {
            Ok(Output { score: builder.flat(constraint, true)?, gap: None })
        })
    }

    fn with(
        arena: &Arena,
        constraints: &[Expr],
        most: usize,
        mut output: impl FnMut(&mut Builder, Expr) -> Result<Output, Refused>,
    ) -> Result<Tape, Refused> {
        let mut seen = EntitySet::new();
        let order = post_order(arena, constraints.iter().copied(), &mut seen);
        if order.len() > most {
            return Err(Refused::TooLarge(most));
        }
        let mut builder = Builder::new(arena, most);
        builder.reserve(&order)?;
        for expr in order {
            builder.value(expr)?;
        }
        for constraint in constraints {
            let output = output(&mut builder, *constraint)?;
            builder.tape.outputs.push(output);
        }
        Ok(builder.tape)
    }
}

pub(crate) struct Builder<'a> {
    pub arena: &'a Arena,
    pub tape: Tape,
    most: usize,
    functions: FxHashMap<FunctionId, u32>,
    tables: FxHashMap<Expr, u32>,
    lists: FxHashMap<Expr, u32>,
    /// Elements of arrays that were read, by array and index.
    elements: FxHashMap<(Expr, Slot), Slot>,
    /// Scores by condition and the value that is wanted of it.
    pub scores: FxHashMap<(Expr, bool), Slot>,
    zero: Slot,
}

impl<'a> Builder<'a> {
    fn new(arena: &'a Arena, most: usize) -> Builder<'a> {
        let tape = Tape {
            inputs: Vec::new(),
            words: 0,
            initial: Vec::new(),
            instructions: Vec::new(),
            lists: Vec::new(),
            tables: Vec::new(),
            functions: Vec::new(),
            general: Vec::new(),
            wide_constants: Vec::new(),
            outputs: Vec::new(),
            slots: FxHashMap::default(),
        };
        Builder {
            arena,
            tape,
            most,
            functions: FxHashMap::default(),
            tables: FxHashMap::default(),
            lists: FxHashMap::default(),
            elements: FxHashMap::default(),
            scores: FxHashMap::default(),
            zero: 0,
        }
    }

    /// Gives slots to all that is not computed: inputs first, in the order of their numbers, then constants.
    fn reserve(&mut self, order: &[Expr]) -> Result<(), Refused> {
        let arena = self.arena;
        let is = |op: Op| move |expr: &&Expr| arena.node(**expr).op == op;
        if order.iter().any(|expr| arena.node(*expr).op == Op::ArrayVariable) {
            return Err(Refused::ArrayVariable);
        }
        let mut inputs: Vec<(VariableId, Expr)> = order
            .iter()
            .filter(is(Op::Variable))
            .map(|expr| (VariableId::from_u32(arena.node(*expr).a), *expr))
            .collect();
        inputs.sort_unstable();
        for (variable, expr) in inputs {
            let (width, slot, word) = (arena.width(expr), self.tape.initial.len() as u32, self.tape.words as u32);
            self.tape.inputs.push(Input { variable, width, word, slot });
            self.tape.words += width.div_ceil(64) as usize;
            self.tape.initial.push(0);
            self.tape.slots.insert(expr, slot);
        }
        self.zero = self.tape.initial.len() as u32;
        self.tape.initial.push(0);
        for expr in order.iter().filter(is(Op::Constant)) {
            let slot = self.tape.initial.len() as u32;
            let bits = arena.as_constant(*expr).unwrap_or_else(|| Bits::zero(1));
            self.tape.initial.push(bits.low_u64());
            if bits.width() > 64 {
                self.tape.wide_constants.push((slot, bits));
            }
            self.tape.slots.insert(*expr, slot);
        }
        Ok(())
    }

    pub fn push(&mut self, op: Operation, a: u32, b: u32, c: u32) -> Result<Slot, Refused> {
        if self.tape.instructions.len() >= self.most {
            return Err(Refused::TooLarge(self.most));
        }
        let slot = self.tape.slot_count() as u32;
        self.tape.instructions.push(Instruction { op, a, b, c });
        Ok(slot)
    }

    /// The slot of an expression that has one.
    pub fn slot(&self, expr: Expr) -> Slot {
        self.tape.slots[&expr]
    }

    /// Gives a slot to a node whose operands have theirs. Arrays have none: they are looked into where they are read.
    fn value(&mut self, expr: Expr) -> Result<(), Refused> {
        let node = self.arena.node(expr);
        if node.op.is_array() || self.tape.slots.contains_key(&expr) {
            return Ok(());
        }
        let slot = match node.op {
            Op::Select => {
                if node.width > 64 || self.arena.width(node.second()) > 64 {
                    return Err(Refused::WideElements);
                }
                let index = self.slot(node.second());
                self.element(node.first(), index, self.arena.width(node.second()))?
            }
            Op::Call => self.call(expr, &node)?,
            _ if self.is_wide(expr, &node) => self.general(expr, &node)?,
            _ => self.word(&node)?,
        };
        self.tape.slots.insert(expr, slot);
        Ok(())
    }

    fn is_wide(&self, expr: Expr, node: &Node) -> bool {
        node.width > 64 || self.arena.operands(expr).iter().any(|operand| self.arena.width(*operand) > 64)
    }

    /// A node all of whose values are words.
    fn word(&mut self, node: &Node) -> Result<Slot, Refused> {
        let operand = |at: usize| -> (Slot, u32) {
            let expr = [node.first(), node.second(), node.third()][at];
            (self.slot(expr), self.arena.width(expr))
        };
        let (a, a_width) = operand(0);
        match node.op {
            Op::ZeroExtend => Ok(a),
            Op::Not => self.push(Operation::Not(node.width), a, 0, 0),
            Op::Extract => self.push(Operation::Extract { low: node.b, width: node.width }, a, 0, 0),
            Op::SignExtend => self.push(Operation::SignExtend { from: a_width, to: node.width }, a, 0, 0),
            Op::FloatConvert(from, to, rounding) => self.push(Operation::Convert(from, to, rounding), a, 0, 0),
            Op::Float(operation, kind, rounding) => {
                let others = [1, 2].map(|at| if at < operation.operands() { operand(at).0 } else { self.zero });
                let (width, operand) = (node.width as u8, a_width as u8);
                let op = Operation::Float { operation, kind, rounding, width, operand };
                self.push(op, a, others[0], others[1])
            }
            Op::Ite => self.push(Operation::Choose, a, operand(1).0, operand(2).0),
            Op::Concat => {
                let (low, width) = operand(1);
                self.push(Operation::Concat(width), a, low, 0)
            }
            op => {
                let b = operand(1).0;
                self.push(Operation::Binary(op, a_width), a, b, 0)
            }
        }
    }

    fn general(&mut self, expr: Expr, node: &Node) -> Result<Slot, Refused> {
        let operands = self.arena.operands(expr);
        let operands = operands.iter().map(|operand| (self.slot(*operand), self.arena.width(*operand))).collect();
        let at = self.tape.general.len() as u32;
        self.tape.general.push(General { op: node.op, width: node.width, number: node.b, operands });
        self.push(Operation::General, at, 0, 0)
    }

    fn call(&mut self, expr: Expr, node: &Node) -> Result<Slot, Refused> {
        let id = FunctionId::from_u32(node.a);
        let (arena, functions) = (self.arena, &mut self.tape.functions);
        let function = *self.functions.entry(id).or_insert_with(|| {
            let is_slow = arena.signature(id).is_some_and(|signature| signature.is_slow);
            functions.push(Callee { evaluate: arena.function(id).evaluate.clone(), native: arena.native(id), is_slow });
            functions.len() as u32 - 1
        });
        let list = self.list(expr, self.arena.arguments(expr));
        self.push(Operation::Call, function, list, node.width)
    }

    /// The slots of the elements of a table or the arguments of a call.
    fn list(&mut self, owner: Expr, members: &[Expr]) -> u32 {
        if let Some(list) = self.lists.get(&owner) {
            return *list;
        }
        let slots = members.iter().map(|member| (self.slot(*member), self.arena.width(*member))).collect();
        self.tape.lists.push(slots);
        let list = self.tape.lists.len() as u32 - 1;
        self.lists.insert(owner, list);
        list
    }

    /// The value that stands at an index of an array.
    fn element(&mut self, array: Expr, index: Slot, index_width: u32) -> Result<Slot, Refused> {
        // Down to where the array begins, then up again through what was stored over it.
        let mut layers = Vec::new();
        let mut at = array;
        let mut value = loop {
            if let Some(known) = self.elements.get(&(at, index)) {
                break *known;
            }
            let node = self.arena.node(at);
            match node.op {
                Op::Store => {
                    layers.push((at, node));
                    at = node.first();
                }
                Op::ArrayIte => {
                    let then = self.element(node.second(), index, index_width)?;
                    let otherwise = self.element(node.third(), index, index_width)?;
                    let condition = self.slot(node.first());
                    break self.push(Operation::Choose, condition, then, otherwise)?;
                }
                _ => break self.table_element(at, index)?,
            }
        };
        self.elements.insert((at, index), value);
        while let Some((layer, node)) = layers.pop() {
            let (stored_at, stored) = (self.slot(node.second()), self.slot(node.third()));
            let here = self.push(Operation::Binary(Op::Equal, index_width), stored_at, index, 0)?;
            value = self.push(Operation::Choose, here, stored, value)?;
            self.elements.insert((layer, index), value);
        }
        Ok(value)
    }

    fn table_element(&mut self, table: Expr, index: Slot) -> Result<Slot, Refused> {
        let elements = self.arena.elements(table);
        let constants: Option<Vec<u64>> = elements.iter().map(|element| self.arena.as_word(*element)).collect();
        match constants {
            Some(words) => {
                let next = self.tape.tables.len() as u32;
                let at = *self.tables.entry(table).or_insert(next);
                if at == next {
                    self.tape.tables.push(Rc::from(words));
                }
                self.push(Operation::Table, index, at, 0)
            }
            None => {
                let list = self.list(table, elements);
                self.push(Operation::Pick, index, list, 0)
            }
        }
    }

    fn output(&mut self, constraint: Expr, metric: Metric) -> Result<Output, Refused> {
        let score = self.score(constraint, true, metric)?;
        let gap = self.gap(constraint)?;
        Ok(Output { score, gap })
    }
}

/// Whether a float operation gives a truth value.
pub(crate) fn float_comparison(op: Op) -> Option<(FloatOperation, symcrete_expr::FloatKind)> {
    match op {
        Op::Float(operation, kind, _) if operation.is_comparison() => Some((operation, kind)),
        _ => None,
    }
}
