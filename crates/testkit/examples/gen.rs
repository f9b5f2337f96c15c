use quipu_testkit::generate::{self, Config};
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|s| s.parse().unwrap()).collect();
    let config = Config { undefined: a.len() > 2, ..Config::default() };
    let ps: Vec<_> = (0..a[1])
        .map(|i| generate::program(quipu_testkit::rng::Rng::derive(a[0], i), &format!("p{i}_"), &config))
        .collect();
    print!("{}", generate::source(&ps));
}
