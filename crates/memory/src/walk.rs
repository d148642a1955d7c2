//! Going through what memories are made of, each shared piece once: which expressions they refer to, and how many bytes
//! they take.

use std::marker::PhantomData;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use symcrete_expr::Expr;

use crate::memory::Memory;

/// Who goes through a structure of shared nodes.
pub(crate) trait Walker {
    /// Whether to go into a node. No node is entered twice.
    fn enter<T: ?Sized>(&mut self, node: &Rc<T>) -> bool;

    /// Tells of bytes that the last node refers to beside itself.
    fn holds(&mut self, bytes: usize);
}

/// What has been visited of a number of memories that share most of what they consist of. Serves one purpose only:
/// either to visit expressions or to count bytes. Nodes are known by their addresses, so the memories must not change
/// as long as this exists.
#[derive(Default)]
pub struct Seen<'a> {
    addresses: FxHashSet<usize>,
    memories: PhantomData<&'a Memory>,
}

impl<'a> Seen<'a> {
    pub fn new() -> Seen<'a> {
        Seen::default()
    }

    fn insert<T: ?Sized>(&mut self, node: *const T) -> bool {
        self.addresses.insert(node.cast::<()>().addr())
    }
}

impl Walker for Seen<'_> {
    fn enter<T: ?Sized>(&mut self, node: &Rc<T>) -> bool {
        // There is only one way to a node that one other node refers to. Not to remember those keeps the set small.
        Rc::strong_count(node) == 1 || self.insert(Rc::as_ptr(node))
    }

    fn holds(&mut self, _: usize) {}
}

/// Counts the bytes of what it enters.
struct Scale<'s, 'a> {
    seen: &'s mut Seen<'a>,
    bytes: usize,
}

/// What an allocator takes for so many bytes.
fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + size_of::<usize>()).next_multiple_of(16) }
}

impl Walker for Scale<'_, '_> {
    fn enter<T: ?Sized>(&mut self, node: &Rc<T>) -> bool {
        let entered = self.seen.enter(node);
        if entered {
            // With the two counts in front.
            self.bytes += allocated(size_of_val(&**node) + 2 * size_of::<usize>());
        }
        entered
    }

    fn holds(&mut self, bytes: usize) {
        self.bytes += allocated(bytes);
    }
}

impl Memory {
    /// Calls `visit` with every expression that a byte of this memory is a part of, at least once, except for what was
    /// visited before by way of `seen`. May also find some in what `realloc` cut off. Costs nothing if no byte was ever
    /// symbolic.
    pub fn visit_exprs<'a>(&'a self, seen: &mut Seen<'a>, visit: &mut impl FnMut(Expr)) {
        if !self.symbolic || !seen.insert(self) {
            return;
        }
        for region in &self.regions {
            region.walk(seen, &mut |seen, record| {
                if record.contents.is_symbolic() {
                    record.contents.walk(seen, &mut |_, page| page.visit_exprs(visit));
                }
            });
        }
    }

    /// The bytes of everything behind this memory, the `Memory` itself not counted, except for what was counted before
    /// by way of `seen`.
    pub fn footprint<'a>(&'a self, seen: &mut Seen<'a>) -> usize {
        if !seen.insert(self) {
            return 0;
        }
        let mut scale = Scale { seen, bytes: 0 };
        for region in &self.regions {
            region.walk(&mut scale, &mut |scale, record| {
                record.contents.walk(scale, &mut |scale, page| scale.holds(page.bytes_beside()));
            });
        }
        self.quarantine.walk(&mut scale);
        if scale.enter(&self.cache) {
            self.cache.borrow().walk(&mut scale);
        }
        scale.bytes
    }
}
