//! Who calls whom.
//!
//! A call through a pointer may reach every function whose address is taken somewhere in the module and whose
//! interface fits the call: as many parameters, of the same types, and the result type if the result is used.
//! Other targets are undefined in C (C17 6.5.2.2p9) and raise an event. Left out: calls by library functions,
//! such as the comparison that `qsort` makes.

use quipu_base::IdVec;
use quipu_ir::{
    Block, Body, Callee, Func, FuncBody, Function, Init, Inst, InstKind, Module, Symbol, Ty, ValueDef,
};

use crate::graph::{Components, reverse_postorder};

/// A call in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The calling function.
    pub caller: Func,
    /// The block of the call.
    pub block: Block,
    /// Its index among the block's instructions.
    pub inst: usize,
    /// Whether it is made through a pointer that is not a constant.
    pub indirect: bool,
    /// The functions that may be called, in increasing order.
    pub callees: Vec<Func>,
}

/// The call graph of a module.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// All calls, by caller and position.
    pub sites: Vec<CallSite>,
    /// The functions whose address is taken other than for calling them directly.
    pub address_taken: IdVec<Func, bool>,
    /// The functions that each function may call, in increasing order.
    pub callees: IdVec<Func, Vec<Func>>,
    components: Components<Func>,
}

impl CallGraph {
    /// The call graph of a module.
    pub fn compute(module: &Module) -> CallGraph {
        let address_taken = address_taken(module);
        let mut sites = Vec::new();
        for (caller, function) in module.functions.entries() {
            if let Some(body) = function.code() {
                collect_sites(module, &address_taken, caller, body, &mut sites);
            }
        }
        let mut callees = IdVec::<Func, Vec<Func>>::filled(Vec::new(), module.functions.len());
        sites.iter().for_each(|site| callees[site.caller].extend(&site.callees));
        for callees in callees.iter_mut() {
            callees.sort_unstable();
            callees.dedup();
        }
        let components = Components::compute(&callees);
        CallGraph { sites, address_taken, callees, components }
    }

    /// The calls that a function makes, by position.
    pub fn sites_in(&self, caller: Func) -> &[CallSite] {
        let start = self.sites.partition_point(|site| site.caller < caller);
        let end = self.sites.partition_point(|site| site.caller <= caller);
        &self.sites[start..end]
    }

    /// The functions that may run when `root` is called, itself included, in increasing order.
    pub fn reachable_from(&self, root: Func) -> Vec<Func> {
        let mut reached = reverse_postorder(root, &self.callees);
        reached.sort_unstable();
        reached
    }

    /// Whether a function may call itself, directly or through others.
    pub fn is_recursive(&self, func: Func) -> bool {
        self.components.is_cyclic(self.components.of[func], &self.callees)
    }

    /// The functions, grouped by mutual recursion: each group behind those that it calls.
    pub fn bottom_up(&self) -> impl Iterator<Item = &[Func]> {
        self.components.members.iter().map(Vec::as_slice)
    }
}

fn address_taken(module: &Module) -> IdVec<Func, bool> {
    let mut taken = IdVec::filled(false, module.functions.len());
    for init in module.globals.iter().map(|data| &data.init) {
        let Init::Data { relocs, .. } = init else { continue };
        for reloc in relocs {
            if let Symbol::Func(func) = reloc.symbol {
                taken[func] = true;
            }
        }
    }
    for body in module.functions.iter().filter_map(Function::code) {
        functions_used_as_values(body).for_each(|func| taken[func] = true);
    }
    taken
}

/// The functions whose address the code uses, except as what a call calls.
fn functions_used_as_values(body: &FuncBody) -> impl Iterator<Item = Func> {
    let in_block = |data: &quipu_ir::BlockData| {
        let insts = data.insts.iter().flat_map(|inst| {
            let called = usize::from(matches!(inst.kind, InstKind::Call(Callee::Indirect(_), _)));
            inst.kind.operands().skip(called)
        });
        let edges = data.term.edges().flat_map(|edge| edge.args.iter().copied());
        insts.chain(edges).chain(data.term.operand()).collect::<Vec<_>>()
    };
    body.blocks.iter().flat_map(in_block).filter_map(|value| match body.values[value].def {
        ValueDef::Func(func) => Some(func),
        _ => None,
    })
}

fn collect_sites(
    module: &Module,
    address_taken: &IdVec<Func, bool>,
    caller: Func,
    body: &FuncBody,
    sites: &mut Vec<CallSite>,
) {
    for (block, data) in body.blocks.entries() {
        for (index, inst) in data.insts.iter().enumerate() {
            let InstKind::Call(callee, _) = &inst.kind else { continue };
            let (indirect, callees) = match known_callee(body, *callee) {
                Some(func) => {
                    let given = calls_back(module, func).map(|params| given(module, address_taken, params));
                    (false, std::iter::once(func).chain(given.into_iter().flatten()).collect())
                }
                None => (true, candidates(module, address_taken, body, inst)),
            };
            sites.push(CallSite { caller, block, inst: index, indirect, callees });
        }
    }
}

/// What a function of the library passes to functions that it is given, if it calls any or has them called.
fn calls_back(module: &Module, func: Func) -> Option<&'static [Ty]> {
    let function = &module.functions[func];
    match function.source_name.as_str() {
        _ if function.body != Body::Declared => None,
        "qsort" | "bsearch" => Some(&[Ty::Ptr, Ty::Ptr]),
        "atexit" | "at_quick_exit" | "quipu_at_end" => Some(&[]),
        "on_exit" => Some(&[Ty::I32, Ty::Ptr]),
        "signal" => Some(&[Ty::I32]),
        _ => None,
    }
}

/// The functions with these parameters that could be given to others.
fn given<'m>(
    module: &'m Module,
    address_taken: &'m IdVec<Func, bool>,
    params: &'static [Ty],
) -> impl Iterator<Item = Func> + 'm {
    let taken = module.functions.entries().filter(|&(func, _)| address_taken[func]);
    let fits =
        move |function: &Function| function.params.iter().map(|param| param.ty).eq(params.iter().copied());
    taken.filter(move |(_, function)| fits(function)).map(|(func, _)| func)
}

/// The callee of a direct call, or of one through the address of a named function.
fn known_callee(body: &FuncBody, callee: Callee) -> Option<Func> {
    match callee {
        Callee::Direct(func) => Some(func),
        Callee::Indirect(value) => match body.values[value].def {
            ValueDef::Func(func) => Some(func),
            _ => None,
        },
    }
}

fn candidates(module: &Module, address_taken: &IdVec<Func, bool>, body: &FuncBody, call: &Inst) -> Vec<Func> {
    let InstKind::Call(_, args) = &call.kind else { unreachable!("only calls have candidates") };
    let fits = |function: &Function| {
        let params = function.params.iter().map(|param| param.ty);
        let result = call.result.map(|result| body.ty(result));
        params.eq(args.iter().map(|&arg| body.ty(arg))) && (result.is_none() || result == function.ret)
    };
    let taken = module.functions.entries().filter(|&(func, _)| address_taken[func]);
    taken.filter(|(_, function)| fits(function)).map(|(func, _)| func).collect()
}
