//! What pointers point to: objects of their own, or those of other pointers.

use quipu_interp::{layout, resolve};
use quipu_ir::{Module, SourceType, TypeId};

use crate::assumption::{Assumption, AssumptionId, Fixed, Maker};
use crate::build::{Builder, Links, Plan, Pointer, Surroundings, pointed};
use crate::interface::{Argument, Extent, Origin, RefusedShape};
use crate::opaque::shown_type;
use crate::path::Path;
use crate::places::Area;
use crate::shape::{Choice, Length, MOST_ELEMENTS, Shape};
use crate::target::{Row, Target, TargetList};
use crate::{Leaf, Object};

/// Objects beyond this many are not made for a demand, which is then refused.
const MOST_LINKED: usize = 1 << 12;
/// Objects beyond this many are not made: deeper pointers are null.
const MOST_OBJECTS: usize = 64;
/// A pointer may point to so many objects of other pointers.
const MOST_ALIASES: usize = 12;
/// Pointers point to any place of an object with at most so many elements.
const MOST_INSIDE: u64 = 64;
/// No array whose length is an input takes more bytes.
const MOST_BYTES: u64 = 1 << 20;
/// An array has at most so many elements for each unit of its length.
const MOST_FACTOR: u64 = 64;
/// A shape that is proposed where this one is too small is so many times larger.
pub(crate) const WIDER: u64 = 4;
/// The scalars of all objects together.
const MOST_LEAVES: usize = 1 << 14;

/// What a pointer may point to, and how that is told.
#[derive(Default)]
pub(crate) struct Targets {
    pub made: Vec<Row>,
    pub words: Vec<String>,
    /// The objects that are made for it.
    pub own: Vec<Object>,
    /// Whether it may point to anything of the right size that nothing else points to, or is a function that may do
    /// anything of its type.
    pub anything: bool,
    /// Whether all this was stated by the user.
    pub stated: bool,
    /// What the words are about if that is not the pointer alone.
    pub about: Option<String>,
    /// A shape that allows more.
    pub wider: Option<String>,
    pub null: bool,
    /// Why it can be nothing but null.
    pub only_null: Option<&'static str>,
}

/// What the code tells about the object behind a pointer.
#[derive(Default)]
struct Hints {
    /// Whether the code relies on the pointer, and uses no more of the object than can be told.
    exact: bool,
    /// The numbers whose product is the length, and by what that is multiplied.
    length: Option<(Vec<Leaf>, u64)>,
    /// Whether it is read up to a zero byte.
    text: bool,
    /// Whether elements are computed.
    walked: bool,
    /// Whether it may matter that there are several of them.
    apart: bool,
    /// The elements that are used at least.
    needed: u64,
    /// The elements in front of where the pointer points that are used.
    before: u64,
    /// Whether the pointer may point into the middle of the object, or others do.
    within: bool,
}

/// The type behind a pointer.
pub(crate) struct Pointee<'p> {
    pub pointer: &'p Pointer,
    pub name: String,
    pub to: TypeId,
}

