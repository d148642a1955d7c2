//! Reading arrays: elements at constant places by a tree over the bits of the index, other writes by comparing indices, array
//! variables by one input for each distinct index. That equal indices then mean equal elements is stated in `instance`, for
//! those reads that a query needs.

use std::collections::BTreeMap;

use symcrete_expr::dag::{Arena, Expr, Op};

use super::encode::{Encoder, Task};
use super::gate::{Literal, Owner};
use super::vector::Vector;

/// An element of an array variable.
pub(super) struct Read {
    pub(super) array: Expr,
    pub(super) index: Vector,
    pub(super) element: Vector,
}

/// An array as a list of elements at constant places, over another array or over zeros.
struct Layout {
    /// In order of the places; only those that the constant bits of the index leave possible.
    places: Vec<(u64, Expr)>,
    base: Option<Expr>,
}

impl Encoder {
    /// Pushes what must be encoded before the element.
    pub(super) fn push_missing_for_read(&mut self, arena: &Arena, array: Expr, index: Expr, stack: &mut Vec<Task>) {
        let mut needed: Vec<Task> = vec![Task::Value(index)];
        let node = arena.node(array);
        let is_index_done = self.is_done(Task::Value(index));
        match node.op {
            Op::ArrayIte => {
                needed.push(Task::Value(node.first()));
                needed.push(Task::Read(node.second(), index));
                needed.push(Task::Read(node.third(), index));
            }
            _ if is_index_done && has_place(arena, array) => {
                let layout = layout(arena, array, &self.vector(arena, index));
                needed.extend(layout.places.iter().map(|(_, element)| Task::Value(*element)));
                needed.extend(layout.base.map(|base| Task::Read(base, index)));
            }
            Op::Store if is_index_done && self.is_done(Task::Value(node.second())) => {
                let same = self.is_written_index(arena, node.second(), index);
                if same != Literal::FALSE {
                    needed.push(Task::Value(node.third()));
                }
                if same != Literal::TRUE {
                    needed.push(Task::Read(node.first(), index));
                }
            }
            Op::Store => needed.push(Task::Value(node.second())),
            _ => {}
        }
        stack.extend(needed.into_iter().filter(|&task| !self.is_done(task)));
    }

    fn is_written_index(&mut self, arena: &Arena, written: Expr, index: Expr) -> Literal {
        if written == index {
            return Literal::TRUE;
        }
        let (written, index) = (self.vector(arena, written), self.vector(arena, index));
        self.gates.equal(&written, &index)
    }

    /// The literals of an element whose parts are encoded.
    pub(super) fn element(&mut self, arena: &Arena, array: Expr, index: Expr) -> Vector {
        let node = arena.node(array);
        match node.op {
            Op::ArrayIte => {
                let condition = self.vector(arena, node.first())[0];
                let a = self.read_vector(arena, node.second(), index);
                let b = self.read_vector(arena, node.third(), index);
                self.gates.choose(condition, &a, &b)
            }
            _ if has_place(arena, array) => self.element_at_place(arena, array, index),
            Op::Store => {
                let same = self.is_written_index(arena, node.second(), index);
                match same {
                    Literal::TRUE => self.vector(arena, node.third()),
                    Literal::FALSE => self.read_vector(arena, node.first(), index),
                    _ => {
                        let written = self.vector(arena, node.third());
                        let before = self.read_vector(arena, node.first(), index);
                        self.gates.choose(same, &written, &before)
                    }
                }
            }
            _ => self.variable_element(arena, array, index),
        }
    }

    fn element_at_place(&mut self, arena: &Arena, array: Expr, index: Expr) -> Vector {
        let bits = self.vector(arena, index);
        let layout = layout(arena, array, &bits);
        let otherwise = match layout.base {
            Some(base) => self.read_vector(arena, base, index),
            None => (0..arena.width(array)).map(|_| Literal::FALSE).collect(),
        };
        self.choose_place(arena, &layout.places, &bits, &otherwise)
    }

    /// The element of these at the place that the index says, by its highest bit that tells them apart. As deep as the index
    /// is wide.
    fn choose_place(
        &mut self,
        arena: &Arena,
        places: &[(u64, Expr)],
        index: &[Literal],
        otherwise: &[Literal],
    ) -> Vector {
        let ((first, element), (last, _)) = match places {
            [] => return otherwise.into(),
            [first, ..] => (*first, places[places.len() - 1]),
        };
        let is = |bit: usize| bit < 64 && first >> bit & 1 == 1;
        // Bits that all places have in common must be those of the index.
        let common = if first == last { 0 } else { 64 - (first ^ last).leading_zeros() as usize };
        let common_bits = (common..index.len()).map(|bit| index[bit].flipped(!is(bit)));
        let inside = self.gates.and_many(common_bits);
        if inside == Literal::FALSE {
            return otherwise.into();
        }
        let chosen = match common {
            0 => self.vector(arena, element),
            _ => {
                let bit = common - 1;
                let middle = places.partition_point(|(place, _)| place >> bit & 1 == 0);
                let low = self.choose_place(arena, &places[..middle], &index[..bit], otherwise);
                let high = self.choose_place(arena, &places[middle..], &index[..bit], otherwise);
                self.gates.choose(index[bit], &high, &low)
            }
        };
        self.gates.choose(inside, &chosen, otherwise)
    }

    fn variable_element(&mut self, arena: &Arena, array: Expr, index: Expr) -> Vector {
        let index = self.vector(arena, index);
        let key = (array, index.as_slice().into());
        if let Some(&known) = self.read_numbers.get(&key) {
            return self.reads[known as usize].element.clone();
        }
        let number = self.reads.len() as u32;
        let element = self.gates.inputs(arena.width(array) as usize, Owner::Read(number));
        self.reads.push(Read { array, index, element: element.clone() });
        self.read_numbers.insert(key, number);
        element
    }
}

/// Whether the array is a table, or written at a constant place.
fn has_place(arena: &Arena, array: Expr) -> bool {
    let node = arena.node(array);
    match node.op {
        Op::Table => true,
        Op::Store => constant_place(arena, node.second()).is_some(),
        _ => false,
    }
}

fn constant_place(arena: &Arena, index: Expr) -> Option<u64> {
    arena.as_constant(index)?.to_u64()
}

/// The elements at constant places down to the first array that is something else.
fn layout(arena: &Arena, array: Expr, index: &[Literal]) -> Layout {
    let agrees = |place: u64| {
        let bit = |at: usize| at < 64 && place >> at & 1 == 1;
        let exists = index.len() >= 64 || place >> index.len() == 0;
        exists
            && index
                .iter()
                .enumerate()
                .all(|(at, &literal)| !literal.is_constant() || (literal == Literal::TRUE) == bit(at))
    };
    let mut places = BTreeMap::new();
    let mut base = array;
    loop {
        let node = arena.node(base);
        match node.op {
            Op::Table => {
                for (place, &element) in (0..).zip(arena.elements(base)).filter(|(place, _)| agrees(*place)) {
                    places.entry(place).or_insert(element);
                }
                return Layout { places: places.into_iter().collect(), base: None };
            }
            Op::Store if let Some(place) = constant_place(arena, node.second()) => {
                if agrees(place) {
                    // What was written last is met first.
                    places.entry(place).or_insert(node.third());
                }
                base = node.first();
            }
            _ => return Layout { places: places.into_iter().collect(), base: Some(base) },
        }
    }
}
