//! Stubs: functions that a test provides for pointers to functions among the inputs.
//!
//! A stub is a function of the module without a body, so that everybody treats it like one that the program only
//! declares: what it returns is an input, call by call, and it changes no memory. Only the test knows its name.

use std::collections::BTreeSet;

use quipu_ctext::declare;
use quipu_interp::{is_library_object, layout, resolve, scalar};
use quipu_ir::{
    Body, Callee, FuncBody, Function, Inst, InstKind, Module, Param, SourceType, Span, Ty, TypeId,
};

use crate::outside::is_outside;

/// Adds to a program what tests may need and it does not have: a type of bytes, for pointers to `void` to point to,
/// stubs, and lengths of arrays that other files define. Interfaces are to be made of the program as it is then.
pub fn add_provisions(module: &mut Module) {
    add_bytes(module);
    add_stubs(module);
    crate::unsized_array::give_sizes(module);
}

/// What the names of stubs start with.
const PREFIX: &str = "quipu_stub_";

/// Pointers to `void` point to bytes.
fn add_bytes(module: &mut Module) {
    let is_byte = |ty: &SourceType| matches!(ty, SourceType::Int { bits: 8, .. });
    if !module.types.iter().any(is_byte) {
        module.types.push(SourceType::Int { name: "unsigned char".to_string(), bits: 8, signed: false });
    }
}

/// Adds a stub for each type of function to which an input of some function may point, if C has words for the type.
///
/// There is none for variadic functions and for those that return a struct.
fn add_stubs(module: &mut Module) {
    let mut taken = file_scope_names(module);
    let mut number = 0;
    for (ty, span) in Callbacks::of(module).found {
        let Some((params, ret)) = interface(module, ty) else { continue };
        let has_stub =
            module.functions.iter().any(|one| is_stub(one) && resolve(module, one.ty) == resolve(module, ty));
        if has_stub {
            continue;
        }
        let name = loop {
            number += 1;
            let name = format!("{PREFIX}{number}");
            if taken.insert(name.clone()) {
                break name;
            }
        };
        module.functions.push(Function {
            name: name.clone(),
            source_name: name,
            ty,
            params,
            ret,
            returns_struct: false,
            variadic: false,
            noreturn: false,
            local: true,
            weak: false,
            span,
            body: Body::Declared,
        });
    }
}

/// Whether a function is a stub. No function of a program that links is visible in its file only and has no body; a stub
/// with a body was made for a test.
pub fn is_stub(function: &Function) -> bool {
    function.local == (function.body == Body::Declared) && function.source_name.starts_with(PREFIX)
}

/// The names at file scope.
pub fn file_scope_names(module: &Module) -> BTreeSet<String> {
    let functions = module.functions.iter().flat_map(|one| [one.name.clone(), one.source_name.clone()]);
    let objects = module.globals.iter().flat_map(|one| [Some(one.name.clone()), one.source_name.clone()]);
    let types = module.types.iter().flat_map(|ty| match ty {
        SourceType::Typedef { name, .. } => vec![name.clone()],
        SourceType::Enum { enumerators, .. } => enumerators.iter().map(|(name, _)| name.clone()).collect(),
        _ => Vec::new(),
    });
    functions.chain(objects.flatten()).chain(types).collect()
}

/// The types of functions to which inputs may point.
struct Callbacks<'a> {
    module: &'a Module,
    seen: BTreeSet<TypeId>,
    /// Each with the place of what leads to it.
    found: Vec<(TypeId, Span)>,
}

impl Callbacks<'_> {
    fn of(module: &Module) -> Callbacks<'_> {
        let mut callbacks = Callbacks { module, seen: BTreeSet::new(), found: Vec::new() };
        for (_, function) in module
            .functions
            .entries()
            .filter(|(func, function)| function.code().is_some() && !is_outside(module, *func))
        {
            let sources = function.params.iter().filter_map(|param| param.source);
            sources.for_each(|ty| callbacks.visit(ty, function.span));
        }
        let objects = module
            .globals
            .iter()
            .filter(|data| data.source_name.is_some() && !data.constant && !is_library_object(data));
        objects.for_each(|data| callbacks.visit(data.ty, data.span));
        callbacks
    }

    /// Looks at what an object of a type holds, and at what that points to.
    fn visit(&mut self, ty: TypeId, span: Span) {
        let ty = resolve(self.module, ty);
        if !self.seen.insert(ty) {
            return;
        }
        match &self.module.types[ty] {
            SourceType::Pointer { to: inner } | SourceType::Array { element: inner, .. } => {
                self.visit(*inner, span);
            }
            SourceType::Record { fields, .. } => {
                fields.iter().for_each(|field| self.visit(field.ty, span));
            }
            SourceType::Function { .. } => self.found.push((ty, span)),
            _ => {}
        }
    }
}

/// The parameters and the result of a stub; none if there can be no stub of this type.
fn interface(module: &Module, ty: TypeId) -> Option<(Vec<Param>, Option<Ty>)> {
    let SourceType::Function { ret, params, variadic: false, .. } = &module.types[ty] else { return None };
    declare(&module.types, ty, PREFIX)?;
    let ret = result(module, *ret)?;
    let source = |&source: &TypeId| {
        Some(Param { name: None, ty: passed_as(module, source)?, source: Some(source), elements: None })
    };
    let params: Vec<Param> = params.iter().map(source).collect::<Option<_>>()?;
    if params.is_empty() && may_lack_prototype(module, ret) {
        return None;
    }
    Some((params, ret))
}

