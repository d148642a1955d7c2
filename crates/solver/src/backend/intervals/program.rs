//! A query as a list of steps, operands first: what each node computes, as far as intervals know it, and the numbers
//! of its operands.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_expr::dag::{FloatOperation, FunctionId, Op, Rounding};
use symcrete_expr::{Arena, Expr, FloatKind};

use super::library::Known;
use super::number::Precision;

/// What a step computes of its operands `a`, `b` and `c`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operation {
    /// A constant, an input, or what intervals do not look into.
    Leaf,
    /// Of one bit.
    Not,
    And,
    Or,
    Xor,
    /// Whether a float is of some class.
    Test(Test, Precision),
    FloatCompare(FloatOperation, Precision),
    /// Of integers of more than one bit; `Equal` of one bit too.
    Compare(Op),
    /// `a` is the condition.
    Ite,
    /// Sums, differences, products, quotients, remainders.
    Float(FloatOperation, Precision, Rounding),
    SquareRoot(Precision, Rounding),
    MultiplyAdd(Precision, Rounding),
    RoundToIntegral(Precision, Rounding),
    Convert(Precision, Precision, Rounding),
    /// To a signed integer; to an unsigned one.
    ToSigned(Precision),
    ToUnsigned(Precision),
    /// From an integer of so many bits, signed or not.
    FromSigned(Precision, Rounding, u8),
    FromUnsigned(Precision, Rounding, u8),
    Negated,
    Absolute,
    /// The magnitude with a negative sign.
    NegatedAbsolute,
    /// The magnitude with any sign.
    AnySign,
    Library(Known),
    /// Arithmetic of integers of up to 64 bits and more than one.
    Binary(Op),
    /// From so many bits.
    ZeroExtend(u8),
    SignExtend(u8),
    LowBits,
    /// All bits flipped, of an integer of more than one.
    Complement,
}

/// Classes of floats that programs test for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Nan,
    Infinite,
    /// Either.
    Special,
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub operation: Operation,
    pub operands: [u32; 3],
    pub count: u8,
    /// Bits of the value; 0 if nothing is known of its integer.
    pub width: u8,
    /// Whether somebody reads the value as a float.
    pub is_float: bool,
    pub expr: Expr,
}

impl Step {
    #[inline]
    pub fn precision(&self) -> Option<Precision> {
        if self.is_float { Precision::of_width(u32::from(self.width)) } else { None }
    }
}

/// Queries with more steps are for others.
const MOST_STEPS: usize = 20_000;
const UNNUMBERED: u32 = u32::MAX;

/// Makes steps of queries. What it keeps between them saves time only.
#[derive(Default)]
pub struct Flattener {
    /// The step of every expression of the query; `UNNUMBERED` for all between queries.
    numbers: Vec<u32>,
    pending: Vec<(Expr, bool)>,
    functions: FxHashMap<(FunctionId, u32), Option<Known>>,
    /// Tests of floats that consist of parts, where the test shows nothing of the whole.
    tests: FxHashMap<Expr, (Test, Expr)>,
    /// Where such floats were looked for, those whose tests are not known yet, and whether there is anything that may
    /// be a test.
    searched: EntitySet<Expr>,
    untested: Vec<(FloatKind, Expr)>,
    has_connectives: bool,
    generation: u32,
}

/// What a node computes, and of what.
type Meaning = (Operation, [Option<Expr>; 3]);

impl Flattener {
    /// The steps of a query, and which of them are its constraints. `None` if it is too large, or not about floats.
    pub fn flatten(&mut self, arena: &mut Arena, constraints: &[Expr]) -> Option<(Vec<Step>, Vec<u32>)> {
        if self.generation != arena.generation() {
            self.tests.clear();
            self.searched.clear();
            self.untested.clear();
            self.has_connectives = false;
            self.generation = arena.generation();
        }
        self.find_tests(arena, constraints);
        self.numbers.resize(arena.capacity().max(self.numbers.len()), UNNUMBERED);
        let mut steps: Vec<Step> = Vec::new();
        for constraint in constraints {
            self.add(arena, *constraint, &mut steps);
        }
        let roots = constraints.iter().map(|constraint| self.numbers[constraint.as_u32() as usize]).collect();
        for step in &steps {
            self.numbers[step.expr.as_u32() as usize] = UNNUMBERED;
        }
        mark_floats(&mut steps);
        (steps.len() <= MOST_STEPS && steps.iter().any(|step| step.is_float)).then_some((steps, roots))
    }

