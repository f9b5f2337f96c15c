//! The content of input objects as C initialisers.

use std::collections::BTreeMap;

use quipu_inputs::{Inputs, Interface, Leaf, Object, Spot};
use quipu_interp::{resolve, scalar};
use quipu_ir::{Field, Module, RecordKind, SourceType, TypeId};

use crate::members::size;
use crate::value::{is_char, quoted, widened};

/// The value of an object, or of a part of it.
#[derive(Clone, Debug)]
pub(crate) enum Initialiser {
    Scalar {
        text: String,
        zero: bool,
    },
    /// The bytes of a character array up to the zeros at its end.
    Text(Vec<u8>),
    Array(Vec<Initialiser>),
    /// The elements of a large array that are not zero, by number.
    Sparse(Vec<(u64, Initialiser)>),
    /// The members with their names.
    Record(Vec<(String, Initialiser)>),
}

/// Arrays with more elements are written by the elements that are not zero.
const LARGE: u64 = 256;
/// More elements of an array are not shown in a short form.
const SHOWN: usize = 8;

impl Initialiser {
    /// As C. Zeros that C supplies by itself are left out.
    pub(crate) fn c(&self) -> String {
        match self {
            Initialiser::Scalar { text, .. } => text.clone(),
            Initialiser::Text(bytes) => quoted(bytes),
            Initialiser::Array(items) => listed(items[..used(items)].iter().map(Initialiser::c)),
            Initialiser::Sparse(items) => {
                let items = items.iter().filter(|(_, value)| !value.is_zero());
                listed(items.map(|(n, value)| format!("[{n}] = {}", value.c())))
            }
            Initialiser::Record(members) => {
                let members = members.iter().filter(|(_, value)| !value.is_zero());
                listed(members.map(|(name, value)| format!(".{name} = {}", value.c())))
            }
        }
    }

    /// For people: all members of structs, and the first elements of arrays.
    pub(crate) fn short(&self) -> String {
        match self {
            Initialiser::Scalar { text, .. } => text.clone(),
            Initialiser::Text(bytes) => quoted(bytes),
            Initialiser::Array(items) => {
                let shown = if items.len() <= SHOWN { items.len() } else { SHOWN.min(used(items) + 1) };
                let rest = (shown < items.len()).then(|| "...".to_string());
                listed(items[..shown].iter().map(Initialiser::short).chain(rest))
            }
            Initialiser::Sparse(items) => {
                let items = items.iter().filter(|(_, value)| !value.is_zero());
                let items = items.map(|(n, value)| format!("[{n}] = {}", value.short()));
                listed(items.chain(["...".to_string()]))
            }
            Initialiser::Record(members) => {
                listed(members.iter().map(|(name, value)| format!(".{name} = {}", value.short())))
            }
        }
    }

    fn is_zero(&self) -> bool {
        match self {
            Initialiser::Scalar { zero, .. } => *zero,
            Initialiser::Text(bytes) => bytes.is_empty(),
            Initialiser::Array(items) => used(items) == 0,
            Initialiser::Sparse(items) => items.iter().all(|(_, value)| value.is_zero()),
            Initialiser::Record(members) => members.iter().all(|(_, value)| value.is_zero()),
        }
    }
}

/// The number of elements in front of the zeros at the end.
fn used(items: &[Initialiser]) -> usize {
    items.iter().rposition(|item| !item.is_zero()).map_or(0, |last| last + 1)
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "{0}".to_string() } else { format!("{{{}}}", items.join(", ")) }
}

/// Reads objects off the inputs of a test.
pub(crate) struct Contents<'a> {
    pub(crate) module: &'a Module,
    pub(crate) interface: &'a Interface,
    pub(crate) inputs: &'a Inputs,
    /// How a number is written.
    pub(crate) number: fn(&Module, TypeId, u64) -> String,
    /// How a pointer is written.
    pub(crate) pointer: &'a dyn Fn(Leaf) -> String,
}

