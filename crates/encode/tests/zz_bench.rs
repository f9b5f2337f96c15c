use quipu_encode::{Encoder, Unwinding};
use quipu_inputs::{Interface, Shapes};
use quipu_model::Model;
#[test]
fn bench() {
    let Ok(path) = std::env::var("BENCH_FILE") else { return };
    let entry = std::env::var("BENCH_FUNC").unwrap();
    let num = |n: &str, d: u64| std::env::var(n).ok().and_then(|t| t.parse().ok()).unwrap_or(d);
    let source = std::fs::read_to_string(path).unwrap();
    let module = quipu_cfront::compile_source("t.c", source.into_bytes(), &quipu_cfront::Options::default()).unwrap().module;
    let func = module.function(&entry).unwrap();
    let interface = Interface::of(&module, func, &Shapes::default());
    let mut model = Model::new();
    let mut encoder = Encoder::new(&module, &interface, Vec::new());
    let t = std::time::Instant::now();
    let e = encoder.encode(&mut model, &Unwinding { turns: num("TURNS", 4), recursion: num("REC", 4), size: num("SIZE", 100_000) as usize, ..Unwinding::default() });
    let el = t.elapsed();
    let rss = std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap().to_string();
    let conds: usize = e.edges.values().flatten().map(|v| v.conditions.to_vec().len()).sum();
    let n: usize = e.edges.values().map(Vec::len).sum();
    println!("visits {} terms {} checks {} cuts {:?} edges {n} mean conditions {} in {el:?} {rss}", e.n_visits, model.terms().count(), e.checks.len(), e.cuts.len(), conds / n.max(1));
}
