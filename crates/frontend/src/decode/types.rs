//! The type table. Records may refer forward (through structures), so they are collected first and then put in order.

use llvm_bitcode::schema::blocks::TypeCode;

use crate::bitstream::Record;
use crate::module::{
    FloatKind, FunctionType, MAXIMUM_NESTING, MAXIMUM_TYPE_PARTS, MAXIMUM_VECTOR_LENGTH, StructType, Type, TypeId,
};

use super::Problem;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, text, to_u32};

/// The greatest width of integers in LLVM.
const MAXIMUM_INTEGER_WIDTH: u64 = 1 << 23;

/// A type of the file: its id among ours, and what it pointed to when pointers still had types.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileType {
    pub id: TypeId,
    pub pointee: Option<u32>,
}

/// A type record whose references are still indices of the file.
enum RawType {
    Simple(Type),
    Pointer {
        address_space: u32,
        pointee: Option<u32>,
    },
    Array {
        element: u32,
        length: u64,
    },
    Vector {
        element: u32,
        length: u64,
    },
    Struct {
        name: Option<String>,
        packed: bool,
        opaque: bool,
        fields: Box<[u32]>,
    },
    /// The result comes first, then the parameters.
    Function {
        variadic: bool,
        types: Box<[u32]>,
    },
    TargetExtension {
        name: String,
        types: Box<[u32]>,
        integers: Box<[u32]>,
    },
}

impl RawType {
    /// The types that must be known before this one. Pointers need none.
    fn parts(&self) -> &[u32] {
        match self {
            RawType::Simple(_) | RawType::Pointer { .. } => &[],
            RawType::Array { element, .. } | RawType::Vector { element, .. } => std::slice::from_ref(element),
            RawType::Struct { fields, .. } => fields,
            RawType::Function { types, .. } | RawType::TargetExtension { types, .. } => types,
        }
    }
}

impl<'a> ModuleDecoder<'a> {
    /// Reads the type block, which has just been entered.
    pub(super) fn read_types(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        if !self.types.is_empty() {
            return Err(Problem::Invalid("a second type table"));
        }
        let mut raw = Vec::new();
        let mut name = String::new();
        while self.reader.next_record(record)? {
            if let Some(ty) = read_type(record, &mut name)? {
                raw.push(ty);
            }
        }
        self.resolve_types(raw)
    }

    /// Gives every raw type its id, parts first, by a depth-first walk without recursion.
    fn resolve_types(&mut self, raw: Vec<RawType>) -> Result<(), Problem> {
        let mut ids: Vec<Option<TypeId>> = vec![None; raw.len()];
        let mut on_path = vec![false; raw.len()];
        // Types on the way down, each with the number of its parts already looked at.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..raw.len() {
            path.push((root, 0));
            while let Some((index, part)) = path.last_mut() {
                let index = *index;
                if ids[index].is_some() {
                    path.pop();
                    continue;
                }
                on_path[index] = true;
                if let Some(&next) = raw[index].parts().get(*part) {
                    *part += 1;
                    let next = next as usize;
                    match on_path.get(next) {
                        None => return Err(Problem::NoSuch { what: "type", index: next as u64 }),
                        Some(true) if ids[next].is_none() => {
                            return Err(Problem::Invalid("a type that contains itself"));
                        }
                        Some(_) => path.push((next, 0)),
                    }
                    continue;
                }
                ids[index] = Some(self.resolve_type(&raw[index], &ids)?);
                path.pop();
            }
        }
        let known = ids.into_iter().flatten();
        let pointees = raw.iter().map(|ty| match ty {
            RawType::Pointer { pointee, .. } => *pointee,
            _ => None,
        });
        self.types = known.zip(pointees).map(|(id, pointee)| FileType { id, pointee }).collect();
        Ok(())
    }

    /// Interns a type all of whose parts have ids.
    fn resolve_type(&mut self, raw: &RawType, ids: &[Option<TypeId>]) -> Result<TypeId, Problem> {
        let types = &mut self.module.types;
        let part = |index: u32| ids[index as usize].ok_or(Problem::Invalid("a type that contains itself"));
        let parts = |indices: &[u32]| indices.iter().map(|&index| part(index)).collect::<Result<Box<[_]>, _>>();
        let id = match raw {
            RawType::Simple(ty) => types.intern(ty.clone()),
            RawType::Pointer { address_space, .. } => types.intern(Type::Pointer { address_space: *address_space }),
            RawType::Array { element, length } => {
                let element = part(*element)?;
                check_element(&types[element])?;
                types.intern(Type::Array { element, length: *length })
            }
            RawType::Vector { element, length } => {
                let element = part(*element)?;
                if !types[element].is_scalar() {
                    return Err(Problem::Invalid("a vector of something else than integers, floats or pointers"));
                }
                let length = u32::try_from(*length).ok().filter(|&length| length <= MAXIMUM_VECTOR_LENGTH);
                match length {
                    Some(0) => return Err(Problem::Invalid("a vector without elements")),
                    Some(length) => types.intern(Type::Vector { element, length }),
                    None => return Err(Problem::Unsupported("vectors of more than 65536 elements")),
                }
            }
            RawType::Struct { name, packed, opaque, fields } => {
                let fields = parts(fields)?;
                fields.iter().try_for_each(|&field| check_element(&types[field]))?;
                let structure = StructType { name: name.clone(), packed: *packed, opaque: *opaque, fields };
                match name {
                    Some(_) => types.add_distinct(structure),
                    None => types.intern(Type::Struct(structure)),
                }
            }
            RawType::Function { variadic, types: indices } => {
                let all = parts(indices)?;
                let (&result, parameters) = all.split_first().ok_or(Problem::MissingOperand)?;
                let returnable = !matches!(types[result], Type::Function(_) | Type::Label | Type::Metadata);
                if !returnable || !parameters.iter().all(|&parameter| types[parameter].is_first_class()) {
                    return Err(Problem::Invalid("a function type with parameters or result that cannot be passed"));
                }
                types.intern(Type::Function(FunctionType {
                    variadic: *variadic,
                    result,
                    parameters: parameters.into(),
                }))
            }
            RawType::TargetExtension { name, types: indices, integers } => {
                let (name, integers) = (name.clone(), integers.clone());
                types.intern(Type::TargetExtension { name, types: parts(indices)?, integers })
            }
        };
        let facts = types.facts(id);
        if facts.nesting > MAXIMUM_NESTING || facts.parts > MAXIMUM_TYPE_PARTS {
            return Err(Problem::Unsupported("a type that nests too deeply"));
        }
        Ok(id)
    }

    /// The type with this index in the file.
    pub(super) fn file_type(&self, index: u64) -> Result<FileType, Problem> {
        let found = usize::try_from(index).ok().and_then(|index| self.types.get(index));
        found.copied().ok_or(Problem::NoSuch { what: "type", index })
    }

    /// Our id of the type with this index in the file.
    pub(super) fn type_at(&self, index: u64) -> Result<TypeId, Problem> {
        self.file_type(index).map(|ty| ty.id)
    }

    /// What a typed pointer of an old file points to, by the index of the pointer type.
    pub(super) fn pointee_at(&self, index: u64) -> Result<TypeId, Problem> {
        let pointee = self.file_type(index)?.pointee;
        self.type_at(u64::from(pointee.ok_or(Problem::Invalid("a pointer whose target type is not known"))?))
    }
}

