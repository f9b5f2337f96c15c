//! Hand-made bodies for each rule.

use quipu_base::Id;
use quipu_num::{IntCmp, IntOp};

use super::promote;
use crate::*;

/// Makes bodies out of blocks that are filled one after the other.
pub struct Builder {
    pub body: FuncBody,
    at: Block,
}

impl Builder {
    /// A body of `n_blocks` empty blocks and `n_slots` slots of four bytes.
    pub fn new(n_blocks: usize, n_slots: usize) -> Builder {
        let mut body = FuncBody::default();
        for _ in 0..n_blocks {
            let term = Terminator::Return(None);
            body.blocks.push(BlockData { params: vec![], insts: vec![], term, span: span() });
        }
        for n in 0..n_slots {
            let name = Some(format!("v{n}"));
            body.slots.push(SlotData { name, size: 4, align: 4, ty: None, span: span() });
        }
        Builder { body, at: Block::new(0) }
    }

    pub fn at(&mut self, block: usize) -> &mut Builder {
        self.at = Block::new(block);
        self
    }

    pub fn param(&mut self) -> Value {
        let param = self.body.fresh(Ty::I32);
        self.body.blocks[self.at].params.push(param);
        param
    }

    pub fn constant(&mut self, bits: u64) -> Value {
        self.body.constant(Ty::I32, ValueDef::Const(bits))
    }

    pub fn effect(&mut self, kind: InstKind) {
        self.body.blocks[self.at].insts.push(Inst { result: None, kind, span: span() });
    }

    pub fn value(&mut self, ty: Ty, kind: InstKind) -> Value {
        let result = self.body.fresh(ty);
        self.body.blocks[self.at].insts.push(Inst { result: Some(result), kind, span: span() });
        result
    }

    pub fn addr(&mut self, slot: usize) -> Value {
        self.value(Ty::Ptr, InstKind::SlotAddr(Slot::new(slot)))
    }

    pub fn load_from(&mut self, ptr: Value) -> Value {
        self.value(Ty::I32, InstKind::Load { ptr, align: 4, volatile: false })
    }

    pub fn store_to(&mut self, ptr: Value, value: Value) {
        self.effect(InstKind::Store { ptr, value, align: 4, volatile: false });
    }

    pub fn load(&mut self, slot: usize) -> Value {
        let ptr = self.addr(slot);
        self.load_from(ptr)
    }

    pub fn store(&mut self, slot: usize, value: Value) {
        let ptr = self.addr(slot);
        self.store_to(ptr, value);
    }

    pub fn store_const(&mut self, slot: usize, bits: u64) {
        let value = self.constant(bits);
        self.store(slot, value);
    }

    pub fn end(&mut self, slot: usize) {
        self.effect(InstKind::SlotEnd(Slot::new(slot)));
    }

    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.value(Ty::I32, InstKind::Int(IntOp::Add, a, b))
    }

    pub fn observe(&mut self, value: Value) {
        self.effect(InstKind::Call(Callee::Direct(Func::new(0)), vec![value]));
    }

    pub fn jump(&mut self, target: usize) {
        self.body.blocks[self.at].term = Terminator::Jump(Edge::to(Block::new(target)));
    }

    pub fn branch(&mut self, value: Value, then: usize, otherwise: usize) {
        let zero = self.constant(0);
        let value = self.value(Ty::BOOL, InstKind::IntCmp(IntCmp::Ne, value, zero));
        let (then, otherwise) = (Edge::to(Block::new(then)), Edge::to(Block::new(otherwise)));
        self.body.blocks[self.at].term = Terminator::Branch { value, then, otherwise, cond: None };
    }

    pub fn ret(&mut self, value: Value) {
        self.body.blocks[self.at].term = Terminator::Return(Some(value));
    }

    fn promoted(mut self) -> FuncBody {
        promote(&mut self.body, DataModel::Lp64);
        self.body
    }
}

fn span() -> Span {
    Span { file: FileId::new(0), line: 1, column: 1, end_line: 1, end_column: 1 }
}

fn returned(body: &FuncBody, block: usize) -> Value {
    body.blocks[Block::new(block)].term.operand().expect("the block should return a value")
}

fn n_params(body: &FuncBody) -> Vec<usize> {
    body.blocks.iter().map(|data| data.params.len()).collect()
}

fn touches_memory(body: &FuncBody) -> bool {
    let memory = |inst: &Inst| {
        matches!(
            inst.kind,
            InstKind::SlotAddr(_) | InstKind::SlotEnd(_) | InstKind::Load { .. } | InstKind::Store { .. }
        )
    };
    body.blocks.iter().flat_map(|data| &data.insts).any(memory)
}

#[test]
fn straight_line_code_loses_its_slots() {
    let mut b = Builder::new(1, 1);
    let x = b.param();
    b.store(0, x);
    let y = b.load(0);
    let sum = b.add(y, y);
    b.store(0, sum);
    let result = b.load(0);
    b.ret(result);
    let body = b.promoted();
    assert!(!touches_memory(&body) && body.slots.is_empty());
    assert_eq!(body.blocks[body.entry()].insts[0].kind, InstKind::Int(IntOp::Add, x, x));
    assert_eq!(body.values.len(), 2, "loads and addresses should leave the value table");
}

