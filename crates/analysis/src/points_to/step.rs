//! What one instruction does to the memory, and what it tells about the rest of the program.

use quipu_ir::{Func, Inst, InstKind, Ty, Value, ValueDef};

use super::amount::offsets_of;
use super::content::{Content, Write};
use super::object::{Object, Site};
use super::offset::Offset;
use super::state::State;
use super::tables::{FunctionTable, Tables};
use super::target_set::TargetSet;

/// What an instruction does besides changing the memory.
#[derive(Default)]
pub struct Step {
    /// What its result may point to.
    pub result: TargetSet,
    /// The objects whose address gets to where anybody may find it.
    pub exposed: Vec<Object>,
    /// Whether it turns an address into a number.
    pub numbers: bool,
    /// The functions with code that it calls.
    pub entered: Vec<Entered>,
    /// What a call may call.
    pub callees: Callees,
    /// The functions that it registers for the end of the program.
    pub handlers: Vec<Func>,
    /// The objects to which it may write.
    pub written: Vec<Object>,
    /// Whether no run goes on behind it.
    pub ends: bool,
}

/// A call of a function with code.
pub struct Entered {
    pub callee: Func,
    pub arguments: Vec<TargetSet>,
    /// The memory that it can see.
    pub state: State,
}

/// What a call may call.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Callees {
    /// Functions of the module, in increasing order.
    pub functions: Vec<Func>,
    /// Whether functions of other programs may be called, which the module does not know.
    pub unknown: bool,
}

/// More bytes than any object has.
pub const ALL_BYTES: i64 = 1 << 40;

