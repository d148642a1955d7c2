//! Programs as text, for people and for tests; `parse` reads it back. Prints what is there even if it is invalid.
//!
//! ```text
//! function @sum(i32) -> i32 {                ; sum.c:1 (sum)
//! bb0(r0: i32):
//!   jump bb1(i32 0, r0)                      ; sum.c:3:5
//! bb1(r1: i32, r2: i32):
//!   r3 = add nsw i32 r1, r2                  ; sum.c:4:9
//!   r4 = icmp eq i32 r2, i32 0
//!   branch r4, bb2, bb1(r3, r2)
//! bb2:
//!   return r3
//! }
//! ```

mod pieces;

use std::fmt::{Display, Formatter, Result, Write};

use rustc_hash::FxHashMap;

use crate::debug::Variable;
use crate::inst::{AddressTerm, CallData, Callee};
use crate::{
    Block, Body, Call, Const, Constant, ConstantExpression, EdgeId, FloatKind, FuncId, Function, Global, GlobalId,
    Inst, Linkage, LocId, Operand, OperandKind, Program, Terminator, Type, TypeKind, WrapFlags,
};

use pieces::{FilePath, Listed, Plain, Quoted, Text};
pub(crate) use pieces::{is_plain, is_plain_in_path};

/// Constants nested deeper than this are cut off.
pub(crate) const MAX_CONSTANT_DEPTH: u32 = 100;

/// Prints a program, or a part of one. Make one and use it for many functions: it names every function and global once.
pub struct Printer<'a> {
    program: &'a Program,
    global_names: Vec<String>,
    function_names: Vec<String>,
}

