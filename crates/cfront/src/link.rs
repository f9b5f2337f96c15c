//! The module under construction: names of several files become one program.

use quipu_base::IdVec;
use quipu_ir::{
    Body, Callee, DataModel, Func, FuncBody, Function, Global, GlobalData, Init, InstKind, Module, Symbol,
    Ty, ValueDef,
};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Failure, LINKING_HINT, Severity};
use crate::spans::{FileTable, SourceText};
use crate::startup::Startup;
use crate::types::TypePool;
use crate::weak;

/// Collects the functions and objects of all files.
pub(crate) struct Linker {
    pub(crate) data_model: DataModel,
    pub(crate) files: FileTable,
    pub(crate) types: TypePool,
    globals: IdVec<Global, GlobalData>,
    functions: IdVec<Func, Function>,
    /// The external names: what another file means by the same name.
    external: FxHashMap<String, Name>,
    /// All names taken in the module, so that each is unique.
    taken: FxHashMap<String, Name>,
    /// The number that the next variant of a name tries first.
    next_variant: FxHashMap<String, u32>,
    /// How strong the definitions of functions are.
    strengths: FxHashMap<Func, Strength>,
    /// What runs before and after `main`.
    pub(crate) startup: Startup,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Func(Func),
    Global(Global),
}

/// Which of several definitions of the same name counts: the strongest, of equal ones the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// An inline definition, which does the same as the external one.
    Inline,
    /// A weak definition, which gives way to an ordinary one.
    Weak,
    /// An ordinary definition. A second one is an error.
    Strong,
}

impl Linker {
    pub(crate) fn new(data_model: DataModel) -> Linker {
        Linker {
            data_model,
            files: FileTable::default(),
            types: TypePool::default(),
            globals: IdVec::new(),
            functions: IdVec::new(),
            external: FxHashMap::default(),
            taken: FxHashMap::default(),
            next_variant: FxHashMap::default(),
            strengths: FxHashMap::default(),
            startup: Startup::default(),
        }
    }

    /// Enters a function. An external name that is known already keeps its entry.
    pub(crate) fn declare_function(&mut self, function: Function) -> Func {
        if !function.local
            && let Some(&Name::Func(known)) = self.external.get(&function.name)
        {
            let old = &mut self.functions[known];
            // Who does not say that it may be missing needs it.
            old.weak &= !matches!(old.body, Body::Declared) || function.weak;
            return known;
        }
        let func = self.functions.next_id();
        let name = self.claim(&function.name, Name::Func(func), function.local);
        self.functions.push(Function { name, ..function })
    }

    /// Gives a declared function its interface and body.
    pub(crate) fn define_function(
        &mut self,
        func: Func,
        definition: Function,
        strength: Strength,
    ) -> Result<(), Failure> {
        match self.strengths.get(&func) {
            Some(Strength::Strong) if strength == Strength::Strong => {
                return Err(multiple_definition(&definition.name));
            }
            Some(known) if *known >= strength => return Ok(()),
            _ => drop(self.strengths.insert(func, strength)),
        }
        let known = &mut self.functions[func];
        let name = std::mem::take(&mut known.name);
        *known = Function { name, weak: strength == Strength::Weak, ..definition };
        Ok(())
    }

    /// Enters an object. Of several declarations of an external name the one with an initial value wins.
    pub(crate) fn declare_global(&mut self, global: GlobalData) -> Global {
        if !global.local
            && let Some(&Name::Global(known)) = self.external.get(&global.name)
        {
            let old = &mut self.globals[known];
            let name = std::mem::take(&mut old.name);
            let wins = match (&old.init, &global.init) {
                (Init::External, Init::External) => global.size > old.size,
                (Init::External, Init::Data { .. }) => true,
                (Init::Data { .. }, Init::Data { .. }) => old.weak && !global.weak,
                (Init::Data { .. }, Init::External) | (Init::Device { .. }, _) | (_, Init::Device { .. }) => {
                    false
                }
            };
            // Who does not say that it may be missing needs it.
            let weak = match (&old.init, &global.init) {
                (Init::External, Init::External) => old.weak && global.weak,
                _ if wins => global.weak,
                _ => old.weak,
            };
            let kept = if wins { global } else { old.clone() };
            *old = GlobalData { name, weak, ..kept };
            return known;
        }
        let id = self.globals.next_id();
        let name = self.claim(&global.name, Name::Global(id), global.local);
        self.globals.push(GlobalData { name, ..global })
    }

