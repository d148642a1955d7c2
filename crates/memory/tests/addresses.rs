//! Where allocations lie: regions, alignment, redzones, reuse, and what is remembered of the dead.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use symcrete_memory::{AllocationId, Config, FaultKind, Kind, Memory, OutOfMemory, Site};

const SITE: Site = Site(0);
const MIB: u64 = 1 << 20;

fn memory(pointer_bits: u16) -> Memory {
    Memory::new(Config { pointer_bits })
}

#[test]
fn addresses_are_plausible() {
    for (bits, limit) in [(64, 1 << 47), (32, 0xc000_0001)] {
        let mut memory = memory(bits);
        for kind in Kind::ALL {
            let (id, base) = memory.allocate(100, 1, kind, SITE).unwrap();
            assert!(base >= 0x1000_0000 && base + 100 < limit, "{kind} at {base:#x}");
            assert_eq!(memory.resolve(base + 99), Some((id, 99)));
            assert_eq!(memory.resolve(base + 100), None);
            assert_eq!(memory.info(id).unwrap().kind, kind);
            assert!(id.to_string().starts_with("alloc"));
        }
    }
}

#[test]
fn alignment_and_redzones() {
    let mut memory = memory(64);
    let mut blocks: Vec<(u64, u64)> = Vec::new();
    for size in [0, 1, 8, 16, 17, 100, 223, 224, 240, 255, 256, 257, 1000, 4096, 70_000, 1 << 20] {
        for align in [1, 2, 8, 16, 32, 64, 128, 256, 512, 4096, 1 << 16] {
            let (_, base) = memory.allocate(size, align, Kind::Heap, SITE).unwrap();
            assert_eq!(base % align.max(16), 0, "{size} bytes aligned to {align}");
            blocks.push((base, size));
        }
    }
    blocks.sort_unstable();
    for pair in blocks.windows(2) {
        let gap = pair[1].0 - (pair[0].0 + pair[0].1);
        assert!(gap >= 16 && gap >= pair[0].1 / 4, "{gap} bytes after {} bytes", pair[0].1);
    }
}

#[test]
fn bases_differ_in_their_low_bits() {
    let mut memory = memory(64);
    let low: HashSet<u64> = (0..200).map(|_| memory.allocate(24, 16, Kind::Heap, SITE).unwrap().1 % 256).collect();
    assert!(low.len() >= 12);
}

#[test]
fn empty_allocations_are_distinct() {
    let mut memory = memory(64);
    let all: HashSet<u64> = (0..100).map(|_| memory.allocate(0, 1, Kind::Heap, SITE).unwrap().1).collect();
    assert_eq!(all.len(), 100);
    for base in all {
        assert_eq!(memory.read_word(base, 1).unwrap_err().kind, FaultKind::OutOfBounds);
        assert_eq!(memory.usable_size(base), Some(0));
        memory.free(base, SITE).unwrap();
    }
}

#[test]
fn impossible_requests() {
    for bits in [32, 64] {
        let mut memory = memory(bits);
        for size in [u64::MAX, u64::MAX - 8, 1 << 46] {
            let full = OutOfMemory { kind: Kind::Heap, bytes: size };
            assert_eq!(memory.allocate(size, 16, Kind::Heap, SITE), Err(full));
        }
        assert!(memory.allocate(8, 1 << 63, Kind::Heap, SITE).is_err());
        let (id, base) = memory.allocate(8, 8, Kind::Heap, SITE).unwrap();
        memory.write_word(base, 8, 1).unwrap();
        // As realloc of C: null, and the old block is as it was.
        assert_eq!(memory.reallocate(base, 1 << 46, SITE).unwrap().1, 0);
        assert_eq!(memory.read_word(base, 8).unwrap().bits(), 1);
        assert_eq!(memory.live(Kind::Heap).map(|info| info.id).collect::<Vec<AllocationId>>(), [id]);
    }
}

#[test]
fn usable_size_is_for_heap_blocks() {
    let mut memory = memory(64);
    let (_, heap) = memory.allocate(24, 16, Kind::Heap, SITE).unwrap();
    let (_, global) = memory.allocate(24, 16, Kind::Global, SITE).unwrap();
    assert_eq!([heap, heap + 8, global, 0].map(|at| memory.usable_size(at)), [Some(24), None, None, None]);
}

#[test]
fn statistics_count() {
    let mut memory = memory(64);
    let (_, base) = memory.allocate(24, 16, Kind::Heap, SITE).unwrap();
    memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
    memory.free(base, SITE).unwrap();
    let counted = memory.statistics();
    assert_eq!((counted.allocations, counted.allocated_bytes, counted.live, counted.live_bytes), (2, 32, 1, 8));
}

