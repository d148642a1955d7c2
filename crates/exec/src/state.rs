//! The data of one path: call stack, memory, files. Copying a whole state is O(1); what two copies share is copied when one writes.

use std::rc::Rc;

use symcrete_expr::Value;
use symcrete_ir::{Block, FuncId, LocId};
use symcrete_memory::{AllocationId, Memory};

use crate::code::Registers;
use crate::image::Image;
use crate::jump::JumpPoints;
use crate::outcome::StackEntry;
use crate::posix::Posix;

#[derive(Clone)]
pub struct State {
    pub memory: Memory,
    pub posix: Posix,
    pub(crate) top: Rc<Frame>,
    /// Bytes that the frames would take on a machine's stack, roughly.
    pub(crate) stack_bytes: u64,
    pub(crate) next_activation: u64,
    pub(crate) jumps: JumpPoints,
    /// Instructions executed.
    pub steps: u64,
}

/// An activation of a function.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    pub function: FuncId,
    /// The operation to execute next in the function's code; during a call, the call itself.
    pub pc: u32,
    /// An instruction inside an operation, to be executed next by the general way; `pc` counts only without it.
    pub detour: Option<(Block, u32)>,
    pub registers: Registers,
    /// What to release at return, in order of allocation.
    pub stack_objects: Vec<AllocationId>,
    /// Where the variadic arguments stand in memory; 0 if there are none.
    pub variadic: u64,
    pub activation: u64,
    /// What the callers' frames take of the stack.
    pub stack_bytes: u64,
    /// Who called; `None` for the entry.
    pub caller: Option<Rc<Frame>>,
}

/// A long chain of callers is dropped one by one: recursion here would need as much stack as the program's own.
impl Drop for Frame {
    fn drop(&mut self) {
        let mut next = self.caller.take();
        while let Some(Ok(mut frame)) = next.map(Rc::try_unwrap) {
            next = frame.caller.take();
        }
    }
}

impl State {
    pub fn new(image: &Image, posix: Posix, entry: FuncId, args: Vec<Value>) -> State {
        let mut frame = Frame::default();
        frame.enter(image, entry);
        for (param, arg) in image.body(entry).blocks[Block::ENTRY].params.iter().zip(args) {
            frame.registers.set(*param, arg);
        }
        State {
            memory: image.initial_memory().clone(),
            posix,
            top: Rc::new(frame),
            stack_bytes: 0,
            next_activation: 1,
            jumps: JumpPoints::default(),
            steps: 0,
        }
    }

    pub(crate) fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.top), |frame| frame.caller.as_deref())
    }

    /// Where the path stands.
    pub fn loc(&self, image: &Image) -> LocId {
        self.top.loc(image)
    }

    /// The call stack, innermost function first; inlined functions have entries of their own.
    pub fn stack(&self, image: &Image) -> Vec<StackEntry> {
        let debug = &image.program.debug;
        let mut entries = Vec::new();
        for frame in self.frames() {
            let function = &image.program.functions[frame.function];
            let mut loc = frame.loc(image);
            while let Some(outer) = debug.locs[loc].inlined_at {
                entries.push(StackEntry {
                    function: debug.locs[loc].function.to_string(),
                    loc,
                    runtime: function.runtime,
                });
                loc = outer;
            }
            entries.push(StackEntry { function: function.source_name().to_owned(), loc, runtime: function.runtime });
        }
        entries
    }
}

impl Frame {
    /// Makes this fresh frame that of a function which is about to start; who calls it is for the caller to say.
    pub fn enter(&mut self, image: &Image, function: FuncId) {
        self.function = function;
        self.registers.reset(image.code(function), image.constants());
    }

    /// The same for a frame that has served this function before.
    pub fn reenter(&mut self, image: &Image) {
        self.pc = 0;
        self.detour = None;
        self.registers.restart(image.code(self.function), image.constants());
        self.stack_objects.clear();
        self.variadic = 0;
    }

    /// The block and the instruction on which the frame stands; past the last one for the terminator.
    pub fn position(&self, image: &Image) -> (Block, u32) {
        self.detour.unwrap_or_else(|| {
            let origin = image.code(self.function).origins[self.pc as usize];
            (origin.block, origin.last)
        })
    }

    pub fn loc(&self, image: &Image) -> LocId {
        let (block, at) = self.position(image);
        let block = &image.body(self.function).blocks[block];
        block.locs.get(at as usize).copied().unwrap_or(block.terminator_loc)
    }
}
