//! `symcrete reach` on random programs whose answer was planted. Even numbers: inputs are chosen first, and the program
//! is built around them so that they reach the target. Odd numbers: conditions on every way to the target contradict
//! each other, for a reason that holds in wrapping arithmetic. No target of the first kind is called unreachable, and
//! none of the second is called reached.
//!
//! 30 programs of each kind; 500 with SYMCRETE_FULL=1. SYMCRETE_SEED=N looks at the program with this number alone.
#![allow(clippy::unwrap_used)]

mod support;

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value as Json;
use support::{failures, full, run, symcrete};

/// A type: its name, its bits, and whether it has a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind(&'static str, u32, bool);

const U8: Kind = Kind("u8", 8, false);
const I16: Kind = Kind("i16", 16, true);
const INT: Kind = Kind("int", 32, true);
const U32: Kind = Kind("u32", 32, false);
const I64: Kind = Kind("i64", 64, true);
const U64: Kind = Kind("u64", 64, false);
const DOUBLE: Kind = Kind("double", 64, false);
const KINDS: [Kind; 7] = [U8, I16, INT, U32, I64, U64, DOUBLE];
const WORDS: [Kind; 3] = [U32, U32, U64];

impl Kind {
    fn least(self) -> i128 {
        if self.2 { -(1 << (self.1 - 1)) } else { 0 }
    }

    fn most(self) -> i128 {
        self.least() + (1 << self.1) - 1
    }

    /// What is left of a number in this type.
    fn wrap(self, number: i128) -> i128 {
        let number = number & ((1 << self.1) - 1);
        if number > self.most() { number - (1 << self.1) } else { number }
    }

    /// The type in which C computes with operands of this one.
    fn promoted(self) -> Kind {
        if self.1 < 32 { INT } else { self }
    }
}

/// The value of an expression on the planted inputs; of a double, its bits.
#[derive(Clone, Copy, Debug)]
struct Value(Kind, i128);

impl Value {
    fn real(value: f64) -> Value {
        Value(DOUBLE, value.to_bits().into())
    }

    fn double(self) -> f64 {
        if self.0 == DOUBLE { f64::from_bits(self.1 as u64) } else { self.1 as f64 }
    }

    /// Converted to another type, but never from a double to an integer.
    fn to(self, kind: Kind) -> Value {
        if kind == DOUBLE { Value::real(self.double()) } else { Value(kind, kind.wrap(self.1)) }
    }

    /// A constant with this value.
    fn text(self) -> String {
        let Value(kind, number) = self.to(self.0.promoted());
        let suffix = ["", "u", "ll", "ull", ""][KINDS.iter().position(|&known| known == kind).unwrap() - 2];
        match number {
            _ if kind == DOUBLE && self.double() < 0.0 => format!("({:?})", self.double()),
            _ if kind == DOUBLE => format!("{:?}", self.double()),
            _ if kind.2 && number == kind.least() => format!("({}{suffix} - 1)", number + 1),
            ..0 => format!("({number}{suffix})"),
            _ => format!("{number}{suffix}"),
        }
    }
}

fn constant(kind: Kind, number: i128) -> String {
    Value(kind, number).to(kind.promoted()).text()
}

/// Operators from the weakest to the strongest.
const LEVELS: [&str; 10] = ["||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"];

fn level(operator: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.split(' ').any(|known| known == operator))
}

/// What C computes.
fn apply(a: Value, operator: &str, b: Value) -> Value {
    let rank = |value: Value| KINDS.iter().position(|&kind| kind == value.0.promoted()).unwrap();
    let kind = if matches!(operator, "<<" | ">>") { a.0.promoted() } else { KINDS[rank(a).max(rank(b))] };
    let ((x, y), (p, q)) = ((kind.wrap(a.1), kind.wrap(b.1)), (a.double(), b.double()));
    let order = if kind == DOUBLE { p.partial_cmp(&q) } else { Some(x.cmp(&y)) };
    let truth = |holds| Value(INT, i128::from(holds));
    let result = match operator {
        "<" => return truth(order == Some(Less)),
        "<=" => return truth(matches!(order, Some(Less | Equal))),
        ">" => return truth(order == Some(Greater)),
        ">=" => return truth(matches!(order, Some(Greater | Equal))),
        "==" => return truth(order == Some(Equal)),
        "!=" => return truth(order != Some(Equal)),
        "&&" => return truth(a.1 != 0 && b.1 != 0),
        "||" => return truth(a.1 != 0 || b.1 != 0),
        "+" if kind == DOUBLE => return Value::real(p + q),
        "-" if kind == DOUBLE => return Value::real(p - q),
        "*" if kind == DOUBLE => return Value::real(p * q),
        "+" => x + y,
        "-" => x - y,
        "*" => x.wrapping_mul(y),
        "/" => x / y,
        "%" => x % y,
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "<<" => x << y,
        ">>" => x >> y,
        _ => panic!("{operator}"),
    };
    Value(kind, kind.wrap(result))
}

