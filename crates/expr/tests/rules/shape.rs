//! Expressions outside of any arena: built in one with rules and in one without, and computed directly.

use symcrete_expr::dag::{Arena, Expr, FloatOperation, Op, Rounding, Variable};
use symcrete_expr::float::{self, Relation, convert};
use symcrete_expr::{Bits, FloatKind};

use crate::random::Random;

#[derive(Clone, Debug)]
pub enum Shape {
    Variable(u32, u32),
    Constant(Bits),
    Not(Box<Shape>),
    Binary(Op, Box<Shape>, Box<Shape>),
    Compare(Op, Box<Shape>, Box<Shape>),
    Ite(Box<Shape>, Box<Shape>, Box<Shape>),
    Concat(Box<Shape>, Box<Shape>),
    Extract(Box<Shape>, u32, u32),
    ZeroExtend(Box<Shape>, u32),
    SignExtend(Box<Shape>, u32),
    Select(Box<Array>, Box<Shape>),
    Float(FloatOperation, FloatKind, u32, Vec<Shape>),
    Convert(FloatKind, FloatKind, Box<Shape>),
}

#[derive(Clone, Debug)]
pub enum Array {
    /// Number, width of elements, width of indices.
    Variable(u32, u32, u32),
    Table(u32, u32, Vec<Shape>),
    Store(Box<Array>, Box<Shape>, Box<Shape>),
    Ite(Box<Shape>, Box<Array>, Box<Array>),
}

