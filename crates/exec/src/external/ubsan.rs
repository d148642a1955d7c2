//! The functions that code calls which was compiled with `-fsanitize=undefined`: each says which check failed, and describes it in memory
//! (compiler-rt, `ubsan_handlers.h`). The program ends there, whether or not it was compiled to recover.

use smallvec::smallvec;
use symcrete_expr::{FloatKind, Value};
use symcrete_ir::Type;

use super::Context;
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::step::{Stop, access};
use crate::undefined::{Check, Kind, Known, Operand, Undefined};

pub const PREFIX: &str = "__ubsan_handle_";

/// A description is a list of these.
struct Data<'a, 'b> {
    context: &'a mut Context<'b>,
    at: u64,
}

/// A type as the compiler describes it: its name in quotes, and how to read its values.
struct Described {
    name: String,
    kind: Kind,
}

/// Executes a handler.
pub fn handle(context: &mut Context, function: &str) -> Result<Option<Value>, Stop> {
    let name = function.strip_prefix(PREFIX).unwrap_or(function);
    let name = name.strip_suffix("_abort").unwrap_or(name);
    // A miss in the cache of types is no failure: the handler would look at the type itself.
    if name == "dynamic_type_cache_miss" {
        return Ok(None);
    }
    let undefined = match name.strip_suffix("_minimal") {
        Some(name) => minimal(name),
        None => described(context, name)?,
    };
    Err(Ended::Undefined(Box::new(undefined)).into())
}

/// Whether a handler lets the program go on.
pub fn goes_on(function: &str) -> bool {
    function.contains("dynamic_type_cache_miss")
}

/// What is known of a failure that is not described.
fn minimal(name: &str) -> Undefined {
    let check = match name {
        "builtin_unreachable" => Check::Unreachable,
        "missing_return" => Check::MissingReturn,
        _ => Check::Other { name: name.replace('_', "-") },
    };
    Undefined::new(check, [])
}

fn described(context: &mut Context, name: &str) -> Result<Undefined, Stop> {
    let place = context.word(0)?;
    let pointer = u64::from(context.executor.image.pointer_bytes());
    // File, line and column come first.
    let mut data = Data { context, at: place + pointer + 8 };
    let version = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let name = version.strip_suffix("_v").unwrap_or(name);
    let (check, operands) = match name {
        "type_mismatch" => data.access()?,
        "alignment_assumption" => {
            // The place of the assumption stands before the type.
            data.at += pointer + 8;
            let ty = data.ty()?.name;
            (Check::Alignment { ty }, vec![data.pointer(1)?, data.plain(2)?])
        }
        "add_overflow" => data.arithmetic('+')?,
        "sub_overflow" => data.arithmetic('-')?,
        "mul_overflow" => data.arithmetic('*')?,
        "negate_overflow" => {
            let ty = data.ty()?;
            let signed = matches!(ty.kind, Kind::Integer { signed: true, .. });
            (Check::Negation { ty: ty.name, signed }, vec![data.operand(1, ty.kind)?])
        }
        "divrem_overflow" => {
            let ty = data.ty()?;
            let operands = vec![data.operand(1, ty.kind)?, data.operand(2, ty.kind)?];
            data.split_by_zero(&operands[1])?;
            (Check::Division { ty: ty.name }, operands)
        }
        "shift_out_of_bounds" => {
            let (value, amount) = (data.ty()?, data.ty()?);
            let bits = if let Kind::Integer { bits, .. } = value.kind { bits } else { 0 };
            let operands = vec![data.operand(1, value.kind)?, data.operand(2, amount.kind)?];
            (Check::Shift { ty: value.name, bits }, operands)
        }
        "out_of_bounds" => {
            let (array, index) = (data.ty()?, data.ty()?);
            (Check::Index { ty: array.name }, vec![data.operand(1, index.kind)?])
        }
        "local_out_of_bounds" => (Check::LocalIndex, Vec::new()),
        "builtin_unreachable" => (Check::Unreachable, Vec::new()),
        "missing_return" => (Check::MissingReturn, Vec::new()),
        "vla_bound_not_positive" => {
            let ty = data.ty()?;
            (Check::ArrayBound, vec![data.operand(1, ty.kind)?])
        }
        "float_cast_overflow" => {
            let (from, to) = (data.ty()?, data.ty()?);
            (Check::FloatCast { to: to.name }, vec![data.operand(1, from.kind)?])
        }
        "load_invalid_value" => {
            let ty = data.ty()?;
            (Check::InvalidValue { ty: ty.name }, vec![data.operand(1, ty.kind)?])
        }
        "invalid_builtin" => {
            let kinds = ["ctz()", "clz()", "assume"];
            let kind = data.byte()?;
            (Check::Builtin { name: kinds.get(usize::from(kind)).copied().unwrap_or("a builtin") }, Vec::new())
        }
        "nonnull_return" | "nullability_return" => (Check::NullReturned, Vec::new()),
        "nonnull_arg" | "nullability_arg" => {
            data.at += pointer + 8;
            (Check::NullArgument { number: data.number()? }, Vec::new())
        }
        "pointer_overflow" => (Check::PointerArithmetic, vec![data.pointer(1)?, data.pointer(2)?]),
        "function_type_mismatch" => {
            let ty = data.ty()?.name;
            (Check::FunctionType { ty, function: data.function()? }, Vec::new())
        }
        "implicit_conversion" => {
            let (from, to) = (data.ty()?, data.ty()?);
            let operands = vec![data.operand(1, from.kind)?, data.operand(2, to.kind)?];
            (Check::Conversion { from: from.name, to: to.name }, operands)
        }
        other => (Check::Other { name: other.replace('_', "-") }, Vec::new()),
    };
    Ok(Undefined::new(check, operands))
}