impl Contents<'_> {
    /// The content of an object.
    pub(crate) fn object(&self, object: Object) -> Initialiser {
        let shape = &self.interface.objects[object];
        let places = shape.leaves.iter().filter_map(|&leaf| {
            let Spot { offset, bits, .. } = self.interface.spot_in(leaf, self.inputs)?;
            Some(((offset, bits.map(|(bit, _)| bit)), leaf))
        });
        let walk = Walk { contents: self, leaves: places.collect() };
        match shape.count {
            1 => walk.part(shape.element, 0),
            _ => walk.array(shape.element, self.interface.count_in(object, self.inputs).max(1), 0),
        }
    }

    /// The value of a scalar.
    pub(crate) fn leaf(&self, leaf: Leaf) -> Initialiser {
        let info = &self.interface.leaves[leaf];
        let bits = self.inputs.get(leaf);
        let text = if info.targets.is_some() {
            (self.pointer)(leaf)
        } else {
            (self.number)(self.module, info.source, widened(self.module, info.source, bits, info.bits()))
        };
        Initialiser::Scalar { text, zero: bits == 0 }
    }

    fn byte(&self, leaf: Leaf) -> u8 {
        self.inputs.get(leaf) as u8
    }
}

/// A walk over an object, with its leaves by byte and bit.
struct Walk<'a> {
    contents: &'a Contents<'a>,
    leaves: BTreeMap<(u64, Option<u32>), Leaf>,
}

impl Walk<'_> {
    fn part(&self, ty: TypeId, offset: u64) -> Initialiser {
        let module = self.contents.module;
        if scalar(module, ty).is_some() {
            return self.leaf(offset, None);
        }
        match &module.types[resolve(module, ty)] {
            SourceType::Array { element, len } => self.array(*element, len.unwrap_or(0), offset),
            SourceType::Record { kind, fields, .. } => self.record(*kind, fields, offset),
            _ => Initialiser::Scalar { text: "0".to_string(), zero: true },
        }
    }

    fn leaf(&self, offset: u64, bit: Option<u32>) -> Initialiser {
        match self.leaves.get(&(offset, bit)) {
            Some(&leaf) => self.contents.leaf(leaf),
            // No input: what a test leaves alone is zero.
            None => Initialiser::Scalar { text: "0".to_string(), zero: true },
        }
    }

    fn array(&self, element: TypeId, count: u64, offset: u64) -> Initialiser {
        let module = self.contents.module;
        if is_char(module, element)
            && count <= LARGE
            && let Some(text) = self.text(count, offset)
        {
            return Initialiser::Text(text);
        }
        let step = size(module, element);
        if count > LARGE && step > 0 {
            let end = (offset + count * step, None);
            let mut numbers: Vec<u64> =
                self.leaves.range((offset, None)..end).map(|((at, _), _)| (at - offset) / step).collect();
            numbers.dedup();
            let item = |n| (n, self.part(element, offset + n * step));
            return Initialiser::Sparse(numbers.into_iter().map(item).collect());
        }
        Initialiser::Array((0..count).map(|n| self.part(element, offset + n * step)).collect())
    }

    /// A character array as a string, if it holds printable text and then at least one zero and nothing else.
    fn text(&self, count: u64, offset: u64) -> Option<Vec<u8>> {
        // What is no input is zero.
        let byte = |n| self.leaves.get(&(offset + n, None)).map_or(0, |&leaf| self.contents.byte(leaf));
        let bytes: Vec<u8> = (0..count).map(byte).collect();
        let end = bytes.iter().position(|&byte| byte == 0)?;
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        let fits = bytes[..end].iter().all(is_plain) && bytes[end..].iter().all(|&byte| byte == 0);
        fits.then(|| bytes[..end].to_vec())
    }

    fn record(&self, kind: RecordKind, fields: &[Field], offset: u64) -> Initialiser {
        let most = if kind == RecordKind::Union { 1 } else { fields.len() };
        let mut members = Vec::new();
        for field in fields.iter().take(most) {
            let at = offset + field.offset;
            match (&field.name, field.bits) {
                (Some(name), Some((bit, _))) => members.push((name.clone(), self.leaf(at, Some(bit)))),
                (Some(name), None) => members.push((name.clone(), self.part(field.ty, at))),
                (None, Some(_)) => {}
                // Members of an anonymous record are members of the record around it (6.7.2.1p13).
                (None, None) => match self.part(field.ty, at) {
                    Initialiser::Record(inner) => members.extend(inner),
                    _ => unreachable!("only a record may be anonymous"),
                },
            }
        }
        Initialiser::Record(members)
    }
}
