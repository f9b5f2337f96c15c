//! The memory when the entry function is called.
//!
//! In `main` the globals hold their initial values. Any other function may be called when other code has run: a
//! global that code in this module or elsewhere may have changed holds anything that such code can put there, and so
//! do the objects behind pointer parameters. What is assumed of an input pointer is only that it is null, or points
//! into an object that exists before the call, or to a function.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_ir::{
    Body, Func, FuncBody, Function, Global, GlobalData, Init, InstKind, Module, Symbol, TypeId, Value,
    ValueDef,
};

use super::amount::{Definitions, definitions};
use super::content::{Content, Write};
use super::object::{Holder, Input, Object};
use super::offset::Offset;
use super::shape::{PointerPart, is_record, pointee, pointer_parts};
use super::state::State;
use super::target_set::TargetSet;

/// What is known when the entry function is called.
pub struct Start {
    pub state: State,
    /// What the objects hold that are never written to.
    pub constants: State,
    /// What the parameters of the entry function point to.
    pub arguments: Vec<TargetSet>,
    pub inputs: IdVec<Input, Holder>,
    /// The globals to which input pointers may point.
    pub shared: BTreeSet<Global>,
    /// The globals that may have been changed before the call.
    pub changed: BTreeSet<Global>,
    /// The globals to which a pointer may point of which nothing is known.
    pub exposed: BTreeSet<Global>,
}

/// How many pointers one after the other lead to objects with a name of their own.
const NAMED_DEPTH: u32 = 2;
/// More input objects than this have no name of their own.
const MOST_INPUTS: usize = 256;

impl Start {
    pub fn of(module: &Module, entry: Func) -> Start {
        let is_main = module.functions[entry].source_name == "main";
        let public: BTreeSet<Global> =
            module.globals.entries().filter(|(_, data)| !data.local).map(|(global, _)| global).collect();
        let uses = Uses::of(module);
        let shared = if is_main { BTreeSet::new() } else { public.union(&uses.taken).copied().collect() };
        let exposed = if is_main { public } else { shared.clone() };
        let start = Start {
            state: State::default(),
            constants: State::default(),
            arguments: Vec::new(),
            inputs: IdVec::new(),
            shared,
            changed: BTreeSet::new(),
            exposed,
        };
        let mut builder = Builder { module, start, size: module.data_model.pointer_size() as i64 };
        *builder.start.state.get_mut(Object::Outside) = Content::holding(outside());
        for (global, data) in module.globals.entries() {
            let may_have_changed = match data.init {
                Init::External | Init::Device { .. } => true,
                Init::Data { .. } => {
                    !is_main && !data.constant && (!data.local || uses.written.contains(&global))
                }
            };
            match may_have_changed {
                true => {
                    builder.start.changed.insert(global);
                    builder.inputs_in(Object::Global(global), data.ty, 0);
                }
                false => builder.initial_value(global, data),
            }
        }
        for n in 0..module.functions[entry].params.len() {
            let argument = builder.argument(&module.functions[entry], n);
            builder.start.arguments.push(argument);
        }
        builder.start
    }
}

/// What a pointer in input memory may point to where nothing more is told.
fn outside() -> TargetSet {
    TargetSet::place(Object::Outside, Offset::ANY).or_null()
}

struct Builder<'m> {
    module: &'m Module,
    start: Start,
    size: i64,
}

