//! The order in which blocks are lowered: what a block uses is made in blocks before it.

use cranelift_entity::EntityRef;

use crate::module::{BlockId, FunctionBody};

/// All blocks, those that can be reached first, each after its dominators; and how many can be reached.
pub(crate) fn block_order(source: &FunctionBody) -> (Vec<BlockId>, usize) {
    let count = source.blocks.len();
    let mut met = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut successors: Vec<BlockId> = Vec::new();
    // A block on the stack, and the successors that are still to be followed from it: a tail of `successors`.
    let mut stack: Vec<(BlockId, usize)> = Vec::new();
    let enter = |block: BlockId, successors: &mut Vec<BlockId>, stack: &mut Vec<(BlockId, usize)>| {
        stack.push((block, successors.len()));
        source.terminator(block).kind.for_each_successor(|target| successors.push(target));
    };
    met[0] = true;
    enter(BlockId::from_u32(0), &mut successors, &mut stack);
    while let Some((block, base)) = stack.last().copied() {
        if successors.len() == base {
            order.push(block);
            stack.pop();
            continue;
        }
        if let Some(next) = successors.pop()
            && !std::mem::replace(&mut met[next.index()], true)
        {
            enter(next, &mut successors, &mut stack);
        }
    }
    order.reverse();
    let reachable = order.len();
    order.extend(source.blocks.keys().filter(|block| !met[block.index()]));
    (order, reachable)
}
