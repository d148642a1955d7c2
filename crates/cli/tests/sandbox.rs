//! Programs that would do harm, through the commands that run them natively.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use support::{Shown, run, symcrete};

fn in_folder(folder: &Path, words: &[&str]) -> Shown {
    run(symcrete().args(words).current_dir(folder), b"")
}

/// A directory with a file that everybody may change, so that only the sandbox keeps programs from it.
fn victim() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let file = folder.path().join("v");
    fs::write(&file, "victim").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let name = file.to_str().unwrap().to_owned();
    (folder, name)
}

fn is_untouched(folder: &Path) -> bool {
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names == ["v"] && fs::read(folder.join("v")).unwrap() == b"victim"
}

/// A generated test deletes a file and makes another one: the input chooses which.
#[test]
fn replay_does_not_delete_what_an_input_names() {
    let (outside, victim) = victim();
    let source = format!(
        "#include <fcntl.h>\n#include <string.h>\n#include <unistd.h>\n#include <symcrete.h>\n\
         int main(void) {{\n  char name[300];\n  strcpy(name, \"{victim}\");\n\
         \x20 int which = symcrete_int(\"which\");\n\
         \x20 if (which == 77) return unlink(name) == 0 ? 1 : 2;\n\
         \x20 if (which == 78) {{ strcat(name, \"2\"); return open(name, O_CREAT | O_WRONLY, 0666) >= 0 ? 3 : 4; }}\n\
         \x20 if (which == 79) return chmod(name, 0) == 0 ? 5 : 6;\n  return 0;\n}}\n"
    );
    let work = tempfile::tempdir().unwrap();
    fs::write(
        work.path().join("remover.c"),
        source.replace("#include <unistd.h>", "#include <sys/stat.h>\n#include <unistd.h>"),
    )
    .unwrap();
    for level in ["auto", "namespaces", "landlock"] {
        let shown = in_folder(work.path(), &["cover", "remover.c", "--every-path", "--sandbox", level]);
        assert!(shown.status == 0 || shown.stderr.contains("does not hold here"), "{shown:?}");
        assert!(is_untouched(outside.path()), "{level}: {shown:?}");
        let shown = in_folder(work.path(), &["replay", "symcrete-out", "--sandbox", level]);
        assert!(is_untouched(outside.path()), "{level}: {shown:?}");
    }
    // Without a sandbox it happens: the tests do go there.
    for tests in ["symcrete-out/tests", "symcrete-out/diverged"] {
        in_folder(work.path(), &["replay", tests, "remover.c", "--unsafe-replay"]);
    }
    assert!(!is_untouched(outside.path()));
}

#[test]
fn library_functions_run_in_the_sandbox() {
    let (outside, victim) = victim();
    let work = tempfile::tempdir().unwrap();
    let library =
        format!("#include <unistd.h>\nint hidden(int x) {{ return unlink(\"{victim}\") == 0 ? x : x + 1; }}\n");
    fs::write(work.path().join("library.c"), library).unwrap();
    let program = "int hidden(int); int main(void) { return hidden(4); }\n";
    fs::write(work.path().join("program.c"), program).unwrap();
    let shown = in_folder(work.path(), &["run", "program.c", "--library", "library.c"]);
    assert_eq!(shown.status, 5, "{shown:?}");
    assert!(is_untouched(outside.path()), "{shown:?}");
    // A process of a sandbox that dies does not take the run with it.
    fs::write(work.path().join("library.c"), "int hidden(int x) { return *(volatile int *)(long)x; }\n").unwrap();
    let shown = in_folder(work.path(), &["run", "program.c", "--library", "library.c"]);
    assert!(shown.stderr.contains("SIGSEGV"), "{shown:?}");
}

#[test]
fn the_doctor_tells_which_sandbox_holds() {
    let work = tempfile::tempdir().unwrap();
    let shown = in_folder(work.path(), &["doctor"]);
    assert!(shown.text().contains("sandbox   ") && shown.text().contains("compiler  "), "{shown:?}");
}

trait Text {
    fn text(&self) -> String;
}

impl Text for Shown {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}
