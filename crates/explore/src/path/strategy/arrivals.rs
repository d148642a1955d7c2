//! Paths in the order in which they came. Adding one, removing one, drawing one at random and telling the latest take constant time
//! on average, however many there are.

use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

use super::{PathId, Random, effort};

/// One who leaves the middle leaves a gap. There are never more gaps than paths, and none at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    places: SmallVec<[Place; 2]>,
    present: u32,
}

#[derive(Copy, Clone, Debug)]
struct Place {
    path: PackedOption<PathId>,
    /// Of all arrivals anywhere, the how-many-eth this was.
    number: u32,
}

impl Arrivals {
    pub(super) fn len(&self) -> u32 {
        self.present
    }

    /// The number of the latest arrival; 0 if nobody is there.
    pub(super) fn latest_number(&self) -> u32 {
        self.places.last().map_or(0, |place| place.number)
    }

    pub(super) fn latest(&self) -> Option<PathId> {
        self.places.last().and_then(|place| place.path.expand())
    }

    /// Any of them, all equally likely.
    pub(super) fn draw(&self, random: &mut Random) -> Option<PathId> {
        if self.present == 0 {
            return None;
        }
        // At least half of the places are taken, so that two draws are enough on average.
        loop {
            effort::step();
            let place = self.places[random.below(self.places.len() as u64) as usize];
            if let Some(path) = place.path.expand() {
                return Some(path);
            }
        }
    }

    /// Those present with the numbers of their arrivals, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, PathId)> {
        self.places.iter().filter_map(|place| Some((place.number, place.path.expand()?)))
    }

    /// Returns the place of the new path.
    pub(super) fn push(&mut self, path: PathId, number: u32) -> u32 {
        self.places.push(Place { path: path.into(), number });
        self.present += 1;
        self.places.len() as u32 - 1
    }

    /// Removes the path at a place. `moved` is told of all that have another place now.
    pub(super) fn remove(&mut self, place: u32, mut moved: impl FnMut(PathId, u32)) {
        effort::step();
        self.places[place as usize].path = None.into();
        self.present -= 1;
        while self.places.last().is_some_and(|last| last.path.is_none()) {
            effort::step();
            self.places.pop();
        }
        if self.places.len() as u32 > 2 * self.present {
            self.places.retain(|place| place.path.is_some());
            self.places.shrink_to_fit();
            for (at, (_, path)) in (0..).zip(self.iter()) {
                effort::step();
                moved(path, at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rustc_hash::FxHashMap;

    use super::*;

    #[test]
    fn any_sequence_of_changes_agrees_with_a_list() {
        let mut random = Random::new(5);
        for target in [1, 3, 40, 300] {
            let (mut arrivals, mut list, mut places) = (Arrivals::default(), Vec::new(), FxHashMap::default());
            for number in 1..2000 {
                if random.below(2 * target) < list.len() as u64 {
                    let (_, path) = list.remove(random.below(list.len() as u64) as usize);
                    let place = places.remove(&path).unwrap();
                    arrivals.remove(place, |path, place| {
                        places.insert(path, place);
                    });
                } else {
                    let path = PathId::from_u32(number);
                    places.insert(path, arrivals.push(path, number));
                    list.push((number, path));
                }
                assert_eq!(arrivals.iter().collect::<Vec<_>>(), list);
                assert_eq!(arrivals.len() as usize, list.len());
                assert_eq!(arrivals.latest(), list.last().map(|last| last.1));
                assert_eq!(arrivals.latest_number(), list.last().map_or(0, |last| last.0));
                let drawn = arrivals.draw(&mut random);
                assert_eq!(drawn.is_some(), drawn.is_some_and(|drawn| places.contains_key(&drawn)));
                assert_eq!(drawn.is_none(), list.is_empty());
            }
        }
    }

    #[test]
    fn all_are_equally_likely() {
        let mut arrivals = Arrivals::default();
        for number in 0..100 {
            arrivals.push(PathId::from_u32(number), number + 1);
        }
        (0..100).filter(|number| number % 5 == 1).for_each(|number| arrivals.remove(number, |_, _| ()));
        let (mut random, mut drawn) = (Random::new(9), [0; 100]);
        for _ in 0..80_000 {
            drawn[arrivals.draw(&mut random).unwrap().as_u32() as usize] += 1;
        }
        for (number, times) in drawn.into_iter().enumerate() {
            let expected = if number % 5 == 1 { 0..1 } else { 850..1150 };
            assert!(expected.contains(&times), "{number} was drawn {times} times");
        }
    }
}