/// Names with what follows them (as in `v[i].low`), constants, operators and parentheses.
fn tokens(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let named = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"_.[]".contains(letter));
        let length = match named.unwrap_or(rest.len()) {
            0 if rest.get(..2).is_some_and(|pair| level(pair).is_some()) => 2,
            0 => 1,
            length => length,
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

/// A function in the making, on the way to the target.
#[derive(Default)]
struct Frame {
    head: String,
    text: String,
    depth: usize,
    /// What closes the blocks that are open.
    closers: Vec<String>,
}

#[derive(Default)]
struct Generator {
    state: u64,
    reachable: bool,
    /// Globals and finished functions.
    text: String,
    /// The line of the target in it.
    line: usize,
    frames: Vec<Frame>,
    inputs: Vec<String>,
    /// What can be read here, and is not written again: the inputs and what was computed from them.
    pool: Vec<String>,
    /// What variables hold on the way to the target.
    values: HashMap<String, Value>,
    count: usize,
    /// Names outside of functions.
    names: Vec<String>,
    /// Whether there may be a loop of many rounds.
    long: bool,
    /// How many more conditions may be put between those that matter.
    spare: usize,
}

/// Writes lines into the function in the making.
macro_rules! line {
    ($generator:ident, $($text:tt)*) => {{
        let text = format!($($text)*);
        $generator.line(&text)
    }};
}

/// Writes lines before it.
macro_rules! outside {
    ($generator:ident, $($text:tt)*) => {
        writeln!($generator.text, $($text)*).unwrap()
    };
}

impl Generator {
    fn below(&mut self, count: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % count
    }

    fn small(&mut self, count: u64) -> i128 {
        self.below(count).into()
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }

    /// A number of this type, and often one at an edge.
    fn some(&mut self, kind: Kind) -> i128 {
        kind.wrap(match self.below(6) {
            0 => kind.most() - self.small(3),
            1 => kind.least() + self.small(3),
            2 => self.small(1_000),
            3 => 1 << self.below(kind.1.into()),
            _ => (self.small(1 << 32) << 32) ^ self.small(1 << 40),
        })
    }

    fn value(&self, text: &str) -> Value {
        let (tokens, mut at) = (tokens(text), 0);
        let value = self.parse(&tokens, &mut at, 0);
        assert_eq!(at, tokens.len(), "{text}");
        value
    }

    fn parse(&self, tokens: &[&str], at: &mut usize, least: usize) -> Value {
        *at += 1;
        let mut left = match tokens[*at - 1] {
            "(" => {
                let cast = KINDS.into_iter().find(|kind| kind.0 == tokens[*at]);
                *at += if cast.is_some() { 2 } else { 0 };
                let inner = self.parse(tokens, at, cast.map_or(0, |_| LEVELS.len()));
                *at += usize::from(cast.is_none());
                cast.map_or(inner, |kind| inner.to(kind))
            }
            "-" => apply(Value(INT, 0), "-", self.parse(tokens, at, LEVELS.len())),
            "~" => apply(Value(INT, -1), "^", self.parse(tokens, at, LEVELS.len())),
            "!" => apply(Value(INT, 0), "==", self.parse(tokens, at, LEVELS.len())),
            token if !token.starts_with(|letter: char| letter.is_ascii_digit()) => self.values[token],
            token if token.contains('.') => Value::real(token.parse().unwrap()),
            token => {
                let digits = token.trim_end_matches(char::is_alphabetic);
                let suffixes = [("", INT), ("u", U32), ("ll", I64), ("ull", U64)];
                let kind = suffixes.into_iter().find(|suffix| suffix.0 == &token[digits.len()..]).unwrap().1;
                Value(kind, digits.parse().unwrap())
            }
        };
        while let Some(&operator) = tokens.get(*at) {
            let Some(level) = level(operator).filter(|&level| level >= least) else { break };
            *at += 1;
            left = apply(left, operator, self.parse(tokens, at, level + 1));
        }
        left
    }

    fn holds(&self, condition: &str) -> bool {
        self.value(condition).1 != 0
    }

    fn line(&mut self, text: &str) {
        let frame = self.frames.last_mut().unwrap();
        for line in text.lines() {
            let _ = writeln!(frame.text, "{}{line}", "    ".repeat(frame.depth));
        }
    }

    fn open(&mut self, text: &str, closer: &str) {
        self.line(text);
        let frame = self.frames.last_mut().unwrap();
        frame.depth += 1;
        frame.closers.push(closer.to_owned());
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    /// A name outside of functions.
    fn outer(&mut self, prefix: &str) -> String {
        let name = self.fresh(prefix);
        self.names.push(name.clone());
        name
    }

    /// Remembers what a variable holds.
    fn set(&mut self, name: impl Into<String>, value: Value) -> String {
        let name = name.into();
        self.values.insert(name.clone(), value);
        name
    }

    fn local(&mut self, kind: Kind, text: &str) -> String {
        let (name, value) = (self.fresh("v"), self.value(text).to(kind));
        line!(self, "{} {name} = {text};", kind.0);
        self.set(name, value)
    }

    /// Values of the pool that are doubles, or that are not.
    fn pooled(&self, double: bool) -> Vec<String> {
        self.pool.iter().filter(|name| (self.value(name).0 == DOUBLE) == double).cloned().collect()
    }

    fn integer(&mut self) -> String {
        let all = self.pooled(false);
        self.pick(&all)
    }

    /// An expression of values of the pool; its constant divisors and shifts are in range.
    fn expression(&mut self, depth: u64) -> String {
        if depth == 0 {
            return self.integer();
        }
        let (a, b, c) = (self.expression(depth - 1), self.expression(depth - 1), self.integer());
        let kind = self.value(&a).0.promoted();
        let number = if self.one_in(3) { self.some(kind) } else { self.small(100) + 2 };
        let (fixed, small) = (constant(kind, number), self.below(30) + 1);
        match self.below(11) {
            0..=3 => format!("({a} {} {fixed})", self.pick(&["+", "^", "*", "&"])),
            4..=6 => format!("({a} {} {b})", self.pick(&["+", "-", "^"])),
            7 => format!("({a} {} {c})", self.pick(&["*", "|", "&"])),
            8 => format!("({a} {} {})", self.pick(&["/", "%"]), 2 * small + 1),
            9 if kind.2 => format!("(~{a})"),
            9 => format!("({a} {} {small})", self.pick(&["<<", ">>"])),
            _ => format!("({}){a}", self.pick(&KINDS[..5]).0),
        }
    }

    /// A condition on an expression that holds, or one that does not.
    fn about(&mut self, term: &str, holds: bool) -> String {
        let Value(kind, number) = self.value(term);
        let kind = kind.promoted();
        let other = if self.one_in(2) { number + 1 + self.small(50) } else { self.some(kind) };
        let above = (number + 1 + self.small(2_000)).min(kind.most());
        let under = (number - 1 - self.small(2_000)).max(kind.least());
        let ways = [("==", number), ("!=", number), ("==", other), ("!=", other), ("<", above), (">", above - 1)];
        let mut all: Vec<String> =
            ways.iter().map(|way| format!("({term} {} {})", way.0, constant(kind, way.1))).collect();
        all.extend([">", "<="].map(|operator| format!("({term} {operator} {})", constant(kind, under))));
        all.push(format!("(({term} & {}) == {})", constant(kind, other), constant(kind, number & other)));
        all.push(format!("(({term} & 7) == {})", (number + i128::from(!holds)) & 7));
        all.retain(|condition| self.holds(condition) == holds);
        self.pick(&all)
    }

    /// A condition that holds for the planted inputs.
    fn truth(&mut self) -> String {
        let (a, b, depth, doubles) = (self.integer(), self.integer(), 1 + self.below(2), self.pooled(true));
        let condition = match self.below(10) {
            0 => format!("({a} {} {b})", self.pick(&["<", ">", "!=", "<=", ">="])),
            1 => self.is(&format!("{a} % {}", 3 + 4 * depth)),
            2..=4 => match self.reason(WRAPS, true) {
                Some((reason, kept)) => {
                    let parts = reason.conditions.iter().map(|part| format!("({})", self.filled(&reason, &kept, part)));
                    format!("({})", parts.collect::<Vec<_>>().join(" && "))
                }
                None => self.truth(),
            },
            5 if !doubles.is_empty() => self.is(&format!("{} * {depth}.5 + 0.25", doubles[0])),
            _ => {
                let term = self.expression(depth);
                self.about(&term, true)
            }
        };
        if self.holds(&condition) { condition } else { format!("(!{condition})") }
    }

    /// That an expression is what it is.
    fn is(&self, term: &str) -> String {
        format!("({term} == {})", self.value(term).text())
    }

    /// A variable that nothing depends on.
    fn idle(&mut self) -> &'static str {
        self.pick(&["n0", "n1", "m0", "m1"])
    }

    /// A statement that writes nothing that matters.
    fn noise(&mut self) {
        let (term, own, other) = (self.integer(), self.idle(), self.idle());
        let (bound, small, i) = (self.below(6) + 2, self.below(50), self.fresh("i"));
        match self.below(10) {
            0 => line!(self, "{own} = {other} * 3 + {term};"),
            1 => line!(self, "{own} ^= {other} + {small};"),
            2 => line!(self, "if ({other} > {small})\n    {own}++;\nelse\n    {own} -= 2;"),
            3 => line!(self, "if ({term} > {small} && {other} != 3)\n    {own} = {small};"),
            4 => line!(self, "for (int {i} = 0; {i} < {bound}; {i}++)\n    {own} += {i} ^ {other};"),
            5 => line!(self, "for (int {i} = 0; {i} < (int)({term} & 3); {i}++)\n    {own} -= {i};"),
            6 => line!(self, "switch ({other} & 3) {{\ncase 0:\n    {own} = 4;\n    break;\ncase 2:\n    {own}--;\n}}"),
            7 => line!(self, "{own} = tick({other} + {small});"),
            8 => line!(self, "{own} &= 15;\nwhile ({own} > 3)\n    {own} -= {};", bound % 3 + 1),
            _ => line!(self, "{own} = {term} > {small} || {other} < {bound} ? {other} : {small};"),
        }
    }

    /// Only where the condition holds does it go on.
    fn gate(&mut self, condition: &str) {
        let (own, small, name) = (self.idle(), self.below(9), self.fresh("i"));
        match self.below(10) {
            0..=2 => self.open(&format!("if {condition} {{"), "}"),
            3 => self.open(&format!("if {condition} {{"), &format!("}} else {{\n    {own} += {small};\n}}")),
            4 | 5 => line!(self, "if (!{condition})\n    return {small};"),
            6 => {
                line!(self, "int {name} = {condition};");
                self.noise();
                self.open(&format!("if ({name}) {{"), "}");
            }
            7 => {
                self.open("do {", "} while (0);");
                line!(self, "if (!{condition})\n    break;");
            }
            8 => {
                self.open(&format!("for (int {name} = 0; {name} < {}; {name}++) {{", small + 1), "}");
                line!(self, "{own} += {name};");
                self.open(&format!("if ({name} == {} && {condition}) {{", small / 2), "}");
            }
            _ => {
                line!(self, "switch {condition} {{\ndefault:\n    {own} -= {small};\n    break;");
                self.open("case 1: {", "    break;\n}\n}");
            }
        }
    }

    /// A condition that others rest on, or that cannot hold here: its opposite, if the target is to be reached.
    fn demand(&mut self, condition: &str) {
        let turned =
            if self.reachable && !self.holds(condition) { format!("(!{condition})") } else { condition.into() };
        let (one, other) = (self.truth(), self.truth());
        match self.below(6) {
            0 => self.gate(&format!("({one} && {turned})")),
            1 => self.gate(&format!("(({turned} && {one}) || ({other} && {turned}))")),
            _ => self.gate(&turned),
        }
    }

    /// A condition that holds for the planted inputs, and that nothing rests on.
    fn guard(&mut self) {
        let (one, other) = (self.truth(), self.truth());
        let ways = [format!("({one} || !{other})"), format!("(!{other} || {one})"), format!("({one} && {other})"), one];
        let condition = self.pick(&ways);
        self.gate(&condition);
    }

    /// Code between two conditions; gives back values that are needed after it, perhaps under other names.
    fn far(&mut self, mut kept: Vec<String>) -> Vec<String> {
        for _ in 0..=self.below(5) {
            match self.below(10) {
                0..=4 => self.noise(),
                5 | 6 => self.derive(),
                7 if self.frames.len() < 3 => self.descend(&mut kept),
                8 if self.spare > 0 => {
                    self.spare -= 1;
                    self.guard();
                }
                _ => kept = kept.iter().map(|name| self.carried(name)).collect(),
            }
        }
        kept
    }

    /// The rest happens in a function that is called here.
    fn descend(&mut self, kept: &mut [String]) {
        let (name, mut parameters, mut arguments) = (self.outer("step"), Vec::new(), Vec::new());
        let mut pool = std::mem::take(&mut self.pool);
        for argument in kept.iter_mut().chain(&mut pool) {
            let (value, parameter) = (self.value(argument), self.fresh("p"));
            parameters.push(format!("{} {parameter}", value.0.0));
            arguments.push(std::mem::replace(argument, self.set(parameter, value)));
        }
        self.pool = pool;
        line!(self, "{} {name}({});", self.pick(&["n0 =", "n1 +=", "return"]), arguments.join(", "));
        let head = format!("static int {name}({}) {{", parameters.join(", "));
        self.frames.push(Frame { head, depth: 1, ..Frame::default() });
        self.line("int n0 = 1, n1 = m0;");
    }

    /// The same value on all inputs, by another way.
    fn carried(&mut self, text: &str) -> String {
        let (value, number, key) = (self.value(text), self.fresh(""), self.below(99).to_string());
        let ways = if value.0.2 || value.0 == DOUBLE { &WAYS[2..] } else { WAYS };
        let (outside, inside, name) = self.pick(ways);
        let (of, index, truth) = (value.0.0.to_owned(), self.integer(), self.truth());
        let known = [("T", of), ("x", text.to_owned()), ("y", index), ("K", key), ("C", truth)];
        let filled =
            |text| fill(text, &number, |name| known.iter().find(|known| known.0 == name).map(|known| &*known.1));
        self.place(&filled(outside), &filled(inside), &number);
        self.set(filled(name), value)
    }

    /// Statements, with what they need outside of the function; there, all names end with the number.
    fn place(&mut self, outside: &str, inside: &str, number: &str) {
        outside!(self, "{outside}");
        self.line(inside);
        let names = outside.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|name| name.ends_with(number));
        self.names.extend(names.map(str::to_owned));
    }

    /// One more value that is computed from those of the pool.
    fn derive(&mut self) {
        let kind = self.pick(&[INT, U32, U32, I64, U64]);
        let (a, b, name, of) = (self.expression(1), self.expression(1), self.fresh("v"), kind.0);
        let (one, other, which) = (self.value(&a).to(kind).1, self.value(&b).to(kind).1, self.below(7));
        let number = match which {
            0 | 1 => {
                let depth = 1 + self.below(3);
                let (call, value) = self.helper(&[a, b], depth);
                line!(self, "{of} {name} = {call};");
                value.1
            }
            2 => {
                let condition = if self.one_in(2) { self.truth() } else { format!("(!{})", self.truth()) };
                line!(self, "{of} {name} = {b};\nif {condition}\n    {name} = {a};");
                if self.holds(&condition) { one } else { other }
            }
            3 => {
                let (by, mut number) = (self.value(&format!("{a} & 3")).1, other);
                line!(self, "{of} {name} = {b};\nswitch ({a} & 3) {{");
                for case in 0..3 {
                    let added = Value(kind, self.some(kind));
                    line!(self, "case {case}:\n    {name} += {};\n    break;", added.text());
                    number += if by == case { added.1 } else { 0 };
                }
                self.line("}");
                number
            }
            4 => {
                let entries: [Value; 8] = std::array::from_fn(|_| Value(kind, self.some(kind)));
                let (table, shown) = (self.fresh("t"), entries.map(Value::text).join(", "));
                line!(self, "static const {of} {table}[8] = {{{shown}}};\n{of} {name} = {table}[{a} & 7];");
                entries[self.value(&format!("{a} & 7")).1 as usize].1
            }
            _ => return self.looped(kind),
        };
        let name = self.set(name, Value(kind, kind.wrap(number)));
        self.pool.push(name);
    }

    /// A call of a function with two ways through it, perhaps with a call of another one; and what it returns.
    fn helper(&mut self, arguments: &[String], depth: u64) -> (String, Value) {
        let (mut parameters, mut shown) = (Vec::new(), Vec::new());
        for argument in arguments {
            let (name, value) = (self.fresh("p"), self.value(argument));
            shown.push(format!("{} {name}", value.0.0));
            parameters.push(self.set(name, value));
        }
        let pool = std::mem::replace(&mut self.pool, parameters);
        let (kind, name, holds) = (self.pick(&[INT, U32, I64]), self.outer("f"), self.one_in(2));
        let (decided, early, mut late) = (self.expression(1), self.expression(1), self.expression(1));
        let (condition, mut value) = (self.about(&decided, holds), self.value(&late));
        if depth > 1 {
            let next = [late, self.integer()];
            (late, value) = self.helper(&next, depth - 1);
        }
        self.pool = pool;
        outside!(self, "static {} {name}({}) {{\n    if {condition} {{", kind.0, shown.join(", "));
        outside!(self, "        m0++;\n        return {early};\n    }}\n    return {late};\n}}");
        let value = if holds { self.value(&early) } else { value };
        (format!("{name}({})", arguments.join(", ")), value.to(kind))
    }

    /// What a loop computes whose bound depends on an input: a few rounds, or once in a program many.
    fn looped(&mut self, kind: Kind) {
        let (name, i, word, long) = (self.fresh("v"), self.fresh("i"), self.integer(), std::mem::take(&mut self.long));
        let (many, few, step) = (self.below(300_000) + 20_000, self.below(12) + 3, self.small(1_000) + 1);
        let bound = self.local(U32, &if long { format!("(u32){word} % {many}") } else { format!("{word} & {few}") });
        line!(self, "{} {name} = {few};\nfor (u32 {i} = 0; {i} < {bound}; {i}++)", kind.0);
        let (name, rounds) = (self.set(name, Value(kind, few.into())), self.value(&bound).1);
        if long {
            line!(self, "    {name} += {step} + {i};");
            let sum = i128::from(few) + step * rounds + rounds * (rounds - 1) / 2;
            self.set(&name, Value(kind, kind.wrap(sum)));
        } else {
            let ways = [format!("{name} + {step}"), format!("{name} * 3 + {i}"), format!("{name} ^ ({name} << 3)")];
            let body = self.pick(&ways);
            line!(self, "    {name} = {body};");
            for round in 0..rounds {
                self.set(&i, Value(U32, round));
                self.set(&name, self.value(&body).to(kind));
            }
        }
        self.pool.push(name);
    }
}

