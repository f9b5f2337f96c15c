//! The part of a program on which it depends whether control comes to some places, and what happens there.
//!
//! After Weiser, "Program slicing" (1981), with the dependences of Ferrante, Ottenstein and Warren (1987), across calls
//! without telling their contexts apart. A slice is a program of its own: what does not matter is taken out of the
//! bodies of functions, branches that do not matter become jumps to where their ways meet again, and everything that is
//! left keeps its number.
//!
//! *What is guaranteed.* Whatever a run does at the places asked for, as long as nothing undefined has happened before,
//! the slice does on the same inputs. The slice may do more: it does not end where the program ends for a reason that
//! has nothing to do with what is asked (an assertion about other values, undefined behaviour elsewhere, a loop that
//! never ends). So what the slice cannot do, the program cannot do either; what the slice does has to be tried.
//!
//! Left out: programs that register functions for their end, and those that read the bytes of pointers as numbers. They
//! have no slice.

mod code;
mod effects;
mod extract;
mod halts;
mod needs;

use quipu_base::IdVec;
use quipu_ir::{Block, Body, Callee, Cfg, Func, Function, Inst, InstKind, Module};
use rustc_hash::FxHashMap;

use crate::call_graph::CallGraph;
use crate::points_to::{PointsTo, Site};
use code::Code;
use effects::{Effects, Outside};
use halts::Halt;
use needs::Needs;

/// Something that a slice must preserve.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// That a function is entered.
    Entry(Func),
    /// That control comes to a block.
    Block(Func, Block),
    /// How a block is left.
    Way(Func, Block),
    /// What happens at an instruction.
    Inst(Site),
}

/// How much there is to follow in a program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Scale {
    /// Edges that lead back to where control may have been.
    pub loops: usize,
    /// Calls of functions with code, and of those that are more than a computation of the library.
    pub calls: usize,
}

impl Scale {
    /// Whether something less has to be followed than in another program of which this is a slice.
    pub fn is_less_than(self, other: Scale) -> bool {
        self.loops < other.loops || self.calls < other.calls
    }
}

/// What slices of a program are made from.
pub struct Slicer<'m> {
    module: &'m Module,
    entry: Func,
    points_to: PointsTo<'m>,
    /// The functions with code that may run.
    codes: IdVec<Func, Option<Code<'m>>>,
    effects: FxHashMap<Site, Effects>,
    /// The instructions that change memory.
    writers: Vec<Site>,
    /// The functions with code that an instruction may enter.
    callees: FxHashMap<Site, Vec<Func>>,
    callers: IdVec<Func, Vec<Site>>,
    /// The functions of which nothing may be taken out.
    untouched: IdVec<Func, bool>,
    /// The calls of which nobody can see what else depends on them.
    opaque: Vec<Site>,
    halts: Vec<Halt>,
}

