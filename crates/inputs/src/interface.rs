//! The scalars that the environment chooses before a call.

use std::collections::{BTreeMap, BTreeSet};

use quipu_base::IdVec;
use quipu_ir::{Func, Global, Module, Ty, TypeId};
use quipu_num::{FloatWidth, Width, rank, unrank};

use crate::allowed::{Allowed, finite_ranks};
use crate::assumption::{Assumption, AssumptionId};
use crate::build::build;
use crate::deeper::Deeper;
use crate::runner::Inputs;
use crate::shape::Shapes;
use crate::target::{Target, TargetList};
use crate::{Leaf, Object};

/// The inputs of a function.
#[derive(Clone, Debug)]
pub struct Interface {
    pub func: Func,
    /// One for each parameter of the IR function.
    pub arguments: Vec<Argument>,
    pub objects: IdVec<Object, ObjectShape>,
    pub leaves: IdVec<Leaf, LeafInfo>,
    /// So many allocations at the start of a run may fail: whether they do is asked for in the run.
    pub failing: u32,
    /// Whether the user says so.
    pub failing_stated: bool,
    /// Where there is more than usual.
    pub deeper: Deeper,
    /// What was taken for granted about the inputs: a verdict holds under these assumptions.
    pub assumptions: IdVec<AssumptionId, Assumption>,
    /// Which of them Quipu makes about which part of the inputs.
    pub rests_on: RestsOn,
    /// The demands on shapes that were met, by name.
    pub shaped: BTreeSet<String>,
    /// The demands that cannot be met.
    pub refused: Vec<RefusedShape>,
    /// The pointers for which nothing can be made to point to, and why.
    pub only_null: Vec<(Leaf, &'static str)>,
    /// Whether the environment answers with finite floats only.
    pub finite_answers: bool,
}

/// What Quipu assumes about parts of the inputs. Where such an assumption does not hold, the part may be anything.
#[derive(Clone, Default, Debug)]
pub struct RestsOn {
    /// Pointers that may also point elsewhere.
    pub pointers: BTreeMap<Leaf, Vec<AssumptionId>>,
    /// Numbers with a limit, and the range that they have without.
    pub limits: BTreeMap<Leaf, (AssumptionId, Option<(u64, u64)>)>,
    /// Objects that may have another size, or not be there.
    pub sizes: BTreeMap<Object, AssumptionId>,
    /// Objects that may hold something else where none of their scalars is an input.
    pub contents: BTreeMap<Object, Vec<AssumptionId>>,
    /// Globals that may hold something else than at the start of the program.
    pub globals: BTreeMap<Global, AssumptionId>,
}

/// A demand on the shape of an input that does not fit it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedShape {
    /// The input.
    pub name: String,
    pub why: String,
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectShape {
    pub origin: Origin,
    /// How C names it where it has a name (a global), else what to call it (`*p`).
    pub name: String,
    /// The type of an element.
    pub element: TypeId,
    /// How many elements there are at most; 1 for an object that is no array.
    pub count: u64,
    /// In bytes, at most.
    pub size: u64,
    pub align: u64,
    /// How much of it there is in a run.
    pub extent: Extent,
    /// Its scalars that are inputs, by offset; what is not covered by them is zero.
    pub leaves: Vec<Leaf>,
    /// For each large array in it the leaves that tell where its patches stand.
    pub indices: Vec<Vec<Leaf>>,
}

impl ObjectShape {
    /// The bytes from one element to the next.
    pub fn step(&self) -> u64 {
        self.size / self.count.max(1)
    }
}

/// How much of an object there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    Whole,
    /// As many elements as the product of a number and the values of some inputs says; none if one is negative.
    Counted { factor: u64, inputs: Vec<Leaf> },
    /// The characters up to the first zero among its scalars and one zero behind them: a string. Or pointers up to the
    /// first that is null.
    Terminated,
    /// As many elements as an input says, and a null pointer behind them.
    Listed { count: Leaf },
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafInfo {
    /// A C expression for it, over parameters and globals: `n`, `a[2].x`, `p->next`.
    pub name: String,
    /// The type of its values. A pointer has none: it is a choice, see `targets`.
    pub ty: Ty,
    /// The declared type.
    pub source: TypeId,
    pub signed: bool,
    pub place: Place,
    /// For a pointer: what it may point to.
    pub targets: Option<TargetList>,
    /// The least and the greatest value allowed: of integers in the order of their signedness, as canonical bits, or
    /// the first and the last of an arc that wraps around; of floats by rank, see [`LeafInfo::code`].
    pub range: Option<(u64, u64)>,
}

/// Where a scalar input stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is the argument with this number.
    Argument(usize),
    /// It is a part of an object; for a bit-field with the first bit and the width.
    Memory { object: Object, offset: u64, bits: Option<(u32, u32)>, patch: Option<Patch> },
    /// It tells where in an object patches stand.
    Index(Object),
}

