//! What functions of the library do outside of the program, themselves or by what they call: that may fail natively, and does not in the engine.

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::Image;
use symcrete_exec::external::Deed;
use symcrete_ir::{CallGraph, FuncId};

pub struct Failing<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    known: FxHashMap<FuncId, Vec<Deed>>,
}

/// Functions of the heap that do not fail.
const NEVER_FAIL: [&str; 3] = ["free", "cfree", "malloc_usable_size"];

impl<'a> Failing<'a> {
    pub fn new(image: &'a Image, graph: &'a CallGraph) -> Failing<'a> {
        Failing { image, graph, known: FxHashMap::default() }
    }

    /// What a function of the library does.
    pub fn deeds(&mut self, function: FuncId) -> &[Deed] {
        if !self.known.contains_key(&function) {
            let deeds = self.gather(function);
            self.known.insert(function, deeds);
        }
        &self.known[&function]
    }

    /// Whether a function was met that may fail.
    pub fn some_do(&self) -> bool {
        let fails = |deed: &Deed| matches!(deed, Deed::Allocates | Deed::AsksWorld | Deed::ChangesWorld | Deed::Prints);
        self.known.values().flatten().any(fails)
    }

    fn gather(&self, function: FuncId) -> Vec<Deed> {
        let functions = &self.image.program.functions;
        let mut deeds: Vec<Deed> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![function];
        while let Some(function) = pending.pop() {
            let data = &functions[function];
            if !seen.insert(function) || NEVER_FAIL.contains(&&*data.name) {
                continue;
            }
            match self.image.deed(function) {
                Some(deed) if !deeds.contains(&deed) => deeds.push(deed),
                Some(_) => {}
                // A function of the program that the library calls back speaks for itself.
                None if data.runtime => pending.extend(self.graph.callees(function)),
                None => {}
            }
        }
        deeds
    }
}
