//! Compiles one-instruction functions with every clang under test, runs them on tables of operands, compares.
//!
//! Operands and results travel as 128-bit integers; wrappers in LLVM's text form cut them to the types of the
//! function under test, so that one fixed driver in C serves every operation.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub type Operands = [u128; 3];

/// One function and what it should do.
pub struct Case {
    pub name: String,
    /// LLVM types.
    pub result: String,
    pub arguments: Vec<String>,
    /// Instructions that compute `%r` from `%a`, `%b` and `%c`.
    pub body: String,
    /// Functions that the body calls.
    pub declarations: Vec<String>,
    pub operands: Vec<Operands>,
    pub ours: Box<dyn Fn(Operands) -> u128>,
}

const ARGUMENT_NAMES: [&str; 3] = ["a", "b", "c"];

/// The size of an LLVM scalar type.
fn type_bits(name: &str) -> u32 {
    match name {
        "half" | "bfloat" => 16,
        "float" => 32,
        "double" => 64,
        "x86_fp80" => 80,
        "fp128" => 128,
        _ => name[1..].parse().unwrap(),
    }
}

/// The function under test, and a wrapper that takes and gives 128-bit integers.
fn definition(index: usize, case: &Case) -> String {
    let mut text = String::new();
    let parameters: Vec<String> =
        case.arguments.iter().zip(ARGUMENT_NAMES).map(|(kind, name)| format!("{kind} %{name}")).collect();
    let result = &case.result;
    writeln!(text, "define {result} @operation{index}({}) noinline {{", parameters.join(", ")).unwrap();
    writeln!(text, "{}\nret {result} %r\n}}", case.body).unwrap();
    writeln!(text, "define i128 @wrapper{index}(i128 %wa, i128 %wb, i128 %wc) {{").unwrap();
    for (kind, name) in case.arguments.iter().zip(ARGUMENT_NAMES) {
        let bits = type_bits(kind);
        let cut = if bits == 128 { "add i128 0,".to_string() } else { "trunc i128".to_string() };
        let to = if bits == 128 { String::new() } else { format!("to i{bits}") };
        writeln!(text, "%i{name} = {cut} %w{name} {to}").unwrap();
        let cast = if kind.starts_with('i') {
            format!("add i{bits} 0, %i{name}")
        } else {
            format!("bitcast i{bits} %i{name} to {kind}")
        };
        writeln!(text, "%{name} = {cast}").unwrap();
    }
    writeln!(text, "%r = call {result} @operation{index}({})", parameters.join(", ")).unwrap();
    let bits = type_bits(result);
    let cast =
        if result.starts_with('i') { format!("add i{bits} 0, %r") } else { format!("bitcast {result} %r to i{bits}") };
    writeln!(text, "%ir = {cast}").unwrap();
    let extend = if bits == 128 { "add i128 0, %ir".to_string() } else { format!("zext i{bits} %ir to i128") };
    writeln!(text, "%wr = {extend}\nret i128 %wr\n}}").unwrap();
    text
}

/// Reads requests (function, count, operands), writes results.
fn driver(count: usize) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\ntypedef unsigned __int128 wide;\n");
    for index in 0..count {
        writeln!(text, "wide wrapper{index}(wide, wide, wide);").unwrap();
    }
    writeln!(text, "wide (*const table[])(wide, wide, wide) = {{").unwrap();
    for index in 0..count {
        writeln!(text, "wrapper{index},").unwrap();
    }
    text.push_str(
        "};\nint main(void) {\n  unsigned request[2];\n  while (fread(request, 4, 2, stdin) == 2)\n\
         for (unsigned i = 0; i < request[1]; i++) {\n      wide operands[3], result;\n\
         if (fread(operands, 16, 3, stdin) != 3) return 1;\n\
         result = table[request[0]](operands[0], operands[1], operands[2]);\n\
         fwrite(&result, 16, 1, stdout);\n    }\n  return 0;\n}\n",
    );
    text
}

/// The default clang and the newest one that has its version in its name.
fn clangs() -> Vec<String> {
    let runs = |name: &String| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    let newest = (14..40).rev().map(|version| format!("clang-{version}")).find(runs);
    ["clang".to_string()].into_iter().filter(runs).chain(newest).collect()
}

/// Runs the cases with every clang under test. One that cannot compile them (an older one may lack a type or an
/// intrinsic) is named and passed over.
pub fn check(group: &str, cases: Vec<Case>) {
    let clangs = clangs();
    if clangs.is_empty() || !cfg!(target_arch = "x86_64") {
        eprintln!("SKIPPED {group}: needs clang on x86-64");
        return;
    }
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(group);
    fs::create_dir_all(&directory).unwrap();
    let declarations: BTreeSet<&String> = cases.iter().flat_map(|case| &case.declarations).collect();
    let mut module: String = declarations.iter().map(|text| format!("declare {text}\n")).collect();
    for (index, case) in cases.iter().enumerate() {
        module += &definition(index, case);
    }
    fs::write(directory.join("operations.ll"), module).unwrap();
    fs::write(directory.join("driver.c"), driver(cases.len())).unwrap();
    let mut requests = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        requests.extend((index as u32).to_le_bytes());
        requests.extend((case.operands.len() as u32).to_le_bytes());
        requests.extend(case.operands.iter().flatten().flat_map(|operand| operand.to_le_bytes()));
    }
    fs::write(directory.join("requests"), requests).unwrap();
    for clang in clangs {
        match run_native(&clang, &directory) {
            Ok(output) => compare(group, &clang, &cases, &output),
            Err(reason) => eprintln!("SKIPPED {group} with {clang}: {reason}"),
        }
    }
}

fn run_native(clang: &str, directory: &Path) -> Result<Vec<u8>, String> {
    let program = directory.join(format!("program-{clang}"));
    let compiled = Command::new(clang)
        .current_dir(directory)
        .args(["-O0", "-w", "-fno-crash-diagnostics", "operations.ll", "driver.c", "-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    if !compiled.status.success() {
        let errors = String::from_utf8_lossy(&compiled.stderr);
        let reason = ["undefined reference", "error"].iter().find_map(|word| errors.lines().find(|l| l.contains(word)));
        let reason = reason.unwrap_or("it failed to compile");
        return Err(reason.to_string());
    }
    let requests = fs::File::open(directory.join("requests")).unwrap();
    let output = Command::new(&program).stdin(requests).output().unwrap();
    assert!(output.status.success(), "{} failed", program.display());
    Ok(output.stdout)
}

fn compare(group: &str, clang: &str, cases: &[Case], output: &[u8]) {
    let mut native = output.chunks_exact(16).map(|bytes| u128::from_le_bytes(bytes.try_into().unwrap()));
    let mut report = String::new();
    let mut compared = 0;
    for case in cases {
        let mut differences = 0;
        for &operands in &case.operands {
            let expected = native.next().unwrap();
            let ours = (case.ours)(operands);
            compared += 1;
            if ours == expected {
                continue;
            }
            differences += 1;
            if differences <= 6 {
                let shown: Vec<String> =
                    operands[..case.arguments.len()].iter().map(|operand| format!("{operand:#x}")).collect();
                writeln!(report, "  {}({}): native {expected:#x}, ours {ours:#x}", case.name, shown.join(", "))
                    .unwrap();
            }
        }
        if differences > 6 {
            writeln!(report, "  {}: {differences} of {} differ", case.name, case.operands.len()).unwrap();
        }
    }
    assert!(report.is_empty(), "{group} with {clang}:\n{report}");
    println!("{group} with {clang}: {} operations, {compared} results agree", cases.len());
}
