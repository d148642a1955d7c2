//! Choices between two values: what each side may be where its condition holds, and what the result says of the
//! condition.

use super::condition::test_backward;
use super::integer;
use super::program::{Operation, Step};
use super::propagate::{Contradiction, Domain, Narrowed, Propagator, State};
use super::{backward, forward};

/// How deep conditions are looked into.
const CONDITION_DEPTH: u32 = 4;

/// Whether no value is in both.
fn disjoint(step: &Step, a: &Domain, b: &Domain) -> bool {
    (step.is_float && a.float.meet(&b.float).is_empty()) || (step.width > 0 && a.integer.meet(&b.integer).is_empty())
}

fn join(a: &Domain, b: &Domain) -> Domain {
    Domain { float: a.float.join(&b.float), integer: a.integer.join(&b.integer) }
}

impl Propagator<'_> {
    /// What a choice may give, each side where its condition holds.
    pub fn chosen(&self, state: &State, step: &Step) -> Domain {
        let [condition, first, second] = step.operands;
        match state.truth(condition) {
            Some(true) => state.domains[first as usize],
            Some(false) => state.domains[second as usize],
            None => join(
                &self.assumed(state, condition, true, first, CONDITION_DEPTH),
                &self.assumed(state, condition, false, second, CONDITION_DEPTH),
            ),
        }
    }

    /// What a value may be where a condition holds, or does not.
    fn assumed(&self, state: &State, condition: u32, holds: bool, target: u32, depth: u32) -> Domain {
        let known = state.domains[target as usize];
        if depth == 0 {
            return known;
        }
        let step = &self.steps[target as usize];
        let computed = match step.operation {
            Operation::Negated => {
                let operand = self.assumed(state, condition, holds, step.operands[0], depth - 1);
                Some(operand.float.negated())
            }
            Operation::Float(operation, precision, rounding) => {
                let [a, b, _] = step.operands;
                let [first, second] = [a, b].map(|operand| self.of_operand(state, condition, holds, operand).float);
                Some(forward::binary(operation, precision, rounding, a == b, &first, &second))
            }
            _ => None,
        };
        let narrowed = self.of_operand(state, condition, holds, target);
        Domain {
            float: computed.map_or(narrowed.float, |float| float.meet(&narrowed.float)),
            integer: narrowed.integer,
        }
    }

    fn of_operand(&self, state: &State, condition: u32, holds: bool, target: u32) -> Domain {
        self.under(state, condition, holds, target, state.domains[target as usize], CONDITION_DEPTH)
    }

    /// What is left of a domain under a condition.
    fn under(&self, state: &State, condition: u32, holds: bool, target: u32, known: Domain, depth: u32) -> Domain {
        if depth == 0 {
            return known;
        }
        let step = &self.steps[condition as usize];
        let [a, b, _] = step.operands;
        match step.operation {
            Operation::Not => self.under(state, a, !holds, target, known, depth - 1),
            Operation::And | Operation::Or => {
                let both = holds == (step.operation == Operation::And);
                let first = self.under(state, a, holds, target, known, depth - 1);
                if both {
                    return self.under(state, b, holds, target, first, depth - 1);
                }
                let second = self.under(state, b, holds, target, known, depth - 1);
                match (state.truth(a), state.truth(b)) {
                    (Some(truth), _) if truth != holds => second,
                    (_, Some(truth)) if truth != holds => first,
                    _ => join(&first, &second),
                }
            }
            Operation::Test(class, precision) if a == target => {
                Domain { float: test_backward(class, precision, holds, &known.float), ..known }
            }
            Operation::FloatCompare(operation, precision) if a == target || b == target => {
                let (first, second) = backward::compare(operation, precision, holds, state.float(a), state.float(b));
                let side = if a == target { first } else { second };
                Domain { float: known.float.meet(&side), ..known }
            }
            Operation::Compare(op) if a == target || b == target => {
                let (first, second) = integer::compare_backward(op, holds, state.integer(a), state.integer(b));
                let side = if a == target { first } else { second };
                Domain { integer: known.integer.meet(&side), ..known }
            }
            _ => known,
        }
    }

    /// What a choice says of its condition and of the side that is taken.
    pub fn choice_backward(&self, state: &mut State, step: &Step, at: u32) -> Narrowed {
        let [condition, first, second] = step.operands;
        let result = state.domains[at as usize];
        let possible = |side: Domain| !disjoint(step, &side, &result);
        let truth = match state.truth(condition) {
            Some(truth) => truth,
            None => {
                let is_first = possible(self.assumed(state, condition, true, first, CONDITION_DEPTH));
                let is_second = possible(self.assumed(state, condition, false, second, CONDITION_DEPTH));
                match (is_first, is_second) {
                    (true, true) => return Ok(()),
                    (false, false) => return Err(Contradiction),
                    (is_first, _) => {
                        self.assert(state, condition, is_first)?;
                        is_first
                    }
                }
            }
        };
        let side = if truth { first } else { second };
        state.narrow(&self.steps[side as usize], side, &result.float, &result.integer)
    }
}
