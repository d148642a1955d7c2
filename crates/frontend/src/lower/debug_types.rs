//! C types out of debug information. Types refer to each other in circles, so each gets its number before it is described.

use symcrete_ir::debug::{DebugType, Encoding, Member};
use symcrete_ir::ids::DebugTypeId;

use super::{Lowering, UnitIndex};
use crate::module::{BasicType, CompositeType, DerivedType, Metadata, MetadataId, SubrangeBound};

/// DWARF's numbers of the kinds of types that are told apart here.
mod tag {
    pub const ARRAY: u32 = 0x01;
    pub const CLASS: u32 = 0x02;
    pub const ENUMERATION: u32 = 0x04;
    pub const MEMBER: u32 = 0x0d;
    pub const POINTER: u32 = 0x0f;
    pub const REFERENCE: u32 = 0x10;
    pub const STRUCTURE: u32 = 0x13;
    pub const TYPEDEF: u32 = 0x16;
    pub const UNION: u32 = 0x17;
    pub const INHERITANCE: u32 = 0x1c;
    pub const POINTER_TO_MEMBER: u32 = 0x1f;
    pub const BASE: u32 = 0x24;
    pub const CONST: u32 = 0x26;
    pub const VOLATILE: u32 = 0x35;
    pub const RESTRICT: u32 = 0x37;
    pub const RVALUE_REFERENCE: u32 = 0x42;
    pub const ATOMIC: u32 = 0x47;
}

/// LLVM's flags of debug information nodes.
mod flag {
    pub const FORWARD_DECLARATION: u32 = 1 << 2;
    pub const STATIC_MEMBER: u32 = 1 << 12;
    pub const BIT_FIELD: u32 = 1 << 19;
}

