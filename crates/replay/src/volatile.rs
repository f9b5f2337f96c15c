//! Reads of volatile objects in the text of a unit, which get their values from the inputs of a run.
//!
//! A read of the lvalue `e` becomes `*({p = &e; *p; asked(p); })`: the object is read where it is, so that an access
//! that goes wrong still does, and then a copy of it with the next values of the sequence. What an operator also writes
//! (`e |= 1`) is filled in place instead. A bit-field has no address, so that the struct around it is taken.
//! [ADR 31](../../../docs/adr/0031-device-memory.md) tells why this is done in the source.

use std::collections::BTreeMap;
use std::ops::Range;

use quipu_ir::{BlockData, FuncBody, Inst, InstKind, Module, Span, Value, ValueDef};
use quipu_num::Cast;

use crate::edits::Edits;
use crate::text::Text;
use crate::unit::Unit;

/// What the reads call, for the text that they are put into. No line of its own: lines are told by sanitizers.
pub(crate) const DECLARATIONS: &str = "void*__quipu_v(void*,unsigned long,unsigned,const unsigned*,int);\
    unsigned long long __quipu_b(unsigned,int);";

/// A scalar that a read takes from the inputs, within what is read.
struct Part {
    offset: i64,
    bit: u32,
    /// In bits; what it fills may be more.
    width: u32,
    room: u32,
}

/// A read of a volatile object.
struct Read<'a> {
    /// The lvalue.
    range: Range<usize>,
    code: &'a FuncBody,
    block: &'a BlockData,
    insts: Vec<&'a Inst>,
}

/// Lets the volatile reads of a unit take their values from the inputs. The lines whose reads were not found are
/// returned.
pub(crate) fn ask_for_reads(module: &Module, unit: &Unit, edits: &mut Edits) -> Vec<u32> {
    let mut missing = Vec::new();
    for code in module.functions.iter().filter_map(quipu_ir::Function::code) {
        for (span, (block, insts)) in reads(code) {
            let range = unit.text.range(span).and_then(|range| unit.text.balanced(range));
            let done =
                range.is_some_and(|range| edit(&unit.text, &Read { range, code, block, insts }, edits));
            if !done {
                missing.push(span.line);
            }
        }
    }
    missing
}

/// The reads by their places. Code that was made twice from one place is the same read.
fn reads(code: &FuncBody) -> BTreeMap<Span, (&BlockData, Vec<&Inst>)> {
    let mut found: BTreeMap<Span, (&BlockData, Vec<&Inst>)> = BTreeMap::new();
    for block in code.blocks.iter() {
        for inst in block.insts.iter().filter(|inst| code.asks_outside(inst)) {
            let (home, insts) = found.entry(inst.span).or_insert_with(|| (block, Vec::new()));
            if std::ptr::eq(*home, block) {
                insts.push(inst);
            }
        }
    }
    found
}

/// Edits a read; false if that is not possible.
fn edit(text: &Text, read: &Read<'_>, edits: &mut Edits) -> bool {
    match read.insts[..] {
        [inst] if matches!(inst.kind, InstKind::LoadBits { .. }) => field(text, read, inst, edits),
        [inst] => {
            let bits = width_of(read.code, inst);
            let part = Part { offset: 0, bit: 0, width: bits, room: bits.next_multiple_of(8) };
            whole(read, &[part], is_changed(text, read, inst), edits);
            true
        }
        _ => match copied_parts(read) {
            Some(parts) => {
                whole(read, &parts, false, edits);
                true
            }
            None => false,
        },
    }
}

/// A read of a scalar or a struct.
fn whole(read: &Read<'_>, parts: &[Part], in_place: bool, edits: &mut Edits) {
    let number = |part: &Part| format!("{},{},{},{}", part.offset, part.bit, part.width, part.room);
    let list: Vec<String> = parts.iter().map(number).collect();
    let close = format!(
        ");(void)*__quipu_p;(__typeof__(__quipu_p))__quipu_v((void*)__quipu_p,sizeof*__quipu_p,{}u,\
         (const unsigned[]){{{}}},{});}}))",
        parts.len(),
        list.join(","),
        u32::from(in_place)
    );
    edits.wrap_closely(read.range.clone(), "(*__extension__({__auto_type __quipu_p=&(".to_string(), &close);
}

