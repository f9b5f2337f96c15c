//! Values with terms instead of numbers.

use std::rc::Rc;

use quipu_ir::Ty;
use quipu_model::Term;

use crate::float::Float;
use crate::pointer::{self, Base, Pointer};
use crate::terms::Terms;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Symbol {
    Int(Term),
    Float(Float),
    Pointer(Rc<Pointer>),
}

impl Symbol {
    /// A value that nobody knows. A pointer says so itself, wherever it is used; a number does not.
    pub fn unknown(terms: &mut Terms<'_>, ty: Ty, address: quipu_num::Width) -> Symbol {
        match ty {
            Ty::Int(width) => Symbol::Int(terms.unknown(width)),
            Ty::Float(width) => Symbol::Float(Float::unknown(terms, width)),
            Ty::Ptr => {
                let number = terms.unknown(address);
                Symbol::Pointer(Rc::new(Pointer::to(terms, Base::Unknown, number)))
            }
        }
    }

    pub fn int(&self) -> Term {
        match self {
            Symbol::Int(term) => *term,
            other => unreachable!("the verifier demands an integer here, not {other:?}"),
        }
    }

    pub fn pointer(&self) -> &Rc<Pointer> {
        match self {
            Symbol::Pointer(pointer) => pointer,
            other => unreachable!("the verifier demands a pointer here, not {other:?}"),
        }
    }

    /// The pointer that it is, if it is one.
    pub fn as_pointer(&self) -> Option<&Pointer> {
        match self {
            Symbol::Pointer(pointer) => Some(pointer),
            Symbol::Int(_) | Symbol::Float(_) => None,
        }
    }

    pub fn float(&self) -> Float {
        match self {
            Symbol::Float(float) => *float,
            other => unreachable!("the verifier demands a float here, not {other:?}"),
        }
    }

    /// The first where the condition is true, else the second; both have one type.
    pub fn select(terms: &mut Terms<'_>, condition: Term, a: &Symbol, b: &Symbol) -> Symbol {
        match (a, b) {
            (Symbol::Int(a), Symbol::Int(b)) => Symbol::Int(terms.select(condition, *a, *b)),
            (Symbol::Pointer(a), Symbol::Pointer(b)) if Rc::ptr_eq(a, b) => Symbol::Pointer(a.clone()),
            (Symbol::Pointer(a), Symbol::Pointer(b)) => {
                Symbol::Pointer(Rc::new(pointer::select(terms, condition, a, b)))
            }
            (Symbol::Float(a), Symbol::Float(b)) => {
                Symbol::Float(Float { width: a.width, rank: terms.select(condition, a.rank, b.rank) })
            }
            _ => unreachable!("values of one type are joined"),
        }
    }

    /// A value that means nothing, for a path that is not taken.
    pub fn nothing(terms: &mut Terms<'_>, ty: Ty, address: quipu_num::Width) -> Symbol {
        match ty {
            Ty::Int(width) => Symbol::Int(terms.constant(width, 0)),
            Ty::Float(width) => Symbol::Float(Float::constant(terms, width, 0)),
            Ty::Ptr => Symbol::Pointer(Rc::new(Pointer::null(terms, address))),
        }
    }
}
