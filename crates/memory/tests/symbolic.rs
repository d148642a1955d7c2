//! Bytes that are parts of expressions: kept, copied, overwritten, found again. Random mixtures are in `model`.
#![allow(clippy::unwrap_used)]

use cranelift_entity::EntityRef;
use symcrete_expr::Expr;
use symcrete_memory::{Cell, Config, FaultKind, Kind, Memory, Part, ReadError, Seen, Site, Word};

const SITE: Site = Site(0);

fn memory_with(size: u64) -> (Memory, u64) {
    let mut memory = Memory::new(Config::default());
    let (_, base) = memory.allocate_initialised(size, 16, Kind::Heap, SITE, &[]).unwrap();
    (memory, base)
}

fn expr(number: usize) -> Expr {
    Expr::new(number)
}

fn cells(memory: &Memory, address: u64, length: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    memory.read_cells(address, length, &mut cells).unwrap();
    cells
}

fn parts(number: usize, range: std::ops::Range<u32>) -> Vec<Cell> {
    range.map(|index| Cell::Part { expr: expr(number), index }).collect()
}

/// The expressions found, in the order of their numbers, and how often anything was found.
fn visit<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> (Vec<usize>, usize) {
    let (mut seen, mut found) = (Seen::new(), Vec::new());
    memories.into_iter().for_each(|memory| memory.visit_exprs(&mut seen, &mut |expr| found.push(expr.index())));
    let count = found.len();
    found.sort_unstable();
    found.dedup();
    (found, count)
}

#[test]
fn what_is_stored_whole_is_loaded_whole() {
    let (mut memory, base) = memory_with(600);
    // The second one lies across two pages.
    for at in [base, base.next_multiple_of(256) + 254] {
        memory.write_expr(at, expr(3), 4).unwrap();
        assert_eq!(memory.read_word(at, 4), Ok(Word::Symbolic));
        assert_eq!(memory.read_word(at + 3, 8), Ok(Word::Symbolic));
        assert_eq!(memory.read_word(at + 4, 4), Ok(Word::Defined(0)));
        assert_eq!(memory.read_expr(at, 4), Ok(Some(expr(3))));
        assert_eq!(memory.read_expr(at, 3), Ok(Some(expr(3))));
        assert_eq!(memory.read_expr(at + 1, 3), Ok(None));
        assert_eq!(memory.read_run(at + 1, 3), Ok(Some(Part { expr: expr(3), index: 1 })));
        assert_eq!(memory.read_run(at, 5), Ok(None));
        assert!(memory.is_symbolic(at, 600 - (at - base)) && !memory.is_symbolic(at + 4, 1));
        memory.write_word(at + 1, 1, 9).unwrap();
        assert_eq!(memory.read_expr(at, 4), Ok(None));
        let nine = Cell::Byte { bits: 9, undefined: 0 };
        assert_eq!(cells(&memory, at, 4), [&parts(3, 0..1)[..], &[nine], &parts(3, 2..4)].concat());
        memory.write_word(at, 4, 0).unwrap();
        assert_eq!(memory.read_word(at, 8), Ok(Word::Defined(0)));
    }
    assert_eq!(memory.read_expr(base + 600, 1).unwrap_err().kind, FaultKind::OutOfBounds);
    assert_eq!(memory.write_expr(base + 597, expr(3), 4).unwrap_err().kind, FaultKind::OutOfBounds);
    memory.protect(base);
    assert_eq!(memory.write_expr(base, expr(3), 4).unwrap_err().kind, FaultKind::WriteToReadOnly);
}

#[test]
fn who_wants_numbers_is_told() {
    let (mut memory, base) = memory_with(600);
    memory.fill(base, b'a', 599).unwrap();
    memory.write_expr(base + 500, expr(1), 4).unwrap();
    let symbolic = ReadError::Symbolic { address: base + 500 };
    assert_eq!(memory.read_concrete_bytes(base, &mut [0; 600]), Err(symbolic.clone()));
    assert_eq!(memory.read_concrete_bytes(base, &mut [0; 500]), Ok(true));
    assert_eq!(memory.read_bytes(base, &mut [0; 600]), Ok(false));
    assert_eq!(memory.read_concrete_c_string(base, 1000), Err(symbolic));
    assert_eq!(memory.read_concrete_c_string(base, 500), Ok(vec![b'a'; 500]));
    assert_eq!(memory.read_concrete_c_string(base + 504, 1000), Ok(vec![b'a'; 95]));
    memory.write_word(base + 499, 1, 0).unwrap();
    assert_eq!(memory.read_concrete_c_string(base, 1000), Ok(vec![b'a'; 499]));
    memory.write_word(base + 599, 1, 1).unwrap();
    let fault = memory.read_concrete_c_string(base + 504, 1000).unwrap_err();
    assert!(matches!(fault, ReadError::Fault(fault) if fault.kind == FaultKind::OutOfBounds));
}