/// Conditions of which the last contradicts the others, in wrapping arithmetic and for all values: order, bits,
/// remainders, equations, identities, ranges, doubles. x, y and z have the same unsigned type, and d is a double. `?`
/// is `==` with what the left side is on the planted inputs, and `!` with that but for its last bit. Capitals are types
/// and constants.
const REASONS: &str = "x < y, y - x == 0; x < y, y == 0; x < y, ~x == 0; x <= y, y <= z, z < x; x <= y, x / M > y / M;
(S)x <= (S)y, (S)y <= J, (S)x > J; x <= y, (x >> K) > (y >> K); x - C <= D, D + 1 != 0, x - C == D + 1;
y - x * (D << K) ?, (y & ((1u << K) - 1)) !; x * 2 + C * 4 - y ?, y % 2 !; (y ^ (x << K)) ?, (y & 1) !;
(x & (C | 1)) ?, (x & (D | 1)) !; (x | (C & -2)) ?, (x & 3) !; (x & (x - 1)) == 0, (x & 5) == 5; (x * x & 7) == 5;
x % (M * K) ?, x % M !; (S)x % (M * K) ?, (S)x % M !; x / M ?, x / (M * K) !; (x * x + x & 1) != 0;
x + y ?, x - y !; x + y ?, y + z * 3 ?, x - z * 3 !; x * 5 + y ?, x * 4 + y ?, (x ^ y) !;
(x & y) + (x | y) != x + y; (x ^ y) + (x & y) * 2 != x + y; (x | y) - (x & y) != (x ^ y); x + ~y + 1 != x - y;
~(x & y) != (~x | ~y); (x | y) < x; (x & y) > y; x / 10 * 10 + x % 10 != x; x * (y + 1) != x * y + x;
(x + y) * (x - y) != x * x - y * y; (u8)x + (u8)y > 510; (u8)x * (u8)y > 65025; (u8)x - (u8)y < -255;
(i16)x * (i16)x < 0; ((u32)(i16)x >> 15) == A; (i16)x < 0, ((u32)(i16)x >> 31) == 0; (S)x * 0.5 == A + 0.25;
(x >> H) <= P, (y >> H) <= Q, (x >> H) + (y >> H) > P + Q; (x >> H) <= P, (y >> H) <= Q, (x >> H) * (y >> H) > P * Q;
d >= E, d + 0.5 < E + 0.5; d > E, d * 2.0 <= E * 2.0; d == d, (!(d <= E) && !(d > E)); d ?, d * 3.0 !; d * d < 0.0";

