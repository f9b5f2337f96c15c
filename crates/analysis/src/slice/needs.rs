//! What some places of a program depend on.

use quipu_ir::{Block, Body, Callee, Func, InstKind, Value, ValueDef};
use rustc_hash::FxHashSet;

use super::code::Definition;
use super::effects::{Access, Outside, conflict};
use super::{Slicer, Target, halts, sites};
use crate::points_to::Site;

/// What is needed of a program.
pub(super) struct Needs<'s, 'm> {
    slicer: &'s Slicer<'m>,
    open: Vec<Need>,
    pub insts: FxHashSet<Site>,
    pub values: FxHashSet<(Func, Value)>,
    pub blocks: FxHashSet<(Func, Block)>,
    /// Blocks of which it matters how they are left.
    pub ways: FxHashSet<(Func, Block)>,
    entries: FxHashSet<Func>,
    results: FxHashSet<Func>,
    /// What is read.
    pub reads: Vec<Access>,
    asks: bool,
    allocates: bool,
    errno: bool,
}

#[derive(Clone, Debug)]
enum Need {
    Value(Func, Value),
    Inst(Site),
    Block(Func, Block),
    Way(Func, Block),
    /// That a function is entered.
    Entry(Func),
    /// What a function returns.
    Result(Func),
}

