//! From a program to its annotations: read, look names up, translate.

use std::collections::BTreeSet;
use std::path::PathBuf;

use quipu_cfront::{
    Addition, Diagnostic, Edit, Failure, Options, Piece, Program, Severity, compile, live_places,
};
use quipu_ir::{Callee, Func, InstKind, Module, SourceType, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contract::{self, Written};
use crate::inline;
use crate::lines::Lines;
use crate::names::{self, Local, Names};
use crate::problem::{Checked, Problem};
use crate::source::{Annotation, Place, Source};
use crate::translate::{Moment, Purpose, Translator, collect_names};
use crate::tree::{ClauseKind, Definition, Expr, Said};
use crate::types::CType;
use crate::{Annotations, Claim, ClaimKind, ClausePlace, Generated, Note, NoteKind, clauses, probe};

/// The number of errors that are told.
const MOST_ERRORS: usize = 20;

/// What is made, piece by piece.
pub(crate) struct Output<'p> {
    pub(crate) module: &'p Module,
    pub(crate) annotations: Annotations,
    errors: Vec<Diagnostic>,
    fresh: usize,
    /// The names of the files.
    files: Vec<String>,
    /// For each file, what is put into its text.
    inserts: Vec<Vec<Piece>>,
    /// Functions that the program itself calls, or takes the address of.
    called: FxHashSet<Func>,
}

/// A translated predicate.
pub(crate) struct Translated {
    pub(crate) text: String,
    pub(crate) snapshots: Vec<String>,
    /// Whether its arithmetic is checked.
    pub(crate) checks: bool,
}

pub(crate) fn annotate(
    program: &Program,
    files: &[PathBuf],
    options: &Options,
) -> Result<Annotations, Failure> {
    let mut sources: Vec<Source> = files.iter().map(|file| source(program, file)).collect();
    sources.extend(headers(program, &sources));
    for (source, file) in sources.iter_mut().zip(files) {
        let places: Vec<usize> = source.annotations.iter().map(|one| one.comment.start).collect();
        if !places.is_empty() {
            source.keep_live(&live_places(file, &places, options)?);
            source.hide_dead(&program.live);
        }
    }
    if sources.iter().all(|source| source.annotations.is_empty()) {
        return Ok(Annotations::default());
    }
    let module = &program.module;
    let mut output = Output {
        module,
        annotations: Annotations::default(),
        errors: Vec::new(),
        fresh: 0,
        files: sources[..files.len()].iter().map(|source| source.name.clone()).collect(),
        inserts: files.iter().map(|_| Vec::new()).collect(),
        called: called(module),
    };
    let (said, types): (AllSaid, Vec<_>) =
        read_all(program, files, options, &sources, &mut output).into_iter().unzip();
    output.result_so_far()?;
    let definitions = definitions(&sources, &said, &mut output);
    let bodies: Vec<Vec<(Func, Place)>> =
        sources.iter().map(|source| names::bodies(module, source)).collect();
    let locals = all_locals(files, options, &sources, &said, &bodies)?;
    let all: Vec<Names<'_>> = sources
        .iter()
        .enumerate()
        .zip(locals.into_iter().zip(types))
        .map(|((n, source), (locals, types))| {
            let mut names = Names {
                module,
                source,
                definitions: definitions.clone(),
                types,
                macros: FxHashMap::default(),
                locals,
            };
            let open = open_names(&said[n], &names);
            // What a header defines is known to every file that includes it.
            let file = if n < files.len() { n } else { includer(program, files, source) };
            names.macros = probe::values(files, file, open, options);
            names
        })
        .collect();
    let mut written: Vec<Written<'_>> = Vec::new();
    let mut inside = Vec::new();
    for (n, names) in all.iter().enumerate() {
        for (annotation, said) in &said[n] {
            match bodies[n].iter().find(|(_, body)| body.contains(&annotation.comment.start)) {
                Some(_) if n >= files.len() => {
                    let what = "a claim in the body of an included function";
                    output.complain(names.source, Problem::unsupported(&annotation.comment, what));
                }
                Some((func, body)) => inside.push((n, names, (*func, body), annotation, said)),
                None => contract::collect(&mut output, names, annotation, said, &mut written),
            }
        }
    }
    // What a body keeps of the state before the call comes behind the claims that the call is allowed.
    for one in &written {
        contract::translate(&mut output, one, &sources[..files.len()], &bodies);
    }
    for (n, names, function, annotation, said) in inside {
        inline::translate(&mut output, names, n, function, annotation, said);
    }
    output.result_so_far()?;
    Ok(output.finish())
}

