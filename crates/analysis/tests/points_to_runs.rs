//! Whatever a run does with pointers, the analysis foresees: on random programs, every pointer that a run computes or
//! holds in memory is among the targets found, and is the target where it is said to be definite. `QUIPU_PROGRAMS`
//! sets how many programs, `QUIPU_FIRST` the seed of the first one.

#[path = "points_to/programs.rs"]
mod programs;

use std::collections::{BTreeMap, BTreeSet};

use programs::pointer_program;
use quipu_analysis::PointsTo;
use quipu_analysis::points_to::{MemoryView, Object, Offset, Site, TargetSet};
use quipu_interp::{Limits, Machine, Memory, ObjectKind, Observer, ZeroInputs};
use quipu_ir::{Block, Func, InstKind, Module, Ty};
use quipu_testkit::generate::{Config, program, source};

#[test]
fn pointer_programs() {
    let tally = check_all(40, pointer_program, &["test", "main"]);
    assert!(tally.checked > 10_000 && tally.definite > 1000, "{tally:?}");
}

#[test]
fn random_programs() {
    let text = |seed| source(&[program(seed, "p", &Config { max_cost: 2000, ..Config::default() })]);
    let tally = check_all(12, text, &["ptest", "main"]);
    assert!(tally.checked > 1000 && tally.definite > 100, "{tally:?}");
}

/// How much was compared.
#[derive(Default, Debug)]
struct Tally {
    runs: usize,
    checked: usize,
    definite: usize,
    unknown: usize,
    /// Pointers to objects whose origin the observer did not see.
    skipped: usize,
}

