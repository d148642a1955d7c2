//! What was probably meant by a name that is not known, by edit distance.

use std::path::{Component, Path, PathBuf};

use symcrete_ir::Program;

/// The known name that resembles the given one most, if any does.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = given.to_lowercase();
    let letters = folded.chars().count();
    let distance = |name: &&str| strsim::osa_distance(&folded, &name.to_lowercase());
    let known = known.into_iter().filter(|name| *name != given && !name.is_empty());
    let (distance, name) = known.map(|name| (distance(&name), name)).min()?;
    // A third of the letters may differ; past that it is another word.
    (distance <= (letters / 3).max(1) && distance < letters).then_some(name)
}

/// A function of the program whose name resembles this one; `FILE:FUNCTION` if that was given.
pub fn function(program: &Program, given: &str) -> Option<String> {
    let own = program.functions.values().filter(|function| !function.runtime && !function.name.starts_with("llvm."));
    let has_file = given.split("::").any(|part| part.contains(':'));
    let names: Vec<String> = own
        .map(|function| {
            let file = function.debug.as_ref().and_then(|debug| debug.file).filter(|_| has_file);
            match file {
                Some(file) => format!("{}:{}", program.debug.files[file].name, function.source_name()),
                None => function.source_name().to_owned(),
            }
        })
        .collect();
    nearest(given, names.iter().map(String::as_str)).map(str::to_owned)
}

/// The file that is there if the first part of a path that is not there is read as one that resembles it.
pub fn file(missing: &Path) -> Option<PathBuf> {
    let parts: Vec<Component> = missing.components().collect();
    let prefix = |count: usize| parts[..count].iter().collect::<PathBuf>();
    let wrong = (0..parts.len()).find(|at| !prefix(at + 1).exists())?;
    let folder = prefix(wrong);
    let listed = if wrong == 0 { Path::new(".") } else { &folder };
    let names = names_in(listed);
    let meant = nearest(parts[wrong].as_os_str().to_str()?, names.iter().map(String::as_str))?;
    let rest: PathBuf = parts[wrong + 1..].iter().collect();
    let found = folder.join(meant);
    let found = if rest.as_os_str().is_empty() { found } else { found.join(rest) };
    found.exists().then_some(found)
}

/// A program in one of these folders.
pub fn program(missing: &Path, folders: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = folders.iter().flat_map(|folder| names_in(folder)).collect();
    nearest(missing.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["main", "helper", "parse_value", "exp"];
        assert_eq!(nearest("mian", known), Some("main"));
        assert_eq!(nearest("halper", known), Some("helper"));
        assert_eq!(nearest("Parse_Valu", known), Some("parse_value"));
        assert_eq!(nearest("missing", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("helper", []), None);
    }
}