impl<'s, 'm> Needs<'s, 'm> {
    pub fn of(slicer: &'s Slicer<'m>, targets: &[Target]) -> Needs<'s, 'm> {
        let mut needs = Needs {
            slicer,
            open: Vec::new(),
            insts: FxHashSet::default(),
            values: FxHashSet::default(),
            blocks: FxHashSet::default(),
            ways: FxHashSet::default(),
            entries: FxHashSet::default(),
            results: FxHashSet::default(),
            reads: Vec::new(),
            asks: false,
            allocates: false,
            errno: false,
        };
        targets.iter().for_each(|target| needs.target(*target));
        needs.close();
        let leading = halts::leading_to(slicer, targets);
        let opaque = slicer.opaque.iter().filter(|site| leading.contains(&(site.func, site.block)));
        needs.open.extend(opaque.map(|&site| Need::Inst(site)));
        needs.close();
        let matters = |halt: &usize| leading.contains(&slicer.halts[*halt].block());
        let mut left: Vec<usize> = (0..slicer.halts.len()).filter(matters).collect();
        loop {
            let (connected, others): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|&&halt| halts::is_connected(slicer, &slicer.halts[halt], &needs));
            if connected.is_empty() {
                return needs;
            }
            left = others;
            for halt in connected {
                match slicer.halts[halt].at {
                    halts::Place::Way(func, block) => needs.open.push(Need::Way(func, block)),
                    halts::Place::Inst(site) => needs.open.push(Need::Inst(site)),
                }
            }
            needs.close();
        }
    }

    /// Whether a value is there in the slice.
    pub fn has(&self, func: Func, value: Value) -> bool {
        self.values.contains(&(func, value))
            || self.slicer.code(func).body.values[value].def != ValueDef::Computed
    }

    fn target(&mut self, target: Target) {
        let runs = |func: Func| self.slicer.codes[func].is_some();
        match target {
            Target::Entry(func) => self.open.push(Need::Entry(func)),
            Target::Block(func, block) if runs(func) => self.open.push(Need::Block(func, block)),
            Target::Way(func, block) if runs(func) => self.open.push(Need::Way(func, block)),
            Target::Inst(site) if runs(site.func) => {
                self.open.push(Need::Inst(site));
                // Whether something undefined happens there depends on the state of what is written, too, and on
                // whether there is a result.
                if let Some(effects) = self.slicer.effects.get(&site) {
                    effects.changes.iter().chain(&effects.ends).for_each(|access| self.read(access));
                }
                let callees = self.slicer.callees.get(&site).into_iter().flatten();
                self.open.extend(callees.map(|&callee| Need::Result(callee)));
            }
            // A function that never runs.
            Target::Block(..) | Target::Way(..) | Target::Inst(_) => {}
        }
    }

    fn close(&mut self) {
        while let Some(need) = self.open.pop() {
            match need {
                Need::Value(func, value) => self.value(func, value),
                Need::Inst(site) => self.inst(site),
                Need::Block(func, block) => self.block(func, block),
                Need::Way(func, block) => self.way(func, block),
                Need::Entry(func) => self.entry(func),
                Need::Result(func) => self.result(func),
            }
        }
    }

    fn value(&mut self, func: Func, value: Value) {
        let code = self.slicer.code(func);
        if code.body.values[value].def != ValueDef::Computed || !self.values.insert((func, value)) {
            return;
        }
        match code.definitions[value] {
            None => {}
            Some(Definition::Inst(block, inst)) => {
                let site = Site { func, block, inst };
                self.open.push(Need::Inst(site));
                let callees = self.slicer.callees.get(&site).into_iter().flatten();
                self.open.extend(callees.map(|&callee| Need::Result(callee)));
            }
            Some(Definition::Param(block, n)) if block == code.body.entry() => {
                self.open.push(Need::Entry(func));
                for &site in &self.slicer.callers[func] {
                    self.argument(site, func, n);
                }
            }
            Some(Definition::Param(block, n)) => self.join(func, block, n),
        }
    }

    /// A parameter of a block: what is passed, and which way control comes.
    fn join(&mut self, func: Func, block: Block, n: usize) {
        let code = self.slicer.code(func);
        for &from in &code.cfg.reverse_postorder {
            let edges = code.body.blocks[from].term.edges().filter(|edge| edge.target == block);
            let args: Vec<Value> = edges.map(|edge| edge.args[n]).collect();
            if !args.is_empty() {
                self.open.push(Need::Way(func, from));
                self.open.extend(args.into_iter().map(|arg| Need::Value(func, arg)));
            }
        }
    }

    /// The argument of a call for a parameter of a function. Functions of the library pass what they like.
    fn argument(&mut self, site: Site, callee: Func, n: usize) {
        let InstKind::Call(called, args) = &self.slicer.inst(site).kind else { return };
        let passes = match called {
            Callee::Direct(func) => *func == callee,
            Callee::Indirect(_) => true,
        };
        if passes && let Some(&arg) = args.get(n) {
            self.open.push(Need::Value(site.func, arg));
        }
    }

    fn inst(&mut self, site: Site) {
        if !self.insts.insert(site) {
            return;
        }
        let slicer = self.slicer;
        self.open.push(Need::Block(site.func, site.block));
        let inst = slicer.inst(site);
        match &inst.kind {
            InstKind::Call(callee, args) => self.call(site, *callee, args),
            kind => self.open.extend(kind.operands().map(|value| Need::Value(site.func, value))),
        }
        // What a function with code returns is another question.
        if let Some(result) = inst.result
            && slicer.callees.get(&site).is_none_or(Vec::is_empty)
        {
            self.values.insert((site.func, result));
        }
        let Some(effects) = slicer.effects.get(&site) else { return };
        effects.reads.iter().for_each(|access| self.read(access));
        for compared in &effects.compares {
            self.writers(|slicer, writer| {
                slicer.effects[&writer].ends.iter().any(|end| conflict(&slicer.points_to, end, compared))
            });
        }
        self.outside(effects.outside);
    }

    fn call(&mut self, site: Site, callee: Callee, args: &[Value]) {
        let slicer = self.slicer;
        let leaves = match callee {
            Callee::Direct(func) => !matches!(slicer.module.functions[func].body, Body::Defined(_)),
            Callee::Indirect(pointer) => {
                self.open.push(Need::Value(site.func, pointer));
                slicer.effects.get(&site).is_some_and(|effects| effects.outside == Outside::Asks)
            }
        };
        let callees = slicer.callees.get(&site).map_or(&[][..], Vec::as_slice);
        for (n, &arg) in args.iter().enumerate() {
            let is_used = |callee: &Func| {
                let body = slicer.code(*callee).body;
                let param = body.blocks[body.entry()].params.get(n);
                param.is_some_and(|&param| self.values.contains(&(*callee, param)))
            };
            if leaves || callees.iter().any(is_used) {
                self.open.push(Need::Value(site.func, arg));
            }
        }
        // A function of the library makes something of what functions return that it calls.
        if leaves {
            self.open.extend(callees.iter().map(|&callee| Need::Result(callee)));
        }
    }

    fn block(&mut self, func: Func, block: Block) {
        if !self.blocks.insert((func, block)) {
            return;
        }
        let code = self.slicer.code(func);
        self.open.push(Need::Entry(func));
        self.open.extend(code.controls(block).map(|from| Need::Way(func, from)));
        if code.doomed[block] {
            self.open.extend(sites(func, block, code.body.blocks[block].insts.len()).map(Need::Inst));
        }
    }

    fn way(&mut self, func: Func, block: Block) {
        if !self.ways.insert((func, block)) {
            return;
        }
        self.open.push(Need::Block(func, block));
        let operand = self.slicer.code(func).body.blocks[block].term.operand();
        self.open.extend(operand.map(|value| Need::Value(func, value)));
    }

    fn entry(&mut self, func: Func) {
        if !self.entries.insert(func) {
            return;
        }
        let slicer = self.slicer;
        self.open.extend(slicer.callers[func].iter().map(|&site| Need::Inst(site)));
        if slicer.untouched[func] && slicer.codes[func].is_some() {
            let code = slicer.code(func);
            for &block in &code.cfg.reverse_postorder {
                let data = &code.body.blocks[block];
                self.open.push(Need::Way(func, block));
                self.open.extend(data.params.iter().map(|&param| Need::Value(func, param)));
                self.open.extend(sites(func, block, data.insts.len()).map(Need::Inst));
            }
        }
    }

    fn result(&mut self, func: Func) {
        if !self.results.insert(func) {
            return;
        }
        self.open.extend(self.slicer.code(func).returns().map(|block| Need::Way(func, block)));
    }

    /// What is read must be written as in the program.
    fn read(&mut self, access: &Access) {
        self.writers(|slicer, writer| {
            let effects = &slicer.effects[&writer];
            let mut written = effects.changes.iter().chain(&effects.ends);
            written.any(|written| conflict(&slicer.points_to, written, access))
        });
        self.reads.push(access.clone());
    }

    /// Needs those instructions that change memory in a certain way.
    fn writers(&mut self, is_needed: impl Fn(&Slicer<'_>, Site) -> bool) {
        let slicer = self.slicer;
        for &writer in &slicer.writers {
            if !self.insts.contains(&writer) && is_needed(slicer, writer) {
                self.open.push(Need::Inst(writer));
            }
        }
    }

    fn outside(&mut self, outside: Outside) {
        let (known, shares): (&mut bool, fn(Outside) -> bool) = match outside {
            Outside::Nothing | Outside::Quiet => return,
            Outside::Asks => (&mut self.asks, |other| other == Outside::Asks),
            Outside::Allocates => (&mut self.allocates, |other| other == Outside::Allocates),
            Outside::Errno => (&mut self.errno, |other| other != Outside::Nothing),
        };
        if std::mem::replace(known, true) {
            return;
        }
        let slicer = self.slicer;
        let all = slicer.effects.iter().filter(|(_, effects)| shares(effects.outside));
        self.open.extend(all.map(|(&site, _)| Need::Inst(site)));
    }
}
