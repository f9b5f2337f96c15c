use std::path::PathBuf;
use std::time::{Duration, Instant};
use quipu_cfront::Options;
use quipu_inputs::{Inputs, Interface, Runner, Shapes};
use quipu_interp::{Limits, SourceSteps};
use quipu_replay::{ReplayLimits, ReplaySetup, Replayer, Verdict};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let split = args.iter().position(|a| a == "--").unwrap_or(args.len());
    let files: Vec<PathBuf> = args[..split].iter().map(PathBuf::from).collect();
    let flags: Vec<String> = args[(split + 1).min(args.len())..].to_vec();
    let options = Options::from_flags(&flags).unwrap();
    let t = Instant::now();
    let program = match quipu_cfront::compile(&files, &options) { Ok(p) => p, Err(e) => { println!("front end: {e}"); return; } };
    let front = t.elapsed();
    let module = &program.module;
    let funcs: Vec<_> = module.functions.entries().filter(|(_, f)| f.code().is_some()).map(|(f, _)| f).collect();
    let interfaces: Vec<Interface> = funcs.iter().map(|f| Interface::of(module, *f, &Shapes::default())).collect();
    let limits = ReplayLimits { time: Duration::from_millis(300), ..ReplayLimits::default() };
    let t = Instant::now();
    let mut replayer = match Replayer::build(&ReplaySetup { files: &files, flags: &flags, options: &options, module, interfaces: &interfaces, limits }) {
        Ok(r) => r, Err(e) => { println!("BUILD: {}", e.to_string().lines().take(6).collect::<Vec<_>>().join("\n")); return; }
    };
    println!("front {front:?} build {:?} functions {}", t.elapsed(), funcs.len());
    for (f, why) in replayer.unmeasured().iter().take(12) { println!("  unmeasured {}: {why}", module.functions[*f].name); }
    println!("  unmeasured total {}", replayer.unmeasured().len());
    let mut seed = 12345u64;
    let mut next = move || { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; seed };
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let (mut runs, mut spent) = (0u32, Duration::ZERO);
    for (n, interface) in interfaces.iter().enumerate() {
        for round in 0..4 {
            let mut inputs = Inputs::zero(interface);
            if round > 0 {
                for (leaf, info) in interface.leaves.entries() {
                    let (low, high) = info.limits();
                    let v = if info.targets.is_some() { low + next() % (high - low + 1) } else { match next() % 3 { 0 => info.width().wrap(next() % 16), 1 => info.width().wrap(next()), _ => info.width().wrap((next() % 300).wrapping_sub(150)) } };
                    if info.allows(v) { inputs.set(leaf, v); }
                }
                for _ in 0..10 { inputs.sequence.push(next() % 8); }
            }
            let mut runner = Runner::new(module, interface, Limits { steps: 300_000, depth: 500, memory: 1 << 26, ..Limits::default() });
            let mut steps = SourceSteps::new(module, Vec::new());
            let predicted = runner.run(&inputs, &mut steps);
            let steps = steps.into_sink();
            let t = Instant::now();
            let replayed = replayer.run(n, &inputs);
            if replayed.ending != quipu_replay::Ending::Timeout { spent += t.elapsed(); runs += 1; }
            let verdict = replayer.compare(n, &predicted, &steps, &replayed);
            let kind = format!("{verdict:?}").split(['(', '{']).next().unwrap().trim().to_string();
            *counts.entry(kind).or_default() += 1;
            if matches!(verdict, Verdict::Disagrees(_)) {
                println!("  {} round {round}: {verdict:?}\n     outcome {:?} ending {:?}", module.functions[interface.func].name, predicted.outcome, replayed.ending);
            }
        }
    }
    println!("  {counts:?}; {:?} per run", spent / runs.max(1));
}
