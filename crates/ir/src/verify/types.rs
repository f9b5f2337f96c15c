//! Rules 12 to 16 and 18: the types that instructions, edges and terminators demand.

use quipu_num::{Cast, Guard, IntCmp};

use super::Report;
use crate::function::{BlockData, FuncBody, Function, Value};
use crate::inst::{Callee, Check, Edge, Inst, InstKind, Terminator};
use crate::print::print_inst;
use crate::ty::Ty;

pub(super) fn verify(report: &mut Report<'_>, function: &Function, body: &FuncBody) {
    let mut checker = Checker { address: report.module.data_model.address_ty(), body, report };
    for (block, data) in body.blocks.entries() {
        checker.report.block = Some(block);
        data.insts.iter().for_each(|inst| checker.inst(inst));
        checker.terminator(function, data);
    }
    report.block = None;
}

struct Checker<'a, 'm> {
    report: &'a mut Report<'m>,
    body: &'a FuncBody,
    /// The integer type of a pointer's size.
    address: Ty,
}

impl Checker<'_, '_> {
    /// Checks an instruction; its text goes with every error.
    fn inst(&mut self, inst: &Inst) {
        let before = self.report.errors.len();
        self.kind(inst);
        if self.report.errors.len() > before {
            let text = print_inst(self.report.module, self.body, inst);
            for error in &mut self.report.errors[before..] {
                error.message.push_str(&format!(" in `{text}`"));
            }
        }
    }

    fn kind(&mut self, inst: &Inst) {
        match inst.kind {
            InstKind::Int(_, a, b) => {
                let ty = self.int(a);
                self.all(&[b], ty);
                self.result(inst, ty);
            }
            InstKind::IntUnary(_, a) => {
                let ty = self.int(a);
                self.result(inst, ty);
            }
            InstKind::IntCmp(cmp, a, b) => self.int_cmp(inst, cmp, a, b),
            InstKind::Float(_, a, b) => self.float(inst, &[a, b]),
            InstKind::FloatUnary(_, a) => self.float(inst, &[a]),
            InstKind::Fma(a, b, c) => self.float(inst, &[a, b, c]),
            InstKind::FloatCmp(_, a, b) => {
                self.same_float(&[a, b]);
                self.result(inst, Ty::BOOL);
            }
            InstKind::Cast(cast, a) => self.cast(inst, cast, a),
            InstKind::Select(condition, a, b) => {
                self.all(&[condition], Ty::BOOL);
                let ty = self.body.ty(a);
                self.all(&[b], ty);
                self.result(inst, ty);
            }
            InstKind::Check(check, a, b) => {
                self.check(check, a, b);
                self.no_result(inst);
            }
            InstKind::Call(callee, ref args) => self.call(inst, callee, args),
            InstKind::Stmt(_) | InstKind::SlotEnd(_) | InstKind::Nothing => self.no_result(inst),
            _ => self.pointer(inst),
        }
    }

    /// The instructions that make or use pointers.
    fn pointer(&mut self, inst: &Inst) {
        match inst.kind {
            InstKind::SlotAddr(_) => self.result(inst, Ty::Ptr),
            InstKind::PtrToInt(a) => {
                self.all(&[a], Ty::Ptr);
                self.result(inst, self.address);
            }
            InstKind::IntToPtr(a) => {
                self.all(&[a], self.address);
                self.result(inst, Ty::Ptr);
            }
            InstKind::PtrAdd(a, b) => {
                self.all(&[a], Ty::Ptr);
                self.all(&[b], self.address);
                self.result(inst, Ty::Ptr);
            }
            InstKind::PtrDiff(a, b) => {
                self.all(&[a, b], Ty::Ptr);
                self.result(inst, self.address);
            }
            InstKind::Alloca { size, align } => {
                self.all(&[size], self.address);
                self.align(align);
                self.result(inst, Ty::Ptr);
            }
            InstKind::Copy { dst, src, .. } => {
                self.all(&[dst, src], Ty::Ptr);
                self.no_result(inst);
            }
            InstKind::Zero { dst, .. } | InstKind::Unspecify { dst, .. } => {
                self.all(&[dst], Ty::Ptr);
                self.no_result(inst);
            }
            _ => self.access(inst),
        }
    }