/// That a scalar belongs to any one element of a large array: only so many elements as there are patches differ from
/// what the array holds otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patch {
    /// The number of the element. Of several patches for one element the first counts.
    pub index: Leaf,
    /// The size of an element.
    pub step: u64,
}

/// Where a scalar stands in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub object: Object,
    pub offset: u64,
    pub bits: Option<(u32, u32)>,
}

/// What stands for the number of an element in the name of a patch.
pub(crate) const ANY: &str = "[*]";

/// The width of a choice between few targets.
const CHOICE: Width = Width::W8;
/// The width of a choice between many targets: the places in a large array.
const WIDE_CHOICE: Width = Width::W32;

impl Interface {
    /// A function without inputs.
    pub fn closed(func: Func) -> Interface {
        Interface {
            func,
            arguments: Vec::new(),
            objects: IdVec::new(),
            leaves: IdVec::new(),
            failing: 0,
            failing_stated: false,
            deeper: Deeper::default(),
            assumptions: IdVec::new(),
            rests_on: RestsOn::default(),
            shaped: BTreeSet::new(),
            refused: Vec::new(),
            only_null: Vec::new(),
            finite_answers: false,
        }
    }

    /// The inputs of a function, with pointers shaped by a few rules.
    pub fn of(module: &Module, func: Func, shapes: &Shapes) -> Interface {
        build(module, func, shapes)
    }

    /// Allows no infinities and no NaNs, neither as inputs nor as answers of the environment.
    pub fn only_finite_floats(&mut self) {
        self.finite_answers = true;
        self.assume(Assumption::Stated("float inputs are finite".to_string()));
        for leaf in self.leaves.iter_mut() {
            leaf.range = leaf.float_width().map(finite_ranks).or(leaf.range);
        }
    }

    /// Takes something for granted, once.
    pub fn assume(&mut self, assumption: Assumption) -> AssumptionId {
        let known = self.assumptions.entries().find(|(_, known)| **known == assumption).map(|(id, _)| id);
        known.unwrap_or_else(|| self.assumptions.push(assumption))
    }

    /// The user says what an input is: what the code relies on about it no longer matters.
    pub fn forget_reliance(&mut self, leaf: Leaf) {
        let Some(&(id, range)) = self.rests_on.limits.get(&leaf) else { return };
        if self.assumptions[id].reliance().is_some() {
            self.rests_on.limits.remove(&leaf);
            self.leaves[leaf].range = range;
        }
    }

    /// The leaf with this name.
    pub fn leaf(&self, name: &str) -> Option<Leaf> {
        self.leaves.entries().find(|(_, leaf)| leaf.name == name).map(|(leaf, _)| leaf)
    }

