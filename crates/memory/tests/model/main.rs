//! Random operations on several memories that are clones of each other, compared step by step with a naive model that
//! copies everything. The model is in `world`; single faults and their reports are in `faults.rs`.
#![allow(clippy::unwrap_used)]

mod random;
mod world;

use std::collections::BTreeSet;

use random::Random;
use symcrete_memory::{Config, Seen};
use world::World;

fn run(seed: u64, config: Config, steps: u32) {
    let mut random = Random::new(seed);
    let mut worlds = vec![World::new(config)];
    for _ in 0..steps {
        let index = random.below(worlds.len() as u64) as usize;
        match random.below(60) {
            0 if worlds.len() < 6 => worlds.push(worlds[index].clone()),
            1 if worlds.len() > 1 => worlds.swap_remove(index).check(),
            2 if random.below(12) == 0 => check_together(&worlds),
            _ => worlds[index].step(&mut random),
        }
    }
    worlds.iter_mut().for_each(World::check);
    check_together(&worlds);
}

/// What many memories refer to and take together.
fn check_together(worlds: &[World]) {
    let mut found = BTreeSet::new();
    let mut seen = Seen::new();
    for world in worlds {
        world.memory.visit_exprs(&mut seen, &mut |expr| {
            found.insert(expr);
        });
        // Everything in this one is among what was seen in it or in those before.
        assert!(world.exprs().is_subset(&found));
    }
    let expected: BTreeSet<_> = worlds.iter().flat_map(World::exprs).collect();
    let cut_off: BTreeSet<_> = worlds.iter().flat_map(World::cut_off).copied().collect();
    assert_eq!(&found - &cut_off, &expected - &cut_off);

    let mut seen = Seen::new();
    let together: Vec<usize> = worlds.iter().map(|world| world.memory.footprint(&mut seen)).collect();
    for (world, share) in worlds.iter().zip(together) {
        let alone = world.memory.footprint(&mut Seen::new());
        assert!(share <= alone && alone >= world.least_bytes(), "{share} of {alone} bytes");
        assert_eq!(world.memory.footprint(&mut seen), 0);
    }
}

#[test]
fn agrees_with_the_model_64_bit() {
    (1..=40).for_each(|seed| run(seed, Config { pointer_bits: 64 }, 2500));
}

#[test]
fn agrees_with_the_model_32_bit() {
    (1..=20).for_each(|seed| run(seed, Config { pointer_bits: 32 }, 2500));
}
