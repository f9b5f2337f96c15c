//! From a function's body to flat code.

use quipu_base::{Id, IdVec};
use quipu_ir::{
    Block, Callee, Check, Edge, Func, FuncBody, Inst, InstKind, Span, Terminator, Unreachable, Value,
    ValueDef,
};
use quipu_num::{FloatWidth, Guard, IntCmp, IntOp, Width};

use super::{Asked, CallSite, CalleeReg, Code, Op, Pc, Program, R3, Reg, SwitchTable, address_width, moves};
use crate::memory::value_width;

/// The code of a function that has a body.
pub(super) fn prepare(program: &Program<'_>, func: Func) -> Code {
    let body = program.module.functions[func].code().expect("only functions with a body should be prepared");
    let registers = Registers::assign(program, body);
    let mut preparation = Preparation::new(program, func, body, registers);
    for block in body.blocks.ids() {
        preparation.block(block);
    }
    preparation.finish()
}

/// The registers of a function's values.
struct Registers {
    of: IdVec<Value, Reg>,
    template: Vec<u64>,
    first_slot: Reg,
    /// A register of no value.
    scratch: Reg,
}

impl Registers {
    fn assign(program: &Program<'_>, body: &FuncBody) -> Registers {
        let mut of = IdVec::filled(Reg::MAX, body.values.len());
        let mut template = Vec::new();
        for (value, data) in body.values.entries() {
            if let Some(bits) = constant_bits(program, data.def) {
                of[value] = template.len() as Reg;
                template.push(bits);
            }
        }
        let first_slot = template.len() as Reg;
        template.resize(template.len() + body.slots.len(), 0);
        let mut next = template.len() as Reg;
        let entry_params = body.blocks[body.entry()].params.iter().copied();
        for value in entry_params.chain(body.values.ids()) {
            if of[value] == Reg::MAX {
                of[value] = next;
                next += 1;
            }
        }
        Registers { of, template, first_slot, scratch: next }
    }
}

fn constant_bits(program: &Program<'_>, def: ValueDef) -> Option<u64> {
    let width = address_width(program.module);
    match def {
        ValueDef::Computed => None,
        ValueDef::Const(bits) => Some(bits),
        ValueDef::Global(global, offset) => {
            Some(width.wrap(program.addresses.global(global).wrapping_add_signed(offset)))
        }
        ValueDef::Func(func) => Some(program.addresses.function(func)),
    }
}

struct Preparation<'p> {
    program: &'p Program<'p>,
    body: &'p FuncBody,
    registers: Registers,
    used: IdVec<Value, bool>,
    starts: IdVec<Block, Pc>,
    /// The instruction of the current block that is being prepared.
    inst_number: u32,
    code: Code,
}

impl<'p> Preparation<'p> {
    fn new(program: &'p Program<'p>, func: Func, body: &'p FuncBody, mut registers: Registers) -> Self {
        let n_slots = body.slots.len() as Reg;
        let template = std::mem::take(&mut registers.template);
        let code = Code {
            func,
            entry: body.entry(),
            ops: Vec::new(),
            spans: Vec::new(),
            insts: Vec::new(),
            slot_regs: registers.first_slot..registers.first_slot + n_slots,
            slots: body.slots.iter().map(|slot| (slot.size, slot.align)).collect(),
            n_regs: registers.scratch + 1,
            calls: Vec::new(),
            switches: Vec::new(),
            fused: Vec::new(),
            asked: Vec::new(),
            template,
        };
        let starts = IdVec::filled(0, body.blocks.len());
        Preparation { program, body, registers, used: used_values(body), starts, inst_number: 0, code }
    }

    /// Jumps were made to block numbers; now the places of the blocks are known.
    fn finish(mut self) -> Code {
        let starts = &self.starts;
        let resolve = |target: &mut Pc| {
            if let Some(block) = target.checked_sub(BLOCK_TARGET) {
                *target = starts[Block::new(block as usize)];
            }
        };
        for op in &mut self.code.ops {
            match op {
                Op::Jump { target } | Op::Goto { target } => resolve(target),
                Op::Branch { then, otherwise, .. } => {
                    resolve(then);
                    resolve(otherwise);
                }
                _ => {}
            }
        }
        for table in &mut self.code.switches {
            table.resolve(resolve);
        }
        self.code
    }

