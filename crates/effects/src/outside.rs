//! What calls do that have no text in the program, for who goes through a function for its effects: intrinsics, and functions whose body is the
//! engine. Panics of Rust are among these: nothing is there that they could come back from.

use symcrete_exec::external::Deed;
use symcrete_ir::{BinaryOp, Block, FuncId, Intrinsic, Type};

use super::held::{self, Held, Span};
use super::store::MOST_IN_OBJECT;
use super::walk::{Frame, Walk, word};

impl Walk<'_> {
    /// What an intrinsic gives, in a function that is passed this beside what it names.
    pub fn intrinsic(
        &mut self,
        frame: &mut Frame,
        intrinsic: Intrinsic,
        (arguments, rest): (&[Held], &Held),
        here: (Block, usize),
    ) -> Held {
        match (intrinsic, arguments) {
            (Intrinsic::MemoryCopy | Intrinsic::MemoryMove, [to, from, bytes, ..]) => self.store.copy(to, from, bytes),
            (Intrinsic::MemorySet, [to, byte, bytes, ..]) => self.fill(to, byte, bytes),
            (Intrinsic::VaStart, [list, ..]) => {
                let area = self.made(frame, here, Held::Nothing);
                let area = Held::to(area, false).moved(Span::anywhere_by(8), &|_| None);
                self.store.store(&area, 8, rest);
                // As the executor fills it: no argument is in a register.
                let fields = [(0, 4, Held::Word(48)), (4, 4, Held::Word(176)), (8, 8, area), (16, 8, Held::Word(0))];
                for (offset, bytes, held) in fields {
                    let field = list.moved(Span::exactly(offset), &|address| self.store.resolve(address));
                    self.store.store(&field, bytes, &held);
                }
            }
            (Intrinsic::VaCopy, [to, from, ..]) => self.store.copy(to, from, &Held::Word(24)),
            (Intrinsic::VaArg, [list, ..]) => {
                let field = list.moved(Span::exactly(8), &|address| self.store.resolve(address));
                self.store.note_read(&field, 8);
                let area =
                    self.store.load(&field, 8).moved(Span::anywhere_by(8), &|address| self.store.resolve(address));
                self.store.store(&field, 8, &area);
                self.store.note_read(&area, 8);
                return self.store.load(&area, 8);
            }
            _ => {}
        }
        Held::Any
    }

    /// The first result of an intrinsic that computes as an instruction does; whether it wrapped is the second.
    pub fn computed(&self, intrinsic: Intrinsic, ty: &Type, arguments: &[Held]) -> Option<Held> {
        let op = match intrinsic {
            Intrinsic::AddOverflowSigned | Intrinsic::AddOverflowUnsigned => BinaryOp::Add,
            Intrinsic::SubOverflowSigned | Intrinsic::SubOverflowUnsigned => BinaryOp::Sub,
            Intrinsic::MulOverflowSigned | Intrinsic::MulOverflowUnsigned => BinaryOp::Mul,
            _ => return None,
        };
        let [lhs, rhs] = arguments else { return None };
        let bits = ty.bits(self.image.pointer_bits());
        Some(held::binary(op, bits, lhs, rhs, &|address| self.store.resolve(address)))
    }

    /// A call of a function of the library that copies a string up to so many bytes, which its text counts beside the address: what it gives.
    pub fn copies_string(&mut self, callee: FuncId, arguments: &[Held]) -> Option<Vec<Held>> {
        let function = &self.image.program.functions[callee];
        let [to, from, bytes] = arguments else { return None };
        let result = match function.name.as_str() {
            _ if !function.runtime => return None,
            "strncpy" => to.clone(),
            "stpncpy" | "__stpncpy" => to.moved(Span::ANYWHERE, &|address| self.store.resolve(address)),
            "strlcpy" => Held::Any,
            _ => return None,
        };
        self.store.read_all(from);
        self.store.overwrite(to, Some(bytes.bounds(64).1.min(MOST_IN_OBJECT)));
        Some(vec![result])
    }

    fn fill(&mut self, to: &Held, byte: &Held, bytes: &Held) {
        match (word(byte), word(bytes)) {
            (Some(byte), Some(bytes)) if bytes <= 512 => {
                let pattern = Held::Word((byte & 0xFF) * 0x0101_0101_0101_0101);
                for at in (0..bytes / 8 * 8).step_by(8) {
                    let place = to.moved(Span::exactly(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 8, &pattern);
                }
                for at in bytes / 8 * 8..bytes {
                    let place = to.moved(Span::exactly(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 1, &Held::Word(byte & 0xFF));
                }
            }
            _ => self.store.overwrite(to, Some(bytes.bounds(64).1.min(MOST_IN_OBJECT))),
        }
    }

    /// A call of a function that the program does not define: what it returns, if it does.
    pub fn external(
        &mut self,
        frame: &mut Frame,
        callee: FuncId,
        arguments: &[Held],
        here: (Block, usize),
    ) -> Option<Vec<Held>> {
        let data = &self.image.program.functions[callee];
        let Some(deed) = self.image.deed(callee) else {
            self.is_unknown = true;
            return None;
        };
        match deed {
            Deed::GivesInputs => self.deeds.gives_inputs = true,
            Deed::AsksWorld => self.deeds.asks_world = true,
            Deed::MovesOn => self.deeds.moves_on = true,
            Deed::ChangesWorld => self.deeds.changes_world = true,
            Deed::Prints => {
                self.deeds.prints = true;
                // What is in a file can be read again.
                self.deeds.changes_world |= !matches!(arguments.first(), Some(Held::Word(1 | 2)));
            }
            Deed::Allocates => self.deeds.allocates = true,
            Deed::Ends => {
                self.deeds.may_end = true;
                return None;
            }
            Deed::Jumps => {
                self.is_unknown = true;
                return None;
            }
            Deed::Computes | Deed::Nothing => {}
        }
        let asks = matches!(deed, Deed::AsksWorld | Deed::MovesOn | Deed::ChangesWorld);
        let may_fail = asks || matches!(deed, Deed::Computes | Deed::Prints | Deed::Allocates);
        if let (true, Some(errno)) = (may_fail, self.image.global_named("__symcrete_errno")) {
            self.store.store(&Held::Word(errno), 4, &Held::Any);
        }
        let results = vec![Held::Any; data.results.len()];
        match (data.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, bytes]) => {
                self.store.copy(to, from, bytes);
                return Some(vec![to.clone()]);
            }
            ("memset", [to, byte, bytes]) => {
                self.fill(to, byte, bytes);
                return Some(vec![to.clone()]);
            }
            ("free" | "malloc_usable_size", _) => return Some(results),
            _ => {}
        }
        if deed == Deed::Allocates {
            let contents = if data.name == "calloc" { Held::Word(0) } else { Held::Nothing };
            let mut result = Held::to(self.made(frame, here, contents), true);
            if data.name == "realloc"
                && let Some(former) = arguments.first()
            {
                let anywhere = former.moved(Span::anywhere_by(8), &|address| self.store.resolve(address));
                self.store.note_read(&anywhere, 8);
                let held = self.store.load(&anywhere, 8);
                self.store.store(&result.moved(Span::anywhere_by(8), &|_| None), 8, &held);
                self.store.join(&mut result, former);
            }
            return Some(vec![result; data.results.len()]);
        }
        for (argument, param) in arguments.iter().zip(&data.params) {
            if param.ty.is_pointer() {
                self.store.read_all(argument);
                if asks || matches!(deed, Deed::GivesInputs | Deed::Computes) {
                    self.store.overwrite(argument, None);
                }
            }
        }
        self.store.reads_anywhere |= data.variadic;
        Some(results)
    }
}
