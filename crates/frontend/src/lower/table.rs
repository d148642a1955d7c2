//! Which LLVM intrinsic becomes what. A table of names; how each plan is carried out is in `intrinsics` and `library`.

use symcrete_ir::{BinaryOp, CastOp, FloatOp, IntPredicate, Intrinsic};

use super::vectors::Reduction;

/// How calls of an intrinsic are lowered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Plan {
    /// Not code: leaves nothing behind.
    Nothing,
    /// Describes a variable: debug information.
    Debug,
    /// The result is this argument.
    Rename(usize),
    /// The result is this number.
    Number(u64),
    /// An intrinsic of `ir`, lane by lane, with this many of the arguments.
    Lanes(Intrinsic, usize),
    /// The same with two results: value and whether it overflowed.
    Overflow(Intrinsic),
    /// An intrinsic of `ir` on scalars, with this many of the arguments.
    Scalars(Intrinsic, usize),
    Float(FloatOp),
    Convert(CastOp),
    /// A comparison whose predicate is an argument.
    CompareFloats,
    /// A product and a sum; whether the product is rounded by itself depends on the processor that is compiled for.
    MultiplyAdd,
    /// A function of libm by the name that it has for `double`, with this many arguments.
    Library(&'static str, usize),
    /// The same with an integer as result.
    LibraryInteger(&'static str),
    /// A float to the power of an integer.
    IntegerPower,
    /// A function of libm that returns a second result by address.
    LibraryPair(&'static str),
    SineAndCosine,
    /// All lanes joined; whether a first value stands before them.
    Reduce(Reduction, bool),
    /// Of memory: its last argument tells whether it is volatile.
    Copy(Intrinsic),
    MaskedLoad,
    MaskedStore,
    Gather,
    Scatter,
    IsConstant,
    ObjectSize,
    VectorInsert,
    VectorExtract,
    VectorReverse,
    StepVector,
    /// The number of the first lane that is not zero.
    FirstLane,
    /// `ptr + *(i32*)(ptr + offset)`
    LoadRelative,
    Unsupported,
}

/// The plan for an intrinsic by its full name, such as `llvm.memcpy.p0i8.p0i8.i64`.
pub(crate) fn plan(name: &str) -> Plan {
    let mut name = name.strip_prefix("llvm.").unwrap_or(name);
    let constrained = name.strip_prefix("experimental.constrained.");
    if let Some(inner) = constrained {
        name = inner;
    }
    // Overloaded types stand behind the name; how many there are differs between versions of LLVM.
    loop {
        let found = if constrained.is_some() { constrained_plan(name) } else { None };
        if let Some(plan) = found.or_else(|| plain(name)) {
            return plan;
        }
        match name.rfind('.') {
            Some(dot) => name = &name[..dot],
            None => return Plan::Unsupported,
        }
    }
}

fn plain(name: &str) -> Option<Plan> {
    quiet(name)
        .or_else(|| integers(name))
        .or_else(|| floats(name))
        .or_else(|| memory(name))
        .or_else(|| vectors(name))
        .or_else(|| machine(name))
}

/// What describes, promises or hints, and computes nothing.
fn quiet(name: &str) -> Option<Plan> {
    Some(match name {
        "dbg.declare" | "dbg.value" | "dbg.assign" | "dbg.label" | "dbg.addr" => Plan::Debug,
        "lifetime.start" | "lifetime.end" | "invariant.start" | "invariant.end" => Plan::Nothing,
        "experimental.noalias.scope.decl" | "prefetch" | "donothing" | "sideeffect" | "pseudoprobe" => Plan::Nothing,
        "var.annotation" | "codeview.annotation" | "fake.use" | "clear_cache" => Plan::Nothing,
        "expect" | "expect.with.probability" | "ssa.copy" | "ssa_copy" | "arithmetic.fence" => Plan::Rename(0),
        "launder.invariant.group" | "strip.invariant.group" | "threadlocal.address" => Plan::Rename(0),
        "ptr.annotation" | "annotation" => Plan::Rename(0),
        "is.constant" => Plan::IsConstant,
        "objectsize" => Plan::ObjectSize,
        "allow.runtime.check" | "allow.ubsan.check" | "experimental.widenable.condition" => Plan::Number(1),
        "assume" => Plan::Scalars(Intrinsic::Assume, 1),
        _ => return None,
    })
}

fn integers(name: &str) -> Option<Plan> {
    Some(match name {
        "sadd.with.overflow" => Plan::Overflow(Intrinsic::AddOverflowSigned),
        "uadd.with.overflow" => Plan::Overflow(Intrinsic::AddOverflowUnsigned),
        "ssub.with.overflow" => Plan::Overflow(Intrinsic::SubOverflowSigned),
        "usub.with.overflow" => Plan::Overflow(Intrinsic::SubOverflowUnsigned),
        "smul.with.overflow" => Plan::Overflow(Intrinsic::MulOverflowSigned),
        "umul.with.overflow" => Plan::Overflow(Intrinsic::MulOverflowUnsigned),
        "sadd.sat" => Plan::Lanes(Intrinsic::AddSaturateSigned, 2),
        "uadd.sat" => Plan::Lanes(Intrinsic::AddSaturateUnsigned, 2),
        "ssub.sat" => Plan::Lanes(Intrinsic::SubSaturateSigned, 2),
        "usub.sat" => Plan::Lanes(Intrinsic::SubSaturateUnsigned, 2),
        "sshl.sat" => Plan::Lanes(Intrinsic::ShlSaturateSigned, 2),
        "ushl.sat" => Plan::Lanes(Intrinsic::ShlSaturateUnsigned, 2),
        "smin" => Plan::Lanes(Intrinsic::MinSigned, 2),
        "smax" => Plan::Lanes(Intrinsic::MaxSigned, 2),
        "umin" => Plan::Lanes(Intrinsic::MinUnsigned, 2),
        "umax" => Plan::Lanes(Intrinsic::MaxUnsigned, 2),
        "abs" => Plan::Lanes(Intrinsic::Abs, 2),
        "ctpop" => Plan::Lanes(Intrinsic::CountOnes, 1),
        "ctlz" => Plan::Lanes(Intrinsic::LeadingZeros, 2),
        "cttz" => Plan::Lanes(Intrinsic::TrailingZeros, 2),
        "bswap" => Plan::Lanes(Intrinsic::SwapBytes, 1),
        "bitreverse" => Plan::Lanes(Intrinsic::ReverseBits, 1),
        "fshl" => Plan::Lanes(Intrinsic::FunnelShiftLeft, 3),
        "fshr" => Plan::Lanes(Intrinsic::FunnelShiftRight, 3),
        "scmp" => Plan::Lanes(Intrinsic::CompareSigned, 2),
        "ucmp" => Plan::Lanes(Intrinsic::CompareUnsigned, 2),
        "ptrmask" => Plan::Lanes(Intrinsic::PointerMask, 2),
        _ => return None,
    })
}

fn floats(name: &str) -> Option<Plan> {
    Some(match name {
        "sqrt" => Plan::Lanes(Intrinsic::Sqrt, 1),
        "fabs" => Plan::Lanes(Intrinsic::FloatAbs, 1),
        "copysign" => Plan::Lanes(Intrinsic::CopySign, 2),
        "floor" => Plan::Lanes(Intrinsic::Floor, 1),
        "ceil" => Plan::Lanes(Intrinsic::Ceil, 1),
        "trunc" => Plan::Lanes(Intrinsic::Truncate, 1),
        "round" => Plan::Lanes(Intrinsic::Round, 1),
        "roundeven" => Plan::Lanes(Intrinsic::RoundEven, 1),
        "rint" | "nearbyint" => Plan::Lanes(Intrinsic::RoundCurrent, 1),
        "fma" => Plan::Lanes(Intrinsic::FusedMultiplyAdd, 3),
        "fmuladd" => Plan::MultiplyAdd,
        "minnum" | "minimumnum" => Plan::Lanes(Intrinsic::MinNum, 2),
        "maxnum" | "maximumnum" => Plan::Lanes(Intrinsic::MaxNum, 2),
        "minimum" => Plan::Lanes(Intrinsic::Minimum, 2),
        "maximum" => Plan::Lanes(Intrinsic::Maximum, 2),
        "is.fpclass" => Plan::Lanes(Intrinsic::IsClass, 2),
        "fptosi.sat" => Plan::Lanes(Intrinsic::FloatToSignedSaturating, 1),
        "fptoui.sat" => Plan::Lanes(Intrinsic::FloatToUnsignedSaturating, 1),
        "sin" => Plan::Library("sin", 1),
        "cos" => Plan::Library("cos", 1),
        "tan" => Plan::Library("tan", 1),
        "asin" => Plan::Library("asin", 1),
        "acos" => Plan::Library("acos", 1),
        "atan" => Plan::Library("atan", 1),
        "atan2" => Plan::Library("atan2", 2),
        "sinh" => Plan::Library("sinh", 1),
        "cosh" => Plan::Library("cosh", 1),
        "tanh" => Plan::Library("tanh", 1),
        "exp" => Plan::Library("exp", 1),
        "exp2" => Plan::Library("exp2", 1),
        "exp10" => Plan::Library("exp10", 1),
        "log" => Plan::Library("log", 1),
        "log2" => Plan::Library("log2", 1),
        "log10" => Plan::Library("log10", 1),
        "pow" => Plan::Library("pow", 2),
        "ldexp" => Plan::Library("ldexp", 2),
        "powi" => Plan::IntegerPower,
        "frexp" => Plan::LibraryPair("frexp"),
        "modf" => Plan::LibraryPair("modf"),
        "sincos" => Plan::SineAndCosine,
        "lrint" => Plan::LibraryInteger("lrint"),
        "llrint" => Plan::LibraryInteger("llrint"),
        "lround" => Plan::LibraryInteger("lround"),
        "llround" => Plan::LibraryInteger("llround"),
        // To nearest, as programs start.
        "flt.rounds" | "get.rounding" => Plan::Number(1),
        _ => return None,
    })
}

fn memory(name: &str) -> Option<Plan> {
    Some(match name {
        "memcpy" | "memcpy.inline" => Plan::Copy(Intrinsic::MemoryCopy),
        "memmove" => Plan::Copy(Intrinsic::MemoryMove),
        "memcpy.element.unordered.atomic" => Plan::Scalars(Intrinsic::MemoryCopy, 3),
        "memmove.element.unordered.atomic" => Plan::Scalars(Intrinsic::MemoryMove, 3),
        "memset" | "memset.inline" | "memset.element.unordered.atomic" => Plan::Scalars(Intrinsic::MemorySet, 3),
        "va_start" => Plan::Scalars(Intrinsic::VaStart, 1),
        "va_end" => Plan::Scalars(Intrinsic::VaEnd, 1),
        "va_copy" => Plan::Scalars(Intrinsic::VaCopy, 2),
        "stacksave" => Plan::Scalars(Intrinsic::StackSave, 0),
        "stackrestore" => Plan::Scalars(Intrinsic::StackRestore, 1),
        "returnaddress" => Plan::Scalars(Intrinsic::ReturnAddress, 1),
        "frameaddress" => Plan::Scalars(Intrinsic::FrameAddress, 1),
        "load.relative" => Plan::LoadRelative,
        _ => return None,
    })
}

fn vectors(name: &str) -> Option<Plan> {
    let (_, reduction) = match name.strip_prefix("experimental.").unwrap_or(name).split_once("vector.reduce.") {
        Some(("", reduction)) => ("", reduction),
        _ => return vector_shapes(name),
    };
    let (reduction, has_start) = match reduction {
        "add" => (Reduction::Integer(BinaryOp::Add), false),
        "mul" => (Reduction::Integer(BinaryOp::Mul), false),
        "and" => (Reduction::Integer(BinaryOp::And), false),
        "or" => (Reduction::Integer(BinaryOp::Or), false),
        "xor" => (Reduction::Integer(BinaryOp::Xor), false),
        "smax" => (Reduction::Extreme(IntPredicate::Sgt), false),
        "smin" => (Reduction::Extreme(IntPredicate::Slt), false),
        "umax" => (Reduction::Extreme(IntPredicate::Ugt), false),
        "umin" => (Reduction::Extreme(IntPredicate::Ult), false),
        "fadd" => (Reduction::Float(FloatOp::Add), true),
        "fmul" => (Reduction::Float(FloatOp::Mul), true),
        "fmax" => (Reduction::FloatExtreme(Intrinsic::MaxNum), false),
        "fmin" => (Reduction::FloatExtreme(Intrinsic::MinNum), false),
        "fmaximum" => (Reduction::FloatExtreme(Intrinsic::Maximum), false),
        "fminimum" => (Reduction::FloatExtreme(Intrinsic::Minimum), false),
        _ => return None,
    };
    Some(Plan::Reduce(reduction, has_start))
}

fn vector_shapes(name: &str) -> Option<Plan> {
    Some(match name.strip_prefix("experimental.").unwrap_or(name) {
        "masked.load" => Plan::MaskedLoad,
        "masked.store" => Plan::MaskedStore,
        "masked.gather" => Plan::Gather,
        "masked.scatter" => Plan::Scatter,
        "vector.insert" => Plan::VectorInsert,
        "vector.extract" => Plan::VectorExtract,
        "vector.reverse" => Plan::VectorReverse,
        "stepvector" => Plan::StepVector,
        "cttz.elts" => Plan::FirstLane,
        _ => return None,
    })
}

/// What depends on the machine or ends the program.
fn machine(name: &str) -> Option<Plan> {
    Some(match name {
        "trap" | "debugtrap" | "ubsantrap" => Plan::Scalars(Intrinsic::Trap, 0),
        "readcyclecounter" | "readsteadycounter" | "x86.rdtsc" => Plan::Scalars(Intrinsic::CycleCounter, 0),
        "x86.sse2.pause" | "x86.sse2.lfence" | "x86.sse2.mfence" | "x86.sse.sfence" => Plan::Nothing,
        "x86.sse2.clflush" => Plan::Nothing,
        _ => return None,
    })
}

/// Operations that are instructions elsewhere, and intrinsics where the program may look at the rounding mode.
fn constrained_plan(name: &str) -> Option<Plan> {
    Some(match name {
        "fadd" => Plan::Float(FloatOp::Add),
        "fsub" => Plan::Float(FloatOp::Sub),
        "fmul" => Plan::Float(FloatOp::Mul),
        "fdiv" => Plan::Float(FloatOp::Div),
        "frem" => Plan::Float(FloatOp::Rem),
        "fcmp" | "fcmps" => Plan::CompareFloats,
        "fptosi" => Plan::Convert(CastOp::FloatToSigned),
        "fptoui" => Plan::Convert(CastOp::FloatToUnsigned),
        "sitofp" => Plan::Convert(CastOp::SignedToFloat),
        "uitofp" => Plan::Convert(CastOp::UnsignedToFloat),
        "fptrunc" => Plan::Convert(CastOp::FloatTruncate),
        "fpext" => Plan::Convert(CastOp::FloatExtend),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_behind_the_name_do_not_matter() {
        assert_eq!(plan("llvm.memcpy.p0i8.p0i8.i64"), Plan::Copy(Intrinsic::MemoryCopy));
        assert_eq!(plan("llvm.memcpy.inline.p0.p0.i64"), Plan::Copy(Intrinsic::MemoryCopy));
        assert_eq!(plan("llvm.va_start"), plan("llvm.va_start.p0"));
        assert_eq!(plan("llvm.vector.reduce.add.v4i32"), Plan::Reduce(Reduction::Integer(BinaryOp::Add), false));
        assert_eq!(plan("llvm.experimental.constrained.fadd.f64"), Plan::Float(FloatOp::Add));
        assert_eq!(plan("llvm.experimental.constrained.trunc.f64"), Plan::Lanes(Intrinsic::Truncate, 1));
        assert_eq!(plan("llvm.x86.avx2.gather.d.d"), Plan::Unsupported);
        assert_eq!(plan("llvm.dbg.declare"), Plan::Debug);
    }
}
