//! Operations that compilers call like functions and that the executor knows by heart.

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Overloaded intrinsics work on the type that stands beside them in `Callee::Intrinsic`.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Intrinsic {
            $($(#[$doc])* $name,)*
        }

        impl Intrinsic {
            pub const ALL: &[Intrinsic] = &[$(Intrinsic::$name,)*];
        }
    };
}

intrinsics! {
    // Memory: (destination, source or byte, length); a fourth argument, 1, if the accesses are volatile.
    MemoryCopy,
    MemoryMove,
    MemorySet,
    // Variable arguments: the address of a va_list.
    VaStart,
    VaEnd,
    VaCopy,
    /// `va_arg` as an instruction: reads the next argument of the given type.
    VaArg,
    // The dynamic stack.
    StackSave,
    StackRestore,
    ReturnAddress,
    FrameAddress,
    // Two results: the wrapped value, and whether it wrapped.
    AddOverflowSigned,
    AddOverflowUnsigned,
    SubOverflowSigned,
    SubOverflowUnsigned,
    MulOverflowSigned,
    MulOverflowUnsigned,
    // Saturating arithmetic.
    AddSaturateSigned,
    AddSaturateUnsigned,
    SubSaturateSigned,
    SubSaturateUnsigned,
    ShlSaturateSigned,
    ShlSaturateUnsigned,
    // Integers.
    MinSigned,
    MaxSigned,
    MinUnsigned,
    MaxUnsigned,
    /// (value, whether the least number is poison)
    Abs,
    CountOnes,
    /// (value, whether zero is poison)
    LeadingZeros,
    TrailingZeros,
    SwapBytes,
    ReverseBits,
    FunnelShiftLeft,
    FunnelShiftRight,
    /// -1, 0 or 1; the type is that of the operands, the result's type stands in the call.
    CompareSigned,
    CompareUnsigned,
    // Floats that are exact everywhere; what libm computes is a call to libm.
    Sqrt,
    FloatAbs,
    CopySign,
    Floor,
    Ceil,
    Truncate,
    Round,
    RoundEven,
    RoundCurrent,
    FusedMultiplyAdd,
    MinNum,
    MaxNum,
    Minimum,
    Maximum,
    /// (value, mask of classes)
    IsClass,
    FloatToSignedSaturating,
    FloatToUnsignedSaturating,
    /// (pointer, mask)
    PointerMask,
    /// Ends the program as an illegal instruction does.
    Trap,
    /// (condition): what the compiler was promised; a false one is undefined behaviour.
    Assume,
    /// A counter that only has to be plausible.
    CycleCounter,
}
