//! Random bodies behave alike before and after promotion.
//!
//! A tiny evaluator runs a body for a number of blocks and records what calls see and how it ends. Reading
//! an unwritten object or using one after its end stops the run, so a promotion that hides either is noticed.

use quipu_base::IdVec;
use quipu_num::{Width, int_cmp, int_op};

use super::builder::Builder;
use crate::*;

/// What a run shows to the outside.
#[derive(PartialEq, Debug)]
enum Seen {
    Number(u64),
    Object(String),
    Returned(u64),
    Undefined,
}

#[derive(Clone, Copy)]
enum Val {
    Number(u64),
    Address { slot: Slot, lifetime: u64 },
}

struct Machine<'a> {
    body: &'a FuncBody,
    values: IdVec<Value, Option<Val>>,
    /// What each slot holds, and how often its lifetime has ended.
    memory: IdVec<Slot, (Option<Val>, u64)>,
    seen: Vec<Seen>,
}

fn run(body: &FuncBody, input: u64, max_blocks: usize) -> Vec<Seen> {
    let mut machine = Machine {
        body,
        values: IdVec::filled(None, body.values.len()),
        memory: IdVec::filled((None, 0), body.slots.len()),
        seen: Vec::new(),
    };
    machine.values[body.blocks[body.entry()].params[0]] = Some(Val::Number(input));
    let mut at = Some(body.entry());
    for _ in 0..max_blocks {
        let Some(block) = at else { break };
        at = machine.block(block);
    }
    machine.seen
}

impl Machine<'_> {
    /// Runs a block; none at the end of the run.
    fn block(&mut self, block: Block) -> Option<Block> {
        let data = &self.body.blocks[block];
        for inst in &data.insts {
            match self.inst(&inst.kind) {
                Some(value) => inst.result.into_iter().for_each(|result| self.values[result] = value),
                None => {
                    self.seen.push(Seen::Undefined);
                    return None;
                }
            }
        }
        let edge = match &data.term {
            Terminator::Jump(edge) => edge,
            Terminator::Branch { value, then, otherwise, .. } => {
                if self.number(*value) != 0 {
                    then
                } else {
                    otherwise
                }
            }
            Terminator::Return(Some(value)) => {
                let value = self.number(*value);
                self.seen.push(Seen::Returned(value));
                return None;
            }
            other => unreachable!("{other:?}"),
        };
        let args: Vec<Val> = edge.args.iter().map(|&arg| self.value(arg)).collect();
        for (&param, arg) in self.body.blocks[edge.target].params.iter().zip(args) {
            self.values[param] = Some(arg);
        }
        Some(edge.target)
    }

    /// Runs an instruction; none if it is undefined.
    fn inst(&mut self, kind: &InstKind) -> Option<Option<Val>> {
        Some(match *kind {
            InstKind::Int(op, a, b) => {
                Some(Val::Number(int_op(op, Width::W32, self.number(a), self.number(b))))
            }
            InstKind::IntCmp(cmp, a, b) => {
                let holds = int_cmp(cmp, Width::W32, self.number(a), self.number(b));
                Some(Val::Number(u64::from(holds)))
            }
            InstKind::SlotAddr(slot) => Some(Val::Address { slot, lifetime: self.memory[slot].1 }),
            InstKind::SlotEnd(slot) => {
                self.memory[slot] = (None, self.memory[slot].1 + 1);
                None
            }
            InstKind::Load { ptr, .. } => {
                let slot = self.accessed(ptr)?;
                Some(self.memory[slot].0?)
            }
            InstKind::Store { ptr, value, .. } => {
                let slot = self.accessed(ptr)?;
                self.memory[slot].0 = Some(self.value(value));
                None
            }
            InstKind::Call(_, ref args) => {
                let seen = match self.value(args[0]) {
                    Val::Number(bits) => Seen::Number(bits),
                    Val::Address { slot, .. } => Seen::Object(self.body.slots[slot].name.clone().unwrap()),
                };
                self.seen.push(seen);
                None
            }
            ref other => unreachable!("{other:?}"),
        })
    }

    fn accessed(&self, ptr: Value) -> Option<Slot> {
        match self.value(ptr) {
            Val::Address { slot, lifetime } => (lifetime == self.memory[slot].1).then_some(slot),
            Val::Number(_) => unreachable!("only addresses are accessed"),
        }
    }

    fn number(&self, value: Value) -> u64 {
        match self.value(value) {
            Val::Number(bits) => bits,
            Val::Address { .. } => unreachable!("only numbers are computed with"),
        }
    }

    fn value(&self, value: Value) -> Val {
        match self.body.values[value].def {
            ValueDef::Const(bits) => Val::Number(bits),
            _ => self.values[value].expect("a value should be defined before it is used"),
        }
    }
}

