//! Memory as a function may leave it that is gone through for its effects: what was there before, and beside that all that may have been
//! written, whenever that was.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use symcrete_exec::{Image, State};
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr};
use symcrete_memory::Cell;

use super::contents::Spot;
use super::held::{Growth, Held, Null, Object, Place, Resolve, Span, Stops};

/// What was written into an object.
#[derive(Clone, Default)]
pub struct Written {
    /// At an offset, so many bytes.
    pub cells: BTreeMap<(i64, u32), Held>,
    /// Somewhere in a part, each byte of the object in at most one of them.
    pub parts: Vec<Part>,
}

/// A part of an object that something is written into, nobody knows where.
#[derive(Clone)]
pub struct Part {
    /// Its first byte, and the one behind its last.
    pub begin: i64,
    pub end: i64,
    /// How many bytes at a time, if always as many and in steps of as many, and what.
    bytes: u32,
    held: Held,
}

impl Part {
    /// What a write of so many bytes somewhere touches, of an object of so many bytes if that is known.
    fn of(span: Span, bytes: u32, size: Option<u64>, held: &Held) -> Part {
        let most = size.map_or(i64::MAX, |size| size as i64);
        let (begin, end) = (span.low.max(0), span.high.saturating_add(i64::from(bytes)).min(most));
        match span.is_in_steps_of(bytes) {
            true => Part { begin, end, bytes, held: held.clone() },
            false => Part { begin, end, bytes: 0, held: Held::Any },
        }
    }

    /// What so many bytes in it hold if they were written there.
    fn held_at(&self, at: Span, bytes: u32) -> &Held {
        if self.bytes == bytes && at.is_in_steps_of(bytes) { &self.held } else { &Held::Any }
    }

    fn overlaps(&self, begin: i64, end: i64) -> bool {
        self.begin < end && begin < self.end
    }
}

/// Something of what was there before decided what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    pub address: u64,
    pub bytes: u32,
    pub held: Held,
}

pub struct Store<'a> {
    state: &'a State,
    arena: &'a Arena,
    pub written: FxHashMap<Object, Written>,
    /// What objects contain that the function makes, where nobody wrote.
    made: Vec<Held>,
    /// Objects that were there, and whether all of them or which of their bytes may be read.
    pub read: BTreeMap<u64, Option<Vec<(i64, u32)>>>,
    pub premises: RefCell<FxHashMap<(u64, u32), Held>>,
    /// Something was read, or written, of which nobody knows where it is.
    pub reads_anywhere: bool,
    pub writes_anywhere: bool,
    pub changed: bool,
    /// What was written since somebody looked: from which byte of an object on, and the one behind the last.
    pub touched: Vec<(Object, i64, i64)>,
    /// Where numbers and addresses stop that grow in memory.
    pub numbers: Vec<u64>,
    pub distances: Vec<i64>,
}

/// More bytes than that are not looked through for pointers.
const MOST_BYTES: u64 = 1 << 16;
/// No object has more bytes.
pub const MOST_IN_OBJECT: u64 = 1 << 47;

/// In which object of a state an address is. One behind its end is in it too.
pub fn resolve(state: &State, address: u64) -> Option<Place> {
    if symcrete_exec::is_function_address(address) {
        return Some((Object::Function(address), Span::exactly(0)));
    }
    let base = |at: u64| state.memory.info(state.memory.resolve(at)?.0);
    let info = base(address).or_else(|| {
        let before = base(address.checked_sub(1)?)?;
        (before.base + before.size == address).then_some(before)
    })?;
    if Image::is_in_text(&info, address) {
        return Some((Object::Function(address), Span::exactly(0)));
    }
    let object = if info.read_only { Object::Constant(info.base) } else { Object::Before(info.base) };
    Some((object, Span::exactly(address.wrapping_sub(info.base) as i64)))
}