impl Tables<'_> {
    /// Executes an instruction.
    pub fn step(&self, site: Site, inst: &Inst, state: &mut State) -> Step {
        let func = site.func;
        let Some(table) = &self.functions[func] else { unreachable!("only entered functions run") };
        let targets = |value: Value| &table.values[value];
        let mut step = Step::default();
        match &inst.kind {
            InstKind::PtrToInt(pointer) => {
                step.exposed.extend(targets(*pointer).objects());
                step.numbers = true;
            }
            InstKind::IntToPtr(number) => step.result = pointer_from(table, *number),
            InstKind::Select(_, a, b) => {
                step.result = targets(*a).clone();
                step.result.add_all(targets(*b));
            }
            InstKind::PtrAdd(pointer, by) => step.result = self.moved(table, *pointer, *by),
            InstKind::SlotAddr(slot) => {
                let object = Object::Slot(func, *slot);
                state.create(object);
                step.result = TargetSet::place(object, Offset::exact(0));
            }
            InstKind::SlotEnd(slot) => {
                let object = Object::Slot(func, *slot);
                if self.is_one_object(object) {
                    state.remove(object);
                }
            }
            InstKind::Alloca { .. } => {
                state.create(Object::Alloca(site));
                step.result = TargetSet::place(Object::Alloca(site), Offset::exact(0));
            }
            InstKind::Load { ptr, .. } => {
                let ty = inst.result.map_or(Ty::Ptr, |result| table.body.ty(result));
                self.load(targets(*ptr), ty, state, &mut step);
            }
            InstKind::LoadBits { ptr, bit, .. } => {
                let width = inst.result.and_then(|result| table.body.ty(result).width());
                let bits = width.map_or(64, quipu_num::Width::bits);
                self.read_bytes(targets(*ptr), bytes_of(*bit, bits), state, &mut step);
            }
            InstKind::Store { ptr, value, .. } => self.store(table, targets(*ptr), *value, state, &mut step),
            InstKind::StoreBits { ptr, bit, value } => {
                let bits = table.body.ty(*value).width().map_or(64, quipu_num::Width::bits);
                self.write(targets(*ptr), Write::Raw(bytes_of(*bit, bits)), state, &mut step);
            }
            InstKind::Copy { dst, src, size } => {
                let len = i64::try_from(*size).unwrap_or(ALL_BYTES);
                self.copy(targets(*dst), targets(*src), len, state, &mut step);
            }
            InstKind::Zero { dst, size } => {
                let len = i64::try_from(*size).unwrap_or(ALL_BYTES);
                self.write(targets(*dst), Write::Zeros(len), state, &mut step);
            }
            InstKind::Unspecify { dst, size } => {
                let len = i64::try_from(*size).unwrap_or(ALL_BYTES);
                self.write(targets(*dst), Write::Raw(len), state, &mut step);
            }
            InstKind::Call(callee, arguments) => {
                self.call(site, inst, *callee, arguments, state, &mut step);
            }
            InstKind::Int(..)
            | InstKind::IntUnary(..)
            | InstKind::IntCmp(..)
            | InstKind::Float(..)
            | InstKind::FloatUnary(..)
            | InstKind::Fma(..)
            | InstKind::FloatCmp(..)
            | InstKind::Cast(..)
            | InstKind::PtrDiff(..)
            | InstKind::Check(..)
            | InstKind::Stmt(_)
            | InstKind::Nothing => {}
        }
        step
    }

    /// What a pointer read through another one may be.
    pub fn read(&self, from: &TargetSet, state: &State) -> TargetSet {
        let mut found = TargetSet::nothing();
        for (object, at) in self.accessed(from, self.size) {
            if let Some(content) = self.content(object, state) {
                found.add_all(&content.load(at, self.size));
            }
        }
        if from.may_be_unknown() {
            found.add_all(&TargetSet::unknown());
        }
        self.simplified(found)
    }

    /// The set without the objects that it covers because nothing is known about the pointer.
    pub fn simplified(&self, targets: TargetSet) -> TargetSet {
        targets.simplified(|object| self.is_exposed(object))
    }

    /// Writes through a pointer. If the pointer has one target only, the target's old content is gone: a run in which
    /// the pointer is null ends here.
    pub fn write(&self, to: &TargetSet, write: Write<'_>, state: &mut State, step: &mut Step) {
        let len = match write {
            Write::Pointer(_) => self.size,
            Write::Raw(len) | Write::Zeros(len) | Write::Piece(_, len) => len,
        };
        let places = self.written(to, len);
        if places.is_empty() && !to.may_be_unknown() {
            step.ends = true;
            return;
        }
        let strong = match places[..] {
            [(object, at)] => !to.may_be_unknown() && at.as_exact().is_some() && self.is_one_object(object),
            _ => false,
        };
        for &(object, at) in &places {
            self.write_to(object, at, write, strong, state, step);
        }
        self.write_to_others(to, &places, write, state, step);
    }

    /// Writes through a pointer, or does not.
    pub fn may_write(&self, to: &TargetSet, write: Write<'_>, state: &mut State, step: &mut Step) {
        let places = self.written(to, 1);
        for &(object, at) in &places {
            self.write_to(object, at, write, false, state, step);
        }
        self.write_to_others(to, &places, write, state, step);
    }

    /// The part of memory of `len` bytes behind a pointer, as an object of its own.
    pub fn part(&self, from: &TargetSet, len: i64, state: &State) -> Content {
        let mut parts =
            self.accessed(from, 1).into_iter().map(|(object, at)| match self.content(object, state) {
                Some(content) => content.part(at, len, self.size),
                None => Content::default(),
            });
        let mut whole = parts.next().unwrap_or_default();
        parts.for_each(|part| {
            whole.join(&part, self.size);
        });
        if from.may_be_unknown() {
            whole.join(&Content::holding(TargetSet::unknown()), self.size);
        }
        whole
    }

    /// Lets anybody find the objects to which these pointers point.
    pub fn expose(&self, targets: &TargetSet, step: &mut Step) {
        step.exposed.extend(targets.objects().filter(|&object| !self.is_exposed(object)));
    }

    /// The objects to which a pointer may point of which nothing is known, as far as they hold something.
    pub fn exposed_in(&self, state: &State) -> Vec<Object> {
        state.objects().filter(|&object| self.is_exposed(object)).collect()
    }

    fn moved(&self, table: &FunctionTable<'_>, pointer: Value, by: Value) -> TargetSet {
        let offset = offsets_of(table.body, &table.definitions, by);
        let targets = &table.values[pointer];
        let mut moved = targets.moved(offset);
        // A number added to null is a pointer to whatever has this address.
        let near_null = offset.as_exact().is_some_and(|at| (0..NULL_PAGE).contains(&at));
        if targets.may_be_null() && !near_null && self.numbers {
            moved.add_all(&TargetSet::unknown());
        }
        self.simplified(moved)
    }

    fn load(&self, from: &TargetSet, ty: Ty, state: &State, step: &mut Step) {
        if ty != Ty::Ptr {
            let len = self.module.data_model.size_of(ty) as i64;
            return self.read_bytes(from, len, state, step);
        }
        step.result = self.read(from, state);
        step.ends = step.result.is_empty();
    }

    /// Reads bytes that are taken for a number. If they are those of a pointer, its target is exposed.
    fn read_bytes(&self, from: &TargetSet, len: i64, state: &State, step: &mut Step) {
        let places = self.accessed(from, len);
        step.ends = places.is_empty() && !from.may_be_unknown();
        for (object, at) in places {
            let Some(content) = self.content(object, state) else { continue };
            for targets in content.overlapping(at, len, self.size) {
                step.numbers |= targets.objects().any(|object| !self.is_shared(object));
                self.expose(targets, step);
            }
        }
    }

    fn store(
        &self,
        table: &FunctionTable<'_>,
        to: &TargetSet,
        value: Value,
        state: &mut State,
        step: &mut Step,
    ) {
        let data = &table.body.values[value];
        let len = self.module.data_model.size_of(data.ty) as i64;
        let write = match data {
            _ if data.ty == Ty::Ptr => Write::Pointer(&table.values[value]),
            quipu_ir::ValueData { def: ValueDef::Const(0), .. } => Write::Zeros(len),
            _ => Write::Raw(len),
        };
        self.write(to, write, state, step);
    }

    /// Copies bytes; at least one.
    pub fn copy(&self, to: &TargetSet, from: &TargetSet, len: i64, state: &mut State, step: &mut Step) {
        if self.accessed(from, len).is_empty() && !from.may_be_unknown() {
            step.ends = true;
            return;
        }
        let piece = self.part(from, len, state);
        self.write(to, Write::Piece(&piece, len), state, step);
    }

    /// The places that an access of some bytes may touch without an event.
    fn accessed(&self, targets: &TargetSet, len: i64) -> Vec<(Object, Offset)> {
        let fits = |&(object, at): &(Object, Offset)| match (self.size_of(object), at.as_exact()) {
            (Some(size), Some(at)) => at >= 0 && at + len <= size,
            (Some(size), None) => len <= size,
            _ => !self.is_no_memory(object),
        };
        targets.places().filter(fits).collect()
    }

    fn written(&self, targets: &TargetSet, len: i64) -> Vec<(Object, Offset)> {
        let mut places = self.accessed(targets, len);
        places.retain(|&(object, _)| !self.is_constant(object));
        places
    }

    fn is_constant(&self, object: Object) -> bool {
        matches!(object, Object::Global(global) if self.module.globals[global].constant)
    }

    fn write_to(
        &self,
        object: Object,
        at: Offset,
        write: Write<'_>,
        strong: bool,
        state: &mut State,
        step: &mut Step,
    ) {
        if self.is_exposed(object) {
            match write {
                Write::Pointer(targets) => self.expose(targets, step),
                Write::Piece(piece, _) => piece.targets().for_each(|targets| self.expose(targets, step)),
                Write::Raw(_) | Write::Zeros(_) => {}
            }
        }
        step.written.push(object);
        state.get_mut(object).write(at, write, strong, self.size, self.size_of(object));
    }

    /// Writes to the objects that a pointer may point to without naming them: all that anybody may find, if nothing
    /// is known about the pointer; those of before the call, if one of them is named, as it may be any of them.
    fn write_to_others(
        &self,
        to: &TargetSet,
        places: &[(Object, Offset)],
        write: Write<'_>,
        state: &mut State,
        step: &mut Step,
    ) {
        if to.may_be_unknown() {
            // Whatever gets there is exposed, so that "unknown" covers it.
            if let Write::Pointer(targets) = write {
                self.expose(targets, step);
            }
            if let Write::Piece(piece, _) = write {
                piece.targets().for_each(|targets| self.expose(targets, step));
            }
            for object in self.exposed_in(state) {
                self.spoil(object, state, step);
            }
            return;
        }
        let is_shared = |&(object, _): &(Object, Offset)| {
            self.is_shared(object) && self.size_of(object).is_none_or(|size| size >= self.size)
        };
        let shared: Vec<Object> =
            places.iter().filter(|place| is_shared(place)).map(|place| place.0).collect();
        if shared.is_empty() {
            return;
        }
        let named = |object: Object| shared[..] == [object] && object != Object::Outside;
        // Two globals are two objects.
        let by_input = shared.iter().any(|&one| is_input(one));
        let others = state
            .objects()
            .filter(|&object| self.is_shared(object) && !named(object) && (by_input || is_input(object)));
        for object in others.collect::<Vec<_>>() {
            match write {
                Write::Raw(_) => self.spoil(object, state, step),
                _ if self.is_constant(object) => {}
                _ => self.write_to(object, Offset::ANY, write, false, state, step),
            }
        }
    }

    /// Writes any bytes anywhere to an object.
    fn spoil(&self, object: Object, state: &mut State, step: &mut Step) {
        if self.is_constant(object) {
            return;
        }
        step.written.push(object);
        if !state.get(object).is_some_and(|content| content.is_unknown(ALL_BYTES)) {
            self.write_to(object, Offset::ANY, Write::Raw(ALL_BYTES), false, state, step);
        }
    }
}

/// Addresses below this are no objects.
const NULL_PAGE: i64 = 4096;

fn is_input(object: Object) -> bool {
    matches!(object, Object::Input(_) | Object::Outside)
}

fn bytes_of(bit: u32, bits: u32) -> i64 {
    i64::from((bit + bits).div_ceil(8))
}

/// The pointer that a number is turned into.
fn pointer_from(table: &FunctionTable<'_>, number: Value) -> TargetSet {
    if table.body.values[number].def == ValueDef::Const(0) {
        return TargetSet::null();
    }
    match table.definitions[number].map(|inst| &inst.kind) {
        Some(InstKind::PtrToInt(pointer)) => table.values[*pointer].clone(),
        _ => TargetSet::unknown(),
    }
}
