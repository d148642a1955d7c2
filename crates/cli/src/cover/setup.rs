//! The program of `symcrete cover`: what every worker begins with, and what paths of it are in the words of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use symcrete_exec::external::environment::{Argument, Environment};
use symcrete_exec::external::lazy::Elements;
use symcrete_exec::inputs::InputKind;
use symcrete_exec::posix::{Posix, RealHost, View};
use symcrete_exec::start::{self, Entry};
use symcrete_exec::{Class, Config, Ended, Executor, Image, StackEntry, State};
use symcrete_explore::report::{GivenMemory, PathReport, Uninitialised};
use symcrete_explore::workers::Setup;
use symcrete_ir::{Block, CallGraph, Callee, FuncId, GlobalId, LocId, Operand, Program, Type};
use symcrete_sandbox::Policy;
use symcrete_testcase::{
    self as testcase, Build, Ends, EntryKind, Finding, Frame, Function, Pointer, Source, TestCase, Text,
};

use super::resume;
use super::typedefs::Typedefs;
use crate::args::ExploreArgs;
use crate::args::cover::ExploringArgs;
use crate::error::Error;
use crate::library::Libraries;
use crate::pure::{self, PureFunctions};
use crate::{compile, disagreements, native, numbers, program, report, suggest};

/// Where the arguments of a call were fixed: file, line, and the function that was called.
pub type ConcretisedCall = (String, u32, String);

/// Where paths ended at a limit of ours: file, line, function, and what it was.
pub type LimitPlace = (String, u32, String, String);

/// Functions that tell of the world: what they give in other runs is not explored.
const SURROUNDINGS: [&str; 24] = [
    "time",
    "clock",
    "clock_gettime",
    "gettimeofday",
    "localtime",
    "gmtime",
    "times",
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "gethostname",
    "getrandom",
    "getentropy",
    "getenv",
    "getcwd",
    "open",
    "fopen",
    "opendir",
    "stat",
    "access",
    "isatty",
];

/// Functions that change how floats are computed, or tell of it: rounding is to nearest in the engine, and exceptions are not recorded.
const FLOAT_ENVIRONMENT: [&str; 9] = [
    "fesetround",
    "fetestexcept",
    "feraiseexcept",
    "fesetexcept",
    "fegetexceptflag",
    "fesetexceptflag",
    "fesetenv",
    "feupdateenv",
    "feenableexcept",
];

/// Functions that read the standard input, whatever else.
const STANDARD_INPUT: [&str; 12] = [
    "read",
    "getchar",
    "getc",
    "fgetc",
    "gets",
    "fgets",
    "fread",
    "scanf",
    "fscanf",
    "getline",
    "getdelim",
    "getchar_unlocked",
];

pub struct CoverSetup {
    pub program: Program,
    entry: Entry,
    entry_name: String,
    start: FuncId,
    config: Config,
    seed: u64,
    files: Vec<String>,
    /// The directory in which the program believes to be; empty.
    folder: tempfile::TempDir,
    clang: PathBuf,
    sources: Vec<Source>,
    /// Limits that paths met: where and what, and how often.
    limits: Mutex<BTreeMap<LimitPlace, u64>>,
    concretised: Mutex<BTreeMap<ConcretisedCall, u64>>,
    /// Functions that paths assume to return.
    assumed: Mutex<BTreeSet<String>>,
    libraries: Option<Libraries>,
    /// What native runs are kept in, or why there are none.
    sandbox: Result<Policy, String>,
    /// The functions that are said to be pure.
    pub pure: Vec<String>,
    /// What is to be said before the search begins.
    pub warnings: Vec<String>,
    typedefs: Typedefs,
}