impl Builder<'_> {
    fn argument(&mut self, function: &Function, n: usize) -> TargetSet {
        let place = TargetSet::place(Object::Argument(n), Offset::exact(0));
        match function.params[n].source {
            None if n == 0 && function.returns_struct => {
                self.start.state.get_mut(Object::Argument(n));
                place
            }
            None => outside(),
            Some(ty) if is_record(self.module, ty) => {
                self.inputs_in(Object::Argument(n), ty, 0);
                place
            }
            Some(ty) => match pointee(self.module, ty) {
                Some(to) => self.input(Holder::Parameter(n), to, 0),
                None => outside(),
            },
        }
    }

    /// The targets of an input pointer.
    fn input(&mut self, holder: Holder, to: TypeId, depth: u32) -> TargetSet {
        if depth >= NAMED_DEPTH || self.start.inputs.len() >= MOST_INPUTS {
            return outside();
        }
        let object = Object::Input(self.start.inputs.push(holder));
        self.inputs_in(object, to, depth + 1);
        TargetSet::place(object, Offset::exact(0)).or_null()
    }

    /// Lets an object hold input pointers.
    fn inputs_in(&mut self, object: Object, ty: TypeId, depth: u32) {
        let mut content = Content::holding(outside());
        for PointerPart { offset, to, .. } in pointer_parts(self.module, ty) {
            let targets = self.input(Holder::Content(object, offset), to, depth);
            content.write(Offset::exact(offset), Write::Pointer(&targets), true, self.size, None);
        }
        *self.start.state.get_mut(object) = content;
    }

    fn initial_value(&mut self, global: Global, data: &GlobalData) {
        let Init::Data { bytes, relocs } = &data.init else { return };
        let mut content = Content::holding(TargetSet::null());
        for (n, word) in bytes.chunks(self.size as usize).enumerate() {
            if word.iter().any(|&byte| byte != 0) {
                let at = Offset::exact(n as i64 * self.size);
                content.write(at, Write::Raw(self.size), true, self.size, None);
            }
        }
        for reloc in relocs {
            let object = match reloc.symbol {
                Symbol::Global(global) => Object::Global(global),
                Symbol::Func(func) => Object::Function(func),
            };
            let targets = TargetSet::place(object, Offset::exact(reloc.addend));
            let at = Offset::exact(reloc.offset as i64);
            content.write(at, Write::Pointer(&targets), true, self.size, None);
        }
        let state = if data.constant { &mut self.start.constants } else { &mut self.start.state };
        *state.get_mut(Object::Global(global)) = content;
    }
}

/// How the code of a module uses its globals.
#[derive(Default)]
struct Uses {
    /// Those whose address is used other than to read or write them at once.
    taken: BTreeSet<Global>,
    /// Those that may be written to.
    written: BTreeSet<Global>,
}

impl Uses {
    fn of(module: &Module) -> Uses {
        let mut uses = Uses::default();
        for data in module.globals.iter() {
            let Init::Data { relocs, .. } = &data.init else { continue };
            uses.taken.extend(relocs.iter().filter_map(|reloc| match reloc.symbol {
                Symbol::Global(global) => Some(global),
                Symbol::Func(_) => None,
            }));
        }
        for body in module.functions.iter().filter_map(Function::code) {
            uses.add(body, &definitions(body));
        }
        // Code that is not understood may use what it can name.
        if module.functions.iter().any(|function| matches!(function.body, Body::Unsupported(_))) {
            uses.taken.extend(module.globals.ids());
        }
        uses.written.extend(&uses.taken);
        uses
    }

    fn add(&mut self, body: &FuncBody, definitions: &Definitions<'_>) {
        let global = |value: Value| global_behind(body, definitions, value);
        for block in body.blocks.iter() {
            for inst in &block.insts {
                // The operands through which memory is only read or written, and of these the written one.
                let (accessed, written): (Vec<Value>, Option<Value>) = match inst.kind {
                    InstKind::Load { ptr, .. } | InstKind::LoadBits { ptr, .. } => (vec![ptr], None),
                    InstKind::Store { ptr, value, .. } | InstKind::StoreBits { ptr, value, .. } => {
                        self.taken.extend(global(value));
                        (vec![ptr], Some(ptr))
                    }
                    InstKind::Copy { dst, src, .. } => (vec![dst, src], Some(dst)),
                    InstKind::Zero { dst, .. } | InstKind::Unspecify { dst, .. } => (vec![dst], Some(dst)),
                    // What is moved is found behind the result.
                    InstKind::PtrAdd(pointer, _) => (vec![pointer], None),
                    InstKind::IntCmp(_, a, b) | InstKind::PtrDiff(a, b) | InstKind::Check(_, a, b) => {
                        (vec![a, b], None)
                    }
                    _ => (Vec::new(), None),
                };
                self.written.extend(written.and_then(global));
                let others = inst.kind.operands().filter(|operand| !accessed.contains(operand));
                self.taken.extend(others.filter_map(global));
            }
            let passed = block.term.edges().flat_map(|edge| edge.args.iter().copied());
            self.taken.extend(passed.chain(block.term.operand()).filter_map(global));
        }
    }
}

/// The global into which an address points that is made by moving the global's address.
fn global_behind(body: &FuncBody, definitions: &Definitions<'_>, mut value: Value) -> Option<Global> {
    loop {
        if let ValueDef::Global(global, _) = body.values[value].def {
            return Some(global);
        }
        match definitions[value]?.kind {
            InstKind::PtrAdd(pointer, _) => value = pointer,
            _ => return None,
        }
    }
}
