//! `symcrete reach` on random programs whose answer was planted. Even numbers: inputs are chosen first, and the program is built around
//! them so that they reach the target. Odd numbers: two conditions on every way to the target contradict each other, for a reason that
//! holds in wrapping arithmetic. No target of the first kind is called unreachable, and none of the second is called reached.
//!
//! 30 programs of each kind; 500 with SYMCRETE_FULL=1. SYMCRETE_SEED=N looks at the program with this number alone.
#![allow(clippy::unwrap_used)]

mod support;

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value;
use support::{failures, full, run, symcrete};

/// A type of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind(&'static str, u32, bool);

const BYTE: Kind = Kind("unsigned char", 8, false);
const SHORT: Kind = Kind("short", 16, true);
const INT: Kind = Kind("int", 32, true);
const UINT: Kind = Kind("unsigned", 32, false);
const LONG: Kind = Kind("long long", 64, true);
const ULONG: Kind = Kind("unsigned long long", 64, false);
const DOUBLE: Kind = Kind("double", 64, false);

impl Kind {
    fn least(self) -> i128 {
        if self.2 { -(1 << (self.1 - 1)) } else { 0 }
    }

    fn most(self) -> i128 {
        self.least() + (1 << self.1) - 1
    }

    /// What is left of a number in this type.
    fn wrap(self, value: i128) -> i128 {
        let value = value & ((1 << self.1) - 1);
        if value > self.most() { value - (1 << self.1) } else { value }
    }

    fn promoted(self) -> Kind {
        if self.1 < 32 { INT } else { self }
    }

    /// The type in which C computes with two operands.
    fn common(self, other: Kind) -> Kind {
        let order = [INT, UINT, LONG, ULONG, DOUBLE];
        let rank = |kind: Kind| order.iter().position(|&known| known == kind.promoted()).unwrap();
        order[rank(self).max(rank(other))]
    }
}

/// A C expression without effects, and its value on the planted inputs: that of a double is its bits.
#[derive(Clone, Debug)]
struct Term {
    text: String,
    kind: Kind,
    value: i128,
}

impl Term {
    fn new(text: impl Into<String>, kind: Kind, value: i128) -> Term {
        Term { text: text.into(), kind, value }
    }

    /// The same value, written otherwise.
    fn named(&self, text: impl Into<String>) -> Term {
        Term::new(text, self.kind, self.value)
    }

    fn double(&self) -> f64 {
        if self.kind == DOUBLE { f64::from_bits(self.value as u64) } else { self.value as f64 }
    }

    fn holds(&self) -> bool {
        self.value != 0
    }
}

/// A constant; one of a type narrower than `int` is an `int`.
fn number(kind: Kind, value: i128) -> Term {
    let (kind, value) = (kind.promoted(), kind.promoted().wrap(value));
    let suffix = [(UINT, "u"), (LONG, "ll"), (ULONG, "ull"), (INT, "")].into_iter().find(|known| known.0 == kind);
    let suffix = suffix.unwrap().1;
    let text = match value {
        _ if value == kind.least() && kind.2 => format!("({}{suffix} - 1)", value + 1),
        ..0 => format!("({value}{suffix})"),
        _ => format!("{value}{suffix}"),
    };
    Term::new(text, kind, value)
}

fn real(value: f64) -> Term {
    Term::new(if value < 0.0 { format!("({value:?})") } else { format!("{value:?}") }, DOUBLE, value.to_bits().into())
}

fn cast(kind: Kind, term: &Term) -> Term {
    let value = match (kind, term.kind) {
        (DOUBLE, _) => term.double().to_bits().into(),
        (_, DOUBLE) => kind.wrap(term.double() as i128),
        _ => kind.wrap(term.value),
    };
    Term::new(format!("({}){}", kind.0, term.text), kind, value)
}

fn not(term: &Term) -> Term {
    Term::new(format!("(!{})", term.text), INT, i128::from(!term.holds()))
}

fn complement(term: &Term) -> Term {
    let kind = term.kind.promoted();
    Term::new(format!("(~{})", term.text), kind, kind.wrap(!term.value))
}

fn both(a: &Term, operator: &str, b: &Term) -> Term {
    let text = format!("({} {operator} {})", a.text, b.text);
    let kind = if matches!(operator, "<<" | ">>") { a.kind.promoted() } else { a.kind.common(b.kind) };
    let (x, y) = (kind.wrap(a.value), kind.wrap(b.value));
    let order = if kind == DOUBLE { a.double().partial_cmp(&b.double()) } else { Some(x.cmp(&y)) };
    let value = match operator {
        "+" if kind == DOUBLE => return real(a.double() + b.double()).named(text),
        "-" if kind == DOUBLE => return real(a.double() - b.double()).named(text),
        "*" if kind == DOUBLE => return real(a.double() * b.double()).named(text),
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
        _ => {
            let holds = match operator {
                "<" => order == Some(Ordering::Less),
                "<=" => order.is_some_and(Ordering::is_le),
                ">" => order == Some(Ordering::Greater),
                ">=" => order.is_some_and(Ordering::is_ge),
                "==" => order == Some(Ordering::Equal),
                "!=" => order != Some(Ordering::Equal),
                "&&" => a.holds() && b.holds(),
                "||" => a.holds() || b.holds(),
                _ => panic!("{operator}"),
            };
            return Term::new(text, INT, i128::from(holds));
        }
    };
    Term::new(text, kind, kind.wrap(value))
}

/// An operation with a constant of the same type.
fn with(a: &Term, operator: &str, value: i128) -> Term {
    both(a, operator, &number(a.kind, value))
}

/// A shift by a constant.
fn shift(a: &Term, operator: &str, by: i128) -> Term {
    both(a, operator, &number(INT, by))
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

struct Generator {
    state: u64,
    reachable: bool,
    /// Globals and finished functions.
    file: String,
    frames: Vec<Frame>,
    inputs: Vec<Term>,
    /// What can be read here, and is not written again: the inputs and what was computed from them.
    pool: Vec<Term>,
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
        $generator.line(&text);
    }};
}