impl Setup for CoverSetup {
    fn make(&self) -> Result<(Executor, Vec<State>), String> {
        let image = Image::new(self.program.clone(), &self.config).map_err(|error| error.to_string())?;
        let nothing = || File::options().read(true).write(true).open("/dev/null").map_err(|error| error.to_string());
        let folder = self.folder.path().as_os_str().as_bytes().to_vec();
        let host = RealHost::new(nothing()?, nothing()?, nothing()?, folder).with_view(View::of_test(home()));
        let mut executor = Executor::new(image, self.config.clone(), Box::new(host));
        let posix = Posix::new(&mut *executor.host, self.seed);
        let state = State::new(&executor.image, posix, self.start, Vec::new());
        Ok((executor, vec![state]))
    }
}

impl CoverSetup {
    pub fn new(args: &ExploreArgs) -> Result<CoverSetup, Error> {
        let program = program::load(&args.files, &args.program.compiler)?;
        CoverSetup::of_program(program, args, |_| ())
    }

    /// Of a program that was read; `prepare` may still change it, when its variables are in registers.
    pub fn of_program(
        mut program: Program,
        args: &ExploreArgs,
        prepare: impl FnOnce(&mut Program),
    ) -> Result<CoverSetup, Error> {
        let entry = program::entry(&program, args.inputs.entry.as_deref())?;
        let start = start::add_symbolic_start(&mut program, entry);
        symcrete_ir::promote::promote(&mut program);
        prepare(&mut program);
        let clang = compile::find_clang(&args.program.compiler.clang)?;
        let libraries = Libraries::build(&args.program.library, &clang)?;
        let sandbox = match args.output.no_replay && libraries.is_none() {
            true => Err("nothing is run natively (--no-replay)".to_owned()),
            false => args.program.sandbox.policy(),
        };
        let pure = PureFunctions::new(&program, args)?;
        let config = Config {
            partitions: pure::partitions(&program, args)?,
            pure: pure.functions,
            calls: pure::calls(args.research.calls),
            native: libraries
                .as_ref()
                .map(|libraries| libraries.helper(args.program.calls.call_time, &sandbox))
                .transpose()?,
            signed_overflow: args.program.checks.overflow,
            leaks: args.program.checks.leaks,
            environment: environment(args)?,
            fuzzer_bytes: args.inputs.max_len,
            elements: elements(args),
            globals: globals(&program, args)?,
            // What replay is given as well.
            allocation_limit: 7 << 29,
            larger_allocations_fail: false,
            ..Config::default()
        };
        // Found out now rather than in every worker.
        let image = Image::new(program, &config)?;
        let program = image.program;
        let folder = tempfile::Builder::new().prefix("symcrete-").tempdir();
        let folder = folder.map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        Ok(CoverSetup {
            entry,
            entry_name: program::entry_name(&program, entry.function()),
            start,
            config,
            seed: args.search.seed,
            files: args.files.iter().map(|path| path.display().to_string()).collect(),
            folder,
            clang,
            sources: compile::sources(&args.files, &args.program.compiler)?,
            limits: Mutex::default(),
            concretised: Mutex::default(),
            assumed: Mutex::default(),
            libraries,
            sandbox,
            pure: pure.names,
            warnings: pure.warnings.into_iter().chain(disagreements::warnings(&program)).collect(),
            typedefs: Typedefs::new(&program.debug),
            program,
        })
    }

    /// Which calls lazy expansion passes over. A name may be that of several functions.
    pub fn lazy(&self, args: &ExploringArgs, every_path: bool) -> Result<symcrete_explore::lazy::Config, Error> {
        let named = |name: &String| -> Result<Vec<FuncId>, Error> {
            let first = pure::find(&self.program, name)?;
            let functions = self.program.functions.iter();
            let same = functions.filter(|(id, function)| *id == first || function.source_name() == name);
            Ok(same.map(|(id, _)| id).collect())
        };
        let all = |names: &[String]| -> Result<Vec<FuncId>, Error> {
            let found: Result<Vec<Vec<FuncId>>, Error> = names.iter().map(named).collect();
            Ok(found?.concat())
        };
        let (only, never) = (all(&args.abstracted)?, all(&args.no_abstract)?);
        let entry = self.entry.function();
        for (flag, functions) in [("--abstract", &only), ("--no-abstract", &never)] {
            if functions.contains(&entry) {
                let name = self.program.functions[entry].source_name();
                return Err(Error::Usage(format!(
                    "`{name}` is the entry, which is under test in any case; {flag} is for functions that it calls"
                )));
            }
        }
        Ok(symcrete_explore::lazy::Config {
            entry: Some(entry),
            only: (!args.abstracted.is_empty()).then_some(only),
            never,
            is_whole: matches!(self.entry, Entry::Main(_)),
            deeper: !args.no_deeper,
            every_path,
            seed: self.seed,
        })
    }

