//! `symcrete run`: the program, executed concretely by the engine.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Instant;

use symcrete_exec::environment;
use symcrete_exec::posix::{OverlayChange, Posix, RealHost, View};
use symcrete_exec::{Class, Config, Ended, Executor, Image, State, start};
use symcrete_explore::concrete;

use crate::args::RunArgs;
use crate::error::Error;
use crate::library::Libraries;
use crate::{compile, disagreements, program, report};

/// Runs the program; the exit status is the program's own, 1 after a finding, 3 if the time ran out.
pub fn run(args: &RunArgs) -> Result<u8, Error> {
    let began = Instant::now();
    let mut program = program::load(&args.files, &args.program.compiler)?;
    disagreements::warnings(&program).iter().for_each(|warning| report::warning(warning));
    let main = program.function_named("main").filter(|main| program.functions[*main].body.is_some());
    let main = main.ok_or(Error::NoMain)?;
    let entry = start::add_start(&mut program, main);
    symcrete_ir::promote::promote(&mut program);
    let libraries = match args.program.library.libraries[..] {
        [] => None,
        _ => Libraries::build(&args.program.library, &compile::find_clang(&args.program.compiler.clang)?)?,
    };
    let call_time = args.program.calls.call_time;
    let config = Config {
        signed_overflow: args.program.checks.overflow,
        leaks: args.program.checks.leaks,
        short_forms: !args.general,
        native: libraries
            .as_ref()
            .map(|libraries| libraries.helper(call_time, &args.program.sandbox.policy()))
            .transpose()?,
        ..Config::default()
    };
    let image = Image::new(program, &config)?;
    let mut executor = Executor::new(image, config, Box::new(host()?));
    let mut state = initial_state(&mut executor, entry, args)?;
    let loaded = began.elapsed();

    let deadline = args.time.map(|time| Instant::now() + time);
    let files = report::Sources::default();
    let stop = |_: &State| deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let flag = |executor: &Executor, usage| report::uninitialised(executor, &usage, &files);
    let ended = concrete::run(&mut executor, &mut state, stop, flag);
    if let Some(scratch) = &args.scratch {
        write_files(&mut executor, &state, scratch)?;
    }
    if args.stats {
        report::statistics(&state, loaded, began.elapsed() - loaded);
    }
    let Some(ended) = ended else {
        report::out_of_time(&executor, &state, &files);
        return Ok(3);
    };
    let ended = after_exit(&executor, &state, ended);
    if ended.class() != Class::Normal {
        report::ended(&executor, &state, &ended, &files);
    }
    Ok(status(&ended))
}

fn initial_state(executor: &mut Executor, entry: symcrete_ir::FuncId, args: &RunArgs) -> Result<State, Error> {
    let posix = Posix::new(&mut *executor.host, args.seed);
    let mut state = State::new(&executor.image, posix, entry, Vec::new());
    let name = args.files[0].as_os_str().as_bytes().to_vec();
    let arguments: Vec<Vec<u8>> =
        [name].into_iter().chain(args.arguments.iter().map(|argument| argument.as_bytes().to_vec())).collect();
    let variables: Vec<Vec<u8>> =
        std::env::vars_os().map(|(name, value)| [name.as_bytes(), value.as_bytes()].join(&b'=')).collect();
    environment::pass(&executor.image, &mut state, &arguments, &variables)
        .map_err(|_| Error::Internal("no room for the arguments".to_owned()))?;
    Ok(state)
}

/// A program that came to its own end may still have left memory behind.
fn after_exit(executor: &Executor, state: &State, ended: Ended) -> Ended {
    match ended {
        Ended::Exited(status) if executor.config.leaks => executor.leaks(state).unwrap_or(Ended::Exited(status)),
        other => other,
    }
}

/// As a shell would show it: 128 plus the signal for a program that is killed by one.
fn status(ended: &Ended) -> u8 {
    const SIGABRT: u8 = 6;
    match ended {
        Ended::Exited(status) => *status as u8,
        Ended::Killed(signal) => 128 + *signal as u8,
        Ended::Aborted | Ended::AssertionFailed { .. } => 128 + SIGABRT,
        other => match other.class() {
            Class::Limit => 2,
            _ => 1,
        },
    }
}

/// Our own standard streams, as files of their own: nothing of what the program writes waits in a buffer of ours.
fn host() -> Result<RealHost, Error> {
    let copy = |fd: std::os::fd::BorrowedFd| fd.try_clone_to_owned().map(File::from);
    let streams = || Ok((copy(io::stdin().as_fd())?, copy(io::stdout().as_fd())?, copy(io::stderr().as_fd())?));
    let (input, output, error) = streams().map_err(|source: io::Error| Error::Streams { source })?;
    let folder = std::env::current_dir().map_err(|source| Error::Streams { source })?;
    Ok(RealHost::new(input, output, error, folder.into_os_string().into_vec()).with_view(View::of_run()))
}

/// Copies what the program wrote into the directory that the user gave: what it wrote below the current directory to the same
/// relative path, other files to their whole path.
fn write_files(executor: &mut Executor, state: &State, scratch: &Path) -> Result<(), Error> {
    let failed = |path: &Path, source: io::Error| Error::Scratch { path: path.to_owned(), source };
    fs::create_dir_all(scratch).map_err(|source| failed(scratch, source))?;
    let folder = std::env::current_dir().unwrap_or_default();
    for change in state.posix.overlay_files(&mut *executor.host) {
        let path = Path::new(OsStr::from_bytes(&change.path));
        let relative = path.strip_prefix(&folder).or_else(|_| path.strip_prefix("/")).unwrap_or(path);
        let target = scratch.join(relative);
        let parent = target.parent().unwrap_or(scratch);
        let written = match &change.change {
            OverlayChange::File { content, .. } => {
                fs::create_dir_all(parent).and_then(|()| fs::write(&target, content))
            }
            OverlayChange::Directory { .. } => fs::create_dir_all(&target),
            OverlayChange::Unreadable(errno) => Err(io::Error::from_raw_os_error(errno.number())),
            OverlayChange::Symlink { .. } | OverlayChange::Permissions { .. } | OverlayChange::Removed => Ok(()),
        };
        written.map_err(|source| failed(&target, source))?;
    }
    Ok(())
}
