//! Atomic builtins. One thread is modelled, so that they are plain accesses.

use quipu_ir::{Ty, Value};
use quipu_num::{IntCmp, IntOp};
use rucc_sema::{AtomicOp, ExprId, ExprKind, Rmw};

use super::Lowered;
use super::function::FnLower;

impl FnLower<'_, '_> {
    pub(super) fn atomic(&mut self, expr: ExprId) -> Lowered<Option<Value>> {
        let data = self.unit.tast[expr];
        let ExprKind::Atomic { op, args, .. } = data.kind else { return self.unsupported_builtin(expr) };
        let span = self.unit.tast.expr_span(expr);
        let args: Vec<ExprId> = self.unit.tast[args].to_vec();
        if matches!(op, AtomicOp::Fence | AtomicOp::SignalFence) {
            return Ok(None);
        }
        let Some(&object) = args.first() else { return self.unsupported_builtin(expr) };
        let Some(object_ty) = self.unit.types.pointee(self.unit.tast[object].ty) else {
            return self.unsupported_builtin(expr);
        };
        let ptr = self.scalar(object)?;
        let ty = match op {
            AtomicOp::TestAndSet => Ty::I8,
            _ => self.scalar_ty(object_ty, span)?,
        };
        let align = self.unit.linker.data_model.size_of(ty) as u32;
        match (op, &args[1..]) {
            (AtomicOp::Load, _) => Ok(Some(self.load(ty, ptr, align, false))),
            (AtomicOp::LoadInto, &[result]) => {
                let value = self.load(ty, ptr, align, false);
                let result = self.scalar(result)?;
                self.store(result, value, align, false);
                Ok(None)
            }
            (AtomicOp::ExchangeInto, &[value, result]) => {
                let value = self.scalar(value)?;
                let result = self.scalar(result)?;
                let old = self.load(ty, ptr, align, false);
                self.store(ptr, value, align, false);
                self.store(result, old, align, false);
                Ok(None)
            }
            (AtomicOp::Store, &[value]) => {
                let value = self.scalar(value)?;
                self.store(ptr, value, align, false);
                Ok(None)
            }
            (AtomicOp::Exchange, &[value]) => {
                let value = self.scalar(value)?;
                let old = self.load(ty, ptr, align, false);
                self.store(ptr, value, align, false);
                Ok(Some(old))
            }
            (AtomicOp::Fetch(rmw), &[value]) => {
                let (old, _) = self.read_modify_write(rmw, ptr, value, ty, align)?;
                Ok(Some(old))
            }
            (AtomicOp::Update(rmw), &[value]) => {
                let (_, new) = self.read_modify_write(rmw, ptr, value, ty, align)?;
                Ok(Some(new))
            }
            (AtomicOp::TestAndSet, _) => {
                let old = self.load(ty, ptr, 1, false);
                let one = self.int(ty, 1);
                self.store(ptr, one, 1, false);
                let set = self.is_nonzero(old);
                self.resize_to(set, data.ty, span).map(Some)
            }
            (AtomicOp::CompareExchange, &[expected, desired]) => {
                let expected = self.scalar(expected)?;
                let wanted = self.load(ty, expected, align, false);
                let desired = self.scalar(desired)?;
                let (old, equal) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                // Where they differ the found value is written back; where they are equal it is there already.
                self.store(expected, old, align, false);
                self.resize_to(equal, data.ty, span).map(Some)
            }
            (AtomicOp::SwapBool, &[wanted, desired]) => {
                let (wanted, desired) = (self.scalar(wanted)?, self.scalar(desired)?);
                let (_, equal) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                self.resize_to(equal, data.ty, span).map(Some)
            }
            (AtomicOp::SwapValue, &[wanted, desired]) => {
                let (wanted, desired) = (self.scalar(wanted)?, self.scalar(desired)?);
                let (old, _) = self.compare_and_swap(ptr, wanted, desired, ty, align);
                Ok(Some(old))
            }
            _ => self.unsupported_builtin(expr),
        }
    }

    fn compare_and_swap(
        &mut self,
        ptr: Value,
        wanted: Value,
        desired: Value,
        ty: Ty,
        align: u32,
    ) -> (Value, Value) {
        let old = self.load(ty, ptr, align, false);
        let equal = self.int_cmp(IntCmp::Eq, old, wanted);
        let new = self.select(equal, desired, old);
        self.store(ptr, new, align, false);
        (old, equal)
    }

    fn read_modify_write(
        &mut self,
        rmw: Rmw,
        ptr: Value,
        value: ExprId,
        ty: Ty,
        align: u32,
    ) -> Lowered<(Value, Value)> {
        let signed = self.unit.types.is_signed(self.unit.tast[value].ty);
        let value = self.scalar(value)?;
        let old = self.load(ty, ptr, align, false);
        let new = match (ty, rmw) {
            (Ty::Ptr, Rmw::Add) => {
                let offset = self.as_address(value, signed);
                self.ptr_add(old, offset)
            }
            (Ty::Ptr, Rmw::Sub) => {
                let offset = self.as_address(value, signed);
                let zero = self.address_int(0);
                let back = self.int_op(IntOp::Sub, zero, offset);
                self.ptr_add(old, back)
            }
            (_, Rmw::Add) => self.int_op(IntOp::Add, old, value),
            (_, Rmw::Sub) => self.int_op(IntOp::Sub, old, value),
            (_, Rmw::And) => self.int_op(IntOp::And, old, value),
            (_, Rmw::Or) => self.int_op(IntOp::Or, old, value),
            (_, Rmw::Xor) => self.int_op(IntOp::Xor, old, value),
            (_, Rmw::Nand) => {
                let and = self.int_op(IntOp::And, old, value);
                self.complement(and)
            }
        };
        self.store(ptr, new, align, false);
        Ok((old, new))
    }
}
