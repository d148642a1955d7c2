//! Numbers the registers that are left densely, in the order of their assignments: each costs space in every frame.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::rewrite::{dst_mut, operands_mut, terminator_operands_mut};
use crate::inst::{AddressTerm, Callee};
use crate::{Body, Inst, Operand, Reg, Terminator};

pub(super) fn renumber(body: &mut Body) {
    let numbers = Numbers::assign(body);
    let old_terms = std::mem::take(&mut body.address_terms);
    for data in body.blocks.values_mut() {
        data.params.iter_mut().for_each(|param| numbers.register(param));
        for inst in &mut data.insts {
            if let Some(dst) = dst_mut(inst) {
                numbers.register(dst);
            }
            operands_mut(inst, |operand| numbers.operand(operand));
            if let Inst::Address { first_term, terms, .. } = inst {
                let first = body.address_terms.len() as u32;
                let range = *first_term as usize..*first_term as usize + usize::from(*terms);
                body.address_terms.extend(old_terms[range].iter().map(|term| numbers.term(term)));
                *first_term = first;
            }
        }
        terminator_operands_mut(&mut data.terminator, |operand| numbers.operand(operand));
    }
    for edge in body.edges.values_mut() {
        edge.args.iter_mut().for_each(|arg| numbers.operand(arg));
    }
    for call in body.calls.values_mut() {
        if let Callee::Indirect(target) = &mut call.callee {
            numbers.operand(target);
        }
        call.args.iter_mut().for_each(|arg| numbers.operand(arg));
        call.results.iter_mut().for_each(|result| numbers.register(result));
    }
    let old_locals = std::mem::take(&mut body.locals);
    for (register, variable) in old_locals {
        match numbers.new_number[register.index()].expand() {
            Some(number) => body.locals.push((number, variable)),
            None => body.promoted_locals.push(variable),
        }
    }
    body.locals.sort_by_key(|(register, _)| *register);
    body.registers = numbers.types;
}

struct Numbers {
    new_number: Vec<PackedOption<Reg>>,
    types: PrimaryMap<Reg, crate::Type>,
}

impl Numbers {
    fn assign(body: &Body) -> Self {
        let mut numbers = Numbers { new_number: vec![None.into(); body.registers.len()], types: PrimaryMap::new() };
        for data in body.blocks.values() {
            data.params.iter().for_each(|param| numbers.add(body, *param));
            for inst in &data.insts {
                inst.dst().into_iter().for_each(|dst| numbers.add(body, dst));
                if let Inst::Call { call } = inst {
                    body.calls[*call].results.iter().for_each(|result| numbers.add(body, *result));
                }
            }
            if let Terminator::Invoke { call, .. } = data.terminator {
                body.calls[call].results.iter().for_each(|result| numbers.add(body, *result));
            }
        }
        numbers
    }

    fn add(&mut self, body: &Body, register: Reg) {
        self.new_number[register.index()] = self.types.push(body.registers[register]).into();
    }

    /// Registers that are assigned nowhere stand only in calls that no instruction makes; any number will do for them.
    fn register(&self, register: &mut Reg) {
        *register = self.new_number[register.index()].expand().unwrap_or(Reg::new(0));
    }

    fn operand(&self, operand: &mut Operand) {
        if let Some(mut register) = operand.as_reg() {
            self.register(&mut register);
            *operand = register.into();
        }
    }

    fn term(&self, term: &AddressTerm) -> AddressTerm {
        let mut term = *term;
        self.operand(&mut term.index);
        term
    }
}
