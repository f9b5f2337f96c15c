//! What lies beyond the assumptions that Quipu makes.
//!
//! An open encoding has a truth variable for each assumption that the user did not state: where it is false, the part of
//! the world that the assumption is about may be anything. So a question that is infeasible whatever these variables are
//! needs none of the assumptions, and one that becomes infeasible if some of them are true needs no others.
//!
//! An access *escapes* where it leads to what an assumption says is not there: behind the assumed end of an object, or
//! to memory that nobody described. Its result may then be anything, and so may what it was to change.

use std::rc::Rc;

use quipu_inputs::{Assumption, AssumptionId, argument_bit};
use quipu_ir::{Event, Inst, InstKind};
use quipu_model::{Reading, Term};
use quipu_num::Width;

use crate::block::Flow;
use crate::content::{Background, Content};
use crate::encoder::{Engine, Here};
use crate::encoding::Approximation;
use crate::frame::Frame;
use crate::memory::{ObjectId, ObjectKind};
use crate::pointer::{Base, Pointer};
use crate::symbol::Symbol;

/// That an instruction leaves the world of the assumptions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escape {
    pub when: Term,
    pub reach: Reach,
}

/// What may be anything then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// The result.
    Result,
    /// What the operands point to, too.
    Operands,
    /// What some arguments of a call point to, but not the result.
    Targets { arguments: u64 },
    /// All memory to which something outside of the program can have a pointer, but not the result.
    Memory,
}

const BEYOND: &str = "an access beyond what is assumed about its object";

impl<'a> Engine<'a> {
    /// That an assumption holds: a variable in open encodings if the user did not state it, else certain.
    pub fn trust(&mut self, assumption: &Assumption) -> Term {
        if !self.unwinding.open || !assumption.is_ours() {
            return self.terms.truth(true);
        }
        if let Some(&known) = self.out.trusted.get(assumption) {
            return known;
        }
        let var = self.memo.trusted(&mut self.terms, assumption);
        let term = self.terms.model.var_term(var);
        self.out.trusted.insert(assumption.clone(), term);
        term
    }

    /// The same for assumptions about the inputs.
    pub fn trust_all(&mut self, ids: &[AssumptionId]) -> Term {
        let interface = self.interface;
        let trusted: Vec<Term> = ids.iter().map(|&id| self.trust(&interface.assumptions[id])).collect();
        self.terms.all(&trusted)
    }

    /// Takes something for granted about the world outside.
    pub fn take_for_granted(&mut self, assumption: Assumption) -> Term {
        let trusted = self.trust(&assumption);
        self.out.granted.insert(assumption);
        trusted
    }

    /// The present instruction escapes where an assumption does not hold.
    pub fn escape_unless(&mut self, trusted: Term, reach: Reach) {
        let when = self.terms.not(trusted);
        self.escape(when, reach);
    }

    pub fn escape(&mut self, when: Term, reach: Reach) {
        if !self.terms.is_false(when) {
            self.escapes.push(Escape { when, reach });
        }
    }

    /// Where the present instruction has escaped.
    pub fn escaped(&mut self) -> Term {
        let whens: Vec<Term> = self.escapes.iter().map(|escape| escape.when).collect();
        self.terms.any(&whens)
    }

    /// Demands that an access, where it is `meant`, is `inside` of an object. `known` tells whether it is inside of what
    /// is known of it, which may be more or less where an assumption about its size does not hold.
    pub fn check_within(&mut self, here: Here, object: ObjectId, meant: Term, inside: Term, known: Term) {
        let fine = self.terms.implies(meant, inside);
        let Some(trusted) = self.objects[object].trusted else {
            return self.check(here, fine, Event::OutOfBounds);
        };
        let doubted = match self.objects[object].is_sized {
            true => self.terms.truth(false),
            false => self.terms.not(trusted),
        };
        let fine = self.terms.any(&[fine, doubted]);
        self.check(here, fine, Event::OutOfBounds);
        let unknown = self.terms.not(known);
        let may_be = self.terms.any(&[inside, doubted]);
        let away = self.terms.all(&[meant, unknown, may_be]);
        self.escape(away, Reach::Operands);
        self.doubt_access(here, meant, doubted);
    }

    /// Where nothing is known about an object, any event may happen at an access to it.
    fn doubt_access(&mut self, here: Here, meant: Term, doubted: Term) {
        let when = self.terms.all(&[self.state.guard.term(), meant, doubted]);
        if !self.terms.is_false(when) {
            let n_checks = self.out.checks.len();
            let (func, span, what) = (here.func, here.span, BEYOND.to_string());
            self.out.unchecked.push(Approximation { when, n_checks, what, func, span });
        }
    }