/// What bytes hold that were there before.
pub fn before(state: &State, arena: &Arena, address: u64, bytes: u32) -> Held {
    let mut cells: Vec<Cell> = Vec::with_capacity(bytes as usize);
    if bytes > 8 || state.memory.read_cells(address, u64::from(bytes), &mut cells).is_err() {
        return if bytes > 8 { Held::Any } else { Held::Nothing };
    }
    let mut word = 0u64;
    let mut undefined = 0;
    for (at, cell) in cells.iter().enumerate() {
        match cell {
            Cell::Byte { bits, undefined: 0 } => word |= u64::from(*bits) << (8 * at),
            Cell::Byte { .. } => undefined += 1,
            Cell::Part { expr, index } if at == 0 && is_run(&cells, *expr, *index) => {
                return match *index {
                    0 if arena.width(*expr) == bytes * 8 => of_expression(state, arena, *expr),
                    _ => of_part(arena, *expr, *index, bytes),
                };
            }
            Cell::Part { .. } => return Held::Any,
        }
    }
    match undefined {
        0 => Held::Word(word),
        _ if undefined == bytes => Held::Nothing,
        _ => Held::Any,
    }
}

/// Whether cells are the bytes of an expression from one of them on.
fn is_run(cells: &[Cell], whole: Expr, first: u32) -> bool {
    let is_next = |(at, cell): (usize, &Cell)| *cell == Cell::Part { expr: whole, index: first + at as u32 };
    cells.iter().enumerate().all(is_next)
}

/// Bytes of an expression: a number with what is known of its bits.
fn of_part(arena: &Arena, whole: Expr, index: u32, bytes: u32) -> Held {
    if arena.is_array(whole) || arena.width(whole) > 64 {
        return Held::Any;
    }
    let facts = arena.facts(whole);
    let mask = u64::MAX >> (64 - 8 * bytes);
    let part = |bits: u64| bits >> (8 * index) & mask;
    Held::number(part(facts.ones), part(facts.ones | facts.zeros) | !mask)
}

/// What an expression may be: addresses in the objects to which something is added in it, or a number with what is known of its bits.
pub fn of_expression(state: &State, arena: &Arena, expr: Expr) -> Held {
    Expressions { state, arena, known: FxHashMap::default() }.held(expr, MOST_DEPTH)
}

/// Sums and choices that are looked into one inside the other.
const MOST_DEPTH: u32 = 64;

/// What expressions may be, each looked at once.
struct Expressions<'a> {
    state: &'a State,
    arena: &'a Arena,
    known: FxHashMap<Expr, Held>,
}

impl Expressions<'_> {
    fn held(&mut self, expr: Expr, depth: u32) -> Held {
        if self.arena.is_array(expr) || self.arena.width(expr) > 64 || depth == 0 {
            return Held::Any;
        }
        if let Some(word) = self.arena.as_word(expr) {
            return Held::Word(word);
        }
        let node = self.arena.node(expr);
        if !matches!(node.op, Op::Add | Op::Ite) {
            let facts = self.arena.facts(expr);
            let beyond = !(u64::MAX >> (64 - self.arena.width(expr)));
            return Held::number(facts.ones, facts.ones | facts.zeros | beyond);
        }
        if let Some(held) = self.known.get(&expr) {
            return held.clone();
        }
        let held = match node.op {
            Op::Ite => {
                let mut either = self.held(node.second(), depth - 1);
                let other = self.held(node.third(), depth - 1);
                either.join(&other, Growth::Near, &|address| resolve(self.state, address));
                either
            }
            _ => self.sum(node.first(), node.second(), depth - 1),
        };
        self.known.insert(expr, held.clone());
        held
    }

    /// A sum is in the objects in which an address is that something is added to.
    fn sum(&mut self, left: Expr, right: Expr, depth: u32) -> Held {
        let mut sum = Held::Nothing;
        for (side, other) in [(left, right), (right, left)] {
            let side = self.held(side, depth);
            let resolve = |address: u64| resolve(self.state, address);
            let is_address = match &side {
                Held::Word(word) => resolve(*word).is_some(),
                Held::Pointers { .. } => true,
                _ => false,
            };
            if is_address {
                let other = self.held(other, depth);
                sum.join(&side.moved(other.distance(64), &resolve), Growth::Near, &resolve);
            }
        }
        if sum == Held::Nothing { Held::Any } else { sum }
    }
}

