//! What a call may read and write: a static analysis of a function, in the memory of the state in which the call is made.
//!
//! The function is interpreted abstractly (`walk.rs`), over all of its paths at once. The result is a bound that holds for each of them: the kill set and
//! the may-write set as cells with what is known of their values, the locations that may be read before they are overwritten, and what the
//! call does to the world outside. Section 4.2 of the paper on lazy expansion executes callees again to preserve side effects; here effects
//! become fresh values, which needs this bound.
//!
//! Nothing is executed. The state gives addresses and contents of memory before the call.
#![forbid(unsafe_code)]

mod contents;
mod guards;
mod held;
mod order;
mod outside;
mod printing;
mod store;
mod walk;

use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_exec::external::Deed;
use symcrete_exec::{Image, State};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::returns::Onward;
use symcrete_ir::{CallGraph, FuncId, Returns};

use held::{Held, Null, Object};
use store::{Premise, Written, before, of_expression};
pub use walk::Deeds;
use walk::{AllGuards, Walk};

/// What is known of a value that a call leaves.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    Plain,
    Constant(u64),
    /// It is an address in the object that begins here, so far from its beginning if that is known, or null if it may be.
    Pointer {
        object: u64,
        at: Option<i64>,
        null: bool,
    },
    /// A number: these of its bits are as in the value.
    Number {
        value: u64,
        known: u64,
    },
}

/// Bytes that a call may change: one value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub address: u64,
    pub bytes: u32,
    pub form: Form,
    /// Whether every call that returns has written it.
    pub is_always: bool,
}

/// More bytes than that in a cell are an array.
const MOST_IN_VALUE: u32 = 8;

impl Cell {
    pub fn is_array(&self) -> bool {
        self.bytes > MOST_IN_VALUE
    }
}

/// What a call may do.
#[derive(Debug)]
pub struct Effects {
    /// What it may change, each byte once, by rising addresses.
    pub cells: Vec<Cell>,
    /// What it gives.
    pub results: Vec<Form>,
    /// What it may read of what can be written: address and bytes. `None` if that has no bound.
    pub reads: Option<Vec<(u64, u64)>>,
    pub deeds: Deeds,
}

impl Effects {
    /// Whether all that a call does is in its results and in the memory that it changes.
    pub fn is_contained(&self) -> bool {
        self.deeds.is_contained()
    }
}

/// What was found for a call, and holds for all that find the same before them.
struct Found {
    arguments: Vec<Held>,
    premises: Vec<Premise>,
    /// Address and size.
    objects: Vec<(u64, u64)>,
    effects: Option<Rc<Effects>>,
}

/// What was found for the calls of a function.
#[derive(Default)]
struct OfFunction {
    found: Vec<Found>,
    /// How often nothing could be said because there was too much to go through.
    exhausted: u32,
}

pub struct AllEffects {
    graph: Rc<CallGraph>,
    returns: Rc<Returns>,
    functions: FxHashMap<FuncId, OfFunction>,
    guards: AllGuards,
}

/// Calls of a function that are remembered: a cursor may be anywhere in a text.
const MOST_FOUND: usize = 512;
/// Functions are not gone through again that were too much so often.
const MOST_EXHAUSTED: u32 = 3;

/// Objects that are written somewhere become bytes up to this size, and arrays beyond.
const MOST_BYTES: u64 = 256;
/// Larger ones are not made fresh.
const MOST_IN_ARRAY: u64 = 1 << 16;
/// More cells than that are not made fresh.
const MOST_CELLS: usize = 4096;

impl AllEffects {
    pub fn new(graph: Rc<CallGraph>, returns: Rc<Returns>) -> AllEffects {
        AllEffects { graph, returns, functions: FxHashMap::default(), guards: AllGuards::default() }
    }

    /// What a call may do that is made in this state with these arguments, `None` for those of which nothing is known. `None` if there is no
    /// bound.
    pub fn of_call(
        &mut self,
        image: &Image,
        arena: &Arena,
        state: &State,
        function: FuncId,
        arguments: &[Option<Expr>],
    ) -> Option<Rc<Effects>> {
        let held = |argument: &Option<Expr>| argument.map_or(Held::Any, |expr| of_expression(state, arena, expr));
        let arguments: Vec<Held> = arguments.iter().map(held).collect();
        let known = self.functions.entry(function).or_default();
        // The latest first.
        if let Some(at) = known.found.iter().rposition(|found| found.holds(state, arena, &arguments)) {
            let last = known.found.len() - 1;
            known.found.swap(at, last);
            return known.found[last].effects.clone();
        }
        if known.exhausted >= MOST_EXHAUSTED {
            return None;
        }
        let mut walk = Walk::new(image, (&self.graph, &self.returns), state, arena, &mut self.guards);
        let found = Found::look(&mut walk, state, function, arguments);
        known.exhausted += u32::from(found.is_none());
        let found = found?;
        let effects = found.effects.clone();
        if known.found.len() >= MOST_FOUND {
            known.found.remove(0);
        }
        known.found.push(found);
        effects
    }
}

