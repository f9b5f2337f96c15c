//! The C functions that call the functions under test.
//!
//! Arguments arrive as words. The prototype converts scalars, so that only a struct needs the name of its type.

use quipu_inputs::{Argument, Interface};
use quipu_ir::{Module, RecordKind, SourceType, Ty, TypeId};

/// The call of a function under test, or why there is none.
pub(crate) fn entry(module: &Module, interface: &Interface, number: usize) -> Result<String, String> {
    let function = &module.functions[interface.func];
    let mut arguments = Vec::new();
    for (n, argument) in interface.arguments.iter().enumerate() {
        let param = &function.params[n];
        match argument {
            Argument::Leaf(_) => arguments.push(scalar_argument(n, param.ty)),
            Argument::Copy(_) => {
                let source = param.source.ok_or("a struct parameter has no type")?;
                let name = type_name(module, source)?;
                arguments.push(format!("*({name}*)(unsigned long)__quipu_a[{}]", 2 * n));
            }
            Argument::ResultPlace { .. } | Argument::NoVariadic => {}
        }
    }
    let call = format!("{}({})", function.source_name, arguments.join(","));
    let body = match (function.returns_struct, function.ret) {
        (true, _) => {
            let SourceType::Function { ret, .. } = module.types[function.ty] else {
                return Err("it has no function type".to_string());
            };
            format!("*({}*)__quipu_r={call}", type_name(module, ret)?)
        }
        (false, None) => call,
        (false, Some(Ty::Int(_))) => format!("*(long long*)__quipu_r=(long long){call}"),
        (false, Some(Ty::Ptr)) => format!("*(unsigned long*)__quipu_r=(unsigned long){call}"),
        (false, Some(Ty::F32)) => format!("*(float*)__quipu_r={call}"),
        (false, Some(Ty::Float(_))) => format!("*(double*)__quipu_r={call}"),
    };
    Ok(format!(
        "void __quipu_entry_{number}(unsigned long long*__quipu_a,unsigned char*__quipu_r){{{body};}}\n"
    ))
}

/// An entry for a function that cannot be called: it says so.
pub(crate) fn no_entry(number: usize) -> String {
    format!(
        "void __quipu_end(unsigned,unsigned long long);\
         void __quipu_entry_{number}(unsigned long long*__quipu_a,unsigned char*__quipu_r){{__quipu_end(10,0);}}\n"
    )
}

/// The list of all entries, and which of them start where the program starts.
pub(crate) fn list(module: &Module, interfaces: &[Interface]) -> String {
    let count = interfaces.len();
    let starts = interfaces.iter().map(|interface| {
        let is_main = module.functions[interface.func].source_name == "main";
        format!("{},", u8::from(is_main))
    });
    let declarations: String =
        (0..count).map(|n| format!("void __quipu_entry_{n}(unsigned long long*,unsigned char*);")).collect();
    let names: Vec<String> = (0..count).map(|n| format!("__quipu_entry_{n}")).collect();
    format!(
        "{declarations}\nvoid(*const __quipu_entries[])(unsigned long long*,unsigned char*)={{{}}};\n\
         const unsigned char __quipu_starts[]={{{}0}};\n",
        names.join(","),
        starts.collect::<String>()
    )
}

fn scalar_argument(n: usize, ty: Ty) -> String {
    let word = format!("__quipu_a[{}]", 2 * n);
    match ty {
        Ty::Int(width) if width.bits() <= 32 => format!("(int){word}"),
        Ty::Int(_) => format!("(long long){word}"),
        Ty::Ptr => format!("(void*)(unsigned long){word}"),
        Ty::F32 => format!("*(float*)&{word}"),
        Ty::Float(_) => format!("*(double*)&{word}"),
    }
}

/// How C names a struct or union, or a type defined as one.
pub(crate) fn type_name(module: &Module, ty: TypeId) -> Result<String, String> {
    match &module.types[ty] {
        SourceType::Typedef { name, .. } => Ok(name.clone()),
        SourceType::Record { kind: RecordKind::Struct, tag: Some(tag), .. } => Ok(format!("struct {tag}")),
        SourceType::Record { kind: RecordKind::Union, tag: Some(tag), .. } => Ok(format!("union {tag}")),
        _ => Err("a type in its declaration has no name".to_string()),
    }
}
