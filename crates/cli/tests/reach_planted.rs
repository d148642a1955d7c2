//! `symcrete reach` on random programs whose answer was planted. Even numbers: inputs are chosen first, and the program is built around
//! them so that they reach the target. Odd numbers: conditions on every way to the target contradict each other, for a reason that
//! holds in wrapping arithmetic. No target of the first kind is called unreachable, and none of the second is called reached.
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

    fn holds(self) -> bool {
        self.1 != 0
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
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

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
        "&&" => return truth(a.holds() && b.holds()),
        "||" => return truth(a.holds() || b.holds()),
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
            0 if LEVELS.iter().any(|level| rest.len() > 1 && level.contains(&&rest[..2])) => 2,
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
    frames: Vec<Frame>,
    inputs: Vec<String>,
    /// What can be read here, and is not written again: the inputs and what was computed from them.
    pool: Vec<String>,
    /// What variables hold on the way to the target.
    values: HashMap<String, Value>,
    count: usize,
    /// Names outside of functions.
    names: Vec<String>,
    /// Puts globals back to what they were at the start.
    resets: String,
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
            "(" => match KINDS.into_iter().find(|kind| kind.0 == tokens[*at]) {
                Some(kind) => {
                    *at += 2;
                    self.parse(tokens, at, LEVELS.len()).to(kind)
                }
                None => {
                    let inner = self.parse(tokens, at, 0);
                    *at += 1;
                    inner
                }
            },
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
            let level = LEVELS.iter().position(|level| level.contains(&operator));
            let Some(level) = level.filter(|&level| level >= least) else { break };
            *at += 1;
            left = apply(left, operator, self.parse(tokens, at, level + 1));
        }
        left
    }

    fn holds(&self, condition: &str) -> bool {
        self.value(condition).holds()
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

    fn global(&mut self, kind: Kind) -> String {
        let (name, number) = (self.outer("g"), self.below(9));
        outside!(self, "static {} {name} = {number};", kind.0);
        let _ = write!(self.resets, "{name} = {number}; ");
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
        let doubles = self.pooled(true);
        let (a, b, depth) = (self.integer(), self.integer(), 1 + self.below(2));
        let condition = match self.below(10) {
            0 => format!("({a} {} {b})", self.pick(&["<", ">", "!=", "<=", ">="])),
            1 => {
                let rest = format!("{a} % {}", self.below(40) + 2);
                self.is(&rest)
            }
            2..=4 => match self.reason(WRAPS, true) {
                Some((reason, kept)) => {
                    let parts = reason.conditions.iter().map(|part| format!("({})", self.fill(&reason, &kept, part)));
                    format!("({})", parts.collect::<Vec<_>>().join(" && "))
                }
                None => self.truth(),
            },
            5 if !doubles.is_empty() => {
                let sum = format!("{} * {} + 0.25", self.pick(&doubles), self.pick(&["2.0", "0.5", "(-4.0)"]));
                self.is(&sum)
            }
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

    /// A variable that nothing hangs on.
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
        match self.below(4) {
            0 => self.gate(&format!("({one} || !{other})")),
            1 => self.gate(&format!("(!{other} || {one})")),
            _ => self.gate(&one),
        }
    }

    /// Code between two conditions; gives back values that are needed after it, perhaps under other names.
    fn far(&mut self, mut kept: Vec<String>) -> Vec<String> {
        for _ in 0..=self.below(4) {
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
        let (value, name, i) = (self.value(text), self.fresh("v"), self.fresh("i"));
        let (Value(kind, _), index, small) = (value, self.integer(), self.below(99));
        let (of, wide) = (kind.0, kind.1 >= 32 && kind != DOUBLE);
        match self.below(8) {
            0 => {
                let name = self.global(kind);
                line!(self, "{name} = {text};");
                self.set(name, value)
            }
            1 | 2 => {
                let mut inner = "v".to_owned();
                for _ in 0..=self.below(3) {
                    let (function, idle) = (self.outer("pass"), self.pick(&["m0", "m1"]));
                    outside!(self, "static {of} {function}({of} v) {{\n    if (v > {small})\n        {idle}++;");
                    outside!(self, "    return {inner};\n}}");
                    inner = format!("{function}(v)");
                }
                line!(self, "{of} {name} = {};", inner.replace("(v)", &format!("({text})")));
                self.set(name, value)
            }
            3 => {
                line!(self, "{of} {name}[8] = {{0}};\nint {i} = (int)({index} & 7);\n{name}[{i}] = {text};");
                line!(self, "{name}[({i} + 1) & 7] = 1;");
                self.set(format!("{name}[{i}]"), value)
            }
            4 => {
                let (tag, function) = (self.outer("box"), self.outer("fill"));
                outside!(self, "struct {tag} {{\n    int idle;\n    {of} value;\n}};");
                outside!(self, "static void {function}(struct {tag} *p, {of} v) {{\n    p->idle = {small};");
                outside!(self, "    p->value = v;\n}}");
                line!(self, "struct {tag} {name};\n{function}(&{name}, {text});\n{name}.idle += n0;");
                self.set(format!("{name}.value"), value)
            }
            5 if wide => {
                let key = constant(kind, self.some(kind));
                let (one, other) = self.pick(&[("^", "^"), ("+", "-"), ("-", "+")]);
                let name = self.local(kind, &format!("{text} {one} {key}"));
                self.noise();
                format!("({name} {other} {key})")
            }
            6 if wide && !kind.2 => {
                line!(self, "{of} {name} = 0;\nfor (int {i} = 0; {i} < {}; {i}++)", kind.1 / 8);
                line!(self, "    {name} |= {text} & (({of})255 << (8 * {i}));");
                self.set(name, value)
            }
            _ => {
                let condition = self.truth();
                line!(self, "{of} {name};\nif {condition}\n    {name} = {text};\nelse\n    {name} = {text}, n1++;");
                self.set(name, value)
            }
        }
    }

    /// One more value that is computed from those of the pool.
    fn derive(&mut self) {
        let kind = self.pick(&[INT, U32, U32, I64, U64]);
        let (a, b, name, of) = (self.expression(1), self.expression(1), self.fresh("v"), kind.0);
        let (one, other, which) = (self.value(&a).to(kind).1, self.value(&b).to(kind).1, self.below(9));
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
            5 => {
                let table = self.fresh("t");
                line!(self, "{of} {table}[4] = {{7, 5, 3, 1}};\n{table}[{a} & 3] = {b};");
                line!(self, "{of} {name} = {table}[{b} & 3];");
                let (at, from) = (self.value(&format!("{a} & 3")).1, self.value(&format!("{b} & 3")).1);
                if at == from { other } else { 7 - 2 * from }
            }
            6 => {
                let global = self.global(kind);
                line!(self, "{global} = {a};\n{global} += {b};\n{of} {name} = {global};");
                one + other
            }
            _ => return self.looped(kind),
        };
        let name = self.set(name, Value(kind, kind.wrap(number)));
        self.pool.push(name);
    }

    /// A call of a function with two ways through it, perhaps with a call of another one; and what it returns.
    fn helper(&mut self, arguments: &[String], depth: u64) -> (String, Value) {
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
        let mut parameters = Vec::new();
        for &value in &values {
            let name = self.fresh("p");
            parameters.push(self.set(name, value));
        }
        let pool = std::mem::replace(&mut self.pool, parameters.clone());
        let (kind, name, holds) = (self.pick(&[INT, U32, I64]), self.outer("f"), self.one_in(2));
        let (decided, early, mut late) = (self.expression(1), self.expression(1), self.expression(1));
        let (condition, mut value) = (self.about(&decided, holds), self.value(&late));
        if depth > 1 {
            let next = [late, self.integer()];
            (late, value) = self.helper(&next, depth - 1);
        }
        self.pool = pool;
        let shown = parameters.iter().zip(values).map(|(name, value)| format!("{} {name}", value.0.0));
        let shown = shown.collect::<Vec<_>>().join(", ");
        outside!(
            self,
            "static {} {name}({shown}) {{\n    if {condition} {{\n        m0++;\n        return {early};",
            kind.0
        );
        outside!(self, "    }}\n    return {late};\n}}");
        let value = if holds { self.value(&early) } else { value };
        (format!("{name}({})", arguments.join(", ")), value.to(kind))
    }

    /// What a loop computes whose bound hangs on an input: a few rounds, or once in a program many.
    fn looped(&mut self, kind: Kind) {
        let (name, i, word) = (self.fresh("v"), self.fresh("i"), self.integer());
        let (many, few, step, start) =
            (self.below(300_000) + 20_000, self.below(12) + 3, self.small(1_000) + 1, self.small(100));
        let long = std::mem::take(&mut self.long);
        let bound = self.local(U32, &if long { format!("(u32){word} % {many}") } else { format!("{word} & {few}") });
        let rounds = self.value(&bound).1;
        line!(self, "{} {name} = {start};\nfor (u32 {i} = 0; {i} < {bound}; {i}++)", kind.0);
        let name = self.set(name, Value(kind, start));
        if long {
            line!(self, "    {name} += {step} + {i};");
            self.set(&name, Value(kind, kind.wrap(start + step * rounds + rounds * (rounds - 1) / 2)));
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

/// Conditions of which the last contradicts the others, in wrapping arithmetic and for all values. x, y and z have the same unsigned type;
/// s and t, b and c, h and k are x and y as numbers with a sign, bytes and shorts; d is a double. `?` is `==` with what the left side is on
/// the planted inputs, and `!` with what it is not, an odd number away. Capitals are constants: see `reason`.
const REASONS: &[&[&str]] = &[
    // Order.
    &["x < y", "y - x == 0"],
    &["x < y", "y == 0"],
    &["x < y", "~x == 0"],
    &["x <= y", "y <= z", "z < x"],
    &["x <= y", "(x >> K) > (y >> K)"],
    &["x <= y", "x / M > y / M"],
    &["s <= t", "t <= S", "s > S"],
    // What is below a power of two is not changed by its multiples, and no bit has two values.
    &["y - x * (D << K) ?", "(y & ((1u << K) - 1)) !"],
    &["x * 2 + C * 4 - y ?", "y % 2 !"],
    &["(y ^ (x << K)) ?", "(y & 1) !"],
    &["(x & (C | 1)) ?", "(x & (D | 1)) !"],
    &["(x | (C & -2)) ?", "(x & 3) !"],
    &["(x & (x - 1)) == 0", "(x & 5) == 5"],
    // Remainders and quotients.
    &["x % (M * K) ?", "x % M !"],
    &["s % (M * K) ?", "s % M !"],
    &["x / M ?", "x / (M * K) !"],
    &["(x * x & 7) == 5"],
    &["(x * x + x & 1) != 0"],
    // Linear equations.
    &["x + y ?", "x - y !"],
    &["x + y ?", "y + z * 3 ?", "x - z * 3 !"],
    &["x * 5 + y ?", "x * 4 + y ?", "(x ^ y) !"],
    // Identities.
    &["(x & y) + (x | y) != x + y"],
    &["(x ^ y) + (x & y) * 2 != x + y"],
    &["(x | y) - (x & y) != (x ^ y)"],
    &["x + ~y + 1 != x - y"],
    &["~(x & y) != (~x | ~y)"],
    &["(x | y) < x"],
    &["(x & y) > y"],
    &["x / 10 * 10 + x % 10 != x"],
    &["x * (y + 1) != x * y + x"],
    &["(x + y) * (x - y) != x * x - y * y"],
    // Ranges of narrow types, and of sums and products that cannot wrap around.
    &["b + c > 510"],
    &["b * c > 65025"],
    &["b - c < -255"],
    &["h * h < 0"],
    &["((u32)h >> 15) == A"],
    &["h < 0", "((u32)h >> 31) == 0"],
    &["(x >> H) <= P", "(y >> H) <= Q", "(x >> H) + (y >> H) > P + Q"],
    &["(x >> H) <= P", "(y >> H) <= Q", "(x >> H) * (y >> H) > P * Q"],
    // Doubles: doubling is exact, rounding keeps the order, and half an integer has no quarters.
    &["d >= E", "d + 0.5 < E + 0.5"],
    &["d > E", "d * 2.0 <= E * 2.0"],
    &["d ?", "d * 3.0 !"],
    &["d == d", "(!(d <= E) && !(d > E))"],
    &["d * d < 0.0"],
    &["s * 0.5 == A + 0.25"],
];

/// Conditions that contradict each other for integers, and that can hold because something wraps around.
const WRAPS: &[&[&str]] = &[
    &["x + W < x"],
    &["s + G < s"],
    &["s - G > s"],
    &["x + y < x"],
    &["x < y", "x + W > y + W"],
    &["s < t", "s - t > 0"],
    &["x * M / M != x"],
    &["x * 6 % 3 != 0"],
    &["y - x * 6 ?", "y % 3 ?"],
    &["s * s < 0"],
    &["x > 1", "x * x < x"],
    &["(u8)(x + y) < b"],
    &["x != y", "x * 2 == y * 2"],
    &["s < 0", "s > 5u"],
    &["s < 0", "-s < 0"],
    &["h > 0", "(i16)(h * M) < 0"],
];

/// Statements, what they need outside of the function, the variables that they leave, and conditions on these that cannot hold together.
const STATES: &[(&str, &str, &str, &[&str])] = &[
    (CLAMP, "T r@ = deeper@(x);", "r@", &["r@ > B"]),
    (CLAMP, "T r@ = deep@(x);", "r@", &["r@ + K > B + K"]),
    (CLAMP, "T r@ = deeper@(x) + clamp@(y);", "r@", &["r@ < A * 2"]),
    (CLAMP, "T r@ = deeper@(x);\nif (r@ == A)\n    r@ = deep@(y + 1);", "r@", &["r@ == B + M"]),
    ("", "int r@ = 0;\nif (b < 100)\n    r@ = 1;\nif (r@ == 1 && x != y)\n    r@ = 2;", "r@", &["r@ == 2", "b >= 100"]),
    ("", "int r@ = x > C ? 3 : 4;\nif (y > x)\n    r@ += 2;", "r@", &["r@ == 5", "x <= C"]),
    ("static int r@;", "r@ = 0;\nif (x < y)\n    r@ = 1;", "r@", &["y <= x", "r@ != 0"]),
    (
        "static int good@(T v) {\n    if (v > C)\n        return 0;\n    return 1;\n}",
        "int r@ = good@(x);",
        "r@",
        &["r@ == 1", "x > C"],
    ),
    ("", "static const T e@[8] = {6, 600, 0, 54, 12, 3000, 66, 18};\nT r@ = e@[y & 7];", "r@", &["r@ % 6 != 0"]),
    ("", "static const T e@[8] = {9, 8, 3, 1, 6, 2, 5, 4};\nT r@ = e@[e@[y & 7] & 7];", "r@", &["r@ > 9"]),
    ("", "T e@[4] = {1, 2, 3, 4};\ne@[x & 3] = y;\nT r@ = e@[x & 3];", "r@", &["r@ != y"]),
    ("", "T r@ = x, *q@ = &r@;\n*q@ = *q@ | 1;", "r@", &["r@ % 2 == 0"]),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low r@.high", &["r@.low > r@.high"]),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low r@.high", &["r@.low > x"]),
    (SORT, "struct pair@ r@ = {x, y};\nsort@(&r@);", "r@.low r@.high", &["(r@.low ^ r@.high) != (x ^ y)"]),
    (
        "",
        "T r@ = A, n@ = 0;\nfor (u32 i@ = 0; i@ < (x & 31); i@++) {\n    r@ += y * 2;\n    n@++;\n}",
        "r@ n@",
        &["(r@ ^ A) % 2 == 1"],
    ),
    ("", "u32 n@ = 0, m@ = x % 200000;\nfor (u32 i@ = 0; i@ < m@; i@++)\n    n@++;", "n@ m@", &["n@ != m@"]),
    ("", "u32 n@ = 0;\nfor (T i@ = x & 63; i@ > 0; i@ /= 2)\n    n@++;", "n@", &["n@ > 6"]),
    ("", "u8 r@ = b;\nu32 n@ = 0;\ndo {\n    r@ += 51;\n    n@++;\n} while (r@ != b);", "n@", &["n@ != 256"]),
];

const CLAMP: &str = "static T clamp@(T v) {\n    if (v < A)\n        return A;\n    return v > B ? B : v;\n}
static T deep@(T v) {\n    m0++;\n    return clamp@(v);\n}
static T deeper@(T v) {\n    if (v == B)\n        return v;\n    return deep@(v);\n}";

const SORT: &str = "struct pair@ {\n    T low, high;\n};\nstatic void sort@(struct pair@ *p) {
    if (p->low > p->high) {\n        T old = p->low;\n        p->low = p->high;\n        p->high = old;\n        m1++;\n    }\n}";

/// Conditions with their variables and constants.
struct Reason {
    kind: Kind,
    conditions: &'static [&'static str],
    names: Vec<String>,
    constants: Vec<(&'static str, String)>,
    /// What stands for @.
    number: String,
}

/// Contradictions.
impl Generator {
    /// One of these and variables for it, so that everything in it holds, or everything but its last condition.
    fn reason(&mut self, from: &[&'static [&'static str]], all: bool) -> Option<(Reason, Vec<String>)> {
        let (integers, doubles) = (self.pooled(false), self.pooled(true));
        for _ in 0..20 {
            let (kind, conditions, start) = (self.pick(&WORDS), self.pick(from), self.below(9) as usize);
            let mut kept: Vec<String> =
                (start..start + 3).map(|at| format!("({}){}", kind.0, integers[at % integers.len()])).collect();
            kept.extend(doubles.first().cloned());
            let reason = self.with_constants(kind, conditions, &kept);
            let held = conditions.iter().map(|condition| self.holds(&self.fill(&reason, &kept, condition)));
            let held: Vec<bool> = held.collect();
            let (&last, others) = held.split_last().unwrap();
            if last == all && others.iter().all(|&holds| holds) {
                return Some((reason, kept));
            }
        }
        None
    }

    fn with_constants(&mut self, kind: Kind, conditions: &'static [&'static str], kept: &[String]) -> Reason {
        let signed = if kind == U32 { INT } else { I64 };
        let (x, y, high) = (self.value(&kept[0]).1, self.value(&kept[1]).1, kind.1 - 14);
        let real = kept.get(3).map_or(signed.wrap(x) as f64 * 0.25, |d| self.value(d).double());
        let low = self.small(1_000) + 1;
        let constants = vec![
            ("T", kind.0.to_owned()),
            ("A", low.to_string()),
            ("B", (low + self.small(50_000)).to_string()),
            ("C", constant(kind, self.some(kind))),
            ("D", constant(kind, self.some(kind))),
            ("E", Value::real(real - self.below(16) as f64 / 4.0).text()),
            ("G", constant(signed, signed.most() - low)),
            ("H", high.to_string()),
            ("K", (self.below(6) + 1).to_string()),
            ("M", (self.below(60) + 2).to_string()),
            ("P", ((x >> high) + self.small(9_000)).to_string()),
            ("Q", ((y >> high) + self.small(9_000)).to_string()),
            ("S", constant(signed, signed.wrap(y) + low)),
            ("W", constant(kind, low - y)),
        ];
        let names = ["x", "y", "z", "d"].map(str::to_owned)[..kept.len()].to_vec();
        Reason { kind, conditions, names, constants, number: self.fresh("") }
    }

    /// The text of a condition or a statement, with the names that values have by now.
    fn fill(&self, reason: &Reason, kept: &[String], text: &str) -> String {
        let signed = if reason.kind == U32 { "int" } else { "i64" };
        let (mut filled, mut name) = (String::new(), String::new());
        for letter in text.chars().chain(['\n']) {
            match letter {
                '@' => name += &reason.number,
                _ if letter.is_ascii_alphanumeric() || letter == '_' => name.push(letter),
                '.' if name.starts_with('r') => name.push(letter),
                _ => {
                    let known = reason.names.iter().position(|known| *known == name);
                    let fixed = reason.constants.iter().find(|fixed| fixed.0 == name);
                    filled += &match (name.as_str(), known, fixed) {
                        (_, Some(at), _) => kept[at].clone(),
                        (_, _, Some(fixed)) => fixed.1.clone(),
                        ("s", ..) => format!("({signed}){}", kept[0]),
                        ("t", ..) => format!("({signed}){}", kept[1]),
                        ("b", ..) => format!("(u8){}", kept[0]),
                        ("c", ..) => format!("(u8){}", kept[1]),
                        ("h", ..) => format!("(i16){}", kept[0]),
                        ("d", ..) => format!("(({signed}){} * 0.25)", kept[0]),
                        _ => name.clone(),
                    };
                    name.clear();
                    filled.push(letter);
                }
            }
        }
        filled.pop();
        if let Some(term) = filled.strip_suffix(" ?") {
            return self.is(term);
        }
        let Some(term) = filled.strip_suffix(" !") else { return filled };
        let value = self.value(term);
        let other = if value.0 == DOUBLE { Value::real(value.double() + 1.0) } else { Value(value.0, value.1 + 5) };
        format!("({term} == {})", other.to(value.0.promoted()).text())
    }

    /// Conditions on the way to the target, far apart.
    fn argue(&mut self, reason: &Reason, mut kept: Vec<String>) {
        for condition in reason.conditions {
            let condition = self.fill(reason, &kept, condition);
            self.demand(&format!("({condition})"));
            kept = self.far(kept);
        }
    }

    fn argue_by(&mut self, from: &[&'static [&'static str]], all: bool) {
        let Some((reason, mut kept)) = self.reason(from, all) else { return self.pinned() };
        for word in &mut kept[..3] {
            *word = self.local(reason.kind, word);
        }
        self.argue(&reason, kept);
    }

    fn contradiction(&mut self) {
        match self.below(10) {
            0 | 1 => self.pinned(),
            2..=4 if !self.reachable => self.stateful(),
            _ => self.argue_by(REASONS, false),
        }
    }

    fn stateful(&mut self) {
        let (kind, (outside, inside, left, conditions), integers) =
            (self.pick(&WORDS), self.pick(STATES), self.pooled(false));
        let mut kept: Vec<String> = integers[..2].iter().map(|name| self.local(kind, name)).collect();
        let mut reason = self.with_constants(kind, conditions, &kept);
        let (outside, inside) = (self.fill(&reason, &kept, outside), self.fill(&reason, &kept, inside));
        outside!(self, "{outside}");
        self.line(&inside);
        self.names.extend(
            ["clamp", "deep", "deeper", "pair", "sort", "good", "r"].map(|name| format!("{name}{}", reason.number)),
        );
        for name in left.split(' ') {
            // What it holds is not looked at, as conditions on it are the last ones.
            let name = self.fill(&reason, &[], name);
            kept.push(self.set(&name, Value(kind, 0)));
            reason.names.push(name);
        }
        let kept = self.far(kept);
        self.argue(&reason, kept);
    }

    /// Operations that can be inverted leave one value for a word, or two equations for two; what is computed from them is known.
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
            image = match self.below(6) {
                0 | 1 => format!("({image} * {odd})"),
                2 => format!("({image} {} {fixed})", self.pick(&["+", "^"])),
                3 => format!("(~{image})"),
                which => {
                    let v = self.local(kind, &image);
                    let rest = u64::from(kind.1) - by;
                    if which == 4 {
                        format!("(({v} << {by}) | ({v} >> {rest}))")
                    } else {
                        format!("({v} ^ ({v} << {by}))")
                    }
                }
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
        if !self.reachable {
            self.contradiction();
        }
        for _ in 0..if self.reachable { 2 + self.below(3) } else { 0 } {
            match self.below(6) {
                0 => self.contradiction(),
                1 | 2 => self.argue_by(WRAPS, true),
                _ => self.guard(),
            }
            self.far(Vec::new());
        }
        self.line("hit = 1;");
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

    /// The line of the target.
    fn target(&self) -> usize {
        self.text.lines().position(|line| line.trim() == "hit = 1;").unwrap() + 1
    }
}

