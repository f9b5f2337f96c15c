//! What the analysis has found so far, for the whole program.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_ir::{Block, Cfg, Func, FuncBody, Global, InstKind, Module, Slot, Ty, Value, ValueData, ValueDef};

use super::amount::{Definitions, definitions};
use super::content::Content;
use super::object::{Holder, Input, Object};
use super::offset::Offset;
use super::start::Start;
use super::state::State;
use super::target_set::TargetSet;

/// What the analysis has found. All of it only grows.
pub struct Tables<'m> {
    pub module: &'m Module,
    pub entry: Func,
    /// The size of pointers.
    pub size: i64,
    pub inputs: IdVec<Input, Holder>,
    /// What the objects hold that are never written to. Their pointers lead to globals only.
    pub constants: State,
    /// The globals to which input pointers may point.
    pub shared: BTreeSet<Global>,
    /// The globals that may hold input pointers at the start.
    pub changed: BTreeSet<Global>,
    /// The objects to which a pointer may point of which nothing is known, besides those of before the call.
    pub exposed: BTreeSet<Object>,
    /// Whether addresses were turned into numbers, so that a number may be an address.
    pub numbers: bool,
    /// The functions that may run at the end of the program.
    pub handlers: BTreeSet<Func>,
    /// The functions that may be active more than once.
    pub recursive: IdVec<Func, bool>,
    /// The functions that are entered.
    pub functions: IdVec<Func, Option<FunctionTable<'m>>>,
}

/// What the analysis has found about a function.
pub struct FunctionTable<'m> {
    pub body: &'m FuncBody,
    pub cfg: Cfg,
    /// The position of each block in reverse postorder.
    pub order: IdVec<Block, usize>,
    pub definitions: Definitions<'m>,
    /// The blocks that use each value.
    pub users: IdVec<Value, Vec<Block>>,
    /// The local objects whose lifetime may start anew while the function is active.
    pub restarts: IdVec<Slot, bool>,
    pub values: IdVec<Value, TargetSet>,
    /// The memory at the start of each block that is reached.
    pub before: IdVec<Block, Option<State>>,
    /// The memory when it returns, and the pointer that it returns.
    pub exit: Option<State>,
    pub returned: TargetSet,
}