/// Conditions that contradict each other for integers, and that can hold because something wraps around.
const WRAPS: &str = "x + W < x; x + y < x; x < y, x + W > y + W; (S)x < (S)y, (S)x - (S)y > 0; (S)x + G < (S)x;
(S)x - G > (S)x; x * M / M != x; x * 6 % 3 != 0; y - x * 6 ?, y % 3 ?; (S)x * (S)x < 0; x > 1, x * x < x;
(u8)(x + y) < (u8)x; x != y, x * 2 == y * 2; (S)x < 0, (S)x > 5u; (S)x < 0, -(S)x < 0; (i16)x > 0, (i16)(x * M) < 0";

/// Functions, statements that call them, variables that these leave, and conditions on them that cannot hold together.
const STATES: &[(&str, &str, &str, &str)] = &[
    (CLAMP, "T r@ = deeper@(x);", "r@", "r@ > B"),
    (CLAMP, "T r@ = deep@(x);", "r@", "r@ + K > B + K"),
    (CLAMP, "T r@ = deeper@(x) + clamp@(y);", "r@", "r@ < A * 2"),
    (CLAMP, "T r@ = deeper@(x);\nif (r@ == A)\n    r@ = deep@(y + 1);", "r@", "r@ == B + M"),
    (CLAMP, "T r@ = over@(x);", "r@", "r@ == 0, x > B"),
    ("", "int r@ = 0;\nif (x < C)\n    r@ = 1;\nif (r@ == 1 && x != y)\n    r@ = 2;", "r@", "r@ == 2, x >= C"),
    ("", "int r@ = x > C ? 3 : 4;\nif (y > x)\n    r@ += 2;", "r@", "r@ == 5, x <= C"),
    ("static int r@;", "r@ = 0;\nif (x < y)\n    r@ = 1;", "r@", "y <= x, r@ != 0"),
    ("", "static const T e@[8] = {6, 600, 0, 54, 12, 3000, 66, 18};\nT r@ = e@[y & 7];", "r@", "r@ % 6 != 0"),
    ("", "static const T e@[8] = {9, 8, 3, 1, 6, 2, 5, 4};\nT r@ = e@[e@[y & 7] & 7];", "r@", "r@ > 9"),
    ("", "T e@[4] = {1, 2, 3, 4};\ne@[x & 3] = y;\nT r@ = e@[x & 3];", "r@", "r@ != y"),
    ("", "T r@ = x, *q@ = &r@;\n*q@ = *q@ | 1;", "r@", "r@ % 2 == 0"),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low r@.high", "r@.low > r@.high"),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low", "r@.low > x"),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low r@.high", "(r@.low ^ r@.high) != (x ^ y)"),
    ("", "T r@ = A;\nfor (u32 i@ = 0; i@ < (x & 31); i@++)\n    r@ += y * 2;", "r@", "(r@ ^ A) % 2 == 1"),
    ("", "u32 n@ = 0, m@ = x % 200000;\nfor (u32 i@ = 0; i@ < m@; i@++)\n    n@++;", "n@ m@", "n@ != m@"),
    ("", "u32 n@ = 0;\nfor (T i@ = x & 63; i@ > 0; i@ /= 2)\n    n@++;", "n@", "n@ > 6"),
    ("", "u8 r@ = x;\nu32 n@ = 0;\ndo {\n    r@ += 51;\n    n@++;\n} while (r@ != (u8)x);", "n@", "n@ != 256"),
];

