//! Where a function may do something undefined, as far as its code tells.
//!
//! A danger is an event at a place of the source. What cannot happen by construction is none: an access to a variable by
//! its own name, a constant index inside an array, a division by a nonzero constant, an access through a pointer that
//! was just accessed. Whatever event a run raises in a function is one of the function's dangers.

use std::collections::{BTreeMap, BTreeSet};

use quipu_interp::{copies_unwritten, is_modelled, library_events, stream_argument};
use quipu_ir::{
    Block, BlockData, Body, Callee, Check, DataModel, Event, Func, FuncBody, Init, Inst, InstKind, Module,
    Slot, Span, Terminator, Ty, Unreachable, Value, ValueDef,
};

use crate::address::{Address, Addresses, Root};
use crate::interval::holds_always;

/// An event that may happen at a place of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Danger {
    /// The construct.
    pub span: Span,
    pub event: Event,
    /// The instructions that raise it have these places. The first is that of the construct.
    pub spans: Vec<Span>,
    pub blocks: Vec<Block>,
}

/// The dangers of a function, by place and event.
pub(crate) fn dangers(module: &Module, func: Func) -> Vec<Danger> {
    let Some(body) = module.functions[func].code() else { return Vec::new() };
    let addresses = Addresses::of(module, body);
    let mut finder = Finder {
        module,
        body,
        written: written(module, body, &addresses),
        addresses,
        homes: homes(body),
        used: used(body),
        program: Program::of(module),
        found: BTreeMap::new(),
    };
    for (block, data) in body.blocks.entries() {
        finder.block(block, data);
    }
    finder.dangers()
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    /// It does not matter whether the bytes were written.
    Copy,
    Write,
}

/// An access through a pointer.
#[derive(Clone, Copy)]
struct Touch {
    ptr: Value,
    size: u64,
    align: u64,
    access: Access,
    /// Whether all bits of the bytes are meant.
    whole: bool,
}

/// What matters about the rest of the program.
struct Program {
    /// Whether bytes that were never written may be copied.
    copies: bool,
    /// Whether some function may end without its value.
    misses_values: bool,
    /// The library functions whose addresses are taken.
    pointed: Vec<Func>,
}

struct Finder<'a> {
    module: &'a Module,
    body: &'a FuncBody,
    addresses: Addresses<'a>,
    /// For a moved pointer, where it is accessed.
    homes: BTreeMap<Value, Span>,
    used: BTreeSet<Value>,
    /// The variables that are written as a whole before control leaves the first block, and where; they live as long as
    /// the function does.
    written: BTreeMap<Slot, (Block, usize)>,
    program: Program,
    /// By the construct's place and the event: the places and blocks of the instructions.
    found: BTreeMap<(Span, Event), (BTreeSet<Span>, BTreeSet<Block>)>,
}

/// What the instructions of a block so far have shown.
#[derive(Default)]
struct Shown {
    /// Pointers that were accessed: so many bytes, so aligned.
    accessed: BTreeMap<Value, (u64, u64)>,
    /// Pointers through which so many bytes were written.
    written: BTreeMap<Value, u64>,
}

