use quipu_testkit::differential::{reduce, still_differs};
use quipu_testkit::generate::{program, Config, Program};
use quipu_testkit::rng::Rng;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (seed, n): (u64, u64) = (a[1].parse().unwrap(), a[2].parse().unwrap());
    let undefined = a.len() > 3;
    let p = program(Rng::derive(seed, n), &format!("p{n}_"), &Config { undefined, ..Config::default() });
    let r = reduce(&p.text, &|t| still_differs(&Program { text: t.to_string(), entry: p.entry.clone() }, undefined).unwrap_or(false));
    println!("{r}");
}
