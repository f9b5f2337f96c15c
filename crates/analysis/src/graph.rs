//! Orders and strongly connected components of graphs given as successor tables.
//!
//! Components after Tarjan, "Depth-first search and linear graph algorithms" (1972), with an explicit stack:
//! generated code may nest deeper than ours may.

use quipu_base::{Id, IdVec, define_id};

define_id!(
    /// A strongly connected component.
    Component, "scc"
);

/// The strongly connected components of a graph.
#[derive(Clone, Debug)]
pub struct Components<I: Id> {
    /// The component of each node.
    pub of: IdVec<I, Component>,
    /// The nodes of each component, in increasing order. A component follows those that it leads to.
    pub members: IdVec<Component, Vec<I>>,
}

impl<I: Id> Components<I> {
    /// The components of a graph.
    pub fn compute(succs: &IdVec<I, Vec<I>>) -> Components<I> {
        let mut search = Search {
            succs,
            low: IdVec::filled(None, succs.len()),
            n_seen: 0,
            open: Vec::new(),
            of: IdVec::filled(None, succs.len()),
            members: IdVec::new(),
        };
        succs.ids().for_each(|node| search.visit_from(node));
        let of = search.of.iter().map(|c| c.expect("every node should be in a component")).collect();
        Components { of, members: search.members }
    }

    /// Whether a path leads from the component's nodes back to themselves.
    pub fn is_cyclic(&self, component: Component, succs: &IdVec<I, Vec<I>>) -> bool {
        let members = &self.members[component];
        members.len() > 1 || succs[members[0]].contains(&members[0])
    }
}

/// The nodes that `root` reaches, each before its successors unless it closes a cycle.
pub fn reverse_postorder<I: Id>(root: I, succs: &IdVec<I, Vec<I>>) -> Vec<I> {
    let mut seen = IdVec::<I, bool>::filled(false, succs.len());
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = stack.last_mut() {
        if let Some(&succ) = succs[*node].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[succ], true) {
                stack.push((succ, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    order.reverse();
    order
}

struct Search<'a, I> {
    succs: &'a IdVec<I, Vec<I>>,
    /// For a node that the search has seen, the earliest open node it is known to reach, by time of discovery.
    low: IdVec<I, Option<usize>>,
    n_seen: usize,
    /// The nodes whose component is not complete, in order of discovery.
    open: Vec<I>,
    of: IdVec<I, Option<Component>>,
    members: IdVec<Component, Vec<I>>,
}

impl<I: Id> Search<'_, I> {
    fn visit_from(&mut self, root: I) {
        if self.low[root].is_some() {
            return;
        }
        let mut stack = vec![self.discover(root)];
        while let Some(top) = stack.last_mut() {
            let node = top.node;
            let Some(&succ) = self.succs[node].get(top.next) else {
                let done = stack.pop().expect("the stack should not be empty");
                self.finish(done);
                if let Some(parent) = stack.last() {
                    self.lower(parent.node, node);
                }
                continue;
            };
            top.next += 1;
            if self.low[succ].is_none() {
                stack.push(self.discover(succ));
            } else {
                self.lower(node, succ);
            }
        }
    }

    fn discover(&mut self, node: I) -> Frame<I> {
        let number = self.n_seen;
        self.n_seen += 1;
        self.low[node] = Some(number);
        self.open.push(node);
        Frame { node, number, depth: self.open.len() - 1, next: 0 }
    }

    /// Lets `node` reach what `succ` reaches, unless the component of `succ` is complete.
    fn lower(&mut self, node: I, succ: I) {
        if self.of[succ].is_none() {
            self.low[node] = self.low[node].min(self.low[succ]);
        }
    }

    /// Closes the component whose first node is `done`, if it is one.
    fn finish(&mut self, done: Frame<I>) {
        if self.low[done.node] == Some(done.number) {
            let mut members = self.open.split_off(done.depth);
            members.sort_unstable();
            let component = self.members.next_id();
            members.iter().for_each(|&member| self.of[member] = Some(component));
            self.members.push(members);
        }
    }
}

/// A node whose successors are being visited.
struct Frame<I> {
    node: I,
    number: usize,
    /// Its position among the open nodes.
    depth: usize,
    next: usize,
}