    /// A content where an assumption holds; anything elsewhere.
    pub fn content_if(&mut self, trusted: Term, content: Content) -> Content {
        if self.terms.is_true(trusted) {
            return content;
        }
        let anything = Content::new(&mut self.terms, Background::Anything).alive_if(content.alive);
        Content::select(&mut self.terms, trusted, &content, &anything)
    }

    /// A pointer where assumptions hold; elsewhere, nobody knows where it points.
    pub fn pointer_if(&mut self, trusted: Term, pointer: Symbol) -> Symbol {
        if self.terms.is_true(trusted) {
            return pointer;
        }
        let stays = self.terms.unknown(Width::W1);
        let same = self.terms.any(&[trusted, stays]);
        let elsewhere = Symbol::unknown(&mut self.terms, quipu_ir::Ty::Ptr, self.address);
        Symbol::select(&mut self.terms, same, &pointer, &elsewhere)
    }

    /// What an instruction does where it has escaped.
    pub fn settle_escapes(&mut self, frame: &mut Frame<'a>, here: Here, inst: &'a Inst, flow: Flow) -> Flow {
        let escapes = std::mem::take(&mut self.escapes);
        let mut away = |is_meant: &dyn Fn(Reach) -> bool| {
            let there = escapes.iter().filter(|one| is_meant(one.reach));
            let whens: Vec<Term> = there.map(|one| one.when).collect();
            self.terms.any(&whens)
        };
        let anywhere = away(&|_| true);
        let result = away(&|reach| matches!(reach, Reach::Result | Reach::Operands));
        let memory = away(&|reach| reach == Reach::Memory);
        if flow == Flow::Stopped {
            // Nothing is known about how it would have gone on.
            let _ = self.cut_where(here, anywhere, BEYOND);
            return Flow::Stopped;
        }
        for (n, pointer) in self.written_through(frame, &inst.kind) {
            let reached = escapes.iter().filter(|one| match one.reach {
                Reach::Operands => true,
                Reach::Targets { arguments } => arguments & argument_bit(n) != 0,
                Reach::Result | Reach::Memory => false,
            });
            let whens: Vec<Term> = reached.map(|one| one.when).collect();
            let when = self.terms.any(&whens);
            self.blur_targets(&pointer, when);
        }
        self.blur_memory(memory);
        if let Some(to) = inst.result
            && let Some(value) = frame.values[to].clone()
        {
            let ty = frame.code.ty(to);
            let anything = Symbol::unknown(&mut self.terms, ty, self.address);
            frame.values[to] = Some(Symbol::select(&mut self.terms, result, &anything, &value));
        }
        Flow::On
    }

    /// The pointers through which an instruction may write, with the numbers of arguments.
    fn written_through(&mut self, frame: &Frame<'a>, kind: &InstKind) -> Vec<(usize, Rc<Pointer>)> {
        let values = match kind {
            InstKind::Store { ptr, .. } | InstKind::StoreBits { ptr, .. } => vec![*ptr],
            InstKind::Copy { dst, .. } | InstKind::Zero { dst, .. } => vec![*dst],
            InstKind::Call(_, args) => args.clone(),
            _ => Vec::new(),
        };
        let symbols: Vec<Symbol> = values.into_iter().map(|value| self.value(frame, value)).collect();
        let pointers = symbols.into_iter().enumerate().filter_map(|(n, symbol)| match symbol {
            Symbol::Pointer(pointer) => Some((n, pointer)),
            Symbol::Int(_) | Symbol::Float(_) => None,
        });
        pointers.collect()
    }

    /// Objects that a pointer points to may hold anything where a condition is true.
    fn blur_targets(&mut self, pointer: &Pointer, when: Term) {
        if self.terms.is_false(when) {
            return;
        }
        for case in &pointer.cases {
            let when = self.terms.both(when, case.when);
            match case.base {
                Base::Object(object) => self.blur(object, when),
                // It may point to any of them.
                Base::Unknown => self.blur_memory(when),
                Base::Null | Base::Function(_) => {}
            }
        }
    }

    /// Whatever the world outside can have a pointer to may hold anything where a condition is true.
    fn blur_memory(&mut self, when: Term) {
        if self.terms.is_false(when) {
            return;
        }
        for (object, _) in self.state.memory.objects() {
            if self.objects[object].kind != ObjectKind::Register {
                self.blur(object, when);
            }
        }
    }

    fn blur(&mut self, object: ObjectId, when: Term) {
        if self.objects[object].kind == ObjectKind::Constant || self.terms.is_false(when) {
            return;
        }
        let content = self.content(object);
        let trusted = self.terms.not(when);
        let blurred = self.content_if(trusted, (*content).clone());
        self.state.memory.set(object, Rc::new(blurred));
    }
}

/// A variable that says whether an assumption holds has these values.
pub(crate) const TRUTH: (Width, Reading) = (Width::W1, Reading::Unsigned);
