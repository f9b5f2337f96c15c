//! A turn of a loop that stands for all turns.
//!
//! A loop whose turns have no bound cannot be followed to its end. Instead, one turn is executed from a state in which
//! everything that the loop changes is unknown. Which things these are is found by trying: the turn starts with the
//! state in which the loop was left, and whatever is different at its end becomes unknown, until nothing new is.
//!
//! Then every real state at the head of the loop is one of those that the turn starts with: the first one is, and
//! where one is, the next one is, as the turn has led to no other. So whatever happens in some turn, or behind the loop
//! after some turn, happens here for some values of the unknowns: those of that turn. Nothing is lost, but a solution
//! may be one that no run has.
//!
//! Some turns in the past may be executed before the one that stands for all (k-induction: Sheeran, Singh and
//! Stålmarck, 2000). The first of them starts from the unknown state, and each leads to the next. As many turns are
//! executed one by one from the start of the loop, so that whatever turn comes after these has such a past. What happens
//! in the past is no goal: it happens in a turn of its own. But it went well, as the run would have ended otherwise.
//!
//! What a turn creates, blocks on the heap above all, exists once for each turn. A pointer to one of them that comes
//! from an earlier turn points anywhere: what is read there is unknown, and what is written there may change
//! everything.

use std::collections::BTreeMap;
use std::rc::Rc;

use quipu_base::Id;
use quipu_ir::{Block, Ty};
use quipu_num::Width;
use rustc_hash::FxHashSet;

use crate::content::{Background, CellPlace, Content, Read};
use crate::context::Context;
use crate::encoder::{Engine, Here};
use crate::frame::Frame;
use crate::invariant::{Candidates, Ends};
use crate::memory::{Memory, ObjectId, ObjectKind};
use crate::order::Item;
use crate::state::Arrival;
use crate::symbol::Symbol;
use crate::terms::Terms;
use crate::turn_shape::{Lasting, ValueShape};

/// A loop is not tried more often than this.
const MOST_ATTEMPTS: usize = 16;
/// The number of a turn that stands for all turns.
pub(crate) const ANY_TURN: u64 = u64::MAX;

/// What changes from turn to turn. What is not mentioned is the same in all turns.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct Changes {
    pub args: BTreeMap<usize, ValueShape>,
    pub carried: BTreeMap<usize, ValueShape>,
    pub objects: BTreeMap<ObjectId, ObjectChanges>,
}

/// What changes about an object.
#[derive(Clone, PartialEq, Default)]
pub(crate) struct ObjectChanges {
    /// Whether it is alive.
    alive: bool,
    /// All that it holds.
    whole: bool,
    /// Some of what it holds.
    pub cells: BTreeMap<CellPlace, ValueShape>,
}

/// A loop that is not followed any further.
pub(crate) struct Looping<'l> {
    pub head: Block,
    pub inner: &'l [Item],
    /// That of the loop, in no turn.
    pub context: Context,
    /// The states at its head in the turns that were executed one by one since it is clear that they do not matter one by
    /// one, and in the one that comes now.
    pub heads: &'l [Arrival],
}

impl Looping<'_> {
    /// The state from which on all states at the head are taken together.
    pub fn first(&self) -> &Arrival {
        &self.heads[0]
    }

    /// The state in which the loop was left.
    pub fn now(&self) -> &Arrival {
        &self.heads[self.n_past()]
    }

    /// How many turns in the past every turn has that comes now or later.
    pub fn n_past(&self) -> usize {
        self.heads.len() - 1
    }
}

/// A loop with a state that cannot be described.
struct Unwieldy;

/// What is the same in all turns besides the state.
struct Scene {
    /// Objects with a number below existed before the turn.
    first_new: usize,
    /// Local variables that come to life in the loop, but live on.
    lasting: FxHashSet<ObjectId>,
    /// Objects of computed size: each turn makes new ones, which live as long as the function.
    left_behind: FxHashSet<ObjectId>,
}

