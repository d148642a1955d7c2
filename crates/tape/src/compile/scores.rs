//! Distances, gaps and scores, exactly as the functions of `distance` compute them.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use symcrete_expr::FloatKind;

use super::NotCompilable;
use super::floats::Precision;
use super::translate::{Form, Translator};
use crate::distance::{FAR, MOST};
use crate::tape::{Slot, View};

impl Translator<'_, '_> {
    pub(super) fn distance(&mut self, view: View, a: Slot, b: Slot) -> Result<Form, NotCompilable> {
        let distance = match view {
            View::Signed(width) => {
                let (a, b) = (self.word(a), self.word(b));
                let (a, b) = (self.sign_extend(width, a), self.sign_extend(width, b));
                let difference = self.difference(IntCC::SignedLessThan, a, b);
                self.unsigned_number(width, difference)
            }
            View::Unsigned(width) => {
                let (a, b) = (self.word(a), self.word(b));
                let difference = self.difference(IntCC::UnsignedLessThan, a, b);
                self.unsigned_number(width, difference)
            }
            View::Wrapping(width) => {
                let (a, b) = (self.word(a), self.word(b));
                let [up, down] = [(a, b), (b, a)].map(|(from, to)| self.builder.ins().isub(from, to));
                let (up, down) = (self.truncate(width, up), self.truncate(width, down));
                let nearer = self.builder.ins().umin(up, down);
                self.unsigned_number(width, nearer)
            }
            View::Pattern(_) => {
                let (a, b) = (self.word(a), self.word(b));
                let differing = self.builder.ins().bxor(a, b);
                let count = self.builder.ins().popcnt(differing);
                self.signed_number(count)
            }
            View::Number(kind) => {
                let difference = self.numeric_difference(kind, a, b)?;
                let distance = self.builder.ins().fabs(difference);
                let most = self.builder.ins().f64const(MOST);
                let is_number = self.builder.ins().fcmp(FloatCC::Ordered, distance, distance);
                self.builder.ins().select(is_number, distance, most)
            }
            View::Steps(kind) => self.steps(kind, a, b)?,
        };
        Ok(Form::Double(distance))
    }

    /// The larger less the smaller.
    fn difference(&mut self, less: IntCC, a: Value, b: Value) -> Value {
        let up = self.builder.ins().isub(b, a);
        let down = self.builder.ins().isub(a, b);
        let less = self.builder.ins().icmp(less, a, b);
        self.builder.ins().select(less, up, down)
    }

    /// How many floats lie between.
    fn steps(&mut self, kind: FloatKind, a: Slot, b: Slot) -> Result<Value, NotCompilable> {
        let precision = Precision::of(kind)?;
        let [place_a, place_b] = [a, b].map(|slot| self.place(kind, slot));
        let difference = self.difference(IntCC::SignedLessThan, place_a, place_b);
        let steps = self.unsigned_number(kind.bits(), difference);
        let (a, b) = (self.operand(precision, a), self.operand(precision, b));
        let numbers = self.builder.ins().fcmp(FloatCC::Ordered, a, b);
        let far = self.builder.ins().f64const(FAR);
        Ok(self.builder.ins().select(numbers, steps, far))
    }

    /// Of a float that is not a NaN among all of its kind: the magnitude with the sign.
    fn place(&mut self, kind: FloatKind, slot: Slot) -> Value {
        let word = self.word(slot);
        let pattern = self.sign_extend(kind.bits(), word);
        let sign = self.number(63);
        // All ones for negative floats: then the complement of the magnitude, plus one, is its negation.
        let negative = self.builder.ins().sshr(pattern, sign);
        let mask = self.number(kind.sign_mask() as u64 - 1);
        let magnitude = self.builder.ins().band(word, mask);
        let flipped = self.builder.ins().bxor(magnitude, negative);
        self.builder.ins().isub(flipped, negative)
    }

