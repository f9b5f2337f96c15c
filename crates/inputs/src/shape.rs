//! How the inputs of a function are found: parameters, what pointers point to, and global state.

use std::collections::BTreeSet;

use quipu_base::IdVec;
use quipu_interp::{is_library_object, is_stream, layout, resolve, scalar};
use quipu_ir::{Body, Func, Global, Init, Module, Param, RecordKind, SourceType, Ty, TypeId};
use rustc_hash::FxHashMap;

use crate::interface::{Argument, Interface, LeafInfo, ObjectShape, Origin, Place, Target};
use crate::mentioned::Mentioned;
use crate::written::written_globals;
use crate::{Leaf, Object};

/// The limits of the shapes that pointers get.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// The elements behind a pointer whose declaration does not tell.
    pub elements: u64,
    /// The elements behind the pointers with these names.
    pub lengths: FxHashMap<String, u64>,
    /// How many pointers one after the other lead to objects; the next one is null.
    pub depth: u32,
    /// Whether pointers may be null.
    pub null: bool,
    /// A global object with more scalars keeps its initial content.
    pub largest_global: usize,
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes { elements: 8, lengths: FxHashMap::default(), depth: 3, null: true, largest_global: 256 }
    }
}

/// Objects beyond this many are not made: deeper pointers are null.
const MOST_OBJECTS: usize = 64;

pub(crate) fn build(module: &Module, func: Func, shapes: &Shapes) -> Interface {
    let function = &module.functions[func];
    let mut builder = Builder {
        module,
        shapes,
        interface: Interface {
            func,
            arguments: Vec::new(),
            objects: IdVec::new(),
            leaves: IdVec::new(),
            assumptions: Vec::new(),
        },
        pending: Vec::new(),
        n_made: 0,
    };
    for (n, param) in function.params.iter().enumerate() {
        let argument = builder.argument(n, param, function.returns_struct, function.ty);
        builder.interface.arguments.push(argument);
    }
    if function.source_name != "main" {
        builder.globals();
    }
    builder.targets();
    builder.interface
}

struct Builder<'a> {
    module: &'a Module,
    shapes: &'a Shapes,
    interface: Interface,
    /// Pointers whose targets are to be made, breadth first.
    pending: Vec<Pointer>,
    /// How many of them have got their targets.
    n_made: usize,
}

