//! What the program uses and nobody defines: functions whose results are inputs, and objects.
//!
//! A definition has a C name of its own and the assembler name of what it stands for, so that it needs no
//! declaration that fits. What the C library has under the name is overridden. Only the harness knows the stubs to which
//! inputs point, and calls them by their own names.

use std::collections::BTreeSet;

use quipu_inputs::{Interface, is_stub};
use quipu_interp::{is_library_object, is_modelled, layout, resolve, scalar};
use quipu_ir::{
    Body, Callee, Field, Func, Function, Global, GlobalData, Init, InstKind, Module, RecordKind, SourceType,
    Ty, TypeId, ValueDef,
};

use crate::entries::type_name;
use crate::symbols::assembler_name;
use crate::unit::Unit;

const DECLARATIONS: &str = "unsigned long long __quipu_next(unsigned);void __quipu_end(unsigned,unsigned long long);\
    void __quipu_fill(void*,unsigned long long,unsigned,unsigned,unsigned);\n";

/// Functions that the runtime itself needs.
const NEEDED: [&str; 5] = ["syscall", "sigaction", "sigaltstack", "sigfillset", "mprotect"];

/// The definitions for each unit, and a `main` if there is none.
pub(crate) fn definitions(module: &Module, interfaces: &[Interface], units: &[Unit]) -> Vec<String> {
    let mut texts = vec![String::new(); units.len()];
    texts[0].push_str(&objects(module));
    if module.function("main").is_none_or(|main| module.functions[main].body == Body::Declared) {
        texts[0].push_str("int main(void){return 0;}\n");
    }
    for text in &mut texts {
        text.insert_str(0, DECLARATIONS);
    }
    let pointed = interfaces.iter().flat_map(Interface::functions);
    for func in mentioned(module).into_iter().chain(pointed).collect::<BTreeSet<Func>>() {
        let function = &module.functions[func];
        if function.body != Body::Declared || is_modelled(&function.source_name) || is_needed(&function.name)
        {
            continue;
        }
        let unit = units.iter().position(|unit| declares(unit, &function.name)).unwrap_or(0);
        texts[unit].push_str(&stub(module, func, function));
    }
    texts
}

fn is_needed(name: &str) -> bool {
    NEEDED.contains(&name) || name.starts_with("__builtin_") || name == "main"
}

fn declares(unit: &Unit, name: &str) -> bool {
    unit.module.as_ref().is_ok_and(|own| own.functions.iter().any(|function| function.name == name))
}

/// The functions that code or initial values refer to.
fn mentioned(module: &Module) -> BTreeSet<Func> {
    let mut found = BTreeSet::new();
    for code in module.functions.iter().filter_map(Function::code) {
        found.extend(code.values.iter().filter_map(|value| match value.def {
            ValueDef::Func(func) => Some(func),
            _ => None,
        }));
        let insts = code.blocks.iter().flat_map(|block| &block.insts);
        found.extend(insts.filter_map(|inst| match inst.kind {
            InstKind::Call(Callee::Direct(func), _) => Some(func),
            _ => None,
        }));
    }
    for data in module.globals.iter() {
        let Init::Data { relocs, .. } = &data.init else { continue };
        found.extend(relocs.iter().filter_map(|reloc| match reloc.symbol {
            quipu_ir::Symbol::Func(func) => Some(func),
            quipu_ir::Symbol::Global(_) => None,
        }));
    }
    found
}

/// Objects that are only declared.
fn objects(module: &Module) -> String {
    let undefined = module.globals.entries().filter(|(_, data)| {
        data.init == Init::External && data.source_name.is_some() && !is_library_object(data)
    });
    let define = |(global, data): (Global, &GlobalData)| {
        let (size, align) = (data.size.max(1), data.align.max(1));
        let label = assembler_name(&data.name);
        let name = format!("__quipu_x{}", quipu_base::Id::index(global));
        format!("char {name}[{size}] __asm__({label}) __attribute__((aligned({align})))={{0}};\n")
    };
    undefined.map(define).collect()
}

