//! What `gcov -t -b -c` and `llvm-cov gcov -t -b -c` print: an annotated source for each file.

use std::path::Path;

use super::{Coverage, FileCoverage, add, add_all, plain_name};

/// From the text that `gcov -t -b -c` and `llvm-cov gcov -t -b -c` print.
pub fn from_gcov(text: &str, folder: &Path) -> Coverage {
    let mut reader = Reader::default();
    for line in text.lines() {
        let number_after = |word: &str| -> u64 {
            let number = line.split(word).nth(1).and_then(|rest| rest.split_whitespace().next());
            number.and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        if let Some(rest) = line.strip_prefix("function ") {
            let name = rest.split(" called ").next().unwrap_or(rest);
            reader.function(plain_name(name), number_after(" called "));
        } else if line.starts_with("branch ") {
            reader.sides.push(number_after(" taken "));
        } else if let [count, number, source] = line.splitn(3, ':').map(str::trim).collect::<Vec<_>>()[..] {
            match (number.parse::<u32>(), source.strip_prefix("Source:")) {
                (Ok(0), Some(path)) => reader.file(folder.join(path).as_path()),
                (Ok(number @ 1..), _) if count != "-" => {
                    reader.line(number, count.trim_end_matches('*').parse().unwrap_or(0));
                }
                _ => {}
            }
        }
    }
    let mut files = reader.done();
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Coverage { files, tool: "gcov".to_owned() }
}

#[derive(Default)]
struct Reader {
    files: Vec<FileCoverage>,
    /// The names that stand above the lines that follow: a function that is compiled several times (in bitcode that was
    /// linked, each source that includes a header has its own) is named as often.
    names: Vec<String>,
    is_in_names: bool,
    line: u32,
    /// The sides of the branches of this line, of all copies of the function.
    sides: Vec<u64>,
}

impl Reader {
    fn file(&mut self, path: &Path) {
        self.flush();
        self.names.clear();
        self.files.push(FileCoverage { path: path.to_owned(), ..FileCoverage::default() });
    }

    fn function(&mut self, name: &str, calls: u64) {
        self.flush();
        if !std::mem::replace(&mut self.is_in_names, true) {
            self.names.clear();
        }
        self.names.push(name.to_owned());
        if let Some(file) = self.files.last_mut() {
            add(file.calls.entry(name.to_owned()).or_default(), calls);
        }
    }

    fn line(&mut self, number: u32, count: u64) {
        self.flush();
        self.is_in_names = false;
        self.line = number;
        if let Some(file) = self.files.last_mut() {
            add(file.counts.entry(number).or_default(), count);
        }
    }

    /// Puts the branches of the last line where they belong: those of all copies of a function are the same.
    fn flush(&mut self) {
        let sides = std::mem::take(&mut self.sides);
        let Some(file) = self.files.last_mut().filter(|_| !sides.is_empty()) else { return };
        let is_one = self.names.iter().all(|name| *name == self.names[0]);
        let copies = if is_one { self.names.len().max(1) } else { 1 };
        let width = if sides.len().is_multiple_of(copies) { sides.len() / copies } else { sides.len() };
        let known = file.sides.entry(self.line).or_default();
        sides.chunks(width).for_each(|copy| add_all(known, copy));
    }

    fn done(mut self) -> Vec<FileCoverage> {
        self.flush();
        self.files.iter_mut().for_each(FileCoverage::tally);
        self.files
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tally;
    use super::*;

    #[test]
    fn gcov_is_read() {
        let text = "        -:    0:Source:x.c\n        -:    0:Runs:1\nfunction f called 1 returned 100% blocks executed 75%\n        \
                    1*:    2:int f(int x){\nbranch  0 taken 1\nbranch  1 taken 0 (fallthrough)\n    #####:    3:  a:b;\nfunction g called 0 returned 0%\n";
        let coverage = from_gcov(text, Path::new("/a"));
        let file = &coverage.files[0];
        assert_eq!(file.path, Path::new("/a/x.c"));
        assert_eq!((file.lines, file.branches, file.functions), (half(), half(), half()));
    }

    #[test]
    fn copies_of_a_function_are_one() {
        let text = "        -:    0:Source:h.h\nfunction f called 0 returned 0%\nfunction f called 2 returned 100%\n        \
                    2:    1:int f(int x) {\n        2:    2:  if (x)\nbranch  0 never executed\nbranch  1 never executed\n\
                    branch  2 taken 2\nbranch  3 taken 0\n        2:    3:}\n";
        let file = &from_gcov(text, Path::new("/a")).files[0];
        assert_eq!((file.branches, file.functions), (half(), Tally { covered: 1, total: 1 }));
        assert_eq!(file.lines, Tally { covered: 3, total: 3 });
    }

    fn half() -> Tally {
        Tally { covered: 1, total: 2 }
    }
}
