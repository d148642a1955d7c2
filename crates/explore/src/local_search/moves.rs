//! Moves: changes of inputs, small and large. Directions, which may be gone twice as far as long as that helps, and
//! replacements.

use smallvec::SmallVec;

use super::candidate::{Candidate, Shape, Variable};
use crate::path::strategy::Random;

pub enum Move {
    /// Numbers to add to variables.
    Direction(SmallVec<[Shift; 4]>),
    /// The new bytes of all inputs.
    Replacement(Vec<u8>),
}

pub struct Shift {
    variable: usize,
    view: View,
    amount: f64,
}

/// How bytes are added to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum View {
    Integer,
    Float,
    /// To the place of a float among all of its kind.
    Steps,
}

/// What moves are made from.
pub struct Moves {
    random: Random,
    /// Numbers that the program compares with and computes from.
    constants: Vec<u64>,
    /// Variables whose change was seen to matter; some more than once.
    influential: Vec<usize>,
}

/// Influential variables that are remembered.
const REMEMBERED: usize = 32;

impl Moves {
    pub fn new(random: Random, constants: Vec<u64>) -> Moves {
        Moves { random, constants, influential: Vec::new() }
    }

    /// Other inputs come to be changed, or for another reason.
    pub fn forget(&mut self) {
        self.influential.clear();
    }

    /// A move made a difference.
    pub fn learn(&mut self, made: &Move) {
        let Move::Direction(shifts) = made else { return };
        let [shift] = &shifts[..] else { return };
        if self.influential.len() < REMEMBERED {
            self.influential.push(shift.variable);
        } else {
            let at = self.random.below(REMEMBERED as u64) as usize;
            self.influential[at] = shift.variable;
        }
    }

    /// A move for inputs of which there are some; `other` are inputs that came near, too.
    pub fn propose(&mut self, from: &Candidate, other: &Candidate) -> Move {
        match self.random.below(16) {
            0..=4 => Move::Direction([self.shift(from)].into_iter().collect()),
            5..=6 => Move::Direction(self.several(from)),
            7..=11 => Move::Direction(self.series(from)),
            12 | 13 => match self.random.below(3) {
                0 => self.copy(from),
                1 => self.cross(from, other),
                _ => self.rejoin(from),
            },
            _ => self.special(from),
        }
    }

    /// Several moves at once, to get away from where nothing helps.
    pub fn shake(&mut self, from: &Candidate) -> Candidate {
        let mut shaken = from.clone();
        for _ in 0..=self.random.below(4) {
            let made =
                if self.random.once_in(2) { self.special(&shaken) } else { Move::Direction(self.several(&shaken)) };
            shaken = shaken.with(made.apply(&shaken, 1.0));
        }
        shaken
    }

    fn variable(&mut self, from: &Candidate) -> usize {
        let variables = from.layout.variables.len();
        if !self.influential.is_empty() && self.random.once_in(2) {
            let known = *self.random.one_of(&self.influential);
            if known < variables {
                return known;
            }
        }
        self.random.below(variables as u64) as usize
    }

    fn shift(&mut self, from: &Candidate) -> Shift {
        let variable = self.variable(from);
        self.shift_of(from, variable)
    }

    fn shift_of(&mut self, from: &Candidate, number: usize) -> Shift {
        let variable = from.layout.variables[number];
        let bits = variable.bytes as u64 * 8;
        let random = &mut self.random;
        let view = match variable.shape {
            Shape::Unknown if random.once_in(2) => View::Integer,
            Shape::Float | Shape::Unknown if random.once_in(8) => View::Steps,
            Shape::Float | Shape::Unknown => View::Float,
            Shape::Bool | Shape::Integer => View::Integer,
        };
        let size = match view {
            View::Integer | View::Steps => {
                let most = if random.once_in(2) { bits - 1 } else { bits.min(6) };
                (random.fraction() * most as f64).exp2().floor()
            }
            View::Float if random.once_in(2) => 10f64.powf(random.fraction() * 8.0 - 4.0),
            View::Float => {
                let value = variable.float(&from.bytes).abs();
                let value = if value.is_finite() && value > 0.0 { value } else { 1.0 };
                value * (random.fraction() * 32.0 - 30.0).exp2()
            }
        };
        let amount = if random.once_in(2) { size } else { -size };
        Shift { variable: number, view, amount }
    }