    /// Gives a declared object its initial value.
    pub(crate) fn define_global(&mut self, id: Global, definition: GlobalData) -> Result<(), Failure> {
        let known = &mut self.globals[id];
        let tentative =
            matches!(&known.init, Init::Data { bytes, relocs } if bytes.is_empty() && relocs.is_empty());
        let gives_way = tentative && known.weak == definition.weak || known.weak && !definition.weak;
        if known.init != Init::External && !gives_way {
            return match definition.weak {
                true => Ok(()),
                false => Err(multiple_definition(&definition.name)),
            };
        }
        let name = std::mem::take(&mut known.name);
        *known = GlobalData { name, ..definition };
        Ok(())
    }

    /// Gives a thing a second external name.
    pub(crate) fn alias(&mut self, name: &str, symbol: Symbol) {
        let what = match symbol {
            Symbol::Func(func) => Name::Func(func),
            Symbol::Global(global) => Name::Global(global),
        };
        self.external.entry(name.to_string()).or_insert(what);
    }

    pub(crate) fn function(&self, func: Func) -> &Function {
        &self.functions[func]
    }

    /// Fixes the parameters of a function declared without a prototype by those of its first call.
    pub(crate) fn adopt_call_types(&mut self, func: Func, params: &[Ty]) {
        let function = &mut self.functions[func];
        if matches!(function.body, Body::Declared) && function.params.is_empty() {
            function.params = params
                .iter()
                .map(|&ty| quipu_ir::Param { name: None, ty, source: None, elements: None })
                .collect();
        }
    }

    /// A name of its own for each thing: an external name stays as it is, a local one steps aside.
    fn claim(&mut self, name: &str, what: Name, local: bool) -> String {
        if !local {
            self.external.insert(name.to_string(), what);
        }
        match self.taken.insert(name.to_string(), what) {
            None => name.to_string(),
            Some(holder) if local => {
                self.taken.insert(name.to_string(), holder);
                self.variant(name, what)
            }
            Some(holder) => {
                let aside = self.variant(name, holder);
                match holder {
                    Name::Func(func) => self.functions[func].name = aside,
                    Name::Global(global) => self.globals[global].name = aside,
                }
                name.to_string()
            }
        }
    }

    fn variant(&mut self, name: &str, what: Name) -> String {
        let next = self.next_variant.entry(name.to_string()).or_insert(1);
        loop {
            let free = format!("{name}.{next}");
            *next += 1;
            if !self.taken.contains_key(&free) {
                self.taken.insert(free.clone(), what);
                return free;
            }
        }
    }

    /// The finished program, or a part of one.
    pub(crate) fn finish(mut self, links: bool) -> (Module, Vec<SourceText>) {
        let end_type = self.startup.has_destructors().then(|| self.types.void_function());
        let mut module = Module {
            data_model: self.data_model,
            files: self.files.names,
            types: self.types.table,
            globals: self.globals,
            functions: self.functions,
            views: self.types.views,
        };
        for func in module.functions.ids() {
            let body = std::mem::replace(&mut module.functions[func].body, Body::Declared);
            let body = match body {
                Body::Defined(mut body) => {
                    loosen_mismatched_calls(&mut body, &module);
                    Body::Defined(body)
                }
                other => other,
            };
            module.functions[func].body = body;
        }
        if links {
            weak::refuse_missing(&mut module);
            self.startup.surround_main(&mut module, end_type);
        }
        (module, self.files.sources)
    }
}

/// A direct call must fit its callee. Where a file without a prototype calls with other types, the call goes
/// through the function's address, and making it is an event.
fn loosen_mismatched_calls(body: &mut FuncBody, module: &Module) {
    let blocks: Vec<_> = body.blocks.ids().collect();
    for block in blocks {
        for n in 0..body.blocks[block].insts.len() {
            let inst = &body.blocks[block].insts[n];
            let InstKind::Call(Callee::Direct(func), args) = &inst.kind else { continue };
            let callee = &module.functions[*func];
            let fits = args.len() == callee.params.len()
                && args.iter().zip(&callee.params).all(|(&arg, param)| body.ty(arg) == param.ty)
                && inst.result.is_none_or(|result| Some(body.ty(result)) == callee.ret);
            if !fits {
                let address = body.constant(Ty::Ptr, ValueDef::Func(*func));
                let InstKind::Call(callee, _) = &mut body.blocks[block].insts[n].kind else { unreachable!() };
                *callee = Callee::Indirect(address);
            }
        }
    }
}

fn multiple_definition(name: &str) -> Failure {
    Failure::from(Diagnostic {
        severity: Severity::Error,
        message: format!("`{name}` is defined in more than one file"),
        place: None,
        hint: Some(LINKING_HINT.to_string()),
    })
}
