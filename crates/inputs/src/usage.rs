//! What the code does with its inputs: which number bounds the index into which array, and which bytes are a string.
//!
//! These are guesses. They decide what shape an input gets, which is told as an assumption; nothing is proved by them.

use std::collections::{BTreeMap, BTreeSet};

use quipu_base::IdVec;
use quipu_ir::{Callee, Func, FuncBody, Inst, InstKind, Module, Span, Terminator, Ty, Value, ValueDef};
use quipu_num::IntOp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::numbers::Needed;
use crate::path::{Path, Root};
use crate::spans::Used;

/// How a function uses its inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// For an array the numbers that its index is compared with; the first is the best guess.
    lengths: FxHashMap<Path, Vec<Bound>>,
    /// The numbers by which an index is multiplied: the length of a row.
    strides: FxHashMap<Path, Vec<Path>>,
    /// What is read up to a zero byte, and where that is looked for.
    strings: FxHashMap<Path, Span>,
    /// Pointers through which memory is read or written or a function is called, and where first.
    followed: FxHashMap<Path, Span>,
    /// Pointers that are compared with null.
    tested: FxHashSet<Path>,
    /// How much the code uses of what pointers point to.
    spans: FxHashMap<Path, Used>,
    /// Pointers that are used with a computed index.
    pub(crate) walked: FxHashSet<Path>,
    /// Pointers that are used with an index made of more than constants.
    scattered: FxHashSet<Path>,
    /// Pointers of which it matters where they point: they are compared, subtracted or handed on.
    pub(crate) placed: FxHashSet<Path>,
    /// How far pointers are moved by constants.
    moved: FxHashMap<Path, Used>,
    /// Pointers that are compared with each other, or subtracted.
    pub(crate) related: FxHashSet<(Path, Path)>,
    /// Pointers that are compared with addresses, and these.
    pub(crate) addresses: BTreeSet<(Path, u64)>,
    /// The most bytes by which a computed index moves a pointer.
    pub(crate) strays: FxHashMap<Path, u64>,
    /// What must hold of numbers that are used as they are.
    needed: BTreeMap<Path, Needed>,
    /// Numbers that are compared.
    pub(crate) weighed: FxHashSet<Path>,
    /// The largest of the small constants with which numbers are compared.
    compared: FxHashMap<Path, u64>,
}

/// A number with which an index into an array is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    pub length: Path,
    pub compared: Span,
    /// How many bytes of the array belong to each unit of the number; none if that is one element.
    pub bytes: Option<u64>,
}

/// What an index into an array is made of.
struct Index {
    array: Path,
    values: FxHashSet<Value>,
    /// By how many bytes those of them that are known to be multiplied move the pointer.
    scales: FxHashMap<Value, u64>,
    /// The inputs among them, which may be read again and again.
    inputs: FxHashSet<Path>,
}

impl Index {
    fn of(array: Path) -> Index {
        let (values, scales, inputs) = (FxHashSet::default(), FxHashMap::default(), FxHashSet::default());
        Index { array, values, scales, inputs }
    }
}

/// The length of an array, as the code suggests it.
pub(crate) struct SuggestedLength {
    /// The numbers whose product it is.
    pub factors: Vec<Path>,
    /// Where an index is compared with the first of them.
    pub compared: Span,
    /// How many bytes belong to each unit of it; none if that is one element.
    pub bytes: Option<u64>,
}

/// Larger factors between a length and an index are no hint at the size of an array.
const FAR_FACTOR: u64 = 64;

/// Calls are followed so far.
const DEPTH: u32 = 6;

impl Usage {
    pub fn of(module: &Module, func: Func) -> Usage {
        usage_of(module, func, DEPTH, &mut FxHashMap::default())
    }

    pub fn length(&self, array: &Path) -> Option<SuggestedLength> {
        let bounds = self.lengths.get(array)?;
        let Bound { length, compared, bytes } = bounds.first()?.clone();
        let rows = self.strides.get(array).and_then(|strides| {
            let stride = strides.first()?;
            let other = bounds.iter().find(|bound| bound.length != *stride)?;
            let factors = vec![other.length.clone(), stride.clone()];
            Some(SuggestedLength { factors, compared: other.compared, bytes: None })
        });
        Some(rows.unwrap_or_else(|| SuggestedLength { factors: vec![length], compared, bytes }))
    }

