//! The numbers of Bitwuzla's enumerations, read from the header of the library that is linked: they differ between versions.

use std::fs;
use std::path::Path;

use crate::cargo_variable;

const ENUMERATIONS: [&str; 4] = ["BitwuzlaResult", "BitwuzlaRoundingMode", "BitwuzlaKind", "BitwuzlaOption"];

/// Writes `constants.rs`, which `src/ffi.rs` includes.
pub fn write(include: &Path) -> Result<(), String> {
    let header = include.join("bitwuzla/c/bitwuzla.h");
    let expanded = cc::Build::new()
        .include(include)
        .file(&header)
        .cargo_warnings(false)
        .try_expand()
        .map_err(|error| format!("symcrete-bitwuzla: cannot read {}: {error}", header.display()))?;
    let expanded = String::from_utf8_lossy(&expanded);
    // What the preprocessor adds are lines of its own.
    let text: String = expanded.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
    let mut constants = String::new();
    for enumeration in ENUMERATIONS {
        let body = body(&text, enumeration)
            .ok_or_else(|| format!("symcrete-bitwuzla: {} has no {enumeration}", header.display()))?;
        let mut next = 0;
        for entry in body.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            let value = value.trim().parse().unwrap_or(next);
            constants += &format!("pub const {}: u32 = {value};\n", name.trim());
            next = value + 1;
        }
    }
    let path = Path::new(&cargo_variable("OUT_DIR")?).join("constants.rs");
    fs::write(&path, constants).map_err(|error| format!("symcrete-bitwuzla: cannot write {}: {error}", path.display()))
}

/// What stands between the braces of an enumeration.
fn body<'a>(text: &'a str, enumeration: &str) -> Option<&'a str> {
    text.split("enum ").find_map(|rest| {
        let body = rest.strip_prefix(enumeration)?.trim_start().strip_prefix('{')?;
        body.split('}').next()
    })
}
