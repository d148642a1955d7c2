//! Random systems of constraints: expressions over all operations, out of a pool of those made before.

use std::rc::Rc;

use symcrete_expr::dag::{FloatOperation, Function, FunctionId, Native, Op, Rounding, Variable};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};

use crate::random::Random;

/// What there is in a system.
#[derive(Clone, Copy)]
pub struct Kinds {
    /// Values of more than 64 bits, floats of all kinds, all roundings. Otherwise all can be compiled.
    pub everything: bool,
    pub arrays: bool,
    pub calls: bool,
    /// Whether expressions are simplified as they are made.
    pub rules: bool,
}

pub struct System {
    pub arena: Arena,
    pub constraints: Vec<Expr>,
}

struct Generator<'a> {
    random: &'a mut Random,
    kinds: Kinds,
    arena: Arena,
    pool: Vec<Expr>,
    variables: u32,
}

/// A system with about so many operations.
pub fn system(random: &mut Random, kinds: Kinds, operations: usize) -> System {
    let arena = if kinds.rules { Arena::new() } else { Arena::without_rules() };
    let mut generator = Generator { random, kinds, arena, pool: Vec::new(), variables: 0 };
    for _ in 0..operations {
        let made = generator.operation();
        generator.pool.push(made);
    }
    let count = 1 + generator.random.below(6);
    let constraints = (0..count).map(|_| generator.condition(3)).collect();
    System { arena: generator.arena, constraints }
}