/// A function that returns the next input.
fn stub(module: &Module, func: Func, function: &Function) -> String {
    let SourceType::Function { ret, .. } = module.types[function.ty] else { return String::new() };
    let (ty, body) = match function.ret {
        _ if function.noreturn => ("void".to_string(), format!("__quipu_end(5,{SIGABRT});")),
        _ if function.returns_struct => struct_result(module, ret),
        None => ("void".to_string(), String::new()),
        Some(ty) => scalar_result(module, ret, ty),
    };
    if is_stub(function) {
        return format!("static {ty} {}(void){{{body}}}\n", function.source_name);
    }
    let name = format!("__quipu_f{}", quipu_base::Id::index(func));
    format!("{ty} {name}(void) __asm__({});{ty} {name}(void){{{body}}}\n", assembler_name(&function.name))
}

/// What a function that must not return does instead.
const SIGABRT: u32 = 6;

fn scalar_result(module: &Module, source: TypeId, ty: Ty) -> (String, String) {
    let signed = matches!(
        module.types[resolve(module, source)],
        SourceType::Int { signed: true, .. } | SourceType::Enum { signed: true, .. }
    );
    match ty {
        Ty::Ptr => ("void*".to_string(), "return(void*)(unsigned long)__quipu_next(64);".to_string()),
        Ty::F32 => float_result("float", "unsigned", 32),
        Ty::Float(_) => float_result("double", "unsigned long long", 64),
        Ty::Int(width) => {
            let (bits, sign) = (width.bits(), if signed { "signed" } else { "unsigned" });
            let ty = match bits {
                1 => "_Bool".to_string(),
                2..=8 => format!("{sign} char"),
                9..=16 => format!("{sign} short"),
                17..=32 => format!("{sign} int"),
                _ => format!("{sign} long long"),
            };
            (ty, format!("return __quipu_next({bits});"))
        }
    }
}

fn float_result(ty: &str, word: &str, bits: u32) -> (String, String) {
    let body = format!("union{{{word} w;{ty} f;}}u;u.w=({word})__quipu_next({bits});return u.f;");
    (ty.to_string(), body)
}

fn struct_result(module: &Module, ret: TypeId) -> (String, String) {
    // A struct without a name cannot be returned by a function that is declared elsewhere.
    let Ok(name) = type_name(module, ret) else { return ("void".to_string(), String::new()) };
    let mut fills = String::new();
    fill(module, ret, 0, &mut fills);
    let body = format!("{name} r;__builtin_memset(&r,0,sizeof r);{fills}return r;");
    (name, body)
}

/// One value for each scalar in declaration order; a union by its first member.
fn fill(module: &Module, ty: TypeId, offset: u64, out: &mut String) {
    if let Some(ty) = scalar(module, ty) {
        let room = module.data_model.size_of(ty) * 8;
        let width = ty.width().map_or(room, |width| u64::from(width.bits()));
        out.push_str(&format!("__quipu_fill(&r,{offset},0,{width},{room});"));
        return;
    }
    match &module.types[resolve(module, ty)] {
        SourceType::Array { element, len } => {
            let size = layout(module, *element).map_or(0, |layout| layout.size);
            (0..len.unwrap_or(0)).for_each(|n| fill(module, *element, offset + n * size, out));
        }
        SourceType::Record { kind, fields, .. } => {
            let count = if *kind == RecordKind::Union { 1 } else { fields.len() };
            fields.iter().take(count).for_each(|field| member(module, field, offset, out));
        }
        _ => {}
    }
}

fn member(module: &Module, field: &Field, record: u64, out: &mut String) {
    match field.bits {
        Some((_, 0)) => {}
        Some((bit, width)) => {
            let offset = record + field.offset;
            out.push_str(&format!("__quipu_fill(&r,{offset},{bit},{width},{width});"));
        }
        None => fill(module, field.ty, record + field.offset, out),
    }
}
