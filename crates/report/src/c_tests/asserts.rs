//! What was observed at the end of a run, as assertions.

use quipu_cover::FunctionReport;
use quipu_inputs::{Origin, Output};
use quipu_interp::{Outcome, is_library_object, resolve, scalar};
use quipu_ir::{Module, Ty, TypeId};

use super::objects::Objects;
use super::stubs::function_value;
use crate::address::{Addresses, Pointee};
use crate::members::size;
use crate::returned::{Returned, returned, visible_outputs};
use crate::value::{constant, is_function_pointer, is_nan, pointed, quoted, widened};

/// Writes assertions about a run.
pub(crate) struct Asserts<'a, 'm> {
    pub(crate) module: &'a Module,
    pub(crate) report: &'a FunctionReport,
    pub(crate) addresses: &'a Addresses<'m>,
    pub(crate) objects: &'a Objects<'a>,
}

impl Asserts<'_, '_> {
    /// The assertions about the result, which C calls `name`.
    pub(crate) fn result(&self, name: &str) -> Vec<String> {
        // Under another name, `main` returns nothing in particular at its end.
        if self.module.functions[self.report.func].source_name == "main" {
            return Vec::new();
        }
        match returned(self.module, self.report.func, &self.objects.test.observation, name) {
            Returned::Nothing => Vec::new(),
            Returned::Scalar(ty, bits) if is_object_pointer(self.module, ty) => {
                vec![self.pointer(name, name, None, bits)]
            }
            Returned::Scalar(ty, bits) => self.scalar(name, ty, bits, None).into_iter().collect(),
            Returned::Record(members) => {
                let members = members.into_iter();
                members
                    .filter_map(|(member, bits)| self.scalar(&member.path, member.ty, bits?, member.bits))
                    .collect()
            }
        }
    }

    /// The assertions about what the run changed.
    pub(crate) fn changes(&self) -> Vec<String> {
        let observation = &self.objects.test.observation;
        if !matches!(observation.outcome, Outcome::Returned(_)) {
            return Vec::new();
        }
        visible_outputs(&self.report.interface, observation)
            .filter_map(|output| self.change(output))
            .collect()
    }

    fn change(&self, output: &Output) -> Option<String> {
        let info = &self.report.interface.leaves[output.leaf];
        let object = info.object()?;
        if let Origin::Global(global) = self.report.interface.objects[object].origin
            && is_library_object(&self.module.globals[global])
        {
            return None;
        }
        self.scalar(&self.objects.path(output.leaf)?, info.source, output.bits, info.bits())
    }

    fn scalar(&self, expression: &str, ty: TypeId, bits: u64, field: Option<(u32, u32)>) -> Option<String> {
        if scalar(self.module, ty) == Some(Ty::Ptr) {
            return Some(self.pointer(expression, &format!("(const void *){expression}"), Some(ty), bits));
        }
        if is_nan(self.module, ty, bits) {
            return None;
        }
        let value = constant(self.module, ty, widened(self.module, ty, bits, field));
        Some(format!("assert({expression} == {value});"))
    }

    /// What is known about a pointer of a type. `untyped` is the same as a pointer to nothing in particular, which is
    /// what the pointer is if it has no type.
    fn pointer(&self, expression: &str, untyped: &str, ty: Option<TypeId>, bits: u64) -> String {
        match self.addresses.find(&self.objects.test.inputs, bits) {
            Pointee::Null => format!("assert({expression} == NULL);"),
            Pointee::Function(func) if ty.is_some_and(|ty| is_function_pointer(self.module, ty)) => {
                format!("assert({expression} == {});", function_value(self.module, func))
            }
            Pointee::Object(object, 0) if self.objects.name(object).is_some() => {
                let element = self.report.interface.objects[object].element;
                let to = ty.and_then(|ty| pointed(self.module, ty)).map(|to| resolve(self.module, to));
                let left = if to == Some(resolve(self.module, element)) { expression } else { untyped };
                format!("assert({left} == {});", self.objects.address(object))
            }
            Pointee::Object(object, offset) => match self.inside(object, offset) {
                Some(address) => format!("assert({untyped} == {address});"),
                None => format!("assert({expression} != NULL);"),
            },
            Pointee::Global(global, offset) => {
                let name = self.module.globals[global].source_name.as_deref().unwrap_or_default();
                format!("assert({untyped} == {});", shifted(&format!("&{name}"), offset))
            }
            Pointee::Text(bytes) => format!("assert(strcmp({expression}, {}) == 0);", quoted(&bytes)),
            Pointee::Function(_) | Pointee::Unknown => format!("assert({expression} != NULL);"),
        }
    }

    /// An address inside an object that the test names: of an element if it is one.
    fn inside(&self, object: quipu_inputs::Object, offset: u64) -> Option<String> {
        let name = self.objects.name(object)?;
        let shape = &self.report.interface.objects[object];
        let step = size(self.module, shape.element);
        if shape.count > 1 && step > 0 && offset.is_multiple_of(step) {
            return Some(format!("&{name}[{}]", offset / step));
        }
        Some(shifted(&self.objects.address(object), offset))
    }
}

/// Whether a result of this type is looked at as a pointer to nothing in particular.
pub(super) fn is_object_pointer(module: &Module, ty: TypeId) -> bool {
    scalar(module, ty) == Some(Ty::Ptr) && !is_function_pointer(module, ty)
}

fn shifted(address: &str, offset: u64) -> String {
    if offset == 0 { address.to_string() } else { format!("(const char *){address} + {offset}") }
}
