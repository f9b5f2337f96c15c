//! The scalars that the environment chooses before a call.

use quipu_base::IdVec;
use quipu_ir::{Func, Global, Module, Ty, TypeId};
use quipu_num::Width;

use crate::shape::{Shapes, build};
use crate::{Leaf, Object};

/// The inputs of a function.
#[derive(Clone, Debug)]
pub struct Interface {
    pub func: Func,
    /// One for each parameter of the IR function.
    pub arguments: Vec<Argument>,
    pub objects: IdVec<Object, ObjectShape>,
    pub leaves: IdVec<Leaf, LeafInfo>,
    /// What was taken for granted about the inputs, for people: a verdict holds under these assumptions.
    pub assumptions: Vec<String>,
}

/// What is passed for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A scalar; for a pointer, a choice between its targets.
    Leaf(Leaf),
    /// The address of a copy that belongs to the callee: a struct passed by value.
    Copy(Object),
    /// The address of a new place for a struct result.
    ResultPlace { size: u64, align: u64 },
    /// The address of no variadic arguments.
    NoVariadic,
}

/// An object whose content is an input.
#[derive(Clone, Debug)]
pub struct ObjectShape {
    pub origin: Origin,
    /// How C names it where it has a name (a global), else what to call it (`*p`).
    pub name: String,
    /// The type of an element.
    pub element: TypeId,
    /// How many elements there are; 1 for an object that is no array.
    pub count: u64,
    /// In bytes.
    pub size: u64,
    pub align: u64,
    /// Its scalars, by offset.
    pub leaves: Vec<Leaf>,
}

/// Where an input object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is a global object of the program.
    Global(Global),
    /// A test provides it, for a pointer to point to or as a struct argument.
    Provided,
}

/// A scalar input.
#[derive(Clone, Debug)]
pub struct LeafInfo {
    /// A C expression for it, over parameters and globals: `n`, `a[2].x`, `p->next`.
    pub name: String,
    /// The type of its values. A pointer has none: it is a choice, see `targets`.
    pub ty: Ty,
    /// The declared type.
    pub source: TypeId,
    pub signed: bool,
    pub place: Place,
    /// For a pointer: what it may point to. Value 0 is null, value n is the n-th target.
    pub targets: Option<Vec<Target>>,
    /// The least and the greatest value allowed, in the order of its signedness, as canonical bits.
    pub range: Option<(u64, u64)>,
}

/// Where a scalar input stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is the argument with this number.
    Argument(usize),
    /// It is a part of an object; for a bit-field with the first bit and the width.
    Memory { object: Object, offset: u64, bits: Option<(u32, u32)> },
}

/// What a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The start of an object.
    Object(Object),
    Function(Func),
}

/// The width of a choice between targets.
pub(crate) const CHOICE: Width = Width::W8;

impl Interface {
    /// The inputs of a function, with pointers shaped by a few rules.
    pub fn of(module: &Module, func: Func, shapes: &Shapes) -> Interface {
        build(module, func, shapes)
    }

    /// The leaf with this name.
    pub fn leaf(&self, name: &str) -> Option<Leaf> {
        self.leaves.entries().find(|(_, leaf)| leaf.name == name).map(|(leaf, _)| leaf)
    }

    /// The functions that a run can enter from outside: this one, and those to which input pointers may point.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        let targets = self.leaves.iter().filter_map(|leaf| leaf.targets.as_ref()).flatten();
        let functions = targets.filter_map(|target| match target {
            Target::Function(func) => Some(*func),
            Target::Object(_) => None,
        });
        std::iter::once(self.func).chain(functions)
    }

    /// The objects that are globals.
    pub fn globals(&self) -> impl Iterator<Item = (Object, Global)> + '_ {
        self.objects.entries().filter_map(|(object, shape)| match shape.origin {
            Origin::Global(global) => Some((object, global)),
            Origin::Provided => None,
        })
    }
}

impl LeafInfo {
    /// The width of its bits; of the choice for a pointer.
    pub fn width(&self) -> Width {
        match (self.ty, &self.targets) {
            (_, Some(_)) | (Ty::Ptr, None) => CHOICE,
            (Ty::Int(width), None) => width,
            (Ty::Float(width), None) => Width::new(width.bits()).expect("a float has 32 or 64 bits"),
        }
    }

    /// The least and the greatest value, in the order of its signedness.
    pub fn limits(&self) -> (u64, u64) {
        let w = self.width();
        let choices = self.targets.as_ref().map(|targets| (0, targets.len() as u64));
        self.range.or(choices).unwrap_or(match self.signed {
            true => (w.min_signed(), w.max_signed()),
            false => (0, w.mask()),
        })
    }

    /// Whether a value is allowed.
    pub fn allows(&self, bits: u64) -> bool {
        let w = self.width();
        let key = |bits: u64| if self.signed { i128::from(w.signed(bits)) } else { i128::from(bits) };
        let (low, high) = self.limits();
        key(low) <= key(bits) && key(bits) <= key(high)
    }
}
