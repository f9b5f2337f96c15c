//! Objects and places in the words of the source.

use quipu_ir::{Callee, Func, Global, InstKind, Slot, TypeId};

use super::object::{Holder, Input, Object, Site};
use super::offset::Offset;
use super::shape::{path_at, pointee, pointer_parts, resolved};
use super::tables::Tables;
use super::target_set::TargetSet;

impl Tables<'_> {
    /// The targets of a set, seen from a function.
    pub fn target_names(&self, targets: &TargetSet, from: Func) -> Vec<String> {
        let places = targets.places().map(|(object, at)| self.place_name(object, at, from));
        let mut names: Vec<String> = places.collect();
        names.extend(targets.may_be_unknown().then(|| "anything".to_string()));
        names.extend((targets.may_be_null() && !targets.may_be_unknown()).then(|| "null".to_string()));
        names
    }

    /// The name of a variable; with its line where the function has several of this name.
    pub fn slot_name(&self, func: Func, slot: Slot) -> String {
        let Some(body) = self.module.functions[func].code() else { return String::new() };
        let data = &body.slots[slot];
        let Some(name) = &data.name else { return format!("temporary at line {}", data.span.line) };
        match body.slots.iter().filter(|other| other.name.as_ref() == Some(name)).count() {
            0 | 1 => name.clone(),
            _ => format!("{name}@{}", data.span.line),
        }
    }

    pub fn global_name(&self, global: Global) -> String {
        let data = &self.module.globals[global];
        data.source_name.clone().unwrap_or_else(|| format!("literal at line {}", data.span.line))
    }

    pub fn parameter_name(&self, n: usize) -> String {
        let name = self.module.functions[self.entry].params[n].name.clone();
        name.unwrap_or_else(|| format!("arg{}", n + 1))
    }

    fn place_name(&self, object: Object, at: Offset, from: Func) -> String {
        let name = self.object_name(object, from);
        if matches!(object, Object::Outside | Object::Ended | Object::Function(_)) {
            return name;
        }
        let Some(at) = at.as_exact() else { return format!("{name}[*]") };
        let path = self.type_of(object).and_then(|ty| path_at(self.module, ty, at));
        match (path, at) {
            (Some(path), _) => format!("{name}{path}"),
            (None, 0) => name,
            (None, _) => format!("{name} {} {}", if at < 0 { '-' } else { '+' }, at.unsigned_abs()),
        }
    }

    fn object_name(&self, object: Object, from: Func) -> String {
        match object {
            Object::Global(global) => self.global_name(global),
            Object::Function(func) => self.module.functions[func].source_name.clone(),
            Object::Slot(func, slot) if func == from => self.slot_name(func, slot),
            Object::Slot(func, slot) => {
                format!("{} of {}", self.slot_name(func, slot), self.module.functions[func].source_name)
            }
            Object::Alloca(site) => format!("array at line {}", self.line(site)),
            Object::Heap(site) => format!("{} at line {}", self.allocator(site), self.line(site)),
            Object::Argument(n) => self.parameter_name(n),
            Object::Input(input) => format!("*{}", self.holder_name(input)),
            Object::Outside => "outside".to_string(),
            Object::Ended => "ended".to_string(),
        }
    }

    /// The pointer that leads to an input, as a C expression.
    fn holder_name(&self, input: Input) -> String {
        match self.inputs[input] {
            Holder::Parameter(n) => self.parameter_name(n),
            Holder::Content(object, offset) => {
                let parts = self.type_of(object).map_or(Vec::new(), |ty| pointer_parts(self.module, ty));
                let path = parts.into_iter().find(|part| part.offset == offset).map(|part| part.path);
                match object {
                    Object::Input(outer) => behind(&self.holder_name(outer), &path.unwrap_or_default()),
                    _ => format!("{}{}", self.object_name(object, self.entry), path.unwrap_or_default()),
                }
            }
        }
    }

    fn type_of(&self, object: Object) -> Option<TypeId> {
        match object {
            Object::Global(global) => Some(self.module.globals[global].ty),
            Object::Slot(func, slot) => self.module.functions[func].code()?.slots[slot].ty,
            Object::Argument(n) => self.module.functions[self.entry].params[n].source,
            Object::Input(input) => match self.inputs[input] {
                Holder::Parameter(n) => {
                    pointee(self.module, self.module.functions[self.entry].params[n].source?)
                }
                Holder::Content(object, offset) => {
                    let parts = pointer_parts(self.module, self.type_of(object)?);
                    parts.into_iter().find(|part| part.offset == offset).map(|part| part.to)
                }
            },
            _ => None,
        }
    }

    fn line(&self, site: Site) -> u32 {
        let body = self.module.functions[site.func].code();
        body.map_or(0, |body| body.blocks[site.block].insts[site.inst].span.line)
    }

    fn allocator(&self, site: Site) -> &str {
        let inst = self.module.functions[site.func]
            .code()
            .map(|body| &body.blocks[site.block].insts[site.inst].kind);
        match inst {
            Some(InstKind::Call(Callee::Direct(func), _)) => &self.module.functions[*func].source_name,
            _ => "allocation",
        }
    }

    /// Whether what a type describes holds pointers that are worth a name.
    pub fn holds_pointers(&self, ty: TypeId) -> bool {
        use quipu_ir::SourceType::{Pointer, Record};
        matches!(resolved(self.module, ty), Pointer { .. } | Record { .. })
    }
}

/// The expression for a part of what a pointer points to.
pub fn behind(pointer: &str, path: &str) -> String {
    match path.strip_prefix('.') {
        Some(member) => format!("{pointer}->{member}"),
        None if path.is_empty() => format!("*{pointer}"),
        None => format!("(*{pointer}){path}"),
    }
}