    /// Where paths begin, for who goes there backward.
    pub fn beginning(&self) -> symcrete_explore::backward::Entry {
        let is_beginning = matches!(self.entry, Entry::Main(_));
        symcrete_explore::backward::Entry { function: self.entry.function(), start: self.start, is_beginning }
    }

    /// What is taken for granted of the program's surroundings: inputs of a kind that are not made symbolic.
    pub fn assumptions(&self) -> Vec<String> {
        let mut assumptions = Vec::new();
        let function = &self.program.functions[self.entry.function()];
        let takes_pointers = function.params.iter().any(|param| param.ty == Type::POINTER);
        let mut globals = self.config.globals.iter().map(|global| &self.program.globals[*global].debug);
        let has_pointers = globals.any(|global| {
            global.as_ref().and_then(|known| known.ty).is_none_or(|ty| self.program.debug.has_pointers(ty))
        });
        if matches!(self.entry, Entry::Function(_)) && (takes_pointers || has_pointers) {
            assumptions.push(format!(
                "assumed: each pointer that `{}` is given is null, aliases another, or points to a few elements of its own (--elements)",
                self.entry_name
            ));
        }
        let environment = &self.config.environment;
        let is_symbolic = |argument: &Argument| matches!(argument, Argument::Symbolic { .. });
        if self.reads_arguments() && !environment.arguments.iter().any(is_symbolic) {
            assumptions
                .push("assumed: the program is given no other arguments (--sym-args makes them inputs)".to_owned());
        }
        let called = self.own_calls();
        if environment.standard_input.is_none() && STANDARD_INPUT.iter().any(|name| called.contains(name)) {
            assumptions.push("assumed: the standard input is empty (--sym-stdin makes it an input)".to_owned());
        }
        for name in called.into_iter().filter(|name| SURROUNDINGS.contains(name)) {
            assumptions.push(format!("assumed: `{name}` returns what it returns here"));
        }
        assumptions.extend(self.float_environment());
        assumptions
    }

    /// What is not so in the engine as it is natively, if the program looks at how floats are computed.
    pub fn float_environment(&self) -> Option<String> {
        let called = self.own_calls();
        let names: Vec<String> =
            FLOAT_ENVIRONMENT.iter().filter(|name| called.contains(**name)).map(|name| format!("`{name}`")).collect();
        let says = if names.len() == 1 { "says" } else { "say" };
        (!names.is_empty()).then(|| {
            format!(
                "floats were rounded to nearest, and their exceptions not recorded, whatever {} {says}",
                names.join(" and ")
            )
        })
    }

    /// Whether a function is called alone in a program that has variables which are no inputs.
    pub fn keeps_variables(&self) -> bool {
        let is_kept = |(id, global): (GlobalId, &symcrete_ir::Global)| {
            !global.runtime && !global.read_only && global.debug.is_some() && !self.config.globals.contains(&id)
        };
        matches!(self.entry, Entry::Function(_)) && self.program.globals.iter().any(is_kept)
    }

