//! Checks what joins blocks: edges and their arguments, the entry, single assignment, assignments before uses.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::shared::expect_type;
use super::{Checked, ensure};
use crate::error::{Site, Violation};
use crate::{Block, Body, Cfg, Dominators, Edge, EdgeId, Function, Inst, Operand, Program, Reg, Terminator};

pub(super) fn check(program: &Program, function: &Function, body: &Body) -> Checked {
    check_entry(function, body)?;
    check_terminators(body)?;
    for (id, edge) in body.edges.iter() {
        check_arguments(program, body, id, edge)?;
    }
    check_overlaps(body)?;
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let assignments = assignments(body, &cfg, &dominators)?;
    Dominance { body, dominators, assignments }.check(&cfg)
}

fn check_entry(function: &Function, body: &Body) -> Checked {
    let site = Site::Block(Block::ENTRY);
    let Some(entry) = body.blocks.get(Block::ENTRY) else {
        return Err((Site::Whole, Violation::NoEntry));
    };
    let (found, expected) = (entry.params.len(), function.params.len());
    ensure(found == expected, site, || Violation::WrongCount { what: "parameters", found, expected })?;
    for (param, declared) in entry.params.iter().zip(&function.params) {
        expect_type(site, "a parameter", body.registers[*param], declared.ty)?;
    }
    Ok(())
}

/// Every edge in range, in the terminator of its source, and nowhere else.
fn check_terminators(body: &Body) -> Checked {
    let mut used = vec![false; body.edges.len()];
    for block in body.blocks.keys() {
        let mut checked = Ok(());
        body.visit_successors(block, |id| {
            let Some(edge) = body.edges.get(id) else {
                checked = Err((Site::Terminator(block), Violation::NoSuchEdge(id)));
                return;
            };
            used[id.index()] = true;
            if edge.source != block {
                checked = Err((Site::Edge(id), Violation::WrongSource { says: edge.source, found: block }));
            }
        });
        checked?;
    }
    match used.iter().position(|used| !used) {
        Some(unused) => Err((Site::Edge(EdgeId::new(unused)), Violation::UnusedEdge)),
        None => Ok(()),
    }
}

fn check_arguments(program: &Program, body: &Body, id: EdgeId, edge: &Edge) -> Checked {
    let site = Site::Edge(id);
    let Some(target) = body.blocks.get(edge.target) else {
        return Err((site, Violation::NoSuchBlock(edge.target)));
    };
    ensure(edge.target != Block::ENTRY, site, || Violation::EdgeToEntry(id))?;
    let (found, expected) = (edge.args.len(), target.params.len());
    ensure(found == expected, site, || Violation::WrongCount { what: "arguments", found, expected })?;
    for (arg, param) in edge.args.iter().zip(&target.params) {
        expect_type(site, "an argument", body.operand_type(*arg, &program.constants), body.registers[*param])?;
    }
    Ok(())
}

fn check_overlaps(body: &Body) -> Checked {
    let mut param_of: SecondaryMap<Reg, Option<(Block, usize)>> = SecondaryMap::with_capacity(body.registers.len());
    for (block, data) in body.blocks.iter() {
        for (at, param) in data.params.iter().enumerate() {
            param_of[*param] = Some((block, at));
        }
    }
    for (id, edge) in body.edges.iter() {
        let overwritten = |(at, arg): (usize, &Operand)| {
            let param = arg.as_reg().and_then(|register| param_of[register]);
            param.is_some_and(|(block, param)| block == edge.target && param < at)
        };
        let overlaps = edge.args.iter().enumerate().any(overwritten);
        ensure(edge.overlaps || !overlaps, Site::Edge(id), || Violation::MissedOverlap)?;
    }
    Ok(())
}

/// Where a register gets its value.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Assignment {
    Nowhere,
    /// Before the instruction of this number; 0 for parameters.
    Before(Block, usize),
    /// On the normal edge of an invoke. `sole`: its target is entered by this edge first, so the value holds behind it.
    OnEdge {
        edge: EdgeId,
        sole: bool,
    },
}

fn assignments(body: &Body, cfg: &Cfg, dominators: &Dominators) -> Checked<Vec<Assignment>> {
    let mut found = vec![Assignment::Nowhere; body.registers.len()];
    let mut assign = |register: Reg, assignment: Assignment, site: Site| {
        let place = &mut found[register.index()];
        ensure(*place == Assignment::Nowhere, site, || Violation::AssignedTwice(register))?;
        *place = assignment;
        Ok(())
    };
    for (block, data) in body.blocks.iter() {
        for param in &data.params {
            assign(*param, Assignment::Before(block, 0), Site::Block(block))?;
        }
        for (at, inst) in data.insts.iter().enumerate() {
            let results: &[Reg] = match inst {
                Inst::Call { call } => &body.calls[*call].results,
                _ => &[],
            };
            for register in inst.dst().iter().chain(results) {
                assign(*register, Assignment::Before(block, at + 1), Site::Inst(block, at))?;
            }
        }
        if let Terminator::Invoke { call, normal, .. } = data.terminator {
            let target = cfg.target(normal);
            let mut others = cfg.predecessors(target).iter().filter(|edge| **edge != normal);
            let sole = others
                .all(|edge| !cfg.is_reachable(cfg.source(*edge)) || dominators.dominates(target, cfg.source(*edge)));
            for register in &body.calls[call].results {
                assign(*register, Assignment::OnEdge { edge: normal, sole }, Site::Terminator(block))?;
            }
        }
    }
    match found.iter().position(|assignment| *assignment == Assignment::Nowhere) {
        Some(register) => Err((Site::Whole, Violation::NeverAssigned(Reg::new(register)))),
        None => Ok(found),
    }
}

struct Dominance<'a> {
    body: &'a Body,
    dominators: Dominators,
    assignments: Vec<Assignment>,
}

impl Dominance<'_> {
    fn check(&self, cfg: &Cfg) -> Checked {
        for &block in cfg.reverse_postorder() {
            let data = &self.body.blocks[block];
            for (at, inst) in data.insts.iter().enumerate() {
                let mut checked = Ok(());
                self.body.visit_operands(inst, |operand| self.read(&mut checked, operand, block, at, None));
                checked.map_err(|violation| (Site::Inst(block, at), violation))?;
            }
            let end = data.insts.len();
            let mut checked = Ok(());
            self.body.visit_terminator_operands(&data.terminator, |operand| {
                self.read(&mut checked, operand, block, end, None)
            });
            checked.map_err(|violation| (Site::Terminator(block), violation))?;
            for &edge in cfg.successors(block) {
                let mut checked = Ok(());
                let args = &self.body.edges[edge].args;
                args.iter().for_each(|arg| self.read(&mut checked, *arg, block, end, Some(edge)));
                checked.map_err(|violation| (Site::Edge(edge), violation))?;
            }
        }
        Ok(())
    }

    /// Notes in `checked` if an operand is read before its assignment by the instruction `at` of a block, or on an edge.
    fn read(&self, checked: &mut Result<(), Violation>, operand: Operand, block: Block, at: usize, on: Option<EdgeId>) {
        let Some(register) = operand.as_reg() else { return };
        let holds = match self.assignments[register.index()] {
            Assignment::Nowhere => false,
            Assignment::Before(from, position) if from == block => position <= at,
            Assignment::Before(from, _) => self.dominators.dominates(from, block),
            Assignment::OnEdge { edge, sole } => {
                on == Some(edge) || (sole && self.dominators.dominates(self.body.edges[edge].target, block))
            }
        };
        if !holds {
            *checked = Err(Violation::NotDominated(register));
        }
    }
}