const CLAMP: &str = "static T clamp@(T v) {\n    if (v < A)\n        return A;\n    return v > B ? B : v;\n}
static T deep@(T v) {\n    m0++;\n    return clamp@(v);\n}
static T deeper@(T v) {\n    if (v == B)\n        return v;\n    return deep@(v);\n}
static int over@(T v) {\n    if (v > B)\n        return 1;\n    return 0;\n}";

const SORT: &str = "struct pair@ {\n    T low, high;\n};\nstatic void sort@(struct pair@ *p) {
    if (p->low > p->high) {\n        T old = p->low;\n        p->low = p->high;\n        p->high = old;\n    }\n}";

/// Statements after which another variable has the value of x. The first two are for unsigned types.
const WAYS: &[(&str, &str, &str)] = &[
    ("", "T r@ = 0;\nfor (u32 i@ = 0; i@ < sizeof r@; i@++)\n    r@ |= x & ((T)255 << (8 * i@));", "r@"),
    ("", "T e@ = x ^ K;\nn0 += K;\nT r@ = e@ ^ K;", "r@"),
    ("static T r@;", "r@ = x;", "r@"),
    (PASS, "T r@ = pass@(x);", "r@"),
    (PASS, "T r@ = first@(x);", "r@"),
    ("", "T e@[8] = {0};\nint i@ = (int)(y & 7);\ne@[i@] = x;\ne@[(i@ + 1) & 7] = 1;", "e@[i@]"),
    (FILL, "struct box@ e@;\nfill@(&e@, x);\ne@.idle += n0;", "e@.value"),
    ("", "T r@ = x, *p@ = &r@, **q@ = &p@;\n**q@ = *p@;", "r@"),
    ("", "T r@;\nif C\n    r@ = x;\nelse\n    r@ = x, n1++;", "r@"),
];

