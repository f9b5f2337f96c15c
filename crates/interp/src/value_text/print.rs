//! Memory as C initialiser text.

use quipu_ir::{Field, RecordKind, SourceType, TypeId};
use quipu_num::Width;

use crate::layout::{layout, resolve, scalar};
use crate::machine::Machine;
use crate::memory::ObjectInfo;

/// The text of a scalar. What a pointer points to is shown to a depth.
pub fn print_value(machine: &Machine<'_>, ty: TypeId, bits: u64, depth: usize) -> String {
    Printer { machine }.value(ty, bits, depth)
}

/// The text of the object of a type at an address, as an initialiser.
pub fn print_object(machine: &Machine<'_>, ty: TypeId, addr: u64, depth: usize) -> String {
    Printer { machine }.object(ty, addr, depth)
}

/// Longer arrays are cut.
const MOST_ELEMENTS: u64 = 256;

/// Stands for what cannot be read: never written, or outside its object.
const UNKNOWN: &str = "?";

struct Printer<'p, 'm> {
    machine: &'p Machine<'m>,
}

impl Printer<'_, '_> {
    fn value(&self, ty: TypeId, bits: u64, depth: usize) -> String {
        let ty = resolve(self.machine.module(), ty);
        match &self.machine.module().types[ty] {
            SourceType::Bool => bits.to_string(),
            SourceType::Int { bits: width, signed, .. } => integer(bits, *width, *signed),
            SourceType::Enum { bits: width, signed, enumerators, .. } => {
                let value = signed_value(bits, *width);
                match enumerators.iter().find(|(_, known)| *known == value) {
                    Some((name, _)) => name.clone(),
                    None => integer(bits, *width, *signed),
                }
            }
            SourceType::Float { bits: 32 } => float_text(f64::from(f32::from_bits(bits as u32)), Some(bits)),
            SourceType::Float { .. } => float_text(f64::from_bits(bits), None),
            SourceType::Pointer { to } => self.pointer(*to, bits, depth),
            SourceType::Record { .. } | SourceType::Array { .. } => self.object(ty, bits, depth),
            _ => UNKNOWN.into(),
        }
    }

    fn object(&self, ty: TypeId, addr: u64, depth: usize) -> String {
        let module = self.machine.module();
        let ty = resolve(module, ty);
        if let Some(scalar) = scalar(module, ty) {
            let loaded = self.machine.memory().load(addr, scalar, 1);
            return loaded.map_or(UNKNOWN.into(), |bits| self.value(ty, bits, depth));
        }
        match &module.types[ty] {
            SourceType::Array { element, len } => self.array(*element, len.unwrap_or(0), addr, depth),
            SourceType::Record { kind, fields, .. } => self.record(*kind, fields, addr, depth),
            _ => UNKNOWN.into(),
        }
    }

    fn array(&self, element: TypeId, len: u64, addr: u64, depth: usize) -> String {
        if self.is_char(element)
            && let Some(text) = self.char_array(addr, len)
        {
            return text;
        }
        let Some(size) = layout(self.machine.module(), element).map(|layout| layout.size) else {
            return UNKNOWN.into();
        };
        let shown = len.min(MOST_ELEMENTS);
        let mut items: Vec<String> =
            (0..shown).map(|n| self.object(element, addr + n * size, depth)).collect();
        if shown < len {
            items.push("...".into());
        }
        format!("{{{}}}", items.join(", "))
    }

    /// A char array as a string, if it holds printable text and then only zeros.
    fn char_array(&self, addr: u64, len: u64) -> Option<String> {
        let bytes = self.machine.memory().read_bytes(addr, len.min(1 << 16)).ok()?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        let text = &bytes[..end];
        let plain = bytes[end..].iter().all(|&byte| byte == 0) && !text.is_empty();
        (plain && text.iter().all(|&byte| is_printable(byte))).then(|| quoted(text))
    }

    fn record(&self, kind: RecordKind, fields: &[Field], addr: u64, depth: usize) -> String {
        let count = if kind == RecordKind::Union { 1 } else { fields.len() };
        let fields = fields.iter().filter(|field| field.name.is_some() || field.bits.is_none()).take(count);
        let items: Vec<String> = fields
            .map(|field| {
                let value = self.member(field, addr, depth);
                field.name.as_ref().map_or(value.clone(), |name| format!(".{name} = {value}"))
            })
            .collect();
        format!("{{{}}}", items.join(", "))
    }

