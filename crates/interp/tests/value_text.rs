//! Arguments from C text, and memory back to text.

mod support;

use quipu_base::Id;
use quipu_interp::value_text::{parse_arguments, place_argument, place_object, print_object, print_value};
use quipu_interp::{Limits, Machine};
use quipu_ir::{Module, Ty, TypeId};
use support::module;

const TYPES: &str = r#"
t5 = int "unsigned int" unsigned 32
t6 = int "long" signed 64
t7 = float 64
t8 = float 32
t9 = bool
t10 = enum "color" unsigned 32 { RED = 0, GREEN = 5, BLUE = 6 }
t11 = pointer t1
t12 = array t1[3]
t13 = array t3[6]
t14 = struct "point" size 8 align 4 { x: t1 at 0, y: t1 at 4 }
t15 = struct "node" size 40 align 8 { p: t14 at 0, a: t12 at 8, name: t13 at 20, next: t16 at 32 }
t16 = pointer t15
t17 = pointer t14
t18 = struct "flags" size 4 align 4 { lo: t5 at 0 bit 0 width 3, t1 at 0 bit 3 width 2, hi: t1 at 0 bit 5 width 4 }
t19 = union "number" size 8 align 8 { i: t1 at 0, d: t7 at 0 }
t20 = pointer t4
t21 = typedef "word" t5
t22 = pointer t0
t23 = pointer t2
t24 = struct "outer" size 12 align 4 { t14 at 0, z: t1 at 8 }
t25 = pointer t12
t26 = int "short" signed 16
global @counter: t12 size 12 align 4 = "\x01\0\0\0\x02\0\0\0"
func @callback() : t2 {
bb0:
  ret
}
"#;

fn ty(n: usize) -> TypeId {
    TypeId::new(n)
}

struct Texts {
    module: &'static Module,
    machine: Machine<'static>,
}

impl Texts {
    fn new() -> Texts {
        let module: &'static Module = Box::leak(Box::new(module(TYPES)));
        Texts { module, machine: Machine::new(module, Limits::default()) }
    }

    fn try_place(&mut self, text: &str, n: usize) -> Result<u64, String> {
        let values = parse_arguments(text).map_err(|error| error.to_string())?;
        assert_eq!(values.len(), 1, "{text}");
        place_argument(&mut self.machine, &values[0], ty(n)).map_err(|error| error.to_string())
    }

