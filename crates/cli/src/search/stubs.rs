//! What the user says about functions that nobody defines, against the functions that there are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use quipu_base::nearest_name;
use quipu_cfront::{Diagnostic, Severity};
use quipu_inputs::{Interface, Mentioned};
use quipu_ir::{Body, Func, Function};
use quipu_outside::{is_missing, misfits};

use super::Loaded;
use super::stub_spec::{Said, StubDemand, option};
use crate::exit::Exit;
use crate::{load, render, talk};

/// What options say, or all that is wrong with them.
pub fn of_options(texts: &[String]) -> Result<Vec<StubDemand>, String> {
    let (mut stubs, mut errors): (Vec<StubDemand>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for text in texts {
        match option(text) {
            Ok(stub) if stubs.iter().any(|known| known.function == stub.function) => {
                let message = format!("`{}` has a stub already", stub.function);
                let hint = "join what you know about it: 'f: pure, returns 0..3'".to_string();
                let place = stub.written.word(&stub.function);
                errors.push(stub.written.mistake(place, message, Some(hint)));
            }
            Ok(stub) => stubs.push(stub),
            Err(mistakes) => errors.extend(mistakes),
        }
    }
    if errors.is_empty() { Ok(stubs) } else { Err(told(&errors)) }
}

/// The program with what is said about its functions: models are linked to it. Options count more than the file.
pub fn with_stubs(mut loaded: Loaded) -> Result<Loaded, Exit> {
    let options = std::mem::take(&mut loaded.demands.options.stubs);
    let file = std::mem::take(&mut loaded.demands.file.stubs);
    let file = file.into_iter().filter(|one| options.iter().all(|other| other.function != one.function));
    let all: Vec<StubDemand> = file.chain(options.clone()).collect();
    let mut errors = Vec::new();
    for stub in all {
        match loaded.concerned(&stub) {
            Ok(Some(func)) => {
                errors.extend(loaded.misfits(func, &stub));
                loaded.stubs.push(stub);
            }
            Ok(None) => {}
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(load::complain(&told(&errors)));
    }
    loaded.link_models()
}

fn told(errors: &[Diagnostic]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Loaded {
    /// The function that is meant. None if a file says something about functions that this program does not need.
    fn concerned(&self, stub: &StubDemand) -> Result<Option<Func>, Box<Diagnostic>> {
        let (module, name) = (&self.program.module, &stub.function);
        let found = module.functions.entries().find(|(_, function)| function.source_name == *name);
        let (message, hint) = match found {
            Some((func, function)) => match self.unfit(function, stub) {
                None => return Ok(Some(func)),
                Some(why) => why,
            },
            None => {
                let missing = module.functions.iter().filter(|function| is_missing(function));
                let names: Vec<&str> = missing.map(|function| function.source_name.as_str()).collect();
                let meant = nearest_name(name, names.iter().copied());
                if !stub.is_option && meant.is_none() {
                    return Ok(None);
                }
                let hint = match (meant, names.is_empty()) {
                    (Some(meant), _) => format!("did you mean `{meant}`?"),
                    (None, true) => "every function of the program has a body".to_string(),
                    (None, false) => format!("the functions without a body are {}", names.join(", ")),
                };
                (format!("there is no function `{name}`"), Some(hint))
            }
        };
        let severity = if stub.is_option { Severity::Error } else { Severity::Warning };
        let place = Some(stub.written.word(name));
        let diagnostic = Diagnostic { severity, message, place, hint };
        if stub.is_option {
            return Err(Box::new(diagnostic));
        }
        talk::tell(&diagnostic.to_string());
        Ok(None)
    }

    /// Why nothing can be said about a function, with a hint.
    fn unfit(&self, function: &Function, stub: &StubDemand) -> Option<(String, Option<String>)> {
        let name = &function.source_name;
        let is_model = matches!(stub.what, Said::Model(_));
        if function.body != Body::Declared {
            let place = self.program.place(function.span);
            return Some((format!("`{name}` has a body, at {place}"), None));
        }
        if is_model || is_missing(function) {
            return None;
        }
        let hint = Some("`model FILE.c` gives it a body".to_string());
        Some(match function.noreturn {
            true => (format!("`{name}` never returns"), hint),
            false => (format!("`{name}` is a function of the C library that Quipu knows"), hint),
        })
    }

    /// What does not fit the declaration of a function, which is shown behind it.
    fn misfits(&self, func: Func, stub: &StubDemand) -> Vec<Diagnostic> {
        let Said::Does(what) = &stub.what else { return Vec::new() };
        let module = &self.program.module;
        let found = misfits(module, func, what).into_iter();
        let declared = |hint: Option<String>| {
            let place = self.program.place(module.functions[func].span);
            Some(match hint {
                Some(hint) => format!("{hint} (it is declared at {place})"),
                None => format!("it is declared at {place}"),
            })
        };
        found
            .map(|one| stub.written.mistake(stub.written.word(&one.word), one.message, declared(one.hint)))
            .collect()
    }

    /// Links the files in which functions that nobody else defines are defined.
    fn link_models(mut self) -> Result<Loaded, Exit> {
        let mut models: Vec<PathBuf> = Vec::new();
        for stub in &self.stubs {
            let Said::Model(file) = &stub.what else { continue };
            let path = model_path(stub, file);
            if let Err(error) = std::fs::metadata(&path) {
                let message = format!("cannot read {}: {error}", path.display());
                let mistake = stub.written.mistake(stub.written.word(file), message, None);
                return Err(load::complain(&mistake.to_string()));
            }
            if !self.files.contains(&path) && !models.contains(&path) {
                models.push(path);
            }
        }
        if models.is_empty() {
            return Ok(self);
        }
        self.n_models = models.len();
        self.files.extend(models);
        let source = crate::args::Source { files: self.files.clone(), flags: self.flags.clone() };
        self.program = load::load(&source)?;
        let undefined: Vec<Diagnostic> = self.stubs.iter().filter_map(|stub| self.undefined(stub)).collect();
        match undefined.is_empty() {
            true => Ok(self),
            false => Err(load::complain(&told(&undefined))),
        }
    }

    /// What is wrong if a model does not define its function.
    fn undefined(&self, stub: &StubDemand) -> Option<Diagnostic> {
        let Said::Model(file) = &stub.what else { return None };
        let module = &self.program.module;
        let is_it = |function: &&Function| function.source_name == stub.function;
        let known = module.functions.iter().filter(is_it).any(|one| one.body != Body::Declared && !one.local);
        if known {
            return None;
        }
        let path = model_path(stub, file);
        let is_there = |function: &&Function| module.files[function.span.file] == path.to_string_lossy();
        let there = module.functions.iter().filter(is_there).filter(|one| one.body != Body::Declared);
        let names: Vec<&str> = there.map(|one| one.source_name.as_str()).collect();
        let hint = match names.is_empty() {
            true => "it defines no function".to_string(),
            false => format!("it defines {}", names.join(", ")),
        };
        let message = format!("{} does not define `{}`", path.display(), stub.function);
        Some(stub.written.mistake(stub.written.word(file), message, Some(hint)))
    }

    /// What the user says about functions that a function under test may come across.
    pub(super) fn stated_about(&self, interface: &Interface) -> Vec<String> {
        let module = &self.program.module;
        let mentioned = Mentioned::by_any(module, interface.functions()).functions;
        let names: BTreeSet<&str> =
            mentioned.iter().map(|&func| module.functions[func].source_name.as_str()).collect();
        let used = self.stubs.iter().filter(|stub| names.contains(stub.function.as_str()));
        used.map(|stub| match &stub.what {
            Said::Does(what) => format!("`{}` {what}", stub.function),
            Said::Model(file) => format!("`{}` does what {file} says", stub.function),
        })
        .collect()
    }

    /// A complaint about a function that C has no words for.
    pub(super) fn wordless(&self, func: Func) -> String {
        let function = &self.program.module.functions[func];
        let name = &function.source_name;
        let stub = self.stubs.iter().find(|stub| stub.function == *name);
        let message = format!("C has no words for a body of `{name}`, so that nothing can be said about it");
        let hint = Some("`model FILE.c` gives it a body".to_string());
        match stub {
            Some(stub) => stub.written.mistake(stub.written.word(name), message, hint).to_string(),
            None => {
                let place = render::snippet(&self.program, function.span);
                Diagnostic { severity: Severity::Error, message, place, hint }.to_string()
            }
        }
    }
}

/// The file of a model: as seen from the file that names it, or from here.
fn model_path(stub: &StubDemand, file: &str) -> PathBuf {
    let folder = Path::new(&stub.written.file).parent().filter(|_| !stub.is_option);
    folder.map_or_else(|| PathBuf::from(file), |folder| folder.join(file))
}