impl Finder<'_> {
    fn block(&mut self, block: Block, data: &BlockData) {
        let mut shown = Shown::default();
        for (number, inst) in data.insts.iter().enumerate() {
            self.instruction((block, number), inst, &mut shown);
        }
        let comes_back = |inst: &Inst| match inst.kind {
            InstKind::Call(Callee::Direct(func), _) => {
                let function = &self.module.functions[func];
                !(function.noreturn && function.body == Body::Declared)
            }
            _ => true,
        };
        match data.term {
            Terminator::Unreachable(Unreachable::NoReturn) if !data.insts.last().is_none_or(comes_back) => {}
            Terminator::Unreachable(_) => self.add(block, data.span, Event::UnreachableReached),
            _ => {}
        }
    }

    fn add(&mut self, block: Block, span: Span, event: Event) {
        self.add_at(block, span, span, event);
    }

    /// An event of an instruction at a place that belongs to a construct at another.
    fn add_at(&mut self, block: Block, home: Span, span: Span, event: Event) {
        let (spans, blocks) = self.found.entry((home, event)).or_default();
        spans.insert(span);
        blocks.insert(block);
    }

    fn instruction(&mut self, place: (Block, usize), inst: &Inst, shown: &mut Shown) {
        let (block, span) = (place.0, inst.span);
        match &inst.kind {
            InstKind::Check(check, a, b) => {
                if !self.is_certain(*check, *a, *b) {
                    self.add(block, span, check.event());
                }
            }
            InstKind::PtrAdd(..) => {
                let result = inst.result.expect("a moved pointer is a value");
                let address = self.addresses.of_value(result);
                let home = self.homes.get(&result).copied().unwrap_or(span);
                if !address.is_inside(self.module, self.body, 0) {
                    self.add_at(block, home, span, Event::OutOfBounds);
                }
                if address.root == Root::Unknown && self.module.data_model == DataModel::Lp64 {
                    self.add_at(block, home, span, Event::InvalidPointer);
                }
            }
            InstKind::SlotEnd(_) => *shown = Shown::default(),
            InstKind::Call(callee, args) => {
                self.call(block, inst, *callee, args);
                *shown = Shown::default();
            }
            kind => {
                for touch in self.touches(inst.result, kind) {
                    self.touch(place, span, touch, shown);
                }
                if let InstKind::Copy { dst, src, .. } = kind {
                    if self.may_overlap(*dst, *src) {
                        self.add(block, span, Event::OverlappingCopy);
                    }
                    shown.written.clear();
                }
            }
        }
    }

    /// The accesses of an instruction, in order.
    fn touches(&self, result: Option<Value>, kind: &InstKind) -> Vec<Touch> {
        let bytes = |ty: Ty| self.module.data_model.size_of(ty);
        let field = |bit: u32, value: Value| {
            let width = self.body.ty(value).width().map_or(0, |width| width.bits());
            u64::from((bit + width).div_ceil(8))
        };
        let whole = true;
        match *kind {
            InstKind::Load { ptr, align, volatile } => {
                let ty = self.body.ty(result.expect("a load has a result"));
                // What a device holds was not written by the program.
                let access = if volatile && ty != Ty::Ptr { Access::Copy } else { Access::Read };
                vec![Touch { ptr, size: bytes(ty), align: align.into(), access, whole }]
            }
            InstKind::Store { ptr, value, align, .. } => {
                let size = bytes(self.body.ty(value));
                vec![Touch { ptr, size, align: align.into(), access: Access::Write, whole }]
            }
            InstKind::LoadBits { ptr, bit, volatile } => {
                let size = field(bit, result.expect("a load has a result"));
                let access = if volatile { Access::Copy } else { Access::Read };
                vec![Touch { ptr, size, align: 1, access, whole: false }]
            }
            InstKind::StoreBits { ptr, bit, value } => {
                vec![Touch { ptr, size: field(bit, value), align: 1, access: Access::Write, whole: false }]
            }
            InstKind::Copy { dst, src, size } if size > 0 => vec![
                Touch { ptr: src, size, align: 1, access: Access::Copy, whole },
                Touch { ptr: dst, size, align: 1, access: Access::Write, whole },
            ],
            InstKind::Zero { dst, size } | InstKind::Unspecify { dst, size } if size > 0 => {
                vec![Touch { ptr: dst, size, align: 1, access: Access::Write, whole }]
            }
            _ => Vec::new(),
        }
    }

    fn touch(&mut self, place: (Block, usize), span: Span, touch: Touch, shown: &mut Shown) {
        let block = place.0;
        let Touch { ptr, size, align, access, whole } = touch;
        let address = self.addresses.of_value(ptr);
        let before = shown.accessed.get(&ptr).copied();
        if !before.is_some_and(|(known, aligned)| known >= size && aligned >= align) {
            for event in self.access_events(place, &address, touch) {
                self.add(block, span, event);
            }
            shown.accessed.insert(ptr, (size, align));
        }
        match access {
            Access::Read if shown.written.get(&ptr).is_none_or(|&known| known < size) => {
                if self.may_be_unwritten(place, &address) {
                    self.add(block, span, Event::UninitializedRead);
                }
            }
            Access::Write => {
                if self.may_be_constant(&address) {
                    self.add(block, span, Event::WriteToConstant);
                }
                if whole {
                    shown.written.insert(ptr, size);
                }
            }
            Access::Read | Access::Copy => {}
        }
    }

    /// What may be wrong with a pointer that is followed.
    fn access_events(&self, place: (Block, usize), address: &Address, touch: Touch) -> Vec<Event> {
        let Touch { ptr, size, align, .. } = touch;
        let mut events = Vec::new();
        match address.root {
            Root::Function => return vec![Event::InvalidPointer],
            Root::Unknown => {
                events.extend([Event::NullAccess, Event::InvalidPointer, Event::UseAfterFree]);
            }
            Root::Slot(slot) if self.addresses.may_have_ended(place, slot, ptr) => {
                events.push(Event::UseAfterFree);
            }
            Root::Slot(_) | Root::Global(_) => {}
        }
        if !address.is_inside(self.module, self.body, size) {
            events.push(Event::OutOfBounds);
        }
        if !address.is_aligned(align) {
            events.push(Event::Misaligned);
        }
        events
    }

    fn may_be_unwritten(&self, place: (Block, usize), address: &Address) -> bool {
        match address.root {
            Root::Slot(slot) => {
                self.program.copies || self.written.get(&slot).is_none_or(|written| place <= *written)
            }
            Root::Global(global) => self.program.copies || self.module.globals[global].init == Init::External,
            Root::Function => false,
            Root::Unknown => true,
        }
    }

    fn may_be_constant(&self, address: &Address) -> bool {
        match address.root {
            Root::Global(global) => self.module.globals[global].constant,
            Root::Unknown => true,
            Root::Slot(_) | Root::Function => false,
        }
    }

    /// Whether two stretches may be parts of one object.
    fn may_overlap(&self, a: Value, b: Value) -> bool {
        let (a, b) = (self.addresses.of_value(a).root, self.addresses.of_value(b).root);
        a == Root::Unknown || b == Root::Unknown || a == b
    }

    fn is_certain(&self, check: Check, a: Value, b: Value) -> bool {
        match check {
            Check::Guard(guard) => holds_always(self.body, &self.addresses, guard, a, b),
            Check::SameObject => {
                let (a, b) = (self.addresses.of_value(a), self.addresses.of_value(b));
                let inside = |address: &Address| address.is_inside(self.module, self.body, 0);
                a.root == b.root && a.root != Root::Unknown && inside(&a) && inside(&b)
            }
        }
    }

    fn call(&mut self, block: Block, inst: &Inst, callee: Callee, args: &[Value]) {
        let is_used = inst.result.is_some_and(|result| self.used.contains(&result));
        let mut events = Vec::new();
        match callee {
            Callee::Direct(func) => match &self.module.functions[func].body {
                Body::Defined(code) => events.extend((is_used && misses_value(code)).then_some(MISSING)),
                Body::Declared => events.extend(self.library_events(func, args)),
                Body::Unsupported(_) => {}
            },
            Callee::Indirect(_) => {
                events.push(Event::InvalidCall);
                events.extend((is_used && self.program.misses_values).then_some(MISSING));
                let pointed = self.program.pointed.iter();
                events.extend(pointed.flat_map(|&func| library_events(&self.module.functions[func])));
            }
        }
        events.into_iter().for_each(|event| self.add(block, inst.span, event));
    }

    fn library_events(&self, func: Func, args: &[Value]) -> Vec<Event> {
        let function = &self.module.functions[func];
        if !is_modelled(&function.source_name) {
            return Vec::new();
        }
        let stream = stream_argument(&function.source_name);
        let packed = function.variadic.then(|| args.len() - 1);
        let texts: Vec<&[u8]> = args.iter().filter_map(|&arg| self.text(arg)).collect();
        let is_known = |(n, &arg): (usize, &Value)| {
            let is_text = || self.text(arg).is_some();
            self.body.ty(arg) != Ty::Ptr || Some(n) == stream || Some(n) == packed || is_text()
        };
        if texts.is_empty() || !args.iter().enumerate().all(is_known) {
            return library_events(function);
        }
        // A known text is a format where something is packed behind it.
        let mut events = match (packed, texts.iter().any(|text| follows_pointers(text))) {
            (None, _) => Vec::new(),
            (Some(_), true) => return library_events(function),
            (Some(_), false) if texts.iter().all(|text| !text.contains(&b'%')) => Vec::new(),
            (Some(_), false) => vec![Event::OutOfBounds, Event::UninitializedRead, Event::NullAccess],
        };
        events.extend(stream.map(|_| Event::NullAccess));
        events
    }

    /// The text of a string literal.
    fn text(&self, value: Value) -> Option<&[u8]> {
        let ValueDef::Global(global, 0) = self.body.values[value].def else { return None };
        let data = &self.module.globals[global];
        match &data.init {
            Init::Data { bytes, .. } if data.constant && data.source_name.is_none() => {
                let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                ((length as u64) < data.size).then_some(&bytes[..length])
            }
            _ => None,
        }
    }

    fn dangers(self) -> Vec<Danger> {
        let mut dangers: Vec<Danger> = Vec::new();
        let mut taken: BTreeSet<(Span, Event)> = self.found.keys().copied().collect();
        for ((span, event), (spans, blocks)) in self.found {
            // A place belongs to one danger only.
            let others = spans.into_iter().filter(|&other| other == span || taken.insert((other, event)));
            let mut spans: Vec<Span> = others.collect();
            spans.sort_by_key(|&other| (other != span, other));
            dangers.push(Danger { span, event, spans, blocks: blocks.into_iter().collect() });
        }
        dangers
    }
}

