//! Distances to uncovered code against a search through all the call stacks that a program can have.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt::Write;

use cranelift_entity::EntityRef;
use symcrete_explore::distance::{Distances, Place};
use symcrete_explore::strategy::Random;
use symcrete_ir::{Block, CallGraph, Callee, FuncId, Inst, Program, Terminator, parse::parse, verify::verify};

fn place(function: usize, block: usize, instruction: u32) -> Place {
    Place { function: FuncId::new(function), block: Block::new(block), instruction }
}

/// A program of a few small functions that call each other, some through a pointer, some without an end.
fn random_program(random: &mut Random) -> Program {
    let functions = 1 + random.below(4);
    let mut text = String::from("function @outside()\n");
    for function in 0..functions {
        let blocks = 1 + random.below(5);
        writeln!(text, "function @f{function}(i1, ptr) {{").unwrap();
        for block in 0..blocks {
            writeln!(text, "{}", if block == 0 { "bb0(r0: i1, r1: ptr):".into() } else { format!("bb{block}:") })
                .unwrap();
            for _ in 0..random.below(4) {
                let callee = random.below(functions);
                match random.below(6) {
                    0 => writeln!(text, "  call @f{callee}(i1 r0, ptr r1)"),
                    1 => writeln!(text, "  call @f{callee}(i1 r0, @f{})", random.below(functions)),
                    2 if random.below(4) == 0 => writeln!(text, "  call *r1(i1 r0, ptr r1)"),
                    3 => writeln!(text, "  call @outside()"),
                    _ => writeln!(text, "  marker"),
                }
                .unwrap();
            }
            let kind = random.below(10);
            let mut target = || 1 + random.below(blocks - 1);
            match kind {
                _ if blocks == 1 => writeln!(text, "  return"),
                0..3 => writeln!(text, "  return"),
                3..5 => writeln!(text, "  jump bb{}", target()),
                5 => writeln!(text, "  unreachable"),
                _ => writeln!(text, "  branch r0, bb{}, bb{}", target(), target()),
            }
            .unwrap();
        }
        text.push_str("}\n");
    }
    let program = parse(&text).unwrap();
    verify(&program).unwrap();
    program
}

/// The search: every call stack is a node.
struct Search<'a> {
    program: &'a Program,
    graph: &'a CallGraph,
    covered: &'a HashSet<(FuncId, Block)>,
    deepest: usize,
}

impl Search<'_> {
    fn to_uncovered(&self, stack: Vec<Place>) -> Option<u32> {
        let mut queue = BinaryHeap::from([(Reverse(0), stack.clone())]);
        let mut best = HashMap::from([(stack, 0)]);
        while let Some((Reverse(cost), stack)) = queue.pop() {
            let top = *stack.last()?;
            if top.instruction == 0 && !self.covered.contains(&(top.function, top.block)) {
                return Some(cost);
            }
            for next in self.step(&stack) {
                if best.get(&next).is_none_or(|known| cost + 1 < *known) {
                    best.insert(next.clone(), cost + 1);
                    queue.push((Reverse(cost + 1), next));
                }
            }
        }
        None
    }

    /// The stacks after one more instruction, outermost frame first.
    fn step(&self, stack: &[Place]) -> Vec<Vec<Place>> {
        let (top, callers) = stack.split_last().unwrap();
        let body = self.program.functions[top.function].body.as_ref().unwrap();
        let with = |place: Place| [callers, &[place]].concat();
        let behind = |place: Place| Place { instruction: place.instruction + 1, ..place };
        let data = &body.blocks[top.block];
        match data.insts.get(top.instruction as usize) {
            Some(Inst::Call { call }) => {
                let callees = match &body.calls[*call].callee {
                    Callee::Direct(callee) => vec![*callee],
                    _ => self.graph.candidates(top.function, *call).to_vec(),
                };
                let enter = |callee: FuncId| match self.program.functions[callee].body {
                    Some(_) => [stack, &[place(callee.index(), 0, 0)]].concat(),
                    None => with(behind(*top)),
                };
                let stacks = callees.iter().map(|callee| enter(*callee));
                let stacks: Vec<_> = if callees.is_empty() { vec![with(behind(*top))] } else { stacks.collect() };
                stacks.into_iter().filter(|stack| stack.len() <= self.deepest).collect()
            }
            Some(_) => vec![with(behind(*top))],
            None => match data.terminator {
                Terminator::Return(_) => {
                    callers.split_last().map(|(caller, rest)| [rest, &[behind(*caller)]].concat()).into_iter().collect()
                }
                _ => body
                    .successors(top.block)
                    .iter()
                    .map(|edge| with(Place { block: body.edges[*edge].target, instruction: 0, ..*top }))
                    .collect(),
            },
        }
    }
}

