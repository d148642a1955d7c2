//! Functions that are said to be pure, by the user or by the program: which they are, and what the flags around them
//! mean.

use symcrete_exec::opaque::domains::{self, NoDomain, Partitions};
use symcrete_exec::opaque::{self, Failure, declared};
use symcrete_ir::{FuncId, Program};

use crate::args::ExploreArgs;
use crate::args::explore::Calls;
use crate::error::Error;
use crate::suggest;

pub struct PureFunctions {
    pub functions: Vec<FuncId>,
    pub names: Vec<String>,
    /// What stands in the way of some.
    pub warnings: Vec<String>,
}

impl PureFunctions {
    pub fn new(program: &Program, args: &ExploreArgs) -> Result<PureFunctions, Error> {
        let mut wanted = declared::marked(program);
        for name in args.solver.pure.iter().filter(|name| !name.is_empty()) {
            wanted.push(find(program, name)?);
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut pure = PureFunctions { functions: Vec::new(), names: Vec::new(), warnings: Vec::new() };
        for function in wanted {
            let data = &program.functions[function];
            let name = data.source_name();
            let is_hidden = data.body.is_none() && !declared::is_provided(&data.name);
            if let Some(trouble) = declared::trouble(program, function) {
                let usual = match is_hidden {
                    true => "paths end where it is called; add the source or bitcode that defines it",
                    false => "it is executed as usual; give it and take from it numbers only, or leave it out",
                };
                pure.warnings.push(format!("`{name}` cannot be part of a path condition: {trouble}; {usual}"));
                continue;
            }
            if is_hidden && args.program.library.libraries.is_empty() {
                pure.warnings.push(format!(
                    "`{name}` is said to be pure but is defined nowhere; name its library with --library, or add the source \
                     that defines it"
                ));
            }
            pure.functions.push(function);
            pure.names.push(name.to_owned());
        }
        Ok(pure)
    }
}

/// A function by the name that its source or the linker gives it, with or without a body.
pub fn find(program: &Program, name: &str) -> Result<FuncId, Error> {
    let all = || program.functions.iter();
    let found = all().find(|(_, function)| function.name == name);
    let found = found.or_else(|| all().find(|(_, function)| function.source_name() == name));
    found.map(|(id, _)| id).ok_or_else(|| {
        let own = all().filter(|(_, function)| !function.runtime && !function.name.starts_with("llvm."));
        let mut known: Vec<&str> = own.map(|(_, function)| function.source_name()).collect();
        known.sort_unstable();
        known.truncate(20);
        let nearest = suggest::function(program, name);
        Error::UnknownFunction { name: name.to_owned(), known: known.join(", "), nearest }
    })
}

/// The parts of domains that the program and the user name.
pub fn partitions(program: &Program, args: &ExploreArgs) -> Result<Partitions, Error> {
    let mut declarations = domains::declared(program);
    if let Some(path) = &args.solver.partitions {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let wrong = |reason: String| {
            let form = "write FUNCTION = [\"arg1 > 3\", \"arg1 <= 3\"], a line for each function";
            Error::Usage(format!("{} divides no domains: {reason}; {form}", path.display()))
        };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        for (function, value) in table {
            let list: Vec<String> =
                value.try_into().map_err(|_| wrong(format!("`{function}` is not a list of texts")))?;
            declarations.extend(list.into_iter().map(|text| (function.clone(), text)));
        }
    }
    domains::partitions(program, &declarations).map_err(|wrong| match wrong {
        NoDomain::Partition { function, wrong } => Error::Usage(format!("`{function}`: {wrong}")),
        NoDomain::Unknown { function } => Error::UnknownName {
            sentence: format!("there is no function `{function}` whose domain could be divided"),
            nearest: suggest::function(program, &function),
        },
        NoDomain::NoNumbers { function } => {
            Error::Usage(format!("the domain of `{function}` cannot be divided: it takes something else than numbers"))
        }
    })
}

pub fn calls(calls: Calls) -> opaque::Calls {
    match calls {
        Calls::Symbolic => opaque::Calls::Symbolic,
        Calls::Concretise => opaque::Calls::Concretise,
        Calls::Dart => opaque::Calls::Dart,
    }
}

/// How a native run ends in which a function does not return, in the words of tests.
pub fn native_end(failure: &Failure) -> &'static str {
    match failure {
        Failure::Signal(6) => "abort",
        Failure::Signal(8) => "division-by-zero",
        Failure::Signal(4 | 5) => "trap",
        Failure::Signal(7 | 11) => "wild-pointer",
        Failure::TimedOut => "hang",
        _ => "crash",
    }
}
