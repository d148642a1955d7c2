//! Endings and errors in words, on standard error. The one place that turns what happened into text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io::Write as _};

use symcrete_exec::diagnose::{Origin, local_variable};
use symcrete_exec::opaque::Failure;
use symcrete_exec::{Class, Ended, Executor, StackEntry, State};
use symcrete_explore::concrete::{UninitialisedUse, UsedFor};
use symcrete_explore::report::{Provenance, provenance, stack_of};
use symcrete_ir::{LocId, Program};
use symcrete_memory::{Access, AllocationInfo, Fault, FaultKind, Kind};

use crate::error::Error;

/// Source lines, read when a report wants to show them.
#[derive(Default)]
pub struct Sources(RefCell<HashMap<PathBuf, Option<Vec<String>>>>);

impl Sources {
    /// Adds a line of a file, if the file is there, as compilers show it.
    pub fn show(&self, text: &mut String, path: &Path, number: u32) {
        if let Some(line) = self.line(path.to_owned(), number) {
            let _ = writeln!(text, "    {number:>5} | {}", line.replace('\t', "    "));
        }
    }

    fn line(&self, path: PathBuf, line: u32) -> Option<String> {
        let mut files = self.0.borrow_mut();
        let lines = files.entry(path).or_insert_with_key(|path| {
            fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
        });
        lines.as_ref()?.get(line.checked_sub(1)? as usize).cloned()
    }
}

fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What is worth knowing before anything else is said.
pub fn note(text: &str) {
    say(&format!("symcrete: note: {text}\n"));
}

pub fn error(error: &Error) {
    let output = error.output().unwrap_or("");
    let hint = error.hint().map(|hint| format!("  hint: {hint}\n")).unwrap_or_default();
    say(&format!("{output}symcrete: {error}\n{hint}"));
}

pub fn warning(warning: &str) {
    say(&format!("warning: {warning}\n"));
}

pub fn statistics(state: &State, loading: Duration, running: Duration) {
    let seconds = running.as_secs_f64();
    let rate = state.steps as f64 / seconds.max(1e-9) / 1e6;
    say(&format!(
        "symcrete: loaded in {:.3} s; {} instructions in {seconds:.3} s ({rate:.1} million a second)\n",
        loading.as_secs_f64(),
        state.steps
    ));
}

pub fn out_of_time(executor: &Executor, state: &State, sources: &Sources) {
    let mut text = String::from("symcrete: stopped: the time is up\n");
    stack(&mut text, &executor.image.program, &state.stack(&executor.image), sources);
    say(&text);
}

/// The program used what was never written. The run went on.
pub fn uninitialised(executor: &Executor, usage: &UninitialisedUse, sources: &Sources) {
    let what = match usage.used_for {
        UsedFor::Branch => "a branch depends on an uninitialised value",
        UsedFor::Address => "an uninitialised value is used as an address, size or argument",
    };
    let mut text = format!("warning: {what}");
    match &usage.origin {
        Some(Origin::Variable(name)) => {
            let _ = write!(text, ": `{name}`");
        }
        Some(Origin::Memory(info)) => {
            let program = &executor.image.program;
            let _ = write!(text, " from {}", described(program, info));
            if info.kind == Kind::Heap {
                let _ = write!(text, ", allocated{}", heap_site(program, &stack_of(executor, info.allocated_at)));
            }
        }
        None => {}
    }
    text.push('\n');
    stack(&mut text, &executor.image.program, &usage.stack, sources);
    say(&text);
}

/// A path that did not come to its own end.
pub fn ended(executor: &Executor, state: &State, ended: &Ended, sources: &Sources) {
    let mut text = String::new();
    let program = &executor.image.program;
    let prefix = if ended.class() == Class::Finding { "error" } else { "symcrete" };
    let _ = writeln!(text, "{prefix}: {}", headline(ended));
    if !matches!(ended, Ended::Leaked { .. }) {
        stack(&mut text, program, &state.stack(&executor.image), sources);
    }
    if let Ended::Memory(fault) = ended {
        for line in allocation(program, fault, &provenance(executor, ended)) {
            let _ = writeln!(text, "  {line}");
        }
    }
    if let Ended::Leaked { .. } = ended {
        for info in executor.leaked(state).iter().take(10) {
            let site = heap_site(program, &stack_of(executor, info.allocated_at));
            let _ = writeln!(text, "  {} bytes, allocated{site}", info.size);
        }
    }
    say(&text);
}

/// Of a path whose inputs were run too long.
pub fn not_confirmed(ended: &Ended) -> String {
    let end = headline(ended);
    format!(
        "a path ends so: \"{end}\"; the engine gave up the run of its inputs that would confirm it, which takes too long"
    )
}