    pub(super) fn gap(&mut self, view: View, a: Slot, b: Slot) -> Result<Form, NotCompilable> {
        let gap = match view {
            View::Signed(width) => {
                let [a, b] = [a, b].map(|slot| {
                    let word = self.word(slot);
                    let signed = self.sign_extend(width, word);
                    self.signed_number(signed)
                });
                self.builder.ins().fsub(a, b)
            }
            View::Unsigned(width) => {
                let [a, b] = [a, b].map(|slot| {
                    let word = self.word(slot);
                    self.unsigned_number(width, word)
                });
                self.builder.ins().fsub(a, b)
            }
            View::Wrapping(width) | View::Pattern(width) => {
                let (a, b) = (self.word(a), self.word(b));
                let difference = self.builder.ins().isub(a, b);
                let difference = self.sign_extend(width, difference);
                self.signed_number(difference)
            }
            View::Number(kind) | View::Steps(kind) => self.numeric_difference(kind, a, b)?,
        };
        Ok(Form::Double(gap))
    }

    fn numeric_difference(&mut self, kind: FloatKind, a: Slot, b: Slot) -> Result<Value, NotCompilable> {
        let precision = Precision::of(kind)?;
        let [a, b] = [a, b].map(|slot| {
            let value = self.operand(precision, slot);
            match precision {
                Precision::Single => self.builder.ins().fpromote(types::F64, value),
                Precision::Double => value,
            }
        });
        Ok(self.builder.ins().fsub(a, b))
    }

    /// A word of this width as a double; below 64 bits the signed number is the same one, and quicker to convert.
    fn unsigned_number(&mut self, width: u32, word: Value) -> Value {
        match width < 64 {
            true => self.signed_number(word),
            false => self.builder.ins().fcvt_from_uint(types::F64, word),
        }
    }

    fn signed_number(&mut self, word: Value) -> Value {
        self.builder.ins().fcvt_from_sint(types::F64, word)
    }

    pub(super) fn plain_score(&mut self, plus_one: bool, condition: Slot, distance: Slot) -> Form {
        let distance = self.double(distance);
        let (least, most) = (self.builder.ins().f64const(f64::MIN_POSITIVE), self.builder.ins().f64const(MOST));
        let too_small = self.builder.ins().fcmp(FloatCC::LessThan, distance, least);
        let distance = self.builder.ins().select(too_small, least, distance);
        let mut score = self.lesser(most, distance);
        if plus_one {
            let one = self.builder.ins().f64const(1.0);
            score = self.builder.ins().fadd(score, one);
        }
        self.unless(condition, score)
    }

    pub(super) fn logarithmic_score(&mut self, condition: Slot, distance: Slot) -> Form {
        let distance = self.double(distance);
        let one = self.builder.ins().f64const(1.0);
        let sum = self.builder.ins().fadd(one, distance);
        let bits = self.cast(types::I64, sum);
        let bits_of_one = self.number(1.0f64.to_bits());
        // Not negative, as the distance is not.
        let above = self.builder.ins().isub(bits, bits_of_one);
        let above = self.signed_number(above);
        let scale = self.builder.ins().f64const(1.0 / 4_503_599_627_370_496.0);
        let logarithm = self.builder.ins().fmul(above, scale);
        let score = self.builder.ins().fadd(one, logarithm);
        self.unless(condition, score)
    }

    pub(super) fn flat_score(&mut self, condition: Slot) -> Form {
        let one = self.builder.ins().f64const(1.0);
        self.unless(condition, one)
    }

    /// Zero if the condition holds.
    fn unless(&mut self, condition: Slot, score: Value) -> Form {
        let (condition, zero) = (self.truth(condition), self.builder.ins().f64const(0.0));
        Form::Double(self.builder.ins().select(condition, zero, score))
    }

    pub(super) fn sum(&mut self, a: Slot, b: Slot) -> Form {
        let (a, b) = (self.double(a), self.double(b));
        Form::Double(self.builder.ins().fadd(a, b))
    }

    /// Scores are never NaN.
    pub(super) fn minimum(&mut self, a: Slot, b: Slot) -> Form {
        let (a, b) = (self.double(a), self.double(b));
        Form::Double(self.lesser(a, b))
    }

    fn lesser(&mut self, a: Value, b: Value) -> Value {
        let less = self.builder.ins().fcmp(FloatCC::LessThan, a, b);
        self.builder.ins().select(less, a, b)
    }
}
