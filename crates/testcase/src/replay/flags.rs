//! Which of the user's flags a native build has. They decide what the program does (macros, optimisation, `-f…`, sanitizers), so all
//! of them stay but those that choose what the compiler writes, which is ours.

use std::ffi::{OsStr, OsString};

/// Flags that choose another output, with how many words follow them.
const OUTPUT: &[(&str, usize)] = &[
    ("-o", 1),
    ("-c", 0),
    ("-S", 0),
    ("-E", 0),
    ("-emit-llvm", 0),
    ("-fsyntax-only", 0),
    ("-save-temps", 0),
    ("-MF", 1),
    ("-MT", 1),
    ("-MQ", 1),
    ("-M", 0),
    ("-MM", 0),
    ("-MD", 0),
    ("-MMD", 0),
    ("-MP", 0),
    ("-MG", 0),
];

/// Objects that only a linker for bitcode takes, and counters beside ours.
const OUTPUT_FAMILIES: &[&str] = &[
    "-flto",
    "-fwhole-program-vtables",
    "-fprofile-",
    "-fcs-profile",
    "-fcoverage-",
    "--coverage",
    "-ftest-coverage",
    "-save-temps=",
];

const SANITIZERS: &[&str] = &["-fsanitize", "-fno-sanitize"];

fn begins(flag: &OsStr, starts: &[&str]) -> bool {
    flag.to_str().is_some_and(|flag| starts.iter().any(|start| flag.starts_with(start)))
}

/// The flags that stay. In a build of ours with sanitizers, those of the user make room.
pub fn kept(flags: &[OsString], is_sanitized: bool) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        if let Some((_, words)) = OUTPUT.iter().find(|(name, _)| flag == name) {
            rest.by_ref().take(*words).for_each(drop);
        } else if !(begins(flag, OUTPUT_FAMILIES) || is_sanitized && begins(flag, SANITIZERS)) {
            kept.push(flag.clone());
        }
    }
    kept
}

/// Those that choose the machine and the libraries: the driver and the linker must have them as well.
pub fn of_machine(flags: &[OsString]) -> impl Iterator<Item = OsString> {
    const MACHINE: &[&str] = &["-m32", "-m64", "-pthread", "-fopenmp", "-stdlib=libc++", "-stdlib=libstdc++"];
    flags.iter().filter(|flag| MACHINE.iter().any(|known| flag == known)).cloned()
}

/// Those that add a library of the compiler's own.
pub fn of_sanitizers(flags: &[OsString]) -> impl Iterator<Item = OsString> {
    flags.iter().filter(|flag| begins(flag, SANITIZERS)).cloned()
}

/// Whether the user's own sanitizers need address space without bounds for what they know of memory.
pub fn needs_address_space(flags: &[OsString]) -> bool {
    flags.iter().filter_map(|flag| flag.to_str()?.strip_prefix("-fsanitize=")).any(|names| {
        names
            .split(',')
            .any(|name| ["address", "memory", "thread", "hwaddress", "leak", "kernel-address"].contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_decides_behaviour_stays() {
        let flags =
            words("-O2 -o x.bc -c -DA=1 -fwrapv -flto=thin -MF x.d -fsanitize=undefined -include a.h --coverage");
        assert_eq!(kept(&flags, false), words("-O2 -DA=1 -fwrapv -fsanitize=undefined -include a.h"));
        assert_eq!(kept(&flags, true), words("-O2 -DA=1 -fwrapv -include a.h"));
        let flags_too = words("-O2 -m32 -fsanitize=undefined");
        assert_eq!(of_machine(&flags_too).collect::<Vec<_>>(), words("-m32"));
        assert_eq!(of_sanitizers(&flags_too).collect::<Vec<_>>(), words("-fsanitize=undefined"));
        assert!(needs_address_space(&words("-fsanitize=undefined,address")) && !needs_address_space(&flags));
    }
}
