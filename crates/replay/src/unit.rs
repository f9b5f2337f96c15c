//! A source file as the user's preprocessor leaves it, with what the front end sees in it.
//!
//! In this text every statement and every condition stands at a place of its own, whatever macros made it.

use std::path::{Path, PathBuf};

use quipu_cfront::{Failure, Options};
use quipu_ir::{Module, SourceType};
use rustc_hash::FxHashSet;

use crate::ReplayError;
use crate::compiler::{Compiler, Running};
use crate::flags;
use crate::text::Text;

/// One translation unit.
pub(crate) struct Unit {
    pub(crate) file: PathBuf,
    pub(crate) text: Text,
    /// Its functions, with places in the text; or why the front end does not take the text.
    pub(crate) module: Result<Module, String>,
    /// The names that it gives to types.
    pub(crate) types: FxHashSet<String>,
}

/// Starts the preprocessor on a file.
pub(crate) fn preprocess(compiler: &Compiler, flags: &[String], file: &Path) -> Result<Running, ReplayError> {
    let mut args = vec!["-E".to_string()];
    args.extend(flags::preprocessing(flags));
    args.push(file.display().to_string());
    compiler.start(&args)
}

/// The unit that the preprocessor made of a file.
pub(crate) fn read(file: &Path, flags: &[String], output: &[u8]) -> Unit {
    let bytes = without_markers(output);
    let module = translate(file, flags, bytes.clone());
    let types = module.as_ref().map(type_names).unwrap_or_default();
    Unit { file: file.to_path_buf(), text: Text::new(bytes), module, types }
}

fn translate(file: &Path, flags: &[String], bytes: Vec<u8>) -> Result<Module, String> {
    let mut dialect = flags::dialect(flags);
    // Nothing is included any more, so that nobody needs to be asked for directories.
    dialect.push("-nostdinc".to_string());
    let options = Options::from_flags(&dialect).map_err(|error| error.to_string())?;
    let first_line = |failure: Failure| {
        let text = failure.to_string();
        text.lines().next().unwrap_or_default().to_string()
    };
    let program =
        quipu_cfront::compile_source(&file.display().to_string(), bytes, &options).map_err(first_line)?;
    Ok(program.module)
}

fn type_names(module: &Module) -> FxHashSet<String> {
    let names = module.types.iter().filter_map(|ty| match ty {
        SourceType::Typedef { name, .. } => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// The text without the lines by which the preprocessor tells where it comes from.
fn without_markers(output: &[u8]) -> Vec<u8> {
    let is_marker = |line: &[u8]| {
        let mut words = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some(b"#"), Some(number)) => number.iter().all(u8::is_ascii_digit),
            (Some(b"#line"), _) => true,
            _ => false,
        }
    };
    let lines = output.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !is_marker(line)).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_dropped_and_pragmas_kept() {
        let output = b"# 0 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint x;\n#pragma pack(1)\nint y;\n";
        assert_eq!(without_markers(output), b"int x;\n#pragma pack(1)\nint y;\n");
    }
}
