//! `--tests`: the tests as a C file, which is compiled and run before it is there.
//!
//! What would stop it is found before the search: a place that cannot be written, files that cannot be included in one.
//! A test that does not do in the file what it did before is left out of it, and the file is checked anew. One that a
//! sanitizer stops moves to those that are compiled only if wanted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quipu_cover::FunctionReport;
use quipu_inputs::Outside;
use quipu_replay::{ReplayError, TestEnd, TestFile, TestProgram};
use quipu_report::{Absence, CTests, Export, ExportedTest, MARKER, Selection, SourceFile, c_tests};

use crate::args::Cover;
use crate::exit::Exit;
use crate::load;
use crate::output_file::{Draft, OutputFile, Replace};
use crate::search::Loaded;

/// A file of tests that was asked for.
pub struct Wanted {
    output: OutputFile,
    time: Duration,
}

/// What runs of a file have shown.
enum Shown {
    /// All tests pass.
    Passed(Passed),
    /// Some tests fail, or do not compile.
    Failing(Vec<(ExportedTest, Failure)>),
    /// Each test passes alone, but not all of them together.
    Disturbed(String),
    /// The file is no good, whatever tests are in it.
    Broken(String),
}

/// How tests passed.
#[derive(Clone, Copy, Default)]
struct Passed {
    /// Also with these sanitizers.
    sanitizers: Option<&'static str>,
    /// Also with the sanitizers of this other compiler.
    second: Option<&'static str>,
}

enum Failure {
    Run(TestEnd),
    Compiler(String),
}

impl Wanted {
    /// The file, if the command line asks for one that can be written.
    pub fn by(args: &Cover) -> Result<Option<Wanted>, Exit> {
        let Some(path) = &args.tests else { return Ok(None) };
        let replace = if args.force { Replace::Forced } else { Replace::Marked(MARKER) };
        let output =
            OutputFile::new(path, &args.source.files, replace).map_err(|message| load::complain(&message))?;
        let time = Duration::try_from_secs_f64(args.search.timeout).unwrap_or(Duration::from_secs(2));
        Ok(Some(Wanted { output, time }))
    }

    /// Whether a file with tests of this program can be: it is no file of the program, and compiles without tests.
    pub fn check(&self, loaded: &Loaded) -> Result<(), Exit> {
        let complain = |message: String| load::complain(&message);
        loaded.spare(&self.output)?;
        let hint = match loaded.files.len() {
            1 => "",
            _ => "\n  = hint: one test file for each of these files can be had, or tests without --tests",
        };
        let empty = c_tests(&loaded.program, &[], &self.sources(loaded), &Selection::default())
            .map_err(|error| complain(format!("error: {error}{hint}")))?;
        let draft = self.draft(&empty).map_err(complain)?;
        let file = self.file(loaded, &draft, &empty);
        file.parse(&[]).map_err(|error| {
            let name = self.output.name();
            complain(format!("error: {name} would not compile, even without tests{hint}\n{error}"))
        })
    }

    /// Writes the file with those tests that pass in it.
    pub fn write(&self, loaded: &Loaded, reports: &[FunctionReport]) -> Export {
        let result = self.settle(loaded, reports);
        let file = self.output.name().to_string();
        match result {
            Ok((made, passed)) => Export {
                file,
                tests: made.tests,
                undefined: made.undefined,
                absent: made.absent,
                sanitizers: passed
                    .sanitizers
                    .iter()
                    .flat_map(|names| names.split(','))
                    .map(str::to_string)
                    .collect(),
                second_compiler: passed.second.map(str::to_string),
                error: None,
            },
            Err(error) => {
                let (tests, undefined, absent) = (Vec::new(), Vec::new(), Vec::new());
                let (sanitizers, second_compiler) = (Vec::new(), None);
                Export { file, tests, undefined, absent, sanitizers, second_compiler, error: Some(error) }
            }
        }
    }

    /// Leaves out what fails until nothing does. Each round leaves out more, or keeps tests from disturbing each other.
    fn settle(&self, loaded: &Loaded, reports: &[FunctionReport]) -> Result<(CTests, Passed), String> {
        let sources = self.sources(loaded);
        let mut selection = Selection::default();
        loop {
            let made =
                c_tests(&loaded.program, reports, &sources, &selection).map_err(|error| error.to_string())?;
            let draft = self.draft(&made)?;
            match self.try_out(loaded, &draft, &made) {
                Shown::Passed(passed) => {
                    draft.publish().map_err(|error| error.to_string())?;
                    return Ok((made, passed));
                }
                Shown::Failing(tests) => tests.into_iter().for_each(|one| leave_out(&mut selection, one)),
                Shown::Disturbed(_) if !selection.apart => selection.apart = true,
                Shown::Disturbed(why) | Shown::Broken(why) => return Err(why),
            }
        }
    }

    fn try_out(&self, loaded: &Loaded, draft: &Draft<'_>, made: &CTests) -> Shown {
        let file = self.file(loaded, draft, made);
        let parsed = match made.undefined.is_empty() {
            true => Ok(()),
            false => file.parse(&["-DQUIPU_UNDEFINED"]),
        };
        let program = match parsed.and_then(|()| file.build()) {
            Ok(program) => program,
            Err(error) => return refused(draft, made, &error),
        };
        // Addresses differ between two runs, as a rule.
        for _ in 0..2 {
            if let Some(shown) = failing(&program, made) {
                return shown;
            }
        }
        let Some(sanitized) = file.build_sanitized("-O0") else { return Shown::Passed(Passed::default()) };
        if let Some(shown) = failing(&sanitized, made) {
            return shown;
        }
        // Each compiler sees something that the other does not, and more of it when it knows the sizes of objects.
        let second = other_compiler(file.compiler);
        let again = second.and_then(|compiler| TestFile { compiler, ..file }.build_sanitized("-O2"));
        match again.as_ref().and_then(|program| failing(program, made)) {
            Some(shown) => shown,
            None => Shown::Passed(Passed {
                sanitizers: sanitized.sanitizers,
                second: second.filter(|_| again.is_some()),
            }),
        }
    }