impl<'a> Printer<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        let mut unique = |name: &'a str| {
            let earlier = uses.entry(name).or_insert(0);
            *earlier += 1;
            match *earlier {
                1 => format!("@{}", Plain(name)),
                count => format!("@{}#{}", Plain(name), count - 1),
            }
        };
        let global_names = program.globals.values().map(|global| unique(&global.name)).collect();
        let function_names = program.functions.values().map(|function| unique(&function.name)).collect();
        Printer { program, global_names, function_names }
    }

    /// The whole program.
    pub fn program(&self) -> impl Display + '_ {
        Text(move |f| self.write_program(f))
    }

    pub fn function(&self, id: FuncId) -> impl Display + '_ {
        Text(move |f| self.write_function(f, id))
    }

    /// One block of a function that has a body.
    pub fn block(&self, id: FuncId, block: Block) -> impl Display + '_ {
        Text(move |f| match &self.program.functions[id].body {
            Some(body) => self.write_block(f, &self.program.functions[id], body, block),
            None => Ok(()),
        })
    }

    /// One instruction of a body, without its location.
    pub fn inst<'b>(&'b self, body: &'b Body, inst: &'b Inst) -> impl Display + 'b {
        Text(move |f| self.write_inst(f, body, inst))
    }

    pub fn constant(&self, constant: Const) -> impl Display + '_ {
        Text(move |f| self.write_constant(f, constant, 0))
    }

    fn write_program(&self, f: &mut Formatter<'_>) -> Result {
        let layout = &self.program.layout;
        writeln!(f, "target {} pointers {}", Quoted(&layout.triple), layout.pointer_bits)?;
        for (id, global) in self.program.globals.iter() {
            self.write_global(f, id, global)?;
        }
        for (word, list) in [("constructors", &self.program.constructors), ("destructors", &self.program.destructors)] {
            if !list.is_empty() {
                writeln!(f, "{word} {}", Listed(list, |f, id: &FuncId| self.function_name(f, *id)))?;
            }
        }
        for id in self.program.functions.keys() {
            f.write_char('\n')?;
            self.write_function(f, id)?;
        }
        Ok(())
    }

    fn function_name(&self, f: &mut Formatter<'_>, id: FuncId) -> Result {
        match self.function_names.get(id.as_u32() as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "{id}"),
        }
    }

    fn global_name(&self, f: &mut Formatter<'_>, id: GlobalId) -> Result {
        match self.global_names.get(id.as_u32() as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "{id}"),
        }
    }

    fn write_global(&self, f: &mut Formatter<'_>, id: GlobalId, global: &Global) -> Result {
        f.write_str("global ")?;
        self.global_name(f, id)?;
        let words = [
            (global.linkage == Linkage::Internal, " internal"),
            (global.read_only, " readonly"),
            (global.thread_local, " thread_local"),
            (global.runtime, " runtime"),
        ];
        words.iter().filter(|(holds, _)| *holds).try_for_each(|(_, word)| f.write_str(word))?;
        write!(f, " size {} align {}", global.size, global.align)?;
        if let Some(initialiser) = &global.initialiser {
            f.write_str(" = \"")?;
            initialiser.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            f.write_char('"')?;
            if !initialiser.relocations.is_empty() {
                let relocations = Listed(&initialiser.relocations, |f, relocation| {
                    write!(f, "{} ", relocation.offset)?;
                    self.write_constant(f, relocation.constant, 0)
                });
                write!(f, " [{relocations}]")?;
            }
        }
        f.write_char('\n')
    }

    fn write_function(&self, f: &mut Formatter<'_>, id: FuncId) -> Result {
        let function = &self.program.functions[id];
        f.write_str("function ")?;
        self.function_name(f, id)?;
        let params = Listed(&function.params, |f, param| {
            write!(f, "{}", param.ty)?;
            if let Some(bytes) = param.by_value {
                write!(f, " byval {bytes}")?;
            }
            if param.zero_extended { f.write_str(" zeroext") } else { Ok(()) }
        });
        write!(f, "({params}")?;
        match (function.variadic, function.params.is_empty()) {
            (true, true) => f.write_str("...")?,
            (true, false) => f.write_str(", ...")?,
            (false, _) => {}
        }
        f.write_char(')')?;
        match function.results.as_slice() {
            [] => {}
            [one] => write!(f, " -> {one}")?,
            many => write!(f, " -> ({})", Listed(many, |f, ty| write!(f, "{ty}")))?,
        }
        if function.sign_extended_result {
            f.write_str(" signext")?;
        }
        if function.linkage == Linkage::Internal {
            f.write_str(" internal")?;
        }
        if function.runtime {
            f.write_str(" runtime")?;
        }
        if function.body.is_some() {
            f.write_str(" {")?;
        }
        if let Some(debug) = &function.debug
            && let Some(file) = debug.file.and_then(|file| self.program.debug.files.get(file))
        {
            write!(f, "  ; {}:{} ({})", FilePath(&file.name), debug.line, Plain(&debug.name))?;
        }
        f.write_char('\n')?;
        match &function.body {
            Some(body) => self.write_body(f, function, body),
            None => Ok(()),
        }
    }

    fn write_body(&self, f: &mut Formatter<'_>, function: &Function, body: &Body) -> Result {
        if body.calls_returns_twice {
            f.write_str("  returns_twice\n")?;
        }
        for (register, variable) in &body.locals {
            write!(f, "  local {register} {}", Quoted(&variable.name))?;
            self.write_declaration(f, variable)?;
        }
        for variable in &body.promoted_locals {
            write!(f, "  promoted {}", Quoted(&variable.name))?;
            self.write_declaration(f, variable)?;
        }
        for block in body.blocks.keys() {
            self.write_block(f, function, body, block)?;
        }
        f.write_str("}\n")
    }

    fn write_declaration(&self, f: &mut Formatter<'_>, variable: &Variable) -> Result {
        if let Some(file) = variable.file.and_then(|file| self.program.debug.files.get(file)) {
            write!(f, "  ; {}:{}", FilePath(&file.name), variable.line)?;
        }
        f.write_char('\n')
    }

    fn write_block(&self, f: &mut Formatter<'_>, function: &Function, body: &Body, block: Block) -> Result {
        let data = &body.blocks[block];
        write!(f, "{block}")?;
        if !data.params.is_empty() {
            let params = Listed(&data.params, |f, param| match body.registers.get(*param) {
                Some(ty) => write!(f, "{param}: {ty}"),
                None => write!(f, "{param}: ?"),
            });
            write!(f, "({params})")?;
        }
        f.write_str(":\n")?;
        for (at, inst) in data.insts.iter().enumerate() {
            f.write_str("  ")?;
            self.write_inst(f, body, inst)?;
            self.write_loc(f, function, data.locs.get(at).copied().unwrap_or(LocId::NOWHERE))?;
        }
        f.write_str("  ")?;
        self.write_terminator(f, body, &data.terminator)?;
        self.write_loc(f, function, data.terminator_loc)
    }

    /// The location as a comment, innermost first, and the end of the line. The function is named if it is another one.
    fn write_loc(&self, f: &mut Formatter<'_>, function: &Function, loc: LocId) -> Result {
        let mut separator = "  ; ";
        let mut next = Some(loc).filter(|loc| *loc != LocId::NOWHERE);
        while let Some(id) = next
            && let Some(loc) = self.program.debug.locs.get(id)
        {
            let file = self.program.debug.files.get(loc.file).map_or("", |file| &file.name);
            write!(f, "{separator}{}:{}:{}", FilePath(file), loc.line, loc.column)?;
            if *loc.function != *function.source_name() {
                write!(f, " ({})", Plain(&loc.function))?;
            }
            separator = " < ";
            next = loc.inlined_at.filter(|outer| *outer < id);
        }
        f.write_char('\n')
    }

    fn write_inst(&self, f: &mut Formatter<'_>, body: &Body, inst: &Inst) -> Result {
        if let Some(dst) = inst.dst() {
            write!(f, "{dst} = ")?;
        }
        let operand = |operand| Text(move |f| self.write_operand(f, operand));
        let typed = |ty, operand| Text(move |f| self.write_typed(f, ty, operand));
        match *inst {
            Inst::Binary { op, ty, flags, lhs, rhs, .. } => {
                let (op, flags) = (op.mnemonic(), flag_words(flags));
                write!(f, "{op}{flags} {ty} {}, {}", operand(lhs), operand(rhs))
            }
            Inst::FloatBinary { op, ty, lhs, rhs, .. } => {
                write!(f, "{} {ty} {}, {}", op.mnemonic(), operand(lhs), operand(rhs))
            }
            Inst::FloatNegate { ty, src, .. } => write!(f, "fneg {}", typed(ty, src)),
            Inst::IntCompare { predicate, ty, lhs, rhs, .. } => {
                write!(f, "icmp {} {ty} {}, {}", predicate.mnemonic(), operand(lhs), operand(rhs))
            }
            Inst::FloatCompare { predicate, ty, lhs, rhs, .. } => {
                write!(f, "fcmp {} {ty} {}, {}", predicate.name(), operand(lhs), operand(rhs))
            }
            Inst::Cast { op, from, to, src, .. } => write!(f, "{} {} to {to}", op.mnemonic(), typed(from, src)),
            Inst::Select { ty, condition, if_true, if_false, .. } => {
                write!(f, "select {ty} {}, {}, {}", operand(condition), operand(if_true), operand(if_false))
            }
            Inst::Address { base, offset, first_term, terms, .. } => {
                write!(f, "address {}", operand(base))?;
                if offset != 0 {
                    write!(f, " + {offset}")?;
                }
                let (first, end) = (first_term as usize, first_term as usize + terms as usize);
                let terms: &[AddressTerm] = body.address_terms.get(first..end).unwrap_or(&[]);
                terms.iter().try_for_each(|term| write!(f, " + {} * {}", term.scale, typed(term.ty, term.index)))
            }
            Inst::Load { ty, address, volatile, .. } => {
                write!(f, "load{} {ty} from {}", volatile_word(volatile), operand(address))
            }
            Inst::Store { ty, address, value, volatile } => {
                write!(f, "store{} {} to {}", volatile_word(volatile), typed(ty, value), operand(address))
            }
            Inst::Alloca { count, element_bytes, align_log2, .. } => {
                let align = 1u128.checked_shl(align_log2.into()).unwrap_or(0);
                write!(f, "alloca {} x {element_bytes} align {align}", operand(count))
            }
            Inst::Call { call } => self.write_call(f, body, call, "call"),
            Inst::Freeze { ty, src, .. } => write!(f, "freeze {}", typed(ty, src)),
            Inst::Copy { ty, src, .. } => write!(f, "copy {}", typed(ty, src)),
            Inst::Marker => f.write_str("marker"),
        }
    }

    fn write_call(&self, f: &mut Formatter<'_>, body: &Body, call: Call, word: &str) -> Result {
        let Some(data) = body.calls.get(call) else {
            return write!(f, "{word} {call}");
        };
        if !data.results.is_empty() {
            let results: Vec<_> = data.results.iter().zip(&data.result_types).collect();
            write!(f, "{} = ", Listed(&results, |f, (register, ty)| write!(f, "{register}: {ty}")))?;
        }
        f.write_str(if data.must_tail { "musttail " } else { "" })?;
        write!(f, "{word} ")?;
        match &data.callee {
            Callee::Direct(function) => self.function_name(f, *function)?,
            Callee::Indirect(target) => {
                f.write_char('*')?;
                self.write_operand(f, *target)?;
            }
            Callee::Intrinsic(intrinsic, ty) => write!(f, "intrinsic {intrinsic:?} {ty}")?,
            Callee::Unsupported(what) => write!(f, "unsupported {}", Quoted(what))?,
        }
        f.write_char('(')?;
        self.write_arguments(f, data)?;
        f.write_char(')')
    }

    fn write_arguments(&self, f: &mut Formatter<'_>, data: &CallData) -> Result {
        for (at, (arg, ty)) in data.args.iter().zip(&data.arg_types).enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            if at == data.fixed_args as usize {
                f.write_str("..., ")?;
            }
            self.write_typed(f, *ty, *arg)?;
            for (_, bytes, align) in data.by_value.iter().filter(|(arg, ..)| *arg as usize == at) {
                write!(f, " byval {bytes} align {align}")?;
            }
            if data.sign_extended.contains(&(at as u32)) {
                f.write_str(" signext")?;
            }
        }
        Ok(())
    }

    fn write_terminator(&self, f: &mut Formatter<'_>, body: &Body, terminator: &Terminator) -> Result {
        let operand = |operand| Text(move |f| self.write_operand(f, operand));
        let edge = |edge| Text(move |f| self.write_edge(f, body, edge));
        let operands = |list| Listed(list, |f, value: &Operand| self.write_operand(f, *value));
        let edges = |list| Listed(list, |f, target: &EdgeId| self.write_edge(f, body, *target));
        match terminator {
            Terminator::Jump(target) => write!(f, "jump {}", edge(*target)),
            Terminator::Branch { condition, if_true, if_false } => {
                write!(f, "branch {}, {}, {}", operand(*condition), edge(*if_true), edge(*if_false))
            }
            Terminator::Switch { value, ty, table } => {
                f.write_str("switch ")?;
                self.write_typed(f, *ty, *value)?;
                let Some(table) = body.switches.get(*table) else {
                    return write!(f, " {table}");
                };
                let groups = cases_by_edge(&table.cases);
                let groups = Listed(&groups, |f, (target, values)| {
                    for (at, value) in values.iter().enumerate() {
                        write!(f, "{}{value}", if at == 0 { "" } else { " | " })?;
                    }
                    write!(f, " => {}", edge(*target))
                });
                write!(f, " [{groups}] default {}", edge(table.default))
            }
            Terminator::IndirectJump { address, targets } => {
                write!(f, "jump *{} [{}]", operand(*address), edges(targets.as_slice()))
            }
            Terminator::Return(values) if values.is_empty() => f.write_str("return"),
            Terminator::Return(values) => write!(f, "return {}", operands(values.as_slice())),
            Terminator::Invoke { call, normal, unwind } => {
                self.write_call(f, body, *call, "invoke")?;
                write!(f, " normal {} unwind {}", edge(*normal), edge(*unwind))
            }
            Terminator::Resume(values) if values.is_empty() => f.write_str("resume"),
            Terminator::Resume(values) => write!(f, "resume {}", operands(values.as_slice())),
            Terminator::Unreachable => f.write_str("unreachable"),
            Terminator::Unsupported { what, successors } => {
                write!(f, "unsupported {} [{}]", Quoted(what), edges(successors.as_slice()))
            }
        }
    }

    fn write_edge(&self, f: &mut Formatter<'_>, body: &Body, edge: EdgeId) -> Result {
        let Some(edge) = body.edges.get(edge) else {
            return write!(f, "{edge}");
        };
        write!(f, "{}", edge.target)?;
        match edge.args.as_slice() {
            [] => Ok(()),
            args => write!(f, "({})", Listed(args, |f, arg| self.write_operand(f, *arg))),
        }
    }

    fn write_operand(&self, f: &mut Formatter<'_>, operand: Operand) -> Result {
        match operand.kind() {
            OperandKind::Reg(register) => write!(f, "{register}"),
            OperandKind::Const(constant) => self.write_constant(f, constant, 0),
        }
    }

    /// A register with the type it is used at; constants say their type themselves.
    fn write_typed(&self, f: &mut Formatter<'_>, ty: Type, operand: Operand) -> Result {
        match operand.kind() {
            OperandKind::Reg(register) => write!(f, "{ty} {register}"),
            OperandKind::Const(constant) => self.write_constant(f, constant, 0),
        }
    }

    fn write_constant(&self, f: &mut Formatter<'_>, id: Const, depth: u32) -> Result {
        let Some(constant) = self.program.constants.get(id) else {
            return write!(f, "{id}");
        };
        match constant {
            Constant::Word { ty, bits } => write_word(f, *ty, *bits),
            Constant::Wide { ty, limbs } => {
                let mut limbs = limbs.iter().rev().skip_while(|limb| **limb == 0);
                write!(f, "{ty} {:#x}", limbs.next().copied().unwrap_or(0))?;
                limbs.try_for_each(|limb| write!(f, "{limb:016x}"))
            }
            Constant::Global { global, offset } => {
                self.global_name(f, *global)?;
                if *offset != 0 { write!(f, "{offset:+}") } else { Ok(()) }
            }
            Constant::Function(function) => self.function_name(f, *function),
            Constant::BlockAddress(function, block) => {
                f.write_str("label ")?;
                self.function_name(f, *function)?;
                write!(f, " {block}")
            }
            Constant::Undefined { ty, variable: None } => write!(f, "undef {ty}"),
            Constant::Undefined { ty, variable: Some(variable) } => write!(f, "undef {ty} {}", Quoted(variable)),
            Constant::Expression(_) if depth == MAX_CONSTANT_DEPTH => f.write_str("(...)"),
            Constant::Expression(expression) => self.write_expression(f, expression, depth + 1),
        }
    }

    fn write_expression(&self, f: &mut Formatter<'_>, expression: &ConstantExpression, depth: u32) -> Result {
        let constant = |id: &Const| {
            let id = *id;
            Text(move |f| self.write_constant(f, id, depth))
        };
        match expression {
            ConstantExpression::Binary { op, ty, lhs, rhs } => {
                write!(f, "({} {ty} {}, {})", op.mnemonic(), constant(lhs), constant(rhs))
            }
            ConstantExpression::Cast { op, to, src, .. } => {
                write!(f, "({} {} to {to})", op.mnemonic(), constant(src))
            }
            ConstantExpression::IntCompare { predicate, ty, lhs, rhs } => {
                write!(f, "(icmp {} {ty} {}, {})", predicate.mnemonic(), constant(lhs), constant(rhs))
            }
            ConstantExpression::Select { ty, condition, if_true, if_false } => {
                write!(f, "(select {ty} {}, {}, {})", constant(condition), constant(if_true), constant(if_false))
            }
        }
    }
}