#[test]
fn copies_take_parts_along() {
    let (mut memory, base) = memory_with(2000);
    let (_, other) = memory.allocate(2000, 16, Kind::Stack, SITE).unwrap();
    memory.write_run(base, 2000, Part { expr: expr(5), index: 0 }).unwrap();
    memory.copy(other + 7, base + 300, 1000).unwrap();
    assert_eq!(cells(&memory, other + 7, 1000), parts(5, 300..1300));
    assert_eq!(memory.read_word(other, 7), Ok(Word::Partial { bits: 0, undefined: (1 << 56) - 1 }));
    // Overlapping, in both directions, by a little and by more than a page.
    for (to, from) in [(0, 3), (3, 0), (0, 700), (700, 0), (1, 257), (257, 1)] {
        memory.write_run(base, 2000, Part { expr: expr(5), index: 0 }).unwrap();
        memory.copy(base + to, base + from, 1200).unwrap();
        assert_eq!(cells(&memory, base + to, 1200), parts(5, from as u32..from as u32 + 1200));
    }
    // Short ones, from page to page and within one.
    memory.copy(other, base + 1996, 4).unwrap();
    assert_eq!(cells(&memory, other, 4), parts(5, 1996..2000));
    memory.copy(other + 1, other, 3).unwrap();
    assert_eq!(cells(&memory, other + 1, 3), parts(5, 1996..1999));
    memory.fill(other, 0, 2000).unwrap();
    assert!(!memory.is_symbolic(other, 2000));
    let (_, heap) = memory.reallocate(base, 5000, SITE).unwrap();
    assert_eq!(cells(&memory, heap + 1200, 800).last(), Some(&Cell::Part { expr: expr(5), index: 1999 }));
    assert_eq!(cells(&memory, heap + 2000, 1), [Cell::Byte { bits: 0, undefined: 0xff }]);
}

#[test]
fn clones_part_ways() {
    let (mut first, base) = memory_with(300);
    first.write_expr(base, expr(1), 8).unwrap();
    let mut second = first.clone();
    first.write_expr(base, expr(2), 4).unwrap();
    second.write_word(base + 4, 4, 7).unwrap();
    let mut third = second.clone();
    third.write_expr(base + 299, expr(3), 1).unwrap();
    assert_eq!(cells(&first, base, 8), [parts(2, 0..4), parts(1, 4..8)].concat());
    assert_eq!(first.read_run(base + 4, 4), Ok(Some(Part { expr: expr(1), index: 4 })));
    assert_eq!(second.read_expr(base, 4), Ok(Some(expr(1))));
    assert_eq!(second.read_word(base + 4, 4), Ok(Word::Defined(7)));
    assert_eq!(second.read_word(base + 299, 1), Ok(Word::Defined(0)));
    assert_eq!(visit([&first]).0, [1, 2]);
    assert_eq!(visit([&second]).0, [1]);
    assert_eq!(visit([&third]).0, [1, 3]);
    assert_eq!(visit([&second, &first, &third]).0, [1, 2, 3]);
    first.free(base, SITE).unwrap();
    assert_eq!(visit([&first]).0, []);
}

#[test]
fn shared_pages_are_visited_once() {
    let (mut memory, base) = memory_with(100_000);
    for at in 0..1000 {
        memory.write_expr(base + at * 100, expr(at as usize), 4).unwrap();
        let (_, block) = memory.allocate(24, 8, Kind::Heap, SITE).unwrap();
        memory.write_expr(block + 8, expr(1000 + at as usize), 8).unwrap();
    }
    let clones: Vec<Memory> = (0..1000)
        .map(|at| {
            let mut clone = memory.clone();
            clone.write_expr(base + at * 100 + 50, expr(2000 + at as usize), 1).unwrap();
            clone
        })
        .collect();
    let (found, count) = visit(clones.iter().chain([&memory]));
    assert_eq!(found, (0..3000).collect::<Vec<_>>());
    // A changed page has a handful of expressions.
    assert!(count < 10_000, "{count} calls");
    assert_eq!(visit([&memory_with(10).0]).1, 0);
}

