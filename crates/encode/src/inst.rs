//! Instructions.

use std::rc::Rc;

use quipu_inputs::finite_ranks;
use quipu_interp::{InputKind, OTHER_AHEAD};
use quipu_ir::{Check, Event, Inst, InstKind, Ty, Value};
use quipu_model::{Reading, Term, Var};
use quipu_num::{Cast, Guard, IntCmp, IntOp, Width};

use crate::block::Flow;
use crate::call::Wanted;
use crate::encoder::{Engine, Here};
use crate::encoding::{Comparison, Requested};
use crate::float::Float;
use crate::frame::Frame;
use crate::pointer::{self, Pointer};
use crate::symbol::Symbol;

/// The largest object that is made for a computed size.
const LARGEST_ALLOCA: u64 = 1 << 16;

impl<'a> Engine<'a> {
    pub fn instruction(&mut self, frame: &mut Frame<'a>, here: Here, inst: &'a Inst) -> Flow {
        let flow = self.execute(frame, here, inst);
        self.note_doubts(here);
        if self.escapes.is_empty() { flow } else { self.settle_escapes(frame, here, inst, flow) }
    }

    fn execute(&mut self, frame: &mut Frame<'a>, here: Here, inst: &'a Inst) -> Flow {
        let ty = inst.result.map(|result| frame.code.ty(result));
        let result = match &inst.kind {
            InstKind::Stmt(stmt) => {
                let visit = self.visit(here.context);
                self.out.stmts.entry((here.func, *stmt)).or_default().push(visit);
                None
            }
            InstKind::Nothing => None,
            InstKind::Check(check, a, b) => {
                self.checked(frame, here, *check, *a, *b);
                None
            }
            InstKind::Store { ptr, value, align, .. } => {
                let (pointer, value) = (self.accessed(frame, here, *ptr), self.value(frame, *value));
                let ty = self.type_of(&value);
                return self.store(here, &pointer, ty, self.stored_bits(ty), 0, &value, *align);
            }
            InstKind::StoreBits { ptr, bit, value } => {
                let (pointer, value) = (self.accessed(frame, here, *ptr), self.value(frame, *value));
                let width = self.terms.width(value.int());
                return self.store(here, &pointer, Ty::Int(width), width.bits(), *bit, &value, 1);
            }
            InstKind::Copy { dst, src, size } => {
                let (dst, src) = (self.accessed(frame, here, *dst), self.accessed(frame, here, *src));
                return self.copy(here, &dst, &src, *size, false);
            }
            InstKind::Zero { dst, size } => {
                let dst = self.accessed(frame, here, *dst);
                return self.zero(here, &dst, *size);
            }
            InstKind::Unspecify { dst, size } => {
                let dst = self.accessed(frame, here, *dst);
                return self.unspecify(here, &dst, *size);
            }
            InstKind::SlotEnd(slot) => {
                self.end_slot(frame, *slot);
                None
            }
            InstKind::Call(callee, args) => {
                let args: Vec<Symbol> =
                    args.iter().map(|&arg| self.argument_of(frame, here, *callee, arg)).collect();
                let used = inst.result.is_some_and(|result| frame.is_used(result));
                match self.call(frame, here, *callee, args, Wanted { ty, used }) {
                    Some(result) => result,
                    None => return Flow::Stopped,
                }
            }
            InstKind::Load { ptr, align, .. } if frame.code.asks_outside(inst) => {
                let pointer = self.accessed(frame, here, *ptr);
                let ty = ty.expect("a load has a result");
                Some(self.load_volatile(here, &pointer, ty, self.stored_bits(ty), 0, *align))
            }
            InstKind::LoadBits { ptr, bit, volatile: true } => {
                let pointer = self.accessed(frame, here, *ptr);
                let ty = ty.expect("a load has a result");
                let width = ty.width().expect("a bit-field is a number");
                Some(self.load_volatile(here, &pointer, ty, width.bits(), *bit, 1))
            }
            InstKind::Load { ptr, align, .. } => {
                let pointer = self.accessed(frame, here, *ptr);
                let ty = ty.expect("a load has a result");
                Some(self.load(here, &pointer, ty, self.stored_bits(ty), 0, *align))
            }
            InstKind::LoadBits { ptr, bit, .. } => {
                let pointer = self.accessed(frame, here, *ptr);
                let ty = ty.expect("a load has a result");
                let width = ty.width().expect("a bit-field is a number");
                Some(self.load(here, &pointer, ty, width.bits(), *bit, 1))
            }
            InstKind::Alloca { size, align, .. } => {
                let size = self.value(frame, *size).int();
                match self.terms.known(size) {
                    Some(size) if size <= LARGEST_ALLOCA => Some(self.new_alloca(frame, here, size, *align)),
                    _ => {
                        self.unsupported(here, "an array whose size depends on inputs");
                        return Flow::Stopped;
                    }
                }
            }
            InstKind::SlotAddr(slot) => Some(self.slot_address(frame, here.block, *slot)),
            kind => Some(self.compute(frame, here, kind, ty.expect("an operation has a result"))),
        };
        if let (Some(value), Some(symbol)) = (inst.result, result) {
            frame.values[value] = Some(symbol);
        }
        Flow::On
    }

