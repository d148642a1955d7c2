//! Intrinsics: what compilers call like functions and processors do in an instruction.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};
use symcrete_expr::{Bits, Value, word};
use symcrete_ir::{Call, Intrinsic, Type};
use symcrete_memory::Site;

use super::symbolic::Symbolic;
use super::{Stop, access, checks, floats, needs_word};
use crate::Executor;
use crate::outcome::Ended;
use crate::state::State;

/// Where the frames of a program would begin.
const STACK_TOP: u64 = 0x7FFF_FFFF_0000;
const STACK_TOP_32: u64 = 0xFFFF_0000;

type Results = SmallVec<[Value; 2]>;

impl Executor {
    pub(crate) fn intrinsic(
        &mut self,
        state: &mut State,
        call: Call,
        intrinsic: Intrinsic,
        ty: Type,
    ) -> Result<Results, Stop> {
        let data = &self.image.body(state.top.function).calls[call];
        let args: SmallVec<[Value; 4]> = data.args.iter().map(|arg| self.image.value(&state.top, *arg)).collect();
        let need = |at: usize| match &args[at] {
            Value::Word(bits) => Ok(*bits),
            other => needs_word(data.args[at], other.clone()),
        };
        let width = u32::from(ty.bits(self.image.pointer_bits()));
        let is_own = !self.image.program.functions[state.top.function].runtime;
        if intrinsic == Intrinsic::Abs && self.config.signed_overflow && is_own {
            let mut symbolic = Symbolic { arena: &mut self.arena, notes: &mut self.notes };
            checks::check_absolute(&mut symbolic, &state.known, width, &args)?;
        }
        match intrinsic {
            Intrinsic::MemoryCopy | Intrinsic::MemoryMove => {
                state.memory.copy(need(0)?, need(1)?, need(2)?)?;
                Ok(smallvec![])
            }
            Intrinsic::MemorySet => {
                let (to, bytes) = (need(0)?, need(2)?);
                match &args[1] {
                    Value::Expr(byte) => access::fill(&mut state.memory, to, *byte, bytes)?,
                    _ => state.memory.fill(to, need(1)? as u8, bytes)?,
                }
                Ok(smallvec![])
            }
            Intrinsic::VaStart => {
                self.start_variadic(state, need(0)?)?;
                Ok(smallvec![])
            }
            Intrinsic::VaCopy => {
                let bytes = if self.image.pointer_bits() == 64 { 24 } else { 4 };
                state.memory.copy(need(0)?, need(1)?, bytes)?;
                Ok(smallvec![])
            }
            Intrinsic::VaArg => {
                let list = need(0)?;
                Ok(smallvec![self.next_variadic(state, list, ty)?])
            }
            Intrinsic::VaEnd => Ok(smallvec![]),
            Intrinsic::StackSave => Ok(smallvec![Value::Word(state.top.stack_objects.len() as u64)]),
            Intrinsic::StackRestore => {
                self.restore_stack(state, need(0)?);
                Ok(smallvec![])
            }
            // Frames have no address of their own; any that belongs to the program does for the caller's.
            Intrinsic::ReturnAddress => Ok(smallvec![Value::Word(self.image.function_address(state.top.function))]),
            // Programs measure by it how deep they are: it falls as the calls nest, and nothing is there.
            Intrinsic::FrameAddress => {
                let top = if self.image.pointer_bits() == 64 { STACK_TOP } else { STACK_TOP_32 };
                Ok(smallvec![Value::Word((top - state.stack_bytes.min(top)) & !15)])
            }
            Intrinsic::Trap => Err(Ended::Trap.into()),
            Intrinsic::Assume => Ok(smallvec![]),
            Intrinsic::CycleCounter => Ok(smallvec![Value::Word(state.steps)]),
            Intrinsic::PointerMask if args.iter().any(|arg| matches!(arg, Value::Expr(_))) => {
                Ok(smallvec![self.symbolic().binary(symcrete_ir::BinaryOp::And, width, &args[0], &args[1])])
            }
            Intrinsic::PointerMask => {
                Ok(smallvec![super::arithmetic::binary(symcrete_ir::BinaryOp::And, width as u16, &args[0], &args[1])?])
            }
            _ if args.iter().any(|arg| matches!(arg, Value::Expr(_))) => {
                let (pointer_bits, result) = (self.image.pointer_bits(), data.result_types.first().copied());
                let mut symbolic = Symbolic { arena: &mut self.arena, notes: &mut self.notes };
                Ok(symbolic.intrinsic(intrinsic, ty, pointer_bits, &args, result))
            }
            _ => match floats::intrinsic(intrinsic, ty, &args, data.result_types.first().copied()) {
                Some(value) => Ok(smallvec![value]),
                None => Ok(integer(intrinsic, width, &args, data.result_types.first().copied())),
            },
        }
    }

