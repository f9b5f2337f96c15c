//! The text form of a module, complete: [`parse`](crate::parse()) turns it into an equal module.
//!
//! ```text
//! module lp64
//!
//! file0 = "max.c"
//!
//! t0 = int "int" signed 32
//! t1 = function (t0, t0) -> t0
//!
//! global @limit: t0 size 4 align 4 = "\x05" !0:1:5-10
//!
//! func @max(a: i32 t0, b: i32 t0) -> i32 : t1 !0:3:5-8 {
//!   s0 !0:4:3-29
//!   d0 = conditional "a < b" !0:4:10-15
//!   c0 = d0 "a < b" !0:4:10-15
//! bb0(%0: i32, %1: i32):
//!   stmt s0 !0:4:3-29
//!   %2: i1 = slt %0, %1 !0:4:10-15
//!   br %2, bb1(%1)[true], bb1(%0)[false], c0 !0:4:10-15
//! bb1(%3: i32):
//!   ret %3 !0:4:3-29
//! }
//! ```
//!
//! A parameter written as an array shows its length behind the type that it has: `a: ptr t1[10]`. An object
//! declared inside a function is a `block` one: `global local block @count`. What another definition may replace is
//! `weak`: `func weak @hook()`, `global weak @level`.
//!
//! What a variable holds at the head of a loop, if it is a value: `name bb1 "i" t0 = %3`.
//!
//! A span is `!file:line:column-end`; the end leaves out a line equal to the first, and all of it when the
//! span is empty. No span means the start of file 0. Constants stand where they are used; where their
//! places in the value table are not the ones that the parser would choose, a `const` line tells them. `;`
//! starts a comment. Printing never fails: what has no name, being out of range, gets a placeholder.

mod atoms;
mod function;
mod inst;

use std::fmt::{Arguments, Write};

use crate::function::FuncBody;
use crate::inst::Inst;
use crate::module::{DataModel, Func, GlobalData, Init, Module, Symbol, View};
use crate::source::Span;
use crate::source_type::{Field, RecordKind, SourceType, TypeId};

pub(crate) use atoms::implied_span;

/// The text form of a module.
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new() };
    printer.module();
    printer.out
}

/// The text form of one function, as it stands in the text form of its module.
pub fn print_function(module: &Module, func: Func) -> String {
    let mut printer = Printer { module, out: String::new() };
    printer.function(&module.functions[func]);
    printer.out
}

/// The text form of an instruction, without a line end.
pub(crate) fn print_inst(module: &Module, body: &FuncBody, inst: &Inst) -> String {
    let mut printer = Printer { module, out: String::new() };
    printer.inst(body, inst);
    printer.out
}