impl<'a> Store<'a> {
    pub fn new(state: &'a State, arena: &'a Arena) -> Store<'a> {
        Store {
            state,
            arena,
            written: FxHashMap::default(),
            made: Vec::new(),
            read: BTreeMap::new(),
            premises: RefCell::default(),
            reads_anywhere: false,
            writes_anywhere: false,
            changed: false,
            touched: Vec::new(),
            numbers: Vec::new(),
            distances: Vec::new(),
        }
    }

    pub fn resolve(&self, address: u64) -> Option<Place> {
        resolve(self.state, address)
    }

    /// A new object that contains this where nobody wrote.
    pub fn make(&mut self, contents: Held) -> Object {
        self.made.push(contents);
        Object::Made(self.made.len() as u32 - 1)
    }

    /// Adds to what is known of something that may depend on itself.
    pub fn join(&self, into: &mut Held, other: &Held) -> bool {
        self.grow(into, other, Growth::Far(self.stops()))
    }

    pub fn grow(&self, into: &mut Held, other: &Held, growth: Growth) -> bool {
        into.join(other, growth, &|address| self.resolve(address))
    }

    fn info(&self, base: u64) -> Option<symcrete_memory::AllocationInfo> {
        self.state.memory.info(self.state.memory.resolve(base)?.0)
    }

    /// What bytes held before.
    pub fn before(&self, address: u64, bytes: u32) -> Held {
        before(self.state, self.arena, address, bytes)
    }

    /// What a load gives. Whether that counts as read is for the caller to say: it may have been written before.
    pub fn load(&mut self, address: &Held, bytes: u32) -> Held {
        let Some(places) = address.places(&|address| self.resolve(address)) else { return Held::Any };
        let mut held = Held::Nothing;
        for (object, at) in places {
            let more = match at.exact() {
                Some(at) => self.load_at(object, at, bytes),
                None => self.load_somewhere(object, at, bytes),
            };
            self.grow(&mut held, &more, Growth::Near);
        }
        held
    }

    fn load_at(&mut self, object: Object, at: i64, bytes: u32) -> Held {
        let mut held = match object {
            Object::Made(number) => self.made[number as usize].clone(),
            // What stands in the text, only the machine knows.
            Object::Constants | Object::Function(_) => return Held::Any,
            Object::Constant(base) => return self.before(base.wrapping_add_signed(at), bytes),
            Object::Before(base) => {
                let Some(info) = self.info(base) else { return Held::Nothing };
                if at < 0 || at as u64 + u64::from(bytes) > info.size {
                    return Held::Nothing;
                }
                self.premise(base.wrapping_add_signed(at), bytes)
            }
        };
        let Some(written) = self.written.get(&object) else { return held };
        let end = at.saturating_add(i64::from(bytes));
        for part in written.parts.iter().filter(|part| part.overlaps(at, end)) {
            self.grow(&mut held, part.held_at(Span::exactly(at), bytes), Growth::Near);
        }
        for ((from, size), cell) in written.cells.range(..(end, 0)) {
            if from + i64::from(*size) > at {
                let is_same = *from == at && *size == bytes;
                self.grow(&mut held, if is_same { cell } else { &Held::Any }, Growth::Near);
            }
        }
        held
    }

    /// What bytes held before, which decides what is known.
    fn premise(&self, address: u64, bytes: u32) -> Held {
        let held = self.before(address, bytes);
        self.premises.borrow_mut().insert((address, bytes), held.clone());
        held
    }

    /// What a place held before, which decides what is known.
    pub fn premise_of(&self, (object, at, bytes): Spot) -> Held {
        match object {
            Object::Before(base) => self.premise(base.wrapping_add_signed(at), bytes),
            Object::Constant(_) | Object::Constants | Object::Function(_) | Object::Made(_) => Held::Any,
        }
    }

    fn load_somewhere(&mut self, object: Object, span: Span, bytes: u32) -> Held {
        let mut held = match object {
            Object::Made(number) => self.made[number as usize].clone(),
            Object::Constants | Object::Function(_) => return Held::Any,
            Object::Before(base) | Object::Constant(base) => {
                let Some(info) = self.info(base) else { return Held::Nothing };
                if bytes != 8 || !span.is_in_steps_of(8) || info.size > MOST_BYTES {
                    return Held::Any;
                }
                let part = Part::of(span, bytes, Some(info.size), &Held::Nothing);
                let mut all = Held::Nothing;
                for at in (part.begin / 8 * 8..part.end - 7).step_by(8) {
                    let address = base.wrapping_add_signed(at);
                    let held = if info.read_only { self.before(address, 8) } else { self.premise(address, 8) };
                    self.grow(&mut all, &held, Growth::Near);
                    if all == Held::Any {
                        break;
                    }
                }
                all
            }
        };
        let Some(written) = self.written.get(&object) else { return held };
        let Part { begin, end, .. } = Part::of(span, bytes, None, &Held::Nothing);
        let is_touched = |at: i64, size: u32| at < end && begin < at + i64::from(size);
        let cells = written.cells.iter().filter(|((at, size), _)| is_touched(*at, *size));
        let is_whole =
            |at: i64, size: u32| size == bytes && span.is_in_steps_of(bytes) && Span::exactly(at).is_in_steps_of(bytes);
        let cells = cells.map(|((at, size), cell)| if is_whole(*at, *size) { cell } else { &Held::Any });
        let parts = written.parts.iter().filter(|part| part.overlaps(begin, end));
        for more in cells.chain(parts.map(|part| part.held_at(span, bytes))) {
            self.grow(&mut held, more, Growth::Near);
        }
        held
    }

    /// What was there before is read.
    pub fn note_read(&mut self, address: &Held, bytes: u32) {
        let Some(places) = address.places(&|address| self.resolve(address)) else {
            self.reads_anywhere = true;
            return;
        };
        for (object, at) in places {
            let (Object::Before(base), Some(info)) = (object, self.info_of(object)) else { continue };
            if at.exact().is_some_and(|at| at < 0 || at as u64 + u64::from(bytes) > info.size) {
                continue;
            }
            let Part { begin, end, .. } = Part::of(at, bytes, Some(info.size), &Held::Nothing);
            if begin == 0 && end as u64 == info.size {
                self.read.insert(base, None);
                continue;
            }
            let parts = self.read.entry(base).or_insert_with(|| Some(Vec::new()));
            if let (Some(parts), Ok(bytes)) = (parts, u32::try_from(end - begin))
                && !parts.contains(&(begin, bytes))
            {
                parts.push((begin, bytes));
            }
        }
    }

    fn info_of(&self, object: Object) -> Option<symcrete_memory::AllocationInfo> {
        match object {
            Object::Before(base) => self.info(base),
            _ => None,
        }
    }

    /// The one place to which an address leads, in what was there before, if it has so many bytes.
    pub fn only_place(&self, address: &Held, bytes: u64) -> Option<u64> {
        if matches!(address, Held::Pointers { null, .. } if *null != Null::Never) {
            return None;
        }
        let places = address.places(&|address| self.resolve(address))?;
        let [(Object::Before(base), at)] = places[..] else { return None };
        let (at, size) = (at.exact()?, self.info(base)?.size);
        (at >= 0 && at as u64 + bytes <= size).then(|| base + at as u64)
    }

    pub fn stops(&self) -> Stops<'_> {
        Stops { numbers: &self.numbers, distances: &self.distances }
    }

    /// Numbers that others are compared with.
    pub fn add_numbers(&mut self, numbers: &[u64]) {
        self.numbers.extend(numbers);
        self.numbers.sort_unstable();
        self.numbers.dedup();
    }

    /// An address that others are compared with.
    pub fn add_distance(&mut self, address: &Held) {
        let place = match address {
            Held::Word(word) => self.resolve(*word),
            Held::Pointers { places, .. } if places.len() == 1 => places.first().copied(),
            _ => None,
        };
        let Some(at) = place.and_then(|(_, span)| span.exact()) else { return };
        for stop in [at.saturating_sub(1), at, at.saturating_add(1)] {
            if let Err(position) = self.distances.binary_search(&stop) {
                self.distances.insert(position, stop);
            }
        }
    }

    pub fn store(&mut self, address: &Held, bytes: u32, held: &Held) {
        let Some(places) = address.places(&|address| self.resolve(address)) else {
            self.writes_anywhere = true;
            return;
        };
        for (object, at) in places {
            self.store_at((object, at), bytes, held);
        }
    }

    fn store_at(&mut self, (object, at): Place, bytes: u32, held: &Held) {
        let size = match object {
            Object::Before(base) => {
                let Some(info) = self.info(base) else { return };
                if at.exact().is_some_and(|at| at < 0 || at as u64 + u64::from(bytes) > info.size) {
                    return;
                }
                Some(info.size)
            }
            Object::Constant(_) | Object::Constants | Object::Function(_) => return,
            Object::Made(_) => None,
        };
        let state = self.state;
        let resolve = |address: u64| resolve(state, address);
        let growth = Growth::Far(Stops { numbers: &self.numbers, distances: &self.distances });
        let written = self.written.entry(object).or_default();
        let Part { begin, end, .. } = Part::of(at, bytes, size, &Held::Nothing);
        self.touched.push((object, begin, end));
        let is_new = match at.exact() {
            Some(at) => {
                let is_first = !written.cells.contains_key(&(at, bytes));
                written.cells.entry((at, bytes)).or_default().join(held, growth, &resolve) | is_first
            }
            None => {
                let part = Part::of(at, bytes, size, held);
                part.begin < part.end && add_part(&mut written.parts, part, growth, &resolve)
            }
        };
        self.changed |= is_new;
    }

    /// All of what addresses lead to is written, with anything; so many bytes of it at the most, if that is known.
    pub fn overwrite(&mut self, address: &Held, most: Option<u64>) {
        let Some(places) = address.places(&|address| self.resolve(address)) else {
            self.writes_anywhere = true;
            return;
        };
        for (object, at) in places {
            match most.and_then(|most| i64::try_from(most).ok()) {
                Some(0) => {}
                Some(most) => {
                    let all = Span::between(0, most - 1);
                    self.store_at((object, at.moved(all)), 1, &Held::Any);
                }
                None => self.store_at((object, Span::ANYWHERE), 0, &Held::Any),
            }
        }
    }

    /// All of what addresses lead to is read.
    pub fn read_all(&mut self, address: &Held) {
        match address.places(&|address| self.resolve(address)) {
            Some(places) => {
                for (object, _) in places {
                    if let Object::Before(base) = object {
                        self.read.insert(base, None);
                    }
                }
            }
            None => self.reads_anywhere = true,
        }
    }

    /// Copies bytes; word by word, if it is known how many, from where and to where.
    pub fn copy(&mut self, to: &Held, from: &Held, bytes: &Held) {
        let is_exact = |held: &Held| match held.places(&|address| self.resolve(address)) {
            Some(places) => places.iter().all(|(_, at)| at.exact().is_some()),
            None => false,
        };
        match *bytes {
            Held::Word(bytes) if bytes <= 512 && is_exact(to) && is_exact(from) => {
                for at in (0..bytes / 8 * 8).step_by(8) {
                    let resolve = |address: u64| self.resolve(address);
                    let (source, target) =
                        (from.moved(Span::exactly(at as i64), &resolve), to.moved(Span::exactly(at as i64), &resolve));
                    self.note_read(&source, 8);
                    let held = self.load(&source, 8);
                    self.store(&target, 8, &held);
                }
                for at in bytes / 8 * 8..bytes {
                    let resolve = |address: u64| self.resolve(address);
                    let (source, target) =
                        (from.moved(Span::exactly(at as i64), &resolve), to.moved(Span::exactly(at as i64), &resolve));
                    self.note_read(&source, 1);
                    let held = self.load(&source, 1);
                    self.store(&target, 1, &held);
                }
            }
            _ => {
                self.read_all(from);
                self.overwrite(to, Some(bytes.bounds(64).1.min(MOST_IN_OBJECT)));
            }
        }
    }
}

/// Adds a part to those of an object: parts that touch each other become one. Whether that is new.
fn add_part(parts: &mut Vec<Part>, part: Part, growth: Growth, resolve: Resolve) -> bool {
    let is_inside = |known: &&mut Part| known.begin <= part.begin && part.end <= known.end;
    if let Some(known) = parts.iter_mut().find(is_inside) {
        if known.bytes == part.bytes {
            return known.held.join(&part.held, growth, resolve);
        }
        let is_new = known.bytes != 0 || known.held != Held::Any;
        (known.bytes, known.held) = (0, Held::Any);
        return is_new;
    }
    let mut whole = part;
    parts.retain(|known| {
        let is_apart = known.end < whole.begin || whole.end < known.begin;
        if !is_apart {
            (whole.begin, whole.end) = (whole.begin.min(known.begin), whole.end.max(known.end));
            match known.bytes == whole.bytes {
                true => _ = whole.held.join(&known.held, growth, resolve),
                false => (whole.bytes, whole.held) = (0, Held::Any),
            }
        }
        is_apart
    });
    parts.push(whole);
    true
}