/// Refuses what arrays and structures cannot contain.
fn check_element(ty: &Type) -> Result<(), Problem> {
    match ty {
        Type::Void | Type::Label | Type::Metadata | Type::Function(_) | Type::Token | Type::X86Amx => {
            Err(Problem::Invalid("an array or structure of something that has no size"))
        }
        _ => Ok(()),
    }
}

/// Reads one record; `None` if it makes no type.
fn read_type(record: &Record<'_>, name: &mut String) -> Result<Option<RawType>, Problem> {
    let mut operands = Operands::new(&record.values);
    let code = u8::try_from(record.code).ok().and_then(|code| TypeCode::try_from(code).ok());
    let code = code.ok_or(Problem::UnknownRecord(record.code))?;
    let simple = |ty| Ok(Some(RawType::Simple(ty)));
    #[allow(deprecated, reason = "files of LLVM 14 have typed pointers")]
    let ty = match code {
        TypeCode::NumEntry => return Ok(None),
        TypeCode::StructName => {
            *name = text(&record.values);
            return Ok(None);
        }
        TypeCode::Void => return simple(Type::Void),
        TypeCode::Label => return simple(Type::Label),
        TypeCode::Metadata => return simple(Type::Metadata),
        TypeCode::Token => return simple(Type::Token),
        TypeCode::X86Mmx => return simple(Type::X86Mmx),
        TypeCode::X86Amx => return simple(Type::X86Amx),
        TypeCode::Half => return simple(Type::Float(FloatKind::Half)),
        TypeCode::BFloat => return simple(Type::Float(FloatKind::BFloat)),
        TypeCode::Float => return simple(Type::Float(FloatKind::Float)),
        TypeCode::Double => return simple(Type::Float(FloatKind::Double)),
        TypeCode::X86Fp80 => return simple(Type::Float(FloatKind::X86Fp80)),
        TypeCode::Fp128 => return simple(Type::Float(FloatKind::Fp128)),
        TypeCode::PpcFp128 => return simple(Type::Float(FloatKind::PpcFp128)),
        TypeCode::Integer => match operands.take()? {
            width @ 1..=MAXIMUM_INTEGER_WIDTH => return simple(Type::Integer { width: width as u32 }),
            _ => return Err(Problem::Invalid("an integer type of impossible width")),
        },
        TypeCode::Pointer => {
            let pointee = Some(operands.take_u32()?);
            RawType::Pointer { pointee, address_space: to_u32(operands.or_zero())? }
        }
        TypeCode::OpaquePointer => RawType::Pointer { pointee: None, address_space: operands.take_u32()? },
        TypeCode::Array => RawType::Array { length: operands.take()?, element: operands.take_u32()? },
        TypeCode::Vector => {
            let (length, element) = (operands.take()?, operands.take_u32()?);
            if operands.or_zero() != 0 {
                return Err(Problem::Unsupported("vectors whose length is not known (scalable vectors)"));
            }
            RawType::Vector { element, length }
        }
        TypeCode::StructAnon => read_struct(operands, None)?,
        TypeCode::StructNamed => read_struct(operands, Some(std::mem::take(name)))?,
        TypeCode::Opaque => {
            RawType::Struct { name: Some(std::mem::take(name)), packed: false, opaque: true, fields: Box::new([]) }
        }
        TypeCode::Function => RawType::Function { variadic: operands.flag()?, types: indices(operands.rest())? },
        TypeCode::TargetType => {
            let count = operands.take()?;
            let types = indices(operands.take_many(count)?)?;
            RawType::TargetExtension { name: std::mem::take(name), types, integers: indices(operands.rest())? }
        }
        _ => return Err(Problem::UnknownRecord(record.code)),
    };
    Ok(Some(ty))
}

fn read_struct(mut operands: Operands<'_>, name: Option<String>) -> Result<RawType, Problem> {
    let packed = operands.flag()?;
    Ok(RawType::Struct { name, packed, opaque: false, fields: indices(operands.rest())? })
}

fn indices(values: &[u64]) -> Result<Box<[u32]>, Problem> {
    values.iter().map(|&value| to_u32(value)).collect()
}
