//! Reads what stands between the braces of a function: local variables, blocks, instructions, terminators.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::cursor::{Cursor, number};
use super::lexer::Token;
use super::{Line, Reader};
use crate::debug::Variable;
use crate::error::{Error, SyntaxProblem};
use crate::inst::{AddressTerm, CallData, Callee, SwitchTable};
use crate::{
    BinaryOp, Block, BlockData, Body, Call, CastOp, Edge, EdgeId, FloatOp, FloatPredicate, FuncId, Inst, IntPredicate,
    Intrinsic, LocId, Operand, Reg, Terminator, Type, WrapFlags,
};

/// Keeps a slip of the pen from asking for gigabytes of registers.
const MAX_REGISTER: u32 = 1 << 24;

/// A body being read. Registers that are used but never assigned get the type `i1`.
#[derive(Default)]
pub(super) struct BodyParser {
    body: Body,
    types: Vec<Option<Type>>,
    /// The block being read: its number is that of the blocks read so far.
    open: Option<BlockData>,
    terminated: bool,
    edge_lines: Vec<u32>,
}

impl BodyParser {
    pub(super) fn line(&mut self, reader: &mut Reader, function: FuncId, line: &Line<'_>) -> Result<(), Error> {
        let mut cursor = Cursor::new(line);
        match cursor.peek_word() {
            Some(word) if word.starts_with("bb") => self.label(&mut cursor)?,
            Some("returns_twice") => {
                cursor.skip();
                self.body.calls_returns_twice = true;
            }
            Some("local") => {
                cursor.skip();
                let register = self.register(&mut cursor)?;
                let variable = self.variable(reader, &mut cursor, line)?;
                self.body.locals.push((register, variable));
            }
            Some("promoted") => {
                cursor.skip();
                let variable = self.variable(reader, &mut cursor, line)?;
                self.body.promoted_locals.push(variable);
            }
            _ => {
                if self.open.is_none() || self.terminated {
                    return cursor.fail(SyntaxProblem::OutsideBlock);
                }
                let loc = reader.loc(line, function)?;
                self.statement(reader, &mut cursor, line.number, loc)?;
            }
        }
        cursor.end()
    }

    pub(super) fn finish(mut self, line: u32) -> Result<Body, Error> {
        self.close_block(line)?;
        self.body.registers = self.types.iter().map(|ty| ty.unwrap_or(Type::BOOL)).collect::<PrimaryMap<Reg, Type>>();
        for (edge, line) in self.body.edges.values().zip(&self.edge_lines) {
            if edge.target.index() >= self.body.blocks.len() {
                return Err(Error::Syntax { line: *line, problem: SyntaxProblem::UnknownBlock(edge.target) });
            }
        }
        self.body.mark_overlaps();
        Ok(self.body)
    }

