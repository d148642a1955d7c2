//! A block in two: what stands before an instruction, and the rest. Whoever wants to know whether an instruction was executed looks at the
//! edge between them.

use crate::{Block, BlockData, Body, Edge, EdgeId, Terminator};

impl Body {
    /// Ends a block before the instruction with this number (the terminator has the number of instructions); the edge to the rest, which
    /// is a block of its own.
    ///
    /// # Panics
    /// If the block does not have as many instructions.
    pub fn split(&mut self, block: Block, at: usize) -> EdgeId {
        let first = &mut self.blocks[block];
        let rest = BlockData {
            params: Vec::new(),
            insts: first.insts.split_off(at),
            locs: first.locs.split_off(at),
            terminator: std::mem::replace(&mut first.terminator, Terminator::Unreachable),
            terminator_loc: first.terminator_loc,
        };
        if let Some(loc) = rest.locs.first() {
            first.terminator_loc = *loc;
        }
        let target = self.blocks.push(rest);
        self.edges.values_mut().filter(|edge| edge.source == block).for_each(|edge| edge.source = target);
        let edge = self.edges.push(Edge { source: block, target, args: Vec::new(), overlaps: false });
        self.blocks[block].terminator = Terminator::Jump(edge);
        for marker in self.markers.iter_mut().filter(|marker| marker.0 == block && marker.1 as usize >= at) {
            (marker.0, marker.1) = (target, marker.1 - at as u32);
        }
        edge
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{parse, verify};

    #[test]
    fn both_parts_are_what_they_were() {
        let text = r#"target "x86_64-pc-linux-gnu" pointers 64
function @f(i32) -> i32 {
bb0(r0: i32):
  r1 = add i32 r0, i32 1
  r2 = mul i32 r1, r1
  r3 = icmp eq i32 r2, i32 9
  branch r3, bb1, bb2
bb1:
  return r2
bb2:
  return r1
}
"#;
        for at in 0..=3 {
            let mut program = parse::parse(text).unwrap();
            let (id, function) = program.functions.iter_mut().next().unwrap();
            let body = function.body.as_mut().unwrap();
            let edge = body.split(Block::ENTRY, at);
            let (first, rest) = (&body.blocks[Block::ENTRY], &body.blocks[body.edges[edge].target]);
            assert_eq!((first.insts.len(), rest.insts.len()), (at, 3 - at));
            assert_eq!(first.terminator, Terminator::Jump(edge));
            assert!(matches!(rest.terminator, Terminator::Branch { .. }));
            verify::verify(&program).unwrap_or_else(|error| panic!("{id}: {error:?}"));
        }
    }
}
