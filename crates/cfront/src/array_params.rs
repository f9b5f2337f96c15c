//! The lengths of parameters that are written as arrays.
//!
//! C makes a pointer of the parameter `int a[10]` (6.7.6.3p7), and `rucc` keeps nothing of the 10. The syntax tree
//! still has it, so the length is checked and evaluated a second time, behind the unit, where all names of the file
//! stand for what they stood for in the definition. A length that mentions another parameter is not constant; one
//! that could mean something else there, as it declares a type or the parameters do, is left alone.

use rucc_ast::{
    ArraySize, Ast, Decl, DeclId, DeclList, DeclaratorId, Derived, Expr, ExprId, Param, TypeNameId, TypeSpec,
};
use rucc_base::Symbol;
use rucc_sema::{Checker, Const};
use rustc_hash::FxHashMap;

/// The lengths, by the name of the function and the number of the parameter.
pub(crate) type ArrayParams = FxHashMap<(Symbol, usize), u64>;

/// The lengths of the array parameters of all functions that a checked unit defines.
pub(crate) fn lengths(ast: &Ast, checker: &mut Checker<'_>) -> ArrayParams {
    let mut lengths = ArrayParams::default();
    for &decl in ast.top_level() {
        let Some((name, params, old_style)) = definition(ast, decl) else { continue };
        if declares_types(ast, params, old_style) {
            continue;
        }
        let names: Vec<Symbol> = params.iter().filter_map(|param| ast[param.declarator].name).collect();
        for (n, param) in params.iter().enumerate() {
            let declarator = old_style_declarator(ast, old_style, param).unwrap_or(param.declarator);
            let Some(size) = written_size(ast, declarator) else { continue };
            if let Some(length) = is_closed(ast, size, &names).then(|| value(checker, size)).flatten() {
                lengths.insert((name, n), length);
            }
        }
    }
    lengths
}

/// The name of a defined function, its parameters, and the declarations between them and the body.
fn definition(ast: &Ast, decl: DeclId) -> Option<(Symbol, &[Param], DeclList)> {
    let Decl::Function { declarator, params: old_style, .. } = ast[decl] else { return None };
    let declarator = ast[declarator];
    let Some(&Derived::Function { params, .. }) = ast[declarator.derived].first() else { return None };
    Some((declarator.name?, &ast[params], old_style))
}

/// Whether a parameter list defines types or enumerators of its own, which nothing behind it can name.
fn declares_types(ast: &Ast, params: &[Param], old_style: DeclList) -> bool {
    let in_list = params.iter().filter_map(|param| param.specs);
    let behind = ast[old_style].iter().filter_map(|&decl| match ast[decl] {
        Decl::Var { specs, .. } => Some(specs),
        _ => None,
    });
    in_list.chain(behind).any(|specs| !is_mention(ast[specs].ty))
}

/// The declarator of a parameter that only has its name in the list: `int f(a) int a[10]; { ... }`.
fn old_style_declarator(ast: &Ast, declarations: DeclList, param: &Param) -> Option<DeclaratorId> {
    let name = ast[param.declarator].name?;
    let declared = ast[declarations].iter().filter_map(|&decl| match ast[decl] {
        Decl::Var { declarators, .. } => Some(ast[declarators].iter()),
        _ => None,
    });
    declared.flatten().map(|item| item.declarator).find(|&declarator| ast[declarator].name == Some(name))
}

/// What stands between the first brackets behind the name.
fn written_size(ast: &Ast, declarator: DeclaratorId) -> Option<ExprId> {
    match ast[ast[declarator].derived].first() {
        Some(&Derived::Array { size: ArraySize::Expr(size), .. }) => Some(size),
        _ => None,
    }
}

/// The value of a length, if it is constant.
fn value(checker: &mut Checker<'_>, size: ExprId) -> Option<u64> {
    let checked = checker.check_expr(size);
    match checker.eval_initializer(checked) {
        Ok(Const::Int(length)) => u64::try_from(length).ok(),
        _ => None,
    }
}

/// Whether an expression surely means the same behind the unit as in the parameter list.
fn is_closed(ast: &Ast, expr: ExprId, params: &[Symbol]) -> bool {
    let closed = |expr| is_closed(ast, expr, params);
    match ast[expr] {
        Expr::Int(_) | Expr::Char(_) | Expr::Bool(_) => true,
        Expr::Name(name) => !params.contains(&name),
        Expr::Unary { operand, .. } | Expr::SizeofExpr(operand) | Expr::Extension(operand) => closed(operand),
        Expr::Index { base: lhs, index: rhs } | Expr::Binary { lhs, rhs, .. } => closed(lhs) && closed(rhs),
        Expr::Member { base, .. } => closed(base),
        Expr::Cond { cond, then, otherwise } => closed(cond) && then.is_none_or(closed) && closed(otherwise),
        Expr::Cast { ty, operand } => is_plain_type(ast, ty) && closed(operand),
        Expr::SizeofType(ty) | Expr::AlignofType(ty) => is_plain_type(ast, ty),
        _ => false,
    }
}

/// Whether a type is named only, with nothing in it to evaluate or to declare.
fn is_plain_type(ast: &Ast, ty: TypeNameId) -> bool {
    let name = ast[ty];
    let is_pointer = |step: &Derived| matches!(step, Derived::Pointer { .. });
    is_mention(ast[name.specs].ty) && ast[ast[name.declarator].derived].iter().all(is_pointer)
}

/// Whether specifiers only name a type.
fn is_mention(ty: TypeSpec) -> bool {
    match ty {
        TypeSpec::None | TypeSpec::Builtin(_) | TypeSpec::Typedef(_) | TypeSpec::VaList => true,
        TypeSpec::Record { fields, .. } => fields.is_none(),
        TypeSpec::Enum { enumerators, .. } => enumerators.is_none(),
        _ => false,
    }
}
