//! What memory holds: definedness, page boundaries, sparse contents, and that clones do not see each other's writes.
#![allow(clippy::unwrap_used)]

use symcrete_memory::{Config, FaultKind, Kind, Memory, Site, Word};

const SITE: Site = Site(0);

fn memory_with(size: u64, kind: Kind) -> (Memory, u64) {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate(size, 16, kind, SITE).unwrap();
    (memory, base)
}

#[test]
fn fresh_memory_is_undefined() {
    let (mut memory, base) = memory_with(12, Kind::Stack);
    assert_eq!(memory.read_word(base, 4), Ok(Word::Partial { bits: 0, undefined: 0xffff_ffff }));
    memory.write_word(base + 1, 2, 0xabcd).unwrap();
    assert_eq!(memory.read_word(base, 4), Ok(Word::Partial { bits: 0x00ab_cd00, undefined: 0xff00_00ff }));
    assert_eq!(memory.read_word(base + 1, 2), Ok(Word::Defined(0xabcd)));
    assert_eq!(memory.read_bytes(base, &mut [0; 12]), Ok(false));
    memory.fill(base, 3, 12).unwrap();
    assert_eq!(memory.read_bytes(base, &mut [0; 12]), Ok(true));
    assert_eq!(memory.read_word(base + 4, 8), Ok(Word::Defined(0x0303_0303_0303_0303)));
}

#[test]
fn initialised_memory_is_defined() {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate_initialised(600, 1, Kind::Global, SITE, &[1, 2, 3, 0, 0]).unwrap();
    assert_eq!(memory.read_word(base, 8), Ok(Word::Defined(0x0003_0201)));
    assert_eq!(memory.read_word(base + 592, 8), Ok(Word::Defined(0)));
    assert_eq!(memory.read_bytes(base, &mut [0; 600]), Ok(true));
}

#[test]
fn undefined_bits_travel_with_copies() {
    let (mut memory, base) = memory_with(1000, Kind::Heap);
    memory.write_bytes_masked(base + 250, &[0xff; 12], &[0x0f; 12]).unwrap();
    memory.copy(base + 501, base + 250, 12).unwrap();
    let (mut bytes, mut masks) = ([0; 14], [0; 14]);
    memory.read_bytes_masked(base + 500, &mut bytes, &mut masks).unwrap();
    assert_eq!(bytes, [[0].as_slice(), &[0xf0; 12], &[0]].concat()[..]);
    assert_eq!(masks, [[0xff].as_slice(), &[0x0f; 12], &[0xff]].concat()[..]);
}

#[test]
fn words_across_pages() {
    let (mut memory, base) = memory_with(2000, Kind::Heap);
    for at in 0..1992 {
        memory.write_word(base + at, 8, 0x1122_3344_5566_7788 + at).unwrap();
        assert_eq!(memory.read_word(base + at, 8), Ok(Word::Defined(0x1122_3344_5566_7788 + at)));
        assert_eq!(memory.read_word(base + at + 7, 1), Ok(Word::Defined(0x11)));
    }
    let (mut memory, base) = memory_with(600, Kind::Stack);
    let boundary = (base + 256) & !255;
    memory.write_word(boundary - 1, 1, 0xaa).unwrap();
    assert_eq!(memory.read_word(boundary - 1, 2), Ok(Word::Partial { bits: 0xaa, undefined: 0xff00 }));
}

#[test]
fn copies_may_overlap() {
    for (to, from) in [(0, 1), (1, 0), (0, 300), (300, 0), (10, 261), (261, 10), (5, 5)] {
        let (mut memory, base) = memory_with(3000, Kind::Heap);
        let mut expected: Vec<u8> = (0..3000).map(|at| (at * 7 % 251) as u8).collect();
        memory.write_bytes(base, &expected).unwrap();
        memory.copy(base + to, base + from, 2600).unwrap();
        expected.copy_within(from as usize..from as usize + 2600, to as usize);
        let mut found = vec![0; 3000];
        assert_eq!(memory.read_bytes(base, &mut found), Ok(true));
        assert_eq!(found, expected, "from {from} to {to}");
    }
}

#[test]
fn reallocation_keeps_contents() {
    for (old, new) in [(10, 20), (20, 10), (200, 5000), (5000, 200), (256, 256), (1, 0), (0, 1), (70_000, 300_000)] {
        let (mut memory, base) = memory_with(old, Kind::Heap);
        let kept = old.min(new) as usize;
        let mut bytes: Vec<u8> = (0..old).map(|at| at as u8).collect();
        memory.write_bytes(base, &bytes).unwrap();
        let (id, moved) = memory.reallocate(base, new, SITE).unwrap();
        assert_eq!(memory.info(id).unwrap().size, new);
        let (mut found, mut masks) = (vec![0; new as usize], vec![0; new as usize]);
        memory.read_bytes_masked(moved, &mut found, &mut masks).unwrap();
        bytes.resize(kept, 0);
        assert_eq!(found[..kept], bytes);
        assert!(masks[..kept].iter().all(|mask| *mask == 0) && masks[kept..].iter().all(|mask| *mask == 0xff));
    }
}

