//! Writing queries in few words.

use std::rc::Rc;

use symcrete_expr::dag::{FloatOperation, Function, Op, Rounding, Variable};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};

/// A query of doubles, unless said otherwise.
pub struct Query {
    pub arena: Arena,
    pub constraints: Vec<Expr>,
    inputs: u32,
}

pub const DOUBLE: FloatKind = FloatKind::Double;

impl Query {
    pub fn new() -> Query {
        Query { arena: Arena::new(), constraints: Vec::new(), inputs: 0 }
    }

    pub fn input(&mut self, width: u32) -> Expr {
        self.inputs += 1;
        self.arena.variable(Variable { input: self.inputs, offset: 0, width, index_width: 0 })
    }

    pub fn double(&mut self) -> Expr {
        self.input(64)
    }

    /// A double that consists of bytes, as in memory.
    pub fn double_of_bytes(&mut self) -> Expr {
        let first = self.input(8);
        (0..7).fold(first, |whole, _| {
            let byte = self.input(8);
            self.arena.concat(whole, byte)
        })
    }

    pub fn number(&mut self, number: f64) -> Expr {
        self.arena.word(64, number.to_bits())
    }

    pub fn float(&mut self, operation: FloatOperation, a: Expr, b: Expr) -> Expr {
        self.arena.float(operation, DOUBLE, Rounding::NearestEven, 64, &[a, b])
    }

    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.float(FloatOperation::Add, a, b)
    }

    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.float(FloatOperation::Sub, a, b)
    }

    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.float(FloatOperation::Mul, a, b)
    }

    pub fn div(&mut self, a: Expr, b: Expr) -> Expr {
        self.float(FloatOperation::Div, a, b)
    }

    pub fn root(&mut self, a: Expr) -> Expr {
        self.arena.float(FloatOperation::SquareRoot, DOUBLE, Rounding::NearestEven, 64, &[a])
    }

    pub fn whole(&mut self, rounding: Rounding, a: Expr) -> Expr {
        self.arena.float(FloatOperation::RoundToIntegral, DOUBLE, rounding, 64, &[a])
    }

    pub fn float_of_int(&mut self, a: Expr) -> Expr {
        self.arena.float(FloatOperation::FromSigned, DOUBLE, Rounding::NearestEven, 64, &[a])
    }

    pub fn int_of_float(&mut self, a: Expr) -> Expr {
        self.arena.float(FloatOperation::ToSigned, DOUBLE, Rounding::Zero, 32, &[a])
    }

    pub fn call(&mut self, name: &str, compute: fn(f64) -> f64, a: Expr) -> Expr {
        let evaluate =
            move |arguments: &[Bits], _| Bits::from_u64(64, compute(f64::from_bits(arguments[0].low_u64())).to_bits());
        let function = self.arena.add_function(Function { name: name.to_owned(), evaluate: Rc::new(evaluate) });
        self.arena.call(function, 64, &[a])
    }

    pub fn call2(&mut self, name: &str, compute: fn(f64, f64) -> f64, a: Expr, b: Expr) -> Expr {
        let evaluate = move |arguments: &[Bits], _| {
            let [x, y] = [0, 1].map(|at| f64::from_bits(arguments[at].low_u64()));
            Bits::from_u64(64, compute(x, y).to_bits())
        };
        let function = self.arena.add_function(Function { name: name.to_owned(), evaluate: Rc::new(evaluate) });
        self.arena.call(function, 64, &[a, b])
    }

    /// As LLVM's `fcmp` numbers them: 1 equal, 2 greater, 4 less, 8 unordered.
    pub fn compare(&mut self, predicate: u8, a: Expr, b: Expr) -> Expr {
        self.arena.float_compare(DOUBLE, predicate, a, b)
    }

    pub fn is(&mut self, predicate: u8, a: Expr, b: Expr) {
        let condition = self.compare(predicate, a, b);
        self.constraints.push(condition);
    }

    pub fn less(&mut self, a: Expr, b: Expr) {
        self.is(4, a, b);
    }

    pub fn at_most(&mut self, a: Expr, b: Expr) {
        self.is(5, a, b);
    }

    /// What holds where `if (a < b)` was not taken.
    pub fn not_less(&mut self, a: Expr, b: Expr) {
        self.is(11, a, b);
    }

    pub fn less_than(&mut self, a: Expr, number: f64) {
        let number = self.number(number);
        self.less(a, number);
    }

    pub fn more_than(&mut self, a: Expr, number: f64) {
        let number = self.number(number);
        self.less(number, a);
    }

    pub fn at_least(&mut self, a: Expr, number: f64) {
        let number = self.number(number);
        self.at_most(number, a);
    }

    pub fn is_number(&mut self, a: Expr) {
        let nan = self.arena.float_is_nan(DOUBLE, a);
        let number = self.arena.not(nan);
        self.constraints.push(number);
    }

    pub fn integer(&mut self, op: Op, a: Expr, number: u64) {
        let number = self.arena.word(self.arena.width(a), number);
        let condition = self.arena.compare(op, a, number);
        self.constraints.push(condition);
    }
}
