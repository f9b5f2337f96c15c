//! Encodings of one function, one deeper than the other, over the same variables.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quipu_analysis::points_to;
use quipu_inputs::{Assumption, Interface, Leaf, LeafInfo, Mentioned};
use quipu_ir::{Block, Event, Func, Global, Module, Span};
use quipu_model::{Model, Reading, Term, Var};
use quipu_num::Width;
use quipu_rewrite::Rewriter;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::device::DeviceBlock;
use crate::encoding::{Approximation, Check, Cut, CutKind, Encoding, Visit};
use crate::frame::Returned;
use crate::guard::Guard;
use crate::library::{LIST_SIZE, LibraryObjects, TABLE_SIZE};
use crate::loose_read::LooseRead;
use crate::memory::{Memory, ObjectId, ObjectInfo, ObjectKind, Objects, Source};
use crate::open::{Escape, TRUTH};
use crate::order::Order;
use crate::overlap::Overlaps;
use crate::pointer::Base;
use crate::state::State;
use crate::symbol::Symbol;
use crate::targets::{Targets, TellsTargets};
use crate::terms::Terms;
use crate::trail::Trail;

/// How far an encoding goes.
#[derive(Clone, Debug)]
pub struct Unwinding {
    /// The turns of a loop, unless something else is said for it. A turn that is certain is not counted.
    pub turns: u64,
    /// Whether turns that are certain count as well.
    pub every_turn: bool,
    /// Whether paths with different constants are executed apart in loops.
    pub apart: bool,
    /// The turns of these loops.
    pub loops: FxHashMap<Context, u64>,
    /// How often a function may be active at once.
    pub recursion: u64,
    /// The functions that may be active more often.
    pub recursive: FxHashMap<Func, u64>,
    /// Block executions in total.
    pub size: usize,
    /// Whether something that cannot be followed exactly is replaced by something that has more behaviours, instead of
    /// being cut: the turns of a loop beyond those allowed by one that stands for all of them, a write to nobody knows
    /// where by one that may change everything. What cannot happen in such an encoding cannot happen at all, but what
    /// can happen in it may still be impossible.
    pub loose: bool,
    /// Whether what is taken for granted in such turns can be left out, to find out what of it is needed.
    pub selectable: bool,
    /// In loose encodings, so many turns are executed before one that stands for all of them, in which everything goes
    /// well: nothing that happens in them counts, but what they demand is known to hold.
    pub past: usize,
    /// Whether assumptions that the user did not state can be left out, to find out which of them are needed.
    pub open: bool,
    /// Whether a read of what was never written gives any value, and the run goes on. Otherwise it is an event.
    pub indeterminate: bool,
    /// Whether clean runs satisfy all assumptions of the program to their end. Otherwise, what happens before an
    /// assumption happens whether that holds or not.
    pub to_the_end: bool,
    /// Only what this run did is followed.
    pub trail: Option<Arc<Trail>>,
    /// Raised when there is no more time: what is not encoded then is cut.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Unwinding {
    fn default() -> Unwinding {
        Unwinding {
            turns: 4,
            every_turn: false,
            apart: false,
            loops: FxHashMap::default(),
            recursion: 4,
            recursive: FxHashMap::default(),
            size: 100_000,
            loose: false,
            selectable: false,
            past: 0,
            open: false,
            indeterminate: false,
            to_the_end: true,
            trail: None,
            interrupt: Arc::default(),
        }
    }
}

/// What encodings of one function share: variables, and the order of blocks.
pub struct Encoder<'m> {
    module: &'m Module,
    /// The program of which the module is a slice, or the module itself: it tells which objects there are.
    whole: &'m Module,
    interface: &'m Interface,
    rewriter: Rewriter,
    memo: Memo,
    orders: FxHashMap<Func, Rc<Order>>,
    targets: Targets<'m>,
    /// Functions whose result must be true before the function under test is called.
    preconditions: Vec<Func>,
}

/// Variables by what they stand for.
#[derive(Default)]
pub(crate) struct Memo {
    leaves: Vec<Var>,
    requested: FxHashMap<(Context, Block, usize, usize), Var>,
    trusted: FxHashMap<Assumption, Var>,
}

