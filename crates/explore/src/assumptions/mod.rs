//! What following all paths takes for granted of the world, where none came to a target: that calls which may fail did not, that volatile variables
//! have the value that was written last, that no signal arrives. Static: what is found lies on some way to the target, by the graph of blocks and
//! calls, and may decide whether it is taken.

mod failing;
mod slices;
mod ways;

use cranelift_entity::EntityRef as _;
use symcrete_exec::Image;
use symcrete_exec::coverage::Mark;
use symcrete_exec::external::Deed;
use symcrete_ir::{
    Block, Body, Call, CallData, CallGraph, Callee, Constant, FuncId, Inst, Intrinsic, LocId, Terminator,
};

use crate::path::distance::Place;
use failing::{CHOOSE_LOCALES, Failing, MADE_UP, START_THREADS};
use ways::Ways;

/// Something that is taken for granted, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Assumption {
    pub loc: LocId,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// This function allocated what it was asked for.
    Allocates(String),
    /// This function did what it does in the engine.
    Succeeds(String),
    /// This function of the C library gave its answer of the engine, which is made up.
    MadeUp(String),
    /// A volatile variable had the value that was written last.
    Volatile,
    /// The same, for one that is copied as a whole.
    VolatileCopy,
    /// The handler that this function sets was not called.
    NoSignal(String),
    /// The thread that this function starts did not run.
    NoThread(String),
}

impl Kind {
    /// Whether the backward search takes it for granted, too. What calls give that may fail, and what is volatile, may be anything there.
    pub fn is_assumed_backward(&self) -> bool {
        matches!(self, Kind::NoSignal(_) | Kind::NoThread(_) | Kind::VolatileCopy)
    }
}

/// Functions that set signal handlers: the handler is their second argument, or behind it.
const SET_HANDLERS: [&str; 6] = ["signal", "bsd_signal", "sysv_signal", "__sysv_signal", "sigset", "sigaction"];
/// `SIG_DFL` and `SIG_IGN`.
const NO_HANDLERS: [u64; 2] = [0, 1];
/// Functions of which only the result matters to a program: what they print it cannot see.
const PRINTS: [&str; 26] = [
    "printf",
    "fprintf",
    "dprintf",
    "vprintf",
    "vfprintf",
    "vdprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "perror",
    "write",
    "fflush",
    "fclose",
    "close",
    "setvbuf",
    "setbuf",
    "warn",
    "warnx",
    "putchar_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "__printf_chk",
    "__fprintf_chk",
];
/// Functions that tell whether others failed.
const TELL_FAILURES: [&str; 4] = ["ferror", "ferror_unlocked", "__errno_location", "__error"];

/// What is taken for granted where nothing was found to come to these edges, in the order of the source.
pub fn of_target(image: &Image, graph: &CallGraph, start: FuncId, target: &[Mark]) -> Vec<Assumption> {
    let reachable = graph.reachable_from([start]);
    let ways = Ways::new(image, graph, target);
    let mut finder =
        Finder { image, graph, ways, failing: Failing::new(image, graph), found: Vec::new(), errors: Vec::new() };
    for (id, function) in image.program.functions.iter() {
        if let (Some(body), false, true) = (&function.body, function.runtime, reachable.contains(id)) {
            finder.function(id, body);
        }
    }
    finder.finish()
}

struct Finder<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    ways: Ways<'a>,
    failing: Failing<'a>,
    found: Vec<Assumption>,
    /// Places that ask whether a call failed: they matter if some call may.
    errors: Vec<Assumption>,
}