impl Lowering<'_> {
    /// The number of a type; `None` is `void`, or no type at all.
    pub fn debug_type(&mut self, unit: UnitIndex, id: Option<MetadataId>) -> Option<DebugTypeId> {
        let number = self.type_number(unit, id)?;
        while let Some((id, number)) = self.caches[unit].debug.pending.pop() {
            let described = self.describe(unit, id);
            self.program.debug.types[number] = described;
        }
        Some(number)
    }

    /// Gives a type its number and leaves it to be described.
    fn type_number(&mut self, unit: UnitIndex, id: Option<MetadataId>) -> Option<DebugTypeId> {
        let id = id?;
        if let Some(known) = self.caches[unit].debug.types[id] {
            return Some(known);
        }
        let number = self.program.debug.types.push(DebugType::Void);
        let cache = &mut self.caches[unit].debug;
        cache.types[id] = Some(number);
        cache.pending.push((id, number));
        Some(number)
    }

    fn describe(&mut self, unit: UnitIndex, id: MetadataId) -> DebugType {
        let metadata = &self.units[unit].module.metadata;
        match &metadata.nodes[id] {
            Metadata::BasicType(node) => self.describe_basic(unit, node),
            Metadata::DerivedType(node) => self.describe_derived(unit, node),
            Metadata::CompositeType(node) => self.describe_composite(unit, node),
            Metadata::SubroutineType(node) => {
                let types = metadata.elements(node.types);
                if !self.may_describe(unit, types.len()) {
                    return DebugType::Opaque { name: String::new() };
                }
                let result = types.first().copied().flatten();
                let result = self.type_number(unit, result);
                let params = types.iter().skip(1).map(|ty| self.type_number(unit, *ty)).collect();
                DebugType::Function { result, params }
            }
            // C++ types may be named by a text that another module explains.
            Metadata::String(_) => DebugType::Opaque { name: self.debug_name(unit, Some(id)).to_owned() },
            _ => DebugType::Opaque { name: String::new() },
        }
    }

    /// Counts members: hostile files could share one long list between many types.
    fn may_describe(&mut self, unit: UnitIndex, members: usize) -> bool {
        let most = 8 * self.units[unit].module.metadata.nodes.len() + (1 << 16);
        let described = &mut self.caches[unit].debug.members;
        *described = described.saturating_add(members);
        *described <= most
    }

    fn describe_basic(&mut self, unit: UnitIndex, node: &BasicType) -> DebugType {
        let name = self.debug_name(unit, node.name).to_owned();
        if node.tag != tag::BASE {
            return DebugType::Opaque { name };
        }
        let encoding = match node.encoding {
            2 => Encoding::Boolean,
            3 => Encoding::ComplexFloat,
            4 => Encoding::Float,
            5 => Encoding::Signed,
            6 => Encoding::SignedChar,
            7 => Encoding::Unsigned,
            8 => Encoding::UnsignedChar,
            0x10 => Encoding::Utf,
            _ => Encoding::Other,
        };
        DebugType::Base { name, encoding, bits: node.size_in_bits }
    }

    fn describe_derived(&mut self, unit: UnitIndex, node: &DerivedType) -> DebugType {
        let target = self.type_number(unit, node.base_type);
        match node.tag {
            tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE | tag::POINTER_TO_MEMBER => {
                DebugType::Pointer { target, bits: node.size_in_bits }
            }
            tag::TYPEDEF => DebugType::Typedef { name: self.debug_name(unit, node.name).to_owned(), target },
            tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => DebugType::Qualified { target },
            _ => DebugType::Opaque { name: self.debug_name(unit, node.name).to_owned() },
        }
    }

    fn describe_composite(&mut self, unit: UnitIndex, node: &CompositeType) -> DebugType {
        let elements = self.units[unit].module.metadata.elements(node.elements);
        let name = self.debug_name(unit, node.name).to_owned();
        let declared_only = node.flags & flag::FORWARD_DECLARATION != 0;
        if declared_only || !self.may_describe(unit, elements.len()) {
            return DebugType::Opaque { name };
        }
        let bits = node.size_in_bits;
        match node.tag {
            tag::STRUCTURE | tag::CLASS => DebugType::Struct { name, members: self.members(unit, elements), bits },
            tag::UNION => DebugType::Union { name, members: self.members(unit, elements), bits },
            tag::ENUMERATION => {
                let underlying = self.type_number(unit, node.base_type);
                DebugType::Enum { name, underlying, variants: self.variants(unit, elements), bits }
            }
            tag::ARRAY => {
                let element = self.type_number(unit, node.base_type);
                DebugType::Array { element, counts: self.counts(unit, elements), bits }
            }
            _ => DebugType::Opaque { name },
        }
    }

    fn members(&mut self, unit: UnitIndex, elements: &[Option<MetadataId>]) -> Vec<Member> {
        let mut members = Vec::new();
        for id in elements.iter().flatten() {
            let Metadata::DerivedType(node) = &self.units[unit].module.metadata.nodes[*id] else { continue };
            let is_field = matches!(node.tag, tag::MEMBER | tag::INHERITANCE) && node.flags & flag::STATIC_MEMBER == 0;
            if !is_field {
                continue;
            }
            members.push(Member {
                name: self.debug_name(unit, node.name).to_owned(),
                ty: self.type_number(unit, node.base_type),
                offset_bits: node.offset_in_bits,
                bits: node.size_in_bits,
                bit_field: node.flags & flag::BIT_FIELD != 0,
            });
        }
        members
    }

    fn variants(&self, unit: UnitIndex, elements: &[Option<MetadataId>]) -> Vec<(String, i128)> {
        let nodes = &self.units[unit].module.metadata.nodes;
        let variant = |id: &MetadataId| match &nodes[*id] {
            Metadata::Enumerator(node) => {
                let value = if node.unsigned { i128::from(node.value as u64) } else { i128::from(node.value) };
                Some((self.debug_name(unit, node.name).to_owned(), value))
            }
            _ => None,
        };
        elements.iter().flatten().filter_map(variant).collect()
    }

    fn counts(&self, unit: UnitIndex, elements: &[Option<MetadataId>]) -> Vec<Option<u64>> {
        let nodes = &self.units[unit].module.metadata.nodes;
        let count = |id: &MetadataId| match &nodes[*id] {
            Metadata::Subrange(range) => match range.count {
                SubrangeBound::Constant(count) => Some(u64::try_from(count).ok()),
                _ => Some(None),
            },
            _ => None,
        };
        elements.iter().flatten().filter_map(count).collect()
    }
}