fn source(program: &Program, file: &std::path::Path) -> Source {
    let name = file.to_string_lossy().into_owned();
    let known = program.sources.iter().find(|source| source.name == name);
    // A file that contributes nothing to the program is not among its sources.
    let bytes = known.map(|source| source.bytes.as_slice().to_vec()).unwrap_or_default();
    Source::new(name, bytes)
}

/// The included files with annotations.
fn headers(program: &Program, files: &[Source]) -> Vec<Source> {
    let included = program.headers.iter().filter(|header| files.iter().all(|file| file.name != header.name));
    let read = included.map(|header| Source::new(header.name.clone(), header.bytes().to_vec()));
    read.filter(|source| !source.annotations.is_empty()).collect()
}

/// A file that may know what a header defines: the first that defines a function of which the header speaks, or the
/// first of all.
fn includer(program: &Program, files: &[PathBuf], header: &Source) -> usize {
    let module = &program.module;
    let spoken =
        header.annotations.iter().filter_map(|one| contract::annotated(module, header, one.comment.end));
    let homes = spoken.filter_map(|func| {
        let home = &module.files[module.functions[func].span.file];
        files.iter().position(|file| file.to_string_lossy() == *home)
    });
    homes.min().unwrap_or(0)
}

fn called(module: &Module) -> FxHashSet<Func> {
    let mut found = FxHashSet::default();
    for code in module.functions.iter().filter_map(|function| function.code()) {
        found.extend(code.values.iter().filter_map(|value| match value.def {
            ValueDef::Func(func) => Some(func),
            _ => None,
        }));
        found.extend(code.blocks.iter().flat_map(|block| &block.insts).filter_map(|inst| match inst.kind {
            InstKind::Call(Callee::Direct(func), _) => Some(func),
            _ => None,
        }));
    }
    for data in module.globals.iter() {
        let quipu_ir::Init::Data { relocs, .. } = &data.init else { continue };
        found.extend(relocs.iter().filter_map(|reloc| match reloc.symbol {
            quipu_ir::Symbol::Func(func) => Some(func),
            quipu_ir::Symbol::Global(_) => None,
        }));
    }
    found
}

type AllSaid = Vec<Vec<(Annotation, Said)>>;

/// What the comments of a file say, and the types that they name.
type Read = (Vec<(Annotation, Said)>, FxHashMap<String, CType>);