/// Writes lines before it.
macro_rules! outside {
    ($generator:ident, $($text:tt)*) => {{
        let text = format!($($text)*);
        $generator.file.push_str(&text);
        $generator.file.push('\n');
    }};
}

const WORDS: [Kind; 3] = [UINT, UINT, ULONG];

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
        let (name, value) = (self.outer("g"), self.below(9));
        outside!(self, "static {} {name} = {value};", kind.0);
        let _ = write!(self.resets, "{name} = {value}; ");
        name
    }

    fn local(&mut self, kind: Kind, term: &Term) -> Term {
        let name = self.fresh("v");
        line!(self, "{} {name} = {};", kind.0, term.text);
        cast(kind, term).named(name)
    }

    fn integers(&self) -> Vec<Term> {
        self.pool.iter().filter(|term| term.kind != DOUBLE).cloned().collect()
    }

    fn integer(&mut self) -> Term {
        let all = self.integers();
        self.pick(&all)
    }

    fn double(&mut self) -> Option<Term> {
        let all: Vec<Term> = self.pool.iter().filter(|term| term.kind == DOUBLE).cloned().collect();
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    /// Different values of the pool as variables of one type (one value twice if there are too few).
    fn words<const N: usize>(&mut self, kind: Kind) -> [Term; N] {
        let all = self.integers();
        let start = self.below(all.len() as u64) as usize;
        std::array::from_fn(|at| {
            let term = &all[(start + at) % all.len()];
            if term.kind == kind { term.clone() } else { self.local(kind, term) }
        })
    }

    /// An expression of values of the pool; its constant divisors and shifts are in range.
    fn expression(&mut self, depth: u64) -> Term {
        if depth == 0 {
            return self.integer();
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        let (kind, by) = (a.kind.promoted(), self.small(u64::from(a.kind.1) - 1) + 1);
        let constant = if self.one_in(3) { self.some(kind) } else { self.small(100) + 2 };
        match self.below(11) {
            0 | 1 => with(&a, self.pick(&["+", "^"]), constant),
            2 | 3 => with(&a, self.pick(&["*", "&"]), constant),
            4..=6 => both(&a, self.pick(&["+", "-", "^"]), &b),
            7 => both(&a, self.pick(&["*", "|", "&"]), &self.integer()),
            8 => with(&a, self.pick(&["/", "%"]), self.small(60) + 2),
            9 if kind.2 => complement(&a),
            9 => shift(&a, self.pick(&["<<", ">>"]), by),
            _ => cast(self.pick(&[BYTE, SHORT, INT, UINT, LONG]), &a),
        }
    }

    /// A condition on a value that holds, or one that does not.
    fn about(&mut self, term: &Term, holds: bool) -> Term {
        let (kind, value) = (term.kind.promoted(), term.value);
        let other = if self.one_in(2) { value + 1 + self.small(50) } else { self.some(kind) };
        let above = (value + 1 + self.small(2_000)).min(kind.most());
        let under = (value - 1 - self.small(2_000)).max(kind.least());
        let constants = [("==", value), ("!=", value), ("==", other), ("!=", other), ("<", above), (">", under)];
        let mut all: Vec<Term> = constants.into_iter().map(|(operator, value)| with(term, operator, value)).collect();
        all.extend([with(term, ">", above - 1), with(term, "<=", under)]);
        all.push(with(&with(term, "&", other), "==", value & other));
        all.push(with(&with(term, "&", 7), "==", (value + i128::from(!holds)) & 7));
        all.retain(|condition| condition.holds() == holds);
        self.pick(&all)
    }

    /// A condition that holds for the planted inputs.
    fn truth(&mut self) -> Term {
        let relation = match self.below(10) {
            0 => both(&self.integer(), self.pick(&["<", ">", "!=", "<=", ">="]), &self.integer()),
            1 => {
                let rest = with(&self.expression(1), "%", self.small(40) + 2);
                with(&rest, "==", rest.value)
            }
            2..=4 => self.wrapping().unwrap_or_else(|| self.truth()),
            5 => match self.double() {
                Some(d) if self.one_in(2) => both(&d, ">", &real(d.double() - self.below(9) as f64 / 4.0)),
                Some(d) => {
                    let sum = both(&both(&d, "*", &real(self.pick(&[2.0, 0.5, -4.0, 3.0]))), "+", &real(0.25));
                    both(&sum, "==", &real(sum.double()))
                }
                None => self.truth(),
            },
            _ => {
                let depth = 1 + self.below(2);
                let term = self.expression(depth);
                self.about(&term, true)
            }
        };
        if relation.holds() { relation } else { not(&relation) }
    }

    /// A condition that no integers fulfil, but that the planted inputs do because something wraps around.
    fn wrapping(&mut self) -> Option<Term> {
        for _ in 0..8 {
            let kind = self.pick(&WORDS);
            let signed = if kind == UINT { INT } else { LONG };
            let [a, b] = [self.integer(), self.integer()].map(|term| cast(kind, &term));
            let [x, y] = [&a, &b].map(|term| cast(signed, term));
            let (low, factor) = (self.small(1_000), self.small(5_000) + 3);
            let rest = with(&with(&a, "*", 6 * factor), "%", 3);
            let condition = match self.below(12) {
                0 => both(&with(&a, "+", kind.most() - low.min(a.value - 1)), "<", &a),
                1 if x.value > 0 => both(&with(&x, "+", signed.most() - low.min(x.value - 1)), "<", &x),
                2 if a.value < b.value => {
                    let by = kind.most() + 1 - b.value + low.min(b.value - a.value - 1);
                    both(&both(&a, "<", &b), "&&", &both(&with(&a, "+", by), ">", &with(&b, "+", by)))
                }
                3 => both(&with(&with(&a, "*", factor), "/", factor), "!=", &a),
                4 => with(&rest, "==", rest.value.max(1)),
                5 => with(&both(&x, "*", &x), "<", 0),
                6 => both(&with(&a, ">", 1), "&&", &both(&both(&a, "*", &a), "<", &a)),
                7 => both(&both(&a, "+", &b), "<", &a),
                8 => both(&both(&x, "<", &y), "&&", &with(&both(&x, "-", &y), ">", 0)),
                9 => both(&cast(BYTE, &both(&a, "+", &b)), "<", &cast(BYTE, &a)),
                10 => both(&both(&a, "!=", &b), "&&", &both(&with(&a, "*", 2), "==", &with(&b, "*", 2))),
                _ => both(&with(&x, "<", 0), "&&", &both(&x, ">", &number(kind, 5))),
            };
            if condition.holds() {
                return Some(condition);
            }
        }
        None
    }

    /// A variable that nothing hangs on.
    fn idle(&mut self) -> &'static str {
        self.pick(&["n0", "n1", "m0", "m1"])
    }

    /// A statement that writes nothing that matters.
    fn noise(&mut self) {
        let (term, own, other) = (self.integer().text, self.idle(), self.idle());
        let (bound, small, i) = (self.below(6) + 2, self.below(50), self.fresh("i"));
        match self.below(10) {
            0 => line!(self, "{own} = {other} * 3 + {term};"),
            1 => line!(self, "{own} ^= {other} + {small};"),
            2 => line!(self, "if ({other} > {small})\n    {own}++;\nelse\n    {own} -= 2;"),
            3 => line!(self, "if ({term} > {small} && {other} != 3)\n    {own} = {small};"),
            4 => line!(self, "for (int {i} = 0; {i} < {bound}; {i}++)\n    {own} += {i} ^ {other};"),
            5 => line!(self, "for (int {i} = 0; {i} < (int)({term} & 3); {i}++)\n    {own} -= {i};"),
            6 => {
                line!(self, "switch ({other} & 3) {{\ncase 0:\n    {own} = 4;\n    break;\ncase 2:\n    {own}--;\n}}");
            }
            7 => line!(self, "{own} = tick({other} + {small});"),
            8 => line!(self, "{own} &= 15;\nwhile ({own} > 3)\n    {own} -= {};", bound % 3 + 1),
            _ => line!(self, "{own} = {term} > {small} || {other} < {bound} ? {other} : {small};"),
        }
    }

    /// Only where the condition holds does it go on.
    fn gate(&mut self, condition: &Term) {
        let condition = &condition.text;
        let (own, value, name) = (self.idle(), self.below(9), self.fresh("i"));
        match self.below(10) {
            0..=2 => self.open(&format!("if ({condition}) {{"), "}"),
            3 => self.open(&format!("if ({condition}) {{"), &format!("}} else {{\n    {own} += {value};\n}}")),
            4 | 5 => line!(self, "if (!({condition}))\n    return {value};"),
            6 => {
                line!(self, "int {name} = {condition};");
                self.noise();
                self.open(&format!("if ({name}) {{"), "}");
            }
            7 => {
                self.open("do {", "} while (0);");
                line!(self, "if (!({condition}))\n    break;");
            }
            8 => {
                self.open(&format!("for (int {name} = 0; {name} < {}; {name}++) {{", value + 1), "}");
                line!(self, "{own} += {name};");
                self.open(&format!("if ({name} == {} && ({condition})) {{", value / 2), "}");
            }
            _ => {
                line!(self, "switch ({condition}) {{\ndefault:\n    {own} -= {value};\n    break;");
                self.open("case 1: {", "    break;\n}\n}");
            }
        }
    }

    /// A condition that others rest on, or that cannot hold here: its opposite, if the target is to be reached.
    fn demand(&mut self, condition: &Term) {
        let turned = if self.reachable && !condition.holds() { not(condition) } else { condition.clone() };
        let [one, other] = [self.truth(), self.truth()].map(|other| both(&other, "&&", &turned));
        match self.below(6) {
            0 => self.gate(&one),
            1 => self.gate(&both(&one, "||", &other)),
            _ => self.gate(&turned),
        }
    }

    /// A condition that holds for the planted inputs, and that nothing rests on.
    fn guard(&mut self) {
        let (condition, other) = (self.truth(), self.truth());
        match self.below(5) {
            0 => self.gate(&both(&condition, "||", &not(&other))),
            1 => self.gate(&both(&not(&other), "||", &condition)),
            2 => self.gate(&both(&condition, "&&", &other)),
            _ => self.gate(&condition),
        }
    }

    /// Code between two conditions; gives back values that are needed after it, perhaps under other names.
    fn far(&mut self, mut kept: Vec<Term>) -> Vec<Term> {
        for _ in 0..=self.below(4) {
            match self.below(10) {
                0..=4 => self.noise(),
                5 | 6 => self.derive(),
                7 if self.frames.len() < 3 => self.descend(&mut kept),
                8 if self.spare > 0 => {
                    self.spare -= 1;
                    self.guard();
                }
                _ => kept = kept.iter().map(|term| self.carried(term)).collect(),
            }
        }
        kept
    }

    /// The rest happens in a function that is called here.
    fn descend(&mut self, kept: &mut [Term]) {
        let name = self.outer("step");
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        let mut pool = std::mem::take(&mut self.pool);
        for term in kept.iter_mut().chain(&mut pool) {
            let parameter = self.fresh("p");
            parameters.push(format!("{} {parameter}", term.kind.0));
            arguments.push(std::mem::replace(&mut term.text, parameter));
        }
        self.pool = pool;
        line!(self, "{} {name}({});", self.pick(&["n0 =", "n1 +=", "return"]), arguments.join(", "));
        let head = format!("static int {name}({}) {{", parameters.join(", "));
        self.frames.push(Frame { head, depth: 1, ..Frame::default() });
        self.line("int n0 = 1, n1 = m0;");
    }

    /// The same value on all inputs, by another way.
    fn carried(&mut self, term: &Term) -> Term {
        let (kind, of, text, name) = (term.kind, term.kind.0, term.text, self.fresh("v"));
        let wide = kind.1 >= 32 && kind != DOUBLE;
        let (small, index, i) = (self.below(99), self.integer().text, self.fresh("i"));
        match self.below(8) {
            0 => {
                let name = self.global(kind);
                line!(self, "{name} = {text};");
                return term.named(name);
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
            }
            3 => {
                line!(self, "{of} {name}[8] = {{0}};\nint {i} = (int)({index} & 7);\n{name}[{i}] = {text};");
                line!(self, "{name}[({i} + 1) & 7] = 1;");
                return term.named(format!("{name}[{i}]"));
            }
            4 => {
                let (tag, function) = (self.outer("box"), self.outer("fill"));
                outside!(self, "struct {tag} {{\n    int idle;\n    {of} value;\n}};");
                outside!(self, "static void {function}(struct {tag} *p, {of} v) {{\n    p->idle = {small};");
                outside!(self, "    p->value = v;\n}}");
                line!(self, "struct {tag} {name}, *{name}p = &{name};\n{function}({name}p, {text});");
                line!(self, "{name}p->idle += n0;");
                return term.named(format!("{name}p->value"));
            }
            5 if wide => {
                let key = number(kind, self.some(kind)).text;
                let (one, other) = self.pick(&[("^", "^"), ("+", "-"), ("-", "+")]);
                line!(self, "{of} {name} = {} {one} {key};", term.text);
                self.noise();
                return term.named(format!("({name} {other} {key})"));
            }
            6 if wide && !kind.2 => {
                line!(self, "{of} {name} = 0;\nfor (int {i} = 0; {i} < {}; {i}++)", kind.1 / 8);
                line!(self, "    {name} |= {} & (({of})255 << (8 * {i}));", term.text);
            }
            _ => {
                let condition = self.truth().text;
                line!(self, "{of} {name};\nif {}\n    {name} = {text};", condition);
                line!(self, "else\n    {name} = {text}, n1++;");
            }
        }
        term.named(name)
    }

    /// One more value that is computed from those of the pool.
    fn derive(&mut self) {
        let (a, b) = (self.expression(1), self.expression(1));
        let (kind, name) = (self.pick(&[INT, UINT, UINT, LONG, ULONG]), self.fresh("v"));
        let (one, other, of) = (cast(kind, &a), cast(kind, &b), kind.0);
        let value = match self.below(9) {
            0 | 1 => {
                let depth = 1 + self.below(3);
                let call = self.helper(&[a, b], depth);
                let kept = self.local(kind, &call);
                return self.pool.push(kept);
            }
            2 => {
                let condition = if self.one_in(2) { self.truth() } else { not(&self.truth()) };
                line!(self, "{of} {name} = {};\nif {}", other.text, condition.text);
                line!(self, "    {name} = {};", one.text);
                if condition.holds() { one.value } else { other.value }
            }
            3 => {
                let by = shift(&a, "&", 3);
                line!(self, "{of} {name} = {};\nswitch ({}) {{", one.text, by.text);
                let mut value = one.value;
                for case in 0..3 {
                    let added = number(kind, self.some(kind));
                    line!(self, "case {case}:\n    {name} += {};\n    break;", added.text);
                    value += if by.value == case { added.value } else { 0 };
                }
                self.line("}");
                kind.wrap(value)
            }
            4 => {
                let entries: [Term; 8] = std::array::from_fn(|_| number(kind, self.some(kind)));
                let (table, index) = (self.fresh("t"), shift(&a, "&", 7));
                line!(self, "static const {of} {table}[8] = {{{}}};", entries.each_ref().map(|e| &*e.text).join(", "));
                line!(self, "{of} {name} = {table}[{}];", index.text);
                entries[index.value as usize].value
            }
            5 => {
                let (table, at, from) = (self.fresh("t"), with(&a, "&", 3), with(&b, "&", 3));
                line!(self, "{of} {table}[4] = {{7, 5, 3, 1}};\n{table}[{}] = {};", at.text, other.text);
                line!(self, "{of} {name} = {table}[{}];", from.text);
                if at.value == from.value { other.value } else { 7 - 2 * from.value }
            }
            6 => {
                let name = self.global(kind);
                line!(self, "{name} = {};\n{name} += {};", one.text, other.text);
                return self.pool.push(Term::new(name, kind, kind.wrap(one.value + other.value)));
            }
            _ => return self.looped(kind),
        };
        self.pool.push(Term::new(name, kind, value));
    }

    /// A call of a function with two ways through it, perhaps with a call of another one.
    fn helper(&mut self, arguments: &[Term], depth: u64) -> Term {
        let parameters = arguments.iter().enumerate().map(|(at, term)| term.named(format!("p{at}"))).collect();
        let pool = std::mem::replace(&mut self.pool, parameters);
        let (kind, name, decided, holds) =
            (self.pick(&[INT, UINT, LONG]), self.outer("f"), self.expression(1), self.one_in(2));
        let (condition, early, mut late) = (self.about(&decided, holds), self.expression(1), self.expression(1));
        if depth > 1 {
            let next = [late, self.integer()];
            late = self.helper(&next, depth - 1);
        }
        let parameters = std::mem::replace(&mut self.pool, pool);
        let shown: Vec<String> = parameters.iter().map(|term| format!("{} {}", term.kind.0, term.text)).collect();
        outside!(self, "static {} {name}({}) {{\n    if {} {{", kind.0, shown.join(", "), condition.text);
        outside!(self, "        m0++;\n        return {};\n    }}\n    return {};\n}}", early.text, late.text);
        let texts: Vec<&str> = arguments.iter().map(|term| term.text).collect();
        let value = kind.wrap(if holds { early.value } else { late.value });
        Term::new(format!("{name}({})", texts.join(", ")), kind, value)
    }

    /// What a loop computes whose bound hangs on an input: a few rounds, or once in a program many.
    fn looped(&mut self, kind: Kind) {
        let (name, i, long, word) = (self.fresh("v"), self.fresh("i"), self.long, cast(UINT, &self.integer()));
        self.long = false;
        let (most, few) = (self.small(300_000) + 20_000, self.small(12) + 3);
        let bound = self.local(UINT, &if long { with(&word, "%", most) } else { with(&word, "&", few) });
        let (step, mut value, which) = (self.small(1_000) + 1, self.small(100), self.below(if long { 3 } else { 5 }));
        line!(self, "{} {name} = {value};\nfor (unsigned {i} = 0; {i} < {}; {i}++)", kind.0, bound.text);
        match which {
            0 => line!(self, "    {name} += {step};"),
            1 => line!(self, "    {name} = {name} * 3 + {i};"),
            2 => line!(self, "    {name} += {i} % 3u == 1 ? {step} : 1;"),
            3 => line!(self, "    {name} ^= {name} << 3 ^ {step};"),
            _ => line!(self, "    {name} = ({name} & 1) ? {name} * 3 + 1 : {name} + {step};"),
        }
        for round in 0..bound.value {
            value = kind.wrap(match which {
                0 => value + step,
                1 => value * 3 + round,
                2 => value + if round % 3 == 1 { step } else { 1 },
                3 => value ^ (value << 3) ^ step,
                _ => if value & 1 != 0 { value * 3 + 1 } else { value + step },
            });
        }
        self.pool.push(Term::new(name, kind, value));
    }
}