const MISSING: Event = Event::MissingReturnValue;

fn misses_value(code: &FuncBody) -> bool {
    code.blocks.iter().any(|block| block.term == Terminator::ReturnMissing)
}

/// Whether a format asks for anything but numbers.
fn follows_pointers(format: &[u8]) -> bool {
    let mut conversions = format.split(|&byte| byte == b'%').skip(1);
    conversions.any(|rest| {
        let letter = rest.iter().find(|byte| !b"-+ #.0123456789hlzjtL".contains(byte));
        letter.is_some_and(|letter| !b"diuxXocfFeEgGaA".contains(letter))
    })
}

impl Program {
    fn of(module: &Module) -> Program {
        let code = || module.functions.iter().filter_map(|function| function.code());
        let copies_here = |body: &FuncBody| {
            let mut insts = body.blocks.iter().flat_map(|block| &block.insts);
            insts.any(|inst| matches!(inst.kind, InstKind::Copy { .. }))
        };
        let copies_there = module.functions.iter().any(|function| copies_unwritten(&function.source_name));
        let pointers = code().flat_map(|body| body.values.iter()).filter_map(|value| match value.def {
            ValueDef::Func(func) => Some(func),
            _ => None,
        });
        let relocs = module.globals.iter().flat_map(|global| match &global.init {
            Init::Data { relocs, .. } => relocs.as_slice(),
            Init::External | Init::Device { .. } => &[],
        });
        let relocs = relocs.filter_map(|reloc| match reloc.symbol {
            quipu_ir::Symbol::Func(func) => Some(func),
            quipu_ir::Symbol::Global(_) => None,
        });
        let mut pointed: Vec<Func> = pointers.chain(relocs).collect();
        pointed.retain(|&func| {
            let function = &module.functions[func];
            function.body == Body::Declared && is_modelled(&function.source_name)
        });
        pointed.sort_unstable();
        pointed.dedup();
        Program {
            copies: copies_there || code().any(copies_here),
            misses_values: code().any(misses_value),
            pointed,
        }
    }
}

