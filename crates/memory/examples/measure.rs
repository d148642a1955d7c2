//! What the operations of `Memory` cost, in nanoseconds and bytes. Run by hand: `cargo run --release -p
//! symcrete-memory --example measure`.
#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;

use cranelift_entity::EntityRef;
use symcrete_expr::Expr;
use symcrete_memory::{Config, Kind, Memory, Seen, Site};

const SITE: Site = Site(0);

/// The best of many short runs, for one of `count` operations: on a busy machine some of them are not interrupted.
fn measure(name: &str, count: u64, mut run: impl FnMut()) {
    let best = (0..60).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64 / count as f64
    });
    println!("{name:<58} {:>9.2} ns", best.fold(f64::INFINITY, f64::min));
}

fn words_of_one_array() {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate_initialised(4096, 16, Kind::Global, SITE, &[]).unwrap();
    measure("write 4 bytes, in order, 4 KiB array", 1 << 16, || {
        for round in 0..64 {
            for at in 0..1024 {
                memory.write_word(base + at * 4, 4, round + at).unwrap();
            }
        }
    });
    measure("read 4 bytes, in order, 4 KiB array", 1 << 16, || {
        let mut sum = 0u64;
        for _ in 0..64 {
            for at in 0..1024 {
                sum = sum.wrapping_add(memory.read_word(base + at * 4, 4).unwrap().bits());
            }
        }
        black_box(sum);
    });
    measure("read 4 bytes, each address from the last value", 1 << 12, || {
        let mut at = 0u64;
        for _ in 0..1 << 12 {
            at = (at + 4 + (memory.read_word(base + at, 4).unwrap().bits() & 4)) & 4095 & !3;
        }
        black_box(at);
    });
    measure("read 8 bytes, not aligned, some across pages", 500 * 100, || {
        let mut sum = 0u64;
        for _ in 0..100 {
            for at in 0..500 {
                sum = sum.wrapping_add(memory.read_word(base + at * 8 + 3, 8).unwrap().bits());
            }
        }
        black_box(sum);
    });
}

fn large_arrays() {
    let mut memory = Memory::new(Config::default());
    let size = 4u64 << 20;
    let (_, base) = memory.allocate(size, 16, Kind::Heap, SITE).unwrap();
    measure("write 8 bytes, in order, 4 MiB array", size / 8, || {
        for at in 0..size / 8 {
            memory.write_word(base + at * 8, 8, at).unwrap();
        }
    });
    measure("read 8 bytes, in order, 4 MiB array", size / 8, || {
        for at in 0..size / 8 {
            black_box(memory.read_word(base + at * 8, 8).unwrap().bits());
        }
    });
    for (rows, row_bytes) in [(100, 800), (300, 2400), (512, 4096)] {
        measure(&format!("read 8 bytes, down the columns, {rows} rows of {row_bytes} bytes"), rows * 100, || {
            for column in 0..100 {
                for row in 0..rows {
                    black_box(memory.read_word(base + row * row_bytes + column * 8, 8).unwrap().bits());
                }
            }
        });
    }
    let mut random = 1u64;
    measure("read 8 bytes at random, 4 MiB array", 1 << 14, || {
        for _ in 0..1 << 14 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            black_box(memory.read_word(base + (random >> 32) % (size / 8) * 8, 8).unwrap().bits());
        }
    });
    let (_, other) = memory.allocate(size, 16, Kind::Heap, SITE).unwrap();
    measure("copy 4 MiB, a KiB", size >> 10, || memory.copy(other, base, size).unwrap());
    measure("fill 4 MiB, a KiB", size >> 10, || memory.fill(other, 7, size).unwrap());
    measure("copy 24 bytes", 1 << 12, || {
        for at in 0..1 << 12 {
            memory.copy(other + at % 64 * 24, base + at % 64 * 24, 24).unwrap();
        }
    });
}

