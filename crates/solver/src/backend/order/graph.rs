//! Values for terms of which it is said which are less than which others, if there are any. A term's value is the greatest length
//! of a way that leads to it, so a way that comes back to where it began and is longer than nothing is a contradiction.

/// What is known of a term by itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Free,
    Fixed(i128),
}

/// Terms are numbered from 0 on.
#[derive(Default)]
pub(super) struct Graph {
    edges: Vec<Edge>,
    different: Vec<(u32, u32)>,
}

/// The value of `to` is at least that of `from` and `more`.
#[derive(Copy, Clone)]
struct Edge {
    from: u32,
    to: u32,
    more: i128,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    Values(Vec<i128>),
    Contradiction,
    /// There may be values; finding them is for others.
    Nothing,
}

/// Visits of edges before it is left to others: a few milliseconds.
const PATIENCE: usize = 1 << 21;

impl Graph {
    pub(super) fn less(&mut self, a: u32, b: u32) {
        self.edges.push(Edge { from: a, to: b, more: 1 });
    }

    pub(super) fn less_equal(&mut self, a: u32, b: u32) {
        self.edges.push(Edge { from: a, to: b, more: 0 });
    }

    pub(super) fn different(&mut self, a: u32, b: u32) {
        self.different.push((a, b));
    }

    /// Values from `least` to `greatest` for all terms.
    pub(super) fn values(&mut self, bounds: &[Bound], least: i128, greatest: i128) -> Found {
        let given = self.edges.len();
        // Numbers from zero on are the ones that people like to read.
        let from_zero = self.values_from(bounds, 0, greatest);
        if matches!(from_zero, Found::Values(_)) || least == 0 {
            return from_zero;
        }
        self.edges.truncate(given);
        self.values_from(bounds, least, greatest)
    }

    /// The least values from `least` on, as far as the terms that must differ leave no choice.
    fn values_from(&mut self, bounds: &[Bound], least: i128, greatest: i128) -> Found {
        let mut patience = PATIENCE;
        let mut guessed = false;
        let begin = |bound: &Bound| match bound {
            Bound::Free => least,
            Bound::Fixed(value) => *value,
        };
        let mut values: Vec<i128> = bounds.iter().map(begin).collect();
        loop {
            let within = match self.raise(&mut values, &mut patience) {
                Raised::Settled => fits(&values, bounds, greatest),
                Raised::Circle => false,
                Raised::TooLong => return Found::Nothing,
            };
            if !within {
                return if guessed { Found::Nothing } else { Found::Contradiction };
            }
            let same = |pair: &&(u32, u32)| values[pair.0 as usize] == values[pair.1 as usize];
            let Some(&(a, b)) = self.different.iter().find(same) else { return Found::Values(values) };
            match (self.leads(a, b, bounds.len()), self.leads(b, a, bounds.len())) {
                (true, true) => return if guessed { Found::Nothing } else { Found::Contradiction },
                (true, false) => self.less(a, b),
                (false, true) => self.less(b, a),
                (false, false) => {
                    guessed = true;
                    // A constant stays where it is.
                    match bounds[b as usize] {
                        Bound::Free => self.less(a, b),
                        Bound::Fixed(_) => self.less(b, a),
                    }
                }
            }
        }
    }

    /// Raises values until all edges are satisfied.
    fn raise(&self, values: &mut [i128], patience: &mut usize) -> Raised {
        // The longest way without a circle has fewer edges than there are terms.
        for _ in 0..=values.len() {
            let Some(left) = patience.checked_sub(self.edges.len()) else { return Raised::TooLong };
            *patience = left;
            let mut changed = false;
            // Edges come newest first; older ones tend to be nearer to the beginning of a way.
            for edge in self.edges.iter().rev() {
                let wanted = values[edge.from as usize] + edge.more;
                let value = &mut values[edge.to as usize];
                if *value < wanted {
                    *value = wanted;
                    changed = true;
                }
            }
            if !changed {
                return Raised::Settled;
            }
        }
        Raised::Circle
    }

    /// Whether one term cannot be greater than another.
    fn leads(&self, from: u32, to: u32, count: usize) -> bool {
        let mut seen = vec![false; count];
        let mut waiting = vec![from];
        seen[from as usize] = true;
        while let Some(at) = waiting.pop() {
            if at == to {
                return true;
            }
            for edge in self.edges.iter().filter(|edge| edge.from == at) {
                if !std::mem::replace(&mut seen[edge.to as usize], true) {
                    waiting.push(edge.to);
                }
            }
        }
        false
    }
}

enum Raised {
    Settled,
    /// A circle with a `<` in it.
    Circle,
    TooLong,
}

fn fits(values: &[i128], bounds: &[Bound], greatest: i128) -> bool {
    let fits = |(value, bound): (&i128, &Bound)| match bound {
        Bound::Free => *value <= greatest,
        Bound::Fixed(fixed) => value == fixed,
    };
    values.iter().zip(bounds).all(fits)
}
