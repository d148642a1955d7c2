//! From where a function comes back to who called it: the blocks from which a way leads there, along calls that come back themselves. Beyond
//! the others the program ends, or goes on for ever, whatever it does until then.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::{Block, Body, Call, CallGraph, Callee, Cfg, FuncId, Inst, Intrinsic, Program, Terminator};

/// How a call of a function without a body goes on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Onward {
    Back,
    /// It ends the program.
    Never,
    /// Perhaps back, perhaps somewhere else.
    Elsewhere,
}

/// The blocks from which functions may come back. One that may leave by a jump or an exception counts as such.
#[derive(Clone, Debug)]
pub struct Returns {
    blocks: SecondaryMap<FuncId, EntitySet<Block>>,
}

impl Returns {
    pub fn new(program: &Program, graph: &CallGraph, external: impl Fn(FuncId) -> Onward) -> Returns {
        let mut returns = Returns { blocks: SecondaryMap::new() };
        for component in graph.components() {
            // Who calls itself comes back if another way does.
            let mut is_new = true;
            while is_new {
                is_new = false;
                for &function in component {
                    let Some(body) = &program.functions[function].body else { continue };
                    let blocks = returns.blocks_of(program, body, &external);
                    is_new |= blocks.contains(Block::ENTRY) && !returns.may(function);
                    returns.blocks[function] = blocks;
                }
            }
        }
        returns
    }

    /// Whether a function with a body may come back.
    pub fn may(&self, function: FuncId) -> bool {
        self.may_from(function, Block::ENTRY)
    }

    /// Whether it may from the beginning of this block.
    pub fn may_from(&self, function: FuncId, block: Block) -> bool {
        self.blocks[function].contains(block)
    }

    fn blocks_of(&self, program: &Program, body: &Body, external: &impl Fn(FuncId) -> Onward) -> EntitySet<Block> {
        let cfg = Cfg::new(body);
        let mut found = EntitySet::new();
        let mut work = Vec::new();
        let mut passable = EntitySet::new();
        for (block, data) in body.blocks.iter() {
            let calls = data.insts.iter().filter_map(|inst| match inst {
                Inst::Call { call } => Some(*call),
                _ => None,
            });
            let last = match &data.terminator {
                Terminator::Invoke { call, .. } => Some(*call),
                _ => None,
            };
            let mut onward = Onward::Back;
            for call in calls.chain(last) {
                onward = match self.after(program, body, call, external) {
                    Onward::Back => continue,
                    other => other,
                };
                break;
            }
            let leaves = matches!(data.terminator, Terminator::Return(_) | Terminator::Resume(_));
            if onward == Onward::Elsewhere || onward == Onward::Back && leaves {
                found.insert(block);
                work.push(block);
            }
            if onward == Onward::Back {
                passable.insert(block);
            }
        }
        while let Some(block) = work.pop() {
            for &edge in cfg.predecessors(block) {
                let source = cfg.source(edge);
                if passable.contains(source) && found.insert(source) {
                    work.push(source);
                }
            }
        }
        found
    }

    fn after(&self, program: &Program, body: &Body, call: Call, external: &impl Fn(FuncId) -> Onward) -> Onward {
        match &body.calls[call].callee {
            Callee::Direct(callee) => match program.functions[*callee].body {
                Some(_) if self.may(*callee) => Onward::Back,
                Some(_) => Onward::Never,
                None => external(*callee),
            },
            Callee::Intrinsic(Intrinsic::Trap, _) => Onward::Never,
            Callee::Intrinsic(..) | Callee::Indirect(_) | Callee::Unsupported(_) => Onward::Back,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn ends_jumps_and_recursion() {
        let program = parse(
            "function @stop()
             function @jump()
             function @fail() {
             bb0:
               call @stop()
               return
             }
             function @sometimes(i1) {
             bb0(r0: i1):
               branch r0, bb1, bb2
             bb1:
               call @fail()
               jump bb2
             bb2:
               return
             }
             function @away() {
             bb0:
               call @jump()
               unreachable
             }
             function @down(i1) {
             bb0(r0: i1):
               branch r0, bb1, bb2
             bb1:
               call @down(i1 r0)
               return
             bb2:
               call @away()
               return
             }
             function @for_ever() {
             bb0:
               call @sometimes(i1 1)
               jump bb0
             }
             function @bottomless() {
             bb0:
               call @bottomless()
               return
             }",
        )
        .unwrap();
        let id = |name: &str| program.function_named(name).unwrap();
        let external = |function| if function == id("stop") { Onward::Never } else { Onward::Elsewhere };
        let returns = Returns::new(&program, &CallGraph::new(&program), external);
        let may: Vec<&str> = ["fail", "sometimes", "away", "down", "for_ever", "bottomless"]
            .into_iter()
            .filter(|name| returns.may(id(name)))
            .collect();
        assert_eq!(may, ["sometimes", "away", "down"]);
        assert!(!returns.may_from(id("sometimes"), Block::from_u32(1)));
        assert!(returns.may_from(id("sometimes"), Block::from_u32(2)));
    }
}