impl<'a> Engine<'a> {
    /// Executes a turn that stands for all turns from now on. False if that is not possible.
    pub fn any_turn(&mut self, frame: &mut Frame<'a>, looping: &Looping<'_>) -> bool {
        frame.context = looping.context.turn(ANY_TURN);
        self.state = looping.now().state.clone();
        let (out, clean, before) = (self.out.clone(), self.clean, frame.clone());
        let n_products = self.products.len();
        let first_new = self.objects.len();
        let n_vars = self.terms.model.vars().len();
        let mut changes = Changes::default();
        for _ in 0..MOST_ATTEMPTS {
            let start = self.start(&changes, looping);
            let Some(back) = self.one_turn(frame, looping, start.clone()) else { return true };
            let scene = Scene::of(frame, first_new);
            let known = changes.clone();
            let fine = self.widen(&mut changes, &scene, looping.first(), &start, &back).is_ok();
            let stable = fine && changes == known;
            let ends = Ends { first: looping.first(), now: looping.now(), start: &start, back: &back };
            let candidates =
                if stable { self.candidates(&changes, &ends, &out, n_vars) } else { Candidates::default() };
            if stable && candidates.is_empty() && looping.n_past() == 0 {
                self.out.n_any_turns += 1;
                return true;
            }
            (self.out, self.clean) = (out.clone(), clean);
            self.products.truncate(n_products);
            frame.restore(&before);
            if !fine || self.is_too_large() {
                break;
            }
            if stable {
                self.out.n_any_turns += 1;
                self.turns_with_invariants(frame, looping, start, &candidates);
                return true;
            }
        }
        self.state = looping.now().state.clone();
        false
    }

    /// Executes a turn in the past: nothing that happens in it is a goal, and nobody leaves the loop.
    pub fn past_turn(
        &mut self,
        frame: &mut Frame<'a>,
        looping: &Looping<'_>,
        start: Arrival,
    ) -> Option<Arrival> {
        let ways = (frame.arrivals.clone(), frame.back.clone(), frame.returns.clone());
        let seen = self.out.forget_visits();
        let (n_checks, n_unchecked) = (self.out.checks.len(), self.out.unchecked.len());
        let back = self.one_turn(frame, looping, start);
        self.out.checks[n_checks..].iter_mut().for_each(|check| check.past = true);
        self.out.unchecked.truncate(n_unchecked);
        self.out.remember_visits(seen);
        (frame.arrivals, frame.back, frame.returns) = ways;
        back
    }

    /// Executes one turn; what leads to the next one is returned.
    pub fn one_turn(
        &mut self,
        frame: &mut Frame<'a>,
        looping: &Looping<'_>,
        start: Arrival,
    ) -> Option<Arrival> {
        let head = looping.head;
        frame.arrivals.insert(head, vec![start]);
        self.arrive(frame, head);
        self.items(frame, looping.inner);
        let back = frame.back.remove(&head)?;
        Some(self.gather(frame, head, back))
    }

    /// The state at the head of the loop in whatever turn, of a run that comes as far as we are now.
    fn start(&mut self, changes: &Changes, looping: &Looping<'_>) -> Arrival {
        let mut start = looping.first().clone();
        for (&n, shape) in &changes.args {
            start.args[n] = self.any_of(shape);
        }
        for (&n, shape) in &changes.carried {
            start.carried[n].1 = self.any_of(shape);
        }
        for (&object, shape) in &changes.objects {
            let content = self.any_content(object, shape, &looping.first().state.memory);
            start.state.memory.set(object, Rc::new(content));
        }
        start.state.guard = looping.now().state.guard.clone();
        start
    }

    fn any_content(&mut self, object: ObjectId, changes: &ObjectChanges, memory: &Memory) -> Content {
        let mut content = match memory.get(object) {
            Some(content) if !changes.whole => (**content).clone(),
            Some(content) => {
                let alive = content.alive;
                Content::new(&mut self.terms, Background::Anything).alive_if(alive)
            }
            None if changes.whole => Content::new(&mut self.terms, Background::Anything),
            None => Content::new(&mut self.terms, Background::Unwritten),
        };
        if changes.alive {
            content.alive = self.terms.unknown(Width::W1);
        }
        let always = self.terms.truth(true);
        for (&place, shape) in &changes.cells {
            let value = self.any_of(shape);
            let written = self.terms.unknown(Width::W1);
            let stretch = place.stretch(self.address);
            content.write(&mut self.terms, stretch, always, &value, written);
        }
        content
    }

    /// Lets the state at the end of a turn be one with which turns start.
    fn widen(
        &mut self,
        changes: &mut Changes,
        scene: &Scene,
        first: &Arrival,
        start: &Arrival,
        back: &Arrival,
    ) -> Result<(), Unwieldy> {
        let lasting = |object| scene.is_lasting(object);
        let terms = &self.terms;
        for (n, (before, after)) in start.args.iter().zip(&back.args).enumerate() {
            if before != after {
                let shape =
                    changes.args.entry(n).or_insert_with(|| ValueShape::of(terms, &first.args[n], &lasting));
                shape.extend(terms, after, &lasting);
            }
        }
        for (n, ((_, before), (_, after))) in start.carried.iter().zip(&back.carried).enumerate() {
            if before != after {
                let initial = || ValueShape::of(terms, &first.carried[n].1, &lasting);
                changes.carried.entry(n).or_insert_with(initial).extend(terms, after, &lasting);
            }
        }
        for (object, before, after) in Memory::differences(&start.state.memory, &back.state.memory) {
            if scene.is_lasting(object) {
                let own = changes.objects.entry(object).or_default();
                self.widen_object(own, &lasting, before.as_deref(), after.as_deref());
            } else if after.is_some() && scene.must_end(object, self.objects[object].kind) {
                return Err(Unwieldy);
            }
        }
        Ok(())
    }

