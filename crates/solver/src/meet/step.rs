//! One step from a value down to another one of which it is made. Steps are gone down that are linear in the lower value, modulo a power of
//! two or over single bits, whatever else they depend on: sums, products with odd constants, exclusive ors, shifts, rotations, rounds of
//! mixing functions and of checksums. Whether one is so is told by trying, and what comes of it is evaluated by whoever asks.

use std::rc::Rc;

use symcrete_expr::dag::{Op, semantics};
use symcrete_expr::word::{mask, sign_extend_to, truncate};
use symcrete_expr::{Arena, Expr};
use symcrete_tape::Interpreter;

use crate::invert::inverse;

/// What a part of a step is made of.
#[derive(Clone, Copy)]
pub enum Source {
    /// The lower value.
    Below,
    /// Another part of the step.
    Part(usize),
    Word(u64),
    /// What does not depend on the lower value.
    Slot(u32),
}

pub struct Part {
    op: Op,
    width: u32,
    /// The width of the first operand.
    from: u32,
    low: u32,
    operands: [Source; 3],
    table: Option<Rc<[u64]>>,
}

impl Part {
    pub fn new(arena: &Arena, expr: Expr, source: &dyn Fn(Expr) -> Option<Source>) -> Option<Part> {
        let node = arena.node(expr);
        let mut table = None;
        let mut list = arena.operands(expr);
        if node.op == Op::Select {
            let elements = arena.elements(node.first());
            table = Some(elements.iter().map(|element| arena.as_word(*element)).collect::<Option<Rc<[u64]>>>()?);
            list = [node.second()].into_iter().collect();
        }
        let mut operands = [Source::Word(0); 3];
        for (place, operand) in operands.iter_mut().zip(&list) {
            *place = source(*operand)?;
        }
        let from = list.first().map_or(0, |first| arena.width(*first));
        Some(Part {
            op: node.op,
            width: node.width,
            from,
            low: if node.op == Op::Extract { node.b } else { 0 },
            operands,
            table,
        })
    }

    fn compute(&self, operand: &dyn Fn(Source) -> u64, second_width: impl FnOnce() -> u32) -> u64 {
        let [a, b, c] = self.operands;
        match self.op {
            Op::Not => truncate(self.width, !operand(a)),
            Op::ZeroExtend => operand(a),
            Op::SignExtend => sign_extend_to(self.from, self.width, operand(a)),
            Op::Extract => truncate(self.width, operand(a) >> self.low),
            Op::Concat => operand(a) << second_width() | operand(b),
            Op::Ite => operand(if operand(a) & 1 == 1 { b } else { c }),
            Op::Select => {
                let index = usize::try_from(operand(a)).unwrap_or(usize::MAX);
                self.table.as_ref().and_then(|table| table.get(index)).copied().unwrap_or(0)
            }
            op => semantics::word::binary(op, self.from, operand(a), operand(b)),
        }
    }
}

/// The parts between two values, operands before what is made of them; the last one is the upper value.
pub struct Step {
    pub parts: Vec<Part>,
    pub upper_width: u32,
    pub lower_width: u32,
}

impl Step {
    /// The upper value for a lower one, all else being as it is.
    fn upper(&self, lower: u64, values: &Interpreter, parts: &mut Vec<u64>) -> u64 {
        parts.clear();
        for part in &self.parts {
            let operand = |source: Source| match source {
                Source::Below => lower,
                Source::Part(at) => parts[at],
                Source::Word(word) => word,
                Source::Slot(slot) => values.word(slot),
            };
            let value = part.compute(&operand, || part.width - part.from);
            parts.push(value);
        }
        parts.last().copied().unwrap_or(lower)
    }
}

/// A step that is linear in the lower value.
pub struct Linear {
    step: Step,
    form: Form,
}

enum Form {
    /// The upper value is this times the lower one, and something; modulo a power of two. Kept is what undoes it.
    Product(u64),
    /// The upper value is the exclusive or of some words, by bits of the lower one, and something. Kept are words of which each has a highest
    /// bit of its own, with the bits of the lower value that make it.
    Bits(Vec<(u64, u64)>),
}

