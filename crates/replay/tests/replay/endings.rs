//! However a run ends, its ending and all steps up to it are kept, and nothing is harmed.

use std::time::Instant;

use crate::support::{Seen, Subject, both, confirmed, leaves, without_constants};
use quipu_interp::Outcome;
use quipu_replay::{Difference, Ending, ReplayLimits, ReplaySetup, Replayer, Verdict};

fn one(source: &str) -> (Subject, Seen) {
    let subject = Subject::new(&[source], &[]);
    let seen = both(&subject, "f", &[leaves(&[])]).pop().unwrap();
    (subject, seen)
}

#[test]
fn exits_aborts_and_assertions() {
    let exits = "#include <stdlib.h>\nstatic int g(int x) { if (x) exit(x); return 0; } int f(int x) { return g(x); }";
    let seen = confirmed(exits, "f", &[leaves(&[("x", 300)]), leaves(&[("x", 0)])]);
    assert_eq!(seen[0].replayed.ending, Ending::Exited(44));
    let aborts = "#include <stdlib.h>\nint f(int x) { if (x == 3) abort(); return x; }";
    assert_eq!(confirmed(aborts, "f", &[leaves(&[("x", 3)])])[0].replayed.ending, Ending::Aborted);
    let asserts = "#include <assert.h>\nint f(int x) { assert(x > 3 && x < 9); return x; }";
    let seen = confirmed(asserts, "f", &[leaves(&[("x", 3)]), leaves(&[("x", 9)]), leaves(&[("x", 4)])]);
    assert_eq!(seen[1].replayed.ending, Ending::AssertionFailed);
    assert_eq!(seen[2].replayed.ending, Ending::Returned(Some(4)));
    let handlers = "#include <stdlib.h>\nstatic void bye(void) { if (1 > 0) ; } \
                    int f(void) { atexit(bye); exit(2); }";
    assert_eq!(
        both(&Subject::new(&[handlers], &[]), "f", &[leaves(&[])])[0].replayed.ending,
        Ending::Exited(2)
    );
}

#[test]
fn verification_functions() {
    let source = "
        void __VERIFIER_assume(int); void reach_error(void);
        int f(int x) { __VERIFIER_assume(x > 3); if (x == 7) reach_error(); return x; }";
    let values = [leaves(&[("x", 0)]), leaves(&[("x", 7)]), leaves(&[("x", 8)])];
    let seen = confirmed(source, "f", &values);
    let ends: Vec<&Ending> = seen.iter().map(|one| &one.replayed.ending).collect();
    assert_eq!(ends, [&Ending::AssumptionFailed, &Ending::AssertionFailed, &Ending::Returned(Some(8))]);
}

#[test]
fn undefined_behaviour_that_crashes() {
    let source = "int f(int *p, int x) { if (x > 1) x = 2; return *p + 10 / x; }";
    let subject = Subject::new(&[source], &[]);
    let values = [leaves(&[]), leaves(&[("p", 1), ("x", 0)]), leaves(&[("p", 1), ("x", 5)])];
    let seen = both(&subject, "f", &values);
    assert_eq!(seen[0].verdict, Verdict::Crash(11));
    assert_eq!(seen[1].verdict, Verdict::Crash(8));
    assert_eq!(seen[2].verdict, Verdict::Confirmed);
    for one in &seen[..2] {
        assert!(matches!(one.predicted.outcome, Outcome::Event { .. }));
        assert_eq!(without_constants(&subject, &one.predicted_steps), one.replayed.steps);
    }
}

#[test]
fn an_object_ends_where_its_memory_ends() {
    let (_, seen) = one("int f(int a[4]) { int s = 0; for (int i = 0; i < 5; i++) s += a[i]; return s; }");
    assert_eq!(seen.replayed.ending, Ending::Crashed(11));
    assert_eq!(seen.verdict, Verdict::Crash(11));
}

#[test]
fn an_endless_loop_keeps_its_coverage() {
    let start = Instant::now();
    let (_, seen) =
        one("unsigned n; int f(void) { n = 1; while (n != 0) { n |= 1; if (n == 5) break; } return 3; }");
    assert_eq!(seen.replayed.ending, Ending::Timeout);
    assert_eq!(seen.verdict, Verdict::Timeout);
    assert!(seen.replayed.steps.len() > 1000);
    assert!(!seen.replayed.met.is_empty());
    assert!(start.elapsed().as_secs() < 10);
}