    fn draft(&self, made: &CTests) -> Result<Draft<'_>, String> {
        let draft = self.output.draft().and_then(|draft| {
            draft.write(&made.text)?;
            Ok(draft)
        });
        draft.map_err(|error| format!("error: cannot write {}: {error}", self.output.name()))
    }

    fn file<'a>(&self, loaded: &'a Loaded, draft: &'a Draft<'_>, made: &CTests) -> TestFile<'a> {
        TestFile {
            file: draft.path(),
            compiler: loaded.options.compiler(),
            flags: &loaded.flags,
            time: self.time,
            tests: made.tests.len(),
        }
    }

    fn sources(&self, loaded: &Loaded) -> Vec<SourceFile> {
        let outside = |n: usize| {
            let own = loaded.annotations.additions.iter();
            let own =
                own.filter(move |addition| addition.file == n && Outside::of_file(&addition.name).is_some());
            own.map(|addition| addition.text.clone()).collect()
        };
        let seen = |(n, file): (usize, &PathBuf)| SourceFile {
            path: file.clone(),
            include: include_path(file, self.output.directory()),
            outside: outside(n),
        };
        loaded.files.iter().enumerate().map(seen).collect()
    }
}

/// The other one of the two compilers with sanitizers, if the user's is one of them. It may not be there.
fn other_compiler(command: &str) -> Option<&'static str> {
    let program = Path::new(command.split_whitespace().next()?).file_name()?.to_str()?;
    let is = |name: &str| program == name || program.starts_with(&format!("{name}-"));
    if is("cc") || is("gcc") {
        Some("clang")
    } else if is("clang") {
        Some("gcc")
    } else {
        None
    }
}

/// The tests that do not pass, if any: all together are faster than each alone.
fn failing(program: &TestProgram, made: &CTests) -> Option<Shown> {
    let together = program.run(None);
    if together == TestEnd::Passed {
        return None;
    }
    let run = |test: &ExportedTest| (test.clone(), program.run(Some(&test.name)));
    let failing = made.tests.iter().map(run).filter(|(_, end)| *end != TestEnd::Passed);
    let failing: Vec<_> = failing.map(|(test, end)| (test, Failure::Run(end))).collect();
    Some(match (failing.is_empty(), together) {
        (false, _) => Shown::Failing(failing),
        (true, TestEnd::Stopped(why) | TestEnd::Failed(why)) => {
            Shown::Disturbed(format!("its tests pass alone, but not together: {why}"))
        }
        (true, TestEnd::Passed) => unreachable!("that was looked at before"),
    })
}

/// The tests that the compiler does not like, by the lines of its messages.
fn refused(draft: &Draft<'_>, made: &CTests, error: &ReplayError) -> Shown {
    let own = draft.path().display().to_string();
    let mut found: Vec<(ExportedTest, Failure)> = Vec::new();
    for message in error.message.lines().filter(|line| line.contains("error: ")) {
        let Some(place) = message.strip_prefix(&format!("{own}:")) else { continue };
        let line = place.split(':').next().and_then(|line| line.parse::<usize>().ok());
        let test = line.and_then(|line| test_at(made, line));
        let words = message.split_once("error: ").map_or(message, |(_, words)| words);
        match test {
            Some(test) if found.iter().any(|(known, _)| known == test) => {}
            Some(test) => found.push((test.clone(), Failure::Compiler(words.to_string()))),
            // Outside of tests something is wrong with the file.
            None => return Shown::Broken(format!("it does not compile: {words}\n{error}")),
        }
    }
    match found.is_empty() {
        true => Shown::Broken(format!("it does not compile\n{error}")),
        false => Shown::Failing(found),
    }
}

/// The test in whose function a line lies.
fn test_at(made: &CTests, line: usize) -> Option<&ExportedTest> {
    let before: Vec<&str> = made.text.lines().take(line).collect();
    let start = before.iter().rposition(|text| text.starts_with("static ") || *text == "}")?;
    let name = before[start].strip_prefix("static void ")?.strip_suffix("(void)")?;
    made.tests.iter().chain(&made.undefined).find(|test| test.name == name)
}

fn leave_out(selection: &mut Selection, (test, failure): (ExportedTest, Failure)) {
    match failure {
        Failure::Run(TestEnd::Stopped(words)) => {
            selection.stopped.insert(test.id, words);
        }
        Failure::Run(TestEnd::Failed(why)) => {
            selection.failing.insert(test.id, Absence::fails(why));
        }
        Failure::Compiler(words) => {
            selection.failing.insert(test.id, Absence::uncompilable(words));
        }
        Failure::Run(TestEnd::Passed) => {}
    }
}

/// The way from the directory of the test file to a source file.
fn include_path(source: &Path, directory: Option<&Path>) -> String {
    let Ok(full) = source.canonicalize() else { return source.to_string_lossy().into_owned() };
    let Some(directory) = directory.and_then(|directory| directory.canonicalize().ok()) else {
        return full.to_string_lossy().into_owned();
    };
    let shared = full.components().zip(directory.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(shared).map(|_| Path::new("..").as_os_str());
    let down = full.components().skip(shared).map(|part| part.as_os_str());
    up.chain(down).collect::<PathBuf>().to_string_lossy().into_owned()
}
