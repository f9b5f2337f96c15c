//! One translation unit, preprocessed, parsed and type-checked.

use std::collections::BTreeSet;

use quipu_ir::DataModel;
use rucc_base::Interner;
use rucc_diag::FileId;
use rucc_lex::{Convert, Keywords, PpToken, PpTokenKind};
use rucc_pp::{Predef, Preprocessor};
use rucc_sema::{Checked, Checker, Tast};
use rucc_session::{Preinclude, Session};
use rucc_types::Types;

use crate::array_params::{self, ArrayParams};
use crate::diagnostic::{Diagnostic, Failure};
use crate::disk::{Disk, with_ended_line};
use crate::edit::Original;
use crate::intrinsics::Emptied;
use crate::macro_places::Separator;
use crate::options::Options;
use crate::prototype_names::{self, PrototypeNames};
use crate::spans;
use crate::toolchain::Search;
use crate::{Input, Text};
use crate::{enum_fields, field_layout, intrinsics, limits, macro_places};

/// A checked translation unit.
pub(crate) struct Unit {
    /// Names, sources and target.
    pub(crate) session: Session,
    /// The typed tree.
    pub(crate) tast: Tast,
    /// Its types.
    pub(crate) types: Types,
    /// The file that the user named.
    pub(crate) main_file: FileId,
    /// The lengths of parameters written as arrays.
    pub(crate) array_params: ArrayParams,
    pub(crate) prototype_names: PrototypeNames,
    /// Whether signed arithmetic wraps.
    pub(crate) wraps: bool,
    /// Whether local variables become values where they can.
    pub(crate) promotes: bool,
    /// The commas between arguments of macro calls.
    pub(crate) separators: Vec<Separator>,
    /// The file that the user named, if the unit was made of an edited text.
    pub(crate) original: Option<Original>,
    /// The function bodies that were left out.
    pub(crate) emptied: Vec<Emptied>,
    /// The lines of the user's files from which there are tokens, as they follow each other.
    pub(crate) live: Vec<(FileId, u32)>,
    /// What was worth a warning.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// A unit that parses and type-checks.
struct Parsed {
    checked: Checked,
    array_params: ArrayParams,
    prototype_names: PrototypeNames,
}

/// The number of errors reported before giving up on a file.
const ERROR_LIMIT: usize = 20;

/// Preprocesses, parses and checks a file with its additions.
pub(crate) fn check(input: &Input, options: &Options, search: &Search) -> Result<Unit, Failure> {
    let checked = check_texts(&input.texts, options, search)
        .map(|unit| Unit { original: input.original.clone(), ..unit });
    match &input.texts[..] {
        // What is wrong with the file itself may show only in what is added: a brace that is missing.
        [file, _, ..] if checked.is_err() => {
            check_texts(std::slice::from_ref(file), options, search).and(checked)
        }
        _ => checked,
    }
}

/// Preprocesses, parses and checks texts as one unit; the first is the file that the user named.
fn check_texts(texts: &[Text], options: &Options, search: &Search) -> Result<Unit, Failure> {
    let mut session = session(options, search);
    let files = texts.iter().map(|text| add_text(&mut session, text)).collect::<Result<Vec<_>, _>>()?;
    let main_file = files[0];
    let keywords = Keywords::new(&mut session.interner, session.opts.std, session.opts.gnu_extensions);
    let mut found = Vec::new();

    let (tokens, separators) = preprocess(&mut session, &files, search, &mut found)?;
    let live = live_lines(&session, &tokens);
    let else_name = session.interner.intern("else");
    found.extend(limits::chain_too_long(&tokens, else_name));
    fail_on_error(&session, &found)?;
    let tokens = with_gcc_layouts(&mut session, &keywords, tokens)?;
    let (tokens, emptied, mut parsed) = parse_tolerantly(&session, &keywords, tokens, options)?;
    let types = &parsed.checked.types;
    let aligned_types = field_layout::refuse_aligned_types(&tokens, types, &session.target);
    aligned_types.map_err(|refused| failure(&session, &[refused]))?;
    let rewritten = enum_fields::rewrite(&tokens, types, &session.target, &mut session.interner);
    if let Some(tokens) = rewritten {
        parsed = parse(&session, &keywords, &tokens, options).map_err(|found| failure(&session, &found))?;
    }
    let Parsed { checked, array_params, prototype_names } = parsed;
    found.extend(checked.diagnostics);
    let warnings = found.iter().map(|d| spans::diagnostic(d, &session.sources)).collect();
    let (tast, types, wraps, promotes) = (checked.tast, checked.types, options.wraps, options.promotes);
    let original = None;
    Ok(Unit {
        session,
        tast,
        types,
        main_file,
        array_params,
        prototype_names,
        wraps,
        promotes,
        separators,
        original,
        emptied,
        live,
        warnings,
    })
}

/// The identifiers of a text behind the preprocessor.
pub(crate) fn identifiers(
    text: &Text,
    options: &Options,
    search: &Search,
) -> Result<BTreeSet<String>, Failure> {
    let mut session = session(options, search);
    let file = add_text(&mut session, text)?;
    let (tokens, _) = preprocess(&mut session, &[file], search, &mut Vec::new())?;
    let names =
        tokens.iter().filter(|token| token.kind == PpTokenKind::Ident).filter_map(|token| token.value);
    Ok(names.map(|name| session.interner.resolve(name).to_string()).collect())
}

/// The lines of the user's files from which tokens come, each once for a run of tokens.
fn live_lines(session: &Session, tokens: &[PpToken]) -> Vec<(FileId, u32)> {
    let own = tokens.iter().filter(|token| !session.sources.is_system(token.span.lo));
    let mut lines: Vec<(FileId, u32)> =
        own.filter_map(|token| session.sources.lookup(token.span.lo)).map(|at| (at.file, at.line)).collect();
    lines.dedup();
    lines
}

/// Enters a text among the sources.
fn add_text(session: &mut Session, text: &Text) -> Result<FileId, Failure> {
    let name = &text.name;
    if text.bytes.contains(&0) {
        return Err(Failure::message(format!("{name} is not C source: it contains NUL bytes")));
    }
    let added = session.sources.add(name.clone(), with_ended_line(text.bytes.clone()));
    added.map_err(|full| Failure::message(format!("{name}: {full}")))
}

/// Says in other words what `rucc` would lay out otherwise than gcc.
fn with_gcc_layouts(
    session: &mut Session,
    keywords: &Keywords,
    tokens: Vec<PpToken>,
) -> Result<Vec<PpToken>, Failure> {
    let mut interner = std::mem::take(&mut session.interner);
    let rewritten = field_layout::rewrite(&tokens, &session.target, &mut interner, |tokens, interner| {
        let parsed = syntax(session, interner, keywords, tokens);
        (!parsed.failed()).then_some(parsed.ast)
    });
    session.interner = interner;
    match rewritten {
        Ok(rewritten) => Ok(rewritten.unwrap_or(tokens)),
        Err(refused) => Err(failure(session, &[refused])),
    }
}

/// How often bodies are emptied and the rest is tried again: the checker stops after a number of errors.
const ATTEMPTS: usize = 20;

/// Parses and checks a unit, leaving out bodies with intrinsics that cannot be checked.
fn parse_tolerantly(
    session: &Session,
    keywords: &Keywords,
    mut tokens: Vec<PpToken>,
    options: &Options,
) -> Result<(Vec<PpToken>, Vec<Emptied>, Parsed), Failure> {
    let mut emptied = Vec::new();
    for _ in 0..ATTEMPTS {
        let found = match parse(session, keywords, &tokens, options) {
            Ok(parsed) => return Ok((tokens, emptied, parsed)),
            Err(found) => found,
        };
        let Some((fewer, more)) = intrinsics::empty_bodies(&tokens, &found, &session.interner) else {
            return Err(failure(session, &found));
        };
        tokens = fewer;
        emptied.extend(more);
    }
    let parsed = parse(session, keywords, &tokens, options).map_err(|found| failure(session, &found))?;
    Ok((tokens, emptied, parsed))
}

/// Parses and checks a preprocessed unit.
fn parse(
    session: &Session,
    keywords: &Keywords,
    tokens: &[PpToken],
    options: &Options,
) -> Result<Parsed, Vec<rucc_diag::Diagnostic>> {
    let rucc_parse::Parsed { ast, diagnostics: mut found, weak_pragmas, extname_pragmas, .. } =
        syntax(session, &session.interner, keywords, tokens);
    if found.iter().any(|d| d.severity.is_fatal()) {
        return Err(found);
    }

    let mut context = rucc_sema::Context::new(&session.interner, &session.target, session.opts.std);
    context.gnu = session.opts.gnu_extensions;
    context.permissive = true;
    context.short_enums = options.short_enums;
    context.builtins = options.hosted;
    context.gnuc = session.opts.gnuc.major;
    let mut checker = Checker::new(&ast, context);
    checker.check_unit();
    // Both name what is declared anywhere in the file.
    weak_pragmas.iter().for_each(|line| checker.pragma_weak(line.name, line.target, line.span));
    extname_pragmas.iter().for_each(|line| checker.pragma_extname(line.old, line.new, line.span));
    let array_params = array_params::lengths(&ast, &mut checker);
    let prototype_names = prototype_names::names(&ast);
    let mut checked = checker.finish();
    found.append(&mut checked.diagnostics);
    match found.iter().any(|d| d.severity.is_fatal()) {
        true => Err(found),
        false => {
            let checked = Checked { diagnostics: found, ..checked };
            Ok(Parsed { checked, array_params, prototype_names })
        }
    }
}

/// The syntax tree of a preprocessed unit, and what is wrong with it.
fn syntax(
    session: &Session,
    interner: &Interner,
    keywords: &Keywords,
    tokens: &[PpToken],
) -> rucc_parse::Parsed {
    let convert = Convert {
        keywords,
        interner,
        target: &session.target,
        std: session.opts.std,
        gnu: session.opts.gnu_extensions,
        pedantic: false,
    };
    let (tokens, mut found) = rucc_lex::convert(tokens, &convert);
    let mut context = rucc_parse::Context::new(interner, session.opts.std);
    context.gnu = session.opts.gnu_extensions;
    let mut parsed = rucc_parse::parse(&tokens, context);
    found.append(&mut parsed.diagnostics);
    parsed.diagnostics = found;
    parsed
}

fn session(options: &Options, search: &Search) -> Session {
    let triple = match options.data_model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
    };
    let mut opts = rucc_session::Options::new(triple.parse().expect("a known target triple should parse"));
    (opts.std, opts.gnu_extensions) = (options.std, options.gnu);
    // To gcc these are names of types, to `rucc` they are not.
    let named_types = ["__float128=_Float128", "__float80=long double"].map(str::to_string);
    opts.defines = named_types.into_iter().chain(options.defines.iter().cloned()).collect();
    opts.undefines.clone_from(&options.undefines);
    opts.char_signed = options.char_signed;
    opts.short_enums = options.short_enums;
    opts.hosted = options.hosted;
    opts.permissive = true;
    if let Some(gnuc) = search.gnuc {
        opts.gnuc = gnuc;
    }
    let includes = options.includes.iter().map(|name| Preinclude { name: name.clone(), macros_only: false });
    opts.preincludes = includes.collect();
    Session::new(opts)
}

