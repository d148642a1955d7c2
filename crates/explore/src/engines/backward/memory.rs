//! Memory as a goal sees it: names for what it contains at places, each in an object that is known or wherever an expression points.
//! A write either gives a name its meaning, or leaves it alone, or does one of both under a condition: guarded reads and writes.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{Body, CallData, FuncId, GlobalId, Inst, Intrinsic, Operand, OperandKind, Reg, Type};

use super::goal::Goal;
use super::prover::Prover;
use super::shape::{Location, Root, Shapes, Write};

/// What an address is in.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Object {
    Global(GlobalId),
    /// Memory of a frame, by the register that holds its address.
    Local {
        activation: u32,
        function: FuncId,
        register: Reg,
    },
    Unknown,
}

/// What memory contains somewhere, by a name.
#[derive(Clone)]
pub struct Read {
    pub object: Object,
    /// From the beginning of the object; the address, if nobody knows the object.
    pub offset: Expr,
    pub bytes: u64,
    pub name: Expr,
}

/// How a write and a read are related.
enum Relation {
    /// The read is of something else.
    Apart,
    /// The read is of what is written, from this byte on.
    Within(u64),
    /// Addresses decide.
    Guarded,
    Unclear,
}

/// Elements of a constant table one of which is read.
const MOST_ELEMENTS: u64 = 64;

/// Reads that one write of an unknown place may be one of; of more, nothing is known any more.
const MOST_GUARDED: usize = 8;

impl Shapes<'_> {
    /// Whether what an instruction of this activation may write is what is read.
    pub fn touches(&self, read: &Read, write: &Write, activation: u32, constant: Option<u64>) -> bool {
        let by_pointer = match read.object {
            Object::Global(global) => self.escapes.globals.contains(&global),
            Object::Local { function, register, .. } => self.escapes.locals.contains(&(function, register)),
            Object::Unknown => true,
        };
        let (location, bytes) = match write {
            Write::Anywhere => return by_pointer,
            Write::Runtime => return read.object == Object::Unknown,
            Write::Global(global) => (Location { root: Root::Global(*global), offset: None }, 0),
            Write::At(location, bytes) => (*location, *bytes),
        };
        let is_same = match (location.root, read.object) {
            (Root::Pointer(_), _) => return by_pointer,
            (Root::Global(global), Object::Unknown) => return self.escapes.globals.contains(&global),
            (Root::Local(register), Object::Unknown) => {
                return self.escapes.locals.iter().any(|(_, other)| *other == register);
            }
            (Root::Global(global), Object::Global(other)) => global == other,
            (Root::Local(register), Object::Local { activation: of, register: other, .. }) => {
                register == other && of == activation
            }
            (Root::Global(_), Object::Local { .. }) | (Root::Local(_), Object::Global(_)) => false,
        };
        let apart = location.offset.zip(constant).is_some_and(|(begin, at)| {
            let at = at as i64;
            let ends_before = begin.checked_add_unsigned(bytes).is_some_and(|end| end <= at);
            let begins_after = at.checked_add_unsigned(read.bytes).is_some_and(|end| end <= begin);
            ends_before || begins_after
        });
        is_same && !apart
    }
}