/// What has to hold, of values under the names that they have by then.
type Condition = Box<dyn Fn(&[Term]) -> Term>;

fn condition(made: impl Fn(&[Term]) -> Term + 'static) -> Condition {
    Box::new(made)
}

/// That a value is what it is on the planted inputs.
fn fixed(term: &Term) -> Term {
    with(term, "==", term.value)
}

/// That it is something else.
fn off(term: &Term, by: i128) -> Term {
    with(term, "==", term.value + by)
}

/// Reasons why conditions contradict each other. All of them hold in wrapping arithmetic, for all values.
impl Generator {
    /// Conditions, far apart, of which only the last does not hold: it cannot where the others do.
    fn contradiction(&mut self) {
        let kind = self.pick(&WORDS);
        let (kept, conditions) = match self.below(16) {
            0..=3 => return self.pinned(kind),
            4..=6 => self.order(kind),
            7 | 8 => self.identity(kind),
            9 | 10 => self.ranges(kind),
            11 | 12 => self.states(kind),
            13 | 14 => self.bits(kind),
            _ => self.reals(),
        };
        self.demand_all(kept, conditions);
    }

    fn demand_all(&mut self, mut kept: Vec<Term>, conditions: Vec<Condition>) {
        for condition in conditions {
            self.demand(&condition(&kept));
            kept = self.far(kept);
        }
    }