fn small_allocations() {
    let mut memory = Memory::new(Config::default());
    let bases: Vec<u64> = (0..10_000).map(|_| memory.allocate(24, 8, Kind::Heap, SITE).unwrap().1).collect();
    bases.iter().for_each(|base| memory.fill(*base, 1, 24).unwrap());
    for used in [100, 1000, 10_000] {
        let mut random = 1u64;
        measure(&format!("read 8 bytes of {used} small blocks (of 10,000) at random"), 1 << 14, || {
            for _ in 0..1 << 14 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                black_box(memory.read_word(bases[(random >> 32) as usize % used] + 8, 8).unwrap().bits());
            }
        });
        measure(&format!("write 8 bytes of {used} small blocks (of 10,000) at random"), 1 << 14, || {
            for _ in 0..1 << 14 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                memory.write_word(bases[(random >> 32) as usize % used] + 8, 8, random).unwrap();
            }
        });
    }
}

fn short_lives() {
    let mut memory = Memory::new(Config::default());
    let below: Vec<_> = (0..20).map(|_| memory.allocate(8, 8, Kind::Stack, SITE).unwrap()).collect();
    measure("allocate and release a stack object of 8 bytes", 1 << 14, || {
        for _ in 0..1 << 14 {
            let (id, _) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
            memory.release(id, SITE);
        }
    });
    measure("... written and read in between", 1 << 14, || {
        for at in 0..1 << 14 {
            let (id, base) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
            memory.write_word(base, 8, at).unwrap();
            black_box(memory.read_word(base, 8).unwrap().bits());
            memory.release(id, SITE);
        }
    });
    measure("... of 40 bytes, two words of it written", 1 << 14, || {
        for at in 0..1 << 14 {
            let (id, base) = memory.allocate(40, 8, Kind::Stack, SITE).unwrap();
            memory.write_word(base, 8, at).unwrap();
            memory.write_word(base + 16, 8, at).unwrap();
            memory.release(id, SITE);
        }
    });
    measure("... of 256 bytes, filled", 1 << 14, || {
        for at in 0..1 << 14 {
            let (id, base) = memory.allocate(256, 8, Kind::Stack, SITE).unwrap();
            memory.fill(base, at as u8, 256).unwrap();
            memory.release(id, SITE);
        }
    });
    let others: Vec<u64> = (0..10_000).map(|_| memory.allocate(40, 8, Kind::Heap, SITE).unwrap().1).collect();
    measure("malloc and free of 40 bytes, 10,000 others alive", 1 << 14, || {
        for at in 0..1 << 14 {
            let (_, base) = memory.allocate(40, 16, Kind::Heap, SITE).unwrap();
            memory.write_word(base, 8, at).unwrap();
            memory.free(base, SITE).unwrap();
        }
    });
    black_box((below, others));
}

fn symbolic_bytes() {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate_initialised(4096, 16, Kind::Global, SITE, &[]).unwrap();
    let (_, other) = memory.allocate_initialised(4096, 16, Kind::Global, SITE, &[]).unwrap();
    let exprs: Vec<Expr> = (0..1024).map(Expr::new).collect();
    measure("write 4 symbolic bytes, in order, 4 KiB array", 1 << 14, || {
        for _ in 0..16 {
            for (at, expr) in exprs.iter().enumerate() {
                memory.write_expr(base + at as u64 * 4, *expr, 4).unwrap();
            }
        }
    });
    measure("read 4 symbolic bytes as a word, then as an expression", 1 << 14, || {
        for _ in 0..16 {
            for at in 0..1024 {
                black_box(memory.read_word(base + at * 4, 4).unwrap().bits());
                black_box(memory.read_expr(base + at * 4, 4).unwrap());
            }
        }
    });
    measure("copy 24 symbolic bytes", 1 << 12, || {
        for at in 0..1 << 12 {
            memory.copy(other + at % 64 * 24, base + at % 64 * 24, 24).unwrap();
        }
    });
    measure("copy 4 KiB of symbolic bytes", 1, || memory.copy(other, base, 4096).unwrap());
    let (_, local) = memory.allocate(4, 4, Kind::Stack, SITE).unwrap();
    measure("a local that becomes symbolic and a number again", 1 << 12, || {
        for at in 0..1 << 12 {
            memory.write_expr(local, exprs[0], 4).unwrap();
            memory.write_word(local, 4, at).unwrap();
        }
    });
    let clones: Vec<Memory> = (0..100_000)
        .map(|at| {
            let mut clone = memory.clone();
            clone.write_expr(base + at % 4096, exprs[at as usize % 1024], 1).unwrap();
            clone
        })
        .collect();
    measure("find the expressions of a clone that wrote one of 16 pages", clones.len() as u64, || {
        let (mut seen, mut count) = (Seen::new(), 0);
        clones.iter().for_each(|clone| clone.visit_exprs(&mut seen, &mut |_| count += 1));
        black_box(count);
    });
    measure("count its bytes", clones.len() as u64, || {
        let mut seen = Seen::new();
        black_box(clones.iter().map(|clone| clone.footprint(&mut seen)).sum::<usize>());
    });
}

fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn clones() {
    let mut memory = Memory::new(Config::default());
    let bases: Vec<u64> = (0..10_000).map(|_| memory.allocate(24, 8, Kind::Heap, SITE).unwrap().1).collect();
    bases.iter().for_each(|base| memory.fill(*base, 1, 24).unwrap());
    let (_, array) = memory.allocate(1 << 20, 8, Kind::Heap, SITE).unwrap();
    memory.fill(array, 1, 1 << 20).unwrap();
    let (_, local) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
    memory.write_word(local, 8, 1).unwrap();
    measure("clone and drop", 1 << 12, || {
        for _ in 0..1 << 12 {
            black_box(memory.clone());
        }
    });
    measure("clone, write one local, drop", 1 << 12, || {
        for at in 0..1 << 12 {
            memory.clone().write_word(local, 8, at).unwrap();
        }
    });
    measure("clone, write one of 10,000 blocks, drop", 1 << 12, || {
        for at in 0..1 << 12 {
            memory.clone().write_word(bases[at % 10_000], 8, 0).unwrap();
        }
    });
    measure("clone, drop, write one local", 1 << 12, || {
        for at in 0..1 << 12 {
            drop(black_box(memory.clone()));
            memory.write_word(local, 8, at).unwrap();
        }
    });
    println!("{:<58} {:>9} bytes", "Memory itself", size_of::<Memory>());
    let count = 100_000;
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Memory, usize));
    let changes: [Change; 5] = [
        ("a clone", &|_, _| {}),
        ("a clone that wrote one local", &|memory, at| memory.write_word(local, 8, at as u64).unwrap()),
        ("a clone that wrote one of 10,000 blocks", &|memory, at| {
            memory.write_word(bases[at % 10_000], 8, at as u64).unwrap();
        }),
        ("a clone that wrote one word in a MiB", &|memory, at| {
            memory.write_word(array + at as u64 * 8, 8, at as u64).unwrap();
        }),
        ("a clone that made and released a local", &|memory, _| {
            let (id, _) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
            memory.release(id, SITE);
        }),
    ];
    for (name, change) in changes {
        let before = resident_bytes();
        let mut all = Vec::with_capacity(count);
        for at in 0..count {
            let mut clone = memory.clone();
            change(&mut clone, at);
            all.push(clone);
        }
        let resident = (resident_bytes() - before) / count as u64;
        let mut seen = Seen::new();
        memory.footprint(&mut seen);
        let footprint = all.iter().map(|clone| clone.footprint(&mut seen)).sum::<usize>() / count;
        println!("{name:<58} {resident:>9} bytes, {footprint} of them behind it");
        std::mem::forget(all);
    }
}

fn main() {
    words_of_one_array();
    large_arrays();
    small_allocations();
    short_lives();
    clones();
    symbolic_bytes();
}
