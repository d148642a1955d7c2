//! The trace of a backward path: what the concrete phase has to execute, from the beginning to the target (section 4.3 of the paper on
//! symcretic execution). Branches say which side is taken (`fit`); loops that are left to themselves stand between them.

use std::rc::Rc;

use symcrete_exec::distance::Side;
use symcrete_exec::guide::Fit;
use symcrete_expr::Expr;
use symcrete_ir::{Block, FuncId};

/// One thing that is executed.
#[derive(Clone)]
pub enum Event {
    Branch(Side),
    /// A loop runs as it will: the paper's loop method. It was a choice of this level to leave it so.
    Loop {
        function: FuncId,
        header: Block,
        level: u32,
    },
    /// Something is executed that does not matter for what comes after it; to think so was a choice, too.
    Skipped {
        level: u32,
    },
    /// An input of this name was asked for, and what it is called in the conditions.
    Input {
        name: Rc<str>,
        value: Expr,
    },
}

/// What a branch is to a loop.
pub enum Role {
    Outside,
    Inside,
    OnlyExit,
}

/// Going backward, events are added at the beginning; traces with the same end share it.
#[derive(Clone, Default)]
pub struct Trace(Option<Rc<Link>>);

struct Link {
    event: Event,
    then: Trace,
}

impl Trace {
    /// What happens before all of it.
    pub fn prepend(&mut self, event: Event) {
        let then = std::mem::take(self);
        *self = Trace(Some(Rc::new(Link { event, then })));
    }

    /// From the beginning to the target.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        std::iter::successors(self.0.as_deref(), |link| link.then.0.as_deref()).map(|link| &link.event)
    }

    /// The branches, each with its number. Those of a loop that runs as it will are marked, but for the only way out of it, which needs
    /// nobody to watch it.
    pub fn fits(&self, mut role: impl FnMut(FuncId, Block, &Side) -> Role) -> Vec<(usize, Fit)> {
        let mut fits = Vec::new();
        let mut running: Option<(FuncId, Block)> = None;
        let mut number = 0;
        for event in self.events() {
            match event {
                Event::Loop { function, header, .. } => running = Some((*function, *header)),
                Event::Branch(side) => {
                    let of_this = running.filter(|(function, _)| *function == side.function);
                    match of_this.map_or(Role::Outside, |(function, header)| role(function, header, side)) {
                        Role::Outside => fits.push((number, Fit { side: *side, in_loop: false })),
                        Role::Inside => fits.push((number, Fit { side: *side, in_loop: true })),
                        Role::OnlyExit => {}
                    }
                    number += 1;
                }
                Event::Skipped { .. } | Event::Input { .. } => {}
            }
        }
        fits
    }

    /// The choices that may be why a run went wrong at the branch of this number: loops before it, and, if the run did not even come there,
    /// what was skipped since the branch before it.
    pub fn blamed(&self, missed: usize, came_there: bool) -> Vec<u32> {
        let (mut loops, mut skipped) = (Vec::new(), Vec::new());
        let mut branches = 0;
        for event in self.events() {
            match event {
                Event::Branch(_) if branches == missed => break,
                Event::Branch(_) => {
                    branches += 1;
                    skipped.clear();
                }
                Event::Loop { level, .. } => loops.push(*level),
                Event::Skipped { level } => skipped.push(*level),
                Event::Input { .. } => {}
            }
        }
        if !came_there {
            loops.append(&mut skipped);
        }
        loops
    }
}

/// One by one: a path may be long.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.then.0.take();
        while let Some(Ok(mut link)) = next.map(Rc::try_unwrap) {
            next = link.then.0.take();
        }
    }
}
