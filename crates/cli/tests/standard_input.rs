//! Input ends: programs that read to the end of it get tests in which it does, and proofs know that it may.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{empty_folder, pass, quipu};

fn written(name: &str, source: &str) -> PathBuf {
    let folder = empty_folder(name);
    std::fs::write(folder.join("p.c"), source).expect("the source can be written");
    folder
}

/// All goals are covered, by tests that end and pass.
#[track_caller]
fn is_covered(name: &str, source: &str, goals: usize) -> String {
    let folder = written(name, source);
    let ran = quipu("cover --time 15 p.c --tests t.c").at(&folder).exits(0);
    let ran = ran.has(&format!("{goals} goals: {goals} covered"));
    assert!(!ran.stdout.contains("timeout"), "{}", ran.stdout);
    pass(&folder.join("t.c"), "passed");
    ran.stdout
}

/// The verdict on the goal with a text and an outcome.
fn verdict(name: &str, source: &str, text: &str, outcome: &str) -> (String, Value) {
    let report = quipu("cover --json --time 15 p.c").at(&written(name, source)).runs().json();
    let functions = report["functions"].as_array().expect("there are functions").iter();
    let mut goals = functions.flat_map(|function| function["goals"].as_array().expect("there are goals"));
    let goal = goals.find(|one| one["text"] == text && one["outcome"] == outcome).expect("there is one");
    (goal["verdict"].as_str().expect("a goal has a verdict").to_string(), goal["needs"].clone())
}

#[test]
fn words_are_counted_to_the_end_of_the_input() {
    let source = "#include <ctype.h>
#include <stdio.h>
int main(void)
{
    int c, lines = 0, words = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\\n')
            ++lines;
        if (isspace(c))
            inside = 0;
        else if (!inside) {
            inside = 1;
            ++words;
        }
    }
    return words == 2 && lines == 1;
}
";
    let report = is_covered("words", source, 8);
    assert!(report.contains("EOF"), "{report}");
}

/// Behind the last byte of a test is the end, not a zero byte and another one for ever.
#[test]
fn lines_end_and_so_does_the_input() {
    let source = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char line[80];
    int sum = 0, bad = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, \"quit\\n\") == 0)
            break;
        if (line[0] == '+')
            sum += atoi(line + 1);
        else
            bad++;
    }
    if (!feof(stdin))
        return 1;
    if (sum == 42 && bad == 0)
        return 2;
    return 0;
}
";
    is_covered("lines", source, 10);
}

#[test]
fn blocks_are_read_as_far_as_there_are_bytes() {
    let source = "#include <stdio.h>
struct head { unsigned char kind, size; };
int main(void)
{
    struct head head;
    unsigned char body[512];
    while (fread(&head, sizeof head, 1, stdin) == 1) {
        if (head.kind > 3)
            return 1;
        size_t n = fread(body, 1, sizeof body, stdin);
        if (n < head.size)
            return 2;
        if (head.size == 2 && body[1] == 0x7f)
            return 3;
    }
    return 0;
}
";
    is_covered("blocks", source, 8);
}

/// A number may be missing because the input ends, or because something else stands there.
#[test]
fn numbers_may_be_missing_for_two_reasons() {
    let source = "#include <stdio.h>
int total(void)
{
    int x, sum = 0, n = 0;
    while (scanf(\"%d\", &x) == 1) {
        sum += x;
        n++;
    }
    return n == 3 && sum == 100;
}
int menu(void)
{
    int a, b, got = scanf(\"%d %d\", &a, &b);
    if (got == EOF)
        return 1;
    if (got == 0)
        return 2;
    if (got == 1)
        return 3;
    return a == b ? 4 : 5;
}
";
    let report = is_covered("numbers", source, 10);
    assert!(report.contains("end of input") && report.contains("no number"), "{report}");
}

/// The end may come anywhere, also where a program does not ask for it.
#[test]
fn the_end_comes_anywhere() {
    let source = "#include <stdio.h>
int strip(void)
{
    int c, comments = 0;
    while ((c = getc(stdin)) != EOF) {
        if (c != '/')
            continue;
        if ((c = getc(stdin)) != '*')
            continue;
        for (c = getc(stdin);;) {
            while (c != '*' && c != EOF)
                c = getc(stdin);
            if (c == EOF)
                return -1;
            if ((c = getc(stdin)) == '/')
                break;
        }
        comments++;
    }
    return comments;
}
";
    is_covered("comments", source, 12);
}

/// At its end the input stays, and only `clearerr` changes that (7.21.7.1p3).
#[test]
fn nothing_comes_behind_the_end() {
    let twice = "#include <stdio.h>
int f(void) { int a = getchar(), b = getchar(); if (a == EOF && b == 'x') return 1; return 0; }";
    assert_eq!(verdict("stays", twice, "a == EOF && b == 'x'", "true").0, "unreachable");
    let cleared = "#include <stdio.h>
int f(void) { int a = getchar(); clearerr(stdin); int b = getchar();
    if (a == EOF && b == 'x') return 1; return 0; }";
    assert_eq!(verdict("cleared", cleared, "a == EOF && b == 'x'", "true").0, "covered");
}

/// Whether another stream has ended says nothing about this one, and reading may fail before the end.
#[test]
fn ends_are_not_proofs_about_other_things() {
    let other = "#include <stdio.h>
FILE *another(void);
int f(void) { FILE *file = another(); if (!file) return 0; int a = getc(file), b = getchar();
    if (a == EOF && b == 'x') return 1; return 0; }";
    assert_ne!(verdict("another_stream", other, "a == EOF && b == 'x'", "true").0, "unreachable");
    let fails = "#include <stdio.h>
int f(void) { int c = getchar(); if (c == EOF && !feof(stdin)) return 1; return 0; }";
    let (verdict, needs) = verdict("failing_input", fails, "c == EOF && !feof(stdin)", "true");
    assert_eq!(verdict, "excluded");
    assert!(needs.to_string().contains("reading does not fail"), "{needs}");
}

/// Lines that are longer than what is followed are given up, and nothing is proved from that.
#[test]
fn long_lines_are_not_denied() {
    let source = "#include <stdio.h>
#include <string.h>
int f(void) { char line[256]; if (!fgets(line, sizeof line, stdin)) return 1;
    if (strlen(line) > 200) return 2; return 0; }";
    assert_ne!(verdict("long_lines", source, "strlen(line) > 200", "true").0, "unreachable");
}

/// A buffer that is too small for a line is found, one that is large enough is not.
#[test]
fn buffers_of_lines_have_a_size() {
    let source = "#include <stdio.h>
int small(void) { char line[4]; return fgets(line, 6, stdin) != NULL; }
int fits(void) { char line[4]; return fgets(line, 4, stdin) != NULL; }";
    let folder = written("line_buffers", source);
    let command = "cover --criterion undefined --time 10 p.c";
    let ran = quipu(command).args("-f small").at(&folder).exits(1);
    assert!(ran.stdout.contains("out-of-bounds"), "{}", ran.stdout);
    quipu(command).args("-f fits").at(&folder).exits(0).has("0 found");
}
