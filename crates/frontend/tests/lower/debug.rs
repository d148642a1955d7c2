//! Lines, names and C types.

use symcrete_ir::debug::{DebugType, Encoding, Variable};
use symcrete_ir::ids::DebugTypeId;
use symcrete_ir::{Inst, Program};

use crate::tools::{Look, c, compile, extremes, newest, try_load};

const PROGRAM: &str = "
typedef unsigned long size;
struct node { int value; struct node *next; unsigned flag : 3; };
enum color { red = -1, green = 7 };
union either { float f; char bytes[4][2]; };
struct node *head;
static size count(struct node *list, const enum color which, union either e) {
  size n = 0;
  for (struct node *at = list;
       at;
       at = at->next)
    n++;
  return n;
}
int main(int argc, char **argv) {
  union either e = { 1.0f };
  return (int)count(head, red, e);
}
";

fn described(program: &Program, ty: Option<DebugTypeId>) -> &DebugType {
    match &program.debug.types[ty.unwrap()] {
        DebugType::Typedef { target, .. } | DebugType::Qualified { target } => described(program, *target),
        other => other,
    }
}

fn names(variables: &[Variable]) -> Vec<&str> {
    variables.iter().map(|variable| variable.name.as_str()).collect()
}

#[test]
fn functions_know_their_source() {
    for clang in extremes() {
        let program = c(clang, PROGRAM);
        let debug = program.function("count").debug.as_ref().unwrap();
        assert_eq!((debug.name.as_str(), debug.line), ("count", 7));
        assert_eq!(names(&debug.params), ["list", "which", "e"]);
        let DebugType::Base { name, encoding, bits } = described(&program, debug.result) else { panic!() };
        assert_eq!((encoding, *bits), (&Encoding::Unsigned, 64), "{name}");
        let file = debug.file.unwrap();
        assert!(program.debug.files[file].name.contains("source"));
    }
}

#[test]
fn types_are_told_as_in_c() {
    for clang in extremes() {
        let program = c(clang, PROGRAM);
        let debug = program.function("count").debug.as_ref().unwrap();
        let DebugType::Pointer { target, bits: 64 } = described(&program, debug.params[0].ty) else { panic!() };
        let DebugType::Struct { name, members, bits: 192 } = described(&program, *target) else { panic!() };
        assert_eq!(name, "node");
        assert_eq!(members.iter().map(|member| member.offset_bits).collect::<Vec<_>>(), [0, 64, 128]);
        assert!(members[2].bit_field && members[2].bits == 3);
        // The type of `next` leads back to the same structure.
        let DebugType::Pointer { target: again, .. } = described(&program, members[1].ty) else { panic!() };
        assert_eq!(again, target);
        let DebugType::Enum { variants, .. } = described(&program, debug.params[1].ty) else { panic!() };
        assert_eq!(variants, &[("red".to_owned(), -1), ("green".to_owned(), 7)]);
        let DebugType::Union { members, .. } = described(&program, debug.params[2].ty) else { panic!() };
        let DebugType::Array { counts, .. } = described(&program, members[1].ty) else { panic!() };
        assert_eq!(counts, &[Some(4), Some(2)]);
        let head = program.global("head").debug.as_ref().unwrap();
        assert_eq!((head.name.as_str(), head.line), ("head", 6));
    }
}

#[test]
fn locals_name_their_memory() {
    for clang in extremes() {
        let program = c(clang, PROGRAM);
        let body = program.body("count");
        let mut locals: Vec<&str> = body.locals.iter().map(|local| local.1.name.as_str()).collect();
        locals.sort_unstable();
        // The union arrives in a register and is put into memory of its own.
        assert_eq!(locals, ["at", "e", "list", "n", "which"]);
        assert!(body.locals.is_sorted_by_key(|local| local.0));
    }
}

#[test]
fn every_line_of_code_survives() {
    for clang in extremes() {
        let program = c(clang, PROGRAM);
        let lines = lines(&program, "count");
        for line in [8, 9, 10, 11, 12, 13] {
            assert!(lines.contains(&line), "{clang}: {line} is not in {lines:?}");
        }
    }
}

fn lines(program: &Program, name: &str) -> Vec<u32> {
    let blocks = program.body(name).blocks.values();
    let locs = blocks.flat_map(|block| block.locs.iter().copied().chain([block.terminator_loc]));
    locs.map(|loc| program.debug.locs[loc].line).collect()
}

#[test]
fn instructions_that_vanish_leave_their_line() {
    let source = "
struct s { int first; int second; } v;
int *f(struct s *p) {
  int *q =
    &p
      ->first;
  return q;
}";
    for clang in extremes() {
        let program = c(clang, source);
        assert!(lines(&program, "f").contains(&6), "{:?}", lines(&program, "f"));
        // But no more than one marker for a place.
        for block in program.body("f").blocks.values() {
            let places = block.insts.iter().zip(&block.locs).filter(|(inst, _)| **inst == Inst::Marker);
            for (_, loc) in places {
                assert_eq!(block.locs.iter().filter(|other| *other == loc).count(), 1);
            }
        }
    }
}

#[test]
fn inlined_code_knows_where_it_came_from() {
    let source = "
static inline __attribute__((always_inline)) int square(int x) {
  return x * x;
}
int f(int y) {
  return square(y) + 1;
}";
    for clang in extremes() {
        let bytes = compile(clang, "c", source, &["-O2", "-g"]);
        let program = try_load(&[("a.c", &bytes, false)]).unwrap();
        let locs = program.body("f").blocks.values().flat_map(|block| block.locs.iter().copied());
        let locs = locs.map(|loc| &program.debug.locs[loc]);
        let inlined: Vec<_> = locs.filter(|loc| loc.inlined_at.is_some()).collect();
        assert!(!inlined.is_empty());
        for loc in inlined {
            assert_eq!((&*loc.function, loc.line), ("square", 3));
            let outer = &program.debug.locs[loc.inlined_at.unwrap()];
            assert_eq!((&*outer.function, outer.line), ("f", 6));
        }
    }
}

#[test]
fn code_without_debug_information_is_nowhere() {
    let bytes = compile(newest(), "c", "int f(int x) { return x + 1; }", &["-O0"]);
    let program = try_load(&[("a.c", &bytes, false)]).unwrap();
    assert!(lines(&program, "f").iter().all(|line| *line == 0));
    assert!(program.function("f").debug.is_none());
}
