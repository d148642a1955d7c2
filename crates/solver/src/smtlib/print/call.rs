//! Calls as SMT-LIB text: functions without a body, which a script that knows them takes for what they are.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_expr::dag::FunctionId;
use symcrete_expr::{Expr, FloatKind};

use super::{Printer, Shape, Written};
use crate::smtlib::{function, value};

/// The symbols of the functions that a script has declared.
#[derive(Default)]
pub(super) struct Names {
    /// By the function, and the widths of its arguments and its result.
    symbols: FxHashMap<(FunctionId, Vec<u32>), String>,
    taken: FxHashSet<String>,
}

impl Names {
    pub fn is_used(&self) -> bool {
        !self.taken.is_empty()
    }
}

impl Printer<'_> {
    /// On bits: nothing of a NaN may get lost.
    pub(super) fn write_call(&mut self, expr: Expr, function: FunctionId, arguments: &[Expr]) -> Written {
        let (texts, width) = (self.all_bits(arguments), self.arena.width(expr));
        let widths = arguments.iter().map(|argument| self.arena.width(*argument)).chain([width]).collect();
        let key = (function, widths);
        let symbol = match self.calls.symbols.get(&key) {
            Some(symbol) => symbol.clone(),
            None => {
                let name = self.arena.function(function).name.replace(|character| !is_quotable(character), "?");
                let sorts: Vec<String> =
                    key.1[..arguments.len()].iter().map(|width| value::bits_sort(*width)).collect();
                let symbol = self.free_symbol(&name);
                self.declare(&symbol, &sorts, &value::bits_sort(width), &name);
                self.calls.symbols.insert(key, symbol.clone());
                symbol
            }
        };
        // A function without parameters is a constant.
        let text = if texts.is_empty() { symbol } else { format!("({symbol} {texts})") };
        Written { text, shape: Shape::Bits }
    }

    /// What C calls `fmod`.
    pub(super) fn write_remainder(&mut self, kind: FloatKind, texts: &[String]) -> Written {
        let name = function::remainder_name(kind);
        if !self.calls.taken.contains(&name) {
            let sort = value::float_sort(kind);
            self.declare(&name, &[sort.clone(), sort.clone()], &sort, "fmod");
        }
        Written { text: format!("({name} {})", texts.join(" ")), shape: Shape::Float(kind) }
    }

    /// The name of a function, or one that begins with it.
    fn free_symbol(&self, name: &str) -> String {
        let plain = Some(value::symbol(name)).filter(|_| !is_reserved(name));
        let numbered = (2..).map(|number| format!("|{name}({number})|"));
        let symbol = plain.into_iter().chain(numbered).find(|symbol| !self.calls.taken.contains(symbol));
        // There is always one more number.
        symbol.unwrap_or_default()
    }

    fn declare(&mut self, symbol: &str, parameters: &[String], result: &str, stands_for: &str) {
        self.calls.taken.insert(symbol.to_owned());
        let parameters = parameters.join(" ");
        let _ = writeln!(
            self.lines,
            "(declare-fun {symbol} ({parameters}) {result}) ; any function, stands for {stands_for}()"
        );
    }
}

/// Whether a character may stand between bars, and in a comment.
fn is_quotable(character: char) -> bool {
    character != '|' && character != '\\' && !character.is_control()
}

/// Whether the text, or SMT-LIB, gives another meaning to a name.
fn is_reserved(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "!",
        "*",
        "+",
        "-",
        "/",
        "=",
        "=>",
        "_",
        "and",
        "as",
        "concat",
        "const",
        "distinct",
        "exists",
        "extract",
        "false",
        "forall",
        "fp",
        "ite",
        "let",
        "match",
        "not",
        "or",
        "par",
        "RNA",
        "RNE",
        "RTN",
        "RTP",
        "RTZ",
        "repeat",
        "rotate_left",
        "rotate_right",
        "select",
        "sign_extend",
        "store",
        "to_fp",
        "to_fp_unsigned",
        "true",
        "x87",
        "xor",
        "zero_extend",
    ];
    let numbered = |letter: char| {
        name.strip_prefix(letter).is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
    };
    let prefixes = ["bv", "fp.", "frem_", "roundNearest", "roundToward"];
    NAMES.contains(&name)
        || name.is_empty()
        || numbered('e')
        || numbered('v')
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
        || name.contains('(')
}