    fn emit(&mut self, op: Op, span: Span) {
        self.code.ops.push(op);
        self.code.spans.push(span);
        self.code.insts.push(self.inst_number);
    }

    fn reg(&self, value: Value) -> Reg {
        self.registers.of[value]
    }

    fn width(&self, value: Value) -> Width {
        value_width(self.program.module.data_model, self.body.ty(value))
    }

    fn float_width(&self, value: Value) -> FloatWidth {
        self.body.ty(value).float_width().expect("a float operation should have float operands")
    }

    fn block(&mut self, block: Block) {
        let data = &self.body.blocks[block];
        self.starts[block] = self.code.ops.len() as Pc;
        let cost = data.insts.len() as u32 + 1;
        let first = data.insts.first().map_or(data.span, |inst| inst.span);
        self.emit(Op::Enter { block, cost }, first);
        for (number, inst) in data.insts.iter().enumerate() {
            self.inst_number = number as u32;
            self.inst(inst);
        }
        self.terminator(&data.term, data.span);
    }

    fn inst(&mut self, inst: &Inst) {
        let span = inst.span;
        let dst = inst.result.map_or(self.registers.scratch, |value| self.reg(value));
        let r3 = |p: &Self, a, b| R3 { dst, a: p.reg(a), b: p.reg(b) };
        let op = match &inst.kind {
            InstKind::Int(op, a, b) => int_op(*op, self.width(*a), r3(self, *a, *b)),
            InstKind::IntUnary(op, a) => Op::IntUnary(*op, self.width(*a), dst, self.reg(*a)),
            InstKind::IntCmp(cmp, a, b) => int_cmp(*cmp, self.width(*a), r3(self, *a, *b)),
            InstKind::Float(op, a, b) => Op::Float(*op, self.float_width(*a), r3(self, *a, *b)),
            InstKind::FloatUnary(op, a) => Op::FloatUnary(*op, self.float_width(*a), dst, self.reg(*a)),
            InstKind::Fma(a, b, c) => {
                self.code.fused.push([dst, self.reg(*a), self.reg(*b), self.reg(*c)]);
                Op::Fma(self.float_width(*a), self.code.fused.len() as u32 - 1)
            }
            InstKind::FloatCmp(cmp, a, b) => Op::FloatCmp(*cmp, self.float_width(*a), r3(self, *a, *b)),
            InstKind::Cast(cast, a) => Op::Cast(*cast, dst, self.reg(*a)),
            InstKind::PtrToInt(a) | InstKind::IntToPtr(a) => Op::Move { dst, src: self.reg(*a) },
            InstKind::Select(cond, a, b) => {
                self.emit(Op::Move { dst, src: self.reg(*b) }, span);
                Op::MoveIf { cond: self.reg(*cond), dst, src: self.reg(*a) }
            }
            InstKind::PtrAdd(a, b) => Op::PtrAdd(r3(self, *a, *b)),
            InstKind::PtrDiff(a, b) => Op::PtrDiff(self.width(*a), r3(self, *a, *b)),
            InstKind::SlotAddr(slot) => Op::SlotAddr { dst, slot: slot.index() as u32 },
            InstKind::SlotEnd(slot) => Op::SlotEnd { slot: slot.index() as u32 },
            InstKind::Alloca { size, align } => {
                Op::Alloca { dst, size: self.reg(*size), align_log2: align.trailing_zeros() as u8 }
            }
            InstKind::Load { ptr, align, .. } if self.body.asks_outside(inst) => {
                self.ask(inst, *ptr, align_mask(*align), None)
            }
            InstKind::LoadBits { ptr, bit, volatile: true } => self.ask(inst, *ptr, 0, Some(*bit)),
            InstKind::Load { ptr, align, .. } => {
                let result = inst.result.expect("a load should have a result");
                self.load(result, self.reg(*ptr), *align)
            }
            InstKind::Store { ptr, value, align, .. } => self.store(*value, self.reg(*ptr), *align),
            InstKind::LoadBits { ptr, bit, .. } => {
                let result = inst.result.expect("a load should have a result");
                Op::LoadBits { bit: *bit as u8, width: self.width(result), dst, ptr: self.reg(*ptr) }
            }
            InstKind::StoreBits { ptr, bit, value } => Op::StoreBits {
                bit: *bit as u8,
                width: self.width(*value),
                ptr: self.reg(*ptr),
                value: self.reg(*value),
            },
            InstKind::Copy { dst, src, size } => {
                Op::Copy { dst: self.reg(*dst), src: self.reg(*src), size: saturated(*size) }
            }
            // Compilers mostly leave zeros there.
            InstKind::Zero { dst, size } | InstKind::Unspecify { dst, size } => {
                Op::Zero { dst: self.reg(*dst), size: saturated(*size) }
            }
            InstKind::Call(callee, args) => self.call(*callee, args, inst.result),
            InstKind::Check(check, a, b) => check_op(*check, self.reg(*a), self.reg(*b)),
            InstKind::Stmt(stmt) => Op::Stmt(*stmt),
            InstKind::Nothing => return,
        };
        self.emit(op, span);
    }

