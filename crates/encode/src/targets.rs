//! What an unknown pointer may point to: its address is a number, and the analysis of pointers tells of which objects
//! it may be the address.
//!
//! A pointer is unknown where a program makes it from a number or from bytes, or reads it from where nobody knows what
//! stands. It becomes a pointer with one case for each object that it may mean, in which the offset is its address less
//! that of the object. If the analysis lists all its targets, no other object is meant in a clean run. If not, what is
//! left stays unknown, so that no behaviour is lost.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use quipu_analysis::PointsTo;
use quipu_analysis::points_to::{Object, TargetSet};
use quipu_inputs::{Interface, Origin, Place};
use quipu_ir::{Func, Module, Value};
use quipu_model::Term;
use quipu_num::{IntCmp, IntOp};

use crate::encoder::{Engine, Here};
use crate::frame::Frame;
use crate::memory::{ObjectId, ObjectKind, Source};
use crate::pointer::{self, Base, Case, Pointer};

/// With more objects that it may mean, a pointer stays unknown.
const MOST_TARGETS: usize = 24;
/// The analysis executes so many blocks at most.
const MOST_BLOCKS: u32 = 20_000;

/// The analysis of the function under test, made when it is asked for.
pub(crate) struct Targets<'m> {
    module: &'m Module,
    interface: &'m Interface,
    analysis: OnceCell<Option<Analysis<'m>>>,
}

/// What the analysis tells.
pub(crate) struct Analysis<'m> {
    points_to: PointsTo<'m>,
    /// Whether all that the inputs can be was taken into account.
    knows_inputs: bool,
}

/// Somebody who tells about targets, whatever the lifetime of the module.
pub(crate) trait TellsTargets {
    /// The analysis, unless it takes too long.
    fn analysis(&self, interrupt: &AtomicBool) -> Option<&Analysis<'_>>;
}

impl<'m> Targets<'m> {
    pub fn new(module: &'m Module, interface: &'m Interface) -> Targets<'m> {
        Targets { module, interface, analysis: OnceCell::new() }
    }
}

impl TellsTargets for Targets<'_> {
    fn analysis(&self, interrupt: &AtomicBool) -> Option<&Analysis<'_>> {
        let analyse = || {
            let mut left = MOST_BLOCKS;
            let stopped = || {
                left = left.saturating_sub(1);
                left == 0 || interrupt.load(Ordering::Relaxed)
            };
            let points_to = PointsTo::unless(self.module, self.interface.func, stopped)?;
            let knows_inputs = knows_inputs(&points_to, self.interface);
            Some(Analysis { points_to, knows_inputs })
        };
        self.analysis.get_or_init(analyse).as_ref()
    }
}

/// Whether every pointer of an interface is one of which the analysis assumes that it is an input, and every global
/// to which one may point one to which inputs may point.
fn knows_inputs(points_to: &PointsTo<'_>, interface: &Interface) -> bool {
    let global = |object| match interface.objects[object].origin {
        Origin::Global(global) => Some(global),
        Origin::Provided => None,
    };
    interface.leaves.iter().all(|leaf| {
        let Some(targets) = &leaf.targets else { return true };
        let holder = match leaf.place {
            Place::Memory { object, .. } => global(object),
            Place::Argument(_) | Place::Index(_) => None,
        };
        let shared = |object| global(object).is_none_or(|global| points_to.is_shared(Object::Global(global)));
        holder.is_none_or(|global| points_to.holds_inputs(global)) && targets.objects().all(shared)
    })
}

/// What an unknown pointer may mean.
struct Candidates {
    bases: Vec<Base>,
    /// Whether it means one of them in every clean run.
    all: bool,
    null: bool,
}

impl<'a> Engine<'a> {
    /// A pointer through which memory is accessed by the present instruction.
    pub fn accessed(&mut self, frame: &Frame<'a>, here: Here, value: Value) -> Rc<Pointer> {
        let pointer = self.value(frame, value).pointer().clone();
        if !pointer.may_be_unknown() {
            return pointer;
        }
        match self.objects_at(here, value) {
            Some(candidates) => self.bounded(here, &pointer, &candidates),
            None => pointer,
        }
    }

    /// A pointer that is passed to a function of the library, which need not access it.
    pub fn passed(&mut self, here: Here, value: Value, pointer: &Rc<Pointer>) -> Rc<Pointer> {
        if !pointer.may_be_unknown() {
            return pointer.clone();
        }
        match self.objects_at(here, value) {
            Some(candidates) => self.bounded(here, pointer, &Candidates { all: false, ..candidates }),
            None => pointer.clone(),
        }
    }