pub fn headline(ended: &Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("the program exited with status {status}"),
        Ended::Killed(signal) => format!("the program was killed by signal {signal}, which it sent to itself"),
        Ended::ExitedWith(_) => "the program exited".to_owned(),
        Ended::Aborted => "the program aborted".to_owned(),
        Ended::AssertionFailed { expression, function } => format!("assertion `{expression}` failed in `{function}`"),
        Ended::Memory(fault) => fault_headline(fault),
        Ended::Leaked { allocations, bytes, .. } => {
            format!("memory leak: {bytes} bytes in {allocations} allocation{} were never freed", plural(*allocations))
        }
        Ended::DivisionByZero => "division by zero".to_owned(),
        Ended::DivisionOverflow => "division overflow: the quotient does not fit its type".to_owned(),
        Ended::SignedOverflow => "signed integer overflow".to_owned(),
        Ended::Undefined(undefined) => undefined.words(),
        Ended::Unreachable => "code that was declared unreachable is reached (is a return missing?)".to_owned(),
        Ended::Trap => "the program executed a trap".to_owned(),
        Ended::StackOverflow => "stack overflow: the calls are nested too deeply".to_owned(),
        Ended::BadFunctionPointer(address) => format!("call through a bad function pointer, {address:#x}"),
        Ended::UncaughtException(name) if name.is_empty() => "uncaught exception".to_owned(),
        Ended::UncaughtException(name) => format!("uncaught exception of type `{name}`"),
        Ended::Panicked => "the program panicked".to_owned(),
        Ended::BadJump => "longjmp to a place that is no longer there".to_owned(),
        Ended::Discarded => "an assumption of the program does not hold".to_owned(),
        Ended::Reported { message, .. } => message.clone(),
        Ended::OutOfMemory { bytes } => format!("out of memory: {bytes} bytes more do not fit the address space"),
        Ended::UndefinedFunction(name) => {
            format!(
                "`{name}` is called but defined nowhere; add the source or bitcode that defines it, or name its library with \
                 --library (and the function with --pure if it is a pure function of its arguments)"
            )
        }
        Ended::NotCallable { function, why } => {
            format!("`{function}` cannot be called natively: {why}; add the source or bitcode that defines it")
        }
        Ended::CallFailed { function, failure: Failure::TimedOut, within } => {
            format!("`{function}` did not return within {} s", within.as_secs_f64())
        }
        Ended::CallFailed { function, failure: Failure::Signal(signal), .. } => {
            format!("`{function}` crashed with {}", signal_name(*signal))
        }
        Ended::CallFailed { function, .. } => {
            format!("`{function}` did not return")
        }
        Ended::Unsupported(what) => format!("{what} is not supported yet"),
        Ended::GivenUp(why) => why.clone(),
    }
}

fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 9] = [
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
    ];
    let known = NAMES.iter().find(|(number, _)| *number == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn fault_headline(fault: &Fault) -> String {
    let kind = fault.allocation.as_ref().map(|(info, _)| info.kind);
    let place = match kind {
        Some(Kind::Heap) => "heap ",
        Some(Kind::Stack) => "stack ",
        Some(Kind::Global | Kind::Thread) => "global ",
        Some(Kind::Environment) => "environment ",
        None => "",
    };
    let access = match fault.access {
        Access::Read => format!("read of {} byte{}", fault.size, plural(fault.size as usize)),
        Access::Write => format!("write of {} byte{}", fault.size, plural(fault.size as usize)),
        Access::Free => "free".to_owned(),
        Access::Reallocate => "realloc".to_owned(),
    };
    let at = fault.address;
    match &fault.kind {
        FaultKind::NullDereference => format!("null pointer dereference: {access} at {at:#x}"),
        FaultKind::OutOfBounds => format!("{place}buffer overflow: {access} at {at:#x}"),
        FaultKind::UseAfterFree => format!("use after free: {access} at {at:#x}"),
        FaultKind::UseAfterReturn => format!("stack use after return: {access} at {at:#x}"),
        FaultKind::WriteToReadOnly => format!("write to read-only memory: {access} at {at:#x}"),
        FaultKind::DoubleFree => format!("double free of {at:#x}"),
        FaultKind::InvalidFree { reason } => format!("invalid free of {at:#x}: {reason}"),
        FaultKind::ReallocMisuse { reason } => format!("invalid realloc of {at:#x}: {reason}"),
        FaultKind::Wild => format!("wild pointer: {access} at {at:#x}, where there is no memory"),
    }
}

/// Which memory a faulty address belongs to, and where that came from.
pub fn allocation(program: &Program, fault: &Fault, provenance: &Provenance) -> Vec<String> {
    let Some((info, offset)) = &fault.allocation else { return Vec::new() };
    let position = if *offset < 0 {
        format!("{} byte{} before", -offset, plural(-offset as usize))
    } else if *offset as u64 >= info.size {
        let past = *offset as u64 - info.size;
        if past == 0 {
            "at the end of".to_owned()
        } else {
            format!("{past} byte{} past the end of", plural(past as usize))
        }
    } else if *offset == 0 {
        "at the start of".to_owned()
    } else {
        format!("{offset} byte{} into", plural(*offset as usize))
    };
    let mut lines = vec![format!("the address is {position} {}", described(program, info))];
    if info.kind == Kind::Heap {
        let site = heap_site(program, &provenance.allocated);
        let made = "  made for the entry function";
        lines.push(if site.is_empty() { made.to_owned() } else { format!("  allocated{site}") });
        if info.freed_at.is_some() {
            lines.push(format!("  freed{}", heap_site(program, &provenance.freed)));
        }
    }
    lines
}

fn described(program: &Program, info: &AllocationInfo) -> String {
    let size = info.size;
    match info.kind {
        Kind::Heap => format!("a heap allocation of {size} bytes"),
        Kind::Stack => match local_variable(program, info) {
            Some((function, variable)) => {
                format!("the variable `{}` of `{function}` (line {}, {size} bytes)", variable.name, variable.line)
            }
            None => format!("a stack object of {size} bytes"),
        },
        Kind::Global | Kind::Thread => {
            let global = program.globals.iter().find(|(id, _)| id.as_u32() == info.allocated_at.0);
            match global {
                Some((_, global)) => match &global.debug {
                    Some(debug) => format!("the global `{}` (line {}, {size} bytes)", debug.name, debug.line),
                    None => format!("the global `{}` ({size} bytes)", global.name),
                },
                None => format!("a global of {size} bytes"),
            }
        }
        Kind::Environment => format!("the program's arguments or environment ({size} bytes)"),
    }
}

/// Where a heap allocation was made or freed: the first place that is the program's own, and its callers.
fn heap_site(program: &Program, stack: &[StackEntry]) -> String {
    let mut text = String::new();
    for (number, entry) in stack.iter().filter(|entry| !entry.runtime).take(4).enumerate() {
        let at = if number == 0 { " at" } else { ", called at" };
        let _ = write!(text, "{at} {} in `{}`", place(program, entry.loc), entry.function);
    }
    text
}

fn place(program: &Program, loc: LocId) -> String {
    let loc = &program.debug.locs[loc];
    place_of(&program.debug.files[loc.file].name, loc.line, loc.column)
}

/// Text of programs, as names and messages, without what a terminal would take for commands.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => printable.push(character),
            _ if character.is_control() => printable.extend(character.escape_default()),
            _ => printable.push(character),
        }
    }
    printable
}

/// A place as compilers write it.
pub fn place_of(file: &str, line: u32, column: u32) -> String {
    match (file.is_empty(), column) {
        (true, _) => "an unknown place".to_owned(),
        (false, 0) => format!("{file}:{line}"),
        (false, column) => format!("{file}:{line}:{column}"),
    }
}

/// The call stack with the innermost line of the program's own text shown; of a deep one, both ends.
fn stack(text: &mut String, program: &Program, entries: &[StackEntry], sources: &Sources) {
    let own: Vec<&StackEntry> =
        entries.iter().skip_while(|entry| entry.runtime).filter(|entry| !is_start(entry)).collect();
    if let Some(function) = inside(entries) {
        let _ = writeln!(text, "  inside {function}");
    }
    let Some((innermost, callers)) = own.split_first() else { return };
    let _ = writeln!(text, "        at {} in `{}`", place(program, innermost.loc), innermost.function);
    source_line(text, program, innermost.loc, sources);
    let left_out = callers.len().saturating_sub(FIRST_CALLERS + LAST_CALLERS);
    for (number, entry) in callers.iter().enumerate() {
        if left_out > 0 && number == FIRST_CALLERS {
            let _ = writeln!(text, "            ({left_out} more calls)");
        }
        if left_out == 0 || !(FIRST_CALLERS..FIRST_CALLERS + left_out).contains(&number) {
            let _ = writeln!(text, "  called at {} in `{}`", place(program, entry.loc), entry.function);
        }
    }
}

/// What the program called of the runtime, and so what it did wrong.
pub fn inside(entries: &[StackEntry]) -> Option<&str> {
    let runtime = entries.iter().take_while(|entry| entry.runtime && !is_start(entry));
    runtime.last().map(|entry| &*entry.function)
}

/// How much of a deep stack is shown.
const FIRST_CALLERS: usize = 10;
const LAST_CALLERS: usize = 4;

fn is_start(entry: &StackEntry) -> bool {
    entry.runtime && entry.function == "_start"
}

fn source_line(text: &mut String, program: &Program, loc: LocId, sources: &Sources) {
    let loc = &program.debug.locs[loc];
    let file = &program.debug.files[loc.file];
    sources.show(text, &Path::new(&file.directory).join(&file.name), loc.line);
}