fn check_all(wanted: u64, text: impl Fn(u64) -> String, entries: &[&str]) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("QUIPU_FIRST").unwrap_or(0);
    let mut tally = Tally::default();
    for seed in first..first + number("QUIPU_PROGRAMS").unwrap_or(wanted) {
        let text = text(seed);
        for in_memory in [false, true] {
            let module = compile(&text, in_memory);
            for entry in entries {
                let context = format!("seed {seed}, {entry}, variables in memory: {in_memory}");
                check(&module, entry, &context, &text, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    tally
}

fn compile(text: &str, in_memory: bool) -> Module {
    let mut options = quipu_cfront::Options::default();
    if in_memory {
        options.keep_variables();
    }
    let compiled = quipu_cfront::compile_source("test.c", text.as_bytes().to_vec(), &options);
    compiled.unwrap_or_else(|failure| panic!("{failure}\n{text}")).module
}

fn check(module: &Module, entry: &str, context: &str, text: &str, tally: &mut Tally) {
    let func = module.function(entry).expect("the entry exists");
    let points_to = PointsTo::of(module, func);
    let limits = Limits { steps: 200_000, ..Limits::default() };
    let mut machine = Machine::new(module, limits);
    let mut watcher = Watcher::new(module, &machine, &points_to);
    let args = vec![0; module.functions[func].params.len()];
    machine.run(func, &args, &mut ZeroInputs, &mut watcher);
    let memory = machine.memory();
    watcher.settle(memory);
    tally.runs += 1;
    tally.checked += watcher.tally.checked;
    tally.definite += watcher.tally.definite;
    tally.unknown += watcher.tally.unknown;
    tally.skipped += watcher.tally.skipped;
    if let Some(mistake) = watcher.mistakes.first() {
        panic!("{context}: {mistake}\n{text}");
    }
}

enum Happening {
    Enter,
    Leave,
    Result(Site, u64),
}

struct Watcher<'a> {
    module: &'a Module,
    points_to: &'a PointsTo<'a>,
    /// The objects of the run by their address, and to which group the analysis counts them.
    objects: BTreeMap<u64, Object>,
    /// The newest object of each group.
    newest: BTreeMap<Object, u64>,
    /// The variables of the active functions.
    frames: Vec<BTreeMap<Object, u64>>,
    /// What waits for a look at the memory, which tells the object of an address.
    pending: Vec<Happening>,
    views: BTreeMap<Site, (u32, Option<MemoryView<'a>>)>,
    mistakes: Vec<String>,
    tally: Tally,
}

impl<'a> Watcher<'a> {
    fn new(module: &'a Module, machine: &Machine<'_>, points_to: &'a PointsTo<'a>) -> Watcher<'a> {
        let globals = module.globals.ids().map(|one| (machine.global_address(one), Object::Global(one)));
        let functions =
            module.functions.ids().map(|one| (machine.function_address(one), Object::Function(one)));
        let objects: BTreeMap<u64, Object> = globals.chain(functions).collect();
        Watcher {
            module,
            points_to,
            newest: objects.iter().map(|(&base, &object)| (object, base)).collect(),
            objects,
            frames: Vec::new(),
            pending: Vec::new(),
            views: BTreeMap::new(),
            mistakes: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Takes note of new objects, and compares results.
    fn settle(&mut self, memory: &Memory) {
        for happening in std::mem::take(&mut self.pending) {
            let (site, bits) = match happening {
                Happening::Enter => {
                    self.frames.push(BTreeMap::new());
                    continue;
                }
                Happening::Leave => {
                    self.frames.pop();
                    continue;
                }
                Happening::Result(site, bits) => (site, bits),
            };
            let body = self.module.functions[site.func].code().expect("it runs");
            let inst = &body.blocks[site.block].insts[site.inst];
            let Some(result) = inst.result.filter(|&result| body.ty(result) == Ty::Ptr) else { continue };
            let kind = memory.object_at(bits).filter(|info| info.offset == 0).map(|info| info.kind);
            let object = match (&inst.kind, kind) {
                (InstKind::SlotAddr(slot), Some(_)) => Some(Object::Slot(site.func, *slot)),
                (InstKind::Alloca { .. }, Some(_)) => Some(Object::Alloca(site)),
                (InstKind::Call(..), Some(ObjectKind::Heap)) => Some(Object::Heap(site)),
                (InstKind::Call(..), Some(ObjectKind::Global)) => Some(Object::Outside),
                _ => None,
            };
            if let Some(object) = object {
                let known = *self.objects.entry(bits).or_insert(object);
                self.newest.insert(known, bits);
                if let (Object::Slot(..), Some(frame)) = (known, self.frames.last_mut()) {
                    frame.insert(known, bits);
                }
            }
            match self.points_to.values(site.func) {
                Some(values) => {
                    self.compare(&values[result], bits, memory, || format!("{result} at {site:?}"))
                }
                None => self.mistakes.push(format!("{site:?} runs")),
            }
        }
    }

    fn compare(&mut self, targets: &TargetSet, bits: u64, memory: &Memory, what: impl Fn() -> String) {
        let Some(info) = memory.object_at(bits) else {
            // Small numbers are members of null; other numbers are no pointers.
            if bits == 0 && !targets.may_be_null() {
                self.mistakes.push(format!("{} is null, not {targets:?}", what()));
            }
            return;
        };
        let Some(&object) = self.objects.get(&info.base) else {
            self.tally.skipped += 1;
            return;
        };
        self.tally.checked += 1;
        self.tally.unknown += usize::from(targets.may_be_unknown());
        // The analysis gives up the names of local objects whose function has returned.
        let ended =
            !info.alive && (targets.may_be_unknown() || targets.objects().any(|one| one == Object::Ended));
        if !ended && !self.points_to.covers(targets, object, info.offset) {
            self.mistakes.push(format!("{} points to {object:?} + {}, not {targets:?}", what(), info.offset));
        }
        if self.points_to.is_definite(targets) {
            self.tally.definite += 1;
            let (named, at) = targets.only_place().expect("a definite pointer has one target");
            let is_input = matches!(named, Object::Input(_));
            let right =
                named == object && at == Offset::exact(info.offset) && self.newest[&object] == info.base;
            if !right && !is_input {
                self.mistakes.push(format!("{} is definitely {named:?}, but it is {object:?}", what()));
            }
        }
    }

    /// Compares what the function can reach from its variables and from the globals. Of the rest the analysis may
    /// know only what another call has shown to the function.
    fn compare_memory(&mut self, view: &MemoryView<'_>, site: Site, memory: &Memory) {
        let globals = self.newest.iter().filter(|(object, _)| matches!(object, Object::Global(_)));
        let mut open: Vec<u64> =
            globals.chain(self.frames.last().into_iter().flatten()).map(|root| *root.1).collect();
        let mut seen = BTreeSet::new();
        while let Some(base) = open.pop() {
            let Some(&object) = self.objects.get(&base).filter(|_| seen.insert(base)) else { continue };
            for (at, bits) in self.words(base, memory) {
                open.extend(memory.object_at(bits).map(|info| info.base));
                let place = (object, Offset::exact(at));
                match view.content(place) {
                    Some(targets) => {
                        self.compare(&targets, bits, memory, || {
                            format!("the content of {place:?} at {site:?}")
                        });
                    }
                    None => self.mistakes.push(format!("{object:?} is not visible at {site:?}")),
                }
            }
        }
    }

    /// What can be read as a pointer in a live object, with the offsets.
    fn words(&self, base: u64, memory: &Memory) -> Vec<(i64, u64)> {
        let size = self.module.data_model.pointer_size();
        let info = memory.object_at(base).filter(|info| info.alive && (size..=1024).contains(&info.size));
        let offsets = info.into_iter().flat_map(|info| (0..=info.size - size).step_by(size as usize));
        let words = offsets.filter_map(|at| Some((at as i64, memory.load(base + at, Ty::Ptr, 1).ok()?)));
        // A number may look like an address, but hardly like one inside of an object.
        let is_inside = |bits: u64| {
            memory.object_at(bits).is_none_or(|to| (0..=to.size.cast_signed()).contains(&to.offset))
        };
        words.filter(|&(_, bits)| is_inside(bits)).collect()
    }
}

impl Observer for Watcher<'_> {
    const WATCHES_MEMORY: bool = true;

    fn result(&mut self, func: Func, block: Block, inst: usize, bits: u64) {
        self.pending.push(Happening::Result(Site { func, block, inst }, bits));
    }

    fn enter(&mut self, _func: Func) {
        self.pending.push(Happening::Enter);
    }

    fn leave(&mut self, _func: Func) {
        self.pending.push(Happening::Leave);
    }

    fn memory(&mut self, func: Func, block: Block, inst: usize, memory: &Memory) {
        self.settle(memory);
        let site = Site { func, block, inst };
        let points_to = self.points_to;
        let new = || (0, points_to.memory_before(func, block, inst));
        let (visits, view) = self.views.entry(site).or_insert_with(new);
        *visits += 1;
        // The whole memory is looked at when a statement is new, and now and then.
        if !visits.is_power_of_two() {
            return;
        }
        match view.take() {
            None => self.mistakes.push(format!("{site:?} is reached")),
            Some(view) => {
                self.compare_memory(&view, site, memory);
                self.views.entry(site).and_modify(|entry| entry.1 = Some(view));
            }
        }
    }
}

/// Every block that a run enters is one to which the analysis comes, also without statements.
#[test]
fn blocks_that_run_are_reached() {
    #[derive(Default)]
    struct Blocks(BTreeSet<(Func, Block)>);
    impl Observer for Blocks {
        fn block(&mut self, func: Func, block: Block) {
            self.0.insert((func, block));
        }
    }
    for seed in 0..20 {
        let module = compile(&pointer_program(seed), false);
        let func = module.function("main").expect("there is a main function");
        let points_to = PointsTo::of(&module, func);
        let mut blocks = Blocks::default();
        let limits = Limits { steps: 200_000, ..Limits::default() };
        Machine::new(&module, limits).run(func, &[], &mut ZeroInputs, &mut blocks);
        for (func, block) in blocks.0 {
            assert!(points_to.memory_before(func, block, 0).is_some(), "seed {seed}: {func} {block}");
        }
    }
}
