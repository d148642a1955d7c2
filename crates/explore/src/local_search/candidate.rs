//! The inputs of one run: what they are, and which of their bytes are numbers.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::State;
use symcrete_exec::inputs::{Input, Supply, unit};

use crate::report::GivenInput;

/// The inputs of a run, in the order in which its program asks for them.
#[derive(Clone)]
pub struct Candidate {
    /// In which of the states the run begins.
    pub root: usize,
    pub layout: Rc<Layout>,
    /// Of all inputs, one after another.
    pub bytes: Rc<[u8]>,
}

/// What the inputs are.
#[derive(Default, PartialEq)]
pub struct Layout {
    pub inputs: Vec<Place>,
    pub variables: Vec<Variable>,
}

/// Where an input stands among the bytes.
#[derive(PartialEq)]
pub struct Place {
    pub name: Rc<str>,
    pub begin: usize,
    pub end: usize,
}

/// A number among the inputs.
#[derive(Copy, Clone, PartialEq)]
pub struct Variable {
    pub begin: usize,
    pub bytes: usize,
    pub shape: Shape,
    /// The same for the same part of inputs of the same name.
    pub series: usize,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Bool,
    Integer,
    /// Of four or eight bytes.
    Float,
    /// Four or eight bytes of which nobody said what they are.
    Unknown,
}

impl Candidate {
    /// Inputs of which nothing is known: they will be zero.
    pub fn unknown(root: usize) -> Candidate {
        Candidate { root, layout: Rc::default(), bytes: Rc::default() }
    }

    /// What a test gives. Which of the bytes are numbers, a run will tell.
    pub fn of_test(root: usize, inputs: &[GivenInput]) -> Candidate {
        let mut layout = Layout::default();
        let mut bytes = Vec::new();
        for input in inputs {
            let begin = bytes.len();
            bytes.extend_from_slice(&input.bytes);
            layout.inputs.push(Place { name: input.name.as_str().into(), begin, end: bytes.len() });
        }
        Candidate { root, layout: Rc::new(layout), bytes: bytes.into() }
    }

    /// What a run asked for and was given, when it was offered this.
    pub fn given(&self, state: &State) -> Candidate {
        let inputs = state.inputs.list();
        let contents = inputs.iter().filter_map(|input| input.content.as_deref());
        let bytes = contents.flatten().copied().collect();
        let layout = if self.layout.fits(&inputs) { self.layout.clone() } else { Rc::new(Layout::new(&inputs)) };
        Candidate { root: self.root, layout, bytes }
    }

    pub fn with(&self, bytes: Vec<u8>) -> Candidate {
        Candidate { bytes: bytes.into(), ..self.clone() }
    }
}

impl Layout {
    fn fits(&self, inputs: &[&Input]) -> bool {
        let same = |(place, input): (&Place, &&Input)| {
            place.name == input.name && place.end - place.begin == input.bytes as usize
        };
        !self.variables.is_empty() && self.inputs.len() == inputs.len() && self.inputs.iter().zip(inputs).all(same)
    }

    fn new(inputs: &[&Input]) -> Layout {
        let mut layout = Layout::default();
        let mut begin = 0;
        let mut series: FxHashMap<(Rc<str>, usize), usize> = FxHashMap::default();
        for input in inputs {
            let end = begin + input.bytes as usize;
            layout.inputs.push(Place { name: input.name.clone(), begin, end });
            let bytes = unit(input) as usize;
            let ty = input.ty.as_deref().unwrap_or_default();
            let shape = match bytes {
                _ if ty == "_Bool" || ty == "bool" => Shape::Bool,
                4 if ty.starts_with("float") => Shape::Float,
                8 if ty.starts_with("double") => Shape::Float,
                4 | 8 if ty.is_empty() => Shape::Unknown,
                _ => Shape::Integer,
            };
            for at in (begin..end).step_by(bytes) {
                let number = series.len();
                let series = *series.entry((input.name.clone(), at - begin)).or_insert(number);
                layout.variables.push(Variable { begin: at, bytes, shape, series });
            }
            begin = end;
        }
        layout
    }
}

/// Where a program asks for more than it is known to, it gets what the last input of the same name was.
impl Supply for Candidate {
    fn bytes(&self, input: &Input) -> Vec<u8> {
        let named = || self.layout.inputs.iter().rev().find(|place| place.name == input.name);
        let place = self.layout.inputs.get(input.number as usize).or_else(named);
        place.map(|place| self.bytes[place.begin..place.end].to_vec()).unwrap_or_default()
    }
}