fn read_all(
    program: &Program,
    files: &[PathBuf],
    options: &Options,
    sources: &[Source],
    output: &mut Output<'_>,
) -> Vec<Read> {
    let module = &program.module;
    let kept: FxHashSet<String> = module
        .types
        .iter()
        .filter_map(|ty| match ty {
            SourceType::Typedef { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect();
    let mut all = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        let mut open = clauses::possible_types(source);
        open.retain(|name| !kept.contains(name));
        let file = if n < files.len() { n } else { includer(program, files, source) };
        let named = probe::types(files, file, open.into_iter().collect(), options, module);
        let types: FxHashSet<String> = kept.iter().chain(named.keys()).cloned().collect();
        let mut found = Vec::new();
        for annotation in &source.annotations {
            if let Some(mut said) = output.accept(source, clauses::read(source, annotation, &types)) {
                said.problems.drain(..).for_each(|problem| output.complain(source, problem));
                found.push((annotation.clone(), said));
            }
        }
        all.push((found, named));
    }
    all
}

fn definitions(sources: &[Source], said: &AllSaid, output: &mut Output<'_>) -> FxHashMap<String, Definition> {
    let mut known: FxHashMap<String, Definition> = FxHashMap::default();
    for (source, said) in sources.iter().zip(said) {
        for definition in said.iter().flat_map(|(_, said)| &said.definitions) {
            if known.insert(definition.name.clone(), definition.clone()).is_some() {
                let message = format!("`{}` is defined twice", definition.name);
                output.complain(source, Problem::wrong(&definition.place, message));
            }
        }
    }
    known
}

/// The variables of bodies, if there are annotations in bodies. The program is translated once more for them, with all
/// variables in memory.
fn all_locals(
    files: &[PathBuf],
    options: &Options,
    sources: &[Source],
    said: &AllSaid,
    bodies: &[Vec<(Func, Place)>],
) -> Result<Vec<FxHashMap<Func, Vec<Local>>>, Failure> {
    let is_inside = |n: usize| {
        let mut places = said[n].iter().map(|(annotation, _)| annotation.comment.start);
        places.any(|place| bodies[n].iter().any(|(_, body)| body.contains(&place)))
    };
    if !(0..sources.len()).any(is_inside) {
        return Ok(sources.iter().map(|_| FxHashMap::default()).collect());
    }
    let mut options = options.clone();
    options.keep_variables();
    let program = compile(files, &options)?;
    Ok(sources
        .iter()
        .zip(bodies)
        .map(|(source, bodies)| names::locals(&program.module, source, bodies))
        .collect())
}

/// The names in annotations that the program does not explain: macros, or mistakes.
fn open_names(said: &[(Annotation, Said)], names: &Names<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (_, said) in said {
        for clause in &said.clauses {
            if let Some(predicate) = predicate_of(&clause.kind) {
                collect_names(predicate, &mut found);
            }
        }
        said.definitions.iter().for_each(|definition| collect_names(&definition.body, &mut found));
    }
    let module = names.module;
    let is_parameter = |name: &str| {
        let mut params = module.functions.iter().flat_map(|function| &function.params);
        params.any(|param| param.name.as_deref() == Some(name))
    };
    let is_local = |name: &str| names.locals.values().flatten().any(|local| local.name == name);
    found.retain(|name| {
        let is_definition = names.definitions.contains_key(name)
            || names.definitions.values().any(|one| one.parameters.iter().any(|own| own.name == *name));
        let is_function = module.functions.iter().any(|function| function.source_name == *name);
        !is_parameter(name)
            && !is_local(name)
            && names.global(name).is_none()
            && !is_definition
            && !is_function
    });
    found.into_iter().collect()
}

fn predicate_of(kind: &ClauseKind) -> Option<&Expr> {
    match kind {
        ClauseKind::Requires(predicate)
        | ClauseKind::Assumes(predicate)
        | ClauseKind::Ensures(predicate)
        | ClauseKind::Assert(predicate)
        | ClauseKind::LoopInvariant(predicate) => Some(predicate),
        ClauseKind::Complete(_)
        | ClauseKind::Disjoint(_)
        | ClauseKind::Documentation(_)
        | ClauseKind::Unsupported(_) => None,
    }
}

impl<'p> Output<'p> {
    /// The value, or nothing and a message about it.
    pub(crate) fn accept<T>(&mut self, source: &Source, checked: Checked<T>) -> Option<T> {
        match checked {
            Ok(value) => Some(value),
            Err(problem) => {
                self.complain(source, problem);
                None
            }
        }
    }

    /// What is wrong is an error; what is only not supported is noted.
    pub(crate) fn complain(&mut self, source: &Source, problem: Problem) {
        let severity = if problem.unsupported { Severity::Warning } else { Severity::Error };
        let hint = problem.hint.as_deref();
        let message = source.diagnostic(severity, &problem.place, &problem.message, hint);
        match problem.unsupported {
            true => self.annotations.notes.push(Note { kind: NoteKind::NotChecked, message }),
            false => self.errors.push(message),
        }
    }

    pub(crate) fn note(&mut self, source: &Source, kind: NoteKind, place: &Place, message: &str) {
        let message = source.diagnostic(Severity::Warning, place, message, None);
        self.annotations.notes.push(Note { kind, message });
    }

    fn result_so_far(&mut self) -> Result<(), Failure> {
        match self.errors.is_empty() {
            true => Ok(()),
            false => {
                let mut errors = std::mem::take(&mut self.errors);
                errors.truncate(MOST_ERRORS);
                Err(Failure { errors })
            }
        }
    }

    pub(crate) fn is_called(&self, func: Func) -> bool {
        self.called.contains(&func)
    }

    /// A number that no name has yet.
    pub(crate) fn number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    /// Translates a predicate for a claim or a gate; `granted` is what was evaluated before the call and holds.
    pub(crate) fn predicate(
        &mut self,
        names: &Names<'_>,
        func: Func,
        (purpose, moment): (Purpose, Moment),
        predicate: &Expr,
        granted: Option<&str>,
    ) -> Option<Translated> {
        let mut translator = Translator::new(names, func, purpose, moment, self.fresh);
        if let Some(granted) = granted {
            translator.grant(granted);
        }
        let term = translator.predicate(predicate);
        self.fresh = translator.fresh();
        let made = translator.made;
        let term = self.accept(names.source, term)?;
        if let Some(place) = made.rounded.first()
            && purpose != Purpose::Gate
        {
            let message = "this is computed with doubles, which round";
            self.note(names.source, NoteKind::Rounded, place, message);
        }
        Some(Translated { text: term.text, snapshots: made.snapshots, checks: made.checks })
    }

    /// The number of the next claim.
    pub(crate) fn next_claim(&self) -> usize {
        self.annotations.claims.len()
    }

    /// Enters a claim, and behind it the one that it can be evaluated.
    pub(crate) fn enter(&mut self, claim: Claim, checks: bool) {
        let evaluation = Claim { kind: ClaimKind::Evaluation, ..claim.clone() };
        self.annotations.claims.push(claim);
        if checks {
            self.annotations.claims.push(evaluation);
        }
    }

    pub(crate) fn claim(
        &self,
        source: &Source,
        func: Func,
        kind: ClaimKind,
        place: &Place,
        behavior: Option<&String>,
    ) -> Claim {
        Claim {
            kind,
            place: clause_place(source, place),
            text: clause_text(source, place),
            function: self.module.functions[func].name.clone(),
            behavior: behavior.cloned(),
        }
    }

    /// Puts a text into a file, in place of something. It may stand for a clause: if that is in the same file, it is told
    /// to be there.
    pub(crate) fn insert(
        &mut self,
        file: usize,
        place: Place,
        text: String,
        clause: Option<(&Source, &Place)>,
    ) {
        let own = clause.filter(|(source, _)| source.name == self.files[file]);
        let told = own.map_or(place.start, |(_, clause)| clause.start);
        let piece = Piece { place, text, told };
        if !self.inserts[file].contains(&piece) {
            self.inserts[file].push(piece);
        }
    }

    /// Adds a function behind a file.
    pub(crate) fn add(&mut self, file: usize, function: &str, lines: Lines) {
        let (text, lines) = lines.finish();
        let name = self.files[file].clone();
        self.annotations.additions.push(Addition { file, name, text });
        self.annotations.generated.push(Generated { function: function.to_string(), lines });
    }

    fn finish(mut self) -> Annotations {
        for (file, mut pieces) in self.inserts.into_iter().enumerate() {
            if !pieces.is_empty() {
                pieces.sort_by_key(|piece| (piece.place.start, piece.place.end));
                self.annotations.edits.push(Edit { file, pieces });
            }
        }
        self.annotations
    }
}

pub(crate) fn clause_place(source: &Source, place: &Place) -> ClausePlace {
    let (line, column) = source.position(place.start);
    let (end_line, end_column) = source.position(place.end);
    ClausePlace { file: source.name.clone(), line, column, end_line, end_column }
}

/// A clause on one line, without the signs at the starts of lines and without its semicolon.
pub(crate) fn clause_text(source: &Source, place: &Place) -> String {
    let text = source.text(place);
    let lines = text.lines().enumerate().map(|(n, line)| {
        let line = line.trim();
        if n == 0 { line } else { line.trim_start_matches('@').trim_start() }
    });
    let joined = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    joined.trim_end_matches(';').trim_end().to_string()
}