    fn type_of(&self, value: &Symbol) -> Ty {
        match value {
            Symbol::Int(term) => Ty::Int(self.terms.width(*term)),
            Symbol::Float(float) => Ty::Float(float.width),
            Symbol::Pointer(_) => Ty::Ptr,
        }
    }

    /// A check in front of an operation.
    fn checked(&mut self, frame: &Frame<'a>, here: Here, check: Check, a: Value, b: Value) {
        let (a, b) = (self.value(frame, a), self.value(frame, b));
        let holds = match check {
            Check::SameObject => {
                let (a, b) = (a.pointer().clone(), b.pointer().clone());
                match a.may_be_unknown() || b.may_be_unknown() {
                    true => self.unknown(here, "a comparison of unknown pointers", Ty::BOOL).int(),
                    false => self.in_one_object(&a, &b),
                }
            }
            Check::Guard(Guard::FloatFits { .. }) => return self.float_fits(here, check, &a),
            // Only the amount counts; the model wants one width.
            Check::Guard(guard @ Guard::ShiftInRange { .. }) => self.terms.guard(guard, b.int(), b.int()),
            Check::Guard(guard) => {
                let (a, b) = (a.int(), b.int());
                self.hint(guard, a, b);
                self.terms.guard(guard, a, b)
            }
        };
        self.check(here, holds, check.event());
    }

    /// An operation that does not overflow has the same result in twice the width. The bounds of that say more about
    /// the operands than those of a result which might have wrapped around.
    fn hint(&mut self, guard: Guard, a: Term, b: Term) {
        let (op, width) = match guard {
            Guard::AddFits(width) => (IntOp::Add, width),
            Guard::SubFits(width) => (IntOp::Sub, width),
            Guard::MulFits(width) => (IntOp::Mul, width),
            _ => return,
        };
        let Some(double) = Width::new(2 * width.bits()) else { return };
        let narrow = self.terms.op(op, a, b);
        let narrow = self.terms.resize(narrow, double, true);
        let (a, b) = (self.terms.resize(a, double, true), self.terms.resize(b, double, true));
        let wide = self.terms.op(op, a, b);
        let same = self.terms.equal(narrow, wide);
        let reached = self.state.guard.term();
        let hint = self.terms.implies(reached, same);
        if !self.terms.is_true(hint) {
            self.out.hints.push(hint);
        }
    }

    /// An operation without effects.
    fn compute(&mut self, frame: &Frame<'a>, here: Here, kind: &InstKind, ty: Ty) -> Symbol {
        let mut value = |value: &Value| self.value(frame, *value);
        match kind {
            InstKind::Int(op, a, b) => {
                let (a, b) = (value(a).int(), value(b).int());
                let result = self.terms.op(*op, a, b);
                if *op == IntOp::Mul {
                    self.note_product(result);
                }
                Symbol::Int(result)
            }
            InstKind::IntUnary(op, a) => {
                let a = value(a).int();
                Symbol::Int(self.terms.unary(*op, a))
            }
            InstKind::IntCmp(cmp, a, b) => {
                let (a, b) = (value(a), value(b));
                Symbol::Int(self.compare(here, *cmp, &a, &b))
            }
            InstKind::Select(c, a, b) => {
                let (c, a, b) = (value(c).int(), value(a), value(b));
                Symbol::select(&mut self.terms, c, &a, &b)
            }
            InstKind::Cast(cast, a) => {
                let a = value(a);
                self.cast(*cast, &a, ty)
            }
            InstKind::PtrAdd(pointer, delta) => {
                let (pointer, delta) = (value(pointer), value(delta).int());
                let moved = pointer.pointer().moved(&mut self.terms, delta);
                self.check_surroundings(here, pointer.pointer(), &moved);
                Symbol::Pointer(Rc::new(moved))
            }
            InstKind::PtrDiff(a, b) => {
                let (a, b) = (value(a).pointer().clone(), value(b).pointer().clone());
                Symbol::Int(match a.may_be_unknown() || b.may_be_unknown() {
                    true => {
                        let (a, b) = (self.address_of(here, &a), self.address_of(here, &b));
                        self.terms.op(IntOp::Sub, a, b)
                    }
                    false => pointer::difference(&mut self.terms, &a, &b, self.address),
                })
            }
            InstKind::PtrToInt(pointer) => {
                let pointer = value(pointer).pointer().clone();
                Symbol::Int(self.address_of(here, &pointer))
            }
            InstKind::IntToPtr(number) => {
                let number = value(number).int();
                self.terms.pointer_at(number)
            }
            InstKind::Float(..) | InstKind::FloatUnary(..) | InstKind::Fma(..) | InstKind::FloatCmp(..) => {
                self.float_instruction(frame, here, kind)
            }
            other => unreachable!("instructions with effects are executed elsewhere: {other:?}"),
        }
    }