/// The result as a value; none for a struct, or for what has no representation.
fn result(module: &Module, ret: TypeId) -> Option<Option<Ty>> {
    match module.types[resolve(module, ret)] {
        SourceType::Void => Some(None),
        _ => scalar(module, ret).map(Some),
    }
}

fn passed_as(module: &Module, ty: TypeId) -> Option<Ty> {
    match &module.types[resolve(module, ty)] {
        SourceType::Record { .. } => layout(module, ty).map(|_| Ty::Ptr),
        _ => scalar(module, ty),
    }
}

/// Whether a function type without parameters may be one without a prototype, as in `int (*f)()`, the calls of which
/// pass arguments that no stub expects: some call through a pointer fits no other type of the program.
fn may_lack_prototype(module: &Module, ret: Option<Ty>) -> bool {
    module.functions.iter().filter_map(Function::code).any(|body| {
        let mut insts = body.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| match &inst.kind {
            InstKind::Call(Callee::Indirect(_), args) if !args.is_empty() => {
                let types: Vec<Ty> = args.iter().map(|&arg| body.ty(arg)).collect();
                result_of(body, inst) == ret && !has_type(module, &types)
            }
            _ => false,
        })
    })
}

fn result_of(body: &FuncBody, inst: &Inst) -> Option<Ty> {
    inst.result.map(|result| body.ty(result))
}

/// Whether the program has a function type whose parameters travel in this way.
fn has_type(module: &Module, args: &[Ty]) -> bool {
    module.types.iter().any(|ty| {
        let SourceType::Function { ret, params, variadic, .. } = ty else { return false };
        let is_struct = matches!(module.types[resolve(module, *ret)], SourceType::Record { .. });
        let first = is_struct.then_some(Some(Ty::Ptr));
        let last = variadic.then_some(Some(Ty::Ptr));
        let passed =
            first.into_iter().chain(params.iter().map(|&param| passed_as(module, param))).chain(last);
        !params.is_empty() && passed.eq(args.iter().map(|&ty| Some(ty)))
    })
}

#[cfg(test)]
mod tests {
    use quipu_cfront::{Options, compile_source};

    use super::*;
    use crate::{Interface, Shape, Shapes};

    fn module(source: &str) -> Module {
        let options = Options::from_flags(&["-nostdinc".to_string()]).expect("the flag is known");
        let mut module = compile_source("a.c", source.as_bytes().to_vec(), &options).expect("C").module;
        add_stubs(&mut module);
        quipu_ir::verify(&module).expect("stubs are functions like others");
        module
    }

    fn stubs(module: &Module) -> Vec<String> {
        let stubs = module.functions.iter().filter(|function| is_stub(function));
        stubs.map(|stub| declare(&module.types, stub.ty, &stub.name).expect("it can be written")).collect()
    }

    #[test]
    fn each_type_among_the_inputs_has_one_stub() {
        let module = module(
            "struct node { struct node *next; void (*visit)(struct node *, double); };
             typedef unsigned char (*filter)(unsigned char);
             static filter filters[3];
             int walk(struct node *n, int (*f)(int), int (*again)(int)) { return n && f && again; }
             void set(filter f) { filters[0] = f; }
             void local(void) { void (*unused)(long) = 0; (void)unused; }",
        );
        assert_eq!(
            stubs(&module),
            [
                "void quipu_stub_1(struct node *, double)",
                "int quipu_stub_2(int)",
                "unsigned char quipu_stub_3(unsigned char)"
            ]
        );
    }

    #[test]
    fn names_of_the_program_are_left_alone() {
        let module = module(
            "int quipu_stub_1; enum e { quipu_stub_2 }; int f(enum e x, int (*g)(void)) { return g && x; }",
        );
        assert_eq!(stubs(&module), ["int quipu_stub_3(void)"]);
    }

    #[test]
    fn some_types_have_no_stub() {
        for parameter in ["int (*f)(int, ...)", "struct s (*f)(void)", "long double (*f)(void)"] {
            let source =
                format!("struct s {{ int x; }}; int g({parameter}) {{ return f != 0; }} struct s h(void);");
            assert_eq!(stubs(&module(&source)), [""; 0], "{parameter}");
        }
        // Called with arguments, a function without parameters would be undefined behaviour.
        assert_eq!(stubs(&module("int g(int (*f)(), char *p) { return f(p, 1); }")), [""; 0]);
    }

    #[test]
    fn only_pointers_to_functions_are_stubs() {
        let module = module("int f(int *p, int (*g)(int), int (*v)(int, ...)) { return p && g && v; }");
        let func = module.function("f").expect("it is there");
        let mut shapes = Shapes::default();
        for name in ["p", "g", "v"] {
            shapes.named.insert(name.to_string(), Shape::parse("stub").expect("a shape"));
        }
        let interface = Interface::of(&module, func, &shapes);
        let refused: Vec<(&str, &str)> =
            interface.refused.iter().map(|one| (one.name.as_str(), one.why.as_str())).collect();
        let why = [
            "`stub`: it does not point to a function",
            "`stub`: a test cannot define a function of its type",
        ];
        assert_eq!(refused, [("p", why[0]), ("v", why[1])]);
        let leaf = interface.leaf("g").expect("it is an input");
        assert_eq!(interface.leaves[leaf].limits(), (1, 1));
    }
}
