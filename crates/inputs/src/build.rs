//! How the inputs of a function are found: parameters, global state, and the scalars in objects.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_interp::{is_library_object, is_stream, layout, resolve, scalar};
use quipu_ir::{Body, Func, Global, Init, Module, Param, RecordKind, SourceType, Ty, TypeId, ValueDef};
use rustc_hash::FxHashMap;

use crate::assumption::{Assumption, AssumptionId, Fixed};
use crate::interface::{ANY, Argument, Extent, Interface, LeafInfo, ObjectShape, Origin, Patch, Place};
use crate::marks::reads_addresses;
use crate::mentioned::{Mentioned, functions_by_address};
use crate::outside::Outside;
use crate::path::Path;
use crate::program::StringList;
use crate::shape::Shapes;
use crate::target::TargetList;
use crate::unsized_array::assumed_type;
use crate::usage::Usage;
use crate::written::{GlobalUse, uses_of_globals};
use crate::{Leaf, Object};

/// How many times larger arrays are still small if all indices into them are counted.
const COUNTED_FACTOR: usize = 16;

pub(crate) fn build(module: &Module, func: Func, shapes: &Shapes) -> Interface {
    built(module, func, shapes).interface
}

/// The interface, together with what it was made from.
pub(crate) fn built<'a>(module: &'a Module, func: Func, shapes: &'a Shapes) -> Builder<'a> {
    let function = &module.functions[func];
    let mut builder = Builder {
        module,
        shapes,
        interface: Interface {
            failing: shapes.deeper.failing(shapes.failing),
            deeper: shapes.deeper.clone(),
            failing_stated: shapes.failing_stated,
            ..Interface::closed(func)
        },
        usage: Usage::of(module, func),
        globals: uses_of_globals(module),
        leaves: FxHashMap::default(),
        lists: FxHashMap::default(),
        made: Vec::new(),
        named: functions_by_address(module),
        pending: Vec::new(),
        n_made: 0,
        stretched: BTreeSet::new(),
        reads_addresses: None,
    };
    for (n, param) in function.params.iter().enumerate() {
        let argument = builder.argument(n, param, function.returns_struct, function.ty);
        builder.interface.arguments.push(argument);
    }
    builder.globals(function.source_name == "main");
    builder.targets();
    builder.rely_on_numbers();
    builder
}

pub(crate) struct Builder<'a> {
    pub module: &'a Module,
    pub shapes: &'a Shapes,
    pub interface: Interface,
    pub usage: Usage,
    globals: IdVec<Global, GlobalUse>,
    /// Numbers by the way in which the code gets at them.
    pub leaves: FxHashMap<Path, Leaf>,
    /// The lists of strings.
    pub lists: FxHashMap<Object, StringList>,
    /// The objects that were made for pointers, by the way in which the code gets at these.
    pub made: Vec<(Path, Object)>,
    /// The functions whose addresses the program uses.
    pub named: BTreeSet<Func>,
    /// Pointers whose targets are to be made, breadth first.
    pub pending: Vec<Pointer>,
    /// How many of them have got their targets.
    n_made: usize,
    /// Objects with elements in front of where a pointer points, which may be parts of something else (`container_of`).
    pub stretched: BTreeSet<Object>,
    /// Whether the code looks at addresses as numbers, once somebody has asked.
    reads_addresses: Option<bool>,
}

/// A pointer without targets so far.
#[derive(Clone)]
pub(crate) struct Pointer {
    pub leaf: Leaf,
    /// The object in which it stands.
    pub home: Option<Object>,
    pub depth: u32,
    /// The declared number of elements: an array parameter, which promises that it points to something.
    pub elements: Option<u64>,
    pub path: Option<Path>,
    pub links: Option<Links>,
}

/// A linked structure, seen from one of its objects.
#[derive(Clone, Copy)]
pub(crate) struct Links {
    /// The type of its objects.
    pub ty: TypeId,
    /// How many more follow one after the other.
    pub left: u32,
    /// Whether they may point back.
    pub cyclic: bool,
    /// The pointer of which it was demanded.
    pub head: Leaf,
}

/// Where objects are on the way from the arguments.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    pub depth: u32,
    /// The address of the object, as the code gets at it.
    pub path: Option<Path>,
    pub links: Option<Links>,
}