    fn add(&mut self, arena: &Arena, root: Expr, steps: &mut Vec<Step>) {
        self.pending.push((root, false));
        while let Some((expr, opened)) = self.pending.pop() {
            if self.numbers[expr.as_u32() as usize] != UNNUMBERED {
                continue;
            }
            let (operation, operands) = match steps.len() > MOST_STEPS {
                true => (Operation::Leaf, [None; 3]),
                false => self.meaning(arena, expr),
            };
            if !opened && operands[0].is_some() {
                self.pending.push((expr, true));
                self.pending.extend(operands.into_iter().flatten().map(|operand| (operand, false)));
                continue;
            }
            let width = arena.width(expr);
            self.numbers[expr.as_u32() as usize] = steps.len() as u32;
            let number = |operand: Option<Expr>| operand.map_or(0, |operand| self.numbers[operand.as_u32() as usize]);
            steps.push(Step {
                operation,
                operands: operands.map(number),
                count: operands.iter().flatten().count() as u8,
                width: if width <= 64 { width as u8 } else { 0 },
                is_float: false,
                expr,
            });
        }
    }

    /// Learns how tests for NaN and infinity look for floats that are made of parts.
    fn find_tests(&mut self, arena: &mut Arena, constraints: &[Expr]) {
        /// As `Arena::float_is_class` numbers them.
        const CLASSES: [(Test, u32); 2] = [(Test::Nan, 0b11), (Test::Infinite, 0b10_0000_0100)];
        let mut pending: Vec<Expr> = constraints.to_vec();
        while let Some(expr) = pending.pop() {
            if !self.searched.insert(expr) {
                continue;
            }
            let node = arena.node(expr);
            self.has_connectives |= matches!(node.op, Op::And | Op::Or) && node.width == 1;
            let float = match node.op {
                Op::Float(FloatOperation::FromSigned | FloatOperation::FromUnsigned, ..) => None,
                Op::Float(_, kind, _) | Op::FloatConvert(kind, ..) => Precision::of_kind(kind).map(|_| kind),
                _ => None,
            };
            arena.for_each_operand(expr, |operand| {
                if let Some(kind) = float
                    && arena.node(operand).op == Op::Concat
                {
                    self.untested.push((kind, operand));
                }
                pending.push(operand);
            });
        }
        // Tests of many parts take long to build.
        if !self.has_connectives {
            return;
        }
        for (kind, float) in self.untested.drain(..) {
            for (test, class) in CLASSES {
                let condition = arena.float_is_class(kind, float, class);
                self.tests.insert(condition, (test, float));
            }
        }
    }

    fn meaning(&mut self, arena: &Arena, expr: Expr) -> Meaning {
        let node = arena.node(expr);
        let width = node.width;
        let leaf: Meaning = (Operation::Leaf, [None; 3]);
        if node.op.is_array() || width > 64 {
            return leaf;
        }
        let (a, b, c) = (node.first(), node.second(), node.third());
        let one = |operation, a| (operation, [Some(a), None, None]);
        let two = |operation| (operation, [Some(a), Some(b), None]);
        let narrow = |expr: Expr| !arena.is_array(expr) && arena.width(expr) <= 64;
        match node.op {
            Op::Constant | Op::Variable => leaf,
            Op::Float(operation, kind, rounding) => match Precision::of_kind(kind) {
                Some(precision) => float(arena, expr, operation, precision, rounding),
                None => leaf,
            },
            Op::FloatConvert(from, to, rounding) => match (Precision::of_kind(from), Precision::of_kind(to)) {
                (Some(from), Some(to)) => one(Operation::Convert(from, to, rounding), a),
                _ => leaf,
            },
            Op::Call => self.call(arena, expr),
            Op::Ite => (Operation::Ite, [Some(a), Some(b), Some(c)]),
            Op::And | Op::Or if width == 1 => match self.test(arena, expr) {
                Some((test, precision, float)) => one(Operation::Test(test, precision), float),
                None if node.op == Op::And => two(Operation::And),
                None => two(Operation::Or),
            },
            Op::Not if width == 1 => one(Operation::Not, a),
            Op::Xor if width == 1 => two(Operation::Xor),
            Op::Not => one(Operation::Complement, a),
            Op::Equal if is_special(arena, expr).is_some() => match is_special(arena, expr) {
                Some((precision, float)) => one(Operation::Test(Test::Special, precision), float),
                None => leaf,
            },
            Op::Equal if narrow(a) => two(Operation::Compare(Op::Equal)),
            op if op.is_comparison() && narrow(a) && arena.width(a) > 1 => two(Operation::Compare(op)),
            op if op.is_comparison() => leaf,
            Op::And | Op::Or | Op::Xor if mask(arena, b, width).is_some() => match (node.op, mask(arena, b, width)) {
                (Op::Xor, Some(Mask::Sign)) => one(Operation::Negated, a),
                (Op::Or, Some(Mask::Sign)) => one(Operation::NegatedAbsolute, a),
                (Op::And, Some(Mask::Magnitude)) => one(Operation::Absolute, a),
                _ => two(Operation::Binary(node.op)),
            },
            Op::Concat => match magnitude(arena, b, width) {
                Some(float) => one(Operation::AnySign, float),
                None => leaf,
            },
            Op::ZeroExtend => match magnitude(arena, a, width) {
                Some(float) => one(Operation::Absolute, float),
                None => one(Operation::ZeroExtend(arena.width(a) as u8), a),
            },
            Op::SignExtend => one(Operation::SignExtend(arena.width(a) as u8), a),
            Op::Extract if narrow(a) && node.b == 0 => one(Operation::LowBits, a),
            Op::Extract | Op::Select => leaf,
            op if width > 1 && op.operands() == 2 => two(Operation::Binary(op)),
            _ => leaf,
        }
    }

