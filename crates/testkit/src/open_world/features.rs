//! What random programs and their worlds are made of.
//!
//! A feature is a few declarations of the program, what statements and conditions can do with them, and what the world
//! has for them. In all these templates (with [marks](super::marks)) `@n` is the number of the feature in its program,
//! `@u` a new number for each text that is made, `@T` an integer type and `@S` a small number, both the same everywhere
//! in a feature; `@K` is a constant. Letters behind `$` stand for other templates: `$E` for a number, `$D` for a decision, `$B`
//! for statements. A statement that starts with a brace is a scope of its own.

/// Something that a program may have.
#[derive(Debug)]
pub struct Feature {
    /// Declarations and definitions of the program.
    pub front: &'static str,
    /// Expressions that are numbers.
    pub atoms: &'static [&'static str],
    /// Conditions.
    pub conditions: &'static [&'static str],
    pub statements: &'static [&'static str],
    /// What the world defines.
    pub world: &'static str,
    /// Statements of the world that change an object that it shares with the program.
    pub changes: &'static str,
    /// Calls of functions of the program that the world can make.
    pub calls: &'static str,
    /// What the world does before anything runs.
    pub start: &'static str,
    /// An address of a device.
    pub device: &'static str,
}

const NONE: Feature = Feature {
    front: "",
    atoms: &[],
    conditions: &[],
    statements: &[],
    world: "",
    changes: "",
    calls: "",
    start: "",
    device: "",
};

/// A parameter of a function under test.
#[derive(Debug)]
pub struct Parameter {
    pub declaration: &'static str,
    pub atoms: &'static [&'static str],
    pub conditions: &'static [&'static str],
    pub statements: &'static [&'static str],
    /// Statements of the world before a call; then the argument.
    pub before: &'static str,
    pub argument: &'static str,
}

const PLAIN: Parameter =
    Parameter { declaration: "", atoms: &[], conditions: &[], statements: &[], before: "", argument: "" };

/// Always there: a function of which nothing is known, so that something may happen anywhere.
pub const ALWAYS: Feature = Feature {
    front: "void work(void);",
    world: "void work(void) { qa_world(); }",
    statements: &["‹work();"],
    ..NONE
};

