//! Functions that nobody looks into: an argument for a result is found by trying. Between two arguments whose results lie on different
//! sides of the target, the interval is halved until nothing is left between.

use symcrete_expr::dag::FunctionId;
use symcrete_expr::{Bits, Expr};

use super::floats::refine;
use super::line::Line;
use super::{Descent, Inverter};

impl Inverter<'_> {
    pub(super) fn call(&mut self, descent: &mut Descent, call: Expr, function: FunctionId, target: u64) -> Option<()> {
        let arguments = self.arena.arguments(call).to_vec();
        let changeable: Vec<usize> = (0..arguments.len()).filter(|at| self.may_change(arguments[*at])).collect();
        if changeable.is_empty() {
            return None;
        }
        let which = *self.random.one_of(&changeable);
        let width = self.arena.width(call);
        let mut values: Vec<Bits> = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            values.push(Bits::from_u64(self.arena.width(*argument), self.value(*argument)?));
        }
        let signature = self.arena.signature(function).cloned();
        let results = Line::new(width, signature.as_ref().map(|signature| signature.result))?;
        let declared = signature.as_ref().and_then(|signature| signature.parameters.get(which)).copied();
        let line = Line::new(self.arena.width(arguments[which]), declared)?;
        let evaluate = self.arena.function(function).evaluate.clone();
        let now = values[which].low_u64();
        let apply = |word: u64| {
            let mut values = values.clone();
            values[which] = line.bits(word);
            evaluate(&values, width).low_u64()
        };
        let found = self.argument((line, now), (results, target), &apply)?;
        self.number(descent, arguments[which], found)
    }

    /// An argument for which the function gives the target, or nearly so. Of several, one is taken at random, the nearest to what
    /// the argument is now most often.
    fn argument(&mut self, (line, now): (Line, u64), target: (Line, u64), apply: &dyn Fn(u64) -> u64) -> Option<u64> {
        let wanted = target.0.place(target.1)?;
        let middle = line.place(now);
        let places = line.samples(middle);
        let side = |place: i128| -> Option<i128> {
            let result = target.0.place(apply(line.at(place)?))?;
            Some((result - wanted).signum())
        };
        let sides: Vec<Option<i128>> = places.iter().map(|place| side(*place)).collect();
        let mut brackets: Vec<(i128, i128)> = Vec::new();
        for (pair, signs) in places.windows(2).zip(sides.windows(2)) {
            match (signs[0], signs[1]) {
                (Some(0), _) => brackets.push((pair[0], pair[0])),
                (_, Some(0)) => brackets.push((pair[1], pair[1])),
                (Some(low), Some(high)) if low != high => brackets.push((pair[0], pair[1])),
                // A function may end between two places: there it may reach the target.
                (Some(_), None) | (None, Some(_)) => {
                    let edge = edge(pair[0], pair[1], |place| side(place).is_some());
                    let inner = if signs[0].is_some() { (pair[0], edge) } else { (edge, pair[1]) };
                    if side(inner.0).is_some() && side(inner.0) != side(inner.1) {
                        brackets.push(inner);
                    }
                }
                _ => {}
            }
        }
        let middle = middle.unwrap_or(0);
        let nearest = brackets.iter().min_by_key(|(low, _)| low.abs_diff(middle)).copied();
        let bracket = match self.random.once_in(2) || brackets.is_empty() {
            true => nearest?,
            false => *self.random.one_of(&brackets),
        };
        let low_side = side(bracket.0);
        let root = edge(bracket.0, bracket.1, |place| side(place) == low_side);
        refine((line, line.at(root)?), target, apply)
    }
}

/// The last place, from the first on, that is like the first one; or the first one that is like the last.
fn edge(first: i128, last: i128, wanted: impl Fn(i128) -> bool) -> i128 {
    let at_first = wanted(first);
    let (mut low, mut high) = (first, last);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if wanted(middle) == at_first { low = middle } else { high = middle }
    }
    if at_first { low } else { high }
}