fn write_word(f: &mut Formatter<'_>, ty: Type, bits: u64) -> Result {
    match ty.kind() {
        TypeKind::Int(width @ 2..=64) => {
            let unused = 64 - u32::from(width);
            write!(f, "{ty} {}", ((bits << unused) as i64) >> unused)
        }
        TypeKind::Int(_) | TypeKind::Pointer => write!(f, "{ty} {bits}"),
        TypeKind::Float(FloatKind::Double) if f64::from_bits(bits).is_finite() => {
            write!(f, "{ty} {:?}", f64::from_bits(bits))
        }
        TypeKind::Float(FloatKind::Single) if f32::from_bits(bits as u32).is_finite() => {
            write!(f, "{ty} {:?}", f32::from_bits(bits as u32))
        }
        TypeKind::Float(_) => write!(f, "{ty} {bits:#x}"),
    }
}

/// The values that share an edge, in order of the first of them.
fn cases_by_edge(cases: &[(u64, EdgeId)]) -> Vec<(EdgeId, Vec<u64>)> {
    let mut groups: Vec<(EdgeId, Vec<u64>)> = Vec::new();
    let mut group_of: FxHashMap<EdgeId, usize> = FxHashMap::default();
    for (value, edge) in cases {
        let group = *group_of.entry(*edge).or_insert_with(|| {
            groups.push((*edge, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(*value);
    }
    groups
}

fn flag_words(flags: WrapFlags) -> String {
    let words =
        [(WrapFlags::NO_UNSIGNED_WRAP, " nuw"), (WrapFlags::NO_SIGNED_WRAP, " nsw"), (WrapFlags::EXACT, " exact")];
    words.iter().filter(|(flag, _)| flags.0 & flag != 0).map(|(_, word)| *word).collect()
}

fn volatile_word(volatile: bool) -> &'static str {
    if volatile { " volatile" } else { "" }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn names_that_repeat_are_told_apart() {
        let text = "target \"x\" pointers 64\n\nfunction @f()\n\nfunction @f#1()\n\nfunction @\"a b\\\"\"()\n";
        let program = parse(text).unwrap();
        assert_eq!(program.functions.values().filter(|function| function.name == "f").count(), 2);
        assert_eq!(Printer::new(&program).program().to_string(), text);
    }

    #[test]
    fn a_broken_body_still_prints() {
        let mut program = parse("function @f() {\nbb0:\n  return\n}").unwrap();
        let id = FuncId::from_u32(0);
        let body = program.functions[id].body.as_mut().unwrap();
        body.blocks[Block::ENTRY].terminator = Terminator::Return(vec![Const::from_u32(7).into()]);
        assert_eq!(Printer::new(&program).block(id, Block::ENTRY).to_string(), "bb0:\n  return c7\n");
    }
}
