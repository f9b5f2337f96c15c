//! The shapes that pointers get without any demand, as demands: for people to keep, to change, or to learn from.
//!
//! A shape is proposed only if demanding it changes nothing. That is tried out, not argued: the interface is built once
//! more with the proposals, and those that make a difference are left out.

use quipu_interp::resolve;
use quipu_ir::{Func, Function, Module, SourceType, Span, TypeId};
use rustc_hash::FxHashMap;

use crate::build::{Builder, Pointer, built};
use crate::interface::{Extent, Interface, ObjectShape, Origin, Place};
use crate::pointee::is_function;
use crate::shape::{Choice, Length, Shape, Shapes};
use crate::stub::is_stub;
use crate::target::{Row, Target};
use crate::{Leaf, Object};

/// What could be demanded of the inputs of a function without changing them.
#[derive(Clone, Debug)]
pub struct Proposals {
    pub interface: Interface,
    /// In the order in which the inputs are found.
    pub shapes: Vec<Proposal>,
    /// The numbers that are limited because arrays have so many elements.
    pub lengths: Vec<LengthRange>,
}

/// The shape of a pointer, and why it has this shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub leaf: Leaf,
    pub name: String,
    pub shape: Shape,
    pub reason: Reason,
    /// Where the code follows the pointer, if it never compares it with null.
    pub followed_untested: Option<Span>,
}

/// Why a pointer has its shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The parameter is written as an array of so many elements.
    Declared(u64),
    /// An index is compared with this length.
    Compared { length: String, at: Span },
    /// It is a list of strings that a program is started with.
    Started,
    /// It is read up to a zero byte.
    ReadToZero { at: Span },
    /// It points to a struct whose objects point to others of them.
    Linked,
    /// It points to a struct.
    Record,
    /// It points to a pointer or a number inside another object.
    Scalar,
    /// Neither declaration nor code tell how many elements there are.
    Unknown,
    /// It points to a function.
    Function,
    /// It can only be null.
    OnlyNull(&'static str),
}

/// The values that a length may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LengthRange {
    pub name: String,
    pub low: i128,
    pub high: i128,
}

impl Proposals {
    /// What these limits lead to; demands among them do not count.
    pub fn of(module: &Module, func: Func, limits: &Shapes) -> Proposals {
        let shapes = &Shapes { named: FxHashMap::default(), ..limits.clone() };
        let builder = built(module, func, shapes);
        let mut proposals: Vec<Proposal> =
            builder.pending.iter().filter_map(|pointer| builder.proposal(pointer)).collect();
        let plain = &builder.interface;
        if !changes_nothing(module, plain, shapes, &proposals) {
            proposals.retain(|one| changes_nothing(module, plain, shapes, std::slice::from_ref(one)));
        }
        if !changes_nothing(module, plain, shapes, &proposals) {
            proposals.clear();
        }
        let lengths = lengths(plain);
        Proposals { interface: builder.interface, shapes: proposals, lengths }
    }
}

/// Whether the inputs are the same if these shapes are demanded.
fn changes_nothing(module: &Module, plain: &Interface, shapes: &Shapes, proposals: &[Proposal]) -> bool {
    let mut demanding = shapes.clone();
    demanding.named.extend(proposals.iter().map(|one| (one.name.clone(), one.shape.clone())));
    let other = built(module, plain.func, &demanding).interface;
    other.refused.is_empty()
        && other.arguments == plain.arguments
        && other.objects == plain.objects
        && other.leaves == plain.leaves
}

fn lengths(interface: &Interface) -> Vec<LengthRange> {
    // Where the patches of a large array stand is nothing that can be said.
    let is_number =
        |leaf: &&crate::LeafInfo| leaf.targets.is_none() && !matches!(leaf.place, Place::Index(_));
    let limited = interface.leaves.iter().filter(is_number).filter(|leaf| leaf.range.is_some());
    let one = |leaf: &crate::LeafInfo| {
        let number = |bits| match leaf.signed {
            true => i128::from(leaf.width().signed(bits)),
            false => i128::from(bits),
        };
        let (low, high) = leaf.limits();
        LengthRange { name: leaf.name.clone(), low: number(low), high: number(high) }
    };
    limited.map(one).collect()
}