/// An object to be made.
pub(crate) struct Plan {
    pub origin: Origin,
    pub name: String,
    pub element: TypeId,
    /// The most elements.
    pub count: u64,
    /// The elements that are inputs.
    pub free: u64,
    /// The elements in front of where the pointer points.
    pub before: u64,
    pub extent: Extent,
    /// The C expression for it, or for its elements.
    pub path: String,
}

/// A scalar on its way to becoming a leaf.
struct Scalar {
    name: String,
    source: TypeId,
    place: Place,
}

impl Builder<'_> {
    fn argument(&mut self, n: usize, param: &Param, returns_struct: bool, function: TypeId) -> Argument {
        let Some(source) = param.source else {
            return match n == 0 && returns_struct {
                true => self.result_place(function),
                false => Argument::NoVariadic,
            };
        };
        let name = param.name.clone().unwrap_or_else(|| format!("arg{}", n + 1));
        if scalar(self.module, source).is_none() {
            let plan = Plan::single(Origin::Provided, name, source);
            // What is passed by value has an address in the callee.
            let around = Surroundings { path: Some(Path::argument(n)), ..Surroundings::default() };
            return Argument::Copy(self.object(plan, &around));
        }
        let scalar = Scalar { name, source, place: Place::Argument(n) };
        let leaf = self.leaf(scalar, &Surroundings::default(), Some(Path::argument(n)), param.elements);
        Argument::Leaf(leaf)
    }

    fn result_place(&self, function: TypeId) -> Argument {
        let SourceType::Function { ret, .. } = self.module.types[function] else {
            unreachable!("a function has a function type")
        };
        let layout = layout(self.module, ret).expect("a returned struct is complete");
        Argument::ResultPlace { size: layout.size, align: layout.align }
    }

    /// The global state that the function uses, and also the functions to which pointers in there may point.
    /// The globals. Where the program starts, all that it defines itself holds what it says.
    fn globals(&mut self, at_start: bool) {
        // Code that is not understood, like that of other files, may write to what the rest leaves alone.
        let unseen = self.has_unseen_code();
        let mut seen = BTreeSet::new();
        loop {
            let mentioned = Mentioned::by_any(self.module, self.interface.functions()).globals;
            let new: Vec<Global> = mentioned.into_iter().filter(|&global| seen.insert(global)).collect();
            if new.is_empty() {
                return;
            }
            for global in new {
                let data = &self.module.globals[global];
                let Some(name) = data.source_name.clone() else { continue };
                // What the world outside keeps for itself.
                if self.module.files.get(data.span.file).is_some_and(|file| Outside::of_file(file).is_some())
                {
                    continue;
                }
                let external = data.init == Init::External;
                let changes = !data.constant && !at_start;
                if let Init::Device { .. } = data.init {
                    self.device(global, name);
                } else if is_library_object(data) {
                    if !is_stream(self.module, data) {
                        self.stays_as_it_is(global, &name, Fixed::Library);
                    }
                } else if data.constant && data.weak && !external {
                    self.stays_as_it_is(global, &name, Fixed::Weak);
                } else if external || data.weak || changes && self.may_differ(global, &name) {
                    self.global(global, name, external);
                } else if changes && (!data.local || unseen) && self.globals[global].seen {
                    self.stays_as_it_is(global, &name, Fixed::NeverWritten);
                }
            }
            self.targets();
        }
    }

    /// Whether the content of a global at the start is an input: functions change it, or goals need that others have.
    fn may_differ(&self, global: Global, name: &str) -> bool {
        self.globals[global].written || self.shapes.deeper.has_global(name)
    }

    /// What is read of a device as ordinary memory.
    fn device(&mut self, global: Global, name: String) {
        let Init::Device { address } = self.module.globals[global].init else { return };
        let block = address..address + self.module.globals[global].size;
        let is_named = |func: &Func| {
            let code = self.module.functions[*func].code();
            code.is_some_and(|code| {
                code.values.iter().any(|value| match value.def {
                    ValueDef::Const(bits) => value.ty == Ty::Ptr && block.contains(&bits),
                    _ => false,
                })
            })
        };
        let entered = Mentioned::by_any(self.module, self.interface.functions()).functions;
        let has_scalars = count_scalars(self.module, self.module.globals[global].ty) > 0;
        if has_scalars && entered.iter().any(is_named) {
            self.global(global, name, true);
        }
    }

    fn has_unseen_code(&self) -> bool {
        self.module.functions.iter().any(|one| matches!(one.body, Body::Unsupported(_)))
    }

    /// Whether no pointer of the caller can lead to an object.
    pub fn is_hidden(&self, object: Object) -> bool {
        match self.interface.objects[object].origin {
            Origin::Global(global) => {
                let is_static = self.module.globals[global].local;
                is_static && !self.globals[global].exposed && !self.has_unseen_code()
            }
            Origin::Provided => false,
        }
    }

    fn global(&mut self, global: Global, name: String, external: bool) {
        let data = &self.module.globals[global];
        // Nobody else can set a static variable of a function.
        if data.block_scope && !external {
            self.stays_as_it_is(global, &name, Fixed::Local);
            return;
        }
        let around = Surroundings { path: Some(Path::global(global)), ..Surroundings::default() };
        let assumed = assumed_type(self.module, global);
        let ty = assumed.map_or(data.ty, |(ty, _)| ty);
        let object = self.object(Plan::single(Origin::Global(global), name.clone(), ty), &around);
        self.interface.objects[object].size = data.size;
        let unknown = match assumed {
            Some((_, elements)) => {
                Some(format!("`{name}`, whose length is unknown, has {elements} elements"))
            }
            None if layout(self.module, ty).is_none() => {
                Some(format!("`{name}`, whose type is not complete, has no content"))
            }
            None => None,
        };
        if let Some(text) = unknown {
            let id = self.interface.assume(Assumption::World(text));
            self.interface.rests_on.sizes.insert(object, id);
        }
    }

    /// A global is no input.
    fn stays_as_it_is(&mut self, global: Global, name: &str, why: Fixed) {
        let id = self.interface.assume(Assumption::Fixed { part: name.to_string(), why });
        self.interface.rests_on.globals.insert(global, id);
    }

    /// A new object.
    pub fn object(&mut self, plan: Plan, around: &Surroundings) -> Object {
        let room = layout(self.module, plan.element).unwrap_or(quipu_interp::Layout { size: 1, align: 1 });
        let Plan { origin, name, element, count, free, before, extent, path } = plan;
        let size = room.size * count;
        let shape = ObjectShape {
            origin,
            name,
            element,
            count,
            size,
            align: room.align,
            extent,
            leaves: Vec::new(),
            indices: Vec::new(),
        };
        let object = self.interface.objects.push(shape);
        if free == count && self.is_large(element, count, around) {
            self.patches(Part::of(object), element, count, &path, around);
            return object;
        }
        for n in 0..free.min(count) {
            let path = match count {
                1 => path.clone(),
                _ => format!("{path}[{}]", n.cast_signed() - before.cast_signed()),
            };
            self.parts(Part { start: n * room.size, ..Part::of(object) }, element, &path, around);
        }
        object
    }

    /// The scalars of a part of an object.
    fn parts(&mut self, part: Part, ty: TypeId, path: &str, around: &Surroundings) {
        if scalar(self.module, ty).is_some() {
            return self.part(part, None, Named { name: path.to_string(), source: ty }, around);
        }
        match self.module.types[resolve(self.module, ty)].clone() {
            SourceType::Array { element, len: Some(len) } => {
                let Some(room) = layout(self.module, element) else { return };
                if self.is_large(element, len, around) {
                    return self.patches(part, element, len, path, around);
                }
                for n in 0..len {
                    self.parts(part.moved(n * room.size), element, &index(path, n), around);
                }
            }
            SourceType::Record { kind, fields, .. } => {
                let fields = fields.iter().filter(|field| field.name.is_some() || field.bits.is_none());
                let most = if kind == RecordKind::Union { 1 } else { usize::MAX };
                let first = self.interface.leaves.len();
                let is_chosen = fields.clone().count() > most;
                for field in fields.take(most) {
                    let path = field.name.as_ref().map_or(path.to_string(), |name| member(path, name));
                    let at = part.moved(field.offset);
                    match field.bits {
                        None => self.parts(at, field.ty, &path, around),
                        // The elements of large arrays are patched byte by byte.
                        Some(_) if part.patch.is_some() => {}
                        bits => self.part(at, bits, Named { name: path, source: field.ty }, around),
                    }
                }
                if is_chosen {
                    self.holds_first_member(part.object, first);
                }
            }
            SourceType::Unsupported(spelling) => self.stays(part, path, &spelling),
            _ => {}
        }
    }

    /// A union of which only the first member is an input, the scalars of which are those from number `first` on.
    fn holds_first_member(&mut self, object: Object, first: usize) {
        let id = self.holds(object, Assumption::FirstMembers);
        let pointers = self.interface.leaves.entries().skip(first).filter(|(_, leaf)| leaf.targets.is_some());
        let pointers: Vec<Leaf> = pointers.map(|(leaf, _)| leaf).collect();
        pointers.into_iter().for_each(|leaf| self.may_point_elsewhere(leaf, id));
    }

    /// A pointer has other values where an assumption does not hold.
    pub fn may_point_elsewhere(&mut self, leaf: Leaf, id: AssumptionId) {
        let known = self.interface.rests_on.pointers.entry(leaf).or_default();
        if !known.contains(&id) {
            known.push(id);
        }
    }

    pub fn is_stretched(&self, home: Option<Object>) -> bool {
        home.is_some_and(|home| self.stretched.contains(&home))
    }

    pub fn reads_addresses(&mut self) -> bool {
        *self.reads_addresses.get_or_insert_with(|| reads_addresses(self.module, &self.interface))
    }

    /// What has a type without a representation is no input.
    fn stays(&mut self, part: Part, path: &str, spelling: &str) {
        let global = matches!(self.interface.objects[part.object].origin, Origin::Global(_));
        let why = Fixed::Unsupported { spelling: spelling.to_string(), global };
        self.holds(part.object, Assumption::Fixed { part: path.to_string(), why });
    }

    /// Whether an array is too large for each of its scalars to be an input. Much more of them can be where the code
    /// always knows which one it uses.
    fn is_large(&self, element: TypeId, count: u64, around: &Surroundings) -> bool {
        let each = count_scalars(self.module, element);
        let all = each.saturating_mul(usize::try_from(count).unwrap_or(usize::MAX));
        let counted = around.path.as_ref().is_some_and(|path| self.usage.is_counted(path));
        let most =
            if counted { COUNTED_FACTOR * self.shapes.largest_array } else { self.shapes.largest_array };
        count > 1 && all > most
    }

    /// A large array: some of its elements are inputs, whichever they are.
    fn patches(&mut self, part: Part, element: TypeId, count: u64, path: &str, around: &Surroundings) {
        if part.patch.is_some() {
            let deep = Assumption::Fixed { part: path.to_string(), why: Fixed::Deep };
            self.holds(part.object, deep);
            return;
        }
        let (element, count, path) = self.flat(element, count, path.to_string());
        let Some(room) = layout(self.module, element).filter(|room| room.size > 0) else { return };
        let each = count_scalars(self.module, element).max(1);
        let most = (self.shapes.patches / each).max(1);
        let mut indices = Vec::new();
        for _ in 0..most {
            let index = self.index_leaf(part.object, &path, count);
            indices.push(index);
            let patch = Some(Patch { index, step: room.size });
            self.parts(Part { patch, ..part }, element, &format!("{path}{ANY}"), around);
        }
        self.interface.objects[part.object].indices.push(indices);
        let global = matches!(self.interface.objects[part.object].origin, Origin::Global(_));
        self.holds(part.object, Assumption::Patches { array: path, most: most as u64, count, global });
    }

    /// An array of arrays as one array of what is in there.
    fn flat(&self, element: TypeId, count: u64, path: String) -> (TypeId, u64, String) {
        match self.module.types[resolve(self.module, element)] {
            SourceType::Array { element: inner, len: Some(len) } => {
                self.flat(inner, count.saturating_mul(len), index(&path, 0))
            }
            _ => (element, count, path),
        }
    }

    /// The number of an element.
    fn index_leaf(&mut self, object: Object, path: &str, count: u64) -> Leaf {
        let ty = self.module.data_model.address_ty();
        let source = self.interface.objects[object].element;
        self.interface.leaves.push(LeafInfo {
            name: format!("a place in {path}"),
            ty,
            source,
            signed: false,
            place: Place::Index(object),
            targets: None,
            range: Some((0, count - 1)),
        })
    }

    /// Takes something for granted about what an object holds where none of its scalars is an input.
    pub fn holds(&mut self, object: Object, assumption: Assumption) -> AssumptionId {
        let id = self.interface.assume(assumption);
        let known = self.interface.rests_on.contents.entry(object).or_default();
        if !known.contains(&id) {
            known.push(id);
        }
        id
    }

    fn part(&mut self, part: Part, bits: Option<(u32, u32)>, named: Named, around: &Surroundings) {
        let Part { object, patch, .. } = part;
        let place = Place::Memory { object, offset: part.start + part.offset, bits, patch };
        let Named { name, source } = named;
        let path = around.path.as_ref().map(|address| address.at(part.offset));
        let leaf = self.leaf(Scalar { name, source, place }, around, path, None);
        self.interface.objects[part.object].leaves.push(leaf);
    }

    fn leaf(
        &mut self,
        part: Scalar,
        around: &Surroundings,
        path: Option<Path>,
        elements: Option<u64>,
    ) -> Leaf {
        let declared = scalar(self.module, part.source).expect("a leaf is a scalar");
        let ty = match part.place {
            Place::Memory { bits: Some((_, width)), .. } => Ty::int(width),
            _ => declared,
        };
        let info = LeafInfo {
            name: part.name,
            ty,
            source: part.source,
            signed: is_signed(self.module, part.source),
            place: part.place,
            targets: (ty == Ty::Ptr).then(TargetList::default),
            range: None,
        };
        let home = info.object();
        let leaf = self.interface.leaves.push(info);
        if ty == Ty::Ptr {
            let (depth, links) = (around.depth, around.links);
            self.pending.push(Pointer { leaf, home, depth, elements, path, links });
        } else if let Some(path) = path.filter(|_| matches!(ty, Ty::Int(_))) {
            self.leaves.entry(path).or_insert(leaf);
        }
        leaf
    }

    /// Makes what pointers point to, and what the pointers in there point to.
    fn targets(&mut self) {
        while self.n_made < self.pending.len() {
            let pointer = self.pending[self.n_made].clone();
            self.target(&pointer);
            self.n_made += 1;
        }
    }
}

