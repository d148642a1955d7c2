//! Local search over inputs by branch distance: candidates, moves that change them, and when a candidate is nearer.

pub mod candidate;
pub mod moves;

use symcrete_ir::{Constant, Program};

/// An attempt that leaves more than this part of the distance did not come nearer.
const NEARER: f64 = 0.99;
/// Halving a distance that is as small as this would not end before there are no smaller numbers.
const NOTHING: f64 = 1e-9;

/// Whether one distance is less than another, and not by next to nothing.
pub fn is_nearer(distance: f64, than: f64) -> bool {
    distance + NOTHING < than * NEARER
}

/// The numbers that a program compares with and computes from.
pub fn constants(program: &Program) -> Vec<u64> {
    let words = program.constants.values().filter_map(|constant| match constant {
        Constant::Word { bits, .. } => Some(*bits),
        _ => None,
    });
    let mut list: Vec<u64> = words.collect();
    list.sort_unstable();
    list.dedup();
    list
}
