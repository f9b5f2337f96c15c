//! A table whose copies share what they have in common: a tree with sixteen children per node.
//!
//! Every edge of the program carries a copy of memory, and most of them differ in few objects. A copy costs nothing,
//! a change copies one way down the tree, and where copies meet, only those parts are looked at that differ.

use std::rc::Rc;

/// Items by number.
#[derive(Debug)]
pub(crate) struct Table<T> {
    root: Option<Rc<Node<T>>>,
    /// The levels of the tree: it has room for 16^levels items.
    levels: u32,
}

#[derive(Debug)]
enum Node<T> {
    Inner([Option<Rc<Node<T>>>; WIDTH]),
    Items([Option<Rc<T>>; WIDTH]),
}

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

// Derived, these would ask `T` to be `Clone` and `Default` as well.
impl<T> Clone for Table<T> {
    fn clone(&self) -> Table<T> {
        Table { root: self.root.clone(), levels: self.levels }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Inner(children) => Node::Inner(children.clone()),
            Node::Items(items) => Node::Items(items.clone()),
        }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { root: None, levels: 1 }
    }
}

impl<T> Table<T> {
    pub fn get(&self, n: usize) -> Option<&Rc<T>> {
        if n >= self.room() {
            return None;
        }
        let mut node = self.root.as_deref()?;
        for level in (0..self.levels).rev() {
            match node {
                Node::Inner(children) => node = children[digit(n, level)].as_deref()?,
                Node::Items(items) => return items[digit(n, 0)].as_ref(),
            }
        }
        None
    }

    /// The place of an item, to be changed.
    pub fn place(&mut self, n: usize) -> &mut Option<Rc<T>> {
        while n >= self.room() {
            self.grow();
        }
        let mut place = &mut self.root;
        for level in (1..self.levels).rev() {
            let node = Rc::make_mut(place.get_or_insert_with(|| Rc::new(Node::Inner(Default::default()))));
            let Node::Inner(children) = node else { unreachable!("items stand on the lowest level only") };
            place = &mut children[digit(n, level)];
        }
        let node = Rc::make_mut(place.get_or_insert_with(|| Rc::new(Node::Items(Default::default()))));
        let Node::Items(items) = node else { unreachable!("items stand on the lowest level") };
        &mut items[digit(n, 0)]
    }

    fn room(&self) -> usize {
        1usize.checked_shl(BITS * self.levels).unwrap_or(usize::MAX)
    }

    fn grow(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children: [Option<Rc<Node<T>>>; WIDTH] = Default::default();
            children[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(children)));
        }
        self.levels += 1;
    }

    /// One table for several. Items that are not the same in all of them are given to `join`.
    pub fn join(
        tables: &[&Table<T>],
        mut join: impl FnMut(usize, &[Option<&Rc<T>>]) -> Option<Rc<T>>,
    ) -> Table<T> {
        let levels = tables.iter().map(|table| table.levels).max().unwrap_or(1);
        let grown: Vec<Table<T>> = tables
            .iter()
            .map(|&table| {
                let mut table = table.clone();
                while table.levels < levels {
                    table.grow();
                }
                table
            })
            .collect();
        let roots: Vec<Option<&Rc<Node<T>>>> = grown.iter().map(|table| table.root.as_ref()).collect();
        Table { root: join_nodes(&roots, levels - 1, 0, &mut join), levels }
    }
}

fn digit(n: usize, level: u32) -> usize {
    n >> (BITS * level) & (WIDTH - 1)
}

fn join_nodes<T>(
    nodes: &[Option<&Rc<Node<T>>>],
    level: u32,
    first: usize,
    join: &mut impl FnMut(usize, &[Option<&Rc<T>>]) -> Option<Rc<T>>,
) -> Option<Rc<Node<T>>> {
    if all_same(nodes) {
        return nodes[0].cloned();
    }
    if level == 0 {
        let items = std::array::from_fn(|n| {
            let items: Vec<Option<&Rc<T>>> = nodes
                .iter()
                .map(|node| match node.map(|node| &**node) {
                    Some(Node::Items(items)) => items[n].as_ref(),
                    _ => None,
                })
                .collect();
            if all_same(&items) { items[0].cloned() } else { join(first + n, &items) }
        });
        return Some(Rc::new(Node::Items(items)));
    }
    let children = std::array::from_fn(|n| {
        let children: Vec<Option<&Rc<Node<T>>>> = nodes
            .iter()
            .map(|node| match node.map(|node| &**node) {
                Some(Node::Inner(children)) => children[n].as_ref(),
                _ => None,
            })
            .collect();
        join_nodes(&children, level - 1, first + (n << (BITS * level)), join)
    });
    Some(Rc::new(Node::Inner(children)))
}

fn all_same<T>(items: &[Option<&Rc<T>>]) -> bool {
    items.iter().all(|item| match (item, items[0]) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_do_not_see_changes() {
        let mut table: Table<usize> = Table::default();
        let mut copies = Vec::new();
        for n in [3, 0, 200, 17, 5000, 16] {
            *table.place(n) = Some(Rc::new(n));
            copies.push((n, table.clone()));
        }
        for (at, (_, copy)) in copies.iter().enumerate() {
            for (other, (n, _)) in copies.iter().enumerate() {
                assert_eq!(copy.get(*n).map(|item| **item), (other <= at).then_some(*n));
            }
        }
        assert_eq!(table.get(1 << 40), None);
    }

    #[test]
    fn joins_ask_only_where_tables_differ() {
        let mut a: Table<usize> = Table::default();
        for n in 0..100 {
            *a.place(n) = Some(Rc::new(n));
        }
        let mut b = a.clone();
        *b.place(7) = Some(Rc::new(70));
        *b.place(300) = Some(Rc::new(1));
        *b.place(50) = None;
        let mut asked = Vec::new();
        let joined = Table::join(&[&a, &b], |n, items| {
            asked.push((n, items.iter().map(|item| item.map(|item| **item)).collect::<Vec<_>>()));
            items[1].or(items[0]).cloned()
        });
        let expected = [(7, vec![Some(7), Some(70)]), (50, vec![Some(50), None]), (300, vec![None, Some(1)])];
        assert_eq!(asked, expected);
        let values: Vec<usize> =
            [6, 7, 50, 99, 300].iter().map(|&n| **joined.get(n).expect("it is there")).collect();
        assert_eq!(values, [6, 70, 50, 99, 1]);
    }
}
