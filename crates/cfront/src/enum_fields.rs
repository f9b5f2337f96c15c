//! Bit-fields of enumeration type, rewritten so that they promote as gcc has it.
//!
//! gcc promotes `enum e kind : 3` to `int` because `int` holds all its values (6.3.1.1p2); `rucc` takes the type that
//! represents the enumeration, mostly `unsigned int`, and `x.kind - 1 < 0` comes out wrong. An `unsigned` bit-field
//! has the right promotion in both and the same layout. So where a unit has such fields, their declarations are
//! rewritten in the token stream and the unit is parsed again.

use rucc_base::{Interner, Symbol};
use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_target::TargetInfo;
use rucc_types::{EnumId, TypeKind, Types};
use rustc_hash::FxHashSet;

/// The names under which unsigned enumerations are used for bit-fields.
#[derive(Default)]
struct Names {
    tags: FxHashSet<Symbol>,
    typedefs: FxHashSet<Symbol>,
    has_unnamed: bool,
}

/// The tokens with such fields declared `unsigned`; none if there is nothing to rewrite.
pub(crate) fn rewrite(
    tokens: &[PpToken],
    types: &Types,
    target: &TargetInfo,
    interner: &mut Interner,
) -> Option<Vec<PpToken>> {
    let names = names_in_use(types, target)?;
    let (enumeration, unsigned) = (interner.intern("enum"), interner.intern("unsigned"));
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        match field_type(&tokens[at..], &names, enumeration) {
            // The type stays where it defines something, as a declaration of its own.
            Some(FieldType { len, defines }) => {
                let word = PpToken { kind: PpTokenKind::Ident, value: Some(unsigned), ..tokens[at] };
                if defines {
                    out.extend_from_slice(&tokens[at..at + len]);
                    out.push(PpToken {
                        kind: PpTokenKind::Punct(Punct::Semi),
                        value: None,
                        ..tokens[at + len - 1]
                    });
                }
                out.push(word);
                at += len;
            }
            None => {
                out.push(tokens[at]);
                at += 1;
            }
        }
    }
    Some(out)
}

/// Whether a type is an enumeration represented by an unsigned type.
pub(crate) fn is_unsigned_enum(types: &Types, target: &TargetInfo, id: rucc_types::TypeId) -> bool {
    enumeration(types, id).is_some()
        && rucc_types::integer_info(types, types.canonical(id), target).is_some_and(|info| !info.signed)
}

fn names_in_use(types: &Types, target: &TargetInfo) -> Option<Names> {
    let fields =
        types.records().flat_map(|(_, record)| record.fields.iter()).filter(|field| field.is_bit_field());
    let unsigned = fields.filter(|field| is_unsigned_enum(types, target, field.ty));
    let used: FxHashSet<EnumId> = unsigned.filter_map(|field| enumeration(types, field.ty)).collect();
    let mut names = Names::default();
    for &id in &used {
        match types.enum_info(id).tag {
            Some(tag) => drop(names.tags.insert(tag)),
            None => names.has_unnamed = true,
        }
    }
    let is_used = |id: rucc_types::TypeId| enumeration(types, id).is_some_and(|id| used.contains(&id));
    let aliases = types.aliases().iter().filter(|alias| is_used(alias.of));
    names.typedefs.extend(aliases.map(|alias| alias.name));
    (!used.is_empty()).then_some(names)
}

/// The enumeration behind a type, whatever its names and qualifiers.
fn enumeration(types: &Types, id: rucc_types::TypeId) -> Option<EnumId> {
    match types.kind(types.canonical(id)) {
        TypeKind::Enum(id) => Some(id),
        _ => None,
    }
}

/// The type in front of a bit-field: how many tokens it takes, and whether it defines enumerators.
struct FieldType {
    len: usize,
    defines: bool,
}

/// Recognises `enum tag name :`, `enum tag { ... } name :` and `typedef-name name :`. Nothing else in C looks so.
fn field_type(tokens: &[PpToken], names: &Names, enumeration: Symbol) -> Option<FieldType> {
    let first = tokens.first().filter(|token| token.kind == PpTokenKind::Ident)?.value?;
    let is_field = |len: usize| {
        tokens.get(len).is_some_and(|token| token.kind == PpTokenKind::Ident)
            && tokens.get(len + 1).is_some_and(|token| token.kind == PpTokenKind::Punct(Punct::Colon))
    };
    if names.typedefs.contains(&first) {
        return is_field(1).then_some(FieldType { len: 1, defines: false });
    }
    if first != enumeration {
        return None;
    }
    let tag = tokens.get(1).filter(|token| token.kind == PpTokenKind::Ident).and_then(|token| token.value);
    let known = tag.map_or(names.has_unnamed, |tag| names.tags.contains(&tag));
    if !known {
        return None;
    }
    let head = 1 + usize::from(tag.is_some());
    if is_field(head) {
        return Some(FieldType { len: head, defines: false });
    }
    let len = head + braces(&tokens[head..])?;
    is_field(len).then_some(FieldType { len, defines: true })
}

/// The length of a pair of braces with what stands between them.
fn braces(tokens: &[PpToken]) -> Option<usize> {
    let opens = tokens.first().is_some_and(|token| token.kind == PpTokenKind::Punct(Punct::LBrace));
    let close = tokens.iter().position(|token| token.kind == PpTokenKind::Punct(Punct::RBrace));
    close.filter(|_| opens).map(|close| close + 1)
}
