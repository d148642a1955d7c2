//! From expressions to literals, each expression once. Arrays are read in `array`; clauses are made in `instance`.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Arena, Expr, Op};

use super::array::Read;
use super::gate::{Gates, Literal, Owner};
use super::inspect;
use super::vector::{Vector, complement, constant};

/// The query has more gates than its effort pays for.
pub(super) struct TooLarge;

/// What must be encoded; deep expressions must not use up the stack of the machine.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Value(Expr),
    /// The element of an array at an index.
    Read(Expr, Expr),
}

pub(super) struct Encoder {
    pub(super) gates: Gates,
    /// The literals of all expressions, one after the other.
    literals: Vec<Literal>,
    /// Where those of an expression begin, plus one; 0 if it is not encoded.
    starts: Vec<u32>,
    /// The same for elements of arrays.
    read_starts: FxHashMap<(Expr, Expr), u32>,
    /// The elements of array variables, and where to find one by its array and its index.
    pub(super) reads: Vec<Read>,
    pub(super) read_numbers: FxHashMap<(Expr, Box<[Literal]>), u32>,
    /// Quotients with their remainders, by dividend and divisor.
    divisions: FxHashMap<(Vector, Vector), (Vector, Vector)>,
    stack: Vec<Task>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder {
            gates: Gates::new(),
            literals: Vec::new(),
            starts: Vec::new(),
            read_starts: FxHashMap::default(),
            reads: Vec::new(),
            read_numbers: FxHashMap::default(),
            divisions: FxHashMap::default(),
            stack: Vec::new(),
        }
    }

    /// The literals of an expression, if it is encoded.
    pub(super) fn encoded(&self, arena: &Arena, expr: Expr) -> Option<&[Literal]> {
        let start = self.starts.get(expr.as_u32() as usize).copied().unwrap_or(0).checked_sub(1)?;
        Some(&self.literals[start as usize..][..arena.width(expr) as usize])
    }

    /// A copy of the literals of an expression that is encoded.
    pub(super) fn vector(&self, arena: &Arena, expr: Expr) -> Vector {
        debug_assert!(self.is_done(Task::Value(expr)));
        self.encoded(arena, expr).unwrap_or_default().into()
    }

    /// A copy of the literals of an element that is encoded.
    pub(super) fn read_vector(&self, arena: &Arena, array: Expr, index: Expr) -> Vector {
        let start = self.read_starts[&(array, index)] as usize;
        self.literals[start..][..arena.width(array) as usize].into()
    }

    pub(super) fn is_done(&self, task: Task) -> bool {
        match task {
            Task::Value(expr) => self.starts.get(expr.as_u32() as usize).is_some_and(|&start| start != 0),
            Task::Read(array, index) => self.read_starts.contains_key(&(array, index)),
        }
    }

    /// The literal of a constraint. Gives up when there would be more gates than `most`; what is encoded then stays.
    pub(super) fn constraint(&mut self, arena: &Arena, constraint: Expr, most: usize) -> Result<Literal, TooLarge> {
        debug_assert_eq!(arena.width(constraint), 1);
        if let Some(&[literal]) = self.encoded(arena, constraint) {
            return Ok(literal);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(Task::Value(constraint));
        let mut result = Ok(());
        while let Some(&task) = stack.last() {
            if self.is_done(task) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.push_missing(arena, task, &mut stack);
            if stack.len() == before {
                // One product of very wide numbers alone may be too much.
                let needed = match task {
                    Task::Value(expr) => inspect::gates(arena, expr),
                    Task::Read(..) => 0,
                };
                if (self.gates.len() as u64).saturating_add(needed) > most as u64 {
                    result = Err(TooLarge);
                    break;
                }
                self.build(arena, task);
                stack.pop();
            }
        }
        stack.clear();
        self.stack = stack;
        result.map(|()| self.vector(arena, constraint)[0])
    }

    /// Pushes what must be encoded before the task.
    fn push_missing(&mut self, arena: &Arena, task: Task, stack: &mut Vec<Task>) {
        match task {
            Task::Value(expr) => {
                let node = arena.node(expr);
                if node.op == Op::Select {
                    let needed = [Task::Value(node.second()), Task::Read(node.first(), node.second())];
                    stack.extend(needed.into_iter().filter(|&task| !self.is_done(task)));
                    return;
                }
                let operands = arena.operands(expr);
                stack.extend(operands.into_iter().map(Task::Value).filter(|&task| !self.is_done(task)));
            }
            Task::Read(array, index) => self.push_missing_for_read(arena, array, index, stack),
        }
    }

    fn build(&mut self, arena: &Arena, task: Task) {
        match task {
            Task::Value(expr) => {
                let node = arena.node(expr);
                let start = match node.op {
                    Op::Select => self.read_starts[&(node.first(), node.second())],
                    _ => {
                        let vector = self.value(arena, expr);
                        self.keep(&vector)
                    }
                };
                let at = expr.as_u32() as usize;
                if self.starts.len() <= at {
                    self.starts.resize((at + 1).max(arena.capacity()), 0);
                }
                self.starts[at] = start + 1;
            }
            Task::Read(array, index) => {
                let vector = self.element(arena, array, index);
                let start = self.keep(&vector);
                self.read_starts.insert((array, index), start);
            }
        }
    }

    fn keep(&mut self, vector: &[Literal]) -> u32 {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(vector);
        start
    }

    /// The literals of an expression whose operands are encoded.
    fn value(&mut self, arena: &Arena, expr: Expr) -> Vector {
        let node = arena.node(expr);
        let width = node.width as usize;
        match node.op {
            Op::Constant => return arena.as_constant(expr).map(|bits| constant(&bits)).unwrap_or_default(),
            Op::Variable => return self.gates.inputs(width, Owner::Nobody),
            _ => {}
        }
        let a = self.vector(arena, node.first());
        match node.op {
            Op::Not => return complement(&a),
            Op::Extract => return a[node.b as usize..][..width].into(),
            Op::ZeroExtend => return extended(a, width, Literal::FALSE),
            Op::SignExtend => {
                let sign = a[a.len() - 1];
                return extended(a, width, sign);
            }
            _ => {}
        }
        let b = self.vector(arena, node.second());
        if node.op == Op::Ite {
            let c = self.vector(arena, node.third());
            return self.gates.choose(a[0], &b, &c);
        }
        self.binary(node.op, &a, &b)
    }

    fn binary(&mut self, op: Op, a: &[Literal], b: &[Literal]) -> Vector {
        let gates = &mut self.gates;
        let bit = |literal: Literal| -> Vector { [literal].into_iter().collect() };
        let pairs = a.iter().copied().zip(b.iter().copied());
        match op {
            Op::And => pairs.map(|(a, b)| gates.and(a, b)).collect(),
            Op::Or => pairs.map(|(a, b)| gates.or(a, b)).collect(),
            Op::Xor => pairs.map(|(a, b)| gates.xor(a, b)).collect(),
            Op::Add => gates.add(a, b),
            Op::Sub => gates.subtract(a, b),
            Op::Mul => gates.multiply(a, b),
            Op::UDiv => self.divided(a, b).0,
            Op::URem => self.divided(a, b).1,
            Op::SDiv => self.signed_divided(a, b).0,
            Op::SRem => self.signed_divided(a, b).1,
            Op::Shl => gates.shift_left(a, b),
            Op::LShr => gates.shift_right(a, b, Literal::FALSE),
            Op::AShr => gates.shift_right(a, b, a[a.len() - 1]),
            Op::Equal => bit(gates.equal(a, b)),
            Op::UnsignedLess => bit(gates.unsigned_less(a, b)),
            Op::UnsignedLessEqual => bit(!gates.unsigned_less(b, a)),
            Op::SignedLess => bit(gates.signed_less(a, b)),
            Op::SignedLessEqual => bit(!gates.signed_less(b, a)),
            Op::Concat => b.iter().chain(a).copied().collect(),
            _ => unreachable!("{op:?} was found inexpressible before"),
        }
    }

    fn divided(&mut self, a: &[Literal], b: &[Literal]) -> (Vector, Vector) {
        let key = (Vector::from(a), Vector::from(b));
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let result = self.gates.divide(a, b);
        self.divisions.insert(key, result.clone());
        result
    }

    /// Toward zero, by the absolute values; so SMT-LIB defines it, for zero too.
    fn signed_divided(&mut self, a: &[Literal], b: &[Literal]) -> (Vector, Vector) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let absolute_a = self.gates.negate_if(sign_a, a);
        let absolute_b = self.gates.negate_if(sign_b, b);
        let (quotient, remainder) = self.divided(&absolute_a, &absolute_b);
        let sign = self.gates.xor(sign_a, sign_b);
        (self.gates.negate_if(sign, &quotient), self.gates.negate_if(sign_a, &remainder))
    }
}

fn extended(mut vector: Vector, width: usize, fill: Literal) -> Vector {
    vector.resize(width, fill);
    vector
}