impl Finder<'_> {
    fn function(&mut self, function: FuncId, body: &Body) {
        for (block, data) in body.blocks.iter() {
            for (at, inst) in (0..).zip(&data.insts) {
                let place = Place { function, block, instruction: at };
                let loc = data.locs[at as usize];
                match inst {
                    Inst::Call { call } => self.call(place, body, *call, loc),
                    Inst::Load { dst, address, volatile: true, .. }
                        if !slices::is_own_slot(body, *address)
                            && slices::matters(self.image, body, &[*dst])
                            && self.ways.lead_on_from(place) =>
                    {
                        self.found.push(Assumption { loc, kind: Kind::Volatile });
                    }
                    _ => {}
                }
            }
            if let Terminator::Invoke { call, .. } = data.terminator {
                let place = Place { function, block, instruction: data.insts.len() as u32 };
                self.call(place, body, call, data.terminator_loc);
            }
        }
    }

    fn call(&mut self, place: Place, body: &Body, call: Call, loc: LocId) {
        let data = &body.calls[call];
        match data.callee {
            Callee::Direct(callee) => self.call_of(callee, place, body, data, loc),
            Callee::Indirect(_) => {
                let graph = self.graph;
                let candidates = graph.candidates(place.function, call);
                candidates.iter().for_each(|callee| self.call_of(*callee, place, body, data, loc));
            }
            // The length is followed by whether the accesses are volatile, in C those to a whole struct.
            Callee::Intrinsic(Intrinsic::MemoryCopy | Intrinsic::MemoryMove, _)
                if data.args.len() > 3 && self.ways.lead_on_from(place) =>
            {
                self.found.push(Assumption { loc, kind: Kind::VolatileCopy });
            }
            Callee::Intrinsic(..) | Callee::Unsupported(_) => {}
        }
    }

    fn call_of(&mut self, callee: FuncId, place: Place, body: &Body, data: &CallData, loc: LocId) {
        let called = &self.image.program.functions[callee];
        if called.body.is_some() && !called.runtime {
            return;
        }
        let name = &*called.name;
        let kind = if START_THREADS.contains(&name) {
            self.ways.lead_on_from(place).then(|| Kind::NoThread(name.to_owned()))
        } else if CHOOSE_LOCALES.contains(&name) {
            self.ways.lead_on_from(place).then(|| Kind::MadeUp(name.to_owned()))
        } else if SET_HANDLERS.contains(&name) {
            let is_wanted =
                self.sets_handler(data) && (self.ways.lead_on_from(place) || self.ways.lead_through_handlers());
            is_wanted.then(|| Kind::NoSignal(name.to_owned()))
        } else if TELL_FAILURES.contains(&name) {
            if slices::matters(self.image, body, &data.results) && self.ways.lead_on_from(place) {
                self.errors.push(Assumption { loc, kind: Kind::Succeeds(name.to_owned()) });
            }
            None
        } else {
            self.failing_call(place, body, data, callee)
        };
        self.found.extend(kind.map(|kind| Assumption { loc, kind }));
    }

    /// Whether a handler is set, as far as the call tells.
    fn sets_handler(&self, data: &CallData) -> bool {
        let constant = data.args.get(1).and_then(|handler| handler.as_const());
        let is_none = constant.is_some_and(|constant| {
            matches!(self.image.program.constants[constant], Constant::Word { bits, .. } if NO_HANDLERS.contains(&bits))
        });
        !is_none && !self.graph.address_taken().is_empty()
    }

    fn failing_call(&mut self, place: Place, body: &Body, data: &CallData, callee: FuncId) -> Option<Kind> {
        let name = self.image.program.functions[callee].source_name().to_owned();
        if MADE_UP.contains(&&*name) {
            let writes = data.args.iter().any(|argument| argument.as_reg().is_some());
            let matters = writes || slices::matters(self.image, body, &data.results);
            return (matters && self.ways.lead_on_from(place)).then_some(Kind::MadeUp(name));
        }
        let deeds = self.failing.deeds(callee);
        if deeds.contains(&Deed::AsksWorld) || deeds.contains(&Deed::ChangesWorld) {
            let prints = PRINTS.contains(&&*name);
            let writes = !prints && data.args.iter().any(|argument| argument.as_reg().is_some());
            let matters =
                writes && deeds.contains(&Deed::AsksWorld) || slices::matters(self.image, body, &data.results);
            return (matters && self.ways.lead_on_from(place)).then_some(Kind::Succeeds(name));
        }
        if deeds.contains(&Deed::MovesOn) {
            // What is read is an input, or named as taken for granted by whoever knows the inputs.
            return None;
        }
        if deeds.contains(&Deed::Prints) {
            let matters = slices::matters(self.image, body, &data.results);
            return (matters && self.ways.lead_on_from(place)).then_some(Kind::Succeeds(name));
        }
        let allocates = deeds.contains(&Deed::Allocates) && slices::matters(self.image, body, &data.results);
        (allocates && self.ways.lead_on_from(place) && self.ways.lead_on_from_null(place, &data.results))
            .then_some(Kind::Allocates(name))
    }

    fn finish(mut self) -> Vec<Assumption> {
        let may_fail = |found: &Assumption| matches!(found.kind, Kind::Allocates(_) | Kind::Succeeds(_));
        if self.found.iter().any(may_fail) || self.failing.some_do() {
            self.found.append(&mut self.errors);
        }
        self.found.sort_by_key(|found| (found.loc.index(), found.kind.clone()));
        self.found.dedup();
        self.found
    }
}

/// The block that an edge leads to.
fn block_of(image: &Image, mark: &Mark) -> Option<(FuncId, Block)> {
    let Mark::Taken(function, edge) = mark else { return None };
    Some((*function, image.program.functions[*function].body.as_ref()?.edges[*edge].target))
}