fn preprocess(
    session: &mut Session,
    files: &[FileId],
    search: &Search,
    found: &mut Vec<rucc_diag::Diagnostic>,
) -> Result<(Vec<PpToken>, Vec<Separator>), Failure> {
    let full = |full: rucc_diag::SourceMapFull| Failure::message(full.to_string());
    let mut context = rucc_pp::Context::new(&mut session.interner, &mut session.sources, &Disk, &search.path);
    let mut preprocessor = Preprocessor::new();
    let predef = Predef::for_options(&session.opts);
    preprocessor.predefine(&session.target, &predef, &mut context).map_err(full)?;
    let mut tokens = Vec::new();
    preprocessor.preinclude(&session.opts.preincludes, &mut tokens, &mut context).map_err(full)?;
    for &file in files {
        tokens.extend(preprocessor.run(file, &mut context));
    }
    found.extend(preprocessor.take_diagnostics());
    fail_on_error(session, found)?;
    Ok(macro_places::locate(&tokens, preprocessor.macros(), &session.sources, &mut session.interner))
}

fn fail_on_error(session: &Session, found: &[rucc_diag::Diagnostic]) -> Result<(), Failure> {
    match found.iter().any(|d| d.severity.is_fatal()) {
        true => Err(failure(session, found)),
        false => Ok(()),
    }
}

/// The first errors among what was found.
fn failure(session: &Session, found: &[rucc_diag::Diagnostic]) -> Failure {
    let mut errors: Vec<Diagnostic> = found
        .iter()
        .filter(|d| d.severity.is_fatal())
        .take(ERROR_LIMIT)
        .map(|d| spans::diagnostic(d, &session.sources))
        .collect();
    // Without a header the rest of the file makes no sense: what follows its absence is noise.
    if let Some(missing) = errors.iter().position(|error| error.message.ends_with("file not found")) {
        errors.truncate(missing + 1);
    }
    Failure { errors }
}
