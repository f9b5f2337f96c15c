//! What happens outside of plain calls: before and after `main`, by signals, locales, names for the linker, bytes and
//! sizes that C says little about. Each test has programs of one kind, with what must be said of them.

mod support;

use std::path::PathBuf;

use support::{Ran, empty_folder, quipu};

/// Writes files into a folder of their own and runs a command on them.
fn with_files(command: &str, name: &str, files: &[(&str, &str)]) -> Ran {
    let folder: PathBuf = empty_folder(&format!("runtime_{name}"));
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a file can be written");
    }
    let names: Vec<&str> = files.iter().map(|(file, _)| *file).filter(|file| file.ends_with(".c")).collect();
    quipu(command).at(&folder).args(&names.join(" ")).runs()
}

/// Checks a program of one file: what is said of each property, in order.
#[track_caller]
fn says(name: &str, text: &str, verdicts: &[&str]) -> Ran {
    says_of_files(name, &[("program.c", text)], verdicts)
}

#[track_caller]
fn says_of_files(name: &str, files: &[(&str, &str)], verdicts: &[&str]) -> Ran {
    let ran = with_files("check --json", name, files);
    let json = ran.json();
    let properties = json["properties"].as_array().expect("there are properties");
    let verdict = |one: &serde_json::Value| one["verdict"].as_str().expect("it is a text").to_string();
    let found: Vec<String> = properties.iter().map(verdict).collect();
    assert_eq!(found, verdicts, "{}\n{}", ran.stdout, ran.stderr);
    let differs = json["disagreements"].as_array().is_some_and(|all| !all.is_empty());
    assert!(!differs, "the compiled program did something else: {}", ran.stdout);
    ran
}

const HEADERS: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <signal.h>\n\
    #include <ctype.h>\n#include <locale.h>\n#include <fenv.h>\n#include <math.h>\n";

fn program(text: &str) -> String {
    format!("{HEADERS}{text}")
}

#[test]
fn constructors_run_before_main() {
    let plain = "int x; static __attribute__((constructor)) void init(void) { x = 42; }
        int main(void) { assert(x == 0); return 0; }";
    says("constructor", &program(plain), &["violated"]);
    let declared = "int x = 1; static void setup(void) __attribute__((__constructor__));
        int main(void) { assert(x == 5); return 0; }
        static void setup(void) { for (int i = 0; i < 4; i++) x++; }";
    says("constructor_declared", &program(declared), &["proved"]);
    let ordered = "int x; __attribute__((constructor(300))) void b(void) { x = x * 10 + 2; }
        __attribute__((constructor)) void c(void) { x = x * 10 + 3; }
        __attribute__((constructor(200))) void a(void) { x = x * 10 + 1; }
        int main(void) { assert(x == 123); assert(x == 321); return 0; }";
    says("constructor_order", &program(ordered), &["proved", "violated"]);
    let failing = "int x; __attribute__((constructor)) void init(void) { assert(x == 1); x = 2; }
        int main(void) { return x; }";
    says("constructor_fails", &program(failing), &["violated"]);
}

#[test]
fn constructors_of_several_files_run_in_link_order() {
    let first = "int x; static __attribute__((constructor)) void one(void) { x = x * 10 + 1; }\n";
    let second = "#include <assert.h>\nextern int x;
        static __attribute__((constructor)) void two(void) { x = x * 10 + 2; }
        int main(void) { assert(x == 12); assert(x == 21); return 0; }";
    says_of_files("constructor_files", &[("a.c", first), ("b.c", second)], &["proved", "violated"]);
}

#[test]
fn what_constructors_write_is_an_input_of_other_functions() {
    let text = "int x; static __attribute__((constructor)) void init(void) { x = 42; }
        int f(void) { if (x == 42) return 1; return 0; }";
    with_files("cover -f f", "constructor_inputs", &[("program.c", text)]).has("2 goals: 2 covered");
}