/// Lower values for which it is tried whether a step is linear, for each of several others.
const LOWER_TRIALS: usize = 24;
const OTHER_TRIALS: usize = 3;

impl Linear {
    /// `draw` gives all else new values, and a random word.
    pub fn new(step: Step, values: &mut Interpreter, draw: &mut dyn FnMut(&mut Interpreter) -> u64) -> Option<Linear> {
        let mut parts = Vec::new();
        draw(values);
        let zero = step.upper(0, values, &mut parts);
        let ones = mask(step.upper_width);
        let factor = step.upper(1, values, &mut parts).wrapping_sub(zero) & ones;
        let columns: Vec<u64> =
            (0..step.lower_width).map(|bit| step.upper(1 << bit, values, &mut parts) ^ zero).collect();
        let (mut is_product, mut is_bits) = (step.upper_width == step.lower_width && factor & 1 == 1, true);
        for _ in 0..OTHER_TRIALS {
            let zero = step.upper(0, values, &mut parts);
            for trial in 0..LOWER_TRIALS {
                let lower = random_word(trial as u64, zero) & mask(step.lower_width);
                let upper = step.upper(lower, values, &mut parts);
                is_product &= upper == lower.wrapping_mul(factor).wrapping_add(zero) & ones;
                let of_bits = columns.iter().enumerate().filter(|(bit, _)| lower >> bit & 1 == 1);
                is_bits &= upper == of_bits.fold(zero, |sum, (_, column)| sum ^ column);
            }
            draw(values);
        }
        let form = match (is_product, is_bits) {
            (true, _) => Form::Product(inverse(factor)),
            (false, true) => Form::Bits(reduced(&columns)),
            (false, false) => return None,
        };
        Some(Linear { step, form })
    }

    /// The lower value for an upper one, all else being as it is. `None` if there is none.
    pub fn needed(&self, upper: u64, values: &Interpreter) -> Option<u64> {
        // What the step adds to what it makes of the lower value.
        let zero = self.step.upper(0, values, &mut Vec::with_capacity(self.step.parts.len()));
        match &self.form {
            Form::Product(inverse) => {
                Some(truncate(self.step.lower_width, upper.wrapping_sub(zero).wrapping_mul(*inverse)))
            }
            Form::Bits(words) => {
                let (mut rest, mut lower) = (upper ^ zero, 0);
                for (word, bits) in words {
                    if rest ^ word < rest {
                        rest ^= word;
                        lower ^= bits;
                    }
                }
                (rest == 0).then_some(lower)
            }
        }
    }
}

/// Words of which each has a highest bit that no later one has, and which make the same sums; with the columns of which each is the sum.
fn reduced(columns: &[u64]) -> Vec<(u64, u64)> {
    let mut words: Vec<(u64, u64)> = Vec::new();
    for (bit, column) in columns.iter().enumerate() {
        let (mut word, mut bits) = (*column, 1u64 << bit);
        for (known, known_bits) in &words {
            if word ^ known < word {
                word ^= known;
                bits ^= known_bits;
            }
        }
        if word != 0 {
            let at = words.partition_point(|(known, _)| *known > word);
            words.insert(at, (word, bits));
        }
    }
    words
}

/// Words of all sizes.
fn random_word(trial: u64, salt: u64) -> u64 {
    let mut random = crate::random::Random::new(trial ^ salt.rotate_left(17));
    let shift = random.below(48);
    random.bits() >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_columns_are_taken_apart() {
        let mut random = crate::random::Random::new(5);
        for _ in 0..500 {
            let columns: Vec<u64> = (0..32).map(|_| random.bits() >> 32).collect();
            let words = reduced(&columns);
            let lower = random.bits() >> 32;
            let upper = (0..32).filter(|bit| lower >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[bit]);
            let (mut rest, mut found) = (upper, 0);
            for (word, bits) in &words {
                if rest ^ word < rest {
                    (rest, found) = (rest ^ word, found ^ bits);
                }
            }
            let again = (0..32).filter(|bit| found >> bit & 1 == 1).fold(0u64, |sum, bit| sum ^ columns[bit]);
            assert_eq!((rest, again), (0, upper));
        }
    }
}
