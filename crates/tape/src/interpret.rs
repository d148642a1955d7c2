//! Executes a tape, one valuation after the other. This is the reference for compiled tapes.

use smallvec::SmallVec;
use symcrete_expr::dag::{FloatOperation, Native, Op, Rounding, semantics};
use symcrete_expr::float::{Relation, word};
use symcrete_expr::word::{sign_extend_to, truncate};
use symcrete_expr::{Bits, FloatKind};

use crate::distance;
use crate::tape::{General, Instruction, Operation, Slot, Tape};

/// The values of all slots under the last point.
pub struct Interpreter {
    values: Vec<u64>,
    /// Values of more than 64 bits, by slot; the others are not used.
    wide: Vec<Bits>,
}

impl Interpreter {
    pub fn new(tape: &Tape) -> Interpreter {
        let mut values = tape.initial.clone();
        values.resize(tape.slot_count(), 0);
        let mut wide = Vec::new();
        if !tape.is_narrow() {
            wide = vec![Bits::zero(1); tape.slot_count()];
            for (slot, bits) in &tape.wide_constants {
                wide[*slot as usize] = bits.clone();
            }
        }
        Interpreter { values, wide }
    }

    /// Computes all slots for a point.
    pub fn run(&mut self, tape: &Tape, point: &[u64]) {
        for input in &tape.inputs {
            if input.width <= 64 {
                self.values[input.slot as usize] = point[input.word as usize];
            } else {
                self.wide[input.slot as usize] = Bits::from_limbs(input.width, &point[input.words()]);
            }
        }
        let first = tape.initial.len();
        for (at, instruction) in tape.instructions.iter().enumerate() {
            let value = self.execute(tape, instruction, first + at);
            self.values[first + at] = value;
        }
    }

    /// The score of each constraint for a point.
    pub fn scores(&mut self, tape: &Tape, point: &[u64], scores: &mut [f64]) {
        self.run(tape, point);
        for (score, output) in scores.iter_mut().zip(&tape.outputs) {
            *score = self.double(output.score);
        }
    }

    /// The score of each constraint for each point, and the difference of its sides, which is not a number where it has
    /// no sides. Points, scores and gaps stand row by row.
    pub fn run_rows(&mut self, tape: &Tape, points: &[u64], rows: usize, scores: &mut [f64], gaps: &mut [f64]) {
        let (words, results) = (tape.words, tape.outputs.len());
        for row in 0..rows {
            self.run(tape, &points[row * words..][..words]);
            let places = scores[row * results..][..results].iter_mut().zip(&mut gaps[row * results..][..results]);
            for ((score, gap), output) in places.zip(&tape.outputs) {
                *score = self.double(output.score);
                *gap = output.gap.map_or(f64::NAN, |slot| self.double(slot));
            }
        }
    }

    /// Of the last point.
    pub fn word(&self, slot: Slot) -> u64 {
        self.values[slot as usize]
    }

    pub fn double(&self, slot: Slot) -> f64 {
        f64::from_bits(self.word(slot))
    }

    /// Of a slot whose value has this width.
    pub fn bits(&self, slot: Slot, width: u32) -> Bits {
        match width <= 64 {
            true => Bits::from_u64(width, self.word(slot)),
            false => self.wide[slot as usize].clone(),
        }
    }

    #[inline]
    fn execute(&mut self, tape: &Tape, instruction: &Instruction, slot: usize) -> u64 {
        let Instruction { op, a, b, c } = *instruction;
        let value = |slot: u32| self.values[slot as usize];
        let double = |slot: u32| f64::from_bits(self.values[slot as usize]);
        match op {
            Operation::Binary(op, width) => semantics::word::binary(op, width, value(a), value(b)),
            Operation::Not(width) => truncate(width, !value(a)),
            Operation::Extract { low, width } => truncate(width, value(a) >> low),
            Operation::SignExtend { from, to } => sign_extend_to(from, to, value(a)),
            Operation::Concat(width) => value(a) << width | value(b),
            Operation::Choose => value(if value(a) != 0 { b } else { c }),
            Operation::Float { operation, kind, rounding, width, operand } => {
                let (operands, widths) = ([a, b, c].map(value), (width.into(), operand.into()));
                if rounding == Rounding::NearestEven {
                    float(operation, kind, widths, operands)
                } else {
                    rounded_float(operation, kind, rounding, widths, operands)
                }
            }
            Operation::Convert(from, to, Rounding::NearestEven) => word::convert(from, to, value(a)),
            Operation::Convert(from, to, rounding) => {
                semantics::float::convert_kind(from, to, rounding, value(a).into()) as u64
            }
            Operation::Table => tape.tables[b as usize].get(value(a) as usize).copied().unwrap_or(0),
            Operation::Pick => tape.lists[b as usize].get(value(a) as usize).map_or(0, |(slot, _)| value(*slot)),
            Operation::Call => {
                let (callee, list) = (&tape.functions[a as usize], &tape.lists[b as usize]);
                match callee.native_for(list, c) {
                    Some(native) => call_native(native, [0, list.len() - 1].map(|at| value(list[at].0))),
                    None => {
                        let result = (callee.evaluate)(&self.list(list), c);
                        self.keep(slot, result)
                    }
                }
            }
            Operation::General => {
                let general = &tape.general[a as usize];
                let result = self.general(general);
                self.keep(slot, result)
            }
            Operation::Distance(view) => distance::between(view, value(a), value(b)).to_bits(),
            Operation::WideDistance(view) => {
                let (a, b) = (self.bits(a, view.width()), self.bits(b, view.width()));
                distance::between_wide(view, &a, &b).to_bits()
            }
            Operation::Gap(view) => distance::gap(view, value(a), value(b)).to_bits(),
            Operation::PlainScore { .. } | Operation::LogarithmicScore | Operation::FlatScore if value(a) != 0 => 0,
            Operation::PlainScore { plus_one } => distance::plain_score(double(b), plus_one).to_bits(),
            Operation::LogarithmicScore => distance::logarithmic_score(double(b)).to_bits(),
            Operation::FlatScore => 1.0f64.to_bits(),
            Operation::Sum => (double(a) + double(b)).to_bits(),
            Operation::Minimum => double(a).min(double(b)).to_bits(),
        }
    }

