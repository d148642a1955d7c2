//! Which path claims which input, by `symcrete cover --partition`, held against what the machine does with every input, by
//! tools/count-paths.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::root;

/// What the machine did with an input.
pub struct Native {
    /// Names the sequence of basic blocks.
    pub path: String,
    /// `exit 7`, the kind of a bug, or `rejected` where an assumption fails.
    pub ending: String,
}

/// By input, in hexadecimal digits.
pub type Map = HashMap<String, Native>;

/// Runs programs natively on all their inputs; gives back a map for each, in their order.
pub fn native_maps(programs: &[PathBuf]) -> Result<Vec<Map>, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(root().join("tools/count-paths"));
    let done = command.arg("--map").arg(folder.path()).args(programs).output().expect("tools/count-paths");
    if !done.status.success() {
        return Err(format!("{command:?}\n{}", String::from_utf8_lossy(&done.stderr)));
    }
    programs.iter().map(|program| read_map(folder.path(), program)).collect()
}

fn read_map(folder: &Path, program: &Path) -> Result<Map, String> {
    let name = program.file_stem().unwrap_or_default();
    let path = folder.join(name).with_extension("map");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut map = Map::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let [input, path, ending] = words[..] else { return Err(format!("cannot read the map's line `{line}`")) };
        map.insert(input.to_owned(), Native { path: path.to_owned(), ending: ending.to_owned() });
    }
    Ok(map)
}

/// How often each kind of trouble is shown.
const SHOWN: usize = 3;

/// What a partition has against the machine: inputs that nobody or several paths claim, that a concrete run contradicts, that end
/// otherwise than claimed, and paths whose inputs do not all go the same way. `whole`: every input must be claimed.
pub fn troubles(partition: &str, map: &Map, whole: bool) -> Vec<String> {
    let mut troubles: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut ways: HashMap<&str, (&str, &str)> = HashMap::new();
    let mut inputs = 0;
    for line in partition.lines() {
        inputs += 1;
        let (input, claims) = line.split_once(' ').unwrap_or((line, ""));
        let Some(native) = map.get(input) else {
            troubles.entry("never run natively").or_default().push(line.to_owned());
            continue;
        };
        let mut blame = |why| troubles.entry(why).or_default().push(format!("{line} (natively {})", native.ending));
        let (path, ending) = claims.split_once(' ').unwrap_or((claims, ""));
        match (path, ending) {
            ("none", _) if native.ending == "rejected" || !whole => continue,
            ("none", _) => blame("claimed by no path"),
            _ if claims.contains(',') => blame("claimed by several paths"),
            _ if claims.contains(" but runs to ") => blame("contradicted by a concrete run"),
            (_, "discarded") if native.ending == "rejected" => continue,
            _ if ending != native.ending => blame("ending otherwise"),
            _ => {}
        }
        let first = ways.entry(path).or_insert((&native.path, input));
        if first.0 != native.path {
            blame("going another way than an earlier input of its path");
        }
    }
    if inputs != map.len() {
        troubles.entry("counted").or_default().push(format!("{inputs} inputs, natively {}", map.len()));
    }
    let show = |(what, lines): (&str, Vec<String>)| {
        let first: Vec<&str> = lines.iter().take(SHOWN).map(String::as_str).collect();
        format!("{what}: {}, such as {}", lines.len(), first.join("; "))
    };
    troubles.into_iter().map(show).collect()
}