    /// A read of a volatile object; of a bit-field with its first bit.
    fn ask(&mut self, inst: &Inst, ptr: Value, align_mask: u8, bit: Option<u32>) -> Op {
        let result = inst.result.expect("a load should have a result");
        self.code.asked.push(Asked { ty: self.body.ty(result), align_mask, bit });
        let table = self.code.asked.len() as u32 - 1;
        Op::Ask { dst: self.reg(result), ptr: self.reg(ptr), table }
    }

    fn load(&self, result: Value, ptr: Reg, align: u32) -> Op {
        let (dst, width) = (self.reg(result), self.width(result));
        let size = self.program.module.data_model.size_of(self.body.ty(result));
        let align_mask = align_mask(align);
        match size {
            1 => Op::Load1 { width, dst, ptr },
            2 => Op::Load2 { width, align_mask, dst, ptr },
            4 => Op::Load4 { width, align_mask, dst, ptr },
            _ => Op::Load8 { width, align_mask, dst, ptr },
        }
    }

    fn store(&self, value: Value, ptr: Reg, align: u32) -> Op {
        let size = self.program.module.data_model.size_of(self.body.ty(value));
        let value = self.reg(value);
        let align_mask = align_mask(align);
        match size {
            1 => Op::Store1 { ptr, value },
            2 => Op::Store2 { align_mask, ptr, value },
            4 => Op::Store4 { align_mask, ptr, value },
            _ => Op::Store8 { align_mask, ptr, value },
        }
    }

    fn call(&mut self, callee: Callee, args: &[Value], result: Option<Value>) -> Op {
        let callee = match callee {
            Callee::Direct(func) => CalleeReg::Known(func),
            Callee::Indirect(pointer) => CalleeReg::InRegister(self.reg(pointer)),
        };
        self.code.calls.push(CallSite {
            callee,
            args: args.iter().map(|&arg| self.reg(arg)).collect(),
            arg_types: args.iter().map(|&arg| self.body.ty(arg)).collect(),
            result: result.map(|value| (self.reg(value), self.body.ty(value))),
            result_used: result.is_some_and(|value| self.used[value]),
        });
        Op::Call { site: self.code.calls.len() as u32 - 1 }
    }

    fn terminator(&mut self, term: &Terminator, span: Span) {
        match term {
            Terminator::Jump(edge) => {
                self.moves(edge, span);
                self.emit(Op::Jump { target: block_target(edge.target) }, span);
            }
            Terminator::Branch { value, then, otherwise, .. } => {
                let at = self.code.ops.len();
                let cond = self.reg(*value);
                self.emit(Op::Branch { cond, then: 0, otherwise: 0 }, span);
                let (then, otherwise) = (self.edge(then, span), self.edge(otherwise, span));
                self.code.ops[at] = Op::Branch { cond, then, otherwise };
            }
            Terminator::Switch { value, cases, default, .. } => {
                let table = self.code.switches.len() as u32;
                self.emit(Op::Switch { value: self.reg(*value), table }, span);
                let edges = cases.iter().map(|case| &case.edge).chain([default]);
                let targets = edges.map(|edge| self.edge(edge, span)).collect();
                self.code.switches.push(SwitchTable::new(self.width(*value), cases, targets));
            }
            Terminator::Return(Some(value)) => self.emit(Op::Return { value: self.reg(*value) }, span),
            Terminator::Return(None) => self.emit(Op::ReturnNothing, span),
            Terminator::ReturnMissing => self.emit(Op::ReturnMissing, span),
            Terminator::Unreachable(Unreachable::NoReturn) => self.emit(Op::UnreachableNoReturn, span),
            Terminator::Unreachable(Unreachable::Declared) => self.emit(Op::UnreachableDeclared, span),
        }
    }