    fn list(&self, list: &[(Slot, u32)]) -> SmallVec<[Bits; 4]> {
        list.iter().map(|(slot, width)| self.bits(*slot, *width)).collect()
    }

    /// Puts a value of any width where it belongs; gives its word.
    fn keep(&mut self, slot: usize, value: Bits) -> u64 {
        let word = value.low_u64();
        if value.width() > 64 {
            self.wide[slot] = value;
        }
        word
    }

    fn general(&self, general: &General) -> Bits {
        let operands: SmallVec<[Bits; 3]> =
            general.operands.iter().map(|(slot, width)| self.bits(*slot, *width)).collect();
        match (general.op, operands.as_slice()) {
            (Op::Float(operation, kind, rounding), operands) => {
                semantics::float::operation_on_bits(operation, kind, rounding, general.width, operands)
            }
            (Op::FloatConvert(from, to, rounding), [a]) => {
                let converted = semantics::float::convert_kind(from, to, rounding, a.low_u128());
                Bits::from_u128(general.width, converted)
            }
            (Op::Not, [a]) => a.not(),
            (Op::Extract, [a]) => a.extract(general.number, general.width),
            (Op::ZeroExtend, [a]) => a.zext(general.width),
            (Op::SignExtend, [a]) => a.sext(general.width),
            (Op::Concat, [a, b]) => a.concat(b),
            (Op::Ite, [condition, a, b]) => if condition.is_zero() { b } else { a }.clone(),
            (op, [a, b]) => semantics::wide::binary(op, a, b),
            (op, _) => unreachable!("{op:?} is not among the general operations"),
        }
    }
}

/// A float operation that rounds to nearest, on words. The widths are those of the result and of the first operand.
#[inline]
fn float(operation: FloatOperation, kind: FloatKind, widths: (u32, u32), [a, b, c]: [u64; 3]) -> u64 {
    use FloatOperation::*;
    match operation {
        Add => word::add(kind, a, b),
        Sub => word::sub(kind, a, b),
        Mul => word::mul(kind, a, b),
        Div => word::div(kind, a, b),
        Rem => word::rem(kind, a, b),
        SquareRoot => word::sqrt(kind, a),
        MultiplyAdd => word::fma(kind, a, b, c),
        RoundToIntegral => word::roundeven(kind, a),
        Equal => u64::from(word::compare(kind, Relation::Equal as u8, a, b)),
        Less => u64::from(word::compare(kind, Relation::Less as u8, a, b)),
        LessEqual => u64::from(word::compare(kind, Relation::Less as u8 | Relation::Equal as u8, a, b)),
        ToSigned => word::to_signed(kind, a, widths.0),
        ToUnsigned => word::to_unsigned(kind, a, widths.0),
        FromSigned => word::from_signed(kind, a, widths.1),
        FromUnsigned => word::from_unsigned(kind, a),
    }
}

/// The same in any direction.
fn rounded_float(
    operation: FloatOperation,
    kind: FloatKind,
    rounding: Rounding,
    (width, operand): (u32, u32),
    operands: [u64; 3],
) -> u64 {
    semantics::float::operation(operation, kind, rounding, width, operand, operands.map(u128::from)) as u64
}

/// On the first and the last argument, as words.
fn call_native(native: Native, [a, b]: [u64; 2]) -> u64 {
    let double = f64::from_bits;
    let single = |word: u64| f32::from_bits(word as u32);
    match native {
        Native::Double1(function) => function(double(a)).to_bits(),
        Native::Double2(function) => function(double(a), double(b)).to_bits(),
        Native::Single1(function) => function(single(a)).to_bits().into(),
        Native::Single2(function) => function(single(a), single(b)).to_bits().into(),
    }
}