    /// How much the code uses of what a pointer points to.
    pub fn span(&self, path: &Path) -> Used {
        self.spans.get(path).copied().unwrap_or(Used { from: 0, to: 0 })
    }

    pub(crate) fn uses(&mut self, path: &Path, used: Used) {
        let known = self.spans.entry(path.clone()).or_insert(used);
        *known = known.join(used);
    }

    pub(crate) fn moves(&mut self, path: &Path, by: Used) {
        let known = self.moved.entry(path.clone()).or_insert(by);
        *known = known.join(by);
    }

    /// Whether it matters to the code to which element of an array a pointer points, if these have so many bytes.
    pub fn is_placed(&self, path: &Path, element: u64) -> bool {
        let leaves = |by: &Used| by.from < 0 || by.to.unsigned_abs() >= element;
        self.placed.contains(path) || self.is_walked(path) || self.moved.get(path).is_some_and(leaves)
    }

    /// Whether an array has elements that the code computes.
    pub fn is_walked(&self, path: &Path) -> bool {
        self.walked.contains(path)
    }

    /// Whether an array is only used at indices that are counted, by constants from constants.
    pub fn is_counted(&self, path: &Path) -> bool {
        self.walked.contains(path) && !self.scattered.contains(path)
    }

    /// Whether two pointers belong to one object.
    pub fn are_related(&self, a: &Path, b: &Path) -> bool {
        self.related.contains(&(a.clone(), b.clone())) || self.related.contains(&(b.clone(), a.clone()))
    }

    /// Whether a pointer belongs to the object of some other one.
    pub fn is_related(&self, path: &Path) -> bool {
        self.related.iter().any(|(a, b)| a == path || b == path)
    }

    /// The addresses with which a pointer is compared.
    pub fn addresses(&self, path: &Path) -> impl Iterator<Item = u64> {
        self.addresses.iter().filter(move |(own, _)| own == path).map(|(_, address)| *address)
    }

    /// Where the end of a string is looked for.
    pub fn string_end(&self, path: &Path) -> Option<Span> {
        self.strings.get(path).copied()
    }

    /// What must hold of numbers that are used as they are and never compared.
    pub fn needed(&self) -> impl Iterator<Item = (&Path, Needed)> {
        let untested = self.needed.iter().filter(|(path, _)| !self.weighed.contains(path));
        untested.map(|(path, needed)| (path, *needed))
    }

    pub(crate) fn needs(&mut self, path: &Path, needed: Needed) {
        let known = self.needed.entry(path.clone()).or_default();
        *known = known.and(needed);
    }

    /// The largest of the small constants with which a number is compared.
    pub fn largest_compared(&self, path: &Path) -> Option<u64> {
        self.compared.get(path).copied()
    }

    pub(crate) fn compares(&mut self, path: &Path, with: u64) {
        let known = self.compared.entry(path.clone()).or_default();
        *known = with.max(*known);
    }

    /// Whether computed indices choose parts of an element of so many bytes, and never between elements.
    pub fn stays_within(&self, path: &Path, element: u64) -> bool {
        self.strays.get(path).is_none_or(|&most| most < element)
    }

    pub(crate) fn strays_by(&mut self, path: &Path, most: u64) {
        let known = self.strays.entry(path.clone()).or_default();
        *known = most.max(*known);
    }

    /// Where a pointer is followed, if it is never compared with null.
    pub fn followed_untested(&self, path: &Path) -> Option<Span> {
        self.followed.get(path).copied().filter(|_| !self.tested.contains(path))
    }

    /// What another usage of the same inputs adds; what is known already stays first.
    fn add(&mut self, other: Usage) {
        for (array, lengths) in other.lengths {
            lengths.into_iter().for_each(|bound| self.bound(&array, bound));
        }
        for (array, strides) in other.strides {
            self.strides.entry(array).or_default().extend(strides);
        }
        for (path, end) in other.strings {
            self.strings.entry(path).or_insert(end);
        }
        for (path, at) in other.followed {
            self.followed.entry(path).or_insert(at);
        }
        self.tested.extend(other.tested);
        other.spans.into_iter().for_each(|(path, used)| self.uses(&path, used));
        self.walked.extend(other.walked);
        self.scattered.extend(other.scattered);
        self.placed.extend(other.placed);
        other.moved.into_iter().for_each(|(path, by)| self.moves(&path, by));
        self.related.extend(other.related);
        self.addresses.extend(other.addresses);
        other.strays.iter().for_each(|(path, most)| self.strays_by(path, *most));
        other.needed.iter().for_each(|(path, needed)| self.needs(path, *needed));
        self.weighed.extend(other.weighed);
        other.compared.iter().for_each(|(path, with)| self.compares(path, *with));
    }

