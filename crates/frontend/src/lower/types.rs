//! Sizes, alignments and field offsets of LLVM types, and how a value of such a type is taken apart into scalars.

use std::rc::Rc;

use cranelift_entity::{EntityRef, SecondaryMap};
use symcrete_ir as ir;

use super::layout::DataLayout;
use super::{Budget, Result, malformed, too_large, unsupported};
use crate::module::{FloatKind, StructType, Type, TypeId, TypeTable};

/// How a type lies in memory.
#[derive(Debug, Clone)]
pub(crate) struct TypeLayout {
    /// Bytes from one array element to the next.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Where the fields of a structure begin.
    pub offsets: Box<[u64]>,
}

/// What a type is as a value.
#[derive(Debug, Clone, Copy)]
enum Scalar {
    /// One register of this type.
    Yes(ir::Type),
    /// None or several.
    No,
    /// An integer wider than registers, a float or pointer of another machine.
    Unsupported,
}

/// All that is known of the types of one module, computed once.
#[derive(Debug)]
pub(crate) struct Types<'a> {
    pub table: &'a TypeTable,
    pub data: DataLayout,
    pub pointer_bits: u16,
    /// `None`: without size, or larger than the address space.
    layouts: Vec<Option<TypeLayout>>,
    /// Number of scalars of a value; saturated.
    counts: Vec<u64>,
    scalars: Vec<Scalar>,
}

/// A value of some type as a list of scalars.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub scalars: Vec<ir::Type>,
    pub pieces: Vec<Piece>,
}

/// What one load or store moves: a scalar, or several lanes of a vector that share bytes and so travel in one integer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub offset: u64,
    pub first: u32,
    pub lanes: u32,
}

pub(crate) type ShapeCache = SecondaryMap<TypeId, Option<Rc<Shape>>>;

/// A value of more scalars than this is refused: no compiler writes one.
const MAXIMUM_SCALARS: u64 = 1 << 16;