    fn call(&mut self, arena: &Arena, expr: Expr) -> Meaning {
        let function = FunctionId::from_u32(arena.node(expr).a);
        let (width, arguments) = (arena.width(expr), arena.arguments(expr));
        let widths: Vec<u32> = arguments.iter().map(|argument| arena.width(*argument)).collect();
        let known = *(self.functions.entry((function, width)))
            .or_insert_with(|| Known::recognise(arena.function(function), width, &widths));
        // A function may be called with arguments of other widths too.
        match (known, arguments) {
            (Some(known), [a]) if widths == [width] => (Operation::Library(known), [Some(*a), None, None]),
            (Some(known), [a, b]) if widths == [width; 2] => (Operation::Library(known), [Some(*a), Some(*b), None]),
            _ => (Operation::Leaf, [None; 3]),
        }
    }

    /// The float of which an expression says that it is of some class.
    fn test(&self, arena: &Arena, expr: Expr) -> Option<(Test, Precision, Expr)> {
        if let Some((test, float)) = self.tests.get(&expr) {
            return Some((*test, Precision::of_width(arena.width(*float))?, *float));
        }
        let node = arena.node(expr);
        if node.op == Op::And {
            return special_of_payload(arena, expr);
        }
        // NaNs, once with a quiet bit and once without.
        let halves = [node.first(), node.second()].map(|half| arena.node(half));
        if halves.iter().any(|half| half.op != Op::And) {
            return None;
        }
        let [first, second] = halves.map(|half| [half.first(), half.second()]);
        for (test, quiet) in [(first[0], first[1]), (first[1], first[0])] {
            let negated = |other: Expr| {
                let is_not = |a: Expr, b: Expr| arena.node(a).op == Op::Not && arena.node(a).first() == b;
                is_not(other, quiet) || is_not(quiet, other)
            };
            let complementary = (second[0] == test && negated(second[1])) || (second[1] == test && negated(second[0]));
            if complementary && arena.node(test).op == Op::And {
                return self.test(arena, test);
            }
        }
        None
    }
}

fn float(arena: &Arena, expr: Expr, operation: FloatOperation, precision: Precision, rounding: Rounding) -> Meaning {
    let node = arena.node(expr);
    let (a, b, c) = (Some(node.first()), Some(node.second()), Some(node.third()));
    let source = arena.width(node.first());
    let leaf: Meaning = (Operation::Leaf, [None; 3]);
    match operation {
        FloatOperation::Add | FloatOperation::Sub | FloatOperation::Mul | FloatOperation::Div | FloatOperation::Rem => {
            (Operation::Float(operation, precision, rounding), [a, b, None])
        }
        FloatOperation::SquareRoot => (Operation::SquareRoot(precision, rounding), [a, None, None]),
        FloatOperation::MultiplyAdd => (Operation::MultiplyAdd(precision, rounding), [a, b, c]),
        FloatOperation::RoundToIntegral => (Operation::RoundToIntegral(precision, rounding), [a, None, None]),
        FloatOperation::Equal | FloatOperation::Less | FloatOperation::LessEqual => {
            (Operation::FloatCompare(operation, precision), [a, b, None])
        }
        FloatOperation::ToSigned if node.width > 1 => (Operation::ToSigned(precision), [a, None, None]),
        FloatOperation::ToUnsigned if node.width > 1 => (Operation::ToUnsigned(precision), [a, None, None]),
        FloatOperation::FromSigned if source <= 64 => {
            (Operation::FromSigned(precision, rounding, source as u8), [a, None, None])
        }
        FloatOperation::FromUnsigned if source <= 64 => {
            (Operation::FromUnsigned(precision, rounding, source as u8), [a, None, None])
        }
        _ => leaf,
    }
}