const PASS: &str = "static T pass@(T v) {\n    if (v > K)\n        m0++;\n    return v;\n}
static T next@(T v) {\n    m1 += 2;\n    return pass@(v);\n}
static T first@(T v) {\n    T w = next@(v);\n    return w;\n}";

const FILL: &str = "struct box@ {\n    int idle;\n    T value;\n};
static void fill@(struct box@ *p, T v) {\n    p->idle = K;\n    p->value = v;\n}";

/// A text with a number for each @, and with some of its names replaced.
fn fill<'a>(text: &str, number: &str, known: impl Fn(&str) -> Option<&'a str>) -> String {
    let (mut filled, mut name) = (String::new(), String::new());
    for letter in text.replace('@', number).chars().chain(['\n']) {
        if letter.is_ascii_alphanumeric() || letter == '.' {
            name.push(letter);
            continue;
        }
        filled += known(&name).unwrap_or(&name);
        filled.push(letter);
        name.clear();
    }
    filled.pop();
    filled
}

/// Conditions with their variables and constants.
struct Reason {
    kind: Kind,
    conditions: Vec<&'static str>,
    names: Vec<String>,
    constants: Vec<(&'static str, String)>,
    /// What stands for @.
    number: String,
}

impl Generator {
    /// One of these and values for it, so that everything in it holds, or everything but its last condition.
    fn reason(&mut self, from: &'static str, all: bool) -> Option<(Reason, Vec<String>)> {
        let (from, doubles): (Vec<&str>, _) = (from.split(';').collect(), self.pooled(true));
        for _ in 0..20 {
            let at = self.below(from.len() as u64) as usize;
            let (reason, mut kept) = self.about_words(from[at]);
            kept.push(doubles.first().cloned().unwrap_or_else(|| format!("((int){} * 0.25)", kept[0])));
            let held = |condition: &&str| self.holds(&self.filled(&reason, &kept, condition));
            let (last, others) = reason.conditions.split_last().unwrap();
            if held(last) == all && others.iter().all(held) {
                return Some((reason, kept));
            }
        }
        None
    }

    fn about_words(&mut self, conditions: &'static str) -> (Reason, Vec<String>) {
        let (kind, integers, start) = (self.pick(&WORDS), self.pooled(false), self.below(9) as usize);
        let signed = if kind == U32 { INT } else { I64 };
        let kept = (start..start + 3).map(|at| format!("({}){}", kind.0, integers[at % integers.len()]));
        let kept: Vec<String> = kept.collect();
        let (x, y, low) = (self.value(&kept[0]).1, self.value(&kept[1]).1, self.small(1_000) + 1);
        let constants = vec![
            ("T", kind.0.to_owned()),
            ("S", signed.0.to_owned()),
            ("A", low.to_string()),
            ("B", (low + self.small(50_000)).to_string()),
            ("C", constant(kind, self.some(kind))),
            ("D", constant(kind, self.some(kind))),
            ("E", Value::real(self.small(4_000) as f64 / 4.0 - 510.0).text()),
            ("G", constant(signed, signed.most() - low)),
            ("H", (kind.1 - 14).to_string()),
            ("J", constant(signed, signed.wrap(y) + low)),
            ("K", (self.below(6) + 1).to_string()),
            ("M", (self.below(60) + 2).to_string()),
            ("P", ((x >> (kind.1 - 14)) + self.small(9_000)).to_string()),
            ("Q", ((y >> (kind.1 - 14)) + self.small(9_000)).to_string()),
            ("W", constant(kind, low - y)),
        ];
        let names = ["x", "y", "z", "d"].map(str::to_owned).to_vec();
        let conditions = conditions.split(',').map(str::trim).collect();
        (Reason { kind, conditions, names, constants, number: self.fresh("") }, kept)
    }