    /// Operations that can be inverted leave one value for a word, or two equations for two; what is computed from them is known.
    fn pinned(&mut self, kind: Kind) {
        let ([x, y], two) = (self.words(kind), self.one_in(3));
        let mut image = x.clone();
        if two {
            self.demand(&fixed(&both(&x, "+", &y)));
            image = both(&x, "+", &with(&y, "*", 2));
        }
        for _ in 0..=self.below(3) {
            let (constant, by) = (self.some(kind), self.small(u64::from(kind.1) - 1) + 1);
            image = match self.below(6) {
                0 | 1 => with(&image, "*", constant | 1),
                2 => with(&image, self.pick(&["+", "^"]), constant),
                3 => complement(&image),
                which => {
                    let from = self.local(kind, &image);
                    let (up, down) = (shift(&from, "<<", by), shift(&from, ">>", i128::from(kind.1) - by));
                    if which == 4 { both(&up, "|", &down) } else { both(&from, "^", &up) }
                }
            };
        }
        self.demand(&fixed(&image));
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

    fn order(&mut self, kind: Kind) -> (Vec<Term>, Vec<Condition>) {
        let mut kept: [Term; 3] = self.words(kind);
        kept.sort_by_key(|term| term.value);
        let (strict, by) = (kept[0].value < kept[1].value, self.small(9) + 1);
        let first = condition(move |k| both(&k[0], if strict { "<" } else { "<=" }, &k[1]));
        let second = condition(|k| both(&k[1], "<=", &k[2]));
        let last = match self.below(if strict { 6 } else { 3 }) {
            0 => condition(|k| both(&k[2], "<", &k[0])),
            1 => condition(move |k| both(&shift(&k[0], ">>", by), ">", &shift(&k[1], ">>", by))),
            2 => condition(|k| both(&with(&k[0], "/", 7), ">", &with(&k[2], "/", 7))),
            3 => condition(|k| with(&both(&k[1], "-", &k[0]), "==", 0)),
            4 => condition(|k| with(&k[1], "==", 0)),
            _ => condition(move |k| with(&k[0], "==", kind.most())),
        };
        (kept.to_vec(), vec![first, second, last])
    }

    fn identity(&mut self, kind: Kind) -> (Vec<Term>, Vec<Condition>) {
        let [a, b] = self.words(kind);
        let (and, or, xor) = (both(&a, "&", &b), both(&a, "|", &b), both(&a, "^", &b));
        let (sum, difference, square) = (both(&a, "+", &b), both(&a, "-", &b), both(&a, "*", &a));
        let (left, operator, right) = match self.below(12) {
            0 => (both(&and, "+", &or), "!=", sum),
            1 => (both(&xor, "+", &with(&and, "*", 2)), "!=", sum),
            2 => (with(&both(&a, "+", &complement(&b)), "+", 1), "!=", difference),
            3 => (or, "<", a),
            4 => (and, ">", b),
            5 => (both(&square, "-", &both(&b, "*", &b)), "!=", both(&sum, "*", &difference)),
            6 => (complement(&and), "!=", both(&complement(&a), "|", &complement(&b))),
            7 => (both(&a, "*", &with(&b, "+", 1)), "!=", both(&both(&a, "*", &b), "+", &a)),
            8 => (both(&or, "-", &and), "!=", xor),
            9 => (with(&square, "&", 7), "==", number(kind, self.pick(&[2, 3, 5, 6, 7]))),
            10 => (with(&both(&square, "+", &a), "&", 1), "!=", number(kind, 0)),
            _ => (both(&with(&with(&a, "/", 10), "*", 10), "+", &with(&a, "%", 10)), "!=", a),
        };
        let left = self.local(kind, &left);
        (vec![left, right], vec![condition(move |k| both(&k[0], operator, &k[1]))])
    }

    /// Values that cannot leave a range: of narrow types, of sums that do not wrap around, and what functions brought there.
    fn ranges(&mut self, kind: Kind) -> (Vec<Term>, Vec<Condition>) {
        let (low, high, beyond) = (self.small(100), self.small(20_000) + 100, self.small(30) + 1);
        match self.below(3) {
            0 => {
                let ([a, b], [s]) = (self.words(BYTE), self.words(SHORT));
                let last = match self.below(6) {
                    0 => condition(|k| with(&both(&k[0], "+", &k[1]), ">", 510)),
                    1 => condition(|k| with(&both(&k[0], "*", &k[1]), ">", 65_025)),
                    2 => condition(|k| with(&both(&k[0], "-", &k[1]), "<", -255)),
                    3 => condition(|k| with(&both(&k[2], "*", &k[2]), "<", 0)),
                    4 => condition(move |k| with(&shift(&cast(UINT, &k[2]), ">>", 15), "==", high)),
                    _ => condition(|k| both(&cast(BYTE, &k[2]), ">", &both(&k[0], "|", &number(INT, 255)))),
                };
                (vec![a, b, s], vec![last])
            }
            1 => {
                let words: [Term; 2] = self.words(kind);
                let kept = words.map(|term| self.local(kind, &shift(&term, ">>", i128::from(kind.1) - 14)));
                let bounds = kept.each_ref().map(|term| term.value + self.small(9_000));
                let last = match self.below(3) {
                    0 => condition(move |k| with(&both(&k[0], "+", &k[1]), ">", bounds[0] + bounds[1])),
                    1 => condition(move |k| with(&both(&k[0], "*", &k[1]), ">", bounds[0] * bounds[1])),
                    _ => condition(|k| both(&both(&k[0], "+", &k[1]), "<", &k[0])),
                };
                let firsts = [0, 1].map(|at: usize| condition(move |k| with(&k[at], "<=", bounds[at])));
                (kept.to_vec(), firsts.into_iter().chain([last]).collect())
            }
            _ => {
                let kind = self.pick(&[INT, UINT, LONG, SHORT]);
                let ([x], of, clamp) = (self.words(kind), kind.0, self.outer("clamp"));
                let (middle, top) = (self.outer("middle"), self.outer("top"));
                outside!(self, "static {of} {clamp}({of} v) {{\n    if (v < {low})\n        return {low};");
                outside!(self, "    return v > {high} ? {high} : v;\n}}\nstatic {of} {middle}({of} v) {{");
                outside!(self, "    if (v == {high})\n        return v;\n    return {clamp}(v);\n}}");
                outside!(self, "static {of} {top}({of} v) {{\n    {of} w = {middle}(v);\n    m1 += w > 50;");
                outside!(self, "    return w;\n}}");
                let call = format!("{}({})", self.pick(&[clamp, middle, top]), x.text);
                let clamped = self.local(kind, &Term::new(call, kind, x.value.clamp(low, high)));
                let last = match self.below(4) {
                    0 => condition(move |k| with(&k[0], ">", high)),
                    1 => condition(move |k| with(&k[0], "<", low)),
                    2 => condition(move |k| with(&k[0], "==", high + beyond)),
                    _ => condition(move |k| with(&with(&k[0], "+", beyond), ">", high + beyond)),
                };
                (vec![clamped], vec![last])
            }
        }
    }

    /// What statements make true: of variables that were set under conditions, of tables, of pairs in order, and of loops.
    fn states(&mut self, kind: Kind) -> (Vec<Term>, Vec<Condition>) {
        let ([x, y], of, name, i) = (self.words(kind), kind.0, self.fresh("v"), self.fresh("i"));
        match self.below(4) {
            0 => {
                let (one, other, state) = (self.about(&x, true), self.about(&y, true), self.global(INT));
                line!(self, "{state} = 0;\nif {}\n    {state} = 1;", one.text);
                self.noise();
                line!(self, "if ({state} == 1 && {})\n    {state} = 2;", other.text);
                let denied = if self.one_in(2) { one } else { other };
                let denied = self.local(INT, &denied);
                let state = Term::new(state, INT, 2);
                (vec![denied, state], vec![condition(|k| fixed(&k[1])), condition(|k| with(&k[0], "!=", 1))])
            }
            1 => {
                let (factor, rest, at) = (self.small(30) + 2, self.small(2), shift(&self.expression(1), "&", 15));
                let entries: [i128; 16] = std::array::from_fn(|_| self.small(1_000) * factor + rest);
                let most = entries.into_iter().max().unwrap();
                let shown = entries.map(|entry| entry.to_string()).join(", ");
                line!(self, "static const {of} {name}[16] = {{{shown}}};");
                let entry = Term::new(format!("{name}[{}]", at.text), kind, entries[at.value as usize]);
                let last = match self.below(2) {
                    0 => condition(move |k| with(&with(&k[0], "%", factor), "!=", rest)),
                    _ => condition(move |k| with(&k[0], ">", most)),
                };
                (vec![self.local(kind, &entry)], vec![last])
            }
            2 => {
                let (tag, function) = (self.outer("pair"), self.outer("sort"));
                outside!(self, "struct {tag} {{\n    {of} low, high;\n}};\nstatic void {function}(struct {tag} *p) {{");
                outside!(self, "    if (p->low > p->high) {{\n        {of} old = p->low;\n        p->low = p->high;");
                outside!(self, "        p->high = old;\n        m1++;\n    }}\n}}");
                line!(self, "struct {tag} {name} = {{{}, {}}};\n{function}(&{name});", x.text, y.text);
                let low = Term::new(format!("{name}.low"), kind, x.value.min(y.value));
                let high = Term::new(format!("{name}.high"), kind, x.value.max(y.value));
                let last = match self.below(4) {
                    0 => condition(|k| both(&k[0], ">", &k[1])),
                    1 => condition(|k| both(&k[0], ">", &k[2])),
                    2 => condition(|k| both(&k[1], "<", &k[3])),
                    _ => condition(|k| both(&both(&k[0], "+", &k[1]), "!=", &both(&k[2], "+", &k[3]))),
                };
                (vec![low, high, x, y], vec![last])
            }
            _ => {
                let (word, long, start) = (cast(UINT, &self.integer()), self.one_in(4), self.small(100));
                let rounds = self.local(UINT, &if long { with(&word, "%", 200_000) } else { with(&word, "&", 31) });
                line!(self, "{of} {name} = {start}, {name}n = 0;");
                line!(self, "for (unsigned {i} = 0; {i} < {}; {i}++) {{", rounds.text);
                line!(self, "    {name} += {} * {};\n    {name}n++;\n}}", x.text, self.small(30) * 2 + 2);
                let even = self.local(kind, &Term::new(format!("({name} & 1)"), kind, start & 1));
                let count = Term::new(format!("{name}n"), kind, rounds.value);
                let last = match self.below(3) {
                    0 => condition(move |k| with(&k[0], "!=", start & 1)),
                    1 => condition(|k| both(&k[1], "!=", &k[2])),
                    _ => condition(|k| both(&k[1], ">", &k[2])),
                };
                (vec![even, count, rounds], vec![last])
            }
        }
    }

    /// Bits, remainders and linear equations.
    fn bits(&mut self, kind: Kind) -> (Vec<Term>, Vec<Condition>) {
        let (kept, bits, odd): ([Term; 3], i128, i128) = (self.words(kind), self.small(6) + 1, self.small(50) * 2 + 1);
        let (unit, bit, small) = (1i128 << bits, 1i128 << self.below(kind.1.into()), self.small(20) + 2);
        let (one, other) = (self.some(kind) | bit, self.some(kind) | bit);
        let divisor = small * (self.small(8) + 2);
        let conditions = match self.below(7) {
            // A multiple of a power of two does not change the bits below.
            0 | 1 => vec![
                condition(move |k| {
                    let product = with(&k[0], "*", unit * odd);
                    both(&with(&product, "+", k[1].value - product.value), "==", &k[1])
                }),
                condition(move |k| off(&with(&k[1], "&", unit - 1), odd)),
            ],
            // One bit does not have both values.
            2 => vec![
                condition(move |k| fixed(&with(&k[0], "&", one))),
                condition(move |k| with(&with(&k[0], "&", other), "==", (k[0].value & other) ^ bit)),
            ],
            3 => vec![
                condition(move |k| fixed(&with(&k[0], "%", divisor))),
                condition(move |k| off(&with(&k[0], "%", small), odd)),
            ],
            4 => vec![
                condition(move |k| fixed(&with(&k[0], "/", divisor))),
                condition(move |k| with(&with(&k[0], "/", divisor * 3), "!=", k[0].value / divisor / 3)),
            ],
            // Sum and difference have the same parity.
            5 => vec![
                condition(|k| fixed(&both(&k[0], "+", &k[1]))),
                condition(move |k| off(&both(&k[0], "-", &k[1]), odd)),
            ],
            _ => vec![
                condition(|k| fixed(&both(&k[0], "+", &k[1]))),
                condition(|k| fixed(&both(&k[1], "+", &with(&k[2], "*", 3)))),
                condition(move |k| off(&both(&k[0], "-", &with(&k[2], "*", 3)), odd)),
            ],
        };
        (kept.to_vec(), conditions)
    }

    /// Doubles: doubling is exact, rounding keeps the order, and half an integer has no quarters.
    fn reals(&mut self) -> (Vec<Term>, Vec<Condition>) {
        let [whole] = self.words(INT);
        let half = self.local(DOUBLE, &both(&cast(DOUBLE, &whole), "*", &real(0.5)));
        let d = self.double().unwrap_or_else(|| half.clone());
        let (edge, more) = (d.double() - self.below(16) as f64 / 4.0, self.below(50) as f64 / 8.0);
        let mut conditions = match self.below(6) {
            0 => vec![
                condition(move |k| both(&k[0], ">=", &real(edge))),
                condition(move |k| both(&both(&k[0], "+", &real(more)), "<", &real(edge + more))),
            ],
            1 => vec![
                condition(move |k| both(&k[0], ">", &real(edge - 1.0))),
                condition(move |k| both(&both(&k[0], "*", &real(2.0)), "<=", &real((edge - 1.0) * 2.0))),
            ],
            2 => vec![
                condition(|k| both(&k[0], "==", &real(k[0].double()))),
                condition(move |k| both(&both(&k[0], "*", &real(3.0)), "!=", &real(k[0].double() * 3.0))),
            ],
            3 => vec![condition(|k| both(&both(&k[0], "*", &k[0]), "<", &real(0.0)))],
            4 => {
                let neither = |k: &[Term], d| both(&not(&both(&k[0], "<=", &d)), "&&", &not(&both(&k[0], ">", &d)));
                vec![condition(|k| both(&k[0], "==", &k[0])), condition(move |k| neither(k, real(more)))]
            }
            _ => vec![condition(move |k| both(&k[1], "==", &real((more * 8.0).floor() - 20.25)))],
        };
        conditions.insert(0, condition(|k| both(&k[1], "==", &k[1])));
        (vec![d, half], conditions)
    }

    /// Two conditions that contradict each other over the integers, and do not when something wraps around.
    fn far_wrapping(&mut self) {
        let kind = self.pick(&WORDS);
        let mut kept: [Term; 2] = self.words(kind);
        kept.sort_by_key(|term| term.value);
        let (low, high, factor) = (kept[0].value, kept[1].value, (self.small(400) + 1) * 6);
        let by = kind.most() + 1 - high + self.small(1_000).min(high - low - 1);
        let conditions = match self.below(2) {
            0 if low < high => vec![
                condition(|k| both(&k[0], "<", &k[1])),
                condition(move |k| both(&with(&k[0], "+", by), ">", &with(&k[1], "+", by))),
            ],
            _ => vec![
                condition(move |k| both(&with(&with(&k[1], "*", factor), "+", low - high * factor), "==", &k[0])),
                condition(|k| fixed(&with(&k[0], "%", 3))),
            ],
        };
        self.demand_all(kept.to_vec(), conditions);
    }
}

struct Program {
    text: String,
    /// The line of the target.
    line: usize,
    made: Generator,
}

const START: &str = "int hit;
static int m0, m1 = 5;
static int tick(int v) {
    if (v > 100)
        m0 -= v;
    else
        m1 += 3;
    return v / 3;
}
";

fn program(seed: u64) -> Program {
    let mut made = Generator {
        state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        reachable: seed.is_multiple_of(2),
        file: START.to_owned(),
        frames: Vec::new(),
        inputs: Vec::new(),
        pool: Vec::new(),
        count: 0,
        names: ["hit", "test", "tick", "m0", "m1"].map(str::to_owned).to_vec(),
        resets: "hit = 0; m0 = 0; m1 = 5; ".to_owned(),
        long: false,
        spare: 2,
    };
    made.build();
    let text = std::mem::take(&mut made.file);
    let line = text.lines().position(|line| line.trim() == "hit = 1;").unwrap() + 1;
    Program { text, line, made }
}

impl Generator {
    fn choose_inputs(&mut self) {
        let count = 2 + self.below(3) as usize;
        for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate().take(count) {
            let kind = self.pick(&[BYTE, SHORT, INT, INT, UINT, UINT, UINT, LONG]);
            let before = self.inputs.last().map_or(0, |term| term.value);
            let near = self.pick(&[before, -before, before ^ (1 << 31), before + 1]);
            let input = match self.below(4) {
                0 if at >= 2 => real(self.below(8_000) as f64 / 8.0 - 500.0),
                1 => Term::new("", kind, kind.wrap(near)),
                _ => Term::new("", kind, self.some(kind)),
            };
            self.inputs.push(input.named(name));
        }
    }