    fn member(&self, field: &Field, record: u64, depth: usize) -> String {
        let addr = record + field.offset;
        let Some((bit, width)) = field.bits else {
            return self.object(field.ty, addr, depth);
        };
        let signed = match &self.machine.module().types[resolve(self.machine.module(), field.ty)] {
            SourceType::Int { signed, .. } | SourceType::Enum { signed, .. } => *signed,
            _ => false,
        };
        let loaded = Width::new(width).and_then(|w| self.machine.memory().load_bits(addr, bit, w).ok());
        loaded.map_or(UNKNOWN.into(), |bits| integer(bits, width, signed))
    }

    fn pointer(&self, to: TypeId, addr: u64, depth: usize) -> String {
        if addr == 0 {
            return "NULL".into();
        }
        let Some(info) = self.machine.memory().object_at(addr) else {
            return format!("(void *){addr:#x}");
        };
        if let Some(name) = self.name(info.base) {
            return match info.offset {
                0 => format!("&{name}"),
                offset => format!("&{name}{offset:+}"),
            };
        }
        if !info.alive {
            return "(dangling)".into();
        }
        if depth == 0 {
            return "-> ...".into();
        }
        self.target(to, addr, info, depth - 1)
    }

    /// What a pointer points to: the rest of its object as an array, or one element.
    fn target(&self, to: TypeId, addr: u64, info: ObjectInfo, depth: usize) -> String {
        let rest = u64::try_from(info.size.cast_signed() - info.offset).unwrap_or(0);
        if info.offset < 0 || rest == 0 {
            return format!("-> {{}}{:+}", info.offset);
        }
        if self.is_char(to)
            && let Ok(text) = self.machine.memory().read_string(addr)
            && text.iter().all(|&byte| is_printable(byte))
        {
            return quoted(&text);
        }
        let Some(size) = layout(self.machine.module(), to).map(|layout| layout.size.max(1)) else {
            return format!("-> ({rest} bytes)");
        };
        match rest / size {
            0 => format!("-> ({rest} bytes)"),
            1 => format!("-> {}", self.object(to, addr, depth)),
            count => format!("-> {}", self.array(to, count, addr, depth)),
        }
    }

    /// The name of the static object or function with this base address.
    fn name(&self, base: u64) -> Option<String> {
        let module = self.machine.module();
        let mut globals = module.globals.entries();
        let global = globals.find(|(global, _)| self.machine.global_address(*global) == base);
        if let Some((_, data)) = global {
            return data.source_name.clone();
        }
        let mut functions = module.functions.entries();
        let func = functions.find(|(func, _)| self.machine.function_address(*func) == base);
        func.map(|(_, function)| function.source_name.clone())
    }

    fn is_char(&self, ty: TypeId) -> bool {
        let module = self.machine.module();
        matches!(&module.types[resolve(module, ty)], SourceType::Int { bits: 8, name, .. } if name == "char")
    }
}

fn signed_value(bits: u64, width: u32) -> i64 {
    Width::new(width).map_or(0, |width| width.signed(bits))
}

/// The smallest values have no literal of their own in C, but the parser takes them.
fn integer(bits: u64, width: u32, signed: bool) -> String {
    if signed { signed_value(bits, width).to_string() } else { bits.to_string() }
}

/// The shortest text that gives the same value again; `single` holds the bits of a `float`.
fn float_text(value: f64, single: Option<u64>) -> String {
    if value.is_nan() {
        return "NAN".into();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-INFINITY" } else { "INFINITY" }.into();
    }
    match single {
        Some(bits) => format!("{:?}f", f32::from_bits(bits as u32)),
        None => format!("{value:?}"),
    }
}

fn is_printable(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte) || matches!(byte, b'\n' | b'\t' | b'\r')
}

fn quoted(text: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for &byte in text {
        match byte {
            b'"' => quoted.push_str("\\\""),
            b'\\' => quoted.push_str("\\\\"),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            b'\r' => quoted.push_str("\\r"),
            _ => quoted.push(char::from(byte)),
        }
    }
    quoted.push('"');
    quoted
}
