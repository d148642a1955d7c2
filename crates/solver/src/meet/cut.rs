//! Where an expression is cut in two: at a part through which all ways lead from the expression down to some of its variables, and to no
//! others.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Op, post_order};
use symcrete_expr::{Arena, Expr};
use symcrete_tape::Tape;

use super::step::{Part, Source, Step};

/// Variables by their numbers in a graph.
pub type VariableSet = u128;

/// An expression and its parts.
pub struct Graph {
    /// Operands before what is made of them; the expression itself is the last one.
    parts: Vec<Expr>,
    numbers: FxHashMap<Expr, usize>,
    pub variables: Vec<Expr>,
    /// By part: the variables in it, and the nearest part above it through which all ways to it lead.
    sets: Vec<VariableSet>,
    above: Vec<usize>,
}

/// A part at which the expression can be cut.
pub struct Cut {
    pub node: Expr,
    number: usize,
    pub variables: VariableSet,
}

/// Expressions with more parts are left to others.
const MOST_PARTS: usize = 20_000;

impl Graph {
    /// `None` if it is too large, or no expression on words alone.
    pub fn new(arena: &Arena, root: Expr) -> Option<Graph> {
        let parts = post_order(arena, [root], &mut EntitySet::new());
        let is_word = |part: &Expr| match arena.node(*part).op {
            Op::Float(..) | Op::FloatConvert(..) | Op::Call | Op::ArrayVariable | Op::Store | Op::ArrayIte => false,
            Op::Table => arena.elements(*part).iter().all(|element| arena.as_word(*element).is_some()),
            _ => arena.width(*part) <= 64,
        };
        if parts.len() > MOST_PARTS || !parts.iter().all(is_word) {
            return None;
        }
        let numbers: FxHashMap<Expr, usize> = parts.iter().enumerate().map(|(number, part)| (*part, number)).collect();
        let variables: Vec<Expr> = parts.iter().copied().filter(|part| arena.node(*part).op == Op::Variable).collect();
        if variables.len() < 2 || variables.len() > VariableSet::BITS as usize {
            return None;
        }
        let mut graph =
            Graph { sets: vec![0; parts.len()], above: vec![usize::MAX; parts.len()], parts, numbers, variables };
        graph.note(arena);
        Some(graph)
    }

    fn note(&mut self, arena: &Arena) {
        for (number, variable) in self.variables.iter().enumerate() {
            self.sets[self.numbers[variable]] = 1 << number;
        }
        for at in 0..self.parts.len() {
            let mut set = self.sets[at];
            arena.for_each_operand(self.parts[at], |operand| set |= self.sets[self.numbers[&operand]]);
            self.sets[at] = set;
        }
        // From the expression down: what is above a part is where all that are made of it come together.
        let root = self.parts.len() - 1;
        self.above[root] = root;
        for at in (0..=root).rev() {
            arena.for_each_operand(self.parts[at], |operand| {
                let operand = self.numbers[&operand];
                self.above[operand] = match self.above[operand] {
                    usize::MAX => at,
                    known => self.meeting(known, at),
                };
            });
        }
    }

    /// Where two parts come together on the way up.
    fn meeting(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            // What is above stands later.
            match a < b {
                true => a = self.above[a],
                false => b = self.above[b],
            }
        }
        a
    }

    pub fn all_variables(&self) -> VariableSet {
        self.sets[self.parts.len() - 1]
    }

    /// The variables of another expression, as far as this one has them.
    pub fn variables_of(&self, arena: &Arena, expr: Expr) -> VariableSet {
        let parts = post_order(arena, [expr], &mut EntitySet::new());
        let number = |part: &Expr| self.variables.iter().position(|variable| variable == part);
        parts.iter().filter_map(number).fold(0, |set, number| set | 1 << number)
    }

    /// Where it can be cut, the most even halves first.
    pub fn cuts(&self, arena: &Arena) -> Vec<Cut> {
        let mut dominated = vec![0; self.parts.len()];
        for (number, variable) in self.variables.iter().enumerate() {
            let mut at = self.numbers[variable];
            loop {
                dominated[at] |= 1 << number;
                if self.above[at] == at {
                    break;
                }
                at = self.above[at];
            }
        }
        let bits = |set: VariableSet| -> u32 {
            let inside = self.variables.iter().enumerate().filter(|(number, _)| set >> number & 1 == 1);
            inside.map(|(_, variable)| arena.width(*variable)).sum()
        };
        let all = self.all_variables();
        let root = self.parts.len() - 1;
        let is_cut = |at: &usize| self.sets[*at] == dominated[*at] && self.sets[*at] != 0 && self.sets[*at] != all;
        let mut cuts: Vec<(u32, Cut)> = (0..root)
            .filter(is_cut)
            .filter(|at| arena.width(self.parts[*at]) > 8)
            .map(|at| {
                let variables = self.sets[at];
                let even = bits(variables).min(bits(all & !variables));
                (even, Cut { node: self.parts[at], number: at, variables })
            })
            .collect();
        // Of those that are as even the uppermost, from which there are fewer steps.
        cuts.sort_by_key(|(even, cut)| std::cmp::Reverse((*even, cut.number)));
        cuts.into_iter().map(|(_, cut)| cut).collect()
    }

    /// A step on the way down to a cut: from one part to the next one through which all ways lead.
    pub fn step(&self, arena: &Arena, tape: &Tape, cut: &Cut, (upper, lower): (usize, usize)) -> Option<Step> {
        let is_inside = |at: usize| at != lower && self.sets[at] & cut.variables != 0;
        // Only what the upper part is made of.
        let mut needed = vec![upper];
        let mut inside: Vec<usize> = Vec::new();
        while let Some(at) = needed.pop() {
            if inside.contains(&at) {
                continue;
            }
            inside.push(at);
            arena.for_each_operand(self.parts[at], |operand| {
                let operand = self.numbers[&operand];
                if is_inside(operand) {
                    needed.push(operand);
                }
            });
        }
        inside.sort_unstable();
        let source = |operand: Expr| {
            let number = self.numbers[&operand];
            if number == lower {
                return Some(Source::Below);
            }
            if let Ok(place) = inside.binary_search(&number) {
                return Some(Source::Part(place));
            }
            match arena.as_word(operand) {
                Some(word) => Some(Source::Word(word)),
                None => tape.slot(operand).map(Source::Slot),
            }
        };
        let parts =
            inside.iter().map(|at| Part::new(arena, self.parts[*at], &source)).collect::<Option<Vec<Part>>>()?;
        let widths = (arena.width(self.parts[upper]), arena.width(self.parts[lower]));
        Some(Step { parts, upper_width: widths.0, lower_width: widths.1 })
    }
}

impl Cut {
    /// The steps from the expression down to the cut: pairs of parts, the uppermost first.
    pub fn steps(&self, graph: &Graph) -> Vec<(usize, usize)> {
        let mut steps = Vec::new();
        let mut at = self.number;
        while graph.above[at] != at {
            steps.push((graph.above[at], at));
            at = graph.above[at];
        }
        steps.reverse();
        steps
    }
}
