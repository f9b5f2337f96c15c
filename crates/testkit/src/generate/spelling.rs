//! Declarators and type names: how C spells a type around a name.

use super::context::Gen;
use super::types::Type;

impl Gen<'_> {
    /// A declaration of `name` with a type, without the semicolon. Synonyms are chosen at random.
    pub(super) fn declare(&mut self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Pointer(to) => {
                let grouped = matches!(**to, Type::Array(..));
                let inner = if grouped { format!("(*{name})") } else { format!("*{name}") };
                self.declare(to, &inner)
            }
            Type::Array(element, len) => self.declare(element, &format!("{name}[{len}]")),
            Type::Function(signature) => {
                let signature = self.signatures[*signature].clone();
                let params =
                    self.parameter_types(&signature.params.iter().map(|p| &p.ty).collect::<Vec<_>>());
                self.declare_result(signature.ret.as_ref(), &format!("(*{name})({params})"))
            }
            _ => {
                let base = self.base_name(ty);
                if name.is_empty() { base } else { format!("{base} {name}") }
            }
        }
    }

    /// A declaration with a result type, which may be `void`.
    pub(super) fn declare_result(&mut self, ret: Option<&Type>, declarator: &str) -> String {
        match ret {
            Some(ty) => self.declare(ty, declarator),
            None => format!("void {declarator}"),
        }
    }

    /// The type's name, as in a cast.
    pub(super) fn type_name(&mut self, ty: &Type) -> String {
        self.declare(ty, "")
    }

    fn parameter_types(&mut self, params: &[&Type]) -> String {
        if params.is_empty() {
            return "void".to_string();
        }
        params.iter().map(|ty| self.type_name(ty)).collect::<Vec<_>>().join(", ")
    }

    fn base_name(&mut self, ty: &Type) -> String {
        match ty {
            Type::Int(kind) if self.rng.chance(75) => kind.name().to_string(),
            Type::Int(kind) => self.rng.pick(kind.spellings()).to_string(),
            Type::Enum(id, _) => format!("enum {}", self.enums[*id].tag),
            Type::Float(kind) => kind.name().to_string(),
            Type::Record(id) => self.records[*id].spelling.clone(),
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => {
                unreachable!("derived types are spelled by their declarators")
            }
        }
    }
}
