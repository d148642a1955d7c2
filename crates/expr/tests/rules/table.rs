//! Every rule by name, with an instance that shows it: what is built, and what must come of it. Both are built in several widths, and
//! that the first equals the second is proved.
//!
//! `x`, `y`, `z` have the whole width w; `p`, `q` one bit; `b`, `c` a part of n = (w + 1) / 2 bits; `h` the other w - n. Numbers have
//! the whole width, with a suffix `n` or `h` that of a part, with `t` two bits. `zext` and `sext` extend to w, `low` and `high` cut the
//! low n and the other bits.

use symcrete_expr::Bits;
use symcrete_expr::dag::{Arena, Expr, Op};

use crate::shape::variable;
use crate::smt::Proofs;

const WIDTHS: [u32; 4] = [3, 8, 32, 64];

struct Reader<'a> {
    arena: &'a mut Arena,
    width: u32,
    tokens: Vec<String>,
    at: usize,
}

/// Builds what the text says.
fn read(arena: &mut Arena, width: u32, text: &str) -> Expr {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let tokens = spaced.split_whitespace().map(str::to_string).collect();
    let mut reader = Reader { arena, width, tokens, at: 0 };
    let expr = reader.expr();
    assert_eq!(reader.at, reader.tokens.len(), "{text}");
    expr
}

impl Reader<'_> {
    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn part(&self) -> u32 {
        self.width.div_ceil(2)
    }

    fn expr(&mut self) -> Expr {
        let token = self.next();
        if token != "(" {
            return self.atom(&token);
        }
        let name = self.next();
        let mut operands = Vec::new();
        while self.tokens[self.at] != ")" {
            operands.push(self.expr());
        }
        self.at += 1;
        self.apply(&name, &operands)
    }

    fn atom(&mut self, token: &str) -> Expr {
        let (width, part) = (self.width, self.part());
        match token {
            "x" => variable(self.arena, 0, width),
            "y" => variable(self.arena, 1, width),
            "z" => variable(self.arena, 2, width),
            "p" => variable(self.arena, 3, 1),
            "q" => variable(self.arena, 4, 1),
            "b" => variable(self.arena, 5, part),
            "c" => variable(self.arena, 6, part),
            "h" => variable(self.arena, 7, width - part),
            "true" => self.arena.boolean(true),
            "false" => self.arena.boolean(false),
            "least" => self.arena.word(width, 1 << (width - 1)),
            "width" => self.arena.word(width, width.into()),
            "array" => {
                let key = symcrete_expr::dag::Variable { input: 8, offset: 0, width, index_width: 2 };
                self.arena.variable(key)
            }
            "i" => variable(self.arena, 9, 2),
            "j" => variable(self.arena, 10, 2),
            _ => {
                let digits = token.trim_end_matches(['n', 'h', 't']);
                let number: i64 = digits.parse().unwrap_or_else(|_| panic!("{token}"));
                let width = match &token[digits.len()..] {
                    "n" => part,
                    "h" => width - part,
                    "t" => 2,
                    _ => width,
                };
                self.arena.constant(&Bits::from_u64(64, number as u64).trunc(width))
            }
        }
    }

    fn apply(&mut self, name: &str, operands: &[Expr]) -> Expr {
        let (width, part) = (self.width, self.part());
        let arena = &mut *self.arena;
        let binary = match name {
            "and" => Some(Op::And),
            "or" => Some(Op::Or),
            "xor" => Some(Op::Xor),
            "add" => Some(Op::Add),
            "sub" => Some(Op::Sub),
            "mul" => Some(Op::Mul),
            "udiv" => Some(Op::UDiv),
            "sdiv" => Some(Op::SDiv),
            "urem" => Some(Op::URem),
            "srem" => Some(Op::SRem),
            "shl" => Some(Op::Shl),
            "lshr" => Some(Op::LShr),
            "ashr" => Some(Op::AShr),
            _ => None,
        };
        let comparison = match name {
            "eq" => Some(Op::Equal),
            "ult" => Some(Op::UnsignedLess),
            "ule" => Some(Op::UnsignedLessEqual),
            "slt" => Some(Op::SignedLess),
            "sle" => Some(Op::SignedLessEqual),
            _ => None,
        };
        match (name, operands) {
            (_, [a, b]) if binary.is_some() => arena.binary(binary.unwrap(), *a, *b),
            (_, [a, b]) if comparison.is_some() => arena.compare(comparison.unwrap(), *a, *b),
            ("not", [a]) => arena.not(*a),
            ("neg", [a]) => arena.neg(*a),
            ("ite", [condition, a, b]) => arena.ite(*condition, *a, *b),
            ("concat", [high, low]) => arena.concat(*high, *low),
            ("zext", [a]) => arena.zero_extend(*a, width),
            ("sext", [a]) => arena.sign_extend(*a, width),
            ("wide", [a]) => arena.zero_extend(*a, 2 * width),
            ("signed-wide", [a]) => arena.sign_extend(*a, 2 * width),
            ("low", [a]) => arena.extract(*a, 0, part),
            ("high", [a]) => arena.extract(*a, part, width - part),
            ("whole", [a]) => arena.extract(*a, 0, width),
            ("lowest", [a]) => arena.extract(*a, 0, 1),
            ("second", [a]) => arena.extract(*a, 1, 1),
            ("but-lowest", [a]) => arena.extract(*a, 1, width - 1),
            ("but-highest", [a]) => arena.extract(*a, 0, width - 1),
            ("highest", [a]) => arena.extract(*a, arena.width(*a) - 1, 1),
            ("select", [array, index]) => arena.select(*array, *index),
            ("store", [array, index, element]) => arena.store(*array, *index, *element),
            ("table", elements) => arena.table(2, width, elements),
            _ => panic!("{name} of {}", operands.len()),
        }
    }
}

