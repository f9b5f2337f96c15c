//! Which objects a test needs: what is behind a null pointer does not matter.

use quipu_base::IdVec;
use quipu_inputs::{Argument, Inputs, Interface, Leaf, Object, Target};
use quipu_ir::Module;

/// The objects that the arguments and globals of a test lead to, targets in front of what points to them as far as they
/// are not in a circle.
pub(crate) fn needed(interface: &Interface, inputs: &Inputs) -> Vec<Object> {
    let arguments = interface.arguments.iter().filter_map(|argument| match *argument {
        Argument::Leaf(leaf) => target_object(interface, inputs, leaf),
        Argument::Copy(object) => Some(object),
        Argument::ResultPlace { .. } | Argument::NoVariadic => None,
    });
    reached(interface, inputs, arguments.chain(interface.globals().map(|(object, _)| object)))
}

/// The scalars that matter in a test: the arguments, and what stands in objects that they or globals lead to.
pub fn told_leaves(interface: &Interface, inputs: &Inputs) -> Vec<Leaf> {
    let arguments = interface.arguments.iter().filter_map(|argument| match *argument {
        Argument::Leaf(leaf) => Some(leaf),
        _ => None,
    });
    let objects = needed(interface, inputs).into_iter();
    let parts = objects.flat_map(|object| interface.objects[object].leaves.iter().copied());
    let parts = parts.filter(|&leaf| interface.spot_in(leaf, inputs).is_some());
    arguments.chain(parts).collect()
}

/// What a pointer points to in a test, by its name.
pub fn target_name(module: &Module, interface: &Interface, inputs: &Inputs, leaf: Leaf) -> String {
    match interface.target_in(leaf, inputs) {
        None => "NULL".to_string(),
        Some(Target::Function(func)) => module.functions[func].source_name.clone(),
        Some(Target::Device(address)) => format!("{address:#x}"),
        Some(Target::Object(object, 0)) => interface.objects[object].name.clone(),
        Some(Target::Object(object, offset)) => {
            format!("{} + {offset} bytes", interface.objects[object].name)
        }
    }
}

/// The objects that the globals of a test lead to.
pub(crate) fn needed_by_globals(interface: &Interface, inputs: &Inputs) -> Vec<Object> {
    reached(interface, inputs, interface.globals().map(|(object, _)| object))
}

fn target_object(interface: &Interface, inputs: &Inputs, leaf: Leaf) -> Option<Object> {
    match interface.target_in(leaf, inputs) {
        Some(Target::Object(object, _)) => Some(object),
        Some(Target::Function(_) | Target::Device(_)) | None => None,
    }
}

fn reached(interface: &Interface, inputs: &Inputs, from: impl Iterator<Item = Object>) -> Vec<Object> {
    let seen = IdVec::filled(false, interface.objects.len());
    let mut search = Search { interface, inputs, seen, order: Vec::new() };
    from.for_each(|object| search.visit(object));
    search.order
}

struct Search<'a> {
    interface: &'a Interface,
    inputs: &'a Inputs,
    seen: IdVec<Object, bool>,
    order: Vec<Object>,
}

impl Search<'_> {
    fn visit(&mut self, object: Object) {
        if std::mem::replace(&mut self.seen[object], true) {
            return;
        }
        for &leaf in &self.interface.objects[object].leaves {
            if self.interface.spot_in(leaf, self.inputs).is_some()
                && let Some(target) = target_object(self.interface, self.inputs, leaf)
            {
                self.visit(target);
            }
        }
        self.order.push(object);
    }
}