    fn bound(&mut self, array: &Path, bound: Bound) {
        let lengths = self.lengths.entry(array.clone()).or_default();
        match lengths.iter_mut().find(|known| known.length == bound.length) {
            Some(known) => known.bytes = known.bytes.max(bound.bytes),
            None if *array != bound.length => lengths.push(bound),
            None => {}
        }
    }
}

fn usage_of(module: &Module, func: Func, depth: u32, known: &mut FxHashMap<Func, Usage>) -> Usage {
    if let Some(usage) = known.get(&func) {
        return usage.clone();
    }
    let Some(code) = module.functions[func].code().filter(|_| depth > 0) else { return Usage::default() };
    // A function that calls itself is not looked at twice.
    known.insert(func, Usage::default());
    let mut reader = Reader::new(module, code);
    reader.find_origins();
    reader.find_bounds();
    reader.find_strings();
    reader.find_followed();
    reader.find_spans();
    reader.find_placed(depth);
    reader.find_numbers();
    reader.find_calls(module, depth, known);
    known.insert(func, reader.usage.clone());
    reader.usage
}

/// Where a value comes from: an input, perhaps moved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub path: Path,
    /// For a pointer: constant distances only.
    pub moved: u64,
    /// For a pointer: whether it walks, or has been indexed.
    pub walks: bool,
}