    /// The text of a condition or a statement, with the names that values have by now.
    fn filled(&self, reason: &Reason, kept: &[String], text: &str) -> String {
        let filled = fill(text, &reason.number, |name| {
            let known = reason.names.iter().position(|known| *known == name).and_then(|at| kept.get(at));
            let fixed = reason.constants.iter().find(|fixed| fixed.0 == name).map(|fixed| &fixed.1);
            known.or(fixed).map(|text| &**text)
        });
        if let Some(term) = filled.strip_suffix(" ?") {
            return self.is(term);
        }
        let Some(term) = filled.strip_suffix(" !") else { return filled };
        let value = self.value(term);
        let other = if value.0 == DOUBLE { Value::real(value.double() + 1.0) } else { Value(value.0, value.1 ^ 1) };
        format!("({term} == {})", other.to(value.0.promoted()).text())
    }

    /// Conditions on the way to the target, far apart.
    fn argue(&mut self, reason: &Reason, mut kept: Vec<String>) {
        for condition in &reason.conditions {
            kept = self.far(kept);
            self.demand(&format!("({})", self.filled(reason, &kept, condition)));
        }
    }

    fn argue_by(&mut self, from: &'static str, all: bool) {
        let Some((reason, kept)) = self.reason(from, all) else { return self.pinned() };
        let kinds = [reason.kind, reason.kind, reason.kind, DOUBLE];
        let kept = kept.iter().zip(kinds).map(|(text, kind)| self.local(kind, text)).collect();
        self.argue(&reason, kept);
    }

    fn argue_by_state(&mut self) {
        let (outside, inside, left, conditions) = self.pick(STATES);
        let (mut reason, kept) = self.about_words(conditions);
        let mut kept: Vec<String> = kept.iter().map(|text| self.local(reason.kind, text)).collect();
        self.place(&self.filled(&reason, &kept, outside), &self.filled(&reason, &kept, inside), &reason.number);
        reason.names.truncate(3);
        for name in left.split(' ') {
            // What it holds is not looked at: the target is unreachable.
            let name = name.replace('@', &reason.number);
            kept.push(self.set(&name, Value(reason.kind, 0)));
            reason.names.push(name);
        }
        self.argue(&reason, kept);
    }

    /// Operations that can be inverted leave one value for a word, or two equations for two: all that follows is known.
    fn pinned(&mut self) {
        let (kind, integers, two) = (self.pick(&WORDS), self.pooled(false), self.one_in(3));
        let [x, y] = [0, 1].map(|at| self.local(kind, &integers[integers.len() - 2 + at]));
        let mut image = x.clone();
        if two {
            self.demand(&self.is(&format!("{x} + {y}")));
            image = format!("({x} + {y} * 2)");
        }
        for _ in 0..=self.below(3) {
            let (number, by) = (self.some(kind), self.below(u64::from(kind.1) - 1) + 1);
            let (fixed, odd) = (constant(kind, number), constant(kind, number | 1));
            let (v, rest) = (self.local(kind, &image), u64::from(kind.1) - by);
            image = match self.below(6) {
                0 | 1 => format!("({v} * {odd})"),
                2 => format!("({v} {} {fixed})", self.pick(&["+", "^"])),
                3 => format!("(~{v})"),
                4 => format!("(({v} << {by}) | ({v} >> {rest}))"),
                _ => format!("({v} ^ ({v} << {by}))"),
            };
        }
        self.demand(&self.is(&image));
        let mut known = self.far(vec![x, y]);
        known.truncate(1 + usize::from(two));
        let pool = std::mem::replace(&mut self.pool, known);
        for _ in 0..self.below(4) {
            self.derive();
        }
        let depth = 1 + self.below(2);
        let computed = self.expression(depth);
        let last = self.about(&computed, false);
        self.pool.extend(pool);
        self.demand(&last);
    }

    fn choose_inputs(&mut self) {
        let (count, mut before) = (2 + self.below(3) as usize, 0);
        for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate().take(count) {
            let kind = self.pick(&[U8, I16, INT, INT, U32, U32, U32, I64]);
            let value = match self.below(4) {
                0 if at >= 2 => Value::real(self.below(8_000) as f64 / 8.0 - 500.0),
                1 => Value(kind, kind.wrap(self.pick(&[before, -before, before ^ (1 << 31), before + 1]))),
                _ => Value(kind, self.some(kind)),
            };
            before = value.1;
            let name = self.set(name, value);
            self.inputs.push(name);
        }
        self.pool = self.inputs.clone();
    }

    fn build(&mut self) {
        self.choose_inputs();
        (self.long, self.spare) = (self.one_in(4), if self.reachable { 0 } else { 2 });
        let parameters: Vec<String> =
            self.inputs.iter().map(|name| format!("{} {name}", self.values[name].0.0)).collect();
        let head = format!("int test({}) {{", parameters.join(", "));
        self.frames.push(Frame { head, depth: 1, ..Frame::default() });
        self.line("int n0 = 0, n1 = 7;");
        self.far(Vec::new());
        for _ in 0..if self.reachable { 2 + self.below(3) } else { 1 } {
            match (self.reachable, self.below(10)) {
                (_, 0 | 1) => self.pinned(),
                (true, 2) | (false, 5..) => self.argue_by(REASONS, false),
                (true, 3..=5) => self.argue_by(WRAPS, true),
                (true, _) => self.guard(),
                (false, _) => self.argue_by_state(),
            }
            self.far(Vec::new());
        }
        self.line("hit = 1;");
        let planted = self.inputs.iter().map(|name| format!("{name} = {}", self.values[name].text()));
        outside!(self, "// {}", planted.collect::<Vec<_>>().join(", "));
        while !self.frames.is_empty() {
            while let Some(closer) = self.frames.last_mut().and_then(|frame| frame.closers.pop()) {
                self.frames.last_mut().unwrap().depth -= 1;
                self.line(&closer);
            }
            self.line("return n0 + n1 - m0;");
            let Frame { head, text, .. } = self.frames.pop().unwrap();
            outside!(self, "{head}\n{text}}}");
        }
    }
}

const TYPES: &str = "typedef unsigned char u8;\ntypedef short i16;\ntypedef unsigned u32;\ntypedef long long i64;
typedef unsigned long long u64;\n";

const START: &str = "int hit;\nstatic int m0, m1 = 5;\nstatic int tick(int v) {\n    if (v > 100)\n        m0 -= v;
    else\n        m1 += 3;\n    return v / 3;\n}\n";