impl Memo {
    /// The variable of an input, which has a value of this range.
    pub fn leaf(
        &mut self,
        terms: &mut Terms<'_>,
        leaf: Leaf,
        info: &LeafInfo,
        range: Option<(u64, u64)>,
    ) -> Var {
        use quipu_base::Id;
        if let Some(&var) = self.leaves.get(leaf.index()) {
            return var;
        }
        let reading = match info.ty {
            quipu_ir::Ty::Float(_) => Reading::Float,
            _ => Reading::integer(info.signed),
        };
        let var = terms.new_var(info.name.clone(), info.width(), reading, range);
        self.leaves.push(var);
        var
    }

    /// The variable that says whether an assumption holds.
    pub fn trusted(&mut self, terms: &mut Terms<'_>, assumption: &Assumption) -> Var {
        if let Some(&known) = self.trusted.get(assumption) {
            return known;
        }
        let (width, reading) = TRUTH;
        let var = terms.new_var(format!("trust{}", self.trusted.len()), width, reading, None);
        self.trusted.insert(assumption.clone(), var);
        var
    }

    /// The variables that stand for answers of the environment.
    pub fn answers(&self) -> impl Iterator<Item = Var> + '_ {
        self.requested.values().copied()
    }

    /// The variable for what is asked for by an instruction; `n` counts when it asks several times.
    pub fn requested(
        &mut self,
        terms: &mut Terms<'_>,
        place: (Context, Block, usize, usize),
        width: Width,
        reading: Reading,
        range: Option<(u64, u64)>,
    ) -> Var {
        let next = self.requested.len();
        *self
            .requested
            .entry(place)
            .or_insert_with(|| terms.new_var(format!("answer{next}"), width, reading, range))
    }
}

impl<'m> Encoder<'m> {
    pub fn new(module: &'m Module, interface: &'m Interface, preconditions: Vec<Func>) -> Encoder<'m> {
        Encoder {
            module,
            whole: module,
            interface,
            rewriter: Rewriter::new(),
            memo: Memo::default(),
            orders: FxHashMap::default(),
            targets: Targets::new(module, interface),
            preconditions,
        }
    }

    /// The module is a slice of this one.
    pub fn slice_of(self, whole: &'m Module) -> Encoder<'m> {
        Encoder { whole, ..self }
    }

    /// Encodes the function and what it calls. Terms that an earlier encoding has made are used again.
    pub fn encode(&mut self, model: &mut Model, unwinding: &Unwinding) -> Encoding {
        let mut terms = Terms::new(model, &mut self.rewriter);
        terms.indeterminate = unwinding.indeterminate;
        let state = State { guard: Guard::always(&mut terms), memory: Memory::default() };
        let data_model = self.module.data_model;
        let address = data_model.address_ty().width().expect("an address is a number");
        let mut objects = Objects::new();
        let mut library_object = |size, source| {
            let info = ObjectInfo::new(size, ObjectKind::Static).aligned(size.min(8)).from(source);
            add_object(&mut terms, &mut objects, info)
        };
        let library = LibraryObjects {
            stream: library_object(1, Source::Hidden),
            errno: library_object(4, Source::Known(points_to::Object::Outside)),
            token: library_object(data_model.pointer_size(), Source::Hidden),
            allocations: library_object(1, Source::Hidden),
            exits: library_object(LIST_SIZE, Source::Hidden),
            quick_exits: library_object(LIST_SIZE, Source::Hidden),
            signals: library_object(TABLE_SIZE, Source::Hidden),
            locale: library_object(1, Source::Hidden),
        };
        terms.addresses.devices = self.module.devices().map(|(_, start, size)| start..start + size).collect();
        let mut engine = Engine {
            module: self.module,
            interface: self.interface,
            terms,
            unwinding,
            out: Encoding::default(),
            objects,
            globals: FxHashMap::default(),
            devices: Vec::new(),
            inputs: Vec::new(),
            mentioned: BTreeSet::new(),
            orders: &mut self.orders,
            memo: &mut self.memo,
            targets: &self.targets,
            assuming: true,
            active: Vec::new(),
            calls: Vec::new(),
            raised: Vec::new(),
            state,
            library,
            root_block: self.module.functions[self.interface.func].code().expect("it has code").entry(),
            address,
            products: Vec::new(),
            loose_reads: Vec::new(),
            coincidences: FxHashMap::default(),
            clean: None,
            escapes: Vec::new(),
            overlaps: Overlaps::default(),
            followed: 0,
        };
        let entered = self.interface.functions().chain(self.preconditions.iter().copied());
        let arguments = engine.prepare(Mentioned::by_any(self.whole, entered));
        for &precondition in &self.preconditions {
            engine.assume_result(precondition, &arguments);
        }
        engine.assuming = false;
        let returned = engine.enter(self.interface.func, arguments, Context::root(self.interface.func));
        if let Some(returned) = returned.filter(|_| engine.starts_program()) {
            engine.return_from_main(returned);
        }
        engine.out
    }
}

