//! Which path claims which input, for programs of one or two bytes of input: a test of the engine itself. The conditions of the paths
//! that are over are kept, and evaluated for every input. How a claim is written down is not decided here.

use std::rc::Rc;

use symcrete_exec::inputs::{InputKind, Inputs, variables};
use symcrete_exec::{Class, Ended};
use symcrete_expr::dag::{Evaluator, VariableId};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::Conditions;

use crate::drive::confirm;
use crate::path::Path;
use crate::report::GivenInput;
use crate::session::Session;

/// The paths that are over.
#[derive(Default)]
pub struct Kept {
    paths: Vec<KeptPath>,
}

struct KeptPath {
    conditions: Conditions,
    ended: Ended,
    inputs: Inputs,
    root: usize,
}

/// For every input, in the order of its bytes, the paths whose conditions it satisfies.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// Of the input.
    pub bytes: usize,
    /// By input: the first byte counts most.
    pub claims: Vec<Vec<Claim>>,
    /// Inputs that were executed concretely and ended otherwise than their path says.
    pub contradictions: Vec<Contradiction>,
    /// How many paths there are.
    pub paths: usize,
    /// Why there are no claims.
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub path: usize,
    /// How the path ends for this input.
    pub ended: Ended,
}

#[derive(Clone, Debug)]
pub struct Contradiction {
    pub input: usize,
    pub claimed: Ended,
    /// `None`: the run did not come to an end.
    pub ran: Option<Ended>,
}

/// A variable, the byte of the input at which it begins, and its bytes.
type Place = (VariableId, usize, usize);

/// The most bytes of which all values can be tried.
const MOST_BYTES: usize = 2;
/// How many inputs are executed.
const EXECUTED: usize = 256;
/// Instructions that such an execution may take.
const BUDGET: u64 = 10_000_000;

impl Kept {
    /// Keeps what a path that ends so was about; a status that depends on inputs is not yet a number.
    pub fn add(&mut self, path: &Path, ended: &Ended) {
        let root = path.root();
        let (conditions, inputs) = (path.conditions.clone(), path.state.inputs.clone());
        self.paths.push(KeptPath { conditions, ended: ended.clone(), inputs, root });
    }

    /// What the arena must not drop.
    pub fn for_each_expr(&self, mut visit: impl FnMut(Expr)) {
        for path in &self.paths {
            path.conditions.iter().for_each(&mut visit);
            match &path.ended {
                Ended::ExitedWith(status) => visit(*status),
                Ended::Undefined(undefined) => undefined.exprs().for_each(&mut visit),
                _ => {}
            }
        }
    }

    /// Where the bytes of the input go, and how many bytes there are.
    fn layout(&self, arena: &mut Arena) -> Result<(Vec<Place>, usize), String> {
        let mut layout: Vec<Place> = Vec::new();
        let mut total = 0;
        for path in &self.paths {
            let mut start = 0;
            for input in path.inputs.list() {
                for (offset, variable) in variables(arena, input) {
                    let Some(id) = arena.variable_of(variable) else { continue };
                    let place = (id, start + offset as usize, arena.width(variable) as usize / 8);
                    match layout.iter().find(|known| known.0 == id) {
                        None => layout.push(place),
                        Some(known) if *known == place => {}
                        Some(_) => return Err("paths make their inputs in different orders".to_owned()),
                    }
                }
                start += input.bytes as usize;
            }
            total = total.max(start);
        }
        match total {
            1..=MOST_BYTES => Ok((layout, total)),
            _ => Err(format!("there are {total} bytes of input, not 1 to {MOST_BYTES}")),
        }
    }
}

impl Session {
    /// All claims, if the paths were kept. Some inputs are executed besides.
    pub fn partition(&mut self) -> Option<Partition> {
        let kept = self.suite.kept.take()?;
        let mut partition = Partition { paths: kept.paths.len(), ..Partition::default() };
        match kept.layout(&mut self.machine.executor.arena) {
            Ok((layout, bytes)) => {
                partition.bytes = bytes;
                partition.claims = self.claims(&kept, &layout, bytes);
                self.contradict(&kept, &mut partition);
            }
            Err(error) => partition.error = Some(error),
        }
        Some(partition)
    }

