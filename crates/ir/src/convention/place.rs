//! The registers and stack slots of arguments and results, one scalar after the other.

use crate::{FloatKind, Type, TypeKind};

/// Where a scalar stands while a call begins or ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The number of a general register, in the order in which the convention uses them.
    General(u32),
    /// The number of a vector register.
    Vector(u32),
    /// The number of an entry of the x87 stack, which holds every float in extended precision.
    Stacked(u32),
    /// Bytes above the return address.
    Memory(u64),
    /// More results than there are registers.
    Beyond,
}

impl Place {
    /// The number of the value that stands there.
    pub fn find(self, values: &[Place]) -> Option<usize> {
        values.iter().position(|place| *place == self && self != Place::Beyond)
    }
}

/// Gives out places, in the order of the arguments or results.
pub struct Places {
    pointer_bits: u16,
    are_results: bool,
    general: u32,
    vector: u32,
    stacked: u32,
    memory: u64,
}

impl Places {
    pub fn of_arguments(pointer_bits: u16) -> Places {
        Places { pointer_bits, are_results: false, general: 0, vector: 0, stacked: 0, memory: 0 }
    }

    pub fn of_results(pointer_bits: u16) -> Places {
        Places { are_results: true, ..Places::of_arguments(pointer_bits) }
    }

    /// The place of the next scalar; `by_value`: of a structure of so many bytes.
    pub fn next(&mut self, ty: Type, by_value: Option<u64>) -> Place {
        match (self.are_results, self.pointer_bits) {
            (true, _) => self.result(ty),
            (false, 64) => self.argument(ty, by_value),
            (false, _) => self.in_memory(by_value.unwrap_or(u64::from(ty.store_bytes(self.pointer_bits))), 4),
        }
    }

    fn argument(&mut self, ty: Type, by_value: Option<u64>) -> Place {
        const GENERAL: u32 = 6;
        const VECTOR: u32 = 8;
        if let Some(bytes) = by_value {
            return self.in_memory(bytes, 8);
        }
        match ty.kind() {
            TypeKind::Float(FloatKind::X87) => self.in_memory(16, 16),
            TypeKind::Float(_) if self.vector < VECTOR => {
                self.vector += 1;
                Place::Vector(self.vector - 1)
            }
            TypeKind::Float(_) => self.in_memory(u64::from(ty.store_bytes(64)), 8),
            TypeKind::Int(_) | TypeKind::Pointer => {
                let registers = u32::from(ty.bits(64).div_ceil(64));
                if self.general + registers > GENERAL {
                    return self.in_memory(8 * u64::from(registers), 8);
                }
                self.general += registers;
                Place::General(self.general - registers)
            }
        }
    }

    fn result(&mut self, ty: Type) -> Place {
        match ty.kind() {
            TypeKind::Float(kind) if kind == FloatKind::X87 || self.pointer_bits == 32 => {
                self.stacked += 1;
                Place::Stacked(self.stacked - 1)
            }
            TypeKind::Float(_) => {
                self.vector += 1;
                Place::Vector(self.vector - 1)
            }
            TypeKind::Int(_) | TypeKind::Pointer => {
                let registers = u32::from(ty.bits(self.pointer_bits).div_ceil(self.pointer_bits));
                self.general += registers;
                if self.general > 2 { Place::Beyond } else { Place::General(self.general - registers) }
            }
        }
    }

    fn in_memory(&mut self, bytes: u64, align: u64) -> Place {
        let start = self.memory.next_multiple_of(align);
        self.memory = (start + bytes).next_multiple_of(u64::from(self.pointer_bits / 8));
        Place::Memory(start)
    }
}