    /// Where an edge leads: to its block, or to its moves in front of it.
    fn edge(&mut self, edge: &Edge, span: Span) -> Pc {
        let at = self.code.ops.len() as Pc;
        self.moves(edge, span);
        if self.code.ops.len() as Pc == at {
            return block_target(edge.target);
        }
        self.emit(Op::Goto { target: block_target(edge.target) }, span);
        at
    }

    fn moves(&mut self, edge: &Edge, span: Span) {
        let params = &self.body.blocks[edge.target].params;
        let pairs: Vec<(Reg, Reg)> =
            params.iter().zip(&edge.args).map(|(&param, &arg)| (self.reg(param), self.reg(arg))).collect();
        for (dst, src) in moves::sequence(&pairs, self.registers.scratch) {
            self.emit(Op::Move { dst, src }, span);
        }
    }
}

/// Targets from here on are block numbers, until the places of the blocks are known.
const BLOCK_TARGET: Pc = 1 << 31;

fn block_target(block: Block) -> Pc {
    BLOCK_TARGET + block.index() as Pc
}

fn int_op(op: IntOp, w: Width, r: R3) -> Op {
    match op {
        IntOp::Add => Op::Add(w, r),
        IntOp::Sub => Op::Sub(w, r),
        IntOp::Mul => Op::Mul(w, r),
        IntOp::UDiv => Op::UDiv(w, r),
        IntOp::SDiv => Op::SDiv(w, r),
        IntOp::URem => Op::URem(w, r),
        IntOp::SRem => Op::SRem(w, r),
        IntOp::And => Op::And(w, r),
        IntOp::Or => Op::Or(w, r),
        IntOp::Xor => Op::Xor(w, r),
        IntOp::Shl => Op::Shl(w, r),
        IntOp::LShr => Op::LShr(w, r),
        IntOp::AShr => Op::AShr(w, r),
    }
}

fn int_cmp(cmp: IntCmp, w: Width, r: R3) -> Op {
    match cmp {
        IntCmp::Eq => Op::Eq(r),
        IntCmp::Ne => Op::Ne(r),
        IntCmp::Ult => Op::Ult(r),
        IntCmp::Ule => Op::Ule(r),
        IntCmp::Slt => Op::Slt(w, r),
        IntCmp::Sle => Op::Sle(w, r),
    }
}

fn check_op(check: Check, a: Reg, b: Reg) -> Op {
    match check {
        Check::Guard(Guard::AddFits(Width::W32)) => Op::CheckAdd32 { a, b },
        Check::Guard(Guard::SubFits(Width::W32)) => Op::CheckSub32 { a, b },
        Check::Guard(Guard::MulFits(Width::W32)) => Op::CheckMul32 { a, b },
        Check::Guard(Guard::IndexBelow(width)) => Op::CheckIndex { width, a, b },
        Check::Guard(guard) => Op::Check(guard, a, b),
        Check::SameObject => Op::CheckSameObject { a, b },
    }
}

/// Objects are smaller than 4 GB, so a larger size fails in the same way.
fn saturated(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

fn align_mask(align: u32) -> u8 {
    u8::try_from(align.max(1) - 1).expect("a scalar should be aligned to at most 256 bytes")
}

/// Which values an instruction, a terminator or an edge uses.
fn used_values(body: &FuncBody) -> IdVec<Value, bool> {
    let mut used = IdVec::filled(false, body.values.len());
    for block in body.blocks.iter() {
        let insts = block.insts.iter().flat_map(|inst| inst.kind.operands());
        let edges = block.term.edges().flat_map(|edge| edge.args.iter().copied());
        for value in insts.chain(block.term.operand()).chain(edges) {
            used[value] = true;
        }
    }
    used
}
