use quipu_testkit::differential::{Batch, Plan, Side, reduce, still_differs};
use quipu_testkit::generate::{Config, Program};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (seed, n): (u64, u64) = (a[1].parse().unwrap(), a[2].parse().unwrap());
    let undefined = a.len() > 3;
    let plan = Plan {
        programs: n,
        seed,
        config: Config { undefined, ..Config::default() },
        side: Side::Interpreter,
        workers: 1,
    };
    for d in Batch::generate(&plan, n, 1).compare().unwrap() {
        for o in &d.observations {
            println!("// {} {}", o.0, o.1);
        }
        let r = reduce(&d.program.text, &|t| {
            still_differs(&Program { text: t.to_string(), entry: d.program.entry.clone() }, &d)
                .unwrap_or(false)
        });
        println!("{r}");
    }
}
