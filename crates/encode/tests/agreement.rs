//! The encoding says of every input what the interpreter does: which edges are taken, and whether the run is clean.

use std::collections::BTreeSet;

use quipu_encode::{Encoder, Encoding, Unwinding};
use quipu_inputs::{Interface, Runner, Shapes};
use quipu_interp::{Limits, Observer, Outcome};
use quipu_ir::{Block, Func, Module};
use quipu_model::{Assignment, Evaluation, Model, VarInfo};

#[derive(Default)]
struct Edges(BTreeSet<(Func, Block, usize)>);

impl Observer for Edges {
    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.0.insert((func, block, edge));
    }
}

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value for a variable: often small, sometimes anything.
    fn value(&mut self, info: &VarInfo) -> u64 {
        let bits = match self.next() % 4 {
            0 => self.next(),
            1 => (self.next() % 21).wrapping_sub(10),
            2 => self.next() % 200,
            _ => self.next() % 4,
        };
        let bits = info.width.wrap(bits);
        match info.range {
            Some((low, high)) if !info.allows(bits) => {
                let size = info.width.wrap(high.wrapping_sub(low)).saturating_add(1);
                info.width.wrap(low.wrapping_add(self.next() % size.max(1)))
            }
            _ => bits,
        }
    }
}

fn compile(source: &str) -> Module {
    let options = quipu_cfront::Options::default();
    quipu_cfront::compile_source("test.c", source.as_bytes().to_vec(), &options).expect("it compiles").module
}

/// Compares on many inputs; returns how many runs could be compared.
fn agree(source: &str, function: &str, runs: usize) -> usize {
    let module = compile(source);
    let func = module.function(function).expect("the function exists");
    let interface = Interface::of(&module, func, &Shapes::default());
    let mut model = Model::new();
    let mut encoder = Encoder::new(&module, &interface, Vec::new());
    let unwinding = Unwinding { turns: 12, recursion: 12, ..Unwinding::default() };
    let encoding = encoder.encode(&mut model, &unwinding);
    let limits = Limits { steps: 100_000, depth: 1000, ..Limits::default() };
    let mut runner = Runner::new(&module, &interface, limits);
    let mut random = Random(0x1234_5678_9abc_def1);
    (0..runs).filter(|_| same(&module, &model, &encoding, &mut runner, &mut random, source)).count()
}

fn same(
    module: &Module,
    model: &Model,
    encoding: &Encoding,
    runner: &mut Runner<'_>,
    random: &mut Random,
    source: &str,
) -> bool {
    let assignment: Assignment = model.vars().iter().map(|info| random.value(info)).collect();
    let mut evaluation = Evaluation::new(model, &assignment);
    let inputs = encoding.inputs(model, &assignment);
    let mut edges = Edges::default();
    let observation = runner.run(&inputs, &mut edges);
    if encoding.approximations.iter().any(|item| evaluation.value(item.when) == 1) {
        return false;
    }
    let counts = encoding.assumptions.iter().all(|&term| evaluation.value(term) == 1);
    assert_eq!(counts, observation.outcome != Outcome::AssumptionFailed, "{inputs:?}\n{source}");
    if !counts {
        return false;
    }
    let cut = encoding.cuts.iter().any(|cut| evaluation.value(cut.when) == 1);
    let first_bad = encoding.checks.iter().position(|check| evaluation.value(check.clean) == 0);
    let said: BTreeSet<(Func, Block, usize)> = encoding
        .edges
        .iter()
        .filter(|(_, visits)| {
            visits.iter().any(|visit| {
                evaluation.value(visit.when) == 1 && first_bad.is_none_or(|bad| visit.n_checks <= bad)
            })
        })
        .map(|(&edge, _)| edge)
        .collect();
    let clean = !matches!(
        observation.outcome,
        Outcome::Event { .. } | Outcome::AssertionFailed { .. } | Outcome::Aborted
    );
    if cut || matches!(observation.outcome, Outcome::LimitReached(_)) {
        return false;
    }
    assert!(
        said == edges.0,
        "{inputs:?} -> {:?}\nsaid {said:?}\ntook {:?}\n{}\n{source}",
        observation.outcome,
        edges.0,
        quipu_ir::print(module)
    );
    let bad = first_bad.map(|n| &encoding.checks[n]);
    assert_eq!(clean, bad.is_none(), "{inputs:?} -> {:?}, {bad:?}\n{source}", observation.outcome);
    true
}

