//! The execution of prepared code.
//!
//! Calls of interpreted functions push a [`Frame`]; Rust's own stack grows only by callbacks from library
//! functions, whose nesting is bounded.

mod ask;
mod call;
mod frame;

use quipu_ir::{Event, Func};
use quipu_num::{
    Guard, IntCmp, IntOp, Width, cast, float_cmp, float_fma, float_op, float_unary, int_cmp, int_op,
    int_unary,
};

use crate::code::{Code, Op, Program};
use crate::input::InputSource;
use crate::library::LibraryState;
use crate::memory::{Memory, ObjectKind, Overlap};
use crate::observer::Observer;
use crate::outcome::{Limit, Limits, Outcome, Stop};
use crate::unwritten::UnwrittenReads;
use ask::ask;
pub(crate) use frame::Frame;
use frame::Left;

/// What a run changes besides its own control state.
pub(crate) struct World<'w> {
    pub memory: &'w mut Memory,
    pub inputs: &'w mut dyn InputSource,
    pub library: &'w mut LibraryState,
}

/// The control state of a run.
pub(crate) struct Engine<'e, O: ?Sized> {
    pub program: &'e Program<'e>,
    pub limits: &'e Limits,
    /// The registers of all frames.
    pub stack: &'e mut Vec<u64>,
    /// The callers of the running function.
    pub frames: &'e mut Vec<Frame>,
    /// The variable-length objects of all frames.
    pub allocas: &'e mut Vec<u64>,
    /// The first register above the running function's.
    pub top: usize,
    /// The steps left.
    pub fuel: u64,
    /// The callbacks that are active.
    pub nesting: usize,
    pub unwritten: &'e mut UnwrittenReads,
    pub observer: &'e mut O,
}

/// The result of a function, or why there is none.
pub(crate) type Ran = Result<Option<u64>, Box<Outcome>>;