/// The output under construction. Each file of this module adds the methods for its part of the language.
struct Printer<'a> {
    module: &'a Module,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: Arguments<'_>) {
        self.out.write_fmt(text).expect("a string should take any text");
    }

    fn flag(&mut self, set: bool, word: &str) {
        if set {
            self.out.push_str(word);
        }
    }

    /// ` !span`, or nothing where the parser would assume it.
    fn span(&mut self, span: Span) {
        if span != implied_span() {
            self.out.push_str(" !");
            atoms::push_span(&mut self.out, span);
        }
    }

    /// Items with commas between them.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (n, each) in items.into_iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            item(self, each);
        }
    }

    fn braced<T>(&mut self, items: &[T], item: impl FnMut(&mut Self, &T)) {
        self.out.push('{');
        self.flag(!items.is_empty(), " ");
        self.list(items, item);
        self.flag(!items.is_empty(), " ");
        self.out.push('}');
    }

    fn module(&mut self) {
        let model = match self.module.data_model {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        };
        self.put(format_args!("module {model}\n"));
        self.section(!self.module.files.is_empty());
        for (file, name) in self.module.files.entries() {
            self.put(format_args!("{file} = "));
            atoms::push_text(&mut self.out, name);
            self.out.push('\n');
        }
        self.section(!self.module.types.is_empty());
        for (id, ty) in self.module.types.entries() {
            self.source_type(id, ty);
        }
        self.section(!self.module.views.is_empty());
        for View { hidden, shown } in &self.module.views {
            self.put(format_args!("view {hidden} as {shown}\n"));
        }
        self.section(!self.module.globals.is_empty());
        for global in self.module.globals.iter() {
            self.global(global);
        }
        for function in self.module.functions.iter() {
            self.section(true);
            self.function(function);
        }
    }

    fn section(&mut self, present: bool) {
        self.flag(present, "\n");
    }

    fn source_type(&mut self, id: TypeId, ty: &SourceType) {
        self.put(format_args!("{id} = "));
        match ty {
            SourceType::Void => self.out.push_str("void"),
            SourceType::Bool => self.out.push_str("bool"),
            SourceType::Int { name, bits, signed } => {
                self.out.push_str("int ");
                atoms::push_text(&mut self.out, name);
                self.put(format_args!(" {} {bits}", signedness(*signed)));
            }
            SourceType::Enum { tag, bits, signed, enumerators } => {
                self.out.push_str("enum ");
                self.optional_text(tag.as_deref());
                self.put(format_args!("{} {bits} ", signedness(*signed)));
                self.braced(enumerators, |printer, (name, value)| {
                    atoms::push_name(&mut printer.out, name);
                    printer.put(format_args!(" = {value}"));
                });
            }
            SourceType::Float { bits } => self.put(format_args!("float {bits}")),
            SourceType::Pointer { to } => self.put(format_args!("pointer {to}")),
            SourceType::Array { element, len: Some(len) } => self.put(format_args!("array {element}[{len}]")),
            SourceType::Array { element, len: None } => self.put(format_args!("array {element}[]")),
            SourceType::Record { kind, tag, size, align, fields } => {
                self.out.push_str(record_keyword(*kind));
                self.optional_text(tag.as_deref());
                self.record(*size, *align, fields);
            }
            SourceType::Function { ret, params, constant, variadic } => {
                self.out.push_str("function ");
                self.flag(*variadic, "variadic ");
                self.out.push('(');
                let params: Vec<_> = params.iter().zip(constant).collect();
                self.list(&params, |printer, (param, constant)| {
                    printer.flag(**constant, "const ");
                    printer.put(format_args!("{param}"));
                });
                self.put(format_args!(") -> {ret}"));
            }
            SourceType::Typedef { name, of } => {
                self.out.push_str("typedef ");
                self.optional_text(Some(name));
                self.put(format_args!("{of}"));
            }
            SourceType::Unsupported(spelling) => {
                self.out.push_str("unsupported ");
                atoms::push_text(&mut self.out, spelling);
            }
        }
        self.out.push('\n');
    }

    fn record(&mut self, size: Option<u64>, align: u64, fields: &[Field]) {
        if let Some(size) = size {
            self.put(format_args!("size {size} "));
        }
        self.put(format_args!("align {align} "));
        self.braced(fields, |printer, field| {
            printer.optional_label(field.name.as_deref());
            printer.put(format_args!("{} at {}", field.ty, field.offset));
            if let Some((first, width)) = field.bits {
                printer.put(format_args!(" bit {first} width {width}"));
            }
        });
    }

    /// The text in quotes and a space, if there is one.
    fn optional_text(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            atoms::push_text(&mut self.out, text);
            self.out.push(' ');
        }
    }

    /// `name: `, if there is one.
    fn optional_label(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            atoms::push_name(&mut self.out, name);
            self.out.push_str(": ");
        }
    }

    fn global(&mut self, global: &GlobalData) {
        self.out.push_str("global ");
        self.flag(global.local, "local ");
        self.flag(global.block_scope, "block ");
        self.flag(global.weak, "weak ");
        self.flag(global.constant, "const ");
        atoms::push_symbol(&mut self.out, &global.name);
        match &global.source_name {
            Some(name) => self.source_name(name, &global.name),
            None => self.out.push_str(" unnamed"),
        }
        self.put(format_args!(": {} size {} align {} = ", global.ty, global.size, global.align));
        match &global.init {
            Init::External => self.out.push_str("external"),
            Init::Device { address } => self.put(format_args!("device {address}")),
            Init::Data { bytes, relocs } => {
                if bytes.is_empty() {
                    self.out.push_str("zero");
                } else {
                    atoms::push_bytes(&mut self.out, bytes);
                }
                if !relocs.is_empty() {
                    self.out.push_str(" [");
                    self.list(relocs, |printer, reloc| {
                        printer.put(format_args!("{}: ", reloc.offset));
                        printer.address(reloc.symbol, reloc.addend);
                    });
                    self.out.push(']');
                }
            }
        }
        self.span(global.span);
        self.out.push('\n');
    }

    /// ` as "name"` where the source's name is not the module's.
    fn source_name(&mut self, source_name: &str, name: &str) {
        if source_name != name {
            self.out.push_str(" as ");
            atoms::push_text(&mut self.out, source_name);
        }
    }

    /// `@name`, with the offset if there is one.
    fn address(&mut self, symbol: Symbol, offset: i64) {
        self.symbol(symbol);
        if offset != 0 {
            self.put(format_args!("{offset:+}"));
        }
    }

    fn symbol(&mut self, symbol: Symbol) {
        let name = match symbol {
            Symbol::Global(global) => self.module.globals.get(global).map(|data| &data.name),
            Symbol::Func(func) => self.module.functions.get(func).map(|data| &data.name),
        };
        match name {
            Some(name) => atoms::push_symbol(&mut self.out, name),
            None => self.put(format_args!("@\"{symbol:?}\"")),
        }
    }
}

fn signedness(signed: bool) -> &'static str {
    if signed { "signed" } else { "unsigned" }
}

fn record_keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct ",
        RecordKind::Union => "union ",
    }
}