/// A pointer without targets so far.
struct Pointer {
    leaf: Leaf,
    depth: u32,
    /// The declared number of elements.
    elements: Option<u64>,
    /// Whether the declaration promises that it points to something (an array parameter).
    array: bool,
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
            let object = self.object(Origin::Provided, name.clone(), source, 1, &name, 0);
            return Argument::Copy(object);
        }
        let scalar = Scalar { name, source, place: Place::Argument(n) };
        let leaf = self.leaf(scalar, 0, param.elements);
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
    fn globals(&mut self) {
        let written = written_globals(self.module);
        // Code that is not understood, like that of other files, may write to what the rest leaves alone.
        let unseen = self.module.functions.iter().any(|one| matches!(one.body, Body::Unsupported(_)));
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
                let external = data.init == Init::External;
                if is_library_object(data) {
                    if !is_stream(self.module, data) {
                        self.interface.assumptions.push(format!("`{name}` of the C library is zero"));
                    }
                } else if data.constant && external {
                    self.interface.assumptions.push(format!("`{name}`, which has no definition, is zero"));
                } else if !data.constant && (external || written[global]) {
                    self.global(global, name, external);
                } else if !data.constant && (!data.local || unseen) {
                    self.keeps_initial_content(&name);
                }
            }
            self.targets();
        }
    }

    fn global(&mut self, global: Global, name: String, external: bool) {
        let data = &self.module.globals[global];
        let too_large = count_scalars(self.module, data.ty) > self.shapes.largest_global;
        // Nobody else can set a static variable of a function.
        if (too_large || data.block_scope) && !external {
            self.keeps_initial_content(&name);
            return;
        }
        let object = self.object(Origin::Global(global), name.clone(), data.ty, 1, &name, 0);
        self.interface.objects[object].size = data.size;
    }

    fn keeps_initial_content(&mut self, name: &str) {
        self.interface.assumptions.push(format!("`{name}` has its initial content at the start"));
    }

    /// A new object of `count` elements; `path` is the C expression for it.
    fn object(
        &mut self,
        origin: Origin,
        name: String,
        element: TypeId,
        count: u64,
        path: &str,
        depth: u32,
    ) -> Object {
        let room = layout(self.module, element).unwrap_or(quipu_interp::Layout { size: 1, align: 1 });
        let shape = ObjectShape {
            origin,
            name,
            element,
            count,
            size: room.size * count,
            align: room.align,
            leaves: Vec::new(),
        };
        let object = self.interface.objects.push(shape);
        match count {
            1 => self.parts(object, 0, element, path, depth),
            _ => (0..count).for_each(|n| {
                self.parts(object, n * room.size, element, &index(path, n), depth);
            }),
        }
        object
    }

    /// The scalars of a part of an object.
    fn parts(&mut self, object: Object, offset: u64, ty: TypeId, path: &str, depth: u32) {
        let place = Place::Memory { object, offset, bits: None };
        if scalar(self.module, ty).is_some() {
            return self.part(object, Scalar { name: path.to_string(), source: ty, place }, depth);
        }
        match self.module.types[resolve(self.module, ty)].clone() {
            SourceType::Array { element, len: Some(len) } => {
                let Some(room) = layout(self.module, element) else { return };
                for n in 0..len {
                    self.parts(object, offset + n * room.size, element, &index(path, n), depth);
                }
            }
            SourceType::Record { kind, fields, .. } => {
                let fields = fields.iter().filter(|field| field.name.is_some() || field.bits.is_none());
                let most = if kind == RecordKind::Union { 1 } else { usize::MAX };
                for field in fields.take(most) {
                    let path = field.name.as_ref().map_or(path.to_string(), |name| member(path, name));
                    let at = offset + field.offset;
                    match field.bits {
                        None => self.parts(object, at, field.ty, &path, depth),
                        Some(bits) => {
                            let place = Place::Memory { object, offset: at, bits: Some(bits) };
                            self.part(object, Scalar { name: path, source: field.ty, place }, depth);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, object: Object, scalar: Scalar, depth: u32) {
        let leaf = self.leaf(scalar, depth, None);
        self.interface.objects[object].leaves.push(leaf);
    }

    fn leaf(&mut self, part: Scalar, depth: u32, elements: Option<u64>) -> Leaf {
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
            targets: (ty == Ty::Ptr).then(Vec::new),
            range: None,
        };
        let leaf = self.interface.leaves.push(info);
        if ty == Ty::Ptr {
            self.pending.push(Pointer { leaf, depth, elements, array: elements.is_some() });
        }
        leaf
    }

    /// Makes what pointers point to, and what the pointers in there point to.
    fn targets(&mut self) {
        while self.n_made < self.pending.len() {
            self.target(self.n_made);
            self.n_made += 1;
        }
    }

    fn target(&mut self, n: usize) {
        let Pointer { leaf, depth, elements, array } = self.pending[n];
        let info = &self.interface.leaves[leaf];
        let name = info.name.clone();
        let SourceType::Pointer { to } = self.module.types[resolve(self.module, info.source)] else {
            unreachable!("a pointer has a pointer type")
        };
        let made = match self.module.types[resolve(self.module, to)] {
            SourceType::Function { .. } => self.functions_of(to),
            _ if depth >= self.shapes.depth || self.interface.objects.len() >= MOST_OBJECTS => {
                self.interface.assumptions.push(format!("`{name}` is null"));
                Vec::new()
            }
            _ => self.pointee(&name, to, elements, depth).into_iter().collect(),
        };
        let some = !made.is_empty();
        self.interface.leaves[leaf].targets = Some(made);
        if some && (array || !self.shapes.null) {
            let most = self.interface.leaves[leaf].limits().1;
            self.interface.leaves[leaf].range = Some((1, most));
        }
    }

    /// The functions that a pointer of this type may point to.
    fn functions_of(&self, ty: TypeId) -> Vec<Target> {
        let functions = self.module.functions.entries();
        let same = functions.filter(|(func, function)| {
            *func != self.interface.func
                && function.code().is_some()
                && resolve(self.module, function.ty) == resolve(self.module, ty)
        });
        same.map(|(func, _)| Target::Function(func)).take(8).collect()
    }

    fn pointee(&mut self, name: &str, to: TypeId, elements: Option<u64>, depth: u32) -> Option<Target> {
        let room = layout(self.module, to).filter(|room| room.size > 0);
        let wanted = self.shapes.lengths.get(name).copied().or(elements);
        let is_record = matches!(self.module.types[resolve(self.module, to)], SourceType::Record { .. });
        let count = wanted.unwrap_or(if is_record || depth > 0 && room.is_some_and(|r| r.size > 1) {
            1
        } else {
            self.shapes.elements
        });
        if is_stream_type(self.module, to) {
            self.interface.assumptions.push(format!("`{name}` is null: its target belongs to the C library"));
            return None;
        }
        if room.is_none() {
            self.interface.assumptions.push(format!("`{name}` is null: its target has no known size"));
            return None;
        }
        let path = format!("*{name}");
        let element_path = if count == 1 { pointed(name) } else { name.to_string() };
        let object = self.object(Origin::Provided, path, to, count, &element_path, depth + 1);
        if wanted.is_none() {
            let plural = if count == 1 { "element" } else { "elements" };
            let null = if self.shapes.null { ", or is null" } else { "" };
            self.interface.assumptions.push(format!("`{name}` points to {count} {plural}{null}"));
        }
        Some(Target::Object(object))
    }
}

/// Whether a type is what `FILE` stands for: only the library can make one.
fn is_stream_type(module: &Module, ty: TypeId) -> bool {
    match &module.types[resolve(module, ty)] {
        SourceType::Record { tag: Some(tag), .. } => matches!(tag.as_str(), "_IO_FILE" | "__sFILE" | "FILE"),
        _ => false,
    }
}

/// The expression for what a pointer points to; members of it are written with an arrow.
fn pointed(name: &str) -> String {
    format!("(*{name})")
}

fn member(path: &str, name: &str) -> String {
    match path.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) => format!("{pointer}->{name}"),
        None => format!("{path}.{name}"),
    }
}

fn index(path: &str, n: u64) -> String {
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
