//! The fast loop: operations on words. Leaves everything else to the general way, at the operation where it met it.

use symcrete_expr::float::{double, single};
use symcrete_expr::{Value, word};
use symcrete_ir::{BinaryOp, Call};
use symcrete_memory::{Memory, Word};

use super::arithmetic;
use crate::code::{Code, CodeSwitch, OpCode, Registers};
use crate::coverage::EdgeCoverage;

/// Why the fast loop came back; `pc` is the operation that did it, or the next one after a used-up budget.
pub(super) enum Exit {
    Budget,
    Call(Call),
    Return,
    /// To be executed by the general way.
    General,
}

/// Runs from `pc`. `CHECKED`: there are registers that are not words; an operation that touches one is left to the general way.
#[inline(never)]
pub(super) fn run<const CHECKED: bool>(
    code: &Code,
    registers: &mut Registers,
    memory: &mut Memory,
    pc: &mut u32,
    steps: &mut u64,
    limit: u64,
    covered: EdgeCoverage,
) -> Exit {
    let Registers { words, specials, .. } = registers;
    let words: &mut [u64] = words;
    let ops = &code.ops[..];
    let mut at = *pc as usize;
    let mut count = *steps;
    // Taking an edge: copies, then the target. `true` if an operand or result is not a word.
    macro_rules! leave_by {
        ($edge:expr) => {{
            let number: u32 = $edge;
            let edge = &code.edges[number as usize];
            let copies = &code.copies[edge.first_copy as usize..(edge.first_copy + edge.copies) as usize];
            if CHECKED
                && let Some(specials) = specials
                && copies.iter().any(|(to, from)| specials.has(*to) || specials.has(*from))
            {
                break Exit::General;
            }
            for (to, from) in copies {
                words[*to as usize] = words[*from as usize];
            }
            covered.mark(number);
            at = edge.target as usize;
            count += u64::from(edge.weight);
            if count >= limit {
                break Exit::Budget;
            }
        }};
    }
    let exit = loop {
        let op = &ops[at];
        if CHECKED
            && let Some(specials) = specials
            && (specials.has(op.a) || specials.has(op.b) || specials.has(op.dst))
            && !matches!(op.code, OpCode::Call | OpCode::Return | OpCode::Jump)
        {
            break Exit::General;
        }
        macro_rules! a {
            () => {
                words[op.a as usize]
            };
        }
        macro_rules! b {
            () => {
                words[op.b as usize]
            };
        }
        macro_rules! set {
            ($value:expr) => {{
                let value: u64 = $value;
                words[op.dst as usize] = value;
                at += 1;
            }};
        }
        macro_rules! signed {
            ($value:expr) => {
                (($value << op.x) as i64)
            };
        }
        macro_rules! branch_pair {
            ($condition:expr) => {{
                let (if_true, if_false) = code.pairs[op.c as usize];
                leave_by!(if $condition { if_true } else { if_false })
            }};
        }
        match op.code {
            OpCode::Add => set!(a!().wrapping_add(b!()) << op.x >> op.x),
            OpCode::Sub => set!(a!().wrapping_sub(b!()) << op.x >> op.x),
            OpCode::Mul => set!(a!().wrapping_mul(b!()) << op.x >> op.x),
            OpCode::And => set!(a!() & b!()),
            OpCode::Or => set!(a!() | b!()),
            OpCode::Xor => set!(a!() ^ b!()),
            OpCode::Binary => match shift_or_divide(op.y, u32::from(op.x), a!(), b!()) {
                Some(bits) => set!(bits),
                None => break Exit::General,
            },
            OpCode::Equal => set!(u64::from(a!() == b!())),
            OpCode::NotEqual => set!(u64::from(a!() != b!())),
            OpCode::LessUnsigned => set!(u64::from(a!() < b!())),
            OpCode::LessEqualUnsigned => set!(u64::from(a!() <= b!())),
            OpCode::LessSigned => set!(u64::from(signed!(a!()) < signed!(b!()))),
            OpCode::LessEqualSigned => set!(u64::from(signed!(a!()) <= signed!(b!()))),
            OpCode::SignExtend => set!(((signed!(a!()) >> op.x) as u64) << op.y >> op.y),
            OpCode::Truncate => set!(a!() << op.x >> op.x),
            OpCode::Move => set!(a!()),
            OpCode::Offset => set!(a!().wrapping_add(op.c as i32 as i64 as u64) << op.x >> op.x),
            OpCode::Index => {
                let index = signed!(b!()) >> op.x;
                set!(a!().wrapping_add(index.wrapping_mul(i64::from(op.c as i32)) as u64) << op.y >> op.y)
            }
            OpCode::Load => match memory.read_word(a!(), u32::from(op.x)) {
                Ok(Word::Defined(bits)) => set!(bits << op.y >> op.y),
                _ => break Exit::General,
            },
            OpCode::Store => match memory.write_word(a!(), u32::from(op.x), b!()) {
                Ok(()) => at += 1,
                Err(_) => break Exit::General,
            },
            OpCode::LoadIndex => {
                let index = signed!(b!()) >> op.x;
                let address = a!().wrapping_add(index.wrapping_mul(i64::from(op.c as i32)) as u64);
                match memory.read_word(address, u32::from(op.y)) {
                    Ok(Word::Defined(bits)) => set!(bits),
                    _ => break Exit::General,
                }
            }
            OpCode::StoreIndex => {
                let index = signed!(b!()) >> op.x;
                let address = a!().wrapping_add(index.wrapping_mul(i64::from(op.c as i32)) as u64);
                match memory.write_word(address, u32::from(op.y), words[op.dst as usize]) {
                    Ok(()) => at += 1,
                    Err(_) => break Exit::General,
                }
            }
            OpCode::LoadOffset => {
                let address = a!().wrapping_add(op.c as i32 as i64 as u64);
                match memory.read_word(address, u32::from(op.x)) {
                    Ok(Word::Defined(bits)) => set!(bits),
                    _ => break Exit::General,
                }
            }
            OpCode::StoreOffset => {
                let address = a!().wrapping_add(op.c as i32 as i64 as u64);
                match memory.write_word(address, u32::from(op.x), b!()) {
                    Ok(()) => at += 1,
                    Err(_) => break Exit::General,
                }
            }
            OpCode::Choice => {
                covered.choose(op.c, a!() != 0);
                at += 1;
            }
            OpCode::Select => {
                if CHECKED && specials.as_ref().is_some_and(|specials| specials.has(op.c)) {
                    break Exit::General;
                }
                set!(if a!() != 0 { b!() } else { words[op.c as usize] })
            }
            OpCode::DoubleAdd => set!(double::add(a!(), b!())),
            OpCode::DoubleSub => set!(double::sub(a!(), b!())),
            OpCode::DoubleMul => set!(double::mul(a!(), b!())),
            OpCode::DoubleDiv => set!(double::div(a!(), b!())),
            OpCode::SingleAdd => set!(single::add(a!(), b!())),
            OpCode::SingleSub => set!(single::sub(a!(), b!())),
            OpCode::SingleMul => set!(single::mul(a!(), b!())),
            OpCode::SingleDiv => set!(single::div(a!(), b!())),
            OpCode::DoubleCompare => set!(u64::from(double::compare(op.x, a!(), b!()))),
            OpCode::SingleCompare => set!(u64::from(single::compare(op.x, a!(), b!()))),
            OpCode::Convert => {
                let conversion = &code.conversions[op.c as usize];
                let value = arithmetic::cast(conversion.op, conversion.from, conversion.to, 64, &Value::Word(a!()));
                set!(value.low_word())
            }
            OpCode::Jump => leave_by!(op.c),
            OpCode::Branch => leave_by!(if a!() != 0 { op.b } else { op.c }),
            OpCode::BranchEqual => branch_pair!(a!() == b!()),
            OpCode::BranchLessUnsigned => branch_pair!(a!() < b!()),
            OpCode::BranchLessEqualUnsigned => branch_pair!(a!() <= b!()),
            OpCode::BranchLessSigned => branch_pair!(signed!(a!()) < signed!(b!())),
            OpCode::BranchLessEqualSigned => branch_pair!(signed!(a!()) <= signed!(b!())),
            OpCode::Switch => leave_by!(case(&code.switches[op.c as usize], a!())),
            OpCode::Call => break Exit::Call(Call::from_u32(op.c)),
            OpCode::Return => break Exit::Return,
            OpCode::General => break Exit::General,
        }
    };
    *pc = at as u32;
    *steps = count;
    exit
}