    /// Whether a whole program looks at its arguments.
    fn reads_arguments(&self) -> bool {
        let Entry::Main(main) = self.entry else { return false };
        let Some(body) = &self.program.functions[main].body else { return false };
        let params = &body.blocks[Block::ENTRY].params;
        let mut reads = false;
        let mut look = |operand: Operand| reads |= operand.as_reg().is_some_and(|register| params.contains(&register));
        for block in body.blocks.values() {
            block.insts.iter().for_each(|inst| body.visit_operands(inst, &mut look));
            body.visit_terminator_operands(&block.terminator, &mut look);
        }
        body.edges.values().flat_map(|edge| &edge.args).for_each(|argument| look(*argument));
        reads
    }

    /// The names of functions that the program's own code calls from the entry on, each once.
    fn own_calls(&self) -> BTreeSet<&str> {
        let reachable = CallGraph::new(&self.program).reachable_from([self.entry.function()]);
        let own = self.program.functions.iter().filter(|(id, function)| !function.runtime && reachable.contains(*id));
        let calls = own.filter_map(|(_, function)| function.body.as_ref()).flat_map(|body| body.calls.values());
        let called = calls.filter_map(|call| match call.callee {
            Callee::Direct(function) => Some(&*self.program.functions[function].name),
            _ => None,
        });
        called.collect()
    }

    /// Where execution begins.
    pub fn roots(&self) -> [FuncId; 2] {
        [self.start, self.entry.function()]
    }

    pub fn entry_name(&self) -> &str {
        &self.entry_name
    }

    /// How the program is built for replay.
    pub fn build(&self) -> Build {
        let entry = match self.entry {
            Entry::Main(_) => testcase::Entry::Program,
            Entry::Fuzzer(_) => testcase::Entry::Fuzzer,
            Entry::Function(function) => testcase::Entry::Functions {
                functions: vec![Function {
                    name: self.entry_name.clone(),
                    ..native::function(&self.program, function)
                }],
                globals: native::globals(&self.program, &self.config.globals),
            },
        };
        let mut build = native::build(&self.clang, &self.sources, entry, self.sandbox.clone());
        native::link_with(&mut build, self.libraries.as_ref());
        build
    }

    /// The test of a path.
    pub fn test(&self, report: &PathReport) -> TestCase {
        let mut test = match self.entry {
            Entry::Main(_) => TestCase::of_program(),
            Entry::Function(_) => TestCase::of_function(&self.entry_name),
            Entry::Fuzzer(_) => TestCase::of_fuzzer(&[]),
        };
        test.program = self.files.clone();
        test.inputs.clear();
        self.add_arguments(&mut test, report);
        for parameter in &report.parameters {
            let input = self.input(&parameter.name, &parameter.ty, parameter.bytes.clone());
            let mut input = if parameter.global { input.global() } else { input.parameter() };
            input.pointers = pointers(parameter, &report.objects);
            test.inputs.push(input);
        }
        for object in &report.objects {
            let mut made = testcase::Object::new(&object.name, &object.ty, object.bytes.clone());
            made.pointers = pointers(object, &report.objects);
            made.value = self.value(&object.ty, &object.bytes);
            test.objects.push(made);
        }
        for input in &report.inputs {
            let text = || Text(input.bytes.clone());
            match input.kind {
                InputKind::Object | InputKind::Result => {
                    let ty = input.ty.clone().unwrap_or_else(|| untyped(input.bytes.len()));
                    test.inputs.push(self.input(&input.name, &ty, input.bytes.clone()));
                }
                InputKind::StandardInput => test.stdin = Some(text()),
                InputKind::File => test.files.push(testcase::File { name: input.name.clone(), bytes: text() }),
                InputKind::Argument
                | InputKind::Parameter
                | InputKind::Pointee
                | InputKind::Length
                | InputKind::Machine => {}
            }
        }
        if let Entry::Fuzzer(_) = self.entry {
            shorten(&mut test, report);
        }
        test.decisions = testcase::bytes::to_hex(&report.decisions);
        test.answers.clone_from(&report.answers);
        test.only_in_sandbox = self.why_only_in_sandbox(report);
        if !test.answers.is_empty() {
            let reason = "the program asks what only the engine knows (`klee_is_symbolic`, `klee_get_obj_size`), which replay tells it; not written as C or Rust";
            test.only_in_sandbox.get_or_insert_with(|| reason.to_owned());
        }
        test.ends = self.ends(report);
        test
    }

