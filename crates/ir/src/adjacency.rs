//! Lists of neighbours for nodes numbered from zero, all in one vector. What the neighbours mean is the user's matter.

/// For each node a list of items, stored back to back.
#[derive(Clone, Debug)]
pub(crate) struct Adjacency<T> {
    /// The list of node `n` is `items[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Adjacency<T> {
    /// Groups pairs by their node; items of one node keep the order of the pairs.
    pub(crate) fn from_pairs(nodes: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (node, _) in pairs {
            starts[*node as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let Some((_, any)) = pairs.first() else {
            return Adjacency { starts, items: Vec::new() };
        };
        let mut items = vec![*any; pairs.len()];
        let mut next = starts.clone();
        for (node, item) in pairs {
            let place = &mut next[*node as usize];
            items[*place as usize] = *item;
            *place += 1;
        }
        Adjacency { starts, items }
    }

    #[inline]
    pub(crate) fn of(&self, node: usize) -> &[T] {
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    pub(crate) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_order() {
        let lists = Adjacency::from_pairs(4, &[(2, 'a'), (0, 'b'), (2, 'c')]);
        assert_eq!(lists.of(0), ['b']);
        assert_eq!(lists.of(1), []);
        assert_eq!(lists.of(2), ['a', 'c']);
        assert_eq!(lists.of(3), []);
        assert_eq!(lists.nodes(), 4);
    }
}
