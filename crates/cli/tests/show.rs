//! `quipu show`, end to end.

mod support;

use support::quipu;

#[test]
fn decisions_are_listed_with_their_places() {
    quipu("show list.c --decisions -f count").exits(0).prints(
        "\
list.c:27:10: function count
    29:5   statement s0: unsigned n = 0;
    30:5   statement s1: while (*text)
    30:12  decision d0 while: *text
    30:12    condition c0 of d0: *text
    31:9   statement s2: n += *text++ == wanted;
    32:5   statement s3: return n;
",
    );
    let json = quipu("show list.c --decisions --json -f count").exits(0).json();
    let decision = &json["functions"][0]["decisions"][0];
    assert_eq!((&decision["kind"], &decision["text"]), (&"while".into(), &"*text".into()));
    assert_eq!(decision["conditions"][0]["column"], 12);
}

#[test]
fn the_ir_of_a_function_can_be_read_back() {
    let whole = quipu("show list.c --ir").exits(0);
    let module = quipu_ir::parse(&whole.stdout).expect("the printed IR should parse");
    assert_eq!(quipu_ir::print(&module), whole.stdout);
    let one = quipu("show list.c --ir -f bump").exits(0);
    assert!(one.stdout.starts_with("func @bump(cell: ptr"), "{}", one.stdout);
    assert!(whole.stdout.contains(one.stdout.trim_end()));
}

#[test]
fn graphs_come_as_text_and_as_dot() {
    for graph in ["--cfg", "--cdg", "--callgraph"] {
        let text = quipu("show list.c").arg(graph).exits(0);
        assert!(text.stdout.contains("deep"), "{}", text.stdout);
        let dot = quipu("show list.c --dot").arg(graph).exits(0);
        assert!(dot.stdout.starts_with("digraph"), "{}", dot.stdout);
        let json = quipu("show list.c --json").arg(graph).exits(0).json();
        assert!(json["functions"].as_array().unwrap().len() > 5);
    }
}

#[test]
fn unsupported_functions_are_named_and_the_rest_is_shown() {
    let ran = quipu("show list.c --decisions").exits(0);
    assert!(ran.stdout.contains("function deep") && ran.stdout.contains("function gives_up\n  no code"));
    ran.says("list.c:48:22: warning: `gives_up` is not supported: inline assembly");
}

#[test]
fn pointers_are_shown_with_their_targets() {
    quipu("show pointers.c --points-to -f sum").exits(0).prints(
        "\
pointers.c:11:5: function sum
      13:5  int a = 1, b = 2;
              list -> *list | null (possible)
              list->next -> *list->next | null (possible)
      14:5  int *p = pick(c, &a, &b);
              list -> *list | null (possible)
              list->next -> *list->next | null (possible)
      15:5  struct node *next = list->next;
              list -> *list | null (possible)
              list->next -> *list->next | null (possible)
              p -> a | b (possible)
      16:5  return *p + next->value;
              list -> *list | null (possible)
              list->next -> *list->next | null (possible)
              p -> a | b (possible)
              next -> *list->next | null (possible)
              next->next -> outside | null (possible)
       end
              list -> *list | null (possible)
              list->next -> *list->next | null (possible)
              p -> a | b (possible)
              next -> *list->next | null (possible)
              next->next -> outside | null (possible)

pointers.c:3:13: function pick
       5:5  int *p = x;
              x -> a of sum (definite)
              y -> b of sum (definite)
       6:5  if (c)
              x -> a of sum (definite)
              y -> b of sum (definite)
              p -> a of sum (definite)
       7:9  p = y;
              x -> a of sum (definite)
              y -> b of sum (definite)
              p -> a of sum (definite)
       8:5  return p;
              x -> a of sum (definite)
              y -> b of sum (definite)
              p -> a of sum | b of sum (possible)
       end
              x -> a of sum (definite)
              y -> b of sum (definite)
              p -> a of sum | b of sum (possible)
",
    );
    let json = quipu("show pointers.c --points-to --json").exits(0).json();
    let (pick, end) = (&json["functions"][0], &json["functions"][0]["statements"][4]);
    assert_eq!((&pick["name"], &end["reached"]), (&"pick".into(), &true.into()));
    let relation = &end["relations"][2];
    assert_eq!(relation["pointer"], "p");
    assert_eq!(relation["targets"], serde_json::json!(["*x", "*y", "null"]));
    assert_eq!(relation["definite"], false);
}

#[test]
fn what_matters_for_a_line_is_shown() {
    quipu("show check/strands.c --slice 19").exits(0).prints(
        "\
check/strands.c:
    11  int clamp(int in, int limit)
    16      if (limit <= 0)
    18      int out = in > limit ? limit : in;
    19      assert(out <= limit);
",
    );
    let json = quipu("show check/strands.c --slice check/strands.c:49 --json").exits(0).json();
    let lines: Vec<u64> =
        json["lines"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!((&json["function"], lines), (&"never".into(), vec![44, 46, 48, 49]));
    quipu("show check/strands.c --slice 1").exits(2).says("nothing happens at 1");
    quipu("show check/strands.c --slice here").exits(2).says("`here` is no place");
}

#[test]
fn wrong_command_lines_are_explained() {
    quipu("show list.c").exits(2).says("--ir");
    quipu("show list.c --ir --cfg").exits(2).says("cannot be used with");
    quipu("show list.c --ir -f nothing").exits(2).says("there is no function `nothing`");
    quipu("shwo").exits(2).says("show");
    assert!(quipu("--help").exits(0).stdout.contains("Exit codes"));
    assert!(quipu("--version").exits(0).stdout.starts_with("quipu "));
}
