//! The tree algorithm that HP-RDA is compared with (IPDPS'12, section II and figure 3): a balanced tree of the latest access
//! to each address, ordered by time, with the size of each subtree, and a hash table from address to node.
//!
//! The paper names several trees. This one is a splay tree (Sleator and Tarjan, JACM 1985), which is among them.

use reuse::Histogram;
use std::collections::HashMap;

/// The index of no node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    /// Earlier accesses, later accesses.
    children: [u32; 2],
    size: u32,
}

/// The latest accesses, ordered by time.
#[derive(Default)]
struct SplayTree {
    nodes: Vec<Node>,
    root: Option<u32>,
}

impl SplayTree {
    fn size(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(0, |node| node.size)
    }

    fn link(&mut self, parent: u32, side: usize, child: u32) {
        self.nodes[parent as usize].children[side] = child;
        if child != NONE {
            self.nodes[child as usize].parent = parent;
        }
    }

    fn count(&mut self, node: u32) {
        let [left, right] = self.nodes[node as usize].children;
        self.nodes[node as usize].size = 1 + self.size(left) + self.size(right);
    }

    fn side(&self, node: u32) -> usize {
        let parent = self.nodes[node as usize].parent;
        usize::from(self.nodes[parent as usize].children[1] == node)
    }

    /// Moves a node to the place of its parent.
    fn rotate(&mut self, node: u32) {
        let (parent, side) = (self.nodes[node as usize].parent, self.side(node));
        let above = self.nodes[parent as usize].parent;
        let inner = self.nodes[node as usize].children[1 - side];
        if above == NONE {
            self.nodes[node as usize].parent = NONE;
        } else {
            self.link(above, self.side(parent), node);
        }
        self.link(parent, side, inner);
        self.link(node, 1 - side, parent);
        self.count(parent);
        self.count(node);
    }

    /// Moves a node to the root of its tree.
    fn splay(&mut self, node: u32) {
        while self.nodes[node as usize].parent != NONE {
            let parent = self.nodes[node as usize].parent;
            if self.nodes[parent as usize].parent != NONE {
                let straight = self.side(node) == self.side(parent);
                self.rotate(if straight { parent } else { node });
            }
            self.rotate(node);
        }
    }

    /// Removes a node and returns the number of later ones.
    fn remove(&mut self, node: u32) -> u32 {
        self.splay(node);
        let [earlier, later] = self.nodes[node as usize].children;
        let distance = self.size(later);
        for child in [earlier, later].into_iter().filter(|&child| child != NONE) {
            self.nodes[child as usize].parent = NONE;
        }
        self.root = match (earlier, later) {
            (NONE, NONE) => None,
            (NONE, root) | (root, NONE) => Some(root),
            (mut last, later) => {
                while self.nodes[last as usize].children[1] != NONE {
                    last = self.nodes[last as usize].children[1];
                }
                self.splay(last);
                self.link(last, 1, later);
                self.count(last);
                Some(last)
            }
        };
        distance
    }

    /// Inserts a node that is later than all others.
    fn insert(&mut self, node: u32) {
        let earlier = self.root.unwrap_or(NONE);
        self.nodes[node as usize] = Node { parent: NONE, children: [NONE; 2], size: 1 };
        self.link(node, 0, earlier);
        self.count(node);
        self.root = Some(node);
    }
}

/// The histogram of a stream by the tree algorithm.
pub fn histogram(lines: &[u64]) -> Histogram {
    let (mut tree, mut nodes, mut histogram) = (SplayTree::default(), HashMap::new(), Histogram::default());
    for &line in lines {
        let next = tree.nodes.len() as u32;
        let node = *nodes.entry(line).or_insert(next);
        if node == next {
            tree.nodes.push(Node { parent: NONE, children: [NONE; 2], size: 1 });
            histogram.add(None);
        } else {
            histogram.add(Some(tree.remove(node)));
        }
        tree.insert(node);
    }
    histogram
}