    /// A pointer that is called by the present instruction.
    pub fn called(&mut self, frame: &Frame<'a>, here: Here, value: Value) -> Rc<Pointer> {
        let pointer = self.value(frame, value).pointer().clone();
        if !pointer.may_be_unknown() {
            return pointer;
        }
        match self.functions_at(here, value) {
            Some(candidates) => self.bounded(here, &pointer, &candidates),
            None => pointer,
        }
    }

    /// The analysis, where it knows of the present call.
    fn analysis(&self, func: Func) -> Option<&'a Analysis<'a>> {
        // A loose encoding has no objects for other turns than the one that stands for all.
        if self.assuming || self.unwinding.loose {
            return None;
        }
        let analysis = self.targets.analysis(&self.unwinding.interrupt)?;
        analysis.points_to.values(func).is_some().then_some(analysis)
    }

    /// The objects to which a value may point.
    fn objects_at(&self, here: Here, value: Value) -> Option<Candidates> {
        let analysis = self.analysis(here.func)?;
        let targets = &analysis.points_to.values(here.func)?[value];
        let is_meant = |object: ObjectId| match self.objects[object].source {
            Source::Hidden => false,
            Source::Any => true,
            Source::Known(source) => analysis.points_to.leads_to(targets, source),
        };
        let exists = |&object: &ObjectId| self.state.memory.get(object).is_some();
        let meant = self.objects.ids().filter(exists).filter(|&object| is_meant(object));
        let bases: Vec<Base> = meant.map(Base::Object).take(MOST_TARGETS + 1).collect();
        self.candidates_of(analysis, targets, bases)
    }

    /// The functions to which a value may point that is called.
    fn functions_at(&self, here: Here, value: Value) -> Option<Candidates> {
        let analysis = self.analysis(here.func)?;
        let targets = &analysis.points_to.values(here.func)?[value];
        let callees = analysis.points_to.callees(here.func, here.block, here.inst);
        let known = |func: &&Func| self.mentioned.contains(func);
        let bases: Vec<Base> =
            callees.functions.iter().filter(known).map(|&func| Base::Function(func)).collect();
        let all = !callees.unknown && bases.len() == callees.functions.len();
        let candidates = self.candidates_of(analysis, targets, bases)?;
        Some(Candidates { all: candidates.all && all, ..candidates })
    }

    fn candidates_of(
        &self,
        analysis: &Analysis<'_>,
        targets: &TargetSet,
        bases: Vec<Base>,
    ) -> Option<Candidates> {
        let all = !targets.may_be_unknown() && analysis.knows_inputs;
        let few = !bases.is_empty() && bases.len() <= MOST_TARGETS;
        few.then_some(Candidates { bases, all, null: targets.may_be_null() })
    }

    /// A pointer with cases for what it may mean where it is unknown.
    fn bounded(&mut self, here: Here, pointer: &Pointer, candidates: &Candidates) -> Rc<Pointer> {
        let is_unknown = |case: &&Case| case.base == Base::Unknown;
        let Some(unknown) = pointer.cases.iter().find(is_unknown).cloned() else {
            unreachable!("only unknown pointers are bounded")
        };
        let meant = match self.certain(unknown.offset, candidates) {
            Some(case) => Pointer { cases: vec![case] },
            None => {
                self.approximate(here, UNKNOWN);
                self.leave_unchecked(here, UNKNOWN);
                self.meant(unknown.offset, candidates)
            }
        };
        let others: Vec<Case> = pointer.cases.iter().filter(|case| !is_unknown(case)).cloned().collect();
        Rc::new(match others.is_empty() {
            true => meant,
            false => pointer::select(&mut self.terms, unknown.when, &meant, &Pointer { cases: others }),
        })
    }

    /// The only thing that an address can mean.
    fn certain(&mut self, address: Term, candidates: &Candidates) -> Option<Case> {
        candidates.bases.iter().find_map(|&base| {
            let (offset, inside) = self.offset_from(base, address);
            self.terms.is_true(inside).then_some(Case { when: inside, base, offset })
        })
    }

    /// How far an address is from the start of an object, and whether it lies inside and the object is alive.
    fn offset_from(&mut self, base: Base, address: Term) -> (Term, Term) {
        let start = self.terms.start_address(base, self.address);
        let offset = self.terms.op(IntOp::Sub, address, start);
        let inside = match base {
            Base::Object(object) => {
                let (extent, alive) = (self.extent(object), self.content(object).alive);
                let inside = self.terms.compare(IntCmp::Ult, offset, extent);
                self.terms.both(alive, inside)
            }
            _ => self.terms.is(offset, 0),
        };
        (offset, inside)
    }