    fn access(&mut self, inst: &Inst) {
        match inst.kind {
            InstKind::Load { ptr, align, .. } => {
                self.all(&[ptr], Ty::Ptr);
                self.align(u64::from(align));
                self.some_result(inst).into_iter().for_each(|ty| self.whole_bytes(ty));
            }
            InstKind::Store { ptr, value, align, .. } => {
                self.all(&[ptr], Ty::Ptr);
                self.align(u64::from(align));
                self.whole_bytes(self.body.ty(value));
                self.no_result(inst);
            }
            InstKind::LoadBits { ptr, bit, .. } => {
                let ty = self.some_result(inst);
                self.bits(ptr, bit, ty);
            }
            InstKind::StoreBits { ptr, bit, value } => {
                self.bits(ptr, bit, Some(self.body.ty(value)));
                self.no_result(inst);
            }
            _ => unreachable!("every instruction should have a rule"),
        }
    }

    fn bits(&mut self, ptr: Value, bit: u32, field: Option<Ty>) {
        self.all(&[ptr], Ty::Ptr);
        self.report.require(bit <= 7, || format!("a bit-field starts at bit {bit}"));
        let is_int = field.is_none_or(|ty| ty.width().is_some());
        self.report.require(is_int, || "a bit-field is not an integer".to_owned());
    }

    fn align(&mut self, align: u64) {
        self.report.require(align.is_power_of_two(), || format!("the alignment is {align}"));
    }

    /// Memory holds bytes: an integer that leaves bits of them open has no one image there. A truth value has:
    /// it takes a byte that is 0 or 1.
    fn whole_bytes(&mut self, ty: Ty) {
        let fills = |bits: u32| bits == 1 || (bits >= 8 && bits.is_power_of_two());
        let whole = ty.width().is_none_or(|width| fills(width.bits()));
        self.report.require(whole, || format!("{ty} does not fill bytes"));
    }

    fn int_cmp(&mut self, inst: &Inst, cmp: IntCmp, a: Value, b: Value) {
        let ty = self.body.ty(a);
        let is_signed = matches!(cmp, IntCmp::Slt | IntCmp::Sle);
        let comparable = matches!(ty, Ty::Int(_)) || (ty == Ty::Ptr && !is_signed);
        self.report.require(comparable, || format!("{ty} cannot be compared like this"));
        self.all(&[b], ty);
        self.result(inst, Ty::BOOL);
    }

    fn float(&mut self, inst: &Inst, operands: &[Value]) {
        let ty = self.same_float(operands);
        self.result(inst, ty);
    }

    fn same_float(&mut self, operands: &[Value]) -> Ty {
        let ty = self.body.ty(operands[0]);
        self.report.require(ty.float_width().is_some(), || format!("{} should be a float", operands[0]));
        self.all(operands, ty);
        ty
    }

    fn cast(&mut self, inst: &Inst, cast: Cast, operand: Value) {
        let (from, to, resizes) = match cast {
            Cast::Trunc(from, to) => (Ty::Int(from), Ty::Int(to), from > to),
            Cast::ZExt(from, to) | Cast::SExt(from, to) => (Ty::Int(from), Ty::Int(to), from < to),
            Cast::FloatToSigned(from, to) | Cast::FloatToUnsigned(from, to) => {
                (Ty::Float(from), Ty::Int(to), true)
            }
            Cast::SignedToFloat(from, to) | Cast::UnsignedToFloat(from, to) => {
                (Ty::Int(from), Ty::Float(to), true)
            }
            Cast::Widen => (Ty::F32, Ty::F64, true),
            Cast::Narrow => (Ty::F64, Ty::F32, true),
            Cast::FloatBits(width) => (Ty::Float(width), Ty::int(width.bits()), true),
            Cast::BitsFloat(width) => (Ty::int(width.bits()), Ty::Float(width), true),
        };
        self.report.require(resizes, || format!("{from} to {to} is the wrong way"));
        self.all(&[operand], from);
        self.result(inst, to);
    }

