//! Checks what functions share: constants, globals, locations, lists of constructors.

use cranelift_entity::EntityRef;

use super::{Checked, ensure};
use crate::error::{Site, Violation};
use crate::inst::CastOp;
use crate::{Const, Constant, ConstantExpression, Global, Program, Type};

pub(super) fn check(program: &Program) -> Checked {
    for constant in program.constants.keys() {
        check_constant(program, constant)?;
    }
    for (id, global) in program.globals.iter() {
        check_global(program, Site::Global(id), global)?;
    }
    for function in program.constructors.iter().chain(&program.destructors) {
        let known = program.functions.is_valid(*function);
        ensure(known, Site::Whole, || Violation::NoSuchFunction(*function))?;
    }
    check_locs(program)?;
    for function in program.functions.values() {
        let Some(debug) = &function.debug else { continue };
        debug.params.iter().try_for_each(|variable| check_variable(program, Site::Whole, variable))?;
        check_file(program, Site::Whole, debug.file)?;
        check_debug_type(program, Site::Whole, debug.result)?;
    }
    Ok(())
}

fn check_constant(program: &Program, id: Const) -> Checked {
    let site = Site::Constant(id);
    match &program.constants[id] {
        Constant::Word { ty, bits } => {
            let width = ty.bits(program.layout.pointer_bits);
            ensure(width <= 64, site, || wrong_kind("a word", *ty, "of at most 64 bits"))?;
            let fits = width == 64 || bits >> width == 0;
            ensure(fits, site, || Violation::OutOfRange { what: "the constant's bits", value: *bits })
        }
        Constant::Wide { ty, limbs } => {
            let width = usize::from(ty.bits(program.layout.pointer_bits));
            ensure(width > 64, site, || wrong_kind("a wide constant", *ty, "of more than 64 bits"))?;
            let expected = width.div_ceil(64);
            let found = limbs.len();
            ensure(found == expected, site, || Violation::WrongCount { what: "limbs", found, expected })?;
            let (last, unused) = (limbs[expected - 1], expected * 64 - width);
            let fits = last.leading_zeros() as usize >= unused;
            ensure(fits, site, || Violation::OutOfRange { what: "the constant's highest limb", value: last })
        }
        Constant::Global { global, .. } => {
            ensure(program.globals.is_valid(*global), site, || Violation::NoSuchGlobal(*global))
        }
        Constant::Function(function) => {
            ensure(program.functions.is_valid(*function), site, || Violation::NoSuchFunction(*function))
        }
        Constant::BlockAddress(function, block) => {
            let Some(data) = program.functions.get(*function) else {
                return Err((site, Violation::NoSuchFunction(*function)));
            };
            match &data.body {
                Some(body) => ensure(body.blocks.is_valid(*block), site, || Violation::NoSuchBlock(*block)),
                None => Err((site, Violation::BlockOfExternal(*function))),
            }
        }
        Constant::Undefined { .. } => Ok(()),
        Constant::Expression(expression) => check_expression(program, id, expression),
    }
}

fn check_expression(program: &Program, id: Const, expression: &ConstantExpression) -> Checked {
    let site = Site::Constant(id);
    let operand = |constant: &Const, ty: Type| {
        ensure(constant.index() < id.index(), site, || Violation::ForwardConstant(*constant))?;
        expect_type(site, "an operand", program.constants[*constant].ty(), ty)
    };
    match expression {
        ConstantExpression::Binary { ty, lhs, rhs, .. } => {
            operand(lhs, *ty)?;
            operand(rhs, *ty)?;
            ensure(ty.is_int(), site, || wrong_kind("arithmetic", *ty, "an integer"))
        }
        ConstantExpression::Cast { op, from, to, src } => {
            operand(src, *from)?;
            check_cast(site, *op, *from, *to, program.layout.pointer_bits)
        }
        ConstantExpression::IntCompare { ty, lhs, rhs, .. } => {
            operand(lhs, *ty)?;
            operand(rhs, *ty)?;
            ensure(!is_float(*ty), site, || wrong_kind("a comparison", *ty, "an integer or pointer"))
        }
        ConstantExpression::Select { ty, condition, if_true, if_false } => {
            operand(condition, Type::BOOL)?;
            operand(if_true, *ty)?;
            operand(if_false, *ty)
        }
    }
}

