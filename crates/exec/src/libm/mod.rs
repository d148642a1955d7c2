//! `<math.h>` and `<complex.h>` by the host's libm, on raw bits: which functions there are, their signatures, and calling them
//! natively. Loading arguments from the program's memory and storing what goes through pointers is the caller's work.
//!
//! A complex function is listed under its name after `__symcrete_`, takes its numbers as real and imaginary parts, and gives its
//! result through two pointers. The C runtime calls it so.
//!
//! The rounding mode is always to nearest. A result has the very bits that a native program linked with this machine's libm
//! gets: signs and payloads of NaN, and all 80 bits of a long double.

mod shim;
#[cfg(test)]
mod tests;

use shim::{NativeFunction, SLOTS};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::LazyLock;

use symcrete_expr::FloatKind;
use symcrete_expr::dag::{self, NumberKind};

/// The type of a number that a function takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `float`, 32 bits.
    Single,
    /// `double`, 64 bits.
    Double,
    /// x87 `long double`, 80 bits.
    X87,
    /// `int` or `unsigned`, 32 bits.
    Int,
    /// `long`: 64 bits here. For a program with 32-bit longs, sign-extend an argument and truncate a result.
    Long,
    /// `long long`, 64 bits.
    LongLong,
}

impl Kind {
    /// The number of significant bits in a slot that holds such a number; the others are zero.
    pub fn bits(self) -> u32 {
        match self {
            Kind::Single | Kind::Int => 32,
            Kind::Double | Kind::Long | Kind::LongLong => 64,
            Kind::X87 => 80,
        }
    }

    fn of_letter(letter: char) -> Option<Kind> {
        Some(match letter {
            'f' => Kind::Single,
            'd' => Kind::Double,
            'x' => Kind::X87,
            'i' => Kind::Int,
            'l' => Kind::Long,
            'q' => Kind::LongLong,
            _ => return None,
        })
    }
}

/// What a function takes in one place of its parameter list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A number, passed by value.
    Value(Kind),
    /// A pointer through which the function gives a number. Its slot in the arguments is ignored; the caller stores
    /// [`Outcome::outputs`] there.
    Output(Kind),
    /// A pointer to a number that the function reads. The caller loads it and passes the number.
    Input(Kind),
    /// A `const char *` (only `nan`, `nanf` and `nanl`): see [`Function::call_with_text`].
    Text,
}

/// Types of parameters and result of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// One for each parameter in C, in its order.
    pub parameters: Vec<Parameter>,
    /// None for `void` (the `sincos` family, and complex results).
    pub result: Option<Kind>,
    /// Whether the call sets the program's `signgam`.
    pub sets_signgam: bool,
}

/// What a call gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The bits of the result, zero-extended; 0 for `void`.
    pub result: u128,
    /// The bits of what goes through [`Parameter::Output`] pointers, in the order of the parameters, zero-extended.
    pub outputs: [u128; 2],
    /// The new value of `signgam`, from functions that set it.
    pub signgam: Option<i32>,
    /// The errno that the call set (EDOM or ERANGE), or 0 where it left errno alone.
    pub errno: i32,
}

/// What part of a call's outcome a node of an expression stands for. Each is a function of its own, with a name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Result,
    Output(usize),
    Errno,
    SignGamma,
}

impl Part {
    pub fn name(self, function: &str) -> String {
        match self {
            Part::Result => function.to_owned(),
            Part::Output(at) => format!("{function}.{at}"),
            Part::Errno => format!("{function}.errno"),
            Part::SignGamma => format!("{function}.signgam"),
        }
    }

    /// The function and the part that a name means.
    pub fn of_name(name: &str) -> (&str, Part) {
        match name.split_once('.') {
            Some((base, "errno")) => (base, Part::Errno),
            Some((base, "signgam")) => (base, Part::SignGamma),
            Some((base, "0")) => (base, Part::Output(0)),
            Some((base, "1")) => (base, Part::Output(1)),
            _ => (name, Part::Result),
        }
    }

    pub fn of(self, outcome: &Outcome) -> u128 {
        match self {
            Part::Result => outcome.result,
            Part::Output(at) => outcome.outputs[at],
            Part::Errno => u128::from(outcome.errno as u32),
            Part::SignGamma => u128::from(outcome.signgam.unwrap_or(0) as u32),
        }
    }

    /// Its type, if the function has such a part.
    pub fn kind(self, function: &Function) -> Option<Kind> {
        let signature = function.signature();
        let mut outputs = signature.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Output(kind) => Some(*kind),
            _ => None,
        });
        match self {
            Part::Result => signature.result,
            Part::Output(at) => outputs.nth(at),
            Part::Errno => Some(Kind::Int),
            Part::SignGamma => signature.sets_signgam.then_some(Kind::Int),
        }
    }
}

/// A function of `<math.h>` or `<complex.h>`.
pub struct Function {
    name: &'static str,
    signature: Signature,
    native: NativeFunction,
    direct: Option<dag::Native>,
}

