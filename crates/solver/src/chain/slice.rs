//! Independence: which constraints can have a say about others, because they share variables, directly or through further ones.
//! A read at a symbolic index depends on its whole array, because the array is an operand of the read.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{ArrayModel, GatheredVariables, VariableId, VariableSet, VariableSets};
use symcrete_expr::{Arena, Bits, Expr, Model};

/// What is left of a query: constraints that hang together, and their variables.
pub(super) struct Slice {
    /// Oldest first, what was asked for last, none twice: so that a backend finds the beginning of its last query again.
    pub constraints: Vec<Expr>,
    /// The same, sorted: the name of the query in the caches.
    pub key: Box<[Expr]>,
    /// Sorted.
    pub variables: Vec<VariableId>,
}

impl Slice {
    fn new(sets: &mut VariableSets, arena: &Arena, mut constraints: Vec<Expr>) -> Slice {
        let mut key = constraints.clone();
        key.sort_unstable();
        key.dedup();
        if key.len() != constraints.len() {
            let mut seen = rustc_hash::FxHashSet::default();
            constraints.retain(|constraint| seen.insert(*constraint));
        }
        let mut all = GatheredVariables::default();
        for constraint in &constraints {
            let set = sets.of(arena, *constraint);
            all.add(sets.blocks(set));
        }
        Slice { constraints, key: key.into(), variables: all.variables().collect() }
    }

    /// What a model says about the variables of the slice, and nothing else; a variable that it does not name is zero.
    pub fn restrict(&self, arena: &Arena, model: &Model) -> Model {
        let mut restricted = Model::default();
        for id in &self.variables {
            let variable = arena.variables()[*id];
            let zero = || Bits::zero(variable.width);
            if variable.index_width == 0 {
                restricted.set(*id, model.get(*id).cloned().unwrap_or_else(zero));
            } else {
                let empty = || ArrayModel { default: zero(), entries: Default::default() };
                restricted.set_array(*id, model.array(*id).cloned().unwrap_or_else(empty));
            }
        }
        restricted
    }
}

/// The constraints of a path, given newest first, that have a say about the extra ones; these included.
pub(super) fn slice(
    sets: &mut VariableSets,
    arena: &Arena,
    path: impl Iterator<Item = Expr>,
    extra: &[Expr],
    independence: bool,
) -> Slice {
    let mut reached = GatheredVariables::default();
    for constraint in extra {
        let set = sets.of(arena, *constraint);
        reached.add(sets.blocks(set));
    }
    let mut constraints: Vec<Expr> = path.collect();
    constraints.reverse();
    if independence {
        retain_connected(sets, arena, &mut constraints, reached);
    }
    constraints.extend_from_slice(extra);
    Slice::new(sets, arena, constraints)
}

fn retain_connected(
    sets: &mut VariableSets,
    arena: &Arena,
    constraints: &mut Vec<Expr>,
    mut reached: GatheredVariables,
) {
    let of: Vec<VariableSet> = constraints.iter().map(|constraint| sets.of(arena, *constraint)).collect();
    let mut taken = vec![false; constraints.len()];
    // A constraint that was passed by may be reached through a later one, so until nothing changes. New constraints tend to
    // depend on older ones, so from the newest to the oldest few passes are needed.
    let mut waiting: Vec<usize> = (0..constraints.len()).rev().collect();
    loop {
        let before = waiting.len();
        waiting.retain(|&at| {
            let blocks = sets.blocks(of[at]);
            let meets = reached.meets(blocks);
            if meets {
                reached.add(blocks);
                taken[at] = true;
            }
            !meets
        });
        if waiting.len() == before {
            break;
        }
    }
    let mut taken = taken.into_iter();
    constraints.retain(|_| taken.next() == Some(true));
}

/// Takes constraints apart into groups that share no variable, in the order of their first constraints.
pub(super) fn components(sets: &mut VariableSets, arena: &Arena, constraints: &[Expr]) -> Vec<Vec<Expr>> {
    let mut leader: Vec<usize> = (0..constraints.len()).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    let mut owner: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (at, constraint) in constraints.iter().enumerate() {
        let set = sets.of(arena, *constraint);
        for variable in sets.variables(set) {
            let other = *owner.entry(variable).or_insert(at);
            let (a, b) = (find(&mut leader, at), find(&mut leader, other));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<Expr>> = vec![Vec::new(); constraints.len()];
    for (at, constraint) in constraints.iter().enumerate() {
        groups[find(&mut leader, at)].push(*constraint);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
