//! Texts that are almost modules: the parser answers, the verifier answers, and what parses prints and
//! parses again to the same module. And large texts, in which nothing may take more than linear time.

use std::fmt::Write;
use std::ops::Range;
use std::time::Instant;

use quipu_ir::{parse, print, verify};

const ALL: &str = include_str!("files/all.ir");

/// A small generator of numbers (SplitMix64), so that every run tests the same texts.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }
}

/// Checks what must hold of any text; whether it is a module, and whether a valid one.
fn check(text: &str) -> (bool, bool) {
    let Ok(module) = parse(text) else {
        return (false, false);
    };
    let valid = verify(&module).is_ok();
    let printed = print(&module);
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{text}\n--- printed:\n{printed}"));
    assert!(again == module, "changed by printing:\n{text}\n--- printed:\n{printed}");
    (true, valid)
}

/// One change. Most texts survive a changed digit or word as modules, but not as valid ones.
fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    match random.below(8) {
        0..=2 => change_digit(text, random),
        3..=5 => replace_word(text, random),
        _ => change_bytes(text, random),
    }
    if text.is_empty() {
        text.push(b'\n');
    }
}

fn change_digit(text: &mut [u8], random: &mut Random) {
    let at = random.below(text.len());
    if let Some(digit) = text[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
        *digit = b"0123456789"[random.below(10)];
    }
}

/// Replaces a word by one of the same kind, judged by its first letter, from elsewhere.
fn replace_word(text: &mut Vec<u8>, random: &mut Random) {
    let old = word_at(text, random.below(text.len()));
    for _ in 0..50 {
        let new = word_at(text, random.below(text.len()));
        if text.get(new.start) == text.get(old.start) && text[new.clone()] != text[old.clone()] {
            let new = text[new].to_vec();
            text.splice(old, new);
            return;
        }
    }
}

fn word_at(text: &[u8], at: usize) -> Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"%@".contains(byte);
    let start = text[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |before| before + 1);
    let len = text[start..].iter().take_while(|byte| is_word(byte)).count();
    start..start + len
}

/// Replaces, removes or inserts a byte, or removes or copies a piece.
fn change_bytes(text: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"0123456789ietsdbcx%@!\":;,=-.()[]{} \n\\\xff\0";
    let at = random.below(text.len());
    let end = (at + random.below(24)).min(text.len());
    let byte = BYTES[random.below(BYTES.len())];
    match random.below(5) {
        0 => text[at] = byte,
        1 => _ = text.remove(at),
        2 => text.insert(at, byte),
        3 => _ = text.drain(at..end),
        _ => {
            let piece = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, piece);
        }
    }
}

/// The module's tables with one of its functions: small texts parse more often after a change.
fn seeds() -> Vec<String> {
    let (tables, functions) = ALL.split_once("\nfunc ").unwrap();
    let declared = "func @exit(i32) : t14 func @printf(ptr, ptr) -> i32 : t15 func @\"asm\\0\"() : t14";
    let mut seeds: Vec<String> = functions
        .split("\nfunc ")
        .filter(|function| function.contains("bb0"))
        .map(|function| {
            let others = if function.starts_with("@arithmetic") { "" } else { "func @arithmetic() : t14\n" };
            format!("{tables}\n{declared}\n{others}func {function}")
        })
        .collect();
    seeds.iter().for_each(|seed| assert!(check(seed).0, "{:?}", parse(seed).map(|_| ())));
    seeds.push(ALL.to_owned());
    seeds
}

#[test]
fn mutants_never_break_anything() {
    let seeds = seeds();
    let mut random = Random(1);
    let (mut n_parsed, mut n_valid) = (0, 0);
    for n in 0..20_000 {
        let mut text = seeds[n % seeds.len()].clone().into_bytes();
        for _ in 0..=random.below(3) {
            mutate(&mut text, &mut random);
        }
        let (parsed, valid) = check(&String::from_utf8_lossy(&text));
        n_parsed += usize::from(parsed);
        n_valid += usize::from(valid);
    }
    assert!(
        n_valid > 2_000 && n_parsed > n_valid + 2_000,
        "too few mutants are modules: {n_parsed}, {n_valid}"
    );
}

/// A function with `n` blocks of ten instructions each, half of them in a chain of diamonds.
fn large_function(text: &mut String, name: usize, n: usize) {
    writeln!(text, "func @f{name}(i32, ptr) -> i32 : t1 !0:1:1-9 {{").unwrap();
    writeln!(text, "  d0 = if \"x\"\n  c0 = d0 \"x\"\nbb0(%0: i32, %1: ptr):\n  jump bb1(%0)").unwrap();
    for block in 0..n {
        let first = 2 + block * 11;
        writeln!(text, "bb{}(%{first}: i32):", block + 1).unwrap();
        for inst in 1..10 {
            let at = first + inst;
            writeln!(text, "  %{at}: i32 = add %{}, i32 {} !0:{inst}:3-9", at - 1, block * inst).unwrap();
        }
        writeln!(text, "  %{}: i1 = slt %{}, %0 !0:7:8", first + 10, first + 9).unwrap();
        let (near, far) = ((block + 2).min(n + 1), (block + 3).min(n + 1));
        writeln!(text, "  br %{}, bb{near}(%{first})[true], bb{far}(%0)[false], c0", first + 10).unwrap();
    }
    writeln!(text, "bb{}(%{}: i32):\n  ret %0\n}}", n + 1, 2 + n * 11).unwrap();
}

#[test]
fn large_modules_take_linear_time() {
    let mut text = "module lp64\nfile0 = \"a.c\"\nt0 = void\nt1 = function () -> t0\n".to_owned();
    large_function(&mut text, 0, 20_000);
    for name in 1..400 {
        large_function(&mut text, name, 50);
    }
    let start = Instant::now();
    let module = parse(&text).unwrap();
    let parsed = start.elapsed();
    assert_eq!(verify(&module), Ok(()));
    let verified = start.elapsed() - parsed;
    let printed = print(&module);
    let done = start.elapsed() - parsed - verified;
    println!("{} MB: parse {parsed:?}, verify {verified:?}, print {done:?}", text.len() / 1_000_000);
    assert!(parse(&printed).unwrap() == module);
    assert!(start.elapsed().as_secs() < 60, "should take seconds even on a slow machine");
}

#[test]
fn hostile_texts_take_linear_time() {
    let open = format!("module lp64 {}", "{".repeat(500_000));
    let strings = format!("module lp64 file0 = \"{}", "\\\"".repeat(500_000));
    let functions = "func @x() : t0 { bb0: ret %999999 } ".repeat(20_000);
    let symbols = format!("module lp64 {functions}");
    let types = (0..100_000).fold("module lp64 ".to_owned(), |mut text, n| {
        write!(text, "t{n} = array t{}[2] ", n + 1).unwrap();
        text
    });
    let start = Instant::now();
    for text in [open, strings, symbols, types + "t100000 = void"] {
        check(&text);
    }
    assert!(start.elapsed().as_secs() < 20, "should take no time");
}
