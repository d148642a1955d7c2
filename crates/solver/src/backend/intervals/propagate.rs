//! Bounds of every step of a query, narrowed in sweeps: results from operands, then operands from results, until
//! nothing changes or the sweeps are used up. Steps near which nothing changed are passed over.

use symcrete_expr::Arena;
use symcrete_expr::dag::{FloatOperation, Op};
use symcrete_expr::word::sign_extend;

use super::condition::{decide, test, test_backward};
use super::integer::{self, Range};
use super::number::{Interval, Precision};
use super::program::{Operation, Step, Test};
use super::{backward, forward};

/// What is known of a value, read as a float and as an integer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Domain {
    pub float: Interval,
    pub integer: Range,
}

/// No values satisfy the query.
#[derive(Debug)]
pub struct Contradiction;

pub type Narrowed = Result<(), Contradiction>;

/// The values that are still possible: a box.
#[derive(Clone)]
pub struct State {
    pub domains: Vec<Domain>,
    /// The sweep in which a domain changed last.
    stamps: Vec<u32>,
    sweep: u32,
}

/// Narrows states of one query.
pub struct Propagator<'q> {
    pub steps: &'q [Step],
    /// Steps that were computed so far.
    pub work: u64,
}

impl State {
    /// What is known of every value by itself.
    pub fn new(arena: &Arena, steps: &[Step]) -> State {
        let domains: Vec<Domain> = steps.iter().map(|step| initial(arena, step)).collect();
        State { stamps: vec![1; domains.len()], domains, sweep: 1 }
    }

    #[inline]
    pub fn float(&self, at: u32) -> &Interval {
        &self.domains[at as usize].float
    }

    #[inline]
    pub fn integer(&self, at: u32) -> &Range {
        &self.domains[at as usize].integer
    }

    /// Whether a condition holds, if that is known.
    #[inline]
    pub fn truth(&self, at: u32) -> Option<bool> {
        self.integer(at).known().map(|bit| bit != 0)
    }

    pub fn narrow(&mut self, step: &Step, at: u32, float: &Interval, integer: &Range) -> Narrowed {
        let old = self.domains[at as usize];
        let mut new = Domain { float: old.float.meet(float), integer: old.integer.meet(integer) };
        if new == old {
            return Ok(());
        }
        if let Some(precision) = step.precision() {
            // The bits and the float tell of each other.
            if new.integer != old.integer {
                new.float = new.float.meet(&Interval::of_bits(precision, new.integer.low, new.integer.high));
            }
            if new.float != old.float
                && let Some((low, high)) = new.float.to_bits(precision)
            {
                new.integer = new.integer.meet(&Range::new(low, high));
            }
            if new.float.is_empty() {
                return Err(Contradiction);
            }
        }
        if step.width > 0 && new.integer.is_empty() {
            return Err(Contradiction);
        }
        self.domains[at as usize] = new;
        self.stamps[at as usize] = self.sweep;
        Ok(())
    }
}

fn initial(arena: &Arena, step: &Step) -> Domain {
    let width = u32::from(step.width);
    if width == 0 {
        return Domain { float: Interval::ANYTHING, integer: Range::new(i64::MIN, i64::MAX) };
    }
    let facts = arena.facts(step.expr);
    let integer = match width {
        1 => Range::new(facts.min as i64, facts.max as i64),
        _ => Range::new(facts.signed_min, facts.signed_max),
    };
    let float = match (Precision::of_width(width), arena.as_word(step.expr)) {
        (Some(precision), Some(bits)) => Interval::point(precision.number_of_bits(sign_extend(width, bits))),
        (Some(precision), None) => Interval::of_bits(precision, integer.low, integer.high),
        (None, _) => Interval::ANYTHING,
    };
    Domain { float, integer }
}

