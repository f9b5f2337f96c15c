//! Places in objects that other inputs are, too: objects as they are, and arrays that are global, or stand in the struct
//! in which a pointer stands.
//!
//! A pointer into an array may point anywhere in it; how much of that is given to it depends on what the code can tell.

use quipu_interp::{layout, resolve, scalar};
use quipu_ir::{RecordKind, SourceType, TypeId};

use crate::Object;
use crate::build::{Builder, index, member, pointed};
use crate::interface::Origin;
use crate::path::Path;
use crate::pointee::{Pointee, Targets};
use crate::target::{Row, Target};

/// So many arrays of an object are looked at.
const MOST_ARRAYS: usize = 12;
/// Larger arrays are pointed to at their start only: all places together must fit into one choice.
const MOST_BYTES: u64 = 1 << 24;

/// Where in an object a pointer may point: to the object itself, or into an array.
pub(crate) struct Area {
    object: Object,
    /// The C expression for it.
    name: String,
    start: u64,
    /// The size of an element.
    step: u64,
    /// The elements of an array.
    count: Option<u64>,
}

/// To what in an array a pointer may point.
enum Reach {
    Start,
    /// Any element, if so many follow, this one included.
    Elements {
        following: u64,
    },
    /// Any element, or just behind the last.
    End,
}

impl Builder<'_> {
    /// Where in an object a pointer may point.
    pub fn areas(&self, object: Object, pointee: &Pointee<'_>) -> Vec<Area> {
        let shape = &self.interface.objects[object];
        let is_global = matches!(shape.origin, Origin::Global(_));
        let around = Around { builder: self, to: pointee.to, object };
        let mut areas = Vec::new();
        if self.same(shape.element, pointee.to) {
            let (name, step) = (shape.name.clone(), 0);
            areas.push(Area { object, name, start: 0, step, count: None });
        } else if is_global {
            around.arrays(shape.element, 0, &shape.name, &mut areas);
        } else if pointee.pointer.home == Some(object) && shape.count == 1 {
            let pointer = shape.name.strip_prefix('*').unwrap_or(&shape.name);
            around.arrays(shape.element, 0, &pointed(pointer), &mut areas);
        }
        areas
    }

    /// The places of global objects with a name, or of an array in one of them.
    pub fn areas_named(&self, name: &str, pointee: &Pointee<'_>) -> Vec<Area> {
        let areas = self.interface.objects.ids().flat_map(|object| self.areas(object, pointee));
        let is_meant = |area: &Area| {
            let shape = &self.interface.objects[area.object];
            let is_object = matches!(shape.origin, Origin::Global(_)) && shape.name == name;
            is_object || area.count.is_some() && area.name == name
        };
        areas.filter(is_meant).collect()
    }

    /// Lets a pointer point to objects and into arrays. `complete` tells whether these are all that there are.
    pub fn point_into(&self, areas: &[Area], complete: bool, pointee: &Pointee<'_>, targets: &mut Targets) {
        let objects: Vec<&Area> = areas.iter().filter(|area| area.count.is_none()).collect();
        let names: Vec<String> = objects.iter().map(|area| format!("`{}`", area.name)).collect();
        match &names[..] {
            [] => {}
            [_] | [_, _] => targets.words.push(format!("points to {}", names.join(" or "))),
            _ if complete => targets.words.push("points to an earlier object of its type".to_string()),
            _ => targets.words.push(format!("points to one of {} earlier objects of its type", names.len())),
        }
        for area in areas {
            let row = match area.count {
                None => Row::one(Target::Object(area.object, area.start)),
                Some(count) => {
                    let reach = self.reach(area, count, pointee);
                    targets.words.push(reach.told(&area.name));
                    area.row(count, &reach)
                }
            };
            targets.made.push(row);
        }
    }

    /// How far into an array a pointer may point. The code decides: where it cannot tell the elements apart, the start
    /// is as good as any.
    fn reach(&self, area: &Area, count: u64, pointee: &Pointee<'_>) -> Reach {
        let Area { object, start, step, .. } = *area;
        if !(1..=MOST_BYTES).contains(&count.saturating_mul(step)) {
            return Reach::Start;
        }
        // An array parameter promises that so many elements follow.
        if let Some(following) = pointee.pointer.elements {
            return if following.max(1) <= count { Reach::Elements { following } } else { Reach::Start };
        }
        let placed = pointee.pointer.path.as_ref().is_none_or(|path| self.usage.is_placed(path, step));
        let other_elements = match self.interface.objects[object].origin {
            Origin::Global(global) => {
                let array = Path::global(global);
                let used = self.usage.span(&array);
                self.usage.is_walked(&array) || used.to.unsigned_abs() > start.saturating_add(step)
            }
            Origin::Provided => true,
        };
        match (placed, other_elements) {
            (true, _) => Reach::End,
            (false, true) => Reach::Elements { following: 1 },
            (false, false) => Reach::Start,
        }
    }
}