    fn close_block(&mut self, line: u32) -> Result<(), Error> {
        match self.open.take() {
            Some(_) if !self.terminated => Err(Error::Syntax { line, problem: SyntaxProblem::NoTerminator }),
            Some(data) => {
                self.body.blocks.push(data);
                self.terminated = false;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn label(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        let block = cursor.block()?;
        self.close_block(cursor.line())?;
        let expected = self.body.blocks.next_key();
        if block != expected {
            return cursor.fail(SyntaxProblem::BlockOutOfOrder { expected, found: block.to_string() });
        }
        let mut params = Vec::new();
        if cursor.accept("(") {
            while !cursor.accept(")") {
                params.push(self.typed_register(cursor)?.0);
                cursor.accept(",");
            }
        }
        cursor.expect(":")?;
        self.open = Some(BlockData {
            params,
            insts: Vec::new(),
            locs: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_loc: LocId::NOWHERE,
        });
        Ok(())
    }

    fn variable(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, line: &Line<'_>) -> Result<Variable, Error> {
        let name = cursor.text()?;
        let declared = reader.declaration(line)?;
        let (file, line) = declared.map_or((None, 0), |(file, line, _)| (Some(file), line));
        Ok(Variable { name, ty: None, file, line })
    }

    /// A register, made known if it is new.
    fn register(&mut self, cursor: &mut Cursor<'_>) -> Result<Reg, Error> {
        let word = cursor.word("a register")?;
        let Some(index) = word.strip_prefix('r').and_then(|digits| number::<u32>(digits).ok()) else {
            return cursor.unexpected("a register");
        };
        if index >= MAX_REGISTER {
            return cursor.fail(SyntaxProblem::RegisterTooLarge(index.into()));
        }
        if self.types.len() <= index as usize {
            self.types.resize(index as usize + 1, None);
        }
        Ok(Reg::from_u32(index))
    }

    /// `r1: i32`, where it is assigned.
    fn typed_register(&mut self, cursor: &mut Cursor<'_>) -> Result<(Reg, Type), Error> {
        let register = self.register(cursor)?;
        cursor.expect(":")?;
        let ty = cursor.ty()?;
        self.types[register.index()] = Some(ty);
        Ok((register, ty))
    }

    fn operand(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>) -> Result<Operand, Error> {
        match cursor.peek_word() {
            Some(word) if is_register(word) => Ok(self.register(cursor)?.into()),
            _ => Ok(cursor.constant(reader, 0)?.into()),
        }
    }

    /// `i32 r1`, or a constant, which says its type itself.
    fn typed(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>) -> Result<(Type, Operand), Error> {
        if cursor.second_word().is_some_and(is_register) {
            let ty = cursor.ty()?;
            return Ok((ty, self.register(cursor)?.into()));
        }
        let constant = cursor.constant(reader, 0)?;
        Ok((reader.program.constants[constant].ty(), constant.into()))
    }

    fn statement(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, line: u32, loc: LocId) -> Result<(), Error> {
        let mut results = Vec::new();
        while cursor.peek_word().is_some_and(is_register) {
            let register = self.register(cursor)?;
            let ty = if cursor.accept(":") { Some(cursor.ty()?) } else { None };
            results.push((register, ty));
            if !cursor.accept(",") {
                cursor.expect("=")?;
                break;
            }
        }
        let must_tail = cursor.accept_word("musttail");
        let word = cursor.word("an instruction")?;
        if matches!(word, "call" | "invoke") {
            let call = self.call(reader, cursor, results, must_tail)?;
            return match word {
                "call" => self.push(Inst::Call { call }, loc),
                _ => {
                    cursor.expect_word("normal")?;
                    let normal = self.edge(reader, cursor, line)?;
                    cursor.expect_word("unwind")?;
                    let unwind = self.edge(reader, cursor, line)?;
                    self.terminate(Terminator::Invoke { call, normal, unwind }, loc)
                }
            };
        }
        match results.as_slice() {
            [] => match word {
                "marker" => self.push(Inst::Marker, loc),
                "store" => {
                    let volatile = cursor.accept_word("volatile");
                    let (ty, value) = self.typed(reader, cursor)?;
                    cursor.expect_word("to")?;
                    let address = self.operand(reader, cursor)?;
                    self.push(Inst::Store { ty, address, value, volatile }, loc)
                }
                _ => {
                    let terminator = self.terminator(reader, cursor, word, line)?;
                    self.terminate(terminator, loc)
                }
            },
            [(dst, None)] => {
                let (inst, ty) = self.assignment(reader, cursor, word, *dst)?;
                self.types[dst.index()] = Some(ty);
                self.push(inst, loc)
            }
            _ => cursor.unexpected("a call"),
        }
    }

    fn push(&mut self, inst: Inst, loc: LocId) -> Result<(), Error> {
        if let Some(block) = &mut self.open {
            block.insts.push(inst);
            block.locs.push(loc);
        }
        Ok(())
    }

    fn terminate(&mut self, terminator: Terminator, loc: LocId) -> Result<(), Error> {
        if let Some(block) = &mut self.open {
            block.terminator = terminator;
            block.terminator_loc = loc;
        }
        self.terminated = true;
        Ok(())
    }

    /// An instruction that assigns one register, and the register's type.
    fn assignment(
        &mut self,
        reader: &mut Reader,
        cursor: &mut Cursor<'_>,
        word: &str,
        dst: Reg,
    ) -> Result<(Inst, Type), Error> {
        if let Some(op) = CastOp::from_mnemonic(word) {
            let (from, src) = self.typed(reader, cursor)?;
            cursor.expect_word("to")?;
            let to = cursor.ty()?;
            return Ok((Inst::Cast { op, from, to, dst, src }, to));
        }
        if let Some(op) = BinaryOp::from_mnemonic(word) {
            let flags = wrap_flags(cursor);
            let (ty, lhs, rhs) = self.pair(reader, cursor)?;
            return Ok((Inst::Binary { op, ty, flags, dst, lhs, rhs }, ty));
        }
        if let Some(op) = FloatOp::from_mnemonic(word) {
            let (ty, lhs, rhs) = self.pair(reader, cursor)?;
            return Ok((Inst::FloatBinary { op, ty, dst, lhs, rhs }, ty));
        }
        match word {
            "icmp" => {
                let Some(predicate) = IntPredicate::from_mnemonic(cursor.word("a predicate")?) else {
                    return cursor.unexpected("a predicate");
                };
                let (ty, lhs, rhs) = self.pair(reader, cursor)?;
                Ok((Inst::IntCompare { predicate, ty, dst, lhs, rhs }, Type::BOOL))
            }
            "fcmp" => {
                let Some(predicate) = FloatPredicate::from_mnemonic(cursor.word("a predicate")?) else {
                    return cursor.unexpected("a predicate");
                };
                let (ty, lhs, rhs) = self.pair(reader, cursor)?;
                Ok((Inst::FloatCompare { predicate, ty, dst, lhs, rhs }, Type::BOOL))
            }
            "fneg" | "freeze" | "copy" => {
                let (ty, src) = self.typed(reader, cursor)?;
                let inst = match word {
                    "fneg" => Inst::FloatNegate { ty, dst, src },
                    "freeze" => Inst::Freeze { ty, dst, src },
                    _ => Inst::Copy { ty, dst, src },
                };
                Ok((inst, ty))
            }
            "select" => {
                let (ty, condition, if_true) = self.pair(reader, cursor)?;
                cursor.expect(",")?;
                let if_false = self.operand(reader, cursor)?;
                Ok((Inst::Select { ty, dst, condition, if_true, if_false }, ty))
            }
            "address" => self.address(reader, cursor, dst),
            "load" => {
                let volatile = cursor.accept_word("volatile");
                let ty = cursor.ty()?;
                cursor.expect_word("from")?;
                let address = self.operand(reader, cursor)?;
                Ok((Inst::Load { ty, dst, address, volatile }, ty))
            }
            "alloca" => {
                let count = self.operand(reader, cursor)?;
                cursor.expect_word("x")?;
                let element_bytes = cursor.integer()?;
                cursor.expect_word("align")?;
                let align: u64 = cursor.integer()?;
                let align_log2 = align.trailing_zeros() as u8;
                Ok((Inst::Alloca { dst, count, element_bytes, align_log2 }, Type::POINTER))
            }
            _ => cursor.unexpected("an instruction"),
        }
    }

    /// A type and two operands.
    fn pair(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>) -> Result<(Type, Operand, Operand), Error> {
        let ty = cursor.ty()?;
        let first = self.operand(reader, cursor)?;
        cursor.expect(",")?;
        Ok((ty, first, self.operand(reader, cursor)?))
    }

    fn address(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, dst: Reg) -> Result<(Inst, Type), Error> {
        let base = self.operand(reader, cursor)?;
        let mut offset = 0;
        let first_term = self.body.address_terms.len() as u32;
        while cursor.accept("+") {
            let number: i64 = cursor.integer()?;
            if cursor.accept("*") {
                let (ty, index) = self.typed(reader, cursor)?;
                self.body.address_terms.push(AddressTerm { index, ty, scale: number });
            } else {
                offset = match i32::try_from(number) {
                    Ok(offset) => offset,
                    Err(_) => return cursor.fail(SyntaxProblem::BadNumber(number.to_string())),
                };
            }
        }
        let terms = (self.body.address_terms.len() as u32 - first_term) as u16;
        Ok((Inst::Address { dst, base, offset, first_term, terms }, Type::POINTER))
    }

    fn call(
        &mut self,
        reader: &mut Reader,
        cursor: &mut Cursor<'_>,
        results: Vec<(Reg, Option<Type>)>,
        must_tail: bool,
    ) -> Result<Call, Error> {
        let callee = self.callee(reader, cursor)?;
        let mut data = CallData {
            callee,
            args: Vec::new(),
            arg_types: Vec::new(),
            by_value: Vec::new(),
            results: Vec::new(),
            result_types: Vec::new(),
            fixed_args: u32::MAX,
            sign_extended: Vec::new(),
            sign_extended_result: false,
            must_tail,
        };
        for (register, ty) in results {
            let Some(ty) = ty else { return cursor.unexpected("`:` and a type behind each result of a call") };
            self.types[register.index()] = Some(ty);
            data.results.push(register);
            data.result_types.push(ty);
        }
        cursor.expect("(")?;
        while !cursor.accept(")") {
            if cursor.accept("...") {
                data.fixed_args = data.args.len() as u32;
            } else {
                let (ty, arg) = self.typed(reader, cursor)?;
                if cursor.accept_word("byval") {
                    let bytes = cursor.integer()?;
                    cursor.expect_word("align")?;
                    data.by_value.push((data.args.len() as u32, bytes, cursor.integer()?));
                }
                if cursor.accept_word("signext") {
                    data.sign_extended.push(data.args.len() as u32);
                }
                data.args.push(arg);
                data.arg_types.push(ty);
            }
            cursor.accept(",");
        }
        data.fixed_args = data.fixed_args.min(data.args.len() as u32);
        Ok(self.body.calls.push(data))
    }

    fn callee(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>) -> Result<Callee, Error> {
        if cursor.accept("*") {
            return Ok(Callee::Indirect(self.operand(reader, cursor)?));
        }
        if cursor.accept_word("intrinsic") {
            let name = cursor.word("an intrinsic")?;
            let Some(intrinsic) = Intrinsic::ALL.iter().find(|known| format!("{known:?}") == name) else {
                return cursor.unexpected("an intrinsic");
            };
            return Ok(Callee::Intrinsic(*intrinsic, cursor.ty()?));
        }
        if cursor.accept_word("unsupported") {
            return Ok(Callee::Unsupported(cursor.text()?.into_boxed_str()));
        }
        Ok(Callee::Direct(reader.function_name(cursor)?))
    }

    fn terminator(
        &mut self,
        reader: &mut Reader,
        cursor: &mut Cursor<'_>,
        word: &str,
        line: u32,
    ) -> Result<Terminator, Error> {
        match word {
            "jump" if cursor.accept("*") => {
                let address = self.operand(reader, cursor)?;
                Ok(Terminator::IndirectJump { address, targets: self.edge_list(reader, cursor, line)? })
            }
            "jump" => Ok(Terminator::Jump(self.edge(reader, cursor, line)?)),
            "branch" => {
                let condition = self.operand(reader, cursor)?;
                cursor.expect(",")?;
                let if_true = self.edge(reader, cursor, line)?;
                cursor.expect(",")?;
                let if_false = self.edge(reader, cursor, line)?;
                Ok(Terminator::Branch { condition, if_true, if_false })
            }
            "switch" => self.switch(reader, cursor, line),
            "return" => Ok(Terminator::Return(self.operands_to_end(reader, cursor)?)),
            "resume" => Ok(Terminator::Resume(self.operands_to_end(reader, cursor)?)),
            "unreachable" => Ok(Terminator::Unreachable),
            "unsupported" => {
                let what = cursor.text()?.into_boxed_str();
                Ok(Terminator::Unsupported { what, successors: self.edge_list(reader, cursor, line)? })
            }
            _ => cursor.unexpected("an instruction"),
        }
    }

    fn switch(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, line: u32) -> Result<Terminator, Error> {
        let (ty, value) = self.typed(reader, cursor)?;
        let mut cases = Vec::new();
        cursor.expect("[")?;
        while !cursor.accept("]") {
            let first = cases.len();
            loop {
                cases.push((cursor.integer()?, EdgeId::new(0)));
                if !cursor.accept("|") {
                    break;
                }
            }
            cursor.expect("=>")?;
            let edge = self.edge(reader, cursor, line)?;
            cases[first..].iter_mut().for_each(|case| case.1 = edge);
            cursor.accept(",");
        }
        cursor.expect_word("default")?;
        let default = self.edge(reader, cursor, line)?;
        // The text groups values by edge; the table is by value.
        cases.sort_by_key(|case| case.0);
        let table = self.body.switches.push(SwitchTable { cases, default });
        Ok(Terminator::Switch { value, ty, table })
    }

    fn operands_to_end(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>) -> Result<Vec<Operand>, Error> {
        let mut operands = Vec::new();
        while cursor.peek().is_some() {
            operands.push(self.operand(reader, cursor)?);
            cursor.accept(",");
        }
        Ok(operands)
    }

    fn edge_list(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, line: u32) -> Result<Vec<EdgeId>, Error> {
        let mut edges = Vec::new();
        cursor.expect("[")?;
        while !cursor.accept("]") {
            edges.push(self.edge(reader, cursor, line)?);
            cursor.accept(",");
        }
        Ok(edges)
    }

    fn edge(&mut self, reader: &mut Reader, cursor: &mut Cursor<'_>, line: u32) -> Result<EdgeId, Error> {
        let target = cursor.block()?;
        let mut args = Vec::new();
        if cursor.accept("(") {
            while !cursor.accept(")") {
                args.push(self.operand(reader, cursor)?);
                cursor.accept(",");
            }
        }
        let source: Block = self.body.blocks.next_key();
        self.edge_lines.push(line);
        Ok(self.body.edges.push(Edge { source, target, args, overlaps: false }))
    }
}

fn is_register(word: &str) -> bool {
    word.strip_prefix('r').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn wrap_flags(cursor: &mut Cursor<'_>) -> WrapFlags {
    let mut flags = 0;
    loop {
        flags |= match cursor.peek() {
            Some(Token::Word(word)) if word == "nuw" => WrapFlags::NO_UNSIGNED_WRAP,
            Some(Token::Word(word)) if word == "nsw" => WrapFlags::NO_SIGNED_WRAP,
            Some(Token::Word(word)) if word == "exact" => WrapFlags::EXACT,
            _ => return WrapFlags(flags),
        };
        cursor.skip();
    }
}