/// Name, what is built, what comes of it, the least width in which the rule shows.
type Rule = (&'static str, &'static str, &'static str, u32);

#[rustfmt::skip]
const RULES: &[Rule] = &[
    // Complements and choices.
    ("double complement", "(not (not x))", "x", 1),
    ("complement of less", "(not (ult x y))", "(ule y x)", 1),
    ("complement of at most", "(not (ule x y))", "(ult y x)", 1),
    ("complement of signed less", "(not (slt x y))", "(sle y x)", 1),
    ("complement of signed at most", "(not (sle x y))", "(slt y x)", 1),
    ("complement of a sum", "(not (add x 5))", "(sub -6 x)", 3),
    ("complement of a distance", "(not (sub 5 x))", "(add x -6)", 3),
    ("complement of xor", "(not (xor x 5))", "(xor x -6)", 3),
    ("De Morgan and", "(not (and (not x) (not y)))", "(or x y)", 1),
    ("De Morgan or", "(not (or (not x) (not y)))", "(and x y)", 1),
    ("De Morgan of comparisons", "(not (and (ult x y) (slt x z)))", "(or (ule y x) (sle z x))", 3),
    ("complement of a sign extension", "(not (sext b))", "(sext (not b))", 3),
    ("complement of a choice", "(not (ite p 5 9))", "(ite p -6 -10)", 3),
    ("choice that is decided", "(ite true x y)", "x", 1),
    ("choice that is decided otherwise", "(ite false x y)", "y", 1),
    ("choice of the same", "(ite p x x)", "x", 1),
    ("choice on a complement", "(ite (not p) x y)", "(ite p y x)", 1),
    ("choice within the first", "(ite p (ite p x y) z)", "(ite p x z)", 1),
    ("choice within the second", "(ite p x (ite p y z))", "(ite p x z)", 1),
    ("two conditions for the first", "(ite p x (ite q x z))", "(ite (or p q) x z)", 1),
    ("two conditions for the second", "(ite p (ite q x z) z)", "(ite (and p q) x z)", 1),
    ("choice of equals", "(ite (eq x y) x y)", "y", 1),
    ("choice of equals, turned", "(ite (eq x y) y x)", "x", 1),
    ("choice of bits, true", "(ite p true q)", "(or p q)", 1),
    ("choice of bits, false", "(ite p false q)", "(and (not p) q)", 1),
    ("choice of bits, else true", "(ite p q true)", "(or (not p) q)", 1),
    ("choice of bits, else false", "(ite p q false)", "(and p q)", 1),
    ("choice of the condition", "(ite p p q)", "(or p q)", 1),
    ("choice of the condition otherwise", "(ite p q p)", "(and p q)", 1),
    ("choice of the condition's complement", "(ite p (not p) q)", "(and (not p) q)", 1),
    ("choice of the condition's complement otherwise", "(ite p q (not p))", "(or (not p) q)", 1),
    ("choice of complements", "(ite p (not q) q)", "(xor p q)", 1),
    ("choice of 1 and 0", "(ite p 1 0)", "(zext p)", 3),
    ("choice of 0 and 1", "(ite p 0 1)", "(zext (not p))", 3),
    ("choice of -1 and 0", "(ite p -1 0)", "(sext p)", 3),
    ("choice of 0 and -1", "(ite p 0 -1)", "(sext (not p))", 3),
    ("choice of zero extensions", "(ite p (zext b) (zext c))", "(zext (ite p b c))", 3),
    ("choice of a zero extension and a constant", "(ite p (zext b) 2)", "(zext (ite p b 2n))", 3),
    ("choice of sign extensions", "(ite p (sext b) (sext c))", "(sext (ite p b c))", 3),
    ("choice of a sign extension and a constant", "(ite p -2 (sext b))", "(sext (ite p -2n b))", 3),
    // Logic.
    ("and of the same", "(and x x)", "x", 1),
    ("or of the same", "(or x x)", "x", 1),
    ("xor of the same", "(xor x x)", "0", 1),
    ("and of complements", "(and x (not x))", "0", 1),
    ("or of complements", "(or x (not x))", "-1", 1),
    ("xor of complements", "(xor x (not x))", "-1", 1),
    ("and with zero", "(and x 0)", "0", 1),
    ("and with ones", "(and -1 x)", "x", 1),
    ("or with zero", "(or 0 x)", "x", 1),
    ("or with ones", "(or x -1)", "-1", 1),
    ("xor with zero", "(xor x 0)", "x", 1),
    ("xor with ones", "(xor x -1)", "(not x)", 1),
    ("and that masks nothing", "(and (urem x 6) 7)", "(urem x 6)", 8),
    ("or that sets nothing", "(or (or (mul x y) 5) 1)", "(or (mul x y) 5)", 3),
    ("and of constants", "(and (and x 11) 13)", "(and x 9)", 8),
    ("or of constants", "(or (or x 9) 4)", "(or x 13)", 8),
    ("xor of constants", "(xor (xor x 9) 5)", "(xor x 12)", 8),
    ("xor of a complement and a constant", "(xor (not x) 5)", "(xor x -6)", 3),
    ("xor of complements cancels", "(xor (not x) (not y))", "(xor x y)", 1),
    ("xor of one complement", "(xor (not x) y)", "(not (xor x y))", 1),
    ("mask of one bit", "(eq (and x 2) 0)", "(not (second x))", 3),
    ("mask of high bits", "(and x -2)", "(concat (but-lowest x) (lowest 0))", 3),
    ("mask of joined parts, cut off", "(and (concat h b) (concat 0h 5n))", "(zext (and b 5n))", 8),
    ("mask of joined parts, kept", "(and (concat h b) (concat -1h 5n))", "(concat h (and b 5n))", 8),
    ("or of joined parts", "(or (concat h b) (concat 0h 5n))", "(concat h (or b 5n))", 8),
    ("xor of joined parts", "(xor (concat h b) (concat 5h 0n))", "(concat (xor h 5h) b)", 8),
    ("and absorbs and", "(and x (and x y))", "(and x y)", 1),
    ("and absorbs or", "(and x (or x y))", "x", 1),
    ("or absorbs and", "(or x (and x y))", "x", 1),
    ("or absorbs or", "(or x (or y x))", "(or x y)", 1),
    ("xor of xors with a part in common", "(xor (xor x y) (xor z x))", "(xor y z)", 1),
    ("choice of bits that differ", "(ite (xor p q) p q)", "p", 1),
    ("xor undoes xor", "(xor x (xor x y))", "y", 1),
    ("and knows the complement under or", "(and x (or (not x) y))", "(and x y)", 1),
    ("or knows the complement under and", "(or x (and (not x) y))", "(or x y)", 1),
    ("and of complements deeper", "(and x (and (not x) y))", "0", 1),
    ("or of complements deeper", "(or x (or (not x) y))", "-1", 1),
    ("and with the complement of and", "(and x (not (and x y)))", "(and x (not y))", 1),
    ("or with the complement of or", "(or x (not (or x y)))", "(or x (not y))", 1),
    ("and of zero extensions", "(and (zext b) (zext c))", "(zext (and b c))", 3),
    ("or of zero extensions", "(or (zext b) (zext c))", "(zext (or b c))", 3),
    ("xor of a zero extension and a constant", "(xor (zext b) 2)", "(zext (xor b 2n))", 3),
    ("and of a zero extension and a constant", "(and (zext b) -3)", "(zext (and b -3n))", 8),
    ("and of sign extensions", "(and (sext b) (sext c))", "(sext (and b c))", 3),
    ("xor of a sign extension and a constant", "(xor (sext b) -2)", "(sext (xor b -2n))", 8),
    ("and of a sign extension and a small constant", "(and (sext b) 5)", "(zext (and b 5n))", 8),
    ("or of parts in their places", "(or (concat h 0n) (zext b))", "(concat h b)", 3),
    ("sum of parts in their places", "(add (concat h 0n) (zext b))", "(concat h b)", 3),
    ("xor of parts in their places", "(xor (zext b) (concat h 0n))", "(concat h b)", 3),
    ("and of joined parts with constants", "(and (concat h 5n) (concat (high x) b))", "(concat (and h (high x)) (and b 5n))", 8),
    // Comparisons joined.
    ("upper bounds, and", "(and (ult x 3) (ult x 5))", "(ult x 3)", 8),
    ("upper bounds, or", "(or (ult x 3) (ult x 5))", "(ult x 5)", 8),
    ("signed bounds, and", "(and (slt x -3) (slt x 5))", "(slt x -3)", 8),
    ("bounds that exclude each other", "(and (ult x 3) (ult 5 x))", "false", 8),
    ("bounds that leave nothing out", "(or (ult x 5) (ult 3 x))", "true", 8),
    ("bounds that meet in one number", "(and (ult x 5) (ult 3 x))", "(eq x 4)", 8),
    ("bounds that leave one number out", "(or (ult x 4) (ult 4 x))", "(not (eq x 4))", 8),
    ("equal to two numbers", "(and (eq x 3) (eq x 4))", "false", 8),
    ("equal and not equal", "(and (eq x 3) (not (eq x 4)))", "(eq x 3)", 8),
    ("different from one of two", "(or (not (eq x 3)) (not (eq x 4)))", "true", 8),
    ("equal within bounds", "(and (eq x 3) (ult x 9))", "(eq x 3)", 8),
    ("bounds of a sum", "(and (ult (add x 3) 5) (eq (add x 3) 1))", "(eq x -2)", 8),
    ("mixed signs", "(and (slt x 0) (ult x 5))", "false", 8),
    // Sums and products.
    ("sum with zero", "(add x 0)", "x", 1),
    ("sum of constants", "(add (add x 3) 2)", "(add x 5)", 3),
    ("sum of a distance and a constant", "(add (sub 3 x) 2)", "(sub 5 x)", 3),
    ("sum of a complement and a constant", "(add (not x) 1)", "(neg x)", 3),
    ("sum of the same", "(add x x)", "(concat (but-highest x) (lowest 0))", 3),
    ("sum of complements", "(add x (not x))", "-1", 1),
    ("constants go outside a sum", "(add (add x 3) y)", "(add (add x y) 3)", 3),
    ("constants of both go outside", "(add (add x 3) (add y 2))", "(add (add x y) 5)", 3),
    ("sum undoes a difference", "(add (sub x y) y)", "x", 1),
    ("sum with a negation", "(add x (neg y))", "(sub x y)", 1),
    ("sum with a distance", "(add x (sub 5 y))", "(add (sub x y) 5)", 3),
    ("difference of the same", "(sub x x)", "0", 1),
    ("difference with a constant", "(sub x 5)", "(add x -5)", 3),
    ("difference with a negation", "(sub x (neg y))", "(add x y)", 3),
    ("minus one less something", "(sub -1 x)", "(not x)", 3),
    ("constant less a sum", "(sub 5 (add x 2))", "(sub 3 x)", 3),
    ("constant less a distance", "(sub 5 (sub 2 x))", "(add x 3)", 3),
    ("constant less a complement", "(sub 5 (not x))", "(add x 6)", 3),
    ("negated difference", "(neg (sub x y))", "(sub y x)", 3),
    ("constants go outside a difference", "(sub (add x 3) y)", "(add (sub x y) 3)", 3),
    ("constants of the second go outside", "(sub x (add y 3))", "(add (sub x y) -3)", 3),
    ("difference undoes a sum", "(sub (add x y) x)", "y", 1),
    ("difference undoes a sum, second", "(sub (add x y) y)", "x", 1),
    ("difference with a sum", "(sub x (add x y))", "(neg y)", 3),
    ("difference of a difference", "(sub (sub x y) x)", "(neg y)", 3),
    ("difference with a difference", "(sub x (sub x y))", "y", 1),
    ("sums of bits", "(add p q)", "(xor p q)", 1),
    ("products of bits", "(mul p q)", "(and p q)", 1),
    ("product with zero", "(mul x 0)", "0", 1),
    ("product with one", "(mul x 1)", "x", 1),
    ("product with minus one", "(mul x -1)", "(neg x)", 3),
    ("product with a power of two", "(mul x 2)", "(concat (but-highest x) (lowest 0))", 3),
    ("product of constants", "(mul (mul x 3) 5)", "(mul x 15)", 8),
    ("product of a negation and a constant", "(mul (neg x) 5)", "(mul x -5)", 8),
    ("product of negations", "(mul (neg x) (neg y))", "(mul x y)", 3),
    // Divisions.
    ("quotient by zero", "(udiv x 0)", "-1", 1),
    ("quotient by one", "(udiv x 1)", "x", 1),
    ("quotient by a power of two", "(udiv x 2)", "(zext (but-lowest x))", 3),
    ("quotient of the same", "(udiv (or x 1) (or x 1))", "1", 3),
    ("quotient in fewer bits", "(udiv (zext b) 3)", "(zext (udiv b 3n))", 8),
    ("remainder by zero", "(urem x 0)", "x", 1),
    ("remainder by one", "(urem x 1)", "0", 1),
    ("remainder of the same", "(urem x x)", "0", 1),
    ("remainder by a power of two", "(urem x 2)", "(zext (lowest x))", 3),
    ("remainder of less", "(urem (urem x 5) 6)", "(urem x 5)", 8),
    ("remainder in fewer bits", "(urem (zext b) (zext c))", "(zext (urem b c))", 3),
    ("signed quotient by zero", "(sdiv x 0)", "(ite (slt x 0) 1 -1)", 3),
    ("signed quotient by one", "(sdiv x 1)", "x", 3),
    ("signed quotient by minus one", "(sdiv x -1)", "(neg x)", 3),
    ("signed quotient of positive numbers", "(sdiv (zext b) (zext c))", "(udiv (zext b) (zext c))", 3),
    ("signed quotient in fewer bits", "(sdiv (sext b) -3)", "(sext (sdiv b -3n))", 8),
    ("signed remainder by zero", "(srem x 0)", "x", 1),
    ("signed remainder by one", "(srem x 1)", "0", 3),
    ("signed remainder by minus one", "(srem x -1)", "0", 3),
    ("signed remainder by a negative number", "(srem x -3)", "(srem x 3)", 8),
    ("signed remainder of positive numbers", "(srem (zext b) 3)", "(zext (urem b 3n))", 8),
    ("signed remainder in fewer bits", "(srem (sext b) 3)", "(sext (srem b 3n))", 8),
    // Shifts.
    ("shift left by zero", "(shl x 0)", "x", 1),
    ("shift left by all", "(shl x width)", "0", 3),
    ("shift left", "(shl x 1)", "(concat (but-highest x) (lowest 0))", 3),
    ("shift right by zero", "(lshr x 0)", "x", 1),
    ("shift right by all", "(lshr x width)", "0", 3),
    ("shift right", "(lshr x 1)", "(zext (but-lowest x))", 3),
    ("signed shift right", "(ashr x 1)", "(sext (but-lowest x))", 3),
    ("signed shift right by all", "(ashr x width)", "(sext (highest x))", 3),
    ("signed shift of a positive number", "(ashr (zext b) y)", "(lshr (zext b) y)", 3),
    ("shift of zero", "(shl 0 x)", "0", 1),
    ("signed shift of ones", "(ashr -1 x)", "-1", 1),
    ("shift there and back", "(lshr (shl x 1) 1)", "(zext (but-highest x))", 3),
    // Comparisons.
    ("equal to itself", "(eq x x)", "true", 1),
    ("less than itself", "(ult x x)", "false", 1),
    ("at most itself", "(sle x x)", "true", 1),
    ("less of bits", "(ult p q)", "(and (not p) q)", 1),
    ("signed less of bits", "(slt p q)", "(and p (not q))", 1),
    ("at most of bits", "(ule p q)", "(or (not p) q)", 1),
    ("signed at most of bits", "(sle p q)", "(or p (not q))", 1),
    ("signed comparison of positive numbers", "(slt (lshr x 1) (lshr y 1))", "(ult (but-lowest x) (but-lowest y))", 3),
    ("at most a constant", "(ule x 4)", "(ult x 5)", 8),
    ("at least a constant", "(sle 4 x)", "(slt 3 x)", 8),
    ("less than one", "(ult x 1)", "(eq x 0)", 3),
    ("more than zero", "(ult 0 x)", "(not (eq x 0))", 3),
    ("less than the largest", "(ult x -1)", "(not (eq x -1))", 3),
    ("at least the largest", "(ule -1 x)", "(eq x -1)", 3),
    ("signed more than the least", "(slt least x)", "(not (eq x least))", 3),
    ("comparison of zero extensions", "(ult (zext b) (zext c))", "(ult b c)", 3),
    ("signed comparison of zero extensions", "(slt (zext b) (zext c))", "(ult b c)", 3),
    ("comparison of a zero extension and a constant", "(ult (zext b) 3)", "(ult b 3n)", 8),
    ("zero extension below a constant that it never reaches", "(ult (zext b) -1)", "true", 3),
    ("signed comparison of a zero extension and a constant", "(slt 3 (zext b))", "(ult 3n b)", 8),
    ("comparison of sign extensions", "(slt (sext b) (sext c))", "(slt b c)", 3),
    ("unsigned comparison of sign extensions", "(ult (sext b) (sext c))", "(ult b c)", 3),
    ("comparison of a sign extension and a constant", "(slt (sext b) -3)", "(slt b -3n)", 8),
    ("sign extension and a constant that it never is", "(ult (sext b) least)", "(slt -1n b)", 8),
    ("constant that a sign extension never is", "(ult least (sext b))", "(slt b 0n)", 8),
    ("less by the high part", "(ult (concat h b) (concat 3h 0n))", "(ult h 3h)", 8),
    ("signed more by the high part", "(slt (concat 3h -1n) (concat h b))", "(slt 3h h)", 8),
    ("less with equal high parts", "(slt (concat h b) (concat h c))", "(ult b c)", 3),
    ("signed sum that does not wrap", "(slt (add (zext b) -3) 2)", "(ult b 5n)", 8),
    ("sum that does not wrap", "(ult (add (zext b) 3) 9)", "(ult b 6n)", 8),
    ("range check in fewer bits", "(ult (add (zext b) -3) 5)", "(ult (add b -3n) 5n)", 8),
    ("range check past the end", "(ult (add (zext b) -3) -9)", "(ult 2n b)", 8),
    ("sign of a difference", "(slt (sub (zext b) (zext c)) 0)", "(ult b c)", 8),
    ("positive difference", "(slt 0 (sub (zext b) (zext c)))", "(ult c b)", 8),
    // Equality.
    ("bit is one", "(eq p true)", "p", 1),
    ("bit is zero", "(eq p false)", "(not p)", 1),
    ("bits are equal", "(eq p q)", "(not (xor p q))", 1),
    ("equal to its complement", "(eq x (not x))", "false", 1),
    ("complements equal", "(eq (not x) (not y))", "(eq x y)", 1),
    ("complement equals a constant", "(eq (not x) 5)", "(eq x -6)", 3),
    ("sum equals a constant", "(eq (add x 3) 5)", "(eq x 2)", 3),
    ("distance equals a constant", "(eq (sub 3 x) 5)", "(eq x -2)", 3),
    ("xor equals a constant", "(eq (xor x 3) 5)", "(eq x 6)", 3),
    ("difference is zero", "(eq (sub x y) 0)", "(eq x y)", 1),
    ("xor is zero", "(eq (xor x y) 0)", "(eq x y)", 1),
    ("product equals a constant", "(eq (mul x 3) 6)", "(eq x 2)", 3),
    ("zero extension equals a constant", "(eq (zext b) 2)", "(eq b 2n)", 3),
    ("zero extension never equals a constant", "(eq (zext b) -1)", "false", 3),
    ("sign extension equals a constant", "(eq (sext b) -2)", "(eq b -2n)", 3),
    ("boolean round trip", "(not (eq (zext p) 0))", "p", 3),
    ("boolean equals one", "(eq (zext p) 1)", "p", 3),
    ("zero extensions equal", "(eq (zext b) (zext c))", "(eq b c)", 3),
    ("sign extensions equal", "(eq (sext b) (sext c))", "(eq b c)", 3),
    ("joined equals a constant", "(eq (concat h b) (concat 1h 5n))", "(and (eq h 1h) (eq b 5n))", 3),
    ("joined with a constant part", "(eq (concat h 5n) (concat (high x) b))", "(and (eq h (high x)) (eq b 5n))", 8),
    ("joined with the same part", "(eq (concat h b) (concat h c))", "(eq b c)", 3),
    ("joined equals an extension", "(eq (concat h b) (zext c))", "(and (eq h 0h) (eq b c))", 3),
    ("sums with a part in common", "(eq (add x y) (add y z))", "(eq x z)", 1),
    ("differences with a part in common", "(eq (sub x y) (sub z y))", "(eq x z)", 1),
    ("sums with constants", "(eq (add x 3) (add y 5))", "(eq x (add y 2))", 3),
    ("sum equals its part", "(eq (add x y) x)", "(eq y 0)", 3),
    ("difference equals its part", "(eq (sub x y) x)", "(eq y 0)", 3),
    ("choice of constants equals one", "(eq (ite p 3 5) 3)", "p", 3),
    ("choice of constants equals the other", "(eq (ite p 3 5) 5)", "(not p)", 3),
    ("choice of constants equals neither", "(eq (ite p 3 5) 4)", "false", 3),
    ("choice with another constant", "(eq (ite p 3 x) 4)", "(and (not p) (eq x 4))", 3),
    ("choice with the constant", "(eq (ite p x 3) 3)", "(or (not p) (eq x 3))", 3),
    ("choice equals a branch", "(eq (ite p x y) x)", "(or p (eq y x))", 3),
    ("comparison of a choice of constants", "(ult (ite p 3 7) 5)", "p", 8),
    ("sum of a choice of constants", "(add (ite p 3 7) 5)", "(ite p 8 12)", 8),
    // Cutting, joining, extending.
    ("cut of a cut", "(low (whole (wide x)))", "(low x)", 3),
    ("cut of the low part", "(low (concat h b))", "b", 3),
    ("cut of the high part", "(high (concat h b))", "h", 3),
    ("cut of a zero extension", "(low (zext b))", "b", 3),
    ("cut above a zero extension", "(high (zext b))", "0h", 3),
    ("cut across a zero extension", "(whole (wide x))", "x", 3),
    ("cut of a sign extension", "(low (sext b))", "b", 3),
    ("cut of a sign extension's sign", "(highest (sext b))", "(highest b)", 3),
    ("cut of a complement", "(low (not (sext b)))", "(not b)", 3),
    ("cut of logic with a constant", "(low (and x (concat 5h -1n)))", "(low x)", 8),
    ("cut of a sum of extensions", "(low (add (zext b) (zext c)))", "(add b c)", 8),
    ("cut of a product of extensions", "(low (mul (sext b) (zext c)))", "(mul b c)", 8),
    ("cut of arithmetic in more bits", "(low (add (mul (zext b) 5) (zext c)))", "(add (mul b 5n) c)", 8),
    ("cut of xor of extensions", "(low (xor (sext b) (zext c)))", "(xor b c)", 3),
    ("cut of a choice of constants", "(low (ite p 3 5))", "(ite p 3n 5n)", 8),
    ("joined cuts", "(concat (high x) (low x))", "x", 3),
    ("joined cuts of a sum", "(concat (high (add (zext b) (zext c))) (low (add (zext b) (zext c))))", "(add (zext b) (zext c))", 3),
    ("joined cuts of a sign extension", "(concat (high (sext b)) b)", "(sext b)", 3),
    ("joined to zeros", "(concat 0h b)", "(zext b)", 3),
    ("joined to a zero extension", "(concat (zext b) x)", "(wide (concat b x))", 3),
    ("joined to a sign extension", "(concat (sext b) x)", "(signed-wide (concat b x))", 3),
    ("joined to what is joined", "(concat (concat h b) c)", "(concat h (concat b c))", 3),
    ("joined choices of constants", "(concat (ite p 1h 2h) (ite p 3n 1n))", "(ite p (concat 1h 3n) (concat 2h 1n))", 8),
    ("joined to a choice of constants", "(concat 1h (ite p 3n 1n))", "(ite p (concat 1h 3n) (concat 1h 1n))", 8),
    ("zero extension of a zero extension", "(wide (zext b))", "(wide b)", 3),
    ("sign extension of a sign extension", "(signed-wide (sext b))", "(signed-wide b)", 3),
    ("sign extension of a zero extension", "(signed-wide (zext b))", "(wide b)", 3),
    ("zero extension of a cut of zeros", "(zext (low (urem x 2)))", "(zext (lowest x))", 8),
    ("zero extension after a cut of zeros", "(zext (low (udiv (zext b) (or (zext c) 1))))", "(zext (udiv b (or c 1n)))", 8),
    ("sign extension after a cut of signs", "(sext (low (sdiv (sext b) 3)))", "(sext (sdiv b 3n))", 8),
    ("extension of a choice of constants", "(wide (ite p 3 5))", "(ite p (wide 3) (wide 5))", 3),
    // Arrays.
    ("read what was written", "(select (store array i x) i)", "x", 3),
    ("read beside what was written", "(select (store array 1t x) 2t)", "(select array 2t)", 3),
    ("read at another offset", "(select (store array i x) (add i 1t))", "(select array (add i 1t))", 3),
    ("read of a table", "(select (table x y 5) 1t)", "y", 3),
    ("read past the end of a table", "(select (table x y) 3t)", "0", 3),
    ("read of a table of equals", "(select (table x x x x) i)", "x", 3),
    ("read of zeros", "(select (table 0 0) i)", "0", 3),
    ("read of a choice of arrays", "(select (ite p (table x y) array) 0t)", "(ite p x (select array 0t))", 3),
];

#[test]
fn every_rule_is_proved() {
    let mut proofs = Proofs::default();
    let mut missed = Vec::new();
    for (name, before, after, least) in RULES {
        let uses_parts =
            ["b", "c", "h", "low", "high"].iter().any(|word| before.split([' ', '(', ')']).any(|token| token == *word));
        let widths = if uses_parts || *least > 1 { &WIDTHS[..] } else { &[1, 3, 8, 32, 64][..] };
        for &width in widths {
            let (mut with_rules, mut without_rules) = (Arena::new(), Arena::without_rules());
            let simple = read(&mut with_rules, width, before);
            let plain = read(&mut without_rules, width, before);
            if width >= *least {
                let expected = read(&mut with_rules, width, after);
                if simple != expected {
                    let (is, should) = (with_rules.display(simple), with_rules.display(expected));
                    missed.push(format!("{name}, width {width}: {is} is not {should}"));
                }
                let restated = read(&mut without_rules, width, after);
                assert_ne!(plain, restated, "{name} says nothing");
                if width <= 32 || !is_hard(before) {
                    proofs.equal(name, (&without_rules, plain), (&without_rules, restated));
                }
            }
            if width <= 8 || !is_hard(before) {
                proofs.equal(name, (&without_rules, plain), (&with_rules, simple));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(proofs.len() > 500, "{}", proofs.len());
    proofs.run();
}

/// Products and quotients of many bits.
fn is_hard(text: &str) -> bool {
    ["mul", "div", "rem"].iter().any(|word| text.contains(word))
}
