//! Names that the IR does not know, asked of the front end: values of macros, and types.

use std::path::PathBuf;

use quipu_cfront::{Addition, Options, compile_with};
use quipu_ir::{Init, Module, SourceType};
use rustc_hash::FxHashMap;

use crate::types::CType;

/// The name of the text in which macros are tried.
const ATTEMPT: &str = "names in annotations";

/// The values of those names that are integers at the end of a file.
pub(crate) fn values(
    files: &[PathBuf],
    file: usize,
    names: Vec<String>,
    options: &Options,
) -> FxHashMap<String, i128> {
    let Some((module, names)) = tried(files, file, names, options, line) else { return FxHashMap::default() };
    let read = |(n, name): (usize, &String)| Some((name.clone(), value(&module, n)?));
    names.iter().enumerate().filter_map(read).collect()
}

/// The types of those names that are types at the end of a file. `module` is the program without them.
pub(crate) fn types(
    files: &[PathBuf],
    file: usize,
    names: Vec<String>,
    options: &Options,
    module: &Module,
) -> FxHashMap<String, CType> {
    let declare =
        |n: usize, name: &str| format!("extern {name} *quipu_place_{n}; {name} *quipu_place_{n};\n");
    let Some((found, names)) = tried(files, file, names, options, declare) else {
        return FxHashMap::default();
    };
    let read = |(n, name): (usize, &String)| {
        let place = format!("quipu_place_{n}");
        let data = found.globals.iter().find(|data| data.name == place)?;
        let ty = CType::of(&found, data.ty).element()?.clone();
        Some((name.clone(), moved(ty, &found, module)?))
    };
    names.iter().enumerate().filter_map(read).collect()
}

/// A type of one module in another. A record without a tag is known there by its name.
fn moved(ty: CType, from: &Module, to: &Module) -> Option<CType> {
    match ty {
        CType::Pointer(inner) => Some(CType::Pointer(Box::new(moved(*inner, from, to)?))),
        CType::Array(inner) => Some(CType::Array(Box::new(moved(*inner, from, to)?))),
        CType::Record(id) => {
            let SourceType::Record { tag: Some(tag), kind, .. } = &from.types[id] else { return None };
            let same = to.types.entries().find(|(_, ty)| {
                matches!(ty, SourceType::Record { tag: Some(own), kind: other, .. } if own == tag && other == kind)
            });
            same.map(|(id, _)| CType::Record(id))
        }
        ty => Some(ty),
    }
}

/// The program with a line of C for each name, and the names whose lines the front end takes.
fn tried(
    files: &[PathBuf],
    file: usize,
    mut names: Vec<String>,
    options: &Options,
    line: impl Fn(usize, &str) -> String,
) -> Option<(Module, Vec<String>)> {
    while !names.is_empty() {
        let text: String = names.iter().enumerate().map(|(n, name)| line(n, name)).collect();
        let addition = Addition { file, name: ATTEMPT.to_string(), text };
        let failure = match compile_with(files, &[addition], options) {
            Ok(program) => return Some((program.module, names)),
            Err(failure) => failure,
        };
        let places = failure.errors.iter().filter_map(|error| error.place.as_ref());
        let wrong: Vec<usize> =
            places.filter(|place| place.file == ATTEMPT).map(|place| place.line as usize - 1).collect();
        if wrong.is_empty() {
            return None;
        }
        let mut n = 0;
        names.retain(|_| {
            n += 1;
            !wrong.contains(&(n - 1))
        });
    }
    None
}

/// Three constants: the value, whether it is negative, and whether it is an integer at all.
fn line(n: usize, name: &str) -> String {
    format!(
        "const long long quipu_value_{n} = ({name}); const int quipu_negative_{n} = ({name}) < 0; \
         const int quipu_whole_{n} = ({name}) == (long long)({name});\n"
    )
}

fn value(module: &Module, n: usize) -> Option<i128> {
    let is_negative = constant(module, &format!("quipu_negative_{n}"))? != 0;
    let is_whole = constant(module, &format!("quipu_whole_{n}"))? != 0;
    let bits = constant(module, &format!("quipu_value_{n}"))?;
    let value = if is_negative { i128::from(bits.cast_signed()) } else { i128::from(bits) };
    is_whole.then_some(value)
}

/// The bytes of a constant object without addresses in it.
fn constant(module: &Module, name: &str) -> Option<u64> {
    let data = module.globals.iter().find(|data| data.name == name)?;
    match &data.init {
        Init::Data { bytes, relocs } if relocs.is_empty() => {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            Some(u64::from_le_bytes(word))
        }
        _ => None,
    }
}