const ARITHMETIC: &[Op] = &[
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
];
const COMPARISONS: &[Op] = &[Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];
const FLOAT_COMPARISONS: &[FloatOperation] = &[FloatOperation::Equal, FloatOperation::Less, FloatOperation::LessEqual];
const FLOAT_ARITHMETIC: &[FloatOperation] = &[
    FloatOperation::Add,
    FloatOperation::Sub,
    FloatOperation::Mul,
    FloatOperation::Div,
    FloatOperation::Rem,
    FloatOperation::SquareRoot,
    FloatOperation::MultiplyAdd,
];
const ROUNDINGS: &[Rounding] =
    &[Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

impl Generator<'_> {
    fn width(&mut self) -> u32 {
        if self.kinds.everything && self.random.one_in(4) {
            return self.random.choose(&[65, 80, 96, 128, 128, 130]);
        }
        match self.random.one_in(3) {
            true => 1 + self.random.below(64) as u32,
            false => self.random.choose(&[1, 8, 16, 31, 32, 32, 33, 63, 64, 64]),
        }
    }

    fn narrow_width(&mut self) -> u32 {
        self.width().min(64)
    }

    fn kind(&mut self) -> FloatKind {
        match self.kinds.everything {
            true => self.random.choose(&FloatKind::ALL),
            false => self.random.choose(&[FloatKind::Single, FloatKind::Double]),
        }
    }

    fn rounding(&mut self) -> Rounding {
        match self.kinds.everything && self.random.one_in(2) {
            true => self.random.choose(ROUNDINGS),
            false => Rounding::NearestEven,
        }
    }

    /// An expression of a width: one from the pool, or one made of something that is there, or a new one.
    fn any(&mut self, width: u32) -> Expr {
        let known: Vec<Expr> = self.pool.iter().copied().filter(|expr| self.arena.width(*expr) == width).collect();
        if !known.is_empty() && !self.random.one_in(5) {
            return self.random.choose(&known);
        }
        if !self.pool.is_empty() && self.random.one_in(3) {
            let from = self.random.choose(&self.pool);
            return self.resized(from, width);
        }
        if self.random.one_in(4) {
            let bits = self.random.bits(width);
            return self.arena.constant(&bits);
        }
        self.variables += 1;
        self.arena.variable(Variable { input: self.variables, offset: 0, width, index_width: 0 })
    }

    fn resized(&mut self, from: Expr, width: u32) -> Expr {
        let given = self.arena.width(from);
        if given > width {
            let low = self.random.below((given - width + 1) as usize) as u32;
            return self.arena.extract(from, low, width);
        }
        match self.random.one_in(2) {
            true => self.arena.zero_extend(from, width),
            false => self.arena.sign_extend(from, width),
        }
    }

    fn operation(&mut self) -> Expr {
        match self.random.below(16) {
            0..4 => {
                let width = self.width();
                let op = self.random.choose(ARITHMETIC);
                let (a, b) = (self.any(width), self.any(width));
                self.arena.binary(op, a, b)
            }
            4 => self.comparison(),
            5 => {
                let width = self.width();
                let a = self.any(width);
                self.arena.not(a)
            }
            6 => {
                let width = self.width();
                let (condition, a, b) = (self.any(1), self.any(width), self.any(width));
                self.arena.ite(condition, a, b)
            }
            7 => {
                let most = if self.kinds.everything { 128 } else { 64 };
                let width = 1 + self.random.below(most - 1) as u32;
                let rest = 1 + self.random.below(most - width as usize) as u32;
                let (a, b) = (self.any(width), self.any(rest));
                self.arena.concat(a, b)
            }
            8 => {
                let (from, to) = (self.width(), self.width());
                let a = self.any(from);
                self.resized(a, to)
            }
            9..12 => self.float_arithmetic(),
            12 => self.float_conversion(),
            13 if self.kinds.arrays => self.element(),
            14 if self.kinds.calls => self.call(),
            _ => self.float_arithmetic(),
        }
    }

    fn comparison(&mut self) -> Expr {
        if self.random.one_in(2) {
            let width = self.width();
            let op = self.random.choose(COMPARISONS);
            let (a, b) = (self.any(width), self.any(width));
            return self.arena.compare(op, a, b);
        }
        let (kind, op) = (self.kind(), self.random.choose(FLOAT_COMPARISONS));
        let (a, b) = (self.any(kind.bits()), self.any(kind.bits()));
        self.arena.float(op, kind, Rounding::NearestEven, 1, &[a, b])
    }

    fn float_arithmetic(&mut self) -> Expr {
        let (kind, rounding) = (self.kind(), self.rounding());
        if self.random.one_in(6) {
            let (a, rounding) = (self.any(kind.bits()), self.random.choose(ROUNDINGS));
            return self.arena.float(FloatOperation::RoundToIntegral, kind, rounding, kind.bits(), &[a]);
        }
        let op = self.random.choose(FLOAT_ARITHMETIC);
        let operands: Vec<Expr> = (0..op.operands()).map(|_| self.any(kind.bits())).collect();
        self.arena.float(op, kind, rounding, kind.bits(), &operands)
    }

    fn float_conversion(&mut self) -> Expr {
        let (kind, rounding, width) = (self.kind(), self.rounding(), self.width());
        match self.random.below(3) {
            0 => {
                let op = self.random.choose(&[FloatOperation::ToSigned, FloatOperation::ToUnsigned]);
                let a = self.any(kind.bits());
                self.arena.float(op, kind, Rounding::Zero, width, &[a])
            }
            1 => {
                let op = self.random.choose(&[FloatOperation::FromSigned, FloatOperation::FromUnsigned]);
                let a = self.any(width.min(128));
                self.arena.float(op, kind, rounding, kind.bits(), &[a])
            }
            _ => {
                let to = self.kind();
                let a = self.any(kind.bits());
                self.arena.float_convert(kind, to, rounding, a)
            }
        }
    }

    /// An element of a table of constants or of anything, with stores over it.
    fn element(&mut self) -> Expr {
        let (index_width, width) = (self.random.choose(&[2, 4, 8, 64]), self.narrow_width());
        let mut array = self.table(index_width, width);
        for _ in 0..self.random.below(3) {
            let (index, element) = (self.any(index_width), self.any(width));
            array = self.arena.store(array, index, element);
        }
        if self.random.one_in(4) {
            let (condition, other) = (self.any(1), self.table(index_width, width));
            array = self.arena.ite(condition, array, other);
        }
        let index = self.any(index_width);
        let first = self.arena.select(array, index);
        if self.random.one_in(2) {
            return first;
        }
        let index = self.any(index_width);
        let second = self.arena.select(array, index);
        self.arena.binary(Op::Xor, first, second)
    }

    fn table(&mut self, index_width: u32, width: u32) -> Expr {
        let (count, constants) = (self.random.below(9).min(1 << index_width.min(8)), self.random.one_in(2));
        let elements: Vec<Expr> = (0..count)
            .map(|_| match constants {
                true => {
                    let bits = self.random.bits(width);
                    self.arena.constant(&bits)
                }
                false => self.any(width),
            })
            .collect();
        self.arena.table(index_width, width, &elements)
    }

    /// Of a function with an address or of one without.
    fn call(&mut self) -> Expr {
        let (function, native) = self.random.choose(NATIVES);
        if self.random.one_in(2) {
            let id = self.arena.add_function(closure(function, native));
            self.arena.set_native(id, native);
            let arguments: Vec<Expr> = (0..native.arguments()).map(|_| self.any(native.width())).collect();
            return self.arena.call(id, native.width(), &arguments);
        }
        let id = self.mixer();
        let count = self.random.below(4);
        let arguments: Vec<Expr> = (0..count)
            .map(|_| {
                let width = self.width();
                self.any(width)
            })
            .collect();
        let width = self.width();
        self.arena.call(id, width, &arguments)
    }

    /// A function of any arguments.
    fn mixer(&mut self) -> FunctionId {
        let evaluate = |arguments: &[Bits], width: u32| {
            let start = Bits::from_u64(128, 0x1234_5678_9abc_def1);
            let factor = Bits::from_u64(128, 0x9e37_79b9_7f4a_7c15);
            let resized = |bits: &Bits| if bits.width() > 128 { bits.extract(0, 128) } else { bits.zext(128) };
            let mixed = arguments.iter().fold(start, |mixed, next| mixed.mul(&factor).xor(&resized(next)));
            if width > 128 { mixed.zext(width) } else { mixed.extract(0, width) }
        };
        self.arena.add_function(Function { name: "mix".to_owned(), evaluate: Rc::new(evaluate) })
    }

    /// Comparisons joined in all the ways that scores look into.
    fn condition(&mut self, depth: u32) -> Expr {
        let choice = if depth == 0 { 9 } else { self.random.below(10) };
        if choice >= 5 {
            return if self.random.one_in(8) { self.any(1) } else { self.comparison() };
        }
        let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
        match choice {
            0 => self.arena.not(a),
            1 => self.arena.binary(Op::And, a, b),
            2 => self.arena.binary(Op::Or, a, b),
            3 => {
                let op = self.random.choose(&[Op::Xor, Op::Equal]);
                if op == Op::Xor { self.arena.binary(op, a, b) } else { self.arena.compare(op, a, b) }
            }
            _ => {
                let condition = self.condition(depth - 1);
                self.arena.ite(condition, a, b)
            }
        }
    }
}

extern "C" fn sine(x: f64) -> f64 {
    x.sin()
}

extern "C" fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

extern "C" fn single_logarithm(x: f32) -> f32 {
    x.ln()
}

extern "C" fn single_angle(x: f32, y: f32) -> f32 {
    x.atan2(y)
}

const NATIVES: &[(&str, Native)] = &[
    ("sin", Native::Double1(sine)),
    ("pow", Native::Double2(power)),
    ("logf", Native::Single1(single_logarithm)),
    ("atan2f", Native::Single2(single_angle)),
];

fn closure(name: &str, native: Native) -> Function {
    let evaluate = move |arguments: &[Bits], width: u32| {
        let word = |at: usize| arguments[at].low_u64();
        let double = |at: usize| f64::from_bits(word(at));
        let single = |at: usize| f32::from_bits(word(at) as u32);
        let result = match native {
            Native::Double1(function) => function(double(0)).to_bits(),
            Native::Double2(function) => function(double(0), double(1)).to_bits(),
            Native::Single1(function) => function(single(0)).to_bits().into(),
            Native::Single2(function) => function(single(0), single(1)).to_bits().into(),
        };
        Bits::from_u64(width, result)
    };
    Function { name: name.to_owned(), evaluate: Rc::new(evaluate) }
}
