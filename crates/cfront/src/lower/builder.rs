//! Emits instructions into the function under construction, folding what is constant.

use quipu_ir::{
    Block, BlockData, Callee, Check, Edge, Inst, InstKind, Slot, SlotData, Terminator, Ty, Unreachable,
    Value, ValueDef,
};
use quipu_num::{Cast, FloatCmp, FloatOp, FloatUnary, Guard, IntCmp, IntOp, IntUnary, Width};

use super::function::FnLower;

impl FnLower<'_, '_> {
    // ---- Blocks ------------------------------------------------------------------------------------------

    pub(super) fn new_block(&mut self) -> Block {
        let span = self.span;
        let term = Terminator::Unreachable(Unreachable::NoReturn);
        self.body.blocks.push(BlockData { params: Vec::new(), insts: Vec::new(), term, span })
    }

    /// A new block that takes one value.
    pub(super) fn join_block(&mut self, ty: Ty) -> (Block, Value) {
        let block = self.new_block();
        let param = self.body.fresh(ty);
        self.body.blocks[block].params.push(param);
        (block, param)
    }

    pub(super) fn start(&mut self, block: Block) {
        self.current = block;
    }

    /// Ends the current block. What follows, if anything, cannot be reached.
    pub(super) fn terminate(&mut self, term: Terminator) {
        let span = self.span;
        let data = &mut self.body.blocks[self.current];
        (data.term, data.span) = (term, span);
        self.current = self.new_block();
    }

    pub(super) fn jump(&mut self, target: Block) {
        self.terminate(Terminator::Jump(Edge::to(target)));
    }

    pub(super) fn jump_with(&mut self, target: Block, arg: Value) {
        self.terminate(Terminator::Jump(Edge { target, args: vec![arg], outcome: None }));
    }

    // ---- Constants ---------------------------------------------------------------------------------------

    /// An integer constant, wrapped to its type.
    pub(super) fn int(&mut self, ty: Ty, value: i128) -> Value {
        let bits = match ty {
            Ty::Int(w) => w.wrap(value as u64),
            Ty::Ptr => self.address_width().wrap(value as u64),
            Ty::Float(_) => value as u64,
        };
        self.body.constant(ty, ValueDef::Const(bits))
    }

    /// A byte count or another unsigned number of the address type.
    pub(super) fn address_int(&mut self, value: u64) -> Value {
        let ty = self.address_ty();
        self.int(ty, i128::from(value))
    }

    pub(super) fn bool(&mut self, value: bool) -> Value {
        self.int(Ty::BOOL, i128::from(value))
    }

    pub(super) fn null(&mut self) -> Value {
        self.int(Ty::Ptr, 0)
    }

    pub(super) fn address_ty(&self) -> Ty {
        self.unit.linker.data_model.address_ty()
    }

    pub(super) fn address_width(&self) -> Width {
        self.address_ty().width().expect("addresses should be integers")
    }