#[test]
fn what_was_cut_off_does_not_come_back() {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate(4000, 16, Kind::Heap, SITE).unwrap();
    memory.fill(base, 0, 4000).unwrap();
    memory.write_word(base + 100, 8, 5).unwrap();
    let (_, base) = memory.reallocate(base, 104, SITE).unwrap();
    let (_, base) = memory.reallocate(base, 4000, SITE).unwrap();
    assert_eq!(memory.read_word(base + 100, 8), Ok(Word::Partial { bits: 5, undefined: 0xffff_ffff_0000_0000 }));
    assert_eq!(memory.read_word(base + 2000, 1), Ok(Word::Partial { bits: 0, undefined: 0xff }));
    assert_eq!(memory.read_word(base + 50, 1), Ok(Word::Defined(0)));
}

#[test]
fn huge_sparse_allocations_cost_nothing() {
    let mut memory = Memory::new(Config::default());
    let gib = 1 << 30;
    let (_, global) = memory.allocate_initialised(8 * gib, 16, Kind::Global, SITE, b"start").unwrap();
    assert_eq!(memory.read_word(global, 8), Ok(Word::Defined(u64::from_le_bytes(*b"start\0\0\0"))));
    assert_eq!(memory.read_word(global + 5 * gib, 8), Ok(Word::Defined(0)));
    memory.write_word(global + 8 * gib - 8, 8, 42).unwrap();
    assert_eq!(memory.read_word(global + 8 * gib - 9, 2), Ok(Word::Defined(42 << 8)));
    let copy = memory.clone();
    memory.write_word(global + 5 * gib, 8, 1).unwrap();
    assert_eq!(copy.clone().read_word(global + 5 * gib, 8), Ok(Word::Defined(0)));
    // As calloc does it.
    let (_, heap) = memory.allocate(8 * gib, 16, Kind::Heap, SITE).unwrap();
    memory.fill(heap, 0, 8 * gib).unwrap();
    memory.write_word(heap + 3 * gib, 8, 7).unwrap();
    let (_, heap) = memory.reallocate(heap, 9 * gib, SITE).unwrap();
    assert_eq!(memory.read_word(heap + 3 * gib, 8), Ok(Word::Defined(7)));
    assert_eq!(memory.read_word(heap + 7 * gib, 8), Ok(Word::Defined(0)));
    assert_eq!(memory.read_word(heap + 9 * gib - 8, 8), Ok(Word::Partial { bits: 0, undefined: u64::MAX }));
    memory.fill(heap, 0, 9 * gib).unwrap();
    assert_eq!(memory.read_word(heap + 3 * gib, 8), Ok(Word::Defined(0)));
}

#[test]
fn clones_do_not_see_each_other() {
    let (mut first, base) = memory_with(1000, Kind::Heap);
    first.fill(base, 1, 1000).unwrap();
    let mut second = first.clone();
    first.write_word(base, 1, 2).unwrap();
    second.write_word(base, 1, 3).unwrap();
    let mut third = first.clone();
    first.write_word(base, 1, 4).unwrap();
    third.write_word(base + 999, 1, 5).unwrap();
    let ends = |memory: &mut Memory| [0, 999].map(|at| memory.read_word(base + at, 1).unwrap().bits());
    assert_eq!([ends(&mut first), ends(&mut second), ends(&mut third)], [[4, 1], [3, 1], [2, 5]]);
    second.free(base, SITE).unwrap();
    assert_eq!(second.read_word(base, 1).unwrap_err().kind, FaultKind::UseAfterFree);
    assert_eq!(ends(&mut first), [4, 1]);
    // The same address means different things from here on.
    let (_, here) = first.allocate(8, 8, Kind::Heap, SITE).unwrap();
    let (_, there) = third.allocate(8, 8, Kind::Heap, SITE).unwrap();
    assert_eq!(here, there);
    first.write_word(here, 8, 1).unwrap();
    third.write_word(here, 8, 2).unwrap();
    assert_eq!(first.read_word(here, 8), Ok(Word::Defined(1)));
    assert!(second.read_word(here, 8).is_err());
    third.protect(here);
    first.write_word(here, 8, 3).unwrap();
    assert!(third.write_word(here, 8, 3).is_err());
}
