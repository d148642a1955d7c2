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
/// Functions of the C runtime with an answer of their own: that of a real system depends on its settings, its users, or what its streams
/// are connected to.
pub const MADE_UP: &[&str] = &[
    "alarm",
    "confstr",
    "fgetpos",
    "fpathconf",
    "fseek",
    "fseeko",
    "fsetpos",
    "ftell",
    "ftello",
    "get_nprocs",
    "get_nprocs_conf",
    "getauxval",
    "getdtablesize",
    "gethostname",
    "getitimer",
    "getloadavg",
    "getlogin",
    "getlogin_r",
    "getpagesize",
    "getpgid",
    "getpgrp",
    "getpriority",
    "getrlimit",
    "getrlimit64",
    "getrusage",
    "getsid",
    "getppid",
    "gnu_get_libc_version",
    "isatty",
    "lseek",
    "lseek64",
    "localeconv",
    "malloc_usable_size",
    "nice",
    "nl_langinfo",
    "pathconf",
    "poll",
    "popen",
    "ppoll",
    "pselect",
    "rewind",
    "select",
    "setitimer",
    "setpriority",
    "setrlimit",
    "sysconf",
    "system",
    "ttyname",
    "ttyname_r",
    "ualarm",
    "uname",
];
/// Functions that choose a locale: of all, the engine has one.
pub const CHOOSE_LOCALES: &[&str] = &["setlocale", "uselocale", "newlocale"];
/// Functions that begin a thread.
pub const START_THREADS: &[&str] = &[
    "pthread_create",
    "thrd_create",
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
];

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
