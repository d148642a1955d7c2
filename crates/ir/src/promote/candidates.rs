//! Finds the allocas that can become registers. How they do is in `placement` and `rename`.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

use crate::inst::CastOp;
use crate::{Block, Body, Constant, Inst, Operand, Program, Reg, Type};

/// A variable that moves from memory to registers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Slot(u32);
entity_impl!(Slot, "slot");

pub(super) struct SlotData {
    address: Reg,
    /// The bytes of its alloca.
    bytes: u64,
    /// The type of its first access; accesses at other types are casts.
    ty: Option<Type>,
}

pub(super) struct Slots {
    slots: PrimaryMap<Slot, SlotData>,
    of_register: Vec<PackedOption<Slot>>,
    pointer_bits: u16,
}

pub(super) fn find(program: &Program, body: &Body) -> Slots {
    let mut slots = Slots {
        slots: PrimaryMap::new(),
        of_register: vec![None.into(); body.registers.len()],
        pointer_bits: program.layout.pointer_bits,
    };
    for inst in &body.blocks[Block::ENTRY].insts {
        if let Inst::Alloca { dst, count, element_bytes, .. } = *inst
            && let Some(Constant::Word { bits, .. }) = count.as_const().and_then(|count| program.constants.get(count))
        {
            let bytes = bits.saturating_mul(element_bytes.into());
            slots.of_register[dst.index()] = slots.slots.push(SlotData { address: dst, bytes, ty: None }).into();
        }
    }
    if !slots.slots.is_empty() {
        slots.exclude_by_uses(body);
    }
    slots
}

impl Slots {
    /// The slot that an operand is the address of.
    pub(super) fn at(&self, address: Operand) -> Option<Slot> {
        address.as_reg().and_then(|register| self.of_register[register.index()].expand())
    }

    /// Leaves a variable in memory.
    pub(super) fn exclude(&mut self, slot: Slot) {
        self.of_register[self.slots[slot].address.index()] = None.into();
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// All slots, those excluded among them.
    pub(super) fn keys(&self) -> impl Iterator<Item = Slot> + use<> {
        self.slots.keys()
    }

    /// The type of the registers that stand for a variable.
    pub(super) fn ty(&self, slot: Slot) -> Type {
        // A variable without any access needs no register, so any type will do.
        self.slots[slot].ty.unwrap_or(Type::BOOL)
    }

    fn exclude_by_uses(&mut self, body: &Body) {
        for data in body.blocks.values() {
            for inst in &data.insts {
                match *inst {
                    Inst::Load { ty, address, volatile, .. } => self.access(address, ty, volatile),
                    Inst::Store { ty, address, value, volatile } => {
                        self.access(address, ty, volatile);
                        self.escape(value);
                    }
                    _ => body.visit_operands(inst, |operand| self.escape(operand)),
                }
            }
            body.visit_terminator_operands(&data.terminator, |operand| self.escape(operand));
        }
        body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| self.escape(*arg));
    }

    fn escape(&mut self, operand: Operand) {
        if let Some(register) = operand.as_reg() {
            self.of_register[register.index()] = None.into();
        }
    }

    fn access(&mut self, address: Operand, ty: Type, volatile: bool) {
        let Some(slot) = self.at(address) else { return };
        let pointer_bits = self.pointer_bits;
        let data = &mut self.slots[slot];
        let first = *data.ty.get_or_insert(ty);
        // An access past the end of the variable is an error that must stay one.
        let inside = u64::from(ty.store_bytes(pointer_bits)) <= data.bytes;
        let convertible = first == ty || conversion(first, ty, pointer_bits).is_some();
        if volatile || !inside || !convertible {
            self.exclude(slot);
        }
    }
}

/// The cast that reads the bits of one type as another, where a single one does; the inverse exists too.
pub(super) fn conversion(from: Type, to: Type, pointer_bits: u16) -> Option<CastOp> {
    if from.bits(pointer_bits) != to.bits(pointer_bits) {
        return None;
    }
    match (from.is_pointer(), to.is_pointer()) {
        (false, false) => Some(CastOp::Bitcast),
        (true, false) if to.is_int() => Some(CastOp::PointerToInt),
        (false, true) if from.is_int() => Some(CastOp::IntToPointer),
        _ => None,
    }
}