impl Area {
    /// What a demand calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_array(&self) -> bool {
        self.count.is_some()
    }

    pub fn starts_at(&self, target: Target) -> bool {
        target == Target::Object(self.object, self.start)
    }

    fn row(&self, count: u64, reach: &Reach) -> Row {
        let first = Target::Object(self.object, self.start);
        match reach {
            Reach::Start => Row::one(first),
            Reach::Elements { following } => {
                Row { first, step: self.step, count: count + 1 - (*following).max(1) }
            }
            Reach::End => Row { first, step: self.step, count: count + 1 },
        }
    }
}

impl Reach {
    fn told(&self, array: &str) -> String {
        match self {
            Reach::Start => format!("points to the start of `{array}`"),
            Reach::Elements { following: 0 | 1 } => format!("points to any element of `{array}`"),
            Reach::Elements { following } => {
                format!("points to any element of `{array}` with {} behind it", following - 1)
            }
            Reach::End => format!("points to any element of `{array}` or just behind the last"),
        }
    }
}

/// What arrays are looked for.
struct Around<'b> {
    builder: &'b Builder<'b>,
    to: TypeId,
    object: Object,
}

impl Around<'_> {
    /// The arrays in a part of the object. Arrays of arrays are one array.
    fn arrays(&self, ty: TypeId, start: u64, name: &str, found: &mut Vec<Area>) {
        let module = self.builder.module;
        if scalar(module, ty).is_some() || found.len() >= MOST_ARRAYS {
            return;
        }
        match &module.types[resolve(module, ty)] {
            SourceType::Array { .. } => self.array(ty, start, name, found),
            SourceType::Record { kind, fields, .. } => {
                // Unions hold their first members.
                let most = if *kind == RecordKind::Union { 1 } else { usize::MAX };
                for field in fields.iter().filter(|field| field.bits.is_none()).take(most) {
                    let name = field.name.as_ref().map_or(name.to_string(), |own| member(name, own));
                    self.arrays(field.ty, start + field.offset, &name, found);
                }
            }
            _ => {}
        }
    }

    fn array(&self, array: TypeId, start: u64, name: &str, found: &mut Vec<Area>) {
        let builder = self.builder;
        let (mut element, mut count) = (array, 1u64);
        while let SourceType::Array { element: inner, len } =
            builder.module.types[resolve(builder.module, element)]
        {
            element = inner;
            count = count.saturating_mul(len.unwrap_or(0));
            if builder.same(element, self.to) {
                let step = layout(builder.module, element).map_or(0, |room| room.size);
                let (object, name) = (self.object, name.to_string());
                return found.push(Area { object, name, start, step, count: Some(count) });
            }
        }
        let step = layout(builder.module, element).map_or(0, |room| room.size);
        // Structs in an array, each perhaps with arrays of its own.
        for n in (0..count).take_while(|_| builder.is_record(element)) {
            let before = found.len();
            self.arrays(element, start + n * step, &index(name, n), found);
            if found.len() == before || found.len() >= MOST_ARRAYS {
                return;
            }
        }
    }
}
