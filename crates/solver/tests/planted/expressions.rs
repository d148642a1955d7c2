//! Random expressions of given types over given variables, with all operations of the DAG. Built exactly as drawn,
//! without rules.

use symcrete_expr::dag::{FloatOperation, Function, FunctionId, Op, Rounding};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};
use symcrete_solver::Random;

use crate::functions;

/// What an expression is meant to be. Floats are bits all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bits(u32),
    Float(FloatKind),
}

impl Type {
    pub fn width(self) -> u32 {
        match self {
            Type::Bits(width) => width,
            Type::Float(kind) => kind.bits(),
        }
    }
}

/// Which operations a system may have: most programs have few kinds, and a solver may be good at some.
#[derive(Clone, Copy, Debug)]
pub struct Flavour {
    pub products: bool,
    pub divisions: bool,
    pub tables: bool,
    pub floats: bool,
    pub calls: bool,
    /// Sums and products of variables for the most part: equations in which every variable counts.
    pub dense: bool,
}

pub struct Expressions<'r> {
    pub random: &'r mut Random,
    pub arena: Arena,
    pub variables: Vec<(Expr, Type)>,
    pub flavour: Flavour,
    /// What was made so far and may be used once more.
    made: Vec<(Expr, Type)>,
    /// Each with the number of its arguments, all doubles.
    doubles: Vec<(FunctionId, usize)>,
    opaque: FunctionId,
}

pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];
const KINDS: [FloatKind; 2] = [FloatKind::Single, FloatKind::Double];
const BITWISE: [Op; 5] = [Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor];
const SHIFTS: [Op; 3] = [Op::Shl, Op::LShr, Op::AShr];
const DIVISIONS: [Op; 4] = [Op::UDiv, Op::SDiv, Op::URem, Op::SRem];
pub const COMPARISONS: [Op; 5] =
    [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];
pub const FLOAT_COMPARISONS: [FloatOperation; 3] =
    [FloatOperation::Equal, FloatOperation::Less, FloatOperation::LessEqual];
const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

