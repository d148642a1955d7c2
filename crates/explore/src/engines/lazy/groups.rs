//! Paths through a call that leave the same. Whoever looks at all of them, to refute something (`arrivals.rs`), need take only some: they differ in
//! conditions on inputs, most of which nobody asks about any more.

use std::rc::Rc;

use symcrete_expr::dag::GatheredVariables;
use symcrete_expr::{Arena, Expr};
use symcrete_solver::Conditions;

use super::Lazy;
use super::choice::Choice;
use super::expansion::Leaf;
use crate::session::Session;

/// The paths through one call, by what they leave.
#[derive(Default)]
pub struct Groups {
    pub list: Vec<Group>,
    /// How many were taken, and the number of the latest, counted from 1; 0 if that is in no group.
    count: usize,
    pub latest: usize,
}

/// Complete paths that leave the same and do nothing else.
pub struct Group {
    outputs: Vec<Option<Expr>>,
    /// Inputs about which somebody asks later: paths with different conditions on these are told apart.
    matters: GatheredVariables,
    pub taken: Vec<Taken>,
}

/// A path that was taken for itself and for others.
pub struct Taken {
    pub number: usize,
    /// Its conditions, and those of the others.
    own: Vec<Expr>,
    others: Vec<Vec<Expr>>,
    /// Those of its conditions that matter.
    relevant: Vec<Expr>,
}

impl Groups {
    /// The same with nothing taken, and with what is known to matter.
    pub fn again(&mut self) -> Groups {
        let mut list = std::mem::take(&mut self.list);
        list.iter_mut().for_each(|group| group.taken.clear());
        Groups { list, count: self.count, latest: 0 }
    }
}

impl Taken {
    pub fn own(&self) -> &[Expr] {
        &self.own
    }

    /// Whether all for which it was taken have these conditions, too.
    pub fn stands_for(&self, conditions: &[Expr]) -> bool {
        self.others.iter().all(|other| conditions.iter().all(|condition| other.contains(condition)))
    }
}

impl Group {
    pub fn note_matter(&mut self, variables: &GatheredVariables) {
        self.matters.add_all(variables);
    }
}

/// The single conditions of a path through a call.
fn parts(arena: &Arena, leaf: &Leaf) -> Vec<Expr> {
    let mut conditions = Conditions::new();
    leaf.added.iter().for_each(|condition| conditions.push(arena, *condition));
    conditions.iter().collect()
}

impl Lazy {
    /// Whether another path was taken for one that leaves the same; then that is noted.
    pub fn leaves_the_same(&mut self, session: &Session, choice: &mut Choice, leaf: &Rc<Leaf>) -> bool {
        let is_plain = leaf.does_nothing_else() && leaf.outputs.iter().all(Option::is_some);
        let Some(groups) = choice.groups.as_mut().filter(|_| is_plain) else { return false };
        let Some(group) = groups.list.iter_mut().find(|group| group.outputs == leaf.outputs) else { return false };
        let own = parts(&session.machine.executor.arena, leaf);
        let has_all = |taken: &&mut Taken| taken.relevant.iter().all(|condition| own.contains(condition));
        match group.taken.iter_mut().find(has_all) {
            Some(taken) => {
                taken.others.push(own);
                true
            }
            None => false,
        }
    }

    /// A path is taken.
    pub fn note_taken(&mut self, session: &Session, choice: &mut Choice, leaf: &Rc<Leaf>) {
        if choice.groups.is_none() || !leaf.does_nothing_else() {
            return;
        }
        let arena = &session.machine.executor.arena;
        let own = parts(arena, leaf);
        let Some(groups) = &mut choice.groups else { return };
        groups.count += 1;
        groups.latest = groups.count;
        let at = groups.list.iter().position(|group| group.outputs == leaf.outputs).unwrap_or_else(|| {
            let (outputs, matters) = (leaf.outputs.clone(), GatheredVariables::default());
            groups.list.push(Group { outputs, matters, taken: Vec::new() });
            groups.list.len() - 1
        });
        let group = &mut groups.list[at];
        let known = choice.real.path.conditions.iter();
        let mut relevant = self.connected(arena, group.matters.clone(), known.chain(own.iter().copied()).collect());
        relevant.retain(|condition| own.contains(condition));
        group.taken.push(Taken { number: groups.count, own, others: Vec::new(), relevant });
    }
}
