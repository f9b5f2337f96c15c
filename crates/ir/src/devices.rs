//! Memory at addresses that the program names by numbers: the registers of devices.
//!
//! A pointer made from a constant leads to something that is there before the program is. Around each such constant a
//! block of addresses is added to the module as an object of its own, [`Init::Device`]. Constants are those that stand
//! as pointers in code and in initial values, and the numbers from which pointers are computed by additions, also by
//! callers. What is computed from anything else names no new block, but for [registers](crate::registers) of which only
//! callers know where they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::function::{FuncBody, Value, ValueDef};
use crate::inst::{Callee, Inst, InstKind};
use crate::module::{Func, Global, GlobalData, Init, Module};
use crate::registers::Bases;
use crate::source::{FileId, Span};
use crate::source_type::{Field, RecordKind, SourceType, TypeId};
use crate::ty::Ty;
use quipu_base::Id;
use quipu_num::IntOp;

/// Blocks start and end at multiples of this: devices rarely have more registers behind one address.
const GRAIN: u64 = 1 << 16;
/// Addresses below belong to null.
pub const NULL_PAGE: u64 = 4096;
/// Numbers below, from which pointers are computed, are taken for offsets.
const LEAST_BASE: u64 = 1 << 16;
/// Numbers from here on are no addresses of devices: -1 and its neighbours mark ends and failures. With 64-bit pointers
/// it is also where the objects of the program begin.
const END: u64 = (1 << 32) - GRAIN;
/// Devices start at multiples of this.
const REGISTER: u64 = 4;
/// Where registers are if nobody says it, as those of many controllers are.
const USUAL: u64 = 0x4000_0000;
/// From a copy so many bytes are taken for inputs.
const MOST_COPIED: u64 = 256;

/// Adds the blocks of addresses that a program names by numbers.
pub fn add_devices(module: &mut Module) {
    let mut search =
        Search { module, found: BTreeSet::new(), scalars: BTreeMap::new(), seen: BTreeSet::new() };
    search.functions();
    search.initial_values();
    search.registers();
    let Search { found, scalars, .. } = search;
    for (start, end) in blocks(&found) {
        let inside = scalars.range(start..end).map(|(&address, &ty)| (address - start, ty)).collect();
        add_block(module, start, end - start, inside);
    }
}

/// The addresses that a program names, and what it reads there as ordinary memory.
struct Search<'m> {
    module: &'m Module,
    found: BTreeSet<u64>,
    scalars: BTreeMap<u64, Ty>,
    /// The numbers whose origins are known.
    seen: BTreeSet<(Func, Value)>,
}

