//! Rewrites direct calls whose types differ from those of the function: the caller converts what it passes and what it gets, as the
//! registers would have done it, and no later stage meets anything but calls that agree.

use super::{Found, agrees, arguments, cut_off, results};
use crate::{
    Block, BlockData, Body, Call, CallData, Callee, CastOp, Constant, Edge, FuncId, Function, Inst, LocId, Operand,
    Program, Reg, Terminator, Type,
};

/// A function that is called with other types than its own.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub caller: FuncId,
    pub callee: FuncId,
    /// As the caller declares it.
    pub call: CallData,
    /// Where it is called.
    pub loc: LocId,
}

/// Makes all direct calls of functions that have a body agree with them. What was found is left in the program.
pub fn agree(program: &mut Program) {
    let found = disagreements(program);
    if found.is_empty() {
        return;
    }
    for function in widened(program, &found) {
        widen_result(program, function);
    }
    for caller in distinct(disagreements(program).iter().map(|found| found.caller)) {
        if let Some(body) = program.functions[caller].body.take() {
            let rewritten = Rewriting { program, body }.all();
            program.functions[caller].body = Some(rewritten);
        }
    }
    program.disagreements = found;
}

/// The calls that disagree, in the order of the program.
fn disagreements(program: &Program) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for (caller, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        for data in body.blocks.values() {
            let of_inst = |(inst, loc): (&Inst, &LocId)| match inst {
                Inst::Call { call } => Some((*call, *loc)),
                _ => None,
            };
            let last = match &data.terminator {
                Terminator::Invoke { call, .. } => Some((*call, data.terminator_loc)),
                _ => None,
            };
            for (call, loc) in data.insts.iter().zip(&data.locs).filter_map(of_inst).chain(last) {
                let call = &body.calls[call];
                if let Some(callee) = disagreeing(program, call) {
                    found.push(Disagreement { caller, callee, call: call.clone(), loc });
                }
            }
        }
    }
    found
}

/// The function that a call names, if it has a body that expects something else.
fn disagreeing(program: &Program, call: &CallData) -> Option<FuncId> {
    let Callee::Direct(callee) = call.callee else { return None };
    let function = &program.functions[callee];
    (function.body.is_some() && !agrees(call, function)).then_some(callee)
}

/// Functions with a result of 32 bits of which a caller reads 64: what they cut off is still in the register.
fn widened(program: &Program, found: &[Disagreement]) -> Vec<FuncId> {
    let is_read_whole = |call: &CallData| call.result_types.len() == 1 && call.result_types[0].bits(64) == 64;
    let wider = found.iter().filter(|found| {
        let function = &program.functions[found.callee];
        program.layout.pointer_bits == 64
            && function.results == [Type::I32]
            && is_read_whole(&found.call)
            && found.call.result_types[0].float_kind().is_none()
            && ends(function)
                .any(|(block, value)| function.body.as_ref().is_some_and(|body| cut_off(body, block, value).is_some()))
    });
    distinct(wider.map(|found| found.callee))
}

fn distinct(functions: impl Iterator<Item = FuncId>) -> Vec<FuncId> {
    let mut functions: Vec<FuncId> = functions.collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// The blocks in which a function returns, and the first value that they return.
fn ends(function: &Function) -> impl Iterator<Item = (Block, Operand)> + '_ {
    let blocks = function.body.iter().flat_map(|body| body.blocks.iter());
    blocks.filter_map(|(block, data)| match &data.terminator {
        Terminator::Return(values) => Some((block, *values.first()?)),
        _ => None,
    })
}

/// Lets a function return the whole register.
fn widen_result(program: &mut Program, id: FuncId) {
    let function = &program.functions[id];
    let ends: Vec<(Block, Operand)> = ends(function).collect();
    let function = &mut program.functions[id];
    function.results[0] = Type::I64;
    let Some(body) = &mut function.body else { return };
    for (block, value) in ends {
        let whole = cut_off(body, block, value);
        let data = &mut body.blocks[block];
        let whole = whole.unwrap_or_else(|| {
            let dst = body.registers.push(Type::I64);
            data.insts.push(Inst::Cast { op: CastOp::ZeroExtend, from: Type::I32, to: Type::I64, dst, src: value });
            data.locs.push(data.terminator_loc);
            dst.into()
        });
        if let Terminator::Return(values) = &mut data.terminator {
            values[0] = whole;
        }
    }
}

/// The calls of one function that are to be rewritten.
struct Rewriting<'a> {
    program: &'a mut Program,
    body: Body,
}