    fn build(&mut self) {
        self.choose_inputs();
        self.pool = self.inputs.clone();
        self.long = self.one_in(4);
        let parameters: Vec<String> = self.inputs.iter().map(|term| format!("{} {}", term.kind.0, term.text)).collect();
        let head = format!("int test({}) {{", parameters.join(", "));
        self.frames.push(Frame { head, depth: 1, ..Frame::default() });
        self.line("int n0 = 0, n1 = 7;");
        self.far([]);
        if self.reachable {
            self.spare = 0;
            for _ in 0..2 + self.below(3) {
                match self.below(6) {
                    0 => self.contradiction(),
                    1 | 2 => self.far_wrapping(),
                    _ => self.guard(),
                }
                self.far([]);
            }
        } else {
            self.contradiction();
            self.noise();
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
    int found = 0; \
    clock_t end = clock() + CLOCKS_PER_SEC / 10; \
    planted; \
    int first = hit; \
    for (int round = 0; round < rounds && clock() < end; round++) { \
        reset \
        others; \
        found |= hit; \
    } \
    printf("%d %d\n", first, found); \
    fflush(stdout);
"#;

/// Runs programs natively: each on its planted inputs, and those with an unreachable target on up to 20,000 other ones as well.
/// Panics if the answer is not the planted one.
fn confirm(programs: &[(u64, Program)]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, native) = (folder.path().join("native.c"), folder.path().join("native"));
    let (mut text, mut calls) = (HARNESS.to_owned(), String::new());
    for (seed, Program { text: own, made, .. }) in programs {
        for name in &made.names {
            let _ = writeln!(text, "#undef {name}\n#define {name} {name}_{seed}");
        }
        let (mut planted, mut others) = (Vec::new(), Vec::new());
        for term in &made.inputs {
            let double = term.kind == DOUBLE;
            let value = if double { real(term.double()) } else { number(term.kind, term.value) }.text;
            others.push(format!("{}({value})", if double { "near_real" } else { "near" }));
            planted.push(value);
        }
        let (planted, others, rounds) =
            (planted.join(", "), others.join(", "), if made.reachable { 0 } else { 20_000 });
        let _ = writeln!(text, "{own}static void check_{seed}(void) {{");
        let _ = writeln!(text, "    CHECK({rounds}, test({planted}), {}, test({others}))\n}}", made.resets);
        let _ = writeln!(calls, "    check_{seed}();");
    }
    fs::write(&source, format!("{text}int main(void) {{\n{calls}    return 0;\n}}\n")).unwrap();
    let done = Command::new("clang").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&native).arg(&source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let shown = run(&mut Command::new(&native), b"");
    let shown = String::from_utf8(shown.stdout).unwrap();
    let mut lines = shown.lines();
    for (seed, Program { text, made, .. }) in programs {
        let expected = if made.reachable { "1 0" } else { "0 0" };
        assert_eq!(lines.next(), Some(expected), "seed {seed}: not as planted\n{:?}\n{text}", made.inputs);
    }
}

#[test]
fn verdicts_are_the_planted_ones() {
    let given = std::env::var("SYMCRETE_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let count = if full() { 1_000 } else { 60 };
    let seeds = given.map_or(0..count, |seed| seed..seed + 1);
    let programs: Vec<(u64, Program)> = seeds.map(|seed| (seed, program(seed))).collect();
    programs.chunks(100).for_each(confirm);
    let counts = [const { AtomicUsize::new(0) }; 3];
    let wrong = failures(&programs, |(seed, Program { text, line, made })| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("program.c");
        fs::write(&source, text).unwrap();
        let mut command = symcrete();
        command
            .args(["reach", "--json", "--no-replay", "--entry", "test", "--time", "5", "--out"])
            .arg(folder.path().join("out"))
            .arg(format!("{}:{line}", source.display()));
        let shown = run(&mut command, b"");
        let planted = if made.reachable { "reachable" } else { "unreachable" };
        let wrong = |said| format!("seed {seed}: line {line} is {planted}, {:?}\n{text}\n{said}", made.inputs);
        let Ok(said) = serde_json::from_slice::<Value>(&shown.stdout) else { return Err(wrong(format!("{shown:?}"))) };
        let which = match said["verdict"].as_str() {
            _ if said["target"]["line"] != *line => return Err(wrong(said.to_string())),
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
