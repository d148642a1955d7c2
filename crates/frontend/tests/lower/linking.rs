//! Several modules: which definition wins, what is taken from the runtime, what clashes.

use symcrete_frontend::Error;
use symcrete_ir::{Constant, Linkage, Program};

use crate::tools::{FAITHFUL, Look, compile, extremes, ll, newest, try_load};

/// Files in C, by name; those whose name starts with `rt` are runtime.
fn link(files: &[(&str, &str)]) -> Result<Program, Error> {
    let compiled: Vec<Vec<u8>> = files.iter().map(|file| compile(extremes()[0], "c", file.1, FAITHFUL)).collect();
    let inputs: Vec<(&str, &[u8], bool)> =
        files.iter().zip(&compiled).map(|(file, bytes)| (file.0, &bytes[..], file.0.starts_with("rt"))).collect();
    try_load(&inputs)
}

fn returned(program: &Program, name: &str) -> String {
    program.text(name)
}

#[test]
fn declarations_meet_definitions() {
    let program = link(&[
        ("main.c", "int f(int); extern int g; int main(void) { return f(1) + g; }"),
        ("f.c", "int g = 5; static int helper(void) { return 7; } int f(int x) { return x + helper(); }"),
        ("other.c", "static int helper(void) { return 8; } int other(void) { return helper(); }"),
    ])
    .unwrap();
    assert!(program.function("f").body.is_some());
    assert_eq!(program.globals.len(), 1);
    let helpers: Vec<_> = program.functions.values().filter(|function| function.name == "helper").collect();
    assert_eq!(helpers.len(), 2);
    assert!(helpers.iter().all(|helper| helper.linkage == Linkage::Internal));
}

#[test]
fn a_definition_serves_declarations_of_other_types() {
    let program =
        link(&[("main.c", "int f(); int main(void) { return f(1, 2, 3); }"), ("f.c", "long f(int x) { return x; }")])
            .unwrap();
    assert_eq!(program.functions.values().filter(|function| function.name == "f").count(), 1);
    assert!(program.text("main").contains("call @f("), "{}", program.text("main"));
}

#[test]
fn strong_beats_weak() {
    for order in [["weak.c", "strong.c"], ["strong.c", "weak.c"]] {
        let text = |name: &str| match name {
            "weak.c" => "__attribute__((weak)) int f(void) { return 1; } int use(void) { return f(); }",
            _ => "int f(void) { return 2; }",
        };
        let program = link(&order.map(|name| (name, text(name)))).unwrap();
        assert!(returned(&program, "f").contains("return i32 2"));
        assert_eq!(program.functions.len(), 2);
    }
}