impl Search<'_> {
    fn functions(&mut self) {
        let module = self.module;
        for (func, function) in module.functions.entries() {
            let Some(body) = function.code() else { continue };
            for block in body.blocks.iter() {
                for inst in &block.insts {
                    self.inst(func, body, inst);
                }
                let passed = block.term.edges().flat_map(|edge| edge.args.iter().copied());
                passed.chain(block.term.operand()).for_each(|value| self.pointer(body, value));
            }
        }
    }

    fn inst(&mut self, func: Func, body: &FuncBody, inst: &Inst) {
        match &inst.kind {
            // What pointers are compared with may be a mark that is no address.
            InstKind::IntCmp(_, a, b) => {
                return [*a, *b].iter().for_each(|&value| self.compared(body, value));
            }
            InstKind::PtrToInt(_) => return,
            InstKind::IntToPtr(number) => self.number(func, *number),
            InstKind::Load { ptr, .. } if !body.asks_outside(inst) => {
                let ty = inst.result.map(|result| body.ty(result)).filter(|&ty| ty != Ty::Ptr);
                if let (Some(ty), Some(address)) = (ty, address(body, *ptr)) {
                    self.scalar(address, ty);
                }
            }
            InstKind::LoadBits { ptr, volatile: false, .. } => self.bytes(address(body, *ptr), 8),
            InstKind::Copy { src, size, .. } => self.bytes(address(body, *src), (*size).min(MOST_COPIED)),
            _ => {}
        }
        inst.kind.operands().for_each(|value| self.pointer(body, value));
    }

    /// Registers whose place is told from outside are where the code expects some of them, or at the usual place.
    fn registers(&mut self) {
        let Bases { open, compared } = Bases::of(self.module);
        compared
            .into_iter()
            .filter(|number| number.is_multiple_of(REGISTER))
            .for_each(|number| self.add(number, LEAST_BASE));
        if open && self.found.is_empty() {
            self.add(USUAL, LEAST_BASE);
        }
    }

    fn pointer(&mut self, body: &FuncBody, value: Value) {
        let data = &body.values[value];
        if let (Ty::Ptr, ValueDef::Const(address)) = (data.ty, data.def) {
            self.add(address, NULL_PAGE);
        }
    }

    fn compared(&mut self, body: &FuncBody, value: Value) {
        let data = &body.values[value];
        if let (Ty::Ptr, ValueDef::Const(address)) = (data.ty, data.def)
            && address.is_multiple_of(REGISTER)
        {
            self.add(address, LEAST_BASE);
        }
    }

    fn add(&mut self, address: u64, least: u64) {
        if (least..END).contains(&address) {
            self.found.insert(address);
        }
    }

    /// A scalar that is read as ordinary memory; bytes where it overlaps another one.
    fn scalar(&mut self, address: u64, ty: Ty) {
        let size = self.module.data_model.size_of(ty);
        let before = self.scalars.range(..address).next_back();
        let overlaps = before.is_some_and(|(&at, &ty)| at + self.module.data_model.size_of(ty) > address)
            || self.scalars.range(address..address.saturating_add(size)).next().is_some();
        match overlaps {
            false => _ = self.scalars.insert(address, ty),
            true if size > 1 => (0..size).for_each(|n| self.scalar(address + n, Ty::I8)),
            true => {}
        }
    }

    fn bytes(&mut self, address: Option<u64>, count: u64) {
        for n in 0..address.map_or(0, |_| count) {
            self.scalar(address.unwrap_or(0).saturating_add(n), Ty::I8);
        }
    }

    /// The constants from which a number is computed by additions.
    fn number(&mut self, func: Func, value: Value) {
        if !self.seen.insert((func, value)) {
            return;
        }
        let module = self.module;
        let Some(body) = module.functions[func].code() else { return };
        match body.values[value].def {
            ValueDef::Const(bits) => return self.add(bits, LEAST_BASE),
            ValueDef::Global(..) | ValueDef::Func(_) => return,
            ValueDef::Computed => {}
        }
        for block in body.blocks.iter() {
            let inst = block.insts.iter().find(|inst| inst.result == Some(value));
            if let Some(inst) = inst {
                return self.computed(func, body, inst);
            }
        }
        self.parameter(func, body, value);
    }

    fn computed(&mut self, func: Func, body: &FuncBody, inst: &Inst) {
        match inst.kind {
            InstKind::Int(IntOp::Add | IntOp::Or, a, b) | InstKind::Select(_, a, b) => {
                self.number(func, a);
                self.number(func, b);
            }
            InstKind::Int(IntOp::Sub, a, _) | InstKind::Cast(_, a) => self.number(func, a),
            InstKind::PtrToInt(pointer) => {
                if let Some(address) = address(body, pointer) {
                    self.add(address, NULL_PAGE);
                }
            }
            InstKind::Load { ptr, .. } => {
                let ty = inst.result.map_or(Ty::I8, |result| body.ty(result));
                if let Some(global) = global(body, ptr) {
                    self.table(global, self.module.data_model.size_of(ty));
                }
            }
            _ => {}
        }
    }

    /// The numbers that a parameter of a block may be.
    fn parameter(&mut self, func: Func, body: &FuncBody, value: Value) {
        let module = self.module;
        let home = body.blocks.entries().find(|(_, block)| block.params.contains(&value));
        let Some((block, data)) = home else { return };
        let place = data.params.iter().position(|&param| param == value).unwrap_or(0);
        for edge in body.blocks.iter().flat_map(|block| block.term.edges()) {
            if edge.target == block {
                self.number(func, edge.args[place]);
            }
        }
        if block != body.entry() {
            return;
        }
        for (caller, function) in module.functions.entries() {
            let insts = function.code().into_iter().flat_map(|code| code.blocks.iter());
            for inst in insts.flat_map(|block| &block.insts) {
                if let InstKind::Call(Callee::Direct(callee), args) = &inst.kind
                    && *callee == func
                    && let Some(&argument) = args.get(place)
                {
                    self.number(caller, argument);
                }
            }
        }
    }

    /// The numbers of a size that stand in an initial value.
    fn table(&mut self, global: Global, size: u64) {
        if let Init::Data { bytes, .. } = &self.module.globals[global].init {
            for word in bytes.chunks_exact(size as usize) {
                self.add(number(word), LEAST_BASE);
            }
        }
    }

    fn initial_values(&mut self) {
        let module = self.module;
        for data in module.globals.iter() {
            let Init::Data { bytes, relocs } = &data.init else { continue };
            let mut places = Vec::new();
            pointers(module, data.ty, 0, bytes.len() as u64, &mut places);
            for at in places {
                let end = at + module.data_model.pointer_size();
                if let Some(bytes) = bytes.get(at as usize..end as usize)
                    && !relocs.iter().any(|reloc| reloc.offset == at)
                {
                    self.add(number(bytes), NULL_PAGE);
                }
            }
        }
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The address that a pointer is for certain.
fn address(body: &FuncBody, pointer: Value) -> Option<u64> {
    match body.values[pointer].def {
        ValueDef::Const(address) if address >= NULL_PAGE => Some(address),
        ValueDef::Computed => match *body.maker(pointer)? {
            InstKind::PtrAdd(from, by) => match body.values[by].def {
                ValueDef::Const(by) => Some(address(body, from)?.wrapping_add(by)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The object into which a pointer points.
fn global(body: &FuncBody, pointer: Value) -> Option<Global> {
    if let ValueDef::Global(global, _) = body.values[pointer].def {
        return Some(global);
    }
    match *body.maker(pointer)? {
        InstKind::PtrAdd(from, _) => global(body, from),
        _ => None,
    }
}

/// Where pointers stand in the first bytes of an object.
fn pointers(module: &Module, ty: TypeId, at: u64, end: u64, out: &mut Vec<u64>) {
    if at >= end {
        return;
    }
    match &module.types[ty] {
        SourceType::Typedef { of, .. } => pointers(module, *of, at, end, out),
        SourceType::Pointer { .. } => out.push(at),
        SourceType::Array { element, len } => {
            let Some(size) = size_of(module, *element).filter(|&size| size > 0) else { return };
            for n in 0..len.unwrap_or(0).min((end - at).div_ceil(size)) {
                pointers(module, *element, at + n * size, end, out);
            }
        }
        SourceType::Record { fields, .. } => {
            fields.iter().for_each(|field| pointers(module, field.ty, at + field.offset, end, out));
        }
        _ => {}
    }
}

fn size_of(module: &Module, ty: TypeId) -> Option<u64> {
    match &module.types[ty] {
        SourceType::Typedef { of, .. } => size_of(module, *of),
        SourceType::Bool => Some(1),
        SourceType::Int { bits, .. } | SourceType::Enum { bits, .. } | SourceType::Float { bits } => {
            Some(u64::from(*bits) / 8)
        }
        SourceType::Pointer { .. } => Some(module.data_model.pointer_size()),
        SourceType::Array { element, len } => Some(size_of(module, *element)? * (*len)?),
        SourceType::Record { size, .. } => *size,
        _ => None,
    }
}

/// The blocks around some addresses.
fn blocks(found: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut blocks: Vec<(u64, u64)> = Vec::new();
    for &address in found {
        let start = (address / GRAIN * GRAIN).max(NULL_PAGE);
        // Who names the end of a block means what lies behind it.
        let end = ((address + NULL_PAGE) / GRAIN * GRAIN + GRAIN).min(END);
        match blocks.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => blocks.push((start, end)),
        }
    }
    blocks
}

fn add_block(module: &mut Module, address: u64, size: u64, scalars: Vec<(u64, Ty)>) {
    let mut fields = Vec::new();
    for (offset, scalar) in scalars {
        let ty = module.types.push(source_type(scalar));
        let name = Some(format!("at_{:x}", address + offset));
        fields.push(Field { name, ty, offset, bits: None });
    }
    let (kind, size_of) = (RecordKind::Struct, Some(size));
    let ty = module.types.push(SourceType::Record { kind, tag: None, size: size_of, align: 8, fields });
    let (file, line) = (FileId::new(0), 1);
    module.globals.push(GlobalData {
        name: format!("device.{address:x}"),
        source_name: Some(format!("device_{address:x}")),
        ty,
        size,
        align: NULL_PAGE,
        constant: false,
        local: true,
        block_scope: false,
        init: Init::Device { address },
        span: Span { file, line, column: 1, end_line: line, end_column: 1 },
        weak: false,
    });
}

fn source_type(ty: Ty) -> SourceType {
    match ty {
        Ty::Float(width) => SourceType::Float { bits: width.bits() },
        _ => {
            let bits = ty.width().map_or(8, |width| width.bits()).next_multiple_of(8).next_power_of_two();
            let name = match bits {
                8 => "unsigned char",
                16 => "unsigned short",
                32 => "unsigned int",
                _ => "unsigned long long",
            };
            SourceType::Int { name: name.to_string(), bits, signed: false }
        }
    }
}

impl Module {
    /// The blocks of addresses that the program names by numbers.
    pub fn devices(&self) -> impl Iterator<Item = (Global, u64, u64)> + '_ {
        self.globals.entries().filter_map(|(global, data)| match data.init {
            Init::Device { address } => Some((global, address, data.size)),
            _ => None,
        })
    }
}
