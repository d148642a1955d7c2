//! The typing rules of LLVM's operations: given the types of the operands, the type of the result, or what is wrong.
//! Shared by instructions and constant expressions.

use cranelift_entity::PrimaryMap;

use crate::module::{
    BinaryOperator, CastOperator, Constant, ConstantId, ConstantKind, FloatKind, Type, TypeId, TypeTable,
};

use super::Problem;

type Ruling = Result<TypeId, Problem>;

const MISMATCH: Problem = Problem::Invalid("operands whose types do not fit the operation");

fn is_integer(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types[types.scalar_of(ty)], Type::Integer { .. })
}

fn is_float(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types[types.scalar_of(ty)], Type::Float(_))
}

fn is_pointer(types: &TypeTable, ty: TypeId) -> bool {
    matches!(types[types.scalar_of(ty)], Type::Pointer { .. })
}

/// `i1`, or as many of them as the operand has elements.
fn truth_of(types: &mut TypeTable, operand: TypeId) -> TypeId {
    let truth = types.intern(Type::Integer { width: 1 });
    match types.vector(operand) {
        Some((_, length)) => types.intern(Type::Vector { element: truth, length }),
        None => truth,
    }
}

pub(super) fn negate(types: &TypeTable, operand: TypeId) -> Ruling {
    if is_float(types, operand) { Ok(operand) } else { Err(MISMATCH) }
}

pub(super) fn binary(types: &TypeTable, operator: BinaryOperator, left: TypeId, right: TypeId) -> Ruling {
    let float = matches!(
        operator,
        BinaryOperator::FloatAdd
            | BinaryOperator::FloatSubtract
            | BinaryOperator::FloatMultiply
            | BinaryOperator::FloatDivide
            | BinaryOperator::FloatRemainder
    );
    let fits = if float { is_float(types, left) } else { is_integer(types, left) };
    if left == right && fits { Ok(left) } else { Err(MISMATCH) }
}

pub(super) fn integer_compare(types: &mut TypeTable, left: TypeId, right: TypeId) -> Ruling {
    if left == right && (is_integer(types, left) || is_pointer(types, left)) {
        Ok(truth_of(types, left))
    } else {
        Err(MISMATCH)
    }
}

pub(super) fn float_compare(types: &mut TypeTable, left: TypeId, right: TypeId) -> Ruling {
    if left == right && is_float(types, left) { Ok(truth_of(types, left)) } else { Err(MISMATCH) }
}

pub(super) fn select(types: &mut TypeTable, condition: TypeId, if_true: TypeId, if_false: TypeId) -> Ruling {
    let single = types.intern(Type::Integer { width: 1 });
    let fits = condition == single || (types.vector(if_true).is_some() && condition == truth_of(types, if_true));
    let selectable = !matches!(types[if_true], Type::Void | Type::Function(_) | Type::Label | Type::Token);
    if fits && selectable && if_true == if_false { Ok(if_true) } else { Err(MISMATCH) }
}

pub(super) fn extract_element(types: &TypeTable, vector: TypeId, index: TypeId) -> Ruling {
    match types.vector(vector) {
        Some((element, _)) if matches!(types[index], Type::Integer { .. }) => Ok(element),
        _ => Err(MISMATCH),
    }
}

pub(super) fn insert_element(types: &TypeTable, vector: TypeId, element: TypeId, index: TypeId) -> Ruling {
    let expected = extract_element(types, vector, index)?;
    if element == expected { Ok(vector) } else { Err(MISMATCH) }
}

pub(super) fn shuffle(types: &mut TypeTable, left: TypeId, right: TypeId, mask: &[Option<u32>]) -> Ruling {
    let Some((element, length)) = types.vector(left).filter(|_| left == right) else { return Err(MISMATCH) };
    if mask.iter().flatten().any(|&place| u64::from(place) >= u64::from(length) * 2) {
        return Err(Problem::Invalid("a shuffle mask that points beyond both vectors"));
    }
    match u32::try_from(mask.len()) {
        Ok(length @ 1..) => Ok(types.intern(Type::Vector { element, length })),
        _ => Err(MISMATCH),
    }
}