#[test]
fn endless_recursion() {
    let (_, seen) = one("int f(int n) { if (n < 0) return 0; return f(n / 2) + 1; }");
    assert_eq!(seen.replayed.ending, Ending::StackOverflow);
    assert_eq!(seen.verdict, Verdict::Stopped(Ending::StackOverflow));
}

#[test]
fn a_heap_that_grows_without_end() {
    let (_, seen) = one("
        #include <stdlib.h>
        #include <string.h>
        int f(void) { char *p = 0; for (;;) { p = malloc(1 << 24); if (!p) return 1; memset(p, 1, 1 << 16); } }");
    assert_eq!(seen.replayed.ending, Ending::OutOfMemory);
    assert_eq!(seen.verdict, Verdict::Stopped(Ending::OutOfMemory));
}

#[test]
fn what_no_test_should_do_is_stopped() {
    let victim = std::env::temp_dir().join(format!("quipu-victim-{}", std::process::id()));
    std::fs::write(&victim, "precious").unwrap();
    let path = victim.display();
    let cases = [
        (format!("FILE *o = fopen(\"{path}\", \"w\"); return o ? 1 : 2;"), "opens a file for writing"),
        (format!("FILE *o = fopen(\"{path}\", \"a\"); return o ? 1 : 2;"), "opens a file for writing"),
        ("FILE *o = fopen(\"new\", \"r+\"); return o ? 1 : 2;".to_string(), "opens a file for writing"),
        (format!("return remove(\"{path}\");"), "changes the file system"),
        (format!("return rename(\"{path}\", \"x\");"), "changes the file system"),
        ("return system(\"true\");".to_string(), "starts a process"),
        ("return fork() == 0;".to_string(), "starts a process"),
        ("return execl(\"/bin/true\", \"true\", (char *)0);".to_string(), "runs another program"),
        ("return kill(getppid_(), 9);".to_string(), "sends a signal to another process"),
    ];
    for (body, what) in cases {
        let source = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>
            static int getppid_(void) {{ return 1; }}
            int f(void) {{ {body} }} int use(void) {{ return getppid_(); }}"
        );
        let subject = Subject::new(&[&source], &[]);
        let interfaces = [subject.interface("f")];
        // The interpreter takes functions that it does not know for inputs: here the real ones are called.
        let mut module = subject.program.module.clone();
        let unknown: Vec<_> = ["remove", "rename", "fork", "execl", "kill", "system"]
            .iter()
            .filter_map(|name| module.function(name))
            .collect();
        for func in unknown {
            module.functions[func].name = "__builtin_trap".to_string();
            module.functions[func].source_name = "abort".to_string();
        }
        let setup = ReplaySetup { module: &module, ..subject.setup(&interfaces) };
        let mut replayer = Replayer::build(&setup).unwrap();
        let replayed = replayer.run(0, &crate::support::inputs(&interfaces[0], &leaves(&[])));
        assert_eq!(replayed.ending, Ending::Blocked(what.to_string()), "{body}");
    }
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    std::fs::remove_file(&victim).unwrap();
}

#[test]
fn a_full_log_is_told() {
    let source =
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; if (s == 499500) s++; return s; }";
    let subject = Subject::new(&[source], &[]);
    let interfaces = [subject.interface("f")];
    let limits = ReplayLimits { log: 100, ..crate::support::limits() };
    let setup = ReplaySetup { limits, ..subject.setup(&interfaces) };
    let mut replayer = Replayer::build(&setup).unwrap();
    let replayed = replayer.run(0, &crate::support::inputs(&interfaces[0], &leaves(&[("n", 1000)])));
    assert_eq!(replayed.ending, Ending::Returned(Some(499_501)));
    assert!(!replayed.complete);
    assert_eq!(replayed.steps.len(), 100);
    // `s++` comes behind the end of the log.
    let late = replayed.met.iter().filter(|step| !replayed.steps.contains(step)).count();
    assert!(late >= 3, "{late}");
}