impl Builder<'_> {
    /// The shape of a pointer, if it is worth telling: those inside of objects follow from the others, unless the code
    /// says something about them.
    fn proposal(&self, pointer: &Pointer) -> Option<Proposal> {
        let info = &self.interface.leaves[pointer.leaf];
        if info.name.contains('[') {
            return None;
        }
        let reason = self.reason(pointer);
        let told = matches!(reason, Reason::Compared { .. } | Reason::ReadToZero { .. });
        if pointer.depth > 0 && !told {
            return None;
        }
        let shape = self.shape(pointer, &reason)?;
        let followed_untested = pointer.path.as_ref().and_then(|path| self.usage.followed_untested(path));
        let can_be_null = info.limits().0 == 0 && info.limits().1 > 0;
        Some(Proposal {
            leaf: pointer.leaf,
            name: info.name.clone(),
            shape,
            reason,
            followed_untested: followed_untested.filter(|_| can_be_null),
        })
    }

    fn reason(&self, pointer: &Pointer) -> Reason {
        let to = self.target_type(pointer.leaf);
        if is_function(self.module, to) {
            return Reason::Function;
        }
        if let Err(why) = self.can_point(to) {
            return Reason::OnlyNull(why);
        }
        if let Some(count) = pointer.elements {
            return Reason::Declared(count);
        }
        if self.given(pointer).is_some() {
            return Reason::Started;
        }
        let own = self.own_object(pointer.leaf).map(|object| &self.interface.objects[object]);
        match own.map(|own| &own.extent) {
            Some(Extent::Counted { factor, inputs }) => {
                let length = pointer.path.as_ref().and_then(|path| self.usage.length(path));
                let at = length.expect("the code suggests the length").compared;
                Reason::Compared { length: self.length(*factor, inputs).to_string(), at }
            }
            Some(Extent::Terminated) => {
                let end = pointer.path.as_ref().and_then(|path| self.usage.string_end(path));
                Reason::ReadToZero { at: end.expect("the code looks for the end") }
            }
            _ if own.is_some_and(|own| self.is_linked(own)) => Reason::Linked,
            _ if self.is_record(to) => Reason::Record,
            _ if own.is_some_and(|own| own.count == 1) => Reason::Scalar,
            _ => Reason::Unknown,
        }
    }

    fn shape(&self, pointer: &Pointer, reason: &Reason) -> Option<Shape> {
        let info = &self.interface.leaves[pointer.leaf];
        let targets = info.targets.clone().unwrap_or_default();
        let own = self.own_object(pointer.leaf);
        let mut choices = Vec::new();
        let functions = targets.functions().map(|func| &self.module.functions[func]);
        let (stubs, defined): (Vec<&Function>, Vec<&Function>) = functions.partition(|one| is_stub(one));
        if !defined.is_empty() {
            choices.push(Choice::Functions(defined.iter().map(|one| one.source_name.clone()).collect()));
        }
        choices.extend((!stubs.is_empty()).then_some(Choice::Stub));
        if let Some(object) = own {
            choices.push(self.own_choice(pointer, &self.interface.objects[object], reason));
        }
        for (_, row) in targets.rows() {
            match row.first {
                // No shape says that a pointer is a number.
                Target::Device(_) => return None,
                // No shape says that elements stand in front.
                Target::Object(object, 1..) if Some(object) == own => return None,
                Target::Object(object, _) if Some(object) != own => {
                    choices.push(Choice::Alias(self.alias_name(pointer, object, row)?));
                }
                _ => {}
            }
        }
        if info.limits().0 == 0 {
            choices.push(Choice::Null);
        }
        Some(Shape { choices })
    }

    /// What a demand calls the places in an object that is not made for the pointer.
    fn alias_name(&self, pointer: &Pointer, object: Object, row: &Row) -> Option<String> {
        let areas = self.areas(object, &self.pointee(pointer));
        if let Some(area) = areas.iter().find(|area| area.is_array() && area.starts_at(row.first)) {
            return Some(area.name().to_string());
        }
        let shape = &self.interface.objects[object];
        match shape.origin {
            Origin::Global(_) => Some(shape.name.clone()),
            // Places behind the start of what a test provides have no shape.
            Origin::Provided if *row != Row::one(Target::Object(object, 0)) => None,
            Origin::Provided => shape.name.strip_prefix('*').map(str::to_string),
        }
    }

    fn own_choice(&self, pointer: &Pointer, own: &ObjectShape, reason: &Reason) -> Choice {
        match &own.extent {
            Extent::Listed { .. } => Choice::Strings { most: own.count - 1, text: None },
            Extent::Terminated if *reason == Reason::Started => {
                Choice::Strings { most: own.count - 1, text: None }
            }
            Extent::Terminated => Choice::Text(own.count - 1),
            Extent::Counted { factor, inputs } => Choice::Array(self.length(*factor, inputs)),
            Extent::Whole if *reason == Reason::Linked => {
                let depth = self.shapes.depth - pointer.depth;
                Choice::Linked { depth, cyclic: self.shapes.alias }
            }
            Extent::Whole if own.count == 1 => Choice::Object,
            Extent::Whole => Choice::Array(Length::number(own.count)),
        }
    }

    fn length(&self, factor: u64, inputs: &[Leaf]) -> Length {
        let inputs = inputs.iter().map(|&leaf| self.interface.leaves[leaf].name.clone()).collect();
        Length { factor, inputs, most: None }
    }

    /// The object that was made for a pointer.
    fn own_object(&self, leaf: Leaf) -> Option<Object> {
        let info = &self.interface.leaves[leaf];
        match info.targets.as_ref()?.get(1)? {
            Target::Object(object, _) => {
                let shape = &self.interface.objects[object];
                let own =
                    shape.origin == Origin::Provided && shape.name.strip_prefix('*') == Some(&info.name);
                own.then_some(object)
            }
            Target::Function(_) | Target::Device(_) => None,
        }
    }

    /// Whether an object holds pointers to others of its type.
    fn is_linked(&self, object: &ObjectShape) -> bool {
        object.count == 1
            && object.leaves.iter().any(|&leaf| {
                self.interface.leaves[leaf].targets.is_some()
                    && self.same(self.target_type(leaf), object.element)
            })
    }

    fn target_type(&self, leaf: Leaf) -> TypeId {
        let SourceType::Pointer { to } =
            self.module.types[resolve(self.module, self.interface.leaves[leaf].source)]
        else {
            unreachable!("a pointer has a pointer type")
        };
        to
    }
}