pub(crate) struct Reader<'m> {
    pub module: &'m Module,
    pub code: &'m FuncBody,
    /// The instructions that compute values.
    pub makers: IdVec<Value, Option<&'m InstKind>>,
    origins: IdVec<Value, Option<Origin>>,
    pub usage: Usage,
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module, code: &'m FuncBody) -> Reader<'m> {
        let mut makers = IdVec::filled(None, code.values.len());
        for inst in code.blocks.iter().flat_map(|block| &block.insts) {
            if let Some(result) = inst.result {
                makers[result] = Some(&inst.kind);
            }
        }
        Reader {
            module,
            code,
            makers,
            origins: IdVec::filled(None, code.values.len()),
            usage: Usage::default(),
        }
    }

    pub fn insts(&self) -> impl Iterator<Item = &'m Inst> + use<'m> {
        self.code.blocks.iter().flat_map(|block| &block.insts)
    }

    /// Follows inputs through copies, casts, small changes and loads, until nothing new is found.
    fn find_origins(&mut self) {
        let code = self.code;
        for (n, &param) in code.blocks[code.entry()].params.iter().enumerate() {
            self.origins[param] = Some(Origin { path: Path::argument(n), moved: 0, walks: false });
        }
        for (value, data) in code.values.entries() {
            if let ValueDef::Global(global, offset) = data.def {
                let moved = offset.cast_unsigned();
                self.origins[value] = Some(Origin { path: Path::global(global), moved, walks: false });
            }
        }
        loop {
            let mut changed = false;
            for inst in self.insts() {
                let Some(result) = inst.result.filter(|&result| self.origins[result].is_none()) else {
                    continue;
                };
                self.origins[result] = self.origin(&inst.kind);
                changed |= self.origins[result].is_some();
            }
            for block in code.blocks.iter() {
                for edge in block.term.edges() {
                    for (&argument, &param) in edge.args.iter().zip(&code.blocks[edge.target].params) {
                        if self.origins[param].is_none() && self.origins[argument].is_some() {
                            let origin = self.origins[argument].clone();
                            self.origins[param] = origin.map(|origin| Origin { walks: true, ..origin });
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn origin(&self, kind: &InstKind) -> Option<Origin> {
        let of = |value: Value| self.origins[value].clone();
        match *kind {
            InstKind::Cast(_, a) => of(a),
            InstKind::Select(_, a, b) => of(a).or(of(b)),
            InstKind::Int(IntOp::Add | IntOp::Sub, a, b) if self.constant(b).is_some() => of(a),
            InstKind::PtrAdd(pointer, delta) => {
                let origin = of(pointer)?;
                Some(match self.constant(delta) {
                    Some(by) => Origin { moved: origin.moved.wrapping_add(by), ..origin },
                    None => Origin { walks: true, ..origin },
                })
            }
            InstKind::Load { ptr, .. } => {
                let origin = of(ptr)?;
                Some(Origin { path: origin.path.at(origin.moved), moved: 0, walks: false })
            }
            _ => None,
        }
    }

    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.code.values[value].def {
            ValueDef::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// Comparisons of an index, a counter or a pointer with what a length may be.
    fn find_bounds(&mut self) {
        let indices = self.indices();
        let comparisons: Vec<(Value, Value, Span)> = self
            .insts()
            .filter_map(|inst| match inst.kind {
                InstKind::IntCmp(_, a, b) => Some([(a, b, inst.span), (b, a, inst.span)]),
                _ => None,
            })
            .flatten()
            .collect();
        for &(x, y, compared) in &comparisons {
            let index = self.number(x);
            for one in &indices {
                let is_index =
                    one.values.contains(&x) || index.as_ref().is_some_and(|x| one.inputs.contains(x));
                if let Some((length, times, over)) = self.measure(y).filter(|_| is_index) {
                    let scale = self.scale_in(one, x);
                    let bytes = scale.map(|scale| scale.saturating_mul(times).div_ceil(over));
                    self.usage.bound(&one.array, Bound { length, compared, bytes });
                }
            }
            self.end_pointer(x, y, compared);
        }
        // A counter says less than a comparison.
        for (x, y, compared) in comparisons {
            self.counter(x, y, compared, &indices);
        }
    }

    /// The input that a number is, as it is or with something small added.
    pub fn number(&self, value: Value) -> Option<Path> {
        let is_number = matches!(self.code.ty(value), Ty::Int(_));
        self.origins[value].as_ref().filter(|_| is_number).map(|origin| origin.path.clone())
    }

    /// The input of which a number is a multiple or a part: by what it is multiplied, and by what it is divided.
    fn measure(&self, value: Value) -> Option<(Path, u64, u64)> {
        if let Some(path) = self.number(value) {
            return Some((path, 1, 1));
        }
        let Some(InstKind::Int(op, a, b)) = self.makers[value] else { return None };
        let (a, b) = if *op == IntOp::Mul && self.constant(*a).is_some() { (b, a) } else { (a, b) };
        let constant = self.constant(*b).filter(|&by| (1..=FAR_FACTOR).contains(&by))?;
        let (path, times, over) = self.measure(*a)?;
        match op {
            IntOp::Mul => Some((path, times.saturating_mul(constant), over)),
            IntOp::Shl => Some((path, times.saturating_mul(1 << constant.min(8)), over)),
            IntOp::SDiv | IntOp::UDiv => Some((path, times, over.saturating_mul(constant))),
            IntOp::LShr | IntOp::AShr => Some((path, times, over.saturating_mul(1 << constant.min(8)))),
            _ => None,
        }
    }

    /// By how many bytes a part of an index moves the pointer, however it was read.
    fn scale_in(&self, index: &Index, part: Value) -> Option<u64> {
        let same = |value: &Value| {
            *value == part || self.number(part).is_some_and(|path| self.number(*value) == Some(path))
        };
        index.scales.iter().filter(|(value, _)| same(value)).map(|(_, &scale)| scale).max()
    }

    pub fn pointer(&self, value: Value) -> Option<&Origin> {
        self.origins[value].as_ref().filter(|_| self.code.ty(value) == Ty::Ptr)
    }

    /// For each array the values of which an index into it is made.
    fn indices(&mut self) -> Vec<Index> {
        let sources = self.sources();
        let mut indices: Vec<Index> = Vec::new();
        for inst in self.insts() {
            let InstKind::PtrAdd(pointer, delta) = inst.kind else { continue };
            let Some(array) = self.pointer(pointer).map(|origin| origin.path.clone()) else { continue };
            if self.constant(delta).is_some() {
                continue;
            }
            let position = indices.iter().position(|known| known.array == array).unwrap_or_else(|| {
                indices.push(Index::of(array.clone()));
                indices.len() - 1
            });
            for (value, scale) in self.scales(delta) {
                let known = indices[position].scales.entry(value).or_default();
                *known = scale.max(*known);
            }
            let mut open = vec![delta];
            while let Some(value) = open.pop() {
                if indices[position].values.insert(value) {
                    indices[position].inputs.extend(self.number(value));
                    open.extend(&sources[value]);
                    self.stride(&array, value);
                    if sources[value].is_empty() && self.constant(value).is_none() {
                        self.usage.scattered.insert(array.clone());
                    }
                }
            }
        }
        indices
    }

    /// For each value those of which arithmetic makes it.
    fn sources(&self) -> IdVec<Value, Vec<Value>> {
        let mut sources = IdVec::filled(Vec::new(), self.code.values.len());
        for inst in self.insts() {
            let Some(result) = inst.result else { continue };
            if matches!(inst.kind, InstKind::Cast(..) | InstKind::Int(..) | InstKind::IntUnary(..)) {
                sources[result].extend(inst.kind.operands());
            }
        }
        for block in self.code.blocks.iter() {
            for edge in block.term.edges() {
                for (&argument, &param) in edge.args.iter().zip(&self.code.blocks[edge.target].params) {
                    sources[param].push(argument);
                }
            }
        }
        sources
    }

    /// An index of the form `i * columns + j`.
    fn stride(&mut self, array: &Path, product: Value) {
        let Some(InstKind::Int(IntOp::Mul, a, b)) = self.makers[product] else { return };
        for (x, other) in [(*a, *b), (*b, *a)] {
            if let Some(columns) = self.number(x).filter(|_| self.constant(other).is_none()) {
                self.usage.strides.entry(array.clone()).or_default().push(columns);
            }
        }
    }

    /// A pointer that is compared with `p + n`.
    fn end_pointer(&mut self, x: Value, y: Value, compared: Span) {
        let (Some(a), Some(b)) = (self.pointer(x), self.pointer(y)) else { return };
        if a.path != b.path {
            return;
        }
        let array = a.path.clone();
        let Some(InstKind::PtrAdd(_, delta)) = self.makers[y] else { return };
        if let Some(length) = self.number(self.unscaled(*delta)) {
            self.usage.bound(&array, Bound { length, compared, bytes: None });
        }
    }

    /// A number of elements, from a number of bytes.
    fn unscaled(&self, delta: Value) -> Value {
        match self.makers[delta] {
            Some(InstKind::Int(IntOp::Mul | IntOp::Shl, a, b)) if self.constant(*b).is_some() => *a,
            _ => delta,
        }
    }

    /// A length that is counted down to a constant, while a pointer walks.
    fn counter(&mut self, x: Value, y: Value, compared: Span, indices: &[Index]) {
        let entry = &self.code.blocks[self.code.entry()].params;
        let Some(length) = self.number(x).filter(|_| self.constant(y).is_some() && !entry.contains(&x))
        else {
            return;
        };
        if !self.counts_down(x) {
            return;
        }
        let entry = self.code.entry();
        let inner = self.code.blocks.entries().filter(|(block, _)| *block != entry);
        let walking = inner.flat_map(|(_, block)| &block.params).filter_map(|&param| self.pointer(param));
        let walked: Vec<Path> = walking.map(|origin| origin.path.clone()).collect();
        let indexed = indices.iter().filter(|one| one.values.contains(&x)).map(|one| one.array.clone());
        let arrays: FxHashSet<Path> = walked.into_iter().chain(indexed).collect();
        let mut arrays: Vec<Path> = arrays.into_iter().collect();
        arrays.sort_unstable();
        for array in arrays {
            self.usage.bound(&array, Bound { length: length.clone(), compared, bytes: None });
        }
    }

    /// Whether a value, or what it is made of, is a smaller version of itself in the next turn of a loop.
    fn counts_down(&self, value: Value) -> bool {
        let param = match self.makers[value] {
            Some(InstKind::Int(IntOp::Sub | IntOp::Add, a, _)) => *a,
            _ => value,
        };
        let is_less = |argument: Value| {
            let Some(InstKind::Int(op, a, b)) = self.makers[argument] else { return false };
            let by = self.constant(*b).filter(|_| *a == param);
            match op {
                IntOp::Sub => by.is_some(),
                IntOp::Add => by.is_some_and(|by| self.is_negative(param, by)),
                _ => false,
            }
        };
        self.code.blocks.iter().any(|block| {
            block.term.edges().any(|edge| {
                let params = &self.code.blocks[edge.target].params;
                edge.args.iter().zip(params).any(|(&argument, &one)| one == param && is_less(argument))
            })
        })
    }

    fn is_negative(&self, value: Value, bits: u64) -> bool {
        self.code.ty(value).width().is_some_and(|width| width.signed(bits) < 0)
    }

    /// Bytes of an array that are compared with zero.
    fn find_strings(&mut self) {
        let mut bytes: FxHashMap<Value, Path> = FxHashMap::default();
        for inst in self.insts() {
            let (Some(result), InstKind::Load { ptr, .. }) = (inst.result, &inst.kind) else { continue };
            if let Some(origin) =
                self.pointer(*ptr).filter(|origin| origin.walks && self.code.ty(result) == Ty::I8)
            {
                bytes.insert(result, origin.path.clone());
            }
        }
        loop {
            let mut more = Vec::new();
            for inst in self.insts() {
                if let (Some(result), InstKind::Cast(_, a)) = (inst.result, &inst.kind)
                    && !bytes.contains_key(&result)
                    && let Some(path) = bytes.get(a)
                {
                    more.push((result, path.clone()));
                }
            }
            if more.is_empty() {
                break;
            }
            bytes.extend(more);
        }
        let is_zero = |value: Value| self.constant(value) == Some(0);
        let mut found: Vec<(Path, Span)> = Vec::new();
        for inst in self.insts() {
            if let InstKind::IntCmp(_, a, b) = inst.kind
                && let Some(path) =
                    bytes.get(&a).filter(|_| is_zero(b)).or(bytes.get(&b).filter(|_| is_zero(a)))
            {
                found.push((path.clone(), inst.span));
            }
        }
        for block in self.code.blocks.iter() {
            if let Terminator::Switch { value, cases, .. } = &block.term
                && let Some(path) = bytes.get(value)
                && cases.iter().any(|case| case.low == 0)
            {
                found.push((path.clone(), block.span));
            }
        }
        for (path, end) in found {
            self.usage.strings.entry(path).or_insert(end);
        }
    }

    /// A pointer is followed.
    fn follow(&mut self, pointer: Value, at: Span) {
        if let Some(path) = self.pointer(pointer).map(|origin| origin.path.clone()) {
            self.usage.followed.entry(path).or_insert(at);
        }
    }

    /// Pointers that lead to memory or are called, and those that are compared with null.
    fn find_followed(&mut self) {
        for inst in self.insts() {
            match inst.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::LoadBits { ptr, .. }
                | InstKind::StoreBits { ptr, .. } => self.follow(ptr, inst.span),
                InstKind::Copy { dst, src, .. } => {
                    self.follow(dst, inst.span);
                    self.follow(src, inst.span);
                }
                InstKind::Zero { dst, .. } => self.follow(dst, inst.span),
                InstKind::Call(Callee::Indirect(function), _) => self.follow(function, inst.span),
                InstKind::IntCmp(_, a, b) => {
                    for (x, y) in [(a, b), (b, a)] {
                        match (self.pointer(x), self.constant(y)) {
                            (Some(origin), Some(0)) => _ = self.usage.tested.insert(origin.path.clone()),
                            (Some(origin), Some(address)) if origin.moved == 0 && !origin.walks => {
                                self.usage.addresses.insert((origin.path.clone(), address));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What callees do with the inputs that they are given.
    fn find_calls(&mut self, module: &Module, depth: u32, known: &mut FxHashMap<Func, Usage>) {
        for inst in self.insts() {
            let InstKind::Call(Callee::Direct(callee), args) = &inst.kind else { continue };
            let function = &module.functions[*callee];
            let inner = match function.code() {
                Some(_) => usage_of(module, *callee, depth - 1, known),
                None => library_usage(&function.source_name, inst.span),
            };
            self.take_over(&inner, args);
        }
    }

    /// How far behind an input a pointer points.
    fn moved(&self, value: Option<&Value>) -> i64 {
        let origin = value.and_then(|&value| self.origins[value].as_ref());
        origin.map_or(0, |origin| origin.moved.cast_signed())
    }

    fn take_over(&mut self, inner: &Usage, args: &[Value]) {
        let outer = |path: &Path| match path.root {
            Root::Global(_) => Some(path.clone()),
            Root::Argument(n) => {
                let origin = self.origins[*args.get(n)?].as_ref()?;
                Some(path.in_caller(&origin.path, origin.moved))
            }
        };
        let mut found = Usage::default();
        for (array, lengths) in &inner.lengths {
            for bound in lengths {
                if let Some((array, length)) = outer(array).zip(outer(&bound.length)) {
                    found.bound(&array, Bound { length, ..bound.clone() });
                }
            }
        }
        for (array, strides) in &inner.strides {
            let strides: Vec<Path> = strides.iter().filter_map(outer).collect();
            if let Some(array) = outer(array) {
                found.strides.entry(array).or_default().extend(strides);
            }
        }
        let placed = |(path, &at): (&Path, &Span)| outer(path).map(|path| (path, at));
        let start = |path: &Path| match path.root {
            Root::Argument(n) if path.offsets.is_empty() => self.moved(args.get(n)),
            _ => 0,
        };
        for (path, used) in &inner.spans {
            if let Some(outer) = outer(path) {
                found.uses(&outer, used.moved(start(path)));
            }
        }
        for (path, by) in &inner.moved {
            if let Some(outer) = outer(path) {
                found.moves(&outer, by.moved(start(path)));
            }
        }
        found.placed = inner.placed.iter().filter_map(outer).collect();
        found.walked = inner.walked.iter().filter_map(outer).collect();
        found.scattered = inner.scattered.iter().filter_map(outer).collect();
        found.related = inner.related.iter().filter_map(|(a, b)| outer(a).zip(outer(b))).collect();
        found.addresses =
            inner.addresses.iter().filter_map(|(path, address)| Some((outer(path)?, *address))).collect();
        for (path, most) in &inner.strays {
            if let Some(outer) = outer(path) {
                found.strays_by(&outer, *most);
            }
        }
        for (path, needed) in &inner.needed {
            let is_same = match path.root {
                Root::Argument(n) if path.offsets.is_empty() => {
                    args.get(n).is_some_and(|&argument| self.plain(argument).is_some())
                }
                _ => true,
            };
            if let Some(outer) = outer(path).filter(|_| is_same) {
                found.needs(&outer, *needed);
            }
        }
        found.weighed = inner.weighed.iter().filter_map(outer).collect();
        for (path, with) in &inner.compared {
            if let Some(outer) = outer(path) {
                found.compares(&outer, *with);
            }
        }
        found.strings = inner.strings.iter().filter_map(placed).collect();
        found.followed = inner.followed.iter().filter_map(placed).collect();
        found.tested = inner.tested.iter().filter_map(outer).collect();
        self.usage.add(found);
    }
}

/// What library functions do with their arguments.
fn library_usage(name: &str, call: Span) -> Usage {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let (strings, lengths): (&[usize], &[(usize, usize)]) = match plain {
        "strlen" | "atoi" | "atol" | "atoll" | "atof" | "strtol" | "strtoul" | "strtoll" | "strtoull"
        | "strtod" | "strtof" | "strdup" | "strndup" | "strchr" | "strrchr" | "puts" | "fputs" | "sscanf" => {
            (&[0], &[])
        }
        "strcmp" | "strcasecmp" | "strstr" | "strspn" | "strcspn" | "strpbrk" | "strcoll" | "strncmp"
        | "strncasecmp" | "strcat" | "strncat" | "strtok" | "strtok_r" => (&[0, 1], &[]),
        "strcpy" | "stpcpy" => (&[1], &[]),
        "strncpy" => (&[1], &[(0, 2)]),
        "memcpy" | "memmove" | "memcmp" => (&[], &[(0, 2), (1, 2)]),
        "memset" | "memchr" => (&[], &[(0, 2)]),
        "fgets" | "snprintf" | "vsnprintf" | "qsort" => (&[], &[(0, 1)]),
        "bsearch" => (&[], &[(1, 2)]),
        _ => (&[], &[]),
    };
    let mut usage = Usage::default();
    usage.strings.extend(strings.iter().map(|&n| (Path::argument(n), call)));
    for &(array, length) in lengths {
        let bound = Bound { length: Path::argument(length), compared: call, bytes: None };
        usage.bound(&Path::argument(array), bound);
    }
    // All of them follow these pointers and test none of them.
    let pointers = strings.iter().copied().chain(lengths.iter().map(|&(array, _)| array));
    usage.followed = pointers.map(|n| (Path::argument(n), call)).collect();
    usage
}
