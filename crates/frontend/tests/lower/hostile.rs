//! Files that are valid but out of proportion, and files that break rules which only show when all is put together.

use symcrete_frontend::Error;

use crate::tools::{compile, newest, try_ll, try_load};

#[test]
fn zeros_cost_nothing() {
    let program = try_ll("@big = global [1000000000000 x i8] zeroinitializer").unwrap();
    let global = program.globals.values().next().unwrap();
    assert_eq!(global.size, 1_000_000_000_000);
    assert!(global.initialiser.as_ref().unwrap().bytes.is_empty());
}

#[test]
fn initial_values_out_of_proportion_are_refused() {
    let error = try_ll("@x = global {[900000000 x i8], i8} {[900000000 x i8] zeroinitializer, i8 1}").unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("`x`"), "{error}");
}

#[test]
fn values_out_of_proportion_are_refused() {
    let huge = "define void @f(ptr %p) {
      %v = load [99999999999 x i8], ptr %p
      store [99999999999 x i8] %v, ptr %p
      ret void
    }";
    assert!(matches!(try_ll(huge), Err(Error::TooLarge { .. })));
    let step = |n: usize| format!("%v{} = insertvalue [60000 x i8] %v{n}, i8 1, 5\n", n + 1);
    let steps: String = (0..100).map(step).collect();
    let many = format!("define void @f(ptr %p) {{ %v0 = load [60000 x i8], ptr %p\n{steps} ret void }}");
    assert!(matches!(try_ll(&many), Err(Error::TooLarge { .. })));
}

#[test]
fn sizes_that_overflow_are_errors() {
    let text = "@x = global [18446744073709551615 x [4 x i64]] zeroinitializer";
    assert!(matches!(try_ll(text), Err(Error::Malformed { .. })));
    // A type that nobody needs the size of harms nobody.
    try_ll("%t = type [18446744073709551615 x [4 x i64]]\ndefine void @f() { ret void }").unwrap();
}

#[test]
fn integers_wider_than_registers_are_named() {
    let error = try_ll("define i40000 @f(i40000 %x) { ret i40000 %x }").unwrap_err();
    assert!(error.to_string().contains("i40000 is not supported"), "{error}");
}

/// Changes single bytes of a file; whatever comes out, loading ends with a program or an error.
#[test]
fn damaged_files_are_errors_and_no_panics() {
    let source = "
        struct s { int a; double b; struct s *next; }; struct s list[3] = { {1, 2.0, list}, {3} };
        static int sum(struct s *p, int n) { int r = 0; for (int i = 0; i < n; i++) r += p[i].a; return r; }
        int main(int argc, char **argv) { switch (argc) { case 1: return sum(list, 3); default: return 0; } }";
    let bytes = compile(newest(), "c", source, &["-O1", "-g"]);
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..4000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random() % 4 {
            let at = random() as usize % damaged.len();
            damaged[at] ^= 1 << (random() % 8);
        }
        // What loads was verified on the way.
        let _ = try_load(&[("damaged.bc", &damaged, false)]);
    }
}
