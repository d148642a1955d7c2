//! Which engines there are, and the order of their turns. A worker goes through the table from the top: engines beside the search have turns until
//! they are idle, then the first search that has anything to do does one step.
//!
//! The shares of work are decided by the engines beside the search, which count what the others did: `burst.rs`, `climb/` and `backward/` say how.

use std::cell::OnceCell;
use std::rc::Rc;

use symcrete_exec::Image;
use symcrete_ir::CallGraph;

use crate::engines::backward::Backward;
use crate::engines::burst::Burst;
use crate::engines::climb::Climb;
use crate::engines::concolic::Concolic;
use crate::engines::engine::Engine;
use crate::engines::forward::Forward;
use crate::engines::lazy::Lazy;
use crate::engines::random::RandomRuns;
use crate::schedule::options::{Options, Setup};
use crate::session::Session;
use crate::session::config::Mode;
use crate::session::stop::Stop;

/// An engine of the table.
pub struct Row {
    pub name: &'static str,
    pub role: Role,
    /// Makes the engine for a worker, if the options ask for it there.
    make: for<'a> fn(&Making<'a>, &Session) -> Made<'a>,
}

/// When an engine has turns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Before each step of the search, until it is idle.
    Beside {
        /// Whether the search stops right behind its turn once all targets are reached or refuted, without another step.
        ends_at_targets: bool,
    },
    /// One step at a time, if the searches above it have nothing to do.
    Search {
        /// Whether the search stops behind its step once all code is covered, where that is asked for.
        ends_when_covered: bool,
    },
}

/// All engines, in the order of their turns.
pub const ENGINES: &[Row] = &[
    Row { name: "burst", role: Role::Beside { ends_at_targets: false }, make: burst },
    Row { name: "backward", role: Role::Beside { ends_at_targets: true }, make: backward },
    Row { name: "climb", role: Role::Beside { ends_at_targets: false }, make: climb },
    Row { name: "random", role: Role::Search { ends_when_covered: true }, make: random },
    Row { name: "lazy", role: Role::Search { ends_when_covered: false }, make: lazy },
    Row { name: "concolic", role: Role::Search { ends_when_covered: true }, make: concolic },
    Row { name: "forward", role: Role::Search { ends_when_covered: true }, make: forward },
];

/// What engines are made from.
pub struct Making<'a> {
    pub worker: usize,
    pub options: &'a Options,
    pub setup: &'a dyn Setup,
    pub stop: &'a Stop,
    /// For engines that look at the program while it is executed.
    pub program: &'a OnceCell<Program>,
}

/// The program, apart from the one that a worker executes.
pub struct Program {
    pub image: Rc<Image>,
    pub graph: CallGraph,
}

/// An engine of a worker, and when it has turns.
pub struct Seat<'a> {
    pub role: Role,
    pub engine: Box<dyn Engine + 'a>,
}

/// The engines of a worker.
pub fn engines<'a>(making: &Making<'a>, session: &Session) -> Result<Vec<Seat<'a>>, String> {
    let mut seats = Vec::new();
    for row in ENGINES {
        let made = (row.make)(making, session).map_err(|error| format!("{}: {error}", row.name))?;
        seats.extend(made.map(|engine| Seat { role: row.role, engine }));
    }
    Ok(seats)
}

type Made<'a> = Result<Option<Box<dyn Engine + 'a>>, String>;

impl<'a> Making<'a> {
    /// Some engines exist once, with the first worker.
    fn is_first(&self) -> bool {
        self.worker == 0
    }

    fn program(&self) -> Result<&'a Program, String> {
        if self.program.get().is_none() {
            let image = self.setup.image()?;
            let graph = CallGraph::new(&image.program);
            let _ = self.program.set(Program { image, graph });
        }
        Ok(self.program.get().expect("it was just set"))
    }
}

fn boxed<'a>(engine: Option<impl Engine + 'a>) -> Made<'a> {
    Ok(engine.map(|engine| Box::new(engine) as Box<dyn Engine + 'a>))
}

fn burst<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    let config = making.options.burst.clone().filter(|_| making.is_first());
    boxed(config.map(|config| Burst::new(config, making.options.seed)))
}

fn climb<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    let config = making.options.climb.clone().filter(|_| making.is_first());
    boxed(config.map(|config| Climb::new(config, making.options.seed)))
}

fn backward<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    let options = making.options;
    let targets = options.forward.targets.0.len();
    let Some((config, entry)) = options.backward.as_ref().filter(|_| making.is_first() && targets > 0) else {
        return Ok(None);
    };
    let mut config = config.clone();
    config.solver.limits.interrupt = making.stop.flag().clone();
    let Program { image, graph } = making.program()?;
    boxed(Some(Backward::new(image, graph, *entry, targets, config, options.seed)))
}

fn random<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    let config = making.options.random.clone().filter(|_| making.is_first());
    boxed(config.map(|config| RandomRuns::new(config, making.options.seed)))
}

fn lazy<'a>(making: &Making<'a>, session: &Session) -> Made<'a> {
    let config = making.options.lazy.clone().filter(|_| making.is_first());
    boxed(config.map(|config| Lazy::new(session, config)))
}

fn concolic<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    boxed((making.options.forward.mode == Mode::Concolic).then(Concolic::default))
}

fn forward<'a>(making: &Making<'a>, _: &Session) -> Made<'a> {
    let Options { random, forward, .. } = making.options;
    boxed((random.is_none() && forward.mode != Mode::Concolic).then(Forward::default))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches come last: the engines above them look at what they did.
    #[test]
    fn engines_beside_the_search_have_their_turns_before_it() {
        let is_search = |row: &Row| matches!(row.role, Role::Search { .. });
        let first = ENGINES.iter().position(is_search).expect("there is a search");
        assert!(ENGINES[first..].iter().all(is_search));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = ENGINES.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ENGINES.len());
    }
}
