//! What was probably meant by a name that is not known, by edit distance.

use std::path::{Path, PathBuf};

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

/// A file beside the one that is not there.
pub fn file(missing: &Path) -> Option<PathBuf> {
    let given = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    nearest(given, names.iter().map(String::as_str)).map(|name| missing.with_file_name(name))
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