    /// The bits of a constant.
    pub(super) fn constant_bits(&self, value: Value) -> Option<u64> {
        match self.body.values[value].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        }
    }

    fn constants(&self, a: Value, b: Value) -> Option<(u64, u64)> {
        Some((self.constant_bits(a)?, self.constant_bits(b)?))
    }

    fn folded(&mut self, ty: Ty, bits: u64) -> Value {
        self.body.constant(ty, ValueDef::Const(bits))
    }

    // ---- Instructions ------------------------------------------------------------------------------------

    pub(super) fn emit(&mut self, ty: Ty, kind: InstKind) -> Value {
        let result = self.body.fresh(ty);
        let span = self.span;
        self.body.blocks[self.current].insts.push(Inst { result: Some(result), kind, span });
        result
    }

    pub(super) fn emit_effect(&mut self, kind: InstKind) {
        let span = self.span;
        self.body.blocks[self.current].insts.push(Inst { result: None, kind, span });
    }

    fn width_of(&self, value: Value) -> Width {
        match self.body.ty(value) {
            Ty::Int(w) => w,
            Ty::Ptr => self.address_width(),
            Ty::Float(_) => panic!("an integer operation should have integer operands"),
        }
    }

    pub(super) fn int_op(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        let ty = self.body.ty(a);
        match self.constants(a, b) {
            Some((x, y)) => {
                let bits = quipu_num::int_op(op, self.width_of(a), x, y);
                self.folded(ty, bits)
            }
            None => self.emit(ty, InstKind::Int(op, a, b)),
        }
    }

    pub(super) fn int_unary(&mut self, op: IntUnary, a: Value) -> Value {
        let ty = self.body.ty(a);
        match self.constant_bits(a) {
            Some(x) => {
                let bits = quipu_num::int_unary(op, self.width_of(a), x);
                self.folded(ty, bits)
            }
            None => self.emit(ty, InstKind::IntUnary(op, a)),
        }
    }

    pub(super) fn int_cmp(&mut self, cmp: IntCmp, a: Value, b: Value) -> Value {
        match self.constants(a, b) {
            Some((x, y)) => {
                let holds = quipu_num::int_cmp(cmp, self.width_of(a), x, y);
                self.bool(holds)
            }
            None => self.emit(Ty::BOOL, InstKind::IntCmp(cmp, a, b)),
        }
    }

    pub(super) fn float_op(&mut self, op: FloatOp, a: Value, b: Value) -> Value {
        let ty = self.body.ty(a);
        self.emit(ty, InstKind::Float(op, a, b))
    }

    pub(super) fn float_unary(&mut self, op: FloatUnary, a: Value) -> Value {
        let ty = self.body.ty(a);
        match (ty.float_width(), self.constant_bits(a)) {
            (Some(w), Some(x)) => {
                let bits = quipu_num::float_unary(op, w, x);
                self.folded(ty, bits)
            }
            _ => self.emit(ty, InstKind::FloatUnary(op, a)),
        }
    }

    pub(super) fn float_cmp(&mut self, cmp: FloatCmp, a: Value, b: Value) -> Value {
        self.emit(Ty::BOOL, InstKind::FloatCmp(cmp, a, b))
    }

    pub(super) fn cast(&mut self, to: Ty, op: Cast, a: Value) -> Value {
        match self.constant_bits(a) {
            Some(x) => {
                let bits = quipu_num::cast(op, x);
                self.folded(to, bits)
            }
            None => self.emit(to, InstKind::Cast(op, a)),
        }
    }

    /// An integer brought to another width, by its sign or with zeros.
    pub(super) fn resize(&mut self, value: Value, to: Width, signed: bool) -> Value {
        let from = self.width_of(value);
        let op = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => Cast::Trunc(from, to),
            std::cmp::Ordering::Less if signed => Cast::SExt(from, to),
            std::cmp::Ordering::Less => Cast::ZExt(from, to),
        };
        self.cast(Ty::Int(to), op, value)
    }

    /// Raises the guard's event unless it holds. A guard that always holds leaves no trace.
    pub(super) fn guard(&mut self, guard: Guard, a: Value, b: Value) {
        if self.unit.unit.wraps && is_about_overflow(guard) {
            return;
        }
        let one_operand = matches!(guard, Guard::FloatFits { .. });
        let bits_a = self.constant_bits(a);
        let bits_b = if one_operand { Some(0) } else { self.constant_bits(b) };
        let ignores_a = matches!(guard, Guard::NonZero(_) | Guard::AnyBit(_) | Guard::ShiftInRange { .. });
        let known = match (bits_a, bits_b) {
            (Some(x), Some(y)) => Some(guard.holds((x, y))),
            (None, Some(y)) if ignores_a => Some(guard.holds((0, y))),
            _ => None,
        };
        // Division overflows only by -1, so that a known other divisor needs no check.
        let harmless_divisor =
            matches!(guard, Guard::QuotientFits(w) if bits_b.is_some_and(|y| y != w.mask()));
        if known != Some(true) && !harmless_divisor {
            self.emit_effect(InstKind::Check(Check::Guard(guard), a, b));
        }
    }

    pub(super) fn same_object(&mut self, a: Value, b: Value) {
        self.emit_effect(InstKind::Check(Check::SameObject, a, b));
    }

    pub(super) fn ptr_to_int(&mut self, ptr: Value) -> Value {
        let ty = self.address_ty();
        match self.constant_bits(ptr) {
            Some(bits) => self.folded(ty, bits),
            None => self.emit(ty, InstKind::PtrToInt(ptr)),
        }
    }

    pub(super) fn int_to_ptr(&mut self, address: Value) -> Value {
        match self.constant_bits(address) {
            Some(bits) => self.folded(Ty::Ptr, bits),
            None => self.emit(Ty::Ptr, InstKind::IntToPtr(address)),
        }
    }

    /// A pointer moved by a number of bytes of the address type.
    pub(super) fn ptr_add(&mut self, ptr: Value, offset: Value) -> Value {
        if self.constant_bits(offset) == Some(0) {
            return ptr;
        }
        self.emit(Ty::Ptr, InstKind::PtrAdd(ptr, offset))
    }

    pub(super) fn ptr_offset(&mut self, ptr: Value, bytes: u64) -> Value {
        if let ValueDef::Global(global, addend) = self.body.values[ptr].def
            && let Some(addend) = i64::try_from(bytes).ok().and_then(|bytes| addend.checked_add(bytes))
        {
            return self.body.constant(Ty::Ptr, ValueDef::Global(global, addend));
        }
        let offset = self.address_int(bytes);
        self.ptr_add(ptr, offset)
    }

    pub(super) fn call(&mut self, callee: Callee, args: Vec<Value>, ret: Option<Ty>) -> Option<Value> {
        let kind = InstKind::Call(callee, args);
        match ret {
            Some(ty) => Some(self.emit(ty, kind)),
            None => {
                self.emit_effect(kind);
                None
            }
        }
    }

    // ---- Memory ------------------------------------------------------------------------------------------

    pub(super) fn load(&mut self, ty: Ty, ptr: Value, align: u32, volatile: bool) -> Value {
        self.emit(ty, InstKind::Load { ptr, align, volatile })
    }

    pub(super) fn store(&mut self, ptr: Value, value: Value, align: u32, volatile: bool) {
        self.emit_effect(InstKind::Store { ptr, value, align, volatile });
    }

    pub(super) fn slot_addr(&mut self, slot: Slot) -> Value {
        self.emit(Ty::Ptr, InstKind::SlotAddr(slot))
    }

    /// A local object without a name: the place of an intermediate struct.
    pub(super) fn temporary(&mut self, size: u64, align: u64, ty: Option<quipu_ir::TypeId>) -> Slot {
        let span = self.span;
        self.body.slots.push(SlotData { name: None, size, align, ty, span })
    }

    pub(super) fn copy(&mut self, dst: Value, src: Value, size: u64) {
        if size > 0 && dst != src {
            self.emit_effect(InstKind::Copy { dst, src, size });
        }
    }

    pub(super) fn zero(&mut self, dst: Value, size: u64) {
        if size > 0 {
            self.emit_effect(InstKind::Zero { dst, size });
        }
    }

    pub(super) fn unspecify(&mut self, dst: Value, size: u64) {
        if size > 0 {
            self.emit_effect(InstKind::Unspecify { dst, size });
        }
    }
}

/// Whether a guard is about a signed result that does not fit, which wraps if the user wants it. A quotient never does:
/// the machine traps.
fn is_about_overflow(guard: Guard) -> bool {
    matches!(guard, Guard::AddFits(_) | Guard::SubFits(_) | Guard::MulFits(_) | Guard::ShlFits(_))
}