/// Whether a conversion is possible; the result is `to`.
pub(super) fn cast(types: &TypeTable, operator: CastOperator, from: TypeId, to: TypeId) -> Ruling {
    use CastOperator as Cast;
    let (Some(source), Some(target)) = (shape(types, from), shape(types, to)) else {
        // Aggregates and the like can only be cast to themselves.
        let same = operator == Cast::Bitcast && from == to && types[from].is_first_class();
        return if same { Ok(to) } else { Err(MISMATCH) };
    };
    let same_length = source.length == target.length;
    let kinds = (source.kind, target.kind);
    let fits = match operator {
        Cast::Truncate => kinds == (Kind::Integer, Kind::Integer) && source.width > target.width && same_length,
        Cast::ZeroExtend | Cast::SignExtend => {
            kinds == (Kind::Integer, Kind::Integer) && source.width < target.width && same_length
        }
        Cast::FloatToUnsigned | Cast::FloatToSigned => kinds == (Kind::Float, Kind::Integer) && same_length,
        Cast::UnsignedToFloat | Cast::SignedToFloat => kinds == (Kind::Integer, Kind::Float) && same_length,
        Cast::FloatTruncate => kinds == (Kind::Float, Kind::Float) && source.width > target.width && same_length,
        Cast::FloatExtend => kinds == (Kind::Float, Kind::Float) && source.width < target.width && same_length,
        Cast::PointerToInteger | Cast::PointerToAddress => kinds == (Kind::Pointer, Kind::Integer) && same_length,
        Cast::IntegerToPointer => kinds == (Kind::Integer, Kind::Pointer) && same_length,
        Cast::AddressSpaceCast => kinds == (Kind::Pointer, Kind::Pointer) && same_length,
        Cast::Bitcast if source.kind == Kind::Pointer || target.kind == Kind::Pointer => {
            // Between vectors of one pointer and pointers too.
            let total = |shape: &Shape| shape.length.unwrap_or(1);
            source.kind == target.kind && source.width == target.width && total(&source) == total(&target)
        }
        Cast::Bitcast => {
            let total = |shape: &Shape| u64::from(shape.width) * u64::from(shape.length.unwrap_or(1));
            total(&source) == total(&target)
        }
    };
    if fits { Ok(to) } else { Err(MISMATCH) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
    Pointer,
}

/// What a conversion must know of a type.
struct Shape {
    kind: Kind,
    /// Bits; of pointers the address space.
    width: u32,
    /// Number of elements, if it is a vector.
    length: Option<u32>,
}

fn shape(types: &TypeTable, ty: TypeId) -> Option<Shape> {
    let length = types.vector(ty).map(|(_, length)| length);
    let (kind, width) = match types[types.scalar_of(ty)] {
        Type::Integer { width } => (Kind::Integer, width),
        Type::Float(format) => (Kind::Float, format.width()),
        Type::Pointer { address_space } => (Kind::Pointer, address_space),
        // A register of 64 bits that is cast from and to vectors.
        Type::X86Mmx => (Kind::Integer, 64),
        _ => return None,
    };
    Some(Shape { kind, width, length })
}

/// The type of an address computed from a base and indices, each given by its type and, if it is a constant, its value.
pub(super) fn element_pointer(
    types: &mut TypeTable,
    source: TypeId,
    base: TypeId,
    indices: impl Iterator<Item = (TypeId, Option<u64>)>,
) -> Ruling {
    if !is_pointer(types, base) || !types.is_sized(source) {
        return Err(MISMATCH);
    }
    let mut length = types.vector(base).map(|(_, length)| length);
    let mut current = source;
    for (position, (ty, value)) in indices.enumerate() {
        if !is_integer(types, ty) {
            return Err(MISMATCH);
        }
        if let Some((_, lanes)) = types.vector(ty) {
            if length.is_some_and(|length| length != lanes) {
                return Err(MISMATCH);
            }
            length = Some(lanes);
        }
        // The first index steps over whole objects; the others go inside.
        if position == 0 {
            continue;
        }
        current = match &types[current] {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            Type::Struct(structure) => {
                let field = value.and_then(|value| usize::try_from(value).ok());
                let field = field.and_then(|field| structure.fields.get(field));
                *field.ok_or(Problem::Invalid("a structure index that is no constant in range"))?
            }
            _ => return Err(Problem::Invalid("an index into something that has no parts")),
        };
    }
    let element = types.scalar_of(base);
    Ok(match length {
        Some(length) => types.intern(Type::Vector { element, length }),
        None => element,
    })
}

/// The part of an aggregate type that indices lead to.
pub(super) fn part_of_aggregate(types: &TypeTable, whole: TypeId, indices: &[u32]) -> Ruling {
    let mut current = whole;
    for &index in indices {
        let part = match &types[current] {
            Type::Array { element, length } if u64::from(index) < *length => Some(*element),
            Type::Struct(structure) => structure.fields.get(index as usize).copied(),
            _ => None,
        };
        current = part.ok_or(Problem::Invalid("an index beyond an aggregate"))?;
    }
    if indices.is_empty() { Err(Problem::MissingOperand) } else { Ok(current) }
}

/// The value of an integer constant of at most 64 bits, or of a vector of equal ones.
pub(super) fn small_integer(constants: &PrimaryMap<ConstantId, Constant>, id: ConstantId) -> Option<u64> {
    match &constants.get(id)?.kind {
        ConstantKind::Integer(value) => Some(*value),
        ConstantKind::Null => Some(0),
        ConstantKind::Splat(element) => match **element {
            ConstantKind::Integer(value) => Some(value),
            _ => None,
        },
        // Longer ones could be named again and again to waste time.
        ConstantKind::Data(bytes) if bytes.len() <= 4096 => {
            // A vector of `i32`, as structure indices are.
            let (first, _) = bytes.split_first_chunk::<4>()?;
            let equal = bytes.chunks(4).all(|chunk| chunk == first);
            equal.then(|| u32::from_le_bytes(*first).into())
        }
        ConstantKind::Aggregate(elements) if elements.len() <= 1024 => {
            let (&first, rest) = elements.split_first()?;
            let single = |id: ConstantId| match constants.get(id).map(|constant| &constant.kind) {
                Some(ConstantKind::Integer(value)) => Some(*value),
                Some(ConstantKind::Null) => Some(0),
                _ => None,
            };
            let value = single(first)?;
            rest.iter().all(|&id| single(id) == Some(value)).then_some(value)
        }
        _ => None,
    }
}

/// Whether loads and stores can move values of this type.
pub(super) fn is_loadable(types: &TypeTable, ty: TypeId) -> bool {
    types.is_sized(ty) || matches!(types[ty], Type::X86Amx)
}

/// Whether an atomic exchange can move values of this type.
pub(super) fn is_exchangeable(types: &TypeTable, ty: TypeId) -> bool {
    match types[ty] {
        Type::Integer { .. } | Type::Pointer { .. } => true,
        Type::Float(format) => format != FloatKind::PpcFp128,
        _ => false,
    }
}
