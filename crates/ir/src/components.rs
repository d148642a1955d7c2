//! Strongly connected components of a graph of numbered nodes (Tarjan's algorithm, without recursion).

use crate::adjacency::Adjacency;

/// Which nodes reach each other. Components are numbered so that edges between them lead to lower numbers.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The component of each node.
    pub(crate) of_node: Vec<u32>,
    /// The nodes of each component, by rising number.
    pub(crate) members: Adjacency<u32>,
}

const UNSEEN: u32 = u32::MAX;

struct Search<'a> {
    successors: &'a Adjacency<u32>,
    number: Vec<u32>,
    /// The lowest number on the stack that a node is known to reach.
    low: Vec<u32>,
    component: Vec<u32>,
    open: Vec<u32>,
    numbered: u32,
    components: u32,
}

impl Components {
    pub(crate) fn of(successors: &Adjacency<u32>) -> Self {
        let nodes = successors.nodes();
        let mut search = Search {
            successors,
            number: vec![UNSEEN; nodes],
            low: vec![0; nodes],
            component: vec![UNSEEN; nodes],
            open: Vec::new(),
            numbered: 0,
            components: 0,
        };
        for root in 0..nodes as u32 {
            if search.number[root as usize] == UNSEEN {
                search.visit(root);
            }
        }
        let pairs: Vec<(u32, u32)> = (0..nodes as u32).map(|node| (search.component[node as usize], node)).collect();
        let members = Adjacency::from_pairs(search.components as usize, &pairs);
        Components { of_node: search.component, members }
    }
}

impl Search<'_> {
    fn open_node(&mut self, node: u32, path: &mut Vec<(u32, usize)>) {
        self.number[node as usize] = self.numbered;
        self.low[node as usize] = self.numbered;
        self.numbered += 1;
        self.open.push(node);
        path.push((node, 0));
    }

    fn visit(&mut self, root: u32) {
        let mut path = Vec::new();
        self.open_node(root, &mut path);
        while let Some((node, next)) = path.last_mut() {
            let (node, at) = (*node as usize, *next);
            *next += 1;
            match self.successors.of(node).get(at) {
                Some(&successor) => {
                    let successor_index = successor as usize;
                    if self.number[successor_index] == UNSEEN {
                        self.open_node(successor, &mut path);
                    } else if self.component[successor_index] == UNSEEN {
                        self.low[node] = self.low[node].min(self.number[successor_index]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        let parent = *parent as usize;
                        self.low[parent] = self.low[parent].min(self.low[node]);
                    }
                    if self.low[node] == self.number[node] {
                        self.close(node as u32);
                    }
                }
            }
        }
    }

    /// Everything opened since `root` is one component.
    fn close(&mut self, root: u32) {
        while let Some(node) = self.open.pop() {
            self.component[node as usize] = self.components;
            if node == root {
                break;
            }
        }
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_and_ordered() {
        // 0 -> 1 <-> 2 -> 3 -> 3, and 4 alone.
        let graph = Adjacency::from_pairs(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 3)]);
        let components = Components::of(&graph);
        assert_eq!(components.of_node[1], components.of_node[2]);
        assert!(components.of_node[0] > components.of_node[1]);
        assert!(components.of_node[2] > components.of_node[3]);
        assert_eq!(components.members.of(components.of_node[1] as usize), [1, 2]);
        assert_eq!(components.members.nodes(), 4);
    }
}