impl Function {
    /// The name under which programs and the runtime call the function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Calls the function. `arguments` holds one slot for each parameter: the bits of its number in the low bits.
    ///
    /// # Panics
    /// If there are more or fewer arguments than parameters.
    pub fn call(&self, arguments: &[u128]) -> Outcome {
        assert_eq!(arguments.len(), self.signature.parameters.len(), "arguments of {}", self.name);
        let mut slots = [0; SLOTS];
        slots[..arguments.len()].copy_from_slice(arguments);
        self.outcome(self.native.call(slots, None))
    }

    /// Calls a function with a [`Parameter::Text`] (`nan` and its like) on the string up to the first NUL in `text`.
    pub fn call_with_text(&self, text: &[u8]) -> Outcome {
        let until_nul = text.split(|&byte| byte == 0).next().unwrap_or_default();
        let text = CString::new(until_nul).unwrap_or_default();
        self.outcome(self.native.call([0; SLOTS], Some(&text)))
    }

    /// How it reads its arguments, what goes through pointers included, and how its result is meant.
    pub fn number_kinds(&self) -> dag::Signature {
        let number = |kind: Kind| match kind {
            Kind::Single => NumberKind::Float(FloatKind::Single),
            Kind::Double => NumberKind::Float(FloatKind::Double),
            Kind::X87 => NumberKind::Float(FloatKind::X87),
            Kind::Int | Kind::Long | Kind::LongLong => NumberKind::Signed,
        };
        let parameter = |parameter: &Parameter| match parameter {
            Parameter::Value(kind) | Parameter::Input(kind) => number(*kind),
            Parameter::Output(_) | Parameter::Text => NumberKind::Unsigned,
        };
        let parameters = self.signature.parameters.iter().map(parameter).collect();
        let result = self.signature.result.map_or(NumberKind::Signed, number);
        dag::Signature { parameters, result, is_slow: false }
    }

    /// The function itself, if it takes and gives one kind of float: without the shim, and with the same result.
    pub fn direct(&self) -> Option<dag::Native> {
        self.direct
    }

    fn outcome(&self, (slots, errno): ([u128; SLOTS], i32)) -> Outcome {
        let [result, first, second, ..] = slots;
        if self.signature.sets_signgam {
            return Outcome { result, outputs: [0, 0], signgam: Some(first as i32), errno };
        }
        Outcome { result, outputs: [first, second], signgam: None, errno }
    }
}

/// The function that a program means by `name`: a name of `<math.h>`, or one of the aliases that headers and compilers use
/// (`pow10`, `__exp_finite`, `sinf64`).
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.get(name).or_else(|| FUNCTIONS.get(alias(name)?.as_str()))
}

/// All functions, by name. Aliases are not among them.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.values()
}

static FUNCTIONS: LazyLock<BTreeMap<&'static str, Function>> = LazyLock::new(|| {
    let parsed = shim::entries().filter_map(|entry| {
        let signature = parse_signature(entry.signature)?;
        let (name, native, direct) = (entry.name, entry.function, entry.direct);
        Some((name, Function { name, signature, native, direct }))
    });
    parsed.collect()
});

/// Reads the letters that shim.c describes.
fn parse_signature(text: &str) -> Option<Signature> {
    let (result, parameters) = text.split_once(':')?;
    let sets_signgam = parameters.ends_with('!');
    let mut letters = parameters.trim_end_matches('!').chars();
    let mut parameters = Vec::new();
    while let Some(letter) = letters.next() {
        parameters.push(match letter {
            '>' => Parameter::Output(Kind::of_letter(letters.next()?)?),
            '<' => Parameter::Input(Kind::of_letter(letters.next()?)?),
            's' => Parameter::Text,
            _ => Parameter::Value(Kind::of_letter(letter)?),
        });
    }
    Some(Signature { parameters, result: Kind::of_letter(result.chars().next()?), sets_signgam })
}

/// The name in `<math.h>` of a function that is also known as `name`.
fn alias(name: &str) -> Option<String> {
    // glibc before 2.27 had these; exp10 is the same function.
    if let Some(suffix @ ("" | "f" | "l")) = name.strip_prefix("pow10") {
        return Some(format!("exp10{suffix}"));
    }
    // What -ffast-math called with headers of glibc before 2.31.
    if let Some(finite) = name.strip_prefix("__").and_then(|name| name.strip_suffix("_finite")) {
        return Some(finite.to_owned());
    }
    // Names for _Float32, _Float64, _Float32x and _Float64x, which are the formats of float, double, double and long double.
    let (stem, reentrant) = name.strip_suffix("_r").map_or((name, ""), |stem| (stem, "_r"));
    [("f32", "f"), ("f64", ""), ("f32x", ""), ("f64x", "l")]
        .iter()
        .find_map(|(suffix, letter)| Some(format!("{}{letter}{reentrant}", stem.strip_suffix(suffix)?)))
}