/// For each moved pointer the place of the first access through it.
fn homes(body: &FuncBody) -> BTreeMap<Value, Span> {
    let mut homes = BTreeMap::new();
    for data in body.blocks.iter() {
        for inst in data.insts.iter().rev() {
            let ptr = match inst.kind {
                InstKind::Load { ptr, .. } | InstKind::LoadBits { ptr, .. } => (ptr, inst.span),
                InstKind::Store { ptr, .. } | InstKind::StoreBits { ptr, .. } => (ptr, inst.span),
                InstKind::PtrAdd(ptr, _) => {
                    let home = inst.result.and_then(|result| homes.get(&result).copied());
                    match home {
                        Some(home) => (ptr, home),
                        None => continue,
                    }
                }
                _ => continue,
            };
            homes.insert(ptr.0, ptr.1);
        }
    }
    homes
}

/// The variables that the first block writes as a whole.
fn written(module: &Module, body: &FuncBody, addresses: &Addresses<'_>) -> BTreeMap<Slot, (Block, usize)> {
    let entry = body.entry();
    let mut found = BTreeMap::new();
    for (number, inst) in body.blocks[entry].insts.iter().enumerate() {
        let (ptr, size) = match inst.kind {
            InstKind::Store { ptr, value, .. } => (ptr, module.data_model.size_of(body.ty(value))),
            InstKind::Zero { dst, size } => (dst, size),
            _ => continue,
        };
        if let Root::Slot(slot) = addresses.of_value(ptr).root
            && !addresses.ends(slot)
            && body.slots[slot].size == size
        {
            found.entry(slot).or_insert((entry, number));
        }
    }
    found
}

fn used(body: &FuncBody) -> BTreeSet<Value> {
    body.blocks.iter().flat_map(|block| block.uses().map(|(_, value)| value)).collect()
}
