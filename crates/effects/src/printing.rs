//! Printing with a format, for who goes through a function for its effects: the text of printf writes wherever a `%n` says, and through tables that
//! tell nothing. What it does for a constant format without one is to write some bytes, and to read the strings that it is given.

use symcrete_ir::{Block, FuncId};

use super::held::{Held, Object, Span};
use super::store::MOST_IN_OBJECT;
use super::walk::{Frame, Walk};

/// Formats of more bytes are not looked through.
const MOST_BYTES: u64 = 4096;

/// A call that prints.
struct Printing {
    to: To,
    format: Held,
    given: Given,
}

enum To {
    Stream(Held),
    /// So many bytes from here on, if that is known.
    Memory(Held, Held),
}

/// What is printed.
enum Given {
    /// These.
    Arguments(Vec<Held>),
    /// What this `va_list` leads to.
    List(Held),
}

impl Walk<'_> {
    /// A call of a function that prints with a format: whether it is one of which all is known.
    pub fn prints(&mut self, frame: &mut Frame, callee: FuncId, arguments: &[Held], here: (Block, usize)) -> bool {
        let Some(Printing { to, format, given }) = self.printing(callee, arguments) else { return false };
        let write = self.image.program.function_named("__stream_write");
        let Some(strings) = self.strings(&format) else { return false };
        if matches!(to, To::Stream(_)) && write.is_none() {
            return false;
        }
        match given {
            Given::Arguments(arguments) => {
                let strings = strings.into_iter().filter_map(|at| arguments.get(at));
                strings.for_each(|string| self.store.read_all(string));
            }
            Given::List(list) => {
                let field = list.moved(Span::exactly(8), &|address| self.store.resolve(address));
                self.store.note_read(&list, 24);
                let area =
                    self.store.load(&field, 8).moved(Span::anywhere_by(8), &|address| self.store.resolve(address));
                self.store.store(&field, 8, &area);
                self.store.note_read(&area, 8);
                if !strings.is_empty() {
                    let string = self.store.load(&area, 8);
                    self.store.read_all(&string);
                }
            }
        }
        if let Some(errno) = self.image.global_named("__symcrete_errno") {
            self.store.store(&Held::Word(errno), 4, &Held::Any);
        }
        match to {
            To::Memory(memory, bytes) => {
                self.store.overwrite(&memory, Some(bytes.bounds(64).1.min(MOST_IN_OBJECT)));
            }
            To::Stream(stream) => {
                let Some(write) = write else { return false };
                // One place for what is printed at a call.
                let stage = self.made(frame, (here.0, here.1 << 8 | 0xFF), Held::Any);
                self.enter(frame, write, vec![stream, Held::to(stage, false), Held::Any], Held::Nothing, here);
            }
        }
        // It may print nothing.
        frame.called.entry(here).or_default().others = true;
        true
    }

    fn printing(&mut self, callee: FuncId, arguments: &[Held]) -> Option<Printing> {
        let function = &self.image.program.functions[callee];
        if !function.runtime {
            return None;
        }
        let (to, format, given) = match (function.name.as_str(), arguments) {
            ("printf", [format, given @ ..]) => {
                let stdout = Held::Word(self.image.global_named("stdout")?);
                self.store.note_read(&stdout, 8);
                (To::Stream(self.store.load(&stdout, 8)), format, Given::Arguments(given.to_vec()))
            }
            ("fprintf", [stream, format, given @ ..]) => {
                (To::Stream(stream.clone()), format, Given::Arguments(given.to_vec()))
            }
            ("sprintf", [memory, format, given @ ..]) => {
                (To::Memory(memory.clone(), Held::Any), format, Given::Arguments(given.to_vec()))
            }
            ("snprintf", [memory, bytes, format, given @ ..]) => {
                (To::Memory(memory.clone(), bytes.clone()), format, Given::Arguments(given.to_vec()))
            }
            ("__format_to_stream", [stream, format, list]) => {
                (To::Stream(stream.clone()), format, Given::List(list.clone()))
            }
            ("__format_to_memory", [memory, bytes, format, list]) => {
                (To::Memory(memory.clone(), bytes.clone()), format, Given::List(list.clone()))
            }
            _ => return None,
        };
        Some(Printing { to, format: format.clone(), given })
    }

    /// Which of the arguments behind a format are strings. `None` if it is not constant, or does more than to print.
    fn strings(&self, format: &Held) -> Option<Vec<usize>> {
        let Held::Word(begin) = format else { return None };
        let Some((Object::Constant(_), _)) = self.store.resolve(*begin) else { return None };
        let mut bytes = (0..MOST_BYTES).map_while(|at| match self.store.before(begin + at, 1) {
            Held::Word(byte) => Some(byte as u8),
            _ => None,
        });
        let (mut strings, mut argument) = (Vec::new(), 0);
        loop {
            match bytes.next()? {
                0 => return Some(strings),
                b'%' => {}
                _ => continue,
            }
            loop {
                match bytes.next()? {
                    b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'.' => continue,
                    b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't' => continue,
                    b'*' => {
                        argument += 1;
                        continue;
                    }
                    b'%' => {}
                    b's' => {
                        strings.push(argument);
                        argument += 1;
                    }
                    b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'p' | b'a'..=b'g' | b'A' | b'E'..=b'G' => {
                        argument += 1;
                    }
                    _ => return None,
                }
                break;
            }
        }
    }
}
