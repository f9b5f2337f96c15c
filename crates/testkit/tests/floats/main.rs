//! Floats in the interpreter and in compiled code, at all values where a conversion or a function changes what it does:
//! both sides run the same C functions on the same bits.

mod questions;
mod values;

use std::fs;

use questions::{Question, conversions, is_defined, mathematics};
use quipu_cfront::Options;
use quipu_interp::{Limits, Machine, NoObserver, Outcome, ZeroInputs};
use quipu_ir::Event;
use quipu_testkit::native::{self, RunLimits, TempDir};

#[test]
fn conversions_at_every_boundary() {
    compare(&conversions());
}

#[test]
fn functions_and_macros_at_every_boundary() {
    compare(&mathematics());
}

/// A call that is defined, and its result in the interpreter.
struct Answer {
    question: usize,
    operands: [u64; 3],
    result: u64,
}

fn compare(questions: &[Question]) {
    let dir = TempDir::new().unwrap();
    let (source, calls) = (dir.file("floats.c"), dir.file("calls"));
    fs::write(&source, program(questions)).unwrap();
    let answers = interpret(&source, questions);
    assert!(answers.len() > 100_000, "only {} calls are defined", answers.len());
    let words = answers.iter().flat_map(|answer| [&[answer.question as u64], &answer.operands[..]].concat());
    fs::write(&calls, words.flat_map(u64::to_ne_bytes).collect::<Vec<u8>>()).unwrap();
    for level in ["-O0", "-O2"] {
        let compiled = dir.file("compiled");
        native::compile(&source, &compiled, &[level])
            .unwrap()
            .unwrap_or_else(|messages| panic!("{messages}"));
        let limits = RunLimits { seconds: 60, megabytes: Some(1024) };
        let output = native::run(&compiled, &[&calls], limits).unwrap();
        assert!(output.status.success(), "{level}: {}", output.status);
        let results = output.stdout.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap()));
        expect_same(questions, &answers, &results.collect::<Vec<u64>>(), level);
    }
}

/// One function for each question, and a `main` that calls them as a file says.
fn program(questions: &[Question]) -> String {
    let mut text = String::from(
        "#include <math.h>\n#include <stdio.h>\n#include <string.h>\ntypedef unsigned long long u64;\n",
    );
    for (n, question) in questions.iter().enumerate() {
        text +=
            &format!("u64 q{n}(u64 a, u64 b, u64 c) {{ (void)a; (void)b; (void)c; {} }}\n", question.body);
    }
    let names: Vec<String> = (0..questions.len()).map(|n| format!("q{n}")).collect();
    text += &format!("static u64 (*const questions[])(u64, u64, u64) = {{ {} }};\n", names.join(", "));
    text += "int main(int argc, char **argv) {\n    FILE *calls = fopen(argv[1], \"rb\");\n    u64 w[4];\n    \
             while (fread(w, sizeof w, 1, calls) == 1) {\n        u64 r = questions[w[0]](w[1], w[2], w[3]);\n        \
             fwrite(&r, sizeof r, 1, stdout);\n    }\n    return argc != 2;\n}\n";
    text
}

/// What the interpreter computes. Where C defines no result, it has to say so, and only there.
fn interpret(source: &std::path::Path, questions: &[Question]) -> Vec<Answer> {
    let program = quipu_cfront::compile(&[source.to_path_buf()], &Options::default()).unwrap();
    let mut machine = Machine::new(&program.module, Limits::default());
    let mut answers = Vec::new();
    for (n, question) in questions.iter().enumerate() {
        let func = machine.module().function(&format!("q{n}")).unwrap();
        for &operands in &question.operands {
            let defined = question.into.is_none_or(|into| is_defined(into, operands[0]));
            let about = || format!("{} of {operands:x?}", question.about);
            machine.reset();
            match machine.run(func, &operands, &mut ZeroInputs, &mut NoObserver) {
                Outcome::Returned(Some(result)) => {
                    assert!(defined, "{}: no event, though it is undefined", about());
                    answers.push(Answer { question: n, operands, result });
                }
                Outcome::Event { event: Event::FloatToIntRange, .. } => {
                    assert!(!defined, "{}: an event, though it is defined", about());
                }
                other => panic!("{}: {other:?}", about()),
            }
        }
    }
    answers
}

fn expect_same(questions: &[Question], answers: &[Answer], results: &[u64], level: &str) {
    assert_eq!(answers.len(), results.len(), "{level}: calls without a result");
    let differ: Vec<String> = answers
        .iter()
        .zip(results)
        .filter(|(answer, compiled)| answer.result != **compiled)
        .map(|(answer, compiled)| {
            let about = &questions[answer.question].about;
            format!("{about} of {:x?}: {:x} here, {compiled:x} compiled", answer.operands, answer.result)
        })
        .collect();
    assert!(
        differ.is_empty(),
        "{level}: {} calls differ\n{}",
        differ.len(),
        differ[..differ.len().min(40)].join("\n")
    );
}