#[test]
fn diamond_gets_one_parameter() {
    let mut b = Builder::new(4, 1);
    let x = b.param();
    b.branch(x, 1, 2);
    b.at(1).store_const(0, 10);
    b.jump(3);
    b.at(2).store_const(0, 20);
    b.jump(3);
    let result = b.at(3).load(0);
    b.ret(result);
    let body = b.promoted();
    assert!(!touches_memory(&body));
    assert_eq!(n_params(&body), [1, 0, 0, 1]);
    assert_eq!(returned(&body, 3), body.blocks[Block::new(3)].params[0]);
    let mut copy = body.clone();
    let supplied = |block: usize| body.blocks[Block::new(block)].term.edges().next().unwrap().args[0];
    assert_eq!(supplied(1), copy.constant(Ty::I32, ValueDef::Const(10)));
    assert_eq!(supplied(2), copy.constant(Ty::I32, ValueDef::Const(20)));
    assert_eq!(copy.values.len(), body.values.len(), "the constants should still be found");
}

#[test]
fn diamond_with_equal_or_dead_values_gets_none() {
    let mut b = Builder::new(4, 2);
    let x = b.param();
    b.branch(x, 1, 2);
    b.at(1).store_const(0, 10);
    b.store_const(1, 5);
    b.jump(3);
    b.at(2).store_const(0, 10);
    b.store_const(1, 6);
    b.jump(3);
    let result = b.at(3).load(0);
    b.ret(result);
    let body = b.promoted();
    assert_eq!(n_params(&body), [1, 0, 0, 0]);
    assert_eq!(body.values[returned(&body, 3)].def, ValueDef::Const(10));
    assert!(body.values.iter().all(|data| data.def != ValueDef::Const(5)));
}

/// `i = 0; while (n != i) i = i + step; return i`, where only `i` changes.
#[test]
fn loop_gets_a_parameter_for_what_changes() {
    let mut b = Builder::new(4, 3);
    let n = b.param();
    b.store(1, n);
    b.store_const(2, 3);
    b.store_const(0, 0);
    b.jump(1);
    let (i, n) = (b.at(1).load(0), b.load(1));
    let rest = b.value(Ty::I32, InstKind::Int(IntOp::Sub, n, i));
    b.branch(rest, 2, 3);
    let (i, step) = (b.at(2).load(0), b.load(2));
    let next = b.add(i, step);
    b.store(0, next);
    b.jump(1);
    let result = b.at(3).load(0);
    b.ret(result);
    let body = b.promoted();
    assert!(!touches_memory(&body));
    assert_eq!(n_params(&body), [1, 1, 0, 0]);
    assert_eq!(returned(&body, 3), body.blocks[Block::new(1)].params[0]);
}

/// An inner loop changes `s`; the outer loop changes `s` through it and `i` itself.
#[test]
fn nested_loops_get_parameters_at_both_headers() {
    let mut b = Builder::new(6, 2);
    let x = b.param();
    b.store_const(0, 0);
    b.store_const(1, 0);
    b.jump(1);
    let i = b.at(1).load(0);
    b.branch(i, 2, 5);
    let s = b.at(2).load(1);
    b.branch(s, 3, 4);
    let s = b.at(3).load(1);
    let s = b.add(s, x);
    b.store(1, s);
    b.jump(2);
    let i = b.at(4).load(0);
    let i = b.add(i, x);
    b.store(0, i);
    b.jump(1);
    let s = b.at(5).load(1);
    b.ret(s);
    let body = b.promoted();
    assert!(!touches_memory(&body));
    assert_eq!(n_params(&body), [1, 2, 1, 0, 0, 0]);
}

#[test]
fn uninitialised_on_one_path_stays() {
    let mut b = Builder::new(4, 2);
    let x = b.param();
    b.branch(x, 1, 2);
    b.at(1).store_const(0, 10);
    b.store_const(1, 1);
    b.jump(3);
    b.at(2).store_const(1, 2);
    b.jump(3);
    let (maybe, always) = (b.at(3).load(0), b.load(1));
    let sum = b.add(maybe, always);
    b.ret(sum);
    let body = b.promoted();
    assert_eq!(body.slots.len(), 1);
    assert_eq!(body.slots[Slot::new(0)].name.as_deref(), Some("v0"));
    assert_eq!(n_params(&body), [1, 0, 0, 1]);
}

