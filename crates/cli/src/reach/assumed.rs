//! What a proof takes for granted of the world, in words.

use symcrete_exec::coverage::Mark;
use symcrete_explore::assumptions::{self, Assumption, Kind};
use symcrete_explore::workers::{Setup as _, Summary};
use symcrete_ir::{CallGraph, LocId};

use crate::cover::setup::CoverSetup;

/// Lines that are printed.
const MOST: usize = 8;

/// What is taken for granted where nothing was found to come to these edges; nothing if that is a proof.
pub fn reasons(setup: &CoverSetup, summary: &Summary, target: &[Mark]) -> Vec<String> {
    let Ok(image) = setup.image() else { return vec!["the program could not be looked at again".to_owned()] };
    let graph = CallGraph::new(&image.program);
    let found = assumptions::of_target(&image, &graph, setup.beginning().start, target);
    let errors = summary.survivable.iter().map(|(loc, name)| error(setup, *loc, name));
    let mut reasons: Vec<String> = found.iter().map(|assumption| words(setup, assumption)).chain(errors).collect();
    reasons.dedup();
    let count = reasons.len();
    if count > MOST {
        reasons.truncate(MOST);
        reasons.push(format!("and {} more like these", count - MOST));
    }
    if count > 0 {
        reasons.insert(0, "no path comes there, but that is no proof, because of what was assumed:".to_owned());
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
        Kind::Volatile => {
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
