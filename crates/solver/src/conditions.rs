//! A path condition: a list that a fork shares with its parent. What it means is for the chain to decide.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashSet, FxHasher};
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr};

/// Constraints of one bit each that all hold. Cloning and pushing take constant time; clones share what they have in common.
#[derive(Clone, Default)]
pub struct Conditions {
    newest: Option<Rc<Link>>,
}

struct Link {
    constraint: Expr,
    older: Option<Rc<Link>>,
    length: u32,
    /// Of this constraint and all older ones, in order.
    hash: u64,
}

/// How many of the newest conditions are looked through for one that is added again, as in a loop that inputs keep going.
pub const LATEST: usize = 64;

impl Conditions {
    pub fn new() -> Conditions {
        Conditions::default()
    }

    /// Adds a condition. A conjunction becomes its parts; what is always true is left out, and so is what was added lately.
    pub fn push(&mut self, arena: &Arena, condition: Expr) {
        if !is_conjunction(arena, condition) {
            return self.push_new(arena, condition);
        }
        for part in conjuncts(arena, condition) {
            self.push_new(arena, part);
        }
    }

    fn push_new(&mut self, arena: &Arena, part: Expr) {
        if arena.as_word(part) != Some(1) && !self.iter().take(LATEST).any(|known| known == part) {
            self.push_part(part);
        }
    }

    fn push_part(&mut self, constraint: Expr) {
        let older = self.newest.take();
        let (length, below) = older.as_ref().map_or((0, 0), |link| (link.length, link.hash));
        let mut hasher = FxHasher::default();
        (below, constraint).hash(&mut hasher);
        self.newest = Some(Rc::new(Link { constraint, older, length: length + 1, hash: hasher.finish() }));
    }

    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.length as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// The constraint that was added last.
    pub fn newest(&self) -> Option<Expr> {
        self.newest.as_ref().map(|link| link.constraint)
    }

    /// Newest first.
    pub fn iter(&self) -> Iter<'_> {
        Iter { next: self.newest.as_deref() }
    }

    /// Visits the constraints, newest first, up to the first link that is in `seen`, and puts the visited ones there: over
    /// all states of a run each shared part is visited once. For marking what the arena must keep.
    pub fn visit_unseen(&self, seen: &mut SeenConditions, mut visit: impl FnMut(Expr)) {
        let mut next = self.newest.as_deref();
        while let Some(link) = next {
            if !seen.links.insert(std::ptr::from_ref(link) as usize) {
                return;
            }
            visit(link.constraint);
            next = link.older.as_deref();
        }
    }
}

/// Which parts of lists were visited; only as long as the lists live.
#[derive(Default)]
pub struct SeenConditions {
    links: FxHashSet<usize>,
}

fn is_conjunction(arena: &Arena, condition: Expr) -> bool {
    let node = arena.node(condition);
    node.op == Op::And && node.width == 1
}

/// The parts of a conjunction, in order, each once in a row.
pub(crate) fn conjuncts(arena: &Arena, condition: Expr) -> Vec<Expr> {
    let mut parts = Vec::new();
    let mut waiting = vec![condition];
    // Shared parts of a conjunction of conjunctions are visited once, so the work is that of the nodes.
    let mut visited = FxHashSet::default();
    while let Some(expr) = waiting.pop() {
        let node = arena.node(expr);
        if !visited.insert(expr) {
            continue;
        }
        if is_conjunction(arena, expr) {
            waiting.push(node.second());
            waiting.push(node.first());
        } else {
            parts.push(expr);
        }
    }
    parts
}

/// The default drop would recurse once for each link.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.older.take();
        }
    }
}

impl PartialEq for Conditions {
    fn eq(&self, other: &Conditions) -> bool {
        let (mut a, mut b) = (self.newest.as_ref(), other.newest.as_ref());
        loop {
            match (a, b) {
                (None, None) => return true,
                (Some(x), Some(y)) if Rc::ptr_eq(x, y) => return true,
                (Some(x), Some(y)) if x.hash == y.hash && x.length == y.length && x.constraint == y.constraint => {
                    (a, b) = (x.older.as_ref(), y.older.as_ref());
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Conditions {}

impl Hash for Conditions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.newest.as_ref().map_or(0, |link| link.hash).hash(state);
    }
}

impl std::fmt::Debug for Conditions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Constraints, newest first.
pub struct Iter<'a> {
    next: Option<&'a Link>,
}

impl Iterator for Iter<'_> {
    type Item = Expr;

    fn next(&mut self) -> Option<Expr> {
        let link = self.next?;
        self.next = link.older.as_deref();
        Some(link.constraint)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = self.next.map_or(0, |link| link.length as usize);
        (length, Some(length))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Conditions {
    type Item = Expr;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