impl Propagator<'_> {
    /// Narrows until nothing changes, at most so many sweeps.
    pub fn run(&mut self, state: &mut State, most_sweeps: u32) -> Narrowed {
        for _ in 0..most_sweeps {
            state.sweep += 1;
            let mut active = false;
            for at in 0..self.steps.len() {
                if self.is_near_change(state, at) {
                    self.work += 1;
                    self.forward(state, at as u32)?;
                }
            }
            for at in (0..self.steps.len()).rev() {
                if state.stamps[at] + 1 >= state.sweep || self.is_near_change(state, at) {
                    self.work += 1;
                    self.backward(state, at as u32)?;
                    active = true;
                }
            }
            let changed = active && state.stamps.contains(&state.sweep);
            if !changed {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether an operand changed in this sweep or the last one.
    #[inline]
    fn is_near_change(&self, state: &State, at: usize) -> bool {
        let step = &self.steps[at];
        step.operands[..usize::from(step.count)]
            .iter()
            .any(|operand| state.stamps[*operand as usize] + 1 >= state.sweep)
    }

    pub fn assert(&self, state: &mut State, at: u32, holds: bool) -> Narrowed {
        let bit = i64::from(holds);
        state.narrow(&self.steps[at as usize], at, &Interval::ANYTHING, &Range::new(bit, bit))
    }

    pub fn narrow_float(&self, state: &mut State, at: u32, float: &Interval) -> Narrowed {
        state.narrow(&self.steps[at as usize], at, float, &Range::new(i64::MIN, i64::MAX))
    }

    pub fn narrow_integer(&self, state: &mut State, at: u32, integer: &Range) -> Narrowed {
        state.narrow(&self.steps[at as usize], at, &Interval::ANYTHING, integer)
    }

    fn forward(&self, state: &mut State, at: u32) -> Narrowed {
        let step = &self.steps[at as usize];
        if matches!(step.operation, Operation::Leaf) {
            return Ok(());
        }
        if let Some(condition) = self.condition(state, step) {
            return match condition {
                Some(holds) => self.assert(state, at, holds),
                None => Ok(()),
            };
        }
        if matches!(step.operation, Operation::Ite) {
            let chosen = self.chosen(state, step);
            return state.narrow(step, at, &chosen.float, &chosen.integer);
        }
        match self.float_result(state, step) {
            Some(float) => self.narrow_float(state, at, &float),
            None => {
                let integer = self.integer_result(state, step);
                self.narrow_integer(state, at, &integer)
            }
        }
    }

    /// For steps that are conditions: whether they hold, if that is known.
    fn condition(&self, state: &State, step: &Step) -> Option<Option<bool>> {
        let [a, b, _] = step.operands;
        Some(match step.operation {
            Operation::Not => state.truth(a).map(|holds| !holds),
            Operation::And => match (state.truth(a), state.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Operation::Or => match (state.truth(a), state.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Operation::Xor => state.truth(a).zip(state.truth(b)).map(|(a, b)| a != b),
            Operation::Test(class, _) => test(class, state.float(a)),
            Operation::FloatCompare(operation, _) => decide(operation, a == b, state.float(a), state.float(b)),
            Operation::Compare(op) if a == b => Some(!matches!(op, Op::SignedLess | Op::UnsignedLess)),
            Operation::Compare(op) => {
                let (first, second) = (&self.steps[a as usize], &self.steps[b as usize]);
                let apart = op == Op::Equal
                    && first.is_float
                    && second.is_float
                    && state.float(a).meet(state.float(b)).is_empty();
                if apart { Some(false) } else { integer::compare(op, state.integer(a), state.integer(b)) }
            }
            _ => return None,
        })
    }

    /// For steps that compute floats.
    fn float_result(&self, state: &State, step: &Step) -> Option<Interval> {
        let [a, b, c] = step.operands;
        let first = state.float(a);
        Some(match step.operation {
            Operation::Float(operation, precision, rounding) => {
                forward::binary(operation, precision, rounding, a == b, first, state.float(b))
            }
            Operation::SquareRoot(precision, rounding) => forward::square_root(precision, rounding, first),
            Operation::MultiplyAdd(precision, rounding) => {
                forward::multiply_add(precision, rounding, first, state.float(b), state.float(c))
            }
            Operation::RoundToIntegral(_, rounding) => forward::round_to_integral(rounding, first),
            Operation::Convert(_, to, rounding) => forward::convert(to, rounding, first),
            Operation::FromSigned(precision, rounding, width) => {
                let integer = integer::sign_extend(width.into(), state.integer(a));
                forward::from_integer(precision, rounding, integer.low.into(), integer.high.into())
            }
            Operation::FromUnsigned(precision, rounding, width) => {
                let (low, high) = integer::unsigned_bounds(width.into(), state.integer(a));
                forward::from_integer(precision, rounding, low, high)
            }
            Operation::Negated => first.negated(),
            Operation::Absolute => first.absolute(),
            Operation::NegatedAbsolute => first.absolute().negated(),
            Operation::AnySign => first.absolute().join(&first.absolute().negated()),
            Operation::Library(known) => known.forward(first, state.float(if step.count == 2 { b } else { a })),
            _ => return None,
        })
    }

    fn integer_result(&self, state: &State, step: &Step) -> Range {
        let [a, b, _] = step.operands;
        let (first, width) = (state.integer(a), u32::from(step.width));
        match step.operation {
            Operation::Binary(op) => integer::binary(op, width, first, state.integer(b)),
            Operation::ZeroExtend(from) => integer::zero_extend(from.into(), first),
            Operation::SignExtend(from) => integer::sign_extend(from.into(), first),
            Operation::LowBits => integer::low_bits(width, first),
            Operation::Complement => Range::new(!first.high, !first.low),
            Operation::ToSigned(_) => forward::to_signed(width, state.float(a)),
            Operation::ToUnsigned(_) => forward::to_unsigned(width, state.float(a)),
            _ => Range::of_width(width),
        }
    }

    fn backward(&self, state: &mut State, at: u32) -> Narrowed {
        let step = &self.steps[at as usize];
        let [a, b, _] = step.operands;
        match step.operation {
            Operation::Leaf | Operation::MultiplyAdd(..) => Ok(()),
            Operation::Not | Operation::And | Operation::Or | Operation::Xor => self.logic_backward(state, step, at),
            Operation::Test(class, precision) => match state.truth(at) {
                Some(passes) => {
                    let narrowed = test_backward(class, precision, passes, state.float(a));
                    self.narrow_float(state, a, &narrowed)
                }
                None => Ok(()),
            },
            Operation::FloatCompare(operation, precision) => match state.truth(at) {
                Some(holds) if a != b => {
                    let (first, second) =
                        backward::compare(operation, precision, holds, state.float(a), state.float(b));
                    self.narrow_float(state, a, &first)?;
                    self.narrow_float(state, b, &second)
                }
                // Only a NaN differs from itself.
                Some(holds) if operation != FloatOperation::Less => {
                    let narrowed = test_backward(Test::Nan, precision, !holds, state.float(a));
                    self.narrow_float(state, a, &narrowed)
                }
                _ => Ok(()),
            },
            Operation::Compare(op) => match state.truth(at) {
                Some(holds) if a != b => self.compare_backward(state, op, holds, a, b),
                _ => Ok(()),
            },
            Operation::Ite => self.choice_backward(state, step, at),
            Operation::Float(operation, precision, _) => {
                let result = *state.float(at);
                let (first, second) =
                    backward::binary(operation, precision, a == b, &result, state.float(a), state.float(b));
                self.narrow_float(state, a, &first)?;
                self.narrow_float(state, b, &second)
            }
            Operation::Library(known) => {
                let second = if step.count == 2 { b } else { a };
                let (narrowed, other) = known.backward(state.float(at), state.float(a), state.float(second));
                self.narrow_float(state, a, &narrowed)?;
                if step.count == 2 { self.narrow_float(state, b, &other) } else { Ok(()) }
            }
            _ => match self.float_operand(state, step, at) {
                Some(float) => self.narrow_float(state, a, &float),
                None => self.integer_backward(state, step, at),
            },
        }
    }

    /// For steps with one operand that is a float.
    fn float_operand(&self, state: &State, step: &Step, at: u32) -> Option<Interval> {
        let (result, a) = (state.float(at), state.float(step.operands[0]));
        let is_float = step.is_float;
        Some(match step.operation {
            Operation::SquareRoot(precision, _) => backward::square_root(precision, result, a),
            Operation::RoundToIntegral(precision, rounding) => {
                backward::round_to_integral(precision, rounding, result, a)
            }
            Operation::Convert(from, to, _) => backward::convert(from, to, result, a),
            Operation::Negated if is_float => result.negated(),
            Operation::Absolute if is_float => backward::absolute(result, a),
            Operation::NegatedAbsolute if is_float => backward::absolute(&result.negated(), a),
            Operation::AnySign if is_float => backward::absolute(&result.absolute(), a),
            Operation::ToSigned(precision) => {
                let integer = state.integer(at);
                let all = Range::of_width(step.width.into());
                let whole_register = matches!(step.width, 32 | 64);
                match whole_register && integer.low > all.low {
                    true => backward::to_integer(precision, integer.low, integer.high, a),
                    false => *a,
                }
            }
            _ => return None,
        })
    }

    fn integer_backward(&self, state: &mut State, step: &Step, at: u32) -> Narrowed {
        let [a, b, _] = step.operands;
        let (result, first, width) = (*state.integer(at), *state.integer(a), u32::from(step.width));
        let narrowed = match step.operation {
            Operation::Binary(op) => {
                let (first, second) = integer::binary_backward(op, width, &result, &first, state.integer(b));
                self.narrow_integer(state, b, &second)?;
                first
            }
            Operation::ZeroExtend(from) => integer::zero_extend_backward(from.into(), &result, &first),
            Operation::SignExtend(from) => integer::sign_extend_backward(from.into(), &result, &first),
            Operation::LowBits => match width > 1 && first.meet(&Range::of_width(width)) == first {
                true => first.meet(&result),
                false => first,
            },
            Operation::Complement => Range::new(!result.high, !result.low),
            Operation::FromSigned(precision, _, from) if from > 1 => {
                let (low, high) =
                    backward::from_integer(precision, state.float(at), first.low.into(), first.high.into());
                if low > high { Range::new(1, 0) } else { Range::new(low as i64, high as i64) }
            }
            Operation::FromUnsigned(precision, _, from) if from > 1 => {
                let (low, high) = integer::unsigned_bounds(from.into(), &first);
                let (low, high) = backward::from_integer(precision, state.float(at), low, high);
                match low > high {
                    true => Range::new(1, 0),
                    false => integer::unsigned_backward(from.into(), low, high, &first),
                }
            }
            _ => first,
        };
        self.narrow_integer(state, a, &narrowed)
    }

    fn logic_backward(&self, state: &mut State, step: &Step, at: u32) -> Narrowed {
        let [a, b, _] = step.operands;
        let Some(holds) = state.truth(at) else { return Ok(()) };
        match step.operation {
            Operation::Not => self.assert(state, a, !holds),
            Operation::Xor => {
                if let Some(other) = state.truth(b) {
                    self.assert(state, a, holds != other)?;
                }
                match state.truth(a) {
                    Some(other) => self.assert(state, b, holds != other),
                    None => Ok(()),
                }
            }
            // Either all must, or the last one that still can.
            operation if holds == (operation == Operation::And) => {
                self.assert(state, a, holds)?;
                self.assert(state, b, holds)
            }
            _ => {
                if state.truth(a) == Some(!holds) {
                    self.assert(state, b, holds)?;
                }
                if state.truth(b) == Some(!holds) {
                    self.assert(state, a, holds)?;
                }
                Ok(())
            }
        }
    }

    fn compare_backward(&self, state: &mut State, op: Op, holds: bool, a: u32, b: u32) -> Narrowed {
        let (first, second) = integer::compare_backward(op, holds, state.integer(a), state.integer(b));
        let mut floats = Interval::ANYTHING;
        let both = self.steps[a as usize].is_float && self.steps[b as usize].is_float;
        if op == Op::Equal && holds && both {
            floats = state.float(a).meet(state.float(b));
        }
        state.narrow(&self.steps[a as usize], a, &floats, &first)?;
        state.narrow(&self.steps[b as usize], b, &floats, &second)
    }
}
