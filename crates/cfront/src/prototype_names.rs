//! The names of parameters in prototypes.
//!
//! They mean nothing to a compiler (6.7.6.3p6), and `rucc` keeps those of definitions only. For people they tell what a
//! function that nobody defines does with its arguments.

use rucc_ast::{Ast, Decl, Derived};
use rucc_base::Symbol;
use rustc_hash::FxHashMap;

/// The names of parameters by the name of the function; those that the first prototype with names gives them.
pub(crate) type PrototypeNames = FxHashMap<Symbol, Vec<Option<Symbol>>>;

/// The names in the prototypes at the top level of a unit.
pub(crate) fn names(ast: &Ast) -> PrototypeNames {
    let mut names = PrototypeNames::default();
    for &decl in ast.top_level() {
        let Decl::Var { declarators, .. } = ast[decl] else { continue };
        for item in &ast[declarators] {
            let declarator = ast[item.declarator];
            let (Some(function), Some(&Derived::Function { params, .. })) =
                (declarator.name, ast[declarator.derived].first())
            else {
                continue;
            };
            let params: Vec<Option<Symbol>> =
                ast[params].iter().map(|param| ast[param.declarator].name).collect();
            if params.iter().any(Option::is_some) {
                names.entry(function).or_insert(params);
            }
        }
    }
    names
}
