//! A position in the tokens of a line, and what is read at it wherever it stands: words, numbers, types, constants.

use std::str::FromStr;

use super::lexer::Token;
use super::{Line, Named, Reader};
use crate::error::{Error, SyntaxProblem};
use crate::print::MAX_CONSTANT_DEPTH;
use crate::types::FloatKind;
use crate::{BinaryOp, Block, CastOp, Const, Constant, ConstantExpression, IntPredicate, Type, TypeKind};

/// Far above any program, and below what the type of blocks can hold.
const MAX_BLOCK: u32 = 1 << 24;

pub(super) struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    line: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a Line<'_>) -> Self {
        Cursor { tokens: &line.tokens, at: 0, line: line.number }
    }

    pub(super) fn fail<T>(&self, problem: SyntaxProblem) -> Result<T, Error> {
        Err(Error::Syntax { line: self.line, problem })
    }

    /// Complains about the token just read.
    pub(super) fn unexpected<T>(&self, expected: &'static str) -> Result<T, Error> {
        self.complain(expected, self.at.checked_sub(1))
    }

    fn complain<T>(&self, expected: &'static str, at: Option<usize>) -> Result<T, Error> {
        let found = at.and_then(|at| self.tokens.get(at)).map_or("the end of the line".to_string(), Token::describe);
        self.fail(SyntaxProblem::Unexpected { expected, found })
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The word behind the next token.
    pub(super) fn second_word(&self) -> Option<&'a str> {
        match self.tokens.get(self.at + 1) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        if self.at < self.tokens.len() { self.complain("the end of the line", Some(self.at)) } else { Ok(()) }
    }

    pub(super) fn accept(&mut self, mark: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Punctuation(next)) if *next == mark);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: &'static str) -> Result<(), Error> {
        if self.accept(mark) { Ok(()) } else { self.complain(mark, Some(self.at)) }
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_word(&mut self, word: &'static str) -> Result<(), Error> {
        if self.accept_word(word) { Ok(()) } else { self.complain(word, Some(self.at)) }
    }

    pub(super) fn word(&mut self, expected: &'static str) -> Result<&'a str, Error> {
        match self.peek_word() {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => self.complain(expected, Some(self.at)),
        }
    }

    pub(super) fn text(&mut self) -> Result<String, Error> {
        match self.peek() {
            Some(Token::Text(text)) => {
                self.at += 1;
                Ok(text.clone())
            }
            _ => self.complain("text in quotes", Some(self.at)),
        }
    }

    /// A name and the offset behind it.
    pub(super) fn name(&mut self) -> Result<(String, i64), Error> {
        match self.peek() {
            Some(Token::Name { key, offset }) => {
                self.at += 1;
                Ok((key.clone(), *offset))
            }
            _ => self.complain("a name", Some(self.at)),
        }
    }

    fn digits(&mut self) -> Result<&'a str, Error> {
        match self.peek() {
            Some(Token::Number(digits)) => {
                self.at += 1;
                Ok(digits)
            }
            _ => self.complain("a number", Some(self.at)),
        }
    }

    pub(super) fn integer<T: FromStr>(&mut self) -> Result<T, Error> {
        let digits = self.digits()?;
        number(digits).or_else(|_| self.fail(SyntaxProblem::BadNumber(digits.to_string())))
    }

    pub(super) fn ty(&mut self) -> Result<Type, Error> {
        match self.peek_word().and_then(Type::from_mnemonic) {
            Some(ty) => {
                self.at += 1;
                Ok(ty)
            }
            None => self.complain("a type", Some(self.at)),
        }
    }

    pub(super) fn block(&mut self) -> Result<Block, Error> {
        match self.peek_word().and_then(|word| word.strip_prefix("bb")).and_then(|digits| number(digits).ok()) {
            Some(block) if block < MAX_BLOCK => {
                self.at += 1;
                Ok(Block::from_u32(block))
            }
            _ => self.complain("a block", Some(self.at)),
        }
    }

    pub(super) fn constant(&mut self, reader: &mut Reader, depth: u32) -> Result<Const, Error> {
        let constant = match self.peek() {
            Some(Token::Name { .. }) => {
                let (key, offset) = self.name()?;
                match reader.named(self, &key)? {
                    Named::Global(global) => Constant::Global { global, offset },
                    Named::Function(function) => Constant::Function(function),
                }
            }
            Some(Token::Punctuation("(")) if depth == MAX_CONSTANT_DEPTH => return self.fail(SyntaxProblem::TooDeep),
            Some(Token::Punctuation("(")) => {
                self.skip();
                let expression = self.expression(reader, depth + 1)?;
                self.expect(")")?;
                Constant::Expression(expression)
            }
            _ if self.accept_word("label") => {
                let function = reader.function_name(self)?;
                Constant::BlockAddress(function, self.block()?)
            }
            _ if self.accept_word("undef") => {
                let ty = self.ty()?;
                let named = matches!(self.peek(), Some(Token::Text(_)));
                let variable = if named { Some(self.text()?.into_boxed_str()) } else { None };
                Constant::Undefined { ty, variable }
            }
            _ => {
                let ty = self.ty()?;
                let digits = self.digits()?;
                match literal(ty, digits, reader.program.layout.pointer_bits) {
                    Some(constant) => constant,
                    None => return self.fail(SyntaxProblem::BadNumber(digits.to_string())),
                }
            }
        };
        Ok(reader.program.constant(constant))
    }

    fn expression(&mut self, reader: &mut Reader, depth: u32) -> Result<ConstantExpression, Error> {
        let word = self.word("an operation on constants")?;
        if let Some(op) = CastOp::from_mnemonic(word) {
            let src = self.constant(reader, depth)?;
            self.expect_word("to")?;
            let from = reader.program.constants[src].ty();
            return Ok(ConstantExpression::Cast { op, from, to: self.ty()?, src });
        }
        let predicate = match word {
            "icmp" => IntPredicate::from_mnemonic(self.word("a predicate")?),
            _ => None,
        };
        let ty = self.ty()?;
        let first = self.constant(reader, depth)?;
        self.expect(",")?;
        let second = self.constant(reader, depth)?;
        match (word, predicate, BinaryOp::from_mnemonic(word)) {
            ("icmp", Some(predicate), _) => {
                Ok(ConstantExpression::IntCompare { predicate, ty, lhs: first, rhs: second })
            }
            ("select", ..) => {
                self.expect(",")?;
                let if_false = self.constant(reader, depth)?;
                Ok(ConstantExpression::Select { ty, condition: first, if_true: second, if_false })
            }
            (_, _, Some(op)) => Ok(ConstantExpression::Binary { op, ty, lhs: first, rhs: second }),
            _ => self
                .fail(SyntaxProblem::Unexpected { expected: "an operation on constants", found: format!("`{word}`") }),
        }
    }
}

