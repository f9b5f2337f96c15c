//! Sizes of inputs that the code suggests: as large as its indices need them, and never a proof that these are right.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{empty_folder, pass, quipu};

fn written(name: &str, source: &str) -> PathBuf {
    let folder = empty_folder(name);
    std::fs::write(folder.join("p.c"), source).expect("the source can be written");
    folder
}

/// The verdicts on an undefined behaviour, with the texts of their places.
fn verdicts(name: &str, source: &str, event: &str) -> Vec<(String, String)> {
    let command = quipu("cover --json --criterion undefined --time 10 p.c");
    let report = command.at(&written(name, source)).runs().json();
    let functions = report["functions"].as_array().expect("there are functions").iter();
    let goals = functions.flat_map(|function| function["goals"].as_array().expect("there are goals"));
    let text = |value: &Value| value.as_str().expect("it is a text").to_string();
    let here = goals.filter(|one| one["outcome"] == event);
    here.map(|one| (text(&one["text"]), text(&one["verdict"]))).collect()
}

/// Who counts pairs, words of a buffer without a type, or rows of four has so much for each of them.
#[test]
fn lengths_count_what_indices_are_multiplied_by() {
    let pairs = "int f(const unsigned char *buf, int len)
{
    int s = 0;
    for (int i = 0; i < len; i++)
        s += buf[2 * i] + buf[2 * i + 1];
    return s > 600;
}";
    let words = "int f(const void *p, int n)
{
    const int *q = p;
    int s = 0;
    for (int i = 0; i < n; i++)
        s ^= q[i];
    return s == 5;
}";
    let rows = "int f(const short *p, unsigned n, unsigned k)
{
    if (k < n && p[k << 2] == 9 && p[(k << 2) + 3] == 4)
        return 1;
    return 0;
}";
    let halves = "int f(const unsigned char *buf, unsigned len)
{
    unsigned s = 0;
    for (unsigned i = 0; i < len / 2; i++)
        s += buf[2 * i] ^ buf[2 * i + 1];
    return s == 77;
}";
    let cases = [
        ("pairs", pairs, "2*len"),
        ("words", words, "4*n"),
        ("rows", rows, "4*n"),
        ("halves", halves, "len"),
    ];
    for (name, source, length) in cases {
        let found = verdicts(name, source, "out-of-bounds");
        let is_excluded = |(_, verdict): &(String, String)| verdict == "excluded";
        assert!(!found.is_empty() && found.iter().all(is_excluded), "{name}: {found:?}");
        let folder = written(name, source);
        let ran = quipu("cover --criterion condition --time 10 p.c --tests t.c").at(&folder).exits(0);
        ran.has(&format!("points to `{length}` elements")).has(" 0 unreachable (proved), 0 gave up");
        pass(&folder.join("t.c"), "passed");
    }
}

/// What is added to an index is not explained away.
#[test]
fn indices_behind_the_end_are_found() {
    let next = "int f(const int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == a[i + 1]) return 1; return 0; }";
    let found = verdicts("next_element", next, "out-of-bounds");
    assert!(found.contains(&("a[i + 1]".to_string(), "covered".to_string())), "{found:?}");
    let last = "int f(const short *p, unsigned n) { if (n > 3 && p[2 * n] == 7) return 1;
        for (unsigned i = 0; i < n; i++) if (p[2 * i] == 1) return 2; return 0; }";
    let found = verdicts("last_element", last, "out-of-bounds");
    assert!(found.contains(&("p[2 * n]".to_string(), "covered".to_string())), "{found:?}");
}

/// A size that was taken from indices does not prove that these are in bounds, nor does the end of a struct.
#[test]
fn sizes_from_indices_prove_nothing_about_them() {
    let constants = "int f(int *a) { return a && a[5] > a[7]; }";
    let compared = "int f(int *a, int i) { if (!a || i < 0 || i >= 6) return 0; return a[i] == 3; }";
    let tail = "struct packet { unsigned char type, len; unsigned char data[1]; };
int f(const struct packet *p) { if (!p || p->len < 4) return 0; return p->data[3] == 0x55; }";
    let none = "struct list { int n; int data[0]; };
int f(struct list *l) { if (!l || l->n != 2) return 0; return l->data[1] == 7; }";
    let cases = [("constants", constants), ("compared", compared), ("tail", tail), ("no_tail", none)];
    for (name, source) in cases {
        let found = verdicts(name, source, "out-of-bounds");
        assert!(!found.is_empty(), "{name}");
        assert!(found.iter().all(|(_, verdict)| verdict != "unreachable"), "{name}: {found:?}");
    }
}