#[test]
fn two_strong_definitions_clash() {
    let error = link(&[("a.c", "int f(void) { return 1; }"), ("b.c", "int f(void) { return 2; }")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`f` is defined in a.c and again in b.c: leave one of them out, or make one of them static"
    );
}

#[test]
fn common_variables_merge_to_the_largest() {
    let common = |text: &str| compile(extremes()[0], "c", text, &["-O0", "-fcommon"]);
    let (a, b) = (common("int x[2]; int *a(void) { return x; }"), common("int x[10]; int *b(void) { return x; }"));
    for files in [[&a, &b], [&b, &a]] {
        let program = try_load(&[("1.c", files[0], false), ("2.c", files[1], false)]).unwrap();
        assert_eq!(program.globals.len(), 1);
        assert_eq!(program.global("x").size, 40);
        assert!(program.global("x").initialiser.is_some());
    }
    let strong = common("int x[3] = {1, 2, 3};");
    let program = try_load(&[("1.c", &b, false), ("2.c", &strong, false)]).unwrap();
    assert_eq!(program.global("x").size, 12);
}

#[test]
fn weak_references_to_nothing_are_null() {
    let program = link(&[(
        "a.c",
        "extern int x __attribute__((weak)); void f(void) __attribute__((weak));
         int main(void) { if (f) f(); return &x == 0; }",
    )])
    .unwrap();
    assert!(program.globals.is_empty());
    assert_eq!(program.functions.len(), 1);
}

#[test]
fn aliases_are_their_targets() {
    let program = link(&[
        (
            "a.c",
            "int f(void) { return 3; } int g(void) __attribute__((alias(\"f\")));
             int x[4] = {1}; extern int y[4] __attribute__((alias(\"x\"))); int *py = &y[1];",
        ),
        ("b.c", "int g(void); int main(void) { return g(); }"),
    ])
    .unwrap();
    assert!(program.text("main").contains("call @f()"), "{}", program.text("main"));
    let relocation = &program.global("py").initialiser.as_ref().unwrap().relocations[0];
    assert!(matches!(program.constants[relocation.constant], Constant::Global { offset: 4, .. }));
}

#[test]
fn ifuncs_ask_their_resolver() {
    let program = ll("
        @f = ifunc i32 (i32), ptr @choose
        define internal i32 @real(i32 %x) { ret i32 %x }
        define internal ptr @choose() { ret ptr @real }
        define i32 @main() { %r = call i32 @f(i32 3) ret i32 %r }");
    let text = program.text("f");
    assert!(text.contains("call @choose()") && text.contains("call *r1(i32 r0)"), "{text}");
}

#[test]
fn the_runtime_serves_like_a_library() {
    let program = link(&[
        (
            "main.c",
            "int puts(const char *); int strlen(const char *s) { return 1; }
             int main(void) { return puts(\"x\"); }",
        ),
        (
            "rt1.c",
            "static int count; int strlen(const char *); int helper(const char *s) { return strlen(s) + count++; }
             int puts(const char *s) { return helper(s); }
             int unused_table[100] = {1}; int unused(void) { return unused_table[0]; }",
        ),
        ("rt2.c", "int strlen(const char *s) { return 2; } void exit(int status) { for (;;); }"),
    ])
    .unwrap();
    let named = |name: &str| program.functions.values().filter(|function| function.name == name).count();
    assert_eq!((named("puts"), named("helper"), named("unused"), named("exit")), (1, 1, 0, 1));
    // The program's own wins, for the runtime's calls too.
    assert_eq!(named("strlen"), 1);
    assert!(!program.function("strlen").runtime && program.function("puts").runtime);
    assert!(program.text("helper").contains("call @strlen("));
    let globals: Vec<&str> = program.globals.values().map(|global| global.name.as_str()).collect();
    assert!(globals.contains(&"count") && !globals.contains(&"unused_table"), "{globals:?}");
    assert!(program.global("count").runtime);
}

#[test]
fn undefined_functions_stay_external_and_unused_ones_are_left_out() {
    let program =
        link(&[("a.c", "int used(int); int unused(int); extern int nothing; int f(void) { return used(1); }")])
            .unwrap();
    assert!(program.function("used").body.is_none());
    assert_eq!((program.functions.len(), program.globals.len()), (2, 0));
}

#[test]
fn constructors_run_by_priority() {
    let program = link(&[
        (
            "a.c",
            "__attribute__((constructor(300))) void late(void) {} __attribute__((constructor)) void last(void) {}
             __attribute__((destructor(300))) void bye(void) {} __attribute__((destructor(200))) void bye_last(void) {}",
        ),
        ("b.c", "__attribute__((constructor(200))) void early(void) {} int main(void) { return 0; }"),
    ])
    .unwrap();
    let names =
        |list: &[symcrete_ir::FuncId]| list.iter().map(|id| program.functions[*id].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&program.constructors), ["early", "late", "last"]);
    assert_eq!(names(&program.destructors), ["bye", "bye_last"]);
}

#[test]
fn available_definitions_are_a_last_resort() {
    let text = "
        define available_externally i32 @f() { ret i32 1 }
        define i32 @main() { %r = call i32 @f() ret i32 %r }";
    assert!(ll(text).text("f").contains("return i32 1"));
    let main = compile(newest(), "ir", &format!("target triple = \"x86_64-pc-linux-gnu\"\n{text}"), &["-O0"]);
    let runtime = compile(newest(), "c", "int f(void) { return 2; }", &["-O0"]);
    let program = try_load(&[("main.ll", &main, false), ("rt.c", &runtime, true)]).unwrap();
    assert!(program.text("f").contains("return i32 2"));
}

#[test]
fn thread_locals_and_constants_are_marked() {
    for clang in extremes() {
        let bytes = compile(clang, "c", "__thread int t = 3; const int c = 4; int *p(void) { return &t; }", FAITHFUL);
        let program = try_load(&[("a.c", &bytes, false)]).unwrap();
        assert!(program.global("t").thread_local && !program.global("t").read_only);
        assert!(program.global("c").read_only);
    }
}

#[test]
fn foreign_targets_are_named() {
    let error = |target: &str| {
        let bytes = compile(newest(), "c", "int main(void) { return 0; }", &["-target", target]);
        try_load(&[("main.c", &bytes, false)]).unwrap_err().to_string()
    };
    let message = error("powerpc64-unknown-linux-gnu");
    assert!(message.contains("compiled for powerpc64-unknown-linux-gnu; Symcrete executes x86-64"), "{message}");
    assert!(error("aarch64-linux-gnu").contains("compile with -target x86_64-linux-gnu"));
}

#[test]
fn pointer_widths_must_agree() {
    let compiled = |text: &str, flag: &str| compile(newest(), "c", text, &["-target", flag]);
    let narrow = compiled("int f(void *p) { return p != 0; }", "i386-linux-gnu");
    let program = try_load(&[("n.c", &narrow, false)]).unwrap();
    assert_eq!(program.layout.pointer_bits, 32);
    let wide = compiled("int main(void) { return 0; }", "x86_64-linux-gnu");
    let error = try_load(&[("n.c", &narrow, false), ("w.c", &wide, false)]).unwrap_err();
    assert!(matches!(error, Error::PointerWidths { .. }), "{error}");
}

#[test]
fn what_is_no_bitcode_is_said() {
    let error = try_load(&[("a.txt", b"hello", false)]).unwrap_err();
    assert!(error.to_string().starts_with("a.txt: not LLVM bitcode"), "{error}");
    assert!(matches!(try_load(&[]), Err(Error::NoInput)));
}