#[test]
fn footprints_are_plausible() {
    let (mut memory, base) = memory_with(1 << 20);
    fn bytes(memory: &Memory) -> usize {
        memory.footprint(&mut Seen::new())
    }
    let empty = bytes(&memory);
    memory.fill(base, 1, 1 << 20).unwrap();
    let filled = bytes(&memory);
    assert!((1 << 20..6 << 18).contains(&(filled - empty)), "{} bytes for a MiB", filled - empty);
    memory.write_expr(base, expr(1), 8).unwrap();
    assert!((1500..4000).contains(&(bytes(&memory) - filled)), "{} bytes for a part", bytes(&memory) - filled);
    // Clones take what they have changed.
    let clones: Vec<Memory> = (0..100)
        .map(|at| {
            let mut clone = memory.clone();
            clone.write_word(base + 1000 * at, 8, 0).unwrap();
            clone
        })
        .collect();
    let mut seen = Seen::new();
    assert!(memory.footprint(&mut seen) >= filled);
    for clone in &clones {
        assert!((500..8000).contains(&clone.footprint(&mut seen)));
    }
    assert_eq!(memory.footprint(&mut seen), 0);
}

#[test]
fn elastic_allocations_are_accessed_by_permission() {
    let mut memory = Memory::new(Config::default());
    let (id, base) = memory.allocate(100, 8, Kind::Heap, SITE).unwrap();
    memory.write_word(base, 8, 5).unwrap();
    memory.set_elastic(id);
    assert!(memory.info(id).unwrap().elastic);
    assert_eq!(memory.window(id), Some((base, 100)));
    let fault = memory.read_word(base, 8).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBounds);
    assert_eq!(fault.elastic().map(|info| info.id), Some(id));
    for _ in 0..2 {
        let word = memory.with_elastic_access(|memory| {
            memory.write_word(base + 8, 8, 6)?;
            memory.write_expr(base + 16, expr(1), 4)?;
            memory.read_word(base + 8, 8)
        });
        assert_eq!(word, Ok(Word::Defined(6)));
        assert!(memory.is_symbolic(base, 100));
        assert!(memory.read_word(base + 8, 8).unwrap_err().elastic().is_some());
        assert!(memory.write_word(base + 8, 8, 1).unwrap_err().elastic().is_some());
        assert!(memory.fill(base, 1, 100).unwrap_err().elastic().is_some());
        assert!(memory.read_expr(base + 16, 4).unwrap_err().elastic().is_some());
    }
    // Certainly out of bounds.
    let outside = memory.with_elastic_access(|memory| memory.read_word(base + 96, 8)).unwrap_err();
    assert!(outside.kind == FaultKind::OutOfBounds && outside.elastic().is_none());
    assert!(memory.read_word(base - 1, 2).unwrap_err().elastic().is_none());
    let mut rigid = memory.clone();
    rigid.set_rigid(id);
    assert_eq!(rigid.read_word(base + 8, 8), Ok(Word::Defined(6)));
    assert_eq!(rigid.read_expr(base + 16, 4), Ok(Some(expr(1))));
    assert!(memory.read_word(base + 8, 8).unwrap_err().elastic().is_some());
    memory.free(base, SITE).unwrap();
    assert!(memory.read_word(base, 8).unwrap_err().elastic().is_none());
}

#[test]
fn gaps_and_neighbours() {
    let mut memory = Memory::new(Config::default());
    assert_eq!(memory.gap_around(5), (0, u64::MAX));
    let (id, base) = memory.allocate(100, 256, Kind::Heap, SITE).unwrap();
    let (_, stack) = memory.allocate(3, 8, Kind::Stack, SITE).unwrap();
    assert_eq!(memory.gap_around(0), (0, base - 1));
    assert_eq!(memory.gap_around(base + 50), (base + 50, base + 50));
    assert_eq!(memory.gap_around(base + 100), (base + 100, stack - 1));
    assert_eq!(memory.gap_around(u64::MAX), (stack + 3, u64::MAX));
    // Four bytes from the last three of the first one on are wrong, and nowhere right in the other one.
    assert_eq!(memory.bad_range_around(base + 97, 4), (base + 97, u64::MAX));
    assert_eq!(memory.bad_range_around(base + 96, 4), (base + 96, base + 96));
    for near in [base - 8, base, base + 99, base + 100, base + 5000] {
        assert_eq!(memory.resolve_nearby(near), Some((id, base, 100)));
    }
    assert_eq!(memory.resolve_nearby(0), None);
}