pub const BINARY: [Op; 13] = [
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

pub const COMPARISONS: [Op; 5] =
    [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];

pub fn variable(arena: &mut Arena, number: u32, width: u32) -> Expr {
    arena.variable(Variable { input: number, offset: 0, width, index_width: 0 })
}

impl Shape {
    pub fn build(&self, arena: &mut Arena) -> Expr {
        match self {
            Shape::Variable(number, width) => variable(arena, *number, *width),
            Shape::Constant(bits) => arena.constant(bits),
            Shape::Not(a) => {
                let a = a.build(arena);
                arena.not(a)
            }
            Shape::Binary(op, a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.binary(*op, a, b)
            }
            Shape::Compare(op, a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.compare(*op, a, b)
            }
            Shape::Ite(condition, a, b) => {
                let (condition, a, b) = (condition.build(arena), a.build(arena), b.build(arena));
                arena.ite(condition, a, b)
            }
            Shape::Concat(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.concat(a, b)
            }
            Shape::Extract(a, low, width) => {
                let a = a.build(arena);
                arena.extract(a, *low, *width)
            }
            Shape::ZeroExtend(a, width) => {
                let a = a.build(arena);
                arena.zero_extend(a, *width)
            }
            Shape::SignExtend(a, width) => {
                let a = a.build(arena);
                arena.sign_extend(a, *width)
            }
            Shape::Select(array, index) => {
                let (array, index) = (array.build(arena), index.build(arena));
                arena.select(array, index)
            }
            Shape::Float(operation, kind, width, operands) => {
                let operands: Vec<Expr> = operands.iter().map(|operand| operand.build(arena)).collect();
                arena.float(*operation, *kind, Rounding::NearestEven, *width, &operands)
            }
            Shape::Convert(from, to, a) => {
                let a = a.build(arena);
                arena.float_convert(*from, *to, Rounding::NearestEven, a)
            }
        }
    }

    /// What it comes to, by the functions that `exec` uses; variables and elements of array variables are told.
    pub fn value(&self, inputs: &dyn Fn(u32, u32) -> Bits, elements: &dyn Fn(u32, u32, &Bits) -> Bits) -> Bits {
        let of = |shape: &Shape| shape.value(inputs, elements);
        match self {
            Shape::Variable(number, width) => inputs(*number, *width),
            Shape::Constant(bits) => bits.clone(),
            Shape::Not(a) => of(a).not(),
            Shape::Binary(op, a, b) => binary(*op, &of(a), &of(b)),
            Shape::Compare(op, a, b) => Bits::from_u64(1, u64::from(compare(*op, &of(a), &of(b)))),
            Shape::Ite(condition, a, b) => of(if of(condition).is_zero() { b } else { a }),
            Shape::Concat(a, b) => of(a).concat(&of(b)),
            Shape::Extract(a, low, width) => of(a).extract(*low, *width),
            Shape::ZeroExtend(a, width) => of(a).zext(*width),
            Shape::SignExtend(a, width) => of(a).sext(*width),
            Shape::Select(array, index) => array.element(&of(index), inputs, elements),
            Shape::Float(operation, kind, width, operands) => {
                let operands: Vec<Bits> = operands.iter().map(of).collect();
                float_value(*operation, *kind, *width, &operands)
            }
            Shape::Convert(from, to, a) => Bits::from_u128(to.bits(), convert::convert(*from, *to, of(a).low_u128())),
        }
    }

    /// The number and width of every variable.
    pub fn variables(&self, found: &mut Vec<(u32, u32)>) {
        match self {
            Shape::Variable(number, width) => found.push((*number, *width)),
            Shape::Constant(_) => {}
            Shape::Not(a)
            | Shape::Extract(a, ..)
            | Shape::ZeroExtend(a, _)
            | Shape::SignExtend(a, _)
            | Shape::Convert(_, _, a) => a.variables(found),
            Shape::Binary(_, a, b) | Shape::Compare(_, a, b) | Shape::Concat(a, b) => {
                a.variables(found);
                b.variables(found);
            }
            Shape::Ite(a, b, c) => [a, b, c].into_iter().for_each(|shape| shape.variables(found)),
            Shape::Select(array, index) => {
                array.variables(found);
                index.variables(found);
            }
            Shape::Float(_, _, _, operands) => operands.iter().for_each(|shape| shape.variables(found)),
        }
    }
}

impl Array {
    pub fn build(&self, arena: &mut Arena) -> Expr {
        match self {
            Array::Variable(number, width, index_width) => {
                let key = Variable { input: *number, offset: 0, width: *width, index_width: *index_width };
                arena.variable(key)
            }
            Array::Table(index_width, width, elements) => {
                let elements: Vec<Expr> = elements.iter().map(|element| element.build(arena)).collect();
                arena.table(*index_width, *width, &elements)
            }
            Array::Store(array, index, element) => {
                let (array, index, element) = (array.build(arena), index.build(arena), element.build(arena));
                arena.store(array, index, element)
            }
            Array::Ite(condition, a, b) => {
                let (condition, a, b) = (condition.build(arena), a.build(arena), b.build(arena));
                arena.ite(condition, a, b)
            }
        }
    }

    fn element(
        &self,
        index: &Bits,
        inputs: &dyn Fn(u32, u32) -> Bits,
        elements: &dyn Fn(u32, u32, &Bits) -> Bits,
    ) -> Bits {
        match self {
            Array::Variable(number, width, _) => elements(*number, *width, index),
            Array::Table(_, width, given) => match given.get(index.low_u64() as usize) {
                Some(element) => element.value(inputs, elements),
                None => Bits::zero(*width),
            },
            Array::Store(array, at, element) => match at.value(inputs, elements) == *index {
                true => element.value(inputs, elements),
                false => array.element(index, inputs, elements),
            },
            Array::Ite(condition, a, b) => match condition.value(inputs, elements).is_zero() {
                true => b.element(index, inputs, elements),
                false => a.element(index, inputs, elements),
            },
        }
    }

    fn variables(&self, found: &mut Vec<(u32, u32)>) {
        match self {
            Array::Variable(..) => {}
            Array::Table(_, _, elements) => elements.iter().for_each(|shape| shape.variables(found)),
            Array::Store(array, index, element) => {
                array.variables(found);
                index.variables(found);
                element.variables(found);
            }
            Array::Ite(condition, a, b) => {
                condition.variables(found);
                a.variables(found);
                b.variables(found);
            }
        }
    }
}

fn binary(op: Op, a: &Bits, b: &Bits) -> Bits {
    let width = a.width();
    let count = b.to_u64().unwrap_or(u64::MAX);
    let one = Bits::from_u64(width, 1);
    match op {
        Op::And => a.and(b),
        Op::Or => a.or(b),
        Op::Xor => a.xor(b),
        Op::Add => a.add(b),
        Op::Sub => a.sub(b),
        Op::Mul => a.mul(b),
        Op::UDiv => a.udiv(b).unwrap_or(Bits::ones(width)),
        Op::URem => a.urem(b).unwrap_or(a.clone()),
        Op::SDiv => a.sdiv(b).unwrap_or(if a.is_negative() { one } else { Bits::ones(width) }),
        Op::SRem => a.srem(b).unwrap_or(a.clone()),
        Op::Shl => a.shl(count),
        Op::LShr => a.lshr(count),
        Op::AShr => a.ashr(count),
        _ => unreachable!(),
    }
}

fn compare(op: Op, a: &Bits, b: &Bits) -> bool {
    match op {
        Op::Equal => a == b,
        Op::UnsignedLess => a.unsigned_less(b),
        Op::UnsignedLessEqual => a.unsigned_less_or_equal(b),
        Op::SignedLess => a.signed_less(b),
        Op::SignedLessEqual => a.signed_less_or_equal(b),
        _ => unreachable!(),
    }
}

fn float_value(operation: FloatOperation, kind: FloatKind, width: u32, operands: &[Bits]) -> Bits {
    use FloatOperation::*;
    let operand = |at: usize| operands[at].low_u128();
    let relation = || float::relation(kind, operand(0), operand(1));
    let result = match operation {
        Add => float::add(kind, operand(0), operand(1)),
        Sub => float::sub(kind, operand(0), operand(1)),
        Mul => float::mul(kind, operand(0), operand(1)),
        Div => float::div(kind, operand(0), operand(1)),
        Rem => float::rem(kind, operand(0), operand(1)),
        SquareRoot => float::sqrt(kind, operand(0)),
        MultiplyAdd => float::fma(kind, operand(0), operand(1), operand(2)),
        RoundToIntegral => float::roundeven(kind, operand(0)),
        Equal => u128::from(relation() == Relation::Equal),
        Less => u128::from(relation() == Relation::Less),
        LessEqual => u128::from(matches!(relation(), Relation::Less | Relation::Equal)),
        ToSigned => convert::to_signed(kind, operand(0), width),
        ToUnsigned => convert::to_unsigned(kind, operand(0), width),
        FromSigned => convert::from_signed(kind, operand(0), operands[0].width()),
        FromUnsigned => convert::from_unsigned(kind, operand(0)),
    };
    Bits::from_u128(width, result)
}

/// Makes random shapes over a few variables of each width.
pub struct Generator {
    pub random: Random,
    pub floats: bool,
    pub arrays: bool,
}

impl Generator {
    pub fn shape(&mut self, width: u32, depth: u32) -> Shape {
        if depth == 0 || self.random.one_in(12) {
            return match self.random.below(3) {
                0 => Shape::Constant(self.random.bits(width)),
                _ => Shape::Variable(self.random.below(3) as u32, width),
            };
        }
        let depth = depth - 1;
        match self.random.below(20) {
            0..=6 => {
                let op = self.random.choose(&BINARY);
                let a = self.shape(width, depth);
                // Often the same again: what rules look for.
                let b = if self.random.one_in(6) { a.clone() } else { self.shape(width, depth) };
                Shape::Binary(op, a.into(), b.into())
            }
            7 if width == 1 => self.comparison(depth),
            7 => Shape::Not(self.shape(width, depth).into()),
            8..=10 => {
                let (a, b) = (self.shape(width, depth), self.shape(width, depth));
                Shape::Ite(self.shape(1, depth).into(), a.into(), b.into())
            }
            11..=12 if width > 1 => {
                let low = 1 + self.random.below(u64::from(width) - 1) as u32;
                Shape::Concat(self.shape(width - low, depth).into(), self.shape(low, depth).into())
            }
            11..=14 => {
                let whole = self.wider(width);
                let low = self.random.below(u64::from(whole - width) + 1) as u32;
                let low = if self.random.one_in(2) { 0 } else { low };
                Shape::Extract(self.shape(whole, depth).into(), low, width)
            }
            15 if width > 1 => Shape::ZeroExtend(self.narrower(width, depth).into(), width),
            16 if width > 1 => Shape::SignExtend(self.narrower(width, depth).into(), width),
            17 if self.arrays => {
                let index_width = self.random.choose(&[2, 3, 8]);
                let array = self.array(width, index_width, depth.min(3));
                Shape::Select(array.into(), self.shape(index_width, depth).into())
            }
            18..=19 if self.floats => self.float(width, depth),
            _ if width == 1 => self.comparison(depth),
            _ => Shape::Not(self.shape(width, depth).into()),
        }
    }

    fn wider(&mut self, width: u32) -> u32 {
        match self.random.below(3) {
            0 => width,
            1 => width + self.random.below(8) as u32,
            _ => (width + self.random.below(64) as u32).min(128.max(width)),
        }
    }

    fn narrower(&mut self, width: u32, depth: u32) -> Shape {
        let narrow = 1 + self.random.below(u64::from(width)) as u32;
        self.shape(narrow, depth)
    }

    fn comparison(&mut self, depth: u32) -> Shape {
        let width = self.random.choose(&[1, 2, 3, 8, 8, 16, 32, 64, 80, 128]);
        let op = self.random.choose(&COMPARISONS);
        let a = self.shape(width, depth);
        let b = if self.random.one_in(2) { Shape::Constant(self.random.bits(width)) } else { self.shape(width, depth) };
        if self.random.one_in(2) {
            Shape::Compare(op, a.into(), b.into())
        } else {
            Shape::Compare(op, b.into(), a.into())
        }
    }

    fn array(&mut self, width: u32, index_width: u32, depth: u32) -> Array {
        if depth == 0 {
            return Array::Variable(self.random.below(2) as u32, width, index_width);
        }
        match self.random.below(5) {
            0 => {
                let count = self.random.below(1 << index_width.min(4)) as usize + 1;
                let same = self.shape(width, 0);
                let elements = (0..count)
                    .map(|_| if self.random.one_in(2) { same.clone() } else { self.shape(width, 0) })
                    .collect();
                Array::Table(index_width, width, elements)
            }
            1 => Array::Variable(self.random.below(2) as u32, width, index_width),
            2 => {
                let (a, b) = (self.array(width, index_width, depth - 1), self.array(width, index_width, depth - 1));
                Array::Ite(self.shape(1, depth - 1).into(), a.into(), b.into())
            }
            _ => {
                let array = self.array(width, index_width, depth - 1);
                let (index, element) = (self.shape(index_width, depth - 1), self.shape(width, depth - 1));
                Array::Store(array.into(), index.into(), element.into())
            }
        }
    }

    /// A float operation whose result has this width.
    fn float(&mut self, width: u32, depth: u32) -> Shape {
        use FloatOperation::*;
        let any = self.random.choose(&FloatKind::ALL);
        let kind = FloatKind::ALL.into_iter().find(|kind| kind.bits() == width);
        if width == 1 {
            let operation = self.random.choose(&[Equal, Less, LessEqual]);
            let a = self.shape(any.bits(), depth);
            let b = if self.random.one_in(4) { a.clone() } else { self.shape(any.bits(), depth) };
            return Shape::Float(operation, any, 1, vec![a, b]);
        }
        let Some(kind) = kind.filter(|_| !self.random.one_in(4)) else {
            let operation = self.random.choose(&[ToSigned, ToUnsigned]);
            return match width {
                ..=128 => Shape::Float(operation, any, width, vec![self.shape(any.bits(), depth)]),
                _ => Shape::Not(self.shape(width, depth).into()),
            };
        };
        let kind = if kind == FloatKind::Half && self.random.one_in(2) { FloatKind::BFloat } else { kind };
        match self.random.below(4) {
            0 => Shape::Convert(any, kind, self.shape(any.bits(), depth).into()),
            1 => {
                let from = 1 + self.random.below(128) as u32;
                let operation = self.random.choose(&[FromSigned, FromUnsigned]);
                Shape::Float(operation, kind, width, vec![self.shape(from, depth)])
            }
            _ => {
                let operation =
                    self.random.choose(&[Add, Sub, Mul, Div, Rem, SquareRoot, MultiplyAdd, RoundToIntegral]);
                let operands = (0..operation.operands()).map(|_| self.shape(width, depth)).collect();
                Shape::Float(operation, kind, width, operands)
            }
        }
    }
}
