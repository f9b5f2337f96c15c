//! Instructions and terminators.

use quipu_num::{Cast, Guard};

use super::{Printer, atoms};
use crate::function::{FuncBody, Value};
use crate::inst::{Callee, Case, Check, Edge, Inst, InstKind, Terminator, Unreachable};
use crate::module::Symbol;
use crate::ty::Ty;

impl Printer<'_> {
    pub(super) fn inst(&mut self, body: &FuncBody, inst: &Inst) {
        if let Some(result) = inst.result {
            self.definition(body, result);
            self.out.push_str(" = ");
        }
        self.inst_kind(body, &inst.kind);
        self.span(inst.span);
    }

    fn inst_kind(&mut self, body: &FuncBody, kind: &InstKind) {
        use quipu_num::{FloatCmp, FloatOp, FloatUnary, IntCmp, IntOp, IntUnary};
        match *kind {
            InstKind::Int(op, a, b) => self.op(body, name_in(&IntOp::ALL, op), &[a, b]),
            InstKind::IntUnary(op, a) => self.op(body, name_in(&IntUnary::ALL, op), &[a]),
            InstKind::IntCmp(op, a, b) => self.op(body, name_in(&IntCmp::ALL, op), &[a, b]),
            InstKind::Float(op, a, b) => self.op(body, name_in(&FloatOp::ALL, op), &[a, b]),
            InstKind::FloatUnary(op, a) => self.op(body, name_in(&FloatUnary::ALL, op), &[a]),
            InstKind::FloatCmp(op, a, b) => self.op(body, name_in(&FloatCmp::ALL, op), &[a, b]),
            InstKind::Fma(a, b, c) => self.op(body, "fma", &[a, b, c]),
            InstKind::Select(a, b, c) => self.op(body, "select", &[a, b, c]),
            InstKind::Cast(op, a) => {
                self.cast(op);
                self.op(body, "", &[a]);
            }
            InstKind::PtrToInt(a) => self.op(body, "ptrtoint", &[a]),
            InstKind::IntToPtr(a) => self.op(body, "inttoptr", &[a]),
            InstKind::PtrAdd(a, b) => self.op(body, "ptradd", &[a, b]),
            InstKind::PtrDiff(a, b) => self.op(body, "ptrdiff", &[a, b]),
            InstKind::Check(check, a, b) => {
                self.check(check);
                self.op(body, "", &[a, b]);
            }
            InstKind::Stmt(stmt) => self.put(format_args!("stmt {stmt}")),
            InstKind::Nothing => self.out.push_str("nothing"),
            InstKind::Call(callee, ref args) => self.call(body, callee, args),
            _ => self.memory(body, kind),
        }
    }

    /// A mnemonic and operands.
    fn op(&mut self, body: &FuncBody, mnemonic: &str, operands: &[Value]) {
        self.out.push_str(mnemonic);
        self.out.push(' ');
        self.list(operands, |printer, &value| printer.operand(body, value));
    }

    fn memory(&mut self, body: &FuncBody, kind: &InstKind) {
        match *kind {
            InstKind::SlotAddr(slot) => self.put(format_args!("slotaddr {slot}")),
            InstKind::SlotEnd(slot) => self.put(format_args!("slotend {slot}")),
            InstKind::Alloca { size, align } => {
                self.op(body, "alloca", &[size]);
                self.put(format_args!(" align {align}"));
            }
            InstKind::Load { ptr, align, volatile } => {
                self.op(body, "load", &[ptr]);
                self.put(format_args!(" align {align}"));
                self.flag(volatile, " volatile");
            }
            InstKind::Store { ptr, value, align, volatile } => {
                self.op(body, "store", &[ptr, value]);
                self.put(format_args!(" align {align}"));
                self.flag(volatile, " volatile");
            }
            InstKind::LoadBits { ptr, bit, volatile } => {
                self.op(body, "loadbits", &[ptr]);
                self.put(format_args!(" bit {bit}"));
                self.flag(volatile, " volatile");
            }
            InstKind::StoreBits { ptr, bit, value } => {
                self.op(body, "storebits", &[ptr, value]);
                self.put(format_args!(" bit {bit}"));
            }
            InstKind::Copy { dst, src, size } => {
                self.op(body, "copy", &[dst, src]);
                self.put(format_args!(" size {size}"));
            }
            InstKind::Zero { dst, size } => {
                self.op(body, "zero", &[dst]);
                self.put(format_args!(" size {size}"));
            }
            InstKind::Unspecify { dst, size } => {
                self.op(body, "unspecify", &[dst]);
                self.put(format_args!(" size {size}"));
            }
            _ => unreachable!("only memory instructions should come here"),
        }
    }

    fn call(&mut self, body: &FuncBody, callee: Callee, args: &[Value]) {
        match callee {
            Callee::Direct(func) => {
                self.out.push_str("call ");
                self.symbol(Symbol::Func(func));
            }
            Callee::Indirect(pointer) => self.op(body, "call_indirect", &[pointer]),
        }
        self.args(body, args);
    }

    fn args(&mut self, body: &FuncBody, args: &[Value]) {
        self.out.push('(');
        self.list(args, |printer, &arg| printer.operand(body, arg));
        self.out.push(')');
    }

    fn cast(&mut self, op: Cast) {
        let (name, from, to) = match op {
            Cast::Trunc(from, to) => ("trunc", Ty::Int(from), Ty::Int(to)),
            Cast::ZExt(from, to) => ("zext", Ty::Int(from), Ty::Int(to)),
            Cast::SExt(from, to) => ("sext", Ty::Int(from), Ty::Int(to)),
            Cast::FloatToSigned(from, to) => ("fptosi", Ty::Float(from), Ty::Int(to)),
            Cast::FloatToUnsigned(from, to) => ("fptoui", Ty::Float(from), Ty::Int(to)),
            Cast::SignedToFloat(from, to) => ("sitofp", Ty::Int(from), Ty::Float(to)),
            Cast::UnsignedToFloat(from, to) => ("uitofp", Ty::Int(from), Ty::Float(to)),
            Cast::Widen => return self.out.push_str("fpext"),
            Cast::Narrow => return self.out.push_str("fptrunc"),
            Cast::FloatBits(width) => return self.put(format_args!("fpbits {}", Ty::Float(width))),
            Cast::BitsFloat(width) => return self.put(format_args!("bitsfp {}", Ty::Float(width))),
        };
        self.put(format_args!("{name} {from} -> {to}"));
    }

    fn check(&mut self, check: Check) {
        let Check::Guard(guard) = check else {
            return self.out.push_str("check same_object");
        };
        let (name, width) = match guard {
            Guard::AddFits(width) => ("add_fits", width),
            Guard::SubFits(width) => ("sub_fits", width),
            Guard::MulFits(width) => ("mul_fits", width),
            Guard::NonZero(width) => ("nonzero", width),
            Guard::AnyBit(width) => ("any_bit", width),
            Guard::QuotientFits(width) => ("quotient_fits", width),
            Guard::ShlFits(width) => ("shl_fits", width),
            Guard::IndexBelow(width) => ("index_below", width),
            Guard::IndexAtMost(width) => ("index_at_most", width),
            Guard::ShiftInRange { amount, shifted } => {
                let (amount, shifted) = (Ty::Int(amount), Ty::Int(shifted));
                return self.put(format_args!("check shift_in_range {shifted} by {amount}"));
            }
            Guard::FloatFits { from, to, signed } => {
                let (from, sign, to) = (Ty::Float(from), super::signedness(signed), Ty::Int(to));
                return self.put(format_args!("check float_fits {from} -> {sign} {to}"));
            }
        };
        self.put(format_args!("check {name} {}", Ty::Int(width)));
    }

    pub(super) fn terminator(&mut self, body: &FuncBody, term: &Terminator) {
        match term {
            Terminator::Jump(edge) => {
                self.out.push_str("jump ");
                self.edge(body, edge);
            }
            Terminator::Branch { value, then, otherwise, cond } => {
                self.op(body, "br", &[*value]);
                self.out.push_str(", ");
                self.edge(body, then);
                self.out.push_str(", ");
                self.edge(body, otherwise);
                if let Some(cond) = cond {
                    self.put(format_args!(", {cond}"));
                }
            }
            Terminator::Switch { value, cases, default, decision } => {
                // The type tells the parser how to read the cases: the value may be defined further below.
                let ty = body.values.get(*value).map_or(Ty::I64, |data| data.ty);
                self.put(format_args!("switch {ty} "));
                self.operand(body, *value);
                if let Some(decision) = decision {
                    self.put(format_args!(", {decision}"));
                }
                self.out.push_str(" {\n");
                cases.iter().for_each(|case| self.case(body, ty, case));
                self.out.push_str("    default: ");
                self.edge(body, default);
                self.out.push_str("\n  }");
            }
            Terminator::Return(None) => self.out.push_str("ret"),
            Terminator::Return(Some(value)) => self.op(body, "ret", &[*value]),
            Terminator::ReturnMissing => self.out.push_str("ret_missing"),
            Terminator::Unreachable(Unreachable::NoReturn) => self.out.push_str("unreachable noreturn"),
            Terminator::Unreachable(Unreachable::Declared) => self.out.push_str("unreachable declared"),
        }
    }

    fn case(&mut self, body: &FuncBody, ty: Ty, case: &Case) {
        self.out.push_str("    case ");
        atoms::push_integer(&mut self.out, ty, case.low);
        if case.high != case.low {
            self.out.push_str("..");
            atoms::push_integer(&mut self.out, ty, case.high);
        }
        self.out.push_str(": ");
        self.edge(body, &case.edge);
        self.span(case.span);
        self.out.push('\n');
    }

    fn edge(&mut self, body: &FuncBody, edge: &Edge) {
        self.put(format_args!("{}", edge.target));
        if !edge.args.is_empty() {
            self.args(body, &edge.args);
        }
        if let Some(outcome) = edge.outcome {
            self.put(format_args!("[{outcome}]"));
        }
    }
}

/// The name of an operation in its table, which lists all.
fn name_in<T: Copy + PartialEq>(table: &[(T, &'static str)], op: T) -> &'static str {
    table
        .iter()
        .find(|(each, _)| *each == op)
        .map(|(_, name)| *name)
        .expect("the table should list every operation")
}
