//! The order in which blocks are executed: forward where possible, and again for each turn of a loop.
//!
//! A weak topological order (Bourdoncle, 1993): blocks and components in a row; a component has a head and an order of
//! its own. Every edge leads forward in the row, or back to the head of a component that contains its source. It
//! exists for every graph, also where `goto` leads into the middle of a loop.

use quipu_base::IdVec;
use quipu_ir::{Block, FuncBody, InstKind, Slot, Value};
use rustc_hash::FxHashSet;

use crate::apart::{self_contained, steering};
use crate::carried::{carried_to, used};

/// The order of a function's blocks.
#[derive(Debug)]
pub(crate) struct Order {
    pub items: Vec<Item>,
    /// For each block the components around it, from the outside, by their heads.
    pub around: IdVec<Block, Vec<Block>>,
    /// For each block the values that every path to it brings along.
    pub carried_to: IdVec<Block, Vec<Value>>,
    /// For each slot the components, by their heads, in which its life may end.
    pub ends_in: IdVec<Slot, FxHashSet<Block>>,
    /// Whether something uses a value.
    pub used: IdVec<Value, bool>,
    /// For each block, whether nothing outside of it uses a value that it computes, nor one of its parameters.
    pub is_self_contained: IdVec<Block, bool>,
    /// For each block the numbers of those parameters from which places in memory are computed.
    pub steering: IdVec<Block, Vec<usize>>,
    position: IdVec<Block, usize>,
}

/// A part of the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    Block(Block),
    Component(Block, Vec<Item>),
}

impl Order {
    pub fn of(code: &FuncBody) -> Order {
        let mut search =
            Search { code, number: IdVec::filled(0, code.blocks.len()), next: 0, stack: Vec::new() };
        let mut items = Vec::new();
        search.visit(code.entry(), &mut items);
        items.reverse();
        let mut order = Order {
            items: Vec::new(),
            around: IdVec::filled(Vec::new(), code.blocks.len()),
            carried_to: IdVec::default(),
            ends_in: IdVec::filled(FxHashSet::default(), code.slots.len()),
            used: IdVec::filled(false, code.values.len()),
            is_self_contained: self_contained(code),
            steering: steering(code),
            position: IdVec::filled(usize::MAX, code.blocks.len()),
        };
        order.enter(&items, &mut Vec::new(), &mut 0);
        order.items = items;
        order.carried_to = carried_to(code, &order.around);
        code.blocks.iter().flat_map(used).for_each(|value| order.used[value] = true);
        order.find_ends(code);
        order
    }

    /// Whether an edge leads back to the head of a component.
    pub fn is_back(&self, from: Block, to: Block) -> bool {
        self.position[to] <= self.position[from]
    }

    fn enter(&mut self, items: &[Item], around: &mut Vec<Block>, next: &mut usize) {
        for item in items {
            match item {
                Item::Block(block) => self.place(*block, around, next),
                Item::Component(head, inner) => {
                    around.push(*head);
                    self.place(*head, around, next);
                    self.enter(inner, around, next);
                    around.pop();
                }
            }
        }
    }

    fn place(&mut self, block: Block, around: &[Block], next: &mut usize) {
        self.around[block] = around.to_vec();
        self.position[block] = *next;
        *next += 1;
    }

    fn find_ends(&mut self, code: &FuncBody) {
        for (block, data) in code.blocks.entries() {
            for inst in &data.insts {
                if let InstKind::SlotEnd(slot) = inst.kind {
                    self.ends_in[slot].extend(self.around[block].iter().copied());
                }
            }
        }
    }
}

/// Bourdoncle's search. Blocks are numbered in the order of discovery; `usize::MAX` marks one that is placed.
struct Search<'a> {
    code: &'a FuncBody,
    number: IdVec<Block, usize>,
    next: usize,
    stack: Vec<Block>,
}

/// A block on the way of the search, without recursion: functions can be long.
struct Step {
    block: Block,
    successor: usize,
    head: usize,
    is_loop: bool,
}

impl Search<'_> {
    /// Appends the order of what is reachable from a block, last one first.
    fn visit(&mut self, start: Block, items: &mut Vec<Item>) {
        let mut path = vec![self.discover(start)];
        while let Some(step) = path.last_mut() {
            let block = step.block;
            let target = self.code.blocks[block].term.edges().nth(step.successor).map(|edge| edge.target);
            if let Some(target) = target {
                step.successor += 1;
                match self.number[target] {
                    0 => {
                        let next = self.discover(target);
                        path.push(next);
                    }
                    found => note(step, found),
                }
                continue;
            }
            let done = path.pop().expect("the path is not empty");
            self.finish(&done, items);
            if let Some(parent) = path.last_mut() {
                note(parent, done.head);
            }
        }
    }

    fn discover(&mut self, block: Block) -> Step {
        self.next += 1;
        self.number[block] = self.next;
        self.stack.push(block);
        Step { block, successor: 0, head: self.next, is_loop: false }
    }

    fn finish(&mut self, step: &Step, items: &mut Vec<Item>) {
        if step.head != self.number[step.block] {
            return;
        }
        self.number[step.block] = usize::MAX;
        let mut element = self.stack.pop().expect("the block is on the stack");
        if !step.is_loop {
            items.push(Item::Block(step.block));
            return;
        }
        while element != step.block {
            self.number[element] = 0;
            element = self.stack.pop().expect("the block is on the stack");
        }
        let inner = self.component(step.block);
        items.push(Item::Component(step.block, inner));
    }

    /// The order of a component without its head.
    fn component(&mut self, head: Block) -> Vec<Item> {
        let mut items = Vec::new();
        let targets: Vec<Block> = self.code.blocks[head].term.edges().map(|edge| edge.target).collect();
        for target in targets {
            if self.number[target] == 0 {
                self.visit(target, &mut items);
            }
        }
        items.reverse();
        items
    }
}

/// Takes note of an edge to a block with a number, which may be a loop's head.
fn note(step: &mut Step, found: usize) {
    if found <= step.head {
        step.head = found;
        step.is_loop = true;
    }
}
