//! Each way to misuse memory, and what the fault says about it.
#![allow(clippy::unwrap_used)]

use symcrete_memory::{
    Access, AllocationState, Config, Fault, FaultKind, InvalidFreeReason, Kind, Memory, ReallocMisuseReason, Site, Word,
};

const HERE: Site = Site(7);
const THERE: Site = Site(8);

fn memory() -> Memory {
    Memory::new(Config::default())
}

/// What the report needs: the fault, the size of the allocation it names, and the offset there.
fn summary<T: std::fmt::Debug>(result: Result<T, Fault>) -> (FaultKind, Access, Option<(u64, i64)>) {
    let fault = result.unwrap_err();
    (fault.kind, fault.access, fault.allocation.map(|(info, offset)| (info.size, offset)))
}

#[test]
fn null_dereference() {
    let mut memory = memory();
    assert_eq!(summary(memory.read_word(0, 4)), (FaultKind::NullDereference, Access::Read, None));
    assert_eq!(summary(memory.write_word(4095, 1, 0)), (FaultKind::NullDereference, Access::Write, None));
    assert_eq!(summary(memory.copy(0, 8, 1)), (FaultKind::NullDereference, Access::Read, None));
}

#[test]
fn out_of_bounds() {
    let mut memory = memory();
    let (id, base) = memory.allocate(40, 8, Kind::Heap, HERE).unwrap();
    assert_eq!(
        memory.write_word(base + 44, 4, 0),
        Err(Fault {
            kind: FaultKind::OutOfBounds,
            access: Access::Write,
            address: base + 44,
            size: 4,
            allocation: memory.info(id).map(|info| (info, 44)),
        })
    );
    let out = |offset| (FaultKind::OutOfBounds, Access::Read, Some((40, offset)));
    assert_eq!(summary(memory.read_word(base + 40, 1)), out(40));
    assert_eq!(summary(memory.read_word(base + 37, 4)), out(37));
    assert_eq!(summary(memory.read_word(base - 1, 1)), out(-1));
    assert_eq!(summary(memory.read_word(base - 4, 8)), out(-4));
    assert_eq!(summary(memory.read_bytes(base + 8, &mut [0; 33])), out(8));
    assert_eq!(summary(memory.read_bytes(base + 8, &mut [0; 4000])), out(8));
    assert_eq!(summary(memory.read_word(u64::MAX - 3, 8)).0, FaultKind::Wild);
}

#[test]
fn the_nearest_neighbour_is_named() {
    let mut memory = memory();
    let blocks: Vec<u64> = (1..=50).map(|size| memory.allocate(size, 1, Kind::Heap, HERE).unwrap().1).collect();
    for (base, size) in blocks.iter().zip(1..=50) {
        for beside in 0..16 {
            let after = summary(memory.write_word(base + size + beside, 1, 0));
            assert_eq!(after, (FaultKind::OutOfBounds, Access::Write, Some((size, (size + beside) as i64))));
        }
        for before in 1..=8 {
            let found = summary(memory.write_word(base - before, 1, 0));
            assert_eq!(found, (FaultKind::OutOfBounds, Access::Write, Some((size, -(before as i64)))));
        }
    }
    // The dead have neighbours, too.
    memory.free(blocks[20], THERE).unwrap();
    assert_eq!(summary(memory.read_word(blocks[20] + 24, 1)), (FaultKind::OutOfBounds, Access::Read, Some((21, 24))));
}

#[test]
fn faults_change_nothing() {
    let mut memory = memory();
    let (_, base) = memory.allocate_initialised(300, 8, Kind::Global, HERE, &[9; 300]).unwrap();
    assert!(memory.write_bytes(base + 100, &[1; 201]).is_err());
    assert!(memory.fill(base + 1, 1, 300).is_err());
    assert!(memory.copy(base + 200, base, 101).is_err());
    let mut bytes = [0; 300];
    assert_eq!(memory.read_bytes(base, &mut bytes), Ok(true));
    assert_eq!(bytes, [9; 300]);
}

#[test]
fn use_after_free_with_both_sites() {
    let mut memory = memory();
    let (id, base) = memory.allocate(40, 8, Kind::Heap, HERE).unwrap();
    memory.write_word(base, 8, 1).unwrap();
    memory.free(base, THERE).unwrap();
    let fault = memory.read_word(base + 8, 4).unwrap_err();
    assert_eq!(fault.kind, FaultKind::UseAfterFree);
    let (info, offset) = fault.allocation.unwrap();
    assert_eq!((info.id, info.allocated_at, info.freed_at, offset), (id, HERE, Some(THERE), 8));
    assert_eq!(info.state, AllocationState::Freed);
    assert_eq!(memory.info(id), Some(info));
    assert_eq!(memory.resolve(base), None);
    assert_eq!(summary(memory.write_word(base, 1, 0)).0, FaultKind::UseAfterFree);
    assert_eq!(summary(memory.fill(base, 0, 4)).0, FaultKind::UseAfterFree);
}

#[test]
fn use_after_free_of_a_large_block() {
    let mut memory = memory();
    let (_, base) = memory.allocate(100_000, 8, Kind::Heap, HERE).unwrap();
    (0..100_000 / 256).for_each(|page| memory.write_word(base + page * 256, 1, 1).unwrap());
    memory.free(base, THERE).unwrap();
    for page in 0..100_000 / 256 {
        assert_eq!(summary(memory.read_word(base + page * 256, 1)).0, FaultKind::UseAfterFree);
    }
}

#[test]
fn use_after_return() {
    let mut memory = memory();
    let (id, base) = memory.allocate(8, 8, Kind::Stack, HERE).unwrap();
    memory.write_word(base, 8, 1).unwrap();
    memory.release(id, THERE);
    memory.release(id, THERE);
    assert_eq!(summary(memory.read_word(base, 8)), (FaultKind::UseAfterReturn, Access::Read, Some((8, 0))));
    assert_eq!(memory.info(id).unwrap().state, AllocationState::Returned);
}

