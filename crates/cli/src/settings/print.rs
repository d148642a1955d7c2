//! `--print-config`: the values of all options as TOML, and behind each where it comes from.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::{from_here, is_switch, is_typed, options};

/// `given` holds what was typed, `values` that and what the file says; `places` has the lines of what was taken from the file.
pub fn text(
    command: &Command,
    given: &ArgMatches,
    values: &ArgMatches,
    file: Option<&Path>,
    places: &[(&str, usize)],
) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for arg in options(command) {
        let key = arg.get_long().unwrap_or_default();
        let line = places.iter().find(|(known, _)| *known == key).map(|(_, line)| line);
        let source = match (is_typed(given, arg), line, file) {
            (true, ..) => format!("--{key}"),
            (false, Some(line), Some(file)) => format!("{}:{line}", from_here(file).display()),
            _ => "default".to_owned(),
        };
        rows.push(match value(arg, values) {
            Some(value) => (format!("{key} = {value}"), source),
            None => (format!("# {key}"), "not set".to_owned()),
        });
    }
    let width = rows.iter().map(|(row, _)| row.chars().count()).max().unwrap_or(0).min(40);
    let name = command.get_name();
    let file = file.map_or("no symcrete.toml".to_owned(), |file| from_here(file).display().to_string());
    let mut text = format!("# symcrete {name}, with {file}\n[{name}]\n");
    for (row, source) in rows {
        let _ = writeln!(text, "{row:width$}  # {source}");
    }
    text
}

/// A value as TOML writes it; nothing if there is none.
fn value(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let id = arg.get_id().as_str();
    if is_switch(arg) {
        return Some(matches.get_flag(id).to_string());
    }
    let several = arg.get_num_args().map_or(1, |range| range.max_values());
    let is_list = matches!(arg.get_action(), ArgAction::Append) || several > 1;
    let shown: Vec<Vec<String>> = matches
        .get_raw_occurrences(id)?
        .map(|values| values.map(|value| scalar(&value.to_string_lossy())).collect())
        .collect();
    let list = |values: &[String]| format!("[{}]", values.join(", "));
    match shown.concat() {
        values if !is_list => values.first().filter(|value| *value != "\"\"").cloned(),
        _ if several > 1 && shown.len() > 1 => Some(list(&shown.iter().map(|row| list(row)).collect::<Vec<_>>())),
        values => Some(list(&values)),
    }
}

fn scalar(text: &str) -> String {
    match text.parse::<i64>() {
        Ok(number) => number.to_string(),
        Err(_) => serde_json::Value::from(text).to_string(),
    }
}
