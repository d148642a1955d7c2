//! Changes to a module in LLVM's text form, made before it is compiled natively. What they are for is said at each.

use std::collections::BTreeSet;

/// Marks all functions for AddressSanitizer, as the front end of clang would have done.
pub fn watched(text: &str) -> String {
    let marked = text.split_inclusive('\n').map(|line| match line.split_once(" = { ") {
        Some((group, rest)) if group.starts_with("attributes #") => format!("{group} = {{ sanitize_address {rest}"),
        _ => line.to_owned(),
    });
    marked.collect()
}

/// Joins all compile units into the first one.
///
/// LLVM writes a file of notes and one of counters for each compile unit, and each lists all functions of the module: in linked bitcode
/// that is quadratic in the number of sources. Depending on LLVM's version all of these files have the counts or only one, and some
/// do not fit their notes. Functions name their source themselves, so that one unit is enough.
pub fn with_one_compile_unit(text: String) -> String {
    let units: BTreeSet<&str> = text.lines().filter_map(compile_unit).collect();
    let lists_units = |line: &str| line.starts_with("!llvm.dbg.cu = ");
    let counted = |name: &&str| units.contains(name);
    let list = text.lines().find(|line| lists_units(line)).unwrap_or_default();
    let Some(first) = references(list).map(|(_, name)| name).find(counted) else { return text };
    if units.len() < 2 {
        return text;
    }
    let mut joined = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if lists_units(line) {
            joined.push_str("!llvm.dbg.cu = !{");
            joined.push_str(first);
            joined.push_str("}\n");
        } else if line.starts_with('!') && compile_unit(line).is_none() {
            let mut end = 0;
            for (at, name) in references(line).filter(|(_, name)| units.contains(name)) {
                joined.push_str(&line[end..at]);
                joined.push_str(first);
                end = at + name.len();
            }
            joined.push_str(&line[end..]);
        } else {
            joined.push_str(line);
        }
    }
    joined
}

/// The name of the compile unit that a line defines. Those whose debug information lies in another file are not counted by LLVM.
fn compile_unit(line: &str) -> Option<&str> {
    let (name, definition) = line.split_once(" = distinct !DICompileUnit(")?;
    (name.starts_with('!') && !definition.contains("dwoId:")).then_some(name)
}

/// The numbered metadata that a line names, outside of strings, with their places.
fn references(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_in_string = false;
    line.bytes().enumerate().filter_map(move |(at, byte)| {
        is_in_string ^= byte == b'"';
        let name = if byte == b'!' && !is_in_string { &line[at..] } else { return None };
        let digits = name.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| (at, &name[..=digits]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compile_units_are_joined() {
        let text = "@s = \"!2\"\n!llvm.dbg.cu = !{!0, !2, !7}\n!0 = distinct !DICompileUnit(file: !1, globals: !9)\n\
                    !1 = !DIFile(filename: \"!2.c\")\n!2 = distinct !DICompileUnit(file: !1)\n\
                    !7 = distinct !DICompileUnit(file: !1)\n!20 = distinct !DISubprogram(unit: !2, scope: !1)\n\
                    !21 = !DIGlobalVariable(scope: !7, name: \"é!7\")";
        let joined = "@s = \"!2\"\n!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit(file: !1, globals: !9)\n\
                      !1 = !DIFile(filename: \"!2.c\")\n!2 = distinct !DICompileUnit(file: !1)\n\
                      !7 = distinct !DICompileUnit(file: !1)\n!20 = distinct !DISubprogram(unit: !0, scope: !1)\n\
                      !21 = !DIGlobalVariable(scope: !0, name: \"é!7\")";
        assert_eq!(with_one_compile_unit(text.to_owned()), joined);
    }

    #[test]
    fn modules_of_one_unit_or_none_stay() {
        for text in ["", "!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit(file: !1)\n", "define void @f() {\n}\n"] {
            assert_eq!(with_one_compile_unit(text.to_owned()), text);
        }
    }

    #[test]
    fn functions_are_marked_for_the_sanitizer() {
        assert_eq!(
            watched("attributes #0 = { noinline }\n!0 = !{}\n"),
            "attributes #0 = { sanitize_address noinline }\n!0 = !{}\n"
        );
    }
}
