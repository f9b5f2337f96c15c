//! A function under test with its inputs, as CBMC wants them.
//!
//! CBMC gets the same inputs as Quipu: a C function that gives every input any value, tells CBMC its name, and calls
//! the function under test. The functions that answer for the environment do the same. Pointers point to their
//! objects while these get their values, and become null afterwards where the input says so.

use std::fmt::Write as _;
use std::path::Path;

use quipu_base::Id;
use quipu_ctext::{declare, prototype};
use quipu_inputs::{Argument, Interface, Leaf, LeafInfo, Mentioned, Origin, Target};
use quipu_interp::is_modelled;
use quipu_ir::{Body, Func, Module, Ty};

/// The function with which CBMC starts.
pub const ENTRY: &str = "quipu_harness";
/// The name of what the environment answers, in order.
pub const ANSWER: &str = "env";

/// A file for CBMC.
pub struct Harness {
    pub text: String,
    /// The functions whose results CBMC tells.
    pub answering: Vec<String>,
}

/// The name of an input.
pub fn input_name(leaf: Leaf) -> String {
    format!("in{}", leaf.index())
}

/// The harness of a function; none if a type in it has no name.
pub fn harness(module: &Module, interface: &Interface, source: &Path) -> Option<Harness> {
    let mut text = format!("#include \"{}\"\n\n", source.display());
    let answering = stubs(module, interface, &mut text);
    let _ = writeln!(text, "void {ENTRY}(void)\n{{");
    declare_inputs(module, interface, &mut text)?;
    for (leaf, info) in interface.leaves.entries() {
        choose(leaf, info, &mut text);
    }
    for (leaf, info) in interface.leaves.entries() {
        assign(interface, leaf, info, &mut text);
    }
    // Inner pointers first: they are reached through outer ones.
    for (leaf, info) in interface.leaves.entries().collect::<Vec<_>>().into_iter().rev() {
        point(module, leaf, info, &mut text);
    }
    let arguments = interface.arguments.iter().filter_map(|argument| match *argument {
        Argument::Leaf(leaf) => Some(interface.leaves[leaf].name.as_str()),
        Argument::Copy(object) => Some(interface.objects[object].name.as_str()),
        Argument::ResultPlace { .. } | Argument::NoVariadic => None,
    });
    let name = &module.functions[interface.func].source_name;
    let _ = writeln!(text, "    {name}({});\n}}", arguments.collect::<Vec<_>>().join(", "));
    Some(Harness { text, answering })
}

/// Variables for the parameters, and the objects behind pointers.
fn declare_inputs(module: &Module, interface: &Interface, text: &mut String) -> Option<()> {
    let params = &module.functions[interface.func].params;
    for (argument, param) in interface.arguments.iter().zip(params) {
        let name = match *argument {
            Argument::Leaf(leaf) => &interface.leaves[leaf].name,
            Argument::Copy(object) => &interface.objects[object].name,
            Argument::ResultPlace { .. } | Argument::NoVariadic => continue,
        };
        let _ = writeln!(text, "    {};", declare(&module.types, param.source?, name)?);
    }
    let copies = |object| interface.arguments.contains(&Argument::Copy(object));
    for (object, shape) in interface.objects.entries() {
        if shape.origin == Origin::Provided && !copies(object) {
            let name = format!("{}[{}]", object_name(object), shape.count);
            let _ = writeln!(text, "    {};", declare(&module.types, shape.element, &name)?);
        }
    }
    Some(())
}

fn object_name(object: quipu_inputs::Object) -> String {
    format!("quipu_object{}", object.index())
}

/// A variable that has any value: CBMC gives one to what has no initialiser.
fn choose(leaf: Leaf, info: &LeafInfo, text: &mut String) {
    let width = info.width();
    let signed = info.signed && info.targets.is_none() && info.float_width().is_none();
    let (variable, ty) = (variable(leaf), integer(width.bits(), signed));
    let _ = writeln!(text, "    {ty} {variable};");
    if info.targets.is_some() || info.range.is_some() || !matches!(width.bits(), 8 | 16 | 32 | 64) {
        let (low, high) = info.limits();
        let bound = |bits: u64| match signed {
            true => format!("({}LL - 1)", i128::from(width.signed(bits)) + 1),
            false => format!("{bits}ULL"),
        };
        let (low, high) = (bound(low), bound(high));
        // Floats are ordered by their ranks.
        let code = match info.float_width() {
            Some(_) => {
                let sign = width.min_signed();
                format!("({variable} & {sign}ULL ? ({ty})~{variable} : {variable} | {sign}ULL)")
            }
            None => variable.clone(),
        };
        let _ = writeln!(text, "    __CPROVER_assume({code} >= {low} && {code} <= {high});");
    }
    let _ = writeln!(text, "    __CPROVER_input(\"{}\", (unsigned long long){variable});", input_name(leaf));
}

