//! Library functions other than text formatting: effects, results, events.

mod support;

use quipu_interp::{
    InputRequest, InputSource, Limit, Limits, ListedInputs, Machine, NoObserver, ObjectKind, Outcome,
    ZeroInputs,
};
use quipu_ir::{Event, Ty};
use support::{Library, event_of, module, run_f};

fn int(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

fn signed(bits: u64) -> i32 {
    bits as i32
}

fn strings() -> Library {
    let p = "ptr";
    Library::new(&[
        ("memcpy", "ptr, ptr, i64", p),
        ("memmove", "ptr, ptr, i64", p),
        ("memset", "ptr, i32, i64", p),
        ("memcmp", "ptr, ptr, i64", "i32"),
        ("memchr", "ptr, i32, i64", p),
        ("memrchr", "ptr, i32, i64", p),
        ("strlen", p, "i64"),
        ("strnlen", "ptr, i64", "i64"),
        ("strcpy", "ptr, ptr", p),
        ("stpcpy", "ptr, ptr", p),
        ("strncpy", "ptr, ptr, i64", p),
        ("strcat", "ptr, ptr", p),
        ("strncat", "ptr, ptr, i64", p),
        ("strcmp", "ptr, ptr", "i32"),
        ("strncmp", "ptr, ptr, i64", "i32"),
        ("strcasecmp", "ptr, ptr", "i32"),
        ("strchr", "ptr, i32", p),
        ("strrchr", "ptr, i32", p),
        ("strstr", "ptr, ptr", p),
        ("strspn", "ptr, ptr", "i64"),
        ("strcspn", "ptr, ptr", "i64"),
        ("strpbrk", "ptr, ptr", p),
        ("strtok", "ptr, ptr", p),
        ("strtok_r", "ptr, ptr, ptr", p),
        ("strdup", p, p),
        ("strndup", "ptr, i64", p),
        ("strerror", "i32", p),
        ("__strcpy_chk", "ptr, ptr, i64", p),
    ])
}

#[test]
fn copying_strings() {
    let mut c = strings();
    let (hello, world) = (c.string("hello"), c.string(", world"));
    let buffer = c.space(16);
    assert_eq!(c.call("strcpy", &[buffer, hello]), buffer);
    assert_eq!(c.call("strcat", &[buffer, world]), buffer);
    assert_eq!(c.read(buffer), "hello, world");
    assert_eq!(c.call("stpcpy", &[buffer, hello]), buffer + 5);
    assert_eq!(c.call("strncat", &[buffer, world, 3]), buffer);
    assert_eq!(c.read(buffer), "hello, w");
    assert_eq!(c.call("strncpy", &[buffer, hello, 10]), buffer);
    assert_eq!(c.machine.memory().read_bytes(buffer, 10).unwrap(), b"hello\0\0\0\0\0");
    let copy = c.call("strndup", &[hello, 3]);
    assert_eq!(c.read(copy), "hel");
    assert_eq!(c.call("__strcpy_chk", &[buffer, hello, 16]), buffer);
    let small = c.space(5);
    assert_eq!(c.event("strcpy", &[small, hello]), Some(Event::OutOfBounds));
    assert_eq!(c.event("strcpy", &[hello, hello]), Some(Event::OverlappingCopy));
    assert_eq!(c.event("strcat", &[buffer, buffer]), Some(Event::OverlappingCopy));
    assert_eq!(c.event("strcpy", &[0, hello]), Some(Event::NullAccess));
}

#[test]
fn memory_blocks() {
    let mut c = strings();
    let a = c.bytes(b"abcdefgh");
    c.call("memmove", &[a + 2, a, 4]);
    assert_eq!(c.machine.memory().read_bytes(a, 8).unwrap(), b"ababcdgh");
    c.call("memset", &[a, 0x141, 3]);
    assert_eq!(c.machine.memory().read_bytes(a, 4).unwrap(), b"AAAb");
    assert_eq!(c.event("memcpy", &[a + 1, a, 4]), Some(Event::OverlappingCopy));
    assert_eq!(c.event("memcpy", &[a + 1, a, 8]), Some(Event::OutOfBounds));
    assert_eq!(c.event("memset", &[a, 0, u64::MAX]), Some(Event::OutOfBounds));
    assert_eq!(c.call("memcpy", &[a, a, 0]), a);
    let (x, y) = (c.bytes(b"abz"), c.bytes(b"ab\xff"));
    assert!(signed(c.call("memcmp", &[x, y, 3])) < 0);
    assert_eq!(c.call("memcmp", &[x, y, 2]), 0);
    assert_eq!(c.event("memcmp", &[x, y, 4]), Some(Event::OutOfBounds));
    assert_eq!(c.call("memchr", &[x, int(i32::from(b'b')), 100]), x + 1);
    assert_eq!(c.call("memrchr", &[a, int(i32::from(b'A')), 8]), a + 2);
    assert_eq!(c.call("memchr", &[x, 7, 3]), 0);
    let unwritten = c.space(4);
    assert_eq!(c.event("memcmp", &[x, unwritten, 1]), Some(Event::UninitializedRead));
    assert_eq!(c.call("memcpy", &[x, unwritten, 1]), x);
    assert_eq!(c.event("memcmp", &[x, y, 1]), Some(Event::UninitializedRead));
}

#[test]
fn comparing_and_searching() {
    let mut c = strings();
    let (abc, abd, upper) = (c.string("abc"), c.string("abd"), c.string("ABC"));
    assert!(signed(c.call("strcmp", &[abc, abd])) < 0);
    assert!(signed(c.call("strcmp", &[abc, upper])) > 0);
    assert_eq!(c.call("strncmp", &[abc, abd, 2]), 0);
    assert_eq!(c.call("strcasecmp", &[abc, upper]), 0);
    let text = c.string("the cat sat");
    let (cat, vowels, at) = (c.string("cat"), c.string("aeiou"), c.string("eht"));
    assert_eq!(c.call("strstr", &[text, cat]), text + 4);
    assert_eq!(c.call("strstr", &[text, upper]), 0);
    assert_eq!(c.call("strchr", &[text, int(i32::from(b'a'))]), text + 5);
    assert_eq!(c.call("strrchr", &[text, int(i32::from(b'a'))]), text + 9);
    assert_eq!(c.call("strchr", &[text, 0]), text + 11);
    assert_eq!(c.call("strspn", &[text, at]), 3);
    assert_eq!(c.call("strcspn", &[text, vowels]), 2);
    assert_eq!(c.call("strpbrk", &[text, vowels]), text + 2);
    assert_eq!(c.call("strlen", &[text]), 11);
    assert_eq!(c.call("strnlen", &[text, 4]), 4);
    let open = c.bytes(b"abc");
    assert_eq!(c.event("strlen", &[open]), Some(Event::OutOfBounds));
    assert_eq!(c.call("strnlen", &[open, 3]), 3);
    let unwritten = c.space(3);
    assert_eq!(c.event("strlen", &[unwritten]), Some(Event::UninitializedRead));
}

#[test]
fn tokens() {
    let mut c = strings();
    let (text, separators) = (c.string(",a,,bc,"), c.string(","));
    assert_eq!(c.call("strtok", &[text, separators]), text + 1);
    assert_eq!(c.call("strtok", &[0, separators]), text + 4);
    assert_eq!(c.read(text + 4), "bc");
    assert_eq!(c.call("strtok", &[0, separators]), 0);
    let (text, saved) = (c.string("x y"), c.space(8));
    let space = c.string(" ");
    assert_eq!(c.call("strtok_r", &[text, space, saved]), text);
    assert_eq!(c.call("strtok_r", &[0, space, saved]), text + 2);
    assert_eq!(c.call("strtok_r", &[0, space, saved]), 0);
    let message = c.call("strerror", &[2]);
    assert_eq!(c.read(message), "No such file or directory");
}

fn heap() -> Library {
    Library::new(&[
        ("malloc", "i64", "ptr"),
        ("calloc", "i64, i64", "ptr"),
        ("realloc", "ptr, i64", "ptr"),
        ("reallocarray", "ptr, i64, i64", "ptr"),
        ("free", "ptr", ""),
        ("aligned_alloc", "i64, i64", "ptr"),
        ("posix_memalign", "ptr, i64, i64", "i32"),
    ])
}

#[test]
fn the_heap() {
    let mut c = heap();
    let a = c.call("malloc", &[8]);
    c.machine.memory_mut().write_bytes(a, b"abcd").unwrap();
    let b = c.call("realloc", &[a, 100]);
    assert_eq!(c.machine.memory().read_bytes(b, 4).unwrap(), b"abcd");
    assert!(c.machine.memory().read_bytes(b, 5).is_err(), "the rest was never written");
    assert_eq!(c.event("realloc", &[a, 4]), Some(Event::DoubleFree));
    assert_eq!(c.event("realloc", &[b + 1, 4]), Some(Event::InvalidFree));
    assert_eq!(c.call("realloc", &[b, 0]), 0);
    assert_eq!(c.event("free", &[b]), Some(Event::DoubleFree));
    assert_eq!(c.outcome("free", &[0]), Outcome::Returned(None));
    assert_eq!(c.call("malloc", &[u64::MAX]), 0);
    assert_eq!(c.call("calloc", &[1 << 40, 1 << 40]), 0);
    assert_eq!(c.call("reallocarray", &[0, 1 << 40, 1 << 40]), 0);
    assert_eq!(c.outcome("malloc", &[1 << 50]), Outcome::LimitReached(Limit::Memory));
    let zeros = c.call("calloc", &[3, 4]);
    assert_eq!(c.machine.memory().read_bytes(zeros, 12).unwrap(), [0; 12]);
    assert_eq!(c.call("aligned_alloc", &[64, 128]) % 64, 0);
    let place = c.space(8);
    assert_eq!(c.call("posix_memalign", &[place, 32, 10]), 0);
    assert_eq!(c.call("posix_memalign", &[place, 3, 10]), 22);
    assert_ne!(c.call("malloc", &[0]), c.call("malloc", &[0]));
}

/// Says yes to every question.
struct Yes;

impl InputSource for Yes {
    fn next(&mut self, _request: InputRequest<'_>) -> Option<u64> {
        Some(1)
    }
}

#[test]
fn memory_may_be_refused() {
    let mut c = heap();
    c.machine.let_allocations_fail(4);
    c.machine.reset();
    let module = c.module;
    let refused = |c: &mut Library, name: &str, args: &[u64]| {
        let func = module.function(name).expect("the function is declared");
        c.machine.run(func, args, &mut Yes, &mut NoObserver) == Outcome::Returned(Some(0))
    };
    assert_eq!(c.call("malloc", &[u64::MAX]), 0, "nobody is asked about a size that no block can have");
    let block = c.call("malloc", &[8]);
    assert_ne!(block, 0, "zero means no");
    c.machine.memory_mut().write_bytes(block, b"abcd").unwrap();
    assert!(refused(&mut c, "realloc", &[block, 100]));
    assert_eq!(c.machine.memory().read_bytes(block, 4).unwrap(), b"abcd", "the block stays as it is");
    assert!(refused(&mut c, "realloc", &[block, 0]), "that frees");
    assert!(refused(&mut c, "calloc", &[2, 2]));
    assert!(refused(&mut c, "malloc", &[2]));
    assert!(!refused(&mut c, "malloc", &[2]), "only the first four may fail");
}

#[test]
fn integers() {
    let mut c = Library::new(&[
        ("abs", "i32", "i32"),
        ("llabs", "i64", "i64"),
        ("div", "ptr, i32, i32", ""),
        ("ldiv", "ptr, i64, i64", ""),
    ]);
    assert_eq!(c.call("abs", &[int(-5)]), 5);
    assert_eq!(c.call("llabs", &[-5i64 as u64]), 5);
    assert_eq!(c.event("abs", &[int(i32::MIN)]), Some(Event::SignedOverflow));
    let place = c.space(16);
    c.outcome("div", &[place, int(-7), 2]);
    assert_eq!(c.machine.memory().load(place, Ty::I32, 4).unwrap(), int(-3));
    assert_eq!(c.machine.memory().load(place + 4, Ty::I32, 4).unwrap(), int(-1));
    c.outcome("ldiv", &[place, 7, 2]);
    assert_eq!(c.machine.memory().load(place + 8, Ty::I64, 8).unwrap(), 1);
    assert_eq!(c.event("div", &[place, 1, 0]), Some(Event::DivisionByZero));
    assert_eq!(c.event("div", &[place, int(i32::MIN), int(-1)]), Some(Event::DivisionOverflow));
}

const SORTING: &str = "
global @data: t1 size 40 align 4 = \"\\x05\\0\\0\\0\\x03\\0\\0\\0\\x09\\0\\0\\0\\x01\\0\\0\\0\\x07\\0\\0\\0\\x02\\0\\0\\0\\x08\\0\\0\\0\\x04\\0\\0\\0\\x06\\0\\0\\0\\0\\0\\0\\0\"
global @key: t1 size 4 align 4 = \"\\x07\\0\\0\\0\"
func @qsort(ptr, i64, i64, ptr) : t2
func @bsearch(ptr, ptr, i64, i64, ptr) -> ptr : t2
func @compare(ptr, ptr) -> i32 : t2 {
bb0(%0: ptr, %1: ptr):
  %2: i32 = load %0 align 4
  %3: i32 = load %1 align 4
  %4: i32 = sub %2, %3
  ret %4
}
";

#[test]
fn sorting_and_searching_call_back() {
    let text = format!(
        "{SORTING}
func @f() -> i32 : t2 {{
bb0:
  call @qsort(@data, i64 10, i64 4, @compare)
  %0: ptr = call @bsearch(@key, @data, i64 10, i64 4, @compare)
  %1: i64 = ptrdiff %0, @data
  %2: i32 = trunc i64 -> i32 %1
  ret %2
}}"
    );
    let module = module(&text);
    let mut machine = Machine::new(&module, Limits::default());
    let outcome = machine.run(module.function("f").unwrap(), &[], &mut ZeroInputs, &mut NoObserver);
    assert_eq!(outcome, Outcome::Returned(Some(28)));
    let data = machine.global_address(quipu_base::Id::new(0));
    let sorted: Vec<u64> =
        (0..10).map(|n| machine.memory().load(data + 4 * n, Ty::I32, 4).unwrap()).collect();
    assert_eq!(sorted, (0..10).collect::<Vec<u64>>());
}

#[test]
fn callbacks_are_placed_and_bounded() {
    let nested = "
global @data: t1 size 8 align 4 = zero
func @qsort(ptr, i64, i64, ptr) : t2
func @compare(ptr, ptr) -> i32 : t2 {
bb0(%0: ptr, %1: ptr):
  call @qsort(@data, i64 2, i64 4, @compare)
  ret i32 0
}
func @f() : t2 {
bb0:
  call @qsort(@data, i64 2, i64 4, @compare)
  ret
}";
    assert_eq!(run_f(&module(nested)), Outcome::LimitReached(Limit::Depth));
    let faulty = nested.replace(
        "  call @qsort(@data, i64 2, i64 4, @compare)\n  ret i32 0",
        "  %2: i8 = load ptr 0 align 1 !0:5:6\n  ret i32 0",
    );
    let Outcome::Event { event, span, .. } = run_f(&module(&faulty)) else { panic!("an event") };
    assert_eq!((event, span.line), (Event::NullAccess, 5));
}

#[test]
fn leaving_the_program() {
    let text = "
global @log: t1 size 4 align 4 = zero
func noreturn @exit(i32) : t2
func noreturn @_Exit(i32) : t2
func @atexit(ptr) -> i32 : t2
func @handler() : t2 {
bb0:
  %0: i32 = load @log align 4
  %1: i32 = add %0, i32 1
  store @log, %1 align 4
  ret
}
func @f() : t2 {
bb0:
  %0: i32 = call @atexit(@handler)
  %1: i32 = call @atexit(@handler)
  call @exit(i32 3)
  unreachable noreturn
}
func @main() -> i32 : t2 {
bb0:
  %0: i32 = call @atexit(@handler)
  ret i32 0
}
func @quick() : t2 {
bb0:
  %0: i32 = call @atexit(@handler)
  call @_Exit(i32 4)
  unreachable noreturn
}";
    let module = module(text);
    let mut machine = Machine::new(&module, Limits::default());
    let log = machine.global_address(quipu_base::Id::new(0));
    for (name, outcome, handled) in [
        ("f", Outcome::Exited(3), 2),
        ("main", Outcome::Returned(Some(0)), 1),
        ("quick", Outcome::Exited(4), 0),
    ] {
        machine.reset();
        let func = module.function(name).unwrap();
        assert_eq!(machine.run(func, &[], &mut ZeroInputs, &mut NoObserver), outcome, "{name}");
        assert_eq!(machine.memory().load(log, Ty::I32, 4).unwrap(), handled, "{name}");
    }
}

#[test]
fn assertions_and_assumptions() {
    let mut c = Library::new(&[
        ("__assert_fail", "ptr, ptr, i32, ptr", ""),
        ("__VERIFIER_assert", "i32", ""),
        ("__VERIFIER_assume", "i32", ""),
        ("reach_error", "", ""),
        ("abort", "", ""),
        ("longjmp", "ptr, i32", ""),
    ]);
    let text = c.string("x > 0");
    let Outcome::AssertionFailed { detail, .. } = c.outcome("__assert_fail", &[text, 0, 1, 0]) else {
        panic!("an assertion")
    };
    assert_eq!(detail, "x > 0");
    assert_eq!(c.outcome("__VERIFIER_assert", &[1]), Outcome::Returned(None));
    assert!(matches!(c.outcome("__VERIFIER_assert", &[0]), Outcome::AssertionFailed { .. }));
    assert!(matches!(c.outcome("reach_error", &[]), Outcome::AssertionFailed { .. }));
    assert_eq!(c.outcome("__VERIFIER_assume", &[0]), Outcome::AssumptionFailed);
    assert_eq!(c.outcome("__VERIFIER_assume", &[1]), Outcome::Returned(None));
    assert_eq!(c.outcome("abort", &[]), Outcome::Aborted);
    assert!(matches!(c.outcome("longjmp", &[0, 1]), Outcome::Unsupported { .. }));
}

#[test]
fn reading_input() {
    let mut c = Library::new(&[
        ("getchar", "", "i32"),
        ("fgets", "ptr, i32, ptr", "ptr"),
        ("read", "i32, ptr, i64", "i64"),
        ("rand", "", "i32"),
        ("time", "ptr", "i64"),
        ("ungetc", "i32, ptr", "i32"),
        ("gets", "ptr", "ptr"),
        ("clearerr", "ptr", ""),
    ]);
    let text = |s: &str| s.bytes().map(u64::from).collect::<Vec<u64>>();
    let ask = |c: &mut Library, name: &str, args: &[u64], values: Vec<u64>| {
        let func = c.module.function(name).unwrap();
        c.machine.run(func, args, &mut ListedInputs::new(values), &mut NoObserver)
    };
    assert_eq!(ask(&mut c, "getchar", &[], text("A")), Outcome::Returned(Some(65)));
    assert_eq!(ask(&mut c, "getchar", &[], vec![u64::MAX]), Outcome::Returned(Some(int(-1))));
    let buffer = c.space(8);
    let stream = c.machine.memory_mut().allocate(ObjectKind::Stream, 0, 16).unwrap();
    assert_eq!(ask(&mut c, "getchar", &[], text("A")), Outcome::Returned(Some(int(-1))), "it stays there");
    assert_eq!(ask(&mut c, "clearerr", &[stream], vec![]), Outcome::Returned(None));
    assert_eq!(c.event("fgets", &[buffer, 8, 0]), Some(Event::NullAccess), "no stream");
    assert_eq!(c.event("fgets", &[buffer, 8, buffer]), Some(Event::InvalidPointer), "no stream either");
    assert_eq!(ask(&mut c, "fgets", &[buffer, 8, stream], text("ab\ncd")), Outcome::Returned(Some(buffer)));
    assert_eq!(c.read(buffer), "ab\n");
    assert_eq!(ask(&mut c, "fgets", &[buffer, 3, stream], text("abcd")), Outcome::Returned(Some(buffer)));
    assert_eq!(c.read(buffer), "ab");
    assert_eq!(ask(&mut c, "fgets", &[buffer, 3, stream], vec![u64::MAX]), Outcome::Returned(Some(0)));
    assert_eq!(ask(&mut c, "gets", &[buffer], text("xy\nz")), Outcome::Returned(Some(0)));
    assert_eq!(ask(&mut c, "clearerr", &[stream], vec![]), Outcome::Returned(None));
    assert_eq!(ask(&mut c, "gets", &[buffer], text("xy\nz")), Outcome::Returned(Some(buffer)));
    assert_eq!(c.read(buffer), "xy");
    assert_eq!(c.event("gets", &[buffer]), Some(Event::OutOfBounds), "an endless line");
    let end = vec![120, u64::MAX];
    assert_eq!(ask(&mut c, "read", &[0, buffer, 8], end), Outcome::Returned(Some(1)));
    let outside = ask(&mut c, "read", &[0, buffer, 9], vec![]);
    assert_eq!(event_of(&outside), Some(Event::OutOfBounds));
    assert_eq!(ask(&mut c, "rand", &[], vec![0xffff_ffff]), Outcome::Returned(Some(0x7fff_ffff)));
    assert_eq!(ask(&mut c, "time", &[buffer], vec![1000]), Outcome::Returned(Some(1000)));
    assert_eq!(c.machine.memory().load(buffer, Ty::I64, 8).unwrap(), 1000);
    ask(&mut c, "ungetc", &[66, stream], vec![]);
    assert_eq!(ask(&mut c, "getchar", &[], vec![]), Outcome::Returned(Some(66)));
    assert!(matches!(ask(&mut c, "getchar", &[], vec![]), Outcome::InputsExhausted { .. }));
}