impl<'e, O: Observer + ?Sized> Engine<'e, O> {
    /// Runs a function with code until it returns.
    pub fn run(&mut self, world: &mut World<'_>, func: Func, args: &[u64]) -> Ran {
        let floor = self.frames.len();
        // The next operation and its surroundings are locals of their own, so that they stay in machine
        // registers; `at.pc` is up to date only where another function is called or returned to.
        let mut at = self.start(func, args);
        let mut pc = at.pc;
        let mut ops = at.code.ops.as_slice();
        let mut regs = at.registers(self.stack);

        macro_rules! r {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => return Err(placed(*stop, at.code, pc - 1)),
                }
            };
        }
        macro_rules! int {
            ($op:ident, $w:expr, $r:expr) => {
                r!($r.dst) = int_op(IntOp::$op, $w, r!($r.a), r!($r.b))
            };
        }
        macro_rules! compare {
            ($cmp:ident, $w:expr, $r:expr) => {{
                let (a, b) = (r!($r.a), r!($r.b));
                if O::COMPARES {
                    self.observer.compare(at.code.func, at.block, at.code.inst(pc - 1), a, b);
                }
                r!($r.dst) = u64::from(int_cmp(IntCmp::$cmp, $w, a, b))
            }};
        }
        macro_rules! tell {
            ($dst:expr) => {
                if O::WATCHES_MEMORY {
                    self.observer.result(at.code.func, at.block, at.code.inst(pc - 1), r!($dst));
                }
            };
        }
        macro_rules! read {
            ($loaded:expr, $leniently:expr) => {
                match $loaded {
                    Ok(value) => value,
                    Err(stop) => {
                        if !self.unwritten.overlooks(&stop, at.code.func, at.code.span(pc - 1)) {
                            return Err(placed(*stop, at.code, pc - 1));
                        }
                        attempt!($leniently)
                    }
                }
            };
        }
        macro_rules! load {
            ($size:literal, $width:expr, $mask:expr, $dst:expr, $ptr:expr) => {{
                let (addr, mask) = (r!($ptr), u64::from($mask));
                r!($dst) = $width.wrap(read!(
                    world.memory.load_bytes::<$size>(addr, mask),
                    world.memory.load_leniently(addr, $size, mask)
                ));
                tell!($dst)
            }};
        }
        macro_rules! store {
            ($size:literal, $mask:expr, $ptr:expr, $value:expr) => {
                attempt!(world.memory.store_bytes::<$size>(r!($ptr), r!($value), u64::from($mask)))
            };
        }
        macro_rules! check {
            ($guard:expr, $op:expr, $a:expr, $b:expr) => {
                if !$guard.holds((r!($a), r!($b))) {
                    return Err(check_failed(at.code, pc - 1, *$op, r!($a), r!($b)));
                }
            };
        }
        macro_rules! go_on_at {
            ($cursor:expr) => {{
                at = $cursor;
                pc = at.pc;
                ops = at.code.ops.as_slice();
                regs = at.registers(self.stack);
            }};
        }
        macro_rules! leave {
            ($value:expr) => {{
                let value = $value;
                match self.leave(world, at, value, floor)? {
                    Left::ToFrame(caller) => go_on_at!(caller),
                    Left::Run(value) => return Ok(value),
                }
            }};
        }

        loop {
            let op = &ops[pc];
            pc += 1;
            match *op {
                Op::Enter { block, cost } => {
                    match self.fuel.checked_sub(u64::from(cost)) {
                        Some(fuel) => self.fuel = fuel,
                        None => return Err(Box::new(Outcome::LimitReached(Limit::Steps))),
                    }
                    at.block = block;
                    self.observer.block(at.code.func, block);
                }
                Op::Stmt(stmt) => {
                    self.observer.stmt(at.code.func, stmt);
                    if O::WATCHES_MEMORY {
                        self.observer.memory(at.code.func, at.block, at.code.inst(pc - 1), world.memory);
                    }
                }
                Op::Move { dst, src } => r!(dst) = r!(src),
                Op::MoveIf { cond, dst, src } => {
                    if r!(cond) != 0 {
                        r!(dst) = r!(src);
                    }
                }

                Op::Add(w, r) => int!(Add, w, r),
                Op::Sub(w, r) => int!(Sub, w, r),
                Op::Mul(w, r) => int!(Mul, w, r),
                Op::UDiv(w, r) => int!(UDiv, w, r),
                Op::SDiv(w, r) => int!(SDiv, w, r),
                Op::URem(w, r) => int!(URem, w, r),
                Op::SRem(w, r) => int!(SRem, w, r),
                Op::And(w, r) => int!(And, w, r),
                Op::Or(w, r) => int!(Or, w, r),
                Op::Xor(w, r) => int!(Xor, w, r),
                Op::Shl(w, r) => int!(Shl, w, r),
                Op::LShr(w, r) => int!(LShr, w, r),
                Op::AShr(w, r) => int!(AShr, w, r),
                Op::IntUnary(op, w, dst, a) => r!(dst) = int_unary(op, w, r!(a)),
                Op::Eq(r) => compare!(Eq, Width::W64, r),
                Op::Ne(r) => compare!(Ne, Width::W64, r),
                Op::Ult(r) => compare!(Ult, Width::W64, r),
                Op::Ule(r) => compare!(Ule, Width::W64, r),
                Op::Slt(w, r) => compare!(Slt, w, r),
                Op::Sle(w, r) => compare!(Sle, w, r),

                Op::Float(op, w, r) => r!(r.dst) = float_op(op, w, r!(r.a), r!(r.b)),
                Op::FloatUnary(op, w, dst, a) => r!(dst) = float_unary(op, w, r!(a)),
                Op::Fma(w, index) => {
                    let [dst, a, b, c] = at.code.fused[index as usize];
                    r!(dst) = float_fma(w, r!(a), r!(b), r!(c));
                }
                Op::FloatCmp(cmp, w, r) => {
                    let (a, b) = (r!(r.a), r!(r.b));
                    if O::COMPARES {
                        self.observer.compare(at.code.func, at.block, at.code.inst(pc - 1), a, b);
                    }
                    r!(r.dst) = u64::from(float_cmp(cmp, w, a, b));
                }
                Op::Cast(op, dst, a) => r!(dst) = cast(op, r!(a)),

                Op::PtrAdd(r) => {
                    r!(r.dst) = attempt!(world.memory.moved(r!(r.a), r!(r.b)));
                    tell!(r.dst);
                }
                Op::PtrDiff(w, r) => int!(Sub, w, r),
                Op::SlotAddr { dst, slot } => {
                    let reg = at.code.slot_reg(slot);
                    if r!(reg) == 0 {
                        let (size, align) = at.code.slots[slot as usize];
                        r!(reg) = attempt!(world.memory.allocate(ObjectKind::Slot, size, align));
                    }
                    r!(dst) = r!(reg);
                    tell!(dst);
                }
                Op::SlotEnd { slot } => {
                    let reg = at.code.slot_reg(slot);
                    if r!(reg) != 0 {
                        world.memory.kill(r!(reg));
                        r!(reg) = 0;
                    }
                }
                Op::Alloca { dst, size, align_log2 } => {
                    let object = world.memory.allocate(ObjectKind::Alloca, r!(size), 1 << align_log2);
                    r!(dst) = attempt!(object);
                    self.allocas.push(r!(dst));
                    tell!(dst);
                }
                Op::Load1 { width, dst, ptr } => load!(1, width, 0u8, dst, ptr),
                Op::Load2 { width, align_mask, dst, ptr } => load!(2, width, align_mask, dst, ptr),
                Op::Load4 { width, align_mask, dst, ptr } => load!(4, width, align_mask, dst, ptr),
                Op::Load8 { width, align_mask, dst, ptr } => load!(8, width, align_mask, dst, ptr),
                Op::Ask { dst, ptr, table } => {
                    let asked = at.code.asked[table as usize];
                    r!(dst) = attempt!(ask(world, r!(ptr), asked, at.code.span(pc - 1)));
                    tell!(dst);
                }
                Op::Store1 { ptr, value } => store!(1, 0u8, ptr, value),
                Op::Store2 { align_mask, ptr, value } => store!(2, align_mask, ptr, value),
                Op::Store4 { align_mask, ptr, value } => store!(4, align_mask, ptr, value),
                Op::Store8 { align_mask, ptr, value } => store!(8, align_mask, ptr, value),
                Op::LoadBits { bit, width, dst, ptr } => {
                    let (addr, bit) = (r!(ptr), u32::from(bit));
                    r!(dst) = read!(
                        world.memory.load_bits(addr, bit, width),
                        world.memory.load_bits_leniently(addr, bit, width)
                    );
                }
                Op::StoreBits { bit, width, ptr, value } => {
                    attempt!(world.memory.store_bits(r!(ptr), u32::from(bit), width, r!(value)));
                }
                Op::Copy { dst, src, size } => {
                    attempt!(world.memory.copy(r!(dst), r!(src), u64::from(size), Overlap::Exact));
                    self.fuel = pay(self.fuel, world.memory);
                }
                Op::Zero { dst, size } => {
                    attempt!(world.memory.fill(r!(dst), 0, u64::from(size)));
                    self.fuel = pay(self.fuel, world.memory);
                }

                Op::CheckAdd32 { a, b } => check!(Guard::AddFits(Width::W32), op, a, b),
                Op::CheckSub32 { a, b } => check!(Guard::SubFits(Width::W32), op, a, b),
                Op::CheckMul32 { a, b } => check!(Guard::MulFits(Width::W32), op, a, b),
                Op::CheckIndex { width, a, b } => check!(Guard::IndexBelow(width), op, a, b),
                Op::Check(guard, a, b) => check!(guard, op, a, b),
                Op::CheckSameObject { a, b } => {
                    if !world.memory.same_object(r!(a), r!(b)) {
                        return Err(check_failed(at.code, pc - 1, *op, r!(a), r!(b)));
                    }
                }

                Op::Call { site } => {
                    at.pc = pc;
                    go_on_at!(self.call(world, at, site)?);
                }
                Op::Jump { target } => {
                    self.observer.edge(at.code.func, at.block, 0);
                    pc = target as usize;
                }
                Op::Branch { cond, then, otherwise } => {
                    let holds = r!(cond) != 0;
                    self.observer.edge(at.code.func, at.block, usize::from(!holds));
                    pc = if holds { then } else { otherwise } as usize;
                }
                Op::Switch { value, table } => {
                    let (edge, target) = at.code.switches[table as usize].choose(r!(value));
                    self.observer.edge(at.code.func, at.block, edge);
                    pc = target as usize;
                }
                Op::Goto { target } => pc = target as usize,
                Op::Return { value } => leave!(Some(r!(value))),
                Op::ReturnNothing | Op::ReturnMissing => leave!(None),
                Op::UnreachableDeclared => return Err(unreachable(at.code, pc - 1, "the program says so")),
                Op::UnreachableNoReturn => return Err(unreachable(at.code, pc - 1, NO_RETURN)),
            }
        }
    }
}

/// Copies and library functions pay one step for this many bytes that they process.
const BYTES_PER_STEP: u64 = 16;

/// The fuel left after the work that memory did since the last payment.
fn pay(fuel: u64, memory: &Memory) -> u64 {
    fuel.saturating_sub(memory.take_work() / BYTES_PER_STEP)
}

const NO_RETURN: &str = "the function called should not return";

/// The outcome of a stop at an operation.
#[cold]
fn placed(stop: Stop, code: &Code, pc: usize) -> Box<Outcome> {
    Box::new(stop.at(code.func, code.span(pc)))
}

#[cold]
fn check_failed(code: &Code, pc: usize, op: Op, a: u64, b: u64) -> Box<Outcome> {
    placed(Stop::Event(op.event(), op.operands_text(a, b)), code, pc)
}

#[cold]
fn unreachable(code: &Code, pc: usize, why: &str) -> Box<Outcome> {
    placed(Stop::Event(Event::UnreachableReached, why.into()), code, pc)
}