#[test]
fn a_wrong_prediction_is_noticed() {
    let source = "int f(int x) { int r = 0; if (x > 2) r = 5; switch (x) { case 3: r++; } return r; }";
    let subject = Subject::new(&[source], &[]);
    let interfaces = [subject.interface("f")];
    let mut replayer = Replayer::build(&subject.setup(&interfaces)).unwrap();
    let seen = both(&subject, "f", &[leaves(&[("x", 3)])]).pop().unwrap();
    let replayed = replayer.run(0, &crate::support::inputs(&interfaces[0], &leaves(&[("x", 3)])));
    let compare = |predicted: &quipu_inputs::Observation, steps: &[quipu_interp::Step]| {
        replayer.compare(0, predicted, steps, &replayed)
    };
    assert_eq!(compare(&seen.predicted, &seen.predicted_steps), Verdict::Confirmed);
    // Each step left out is a difference.
    for n in 0..seen.predicted_steps.len() {
        let mut steps = seen.predicted_steps.clone();
        let lost = steps.remove(n);
        assert!(matches!(compare(&seen.predicted, &steps), Verdict::Disagrees(_)), "without {lost:?}");
    }
    let mut longer = seen.predicted_steps.clone();
    longer.push(longer[1]);
    assert!(matches!(compare(&seen.predicted, &longer), Verdict::Disagrees(_)));
    let mut steps = seen.predicted_steps.clone();
    for step in &mut steps {
        if let quipu_interp::Step::Cond(func, cond, value, outcome) = *step {
            *step = quipu_interp::Step::Cond(func, cond, !value, outcome.map(|outcome| !outcome));
        }
    }
    let Verdict::Disagrees(Difference { predicted, measured, .. }) = compare(&seen.predicted, &steps) else {
        panic!("a turned condition is a difference")
    };
    assert!(predicted.ends_with("file0.c:1: `x > 2` is false"), "{predicted}");
    assert!(measured.ends_with("file0.c:1: `x > 2` is true"), "{measured}");
    for wrong in [Outcome::Returned(Some(7)), Outcome::Exited(6), Outcome::Aborted, Outcome::AssumptionFailed]
    {
        let observation =
            quipu_inputs::Observation { outcome: wrong, elsewhere: None, ..seen.predicted.clone() };
        assert!(matches!(compare(&observation, &seen.predicted_steps), Verdict::Disagrees(_)));
    }
}

#[test]
fn wrong_outputs_are_noticed() {
    let source =
        "struct r { int a; char b; }; int g; struct r f(int x) { g = x; struct r r = { x, 2 }; return r; }";
    let subject = Subject::new(&[source], &[]);
    let interfaces = [subject.interface("f")];
    let mut replayer = Replayer::build(&subject.setup(&interfaces)).unwrap();
    let mut seen = both(&subject, "f", &[leaves(&[("x", 3)])]).pop().unwrap();
    assert_eq!(seen.verdict, Verdict::Confirmed);
    // Two runs that differ would make numbers of addresses out of these.
    seen.predicted.elsewhere = None;
    let replayed = replayer.run(0, &crate::support::inputs(&interfaces[0], &leaves(&[("x", 3)])));
    let compare = |predicted| replayer.compare(0, &predicted, &seen.predicted_steps, &replayed);
    let mut other = seen.predicted.clone();
    other.outputs[0].bits += 1;
    assert!(matches!(compare(other), Verdict::Disagrees(_)));
    let mut missing = seen.predicted.clone();
    missing.outputs.clear();
    assert!(matches!(compare(missing), Verdict::Disagrees(_)));
    let mut byte = seen.predicted.clone();
    byte.result.as_mut().unwrap()[4] = Some(3);
    assert!(matches!(compare(byte), Verdict::Disagrees(_)));
}

#[test]
fn a_refused_program_gives_the_message_and_the_command() {
    let subject = Subject::new(&["int f(void) { return 1; }"], &[]);
    std::fs::write(&subject.files[0], "int f(void) { return missing; }").unwrap();
    let interfaces = [subject.interface("f")];
    let error = Replayer::build(&subject.setup(&interfaces)).unwrap_err();
    assert!(error.message.contains("missing"), "{error}");
    assert!(error.command.contains("-o"), "{error}");
}

#[test]
fn the_scratch_directory_is_removed() {
    let ours = || {
        let prefix = format!("quipu-replay-{}-", std::process::id());
        let all = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        all.map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().contains(&prefix))
            .collect::<Vec<_>>()
    };
    let subject = Subject::new(&["int quite_unique_name(void) { return 1; }"], &[]);
    let interfaces = [subject.interface("quite_unique_name")];
    let replayer = Replayer::build(&subject.setup(&interfaces)).unwrap();
    let has_it = |paths: &[std::path::PathBuf]| {
        paths.iter().any(|path| {
            let text = std::fs::read_to_string(path.join("unit0.i")).unwrap_or_default();
            text.contains("quite_unique_name")
        })
    };
    assert!(has_it(&ours()));
    drop(replayer);
    assert!(!has_it(&ours()));
}
