//! Covers the functions of a file and prints the verdicts.
use quipu_cover::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let files = vec![std::path::PathBuf::from(&args[1])];
    let mut options = Options::default(); options.depth = 1;
    if args.len() > 2 {
        options.criteria = quipu_goals::Criterion::ALL.iter().filter(|(_, n)| args[2].split(',').any(|a| a == *n)).map(|c| c.0).collect();
    }
    let flags: Vec<String> = args[3.min(args.len())..].to_vec();
    let program = quipu_cfront::compile(&files, &quipu_cfront::Options::from_flags(&flags).unwrap()).unwrap();
    for (func, function) in program.module.functions.entries() {
        if function.code().is_none() || function.span.file != program.module.files.ids().next().unwrap() { continue; }
        let subject = Subject::new(&program.module, func, vec![], &options).unwrap();
        let goals = goals_of(&program, func, &options);
        let start = std::time::Instant::now();
        let report = match { let all: Vec<_> = goals.all().ids().collect(); cover(&program, &subject, goals, &all, &options) } { Ok(r) => r, Err(_) => { println!("{} contradiction", function.name); continue } };
        println!("== {} {:.3}s {:?}", function.name, start.elapsed().as_secs_f64(), report.statistics);
        let mut n = std::collections::BTreeMap::new();
        for (goal, verdict) in report.goals.all().iter().zip(&report.verdicts) {
            *n.entry(verdict.name()).or_insert(0) += 1;
            if !matches!(verdict, Verdict::Covered { .. }) { println!("  {}:{} {:?} {} {} -> {} {:?}", goal.span.line, goal.span.column, goal.kind, goal.text, goal.outcome, verdict.name(), verdict); }
        }
        println!("  {:?} tests {} minimal {}", n, report.tests.len(), report.minimal);
        for test in &report.tests {
            let values: Vec<String> = report.interface.leaves.iter().zip(&test.inputs.leaves).map(|(l, v)| format!("{}={}", l.name, if l.signed { l.width().signed(*v) } else { *v as i64 })).collect();
            println!("   {} {:?} {:?}", values.join(" ").chars().take(160).collect::<String>(), test.inputs.sequence, test.observation.outcome);
        }
    }
}
