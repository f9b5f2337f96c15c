//! Goals that need more than the shapes that Quipu gives to inputs: these become larger, up to a bound. What needs more
//! than that is excluded, never unreachable.

mod support;

use std::path::Path;

use support::{empty_folder, pass, quipu};

/// The verdicts on a goal with this text, and the assumptions that they name.
fn verdicts(folder: &str, source: &str, goal: &str, outcome: &str) -> Vec<(String, String)> {
    let folder = empty_folder(folder);
    std::fs::write(folder.join("f.c"), source).expect("the source can be written");
    let report = quipu("cover --json f.c").at(Path::new(&folder)).runs().json();
    let functions = report["functions"].as_array().expect("there are functions").iter();
    let goals = functions.flat_map(|function| function["goals"].as_array().expect("there are goals"));
    let here = goals.filter(|one| one["text"] == goal && one["outcome"] == outcome);
    let found = here.map(|one| {
        let verdict = one["verdict"].as_str().expect("a goal has a verdict").to_string();
        (verdict, one["needs"]["assumptions"].to_string())
    });
    found.collect()
}

#[track_caller]
fn are_excluded(found: &[(String, String)], count: usize, by: &str) {
    assert_eq!(found.len(), count, "{found:?}");
    assert!(found.iter().all(|(verdict, needs)| verdict == "excluded" && needs.contains(by)), "{found:?}");
}

/// The last byte of a string is only assumed to be zero, and what comes behind it is not known to be unwritten.
#[test]
fn strings_longer_than_the_shape_are_excluded_by_it() {
    let source =
        "int f(const char *s) { int k = 0; while (s[k] != 0) k++; if (k > 2000) return 1; return 0; }
int g(const char *s) { unsigned long k = 0; while (s[k]) { if (k > 2000) return 1; k++; } return 0; }
int h(const char *s) { int k = 0; for (; s[k] != 0; k++) { } if (k > 2000) return 2; return 0; }";
    are_excluded(&verdicts("long-strings", source, "k > 2000", "true"), 3, "string of at most");
}

/// Pointers behind the assumed end of an object may still point into it.
#[test]
fn distances_beyond_the_shape_are_excluded_by_it() {
    let source =
        "int f(const char *s) { const char *p = s; while (*p) p++; if (p - s > 2000) return 1; return 0; }";
    are_excluded(&verdicts("long-distances", source, "p - s > 2000", "true"), 1, "string of at most");
}

/// What another file defines without telling its length is not empty, and nothing is proved from the length assumed.
#[test]
fn arrays_of_unknown_length_have_elements() {
    let table = "extern const unsigned char tab[]; int f(int x) { if (tab[2] == 7) return x; return 0; }";
    let far = "extern int rows[][4]; int f(int i) { if (rows[i][1] == 9 && i > 100) return 1; return 0; }";
    let fixed = "extern int tab[]; int f(void) { if (tab[40] == 3) return 1; return 0; }";
    let cases =
        [("open_table", table, "covered"), ("open_rows", far, "excluded"), ("open_far", fixed, "excluded")];
    for (name, source, verdict) in cases {
        let folder = empty_folder(name);
        std::fs::write(folder.join("p.c"), source).expect("the folder can be written to");
        let ran = quipu("cover --json -f f").arg(&folder.join("p.c").to_string_lossy()).runs().json();
        let goals = ran["functions"][0]["goals"].as_array().expect("goals");
        assert_eq!(goals[0]["verdict"], verdict, "{name}: {ran:#}");
        let is_proved = |goal: &serde_json::Value| goal["verdict"] == "unreachable";
        assert!(!goals.iter().any(is_proved), "{name}: {ran:#}");
    }
}

/// An incomplete struct is what the code sees behind pointers to it, or what another file completes it to.
#[test]
fn opaque_pointers_have_a_type() {
    let cast = "struct state; struct s { struct state *st; }; struct inner { int magic; struct s *back; };
        int f(struct s *s) { if (!s || !s->st) return -1; struct inner *in = (struct inner *)s->st;
        if (in->magic == 77 && in->back == s) return 1; return 0; }";
    let back = "struct state; struct inner { int magic; }; void keep(struct state *);
        void g(struct inner *in) { keep((struct state *)in); }
        int f(struct state *st) { if (st && ((struct inner *)st)->magic == 5) return 1; return 0; }";
    let unknown = "struct hidden; int f(struct hidden *h) { if (h) return 1; return 0; }";
    for (name, source) in [("opaque_cast", cast), ("opaque_back", back), ("opaque_unknown", unknown)] {
        let folder = empty_folder(name);
        std::fs::write(folder.join("p.c"), source).expect("the folder can be written to");
        let ran = quipu("cover -f f p.c").at(&folder).exits(0);
        assert!(ran.stdout.contains("0 unreachable (proved), 0 gave up"), "{}", ran.stdout);
    }
    let folder = empty_folder("opaque_file");
    let user = "struct state; int f(struct state *st); struct state { int n; }; int f(struct state *st) { return st->n; }";
    let other = "struct state; int f(struct state *); int g(struct state *st) { if (st && f(st) == 9) return 1; return 0; }";
    std::fs::write(folder.join("a.c"), other).expect("the folder can be written to");
    std::fs::write(folder.join("b.c"), user).expect("the folder can be written to");
    quipu("cover -f g a.c b.c").at(&folder).exits(0).has("2 goals: 2 covered");
}

