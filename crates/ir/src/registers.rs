//! Numbers that tell where registers are, and come from outside: `read(uint32_t base)` with
//! `*(volatile uint32_t *)(base + 8)`.
//!
//! Such code names no address itself, or only those that it treats in another way: `if (base == UART1)`.

use std::collections::BTreeSet;

use crate::function::{FuncBody, Value, ValueDef};
use crate::inst::{InstKind, Terminator};
use crate::module::Module;
use quipu_num::IntOp;

/// The numbers behind volatile accesses of a program.
#[derive(Default, Debug)]
pub(crate) struct Bases {
    /// Whether one of them is no constant.
    pub open: bool,
    /// The constants with which they are compared.
    pub compared: BTreeSet<u64>,
}

impl Bases {
    pub fn of(module: &Module) -> Bases {
        let mut bases = Bases::default();
        for body in module.functions.iter().filter_map(|function| function.code()) {
            bases.add(body);
        }
        bases
    }

    fn add(&mut self, body: &FuncBody) {
        let insts = || body.blocks.iter().flat_map(|block| &block.insts);
        let numbers = insts().filter_map(|inst| match inst.kind {
            InstKind::Load { ptr, volatile: true, .. }
            | InstKind::Store { ptr, volatile: true, .. }
            | InstKind::LoadBits { ptr, volatile: true, .. } => number_behind(body, ptr),
            _ => None,
        });
        let origins = origins(body, numbers.collect());
        let constant = |value: Value| match body.values[value].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        };
        self.open |= origins.iter().any(|&value| is_open(body, value));
        for inst in insts() {
            if let InstKind::IntCmp(_, a, b) = inst.kind {
                self.compared.extend(constant(b).filter(|_| origins.contains(&a)));
                self.compared.extend(constant(a).filter(|_| origins.contains(&b)));
            }
        }
        for block in body.blocks.iter() {
            if let Terminator::Switch { value, cases, .. } = &block.term
                && origins.contains(value)
            {
                self.compared.extend(cases.iter().filter(|case| case.low == case.high).map(|case| case.low));
            }
        }
    }
}

/// The number of which a pointer is made.
fn number_behind(body: &FuncBody, pointer: Value) -> Option<Value> {
    match body.maker(pointer)? {
        InstKind::IntToPtr(number) => Some(*number),
        InstKind::PtrAdd(from, _) => number_behind(body, *from),
        _ => None,
    }
}

/// The values from which numbers are computed by additions, with these numbers.
fn origins(body: &FuncBody, mut open: Vec<Value>) -> BTreeSet<Value> {
    let mut origins = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !origins.insert(value) {
            continue;
        }
        match body.maker(value) {
            Some(InstKind::Int(IntOp::Add | IntOp::Or, a, b) | InstKind::Select(_, a, b)) => {
                open.extend([*a, *b]);
            }
            Some(InstKind::Int(IntOp::Sub, a, _) | InstKind::Cast(_, a)) => open.push(*a),
            Some(_) => {}
            None => open.extend(passed(body, value)),
        }
    }
    origins
}

/// What a parameter of a block may be.
fn passed(body: &FuncBody, value: Value) -> Vec<Value> {
    let place = |(block, n): (_, Option<usize>)| n.map(|n| (block, n));
    let position = |params: &[Value]| params.iter().position(|&param| param == value);
    let mut places = body.blocks.entries().map(|(block, data)| (block, position(&data.params)));
    let Some((target, n)) = places.find_map(place) else { return Vec::new() };
    let edges = body.blocks.iter().flat_map(|block| block.term.edges());
    edges.filter(|edge| edge.target == target).map(|edge| edge.args[n]).collect()
}

/// Whether a number comes from outside: a parameter of the function, or what it reads or is told.
fn is_open(body: &FuncBody, value: Value) -> bool {
    let is_parameter = || body.blocks[body.entry()].params.contains(&value);
    match body.maker(value) {
        Some(InstKind::Load { .. } | InstKind::LoadBits { .. } | InstKind::Call(..)) => true,
        Some(_) => false,
        None => is_parameter(),
    }
}