fn variable(leaf: Leaf) -> String {
    format!("quipu_{}", input_name(leaf))
}

/// Gives an input its value; a pointer leads to its object for now.
fn assign(interface: &Interface, leaf: Leaf, info: &LeafInfo, text: &mut String) {
    let (name, variable) = (&info.name, variable(leaf));
    let _ = match (&info.targets, info.ty) {
        (Some(targets), _) => match targets.get(1) {
            Some(Target::Object(object, _)) => match interface.objects[object].origin {
                Origin::Provided => writeln!(text, "    {name} = &{}[0];", object_name(object)),
                Origin::Global(_) => writeln!(text, "    {name} = &{};", interface.objects[object].name),
            },
            _ => writeln!(text, "    {name} = 0;"),
        },
        (None, Ty::Float(width)) => {
            let float = if width.bits() == 32 { "float" } else { "double" };
            writeln!(text, "    {name} = *({float} *)&{variable};")
        }
        (None, _) => writeln!(text, "    {name} = {variable};"),
    };
}

/// Makes a pointer null, or that to a function.
fn point(module: &Module, leaf: Leaf, info: &LeafInfo, text: &mut String) {
    let (name, variable) = (&info.name, variable(leaf));
    for (value, row) in info.targets.iter().flat_map(|targets| targets.rows()) {
        if let Target::Function(func) = row.first {
            let function = &module.functions[func].source_name;
            let _ = writeln!(text, "    if ({variable} == {value}) {name} = {function};");
        }
    }
    if info.targets.is_some() {
        let _ = writeln!(text, "    if ({variable} == 0) {name} = 0;");
    }
}

/// Writes the functions that answer for the environment, and returns their names.
fn stubs(module: &Module, interface: &Interface, text: &mut String) -> Vec<String> {
    let mut answering = Vec::new();
    for func in Mentioned::by_any(module, interface.functions()).functions {
        if let Some(stub) = stub(module, func) {
            text.push_str(&stub);
            answering.push(module.functions[func].source_name.clone());
        }
    }
    answering
}

/// A function without a body that returns an integer, or nothing. Others are left to CBMC.
fn stub(module: &Module, func: Func) -> Option<String> {
    let function = &module.functions[func];
    let name = function.source_name.as_str();
    let allowed = match name {
        "rand" => "quipu_answer >= 0",
        "getchar" => "quipu_answer >= -1 && quipu_answer <= 255",
        _ => "1",
    };
    let unknown = !is_modelled(name) && !name.starts_with("__") || name.starts_with("__VERIFIER_nondet_");
    if function.body != Body::Declared || !(unknown || allowed != "1") || function.returns_struct {
        return None;
    }
    let head = prototype(module, func)?;
    let quipu_ir::SourceType::Function { ret, .. } = module.types[function.ty] else { return None };
    match function.ret {
        None => Some(format!("{head} {{}}\n\n")),
        Some(Ty::Int(_)) => Some(format!(
            "{head}\n{{\n    {};\n    __CPROVER_assume({allowed});\n    \
             __CPROVER_input(\"{ANSWER}\", (unsigned long long)quipu_answer);\n    return quipu_answer;\n}}\n\n",
            declare(&module.types, ret, "quipu_answer")?
        )),
        Some(_) => None,
    }
}

fn integer(bits: u32, signed: bool) -> String {
    let size = match bits {
        0..=8 => "char",
        9..=16 => "short",
        17..=32 => "int",
        _ => "long long",
    };
    format!("{} {size}", if signed { "signed" } else { "unsigned" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cover::program::{Target, Wanted, functions, load};

    #[test]
    fn every_input_has_a_name_for_cbmc() {
        let source = "struct s { unsigned flag : 1; int *next; };\nint ask(void);\n\
            int f(struct s *p, signed char c) { return p && p->flag && c == ask(); }\n";
        let file = std::env::temp_dir().join(format!("quipu-harness-{}.c", std::process::id()));
        std::fs::write(&file, source).expect("the folder for temporary files is writable");
        let program = load(&file).expect("the file should compile");
        let (funcs, _) = functions(&program, &file);
        std::fs::remove_file(&file).expect("the file is ours");
        let target = Target::new(&program, funcs[0], &Wanted::Branch.options());
        let harness = harness(&program.module, target.interface(), &file).expect("all types have names");
        assert_eq!(harness.answering, ["ask"]);
        for leaf in target.interface().leaves.ids() {
            let told = format!("__CPROVER_input(\"{}\"", input_name(leaf));
            assert!(harness.text.contains(&told), "{told} is missing in\n{}", harness.text);
        }
        for line in ["struct s *p;", "signed char c;", "p->flag = quipu_in", "== 0) p = 0;", "    f(p, c);"] {
            assert!(harness.text.contains(line), "{line} is missing in\n{}", harness.text);
        }
    }
}
