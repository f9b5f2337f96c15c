//! The exported file of tests, compiled and run as another project would do it: by each compiler that is installed, with
//! and without optimisation, with sanitizers. No code of Quipu takes part.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::one::wait;

/// The compilers that are asked, as far as they are installed.
const COMPILERS: [&str; 2] = ["gcc", "clang"];

const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// What a build, and a run of all tests of a file, may take.
const LIMIT: Duration = Duration::from_secs(120);

/// What became of the tests of a function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Export {
    /// How many tests the file runs.
    pub tests: u64,
    /// How many are compiled only if undefined behaviour is wanted.
    pub undefined: u64,
    /// For each test that is not in the file, why.
    pub absent: Vec<String>,
    /// Why there is no file.
    pub error: Option<String>,
    pub trials: Vec<Trial>,
}

/// A build and a run of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The compiler and its level of optimisation.
    pub how: String,
    /// What went wrong; nothing if all tests pass.
    pub failure: Option<String>,
}

impl Export {
    /// What a report tells about the file; nothing if none was asked for.
    pub fn told(report: &Value) -> Option<Export> {
        let count = |name: &str| report[name].as_array().map_or(0, |tests| tests.len() as u64);
        let why = |test: &Value| test["why"].as_str().unwrap_or("no reason told").to_owned();
        report.is_object().then(|| Export {
            tests: count("tests"),
            undefined: count("undefined"),
            absent: report["absent"].as_array().into_iter().flatten().map(why).collect(),
            error: report["error"].as_str().map(str::to_owned),
            trials: Vec::new(),
        })
    }

    /// What went wrong with the file.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        let tried = |trial: &Trial| trial.failure.as_ref().map(|why| format!("{}: {why}", trial.how));
        self.error.iter().map(|why| format!("not written: {why}")).chain(self.trials.iter().filter_map(tried))
    }

    pub fn encode(&self) -> Value {
        let trials: Vec<Value> =
            self.trials.iter().map(|trial| json!({ "how": trial.how, "failure": trial.failure })).collect();
        json!({
            "tests": self.tests,
            "undefined": self.undefined,
            "absent": self.absent,
            "error": self.error,
            "trials": trials,
        })
    }

    /// Reads what [`encode`](Export::encode) wrote.
    pub fn decode(value: &Value) -> Option<Export> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let trial =
            |value: &Value| Some(Trial { how: text(&value["how"])?, failure: text(&value["failure"]) });
        Some(Export {
            tests: value["tests"].as_u64()?,
            undefined: value["undefined"].as_u64()?,
            absent: value["absent"].as_array()?.iter().map(text).collect::<Option<_>>()?,
            error: text(&value["error"]),
            trials: value["trials"].as_array()?.iter().map(trial).collect::<Option<_>>()?,
        })
    }
}

/// Builds and runs a file of tests in all ways.
pub fn trials(file: &Path, flags: &[String]) -> Vec<Trial> {
    let ways = COMPILERS.iter().filter(|compiler| is_installed(compiler));
    let ways = ways.flat_map(|compiler| LEVELS.map(|level| (compiler, level)));
    ways.map(|(compiler, level)| {
        let failure = trial(compiler, level, file, flags).unwrap_or_else(|error| Some(error.to_string()));
        Trial { how: format!("{compiler} {level}"), failure }
    })
    .collect()
}

fn is_installed(compiler: &str) -> bool {
    let quiet = Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// What goes wrong when the file is built and run in one way.
fn trial(compiler: &str, level: &str, file: &Path, flags: &[String]) -> io::Result<Option<String>> {
    let program = file.with_extension("program");
    let mut build = Command::new(compiler);
    build.args([level, "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    build.args(flags).arg(file).arg("-o").arg(&program).arg("-lm");
    if let Some(failure) = failure(build, file, "error:")? {
        return Ok(Some(format!("does not compile: {failure}")));
    }
    let ended = failure(Command::new(&program), file, "")?;
    fs::remove_file(program)?;
    Ok(ended)
}

/// How a command failed, with the first of its messages that has the word in it.
fn failure(mut command: Command, file: &Path, word: &str) -> io::Result<Option<String>> {
    let messages = file.with_extension("messages");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&messages)?);
    let ended = wait(command.spawn()?, LIMIT)?;
    let text = String::from_utf8_lossy(&fs::read(&messages)?).into_owned();
    fs::remove_file(messages)?;
    let told = text.lines().find(|line| !line.trim_matches('=').is_empty() && line.contains(word));
    let told = told.unwrap_or("no message");
    Ok(match ended {
        Some(status) if status.success() => None,
        Some(status) => Some(format!("{status}: {told}")),
        None => Some(format!("it did not end within {} s", LIMIT.as_secs())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trials of a program.
    fn tried(name: &str, text: &str) -> Vec<Trial> {
        let file = std::env::temp_dir().join(format!("quipu-export-{}-{name}.c", std::process::id()));
        fs::write(&file, text).expect("a file");
        let trials = trials(&file, &["-DN=4".to_owned()]);
        fs::remove_file(file).expect("the file is there");
        trials
    }

    #[test]
    fn files_pass_or_tell_why_not() {
        let passing = tried("passing", "int main(void) { return N - 4; }\n");
        assert!(!passing.is_empty() && passing.iter().all(|trial| trial.failure.is_none()), "{passing:?}");
        let failing = tried("failing", "#include <assert.h>\nint main(void) { assert(N == 5); return 0; }\n");
        let overrun = tried("overrun", "int main(int n, char **a) { int t[N] = {0}; return t[n + 3]; }\n");
        let wrong = tried("wrong", "int main(void) { return x; }\n");
        let all = |trials: &[Trial], word: &str| {
            let told = |trial: &Trial| trial.failure.as_deref().is_some_and(|why| why.contains(word));
            assert!(trials.len() == passing.len() && trials.iter().all(told), "{trials:?}");
        };
        all(&failing, "Assertion");
        all(&overrun, "runtime error: index 4 out of bounds");
        all(&wrong, "does not compile");
    }

    #[test]
    fn an_export_is_counted_and_kept() {
        let report = json!({
            "tests": [{}, {}], "undefined": [{}], "absent": [{"why": "ends in a timeout"}], "error": null
        });
        let mut export = Export::told(&report).expect("an export");
        assert_eq!((export.tests, export.undefined, export.failures().count()), (2, 1, 0));
        export.trials.push(Trial { how: "gcc -O2".to_owned(), failure: Some("signal: 6".to_owned()) });
        assert_eq!(export.failures().collect::<Vec<_>>(), ["gcc -O2: signal: 6"]);
        assert_eq!(Export::decode(&export.encode()), Some(export));
        assert_eq!(Export::told(&Value::Null), None);
    }
}
