//! What a proof takes for granted of the world, in words.

use symcrete_exec::coverage::Mark;
use symcrete_explore::assumptions::{self, Assumption, Kind};
use symcrete_explore::workers::{Setup as _, Summary};
use symcrete_ir::{CallGraph, LocId};

use crate::cover::setup::CoverSetup;

/// Lines that are printed.
const MOST: usize = 8;

/// What following all paths takes for granted where none came to these edges.
pub fn of_paths(setup: &CoverSetup, target: &[Mark]) -> Vec<Assumption> {
    let Ok(image) = setup.image() else { return Vec::new() };
    let graph = CallGraph::new(&image.program);
    assumptions::of_target(&image, &graph, setup.beginning().start, target)
}

/// The same in words, and the errors behind which paths were not followed; nothing if it is a proof.
pub fn reasons(setup: &CoverSetup, summary: &Summary, target: &[Mark], backward: bool) -> Vec<String> {
    let mut found = of_paths(setup, target);
    found.retain(|assumption| !backward || assumption.kind.is_assumed_backward());
    let errors = summary.survivable.iter().map(|(loc, name)| error(setup, *loc, name));
    let mut reasons: Vec<String> = found.iter().map(|assumption| words(setup, assumption)).chain(errors).collect();
    reasons.dedup();
    let count = reasons.len();
    if count > MOST {
        reasons.truncate(MOST);
        reasons.push(format!("and {} more like these", count - MOST));
    }
    reasons
}

fn words(setup: &CoverSetup, assumption: &Assumption) -> String {
    let place = place(setup, assumption.loc);
    match &assumption.kind {
        Kind::Allocates(function) => format!("{place}`{function}` was assumed to find memory"),
        Kind::Succeeds(function) => {
            format!(
                "{place}`{function}` was assumed to do what it does here; elsewhere it may fail or give something else"
            )
        }
        Kind::MadeUp(function) => {
            format!("{place}`{function}` was assumed to give what it gives here; a real system may answer otherwise")
        }
        Kind::NoThread(function) => {
            format!("{place}the thread that this call of `{function}` starts was assumed not to run")
        }
        Kind::Volatile | Kind::VolatileCopy => {
            format!("{place}a volatile variable was assumed to have the value that the program wrote last")
        }
        Kind::NoSignal(function) => {
            format!("{place}no signal was assumed to arrive whose handler is set by this call of `{function}`")
        }
    }
}

fn error(setup: &CoverSetup, loc: LocId, name: &str) -> String {
    format!("{}paths end here in an error ({name}), behind which the real program may continue", place(setup, loc))
}

fn place(setup: &CoverSetup, loc: LocId) -> String {
    let debug = &setup.program.debug;
    let loc = &debug.locs[loc];
    if loc.line == 0 { String::new() } else { format!("{}:{}: ", debug.files[loc.file].name, loc.line) }
}
