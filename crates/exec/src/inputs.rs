//! What a path was given from outside: the objects that its program made symbolic, in the order in which it asked for them.
//! Each is a variable of the expressions, or bytes from a supply when a run is concrete.

use std::rc::Rc;

use smallvec::SmallVec;
use symcrete_expr::dag::Variable;
use symcrete_expr::{Arena, Expr};
use symcrete_memory::Cell;

/// One thing that a program was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its place in the order of the path's inputs.
    pub number: u32,
    pub name: Rc<str>,
    pub kind: InputKind,
    pub bytes: u32,
    /// Its type as C writes it, where that is known.
    pub ty: Option<Rc<str>>,
    /// The bytes if the run is concrete, `None` if they are variables.
    pub content: Option<Rc<[u8]>>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// Memory that the program named: `klee_make_symbolic`.
    Object,
    /// The result of a call: `__VERIFIER_nondet_int`.
    Result,
    /// A parameter of the entry function.
    Parameter,
    /// What a pointer of an input points to.
    Pointee,
    /// An argument of the command line.
    Argument,
    StandardInput,
    File,
    /// How long another input is.
    Length,
    /// What the machine decides rather than the program's user; tests do not say it.
    Machine,
}

/// Where a concrete run gets its inputs from.
pub trait Supply {
    /// As many bytes as the input has.
    fn bytes(&self, input: &Input) -> Vec<u8>;
}

/// The inputs of one path. A clone shares what was there before.
#[derive(Clone, Default)]
pub struct Inputs {
    newest: Option<Rc<Link>>,
    /// If there is one, inputs are concrete.
    pub supply: Option<Rc<dyn Supply>>,
}

struct Link {
    input: Input,
    older: Option<Rc<Link>>,
}

/// One by one: a program may ask a million times.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(Ok(mut link)) = next.map(Rc::try_unwrap) {
            next = link.older.take();
        }
    }
}

impl Inputs {
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.input.number as usize + 1)
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// The oldest first.
    pub fn list(&self) -> Vec<&Input> {
        let mut list: Vec<&Input> = std::iter::successors(self.newest.as_deref(), |link| link.older.as_deref())
            .map(|link| &link.input)
            .collect();
        list.reverse();
        list
    }

    /// Adds an input; what its bytes are.
    pub fn make(
        &mut self,
        arena: &mut Arena,
        name: &str,
        kind: InputKind,
        bytes: u32,
        ty: Option<&str>,
    ) -> SmallVec<[Cell; 8]> {
        let mut input =
            Input { number: self.len() as u32, name: name.into(), kind, bytes, ty: ty.map(Rc::from), content: None };
        let cells = match &self.supply {
            Some(supply) => {
                let mut content = supply.bytes(&input);
                content.resize(bytes as usize, 0);
                let cells = content.iter().map(|bits| Cell::Byte { bits: *bits, undefined: 0 }).collect();
                input.content = Some(content.into());
                cells
            }
            None => parts(arena, &input),
        };
        self.newest = Some(Rc::new(Link { input, older: self.newest.take() }));
        cells
    }
}

/// The variables of an input, one for each scalar or byte: (where it begins, its expression).
pub fn variables(arena: &mut Arena, input: &Input) -> SmallVec<[(u32, Expr); 8]> {
    let unit = unit(input);
    let variable = |offset| Variable { input: input.number, offset, width: unit * 8, index_width: 0 };
    (0..input.bytes).step_by(unit as usize).map(|offset| (offset, arena.variable(variable(offset)))).collect()
}

/// The bytes of one variable: an element of an array, a number; where that is not known, what looks like one. Texts are bytes.
pub fn unit(input: &Input) -> u32 {
    let is_text = matches!(input.kind, InputKind::Argument | InputKind::StandardInput | InputKind::File);
    let is_scalar = |bytes: u32| !is_text && matches!(bytes, 1 | 2 | 4 | 8);
    let ty = input.ty.as_deref().unwrap_or_default();
    let counts =
        ty.split('[').skip(1).map(|rest| rest.split(']').next().and_then(|count| count.trim().parse::<u32>().ok()));
    let elements = counts.map(|count| count.filter(|count| *count > 0)).product::<Option<u32>>();
    match elements {
        _ if (ty.ends_with('*') || ty.contains("(*")) && is_scalar(input.bytes) => input.bytes,
        _ if ty.starts_with("struct ") || ty.starts_with("union ") => 1,
        Some(count) if input.bytes.is_multiple_of(count) && is_scalar(input.bytes / count) => input.bytes / count,
        Some(1) | None if is_scalar(input.bytes) => input.bytes,
        _ => 1,
    }
}

fn parts(arena: &mut Arena, input: &Input) -> SmallVec<[Cell; 8]> {
    let mut cells = SmallVec::new();
    for (_, expr) in variables(arena, input) {
        let bytes = arena.width(expr) / 8;
        cells.extend((0..bytes).map(|index| Cell::Part { expr, index }));
    }
    cells
}