fn check_global(program: &Program, site: Site, global: &Global) -> Checked {
    ensure(global.align.is_power_of_two(), site, || Violation::BadAlignment(global.align))?;
    if let Some(variable) = &global.debug {
        check_variable(program, site, variable)?;
    }
    let Some(initialiser) = &global.initialiser else { return Ok(()) };
    let bytes = initialiser.bytes.len() as u64;
    ensure(bytes <= global.size, site, || Violation::OutOfRange { what: "initial bytes", value: bytes })?;
    for relocation in &initialiser.relocations {
        let Some(constant) = program.constants.get(relocation.constant) else {
            return Err((site, Violation::NoSuchConstant(relocation.constant)));
        };
        let bytes = u64::from(constant.ty().store_bytes(program.layout.pointer_bits));
        let inside = relocation.offset.checked_add(bytes).is_some_and(|end| end <= global.size);
        ensure(inside, site, || Violation::OutOfRange { what: "relocation", value: relocation.offset })?;
    }
    Ok(())
}

fn check_locs(program: &Program) -> Checked {
    let debug = &program.debug;
    let nowhere = debug.locs.iter().next();
    ensure(nowhere.is_some_and(|(_, loc)| loc.line == 0), Site::Whole, || Violation::NowhereMoved)?;
    for (id, loc) in debug.locs.iter() {
        check_file(program, Site::Loc(id), Some(loc.file))?;
        if let Some(outer) = loc.inlined_at {
            ensure(outer < id, Site::Loc(id), || Violation::ForwardLoc(outer))?;
        }
    }
    Ok(())
}

fn check_file(program: &Program, site: Site, file: Option<crate::ids::FileId>) -> Checked {
    match file {
        Some(file) => ensure(program.debug.files.is_valid(file), site, || Violation::NoSuchFile(file)),
        None => Ok(()),
    }
}

fn check_debug_type(program: &Program, site: Site, ty: Option<crate::ids::DebugTypeId>) -> Checked {
    match ty {
        Some(ty) => ensure(program.debug.types.is_valid(ty), site, || Violation::NoSuchDebugType(ty)),
        None => Ok(()),
    }
}

pub(super) fn check_variable(program: &Program, site: Site, variable: &crate::debug::Variable) -> Checked {
    check_file(program, site, variable.file)?;
    check_debug_type(program, site, variable.ty)
}

pub(super) fn check_cast(site: Site, op: CastOp, from: Type, to: Type, pointer_bits: u16) -> Checked {
    let (narrower, wider) = (
        to.bits(pointer_bits) < from.bits(pointer_bits), //
        to.bits(pointer_bits) > from.bits(pointer_bits),
    );
    let defined = match op {
        CastOp::Trunc => from.is_int() && to.is_int() && narrower,
        CastOp::ZeroExtend | CastOp::SignExtend => from.is_int() && to.is_int() && wider,
        CastOp::FloatToUnsigned | CastOp::FloatToSigned => is_float(from) && to.is_int(),
        CastOp::UnsignedToFloat | CastOp::SignedToFloat => from.is_int() && is_float(to),
        CastOp::FloatTruncate => is_float(from) && is_float(to) && narrower,
        CastOp::FloatExtend => is_float(from) && is_float(to) && wider,
        CastOp::PointerToInt => from.is_pointer() && to.is_int(),
        CastOp::IntToPointer => from.is_int() && to.is_pointer(),
        CastOp::Bitcast => !narrower && !wider,
    };
    ensure(defined, site, || Violation::BadCast { from, to })
}

pub(super) fn is_float(ty: Type) -> bool {
    ty.float_kind().is_some()
}

pub(super) fn expect_type(site: Site, what: &'static str, found: Type, expected: Type) -> Checked {
    ensure(found == expected, site, || Violation::WrongType { what, found, expected })
}

pub(super) fn wrong_kind(what: &'static str, found: Type, expected: &'static str) -> Violation {
    Violation::WrongKind { what, found, expected }
}