impl Found {
    /// Goes through a function. `None` if there was too much.
    fn look(walk: &mut Walk, state: &State, function: FuncId, arguments: Vec<Held>) -> Option<Found> {
        let results = walk.run(function, arguments.clone());
        if walk.is_exhausted() {
            return None;
        }
        let effects = if walk.is_hopeless() { None } else { effects(walk, state, &results) };
        let store = &walk.store;
        let premise = |(&(address, bytes), held): (&(u64, u32), &Held)| Premise { address, bytes, held: held.clone() };
        let premises = store.premises.borrow().iter().map(premise).collect();
        let written = store.written.keys().filter_map(|object| match object {
            Object::Before(base) => Some(*base),
            _ => None,
        });
        let mut objects: Vec<(u64, u64)> = written
            .chain(store.read.keys().copied())
            .filter_map(|base| Some((base, state.memory.info(state.memory.resolve(base)?.0)?.size)))
            .collect();
        objects.sort_unstable();
        objects.dedup();
        Some(Found { arguments, premises, objects, effects: effects.map(Rc::new) })
    }

    /// Whether a call finds before it what this one found.
    fn holds(&self, state: &State, arena: &Arena, arguments: &[Held]) -> bool {
        let is_there = |(base, size): &(u64, u64)| {
            let info = state.memory.resolve(*base).and_then(|(id, _)| state.memory.info(id));
            info.is_some_and(|info| info.base == *base && info.size == *size)
        };
        self.arguments == arguments
            && self.objects.iter().all(is_there)
            && self.premises.iter().all(|premise| before(state, arena, premise.address, premise.bytes) == premise.held)
    }
}

/// What a function does that was gone through. `None` if it is too much.
fn effects(walk: &mut Walk, state: &State, results: &[Held]) -> Option<Effects> {
    let written: Vec<(u64, Written)> = walk
        .store
        .written
        .iter()
        .filter_map(|(object, written)| match object {
            Object::Before(base) => Some((*base, written.clone())),
            _ => None,
        })
        .collect();
    let always = walk.settle();
    let mut cells = Vec::new();
    for (base, written) in written {
        let size = state.memory.info(state.memory.resolve(base)?.0)?.size;
        cells_of(walk, base, size, &written, &mut cells)?;
    }
    cells.sort_unstable_by_key(|cell| cell.address);
    for cell in &mut cells {
        let end = cell.address + u64::from(cell.bytes);
        cell.is_always = always.iter().any(|(at, bytes)| *at <= cell.address && end <= at + u64::from(*bytes));
    }
    if cells.len() > MOST_CELLS {
        return None;
    }
    let form = |held: &Held| form(held);
    let results = results.iter().map(form).collect();
    let reads_of = |(base, parts): (&u64, &Option<Vec<(i64, u32)>>)| -> Vec<(u64, u64)> {
        match parts {
            Some(parts) => parts.iter().map(|(at, bytes)| (base.wrapping_add_signed(*at), u64::from(*bytes))).collect(),
            None => {
                let info = state.memory.resolve(*base).and_then(|(id, _)| state.memory.info(id));
                info.map(|info| (info.base, info.size)).into_iter().collect()
            }
        }
    };
    let mut ranges: Vec<(u64, u64)> = walk.store.read.iter().flat_map(reads_of).collect();
    ranges.sort_unstable();
    let reads = (!walk.store.reads_anywhere).then_some(ranges);
    Some(Effects { cells, results, reads, deeds: walk.deeds })
}