impl Data<'_, '_> {
    /// The next pointer of the description, to a type: kind and width in 16 bits each, then the name.
    fn ty(&mut self) -> Result<Described, Stop> {
        const INTEGER: u64 = 0;
        const FLOAT: u64 = 1;
        const BIT_INTEGER: u64 = 2;
        let bytes = self.context.executor.image.pointer_bytes();
        let place = self.read(self.at, bytes)?;
        self.at += u64::from(bytes);
        let (kind, info) = (self.read(place, 2)?, self.read(place + 2, 2)?);
        let name = self.context.text(place + 4, 1000)?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let integer = Kind::Integer { bits: 1 << (info >> 1).min(16), signed: info & 1 != 0 };
        let kind = match kind {
            INTEGER => integer,
            BIT_INTEGER => integer,
            FLOAT => match info {
                16 => Kind::Float(FloatKind::Half),
                32 => Kind::Float(FloatKind::Single),
                64 => Kind::Float(FloatKind::Double),
                80 | 96 | 128 => Kind::Float(FloatKind::X87),
                _ => Kind::Unknown,
            },
            _ => Kind::Unknown,
        };
        Ok(Described { name, kind })
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        self.at += 1;
        Ok(self.read(self.at - 1, 1)? as u8)
    }

    fn number(&mut self) -> Result<u32, Stop> {
        self.at += 4;
        Ok(self.read(self.at - 4, 4)? as u32)
    }

    fn read(&mut self, address: u64, bytes: u32) -> Result<u64, Stop> {
        Ok(self.context.state.memory.read_word(address, bytes)?.bits())
    }

    /// An argument, read as a value of a type: itself where it fits a register, and its address otherwise.
    fn operand(&mut self, at: usize, ty: Kind) -> Result<Operand, Stop> {
        let bits = match ty {
            Kind::Integer { bits, .. } => bits,
            Kind::Float(kind) => kind.bits(),
            Kind::Pointer | Kind::Unknown => u32::from(self.context.executor.image.pointer_bits()),
        };
        let pointer_bits = self.context.executor.image.pointer_bits();
        let value = match bits <= u32::from(pointer_bits) {
            true => self.context.value(at),
            false => {
                let address = self.context.word(at)?;
                let Context { executor, state, .. } = &mut *self.context;
                access::load(
                    &mut state.memory,
                    &mut executor.symbolic(),
                    address,
                    Type::int(bits as u16),
                    pointer_bits,
                )?
            }
        };
        let value = match value {
            Value::Expr(expr) => {
                let mut symbolic = self.context.executor.symbolic();
                Known::Open(symbolic.resize(expr, bits, false))
            }
            other => Known::Bits(other.to_bits(bits).low_u128()),
        };
        Ok(Operand { value, ty })
    }

    /// A division by zero and one whose quotient does not fit are two findings, so that the path forks here.
    fn split_by_zero(&mut self, divisor: &Operand) -> Result<(), Stop> {
        let Known::Open(divisor) = divisor.value else { return Ok(()) };
        let Context { executor, state, .. } = &mut *self.context;
        let zero = executor.symbolic().equals(divisor, 0);
        let other = executor.arena.not(zero);
        let is_known = |condition| state.known.contains(&Fact::Holds(condition));
        if executor.arena.as_word(zero).is_some() || is_known(zero) || is_known(other) {
            return Ok(());
        }
        let know = |condition| Alternative { condition, then: Then::Know(Fact::Holds(condition)) };
        Err(Stop::Fork(Fork { alternatives: smallvec![know(zero), know(other)] }))
    }

    fn pointer(&mut self, at: usize) -> Result<Operand, Stop> {
        self.operand(at, Kind::Pointer)
    }

    fn plain(&mut self, at: usize) -> Result<Operand, Stop> {
        let bits = u32::from(self.context.executor.image.pointer_bits());
        self.operand(at, Kind::Integer { bits, signed: false })
    }

    fn arithmetic(&mut self, operator: char) -> Result<(Check, Vec<Operand>), Stop> {
        let ty = self.ty()?;
        let signed = matches!(ty.kind, Kind::Integer { signed: true, .. });
        let operands = vec![self.operand(1, ty.kind)?, self.operand(2, ty.kind)?];
        Ok((Check::Arithmetic { operator, ty: ty.name, signed }, operands))
    }

    fn access(&mut self) -> Result<(Check, Vec<Operand>), Stop> {
        const KINDS: [&str; 12] = [
            "load of",
            "store to",
            "reference binding to",
            "member access within",
            "member call on",
            "constructor call on",
            "downcast of",
            "downcast of",
            "upcast of",
            "cast to virtual base of",
            "_Nonnull binding to",
            "dynamic operation on",
        ];
        let ty = self.ty()?.name;
        let align = 1 << self.byte()?.min(63);
        let what = KINDS.get(usize::from(self.byte()?)).copied().unwrap_or("use of");
        Ok((Check::Access { what, ty, align }, vec![self.pointer(1)?]))
    }

    /// The name of the function that an argument points to.
    fn function(&mut self) -> Result<String, Stop> {
        let address = self.context.word(1)?;
        let image = &self.context.executor.image;
        let name =
            image.function_at(address).map(|function| image.program.functions[function].source_name().to_owned());
        Ok(name.unwrap_or_else(|| format!("0x{address:012x}")))
    }
}