    /// Why a test must not be written as C or Rust, which run wherever somebody starts them: programs in a new directory, functions in any.
    fn why_only_in_sandbox(&self, report: &PathReport) -> Option<String> {
        let is_program = matches!(self.entry, Entry::Main(_));
        let (call, path) = if is_program { report.changes_outside.as_ref() } else { report.changes_files.as_ref() }?;
        let does = match path.as_slice() {
            [] => format!("{call}, which reaches other processes"),
            path if is_program => {
                format!("{call} on {}, outside of its working directory", String::from_utf8_lossy(path))
            }
            path => format!("{call} on {}", String::from_utf8_lossy(path)),
        };
        Some(format!("on its path the program calls {does}; not written as C or Rust"))
    }

    /// An input, shown by what its type stands for.
    fn input(&self, name: &str, ty: &str, bytes: Vec<u8>) -> testcase::Input {
        let value = self.value(ty, &bytes);
        testcase::Input { value, ..testcase::Input::new(name, ty, bytes) }
    }

    fn value(&self, ty: &str, bytes: &[u8]) -> String {
        testcase::value::of_bytes(&self.typedefs.resolved(ty), bytes)
    }

    /// The arguments in their order: fixed ones, and symbolic ones as long as they are strings.
    fn add_arguments(&self, test: &mut TestCase, report: &PathReport) {
        let mut given = report.inputs.iter().filter(|input| input.kind == InputKind::Argument).peekable();
        let mut counts = report.inputs.iter().filter(|input| input.kind == InputKind::Length);
        let mut total = 1;
        for argument in &self.config.environment.arguments {
            match argument {
                Argument::Fixed(text) => {
                    total += 1;
                    test.arguments.push(Text(text.clone()));
                }
                Argument::Symbolic { least, most, .. } => {
                    let count = match least == most {
                        true => *least,
                        false => counts.next().map_or(*least, |count| {
                            let bits = u32::from_le_bytes(count.bytes[..4].try_into().unwrap_or_default());
                            if (*least..=*most).contains(&bits) { bits } else { least + bits % (most - least + 1) }
                        }),
                    };
                    for _ in 0..count {
                        let name = format!("arg{total}");
                        total += 1;
                        let Some(input) = given.next_if(|input| input.name == name) else { return };
                        let text: Vec<u8> = input.bytes.iter().copied().take_while(|byte| *byte != 0).collect();
                        test.arguments.push(Text(text));
                    }
                }
            }
        }
        test.kind = match self.entry {
            Entry::Main(_) => EntryKind::Program,
            Entry::Function(_) => EntryKind::Function,
            Entry::Fuzzer(_) => EntryKind::Fuzzer,
        };
    }

    fn ends(&self, report: &PathReport) -> Ends {
        let place = self.place(&report.stack);
        let ends = match &report.ended {
            Ended::Exited(0) if !matches!(self.entry, Entry::Main(_)) => return Ends::of("return"),
            Ended::Exited(status) => return Ends::exit(*status & 0xFF),
            Ended::Killed(signal) => return Ends::killed(*signal),
            Ended::Reported { kind, .. } if kind == "reach-error" => Ends::of("error-reached"),
            Ended::Reported { message, .. } => Ends { message: Some(message.clone()), ..Ends::of("reported") },
            Ended::AssertionFailed { expression, .. } => {
                Ends { message: Some(expression.clone()), ..Ends::of(report.ended.name()) }
            }
            Ended::CallFailed { failure, .. } => {
                Ends { message: Some(report::headline(&report.ended)), ..Ends::of(pure::native_end(failure)) }
            }
            other if other.class() == Class::Limit => Ends::of("unfinished"),
            other => Ends::of(other.name()),
        };
        match place {
            Some((file, line, _)) if line != 0 => ends.at(&file, line),
            _ => ends,
        }
    }

