//! A source file as the user's preprocessor leaves it, with what the front end sees in it.
//!
//! In this text every statement and every condition stands at a place of its own, whatever macros made it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use quipu_cfront::{Failure, Options};
use quipu_ir::{Module, SourceType};
use rustc_hash::FxHashSet;

use crate::ReplayError;
use crate::compiler::{Compiler, Running};
use crate::flags;
use crate::linkage::of_one_thread;
use crate::overlay::Overlay;
use crate::text::Text;

/// One translation unit.
pub(crate) struct Unit {
    pub(crate) file: PathBuf,
    pub(crate) text: Text,
    /// Its functions, with places in the text; or why the front end does not take the text.
    pub(crate) module: Result<Module, String>,
    /// For each line of the text: where it comes from.
    pub(crate) origins: Vec<Origin>,
    /// The names that it gives to types.
    pub(crate) types: FxHashSet<String>,
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) file: Rc<str>,
    pub(crate) line: u32,
}

/// Starts the preprocessor on what stands for a file.
pub(crate) fn preprocess(
    compiler: &Compiler,
    flags: &[String],
    overlay: &Overlay,
) -> Result<Running, ReplayError> {
    let mut args = vec!["-E".to_string()];
    args.extend(overlay.flags.iter().cloned());
    args.extend(flags::preprocessing(flags));
    args.push(overlay.source.display().to_string());
    compiler.start(&args)
}

/// The unit that the preprocessor made of a file.
pub(crate) fn read(file: &Path, flags: &[String], output: &[u8]) -> Unit {
    let (bytes, origins) = without_markers(output);
    let bytes = of_one_thread(bytes);
    let module = translate(file, flags, bytes.clone());
    let types = module.as_ref().map(type_names).unwrap_or_default();
    Unit { file: file.to_path_buf(), text: Text::new(bytes), module, origins, types }
}

fn translate(file: &Path, flags: &[String], bytes: Vec<u8>) -> Result<Module, String> {
    let mut dialect = flags::dialect(flags);
    // Nothing is included any more, so that nobody needs to be asked for directories.
    dialect.push("-nostdinc".to_string());
    let options = Options::from_flags(&dialect).map_err(|error| error.to_string())?.for_one_file();
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

/// The text without the lines by which the preprocessor tells where it comes from, and what they tell.
fn without_markers(output: &[u8]) -> (Vec<u8>, Vec<Origin>) {
    let mut text = Vec::with_capacity(output.len());
    let mut origins = Vec::new();
    let mut next = Origin { file: Rc::from(""), line: 1 };
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        match marker(line) {
            Some(origin) => next = origin,
            None => {
                text.extend_from_slice(line);
                origins.push(next.clone());
                next.line += 1;
            }
        }
    }
    (text, origins)
}

/// The place of the next line, if this line tells it: `# 12 "file.c" 2`.
fn marker(line: &[u8]) -> Option<Origin> {
    let text = String::from_utf8_lossy(line);
    let rest = text.strip_prefix("#line ").or_else(|| text.strip_prefix("# "))?;
    let (number, file) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let line = number.parse().ok()?;
    let name = file.trim().strip_prefix('"').and_then(|name| name.rfind('"').map(|end| &name[..end]));
    Some(Origin { file: Rc::from(name.unwrap_or_default()), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_dropped_and_pragmas_kept() {
        let output = b"# 0 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint x;\n#pragma pack(1)\nint y;\n";
        let (text, origins) = without_markers(output);
        assert_eq!(text, b"int x;\n#pragma pack(1)\nint y;\n");
        let places: Vec<(&str, u32)> = origins.iter().map(|origin| (&*origin.file, origin.line)).collect();
        assert_eq!(places, [("/usr/include/x.h", 1), ("/usr/include/x.h", 2), ("/usr/include/x.h", 3)]);
    }
}