/// The execution with terms.
pub(crate) struct Engine<'a> {
    pub module: &'a Module,
    pub interface: &'a Interface,
    pub terms: Terms<'a>,
    pub unwinding: &'a Unwinding,
    pub out: Encoding,
    pub objects: Objects,
    pub globals: FxHashMap<Global, ObjectId>,
    pub devices: Vec<DeviceBlock>,
    /// The objects of the interface, by number.
    pub inputs: Vec<ObjectId>,
    /// The functions that the run can come across.
    pub mentioned: BTreeSet<Func>,
    pub orders: &'a mut FxHashMap<Func, Rc<Order>>,
    pub memo: &'a mut Memo,
    pub targets: &'a dyn TellsTargets,
    /// Whether preconditions are executed, of which the analysis of pointers knows nothing.
    pub assuming: bool,
    /// The functions that are active, from the outside.
    pub active: Vec<Func>,
    /// The instructions that called them, but for the outermost one.
    pub calls: Vec<points_to::Site>,
    /// The signals whose handlers are active.
    pub raised: Vec<u64>,
    pub state: State,
    pub library: LibraryObjects,
    /// The block of the function under test that is executed.
    pub root_block: Block,
    pub address: Width,
    /// The products of unknowns so far.
    pub products: Vec<Term>,
    pub loose_reads: Vec<LooseRead>,
    /// Whether two places in different objects have the same address, where nobody knows.
    pub coincidences: FxHashMap<[(Base, Term); 2], Term>,
    /// That some checks hold, and how many.
    pub clean: Option<(Term, usize)>,
    /// Where the present instruction leaves the world of the assumptions.
    pub escapes: Vec<Escape>,
    pub overlaps: Overlaps,
    /// How many steps of the run that is followed are behind us.
    pub followed: usize,
}

/// A place in the program, for what is recorded.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    pub context: Context,
    pub func: Func,
    pub block: Block,
    pub inst: usize,
    pub span: Span,
}

impl Here {
    /// The instruction.
    pub fn site(&self) -> points_to::Site {
        points_to::Site { func: self.func, block: self.block, inst: self.inst }
    }
}

/// Adds an object to an encoding.
fn add_object(terms: &mut Terms<'_>, objects: &mut Objects, info: ObjectInfo) -> ObjectId {
    let object = objects.push(info);
    terms.addresses.add(object, info.align);
    object
}