impl<'a> Types<'a> {
    pub fn new(table: &'a TypeTable, data: DataLayout) -> Result<Types<'a>> {
        let pointer_bits = match data.pointer_bits(0) {
            bits @ (32 | 64) => bits as u16,
            bits => return Err(unsupported(format!("pointers of {bits} bits"))),
        };
        let mut types = Types {
            table,
            data,
            pointer_bits,
            layouts: vec![None; table.len()],
            counts: vec![0; table.len()],
            scalars: Vec::with_capacity(table.len()),
        };
        for (_, ty) in table.iter() {
            let scalar = types.classify(ty);
            types.scalars.push(scalar);
        }
        let mut done = vec![false; table.len()];
        for (id, _) in table.iter() {
            types.complete(id, &mut done);
        }
        Ok(types)
    }

    fn classify(&self, ty: &Type) -> Scalar {
        match *ty {
            Type::Integer { width } => match u16::try_from(width) {
                Ok(bits @ 1..=ir::Type::MAX_INT_BITS) => Scalar::Yes(ir::Type::int(bits)),
                _ => Scalar::Unsupported,
            },
            Type::Float(kind) => {
                float_kind(kind).map_or(Scalar::Unsupported, |kind| Scalar::Yes(ir::Type::float(kind)))
            }
            Type::Pointer { address_space } => {
                let usual = self.data.pointer_bits(address_space) == u32::from(self.pointer_bits);
                if usual { Scalar::Yes(ir::Type::POINTER) } else { Scalar::Unsupported }
            }
            Type::X86Mmx => Scalar::Yes(ir::Type::I64),
            Type::X86Amx | Type::TargetExtension { .. } => Scalar::Unsupported,
            _ => Scalar::No,
        }
    }

    /// Computes a type after its parts. The decoder bounds how deeply types nest, and so this recursion.
    fn complete(&mut self, id: TypeId, done: &mut [bool]) {
        if std::mem::replace(&mut done[id.index()], true) {
            return;
        }
        let table = self.table;
        match &table[id] {
            Type::Array { element, .. } | Type::Vector { element, .. } => self.complete(*element, done),
            Type::Struct(structure) => structure.fields.iter().for_each(|field| self.complete(*field, done)),
            _ => {}
        }
        self.layouts[id.index()] = self.compute(&table[id]);
        self.counts[id.index()] = self.count_scalars(&table[id]);
    }

    fn compute(&self, ty: &Type) -> Option<TypeLayout> {
        let plain = |bytes: u64, align: u64| {
            let size = bytes.checked_next_multiple_of(align)?;
            Some(TypeLayout { size, align, offsets: Box::default() })
        };
        match *ty {
            Type::Integer { width } => plain(u64::from(width).div_ceil(8), self.data.integer_align(width)),
            Type::Float(kind) => plain(u64::from(kind.width()).div_ceil(8), self.data.float_align(kind.width())),
            Type::Pointer { address_space } => {
                let bytes = u64::from(self.data.pointer_bits(address_space)).div_ceil(8);
                plain(bytes, self.data.pointer_align(address_space))
            }
            Type::X86Mmx => plain(8, 8),
            Type::X86Amx => plain(1024, 64),
            Type::Array { element, length } => {
                let element = self.layouts[element.index()].as_ref()?;
                let size = element.size.checked_mul(length)?;
                Some(TypeLayout { size, align: element.align, offsets: Box::default() })
            }
            Type::Vector { element, length } => {
                let bits = u64::from(self.element_bits(element)?).checked_mul(u64::from(length))?;
                plain(bits.div_ceil(8), self.data.vector_align(bits)?)
            }
            Type::Struct(ref structure) => self.compute_structure(structure),
            _ => None,
        }
    }

    fn compute_structure(&self, structure: &StructType) -> Option<TypeLayout> {
        if structure.opaque {
            return None;
        }
        let mut end = 0u64;
        let mut align = if structure.packed { 1 } else { self.data.aggregate_align() };
        let mut offsets = Vec::with_capacity(structure.fields.len());
        for field in &structure.fields {
            let field = self.layouts[field.index()].as_ref()?;
            if !structure.packed {
                end = end.checked_next_multiple_of(field.align)?;
                align = align.max(field.align);
            }
            offsets.push(end);
            end = end.checked_add(field.size)?;
        }
        Some(TypeLayout { size: end.checked_next_multiple_of(align)?, align, offsets: offsets.into() })
    }

    fn count_scalars(&self, ty: &Type) -> u64 {
        let count = |id: &TypeId| self.counts[id.index()];
        match ty {
            Type::Array { element, length } => count(element).saturating_mul(*length),
            Type::Vector { element, length } => count(element).saturating_mul(u64::from(*length)),
            Type::Struct(structure) => structure.fields.iter().map(count).fold(0, u64::saturating_add),
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::Function(_) => 0,
            _ => 1,
        }
    }

    /// Width of a vector's element.
    fn element_bits(&self, element: TypeId) -> Option<u32> {
        match self.table[element] {
            Type::Integer { width } => Some(width),
            Type::Float(kind) => Some(kind.width()),
            Type::Pointer { address_space } => Some(self.data.pointer_bits(address_space)),
            _ => None,
        }
    }

    /// How a type lies in memory.
    pub fn layout(&self, id: TypeId) -> Result<&TypeLayout> {
        self.layouts[id.index()].as_ref().ok_or_else(|| malformed("a type without a size stands where memory is used"))
    }

    /// The same, if the type has a size.
    pub fn layout_if_sized(&self, id: TypeId) -> Option<&TypeLayout> {
        self.layouts[id.index()].as_ref()
    }

    /// How many scalars a value of this type is.
    pub fn count(&self, id: TypeId) -> u64 {
        self.counts[id.index()]
    }

    /// The scalar type, if a value of this type is exactly one scalar without being a vector or aggregate.
    pub fn scalar(&self, id: TypeId) -> Result<Option<ir::Type>> {
        match self.scalars[id.index()] {
            Scalar::Yes(ty) => Ok(Some(ty)),
            Scalar::No => Ok(None),
            Scalar::Unsupported => Err(unsupported(format!("values of the type {}", self.describe(id)))),
        }
    }

    fn describe(&self, id: TypeId) -> String {
        match &self.table[id] {
            Type::Integer { width } => format!("i{width}"),
            Type::Float(_) => "ppc_fp128".to_owned(),
            Type::Pointer { address_space } => format!("pointer into address space {address_space}"),
            Type::TargetExtension { name, .. } => name.chars().take(100).collect(),
            _ => "x86_amx".to_owned(),
        }
    }

    /// The scalars of a value of this type and where they lie in memory.
    pub fn shape(&self, id: TypeId, cache: &mut ShapeCache, budget: &mut Budget) -> Result<Rc<Shape>> {
        if let Some(known) = &cache[id] {
            return Ok(Rc::clone(known));
        }
        let count = self.count(id);
        if count > MAXIMUM_SCALARS {
            return Err(too_large(format!("a value of {count} scalars")));
        }
        budget.spend(count)?;
        let mut shape = Shape::default();
        match &self.table[id] {
            // Values without scalars need no memory either, whatever their length is.
            _ if count == 0 => {}
            Type::Vector { element, length } => self.vector_shape(*element, *length, &mut shape)?,
            Type::Array { element, length } => {
                let part = self.shape(*element, cache, budget)?;
                let stride = self.layout(*element)?.size;
                for at in 0..*length {
                    shape.append(&part, at.checked_mul(stride).ok_or_else(|| too_large("an array"))?)?;
                }
            }
            Type::Struct(structure) => {
                let offsets = &self.layout(id)?.offsets;
                for (field, offset) in structure.fields.iter().zip(offsets) {
                    let part = self.shape(*field, cache, budget)?;
                    shape.append(&part, *offset)?;
                }
            }
            _ => {
                if let Some(ty) = self.scalar(id)? {
                    shape.scalars.push(ty);
                    shape.pieces.push(Piece { offset: 0, first: 0, lanes: 1 });
                }
            }
        }
        let shape = Rc::new(shape);
        cache[id] = Some(Rc::clone(&shape));
        Ok(shape)
    }

    /// Lanes of whole bytes lie one after the other; others share bytes.
    fn vector_shape(&self, element: TypeId, length: u32, shape: &mut Shape) -> Result<()> {
        let Some(ty) = self.scalar(element)? else { return Err(malformed("a vector of aggregates")) };
        let bits = ty.bits(self.pointer_bits);
        shape.scalars = vec![ty; length as usize];
        if bits.is_multiple_of(8) {
            let offset = |lane: u32| u64::from(lane) * u64::from(bits / 8);
            shape.pieces = (0..length).map(|lane| Piece { offset: offset(lane), first: lane, lanes: 1 }).collect();
        } else {
            shape.pieces = vec![Piece { offset: 0, first: 0, lanes: length }];
        }
        Ok(())
    }

    /// Which scalars of a value its part at these indices is, and the type of the part.
    pub fn part(&self, whole: TypeId, indices: &[u32]) -> Result<(TypeId, u64)> {
        let mut ty = whole;
        let mut first = 0u64;
        for index in indices {
            let skipped = match &self.table[ty] {
                Type::Struct(structure) => {
                    let before = structure.fields.iter().take(*index as usize).map(|field| self.count(*field));
                    let skipped = before.fold(0, u64::saturating_add);
                    ty =
                        *structure.fields.get(*index as usize).ok_or_else(|| malformed("a field that is not there"))?;
                    skipped
                }
                Type::Array { element, length } if u64::from(*index) < *length => {
                    ty = *element;
                    self.count(*element).saturating_mul(u64::from(*index))
                }
                _ => return Err(malformed("an index into a value that has no such part")),
            };
            first = first.saturating_add(skipped);
        }
        Ok((ty, first))
    }
}

impl Shape {
    fn append(&mut self, part: &Shape, offset: u64) -> Result<()> {
        let first = self.scalars.len() as u32;
        self.scalars.extend_from_slice(&part.scalars);
        for piece in &part.pieces {
            let offset = piece.offset.checked_add(offset).ok_or_else(|| too_large("a structure"))?;
            self.pieces.push(Piece { offset, first: first + piece.first, lanes: piece.lanes });
        }
        Ok(())
    }
}

fn float_kind(kind: FloatKind) -> Option<ir::FloatKind> {
    match kind {
        FloatKind::Half => Some(ir::FloatKind::Half),
        FloatKind::BFloat => Some(ir::FloatKind::BFloat),
        FloatKind::Float => Some(ir::FloatKind::Single),
        FloatKind::Double => Some(ir::FloatKind::Double),
        FloatKind::X86Fp80 => Some(ir::FloatKind::X87),
        FloatKind::Fp128 => Some(ir::FloatKind::Quad),
        FloatKind::PpcFp128 => None,
    }
}
