//! What runs the tests of a file: its `main`, and processes for tests that need one of their own.

use super::test::{ONLY_UNDEFINED, Run, Written};

/// Runs a test in a process of its own. That ends by `exit`, so that measurements of coverage are written.
pub(super) const FORK: &str = "
/* Runs a test in a process of its own: one that ends by exit, or that leaves state behind which no
   test can set. Tells its exit status. */
static int quipu_status_of(void (*test)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
";

/// Runs a test that does something undefined.
pub(super) const WATCH: &str = "\
/* Runs a test that does something undefined in a process of its own, and tells how that ends. */
static void quipu_watch(void (*test)(void), const char *what)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test();
        exit(0);
    }
    pid_t ended = waitpid(child, &status, 0);
    assert(child > 0 && ended == child);
    if (WIFSIGNALED(status))
        printf(\"%s: ended by signal %d\\n\", what, WTERMSIG(status));
    else
        printf(\"%s: ended with status %d\\n\", what, WEXITSTATUS(status));
}
";

/// The `main` of a file: runs all tests, or the one that is named on the command line, after `set_up`.
pub(super) fn main(tests: &[&Written], has_main: bool, set_up: &str) -> String {
    let mut out = String::from(if has_main { "\n#undef main\n" } else { "" });
    let apart = tests.iter().filter(|test| matches!(test.run, Run::Apart { .. }));
    let here = tests.iter().filter(|test| test.run == Run::Here);
    // A process starts from the state of the one that starts it: no test may have changed that before.
    let run: Vec<&Written> = apart.clone().chain(here).copied().collect();
    let forks = apart.count() > 0;
    out.push_str(&table(&run, forks));
    out.push_str(if run.is_empty() {
        "\nint main(void)\n{\n"
    } else {
        "\nint main(int argc, char **argv)\n{\n"
    });
    out.push_str(set_up);
    out.push_str(&runs(run.is_empty(), forks));
    out.push_str(&watched(tests));
    out.push_str(match run.is_empty() {
        true => "    puts(\"0 tests passed\");\n    return 0;\n}\n",
        false => PASSED,
    });
    out
}

const PASSED: &str = "    \
printf(\"%lu test%s passed\\n\", passed, passed == 1 ? \"\" : \"s\");
    return argc > 1 && passed == 0;
}
";

/// The tests with their names, and the exit statuses of those that run in processes of their own.
fn table(tests: &[&Written], forks: bool) -> String {
    if tests.is_empty() {
        return String::new();
    }
    let status = if forks { " int status;" } else { "" };
    let mut out = format!(
        "\n/* The tests by name. The program takes the name of one as its argument, to run only that. */\n\
         static const struct {{ const char *name; void (*run)(void);{status} }} quipu_tests[] = {{\n"
    );
    for Written { name, run, .. } in tests {
        let status = match run {
            _ if !forks => String::new(),
            Run::Apart { status } => format!(", {status}"),
            Run::Here | Run::Undefined => ", -1".to_string(),
        };
        out.push_str(&format!("    {{\"{name}\", {name}{status}}},\n"));
    }
    out + "};\n"
}

fn runs(nothing: bool, forks: bool) -> String {
    if nothing {
        return String::new();
    }
    let run = match forks {
        true => {
            "        if (quipu_tests[n].status < 0)\n            quipu_tests[n].run();\n        else\n            \
             assert(quipu_status_of(quipu_tests[n].run) == quipu_tests[n].status);\n"
        }
        false => "        quipu_tests[n].run();\n",
    };
    format!(
        "    unsigned long n, passed = 0;\n    for (n = 0; n < sizeof quipu_tests / sizeof *quipu_tests; n++) {{\n        \
         if (argc > 1 && strcmp(argv[1], quipu_tests[n].name) != 0)\n            continue;\n{run}        passed++;\n    }}\n"
    )
}

/// The tests that are run only if wanted.
fn watched(tests: &[&Written]) -> String {
    let mut out = String::new();
    for Written { name, undefined, .. } in tests.iter().filter(|test| test.run == Run::Undefined) {
        let what = undefined.as_deref().unwrap_or_default().replace(['"', '\\', '\n', '%'], " ");
        out.push_str(&format!("    quipu_watch({name}, \"{name}: {what}\");\n"));
    }
    if out.is_empty() { out } else { format!("{ONLY_UNDEFINED}{out}#endif\n") }
}
