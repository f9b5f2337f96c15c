//! The objects of a test as C declarations and assignments.

use std::cell::RefCell;
use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_cover::Test;
use quipu_ctext::declare;
use quipu_inputs::{Argument, Interface, Leaf, Object, Origin, Spot, Target};
use quipu_interp::{is_library_object, resolve, scalar};
use quipu_ir::{Module, SourceType, TypeId};

use super::scope::{Scope, identifier};
use super::stubs::function_value;
use crate::initialiser::Contents;
use crate::members::{object_member, place_in};
use crate::reach::{needed, needed_by_globals};
use crate::value::{constant, is_function_pointer, pointed};

/// The objects of a test with their names.
pub(crate) struct Objects<'a> {
    pub(crate) module: &'a Module,
    pub(crate) interface: &'a Interface,
    pub(crate) test: &'a Test,
    /// Targets in front of what points to them.
    order: Vec<Object>,
    names: IdVec<Object, Option<String>>,
}

/// A type of an input that C has no words for.
pub(crate) struct Unnamed;

impl<'a> Objects<'a> {
    /// The objects that a test needs. Those that it provides get names of their own.
    pub(crate) fn of(
        module: &'a Module,
        interface: &'a Interface,
        test: &'a Test,
        scope: &mut Scope,
    ) -> Objects<'a> {
        let mut names = IdVec::filled(None, interface.objects.len());
        let mut order = needed(interface, &test.inputs);
        order.retain(|&object| match interface.objects[object].origin {
            Origin::Global(global) => !is_library_object(&module.globals[global]),
            Origin::Provided => true,
        });
        // Struct arguments first: nothing else may take the name of a parameter.
        let is_argument = |object: &&Object| interface.arguments.contains(&Argument::Copy(**object));
        let (arguments, others): (Vec<&Object>, Vec<&Object>) = order.iter().partition(is_argument);
        for &object in arguments.into_iter().chain(others) {
            let shape = &interface.objects[object];
            names[object] = Some(match shape.origin {
                Origin::Global(_) => shape.name.clone(),
                Origin::Provided => scope.pick(&identifier(&shape.name), "_object"),
            });
        }
        Objects { module, interface, test, order, names }
    }

    /// What C calls an object, if the test has it.
    pub(crate) fn name(&self, object: Object) -> Option<String> {
        let name = self.names[object].as_deref()?;
        let pointed = self.is_freed(object) && self.interface.objects[object].count == 1;
        Some(if pointed { format!("(*{name})") } else { name.to_string() })
    }

    /// Whether the function frees an object, so that it must come from the heap.
    fn is_freed(&self, object: Object) -> bool {
        self.test.observation.freed.contains(&object)
    }

    /// A C expression for a part of an object.
    pub(crate) fn path(&self, leaf: Leaf) -> Option<String> {
        let Spot { object, offset, bits } = self.interface.spot_in(leaf, &self.test.inputs)?;
        object_member(self.module, &self.interface.objects[object], &self.name(object)?, offset, bits)
    }

    /// A pointer as it is passed or assigned.
    pub(crate) fn pointer(&self, leaf: Leaf) -> String {
        let text = match self.interface.target_in(leaf, &self.test.inputs) {
            None => return "NULL".to_string(),
            Some(Target::Function(func)) => return function_value(self.module, func),
            Some(Target::Device(address)) => return format!("(void *){address:#x}ul"),
            Some(Target::Object(object, offset)) => {
                self.part_address(leaf, object, offset).unwrap_or_else(|| match offset {
                    0 => self.address(object),
                    _ => self.inner_address(object, offset),
                })
            }
        };
        let cast = if self.may_differ(self.interface.leaves[leaf].source) { "(void *)" } else { "" };
        format!("{cast}{text}")
    }

    /// The address of an object.
    pub(crate) fn address(&self, object: Object) -> String {
        let Some(name) = &self.names[object] else { return "NULL".to_string() };
        let and = if self.interface.objects[object].count == 1 && !self.is_freed(object) { "&" } else { "" };
        format!("{and}{name}")
    }

    /// The address of a part of an object, if the pointer leads to less than its elements.
    fn part_address(&self, leaf: Leaf, object: Object, offset: u64) -> Option<String> {
        let shape = &self.interface.objects[object];
        let to = pointed(self.module, self.interface.leaves[leaf].source)?;
        if resolve(self.module, shape.element) == resolve(self.module, to) {
            return None;
        }
        place_in(self.module, shape, &self.name(object)?, offset, to)
    }

    /// A place behind the start of an object.
    fn inner_address(&self, object: Object, offset: u64) -> String {
        let shape = &self.interface.objects[object];
        let step = shape.size / shape.count.max(1);
        format!("{} + {}", self.names[object].as_deref().unwrap_or("NULL"), offset / step.max(1))
    }

    /// Whether a pointer may differ from what is declared here: qualifiers, which are not known, matter behind two
    /// pointers and behind a pointer to an array.
    fn may_differ(&self, ty: TypeId) -> bool {
        let to = pointed(self.module, ty).map(|to| &self.module.types[resolve(self.module, to)]);
        matches!(to, Some(SourceType::Pointer { .. } | SourceType::Array { .. }))
    }

    /// The statements that make the objects and fill them: what the test provides, then the globals.
    pub(crate) fn statements(&self) -> Result<Vec<String>, Unnamed> {
        let lasting: BTreeSet<Object> =
            needed_by_globals(self.interface, &self.test.inputs).into_iter().collect();
        let declared = RefCell::new(BTreeSet::new());
        let late = RefCell::new(Vec::new());
        let pointer = |leaf| match self.interface.target_in(leaf, &self.test.inputs) {
            Some(Target::Object(object, _))
                if self.is_provided(object) && !declared.borrow().contains(&object) =>
            {
                late.borrow_mut().push(leaf);
                "NULL".to_string()
            }
            _ => self.pointer(leaf),
        };
        let contents = Contents {
            module: self.module,
            interface: self.interface,
            inputs: &self.test.inputs,
            number: constant,
            pointer: &pointer,
        };
        let mut provided = Vec::new();
        let mut globals = Vec::new();
        for &object in &self.order {
            declared.borrow_mut().insert(object);
            if self.is_provided(object) {
                let value = contents.object(object).c();
                // What a global points to must not vanish with the test.
                let class = if lasting.contains(&object) { "static " } else { "" };
                match self.is_freed(object) {
                    true => provided.extend(self.block(object, &value)?),
                    false => provided.push(format!("{class}{} = {value};", self.declaration(object)?)),
                }
            } else if !self.is_constant(object) {
                globals.extend(self.assignments(object, &contents));
            }
        }
        let late = late.into_inner();
        let late = late
            .into_iter()
            .filter_map(|leaf| Some(format!("{} = {};", self.path(leaf)?, self.pointer(leaf))));
        Ok(provided.into_iter().chain(globals).chain(late).collect())
    }

    /// A constant of another file that must have a content of its own in this test, which C cannot give it.
    pub(crate) fn unsettable(&self) -> Option<&str> {
        let has_content = |object: Object| {
            let mut leaves = self.interface.objects[object].leaves.iter();
            leaves.any(|&leaf| self.test.inputs.get(leaf) != 0)
        };
        let mut constants = self.order.iter().filter(|&&object| self.is_constant(object));
        constants
            .find(|&&object| has_content(object))
            .map(|&object| self.interface.objects[object].name.as_str())
    }

    fn is_constant(&self, object: Object) -> bool {
        match self.interface.objects[object].origin {
            Origin::Global(global) => self.module.globals[global].constant,
            Origin::Provided => false,
        }
    }

    fn is_provided(&self, object: Object) -> bool {
        self.interface.objects[object].origin == Origin::Provided
    }

    /// Of a global with a large array only what differs from its content at the start.
    fn assignments(&self, object: Object, contents: &Contents<'_>) -> Vec<String> {
        let shape = &self.interface.objects[object];
        if shape.indices.is_empty() {
            return vec![self.assignment(object, &contents.object(object).c())];
        }
        let part = |&leaf: &Leaf| Some(format!("{} = {};", self.path(leaf)?, contents.leaf(leaf).c()));
        shape.leaves.iter().filter_map(part).collect()
    }

    fn assignment(&self, object: Object, value: &str) -> String {
        let shape = &self.interface.objects[object];
        let name = &shape.name;
        if scalar(self.module, shape.element).is_some() {
            return format!("{name} = {value};");
        }
        let is_array =
            matches!(self.module.types[resolve(self.module, shape.element)], SourceType::Array { .. });
        let ty =
            declare(&self.module.types, shape.element, "").unwrap_or_else(|| format!("__typeof__({name})"));
        let (to, from) = match is_array {
            true if value.starts_with('{') => (name.clone(), format!("({ty}){value}")),
            true => (name.clone(), format!("({ty}){{{value}}}")),
            false => (format!("&{name}"), format!("&({ty}){value}")),
        };
        // The cast is for volatile objects.
        format!("memcpy((void *){to}, {from}, sizeof {name});")
    }

    /// The statements that make an object on the heap and fill it.
    fn block(&self, object: Object, value: &str) -> Result<[String; 3], Unnamed> {
        let shape = &self.interface.objects[object];
        let name = self.names[object].as_deref().ok_or(Unnamed)?;
        let pointer = self.declared(object, &format!("*{name}"))?;
        let is_list = value.starts_with('{');
        let (size, filled) = match shape.count {
            1 if is_list => {
                (format!("sizeof *{name}"), format!("*{name} = ({}){value};", self.declared(object, "")?))
            }
            1 => (format!("sizeof *{name}"), format!("*{name} = {value};")),
            _ => {
                let count = self.count(object);
                let braced = if is_list { value.to_string() } else { format!("{{{value}}}") };
                let array = self.declared(object, &format!("[{count}]"))?;
                let size = format!("{count} * sizeof *{name}");
                let filled = format!("memcpy({name}, ({array}){braced}, {size});");
                (size, filled)
            }
        };
        Ok([format!("{pointer} = malloc({size});"), format!("assert({name} != NULL);"), filled])
    }

    /// The number of elements of an object in the test; C has no arrays without elements.
    fn count(&self, object: Object) -> u64 {
        self.interface.count_in(object, &self.test.inputs).max(1)
    }

    fn declaration(&self, object: Object) -> Result<String, Unnamed> {
        let name = self.names[object].as_deref().ok_or(Unnamed)?;
        match self.interface.objects[object].count {
            1 => self.declared(object, name),
            _ => self.declared(object, &format!("{name}[{}]", self.count(object))),
        }
    }

    fn declared(&self, object: Object, declarator: &str) -> Result<String, Unnamed> {
        let shape = &self.interface.objects[object];
        match declare(&self.module.types, shape.element, declarator) {
            Some(declaration) => Ok(declaration),
            None => Ok(format!("{} {declarator}", self.type_of_target(&shape.name).ok_or(Unnamed)?)),
        }
    }

    /// The type of what a pointer points to, by the pointer.
    fn type_of_target(&self, name: &str) -> Option<String> {
        let pointer = name.strip_prefix('*')?;
        let start = pointer.find(|c: char| c != '(' && c != '*')?;
        let rest = &pointer[start..];
        let root = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
        let function = &self.module.functions[self.interface.func];
        let param = function.params.iter().find(|param| param.name.as_deref() == Some(root));
        let root_text = match param {
            // A parameter is not in reach, but its type is.
            Some(param) => format!("(({})0)", declare(&self.module.types, param.source?, "")?),
            None => root.to_string(),
        };
        Some(format!("__typeof__(*{}{root_text}{})", &pointer[..start], &rest[root.len()..]))
    }

    /// The argument for a parameter, with the declaration that it needs.
    pub(crate) fn argument(&self, leaf: Leaf, scope: &mut Scope) -> (Option<String>, String) {
        let info = &self.interface.leaves[leaf];
        if info.targets.is_some() || is_function_pointer(self.module, info.source) {
            return (None, self.pointer(leaf));
        }
        let name = scope.pick(&identifier(&info.name), "_");
        let pointer = |leaf| self.pointer(leaf);
        let contents = Contents {
            module: self.module,
            interface: self.interface,
            inputs: &self.test.inputs,
            number: constant,
            pointer: &pointer,
        };
        let value = contents.leaf(leaf).c();
        // Only an enumeration can be a scalar without a name; `int` holds its values.
        let declaration =
            declare(&self.module.types, info.source, &name).unwrap_or_else(|| format!("int {name}"));
        (Some(format!("{declaration} = {value};")), name)
    }
}
