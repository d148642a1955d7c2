//! The registers of one frame: words, and beside them the few values that are none.

use rustc_hash::FxHashMap;
use symcrete_expr::Value;
use symcrete_ir::Reg;

use super::{Code, Slot};

#[derive(Clone, Default)]
pub struct Registers {
    pub words: Vec<u64>,
    /// `None` as long as every register holds a word.
    pub specials: Option<Box<Specials>>,
    first_register: Slot,
}

/// Values that are not words, by slot.
#[derive(Clone, Default)]
pub struct Specials {
    /// One bit for each slot: whether it stands here.
    bits: Vec<u64>,
    values: FxHashMap<Slot, Value>,
}

impl Specials {
    #[inline(always)]
    pub fn has(&self, slot: Slot) -> bool {
        self.bits.get(slot as usize / 64).is_some_and(|bits| bits >> (slot % 64) & 1 != 0)
    }

    pub fn get(&self, slot: Slot) -> Option<&Value> {
        if self.has(slot) { self.values.get(&slot) } else { None }
    }

    fn insert(&mut self, slot: Slot, value: Value) {
        let at = slot as usize / 64;
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (slot % 64);
        self.values.insert(slot, value);
    }

    fn remove(&mut self, slot: Slot) {
        if self.has(slot) {
            self.bits[slot as usize / 64] &= !(1 << (slot % 64));
            self.values.remove(&slot);
        }
    }
}

impl Registers {
    /// Makes these the registers at the entry of a function.
    pub fn reset(&mut self, code: &Code, constants: &[Value]) {
        self.words.clear();
        self.words.extend_from_slice(&code.template);
        self.first_register = code.first_register;
        self.restart(code, constants);
    }

    /// The same for registers that have served this function before. The constants are still there, and what else is in the
    /// words nobody reads: every register is written before it is read.
    pub fn restart(&mut self, code: &Code, constants: &[Value]) {
        self.specials = None;
        for (slot, constant) in &code.special_constants {
            self.set_slot(*slot, constants[cranelift_entity::EntityRef::index(*constant)].clone());
        }
    }

    pub fn first_register(&self) -> Slot {
        self.first_register
    }

    pub fn get(&self, register: Reg) -> Value {
        self.slot(self.first_register + register.as_u32())
    }

    pub fn set(&mut self, register: Reg, value: Value) {
        self.set_slot(self.first_register + register.as_u32(), value);
    }

    pub fn slot(&self, slot: Slot) -> Value {
        match self.specials.as_ref().and_then(|specials| specials.get(slot)) {
            Some(value) => value.clone(),
            None => Value::Word(self.words[slot as usize]),
        }
    }

    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        match value {
            Value::Word(bits) => {
                self.words[slot as usize] = bits;
                if let Some(specials) = &mut self.specials {
                    specials.remove(slot);
                    if specials.values.is_empty() {
                        self.specials = None;
                    }
                }
            }
            other => self.specials.get_or_insert_default().insert(slot, other),
        }
    }

    /// A copy from slot to slot, whatever stands there.
    pub fn copy(&mut self, to: Slot, from: Slot) {
        let value = self.slot(from);
        self.set_slot(to, value);
    }

    /// Every expression that a register holds.
    pub fn exprs(&self) -> impl Iterator<Item = symcrete_expr::Expr> + '_ {
        self.specials.iter().flat_map(|specials| specials.values.values()).filter_map(Value::as_expr)
    }

    /// Bytes that the registers take beside themselves, roughly.
    pub fn bytes(&self) -> usize {
        let specials = self.specials.as_ref();
        self.words.capacity() * 8
            + specials.map_or(0, |specials| {
                size_of::<Specials>() + specials.bits.capacity() * 8 + specials.values.capacity() * 32
            })
    }

    /// All words, for whoever looks for pointers.
    pub fn all_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().copied()
    }
}
