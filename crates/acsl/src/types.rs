//! The types of terms.

use quipu_ir::{DataModel, Field, Module, SourceType, TypeId};

use crate::names::Names;
use crate::problem::{Checked, Problem};
use crate::source::Place;
use crate::tree::{BaseType, TypeName};

/// A type of C, as far as annotations need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CType {
    Void,
    /// Also enumerations, `_Bool` (one bit) and bit-fields.
    Int {
        bits: u32,
        signed: bool,
    },
    Float {
        bits: u32,
    },
    Pointer(Box<CType>),
    Array(Box<CType>),
    Record(TypeId),
    /// Functions, and what has no representation.
    Other,
}

impl CType {
    pub(crate) fn of(module: &Module, ty: TypeId) -> CType {
        match &module.types[ty] {
            SourceType::Void => CType::Void,
            SourceType::Bool => CType::Int { bits: 1, signed: false },
            SourceType::Int { bits, signed, .. } | SourceType::Enum { bits, signed, .. } => {
                CType::Int { bits: *bits, signed: *signed }
            }
            SourceType::Float { bits } => CType::Float { bits: *bits },
            SourceType::Pointer { to } => CType::Pointer(Box::new(CType::of(module, *to))),
            SourceType::Array { element, .. } => CType::Array(Box::new(CType::of(module, *element))),
            SourceType::Record { .. } => CType::Record(ty),
            SourceType::Typedef { of, .. } => CType::of(module, *of),
            SourceType::Function { .. } | SourceType::Unsupported(_) => CType::Other,
        }
    }

    /// What it is to people.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            CType::Void => "no value",
            CType::Int { .. } => "an integer",
            CType::Float { .. } => "a float",
            CType::Pointer(_) => "a pointer",
            CType::Array(_) => "an array",
            CType::Record(_) => "a struct or union",
            CType::Other => "of an unusual type",
        }
    }

    /// What a pointer or an array leads to.
    pub(crate) fn element(&self) -> Option<&CType> {
        match self {
            CType::Pointer(to) | CType::Array(to) => Some(to),
            _ => None,
        }
    }
}

/// The values of an integer type.
pub(crate) fn range(bits: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// The type of a member, also of one in an anonymous record.
pub(crate) fn member(module: &Module, record: TypeId, name: &str) -> Option<CType> {
    let SourceType::Record { fields, .. } = &module.types[record] else { return None };
    fields.iter().find_map(|field| match &field.name {
        Some(own) if own == name => Some(field_type(module, field)),
        Some(_) => None,
        None => match CType::of(module, field.ty) {
            CType::Record(inner) => member(module, inner, name),
            _ => None,
        },
    })
}

fn field_type(module: &Module, field: &Field) -> CType {
    match (CType::of(module, field.ty), field.bits) {
        (CType::Int { signed, .. }, Some((_, bits))) => CType::Int { bits, signed },
        (ty, _) => ty,
    }
}

/// A type of ACSL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Integer,
    Real,
    Boolean,
    C(CType),
}

/// The type behind a name, and how C writes it.
pub(crate) fn named(names: &Names<'_>, name: &TypeName) -> Checked<(Named, String)> {
    let words = match &name.base {
        BaseType::C(words) => words,
        _ if name.stars > 0 => {
            return Err(Problem::wrong(&name.place, "there are no pointers to such a type"));
        }
        BaseType::Integer => return Ok((Named::Integer, String::new())),
        BaseType::Real => return Ok((Named::Real, String::new())),
        BaseType::Boolean => return Ok((Named::Boolean, String::new())),
    };
    let mut ty = base(names, words, &name.place)?;
    for _ in 0..name.stars {
        ty = CType::Pointer(Box::new(ty));
    }
    let text = format!("{}{}", words.join(" "), " *".repeat(name.stars).replace(" *", "*"));
    Ok((Named::C(ty), text))
}

fn base(names: &Names<'_>, words: &[String], place: &Place) -> Checked<CType> {
    let module = names.module;
    let unknown = || Problem::wrong(place, format!("no type is called `{}`", words.join(" ")));
    if let [keyword, tag] = words
        && matches!(keyword.as_str(), "struct" | "union" | "enum")
    {
        let found = module.types.entries().find(|(_, ty)| match ty {
            SourceType::Record { tag: Some(own), .. } => keyword != "enum" && own == tag,
            SourceType::Enum { tag: Some(own), .. } => keyword == "enum" && own == tag,
            _ => false,
        });
        return found.map(|(id, _)| CType::of(module, id)).ok_or_else(unknown);
    }
    if let [word] = words {
        if let Some(ty) = names.types.get(word) {
            return Ok(ty.clone());
        }
        let is_it = |ty: &SourceType| matches!(ty, SourceType::Typedef { name, .. } if name == word);
        if let Some((id, _)) = module.types.entries().find(|(_, ty)| is_it(ty)) {
            return Ok(CType::of(module, id));
        }
    }
    basic(module.data_model, words).ok_or_else(unknown)
}

/// A type made of keywords, in any order (6.7.2p2).
fn basic(data_model: DataModel, words: &[String]) -> Option<CType> {
    let count = |word: &str| words.iter().filter(|own| *own == word).count();
    let unsigned = count("unsigned") > 0;
    let known = ["void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"];
    if !words.iter().all(|word| known.contains(&word.as_str())) {
        return None;
    }
    let int = |bits: u32| Some(CType::Int { bits, signed: !unsigned });
    match words {
        [word] if word == "void" => Some(CType::Void),
        [word] if word == "float" => Some(CType::Float { bits: 32 }),
        [word] if word == "double" => Some(CType::Float { bits: 64 }),
        [word] if word == "_Bool" => Some(CType::Int { bits: 1, signed: false }),
        _ if count("float") + count("double") + count("void") + count("_Bool") > 0 => None,
        _ if count("char") > 0 => int(8),
        _ if count("short") > 0 => int(16),
        _ if count("long") > 1 => int(64),
        _ if count("long") == 1 => int(if data_model == DataModel::Lp64 { 64 } else { 32 }),
        _ => int(32),
    }
}
