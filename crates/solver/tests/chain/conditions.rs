//! Path conditions as lists.

use std::hash::{BuildHasher, RandomState};

use symcrete_expr::Arena;
use symcrete_expr::dag::Op;
use symcrete_solver::{Conditions, LATEST, SeenConditions};

use crate::support::variables;

#[test]
fn forks_share_and_do_not_disturb_each_other() {
    let mut arena = Arena::new();
    let bits = variables(&mut arena, 4, 1);
    let mut parent = Conditions::new();
    parent.push(&arena, bits[0]);
    let mut child = parent.clone();
    child.push(&arena, bits[1]);
    parent.push(&arena, bits[2]);
    assert_eq!(parent.iter().collect::<Vec<_>>(), [bits[2], bits[0]]);
    assert_eq!(child.iter().collect::<Vec<_>>(), [bits[1], bits[0]]);
    assert_eq!((parent.len(), child.len()), (2, 2));
    assert_ne!(parent, child);
}

#[test]
fn conjunctions_are_split_and_truth_is_left_out() {
    let mut arena = Arena::without_rules();
    let bits = variables(&mut arena, 4, 1);
    let truth = arena.boolean(true);
    let low = arena.binary(Op::And, bits[0], bits[1]);
    let high = arena.binary(Op::And, bits[2], truth);
    let all = arena.binary(Op::And, low, high);
    let mut conditions = Conditions::new();
    conditions.push(&arena, all);
    conditions.push(&arena, truth);
    conditions.push(&arena, bits[2]);
    assert_eq!(conditions.iter().collect::<Vec<_>>(), [bits[2], bits[1], bits[0]]);
}

#[test]
fn a_conjunction_that_shares_its_parts_costs_what_its_nodes_cost() {
    let mut arena = Arena::without_rules();
    let bits = variables(&mut arena, 2, 1);
    let mut all = arena.binary(Op::And, bits[0], bits[1]);
    for _ in 0..10_000 {
        all = arena.binary(Op::And, all, all);
    }
    let mut conditions = Conditions::new();
    conditions.push(&arena, all);
    assert_eq!(conditions.len(), 2);
}

#[test]
fn equal_lists_have_equal_hashes() {
    let mut arena = Arena::new();
    let bits = variables(&mut arena, 3, 1);
    let list = |order: [usize; 3]| {
        let mut conditions = Conditions::new();
        for at in order {
            conditions.push(&arena, bits[at]);
        }
        conditions
    };
    let state = RandomState::new();
    assert_eq!(list([0, 1, 2]), list([0, 1, 2]));
    assert_eq!(state.hash_one(list([0, 1, 2])), state.hash_one(list([0, 1, 2])));
    assert_ne!(list([0, 1, 2]), list([1, 0, 2]));
}

#[test]
fn what_was_added_lately_is_not_added_again() {
    let mut arena = Arena::new();
    let bits = variables(&mut arena, LATEST as u32, 1);
    let mut conditions = Conditions::new();
    for at in 0..10 * LATEST {
        conditions.push(&arena, bits[at % LATEST]);
    }
    assert_eq!(conditions.len(), LATEST);
}

#[test]
fn a_million_links_are_dropped() {
    let mut arena = Arena::new();
    let bits = variables(&mut arena, LATEST as u32 + 1, 1);
    let mut conditions = Conditions::new();
    let mut forks = Vec::new();
    for at in 0..1_000_000 {
        conditions.push(&arena, bits[at % bits.len()]);
        if at % 100_000 == 0 {
            forks.push(conditions.clone());
        }
    }
    assert_eq!(conditions.len(), 1_000_000);
    drop(conditions);
    forks.reverse();
    drop(forks);
}

#[test]
fn shared_parts_are_visited_once() {
    let mut arena = Arena::new();
    let bits = variables(&mut arena, 100, 1);
    let mut trunk = Conditions::new();
    for bit in &bits[..90] {
        trunk.push(&arena, *bit);
    }
    let fork = |bit| {
        let mut fork = trunk.clone();
        fork.push(&arena, bit);
        fork
    };
    let forks: Vec<Conditions> = bits[90..].iter().map(|bit| fork(*bit)).collect();
    let mut visited = Vec::new();
    let mut seen = SeenConditions::default();
    for fork in &forks {
        fork.visit_unseen(&mut seen, |constraint| visited.push(constraint));
    }
    visited.sort_unstable();
    assert_eq!(visited, bits);
}
