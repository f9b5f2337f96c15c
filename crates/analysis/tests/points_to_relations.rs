//! The relations in front of each statement: `points_to/NAME.c` gives `points_to/NAME.txt`. `UPDATE_EXPECT=1` writes
//! the texts anew.

use std::fmt::Write;
use std::path::Path;

use quipu_analysis::PointsTo;
use quipu_cfront::Program;
use quipu_ir::{Callee, Func, InstKind};

#[test]
fn relations_of_small_programs() {
    for name in
        ["flow", "conditional", "levels", "cycle", "list", "fields", "arrays", "table", "recursion", "inputs"]
    {
        compare(name);
    }
}

fn compare(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/points_to");
    let text = std::fs::read(folder.join(format!("{name}.c"))).expect("the program is there");
    let mut options = quipu_cfront::Options::default();
    options.keep_variables();
    let program = quipu_cfront::compile_source(name, text, &options).expect("it compiles");
    let entry =
        program.module.function("main").or(program.module.function("f")).expect("it starts somewhere");
    let points_to = PointsTo::of(&program.module, entry);
    let texts = points_to.functions().into_iter().map(|func| listing(&program, &points_to, func));
    let found = texts.collect::<Vec<_>>().join("\n");
    let file = folder.join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &found).expect("the text can be written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "{name}");
}

fn listing(program: &Program, points_to: &PointsTo<'_>, func: Func) -> String {
    let function = &program.module.functions[func];
    let stmts = &function.code().expect("it has code").stmts;
    let mut out = format!("{}\n", function.name);
    for at in points_to.relations(func) {
        let place = at.stmt.map_or("end".to_string(), |stmt| program.excerpt(stmts[stmt].span));
        writeln!(out, "  {place}").unwrap();
        match at.relations {
            None => out.push_str("      not reached\n"),
            Some(relations) => {
                relations.iter().for_each(|relation| writeln!(out, "      {relation}").unwrap());
            }
        }
    }
    out
}

#[test]
fn calls_and_writes_follow_the_pointers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/points_to");
    let text = std::fs::read(folder.join("table.c")).expect("the program is there");
    let program = quipu_cfront::compile_source("table.c", text, &quipu_cfront::Options::default())
        .expect("it compiles");
    let module = &program.module;
    let main = module.function("main").expect("there is a main function");
    let points_to = PointsTo::of(module, main);
    let names = |funcs: Vec<Func>| -> Vec<&str> {
        funcs.into_iter().map(|func| module.functions[func].source_name.as_str()).collect()
    };
    assert_eq!(names(points_to.functions()), ["add", "sub", "main"]);
    let mut indirect = Vec::new();
    for (block, data) in module.functions[main].code().expect("it has code").blocks.entries() {
        for (n, inst) in data.insts.iter().enumerate() {
            if let InstKind::Call(Callee::Indirect(_), _) = inst.kind {
                let callees = points_to.callees(main, block, n);
                assert!(!callees.unknown);
                indirect.push(names(callees.functions));
            }
        }
    }
    assert_eq!(indirect, [vec!["sub"], vec!["add", "sub"]]);
    let written = points_to.written_globals();
    let written: Vec<&str> = written.iter().map(|&global| module.globals[global].name.as_str()).collect();
    assert_eq!(written, ["last"]);
}