#[test]
fn destructors_run_behind_handlers() {
    let plain = "int x; static __attribute__((destructor)) void end(void) { assert(x == 2); }
        static void handler(void) { x = 2; }
        int main(void) { atexit(handler); x = 1; return 0; }";
    says("destructor", &program(plain), &["proved"]);
    let exits = "int x; __attribute__((destructor(101))) void last(void) { assert(x == 12); }
        __attribute__((destructor(102))) void first(void) { x = x * 10 + 2; }
        int main(int argc, char **argv) { x = argc > 1; if (!x) exit(3); return 0; }";
    says("destructor_exit", &program(exits), &["violated"]);
    let skipped = "int x; __attribute__((destructor)) void end(void) { assert(0); }
        int main(void) { _Exit(0); }";
    says("destructor_skipped", &program(skipped), &["unreachable"]);
}

#[test]
fn a_main_that_is_called_again_is_refused_beside_constructors() {
    let text = "unsigned x; static __attribute__((constructor)) void init(void) { x++; }
        int main(int argc, char **argv) { if (argc > 5) return main(1, argv); return 0; }";
    let ran = with_files("check", "constructor_recursion", &[("program.c", text)]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    ran.says("calls of `main` in a program with constructors or destructors");
}

#[test]
fn functions_for_the_end_run_in_reverse() {
    let plain = "int x; static void a(void) { assert(x == 2); } static void b(void) { x = 2; }
        int main(void) { atexit(a); atexit(b); x = 1; return 0; }";
    says("atexit", &program(plain), &["proved"]);
    let wrong = "int x; static void a(void) { assert(x == 1); } static void b(void) { x = 2; }
        int main(void) { atexit(a); atexit(b); x = 1; exit(0); }";
    says("atexit_wrong", &program(wrong), &["violated"]);
    let sometimes = "int x; static void a(void) { x++; } static void b(void) { assert(x == 0); }
        int main(int argc, char **argv) { (void)argv; atexit(b); if (argc == 3) atexit(a); return 0; }";
    says("atexit_sometimes", &program(sometimes), &["violated"]);
    let status =
        "int seen; static void h(int status, void *p) { assert(status == 7); assert(*(int *)p == 4); }
        int main(void) { static int y; on_exit(h, &y); y = 4; exit(7); }";
    says("on_exit", &format!("#define _DEFAULT_SOURCE\n{}", program(status)), &["proved", "proved"]);
    let quick = "int x; static void q(void) { assert(x == 1); } static void e(void) { assert(0); }
        int main(void) { at_quick_exit(q); atexit(e); x = 1; quick_exit(0); }";
    says("at_quick_exit", &program(quick), &["proved", "unreachable"]);
    let twice =
        "int next(void); int x; static void h(void) { int y = next(); assert(x == 0 || x == y); x = y; }
        int main(void) { atexit(h); atexit(h); return 0; }";
    says("atexit_twice", &program(twice), &["violated"]);
    let from_function = "int x; static void h(void) { assert(x != 3); }
        void f(int n) { x = n; atexit(h); exit(1); }";
    let ran = with_files("check -f f", "atexit_function", &[("program.c", &program(from_function))]);
    ran.has("violated").has("confirmed by the compiled program");
}

#[test]
fn raise_runs_the_handler() {
    let plain = "volatile sig_atomic_t s; static void h(int n) { s = n; }
        int main(void) { signal(SIGINT, h); raise(SIGINT); assert(s == 0); return 0; }";
    says("raise", &program(plain), &["violated"]);
    let right = "static int s; static void h(int n) { s += n; }
        int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); raise(SIGUSR1); assert(s == 2 * SIGUSR1); return 0; }";
    says("raise_twice", &program(right), &["excluded"]).has("signals come from `raise` and `abort` only");
    let previous = "static void h(int n) { (void)n; }
        int main(void) { assert(signal(SIGTERM, h) == SIG_DFL); assert(signal(SIGTERM, SIG_IGN) == h);
            assert(raise(SIGTERM) == 0); return 0; }";
    says("raise_previous", &program(previous), &["excluded", "excluded", "excluded"]);
    let default = "int main(void) { raise(SIGTERM); assert(0); return 0; }";
    says("raise_default", &program(default), &["unreachable"]);
    let aborts = "static int s; static void h(int n) { (void)n; assert(s == 1); }
        int main(void) { signal(SIGABRT, h); s = 2; abort(); }";
    says("raise_abort", &program(aborts), &["violated"]);
}