const TYPES: &str = "typedef unsigned char u8;\ntypedef short i16;\ntypedef unsigned u32;\ntypedef long long i64;
typedef unsigned long long u64;\n";

const START: &str = "int hit;\nstatic int m0, m1 = 5;\nstatic int tick(int v) {\n    if (v > 100)\n        m0 -= v;
    else\n        m1 += 3;\n    return v / 3;\n}\n";

fn program(seed: u64) -> Generator {
    let mut made = Generator {
        state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        reachable: seed % 2 == 0,
        text: format!("{TYPES}{START}"),
        names: ["hit", "test", "tick", "m0", "m1"].map(str::to_owned).to_vec(),
        resets: "hit = 0; m0 = 0; m1 = 5; ".to_owned(),
        ..Generator::default()
    };
    made.build();
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
    case 2: return any() % 1024;
    case 3: return planted ^ 1ull << any() % 64;
    case 4: return any() >> any() % 64;
    case 5: return any();
    default: return planted;
    }
}
static double near_real(double planted) {
    static const double edges[] = {0.0, -0.0, 0.5, 1e-320, 1e300, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    union { unsigned long long bits; double real; } made = {any()};
    switch (any() % 6) {
    case 0: return planted;
    case 1: return planted + (double)(any() % 65) / 8 - 4;
    case 2: return edges[any() % 8];
    case 3: return made.real;
    default: return (double)(any() % 100000) / 16 - 3000;
    }
}
#define CHECK(rounds, planted, reset, others) \
    clock_t end = clock() + CLOCKS_PER_SEC / 10; \
    planted; \
    int first = hit, found = 0; \
    for (int round = 0; round < rounds && clock() < end; round++) { \
        reset others; \
        found |= hit; \
    } \
    printf("%d %d\n", first, found); \
    fflush(stdout);
"#;

/// Runs programs natively: each on its planted inputs, and those with an unreachable target on up to 20,000 other ones as well.
/// Panics if the answer is not the planted one.
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
        let _ = writeln!(text, "    CHECK({rounds}, test({planted}), {}, test({others}))\n}}", made.resets);
        let _ = writeln!(calls, "    check_{seed}();");
    }
    fs::write(&source, format!("{text}int main(void) {{\n{calls}    return 0;\n}}\n")).unwrap();
    let done = Command::new("clang").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&native).arg(&source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let shown = String::from_utf8(run(&mut Command::new(&native), b"").stdout).unwrap();
    let mut lines = shown.lines();
    for (seed, made) in programs {
        let expected = if made.reachable { "1 0" } else { "0 0" };
        assert_eq!(lines.next(), Some(expected), "seed {seed}: not as planted\n{:?}\n{}", made.values, made.text);
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
        let (folder, line) = (tempfile::tempdir().unwrap(), made.target());
        let source = folder.path().join("program.c");
        fs::write(&source, &made.text).unwrap();
        let mut command = symcrete();
        command
            .args(["reach", "--json", "--no-replay", "--entry", "test", "--time", "5", "--out"])
            .arg(folder.path().join("out"))
            .arg(format!("{}:{line}", source.display()));
        let shown = run(&mut command, b"");
        let planted = if made.reachable { "reachable" } else { "unreachable" };
        let inputs: Vec<String> =
            made.inputs.iter().map(|name| format!("{name} = {}", made.values[name].text())).collect();
        let wrong =
            |said| format!("seed {seed}: line {line} is {planted}, {}\n{}\n{said}", inputs.join(", "), made.text);
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
