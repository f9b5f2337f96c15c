//! What was observed at the end of a run, as assertions.

use std::collections::BTreeMap;

use quipu_cover::FunctionReport;
use quipu_inputs::{Bearing, Leaf, Object, Origin, Output};
use quipu_interp::{Outcome, is_library_object, resolve, scalar};
use quipu_ir::{Module, Ty, TypeId};

use super::objects::Objects;
use super::series::LEAST;
use super::stubs::function_value;
use crate::address::{Addresses, Pointee};
use crate::members::size;
use crate::returned::{Found, Returned, returned, visible_outputs};
use crate::value::{constant, is_function_pointer, is_nan, pointed, quoted};

/// Writes assertions about a run.
pub(crate) struct Asserts<'a, 'm> {
    pub(crate) module: &'a Module,
    pub(crate) report: &'a FunctionReport,
    pub(crate) addresses: &'a Addresses<'m>,
    pub(crate) objects: &'a Objects<'a>,
}

/// An assertion.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// That a scalar is equal to a constant.
    Equal {
        expression: String,
        ty: TypeId,
        value: String,
        /// Whether the run changed it. What it left alone is only worth a word next to what it changed.
        changed: bool,
    },
    /// Any other, as a statement.
    Other(String),
}

impl Asserts<'_, '_> {
    /// The assertions about the result, which C calls `name`.
    pub(crate) fn result(&self, name: &str) -> Vec<Check> {
        // Under another name, `main` returns nothing in particular at its end.
        if self.module.functions[self.report.func].source_name == "main" {
            return Vec::new();
        }
        match returned(self.module, self.report.func, &self.objects.test.observation, name) {
            Returned::Nothing => Vec::new(),
            Returned::Scalar(found) if is_object_pointer(self.module, found.ty) => {
                self.pointer(name, name, &found, None).into_iter().map(Check::Other).collect()
            }
            Returned::Scalar(found) => self.scalar(name, &found, true).into_iter().collect(),
            Returned::Record(members) => {
                let members = members.into_iter();
                members.filter_map(|(member, found)| self.scalar(&member.path, &found?, true)).collect()
            }
        }
    }

    /// The assertions about what the run changed; in objects of which it changed much, also about the rest.
    pub(crate) fn changes(&self) -> Vec<Check> {
        let observation = &self.objects.test.observation;
        let interface = &self.report.interface;
        if !matches!(observation.outcome, Outcome::Returned(_)) {
            return Vec::new();
        }
        let mut changed: BTreeMap<Leaf, &Output> = BTreeMap::new();
        let mut objects: BTreeMap<Object, usize> = BTreeMap::new();
        for output in visible_outputs(interface, observation) {
            changed.insert(output.leaf, output);
            if let Some(object) = interface.leaves[output.leaf].object() {
                *objects.entry(object).or_default() += 1;
            }
        }
        let is_busy =
            |leaf| interface.leaves[leaf].object().is_some_and(|object| objects.get(&object) >= Some(&LEAST));
        let leaves = interface.leaves.ids();
        let checks = leaves.filter_map(|leaf| match changed.get(&leaf) {
            Some(output) => self.change(leaf, &Found::output(interface, observation, output), true),
            None if is_busy(leaf) => self.unchanged(leaf),
            None => None,
        });
        checks.collect()
    }

    /// What a run left alone, if it is a number.
    fn unchanged(&self, leaf: Leaf) -> Option<Check> {
        let (info, test) = (&self.report.interface.leaves[leaf], self.objects.test);
        let bits = test.inputs.get(leaf);
        let bearing = test.observation.leaf_bearing(leaf);
        let found = Found { ty: info.source, bits, field: info.bits(), bearing };
        if found.is_pointer(self.module) { None } else { self.change(leaf, &found, false) }
    }

    fn change(&self, leaf: Leaf, found: &Found, changed: bool) -> Option<Check> {
        let object = self.report.interface.leaves[leaf].object()?;
        if let Origin::Global(global) = self.report.interface.objects[object].origin
            && is_library_object(&self.module.globals[global])
        {
            return None;
        }
        self.scalar(&self.objects.path(leaf)?, found, changed)
    }

    /// Nothing is said about numbers made of addresses: they differ from run to run.
    fn scalar(&self, expression: &str, found: &Found, changed: bool) -> Option<Check> {
        let Found { ty, field, .. } = *found;
        if found.is_pointer(self.module) {
            let untyped = format!("(const void *){expression}");
            return self.pointer(expression, &untyped, found, Some(ty)).map(Check::Other);
        }
        if !found.bearing.is_number() {
            return None;
        }
        // The header of `isnan` may declare what the source declares in its own way.
        if is_nan(self.module, ty, found.bits) {
            return Some(Check::Other(format!("assert(__builtin_isnan({expression}));")));
        }
        let value = constant(self.module, ty, found.widened(self.module));
        Some(match field {
            Some(_) if changed => Check::Other(format!("assert({expression} == {value});")),
            Some(_) => return None,
            None => Check::Equal { expression: expression.to_string(), ty, value, changed },
        })
    }

    /// What is known about a pointer of a type. `untyped` is the same as a pointer to nothing in particular, which is
    /// what the pointer is if it has no type.
    fn pointer(&self, expression: &str, untyped: &str, found: &Found, ty: Option<TypeId>) -> Option<String> {
        let pointee = match found.bearing {
            Bearing::Mixed => return None,
            Bearing::Number if found.bits != 0 => Pointee::Unknown,
            _ => self.addresses.find(&self.objects.test.inputs, found.bits),
        };
        Some(match pointee {
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
        })
    }

    /// An address inside an object that the test names: of an element if it is one.
    fn inside(&self, object: Object, offset: u64) -> Option<String> {
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