/// xorshift64*: enough for choosing test cases.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// A body whose entry writes most slots, with random code and jumps behind it.
fn random_body(rng: &mut Rng) -> FuncBody {
    let (n_blocks, n_slots) = (2 + rng.below(8), 1 + rng.below(4));
    let mut b = Builder::new(n_blocks, n_slots);
    let input = b.param();
    let early: Vec<Value> = (0..n_slots).map(|slot| b.addr(slot)).collect();
    for slot in 0..n_slots {
        if rng.below(5) > 0 {
            b.store_const(slot, slot as u64);
        }
    }
    for block in 0..n_blocks {
        b.at(block);
        for _ in 0..rng.below(6) {
            random_inst(rng, &mut b, &early, input);
        }
        let slot = rng.below(n_slots);
        let value = if rng.below(2) == 0 { b.load(slot) } else { input };
        match rng.below(6) {
            0 => b.ret(value),
            1 | 2 => b.jump(1 + rng.below(n_blocks - 1)),
            _ => b.branch(value, 1 + rng.below(n_blocks - 1), 1 + rng.below(n_blocks - 1)),
        }
    }
    b.body
}

fn random_inst(rng: &mut Rng, b: &mut Builder, early: &[Value], input: Value) {
    let (slot, other) = (rng.below(early.len()), rng.below(early.len()));
    match rng.below(40) {
        0..10 => {
            let value = b.load(slot);
            let changed = b.value(Ty::I32, InstKind::Int(quipu_num::IntOp::Sub, value, input));
            b.store(other, changed);
        }
        10..20 => {
            let value = b.load(slot);
            b.store(other, value);
        }
        20..30 => {
            let value = b.load(slot);
            b.observe(value);
        }
        30..34 => b.store_const(slot, rng.below(3) as u64),
        34 | 35 => b.store_to(early[slot], input),
        36 | 37 => {
            b.end(slot);
            if rng.below(3) > 0 {
                b.store(slot, input);
            }
        }
        38 => b.observe(early[slot]),
        _ => {
            let value = b.load_from(early[slot]);
            b.observe(value);
        }
    }
}

/// What random bodies call.
const HEAD: &str = "module lp64
file0 = \"test.c\"
t0 = void
t1 = int \"int\" signed 32
t2 = function (t1) -> t1
t3 = function (t1) -> t0
t4 = pointer t1
t5 = function (t4) -> t0
func @see(n: i32 t1) : t3
func @see_address(p: ptr t4) : t5
";

/// A module in which a random body can stand.
fn frame() -> Module {
    let function = "func @f(x: i32 t1) -> i32 : t2 {\nbb0(%0: i32):\n  ret %0\n}\n";
    parse(&format!("{HEAD}{function}")).expect("the frame should parse")
}

fn verify_in(frame: &mut Module, body: &FuncBody) {
    let func = frame.function("f").expect("the frame should have a function");
    frame.functions[func].body = Body::Defined(Box::new(body.clone()));
    verify(frame).unwrap_or_else(|errors| panic!("{errors:?}: {}", print_function(frame, func)));
}

#[test]
fn random_bodies_behave_alike() {
    let mut frame = frame();
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let (mut promoted_slots, mut kept_slots) = (0, 0);
    for case in 0..20_000 {
        let before = random_body(&mut rng);
        let mut after = before.clone();
        promote(&mut after, DataModel::Lp64);
        verify_in(&mut frame, &before);
        verify_in(&mut frame, &after);
        for input in [0, 1, 2, 7] {
            let (expected, found) = (run(&before, input, 60), run(&after, input, 60));
            assert_eq!(expected, found, "case {case}, input {input}: {before:#?} {after:#?}");
        }
        let mut again = after.clone();
        promote(&mut again, DataModel::Lp64);
        assert_eq!(again, after, "case {case}: nothing should be left to do");
        promoted_slots += before.slots.len() - after.slots.len();
        kept_slots += after.slots.len();
    }
    assert!(promoted_slots > 5_000 && kept_slots > 5_000, "{promoted_slots} {kept_slots}");
}
