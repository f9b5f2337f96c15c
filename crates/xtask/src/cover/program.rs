//! The programs that are measured, and what is under test in them.

use std::fs;
use std::path::{Path, PathBuf};

use quipu_cfront::{Program, compile};
use quipu_cover::{Options, Subject, goals_of};
use quipu_goals::{Criterion, Goals, McdcForm};
use quipu_inputs::Interface;
use quipu_ir::Func;

use super::generated;

/// A program of one file.
pub struct Source {
    pub name: String,
    pub file: PathBuf,
}

/// The criteria that are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Branch,
    Mcdc,
}

impl Wanted {
    pub const ALL: [Wanted; 2] = [Wanted::Branch, Wanted::Mcdc];

    /// Its name, for Quipu and for CBMC.
    pub fn name(self) -> &'static str {
        match self {
            Wanted::Branch => "branch",
            Wanted::Mcdc => "mcdc",
        }
    }

    pub fn named(name: &str) -> Option<Wanted> {
        Wanted::ALL.into_iter().find(|wanted| wanted.name() == name)
    }

    /// What the search should do: what the command line does if it is told nothing else.
    pub fn options(self) -> Options {
        let criterion = match self {
            Wanted::Branch => Criterion::Branch,
            Wanted::Mcdc => Criterion::Mcdc(McdcForm::Masking),
        };
        Options { criteria: vec![criterion], ..Options::default() }
    }
}

/// The programs of the folders and the generated one, or those whose name contains a text.
pub fn all(folders: &[PathBuf], scratch: &Path, only: Option<&str>) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for folder in folders {
        sources.extend(in_folder(folder)?);
    }
    let file = scratch.join("generated.c");
    fs::write(&file, generated::state_machine()).map_err(|error| format!("{}: {error}", file.display()))?;
    sources.push(Source { name: "generated".to_owned(), file });
    sources.retain(|source| only.is_none_or(|only| source.name.contains(only)));
    Ok(sources)
}

fn in_folder(folder: &Path) -> Result<Vec<Source>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let group = stem(folder);
    let source = |file: PathBuf| Source { name: format!("{group}/{}", stem(&file)), file };
    Ok(files.into_iter().map(source).collect())
}

/// The program of a file.
pub fn load(file: &Path) -> Result<Program, String> {
    let options = quipu_cfront::Options::default();
    let mut program = compile(&[file.to_path_buf()], &options).map_err(|failure| failure.to_string())?;
    quipu_inputs::add_provisions(&mut program.module);
    Ok(program)
}

/// The functions that the file itself defines, in its order; and how many of its functions are not supported.
pub fn functions(program: &Program, file: &Path) -> (Vec<Func>, usize) {
    let module = &program.module;
    let own = module.functions.entries().filter(|(_, function)| {
        module.files[function.span.file] == file.to_string_lossy()
            && function.body != quipu_ir::Body::Declared
    });
    let mut own: Vec<Func> = own.map(|(func, _)| func).collect();
    own.sort_by_key(|&func| module.functions[func].span);
    let defined = own.len();
    own.retain(|&func| module.functions[func].code().is_some());
    let unsupported = defined - own.len();
    (own, unsupported)
}

/// A function with its inputs and goals.
pub struct Target {
    pub subject: Subject,
    pub goals: Goals,
}

impl Target {
    pub fn new(program: &Program, func: Func, options: &Options) -> Target {
        let subject = Subject::new(&program.module, func, Vec::new(), options)
            .unwrap_or_else(|error| panic!("no range is given, so none is wrong: {error:?}"));
        Target { subject, goals: goals_of(program, func, options) }
    }

    pub fn interface(&self) -> &Interface {
        &self.subject.interface
    }
}