    /// The pointer with an address, if it means one of some things.
    fn meant(&mut self, address: Term, candidates: &Candidates) -> Pointer {
        let mut left = self.terms.truth(true);
        let mut cases: Vec<Case> = Vec::new();
        let (mut taken, mut twice) = (Vec::new(), Vec::new());
        for &base in &candidates.bases {
            let (offset, inside) = self.offset_from(base, address);
            let when = self.terms.both(left, inside);
            cases.push(Case { when, base, offset });
            let outside = self.terms.not(inside);
            left = self.terms.both(left, outside);
            if !self.may_share_bytes(base) {
                let by_others = self.terms.any(&taken);
                twice.push(self.terms.both(by_others, inside));
                taken.push(inside);
            }
        }
        self.rule_out(&twice);
        let complete = self.completeness(candidates);
        let near_null = self.is_null_or_near(address, complete);
        if candidates.null || !self.terms.is_true(complete) {
            let when = self.terms.both(left, near_null);
            cases.push(Case { when, base: Base::Null, offset: address });
            let other = self.terms.not(near_null);
            left = self.terms.both(left, other);
        }
        self.strays(&mut cases, left, complete, address);
        cases.retain(|case| !self.terms.is_false(case.when));
        if let [only] = &mut cases[..] {
            only.when = self.terms.truth(true);
        }
        Pointer { cases }
    }

    /// Where a pointer means one of the candidates in every clean run: the analysis takes all that is assumed for true.
    fn completeness(&mut self, candidates: &Candidates) -> Term {
        if !candidates.all {
            return self.terms.truth(false);
        }
        let trusted: Vec<Term> = self.out.trusted.values().copied().collect();
        self.terms.all(&trusted)
    }

    /// Whether an address is null, or so near that it means null where the candidates are not complete.
    fn is_null_or_near(&mut self, address: Term, complete: Term) -> Term {
        let null = self.terms.is(address, 0);
        let far = self.is_far_from_null(address);
        let (near, open) = (self.terms.not(far), self.terms.not(complete));
        let near = self.terms.both(open, near);
        self.terms.any(&[null, near])
    }

    /// Whether a compiler may put an object where another one is: it does so with constants.
    fn may_share_bytes(&self, base: Base) -> bool {
        matches!(base, Base::Object(object) if self.objects[object].kind == ObjectKind::Constant)
    }

    /// No run goes on where one of these holds: two objects that are alive have no byte in common.
    fn rule_out(&mut self, conditions: &[Term]) {
        let any = self.terms.any(conditions);
        let none = self.terms.not(any);
        if let Some(state) = self.state_if(none) {
            self.state = state;
        }
    }

    /// Deals with addresses that lie in none of the objects of the cases: where all targets are known, a clean run has
    /// none. Else what is near an object belongs to it, and what is not stays unknown.
    fn strays(&mut self, cases: &mut Vec<Case>, mut left: Term, complete: Term, address: Term) {
        for case in cases.iter_mut().filter(|case| case.base != Base::Null) {
            let near = match self.terms.is_true(complete) {
                true => complete,
                false => {
                    let near = self.is_near(case.base, case.offset);
                    self.terms.any(&[complete, near])
                }
            };
            let here = self.terms.both(left, near);
            case.when = self.terms.any(&[case.when, here]);
            let far = self.terms.not(near);
            left = self.terms.both(left, far);
        }
        cases.push(Case { when: left, base: Base::Unknown, offset: address });
    }

    /// The part of a pointer of which it is known where it leads. Nothing is followed where that is unknown; none if
    /// it always is.
    pub fn known_part(&mut self, here: Here, pointer: &Pointer) -> Option<Pointer> {
        let Some(unknown) = pointer.cases.iter().find(|case| case.base == Base::Unknown) else {
            return Some(pointer.clone());
        };
        self.cut_where(here, unknown.when, format!("an access through {UNKNOWN}"))?;
        Some(known_cases(pointer))
    }
}

/// The cases that are not unknown.
pub(crate) fn known_cases(pointer: &Pointer) -> Pointer {
    let known = pointer.cases.iter().filter(|case| case.base != Base::Unknown);
    Pointer { cases: known.cloned().collect() }
}

const UNKNOWN: &str = "an unknown pointer";