pub(super) fn number<T: FromStr>(digits: &str) -> Result<T, T::Err> {
    digits.parse()
}

/// A number of a type, if it fits.
fn literal(ty: Type, digits: &str, pointer_bits: u16) -> Option<Constant> {
    let width = u32::from(ty.bits(pointer_bits));
    let limbs = match (ty.kind(), digits.strip_prefix("0x")) {
        (_, Some(digits)) => hexadecimal(digits)?,
        (TypeKind::Float(FloatKind::Double), None) => vec![digits.parse::<f64>().ok()?.to_bits()],
        (TypeKind::Float(FloatKind::Single), None) => vec![u64::from(digits.parse::<f32>().ok()?.to_bits())],
        (TypeKind::Float(_), None) => return None,
        (TypeKind::Int(_) | TypeKind::Pointer, None) => match (digits.parse::<u64>(), digits.parse::<i64>()) {
            (Ok(value), _) => vec![value],
            (_, Ok(value)) if width <= 64 && value >= i64::MIN >> (64 - width) => {
                vec![value as u64 & (u64::MAX >> (64 - width))]
            }
            _ => return None,
        },
    };
    let used_bits = limbs.len() as u32 * 64 - limbs.last()?.leading_zeros();
    if limbs.iter().any(|limb| *limb != 0) && used_bits > width {
        return None;
    }
    if width <= 64 {
        return Some(Constant::Word { ty, bits: limbs[0] });
    }
    let mut limbs = limbs;
    limbs.resize(width.div_ceil(64) as usize, 0);
    Some(Constant::Wide { ty, limbs: limbs.into() })
}

/// Little-endian limbs, the highest not zero unless it is the only one.
fn hexadecimal(digits: &str) -> Option<Vec<u64>> {
    let digits = digits.trim_start_matches('0').as_bytes();
    if digits.is_empty() {
        return Some(vec![0]);
    }
    digits.rchunks(16).map(|chunk| u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok()).collect()
}