    /// Fills a `va_list`. Every argument is found where those stand that did not fit into registers.
    fn start_variadic(&self, state: &mut State, list: u64) -> Result<(), Stop> {
        let area = state.top.variadic;
        if self.image.pointer_bits() == 32 {
            state.memory.write_word(list, 4, area)?;
            return Ok(());
        }
        // x86-64: gp_offset and fp_offset past the register save area, overflow_arg_area, reg_save_area.
        state.memory.write_word(list, 4, 48)?;
        state.memory.write_word(list + 4, 4, 176)?;
        state.memory.write_word(list + 8, 8, area)?;
        state.memory.write_word(list + 16, 8, 0)?;
        Ok(())
    }

    /// `va_arg` where the compiler left it to the target.
    fn next_variadic(&mut self, state: &mut State, list: u64, ty: Type) -> Result<Value, Stop> {
        let pointer_bits = self.image.pointer_bits();
        let pointer_bytes = self.image.pointer_bytes();
        let at = if pointer_bits == 64 { list + 8 } else { list };
        let (bytes, align) = super::calls::variadic_slot(ty, pointer_bits);
        let area = state.memory.read_word(at, pointer_bytes)?.bits().next_multiple_of(align);
        let value = access::load(&mut state.memory, &mut self.symbolic(), area, ty, pointer_bits)?;
        state.memory.write_word(at, pointer_bytes, area + bytes)?;
        Ok(value)
    }

    /// Releases what was allocated on the frame's stack since the matching save.
    fn restore_stack(&self, state: &mut State, saved: u64) {
        let frame = Rc::make_mut(&mut state.top);
        let keep = usize::try_from(saved).unwrap_or(usize::MAX).min(frame.stack_objects.len());
        for object in frame.stack_objects.drain(keep..) {
            if let Some(info) = state.memory.info(object) {
                // One whose size depends on inputs was not counted.
                let counted = if state.sizes.get(info.id).is_some() { 0 } else { info.size };
                state.stack_bytes = state.stack_bytes.saturating_sub(counted);
            }
            state.memory.release(object, Site(0));
        }
    }
}

/// Integer intrinsics: words by the short way, everything else bit by bit.
fn integer(intrinsic: Intrinsic, width: u32, args: &[Value], result: Option<Type>) -> Results {
    if width <= 64
        && let [Value::Word(a), rest @ ..] = args
        && rest.iter().all(|arg| matches!(arg, Value::Word(_)))
    {
        let rest = |at: usize| rest.get(at).map_or(0, Value::low_word);
        return words(intrinsic, width, *a, rest(0), rest(1), result);
    }
    let bits: SmallVec<[Bits; 3]> = args.iter().map(|arg| arg.to_bits(width)).collect();
    let results = wide(intrinsic, &bits, width, result);
    let undefined = args.iter().find(|arg| !arg.is_defined());
    let value = |bits| match undefined {
        Some(arg) => Value::tainted(bits, arg.origin()),
        None => Value::from_bits(bits),
    };
    results.into_iter().map(value).collect()
}

