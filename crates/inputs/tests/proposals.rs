//! The shapes that are proposed are those that are used, and demanding them changes nothing.

use quipu_cfront::{Options, Program, compile};
use quipu_inputs::{Assumption, Interface, Proposals, Reason, Shapes};

fn program(name: &str, text: &str) -> Program {
    let path = std::env::temp_dir().join(format!("quipu-inputs-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).expect("a scratch file should be possible");
    let options = Options::from_flags::<&str>(&[]).expect("no flags are fine");
    let program = compile(std::slice::from_ref(&path), &options);
    let _ = std::fs::remove_file(&path);
    program.unwrap_or_else(|failure| panic!("{failure}"))
}

fn proposals(program: &Program, function: &str) -> Proposals {
    let func = program.module.function(function).expect("the function is defined");
    Proposals::of(&program.module, func, &Shapes::default())
}

/// The shapes, as `name = shape`.
fn shapes(proposals: &Proposals) -> Vec<String> {
    proposals.shapes.iter().map(|one| format!("{} = {}", one.name, one.shape)).collect()
}

#[track_caller]
fn changes_nothing(program: &Program, function: &str) {
    let found = proposals(program, function);
    let mut demanded = Shapes::default();
    demanded.named.extend(found.shapes.iter().map(|one| (one.name.clone(), one.shape.clone())));
    let other = Interface::of(&program.module, found.interface.func, &demanded);
    assert_eq!(other.leaves.iter().collect::<Vec<_>>(), found.interface.leaves.iter().collect::<Vec<_>>());
    assert_eq!(other.objects.iter().collect::<Vec<_>>(), found.interface.objects.iter().collect::<Vec<_>>());
    assert!(other.refused.is_empty(), "{:?}", other.refused);
}

#[test]
fn lengths_and_strings() {
    let program = program(
        "lengths",
        "int sum(const int *a, int n) {\n int s = 0;\n for (int i = 0; i < n; i++)\n  s += a[i];\n return s; }\n\
         int grid(int *m, int rows, int cols) { int s = 0; for (int i = 0; i < rows; i++)\n\
         for (int j = 0; j < cols; j++) s += m[i * cols + j]; return s; }\n\
         int length(const char *s) { int n = 0; if (!s) return 0; while (s[n]) n++; return n; }\n",
    );
    let sum = proposals(&program, "sum");
    assert_eq!(shapes(&sum), ["a = array(n) | null"]);
    assert!(
        matches!(&sum.shapes[0].reason, Reason::Compared { length, at } if length == "n" && at.line == 3)
    );
    assert_eq!(sum.shapes[0].followed_untested.map(|at| at.line), Some(4));
    assert_eq!((sum.lengths[0].name.as_str(), sum.lengths[0].high), ("n", 65536));
    assert_eq!(shapes(&proposals(&program, "grid")), ["m = array(rows*cols) | null"]);
    let length = proposals(&program, "length");
    assert_eq!(shapes(&length), ["s = string(16) | null"]);
    assert!(matches!(length.shapes[0].reason, Reason::ReadToZero { .. }));
    assert_eq!(length.shapes[0].followed_untested, None);
    ["sum", "grid", "length"].iter().for_each(|name| changes_nothing(&program, name));
}

#[test]
fn structures_aliases_and_functions() {
    let program = program(
        "structures",
        "struct node { int v; struct node *next, *back; char *name; };\nint table[4];\nstruct hidden;\nstruct _IO_FILE;\n\
         int count(struct node *l, struct node *m) { int n = 0; for (; l; l = l->next)\n\
         if (l->name && *l->name == 0) n++; return n + (m != 0); }\n\
         int at(int *p, int a[3]) { table[0]++; return *p + a[2]; }\n\
         int twice(int x) { return 2 * x; }\n\
         int call(int (*f)(int), struct hidden *h, struct _IO_FILE *s) { return f && h && s ? f(1) : 0; }\n",
    );
    assert_eq!(
        shapes(&proposals(&program, "count")),
        ["l = cyclic(3) | null", "m = cyclic(3) | alias(l) | null"]
    );
    let at = proposals(&program, "at");
    assert_eq!(shapes(&at), ["p = array(8) | alias(table) | null", "a = array(3) | alias(table) | alias(p)"]);
    assert_eq!((&at.shapes[0].reason, &at.shapes[1].reason), (&Reason::Unknown, &Reason::Declared(3)));
    let call = proposals(&program, "call");
    assert_eq!(shapes(&call), ["f = function(twice) | null", "h = object | null", "s = null"]);
    assert!(matches!(call.shapes[2].reason, Reason::OnlyNull(_)));
    assert_eq!(call.interface.only_null.len(), 1);
    ["count", "at", "call"].iter().for_each(|name| changes_nothing(&program, name));
}

#[test]
fn a_global_can_be_demanded_as_an_alias() {
    let program =
        program("alias", "int g, h[2]; double d;\nint f(int *p) { g++; h[0]++; d++; return *p; }\n");
    let func = program.module.function("f").expect("f is defined");
    let demand = |text: &str| {
        let mut shapes = Shapes::default();
        shapes.named.insert("p".to_string(), quipu_inputs::Shape::parse(text).expect("a shape"));
        Interface::of(&program.module, func, &shapes)
    };
    let interface = demand("alias(g) | alias(h)");
    let p = &interface.leaves[interface.leaf("p").expect("p is an input")];
    assert_eq!(p.targets.as_ref().map(quipu_inputs::TargetList::len), Some(2));
    assert_eq!(p.limits().0, 1, "it is not null");
    assert!(interface.refused.is_empty());
    assert_eq!(demand("alias(d)").refused[0].why, "`alias(d)`: `d` has another type");
}

/// Where pointers may point in arrays depends on the code, with a demand and without one.
#[test]
fn places_in_arrays_are_targets() {
    let program = program(
        "places",
        "static int a[4], large[5000]; static int *p = a, *q = large; struct s { int n, b[3], *at; } s;\n\
         void set(int *x) { p = x; q = x; s.at = s.b; }\n\
         int follow(void) { return *p; }\n\
         int overlap(void) { a[1] = 1; return *p; }\n\
         int move(void) { return *p++; }\n\
         int compare(void) { return q == large + 4999; }\n\
         int member(void) { return s.at - s.b; }\n\
         int row(int x[3]) { a[0] = 1; return x[2]; }\n",
    );
    let targets = |name: &str, leaf: &str| {
        let interface = proposals(&program, name).interface;
        changes_nothing(&program, name);
        let info = &interface.leaves[interface.leaf(leaf).expect("it is an input")];
        let targets = info.targets.clone().expect("it is a pointer");
        let global = |object| matches!(interface.objects[object].origin, quipu_inputs::Origin::Global(_));
        let places = (1..=targets.len()).filter_map(|value| match targets.get(value) {
            Some(quipu_inputs::Target::Object(object, offset)) if global(object) => Some(offset),
            _ => None,
        });
        places.collect::<Vec<u64>>()
    };
    assert_eq!(targets("follow", "p"), [0]);
    assert_eq!(targets("overlap", "p"), [0, 4, 8, 12]);
    assert_eq!(targets("move", "p"), [0, 4, 8, 12, 16]);
    assert_eq!(targets("compare", "q"), (0..=5000).map(|n| 4 * n).collect::<Vec<u64>>());
    assert_eq!(targets("member", "s.at"), [4, 8, 12, 16]);
    assert_eq!(targets("row", "x"), [0, 4]);
    assert!(proposals(&program, "compare").lengths.is_empty());
}

#[test]
fn unions_are_told() {
    let program = program("unions", "union u { char c; int i; };\nint f(union u x) { return x.i; }\n");
    let found = proposals(&program, "f").interface.assumptions;
    let found: Vec<String> = found.iter().map(Assumption::to_string).collect();
    assert_eq!(found, ["unions hold their first members, and zeros behind them"]);
}

/// Each scalar is an input where the code always knows which one it uses; else only some of them are.
#[test]
fn arrays_that_are_counted_through_are_inputs_as_a_whole() {
    let program = program(
        "counted",
        "int all(int a[600]) { int s = 0; for (int i = 0; i < 200; i++) s ^= a[3 * i + 1]; return s; }\n\
         int some(int a[600], int n) { return a[n]; }\n",
    );
    let inputs = |name: &str| proposals(&program, name).interface.leaves.len();
    assert!(inputs("all") >= 600, "{}", inputs("all"));
    assert!(inputs("some") < 200, "{}", inputs("some"));
}

/// Nobody outside has the address of a static object that the program keeps to itself.
#[test]
fn hidden_objects_are_no_aliases() {
    let program = program(
        "hidden",
        "static int hidden, shown; int open;\n\
         int *show(void) { return &shown; }\n\
         int use(int *p) { hidden++; shown++; open++; return *p; }\n",
    );
    let found = proposals(&program, "use").interface;
    let told: Vec<String> = found.assumptions.iter().map(Assumption::to_string).collect();
    let told = told.join("; ");
    assert!(told.contains("`p`") && told.contains("`shown`") && told.contains("`open`"), "{told}");
    assert!(!told.contains("`hidden`"), "{told}");
}
