//! `symcrete.toml`: a project's defaults for options. What the file says becomes words in front of those that were typed, so both are read and
//! checked in the same way, and what is typed wins. How the file is read is in `settings/file.rs`.

mod file;
mod print;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as ClapArgs, Command, CommandFactory as _, FromArgMatches as _};

use crate::args::Args;
use crate::error::Error;
use file::{Entry, File};

/// The commands that read the file.
const COMMANDS: [&str; 4] = ["cover", "reach", "run", "replay"];
pub const NAME: &str = "symcrete.toml";

#[derive(ClapArgs, Clone, Debug)]
pub struct ConfigArgs {
    /// Configuration file [default: symcrete.toml in the working directory or the nearest one above it]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,

    /// Ignore every symcrete.toml
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    pub no_config: bool,

    /// Print the values of all options and where each comes from
    #[arg(long, hide_short_help = true)]
    pub print_config: bool,
}

/// What was typed, with the file's defaults.
#[derive(Debug)]
pub enum Parsed {
    Args(Box<Args>),
    /// Values and where they come from, to be printed.
    Print(String),
}

#[derive(Debug)]
pub enum Trouble {
    /// Of the command line, in clap's words; help is one as well.
    Words(clap::Error),
    File(Error),
}

impl From<clap::Error> for Trouble {
    fn from(error: clap::Error) -> Trouble {
        Trouble::Words(error)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::File(error)
    }
}

/// Reads the words of a command line, the program's name first.
pub fn parse(words: &[OsString]) -> Result<Parsed, Trouble> {
    let plain = Args::command();
    let only_prints = words.iter().any(|word| word == "--print-config");
    let typed = match lenient(plain.clone(), only_prints).try_get_matches_from(words) {
        Ok(matches) => matches,
        // Help and usage show switches as they are meant to be typed.
        Err(error) => return Err(plain.try_get_matches_from(words).err().unwrap_or(error).into()),
    };
    let Some((name, given)) = typed.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else {
        return Ok(Parsed::Args(Box::new(Args::from_arg_matches(&typed)?)));
    };
    let command = built(name);
    let file = find(given)?.map(|path| File::read(path, &COMMANDS.map(built))).transpose()?;
    let entries = file.as_ref().map(|file| file.entries(name)).unwrap_or_default();
    let entries: Vec<(&Entry, &Arg)> = entries
        .into_iter()
        .filter_map(|entry| Some((entry, option(&command, &entry.key)?)))
        .filter(|(_, arg)| !is_typed(given, arg) && !conflicts(&command, given, arg))
        .collect();
    let mut all = words.iter().take(2).cloned().collect::<Vec<OsString>>();
    for (entry, arg) in &entries {
        let path = file.as_ref().map(|file| &*file.path).unwrap_or(Path::new(NAME));
        let words_of_entry = entry.words(arg, path)?;
        let alone: Vec<OsString> = [&words[..2], &words_of_entry, &words[2..]].concat();
        if let Err(error) = lenient(Args::command(), only_prints).try_get_matches_from(alone) {
            return Err(entry.wrong(path, &first_line(&error)).into());
        }
        all.extend(words_of_entry);
    }
    all.extend(words.iter().skip(2).cloned());
    let matches = lenient(Args::command(), only_prints).try_get_matches_from(all)?;
    if let (true, Some((_, values))) = (given.get_flag("print_config"), matches.subcommand()) {
        let places: Vec<(&str, usize)> = entries.iter().map(|(entry, _)| (&*entry.key, entry.line)).collect();
        let path = file.as_ref().map(|file| &*file.path);
        return Ok(Parsed::Print(print::text(&command, given, values, path, &places)));
    }
    Ok(Parsed::Args(Box::new(Args::from_arg_matches(&matches)?)))
}

/// A subcommand as clap completes it.
fn built(name: &str) -> Command {
    let mut command = Args::command();
    command.build();
    command.find_subcommand(name).cloned().unwrap_or_default()
}

/// Switches may be given a value: `--json=false` undoes what the file says. Where values are only printed, nothing is required.
fn lenient(command: Command, only_prints: bool) -> Command {
    let adapted = |arg: Arg| match is_switch(&arg) {
        true => arg
            .action(ArgAction::Set)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .default_value("false"),
        false if only_prints => arg.required(false),
        false => arg,
    };
    command.mut_subcommands(|subcommand| match COMMANDS.contains(&subcommand.get_name()) {
        true => subcommand.mut_args(adapted),
        false => subcommand,
    })
}

fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Options that a file may not set: those about the file; --resume, which is for one run; and since the file may be somebody else's,
/// --unsafe-replay, and --clang, which is executed outside of the sandbox.
const ONLY_TYPED: [&str; 7] = ["help", "config", "no-config", "print-config", "resume", "unsafe-replay", "clang"];

/// The options that a file may set: all others that help shows.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && arg.get_long().is_some_and(|long| !ONLY_TYPED.contains(&long)))
}

fn option<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    options(command).find(|arg| arg.get_long() == Some(key))
}

fn is_typed(given: &ArgMatches, arg: &Arg) -> bool {
    given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Whether an option that was typed excludes this one.
fn conflicts(command: &Command, given: &ArgMatches, arg: &Arg) -> bool {
    let others = command.get_arguments().filter(|other| is_typed(given, other));
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|conflict| conflict.get_id() == other.get_id())
    };
    others.into_iter().any(|other| excludes(arg, other) || excludes(other, arg))
}

/// The file that was named, or the nearest one.
fn find(given: &ArgMatches) -> Result<Option<PathBuf>, Error> {
    if given.get_flag("no_config") {
        return Ok(None);
    }
    if let Some(path) = given.get_one::<PathBuf>("config") {
        return Ok(Some(path.clone()));
    }
    let here = std::env::current_dir().map_err(|source| Error::Read { path: PathBuf::from("."), source })?;
    Ok(here.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file()))
}

/// What clap says, without its prefix and its usage.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A path as seen from here, if that is shorter.
fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path)
}

fn switch_word(key: &str) -> OsString {
    OsString::from(format!("--{key}"))
}

fn value_word(key: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(format!("--{key}="));
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parsed(words: &[&str]) -> Result<Parsed, Trouble> {
        let words: Vec<OsString> = ["symcrete"].iter().chain(words).map(OsString::from).collect();
        parse(&words)
    }

    #[test]
    fn every_command_is_parsed() {
        for words in [
            &["cover", "a.c", "--no-config", "--json=false"][..],
            &["reach", "a.c:3", "--no-config", "--json"],
            &["run", "a.c", "--no-config"],
            &["replay", "out", "--no-config"],
            &["solve", "a.smt2"],
            &["doctor"],
            &["schema"],
            &["reference", "cover"],
        ] {
            assert!(matches!(parsed(words), Ok(Parsed::Args(_))), "{words:?}");
        }
    }

    #[test]
    fn where_values_are_printed_nothing_is_required() {
        for command in COMMANDS {
            assert!(matches!(parsed(&[command, "--no-config", "--print-config"]), Ok(Parsed::Print(_))), "{command}");
        }
    }
}