impl<'r> Expressions<'r> {
    pub fn new(random: &'r mut Random, flavour: Flavour) -> Expressions<'r> {
        let mut arena = Arena::without_rules();
        let doubles =
            functions::doubles().into_iter().map(|(function, arguments)| (arena.add_function(function), arguments));
        let doubles = doubles.collect();
        let opaque: Function = functions::opaque();
        let opaque = arena.add_function(opaque);
        Expressions { random, arena, variables: Vec::new(), flavour, made: Vec::new(), doubles, opaque }
    }

    pub fn chance(&mut self, one_in: u64) -> bool {
        self.random.below(one_in) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.random.one_of(from)
    }

    /// An expression with about so many operations.
    pub fn value(&mut self, ty: Type, operations: u32) -> Expr {
        let again: Vec<Expr> = self.made.iter().filter(|(_, own)| *own == ty).map(|(expr, _)| *expr).collect();
        if operations > 0 && !again.is_empty() && self.chance(8) {
            return self.pick(&again);
        }
        let made = match ty {
            _ if operations == 0 => return self.leaf(ty),
            Type::Bits(width) => self.bits(width, operations - 1),
            Type::Float(kind) => self.float(kind, operations - 1),
        };
        self.made.push((made, ty));
        made
    }

    /// So many operations for two operands.
    fn split(&mut self, operations: u32) -> (u32, u32) {
        let left = self.random.below(u64::from(operations) + 1) as u32;
        (left, operations - left)
    }

    fn pair(&mut self, ty: Type, operations: u32) -> (Expr, Expr) {
        let (left, right) = self.split(operations);
        (self.value(ty, left), self.value(ty, right))
    }

    fn leaf(&mut self, ty: Type) -> Expr {
        let own: Vec<Expr> = self.variables.iter().filter(|(_, own)| *own == ty).map(|(expr, _)| *expr).collect();
        let constants = if self.flavour.dense { 12 } else { 4 };
        if !own.is_empty() && !self.chance(constants) {
            return self.pick(&own);
        }
        let others: Vec<Expr> = self.variables.iter().map(|(expr, _)| *expr).collect();
        if let Type::Bits(width) = ty
            && !self.chance(3)
        {
            let other = self.pick(&others);
            return self.resized(other, width);
        }
        let constant = self.constant(ty);
        self.arena.constant(&constant)
    }

    fn resized(&mut self, expr: Expr, width: u32) -> Expr {
        let own = self.arena.width(expr);
        if own > width {
            let low = self.random.below(u64::from(own - width) + 1) as u32;
            return self.arena.extract(expr, low, width);
        }
        match (own == width, self.chance(2)) {
            (true, _) => expr,
            (false, true) => self.arena.zero_extend(expr, width),
            (false, false) => self.arena.sign_extend(expr, width),
        }
    }

    /// Often a number at which something changes, or a small one.
    pub fn constant(&mut self, ty: Type) -> Bits {
        match ty {
            Type::Bits(width) => match self.random.below(6) {
                0 => Bits::zero(width),
                1 => Bits::ones(width),
                2 | 3 => Bits::from_u64(width, self.random.below(16)),
                4 => Bits::from_u64(width, 1 << self.random.below(u64::from(width))),
                _ => Bits::from_u64(width, self.random.bits()),
            },
            Type::Float(kind) => {
                let number = match self.random.below(10) {
                    0..=3 => self.random.below(21) as f64 - 10.0,
                    4..=5 => (self.random.below(801) as f64 - 400.0) / 8.0,
                    6 => (self.random.fraction() - 0.5) * 2.0,
                    7 => (self.random.fraction() - 0.5) * 1e6,
                    8 => self.pick(&[0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, 1e30]),
                    _ => f64::from_bits(self.random.bits()),
                };
                match kind {
                    FloatKind::Single => Bits::from_u64(32, u64::from((number as f32).to_bits())),
                    _ => Bits::from_u64(64, number.to_bits()),
                }
            }
        }
    }

    fn bits(&mut self, width: u32, operations: u32) -> Expr {
        let ty = Type::Bits(width);
        if self.flavour.dense && !self.chance(5) {
            return self.binary(&[Op::Add, Op::Sub, Op::Mul, Op::Xor], ty, operations);
        }
        match self.random.below(16) {
            0..=3 => self.binary(&BITWISE, ty, operations),
            4 => self.binary(if self.flavour.products { &[Op::Mul] } else { &BITWISE }, ty, operations),
            5 => self.binary(if self.flavour.divisions { &DIVISIONS } else { &SHIFTS }, ty, operations),
            6 => self.binary(&SHIFTS, ty, operations),
            7 => {
                let a = self.value(ty, operations);
                self.arena.not(a)
            }
            8 => {
                let (condition, values) = self.split(operations);
                let condition = self.condition(condition);
                let (a, b) = self.pair(ty, values);
                self.arena.ite(condition, a, b)
            }
            9 | 10 => {
                let other = self.pick(&WIDTHS);
                let a = self.value(Type::Bits(other), operations);
                self.resized(a, width)
            }
            11 => {
                let (a, b) = self.pair(ty, operations);
                let cut = self.random.below(u64::from(width) - 1) as u32 + 1;
                let (high, low) = (self.arena.extract(a, 0, width - cut), self.arena.extract(b, width - cut, cut));
                self.arena.concat(high, low)
            }
            12 if self.flavour.tables => self.element(width, operations),
            13 if self.flavour.calls => {
                let (a, b) = self.pair(ty, operations);
                let narrow = self.arena.extract(b, 0, 8);
                self.arena.call(self.opaque, width, &[a, narrow])
            }
            14 | 15 if self.flavour.floats => self.bits_of_float(width, operations),
            _ => self.binary(&BITWISE, ty, operations),
        }
    }

    fn binary(&mut self, ops: &[Op], ty: Type, operations: u32) -> Expr {
        let (a, b) = self.pair(ty, operations);
        let op = self.pick(ops);
        self.arena.binary(op, a, b)
    }

    /// Of a table, perhaps with something stored in it, at an index that depends on variables.
    fn element(&mut self, width: u32, operations: u32) -> Expr {
        let ty = Type::Bits(width);
        let (in_table, in_index) = self.split(operations);
        let count = self.random.below(8) + 1;
        let elements: Vec<Expr> =
            (0..count).map(|at| if at == 0 { self.value(ty, in_table) } else { self.leaf(ty) }).collect();
        let index_width = self.pick(&[8, 16]);
        let mut table = self.arena.table(index_width, width, &elements);
        if self.chance(3) {
            let (index, new) = (self.leaf(Type::Bits(index_width)), self.leaf(ty));
            table = self.arena.store(table, index, new);
        }
        let index = self.value(Type::Bits(index_width), in_index);
        // Often one that is in the table.
        let mask = self.arena.word(index_width, 7);
        let index = if self.chance(2) { self.arena.binary(Op::And, index, mask) } else { index };
        self.arena.select(table, index)
    }

    fn bits_of_float(&mut self, width: u32, operations: u32) -> Expr {
        let kind = self.pick(&KINDS);
        let float = self.value(Type::Float(kind), operations);
        if self.chance(3) {
            return self.resized(float, width);
        }
        let operation = self.pick(&[FloatOperation::ToSigned, FloatOperation::ToUnsigned]);
        self.arena.float(operation, kind, Rounding::Zero, width, &[float])
    }

    fn rounding(&mut self) -> Rounding {
        if self.chance(10) { self.pick(&ROUNDINGS) } else { Rounding::NearestEven }
    }

    fn float(&mut self, kind: FloatKind, operations: u32) -> Expr {
        use FloatOperation::*;
        let ty = Type::Float(kind);
        if self.flavour.dense && !self.chance(4) {
            return self.float_operation(&[Add, Sub, Mul, Div], kind, operations);
        }
        match self.random.below(18) {
            0..=6 => self.float_operation(&[Add, Sub, Mul], kind, operations),
            7 => self.float_operation(if self.flavour.divisions { &[Div, Rem] } else { &[Add] }, kind, operations),
            8 => self.float_operation(&[SquareRoot, MultiplyAdd, RoundToIntegral], kind, operations),
            9 => {
                let a = self.value(ty, operations);
                if self.chance(2) { self.arena.float_neg(kind, a) } else { self.arena.float_abs(kind, a) }
            }
            10 => {
                let (from, rounding) = (self.pick(&KINDS), self.rounding());
                let a = self.value(Type::Float(from), operations);
                if from == kind { a } else { self.arena.float_convert(from, kind, rounding, a) }
            }
            11 | 12 => {
                let (width, rounding) = (self.pick(&WIDTHS), self.rounding());
                let integer = self.value(Type::Bits(width), operations);
                let operation = self.pick(&[FromSigned, FromUnsigned]);
                self.arena.float(operation, kind, rounding, kind.bits(), &[integer])
            }
            13 => {
                let (condition, values) = self.split(operations);
                let condition = self.condition(condition);
                let (a, b) = self.pair(ty, values);
                self.arena.ite(condition, a, b)
            }
            14 => self.value(Type::Bits(kind.bits()), operations),
            15..=17 if self.flavour.calls => {
                let functions = self.doubles.clone();
                let (function, arguments) = self.pick(&functions);
                let (a, b) = self.pair(Type::Float(FloatKind::Double), operations);
                let called = self.arena.call(function, 64, &[a, b][..arguments]);
                match kind {
                    FloatKind::Double => called,
                    _ => self.arena.float_convert(FloatKind::Double, kind, Rounding::NearestEven, called),
                }
            }
            _ => self.float_operation(&[Add, Mul], kind, operations),
        }
    }

    fn float_operation(&mut self, from: &[FloatOperation], kind: FloatKind, operations: u32) -> Expr {
        let operation = self.pick(from);
        let rounding = match operation {
            FloatOperation::RoundToIntegral => self.pick(&ROUNDINGS),
            FloatOperation::Rem => Rounding::NearestEven,
            _ => self.rounding(),
        };
        let count = operation.operands() as u32;
        let operands: Vec<Expr> = (0..count).map(|_| self.value(Type::Float(kind), operations / count)).collect();
        self.arena.float(operation, kind, rounding, kind.bits(), &operands)
    }

    /// The type of a variable: values of such a type have something to do with them.
    pub fn some_type(&mut self) -> Type {
        let types: Vec<Type> = self.variables.iter().map(|(_, ty)| *ty).collect();
        self.pick(&types)
    }

    pub fn condition(&mut self, operations: u32) -> Expr {
        if operations > 2 && self.chance(4) {
            let (left, right) = self.split(operations - 1);
            let (a, b) = (self.condition(left), self.condition(right));
            let op = self.pick(&[Op::And, Op::Or, Op::Xor]);
            return self.arena.binary(op, a, b);
        }
        if operations > 1 && self.chance(6) {
            let a = self.condition(operations - 1);
            return self.arena.not(a);
        }
        let ty = self.some_type();
        let (left, right) = self.split(operations);
        let (a, b) = (self.value(ty, left), self.value(ty, right));
        self.comparison(ty, a, b)
    }

    /// Any comparison of two values.
    pub fn comparison(&mut self, ty: Type, a: Expr, b: Expr) -> Expr {
        match ty {
            Type::Float(kind) if !self.chance(8) => {
                let operation = self.pick(&FLOAT_COMPARISONS);
                self.arena.float(operation, kind, Rounding::NearestEven, 1, &[a, b])
            }
            _ => {
                let op = self.pick(&COMPARISONS);
                self.arena.compare(op, a, b)
            }
        }
    }
}