#[test]
fn signals_that_cannot_be_followed_are_given_up() {
    let action = "static int s; static void h(int n) { s = n; }
        int main(void) { struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = h;
            sigaction(SIGINT, &a, 0); raise(SIGINT); assert(s == 0); return 0; }";
    says("sigaction", &format!("#define _DEFAULT_SOURCE\n{}", program(action)), &["gave-up"]);
    let alarm = "#include <unistd.h>\nstatic int s; static void h(int n) { s = n; }
        int main(void) { signal(SIGALRM, h); alarm(1); while (!s) ; assert(s == 0); return 0; }";
    says("alarm", &format!("#define _DEFAULT_SOURCE\n{}", program(alarm)), &["gave-up"]);
    let before = "static int s; static void h(int n) { s = n; }
        void install(void) { signal(SIGINT, h); }
        void f(void) { s = 0; raise(SIGINT); assert(s == 0); }";
    let ran = with_files("check -f f", "signal_before", &[("program.c", &program(before))]);
    ran.has("gave-up").has("installed before the call");
}

#[test]
fn calls_with_hidden_effects_are_not_sliced_away() {
    let rounding =
        "int main(void) { volatile double x = 1.0, y = 3.0; double r; fesetround(FE_UPWARD); r = x / y;
        fesetround(FE_TONEAREST); assert(r == 1.0 / 3.0); return 0; }";
    says("fesetround", &program(rounding), &["gave-up"]).has("fesetround");
    let elsewhere = "static void up(void) { fesetround(FE_UPWARD); }
        double f(double x) { up(); double r = x / 3.0; assert(r * 0.0 == 0.0 || x != 1.0); return r; }";
    says("fesetround_callee", &program(elsewhere), &["gave-up"]);
    let pointer = "static int (*set)(int) = fesetround;
        int main(void) { set(FE_DOWNWARD); volatile float a = 1.0f; assert(a / 3.0f == 1.0f / 3.0f); return 0; }";
    says("fesetround_pointer", &program(pointer), &["gave-up"]);
    let before = "int main(int argc, char **argv) { (void)argv; int y = argc > 2 ? 1 : 2; assert(y > 0);
        fesetround(FE_UPWARD); return y; }";
    says("fesetround_behind", &program(before), &["proved"]);
}

#[test]
fn another_locale_changes_what_functions_mean() {
    let plain = "int main(void) { setlocale(LC_ALL, \"\"); assert(isalpha(0xe9) == 0); return 0; }";
    says("locale", &program(plain), &["gave-up"]);
    let ascii = "int main(int argc, char **argv) { (void)argv; setlocale(LC_ALL, \"de_DE.UTF-8\");
        if (argc >= 0 && argc < 128) assert((isdigit)(argc) == 0 || argc >= '0'); return 0; }";
    says("locale_ascii", &program(ascii), &["proved"]);
    let kept = "int main(void) { setlocale(LC_ALL, \"C\"); assert((isalpha)(0xe9) == 0);
        setlocale(LC_CTYPE, 0); assert((toupper)(0xe9) == 0xe9); return 0; }";
    says("locale_kept", &program(kept), &["proved", "proved"]);
    let order =
        "int main(void) { setlocale(LC_COLLATE, \"\"); assert(strcoll(\"a\", \"B\") > 0); return 0; }";
    says("locale_order", &program(order), &["gave-up"]);
    let number =
        "int main(void) { setlocale(LC_NUMERIC, \"\"); assert(strtod(\"1.5\", 0) == 1.5); return 0; }";
    says("locale_number", &program(number), &["gave-up"]);
    let before = "void set(void) { setlocale(LC_ALL, \"\"); }
        void f(int c) { if (c >= 128 && c < 256) assert((isupper)(c) == 0); }";
    says("locale_before", &program(before), &["gave-up"]);
}