/// Arrays at the end of structs that have more elements than they say are used as such.
#[test]
fn arrays_at_the_end_of_structs_go_on() {
    let source = "struct packet { unsigned char type, len; unsigned char data[1]; };
int f(const struct packet *p)
{
    unsigned sum = 0;
    if (!p || p->len < 4)
        return -1;
    for (unsigned i = 0; i < p->len; i++)
        sum += p->data[i];
    if (p->type == 2 && p->data[3] == 0x55)
        return 1;
    return sum > 1000;
}
struct list { int n; int data[0]; };
int g(struct list *l) { if (l && l->n == 2 && l->data[1] == 7) return 1; return 0; }
struct words { int n; short data[]; };
int h(struct words *w) { if (w && w->n > 2 && w->data[w->n - 1] == 9) return 1; return 0; }";
    let folder = written("tails", source);
    quipu("cover --time 10 p.c").at(&folder).exits(0).has("10 goals: 10 covered");
}

const LINKED: &str = "struct node { int value; struct node *next; };
int length(struct node *list) { int n = 0; while (list) { n++; list = list->next; } if (n == 70) return 1; return 0; }
struct tree { struct tree *left, *right; };
int right(struct tree *t) { int n = 0; while (t) { n++; t = t->right; } if (n == 9) return 1; return 0; }";

/// Lists are as long as they are asked for.
#[test]
fn lists_and_trees_have_the_size_that_is_demanded() {
    let folder = written("linked", LINKED);
    let cover = |function: &str, shape: &str| {
        quipu("cover --time 20 p.c").at(&folder).args(&format!("-f {function} --shape {shape}"))
    };
    cover("length", "list=list(70)").exits(0).has("4 goals: 4 covered");
    cover("length", "list=list(65)").exits(0).has("3 covered, 1 unreachable (proved)");
    cover("right", "t=tree(9)").exits(0).has("4 goals: 4 covered");
}

/// One that cannot be made is refused, and nothing is proved from a smaller one.
#[test]
fn demands_that_are_too_large_are_refused() {
    let folder = written("too_large", LINKED);
    let cover = |shape: &str| quipu("cover p.c").at(&folder).args(&format!("--shape {shape}")).exits(2);
    cover("t=tree(20)").says("`t` cannot be so large: it needs more than 4096 objects");
    cover("list=list(2000)").says("2000 is not in 1..1024");
    cover("list=string(70000)").says("70000 is not in 1..65536");
}
/// A member that tells how many elements the array at the end has is no larger than what there is room for: loops up to
/// it are fine, loops one further are not, and what needs more is excluded.
#[test]
fn members_count_the_array_at_the_end() {
    let packet = "struct packet { unsigned char type, len; unsigned char data[1]; };
int f(const struct packet *p)
{
    unsigned sum = 0;
    for (unsigned i = 0; p && i < p->len; i++)
        sum += p->data[i];
    if (p && p->len > 100)
        return 1;
    return sum == 300;
}";
    let numbers = "struct list { int n; int data[0]; };
int f(struct list *l) { for (int i = 0; l && i < l->n; i++) if (l->data[i] == 7) return i; return -1; }";
    let words = "struct words { short n; short data[]; };
int f(struct words *w) { for (int i = 0; w && i < w->n; i++) if (w->data[i] == 7) return i; return -1; }";
    for (name, source) in [("packet", packet), ("numbers", numbers), ("words", words)] {
        let found = verdicts(name, source, "out-of-bounds");
        assert!(
            !found.is_empty() && found.iter().all(|(_, verdict)| verdict == "excluded"),
            "{name}: {found:?}"
        );
        let too_far = source.replace("i < ", "i <= ");
        let found = verdicts(name, &too_far, "out-of-bounds");
        assert!(found.iter().any(|(_, verdict)| verdict == "covered"), "{name}: {found:?}");
    }
    let report = quipu("cover --json --time 10 p.c").at(&written("long_packet", packet)).runs().json();
    let goals = report["functions"][0]["goals"].as_array().expect("there are goals").iter();
    let mut long = goals.filter(|one| one["text"] == "p && p->len > 100" && one["outcome"] == "true");
    let long = long.next().expect("there is such a goal");
    assert_eq!(long["verdict"], "excluded", "{long:#}");
    assert!(long["needs"].to_string().contains("is at most 16"), "{long:#}");
}
