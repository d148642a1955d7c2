//! What became of a path, as plain data that can leave its thread.

pub mod partition;
pub mod passage;
pub mod summary;

use std::rc::Rc;

use symcrete_exec::diagnose::Origin;
use symcrete_exec::external::lazy::Given;
use symcrete_exec::inputs::{InputKind, variables};
use symcrete_exec::{Ended, Executor, StackEntry, State};
use symcrete_expr::Model;
use symcrete_expr::dag::Evaluator;
use symcrete_memory::{Cell, Kind, Site};

/// What is said of a path that was running when the search was stopped.
pub const STOPPED: &str = "still running when the search was stopped";

#[derive(Clone, Debug)]
pub struct PathReport {
    pub ended: Ended,
    /// Where it ended, innermost function first.
    pub stack: Vec<StackEntry>,
    pub inputs: Vec<GivenInput>,
    /// The variables of the program that are inputs, the parameters of the function under test, and what pointers among them point to.
    pub parameters: Vec<GivenMemory>,
    pub objects: Vec<GivenMemory>,
    /// What the program was told when it asked whether a value is symbolic, or for the size of a variable.
    pub answers: Vec<u64>,
    /// How to rebuild it; empty for a concrete run.
    pub decisions: Vec<u8>,
    /// It executed something in the program itself that no path had executed before.
    pub covers_new: bool,
    /// Targets of the search that no test came to before.
    pub reaches: Vec<usize>,
    pub steps: u64,
    /// From a concrete run: its path may be reported again by the symbolic search.
    pub concrete: bool,
    /// Whether it is told only because it might do something new, though all others are.
    pub is_extra: bool,
    pub found_by: Finder,
    /// A call that changes files outside of the program's directory, if there is one on the path: its name, and the file.
    pub changes_outside: Option<(&'static str, Vec<u8>)>,
    /// A call that changes any file.
    pub changes_files: Option<(&'static str, Vec<u8>)>,
    pub provenance: Provenance,
}

/// The first call of a path that changes files outside of where the program began.
pub fn changes_outside(state: &State) -> Option<(&'static str, Vec<u8>)> {
    state.posix.outside_change().map(|change| (change.call, change.path.clone()))
}

/// The first call of a path that changes any file, or reaches other processes.
pub fn changes_files(state: &State) -> Option<(&'static str, Vec<u8>)> {
    state.posix.any_change().map(|change| (change.call, change.path.clone()))
}

/// Where the heap memory came from that a fault is about: the call stacks of its allocation and of its release, innermost function first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    pub allocated: Vec<StackEntry>,
    pub freed: Vec<StackEntry>,
}

/// Who finds tests.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Finder {
    /// Concrete runs on values that often matter.
    #[default]
    Burst,
    Climb,
    Backward,
    Forward,
    /// A path forward came to where the backward search knew the rest of the way.
    Meeting,
}

impl Finder {
    pub fn name(self) -> &'static str {
        match self {
            Finder::Burst => "concrete runs",
            Finder::Climb => "climbing",
            Finder::Backward => "backward search",
            Finder::Forward => "forward search",
            Finder::Meeting => "forward and backward search, which met",
        }
    }
}

/// An input with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GivenInput {
    pub name: String,
    pub kind: InputKind,
    pub ty: Option<String>,
    pub bytes: Vec<u8>,
}

/// Memory with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GivenMemory {
    /// 0 for a parameter.
    pub address: u64,
    pub name: String,
    pub ty: String,
    pub bytes: Vec<u8>,
    /// Where there are pointers in it.
    pub pointers: Vec<u32>,
    /// A variable of the program.
    pub global: bool,
}

/// The inputs of a path do something else when they are executed concretely: a mistake of ours.
#[derive(Clone, Debug)]
pub struct Mismatch {
    pub claimed: Ended,
    /// `None`: the run did not come to an end.
    pub concrete: Option<Ended>,
    pub inputs: Vec<GivenInput>,
}

/// The program used bits that nobody wrote.
#[derive(Clone, Debug)]
pub struct Uninitialised {
    pub stack: Vec<StackEntry>,
    pub origin: Option<Origin>,
}

/// Where a path ended; for memory that was never freed, where that was allocated.
pub fn stack(executor: &Executor, state: &State, ended: &Ended) -> Vec<StackEntry> {
    match ended {
        Ended::Leaked { site, .. } => stack_of(executor, *site),
        _ => state.stack(&executor.image),
    }
}

/// Where the memory came from that an ending is about.
pub fn provenance(executor: &Executor, ended: &Ended) -> Provenance {
    let Ended::Memory(fault) = ended else { return Provenance::default() };
    let Some((info, _)) = fault.allocation.as_ref().filter(|(info, _)| info.kind == Kind::Heap) else {
        return Provenance::default();
    };
    let freed = info.freed_at.map(|site| stack_of(executor, site)).unwrap_or_default();
    Provenance { allocated: stack_of(executor, info.allocated_at), freed }
}

/// The call stack of an allocation or a release on the heap.
pub fn stack_of(executor: &Executor, site: Site) -> Vec<StackEntry> {
    let functions = &executor.image.program.functions;
    let entry = |(function, loc): &(symcrete_ir::FuncId, symcrete_ir::LocId)| StackEntry {
        function: functions[*function].source_name().to_owned(),
        loc: *loc,
        runtime: functions[*function].runtime,
        panics: false,
    };
    executor.traces.stack(site).iter().map(entry).collect()
}

/// The inputs of a state under a model; those of a concrete run as they were.
pub fn inputs(executor: &mut Executor, state: &State, model: &Rc<Model>) -> Vec<GivenInput> {
    let mut evaluator = Evaluator::new(model.clone());
    let mut list = Vec::new();
    for input in state.inputs.list() {
        let bytes = match &input.content {
            Some(content) => content.to_vec(),
            None => {
                let variables = variables(&mut executor.arena, input);
                let bits = variables.iter().map(|(_, variable)| evaluator.value(&executor.arena, *variable));
                bits.flat_map(|bits| bits.to_le_bytes()).collect()
            }
        };
        list.push(GivenInput {
            name: input.name.to_string(),
            kind: input.kind,
            ty: input.ty.as_ref().map(|ty| ty.to_string()),
            bytes,
        });
    }
    list
}

/// The parameters of the function under test, and the objects, under a model.
pub fn memory(executor: &mut Executor, state: &State, model: &Rc<Model>) -> (Vec<GivenMemory>, Vec<GivenMemory>) {
    let mut evaluator = Evaluator::new(model.clone());
    let mut given = |address: u64, given: &Given| {
        let byte = |cell: &Cell| match *cell {
            Cell::Byte { bits, .. } => bits,
            Cell::Part { expr, index } => {
                let byte = executor.byte_of(expr, index);
                evaluator.word(&executor.arena, byte) as u8
            }
        };
        GivenMemory {
            address,
            name: given.name.to_string(),
            ty: given.ty.to_string(),
            bytes: given.cells.iter().map(byte).collect(),
            pointers: given.pointers.to_vec(),
            global: given.global,
        }
    };
    let parameters = state.lazy.parameters.iter().map(|parameter| given(0, parameter)).collect();
    let mut objects = Vec::new();
    for (address, object) in state.lazy.iter() {
        objects.push(match object.given() {
            Some(contents) => given(address, contents),
            None => GivenMemory {
                address,
                name: format!("*{}", object.name),
                ty: String::new(),
                bytes: vec![0; object.bytes() as usize],
                pointers: Vec::new(),
                global: false,
            },
        });
    }
    (parameters, objects)
}