impl<'m> Slicer<'m> {
    /// The program that starts with a function. Nothing is taken out of `untouched` functions and what they call. None
    /// if no slice of the program is to be had, or if it was stopped: that is asked now and then. Calls of `opaque`
    /// functions may change what anything behind them does, and stay.
    pub fn new(
        module: &'m Module,
        entry: Func,
        untouched: &[Func],
        opaque: impl Fn(&Function) -> bool,
        stopped: impl FnMut() -> bool,
    ) -> Option<Slicer<'m>> {
        let points_to = PointsTo::unless(module, entry, stopped)?;
        let found = effects::collect(module, &points_to)?;
        let mut callers = IdVec::<Func, Vec<Site>>::filled(Vec::new(), module.functions.len());
        let mut sites: Vec<Site> = found.callees.keys().copied().collect();
        sites.sort_unstable();
        for site in sites {
            found.callees[&site].iter().for_each(|&callee| callers[callee].push(site));
        }
        let mut writers: Vec<Site> =
            found.effects.iter().filter(|(_, e)| e.writes()).map(|(s, _)| *s).collect();
        writers.sort_unstable();
        let codes = code::codes(module, &points_to.functions());
        let halts = halts::halts(module, &codes);
        let untouched = closure(module, untouched);
        let opaque = opaque_calls(module, &codes, &points_to, opaque);
        let (effects, callees) = (found.effects, found.callees);
        Some(Slicer {
            module,
            entry,
            points_to,
            codes,
            effects,
            writers,
            callees,
            callers,
            untouched,
            opaque,
            halts,
        })
    }

    /// The slice that preserves some things.
    pub fn slice(&self, targets: &[Target]) -> Module {
        extract::extract(self, &Needs::of(self, targets))
    }

    /// Whether a function has code and may run.
    pub fn may_run(&self, func: Func) -> bool {
        self.codes[func].is_some()
    }

    /// How much there is to follow in the program, or in a slice of it.
    pub fn scale(&self, module: &Module) -> Scale {
        let mut scale = Scale::default();
        let mut seen = IdVec::<Func, bool>::filled(false, module.functions.len());
        let mut open = vec![self.entry];
        while let Some(func) = open.pop() {
            let Some(code) = module.functions[func].code() else { continue };
            if std::mem::replace(&mut seen[func], true) {
                continue;
            }
            let cfg = Cfg::compute(code);
            let mut position = IdVec::<Block, usize>::filled(usize::MAX, code.blocks.len());
            cfg.reverse_postorder.iter().enumerate().for_each(|(n, &block)| position[block] = n);
            for &block in &cfg.reverse_postorder {
                let back = cfg.succs[block].iter().filter(|&&target| position[target] <= position[block]);
                scale.loops += back.count();
                for (inst, data) in code.blocks[block].insts.iter().enumerate() {
                    let InstKind::Call(callee, _) = data.kind else { continue };
                    let site = Site { func, block, inst };
                    scale.calls += usize::from(!self.is_simple(site, callee));
                    open.extend(self.callees.get(&site).into_iter().flatten());
                }
            }
        }
        scale
    }

    /// Whether a call is soon followed: it ends the run, or computes something.
    fn is_simple(&self, site: Site, callee: Callee) -> bool {
        let ends = matches!(callee, Callee::Direct(func) if self.module.functions[func].noreturn);
        ends || self.effects.get(&site).is_some_and(|effects| effects.outside == Outside::Quiet)
    }

    fn code(&self, func: Func) -> &Code<'m> {
        self.codes[func].as_ref().expect("only functions that may run matter")
    }

    fn inst(&self, site: Site) -> &'m Inst {
        &self.code(site.func).body.blocks[site.block].insts[site.inst]
    }
}

/// The calls that may reach a function which may change what anything behind it does: one that is opaque, or has a body
/// that cannot be represented.
fn opaque_calls(
    module: &Module,
    codes: &IdVec<Func, Option<Code<'_>>>,
    points_to: &PointsTo<'_>,
    opaque: impl Fn(&Function) -> bool,
) -> Vec<Site> {
    let is_opaque = |&func: &Func| {
        let function = &module.functions[func];
        matches!(function.body, Body::Unsupported(_)) || opaque(function)
    };
    let mut found = Vec::new();
    for (func, code) in codes.entries() {
        let Some(code) = code else { continue };
        for &block in &code.cfg.reverse_postorder {
            let insts = &code.body.blocks[block].insts;
            for (site, inst) in sites(func, block, insts.len()).zip(insts) {
                let is_found = match inst.kind {
                    InstKind::Call(Callee::Direct(callee), _) => is_opaque(&callee),
                    InstKind::Call(Callee::Indirect(_), _) => {
                        points_to.callees(func, block, site.inst).functions.iter().any(is_opaque)
                    }
                    _ => false,
                };
                found.extend(is_found.then_some(site));
            }
        }
    }
    found
}

/// Functions and those that they may call.
fn closure(module: &Module, funcs: &[Func]) -> IdVec<Func, bool> {
    let mut found = IdVec::filled(false, module.functions.len());
    if funcs.is_empty() {
        return found;
    }
    let calls = CallGraph::compute(module);
    funcs.iter().flat_map(|&func| calls.reachable_from(func)).for_each(|func| found[func] = true);
    found
}

/// The sites of all instructions of a block.
fn sites(func: Func, block: Block, n_insts: usize) -> impl Iterator<Item = Site> {
    (0..n_insts).map(move |inst| Site { func, block, inst })
}