    /// A step of a random length in a random direction, of a few variables.
    fn several(&mut self, from: &Candidate) -> SmallVec<[Shift; 4]> {
        let variables = from.layout.variables.len();
        let count = 2 + self.random.below(variables.min(8) as u64);
        let scale = 10f64.powf(self.random.fraction() * 6.0 - 3.0);
        let mut shifts: SmallVec<[Shift; 4]> = SmallVec::new();
        for _ in 0..count {
            let mut shift = self.shift(from);
            let is_bool = from.layout.variables[shift.variable].shape == Shape::Bool;
            if is_bool && !self.random.once_in(4) {
                continue;
            }
            if shift.view == View::Float {
                shift.amount = self.random.normal() * scale;
            }
            if shifts.iter().all(|other| other.variable != shift.variable) {
                shifts.push(shift);
            }
        }
        shifts
    }

    /// A step of a variable and of those that a program asks for later by the same name: the same for all of them, or one that
    /// fades or grows.
    fn series(&mut self, from: &Candidate) -> SmallVec<[Shift; 4]> {
        let first = self.shift(from);
        let ratio = if self.random.once_in(3) { 1.0 } else { self.random.fraction() * 1.25 };
        let series = from.layout.variables[first.variable].series;
        let members = from.layout.variables.iter().enumerate().skip(first.variable);
        let members = members.filter(|(_, member)| member.series == series);
        let mut amount = first.amount / ratio;
        let shift = |(variable, _): (usize, &Variable)| {
            amount *= ratio;
            Shift { variable, view: first.view, amount }
        };
        members.map(shift).collect()
    }

    /// One input becomes what another one of the same name is, or all later ones become what this one is.
    fn copy(&mut self, from: &Candidate) -> Move {
        let mut bytes = from.bytes.to_vec();
        let places = &from.layout.inputs;
        let source = self.random.one_of(places);
        let same = |place: &&super::candidate::Place| {
            place.name == source.name && place.end - place.begin == source.end - source.begin
        };
        if self.random.once_in(2) {
            for place in places.iter().filter(same).filter(|place| place.begin > source.begin) {
                bytes.copy_within(source.begin..source.end, place.begin);
            }
        } else {
            let others: Vec<_> = places.iter().filter(same).collect();
            // The source is one of them.
            bytes.copy_within(source.begin..source.end, self.random.one_of(&others).begin);
        }
        Move::Replacement(bytes)
    }

    /// A float becomes one between its neighbours of the same name, or a bit beyond, and the later ones make room for it.
    fn rejoin(&mut self, from: &Candidate) -> Move {
        let variable = from.layout.variables[self.variable(from)];
        if variable.shape != Shape::Float {
            return self.special(from);
        }
        let is_like = |other: &&Variable| other.series == variable.series;
        let mut like = from.layout.variables.iter().filter(is_like).peekable();
        let mut before = 0.0;
        while let Some(earlier) = like.next_if(|other| other.begin < variable.begin) {
            before = earlier.float(&from.bytes);
        }
        let mut later = like.skip(1).peekable();
        let after = later.peek().map_or(2.0 * before, |next| next.float(&from.bytes));
        let value = before + (after - before) * self.random.fraction() * 1.5;
        let mut bytes = from.bytes.to_vec();
        variable.set_float(&mut bytes, value);
        let mut room = (value - before) * self.random.fraction();
        let ratio = 0.5 + self.random.fraction();
        for next in later {
            next.set_float(&mut bytes, next.float(&from.bytes) + room);
            room *= ratio;
        }
        Move::Replacement(bytes)
    }