pub const FEATURES: &[Feature] = &[
    // Results.
    Feature {
        front: "int get@n(void);",
        atoms: &["get@n()"],
        conditions: &["get@n() == 0", "get@n() < 0"],
        world: "int get@n(void) { qa_world(); return qa_result(); }",
        ..NONE
    },
    Feature {
        front: "@T ask@n(int what);",
        atoms: &["ask@n($E)", "(int)ask@n(r)"],
        conditions: &["ask@n(@K) == @K"],
        world: "@T ask@n(int what) { qa_world(); return qa_chance(20) ? (@T)what : (@T)qa_number(); }",
        ..NONE
    },
    Feature {
        front: "double temp@n(void);",
        conditions: &["temp@n() > 36.5", "temp@n() < 0.0"],
        statements: &["{\n‹double d@u = temp@n();\n‹if (⟦⟨d@u > @K⟩ && ⟨d@u < @K⟩⟧) {\n$B}\n}"],
        world: "double temp@n(void) { qa_world(); return qa_real(); }",
        ..NONE
    },
    Feature {
        front: "struct small pair@n(int x);",
        atoms: &["pair@n($E).b"],
        conditions: &["pair@n(r).a == @K"],
        world: "struct small pair@n(int x) { qa_world(); struct small s = { (unsigned char)qa_number(), (short)qa_number() }; return s; }",
        ..NONE
    },
    // Out-parameters and buffers.
    Feature {
        front: "int bus_read@n(unsigned char reg, @T *out);",
        statements: &[
            "{\n‹@T id@u = 0;\n‹if (⟦⟨bus_read@n(@S, &id@u) != 0⟩⟧) {\n‹return -1;\n}\n‹if (⟦⟨id@u == (@T)@K⟩⟧) {\n$B}\n}",
            "{\n‹@T id@u = @S;\n‹bus_read@n(1, &id@u);\n‹work();\n‹if (⟦⟨id@u != @S⟩⟧) {\n$B}\n}",
            "{\n‹@T id@u = @S;\n‹work();\n‹if (⟦⟨id@u != @S⟩⟧) {\n$B}\n‹bus_read@n(1, &id@u);\n}",
        ],
        world: "static void write_@n(void *p) { *(@T *)p = (@T)qa_number(); }
int bus_read@n(unsigned char reg, @T *out) { if (qa_writes(out)) *out = (@T)qa_number(); qa_keep(out, sizeof *out, write_@n); qa_world(); return qa_result(); }",
        ..NONE
    },
    Feature {
        front: "int fetch@n(unsigned char *data, unsigned len);",
        statements: &[
            "{\n‹unsigned char raw@u[@S] = { 0 };\n‹if (⟦⟨fetch@n(raw@u, @S) == 0⟩⟧) {\n‹if (⟦⟨raw@u[@S - 1] == 7⟩ && ⟨raw@u[0] > @S⟩⟧) {\n$B}\n}\n}",
            "{\n‹unsigned char big@u[24] = { 0 };\n‹fetch@n(big@u, 24);\n‹if (⟦⟨big@u[20] == 9⟩⟧) {\n$B}\n}",
            "{\n‹unsigned char big@u[24] = { 0 };\n‹fetch@n(big@u, 2);\n‹if (⟦⟨big@u[20] == 9⟩⟧) {\n$B}\n}",
        ],
        world: "int fetch@n(unsigned char *data, unsigned len) { size_t n = data ? qa_room(data, 1, len) : 0; if (qa_writes(data)) for (size_t i = 0; i < n; i++) if (qa_chance(70)) { if (i >= 16) qa_depart(QA_FUNCTION); data[i] = (unsigned char)qa_number(); } qa_world(); return qa_result(); }",
        ..NONE
    },
    Feature {
        front: "void fill@n(int *a);\nint use_const@n(const int *a);",
        statements: &[
            "‹fill@n(loc);\n‹if (⟦⟨loc[@S & 3] == @K⟩⟧) {\n$B}",
            "‹use_const@n(loc);\n‹if (⟦⟨loc[1] == @K⟩⟧) {\n$B}",
            "‹t = @K;\n‹use_const@n(&t);\n‹if (⟦⟨t != @K⟩⟧) {\n$B}",
        ],
        atoms: &["use_const@n(loc)"],
        world: "void fill@n(int *a) { if (qa_writes(a)) { size_t n = qa_room(a, sizeof *a, 4); for (size_t i = 0; i < n; i++) if (qa_chance(60)) { if (i > 0) qa_depart(QA_FUNCTION); a[i] = (int)qa_number(); } } qa_keep_int(a); qa_world(); }
int use_const@n(const int *a) { qa_world(); return a && qa_chance(50) ? *a : qa_result(); }",
        ..NONE
    },
    Feature {
        front: "int init@n(struct dev *d);",
        statements: &[
            "{\n‹struct dev d@u = { 0 };\n‹if (⟦⟨init@n(&d@u) == 0⟩⟧) {\n‹r += d@u.state;\n‹if (⟦⟨d@u.id == @K⟩ || ⟨d@u.level < -@S⟩⟧) {\n$B}\n}\n‹if (⟦⟨d@u.out != 0⟩⟧) {\n$B}\n}",
            "{\n‹struct dev d@u = { @K, 1, 2, &t, 0 };\n‹init@n(&d@u);\n‹t = @S;\n‹work();\n‹if (⟦⟨t != @S⟩⟧) {\n$B}\n‹if (⟦⟨d@u.hook != 0⟩⟧) {\n$B}\n}",
        ],
        world: "int init@n(struct dev *d) { if (qa_writes(d)) { if (qa_chance(30)) qa_depart(QA_FUNCTION), qa_write_dev(d); else { d->id = (int)qa_number(); d->state = (unsigned char)qa_number(); d->level = (short)qa_number(); } } if (d && d->out) qa_keep_int(d->out); qa_keep(d, sizeof *d, qa_write_dev); qa_world(); return qa_result(); }",
        ..NONE
    },
    // Pointers to pointers, results that are pointers.
    Feature {
        front: "int make@n(struct dev **out);",
        statements: &[
            "{\n‹struct dev *d@u = 0;\n‹if (⟦⟨make@n(&d@u) == 0⟩ && ⟨d@u != 0⟩⟧) {\n‹if (⟦⟨d@u->id == @K⟩⟧) {\n$B}\n‹d@u->state = @S;\n‹work();\n‹if (⟦⟨d@u->state != @S⟩⟧) {\n$B}\n}\n}",
            "{\n‹struct dev *d@u = 0, *e@u = 0;\n‹make@n(&d@u);\n‹make@n(&e@u);\n‹if (⟦⟨d@u != 0⟩ && ⟨d@u == e@u⟩⟧) {\n$B}\n}",
        ],
        world: "static struct dev made@n[3];
int make@n(struct dev **out) { if (qa_writes(out)) { if (qa_chance(20)) *out = 0; else { int k = qa_below(3); if (qa_chance(60)) qa_write_dev(&made@n[k]); qa_depart(QA_FUNCTION); *out = &made@n[k]; qa_keep(&made@n[k], sizeof *made@n, qa_write_dev); } } qa_world(); return qa_result(); }",
        ..NONE
    },
    Feature {
        front: "struct dev *open@n(int id);\nconst struct dev *look@n(void);\nvoid back@n(const struct dev *d);",
        statements: &[
            "{\n‹struct dev *d@u = open@n(r);\n‹if (⟦⟨d@u == 0⟩⟧) {\n‹return -2;\n}\n‹if (⟦⟨d@u->id == @K⟩ && ⟨d@u->level > @S⟩⟧) {\n$B}\n‹if (⟦⟨d@u->id == @K⟩⟧) {\n‹work();\n‹if (⟦⟨d@u->id != @K⟩⟧) {\n$B}\n}\n}",
            "{\n‹const struct dev *d@u = look@n();\n‹if (⟦⟨d@u != 0⟩ && ⟨d@u->state == 3⟩⟧) {\n‹back@n(d@u);\n‹if (⟦⟨d@u->state != 3⟩⟧) {\n$B}\n}\n}",
        ],
        world: "static struct dev known@n[2];
struct dev *open@n(int id) { qa_world(); if (qa_chance(25)) return 0; struct dev *d = &known@n[qa_below(2)]; qa_depart(QA_FUNCTION); if (qa_chance(60)) qa_write_dev(d); qa_keep(d, sizeof *d, qa_write_dev); return d; }
const struct dev *look@n(void) { return open@n(0); }
void back@n(const struct dev *d) { qa_world(); }",
        ..NONE
    },
    Feature {
        front: "int *same@n(int *p);\nint *where@n(void);",
        statements: &[
            "{\n‹t = @S;\n‹int *q@u = same@n(&t);\n‹if (⟦⟨q@u != 0⟩⟧) {\n‹*q@u = @K;\n}\n‹if (⟦⟨t == @K⟩⟧) {\n$B}\n}",
            "{\n‹int *q@u = where@n(), *o@u = where@n();\n‹if (⟦⟨q@u != 0⟩ && ⟨o@u != 0⟩⟧) {\n‹*q@u = 1;\n‹*o@u = 2;\n‹if (⟦⟨*q@u == 2⟩⟧) {\n$B}\n}\n}",
            "{\n‹int *q@u = where@n();\n‹if (⟦⟨q@u == &t⟩⟧) {\n$B}\n‹same@n(&t);\n‹q@u = where@n();\n‹if (⟦⟨q@u == &t⟩⟧) {\n$B}\n}",
        ],
        world: "static int cells@n[3];
int *where@n(void) { qa_world(); qa_depart(QA_FUNCTION); if (qa_chance(20)) return 0; int *p = qa_chance(40) ? qa_kept_int() : &cells@n[qa_below(3)]; qa_keep_int(p); return p; }
int *same@n(int *p) { qa_keep_int(p); qa_world(); if (p && qa_chance(50)) { qa_depart(QA_FUNCTION); return p; } return where@n(); }",
        ..NONE
    },
    Feature {
        front: "const char *name@n(int id);",
        statements: &[
            "{\n‹const char *s@u = name@n(r);\n‹if (⟦⟨s@u != 0⟩ && ⟨s@u[0] == 'a'⟩ && ⟨s@u[1] == 'x'⟩⟧) {\n$B}\n}",
            "{\n‹const char *s@u = name@n(1);\n‹if (⟦⟨s@u != 0⟩ && ⟨strlen(s@u) > 20⟩⟧) {\n$B}\n}",
        ],
        world: "const char *name@n(int id) { qa_world(); const char *s = qa_text(); if (s && strlen(s) >= 16) qa_depart(QA_FUNCTION); return s; }",
        ..NONE
    },
    // Opaque handles.
    Feature {
        front: "struct op@n;\nstruct op@n *new@n(int x);\nint use@n(struct op@n *h, int *out);\nvoid del@n(struct op@n *h);\nstatic struct op@n *current@n;",
        statements: &[
            "{\n‹struct op@n *h@u = new@n($E);\n‹if (⟦⟨h@u == 0⟩⟧) {\n‹return -3;\n}\n‹t = 0;\n‹if (⟦⟨use@n(h@u, &t) == 0⟩ && ⟨t == @K⟩⟧) {\n$B}\n‹del@n(h@u);\n}",
            "‹if (⟦⟨current@n == 0⟩⟧) {\n‹current@n = new@n(@S);\n}\n‹if (⟦⟨current@n != 0⟩ && ⟨use@n(current@n, 0) == @K⟩⟧) {\n$B}",
        ],
        conditions: &["current@n != 0", "new@n(1) == new@n(1)"],
        world: "struct op@n { int x; }; static struct op@n ops@n[2];
struct op@n *new@n(int x) { qa_world(); return qa_chance(25) ? 0 : &ops@n[qa_below(2)]; }
int use@n(struct op@n *h, int *out) { if (qa_writes(out)) *out = (int)qa_number(); qa_keep_int(out); qa_world(); return qa_result(); }
void del@n(struct op@n *h) { qa_world(); }",
        ..NONE
    },
    // Variadic functions.
    Feature {
        front: "int log@n(const char *form, ...);",
        statements: &[
            "‹t = @S;\n‹log@n(\"ip\", r, &t);\n‹if (⟦⟨t == @K⟩⟧) {\n$B}",
            "‹if (⟦⟨log@n(\"i\", $E) < 0⟩⟧) {\n$B}",
        ],
        world: "int log@n(const char *form, ...) { va_list args; va_start(args, form); for (; *form; form++) { if (*form == 'i') (void)va_arg(args, int); else { int *p = va_arg(args, int *); if (qa_writes(p)) { qa_depart(QA_FUNCTION); *p = (int)qa_number(); } qa_keep_int(p); } } va_end(args); qa_world(); return qa_result(); }",
        ..NONE
    },
    // Objects that other files define.
    Feature {
        front: "extern @T ext@n;",
        atoms: &["ext@n"],
        conditions: &["ext@n == (@T)@K"],
        statements: &["‹ext@n = (@T)($E);", "‹ext@n = @S;\n‹work();\n‹if (⟦⟨ext@n != @S⟩⟧) {\n$B}", "‹ext@n = @S;\n‹if (⟦⟨ext@n != @S⟩⟧) {\n$B}"],
        world: "@T ext@n;",
        changes: "ext@n = (@T)qa_number();",
        ..NONE
    },
    Feature {
        front: "extern const @T cext@n;",
        atoms: &["cext@n"],
        conditions: &["cext@n > (@T)@S", "cext@n != cext@n"],
        statements: &["‹t = cext@n == @S;\n‹work();\n‹if (⟦⟨t != (cext@n == @S)⟩⟧) {\n$B}"],
        world: "@T cext@n;",
        start: "cext@n = (@T)qa_number();",
        ..NONE
    },
    Feature {
        front: "extern const unsigned char tab@n[];\nextern int arr@n[@S];",
        atoms: &["tab@n[@S]", "tab@n[r & 7]", "arr@n[@S - 1]"],
        conditions: &["tab@n[0] > 4", "tab@n[t & 15] == 3", "arr@n[0] == @K"],
        statements: &["‹arr@n[@S - 1] = $E;", "‹arr@n[0] = @K;\n‹work();\n‹if (⟦⟨arr@n[0] == @S⟩⟧) {\n$B}"],
        world: "unsigned char tab@n[20]; int arr@n[@S];",
        start: "for (int i = 0; i < 20; i++) tab@n[i] = (unsigned char)qa_number();",
        changes: "for (int i = 0; i < @S; i++) if (qa_chance(40)) arr@n[i] = (int)qa_number();",
        ..NONE
    },
    Feature {
        front: "extern struct dev board@n;\nextern struct dev *active@n;",
        atoms: &["board@n.id", "board@n.level"],
        conditions: &["board@n.out != 0", "active@n == &board@n", "active@n != 0 && board@n.id == @K"],
        statements: &[
            "‹if (⟦⟨active@n != 0⟩⟧) {\n‹if (⟦⟨active@n->level == @S⟩⟧) {\n$B}\n‹active@n->id = @K;\n‹if (⟦⟨board@n.id == @K⟩⟧) {\n$B}\n}",
            "‹board@n.state = 1;\n‹work();\n‹if (⟦⟨board@n.state == 2⟩⟧) {\n$B}",
            "‹if (⟦⟨board@n.hook != 0⟩⟧) {\n‹r ^= board@n.hook(@S);\n}",
        ],
        world: "struct dev board@n; static struct dev other@n; struct dev *active@n;",
        start: "qa_write_dev(&board@n); qa_write_dev(&other@n); active@n = qa_chance(20) ? 0 : qa_chance(50) ? &board@n : &other@n; qa_depart(QA_SHAPE | QA_NO_OVERLAP);",
        changes: "qa_write_dev(&board@n); if (qa_chance(30)) { qa_depart(QA_FUNCTION); active@n = qa_chance(50) ? &board@n : &other@n; }",
        ..NONE
    },
    // Globals of the program.
    Feature {
        front: "int shown@n = @S;\nint never@n = @K;\nconst int fixed@n = @S;",
        atoms: &["shown@n", "never@n", "fixed@n"],
        conditions: &["shown@n == @K", "never@n != @K", "fixed@n == @K"],
        statements: &["‹shown@n = $E;", "‹shown@n = @K;\n‹work();\n‹if (⟦⟨shown@n != @K⟩⟧) {\n$B}", "⟬fixed@n == @S⟭", "⟬never@n == never@n⟭"],
        world: "extern int shown@n, never@n;",
        changes: "shown@n = (int)qa_number(); if (qa_chance(50)) never@n = (int)qa_number();",
        ..NONE
    },
    Feature {
        front: "static int hidden@n = @S;\nstatic int alone@n = @S;\nvoid reset@n(int x) {\n⦅‹hidden@n = x;\n}",
        atoms: &["hidden@n", "alone@n"],
        conditions: &["hidden@n == @K", "alone@n != @S"],
        statements: &["‹hidden@n = 1;\n‹work();\n‹if (⟦⟨hidden@n != 1⟩⟧) {\n$B}", "⟬alone@n == @S⟭", "‹hidden@n = @K;\n⟬hidden@n == @K⟭"],
        world: "void reset@n(int);",
        calls: "reset@n((int)qa_number());",
        ..NONE
    },
    Feature {
        front: "static int secret@n;\nvoid lend@n(int *p);",
        atoms: &["secret@n"],
        statements: &[
            "‹secret@n = @S;\n‹lend@n(&secret@n);\n‹work();\n‹if (⟦⟨secret@n == @K⟩⟧) {\n$B}",
            "‹secret@n = @K;\n‹work();\n⟬secret@n == @K⟭",
        ],
        world: "void lend@n(int *p) { qa_keep_int(p); if (qa_writes(p)) *p = (int)qa_number(); qa_world(); }",
        ..NONE
    },
    Feature {
        front: "int *link@n;\nvoid take@n(struct box *b);",
        statements: &[
            "‹link@n = &t; ⟪¦qa_keep_int(&t);⟫\n‹t = @S;\n‹work();\n‹if (⟦⟨t != @S⟩⟧) {\n$B}\n‹link@n = 0;",
            "{\n‹struct box b@u = { &t, 1 };\n‹t = @S;\n‹take@n(&b@u);\n‹if (⟦⟨t != @S⟩⟧) {\n$B}\n‹if (⟦⟨b@u.p != &t⟩⟧) {\n$B}\n‹if (⟦⟨b@u.n == @K⟩⟧) {\n$B}\n}",
        ],
        world: "void take@n(struct box *b) { if (b && b->p) { qa_keep_int(b->p); if (qa_chance(40)) { qa_depart(QA_FUNCTION); *b->p = (int)qa_number(); } } if (qa_writes(b)) { b->n = (int)qa_number(); if (qa_chance(30)) { qa_depart(QA_FUNCTION); b->p = 0; } } qa_world(); }",
        ..NONE
    },
    Feature {
        front: "static int tally@n(void) {\n⦅‹static int calls@n;\n‹calls@n++;\n‹if (⟦⟨calls@n == 3⟩⟧) {\n‹return @K;\n}\n‹return calls@n > @S;\n}",
        atoms: &["tally@n()"],
        conditions: &["tally@n() == @K"],
        ..NONE
    },
    // Volatile objects and devices.
    Feature {
        front: "volatile @T vol@n;\nstatic volatile @T flag@n;\nconst volatile @T cv@n = @S;",
        atoms: &["⌈vol@n⌉", "⌈flag@n⌉", "⌈cv@n⌉"],
        conditions: &["⌈vol@n⌉ != ⌈vol@n⌉", "⌈cv@n⌉ == (@T)@K", "⌈flag@n⌉ == 0"],
        statements: &[
            "‹vol@n = (@T)($E);",
            "‹flag@n = 0;\n‹if (⟦⟨⌈flag@n⌉ == (@T)@K⟩⟧) {\n$B}",
            "‹while (⟦⟨⌈flag@n⌉ == 0⟩⟧) {\n‹r ^= 1;\n}",
            "{\n‹@T a@u = ⌈vol@n⌉, b@u = ⌈vol@n⌉;\n‹if (⟦⟨a@u != b@u⟩⟧) {\n$B}\n}",
        ],
        world: "extern volatile @T vol@n;",
        changes: "vol@n = (@T)qa_number();",
        ..NONE
    },
    Feature {
        front: "#define REG@n (*(volatile unsigned *)0x4001@n000u)\nstruct regs@n { volatile unsigned SR; volatile unsigned DR; };\n#define PORT@n ((struct regs@n *)0x4001@n100u)",
        atoms: &["(int)⌈PORT@n->DR⌉", "(int)(⌈REG@n⌉ & 0xffu)"],
        conditions: &["(⌈REG@n⌉ & 1u) != 0", "⌈PORT@n->SR⌉ == ⌈PORT@n->SR⌉", "⌈REG@n⌉ > @K"],
        statements: &[
            "‹REG@n = (unsigned)($E);",
            "‹REG@n |= 4u;\n‹if (⟦⟨(⌈REG@n⌉ & 4u) == 0⟩⟧) {\n$B}",
            "‹while (⟦⟨(⌈PORT@n->SR⌉ & 2u) == 0⟩⟧) {\n‹if (⟦⟨++t > @S⟩⟧) {\n‹return 4;\n}\n}",
            "‹PORT@n->DR = @K;\n‹work();\n‹if (⟦⟨⌈PORT@n->DR⌉ == @K⟩⟧) {\n$B}",
        ],
        device: "0x4001@n000ul",
        ..NONE
    },
    // Callbacks.
    Feature {
        front: "void on@n(int (*f)(int, void *), void *context);\nstatic int hits@n;\nstatic int heard@n(int x, void *context) {\n⦅‹hits@n = x;\n‹if (⟦⟨context != 0⟩ && ⟨x > @S⟩⟧) {\n‹*(int *)context = x;\n}\n‹return 0;\n}",
        atoms: &["hits@n"],
        statements: &[
            "‹on@n(heard@n, 0);\n‹if (⟦⟨hits@n == @K⟩⟧) {\n$B}",
            "‹t = 0;\n‹on@n(heard@n, &t);\n‹if (⟦⟨t == @K⟩⟧) {\n$B}\n‹t = @S;\n‹work();\n‹if (⟦⟨t > @S⟩⟧) {\n$B}",
            "‹hits@n = 0;\n‹work();\n‹if (⟦⟨hits@n != 0⟩⟧) {\n$B}",
        ],
        world: "void on@n(int (*f)(int, void *), void *context) { if (f && qa_chance(50)) f((int)qa_number(), context); qa_keep_callback(f, context); qa_world(); }",
        ..NONE
    },
    Feature {
        front: "int (*slot@n)(int);\nstatic int one@n(int x) {\n⦅‹return x & 7;\n}\nstatic int two@n(int x) {\n⦅‹return -1;\n}\nstatic int (*const table@n[2])(int) = { one@n, two@n };\nint (*choices@n[2])(int) = { one@n, two@n };",
        atoms: &["table@n[r & 1](@K)"],
        conditions: &["slot@n != 0 && t == 1", "table@n[t & 1](r) > 7", "choices@n[0] != one@n"],
        statements: &[
            "‹if (⟦⟨slot@n != 0⟩⟧) {\n‹r ^= slot@n(r);\n‹if (⟦⟨slot@n == 0⟩⟧) {\n$B}\n}",
            "‹t = @S;\n‹r ^= table@n[0](t);\n⟬t == @S⟭",
            "‹if (⟦⟨choices@n[1](@K) == @S⟩⟧) {\n$B}",
        ],
        world: "extern int (*slot@n)(int); extern int (*choices@n[2])(int);",
        changes: "qa_depart(QA_FUNCTION | QA_SHAPE); slot@n = qa_hook(); if (qa_chance(50)) choices@n[qa_below(2)] = qa_own_hook();",
        ..NONE
    },
    // Before `main`, and names that may be replaced.
    Feature {
        front: "static int ready@n;\n__attribute__((constructor)) static void begin@n(void) {\n⦅‹ready@n = @K;\n}\n__attribute__((destructor)) static void finish@n(void) {\n⦅‹if (⟦⟨ready@n == @S⟩⟧) {\n‹work();\n}\n}",
        atoms: &["ready@n"],
        conditions: &["ready@n == 0", "ready@n == @K"],
        statements: &["‹ready@n = @S;"],
        ..NONE
    },
    Feature {
        front: "static int shape_of@n;\n__attribute__((weak)) int weak@n(int x) {\n⦅‹return x & 1;\n}",
        conditions: &["weak@n(r) == @K", "weak@n(@S) < 0"],
        statements: &["‹if (⟦⟨weak@n(t) > 1⟩⟧) {\n$B}", "‹shape_of@n = weak@n(@S);\n‹if (⟦⟨shape_of@n == 2⟩⟧) {\n$B}"],
        world: "int weak@n(int x) { if (qa_chance(40)) return x & 1; qa_depart(QA_WORLD); qa_world(); return qa_result(); }",
        ..NONE
    },
    // Memory and what is undefined now and then.
    Feature {
        front: "static int *block@n;",
        statements: &[
            "{\n‹int *m@u = malloc(2 * sizeof *m@u);\n‹if (⟦⟨m@u == 0⟩⟧) {\n‹return -4;\n}\n‹m@u[0] = @S;\n‹m@u[1] = $E;\n‹work();\n‹if (⟦⟨m@u[0] != @S⟩⟧) {\n$B}\n‹if (⟦⟨m@u[1] == @K⟩⟧) {\n$B}\n‹free(m@u);\n}",
            "‹if (⟦⟨block@n == 0⟩⟧) {\n‹block@n = malloc(sizeof *block@n);\n‹if (⟦⟨block@n != 0⟩⟧) {\n‹*block@n = @S;\n}\n}\n‹if (⟦⟨block@n != 0⟩ && ⟨*block@n == @K⟩⟧) {\n$B}",
        ],
        ..NONE
    },
    Feature {
        statements: &[
            "{\nint u@u; ⟪¦int s@u = 0;⟫\n‹if (⟦$D⟧) {\n‹u@u = @K; ⟪¦s@u = 1;⟫\n}\n‹if (⟦⟨⟪u@u¦QA_MAYBE(s@u, u@u)⟫ == @K⟩⟧) {\n$B}\n}",
            "{\nint u@u; ⟪¦int s@u = 0; qa_undefined();⟫\n‹u@u++;\n‹if (⟦⟨r == @K⟩⟧) {\n$B}\n}",
        ],
        ..NONE
    },
    Feature {
        atoms: &["r * 3", "loc[r & 7]", "t / r", "r << (t & 31)"],
        statements: &["‹r = r * @K + 1;", "‹loc[t & 7] = r;", "‹t = @K / r;"],
        ..NONE
    },
];

pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        declaration: "int x@n",
        atoms: &["x@n"],
        conditions: &["x@n > @K", "x@n == @K", "(x@n & 3) == 2", "x@n % 7 == 3"],
        statements: &["‹x@n = $E;"],
        argument: "(int)qa_number()",
        ..PLAIN
    },
    Parameter {
        declaration: "unsigned char c@n",
        atoms: &["c@n"],
        conditions: &["c@n > 250", "c@n == @S", "c@n > 255"],
        argument: "(unsigned char)qa_number()",
        ..PLAIN
    },
    Parameter {
        declaration: "long long y@n",
        atoms: &["(int)(y@n & 0xff)"],
        conditions: &["y@n > 0x7fffffff", "y@n == @K"],
        argument: "qa_number()",
        ..PLAIN
    },
    Parameter {
        declaration: "int *p@n",
        conditions: &["p@n == 0", "p@n != 0 && t == 1", "p@n == &t"],
        statements: &[
            "‹if (⟦⟨p@n == 0⟩⟧) {\n‹return -1;\n}",
            "‹if (⟦⟨p@n != 0⟩⟧) {\n‹*p@n = @S;\n‹work();\n‹if (⟦⟨*p@n != @S⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨p@n != 0⟩ && ⟨*p@n == @K⟩⟧) {\n$B}",
            "‹if (⟦⟨p@n != 0⟩⟧) {\n‹*p@n = @S;\n‹t = @K;\n⟬*p@n == @S⟭\n}",
        ],
        argument: "qa_ints()",
        ..PLAIN
    },
    Parameter {
        declaration: "const int *a@n, int n@n",
        atoms: &["n@n"],
        statements: &[
            "‹for (int i@u = 0; ⟦⟨i@u < n@n⟩⟧; i@u++) {\n‹if (⟦⟨a@n[i@u] == @K⟩ && ⟨i@u > @S⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨n@n > 10⟩ && ⟨a@n[9] == @S⟩⟧) {\n$B}",
            "‹if (⟦⟨n@n > 2⟩⟧) {\n‹t = a@n[1];\n‹work();\n‹if (⟦⟨a@n[1] != t⟩⟧) {\n$B}\n}",
        ],
        before: "int n@n = qa_chance(80) ? qa_below(14) : qa_chance(50) ? 100 : qa_below(4) - 2; if (n@n > 8) qa_depart(QA_CONTENT);",
        argument: "qa_chance(90) ? qa_counted(n@n) : qa_ints(), n@n",
        ..PLAIN
    },
    Parameter {
        declaration: "unsigned char *b@n, unsigned len@n",
        conditions: &["len@n == 0", "len@n > 16 && b@n != 0"],
        statements: &[
            "‹if (⟦⟨b@n != 0⟩ && ⟨len@n > 3⟩⟧) {\n‹b@n[2] = @S;\n‹if (⟦⟨b@n[0] == 0x60⟩ && ⟨b@n[3] != @S⟩⟧) {\n$B}\n}",
            "‹for (unsigned i@u = 0; ⟦⟨i@u < len@n⟩⟧; i@u++) {\n‹b@n[i@u] ^= 1;\n‹if (⟦⟨b@n[i@u] == @S⟩⟧) {\n‹break;\n}\n}",
        ],
        before: "unsigned len@n = qa_chance(80) ? (unsigned)qa_below(10) : 40; if (len@n > 8) qa_depart(QA_CONTENT);",
        argument: "qa_buffer(len@n), len@n",
        ..PLAIN
    },
    Parameter {
        declaration: "const char *s@n",
        conditions: &["s@n == 0"],
        statements: &[
            "‹if (⟦⟨s@n != 0⟩ && ⟨s@n[0] == 'x'⟩⟧) {\n$B}",
            "‹if (⟦⟨s@n != 0⟩⟧) {\n‹int k@u = 0;\n‹while (⟦⟨s@n[k@u] != 0⟩⟧) {\n‹k@u++;\n}\n‹if (⟦⟨k@u > 20⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨s@n != 0⟩ && ⟨strcmp(s@n, \"ab\") == 0⟩⟧) {\n$B}",
        ],
        argument: "qa_text()",
        ..PLAIN
    },
    Parameter {
        declaration: "struct node *l@n",
        conditions: &["l@n == 0", "l@n != 0 && l@n->next == l@n"],
        statements: &[
            "{\n‹int k@u = 0;\n‹for (struct node *i@u = l@n; ⟦⟨i@u != 0⟩ && ⟨k@u < 20⟩⟧; i@u = i@u->next) {\n‹k@u++;\n‹if (⟦⟨i@u->v == @K⟩ && ⟨k@u > 4⟩⟧) {\n$B}\n}\n‹if (⟦⟨k@u == 6⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨l@n != 0⟩ && ⟨l@n->next != 0⟩⟧) {\n‹l@n->v = @S;\n‹l@n->next->v = @K;\n‹if (⟦⟨l@n->v == @K⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨l@n != 0⟩⟧) {\n‹l@n->v = @S;\n‹work();\n⟬l@n->v == @S⟭\n}",
        ],
        argument: "qa_list()",
        ..PLAIN
    },
    Parameter {
        declaration: "struct node **h@n",
        statements: &[
            "‹if (⟦⟨h@n != 0⟩ && ⟨*h@n != 0⟩⟧) {\n‹*h@n = (*h@n)->next;\n‹if (⟦⟨*h@n == 0⟩⟧) {\n$B}\n}",
        ],
        argument: "qa_chance(10) ? 0 : qa_link()",
        ..PLAIN
    },
    Parameter {
        declaration: "struct dev *d@n",
        conditions: &["d@n == 0"],
        statements: &[
            "‹if (⟦⟨d@n != 0⟩⟧) {\n‹d@n->state = @S;\n‹work();\n‹if (⟦⟨d@n->state != @S⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨d@n != 0⟩ && ⟨d@n->out != 0⟩⟧) {\n‹d@n->id = @S;\n‹*d@n->out = @K;\n‹if (⟦⟨d@n->id == @K⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨d@n != 0⟩ && ⟨d@n->hook != 0⟩⟧) {\n‹t = @S;\n‹d@n->level = 1;\n‹r ^= d@n->hook(@K);\n‹if (⟦⟨d@n->level != 1⟩⟧) {\n$B}\n⟬t == @S⟭\n}",
        ],
        argument: "qa_dev()",
        ..PLAIN
    },
    Parameter {
        declaration: "const struct dev *e@n",
        statements: &[
            "‹if (⟦⟨e@n != 0⟩ && ⟨e@n->id == @K⟩ && ⟨e@n->level < 0⟩⟧) {\n‹work();\n‹if (⟦⟨e@n->id != @K⟩⟧) {\n$B}\n}",
        ],
        argument: "qa_dev()",
        ..PLAIN
    },
    Parameter {
        declaration: "struct box *w@n",
        statements: &[
            "‹if (⟦⟨w@n != 0⟩⟧) {\n‹for (int i@u = 0; ⟦⟨i@u < w@n->n⟩⟧; i@u++) {\n‹w@n->p[i@u] = @S;\n‹if (⟦⟨w@n->n == @K⟩⟧) {\n$B}\n}\n}",
        ],
        argument: "qa_box()",
        ..PLAIN
    },
    Parameter {
        declaration: "union word *o@n",
        statements: &[
            "‹if (⟦⟨o@n != 0⟩⟧) {\n‹o@n->b[0] = @S;\n‹if (⟦⟨o@n->i == @K⟩⟧) {\n$B}\n‹if (⟦⟨o@n->h[1] > @S⟩⟧) {\n$B}\n}",
        ],
        argument: "qa_union()",
        ..PLAIN
    },
    Parameter {
        declaration: "int (*f@n)(int)",
        statements: &[
            "‹if (⟦⟨f@n != 0⟩⟧) {\n‹t = f@n(@K);\n‹if (⟦⟨t == @K⟩⟧) {\n$B}\n}",
            "‹if (⟦⟨f@n != 0⟩ && ⟨f@n(1) != f@n(1)⟩⟧) {\n$B}",
        ],
        argument: "qa_hook()",
        ..PLAIN
    },
];