    fn unknown(&mut self, here: Here, what: &str, ty: Ty) -> Symbol {
        let address = self.address;
        self.noting(here, what, |engine| Symbol::unknown(&mut engine.terms, ty, address))
    }

    fn compare(&mut self, here: Here, cmp: IntCmp, a: &Symbol, b: &Symbol) -> Term {
        if let (Symbol::Int(a), Symbol::Int(b)) = (a, b) {
            let comparison = Comparison { visit: self.visit(here.context), a: *a, b: *b };
            self.out.comparisons.entry((here.func, here.block, here.inst)).or_default().push(comparison);
            return self.terms.compare(cmp, *a, *b);
        }
        let (a, b) = (a.pointer().clone(), b.pointer().clone());
        match a.may_be_unknown() || b.may_be_unknown() {
            true => {
                let (a, b) = (self.address_of(here, &a), self.address_of(here, &b));
                self.terms.compare(cmp, a, b)
            }
            false => match cmp {
                IntCmp::Eq => self.are_equal(&a, &b),
                IntCmp::Ne => {
                    let equal = self.are_equal(&a, &b);
                    self.terms.not(equal)
                }
                _ => pointer::compare(&mut self.terms, cmp, &a, &b),
            },
        }
    }

    /// An address as a number.
    fn address_of(&mut self, here: Here, pointer: &Rc<Pointer>) -> Term {
        self.noting(here, "an address as a number", |engine| engine.terms.address_of(pointer))
    }

    fn cast(&mut self, cast: Cast, a: &Symbol, ty: Ty) -> Symbol {
        if let (Symbol::Int(a), Cast::Trunc(_, to) | Cast::ZExt(_, to) | Cast::SExt(_, to)) = (a, cast) {
            return Symbol::Int(self.terms.cast(cast, *a, to));
        }
        self.float_cast(cast, a, ty)
    }

    /// A value from the environment.
    pub fn request(&mut self, here: Here, n: usize, function: &str, ty: Ty, kind: InputKind) -> Symbol {
        let (width, reading, range) = match (ty, kind) {
            (Ty::Int(width), InputKind::Byte) => (width, Reading::Signed, Some((width.mask(), 255))),
            (Ty::Int(width), InputKind::End) => (width, Reading::Unsigned, Some((0, OTHER_AHEAD))),
            (Ty::Int(width), _) => (width, Reading::Signed, None),
            (Ty::Float(width), _) => {
                let range = self.interface.finite_answers.then(|| finite_ranks(width));
                (width.width(), Reading::Float, range)
            }
            (Ty::Ptr, _) => (self.address, Reading::Unsigned, Some((0, 0))),
        };
        let place = (here.context, here.block, here.inst, n);
        let var: Var = self.memo.requested(&mut self.terms, place, width, reading, range);
        let when = self.state.guard.term();
        self.out.requested.push(Requested { when, var, function: function.to_string(), ty, kind });
        let term = self.terms.model.var_term(var);
        match ty {
            Ty::Int(_) => Symbol::Int(term),
            Ty::Float(width) => Symbol::Float(Float { width, rank: term }),
            Ty::Ptr => Symbol::nothing(&mut self.terms, ty, self.address),
        }
    }

    /// Makes a run impossible in which an event happens for certain.
    pub fn fail(&mut self, here: Here, event: Event) {
        let never = self.terms.truth(false);
        self.check(here, never, event);
    }
}