#[test]
fn address_taken_volatile_and_partly_accessed_stay() {
    let mut b = Builder::new(1, 5);
    (0..5).for_each(|slot| b.store_const(slot, 1));
    let ptr = b.addr(0);
    b.observe(ptr);
    let ptr = b.addr(1);
    b.value(Ty::I32, InstKind::Load { ptr, align: 4, volatile: true });
    let ptr = b.addr(2);
    b.value(Ty::I8, InstKind::Load { ptr, align: 1, volatile: false });
    let ptr = b.addr(3);
    b.value(Ty::F32, InstKind::Load { ptr, align: 4, volatile: false });
    let result = b.load(4);
    b.ret(result);
    let body = b.promoted();
    assert_eq!(body.slots.len(), 4);
    let ends: Vec<_> = body.slots.iter().map(|data| data.name.clone().unwrap()).collect();
    assert_eq!(ends, ["v0", "v1", "v2", "v3"]);
}

#[test]
fn address_stored_or_passed_on_an_edge_stays() {
    let mut b = Builder::new(2, 3);
    b.body.slots[Slot::new(2)].size = 8;
    let (first, second) = (b.addr(0), b.addr(1));
    b.store(2, first);
    b.jump(1);
    b.body.blocks[Block::new(0)].term.edges_mut().next().unwrap().args.push(second);
    let param = b.body.fresh(Ty::Ptr);
    b.body.blocks[Block::new(1)].params.push(param);
    let body = b.promoted();
    let names: Vec<_> = body.slots.iter().map(|data| data.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["v0", "v1"], "a pointer variable is promoted, what it points to is not");
}

/// Blocks 1 and 2 form a cycle with two entries.
#[test]
fn irreducible_cycle_gets_parameters_at_both_entries() {
    let mut b = Builder::new(4, 1);
    let x = b.param();
    b.store(0, x);
    b.branch(x, 1, 2);
    let v = b.at(1).load(0);
    let v = b.add(v, x);
    b.store(0, v);
    b.jump(2);
    let v = b.at(2).load(0);
    b.branch(v, 1, 3);
    let v = b.at(3).load(0);
    b.ret(v);
    let body = b.promoted();
    assert!(!touches_memory(&body));
    assert_eq!(n_params(&body), [1, 1, 1, 0]);
}

#[test]
fn unreachable_blocks_vanish() {
    let mut b = Builder::new(4, 1);
    let x = b.param();
    b.store(0, x);
    b.jump(3);
    b.at(1).load(0);
    b.jump(2);
    b.at(2).jump(3);
    let v = b.at(3).load(0);
    b.ret(v);
    let body = b.promoted();
    assert_eq!(body.blocks.len(), 2);
    assert_eq!(body.blocks[body.entry()].term, Terminator::Jump(Edge::to(Block::new(1))));
    assert_eq!(returned(&body, 1), x);
}

/// The variable of a loop's body starts anew in every turn.
#[test]
fn slot_end_in_a_loop_forgets() {
    for assigned_every_turn in [true, false] {
        let mut b = Builder::new(4, 1);
        let x = b.param();
        if !assigned_every_turn {
            b.store(0, x);
        }
        b.jump(1);
        b.at(1).branch(x, 2, 3);
        b.at(2);
        if assigned_every_turn {
            b.store(0, x);
        }
        let v = b.load(0);
        b.observe(v);
        b.end(0);
        b.jump(1);
        b.at(3).ret(x);
        assert_eq!(touches_memory(&b.promoted()), !assigned_every_turn);
    }
}

#[test]
fn access_through_an_address_of_an_ended_lifetime_stays() {
    for ended in [true, false] {
        let mut b = Builder::new(2, 1);
        let ptr = b.addr(0);
        if ended {
            b.end(0);
        }
        b.jump(1);
        let one = b.at(1).constant(1);
        b.store_to(ptr, one);
        let v = b.load_from(ptr);
        b.ret(v);
        assert_eq!(touches_memory(&b.promoted()), ended);
    }
}

/// The shape of a bytecode interpreter: many cases in a loop, many variables live all around it.
#[test]
fn big_functions_take_no_time() {
    let (n_blocks, n_slots) = (10_000, 500);
    let mut b = Builder::new(n_blocks + 2, n_slots);
    let x = b.param();
    (0..n_slots).for_each(|slot| b.store(slot, x));
    b.jump(1);
    for n in 2..n_blocks + 2 {
        let v = b.at(n).load(n % n_slots);
        let v = b.add(v, x);
        b.store((n * 7) % n_slots, v);
        if n % 3 == 0 && n + 1 < n_blocks + 2 { b.branch(v, n + 1, 1) } else { b.jump(1) }
    }
    let value = b.at(1).load(0);
    let case = |n: usize| {
        let bits = n as u64;
        Case { low: bits, high: bits, span: span(), edge: Edge::to(Block::new(n)) }
    };
    let cases = (3..n_blocks + 2).map(case).collect();
    let default = Edge::to(Block::new(2));
    b.body.blocks[Block::new(1)].term = Terminator::Switch { value, cases, default, decision: None };
    let body = b.promoted();
    assert!(!touches_memory(&body));
    let total: usize = n_params(&body).iter().sum();
    assert!(total >= n_slots, "every variable changes in the loop");
}

mod random;
