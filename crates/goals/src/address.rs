//! What the code itself says about pointers: into which variable they point, and how far.

use std::collections::BTreeMap;

use quipu_base::IdVec;
use quipu_ir::{Block, Check, FuncBody, Global, Inst, InstKind, Module, Slot, Value, ValueDef};
use quipu_num::{Guard, IntOp};

/// What a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    Slot(Slot),
    Global(Global),
    Function,
    Unknown,
}

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub root: Root,
    /// The least and the greatest offset in bytes, if known.
    range: Option<(i128, i128)>,
    /// The offset is a multiple of this.
    multiple: u64,
}

impl Address {
    fn at(root: Root, offset: i128) -> Address {
        Address { root, range: Some((offset, offset)), multiple: divisor(0, offset) }
    }

    /// Whether so many bytes from here on belong to the variable.
    pub fn is_inside(&self, module: &Module, body: &FuncBody, size: u64) -> bool {
        let whole = match self.root {
            Root::Slot(slot) => body.slots[slot].size,
            Root::Global(global) => module.globals[global].size,
            Root::Function | Root::Unknown => return false,
        };
        self.range.is_some_and(|(low, high)| low >= 0 && high + i128::from(size) <= i128::from(whole))
    }

    /// Whether the address is surely a multiple. Every object starts at a multiple of everything.
    pub fn is_aligned(&self, align: u64) -> bool {
        align <= 1 || (self.root != Root::Unknown && self.multiple.is_multiple_of(align))
    }
}

/// The addresses that a function computes.
pub(crate) struct Addresses<'a> {
    body: &'a FuncBody,
    defs: IdVec<Value, Option<(Block, usize)>>,
    moved: BTreeMap<Value, Address>,
    ended: Vec<Slot>,
}

impl<'a> Addresses<'a> {
    pub fn of(module: &Module, body: &'a FuncBody) -> Addresses<'a> {
        let mut defs = IdVec::filled(None, body.values.len());
        let mut ended = Vec::new();
        for (block, data) in body.blocks.entries() {
            for (number, inst) in data.insts.iter().enumerate() {
                if let Some(result) = inst.result {
                    defs[result] = Some((block, number));
                }
                if let InstKind::SlotEnd(slot) = inst.kind {
                    ended.push(slot);
                }
            }
        }
        let mut addresses = Addresses { body, defs, moved: BTreeMap::new(), ended };
        let address_bits = module.data_model.address_ty().width().map_or(64, |width| width.bits());
        for data in body.blocks.iter() {
            addresses.moves(&data.insts, address_bits);
        }
        addresses
    }

    /// The moved pointers of a block. An index that was just checked is within its bounds.
    fn moves(&mut self, insts: &[Inst], address_bits: u32) {
        let mut bounds: BTreeMap<Value, i128> = BTreeMap::new();
        for inst in insts {
            match (&inst.kind, inst.result) {
                (InstKind::Check(Check::Guard(guard), index, length), _) => {
                    let ValueDef::Const(length) = self.body.values[*length].def else { continue };
                    match guard {
                        Guard::IndexBelow(_) => bounds.insert(*index, i128::from(length) - 1),
                        Guard::IndexAtMost(_) => bounds.insert(*index, i128::from(length)),
                        _ => None,
                    };
                }
                (InstKind::PtrAdd(base, delta), Some(result)) => {
                    let base = self.of_value(*base);
                    let (range, multiple) = self.delta(*delta, &bounds, address_bits);
                    let range = base.range.zip(range).map(|((a, b), (x, y))| (a + x, b + y));
                    let multiple = divisor(base.multiple, i128::from(multiple));
                    self.moved.insert(result, Address { root: base.root, range, multiple });
                }
                _ => {}
            }
        }
    }

    /// The range of a distance in bytes, and what it is a multiple of.
    fn delta(
        &self,
        delta: Value,
        bounds: &BTreeMap<Value, i128>,
        address_bits: u32,
    ) -> (Option<(i128, i128)>, u64) {
        let bounded = |value: Value| bounds.get(&value).map(|&most| (0, most));
        if let Some(number) = self.constant(delta) {
            let signed =
                if address_bits == 32 { i128::from(number as u32 as i32) } else { i128::from(number as i64) };
            return (Some((signed, signed)), signed.unsigned_abs() as u64);
        }
        match self.inst(delta).map(|inst| &inst.kind) {
            Some(InstKind::Int(IntOp::Mul, index, size)) => match self.constant(*size) {
                Some(size) => {
                    let scaled = bounded(*index).map(|(low, high)| (low, high * i128::from(size)));
                    (scaled, if size.is_power_of_two() { size } else { 1 << size.trailing_zeros().min(63) })
                }
                None => (None, 1),
            },
            _ => (bounded(delta), 1),
        }
    }

    pub fn of_value(&self, value: Value) -> Address {
        let unknown = Address { root: Root::Unknown, range: None, multiple: 1 };
        match self.body.values[value].def {
            ValueDef::Global(global, offset) => Address::at(Root::Global(global), i128::from(offset)),
            ValueDef::Func(_) => Address::at(Root::Function, 0),
            ValueDef::Const(_) => unknown,
            ValueDef::Computed => match self.moved.get(&value) {
                Some(address) => *address,
                None => match self.inst(value).map(|inst| &inst.kind) {
                    Some(InstKind::SlotAddr(slot)) => Address::at(Root::Slot(*slot), 0),
                    _ => unknown,
                },
            },
        }
    }

    /// Whether the lives of a variable end before the function does.
    pub fn ends(&self, slot: Slot) -> bool {
        self.ended.contains(&slot)
    }

    /// Whether a variable's life may be over when an instruction accesses it through a pointer made from its name.
    pub fn may_have_ended(&self, (block, number): (Block, usize), slot: Slot, ptr: Value) -> bool {
        if !self.ends(slot) {
            return false;
        }
        let mut value = ptr;
        while let Some(InstKind::PtrAdd(base, _)) = self.inst(value).map(|inst| &inst.kind) {
            value = *base;
        }
        let Some((home, start)) = self.defs[value] else { return true };
        let ends = |inst: &Inst| inst.kind == InstKind::SlotEnd(slot);
        home != block || self.body.blocks[block].insts[start..number].iter().any(ends)
    }

    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.body.values[value].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The instruction that computes a value.
    pub fn inst(&self, value: Value) -> Option<&'a Inst> {
        self.defs[value].map(|(block, number)| &self.body.blocks[block].insts[number])
    }
}

/// The greatest common divisor; that of zero and a number is the number.
fn divisor(a: u64, b: i128) -> u64 {
    let (mut a, mut b) = (a, b.unsigned_abs() as u64);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