/// A call stack that the program might have, outermost frame first.
fn random_stack(random: &mut Random, program: &Program, graph: &CallGraph) -> Vec<Place> {
    let functions = program.functions.len() - 1;
    let mut stack = Vec::new();
    let mut function = FuncId::new(1 + random.below(functions as u64) as usize);
    for _ in 0..random.below(4) {
        let sites: Vec<_> = (1..=functions)
            .flat_map(|callee| graph.sites_of(FuncId::new(callee)).map(move |site| (callee, site)))
            .collect();
        let sites: Vec<_> = sites.iter().filter(|site| site.1.caller == function).collect();
        let Some(index) = (!sites.is_empty()).then(|| random.below(sites.len() as u64)) else { break };
        let (callee, site) = sites[index as usize];
        stack.push(Place { function, block: site.block, instruction: site.inst.unwrap() });
        function = FuncId::new(*callee);
    }
    let body = program.functions[function].body.as_ref().unwrap();
    let block = Block::new(random.below(body.blocks.len() as u64) as usize);
    let instruction = random.below(body.blocks[block].insts.len() as u64 + 1) as u32;
    stack.push(Place { function, block, instruction });
    stack
}

#[test]
fn distances_agree_with_a_search_through_call_stacks() {
    let mut random = Random::new(2);
    let (mut reached, mut never) = (0, 0);
    for _ in 0..1000 {
        let program = random_program(&mut random);
        let graph = CallGraph::new(&program);
        let unwanted = FuncId::new(1 + random.below(8) as usize);
        let mut distances = Distances::new(&program, &graph, |function, _| function != unwanted, |_| false);
        let mut open: Vec<(FuncId, Block)> = Vec::new();
        let mut covered = HashSet::new();
        for (function, data) in program.functions.iter().filter(|(_, function)| function.body.is_some()) {
            for block in data.body.as_ref().unwrap().blocks.keys() {
                if function == unwanted {
                    covered.insert((function, block));
                } else {
                    open.push((function, block));
                }
            }
        }
        while !open.is_empty() {
            let block = open.swap_remove(random.below(open.len() as u64) as usize);
            covered.insert(block);
            assert!(distances.cover(block.0, block.1));
            assert!(!distances.cover(block.0, block.1));
            if random.below(3) == 0 {
                continue;
            }
            let stack = random_stack(&mut random, &program, &graph);
            // The shortest way never has a function twice above where it started.
            let deepest = stack.len() + program.functions.len();
            let search = Search { program: &program, graph: &graph, covered: &covered, deepest };
            let expected = search.to_uncovered(stack.clone());
            assert_eq!(distances.to_uncovered(stack.iter().rev().copied()), expected, "{stack:?}\n{covered:?}");
            *(if expected.is_some() { &mut reached } else { &mut never }) += 1;
        }
    }
    assert!(reached > 1000 && never > 1000, "{reached} {never}");
}

#[test]
fn what_throws_need_not_return() {
    let text = "function @thrower() {
         bb0:
           jump bb1
         bb1:
           jump bb1
         }
         function @catcher() {
         bb0:
           marker
           invoke @thrower() normal bb1 unwind bb2
         bb1:
           return
         bb2:
           unreachable
         }";
    let program = parse(text).unwrap();
    let mut distances = Distances::new(&program, &CallGraph::new(&program), |_, _| true, |_| false);
    let all = [(0, 0), (0, 1), (1, 0)];
    all.iter().for_each(|(function, block)| assert!(distances.cover(FuncId::new(*function), Block::new(*block))));
    // Past the marker and into the handler; behind the call, nothing is ever reached.
    assert_eq!(distances.to_uncovered([place(1, 0, 0)]), Some(2));
    assert!(distances.cover(FuncId::new(1), Block::new(2)));
    assert_eq!(distances.to_uncovered([place(1, 0, 0)]), None);
}

#[test]
fn functions_that_are_not_wanted_are_passed_through() {
    let text = "function @library() {
         bb0:
           marker
           marker
           return
         }
         function @main(i1) {
         bb0(r0: i1):
           call @library()
           branch r0, bb1, bb1
         bb1:
           return
         }";
    let program = parse(text).unwrap();
    let mut distances =
        Distances::new(&program, &CallGraph::new(&program), |function, _| function == FuncId::new(1), |_| false);
    let main = |block, instruction| place(1, block, instruction);
    assert_eq!(distances.to_uncovered([main(0, 0)]), Some(0));
    assert!(distances.cover(FuncId::new(1), Block::new(0)));
    assert!(!distances.cover(FuncId::new(0), Block::new(0)));
    // The call, the three instructions of the library, the branch.
    assert_eq!(distances.to_uncovered([main(0, 0)]), Some(5));
    assert_eq!(distances.to_uncovered([place(0, 0, 1), main(0, 0)]), Some(3));
    assert_eq!(distances.to_uncovered([place(0, 0, 1)]), None);
    assert_eq!(distances.to_uncovered([]), None);
}