    pub fn finding(&self, report: &PathReport) -> Finding {
        let (file, line, column) = self.place(&report.stack).unwrap_or_default();
        let own = report.stack.iter().filter(|entry| !entry.runtime);
        let frame = |entry: &StackEntry| {
            let (file, line, column) = self.loc(entry.loc);
            Frame { function: entry.function.clone(), file, line, column }
        };
        Finding {
            kind: report.ended.name().to_owned(),
            message: report::headline(&report.ended),
            file,
            line,
            column,
            stack: shortened(own.map(frame).collect()),
            inside: report::inside(&report.stack).map(str::to_owned),
            details: match &report.ended {
                Ended::Memory(fault) => report::allocation(&self.program, fault, &report.provenance),
                _ => Vec::new(),
            },
            test: None,
        }
    }

    /// The innermost place in the program's own text.
    fn place(&self, stack: &[StackEntry]) -> Option<(String, u32, u32)> {
        self.blamed(stack).map(|entry| self.loc(entry.loc))
    }

    /// What a finding is about: the innermost function of the program or, where that panicked, the innermost that is not Rust's own.
    fn blamed<'a>(&self, stack: &'a [StackEntry]) -> Option<&'a StackEntry> {
        let own = || stack.iter().filter(|entry| !entry.runtime);
        let Some(panic) = stack.iter().rposition(|entry| entry.panics) else {
            return match own().next() {
                Some(first) if self.is_of_rust(first) => own().find(|entry| !self.is_of_rust(entry)).or(Some(first)),
                first => first,
            };
        };
        let outside = stack[panic + 1..].iter().filter(|entry| !entry.runtime);
        outside.clone().find(|entry| !self.is_of_rust(entry)).or(outside.clone().next()).or(own().next())
    }

    /// Whether the text is that of Rust's library.
    fn is_of_rust(&self, entry: &StackEntry) -> bool {
        let file = &self.program.debug.files[self.program.debug.locs[entry.loc].file];
        [&file.name, &file.directory].iter().any(|path| path.contains("/rustc/") || path.contains("/rustlib/src/"))
    }

    pub fn loc(&self, loc: LocId) -> (String, u32, u32) {
        let loc = &self.program.debug.locs[loc];
        (self.program.debug.files[loc.file].name.clone(), loc.line, loc.column)
    }

    /// Counts a path that ended at a limit of ours.
    pub fn note_limit(&self, report: &PathReport) {
        let (file, line, _) = self.place(&report.stack).unwrap_or_default();
        let function = report.stack.iter().find(|entry| !entry.runtime).map(|entry| entry.function.clone());
        let key = (file, line, function.unwrap_or_default(), report::headline(&report.ended));
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
    }

    pub fn limits(&self) -> BTreeMap<LimitPlace, u64> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn note_assumed(&self, function: String) {
        self.assumed.lock().unwrap_or_else(PoisonError::into_inner).insert(function);
    }

    pub fn assumed(&self) -> BTreeSet<String> {
        self.assumed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a call whose arguments were fixed.
    pub fn note_concretised(&self, function: &str, loc: LocId) {
        let (file, line, _) = self.loc(loc);
        let mut concretised = self.concretised.lock().unwrap_or_else(PoisonError::into_inner);
        *concretised.entry((file, line, function.to_owned())).or_default() += 1;
    }

    pub fn concretised(&self) -> BTreeMap<ConcretisedCall, u64> {
        self.concretised.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Those of an earlier run.
    pub fn add_concretised(&self, earlier: &[(ConcretisedCall, u64)]) {
        let mut concretised = self.concretised.lock().unwrap_or_else(PoisonError::into_inner);
        for (call, count) in earlier {
            *concretised.entry(call.clone()).or_default() += count;
        }
    }

    pub fn how_to_give_inputs(&self) -> &'static str {
        match self.entry {
            Entry::Main(_) => {
                "mark some in it with symcrete_make_symbolic (#include <symcrete.h>), make its arguments or files inputs with --sym-args, \
                 --sym-stdin or --sym-files, or call one of its functions with --entry"
            }
            _ => "the function has no parameters; --globals makes variables of the program inputs",
        }
    }

    /// Those of an earlier run.
    pub fn add_limits(&self, earlier: &[(LimitPlace, u64)]) {
        let mut limits = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, count) in earlier {
            *limits.entry(place.clone()).or_default() += count;
        }
    }

    /// Of the program and of all that decides what its paths are.
    pub fn fingerprint(&self) -> u64 {
        let Config { signed_overflow, leaks, environment, fuzzer_bytes, elements, globals, .. } = &self.config;
        let Config { pure, calls, .. } = &self.config;
        let libraries = self.libraries.as_ref().map(Libraries::fingerprint);
        let flags = (self.entry, signed_overflow, leaks, environment, fuzzer_bytes, elements, globals, self.seed);
        resume::fingerprint(&self.program, &format!("{flags:?} {pure:?} {calls:?} {libraries:?}"))
    }

    /// A value that is computed with.
    pub fn value_at(&self, usage: &Uninitialised) -> String {
        let (file, line, _) = self.place(&usage.stack).unwrap_or_default();
        format!("{file}:{line}: a value is computed")
    }

    pub fn uninitialised(&self, usage: &Uninitialised) -> String {
        use symcrete_exec::diagnose::Origin;
        let (file, line, _) = self.place(&usage.stack).unwrap_or_default();
        let what = match &usage.origin {
            Some(Origin::Variable(name)) => format!(": `{name}`"),
            _ => String::new(),
        };
        format!("{file}:{line}: an uninitialised value is used{what}")
    }
}