    fn widen_object(
        &mut self,
        changes: &mut ObjectChanges,
        lasting: &Lasting<'_>,
        before: Option<&Content>,
        after: Option<&Content>,
    ) {
        let never = self.terms.truth(false);
        let dead = Content::new(&mut self.terms, Background::Unwritten).alive_if(never);
        let (before, after) = (before.unwrap_or(&dead), after.unwrap_or(&dead));
        changes.alive |= before.alive != after.alive;
        if changes.whole {
            return;
        }
        let Some(pairs) = before.paired(&mut self.terms, after) else { return changes.forget() };
        for (place, before, after) in pairs {
            let same = before.value == after.value && before.written == after.written;
            if same || self.terms.is_false(before.written) && self.terms.is_false(after.written) {
                continue;
            }
            if changes.cells.keys().any(|known| *known != place && known.overlaps(place)) {
                return changes.forget();
            }
            let (before, after) = self.of_one_kind(before, after);
            let fresh = |terms: &Terms<'_>| match terms.is_false(before.written) {
                true => ValueShape::none_like(terms, &after.value),
                false => ValueShape::of(terms, &before.value, lasting),
            };
            let terms = &self.terms;
            let shape = changes.cells.entry(place).or_insert_with(|| fresh(terms));
            if !terms.is_false(after.written) {
                shape.extend(terms, &after.value, lasting);
            }
        }
    }

    /// The number zero beside a pointer is null.
    fn of_one_kind(&mut self, a: Read, b: Read) -> (Read, Read) {
        let address = self.address;
        let mut null_for = |other: &Symbol, value: Symbol| match (&value, other) {
            (Symbol::Int(term), Symbol::Pointer(_)) if self.terms.known(*term) == Some(0) => {
                Symbol::nothing(&mut self.terms, Ty::Ptr, address)
            }
            _ => value,
        };
        let (x, y) = (null_for(&b.value, a.value.clone()), null_for(&a.value, b.value.clone()));
        (Read { value: x, ..a }, Read { value: y, ..b })
    }

    /// A write to where nobody knows: everything that the program can write may have changed. What is alive still is.
    pub fn forget_memory(&mut self, here: Here, what: &str) {
        self.approximate(here, what);
        self.leave_unchecked(here, what);
        // What is there now was made up, though nobody has looked at it yet.
        self.terms.n_unknown += 1;
        for (object, content) in self.state.memory.objects() {
            if !matches!(self.objects[object].kind, ObjectKind::Constant | ObjectKind::Register) {
                let anything = Content::new(&mut self.terms, Background::Anything).alive_if(content.alive);
                self.state.memory.set(object, Rc::new(anything));
            }
        }
    }

    /// The end of a life of which nobody knows whose it is.
    pub fn end_any_block(&mut self, here: Here, what: &str) {
        self.approximate(here, what);
        self.leave_unchecked(here, what);
        for (object, content) in self.state.memory.objects() {
            if self.objects[object].kind == ObjectKind::Heap {
                let spared = self.terms.unknown(Width::W1);
                let alive = self.terms.both(content.alive, spared);
                self.state.memory.set(object, Rc::new(content.alive_if(alive)));
            }
        }
    }
}

impl ObjectChanges {
    /// Nothing that it holds is known.
    fn forget(&mut self) {
        self.whole = true;
        self.cells.clear();
    }
}

impl Scene {
    fn of(frame: &Frame<'_>, first_new: usize) -> Scene {
        let lives =
            frame.lasting_lives().map(|(_, object)| object).chain(frame.slots.iter().flatten().copied());
        Scene { first_new, lasting: lives.collect(), left_behind: frame.allocas.iter().copied().collect() }
    }

    fn is_lasting(&self, object: ObjectId) -> bool {
        object.index() < self.first_new || self.lasting.contains(&object)
    }

    /// Whether an object that a turn has made should be gone at its end. Others live on, but no pointer tells which
    /// turn has made them.
    fn must_end(&self, object: ObjectId, kind: ObjectKind) -> bool {
        kind.is_local() && !self.left_behind.contains(&object)
    }
}