fn program(seed: u64) -> Generator {
    let mut made = Generator {
        state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        reachable: seed.is_multiple_of(2),
        text: format!("{TYPES}{START}"),
        count: 100,
        names: ["hit", "test", "tick", "m0", "m1"].map(str::to_owned).to_vec(),
        ..Generator::default()
    };
    made.build();
    made.line = made.text.lines().position(|line| line.trim() == "hit = 1;").unwrap() + 1;
    made
}

const HARNESS: &str = r#"#include <stdio.h>
#include <time.h>
static unsigned long long state = 88172645463325252ull;
static unsigned long long any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
static unsigned long long near(unsigned long long planted) {
    static const unsigned long long edges[] = {0, 127, 255, 32767, 65535, ~0u / 2, ~0u, ~0ull / 2, ~0ull};
    switch (any() % 8) {
    case 0: return planted + any() % 9 - 4;
    case 1: return edges[any() % 9] + any() % 3;
    case 2: return planted ^ 1ull << any() % 64;
    case 3: return any() >> any() % 64;
    case 4: return any();
    default: return planted;
    }
}
static double near_real(double planted) {
    static const double edges[] = {0.0, -0.0, 0.5, 1e-320, 1e300, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    switch (any() % 4) {
    case 0: return planted;
    case 1: return planted + (double)(any() % 65) / 8 - 4;
    case 2: return edges[any() % 8];
    default: return (double)(any() % 100000) / 16 - 3000;
    }
}
#define CHECK(rounds, planted, others) \
    clock_t end = clock() + CLOCKS_PER_SEC / 10; \
    planted; \
    int first = hit, found = 0; \
    for (int round = 0; round < rounds && (round & 15 || clock() < end); round++) { \
        hit = m0 = 0, m1 = 5, others; \
        found |= hit; \
    } \
    printf("%d %d\n", first, found); \
    fflush(stdout);
"#;

/// Runs programs natively, and panics if the planted answer is wrong: each on its planted inputs, and those with an
/// unreachable target on up to 20,000 other ones as well.
fn confirm(programs: &[(u64, Generator)]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, native) = (folder.path().join("native.c"), folder.path().join("native"));
    let (mut text, mut calls) = (format!("{HARNESS}{TYPES}"), String::new());
    for (seed, made) in programs {
        for name in &made.names {
            let _ = writeln!(text, "#undef {name}\n#define {name} {name}_{seed}");
        }
        let values: Vec<Value> = made.inputs.iter().map(|name| made.values[name]).collect();
        let planted = values.iter().map(|value| value.text()).collect::<Vec<_>>().join(", ");
        let near = |value: &Value| if value.0 == DOUBLE { "near_real" } else { "near" };
        let others: Vec<String> = values.iter().map(|value| format!("{}({})", near(value), value.text())).collect();
        let (others, rounds) = (others.join(", "), if made.reachable { 0 } else { 20_000 });
        let _ = writeln!(text, "{}static void check_{seed}(void) {{", &made.text[TYPES.len()..]);
        let _ = writeln!(text, "    CHECK({rounds}, test({planted}), test({others}))\n}}");
        let _ = writeln!(calls, "    check_{seed}();");
    }
    fs::write(&source, format!("{text}int main(void) {{\n{calls}    return 0;\n}}\n")).unwrap();
    let done = Command::new("clang").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&native).arg(&source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let shown = String::from_utf8(run(&mut Command::new(&native), b"").stdout).unwrap();
    let mut lines = shown.lines();
    for (seed, made) in programs {
        let expected = if made.reachable { "1 0" } else { "0 0" };
        assert_eq!(lines.next(), Some(expected), "seed {seed}: not as planted\n{}", made.text);
    }
}

#[test]
fn verdicts_are_the_planted_ones() {
    let given = std::env::var("SYMCRETE_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let count = if full() { 1_000 } else { 60 };
    let seeds = given.map_or(0..count, |seed| seed..seed + 1);
    let programs: Vec<(u64, Generator)> = seeds.map(|seed| (seed, program(seed))).collect();
    programs.chunks(100).for_each(confirm);
    let counts = [const { AtomicUsize::new(0) }; 3];
    let wrong = failures(&programs, |(seed, made)| {
        let (folder, line) = (tempfile::tempdir().unwrap(), made.line);
        let source = folder.path().join("program.c");
        fs::write(&source, &made.text).unwrap();
        let mut command = symcrete();
        command
            .args(["reach", "--json", "--no-replay", "--entry", "test", "--time", "5", "--out"])
            .arg(folder.path().join("out"))
            .arg(format!("{}:{line}", source.display()));
        let shown = run(&mut command, b"");
        let planted = if made.reachable { "reachable" } else { "unreachable" };
        let wrong = |said| format!("seed {seed}: line {line} is {planted}\n{}{said}", made.text);
        let Ok(said) = serde_json::from_slice::<Json>(&shown.stdout) else { return Err(wrong(format!("{shown:?}"))) };
        let which = match said["verdict"].as_str() {
            _ if said["target"]["line"] != line => return Err(wrong(said.to_string())),
            Some("reached") if made.reachable => 0,
            Some("unreachable") if !made.reachable => 1,
            Some("reached" | "unreachable") => return Err(wrong(said.to_string())),
            _ => 2,
        };
        counts[which].fetch_add(1, Relaxed);
        Ok(())
    });
    let [reached, unreachable, unknown] = counts.map(AtomicUsize::into_inner);
    println!("{reached} reached, {unreachable} unreachable, {unknown} without a verdict");
    assert!(wrong.is_empty(), "{} wrong verdicts:\n{}", wrong.len(), wrong.join("\n"));
}