fn words(intrinsic: Intrinsic, width: u32, a: u64, b: u64, c: u64, result: Option<Type>) -> Results {
    let pair = |(bits, flag): (u64, bool)| smallvec![Value::Word(bits), Value::Word(u64::from(flag))];
    // Its type is not that of the operands.
    let ordering = |ordering: std::cmp::Ordering| -> Results {
        let bits = Bits::from_u64(64, ordering as i8 as i64 as u64);
        smallvec![Value::from_bits(sized(bits, ordering_width(result)))]
    };
    let bits = match intrinsic {
        Intrinsic::AddOverflowSigned => return pair(word::add_overflow_signed(width, a, b)),
        Intrinsic::AddOverflowUnsigned => return pair(word::add_overflow_unsigned(width, a, b)),
        Intrinsic::SubOverflowSigned => return pair(word::sub_overflow_signed(width, a, b)),
        Intrinsic::SubOverflowUnsigned => return pair(word::sub_overflow_unsigned(width, a, b)),
        Intrinsic::MulOverflowSigned => return pair(word::mul_overflow_signed(width, a, b)),
        Intrinsic::MulOverflowUnsigned => return pair(word::mul_overflow_unsigned(width, a, b)),
        Intrinsic::AddSaturateSigned => word::add_saturate_signed(width, a, b),
        Intrinsic::AddSaturateUnsigned => word::add_saturate_unsigned(width, a, b),
        Intrinsic::SubSaturateSigned => word::sub_saturate_signed(width, a, b),
        Intrinsic::SubSaturateUnsigned => word::sub_saturate_unsigned(width, a, b),
        Intrinsic::ShlSaturateSigned => word::shl_saturate_signed(width, a, b),
        Intrinsic::ShlSaturateUnsigned => word::shl_saturate_unsigned(width, a, b),
        Intrinsic::MinSigned => word::min_signed(width, a, b),
        Intrinsic::MaxSigned => word::max_signed(width, a, b),
        Intrinsic::MinUnsigned => word::min_unsigned(a, b),
        Intrinsic::MaxUnsigned => word::max_unsigned(a, b),
        Intrinsic::Abs => word::abs(width, a),
        Intrinsic::CountOnes => word::count_ones(a),
        Intrinsic::LeadingZeros => word::leading_zeros(width, a),
        Intrinsic::TrailingZeros => word::trailing_zeros(width, a),
        Intrinsic::SwapBytes => word::swap_bytes(width, a),
        Intrinsic::ReverseBits => word::reverse_bits(width, a),
        Intrinsic::FunnelShiftLeft => word::funnel_shift_left(width, a, b, c),
        Intrinsic::FunnelShiftRight => word::funnel_shift_right(width, a, b, c),
        Intrinsic::CompareSigned => return ordering(word::compare_signed(width, a, b)),
        Intrinsic::CompareUnsigned => return ordering(word::compare_unsigned(a, b)),
        other => unreachable!("{other:?} is not an integer intrinsic"),
    };
    smallvec![Value::Word(bits)]
}

/// The width of what a comparison gives: -1, 0 or 1.
fn ordering_width(result: Option<Type>) -> u32 {
    result.map_or(8, |ty| u32::from(ty.int_bits()))
}

fn sized(bits: Bits, width: u32) -> Bits {
    if width <= bits.width() { bits.trunc(width) } else { bits.sext(width) }
}

fn wide(intrinsic: Intrinsic, args: &[Bits], width: u32, result: Option<Type>) -> SmallVec<[Bits; 2]> {
    let (a, b) = (&args[0], args.get(1).unwrap_or(&args[0]));
    let pair = |(bits, flag): (Bits, bool)| smallvec![bits, Bits::from_u64(1, u64::from(flag))];
    let count = |count: u32| Bits::from_u64(width, u64::from(count));
    let ordering =
        |ordering: std::cmp::Ordering| sized(Bits::from_u64(64, ordering as i8 as i64 as u64), ordering_width(result));
    let bits = match intrinsic {
        Intrinsic::AddOverflowSigned => return pair(a.add_overflow_signed(b)),
        Intrinsic::AddOverflowUnsigned => return pair(a.add_overflow_unsigned(b)),
        Intrinsic::SubOverflowSigned => return pair(a.sub_overflow_signed(b)),
        Intrinsic::SubOverflowUnsigned => return pair(a.sub_overflow_unsigned(b)),
        Intrinsic::MulOverflowSigned => return pair(a.mul_overflow_signed(b)),
        Intrinsic::MulOverflowUnsigned => return pair(a.mul_overflow_unsigned(b)),
        Intrinsic::AddSaturateSigned => a.add_saturate_signed(b),
        Intrinsic::AddSaturateUnsigned => a.add_saturate_unsigned(b),
        Intrinsic::SubSaturateSigned => a.sub_saturate_signed(b),
        Intrinsic::SubSaturateUnsigned => a.sub_saturate_unsigned(b),
        Intrinsic::ShlSaturateSigned => a.shl_saturate_signed(b.low_u64()),
        Intrinsic::ShlSaturateUnsigned => a.shl_saturate_unsigned(b.low_u64()),
        Intrinsic::MinSigned => a.min_signed(b),
        Intrinsic::MaxSigned => a.max_signed(b),
        Intrinsic::MinUnsigned => a.min_unsigned(b),
        Intrinsic::MaxUnsigned => a.max_unsigned(b),
        Intrinsic::Abs => a.abs(),
        Intrinsic::CountOnes => count(a.count_ones()),
        Intrinsic::LeadingZeros => count(a.leading_zeros()),
        Intrinsic::TrailingZeros => count(a.trailing_zeros()),
        Intrinsic::SwapBytes => a.swap_bytes(),
        Intrinsic::ReverseBits => a.reverse_bits(),
        Intrinsic::FunnelShiftLeft => a.funnel_shift_left(b, args.get(2).unwrap_or(b)),
        Intrinsic::FunnelShiftRight => a.funnel_shift_right(b, args.get(2).unwrap_or(b)),
        Intrinsic::CompareSigned => ordering(a.compare_signed(b)),
        Intrinsic::CompareUnsigned => ordering(a.compare_unsigned(b)),
        other => unreachable!("{other:?} is not an integer intrinsic"),
    };
    smallvec![bits]
}