impl<'m> Tables<'m> {
    pub fn new(module: &'m Module, entry: Func, start: &Start) -> Tables<'m> {
        let n_functions = module.functions.len();
        Tables {
            module,
            entry,
            size: module.data_model.pointer_size() as i64,
            inputs: start.inputs.clone(),
            constants: start.constants.clone(),
            shared: start.shared.clone(),
            changed: start.changed.clone(),
            exposed: start.exposed.iter().map(|&global| Object::Global(global)).collect(),
            numbers: false,
            handlers: BTreeSet::new(),
            recursive: IdVec::filled(false, n_functions),
            functions: module.functions.iter().map(|_| None).collect(),
        }
    }

    /// What an object holds.
    pub fn content<'a>(&'a self, object: Object, state: &'a State) -> Option<&'a Content> {
        state.get(object).or_else(|| self.constants.get(object))
    }

    /// What a value may point to.
    pub fn value(&self, func: Func, value: Value) -> TargetSet {
        match &self.functions[func] {
            Some(table) => table.values[value].clone(),
            None => TargetSet::nothing(),
        }
    }

    /// Whether an input pointer may point to the object.
    pub fn is_shared(&self, object: Object) -> bool {
        match object {
            Object::Input(_) | Object::Outside => true,
            Object::Global(global) => self.shared.contains(&global),
            _ => false,
        }
    }

    /// Whether a pointer of which nothing is known may point to the object.
    pub fn is_exposed(&self, object: Object) -> bool {
        self.is_shared(object) || self.exposed.contains(&object)
    }

    /// Whether at most one object of the group is alive, so that what is written to it replaces what it held.
    pub fn is_one_object(&self, object: Object) -> bool {
        match object {
            Object::Global(_) | Object::Function(_) | Object::Argument(_) | Object::Input(_) => true,
            Object::Slot(func, _) => !self.recursive[func],
            Object::Alloca(_) | Object::Heap(_) | Object::Outside | Object::Ended => false,
        }
    }

    /// Whether the group is a single object as long as the pointers that a function holds are looked at.
    pub fn is_singular(&self, object: Object) -> bool {
        let restarts =
            |func: Func, slot: Slot| self.functions[func].as_ref().is_none_or(|table| table.restarts[slot]);
        match object {
            Object::Slot(func, slot) => self.is_one_object(object) && !restarts(func, slot),
            _ => self.is_one_object(object),
        }
    }

    /// The size of an object where all objects of the group have one.
    pub fn size_of(&self, object: Object) -> Option<i64> {
        let size = match object {
            Object::Global(global) => self.module.globals[global].size,
            Object::Slot(func, slot) => self.module.functions[func].code()?.slots[slot].size,
            _ => return None,
        };
        i64::try_from(size).ok()
    }

    /// Whether an access to the object always raises an event.
    pub fn is_no_memory(&self, object: Object) -> bool {
        matches!(object, Object::Function(_) | Object::Ended)
    }

    /// Makes room for a function; whether it is new.
    pub fn enter(&mut self, func: Func) -> bool {
        let Some(body) = self.module.functions[func].code().filter(|_| self.functions[func].is_none()) else {
            return false;
        };
        self.functions[func] = Some(FunctionTable::new(body));
        true
    }
}

impl<'m> FunctionTable<'m> {
    fn new(body: &'m FuncBody) -> FunctionTable<'m> {
        let cfg = Cfg::compute(body);
        let mut order = IdVec::filled(usize::MAX, body.blocks.len());
        for (n, &block) in cfg.reverse_postorder.iter().enumerate() {
            order[block] = n;
        }
        let mut users = IdVec::<Value, Vec<Block>>::filled(Vec::new(), body.values.len());
        for (block, data) in body.blocks.entries() {
            for (_, value) in data.uses() {
                if users[value].last() != Some(&block) {
                    users[value].push(block);
                }
            }
        }
        FunctionTable {
            restarts: restarts(body, &cfg),
            cfg,
            order,
            definitions: definitions(body),
            users,
            values: body.values.iter().map(constant).collect(),
            before: IdVec::filled(None, body.blocks.len()),
            exit: None,
            returned: TargetSet::nothing(),
            body,
        }
    }
}

fn constant(data: &ValueData) -> TargetSet {
    match data.def {
        ValueDef::Global(global, at) => TargetSet::place(Object::Global(global), Offset::exact(at)),
        ValueDef::Func(func) => TargetSet::place(Object::Function(func), Offset::exact(0)),
        ValueDef::Const(0) if data.ty == Ty::Ptr => TargetSet::null(),
        ValueDef::Const(_) if data.ty == Ty::Ptr => TargetSet::unknown(),
        ValueDef::Const(_) | ValueDef::Computed => TargetSet::nothing(),
    }
}

/// The slots whose lifetime may start again after it has ended, while the function is active.
fn restarts(body: &FuncBody, cfg: &Cfg) -> IdVec<Slot, bool> {
    let mut restarts = IdVec::filled(false, body.slots.len());
    let mut starts = IdVec::<Slot, Vec<(Block, usize)>>::filled(Vec::new(), body.slots.len());
    let mut ends = Vec::new();
    for (block, data) in body.blocks.entries() {
        for (n, inst) in data.insts.iter().enumerate() {
            match inst.kind {
                InstKind::SlotAddr(slot) => starts[slot].push((block, n)),
                InstKind::SlotEnd(slot) => ends.push((slot, block, n)),
                _ => {}
            }
        }
    }
    for (slot, block, n) in ends {
        let behind = reached(cfg, block);
        restarts[slot] |=
            starts[slot].iter().any(|&(start, m)| behind.contains(&start) || (start == block && m > n));
    }
    restarts
}

/// The blocks that control may reach when it leaves a block.
fn reached(cfg: &Cfg, from: Block) -> BTreeSet<Block> {
    let mut found = BTreeSet::new();
    let mut open = cfg.succs[from].clone();
    while let Some(block) = open.pop() {
        if found.insert(block) {
            open.extend(&cfg.succs[block]);
        }
    }
    found
}
