//! The data of one path: call stack, memory, files. Copying a whole state is O(1); what two copies share is copied when one writes.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{Block, FuncId, LocId};
use symcrete_memory::{AllocationId, Memory};

use crate::code::Registers;
use crate::elastic::Sizes;
use crate::external::exceptions::is_panic;
use crate::external::lazy::LazyObjects;
use crate::image::Image;
use crate::inputs::Inputs;
use crate::jump::JumpPoints;
use crate::opaque::NativeResults;
use crate::outcome::{Fact, StackEntry};
use crate::posix::Posix;

/// What has been visited of a number of states that share most of what they consist of. Serves one purpose only, and only as long as
/// the states do not change.
#[derive(Default)]
pub struct Seen<'a> {
    memory: symcrete_memory::Seen<'a>,
    frames: FxHashSet<usize>,
}

/// Facts about one instruction.
pub(crate) type Known = SmallVec<[Fact; 1]>;

#[derive(Clone)]
pub struct State {
    pub memory: Memory,
    pub posix: Posix,
    pub(crate) top: Rc<Frame>,
    /// Bytes that the frames would take on a machine's stack, roughly.
    pub(crate) stack_bytes: u64,
    pub(crate) next_activation: u64,
    pub(crate) jumps: JumpPoints,
    /// What the instruction that is executed again may rely on; empty otherwise.
    pub(crate) known: Known,
    /// What the program was given, in the order in which it asked.
    pub inputs: Inputs,
    /// The objects that pointers among them point to.
    pub lazy: LazyObjects,
    /// The sizes of allocations that depend on inputs.
    pub sizes: Sizes,
    /// Conditions that the program would like to see in tests of this path, the most important first.
    pub preferred: Rc<Vec<Expr>>,
    /// What native calls of functions that are not pure gave.
    pub native: NativeResults,
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
            known: Known::new(),
            inputs: Inputs::default(),
            lazy: LazyObjects::default(),
            sizes: Sizes::default(),
            preferred: Rc::default(),
            native: NativeResults::default(),
            steps: 0,
        }
    }

    pub(crate) fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.top), |frame| frame.caller.as_deref())
    }

    /// Calls `visit` with every expression that the state refers to, except for what was visited before by way of `seen`.
    pub fn visit_exprs<'a>(&'a self, seen: &mut Seen<'a>, visit: &mut impl FnMut(Expr)) {
        self.memory.visit_exprs(&mut seen.memory, visit);
        let mut next = Some(&self.top);
        while let Some(frame) = next {
            // A frame that was seen has callers that were seen.
            if Rc::strong_count(frame) > 1 && !seen.frames.insert(Rc::as_ptr(frame).cast::<()>() as usize) {
                break;
            }
            frame.registers.exprs().for_each(&mut *visit);
            next = frame.caller.as_ref();
        }
        self.posix.visit_exprs(visit);
        for fact in &self.known {
            match fact {
                Fact::Holds(expr) | Fact::Within { address: expr, .. } => visit(*expr),
                Fact::Otherwise | Fact::Concretise | Fact::NotPure | Fact::Argument { .. } | Fact::Native(_) => {}
            }
        }
        for (_, object) in self.lazy.iter() {
            object.given().into_iter().for_each(|given| given.visit_exprs(visit));
        }
        self.lazy.parameters.iter().for_each(|given| given.visit_exprs(visit));
        self.preferred.iter().copied().for_each(&mut *visit);
        self.sizes.exprs().for_each(visit);
    }

    /// Bytes of memory behind the state that were not counted before by way of `seen`, roughly.
    pub fn footprint<'a>(&'a self, seen: &mut Seen<'a>) -> usize {
        let mut bytes = size_of::<State>() + self.memory.footprint(&mut seen.memory);
        let mut next = Some(&self.top);
        while let Some(frame) = next {
            if Rc::strong_count(frame) > 1 && !seen.frames.insert(Rc::as_ptr(frame).cast::<()>() as usize) {
                break;
            }
            bytes += size_of::<Frame>() + 16 + frame.registers.bytes() + frame.stack_objects.capacity() * 4;
            next = frame.caller.as_ref();
        }
        bytes
    }

    /// Where the path stands: function, block and instruction of each frame, the innermost first.
    pub fn places<'a>(&'a self, image: &'a Image) -> impl Iterator<Item = (FuncId, Block, u32)> + 'a {
        self.frames().map(|frame| {
            let (block, instruction) = frame.position(image);
            (frame.function, block, instruction)
        })
    }

    /// The same of the frames inside of an activation.
    pub fn places_within<'a>(
        &'a self,
        image: &'a Image,
        activation: u64,
    ) -> impl Iterator<Item = (FuncId, Block, u32)> + 'a {
        let within = self.frames().take_while(move |frame| frame.activation != activation).count();
        self.places(image).take(within)
    }

    /// How many functions are active.
    pub fn depth(&self) -> usize {
        self.frames().count()
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
                    panics: false,
                });
                loc = outer;
            }
            entries.push(StackEntry {
                function: function.source_name().to_owned(),
                loc,
                runtime: function.runtime,
                panics: is_panic(&function.name),
            });
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
