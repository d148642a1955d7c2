//! Operations on words, as `symcrete_expr::dag::semantics::word` has them: total, and zeros above the width.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use symcrete_expr::dag::Op;
use symcrete_expr::word::mask;

use super::translate::{Form, Translator};
use crate::tape::Slot;

/// The machine's integer of exactly this width.
fn exact(width: u32) -> Option<Type> {
    match width {
        8 => Some(types::I8),
        16 => Some(types::I16),
        32 => Some(types::I32),
        64 => Some(types::I64),
        _ => None,
    }
}

impl Translator<'_, '_> {
    pub(super) fn binary(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Form {
        match op {
            Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul => self.arithmetic(op, width, a, b),
            Op::Shl | Op::LShr | Op::AShr => Form::Word(self.shift(op, width, a, b)),
            Op::UDiv | Op::URem => self.unsigned_division(op, width, a, b),
            Op::SDiv | Op::SRem => Form::Word(self.signed_division(op, width, a, b)),
            _ => Form::Truth(self.comparison(op, width, a, b)),
        }
    }

    fn arithmetic(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Form {
        let bitwise = matches!(op, Op::And | Op::Or | Op::Xor);
        let truths = self.known_truth(a).zip(self.known_truth(b)).filter(|_| bitwise);
        let (a, b) = truths.unwrap_or_else(|| self.integers(width, a, b));
        let ins = self.builder.ins();
        let result = match op {
            Op::And => ins.band(a, b),
            Op::Or => ins.bor(a, b),
            Op::Xor => ins.bxor(a, b),
            Op::Add => ins.iadd(a, b),
            Op::Sub => ins.isub(a, b),
            _ => ins.imul(a, b),
        };
        match width {
            _ if truths.is_some() => Form::Truth(result),
            32 => Form::Half(result),
            _ if bitwise => Form::Word(result),
            _ => Form::Word(self.truncate(width, result)),
        }
    }

    /// Two operands in registers of 32 bits if that is their width, else as words.
    fn integers(&mut self, width: u32, a: Slot, b: Slot) -> (Value, Value) {
        match width {
            32 => (self.half(a), self.half(b)),
            _ => (self.word(a), self.word(b)),
        }
    }

    fn comparison(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Value {
        let (mut a, mut b) = self.integers(width, a, b);
        let condition = match op {
            Op::Equal => IntCC::Equal,
            Op::UnsignedLess => IntCC::UnsignedLessThan,
            Op::UnsignedLessEqual => IntCC::UnsignedLessThanOrEqual,
            Op::SignedLess => IntCC::SignedLessThan,
            Op::SignedLessEqual => IntCC::SignedLessThanOrEqual,
            _ => unreachable!("{op:?} is not an operation on two vectors"),
        };
        if matches!(op, Op::SignedLess | Op::SignedLessEqual) {
            (a, b) = (self.signs_on_top(width, a), self.signs_on_top(width, b));
        }
        self.builder.ins().icmp(condition, a, b)
    }

    /// A value that compares as the signed number of this width does.
    fn signs_on_top(&mut self, width: u32, value: Value) -> Value {
        match exact(width) {
            Some(types::I64 | types::I32) => value,
            Some(narrow) => self.builder.ins().ireduce(narrow, value),
            None => {
                let unused = self.number(64 - u64::from(width));
                self.builder.ins().ishl(value, unused)
            }
        }
    }

    /// A shift by the width or more leaves zeros or signs. The machine's shifts look at six bits of the count.
    fn shift(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Value {
        let known = self.constant(b);
        let (a, count) = (self.word(a), self.word(b));
        if op == Op::AShr {
            let a = self.sign_extend(width, a);
            let most = self.number(63);
            let count = match known {
                Some(known) => self.number(known.min(63)),
                None => self.builder.ins().umin(count, most),
            };
            let shifted = self.builder.ins().sshr(a, count);
            return self.truncate(width, shifted);
        }
        if known.is_some_and(|count| count >= u64::from(width)) {
            return self.number(0);
        }
        let shifted = match op {
            Op::Shl => {
                let shifted = self.builder.ins().ishl(a, count);
                self.truncate(width, shifted)
            }
            _ => self.builder.ins().ushr(a, count),
        };
        if known.is_some() {
            return shifted;
        }
        let fits = self.compare_with(IntCC::UnsignedLessThan, count, width.into());
        let zero = self.number(0);
        self.builder.ins().select(fits, shifted, zero)
    }

    /// All ones for a division by zero; the remainder is the dividend.
    fn unsigned_division(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Form {
        let known = self.constant(b).is_some_and(|divisor| divisor != 0);
        let (a, b) = self.integers(width, a, b);
        let safe = if known { b } else { self.or_one(b, b) };
        let mut result = match op {
            Op::UDiv => self.builder.ins().udiv(a, safe),
            _ => self.builder.ins().urem(a, safe),
        };
        let kind = self.builder.func.dfg.value_type(result);
        if !known {
            let by_zero = match op {
                Op::UDiv => self.builder.ins().iconst(kind, mask(width) as i64),
                _ => a,
            };
            result = self.builder.ins().select(b, result, by_zero);
        }
        if kind == types::I32 { Form::Half(result) } else { Form::Word(result) }
    }

    /// -1 for a division by zero, 1 if the dividend is negative; the remainder is the dividend.
    fn signed_division(&mut self, op: Op, width: u32, a: Slot, b: Slot) -> Value {
        let harmless = self.constant(b).is_some_and(|divisor| divisor != 0 && divisor != mask(width));
        let (a_word, b_word) = (self.word(a), self.word(b));
        let (a, b) = (self.sign_extend(width, a_word), self.sign_extend(width, b_word));
        if harmless {
            let result = match op {
                Op::SDiv => self.builder.ins().sdiv(a, b),
                _ => self.builder.ins().srem(a, b),
            };
            return self.truncate(width, result);
        }
        // Neither zero nor minus one, which traps for the smallest number: the divisors of which b and b + 1 are not
        // zero.
        let one = self.number(1);
        let above = self.builder.ins().iadd(b, one);
        let safe = self.or_one(b, b);
        let safe = self.or_one(above, safe);
        if op == Op::SRem {
            // Divided by one, as by minus one, nothing remains.
            let remainder = self.builder.ins().srem(a, safe);
            let result = self.builder.ins().select(b, remainder, a);
            return self.truncate(width, result);
        }
        let quotient = self.builder.ins().sdiv(a, safe);
        let negated = self.builder.ins().ineg(a);
        let quotient = self.builder.ins().select(above, quotient, negated);
        // 1 or -1 by the sign.
        let sign = self.number(63);
        let minus_one_or_zero = self.builder.ins().sshr(a, sign);
        let two = self.number(2);
        let two_or_zero = self.builder.ins().band(minus_one_or_zero, two);
        let by_zero = self.builder.ins().isub(two_or_zero, one);
        let result = self.builder.ins().select(b, quotient, by_zero);
        self.truncate(width, result)
    }

    /// The value, or one if the condition is zero.
    fn or_one(&mut self, condition: Value, value: Value) -> Value {
        let kind = self.builder.func.dfg.value_type(value);
        let one = self.builder.ins().iconst(kind, 1);
        self.builder.ins().select(condition, value, one)
    }

    pub(super) fn not(&mut self, width: u32, a: Slot) -> Form {
        if let Some(truth) = self.known_truth(a).filter(|_| width == 1) {
            let one = self.builder.ins().iconst(types::I8, 1);
            return Form::Truth(self.builder.ins().bxor(truth, one));
        }
        let (a, ones) = (self.word(a), self.number(mask(width)));
        Form::Word(self.builder.ins().bxor(a, ones))
    }

    pub(super) fn extract(&mut self, low: u32, width: u32, a: Slot) -> Form {
        let mut value = self.word(a);
        if low > 0 {
            let low = self.number(low.into());
            value = self.builder.ins().ushr(value, low);
        }
        Form::Word(self.truncate(width, value))
    }

    pub(super) fn sign_extend_to(&mut self, from: u32, to: u32, a: Slot) -> Form {
        let word = self.word(a);
        let extended = self.sign_extend(from, word);
        Form::Word(self.truncate(to, extended))
    }

    pub(super) fn concat(&mut self, width: u32, a: Slot, b: Slot) -> Form {
        let (high, low, width) = (self.word(a), self.word(b), self.number(width.into()));
        let high = self.builder.ins().ishl(high, width);
        Form::Word(self.builder.ins().bor(high, low))
    }

    pub(super) fn choose(&mut self, condition: Slot, a: Slot, b: Slot) -> Form {
        let condition = self.truth(condition);
        if self.is_double(a) && self.is_double(b) {
            let (a, b) = (self.double(a), self.double(b));
            return Form::Double(self.builder.ins().select(condition, a, b));
        }
        let (a, b) = (self.word(a), self.word(b));
        Form::Word(self.builder.ins().select(condition, a, b))
    }

    /// The constants stand where they are; past the end is zero.
    pub(super) fn table(&mut self, index: Slot, table: u32) -> Form {
        let words = &self.held.tables[table as usize];
        let (base, length) = (self.number(words.as_ptr() as u64), words.len());
        Form::Word(self.element(index, base, length))
    }

    /// The elements are put into memory, once for each list, since all of them are there when one is first asked for.
    pub(super) fn pick(&mut self, index: Slot, list: u32) -> Form {
        let members = &self.tape.lists[list as usize];
        let start = match self.spilled[list as usize] {
            Some(start) => start,
            None => {
                let start = self.scratch_words;
                self.scratch_words += members.len();
                for (at, (slot, _)) in members.iter().enumerate() {
                    let word = self.word(*slot);
                    self.store(word, self.scratch, start + at);
                }
                self.spilled[list as usize] = Some(start);
                start
            }
        };
        let offset = self.number(start as u64 * 8);
        let base = self.builder.ins().iadd(self.scratch, offset);
        Form::Word(self.element(index, base, members.len()))
    }

    fn element(&mut self, index: Slot, base: Value, length: usize) -> Value {
        let zero = self.number(0);
        if length == 0 {
            return zero;
        }
        let index = self.word(index);
        let inside = self.compare_with(IntCC::UnsignedLessThan, index, length as u64);
        let index = self.builder.ins().select(inside, index, zero);
        let three = self.number(3);
        let offset = self.builder.ins().ishl(index, three);
        let address = self.builder.ins().iadd(base, offset);
        let element = self.load(types::I64, address, 0);
        self.builder.ins().select(inside, element, zero)
    }

    /// Zeros above the width.
    pub(super) fn truncate(&mut self, width: u32, value: Value) -> Value {
        match exact(width) {
            Some(types::I64) => value,
            Some(narrow) => {
                let narrow = self.builder.ins().ireduce(narrow, value);
                self.builder.ins().uextend(types::I64, narrow)
            }
            None => {
                let ones = self.number(mask(width));
                self.builder.ins().band(value, ones)
            }
        }
    }

    /// The word of this width as a number of 64 bits.
    pub(super) fn sign_extend(&mut self, width: u32, value: Value) -> Value {
        match exact(width) {
            Some(types::I64) => value,
            Some(narrow) => {
                let narrow = self.builder.ins().ireduce(narrow, value);
                self.builder.ins().sextend(types::I64, narrow)
            }
            None => {
                let unused = self.number(64 - u64::from(width));
                let up = self.builder.ins().ishl(value, unused);
                self.builder.ins().sshr(up, unused)
            }
        }
    }
}
