//! Who may call a function: what a proof has to know of it. The calls of the program are in its graph, those through pointers too; the
//! world outside calls handlers of signals, what runs at the exit, and whatever functions of others are given.

use rustc_hash::FxHashSet;
use symcrete_exec::Image;
use symcrete_ir::{CallGraph, CallSite, FuncId, Type};

use super::Entry;

/// Functions of which the handlers may be called at any time.
const SIGNALS: [&str; 8] =
    ["signal", "sigaction", "bsd_signal", "sysv_signal", "sigset", "setitimer", "timer_create", "alarm"];

/// Whether all calls of these functions, and of those that call them, are in the program.
pub fn are_known(image: &Image, graph: &CallGraph, entry: &Entry, functions: &[FuncId]) -> bool {
    let program = &image.program;
    let jumps =
        program.functions.values().filter_map(|function| function.body.as_ref()).any(|body| body.calls_returns_twice);
    if jumps {
        return false;
    }
    let taken: FxHashSet<FuncId> = graph.address_taken().iter().copied().collect();
    let through_pointers: FxHashSet<FuncId> = graph.indirect_sites().map(|site| site.caller).collect();
    let is_closed = entry.is_beginning && is_closed(image, graph, entry);
    let mut pending = functions.to_vec();
    let mut seen: FxHashSet<FuncId> = pending.iter().copied().collect();
    while let Some(function) = pending.pop() {
        if program.destructors.contains(&function) || taken.contains(&function) && !is_closed {
            return false;
        }
        let direct = graph.callers(function);
        let others = through_pointers.iter().copied().filter(|_| taken.contains(&function));
        pending.extend(direct.into_iter().chain(others).filter(|caller| seen.insert(*caller)));
    }
    true
}

/// Whether nobody else calls functions of the program through pointers.
fn is_closed(image: &Image, graph: &CallGraph, entry: &Entry) -> bool {
    let program = &image.program;
    let outside = program.constructors.iter().chain(&program.destructors).chain(graph.address_taken());
    let roots: Vec<FuncId> = outside.copied().chain([entry.function, entry.start]).collect();
    graph.reachable_from(roots).iter().all(|id| {
        let function = &program.functions[id];
        let is_foreign = function.body.is_none() && !image.is_provided(id);
        let takes_pointers = function.variadic || function.params.iter().any(|param| param.ty == Type::POINTER);
        !(SIGNALS.contains(&&*function.name) || is_foreign && takes_pointers)
    })
}

/// The calls that may be of a function: those by its name, those through pointers of its type, and those of the program's own through
/// pointers of other types, which are wrong, and work.
pub fn sites(image: &Image, graph: &CallGraph, function: FuncId) -> Vec<CallSite> {
    let mut sites: Vec<CallSite> = graph.sites_of(function).collect();
    if graph.address_taken().contains(&function) {
        let known: FxHashSet<_> = sites.iter().map(|site| (site.caller, site.call)).collect();
        let is_own = |site: &CallSite| !image.program.functions[site.caller].runtime;
        let is_other = |site: &CallSite| !known.contains(&(site.caller, site.call));
        sites.extend(graph.indirect_sites().filter(|site| is_own(site) && is_other(site)));
    }
    sites
}