enum Mask {
    Sign,
    Magnitude,
}

/// Whether a constant of the width of a float is the sign bit, or all others.
fn mask(arena: &Arena, expr: Expr, width: u32) -> Option<Mask> {
    Precision::of_width(width)?;
    let sign = 1_u64 << (width - 1);
    match arena.as_word(expr)? {
        bits if bits == sign => Some(Mask::Sign),
        bits if bits == sign - 1 => Some(Mask::Magnitude),
        _ => None,
    }
}

/// The float of so many bits of which an expression is all but the sign.
fn magnitude(arena: &Arena, expr: Expr, width: u32) -> Option<Expr> {
    Precision::of_width(width)?;
    let node = arena.node(expr);
    let float = node.first();
    (node.op == Op::Extract && node.b == 0 && node.width + 1 == width && arena.width(float) == width).then_some(float)
}

/// The float whose exponent field an expression compares with all ones.
fn is_special(arena: &Arena, expr: Expr) -> Option<(Precision, Expr)> {
    let node = arena.node(expr);
    let field = arena.node(node.first());
    if node.op != Op::Equal || field.op != Op::Extract {
        return None;
    }
    let float = field.first();
    let precision = match (arena.width(float), field.b, field.width) {
        (64, 52, 11) => Precision::Double,
        (32, 23, 8) => Precision::Single,
        _ => return None,
    };
    (arena.as_word(node.second()) == Some((1 << field.width) - 1)).then_some((precision, float))
}

/// An exponent of all ones together with a fraction that is zero, or that is not.
fn special_of_payload(arena: &Arena, expr: Expr) -> Option<(Test, Precision, Expr)> {
    let node = arena.node(expr);
    [(node.first(), node.second()), (node.second(), node.first())].into_iter().find_map(|(special, payload)| {
        let (precision, float) = is_special(arena, special)?;
        let (test, empty) = match arena.node(payload) {
            node if node.op == Op::Not => (Test::Nan, arena.node(node.first())),
            node => (Test::Infinite, node),
        };
        if empty.op != Op::Equal {
            return None;
        }
        let fraction = arena.node(empty.first());
        let fraction_bits = if precision == Precision::Double { 52 } else { 23 };
        let is_fraction = fraction.op == Op::Extract
            && fraction.first() == float
            && (fraction.b, fraction.width) == (0, fraction_bits)
            && arena.as_word(empty.second()) == Some(0);
        is_fraction.then_some((test, precision, float))
    })
}

/// Which values somebody reads as floats, or are floats because something is.
fn mark_floats(steps: &mut [Step]) {
    for at in (0..steps.len()).rev() {
        let Step { operation, operands, is_float, .. } = steps[at];
        let [a, b, c] = operands.map(|operand| operand as usize);
        let mut read: [Option<usize>; 3] = [None; 3];
        match operation {
            Operation::FloatCompare(..) => read = [Some(a), Some(b), None],
            Operation::Test(..) | Operation::ToSigned(_) | Operation::ToUnsigned(_) => read = [Some(a), None, None],
            Operation::Float(..) => read = [Some(a), Some(b), Some(at)],
            Operation::SquareRoot(..) | Operation::RoundToIntegral(..) | Operation::Convert(..) => {
                read = [Some(a), Some(at), None];
            }
            Operation::MultiplyAdd(..) => {
                read = [Some(a), Some(b), Some(c)];
                steps[at].is_float = true;
            }
            Operation::FromSigned(..) | Operation::FromUnsigned(..) => read = [Some(at), None, None],
            Operation::Negated | Operation::Absolute | Operation::NegatedAbsolute | Operation::AnySign if is_float => {
                read = [Some(a), None, None];
            }
            Operation::Ite if is_float => read = [Some(b), Some(c), None],
            Operation::Library(_) => {
                let second = if steps[at].count == 2 { b } else { a };
                read = [Some(a), Some(second), Some(at)];
            }
            _ => {}
        }
        for operand in read.into_iter().flatten() {
            steps[operand].is_float = true;
        }
    }
}