#[test]
fn addresses_rest_before_they_are_used_again() {
    let mut memory = memory(32);
    let keep: Vec<u64> = (0..20).map(|_| memory.allocate(MIB, 16, Kind::Heap, SITE).unwrap().1).collect();
    keep.iter().for_each(|base| memory.write_word(*base, 8, *base).unwrap());
    let mut used: Vec<u64> = Vec::new();
    for _ in 0..5000 {
        let (_, base) = memory.allocate(MIB, 16, Kind::Heap, SITE).unwrap();
        assert!(keep.iter().all(|other| base.abs_diff(*other) >= MIB + 4096));
        let recent = &used[used.len().saturating_sub(500)..];
        assert!(recent.iter().all(|other| base.abs_diff(*other) >= MIB), "{base:#x} was in use a moment ago");
        used.push(base);
        memory.write_word(base + 8, 8, 3).unwrap();
        memory.free(base, SITE).unwrap();
        assert_eq!(memory.read_word(base + 8, 8).unwrap_err().kind, FaultKind::UseAfterFree);
    }
    assert!(used.iter().collect::<HashSet<_>>().len() < 2000, "addresses are used again");
    keep.iter().for_each(|base| assert_eq!(memory.read_word(*base, 8).unwrap().bits(), *base));
}

#[test]
fn blocks_that_live_across_laps_are_respected() {
    let mut memory = memory(32);
    let mut live: Vec<(AllocationId, u64)> = Vec::new();
    for round in 0..6000u64 {
        let size = (round * 7919 % 900 + 1) * 1024;
        let (id, base) = memory.allocate(size, 16, Kind::Stack, SITE).unwrap();
        memory.write_word(base, 8, round).unwrap();
        memory.write_word(base + size - 8, 8, round).unwrap();
        live.push((id, base));
        if live.len() > 100 {
            let (id, base) = live.swap_remove((round * 31 % 100) as usize);
            let info = memory.info(id).unwrap();
            let ends = [base, base + info.size - 8].map(|at| memory.read_word(at, 8).unwrap().bits());
            assert_eq!(ends[0], ends[1]);
            memory.release(id, SITE);
        }
    }
    let listed: Vec<(u64, u64)> = memory.live(Kind::Stack).map(|info| (info.base, info.size)).collect();
    assert_eq!(listed.len(), live.len());
    assert!(listed.windows(2).all(|pair| pair[0].0 + pair[0].1 + 16 <= pair[1].0));
}

#[test]
fn a_full_region_takes_more_when_something_is_freed() {
    let mut memory = memory(32);
    let mut blocks = Vec::new();
    while let Ok((_, base)) = memory.allocate(10 * MIB, 16, Kind::Heap, SITE) {
        blocks.push(base);
    }
    assert!(blocks.len() >= 120, "only {} blocks fit", blocks.len());
    for _ in 0..10 {
        let base = blocks.remove(60);
        memory.free(base, SITE).unwrap();
        blocks.push(memory.allocate(10 * MIB, 16, Kind::Heap, SITE).unwrap().1);
        assert!(memory.allocate(10 * MIB, 16, Kind::Heap, SITE).is_err());
    }
    for base in blocks {
        memory.free(base, SITE).unwrap();
    }
    assert!(memory.allocate(1000 * MIB, 16, Kind::Heap, SITE).is_ok());
}

#[test]
fn the_dead_are_remembered_for_a_while() {
    let mut memory = memory(64);
    let (_, early) = memory.allocate(40, 8, Kind::Heap, SITE).unwrap();
    memory.free(early, SITE).unwrap();
    for _ in 0..30_000 {
        let (id, _) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
        memory.release(id, SITE);
    }
    assert_eq!(memory.read_word(early, 1).unwrap_err().kind, FaultKind::UseAfterFree);
    for _ in 0..100_000 {
        let (id, _) = memory.allocate(8, 8, Kind::Stack, SITE).unwrap();
        memory.release(id, SITE);
    }
    assert_eq!(memory.read_word(early, 1).unwrap_err().kind, FaultKind::Wild);
    assert_eq!(memory.free(early, SITE).unwrap_err().allocation, None);
}

#[test]
fn what_was_freed_just_ahead_is_not_handed_out() {
    let mut memory = memory(32);
    // One lap and a bit: every other block stays.
    let blocks: Vec<u64> = (0..800).map(|_| memory.allocate(MIB, 16, Kind::Heap, SITE).unwrap().1).collect();
    blocks.iter().step_by(2).for_each(|base| memory.free(*base, SITE).unwrap());
    let after_the_first_lap = |base: &u64| *base < blocks[100];
    let mut cursor = blocks[799];
    while !after_the_first_lap(&cursor) {
        cursor = memory.allocate(MIB, 16, Kind::Heap, SITE).unwrap().1;
        memory.free(cursor, SITE).unwrap();
    }
    let ahead = *blocks.iter().skip(1).step_by(2).find(|base| **base > cursor).unwrap();
    memory.free(ahead, SITE).unwrap();
    for _ in 0..20 {
        let (_, base) = memory.allocate(MIB, 16, Kind::Heap, SITE).unwrap();
        assert!(base.abs_diff(ahead) >= MIB, "{base:#x}");
    }
}