    fn claims(&self, kept: &Kept, layout: &[Place], bytes: usize) -> Vec<Vec<Claim>> {
        let arena = &self.machine.executor.arena;
        let oldest_first = |path: &KeptPath| {
            let mut list: Vec<Expr> = path.conditions.iter().collect();
            list.reverse();
            list
        };
        let conditions: Vec<Vec<Expr>> = kept.paths.iter().map(oldest_first).collect();
        let claims_of = |input: usize| {
            let content = bytes_of(input, bytes);
            let mut model = Model::default();
            for (variable, start, length) in layout {
                let word =
                    content[*start..start + length].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                model.set(*variable, Bits::from_u64(*length as u32 * 8, word));
            }
            let mut evaluator = Evaluator::new(Rc::new(model));
            let mut claims = Vec::new();
            for (number, path) in kept.paths.iter().enumerate() {
                if conditions[number].iter().all(|condition| evaluator.holds(arena, *condition)) {
                    let ended = match path.ended {
                        Ended::ExitedWith(status) => Ended::Exited(evaluator.value(arena, status).low_u64() as i32),
                        Ended::Undefined(ref undefined) => {
                            let evaluate = |expr| evaluator.value(arena, expr).low_u128();
                            Ended::Undefined(Box::new(undefined.evaluated(evaluate)))
                        }
                        ref other => other.clone(),
                    };
                    claims.push(Claim { path: number, ended });
                }
            }
            claims
        };
        (0..1 << (8 * bytes)).map(claims_of).collect()
    }

    /// Executes some inputs, evenly spread over the paths as far as they go.
    fn contradict(&mut self, kept: &Kept, partition: &mut Partition) {
        let mut chosen: Vec<usize> = Vec::new();
        let mut shown = vec![false; kept.paths.len()];
        for (input, claims) in partition.claims.iter().enumerate() {
            if let [claim] = claims.as_slice() {
                let is_first = !std::mem::replace(&mut shown[claim.path], true);
                let in_turn = input % partition.claims.len().div_ceil(EXECUTED) == 0;
                if (is_first && chosen.len() < 2 * EXECUTED || in_turn) && claim.ended.class() != Class::Limit {
                    chosen.push(input);
                }
            }
        }
        for input in chosen {
            let claim = &partition.claims[input][0];
            let path = &kept.paths[claim.path];
            let content = bytes_of(input, partition.bytes);
            let mut rest = content.as_slice();
            let mut given = Vec::new();
            for asked in path.inputs.list() {
                let (bytes, after) = rest.split_at(asked.bytes as usize);
                rest = after;
                let (name, kind) = (asked.name.to_string(), InputKind::Object);
                given.push(GivenInput { name, kind, ty: None, bytes: bytes.to_vec() });
            }
            let root = self.roots()[path.root].clone();
            let ran = confirm::run(&mut self.machine.executor, &root, &given, &root.native, BUDGET);
            if !ran.as_ref().is_some_and(|ran| confirm::agree(ran, &claim.ended)) {
                partition.contradictions.push(Contradiction { input, claimed: claim.ended.clone(), ran });
            }
        }
    }
}

impl Partition {
    /// What another worker claims is added; its paths get the next numbers.
    pub fn add(&mut self, other: Partition) {
        if self.paths == 0 && self.error.is_none() {
            *self = other;
            return;
        }
        if other.paths == 0 {
            return;
        }
        self.error = self.error.take().or(other.error);
        if self.bytes != other.bytes {
            self.error.get_or_insert_with(|| "workers saw inputs of different sizes".to_owned());
            return;
        }
        for (claims, more) in self.claims.iter_mut().zip(other.claims) {
            claims.extend(more.into_iter().map(|claim| Claim { path: claim.path + self.paths, ..claim }));
        }
        self.contradictions.extend(other.contradictions);
        self.paths += other.paths;
    }

    /// The bytes of an input, by its number.
    pub fn input(&self, number: usize) -> Vec<u8> {
        bytes_of(number, self.bytes)
    }
}

fn bytes_of(input: usize, bytes: usize) -> Vec<u8> {
    input.to_be_bytes()[size_of::<usize>() - bytes..].to_vec()
}