#[cfg(test)]
mod tests {
    use symcrete_expr::Arena;
    use symcrete_ir::FloatKind;

    use super::*;

    /// What is computed from integers and gives one or two of them, beside what has an effect or looks at floats.
    fn on_integers() -> impl Iterator<Item = Intrinsic> {
        use Intrinsic::*;
        Intrinsic::ALL.iter().copied().filter(|intrinsic| {
            let has_effects = matches!(
                intrinsic,
                MemoryCopy | MemoryMove | MemorySet | VaStart | VaEnd | VaCopy | VaArg | StackSave | StackRestore
            );
            let asks = matches!(intrinsic, ReturnAddress | FrameAddress | Trap | Assume | CycleCounter);
            let kinds = [FloatKind::Single, FloatKind::Double].map(Type::float);
            let values = [Value::Word(0), Value::Word(0), Value::Word(0)];
            let is_float = floats::intrinsic(*intrinsic, kinds[0], &values, Some(kinds[0])).is_some();
            !has_effects && !asks && !is_float && *intrinsic != PointerMask
        })
    }

    fn result_types(intrinsic: Intrinsic, width: u16) -> Vec<Type> {
        match intrinsic {
            Intrinsic::CompareSigned | Intrinsic::CompareUnsigned => [2, 8, 16, 32, 64, 128].map(Type::int).to_vec(),
            _ => vec![Type::int(width)],
        }
    }

    /// Words, wide values and expressions are the same number, of the width that the call says, and of one bit for whether it wrapped.
    #[test]
    fn results_have_the_width_of_their_type() {
        let mut count = 0;
        for (intrinsic, width) in on_integers().flat_map(|it| [8u16, 16, 32, 64].map(|width| (it, width))) {
            let edges =
                [0, 1, 2, word::mask(width.into()), word::sign_bit(width.into()), word::sign_bit(width.into()) - 1];
            for (ty, (a, b)) in result_types(intrinsic, width).into_iter().flat_map(|ty| {
                edges.iter().flat_map(|a| edges.map(|b| (*a, b))).map(move |pair| (ty, pair)).collect::<Vec<_>>()
            }) {
                // Saturating shifts by too many bits have no value.
                let saturates = matches!(intrinsic, Intrinsic::ShlSaturateSigned | Intrinsic::ShlSaturateUnsigned);
                if saturates && b >= u64::from(width) {
                    continue;
                }
                let args = [Value::Word(a), Value::Word(b), Value::Word(3)];
                let short = integer(intrinsic, width.into(), &args, Some(ty));
                let bits: Vec<Bits> = args.iter().map(|arg| arg.to_bits(width.into())).collect();
                let long: Results =
                    wide(intrinsic, &bits, width.into(), Some(ty)).into_iter().map(Value::from_bits).collect();
                let widths = [u32::from(ty.int_bits()), 1];
                let shown = format!("{intrinsic:?} of {width} bits to {ty} on {a:#x} and {b:#x}");
                assert_eq!(short, long, "{shown}");
                for (value, width) in short.iter().zip(widths) {
                    let fits = match value {
                        Value::Word(bits) => width >= 64 || *bits >> width == 0,
                        other => other.to_bits(width).width() == width,
                    };
                    assert!(fits, "{shown}: {value:?}");
                }
                let (mut arena, mut notes) = (Arena::new(), Vec::new());
                let mut symbolic = Symbolic { arena: &mut arena, notes: &mut notes };
                let folded = symbolic.intrinsic(intrinsic, Type::int(width), 64, &args, Some(ty));
                assert_eq!(folded, short, "{shown}");
                count += 1;
            }
        }
        assert!(count > 18 * 4 * 36, "{count} cases");
    }
}
