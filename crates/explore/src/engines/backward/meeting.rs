//! Where the two directions meet: goals of the backward search, each with the rest of a way to the target, at the ends of blocks. A path forward
//! that comes to one of these blocks knows what registers and memory contain there. If its conditions and the goal's can hold together, the inputs that
//! satisfy both lead to the target, whatever the backward search could not cross before that block.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::inputs::InputKind;
use symcrete_expr::dag::{Op, Variable, post_order, transplant};
use symcrete_expr::{Arena, Expr, Model};
use symcrete_ir::{Block, FuncId};
use symcrete_solver::Answer;

use super::goal::Goal;
use super::memory::Object;
use super::trace::Event;
use crate::local_search::candidate::Candidate;
use crate::path::Path;
use crate::report::{self, GivenInput};
use crate::session::Session;

/// Goals that are remembered, in all and for one block, and paths with which each is tried.
const MOST_GOALS: usize = 64;
const MOST_AT_BLOCK: usize = 4;
const MOST_TRIES: u32 = 16;

/// What the goal names and the path does not have yet are variables of inputs with numbers that no path has.
const LATER: Range<u32> = 1 << 31..u32::MAX;

/// The goals of one target at which paths may meet it.
#[derive(Default)]
pub struct Meetings {
    at: FxHashMap<(FuncId, Block), Vec<Meeting>>,
    count: usize,
}

struct Meeting {
    goal: Goal,
    tried: u32,
}

impl Meetings {
    /// Remembers a goal, if it tells all that is needed from where it stands.
    pub fn add(&mut self, goal: &Goal) {
        let tells_all = !goal.has_forgotten && !goal.is_loose && !goal.is_assuming && goal.deferred.is_empty();
        if !tells_all || goal.frames.len() != 1 || goal.conditions.is_empty() || self.count >= MOST_GOALS {
            return;
        }
        let known = self.at.entry((goal.function(), goal.block)).or_default();
        if known.len() < MOST_AT_BLOCK {
            known.push(Meeting { goal: goal.clone(), tried: 0 });
            self.count += 1;
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn places(&self) -> impl Iterator<Item = (FuncId, Block)> + '_ {
        self.at.iter().filter(|(_, known)| known.iter().any(|meeting| meeting.tried < MOST_TRIES)).map(|(at, _)| *at)
    }

    /// Looks for inputs that bring a path to a goal and on from there.
    pub fn meet(&mut self, arena: &Arena, session: &mut Session, path: &mut Path) -> Option<Candidate> {
        let known = self.at.get_mut(&session.machine.executor.block_of(&path.state))?;
        for meeting in known.iter_mut().filter(|meeting| meeting.tried < MOST_TRIES) {
            meeting.tried += 1;
            if let Some(candidate) = solve(arena, &meeting.goal, session, path) {
                return Some(candidate);
            }
        }
        None
    }
}

fn solve(arena: &Arena, goal: &Goal, session: &mut Session, path: &mut Path) -> Option<Candidate> {
    let demanded = demanded(arena, goal, session, path, FxHashMap::default(), LATER)?;
    let own = &mut session.machine.executor.arena;
    let Answer::Sat(model) = session.machine.chain.check(own, &path.conditions, demanded, &path.model) else {
        return None;
    };
    let model = Rc::new(model);
    let mut given = report::inputs(&mut session.machine.executor, &path.state, &model);
    for event in goal.trace.events() {
        if let Event::Input { name, value } = event
            && let Some(later) = later(arena, &mut session.machine.executor.arena, *value, &LATER)
        {
            given.push(given_later(session, &model, name, later));
        }
    }
    let root = path.root();
    Some(Candidate::of_test(root, &given))
}

/// What the goal demands of the inputs of a path, where some names are known and others become variables of these numbers; `None` if the path
/// cannot say.
pub fn demanded(
    arena: &Arena,
    goal: &Goal,
    session: &mut Session,
    path: &mut Path,
    mut known: FxHashMap<Expr, Expr>,
    numbers: Range<u32>,
) -> Option<Expr> {
    let executor = &mut session.machine.executor;
    let frame = &goal.frames[0];
    for (register, name) in &frame.names {
        known.insert(*name, executor.register(&path.state, *register)?);
    }
    // Where one read is may depend on what another one gives.
    let mut open: Vec<_> = goal.reads.iter().collect();
    while !open.is_empty() {
        let before = open.len();
        let mut left = Vec::new();
        for read in open {
            let Some(offset) = transplant(arena, &mut executor.arena, read.offset, &mut known) else {
                left.push(read);
                continue;
            };
            let width = executor.arena.width(offset);
            let base = match read.object {
                Object::Global(global) => {
                    let address = executor.image.global_address(global);
                    executor.arena.word(width, address)
                }
                Object::Local { register, .. } => executor.register(&path.state, register)?,
                Object::Unknown => executor.arena.word(width, 0),
            };
            let address = executor.arena.binary(Op::Add, base, offset);
            let address = executor.arena.as_word(address)?;
            let bits = u16::try_from(read.bytes * 8).ok()?;
            let contents = executor.contents(&mut path.state, address, bits)?;
            known.insert(read.name, contents);
        }
        if left.len() == before {
            return None;
        }
        open = left;
    }
    // What else it names is asked for later, or counts what happens later: some value must do.
    for part in post_order(arena, goal.exprs(), &mut Default::default()) {
        if arena.variable_of(part).is_some() && !known.contains_key(&part) {
            known.insert(part, later(arena, &mut executor.arena, part, &numbers)?);
        }
    }
    let mut all = executor.arena.boolean(true);
    for condition in &goal.conditions {
        let holds = transplant(arena, &mut executor.arena, condition.expr, &mut known)?;
        all = executor.arena.binary(Op::And, all, holds);
    }
    executor.notes.clear();
    Some(all)
}

/// The variable for a name of the goal that the path has nothing for yet.
fn later(arena: &Arena, own: &mut Arena, name: Expr, numbers: &Range<u32>) -> Option<Expr> {
    let variable = arena.variables()[arena.variable_of(name)?];
    let input = numbers.start.checked_add(variable.input).filter(|input| numbers.contains(input))?;
    Some(own.variable(Variable { input, ..variable }))
}

fn given_later(session: &mut Session, model: &Rc<Model>, name: &str, variable: Expr) -> GivenInput {
    let bits = session.machine.chain.evaluate(&session.machine.executor.arena, model, variable);
    GivenInput { name: name.to_owned(), kind: InputKind::Result, ty: None, bytes: bits.to_le_bytes() }
}
