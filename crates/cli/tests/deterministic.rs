//! The same program, flags and seed give the same files, byte for byte, with one job.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use support::assert_all;
use support::cover::cover;
use support::symbolic;

/// All files below a folder, with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

const PROGRAMS: &[&str] = &[
    "regexp.c",
    "tokenizer.c",
    "tree_insert.c",
    "float_arithmetic.c",
    "pointer_choice.c",
    "entry_list.c",
    "arguments.c",
];

/// Of runs that end by themselves, and of one that a number of instructions ends.
const FLAGS: &[&[&str]] = &[
    &["--seed", "7"],
    &["--seed", "7", "--search", "random-path"],
    &["--seed", "8", "--search", "subpath:2,random-state", "--every-path", "--format=ktest", "--format=c"],
    &["--seed", "9", "--search", "random-path", "--budget-steps", "3000"],
];

#[test]
fn the_same_seed_gives_the_same_files() {
    let cases: Vec<(&str, &[&str])> =
        PROGRAMS.iter().flat_map(|name| FLAGS.iter().map(|flags| (*name, *flags))).collect();
    assert_all(&cases, |(name, flags)| {
        let program = symbolic::named(name);
        let mut runs = Vec::new();
        // The same folder twice, whose name stands in what is needed to go on.
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let mut more = vec!["--jobs", "1"];
            more.extend(*flags);
            // One with replay is enough to see that it changes nothing.
            if *name != PROGRAMS[0] {
                more.push("--no-replay");
            }
            let out = folder.path().join("out");
            let covered = cover(&out, program.flags_with(&more))?;
            let counts = ["paths", "tests", "findings", "pending"].map(|name| covered.json[name].clone());
            let mut files = files(&out);
            // What is needed to go on holds the time that was spent: its bytes may differ, not the paths that it stands for.
            files.entry("frontier".into()).and_modify(Vec::clear);
            runs.push((files, (counts, covered.json["stats"]["path_digest"].clone())));
            fs::remove_dir_all(&out).unwrap();
        }
        let (second, first) = (runs.pop().unwrap(), runs.pop().unwrap());
        let differs = first.0.keys().chain(second.0.keys()).find(|path| first.0.get(*path) != second.0.get(*path));
        if let Some(path) = differs {
            let text = |run: &BTreeMap<PathBuf, Vec<u8>>| {
                run.get(path).map_or("nothing".into(), |bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            let (first, second) = (text(&first.0), text(&second.0));
            return Err(format!("{name} {flags:?}: {} is\n{first}\nand then\n{second}", path.display()));
        }
        if first.1 != second.1 || first.0.is_empty() {
            return Err(format!("{name} {flags:?}: {} files; {:?} and then {:?}", first.0.len(), first.1, second.1));
        }
        Ok(())
    });
}