impl Engine<'_> {
    pub fn add_object(&mut self, info: ObjectInfo) -> ObjectId {
        add_object(&mut self.terms, &mut self.objects, info)
    }

    /// Whether nothing more should be encoded.
    pub fn is_too_large(&self) -> bool {
        self.out.n_visits > self.unwinding.size || self.unwinding.interrupt.load(Ordering::Relaxed)
    }

    pub fn order(&mut self, func: Func) -> Rc<Order> {
        let module = self.module;
        let code = module.functions[func].code().expect("only code is entered");
        self.orders.entry(func).or_insert_with(|| Rc::new(Order::of(code))).clone()
    }

    /// The present moment as a visit.
    pub fn visit(&self, context: Context) -> Visit {
        self.visit_in(context, &self.state)
    }

    /// A state behind all checks so far as a visit.
    pub fn visit_in(&self, context: Context, state: &State) -> Visit {
        let guard = &state.guard;
        let n_checks = self.out.checks.len();
        Visit { context, when: guard.term(), conditions: guard.conditions(), n_checks }
    }

    /// A clean run satisfies this here.
    pub fn check(&mut self, here: Here, holds: Term, event: Event) {
        self.demand(here, holds, Some(event));
    }

    pub fn demand(&mut self, here: Here, holds: Term, event: Option<Event>) {
        if self.terms.is_true(holds) {
            return;
        }
        let reached = self.state.guard.term();
        let clean = self.terms.implies(reached, holds);
        if !self.terms.is_true(clean) {
            let conditions = self.state.guard.conditions();
            let Here { func, span, .. } = here;
            let caller = self.calls.last().copied();
            self.out.checks.push(Check { clean, conditions, holds, event, func, span, caller, past: false });
        }
    }

    /// A run that counts satisfies this here, unless something undefined has happened before.
    pub fn assume(&mut self, holds: Term) {
        let clean = self.clean_so_far();
        let reached = self.terms.both(self.state.guard.term(), clean);
        let counts = self.terms.implies(reached, holds);
        self.out.assumptions.push(counts);
    }

    /// That all checks so far hold. Each extends the one before, so that they share their parts.
    fn clean_so_far(&mut self) -> Term {
        let (mut clean, known) = self.clean.unwrap_or_else(|| (self.terms.truth(true), 0));
        for check in &self.out.checks[known..] {
            clean = self.terms.both(clean, check.clean);
        }
        self.clean = Some((clean, self.out.checks.len()));
        clean
    }

    /// Nothing behind this point is encoded.
    pub fn cut(&mut self, here: Here, kind: CutKind) {
        let when = self.state.guard.term();
        let n_checks = self.out.checks.len();
        let root_block = self.root_block;
        self.out.cuts.push(Cut { when, root_block, n_checks, kind, func: here.func, span: here.span });
    }

    pub fn unsupported(&mut self, here: Here, what: impl Into<String>) {
        self.cut(here, CutKind::Unsupported(what.into()));
    }

    /// Does something, and takes note if that made up values.
    pub fn noting<T>(&mut self, here: Here, what: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.terms.n_unknown;
        let result = work(self);
        if self.terms.n_unknown != before {
            self.approximate(here, what);
        }
        result
    }

    /// Takes note of values that were made up and matter only sometimes.
    pub fn note_doubts(&mut self, here: Here) {
        for (condition, what) in std::mem::take(&mut self.terms.doubts) {
            let mut approximation = self.approximation(here, what);
            approximation.when = self.terms.both(approximation.when, condition);
            if !self.terms.is_false(approximation.when) {
                self.out.approximations.push(approximation);
            }
        }
    }

    pub fn approximate(&mut self, here: Here, what: &str) {
        let approximation = self.approximation(here, what);
        self.out.approximations.push(approximation);
    }

    /// Bytes get values here that C does not specify.
    pub fn leave_unspecified(&mut self, here: Here) {
        let approximation = self.approximation(here, "bytes whose values C does not specify");
        self.out.unspecified.push(approximation);
    }

    /// Events may happen here that no check stands for.
    pub fn leave_unchecked(&mut self, here: Here, what: &str) {
        let approximation = self.approximation(here, what);
        self.out.unchecked.push(approximation);
    }

    pub(crate) fn approximation(&self, here: Here, what: &str) -> Approximation {
        let Here { func, span, .. } = here;
        let (when, n_checks) = (self.state.guard.term(), self.out.checks.len());
        Approximation { when, n_checks, what: what.to_string(), func, span }
    }

    /// Where `main` comes back, the program ends as with `exit` (C17 5.1.2.2.3p1).
    fn return_from_main(&mut self, returned: Returned) {
        let func = self.interface.func;
        let (block, span) = (self.root_block, self.module.functions[func].span);
        let here = Here { context: Context::root(func).returned(), func, block, inst: 0, span };
        let status = returned.value.and_then(|value| match value {
            Symbol::Int(status) => Some(status),
            _ => None,
        });
        let status = status.unwrap_or_else(|| self.terms.constant(Width::W32, 0));
        self.end_program(here, self.library.exits, status);
    }

    /// A precondition: it is called like any function, but what it does to memory is forgotten, and none of its
    /// parts is a goal.
    fn assume_result(&mut self, precondition: Func, arguments: &[Symbol]) {
        let before = self.state.clone();
        let visits = self.out.forget_visits();
        let returned = self.enter(precondition, arguments.to_vec(), Context::root(precondition));
        if let Some(Returned { value: Some(value), given }) = returned {
            let value = value.int();
            self.assume(given);
            let holds = self.terms.is(value, 0);
            let holds = self.terms.not(holds);
            self.assume(holds);
        }
        // Only runs in which the precondition can be evaluated count.
        let clean = self.out.forget_checks();
        self.clean = None;
        self.out.unchecked.clear();
        self.out.assumptions.extend(clean);
        self.out.remember_visits(visits);
        self.state = before;
    }
}