#[inline]
fn case(switch: &CodeSwitch, value: u64) -> u32 {
    match switch.cases.binary_search_by_key(&value, |case| case.0) {
        Ok(at) => switch.cases[at].1,
        Err(_) => switch.default,
    }
}

/// `None` where the program does something wrong, which the general way reports.
#[inline]
fn shift_or_divide(op: u8, width: u32, a: u64, b: u64) -> Option<u64> {
    const SHL: u8 = BinaryOp::Shl as u8;
    const LSHR: u8 = BinaryOp::LShr as u8;
    const ASHR: u8 = BinaryOp::AShr as u8;
    const UDIV: u8 = BinaryOp::UDiv as u8;
    const UREM: u8 = BinaryOp::URem as u8;
    const SDIV: u8 = BinaryOp::SDiv as u8;
    const SREM: u8 = BinaryOp::SRem as u8;
    match op {
        SHL => Some(word::shl(width, a, b)),
        LSHR => Some(word::lshr(width, a, b)),
        ASHR => Some(word::ashr(width, a, b)),
        UDIV => word::udiv(width, a, b),
        UREM => word::urem(width, a, b),
        SDIV if !word::sdiv_overflows(width, a, b) => word::sdiv(width, a, b),
        SREM if !word::sdiv_overflows(width, a, b) => word::srem(width, a, b),
        _ => None,
    }
}
