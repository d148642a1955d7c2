//! Orders between values that bounds cannot see: `x < y` and `y <= x` contradict each other whatever the bounds. What
//! is known to be less or equal is an edge; a circle with a strict edge is a contradiction.

use symcrete_expr::dag::{FloatOperation, Op, Rounding};

use super::integer;
use super::number::Interval;
use super::program::{Operation, Step};
use super::propagate::{Contradiction, Narrowed, State};

/// Strict edges from which circles are looked for.
const MOST_STRICT: usize = 64;

/// Which values are not more than which others. Values as floats have even numbers, as integers odd ones.
#[derive(Default)]
pub struct Order {
    edges: Vec<(u32, u32)>,
    strict: Vec<(u32, u32)>,
    /// Where the edges of each value begin in `targets`.
    begins: Vec<u32>,
    targets: Vec<u32>,
    reached: Vec<bool>,
    pending: Vec<u32>,
}

fn float(at: u32) -> u32 {
    2 * at
}

fn integer(at: u32) -> u32 {
    2 * at + 1
}

impl Order {
    /// Looks for a contradiction among what is known of all steps.
    pub fn check(&mut self, steps: &[Step], state: &State) -> Narrowed {
        self.edges.clear();
        self.strict.clear();
        for (at, step) in steps.iter().enumerate() {
            self.gather(steps, state, step, at as u32);
        }
        if self.strict.is_empty() {
            return Ok(());
        }
        self.arrange(2 * steps.len());
        for at in 0..self.strict.len().min(MOST_STRICT) {
            let (less, more) = self.strict[at];
            if self.reaches(more, less) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    fn less_equal(&mut self, a: u32, b: u32) {
        self.edges.push((a, b));
    }

    fn less(&mut self, a: u32, b: u32) {
        self.edges.push((a, b));
        self.strict.push((a, b));
    }

    fn equal(&mut self, a: u32, b: u32) {
        self.edges.extend([(a, b), (b, a)]);
    }

    /// Sorts the edges by where they begin.
    fn arrange(&mut self, count: usize) {
        self.begins.clear();
        self.begins.resize(count + 2, 0);
        for (from, _) in &self.edges {
            self.begins[*from as usize + 2] += 1;
        }
        for at in 2..self.begins.len() {
            self.begins[at] += self.begins[at - 1];
        }
        self.targets.clear();
        self.targets.resize(self.edges.len(), 0);
        for (from, to) in &self.edges {
            let place = &mut self.begins[*from as usize + 1];
            self.targets[*place as usize] = *to;
            *place += 1;
        }
    }

    fn reaches(&mut self, from: u32, to: u32) -> bool {
        self.reached.clear();
        self.reached.resize(self.begins.len(), false);
        self.pending.clear();
        self.pending.push(from);
        while let Some(at) = self.pending.pop() {
            if at == to {
                return true;
            }
            if std::mem::replace(&mut self.reached[at as usize], true) {
                continue;
            }
            let (begin, end) = (self.begins[at as usize], self.begins[at as usize + 1]);
            self.pending.extend(&self.targets[begin as usize..end as usize]);
        }
        false
    }

    fn gather(&mut self, steps: &[Step], state: &State, step: &Step, at: u32) {
        let [a, b, _] = step.operands;
        match step.operation {
            Operation::FloatCompare(operation, _) => {
                if let Some(holds) = state.truth(at) {
                    self.float_comparison(state, operation, holds, a, b);
                }
            }
            Operation::Compare(op) => {
                if let Some(holds) = state.truth(at) {
                    let floats = steps[a as usize].is_float && steps[b as usize].is_float;
                    self.comparison(state, op, holds, floats, a, b);
                }
            }
            Operation::Ite => self.choice(steps, state, step, at),
            // What follows is about numbers.
            _ if step.is_float && !state.float(at).nan => self.float_result(state, step, at),
            Operation::Binary(op @ (Op::Add | Op::Sub)) => self.sum(state, op, step, at),
            Operation::SignExtend(from) if from > 1 => self.equal(integer(a), integer(at)),
            Operation::ZeroExtend(from) if from > 1 && state.integer(a).low >= 0 => {
                self.equal(integer(a), integer(at));
            }
            _ => {}
        }
    }

    fn float_comparison(&mut self, state: &State, operation: FloatOperation, holds: bool, a: u32, b: u32) {
        let ordered = !state.float(a).nan && !state.float(b).nan;
        let (first, second) = (float(a), float(b));
        match (operation, holds) {
            (FloatOperation::Less, true) => self.less(first, second),
            (FloatOperation::LessEqual, true) => self.less_equal(first, second),
            (FloatOperation::Equal, true) => self.equal(first, second),
            (FloatOperation::Less, false) if ordered => self.less_equal(second, first),
            (FloatOperation::LessEqual, false) if ordered => self.less(second, first),
            _ => {}
        }
    }

    fn comparison(&mut self, state: &State, op: Op, holds: bool, floats: bool, a: u32, b: u32) {
        let same_sign = (state.integer(a).low >= 0 && state.integer(b).low >= 0)
            || (state.integer(a).high < 0 && state.integer(b).high < 0);
        let (first, second) = (integer(a), integer(b));
        let op = match op {
            Op::UnsignedLess if same_sign => Op::SignedLess,
            Op::UnsignedLessEqual if same_sign => Op::SignedLessEqual,
            other => other,
        };
        match (op, holds) {
            (Op::SignedLess, true) => self.less(first, second),
            (Op::SignedLess, false) => self.less_equal(second, first),
            (Op::SignedLessEqual, true) => self.less_equal(first, second),
            (Op::SignedLessEqual, false) => self.less(second, first),
            (Op::Equal, true) => {
                self.equal(first, second);
                if floats && !state.float(a).nan && !state.float(b).nan {
                    self.equal(float(a), float(b));
                }
            }
            _ => {}
        }
    }

    /// A choice is one of its sides; the lesser or the greater of two is not more or not less than either.
    fn choice(&mut self, steps: &[Step], state: &State, step: &Step, at: u32) {
        let [condition, first, second] = step.operands;
        let numbers = step.is_float && !state.float(at).nan;
        if let Some(truth) = state.truth(condition) {
            let side = if truth { first } else { second };
            if step.width > 1 {
                self.equal(integer(side), integer(at));
            }
            if numbers && !state.float(side).nan {
                self.equal(float(side), float(at));
            }
            return;
        }
        let test = &steps[condition as usize];
        let [left, right, _] = test.operands;
        let compares = (left, right) == (first, second) || (left, right) == (second, first);
        let is_least = (left, right) == (first, second);
        let (low, high): (&[u32], &[u32]) =
            if is_least { (&[at], &[first, second]) } else { (&[first, second], &[at]) };
        let view: fn(u32) -> u32 = match test.operation {
            Operation::FloatCompare(FloatOperation::Less | FloatOperation::LessEqual, _)
                if numbers && !state.float(first).nan && !state.float(second).nan =>
            {
                float
            }
            Operation::Compare(Op::SignedLess | Op::SignedLessEqual) => integer,
            _ => return,
        };
        if compares {
            for low in low {
                for high in high {
                    self.less_equal(view(*low), view(*high));
                }
            }
        }
    }

    /// How the result of a float operation that is no NaN compares with operands that are none either.
    fn float_result(&mut self, state: &State, step: &Step, at: u32) {
        let [a, b, _] = step.operands;
        let (result, first, second) = (state.float(at), state.float(a), state.float(b));
        let numbers = !first.nan && (step.count < 2 || !second.nan);
        if !numbers {
            return;
        }
        let (whole, one, other) = (float(at), float(a), float(b));
        match step.operation {
            Operation::Float(FloatOperation::Add, ..) => {
                self.shifted(second, one, whole);
                self.shifted(first, other, whole);
            }
            Operation::Float(FloatOperation::Sub, ..) => {
                self.shifted(&second.negated(), one, whole);
                // Differences that are not zero have the right sign, because small ones are exact.
                self.compared_by_difference(result, one, other);
            }
            Operation::Float(FloatOperation::Mul, ..) => {
                self.scaled(second, first, one, whole);
                self.scaled(first, second, other, whole);
            }
            Operation::Float(FloatOperation::Div, _, rounding) if second.low > 0.0 => {
                self.compared_by_quotient(result, rounding, one, other);
                if second.low >= 1.0 {
                    self.toward_zero(first, one, whole);
                } else if second.high <= 1.0 {
                    self.away_from_zero(first, one, whole);
                }
            }
            Operation::Float(FloatOperation::Rem, ..) => {
                self.toward_zero(first, one, whole);
                if second.low > 0.0 {
                    self.less(whole, other);
                }
            }
            Operation::SquareRoot(_, Rounding::NearestEven) if first.low >= 1.0 => self.less_equal(whole, one),
            Operation::SquareRoot(_, Rounding::NearestEven) if first.low >= 0.0 && first.high <= 1.0 => {
                self.less_equal(one, whole);
            }
            Operation::RoundToIntegral(_, Rounding::Down) => self.less_equal(whole, one),
            Operation::RoundToIntegral(_, Rounding::Up) => self.less_equal(one, whole),
            Operation::RoundToIntegral(_, Rounding::Zero) => self.toward_zero(first, one, whole),
            Operation::Absolute => self.less_equal(one, whole),
            Operation::NegatedAbsolute => self.less_equal(whole, one),
            Operation::Convert(super::number::Precision::Single, _, _) => self.equal(one, whole),
            _ => {}
        }
    }

    /// A sum and one of its terms, by the sign of the other.
    fn shifted(&mut self, by: &Interval, term: u32, sum: u32) {
        if by.low >= 0.0 {
            self.less_equal(term, sum);
        }
        if by.high <= 0.0 {
            self.less_equal(sum, term);
        }
    }

    fn compared_by_difference(&mut self, difference: &Interval, a: u32, b: u32) {
        if difference.low > 0.0 {
            self.less(b, a);
        } else if difference.low >= 0.0 {
            self.less_equal(b, a);
        }
        if difference.high < 0.0 {
            self.less(a, b);
        } else if difference.high <= 0.0 {
            self.less_equal(a, b);
        }
    }

    /// By a positive divisor. Of two numbers of one kind the lesser one divided by the other is at most the number
    /// before 1.
    fn compared_by_quotient(&mut self, quotient: &Interval, rounding: Rounding, a: u32, b: u32) {
        if quotient.low > 1.0 {
            self.less(b, a);
        } else if quotient.low >= 1.0 && rounding == Rounding::NearestEven {
            self.less_equal(b, a);
        }
        if quotient.high < 1.0 {
            self.less(a, b);
        }
    }

    /// A product and one of its factors.
    fn scaled(&mut self, by: &Interval, value: &Interval, factor: u32, product: u32) {
        if by.low >= 1.0 {
            self.away_from_zero(value, factor, product);
        } else if by.low >= 0.0 && by.high <= 1.0 {
            self.toward_zero(value, factor, product);
        }
    }

    /// The result has the sign of the value, or is zero, and is not larger.
    fn toward_zero(&mut self, value: &Interval, from: u32, to: u32) {
        if value.low >= 0.0 {
            self.less_equal(to, from);
        }
        if value.high <= 0.0 {
            self.less_equal(from, to);
        }
    }

    fn away_from_zero(&mut self, value: &Interval, from: u32, to: u32) {
        self.toward_zero(value, to, from);
    }

    /// Sums and differences of integers, where nothing is cut off.
    fn sum(&mut self, state: &State, op: Op, step: &Step, at: u32) {
        let [a, b, _] = step.operands;
        let (first, second) = (state.integer(a), state.integer(b));
        if !integer::is_exact(op, u32::from(step.width), first, second) {
            return;
        }
        let terms = [(second, a), (first, b)];
        let terms = if op == Op::Add { &terms[..] } else { &terms[..1] };
        for (by, term) in terms {
            let (low, high) =
                if op == Op::Add { (by.low, by.high) } else { (by.high.saturating_neg(), by.low.saturating_neg()) };
            match () {
                _ if low > 0 => self.less(integer(*term), integer(at)),
                _ if low == 0 => self.less_equal(integer(*term), integer(at)),
                _ if high < 0 => self.less(integer(at), integer(*term)),
                _ if high == 0 => self.less_equal(integer(at), integer(*term)),
                _ => {}
            }
        }
    }
}
