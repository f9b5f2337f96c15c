//! What became of the tests in a C file, in words and as JSON: which are there, how they were run, and which are not.

use std::collections::BTreeMap;

use quipu_cfront::Program;
use quipu_cover::FunctionReport;
use serde_json::{Value, json};

use crate::c_tests::{Absence, ExportedTest, TestId};
use crate::names::{self, counted};
use crate::text::{Style, paragraph};

/// The file of tests after it was written and run, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The file that was asked for.
    pub file: String,
    /// The tests that it runs. All of them passed.
    pub tests: Vec<ExportedTest>,
    /// The tests that are compiled only with `QUIPU_UNDEFINED`.
    pub undefined: Vec<ExportedTest>,
    /// The tests that are not there.
    pub absent: Vec<(TestId, Absence)>,
    /// The sanitizers with which it was run, besides a run without; none if the compiler has none.
    pub sanitizers: Vec<String>,
    /// Another compiler with whose sanitizers it was run as well.
    pub second_compiler: Option<String>,
    /// Why there is no file.
    pub error: Option<String>,
}

impl Export {
    /// The end of a report for people.
    pub fn text(&self, program: &Program, reports: &[FunctionReport], style: Style) -> String {
        let width = style.width;
        let mut out = format!("\n{}", paragraph("", &self.sentence(), width));
        if self.error.is_some() {
            return out;
        }
        if !self.undefined.is_empty() {
            let does = if self.undefined.len() == 1 { "ends" } else { "end" };
            let line = format!(
                "{} {does} in undefined behaviour (compile with -DQUIPU_UNDEFINED)",
                self.undefined.len()
            );
            out.push_str(&paragraph("  not run: ", &line, width));
        }
        for (test, words) in self.undefined.iter().filter_map(|test| Some((test, test.stopped.as_ref()?))) {
            let name = test_name(program, reports, test.id);
            let line = format!("{name} is confirmed, but a sanitizer stops it: {words}");
            out.push_str(&paragraph("    ", &line, width));
        }
        for line in self.counts() {
            out.push_str(&paragraph("  not in the file: ", &line, width));
        }
        for (id, absence) in &self.absent {
            let name = test_name(program, reports, *id);
            out.push_str(&paragraph("    ", &format!("{name} {absence}"), width));
        }
        out
    }

    /// As JSON.
    pub(crate) fn json(&self, program: &Program, reports: &[FunctionReport]) -> Value {
        let place = |id: TestId| (function(program, reports, id), names::test(id.test));
        let listed = |tests: &[ExportedTest]| -> Vec<Value> {
            let one = |test: &ExportedTest| {
                let (function, number) = place(test.id);
                json!({ "name": test.name, "function": function, "test": number, "stopped": test.stopped })
            };
            tests.iter().map(one).collect()
        };
        let absent = self.absent.iter().map(|(id, absence)| {
            let (function, number) = place(*id);
            json!({ "function": function, "test": number, "why": absence.one, "detail": absence.detail })
        });
        json!({
            "file": self.file,
            "error": self.error,
            "tests": listed(&self.tests),
            "passed": self.tests.len(),
            "sanitizers": self.sanitizers,
            "second_compiler": self.second_compiler,
            "undefined": listed(&self.undefined),
            "absent": absent.collect::<Vec<_>>(),
        })
    }

    fn sentence(&self) -> String {
        let Export { file, tests, sanitizers, error, .. } = self;
        if let Some(error) = error {
            let first = error.lines().next().unwrap_or_default();
            return format!("{file} was not written: {first}");
        }
        let run = match (tests.len(), sanitizers.is_empty()) {
            (0, _) => "compiled".to_string(),
            (1, true) => "which was run and passed; the compiler has no sanitizers".to_string(),
            (_, true) => "all of them run and passed; the compiler has no sanitizers".to_string(),
            (1, false) => "which was run and passed".to_string(),
            (_, false) => "all of them run and passed".to_string(),
        };
        let with = match sanitizers.is_empty() || tests.is_empty() {
            true => String::new(),
            false => format!(", also with -fsanitize={}", sanitizers.join(",")),
        };
        let second = self.second_compiler.as_ref().filter(|_| !tests.is_empty());
        let second = second.map_or(String::new(), |compiler| format!(", and with that of {compiler}"));
        format!("{file}: {} exported, {run}{with}{second}", counted(tests.len(), "test"))
    }

    /// How many tests are not there, by reason.
    fn counts(&self) -> Vec<String> {
        let mut reasons: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for (_, absence) in &self.absent {
            reasons.entry(absence.many).or_insert((0, absence.one)).0 += 1;
        }
        let phrase = |(many, (count, one)): (&str, (usize, &str))| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        reasons.into_iter().map(phrase).collect()
    }
}

fn function<'a>(program: &'a Program, reports: &[FunctionReport], id: TestId) -> &'a str {
    &program.module.functions[reports[id.report].func].source_name
}

fn test_name(program: &Program, reports: &[FunctionReport], id: TestId) -> String {
    format!("{} of `{}`", names::test(id.test), function(program, reports, id))
}
