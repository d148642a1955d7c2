//! What a `symcrete.toml` says: which keys on which lines, and the words that each of them stands for.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command, ValueHint};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{COMMANDS, ONLY_TYPED, from_here, is_switch, option, options, switch_word, value_word};
use crate::error::Error;
use crate::suggest;

/// A file whose keys are known.
#[derive(Debug)]
pub struct File {
    pub path: PathBuf,
    /// By command; the empty name is that of what stands in front of all tables.
    entries: Vec<(String, Entry)>,
}

/// A key and its value.
#[derive(Debug)]
pub struct Entry {
    pub key: String,
    pub line: usize,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Switch(bool),
    One(String),
    List(Vec<Value>),
    /// A date or a table.
    Other(&'static str),
}

impl File {
    pub fn read(path: PathBuf, commands: &[Command]) -> Result<File, Error> {
        let text = std::fs::read_to_string(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let line_of = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
        let wrong = |line: usize, reason: &str, nearest: Option<String>| Error::UnknownName {
            sentence: format!("{}:{line}: {reason}", from_here(&path).display()),
            nearest,
        };
        let table = DeTable::parse(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            wrong(line, error.message().lines().next().unwrap_or_default(), None)
        })?;
        let mut entries: Vec<(String, Entry)> = Vec::new();
        let tables = |value: &Spanned<DeValue>| matches!(value.get_ref(), DeValue::Table(_));
        for (key, value) in table.get_ref() {
            let (name, line) = (key.get_ref().to_string(), line_of(key.span().start));
            match value.get_ref() {
                DeValue::Table(inner) if COMMANDS.contains(&&*name) => {
                    let command = commands.iter().filter(|command| command.get_name() == name);
                    for (key, value) in inner {
                        let (key, line) = (key.get_ref().to_string(), line_of(key.span().start));
                        check_key(&key, Some(&name), command.clone())
                            .map_err(|(reason, nearest)| wrong(line, &reason, nearest))?;
                        entries.push((name.clone(), Entry { key, line, value: read_value(value.get_ref()) }));
                    }
                }
                _ if tables(value) => {
                    let reason = format!("unknown table [{name}]; there are [{}]", COMMANDS.join("], ["));
                    return Err(wrong(line, &reason, suggest::nearest(&name, COMMANDS).map(str::to_owned)));
                }
                value => {
                    check_key(&name, None, commands.iter())
                        .map_err(|(reason, nearest)| wrong(line, &reason, nearest))?;
                    entries.push((String::new(), Entry { key: name, line, value: read_value(value) }));
                }
            }
        }
        Ok(File { path, entries })
    }

    /// What the file says for this command: its own table before what is common, each key once.
    pub fn entries(&self, command: &str) -> Vec<&Entry> {
        let own = self.entries.iter().filter(|(table, _)| table == command);
        let common = self.entries.iter().filter(|(table, _)| table.is_empty());
        let mut seen = BTreeSet::new();
        let all = own.chain(common).map(|(_, entry)| entry);
        let mut entries: Vec<&Entry> = all.filter(|entry| seen.insert(&*entry.key)).collect();
        entries.sort_by_key(|entry| entry.line);
        entries
    }
}

/// Whether one of these commands has the option; if not, what to say.
fn check_key<'a>(
    key: &str,
    table: Option<&str>,
    commands: impl Iterator<Item = &'a Command> + Clone,
) -> Result<(), (String, Option<String>)> {
    if commands.clone().any(|command| option(command, key).is_some()) {
        return Ok(());
    }
    if ONLY_TYPED.contains(&key) {
        return Err((format!("`{key}` is for the command line only"), None));
    }
    let known = commands.flat_map(options).filter_map(Arg::get_long);
    let nearest = suggest::nearest(key, known).map(str::to_owned);
    let place = table.map_or(String::new(), |table| format!(" in [{table}]"));
    Err((format!("unknown key `{key}`{place}; keys are the long names of options"), nearest))
}

fn read_value(value: &DeValue) -> Value {
    match value {
        DeValue::Boolean(value) => Value::Switch(*value),
        DeValue::String(text) => Value::One(text.to_string()),
        DeValue::Integer(number) => Value::One(number.to_string()),
        DeValue::Float(number) => Value::One(number.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|value| read_value(value.get_ref())).collect()),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Table(_) => Value::Other("a table"),
    }
}

impl Entry {
    /// The words that the entry stands for, with paths as seen from the file.
    pub fn words(&self, arg: &Arg, path: &Path) -> Result<Vec<OsString>, Error> {
        let key = &*self.key;
        let one = |value: &Value| match value {
            Value::One(text) => Ok(located(arg, path, text)),
            _ => Err(self.wrong(path, &format!("`{key}` takes texts or numbers"))),
        };
        let several = arg.get_num_args().map_or(1, |range| range.max_values());
        let row = |list: &[Value]| -> Result<Vec<OsString>, Error> {
            let values: Result<Vec<OsString>, Error> = list.iter().map(one).collect();
            Ok([switch_word(key)].into_iter().chain(values?).collect())
        };
        match (&self.value, is_switch(arg)) {
            (Value::Switch(true), true) => Ok(vec![switch_word(key)]),
            (Value::Switch(false), true) => Ok(Vec::new()),
            (_, true) => Err(self.wrong(path, &format!("`{key}` takes true or false"))),
            (Value::List(list), false) if several > 1 => match list.first() {
                Some(Value::List(_)) => {
                    let rows: Result<Vec<Vec<OsString>>, Error> = list
                        .iter()
                        .map(|inner| match inner {
                            Value::List(inner) => row(inner),
                            _ => Err(self.wrong(path, &format!("`{key}` takes lists of {several} numbers"))),
                        })
                        .collect();
                    Ok(rows?.concat())
                }
                _ => row(list),
            },
            (Value::List(list), false) if matches!(arg.get_action(), ArgAction::Append) => {
                list.iter().map(|value| Ok(value_word(key, &one(value)?))).collect()
            }
            (Value::List(_), false) => Err(self.wrong(path, &format!("`{key}` takes one value, not a list"))),
            (Value::Switch(_), false) => Err(self.wrong(path, &format!("`{key}` takes a value, not true or false"))),
            (Value::Other(what), false) => Err(self.wrong(path, &format!("`{key}` takes a value, not {what}"))),
            (value @ Value::One(_), false) => Ok(vec![value_word(key, &one(value)?)]),
        }
    }

    /// An error that names the entry's place.
    pub fn wrong(&self, path: &Path, reason: &str) -> Error {
        Error::Usage(format!("{}:{}: {reason}", from_here(path).display(), self.line))
    }
}

/// A value; the path of a file is relative to the file that names it.
fn located(arg: &Arg, config: &Path, text: &str) -> OsString {
    let is_path = match arg.get_value_hint() {
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => true,
        // A bare name is looked up on the path.
        ValueHint::ExecutablePath => text.contains('/'),
        _ => false,
    };
    let folder = config.parent().unwrap_or(Path::new(""));
    match is_path {
        true => from_here(&folder.join(text)).into(),
        false => text.into(),
    }
}