impl Plan {
    /// One object of a type.
    pub fn single(origin: Origin, name: String, ty: TypeId) -> Plan {
        let path = name.clone();
        Plan { origin, name, element: ty, count: 1, free: 1, before: 0, extent: Extent::Whole, path }
    }
}

/// A place in an object: where an element starts, and how far behind that.
#[derive(Clone, Copy)]
struct Part {
    object: Object,
    start: u64,
    offset: u64,
    patch: Option<Patch>,
}

impl Part {
    fn of(object: Object) -> Part {
        Part { object, start: 0, offset: 0, patch: None }
    }

    fn moved(self, by: u64) -> Part {
        Part { offset: self.offset + by, ..self }
    }
}

/// A scalar with its name.
struct Named {
    name: String,
    source: TypeId,
}

/// The expression for what a pointer points to; members of it are written with an arrow.
pub(crate) fn pointed(name: &str) -> String {
    format!("(*{name})")
}

pub(crate) fn member(path: &str, name: &str) -> String {
    match path.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{path}.{name}"),
    }
}

pub(crate) fn index(path: &str, n: u64) -> String {
    format!("{path}[{n}]")
}

fn is_signed(module: &Module, ty: TypeId) -> bool {
    matches!(
        module.types[resolve(module, ty)],
        SourceType::Int { signed: true, .. } | SourceType::Enum { signed: true, .. }
    )
}

/// The number of scalars in an object of a type.
fn count_scalars(module: &Module, ty: TypeId) -> usize {
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, len } => count_scalars(module, *element)
            .saturating_mul(usize::try_from(len.unwrap_or(0)).unwrap_or(usize::MAX)),
        SourceType::Record { fields, .. } => {
            fields.iter().fold(0, |sum, field| count_scalars(module, field.ty).saturating_add(sum))
        }
        _ => 1,
    }
}