    /// The first inputs stay, the others become what they were in another run.
    fn cross(&mut self, from: &Candidate, other: &Candidate) -> Move {
        let mut bytes = from.bytes.to_vec();
        if from.layout == other.layout {
            let at = self.random.one_of(&from.layout.inputs).begin;
            bytes[at..].copy_from_slice(&other.bytes[at..]);
        }
        Move::Replacement(bytes)
    }

    /// One variable becomes a number that often matters.
    fn special(&mut self, from: &Candidate) -> Move {
        const FLOATS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let variable = from.layout.variables[self.variable(from)];
        let mut bytes = from.bytes.to_vec();
        let random = &mut self.random;
        let constant = |random: &mut Random| match &self.constants[..] {
            [] => 0,
            constants => *random.one_of(constants),
        };
        let is_float = variable.shape == Shape::Float || variable.shape == Shape::Unknown && random.once_in(2);
        match (variable.shape, random.below(4)) {
            (Shape::Bool, _) => bytes[variable.begin] ^= 1,
            (_, 0) if is_float => variable.set_float(&mut bytes, -variable.float(&from.bytes)),
            (_, 1) if is_float => variable.set_float(&mut bytes, *random.one_of(&FLOATS)),
            (_, 2) if is_float => variable.set_float(&mut bytes, f64::from_bits(constant(random))),
            (_, 3) if is_float => variable.set_float(&mut bytes, (random.fraction() - 0.5) * 200.0),
            (_, 0) => bytes[variable.begin + random.below(variable.bytes as u64) as usize] ^= 1 << random.below(8),
            (_, 1) => variable.set_word(&mut bytes, variable.word(&from.bytes).wrapping_neg()),
            (_, 2) => variable.set_word(&mut bytes, constant(random)),
            _ => variable.set_word(&mut bytes, random.below(256)),
        }
        Move::Replacement(bytes)
    }
}

impl Move {
    /// The bytes after a move that goes so many times as far.
    pub fn apply(&self, from: &Candidate, times: f64) -> Vec<u8> {
        match self {
            Move::Replacement(bytes) => bytes.clone(),
            Move::Direction(shifts) => {
                let mut bytes = from.bytes.to_vec();
                for shift in shifts {
                    // The inputs may have become fewer since the move was made.
                    if let Some(variable) = from.layout.variables.get(shift.variable) {
                        variable.add(&mut bytes, shift.view, shift.amount * times);
                    }
                }
                bytes
            }
        }
    }
}

impl Variable {
    fn word(&self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..self.bytes].copy_from_slice(&bytes[self.begin..self.begin + self.bytes]);
        u64::from_le_bytes(word)
    }

    fn set_word(&self, bytes: &mut [u8], word: u64) {
        bytes[self.begin..self.begin + self.bytes].copy_from_slice(&word.to_le_bytes()[..self.bytes]);
    }

    fn float(&self, bytes: &[u8]) -> f64 {
        match self.bytes {
            4 => f64::from(f32::from_bits(self.word(bytes) as u32)),
            _ => f64::from_bits(self.word(bytes)),
        }
    }

    fn set_float(&self, bytes: &mut [u8], value: f64) {
        match self.bytes {
            4 => self.set_word(bytes, u64::from((value as f32).to_bits())),
            _ => self.set_word(bytes, value.to_bits()),
        }
    }

    fn add(&self, bytes: &mut [u8], view: View, amount: f64) {
        match view {
            View::Integer if self.shape == Shape::Bool => bytes[self.begin] ^= 1,
            View::Integer => self.set_word(bytes, self.word(bytes).wrapping_add(amount as i64 as u64)),
            View::Float => {
                let value = self.float(bytes);
                self.set_float(bytes, if value.is_finite() { value + amount } else { amount });
            }
            View::Steps => {
                let sign = 1 << (self.bytes * 8 - 1);
                let word = self.word(bytes);
                let place = (word & !sign) as i64 * if word & sign == 0 { 1 } else { -1 };
                let place = place.saturating_add(amount as i64);
                let magnitude = place.unsigned_abs() & !sign;
                self.set_word(bytes, if place < 0 { magnitude | sign } else { magnitude });
            }
        }
    }
}