impl Prover<'_> {
    fn pointer_width(&self) -> u32 {
        u32::from(self.shapes.image.pointer_bits())
    }

    fn word(&mut self, bits: i64) -> Expr {
        let width = self.pointer_width();
        self.arena.word(width, symcrete_expr::word::truncate(width, bits as u64))
    }

    /// Where an address of the innermost frame points: the object, and the offset in it.
    fn place(&mut self, goal: &mut Goal, address: Operand) -> (Object, Expr) {
        self.place_of(goal, address, None)
    }

    /// The same for an address that may have a value already.
    pub fn place_of(&mut self, goal: &mut Goal, address: Operand, value: Option<Expr>) -> (Object, Expr) {
        let function = goal.function();
        let pointer = Type::int(self.shapes.image.pointer_bits());
        let whole = |prover: &mut Self, goal: &mut Goal| {
            goal.reads_moved |= value.is_some();
            value.unwrap_or_else(|| prover.operand(goal, address, pointer))
        };
        let Some(location) = self.shapes.location(function, address) else {
            return (Object::Unknown, whole(self, goal));
        };
        let object = match location.root {
            Root::Global(global) => Object::Global(global),
            Root::Local(register) => Object::Local { activation: goal.activation(), function, register },
            Root::Pointer(_) => return (Object::Unknown, whole(self, goal)),
        };
        if let Some(offset) = location.offset {
            return (object, self.word(offset));
        }
        let whole = whole(self, goal);
        match self.base(goal, object) {
            Some(base) => (object, self.arena.binary(Op::Sub, whole, base)),
            None => (Object::Unknown, whole),
        }
    }

    /// The address of an object; `None` if its frame is gone.
    fn base(&mut self, goal: &mut Goal, object: Object) -> Option<Expr> {
        let width = self.pointer_width();
        match object {
            Object::Global(global) => {
                let address = self.shapes.image.global_address(global);
                Some(self.arena.word(width, address))
            }
            Object::Local { activation, register, .. } => {
                let frame = goal.frames.iter_mut().find(|frame| frame.activation == activation)?;
                let (names, arena) = (&mut self.names, &mut self.arena);
                Some(*frame.names.entry(register).or_insert_with(|| names.fresh(arena, width)))
            }
            Object::Unknown => Some(self.arena.word(width, 0)),
        }
    }

    fn address_of(&mut self, goal: &mut Goal, object: Object, offset: Expr) -> Option<Expr> {
        let base = self.base(goal, object)?;
        Some(self.arena.binary(Op::Add, base, offset))
    }

    /// Reads whose addresses became those of objects.
    pub fn find_objects(&mut self, goal: &mut Goal) {
        if !std::mem::take(&mut goal.reads_moved) {
            return;
        }
        let mut reads = std::mem::take(&mut goal.reads);
        for read in reads.iter_mut().filter(|read| read.object == Object::Unknown) {
            if let Some(address) = self.arena.as_word(read.offset) {
                if let Some((global, offset)) = self.shapes.global_at(address) {
                    (read.object, read.offset) = (Object::Global(global), self.word(offset as i64));
                }
                continue;
            }
            let (base, offset) = self.split(read.offset);
            for frame in &goal.frames {
                let named = frame.names.iter().find(|(_, name)| **name == base);
                let Some((register, _)) = named.filter(|(register, _)| self.is_local(frame.function, **register))
                else {
                    continue;
                };
                read.object =
                    Object::Local { activation: frame.activation, function: frame.function, register: *register };
                read.offset = self.word(offset);
                break;
            }
        }
        // Names of the same place are the same.
        let mut meanings = FxHashMap::default();
        let mut kept: Vec<Read> = Vec::with_capacity(reads.len());
        for read in reads {
            let is_same =
                |known: &&Read| (known.object, known.offset, known.bytes) == (read.object, read.offset, read.bytes);
            match kept.iter().find(is_same) {
                Some(known) if known.name != read.name => {
                    meanings.insert(read.name, known.name);
                }
                Some(_) => {}
                None => match self.constant(read.object, read.offset, read.bytes) {
                    Some(value) => {
                        meanings.insert(read.name, value);
                    }
                    None => kept.push(read),
                },
            }
        }
        goal.reads = kept;
        goal.substitute(&mut self.arena, &meanings);
    }

    fn is_local(&mut self, function: FuncId, register: Reg) -> bool {
        let shape = self.shapes.shape(function);
        let Some((block, Some(at))) = shape.definitions[register] else { return false };
        matches!(self.shapes.body(function).blocks[block].insts.get(at as usize), Some(Inst::Alloca { .. }))
    }

    /// An address as a base and a constant.
    pub fn split(&self, address: Expr) -> (Expr, i64) {
        let node = self.arena.node(address);
        if node.op == Op::Add {
            let (a, b) = (node.first(), node.second());
            for (base, constant) in [(a, b), (b, a)] {
                if let Some(bits) = self.arena.as_word(constant) {
                    return (base, symcrete_expr::word::sign_extend(self.pointer_width(), bits));
                }
            }
        }
        (address, 0)
    }

    /// What memory contains where an access goes, by the name that it has or a new one, or as it is if it never changes; `None` if that hangs
    /// on more than memory.
    pub fn read(
        &mut self,
        goal: &mut Goal,
        ty: Type,
        (object, offset): (Object, Expr),
    ) -> Option<(Option<Read>, Expr)> {
        let pointer_bits = self.shapes.image.pointer_bits();
        let bytes = u64::from(ty.store_bytes(pointer_bits));
        let width = u32::from(ty.bits(pointer_bits));
        let all = u32::try_from(bytes * 8).ok()?;
        if width > all {
            return None;
        }
        let constant = self.constant(object, offset, bytes);
        let is_same = |read: &&Read| (read.object, read.offset, read.bytes) == (object, offset, bytes);
        let read = match goal.reads.iter().find(is_same) {
            Some(known) => known.clone(),
            None => Read { object, offset, bytes, name: self.names.fresh(&mut self.arena, all) },
        };
        let whole = constant.unwrap_or(read.name);
        let value = if width < all { self.arena.extract(whole, 0, width) } else { whole };
        Some((Some(read).filter(|_| constant.is_none()), value))
    }

    /// A value that came from memory: what memory contained there gets a name.
    pub fn load(&mut self, goal: &mut Goal, name: Expr, ty: Type, address: Operand, volatile: bool) {
        if volatile {
            return;
        }
        let place = self.place(goal, address);
        let Some((read, value)) = self.read(goal, ty, place) else { return };
        goal.remember(read);
        goal.substitute(&mut self.arena, &[(name, value)].into_iter().collect());
    }

    pub fn store(&mut self, goal: &mut Goal, ty: Type, address: Operand, value: Operand) {
        if goal.reads.is_empty() {
            return;
        }
        let (object, offset) = self.place(goal, address);
        let bytes = u64::from(ty.store_bytes(self.shapes.image.pointer_bits()));
        let reads = std::mem::take(&mut goal.reads);
        let mut meanings = FxHashMap::default();
        let mut guarded = 0;
        let mut kept = Vec::with_capacity(reads.len());
        for read in reads {
            match self.relation(&read, object, offset, bytes) {
                Relation::Apart => kept.push(read),
                Relation::Unclear => goal.has_forgotten = true,
                Relation::Within(at) => {
                    let stored = self.stored(goal, value, ty, bytes);
                    let part = self.arena.extract(stored, (at * 8) as u32, (read.bytes * 8) as u32);
                    meanings.insert(read.name, part);
                }
                Relation::Guarded => {
                    guarded += 1;
                    if guarded > MOST_GUARDED || read.bytes != bytes {
                        goal.has_forgotten = true;
                        continue;
                    }
                    let addresses =
                        (self.address_of(goal, read.object, read.offset), self.address_of(goal, object, offset));
                    let (Some(of_read), Some(of_write)) = addresses else {
                        goal.has_forgotten = true;
                        continue;
                    };
                    let stored = self.stored(goal, value, ty, bytes);
                    let before = Read { name: self.names.fresh(&mut self.arena, (bytes * 8) as u32), ..read };
                    let meaning = self.guarded(of_read, of_write, bytes, stored, before.name);
                    meanings.insert(read.name, meaning);
                    kept.push(before);
                }
            }
        }
        goal.reads = kept;
        goal.substitute(&mut self.arena, &meanings);
    }

    /// What is read after a write of as many bytes: what was written, if the addresses are the same; what was there, if they are apart; else
    /// nobody says.
    fn guarded(&mut self, of_read: Expr, of_write: Expr, bytes: u64, stored: Expr, before: Expr) -> Expr {
        let is_same = self.arena.compare(Op::Equal, of_read, of_write);
        let mixed = self.names.fresh(&mut self.arena, (bytes * 8) as u32);
        let size = self.word(bytes as i64);
        let (up, down) = (self.arena.binary(Op::Sub, of_read, of_write), self.arena.binary(Op::Sub, of_write, of_read));
        let (above, below) = (
            self.arena.compare(Op::UnsignedLessEqual, size, up),
            self.arena.compare(Op::UnsignedLessEqual, size, down),
        );
        let apart = self.arena.binary(Op::And, above, below);
        let otherwise = self.arena.ite(apart, before, mixed);
        self.arena.ite(is_same, stored, otherwise)
    }

    fn stored(&mut self, goal: &mut Goal, value: Operand, ty: Type, bytes: u64) -> Expr {
        let stored = self.operand(goal, value, ty);
        match (bytes * 8) as u32 {
            all if self.arena.width(stored) < all => self.arena.zero_extend(stored, all),
            _ => stored,
        }
    }

    fn relation(&self, read: &Read, object: Object, offset: Expr, bytes: u64) -> Relation {
        let escapes = |shapes: &Shapes, object: Object| match object {
            Object::Global(global) => shapes.escapes.globals.contains(&global),
            Object::Local { function, register, .. } => shapes.escapes.locals.contains(&(function, register)),
            Object::Unknown => true,
        };
        if read.object != object {
            let pointers = read.object == Object::Unknown || object == Object::Unknown;
            let may_meet = pointers && escapes(&self.shapes, read.object) && escapes(&self.shapes, object);
            return if may_meet { Relation::Guarded } else { Relation::Apart };
        }
        if object == Object::Unknown {
            let ((one, at), (other, begin)) = (self.split(read.offset), self.split(offset));
            if one == other {
                return distance(at.wrapping_sub(begin), read.bytes, bytes);
            }
            return Relation::Guarded;
        }
        match (self.arena.as_word(read.offset), self.arena.as_word(offset)) {
            (Some(at), Some(begin)) => distance((at as i64).wrapping_sub(begin as i64), read.bytes, bytes),
            _ if read.offset == offset && read.bytes == bytes => Relation::Within(0),
            _ => Relation::Guarded,
        }
    }

    /// A block of memory is copied or set; whether that is followed.
    pub fn block_operation(&mut self, goal: &mut Goal, intrinsic: Intrinsic, data: &CallData) -> bool {
        let constant = |prover: &Prover, operand: Operand| match operand.kind() {
            OperandKind::Const(constant) => match prover.shapes.image.constant(constant) {
                Value::Word(bits) => Some(*bits),
                _ => None,
            },
            OperandKind::Reg(_) => None,
        };
        let [to, what, length, ..] = data.args[..] else { return false };
        let Some(length) = constant(self, length) else { return false };
        let (object, offset) = self.place(goal, to);
        let byte = match intrinsic {
            Intrinsic::MemorySet => match constant(self, what) {
                Some(byte) => Some(byte & 0xFF),
                None => return false,
            },
            _ => None,
        };
        let reads = std::mem::take(&mut goal.reads);
        let mut meanings = FxHashMap::default();
        let mut kept = Vec::with_capacity(reads.len());
        for mut read in reads {
            match (self.relation(&read, object, offset, length), byte) {
                (Relation::Apart, _) => kept.push(read),
                (Relation::Unclear | Relation::Guarded, _) => goal.has_forgotten = true,
                (Relation::Within(_), Some(byte)) => {
                    let mut value = self.arena.word(8, byte);
                    for _ in 1..read.bytes {
                        let more = self.arena.word(8, byte);
                        value = self.arena.concat(more, value);
                    }
                    meanings.insert(read.name, value);
                }
                (Relation::Within(at), None) => {
                    let (object, begin) = self.place(goal, what);
                    let at = self.word(at as i64);
                    (read.object, read.offset) = (object, self.arena.binary(Op::Add, begin, at));
                    kept.push(read);
                }
            }
        }
        goal.reads = kept;
        goal.reads_moved = true;
        goal.substitute(&mut self.arena, &meanings);
        true
    }

    pub fn alloca(&mut self, goal: &mut Goal, register: Reg) {
        let activation = goal.activation();
        let is_of = |read: &Read| matches!(read.object, Object::Local { activation: of, register: other, .. } if of == activation && other == register);
        goal.reads.retain(|read| !is_of(read));
        if let Some(name) = goal.top().names.remove(&register) {
            let zero = self.arena.word(self.arena.width(name), 0);
            let is_null = self.arena.compare(Op::Equal, name, zero);
            let is_something = self.arena.not(is_null);
            goal.require(is_something);
        }
    }

    /// Whether one of these writes may be of what is read.
    pub fn is_touched(&self, goal: &Goal, read: &Read, writes: &[Write]) -> bool {
        let activation = goal.activation();
        let constant = self.arena.as_word(read.offset);
        writes.iter().any(|write| self.shapes.touches(read, write, activation, constant))
    }

    /// Nothing is known of what these writes touch.
    pub fn forget(&mut self, goal: &mut Goal, writes: &[Write]) {
        let mut reads = std::mem::take(&mut goal.reads);
        let before = reads.len();
        reads.retain(|read| !self.is_touched(goal, read, writes));
        goal.has_forgotten |= reads.len() < before;
        goal.reads = reads;
    }

    /// Variables have their initial values; whether that says something of them.
    pub fn begin(&mut self, goal: &mut Goal) -> bool {
        let mut meanings = FxHashMap::default();
        for read in goal.reads.clone() {
            let (Object::Global(global), Some(offset)) = (read.object, self.arena.as_word(read.offset)) else {
                continue;
            };
            if let Some(value) = self.initial(global, offset as i64, read.bytes) {
                meanings.insert(read.name, value);
            }
        }
        goal.substitute(&mut self.arena, &meanings);
        !meanings.is_empty()
    }

    /// What a variable contains at first, as an expression.
    fn initial(&mut self, global: GlobalId, offset: i64, bytes: u64) -> Option<Expr> {
        let program = self.shapes.program();
        let initialiser = program.globals[global].initialiser.as_ref()?;
        let (begin, count) = (usize::try_from(offset).ok()?, usize::try_from(bytes).ok()?);
        let end = begin.checked_add(count)?;
        let mut contents: Vec<u8> = (begin..end).map(|at| initialiser.bytes.get(at).copied().unwrap_or(0)).collect();
        let pointer_bits = self.shapes.image.pointer_bits();
        for relocation in &initialiser.relocations {
            let size = program.constants[relocation.constant].ty().store_bytes(pointer_bits) as usize;
            let first = usize::try_from(relocation.offset).ok()?;
            if first >= end || first.saturating_add(size) <= begin {
                continue;
            }
            let Value::Word(word) = self.shapes.image.constant(relocation.constant) else { return None };
            for (at, byte) in word.to_le_bytes().into_iter().take(size).enumerate() {
                if (begin..end).contains(&(first + at)) {
                    contents[first + at - begin] = byte;
                }
            }
        }
        let mut value = self.arena.word(8, u64::from(*contents.first()?));
        for byte in &contents[1..] {
            let byte = self.arena.word(8, u64::from(*byte));
            value = self.arena.concat(byte, value);
        }
        Some(value)
    }

    /// What is in a variable that nobody can write; `None` if it may be one of too many things.
    fn constant(&mut self, object: Object, offset: Expr, bytes: u64) -> Option<Expr> {
        let Object::Global(global) = object else { return None };
        let data = &self.shapes.program().globals[global];
        if !data.read_only {
            return None;
        }
        if let Some(offset) = self.arena.as_word(offset) {
            return self.initial(global, offset as i64, bytes);
        }
        let last = data.size.checked_sub(bytes)?;
        // Offsets end in as many zeros as the facts say.
        let step = 1u64 << self.arena.facts(offset).zeros.trailing_ones().min(3);
        if last / step >= MOST_ELEMENTS {
            return None;
        }
        // Outside of it there is nothing to read.
        let mut value = self.names.fresh(&mut self.arena, u32::try_from(bytes * 8).ok()?);
        for at in (0..=last).step_by(step as usize) {
            let element = self.initial(global, at as i64, bytes)?;
            let here = self.word(at as i64);
            let is_here = self.arena.compare(Op::Equal, offset, here);
            value = self.arena.ite(is_here, element, value);
        }
        Some(value)
    }

    /// What the blocks of a function may write.
    pub fn writes_in(&mut self, function: FuncId, body: &Body, blocks: &[symcrete_ir::Block]) -> Vec<Write> {
        let mut writes = Vec::new();
        for block in blocks {
            let data = &body.blocks[*block];
            for inst in &data.insts {
                writes.extend(self.shapes.writes(function, inst));
            }
            if let symcrete_ir::Terminator::Invoke { call, .. } = data.terminator {
                writes.extend(self.shapes.call_writes(function, call));
            }
        }
        writes
    }
}

/// A read that begins so many bytes after a write.
fn distance(at: i64, bytes: u64, written: u64) -> Relation {
    let (bytes, written) = (bytes as i64, written as i64);
    if at >= written || at.saturating_add(bytes) <= 0 {
        Relation::Apart
    } else if at >= 0 && at + bytes <= written {
        Relation::Within(at as u64)
    } else {
        Relation::Unclear
    }
}
