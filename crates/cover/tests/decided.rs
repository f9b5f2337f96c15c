//! Functions on linked structures, blocks and strings all of whose branches are decided: loops without a bound, counters
//! beside circular walks, blocks of computed sizes, pointers into arrays of nodes, sorting and searching.

use std::path::PathBuf;
use std::time::Duration;

use quipu_cfront::Program;
use quipu_cover::{FunctionReport, Options, Subject, Verdict, cover, goals_of};

/// A program of `bench/memory`, and functions in it with the number of branches that are out of reach.
type Decided = (&'static str, &'static [(&'static str, usize)]);

const DECIDED: &[Decided] = &[
    ("doubly", &[("dl_sum", 1)]),
    ("hashtable", &[("ht_put", 1)]),
    ("list_edit", &[("list_insert", 1), ("list_delete", 1), ("list_merge", 1)]),
    ("matrix", &[("grid_get", 1)]),
    ("rbtree", &[("tree_insert", 1), ("tree_of_three", 2)]),
    ("ring", &[("ring_write", 1)]),
    ("sorting", &[("median", 1), ("find_person", 1)]),
    ("strings", &[("my_strncpy", 1)]),
    ("survivor", &[("circle_make", 1), ("last_of", 1)]),
    ("tokenizer", &[("count_tokens", 1)]),
    ("vector", &[("vector_reserve", 1), ("vector_push", 2)]),
];

fn program(name: &str) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../bench/memory/{name}.c"));
    compiled(std::fs::read(&path).expect("the program is there"))
}

fn compiled(text: Vec<u8>) -> Program {
    let flags = quipu_cfront::Options::from_flags::<&str>(&[]).expect("no flags are fine");
    quipu_cfront::compile_source("f.c", text, &flags).expect("the program is correct")
}

fn report(program: &Program, function: &str, options: &Options) -> FunctionReport {
    let functions = &program.module.functions;
    let func = functions.entries().find(|(_, data)| data.source_name == function).expect("it is there").0;
    let subject = Subject::new(&program.module, func, Vec::new(), options).expect("nothing is demanded");
    let goals = goals_of(program, func, options);
    let all: Vec<_> = goals.all().ids().collect();
    cover(program, &subject, goals, &all, options).expect("there are inputs")
}

#[test]
fn every_branch_is_covered_or_out_of_reach() {
    let options = Options { time: Duration::from_secs(300), ..Options::default() };
    for (name, functions) in DECIDED {
        let program = program(name);
        for (function, out_of_reach) in *functions {
            let report = report(&program, function, &options);
            let decided =
                |verdict: &&Verdict| matches!(verdict, Verdict::Covered { .. }) || verdict.proof().is_some();
            let open: Vec<_> = report.verdicts.iter().filter(|verdict| !decided(verdict)).collect();
            assert!(open.is_empty(), "{name}.c, {function}: {open:?}");
            let unreachable = |verdict: &&Verdict| verdict.proof().is_some();
            let found = report.verdicts.iter().filter(unreachable).count();
            assert_eq!(found, *out_of_reach, "{name}.c, {function}");
        }
    }
}

/// What looks like the goals above, but can be reached.
const REACHED: &[(&str, &str)] = &[
    // The counter runs past the limit.
    (
        "int f(int limit) { int n = 0; if (limit < 0) return 0; while (n < limit) n += 2; if (n > limit) return 1; return 2; }",
        "n > limit",
    ),
    // The loop writes what is read behind it.
    (
        "int f(int n) { int x = 1, *p = &x; for (int i = 0; i < n; i++) if (i == 6) *p = 2; if (x == 2) return 1; return 0; }",
        "x == 2",
    ),
    // A block of an earlier turn is the one that is used.
    (
        "#include <stdlib.h>\nint f(int n) { int *p = 0, *q = 0; for (int i = 0; i < n && i < 9; i++) { q = p; p = malloc(4); *p = i; } if (q && *q == 7) return 1; return 0; }",
        "q && *q == 7",
    ),
    // A block that grows in every turn keeps what it holds.
    (
        "#include <stdlib.h>\nint f(int n) { char *p = 0; for (int i = 0; i < n && i < 9; i++) { p = realloc(p, 8); if (i == 0) p[3] = 5; if (i == 6 && p[3] == 5) return 1; } return 0; }",
        "i == 6 && p[3] == 5",
    ),
    // Only the first turn makes an empty block.
    (
        "#include <stdlib.h>\nint f(int n) { char *p = 0; for (int i = 0; i < n && i < 9; i++) { p = realloc(p, 0); if (i > 4 && p) return 1; } return 0; }",
        "i > 4 && p",
    ),
    // The address of a block of an earlier turn, as a number.
    (
        "#include <stdlib.h>\n#include <stdint.h>\nint f(int n) { uintptr_t p = 0, q = 0; for (int i = 0; i < n && i < 9; i++) { q = p; int *m = malloc(4); *m = i; p = (uintptr_t)m | 1; } if (q && *(int *)(q & ~(uintptr_t)1) == 7) return 1; return 0; }",
        "q && *(int *)(q & ~(uintptr_t)1) == 7",
    ),
    // Two neighbours that are equal, and a comparison that is not consistent.
    (
        "#include <stdlib.h>\nstatic int any(const void *a, const void *b) { return *(const char *)a == 3; }\nint f(char a, char b, char c) { char v[3] = { a, b, c }; qsort(v, 3, 1, any); if (v[0] > v[1] && v[1] > v[2]) return 1; return 0; }",
        "v[0] > v[1] && v[1] > v[2]",
    ),
    // The key is not the only thing that is compared.
    (
        "#include <stdlib.h>\nstatic int half(const void *a, const void *b) { return *(const int *)a / 2 - *(const int *)b / 2; }\nint f(int *v, int key) { int *p = bsearch(&key, v, 4, 4, half); if (p && *p != key) return 1; return 0; }",
        "p && *p != key",
    ),
    // The product wraps around.
    (
        "unsigned f(unsigned a, unsigned b, unsigned c) { if (a >= b || c == 0) return 0; if (a * c >= b * c) return 1; return 2; }",
        "a * c >= b * c",
    ),
];

#[test]
fn what_can_be_reached_is_not_called_out_of_reach() {
    for turns in [None, Some(0)] {
        let options = Options { time: Duration::from_secs(300), turns, ..Options::default() };
        for (text, decision) in REACHED {
            let program = compiled(text.as_bytes().to_vec());
            // Without a burst, so that only the encodings count.
            let report = report(&program, "f", &Options { runs: 0, ..options.clone() });
            for (goal, verdict) in report.goals.all().iter().zip(&report.verdicts) {
                let wrong = goal.text == *decision && verdict.proof().is_some();
                assert!(!wrong, "{text}: {verdict:?}");
                assert!(
                    turns.is_some() || matches!(verdict, Verdict::Covered { .. }),
                    "{text}: {goal:?} {verdict:?}"
                );
            }
        }
    }
}