#[test]
fn asm_labels_are_names_for_the_linker() {
    let library = "extern unsigned long foo(const char *) __asm(\"strlen\");
        int main(void) { assert(foo(\"abc\") == 3); return 0; }";
    says("label_library", &program(library), &["proved"]);
    let defined = "int square(int) __asm__(\"power\"); int power_of(int) __asm__(\"power\");
        int square(int x) { return x * x; }
        int main(void) { assert(power_of(5) == 25); assert(power_of(5) == 26); return 0; }";
    says("label_defined", &program(defined), &["proved", "violated"]);
    let object = "extern int a __asm__(\"shared\"); extern int b __asm__(\"shared\"); int shared = 4;
        int main(void) { a = 7; assert(b == 7); assert(shared == 4); return 0; }";
    says("label_object", &program(object), &["proved", "violated"]);
    let caller =
        "#include <assert.h>\nextern int other(int);\nint main(void) { assert(other(2) == 3); return 0; }";
    let callee = "int mine(int) __asm__(\"other\");\nint mine(int x) { return x + 1; }";
    says_of_files("label_files", &[("a.c", caller), ("b.c", callee)], &["proved"]);
    let not_library = "extern unsigned long strlen_of(const char *) __asm__(\"my_length\");
        int main(void) { assert(strlen_of(\"abc\") == 3); return 0; }";
    says("label_other", &program(not_library), &["violated"]);
}

#[test]
fn bytes_that_initial_values_say_nothing_about_are_unspecified() {
    let union = "union u { int i; char ch; };
        int main(void) { union u m = { .ch = 1 }; assert(m.i == 1); assert(m.ch == 1); return 0; }";
    says("union", &program(union), &["gave-up", "proved"]);
    let nested = "struct s { int tag; union { short h; long l; } v; };
        int main(void) { struct s a = { 1, { 2 } }; assert(a.v.l == 2); assert(a.tag + a.v.h == 3); return 0; }";
    says("union_nested", &program(nested), &["gave-up", "proved"]);
    let padding = "struct p { char c; int n; };
        int main(void) { struct p a = { 'x', 1 }, b = { 'x', 1 }; assert(memcmp(&a, &b, sizeof a) == 0);
            assert(a.c == b.c && a.n == b.n); return 0; }";
    // Compilers do leave other bytes there: what the interpreter takes is one choice.
    let ran = with_files("check", "padding", &[("program.c", &program(padding))]);
    ran.has("2 gave up").has("bytes whose values C does not specify");
    let bytes = "struct p { char c; int n; };
        int main(void) { struct p a = { 'x', 1 }; unsigned char *at = (unsigned char *)&a;
            assert(at[0] == 'x'); assert(at[2] == 0); return 0; }";
    says("padding_bytes", &program(bytes), &["proved", "gave-up"]);
    let whole = "union u { int i; unsigned char b[4]; }; struct q { int a, b; };
        int main(void) { union u m = { .i = 1 }; assert(m.b[3] == 0); struct q z = { 1 }; assert(z.b == 0); return 0; }";
    says("union_whole", &program(whole), &["proved", "proved"]);
}

#[test]
fn sizes_are_fixed_where_types_are_declared() {
    let plain = "int main(void) { int n = 5; typedef char T[n]; n = 6; assert(sizeof(T) == 6); return 0; }";
    says("vla_typedef", &program(plain), &["violated"]);
    let pointer = "int f(int n) { if (n < 1 || n > 9) return 0; int (*p)[n] = 0; int was = n; n++;
        assert(sizeof *p == was * sizeof(int)); return 1; }";
    says("vla_pointer", &program(pointer), &["proved"]);
    let nested = "int main(void) { int n = 2, m = 3; typedef int row[n]; n = 7; typedef row table[m]; m = 9;
        assert(sizeof(table) == 6 * sizeof(int)); return 0; }";
    says("vla_nested", &program(nested), &["proved"]);
    let turns = "int main(void) { unsigned long sum = 0; for (int i = 1; i <= 3; i++) { typedef char T[i]; int k = i; i += 0;
        sum += sizeof(T); (void)k; } assert(sum == 6); return 0; }";
    says("vla_loop", &program(turns), &["proved"]);
    let parameter = "static int g(int n, int (*a)[n]) { n = 1; return sizeof *a == 4 * sizeof(int); }
        int main(void) { int rows[2][4]; assert(g(4, rows)); return 0; }";
    says("vla_parameter", &program(parameter), &["proved"]);
}

#[test]
fn nothing_is_proved_from_a_weak_definition() {
    let plain = "__attribute__((weak)) int w(int x) { (void)x; return 0; }
        int f(int n) { if (w(n)) assert(0); return 0; }";
    let ran = with_files("check -f f", "weak", &[("program.c", &program(plain))]);
    ran.has("excluded by what Quipu assumes: `w`, which is weak, has no other definition");
    let pragma = "#pragma weak level\nint level(void) { return 3; }
        int main(void) { assert(level() == 3); return 0; }";
    says("weak_pragma", &program(pragma), &["excluded"]);
    let alias = "static int own(void) { return 1; } int named(void) __attribute__((weak, alias(\"own\")));
        int main(void) { assert(own() == 1); assert(named() == 1); return 0; }";
    says("weak_alias", &program(alias), &["proved", "excluded"]);
    let object = "int limit __attribute__((weak)) = 5; int main(void) { assert(limit == 5); return 0; }";
    says("weak_object", &program(object), &["violated"]);
    let tested =
        "__attribute__((weak)) int w(int x) { return x > 3; }\nint f(int n) { return w(n) ? 1 : 2; }";
    with_files("cover -f f", "weak_cover", &[("program.c", tested)]).has("2 goals: 2 covered");
}

#[test]
fn a_strong_definition_takes_the_place_of_a_weak_one() {
    let weak = "#include <assert.h>\n__attribute__((weak)) int w(int x) { return x; }\nint limit __attribute__((weak)) = 1;
        int main(void) { assert(w(4) == 5); assert(limit == 2); return 0; }";
    let strong = "int w(int x) { return x + 1; }\nint limit = 2;";
    says_of_files("weak_strong", &[("a.c", weak), ("b.c", strong)], &["proved", "proved"]);
    says_of_files("strong_weak", &[("a.c", strong), ("b.c", weak)], &["proved", "proved"]);
}

#[test]
fn a_weak_name_without_a_definition_is_refused() {
    let text = "#include <assert.h>\nextern int hook(int) __attribute__((weak));
        int main(void) { if (hook) return hook(1); assert(0); return 0; }";
    let ran = with_files("check", "weak_missing", &[("program.c", text)]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    ran.says("weak name `hook` without a definition");
    let reference = "#include <assert.h>\nextern int elsewhere(int);
        static int hook(int) __attribute__((weakref(\"elsewhere\")));
        int main(void) { if (hook) return hook(1); assert(0); return 0; }";
    let ran = with_files("check", "weak_reference", &[("program.c", reference)]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    let declares = "#include <assert.h>\nextern int hook(int) __attribute__((weak));
        int main(void) { if (hook) assert(hook(1) == 2); return 0; }";
    let defines = "int hook(int x) { return x + 1; }";
    says_of_files("weak_found", &[("a.c", declares), ("b.c", defines)], &["proved"]);
}

#[test]
fn what_other_files_hold_is_an_input_of_main() {
    let text = "extern int x; int main(void) { assert(x == 0); return 0; }";
    says("extern_object", &program(text), &["violated"]);
}

#[test]
fn inline_functions_and_objects_of_threads_are_replayed() {
    let text = "inline int twice(int x) { return x > 3 ? 2 * x : 0; }\nextern __thread int level;
        _Thread_local int own; static __thread int hidden;
        int f(int x) { if (level == 5) return 1; own = x; if (x == 9) hidden++; return twice(own) > 8; }";
    let ran = with_files("cover", "threads", &[("program.c", text)]);
    ran.has("0 gave up").has("all confirmed");
    let header = "inline int half(int x) { if (x < 0) return 0; return x / 2; }\n";
    let a = "#include \"half.h\"\nint f(int x) { return half(x) == 4; }\n";
    let b = "#include \"half.h\"\nextern inline int half(int x);\nint g(int x) { if (half(x) == 2) return 1; return 0; }\n";
    let ran = with_files("cover -f f -f g", "inline_files", &[("half.h", header), ("a.c", a), ("b.c", b)]);
    ran.has("0 gave up").has("all confirmed");
}

#[test]
fn goals_in_front_of_an_assumption_are_met() {
    let text = "void __VERIFIER_assume(int);
        int f(int x) { if (x == 7) { x = 3; __VERIFIER_assume(0); } return x; }
        int g(int x) { if (x > 3) x--; __VERIFIER_assume(0); if (x) return 1; return 0; }";
    let ran = with_files("cover", "assume", &[("program.c", text)]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    ran.has("an assumption of the program does not hold").has("6 goals: 4 covered, 2 unreachable (proved)");
    let clean = "void assume(int);\nint h(int x) { if (x > 3) x = 1; else x = 2; assume(x > 0); return x; }";
    let ran = with_files("cover", "assume_clean", &[("program.c", clean)]);
    assert!(!ran.stdout.contains("does not hold"), "{}", ran.stdout);
}

#[test]
fn two_mains_are_no_gap_of_the_front_end() {
    let main = "int main(void) { return 0; }\n";
    let ran = with_files("check", "two_mains", &[("a.c", main), ("b.c", main)]);
    assert_eq!(ran.code, 2);
    assert!(!ran.stderr.contains("front end should"), "{}", ran.stderr);
    ran.says("`main` is defined in more than one file");
}

#[test]
fn what_leaves_the_program_is_given_up() {
    let threads = "#include <pthread.h>\nint x; static void *t(void *p) { x = 1; return p; }
        void f(void) { pthread_t h; x = 0; pthread_create(&h, 0, t, 0); pthread_join(h, 0); assert(x == 0); }";
    says("pthread", &program(threads), &["gave-up"]);
    let forks = "#include <unistd.h>\nint x; void f(void) { x = 0; if (fork() == 0) x = 1; assert(x == 0); }
        void g(void) { x = 0; execl(\"/bin/true\", \"true\", (char *)0); assert(x == 1); }";
    says("fork", &program(forks), &["gave-up", "gave-up"]);
    let symbols = "#include <dlfcn.h>\nint x; void set(void) { x = 1; }
        void f(void) { x = 0; void (*g)(void) = (void (*)(void))dlsym(0, \"set\"); if (g) g(); assert(x == 0); }";
    says("dlsym", &program(symbols), &["gave-up"]);
    let jumps = "#include <setjmp.h>\nstatic jmp_buf b; static void leave(void) { longjmp(b, 1); }
        int f(void) { volatile int y = 0; if (setjmp(b)) { assert(y == 0); return 1; } y = 1; leave(); return 0; }";
    let ran = with_files("check", "setjmp", &[("program.c", &program(jumps))]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    ran.says("`f` is not supported: call of `_setjmp`");
}
