//! What native calls of functions that are not pure gave on a path, in order. A run that is to end as the path did is
//! given the same.

use std::rc::Rc;

use super::{ANSWERED, Outcome};

/// A clone shares what was there before.
#[derive(Clone, Default)]
pub struct NativeResults {
    newest: Option<Rc<Link>>,
    /// What the first calls give, instead of being made.
    supply: Rc<[Outcome]>,
}

struct Link {
    outcome: Outcome,
    number: usize,
    older: Option<Rc<Link>>,
}

/// One by one: a program may call a million times.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(Ok(mut link)) = next.map(Rc::try_unwrap) {
            next = link.older.take();
        }
    }
}

impl NativeResults {
    fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.number + 1)
    }

    pub fn push(&mut self, outcome: Outcome) {
        let number = self.len();
        self.newest = Some(Rc::new(Link { outcome, number, older: self.newest.take() }));
    }

    /// What the next call gives, if that was said.
    pub fn supplied(&self) -> Option<Outcome> {
        self.supply.get(self.len()).copied()
    }

    /// The answers of the engine among them, in order.
    pub fn answers(&self) -> Vec<u64> {
        let links = std::iter::successors(self.newest.as_deref(), |link| link.older.as_deref());
        let answers = links.filter(|link| link.outcome.status == ANSWERED).map(|link| link.outcome.result as u64);
        let mut list: Vec<u64> = answers.collect();
        list.reverse();
        list
    }

    /// For a run that begins: the calls give what these gave.
    pub fn again(&self) -> NativeResults {
        let links = std::iter::successors(self.newest.as_deref(), |link| link.older.as_deref());
        let mut list: Vec<Outcome> = links.map(|link| link.outcome).collect();
        list.reverse();
        NativeResults { newest: None, supply: list.into() }
    }
}