/// A read of a bit-field: `base.name` or `base->name`.
fn field(text: &Text, read: &Read<'_>, inst: &Inst, edits: &mut Edits) -> bool {
    let Range { start, end } = read.range;
    let name = text.word_before(end).to_string();
    let Some(dot) = text.previous(end - name.len()) else { return false };
    let (operator, address) = match text.at(dot) {
        b'.' => (dot..end, "&("),
        b'>' => (dot - 1..end, "("),
        _ => return false,
    };
    if name.is_empty() || operator.start <= start {
        return false;
    }
    let bits = width_of(read.code, inst);
    let next = format!("__quipu_b({bits}u,{})", u32::from(is_signed(read, inst)));
    let base = start..operator.start;
    if is_changed(text, read, inst) {
        let close = format!(";__quipu_p->{name}={next};__quipu_p;}})).{name}");
        edits.wrap_closely(base, format!("(*__extension__({{__auto_type __quipu_p={address}"), ")");
        edits.replace(operator, close);
    } else {
        let close = format!(";__auto_type __quipu_w=+__quipu_p->{name};__quipu_w={next};__quipu_w;}}))");
        edits.wrap_closely(base, format!("(__extension__({{__auto_type __quipu_p={address}"), ")");
        edits.replace(operator, close);
    }
    true
}

fn width_of(code: &FuncBody, inst: &Inst) -> u32 {
    let ty = inst.result.map(|result| code.ty(result));
    let bits = ty.and_then(|ty| ty.width().map(|w| w.bits()).or(ty.float_width().map(|w| w.bits())));
    bits.unwrap_or(64)
}

/// Whether the bits of a field are brought to the width of its type by their sign.
fn is_signed(read: &Read<'_>, inst: &Inst) -> bool {
    read.block.insts.iter().any(|other| match other.kind {
        InstKind::Cast(Cast::SExt(..), from) => Some(from) == inst.result,
        _ => false,
    })
}

/// Whether what is read is the operand of `++`, `--` or a compound assignment: the operator writes to the same place, and
/// nothing but parentheses stands between its start and the operand.
fn is_changed(text: &Text, read: &Read<'_>, inst: &Inst) -> bool {
    let place = inst.kind.operands().next();
    let within = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'+' | b'-');
    read.block.insts.iter().any(|other| {
        let (InstKind::Store { ptr, .. } | InstKind::StoreBits { ptr, .. }) = other.kind else {
            return false;
        };
        let Some(range) = text.range(other.span).and_then(|range| text.balanced(range)) else { return false };
        Some(ptr) == place
            && range.start <= read.range.start
            && read.range.end <= range.end
            && range != read.range
            && (range.start..read.range.start).all(|at| within(text.at(at)))
    })
}

/// The scalars that the copy of a struct reads, from its start on.
fn copied_parts(read: &Read<'_>) -> Option<Vec<Part>> {
    let source = read.block.insts.iter().find_map(|inst| match inst.kind {
        InstKind::Copy { src, .. } if inst.span == read.insts[0].span => Some(src),
        _ => None,
    })?;
    let (root, start) = address(read, source);
    let parts = read.insts.iter().map(|inst| {
        let (ptr, bit) = match inst.kind {
            InstKind::LoadBits { ptr, bit, .. } => (ptr, Some(bit)),
            _ => (inst.kind.operands().next()?, None),
        };
        let (own, at) = address(read, ptr);
        let width = width_of(read.code, inst);
        let room = if bit.is_some() { width } else { width.next_multiple_of(8) };
        (own == root).then(|| Part { offset: at - start, bit: bit.unwrap_or(0), width, room })
    });
    parts.collect()
}

/// What a pointer is made from, and how many bytes it was moved.
#[derive(PartialEq)]
enum Root {
    Value(Value),
    Global(quipu_ir::Global),
}

fn address(read: &Read<'_>, pointer: Value) -> (Root, i64) {
    if let ValueDef::Global(global, offset) = read.code.values[pointer].def {
        return (Root::Global(global), offset);
    }
    let moved = read.block.insts.iter().find_map(|inst| match inst.kind {
        InstKind::PtrAdd(from, by) if inst.result == Some(pointer) => match read.code.values[by].def {
            ValueDef::Const(by) => Some((from, by.cast_signed())),
            _ => None,
        },
        _ => None,
    });
    match moved {
        Some((from, by)) => {
            let (root, offset) = address(read, from);
            (root, offset.wrapping_add(by))
        }
        None => (Root::Value(pointer), 0),
    }
}
