//! The call graph, and the listings and drawings of all graphs, on `files/calls.ir`.

use quipu_analysis::{CallGraph, dot, text};
use quipu_ir::{FuncBody, Module};

fn program() -> Module {
    let module = quipu_ir::parse(include_str!("files/calls.ir")).expect("the file should parse");
    quipu_ir::verify(&module).expect("the file should be well-formed");
    module
}

fn code<'a>(module: &'a Module, name: &str) -> &'a FuncBody {
    module.functions[module.function(name).unwrap()].code().unwrap()
}

#[test]
fn calls_through_pointers_reach_what_fits() {
    let module = program();
    let graph = CallGraph::compute(&module);
    let name = |func: &quipu_ir::Func| module.functions[*func].name.as_str();
    let taken = module.functions.ids().filter(|&func| graph.address_taken[func]);
    assert_eq!(taken.map(|func| name(&func).to_string()).collect::<Vec<_>>(), ["double", "external", "sum"]);
    let sites = graph.sites_in(module.function("main").unwrap());
    let found: Vec<(usize, bool, Vec<&str>)> =
        sites.iter().map(|s| (s.inst, s.indirect, s.callees.iter().map(name).collect())).collect();
    let expected =
        [(1, true, vec!["double", "external"]), (2, false, vec!["known"]), (3, false, vec!["even"])];
    assert_eq!(found, expected);
}

#[test]
fn recursion_and_order() {
    let module = program();
    let graph = CallGraph::compute(&module);
    let names = |funcs: &[quipu_ir::Func]| {
        funcs.iter().map(|&func| module.functions[func].name.clone()).collect::<Vec<_>>()
    };
    let recursive: Vec<_> = module.functions.ids().filter(|&func| graph.is_recursive(func)).collect();
    assert_eq!(names(&recursive), ["even", "odd"]);
    assert_eq!(names(&graph.reachable_from(module.function("odd").unwrap())), ["even", "odd"]);
    let groups: Vec<Vec<String>> = graph.bottom_up().map(names).collect();
    let position = |name: &str| groups.iter().position(|group| group.iter().any(|f| f == name)).unwrap();
    assert_eq!(position("even"), position("odd"));
    assert!(position("main") > position("odd") && position("main") > position("double"));
}

#[test]
fn text_listings() {
    let module = program();
    assert_eq!(
        text::cfg("even", code(&module, "even")),
        "even\n  bb0 line 4 -> bb1 [n == '\"' is true], bb2 [n == '\"' is false]\n  bb1 line 4\n  bb2 line 5\n"
    );
    assert_eq!(
        text::control_dependence("odd", code(&module, "odd")),
        "odd\n  bb0 line 1 <- root\n  bb1 line 1 <- bb0 [case 0], bb0 [case -3 ... -1]\n  bb2 line 1 <- bb0 [default]\n"
    );
    assert_eq!(
        text::call_graph(&module, &CallGraph::compute(&module)),
        "double\nsum\nknown\neven (recursive) -> odd\\ (odd)\nodd\\ (odd) (recursive) -> even\n\
         main -> double, external, known, even\n"
    );
}

#[test]
fn drawings_escape_labels() {
    let module = program();
    assert_eq!(
        dot::cfg("even", code(&module, "even")),
        r#"digraph "even" {
  node [shape=box];
  bb0 [label="bb0 line 4"];
  bb1 [label="bb1 line 4"];
  bb2 [label="bb2 line 5"];
  bb0 -> bb1 [label="n == '\"' is true"];
  bb0 -> bb2 [label="n == '\"' is false"];
}
"#
    );
    let dependence = dot::control_dependence("odd", code(&module, "odd"));
    assert!(dependence.contains("  root -> bb0 [label=\"\"];\n"));
    assert!(dependence.contains("  bb0 -> bb1 [label=\"case -3 ... -1\"];\n"));
    let calls = dot::call_graph(&module, &CallGraph::compute(&module));
    assert!(calls.contains("  func1 [label=\"external\", style=dashed];\n"));
    assert!(calls.contains("  func5 [label=\"odd\\\\ (odd)\"];\n"));
    assert!(calls.contains("  func6 -> func0 [label=\"\", style=dashed];\n"));
    assert!(calls.contains("  func6 -> func4 [label=\"\"];\n"));
}
