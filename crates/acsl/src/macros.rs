//! Macros in annotations: names that only the preprocessor knows, asked for their values.

use std::path::PathBuf;

use quipu_cfront::{Addition, Options, compile_with};
use quipu_ir::{Init, Module};
use rustc_hash::FxHashMap;

/// The name of the text in which macros are tried.
const ATTEMPT: &str = "names in annotations";

/// The values of those names that are integers at the end of a file.
pub(crate) fn values(
    files: &[PathBuf],
    file: usize,
    mut names: Vec<String>,
    options: &Options,
) -> FxHashMap<String, i128> {
    while !names.is_empty() {
        let lines: String = names.iter().enumerate().map(|(n, name)| line(n, name)).collect();
        let addition = Addition { file, name: ATTEMPT.to_string(), text: lines };
        let failure = match compile_with(files, &[addition], options) {
            Ok(program) => {
                let read = |(n, name): (usize, &String)| Some((name.clone(), value(&program.module, n)?));
                return names.iter().enumerate().filter_map(read).collect();
            }
            Err(failure) => failure,
        };
        let places = failure.errors.iter().filter_map(|error| error.place.as_ref());
        let wrong: Vec<usize> =
            places.filter(|place| place.file == ATTEMPT).map(|place| place.line as usize - 1).collect();
        if wrong.is_empty() {
            break;
        }
        let mut n = 0;
        names.retain(|_| {
            n += 1;
            !wrong.contains(&(n - 1))
        });
    }
    FxHashMap::default()
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