    /// An operand that a guard ignores may have any type.
    fn check(&mut self, check: Check, a: Value, b: Value) {
        match check {
            Check::SameObject => self.all(&[a, b], Ty::Ptr),
            Check::Guard(guard) => match guard {
                Guard::AddFits(width)
                | Guard::SubFits(width)
                | Guard::MulFits(width)
                | Guard::QuotientFits(width)
                | Guard::ShlFits(width)
                | Guard::IndexBelow(width)
                | Guard::IndexAtMost(width) => self.all(&[a, b], Ty::Int(width)),
                Guard::NonZero(width) | Guard::AnyBit(width) | Guard::ShiftInRange { amount: width, .. } => {
                    self.all(&[b], Ty::Int(width));
                }
                Guard::FloatFits { from, .. } => self.all(&[a], Ty::Float(from)),
            },
        }
    }

    fn call(&mut self, inst: &Inst, callee: Callee, args: &[Value]) {
        match callee {
            Callee::Indirect(pointer) => self.all(&[pointer], Ty::Ptr),
            Callee::Direct(func) => {
                let callee = &self.report.module.functions[func];
                let params = callee.params.iter().map(|param| param.ty);
                let (n_args, n_params) = (args.len(), callee.params.len());
                self.report
                    .require(n_args == n_params, || format!("{n_args} arguments for {n_params} parameters"));
                args.iter().zip(params).for_each(|(arg, ty)| self.all(&[*arg], ty));
                match callee.ret {
                    Some(ty) => self.result(inst, ty),
                    None => self.no_result(inst),
                }
            }
        }
    }

    fn terminator(&mut self, function: &Function, data: &BlockData) {
        data.term.edges().for_each(|edge| self.edge(edge));
        let decides = match &data.term {
            Terminator::Branch { value, cond, .. } => {
                self.all(&[*value], Ty::BOOL);
                cond.is_some()
            }
            Terminator::Switch { value, cases, decision, .. } => {
                let width = self.int(*value).width();
                let canonical = |bits: u64| width.is_none_or(|width| width.wrap(bits) == bits);
                let bounded = cases.iter().all(|case| canonical(case.low) && canonical(case.high));
                self.report.require(bounded, || "a case is outside the type of the switch".to_owned());
                decision.is_some()
            }
            Terminator::Return(value) => {
                let (found, wanted) = (value.map(|value| self.body.ty(value)), function.ret);
                self.report.require(found == wanted, || {
                    format!("the function returns {}, this return {}", or_nothing(wanted), or_nothing(found))
                });
                false
            }
            Terminator::ReturnMissing => {
                let misses = function.ret.is_some() || function.returns_struct;
                self.report.require(misses, || "the function has no result that is missing".to_owned());
                false
            }
            Terminator::Jump(_) | Terminator::Unreachable(_) => false,
        };
        let settles = data.term.edges().any(|edge| edge.outcome.is_some());
        self.report.require(decides || !settles, || "an outcome without a decision".to_owned());
    }

    fn edge(&mut self, edge: &Edge) {
        let body = self.body;
        let found = edge.args.iter().map(|&arg| body.ty(arg));
        let same = found.eq(body.blocks[edge.target].params.iter().map(|&param| body.ty(param)));
        self.report.require(same, || format!("the arguments for {} do not fit its parameters", edge.target));
    }

    /// Requires values to have a type.
    fn all(&mut self, values: &[Value], wanted: Ty) {
        for &value in values {
            let found = self.body.ty(value);
            self.report.require(found == wanted, || format!("{value} is {found}, should be {wanted}"));
        }
    }

    /// Requires an integer and returns its type.
    fn int(&mut self, value: Value) -> Ty {
        let ty = self.body.ty(value);
        self.report.require(ty.width().is_some(), || format!("{value} is {ty}, should be an integer"));
        ty
    }

    fn some_result(&mut self, inst: &Inst) -> Option<Ty> {
        self.report.require(inst.result.is_some(), || "the result is missing".to_owned());
        inst.result.map(|result| self.body.ty(result))
    }

    fn result(&mut self, inst: &Inst, wanted: Ty) {
        if let Some(found) = self.some_result(inst) {
            self.report.require(found == wanted, || format!("the result is {found}, should be {wanted}"));
        }
    }

    fn no_result(&mut self, inst: &Inst) {
        self.report.require(inst.result.is_none(), || "there is no result to define".to_owned());
    }
}

fn or_nothing(ty: Option<Ty>) -> String {
    ty.map_or("nothing".to_owned(), |ty| ty.to_string())
}