fn form(held: &Held) -> Form {
    match held {
        Held::Pointers { places, null } => match places[..] {
            [(Object::Before(object) | Object::Constant(object), at)] => match null {
                Null::Never => Form::Pointer { object, at: at.exact(), null: false },
                Null::Itself => Form::Pointer { object, at: at.exact(), null: true },
                // As far from its beginning as numbers go, so that what is near null is among them.
                Null::Near => Form::Pointer { object, at: None, null: false },
            },
            _ => Form::Plain,
        },
        Held::Word(word) => Form::Constant(*word),
        Held::Number(number) => Form::Number { value: number.value, known: number.known },
        _ => Form::Plain,
    }
}

/// The bytes of an object that may be changed, as values.
fn cells_of(walk: &mut Walk, base: u64, size: u64, written: &Written, cells: &mut Vec<Cell>) -> Option<()> {
    let cell = |address: u64, bytes: u32, form: Form| Cell { address, bytes, form, is_always: false };
    let plain = |address: u64, bytes: u32| cell(address, bytes, Form::Plain);
    // Parts that are written somewhere are made bytes, or an array.
    let mut parts: Vec<(i64, i64)> = written.parts.iter().map(|part| (part.begin, part.end)).collect();
    parts.sort_unstable();
    for &(begin, end) in &parts {
        if (end - begin) as u64 > MOST_IN_ARRAY || end as u64 > size {
            return None;
        }
        let address = base.wrapping_add_signed(begin);
        match (end - begin) as u64 <= MOST_BYTES {
            true => cells.extend((0..(end - begin) as u64).map(|at| plain(address + at, 1))),
            false => cells.push(plain(address, (end - begin) as u32)),
        }
    }
    let in_part = |at: i64| parts.iter().any(|(begin, end)| *begin <= at && at < *end);
    let list: Vec<(i64, u32)> = written.cells.keys().copied().collect();
    let mut done = 0i64;
    for (number, &(at, bytes)) in list.iter().enumerate() {
        let end = at + i64::from(bytes);
        let next = list.get(number + 1).map_or(i64::MAX, |next| next.0);
        let address = base.wrapping_add_signed(at);
        let is_apart = at >= done && end <= next && !(at..end).any(in_part);
        if is_apart && matches!(bytes, 1 | 2 | 4 | 8) {
            let at_end = walk.at_end((Object::Before(base), at, bytes));
            let held = at_end.unwrap_or_else(|| walk.store.load(&Held::Word(address), bytes));
            // That it is as before holds only where the same was before.
            let before = walk.store.premise_of((Object::Before(base), at, bytes));
            let is_same = matches!(held, Held::Word(_)) && before == held;
            if !is_same {
                // What nobody wrote before may be left so.
                let is_defined = before != Held::Nothing;
                cells.push(cell(address, bytes, if is_defined { form(&held) } else { Form::Plain }));
            }
        } else {
            let bytes = (at.max(done)..end).filter(|at| !in_part(*at));
            cells.extend(bytes.map(|at| plain(base.wrapping_add_signed(at), 1)));
        }
        done = done.max(end);
    }
    Some(())
}

/// The object in which an address is, if that is one.
pub fn object_of(state: &State, arena: &Arena, address: Expr) -> Option<u64> {
    match form(&of_expression(state, arena, address)) {
        Form::Pointer { object, .. } => Some(object),
        Form::Plain | Form::Constant(_) | Form::Number { .. } => None,
    }
}

/// Gives a cell a value. Whether that is possible.
pub fn write(arena: &Arena, state: &mut State, cell: &Cell, value: Expr) -> bool {
    let memory = &mut state.memory;
    let word = if cell.is_array() { None } else { arena.as_word(value) };
    let written = match word {
        Some(bits) => memory.write_word(cell.address, cell.bytes, bits),
        None => memory.write_expr(cell.address, value, cell.bytes),
    };
    written.is_ok()
}

/// From where functions come back.
pub fn returns(image: &Image, graph: &CallGraph) -> Returns {
    Returns::new(&image.program, graph, |function| match image.deed(function) {
        Some(Deed::Ends) => Onward::Never,
        // What is assumed decides whether there is a path at all.
        Some(Deed::Jumps | Deed::Nothing) | None => Onward::Elsewhere,
        Some(_) => Onward::Back,
    })
}

/// Functions that ask the world or give inputs themselves.
pub fn outside(image: &Image) -> EntitySet<FuncId> {
    let mut found = EntitySet::new();
    for (function, _) in image.program.functions.iter() {
        let deed = image.deed(function);
        if matches!(deed, Some(Deed::AsksWorld | Deed::MovesOn | Deed::ChangesWorld | Deed::GivesInputs)) {
            found.insert(function);
        }
    }
    found
}
