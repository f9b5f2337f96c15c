//! Names for the variables of a model: identifiers, unique, and arrays recognised by the names of their
//! elements.

use quipu_model::{Model, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::LONGEST_ARRAY;
use crate::parse::KEYWORDS;
use crate::types::Type;

/// A variable, or the variables that are the elements of an array.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub name: String,
    pub array: bool,
    pub vars: Vec<Var>,
}

impl Group {
    /// `x` or `a[3]`.
    pub fn declarator(&self) -> String {
        if self.array { format!("{}[{}]", self.name, self.vars.len()) } else { self.name.clone() }
    }
}

/// `var x : u8 in 1..9;` and a newline.
pub(super) fn declaration(word: &str, group: &Group, ty: Type, range: Option<(u64, u64)>) -> String {
    format!("{word} {} : {ty}{};\n", group.declarator(), range_text(ty, range))
}

/// ` in 1..9`, or nothing.
pub(super) fn range_text(ty: Type, range: Option<(u64, u64)>) -> String {
    range.map_or(String::new(), |(first, last)| format!(" in {}..{}", ty.show(first), ty.show(last)))
}

/// The variables in order, with new names. Neighbours `a[0]`, `a[1]`, … that are declared alike form an
/// array. `next` holds the variables for the next values of a state, which must be alike too.
pub(super) fn groups(
    model: &Model,
    vars: &[Var],
    next: &FxHashMap<Var, Var>,
    taken: &mut FxHashSet<String>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut rest = vars;
    while let Some(&first) = rest.first() {
        let length = array_length(model, rest, next, taken);
        let name = &model.vars()[first].name;
        let base = if length > 0 { &name[..name.len() - 3] } else { name };
        let (members, behind) = rest.split_at(length.max(1));
        groups.push(Group { name: unique(base, taken), array: length > 0, vars: members.to_vec() });
        rest = behind;
    }
    groups
}

/// How many of the first variables form an array; 0 if they do not.
fn array_length(model: &Model, vars: &[Var], next: &FxHashMap<Var, Var>, taken: &FxHashSet<String>) -> usize {
    type Look = (Type, Option<(u64, u64)>, Option<(u64, u64)>);
    let infos = model.vars();
    let look = |var: Var| -> Look {
        let info = &infos[var];
        (Type::of(info), info.range, next.get(&var).and_then(|&next| infos[next].range))
    };
    let Some(base) = infos[vars[0]].name.strip_suffix("[0]") else { return 0 };
    if !is_identifier(base) || taken.contains(base) {
        return 0;
    }
    let element = |n: usize, var: Var| {
        let index = infos[var].name.strip_prefix(base).and_then(|rest| rest.strip_prefix('['));
        index.and_then(|rest| rest.strip_suffix(']')) == Some(n.to_string().as_str())
            && look(var) == look(vars[0])
    };
    vars.iter().take(LONGEST_ARRAY).enumerate().take_while(|&(n, &var)| element(n, var)).count()
}

/// An identifier like the wanted one that nothing has yet.
pub(super) fn unique(wanted: &str, taken: &mut FxHashSet<String>) -> String {
    let base = identifier(wanted);
    let mut name = base.clone();
    let mut n = 1;
    while taken.contains(&name) {
        n += 1;
        name = format!("{base}_{n}");
    }
    taken.insert(name.clone());
    name
}

/// The text as an identifier.
fn identifier(text: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    name.truncate(200);
    let name = name.trim_end_matches('_');
    let plain = is_identifier(text);
    match name {
        _ if plain => text.to_owned(),
        _ if is_identifier(name) => name.to_owned(),
        _ => format!("v{name}"),
    }
}

/// Whether a text can be the name of a variable.
fn is_identifier(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|&b| letter(b))
        && bytes.iter().all(|&b| letter(b) || b.is_ascii_digit())
        && text != "_"
        && !KEYWORDS.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_identifiers() {
        let mut taken = FxHashSet::default();
        let names = ["x", "x", "a.b", "3", "", "var", "_", "i2", "é", "a[1]", "x_2"];
        let found: Vec<String> = names.iter().map(|name| unique(name, &mut taken)).collect();
        assert_eq!(found, ["x", "x_2", "a_b", "v3", "v", "vvar", "v_2", "i2", "v_3", "a_1", "x_2_2"]);
        assert!(found.iter().all(|name| is_identifier(name)));
    }
}