    /// The functions that a run can enter from outside: this one, and those to which input pointers may point.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        let targets = self.leaves.iter().filter_map(|leaf| leaf.targets.as_ref());
        std::iter::once(self.func).chain(targets.flat_map(TargetList::functions))
    }

    /// What a pointer points to in a run; none for null, and for a leaf that is no pointer.
    pub fn target_in(&self, leaf: Leaf, inputs: &Inputs) -> Option<Target> {
        self.leaves[leaf].targets.as_ref()?.get(inputs.get(leaf))
    }

    /// The number of elements that an object has in a run.
    pub fn count_in(&self, object: Object, inputs: &Inputs) -> u64 {
        let shape = &self.objects[object];
        match &shape.extent {
            Extent::Whole => shape.count,
            Extent::Counted { factor, inputs: lengths } => {
                let length = |&leaf: &Leaf| self.leaves[leaf].as_length(inputs.get(leaf));
                lengths.iter().map(length).fold(*factor, u64::saturating_mul).min(shape.count)
            }
            Extent::Terminated => {
                let end = shape.leaves.iter().position(|&leaf| inputs.get(leaf) == 0);
                end.unwrap_or(shape.leaves.len()) as u64 + 1
            }
            Extent::Listed { count } => self.listed_in(*count, inputs) + 1,
        }
    }

    /// The elements of a list in front of its end.
    fn listed_in(&self, count: Leaf, inputs: &Inputs) -> u64 {
        self.leaves[count].as_length(inputs.get(count))
    }

    /// The size of an object in a run, in bytes.
    pub fn size_in(&self, object: Object, inputs: &Inputs) -> u64 {
        let shape = &self.objects[object];
        match shape.extent {
            Extent::Whole => shape.size,
            Extent::Counted { .. } | Extent::Terminated | Extent::Listed { .. } => {
                self.count_in(object, inputs) * shape.step()
            }
        }
    }

    /// How far the scalars of an object reach in a run, in bytes.
    fn filled_in(&self, object: Object, inputs: &Inputs) -> u64 {
        let shape = &self.objects[object];
        match shape.extent {
            Extent::Listed { count } => self.listed_in(count, inputs) * shape.step(),
            Extent::Whole | Extent::Counted { .. } | Extent::Terminated => self.size_in(object, inputs),
        }
    }

    /// Where a scalar stands in memory in a run. None if it does not: it is an argument, or belongs to a part of an
    /// object that is shorter than it could be, or to an element that has a patch already.
    pub fn spot_in(&self, leaf: Leaf, inputs: &Inputs) -> Option<Spot> {
        let Place::Memory { object, offset, bits, patch } = self.leaves[leaf].place else { return None };
        let moved = match patch {
            None => 0,
            Some(Patch { index, .. }) if self.is_hidden(object, index, inputs) => return None,
            Some(Patch { index, step }) => inputs.get(index) * step,
        };
        // A scalar never lies across two elements.
        let offset = offset + moved;
        (offset < self.filled_in(object, inputs)).then_some(Spot { object, offset, bits })
    }

    /// Whether an earlier patch of the same array is for the same element.
    fn is_hidden(&self, object: Object, index: Leaf, inputs: &Inputs) -> bool {
        let indices = &self.objects[object].indices;
        let group = indices.iter().find(|group| group.contains(&index)).map_or(&[][..], |group| &group[..]);
        let mut earlier = group.iter().take_while(|&&other| other != index);
        earlier.any(|&other| inputs.get(other) == inputs.get(index))
    }

    /// The C expression for a scalar in a run.
    pub fn name_in(&self, leaf: Leaf, inputs: &Inputs) -> String {
        let info = &self.leaves[leaf];
        match info.place {
            Place::Memory { patch: Some(Patch { index, .. }), .. } => {
                info.name.replacen(ANY, &format!("[{}]", inputs.get(index)), 1)
            }
            _ => info.name.clone(),
        }
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
            (_, Some(targets)) if targets.len() > CHOICE.mask() => WIDE_CHOICE,
            (_, Some(_)) | (Ty::Ptr, None) => CHOICE,
            (Ty::Int(width), None) => width,
            (Ty::Float(width), None) => width.width(),
        }
    }

    /// The format of its values, if these are floats.
    pub fn float_width(&self) -> Option<FloatWidth> {
        self.ty.float_width().filter(|_| self.targets.is_none())
    }

    /// The code of a value, by which values are ordered: the rank of a float, or just the bits.
    pub fn code(&self, bits: u64) -> u64 {
        self.float_width().map_or(bits, |w| rank(w, bits))
    }

    /// The value with a code.
    pub fn value(&self, code: u64) -> u64 {
        self.float_width().map_or(code, |w| unrank(w, code))
    }

    /// The codes of the least and the greatest value: of integers in the order of their signedness, of floats by rank.
    pub fn limits(&self) -> (u64, u64) {
        let w = self.width();
        let choices = self.targets.as_ref().map(|targets| (0, targets.len()));
        self.range.or(choices).unwrap_or(match self.signed && self.float_width().is_none() {
            true => (w.min_signed(), w.max_signed()),
            false => (0, w.mask()),
        })
    }

    /// Allows no values but these, and of these only those that were allowed before. False if nothing is left; then
    /// nothing is changed.
    #[must_use]
    pub fn restrict(&mut self, allowed: Allowed) -> bool {
        let codes = allowed.codes(self);
        self.range = codes.or(self.range);
        codes.is_some()
    }

    /// For a bit-field the first bit and the width.
    pub fn bits(&self) -> Option<(u32, u32)> {
        match self.place {
            Place::Memory { bits, .. } => bits,
            Place::Argument(_) | Place::Index(_) => None,
        }
    }

    /// The object of which it is a part.
    pub fn object(&self) -> Option<Object> {
        match self.place {
            Place::Memory { object, .. } => Some(object),
            Place::Argument(_) | Place::Index(_) => None,
        }
    }

    /// The value as a number of elements.
    pub fn as_length(&self, bits: u64) -> u64 {
        let w = self.width();
        if self.signed { u64::try_from(w.signed(bits)).unwrap_or(0) } else { bits }
    }

    /// Whether a value is allowed: it lies on the way up from the first to the last one, which may wrap around.
    pub fn allows(&self, bits: u64) -> bool {
        let (w, (first, last)) = (self.width(), self.limits());
        let from_first = |code: u64| w.wrap(code.wrapping_sub(first));
        from_first(self.code(bits)) <= from_first(last)
    }
}
