//! The decoder on damaged files: whatever the bytes are, it must come back soon, without a panic and without taking
//! memory out of proportion, and what it accepts must keep the promises of `module`.
//!
//! `SYMCRETE_MUTATIONS` sets how many files each test tries, `SYMCRETE_SEED` where the random numbers begin.
#![allow(clippy::unwrap_used)]

#[path = "../support/allocation.rs"]
mod allocation;
mod random;
#[path = "../oracle/tools.rs"]
mod tools;
mod tree;
mod walk;
#[path = "../support/writer.rs"]
mod writer;

use std::time::{Duration, Instant};

use symcrete_frontend::decode::decode;

use random::Random;
use tools::Source;

#[global_allocator]
static ALLOCATOR: allocation::Counting = allocation::Counting;

/// A hang, on however slow a machine: sound files of this size take milliseconds.
const TOO_LONG: Duration = Duration::from_secs(20);

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Sound files to start from: a small one of each compiler and kind.
fn seeds() -> Vec<Vec<u8>> {
    let sources = ["recursion.c", "numbers.c", "vectors.c", "control.c", "linkage.c", "atomics.c", "assembly.c"];
    let more = ["initializers.c", "structures.c", "windows.cpp"];
    let mut seeds = Vec::new();
    for (index, name) in sources.iter().chain(&more).enumerate() {
        let source = Source::open(name);
        let fitting: Vec<_> = tools::compilers().iter().filter(|compiler| compiler.accepts(&source)).collect();
        if !fitting.is_empty() {
            for turn in 0..2 {
                let compiler = fitting[(index + turn * 3) % fitting.len()];
                let level = [0, 2][turn];
                seeds.push(std::fs::read(compiler.compile_apart(&source, level, "mutation")).unwrap());
            }
        }
    }
    seeds
}

/// Decodes and checks one file. Panics are left to the test.
fn examine(bytes: &[u8]) -> bool {
    let start = Instant::now();
    let (decoded, peak) = allocation::peak_of(|| decode(bytes));
    assert!(start.elapsed() < TOO_LONG, "decoding took {:?}", start.elapsed());
    let allowed = (1 << 20) + bytes.len() * 200;
    assert!(peak <= allowed, "decoding {} bytes took {peak} bytes of memory", bytes.len());
    match decoded {
        Ok(modules) => {
            modules.iter().for_each(walk::walk);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Tries as many mutations as asked for; a file that breaks something is kept for looking at.
fn run(kind: &str, default: u64, mutate: impl Fn(&[Vec<u8>], &mut Random) -> Vec<u8>) {
    let seeds = seeds();
    if seeds.is_empty() {
        return;
    }
    let mut accepted = 0;
    let first = setting("SYMCRETE_SEED", 1);
    let count = setting("SYMCRETE_MUTATIONS", default);
    for number in 0..count {
        let mut random = Random(first.wrapping_add(number).wrapping_mul(0x0123_4567_89ab_cdef));
        let bytes = mutate(&seeds, &mut random);
        let outcome = std::panic::catch_unwind(|| examine(&bytes));
        match outcome {
            Ok(sound) => accepted += u64::from(sound),
            Err(_) => {
                let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broken-{kind}.bc"));
                std::fs::write(&file, &bytes).unwrap();
                panic!("mutation {number} of seed {first} broke the decoder; see {}", file.display());
            }
        }
    }
    println!("{kind}: {count} files, {accepted} of them accepted");
}

#[test]
fn damaged_bytes() {
    run("bytes", 3000, |seeds, random| {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(7) {
                0 | 1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes[at] = random.next() as u8,
                3 => bytes.truncate(at.max(1)),
                4 => {
                    let word = (random.interesting() as u32).to_le_bytes();
                    let end = bytes.len().min(at + 4);
                    bytes[at..end].copy_from_slice(&word[..end - at]);
                }
                5 => {
                    let other = &seeds[random.below(seeds.len())];
                    let from = random.below(other.len());
                    let length = random.below(200).min(other.len() - from);
                    bytes.splice(at..at, other[from..from + length].iter().copied());
                }
                _ => {
                    let end = bytes.len().min(at + random.below(64));
                    bytes.drain(at..end);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        bytes
    });
}

#[test]
fn damaged_records() {
    run("records", 3000, |seeds, random| {
        let start = random.below(seeds.len());
        let mut items = (0..seeds.len()).find_map(|at| tree::read(&seeds[(start + at) % seeds.len()])).unwrap();
        for _ in 0..=random.below(3) {
            tree::mutate(&mut items, random);
        }
        tree::write(&items)
    });
}

/// Writing a file again without abbreviations must not change what it means.
#[test]
fn abbreviations_carry_no_meaning() {
    let (mut read, mut all) = (0, 0);
    for seed in seeds() {
        all += 1;
        let original = decode(&seed).unwrap();
        let Some(tree) = tree::read(&seed) else { continue };
        read += 1;
        let rewritten = decode(&tree::write(&tree)).unwrap();
        for (one, other) in original.iter().zip(&rewritten) {
            assert_eq!(format!("{:?}", one.globals), format!("{:?}", other.globals));
            assert_eq!(format!("{:?}", one.constants), format!("{:?}", other.constants));
            assert_eq!(format!("{:?}", one.metadata), format!("{:?}", other.metadata));
        }
    }
    assert!(read * 2 >= all, "{read} of {all} files can be rewritten");
}