/// A stack that a person can read: of a deep recursion the two ends.
fn shortened(mut frames: Vec<Frame>) -> Vec<Frame> {
    const INNER: usize = 11;
    const OUTER: usize = 4;
    if frames.len() > INNER + OUTER + 1 {
        let left_out = frames.len() - INNER - OUTER;
        let function = format!("({left_out} more calls)");
        let note = Frame { function, file: String::new(), line: 0, column: 0 };
        frames.splice(INNER..INNER + left_out, [note]);
    }
    frames
}

/// A fuzz target is given as many bytes as the path says.
fn shorten(test: &mut TestCase, report: &PathReport) {
    let size = report.inputs.iter().find(|input| input.kind == InputKind::Length);
    let size = size.map_or(0, |size| size.bytes.iter().rev().fold(0usize, |sum, byte| sum << 8 | usize::from(*byte)));
    for input in &mut test.inputs {
        if let Some(bytes) = &input.bytes
            && size < bytes.len()
        {
            *input = testcase::Input::new(&input.name, &format!("unsigned char[{size}]"), bytes[..size].to_vec());
        }
    }
}

/// Where the pointers in a piece of memory point.
fn pointers(memory: &GivenMemory, objects: &[GivenMemory]) -> Vec<Pointer> {
    let mut list = Vec::new();
    for at in &memory.pointers {
        let start = *at as usize;
        let Some(bytes) = memory.bytes.get(start..start + 8).or_else(|| memory.bytes.get(start..start + 4)) else {
            continue;
        };
        let address = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let inside =
            |object: &GivenMemory| (object.address..=object.address + object.bytes.len() as u64).contains(&address);
        let object = objects.iter().position(inside).filter(|_| address != 0);
        let offset = object.map_or(0, |object| (address - objects[object].address) as i64);
        list.push(Pointer { at: u64::from(*at), object, offset });
    }
    list
}

/// A type for bytes of which only the number is known.
fn untyped(bytes: usize) -> String {
    match bytes {
        1 => "unsigned char".to_owned(),
        2 => "short".to_owned(),
        4 => "int".to_owned(),
        8 => "long".to_owned(),
        _ => format!("unsigned char[{bytes}]"),
    }
}