#[test]
fn conditions_and_arithmetic() {
    let source = "int f(int a, int b, unsigned c) {
        int r = 0;
        if (a > 3 && b < 2 || c == 7u) r = a / (b + 1); else if (!(a & 1)) r = b << (c & 3);
        switch (r) { case 0: r++; case 1: r += 2; break; case 5 ... 9: r = a % 3; break; default: r -= c > 2u ? 1 : b; }
        return r > 2 || b ? r : -r;
    }";
    assert!(agree(source, "f", 3000) > 2000);
}

#[test]
fn loops_and_breaks() {
    let source = "int f(int n, int m) {
        int i, j, s = 0;
        for (i = 0; i < n; i++) {
            if (i == m) continue;
            for (j = i; j < 5; j++) { if (s > 20) goto out; s += j * i; }
            if (s == 13) break;
        }
    out:
        do { s--; } while (s > m);
        return s + i;
    }";
    assert!(agree(source, "f", 3000) > 500);
}

#[test]
fn a_value_computed_in_a_loop_is_used_behind_it() {
    let source = "int f(int n) {
        int last = -1, i = 0, k;
        for (;;) { k = i * 3 + n; if (k > 10) break; last = k; i++; if (i > 4) return last; }
        return k + last;
    }";
    assert!(agree(source, "f", 2000) > 1500);
}

#[test]
fn jumps_into_a_loop() {
    let source = "int f(int a, int b) {
        int i = a & 3, s = 0;
        if (b > 0) goto middle;
        while (i < 5) {
            s += i;
        middle:
            i++;
            if (s > b) break;
        }
        return s;
    }";
    assert!(agree(source, "f", 2000) > 1500);
}

#[test]
fn arrays_structs_and_pointers() {
    let source = "struct p { int x; short y[3]; unsigned b : 3; signed c : 5; };
    static int table[4] = {3, 1, 4, 1};
    int g;
    static void set(struct p *q, int i, int v) { q->y[i] = v; q->b = v; q->c += i; }
    int f(struct p *q, int a[6], int i, struct p v) {
        int local[5] = {0}, *w = &local[1];
        if (i < 0 || i > 2) return table[i & 3];
        set(q, i, a[i + 1]);
        w[i] = q->b; *w += 2; local[a[0] & 3]++;
        g = table[q->y[i] & 3] + local[2];
        table[1] = v.x;
        if (q->y[0] == q->y[2]) g++;
        struct p copy = v; copy.y[1] = 5; *q = copy;
        return w - local == 1 && &a[i] > &a[1] ? local[i] : g + v.c;
    }";
    assert!(agree(source, "f", 4000) > 500);
}

#[test]
fn recursion_and_function_pointers() {
    let source = "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int twice(int n) { return 2 * n; }
    static int neg(int n) { return -n; }
    static int (*const table[3])(int) = {fib, twice, neg};
    int f(int k, int n, int (*cb)(int)) {
        if (n > 5 || n < 0) return -1;
        int r = k >= 0 && k < 3 ? table[k](n) : 0;
        if (cb) r += cb(r);
        if (r == 8) return 1;
        return r;
    }";
    assert!(agree(source, "f", 2000) > 1000);
}

#[test]
fn environment() {
    let source = "#include <stdio.h>
    #include <stdlib.h>
    #include <assert.h>
    #include <ctype.h>
    #include <string.h>
    int sensor(void); void __VERIFIER_assume(int);
    int f(int n) {
        int x, y, s = 0;
        char buf[4]; memset(buf, n, sizeof buf);
        if (scanf(\"%d %d\", &x, &y) != 2) return -1;
        __VERIFIER_assume(x < 100);
        for (int i = 0; i < (n & 3); i++) s += sensor() > x;
        if (isdigit(x & 127)) s++;
        if (rand() % 7 == 3) exit(2);
        assert(s != 2 || y != 5);
        if (getchar() == 'a') s += abs(y);
        return s + buf[1];
    }";
    assert!(agree(source, "f", 3000) > 300);
}
