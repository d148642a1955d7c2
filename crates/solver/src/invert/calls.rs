//! Functions that nobody looks into: an argument for a result is found by trying. Between two arguments whose results lie on different
//! sides of the target, the interval is halved until no float is left between.

use symcrete_expr::dag::FunctionId;
use symcrete_expr::{Bits, Expr, FloatKind};

use super::floats::{at, number, place, refine};
use super::{Descent, Inverter};

/// Where a function is looked at first, on both sides of zero.
const SAMPLES: [f64; 30] = [
    0.0, 1e-300, 1e-100, 1e-30, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.0,
    7.0, 10.0, 20.0, 50.0, 100.0, 700.0, 1e4, 1e9, 1e30, 1e300,
];

impl Inverter<'_> {
    pub(super) fn call(&mut self, descent: &mut Descent, call: Expr, function: FunctionId, target: u64) -> Option<()> {
        let arguments = self.arena.arguments(call).to_vec();
        let width = self.arena.width(call);
        let values: Vec<Bits> = arguments
            .iter()
            .map(|argument| self.value(*argument).map(|word| Bits::from_u64(self.arena.width(*argument), word)))
            .collect::<Option<_>>()?;
        let result_kind = kind_of(width)?;
        let changeable: Vec<usize> = (0..arguments.len()).filter(|at| self.may_change(arguments[*at])).collect();
        if changeable.is_empty() {
            return None;
        }
        let which = *self.random.one_of(&changeable);
        let argument_width = self.arena.width(arguments[which]);
        let argument_kind = kind_of(argument_width)?;
        let evaluate = self.arena.function(function).evaluate.clone();
        let apply = |word: u64| {
            let mut values = values.clone();
            values[which] = Bits::from_u64(argument_width, word);
            evaluate(&values, width).low_u64()
        };
        let found = self.argument((argument_kind, values[which].low_u64()), (result_kind, target), &apply)?;
        self.number(descent, arguments[which], found)
    }

    /// An argument for which the function gives the target, or nearly so. Of several, one is taken at random, the nearest to what
    /// the argument is now most often.
    fn argument(&mut self, now: (FloatKind, u64), target: (FloatKind, u64), apply: &dyn Fn(u64) -> u64) -> Option<u64> {
        let kind = now.0;
        let wanted = place(target.0, target.1)?;
        let mut places: Vec<i64> = Vec::with_capacity(SAMPLES.len() * 2 + 8);
        for sample in SAMPLES {
            places.extend(place(kind, number(kind, sample)));
            places.extend(place(kind, number(kind, -sample)));
        }
        // Functions that go up and down have roots around what is there already.
        if let Some(middle) = place(kind, now.1) {
            let value = at(kind, middle).map(|bits| symcrete_expr::float::word::convert(kind, FloatKind::Double, bits));
            let value = value.map_or(0.0, f64::from_bits);
            for offset in [-6.0, -4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5, 6.0] {
                places.extend(place(kind, number(kind, value + offset)));
            }
        }
        places.sort_unstable();
        places.dedup();
        let side = |place_of_argument: i64| -> Option<i64> {
            let result = place(target.0, apply(at(kind, place_of_argument)?))?;
            Some(result.saturating_sub(wanted).signum())
        };
        let sides: Vec<Option<i64>> = places.iter().map(|place| side(*place)).collect();
        let mut brackets: Vec<(i64, i64)> = Vec::new();
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
        let middle = place(kind, now.1).unwrap_or(0);
        let nearest = brackets.iter().min_by_key(|(low, _)| low.abs_diff(middle)).copied();
        let bracket = match self.random.once_in(2) || brackets.is_empty() {
            true => nearest?,
            false => *self.random.one_of(&brackets),
        };
        let low_side = side(bracket.0);
        let root = edge(bracket.0, bracket.1, |place| side(place) == low_side);
        refine((kind, at(kind, root)?), target, apply)
    }
}

/// The last place, from the first on, that is like the first one; `first` if it is alone.
fn edge(first: i64, last: i64, like_first: impl Fn(i64) -> bool) -> i64 {
    let like = like_first(first);
    let (mut low, mut high) = (first, last);
    while high.checked_sub(low).is_none_or(|gap| gap > 1) {
        let middle = (low & high) + ((low ^ high) >> 1);
        if like_first(middle) == like { low = middle } else { high = middle }
    }
    if like { low } else { high }
}

/// Numbers of these widths are floats, as far as functions are concerned that are searched for arguments.
fn kind_of(width: u32) -> Option<FloatKind> {
    match width {
        32 => Some(FloatKind::Single),
        64 => Some(FloatKind::Double),
        _ => None,
    }
}