fn elements(args: &ExploreArgs) -> Elements {
    let usual = Elements::default();
    match args.inputs.elements {
        Some(count) => Elements { characters: count, scalars: count, structures: count },
        None => usual,
    }
}

/// The variables that the user wants as inputs.
fn globals(program: &Program, args: &ExploreArgs) -> Result<Vec<GlobalId>, Error> {
    if args.inputs.entry.is_none() && !args.inputs.globals.is_empty() {
        return Err(Error::Usage(
            "--globals goes with --entry: a whole program begins with the values that it says".to_owned(),
        ));
    }
    let mut own: Vec<(GlobalId, &str)> = Vec::new();
    for (id, global) in program.globals.iter().filter(|(_, global)| !global.runtime && !global.read_only) {
        if let (Some(debug), Some(_), false) = (&global.debug, &global.initialiser, global.thread_local) {
            own.push((id, &debug.name));
        }
    }
    if args.inputs.globals.iter().any(|name| name == "all") {
        return Ok(own.into_iter().map(|(id, _)| id).collect());
    }
    let mut chosen = Vec::new();
    for name in &args.inputs.globals {
        match own.iter().find(|(_, known)| known == name) {
            Some((id, _)) => chosen.push(*id),
            None => {
                let known: Vec<&str> = own.iter().map(|(_, name)| *name).take(20).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let sentence = format!("the program has no variable `{name}` that may change; it has: {known}");
                let nearest = suggest::nearest(name, own.iter().map(|(_, name)| *name)).map(str::to_owned);
                return Err(Error::UnknownName { sentence, nearest });
            }
        }
    }
    Ok(chosen)
}

fn environment(args: &ExploreArgs) -> Result<Environment, Error> {
    let mut arguments: Vec<Argument> = Vec::new();
    for triple in args.inputs.sym_args.chunks(3) {
        arguments.push(symbolic(triple[0], triple[1], triple[2])?);
    }
    let mut words = args.arguments.iter();
    while let Some(word) = words.next() {
        let mut number = |flag: &str| -> Result<u32, Error> {
            let Some(word) = words.next().and_then(|word: &OsString| word.to_str()) else {
                return Err(Error::Usage(format!("{flag} wants numbers behind it")));
            };
            numbers::size(word).map_err(|reason| Error::Usage(format!("{flag} {word}: {reason}")))
        };
        match word.to_str() {
            Some("--sym-args" | "-sym-args") => {
                let (least, most, bytes) = (number("--sym-args")?, number("--sym-args")?, number("--sym-args")?);
                arguments.push(symbolic(least, most, bytes)?);
            }
            Some("--sym-arg" | "-sym-arg") => arguments.push(symbolic(1, 1, number("--sym-arg")?)?),
            _ => arguments.push(Argument::Fixed(word.clone().into_vec())),
        }
    }
    let files = args.inputs.sym_files.clone().unwrap_or_default();
    Ok(Environment {
        name: b"program".to_vec(),
        arguments,
        variables: variables(),
        standard_input: args.inputs.sym_stdin,
        files: files.first().copied().unwrap_or(0),
        file_bytes: files.get(1).copied().unwrap_or(0),
    })
}

/// The user's home, which no test sees.
fn home() -> Option<Vec<u8>> {
    std::env::var_os("HOME").map(OsString::into_vec)
}

/// The environment variables that replay gives, too.
fn variables() -> Vec<Vec<u8>> {
    let given = testcase::replay::environment::VARIABLES.iter();
    given.map(|(name, value)| format!("{name}={value}").into_bytes()).collect()
}

fn symbolic(least: u32, most: u32, bytes: u32) -> Result<Argument, Error> {
    if least > most {
        return Err(Error::Usage(format!(
            "--sym-args {least} {most} {bytes}: the least number of arguments is the larger one"
        )));
    }
    Ok(Argument::Symbolic { least, most, bytes })
}
