//! What memory holds before the call, and the arguments.

use std::rc::Rc;

use quipu_analysis::points_to;
use quipu_inputs::{
    Argument, Assumption, AssumptionId, Extent, Fixed, Leaf, LeafInfo, Mentioned, Object, ObjectShape,
    Origin, Patch, Place, Row, Target, TargetList,
};
use quipu_interp::is_stream;
use quipu_ir::{Global, Init, Symbol as Named, Ty};
use quipu_model::{Term, Var};
use quipu_num::{IntCmp, IntOp, Width};

use crate::content::{Background, Content, Stretch, as_bits, stored};
use crate::encoder::Engine;
use crate::float::Float;
use crate::log::Logged;
use crate::memory::{ObjectId, ObjectInfo, ObjectKind, Source};
use crate::pointer::{Base, Case, Pointer};
use crate::symbol::Symbol;

/// Objects of at most so many bytes have their padding told byte by byte.
const MOST_GAPS: usize = 256;

impl Engine<'_> {
    /// Makes all objects that exist before the call, and the values of the parameters.
    pub(crate) fn prepare(&mut self, mentioned: Mentioned) -> Vec<Symbol> {
        self.make_leaves();
        self.open_stream(self.library.stream);
        self.clear_errno(self.library.errno);
        self.forget_tokens(self.library.token);
        self.count_allocations(self.library.allocations);
        self.forget_exits();
        self.forget_signals();
        self.forget_locale();
        let interface = self.interface;
        self.mentioned = mentioned.functions;
        for global in mentioned.globals {
            let data = &self.module.globals[global];
            let kind = if data.constant { ObjectKind::Constant } else { ObjectKind::Static };
            // Numbers lead to devices, not pointers of which nothing is known.
            let source = match data.init {
                Init::Device { .. } => Source::Hidden,
                _ => Source::Known(points_to::Object::Global(global)),
            };
            let info = ObjectInfo::new(data.size, kind).aligned(data.align).from(source);
            let object = self.add_object(info);
            self.globals.insert(global, object);
        }
        for (id, shape) in interface.objects.entries() {
            // What a test provides may be freed, but for copies.
            let copied = interface.arguments.contains(&Argument::Copy(id));
            let kind = if copied { ObjectKind::Static } else { ObjectKind::Heap };
            let object = match shape.origin {
                Origin::Global(global) => {
                    let object = self.globals[&global];
                    self.objects[object].trusted = self.trusted_size(id);
                    object
                }
                Origin::Provided => {
                    let extent = self.input_extent(shape);
                    let source = match copied {
                        true => Source::Any,
                        false => Source::Known(points_to::Object::Outside),
                    };
                    let trusted = self.trusted_size(id);
                    let (size, align) = (shape.size, shape.align);
                    let is_sized = matches!(shape.extent, Extent::Listed { .. });
                    self.add_object(ObjectInfo { size, extent, kind, align, source, trusted, is_sized })
                }
            };
            self.inputs.push(object);
        }
        let mut globals: Vec<(Global, ObjectId)> = self.globals.iter().map(|(&g, &o)| (g, o)).collect();
        globals.sort_unstable();
        for (global, object) in globals {
            let content = self.initial_content(global);
            self.state.memory.set(object, Rc::new(content));
        }
        self.find_devices();
        for (object, shape) in interface.objects.entries() {
            self.fill_object(object, &shape.leaves);
        }
        self.find_overlaps();
        let arguments = interface.arguments.clone();
        arguments.iter().map(|&argument| self.argument(argument)).collect()
    }

    /// A pointer to an object of the library, of which nothing is known.
    fn library_pointer(&mut self) -> Content {
        let stream = self.add_object(ObjectInfo::new(0, ObjectKind::Stream));
        let nothing = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        self.state.memory.set(stream, Rc::new(nothing));
        let pointer = Pointer::start_of(&mut self.terms, Base::Object(stream), self.address);
        let mut content = Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        let always = self.terms.truth(true);
        let stretch = Stretch { at: 0, bits: self.address.bits(), ty: Ty::Ptr, address: self.address };
        content.write(&mut self.terms, stretch, always, &Symbol::Pointer(Rc::new(pointer)), always);
        content
    }

    fn make_leaves(&mut self) {
        for (leaf, info) in self.interface.leaves.entries() {
            let limit = self.open_limit(leaf);
            let range = limit.map_or(info.range, |(_, range)| range);
            let range = (range.is_some() || info.targets.is_some()).then(|| range.unwrap_or(info.limits()));
            let var = self.memo.leaf(&mut self.terms, leaf, info, range);
            self.out.leaves.push(var);
            if let Some((id, _)) = limit {
                self.assume_limit(var, info, id);
            }
        }
    }

    /// The assumption by which an input has a limit, and its range without: where assumptions can be left out.
    fn open_limit(&self, leaf: Leaf) -> Option<(AssumptionId, Option<(u64, u64)>)> {
        self.interface.rests_on.limits.get(&leaf).copied().filter(|_| self.unwinding.open)
    }

    /// An input is within its limits where an assumption holds.
    fn assume_limit(&mut self, var: Var, info: &LeafInfo, id: AssumptionId) {
        let trusted = self.trust_all(&[id]);
        let (w, (first, last)) = (info.width(), info.limits());
        let value = self.terms.model.var_term(var);
        let (start, length) =
            (self.terms.constant(w, first), self.terms.constant(w, w.wrap(last.wrapping_sub(first))));
        let from_first = self.terms.op(IntOp::Sub, value, start);
        let limited = self.terms.compare(IntCmp::Ule, from_first, length);
        let counts = self.terms.implies(trusted, limited);
        self.out.assumptions.push(counts);
    }

    /// Where the size of an input object is as assumed; none if that is certain.
    fn trusted_size(&mut self, object: Object) -> Option<Term> {
        let id = *self.interface.rests_on.sizes.get(&object)?;
        self.unwinding.open.then(|| self.trust_all(&[id]))
    }

    /// What a global holds at the start, as far as that is certain.
    fn initial_content(&mut self, global: Global) -> Content {
        let content = self.defined_content(global);
        match self.interface.rests_on.globals.get(&global) {
            Some(&id) => {
                let trusted = self.trust_all(&[id]);
                self.content_if(trusted, content)
            }
            None => content,
        }
    }

    fn defined_content(&mut self, global: Global) -> Content {
        if is_stream(self.module, &self.module.globals[global]) {
            return self.library_pointer();
        }
        let Init::Data { bytes, relocs } = &self.module.globals[global].init else {
            return Content::new(&mut self.terms, Background::Bytes(Rc::default()));
        };
        let background = Background::Bytes(Rc::new(bytes.clone()));
        let mut content = Content::new(&mut self.terms, background);
        let bits = self.address.bits();
        let always = self.terms.truth(true);
        for reloc in relocs {
            let base = match reloc.symbol {
                Named::Global(global) => Base::Object(self.globals[&global]),
                Named::Func(func) => Base::Function(func),
            };
            let offset = self.terms.constant(self.address, reloc.addend.cast_unsigned());
            let value = Symbol::Pointer(Rc::new(Pointer::to(&mut self.terms, base, offset)));
            let stretch = Stretch { at: reloc.offset * 8, bits, ty: Ty::Ptr, address: self.address };
            content.write(&mut self.terms, stretch, always, &value, always);
        }
        content
    }

    /// Puts the input leaves of an object into its content.
    fn fill_object(&mut self, object: Object, leaves: &[Leaf]) {
        let id = self.input_object(object);
        let mut content = match self.state.memory.get(id) {
            Some(content) => (**content).clone(),
            None => Content::new(&mut self.terms, Background::Bytes(Rc::default())),
        };
        let described = self.trusted_content(object);
        let padding = self.trusted_padding();
        let gaps = self.gaps(object, leaves);
        let trusted = if gaps.is_some() { described } else { self.terms.both(described, padding) };
        content = self.content_if(trusted, content);
        let always = self.terms.truth(true);
        for &leaf in leaves {
            let info = &self.interface.leaves[leaf];
            let Place::Memory { offset, bits, patch: None, .. } = info.place else { continue };
            let (at, width) = match bits {
                Some((bit, width)) => (offset * 8 + u64::from(bit), width),
                None => (offset * 8, 8 * self.module.data_model.size_of(info.ty) as u32),
            };
            let value = self.leaf_value(leaf);
            let stretch = Stretch { at, bits: width, ty: info.ty, address: self.address };
            content.write(&mut self.terms, stretch, always, &value, always);
        }
        for byte in gaps.unwrap_or_default() {
            let anything = self.terms.unknown(Width::W8);
            let doubted = self.terms.not(padding);
            let stretch = Stretch { at: 8 * byte, bits: 8, ty: Ty::I8, address: self.address };
            content.write(&mut self.terms, stretch, doubted, &Symbol::Int(anything), always);
        }
        self.end_list(object, &mut content);
        self.patch(&mut content, leaves);
        self.state.memory.set(id, Rc::new(content));
    }

    /// Writes the null pointer behind the elements of a list, wherever it ends.
    fn end_list(&mut self, object: Object, content: &mut Content) {
        let shape = &self.interface.objects[object];
        let Extent::Listed { count } = shape.extent else { return };
        let (listed, always) = (self.length(count), self.terms.truth(true));
        let null = Symbol::nothing(&mut self.terms, Ty::Ptr, self.address);
        for n in 0..shape.count {
            let is_end = self.terms.is(listed, n);
            let (at, bits) = (8 * n * shape.step(), self.stored_bits(Ty::Ptr));
            let stretch = Stretch { at, bits, ty: Ty::Ptr, address: self.address };
            content.write(&mut self.terms, stretch, is_end, &null, always);
        }
    }

    /// Where what an object holds beside its inputs is as assumed.
    fn trusted_content(&mut self, object: Object) -> Term {
        let interface = self.interface;
        let ids = interface.rests_on.contents.get(&object).map_or(&[][..], Vec::as_slice);
        self.trust_all(ids)
    }

    /// Where bytes that belong to no input are zero.
    fn trusted_padding(&mut self) -> Term {
        let part = "inputs".to_string();
        self.trust(&Assumption::Fixed { part, why: Fixed::Padding })
    }

    /// The bytes of an object that belong to no input; none if they cannot be told one by one.
    fn gaps(&self, object: Object, leaves: &[Leaf]) -> Option<Vec<u64>> {
        let shape = &self.interface.objects[object];
        // The end of a string or a list belongs to what is said about it.
        let size = match shape.extent {
            Extent::Terminated | Extent::Listed { .. } => shape.size - shape.step(),
            Extent::Whole | Extent::Counted { .. } => shape.size,
        };
        let mut covered = vec![false; usize::try_from(size).ok().filter(|&size| size <= MOST_GAPS)?];
        for &leaf in leaves {
            let info = &self.interface.leaves[leaf];
            // Beside a bit-field there may be bits of a byte that belong to no input.
            let Place::Memory { offset, bits: None, patch: None, .. } = info.place else { return None };
            let bytes = self.module.data_model.size_of(info.ty);
            let covers = offset as usize..((offset + bytes) as usize).min(covered.len());
            covered.get_mut(covers)?.fill(true);
        }
        let gaps = (0..size).zip(covered).filter(|(_, covered)| !covered).map(|(byte, _)| byte);
        Some(gaps.collect())
    }

    /// Writes the patches of large arrays over what they hold otherwise: the first for a place is the last written.
    fn patch(&mut self, content: &mut Content, leaves: &[Leaf]) {
        for &leaf in leaves.iter().rev() {
            let info = &self.interface.leaves[leaf];
            let Place::Memory { offset, bits: None, patch: Some(patch), .. } = info.place else { continue };
            let size = self.module.data_model.size_of(info.ty);
            let value = self.leaf_value(leaf);
            let value = stored(&mut self.terms, &value, 8 * size as u32);
            // In a packed struct, or with addresses of 32 bits, a number need not be aligned to its size.
            let grain = size.min(1 << (offset | patch.step).trailing_zeros().min(3));
            for at in (0..size).step_by(grain as usize) {
                let piece = match grain == size {
                    true => value.clone(),
                    false => self.piece(&value, at, grain),
                };
                self.patch_piece(content, offset + at, grain, piece, patch);
            }
        }
    }

    fn patch_piece(&mut self, content: &mut Content, offset: u64, size: u64, value: Symbol, patch: Patch) {
        let start = self.terms.constant(self.address, offset);
        let step = self.terms.constant(self.address, patch.step);
        let index = self.leaf_value(patch.index).int();
        let distance = self.terms.op(IntOp::Mul, index, step);
        let offset = self.terms.add(start, distance);
        let always = self.terms.truth(true);
        content.note(&self.terms, Logged { offset, size, value, written: always, when: always });
    }

    /// Some bytes of a value.
    fn piece(&mut self, value: &Symbol, at: u64, count: u64) -> Symbol {
        let whole = as_bits(&mut self.terms, value);
        let width = Width::new(8 * count as u32).expect("a piece has 1 to 8 bytes");
        Symbol::Int(self.terms.extract(whole, 8 * at as u32, width))
    }

    /// The size of an input object in the run.
    fn input_extent(&mut self, shape: &ObjectShape) -> Option<Term> {
        let count = match &shape.extent {
            Extent::Whole => return None,
            Extent::Counted { factor, inputs } => {
                let mut count = self.terms.constant(self.address, *factor);
                for &leaf in inputs {
                    let length = self.length(leaf);
                    count = self.terms.op(IntOp::Mul, count, length);
                }
                count
            }
            Extent::Terminated => self.text_length(&shape.leaves),
            Extent::Listed { count } => {
                let (listed, end) = (self.length(*count), self.terms.constant(self.address, 1));
                self.terms.add(listed, end)
            }
        };
        let element = self.terms.constant(self.address, shape.size / shape.count.max(1));
        Some(self.terms.op(IntOp::Mul, count, element))
    }

    /// An input as a number of elements: none if it is negative.
    fn length(&mut self, leaf: Leaf) -> Term {
        let info = &self.interface.leaves[leaf];
        let value = self.leaf_value(leaf).int();
        let wide = self.terms.resize(value, self.address, info.signed);
        if !info.signed {
            return wide;
        }
        let zero = self.terms.constant(self.address, 0);
        let negative = self.terms.compare(IntCmp::Slt, wide, zero);
        self.terms.select(negative, zero, wide)
    }

    /// The number of characters before the first zero, and one more.
    fn text_length(&mut self, leaves: &[Leaf]) -> Term {
        let mut length = self.terms.constant(self.address, leaves.len() as u64 + 1);
        for (n, &leaf) in leaves.iter().enumerate().rev() {
            // Of a pointer, this is the choice that means null.
            let value = self.leaf_term(leaf);
            let ends = self.terms.is(value, 0);
            let here = self.terms.constant(self.address, n as u64 + 1);
            length = self.terms.select(ends, here, length);
        }
        length
    }

    pub(crate) fn input_object(&self, object: Object) -> ObjectId {
        use quipu_base::Id;
        self.inputs[object.index()]
    }

    fn argument(&mut self, argument: Argument) -> Symbol {
        match argument {
            Argument::Leaf(leaf) => self.leaf_value(leaf),
            Argument::Copy(object) => {
                let base = Base::Object(self.input_object(object));
                Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, base, self.address)))
            }
            Argument::ResultPlace { size, .. } => self.new_place(size),
            Argument::NoVariadic => self.new_place(0),
        }
    }

    /// The address of a new object that holds nothing.
    pub(crate) fn new_place(&mut self, size: u64) -> Symbol {
        let object = self.add_object(ObjectInfo::new(size, ObjectKind::Static));
        let content = Content::new(&mut self.terms, Background::Unwritten);
        self.state.memory.set(object, Rc::new(content));
        Symbol::Pointer(Rc::new(Pointer::start_of(&mut self.terms, Base::Object(object), self.address)))
    }

    /// The number that an input leaf is; for a pointer, its choice.
    fn leaf_term(&self, leaf: Leaf) -> Term {
        use quipu_base::Id;
        self.terms.model.var_term(self.out.leaves[leaf.index()])
    }

    /// The value of an input leaf.
    fn leaf_value(&mut self, leaf: Leaf) -> Symbol {
        let info = &self.interface.leaves[leaf];
        let term = self.leaf_term(leaf);
        match (&info.targets, info.ty) {
            (Some(targets), _) => {
                let targets = targets.clone();
                let range = self.open_limit(leaf).and_then(|(_, range)| range);
                let least = range.unwrap_or(info.limits()).0;
                let pointer = self.choice(term, &targets, least);
                let interface = self.interface;
                let ids = interface.rests_on.pointers.get(&leaf).map_or(&[][..], Vec::as_slice);
                let trusted = self.trust_all(ids);
                self.pointer_if(trusted, pointer)
            }
            (None, Ty::Float(width)) => Symbol::Float(Float { width, rank: term }),
            (None, _) => Symbol::Int(term),
        }
    }

    /// A pointer to one of some targets: null for 0.
    fn choice(&mut self, term: Term, targets: &TargetList, least: u64) -> Symbol {
        let zero = self.terms.constant(self.address, 0);
        let mut cases: Vec<Case> = Vec::new();
        if least == 0 || targets.is_empty() {
            cases.push(Case { when: self.terms.is(term, 0), base: Base::Null, offset: zero });
        }
        for (first, row) in targets.rows() {
            let base = match row.first {
                Target::Object(object, _) => Base::Object(self.input_object(object)),
                Target::Function(func) => Base::Function(func),
                Target::Device(_) => Base::Null,
            };
            let when = self.is_in_row(term, first, row, targets.len());
            let offset = self.place_in_row(term, first, row);
            match cases.iter_mut().find(|known| known.base == base) {
                Some(known) => {
                    known.offset = self.terms.select(when, offset, known.offset);
                    known.when = self.terms.any(&[known.when, when]);
                }
                None => cases.push(Case { when, base, offset }),
            }
        }
        if let [only] = &mut cases[..] {
            only.when = self.terms.truth(true);
        }
        Symbol::Pointer(Rc::new(Pointer { cases }))
    }

    /// Whether a choice, which is at most `most`, is one of the targets in a row.
    fn is_in_row(&mut self, term: Term, first: u64, row: &Row, most: u64) -> Term {
        if row.count == 1 {
            return self.terms.is(term, first);
        }
        let width = self.terms.width(term);
        let low = self.terms.constant(width, first);
        let above = self.terms.compare(IntCmp::Ule, low, term);
        let last = first + row.count - 1;
        if last == most {
            return above;
        }
        let high = self.terms.constant(width, last);
        let below = self.terms.compare(IntCmp::Ule, term, high);
        self.terms.all(&[above, below])
    }

    /// The place that a choice means if it is one of those in a row: a sum, which is easy to reason about.
    fn place_in_row(&mut self, term: Term, first: u64, row: &Row) -> Term {
        let start = match row.first {
            Target::Object(_, offset) | Target::Device(offset) => offset,
            Target::Function(_) => 0,
        };
        if row.count == 1 {
            return self.terms.constant(self.address, start);
        }
        let wide = self.terms.resize(term, self.address, false);
        let start = start.wrapping_sub(row.step.wrapping_mul(first));
        let start = self.terms.constant(self.address, self.address.wrap(start));
        let step = self.terms.constant(self.address, row.step);
        let distance = self.terms.op(IntOp::Mul, wide, step);
        self.terms.add(start, distance)
    }

    /// The width of a stored value.
    pub(crate) fn stored_bits(&self, ty: Ty) -> u32 {
        8 * self.module.data_model.size_of(ty) as u32
    }
}