impl Rewriting<'_> {
    fn all(mut self) -> Body {
        let blocks: Vec<Block> = self.body.blocks.keys().collect();
        for block in blocks {
            self.in_block(block);
        }
        self.body
    }

    fn in_block(&mut self, block: Block) {
        let data = &mut self.body.blocks[block];
        let (insts, locs) = (std::mem::take(&mut data.insts), std::mem::take(&mut data.locs));
        let mut out = Vec::with_capacity(insts.len());
        let mut places = Vec::with_capacity(locs.len());
        for (inst, loc) in insts.into_iter().zip(locs) {
            match inst {
                Inst::Call { call } if disagreeing(self.program, &self.body.calls[call]).is_some() => {
                    let behind = self.call(call, &mut out);
                    out.push(inst);
                    out.extend(behind);
                }
                _ => out.push(inst),
            }
            places.resize(out.len(), loc);
        }
        let data = &mut self.body.blocks[block];
        if let Terminator::Invoke { call, normal, .. } = data.terminator
            && disagreeing(self.program, &self.body.calls[call]).is_some()
        {
            let loc = data.terminator_loc;
            let behind = self.call(call, &mut out);
            places.resize(out.len(), loc);
            self.behind_invoke(normal, behind, loc);
        }
        let data = &mut self.body.blocks[block];
        (data.insts, data.locs) = (out, places);
    }

    /// Changes a call to the types of its callee. What has to be done before it is appended; what has to be done behind it is returned.
    fn call(&mut self, call: Call, before: &mut Vec<Inst>) -> Vec<Inst> {
        let pointer_bits = self.program.layout.pointer_bits;
        let old = self.body.calls[call].clone();
        let Callee::Direct(callee) = old.callee else { return Vec::new() };
        let function = &self.program.functions[callee];
        let (passed, given) = (
            arguments(&old, function, pointer_bits),
            results(&old, &function.results, function.sign_extended_result, pointer_bits),
        );
        let mut new = CallData {
            args: Vec::new(),
            arg_types: function.params.iter().map(|param| param.ty).collect(),
            by_value: Vec::new(),
            results: Vec::new(),
            result_types: function.results.clone(),
            fixed_args: function.params.len() as u32,
            sign_extended: Vec::new(),
            ..old.clone()
        };
        let is_variadic = function.variadic;
        for (found, ty) in passed.iter().zip(new.arg_types.clone()) {
            let argument = match found {
                Found::Value { from, casts } => {
                    let copied = old.by_value.iter().find(|(at, ..)| *at as usize == *from);
                    new.by_value.extend(copied.map(|(_, bytes, align)| (new.args.len() as u32, *bytes, *align)));
                    self.convert(old.args[*from], casts, before)
                }
                Found::Nothing => self.nothing(ty),
            };
            new.args.push(argument);
        }
        if is_variadic {
            append_rest(&old, &passed, &mut new);
        }
        new.results = new.result_types.iter().map(|ty| self.body.registers.push(*ty)).collect();
        let mut behind = Vec::new();
        for (found, (dst, ty)) in given.iter().zip(old.results.iter().zip(&old.result_types)) {
            let value = match found {
                Found::Value { from, casts } => self.convert(new.results[*from].into(), casts, &mut behind),
                Found::Nothing => self.nothing(*ty),
            };
            behind.push(Inst::Copy { ty: *ty, dst: *dst, src: value });
        }
        self.body.calls[call] = new;
        behind
    }

    fn nothing(&mut self, ty: Type) -> Operand {
        self.program.constant(Constant::Undefined { ty, variable: None }).into()
    }

    fn convert(&mut self, mut value: Operand, casts: &[super::Cast], out: &mut Vec<Inst>) -> Operand {
        for (op, from, to) in casts {
            let dst: Reg = self.body.registers.push(*to);
            out.push(Inst::Cast { op: *op, from: *from, to: *to, dst, src: value });
            value = dst.into();
        }
        value
    }

    /// Puts instructions on the way that a call takes that returns.
    fn behind_invoke(&mut self, normal: crate::EdgeId, insts: Vec<Inst>, loc: LocId) {
        if insts.is_empty() {
            return;
        }
        let edge = &mut self.body.edges[normal];
        let onward = Edge { args: std::mem::take(&mut edge.args), ..edge.clone() };
        edge.overlaps = false;
        let locs = vec![loc; insts.len()];
        let onward = self.body.edges.push(onward);
        let terminator = Terminator::Jump(onward);
        let block =
            self.body.blocks.push(BlockData { params: Vec::new(), insts, locs, terminator, terminator_loc: loc });
        self.body.edges[normal].target = block;
        self.body.edges[onward].source = block;
    }
}

/// The arguments that no parameter takes, for a function that takes any number of them.
fn append_rest(old: &CallData, passed: &[Found], new: &mut CallData) {
    let is_taken = |at: usize| passed.iter().any(|found| matches!(found, Found::Value { from, .. } if *from == at));
    for at in (0..old.args.len()).filter(|at| !is_taken(*at)) {
        let copied = old.by_value.iter().find(|(argument, ..)| *argument as usize == at);
        new.by_value.extend(copied.map(|(_, bytes, align)| (new.args.len() as u32, *bytes, *align)));
        new.args.push(old.args[at]);
        new.arg_types.push(old.arg_types[at]);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{parse, verify};

    #[test]
    fn calls_that_may_unwind_convert_on_the_way_behind_them() {
        let mut program = parse::parse(
            "function @main(i32) -> i32 {
             bb0(r0: i32):
               r1: i32 = invoke @narrow(i32 r0, i64 7) normal bb1(r1) unwind bb2
             bb1(r2: i32):
               return r2
             bb2:
               r3: i64 = call @narrow(i8 5 signext)
               r4 = trunc i64 r3 to i32
               return r4
             }
             function @narrow(i16) -> i8 signext {
             bb0(r0: i16):
               r1 = trunc i16 r0 to i8
               return r1
             }",
        )
        .unwrap();
        agree(&mut program);
        verify::verify(&program).unwrap();
        assert_eq!(program.disagreements.len(), 2);
        let body = program.functions.values().next().unwrap().body.as_ref().unwrap();
        assert!(body.calls.values().all(|call| disagreeing(&program, call).is_none()));
        let Terminator::Invoke { normal, .. } = body.blocks[Block::ENTRY].terminator else { panic!("an invoke") };
        let behind = &body.blocks[body.edges[normal].target];
        assert!(matches!(behind.insts[0], Inst::Cast { op: CastOp::SignExtend, .. }), "{behind:?}");
        assert_eq!(behind.insts.len(), 2);
    }
}