#[test]
fn write_to_read_only() {
    let mut memory = memory();
    let (_, base) = memory.allocate_initialised(300, 1, Kind::Global, HERE, b"text").unwrap();
    memory.write_word(base, 1, b'T'.into()).unwrap();
    memory.protect(base);
    let expected = (FaultKind::WriteToReadOnly, Access::Write, Some((300, 0)));
    assert_eq!(summary(memory.write_word(base, 1, 0)), expected);
    assert_eq!(summary(memory.fill(base, 0, 300)), expected);
    assert_eq!(memory.read_word(base, 4), Ok(Word::Defined(u32::from_le_bytes(*b"Text").into())));
    assert_eq!(summary(memory.write_word(base, 1, 0)), expected);
    assert_eq!(summary(memory.write_bytes(base, &[0; 301])).0, FaultKind::OutOfBounds);
    assert!(memory.info(memory.resolve(base).unwrap().0).unwrap().read_only);
}

#[test]
fn bad_frees() {
    let mut memory = memory();
    let (_, heap) = memory.allocate(40, 8, Kind::Heap, HERE).unwrap();
    let (_, stack) = memory.allocate(40, 8, Kind::Stack, HERE).unwrap();
    let (_, global) = memory.allocate(40, 8, Kind::Global, HERE).unwrap();
    let invalid = |reason, at| (FaultKind::InvalidFree { reason }, Access::Free, at);
    let not_heap = InvalidFreeReason::NotHeap;
    assert_eq!(memory.free(0, THERE), Ok(()));
    assert_eq!(summary(memory.free(heap + 8, THERE)), invalid(InvalidFreeReason::NotAtStart, Some((40, 8))));
    assert_eq!(summary(memory.free(stack, THERE)), invalid(not_heap(Kind::Stack), Some((40, 0))));
    assert_eq!(summary(memory.free(global, THERE)), invalid(not_heap(Kind::Global), Some((40, 0))));
    assert_eq!(summary(memory.free(0x1234_5678, THERE)), invalid(InvalidFreeReason::NothingThere, None));
    assert_eq!(memory.free(heap, THERE), Ok(()));
    assert_eq!(summary(memory.free(heap, HERE)), (FaultKind::DoubleFree, Access::Free, Some((40, 0))));
}

#[test]
fn bad_reallocations() {
    let mut memory = memory();
    let (_, heap) = memory.allocate(40, 8, Kind::Heap, HERE).unwrap();
    let (_, stack) = memory.allocate(40, 8, Kind::Stack, HERE).unwrap();
    let misuse = |reason, at| (FaultKind::ReallocMisuse { reason }, Access::Reallocate, at);
    let no_block = ReallocMisuseReason::NotABlock;
    let not_at_start = no_block(InvalidFreeReason::NotAtStart);
    assert_eq!(summary(memory.reallocate(heap + 1, 9, THERE)), misuse(not_at_start, Some((40, 1))));
    let not_heap = no_block(InvalidFreeReason::NotHeap(Kind::Stack));
    assert_eq!(summary(memory.reallocate(stack, 9, THERE)), misuse(not_heap, Some((40, 0))));
    let nothing = no_block(InvalidFreeReason::NothingThere);
    assert_eq!(summary(memory.reallocate(0x1234_5678, 9, THERE)), misuse(nothing, None));
    let (_, moved) = memory.reallocate(heap, 80, THERE).unwrap();
    assert_ne!(moved, heap);
    let freed = ReallocMisuseReason::AlreadyFreed;
    assert_eq!(summary(memory.reallocate(heap, 9, THERE)), misuse(freed, Some((40, 0))));
    assert_eq!(summary(memory.read_word(heap, 1)).0, FaultKind::UseAfterFree);
    assert_eq!(summary(memory.free(heap, THERE)).0, FaultKind::DoubleFree);
}

#[test]
fn wild_pointers() {
    let mut memory = memory();
    let (_, base) = memory.allocate(40, 8, Kind::Heap, HERE).unwrap();
    let wild = (FaultKind::Wild, Access::Read, None);
    for address in [0x1000, 0x1000_0000, 0xdead_beef_dead_beef, base + 1_000_000, u64::MAX] {
        assert_eq!(summary(memory.read_word(address, 1)), wild, "{address:#x}");
    }
}

#[test]
fn strings_must_end() {
    let mut memory = memory();
    let text = [b"x".repeat(600), b"\0tail".to_vec()].concat();
    let (_, base) = memory.allocate_initialised(605, 1, Kind::Global, HERE, &text).unwrap();
    assert_eq!(memory.read_c_string(base, 1000).unwrap(), b"x".repeat(600));
    assert_eq!(memory.read_c_string(base + 590, 5).unwrap(), b"xxxxx");
    assert_eq!(memory.read_c_string(base, 0).unwrap(), b"");
    let out = (FaultKind::OutOfBounds, Access::Read, Some((605, 605)));
    assert_eq!(summary(memory.read_c_string(base + 601, 100)), out);
    assert_eq!(memory.read_c_string(base + 601, 4).unwrap(), b"tail");
}

#[test]
fn nothing_is_accessed_by_an_empty_access() {
    let mut memory = memory();
    assert_eq!(memory.copy(0, 1, 0), Ok(()));
    assert_eq!(memory.fill(0, 0, 0), Ok(()));
    assert_eq!(memory.read_bytes(0, &mut []), Ok(true));
    assert_eq!(memory.write_bytes(u64::MAX, &[]), Ok(()));
}
