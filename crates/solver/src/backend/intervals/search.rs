//! Branch and prune: where bounds alone do not contradict each other, the values of one leaf after another are split,
//! and every part refuted by itself. Gives up at the first part that cannot be split any more: there the query may
//! well have a solution.

use std::time::Instant;

use super::integer::Range;
use super::number::{Interval, Precision};
use super::order::Order;
use super::program::{Operation, Step};
use super::propagate::{Narrowed, Propagator, State};
use crate::answer::{Limits, Reason};

/// Sweeps over the whole query, and over each part.
const FIRST_SWEEPS: u32 = 12;
const SWEEPS: u32 = 5;
/// How often values are split on the way to one part.
const MOST_DEPTH: u32 = 48;
/// At every so many splits somebody looks whether there is a solution, so that nothing can be refuted.
const PROBE_EVERY: u32 = 4;
/// Steps that are computed in about a microsecond.
const WORK_OF_UNIT: u64 = 20;

/// Whether the query is refuted; why not, otherwise.
pub fn refute(
    steps: &[Step],
    roots: &[u32],
    mut state: State,
    order: &mut Order,
    limits: &Limits,
) -> Result<(), Reason> {
    let mut propagator = Propagator { steps, work: 0 };
    let asserted = roots.iter().try_for_each(|root| propagator.assert(&mut state, *root, true));
    let narrowed = asserted.and_then(|()| examine(&mut propagator, &mut state, order, FIRST_SWEEPS));
    if narrowed.is_err() {
        return Ok(());
    }
    let leaves: Vec<u32> = (0..steps.len() as u32).filter(|at| is_splittable(&steps[*at as usize])).collect();
    let most_work = limits.effort.saturating_mul(WORK_OF_UNIT);
    let began = Instant::now();
    let mut pending = vec![(state, 0)];
    while let Some((state, depth)) = pending.pop() {
        if limits.interrupted() {
            return Err(Reason::Interrupted);
        }
        if propagator.work > most_work || depth == MOST_DEPTH || began.elapsed() > limits.time {
            return Err(Reason::Limit);
        }
        if depth % PROBE_EVERY == 0 && may_be_solved(&mut propagator, &leaves, &state) {
            return Err(Reason::Inexpressible);
        }
        let Some((leaf, parts)) = split(steps, &leaves, &state) else { return Err(Reason::Inexpressible) };
        // Copying a state takes about as long as computing a few of its steps.
        propagator.work += steps.len() as u64 / 4;
        for part in parts {
            let mut state = state.clone();
            let narrowed = match part {
                Part::Float(float) => propagator.narrow_float(&mut state, leaf, &float),
                Part::Integer(range) => propagator.narrow_integer(&mut state, leaf, &range),
            };
            if narrowed.and_then(|()| examine(&mut propagator, &mut state, order, SWEEPS)).is_ok() {
                pending.push((state, depth + 1));
            }
        }
    }
    Ok(())
}

/// Narrows a state and looks for a contradiction of orders.
fn examine(propagator: &mut Propagator, state: &mut State, order: &mut Order, sweeps: u32) -> Narrowed {
    propagator.run(state, sweeps)?;
    propagator.work += propagator.steps.len() as u64 / 4;
    order.check(propagator.steps, state)
}

/// Whether a guess at all leaves, each near one of a few numbers, stands up to bounds.
fn may_be_solved(propagator: &mut Propagator, leaves: &[u32], state: &State) -> bool {
    const GUESSES: [f64; 3] = [1.0, 0.0, 1000.0];
    GUESSES.into_iter().any(|guess| {
        let mut point = state.clone();
        propagator.work += propagator.steps.len() as u64 / 4;
        let guessed = leaves.iter().try_for_each(|leaf| {
            if let Some(precision) = propagator.steps[*leaf as usize].precision() {
                let Interval { low, high, .. } = *point.float(*leaf);
                let number = if low <= high { precision.round(guess).clamp(low, high) } else { f64::NAN };
                propagator.narrow_float(&mut point, *leaf, &Interval::point(number))
            } else {
                let Range { low, high } = *point.integer(*leaf);
                let number = (guess as i64).clamp(low, high);
                propagator.narrow_integer(&mut point, *leaf, &Range::new(number, number))
            }
        });
        guessed.and_then(|()| propagator.run(&mut point, 2)).is_ok()
    })
}

/// Values that follow from no others that are known.
fn is_splittable(step: &Step) -> bool {
    step.operation == Operation::Leaf && step.width > 0
}

#[derive(Clone, Copy)]
enum Part {
    Float(Interval),
    Integer(Range),
}

/// The leaf with the most values, and these in two parts. `None` if no leaf has more than one.
fn split(steps: &[Step], leaves: &[u32], state: &State) -> Option<(u32, [Part; 2])> {
    let mut best: Option<(u64, u32)> = None;
    for leaf in leaves {
        let size = match steps[*leaf as usize].precision() {
            Some(precision) => float_size(precision, state.float(*leaf)),
            None => (state.integer(*leaf).high as u64).wrapping_sub(state.integer(*leaf).low as u64),
        };
        if size > 0 && best.is_none_or(|(most, _)| size > most) {
            best = Some((size, *leaf));
        }
    }
    let (_, leaf) = best?;
    let parts = match steps[leaf as usize].precision() {
        Some(precision) => split_float(precision, state.float(leaf)).map(Part::Float),
        None => {
            let Range { low, high } = *state.integer(leaf);
            let middle = if low < 0 && high >= 0 { -1 } else { low + (high - low) / 2 };
            [Part::Integer(Range::new(low, middle)), Part::Integer(Range::new(middle + 1, high))]
        }
    };
    Some((leaf, parts))
}

/// The place of a number in the order of its kind; that of zero is 0.
fn place(precision: Precision, number: f64) -> i64 {
    let magnitude = precision.to_bits(number.abs());
    if number < 0.0 { -magnitude } else { magnitude }
}

fn at_place(precision: Precision, place: i64) -> f64 {
    let magnitude = precision.number_of_bits(place.abs());
    if place < 0 { -magnitude } else { magnitude }
}

/// How many values there are but one; numbers together with NaNs count as very many.
fn float_size(precision: Precision, float: &Interval) -> u64 {
    match (float.nan, float.has_numbers()) {
        (true, true) => u64::MAX,
        (false, true) => (place(precision, float.high) as u64).wrapping_sub(place(precision, float.low) as u64),
        _ => 0,
    }
}

/// NaNs and numbers; negative numbers and others; zero and others; else in the middle: by size if they are alike, by
/// place in the order if not.
fn split_float(precision: Precision, float: &Interval) -> [Interval; 2] {
    let Interval { low, high, nan } = *float;
    if nan {
        return [Interval::NAN, Interval { nan: false, ..*float }];
    }
    let least = precision.least();
    if low < 0.0 && high >= 0.0 {
        return [Interval::new(low, -least, false), Interval::new(0.0, high, false)];
    }
    if low == 0.0 {
        return [Interval::point(0.0), Interval::new(least, high, false)];
    }
    let (small, large) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    let middle = match large / small < 256.0 {
        true => precision.round_down(low / 2.0 + high / 2.0),
        false => {
            let (low, high) = (place(precision, low), place(precision, high));
            at_place(precision, low + (high - low) / 2)
        }
    };
    // What rounding moved to a bound leaves nothing on the other side.
    let middle = middle.clamp(low, precision.down(high));
    [Interval::new(low, middle, false), Interval::new(precision.up(middle), high, false)]
}