/// What usual shapes exclude is met by larger ones, and exported tests have them.
#[test]
fn shapes_become_as_large_as_goals_need_them() {
    let cases = [
        (
            "text",
            "#include <string.h>\nint f(const char *s) { if (s && strlen(s) >= 32) return 1; return 0; }",
        ),
        ("hand", "int f(const char *s) { int k = 0; while (s[k]) k++; if (k > 100) return 1; return 0; }"),
        (
            "list",
            "struct node { int v; struct node *next; };
             int f(const struct node *l) { int k = 0; while (l && k < 50) { k++; l = l->next; }
               return k == 4 ? 1 : k == 5 ? 2 : 0; }",
        ),
        (
            "chain",
            "struct a { int x; }; struct b { struct a *a; }; struct c { struct b *b; };
             struct d { struct c *c; }; struct e { struct d *d; };
             int f(struct e *e) { if (e->d->c->b->a->x == 7) return 1; return 0; }",
        ),
        ("global", "int limit = 5; int f(int x) { if (limit > 7 && x > limit) return 1; return 0; }"),
        ("array", "int f(const int *a, int n) { if (n == 20 && a[19] == 7) return 1; return 0; }"),
    ];
    for (name, source) in cases {
        let folder = empty_folder(&format!("larger-{name}"));
        std::fs::write(folder.join("f.c"), source).expect("the source can be written");
        let report = quipu("cover --json f.c --tests tests.c").at(&folder).exits(0).json();
        let goals = report["functions"][0]["goals"].as_array().expect("there are goals").clone();
        assert!(goals.iter().all(|goal| goal["verdict"] == "covered"), "{name}: {goals:#?}");
        pass(&folder.join("tests.c"), "passed");
    }
}

/// Nothing is proved about what nobody knows: objects of incomplete type, functions at addresses of the machine.
#[test]
fn what_nobody_knows_is_not_proved() {
    let cases = [
        (
            "opaque-object",
            "struct opaque; extern struct opaque thing; struct real { int a; };
             int f(void) { if (((struct real *)&thing)->a == 3) return 77; return 0; }",
        ),
        (
            "opaque-byte",
            "struct opaque; extern struct opaque thing;
             int f(int i) { if (((const unsigned char *)&thing)[i] == 3) return 77; return 0; }",
        ),
        (
            "rom",
            "typedef int (*rom)(int);
             int f(int x) { rom r = (rom)0x1FFF0001u; if (r(x) == 4) return 77; return 0; }",
        ),
        ("boot", "int f(int x) { ((void (*)(int))0x08000004u)(x); if (x == 4) return 77; return 0; }"),
    ];
    for (name, source) in cases {
        let folder = empty_folder(name);
        std::fs::write(folder.join("f.c"), source).expect("the source can be written");
        let report = quipu("cover --json f.c").at(&folder).runs().json();
        let goals = report["functions"][0]["goals"].as_array().expect("there are goals").clone();
        let is_honest =
            |goal: &serde_json::Value| goal["verdict"] == "excluded" || goal["verdict"] == "gave-up";
        assert!(goals.iter().all(is_honest), "{name}: {goals:#?}");
    }
}

/// A place that only large inputs lead to is reached.
#[test]
fn larger_inputs_reach_places() {
    let folder = empty_folder("larger-reach");
    let source = "#include <string.h>\nint f(const char *s) {\n  if (!s || strlen(s) != 32) return 0;\n  return 1;\n}\n";
    std::fs::write(folder.join("f.c"), source).expect("the source can be written");
    quipu("reach f.c:4").at(&folder).exits(0).has("confirmed");
}

/// Assertions that only large inputs violate are violated.
#[test]
fn larger_inputs_violate_assertions() {
    let folder = empty_folder("larger-check");
    let source = "#include <assert.h>\n#include <string.h>
        void f(const char *s) { char copy[64] = { 0 }; unsigned long n = strlen(s); assert(n < 40); }";
    std::fs::write(folder.join("f.c"), source).expect("the source can be written");
    quipu("check f.c -f f").at(&folder).exits(1).has("violated");
}
