//! Objects that may have bytes in common where nobody says that they have not.
//!
//! Pointers among the inputs point to objects of their own or to each other's, as far as shapes say so. That objects do
//! not overlap otherwise is an assumption for each two of them. Where it does not hold, a write to one of them may change
//! the other: what that holds is *stale* from then on, until somebody looks, and finds anything. What they hold at the
//! start is independent anyway, which is more than overlapping objects can do.
//!
//! A write changes only what has its type (6.5p7), unless that is a character type.

use quipu_inputs::{Argument, Assumption, Interface, Object, Origin, Target};
use quipu_ir::Ty;
use quipu_model::Term;
use rustc_hash::FxHashMap;

use crate::content::{Content, Stale};
use crate::encoder::Engine;
use crate::memory::ObjectId;
use crate::symbol::Symbol;

/// For each object the others that may overlap with it, with where it is assumed that they do not.
pub(crate) type Overlaps = FxHashMap<ObjectId, Vec<(ObjectId, Term)>>;

/// With more objects, all of them share one assumption.
const MOST_OBJECTS: usize = 24;

/// What a write can change in another object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Whatever is there.
    Any,
    Integer,
    Float,
    Pointer,
}

impl Kind {
    /// What a value of a type can change.
    pub fn of(ty: Ty) -> Kind {
        match ty {
            Ty::Int(width) if width.bits() <= 8 => Kind::Any,
            Ty::Int(_) => Kind::Integer,
            Ty::Float(_) => Kind::Float,
            Ty::Ptr => Kind::Pointer,
        }
    }

    /// Whether a value is changed.
    pub fn changes(self, value: &Symbol) -> bool {
        match (self, value) {
            (Kind::Any, _) => true,
            // Bytes may be a part of anything.
            (Kind::Integer, Symbol::Int(_))
            | (Kind::Float, Symbol::Float(_) | Symbol::Int(_))
            | (Kind::Pointer, Symbol::Pointer(_) | Symbol::Int(_)) => true,
            (Kind::Integer | Kind::Float | Kind::Pointer, _) => false,
        }
    }
}

impl Engine<'_> {
    /// Finds the objects that may overlap, once all objects of the inputs are there.
    pub(crate) fn find_overlaps(&mut self) {
        if !self.unwinding.open {
            return;
        }
        let shared = self.shared_objects();
        for (n, (first, first_name)) in shared.iter().enumerate() {
            for (second, second_name) in &shared[n + 1..] {
                if self.is_told_apart(*first, *second) {
                    continue;
                }
                let (first_name, second_name) = match shared.len() > MOST_OBJECTS {
                    true => ("objects of inputs".to_string(), "others".to_string()),
                    false => (first_name.clone(), second_name.clone()),
                };
                let trusted = self.trust(&Assumption::Apart { first: first_name, second: second_name });
                self.overlaps.entry(*first).or_default().push((*second, trusted));
                self.overlaps.entry(*second).or_default().push((*first, trusted));
            }
        }
    }

    /// The objects to which something outside of the program may have pointers, by name.
    fn shared_objects(&self) -> Vec<(ObjectId, String)> {
        let interface = self.interface;
        let is_copy = |object: Object| interface.arguments.contains(&Argument::Copy(object));
        let mut shared = Vec::new();
        for (object, shape) in interface.objects.entries() {
            let is_visible = match shape.origin {
                Origin::Global(global) => {
                    !self.module.globals[global].local || is_pointed_to(interface, object)
                }
                Origin::Provided => !is_copy(object),
            };
            if is_visible {
                shared.push((self.input_object(object), shape.name.clone()));
            }
        }
        let mut globals: Vec<_> = self.globals.iter().map(|(&global, &object)| (global, object)).collect();
        globals.sort_unstable();
        for (global, object) in globals {
            let data = &self.module.globals[global];
            let is_known = shared.iter().any(|(known, _)| *known == object);
            if let Some(name) =
                data.source_name.clone().filter(|_| !data.local && !data.constant && !is_known)
            {
                shared.push((object, name));
            }
        }
        shared
    }

    /// Whether some pointer says whether two objects are one, so that nothing is left to be assumed: both are single
    /// objects of one type.
    fn is_told_apart(&self, first: ObjectId, second: ObjectId) -> bool {
        let input = |wanted: ObjectId| {
            let mut objects = self.interface.objects.entries();
            objects.find(|(object, _)| self.input_object(*object) == wanted)
        };
        let (Some((a, a_shape)), Some((b, b_shape))) = (input(first), input(second)) else {
            // Two globals have no byte in common.
            let is_global = |object: ObjectId| self.globals.values().any(|known| *known == object);
            return is_global(first) && is_global(second);
        };
        let both_global = [a_shape, b_shape].iter().all(|shape| matches!(shape.origin, Origin::Global(_)));
        let single = a_shape.count == 1 && b_shape.count == 1 && a_shape.element == b_shape.element;
        both_global || single && is_choice(self.interface, a, b)
    }

    /// A write to an object may have changed those that overlap with it.
    pub(crate) fn changed(&mut self, object: ObjectId, kind: Kind, when: Term) {
        let Some(others) = self.overlaps.get(&object).cloned() else { return };
        for (other, trusted) in others {
            let doubted = self.terms.not(trusted);
            let when = self.terms.both(when, doubted);
            if let Some(content) = self.state.memory.change(other).filter(|_| !self.terms.is_false(when)) {
                content.age(&mut self.terms, Stale { kind, when });
            }
        }
    }

    /// Whether pointers to two objects may be equal although their objects are not one.
    pub(crate) fn may_overlap(&mut self, first: ObjectId, second: ObjectId) -> Term {
        let known =
            self.overlaps.get(&first).and_then(|others| others.iter().find(|(other, _)| *other == second));
        match known {
            Some(&(_, trusted)) => self.terms.not(trusted),
            None => self.terms.truth(false),
        }
    }

    /// Finds anything where the content of an object is stale.
    pub(crate) fn refreshed(&mut self, content: &Content) -> Content {
        content.refreshed(&mut self.terms, self.address)
    }
}

fn is_pointed_to(interface: &Interface, object: Object) -> bool {
    let mut lists = interface.leaves.iter().filter_map(|leaf| leaf.targets.as_ref());
    lists.any(|targets| targets.objects().any(|other| other == object))
}

/// Whether a pointer may point to the start of either of two objects.
fn is_choice(interface: &Interface, a: Object, b: Object) -> bool {
    interface.leaves.iter().filter_map(|leaf| leaf.targets.as_ref()).any(|targets| {
        let has = |object: Object| targets.rows().any(|(_, row)| row.first == Target::Object(object, 0));
        has(a) && has(b)
    })
}