impl Builder<'_> {
    /// Makes what a pointer points to.
    pub fn target(&mut self, pointer: &Pointer) {
        let pointee = self.pointee(pointer);
        let demand = self.shapes.named.get(&pointee.name).cloned();
        let targets = match (demand, self.given(pointer)) {
            (Some(shape), _) => self.demanded(&pointee, &shape),
            (None, Some(given)) => return self.give_strings(&pointee, given),
            (None, None) => match self.listed_string(&pointee) {
                Some(string) => string,
                None => self.usual(&pointee),
            },
        };
        self.settle(&pointee, targets);
    }

    pub fn pointee<'p>(&self, pointer: &'p Pointer) -> Pointee<'p> {
        let info = &self.interface.leaves[pointer.leaf];
        let SourceType::Pointer { to } = self.module.types[resolve(self.module, info.source)] else {
            unreachable!("a pointer has a pointer type")
        };
        Pointee { pointer, name: info.name.clone(), to: shown_type(self.module, to) }
    }

    /// Writes down what a pointer may point to, and tells the assumption that it does.
    pub fn settle(&mut self, pointee: &Pointee<'_>, targets: Targets) -> AssumptionId {
        let reliance = self.reliance(pointee, &targets);
        let Targets { made, mut words, own, anything, stated, about, wider, mut null, only_null } = targets;
        let made: TargetList = made.into_iter().collect();
        let leaf = &mut self.interface.leaves[pointee.pointer.leaf];
        let (some, most) = (!made.is_empty(), made.len());
        leaf.targets = Some(made);
        null &= reliance.is_none();
        if some && !null {
            leaf.range = Some((1, most));
        }
        if let Some(why) = only_null {
            self.interface.only_null.push((pointee.pointer.leaf, why));
            words.push(format!("is null: {why}"));
        } else if (null || !some) && about.is_none() {
            words.push("is null".to_string());
        }
        let maker = if stated { Maker::User } else { Maker::Shape };
        let wider = wider.filter(|_| !stated);
        let pointer = about.unwrap_or_else(|| pointee.name.clone());
        let words = words.join(", or ");
        let id = match reliance {
            Some(reliance) => self.rely(pointee.pointer.leaf, reliance, &words),
            None => None,
        };
        let id =
            id.unwrap_or_else(|| self.interface.assume(Assumption::Points { pointer, words, wider, maker }));
        if stated {
            return id;
        }
        let pointer = &pointee.pointer;
        if !anything || self.reads_addresses() || self.is_stretched(pointer.home) {
            self.may_point_elsewhere(pointer.leaf, id);
        }
        for object in own {
            self.interface.rests_on.sizes.insert(object, id);
            if matches!(self.interface.objects[object].extent, Extent::Terminated | Extent::Listed { .. }) {
                self.interface.rests_on.contents.entry(object).or_default().push(id);
            }
        }
        id
    }

    /// What a pointer is without any demand.
    fn usual(&mut self, pointee: &Pointee<'_>) -> Targets {
        let null = self.shapes.null && pointee.pointer.elements.is_none();
        let mut targets = Targets { null, ..Targets::default() };
        if is_function(self.module, pointee.to) {
            self.usual_functions(pointee, &mut targets);
            return targets;
        }
        self.usual_object(pointee, &mut targets);
        targets
    }

    /// An object of its own, or one that another pointer points to.
    fn usual_object(&mut self, pointee: &Pointee<'_>, targets: &mut Targets) {
        let pointer = pointee.pointer;
        let earlier = self.interface.objects.ids().collect();
        let links = pointer.links.filter(|links| self.same(links.ty, pointee.to));
        let aliases = links.map_or(self.shapes.alias, |links| links.cyclic);
        if let Err(why) = self.can_point(pointee.to) {
            targets.only_null = Some(why);
            return;
        }
        // Links are there because a list of some length was demanded.
        targets.stated |= links.is_some();
        if links.is_none() {
            targets.wider = self.longer_list(pointee);
        }
        let fresh = match links {
            Some(links) => links.left > 0,
            None => pointer.depth < self.most_depth(pointee) || self.shapes.deeper.has_object(&pointee.name),
        };
        if !fresh {
            targets.wider.get_or_insert_with(|| format!("{}=object", pointee.name));
        }
        if let Some(object) = self.inside(pointee) {
            self.places_in(object, targets);
            if aliases {
                self.aliases(pointee, earlier, targets, Area::is_array);
            }
            return;
        }
        let most = if links.is_some() { MOST_LINKED } else { MOST_OBJECTS };
        let is_room = self.interface.objects.len() < most && self.interface.leaves.len() < MOST_LEAVES;
        if let Some(links) = links.filter(|_| fresh && !is_room) {
            self.refuse_links(links);
        }
        if fresh && is_room {
            let links = links.map(|links| Links { left: links.left - 1, ..links });
            self.fresh(pointee, links, targets);
        }
        if aliases {
            self.aliases(pointee, earlier, targets, |_| true);
        }
        self.devices_for(pointee, targets);
        if let Some(count) = pointer.elements {
            targets.words.insert(0, format!("points to {count} elements, as declared"));
        }
    }

    /// The devices with which the program compares the pointer: who asks whether it leads to one expects that.
    fn devices_for(&self, pointee: &Pointee<'_>, targets: &mut Targets) {
        let Some(path) = &pointee.pointer.path else { return };
        let module = self.module;
        let is_device =
            |address: &u64| module.devices().any(|(_, start, size)| (start..start + size).contains(address));
        for address in self.usage.addresses(path).filter(is_device).take(MOST_ALIASES) {
            targets.made.push(Row::one(Target::Device(address)));
            targets.words.push(format!("is {address:#x}"));
        }
    }

    /// An object of its own, of the size that declaration and code suggest.
    fn fresh(&mut self, pointee: &Pointee<'_>, links: Option<Links>, targets: &mut Targets) {
        let path = pointee.pointer.path.as_ref();
        let hints = path.map_or_else(Hints::default, |path| self.hints(pointee, path));
        let tail = self.tail(pointee);
        let plan = if let Some(count) = pointee.pointer.elements {
            self.array(pointee, count)
        } else if let Some((length, factor)) = hints.length.clone().filter(|_| !hints.within) {
            self.counted(pointee, (factor, None), length, targets)
        } else if hints.text && !hints.within {
            let most = self.enlarged(pointee, self.shapes.text).max(hints.needed);
            targets.wider = Some(format!("{}=string({})", pointee.name, most * WIDER));
            text(pointee, self.bytes(pointee.to), most, targets)
        } else {
            let count = self.enlarged(pointee, self.usual_count(pointee, &hints)).max(hints.needed);
            let count = tail.as_ref().map_or(count, |tail| tail.structs().max(count));
            let plural = if count == 1 { "element" } else { "elements" };
            let larger = (count * WIDER).min(MOST_ELEMENTS);
            targets.wider.get_or_insert_with(|| format!("{}=array({larger})", pointee.name));
            let behind = match hints.before {
                0 => String::new(),
                before => format!(" behind {before} others"),
            };
            targets.words.push(format!("points to {count} {plural}{behind}"));
            let whole = self.array(pointee, count + hints.before);
            Plan { before: hints.before, ..whole }
        };
        targets.anything = true;
        let (count, is_whole) = (plan.count - plan.before, plan.extent == Extent::Whole);
        let in_front = plan.before > 0;
        self.give(plan, pointee, links, targets);
        if in_front {
            self.stretched.extend(targets.own.last());
        }
        if let Some(tail) = tail.filter(|_| is_whole) {
            self.limit_tail(&tail, count);
        }
    }

    /// Makes an object for a pointer.
    pub fn give(&mut self, plan: Plan, pointee: &Pointee<'_>, links: Option<Links>, targets: &mut Targets) {
        let row = self.provide(plan, pointee, links);
        if let Target::Object(object, _) = row.first {
            targets.own.push(object);
        }
        targets.made.push(row);
    }

    /// What the code tells about an object.
    fn hints(&self, pointee: &Pointee<'_>, path: &Path) -> Hints {
        let used = self.usage.span(path);
        let room = self.room(pointee);
        let is_relied_on = self.is_relied_on(path);
        let is_valid = |shape: &Shape| shape.choices == [Choice::Valid];
        let is_valid = self.shapes.named.get(&pointee.name).is_some_and(is_valid);
        let is_relied_on = is_relied_on || is_valid;
        let exact = is_relied_on && !self.usage.is_placed(path, room);
        let within = is_relied_on && self.usage.stays_within(path, room);
        let length = self.usage.length(path).and_then(|length| {
            let factor = length.bytes.map_or(1, |bytes| bytes.div_ceil(room)).clamp(1, MOST_FACTOR);
            let leaves: Option<Vec<Leaf>> =
                length.factors.iter().map(|path| self.leaves.get(path).copied()).collect();
            Some((leaves?, factor))
        });
        let before = used.from.unsigned_abs().div_ceil(room);
        Hints {
            exact,
            length,
            text: self.usage.string_end(path).is_some() && self.is_byte(pointee.to),
            walked: self.usage.is_walked(path),
            apart: self.usage.is_walked(path) && !within,
            needed: used.to.unsigned_abs().div_ceil(room),
            before,
            within: before > 0 || self.usage.is_related(path),
        }
    }

    /// The bytes of an element.
    pub fn room(&self, pointee: &Pointee<'_>) -> u64 {
        layout(self.module, self.bytes(pointee.to)).map_or(1, |room| room.size.max(1))
    }

    /// The number of elements where only the use of the pointer tells it.
    fn usual_count(&self, pointee: &Pointee<'_>, hints: &Hints) -> u64 {
        let inner =
            pointee.pointer.depth > 0 && layout(self.module, pointee.to).is_some_and(|room| room.size > 1);
        match self.is_record(pointee.to) {
            _ if hints.exact => 1,
            true if hints.apart => self.shapes.elements / 2,
            true => 1,
            false if (inner || self.is_pointer(pointee.to)) && !hints.walked => 1,
            false if self.is_byte(pointee.to) && (hints.text || hints.within) => self.shapes.text,
            false => self.shapes.elements,
        }
    }

    /// How many elements there are for a pointer that usually has so many.
    fn enlarged(&self, pointee: &Pointee<'_>, usual: u64) -> u64 {
        self.shapes.deeper.length(&pointee.name, usual).min(MOST_ELEMENTS.max(usual))
    }

    /// So many pointers one after the other lead to an object.
    fn most_depth(&self, pointee: &Pointee<'_>) -> u32 {
        let (deeper, usual) = (&self.shapes.deeper, self.shapes.depth);
        self.list_head(pointee).map_or(usual, |head| deeper.nodes(&head, usual))
    }

    /// For a link, a demand on the first pointer of its list by which that becomes longer.
    fn longer_list(&self, pointee: &Pointee<'_>) -> Option<String> {
        let depth = u64::from(self.most_depth(pointee)).max(1) * WIDER;
        self.list_head(pointee).map(|head| format!("{head}=list({depth})"))
    }

    /// For a link, the first pointer of its list.
    fn list_head(&self, pointee: &Pointee<'_>) -> Option<String> {
        let mut head = None;
        let mut home = pointee.pointer.home;
        while let Some(object) =
            home.filter(|&object| self.same(self.interface.objects[object].element, pointee.to))
        {
            let pointer = self.interface.objects[object].name.strip_prefix('*')?;
            head = Some(pointer.to_string());
            let leaf = self.interface.leaf(pointer)?;
            home = self.interface.leaves[leaf].object();
        }
        head
    }

    /// Whether a pointer leads from one object of a linked structure to the next one.
    fn is_link(&self, pointee: &Pointee<'_>) -> bool {
        let home = pointee.pointer.home.map(|home| self.interface.objects[home].element);
        home.is_some_and(|home| self.same(home, pointee.to))
    }

    /// The object of another pointer with which the code compares this one, if it lies in there. A link that is
    /// compared with the start of its list does not.
    fn inside(&self, pointee: &Pointee<'_>) -> Option<Object> {
        if self.is_link(pointee) {
            return None;
        }
        let path = pointee.pointer.path.as_ref()?;
        let related = |(other, _): &&(Path, Object)| self.usage.are_related(other, path);
        let (_, object) = self.made.iter().find(related)?;
        let shape = &self.interface.objects[*object];
        let fits = shape.extent == Extent::Whole
            && shape.count <= MOST_INSIDE
            && self.same(shape.element, pointee.to);
        fits.then_some(*object)
    }

    /// All places in an object and its end.
    fn places_in(&self, object: Object, targets: &mut Targets) {
        let shape = &self.interface.objects[object];
        let step = shape.size / shape.count.max(1);
        let name = shape.name.strip_prefix('*').unwrap_or(&shape.name);
        targets.words.push(format!("points into what `{name}` points to"));
        targets.made.push(Row { first: Target::Object(object, 0), step, count: shape.count + 1 });
    }

    fn provide(&mut self, plan: Plan, pointee: &Pointee<'_>, links: Option<Links>) -> Row {
        let pointer = pointee.pointer;
        let around = Surroundings { depth: pointer.depth + 1, path: pointer.path.clone(), links };
        let before = plan.before;
        let ends = matches!(plan.extent, Extent::Terminated | Extent::Listed { .. });
        let zeros = (plan.free < plan.count && !ends).then_some(plan.free + 1);
        let object = self.object(plan, &around);
        if let Some(first) = zeros {
            self.holds(object, Assumption::Fixed { part: pointee.name.clone(), why: Fixed::From(first) });
        }
        self.made.extend(pointer.path.clone().map(|path| (path, object)));
        let shape = &self.interface.objects[object];
        Row::one(Target::Object(object, before * (shape.size / shape.count.max(1))))
    }

    fn array(&self, pointee: &Pointee<'_>, count: u64) -> Plan {
        let name = &pointee.name;
        let path = if count == 1 { pointed(name) } else { name.clone() };
        Plan {
            origin: Origin::Provided,
            name: format!("*{name}"),
            element: self.bytes(pointee.to),
            count,
            free: count,
            before: 0,
            extent: Extent::Whole,
            path,
        }
    }

    /// An array whose length is an input: the first elements are inputs, those behind them are zero.
    fn counted(
        &mut self,
        pointee: &Pointee<'_>,
        (factor, bound): (u64, Option<u64>),
        inputs: Vec<Leaf>,
        targets: &mut Targets,
    ) -> Plan {
        let element = self.bytes(pointee.to);
        let size = layout(self.module, element).map_or(1, |room| room.size.max(1));
        let most = (MOST_BYTES / size).min(1 << 16).max(factor);
        // Several lengths share what there is.
        let each = match inputs.len() {
            1 => most / factor,
            n => ((most / factor) as f64).powf(1.0 / n as f64) as u64,
        };
        let known = inputs.iter().map(|&leaf| self.known_largest(leaf)).collect::<Option<Vec<u64>>>();
        let bound = bound.or_else(|| known.and_then(|known| known.into_iter().max()));
        let each = bound.map_or(each, |bound| bound.min(each));
        for &leaf in &inputs {
            self.limit(leaf, each);
        }
        let names: Vec<String> =
            inputs.iter().map(|&leaf| self.interface.leaves[leaf].name.clone()).collect();
        let free = if self.is_record(element) { self.shapes.elements / 2 } else { self.shapes.elements };
        let free = self.enlarged(pointee, free);
        let length = Length { factor, inputs: names, most: None };
        let count = each.saturating_pow(inputs.len() as u32).saturating_mul(factor);
        // Where a bound is demanded that is small, all elements are inputs.
        let largest = self.shapes.largest_array as u64;
        let whole = bound.is_some() && count <= if self.is_record(element) { largest / 16 } else { largest };
        let free = if whole { count } else { free };
        targets.words.push(format!("points to `{length}` elements"));
        let longer = Length { factor: factor.saturating_mul(WIDER), ..length };
        targets.wider = Some(format!("{}=array({longer})", pointee.name));
        let extent = Extent::Counted { factor, inputs };
        Plan { count, free, extent, path: pointee.name.clone(), ..self.array(pointee, count) }
    }

    /// What is known of a length from elsewhere.
    pub fn known_largest(&self, leaf: Leaf) -> Option<u64> {
        self.shapes.largest.get(&self.interface.leaves[leaf].name).copied()
    }

    /// A length is not larger than the largest array.
    pub fn limit(&mut self, leaf: Leaf, most: u64) {
        let info = &self.interface.leaves[leaf];
        let (low, high) = info.limits();
        if info.as_length(high) <= most {
            return;
        }
        if self.known_largest(leaf).is_none_or(|known| known > most) {
            let (input, range) = (info.name.clone(), info.range);
            let id = self.interface.assume(Assumption::AtMost { input, most });
            self.interface.rests_on.limits.entry(leaf).or_insert((id, range));
        }
        self.interface.leaves[leaf].range = Some((low, most));
    }

    /// Objects that exist already and have the type that the pointer points to, and arrays of it, as far as they are
    /// wanted.
    fn aliases(
        &mut self,
        pointee: &Pointee<'_>,
        mut earlier: Vec<Object>,
        targets: &mut Targets,
        is_wanted: fn(&Area) -> bool,
    ) {
        let copies: Vec<Object> = self
            .interface
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Copy(object) => Some(*object),
                _ => None,
            })
            .collect();
        earlier.retain(|object| !copies.contains(object) && !self.is_hidden(*object));
        // The object in which the pointer stands comes first: it is the parent in a tree, the neighbour in a list.
        if let Some(home) = pointee.pointer.home {
            earlier.sort_by_key(|&object| object != home);
        }
        let found = earlier.into_iter().flat_map(|object| self.areas(object, pointee));
        let mut found: Vec<Area> = found.filter(is_wanted).collect();
        let all = found.len() <= MOST_ALIASES;
        found.truncate(MOST_ALIASES);
        self.point_into(&found, all, pointee, targets);
    }

    /// Whether there is one object for a pointer, of one element.
    fn is_one_element(&self, targets: &Targets) -> bool {
        let is_one = |object: &Object| {
            let shape = &self.interface.objects[*object];
            shape.extent == Extent::Whole && shape.count == 1
        };
        targets.own.len() == 1 && targets.own.iter().all(is_one)
    }

    /// What the user demands.
    fn demanded(&mut self, pointee: &Pointee<'_>, shape: &Shape) -> Targets {
        self.interface.shaped.insert(pointee.name.clone());
        let stated = !shape.choices.iter().any(|choice| matches!(choice, Choice::NonNull | Choice::Valid));
        let mut targets = Targets { stated, ..Targets::default() };
        for choice in &shape.choices {
            if let Err(why) = self.choice(pointee, choice, &mut targets) {
                let name = pointee.name.clone();
                self.interface.refused.push(RefusedShape { name, why: format!("`{choice}`: {why}") });
            }
        }
        targets.stated |= shape.choices == [Choice::Valid] && self.is_one_element(&targets);
        targets
    }

    fn choice(
        &mut self,
        pointee: &Pointee<'_>,
        choice: &Choice,
        targets: &mut Targets,
    ) -> Result<(), String> {
        if *choice == Choice::Null {
            targets.null = true;
            return Ok(());
        }
        if is_function(self.module, pointee.to) {
            return self.chosen_function(pointee, choice, targets);
        }
        self.can_point(pointee.to)?;
        match choice {
            Choice::NonNull | Choice::Valid => {
                self.usual_object(pointee, targets);
                targets.null = false;
            }
            Choice::Object => {
                let plan = self.array(pointee, 1);
                targets.words.push("points to one object".to_string());
                self.give(plan, pointee, None, targets);
            }
            Choice::Array(length) => self.chosen_array(pointee, length, targets)?,
            Choice::Text(most) => {
                if !self.is_byte(pointee.to) {
                    return Err("it does not point to characters".to_string());
                }
                let plan = text(pointee, self.bytes(pointee.to), *most, targets);
                self.give(plan, pointee, None, targets);
            }
            Choice::Strings { most, text } => self.chosen_strings(pointee, (*most, *text), targets)?,
            Choice::Linked { depth, cyclic } => self.chosen_links(pointee, *depth, *cyclic, targets)?,
            Choice::Alias(other) => self.chosen_alias(pointee, other, targets)?,
            Choice::Functions(_) | Choice::Stub => return Err("it does not point to a function".to_string()),
            Choice::Null => unreachable!("this was dealt with above"),
        }
        Ok(())
    }

    fn chosen_array(
        &mut self,
        pointee: &Pointee<'_>,
        length: &Length,
        targets: &mut Targets,
    ) -> Result<(), String> {
        let element = self.bytes(pointee.to);
        let size = layout(self.module, element).map_or(1, |room| room.size.max(1));
        if length.factor.saturating_mul(size) > MOST_ELEMENTS * 8 {
            return Err("it would be larger than 8 MB".to_string());
        }
        let inputs =
            length.inputs.iter().map(|name| self.length_leaf(name)).collect::<Result<Vec<_>, _>>()?;
        let plan = match inputs.is_empty() {
            true => {
                targets.words.push(format!("points to {length} elements"));
                self.array(pointee, length.factor)
            }
            false => self.counted(pointee, (length.factor, length.most), inputs, targets),
        };
        self.give(plan, pointee, None, targets);
        Ok(())
    }

    fn length_leaf(&self, name: &str) -> Result<Leaf, String> {
        let leaf = self.interface.leaf(name).ok_or_else(|| format!("there is no input `{name}`"))?;
        let is_number = self.interface.leaves[leaf].ty.width().is_some();
        if is_number { Ok(leaf) } else { Err(format!("`{name}` is no integer")) }
    }

    fn chosen_links(
        &mut self,
        pointee: &Pointee<'_>,
        depth: u32,
        cyclic: bool,
        targets: &mut Targets,
    ) -> Result<(), String> {
        if !self.is_record(pointee.to) {
            return Err("it does not point to a struct".to_string());
        }
        let links = Links { ty: pointee.to, left: depth - 1, cyclic, head: pointee.pointer.leaf };
        let plan = self.array(pointee, 1);
        let back = if cyclic { ", which may point back" } else { "" };
        targets.words.push(format!("points to at most {depth} objects one after the other{back}"));
        self.give(plan, pointee, Some(links), targets);
        // A list may as well be empty.
        targets.null = true;
        Ok(())
    }

    /// A linked structure that is too large is not made smaller without a word: something would be proved from that.
    fn refuse_links(&mut self, links: Links) {
        let name = self.interface.leaves[links.head].name.clone();
        if !self.interface.refused.iter().any(|refused| refused.name == name) {
            let why = format!(
                "so large: it needs more than {MOST_LINKED} objects or {MOST_LEAVES} numbers and pointers"
            );
            self.interface.refused.push(RefusedShape { name, why });
        }
    }

    fn chosen_alias(
        &mut self,
        pointee: &Pointee<'_>,
        other: &str,
        targets: &mut Targets,
    ) -> Result<(), String> {
        let areas = self.areas_named(other, pointee);
        if !areas.is_empty() {
            self.point_into(&areas, true, pointee, targets);
            return Ok(());
        }
        let leaf = self.interface.leaf(other).ok_or_else(|| format!("there is no input `{other}`"))?;
        let info = &self.interface.leaves[leaf];
        if leaf == pointee.pointer.leaf
            || !self.same(info.source, self.interface.leaves[pointee.pointer.leaf].source)
        {
            return Err(format!("`{other}` has another type"));
        }
        let found = info.targets.clone().unwrap_or_default();
        if found.is_empty() {
            return Err(format!("what `{other}` points to comes later; put the shape on `{other}` instead"));
        }
        targets.words.push(format!("points to what `{other}` may point to"));
        targets.made.extend(found.rows().map(|(_, row)| *row));
        Ok(())
    }

    /// Whether something of a type can be made.
    pub fn can_point(&self, to: TypeId) -> Result<(), &'static str> {
        if is_stream_type(self.module, to) {
            return Err("its target belongs to the C library");
        }
        match layout(self.module, self.bytes(to)).filter(|room| room.size > 0) {
            Some(_) => Ok(()),
            None => Err("its target has no known size"),
        }
    }

    /// The type itself; bytes for `void` and for what nothing is known of, if the program has any.
    fn bytes(&self, to: TypeId) -> TypeId {
        if !matches!(
            self.module.types[resolve(self.module, to)],
            SourceType::Void | SourceType::Record { size: None, .. }
        ) {
            return to;
        }
        let byte = |signed: bool| {
            self.module
                .types
                .entries()
                .find(|(_, ty)| matches!(ty, SourceType::Int { bits: 8, signed: of, .. } if *of == signed))
        };
        byte(false).or(byte(true)).map_or(to, |(id, _)| id)
    }

    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        resolve(self.module, a) == resolve(self.module, b)
    }

    pub fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.module.types[resolve(self.module, ty)], SourceType::Record { .. })
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.module.types[resolve(self.module, ty)], SourceType::Pointer { .. })
    }

    fn is_byte(&self, ty: TypeId) -> bool {
        matches!(self.module.types[resolve(self.module, self.bytes(ty))], SourceType::Int { bits: 8, .. })
    }
}

/// A string of at most so many characters.
pub(crate) fn text(pointee: &Pointee<'_>, element: TypeId, most: u64, targets: &mut Targets) -> Plan {
    let name = &pointee.name;
    targets.words.push(format!("is a string of at most {most} characters"));
    Plan {
        origin: Origin::Provided,
        name: format!("*{name}"),
        element,
        count: most + 1,
        free: most,
        before: 0,
        extent: Extent::Terminated,
        path: name.clone(),
    }
}

pub(crate) fn is_function(module: &Module, ty: TypeId) -> bool {
    matches!(module.types[resolve(module, ty)], SourceType::Function { .. })
}

/// Whether a type is what `FILE` stands for: only the library can make one.
fn is_stream_type(module: &Module, ty: TypeId) -> bool {
    match &module.types[resolve(module, ty)] {
        SourceType::Record { tag: Some(tag), .. } => matches!(tag.as_str(), "_IO_FILE" | "__sFILE" | "FILE"),
        _ => false,
    }
}