    fn place(&mut self, text: &str, n: usize) -> u64 {
        self.try_place(text, n).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn error(&mut self, text: &str, n: usize) -> String {
        self.try_place(text, n).unwrap_err()
    }

    /// Places and prints again.
    fn again(&mut self, text: &str, n: usize) -> String {
        let bits = self.place(text, n);
        print_value(&self.machine, ty(n), bits, 3)
    }
}

#[test]
fn scalars_are_converted_as_in_c() {
    let mut t = Texts::new();
    let minus_one = u64::from(u32::MAX);
    for (text, n, expected) in [
        ("3", 1, 3),
        ("-1", 1, minus_one),
        ("-1", 5, minus_one),
        ("4294967301", 1, 5),
        ("1.9", 1, 1),
        ("-1", 6, u64::MAX),
        ("~0u", 6, minus_one),
        ("~0", 6, u64::MAX),
        ("2", 9, 1),
        ("0.5", 9, 1),
        ("'a'", 1, 97),
        ("'\\xff'", 1, minus_one),
        ("300", 3, 44),
        ("70000", 26, 70000 & 0xffff),
        ("INT_MIN", 1, 1 << 31),
        ("-2147483648", 1, 1 << 31),
        ("LONG_MAX", 6, i64::MAX as u64),
        ("UINT_MAX", 21, minus_one),
        ("GREEN", 10, 5),
        ("BLUE + 1", 10, 7),
        ("(1 << 4) | 3 & ~1", 1, 18),
        ("7 / 2 * 2 - 1", 1, 5),
        ("-7 % 4", 1, u64::from((-3i32).cast_unsigned())),
        ("{5}", 1, 5),
        ("true", 9, 1),
    ] {
        assert_eq!(t.place(text, n), expected, "{text}");
    }
    for (text, expected) in [
        ("1.5", 1.5),
        ("0x1p3", 8.0),
        ("3", 3.0),
        ("-1/2.0", -0.5),
        ("DBL_MAX", f64::MAX),
        ("0.1f", f64::from(0.1f32)),
        ("INFINITY", f64::INFINITY),
    ] {
        assert_eq!(t.place(text, 7), expected.to_bits(), "{text}");
    }
    assert_eq!(t.place("0.1", 8), u64::from(0.1f32.to_bits()));
    assert!(f64::from_bits(t.place("-NAN", 7)).is_nan());
}

#[test]
fn constants_that_make_no_sense() {
    let mut t = Texts::new();
    assert_eq!(t.error("INT_MAX + 1", 1), "column 9: the result does not fit its type");
    assert_eq!(t.error("1 / 0", 1), "column 3: division by zero");
    assert_eq!(t.error("1 << 32", 1), "column 3: the shift amount is out of range");
    assert_eq!(t.error("PURPLE", 10), "column 1: `PURPLE` is not a known constant");
    assert_eq!(t.error("\"abc\"", 1), "column 1: expected a number");
    assert_eq!(t.error("{1, 2}", 1), "column 1: expected one number");
    assert_eq!(t.error("1.5 | 2", 1), "column 5: the operator needs integers");
    assert_eq!(t.error("~1.5", 1), "column 1: `~` needs an integer");
    assert_eq!(t.error("99999999999999999999", 1), "column 1: `99999999999999999999` is not a number");
}

#[test]
fn pointers_get_objects_of_their_own() {
    let mut t = Texts::new();
    let array = t.place("{1, 2, -3}", 11);
    let info = t.machine.memory().object_at(array).unwrap();
    assert_eq!((info.size, info.offset), (12, 0));
    assert_eq!(t.machine.memory().load(array + 8, Ty::I32, 4).unwrap(), u64::from((-3i32).cast_unsigned()));
    let sparse = t.place("{[3] = 7}", 11);
    assert_eq!(t.machine.memory().object_at(sparse).unwrap().size, 16);
    let text = t.place("\"abc\"", 4);
    assert_eq!(t.machine.memory().read_bytes(text, 4).unwrap(), b"abc\0");
    assert_eq!(t.machine.memory().object_at(text).unwrap().size, 4);
    let one = t.place("&5", 11);
    assert_eq!(t.machine.memory().object_at(one).unwrap().size, 4);
    let none = t.place("{}", 11);
    assert_eq!(t.machine.memory().object_at(none).unwrap().size, 0);
    let bytes = t.place("{1, 255, 3}", 22);
    assert_eq!(t.machine.memory().read_bytes(bytes, 3).unwrap(), [1, 255, 3]);
    for null in ["NULL", "0", "(void *)0", "(void*) 0"] {
        assert_eq!(t.place(null, 11), 0, "{null}");
    }
    assert_eq!(t.place("&counter", 11), t.machine.global_address(Id::new(0)));
    assert_eq!(t.place("counter", 11), t.machine.global_address(Id::new(0)));
    assert_eq!(t.place("&counter+4", 11), t.machine.global_address(Id::new(0)) + 4);
    let callback = t.module.function("callback").unwrap();
    assert_eq!(t.place("callback", 23), t.machine.function_address(callback));
    assert_eq!(t.error("17", 11), "column 1: expected NULL, `&name`, a string or `{...}` for a pointer");
    assert_eq!(t.error("\"abc\"", 11), "column 1: a string needs a pointer to characters");
    assert_eq!(t.error("&nothing", 11), "column 1: `nothing` is no global object and no function");
}

#[test]
fn structs_and_arrays_of_them() {
    let mut t = Texts::new();
    for (text, n, size, printed) in [
        ("{1, 2}", 14, 8, "{.x = 1, .y = 2}"),
        ("{.y = 2}", 14, 8, "{.x = 0, .y = 2}"),
        ("{.y = 2, .x = 1}", 17, 8, "-> {.x = 1, .y = 2}"),
        ("&{3, 4}", 17, 8, "-> {.x = 3, .y = 4}"),
        ("{{1, 2}, {3}}", 17, 16, "-> {{.x = 1, .y = 2}, {.x = 3, .y = 0}}"),
        ("{}", 17, 8, "-> {.x = 0, .y = 0}"),
        ("{.lo = 9, .hi = -1}", 18, 4, "{.lo = 1, .hi = -1}"),
        ("{5, -8}", 18, 4, "{.lo = 5, .hi = -8}"),
        ("{.i = 3}", 19, 8, "{.i = 3}"),
        ("{7}", 19, 8, "{.i = 7}"),
        ("{{1, 2}, 3}", 24, 12, "{{.x = 1, .y = 2}, .z = 3}"),
        ("{.y = 5, .z = 6}", 24, 12, "{{.x = 0, .y = 5}, .z = 6}"),
        ("{{1, 2, 3}, {4}}", 25, 24, "-> {{1, 2, 3}, {4, 0, 0}}"),
    ] {
        let bits = t.place(text, n);
        assert_eq!(t.machine.memory().object_at(bits).unwrap().size, size, "{text}");
        assert_eq!(print_value(&t.machine, ty(n), bits, 3), printed, "{text}");
    }
    let list = "{.p.y = 2, .a[1] = 5, .name = \"bob\", .next = &{.name = \"eve\", .next = NULL}}";
    let printed = "-> {.p = {.x = 0, .y = 2}, .a = {0, 5, 0}, .name = \"bob\", .next = -> {.p = {.x = 0, .y = 0}, \
                   .a = {0, 0, 0}, .name = \"eve\", .next = NULL}}";
    assert_eq!(t.again(list, 16), printed);
    let strings = t.place("{\"a\", \"bc\", NULL}", 20);
    assert_eq!(print_value(&t.machine, ty(20), strings, 3), "-> {\"a\", \"bc\", NULL}");
}

#[test]
fn wrong_shapes() {
    let mut t = Texts::new();
    assert_eq!(t.error("{1, 2, 3}", 14), "column 8: too many members");
    assert_eq!(t.error("{.z = 1}", 14), "column 7: there is no member `z`");
    assert_eq!(t.error("{[0] = 1}", 14), "column 8: an index names no member");
    assert_eq!(t.error("5", 14), "column 1: expected `{...}` for a struct or union");
    assert_eq!(t.error("{.a = {1, 2, 3, 4}}", 15), "column 17: too many elements: the array has 3");
    assert_eq!(t.error("{.name = \"toolong\"}", 15), "column 10: the string is longer than the array of 6");
    assert_eq!(t.error("{1, 2}", 19), "column 5: too many members");
    assert_eq!(t.error("{.x = 1}", 11), "column 7: `.x` names no element of an array");
    assert_eq!(t.error("{\"a\"}", 11), "column 2: expected a number");
}

#[test]
fn scalars_print_as_c() {
    let mut t = Texts::new();
    for (text, n, printed) in [
        ("-5", 1, "-5"),
        ("-5", 5, "4294967291"),
        ("GREEN", 10, "GREEN"),
        ("9", 10, "9"),
        ("1.5", 7, "1.5"),
        ("0.1f", 8, "0.1f"),
        ("-INFINITY", 7, "-INFINITY"),
        ("NAN", 8, "NAN"),
        ("1e300", 7, "1e300"),
        ("NULL", 11, "NULL"),
        ("&counter+4", 11, "&counter+4"),
        ("callback", 23, "&callback"),
        ("\"a\\n\\\"\"", 4, "\"a\\n\\\"\""),
    ] {
        assert_eq!(t.again(text, n), printed, "{text}");
    }
    assert_eq!(print_value(&t.machine, ty(11), 12345, 1), "(void *)0x3039");
}

#[test]
fn objects_print_what_they_hold() {
    let mut t = Texts::new();
    let counter = t.machine.global_address(Id::new(0));
    assert_eq!(print_object(&t.machine, ty(12), counter, 1), "{1, 2, 0}");
    let values = parse_arguments("{7, [2] = 9}").unwrap();
    place_object(&mut t.machine, &values[0], ty(12), counter).unwrap();
    assert_eq!(print_object(&t.machine, ty(12), counter, 1), "{7, 2, 9}");
    let memory = t.machine.memory_mut();
    let fresh = memory.allocate(quipu_interp::ObjectKind::Heap, 8, 4).unwrap();
    memory.store(fresh, Ty::I32, 1, 4).unwrap();
    assert_eq!(print_object(&t.machine, ty(14), fresh, 1), "{.x = 1, .y = ?}");
    assert_eq!(print_value(&t.machine, ty(17), fresh, 0), "-> ...");
    t.machine.memory_mut().free(fresh).unwrap();
    assert_eq!(print_value(&t.machine, ty(17), fresh, 1), "(dangling)");
    let empty = t.place("{}", 11);
    assert_eq!(print_value(&t.machine, ty(11), empty, 1), "-> {}+0");
}
